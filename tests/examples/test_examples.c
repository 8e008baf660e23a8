/* The examples, run through the program, against closed forms and balances of their own.
 *
 * Tolerances: the joints are closed to 1e-13 of the model's size and the laws are exact; what
 * follows from them is at most ten times as sensitive in these mechanisms, hence 1e-12 against
 * closed forms. The README quotes this bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec.h"
#include "results.h"
#include "support.h"

/* A formula of time that a channel must follow at all instants. */
typedef double formula(double t);

static void assert_follows(const char *channel, formula *f)
{
    const double tolerance = 1e-12;
    lmb_series s = series(channel);
    assert_true(s.count > 1);
    for (int i = 0; i < s.count; i++) {
        double expected = f(s.time[i]), off = fabs(s.values[i] - expected);
        if (!(off <= tolerance * fmax(1, fabs(expected))))
            fail_msg("%s at t = %g is %.17g, not %.17g", channel, s.time[i], s.values[i], expected);
    }
    lmb_series_free(&s);
}

/* The power of all drivers is the rate of the energy, by sixth-order differences of the record:
 * an independent check of efforts, masses and accelerations together. */
static void assert_power_balance(const char *const *drivers, double tolerance)
{
    lmb_series energy = series("energy.total");
    double *power = calloc((size_t)energy.count, sizeof *power), largest = 0;
    for (int k = 0; drivers[k]; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.power", drivers[k]);
        lmb_series s = series(name);
        for (int i = 0; i < s.count; i++)
            power[i] += s.values[i];
        lmb_series_free(&s);
    }
    for (int i = 0; i < energy.count; i++)
        largest = fmax(largest, fabs(power[i]));
    const double *e = energy.values;
    double h = energy.time[1] - energy.time[0];
    for (int i = 3; i < energy.count - 3; i++) {
        double rate =
            (45 * (e[i + 1] - e[i - 1]) - 9 * (e[i + 2] - e[i - 2]) + (e[i + 3] - e[i - 3])) /
            (60 * h);
        if (fabs(rate - power[i]) > tolerance * largest)
            fail_msg("t = %g: power %.12g, rate of energy %.12g", energy.time[i], power[i], rate);
    }
    free(power);
    lmb_series_free(&energy);
}

/* --- sliding rod --------------------------------------------------------------------------------
 */

static double L = 1.5, m = 20, theta0 = LMB_PI / 3, v = 0.5;
static const double g = 9.81;

static double theta(double t)
{
    return acos(cos(theta0) + v * t / L);
}

static double rod_angle(double t)
{
    return -theta(t);
}

static double rod_speed(double t)
{
    return v / (L * sin(theta(t)));
}

static double rod_acceleration(double t)
{
    return cos(theta(t)) / sin(theta(t)) * rod_speed(t) * rod_speed(t);
}

/* m y'' = F - m g with y = L/2 sin(theta) */
static double floor_force(double t)
{
    double w = rod_speed(t), s = sin(theta(t)), c = cos(theta(t));
    return m * g + m * L / 2 * (-c * rod_acceleration(t) - s * w * w);
}

/* moments about the centre: I alpha = L/2 (c F + 2 s P), since the wall force is -P */
static double pull_effort(double t)
{
    double s = sin(theta(t)), c = cos(theta(t)), inertia = m * L * L / 12;
    return (2 / L * inertia * rod_acceleration(t) - c * floor_force(t)) / (2 * s);
}

static double wall_force(double t)
{
    return -pull_effort(t);
}

static void check_sliding_rod(void)
{
    assert_follows("rod.angle", rod_angle);
    assert_follows("rod.angular_velocity", rod_speed);
    assert_follows("rod.angular_acceleration", rod_acceleration);
    assert_follows("pull.effort", pull_effort);
    assert_follows("wall.force.x", wall_force);
    assert_follows("floor.force.y", floor_force);
}

