/* Coordinate partitioning with several freedoms: as accurate as projection, whatever pivots pass
 * by. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/embedded.h"
#include "analysis/mobility.h"
#include "math/dense.h"
#include "models.h"
#include "motions.h"
#include "support.h"

/* A double pendulum in space: two links in ball joints, six freedoms. */
static const char two_links[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.01, 0.083, 0.083], position: [0.5, 0, 0],"
    " angular_velocity: [1, 2, 3], points: {A: [-0.5, 0, 0], B: [0.5, 0, 0]}}\n"
    "  b: {mass: 1, inertia: [0.01, 0.083, 0.083], position: [1.5, 0, 0],"
    " points: {A: [-0.5, 0, 0], B: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  j: {type: spherical, between: [ground, a.A]}\n"
    "  k: {type: spherical, between: [a.B, b.A]}\n";

/* A five-bar: two freedoms in a closed loop. */
static const char five_bar[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.083, position: [-0.5, 0.5], angle: 90*deg, angular_velocity: 2,"
    " points: {A: [-0.5, 0], B: [0.5, 0]}}\n"
    "  b: {mass: 1, inertia: 0.083, position: [0, 1], angle: 0.6, points: {A: [-0.5, 0], B: [0.5, "
    "0]}}\n"
    "  c: {mass: 1, inertia: 0.083, position: [0.5, 1], angle: -0.6, points: {A: [-0.5, 0], B: "
    "[0.5, 0]}}\n"
    "  d: {mass: 1, inertia: 0.083, position: [1, 0.5], angle: 90*deg, points: {A: [-0.5, 0], B: "
    "[0.5, 0]}}\n"
    "joints:\n"
    "  j1: {type: revolute, between: [[-0.5, 0], a.A]}\n"
    "  j2: {type: revolute, between: [a.B, b.A]}\n"
    "  j3: {type: revolute, between: [b.B, c.A]}\n"
    "  j4: {type: revolute, between: [c.B, d.B]}\n"
    "  j5: {type: revolute, between: [[1, 0], d.A]}\n";

/* The steps that a motion takes to t = 1, where its positions and velocities are copied to. */
static double run(const lmb_model *m, lmb_stabilisation stabilisation, double tolerance, double *q,
                  double *v)
{
    lmb_dynamics *d = start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45,
                                                        .tolerance = tolerance,
                                                        .stabilisation = stabilisation});
    const lmb_state *s = advance(d, 1);
    memcpy(q, s->q, (size_t)m->nq * sizeof *q);
    memcpy(v, s->v, (size_t)m->nv * sizeof *v);
    double steps = (double)d->motion->steps;
    lmb_dynamics_free(d);
    return steps;
}

/* Each step has an error of up to the tolerance (positions of about 1 m, speeds of up to 10 m/s);
 * dependent coordinates follow independent ones by a factor of a few, so that errors of this size
 * add up. The motion itself is smooth and multiplies them by a few only. */
static void partitioning_is_as_accurate_as_its_steps(void **unused)
{
    (void)unused;
    static const char *const texts[] = {two_links, five_bar};
    static const double tolerances[] = {1e-7, 1e-9, 1e-11};
    enum { MOST = 20 };
    for (int k = 0; k < 2; k++) {
        lmb_model *m = model_of_text(texts[k]);
        double q[MOST], v[MOST], q1[MOST], v1[MOST];
        assert_true(m->nq <= MOST && m->nv <= MOST);
        run(m, LMB_PROJECTION, 1e-13, q, v);
        for (int i = 0; i < 3; i++) {
            double steps = run(m, LMB_PARTITIONING, tolerances[i], q1, v1);
            assert_true(distance(q, q1, m->nq) <= steps * tolerances[i]);
            assert_true(distance(v, v1, m->nv) <= 10 * steps * tolerances[i]);
        }
        lmb_model_free(m);
    }
}

