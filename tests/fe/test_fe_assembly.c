/* Assembly: degrees of freedom, threads, and what is said of bad meshes; surfaces. */
#include <string.h>

#include "base/memory.h"
#include "fe/solid.h"
#include "fe/mesh.h"
#include "meshes.h"
#include "support.h"

static const lmb_material metal = {"metal", 100e9, 0.25, 5000, false};
static const lmb_element_kind kinds[] = {LMB_TET4, LMB_TET10, LMB_HEX8, LMB_HEX20};

/* The matrices are the same to the last bit however many threads add them up. */
static void threads_do_not_change_a_bit(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], (int[3]){9, 8, 7}, v3(1, 1, 1), metal, NULL);
        lmb_fe_model *one, *three;
        assert_int_equal(lmb_fe_assemble(&one, context, mesh, 1), LMB_OK);
        assert_int_equal(lmb_fe_assemble(&three, context, mesh, 3), LMB_OK);
        size_t count = (size_t)one->K.start[one->n];
        assert_int_equal(one->n, three->n);
        assert_memory_equal(one->K.value, three->K.value, count * sizeof(double));
        assert_memory_equal(one->K.row, three->K.row, count * sizeof(int));
        count = (size_t)one->M.start[one->n];
        assert_int_equal(count, three->M.start[three->n]);
        assert_memory_equal(one->M.value, three->M.value, count * sizeof(double));
        assert_memory_equal(one->M.row, three->M.row, count * sizeof(int));
        lmb_arena_free(one->arena);
        lmb_arena_free(three->arena);
        lmb_arena_free(mesh->arena);
    }
    lmb_context_free(context);
}

/* The pattern is as math/symmetric.h wants it: diagonal first, rows ascending. */
static void columns_are_sorted(void **unused)
{
    (void)unused;
    lmb_mesh *mesh = box_mesh(LMB_TET10, (int[3]){2, 2, 3}, v3(1, 1, 1), metal, NULL);
    lmb_fe_model *model = model_of(mesh);
    for (int j = 0; j < model->n; j++) {
        assert_int_equal(model->K.row[model->K.start[j]], j);
        for (int k = model->K.start[j] + 1; k < model->K.start[j + 1]; k++)
            assert_true(model->K.row[k] > model->K.row[k - 1]);
    }
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
}

/* A cube with a beam on its corner, a point mass at the end of the beam and one on another corner,
 * and a node that nothing is at. */
typedef struct mixture {
    lmb_mesh mesh;
    vec3 x[10];
    int number[10], connections[12];
    lmb_element elements[4];
    lmb_material material;
    lmb_section section;
    lmb_point_mass masses[2];
} mixture;

static void make_mixture(mixture *m)
{
    lmb_mesh *cube = box_mesh(LMB_HEX8, (int[3]){1, 1, 1}, v3(1, 1, 1), metal, NULL);
    *m = (mixture){.material = metal,
                   .section = {.name = "given", .A = 1e-2, .Iy = 1e-5, .Iz = 1e-5, .J = 2e-5},
                   .masses = {{3, {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}}}, {5, {{{0}}}}}};
    memcpy(m->x, cube->x, 8 * sizeof *m->x);
    memcpy(m->connections, cube->connections, 8 * sizeof *m->connections);
    m->x[8] = v3(2, 0, 0);
    m->x[9] = v3(9, 9, 9);
    for (int i = 0; i < 10; i++)
        m->number[i] = 101 + i;
    m->connections[8] = 1; /* the corner 1, 0, 0 */
    m->connections[9] = 8;
    m->connections[10] = 8;
    m->connections[11] = 0;
    m->elements[0] = (lmb_element){LMB_HEX8, 1, 0, 0, -1, -1};
    m->elements[1] = (lmb_element){LMB_BEAM, 2, 8, 0, 0, -1};
    m->elements[2] = (lmb_element){LMB_POINT_MASS, 3, 10, -1, -1, 0};
    m->elements[3] = (lmb_element){LMB_POINT_MASS, 4, 11, -1, -1, 1};
    m->mesh = (lmb_mesh){.file = "mixture",
                         .dimension = 3,
                         .x = m->x,
                         .number = m->number,
                         .node_count = 10,
                         .elements = m->elements,
                         .connections = m->connections,
                         .element_count = 4,
                         .connection_count = 12,
                         .materials = &m->material,
                         .sections = &m->section,
                         .masses = m->masses,
                         .material_count = 1,
                         .section_count = 1,
                         .mass_count = 2};
    lmb_arena_free(cube->arena);
}

