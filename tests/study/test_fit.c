/* Fits with known answers: the example, a linkage from its path, and lines, whose least squares are
 * in closed form. */
#include "studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gradients.h"
#include "program.h"
#include "strip.h"
#include "support.h"

static double value_in(const lmb_fitted *f, const char *name)
{
    return f->x[unknown_of(f, name)];
}

static double error_in(const lmb_fitted *f, const char *name)
{
    return f->errors[unknown_of(f, name)];
}

/* --- the pendulum ----------------------------------------------------------------------------- */

/* The fit of the exact motion to swing.csv. Errors e of the motion are differences of 1e-2 to which
 * they add: a part e / 1e-2 of what is found. With a tolerance of 1e-12, and derivatives by
 * differences which are exact enough for the end, 1e-9; standard errors are known to six digits. */
static void the_pendulum(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double value, error;
    } known[] = {{"L", 0.9996217109320, 0.00134991},
                 {"c", 0.1997253982217, 0.00155425},
                 {"theta0", -0.5014457577835, 0.00280538}};
    char folder[1000], end[1500];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(
        end, sizeof end,
        "analyses: {swing: {type: dynamics, duration: 2, output_step: 0.01, tolerance: "
        "1e-12}}\n"
        "studies: {swing: {type: fit, measured: '%s/examples/pendulum-fit/swing.csv', columns: "
        "{theta: theta}, vary: [L, c, theta0]}}\n",
        folder);
    char *text = example_text("pendulum-fit", end);
    lmb_fitted *f = fit_of(text, NULL, NULL);
    assert_int_equal(f->end, LMB_SQUARES_CONVERGED);
    assert_int_equal(f->value_count, 41);
    assert_true(f->told_apart);
    for (int i = 0; i < 3; i++) {
        assert_close(value_in(f, known[i].name), known[i].value, 1e-9);
        assert_true(fabs(error_in(f, known[i].name) / known[i].error - 1) <= 5e-6);
    }
    assert_true(fabs(f->sum / 0.001979742048028 - 1) <= 1e-9);
    /* s of the residuals, and each of them */
    double sum = 0;
    const lmb_fit_series *s = &f->series[0];
    for (int i = 0; i < s->count; i++)
        sum += pow(s->after[i] - s->y[i], 2);
    assert_close(sum / f->sum, 1, 1e-12);
    assert_close(s->rms_after, sqrt(sum / 41), 1e-15);
    assert_int_equal(warning_count(), 0);
    lmb_fitted_free(f);
    free(text);
}

/* --- a linkage from its path ------------------------------------------------------------------ */

/* Where the coupler point of a four-bar is: crank a from (0, 0), coupler b, rocker c from (d, 0),
 * open; P at (u, v) from B along BC and across. */
typedef struct linkage {
    double a, b, c, d, u, v;
} linkage;

static void path_of(const linkage *l, double angle, double *x, double *y)
{
    double bx = l->a * cos(angle), by = l->a * sin(angle), ex = l->d - bx, ey = -by;
    double e = hypot(ex, ey);
    double along = (l->b * l->b - l->c * l->c + e * e) / (2 * e),
           across = sqrt(l->b * l->b - along * along);
    double cx = (along * ex - across * ey) / (e * l->b),
           cy = (along * ey + across * ex) / (e * l->b);
    *x = bx + l->u * cx - l->v * cy;
    *y = by + l->u * cy + l->v * cx;
}

static const char four_bar[] =
    "limber: 1\n"
    "dimension: 2\n"
    "parameters: {a: 0.12, b: 0.28, c: 0.27, d: 0.33, u: 0.13, v: 0.12}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 1, points: {B: [a, 0]}}\n"
    "  coupler: {mass: 1, inertia: 1, position: [a, 0], angle: 50*deg, points: {C: [b, 0], P: [u, "
    "v]}}\n"
    "  rocker: {mass: 1, inertia: 1, position: [d, 0], angle: 110*deg, points: {C: [c, 0]}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground, crank]}\n"
    "  B: {type: revolute, between: [crank.B, coupler]}\n"
    "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
    "  D: {type: revolute, between: [[d, 0], rocker]}\n"
    "drivers: {motor: {joint: O, angle: 2*pi*t}}\n"
    "analyses: {turn: {type: kinematics, duration: 1, output_step: 1/36}}\n"
    "studies: {path: {type: fit, measured: path.csv, columns: {x: coupler.P.position.x, y: "
    "coupler.P.position.y}, vary: [a, b, c, d, u, v]}}\n";

