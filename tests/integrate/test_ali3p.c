/* ALI3-P (integrate/ali3p.h): its order, what its projections leave, what happens without them, and
 * that penalty, solver and projection do what they say. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrate/ali3p.h"
#include "math/dense.h"
#include "models.h"
#include "motions.h"
#include "program.h"
#include "support.h"
#include "system/saddle.h"

/* The simple pendulum of the IFToMM benchmarks (A01): 1 kg on a rod of 1 m, let go where the rod is
 * horizontal. */
static const char pendulum[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {mass: {type: particle, mass: 1, position: [-1, 0]}}\n"
    "joints: {rod: {type: distance, between: [ground, mass], length: 1}}\n";

/* Its x after 10 s, by elliptic functions. */
static const double pendulum_x = -0.275087462576117;

/* Angle of K1 in Andrews' squeezer after 0.03 s (test set for initial value problems). */
static const double andrews_angle = 15.810771195153708;

static const char *const projections[] = {"full", "mass", "none"};

static lmb_integration ali3p(double step, lmb_rate_projection projection)
{
    return (lmb_integration){
        .integrator = &lmb_integrator_ali3p, .step = step, .projection = projection};
}

/* The largest |Phi|, |Phi_q v + Phi_t| and |Phi_q a - gamma| of all rows, in lengths; the last two
 * as a part of the largest v and a. */
static void find_gaps(const lmb_dynamics *d, double gaps[3])
{
    lmb_state *s = d->solver->state;
    const lmb_model *m = s->model;
    double *x = calloc(2 * (size_t)m->nrows + 1, sizeof *x), *y = x + m->nrows;
    double speed = DBL_MIN, acceleration = DBL_MIN;
    for (int i = 0; i < m->nv; i++) {
        speed = fmax(speed, m->columns[i].size * fabs(s->v[i]));
        acceleration = fmax(acceleration, m->columns[i].size * fabs(s->a[i]));
    }
    acceleration = fmax(acceleration, speed * speed / m->length); /* gamma is a sum of such */
    lmb_jacobian(s);
    lmb_jacobian_times(s, s->a, x);
    lmb_acceleration_side(s, y);
    for (int r = 0; r < m->nrows; r++) {
        double scale = m->sparse_rows[r].scale;
        gaps[0] = fmax(gaps[0], fabs(lmb_row_value(s, r)));
        gaps[1] = fmax(gaps[1], fabs(lmb_row_rate(s, r)) / speed);
        gaps[2] = fmax(gaps[2], scale * fabs(x[r] - y[r]) / acceleration);
    }
    free(x);
}

typedef struct outcome {
    double error, energy; /* of the number asked for; the largest error of the energy */
    double gaps[3];
} outcome;

/* Runs to t, looking at so many instants; coordinate number q is to be `exact`. */
static outcome run(const lmb_model *m, lmb_integration options, double t, int looks, int q,
                   double exact)
{
    lmb_dynamics *d = start_motion(m, options);
    double before = account(d);
    outcome o = {0};
    for (int i = 1; i <= looks; i++) {
        advance(d, t * i / looks);
        find_gaps(d, o.gaps);
        o.energy = fmax(o.energy, fabs(account(d) - before));
    }
    o.error = fabs(d->solver->state->q[q] - exact);
    if (getenv("LIMBER_SHOW"))
        printf("%-5s h %-8g error %.3e energy %.3e gaps %.1e %.1e %.1e; steps %ld iterations %ld "
               "factorisations %ld\n",
               projections[options.projection], options.step, o.error, o.energy, o.gaps[0],
               o.gaps[1], o.gaps[2], d->motion->steps, d->motion->iterations,
               d->motion->factorisations);
    lmb_dynamics_free(d);
    return o;
}

/* --- the known figures ------------------------------------------------------------------------ */

/* Errors at four steps, each half as long as the one before, as a prototype written for this
 * purpose has them, to their two digits; the step is that between `looks` instants. */
static void check_errors(const lmb_model *m, double step, lmb_rate_projection projection, double t,
                         int looks, int q, double exact, const double expected[4])
{
    outcome last = {0};
    for (int i = 0; i < 4; i++) {
        outcome o = run(m, ali3p(step / (1 << i), projection), t, looks, q, exact);
        if (expected)
            assert_close(o.error / expected[i], 1, 0.03);
        if (i > 0) {
            double order = log2(last.error / o.error), of_energy = log2(last.energy / o.energy);
            assert_true(order > 1.85 && order < 2.15);
            assert_true(of_energy > 1.8 && of_energy < 2.3);
        }
        last = o;
    }
}

static void the_pendulum_has_order_two(void **unused)
{
    (void)unused;
    static const double errors[] = {3.2e-2, 8.6e-3, 2.2e-3, 5.7e-4};
    lmb_model *m = model_of_text(pendulum);
    check_errors(m, 0.02, LMB_PROJECT_FULL, 10, 100, 0, pendulum_x, errors);
    check_errors(m, 0.02, LMB_PROJECT_MASS, 10, 100, 0, pendulum_x, errors);
    lmb_model_free(m);
}

static void andrews_has_order_two(void **unused)
{
    (void)unused;
    static const double errors[] = {1.24e-3, 2.83e-4, 6.8e-5, 1.6e-5};
    lmb_model *m = model_of_example("andrews", NULL, NULL);
    check_errors(m, 4e-5, LMB_PROJECT_FULL, 0.03, 10, 2, andrews_angle, errors);
    check_errors(m, 4e-5, LMB_PROJECT_MASS, 0.03, 10, 2, andrews_angle, NULL);
    lmb_model_free(m);
}

/* A loop of six hinges in space of which one row repeats others: order two against rk45. */
static void bricard_has_order_two(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("bricard", NULL, NULL);
    lmb_dynamics *exact =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12});
    int moved = m->nodes[m->node_count / 2].q;
    double x = advance(exact, 2)->q[moved];
    check_errors(m, 4e-3, LMB_PROJECT_FULL, 2, 50, moved, x, NULL);
    finish(exact, m);
}

