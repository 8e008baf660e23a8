/* The rank of redundant mechanisms that are too large for dense matrices, and what assembly moves.
 */
#include "analysis/mobility.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "models.h"
#include "support.h"

/* A row of planar four-bars in space, all on the rods of the last: each loop repeats the offset out
 * of the plane and two directions of the axis. Cranks lean by pi/6. */
static const char four_bars[] =
    "limber: 1\n"
    "dimension: 3\n"
    "parameters: {N: %d, b: pi/3}\n"
    "bodies:\n"
    "  crank{i}: {repeat: {i: [0, N]}, mass: 1, inertia: [0.001, 0.08, 0.08],"
    " position: [i + cos(b)/2, 0, sin(b)/2], rotation: [0, -b, 0],"
    " points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "  rod{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [0.001, 0.08, 0.08],"
    " position: [i - 0.5 + cos(b), 0, sin(b)], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  foot{i}: {repeat: {i: [0, N]}, type: revolute, between: [[\"i\", 0, 0], \"crank{i}.a\"],"
    " axis: [0, 1, 0]}\n"
    "  left{i}: {repeat: {i: [1, N]}, type: revolute, between: [\"crank{i-1}.b\", \"rod{i}.a\"],"
    " axis: [0, 1, 0]}\n"
    "  right{i}: {repeat: {i: [1, N]}, type: revolute, between: [\"rod{i}.b\", \"crank{i}.b\"],"
    " axis: [0, 1, 0]}\n"
    "%s"
    "analyses: {move: {type: kinematics, duration: 1}}\n";

static const char motor[] = "drivers: {motor: {joint: foot0, angle: t - b}}\n";

enum { LOOPS = 30 }; /* 366 coordinates */

static lmb_solver *solver_of(int loops, const char *drivers, lmb_rank *rank)
{
    char text[2048];
    lmb_solver *s;
    snprintf(text, sizeof text, four_bars, loops, drivers);
    assert_ok(lmb_solver_new(&s, context, model_of_text(text)));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, rank));
    return s;
}

static void free_solver(lmb_solver *s)
{
    lmb_model *m = (lmb_model *)s->state->model;
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The rank of the rows that are marked, by QR of the dense matrix. */
static int dense_rank(const lmb_solver *s, const bool *marked)
{
    const lmb_model *m = s->state->model;
    int n = m->nrows;
    double *a = calloc((size_t)n * (size_t)m->nv, sizeof *a);
    int *order = calloc((size_t)m->nv, sizeof *order);
    for (int r = 0; r < n; r++)
        for (int b = 0; marked[r] && b < m->sparse_rows[r].block_count; b++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + b];
            for (int j = 0; j < block->nv; j++)
                a[(size_t)(block->v + j) * (size_t)n + (size_t)r] =
                    s->state->jacobian[block->value + j];
        }
    int rank = lmb_dense_pivot(n, m->nv, a, 1e-9, order);
    free(a);
    free(order);
    return rank;
}

/* Which rows are dependent is a choice; those left must be independent, and as many. */
static void large_loops_have_their_rank(void **unused)
{
    (void)unused;
    lmb_rank rank;
    lmb_solver *s = solver_of(LOOPS, motor, &rank);
    const lmb_model *m = s->state->model;
    bool *kept = calloc((size_t)m->nrows, sizeof *kept);
    int dependent = 0;
    assert_true(m->nv > 300); /* where dense matrices end */
    for (int r = 0; r < m->nrows; r++) {
        char name[64];
        lmb_row_name(m, r, name, sizeof name);
        bool in_plane = strstr(name, ".x") || strstr(name, ".z") || strstr(name, "motor");
        assert_int_equal(rank.shared[r], !in_plane);
        assert_true(rank.shared[r] || !rank.dependent[r]);
        dependent += rank.dependent[r];
        kept[r] = !rank.dependent[r];
    }
    assert_int_equal(dependent, 3 * LOOPS);
    assert_int_equal(dense_rank(s, kept), m->nrows - dependent);
    assert_int_equal(rank.counts.redundant, 3 * LOOPS);
    assert_int_equal(rank.counts.free, 0);
    assert_int_equal(rank.counts.free_undriven, 1);
    assert_int_equal(rank.counts.driver_rows, 1);
    for (int j = 0; j < m->nv; j++)
        assert_false(rank.loose[j]);
    free(kept);
    free_solver(s);
}

