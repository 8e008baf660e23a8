/* Bodies of several nodes move as wholes: assembly, velocities at the beginning. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "strut.h"
#include "support.h"
#include "system/whole.h"

#define STRIP                                                                                      \
    "section: {rectangle: {width: 0.02, height: 0.01}}, material: steel, deformation: large"

/* The model of a text, assembled. */
static lmb_solver *assembled(const char *text, lmb_model **model)
{
    lmb_solver *s;
    *model = model_of_text(text);
    assert_ok(lmb_solver_new(&s, context, *model));
    assert_ok(lmb_assemble(s));
    return s;
}

static void drop(lmb_solver *s, lmb_model *m)
{
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The largest strain energy that rounding makes: positions of size 1 m in elements of 0.1 m, so
 * strains of 1e-14 at most. */
static double energy_of_rounding(double EA, int elements)
{
    return EA * elements * 1e-28;
}

/* --- assembly --------------------------------------------------------------------------------- */

/* Where a beam comes to that its hinge finds 0.2 m and 30 degrees away: as it is, without strain,
 * and its end where that of a rigid rod would be. */
static void assert_unstrained(const char *text)
{
    lmb_model *m;
    lmb_solver *s = assembled(text, &m);
    double U = lmb_elastic_energy(s->state);
    if (getenv("LIMBER_SHOW"))
        printf("in %d dimensions: energy %g J\n", m->dimension, U);
    assert_true(U <= energy_of_rounding(210e9 * 2e-4, 10));
    vec3 end = point(s, "rod.B");
    assert_close(end.x, 1, 1e-11); /* joints are closed to 1e-11 */
    assert_close(end.y, 0, 1e-11);
    assert_close(end.z, 0, 1e-11);
    drop(s, m);
}

static void a_beam_off_its_hinge_is_not_strained(void **unused)
{
    (void)unused;
    assert_unstrained("limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {from: [0, 0], to: [1, "
                      "0], elements: 10, " STRIP "}\n    interfaces: {A: start, B: end}\n"
                      "    position: [0.2, 0]\n    angle: pi/6\n"
                      "joints: {pin: {type: revolute, between: [ground, rod.A]}}\n"
                      "drivers: {hold: {joint: pin, angle: 0}}\n");
    assert_unstrained(
        "limber: 1\ndimension: 3\nbodies:\n  rod:\n    beam: {from: [0, 0, 0], to: [1,"
        " 0, 0], elements: 10, " STRIP "}\n    interfaces: {A: start, B: end}\n"
        "    position: [0, 0.2, 0]\n    rotation: [0, pi/6, 0]\n"
        "joints: {pin: {type: revolute, between: [ground, rod.A], axis: [0, 0, 1], "
        "axis_b: [0, 0, 1]}}\ndrivers: {hold: {joint: pin, angle: 0}}\n");
}

/* The energy of a state, and the least that the joints allow. Steps minimise it to the second order
 * of their length, which the square of the misfit (in parts of the size of the model) is. */
static void compare_energies(lmb_solver *s, double misfit)
{
    double bent = lmb_elastic_energy(s->state);
    assert_ok(lmb_find_equilibrium(s));
    double least = lmb_elastic_energy(s->state);
    if (getenv("LIMBER_SHOW"))
        printf("energy %.10g J, the least %.10g J\n", bent, least);
    assert_true(bent < (1 + misfit * misfit) * least);
    assert_true(bent > (1 - 1e-9) * least);
}

static void a_loop_that_lacks_a_millimetre_bends(void **unused)
{
    (void)unused;
    lmb_model *m;
    lmb_solver *s =
        assembled("limber: 1\ndimension: 2\nground: {foot: [1, 0]}\nbodies:\n"
                  "  left:\n    beam: {from: [0, 0], to: [0, 1], elements: 6, " STRIP "}\n"
                  "    interfaces: {A: start, B: end}\n"
                  "  top:\n    beam: {from: [0, 1], to: [1.001, 1], elements: 6, " STRIP "}\n"
                  "    interfaces: {A: start, B: end}\n"
                  "  right:\n    beam: {from: [1, 1], to: [1, 0], elements: 6, " STRIP "}\n"
                  "    interfaces: {A: start, B: end}\n"
                  "joints:\n  a: {type: fixed, between: [ground, left.A]}\n"
                  "  b: {type: fixed, between: [left.B, top.A]}\n"
                  "  c: {type: fixed, between: [top.B, right.A]}\n"
                  "  d: {type: fixed, between: [ground.foot, right.B]}\n",
                  &m);
    compare_energies(s, 1e-3);
    drop(s, m);
}

/* A loop in space whose last hinge is tilted by 0.1 rad: rigid bars would not close at all. */
#define TILTED                                                                                     \
    "limber: 1\ndimension: 3\nground: {foot: [1, 0, 0]}\nbodies:\n"                                \
    "  left:\n    beam: {from: [0, 0, 0], to: [0, 1, 0], elements: 4, " STRIP "}\n"                \
    "    interfaces: {A: start, B: end}\n"                                                         \
    "  top:\n    beam: {from: [0, 1, 0], to: [1, 1, 0], elements: 4, " STRIP "}\n"                 \
    "    interfaces: {A: start, B: end}\n"                                                         \
    "  right:\n    beam: {from: [1, 1, 0], to: [1, 0, 0], elements: 4, " STRIP "}\n"               \
    "    interfaces: {A: start, B: end}\n"                                                         \
    "joints:\n  a: {type: revolute, between: [ground, left.A], axis: [0, 0, 1]}\n"                 \
    "  b: {type: revolute, between: [left.B, top.A], axis: [0, 0, 1]}\n"                           \
    "  c: {type: revolute, between: [top.B, right.A], axis: [0, 0, 1]}\n"                          \
    "  d: {type: revolute, between: [ground.foot, right.B], axis: [0, sin(0.1), cos(0.1)],"        \
    " axis_b: [0, 0, 1]}\n"

static void a_loop_with_a_tilted_hinge_twists(void **unused)
{
    (void)unused;
    lmb_model *m;
    lmb_solver *s = assembled(TILTED "drivers: {hold: {joint: a, angle: 0}}\n", &m);
    compare_energies(s, 0.1);
    drop(s, m);
}

/* Initial values of joints move a chain of beams as wholes, too. */
static void initial_values_do_not_strain(void **unused)
{
    (void)unused;
    lmb_model *m;
    lmb_solver *s = assembled("limber: 1\ndimension: 2\nbodies:\n"
                              "  a:\n    beam: {from: [0, 0], to: [1, 0], elements: 5, " STRIP "}\n"
                              "    interfaces: {A: start, B: end}\n"
                              "  b:\n    beam: {from: [0, 0], to: [1, 0], elements: 5, " STRIP "}\n"
                              "    interfaces: {A: start, B: end}\n"
                              "joints:\n"
                              "  p: {type: revolute, between: [ground, a.A]}\n"
                              "  q: {type: revolute, between: [a.B, b.A]}\n"
                              "initial: {p.angle: pi/2, q.angle: -2}\n",
                              &m);
    assert_true(lmb_elastic_energy(s->state) <= energy_of_rounding(210e9 * 2e-4, 10));
    vec3 end = point(s, "b.B");
    assert_close(end.x, sin(2), 1e-10); /* of the joint angles */
    assert_close(end.y, 1 + cos(2), 1e-10);
    drop(s, m);
}

/* The tip of a strut, a point, moves with the carriage: its spring stays as long as it is. */
static void a_strut_moves_as_a_whole(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "limber: 1\ndimension: 2\nbodies:\n"
        "  S: {type: strut, mass: 3, inertia: 0.4, tip_mass: 2, length: 0.5, stiffness: 50, "
        "position: [0.3, 0.1], angle: 0.7}\n"
        "joints: {pin: {type: revolute, between: [ground, S.b]}}\n"
        "drivers: {hold: {joint: pin, angle: 0}}\n",
        "limber: 1\ndimension: 3\nbodies:\n"
        "  S: {type: strut, mass: 3, inertia: [0.4, 0.5, 0.6], tip_mass: 2, length: 0.5, "
        "stiffness: 50, position: [0.3, 0.1, 0.2], rotation: [0.1, 0.2, 0.7]}\n"
        "joints: {pin: {type: revolute, between: [ground, S.b], axis: [0, 0, 1], axis_b: [0, 0, "
        "1]}}\ndrivers: {hold: {joint: pin, angle: 0}}\n"};
    for (int i = 0; i < 2; i++) {
        lmb_model *m;
        lmb_solver *s;
        lmb_spec *spec;
        assert_ok(lmb_spec_parse(&spec, context, "test", texts[i]));
        assert_ok(lmb_model_compile_with(&m, context, spec, kinds_with_strut()));
        lmb_spec_free(spec);
        assert_ok(lmb_solver_new(&s, context, m));
        assert_ok(lmb_assemble(s));
        vec3 carriage = body(s, "S")->pose.p; /* the tip is 0.5 m before it, at the origin */
        assert_true(v3_norm(v3_sub(carriage, v3(-0.5, 0, 0))) < 1e-10);
        assert_true(lmb_elastic_energy(s->state) < 1e-20);
        drop(s, m);
    }
}

