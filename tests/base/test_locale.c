/* A program that uses the library may have set a locale with a decimal comma. Models, results,
 * reports and messages are the same under it, in all threads, and the program and its callbacks
 * keep it.
 *
 *   test_locale MODEL...    compares the runs of other models */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "comma.h"
#include "limber/limber.h"
#include "marked_models.h"
#include "program.h"
#include "strip.h"
#include "support.h"

static void test_conversions(void **unused)
{
    (void)unused;
    char text[40], *end;
    double x = 0;
    use_decimal_comma();
    assert_int_equal(lmb_snprintf(text, sizeof text, "%.2f %g", 1.25, 1e-7), 10);
    assert_string_equal(text, "1.25 1e-07");
    assert_close(lmb_strtod("2.5,", &end), 2.5, 0);
    assert_string_equal(end, ",");
    assert_int_equal(lmb_sscanf("3.5,4.5", "%lf,%lf", &x, &x), 2);
    assert_close(x, 4.5, 0);
    snprintf(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, "0,5"); /* the locale of the process is as before */
    use_decimal_point();
}

static void test_letters(void **unused)
{
    (void)unused;
    assert_true(lmb_same_letters("Title", "tITLE") && !lmb_same_letters("title", "titles"));
    assert_true(lmb_same_letters_in("Titles", "title-", 5) && lmb_same_letters_in("a", "A", 9));
    assert_false(lmb_same_letters_in("titles", "title-", 6));
    assert_true(lmb_to_upper('i') == 'I' && lmb_to_lower('Z') == 'z' && lmb_to_upper('{') == '{');
    assert_false(lmb_is_letter_or_digit('\xe4') || lmb_is_letter_or_digit('_'));
}

/* --- everything that a run tells, as bytes ---------------------------------------------------- */

/* Appends a text without the seconds that parts of the run took. */
static void tell(FILE *out, const char *text)
{
    static const char key[] = "seconds\\\": "; /* in a JSON text inside of one */
    for (const char *at; (at = strstr(text, key)); text = at + strcspn(at, ",}")) {
        at += strlen(key);
        fwrite(text, 1, (size_t)(at - text), out);
    }
    fputs(text, out);
}

static void tell_channels(FILE *out, lmb_context *context, lmb_result *result)
{
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int i = 0; i < lmb_result_channel_count(result, a); i++) {
            const lmb_channel *c = lmb_result_channel(result, a, i);
            char name[300];
            lmb_series s;
            snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(result, a), c->name);
            assert_int_equal(lmb_result_read(result, context, name, &s), LMB_OK);
            fprintf(out, "%s %s %s %s\n", name, c->unit, c->doc, c->components);
            fwrite(s.values, sizeof *s.values, (size_t)s.count * (size_t)s.size, out);
            fwrite(s.time, sizeof *s.time, (size_t)s.count, out);
            lmb_series_free(&s);
        }
}

static void tell_result(FILE *out, lmb_context *context, const char *path)
{
    static const char *const texts[] = {"version",    "title",    "geometry",
                                        "parameters", "flexible", "analyses"};
    const char *page = scratch_path("page.html");
    lmb_result *result;
    if (lmb_result_open(&result, context, path))
        return;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = lmb_result_text(result, texts[i]);
        fprintf(out, "%s: %s\n", texts[i], text ? text : "none");
    }
    tell_channels(out, context, result);
    if (lmb_report(context, result, page, NULL) == LMB_OK) {
        size_t size;
        char *html = read_bytes(page, &size);
        html[size] = 0;
        tell(out, html);
        free(html);
    }
    lmb_result_close(result);
}

static void tell_messages(FILE *out, const lmb_context *context)
{
    for (size_t i = 0; i < lmb_message_count(context); i++) {
        const lmb_message *m = lmb_message_at(context, i);
        fprintf(out, "%d %s | %s | %s:%d:%d %s\n", m->severity, m->text, m->hint, m->file, m->line,
                m->column, m->source_line);
    }
}

/* Runs a model into a file and returns what there is to know of the run. */
static char *told_by(const char *path, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    assert_non_null(out);
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    const char *result = scratch_path("result.h5");
    lmb_status status = lmb_spec_load(&spec, context, path);
    remove(result);
    if (!status)
        status = lmb_model_compile(&model, context, spec);
    if (!status)
        status = lmb_run(context, model, NULL, result);
    if (model)
        tell_result(out, context, result);
    tell_messages(out, context);
    fprintf(out, "status %d\n", status);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
    fclose(out);
    return text;
}

static void compare_model(const char *path)
{
    size_t size, comma_size, at = 0;
    char *point = told_by(path, &size);
    use_decimal_comma();
    char *comma = told_by(path, &comma_size);
    use_decimal_point();
    while (at < size && at < comma_size && point[at] == comma[at])
        at++;
    size_t from = at > 40 ? at - 40 : 0;
    if (at < size || at < comma_size)
        fail_msg("%s: '%.80s' became '%.80s'", path, point + from, comma + from);
    free(point);
    free(comma);
}

/* --- models ----------------------------------------------------------------------------------- */

static void test_ill_posed_models(void **unused)
{
    (void)unused;
    for_each_model("tests/ill-posed", 60, compare_model);
}

static int named;
static char **names;

