/* Stresses: bars under tension, bending and torsion; bars that do not lock; fibres of beams. */
#include <stdlib.h>
#include <string.h>

#include "fe/properties.h"
#include "fe/stress.h"
#include "meshes.h"
#include "support.h"

static const lmb_material metal = {"metal", 100e9, 0.25, 5000, false};
static const vec3 sizes = {0.6, 0.3, 0.2};
static const double strain = 1e-3, curvature = 1e-2, twist = 1e-2;
enum { TENSION, BENDING, TORSION, CASES };

/* Saint-Venant's solutions. Bending: ux = k x y, uy = -k/2 (x^2 + nu (y^2 - z^2)), uz = -k nu y z.
 * Torsion: uy = -a x z, uz = a x y, that of a round bar about the x axis. */
static vec3 displacement(int load, vec3 x)
{
    double nu = metal.nu, k = curvature;
    if (load == TENSION)
        return v3(strain * x.x, -nu * strain * x.y, -nu * strain * x.z);
    if (load == BENDING)
        return v3(k * x.x * x.y, -k / 2 * (x.x * x.x + nu * (x.y * x.y - x.z * x.z)),
                  -k * nu * x.y * x.z);
    return v3(0, -twist * x.x * x.z, twist * x.x * x.y);
}

static void stress_of(int load, vec3 x, double *s)
{
    double G = metal.E / (2 * (1 + metal.nu));
    memset(s, 0, LMB_STRESSES * sizeof *s);
    if (load == TENSION)
        s[LMB_SXX] = metal.E * strain;
    if (load == BENDING)
        s[LMB_SXX] = metal.E * curvature * x.y;
    if (load == TORSION) {
        s[LMB_SXY] = -G * twist * x.z;
        s[LMB_SZX] = G * twist * x.y;
    }
}

static bool on_the_surface(vec3 x)
{
    const double e = 1e-9;
    return x.x < e || x.y < e || x.z < e || x.x > sizes.x - e || x.y > sizes.y - e ||
           x.z > sizes.z - e;
}

static void check_nodes(const lmb_fe_model *model, int load, const double *u)
{
    lmb_context *context = lmb_context_new();
    lmb_stress *stress;
    assert_int_equal(lmb_stress_new(&stress, context, model), LMB_OK);
    assert_int_equal(stress->count, model->node_count);
    double *s = calloc((size_t)stress->count * LMB_STRESSES, sizeof *s);
    assert_true(lmb_stress_nodal(stress, 1, u, s));
    for (int i = 0; i < stress->count; i++) {
        double expected[LMB_STRESSES];
        stress_of(load, model->x[stress->node[i]], expected);
        for (int k = 0; k < LMB_STRESSES; k++) /* stresses are up to 3e8: digits left of u */
            assert_close((s[i * LMB_STRESSES + k] - expected[k]) / 1e8, 0, 1e-9);
    }
    free(s);
    lmb_arena_free(stress->arena);
    lmb_context_free(context);
}

/* The solutions are quadratic, so quadratic elements have them exactly, and with its own modes a
 * straight hex8, too; a tet4 has tension. */
static void nodal_stresses_are_those_of_theory(void **unused)
{
    (void)unused;
    static const lmb_element_kind kinds[] = {LMB_TET4, LMB_TET10, LMB_HEX8, LMB_HEX20};
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], (int[3]){3, 2, 2}, sizes, metal, NULL);
        lmb_fe_model *model = model_of(mesh);
        double *u = calloc((size_t)model->n, sizeof *u), *f = calloc((size_t)model->n, sizeof *f);
        bool *fixed = calloc((size_t)model->n, sizeof *fixed);
        fix(model, on_the_surface, LMB_TRANSLATIONS, fixed);
        for (int load = 0; load < (kinds[e] == LMB_TET4 ? 1 : CASES); load++) {
            for (int i = 0; i < model->n; i++)
                u[i] = v3_get(displacement(load, model->x[model->node[i]]), model->direction[i]);
            solve(model, fixed, f, u);
            check_nodes(model, load, u);
        }
        free(u);
        free(f);
        free(fixed);
        lmb_arena_free(model->arena);
        lmb_arena_free(mesh->arena);
    }
}

static bool root(vec3 x)
{
    return x.x < 1e-9;
}

/* Tip of a cantilever of 1 x 0.1 x 0.1 with a force across, over that of Timoshenko's beam. */
static double tip(lmb_element_kind kind, int n, int m)
{
    vec3 size = v3(1, 0.1, 0.1);
    lmb_material plain = {"no contraction", 100e9, 0, 5000, false};
    lmb_mesh *mesh = box_mesh(kind, (int[3]){n, m, m}, size, plain, NULL);
    lmb_fe_model *model = model_of(mesh);
    double *u = calloc((size_t)model->n, sizeof *u), *f = calloc((size_t)model->n, sizeof *f);
    bool *fixed = calloc((size_t)model->n, sizeof *fixed);
    double P = 1000, I = 1e-4 / 12, G = plain.E / 2, mean = 0;
    int count = 0;
    for (int i = 0; i < model->n; i++)
        count += model->x[model->node[i]].x > size.x - 1e-9 && model->direction[i] == LMB_UY;
    fix(model, root, LMB_TRANSLATIONS, fixed);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < model->n; i++)
            if (model->x[model->node[i]].x > size.x - 1e-9 && model->direction[i] == LMB_UY) {
                f[i] = P / count;
                mean += u[i] / count;
            }
        if (pass == 0)
            solve(model, fixed, f, u);
    }
    free(u);
    free(f);
    free(fixed);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    return mean / (P / (3 * plain.E * I) + P / (5.0 / 6 * G * 0.01));
}

