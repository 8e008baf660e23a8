/* Beginnings of motions with flexible bodies: static and quasi-static shapes against closed forms,
 * and that motions which begin with them do not ring. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/begin.h"
#include "analysis/mobility.h"
#include "analysis/statics.h"
#include "analysis/steady_shape.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static const lmb_integration exact = {
    .integrator = &lmb_integrator_rk45, .tolerance = 1e-11, .step = 1e-3};

static lmb_integration beginning(lmb_integration options, const lmb_beginning *begin)
{
    options.begin = begin;
    return options;
}

/* --- static ----------------------------------------------------------------------------------- */

/* A steel beam of 1 m along x with all the modes of its four elements, held by joints; w = 0.785
 * g N/m, E I = 210e9 1e-8/12. */
static const double g = 9.81, w = 7850 * 1e-4 * g, EI = 210e9 * 1e-8 / 12, L = 1;

static lmb_model *beam(const char *joints)
{
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies:\n"
             "  beam:\n"
             "    beam: {from: [0, 0], to: [1, 0], elements: 4, section: {rectangle: {width: 0.01, "
             "height: 0.01}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n"
             "    interfaces: {A: start, M: {at: [0.5, 0]}, B: end}\n"
             "    reduction: {modes: 6}\n"
             "joints:\n%s",
             joints);
    return model_of_text(text);
}

static double height(const lmb_dynamics *d, const char *name)
{
    return point(d->solver, name).y;
}

/* The largest move of a point from where it begins, over some periods of the first mode (8 Hz). */
static double ringing(lmb_dynamics *d, const char *name)
{
    double first = height(d, name), most = 0;
    for (int i = 1; i <= 200; i++) {
        advance(d, 2e-3 * i);
        most = fmax(most, fabs(height(d, name) - first));
    }
    return most;
}

static const lmb_integration steps = {
    .integrator = &lmb_integrator_alpha, .step = 1e-3, .spectral_radius = 0.9};

/* A cantilever hangs down by w L^4 / 8 E I, which cubic elements have exactly, and stays there: to
 * what Newton's iterations of the steps leave, 1e-9 of it. As placed it swings to twice that depth.
 */
static void cantilever_stays(void **unused)
{
    (void)unused;
    lmb_model *m = beam("  clamp: {type: fixed, between: [ground, beam.A]}\n");
    double sag = w * pow(L, 4) / (8 * EI);
    lmb_dynamics *d = start_motion(m, steps);
    double placed = ringing(d, "beam.B");
    assert_true(placed > 1.9 * sag && placed < 2.1 * sag);
    lmb_dynamics_free(d);
    d = start_motion(m, beginning(steps, &lmb_begin_static));
    assert_close(height(d, "beam.B") / -sag, 1, 1e-9);
    for (int j = 0; j < m->nv; j++)
        assert_close(d->solver->state->v[j], 0, 0);
    assert_true(ringing(d, "beam.B") < 1e-9 * sag);
    finish(d, m);
}

/* A free hinge is held where it is: the same shape as that of the cantilever, and the angle of the
 * joint, which is that of the deformed end, has not moved. Then it is released. */
static void hinge_is_held(void **unused)
{
    (void)unused;
    lmb_model *m = beam("  hinge: {type: revolute, between: [ground, beam.A]}\n");
    double sag = w * pow(L, 4) / (8 * EI);
    lmb_dynamics *d = start_motion(m, beginning(steps, &lmb_begin_static));
    const lmb_state *s = d->solver->state;
    assert_close(height(d, "beam.B") / -sag, 1, 1e-9);
    assert_close(height(d, "beam.A"), 0, 1e-12);
    assert_close(lmb_coordinate_value(s, &m->parts.coordinates[m->joints[0].coordinate]).f, 0,
                 1e-12);
    assert_close(lmb_step_size(d->solver, s->v), 0, 0);
    /* released, it falls: the tip of a rigid bar by 3/4 g t^2 */
    advance(d, 0.1);
    assert_close(height(d, "beam.B"), -0.75 * g * 0.01, sag);
    finish(d, m);
}

/* Clamped at both ends, a body of three rigid coordinates is held by six rows: three of them deform
 * it. It sags by w L^4 / 384 E I in the middle. */
