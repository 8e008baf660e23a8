/* A flexible body in another basis of its modes is the same body: energies, equations and their
 * tangents, accelerations, reactions, statics, modes, stresses and section forces. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/modes.h"
#include "analysis/statics.h"
#include "channels/channels.h"
#include "integrate/motion.h"
#include "math/dense.h"
#include "models.h"
#include "motions.h"
#include "neighbours.h"
#include "parts.h"
#include "program.h"
#include "reduction/body_data.h"
#include "support.h"

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/* A random basis whose condition is below about ten: 1.5 on the diagonal, turned and flipped. */
static double *random_basis(lmb_arena *arena, int n, unsigned seed)
{
    double *T = lmb_arena_numbers(arena, (size_t)(n * n));
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            T[k * n + j] = number(&seed) / n + (j == k ? (k % 2 ? -1.5 : 1.5) : 0);
    return T;
}

#define SPACE "limber: 1\ndimension: 3\ngravity: [1, -9, 3]\n"
#define STRUT                                                                                      \
    "bodies:\n"                                                                                    \
    "  arm:\n"                                                                                     \
    "    beam: {along: [[0, 0, 0], [1, 0.2, -0.3], [1.3, 0.9, 0.4]], elements: 6, material: "      \
    "aluminium,\n"                                                                                 \
    "           section: {rectangle: {width: 0.02, height: 0.03}}}\n"                              \
    "    interfaces: {A: start, B: end}\n"                                                         \
    "    masses: {m: {at: [1, 0.2, -0.3], mass: 0.7, inertia: [0.01, 0.02, 0.03]}}\n"              \
    "    damping: {ratio: [0.02, 0.05], stiffness: 1e-5}\n"                                        \
    "    patches: {P: {nodes: all}}\n"                                                             \
    "    probes: {p: {at: [1, 0.2, -0.3]}}\n"

#define HELD                                                                                       \
    "joints: {hold: {type: fixed, between: [ground, arm.A]}}\n"                                    \
    "forces: {pull: {type: force, at: arm.B, force: [30, -20, 10]},\n"                             \
    "         wind: {type: force, at: arm.P, force: [3, 7, -5]}}\n"

static const char *const struts[] = {
    SPACE STRUT "    reduction: {modes: 3, keep: 7, frame: {point: A}}\n" HELD,
    SPACE STRUT "    reduction: {modes: 3, frame: mass-centre}\n" HELD,
    SPACE STRUT "    reduction: {modes: 3, keep: 8, stiffening: true}\n" HELD,
    SPACE STRUT "    coupling: constant\n    reduction: {modes: 2, frame: {chord: [A, B]}}\n" HELD,
};
enum { STRUTS = sizeof struts / sizeof *struts };

/* Of sums over modes, times the conditions of T and of the equations. */
static const double rounding = 1e-10;

/* Gives both states the same motion: random, with modes that move the end by some centimetres. */
static void same_motion(lmb_state *one, lmb_state *other, const double *inverse, unsigned seed)
{
    const lmb_model *m = one->model;
    const lmb_modal *modal = modal_in(m, 1);
    int n = modal->modes, rigid = m->nv - n;
    for (int j = 0; j < rigid; j++)
        one->v[j] = number(&seed);
    for (int j = 0; j < n; j++) {
        one->q[m->nq - n + j] = 0.03 * number(&seed) / modal->size[j];
        one->v[rigid + j] = number(&seed) / modal->size[j];
    }
    memcpy(other->q, one->q, (size_t)m->nq * sizeof *one->q);
    memcpy(other->v, one->v, (size_t)m->nv * sizeof *one->v);
    for (int k = 0; k < n; k++) {
        other->q[m->nq - n + k] = other->v[rigid + k] = 0;
        for (int j = 0; j < n; j++) {
            other->q[m->nq - n + k] += inverse[j * n + k] * one->q[m->nq - n + j];
            other->v[rigid + k] += inverse[j * n + k] * one->v[rigid + j];
        }
    }
    lmb_update(one, 0);
    lmb_update(other, 0);
}

static double *inverse_of(lmb_arena *arena, int n, const double *T)
{
    double *copy = lmb_arena_grow(arena, T, (size_t)(n * n), (size_t)(n * n), sizeof *T);
    double *out = lmb_arena_numbers(arena, (size_t)(n * n));
    for (int k = 0; k < n; k++)
        out[k * (n + 1)] = 1;
    assert_true(lmb_dense_solve(n, copy, n, out));
    return out;
}