/* On two hinges, one of them with friction. */
static const char door[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  door: {mass: 20, inertia: [7, 1.2, 6], position: [0.4, 0.1, 1],"
    " angular_velocity: [0, 0, 2], points: {low: [-0.4, 0, -0.8], high: [-0.4, 0, 0.8]}}\n"
    "joints:\n"
    "  low: {type: revolute, between: [[0, 0.1, 0.2], door.low], axis: [0, 0, 1]}\n"
    "  high: {type: revolute, between: [[0, 0.1, 1.8], door.high], axis: [0, 0, 1]}\n"
    "forces: {rub: {type: friction, joint: low, coefficient: 0.4, radius: 0.05}}\n";

/* How far multipliers of rows that repeat others are from those of rk45, relative to the largest:
 * both are those of the least norm. */
static double multiplier_error(const lmb_model *m, lmb_integration options, double t)
{
    lmb_dynamics *exact =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12});
    lmb_dynamics *d = start_motion(m, options);
    const double *x = advance(exact, t)->lambda, *y = advance(d, t)->lambda;
    double size = 0;
    for (int r = 0; r < m->nrows; r++)
        size = fmax(size, fabs(x[r]));
    double error = distance(x, y, m->nrows) / size;
    if (getenv("LIMBER_SHOW"))
        printf("%s h %g: multipliers are off by %g\n", projections[options.projection],
               options.step, error);
    lmb_dynamics_free(d);
    lmb_dynamics_free(exact);
    return error;
}

static void redundant_rows_share_forces(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lmb_model *m = k ? model_of_text(door) : model_of_example("bricard", NULL, NULL);
        double h = k ? 0.016 : 0.004; /* proximal iterations of rk45 are good to 1e-8 */
        for (int p = LMB_PROJECT_FULL; p <= LMB_PROJECT_MASS; p++) {
            double coarse = multiplier_error(m, ali3p(h, p), 0.96);
            double fine = multiplier_error(m, ali3p(h / 4, p), 0.96);
            double order = log2(coarse / fine) / 2;
            assert_true(coarse < 1e-3 && order > 1.8 && order < 2.2);
        }
        lmb_model_free(m);
    }
}

/* --- what projections leave ------------------------------------------------------------------- */

/* The pendulum without projections, step by step as they come (an analysis would divide them): at
 * which time it is 1.2 times as fast as all of its energy allows. In the exact motion v and a are
 * along the circle; what they have across it is not damped, and grows. */
