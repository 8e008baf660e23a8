/* Frequencies of solids: orders of convergence, and the thick plate FV52 of NAFEMS. */
#include <stdlib.h>

#include "fe/properties.h"
#include "math/eigen.h"
#include "meshes.h"
#include "support.h"

static const lmb_material metal = {"metal", 200e9, 0.3, 8000, false};

static bool at_x(vec3 x)
{
    return x.x < 1e-9 || x.x > 1 - 1e-9;
}

static bool at_y(vec3 x)
{
    return x.y < 1e-9 || x.y > 1 - 1e-9;
}

static bool everywhere(vec3 x)
{
    (void)x;
    return true;
}

/* A square with sliding walls: u = sin(pi x) cos(pi y), v = -cos(pi x) sin(pi y) is a shear mode,
 * f = sqrt(G / rho) sqrt(2) / 2. One cell through the thickness, where nothing changes. */
static double shear_mode_error(lmb_element_kind kind, int cells)
{
    double hz[1], G = metal.E / (2 * (1 + metal.nu)), exact = sqrt(G / metal.density / 2);
    lmb_mesh *mesh = box_mesh(kind, (int[3]){cells, cells, 1}, v3(1, 1, 1.0 / cells), metal, NULL);
    lmb_fe_model *model = model_of(mesh);
    bool *fixed = calloc((size_t)model->n, sizeof *fixed);
    fix(model, at_x, LMB_BIT(LMB_UX), fixed);
    fix(model, at_y, LMB_BIT(LMB_UY), fixed);
    fix(model, everywhere, LMB_BIT(LMB_UZ), fixed);
    frequencies(model, fixed, 1, hz, NULL);
    free(fixed);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    return hz[0] / exact - 1;
}

/* Squares of frequencies are too large by (h/L)^2p; the tolerance of the order is for what comes
 * after the leading term on meshes that dense matrices can treat. */
static void frequencies_converge_with_their_order(void **unused)
{
    (void)unused;
    const struct {
        lmb_element_kind kind;
        int coarse;
        double order, error;
    } cases[] = {{LMB_TET4, 5, 2, 0.03},
                 {LMB_HEX8, 5, 2, 0.01},
                 {LMB_TET10, 4, 4, 5e-4},
                 {LMB_HEX20, 3, 4, 2e-4}};
    for (int i = 0; i < 4; i++) {
        double coarse = shear_mode_error(cases[i].kind, cases[i].coarse);
        double fine = shear_mode_error(cases[i].kind, 2 * cases[i].coarse);
        assert_true(fine > 0 && fine < cases[i].error);
        assert_close(log2(coarse / fine) / cases[i].order, 1, 0.06);
    }
}

static bool bottom_edge(vec3 x)
{
    return x.z < 1e-9 && (x.x < 1e-9 || x.y < 1e-9 || x.x > 10 - 1e-9 || x.y > 10 - 1e-9);
}

static void plate(lmb_element_kind kind, int n, int layers, double *hz)
{
    lmb_mesh *mesh = box_mesh(kind, (int[3]){n, n, layers}, v3(10, 10, 1), metal, NULL);
    lmb_fe_model *model = model_of(mesh);
    bool *fixed = calloc((size_t)model->n, sizeof *fixed);
    fix(model, bottom_edge, LMB_BIT(LMB_UZ), fixed);
    frequencies(model, fixed, 10, hz, NULL);
    free(fixed);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
}

/* NAFEMS, Selected Benchmarks for Natural Frequency Analysis (1987), test FV52: modes 4 to 10 after
 * three rigid motions in the plane. The target is that of 4 x 4 x 1 elements of 20 nodes. */
static void thick_plates_agree_with_fv52(void **unused)
{
    (void)unused;
    static const double target[7] = {44.762, 110.52, 110.52, 169.08, 193.93, 206.64, 206.64};
    double hz[10];
    plate(LMB_HEX20, 4, 1, hz);
    for (int i = 0; i < 3; i++)
        assert_close(hz[i], 0, 1e-3); /* rounding: sqrt(1e-16 K/M) */
    for (int i = 0; i < 7; i++)
        assert_close(hz[3 + i] / target[i], 1, 1e-3);
}

/* The first frequencies with coarse meshes of other elements: none locks. A thick plate on four
 * edges has 45.897 Hz; held at the lower edges only it is somewhat below. */
static void coarse_plates_do_not_lock(void **unused)
{
    (void)unused;
    double hz[10];
    plate(LMB_HEX8, 8, 1, hz);
    assert_close(hz[3] / 44.762, 1, 0.03);
    plate(LMB_TET10, 6, 1, hz);
    assert_close(hz[3] / 44.762, 1, 0.03);
    plate(LMB_TET4, 8, 1, hz);
    assert_true(hz[3] > 1.3 * 44.762); /* this one does */
}

/* The frequencies of a free part, with sparse matrices. */
static void free_frequencies(const lmb_mesh *mesh, int count, double *hz)
{
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model = model_of(mesh);
    lmb_eigen eigen;
    assert_int_equal(lmb_eigen_solve(&eigen, context, model->arena, &model->K, &model->M,
                                     &(lmb_eigen_options){.count = count, .group = model->node}),
                     LMB_OK);
    for (int i = 0; i < count; i++)
        hz[i] = sqrt(fmax(eigen.value[i], 0)) / (2 * LMB_PI);
    lmb_arena_free(model->arena);
    lmb_context_free(context);
}

/* A free bar of 1 x 0.08 x 0.05 m as a beam and as a solid: bending across both sides, torsion and
 * stretching. The beam leaves out some of warping and contraction, so the two differ by thousandths
 * in the third mode of bending. */
static void beams_and_solids_agree(void **unused)
{
    (void)unused;
    enum { MODES = 6 + 7 };
    lmb_context *context = lmb_context_new();
    const vec3 ends[2] = {{0, 0, 0}, {1, 0, 0}};
    double solid_hz[MODES], beam_hz[MODES];
    lmb_beam_line line = {
        .dimension = 3, .points = ends, .point_count = 2, .elements = 40, .material = metal};
    lmb_mesh *beam,
        *solid = box_mesh(LMB_HEX20, (int[3]){30, 3, 3}, v3(1, 0.08, 0.05), metal, NULL);
    assert_int_equal(lmb_section_rectangle(&line.section, context, 0.08, 0.05, metal.nu), LMB_OK);
    line.section.y_axis = v3(0, 1, 0);
    assert_int_equal(lmb_beam_mesh(&beam, context, &line), LMB_OK);
    free_frequencies(beam, MODES, beam_hz);
    free_frequencies(solid, MODES, solid_hz);
    for (int i = 6; i < MODES; i++)
        assert_close(beam_hz[i] / solid_hz[i], 1, 3e-3);
    lmb_arena_free(beam->arena);
    lmb_arena_free(solid->arena);
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_converge_with_their_order),
        cmocka_unit_test(thick_plates_agree_with_fv52),
        cmocka_unit_test(beams_and_solids_agree),
        cmocka_unit_test(coarse_plates_do_not_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
