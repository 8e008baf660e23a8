/* Rotors through the public interface: the numbers of the program to the last bit, results in
 * memory and in files, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "support.h"

static lmb_rotor_found *find(const char *path, lmb_model **model)
{
    lmb_spec *spec;
    lmb_rotor_found *rotor;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_load(&spec, context, path));
    assert_ok(lmb_model_compile(model, context, spec));
    assert_ok(lmb_rotor_find(&rotor, context, *model, NULL));
    lmb_spec_free(spec);
    return rotor;
}

/* The next number of a key of JSON, which is moved on; null is NaN. */
static double next(const char **text, const char *key)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(*text, quoted);
    if (!found)
        fail_msg("no %s", key);
    *text = found + strlen(quoted);
    while (**text == ' ')
        ++*text;
    return **text == 'n' ? NAN : strtod(*text, NULL);
}

/* The vibrations at speed i. */
static void check_vibrations(const char **json, const lmb_rotor_vibrations *v, int i)
{
    assert_same_number(v->speed[i], next(json, "speed"));
    for (int k = i * v->modes; k < (i + 1) * v->modes; k++) {
        assert_same_number(v->frequency[k], next(json, "frequency"));
        assert_same_number(v->natural[k], next(json, "natural"));
        assert_same_number(v->damping[k], next(json, "damping"));
        assert_same_number(v->decrement[k], next(json, "decrement"));
    }
}

static void check_response(const char *json, const lmb_rotor_found *r)
{
    for (int k = 0; k < r->station_count; k++) {
        char quoted[80];
        snprintf(quoted, sizeof quoted, "\"%s\": [", r->stations[k]);
        const char *at = strstr(strstr(json, "\"unbalance\":"), quoted);
        assert_non_null(at);
        for (int i = 0; i < r->speed_count; i++) {
            int place = i * r->station_count + k;
            assert_same_number(r->speed[i], next(&at, "speed"));
            assert_same_number(hypot(r->y[2 * place], r->y[2 * place + 1]),
                               next(&at, "amplitude_y"));
            assert_same_number(hypot(r->z[2 * place], r->z[2 * place + 1]),
                               next(&at, "amplitude_z"));
            assert_same_number(r->response[place].major, next(&at, "major"));
            assert_same_number(r->response[place].minor, next(&at, "minor"));
        }
    }
}

static void as_the_program(void **unused)
{
    (void)unused;
    static const char *const names[] = {"jeffcott", "nelson-rotor"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[80];
        lmb_model *model;
        snprintf(path, sizeof path, "examples/%s/%s.yaml", names[i], names[i]);
        lmb_rotor_found *r = find(path, &model);
        lmb_run_result run = run_limber("rotor %s --json", path);
        assert_int_equal(run.code, 0);
        const char *at = run.out;
        assert_same_number(r->mass, next(&at, "mass"));
        for (int k = 0; k < r->critical_count; k++) {
            assert_same_number(r->criticals[k].undamped, next(&at, "speed"));
            assert_same_number(r->criticals[k].damped, next(&at, "damped_speed"));
            assert_same_number(r->criticals[k].ratio, next(&at, "damping"));
        }
        at = strstr(run.out, "\"service\":");
        check_vibrations(&at, &r->service, 0);
        at = strstr(run.out, "\"campbell\":");
        for (int k = 0; k < r->campbell.speeds; k++)
            check_vibrations(&at, &r->campbell, k);
        assert_int_equal(r->loaded, strstr(run.out, "\"unbalance\":") != NULL);
        if (r->loaded)
            check_response(run.out, r);
        assert_non_null(strstr(run.out, r->words[r->word_count - 1]));
        free_run(&run);
        lmb_rotor_free(r);
        lmb_model_free(model);
    }
}

/* Channels over speed, in memory and in a file, are the tables. */
static void results(void **unused)
{
    (void)unused;
    lmb_model *model;
    lmb_rotor_found *r = find("examples/jeffcott/jeffcott.yaml", &model);
    lmb_result *of[2];
    assert_ok(lmb_rotor_to_memory(&of[0], context, r));
    assert_ok(lmb_rotor_save(context, r, scratch_path("rotor.h5")));
    assert_ok(lmb_result_open(&of[1], context, scratch_path("rotor.h5")));
    for (int k = 0; k < 2; k++) {
        lmb_series s;
        assert_ok(lmb_result_read(of[k], context, "campbell/mode1.frequency", &s));
        assert_int_equal(s.count, r->campbell.speeds);
        assert_string_equal(s.over.name, "speed");
        for (int i = 0; i < s.count; i++) {
            assert_same_number(s.time[i], r->campbell.speed[i]);
            assert_same_number(s.values[i], r->campbell.frequency[i * r->campbell.modes]);
        }
        lmb_series_free(&s);
        lmb_result_close(of[k]);
    }
    lmb_rotor_free(r);
    lmb_model_free(model);
}

static void mistakes(void **unused)
{
    (void)unused;
    lmb_model *model;
    lmb_rotor_found *r = find("examples/jeffcott/jeffcott.yaml", &model), *none = r;
    lmb_result *result;
    assert_int_equal(lmb_rotor_find(&none, NULL, model, NULL), LMB_USAGE);
    assert_null(none);
    assert_int_equal(lmb_rotor_find(NULL, context, model, NULL), LMB_USAGE);
    assert_int_equal(lmb_rotor_find(&none, context, NULL, NULL), LMB_USAGE);
    const double ratios[] = {-1, NAN, INFINITY, 1e6};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        assert_int_equal(lmb_rotor_find(&none, context, model, &(lmb_rotor_options){ratios[i]}),
                         LMB_USAGE);
    assert_int_equal(lmb_rotor_save(context, NULL, "x.h5"), LMB_USAGE);
    assert_int_equal(lmb_rotor_save(context, r, NULL), LMB_USAGE);
    assert_int_equal(lmb_rotor_save(context, r, "/nowhere/x.h5"), LMB_IO);
    assert_int_equal(lmb_rotor_to_memory(&result, context, NULL), LMB_USAGE);
    assert_null(result);
    lmb_rotor_free(NULL);
    lmb_rotor_free(r);
    lmb_model_free(model);
    lmb_spec *spec;
    assert_ok(lmb_spec_load(&spec, context, "examples/particles/particles.yaml"));
    assert_ok(lmb_model_compile(&model, context, spec));
    assert_int_equal(lmb_rotor_find(&none, context, model, NULL), LMB_BAD_INPUT);
    assert_message(context, "has no section 'rotor'");
    assert_message(context, "jeffcott");
    lmb_model_free(model);
    lmb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_program),
        cmocka_unit_test(results),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