/* Examples of all kinds that take at most 0.05 s; or the examples on the command line. */
static void test_examples(void **unused)
{
    (void)unused;
    static const char *const examples[] = {"balance",
                                           "bicycle",
                                           "cable",
                                           "cable-break",
                                           "double-pendulum",
                                           "heavy-top",
                                           "half-car",
                                           "quick-return",
                                           "flexible-pendulum",
                                           "roll-up",
                                           "spring-helix",
                                           "sliding-rod-inverse",
                                           "suspension",
                                           "nelson-rotor",
                                           "slider-crank-beams",
                                           "spatial-slider-crank"};
    for (int i = 0; i < named; i++)
        compare_model(names[i]);
    for (size_t i = 0; !named && i < sizeof examples / sizeof *examples; i++) {
        char path[200];
        snprintf(path, sizeof path, "examples/%s/%s.yaml", examples[i], examples[i]);
        compare_model(path);
    }
}

/* --- the program keeps its locale ------------------------------------------------------------- */

static const char pendulum[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {l: 1.25, k: 0.5}\n"
    "bodies: {bob: {mass: 2.5, inertia: 0.125, position: [l, 0], points: {O: [-l, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, bob.O]}}\n"
    "forces: {motor: {type: motor, joint: pin, effort: k*pull(angle)}}\n"
    "sensors: {reach: bob.position.x + 0.5}\n"
    "analyses: {swing: {type: dynamics, duration: 0.5, output_step: 1e-4}}\n"
    "objectives: {far: {max: reach}}\n"
    "studies:\n  s: {type: sweep, results: [far],\n"
    "      vary: {k: {from: 0.25, to: 1.25, points: 4}, l: {from: 0.75, to: 1.25, points: 2}}}\n";

/* Calls of the program, and how many of them did not see its locale. */
typedef struct host {
    int calls, strange;
    bool comma, stop;
} host;

static void look(host *h)
{
    char text[8];
    snprintf(text, sizeof text, "%g", 0.5);
    __atomic_fetch_add(&h->calls, 1, __ATOMIC_RELAXED);
    if (strcmp(text, h->comma ? "0,5" : "0.5") != 0)
        __atomic_fetch_add(&h->strange, 1, __ATOMIC_RELAXED);
}

static int pull(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    (void)gradient, (void)hessian;
    look(user);
    value[0] = cos(x[0]);
    return 0;
}

static bool on_progress(void *user, const char *what, double fraction)
{
    (void)what;
    host *h = user;
    look(h);
    return h->stop && fraction > 0.5;
}

static void on_log(void *user, const char *line)
{
    (void)line;
    look(user);
}

static lmb_spec *host_spec(lmb_context *context, host *h)
{
    lmb_spec *spec;
    assert_int_equal(lmb_spec_load(&spec, context, scratch_text("host.yaml", pendulum)), LMB_OK);
    lmb_function function = {"pull", 1, 1, 0, pull, h};
    assert_int_equal(lmb_spec_define(spec, context, &function), LMB_OK);
    lmb_context_on_progress(context, on_progress, h);
    lmb_context_on_log(context, on_log, h);
    return spec;
}

/* A sweep by two threads, and gradients. */
static void tell_studies(FILE *out, host *h)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = host_spec(context, h);
    lmb_study_options options = {.jobs = 2};
    lmb_swept *swept;
    if (lmb_sweep(&swept, context, spec, &options))
        fail_msg("%s", lmb_message_at(context, 0)->text);
    assert_int_equal(swept->count, 8);
    fwrite(swept->values, sizeof(double), 8, out);
    lmb_swept_free(swept);

    const char *parameters[] = {"k", "l", NULL};
    lmb_gradient *gradient;
    lmb_gradient_request request = {.parameters = parameters};
    assert_int_equal(lmb_gradient_find(&gradient, context, spec, &request), LMB_OK);
    fwrite(gradient->values, sizeof(double), (size_t)gradient->objective_count, out);
    lmb_gradient_free(gradient);
    tell_messages(out, context);
    lmb_spec_free(spec);
    lmb_context_free(context);
}

/* A run that is stopped, goes on and is at its end; its result must be that of one run. */
static void tell_resumed(FILE *out, host *h)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = host_spec(context, h);
    lmb_model *model;
    const char *path = scratch_path("resumed.h5");
    bool complete = true;
    remove(path);
    h->stop = true;
    assert_int_equal(lmb_model_compile(&model, context, spec), LMB_OK);
    assert_int_equal(lmb_run(context, model, NULL, path), LMB_SOLVER);
    h->stop = false;
    assert_int_equal(lmb_resume(context, model, NULL, path, &complete), LMB_OK);
    assert_false(complete);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, context, path), LMB_OK);
    tell_channels(out, context, result);
    lmb_result_close(result);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
}

static void test_the_program_keeps_its_locale(void **unused)
{
    (void)unused;
    char *text[2] = {NULL, NULL};
    size_t size[2];
    for (int comma = 0; comma < 2; comma++) {
        host h = {.comma = comma};
        FILE *out = open_memstream(&text[comma], &size[comma]);
        if (comma)
            use_decimal_comma();
        tell_studies(out, &h);
        tell_resumed(out, &h);
        fclose(out);
        assert_true(h.calls > 100);
        assert_int_equal(h.strange, 0);
        assert_ptr_equal(uselocale((locale_t)0), LC_GLOBAL_LOCALE);
    }
    use_decimal_point();
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(text[0], text[1], size[0]);
    free(text[0]);
    free(text[1]);
}

int main(int argc, char **argv)
{
    named = argc - 1;
    names = argv + 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_ill_posed_models),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_the_program_keeps_its_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