/* Coordinates that the user named cannot be chosen anew: where they become a bad choice, it is said
 * once, and not where they stay a good one. */
static void bad_choices_of_the_user_are_told(void **unused)
{
    (void)unused;
    static const struct {
        const char *names[2];
        double end;
        size_t warnings;
    } cases[] = {{{"a.angle", "d.angle"}, 1, 1}, {{"a.angle", "d.angle"}, 0.1, 0}};
    for (int i = 0; i < 2; i++) {
        lmb_model *m = model_of_text(five_bar);
        size_t before = lmb_message_count(context);
        int columns[2];
        for (int k = 0; k < 2; k++)
            columns[k] = lmb_find_column(m, cases[i].names[k], (char[64]){0}, 64);
        lmb_dynamics *d = start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45,
                                                            .tolerance = 1e-9,
                                                            .stabilisation = LMB_PARTITIONING,
                                                            .independent = columns,
                                                            .independent_count = 2});
        advance(d, cases[i].end);
        assert_int_equal(lmb_message_count(context) - before, cases[i].warnings);
        if (cases[i].warnings)
            assert_message(context, "named hardly determine the others");
        finish(d, m);
    }
}

/* A solver of a model that is assembled, with its independent coordinates chosen. */
static lmb_solver *assembled(const lmb_model *m, bool *independent, int *count)
{
    lmb_solver *s;
    lmb_rank rank;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(lmb_choose_independent(s, independent, count));
    return s;
}

