/* The beginning of a dynamic analysis, and its way from instant to instant. */
#include "analysis/dynamics.h"

#include <string.h>

#include "analysis/assembly.h"

/* --- initial velocities ------------------------------------------------------------------------
 */

/* Whether the model prescribes a velocity coordinate of a body: the first ones are translations. */
static bool prescribed(const lmb_model *m, const lmb_body *b, int j)
{
    return j < m->dimension ? b->velocity_given : b->spin_given;
}

/* Velocities that satisfy the rows, nearest to the given ones; those that the model prescribes
 * weigh so much that they move only if they contradict the rows. */
static lmb_status fit_velocities(lmb_solver *s)
{
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    double L = m->length;
    bool *held = lmb_arena_alloc(s->arena, (size_t)m->nv, sizeof *held);
    if (!held)
        return lmb_fail_memory(s->context);
    for (int i = 0; i < m->body_count; i++)
        for (int j = 0; j < m->bodies[i].nv; j++)
            held[m->bodies[i].v + j] = prescribed(m, &m->bodies[i], j);
    lmb_solver_hold(s, held);
    lmb_solver_factor(s);
    lmb_solver_hold(s, NULL);
    double size = lmb_step_size(s, state->v);
    lmb_correct_velocity(s);
    size = fmax(size, lmb_step_size(s, state->v));
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        for (int j = 0; j < b->nv; j++) {
            double moved = fabs(s->step[b->v + j]) * (j < m->dimension ? 1 : L);
            if (!prescribed(m, b, j) || moved <= 1e-6 * size)
                continue;
            lmb_fail(s->context, LMB_SOLVER,
                     "the %s of body '%s' contradicts its joints: it would have to change by %g",
                     j < m->dimension ? "velocity" : "angular_velocity", b->name,
                     s->step[b->v + j]);
            lmb_hint(s->context, "prescribe fewer velocities: the others follow from the joints");
            return LMB_SOLVER;
        }
    }
    return LMB_OK;
}

/* --- life ----------------------------------------------------------------------------------------
 */

static lmb_status begin(lmb_dynamics *d, double start, const lmb_integration *options)
{
    lmb_solver *s = d->solver;
    s->state->law_time = start;
    lmb_set_time(s->state, start);
    lmb_status status = lmb_assemble(s);
    if (status || (status = lmb_find_rank(s, &d->rank)) || (status = fit_velocities(s)) ||
        (status = lmb_motion_new(&d->motion, s, options)) ||
        (status = lmb_motion_accelerate(d->motion)))
        return status;
    lmb_warn_redundant(s, &d->rank);
    lmb_accept(s->state);
    return LMB_OK;
}

lmb_status lmb_dynamics_new(lmb_dynamics **out, lmb_context *context, const lmb_model *model,
                            double start, const lmb_integration *options)
{
    lmb_solver *solver;
    *out = NULL;
    lmb_status status = lmb_solver_new(&solver, context, model);
    if (status)
        return status;
    lmb_dynamics *d = lmb_arena_alloc(solver->arena, 1, sizeof *d);
    if (!d) {
        lmb_solver_free(solver);
        return lmb_fail_memory(context);
    }
    d->solver = solver;
    status = begin(d, start, options);
    if (status) {
        lmb_dynamics_free(d);
        return status;
    }
    *out = d;
    return LMB_OK;
}

void lmb_dynamics_free(lmb_dynamics *d)
{
    if (!d)
        return;
    lmb_motion_free(d->motion);
    lmb_solver_free(d->solver);
}

lmb_status lmb_dynamics_advance(lmb_dynamics *d, double end)
{
    return d->motion->stepper->advance(d->motion, end, false);
}
