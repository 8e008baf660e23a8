/* Beams: deflections of standard cases, which the elements give exactly, and frequencies. */
#include <stdlib.h>
#include <string.h>

#include "fe/beam.h"
#include "fe/properties.h"
#include "meshes.h"
#include "support.h"

static const lmb_material steel = {"steel", 210e9, 0.3, 7850, false};
static const double L = 2;

/* A beam of a length from the origin, with a rectangular section of y = 0.03, z = 0.02. */
typedef struct beam {
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_section section;
    double *u, *f;
    bool *fixed;
} beam;

static beam make(int dimension, vec3 end, int elements, bool shear, vec3 y_axis, double y, double z)
{
    lmb_context *context = lmb_context_new();
    beam b = {0};
    vec3 points[2] = {{0, 0, 0}, end};
    lmb_beam_line line = {.name = "beam",
                          .dimension = dimension,
                          .points = points,
                          .point_count = 2,
                          .elements = elements,
                          .material = steel};
    assert_int_equal(lmb_section_rectangle(&line.section, context, y, z, steel.nu), LMB_OK);
    if (!shear)
        line.section.shear_y = line.section.shear_z = 0;
    line.section.y_axis = y_axis;
    b.section = line.section;
    assert_int_equal(lmb_beam_mesh(&b.mesh, context, &line), LMB_OK);
    b.model = model_of(b.mesh);
    b.u = calloc((size_t)b.model->n, sizeof *b.u);
    b.f = calloc((size_t)b.model->n, sizeof *b.f);
    b.fixed = calloc((size_t)b.model->n, sizeof *b.fixed);
    lmb_context_free(context);
    return b;
}

static void drop(beam *b)
{
    lmb_arena_free(b->model->arena);
    lmb_arena_free(b->mesh->arena);
    free(b->u);
    free(b->f);
    free(b->fixed);
}

static beam planar(int elements)
{
    return make(2, v3(L, 0, 0), elements, false, v3(0, 0, 0), 0.03, 0.02);
}

static void hold(beam *b, int node, unsigned directions)
{
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        if (directions & LMB_BIT(d) && b->model->dof[node][d] >= 0)
            b->fixed[b->model->dof[node][d]] = true;
}

enum { ALL = LMB_TRANSLATIONS | LMB_ROTATIONS };

static double at(const beam *b, int node, int direction)
{
    return b->u[b->model->dof[node][direction]];
}

static double *load(beam *b, int node, int direction)
{
    return &b->f[b->model->dof[node][direction]];
}

static void relax(beam *b)
{
    solve(b->model, b->fixed, b->f, b->u);
}

/* Loads of a uniform force a length on all elements: half at each node, and a pair of moments. */
static void load_uniformly(beam *b, double q)
{
    for (int i = 0; i < b->mesh->element_count; i++) {
        double h = L / b->mesh->element_count;
        *load(b, i, LMB_UY) += q * h / 2;
        *load(b, i + 1, LMB_UY) += q * h / 2;
        *load(b, i, LMB_RZ) += q * h * h / 12;
        *load(b, i + 1, LMB_RZ) -= q * h * h / 12;
    }
}

/* The condition of K is that of (L/h)^4 ~ 1e3 elements times units; 1e-10 is far above rounding. */
static const double exact = 1e-10;

static void cantilevers_bend_as_in_the_books(void **unused)
{
    (void)unused;
    beam b = planar(4);
    double EI = steel.E * b.section.Iz, P = 70, m = 50, q = 90;
    hold(&b, 0, ALL);
    *load(&b, 4, LMB_UY) = P;
    relax(&b);
    assert_close(at(&b, 4, LMB_UY) / (P * L * L * L / (3 * EI)), 1, exact);
    assert_close(at(&b, 4, LMB_RZ) / (P * L * L / (2 * EI)), 1, exact);
    *load(&b, 4, LMB_UY) = 0;
    *load(&b, 4, LMB_RZ) = m;
    relax(&b);
    assert_close(at(&b, 4, LMB_UY) / (m * L * L / (2 * EI)), 1, exact);
    assert_close(at(&b, 4, LMB_RZ) / (m * L / EI), 1, exact);
    *load(&b, 4, LMB_RZ) = 0;
    load_uniformly(&b, q);
    relax(&b);
    assert_close(at(&b, 4, LMB_UY) / (q * pow(L, 4) / (8 * EI)), 1, exact);
    assert_close(at(&b, 2, LMB_UY) / (q * pow(L, 4) * 17 / (384 * EI)), 1, exact);
    drop(&b);
}

