/* Gradients of motions by ali3p with each projection: the direct and the adjoint method find the
 * same, and what differences of whole motions with the same steps find. A five-bar with springs, a
 * slider-crank under a torque, a flexible arm, friction that depends on reactions,
 * redundant rows; fixed steps and steps that follow a tolerance.
 *
 * Tolerances: both methods are sums of the same products over some hundred steps, 1e-11;
 * without projection the rounding of positions, 4/h^2 times as large in accelerations, adds up and
 * never fades: longer steps, and 1e-9. Differences of fourth order over a thousandth of a parameter
 * are exact to about 1e-12 times what the motion makes of it, 1e-7 at most. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradients.h"
#include "models.h"
#include "study/gradient.h"
#include "support.h"

static const char five_bar[] =
    "limber: 1\ndimension: 2\ngravity: [0, -g]\n"
    "parameters: {g: 9.81, k1: 100, k2: 100, L01: 2.23606797749979, L02: 2.8284271247461903, a: "
    "0.5}\n"
    "bodies:\n"
    "  r1: {shape: {bar: {length: 'norm([a, 1])'}}, mass: 1, position: [0.25, 0.5],"
    " angle: 'atan2(1, 0.5)', points: {A: ['-norm([a, 1])/2', 0], P1: ['norm([a, 1])/2', "
    "0]}}\n" FIVE_BAR_REST
    "analyses: {move: {type: dynamics, duration: 0.5, output_step: 0.01, %s}}\n"
    "objectives:\n"
    "  way: {integral: '(r2.P2.position.x - 1)^2 + (r2.P2.position.y - 2)^2'}\n"
    "  speed: {final: r2.P2.velocity.y}\n"
    "  jolt: {rms: r3.acceleration.y}\n"
    "  pull: {integral: 'A.force.x^2 + A.force.y^2'}\n";

static const char slider_crank[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "parameters: {r: 0.15, l: 0.4, m2: 1.5, c: 5, T: 6}\n"
    "bodies:\n"
    "  crank: {shape: {bar: {length: r}}, mass: 1, position: ['r/2*cos(0.6)', 'r/2*sin(0.6)'],"
    " angle: 0.6, points: {O: [-r/2, 0], B: [r/2, 0]}}\n"
    "  rod: {shape: {bar: {length: l}}, mass: m2, position: [r + l/2, 0],"
    " points: {B: [-l/2, 0], C: [l/2, 0]}}\n"
    "  slider: {shape: {box: {size: [0.06, 0.04]}}, mass: 2, position: [r + l, 0]}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, crank.O]}\n"
    "  pin: {type: revolute, between: [crank.B, rod.B]}\n"
    "  wrist: {type: revolute, between: [rod.C, slider]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "forces:\n"
    "  push: {type: motor, joint: main, effort: T}\n"
    "  drag: {type: motor, joint: guide, effort: -c*speed}\n"
    "analyses: {turn: {type: dynamics, duration: 0.2, output_step: 0.01, %s}}\n"
    "objectives:\n"
    "  way: {integral: slider.position.x^2}\n"
    "  force: {final: main.force.x}\n"
    "  work: {final: energy.supplied}\n";

static const char rubbing[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "parameters: {mu: 0.2, T: 6}\n"
    "bodies:\n"
    "  crank: {shape: {bar: {length: 0.15}}, mass: 1, position: ['0.075*cos(0.6)',"
    " '0.075*sin(0.6)'], angle: 0.6, points: {O: [-0.075, 0], B: [0.075, 0]}}\n"
    "  rod: {shape: {bar: {length: 0.4}}, mass: 1.5, position: [0.35, 0],"
    " points: {B: [-0.2, 0], C: [0.2, 0]}}\n"
    "  slider: {shape: {box: {size: [0.06, 0.04]}}, mass: 2, position: [0.55, 0]}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, crank.O]}\n"
    "  pin: {type: revolute, between: [crank.B, rod.B]}\n"
    "  wrist: {type: revolute, between: [rod.C, slider]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "forces:\n"
    "  push: {type: motor, joint: main, effort: T}\n"
    "  press: {type: force, at: slider, force: [0, -300]}\n" /* the reaction keeps its sign */
    "  rub: {type: friction, joint: guide, coefficient: mu, stick_speed: 1}\n"
    "  rub2: {type: friction, joint: pin, coefficient: mu, radius: 0.02, stick_speed: 1}\n"
    "analyses: {turn: {type: dynamics, duration: 0.2, output_step: 0.01, %s}}\n"
    "objectives:\n"
    "  way: {integral: slider.position.x^2}\n"
    "  speed: {final: slider.velocity.x}\n"
    "  force: {mean: main.force.x}\n";

