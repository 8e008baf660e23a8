/* Flexible bodies at the limits of what they are: a million times stiffer than steel they move as
 * rigid ones do.
 *
 * Deflections of some 1e-4 of the length of a steel rod become 1e-10 of it. The release from rest
 * is a shock to such a rod: forces shake as much as they are, until the dissipation of the
 * integrator has taken that away, 0.8^80 = 2e-8 until the first instant that is compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/dynamics.h"
#include "models.h"
#include "support.h"

static const char *const steel = "{E: 2.1e11*1e6, nu: 0.3, density: 7850}";

/* Two links in the plane, the second one flexible or with the mass properties of the other. */
static lmb_model *double_pendulum(const lmb_body *like)
{
    char text[2048], link[512];
    if (like)
        snprintf(link, sizeof link,
                 "{mass: %.17g, inertia: %.17g, position: [1.4, 0], points: {A: [-0.4, 0], B: "
                 "[0.4, 0]}}",
                 like->mass, like->inertia.c[2].z);
    else
        snprintf(link, sizeof link,
                 "{beam: {from: [1, 0], to: [1.8, 0], elements: 8, section: {rectangle: {width: "
                 "0.01, height: 0.01}}, material: %s}, interfaces: {A: start, B: end}, reduction: "
                 "{modes: 4, keep: 6, frame: mass-centre}}",
                 steel);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies:\n"
             "  one: {mass: 1, shape: {bar: {length: 1}}, position: [0.5, 0],\n"
             "        points: {O: [-0.5, 0], A: [0.5, 0]}}\n"
             "  two: %s\n"
             "joints:\n"
             "  hinge: {type: revolute, between: [ground, one.O]}\n"
             "  elbow: {type: revolute, between: [one.A, two.A]}\n",
             link);
    return model_of_text(text);
}

/* A crank about the x axis, a ball, a rod, a universal joint and a slider along x. */
static lmb_model *spatial_crank(const lmb_body *like)
{
    char text[4096], rod[1024];
    if (like)
        snprintf(rod, sizeof rod,
                 "    mass: %.17g\n    inertia: [%.17g, %.17g, %.17g]\n"
                 "    points: {B: [-l/2, 0, 0], C: [l/2, 0, 0]}\n",
                 like->mass, like->inertia.c[0].x, like->inertia.c[1].y, like->inertia.c[2].z);
    else
        snprintf(rod, sizeof rod,
                 "    beam: {from: [-l/2, 0, 0], to: [l/2, 0, 0], elements: 8, section: {circle: "
                 "{diameter: 0.01}}, material: %s}\n"
                 "    interfaces: {B: start, C: end}\n    reduction: {modes: 4, keep: 8}\n",
                 steel);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
             "parameters: {r: 0.08, A: \"[0, 0.1, 0.12]\", B: \"A + [0, 0, r]\", C: \"[0.2, 0, "
             "0]\", l: norm(C - B)}\n"
             "bodies:\n"
             "  crank: {mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: (A + B)/2,\n"
             "          points: {A: [0, 0, -r/2], B: [0, 0, r/2]}, angular_velocity: [6, 0, 0]}\n"
             "  rod:\n    position: (B + C)/2\n    axes: [C - B, [0, 2, -1]]\n%s"
             "  slider: {mass: 2, inertia: [1e-4, 1e-4, 1e-4], position: C}\n"
             "joints:\n"
             "  main:  {type: revolute, between: [[0, 0.1, 0.12], crank.A], axis: [1, 0, 0]}\n"
             "  ball:  {type: spherical, between: [crank.B, rod.B]}\n"
             "  wrist: {type: universal, between: [rod.C, slider], axis: [0, 1, 0], axis_b: [1, 0, "
             "0]}\n"
             "  guide: {type: prismatic, between: [ground, slider], axis: [1, 0, 0]}\n",
             rod);
    return model_of_text(text);
}

/* The force in a joint on its second body. */
static vec3 force_in(const lmb_state *s, int joint)
{
    const lmb_joint *j = &s->model->joints[joint];
    return lmb_row_force(s, j->row, j->row_count, j->pair, true).p;
}

static lmb_dynamics *start(const lmb_model *m)
{
    lmb_dynamics *d;
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = 1.25e-4, .spectral_radius = 0.8};
    assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
    return d;
}

static void compare(const lmb_model *flexible, const lmb_model *rigid)
{
    lmb_dynamics *x = start(flexible), *y = start(rigid);
    double apart = 0, forces = 0, largest = 0;
    for (int i = 1; i <= 100; i++) {
        assert_ok(lmb_dynamics_advance(x, 0.01 * i));
        assert_ok(lmb_dynamics_advance(y, 0.01 * i));
        const lmb_state *a = x->solver->state, *b = y->solver->state;
        for (int p = 0; p < flexible->point_count; p++)
            apart = fmax(apart, v3_norm(v3_sub(a->frames[flexible->points[p].marker].p,
                                               b->frames[rigid->points[p].marker].p)));
        for (int j = 0; j < flexible->joint_count; j++) {
            vec3 f = force_in(a, j), g = force_in(b, j);
            forces = fmax(forces, v3_norm(v3_sub(f, g)));
            largest = fmax(largest, v3_norm(g));
        }
    }
    if (getenv("LIMBER_SHOW"))
        printf("%d modes: positions %.2e, forces %.2e of %.3g\n", flexible->bodies[2].nv, apart,
               forces, largest);
    assert_true(apart < 1e-5);
    assert_true(forces < 1e-5 * largest);
    lmb_dynamics_free(x);
    lmb_dynamics_free(y);
}

static void very_stiff_links_swing_as_rigid_ones(void **unused)
{
    (void)unused;
    lmb_model *flexible = double_pendulum(NULL);
    const lmb_body *beam = &flexible->bodies[2];
    assert_close(beam->mass, 7850 * 0.8e-4, 1e-12);
    assert_close(beam->inertia.c[2].z, beam->mass * 0.64 / 12, 1e-12);
    lmb_model *rigid = double_pendulum(beam);
    compare(flexible, rigid);
    lmb_model_free(flexible);
    lmb_model_free(rigid);
}

static void very_stiff_rods_turn_as_rigid_ones(void **unused)
{
    (void)unused;
    lmb_model *flexible = spatial_crank(NULL);
    const lmb_body *beam = &flexible->bodies[2];
    double I = LMB_PI * 1e-8 / 64, l = 0.3;
    assert_close(beam->inertia.c[0].x / (7850 * 2 * I * l), 1, 1e-12);
    assert_close(beam->inertia.c[1].y / (beam->mass * l * l / 12 + 7850 * I * l), 1, 1e-9);
    lmb_model *rigid = spatial_crank(beam);
    compare(flexible, rigid);
    lmb_model_free(flexible);
    lmb_model_free(rigid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(very_stiff_links_swing_as_rigid_ones),
        cmocka_unit_test(very_stiff_rods_turn_as_rigid_ones),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