/* 36 places of the path, without errors: all six lengths come back. Positions are found to
 * rounding, S ends where nothing is left of it, and the last step is below 1e-9 of each; from the
 * start the mean square of the distances is known. */
static void a_linkage_comes_back_from_its_path(void **unused)
{
    (void)unused;
    static const linkage target = {0.1, 0.3, 0.25, 0.35, 0.15, 0.1},
                         begun = {0.12, 0.28, 0.27, 0.33, 0.13, 0.12};
    static const char *const names[] = {"a", "b", "c", "d", "u", "v"};
    const double expected[] = {target.a, target.b, target.c, target.d, target.u, target.v};
    FILE *file = fopen(scratch_path("path.csv"), "w");
    assert_non_null(file);
    fprintf(file, "time (s),x (m),y (m)\n");
    double mean = 0;
    for (int k = 0; k < 36; k++) {
        double x, y, x0, y0, angle = k * acos(-1) / 18;
        path_of(&target, angle, &x, &y);
        path_of(&begun, angle, &x0, &y0);
        fprintf(file, "%.17g,%.17g,%.17g\n", k / 36., x, y);
        mean += ((x - x0) * (x - x0) + (y - y0) * (y - y0)) / 36;
    }
    assert_int_equal(fclose(file), 0);
    assert_close(mean, 0.0030430860959152, 1e-15); /* the paths here are those that were meant */
    lmb_fitted *f = fit_of(four_bar, NULL, NULL);
    assert_int_equal(f->end, LMB_SQUARES_CONVERGED);
    assert_int_equal(f->value_count, 72);
    assert_close(f->start_sum / 36, 0.0030430860959152, 1e-14);
    for (int i = 0; i < 6; i++)
        assert_close(value_in(f, names[i]), expected[i], 1e-8);
    assert_true(f->sum <= 72 * 1e-24); /* places to 1e-12 */
    assert_true(f->told_apart);
    lmb_fitted_free(f);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A particle that is moved along x by a + b t: a fit of a line. */
#define LINE                                                                                       \
    "limber: 1\n"                                                                                  \
    "dimension: 2\n"                                                                               \
    "parameters: {a: 0.3, b: 0.5, e: 2}\n"                                                         \
    "bodies:\n"                                                                                    \
    "  p: {type: particle, mass: 1}\n"                                                             \
    "  w: {mass: 1, inertia: 1}\n"                                                                 \
    "joints: {pin: {type: revolute, between: [ground, w]}}\n"                                      \
    "drivers:\n"                                                                                   \
    "  along: {point: p, direction: x, offset: a + b*t}\n"                                         \
    "  up: {point: p, direction: y, offset: 0.25*b*e*t}\n"                                         \
    "  turn: {joint: pin, angle: a + b*t}\n"                                                       \
    "analyses:\n"                                                                                  \
    "  move: {type: kinematics, duration: 4, output_step: 0.5}\n"                                  \
    "  rest: {type: assembly}\n"                                                                   \
    "studies:\n"

/* 1, 2.5, 2, 4.5, 5 at t = 0 ... 4: 1 + 1 t, S = 1.5, s^2 = 1/2; variances s^2 (1/5 + 4/10) and
 * s^2 / 10, correlation -2 / sqrt(6). See tests/math/test_least_squares.c. What the end of the
 * search leaves is below 1e-7 standard errors; derivatives of places are exact to 1e-9. */
#define LEFT 1e-7

static void check_line(const lmb_fitted *f)
{
    assert_int_equal(f->end, LMB_SQUARES_CONVERGED);
    assert_close(value_in(f, "a"), 1, LEFT);
    assert_close(value_in(f, "b"), 1, LEFT);
    assert_close(f->sum, 1.5, 1e-12);
    assert_close(error_in(f, "a"), sqrt(0.3), 1e-8);
    assert_close(error_in(f, "b"), sqrt(0.05), 1e-8);
    assert_close(f->correlations[1], -2 / sqrt(6), 1e-8);
    assert_int_equal(f->value_count, 5);
    assert_true(f->told_apart && !f->held[0] && !f->held[1]);
}

#define LINE_CSV "time (s),x (m)\n0,1\n1,2.5\n2,2\n3,4.5\n4,5\n"

static void a_line(void **unused)
{
    (void)unused;
    write_text(scratch_path("line.csv"), LINE_CSV);
    lmb_fitted *f = fit_of(LINE "  s: {type: fit, of: move, measured: line.csv, columns: {x: "
                                "p.position.x}, vary: [a, b]}\n",
                           NULL, NULL);
    check_line(f);
    /* before: 0.3 + 0.5 t, 0.7^2 + 1.7^2 + 0.7^2 + 2.7^2 + 2.7^2 */
    assert_close(f->start_sum, 18.45, 1e-13);
    assert_close(f->series[0].rms_before, sqrt(18.45 / 5), 1e-13);
    assert_int_equal(warning_count(), 0);
    lmb_fitted_free(f);
}

/* The same numbers in other clothes: minus the channel, with decimal commas, as degrees, at other
 * times, without times, with gaps and with values beyond the analysis. */
static void measurements_are_read_in_many_ways(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *study;
    } ways[] = {
        {"time (s),x (m)\n0,-1\n1,-2.5\n2,-2\n3,-4.5\n4,-5\n", "columns: {x: -p.position.x}"},
        {"time (s);x (m)\n0,0;1,0\n1,0;2,5\n2,0;2,0\n3,0;4,5\n4,0;5,0\n",
         "columns: {x: p.position.x}"},
        {"time (s)\tx (m)\n0,0\t1,0\n1,0\t2,5\n2,0\t2,0\n3,0\t4,5\n4,0\t5,0\n",
         "columns: {x: p.position.x}, decimal_comma: true"},
        {"time (s),x (mm)\n0,1000\n1,2500\n2,2000\n3,4500\n4,5000\n", "columns: {x: p.position.x}"},
        {"time (ms),x (m)\n0,1\n1000,2.5\n2000,2\n3000,4.5\n4000,5\n",
         "columns: {x: p.position.x}"},
        {"time (s),x (m)\n10.5,1\n11.5,2.5\n12.5,2\n13.5,4.5\n14.5,5\n",
         "columns: {x: p.position.x}, shift: -10.5"},
        {"x (m)\n1\n2.5\n2\n4.5\n5\n", "columns: {x: p.position.x}, rate: 1"},
        {"time (s),y,p.position.x (m)\n0,7,1\n0.5,7,\n1,7,2.5\n2,7,2\n3,7,4.5\n4,7,5\n",
         "columns: [p.position.x]"},
        {"time (s),x (m)\n-1,100\n0,1\n1,2.5\n2,2\n3,4.5\n4,5\n4.5,100\n5,100\n",
         "columns: {x: p.position.x}"},
        {"time (s),angle (rad)\n0,1\n1,2.5\n2,2\n3,4.5\n4,5\n", "columns: {angle: w.angle}"},
        {"time (s),angle (deg)\n0,57.295779513082323\n1,143.23944878270581\n"
         "2,114.59155902616465\n3,257.83100780887044\n4,286.47889756541161\n",
         "columns: {angle: w.angle}"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[2000];
        write_text(scratch_path("line.csv"), ways[i].text);
        snprintf(text, sizeof text,
                 LINE "  s: {type: fit, of: move, measured: line.csv, vary: [a, b], %s}\n",
                 ways[i].study);
        lmb_fitted *f = fit_of(text, NULL, NULL);
        check_line(f);
        bool beyond = strstr(ways[i].text, "100\n5,") != NULL;
        assert_int_equal(warning_count(), beyond);
        if (beyond)
            assert_true(was_said("3 of 8 values of column 'x' are outside of analysis 'move'"));
        lmb_fitted_free(f);
    }
}

/* Two columns of the same: a = (w1 sum u + w2 sum v) / (5 w1 + 5 w2) with the variance
 * S / (10 - 1) / (5 w1 + 5 w2). u has the mean 3 and the square sum 11.5 about it, v is 1 more. */
static void weights(void **unused)
{
    (void)unused;
    write_text(scratch_path("two.csv"),
               "time (s),u (m),v (m)\n0,1,2\n1,2.5,3.5\n2,2,3\n3,4.5,5.5\n4,5,6\n");
    static const double w[][2] = {{1, 1}, {3, 1}, {4, 400}};
    for (int i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 LINE "  s: {type: fit, of: move, measured: two.csv, vary: [a], columns: {u: "
                      "p.position.x, v: p.position.x}, weights: {u: %g, v: %g}}\n",
                 w[i][0], w[i][1]);
        lmb_fitted *f = fit_of(text, NULL, "b=0");
        double all = w[i][0] + w[i][1], a = 3 + w[i][1] / all;
        double S = all * 11.5 + 5 * w[i][0] * pow(a - 3, 2) + 5 * w[i][1] * pow(a - 4, 2);
        assert_close(value_in(f, "a"), a, LEFT);
        assert_close(f->sum, S, 1e-12);
        assert_close(error_in(f, "a"), sqrt(S / 9 / (5 * all)), 1e-8);
        assert_int_equal(f->value_count, 10);
        lmb_fitted_free(f);
    }
}

