/* Newton's method on flexible mechanisms: tangents are exact, so errors are squared from one
 * iteration to the next, and the solvers need few of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "analysis/mobility.h"
#include "analysis/statics.h"
#include "math/dense.h"
#include "models.h"
#include "motions.h"
#include "support.h"

/* Two soft beams in space, one on the ground and one on the other, with a mass at the end: they
 * sag so much that ends turn by some 0.3 rad. */
static lmb_model *two_beams(void)
{
    return model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  one:\n"
        "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 6, section: {circle: {diameter: "
        "0.02}},\n"
        "           material: {E: 1e9, nu: 0.3, density: 1000}}\n"
        "    interfaces: {A: start, B: end}\n    reduction: {modes: 2}\n    damping: 0.02\n"
        "  two:\n"
        "    beam: {from: [1, 0, 0], to: [1, 0.7, 0], elements: 5, section: {circle: {diameter: "
        "0.02}},\n"
        "           material: {E: 1e9, nu: 0.3, density: 1000}}\n"
        "    interfaces: {B: start, C: end}\n    reduction: {modes: 2, frame: {point: B}}\n"
        "    masses: {tip: {at: end, mass: 0.05}}\n    damping: 0.02\n"
        "joints:\n"
        "  clamp: {type: fixed, between: [ground, one.A]}\n"
        "  hinge: {type: revolute, between: [one.B, two.B], axis: [1, 0, 0]}\n"
        "forces:\n"
        "  spring: {type: torsion-spring, joint: hinge, stiffness: 4}\n"
        "  wind: {type: force, at: two.C, force: [0.3, 0, 0.1], axes: body}\n");
}

/* The residual (Phi_q^T lambda - Q, Phi) and its size. */
static double residual_of(lmb_state *s, double *r)
{
    const lmb_model *m = s->model;
    double size = 0, *minus = calloc((size_t)m->nrows + 1, sizeof *minus);
    lmb_update_position(s);
    lmb_update_velocity(s);
    lmb_jacobian(s);
    lmb_total_force(s, r);
    for (int i = 0; i < m->nrows; i++)
        minus[i] = -s->lambda[i];
    for (int i = 0; i < m->nv; i++)
        r[i] = -r[i];
    lmb_jacobian_transposed_subtract(s, minus, r);
    lmb_constraints(s, r + m->nv);
    for (int i = 0; i < m->nv + m->nrows; i++)
        size = fmax(size, fabs(r[i]));
    free(minus);
    return size;
}

static void newton_step(lmb_state *s, double *r)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows, all = n + rows;
    double *A = calloc(all * all, sizeof *A), *by_q = calloc(2 * n * n, sizeof *by_q);
    lmb_tangent(s, by_q, by_q + n * n);
    for (size_t j = 0; j < n; j++)
        memcpy(A + j * all, by_q + j * n, n * sizeof *A);
    for (size_t row = 0; row < rows; row++)
        for (int k = 0; k < m->sparse_rows[row].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[row].block + k];
            for (int j = 0; j < block->nv; j++) {
                double x = s->jacobian[block->value + j];
                A[(size_t)(block->v + j) * all + n + row] = x;
                A[(n + row) * all + (size_t)(block->v + j)] = x;
            }
        }
    assert_true(lmb_dense_solve((int)all, A, 1, r));
    for (size_t i = 0; i < n; i++)
        r[i] = -r[i];
    for (size_t i = 0; i < rows; i++)
        s->lambda[i] -= r[n + i];
    lmb_retract(s, s->q, r);
    free(A);
    free(by_q);
}

/* Residuals r1, r2, r3 of quadratic convergence have log(r3/r2) = 2 log(r2/r1) in the limit. */
static void errors_are_squared(void **unused)
{
    (void)unused;
    lmb_model *m = two_beams();
    lmb_state *s = lmb_state_at(m, 0);
    double *r = calloc((size_t)(m->nv + m->nrows), sizeof *r), size[12], order = 0;
    int count = 0;
    memset(s->v, 0, (size_t)m->nv * sizeof *s->v);
    lmb_set_time(s, 0);
    do {
        size[count] = residual_of(s, r);
        if (count >= 2 && size[count] > 1e-11)
            order = log(size[count] / size[count - 1]) / log(size[count - 1] / size[count - 2]);
        if (getenv("LIMBER_SHOW"))
            printf("iteration %d: %.3e, order %.2f\n", count, size[count], order);
        newton_step(s, r);
    } while (size[count++] > 1e-11 && count < 12);
    assert_true(count <= 9);
    assert_true(order > 1.8);
    /* far from straight: the end of the first beam turns by more than 0.2 rad */
    const lmb_frame *end = &s->frames[m->points[1].marker];
    assert_true(end->e[0].x < cos(0.2));
    /* and statics finds the same place */
    lmb_solver *solver;
    lmb_rank rank;
    assert_ok(lmb_solver_new(&solver, context, m));
    assert_ok(lmb_assemble(solver));
    assert_ok(lmb_find_rank(solver, &rank));
    assert_ok(lmb_find_equilibrium(solver));
    for (int i = 0; i < m->point_count; i++) {
        int marker = m->points[i].marker;
        assert_close(v3_norm(v3_sub(solver->state->frames[marker].p, s->frames[marker].p)), 0,
                     1e-9);
    }
    lmb_solver_free(solver);
    lmb_state_free(s);
    free(r);
    lmb_model_free(m);
}