/* Closing joints does not move a fixed coordinate in the last bit, whatever the others do. */
static void fixed_coordinates_do_not_move(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(five_bar);
    bool independent[12];
    double before[12];
    int count;
    lmb_solver *s = assembled(m, independent, &count);
    assert_int_equal(count, 2);
    lmb_solver_fix(s, independent);
    for (int j = 0; j < 12; j++)
        s->state->q[j] += 1e-3 * cos(j);
    memcpy(before, s->state->q, sizeof before);
    assert_true(lmb_solve_position(s));
    for (int j = 0; j < 12; j++) {
        s->state->v[j] = sin(j + 1);
        if (independent[j])
            assert_true(s->state->q[j] == before[j]);
    }
    assert_true(lmb_solver_factor(s));
    lmb_correct_velocity(s);
    for (int j = 0; j < 12; j++)
        if (independent[j])
            assert_true(s->state->v[j] == sin(j + 1));
    assert_int_equal(lmb_unsatisfied_velocity(s), -1);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The largest |d_d| / |d_i| by the eigenvalues of B^T W B. */
static double exact_dependence(lmb_solver *s, const bool *independent)
{
    lmb_embedded e;
    const lmb_model *m = s->state->model;
    double product[36], values[6];
    assert_ok(lmb_embed(s, independent, &e));
    assert_true(e.free <= 6);
    for (int i = 0; i < e.free; i++)
        for (int j = 0; j < e.free; j++) {
            double sum = 0;
            for (int k = 0; k < e.n; k++)
                if (!independent[k])
                    sum += e.B[i * e.n + k] * e.B[j * e.n + k] * m->columns[k].size *
                           m->columns[k].size;
            product[i * e.free + j] =
                sum / m->columns[e.index[i]].size / m->columns[e.index[j]].size;
        }
    assert_true(lmb_dense_symmetric(e.free, product, values));
    double largest = sqrt(values[e.free - 1]);
    lmb_embedded_free(&e);
    return largest;
}

/* The estimate is never larger than that, and not much smaller after a few iterations. */
static void the_dependence_is_estimated(void **unused)
{
    (void)unused;
    static const char *const texts[] = {two_links, five_bar};
    for (int k = 0; k < 2; k++) {
        lmb_model *m = model_of_text(texts[k]);
        bool independent[12];
        double direction[12] = {0};
        int count;
        lmb_solver *s = assembled(m, independent, &count);
        assert_int_equal(m->nv, 12);
        double exact = exact_dependence(s, independent);
        lmb_solver_fix(s, independent);
        assert_true(lmb_solver_factor(s));
        double estimate = lmb_dependence(s, direction, 6);
        /* B d_i of a unit vector: rounding; and the part of the vector that is kept for other
         * directions is a tenth of it, which costs at most a fifth */
        assert_true(estimate <= exact * (1 + 100 * DBL_EPSILON) && estimate >= 0.8 * exact);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* A chain of links in the plane whose last one slides on a line: large enough for the sparse way.
 */
enum { LINKS = 300, COORDINATES = 3 * LINKS };

static lmb_model *chain(void)
{
    char text[1000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
             "  b{i}: {repeat: {i: [1, %d]}, mass: 1, inertia: 0.1, position: [i - 0.5, 0], "
             "points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
             "joints:\n  j1: {type: revolute, between: [ground, b1.a]}\n"
             "  j{i}: {repeat: {i: [2, %d]}, type: revolute, between: [\"b{i-1}.b\", \"b{i}.a\"]}\n"
             "  guide: {type: slot, between: [ground, b%d.b], axis: [1, 0]}\n",
             LINKS, LINKS, LINKS);
    return model_of_text(text);
}

/* 2 rows a joint and one of the guide leave LINKS - 1 freedoms; what is chosen passes the check of
 * coordinates that are named. Positions alone cannot: the links turn. */
static void a_long_chain_is_partitioned(void **unused)
{
    (void)unused;
    lmb_model *m = chain();
    bool independent[COORDINATES], positions[COORDINATES] = {0};
    int count, named = 0;
    lmb_solver *s = assembled(m, independent, &count);
    assert_int_equal(count, LINKS - 1);
    for (int j = 0; j < COORDINATES; j++)
        named += independent[j];
    assert_int_equal(named, count);
    assert_ok(lmb_check_independent(s, independent));
    for (int i = 1; i < LINKS; i++) /* as many x as there are freedoms; on a line they are held */
        positions[3 * i] = true;
    assert_int_equal(lmb_check_independent(s, positions), LMB_BAD_INPUT);
    assert_message(context, "can move while they are fixed");
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* As it falls from rest, for a hundredth of a second: the same motion as with projection, to what
 * the few steps add up to, each good to its tolerance of numbers up to the length of the chain. */
static void a_long_chain_moves_in_partitioned_coordinates(void **unused)
{
    (void)unused;
    lmb_model *m = chain();
    static double q[2][COORDINATES], v[2][COORDINATES];
    for (int k = 0; k < 2; k++) {
        lmb_dynamics *d = start_motion(
            m, (lmb_integration){.integrator = &lmb_integrator_rk45,
                                 .tolerance = 1e-8,
                                 .stabilisation = k ? LMB_PARTITIONING : LMB_PROJECTION});
        const lmb_state *s = advance(d, 0.01);
        memcpy(q[k], s->q, sizeof q[k]);
        memcpy(v[k], s->v, sizeof v[k]);
        assert_true(d->motion->steps < 50);
        lmb_dynamics_free(d);
    }
    assert_true(fabs(v[0][COORDINATES / 2 + 1]) > 0.09); /* it falls: 9.81 times 0.01 */
    assert_true(distance(q[0], q[1], COORDINATES) < 50 * 1e-8 * LINKS);
    assert_true(distance(v[0], v[1], COORDINATES) < 50 * 1e-8 * LINKS);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitioning_is_as_accurate_as_its_steps),
        cmocka_unit_test(bad_choices_of_the_user_are_told),
        cmocka_unit_test(fixed_coordinates_do_not_move),
        cmocka_unit_test(the_dependence_is_estimated),
        cmocka_unit_test(a_long_chain_is_partitioned),
        cmocka_unit_test(a_long_chain_moves_in_partitioned_coordinates),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