static void nodes_have_what_their_elements_give(void **unused)
{
    (void)unused;
    mixture m;
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model;
    make_mixture(&m);
    assert_int_equal(lmb_fe_assemble(&model, context, &m.mesh, 0), LMB_OK);
    assert_message(context, "a beam ends at a solid at node 102");
    assert_int_equal(model->n, 7 * 3 + 6 + 6);
    assert_int_equal(model->dof[0][LMB_RX], -1);
    assert_true(model->dof[1][LMB_RZ] >= 0 && model->dof[8][LMB_RX] >= 0);
    assert_int_equal(model->dof[9][LMB_UX], -1);
    /* a unit displacement has the energy of all masses, a unit rotation about x at node 109 that of
     * the point's inertia and its third of the beam's */
    double u[33], y[33], mass = 0;
    for (int i = 0; i < 33; i++)
        u[i] = model->direction[i] == LMB_UX;
    lmb_symmetric_multiply(&model->M, u, y);
    for (int i = 0; i < 33; i++)
        mass += u[i] * y[i];
    assert_close(mass, 5000 + 5000e-2 + 3 + 5, 1e-12);
    int turn = model->dof[8][LMB_RX];
    assert_close(model->M.value[model->M.start[turn]], 1 + 5000 * 2e-5 / 3, 1e-12);
    lmb_arena_free(model->arena);
    lmb_context_free(context);
}

static void lost_inertia_is_told(void **unused)
{
    (void)unused;
    mixture m;
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model;
    make_mixture(&m);
    m.elements[3].point_mass = 0;
    assert_int_equal(lmb_fe_assemble(&model, context, &m.mesh, 0), LMB_OK);
    assert_message(context, "the inertia of the point mass at node 101 has no effect");
    lmb_arena_free(model->arena);
    lmb_context_free(context);
}

/* A node with a mass of zero alone is as good as empty. */
static void masses_of_zero_may_be_anywhere(void **unused)
{
    (void)unused;
    mixture m;
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model;
    make_mixture(&m);
    m.masses[1].mass = 0;
    m.connections[11] = 9;
    assert_int_equal(lmb_fe_assemble(&model, context, &m.mesh, 0), LMB_OK);
    assert_int_equal(model->n, 33);
    assert_int_equal(model->dof[9][LMB_UX], -1);
    lmb_arena_free(model->arena);
    lmb_context_free(context);
}

/* What is wrong with a mesh, and the words that must be in the message. */
static void refuse(const lmb_mesh *mesh, const char *words)
{
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model;
    assert_int_equal(lmb_fe_assemble(&model, context, mesh, 0), LMB_BAD_INPUT);
    assert_null(model);
    assert_message(context, words);
    lmb_context_free(context);
}

