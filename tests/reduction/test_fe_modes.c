/* Natural modes of models without interface points: analytic frequencies, and rigid modes of parts,
 * hinges and masses, counted by hand. */
#include "reduction/fe_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fe/properties.h"
#include "meshes.h"
#include "support.h"

static const lmb_material metal = {"metal", 200e9, 0.3, 8000, false};
static const lmb_material straight = {"no contraction", 200e9, 0, 8000, false};

/* The modes of a model; what is not asked for (`hz` NULL) is only counted. */
static lmb_fe_modes modes_of(const lmb_fe_model *model, const bool *held, int elastic, double *hz)
{
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_fe_modes found;
    if (lmb_fe_modes_find(&found, context, arena, model, held, elastic))
        fail_msg("%s", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    for (int i = 0; i < found.rigid; i++)
        assert_true(found.frequency[i] == 0);
    for (int i = found.rigid; hz && i < found.count; i++)
        hz[i - found.rigid] = found.frequency[i];
    lmb_arena_free(arena);
    lmb_context_free(context);
    return found;
}

static void free_both(lmb_fe_model *model, lmb_mesh *mesh)
{
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
}

/* Squares of frequencies of quadratic bars and of cubic beams are too large by (k h)^4 / 720, with
 * the wave number k and the length h of an element, and terms of the next order, (k h)^2 / 40 of
 * this at most. */
static void assert_frequency(double hz, double exact, double kh)
{
    double most = pow(kh, 4) / 720 * (1 + kh * kh / 40) / 2;
    assert_in_range((int)(1e9 * (hz / exact - 1) + 1e3), 0, (int)(1e9 * most) + 2000);
}

static bool everywhere(vec3 x)
{
    (void)x;
    return true;
}

static bool at_root(vec3 x)
{
    return x.x < 1e-9;
}

/* --- analytic frequencies --------------------------------------------------------------------- */

enum { CELLS = 8 };

/* A bar that can move along its axis only: f = k c / 2 pi, k = i pi / L or (i - 1/2) pi / L. */
static void bars_have_axial_frequencies(void **unused)
{
    (void)unused;
    double L = 2, c = sqrt(straight.E / straight.density), hz[3];
    lmb_mesh *mesh = box_mesh(LMB_HEX20, (int[3]){CELLS, 1, 1}, v3(L, 0.1, 0.1), straight, NULL);
    lmb_fe_model *model = model_of(mesh);
    bool *held = calloc((size_t)model->n, sizeof *held);
    fix(model, everywhere, LMB_BIT(LMB_UY) | LMB_BIT(LMB_UZ), held);
    for (int clamped = 0; clamped < 2; clamped++) {
        if (clamped)
            fix(model, at_root, LMB_BIT(LMB_UX), held);
        lmb_fe_modes found = modes_of(model, held, 3, hz);
        assert_int_equal(found.rigid, 1 - clamped);
        assert_int_equal(found.count, 3 + found.rigid);
        for (int i = 0; i < 3; i++) {
            double k = (i + (clamped ? 0.5 : 1)) * LMB_PI / L;
            assert_frequency(hz[i], k * c / (2 * LMB_PI), k * L / CELLS);
        }
    }
    free(held);
    free_both(model, mesh);
}

/* A beam along x of square section with sides s. */
static lmb_mesh *beam(int dimension, double L, double s, int elements, lmb_material material)
{
    vec3 ends[2] = {v3(0, 0, 0), v3(L, 0, 0)};
    lmb_beam_line line = {"beam", dimension, ends, NULL, 2, elements, .material = material};
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh;
    assert_int_equal(lmb_section_rectangle(&line.section, context, s, s, material.nu), LMB_OK);
    if (dimension == 2)
        line.section.shear_y = line.section.shear_z = 0;
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_OK);
    lmb_context_free(context);
    return mesh;
}

