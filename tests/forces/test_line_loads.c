/* Loads per length on exact beams: their resultants and powers, small deflections of linear theory,
 * large ones against an independent integration of the beam's equations, rings under pressure.
 *
 * Tangents are tested with those of all forces (tests/system/test_tangents.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "elements/line_load.h"
#include "models.h"
#include "motions.h"
#include "program.h"
#include "random_models.h"
#include "support.h"
#include "system/equations.h"

/* A beam of a shape and some elements, with forces; `rest` are further sections. */
static lmb_model *beam_with(int dimension, const char *shape, int order, int elements,
                            const char *forces, const char *rest)
{
    static const char *const matrices[] = {
        [2] = "stiffness: [5000, 2000, 10], mass: [1, 1, 1e-3]",
        [3] = "stiffness: [5000, 2000, 3000, 8, 15, 10], mass: [1, 1, 1, 2e-3, 1e-3, 1e-3]"};
    char text[3000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\nbodies:\n  rod:\n    beam: {%s, deformation: large, "
             "order: %d, elements: %d, %s}\n    interfaces: {A: start, B: end}\n%s%s%s",
             dimension, shape, order, elements, matrices[dimension], forces[0] ? "forces:\n" : "",
             forces, rest);
    return model_of_text(text);
}

static const char clamp[] = "joints: {clamp: {type: fixed, between: [ground, rod.A]}}\n";

/* --- resultants and power --------------------------------------------------------------------- */

enum { MOST = 400 };

/* The generalised forces of the loads alone: with them less without them. */
static void forces_of_loads(lmb_state *s, double *Q)
{
    double bare[MOST] = {0};
    int nv = s->model->nv;
    assert_true(nv <= MOST);
    memset(Q, 0, (size_t)nv * sizeof *Q);
    lmb_total_force(s, Q);
    memset(s->force_off, 1, (size_t)s->model->force_count * sizeof *s->force_off);
    lmb_total_force(s, bare);
    memset(s->force_off, 0, (size_t)s->model->force_count * sizeof *s->force_off);
    for (int i = 0; i < nv; i++)
        Q[i] -= bare[i];
}

/* Where the deformed beam of a state has the arc length s: the interpolation through its nodes. */
static vec3 place_at(const lmb_state *state, double s)
{
    const lmb_body_at *at = &state->bodies[1];
    const lmb_exact_beam *b = lmb_body_line(at->body);
    int e = 0, size = b->dimension == 2 ? 3 : 7;
    double start = 0, N[LMB_BEAM_NODES], dN[LMB_BEAM_NODES];
    vec3 x = v3(0, 0, 0);
    while (e < b->element_count - 1 && s > start + b->lengths[e])
        start += b->lengths[e++];
    lmb_beam_shapes(b->order, 2 * (s - start) / b->lengths[e] - 1, N, dN);
    for (int i = 0; i <= b->order; i++) {
        const double *q = at->q + size * lmb_exact_beam_node(b, e, i);
        x = v3_axpy(x, N[i], v3(q[0], q[1], size == 3 ? 0 : q[2]));
    }
    return x;
}

/* Force and moment about the origin of the load (2 - s, 1, 3 s) with (s, 0, 1 - 2 s), by Simpson's
 * rule over 400 pieces of each element: positions are of degree 3 there, so that it leaves
 * (1/800)^4 / 180 of the fourth derivative. */
static void add_integral(const lmb_state *state, double from, double to, vec3 *force, vec3 *moment)
{
    enum { PIECES = 400 };
    const lmb_exact_beam *b = lmb_body_line(&state->model->bodies[1]);
    double end = 0;
    for (int e = 0; e < b->element_count; e++) {
        double first = fmax(end, from), last = fmin(end += b->lengths[e], to);
        for (int i = 0; i <= 2 * PIECES && last > first; i++) {
            double s = first + (last - first) * i / (2 * PIECES);
            double factor = i == 0 || i == 2 * PIECES ? 1 : i % 2 ? 4 : 2;
            double w = (last - first) / (6 * PIECES) * factor;
            vec3 f = v3(2 - s, 1, 3 * s), t = v3(s, 0, 1 - 2 * s);
            *force = v3_axpy(*force, w, f);
            *moment = v3_axpy(*moment, w, v3_add(t, v3_cross(place_at(state, s), f)));
        }
    }
}

/* A load that keeps its direction and varies linearly has the force and the moment of its integral
 * on a beam however it is deformed; the beam here is a random state of an angle of two legs with
 * elements of several lengths, the load begins and ends inside of elements. Elastic forces of 1e4
 * are taken off, so 1e-11. */
static void dead_loads_have_the_resultant_of_their_integral(void **unused)
{
    (void)unused;
    const double from = 0.35, to = 2.1;
    for (int order = 1; order <= 3; order++) {
        lmb_model *m = beam_with(
            3, "along: [[0, 0, 0], [1, 0, 0], [1, 1.5, 0.3]], y_axis: [0, 0, 1]", order, 7,
            "  w: {type: line-force, at: rod, from: 0.35, to: 2.1, force: [2 - s, 1, 3*s]}\n"
            "  m: {type: line-torque, at: rod, from: 0.35, to: 2.1, torque: [s, 0, 1 - 2*s]}\n",
            "");
        lmb_state *s = random_state(m);
        double Q[MOST];
        vec3 force = v3(0, 0, 0), moment = force, expected = force, about = force;
        forces_of_loads(s, Q);
        for (int i = 0; i < m->node_count; i++) { /* of the moment in axes of the node */
            const double *q = s->q + 7 * i;
            mat3 R = quat_matrix(node_quat(q));
            force = v3_add(force, v3_of(Q + 6 * i));
            moment = v3_add(moment, v3_cross(v3_of(q), v3_of(Q + 6 * i)));
            moment = v3_add(moment, m3_mul(&R, v3_of(Q + 6 * i + 3)));
        }
        add_integral(s, from, to, &expected, &about);
        assert_true(v3_norm(v3_sub(force, expected)) < 1e-11);
        assert_true(v3_norm(v3_sub(moment, about)) < 1e-11);
        lmb_state_free(s);
        lmb_model_free(m);
    }
}

/* What the run accounts for as work is Q . v of these loads. */
static void their_power_is_accounted_for(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        const char *forces =
            dimension == 2
                ? "  a: {type: line-force, at: rod, force: [1 + t, s]}\n"
                  "  b: {type: line-force, at: rod, axes: section, force: [2, s], to: 0.7}\n"
                  "  c: {type: line-torque, at: rod, torque: 3*s}\n"
                : "  a: {type: line-force, at: rod, force: [1 + t, s, 2]}\n"
                  "  b: {type: line-force, at: rod, axes: section, force: [2, s, 1], to: 0.7}\n"
                  "  c: {type: line-torque, at: rod, axes: section, torque: [3*s, 1, 2]}\n"
                  "  d: {type: line-torque, at: rod, torque: [1, -s, 1]}\n";
        lmb_model *m = beam_with(dimension,
                                 dimension == 2 ? "from: [0, 0], to: [1, 0.5]"
                                                : "from: [0, 0, 0], to: [1, 0.5, 0.2]",
                                 2, 4, forces, "");
        lmb_state *s = random_state(m);
        double Q[MOST], powers[LMB_WORK_COUNT], sum = 0;
        forces_of_loads(s, Q);
        for (int i = 0; i < m->nv; i++)
            sum += Q[i] * s->v[i];
        lmb_powers(s, powers);
        assert_true(fabs(sum) > 0.1);
        assert_close(powers[LMB_WORK_SUPPLIED], sum, 1e-11); /* elastic forces of 1e4 taken off */
        lmb_state_free(s);
        lmb_model_free(m);
    }
}

