/* Envelopes of stresses and participation of modes over a part of an analysis: against the channels
 * of the same instants. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "program.h"
#include "result/write.h"
#include "support.h"

/* A beam that is dropped into its weight and swings, damped so that its first swing is largest. */
static const char model[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  beam:\n"
    "    beam: {from: [0, 0], to: [1, 0], elements: 4, section: {rectangle: {width: 0.01, height: "
    "0.01}}, material: steel}\n"
    "    interfaces: {A: start, B: end}\n"
    "    reduction: {modes: 4}\n"
    "    damping: {stiffness: 2e-3}\n"
    "joints: {clamp: {type: fixed, between: [ground, beam.A]}}\n"
    "analyses:\n"
    "  rest: {type: statics}\n"
    "  swing: {type: dynamics, duration: 0.5, output_step: 0.005}\n";

static const char *write_model(void)
{
    const char *path = scratch_path("beam.yaml");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(model, out);
    fclose(out);
    return path;
}

/* The largest number of a channel and its time in a span. */
static double largest(lmb_result *r, const char *channel, int component, double from, double to,
                      double *when)
{
    lmb_series s;
    double most = -1;
    assert_ok(lmb_result_read(r, context, channel, &s));
    for (int i = 0; i < s.count; i++) {
        double x = fabs(s.values[i * s.size + component]);
        if (s.time[i] > from - 1e-9 && s.time[i] < to + 1e-9 && x > most) {
            most = x;
            *when = s.time[i];
        }
    }
    lmb_series_free(&s);
    return most;
}

static double *array(lmb_result *r, int analysis, const char *name, int *count)
{
    double *x = lmb_record_array(r, analysis, "beam", name, count);
    assert_non_null(x);
    return x;
}

/* The same numbers, exactly: both are computed from the stored rows. */
static void check_span(const char *options, double from, double to)
{
    const char *path = scratch_path("beam.h5");
    lmb_result *r;
    int nodes, modes, count;
    double most = 0, at = 0, when;
    check_run(run_limber("run %s --quiet -o %s %s", write_model(), path, options), 0, "");
    assert_ok(lmb_result_open(&r, context, path));
    double *stress = array(r, 1, "envelope/stress", &nodes);
    double *time = array(r, 1, "envelope/time", &count);
    for (int i = 0; i < nodes; i++)
        if (stress[i] > most) {
            most = stress[i];
            at = time[i];
        }
    assert_close(most / largest(r, "swing/beam.stress.max", 0, from, to, &when), 1, 1e-15);
    assert_close(at, when, 0);
    free(stress);
    free(time);
    double *amplitude = array(r, 1, "participation/amplitude", &modes);
    double *then = array(r, 1, "participation/time", &count);
    for (int k = 0; k < modes; k++) {
        assert_close(amplitude[k], largest(r, "swing/beam.modes", k, from, to, &when), 0);
        assert_close(then[k], when, 0);
    }
    free(amplitude);
    free(then);
    /* what is not over time counts in any case */
    free(array(r, 0, "envelope/stress", &nodes));
    lmb_result_close(r);
}

static void envelopes_are_those_of_a_span(void **unused)
{
    (void)unused;
    check_span("", 0, 0.5);
    check_span("--from 0.2", 0.2, 0.5);
    check_span("--from 0.2 --to 0.315", 0.2, 0.315);
    check_run(run_limber("participation %s", scratch_path("beam.h5")), 0,
              "from t = 0.2 to 0.315\nbeam\n");
    check_span("--to 0.03", 0, 0.03);
}

static void empty_spans_are_refused(void **unused)
{
    (void)unused;
    const char *path = write_model();
    check_run(run_limber("run %s --from 0.6", path), 3, "no analysis has instants from t = 0.6 on");
    check_run(run_limber("run %s --from 0.011 --to 0.012", path), 3, "no analysis has instants");
    check_run(run_limber("run %s --from 0.2 --to 0.1", path), 2, "is after --to 0.1");
    check_run(run_limber("run %s --analysis rest --to 0.1", path), 3, "no analysis has instants");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(envelopes_are_those_of_a_span),
                                       cmocka_unit_test(empty_spans_are_refused)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
