/* The fairground ride with its clapper and hub as meshes of solids, both reduced to few modes: 35 s
 * with joints that are driven and bodies that vibrate.
 *
 * The reactions at the bearing of the hub are checked against the rates of its momentum, which come
 * from its kinetic energy alone; its positions against bodies with all their modes in other frames;
 * the work of the drivers against energy and losses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "channels/channels.h"
#include "analysis/dynamics.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "strip.h"
#include "support.h"

static const char *const example = "examples/afterburner-flexible/afterburner-flexible.yaml";

/* The ride from rest. */
static lmb_dynamics *ride(const lmb_model *model, double step)
{
    lmb_solver *s;
    lmb_dynamics *d;
    assert_ok(lmb_solver_new(&s, context, model));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_equilibrium(s));
    assert_ok(lmb_dynamics_from(&d, context, s->state,
                                &(lmb_integration){.integrator = &lmb_integrator_alpha,
                                                   .step = step,
                                                   .spectral_radius = 0.9}));
    lmb_solver_free(s);
    return d;
}

static vec3 channel(lmb_channels *channels, const lmb_state *s, const char *name)
{
    int at, size;
    assert_ok(lmb_channels_find(channels, context, name, (lmb_place){0}, &at, &size));
    assert_int_equal(size, 3);
    const double *row = lmb_channels_row(channels, s) + at;
    return v3(row[0], row[1], row[2]);
}

/* --- steps --------------------------------------------------------------------------------------
 */

/* Steps of 10 ms against those of 1 ms: gondolas, which move by 16 m, stay within 0.1 %, and by
 * far: 1e-5 m. With the short ones the account of energy is kept to 1e-6 of what the drivers
 * supply. */
static void long_steps_are_enough(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_example("afterburner-flexible", NULL, NULL);
    lmb_dynamics *coarse = ride(model, 0.01), *fine = ride(model, 0.001);
    double before = account(fine), worst = 0, leak = 0, supplied = 0;
    for (int i = 1; i <= 350; i++) {
        advance(coarse, 0.1 * i);
        const lmb_state *s = advance(fine, 0.1 * i);
        for (int k = 1; k <= 6; k++) {
            char name[32] = "hub.gondola1";
            name[strlen(name) - 1] = (char)('0' + k);
            worst = fmax(worst,
                         v3_norm(v3_sub(point(coarse->solver, name), point(fine->solver, name))));
        }
        leak = fmax(leak, fabs(account(fine) - before));
        supplied = fmax(supplied, fabs(s->work[LMB_WORK_SUPPLIED]));
    }
    assert_true(worst < 1e-4);
    assert_true(supplied > 6e5);
    assert_true(leak < 1e-6 * supplied);
    lmb_dynamics_free(coarse);
    finish(fine, model);
}

/* --- reactions ----------------------------------------------------------------------------------
 */

/* Momentum of the hub a little later or earlier, along the motion of a state. */
static lmb_balance hub_after(const lmb_state *s, lmb_state *other, double eps, vec3 *centre)
{
    const lmb_model *m = s->model;
    double *step = calloc((size_t)m->nv, sizeof *step);
    int hub = 0;
    while (strcmp(m->bodies[hub].name, "hub") != 0)
        hub++;
    for (int j = 0; j < m->nv; j++) {
        step[j] = eps * (s->v[j] + eps * s->a[j] / 2);
        other->v[j] = s->v[j] + eps * s->a[j];
    }
    lmb_retract(other, s->q, step);
    free(step);
    lmb_update_position(other);
    lmb_update_velocity(other);
    lmb_balance b = {0};
    m->bodies[hub].ops->balance(&other->bodies[hub], m->gravity, &b);
    *centre = other->bodies[hub].pose.p; /* its frame is at its centre of mass */
    return b;
}

/* F = dp/dt - m g and M = dL/dt - c x m g - b x F at the bearing, in all directions, about the axis
 * of the hub as well: 1e-6 of the largest moment. Central differences over 1e-4 s are good to
 * (w e)^2 / 6 = 1e-8 at 40 Hz. */
