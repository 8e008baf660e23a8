/* Forward dynamics with the pair of Dormand and Prince (orders 5 and 4), or with semi-implicit
 * Euler, on the index-1 form:
 *
 *   M a + Phi_q^T lambda = Q,  Phi_q a = gamma,  qdot = N(q) v
 *
 * The step follows the estimated error. After each step positions and velocities are projected onto
 * their constraints, which the accelerations alone would let drift. */
#include "analysis/dynamics.h"

#include <string.h>

#include "analysis/assembly.h"
#include "integrate/dopri.h"

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
    const double heavy = 1e12;
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    double *block = s->mass, L = m->length;
    memcpy(block, s->metric, (size_t)m->mass_count * sizeof *block);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        for (int j = 0; j < b->nv; j++)
            block[j * b->nv + j] *= prescribed(m, b, j) ? heavy : 1;
        block += b->nv * b->nv;
    }
    lmb_jacobian(state);
    double epsilon = s->epsilon > 0 ? s->epsilon : 1e-14;
    lmb_kkt_factor(s->kkt, state, s->mass, epsilon, false);
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

/* --- steps -------------------------------------------------------------------------------------
 */

static lmb_status singular(lmb_solver *s)
{
    lmb_fail(s->context, LMB_SOLVER, "the equations of motion are singular at t = %g", s->state->t);
    for (int i = 1; i < s->state->model->body_count; i++)
        if (s->state->model->bodies[i].mass == 0) {
            lmb_hint(s->context, "body '%s' has no mass", s->state->model->bodies[i].name);
            return LMB_SOLVER;
        }
    lmb_hint(s->context,
             "a body without inertia can turn freely, or constraints repeat each other");
    return LMB_SOLVER;
}

/* Accelerations and multipliers; exactly singular rows are taken like nearly singular ones. */
static lmb_status solve_accelerations(lmb_solver *s)
{
    if (lmb_solve_augmented(s))
        return LMB_OK;
    s->through_singular = true;
    return lmb_solve_augmented(s) ? LMB_OK : singular(s);
}

/* The numbers that are integrated: q, v and work. */
static size_t size_of(const lmb_dynamics *d)
{
    const lmb_model *m = d->solver->state->model;
    return (size_t)m->nq + (size_t)m->nv + LMB_WORK_COUNT;
}

/* The rates of q, v and work at an instant. */
static lmb_status slopes_at(lmb_dynamics *d, double t, double *slope)
{
    lmb_solver *s = d->solver;
    lmb_set_time(s->state, t);
    lmb_update_position(s->state);
    lmb_update_velocity(s->state);
    lmb_status status = solve_accelerations(s);
    lmb_rate(s->state, slope);
    memcpy(slope + s->state->model->nq, s->state->a, (size_t)s->state->model->nv * sizeof *slope);
    lmb_powers(s->state, slope + s->state->model->nq + s->state->model->nv);
    return status;
}

/* Sets q and v to the beginning of the step plus h times a combination of slopes. */
static void combine(lmb_dynamics *d, double h, const double *weights, int count)
{
    lmb_state *s = d->solver->state;
    size_t nq = (size_t)s->model->nq, nv = (size_t)s->model->nv, n = size_of(d);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < count; k++)
            sum += weights[k] * d->slopes[(size_t)k * n + i];
        if (i < nq)
            s->q[i] = d->q0[i] + h * sum;
        else if (i < nq + nv)
            s->v[i - nq] = d->v0[i - nq] + h * sum;
        else
            s->work[i - nq - nv] = d->work0[i - nq - nv] + h * sum;
    }
}

