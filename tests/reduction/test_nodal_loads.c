/* Nodal inertia forces: closed forms of rigid motions, the mass matrix, equilibrium, gyroscopic
 * moments, supports. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meshes.h"
#include "models.h"
#include "reduction/nodal_loads.h"
#include "support.h"

static const double DENSITY = 7800, LENGTH = 0.5, WIDTH = 0.1, HEIGHT = 0.2;

/* A block of solids in the middle of nowhere, reduced to its modes between two faces. */
typedef struct block {
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_interface points[2];
    lmb_reduced *reduced;
    lmb_masses masses;
} block;

static vec3 move(vec3 x)
{
    return v3(x.x + 0.3, x.y - 0.2 + 0.1 * x.x * x.x, x.z + 0.7);
}

static block make_block(lmb_element_kind kind)
{
    const int cells[3] = {3, 2, 2};
    const lmb_material steel = {"steel", 2e11, 0.3, DENSITY, false};
    block b = {.mesh = box_mesh(kind, cells, v3(LENGTH, WIDTH, HEIGHT), steel, move)};
    b.model = model_of(b.mesh);
    for (int p = 0; p < 2; p++) {
        lmb_interface *point = &b.points[p];
        *point = (lmb_interface){.name = p ? "B" : "A",
                                 .tie = LMB_TIE_RIGID,
                                 .position = move(v3(p * LENGTH, WIDTH / 2, HEIGHT / 2)),
                                 .nodes = calloc((size_t)b.mesh->node_count, sizeof(int))};
        for (int i = 0; i < b.mesh->node_count; i++)
            if (fabs(b.mesh->x[i].x - 0.3 - p * LENGTH) < 1e-9)
                point->nodes[point->count++] = i;
    }
    const lmb_reduction options = {.fixed = {.number = 4}};
    assert_ok(lmb_reduce(&b.reduced, context, b.model, b.points, 2, &options));
    b.masses = (lmb_masses){b.mesh, lmb_element_tables_new(b.mesh->arena), NULL};
    return b;
}

static void free_block(block *b)
{
    free(b->points[0].nodes);
    free(b->points[1].nodes);
    lmb_reduced_free(b->reduced);
    lmb_arena_free(b->model->arena);
    lmb_arena_free(b->mesh->arena);
}

static lmb_wrench resultant(const block *b, const lmb_nodal_loads *l, vec3 about)
{
    lmb_wrench sum = {v3(0, 0, 0), v3(0, 0, 0)};
    for (int i = 0; i < b->mesh->node_count; i++) {
        sum.force = v3_add(sum.force, l->force[i]);
        sum.moment = v3_add(
            sum.moment, v3_add(l->moment[i], v3_cross(v3_sub(b->mesh->x[i], about), l->force[i])));
    }
    return sum;
}

static void assert_vector(vec3 value, vec3 expected, double tolerance)
{
    if (!(v3_norm(v3_sub(value, expected)) <= tolerance))
        fail_msg("(%.17g, %.17g, %.17g) instead of (%.17g, %.17g, %.17g)", value.x, value.y,
                 value.z, expected.x, expected.y, expected.z);
}

/* The loads of a rigid motion are those that it needs, by Newton and Euler about the mass centre:
 * nothing is left to be removed. An additional force is, and is balanced by the inertia forces. */