static void sliding_rod_follows_its_closed_form(void **unused)
{
    (void)unused;
    run_example("sliding-rod-inverse", "");
    check_sliding_rod();
    static const struct {
        const char *channel;
        double value;
    } at_end[] = {
        {"rod.angle", -0.8410686705679},
        {"rod.angular_velocity", 0.447213595500},
        {"rod.angular_acceleration", 0.178885438200},
        {"pull.effort", -85.3433074371},
        {"wall.force.x", 85.3433074371},
        {"floor.force.y", 192.1750776405},
    };
    for (size_t i = 0; i < sizeof at_end / sizeof *at_end; i++) {
        lmb_series s = series(at_end[i].channel);
        assert_int_equal(s.count, 101);
        assert_true(s.time[100] == 0.5);
        assert_true(fabs(s.values[100] / at_end[i].value - 1) < 1e-9);
        lmb_series_free(&s);
    }
    L = 0.8, m = 12, theta0 = 70 * LMB_PI / 180, v = 0.3;
    run_example("sliding-rod-inverse", "--set L=0.8 --set m=12 --set theta0=70*deg --set v=0.3");
    check_sliding_rod();
    L = 2, m = 1, theta0 = 0.5, v = -0.9;
    run_example("sliding-rod-inverse", "--set L=2 --set m=1 --set theta0=0.5 --set v=-0.9");
    check_sliding_rod();
}

/* --- slider-crank ------------------------------------------------------------------------------
 */

static double r = 0.15, l = 0.4, crank0 = 0, omega = 10;

/* x = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)), with its derivatives by phi */
static double slider_x(double t)
{
    double phi = crank0 + omega * t;
    return r * cos(phi) + sqrt(l * l - r * r * sin(phi) * sin(phi));
}

static double slider_v(double t)
{
    double phi = crank0 + omega * t, root = slider_x(t) - r * cos(phi);
    return omega * (-r * sin(phi) - r * r * sin(phi) * cos(phi) / root);
}

static double slider_a(double t)
{
    double phi = crank0 + omega * t, root = slider_x(t) - r * cos(phi);
    double sc = sin(phi) * cos(phi);
    return omega * omega *
           (-r * cos(phi) - r * r * cos(2 * phi) / root -
            r * r * r * r * sc * sc / (root * root * root));
}

static double crank_angle(double t)
{
    return crank0 + omega * t;
}

static void check_slider_crank(void)
{
    static const char *const drivers[] = {"motor", NULL};
    assert_follows("slider.position.x", slider_x);
    assert_follows("slider.velocity.x", slider_v);
    assert_follows("slider.acceleration.x", slider_a);
    assert_follows("guide.offset", slider_x);
    assert_follows("guide.offset_velocity", slider_v);
    assert_follows("guide.offset_acceleration", slider_a);
    assert_follows("main.angle", crank_angle); /* more than a turn */
    assert_follows("crank.angle", crank_angle);
    assert_power_balance(drivers, 1e-5); /* (omega h)^6 / 140 of the sixth derivative */
}

static void slider_crank_follows_its_closed_form(void **unused)
{
    (void)unused;
    run_example("slider-crank", "");
    check_slider_crank();
    lmb_series s = series("motor.effort");
    assert_int_equal(s.count, 101);
    assert_true(fabs(s.values[10] / 3.72020888591362 - 1) < 1e-10);
    lmb_series_free(&s);
    r = 0.1, l = 0.25, crank0 = 2, omega = -7;
    run_example("slider-crank", "--set r=0.1 --set l=0.25 --set theta0=2 --set omega=-7");
    check_slider_crank();
}

/* --- four-bar and quick-return ---------------------------------------------------------------- */

/* The rocker's angle from the triangle C-D-B, on the upper branch. */
static double rocker_swing(double t)
{
    const double a = 0.10, b = 0.30, c = 0.25, d = 0.35;
    double phi = LMB_PI / 2 + 2 * LMB_PI * t;
    double x = a * cos(phi) - d, y = a * sin(phi), s = hypot(x, y);
    double direction = LMB_PI + atan2(-y, -x); /* of DB, which points to the left */
    return direction - acos((c * c + s * s - b * b) / (2 * c * s)) - LMB_PI / 2;
}

static void four_bar_follows_its_closed_form(void **unused)
{
    static const char *const drivers[] = {"motor", NULL};
    (void)unused;
    run_example("four-bar", "");
    assert_follows("rocker_swing", rocker_swing);
    assert_power_balance(drivers, 1e-6);
}

/* The lever points from its foot to the pin. */
static double lever_angle(double t)
{
    double phi = 2 * LMB_PI * t;
    return atan2(0.3 + 0.1 * sin(phi), 0.1 * cos(phi));
}

static double ram_x(double t)
{
    double angle = lever_angle(t), drop = 0.65 - 0.6 * sin(angle);
    return 0.6 * cos(angle) + sqrt(0.2 * 0.2 - drop * drop);
}