/* f = k^2 sqrt(E I / rho A) / 2 pi, so slender that rotary inertia, (k s)^2 / 24, is below 1e-6. */
static void planar_beams_have_those_of_euler(void **unused)
{
    (void)unused;
    const double roots[2][2] = {{4.730040744862704, 7.853204624095838},
                                {1.875104068711961, 4.694091132974175}};
    double L = 1, s = 5e-4, hz[2], c = sqrt(metal.E / metal.density / 12) * s;
    lmb_mesh *mesh = beam(2, L, s, 10, metal);
    lmb_fe_model *model = model_of(mesh);
    bool *held = calloc((size_t)model->n, sizeof *held);
    for (int clamped = 0; clamped < 2; clamped++) {
        if (clamped)
            fix(model, at_root, LMB_TRANSLATIONS | LMB_ROTATIONS, held);
        assert_int_equal(modes_of(model, held, 2, hz).rigid, clamped ? 0 : 3);
        for (int i = 0; i < 2; i++) {
            double k = roots[clamped][i] / L;
            assert_frequency(hz[i], k * k * c / (2 * LMB_PI), k * L / 10);
        }
    }
    free(held);
    free_both(model, mesh);
}

/* A cantilever of solids, against dense matrices; both solvers promise 1e-9 of a frequency. */
static void a_cantilever_is_that_of_dense_matrices(void **unused)
{
    (void)unused;
    double hz[6], dense[6];
    lmb_mesh *mesh = box_mesh(LMB_HEX20, (int[3]){6, 1, 1}, v3(1, 0.1, 0.05), metal, NULL);
    lmb_fe_model *model = model_of(mesh);
    bool *held = calloc((size_t)model->n, sizeof *held);
    fix(model, at_root, LMB_TRANSLATIONS, held);
    frequencies(model, held, 6, dense, NULL);
    assert_int_equal(modes_of(model, held, 6, hz).rigid, 0);
    for (int i = 0; i < 6; i++)
        assert_close(hz[i], dense[i], 1e-9);
    free(held);
    free_both(model, mesh);
}

/* Rounding hides null pivots of a beam 2000 times as long as thick; the first bending frequencies
 * come in pairs. Stiffness is known to 1e-16 (L / h)^4 (h / s)^2 of them, which is 1e-4 here. */
static void slender_beams_have_six_rigid_modes(void **unused)
{
    (void)unused;
    double L = 1, s = 5e-4, hz[2], k = 4.730040744862704 / L;
    lmb_mesh *mesh = beam(3, L, s, 40, metal);
    lmb_fe_model *model = model_of(mesh);
    assert_int_equal(modes_of(model, NULL, 2, hz).rigid, 6);
    for (int i = 0; i < 2; i++)
        assert_close(hz[i], k * k * sqrt(metal.E / metal.density / 12) * s / (2 * LMB_PI), 1e-3);
    free_both(model, mesh);
}

/* --- rigid modes ------------------------------------------------------------------------------ */

/* Counts the rigid modes of those cells of a box that are marked, in the order x, y, z. */
static void check_cells(const int cells[3], const char *marks, int expected)
{
    const lmb_element_kind kinds[] = {LMB_HEX8, LMB_HEX20};
    for (int i = 0; i < 2; i++) {
        lmb_mesh *mesh = box_mesh(kinds[i], cells, v3(cells[0], cells[1], cells[2]), metal, NULL);
        int kept = 0;
        for (int e = 0; e < mesh->element_count; e++)
            if (marks[e] == 'x')
                mesh->elements[kept++] = mesh->elements[e];
        mesh->element_count = kept;
        lmb_fe_model *model = model_of(mesh);
        lmb_fe_modes found = modes_of(model, NULL, 4, NULL);
        assert_int_equal(found.rigid, expected);
        assert_int_equal(found.count, expected + 4);
        free_both(model, mesh);
    }
}