static double largest_of(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Whether two lists of numbers agree to a part of the largest. */
static void assert_same(const double *x, const double *y, int n, double tolerance)
{
    double largest = largest_of(y, n), off = distance(x, y, n);
    if (!(off <= tolerance * largest))
        fail_msg("off by %g of %g", off, largest);
}

/* The largest number of a unit. */
static double largest_in(const lmb_channels *c, const double *row, const char *unit)
{
    double largest = 0;
    int at_row, size;
    for (int i = 0; i < lmb_channels_count(c); i++) {
        const lmb_channel *one = &lmb_channels_list(c)[i];
        assert_ok(lmb_channels_find(c, context, one->name, (lmb_place){0}, &at_row, &size));
        if (strcmp(one->unit, unit) == 0)
            largest = fmax(largest, largest_of(row + at_row, size));
    }
    return largest;
}

/* All channels but those of modal coordinates themselves agree, to a part of the largest number of
 * their unit. */
static void assert_same_channels(lmb_state *one, lmb_state *other, unsigned known, double tolerance)
{
    lmb_channels *a, *b;
    assert_ok(lmb_channels_new(&a, context, one->model, known));
    assert_ok(lmb_channels_new(&b, context, other->model, known));
    const double *x = lmb_channels_row(a, one), *y = lmb_channels_row(b, other);
    int stresses = 0, sections = 0;
    for (int i = 0; i < lmb_channels_count(a); i++) {
        const lmb_channel *c = &lmb_channels_list(a)[i];
        int at_row, size;
        assert_ok(lmb_channels_find(a, context, c->name, (lmb_place){0}, &at_row, &size));
        if (strstr(c->name, "mode") || strstr(c->name, "coordinates"))
            continue;
        stresses += strstr(c->name, ".stress.") != NULL;
        sections += strstr(c->name, ".section.") != NULL;
        double off = distance(x + at_row, y + at_row, size), largest = largest_in(a, x, c->unit);
        if (!(off <= tolerance * largest))
            fail_msg("%s is off by %g of %g", c->name, off, largest);
    }
    bool solid = lmb_body_data_of(&one->model->bodies[1])->line_count == 0;
    assert_true(stresses > 0 && (solid || sections > 0));
    lmb_channels_free(a);
    lmb_channels_free(b);
}

/* T^T Q, T^T K T and so on: the equations of the body by themselves. */
static void assert_same_equations(const lmb_state *one, const lmb_state *other, const double *T)
{
    const lmb_body *b = &one->model->bodies[1], *c = &other->model->bodies[1];
    int nv = b->nv, n = modal_in(one->model, 1)->modes, rigid = nv - n;
    size_t size = (size_t)(nv * nv);
    lmb_arena *arena = lmb_arena_new();
    double *X = lmb_arena_numbers(arena, size), *a = lmb_arena_numbers(arena, (size_t)nv);
    double *own = lmb_arena_numbers(arena, (size_t)nv), *room = lmb_arena_numbers(arena, size);
    double *matrix[2][3], *Q[2];
    for (int j = 0; j < rigid; j++)
        X[j * (nv + 1)] = 1;
    for (int k = 0; k < n; k++)
        memcpy(X + (rigid + k) * nv + rigid, T + k * n, (size_t)n * sizeof *T);
    unsigned seed = 5;
    for (int j = 0; j < nv; j++)
        a[j] = number(&seed);
    for (int k = 0; k < nv; k++)
        for (int j = 0; j < nv; j++)
            own[j] += X[k * nv + j] * a[k];
    for (int i = 0; i < 2; i++) {
        const lmb_body_at *at = &(i ? other : one)->bodies[1];
        const lmb_body *body = i ? c : b;
        for (int k = 0; k < 3; k++)
            matrix[i][k] = lmb_arena_numbers(arena, size);
        Q[i] = lmb_arena_numbers(arena, (size_t)nv);
        lmb_window window = {matrix[i][1], matrix[i][2], nv};
        vec3 g = one->model->gravity;
        body->ops->mass(at, matrix[i][0]);
        body->ops->force(at, g, Q[i]);
        body->ops->tangent(at, g, i ? a : own, &window);
    }
    for (int k = 0; k < 3; k++) {
        memset(room, 0, size * sizeof *room);
        for (int i = 0; i < nv; i++) /* X^T A X */
            for (int j = 0; j < nv; j++)
                for (int l = 0; l < nv; l++)
                    for (int m = 0; m < nv && X[i * nv + l] != 0; m++)
                        room[i * nv + j] +=
                            X[j * nv + m] * matrix[0][k][l * nv + m] * X[i * nv + l];
        assert_same(matrix[1][k], room, nv * nv, 1e-12);
    }
    memset(room, 0, size * sizeof *room);
    for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++)
            room[i] += X[i * nv + j] * Q[0][j];
    assert_same(Q[1], room, nv, 1e-12);
    lmb_arena_free(arena);
}