static void quick_return_follows_its_closed_form(void **unused)
{
    static const char *const drivers[] = {"motor", NULL};
    (void)unused;
    run_example("quick-return", "");
    assert_follows("lever.angle", lever_angle);
    assert_follows("ram.position.x", ram_x);
    assert_power_balance(drivers, 1e-6);
    /* the return is faster than the cut */
    lmb_series s = series("ram.velocity.x");
    double least = 0, most = 0;
    for (int i = 0; i < s.count; i++) {
        least = fmin(least, s.values[i]);
        most = fmax(most, s.values[i]);
    }
    assert_true(fmax(most, -least) > 1.5 * fmin(most, -least));
    lmb_series_free(&s);
}

/* --- spatial slider-crank ----------------------------------------------------------------------
 */

/* The slider is where the rod (0.3 m) reaches the x axis from B. */
static double spatial_x(double t)
{
    double y = 0.1 - 0.08 * sin(6 * t), z = 0.12 + 0.08 * cos(6 * t);
    return sqrt(0.3 * 0.3 - y * y - z * z);
}

static void spatial_slider_crank_follows_its_closed_form(void **unused)
{
    static const char *const drivers[] = {"motor", NULL};
    (void)unused;
    run_example("spatial-slider-crank", "");
    assert_follows("slider.position.x", spatial_x);
    assert_power_balance(drivers, 1e-5); /* harmonics up to six times 6 rad/s, h = 0.01 s */
    /* initial velocities of the benchmark: slider 0.24 m/s, rod omega (1.92, -0.96, 0.48) */
    lmb_series s = series("rod.angular_velocity");
    static const double expected[] = {1.92, -0.96, 0.48};
    for (int i = 0; i < 3; i++)
        assert_close(s.values[i], expected[i], 1e-10);
    lmb_series_free(&s);
    s = series("slider.velocity.x");
    assert_close(s.values[0], 0.24, 1e-10);
    lmb_series_free(&s);
}

/* --- afterburner: Newton-Euler by hand ---------------------------------------------------------
 */

/* The swing and spin angles with two derivatives. */
static void ride_laws(double t, double beta[3], double gamma[3])
{
    const double A = 2 * LMB_PI / 3, w = LMB_PI / 4, tau = 0.8, speed = LMB_PI / 2;
    double E = exp(-(t - 8) / tau), S = 1 / (1 + E), S1 = S * (1 - S) / tau;
    double S2 = S1 * (1 - 2 * S) / tau;
    beta[0] = A * sin(w * t) * S;
    beta[1] = A * (w * cos(w * t) * S + sin(w * t) * S1);
    beta[2] = A * (-w * w * sin(w * t) * S + 2 * w * cos(w * t) * S1 + sin(w * t) * S2);
    gamma[0] = speed * tau * (log1p(exp((t - 8) / tau)) - log1p(exp(-10)));
    gamma[1] = speed * S;
    gamma[2] = speed * S1;
}

/* J about an axis n (axial) and across: J w */
static vec3 symmetric_inertia(double across, double axial, vec3 n, vec3 w)
{
    return v3_axpy(v3_scale(across, w), (axial - across) * v3_dot(n, w), n);
}

/* d/dt (J w) for a body that is symmetric about n: J alpha + w x J w */
static vec3 spin_up(double across, double axial, vec3 n, vec3 w, vec3 alpha)
{
    return v3_add(symmetric_inertia(across, axial, n, alpha),
                  v3_cross(w, symmetric_inertia(across, axial, n, w)));
}