static void clamped_twice(void **unused)
{
    (void)unused;
    lmb_model *m = beam("  left: {type: fixed, between: [ground, beam.A]}\n"
                        "  right: {type: fixed, between: [[1, 0], beam.B]}\n");
    double sag = w * pow(L, 4) / (384 * EI);
    const lmb_beginning *const both[] = {&lmb_begin_static, &lmb_begin_quasi_static};
    for (int i = 0; i < 2; i++) {
        lmb_dynamics *d = start_motion(m, beginning(steps, both[i]));
        assert_close(height(d, "beam.M") / -sag, 1, 1e-9);
        assert_true(ringing(d, "beam.M") < 1e-9 * sag);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* --- quasi-static: closed forms --------------------------------------------------------------- */

/* A mass m on a spring k that lets it move along a massless arm of length x; it hangs down along
 * -y, and the arm turns by theta from there. */
enum { MASS = 2 };
static const double spring = 5000, arm = 0.8;

static lmb_model *swinging_spring(double gravity, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -%g]\n"
             "bodies:\n"
             "  arm:\n"
             "    modal: {mass: 2, centre: [0, -0.8], inertia: 2*0.8^2, stiffness: [5000], "
             "modal_mass: [2], momentum: [[0, -2]], inertia_by_mode: [2*2*0.8]}\n"
             "    interfaces: {A: {point: [0, 0]}, B: {point: [0, -0.8], displacements: [[0, "
             "-1]]}}\n"
             "%s",
             gravity, more);
    return model_of_text(text);
}

/* Driven: k eta = m w^2 (x + eta) + m g cos theta, and its rate while w changes. */
static void driven_stretch(void **unused)
{
    (void)unused;
    lmb_model *m =
        swinging_spring(g, "joints: {hinge: {type: revolute, between: [ground, arm.A]}}\n"
                           "drivers: {motor: {joint: hinge, angle: 0.3 + 9*t + 4*t^2 + "
                           "20*t^3}}\n");
    lmb_dynamics *d = start_motion(m, beginning(exact, &lmb_begin_quasi_static));
    const lmb_state *s = d->solver->state;
    double theta = 0.3, spin = 9, spin_rate = 8, c = MASS * g * cos(theta);
    double soft = spring - MASS * spin * spin, load = MASS * spin * spin * arm + c;
    double rate = (2 * MASS * spin * spin_rate * arm - MASS * g * sin(theta) * spin) / soft +
                  load * 2 * MASS * spin * spin_rate / (soft * soft);
    assert_close(s->q[3], load / soft, 1e-11);
    assert_close(s->v[3], rate, 1e-8); /* by differences */
    assert_close(s->a[3], 0, 1e-8 * spring / MASS);
    finish(d, m);
}

/* At constant speed without gravity the stretch is m w^2 x / (k - m w^2) for ever; as placed it
 * would vibrate between 0 and twice that. */
