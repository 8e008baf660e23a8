/* The bicycle of Meijaard, Papadopoulos, Ruina and Schwab: Linearized dynamics equations for the
 * balance and steer of a bicycle: a benchmark and review, Proc. R. Soc. A 463 (2007), 1955-1982.
 *
 * Its eigenvalues (table 2, fourteen digits), and its motion against the linear one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/modes.h"
#include "models.h"
#include "motions.h"
#include "program.h"
#include "support.h"

/* Weave, or two real ones; capsize; castering. */
static const struct {
    const char *speed;
    double values[4][2];
} table[] = {
    {"0",
     {{-3.13164324790656, 0},
      {3.13164324790656, 0},
      {-5.53094371765393, 0},
      {5.53094371765393, 0}}},
    {"2",
     {{2.68234517512745, 1.68066296590675},
      {2.68234517512745, -1.68066296590675},
      {-3.07158645641514, 0},
      {-8.67387984831735, 0}}},
    {"5",
     {{-0.77534188219585, 4.46486771378823},
      {-0.77534188219585, -4.46486771378823},
      {-0.32286642900409, 0},
      {-14.07838969279822, 0}}},
    {"8",
     {{-2.69348683581097, 8.46037971396931},
      {-2.69348683581097, -8.46037971396931},
      {0.14327879765713, 0},
      {-20.27940894394569, 0}}},
};

/* Whether an eigenvalue is printed, to 1e-10 of itself. */
static bool printed(const char *json, const double value[2])
{
    static const char key[] = "\"eigenvalue\": [";
    for (const char *at = json; (at = strstr(at, key)); at++) {
        char *end;
        double re = strtod(at + strlen(key), &end), im = strtod(end + 1, NULL);
        if (hypot(re - value[0], fabs(im) - fabs(value[1])) <= 1e-10 * hypot(value[0], value[1]))
            return true;
    }
    return false;
}

static void eigenvalues_are_the_published_ones(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lmb_run_result run = run_limber(
            "modes examples/bicycle/bicycle.yaml --as-placed --set v=%s --json", table[i].speed);
        assert_int_equal(run.code, 0);
        for (int k = 0; k < 4; k++)
            if (!printed(run.out, table[i].values[k]))
                fail_msg("at %s m/s there is no %.15g + %.15gi in %s", table[i].speed,
                         table[i].values[k][0], table[i].values[k][1], run.out);
        assert_true(strstr(run.out, i ? "\"steady motion\"" : "\"equilibrium\""));
        free_run(&run);
    }
}

/* Four rows of the velocity level: seven positions, three velocities. */
static lmb_small_motion *linearised(lmb_dynamics *d)
{
    lmb_small_motion *o;
    assert_ok(lmb_small_motion_new(&o, d->solver, 0));
    assert_int_equal(o->positions, 7);
    assert_int_equal(o->speeds, 3);
    assert_int_equal(o->states, 10);
    return o;
}

static void rolling_leaves_more_positions_than_speeds(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("bicycle", NULL, NULL);
    lmb_integration options = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-10};
    lmb_dynamics *d = start_motion(m, options);
    lmb_small_motion *o = linearised(d);
    assert_string_equal(o->names[2], "steer.angle");
    assert_string_equal(o->names[5], "frame.rotation_x");
    assert_string_equal(o->names[8], "steer.angle_velocity");
    lmb_mode_list list;
    assert_ok(lmb_modes_of(o, context, &list));
    int rigid = 0;
    while (rigid < list.count && list.modes[rigid].rigid)
        rigid++;
    assert_int_equal(rigid, 5); /* forward, sideways, heading, and both wheels turned */
    assert_int_equal(list.count, 8);
    lmb_mode_list_free(&list);
    lmb_small_motion_free(o);
    finish(d, m);
}

