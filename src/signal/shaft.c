/* Turns of a shaft and records over its angle; see signal.h. Values between instants come by the
 * kernel sin(pi u) / (pi u) times a Blackman window over |u| < 16; its sum is made one, so that a
 * constant stays one. */
#include "signal/signal.h"

#include <limits.h>
#include <math.h>

#include "math/table.h"
#include "math/vec.h"

enum { HALF = 16 };

double lmb_sinc_value(size_t n, const double *x, double place)
{
    long middle = lround(place);
    double near = place - (double)middle, value = 0, weights = 0, s = sin(LMB_PI * near);
    if (fabs(near) < 1e-12 && middle >= 0 && middle < (long)n)
        return x[middle];
    for (long j = middle - HALF; j <= middle + HALF; j++) {
        double u = place - (double)j;
        if (j < 0 || j >= (long)n || fabs(u) >= HALF)
            continue;
        /* sin(pi u) is that of the nearest place, with a sign */
        double sinc = ((middle - j) % 2 ? -s : s) / (LMB_PI * u);
        double angle = LMB_PI * u / HALF;
        double w = sinc * (0.42 + 0.5 * cos(angle) + 0.08 * cos(2 * angle));
        value += w * x[j];
        weights += w;
    }
    return weights != 0 ? value / weights : 0;
}

void lmb_turns(size_t n, const double *frequency, double rate, double *turns)
{
    for (size_t i = 0; i < n; i++)
        turns[i] = i == 0 ? 0 : turns[i - 1] + (frequency[i - 1] + frequency[i]) / (2 * rate);
}

void lmb_angle_record(size_t n, const double *x, const double *turns, double per_turn, size_t count,
                      double *out)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        double turn = turns[0] + (double)i / per_turn;
        while (at + 2 < n && turns[at + 1] <= turn)
            at++;
        double step = turns[at + 1] - turns[at], part = step > 0 ? (turn - turns[at]) / step : 0;
        out[i] = lmb_sinc_value(n, x, (double)at + fmin(fmax(part, 0), 1));
    }
}

/* --- pulses ----------------------------------------------------------------------------------- */

size_t lmb_pulses(size_t n, const double *x, double *places)
{
    double least = INFINITY, top = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, x[i]);
        top = fmax(top, x[i]);
    }
    double middle = (least + top) / 2, margin = (top - least) / 10, crossed = 0;
    size_t count = 0;
    bool low = false, through = false;
    for (size_t i = 0; i < n && top > least; i++) {
        /* the last time that the middle was crossed after having been low counts once high */
        if (x[i] < middle - margin) {
            low = true;
            through = false;
        }
        if (low && i > 0 && x[i - 1] < middle && x[i] >= middle) {
            crossed = (double)(i - 1) + (middle - x[i - 1]) / (x[i] - x[i - 1]);
            through = true;
        }
        if (low && through && x[i] > middle + margin) {
            places[count++] = crossed;
            low = through = false;
        }
    }
    return count;
}

double lmb_pulse_gap(size_t count, const double *places, double *where)
{
    double worst = 0;
    for (size_t i = 1; i < count && count > 3; i++) {
        double before = i > 1 ? places[i - 1] - places[i - 2] : 0;
        double after = i + 1 < count ? places[i + 1] - places[i] : 0;
        double mean = before > 0 && after > 0 ? (before + after) / 2 : fmax(before, after);
        double ratio = (places[i] - places[i - 1]) / mean;
        if (ratio > worst) {
            worst = ratio;
            *where = places[i];
        }
    }
    return worst;
}

bool lmb_pulse_turns(lmb_arena *arena, size_t count, const double *places, double per_turn,
                     double rate, size_t first, size_t last, double *turns, double *frequency)
{
    double *number = lmb_arena_numbers(arena, count);
    for (size_t i = 0; number && i < count; i++)
        number[i] = (double)i / per_turn;
    lmb_table *table =
        number && count <= INT_MAX
            ? lmb_table_new(arena, LMB_TABLE_CUBIC, LMB_TABLE_EXTEND, (int)count, places, number)
            : NULL;
    for (size_t i = first; table && i <= last; i++) {
        double out[3];
        lmb_table_evaluate(table, (double)i, out);
        turns[i - first] = out[0];
        frequency[i - first] = out[1] * rate;
    }
    return table != NULL;
}