static const char arm[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -g]\n"
    "parameters: {g: 9.81, m: 1, k: 20, w: 0.5}\n"
    "bodies:\n"
    "  arm:\n"
    "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 10,"
    " section: {rectangle: {width: 0.03, height: 0.01}}, material: steel}\n"
    "    interfaces: {pivot: start, end: end}\n"
    "    reduction: {modes: 4}\n"
    "    damping: 0.005\n"
    "  tip: {mass: m, inertia: [0.01, 0.01, 0.01], position: [1.1, 0, 0],"
    " angular_velocity: [0, 0, 0], points: {o: [-0.1, 0, 0]}}\n"
    "joints:\n"
    "  hinge: {type: universal, between: [ground, arm.pivot], axis: [0, 1, 0], axis_b: [0, 0, 1]}\n"
    "  wrist: {type: revolute, between: [arm.end, tip.o], axis: [0, 1, 0]}\n"
    "forces: {coil: {type: spring, between: [[0, 0, 1], tip.o], stiffness: k, length: w}}\n"
    "analyses: {fall: {type: dynamics, duration: 0.2, output_step: 0.01, %s}}\n"
    "objectives:\n"
    "  way: {integral: tip.position.z^2}\n"
    "  force: {mean: hinge.force.z}\n";

/* Bricard's mechanism: one of thirty rows is redundant. */
static const char bricard[] =
    "limber: 1\ndimension: 3\ngravity: [0, -g, 0]\n"
    "parameters: {g: 9.81, m: 1, i: 0.02/12, j: 1.01/12}\n"
    "bodies:\n"
    "  rod1: {mass: 1, inertia: [i, j, j], position: [0.5, 0, 0],"
    " points: {p: [-0.5, 0, 0], q: [0.5, 0, 0]}}\n"
    "  rod2: {mass: m, inertia: [j, i, j], position: [1, -0.5, 0],"
    " points: {p: [0, 0.5, 0], q: [0, -0.5, 0]}}\n"
    "  rod3: {mass: 1, inertia: [j, j, i], position: [1, -1, 0.5],"
    " points: {p: [0, 0, -0.5], q: [0, 0, 0.5]}}\n"
    "  rod4: {mass: 1, inertia: [i, j, j], position: [0.5, -1, 1],"
    " points: {p: [0.5, 0, 0], q: [-0.5, 0, 0]}}\n"
    "  rod5: {mass: 1, inertia: [j, i, j], position: [0, -0.5, 1],"
    " points: {p: [0, -0.5, 0], q: [0, 0.5, 0]}}\n"
    "joints:\n"
    "  hinge1: {type: revolute, between: [ground, rod1.p], axis: [0, 1, 0]}\n"
    "  hinge2: {type: revolute, between: [rod1.q, rod2.p], axis: [0, 0, 1]}\n"
    "  hinge3: {type: revolute, between: [rod2.q, rod3.p], axis: [1, 0, 0]}\n"
    "  hinge4: {type: revolute, between: [rod3.q, rod4.p], axis: [0, 1, 0]}\n"
    "  hinge5: {type: revolute, between: [rod4.q, rod5.p], axis: [0, 0, 1]}\n"
    "  hinge6: {type: revolute, between: [[0, 0, 1], rod5.q], axis: [1, 0, 0]}\n"
    "%s"
    "objectives:\n"
    "  place: {final: rod2.q.position.x}\n";

/* One gradient of a model in a text with a place for the options of its analysis; NULL: refused. */
static lmb_gradient *gradient_of(const char *text, const char *options, lmb_gradient_method method)
{
    char whole[8000];
    lmb_spec *spec;
    lmb_gradient *g;
    lmb_gradient_request request = {.method = method};
    assert_true(snprintf(whole, sizeof whole, text, options) < (int)sizeof whole);
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", whole));
    lmb_status status = lmb_gradient_find(&g, context, spec, &request);
    lmb_spec_free(spec);
    return status ? NULL : g;
}

/* Derivatives agree to a part of the largest effect, by a change of the parameter of its own size,
 * that any of them has on the objective. */
static void assert_same(const char *options, const lmb_gradient *x, const lmb_gradient *y,
                        double part)
{
    assert_int_equal(x->objective_count, y->objective_count);
    for (int o = 0; o < x->objective_count; o++) {
        double size = 0;
        const double *dx = x->derivatives + o * x->parameter_count;
        const double *dy = y->derivatives + o * y->parameter_count;
        for (int p = 0; p < x->parameter_count; p++)
            size = fmax(size, fabs(dy[p] * y->parameter_values[p]));
        assert_true(size > 0);
        for (int p = 0; p < x->parameter_count; p++) {
            double off = fabs((dx[p] - dy[p]) * y->parameter_values[p]) / size;
            if (getenv("LIMBER_SHOW"))
                printf("%s: d%s/d%s = %.15g, off by %.2g\n", options, x->objectives[o],
                       x->parameters[p], dx[p], off);
            if (!(off <= part))
                fail_msg("%s: d%s/d%s = %.15g and %.15g (%s)", options, x->objectives[o],
                         x->parameters[p], dx[p], dy[p], lmb_gradient_methods[y->methods[o]]);
        }
    }
}

