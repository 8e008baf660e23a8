/* Cylinders through groups of nodes, the centres of their faces, and nodes selected by geometry. */
#include <math.h>
#include <string.h>

#include "fe/node_group.h"
#include "meshes.h"
#include "support.h"

static lmb_context *context;

static int make_context(void **state)
{
    (void)state;
    context = lmb_context_new();
    return context ? 0 : -1;
}

static int free_context(void **state)
{
    (void)state;
    lmb_context_free(context);
    return 0;
}

/* --- cylinders -------------------------------------------------------------------------------- */

enum { AROUND = 24, ALONG = 7, POINTS = (AROUND + 1) * ALONG, FACES = 2 * AROUND * (ALONG - 1) };

typedef struct patch {
    vec3 x[POINTS];
    int triangles[FACES][3], nodes[POINTS];
    lmb_selectable all;
} patch;

static const vec3 middle = {0.3, -0.2, 0.7};
static const double radius = 0.05, length = 0.02;

/* A part of a cylinder of an angle, with an oblique axis. Rings are closer together at the start
 * and at one end; `wave` moves lines of nodes in and out. */
static void make_patch(patch *p, double angle, double wave)
{
    vec3 a = v3_unit(v3(1, 2, 3)), u = v3_unit(v3_cross(a, v3(0, 0, 1))), v = v3_cross(a, u);
    for (int i = 0; i < POINTS; i++) {
        double s = i / (AROUND + 1) / (ALONG - 1.0), t = i % (AROUND + 1) / (double)AROUND;
        double phi = angle * (0.6 * t + 0.4 * t * t),
               r = radius * (1 + (i % (AROUND + 1) % 2 ? wave : -wave));
        vec3 across = v3_add(v3_scale(r * cos(phi), u), v3_scale(r * sin(phi), v));
        p->x[i] = v3_add(v3_axpy(middle, length * (s * s - 0.5), a), across);
        p->nodes[i] = i;
    }
    for (int f = 0; f < FACES; f++) {
        int k = f / 2 / AROUND * (AROUND + 1) + f / 2 % AROUND;
        int odd[3] = {k, k + 1, k + AROUND + 2}, even[3] = {k, k + AROUND + 2, k + AROUND + 1};
        memcpy(p->triangles[f], f % 2 ? odd : even, sizeof odd);
    }
    p->all = (lmb_selectable){.x = p->x,
                              .count = POINTS,
                              .triangles = (const int(*)[3])p->triangles,
                              .triangle_count = FACES};
}

static lmb_node_group measure(const lmb_selectable *all, const int *nodes, int count)
{
    lmb_node_group g;
    assert_false(lmb_node_group_measure(&g, context, all, nodes, count));
    return g;
}

/* Nodes on a cylinder give it to rounding, however they are spread. */
static void test_cylinders(void **state)
{
    (void)state;
    static patch p;
    static const double angles[] = {2 * LMB_PI, LMB_PI, 1.3};
    for (int i = 0; i < 3; i++) {
        make_patch(&p, angles[i], 0);
        lmb_node_group g = measure(&p.all, p.nodes, POINTS);
        assert_int_equal(g.triangle_count, FACES);
        assert_true(lmb_is_round(&g));
        assert_close(g.radius, radius, 1e-12);
        assert_close(v3_norm(v3_sub(g.middle, middle)), 0, 1e-11);
        assert_close(fabs(v3_dot(g.axis, v3_unit(v3(1, 2, 3)))), 1, 1e-12);
    }
    make_patch(&p, 0.7, 0); /* 40 degrees: a curved face rather than a bore */
    assert_true(measure(&p.all, p.nodes, POINTS).radius == 0);
}

/* Lines of nodes that are in and out by turns: their rms distance is the wave. */
static void test_fit_error(void **state)
{
    (void)state;
    static patch p;
    static const double waves[] = {0.003, 0.008, 0.02};
    for (int i = 0; i < 3; i++) {
        make_patch(&p, 2 * LMB_PI, waves[i]);
        lmb_node_group g = measure(&p.all, p.nodes, POINTS);
        assert_close(g.error / waves[i], 1, 0.02); /* 13 of 25 lines are out; spacing is uneven */
        assert_int_equal(lmb_is_round(&g), waves[i] < 0.01);
    }
}

/* --- areas ------------------------------------------------------------------------------------ */

static vec3 crowded(vec3 x)
{
    return v3(x.x, x.y * x.y / 2, x.z);
}

static bool on_side(vec3 x)
{
    return x.x == 0;
}

/* The nodes of a mesh that a question picks. */
static int pick(const lmb_mesh *mesh, node_question *where, int *nodes)
{
    int count = 0;
    for (int i = 0; i < mesh->node_count; i++)
        if (where(mesh->x[i]))
            nodes[count++] = i;
    return count;
}

