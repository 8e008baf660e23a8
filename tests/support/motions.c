#include "motions.h"

#include <math.h>
#include <string.h>

#include "analysis/statics.h"
#include "models.h"
#include "support.h"
#include "system/state.h"

lmb_dynamics *start_motion(const lmb_model *model, lmb_integration options)
{
    lmb_dynamics *d;
    assert_ok(lmb_dynamics_new(&d, context, model, 0, &options));
    return d;
}

lmb_dynamics *start_without(const lmb_model *model, const lmb_selection *without,
                            lmb_integration options)
{
    lmb_dynamics *d;
    lmb_state *initial = lmb_state_at(model, 0);
    assert_non_null(initial);
    if (without)
        lmb_switch_absent(initial, without);
    assert_ok(lmb_dynamics_from(&d, context, initial, &options));
    lmb_state_free(initial);
    return d;
}

const lmb_state *advance(lmb_dynamics *motion, double t)
{
    assert_ok(lmb_dynamics_advance(motion, t));
    return motion->solver->state;
}

void finish(lmb_dynamics *motion, lmb_model *model)
{
    lmb_dynamics_free(motion);
    lmb_model_free(model);
}

lmb_solver *at_rest(const lmb_model *model)
{
    lmb_solver *s;
    lmb_rank rank;
    assert_ok(lmb_solver_new(&s, context, model));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(lmb_find_equilibrium(s));
    return s;
}

const lmb_body_at *body(const lmb_solver *solver, const char *name)
{
    const lmb_model *m = solver->state->model;
    for (int i = 0; i < m->body_count; i++)
        if (strcmp(m->bodies[i].name, name) == 0)
            return &solver->state->bodies[i];
    fail_msg("no body %s", name);
    return NULL;
}

vec3 point(const lmb_solver *solver, const char *name)
{
    const lmb_model *m = solver->state->model;
    for (int i = 0; i < m->point_count; i++)
        if (strcmp(m->points[i].name, name) == 0)
            return solver->state->frames[m->points[i].marker].p;
    fail_msg("no point %s", name);
    return v3(0, 0, 0);
}

double energy(const lmb_dynamics *motion)
{
    lmb_balance b = lmb_total_balance(motion->solver->state);
    return b.kinetic + b.potential + lmb_elastic_energy(motion->solver->state);
}

double account(const lmb_dynamics *motion)
{
    const double *work = motion->solver->state->work;
    return energy(motion) + work[LMB_WORK_DISSIPATED] - work[LMB_WORK_SUPPLIED];
}

double distance(const double *x, const double *y, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double d = fabs(x[i] - y[i]);
        largest = d <= largest ? largest : d;
    }
    return largest;
}
