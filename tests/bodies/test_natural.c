/* Bodies in natural coordinates against the same bodies in reference-point coordinates: the same
 * motion must have the same frames, energies and momenta, and the same forces the same
 * accelerations, to the rounding of a few hundred products. The kinetic energy of flexible bodies
 * in those coordinates is the sum over their elements (test_flexible.c, test_sections.c).
 *
 * And what is different: rows of their own, a singular mass where all mass is on a line, counted
 * turns. Motions of whole mechanisms are in test_natural_examples.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/initial.h"
#include "analysis/mobility.h"
#include "models.h"
#include "integrate/motion.h"
#include "motions.h"
#include "random_models.h"
#include "support.h"
#include "system/saddle_clusters.h"
#include "system/solver.h"

/* Two bodies with a joint, a spring and a bushing; the first body is filled in. */
static const char plane_text[] =
    "limber: 1\ndimension: 2\ngravity: [0.5, -9.81]\nbodies:\n  A: {%s%s}\n"
    "  B: {%smass: 0.8, inertia: 0.4, position: [0.4, -0.7], points: {a: [0.4, -0.3]}}\n"
    "joints:\n  pin: {type: revolute, between: [A.a, B.a]}\nforces:\n"
    "  s: {type: spring, between: [ground, B], stiffness: 40, damping: 3, length: 0.2}\n"
    "  c: {type: bushing, between: [ground, A.b], stiffness: [30, 20, 40], damping: [1, 2, 3]}\n";
static const char space_text[] =
    "limber: 1\ndimension: 3\ngravity: [0.5, 1, -9.81]\nbodies:\n  A: {%s%s}\n"
    "  B: {%smass: 0.8, inertia: [0.4, 0.3, 0.5, -0.02, 0.05, 0.01], position: [0.4, -0.7, 0.8],"
    " points: {a: [0.4, -0.3, 0.2]}}\n"
    "joints:\n  pin: {type: revolute, between: [A.a, B.a], axis: [1, 2, 3]}\nforces:\n"
    "  s: {type: spring, between: [ground, B], stiffness: 40, damping: 3, length: 0.2}\n"
    "  c: {type: bushing, between: [ground, A.b], stiffness: [30, 20, 40, 5, 6, 7],"
    " damping: [1, 2, 3, 0.5, 0.6, 0.7]}\n";

#define BEAM_2D                                                                                    \
    "beam: {from: [0, 0], to: [0.6, 0.3], elements: 4, section: {rectangle: {width: 0.1, height: " \
    "0.15}}, material: {E: 2e5, nu: 0.3, density: 80}}, interfaces: {a: start, b: end}, "
#define BEAM_3D                                                                                    \
    "beam: {from: [0, 0, 0], to: [0.6, 0.3, 0.2], elements: 4, section: {rectangle: {width: 0.1, " \
    "height: 0.15}}, material: {E: 2e5, nu: 0.3, density: 80}}, interfaces: {a: start, b: end}, "

static const char *const planar[] = {
    "mass: 1.3, inertia: 0.7, points: {a: [0.3, 0.2], b: [-0.2, 0.5]}",
    BEAM_2D "reduction: {modes: 4, frame: {point: b}}, damping: 0.1",
    BEAM_2D "reduction: {modes: 4, frame: mass-centre}",
    BEAM_2D "reduction: {modes: 4, frame: {chord: [a, b]}, stiffening: true}",
    BEAM_2D "rigid: true",
    NULL};
static const char *const spatial[] = {
    "mass: 1.3, inertia: [0.7, 0.9, 0.5, 0.1, -0.05, 0.02], points: {a: [0.3, 0.2, -0.4], "
    "b: [-0.2, 0.5, 0.3]}",
    BEAM_3D "reduction: {modes: 4, frame: {point: b}}, damping: 0.1",
    BEAM_3D "reduction: {modes: 4, frame: mass-centre}",
    BEAM_3D "reduction: {modes: 4, frame: {chord: [a, b]}, stiffening: true}",
    BEAM_3D "rigid: true",
    NULL};