/* The error of a step in units of the tolerance. */
static double scaled_error(const lmb_dynamics *d, double h, const double *weights)
{
    const lmb_solver *s = d->solver;
    const lmb_model *m = s->state->model;
    size_t nq = (size_t)m->nq, n = size_of(d);
    double speed = fmax(lmb_step_size(s, d->v0), 1e-3 * m->length), worst = 0;
    for (size_t i = 0; i < n - LMB_WORK_COUNT; i++) {
        double sum = 0, scale = i < nq ? fmax(m->length, fabs(d->q0[i])) : speed;
        for (int k = 0; k < LMB_DOPRI_STAGES; k++)
            sum += weights[k] * d->slopes[(size_t)k * n + i];
        double part = fabs(h * sum) / (d->options.tolerance * scale);
        if (!isfinite(part))
            return INFINITY;
        worst = fmax(worst, part);
    }
    return worst;
}

/* One step of Dormand and Prince; *error is in units of the tolerance. */
static lmb_status try_step(lmb_dynamics *d, double t, double h, double *error)
{
    size_t n = size_of(d);
    for (int stage = 0; stage < LMB_DOPRI_STAGES; stage++) {
        combine(d, h, lmb_dopri_a[stage], stage);
        lmb_status status = slopes_at(d, t + lmb_dopri_c[stage] * h, d->slopes + (size_t)stage * n);
        if (status)
            return status;
    }
    *error = scaled_error(d, h, lmb_dopri_e);
    return LMB_OK;
}

/* Brings positions and velocities back onto their constraints; false if that fails. */
static bool project(lmb_dynamics *d)
{
    lmb_solver *s = d->solver;
    lmb_state *state = s->state;
    memset(s->step, 0, (size_t)state->model->nv * sizeof(double));
    lmb_retract(state, state->q, s->step); /* makes quaternions unit again */
    if (!lmb_solve_position(s))
        return false;
    lmb_solver_factor(s);
    lmb_correct_velocity(s);
    return true;
}

/* Remembers the joint angles and their rates at the beginning of a step. */
static void begin_turns(lmb_dynamics *d)
{
    const lmb_state *s = d->solver->state;
    for (int i = 0; i < s->model->parts.coordinate_count; i++) {
        const lmb_coordinate *c = &s->model->parts.coordinates[i];
        if (c->kind == LMB_COORDINATE_ANGLE)
            d->turns0[c->turn] = lmb_coordinate_value(s, c);
    }
}

/* Accepts a step; joint angles are taken in the turn that their rates lead to. */
static void accept_step(lmb_dynamics *d, double h)
{
    lmb_state *s = d->solver->state;
    for (int i = 0; i < s->model->parts.coordinate_count; i++) {
        const lmb_coordinate *c = &s->model->parts.coordinates[i];
        if (c->kind != LMB_COORDINATE_ANGLE)
            continue;
        lmb_jet before = d->turns0[c->turn];
        s->turn[c->turn] = before.f + h * (before.d + lmb_coordinate_value(s, c).d) / 2;
    }
    lmb_accept(s);
}

static void begin_step(lmb_dynamics *d)
{
    const lmb_state *s = d->solver->state;
    begin_turns(d);
    memcpy(d->q0, s->q, (size_t)s->model->nq * sizeof(double));
    memcpy(d->v0, s->v, (size_t)s->model->nv * sizeof(double));
    memcpy(d->work0, s->work, sizeof d->work0);
}

static void take_back(lmb_dynamics *d, double t)
{
    lmb_state *s = d->solver->state;
    memcpy(s->q, d->q0, (size_t)s->model->nq * sizeof(double));
    memcpy(s->v, d->v0, (size_t)s->model->nv * sizeof(double));
    memcpy(s->work, d->work0, sizeof s->work);
    lmb_set_time(s, t);
    lmb_update_position(s);
    lmb_update_velocity(s);
}