/* What one iteration leaves of the forces when it begins off the equilibrium, in a direction that
 * is the same for all distances. */
static double left_by_one_step(lmb_solver *solver, double distance)
{
    lmb_state *s = lmb_state_at(solver->state->model, 0);
    const lmb_model *m = s->model;
    double *r = calloc((size_t)(m->nv + m->nrows), sizeof *r);
    lmb_state_copy(s, solver->state);
    for (int i = 0; i < m->nv; i++)
        r[i] = distance * sin(1.7 * i);
    lmb_retract(s, s->q, r);
    residual_of(s, r);
    newton_step(s, r);
    double left = residual_of(s, r);
    lmb_state_free(s);
    free(r);
    return left;
}

/* About the equilibrium of the strongly bent and twisted 45-degree bend an iteration squares the
 * error: half of it leaves a quarter, up to the next power of the distance, where a tangent that is
 * not exact would leave half. */
static void errors_of_exact_beams_are_squared(void **unused)
{
    (void)unused;
    for (int order = 1; order <= 3; order++) {
        char word[12];
        snprintf(word, sizeof word, "%d", order);
        lmb_model *m = model_of_example("bend-45", "p", word);
        lmb_solver *solver = at_rest(m);
        double far = left_by_one_step(solver, 4e-6), near = left_by_one_step(solver, 2e-6);
        if (getenv("LIMBER_SHOW"))
            printf("order %d: %.3e and %.3e N are left, of %.3e\n", order, far, near, 600.0);
        assert_true(fabs(far / near - 4) < 0.1);
        lmb_solver_free(solver);
        lmb_model_free(m);
    }
}

/* A step makes one matrix and uses it again while each iteration leaves less than a twentieth of
 * the error; from a guess that is good to 1e-2 or better to 1e-8 that is five iterations, three
 * where the step is short. */
static void steps_take_few_iterations(void **unused)
{
    (void)unused;
    static const double steps[] = {1e-3, 5e-3};
    static const long most[] = {3, 5};
    lmb_model *m = two_beams();
    for (int i = 0; i < 2; i++) {
        lmb_integration options = {
            .integrator = &lmb_integrator_alpha, .step = steps[i], .spectral_radius = 0.8};
        lmb_dynamics *d;
        assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
        assert_ok(lmb_dynamics_advance(d, 200 * steps[i]));
        if (getenv("LIMBER_SHOW"))
            printf("step %g: %ld steps, %ld iterations, %ld factorisations\n", steps[i],
                   d->motion->steps, d->motion->iterations, d->motion->factorisations);
        assert_true(d->motion->factorisations <= 11 * d->motion->steps / 10);
        assert_true(d->motion->iterations <= most[i] * d->motion->steps);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* A matrix of many modes costs as much as several iterations (nv / 15 + 2 of nv coordinates: 6 of
 * 66) and is renewed when these have been spent. With at most two more iterations than a new matrix
 * would need in each step that is in every third step at most. */
static void matrices_of_many_modes_are_kept(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  b: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 20, section: {circle: {diameter: "
        "0.05}}, material: steel}, interfaces: {A: start, B: end}, damping: 0.02,"
        " reduction: {modes: 60, keep: 60}}\n"
        "joints:\n"
        "  j: {type: revolute, between: [ground, b.A], axis: [0, 1, 0]}\n");
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = 1e-3, .spectral_radius = 0.8};
    lmb_dynamics *d;
    assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
    assert_ok(lmb_dynamics_advance(d, 0.3));
    assert_true(d->motion->factorisations <= d->motion->steps / 3);
    assert_true(d->motion->iterations <= 4 * d->motion->steps);
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_squared),
        cmocka_unit_test(errors_of_exact_beams_are_squared),
        cmocka_unit_test(steps_take_few_iterations),
        cmocka_unit_test(matrices_of_many_modes_are_kept),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
