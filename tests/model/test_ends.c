/* Ends of joints on the ground: coordinates as a list, as an expression and as a parameter. */
#include <math.h>
#include <stdio.h>

#include "analysis/mobility.h"
#include "models.h"
#include "motions.h"
#include "support.h"

/* The place where a ball joint holds a body; joints close to 1e-11 of the size, 1/2. */
static void check_end(const char *end)
{
    char text[600];
    lmb_solver *s;
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nparameters: {b: 0.3, place: \"0.5*[0, sin(b), cos(b)]\"}\n"
             "bodies: {out: {mass: 1, inertia: [1, 1, 1], points: {P: [0, 0, 0.1]}}}\n"
             "joints: {ball: {type: spherical, between: [%s, out.P]}}\n",
             end);
    lmb_model *m = model_of_text(text);
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    vec3 p = point(s, "out.P");
    assert_close(p.x, 0, 1e-11);
    assert_close(p.y, 0.5 * sin(0.3), 1e-11);
    assert_close(p.z, 0.5 * cos(0.3), 1e-11);
    lmb_solver_free(s);
    lmb_model_free(m);
}

static void coordinates_are_given_in_three_ways(void **unused)
{
    (void)unused;
    check_end("[0, 0.5*sin(b), 0.5*cos(b)]");
    check_end("\"0.5*[0, sin(b), cos(b)]\"");
    check_end("place");
    check_end("\"place + [0, 0, 0]\"");
}

/* A body that is called as a parameter is the body. */
static void bodies_come_before_parameters(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\nparameters: {a: [1, 2]}\n"
                                 "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
                                 "joints: {pin: {type: revolute, between: [a, b]}}\n");
    const lmb_pair *pair = &m->parts.pairs[m->joints[0].pair];
    assert_int_equal(m->parts.markers[pair->a].body, 1);
    assert_int_equal(m->parts.markers[pair->b].body, 2);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_given_in_three_ways),
        cmocka_unit_test(bodies_come_before_parameters),
    };
    return cmocka_run_group_tests_name("ends of joints", tests, open_models, close_models);
}