/* A slope of 0.8 at most: a = 3 - 2 * 0.8, S = 1.9. */
static void a_bound_holds(void **unused)
{
    (void)unused;
    write_text(scratch_path("line.csv"), LINE_CSV);
    lmb_fitted *f = fit_of(LINE "  s: {type: fit, of: move, measured: line.csv, columns: {x: "
                                "p.position.x}, vary: {a: , b: [-1, 0.8]}}\n",
                           NULL, NULL);
    assert_true(value_in(f, "b") == 0.8 && f->held[1] && !f->held[0]);
    assert_close(value_in(f, "a"), 1.4, LEFT);
    assert_close(f->sum, 1.9, 1e-12);
    assert_close(error_in(f, "a"), sqrt(1.9 / 4 / 5), 1e-8);
    assert_true(error_in(f, "b") == 0);
    assert_true(was_said("'b' is held at its bound 0.8"));
    lmb_fitted_free(f);
    lmb_spec *spec = study_spec(LINE "  s: {type: fit, of: move, measured: line.csv, columns: {x: "
                                     "p.position.x}, vary: {a: , b: [-1, 0.8]}}\n",
                                "b=3");
    assert_int_equal(lmb_fit(&f, context, spec, &(lmb_study_options){.jobs = 1}), LMB_BAD_INPUT);
    assert_true(was_said("the fit begins with b = 3, outside of its bounds -1 and 0.8"));
    lmb_spec_free(spec);
}

