/* Steps of Dormand and Prince as long as the tolerance allows; instants within a step are
 * interpolated, so that asking for more results does not make the steps shorter. */
#include <string.h>

#include "integrate/dopri.h"

/* What it remembers. */
typedef struct memory {
    double step;       /* the next one to try; 0: none was made */
    double usual_step; /* a mean of the steps so far */
    double ahead;      /* 1: the steps are ahead of the state, at `reached` */
    double from, reached;
    double numbers[]; /* y at `from`, y at `reached`, the rates of the stages in between */
} memory;

static memory *memory_of(const lmb_motion *m)
{
    return (memory *)(void *)m->memory;
}

static lmb_status open(lmb_motion *m)
{
    size_t count = sizeof(memory) / sizeof(double) + (2 + LMB_DOPRI_STAGES) * m->size;
    return lmb_motion_remember(m, count);
}

static void restart(lmb_motion *m)
{
    memory_of(m)->ahead = 0;
}

/* Makes one step on the way to `end`, which ends at `limit` at the latest. */
static lmb_status step(lmb_motion *m, double end, double limit)
{
    memory *k = memory_of(m);
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    double *rates = k->numbers + 2 * m->size;
    if (k->step == 0)
        k->step = 1e-2 * (end - s->t);
    for (;;) {
        double t = s->t, left = limit - t;
        double h = k->step > 0.999 * left ? left : k->step;
        lmb_motion_begin_step(m);
        /* far shorter than usual: perhaps all bars lie flat, and rows nearly repeat others */
        solver->through_singular = h < 1e-2 * k->usual_step && h < left;
        m->trial = true;
        bool failed = lmb_dopri_step(m, t, h, rates);
        m->trial = false;
        double error = failed ? INFINITY : lmb_dopri_error(m, h, rates);
        bool fine = error <= 1; /* not if it is NaN */
        if (fine) {
            if (h == left)
                lmb_set_time(s, limit); /* no rounding in asked-for instants */
            lmb_motion_turn_by_taylor(m, h, rates + s->model->nq);
            fine = lmb_motion_close_joints(m);
            error = fine ? error : 32;
        }
        double factor = isfinite(error) ? 0.9 * pow(error + 1e-10, -0.2) : 0.1;
        factor = fmin(5, fmax(0.2, factor));
        if (fine) {
            if (!solver->through_singular && h < left)
                k->usual_step += 0.2 * (h - k->usual_step);
            /* a step cut short for output says little */
            k->step = h < left || factor < 1 ? h * factor : fmax(k->step, h * factor);
            k->from = t;
            memcpy(k->numbers, m->y0, m->size * sizeof(double));
            lmb_motion_accept(m, h);
            return LMB_OK;
        }
        m->rejected++;
        lmb_motion_take_back(m, t);
        k->step = h * fmin(factor, 0.5);
        if (k->step < 1e-12 * fmax(end - t, fabs(t)))
            return lmb_motion_stuck(m, t, h);
    }
}

/* Remembers the end of a step that went further than asked for. */
static void remember_end(lmb_motion *m)
{
    memory *k = memory_of(m);
    k->ahead = 1;
    k->reached = m->solver->state->t;
    lmb_motion_get(m, k->numbers + m->size);
    lmb_motion_end_turns(m);
}

/* Puts the state where the steps have got to. */
static void catch_up(lmb_motion *m)
{
    memory *k = memory_of(m);
    if (k->ahead == 0)
        return;
    k->ahead = 0;
    lmb_motion_set(m, k->numbers + m->size);
    lmb_motion_set_turns(m, k->reached - k->from, 1);
    lmb_update(m->solver->state, k->reached);
}

/* Puts the state at an instant before that. */
static lmb_status fall_back(lmb_motion *m, double t)
{
    memory *k = memory_of(m);
    double h = k->reached - k->from, theta = (t - k->from) / h;
    lmb_dopri_interpolate(m, k->numbers, h, k->numbers + 2 * m->size, theta, m->y);
    lmb_motion_set(m, m->y);
    lmb_motion_set_turns(m, h, theta);
    lmb_update(m->solver->state, t);
    return lmb_motion_close_joints(m) ? LMB_OK : lmb_motion_opens(m);
}

static lmb_status advance(lmb_motion *m, double end, bool once)
{
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    lmb_status status = LMB_OK;
    if (k->ahead == 0 || k->reached <= end)
        catch_up(m);
    while (!status && k->ahead == 0 && s->t < end) {
        status = step(m, end, once ? end : lmb_motion_limit(m, end));
        if (!status)
            status = lmb_motion_watch(m);
        if (once)
            break;
        if (s->t > end)
            remember_end(m);
    }
    m->solver->through_singular = false;
    if (!status && k->ahead != 0)
        status = fall_back(m, end);
    return status ? status : lmb_motion_accelerate(m);
}

/* The error control finds such steps by itself. */
static double stable_step(double w, double duration)
{
    (void)duration;
    return 1 / w;
}

const lmb_integrator lmb_integrator_rk45 = {"rk45",
                                            "a Runge-Kutta pair of order 5 that chooses its steps",
                                            .controlled = true,
                                            .open = open,
                                            .advance = advance,
                                            .restart = restart,
                                            .stable_step = stable_step};
