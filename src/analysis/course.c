/* A motion on its way, and the table of analyses. */
#include "analysis/analysis.h"
#include "system/whole.h"

const lmb_analysis_kind *const lmb_analysis_kinds[] = {
    &lmb_analysis_assembly,
    &lmb_analysis_kinematics,
    &lmb_analysis_inverse_dynamics,
    &lmb_analysis_dynamics,
    &lmb_analysis_statics,
    &lmb_analysis_modes,
    NULL,
};

bool lmb_analysis_is_integrated(const lmb_model *m, const lmb_analysis *a)
{
    return a->kind == &lmb_analysis_dynamics ||
           (a->kind->start && (m->mode_count > 0 || m->nz > 0 || lmb_whole_exists(m)));
}

lmb_status lmb_course_integrate(lmb_course *c, lmb_context *context, const lmb_state *initial,
                                const lmb_analysis *a)
{
    lmb_status status = lmb_dynamics_from(&c->dynamics, context, initial, &a->integration);
    if (status)
        return status;
    lmb_motion *motion = c->dynamics->motion;
    c->state = c->dynamics->solver->state;
    c->counts = &c->dynamics->rank.counts;
    motion->finish = a->start + a->duration;
    motion->name = a->name;
    motion->place = a->place;
    motion->begin = a->start;
    return lmb_find_breaks(motion, a);
}

lmb_status lmb_course_advance(lmb_course *c, double t)
{
    return c->dynamics ? lmb_dynamics_advance(c->dynamics, t)
                       : lmb_kinematics_advance(c->kinematics, t);
}

bool lmb_course_stopped(const lmb_course *c)
{
    return c->dynamics && lmb_dynamics_stopped(c->dynamics);
}

void lmb_course_free(lmb_course *c)
{
    lmb_kinematics_free(c->kinematics);
    lmb_dynamics_free(c->dynamics);
}