/* Without a driver cranks turn and all move in the plane; rods stay parallel. */
static void loose_coordinates_are_those_of_the_motion(void **unused)
{
    (void)unused;
    lmb_rank rank;
    lmb_solver *s = solver_of(LOOPS, "", &rank);
    const lmb_model *m = s->state->model;
    assert_int_equal(rank.counts.free, 1);
    for (int i = 1; i < m->body_count; i++) {
        bool crank = strncmp(m->bodies[i].name, "crank", 5) == 0;
        const bool moves[6] = {true, false, true, false, crank, false};
        for (int j = 0; j < 6; j++)
            assert_int_equal(rank.loose[m->bodies[i].v + j], moves[j]);
    }
    free_solver(s);
}

/* A few loops, by dense matrices, and many agree in what a loop is told to repeat. */
static void few_and_many_loops_agree(void **unused)
{
    (void)unused;
    lmb_rank few, many;
    lmb_solver *a = solver_of(3, motor, &few), *b = solver_of(LOOPS, motor, &many);
    lmb_model *ma = (lmb_model *)a->state->model, *mb = (lmb_model *)b->state->model;
    assert_int_equal(few.counts.redundant * LOOPS, many.counts.redundant * 3);
    for (int r = 0; r < ma->nrows; r++) {
        char name[64], other[64] = "";
        lmb_row_name(ma, r, name, sizeof name);
        int k = 0;
        for (; k < mb->nrows && strcmp(name, other) != 0; k++)
            lmb_row_name(mb, k, other, sizeof other);
        assert_string_equal(name, other);
        assert_int_equal(few.shared[r], many.shared[k - 1]);
    }
    free_solver(a);
    free_solver(b);
}

/* Checks a model of a rod with a universal joint; the text of what assembly has moved, or NULL. */
static void check_moved(const char *angle, const char *more, const char *moved)
{
    char text[1000];
    lmb_redundancy found;
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n"
             "  rod: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0],"
             " quaternion: [cos(%s/2*deg), sin(%s/2*deg), 0, 0], points: {A: [-0.5, 0, 0]}}\n"
             "joints:\n"
             "  wrist: {type: universal, between: [ground, rod.A], axis: [0, 1, 0], axis_b: [0, 0, "
             "1]}\n"
             "%s",
             angle, angle, more);
    lmb_model *m = model_of_text(text);
    assert_ok(lmb_redundancy_find(&found, context, m, NULL));
    if (moved)
        assert_string_equal(found.moved, moved);
    else
        assert_null(found.moved);
    lmb_redundancy_free(&found);
    lmb_model_free(m);
}

/* A rod that is turned about its axis by 3 degrees, so that the arms of its joint do not fit.
 * Turned by 0.9 degrees it fits well enough; with a driver its place is a guess. */
static void bodies_moved_by_assembly_are_named(void **unused)
{
    (void)unused;
    check_moved("3", "", "assembly turned 'rod' by 3.0 degrees to fit 'wrist'");
    assert_int_equal(lmb_message_count(context), 1);
    assert_message(context, "check the axes of the joint");
    check_moved("0.9", "", NULL);
    check_moved("3", "drivers: {turn: {joint: wrist, angle: 0.5}}\n", NULL);
    lmb_redundancy found;
    lmb_model *guess = model_of_example("four-bar", NULL, NULL);
    lmb_messages_clear(context);
    assert_ok(lmb_redundancy_find(&found, context, guess, NULL));
    assert_string_equal(found.moved, "assembly moved 'coupler' by 0.0699 m to fit 'C'");
    assert_int_equal(lmb_message_count(context), 0);
    lmb_redundancy_free(&found);
    lmb_model_free(guess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_loops_have_their_rank),
        cmocka_unit_test(loose_coordinates_are_those_of_the_motion),
        cmocka_unit_test(few_and_many_loops_agree),
        cmocka_unit_test(bodies_moved_by_assembly_are_named),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
