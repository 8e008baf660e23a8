/* Bearings of rotors: strong dampers, soft and stiff springs, none at all. */
#include "support.h"

#include <math.h>

#include "rotor/results.h"
#include "models.h"
#include "rotors.h"

#define PI 3.14159265358979323846

/* Damping of bearings moves critical speeds far. Each damped one is a speed at which a whirl has
 * the frequency of rotation, and belongs to one undamped critical speed alone. The first ones are
 * those of an independent program, which finds them by counting frequencies below the speed. */
static void test_strong_dampers(void **unused)
{
    (void)unused;
    enum { COUNT = 8 };
    static const double rpm[] = {4265.91,  4716.50,  10209.45, 11801.03,
                                 12184.60, 13785.03, 17327.77};
    open_rotor("  shaft: [{length: 1.2, diameter: 0.12}, {start: 1.3, length: 1, diameter: 0.1}]\n"
               "  discs:\n"
               "    hp: {at: 0.4, mass: 120, polar: 6, diametral: 3.2}\n"
               "    lp: {at: 0.8, mass: 150, polar: 9, diametral: 4.9}\n"
               "  bearings:\n"
               "    b1: {at: 0.05, stiffness: [2e8, 1e8], damping: 1e5}\n"
               "    b2: {at: 1.15, stiffness: [2e8, 1e8], damping: 1e5}\n"
               "    b3: {at: 1.35, stiffness: [1e8, 8e7], damping: 5e4}\n"
               "    b4: {at: 2.25, stiffness: [1e8, 8e7], damping: 5e4}\n"
               "  couplings: {flex: {between: [1.2, 1.3], stiffness: 1e7, turning_stiffness: 5e4, "
               "mass: 10}}\n");
    lmb_critical_list list;
    assert_ok(lmb_find_criticals(s, arena, COUNT, 1, &list));
    assert_int_equal(list.count, COUNT);
    for (size_t i = 0; i < sizeof rpm / sizeof *rpm; i++)
        check_value(list.of[i].damped * 30 / PI / rpm[i], 1, 1e-4);
    for (int i = 0; i < COUNT; i++) {
        const lmb_critical *c = &list.of[i];
        for (int k = 0; k < i; k++)
            assert_false(fabs(c->damped - list.of[k].damped) < 1e-6 * c->damped);
        lmb_whirl_list at = whirls(c->damped, 12);
        double off = INFINITY, decrement = NAN;
        for (int m = 0; m < at.count; m++)
            if (fabs(at.modes[m].frequency - c->damped) < off) {
                off = fabs(at.modes[m].frequency - c->damped);
                decrement = at.modes[m].decrement;
            }
        check_value(off, 0, 1e-6 * c->damped);
        check_value(decrement / c->decrement, 1, 1e-5);
    }
    close_rotor();
}

static const char fan[] = "  shaft: [{length: 1.1, diameter: 0.07}]\n"
                          "  discs:\n"
                          "    fan: {at: 1.1, mass: 60, polar: 5, diametral: 2.6}\n"
                          "    pulley: {at: 0, mass: 8, polar: 0.05}\n"
                          "  probes: {a: {at: 0.15}, b: {at: 0.8}}\n";

/* Springs that hardly give way are as good as none that does. */
static void test_stiff_bearings(void **unused)
{
    (void)unused;
    double pinned[8];
    for (int i = 0; i < 3; i++) {
        open_rotor("%s  bearings: {drive: {at: 0.15, %s}, free: {at: 0.8, %s}}\n", fan,
                   i == 0   ? "type: pinned"
                   : i == 1 ? "stiffness: 1e17"
                            : "stiffness: 1e20",
                   i == 0   ? "type: pinned"
                   : i == 1 ? "stiffness: 1e17"
                            : "stiffness: 1e20");
        lmb_whirl_list list = whirls(155, 8);
        assert_int_equal(list.count, 8);
        for (int k = 0; k < 8; k++) {
            if (i == 0)
                pinned[k] = list.modes[k].frequency;
            check_value(list.modes[k].frequency / pinned[k], 1, 1e-6);
        }
        close_rotor();
    }
}

/* Soft springs, with dampers or without, leave the shaft to bend as if it were free, and a free
 * shaft does not count as unstable. */
static void test_soft_bearings(void **unused)
{
    (void)unused;
    double bending[4];
    open_rotor("%s", fan);
    lmb_whirl_list list = whirls(155, 8);
    assert_true(list.growth == 0);
    /* the first is the tumbling of a rigid top */
    for (int k = 0; k < 4; k++)
        bending[k] = list.modes[k + 1].frequency;
    close_rotor();
    for (int i = 0; i < 2; i++) {
        open_rotor("%s  bearings: {drive: {at: 0.15, stiffness: %s}, free: {at: 0.8, stiffness: "
                   "%s}}\n",
                   fan, i ? "100, damping: 2" : "1", i ? "100, damping: 2" : "1");
        list = whirls(155, 8);
        assert_int_equal(list.count, 8);
        for (int k = 0; k < 4; k++)
            check_value(list.modes[k + 4].frequency / bending[k], 1, 1e-4);
        close_rotor();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strong_dampers),
        cmocka_unit_test(test_stiff_bearings),
        cmocka_unit_test(test_soft_bearings),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