static void wrong_meshes_are_refused(void **unused)
{
    (void)unused;
    mixture m;
    make_mixture(&m);
    m.elements[0].material = -1;
    refuse(&m.mesh, "element 1 of mixture has no material");
    make_mixture(&m);
    m.elements[1].section = -1;
    refuse(&m.mesh, "the beam element 2 of mixture has no section");
    make_mixture(&m);
    m.connections[11] = 9;
    refuse(&m.mesh, "the point mass at node 110 of mixture is at a node without elements");
    make_mixture(&m);
    m.x[0] = m.x[1];
    m.connections[0] = 1;
    refuse(&m.mesh, "point mass at node 101");
    make_mixture(&m);
    m.connections[9] = 10;
    refuse(&m.mesh, "element 2 of mixture has an undefined node");
    make_mixture(&m);
    m.x[8] = m.x[1];
    refuse(&m.mesh, "the beam element 2 of mixture has no length");
    make_mixture(&m);
    m.section.y_axis = v3(-1, 0, 0);
    refuse(&m.mesh, "the y axis of the section is along the beam element 2");
    make_mixture(&m);
    m.x[3].y = NAN;
    refuse(&m.mesh, "node 104 of mixture is not at a finite place");
    make_mixture(&m);
    m.mesh.dimension = 2;
    refuse(&m.mesh, "element 1 of mixture is a hex8, in a mesh of the plane");
    make_mixture(&m);
    m.mesh.element_count = 0;
    refuse(&m.mesh, "mixture has no elements");
    make_mixture(&m);
    m.material.nu = 0.5;
    refuse(&m.mesh, "Poisson's ratio");
}

static void swap(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = old;
}

/* Nodes in the wrong order, a flat element, and middle nodes in the order of another program. */
static void inverted_elements_are_named(void **unused)
{
    (void)unused;
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], (int[3]){4, 1, 1}, v3(4, 1, 1), metal, NULL);
        int *nodes = mesh->connections + mesh->elements[2].first;
        if (kinds[e] == LMB_TET4 || kinds[e] == LMB_TET10) {
            swap(&nodes[0], &nodes[1]);
        } else {
            for (int i = 0; i < 4; i++)
                swap(&nodes[i], &nodes[4 + i]);
        }
        refuse(mesh, "element 3 of box");
        lmb_arena_free(mesh->arena);
    }
    lmb_mesh *mesh = box_mesh(LMB_TET10, (int[3]){4, 1, 1}, v3(4, 1, 1), metal, NULL);
    int *nodes = mesh->connections + mesh->elements[5].first;
    swap(&nodes[4], &nodes[9]);
    refuse(mesh, "element 6 of box: ");
    lmb_arena_free(mesh->arena);
    mesh = box_mesh(LMB_TET4, (int[3]){4, 1, 1}, v3(4, 1, 1), metal, NULL);
    nodes = mesh->connections + mesh->elements[5].first;
    nodes[3] = nodes[2];
    refuse(mesh, "element 6 of box: no volume");
    lmb_arena_free(mesh->arena);
}

static const lmb_message *warning(lmb_context *context, const char *words)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (strstr(lmb_message_at(context, i)->text, words))
            return lmb_message_at(context, i);
    return NULL;
}

static vec3 flattened(vec3 x)
{
    return v3(x.x, x.y, 0.005 * x.z);
}

/* Flat cells make slivers; ten are named and the others counted. Linear tetrahedra are warned of.
 */
static void slivers_are_warned_of(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh = box_mesh(LMB_TET4, (int[3]){4, 1, 1}, v3(4, 1, 1), metal, flattened);
    lmb_fe_model *model;
    assert_int_equal(lmb_fe_assemble(&model, context, mesh, 0), LMB_OK);
    assert_non_null(
        warning(context, "elements 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 14 others of box"));
    assert_non_null(warning(context, "24 linear tetrahedra (tet4)"));
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    lmb_messages_clear(context);
    /* a middle node a third of its edge away */
    mesh = box_mesh(LMB_TET10, (int[3]){1, 1, 1}, v3(1, 1, 1), metal, NULL);
    int node = mesh->connections[mesh->elements[0].first + 4];
    mesh->x[node].y -= 0.3;
    assert_int_equal(lmb_fe_assemble(&model, context, mesh, 0), LMB_OK);
    assert_non_null(warning(context, "a mid-side node is far from the middle of its edge"));
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

/* A regular tetrahedron has the shape 1, a cube, too. */
static void shapes_are_measured(void **unused)
{
    (void)unused;
    lmb_arena *arena = lmb_arena_new();
    const lmb_element_tables *tables = lmb_element_tables_new(arena);
    lmb_element_data e = {.kind = LMB_TET4,
                          .x = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}}};
    lmb_solid_quality q = lmb_solid_quality_of(tables, &e);
    assert_close(q.shape, 1, 1e-14);
    assert_close(q.volume, 8.0 / 3, 1e-14);
    lmb_mesh *mesh = box_mesh(LMB_HEX20, (int[3]){1, 1, 1}, v3(2, 2, 2), metal, NULL);
    lmb_element_gather(mesh, 0, &e);
    q = lmb_solid_quality_of(tables, &e);
    assert_close(q.shape, 1, 1e-14);
    assert_close(q.volume, 8, 1e-14);
    assert_close(q.least, 1, 1e-14);
    assert_close(q.middle, 0, 1e-14);
    lmb_arena_free(mesh->arena);
    lmb_arena_free(arena);
}