static void supported_beams_bend_as_in_the_books(void **unused)
{
    (void)unused;
    beam b = planar(10);
    double EI = steel.E * b.section.Iz, P = 1000;
    hold(&b, 0, LMB_BIT(LMB_UX) | LMB_BIT(LMB_UY));
    hold(&b, 10, LMB_BIT(LMB_UY));
    *load(&b, 5, LMB_UY) = -P;
    relax(&b);
    assert_close(at(&b, 5, LMB_UY) / (-P * L * L * L / (48 * EI)), 1, exact);
    *load(&b, 5, LMB_UY) = 0;
    *load(&b, 3, LMB_UY) = -P;
    relax(&b);
    double a = 0.3 * L, c = 0.7 * L;
    assert_close(at(&b, 3, LMB_UY) / (-P * a * a * c * c / (3 * EI * L)), 1, exact);
    hold(&b, 0, ALL);
    hold(&b, 10, ALL);
    memset(b.u, 0, (size_t)b.model->n * sizeof *b.u);
    relax(&b);
    assert_close(at(&b, 3, LMB_UY) / (-P * pow(a * c / L, 3) / (3 * EI)), 1, exact);
    drop(&b);
}

/* P L^3 / 3EI + P L / kGA in both planes, for a beam in any direction: a short one, where shear
 * gives a fifth. */
static void shear_adds_to_the_deflection(void **unused)
{
    (void)unused;
    vec3 x = v3_unit(v3(1, 2, -0.5)), y = v3_unit(v3_cross(v3(0.3, 0.1, 1), x)), z = v3_cross(x, y);
    double length = 0.5, P = 1e4, G = steel.E / (2 * (1 + steel.nu));
    for (int plane = 0; plane < 2; plane++) {
        beam b = make(3, v3_scale(length, x), 3, true, y, 0.2, 0.1);
        vec3 way = plane ? z : y;
        double I = plane ? b.section.Iy : b.section.Iz;
        hold(&b, 0, ALL);
        for (int i = 0; i < 3; i++)
            *load(&b, 3, i) = P * v3_get(way, i);
        relax(&b);
        double tip = P * pow(length, 3) / (3 * steel.E * I) +
                     P * length / (b.section.shear_y * G * b.section.A);
        vec3 u = v3(at(&b, 3, 0), at(&b, 3, 1), at(&b, 3, 2));
        vec3 r = v3(at(&b, 3, 3), at(&b, 3, 4), at(&b, 3, 5));
        assert_close(v3_dot(u, way) / tip, 1, exact);
        assert_close(v3_norm(u) / tip, 1, exact);
        assert_close(v3_dot(r, v3_cross(x, way)) / (P * length * length / (2 * steel.E * I)), 1,
                     exact);
        drop(&b);
    }
}