/* All methods with one kind of steps; `same`: how well the adjoint method finds what the direct one
 * does, 0 where it is refused. */
static void check(const char *text, const char *options, double same, double part)
{
    lmb_gradient *direct = gradient_of(text, options, LMB_GRADIENT_DIRECT);
    if (!direct)
        assert_ok(LMB_SOLVER); /* says why */
    lmb_gradient *back = gradient_of(text, options, LMB_GRADIENT_ADJOINT);
    if (same == 0)
        assert_message(context, "has no adjoint");
    assert_int_equal(back != NULL, same > 0);
    lmb_gradient *differences = gradient_of(text, options, LMB_GRADIENT_DIFFERENCES);
    assert_non_null(differences);
    if (back)
        assert_same(options, direct, back, same);
    assert_same(options, direct, differences, part);
    lmb_gradient_free(direct);
    lmb_gradient_free(back);
    lmb_gradient_free(differences);
}

/* Fixed steps with each projection. */
static void check_projections(const char *text)
{
    check(text, "integrator: ali3p, projection: full, step: 1e-3", 0, 1e-7);
    check(text, "integrator: ali3p, projection: mass, step: 1e-3", 1e-11, 1e-7);
    check(text, "integrator: ali3p, projection: none, step: 5e-3", 1e-9, 1e-7);
}

static void five_bars(void **unused)
{
    (void)unused;
    check_projections(five_bar);
}

/* Steps of many lengths. */
static void controlled_steps(void **unused)
{
    (void)unused;
    check(five_bar, "integrator: ali3p, projection: full, tolerance: 1e-6", 0, 1e-7);
    check(five_bar, "integrator: ali3p, projection: mass, tolerance: 1e-6", 1e-11, 1e-7);
}

static void slider_cranks(void **unused)
{
    (void)unused;
    check_projections(slider_crank);
}

static void flexible_arms(void **unused)
{
    (void)unused;
    check_projections(arm);
}

/* Forces depend on reactions: U is not Phi_q^T, whatever P is. */
static void frictions(void **unused)
{
    (void)unused;
    check(rubbing, "integrator: ali3p, projection: full, step: 1e-3", 0, 1e-7);
    check(rubbing, "integrator: ali3p, projection: mass, step: 1e-3", 0, 1e-7);
}

#define SWING(options)                                                                             \
    "analyses: {swing: {type: dynamics, duration: 0.5, output_step: 0.01, " options "}}\n"

/* The motion is unique though reactions are not. Without projection only positions are free enough
 * of rounding. */
static void redundant_rows(void **unused)
{
    (void)unused;
    char text[8000];
    snprintf(text, sizeof text,
             "%s  speed: {rms: rod3.velocity.y}\n  jolt: {mean: rod3.acceleration.y}\n", bricard);
    check(text, SWING("integrator: ali3p, projection: full, step: 5e-3"), 0, 1e-7);
    check(text, SWING("integrator: ali3p, projection: mass, step: 5e-3"), 1e-11, 1e-7);
    check(bricard, SWING("integrator: ali3p, projection: none, step: 5e-3"), 1e-9, 1e-7);
    check(bricard, SWING("integrator: generalized-alpha, step: 5e-3"), 1e-9, 1e-7);
}

/* Reactions that are not unique have no derivatives by linearised steps, nor has a motion that
 * depends on them; without a choice of the method differences are taken. */
static void check_refused(const char *text, const char *options, const char *message)
{
    for (int k = 0; k < 2; k++) {
        assert_null(gradient_of(text, options, k ? LMB_GRADIENT_ADJOINT : LMB_GRADIENT_DIRECT));
        assert_message(context, message);
    }
    lmb_gradient *g = gradient_of(text, options, LMB_GRADIENT_AUTO);
    assert_non_null(g);
    assert_int_equal(g->methods[0], LMB_GRADIENT_DIFFERENCES);
    lmb_gradient_free(g);
}

static void shared_reactions(void **unused)
{
    (void)unused;
    static const char *const analyses[] = {
        SWING("integrator: ali3p, projection: mass, step: 5e-3"),
        SWING("integrator: generalized-alpha, step: 5e-3"),
    };
    char text[8000];
    snprintf(text, sizeof text, "%s  force: {mean: hinge1.force.y}\n", bricard);
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++)
        check_refused(text, analyses[i], "objective 'force' depends on reactions that redundant");
    char options[500];
    snprintf(options, sizeof options,
             "forces: {rub: {type: friction, joint: hinge1, coefficient: 0.1, radius: 0.02}}\n%s",
             analyses[1]);
    check_refused(bricard, options, "force 'rub' depends on reactions that redundant");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_bars),        cmocka_unit_test(controlled_steps),
        cmocka_unit_test(slider_cranks),    cmocka_unit_test(flexible_arms),
        cmocka_unit_test(frictions),        cmocka_unit_test(redundant_rows),
        cmocka_unit_test(shared_reactions),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
