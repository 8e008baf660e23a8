/* Fault frequencies of bearings: the source's example, rolling without slip, published factors. */
#include "support.h"

#include <math.h>

#include "signal/bearing.h"
#include "math/vec.h"

/* The offset rotor of the lecture notes: 18 and 24 mm, 8 balls, 1000 turns a minute. 7.14 and so on
 * are 50/7 = 7.142857 and so on. */
static void the_example_of_the_source(void **state)
{
    (void)state;
    lmb_bearing b = lmb_bearing_between(0.018, 0.024, 8, 0);
    lmb_bearing_lines l = lmb_bearing_find_lines(&b, 1000.0 / 60);
    assert_close(b.pitch, 0.021, 1e-15);
    assert_close(b.ball, 0.003, 1e-15);
    assert_close(l.cage, 50.0 / 7, 1e-13);
    assert_close(l.inner, 1600.0 / 21, 1e-13);
    assert_close(l.outer, 400.0 / 7, 1e-13);
    assert_close(l.spin, 400.0 / 7, 1e-13);
    assert_close(l.rolling_element, 800.0 / 7, 1e-13);
    assert_close(l.sampling_limit, 1600.0 / 7, 1e-13);
    assert_close(l.sampling_advice, 2.56 * 800.0 / 7, 1e-13);
}

/* SKF 6205-2RS of the Case Western Reserve bearing data centre, which prints the factors of the
 * shaft's frequency: 5.4152, 3.5848, 0.39828, 4.7135. The diameters, in inches, have four digits,
 * so that d / D = 0.2034 is known to 3.6e-5. */
static void published_factors(void **state)
{
    (void)state;
    lmb_bearing b = {1.537, 0.3126, 9, 0, false};
    lmb_bearing_lines l = lmb_bearing_find_lines(&b, 1);
    const double error = 3.6e-5 + 5e-6; /* with the rounding of the printed factors */
    assert_true(fabs(l.inner - 5.4152) < 4.5 * error);
    assert_true(fabs(l.outer - 3.5848) < 4.5 * error);
    assert_true(fabs(l.cage - 0.3983) < 5e-5);                  /* a ninth of 3.5848 is 0.39831 */
    assert_true(fabs(l.rolling_element - 4.7135) < 26 * error); /* 1 / r - r changes by 1 / r^2 */
}

/* Rolling: at the contact angle the inner race turns with radius (D - d cos) / 2, the outer one is
 * at rest; the centre of a ball moves with half the speed of the inner contact, and the ball turns
 * so that its point at the outer race is at rest. */
static void rolling_without_slip(void **state)
{
    (void)state;
    for (double angle = 0; angle < 1.5; angle += 0.3) {
        lmb_bearing b = {.pitch = 0.06, .ball = 0.011, .balls = 11, .angle = angle};
        lmb_bearing_lines l = lmb_bearing_find_lines(&b, 29);
        double inner_radius = (b.pitch - b.ball * cos(angle)) / 2;
        double outer_radius = (b.pitch + b.ball * cos(angle)) / 2;
        assert_close(2 * l.cage * b.pitch / 2, 29 * inner_radius, 1e-13);
        assert_close(l.outer, b.balls * l.cage, 1e-13);
        assert_close(l.inner, b.balls * (29 - l.cage), 1e-13);
        /* on the cage: the outer race goes back with the cage's frequency */
        assert_close(l.spin * b.ball / 2, l.cage * outer_radius, 1e-13);
        /* the outer race turns: the centre of a ball has half the speed of the outer contact */
        b.outer_turns = true;
        lmb_bearing_lines other = lmb_bearing_find_lines(&b, 29);
        assert_close(2 * other.cage * b.pitch / 2, 29 * outer_radius, 1e-13);
        assert_close(other.outer, b.balls * (29 - other.cage), 1e-13);
        assert_close(other.inner, b.balls * other.cage, 1e-13);
        assert_close(other.spin * b.ball / 2, other.cage * inner_radius, 1e-13);
        assert_close(l.highest, fmax(l.inner, fmax(l.rolling_element, 87)), 0);
    }
}

static void impossible_bearings(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    const lmb_bearing wrong[] = {{1, 0, 8, 0, false},    {1, 1, 8, 0, false},
                                 {1, -0.1, 8, 0, false}, {NAN, 0.1, 8, 0, false},
                                 {1, 0.1, 1, 0, false},  {1, 0.1, 8, LMB_PI / 2, false}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lmb_bearing_check(c, &wrong[i]), LMB_USAGE);
    assert_int_equal(lmb_bearing_check(c, &(lmb_bearing){1, 0.1, 8, 0.3, false}), LMB_OK);
    lmb_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_source),
        cmocka_unit_test(published_factors),
        cmocka_unit_test(rolling_without_slip),
        cmocka_unit_test(impossible_bearings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