/* A free beam that a load from outside turns and bends: the energy is the work done on it, within
 * what the tolerance of the steps leaves, and its momentum the impulse, exactly. */
static void motions_keep_their_accounts(void **unused)
{
    (void)unused;
    lmb_model *m =
        beam_with(2, "from: [0, 0], to: [1, 0]", 2, 3,
                  "  a: {type: line-force, at: rod, axes: section, force: [0, 3*s*sin(5*t)]}\n"
                  "  b: {type: line-force, at: rod, force: [0.5, 2*s], from: 0.25, to: 0.75}\n",
                  "");
    lmb_dynamics *motion =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-9});
    double start = account(motion);
    advance(motion, 0.5);
    assert_true(energy(motion) > 0.05);
    assert_close(account(motion), start, 1e-7);
    finish(motion, m);
}

/* --- small deflections ------------------------------------------------------------------------ */

static double tip_under(const char *load)
{
    char force[200];
    snprintf(force, sizeof force, "  w: {type: line-%.*s, at: rod, %s}\n", (int)strcspn(load, ":"),
             load, load);
    lmb_model *m = beam_with(2, "from: [0, 0], to: [2, 0]", 3, 3, force, clamp);
    lmb_solver *s = at_rest(m);
    double y = point(s, "rod.B").y;
    lmb_solver_free(s);
    lmb_model_free(m);
    return y;
}