/* A flat face with nodes crowded at an edge has its point in the centre of the area, and no
 * cylinder; the box of four sides is not round. */
static void test_areas(void **state)
{
    (void)state;
    const lmb_material steel = {"steel", 2e11, 0.3, 7850, false};
    lmb_mesh *mesh = box_mesh(LMB_TET10, (int[]){2, 5, 3}, v3(1, 2, 3), steel, crowded);
    lmb_selectable all = {.x = mesh->x, .count = mesh->node_count};
    assert_false(lmb_selectable_of(&all, context, mesh->arena, mesh));
    int *nodes = lmb_arena_integers(mesh->arena, (size_t)mesh->node_count);
    lmb_node_group g = measure(&all, nodes, pick(mesh, on_side, nodes));
    assert_close(v3_norm(v3_sub(g.centre, v3(0, 1, 1.5))), 0, 1e-14);
    assert_true(g.radius == 0 && g.low.x == 0 && g.high.x == 0 && g.high.y == 2);
    assert_true(g.triangle_count == 2 * 5 * 3 * 4);
    for (int i = 0; i < mesh->node_count; i++)
        nodes[i] = i;
    g = measure(&all, nodes, mesh->node_count);
    assert_close(v3_norm(v3_sub(g.centre, v3(0.5, 1, 1.5))), 0, 1e-14);
    assert_false(lmb_is_round(&g));
    /* without a face: the mean */
    g = measure(&all, (int[]){0}, 1);
    assert_int_equal(g.triangle_count, 0);
    assert_close(v3_norm(v3_sub(g.centre, mesh->x[0])), 0, 1e-15);
    lmb_arena_free(mesh->arena);
}

/* --- selections ------------------------------------------------------------------------------- */

static int selected(const lmb_selectable *all, const lmb_node_selection *s)
{
    int nodes[1000], count;
    assert_true(all->count <= 1000);
    assert_false(lmb_select_nodes(s, context, all, nodes, &count));
    return count;
}

/* A box of 4 x 4 x 2 hexahedra on 0..4, 0..4, 0..2: nodes are on whole numbers. */
static void test_selections(void **state)
{
    (void)state;
    const lmb_material steel = {"steel", 2e11, 0.3, 7850, false};
    lmb_mesh *mesh = box_mesh(LMB_HEX8, (int[]){4, 4, 2}, v3(4, 4, 2), steel, NULL);
    lmb_selectable all = {.x = mesh->x, .count = mesh->node_count};
    assert_false(lmb_selectable_of(&all, context, mesh->arena, mesh));
    lmb_node_selection s = {.name = "A", .plane = {true, v3(0, 0, 2), v3(0, 0, -3)}};
    assert_int_equal(selected(&all, &s), 25);
    s.box.used = true; /* in both */
    s.box.from = v3(4, 1, 0);
    s.box.to = v3(2, 4, 5);
    assert_int_equal(selected(&all, &s), 12);
    s.plane.used = false;
    assert_int_equal(selected(&all, &s), 36);
    /* four nodes in the middles of the sides of a square of 2 around (2, 2); half the height: one
     * of the three layers */
    s = (lmb_node_selection){.name = "A", .cylinder = {true, v3(0, 0, 1), v3(2, 2, 1), 1, 0}};
    assert_int_equal(selected(&all, &s), 12);
    s.cylinder.length = 1;
    assert_int_equal(selected(&all, &s), 4);
    s.tolerance = 0.5; /* the corners are at sqrt(2), and the ends reach the other layers */
    assert_int_equal(selected(&all, &s), 24);
    /* outer faces */
    s = (lmb_node_selection){.name = "A", .faces = {true, v3(0, 0, 1), 0.1}};
    assert_int_equal(selected(&all, &s), 25);
    s.faces.angle = 0.6 * LMB_PI; /* sides, too */
    assert_int_equal(selected(&all, &s), 25 + 16 + 16);
    s.faces.normal = v3(0.1, 0, 1);
    s.faces.angle = 0.05;
    int count, nodes[1];
    assert_int_equal(lmb_select_nodes(&s, context, &all, nodes, &count), LMB_BAD_INPUT);
    assert_message(context, "the selection of 'A' has no nodes");
    const lmb_message *last = lmb_message_at(context, lmb_message_count(context) - 1);
    assert_non_null(strstr(last->hint, "that of the nearest face is 5.711 degrees off"));
    lmb_arena_free(mesh->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cylinders),
        cmocka_unit_test(test_fit_error),
        cmocka_unit_test(test_areas),
        cmocka_unit_test(test_selections),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
