/* The point-on-plane joint: motions and reactions in closed form.
 *
 * rk45 keeps the error of a step below 1e-9 of the size; a few hundred steps make less than 1e-6 of
 * it. Joints close to 1e-11. */
#include <math.h>
#include <string.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "support.h"

static lmb_result *result;

static void run_model(const char *text, int dof)
{
    lmb_mobility counts;
    lmb_model *m = model_of_text(text);
    assert_ok(lmb_check(context, m, &counts));
    assert_int_equal(counts.free, dof);
    assert_int_equal(counts.redundant, 0);
    assert_ok(lmb_run(context, m, NULL, scratch_path("plane.h5")));
    assert_ok(lmb_result_open(&result, context, scratch_path("plane.h5")));
    lmb_model_free(m);
}

/* A number of a channel at an instant. */
static double at(const char *channel, int instant)
{
    lmb_series s;
    assert_ok(lmb_result_read(result, context, channel, &s));
    assert_int_equal(s.size, 1);
    double x = s.values[instant];
    lmb_series_free(&s);
    return x;
}

/* A ball on a plane inclined by 0.3 rad, normal n, thrown across: a = g - (g . n) n, and the plane
 * carries -m (g . n) n = m g cos(0.3) n. */
static void a_ball_on_an_incline(void **unused)
{
    (void)unused;
    const double slope = 0.3, g = 9.81, n[3] = {-sin(slope), 0, cos(slope)};
    run_model(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {b: 0.3}\n"
        "bodies: {ball: {type: particle, mass: 2, position: [0.1*cos(b), 0.2, 0.1*sin(b)], "
        "velocity: [cos(b), 3, sin(b)]}}\n"
        "joints: {incline: {type: point-on-plane, between: [ground, ball], axis: [-sin(b), 0, "
        "cos(b)]}}\n"
        "analyses: {slide: {type: dynamics, duration: 1, output_step: 0.25}}\n",
        2);
    for (int i = 0; i <= 4; i++) {
        double t = 0.25 * i, along = 0.1 + t - g * sin(slope) * t * t / 2;
        assert_close(at("ball.position.x", i), along * cos(slope), 1e-6);
        assert_close(at("ball.position.y", i), 0.2 + 3 * t, 1e-6);
        assert_close(at("ball.position.z", i), along * sin(slope), 1e-6);
        assert_close(at("incline.force.x", i), 2 * g * cos(slope) * n[0], 1e-9);
        assert_close(at("incline.force.y", i), 0, 1e-9);
        assert_close(at("incline.force.z", i), 2 * g * cos(slope) * n[2], 1e-9);
        /* the distance from where the normal meets the plane below the origin */
        double e1 = at("incline.offset", i), e2 = at("incline.offset_2", i);
        assert_close(hypot(e1, e2), hypot(along, 0.2 + 3 * t), 1e-6);
    }
    lmb_result_close(result);
}

/* A rod of length 1 whose lower end slides on a smooth floor falls from an angle of 0.5 rad to the
 * vertical. Its centre goes straight down, y = cos(theta)/2, and by energy
 *   theta'^2 = 12 g (cos 0.5 - cos theta) / (1 + 3 sin^2 theta),  N = m (g + y'')
 *   y'' = -(cos(theta) theta'^2 + sin(theta) theta'')/2,
 *   theta'' = (6 g sin(theta) - 3 sin(theta) cos(theta) theta'^2) / (1 + 3 sin^2 theta). */
static void a_rod_that_slides_on_the_floor(void **unused)
{
    (void)unused;
    const double g = 9.81, m = 3;
    run_model("limber: 1\ndimension: 3\ngravity: [0, -9.81, 0]\nparameters: {a: 0.5}\n"
              "bodies: {rod: {mass: 3, inertia: [3/12, 1e-3, 3/12], position: [0, 0.5*cos(a), 0], "
              "rotation: [0, 0, -a], points: {foot: [0, -0.5, 0]}}}\n"
              "joints: {floor: {type: point-on-plane, between: [ground, rod.foot], axis: [0, 1, "
              "0]}}\n"
              "analyses: {fall: {type: dynamics, duration: 0.3, output_step: 0.1}}\n",
              5);
    for (int i = 0; i <= 3; i++) {
        double y = at("rod.position.y", i), theta = acos(2 * y), s = sin(theta), c = cos(theta);
        double rate = -at("rod.angular_velocity.z", i), square = rate * rate;
        assert_close(square, 12 * g * (cos(0.5) - c) / (1 + 3 * s * s), 1e-6);
        double second = (6 * g * s - 3 * s * c * square) / (1 + 3 * s * s);
        assert_close(at("floor.force.y", i), m * (g - (c * square + s * second) / 2), 1e-5);
        assert_close(at("floor.force.x", i), 0, 1e-9);
        assert_close(at("rod.position.x", i), 0, 1e-9);
        assert_close(at("rod.foot.position.y", i), 0, 1e-11);
        assert_close(fabs(at("rod.foot.position.x", i)), s / 2, 1e-6);
    }
    lmb_result_close(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_an_incline),
        cmocka_unit_test(a_rod_that_slides_on_the_floor),
    };
    return cmocka_run_group_tests_name("points on planes", tests, open_models, close_models);
}
