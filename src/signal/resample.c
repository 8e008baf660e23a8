/* Resampling; see resample.h. The kernel is sin(pi u) / (pi u) times a Blackman window over
 * |u| < 16; its sum is made one, so that a constant stays one. */
#include "signal/resample.h"

#include <math.h>

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

void lmb_angle_record(size_t n, const double *x, const double *turns, double first, double per_turn,
                      size_t count, double *out)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        double turn = first + (double)i / per_turn;
        while (at + 2 < n && turns[at + 1] <= turn)
            at++;
        double step = turns[at + 1] - turns[at], part = step > 0 ? (turn - turns[at]) / step : 0;
        out[i] = lmb_sinc_value(n, x, (double)at + fmin(fmax(part, 0), 1));
    }
}
