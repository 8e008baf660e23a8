/* Steps of Dormand and Prince as long as the tolerance allows; instants within a step are
 * interpolated, so that asking for more results does not make the steps shorter. */
#include <string.h>

#include "integrate/dopri_step.h"

/* What it remembers. */
typedef struct memory {
    double step;       /* the next one to try */
    double usual_step; /* a mean of the steps so far */
    double ahead;      /* 1: the steps are ahead of the state, at `reached` */
    double from, reached;
    double numbers[]; /* y at `from`, y at `reached`, the rates of the stages in between; joint
                         angles and their rates at `from`, and at `reached` */
} memory;

static memory *memory_of(const lmb_motion *m)
{
    return (memory *)(void *)m->memory;
}

static lmb_status open(lmb_motion *m)
{
    size_t turns = (size_t)m->solver->state->model->parts.turn_count;
    size_t count = sizeof(memory) / sizeof(double) + (2 + LMB_DOPRI_STAGES) * m->size + 4 * turns;
    if (!lmb_motion_remember(m, count))
        return lmb_fail_memory(m->solver->context);
    memory_of(m)->step = 1e-4;
    return LMB_OK;
}

/* Joint angles and their rates: at the beginning of the step or at its end. */
static double *turns_of(const lmb_motion *m, bool end)
{
    size_t count = 2 * (size_t)m->solver->state->model->parts.turn_count;
    return m->memory + m->memory_count - (end ? count : 2 * count);
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
    const lmb_state *s = m->solver->state;
    k->ahead = 1;
    k->reached = s->t;
    lmb_motion_get(m, k->numbers + m->size);
    for (int i = 0; i < s->model->parts.coordinate_count; i++) {
        const lmb_coordinate *c = &s->model->parts.coordinates[i];
        if (c->kind != LMB_COORDINATE_ANGLE)
            continue;
        double *begin = turns_of(m, false) + 2 * c->turn, *end = turns_of(m, true) + 2 * c->turn;
        begin[0] = m->turn0[c->turn];
        begin[1] = m->spin0[c->turn];
        end[0] = s->turn[c->turn];
        end[1] = lmb_coordinate_rate(s, c);
    }
}

/* Puts the turns of joint angles where they are at a fraction of the last step. */
static void set_turns(lmb_motion *m, double theta)
{
    const memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    const double *x = turns_of(m, false), *y = turns_of(m, true);
    double h = k->reached - k->from;
    for (int i = 0; i < s->model->parts.turn_count; i++, x += 2, y += 2) {
        double begin = h * x[1] - (y[0] - x[0]), end = y[0] - x[0] - h * y[1] - begin;
        s->turn[i] = x[0] + theta * (y[0] - x[0] + (1 - theta) * (begin + theta * end));
    }
}

/* Puts the state where the steps have got to. */
static void catch_up(lmb_motion *m)
{
    memory *k = memory_of(m);
    if (k->ahead == 0)
        return;
    k->ahead = 0;
    lmb_motion_set(m, k->numbers + m->size);
    set_turns(m, 1);
    lmb_set_time(m->solver->state, k->reached);
    lmb_update_position(m->solver->state);
    lmb_update_velocity(m->solver->state);
}

/* Puts the state at an instant before that. */
static lmb_status fall_back(lmb_motion *m, double t)
{
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    double h = k->reached - k->from;
    lmb_dopri_interpolate(m, k->numbers, h, k->numbers + 2 * m->size, (t - k->from) / h, m->y);
    lmb_motion_set(m, m->y);
    set_turns(m, (t - k->from) / h);
    lmb_set_time(s, t);
    lmb_update_position(s);
    lmb_update_velocity(s);
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
        status = step(m, end, once ? end : fmax(end, m->finish));
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
