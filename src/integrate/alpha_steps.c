/* Generalized-alpha over time: its start, equal steps, and steps that follow the error.
 *
 * A step of another length than the one before is a new start: the algorithmic accelerations belong
 * to instants that depend on the length, and so does the small part of the velocities across the
 * joints with which positions fit them. */
#include <string.h>

#include "integrate/alpha.h"
#include "integrate/motion.h"

/* What it remembers. */
typedef struct memory {
    double started;                /* 0: nothing is known of the past */
    double step;                   /* of the steps so far */
    double next;                   /* the step that the tolerance allows */
    double powers[LMB_WORK_COUNT]; /* at the present state */
    double numbers[];              /* accelerations and rates of z one step before */
} memory;

static memory *memory_of(const lmb_motion *m)
{
    return (memory *)(void *)m->memory;
}

static lmb_status open(lmb_motion *m)
{
    const lmb_model *model = m->solver->state->model;
    size_t count = (size_t)model->nv + (size_t)model->nz;
    lmb_status status = lmb_motion_remember(m, sizeof(memory) / sizeof(double) + count);
    if (status)
        return status;
    memory_of(m)->next = m->options.step;
    m->method = lmb_alpha_new(model, (lmb_alpha_method)m->options.integrator->variant,
                              m->options.spectral_radius);
    return m->method ? LMB_OK : lmb_fail_memory(m->solver->context);
}

static void close(lmb_motion *m)
{
    lmb_alpha_free(m->method);
}

static void pack(lmb_motion *m, lmb_pack *p)
{
    lmb_state *s = m->solver->state;
    lmb_alpha_pack(m->method, p);
    lmb_pack_numbers(p, s->tangent_lambda, (size_t)s->model->value_count); /* of kept matrices */
}

static void restart(lmb_motion *m)
{
    memory_of(m)->started = 0;
    lmb_alpha_forget(m->method);
}

/* da/dt and the second derivative of z at the present state, by differences along the motion. */
static void find_jerk(lmb_motion *m, double h, double *jerk)
{
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    size_t nv = (size_t)s->model->nv, nz = (size_t)s->model->nz, count = nv + nz;
    double t = s->t, eps = fmax(1e-2 * h, 1e-7), *a0 = m->y, *zdot0 = a0 + nv;
    const double *q0 = m->y0, *v0 = m->y0 + s->model->nq, *z0 = v0 + nv;
    bool through_singular = solver->through_singular;
    lmb_motion_begin_step(m);
    memcpy(a0, s->a, nv * sizeof *a0);
    lmb_state_rate(s, zdot0);
    memset(jerk, 0, count * sizeof *jerk);
    bool known[2] = {false, false}; /* a law may end at this instant */
    for (int side = -1; side <= 1; side += 2) {
        for (size_t j = 0; j < nv; j++) {
            solver->step[j] = side * eps * (v0[j] + side * eps * a0[j] / 2);
            s->v[j] = v0[j] + side * eps * a0[j];
        }
        for (size_t j = 0; j < nz; j++)
            s->z[j] = z0[j] + side * eps * zdot0[j];
        lmb_retract(s, q0, solver->step);
        lmb_update(s, t + side * eps);
        m->trial = true; /* no message */
        known[side > 0] = lmb_motion_accelerate(m) == LMB_OK;
        m->trial = false;
        lmb_state_rate(s, m->zdot);
        for (size_t j = 0; j < count && known[side > 0]; j++)
            jerk[j] += side * (j < nv ? s->a[j] : m->zdot[j - nv]) / (2 * eps);
    }
    solver->through_singular = through_singular;
    for (size_t j = 0; j < count && known[0] != known[1]; j++) /* one side alone */
        jerk[j] = 2 * jerk[j] + (known[0] ? 1 : -1) * a0[j] / eps;
    lmb_motion_take_back(m, t);
    lmb_motion_accelerate(m);
}

/* Adds to the velocities what lets the first psi fit the joints, across them and with the least
 * kinetic energy; what was there of that kind goes. */
static void adjust_velocities(lmb_motion *m, const double *jerk, double h)
{
    lmb_solver *s = m->solver;
    lmb_state *state = s->state;
    const lmb_model *model = state->model;
    double *defect = s->force;
    lmb_alpha_defect(m->method, state, jerk, h, defect);
    for (int i = 0; i < model->nv; i++)
        defect[i] = defect[i] / h - state->v[i];
    lmb_mass_blocks(state, s->mass);
    lmb_jacobian(state);
    if (!lmb_solver_factor_with(s, s->mass, s->epsilon))
        return; /* the first steps are less accurate then */
    lmb_jacobian_times(state, defect, s->phi);
    lmb_velocity_side(state, s->side);
    for (int r = 0; r < model->nrows; r++)
        s->side[r] += s->phi[r];
    lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
    for (int i = 0; i < model->nv; i++)
        state->v[i] += s->step[i];
    lmb_update_velocity(state);
}

