/* Solid elements: patch tests, rigid motions, mass and inertia, integration rules. */
#include <stdlib.h>
#include <string.h>

#include "fe/solid.h"
#include "meshes.h"
#include "support.h"

static const lmb_element_kind kinds[] = {LMB_TET4, LMB_TET10, LMB_HEX8, LMB_HEX20};
static const lmb_material metal = {"metal", 70e9, 0.3, 2700, false};
static const vec3 sizes = {1, 0.8, 1.2};

/* Keeps the faces of the box and moves what is inside, differently at each node. */
static vec3 distorted(vec3 x)
{
    double inside =
        sin(LMB_PI * x.x / sizes.x) * sin(LMB_PI * x.y / sizes.y) * sin(LMB_PI * x.z / sizes.z);
    return v3(x.x + 0.11 * inside * cos(3 * x.y + 1), x.y + 0.1 * inside * sin(5 * x.z + x.x),
              x.z - 0.12 * inside * cos(4 * x.x + x.y));
}

/* The box itself also skewed. */
static vec3 skewed(vec3 x)
{
    vec3 d = distorted(x);
    return v3(d.x + 0.2 * d.y, d.y - 0.15 * d.z * d.x, d.z + 0.1 * d.x + 0.1 * d.y * d.x);
}

static bool boundary_box(vec3 x)
{
    const double e = 1e-9;
    return x.x < e || x.y < e || x.z < e || x.x > sizes.x - e || x.y > sizes.y - e ||
           x.z > sizes.z - e;
}

/* Displacements of constant strain number k (0 to 5), with a rigid motion on top. */
static vec3 strained(vec3 x, int k)
{
    static const double gradients[6][3][3] = {
        {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}}};
    const double(*g)[3] = gradients[k];
    return v3(g[0][0] * x.x + g[0][1] * x.y + g[0][2] * x.z + 0.3,
              g[1][0] * x.x + g[1][1] * x.y + g[1][2] * x.z - 0.2,
              g[2][0] * x.x + g[2][1] * x.y + g[2][2] * x.z + 0.1);
}

static void field(const lmb_fe_model *model, int k, double *u)
{
    for (int i = 0; i < model->n; i++)
        u[i] = v3_get(strained(model->x[model->node[i]], k), model->direction[i]);
}

/* Constant strain on the faces of a distorted patch gives constant strain within: the error is that
 * of rounding, 1e-16 times the condition of K. */
static void constant_strains_pass_the_patch_test(void **unused)
{
    (void)unused;
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], (int[3]){2, 2, 2}, sizes, metal, distorted);
        lmb_fe_model *model = model_of(mesh);
        double *u = calloc((size_t)model->n, sizeof *u), *f = calloc((size_t)model->n, sizeof *f);
        double *exact = calloc((size_t)model->n, sizeof *exact);
        bool *fixed = calloc((size_t)model->n, sizeof *fixed);
        fix(model, boundary_box, LMB_TRANSLATIONS, fixed);
        for (int k = 0; k < 6; k++) {
            field(model, k, exact);
            memcpy(u, exact, (size_t)model->n * sizeof *u);
            solve(model, fixed, f, u);
            for (int i = 0; i < model->n; i++)
                assert_close(u[i], exact[i], 1e-10);
        }
        free(u);
        free(f);
        free(exact);
        free(fixed);
        lmb_arena_free(model->arena);
        lmb_arena_free(mesh->arena);
    }
}

/* Displacements and rotations about three axes store no energy. */
static void rigid_motions_give_no_force(void **unused)
{
    (void)unused;
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], (int[3]){2, 2, 2}, sizes, metal, skewed);
        lmb_fe_model *model = model_of(mesh);
        double *u = calloc((size_t)model->n, sizeof *u), *f = calloc((size_t)model->n, sizeof *f);
        for (int k = 0; k < 6; k++) {
            vec3 axis = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
            for (int i = 0; i < model->n; i++)
                u[i] = v3_get(k < 3 ? axis : v3_cross(axis, model->x[model->node[i]]),
                              model->direction[i]);
            lmb_symmetric_multiply(&model->K, u, f);
            for (int i = 0; i < model->n; i++) /* rounding in sums of some dozen numbers near E */
                assert_true(fabs(f[i]) < 1e-13 * metal.E);
        }
        free(u);
        free(f);
        lmb_arena_free(model->arena);
        lmb_arena_free(mesh->arena);
    }
}