static lmb_status stuck(lmb_dynamics *d, double t, double h)
{
    lmb_solver *s = d->solver;
    const lmb_model *m = s->state->model;
    lmb_set_time(s->state, t + h);
    for (int i = 0; i < m->force_count; i++) {
        const lmb_force *f = &m->forces[i];
        lmb_force_at at = lmb_force_input(s->state, f);
        lmb_frame on_A = frame_zero(), on_B = frame_zero();
        f->type->evaluate(f, &at, &on_A, &on_B);
        if (!isfinite(frame_dot(&on_B, &on_B)))
            return lmb_fail(s->context, LMB_SOLVER,
                            "force '%s' is not a finite number at t = %.10g", f->name, t + h);
    }
    for (int i = 0; i < m->driver_count; i++)
        if (!isfinite(s->state->laws[m->drivers[i].law].f))
            return lmb_fail(s->context, LMB_SOLVER,
                            "the law of driver '%s' is not a finite number at t = %.10g",
                            m->drivers[i].name, t + h);
    lmb_fail(s->context, LMB_SOLVER, "the step became too small (%g) at t = %.10g", h, t);
    lmb_hint(s->context,
             "something changes abruptly there: look at laws and forces near that time");
    return LMB_SOLVER;
}

/* Semi-implicit Euler with a fixed step: v += h a, then q (+) h v with the new v; first order. */
static lmb_status advance_euler(lmb_dynamics *d, double end)
{
    lmb_solver *solver = d->solver;
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    double begin = s->t, count = fmax(1, ceil((end - begin) / d->options.step - 1e-9));
    double h = (end - begin) / count;
    for (double i = 1; i <= count; i++) {
        double powers[LMB_WORK_COUNT];
        begin_turns(d);
        lmb_powers(s, powers);
        for (int k = 0; k < LMB_WORK_COUNT; k++)
            s->work[k] += h * powers[k];
        for (int j = 0; j < m->nv; j++) {
            s->v[j] += h * s->a[j];
            solver->step[j] = h * s->v[j];
        }
        lmb_retract(s, s->q, solver->step);
        lmb_set_time(s, i == count ? end : begin + i * h);
        if (!project(d)) {
            lmb_fail(solver->context, LMB_SOLVER, "the joints open at t = %g", s->t);
            lmb_hint(solver->context, "take a shorter 'step', or 'integrator: rk45'");
            return LMB_SOLVER;
        }
        accept_step(d, h);
        d->steps++;
        lmb_status status = solve_accelerations(solver);
        if (status)
            return status;
    }
    return LMB_OK;
}

/* da/dt at the present state, by central differences along the motion. */
static void find_jerk(lmb_dynamics *d, double *jerk)
{
    lmb_solver *solver = d->solver;
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    const double eps = 1e-5;
    double t = s->t;
    begin_step(d);
    memcpy(d->slopes, s->a, (size_t)m->nv * sizeof(double));
    memset(jerk, 0, (size_t)m->nv * sizeof(double));
    for (int side = -1; side <= 1; side += 2) {
        for (int j = 0; j < m->nv; j++) {
            double a = d->slopes[j];
            solver->step[j] = side * eps * (d->v0[j] + side * eps * a / 2);
            s->v[j] = d->v0[j] + side * eps * a;
        }
        lmb_retract(s, d->q0, solver->step);
        lmb_set_time(s, t + side * eps);
        lmb_update_position(s);
        lmb_update_velocity(s);
        if (solve_accelerations(solver))
            break;
        for (int j = 0; j < m->nv; j++)
            jerk[j] += side * s->a[j] / (2 * eps);
    }
    take_back(d, t);
    solve_accelerations(solver);
}

/* Generalized-alpha with a fixed step, cut to end at the instant asked for. */
static lmb_status advance_alpha(lmb_dynamics *d, double end)
{
    lmb_solver *solver = d->solver;
    lmb_state *s = solver->state;
    double begin = s->t, count = fmax(1, ceil((end - begin) / d->options.step - 1e-9));
    double h = (end - begin) / count;
    if (d->steps == 0) {
        double *jerk = d->slopes + s->model->nv;
        find_jerk(d, jerk);
        lmb_alpha_start(d->alpha, s, jerk, h);
    }
    for (double i = 1; i <= count; i++) {
        double before[LMB_WORK_COUNT], after[LMB_WORK_COUNT];
        begin_turns(d);
        lmb_powers(s, before);
        if (!lmb_alpha_step(d->alpha, s, h, &d->iterations)) {
            lmb_fail(solver->context, LMB_SOLVER,
                     "the Newton iteration of a step does not converge at t = %g", s->t);
            lmb_hint(solver->context, "take a shorter 'step' than %g", h);
            return LMB_SOLVER;
        }
        if (i == count)
            s->t = end; /* no rounding in asked-for instants */
        lmb_powers(s, after);
        for (int k = 0; k < LMB_WORK_COUNT; k++)
            s->work[k] += h * (before[k] + after[k]) / 2;
        accept_step(d, h);
        d->steps++;
    }
    return LMB_OK;
}