/* Stretching and torsion: F L / EA and T L / GJ. */
static void bars_stretch_and_twist(void **unused)
{
    (void)unused;
    vec3 x = v3_unit(v3(-1, 0.4, 0.7));
    beam b = make(3, v3_scale(L, x), 2, true, v3(0, 0, 0), 0.03, 0.02);
    double F = 5e4, T = 20, G = steel.E / (2 * (1 + steel.nu));
    hold(&b, 0, ALL);
    for (int i = 0; i < 3; i++) {
        *load(&b, 2, i) = F * v3_get(x, i);
        *load(&b, 2, 3 + i) = T * v3_get(x, i);
    }
    relax(&b);
    vec3 u = v3(at(&b, 2, 0), at(&b, 2, 1), at(&b, 2, 2));
    vec3 r = v3(at(&b, 2, 3), at(&b, 2, 4), at(&b, 2, 5));
    assert_close(v3_dot(u, x) / (F * L / (steel.E * b.section.A)), 1, exact);
    assert_close(v3_dot(r, x) / (T * L / (G * b.section.J)), 1, exact);
    drop(&b);
}

/* Section forces of a cantilever with a force across at its tip. */
static void section_forces_balance_the_load(void **unused)
{
    (void)unused;
    beam b = planar(2);
    double P = 70, F = 500;
    hold(&b, 0, ALL);
    *load(&b, 2, LMB_UX) = F;
    *load(&b, 2, LMB_UY) = P;
    relax(&b);
    lmb_element_data e;
    lmb_section_forces ends[2];
    lmb_element_gather(b.mesh, 0, &e);
    lmb_beam_forces(&e, false, 1, b.u, ends, 2);
    assert_close(ends[0].N, F, 1e-9);
    assert_close(ends[0].Vy, P, 1e-9);
    assert_close(ends[0].Mz, P * L, 1e-9);
    assert_close(ends[1].Mz, P * L / 2, 1e-9);
    assert_close(ends[1].N, F, 1e-9);
    drop(&b);
}

/* Roots of the frequency equations; f = root^2 / 2 pi sqrt(EI / (rho A L^4)). */
static void check_frequencies(beam *b, int skip, const double roots[3])
{
    double hz[8], c = sqrt(steel.E * b->section.Iz / (steel.density * b->section.A)) / (L * L);
    frequencies(b->model, b->fixed, skip + 3, hz, NULL);
    for (int k = 0; k < 3; k++)
        assert_close(hz[skip + k] / (roots[k] * roots[k] * c / (2 * LMB_PI)), 1, 1e-4);
}

/* With 20 elements the error is of the order (root h / L)^4 / 720 < 1e-4. Stretching comes later.
 */
static void frequencies_are_those_of_theory(void **unused)
{
    (void)unused;
    const double clamped[3] = {1.87510406871196, 4.69409113297418, 7.85475743823761};
    const double open[3] = {4.73004074486270, 7.85320462409584, 10.9956078380017};
    const double pinned[3] = {LMB_PI, 2 * LMB_PI, 3 * LMB_PI};
    beam b = planar(20);
    hold(&b, 0, ALL);
    check_frequencies(&b, 0, clamped);
    drop(&b);
    b = planar(20);
    check_frequencies(&b, 3, open);
    drop(&b);
    b = planar(20);
    hold(&b, 0, LMB_BIT(LMB_UX) | LMB_BIT(LMB_UY));
    hold(&b, 20, LMB_BIT(LMB_UY));
    check_frequencies(&b, 0, pinned);
    drop(&b);
}

/* The first frequency of a simply supported beam with shear and rotary inertia: the lower root of
 *   rho^2 I/(k G) w^4 - (rho A + rho I k^2 + EI k^2 rho A/(k G A)) w^2 + EI k^4 = 0, k = n pi / L
 */
static double timoshenko(const lmb_section *s, double length, int n)
{
    double k = n * LMB_PI / length, G = steel.E / (2 * (1 + steel.nu)), EI = steel.E * s->Iz;
    double kG = s->shear_y * G, rho = steel.density;
    double a = rho * rho * s->Iz / kG;
    double b = rho * s->A + rho * s->Iz * k * k + EI * k * k * rho / kG;
    double c = EI * pow(k, 4);
    return sqrt(2 * c / (b + sqrt(b * b - 4 * a * c))) / (2 * LMB_PI);
}

/* Shear is constant in an element, so once elements are shorter than the beam is thick the error
 * falls with the square of their length; extrapolated to zero it is gone. */
