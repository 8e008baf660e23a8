/* Geometric stiffness of elements: classical matrices, loads that turn with a body, and columns
 * that buckle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fe/beam.h"
#include "fe/properties.h"
#include "math/dense.h"
#include "meshes.h"
#include "support.h"

static const lmb_material steel = {"steel", 2.1e11, 0.3, 7800, false};

/* The geometric stiffness of an element under the stress of displacements u, dofs x dofs. */
static void geometric(const lmb_element_tables *tables, const lmb_element_data *e, const double *u,
                      double *Kg)
{
    static const int of[LMB_STRESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    int n = type->dofs, columns = n + 1;
    size_t points = (size_t)(LMB_GRADIENT_POINTS_MAX * columns);
    double *all = calloc((size_t)(columns * n) + points * (LMB_STRESSES + 9), sizeof *all);
    lmb_gradients at = {.S = all + columns * n};
    at.D = at.S + points * LMB_STRESSES;
    for (int k = 0; k < n; k++)
        all[k * n + k] = 1;
    memcpy(all + n * n, u, (size_t)n * sizeof *u);
    type->gradients(tables, e, columns, all, NULL, &at);
    memset(Kg, 0, (size_t)(n * n) * sizeof *Kg);
    for (int p = 0; p < at.points; p++) {
        const double *S = at.S + (p * columns + n) * LMB_STRESSES, *D = at.D + p * columns * 9;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < LMB_STRESSES; k++)
                    for (int r = 0; r < 9; r += 3) {
                        int a = of[k][0], b = of[k][1];
                        const double *x = D + 9 * i + r, *y = D + 9 * j + r;
                        Kg[j * n + i] +=
                            at.weight[p] * S[k] * (x[a] * y[b] + (k < 3 ? 0 : x[b] * y[a]));
                    }
    }
    free(all);
}

/* The same of a model, n x n. */
static void geometric_of_model(const lmb_fe_model *m, const double *u, double *Kg)
{
    lmb_arena *arena = lmb_arena_new();
    const lmb_element_tables *tables = lmb_element_tables_new(arena);
    memset(Kg, 0, (size_t)m->n * (size_t)m->n * sizeof *Kg);
    for (int i = 0; i < m->mesh->element_count; i++) {
        lmb_element_data e;
        lmb_element_gather(m->mesh, i, &e);
        const lmb_element_type *type = lmb_element_type_of(e.kind);
        double own[LMB_ELEMENT_DOFS_MAX * LMB_ELEMENT_DOFS_MAX], ue[LMB_ELEMENT_DOFS_MAX];
        int dof[LMB_ELEMENT_DOFS_MAX], n = 0;
        for (int a = 0; a < type->nodes; a++)
            for (int d = 0; d < LMB_DIRECTIONS; d++)
                if (type->directions & LMB_BIT(d))
                    dof[n++] = m->dof[m->mesh->connections[m->mesh->elements[i].first + a]][d];
        for (int k = 0; k < n; k++)
            ue[k] = u[dof[k]];
        geometric(tables, &e, ue, own);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                Kg[(size_t)dof[j] * (size_t)m->n + (size_t)dof[k]] += own[j * n + k];
    }
    lmb_arena_free(arena);
}

/* A beam of length L under the normal force N: N/(30 L) times the matrix of every textbook, and
 * N Ip/(A L) in torsion. */