/* Cantilevers of L = 2, EI = 10, GA = 2000 under loads of 1e-5 N/m, by linear theory; the
 * deflections are up to 2e-6, so that theory is off by less than 1e-11 of them. A cubic element has
 * the tip's function of influence s^2 (3 L - s) / (6 EI) + s / GA in it, so the tip is exact for
 * every load. */
static void small_deflections(void **unused)
{
    (void)unused;
    const double L = 2, EI = 10, GA = 2000, q = 1e-5;
    double uniform = q * pow(L, 4) / (8 * EI) + q * L * L / (2 * GA);
    double growing = 11 * q * pow(L, 4) / (120 * EI) + q * L * L / (3 * GA);
    double one = tip_under("force: [0, 1e-5]"), two = tip_under("force: [0, 1e-5*s/2]");
    double three = tip_under("torque: 1e-5"), four = tip_under("torque: 1e-5, axes: section");
    assert_close(one / uniform, 1, 1e-9);
    assert_close(two / growing, 1, 1e-9);
    assert_close(three / (q * pow(L, 3) / (3 * EI)), 1, 1e-9);
    assert_close(four / three, 1, 1e-12);
    double a = 0.37, b = 1.81;
    double part = q / (6 * EI) * (L * (b * b * b - a * a * a) - (pow(b, 4) - pow(a, 4)) / 4) +
                  q / GA * (b * b - a * a) / 2;
    double some = tip_under("force: [0, 1e-5], from: 0.37, to: 1.81");
    assert_close(some / part, 1, 1e-9);
}

/* As an input of a state space: at next to no frequency a unit of it deflects the tip as a load
 * does. The deflection is that of rest up to (frequency / 0.3 Hz)^2. */
static void they_are_inputs(void **unused)
{
    (void)unused;
    const char *model = scratch_path("line-input.yaml");
    FILE *f = fopen(model, "w");
    assert_non_null(f);
    fprintf(
        f,
        "limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {from: [0, 0], to: [2, 0], order: 3, "
        "elements: 3, deformation: large, stiffness: [5000, 2000, 10], mass: [1, 1, 1e-3]}\n"
        "    interfaces: {A: start, B: end}\n%s"
        "forces: {w: {type: line-force, at: rod, force: [0, 0]}}\n",
        clamp);
    fclose(f);
    lmb_run_result run = run_limber("response %s --input w.y --output rod.B.position.y --from 1e-6 "
                                    "--to 1e-5 --points 2",
                                    model);
    double frequency, amplitude;
    assert_int_equal(run.code, 0);
    assert_int_equal(sscanf(strchr(run.out, '\n'), "%lf %lf", &frequency, &amplitude), 2);
    assert_close(amplitude, 16.0 / 80 + 4.0 / 4000, 1e-9);
    free_run(&run);
}