/* --- velocities ------------------------------------------------------------------------------- */

/* All nodes of a body move with v = w x r. */
static void assert_turning(const lmb_state *s, const char *name, vec3 w, vec3 centre)
{
    const lmb_model *m = s->model;
    int count = 0;
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        if (strcmp(m->bodies[node->body].name, name) != 0)
            continue;
        bool plane = node->kind == LMB_NODE_PLANE;
        lmb_frame x = plane ? lmb_plane_pose(s->q + node->q) : lmb_space_pose(s->q + node->q);
        mat3 R = frame_rotation(&x);
        const double *v = s->v + node->v;
        vec3 expected = v3_cross(w, v3_sub(x.p, centre));
        vec3 found = v3(v[0], v[1], plane ? 0 : v[2]);
        vec3 spin = plane ? v3(0, 0, v[2]) : m3_mul(&R, v3_of(v + 3));
        assert_true(v3_norm(v3_sub(found, expected)) < 1e-10 * v3_norm(w));
        assert_true(v3_norm(v3_sub(spin, w)) < 1e-10 * v3_norm(w));
        count++;
    }
    assert_true(count > 2);
}

static lmb_integration implicit(void)
{
    return (lmb_integration){
        .integrator = &lmb_integrator_alpha, .step = 1e-4, .spectral_radius = 0.8};
}