static void short_beams_vibrate_as_timoshenko_says(void **unused)
{
    (void)unused;
    double length = 1, error[2];
    for (int round = 0; round < 2; round++) {
        int n = round ? 16 : 8;
        beam b = make(3, v3(length, 0, 0), n, true, v3(0, 1, 0), 0.2, 0.1);
        double hz[2];
        for (int i = 0; i <= n; i++)
            hold(&b, i, ALL & ~(LMB_BIT(LMB_UY) | LMB_BIT(LMB_RZ)));
        hold(&b, 0, LMB_BIT(LMB_UY));
        hold(&b, n, LMB_BIT(LMB_UY));
        frequencies(b.model, b.fixed, 2, hz, NULL);
        error[round] = hz[1] / timoshenko(&b.section, length, 2) - 1;
        drop(&b);
    }
    assert_close(log2(error[0] / error[1]), 2, 0.05);
    assert_close((4 * error[1] - error[0]) / 3, 0, 1e-4);
}

/* Euler and Bernoulli's beam: the error of the frequency falls with the fourth power. */
static void slender_beams_converge_with_order_four(void **unused)
{
    (void)unused;
    double error[2];
    for (int round = 0; round < 2; round++) {
        beam b = planar(round ? 8 : 4);
        double hz[2], c = sqrt(steel.E * b.section.Iz / (steel.density * b.section.A)) / (L * L);
        hold(&b, 0, ALL);
        frequencies(b.model, b.fixed, 2, hz, NULL);
        error[round] = hz[1] / (4.69409113297418 * 4.69409113297418 * c / (2 * LMB_PI)) - 1;
        drop(&b);
    }
    assert_close(log2(error[0] / error[1]), 4, 0.15);
}

/* u^T M u of rigid motions: mass and inertia about the origin of a beam along x. */
static void inertia_is_that_of_the_bar(void **unused)
{
    (void)unused;
    beam b = make(3, v3(L, 0, 0), 3, true, v3(0, 1, 0), 0.2, 0.1);
    double m = steel.density * b.section.A * L, *y = b.f;
    const double expected[6] = {m,
                                m,
                                m,
                                steel.density * L * (b.section.Iy + b.section.Iz),
                                m * L * L / 3 + steel.density * L * b.section.Iy,
                                m * L * L / 3 + steel.density * L * b.section.Iz};
    for (int k = 0; k < 6; k++) {
        vec3 axis = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        double energy = 0;
        for (int i = 0; i < b.model->n; i++) {
            int d = b.model->direction[i];
            vec3 x = b.model->x[b.model->node[i]];
            b.u[i] = d >= 3  ? (k >= 3 ? v3_get(axis, d - 3) : 0)
                     : k < 3 ? v3_get(axis, d)
                             : v3_get(v3_cross(axis, x), d);
        }
        lmb_symmetric_multiply(&b.model->M, b.u, y);
        for (int i = 0; i < b.model->n; i++)
            energy += b.u[i] * y[i];
        assert_close(energy / expected[k], 1, 1e-12);
        lmb_symmetric_multiply(&b.model->K, b.u, y);
        for (int i = 0; i < b.model->n; i++) /* rounding of EA/h ~ 6e9 and EI/h^3 */
            assert_close(y[i] / 1e10, 0, 1e-15);
    }
    drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilevers_bend_as_in_the_books),
        cmocka_unit_test(supported_beams_bend_as_in_the_books),
        cmocka_unit_test(shear_adds_to_the_deflection),
        cmocka_unit_test(bars_stretch_and_twist),
        cmocka_unit_test(section_forces_balance_the_load),
        cmocka_unit_test(frequencies_are_those_of_theory),
        cmocka_unit_test(short_beams_vibrate_as_timoshenko_says),
        cmocka_unit_test(slender_beams_converge_with_order_four),
        cmocka_unit_test(inertia_is_that_of_the_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
