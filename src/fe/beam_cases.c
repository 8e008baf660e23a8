/* Beams of Euler and Bernoulli under one force; see beam_cases.h.
 *
 * With <x> = x where it is positive and 0 elsewhere, E I w'''' = q is solved by
 *
 *   E I w(x) = c1 x + M0 x^2/2 - R0 x^3/6 - RL <x - L>^3/6 + P <x - s>^3/6,
 *
 * w downwards, s the place of the force; c1 / (E I) is the slope at x = 0, R0 and RL are the forces
 * of the supports and M0 the moment of a fixed end. What w and its slope are at the other end gives
 * c1, R0 and M0 in each case. */
#include "fe/beam_cases.h"

#include <math.h>

const lmb_beam_type lmb_beam_types[LMB_BEAM_CASES] = {
    {"simple", "supports at both ends, force at a", "P a^2 b^2 / (3 E I L)", "P L^3 / (48 E I)",
     "P a b (L + b) / (6 E I L)", "-P a b (L + a) / (6 E I L)", "3 E I L / (a^2 b^2)",
     "48 E I / L^3"},
    {"fixed", "both ends fixed, force at a", "P a^3 b^3 / (3 E I L^3)", "P L^3 / (192 E I)", "0",
     "0", "3 E I L^3 / (a^3 b^3)", "192 E I / L^3"},
    {"propped", "a support at x = 0, the other end fixed, force at a from the support",
     "P a^2 b^3 (3 L + a) / (12 E I L^3)", "7 P L^3 / (768 E I)", "P a b^2 / (4 E I L)", "0",
     "12 E I L^3 / (a^2 b^3 (3 L + a))", "768 E I / (7 L^3)"},
    {"cantilever", "fixed at x = 0, the other end free, force at a", "P a^3 / (3 E I)", NULL, "0",
     "P a^2 / (2 E I)", "3 E I / a^3", NULL},
    {"overhang", "supports at 0 and L, force at a behind L", "P a^2 (L + a) / (3 E I)", NULL,
     "-P a L / (6 E I)", "P a L / (3 E I)", "3 E I / (a^2 (L + a))", NULL},
};

lmb_status lmb_beam_check(lmb_context *context, const lmb_beam *b)
{
    bool between = b->kind == LMB_BEAM_CANTILEVER ? b->at <= b->length : b->at < b->length;
    if (!(b->length > 0) || !isfinite(b->length))
        return lmb_fail(context, LMB_USAGE, "the length of a beam must be positive, not %g",
                        b->length);
    if (!(b->at > 0) || !isfinite(b->at) || (b->kind != LMB_BEAM_OVERHANG && !between))
        return lmb_fail(context, LMB_USAGE, "the force must act between the ends, not at %g",
                        b->at);
    if (!(b->stiffness > 0) || !isfinite(b->stiffness))
        return lmb_fail(context, LMB_USAGE, "E I must be positive, not %g", b->stiffness);
    return LMB_OK;
}

double lmb_beam_force_place(const lmb_beam *b)
{
    return b->kind == LMB_BEAM_OVERHANG ? b->length + b->at : b->at;
}

double lmb_beam_end(const lmb_beam *b)
{
    return b->kind == LMB_BEAM_OVERHANG ? b->length + b->at : b->length;
}

lmb_beam_support lmb_beam_find_support(const lmb_beam *beam)
{
    double L = beam->length, a = beam->at, b = L - a, P = beam->force;
    const lmb_beam_support all[LMB_BEAM_CASES] = {
        [LMB_BEAM_SIMPLE] = {.force0 = P * b / L},
        [LMB_BEAM_FIXED] = {.force0 = P * b * b * (3 * a + b) / (L * L * L),
                            .moment0 = P * a * b * b / (L * L),
                            .moment_L = P * a * a * b / (L * L)},
        [LMB_BEAM_PROPPED] = {.force0 = P * b * b * (a + 2 * L) / (2 * L * L * L),
                              .moment_L = P * a * b * (a + L) / (2 * L * L)},
        [LMB_BEAM_CANTILEVER] = {.force0 = P, .moment0 = P * a},
        [LMB_BEAM_OVERHANG] = {.force0 = -P * a / L}};
    lmb_beam_support s = all[beam->kind];
    s.force_L = P - s.force0;
    return s;
}

