/* Repeated entries: the same model as one that is written out. */
#include <stdio.h>

#include "models.h"
#include "support.h"
#include "system/model.h"

static void entries_are_written_out(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "parameters: {N: 2 + 1, i: 7}\n"
        "bodies:\n"
        "  first: {mass: 1, inertia: i, position: [0, 0]}\n"
        "  b{i}{k}: {repeat: {i: [1, N], k: [i, N]}, mass: i, inertia: k, position: [i + k/10, 0],"
        " points: {\"P{n}\": {repeat: {n: [1, k]}, at: [n, i]}, Q: [i, k]}}\n"
        "  none{i}: {repeat: {i: [1, 0]}, mass: 1}\n"
        "joints:\n"
        "  j{i}: {repeat: {i: [2, N]}, type: revolute,"
        " between: [\"b{i - 1}{N}.P{i-1}\", \"b{i}{i}.Q\"]}\n"
        "forces:\n"
        "  f{i}: {repeat: {i: [2, 2]}, type: motor, joint: \"j{i}\", effort: i*t}\n");
    static const char *const names[] = {"ground", "first", "b11", "b12",
                                        "b13",    "b22",   "b23", "b33"};
    assert_int_equal(m->body_count, 8);
    for (int i = 0; i < 8; i++)
        assert_string_equal(m->bodies[i].name, names[i]);
    assert_close(m->bodies[1].inertia.c[2].z, 7, 0); /* the parameter outside of the entries */
    assert_close(m->bodies[6].mass, 2, 0);
    assert_close(m->bodies[6].start.p.x, 2.3, 1e-15);
    assert_int_equal(m->bodies[6].point_count, 4);
    assert_string_equal(m->points[m->bodies[6].point + 2].name, "b23.P3");
    assert_int_equal(m->joint_count, 2);
    assert_string_equal(m->joints[1].name, "j3");
    lmb_jet f;
    lmb_expr_evaluate(m->forces[0].law, 3, NULL, &f);
    assert_close(f.f, 6, 0);
    lmb_model_free(m);
}

static void a_parameter_says_how_many(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 20; n += 19) {
        char value[16];
        snprintf(value, sizeof value, "%d", n);
        lmb_model *m = model_of_example("n-four-bar", "N", value);
        assert_int_equal(m->body_count, 1 + (n + 1) + n);
        assert_int_equal(m->joint_count, (n + 1) + 2 * n);
        lmb_model_free(m);
    }
}

/* A body, joint or point may be called "repeat". */
static void repeat_can_be_a_name(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {repeat: {mass: 1, inertia: 1, points: {repeat: {at: [1, 0]}}}}\n");
    assert_string_equal(m->bodies[1].name, "repeat");
    assert_string_equal(m->points[m->bodies[1].point].name, "repeat.repeat");
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_written_out),
        cmocka_unit_test(a_parameter_says_how_many),
        cmocka_unit_test(repeat_can_be_a_name),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