/* x = exp(A t) x by a Taylor series in short steps: 1e-15 each. */
static void move_linear(const lmb_small_motion *o, double t, double *x)
{
    enum { STEPS = 1000, TERMS = 12, MOST = 10 };
    for (int step = 0; step < STEPS; step++) {
        double term[MOST], next[MOST] = {0};
        memcpy(term, x, sizeof term);
        for (int k = 1; k <= TERMS; k++) {
            for (int i = 0; i < o->states; i++) {
                next[i] = 0;
                for (int j = 0; j < o->states; j++)
                    next[i] += o->A[j * o->states + i] * term[j] * t / STEPS / k;
            }
            memcpy(term, next, sizeof term);
            for (int i = 0; i < o->states; i++)
                x[i] += term[i];
        }
    }
}

/* Leans the frame; joints are closed again, and wheels roll: both changes of second order. */
static void lean_over(lmb_solver *s, const lmb_small_motion *o, double angle)
{
    for (int j = 0; j < o->n; j++) {
        s->step[j] = angle * o->dq[5 * o->n + j];
        s->state->v[j] += angle * o->dv[5 * o->n + j];
    }
    lmb_retract(s->state, s->state->q, s->step);
    assert_true(lmb_solve_position(s));
    lmb_update_velocity(s->state);
    lmb_solver_factor(s);
    lmb_correct_velocity(s);
}

/* With a lean of 1e-3 rad the motion differs from the linear one by terms of third order, some
 * 1e-9, because of the symmetry of left and right. Integrators add their own error to that:
 * tolerances of 1e-8 and less hardly any; steps of h about (14 h)^2 / 12 of the castering, 1e-5 of
 * 1e-3 rad and a few times that without damping; semi-implicit Euler 14 h / 2. */
static void small_motions_are_the_linear_ones(void **unused)
{
    (void)unused;
    static const struct {
        lmb_integration options;
        double tolerance; /* of a lean of 1e-3 */
    } integrators[] = {
        {{.integrator = &lmb_integrator_rk45, .tolerance = 1e-10}, 5e-9},
        {{.integrator = &lmb_integrator_adams, .step = 1e-3}, 5e-9},
        {{.integrator = &lmb_integrator_ida, .tolerance = 1e-8}, 5e-8},
        {{.integrator = &lmb_integrator_euler, .step = 1e-4}, 1e-6}, /* of first order */
        {{.integrator = &lmb_integrator_alpha, .step = 1e-3, .spectral_radius = 0.8}, 1e-7},
        {{.integrator = &lmb_integrator_hht, .step = 1e-3, .spectral_radius = 0.8}, 1e-7},
        {{.integrator = &lmb_integrator_newmark, .step = 1e-3, .spectral_radius = 1}, 1e-6},
        {{.integrator = &lmb_integrator_ali3p, .step = 1e-3}, 1e-6},
    };
    const double lean = 1e-3, until = 1;
    lmb_model *m = model_of_example("bicycle", "push", "0");
    const lmb_coordinate *steer = NULL;
    for (int j = 0; j < m->joint_count; j++)
        if (strcmp(m->joints[j].name, "steer") == 0)
            steer = &m->parts.coordinates[m->joints[j].coordinate];
    assert_non_null(steer);
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        lmb_dynamics *straight = start_motion(m, integrators[0].options), *d;
        lmb_small_motion *o = linearised(straight);
        double x[10] = {[5] = lean};
        lean_over(straight->solver, o, lean);
        assert_ok(lmb_dynamics_from(&d, context, straight->solver->state, &integrators[i].options));
        assert_ok(lmb_dynamics_advance(d, until));
        move_linear(o, until, x);
        const lmb_state *s = d->solver->state;
        double expected[2] = {x[2], x[5]};
        double found[2] = {lmb_coordinate_value(s, steer).f,
                           -s->frames[m->body_marker[1]].e[2].y}; /* the lean of the frame */
        assert_true(fabs(expected[0]) > 1e-4);                    /* it steers into the lean */
        for (int k = 0; k < 2; k++)
            if (fabs(found[k] - expected[k]) > integrators[i].tolerance)
                fail_msg("%s: %.12g, linear %.12g", integrators[i].options.integrator->name,
                         found[k], expected[k]);
        lmb_small_motion_free(o);
        lmb_dynamics_free(d);
        lmb_dynamics_free(straight);
    }
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_are_the_published_ones),
        cmocka_unit_test(rolling_leaves_more_positions_than_speeds),
        cmocka_unit_test(small_motions_are_the_linear_ones),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
