/* Modes of neighbours, aligned: they depend smoothly on parameters, also where frequencies are
 * repeated and signs arbitrary, and derivatives by parameters come out of them. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bodies/modal.h"
#include "math/dense.h"
#include "model/align.h"
#include "models.h"
#include "neighbours.h"
#include "parts.h"
#include "program.h"
#include "reduction/body_data.h"
#include "support.h"

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
static double aligned_roughness(const char *text, const char *parameter, double p, double d)
{
    family f = family_of(text, parameter, p, d, true, true);
    family g = family_of(text, parameter, p, d / 4, true, true);
    double rough = roughness(&f, &g);
    free_family(&f);
    free_family(&g);
    return rough;
}

/* Truncation of the stencil is d^4 times a fifth derivative; rounding 1e-15 of the numbers over d,
 * times what the eigenvalue problem loses: 1e-9 leaves room for both in a beam. Without alignment
 * nothing is left of the derivative. */
static void check_smooth(const char *text, const char *parameter, double p, double d,
                         double tolerance)
{
    double rough = aligned_roughness(text, parameter, p, d);
    if (!(rough < tolerance))
        fail_msg("by %s: %g", parameter, rough);
    family f = family_of(text, parameter, p, d, false, true);
    family g = family_of(text, parameter, p, d / 4, false, true);
    rough = roughness(&f, &g);
    if (!(rough > 1))
        fail_msg("by %s, not aligned: %g", parameter, rough);
    free_family(&f);
    free_family(&g);
}

static void test_smooth_plane(void **unused)
{
    (void)unused;
    check_smooth(planar, "h", 0.03, 1e-3, 1e-9);
    check_smooth(planar, "L", 1.5, 1e-3, 1e-9);
    check_smooth(bent, "h", 0.03, 1e-3, 1e-9);
    check_smooth(bent, "E", 7e10, 1e-3, 1e-9);
    check_smooth(bent, "x", 0.6, 2.5e-4, 1e-9);
    /* fixed-interface modes that are used and left out are coupled by x: the fifth derivative is
     * large, and the error that of the stencil, of fourth order */
    double far = aligned_roughness(coupled, "x", 0.6, 1e-3);
    double near = aligned_roughness(coupled, "x", 0.6, 5e-4);
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
    check_smooth(square, "h", 0.03, 1e-3, 1e-9);
    check_smooth(square, "m", 0.2, 1e-3, 1e-9);
    check_smooth(square, "L", 1.5, 1e-3, 1e-9);
    check_smooth(square, "nu", 0.3, 1e-3, 1e-9);
}

/* The solid clapper, of few elements: bending modes in pairs, and stresses of solids. */
static void test_smooth_mesh(void **unused)
{
    (void)unused;
    lmb_mesh *mesh;
    char text[2000];
    assert_ok(part_clapper.solid(&mesh, context, LMB_HEX20, 0.9));
    assert_ok(part_write(mesh, "clapper", scratch_path("clapper.msh"), context));
    lmb_arena_free(mesh->arena);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\n" PARAMETERS "bodies:\n  clapper:\n"
             "    mesh: {file: %s, material: {E: E, nu: nu, density: rho}}\n"
             "    masses: {m: {node: 40, mass: 100*m}}\n"
             "    interfaces:\n"
             "      pivot: {point: [0, 0, 0], nodes: pivot}\n"
             "      bearing: {point: [0, 0, -8], nodes: bearing}\n"
             "    reduction: {modes: 2, frame: {point: pivot}}\n",
             scratch_path("clapper.msh"));
    /* a mass leaves the stiffness alone; stresses are differences of displacements within elements,
     * a thousandth of what the end of the tube moves */
    check_smooth(text, "m", 0.2, 1e-3, 1e-7);
    /* nu changes all of the stiffness of the solid, whose rounding 1e-16 moves static shapes by
     * that times its condition, (highest / lowest frequency)^2 = 1e7, over the smaller step */
    check_smooth(text, "nu", 0.3, 4e-3, 1e-5);
}

/* --- derivatives ------------------------------------------------------------------------------ */

/* What rounding leaves of derivatives of the lowest mode: the eigenvalue problem of n modes knows
 * all values to n DBL_EPSILON of the highest; the weights of the stencil add up to 1.5 / d. */
static double lost(const family *f)
{
    const lmb_modal *m = modal_in(f->base, 1);
    double highest = 0;
    for (int k = 0; k < m->modes; k++)
        highest = fmax(highest, m->K[k * (m->modes + 1)]);
    return m->modes * DBL_EPSILON * highest / m->K[0] * 1.5 / f->d;
}

/* d ln f / d ln p of the lowest mode of a body, from aligned neighbours at its modes: with unit
 * modal mass, d(w^2) = dK - w^2 dM. */
static void check_frequency(const char *parameter, double p, double exponent)
{
    family f = family_of(planar, parameter, p, 1e-3, true, true);
    double w2 = modal_in(f.base, 1)->K[0], dK = 0, dM = 0;
    assert_close(modal_in(f.base, 1)->M[0], 1, 1e-12);
    for (int i = 0; i < NEIGHBOURS; i++) {
        dK += weight[i] * modal_in(f.near[i], 1)->K[0] / (12 * f.d);
        dM += weight[i] * modal_in(f.near[i], 1)->M[0] / (12 * f.d);
    }
    assert_close((dK - w2 * dM) / (2 * w2), exponent, lost(&f));
    free_family(&f);
}