static double time_of_blow_up(double h)
{
    const double fastest = sqrt(2 * 9.81);
    lmb_model *m = model_of_text(pendulum);
    lmb_integration options = ali3p(h, LMB_PROJECT_NONE);
    lmb_dynamics *d = start_motion(m, options);
    lmb_state *s = d->solver->state;
    lmb_alpha *a = lmb_alpha_new(m, LMB_ALPHA_ALI3P, &options, s->choice);
    double jerk[2] = {0}, when = INFINITY;
    lmb_effort_count count = {0};
    assert_non_null(a);
    lmb_alpha_start(a, s, jerk, h, false);
    while (s->t < 10 && isinf(when) && lmb_ali3p_step(a, s, h, &count))
        if (hypot(s->v[0], s->v[1]) > 1.2 * fastest)
            when = s->t;
    if (getenv("LIMBER_SHOW"))
        printf("h = %g: too fast at %g s\n", h, when);
    lmb_alpha_free(a);
    finish(d, m);
    return when;
}

static void without_projection_it_blows_up(void **unused)
{
    (void)unused;
    assert_close(time_of_blow_up(0.01), 5.35, 0.1);
}

/* In an analysis steps are divided then, which helps for a while only; the message says what does.
 */
static void an_analysis_without_projection_says_why_it_fails(void **unused)
{
    (void)unused;
    const char *path = scratch_path("none.yaml");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "%sanalyses: {fall: {type: dynamics, duration: 10, integrator: ali3p, step: 0.01, "
            "projection: none}}\n",
            pendulum);
    fclose(f);
    check_run(run_limber("run %s -o %s 2>&1", path, scratch_path("none.h5")), 4,
              "take 'projection: full'");
}

/* Numbers of the size of 1: positions are closed to four roundings of length and coordinates, rates
 * and accelerations to a few of the largest v and a. */
static void projections_leave_rounding(void **unused)
{
    (void)unused;
    static const char *const examples[] = {"andrews", "bricard", "heavy-top", "n-four-bar",
                                           "spatial-slider-crank"};
    static const double steps[] = {1e-5, 1e-3, 1e-4, 1e-3, 1e-3};
    const double rounding = 8 * DBL_EPSILON;
    for (int e = -1; e < 5; e++)
        for (int p = LMB_PROJECT_FULL; p <= LMB_PROJECT_MASS; p++) {
            lmb_model *m =
                e < 0 ? model_of_text(pendulum) : model_of_example(examples[e], NULL, NULL);
            double step = e < 0 ? 0.01 : steps[e];
            outcome o = run(m, ali3p(step, p), 300 * step, 300, 0, 0);
            if (!(o.gaps[0] < rounding * (1 + m->length) && o.gaps[1] < rounding &&
                  o.gaps[2] < rounding))
                fail_msg("%s, %s: gaps %g %g %g", e < 0 ? "pendulum" : examples[e], projections[p],
                         o.gaps[0], o.gaps[1], o.gaps[2]);
            lmb_model_free(m);
        }
}

/* --- the equations of a step ------------------------------------------------------------------ */

