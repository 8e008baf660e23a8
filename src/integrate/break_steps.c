/* Steps that end at breaks of laws, and Taylor steps across them.
 *
 * A driver whose law has a kink jumps to another speed. As in an impact without rebound, the bodies
 * then have the velocities
 *
 *   M (v - v0) + Phi_q^T Lambda = 0,   Phi_q v = nu
 *
 * and the driver supplies the work that changes their kinetic energy. */
#include "integrate/motion.h"
#include "system/equations.h"

void lmb_motion_catch_velocities(lmb_solver *s)
{
    lmb_state *state = s->state;
    lmb_update_velocity(state);
    lmb_mass_blocks(state, s->mass);
    lmb_jacobian(state);
    if (lmb_solver_factor_with(s, s->mass, s->epsilon))
        lmb_correct_velocity(s); /* else the accelerations fail too, with a message */
}

/* Fail if a driver's law has just jumped: bodies cannot follow. An angle may jump by whole turns.
 */
static lmb_status check_jump(const lmb_motion *m)
{
    const double noticeable = 1e-6; /* of the model's length; a series is far nearer */
    lmb_solver *s = m->solver;
    const lmb_model *model = s->state->model;
    int row;
    if (m->options.stabilisation >= LMB_BAUMGARTE)
        return LMB_OK;
    lmb_constraints(s->state, s->phi);
    double off = lmb_largest_residual(s, &row);
    if (!(off > noticeable * model->length) || model->row_owner[row] < model->joint_count)
        return LMB_OK;
    char prefix[96];
    lmb_fail_at(s->context, m->place, "%sthe law of driver '%s' jumps by %.3g at t = %.10g",
                lmb_motion_prefix(m, prefix), lmb_owner_of_row(model, row).name, fabs(s->phi[row]),
                s->state->t);
    lmb_hint(s->context, "let it go on steadily, as by 'step' or 'ramp'");
    return LMB_SOLVER;
}

lmb_status lmb_motion_taylor_step(lmb_motion *m, double t)
{
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    double h = t - s->t;
    lmb_motion_begin_euler(m, h);
    for (int j = 0; j < s->model->nv; j++) {
        solver->step[j] = h * (s->v[j] + h / 2 * s->a[j]);
        s->v[j] += h * s->a[j];
    }
    lmb_retract(s, s->q, solver->step);
    lmb_update(s, t);
    lmb_status status = check_jump(m);
    if (status)
        return status;
    double before = lmb_total_balance(s).kinetic;
    lmb_motion_catch_velocities(solver);
    s->work[LMB_WORK_SUPPLIED] += lmb_total_balance(s).kinetic - before;
    status = lmb_motion_finish_step(m, h, t);
    return status ? status : lmb_motion_restart(m);
}

/* Return the first break that ends behind an instant, or NULL if there is none or steps are given.
 */
static const lmb_break *find_break(const lmb_motion *m, double t)
{
    int low = 0, high = m->given ? 0 : m->break_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->breaks[middle].after > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low < m->break_count && !m->given ? &m->breaks[low] : NULL;
}

/* Return half of the length of the followed step across a jump. The reactions of shorter steps are
 * rounding; longer steps reach other breaks. */
static double half_crossing(const lmb_motion *m, const lmb_break *b)
{
    double half = 1e-3 * m->options.step;
    if (b > m->breaks)
        half = fmin(half, 0.25 * (b->before - b[-1].after));
    if (b + 1 < m->breaks + m->break_count)
        half = fmin(half, 0.25 * (b[1].before - b->after));
    return fmax(half, 1e-6 * m->options.step);
}

/* Advance to `end`, but not beyond a break, or across a break at which the state is. Taylor steps
 * cross jumps and stretches that are too short for implicit methods. With a follower, which needs
 * steps of the method, one short step crosses the jump. */
static lmb_status approach(lmb_motion *m, const lmb_break *b, double end, bool once)
{
    const lmb_integrator *method = m->options.integrator;
    double t = m->solver->state->t, shortest = method->implicit ? 1e-6 * m->options.step : 0;
    double near = m->follower && b->before < b->after ? half_crossing(m, b) : 0;
    bool there = t >= b->before - near;
    m->stop = there ? b->after + near : b->before - near;
    end = fmin(end, m->stop);
    if (!m->follower && (there || m->stop - t < shortest))
        return lmb_motion_taylor_step(m, end);
    lmb_status status = method->advance(m, end, once);
    if (there && method->renew && m->solver->state->t >= m->stop)
        method->renew(m);
    return status;
}

lmb_status lmb_motion_advance(lmb_motion *m, double end, bool once)
{
    const lmb_break *b = find_break(m, m->solver->state->t);
    lmb_status status = LMB_OK;
    while (!status && b && m->solver->state->t < end) {
        status = approach(m, b, end, once);
        if (once)
            return status;
        b = find_break(m, m->solver->state->t);
    }
    m->stop = INFINITY;
    return status || (m->break_count && !(m->solver->state->t < end))
               ? status
               : m->options.integrator->advance(m, end, once);
}