static void beams_have_the_classical_matrix(void **unused)
{
    (void)unused;
    const double L = 0.7, N = 1000;
    const double a = N / (30 * L),
                 expected[16] = {36 * a,    3 * L * a,     -36 * a,    3 * L * a,
                                 3 * L * a, 4 * L * L * a, -3 * L * a, -L * L * a,
                                 -36 * a,   -3 * L * a,    36 * a,     -3 * L * a,
                                 3 * L * a, -L * L * a,    -3 * L * a, 4 * L * L * a};
    for (int planar = 0; planar < 2; planar++) {
        lmb_element_data e = {.kind = planar ? LMB_BEAM_PLANAR : LMB_BEAM,
                              .x = {{0, 0, 0}, {L, 0, 0}},
                              .material = steel,
                              .section = {.A = 2e-4, .Iy = 3e-9, .Iz = 5e-9, .J = 6e-9}};
        int n = planar ? 6 : 12, half = n / 2;
        double u[12] = {0}, Kg[144];
        u[half] = N * L / (steel.E * e.section.A);
        geometric(NULL, &e, u, Kg);
        int in_y[4] = {1, planar ? 2 : 5, half + 1, half + (planar ? 2 : 5)};
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                assert_close(Kg[in_y[j] * n + in_y[i]], expected[4 * j + i], 1e-11 * N);
        if (planar)
            continue;
        int in_z[4] = {2, 4, 8, 10}; /* the slope is -ry */
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                assert_close(Kg[in_z[j] * n + in_z[i]],
                             ((i + j) % 2 ? -1 : 1) * expected[4 * j + i], 1e-11 * N);
        double twist = N * (e.section.Iy + e.section.Iz) / e.section.A / L;
        assert_close(Kg[3 * n + 3], twist, 1e-11 * N);
        assert_close(Kg[9 * n + 3], -twist, 1e-11 * N);
        assert_close(Kg[0], 0, 1e-11 * N);
    }
}

static vec3 distort(vec3 x)
{
    return v3(x.x + 0.08 * sin(3 * x.y + x.z), x.y + 0.06 * cos(4 * x.x), x.z + 0.07 * x.x * x.y);
}

/* The force of one node of K u. */
static vec3 force_on(const lmb_fe_model *m, const double *f, int node)
{
    return v3(f[m->dof[node][0]], f[m->dof[node][1]], f[m->dof[node][2]]);
}

/* When a stressed body turns, its nodal forces turn with it: K_g (theta x x) = theta x (K u). */
static void forces_of_a_stressed_body_turn_with_it(void **unused)
{
    (void)unused;
    static const lmb_element_kind kinds[] = {LMB_TET4, LMB_TET10, LMB_HEX8, LMB_HEX20};
    static const int cells[3] = {2, 1, 1};
    for (int kind = 0; kind < 4; kind++) {
        lmb_mesh *mesh = box_mesh(kinds[kind], cells, v3(1, 0.8, 0.6), steel, distort);
        lmb_fe_model *m = model_of(mesh);
        size_t n = (size_t)m->n;
        double *u = calloc(4 * n + n * n, sizeof *u), *f = u + n, *turn = f + n, *g = turn + n;
        double *Kg = g + n, size = 0;
        unsigned seed = 5;
        vec3 theta = v3(0.3, -0.7, 0.5);
        for (size_t i = 0; i < n; i++) {
            seed = seed * 1664525u + 1013904223u;
            u[i] = 1e-3 * ((double)(seed >> 8) / (1 << 24) - 0.5);
            turn[i] = v3_get(v3_cross(theta, m->x[m->node[i]]), m->direction[i]);
        }
        lmb_symmetric_multiply(&m->K, u, f);
        geometric_of_model(m, u, Kg);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                g[i] += Kg[j * n + i] * turn[j];
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(f[i]));
        for (int k = 0; k < m->node_count; k++) {
            vec3 d = v3_sub(force_on(m, g, k), v3_cross(theta, force_on(m, f, k)));
            assert_true(v3_norm(d) < 1e-11 * size);
        }
        free(u);
        lmb_arena_free(m->arena);
        lmb_arena_free(mesh->arena);
    }
}

/* The load factor at which K + factor K_g is singular in the free directions, K_g being that of
 * compression. */
static double buckling(const lmb_fe_model *m, const bool *fixed, const double *Kg)
{
    size_t n = (size_t)m->n, count = 0;
    int *at = calloc(n, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = fixed[i] ? -1 : (int)count++;
    double *a = calloc(2 * count * count + count, sizeof *a), *b = a + count * count;
    double *values = b + count * count;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n && at[j] >= 0; i++)
            if (at[i] >= 0)
                a[(size_t)at[j] * count + (size_t)at[i]] = -Kg[j * n + i];
        for (int k = m->K.start[j]; k < m->K.start[j + 1]; k++) {
            int i = m->K.row[k];
            if (at[i] >= 0 && at[j] >= 0)
                b[(size_t)at[j] * count + (size_t)at[i]] =
                    b[(size_t)at[i] * count + (size_t)at[j]] = m->K.value[k];
        }
    }
    assert_true(lmb_dense_symmetric_general((int)count, a, b, values));
    double most = values[count - 1];
    free(a);
    free(at);
    return 1 / most;
}