static void rigid_motions_obey_newton_and_euler(void **unused)
{
    (void)unused;
    static const lmb_element_kind kinds[] = {LMB_TET4, LMB_TET10, LMB_HEX8, LMB_HEX20};
    for (int k = 0; k < 4; k++) {
        block b = make_block(kinds[k]);
        const lmb_reduced *r = b.reduced;
        lmb_arena *arena = lmb_arena_new();
        vec3 a = v3(3, -5, 2), w = v3(4, 7, -6), wd = v3(-20, 30, 10), c = r->centre;
        lmb_body_motion motion = {.acceleration = a, .spin = w, .spin_rate = wd};
        vec3 ac = v3_add(a, v3_add(v3_cross(wd, c), v3_cross(w, v3_cross(w, c))));
        vec3 L = m3_mul(&r->inertia, w);
        lmb_wrench needed = {v3_scale(r->mass, ac),
                             v3_add(m3_mul(&r->inertia, wd), v3_cross(w, L))};
        lmb_placed_load load = {c, needed};
        lmb_body_loads loads = {1, &load, NULL};
        lmb_nodal_loads out;
        assert_ok(lmb_nodal_loads_find(&out, context, arena, &b.masses, r, &motion, &loads));
        double size = v3_norm(needed.force);
        lmb_wrench sum = resultant(&b, &out, c);
        assert_vector(sum.force, v3_scale(-1, needed.force), 1e-11 * size);
        assert_vector(sum.moment, v3_scale(-1, needed.moment), 1e-11 * size);
        assert_true(out.share < 1e-11);
        load.x = v3_add(c, v3(0.1, 0.2, -0.3));
        load.load.force = v3_add(needed.force, v3(10, 20, 30));
        assert_ok(lmb_nodal_loads_find(&out, context, arena, &b.masses, r, &motion, &loads));
        assert_vector(out.removed.force, v3(10, 20, 30), 1e-11 * size);
        sum = resultant(&b, &out, load.x);
        assert_vector(sum.force, v3_scale(-1, load.load.force), 1e-11 * size);
        assert_vector(sum.moment, v3_scale(-1, load.load.moment), 1e-11 * size);
        lmb_arena_free(arena);
        free_block(&b);
    }
}

/* The forces of modes are -M Phi eta'': the sum over elements is the product with the assembled
 * matrix, whose sums are rounded in another order. */
static void modes_load_through_the_mass_matrix(void **unused)
{
    (void)unused;
    block b = make_block(LMB_HEX20);
    const lmb_body_loads none = {0};
    lmb_masses matrix = {b.mesh, b.masses.tables, b.model};
    lmb_arena *arena = lmb_arena_new();
    double rates[32] = {0}, most = 0;
    for (int k = 0; k < b.reduced->mode_count; k++)
        rates[k] = 100 * (k % 3 - 0.7);
    lmb_body_motion motion = {.spin = v3(3, 1, 2), .mode_accelerations = rates};
    lmb_nodal_loads by_elements, by_matrix;
    assert_true(b.reduced->mode_count <= 32);
    assert_ok(
        lmb_nodal_loads_find(&by_elements, context, arena, &b.masses, b.reduced, &motion, &none));
    assert_ok(lmb_nodal_loads_find(&by_matrix, context, arena, &matrix, b.reduced, &motion, &none));
    for (int i = 0; i < b.mesh->node_count; i++)
        most = fmax(most, v3_norm(by_matrix.force[i]));
    for (int i = 0; i < b.mesh->node_count; i++)
        assert_vector(by_elements.force[i], by_matrix.force[i], 1e-12 * most);
    lmb_arena_free(arena);
    free_block(&b);
}

/* A disc on the end of a light beam that spins about x and y: its gyroscopic moment -w x J w loads
 * the node besides its weight. */