static void reactions_are_rates_of_momentum(void **unused)
{
    (void)unused;
    const double eps = 1e-4;
    lmb_model *model = model_of_example("afterburner-flexible", NULL, NULL);
    lmb_dynamics *d = ride(model, 0.01);
    lmb_state *other = lmb_state_new(model);
    lmb_channels *channels;
    assert_non_null(other);
    assert_ok(lmb_channels_new(&channels, context, model, LMB_KNOWN_IN_DYNAMICS));
    double largest = 0, worst = 0, worst_force = 0, about_axis = 0;
    for (int i = 1; i <= 70; i++) {
        const lmb_state *s = advance(d, 0.5 * i);
        vec3 c, unused_centre;
        lmb_balance later = hub_after(s, other, eps, &unused_centre);
        lmb_balance earlier = hub_after(s, other, -eps, &unused_centre);
        hub_after(s, other, 0, &c);
        const lmb_body_at *hub = body(d->solver, "hub");
        vec3 weight = v3_scale(hub->body->mass, model->gravity);
        vec3 bearing = point(d->solver, "hub.bearing");
        vec3 F = v3_sub(v3_scale(1 / (2 * eps), v3_sub(later.momentum, earlier.momentum)), weight);
        vec3 rate =
            v3_scale(1 / (2 * eps), v3_sub(later.angular_momentum, earlier.angular_momentum));
        vec3 M = v3_sub(v3_sub(rate, v3_cross(c, weight)), v3_cross(bearing, F));
        vec3 force = channel(channels, s, "bearing.force_total");
        vec3 torque = channel(channels, s, "bearing.torque_total");
        largest = fmax(largest, v3_norm(torque));
        worst = fmax(worst, v3_norm(v3_sub(M, torque)));
        worst_force = fmax(worst_force, v3_norm(v3_sub(F, force)) / v3_norm(force));
        about_axis = fmax(about_axis, fabs(v3_dot(hub->pose.e[2], v3_sub(M, torque))));
    }
    assert_true(largest > 1e4);
    assert_true(worst < 1e-6 * largest);
    assert_true(about_axis < 1e-6 * largest);
    assert_true(worst_force < 1e-6);
    lmb_channels_free(channels);
    lmb_state_free(other);
    finish(d, model);
}

/* --- modes --------------------------------------------------------------------------------------
 */

static void replace(char *text, const char *old, const char *new)
{
    char *at = strstr(text, old);
    assert_non_null(at);
    memmove(at + strlen(new), at + strlen(old), strlen(at + strlen(old)) + 1);
    memcpy(at, new, strlen(new));
}

/* All modes of both bodies, in frames fixed to pivot and bearing instead of the mass centres: the
 * gondolas are where they are with 21 modes of the hub, to 0.1 % of the radius of 8 m. */
static void few_modes_are_enough(void **unused)
{
    (void)unused;
    size_t size;
    char *text = read_bytes(example, &size), *room = malloc(size + 1000);
    assert_non_null(room);
    memcpy(room, text, size);
    room[size] = 0;
    free(text);
    replace(room, "{modes: 20}", "{modes: 20, frame: {point: pivot}}");
    replace(room, "keep: 21", "frame: {point: bearing}");
    replace(room, "../clapper/", "examples/clapper/");
    replace(room, "../hub/", "examples/hub/");
    lmb_model *all = model_of_text(room);
    lmb_model *few = model_of_example("afterburner-flexible", NULL, NULL);
    free(room);
    assert_true(all->mode_count > 60 && few->mode_count == 47);
    lmb_dynamics *a = ride(all, 0.01), *b = ride(few, 0.01);
    double worst = 0;
    for (int i = 1; i <= 40; i++) {
        advance(a, 0.5 * i);
        advance(b, 0.5 * i);
        worst = fmax(worst, v3_norm(v3_sub(point(a->solver, "hub.gondola2"),
                                           point(b->solver, "hub.gondola2"))));
    }
    assert_true(worst < 8e-3);
    finish(a, all);
    finish(b, few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_steps_are_enough),
        cmocka_unit_test(reactions_are_rates_of_momentum),
        cmocka_unit_test(few_modes_are_enough),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
