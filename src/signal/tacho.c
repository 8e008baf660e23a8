/* Turns of a shaft from pulses; see tacho.h. */
#include "signal/tacho.h"

#include <limits.h>
#include <math.h>

#include "math/table.h"

size_t lmb_pulses(size_t n, const double *x, size_t most, double *places)
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
            if (count < most)
                places[count] = crossed;
            count++;
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