/* Without contraction the clamped face disturbs nothing but shear, which is a hundredth of all. */
static void bars_bend_without_locking(void **unused)
{
    (void)unused;
    assert_close(tip(LMB_HEX8, 10, 1), 1, 0.005);
    assert_close(tip(LMB_HEX20, 5, 1), 1, 0.005);
    assert_close(tip(LMB_TET10, 10, 1), 1, 0.005);
    assert_true(tip(LMB_TET4, 10, 1) < 0.5); /* this one locks */
}

/* Two materials in one bar that is stretched: stresses jump by the ratio of moduli at the nodes
 * that they share, which have two places. Several displacements at once give the same as one by
 * one. */
static void materials_have_their_own_places(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh = box_mesh(LMB_HEX8, (int[3]){2, 1, 1}, sizes, metal, NULL);
    lmb_material two[2] = {metal, {"soft", 10e9, 0.25, 5000, false}};
    mesh->materials = two;
    mesh->material_count = 2;
    mesh->elements[1].material = 1;
    lmb_fe_model *model = model_of(mesh);
    lmb_stress *stress;
    double u[2 * 36], s[2 * 16 * LMB_STRESSES];
    assert_int_equal(lmb_stress_new(&stress, context, model), LMB_OK);
    assert_int_equal(stress->count, 16);
    for (int i = 0; i < 36; i++) {
        u[i] = v3_get(displacement(BENDING, model->x[model->node[i]]), model->direction[i]);
        u[36 + i] = v3_get(displacement(TENSION, model->x[model->node[i]]), model->direction[i]);
    }
    assert_true(lmb_stress_nodal(stress, 2, u, s));
    for (int i = 0; i < 16; i++) {
        double E = two[stress->material[i]].E;
        assert_close(s[(16 + i) * LMB_STRESSES] / (E * strain), 1, 1e-12);
        assert_close(lmb_von_mises(&s[(16 + i) * LMB_STRESSES]) / (E * strain), 1, 1e-12);
    }
    lmb_arena_free(stress->arena);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

/* Stresses of fibres by hand: N/A, M y/I, T r/J, and the equivalent of pure shear, sqrt(3) tau. */
static void fibres_have_the_stress_of_their_section(void **unused)
{
    (void)unused;
    lmb_section s = {
        .A = 2, .Iy = 4, .Iz = 5, .J = 8, .y_max = 0.5, .z_max = 0.25, .torsion_radius = 3};
    lmb_fibre_stress f =
        lmb_fibre_stress_of(&s, &(lmb_section_forces){.N = 6, .My = -16, .Mz = 20});
    assert_close(f.greatest, 6, 1e-15);
    assert_close(f.least, 0, 1e-15);
    f = lmb_fibre_stress_of(&s, &(lmb_section_forces){.T = -16});
    assert_close(f.torsion, 6, 1e-15);
    assert_close(f.mises, 6 * sqrt(3), 1e-15);
    s.shape = LMB_SECTION_ROUND; /* bending by 1 and 2 across each other */
    f = lmb_fibre_stress_of(&s, &(lmb_section_forces){.My = -16, .Mz = 20});
    assert_close(f.greatest, sqrt(5), 1e-15);
    double shear[LMB_STRESSES] = {[LMB_SYZ] = 2};
    assert_close(lmb_von_mises(shear), 2 * sqrt(3), 1e-15);
}

/* A round cantilever with a force across and a torque at its tip: 32 P L / (pi d^3) at the root,
 * 16 T / (pi d^3). */
static void beams_have_the_stress_of_their_forces(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    const vec3 ends[2] = {{0, 0, 0}, {0, 2, 0}};
    const double P = 300, T = 50, d = 0.04;
    lmb_beam_line line = {
        .dimension = 3, .points = ends, .point_count = 2, .elements = 5, .material = metal};
    lmb_mesh *mesh;
    lmb_stress *stress;
    assert_int_equal(lmb_section_circle(&line.section, context, d, metal.nu), LMB_OK);
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_OK);
    lmb_fe_model *model = model_of(mesh);
    double u[36] = {0}, f[36] = {0};
    bool fixed[36] = {true, true, true, true, true, true};
    f[model->dof[5][LMB_UX]] = P * 0.6;
    f[model->dof[5][LMB_UZ]] = P * 0.8;
    f[model->dof[5][LMB_RY]] = T;
    solve(model, fixed, f, u);
    assert_int_equal(lmb_stress_new(&stress, context, model), LMB_OK);
    assert_int_equal(stress->count, 0);
    lmb_section_forces at[2];
    lmb_stress_beam(stress, 0, false, 1, u, at, 2);
    lmb_fibre_stress s = lmb_fibre_stress_of(&mesh->sections[0], &at[0]);
    assert_close(s.greatest / (32 * P * 2 / (LMB_PI * d * d * d)), 1, 1e-9);
    assert_close(s.torsion / (16 * T / (LMB_PI * d * d * d)), 1, 1e-9);
    lmb_stress_beam(stress, 4, false, 1, u, at, 2);
    s = lmb_fibre_stress_of(&mesh->sections[0], &at[1]);
    assert_close(s.greatest / 1e6, 0, 1e-6); /* nothing is left at the tip */
    lmb_arena_free(stress->arena);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodal_stresses_are_those_of_theory),
        cmocka_unit_test(bars_bend_without_locking),
        cmocka_unit_test(materials_have_their_own_places),
        cmocka_unit_test(beams_have_the_stress_of_their_forces),
        cmocka_unit_test(fibres_have_the_stress_of_their_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