/* A driver turns the whole beam from the first instant on, also one that was placed elsewhere; so
 * does a given angular velocity, with the velocities that the hinge then asks for. */
static void beams_begin_to_turn_as_wholes(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 3\nbodies:\n  rod:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 10, " STRIP "}\n    interfaces: {A: start, B: end}\n    %s\n"
        "joints: {pin: {type: revolute, between: [ground, rod.A], axis: [0, 0, 1], axis_b: [0, 0, "
        "1]}}\n%s";
    static const char *const cases[][2] = {
        {"", "drivers: {turn: {joint: pin, speed: 3}}\n"},
        {"position: [0.2, 0.1, 0]\n    rotation: [0, pi/6, 0.4]",
         "drivers: {turn: {joint: pin, speed: 3}}\n"},
        {"angular_velocity: [0, 0, 3]", ""},
        {"rotation: [0, pi/6, 0.4]\n    angular_velocity: [0, 0, 3]", ""}};
    char line[900];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(line, sizeof line, text, cases[i][0], cases[i][1]);
        lmb_model *m = model_of_text(line);
        lmb_dynamics *d = start_motion(m, implicit());
        assert_turning(d->solver->state, "rod", v3(0, 0, 3), v3(0, 0, 0));
        finish(d, m);
    }
}

