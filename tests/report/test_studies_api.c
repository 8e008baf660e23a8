/* Studies through the public interface: the numbers of the program to the last bit, files from
 * which reports are made, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "support.h"

static const char half_car[] = "examples/half-car/half-car.yaml";
static const char measured[] = "examples/pendulum-fit/pendulum-fit.yaml";

/* A swing whose length and mass are varied. */
static const char swing[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {l: 1, m: 2}\n"
    "bodies: {bob: {mass: m, inertia: 0.1, position: [l, 0], points: {O: [-l, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, bob.O]}}\n"
    "analyses: {swing: {type: dynamics, duration: 0.2, output_step: 0.02, "
    "integrator: generalized-alpha, step: 0.01}}\n"
    "objectives: {low: {final: bob.position.y}, pull: {max: pin.force.y}}\n"
    "studies:\n"
    "  grid: {type: sweep, vary: {l: [0.5, 1, 1.5], m: [1, 2]}}\n"
    "  play: {type: tolerance, vary: {l: {normal: [1, 0.01]}, m: {normal: [2, 0.1]}}, samples: "
    "6}\n";

static lmb_spec *load(const char *path)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_load(&spec, context, path));
    return spec;
}

/* What the program prints of a study as JSON. */
static lmb_run_result printed(const char *verb, const char *model, const char *study)
{
    lmb_run_result run = run_limber("%s %s --study %s --json --quiet --jobs 2 -o %s", verb, model,
                                    study, scratch_path("printed.h5"));
    assert_int_equal(run.code, 0);
    return run;
}

/* The number of a key behind a place in the text. */
static double at_key(const char *text, const char *place, const char *key)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\":", place);
    const char *found = strstr(text, quoted);
    assert_non_null(found);
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    return number_behind(found, quoted);
}

static void optimum(void **unused)
{
    (void)unused;
    lmb_spec *spec = load(half_car);
    lmb_run_result run = printed("optimise", half_car, "tight");
    lmb_optimum *o;
    assert_ok(lmb_optimise(&o, context, spec, &(lmb_study_options){.name = "tight", .jobs = 1}));
    assert_int_equal(o->variable_count, 2);
    for (int i = 0; i < o->variable_count; i++) {
        assert_same_number(o->x[i], at_key(run.out, "design", o->variables[i]));
        assert_same_number(o->start[i], at_key(run.out, "start", o->variables[i]));
    }
    for (int i = 0; i < o->objective_count; i++)
        assert_same_number(o->values[i], at_key(run.out, "values", o->objectives[i]));
    assert_int_equal(o->limit_count, 1);
    assert_true(o->limits[0].active);
    assert_same_number(o->limits[0].multiplier, at_key(run.out, "constraints", "multiplier"));
    assert_same_number(o->optimality, number_behind(run.out, "\"optimality\":"));
    assert_int_equal(o->trial_count, (int)number_behind(run.out, "\"trials\":"));
    /* the first trial is the design of the model */
    assert_same_number(o->trial_values[1], o->start_values[0]);
    assert_same_number(o->trial_values[1 + o->objective_count], o->start[0]);
    free_run(&run);
    lmb_optimum_free(o);
    lmb_spec_free(spec);
}

/* The file of a study is that of the program, with the sheet that a report shows. */
static void check_files(const char *ours, const char *theirs)
{
    lmb_result *a, *b;
    assert_ok(lmb_result_open(&a, context, ours));
    assert_ok(lmb_result_open(&b, context, theirs));
    assert_non_null(lmb_result_text(a, "sheet"));
    assert_string_equal(lmb_result_text(a, "sheet"), lmb_result_text(b, "sheet"));
    lmb_result_close(a);
    lmb_result_close(b);
}

static void fit(void **unused)
{
    (void)unused;
    lmb_spec *spec = load(measured);
    lmb_run_result run = printed("fit", measured, "swing");
    lmb_fitted *f;
    const char *path = scratch_path("kept.h5");
    assert_ok(lmb_fit(&f, context, spec, &(lmb_study_options){.path = path, .jobs = 1}));
    for (int i = 0; i < f->variable_count; i++) {
        assert_same_number(f->x[i], at_key(run.out, f->variables[i], "value"));
        assert_same_number(f->errors[i], at_key(run.out, f->variables[i], "error"));
    }
    assert_same_number(f->sum, number_behind(run.out, "\"sum_of_squares\":"));
    assert_same_number(f->series[0].rms_after, at_key(run.out, "columns", "rms"));
    check_files(path, scratch_path("printed.h5"));
    free_run(&run);
    lmb_fitted_free(f);
    lmb_spec_free(spec);
}

