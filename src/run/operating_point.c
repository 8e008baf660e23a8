/* Runs what comes before, then begins. */
#include "run/operating_point.h"

#include "analysis/statics.h"
#include "run/run.h"

/* A position: assembled and at rest. */
static lmb_status begin_position(lmb_operating_point *p, lmb_context *context,
                                 const lmb_state *initial)
{
    lmb_rank rank;
    lmb_status status = lmb_solver_new(&p->own, context, initial->model);
    if (status)
        return status;
    p->solver = p->own;
    lmb_state_copy(p->solver->state, initial);
    lmb_set_time(p->solver->state, initial->t);
    if (!(status = lmb_assemble(p->solver)) && !(status = lmb_find_rank(p->solver, &rank)))
        status = lmb_find_equilibrium(p->solver);
    return status;
}

/* A motion, as an analysis begins it, or else as it is integrated from the model's velocities. */
static lmb_status begin_motion(lmb_operating_point *p, lmb_context *context,
                               const lmb_state *initial, const lmb_analysis *a)
{
    static const lmb_integration integration = {.integrator = &lmb_integrator_rk45,
                                                .tolerance = 1e-8};
    lmb_status status = a ? a->kind->start(&p->course, context, initial, a)
                          : lmb_dynamics_from(&p->course.dynamics, context, initial, &integration);
    if (status)
        return status;
    p->solver = p->course.dynamics ? p->course.dynamics->solver : p->course.kinematics->solver;
    return lmb_solve_augmented(p->solver)
               ? LMB_OK
               : lmb_fail(context, LMB_SOLVER, "the equations of motion are singular there");
}

lmb_status lmb_operating_point_find(lmb_operating_point *p, lmb_context *context,
                                    const lmb_model *m, int analysis, bool as_placed)
{
    const lmb_analysis *a = analysis < 0 ? NULL : &m->analyses[analysis];
    bool over_time = a && !a->kind->timeless;
    lmb_state *initial = NULL;
    *p = (lmb_operating_point){.arena = lmb_arena_new()};
    lmb_status status = LMB_OK;
    if (a && p->arena)
        status = lmb_run_initial(context, p->arena, m, analysis, &initial);
    else if (!p->arena || !(initial = lmb_state_new(m)))
        status = lmb_fail_memory(context);
    if (!status)
        status = over_time || as_placed ? begin_motion(p, context, initial, over_time ? a : NULL)
                                        : begin_position(p, context, initial);
    lmb_state_free(initial);
    return status;
}

lmb_status lmb_operating_point_advance(lmb_operating_point *p, double t)
{
    lmb_solver *s = p->solver;
    if (!p->course.dynamics && !p->course.kinematics)
        return lmb_fail(s->context, LMB_USAGE, "the analysis is not over time: it has no t = %g",
                        t);
    if (t < s->state->t)
        return lmb_fail(s->context, LMB_USAGE, "the analysis begins at t = %g, after t = %g",
                        s->state->t, t);
    lmb_status status = t > s->state->t ? lmb_course_advance(&p->course, t) : LMB_OK;
    if (!status && !lmb_solve_augmented(s))
        status = lmb_fail(s->context, LMB_SOLVER, "the equations of motion are singular there");
    return status;
}

void lmb_operating_point_free(lmb_operating_point *p)
{
    lmb_course_free(&p->course);
    lmb_solver_free(p->own);
    lmb_arena_free(p->arena);
    *p = (lmb_operating_point){0};
}
