/* A flexible body that flies freely, spins and vibrates: what it conserves, and that it does not
 * matter how space is turned. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/dynamics.h"
#include "bodies/modal.h"
#include "models.h"
#include "support.h"

/* An angled beam of soft material with a mass at its end: no axis of symmetry, principal axes that
 * lie anywhere, and bending, twist and stretch in every mode. */
static lmb_model *flyer(const char *frame, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\n"
             "bodies:\n"
             "  flyer:\n"
             "    beam: {along: [[0, 0, 0], [1, 0, 0], [1, 0.6, 0.2]], elements: 10,\n"
             "           section: {rectangle: {width: 0.03, height: 0.02}}, y_axis: [0, 0.3, 1],\n"
             "           material: {E: 2e9, nu: 0.3, density: 1200}}\n"
             "    interfaces: {A: start, B: end}\n"
             "    masses: {tip: {at: end, mass: 0.2, inertia: [1e-4, 2e-4, 3e-4]}}\n"
             "    reduction: {modes: 4, keep: 6, frame: %s}\n"
             "%s",
             frame, more);
    return model_of_text(text);
}

/* Deformed by some centimetres, spinning at 3 rad/s about no axis in particular, flying. */
static const double spin[3] = {1.1, -2.3, 1.6}, flight[3] = {0.7, -0.4, 0.9};

static lmb_state *launched(const lmb_model *m)
{
    lmb_state *s = lmb_state_at(m, 0);
    const lmb_modal *modal = lmb_body_elasticity(&m->bodies[1])->modal;
    for (int k = 0; k < modal->modes; k++)
        s->q[7 + k] = (k % 2 ? -0.02 : 0.03) / (1 + k) / modal->size[k];
    for (int i = 0; i < 3; i++) {
        s->v[i] = flight[i];
        s->v[3 + i] = spin[i];
    }
    return s;
}

static lmb_dynamics *fly(const lmb_state *initial, lmb_integration options)
{
    lmb_dynamics *d;
    assert_ok(lmb_dynamics_from(&d, context, initial, &options));
    return d;
}

/* How far momentum, angular momentum and energy have moved, as parts of what they are. */
typedef struct drift {
    double momentum, angular, energy;
} drift;

static lmb_balance balance_of(const lmb_dynamics *d)
{
    lmb_balance b = lmb_total_balance(d->solver->state);
    b.elastic = lmb_elastic_energy(d->solver->state);
    return b;
}

static void widen(drift *most, const lmb_balance *b0, const lmb_balance *b)
{
    double e0 = b0->kinetic + b0->elastic, e = b->kinetic + b->elastic;
    most->energy = fmax(most->energy, fabs(e - e0) / e0);
    most->momentum =
        fmax(most->momentum, v3_norm(v3_sub(b->momentum, b0->momentum)) / v3_norm(b0->momentum));
    most->angular = fmax(most->angular, v3_norm(v3_sub(b->angular_momentum, b0->angular_momentum)) /
                                            v3_norm(b0->angular_momentum));
}

/* The largest drift over a number of results. */
static drift flown(const lmb_model *m, lmb_integration options, double t, int count)
{
    lmb_state *initial = launched(m);
    lmb_dynamics *d = fly(initial, options);
    drift most = {0};
    lmb_balance first = balance_of(d);
    for (int i = 1; i <= count; i++) {
        assert_ok(lmb_dynamics_advance(d, t * i / count));
        lmb_balance now = balance_of(d);
        widen(&most, &first, &now);
    }
    if (getenv("LIMBER_SHOW"))
        printf("steps %ld: momentum %.2e, angular momentum %.2e, energy %.2e\n", d->motion->steps,
               most.momentum, most.angular, most.energy);
    lmb_dynamics_free(d);
    lmb_state_free(initial);
    return most;
}

/* In the frame of the mass centre momentum is m rdot: generalized-alpha keeps it to rounding, here
 * of 10 000 steps. Angular momentum and energy are those of the motion but for the error of the
 * method, which stays bounded without damping (spectral radius 1) and is of second order. */
static void implicit_flight_conserves(void **unused)
{
    (void)unused;
    lmb_model *m = flyer("mass-centre", "");
    const double h = 5e-4;
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = h, .spectral_radius = 1};
    drift coarse = flown(m, options, 10000 * h, 500), early = flown(m, options, 1000 * h, 500);
    options.step = h / 2;
    drift fine = flown(m, options, 10000 * h, 500);
    assert_true(coarse.momentum < 1e-12 && fine.momentum < 1e-12);
    assert_true(coarse.angular < 1e-4 && coarse.energy < 1e-4);
    assert_true(coarse.energy < 3 * early.energy); /* bounded: it does not grow with time */
    assert_true(log2(coarse.angular / fine.angular) > 1.8);
    assert_true(log2(coarse.energy / fine.energy) > 1.8);
    lmb_model_free(m);
}

