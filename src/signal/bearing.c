/* Kinematics of a rolling bearing without slip; see bearing.h. With the pitch diameter D, N balls
 * of diameter d, the contact angle beta, the shaft's frequency f and r = d / D cos(beta):
 *
 *   cage             f / 2 (1 - r)
 *   outer race       N f / 2 (1 - r)
 *   inner race       N f / 2 (1 + r)
 *   ball spin        f D / (2 d) (1 - r^2)
 *   rolling element  twice the spin: its spot meets both races
 *
 * Only the speed between the races matters to balls that pass and turn; the cage of an outer race
 * that turns has the frequency f / 2 (1 + r).
 *
 * A line shows in a record whose sampling rate is above twice its frequency; 2.56 times is what
 * analysers take, so that the filter before the sampling has room to fall. */
#include "signal/bearing.h"

#include <math.h>

#include "math/vec.h"

const char *const lmb_shaft_faults[LMB_SHAFT_FAULTS] = {"imbalance", "misalignment",
                                                        "bent or cracked shaft"};

lmb_bearing lmb_bearing_between(double inner, double outer, int balls, double angle)
{
    return (lmb_bearing){(outer + inner) / 2, (outer - inner) / 2, balls, angle, false};
}

lmb_status lmb_bearing_check(lmb_context *context, const lmb_bearing *b)
{
    if (!(b->ball > 0) || !(b->pitch > b->ball)) {
        lmb_fail(context, LMB_USAGE,
                 "balls of diameter %g do not run on a circle of diameter %g: both must be "
                 "positive, and the circle the larger",
                 b->ball, b->pitch);
        return lmb_hint(context, "the outer diameter is larger than the inner one");
    }
    if (b->balls < 2)
        return lmb_fail(context, LMB_USAGE, "a bearing has at least two rolling elements, not %d",
                        b->balls);
    if (b->balls * asin(b->ball / b->pitch) > LMB_PI * (1 + 1e-9)) {
        lmb_fail(context, LMB_USAGE,
                 "%d balls of diameter %g do not fit on a circle of diameter %g, only %d", b->balls,
                 b->ball, b->pitch, (int)(LMB_PI / asin(b->ball / b->pitch)));
        return lmb_hint(context,
                        "the diameters are those on which the balls run, not bore and outside; "
                        "of several rows of balls, count one");
    }
    if (!(fabs(b->angle) < LMB_PI / 2))
        return lmb_fail(context, LMB_USAGE, "the contact angle must be below 90 degrees");
    return LMB_OK;
}

lmb_bearing_lines lmb_bearing_find_lines(const lmb_bearing *b, double shaft)
{
    double r = b->ball / b->pitch * cos(b->angle);
    lmb_bearing_lines l = {.shaft = shaft, .outer_turns = b->outer_turns};
    double slow = shaft / 2 * (1 - r); /* the cage, where the inner race turns */
    l.cage = b->outer_turns ? shaft - slow : slow;
    l.outer = b->balls * slow;
    l.inner = b->balls * shaft / 2 * (1 + r);
    l.spin = shaft * b->pitch / (2 * b->ball) * (1 - r * r);
    l.rolling_element = 2 * l.spin;
    l.highest = fmax(fmax(l.inner, l.rolling_element), LMB_SHAFT_FAULTS * shaft);
    l.sampling_limit = 2 * l.highest;
    l.sampling_advice = 2.56 * l.highest;
    return l;
}
