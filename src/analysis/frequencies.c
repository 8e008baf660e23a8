/* Sweeps over frequency: the steady response of a linear system to an input that oscillates. */
#include <math.h>

#include "analysis/state_space.h"
#include "base/message.h"

lmb_status lmb_frequencies_complete(lmb_frequencies *f, const lmb_mode_list *list,
                                    lmb_context *context)
{
    double lowest = INFINITY, highest = 0;
    for (int i = 0; i < list->count; i++)
        if (!list->modes[i].rigid) {
            double size = hypot(list->modes[i].real, list->modes[i].imaginary) / (2 * LMB_PI);
            lowest = fmin(lowest, size);
            highest = fmax(highest, size);
        }
    if (f->from < 0)
        f->from = isfinite(lowest) ? lowest / 10 : 0.01;
    if (f->to < 0)
        f->to = highest > 0 ? 3 * highest : 100;
    if (f->to < f->from || (f->to == f->from && f->points > 1))
        return lmb_fail(context, LMB_USAGE, "the frequencies go from %g to %g Hz", f->from, f->to);
    if (!f->linear && f->from == 0)
        return lmb_fail(context, LMB_USAGE,
                        "logarithmic steps cannot begin at 0 Hz: give --linear or another --from");
    return LMB_OK;
}

static double frequency_at(const lmb_frequencies *f, int i)
{
    double part = f->points > 1 ? (double)i / (f->points - 1) : 0;
    if (f->list)
        return f->list[i];
    if (i == f->points - 1 && i > 0)
        return f->to;
    return f->linear ? f->from + part * (f->to - f->from) : f->from * pow(f->to / f->from, part);
}

lmb_status lmb_frequencies_run(const lmb_frequencies *f, lmb_context *context,
                               lmb_transfer *transfer, void *user, lmb_response *out)
{
    lmb_status status = LMB_OK;
    for (int i = 0; !status && i < f->points; i++) {
        double *real = &out->real[i], *imaginary = &out->imaginary[i];
        out->frequency[i] = frequency_at(f, i);
        if ((status = lmb_continue(context, "response", (double)i / f->points)) ||
            (status = transfer(user, 2 * LMB_PI * out->frequency[i], real, imaginary)))
            break;
        if (!isfinite(*real) || !isfinite(*imaginary)) {
            lmb_fail(context, LMB_SOLVER,
                     "the response of '%s' to '%s' is not a finite number at %.9g Hz", out->output,
                     out->input, out->frequency[i]);
            return lmb_hint(context, "the output must have a finite value and slope in the state "
                                     "of the linearisation");
        }
        out->amplitude[i] = hypot(*real, *imaginary);
        out->phase[i] = atan2(*imaginary, *real) * 180 / LMB_PI;
        if (out->phase[i] > 180 - 1e-9) /* in antiphase, rounding must not decide the sign */
            out->phase[i] = -180;
    }
    return status;
}