/* A chain with rotations in space, a driver, springs and dampers: K and C are not small. */
static const char chain[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  a: {mass: 2, inertia: [0.02, 0.2, 0.2], position: [0.5, 0, 0],"
    " points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
    "  b: {mass: 1, inertia: [0.02, 0.1, 0.15], position: [1.4, 0, 0],"
    " angular_velocity: [0, 2, 1], points: {o: [-0.4, 0, 0], e: [0.4, 0, 0]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, a.o], axis: [0, 1, 0]}\n"
    "  ball: {type: spherical, between: [a.e, b.o]}\n"
    "drivers: {motor: {joint: pin, angle: 0.5*sin(3*t)}}\n"
    "forces:\n"
    "  strut: {type: spring, between: [[1.5, 0.5, 1], b.e], stiffness: 3000, damping: 40,"
    " length: 0.8}\n";

enum { MOST = 40 };

/* What is known of a step: both ends, and what follows from (1). */
typedef struct step {
    const lmb_model *m;
    double h, v[MOST], a[MOST], star_v[MOST], star_a[MOST], lambda[MOST]; /* at the end */
} step;

/* dx of the saddle-point equations [P Phi_q^T; Phi_q 0] (dx, y) = (0, Phi_q x), and y. */
static void project_dense(const step *k, lmb_state *s, const double *P, const double *x, double *dx)
{
    const lmb_model *m = k->m;
    int n = m->nv + m->nrows;
    static double A[4 * MOST * MOST], column[MOST], rows[MOST];
    memset(A, 0, sizeof A);
    for (int j = 0; j < m->nv; j++) {
        memset(column, 0, sizeof column);
        column[j] = 1;
        lmb_jacobian_times(s, column, rows);
        for (int i = 0; i < m->nv; i++)
            A[j * n + i] = P[j * m->nv + i];
        for (int r = 0; r < m->nrows; r++)
            A[j * n + m->nv + r] = A[(m->nv + r) * n + j] = rows[r];
    }
    memset(dx, 0, (size_t)n * sizeof *dx);
    lmb_jacobian_times(s, x, dx + m->nv);
    assert_true(lmb_dense_solve(n, A, 1, dx));
}

/* P of a kind at the present state. */
static void set_P(const step *k, const lmb_state *s, lmb_rate_projection kind, double *P)
{
    static double K[MOST * MOST], C[MOST * MOST];
    int count = k->m->nv * k->m->nv;
    lmb_mass_matrix(s, P);
    lmb_tangent(s, K, C);
    for (int i = 0; i < count && kind == LMB_PROJECT_FULL; i++)
        P[i] += k->h / 2 * C[i] + k->h * k->h / 4 * K[i];
}

/* The largest |d - (x - x*)|. */
static double off(const step *k, const double *d, const double *x, const double *star)
{
    double largest = 0;
    for (int i = 0; i < k->m->nv; i++)
        largest = fmax(largest, fabs(d[i] - (x[i] - star[i])));
    return largest;
}

/* Checks (2), (4) and (5) with full matrices. lambda* = lambda - kappa, of which K depends: found
 * by repetition, which converges like h^2. A rounding of q is one of a* times 4 / h^2. */
static void check_equations(const step *k, lmb_state *s, lmb_rate_projection kind)
{
    static double P[MOST * MOST], d[2 * MOST], x[MOST], Q[MOST], inertia[MOST];
    const lmb_model *m = k->m;
    double rounding = 16 * DBL_EPSILON * 4 / (k->h * k->h), forces = 0;
    memcpy(s->v, k->star_v, (size_t)m->nv * sizeof *x);
    memcpy(s->a, k->star_a, (size_t)m->nv * sizeof *x);
    lmb_update_velocity(s);
    lmb_jacobian(s);
    for (int pass = 0; pass < 8; pass++) {
        set_P(k, s, kind, P);
        for (int i = 0; i < m->nv; i++)
            x[i] = k->a[i] - k->star_a[i];
        project_dense(k, s, P, x, d);
        for (int r = 0; r < m->nrows; r++)
            s->lambda[r] = k->lambda[r] - d[m->nv + r];
    }
    double far = off(k, d, k->a, k->star_a);
    for (int i = 0; i < m->nv; i++)
        x[i] = k->v[i] - k->star_v[i];
    project_dense(k, s, P, x, d);
    double far_v = off(k, d, k->v, k->star_v);
    lmb_total_force(s, Q);
    lmb_reactions_subtract(s, s->lambda, Q);
    lmb_mass_times(s, s->a, inertia);
    for (int i = 0; i < m->nv; i++)
        forces = fmax(forces, fabs(inertia[i] - Q[i]));
    if (getenv("LIMBER_SHOW"))
        printf("%s h %g: (2) %.1e (4) %.1e (5) %.1e, rounding %.1e\n", projections[kind], k->h,
               forces, far_v, far, rounding);
    assert_true(forces < 10 * rounding * m->heaviest); /* a spring of 3000 N/m takes part */
    assert_true(far < rounding && far_v < k->h * rounding);
}

static void the_equations_of_a_step_hold(void **unused)
{
    (void)unused;
    for (int kind = LMB_PROJECT_FULL; kind <= LMB_PROJECT_MASS; kind++) {
        step k = {.m = model_of_text(chain), .h = 0.01};
        const lmb_model *m = k.m;
        assert_true(m->nv <= MOST && m->nrows <= MOST);
        lmb_dynamics *d = start_motion(m, ali3p(k.h, kind));
        lmb_state *s = d->solver->state;
        advance(d, 0.2);
        double q0[MOST], v0[MOST], a0[MOST], psi[MOST], change = 0;
        memcpy(q0, s->q, (size_t)m->nq * sizeof *q0);
        memcpy(v0, s->v, (size_t)m->nv * sizeof *v0);
        memcpy(a0, s->a, (size_t)m->nv * sizeof *a0);
        advance(d, 0.2 + k.h);
        lmb_difference(m, q0, s->q, psi);
        for (int i = 0; i < m->nv; i++) {
            k.star_a[i] = 4 / (k.h * k.h) * (psi[i] - k.h * v0[i]) - a0[i];
            k.star_v[i] = v0[i] + k.h / 2 * (a0[i] + k.star_a[i]);
            change = fmax(change, fabs(s->a[i] - k.star_a[i]));
        }
        memcpy(k.v, s->v, (size_t)m->nv * sizeof *k.v);
        memcpy(k.a, s->a, (size_t)m->nv * sizeof *k.a);
        memcpy(k.lambda, s->lambda, (size_t)m->nrows * sizeof *k.lambda);
        assert_true(change > 1e-3); /* the projection does something */
        check_equations(&k, s, kind);
        finish(d, (lmb_model *)m);
    }
}

/* --- penalty and solver ----------------------------------------------------------------------- */

/* Positions after a while with a penalty and a solver. */
static void positions(const lmb_model *m, double h, double penalty, const lmb_saddle_family *family,
                      double *q)
{
    lmb_integration options = ali3p(h, LMB_PROJECT_FULL);
    options.penalty = penalty;
    lmb_dynamics *d;
    assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
    if (family) {
        lmb_state *s = d->solver->state;
        s->choice.kinds = family->kinds;
        lmb_dynamics *other;
        assert_ok(lmb_dynamics_from(&other, context, s, &options));
        lmb_dynamics_free(d);
        d = other;
    }
    memcpy(q, advance(d, 100 * h)->q, (size_t)m->nq * sizeof *q);
    lmb_dynamics_free(d);
}

/* The penalty says how fast the iteration is, and nothing about where it ends. Rounding grows with
 * it, and with the motion a hundred times at most. */
static void neither_penalty_nor_solver_matters(void **unused)
{
    (void)unused;
    static const char *const examples[] = {"slider-crank-dynamics", "heavy-top", "bricard"};
    static const double steps[] = {1e-3, 1e-4, 1e-3}, penalties[] = {1e2, 1e4, 1e9, 1e10};
    for (int e = 0; e < 3; e++) {
        lmb_model *m = model_of_example(examples[e], NULL, NULL);
        double *q = calloc(2 * (size_t)m->nq, sizeof *q), *other = q + m->nq;
        positions(m, steps[e], 0, NULL, q);
        for (int i = 0; i < 4; i++) {
            positions(m, steps[e], penalties[i], NULL, other);
            double apart = distance(q, other, m->nq);
            if (!(apart < 1e-11))
                fail_msg("%s with penalty %g: %g", examples[e], penalties[i], apart);
        }
        for (const lmb_saddle_family *f = lmb_saddle_families; f->name; f++) {
            positions(m, steps[e], 0, f, other);
            double apart = distance(q, other, m->nq);
            if (!(apart < 1e-11))
                fail_msg("%s with solver %s: %g", examples[e], f->name, apart);
        }
        free(q);
        lmb_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pendulum_has_order_two),
        cmocka_unit_test(andrews_has_order_two),
        cmocka_unit_test(bricard_has_order_two),
        cmocka_unit_test(redundant_rows_share_forces),
        cmocka_unit_test(without_projection_it_blows_up),
        cmocka_unit_test(an_analysis_without_projection_says_why_it_fails),
        cmocka_unit_test(projections_leave_rounding),
        cmocka_unit_test(the_equations_of_a_step_hold),
        cmocka_unit_test(neither_penalty_nor_solver_matters),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