/* The weight of a beam is a force per length of its mass per length times g. */
static void weight_is_a_dead_load(void **unused)
{
    (void)unused;
    static const char *const shape = "arc: {centre: [0, 0, 0], radius: 2, start: [1, 0, 0], "
                                     "angle: 2, normal: [0, 0.6, 0.8]}";
    lmb_model *heavy = beam_with(3, shape, 2, 6, "",
                                 "gravity: [0.3, -4, 3]\njoints: {clamp: "
                                 "{type: fixed, between: [ground, rod.A]}}\n");
    lmb_model *loaded =
        beam_with(3, shape, 2, 6, "  w: {type: line-force, at: rod, force: [0.3, -4, 3]}\n", clamp);
    lmb_solver *a = at_rest(heavy), *b = at_rest(loaded);
    vec3 apart = v3_sub(point(a, "rod.B"), point(b, "rod.B"));
    assert_true(v3_norm(v3_sub(point(a, "rod.B"), point(a, "rod.A"))) > 0.1);
    assert_true(v3_norm(apart) < 1e-10);
    lmb_solver_free(a);
    lmb_solver_free(b);
    lmb_model_free(heavy);
    lmb_model_free(loaded);
}

/* --- large deflections: an independent integration -------------------------------------------- */

/* The equations of a plane beam from its tip: angle, moment, force (x, y), position; s from the
 * tip. The load is (fx, fy) in axes that are those of the section, or of the tip turned by beta.
 *
 *   x' = R (1 + N/EA, V/GA),  n' = -f,  m' = -x' x n,  theta' = m / EI */
typedef struct plane_load {
    double EA, GA, EI, fx, fy, beta;
    bool follows;
} plane_load;

static void slopes(const plane_load *b, const double y[6], double out[6])
{
    double c = cos(y[0]), s = sin(y[0]), N = c * y[2] + s * y[3], V = -s * y[2] + c * y[3];
    double a = b->follows ? y[0] : b->beta;
    double x = c * (1 + N / b->EA) - s * V / b->GA, z = s * (1 + N / b->EA) + c * V / b->GA;
    out[0] = y[1] / b->EI;
    out[1] = -(x * y[3] - z * y[2]);
    out[2] = -(cos(a) * b->fx - sin(a) * b->fy);
    out[3] = -(sin(a) * b->fx + cos(a) * b->fy);
    out[4] = x;
    out[5] = z;
}

/* From the tip, free of forces, backwards to the clamp, by 4000 steps of Runge and Kutta. */
static void integrate(const plane_load *b, double L, double y[6])
{
    enum { STEPS = 4000 };
    const double h = -L / STEPS;
    memset(y, 0, 6 * sizeof *y);
    for (int i = 0; i < STEPS; i++) {
        double k[4][6], z[6];
        slopes(b, y, k[0]);
        for (int j = 1; j < 4; j++) {
            for (int n = 0; n < 6; n++)
                z[n] = y[n] + h * (j == 3 ? 1 : 0.5) * k[j - 1][n];
            slopes(b, z, k[j]);
        }
        for (int n = 0; n < 6; n++)
            y[n] += h / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
    }
}

/* The tip as seen from the clamp. A dead load has the direction beta in the axes of the tip, which
 * must be the angle of the clamp: the secant method. */
static vec3 tip_of(plane_load b, double L)
{
    double y[6], at[2] = {0, 0.1}, miss[2];
    for (int i = 0; i < 50 && !b.follows; i++) {
        b.beta = i < 2 ? at[i] : at[1] - miss[1] * (at[1] - at[0]) / (miss[1] - miss[0]);
        integrate(&b, L, y);
        if (i >= 2) {
            at[0] = at[1];
            miss[0] = miss[1];
            at[1] = b.beta;
        }
        miss[i < 2 ? i : 1] = y[0] - b.beta;
        if (i >= 2 && fabs(miss[1]) < 1e-14)
            break;
    }
    integrate(&b, L, y);
    double c = cos(y[0]), s = sin(y[0]);
    return v3(-c * y[4] - s * y[5], s * y[4] - c * y[5], 0);
}

static double tip_error(int order, int elements, bool follows, bool space, vec3 expected)
{
    char load[200];
    snprintf(load, sizeof load, "  w: {type: line-force, at: rod, axes: %s, force: [4, -12%s]}\n",
             follows ? "section" : "global", space ? ", 0" : "");
    lmb_model *m = beam_with(space ? 3 : 2,
                             space ? "from: [0, 0, 0], to: [2, 0, 0], y_axis: [0, 1, 0]"
                                   : "from: [0, 0], to: [2, 0]",
                             order, elements, load, clamp);
    lmb_solver *s = at_rest(m);
    double error = v3_norm(v3_sub(point(s, "rod.B"), expected));
    lmb_solver_free(s);
    lmb_model_free(m);
    return error;
}