static lmb_model *model_with(int dimension, const char *body, bool natural)
{
    const char *key = natural ? "coordinates: natural, " : "";
    char text[4000];
    snprintf(text, sizeof text, dimension == 2 ? plane_text : space_text, key, body, key);
    return model_of_text(text);
}

/* A random configuration near the start, deformed, with random velocities. */
static void move_at_random(lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        double d[40];
        for (int j = 0; j < node->nv; j++) {
            double unit = m->columns[node->v + j].class == LMB_CLASS_MODE
                              ? 0.1 / m->columns[node->v + j].size
                              : 1;
            d[j] = unit * random_number();
            s->v[node->v + j] = 3 * unit * random_number();
        }
        lmb_node_retract(node, s->q + node->q, d, s->q + node->q);
    }
    lmb_update_position(s);
    lmb_update_velocity(s);
}

/* The same motion in natural coordinates. */
static void take_over(const lmb_state *from, lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 1; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i], *other = &from->model->bodies[i];
        const lmb_frame *rate = &from->rates[from->model->body_marker[i]];
        mat3 R = frame_rotation(&from->bodies[i].pose), Rdot = frame_rotation(rate);
        assert_int_equal(b->nodes[0].kind, LMB_NODE_NATURAL);
        lmb_node_place(&b->nodes[0], from->bodies[i].pose.p, &R, 0, s->q + b->q);
        lmb_node_place(&b->nodes[0], rate->p, &Rdot, 0, s->v + b->v);
        for (int k = 1; k < b->node_count; k++)
            for (int j = 0; j < b->nodes[k].nv; j++) {
                s->q[b->nodes[k].q + j] = from->q[other->nodes[k].q + j];
                s->v[b->nodes[k].v + j] = from->v[other->nodes[k].v + j];
            }
    }
    lmb_update_position(s);
    lmb_update_velocity(s);
}

static void compare_frames(const lmb_frame *x, const lmb_frame *y, double tolerance)
{
    lmb_frame off = *x;
    frame_add(&off, -1, y);
    assert_true(sqrt(frame_dot(&off, &off)) <= tolerance * fmax(1, sqrt(frame_dot(y, y))));
}

static void compare_vectors(vec3 x, vec3 y, double size)
{
    assert_true(v3_norm(v3_sub(x, y)) <= 1e-12 * size);
}

static void compare_balances(const lmb_state *a, const lmb_state *b)
{
    lmb_balance x = lmb_total_balance(a), y = lmb_total_balance(b);
    assert_close(y.kinetic, x.kinetic, 1e-12);
    assert_close(y.potential, x.potential, 1e-12);
    assert_close(y.elastic, x.elastic, 1e-12);
    compare_vectors(y.momentum, x.momentum, 1 + v3_norm(x.momentum));
    compare_vectors(y.angular_momentum, x.angular_momentum, 1 + v3_norm(x.angular_momentum));
    /* and the kinetic energy is that of the mass matrix */
    double *Mv = calloc((size_t)b->model->nv, sizeof *Mv), kinetic = 0;
    lmb_mass_times(b, b->v, Mv);
    for (int j = 0; j < b->model->nv; j++)
        kinetic += b->v[j] * Mv[j] / 2;
    assert_close(kinetic, x.kinetic, 1e-12);
    free(Mv);
}

static void the_same_motion_has_the_same_energy(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (const char *const *body = dimension == 2 ? planar : spatial; *body; body++) {
            lmb_model *m = model_with(dimension, *body, false);
            lmb_model *n = model_with(dimension, *body, true);
            lmb_state *s = lmb_state_new(m), *t = lmb_state_new(n);
            for (int repeat = 0; repeat < 5; repeat++) {
                move_at_random(s);
                take_over(s, t);
                compare_balances(s, t);
                assert_int_equal(m->parts.marker_count, n->parts.marker_count);
                for (int k = 0; k < m->parts.marker_count; k++) {
                    compare_frames(&t->frames[k], &s->frames[k], 1e-13);
                    compare_frames(&t->rates[k], &s->rates[k], 1e-12);
                }
            }
            lmb_state_free(s);
            lmb_state_free(t);
            lmb_model_free(m);
            lmb_model_free(n);
        }
}

