/* Stresses of single elements at nodes, against a mesh with a material for each element, where
 * nothing is averaged. */
#include <math.h>
#include <stdlib.h>

#include "channels/element_stress.h"
#include "fe/stress.h"
#include "meshes.h"
#include "models.h"
#include "reduction/body_data.h"
#include "support.h"

static const vec3 size = {0.3, 0.04, 0.03};

static vec3 warp(vec3 x)
{
    return v3(x.x + 2 * x.x * x.x, x.y * (1 + 0.5 * x.x / 0.3), x.z + 0.1 * x.x * x.y);
}

static lmb_mesh *make_mesh(lmb_element_kind kind)
{
    static const int cells[3] = {4, 2, 1};
    const lmb_material steel = {"steel", 2e11, 0.3, 7850, false};
    return box_mesh(kind, cells, size, steel, warp);
}

/* Points A and B on the end faces. */
static lmb_body_data *reduce(const lmb_fe_model *m)
{
    lmb_arena *arena;
    lmb_interface points[2];
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    d->arena = arena;
    double length = warp(v3(size.x, 0, 0)).x;
    for (int p = 0; p < 2; p++) {
        points[p] = (lmb_interface){.name = p ? "B" : "A",
                                    .position = v3(p * length, 0.02, 0.015),
                                    .tie = LMB_TIE_RIGID,
                                    .nodes = calloc((size_t)m->node_count, sizeof(int))};
        for (int i = 0; i < m->node_count; i++)
            if (fabs(m->x[i].x - p * length) < 1e-9)
                points[p].nodes[points[p].count++] = i;
    }
    lmb_reduction options = {.fixed = {.number = 4}, .keep = {.number = 5}, .residual = true};
    assert_ok(lmb_reduce_body(d, context, m, points, 2, &options));
    free(points[0].nodes);
    free(points[1].nodes);
    return d;
}

/* The displacements of the model for coordinates e, in double precision. */
static double *displacements(const lmb_body_data *d, const lmb_fe_model *m, const double *e)
{
    size_t n = (size_t)m->n;
    int modes = d->reduced->mode_count;
    double *u = calloc(n, sizeof *u), *mode = calloc(n, sizeof *mode);
    for (int k = 0; k < lmb_stress_columns(d); k++) {
        if (k < modes)
            lmb_reduced_displacements(d->reduced, m, k, mode);
        for (size_t i = 0; i < n; i++)
            u[i] += e[k] *
                    (k < modes ? mode[i] : d->reduced->residual[(k - modes) * (long)n + (long)i]);
    }
    free(mode);
    return u;
}

/* Residual displacements are kept in single precision: 6e-8 of them, over elements that are a tenth
 * as long as the body. */
static void check_kind(lmb_element_kind kind)
{
    lmb_mesh *mesh = make_mesh(kind), *apart = make_mesh(kind);
    lmb_fe_model *m = model_of(mesh);
    lmb_body_data *d = reduce(m);
    lmb_material *own = calloc((size_t)apart->element_count, sizeof *own);
    for (int i = 0; i < apart->element_count; i++) {
        own[i] = apart->materials[0];
        apart->elements[i].material = i;
    }
    apart->materials = own;
    apart->material_count = apart->element_count;
    double *e = calloc((size_t)lmb_stress_columns(d), sizeof *e);
    for (int k = 0; k < lmb_stress_columns(d); k++)
        e[k] = (k < d->reduced->mode_count ? 1e-5 : 10) * sin(1 + 3 * k);
    double *u = displacements(d, m, e);
    lmb_fe_model *apart_model = model_of(apart);
    lmb_stress *stress;
    assert_ok(lmb_stress_new(&stress, context, apart_model));
    double *all = calloc((size_t)stress->count * LMB_STRESSES, sizeof *all), most = 0;
    assert_true(lmb_stress_nodal(stress, 1, u, all));
    for (int i = 0; i < stress->count; i++)
        most = fmax(most, lmb_von_mises(all + (ptrdiff_t)i * LMB_STRESSES));
    int differ = 0;
    for (int i = 0; i < d->stress_count; i++) {
        double range[2], expected[2] = {INFINITY, 0};
        for (int k = 0; k < stress->count; k++)
            if (stress->node[k] == d->stress_node[i]) {
                double mises = lmb_von_mises(all + (ptrdiff_t)k * LMB_STRESSES);
                expected[0] = fmin(expected[0], mises);
                expected[1] = fmax(expected[1], mises);
            }
        assert_true(lmb_element_stress_range(d, e, i, range));
        assert_close(range[0], expected[0], 1e-5 * most);
        assert_close(range[1], expected[1], 1e-5 * most);
        differ += expected[1] > expected[0] + 0.01 * most;
    }
    assert_true(differ > 0);
    lmb_arena_free(stress->arena);
    lmb_arena_free(apart_model->arena);
    lmb_arena_free(apart->arena);
    lmb_reduced_free(d->reduced);
    lmb_arena_free(d->arena);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
    free(own);
    free(all);
    free(u);
    free(e);
}

static void ranges_are_those_of_single_elements(void **unused)
{
    (void)unused;
    static const lmb_element_kind kinds[] = {LMB_TET4, LMB_TET10, LMB_HEX8, LMB_HEX20};
    for (int i = 0; i < 4; i++)
        check_kind(kinds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_those_of_single_elements),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
