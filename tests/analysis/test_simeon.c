/* Simeon's flexible slider-crank, and the same mechanism with a rod of finite elements.
 *
 * Reference: problem "crank" of the IVP test set (deTestSet), after B. Simeon, Mathematical
 * Modelling of Systems 2 (1996) 1-18, at t = 0.1 s, by MEBDFI with a tolerance of 1e-14 on the
 * index-2 form: positions are said to be good to about 1e-8. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "bodies/modal.h"
#include "models.h"
#include "support.h"

enum { CRANK = 1, ROD, SLIDER };

static const double phi2 = -0.3311734988256260, x3 = 0.1697373328427860;
static const double eta[] = {1.893192899613509e-4, 2.375751249879174e-5, -5.323896770569702e-6,
                             -8.363313279112129e-6};
static const double phi2_rate = 60.25346755138369, x3_rate = -8.753116326670527;
static const double eta_rate[] = {-0.03005541400289738, -5.500431812571696e-3, 4.974111734266989e-4,
                                  1.105560003626645e-3};

static lmb_dynamics *start(const lmb_model *m, lmb_integration options)
{
    lmb_dynamics *d;
    assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
    return d;
}

/* The numbers of the reference, relative errors. */
static double errors(const lmb_dynamics *d, bool rates)
{
    const lmb_state *s = d->solver->state;
    const lmb_body *rod = &s->model->bodies[ROD], *slider = &s->model->bodies[SLIDER];
    const double *q = s->q + rod->q, *v = s->v + rod->v;
    double worst = fmax(fabs(q[2] / phi2 - 1), fabs(s->q[slider->q] / x3 - 1));
    for (int k = 0; k < 4; k++)
        worst = fmax(worst, fabs(q[3 + k] / eta[k] - 1));
    if (!rates)
        return worst;
    worst = fmax(fabs(v[2] / phi2_rate - 1), fabs(s->v[slider->v] / x3_rate - 1));
    for (int k = 0; k < 4; k++)
        worst = fmax(worst, fabs(v[3 + k] / eta_rate[k] - 1));
    return worst;
}

/* Rates of the stretching modes, some 1e-3 of 1e3 times what they are positions of, come out a
 * thousand times less exactly. */
static void runge_kutta_gives_the_reference(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("simeon-slider-crank", NULL, NULL);
    lmb_dynamics *d =
        start(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-13});
    assert_ok(lmb_dynamics_advance(d, 0.1));
    if (getenv("LIMBER_SHOW"))
        printf("rk45: %ld steps, positions %.2e, velocities %.2e\n", d->motion->steps,
               errors(d, false), errors(d, true));
    assert_true(errors(d, false) < 1e-6);
    assert_true(errors(d, true) < 1e-5);
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

static double positions_of(const lmb_model *m, double step, double *x)
{
    lmb_dynamics *d = start(
        m,
        (lmb_integration){.integrator = &lmb_integrator_alpha, .step = step, .spectral_radius = 1});
    assert_ok(lmb_dynamics_advance(d, 0.1));
    const lmb_body *rod = &m->bodies[ROD];
    x[0] = d->solver->state->q[rod->q + 2];
    for (int k = 0; k < 4; k++)
        x[1 + k] = d->solver->state->q[rod->q + 3 + k];
    double error = errors(d, false);
    lmb_dynamics_free(d);
    return error;
}

/* Its error falls with the square of the step; extrapolated to a step of zero, the angle and the
 * bending modes are those of the reference. Stretching vibrates a thousand radians until then:
 * what is of fourth order there, (w h)^4 / 80 times that, is 1e-4 with w h = 0.05. */
static void generalized_alpha_gives_the_reference(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("simeon-slider-crank", NULL, NULL);
    double coarse[5], fine[5], expected[5] = {phi2};
    double first = positions_of(m, 1e-5, coarse), second = positions_of(m, 5e-6, fine);
    memcpy(expected + 1, eta, sizeof eta);
    if (getenv("LIMBER_SHOW"))
        printf("generalized-alpha: %.2e, %.2e\n", first, second);
    assert_true(log2(first / second) > 1.8);
    for (int i = 0; i < 5; i++) {
        double x = (4 * fine[i] - coarse[i]) / 3;
        if (getenv("LIMBER_SHOW"))
            printf("  extrapolated %d: %.2e\n", i, x / expected[i] - 1);
        assert_close(x / expected[i], 1, i < 3 ? 1e-6 : 1e-4);
    }
    lmb_model_free(m);
}

/* --- a rod of finite elements ----------------------------------------------------------------- */

/* The same mechanism from rest in its frame, slightly damped, with a rod of elements; or, without
 * elements, with Simeon's modes and the mass matrix that his element has. */