/* The triangles of a box: their number, their area, the volume within (which needs all normals to
 * point outwards), and the nodes. */
static void surfaces_are_closed(void **unused)
{
    (void)unused;
    static const int triangles[] = {2 * 1, 2 * 4, 2, 6};
    const int cells[3] = {2, 3, 4};
    const vec3 size = {1, 2, 3};
    lmb_context *context = lmb_context_new();
    for (int e = 0; e < 4; e++) {
        lmb_mesh *mesh = box_mesh(kinds[e], cells, size, metal, NULL);
        lmb_surface s;
        double area = 0, volume = 0;
        int on = 0;
        assert_int_equal(lmb_surface_of(&s, mesh->arena, context, mesh), LMB_OK);
        assert_int_equal(s.triangle_count, 2 * (6 + 8 + 12) * triangles[e]);
        for (int t = 0; t < s.triangle_count; t++) {
            vec3 a = mesh->x[s.triangles[t][0]], b = mesh->x[s.triangles[t][1]],
                 c = mesh->x[s.triangles[t][2]];
            vec3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
            area += v3_norm(normal) / 2;
            volume += v3_dot(a, normal) / 6;
        }
        assert_close(area, 22, 1e-13);
        assert_close(volume, 6, 1e-13);
        for (int i = 0; i < mesh->node_count; i++) {
            vec3 x = mesh->x[i];
            bool out = fmin(fmin(x.x, x.y), x.z) < 1e-9 || x.x > size.x - 1e-9 ||
                       x.y > size.y - 1e-9 || x.z > size.z - 1e-9;
            if (out)
                assert_int_equal(s.nodes[on++], i);
        }
        assert_int_equal(on, s.node_count);
        lmb_arena_free(mesh->arena);
    }
    lmb_context_free(context);
}

static void run_out_in_the_last(void *user, int index)
{
    if (index == *(const int *)user)
        lmb_memory_fail();
}

static void failures_of_threads_are_known(void **unused)
{
    (void)unused;
    int last = 1, none = 2;
    lmb_memory_failed();
    lmb_element_share(2, run_out_in_the_last, &none);
    assert_null(lmb_memory_failed());
    lmb_element_share(2, run_out_in_the_last, &last);
    assert_string_equal(lmb_memory_failed(), "out of memory");
    assert_null(lmb_memory_failed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(columns_are_sorted),
        cmocka_unit_test(nodes_have_what_their_elements_give),
        cmocka_unit_test(lost_inertia_is_told),
        cmocka_unit_test(masses_of_zero_may_be_anywhere),
        cmocka_unit_test(wrong_meshes_are_refused),
        cmocka_unit_test(inverted_elements_are_named),
        cmocka_unit_test(slivers_are_warned_of),
        cmocka_unit_test(shapes_are_measured),
        cmocka_unit_test(surfaces_are_closed),
        cmocka_unit_test(failures_of_threads_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
