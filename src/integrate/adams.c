/* The predictor-corrector of Adams, Bashforth and Moulton with a fixed step, order 4 (PECE):
 *
 *   y*  = y_n + h/24 (55 f_n - 59 f_n-1 + 37 f_n-2 - 9 f_n-3)
 *   y   = y_n + h/24 ( 9 f(y*) + 19 f_n - 5 f_n-1 + f_n-2)
 *
 * The first steps, for which there is no past, are those of Dormand and Prince. */
#include <string.h>

#include "integrate/dopri.h"

enum { PAST = 4 };

/* What it remembers. */
typedef struct memory {
    double known;     /* how many rates of the past */
    double step;      /* between them */
    double numbers[]; /* rates of the predicted y*, then those of the past, newest first; then room
                         for the stages of a first step */
} memory;

static memory *memory_of(const lmb_motion *m)
{
    return (memory *)(void *)m->memory;
}

static lmb_status open(lmb_motion *m)
{
    return lmb_motion_remember(m, sizeof(memory) / sizeof(double) +
                                      (1 + PAST + LMB_DOPRI_STAGES) * m->size);
}

static void restart(lmb_motion *m)
{
    memory *k = memory_of(m);
    k->known = 0;
    memset(k->numbers, 0, m->size * sizeof *k->numbers); /* a failed step may have left NaN */
}

/* The rates at the present state become the newest ones. */
static lmb_status add_rates(lmb_motion *m)
{
    memory *k = memory_of(m);
    double *newest = k->numbers + m->size;
    memmove(newest + m->size, newest, (PAST - 1) * m->size * sizeof(double));
    k->known = fmin(PAST, k->known + 1);
    return lmb_motion_rates(m, m->solver->state->t, newest);
}

static lmb_status predict_and_correct(lmb_motion *m, double h)
{
    static const double bashforth[] = {0, 55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24};
    static const double moulton[] = {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24, 0};
    double *rates = memory_of(m)->numbers;
    lmb_dopri_combine(m, h, bashforth, PAST + 1, rates);
    lmb_status status = lmb_motion_rates(m, m->solver->state->t + h, rates);
    lmb_dopri_combine(m, h, moulton, PAST + 1, rates);
    return status;
}

static lmb_status step(lmb_motion *m, double h, double t)
{
    memory *k = memory_of(m);
    lmb_status status = LMB_OK;
    if (k->known > 0 && fabs(h - k->step) > 1e-9 * h)
        k->known = 0;
    k->step = h;
    if (k->known == 0)
        status = add_rates(m);
    lmb_motion_begin_step(m);
    if (!status && k->known < PAST)
        status = lmb_dopri_step(m, m->solver->state->t, h, k->numbers + (1 + PAST) * m->size);
    else if (!status)
        status = predict_and_correct(m, h);
    if (status)
        return status;
    lmb_motion_turn_by_taylor(m, h, k->numbers + m->size + m->solver->state->model->nq);
    lmb_set_time(m->solver->state, t);
    if (!lmb_motion_close_joints(m))
        return lmb_motion_opens(m);
    lmb_motion_accept(m, h);
    return add_rates(m); /* leaves accelerations and reactions too */
}

static lmb_status advance(lmb_motion *m, double end, bool once)
{
    return lmb_motion_equal_steps(m, end, once, step);
}

/* 0.16 (w h)^6 duration / h = 1, or the other root. */
static double stable_step(double w, double duration)
{
    return fmin(0.92, pow(1 / (0.16 * fmax(w * duration, 1e-9)), 0.2)) / w;
}

const lmb_integrator lmb_integrator_adams = {
    "adams",
    "the predictor-corrector of Adams, Bashforth and Moulton of order 4 with a fixed step",
    .open = open,
    .advance = advance,
    .restart = restart,
    .stable_step = stable_step};