/* Position-level rows hold up to rounding, and so do velocities; then accelerations of all frames
 * and the reaction of the joint are the same. The condition of the equations is some hundred. */
static void the_same_forces_have_the_same_accelerations(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (const char *const *body = dimension == 2 ? planar : spatial; *body; body++) {
            lmb_model *m = model_with(dimension, *body, false);
            lmb_model *n = model_with(dimension, *body, true);
            lmb_solver *a, *b;
            assert_ok(lmb_solver_new(&a, context, m));
            assert_ok(lmb_solver_new(&b, context, n));
            move_at_random(a->state);
            assert_ok(lmb_assemble(a));
            lmb_solver_factor(a);
            lmb_correct_velocity(a);
            assert_true(lmb_solve_augmented(a));
            take_over(a->state, b->state);
            lmb_jacobian(b->state);
            for (int r = 0; r < n->nrows; r++)
                assert_true(fabs(lmb_row_rate(b->state, r)) < 1e-11);
            assert_true(lmb_solve_augmented(b));
            for (int k = 0; k < m->parts.marker_count; k++) {
                lmb_frame x = lmb_frame_acceleration(a->state, k);
                lmb_frame y = lmb_frame_acceleration(b->state, k);
                compare_frames(&y, &x, 1e-9);
            }
            for (int r = 0; r < m->nrows; r++)
                assert_close(b->state->lambda[r], a->state->lambda[r], 1e-8);
            lmb_solver_free(a);
            lmb_solver_free(b);
            lmb_model_free(m);
            lmb_model_free(n);
        }
}

/* A free body keeps its six degrees of freedom, three in the plane. */
static void rows_leave_the_rigid_motions(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_model *m = model_with(dimension, dimension == 2 ? planar[0] : spatial[0], true);
        lmb_mobility c;
        assert_ok(lmb_check(context, m, &c));
        assert_int_equal(c.coordinates, dimension == 2 ? 8 : 24);
        assert_int_equal(c.joint_rows, dimension == 2 ? 2 + 2 : 5 + 12);
        assert_int_equal(c.free, dimension == 2 ? 4 : 7);
        assert_int_equal(c.redundant, 0);
        lmb_model_free(m);
    }
}