static lmb_status advance_rk45(lmb_dynamics *d, double end)
{
    lmb_state *s = d->solver->state;
    double span = end - s->t;
    while (s->t < end) {
        double t = s->t, left = end - t, error;
        double h = d->step > 0.999 * left ? left : d->step;
        begin_step(d);
        /* far shorter than usual: perhaps all bars lie flat, and rows nearly repeat others */
        d->solver->through_singular = h < 1e-2 * d->usual_step && h < left;
        lmb_status status = try_step(d, t, h, &error);
        if (status)
            return status;
        bool fine = error <= 1; /* not if it is NaN */
        if (fine) {
            if (h == left)
                s->t = end; /* no rounding in asked-for instants */
            fine = project(d);
            error = fine ? error : 32;
        }
        double factor = isfinite(error) ? 0.9 * pow(error + 1e-10, -0.2) : 0.1;
        factor = fmin(5, fmax(0.2, factor));
        if (!fine) {
            d->rejected++;
            take_back(d, t);
            d->step = h * fmin(factor, 0.5);
            if (d->step < 1e-12 * fmax(span, fabs(t)))
                return stuck(d, t, h);
            continue;
        }
        d->steps++;
        if (!d->solver->through_singular && h < left)
            d->usual_step += 0.2 * (h - d->usual_step);
        accept_step(d, h);
        if (h < left || factor < 1) /* a step cut short for output says little */
            d->step = h * factor;
        else
            d->step = fmax(d->step, h * factor);
    }
    d->solver->through_singular = false;
    return solve_accelerations(d->solver);
}

lmb_status lmb_dynamics_advance(lmb_dynamics *d, double end)
{
    switch (d->options.integrator) {
    case LMB_EULER:
        return advance_euler(d, end);
    case LMB_RK45:
        return advance_rk45(d, end);
    default:
        return advance_alpha(d, end);
    }
}

/* --- life ----------------------------------------------------------------------------------------
 */

static lmb_status begin(lmb_dynamics *d, double start)
{
    lmb_solver *s = d->solver;
    const lmb_model *m = s->state->model;
    size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    d->q0 = lmb_arena_alloc(s->arena, nq, sizeof(double));
    d->v0 = lmb_arena_alloc(s->arena, nv, sizeof(double));
    d->slopes =
        lmb_arena_alloc(s->arena, LMB_DOPRI_STAGES * (nq + nv + LMB_WORK_COUNT), sizeof(double));
    d->turns0 = lmb_arena_alloc(s->arena, (size_t)m->parts.turn_count, sizeof *d->turns0);
    if (!d->q0 || !d->v0 || !d->slopes || !d->turns0)
        return lmb_fail_memory(s->context);
    s->state->law_time = start;
    lmb_set_time(s->state, start);
    lmb_status status = lmb_assemble(s);
    if (status || (status = lmb_find_rank(s, &d->rank)) || (status = fit_velocities(s)) ||
        (status = solve_accelerations(s)))
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
    d->options = *options;
    d->step = 1e-4;
    bool implicit = options->integrator >= LMB_ALPHA;
    if (implicit)
        d->alpha = lmb_alpha_new(model, (lmb_alpha_method)(options->integrator - LMB_ALPHA),
                                 options->spectral_radius);
    bool made = d->alpha || !implicit;
    status = made ? begin(d, start) : lmb_fail_memory(context);
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
    lmb_alpha_free(d->alpha);
    lmb_solver_free(d->solver);
}