/* A load of w L^3 / EI = 10, dead and turning with the sections: the tip converges with order 2p to
 * that of the integration, in the plane and in space. A slope is measured between two meshes; it
 * differs from its limit by h, of which half a power is allowed. */
static void large_deflections_converge_with_twice_the_order(void **unused)
{
    (void)unused;
    for (int follows = 0; follows < 2; follows++) {
        plane_load b = {5000, 2000, 10, 4, -12, 0, follows};
        vec3 tip = tip_of(b, 2);
        assert_true(fabs(tip.y) > 0.9);
        for (int order = 1; order <= 3; order++) {
            int n = order == 1 ? 16 : order == 2 ? 8 : 4;
            double coarse = tip_error(order, n, follows, false, tip);
            double fine = tip_error(order, 2 * n, follows, false, tip);
            if (getenv("LIMBER_SHOW"))
                printf("follows %d, order %d: %.3g %.3g, slope %.2f\n", follows, order, coarse,
                       fine, log2(coarse / fine));
            assert_true(log2(coarse / fine) > 2 * order - 0.5);
        }
        /* 8 elements of order 3 have 1.7e-7, and 16 of them 2^-6 of it */
        assert_true(tip_error(3, 16, follows, false, tip) < 4e-9);
        assert_true(tip_error(3, 16, follows, true, tip) < 4e-9);
    }
}

/* --- legs and rings --------------------------------------------------------------------------- */

/* A leg along y after one along x, loaded across the sections: along -x in its undeformed shape.
 * Small loads; in the twisted case the sections of the leg turn by a right angle along it. */
static void sections_of_legs_have_their_own_axes(void **unused)
{
    (void)unused;
    for (int twisted = 0; twisted < 2; twisted++) {
        char shape[300];
        snprintf(shape, sizeof shape,
                 "along: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], y_axis: [0, 0, 1]%s",
                 twisted ? ", stations: [{at: 0, twist: 0}, {at: 0.5, twist: 0}, "
                           "{at: 1, twist: pi/2}]"
                         : "");
        for (int order = 1; order <= 3; order++) {
            lmb_model *m = beam_with(
                3, shape, order, 4,
                "  w: {type: line-force, at: rod, axes: section, from: 1, force: [3, 1, 0]}\n", "");
            lmb_solver *s;
            double Q[MOST];
            vec3 sum = v3(0, 0, 0);
            assert_ok(lmb_solver_new(&s, context, m));
            lmb_update(s->state, 0);
            forces_of_loads(s->state, Q);
            for (int i = 0; i < m->node_count; i++)
                sum = v3_add(sum, v3_of(Q + 6 * i));
            /* x of sections is along y; y of them is z, or turns from z to x: the mean is 2 / pi */
            double mean = twisted ? 2 / LMB_PI : 1;
            /* three points of Gauss or two, in two elements of 45 degrees each; one twist each of
             * order 1 */
            double close = !twisted ? 1e-13 : order == 1 ? 0.03 : order == 2 ? 1e-5 : 1e-5;
            assert_close(sum.y, 3, 1e-13);
            assert_close(sum.z, mean, close);
            assert_close(sum.x, twisted ? mean : 0, close);
            lmb_solver_free(s);
            lmb_model_free(m);
        }
    }
}

/* A ring under pressure p per undeformed length has N = -p R everywhere, whatever its size, and no
 * bending: its radius is R (1 - p R / EA). One node is held, by forces that are zero. */