/* Axes of a mirrored body are orthonormal as well, but they are no position of it. */
static void mirrored_axes_are_refused(void **unused)
{
    (void)unused;
    lmb_model *m = model_with(3, spatial[0], true);
    lmb_solver *s;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_true(lmb_solve_position(s));
    double *e3 = s->state->q + m->bodies[2].q + 9;
    for (int i = 0; i < 3; i++)
        e3[i] = -e3[i];
    lmb_update_position(s->state);
    double guard = lmb_guard(s->state, m->bodies[2].row + 5);
    assert_close(guard, -1, 1e-12);
    assert_false(lmb_solve_position(s));
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- where the mass is on a line -------------------------------------------------------------- */

/* Two thin bars in space, the first one hinged, so that what turns about its own axis is held; A is
 * singular, so the solvers must not invert it. The second is held at its end by a universal joint.
 */
static const char bars[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  A: {%sshape: {bar: {length: 1}}, mass: 2, position: [0.5, 0, 0], "
    "points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
    "  B: {%sshape: {bar: {length: 1}}, mass: 1, position: [1, 0.5, 0], rotation: [0, 0, pi/2], "
    "points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
    "joints:\n  hinge: {type: revolute, between: [ground, A.o], axis: [0, 1, 0]}\n"
    "  elbow: {type: %s, between: [A.e, B.o]%s}\n"
    "analyses:\n  swing: {type: dynamics, integrator: %s, duration: 0.5, output_step: 0.5%s}\n";

static lmb_model *bars_with(const char *key, const char *joint, const char *more,
                            const char *integrator, const char *options)
{
    char text[2000];
    snprintf(text, sizeof text, bars, key, key, joint, more, integrator, options);
    return model_of_text(text);
}

static void mass_on_a_line_moves_as_in_other_coordinates(void **unused)
{
    (void)unused;
    static const struct {
        const char *integrator, *options;
        double tolerance; /* what the integrator promises, times what 0.5 s make of it */
    } with[] = {{"rk45", ", tolerance: 1e-11", 1e-8},
                {"adams", ", step: 5e-4", 1e-7},
                {"euler", ", step: 1e-5", 1e-4},
                {"ida", ", tolerance: 1e-9", 1e-5},
                {"generalized-alpha", ", step: 2e-4", 1e-5}};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        vec3 at[2];
        for (int natural = 0; natural < 2; natural++) {
            lmb_model *m = bars_with(natural ? "coordinates: natural, " : "", "revolute",
                                     ", axis: [1, 0, 0]", with[i].integrator, with[i].options);
            assert_int_equal(lmb_saddle_has_inertia(m), false);
            lmb_dynamics *motion = start_motion(m, m->analyses[0].integration);
            at[natural] = advance(motion, 0.5)->bodies[2].pose.p;
            finish(motion, m);
        }
        assert_true(v3_norm(v3_sub(at[1], at[0])) < with[i].tolerance);
    }
}

/* --- integrators ------------------------------------------------------------------------------ */

/* A rigid arm and a soft beam in space, released; the second joint is not parallel. */
static const char arms[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  A: {%smass: 2, inertia: [0.1, 0.2, 0.25], position: [0.5, 0, 0], "
    "points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
    "  B: {%sbeam: {from: [1, 0, 0], to: [1.8, 0, 0], elements: 4, section: {rectangle: {width: "
    "0.04, height: 0.05}}, material: {E: 2e7, nu: 0.3, density: 500}}, "
    "interfaces: {o: start, e: end}, reduction: {modes: 2, keep: 3}}\n"
    "joints:\n  a: {type: revolute, between: [ground, A.o], axis: [0, 1, 0]}\n"
    "  b: {type: revolute, between: [A.e, B.o], axis: [0.2, 1, 0.3]}\n"
    "analyses:\n  swing: {type: dynamics, integrator: %s, duration: 0.4, output_step: 0.4%s}\n";

/* Where the end of the beam is at 0.4 s. */
static vec3 end_with(bool natural, const char *integrator, const char *options)
{
    char text[2000];
    const char *key = natural ? "coordinates: natural, " : "";
    snprintf(text, sizeof text, arms, key, key, integrator, options);
    lmb_model *m = model_of_text(text);
    lmb_dynamics *motion = start_motion(m, m->analyses[0].integration);
    const lmb_state *s = advance(motion, 0.4);
    int end = -1;
    for (int i = 0; i < m->point_count; i++)
        end = strcmp(m->points[i].name, "B.e") == 0 ? m->points[i].marker : end;
    vec3 p = s->frames[end].p;
    finish(motion, m);
    return p;
}

/* The error of natural coordinates against a motion that is exact to 1e-10, with two lengths of the
 * steps: it falls with the order of the integrator, and where a tolerance chooses them it is that.
 */
static void every_integrator_has_its_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *coarse, *fine;
        double order; /* 0: the error of the second one is below 1e-6 */
    } with[] = {
        {"euler", ", step: 1e-4", ", step: 5e-5", 1},
        {"generalized-alpha", ", step: 2e-3", ", step: 1e-3", 2},
        {"hht", ", step: 2e-3", ", step: 1e-3", 2},
        {"newmark", ", step: 2e-3", ", step: 1e-3", 1}, /* with damping */
        {"rk45", ", tolerance: 1e-6", ", tolerance: 1e-9", 0},
        {"adams", ", step: 4e-4", ", step: 2e-4", 0},
        {"ida", ", tolerance: 1e-6", ", tolerance: 1e-9", 0},
        {"ali3p", ", step: 2e-3", ", step: 1e-3", 2},
    };
    vec3 exact = end_with(false, "rk45", ", tolerance: 1e-12");
    size_t count = sizeof with / sizeof *with;
    for (int i = 0; lmb_integrators[i]; i++) { /* none is forgotten */
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || strcmp(with[k].name, lmb_integrators[i]->name) == 0;
        if (!found)
            fail_msg("%s is not tested", lmb_integrators[i]->name);
    }
    for (size_t k = 0; k < count; k++) {
        double coarse = v3_norm(v3_sub(end_with(true, with[k].name, with[k].coarse), exact));
        double fine = v3_norm(v3_sub(end_with(true, with[k].name, with[k].fine), exact));
        print_message("%s: %.3g %.3g\n", with[k].name, coarse, fine);
        if (with[k].order > 0)
            assert_true(coarse < 0.02 && log2(coarse / fine) > with[k].order - 0.5);
        else
            assert_true(fine < 1e-6);
    }
}

/* A bar that nothing keeps from spinning about its axis has no determined motion in any
 * coordinates. */
static void a_loose_bar_is_named(void **unused)
{
    (void)unused;
    for (int natural = 0; natural < 2; natural++) {
        lmb_model *m =
            bars_with(natural ? "coordinates: natural, " : "", "spherical", "", "rk45", "");
        lmb_dynamics *motion = NULL;
        assert_int_equal(lmb_dynamics_new(&motion, context, m, 0, &m->analyses[0].integration),
                         LMB_SOLVER);
        const char *text = lmb_message_at(context, lmb_message_count(context) - 1)->text;
        assert_non_null(strstr(text, "body 'B' has no inertia against turning"));
        lmb_dynamics_free(motion);
        lmb_model_free(m);
    }
}

/* --- beginnings ------------------------------------------------------------------------------- */

/* The angular velocity of the first body is given, what is left fits and is nearest to 0: both
 * coordinates have the same metric of turns, so it is found the same. */
static const char *const beginnings[] = {
    "limber: 1\ndimension: 2\nbodies:\n"
    "  A: {%smass: 1, inertia: 0.1, position: [%s, 0], angle: %s, angular_velocity: 3, "
    "points: {o: [-0.5, 0], e: [0.5, 0]}}\n"
    "  B: {%smass: 1, inertia: 0.1, position: [1.5, 0], points: {o: [-0.5, 0], e: [0.5, 0]}}\n"
    "joints:\n  a: {type: revolute, between: [ground, A.o]}\n"
    "  b: {type: revolute, between: [A.e, B.o]}\n",
    "limber: 1\ndimension: 3\nbodies:\n"
    "  A: {%smass: 1, inertia: [0.1, 0.2, 0.15], position: [%s, 0, 0], rotation: [%s, 0.1, -0.1], "
    "angular_velocity: [1, -2, 3], points: {o: \"[-0.5, 0, 0]\", e: [0.5, 0, 0]}}\n"
    "  B: {%smass: 1, inertia: [0.1, 0.2, 0.15], position: [1.5, 0, 0], "
    "points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
    "joints:\n  a: {type: spherical, between: [[0, 0, 0], A.o]}\n"
    "  b: {type: spherical, between: [A.e, B.o]}\n"};

static lmb_model *beginning(int dimension, const char *key, const char *x, const char *turn)
{
    char text[2000];
    snprintf(text, sizeof text, beginnings[dimension - 2], key, x, turn, key);
    return model_of_text(text);
}

static void beginnings_are_the_same(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_dynamics *motion[2];
        lmb_model *m[2];
        for (int natural = 0; natural < 2; natural++) {
            m[natural] =
                beginning(dimension, natural ? "coordinates: natural, " : "", "0.55", "0.3");
            motion[natural] = start_motion(
                m[natural], (lmb_integration){&lmb_integrator_rk45, .tolerance = 1e-9});
        }
        /* placed off its joints, A keeps the angular velocity that is given */
        const lmb_state *s = advance(motion[1], 0), *t = advance(motion[0], 0);
        vec3 w = frame_angular(&s->bodies[1].pose, &s->rates[m[1]->body_marker[1]]);
        vec3 given = dimension == 2 ? v3(0, 0, 3) : v3(1, -2, 3);
        assert_true(v3_norm(v3_sub(w, given)) < 1e-9);
        /* in the same position all velocities are the same */
        lmb_solver *a, *b;
        assert_ok(lmb_solver_new(&a, context, m[0]));
        assert_ok(lmb_solver_new(&b, context, m[1]));
        lmb_state_copy(a->state, t);
        lmb_update(a->state, 0);
        take_over(a->state, b->state);
        memset(b->state->v + m[1]->bodies[2].v, 0, (size_t)m[1]->bodies[2].nv * sizeof(double));
        lmb_update_velocity(b->state);
        assert_ok(lmb_fit_velocities(b));
        for (int k = 0; k < m[0]->parts.marker_count; k++)
            compare_frames(&b->state->rates[k], &a->state->rates[k], 1e-9);
        lmb_solver_free(a);
        lmb_solver_free(b);
        for (int natural = 0; natural < 2; natural++)
            finish(motion[natural], m[natural]);
    }
}

/* An angular velocity that joints do not allow is reported as one, not by components of axes. */
static void contradictions_are_told_as_angular_velocities(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\nbodies:\n"
        "  A: {mass: 1, inertia: [1, 1.2, 1.1], coordinates: natural, angular_velocity: [1, 0, 2], "
        "points: {o: [-0.5, 0, 0]}}\n"
        "joints:\n  h: {type: revolute, between: [[-0.5, 0, 0], A.o], axis: [0, 0, 1]}\n");
    lmb_dynamics *motion = NULL;
    lmb_integration options = {&lmb_integrator_rk45, .tolerance = 1e-9};
    assert_int_equal(lmb_dynamics_new(&motion, context, m, 0, &options), LMB_SOLVER);
    const char *text = lmb_message_at(context, lmb_message_count(context) - 1)->text;
    assert_non_null(strstr(text, "angular_velocity of body 'A'"));
    assert_non_null(strstr(text, "change by -1 in x"));
    lmb_dynamics_free(motion);
    lmb_model_free(m);
}