/* With a model that is compiled already, as without. */
static void sweep_and_tolerance(void **unused)
{
    (void)unused;
    const char *path = scratch_path("swing.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(swing, file);
    fclose(file);
    lmb_spec *spec = load(path);
    lmb_model *model;
    lmb_swept *s, *t;
    assert_ok(lmb_model_compile(&model, context, spec));
    assert_ok(lmb_sweep(&s, context, spec, &(lmb_study_options){.model = model, .jobs = 2}));
    lmb_run_result run = printed("sweep", path, "grid");
    assert_int_equal(s->count, 6);
    const char *at = run.out;
    for (int k = 0; k < s->count; k++) {
        assert_non_null(at = strstr(at, "\"values\":"));
        at = strchr(at, '[') + 1;
        assert_same_number(s->values[k * s->objective_count], strtod(at, NULL));
    }
    for (int i = 0; i < s->objective_count; i++)
        assert_same_number(s->scatters[i].mean,
                           at_key(strstr(run.out, "\"statistics\":"), s->objectives[i], "mean"));
    free_run(&run);
    assert_ok(lmb_tolerance(&t, context, spec, NULL));
    run = printed("tolerance", path, "play");
    for (int i = 0; i < t->objective_count; i++) {
        assert_same_number(t->nominal[i], at_key(run.out, t->objectives[i], "value"));
        assert_same_number(t->budget[i], at_key(run.out, t->objectives[i], "deviation"));
        assert_same_number(t->scatters[i].deviation, at_key(strstr(run.out, "\"statistics\":"),
                                                            t->objectives[i], "deviation"));
    }
    free_run(&run);
    lmb_swept_free(s);
    lmb_swept_free(t);
    lmb_model_free(model);
    lmb_spec_free(spec);
}

/* A call was refused, and the newest message has both pieces, in its text or in its hint. */
static void expect(lmb_status status, lmb_status expected, const char *piece, const char *hint)
{
    assert_int_equal(status, expected);
    assert_message(context, piece);
    assert_message(context, hint);
}

static void mistakes(void **unused)
{
    (void)unused;
    lmb_spec *spec = load(half_car);
    lmb_optimum *o = (lmb_optimum *)&o;
    lmb_swept *s;
    lmb_fitted *f;
    assert_int_equal(lmb_optimise(&o, NULL, spec, NULL), LMB_USAGE);
    assert_null(o);
    expect(lmb_optimise(NULL, context, spec, NULL), LMB_USAGE, "`out` is NULL", "");
    expect(lmb_fit(&f, context, NULL, NULL), LMB_USAGE, "`spec` is NULL", "");
    assert_null(f);
    expect(lmb_optimise(&o, context, spec, NULL), LMB_USAGE, "2 studies", "soft, tight");
    expect(lmb_optimise(&o, context, spec, &(lmb_study_options){.name = "sofd"}), LMB_USAGE, "sofd",
           "soft");
    expect(lmb_optimise(&o, context, spec, &(lmb_study_options){.name = "dampers"}), LMB_USAGE,
           "type sweep", "limber sweep");
    expect(lmb_fit(&f, context, spec, NULL), LMB_BAD_INPUT, "no study of type fit", "studies:");
    expect(lmb_sweep(&s, context, spec, &(lmb_study_options){.jobs = -1}), LMB_USAGE, "threads",
           "");
    expect(lmb_sweep(&s, context, spec, &(lmb_study_options){.resume = true}), LMB_USAGE,
           "cannot be resumed", "file");
    expect(lmb_sweep(&s, context, spec, &(lmb_study_options){.path = "/nowhere/x.h5"}), LMB_IO,
           "/nowhere", "");
    assert_null(s);
    lmb_optimum_free(NULL);
    lmb_fitted_free(NULL);
    lmb_swept_free(NULL);
    lmb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimum),
        cmocka_unit_test(fit),
        cmocka_unit_test(sweep_and_tolerance),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