/* Starts steps of length h at the present state. */
static void start(lmb_motion *m, double h)
{
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    size_t nv = (size_t)s->model->nv;
    double *jerk = k->numbers;
    if (k->started == 0) {
        find_jerk(m, h, jerk);
    } else {
        lmb_state_rate(s, m->zdot);
        for (size_t i = 0; i < nv + (size_t)s->model->nz; i++)
            jerk[i] = ((i < nv ? s->a[i] : m->zdot[i - nv]) - jerk[i]) / k->step;
    }
    adjust_velocities(m, jerk, h);
    lmb_alpha_start(m->method, s, jerk, h, m->solver->epsilon > 0);
    lmb_motion_begin_turns(m);
    lmb_powers(s, k->powers);
    k->started = 1;
    k->step = h;
}

/* One step of length h; false if its iteration does not converge. */
static bool try_step(lmb_motion *m, double h)
{
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    size_t nv = (size_t)s->model->nv;
    if (k->started == 0 || fabs(h - k->step) > 1e-9 * h)
        start(m, h);
    memcpy(k->numbers, s->a, nv * sizeof(double));
    lmb_state_rate(s, k->numbers + nv);
    lmb_effort_count count = {0};
    bool converged = lmb_alpha_step(m->method, s, k->step, &count);
    m->iterations += count.iterations;
    m->factorisations += count.factorisations;
    return converged;
}

/* Accepts a step that ended at about t. */
static void accept(lmb_motion *m, double h, double t)
{
    lmb_state *s = m->solver->state;
    double after[LMB_WORK_COUNT], *before = memory_of(m)->powers;
    if (s->t != t)
        lmb_set_time(s, t); /* no rounding in asked-for instants */
    lmb_powers(s, after);
    for (int k = 0; k < LMB_WORK_COUNT; k++)
        s->work[k] += h * (before[k] + after[k]) / 2;
    memcpy(before, after, sizeof after);
    lmb_motion_accept(m, h);
    lmb_motion_begin_turns(m);
}

/* Says what a step of fixed length failed of. */
static lmb_status diverges(lmb_motion *m, double h)
{
    lmb_context *context = m->solver->context;
    double t = m->solver->state->t;
    char name[128];
    if (lmb_motion_not_finite(m, t + h))
        return LMB_SOLVER;
    lmb_column_name(m->solver->state->model, lmb_alpha_worst(m->method), name, sizeof name);
    lmb_fail(context, LMB_SOLVER,
             "the Newton iteration of a step does not converge at t = %g: '%s' changes most", t,
             name);
    if (m->options.spectral_radius == 1)
        lmb_hint(context, "with 'spectral_radius: 1' errors of reactions never fade; take 0.9");
    else
        lmb_hint(context, "take a shorter 'step' than %g, or give a 'tolerance' instead", h);
    return LMB_SOLVER;
}

static lmb_status fixed_step(lmb_motion *m, double h, double t)
{
    if (!try_step(m, h))
        return diverges(m, h);
    accept(m, h, t);
    return LMB_OK;
}

/* A step whose estimated error is within the tolerance, to `end` at the latest. */
static lmb_status controlled_step(lmb_motion *m, double end)
{
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    double t = s->t, left = end - t;
    for (;;) {
        double count = fmax(1, ceil(left / k->next - 1e-9)), h = left / count, error = INFINITY;
        if (try_step(m, h)) {
            error = lmb_alpha_error(m->method, s, h);
            error /= m->options.tolerance * s->model->length;
        }
        double factor = isfinite(error) ? 0.9 * cbrt(1 / (error + 1e-10)) : 0.25;
        if (error <= 1) {
            if (factor > 1.5) /* a change is a new start: only if it is worth it */
                k->next = fmin(fmin(2, factor) * h, m->options.step);
            accept(m, h, count == 1 ? end : t + h);
            return LMB_OK;
        }
        if (isfinite(error))
            lmb_alpha_take_back(m->method, s, t);
        m->rejected++;
        k->next = h * fmin(0.5, fmax(0.1, factor));
        if (k->next < 1e-12 * fmax(left, fabs(t)))
            return lmb_motion_stuck(m, t, h);
    }
}

static lmb_status make_steps(lmb_motion *m, double end, bool once)
{
    if (m->options.tolerance <= 0)
        return lmb_motion_equal_steps(m, end, once, fixed_step);
    lmb_status status = LMB_OK;
    while (!status && m->solver->state->t < end) {
        status = controlled_step(m, end);
        if (!status)
            status = lmb_motion_watch(m);
        if (once)
            break;
    }
    return status;
}

static lmb_status advance(lmb_motion *m, double end, bool once)
{
    lmb_status status = make_steps(m, end, once);
    lmb_update_position(m->solver->state); /* steps leave that undone */
    lmb_update_velocity(m->solver->state);
    return status;
}

#define FAMILY                                                                                     \
    .implicit = true, .may_control = true, .damps = true, .open = open, .close = close,            \
    .advance = advance, .restart = restart, .pack = pack

const lmb_integrator lmb_integrator_alpha = {
    "generalized-alpha",
    "an implicit method for stiff systems, with a fixed step unless a tolerance is given",
    .variant = LMB_ALPHA_GENERALIZED, FAMILY};
const lmb_integrator lmb_integrator_hht = {"hht", "its special case by Hilber, Hughes and Taylor",
                                           .variant = LMB_ALPHA_HHT, .least_radius = 0.5, FAMILY};
const lmb_integrator lmb_integrator_newmark = {"newmark", "its special case by Newmark",
                                               .variant = LMB_ALPHA_NEWMARK, FAMILY};
