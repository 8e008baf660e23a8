/* Reading the options that describe a bearing. */
#include "cli/bearing_options.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cli/options.h"
#include "math/vec.h"

enum { INNER, OUTER, PITCH, BALL, BALLS, ANGLE, COUNT };
static const char *const names[COUNT] = {"--inner", "--outer", "--pitch",
                                         "--ball",  "--balls", "--angle"};

lmb_status lmb_typed_shaft(const lmb_arguments *a, double *shaft)
{
    double rpm = 0;
    bool given;
    lmb_status status = lmb_typed_option(a, "--rpm", &rpm, &given);
    if (!status && given && !(rpm > 0))
        status = lmb_fail(a->context, LMB_USAGE, "--rpm needs a positive number, not %s",
                          lmb_option_value(a, "--rpm"));
    *shaft = rpm / 60;
    return status;
}

lmb_status lmb_typed_bearing(const lmb_arguments *a, lmb_bearing *bearing, bool *given)
{
    double value[COUNT] = {0};
    bool has[COUNT];
    *given = false;
    for (int i = 0; i < COUNT; i++) {
        lmb_status status = lmb_typed_option(a, names[i], &value[i], &has[i]);
        if (status)
            return status;
        *given = *given || has[i];
    }
    const char *race = lmb_option_value(a, "--rotating");
    if (race && strcmp(race, "inner") != 0 && strcmp(race, "outer") != 0)
        return lmb_fail(a->context, LMB_USAGE, "--rotating needs inner or outer, not '%s'", race);
    if (!*given)
        return LMB_OK;
    bool races = has[INNER] && has[OUTER], circle = has[PITCH] && has[BALL];
    if (races == circle || (races && (has[PITCH] || has[BALL])) ||
        (circle && (has[INNER] || has[OUTER])))
        return lmb_fail(a->context, LMB_USAGE,
                        "give --inner and --outer, or --pitch and --ball: two diameters");
    if (!has[BALLS] || value[BALLS] != floor(value[BALLS]) || fabs(value[BALLS]) > 1e6)
        return lmb_fail(a->context, LMB_USAGE, "--balls needs a whole number");
    double angle = value[ANGLE] * LMB_PI / 180;
    *bearing = races ? lmb_bearing_between(value[INNER], value[OUTER], (int)value[BALLS], angle)
                     : (lmb_bearing){value[PITCH], value[BALL], (int)value[BALLS], angle, false};
    bearing->outer_turns = race && strcmp(race, "outer") == 0;
    return lmb_bearing_check(a->context, bearing);
}
