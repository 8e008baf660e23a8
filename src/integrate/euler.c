/* Semi-implicit Euler with a fixed step: v += h a, then q (+) h v with the new v; first order. */
#include "integrate/motion.h"

static lmb_status open(lmb_motion *m)
{
    return lmb_motion_remember(m, (size_t)m->solver->state->model->nv);
}

static lmb_status step(lmb_motion *m, double h, double t)
{
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    double *a0 = m->memory;
    lmb_motion_begin_euler(m, h);
    for (int j = 0; j < s->model->nv; j++) {
        a0[j] = s->a[j];
        s->v[j] += h * s->a[j];
        solver->step[j] = h * s->v[j];
    }
    lmb_retract(s, s->q, solver->step);
    lmb_motion_turn_by_taylor(m, h, a0);
    return lmb_motion_finish_step(m, h, t);
}

static lmb_status advance(lmb_motion *m, double end, bool once)
{
    return lmb_motion_equal_steps(m, end, once, step);
}

static double stable_step(double w, double duration)
{
    (void)duration;
    return 2 / w;
}

const lmb_integrator lmb_integrator_euler = {"euler", "semi-implicit Euler with a fixed step",
                                             .open = open, .advance = advance,
                                             .stable_step = stable_step};
