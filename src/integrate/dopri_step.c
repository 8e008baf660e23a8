/* Steps of the pair of Dormand and Prince. */
#include "integrate/dopri_step.h"

static double sum_of(const lmb_motion *m, const double *weights, int count, const double *rates,
                     size_t i)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += weights[k] * rates[(size_t)k * m->size + i];
    return sum;
}

/* Sets the state to the beginning of the step plus h times a combination of rates. */
static void combine(lmb_motion *m, double h, const double *weights, int count, const double *rates)
{
    for (size_t i = 0; i < m->size; i++)
        m->y[i] = m->y0[i] + h * sum_of(m, weights, count, rates, i);
    lmb_motion_set(m, m->y);
}

lmb_status lmb_dopri_step(lmb_motion *m, double t, double h, double *rates)
{
    for (int stage = 0; stage < LMB_DOPRI_STAGES; stage++) {
        combine(m, h, lmb_dopri_a[stage], stage, rates);
        lmb_status status =
            lmb_motion_rates(m, t + lmb_dopri_c[stage] * h, rates + (size_t)stage * m->size);
        if (status)
            return status;
    }
    return LMB_OK;
}

double lmb_dopri_error(const lmb_motion *m, double h, const double *rates)
{
    const lmb_model *model = m->solver->state->model;
    size_t nq = (size_t)model->nq, z = nq + (size_t)model->nv;
    double speed = fmax(lmb_step_size(m->solver, m->y0 + nq), 1e-3 * model->length), worst = 0;
    for (size_t i = 0; i < m->size - LMB_WORK_COUNT; i++) {
        double scale = i < nq  ? fmax(model->length, fabs(m->y0[i]))
                       : i < z ? speed
                               : fmax(model->z_size[i - z], fabs(m->y0[i]));
        double part = fabs(h * sum_of(m, lmb_dopri_e, LMB_DOPRI_STAGES, rates, i)) / scale;
        if (!isfinite(part))
            return INFINITY;
        worst = fmax(worst, part);
    }
    return worst / m->options.tolerance;
}

void lmb_dopri_interpolate(const lmb_motion *m, const double *y0, double h, const double *rates,
                           double theta, double *y)
{
    const double *first = rates, *last = rates + (LMB_DOPRI_STAGES - 1) * m->size;
    for (size_t i = 0; i < m->size; i++) {
        double whole =
            h * sum_of(m, lmb_dopri_a[LMB_DOPRI_STAGES - 1], LMB_DOPRI_STAGES - 1, rates, i);
        double begin = h * first[i] - whole, end = whole - h * last[i] - begin;
        double more = h * sum_of(m, lmb_dopri_d, LMB_DOPRI_STAGES, rates, i);
        y[i] = y0[i] + theta * (whole + (1 - theta) * (begin + theta * (end + (1 - theta) * more)));
    }
}
