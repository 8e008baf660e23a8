/* Units as texts: what one value in a unit is in another. */
#include "support.h"

#include "measure/unit_text.h"
#include "math/vec.h"

static void units_are_converted(void **state)
{
    (void)state;
    /* factors that are whole over whole come out to the last bit, others within two roundings */
    static const struct {
        const char *from, *to;
        double value, expected;
    } pairs[] = {
        {"mm", "m", 12.3, 12.3 / 1000},
        {"cm", "m", 1, 0.01},
        {"\xc2\xb5m", "m", 3, 3e-6},
        {"\xce\xbcm", "m", 3, 3e-6},
        {"mil", "m", 1, 25.4e-6},
        {"deg", "rad", 180, LMB_PI},
        {"Grad", "rad", 90, LMB_PI / 2},
        {"\xc2\xb0", "rad", 360, 2 * LMB_PI},
        {"\xc2\xb0/s", "rad/s", 180, LMB_PI},
        {"gon", "rad", 200, LMB_PI},
        {"rpm", "rad/s", 60, 2 * LMB_PI},
        {"RPM", "rad/s", 60, 2 * LMB_PI},
        {"U/min", "rad/s", 30, LMB_PI},
        {"1/min", "rad/s", 30, LMB_PI},
        {"min^-1", "rad/s", 30, LMB_PI},
        {"min-1", "rad/s", 30, LMB_PI},
        {"Hz", "rad/s", 1, 2 * LMB_PI},
        {"rad/s", "Hz", 2 * LMB_PI, 1},
        {"mm/s2", "m/s^2", 1500, 1.5},
        {"mm/s\xc2\xb2", "m/s^2", 1500, 1.5},
        {"m/s/s", "m/s^2", 2, 2},
        {"cm s^-2", "m/s^2", 100, 1},
        {"g", "m/s^2", 2, 19.6133},
        {"mg", "m/s^2", 1000, 9.80665},
        {"G", "m/s^2", 2, 19.6133},
        {"gn", "m/s^2", 2, 19.6133},
        {"g_n", "m/s^2", 2, 19.6133},
        {"g0", "m/s^2", 2, 19.6133},
        {"mm/s**2", "m/s^2", 1000, 1},
        {"m/s/s", "m/s^2", 3, 3},
        {"g", "kg", 500, 0.5},
        {"km/h", "m/s", 36, 10},
        {"kN", "N", 1.5, 1500},
        {"daN", "N", 2, 20},
        {"lbf", "N", 1, 4.4482216152605},
        {"Nm", "N m", 2, 2},
        {"N*m", "N m", 2, 2},
        {"N\xc2\xb7m", "N m", 2, 2},
        {"kNm", "N m", 2, 2000},
        {"N mm", "N m", 2000, 2},
        {"N/mm^2", "Pa", 3, 3e6},
        {"MPa", "Pa", 3, 3e6},
        {"psi", "Pa", 1, 6894.757293168361},
        {"bar", "Pa", 2, 2e5},
        {"kW", "W", 2, 2000},
        {"um/m", "", 500, 5e-4},
        {"%", "", 5, 0.05},
        {"ms", "s", 250, 0.25},
        {"msec", "s", 250, 0.25},
        {"", "rad", 7, 7},
        {"m\xc2\xb7\xe2\x88\x9akg", "m\xc2\xb7\xe2\x88\x9akg", 7, 7},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        lmb_ratio f;
        if (!lmb_unit_convert(pairs[i].from, pairs[i].to, &f))
            fail_msg("'%s' is not understood as '%s'", pairs[i].from, pairs[i].to);
        double value = pairs[i].value * f.over / f.under;
        if (!(fabs(value / pairs[i].expected - 1) < 1e-15))
            fail_msg("%g '%s' are %.17g '%s'", pairs[i].value, pairs[i].from, value, pairs[i].to);
    }
}

static void other_units(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } pairs[] = {{"mV", "rad"},
                 {"mm", "rad"},
                 {"m/s", "m/s^2"},
                 {"g", "rad"},
                 {"G", "kg"},
                 {"1/s", "rad/s"},
                 {"EU", "m"},
                 {"\xc2\xb0"
                  "C",
                  "rad"},
                 {"mm", ""},
                 {"mm", "m\xc2\xb7\xe2\x88\x9akg"},
                 {"/", "m"},
                 {"m/", "m"},
                 {"m//s", "m/s"},
                 {"12", ""},
                 {"m-", "m"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        lmb_ratio f;
        if (lmb_unit_convert(pairs[i].from, pairs[i].to, &f))
            fail_msg("'%s' and '%s'", pairs[i].from, pairs[i].to);
        assert_close(f.over / f.under, 1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(other_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
