/* Flexible bodies that are taken as rigid: `rigid: true`, or a reduction with `keep: 0`. They have
 * the mass and inertia of their elements, and their interface points where these are undeformed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "support.h"

/* Steps are accurate to 1e-9 each, and there are some hundred. */
static const double tolerance = 1e-7;
static const lmb_integration accurate = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9};

static lmb_model *model_with(const char *format, const char *piece)
{
    char text[3000];
    snprintf(text, sizeof text, format, piece);
    return model_of_text(text);
}

/* --- in the plane ----------------------------------------------------------------------------- */

/* A bar of 1 m, 20 mm by 10 mm, swings about its end; steel has 7850 kg/m^3. */
static const char swinging[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {flag: 1, E: 210e9}\n"
    "bodies:\n"
    "  bar:\n"
    "    beam: {from: [0, 0], to: [1, 0], elements: 4, section: {rectangle: {width: 0.02, height: "
    "0.01}}, material: {E: E, nu: 0.3, density: 7850}}\n"
    "    interfaces: {A: start, B: end}\n"
    "    %s\n"
    "joints: {hinge: {type: revolute, between: [ground, bar.A]}}\n";

/* The same as a rigid body: m = density A l, J = m l^2/12 (beams in the plane are slender: they
 * have no rotary inertia). */
static const char as_rigid[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {m: 7850*0.02*0.01}\n"
    "bodies: {bar: {mass: m, inertia: m/12, position: [0.5, 0], points: {A: [-0.5, "
    "0], "
    "B: [0.5, 0]}}}\n"
    "joints: {hinge: {type: revolute, between: [ground, bar.A]}}\n";

static void a_bar_swings_as_a_rigid_one(void **unused)
{
    (void)unused;
    static const char *const ways[] = {
        "rigid: true", "reduction: {keep: 0}",
        "rigid: flag == 1 and E > 0\n    modes: [1, 2]\n    damping: 0.01"};
    lmb_model *m = model_of_text(as_rigid);
    lmb_dynamics *d = start_motion(m, accurate);
    advance(d, 1);
    vec3 tip = point(d->solver, "bar.B");
    double whole = account(d);
    finish(d, m);
    for (int i = 0; i < 3; i++) {
        m = model_with(swinging, ways[i]);
        assert_int_equal(m->mode_count, 0);
        assert_close(m->bodies[1].mass, 7850 * 0.02 * 0.01, 1e-12);
        d = start_motion(m, accurate);
        advance(d, 1);
        vec3 here = point(d->solver, "bar.B");
        assert_close(here.x, tip.x, tolerance);
        assert_close(here.y, tip.y, tolerance);
        assert_close(account(d), whole, tolerance);
        finish(d, m);
    }
}

/* The limit of a stiff body: with E = 2.1e17 Pa the bar bends by less than m g l^3/(8 E I) =
 * 3e-7 m under its weight, and twice that where the weight is applied at once. */
static void a_stiff_bar_swings_as_a_rigid_one(void **unused)
{
    (void)unused;
    vec3 tip[2];
    for (int i = 0; i < 2; i++) {
        lmb_integration options = {
            .integrator = &lmb_integrator_alpha, .step = 1e-4, .spectral_radius = 0.5};
        lmb_model *m = model_with(swinging, i ? "rigid: true" : "reduction: {modes: 2, keep: 2}");
        lmb_dynamics *d;
        if (!i) { /* the same with another parameter */
            char text[3000], *E;
            snprintf(text, sizeof text, swinging, "reduction: {modes: 2, keep: 2}");
            E = strstr(text, "210e9");
            memcpy(E, "21e16", 5);
            lmb_model_free(m);
            m = model_of_text(text);
            assert_int_equal(m->mode_count, 2);
        }
        d = start_motion(m, options);
        advance(d, 0.5);
        tip[i] = point(d->solver, "bar.B");
        finish(d, m);
    }
    assert_true(hypot(tip[0].x - tip[1].x, tip[0].y - tip[1].y) < 1e-6);
}

/* --- in space --------------------------------------------------------------------------------- */

/* A bar held at an end by a ball joint, thrown about; against a rigid body in closed form. With y
 * along the height h and z along the width b of the section the moments of inertia are
 * m (b^2 + h^2)/12, m (l^2 + b^2)/12 and m (l^2 + h^2)/12, which one beam element has as well. */
static void a_bar_tumbles_as_a_rigid_one(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  bar:\n"
        "    beam: {from: [0, 0, 0], to: [1, 0, 0], y_axis: [0, 1, 0], elements: 4, section: "
        "{rectangle: {width: 0.2, height: 0.1}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    rigid: true\n"
        "    angular_velocity: [3, 1, 2]\n"
        "joints: {hold: {type: spherical, between: [ground, bar.A]}}\n",
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {m: 157, b: 0.2, h: 0.1}\n"
        "bodies: {bar: {mass: m, inertia: \"m/12*[b^2 + h^2, 1 + b^2, 1 + h^2]\", position: [0.5, "
        "0, "
        "0], angular_velocity: [3, 1, 2], points: {A: [-0.5, 0, 0], B: [0.5, 0, 0]}}}\n"
        "joints: {hold: {type: spherical, between: [ground, bar.A]}}\n"};
    vec3 tip[2];
    mat3 axes[2];
    for (int i = 0; i < 2; i++) {
        lmb_model *m = model_of_text(texts[i]);
        lmb_dynamics *d = start_motion(m, accurate);
        const lmb_state *s = advance(d, 1);
        tip[i] = point(d->solver, "bar.B");
        axes[i] = frame_rotation(&s->bodies[1].pose);
        finish(d, m);
    }
    assert_close(v3_norm(v3_sub(tip[0], tip[1])), 0, tolerance);
    for (int j = 0; j < 3; j++)
        assert_close(v3_norm(v3_sub(axes[0].c[j], axes[1].c[j])), 0, 10 * tolerance);
}

/* A body given by its modal numbers, and the same numbers of a rigid one. */
static void a_modal_body_is_made_rigid(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  rod:\n"
        "    modal: {mass: 0.15, centre: [0.15, 0], inertia: 4.5e-3, stiffness: [1.2e4, 1.9e5], "
        "modal_mass: [0.075, 0.075]}\n"
        "    interfaces: {A: {point: [0, 0]}, B: {point: [0.3, 0], displacements: [[0, 1], [0, "
        "-1]], "
        "rotations: [2, 3]}}\n"
        "    rigid: true\n"
        "joints: {hinge: {type: revolute, between: [ground, rod.A]}}\n",
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {rod: {mass: 0.15, inertia: 4.5e-3 - 0.15*0.15^2, position: [0.15, 0], points: "
        "{A: "
        "[-0.15, 0], B: [0.15, 0]}}}\n"
        "joints: {hinge: {type: revolute, between: [ground, rod.A]}}\n"};
    vec3 tip[2];
    for (int i = 0; i < 2; i++) {
        lmb_model *m = model_of_text(texts[i]);
        assert_int_equal(m->mode_count, 0);
        lmb_dynamics *d = start_motion(m, accurate);
        advance(d, 1);
        tip[i] = point(d->solver, "rod.B");
        finish(d, m);
    }
    assert_close(v3_norm(v3_sub(tip[0], tip[1])), 0, tolerance);
}

/* --- variants by parameters ------------------------------------------------------------------- */

/* Words are chosen by a condition: the motion is that of the chosen word to the last bit, and
 * another one than that of the other. */
static void words_are_chosen_by_a_condition(void **unused)
{
    (void)unused;
    static const char *const ways[] = {"coupling: constant", "coupling: full",
                                       "coupling: if(flag == 1, constant, full)",
                                       "coupling: if(flag > 1, constant, full)"};
    vec3 tip[4];
    for (int i = 0; i < 4; i++) {
        char keys[200];
        lmb_integration options = {
            .integrator = &lmb_integrator_alpha, .step = 1e-3, .spectral_radius = 0.9};
        snprintf(keys, sizeof keys, "%s\n    reduction: {keep: 2}\n    modes_velocity: [3, 1]",
                 ways[i]);
        lmb_model *m = model_with(swinging, keys);
        lmb_dynamics *d = start_motion(m, options);
        advance(d, 0.1);
        tip[i] = point(d->solver, "bar.B");
        finish(d, m);
    }
    assert_memory_equal(&tip[0], &tip[2], sizeof tip[0]);
    assert_memory_equal(&tip[1], &tip[3], sizeof tip[1]);
    assert_memory_not_equal(&tip[0], &tip[1], sizeof tip[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_swings_as_a_rigid_one),
        cmocka_unit_test(a_stiff_bar_swings_as_a_rigid_one),
        cmocka_unit_test(a_bar_tumbles_as_a_rigid_one),
        cmocka_unit_test(a_modal_body_is_made_rigid),
        cmocka_unit_test(words_are_chosen_by_a_condition),
    };
    return cmocka_run_group_tests_name("bodies made rigid", tests, open_models, close_models);
}
