/* Analyses that begin where another one is: the same motion as in one piece. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "program.h"
#include "run/initial_states.h"
#include "support.h"

/* A pendulum that goes over the top, on a carriage that moves with a given speed. */
static const char pendulum[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  carriage: {mass: 1, inertia: 1, position: [0, 0]}\n"
    "  bar: {mass: 2, inertia: 0.2, position: [0, -0.5], angle: -pi/2, angular_velocity: 12,"
    " points: {top: [-0.5, 0]}}\n"
    "joints:\n"
    "  rail: {type: translational, between: [ground, carriage], axis: [1, 0]}\n"
    "  pin: {type: revolute, between: [carriage, bar.top]}\n"
    "drivers: {move: {joint: rail, speed: \"1 + sin(t)\", start: 0.25}}\n"
    "forces: {drag: {type: motor, joint: pin, effort: -0.1*speed}}\n"
    "analyses:\n"
    "  whole: {type: dynamics, duration: 2, tolerance: 1e-12}\n"
    "  first: {type: dynamics, duration: 1, tolerance: 1e-12}\n"
    "  second: {type: dynamics, from: first, duration: 1, tolerance: 1e-12}\n"
    "  middle: {type: dynamics, from: whole, start: 0.5, duration: 1.5, tolerance: 1e-12}\n"
    "  loose: {type: dynamics, from: whole, start: 0.5, duration: 0.5, without: [move, drag]}\n"
    "  rest: {type: statics, without: [move]}\n"
    "  still: {type: dynamics, from: rest, duration: 1, without: [move]}\n";

static double value(const char *channel, const char *how)
{
    lmb_run_result run = run_limber("get %s %s %s", scratch_path("from.h5"), channel, how);
    if (run.code)
        fail_msg("%s", run.err);
    double x = strtod(run.out, NULL);
    free_run(&run);
    return x;
}

static void write_and_run(void)
{
    FILE *file = fopen(scratch_path("from.yaml"), "w");
    assert_non_null(file);
    fputs(pendulum, file);
    fclose(file);
    lmb_run_result run =
        run_limber("run %s --quiet -o %s", scratch_path("from.yaml"), scratch_path("from.h5"));
    if (run.code)
        fail_msg("%s", run.err);
    free_run(&run);
}

/* Errors of 1e-12 a step, some hundred steps, and little growth. */
static void motions_go_on(void **unused)
{
    (void)unused;
    write_and_run();
    static const char *const channels[] = {
        "pin.angle",           "bar.position.x", "bar.angular_velocity",
        "carriage.position.x", "pin.force.y",    "move.offset"};
    assert_true(value("whole/pin.angle", "--final") > 2 * 3.15); /* turns are counted on */
    for (int i = 0; i < 6; i++) {
        char whole[64], second[64], middle[64];
        snprintf(whole, sizeof whole, "whole/%s", channels[i]);
        snprintf(second, sizeof second, "second/%s", channels[i]);
        snprintf(middle, sizeof middle, "middle/%s", channels[i]);
        double expected = value(whole, "--final");
        assert_close(value(second, "--final"), expected, 1e-9);
        assert_close(value(middle, "--final"), expected, 1e-9);
        assert_close(value(middle, "--first"), value(whole, "--at 0.5"), 1e-9);
    }
    /* work counts from the beginning of each */
    assert_close(value("second/energy.dissipated", "--first"), 0, 0);
}

/* Without its driver the carriage moves freely: momentum along x stays. */
static void parts_are_left_out_there(void **unused)
{
    (void)unused;
    double before = value("loose/carriage.velocity.x", "--first") +
                    2 * value("loose/bar.velocity.x", "--first");
    double after = value("loose/carriage.velocity.x", "--final") +
                   2 * value("loose/bar.velocity.x", "--final");
    assert_close(value("loose/carriage.velocity.x", "--first"), 1 + sin(0.5), 1e-9);
    assert_close(after, before, 1e-8);
}

/* From rest nothing moves: statics leaves forces of 1e-11 of the typical one. */
static void rest_is_rest(void **unused)
{
    (void)unused;
    assert_close(value("rest/bar.position.y", "--final"), -0.5, 1e-9);
    assert_close(value("still/bar.angular_velocity", "--max"), 0, 1e-8);
    assert_close(value("still/pin.force.y", "--final"), 2 * 9.81, 1e-8);
}

static void others_must_run_as_well(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("run %s --quiet --analysis second -o %s",
                                    scratch_path("from.yaml"), scratch_path("not.h5"));
    assert_int_equal(run.code, 3);
    assert_non_null(strstr(run.err, "analysis 'second' begins from 'first', which must run"));
    assert_non_null(strstr(run.err, "add --analysis first"));
    free_run(&run);
}

/* Of a chain of analyses, a checkpoint needs the state that the present analysis begins from and
 * the state that the next one will: its size does not grow with their number. */
static void checkpoints_have_few_states(void **unused)
{
    (void)unused;
    enum { COUNT = 300, LINE = 80 };
    static char text[200 + COUNT * LINE];
    char *end = text + sprintf(text, "limber: 1\ndimension: 2\nbodies: {p: {mass: 1, inertia: 1}}\n"
                                     "analyses:\n  a0: {type: dynamics, duration: 1}\n");
    for (int i = 1; i < COUNT; i++)
        end += sprintf(end, "  a%d: {type: dynamics, duration: 1, from: a%d}\n", i, i - 1);
    lmb_model *m = model_of_text(text);
    lmb_arena *arena = lmb_arena_new();
    lmb_initial_states *states;
    lmb_state *s = lmb_state_new(m);
    lmb_pack one = {.mode = LMB_PACK_COUNT};
    assert_ok(lmb_initial_states_new(&states, context, arena, m, NULL));
    lmb_state_pack(s, &one);
    for (int i = 0; i < COUNT; i++) {
        s->t = i + 1; /* the end of the analysis */
        s->q[0] = i;
        assert_true(i == 0 || lmb_initial_states_find(states, &m->analyses[i])->q[0] == i - 1);
        assert_ok(lmb_initial_states_keep(states, context, &m->analyses[i], s));
        lmb_initial_states_drop(states, &m->analyses[i]);
        lmb_pack all = {.mode = LMB_PACK_COUNT};
        lmb_initial_states_pack(states, i + 1, &all);
        assert_true(all.count <= 2 * (one.count + 1));
    }
    lmb_initial_states_free(states);
    lmb_state_free(s);
    lmb_arena_free(arena);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_go_on),
        cmocka_unit_test(parts_are_left_out_there),
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(others_must_run_as_well),
        cmocka_unit_test(checkpoints_have_few_states),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
