/* The tableau of Dormand and Prince, and its steps on a motion. */
#include "integrate/dopri.h"

const double lmb_dopri_c[LMB_DOPRI_STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};

const double lmb_dopri_a[LMB_DOPRI_STAGES][LMB_DOPRI_STAGES - 1] = {
    {0},
    {0.2},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};

const double lmb_dopri_e[LMB_DOPRI_STAGES] = {
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

static const double interpolant[LMB_DOPRI_STAGES] = {
    -12715105075.0 / 11282082432,  0,
    87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
    701980252875.0 / 199316789632, -1453857185.0 / 822651844,
    69997945.0 / 29380423};

double lmb_dopri_sum(const double *weights, int count, const double *rates, size_t size, size_t i)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += weights[k] * rates[(size_t)k * size + i];
    return sum;
}

void lmb_dopri_combine(lmb_motion *m, double h, const double *weights, int count,
                       const double *rates)
{
    for (size_t i = 0; i < m->size; i++)
        m->y[i] = m->y0[i] + h * lmb_dopri_sum(weights, count, rates, m->size, i);
    lmb_motion_set(m, m->y);
}

lmb_status lmb_dopri_step(lmb_motion *m, double t, double h, double *rates)
{
    lmb_status status = LMB_OK;
    for (int stage = 0; stage < LMB_DOPRI_STAGES && !status; stage++) {
        lmb_dopri_combine(m, h, lmb_dopri_a[stage], stage, rates);
        status = lmb_motion_rates(m, t + lmb_dopri_c[stage] * h, rates + (size_t)stage * m->size);
    }
    return status;
}

double lmb_dopri_error(const lmb_motion *m, double h, const double *rates)
{
    double speed = lmb_motion_typical_speed(m, m->y0, rates), worst = 0;
    for (size_t i = 0; i < m->size - LMB_WORK_COUNT; i++) {
        double sum = lmb_dopri_sum(lmb_dopri_e, LMB_DOPRI_STAGES, rates, m->size, i);
        double part = fabs(h * sum) / lmb_motion_scale(m, m->y0, speed, i);
        if (!isfinite(part))
            return INFINITY;
        worst = fmax(worst, part);
    }
    return worst / m->options.tolerance;
}

void lmb_dopri_interpolate(const lmb_motion *m, const double *y0, double h, const double *rates,
                           double theta, double *y)
{
    enum { LAST = LMB_DOPRI_STAGES - 1 };
    const double *first = rates, *last = rates + LAST * m->size;
    for (size_t i = 0; i < m->size; i++) {
        double whole = h * lmb_dopri_sum(lmb_dopri_a[LAST], LAST, rates, m->size, i);
        double begin = h * first[i] - whole, end = whole - h * last[i] - begin;
        double more = h * lmb_dopri_sum(interpolant, LMB_DOPRI_STAGES, rates, m->size, i);
        y[i] = y0[i] + theta * (whole + (1 - theta) * (begin + theta * (end + (1 - theta) * more)));
    }
}
