/* What is drawn of a model: made of it, kept as a text, and read back. */
#include "support.h"

#include <stdlib.h>

#include "models.h"
#include "scene/geometry.h"

static const char text[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  bar: {shape: {bar: {length: 2, width: 0.1}}, mass: 1, points: {A: [1, 2, 3], B: [-1, 0, "
    "0]}}\n"
    "  block: {shape: {box: {size: [0.2, 0.3, 0.4]}}, density: 1000}\n"
    "  ring: {shape: {tube: {outer: 0.2, inner: 0.1, length: 0.3, axis: y}}, density: 1000}\n"
    "  lump: {type: particle, mass: 2}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, bar.B], axis: [0, 1, 0]}\n"
    "  cable: {type: distance, between: [bar.A, lump], length: 1}\n"
    "forces:\n"
    "  soft: {type: spring, between: [bar.A, block], stiffness: 10}\n"
    "  pull: {type: force, at: block, force: [1, 0, 0]}\n"
    "events:\n"
    "  snap: {when: bar.position.x, release: [cable], latch: [pull]}\n"
    "analyses:\n"
    "  fall: {type: dynamics, duration: 1, output_step: 0.1, without: [pull]}\n";

static void check_same(const lmb_geometry *a, const lmb_geometry *b)
{
    char *one = lmb_geometry_text(a), *other = lmb_geometry_text(b);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void check_all(const lmb_geometry *g)
{
    assert_int_equal(g->dimension, 3);
    assert_int_equal(g->body_count, 5);
    assert_true(g->gravity.z == -9.81);
    const lmb_drawn_body *bar = &g->bodies[1], *ring = &g->bodies[3];
    assert_string_equal(bar->shape.type->name, "bar");
    assert_true(bar->shape.length == 2 && bar->shape.width == 0.1 && bar->shape.height == 0);
    assert_string_equal(bar->point_names[0], "A");
    assert_true(bar->points[0].x == 1 && bar->points[0].y == 2 && bar->points[0].z == 3);
    assert_int_equal(g->bodies[2].shape.size.size, 3);
    assert_true(g->bodies[2].shape.size.numbers[2] == 0.4);
    assert_true(ring->shape.inner.number == 0.1 && ring->shape.axis == 1);
    assert_null(g->bodies[4].shape.type);
    assert_string_equal(g->bodies[4].kind, "particle");
    assert_string_equal(g->joints[0].sign, "pin");
    assert_true(g->joints[0].body[0] == 0 && g->joints[0].body[1] == 1);
    assert_close(g->joints[0].axis.y, 1, 1e-15);
    assert_string_equal(g->joints[1].sign, "rod");
    assert_string_equal(g->forces[0].sign, "spring");
    assert_null(g->forces[1].sign);
    assert_string_equal(g->without[0].name, "fall");
    assert_string_equal(g->without[0].release.list[0], "pull");
    assert_string_equal(g->events[0].release.list[0], "cable");
    assert_string_equal(g->events[0].latch.list[0], "pull");
}

static void geometry_comes_back(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    lmb_model *m = model_of_text(text);
    lmb_geometry made, read;
    assert_true(lmb_geometry_of(&made, arena, m));
    check_all(&made);
    char *kept = lmb_geometry_text(&made);
    assert_int_equal(lmb_geometry_read(&read, context, arena, "x.h5", kept), 0);
    check_all(&read);
    check_same(&made, &read);
    free(kept);
    lmb_model_free(m);
    lmb_arena_free(arena);
}

/* Every kind of joint but the couplings has a sign. */
static void joints_have_signs(void **state)
{
    (void)state;
    for (int i = 0; lmb_joint_types[i]; i++)
        assert_int_equal(lmb_joint_types[i]->sign != NULL, !lmb_joint_types[i]->coupling);
}

/* Without signs, as the first versions wrote them, these are those of the kinds; with bodies that
 * there are not, or another nonsense, nothing goes wrong. */
static void older_texts_are_read(void **state)
{
    (void)state;
    static const char old[] =
        "{\"dimension\": 2, \"length\": 1, \"bodies\": [{\"name\": \"ground\", \"kind\": "
        "\"ground\", \"shape\": null, \"points\": {}}, {\"name\": \"a\", \"kind\": \"rigid\", "
        "\"shape\": {\"blob\": {\"size\": 1}}, \"points\": {}}], \"joints\": [{\"name\": "
        "\"slide\", "
        "\"type\": \"translational\", \"bodies\": [0, 1], \"at\": [1, 2, 0], \"at_b\": [0, 0, 0], "
        "\"axis\": [1, 0, 0]}, {\"name\": \"no\", \"type\": \"revolute\", \"bodies\": [0, 7]}, "
        "{\"name\": \"left\", \"type\": \"bearing\", \"bodies\": [0, 1], \"radius\": 0.1}, 3]}";
    lmb_arena *arena = lmb_arena_new();
    lmb_geometry g;
    assert_int_equal(lmb_geometry_read(&g, context, arena, "x.h5", old), 0);
    assert_int_equal(g.joint_count, 2);
    assert_string_equal(g.joints[0].sign, "rail");
    assert_true(g.joints[0].at[0].y == 2);
    assert_string_equal(g.joints[1].sign, "bearing");
    assert_true(g.joints[1].radius == 0.1);
    assert_null(g.bodies[1].shape.type);
    assert_int_equal(g.event_count + g.without_count + g.force_count, 0);
    assert_int_equal(lmb_geometry_read(&g, context, arena, "x.h5", "[1, 2]"), 0);
    assert_int_equal(g.body_count, 0);
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry_comes_back),
        cmocka_unit_test(joints_have_signs),
        cmocka_unit_test(older_texts_are_read),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