/* In a four-bar linkage of beams a driven crank moves coupler and rocker as rigid ones: in a
 * parallelogram the rocker turns as the crank, and the coupler does not turn. */
static void linkages_begin_as_rigid_ones(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nground: {foot: [1, 0]}\nbodies:\n"
        "  crank:\n    beam: {from: [0, 0], to: [0, 0.5], elements: 4, " STRIP "}\n"
        "    interfaces: {A: start, B: end}\n"
        "  coupler:\n    beam: {from: [0, 0.5], to: [1, 0.5], elements: 4, " STRIP "}\n"
        "    interfaces: {A: start, B: end}\n"
        "  rocker:\n    beam: {from: [1, 0.5], to: [1, 0], elements: 4, " STRIP "}\n"
        "    interfaces: {A: start, B: end}\n"
        "joints:\n  a: {type: revolute, between: [ground, crank.A]}\n"
        "  b: {type: revolute, between: [crank.B, coupler.A]}\n"
        "  c: {type: revolute, between: [coupler.B, rocker.A]}\n"
        "  d: {type: revolute, between: [ground.foot, rocker.B]}\n"
        "drivers: {turn: {joint: a, speed: 2}}\n");
    lmb_dynamics *d = start_motion(m, implicit());
    assert_turning(d->solver->state, "crank", v3(0, 0, 2), v3(0, 0, 0));
    assert_turning(d->solver->state, "rocker", v3(0, 0, 2), v3(1, 0, 0));
    finish(d, m);
}

/* Where bodies must deform to move, they do so all along: no node of the crank is off v = w x r by
 * more than a part that the tilt of 0.1 rad explains. */
static void a_tilted_loop_begins_smoothly(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(TILTED "drivers: {turn: {joint: a, speed: 1}}\n");
    lmb_dynamics *d = start_motion(m, implicit());
    const lmb_state *s = d->solver->state;
    const lmb_body *b = body(d->solver, "left")->body;
    for (int i = 0; i < b->node_count; i++) {
        const double *r = s->q + b->nodes[i].q, *v = s->v + b->nodes[i].v;
        vec3 off = v3_sub(v3_of(v), v3_cross(v3(0, 0, 1), v3_of(r)));
        assert_true(v3_norm(off) < 0.1);
    }
    finish(d, m);
}

/* What a joint does not allow is an error, as for rigid bodies. */
static void a_wrong_angular_velocity_is_refused(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\nbodies:\n  rod:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 10, " STRIP "}\n    interfaces: {A: start, B: end}\n"
        "    angular_velocity: [0, 1, 3]\n"
        "joints: {pin: {type: revolute, between: [ground, rod.A], axis: [0, 0, 1]}}\n");
    lmb_dynamics *d;
    lmb_integration options = implicit();
    assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &options), LMB_SOLVER);
    assert_message(context, "the angular_velocity of body 'rod' is inconsistent with its joints");
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_with_a_tilted_hinge_twists),
        cmocka_unit_test(initial_values_do_not_strain),
        cmocka_unit_test(a_strut_moves_as_a_whole),
        cmocka_unit_test(beams_begin_to_turn_as_wholes),
        cmocka_unit_test(linkages_begin_as_rigid_ones),
        cmocka_unit_test(a_tilted_loop_begins_smoothly),
        cmocka_unit_test(a_wrong_angular_velocity_is_refused),
        cmocka_unit_test(a_beam_off_its_hinge_is_not_strained),
        cmocka_unit_test(a_loop_that_lacks_a_millimetre_bends),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