static void discs_have_gyroscopic_moments(void **unused)
{
    (void)unused;
    const vec3 ends[] = {{0, 0, 0}, {1, 0, 0}};
    lmb_beam_line line = {.name = "beam",
                          .dimension = 3,
                          .points = ends,
                          .point_count = 2,
                          .elements = 2,
                          .section = {.A = 1e-4, .Iy = 1e-9, .Iz = 1e-9, .J = 2e-9},
                          .material = {"light", 2e11, 0.3, 1e-6, false}};
    lmb_mesh *mesh;
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    mesh->elements = lmb_arena_grow(mesh->arena, mesh->elements, 2, 3, sizeof *mesh->elements);
    mesh->connections = lmb_arena_grow(mesh->arena, mesh->connections, 4, 5, sizeof(int));
    mesh->masses = lmb_arena_alloc(mesh->arena, 1, sizeof *mesh->masses);
    mesh->masses[0] = (lmb_point_mass){5, {{{0.4, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}}}};
    mesh->elements[mesh->element_count++] = (lmb_element){
        .kind = LMB_POINT_MASS, .number = 3, .first = 4, .material = -1, .section = -1};
    mesh->connections[mesh->connection_count++] = 2;
    mesh->mass_count = 1;
    lmb_fe_model *model = model_of(mesh);
    int node = 0;
    lmb_interface point = {.name = "A", .tie = LMB_TIE_NODE, .nodes = &node, .count = 1};
    const lmb_reduction options = {.fixed = {.number = 2}};
    lmb_reduced *reduced;
    assert_ok(lmb_reduce(&reduced, context, model, &point, 1, &options));
    lmb_masses masses = {mesh, lmb_element_tables_new(mesh->arena), NULL};
    vec3 w = v3(100, 10, 0), about = v3(1, 0, 0);
    vec3 moment = v3_scale(-1, v3_cross(w, v3(0.4 * w.x, 0.2 * w.y, 0)));
    /* the disc stays where it is while it spins */
    lmb_body_motion motion = {.acceleration = v3_cross(w, v3_cross(w, v3_scale(-1, about))),
                              .spin = w};
    lmb_placed_load held = {about, {v3(0, 0, 0), v3_scale(-1, moment)}};
    lmb_nodal_loads out;
    assert_ok(lmb_nodal_loads_find(&out, context, mesh->arena, &masses, reduced, &motion,
                                   &(lmb_body_loads){1, &held, NULL}));
    assert_vector(out.moment[2], moment, 1e-6 * v3_norm(moment)); /* the beam has 1e-10 kg */
    assert_vector(out.force[2], v3(0, 0, 0), 1e-6);
    lmb_reduced_free(reduced);
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
}

/* Six supports hold every rigid motion: their rows of the motions about the middle, with lengths
 * over the size of the block, have a determinant far from 0. */
static void supports_hold_rigid_motions(void **unused)
{
    (void)unused;
    block b = make_block(LMB_HEX20);
    bool *wanted = calloc((size_t)b.mesh->node_count, sizeof *wanted);
    lmb_support s[LMB_SUPPORTS];
    double rows[6][6], product = 1;
    for (int i = 0; i < b.mesh->node_count; i++)
        wanted[i] = true;
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < b.points[p].count; i++)
            wanted[b.points[p].nodes[i]] = false;
    assert_true(lmb_supports_choose(s, b.mesh, wanted));
    for (int i = 0; i < 6; i++) {
        assert_true(wanted[s[i].node]);
        vec3 arm = v3_scale(1 / LENGTH, v3_sub(b.mesh->x[s[i].node], b.reduced->centre));
        for (int k = 0; k < 6; k++)
            rows[i][k] = v3_get(k < 3 ? v3_axis(k) : v3_cross(v3_axis(k - 3), arm), s[i].direction);
    }
    for (int i = 0; i < 6; i++) { /* Gram and Schmidt: the volume of the rows */
        for (int j = 0; j < i; j++) {
            double dot = 0;
            for (int k = 0; k < 6; k++)
                dot += rows[i][k] * rows[j][k];
            for (int k = 0; k < 6; k++)
                rows[i][k] -= dot * rows[j][k];
        }
        double norm = 0;
        for (int k = 0; k < 6; k++)
            norm += rows[i][k] * rows[i][k];
        product *= sqrt(norm);
        for (int k = 0; k < 6; k++)
            rows[i][k] /= sqrt(norm);
    }
    assert_true(product > 1e-3);
    memset(wanted, 0, (size_t)b.mesh->node_count * sizeof *wanted);
    for (int i = 0; i < b.mesh->node_count; i++) /* one line */
        wanted[i] = fabs(b.mesh->x[i].z - 0.7) < 1e-9 && fabs(b.mesh->x[i].x - 0.3) < 1e-9;
    assert_false(lmb_supports_choose(s, b.mesh, wanted));
    free(wanted);
    free_block(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motions_obey_newton_and_euler),
        cmocka_unit_test(modes_load_through_the_mass_matrix),
        cmocka_unit_test(discs_have_gyroscopic_moments),
        cmocka_unit_test(supports_hold_rigid_motions),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