/* In any frame of the body, with the error of the integrator held at 1e-12 a step. */
static void explicit_flight_conserves(void **unused)
{
    (void)unused;
    static const char *const frames[] = {"mass-centre", "{point: A}", "{chord: [A, B]}"};
    for (int i = 0; i < 3; i++) {
        lmb_model *m = flyer(frames[i], "");
        drift most = flown(
            m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12}, 0.2, 50);
        assert_true(most.momentum < (i ? 1e-8 : 1e-12));
        assert_true(most.angular < 1e-8 && most.energy < 1e-8);
        lmb_model_free(m);
    }
}

/* --- turned space -------------------------------------------------------------------------------
 */

/* The flyer on a ball joint, with gravity and a spring, all of it turned by a rotation. */
static lmb_model *turned(const mat3 *T)
{
    char more[1024];
    vec3 pin = m3_mul(T, v3(0.2, 0.3, -0.1)), anchor = m3_mul(T, v3(0.5, 1.5, 0.4));
    vec3 gravity = m3_mul(T, v3(1, -9, 3)), w = m3_mul(T, v3(spin[0], spin[1], spin[2]));
    quat p = quat_from_matrix(T);
    snprintf(more, sizeof more,
             "    position: [%.17g, %.17g, %.17g]\n"
             "    quaternion: [%.17g, %.17g, %.17g, %.17g]\n"
             "    angular_velocity: [%.17g, %.17g, %.17g]\n"
             "gravity: [%.17g, %.17g, %.17g]\n"
             "joints: {ball: {type: spherical, between: [[%.17g, %.17g, %.17g], flyer.A]}}\n"
             "forces: {pull: {type: spring, between: [[%.17g, %.17g, %.17g], flyer.B],\n"
             "                stiffness: 40, damping: 2, length: 0.7}}\n",
             pin.x, pin.y, pin.z, p.w, p.x, p.y, p.z, w.x, w.y, w.z, gravity.x, gravity.y,
             gravity.z, pin.x, pin.y, pin.z, anchor.x, anchor.y, anchor.z);
    return flyer("mass-centre", more);
}

/* The mechanism after some time; its modes set swinging at the start. */
static lmb_dynamics *swung(const lmb_model *m, lmb_integration options)
{
    lmb_state *s = lmb_state_at(m, 0);
    const lmb_modal *modal = lmb_body_elasticity(&m->bodies[1])->modal;
    for (int k = 0; k < modal->modes; k++)
        s->v[6 + k] = (k % 2 ? -0.5 : 0.7) / (1 + k) / modal->size[k];
    lmb_dynamics *d = fly(s, options);
    assert_ok(lmb_dynamics_advance(d, 0.3));
    lmb_state_free(s);
    return d;
}

/* Reactions, places and modes of the turned mechanism are those of the first one, turned. What is
 * left is rounding: of 1e-16, in steps of the same length for the implicit method, whose equations
 * are solved to rounding here, and at the tolerance of the explicit one, which chooses steps that
 * differ by rounding. */
static void turned_space_changes_nothing(void **unused)
{
    (void)unused;
    static const lmb_integration methods[] = {
        {.integrator = &lmb_integrator_rk45, .tolerance = 1e-11},
        {.integrator = &lmb_integrator_alpha,
         .step = 1e-3,
         .spectral_radius = 0.9,
         .to_rounding = true},
    };
    mat3 one = m3_identity(), T = quat_matrix(quat_exp(v3(0.7, -1.9, 1.3)));
    for (int i = 0; i < 2; i++) {
        lmb_model *m = turned(&one), *n = turned(&T);
        lmb_dynamics *x = swung(m, methods[i]), *y = swung(n, methods[i]);
        const lmb_state *a = x->solver->state, *b = y->solver->state;
        for (int k = 0; k < m->parts.marker_count; k++) {
            if (m->parts.markers[k].body == 0)
                continue;
            vec3 p = m3_mul(&T, a->frames[k].p), v = m3_mul(&T, a->rates[k].p);
            assert_close(v3_norm(v3_sub(p, b->frames[k].p)), 0, 1e-9);
            assert_close(v3_norm(v3_sub(v, b->rates[k].p)), 0, 1e-9 * fmax(1, v3_norm(v)));
        }
        for (int k = 0; k < lmb_body_elasticity(&m->bodies[1])->modal->modes; k++)
            assert_close(a->q[7 + k], b->q[7 + k], 1e-9);
        lmb_frame f = lmb_row_force(a, 0, 3, m->joints[0].pair, true);
        lmb_frame g = lmb_row_force(b, 0, 3, n->joints[0].pair, true);
        double size = v3_norm(f.p);
        assert_true(size > 1);
        assert_close(v3_norm(v3_sub(m3_mul(&T, f.p), g.p)), 0, 1e-8 * size);
        lmb_dynamics_free(x);
        lmb_dynamics_free(y);
        lmb_model_free(m);
        lmb_model_free(n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(implicit_flight_conserves),
        cmocka_unit_test(explicit_flight_conserves),
        cmocka_unit_test(turned_space_changes_nothing),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