/* An unknown that becomes 0, or begins there, still has derivatives: 0 + 1 t. */
static void an_unknown_that_is_0(void **unused)
{
    (void)unused;
    write_text(scratch_path("line.csv"), "time (s),x (m)\n0,0\n1,1.5\n2,1\n3,3.5\n4,4\n");
    static const char *const starts[] = {NULL, "a=0", "a=-1e-3", "a=0 b=0"};
    static const char *const varied[] = {"[a, b]", "{a: [-1, 1], b: [-5, 5]}"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (int k = 0; k < 2; k++) {
            char text[2000];
            snprintf(text, sizeof text,
                     LINE "  s: {type: fit, of: move, measured: line.csv, columns: {x: "
                          "p.position.x}, vary: %s}\n",
                     varied[k]);
            lmb_fitted *f = fit_of(text, NULL, starts[i]);
            assert_int_equal(f->end, LMB_SQUARES_CONVERGED);
            assert_close(value_in(f, "a"), 0, LEFT);
            assert_close(value_in(f, "b"), 1, LEFT);
            assert_close(error_in(f, "a"), sqrt(0.3), 1e-6);
            assert_close(error_in(f, "b"), sqrt(0.05), 1e-6);
            lmb_fitted_free(f);
        }
}

/* The slope along y is b e / 4: only the product is told, 40 / 30 * 4. */
static void parameters_that_cannot_be_told_apart(void **unused)
{
    (void)unused;
    write_text(scratch_path("line.csv"), LINE_CSV);
    lmb_fitted *f = fit_of(LINE "  s: {type: fit, of: move, measured: line.csv, columns: {x: "
                                "p.position.y}, vary: [b, e]}\n",
                           NULL, NULL);
    assert_false(f->told_apart);
    assert_close(value_in(f, "b") * value_in(f, "e"), 16. / 3, 1e-6);
    assert_close(f->direction[0], -f->direction[1], 1e-6);
    assert_true(was_said("does not tell all parameters apart"));
    lmb_fitted_free(f);
}

/* Stops after so many runs. */
static bool stop_after(void *user, const char *what, double fraction)
{
    const char *runs = strchr(what, ':');
    (void)fraction;
    return runs && atoi(runs + 1) >= *(int *)user;
}

/* A fit that was interrupted goes on from the best that it had. */
static void a_fit_goes_on(void **unused)
{
    (void)unused;
    static const char text[] = LINE "  s: {type: fit, of: move, measured: line.csv, columns: {x: "
                                    "p.position.x}, vary: [a, b]}\n";
    write_text(scratch_path("line.csv"), LINE_CSV);
    lmb_spec *spec = study_spec(text, NULL);
    lmb_study_options options = {.path = scratch_path("fit.h5"), .jobs = 1, .unshown = true};
    lmb_fitted *f;
    assert_ok(lmb_fit(&f, context, spec, &options));
    int runs = f->run_count;
    lmb_fitted_free(f);
    for (int last = 1; last < runs; last += 3) {
        options.resume = false;
        lmb_context_on_progress(context, stop_after, &last);
        assert_int_equal(lmb_fit(&f, context, spec, &options), LMB_SOLVER);
        lmb_context_on_progress(context, NULL, NULL);
        assert_null(f);
        options.resume = true;
        assert_ok(lmb_fit(&f, context, spec, &options));
        check_line(f);
        assert_close(f->start_sum, 18.45, 1e-13); /* of the model as it is */
        assert_true(f->run_count <= runs);
        lmb_fitted_free(f);
    }
    lmb_spec_free(spec);
}

static void what_is_missing_is_told(void **unused)
{
    (void)unused;
    static const struct {
        const char *study, *said;
        lmb_status status;
    } cases[] = {
        {"measured: line.csv, columns: {z: p.position.x}, vary: [a]", "has no column 'z'",
         LMB_BAD_INPUT},
        {"measured: none.csv, columns: {x: p.position.x}, vary: [a]", "none.csv", LMB_IO},
        {"measured: line.csv, columns: {x: p.position.x}, vary: [a], shift: 50",
         "has no values from t = 0 to 4 s", LMB_BAD_INPUT},
        {"measured: line.csv, columns: {x: p.position.x}, vary: [a, b, e], shift: 3",
         "2 values cannot tell 3 parameters", LMB_BAD_INPUT},
        {"measured: bare.csv, columns: {x: p.position.x}, vary: [a]", "has no column of times",
         LMB_BAD_INPUT},
    };
    write_text(scratch_path("line.csv"), LINE_CSV);
    write_text(scratch_path("bare.csv"), "x (m)\n1\n2\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        lmb_fitted *f;
        snprintf(text, sizeof text, LINE "  s: {type: fit, of: move, %s}\n", cases[i].study);
        lmb_spec *spec = study_spec(text, NULL);
        lmb_status status = lmb_fit(&f, context, spec, &(lmb_study_options){.jobs = 1});
        if (status != cases[i].status || !was_said(cases[i].said))
            fail_msg("case %d: status %d, '%s'", (int)i, status,
                     lmb_message_count(context) ? lmb_message_at(context, 0)->text : "");
        assert_null(f);
        lmb_spec_free(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pendulum),
        cmocka_unit_test(a_linkage_comes_back_from_its_path),
        cmocka_unit_test(a_line),
        cmocka_unit_test(measurements_are_read_in_many_ways),
        cmocka_unit_test(weights),
        cmocka_unit_test(a_bound_holds),
        cmocka_unit_test(an_unknown_that_is_0),
        cmocka_unit_test(parameters_that_cannot_be_told_apart),
        cmocka_unit_test(a_fit_goes_on),
        cmocka_unit_test(what_is_missing_is_told),
    };
    return cmocka_run_group_tests_name("fits", tests, open_models, close_models);
}