static void constant_speed_does_not_ring(void **unused)
{
    (void)unused;
    lmb_model *m =
        swinging_spring(0, "joints: {hinge: {type: revolute, between: [ground, arm.A]}}\n"
                           "drivers: {motor: {joint: hinge, angle: 30*t}}\n");
    double stretch = MASS * 900 * arm / (spring - MASS * 900);
    const lmb_beginning *const both[] = {NULL, &lmb_begin_quasi_static};
    for (int i = 0; i < 2; i++) {
        lmb_dynamics *d = start_motion(m, beginning(exact, both[i]));
        double most = 0;
        for (int k = 1; k <= 100; k++)
            most = fmax(most, fabs(advance(d, 0.01 * k)->q[3] - stretch));
        if (i == 0)
            assert_close(most / stretch, 1, 1e-3);
        else
            assert_true(most < 1e-9 * stretch); /* 100 errors of steps, 1e-11 */
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* The same as a pendulum that swings freely through theta with a speed: theta'' follows from the
 * forces, theta'' (x + eta) = -g sin theta - 2 w eta', which in turn depends on the rate. */
static void swinging_stretch(void **unused)
{
    (void)unused;
    lmb_model *m =
        swinging_spring(g, "    angle: 0.7\n    angular_velocity: 3\n"
                           "joints: {hinge: {type: revolute, between: [ground, arm.A]}}\n");
    lmb_dynamics *d = start_motion(m, beginning(exact, &lmb_begin_quasi_static));
    const lmb_state *s = d->solver->state;
    double theta = 0.7, spin = 3, rate = 0, spin_rate = 0;
    double soft = spring - MASS * spin * spin;
    double load = MASS * (spin * spin * arm + g * cos(theta)), stretch = load / soft;
    for (int i = 0; i < 50; i++) { /* contracts by 2 w m / k */
        spin_rate = (-g * sin(theta) - 2 * spin * rate) / (arm + stretch);
        rate = MASS * (2 * spin * spin_rate * arm - g * sin(theta) * spin) / soft +
               load * 2 * MASS * spin * spin_rate / (soft * soft);
    }
    assert_close(s->q[2], theta, 1e-12);
    assert_close(s->v[2], spin, 1e-11);
    assert_close(s->q[3], stretch, 1e-11);
    assert_close(s->v[3], rate, 1e-8);
    assert_close(s->a[2], spin_rate, 1e-8);
    assert_close(s->a[3], 0, 1e-8 * spring / MASS);
    finish(d, m);
}

/* A bar that nothing holds spins in space about an axis across it: coordinates of the body are
 * held, rotations among them, while its shape is looked for. Its ends stretch by rho w^2 l^3 / 3 E,
 * to (w l)^2 rho / E = 1e-4 of that, and stay so while it spins on. */
static void free_bar_spins(void **unused)
{
    (void)unused;
    const double speed = 100, l = 0.5, E = 210e9, rho = 7850;
    mat3 R = quat_matrix(quat_exp(v3(0.2, -0.4, 0.3)));
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\n"
             "bodies:\n"
             "  bar:\n"
             "    beam: {from: [-0.5, 0, 0], to: [0.5, 0, 0], elements: 4, section: {circle: "
             "{diameter: 0.02}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n"
             "    interfaces: {A: start, B: end}\n"
             "    reduction: {modes: 18, frame: mass-centre}\n"
             "    rotation: [0.2, -0.4, 0.3]\n"
             "    angular_velocity: [%.17g, %.17g, %.17g]\n",
             speed * R.c[2].x, speed * R.c[2].y, speed * R.c[2].z);
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start_motion(m, beginning(steps, &lmb_begin_quasi_static));
    const lmb_state *s = d->solver->state;
    double stretch = rho * speed * speed * pow(l, 3) / (3 * E), largest = 0;
    double length = v3_norm(v3_sub(point(d->solver, "bar.B"), point(d->solver, "bar.A")));
    assert_close((length - 2 * l) / (2 * stretch), 1, 2e-4);
    assert_close(s->v[5], speed, 1e-12);
    for (int i = 1; i <= 50; i++) {
        advance(d, 2e-3 * i);
        double now = v3_norm(v3_sub(point(d->solver, "bar.B"), point(d->solver, "bar.A")));
        largest = fmax(largest, fabs(now - length));
    }
    assert_true(largest < 1e-8 * stretch); /* rounding of the length, 1e-16 m, and Newton's */
    finish(d, m);
}

/* --- quasi-static: a mechanism ---------------------------------------------------------------- */

/* The slider-crank with a flexible rod and without damping, one turn at 60 rad/s from the rod's
 * first instant; its lowest natural frequency is 152 Hz. */
static lmb_model *slider_crank(lmb_selection *without)
{
    lmb_model *m = model_of_example("slider-crank-flexible", "damping", "0");
    for (int i = 0; i < m->analysis_count; i++)
        if (strcmp(m->analyses[i].name, "turns") == 0)
            *without = m->analyses[i].without;
    return m;
}

/* The quasi-static shape at the instant of a state, found by a second solver from the drivers. */
static void find_shape(lmb_solver *other, const lmb_state *s)
{
    lmb_steady_shape *shape;
    lmb_state_copy(other->state, s);
    lmb_update(other->state, s->t);
    assert_ok(lmb_steady_shape_new(&shape, other, false));
    for (int j = 0; j < s->model->nv; j++)
        shape->rate[j] = other->modal[j] ? s->v[j] : 0;
    assert_true(lmb_steady_shape_find(shape) && shape->shape->count == 0);
    lmb_steady_shape_free(shape);
}

/* The size of a change of the modal coordinates, in m. */
static double modal_size(lmb_solver *s, const double *a, const double *b, const double *c)
{
    for (int j = 0; j < s->state->model->nv; j++)
        s->step[j] = s->modal[j] ? a[j] - 2 * b[j] + c[j] : 0;
    return lmb_step_size(s, s->step);
}

/* How far a motion gets from the quasi-static shape in one turn, and the largest second derivative
 * of that shape. */
static double off_shape(const lmb_model *m, const lmb_selection *without, const lmb_beginning *b,
                        double *second)
{
    const double h = 1e-3;
    const lmb_integration fine = {
        .integrator = &lmb_integrator_alpha, .step = 2e-5, .spectral_radius = 1, .begin = b};
    double most = 0, *last[3];
    lmb_dynamics *d = start_without(m, without, fine);
    lmb_solver *other;
    assert_ok(lmb_solver_new(&other, context, m));
    for (int i = 0; i < 3; i++)
        last[i] = calloc((size_t)m->nq, sizeof *last[i]);
    *second = 0;
    for (int i = 1; i <= 104; i++) {
        const lmb_state *s = advance(d, h * i);
        find_shape(other, s);
        const double *q = other->state->q;
        most = fmax(most, modal_size(other, s->q, q, q));
        memcpy(last[i % 3], q, (size_t)m->nq * sizeof *q);
        if (i > 2)
            *second =
                fmax(*second, modal_size(other, last[i % 3], last[(i + 2) % 3], last[(i + 1) % 3]) /
                                  (h * h));
    }
    for (int i = 0; i < 3; i++)
        free(last[i]);
    lmb_solver_free(other);
    lmb_dynamics_free(d);
    return most;
}

/* What the shape leaves out is e'' + W^2 e = -eta'', W = 2 pi 152 Hz at least: beginning on it, one
 * stays within 2 eta'' / W^2. */
static void slider_crank_follows_its_shape(void **unused)
{
    (void)unused;
    lmb_selection without = {0};
    lmb_model *m = slider_crank(&without);
    double second, W = 2 * LMB_PI * 152;
    double placed = off_shape(m, &without, NULL, &second);
    double quiet = off_shape(m, &without, &lmb_begin_quasi_static, &second);
    double bound = 2 * second / (W * W);
    print_message("off the quasi-static shape: %g m as placed, %g m (at most %g m)\n", placed,
                  quiet, bound);
    assert_true(quiet < bound);
    assert_true(placed > 5 * bound);
    lmb_model_free(m);
}

/* --- what makes no sense ---------------------------------------------------------------------- */

static void refused(lmb_model *m, const lmb_beginning *begin, const char *message)
{
    lmb_integration options = beginning(exact, begin);
    lmb_dynamics *d;
    assert_int_not_equal(lmb_dynamics_new(&d, context, m, 0, &options), LMB_OK);
    assert_message(context, message);
    lmb_model_free(m);
}

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    refused(swinging_spring(g, "    angular_velocity: 3\n"
                               "joints: {hinge: {type: revolute, between: [ground, arm.A]}}\n"),
            &lmb_begin_static, "begins with a velocity");
    refused(model_of_text("limber: 1\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}}\n"),
            &lmb_begin_quasi_static, "is for flexible bodies");
    /* beyond the critical speed sqrt(k / m) the arm would have to be shorter than nothing */
    refused(swinging_spring(0, "joints: {hinge: {type: revolute, between: [ground, arm.A]}}\n"
                               "drivers: {motor: {joint: hinge, angle: 50*t}}\n"),
            &lmb_begin_quasi_static, "no quasi-static shape");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_stays),
        cmocka_unit_test(hinge_is_held),
        cmocka_unit_test(clamped_twice),
        cmocka_unit_test(driven_stretch),
        cmocka_unit_test(constant_speed_does_not_ring),
        cmocka_unit_test(swinging_stretch),
        cmocka_unit_test(free_bar_spins),
        cmocka_unit_test(slider_crank_follows_its_shape),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