/* A cantilever: f = c sqrt(E I / (rho A)) / L^2. */
static void test_frequency_exponents(void **unused)
{
    (void)unused;
    check_frequency("E", 7e10, 0.5);
    check_frequency("rho", 2700, -0.5);
    check_frequency("L", 1.5, -2);
    check_frequency("h", 0.03, 1);
    check_frequency("w", 0.03, 0);
}

/* The modal coordinates of a body that is held at A when a force pulls at B. */
static void solve_pulled(const lmb_modal *m, vec3 force, double *eta)
{
    int n = m->modes;
    double K[30 * 30];
    assert_true(n <= 30);
    memcpy(K, m->K, (size_t)(n * n) * sizeof *K);
    for (int k = 0; k < n; k++)
        eta[k] = v3_dot(m->points[1].psi[k], force);
    assert_true(lmb_dense_solve(n, K, 1, eta));
}

/* d(u . force)/d(ln p) of the end of a body that is held at A, u = psi eta, K eta = psi^T force:
 * eta stays that of the base, and the change of u is 2 dpsi eta . force - eta^T dK eta. */
static double pulled_derivative(const family *f, vec3 force)
{
    const lmb_modal *base = modal_in(f->base, 1);
    double eta[30], sum = 0;
    int n = base->modes;
    solve_pulled(base, force, eta);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const lmb_modal *m = modal_in(f->near[i], 1);
        double share = 0;
        for (int k = 0; k < n; k++) {
            share += 2 * v3_dot(m->points[1].psi[k], force) * eta[k];
            for (int j = 0; j < n; j++)
                share -= eta[j] * m->K[k * n + j] * eta[k];
        }
        sum += weight[i] * share / (12 * f->d);
    }
    return sum;
}

/* Static deflection: F^2 L^3 / (3 E I) and its powers of all sizes; in space also shear. */
static void check_pulled(const char *text, const char *parameter, double p, vec3 force,
                         double power)
{
    family f = family_of(text, parameter, p, 1e-3, true, true);
    double eta[30], u = 0, slope = 0;
    for (int i = 0; i < NEIGHBOURS; i++) { /* of solutions, which do not depend on the basis */
        const lmb_modal *m = modal_in(f.near[i], 1);
        solve_pulled(m, force, eta);
        for (int k = 0; k < m->modes; k++)
            slope += weight[i] * v3_dot(m->points[1].psi[k], force) * eta[k] / (12 * f.d);
    }
    solve_pulled(modal_in(f.base, 1), force, eta);
    for (int k = 0; k < modal_in(f.base, 1)->modes; k++)
        u += v3_dot(modal_in(f.base, 1)->points[1].psi[k], force) * eta[k];
    assert_close(pulled_derivative(&f, force) / u, slope / u, lost(&f));
    if (!isnan(power))
        assert_close(slope / u, power, lost(&f));
    free_family(&f);
}

static void test_static_derivatives(void **unused)
{
    (void)unused;
    check_pulled(planar, "E", 7e10, v3(0, 1, 0), -1);
    check_pulled(planar, "L", 1.5, v3(0, 1, 0), 3);
    check_pulled(planar, "h", 0.03, v3(0, 1, 0), -3);
    check_pulled(planar, "w", 0.03, v3(0, 1, 0), -1);
    check_pulled(planar, "rho", 2700, v3(0, 1, 0), 0);
    check_pulled(square, "E", 7e10, v3(0, 1, 2), -1);
    check_pulled(square, "h", 0.03, v3(0, 1, 2), NAN);
    check_pulled(square, "w", 0.03, v3(0, 1, 2), NAN);
    check_pulled(square, "m", 0.2, v3(0, 1, 2), 0);
}

/* Stiffening: the energy of neighbours at the same modal coordinates depends smoothly on h; its
 * derivative is that of one whose signs were flipped before. */
static void test_stiffening(void **unused)
{
    (void)unused;
    const char *text = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
        "[[0, 0], [L, 0]]") "    reduction: {modes: 3, frame: {point: A}, stiffening: true}\n";
    double slopes[3], eta[8];
    for (int k = 0; k < 3; k++) {
        family f = family_of(text, "h", 0.03, k == 1 ? 2.5e-4 : 1e-3, true, k == 2);
        const lmb_modal *base = modal_in(f.base, 1);
        assert_true(base->stretch_count > 0 && base->modes <= 8);
        slopes[k] = 0;
        for (int j = 0; j < base->modes; j++)
            eta[j] = 0.1 / base->size[j];
        for (int i = 0; i < NEIGHBOURS; i++)
            slopes[k] +=
                weight[i] * lmb_modal_stretch_energy(modal_in(f.near[i], 1), eta) / (12 * f.d);
        free_family(&f);
    }
    assert_true(fabs(slopes[0]) > 1);
    assert_close(slopes[1] / slopes[0], 1, 1e-9);
    assert_close(slopes[2] / slopes[0], 1, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_plane),       cmocka_unit_test(test_smooth_pairs),
        cmocka_unit_test(test_smooth_mesh),        cmocka_unit_test(test_frequency_exponents),
        cmocka_unit_test(test_static_derivatives), cmocka_unit_test(test_stiffening),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
