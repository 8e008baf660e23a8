/* Facets of meshes: sharp edges are found, round ones are smooth. */
#include "support.h"

#include <math.h>

#include "export/camera.h"
#include "export/facets.h"

static lmb_facets facets_of(lmb_arena *arena, lmb_scene_body *body)
{
    lmb_facets f;
    assert_true(lmb_facets_of(&f, arena, body, 0.1));
    for (int i = 0; i < 3 * f.triangle_count; i++)
        assert_true(f.triangles[i] >= 0 && f.triangles[i] < f.vertex_count);
    return f;
}

/* A box: twelve edges, three vertices a corner. */
static void boxes_have_edges(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    lmb_scene_body body = {0};
    assert_true(lmb_solid_box(&body.mesh, arena, v3(1, 2, 3)));
    lmb_facets f = facets_of(arena, &body);
    assert_int_equal(f.triangle_count, 12);
    assert_int_equal(f.vertex_count, 24);
    assert_int_equal(f.edge_count, 12);
    double length = 0;
    for (int i = 0; i < 12; i++) {
        const float *a = body.mesh.nodes + 3 * f.node[f.edges[2 * i]];
        const float *b = body.mesh.nodes + 3 * f.node[f.edges[2 * i + 1]];
        length +=
            fabs((double)(a[0] - b[0])) + fabs((double)(a[1] - b[1])) + fabs((double)(a[2] - b[2]));
    }
    assert_close(length, 4 * (1 + 2 + 3), 1e-6);
    /* without a facet one sees the inside, and turned inside out nothing else */
    assert_true(f.closed);
    body.mesh.triangle_count--;
    assert_false(facets_of(arena, &body).closed);
    body.mesh.triangle_count++;
    for (int i = 0; i < 12; i++) {
        int swap = body.mesh.triangles[3 * i];
        body.mesh.triangles[3 * i] = body.mesh.triangles[3 * i + 1];
        body.mesh.triangles[3 * i + 1] = swap;
    }
    assert_false(facets_of(arena, &body).closed);
    lmb_arena_free(arena);
}

/* The nodes of a flexible body stay apart, as their stresses may differ, but it has no edges where
 * its facets go on: a box of two halves, each with nodes of its own. */
static void flexible_bodies_have_the_same_edges(void **state)
{
    (void)state;
    enum { HALF = 10, NODES = 3 * 2 * HALF };
    lmb_arena *arena = lmb_arena_new();
    lmb_solid_mesh box = {0};
    assert_true(lmb_solid_box(&box, arena, v3(1, 1, 1)));
    float nodes[3 * NODES];
    int triangles[NODES], count = 0;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < box.triangle_count; i++) {
            const int *t = box.triangles + 3 * i;
            float inside = half ? -0.5f : 0.5f; /* where they meet there is nothing */
            bool meet = true;
            for (int k = 0; k < 3; k++)
                meet = meet && fabsf(box.nodes[3 * t[k]] - inside) < 1e-6f;
            for (int k = 0; !meet && k < 3; k++, count++) {
                for (int c = 0; c < 3; c++)
                    nodes[3 * count + c] = box.nodes[3 * t[k] + c];
                nodes[3 * count] += half ? 0.5f : -0.5f;
                triangles[count] = count;
            }
        }
    assert_int_equal(count, NODES);
    lmb_skin skin = {.node_count = NODES};
    lmb_scene_body body = {.mesh = {NODES, 2 * HALF, nodes, triangles}, .skin = &skin};
    lmb_facets f = facets_of(arena, &body);
    assert_true(f.closed);
    assert_int_equal(f.vertex_count, NODES);
    assert_int_equal(f.edge_count, 4 + 4 + 8); /* around both ends, and along the halves */
    lmb_arena_free(arena);
}

/* A sphere has no edges, and a vertex for each place; a cylinder has two rims. */
static void round_solids_are_smooth(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    lmb_scene_body ball = {0}, rod = {0}, ring = {0};
    assert_true(lmb_solid_sphere(&ball.mesh, arena, v3(0, 0, 0), 1));
    lmb_facets f = facets_of(arena, &ball);
    assert_int_equal(f.edge_count, 0);
    assert_int_equal(f.vertex_count, 32 * 15 + 2);
    assert_true(f.closed);
    assert_true(lmb_solid_tube(&rod.mesh, arena, 1, 0, 2, 0));
    assert_int_equal(facets_of(arena, &rod).edge_count, 2 * 32);
    assert_true(lmb_solid_tube(&ring.mesh, arena, 1, 0.5, 2, 1));
    assert_int_equal(facets_of(arena, &ring).edge_count, 4 * 32);
    lmb_arena_free(arena);
}

/* The line of a beam becomes a tube around it. */
static void beams_are_tubes(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    float nodes[6] = {0, 0, 0, 2, 0, 0};
    int lines[2] = {0, 1};
    lmb_skin skin = {.node_count = 2, .line_count = 1, .nodes = nodes, .lines = lines};
    lmb_scene_body body = {.mesh = {2, 0, nodes, NULL}, .skin = &skin};
    lmb_facets f = facets_of(arena, &body);
    assert_int_equal(f.triangle_count, 20);
    for (int i = 0; i < f.vertex_count; i++) {
        assert_close(v3_norm(f.offset[i]), 0.1, 1e-12);
        assert_close(f.offset[i].x, 0, 1e-12);
    }
    lmb_arena_free(arena);
}

/* A camera sees a box whole and as large as there is room, from anywhere. */
static void cameras_fit(void **state)
{
    (void)state;
    static const double part[4] = {20, 30, 420, 330};
    lmb_box box = lmb_box_empty();
    lmb_box_add(&box, v3(-1, 2, 3));
    lmb_box_add(&box, v3(4, 3, 5));
    lmb_box_add(&box, v3(NAN, 9, 9));
    for (int i = 0; i < 40; i++) {
        vec3 from = i ? v3(sin(3.0 * i), cos(5.0 * i), sin(7.0 * i)) : v3(0, 0, 1);
        lmb_camera c = lmb_camera_fit(&box, from, v3(0, 0, 1), i % 2, part);
        lmb_box seen = lmb_box_empty();
        for (int k = 0; k < 8; k++) {
            lmb_raster_corner p =
                lmb_camera_see(&c, v3(k & 1 ? -1 : 4, k & 2 ? 2 : 3, k & 4 ? 3 : 5));
            lmb_box_add(&seen, v3((double)p.x, (double)p.y, 0));
        }
        double width = seen.high.x - seen.low.x, height = seen.high.y - seen.low.y;
        assert_close((seen.low.x + seen.high.x) / 2, 220, 1e-6); /* single precision */
        assert_close((seen.low.y + seen.high.y) / 2, 180, 1e-6);
        assert_close(fmax(width / 400, height / 300), 1, 1e-5);
    }
    lmb_camera c = lmb_camera_fit(&box, v3(0, -1, 0), v3(0, 0, 1), false, part);
    lmb_raster_corner near = lmb_camera_see(&c, v3(0, 2, 4)), far = lmb_camera_see(&c, v3(0, 3, 4));
    assert_true(near.near > far.near);
    assert_true(isnan(lmb_camera_see(&c, v3(0, -100, 4)).x)); /* behind the camera */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_edges),
        cmocka_unit_test(flexible_bodies_have_the_same_edges),
        cmocka_unit_test(round_solids_are_smooth),
        cmocka_unit_test(beams_are_tubes),
        cmocka_unit_test(cameras_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
