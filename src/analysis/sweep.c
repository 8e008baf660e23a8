/* Sweeps over frequency: the steady response of a linear system to an input that oscillates. */
#include "analysis/state_space.h"

#include <math.h>

#include "analysis/modes.h"
#include "base/message.h"

lmb_status lmb_sweep_complete(lmb_sweep *s, const lmb_mode_list *list, lmb_context *context)
{
    double lowest = INFINITY, highest = 0;
    for (int i = 0; i < list->count; i++)
        if (!list->modes[i].rigid) {
            double size = hypot(list->modes[i].real, list->modes[i].imaginary) / (2 * LMB_PI);
            lowest = fmin(lowest, size);
            highest = fmax(highest, size);
        }
    if (s->from < 0)
        s->from = isfinite(lowest) ? lowest / 10 : 0.01;
    if (s->to < 0)
        s->to = highest > 0 ? 3 * highest : 100;
    if (s->to < s->from || (s->to == s->from && s->points > 1))
        return lmb_fail(context, LMB_USAGE, "the frequencies go from %g to %g Hz", s->from, s->to);
    if (!s->linear && s->from == 0)
        return lmb_fail(context, LMB_USAGE,
                        "logarithmic steps cannot begin at 0 Hz: give --linear or another --from");
    return LMB_OK;
}

static double frequency_at(const lmb_sweep *s, int i)
{
    double part = s->points > 1 ? (double)i / (s->points - 1) : 0;
    if (i == s->points - 1 && i > 0)
        return s->to;
    return s->linear ? s->from + part * (s->to - s->from) : s->from * pow(s->to / s->from, part);
}

lmb_status lmb_sweep_run(const lmb_sweep *s, lmb_transfer *transfer, void *user, double *frequency,
                         double *amplitude, double *phase)
{
    lmb_status status = LMB_OK;
    for (int i = 0; !status && i < s->points; i++) {
        double real, imaginary;
        frequency[i] = frequency_at(s, i);
        status = transfer(user, 2 * LMB_PI * frequency[i], &real, &imaginary);
        amplitude[i] = hypot(real, imaginary);
        phase[i] = atan2(imaginary, real) * 180 / LMB_PI;
        if (phase[i] > 180 - 1e-9) /* in antiphase, rounding must not decide the sign */
            phase[i] = -180;
    }
    return status;
}