/* Torques at pivot and bearing from Newton's and Euler's laws, from the outer body inwards. */
static void ride_torques(double t, vec3 *pivot, vec3 *bearing)
{
    const double m1 = 1200, m2 = 5000, L1 = 3.5, L2 = 4.5, d = 0.4;
    double b[3], c[3];
    ride_laws(t, b, c);
    vec3 y = v3(0, 1, 0), up = v3(0, 0, g);
    vec3 n = v3(sin(b[0]), 0, cos(b[0])), e = v3(cos(b[0]), 0, -sin(b[0])); /* n' = beta' e */
    vec3 n2 = v3_axpy(v3_scale(b[2], e), -b[1] * b[1], n);
    vec3 w1 = v3_scale(b[1], y), alpha1 = v3_scale(b[2], y);
    vec3 w2 = v3_axpy(w1, c[1], n);
    vec3 alpha2 = v3_add(v3_axpy(alpha1, c[2], n), v3_cross(w1, v3_scale(c[1], n)));

    /* hub: force of the bearing, then moments about its centre of mass */
    vec3 F2 = v3_scale(m2, v3_axpy(up, -(L1 + L2 + d), n2));
    vec3 H2 = spin_up(9000, 16500, n, w2, alpha2);
    *bearing = v3_sub(H2, v3_cross(v3_scale(d, n), F2));

    /* clapper: the hub pulls back at the bearing */
    vec3 F1 = v3_add(v3_scale(m1, v3_axpy(up, -L1, n2)), F2);
    vec3 H1 = spin_up(6500, 80, n, w1, alpha1);
    vec3 moment = v3_add(H1, *bearing);
    moment = v3_add(moment, v3_cross(v3_scale(-L2, n), F2));
    *pivot = v3_sub(moment, v3_cross(v3_scale(L1, n), F1));
}

static void afterburner_agrees_with_newton_and_euler(void **unused)
{
    (void)unused;
    static const char *const drivers[] = {"swing", "spin", NULL};
    run_example("afterburner", "");
    lmb_series pivot = series("pivot.torque_total"), bearing = series("bearing.torque_total");
    assert_int_equal(pivot.count, 3501);
    double worst = 0;
    for (int i = 0; i < pivot.count; i++) {
        vec3 T1, T2;
        ride_torques(pivot.time[i], &T1, &T2);
        const double *x = pivot.values + 3 * i, *y = bearing.values + 3 * i;
        double size = fmax(1, fmax(v3_norm(T1), v3_norm(T2)));
        worst = fmax(worst, v3_norm(v3_sub(v3(x[0], x[1], x[2]), T1)) / size);
        worst = fmax(worst, v3_norm(v3_sub(v3(y[0], y[1], y[2]), T2)) / size);
    }
    if (worst > 1e-12)
        fail_msg("torques are off by %g", worst);
    assert_close(bearing.values[3 * 2000], -42633.604351971, 1e-10);
    assert_close(pivot.values[3 * 1000], 553.8184830765, 1e-10);
    assert_close(pivot.values[3 * 1000 + 1], -108397.6715729974, 1e-10);
    assert_close(pivot.values[3 * 1000 + 2], -4916.9037966793, 1e-10);
    lmb_series_free(&pivot);
    lmb_series_free(&bearing);
    assert_power_balance(drivers, 1e-6);

    /* the drivers are the laws, and the joint angles follow them over several turns */
    lmb_series law = series("spin.angle"), angle = series("bearing.angle");
    lmb_series rate = series("bearing.angle_velocity"),
               second = series("bearing.angle_acceleration");
    for (int i = 0; i < law.count; i++) {
        double beta[3], gamma[3];
        ride_laws(law.time[i], beta, gamma);
        assert_close(law.values[i], gamma[0], 1e-12);
        assert_close(angle.values[i], gamma[0], 1e-11);
        assert_close(rate.values[i], gamma[1], 1e-11);
        assert_close(second.values[i], gamma[2], 1e-10);
    }
    assert_true(angle.values[3500] > 6 * LMB_PI);
    lmb_series_free(&law);
    lmb_series_free(&angle);
    lmb_series_free(&rate);
    lmb_series_free(&second);
}

/* --- afterburner driven by moments, suspension ------------------------------------------------ */

/* The moments are smooth: what their series leave out falls geometrically. Without a driver the
 * ride is unstable, and whatever error there is grows about fourfold a period of 8 s, so that of
 * the integration (1e-9 a step) becomes a tenth of a degree in nine. */
static void afterburner_rides_on_its_moments(void **unused)
{
    (void)unused;
    static const char *const fewer[] = {"4", "6", "8", "10"};
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        char settings[32];
        snprintf(settings, sizeof settings, "--set n_swing=%s", fewer[i]);
        run_example("afterburner-torque", settings);
        double error = largest("swing_error", 40);
        assert_true(error < before / 10);
        before = error;
    }
    run_example("afterburner-torque", "");
    assert_true(largest("swing_error", 48) < 1e-4);
    assert_true(largest("swing_error", 104) < 0.2);
    assert_true(largest("spin_error", 104) < 1e-4);
}