static void parts_and_hinges_have_rigid_modes_of_their_own(void **unused)
{
    (void)unused;
    check_cells((int[3]){3, 1, 1}, "xxx", 6);
    check_cells((int[3]){3, 1, 1}, "x.x", 12);
    check_cells((int[3]){2, 2, 1}, "x..x", 7);             /* hinged along an edge */
    check_cells((int[3]){2, 2, 2}, "x......x", 9);         /* at a node */
    check_cells((int[3]){3, 3, 1}, "xx.x.x.xx", 6);        /* along two parallel edges */
    check_cells((int[3]){4, 4, 1}, "xx..xx....xx..xx", 7); /* two blocks of four cells */
}

/* Equal blocks have all frequencies several times. */
static void unconnected_blocks_vibrate_alone(void **unused)
{
    (void)unused;
    for (int blocks = 2; blocks <= 5; blocks++) {
        double hz[12], dense[12];
        int cells[3] = {2 * blocks - 1, 2, 1};
        lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(cells[0], 2, 0.5), metal, NULL);
        int kept = 0;
        for (int e = 0; e < mesh->element_count; e++)
            if (e % cells[0] % 2 == 0)
                mesh->elements[kept++] = mesh->elements[e];
        mesh->element_count = kept;
        lmb_fe_model *model = model_of(mesh);
        assert_int_equal(modes_of(model, NULL, 12, hz).rigid, 6 * blocks);
        mesh->elements[1] = mesh->elements[blocks];
        mesh->element_count = 2;
        lmb_fe_model *one = model_of(mesh);
        frequencies(one, NULL, 12, dense, NULL);
        for (int i = 0; i < 12; i++)
            assert_close(hz[i] / dense[6 + i / blocks], 1, 1e-9);
        lmb_arena_free(one->arena);
        free_both(model, mesh);
    }
}

/* Free blocks of many shapes, cubes with pairs and triples of equal frequencies among them, against
 * dense matrices: Lanczos' method sees one vector of a multiple eigenvalue, and the others by
 * rounding alone. Matrices of files tell nothing of elements: their rigid modes are known by the
 * gap to the others. */
static void free_blocks_have_all_their_modes(void **unused)
{
    (void)unused;
    const int cells[][3] = {{5, 1, 1}, {2, 2, 2}, {6, 1, 1}, {3, 3, 1}, {3, 3, 3}, {8, 1, 1}};
    const int counts[] = {4, 10, 12};
    for (int i = 0; i < 36; i++) {
        const int *c = cells[i / 6], count = counts[i % 3];
        double hz[12], alone[12], dense[18], z = i % 6 < 3 ? 0.2 : 0.1;
        lmb_mesh *mesh = box_mesh(LMB_HEX20, c, v3(0.2 * c[0], 0.2 * c[1], z * c[2]), metal, NULL);
        lmb_fe_model *model = model_of(mesh);
        frequencies(model, NULL, 18, dense, NULL);
        assert_int_equal(modes_of(model, NULL, count, hz).rigid, 6);
        model->assembled = false;
        assert_int_equal(modes_of(model, NULL, count, alone).rigid, 6);
        for (int k = 0; k < count; k++) {
            assert_close(hz[k] / dense[6 + k], 1, 1e-9);
            assert_close(alone[k] / dense[6 + k], 1, 1e-9);
        }
        free_both(model, mesh);
    }
}

static vec3 pins[3];
static int pin_count;

static bool is_pin(vec3 x)
{
    for (int i = 0; i < pin_count; i++)
        if (v3_norm(v3_sub(x, pins[i])) < 1e-9)
            return true;
    return false;
}

static void held_nodes_leave_what_they_do_not_hold(void **unused)
{
    (void)unused;
    const int left[] = {6, 3, 1, 0};
    lmb_mesh *mesh = box_mesh(LMB_HEX8, (int[3]){2, 2, 1}, v3(2, 2, 1), metal, NULL);
    lmb_fe_model *model = model_of(mesh);
    pins[0] = v3(0, 0, 0);
    pins[1] = v3(2, 0, 0);
    pins[2] = v3(0, 2, 0);
    for (pin_count = 0; pin_count <= 3; pin_count++) {
        bool *held = calloc((size_t)model->n, sizeof *held);
        fix(model, is_pin, LMB_TRANSLATIONS, held);
        assert_int_equal(modes_of(model, held, 1, NULL).rigid, left[pin_count]);
        free(held);
    }
    free_both(model, mesh);
}