static bool at_start(vec3 x)
{
    return x.x < 1e-9;
}

static bool at_end(vec3 x)
{
    return x.x > 2 - 1e-9;
}

/* The buckling load of a column 2 m long with fixed degrees of freedom at its start, from the
 * stress when its end moves along it. */
static double column_load(const lmb_fe_model *m, const bool *fixed)
{
    size_t n = (size_t)m->n;
    double *f = calloc(2 * n + n * n, sizeof *f), *u = f + n, *Kg = u + n, force = 0;
    bool *held = calloc(2 * n, sizeof *held), *end = held + n;
    fix(m, at_end, LMB_BIT(LMB_UX), end);
    for (size_t i = 0; i < n; i++) {
        held[i] = fixed[i] || end[i];
        u[i] = end[i] ? -1e-3 : 0;
    }
    solve(m, held, f, u);
    lmb_symmetric_multiply(&m->K, u, f);
    for (size_t i = 0; i < n; i++)
        force -= end[i] ? f[i] : 0;
    geometric_of_model(m, u, Kg);
    double load = force * buckling(m, fixed, Kg);
    free(f);
    free(held);
    return load;
}

/* Euler's column, held at one end and free at the other. */
static void a_beam_buckles_as_euler_says(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    vec3 ends[] = {{0, 0, 0}, {2, 0, 0}};
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_beam_line line = {.dimension = dimension,
                              .points = ends,
                              .point_count = 2,
                              .elements = 6,
                              .material = steel};
        lmb_mesh *mesh;
        assert_int_equal(lmb_section_rectangle(&line.section, context, 0.02, 0.05, 0.3), LMB_OK);
        line.section.shear_y = line.section.shear_z = 0;
        assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_OK);
        lmb_fe_model *m = model_of(mesh);
        double euler = LMB_PI * LMB_PI * steel.E * line.section.Iz / 16;
        /* cubic deflections: the error falls with the fourth power of the length of elements */
        bool *fixed = calloc((size_t)m->n, sizeof *fixed);
        fix(m, at_start, LMB_TRANSLATIONS | LMB_ROTATIONS, fixed);
        assert_close(column_load(m, fixed) / euler, 1, 1e-4);
        free(fixed);
        lmb_arena_free(m->arena);
        lmb_arena_free(mesh->arena);
    }
    lmb_context_free(context);
}

static const double thick = 0.2, wide = 0.25;

static bool at_middle_y(vec3 x)
{
    return at_start(x) && fabs(x.y - thick / 2) < 1e-9;
}

static bool at_middle_z(vec3 x)
{
    return at_start(x) && fabs(x.z - wide / 2) < 1e-9;
}

/* A thick column of solids whose start stays plane: Euler's load with the shear deformation of
 * Engesser. */
static void a_bar_of_solids_buckles(void **unused)
{
    (void)unused;
    static const int cells[3] = {10, 1, 1};
    lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(2, thick, wide), steel, NULL);
    lmb_fe_model *m = model_of(mesh);
    bool *fixed = calloc((size_t)m->n, sizeof *fixed);
    fix(m, at_start, LMB_BIT(LMB_UX), fixed);
    fix(m, at_middle_y, LMB_BIT(LMB_UY), fixed);
    fix(m, at_middle_z, LMB_BIT(LMB_UZ), fixed);
    double I = wide * pow(thick, 3) / 12, euler = LMB_PI * LMB_PI * steel.E * I / 16;
    double shear = 5.0 / 6 * steel.E / 2.6 * thick * wide;
    assert_close(column_load(m, fixed) / (euler / (1 + euler / shear)), 1, 1e-2);
    free(fixed);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beams_have_the_classical_matrix),
        cmocka_unit_test(forces_of_a_stressed_body_turn_with_it),
        cmocka_unit_test(a_beam_buckles_as_euler_says),
        cmocka_unit_test(a_bar_of_solids_buckles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