/* u^T M u of unit displacements is the mass, of unit rotations the inertia about the origin: the
 * rules are exact for straight edges, and the mapping moves inner nodes only. */
static void mass_and_inertia_are_those_of_the_box(void **unused)
{
    (void)unused;
    double m = metal.density * sizes.x * sizes.y * sizes.z;
    double xx = m * sizes.x * sizes.x / 3, yy = m * sizes.y * sizes.y / 3,
           zz = m * sizes.z * sizes.z / 3;
    const double expected[6] = {m, m, m, yy + zz, zz + xx, xx + yy};
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], (int[3]){2, 3, 2}, sizes, metal,
                                  kinds[e] >= LMB_HEX8 ? NULL : distorted);
        lmb_fe_model *model = model_of(mesh);
        double *u = calloc((size_t)model->n, sizeof *u), *f = calloc((size_t)model->n, sizeof *f);
        for (int k = 0; k < 6; k++) {
            double sum = 0;
            vec3 axis = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
            for (int i = 0; i < model->n; i++)
                u[i] = v3_get(k < 3 ? axis : v3_cross(axis, model->x[model->node[i]]),
                              model->direction[i]);
            lmb_symmetric_multiply(&model->M, u, f);
            for (int i = 0; i < model->n; i++)
                sum += u[i] * f[i];
            assert_close(sum, expected[k], 1e-12);
        }
        free(u);
        free(f);
        lmb_arena_free(model->arena);
        lmb_arena_free(mesh->arena);
    }
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Integral of x^a y^b z^c over the unit tetrahedron: a! b! c! / (a + b + c + 3)!. */
static void tetrahedra_are_integrated_exactly(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    const lmb_element_tables *tables = lmb_element_tables_new(arena);
    const lmb_solid_table *tet10 = lmb_solid_table_of(tables, LMB_TET10);
    const struct {
        const lmb_solid_rule *rule;
        int degree;
    } rules[] = {{&tet10->stiffness, 2}, {&tet10->mass, 5}};
    for (int r = 0; r < 2; r++)
        for (int a = 0; a <= rules[r].degree; a++)
            for (int b = 0; a + b <= rules[r].degree; b++)
                for (int c = 0; a + b + c <= rules[r].degree; c++) {
                    double sum = 0;
                    for (int p = 0; p < rules[r].rule->points; p++) {
                        const double *at = rules[r].rule->at[p];
                        sum += rules[r].rule->weight[p] * pow(at[0], a) * pow(at[1], b) *
                               pow(at[2], c);
                    }
                    assert_close(
                        sum, factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3),
                        1e-15);
                }
    lmb_arena_free(arena);
}

/* Shape functions are 1 at their own node and 0 at others, add up to 1, and their derivatives are
 * those of differences. */
static void shape_functions_interpolate(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    const lmb_element_tables *tables = lmb_element_tables_new(arena);
    for (int e = 0; e < 4; e++) {
        const lmb_solid_table *t = lmb_solid_table_of(tables, kinds[e]);
        double at[3] = {0.21, 0.33, 0.17}, N[20], dN[20][3], plus[20], minus[20], unused2[20][3];
        double sum = 0;
        for (int a = 0; a < t->nodes; a++)
            for (int b = 0; b < t->nodes; b++)
                assert_close(t->corners.N[a][b], a == b, 1e-15);
        lmb_solid_shapes(kinds[e], at, N, dN);
        for (int a = 0; a < t->nodes; a++)
            sum += N[a];
        assert_close(sum, 1, 1e-14);
        for (int i = 0; i < 3; i++) {
            const double h =
                1e-4; /* cubic functions: h^2/6 times a third derivative of at most 1 */
            at[i] += h;
            lmb_solid_shapes(kinds[e], at, plus, unused2);
            at[i] -= 2 * h;
            lmb_solid_shapes(kinds[e], at, minus, unused2);
            at[i] += h;
            for (int a = 0; a < t->nodes; a++)
                assert_close((plus[a] - minus[a]) / (2 * h), dN[a][i], 1e-8);
        }
    }
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_functions_interpolate),
        cmocka_unit_test(tetrahedra_are_integrated_exactly),
        cmocka_unit_test(constant_strains_pass_the_patch_test),
        cmocka_unit_test(rigid_motions_give_no_force),
        cmocka_unit_test(mass_and_inertia_are_those_of_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