/* In the plane an angle goes on over any number of turns, from the one that is given. */
static void turns_are_counted(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies:\n"
        "  A: {coordinates: natural, mass: 1, inertia: 0.1, angle: 7*pi, angular_velocity: 40}\n");
    lmb_dynamics *motion =
        start_motion(m, (lmb_integration){&lmb_integrator_rk45, .tolerance = 1e-9});
    assert_close(lmb_body_angle(advance(motion, 0), 1), 7 * LMB_PI, 1e-13);
    for (int i = 1; i <= 20; i++)
        assert_close(lmb_body_angle(advance(motion, 0.05 * i), 1), 7 * LMB_PI + 2.0 * i, 1e-6);
    finish(motion, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_motion_has_the_same_energy),
        cmocka_unit_test(the_same_forces_have_the_same_accelerations),
        cmocka_unit_test(rows_leave_the_rigid_motions),
        cmocka_unit_test(mirrored_axes_are_refused),
        cmocka_unit_test(mass_on_a_line_moves_as_in_other_coordinates),
        cmocka_unit_test(every_integrator_has_its_order),
        cmocka_unit_test(a_loose_bar_is_named),
        cmocka_unit_test(beginnings_are_the_same),
        cmocka_unit_test(contradictions_are_told_as_angular_velocities),
        cmocka_unit_test(turns_are_counted),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