/* --- point masses ----------------------------------------------------------------------------- */

/* Adds point masses at the nodes of these places in the list. */
static void add_masses(lmb_mesh *mesh, int count, const int *nodes, double mass)
{
    size_t elements = (size_t)mesh->element_count, connections = (size_t)mesh->connection_count;
    size_t more = (size_t)count;
    mesh->elements = lmb_arena_grow(mesh->arena, mesh->elements, elements, elements + more,
                                    sizeof *mesh->elements);
    mesh->connections = lmb_arena_grow(mesh->arena, mesh->connections, connections,
                                       connections + more, sizeof *mesh->connections);
    mesh->masses = lmb_arena_alloc(mesh->arena, more, sizeof *mesh->masses);
    for (int i = 0; i < count; i++) {
        mesh->masses[mesh->mass_count] = (lmb_point_mass){.mass = mass};
        mesh->elements[mesh->element_count++] = (lmb_element){
            LMB_POINT_MASS, 1000 + i, mesh->connection_count, -1, -1, mesh->mass_count++};
        mesh->connections[mesh->connection_count++] = nodes[i];
    }
}

static lmb_material weightless(void)
{
    lmb_material m = metal;
    m.density = 0;
    return m;
}

/* Two masses on a rod without mass: w2 = E A / L (1/m + 1/m). They turn about the line between
 * them without inertia, which is no mode. */
static void masses_on_a_rod_have_one_frequency(void **unused)
{
    (void)unused;
    const int elements[] = {4, 100, 800};
    for (int i = 0; i < 3; i++) {
        double L = 2, s = 0.1, hz[5], m = 3;
        lmb_mesh *mesh = beam(3, L, s, elements[i], weightless());
        add_masses(mesh, 2, (int[2]){0, mesh->node_count - 1}, m);
        lmb_fe_model *model = model_of(mesh);
        lmb_fe_modes found = modes_of(model, NULL, 5, hz);
        assert_int_equal(found.rigid, 5);
        assert_int_equal(found.count, 6);
        assert_close(hz[0], sqrt(metal.E * s * s / L * 2 / m) / (2 * LMB_PI), 1e-8);
        free_both(model, mesh);
    }
}

/* One mass on a block without mass: it can be pushed about, and no more. */
static void one_mass_on_a_block_has_no_frequency(void **unused)
{
    (void)unused;
    lmb_mesh *mesh = box_mesh(LMB_HEX20, (int[3]){4, 2, 2}, v3(2, 1, 1), weightless(), NULL);
    add_masses(mesh, 1, (int[1]){7}, 5);
    lmb_fe_model *model = model_of(mesh);
    lmb_fe_modes found = modes_of(model, NULL, 5, NULL);
    assert_int_equal(found.rigid, 3);
    assert_int_equal(found.count, 3);
    free_both(model, mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_have_axial_frequencies),
        cmocka_unit_test(planar_beams_have_those_of_euler),
        cmocka_unit_test(a_cantilever_is_that_of_dense_matrices),
        cmocka_unit_test(slender_beams_have_six_rigid_modes),
        cmocka_unit_test(parts_and_hinges_have_rigid_modes_of_their_own),
        cmocka_unit_test(unconnected_blocks_vibrate_alone),
        cmocka_unit_test(free_blocks_have_all_their_modes),
        cmocka_unit_test(held_nodes_leave_what_they_do_not_hold),
        cmocka_unit_test(masses_on_a_rod_have_one_frequency),
        cmocka_unit_test(one_mass_on_a_block_has_no_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