void lmb_beam_at(const lmb_beam *beam, double x, double *deflection, double *slope)
{
    lmb_beam_support s = lmb_beam_find_support(beam);
    double L = beam->length, place = lmb_beam_force_place(beam);
    double past = fmax(x - place, 0), behind = fmax(x - L, 0), left = fmax(L - place, 0), c1 = 0;
    if (beam->kind == LMB_BEAM_SIMPLE || beam->kind == LMB_BEAM_PROPPED ||
        beam->kind == LMB_BEAM_OVERHANG)
        c1 = s.force0 * L * L / 6 - beam->force * left * left * left / (6 * L); /* w(L) = 0 */
    if (deflection)
        *deflection =
            (c1 * x + s.moment0 * x * x / 2 - s.force0 * x * x * x / 6 -
             s.force_L * behind * behind * behind / 6 + beam->force * past * past * past / 6) /
            beam->stiffness;
    if (slope)
        *slope = (c1 + s.moment0 * x - s.force0 * x * x / 2 - s.force_L * behind * behind / 2 +
                  beam->force * past * past / 2) /
                 beam->stiffness;
}

static double slope_at(const lmb_beam *beam, double x)
{
    double slope;
    lmb_beam_at(beam, x, NULL, &slope);
    return slope;
}

double lmb_beam_extreme(const lmb_beam *beam, double from, double to)
{
    enum { STEPS = 64 };
    for (int i = 1; i + 1 < STEPS; i++) {
        /* the slope changes its sign once at most, away from ends at which it vanishes */
        double low = from + (to - from) * i / STEPS, high = from + (to - from) * (i + 1) / STEPS;
        double at_low = slope_at(beam, low);
        if (at_low == 0)
            return low;
        if ((at_low > 0) == (slope_at(beam, high) > 0))
            continue;
        for (int k = 0; k < 60; k++) {
            double half = (low + high) / 2;
            *((slope_at(beam, half) > 0) == (at_low > 0) ? &low : &high) = half;
        }
        return (low + high) / 2;
    }
    return NAN;
}

double lmb_beam_largest(const lmb_beam *beam)
{
    double places[] = {lmb_beam_extreme(beam, 0, beam->length), lmb_beam_end(beam),
                       lmb_beam_force_place(beam)};
    double best = 0, largest = -1;
    for (int i = 0; i < 3; i++) {
        double w = 0; /* NAN where there is no such place */
        lmb_beam_at(beam, places[i], &w, NULL);
        if (fabs(w) > largest) {
            largest = fabs(w);
            best = places[i];
        }
    }
    return best;
}

double lmb_beam_spring(const lmb_beam *beam)
{
    double deflection;
    lmb_beam_at(beam, lmb_beam_force_place(beam), &deflection, NULL);
    return beam->force / deflection;
}

/* Whether the formulas for a force in the middle hold. */
static bool in_middle(const lmb_beam *beam)
{
    return lmb_beam_types[beam->kind].middle && beam->at == beam->length / 2;
}

const char *lmb_beam_deflection_formula(const lmb_beam *beam)
{
    const lmb_beam_type *type = &lmb_beam_types[beam->kind];
    return in_middle(beam) ? type->middle : type->deflection;
}

const char *lmb_beam_stiffness_formula(const lmb_beam *beam)
{
    const lmb_beam_type *type = &lmb_beam_types[beam->kind];
    return in_middle(beam) ? type->middle_stiffness : type->stiffness;
}
