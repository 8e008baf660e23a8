/* Runs what comes before, then begins. */
#include "run/operating_point.h"

#include "analysis/statics.h"
#include "run/run.h"

/* What is not looked for on the way along a path. */
static lmb_status ignore(void *user, const lmb_state *state, double at, const double *more)
{
    (void)user, (void)state, (void)at, (void)more;
    return LMB_OK;
}

/* Follows a path of equilibria to a load factor, or to its end. */
static lmb_status follow_path(lmb_solver *s, const lmb_analysis *a, const double *at)
{
    lmb_analysis part = *a;
    double share = at ? *at / a->path.load : 1;
    if (!(share >= 0 && share <= 1))
        return lmb_fail(s->context, LMB_USAGE,
                        "the path of analysis '%s' goes from load factor 0 to %g: %g is not on it",
                        a->name, a->path.load, *at);
    part.path.load = share * a->path.load;
    part.path.steps = (int)fmax(1, ceil(share * a->path.steps));
    lmb_status status = a->kind->solve(s, &part);
    return status || share == 0 ? status : a->kind->rows(s, &part, ignore, NULL);
}

/* A position: assembled and at rest. */
static lmb_status begin_position(lmb_operating_point *p, lmb_context *context,
                                 const lmb_state *initial, const lmb_analysis *a, const double *at)
{
    lmb_rank rank;
    lmb_status status = lmb_solver_new(&p->own, context, initial->model);
    if (status)
        return status;
    p->solver = p->own;
    p->on_path = a && (a->kind->known & LMB_KNOWN_PATH);
    if (at && !p->on_path)
        return lmb_fail(context, LMB_USAGE, "the analysis is not over time: it has no t = %g", *at);
    lmb_state_copy(p->solver->state, initial);
    lmb_set_time(p->solver->state, initial->t);
    if (!(status = lmb_assemble(p->solver)) && !(status = lmb_find_rank(p->solver, &rank)))
        status = p->on_path ? follow_path(p->solver, a, at) : lmb_find_equilibrium(p->solver);
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

/* Follows the motion to a later time. */
static lmb_status advance(lmb_operating_point *p, double t)
{
    lmb_solver *s = p->solver;
    if (t < s->state->t)
        return lmb_fail(s->context, LMB_USAGE, "the analysis begins at t = %g, after t = %g",
                        s->state->t, t);
    lmb_status status = t > s->state->t ? lmb_course_advance(&p->course, t) : LMB_OK;
    if (!status && !lmb_solve_augmented(s))
        status = lmb_fail(s->context, LMB_SOLVER, "the equations of motion are singular there");
    return status;
}

lmb_status lmb_operating_point_find(lmb_operating_point *p, lmb_context *context,
                                    const lmb_model *m, int analysis, bool as_placed,
                                    const double *at)
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
    if (!status && !over_time && !as_placed)
        status = begin_position(p, context, initial, a, at);
    else if (!status && !(status = begin_motion(p, context, initial, over_time ? a : NULL)) && at)
        status = advance(p, *at);
    lmb_state_free(initial);
    return status;
}

void lmb_operating_point_free(lmb_operating_point *p)
{
    lmb_course_free(&p->course);
    lmb_solver_free(p->own);
    lmb_arena_free(p->arena);
    *p = (lmb_operating_point){0};
}