static void pressure_shrinks_a_ring(void **unused)
{
    (void)unused;
    lmb_model *m =
        beam_with(2, "arc: {centre: [0, 0], radius: 1, start: [1, 0], angle: 2*pi}", 3, 24,
                  "  p: {type: line-force, at: rod, axes: section, force: [0, 20]}\n",
                  "joints: {clamp: {type: fixed, between: [ground, rod.A]}}\n");
    lmb_solver *s = at_rest(m);
    const lmb_exact_beam *b = lmb_body_line(&m->bodies[1]);
    double radius = 1 - 20.0 / 5000;
    vec3 held = point(s, "rod.A");
    for (int i = 0; i < b->node_count; i++) {
        const double *q = s->state->q + 3 * i;
        double angle = b->places[i];
        /* elements of 15 degrees: 1e-8 of the shrinkage 8e-3 */
        assert_close(q[0] - held.x, radius * (cos(angle) - 1), 1e-9);
        assert_close(q[1] - held.y, radius * sin(angle), 1e-9);
    }
    assert_close(s->state->lambda[0], 0, 1e-6);
    lmb_solver_free(s);
    lmb_model_free(m);
}

static struct {
    int count;
    double critical;
} path;

static lmb_status take(void *unused, const lmb_state *s, double at, const double *more)
{
    (void)unused, (void)s, (void)at;
    if (more[2] != 0 && path.count++ == 0)
        path.critical = more[0];
    return LMB_OK;
}

/* A ring buckles to an oval at the pressure 3 EI / R^3 (Levy, of an inextensible one), as seen by a
 * quarter of it whose ends slide along the axes. The pressure stays the force per undeformed
 * length; with p R / EA = 6e-6 the difference is of that size. */
static void a_ring_buckles_under_pressure(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {arc: {centre: [0, 0], radius: 1, "
        "start: [1, 0], angle: pi/2}, order: 3, elements: 12, deformation: large, stiffness: "
        "[5e6, 5e6, 10], mass: [1, 1, 1e-3]}\n    interfaces: {A: start, B: end}\n"
        "joints:\n  a: {type: translational, between: [ground, rod.A], axis: [1, 0]}\n"
        "  b: {type: translational, between: [[0, 1], rod.B], axis: [0, 1]}\n"
        "forces: {p: {type: line-force, at: rod, axes: section, force: [0, 10]}}\n"
        "analyses: {a: {type: statics, follow: load, load: 4, steps: 7}}\n");
    lmb_solver *s = NULL;
    lmb_rank rank;
    const lmb_analysis *a = &m->analyses[0];
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(a->kind->solve(s, a));
    assert_ok(a->kind->rows(s, a, take, NULL));
    assert_int_equal(path.count, 1);
    assert_close(path.critical, 3, 2e-5);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The largest growth of a mode of the cantilever of Leipholz, under a load q along it that turns
 * with it. */
static double growth_under(double q)
{
    char text[800];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {from: [0, 0], to: [1, 0], "
             "order: 3, elements: 6, deformation: large, stiffness: [1e6, 1e6, 1], mass: "
             "[1, 1, 1e-7]}\n    interfaces: {A: start}\n%s"
             "forces: {q: {type: line-force, at: rod, axes: section, force: [%.6g, 0]}}\n",
             clamp, -q);
    lmb_model *m = model_of_text(text);
    lmb_solver *s = at_rest(m);
    lmb_mode_list list;
    double largest = -INFINITY;
    assert_ok(lmb_find_some_modes(s, 0, 4, &list));
    for (int i = 0; i < list.count; i++)
        largest = fmax(largest, list.modes[i].real);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
    return largest;
}

/* It flutters from q L^3 / EI = 40.05 on: there the first two frequencies, 11 rad/s, meet, and
 * beside it the real parts grow with the root of the distance, 0.125 at 40.06. */
static void a_cantilever_flutters_under_a_following_load(void **unused)
{
    (void)unused;
    assert_true(growth_under(40.04) < 1e-3);
    assert_true(growth_under(40.06) > 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_loads_have_the_resultant_of_their_integral),
        cmocka_unit_test(their_power_is_accounted_for),
        cmocka_unit_test(motions_keep_their_accounts),
        cmocka_unit_test(small_deflections),
        cmocka_unit_test(they_are_inputs),
        cmocka_unit_test(weight_is_a_dead_load),
        cmocka_unit_test(large_deflections_converge_with_twice_the_order),
        cmocka_unit_test(sections_of_legs_have_their_own_axes),
        cmocka_unit_test(pressure_shrinks_a_ring),
        cmocka_unit_test(a_ring_buckles_under_pressure),
        cmocka_unit_test(a_cantilever_flutters_under_a_following_load),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