static void test_other_basis(void **unused)
{
    (void)unused;
    for (int i = 0; i < STRUTS; i++) {
        lmb_model *one = model_of_text(struts[i]), *other = model_of_text(struts[i]);
        int n = modal_in(one, 1)->modes;
        double *T = random_basis(other->arena, n, 17 + (unsigned)i);
        double *inverse = inverse_of(other->arena, n, T);
        if (i == 2)
            assert_true(modal_in(one, 1)->stretch_count > 0);
        /* in two steps: the first basis is changed again */
        change_basis(other, 1, T);
        change_basis(other, 1, inverse);
        change_basis(other, 1, T);
        assert_same(lmb_body_elasticity(&other->bodies[1])->T, T, n * n, 1e-13);
        lmb_state *s = lmb_state_new(one), *t = lmb_state_new(other);
        same_motion(s, t, inverse, 3);
        lmb_balance a = lmb_total_balance(s), b = lmb_total_balance(t);
        assert_close(b.kinetic / a.kinetic, 1, 1e-12);
        assert_close(b.elastic / a.elastic, 1, 1e-12);
        assert_same_equations(s, t, T);
        assert_same_channels(s, t, LMB_KNOWN_MOTION, rounding);
        lmb_state_free(s);
        lmb_state_free(t);
        lmb_model_free(one);
        lmb_model_free(other);
    }
}

/* Accelerations and reactions, the static deflection, and modes about it. */
static void test_other_basis_solved(void **unused)
{
    (void)unused;
    for (int i = 0; i < STRUTS; i++) {
        lmb_model *one = model_of_text(struts[i]), *other = model_of_text(struts[i]);
        change_basis(other, 1, random_basis(other->arena, modal_in(one, 1)->modes, 4));
        lmb_integration options = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-6};
        lmb_dynamics *a = start_motion(one, options), *b = start_motion(other, options);
        assert_same_channels(a->solver->state, b->solver->state,
                             LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS, rounding);
        lmb_dynamics_free(a);
        lmb_dynamics_free(b);
        lmb_solver *s = at_rest(one), *t = at_rest(other);
        /* coupling: constant has no potential; then statics promise 1e-7 of the forces */
        assert_same_channels(s->state, t->state, LMB_KNOWN_REACTIONS, i == 3 ? 1e-7 : rounding);
        lmb_mode_list x, y;
        assert_ok(lmb_find_modes(s, &x));
        assert_ok(lmb_find_modes(t, &y));
        assert_int_equal(x.count, y.count);
        for (int k = 0; k < x.count; k++) {
            assert_close(y.modes[k].frequency / x.modes[k].frequency, 1, 1e-9);
            assert_close(y.modes[k].damping, x.modes[k].damping, 1e-9);
        }
        lmb_mode_list_free(&x);
        lmb_mode_list_free(&y);
        lmb_solver_free(s);
        lmb_solver_free(t);
        lmb_model_free(one);
        lmb_model_free(other);
    }
}

/* A solid: its stresses, and a patch on its surface. */
static void test_other_basis_solid(void **unused)
{
    (void)unused;
    lmb_mesh *mesh;
    char text[2000];
    assert_ok(part_clapper.solid(&mesh, context, LMB_HEX8, 0.9));
    assert_ok(part_write(mesh, "clapper", scratch_path("clapper.msh"), context));
    lmb_arena_free(mesh->arena);
    snprintf(text, sizeof text,
             SPACE "bodies:\n  arm:\n"
                   "    mesh: {file: %s, material: steel}\n    damping: 0.02\n"
                   "    interfaces:\n      A: {point: [0, 0, 0], nodes: pivot}\n"
                   "      B: {point: [0, 0, -8], nodes: bearing}\n"
                   "    patches: {P: {nodes: bearing}}\n    probes: {p: {node: 40}}\n"
                   "    reduction: {modes: 6, keep: 9}\n" HELD,
             scratch_path("clapper.msh"));
    lmb_model *one = model_of_text(text), *other = model_of_text(text);
    int n = modal_in(one, 1)->modes;
    double *T = random_basis(other->arena, n, 8), *inverse = inverse_of(other->arena, n, T);
    change_basis(other, 1, T);
    lmb_state *s = lmb_state_new(one), *t = lmb_state_new(other);
    same_motion(s, t, inverse, 3);
    assert_same_equations(s, t, T);
    assert_same_channels(s, t, LMB_KNOWN_MOTION, rounding);
    lmb_state_free(s);
    lmb_state_free(t);
    lmb_model_free(one);
    lmb_model_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_basis),
        cmocka_unit_test(test_other_basis_solved),
        cmocka_unit_test(test_other_basis_solid),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