/* At rest the tyre carries the weight (statics leaves 1e-11 of a typical force), and the motion
 * begins there; the bump comes at 0.5 s. What rk45 adds to the balance of energy is its tolerance
 * times the energy that goes round. */
static void suspension_settles_and_takes_the_bump(void **unused)
{
    (void)unused;
    run_example("suspension", "");
    lmb_series tyre = series("rest/tyre.force.y");
    assert_close(tyre.values[0], (350 + 35 + 5 + 4) * 9.81, 1e-9);
    lmb_series_free(&tyre);
    assert_true(largest("bump/chassis.velocity.y", 0.5) < 1e-8);
    assert_true(largest("bump/comfort", 3) > 0.3);
    lmb_series total = series("energy.total"), in = series("energy.supplied"),
               out = series("energy.dissipated");
    for (int i = 0; i < total.count; i++)
        assert_close(total.values[i] + out.values[i] - in.values[i], total.values[0], 1e-6);
    lmb_series_free(&total);
    lmb_series_free(&in);
    lmb_series_free(&out);
}

/* --- cable break --------------------------------------------------------------------------------
 */

/* The force of the cable is m g (3 cos(theta) - 2 cos(theta0)), the speed follows from the energy;
 * from the rupture on it is a throw. The tolerance of a step is 1e-10 and there are some ten of
 * them; the speed, of several metres a second, multiplies what the instants are off by. */
static void load_flies_when_its_cable_breaks(void **unused)
{
    (void)unused;
    const double mass = 200, cable = 5, H = 8, cos0 = 0.5, tolerance = 1e-8;
    run_example("cable-break", "");
    double c = (3400 / (mass * g) + 2 * cos0) / 3, s = sqrt(1 - c * c);
    double speed = sqrt(2 * g * cable * (c - cos0)), vx = -speed * c, vy = -speed * s;
    double x = cable * s, y = H - cable * c, flight = (vy + sqrt(vy * vy + 2 * g * y)) / g;
    double rupture = last_of("rupture.time"), landing = last_of("landing.time");
    assert_close(landing - rupture, flight, tolerance);
    assert_close(last_of("load.position.x"), x + vx * flight, tolerance);
    assert_close(last_of("load.velocity.x"), vx, tolerance);
    assert_close(last_of("load.velocity.y"), vy - g * flight, tolerance);
    assert_true(fabs(last_of("load.position.y")) < 1e-10);
    assert_true(last_of("pull") == 0 && last_of("rupture.count") == 1);

    /* rows are at the multiples of the output step, and at the landing */
    lmb_series pull = series("pull");
    for (int i = 0; i < pull.count - 1; i++) {
        assert_close(pull.time[i], 0.01 * i, 1e-14);
        assert_true((pull.values[i] == 0) == (pull.time[i] > rupture));
        assert_true(pull.values[i] < 3400);
    }
    assert_true(pull.time[pull.count - 1] == landing);
    lmb_series_free(&pull);

    /* a stronger one holds */
    run_example("cable-break", "--set strength=4000");
    assert_true(isnan(last_of("rupture.time")) && last_of("rupture.count") == 0);
    assert_true(last_of("pull") > 0);
}

/* Simeon's slider-crank: the deflection of the reference at t = 0.1 (tests/analysis/test_simeon.c
 * compares all of it), through a sensor of a modal coordinate. */
static void flexible_slider_crank_bends_as_published(void **unused)
{
    (void)unused;
    run_example("simeon-slider-crank", "");
    assert_close(last_of("deflection") / 1.893192899613509e-4, 1, 1e-6);
    assert_close(last_of("rod.angle"), -0.3311734988256260, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_rod_follows_its_closed_form),
        cmocka_unit_test(slider_crank_follows_its_closed_form),
        cmocka_unit_test(four_bar_follows_its_closed_form),
        cmocka_unit_test(quick_return_follows_its_closed_form),
        cmocka_unit_test(spatial_slider_crank_follows_its_closed_form),
        cmocka_unit_test(afterburner_agrees_with_newton_and_euler),
        cmocka_unit_test(afterburner_rides_on_its_moments),
        cmocka_unit_test(suspension_settles_and_takes_the_bump),
        cmocka_unit_test(load_flies_when_its_cable_breaks),
        cmocka_unit_test(flexible_slider_crank_bends_as_published),
    };
    return cmocka_run_group_tests(tests, open_results, close_results);
}
