/* Modes of neighbours: a body in another basis of its modes is the same body; aligned modes depend
 * smoothly on parameters, also where frequencies are repeated and where signs are arbitrary; and
 * derivatives by parameters come out of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/modes.h"
#include "analysis/statics.h"
#include "bodies/flexible.h"
#include "channels/channels.h"
#include "integrate/motion.h"
#include "math/dense.h"
#include "model/align.h"
#include "models.h"
#include "motions.h"
#include "parts.h"
#include "program.h"
#include "read/reader.h"
#include "reduction/align.h"
#include "support.h"

/* --- models ----------------------------------------------------------------------------------- */

/* A model with a parameter set to a value, as a neighbour of a base unless that is NULL. */
static lmb_status compile(lmb_model **out, const char *text, const char *parameter, double value,
                          const lmb_model *base)
{
    char number[40];
    lmb_spec *spec;
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    snprintf(number, sizeof number, "%.17g", value);
    if (parameter)
        assert_ok(lmb_spec_set(spec, context, parameter, number));
    spec->like = base;
    lmb_status status = lmb_model_compile(out, context, spec);
    lmb_spec_free(spec);
    return status;
}

static lmb_model *model_at(const char *text, const char *parameter, double value,
                           const lmb_model *base)
{
    lmb_model *model;
    assert_ok(compile(&model, text, parameter, value, base));
    return model;
}

static const lmb_modal *modal_in(const lmb_model *m, int i)
{
    return lmb_body_elasticity(&m->bodies[i])->modal;
}

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/* Puts a body of a model into another basis. */
static void change_basis(lmb_model *m, int i, const double *T)
{
    lmb_body *b = &m->bodies[i];
    const lmb_body_data *data = lmb_body_data_in_basis(m->arena, lmb_body_data_of(b), T);
    assert_non_null(data);
    assert_ok(lmb_flexible_in_basis(b, context, m->arena, data, T));
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

/* --- the same body in another basis ----------------------------------------------------------- */

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
    assert_true(stresses > 0 && sections > 0);
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

/* --- smooth neighbours ------------------------------------------------------------------------ */

enum { NEIGHBOURS = 4 };
static const double at[NEIGHBOURS] = {-2, -1, 1, 2}, weight[NEIGHBOURS] = {1, -8, 8, -1};

/* The neighbours of a model by a parameter p (1 + k d). */
typedef struct family {
    lmb_model *base, *near[NEIGHBOURS];
    double d;
} family;

/* `spoil`: signs of neighbours are flipped before they are aligned, one after the other. */
static family family_of(const char *text, const char *parameter, double p, double d, bool align,
                        bool spoil)
{
    family f = {.base = model_at(text, parameter, p, NULL), .d = d};
    for (int i = 0; i < NEIGHBOURS; i++) {
        lmb_model *m = f.near[i] = model_at(text, parameter, p * (1 + at[i] * d), f.base);
        int n = modal_in(m, 1)->modes;
        double *T = lmb_arena_numbers(m->arena, (size_t)(n * n));
        for (int k = 0; k < n; k++)
            T[k * (n + 1)] = (k + i) % 2 ? 1 : -1;
        if (spoil)
            change_basis(m, 1, T);
        if (align)
            assert_ok(lmb_model_align_modes(m, context, f.base));
    }
    return f;
}

static void free_family(family *f)
{
    for (int i = 0; i < NEIGHBOURS; i++)
        lmb_model_free(f->near[i]);
    lmb_model_free(f->base);
}

/* Arrays of a body in its modes. */
enum { ARRAYS = 15 };
typedef struct array {
    const double *numbers;
    size_t count;
} array;

static void arrays_of(const lmb_model *m, array out[ARRAYS])
{
    const lmb_modal *a = modal_in(m, 1);
    const lmb_body_data *d = lmb_body_data_of(&m->bodies[1]);
    const lmb_reduced *r = d->reduced;
    size_t n = (size_t)a->modes, g = (size_t)lmb_gram_size(a->modes),
           nodes = 3 * (size_t)r->node_count;
    const lmb_modal_point *last = &a->points[a->point_count - 1];
    const array all[ARRAYS] = {{a->K, n * n},
                               {a->M, n * n},
                               {a->C, n * n},
                               {(const double *)a->D, 3 * n},
                               {(const double *)a->E0, 3 * n},
                               {(const double *)a->E1, 3 * n * n},
                               {(const double *)a->J1, 9 * n},
                               {(const double *)a->J2, 9 * n * n},
                               {(const double *)last->psi, 3 * n},
                               {(const double *)last->phi, 3 * n},
                               {r->gram, g * g},
                               {r->shape, nodes * n},
                               {d->stress, (size_t)d->stress_count * 6 * n},
                               {d->line_forces, (size_t)d->line_count * 12 * n},
                               {r->turn, r->turn ? nodes * n : 0}};
    memcpy(out, all, sizeof all);
}

/* p d/dp of a number of an array. */
static double derivative(const family *f, array arrays[NEIGHBOURS][ARRAYS], int which, size_t k)
{
    double sum = 0;
    for (int i = 0; i < NEIGHBOURS; i++)
        sum += weight[i] * arrays[i][which].numbers[k];
    return sum / (12 * f->d);
}

/* How far derivatives by two families are apart, as a part of the numbers of their array. */
static double roughness(const family *f, const family *g)
{
    array a[NEIGHBOURS][ARRAYS], b[NEIGHBOURS][ARRAYS], base[ARRAYS];
    double worst = 0;
    arrays_of(f->base, base);
    for (int i = 0; i < NEIGHBOURS; i++) {
        arrays_of(f->near[i], a[i]);
        arrays_of(g->near[i], b[i]);
    }
    for (int which = 0; which < ARRAYS; which++) {
        double largest = 0, off = 0;
        for (size_t k = 0; k < base[which].count; k++) {
            double x = derivative(f, a, which, k), y = derivative(g, b, which, k);
            largest = fmax(largest, fmax(fabs(base[which].numbers[k]), fabs(x)));
            off = fmax(off, fabs(x - y));
        }
        if (largest > 0)
            worst = fmax(worst, off / largest);
    }
    return worst;
}

#define PARAMETERS                                                                                 \
    "parameters: {E: 7e10, rho: 2700, L: 1.5, h: 0.03, w: 0.03, m: 0.2, nu: 0.3, x: 0.6}\n"
#define BEAM(points)                                                                               \
    "bodies:\n"                                                                                    \
    "  beam:\n"                                                                                    \
    "    beam: {along: " points ", elements: 10, material: {E: E, nu: nu, density: rho},\n"        \
    "           section: {rectangle: {height: h, width: w}}}\n"                                    \
    "    interfaces: {A: start, B: end}\n    damping: 0.02\n"

static const char planar[] = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
    "[[0, 0], [L, 0]]") "    reduction: {modes: 3, frame: {point: A}}\n";