static lmb_model *with_rod(int elements, int modes)
{
    char text[4096], rod[2048];
    if (elements)
        snprintf(rod, sizeof rod,
                 "    beam: {from: [0, 0], to: [L2, 0], elements: %d, section: {rectangle: {width: "
                 "h, height: h}}, material: {E: 2e11, nu: 0.3, density: 7870}}\n"
                 "    interfaces: {B: start, C: end, M: {node: %d}}\n"
                 "    reduction: {modes: %d, frame: {chord: [B, C]}, keep: {below: %d}}\n",
                 elements, elements / 2 + 1, modes, 40000);
    else
        snprintf(
            rod, sizeof rod, "%s",
            "    modal:\n      mass: m\n      centre: [L2/2, 0]\n      inertia: m*L2^2/3\n"
            "      stiffness: [[k*pi^4/24*(h/L2)^2, 0, 0, 0], [0, k*pi^4*2/3*(h/L2)^2, 0, 0],\n"
            "                  [0, 0, 16/3*k, -8/3*k], [0, 0, -8/3*k, 7/3*k]]\n"
            "      modal_mass: [[m/2, 0, 0, 0], [0, m/2, 0, 0], [0, 0, 8/15*m, m/15],\n"
            "                   [0, 0, m/15, 2/15*m]]\n"
            "      momentum: [[0, 2/pi*m], [0, 0], [2/3*m, 0], [m/6, 0]]\n"
            "      angular_momentum: [m*L2/pi, -m*L2/(2*pi), 0, 0]\n"
            "      inertia_by_mode: [0, 0, 2/3*m*L2, 2/6*m*L2]\n"
            "      angular_momentum_by_mode: [[0, 0, -16/pi^3*m, (8/pi^3 - 1/pi)*m],\n"
            "        [0, 0, 0, m/(2*pi)], [16/pi^3*m, 0, 0, 0],\n"
            "        [(1/pi - 8/pi^3)*m, -m/(2*pi), 0, 0]]\n"
            "    interfaces:\n"
            "      B: {point: [0, 0]}\n"
            "      C: {point: [L2, 0], displacements: [[0, 0], [0, 0], [0, 0], [1, 0]]}\n"
            "      M: {point: [L2/2, 0], displacements: [[0, 1], [0, 0], [1, 0], [0, 0]]}\n");
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\n"
             "parameters: {L1: 0.15, L2: 0.3, h: 0.008, m: 7870*h^2*L2, k: 2e11*h^2/L2}\n"
             "bodies:\n"
             "  crank: {mass: 0.36, inertia: 7e-4, position: [L1/2, 0], points: {O: [-L1/2, 0], B: "
             "[L1/2, 0]}}\n"
             "  rod:\n    position: [L1, 0]\n    damping: {stiffness: 2e-5}\n%s"
             "  slider: {mass: 0.075552, inertia: 1e-4, position: [L1 + L2, 0]}\n"
             "joints:\n"
             "  main:  {type: revolute, between: [ground, crank.O]}\n"
             "  pin:   {type: revolute, between: [crank.B, rod.B]}\n"
             "  wrist: {type: revolute, between: [rod.C, slider]}\n"
             "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
             "drivers: {motor: {joint: main, angle: \"150*(t + 0.01*(exp(-t/0.01) - 1))\"}}\n",
             rod);
    return model_of_text(text);
}

enum { INSTANTS = 100 };

/* How far the middle of the rod is from its chord, in its first turn and a half. */
static void deflections(int elements, int modes, double *out)
{
    lmb_model *m = with_rod(elements, modes);
    lmb_dynamics *d =
        start(m, (lmb_integration){
                     .integrator = &lmb_integrator_alpha, .step = 5e-5, .spectral_radius = 0.9});
    int B = m->points[m->bodies[ROD].point].marker, C = B, M = B;
    for (int i = 0; i < m->bodies[ROD].point_count; i++) {
        const lmb_point *p = &m->points[m->bodies[ROD].point + i];
        C = strcmp(p->name, "rod.C") == 0 ? p->marker : C;
        M = strcmp(p->name, "rod.M") == 0 ? p->marker : M;
    }
    for (int i = 0; i < INSTANTS; i++) {
        assert_ok(lmb_dynamics_advance(d, 0.08 * (i + 1) / INSTANTS));
        const lmb_frame *x = d->solver->state->frames;
        vec3 chord = v3_unit(v3_sub(x[C].p, x[B].p));
        out[i] = v3_cross(chord, v3_sub(x[M].p, x[B].p)).z;
    }
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

static double apart(const double *x, const double *y)
{
    double most = 0, size = 0;
    for (int i = 0; i < INSTANTS; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}

/* With more elements and modes the deflection settles; Simeon's two sines and one bar element have
 * it to a percent, the part of the third sine and of what the bar leaves out. */
static void elements_and_modes_converge(void **unused)
{
    (void)unused;
    double best[INSTANTS], x[INSTANTS], by_elements[3], by_modes[3];
    deflections(32, 12, best);
    for (int i = 0; i < 3; i++) {
        deflections(4 << i, 12, x);
        by_elements[i] = apart(x, best);
        deflections(32, i == 0 ? 0 : i == 1 ? 2 : 6, x);
        by_modes[i] = apart(x, best);
    }
    deflections(0, 0, x);
    double modal = apart(x, best);
    if (getenv("LIMBER_SHOW"))
        printf("elements %.2e %.2e %.2e; modes %.2e %.2e %.2e; sines %.2e\n", by_elements[0],
               by_elements[1], by_elements[2], by_modes[0], by_modes[1], by_modes[2], modal);
    assert_true(by_elements[1] < by_elements[0] / 3 && by_elements[2] < by_elements[1] / 3);
    assert_true(by_elements[2] < 1e-3);
    assert_true(by_modes[1] < by_modes[0] && by_modes[2] < by_modes[1] && by_modes[2] < 1e-3);
    assert_true(modal < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runge_kutta_gives_the_reference),
        cmocka_unit_test(generalized_alpha_gives_the_reference),
        cmocka_unit_test(elements_and_modes_converge),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