static const char bent[] = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
    "[[0, 0], [x, 0.2], [L, 0]]") "    reduction: {modes: 2}\n";
static const char coupled[] = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
    "[[0, 0], [x, 0.2], [L, 0]]") "    reduction: {modes: 4, keep: 6}\n";
static const char square[] = "limber: 1\ndimension: 3\n" PARAMETERS BEAM(
    "[[0, 0, 0], [L, 0, 0]]") "    masses: {m: {node: 4, mass: m}}\n"
                              "    reduction: {modes: 6, frame: {point: A}}\n";

/* Alignment makes derivatives by steps d and d/4 the same. */
static double aligned_roughness(const char *text, const char *parameter, double p, double d,
                                bool spoil)
{
    family f = family_of(text, parameter, p, d, true, spoil);
    family g = family_of(text, parameter, p, d / 4, true, spoil);
    double rough = roughness(&f, &g);
    free_family(&f);
    free_family(&g);
    return rough;
}

/* Truncation of the stencil is d^4 times a fifth derivative; rounding 1e-15 of the numbers over d,
 * times what the eigenvalue problem loses: 1e-9 leaves room for both. Without alignment nothing is
 * left of the derivative. */
static void check_smooth(const char *text, const char *parameter, double p, double d, bool spoil)
{
    double rough = aligned_roughness(text, parameter, p, d, spoil);
    if (!(rough < 1e-9))
        fail_msg("by %s: %g", parameter, rough);
    family f = family_of(text, parameter, p, d, false, spoil);
    family g = family_of(text, parameter, p, d / 4, false, spoil);
    rough = roughness(&f, &g);
    if (!(rough > 1))
        fail_msg("by %s, not aligned: %g", parameter, rough);
    free_family(&f);
    free_family(&g);
}

static void test_smooth_plane(void **unused)
{
    (void)unused;
    check_smooth(planar, "h", 0.03, 1e-3, true);
    check_smooth(planar, "L", 1.5, 1e-3, true);
    check_smooth(bent, "h", 0.03, 1e-3, true);
    check_smooth(bent, "E", 7e10, 1e-3, true);
    check_smooth(bent, "x", 0.6, 2.5e-4, true);
    /* fixed-interface modes that are used and left out are coupled by x: the fifth derivative is
     * large, and the error that of the stencil, of fourth order */
    double far = aligned_roughness(coupled, "x", 0.6, 1e-3, true);
    double near = aligned_roughness(coupled, "x", 0.6, 5e-4, true);
    assert_true(far > 1e-7 && far / near > 14 && far / near < 18);
}

/* A square section: bending modes in pairs, of any direction. A parameter that parts them (h), and
 * some that do not. */
static void test_smooth_pairs(void **unused)
{
    (void)unused;
    lmb_model *m = model_at(square, NULL, 0, NULL);
    const double *f = lmb_body_data_of(&m->bodies[1])->reduced->frequency;
    assert_close(f[1] / f[0], 1, 1e-9);
    assert_close(f[3] / f[2], 1, 1e-9);
    lmb_model_free(m);
    check_smooth(square, "h", 0.03, 1e-3, true);
    check_smooth(square, "m", 0.2, 1e-3, true);
    check_smooth(square, "L", 1.5, 1e-3, true);
    check_smooth(square, "nu", 0.3, 1e-3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_basis),
        cmocka_unit_test(test_other_basis_solved),
        cmocka_unit_test(test_smooth_plane),
        cmocka_unit_test(test_smooth_pairs),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
