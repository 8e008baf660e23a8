/* Generalized-alpha over time: its start, equal steps, and steps that follow the error.
 *
 * In steps of length h the algorithmic accelerations belong to the instant t + (am - af) h, and the
 * velocities have a part across the joints, w = h^2 (...), with which positions fit them. When
 * steps become r times as long, alpha - a becomes r times and w r^2 times as large: nothing is left
 * that would show up as a jump of accelerations and reactions.
 *
 * This scaling holds for smooth motions only. A jump J of accelerations leaves the difference
 * alpha - a = -(af - am) / (1 - am) J, which does not vanish as h -> 0. Each step multiplies it by
 * k = |am / (1 - am)|, each change of the step length by r; velocities err by h times it. The error
 * grows where r k >= 1 (r = 2 with a spectral radius above 0.8 or of 0), and grows longer the
 * shorter the steps at the jump are. The limit r^2 k < 1 would bound it by h J, but forbids growth
 * near a spectral radius of 1. So steps end before a jump and start again after it with true
 * accelerations. Then alpha - a is O(h), its part h (alpha - a) k^n in the velocities after n steps
 * is O(h^2), and r needs no limit. Steps that are differentiated keep their lengths and begin with
 * alpha = a after a step with a jump. */
#include <float.h>
#include <string.h>

#include "integrate/ali3p.h"
#include "integrate/motion.h"

/* What it remembers. */
typedef struct memory {
    double started;                /* 0: nothing is known of the past */
    double step;                   /* of the steps so far */
    double next;                   /* the step that the tolerance allows */
    double divided;                /* 1: the user knows that steps are divided */
    double unchecked;              /* steps whose error is not looked at */
    double renewed;                /* 1: the next step begins with true accelerations */
    double usual;                  /* change of accelerations in the last steps; or INFINITY */
    double powers[LMB_WORK_COUNT]; /* at the present state */
    double jerk[];                 /* room at a start: da/dt, the second derivative of z; twice */
} memory;

static memory *memory_of(const lmb_motion *m)
{
    return (memory *)(void *)m->memory;
}

static lmb_status open(lmb_motion *m)
{
    const lmb_model *model = m->solver->state->model;
    size_t count = 2 * ((size_t)model->nv + (size_t)model->nz);
    lmb_status status = lmb_motion_remember(m, sizeof(memory) / sizeof(double) + count);
    if (status)
        return status;
    memory_of(m)->next = m->options.step;
    memory_of(m)->usual = INFINITY;
    m->method = lmb_alpha_new(model, (lmb_alpha_method)m->options.integrator->variant, &m->options,
                              m->solver->state->choice);
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
    lmb_pack_numbers(p, s->jacobian, (size_t)s->model->value_count);
}

static void restart(lmb_motion *m)
{
    memory_of(m)->started = memory_of(m)->renewed = 0;
    memory_of(m)->usual = INFINITY;
    lmb_alpha_forget(m->method);
}

/* Moves the state by eps along the motion through y0 with the rates in y, and finds its rates there
 * (nv + nz). Returns how far accelerations are from those in y; INFINITY: there are none. */
static double find_rates(lmb_motion *m, double t, double eps, double *out)
{
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    size_t nv = (size_t)s->model->nv, nz = (size_t)s->model->nz;
    const double *q0 = m->y0, *v0 = q0 + s->model->nq, *z0 = v0 + nv, *a0 = m->y, *zdot0 = a0 + nv;
    for (size_t j = 0; j < nv; j++) {
        solver->step[j] = eps * (v0[j] + eps * a0[j] / 2);
        s->v[j] = v0[j] + eps * a0[j];
    }
    for (size_t j = 0; j < nz; j++)
        s->z[j] = z0[j] + eps * zdot0[j];
    lmb_retract(s, q0, solver->step);
    lmb_update(s, t + eps);
    m->trial = true; /* no message */
    bool known = lmb_motion_accelerate(m) == LMB_OK;
    m->trial = false;
    memcpy(out, s->a, nv * sizeof *out);
    lmb_state_rate(s, out + nv);
    for (size_t j = 0; j < nv; j++)
        solver->step[j] = out[j] - a0[j];
    return known ? lmb_step_size(solver, solver->step) : INFINITY;
}

/* da/dt and the second derivative of z at the present state, by differences along the motion. A law
 * may end or jump at this instant: then one side has none, or far larger ones. */
static void find_jerk(lmb_motion *m, double h, double *jerk)
{
    const double far = 10;
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    size_t nv = (size_t)s->model->nv, count = nv + (size_t)s->model->nz;
    double t = s->t, eps = fmax(1e-2 * h, 1e-9 * fabs(t)), *after = jerk + count;
    bool through_singular = solver->through_singular;
    lmb_motion_begin_step(m);
    memcpy(m->y, s->a, nv * sizeof *s->a);
    lmb_state_rate(s, m->y + nv);
    double past = find_rates(m, t, -eps, jerk), next = find_rates(m, t, eps, after);
    for (size_t j = 0; j < count; j++)
        jerk[j] = past > far * next   ? (after[j] - m->y[j]) / eps
                  : next > far * past ? (m->y[j] - jerk[j]) / eps
                  : isfinite(next)    ? after[j] / (2 * eps) - jerk[j] / (2 * eps)
                                      : 0; /* neither is known */
    solver->through_singular = through_singular;
    lmb_motion_take_back(m, t);
    lmb_motion_accelerate(m);
}

/* Adds to the velocities what changes their part across the joints, Phi_q v + Phi_t, by the numbers
 * in the solver's side, with the least kinetic energy; velocity-level rows go on to hold. */
static void adjust_velocities(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    lmb_state *state = s->state;
    const lmb_model *model = state->model;
    for (int r = 0; r < model->nrows; r++)
        s->side[r] = model->parts.rows[r].velocity_level ? 0 : s->side[r];
    lmb_mass_blocks(state, s->mass);
    if (!lmb_solver_factor_with(s, s->mass, s->epsilon))
        return; /* the next steps are less accurate then */
    lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
    for (int i = 0; i < model->nv; i++)
        state->v[i] += s->step[i];
    lmb_update_velocity(state);
}

/* Makes velocities such that the first psi fits the joints. */
static void adjust_start(lmb_motion *m, double h, const double *jerk)
{
    lmb_solver *s = m->solver;
    double *defect = s->force;
    lmb_alpha_defect(m->method, s->state, jerk, h, defect);
    lmb_jacobian(s->state);
    lmb_jacobian_times(s->state, defect, s->side);
    for (int r = 0; r < s->state->model->nrows; r++)
        s->side[r] /= h;
    adjust_velocities(m);
}

/* Whether steps begin with q, v, z and their rates, all of which are consistent. */
static bool is_ali3p(const lmb_motion *m)
{
    return m->options.integrator->variant == LMB_ALPHA_ALI3P;
}

/* Starts steps of length h at the present state, whose velocities fit the joints. */
static void start(lmb_motion *m, double h)
{
    lmb_solver *s = m->solver;
    double *jerk = memory_of(m)->jerk;
    if (!is_ali3p(m)) {
        find_jerk(m, h, jerk);
        adjust_start(m, h, jerk);
    }
    lmb_alpha_start(m->method, s->state, jerk, h, s->epsilon > 0);
    lmb_motion_begin_turns(m);
    lmb_powers(s->state, memory_of(m)->powers);
    memory_of(m)->started = 1;
    memory_of(m)->step = h;
    if (m->follower && m->follower->start)
        m->follower->start(m->follower->user, m, h);
}

/* Goes on with steps of another length. */
static void change_step(lmb_motion *m, double h)
{
    lmb_solver *s = m->solver;
    double ratio = memory_of(m)->renewed ? 0 : h / memory_of(m)->step;
    memory_of(m)->step = h;
    if (is_ali3p(m)) {
        lmb_alpha_change_step(m->method, s->state, ratio);
        return;
    }
    lmb_update_position(s->state); /* steps leave that undone */
    lmb_update_velocity(s->state);
    lmb_jacobian(s->state);
    for (int r = 0; r < s->state->model->nrows; r++)
        s->side[r] =
            (ratio * ratio - 1) * lmb_row_rate(s->state, r) / s->state->model->sparse_rows[r].scale;
    adjust_velocities(m);
    lmb_alpha_change_step(m->method, s->state, ratio);
}

void lmb_alpha_motion_start(lmb_motion *m, double h)
{
    start(m, h);
}

void lmb_alpha_motion_change_step(lmb_motion *m, double from, double to)
{
    memory_of(m)->step = from;
    change_step(m, to);
}

/* One step of length h; false if its iteration does not converge. */
static bool try_step(lmb_motion *m, double h)
{
    memory *k = memory_of(m);
    bool changes = k->started == 0 || k->renewed || fabs(h - k->step) > 1e-9 * h;
    if (changes && k->started == 0)
        start(m, h);
    else if (changes)
        change_step(m, h);
    lmb_effort_count count = {0};
    bool converged = is_ali3p(m) ? lmb_ali3p_step(m->method, m->solver->state, k->step, &count)
                                 : lmb_alpha_step(m->method, m->solver->state, k->step, &count);
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
    if (!m->workless) {
        lmb_powers(s, after);
        for (int k = 0; k < LMB_WORK_COUNT; k++)
            s->work[k] += h * (before[k] + after[k]) / 2;
        memcpy(before, after, sizeof after);
    }
    lmb_motion_accept(m, h);
    lmb_motion_next_turns(m);
    if (m->follower)
        m->follower->step(m->follower->user, m, memory_of(m)->renewed ? -h : h);
    memory_of(m)->renewed = 0;
}

/* Says what a step of fixed length failed of, though it was divided. */
static lmb_status diverges(lmb_motion *m, double h)
{
    lmb_context *context = m->solver->context;
    double t = m->solver->state->t;
    char name[128];
    bool undamped =
        is_ali3p(m) ? m->options.projection == LMB_PROJECT_NONE : m->options.spectral_radius >= 1;
    if (!undamped)
        return lmb_motion_stuck(m, t, h);
    if (lmb_not_finite(m->solver, t + h))
        return LMB_SOLVER;
    lmb_column_name(m->solver->state->model, lmb_alpha_worst(m->method), name, sizeof name);
    lmb_fail(context, LMB_SOLVER,
             "the Newton iteration of a step does not converge at t = %g: '%s' changes most", t,
             name);
    return lmb_hint(context, is_ali3p(m)
                                 ? "without projection errors of velocities and accelerations "
                                   "across the joints grow; take 'projection: full'"
                                 : "with 'spectral_radius: 1' errors of reactions never fade; take "
                                   "0.9");
}

/* Says, once an analysis, that steps of the asked length were divided. */
static void warn_divided(lmb_motion *m, double h)
{
    if (memory_of(m)->divided != 0)
        return;
    memory_of(m)->divided = 1;
    char prefix[96];
    lmb_warn_at(m->solver->context, m->place,
                "%sa step of %g s is too long at t = %g and was divided; others may be, too",
                lmb_motion_prefix(m, prefix), h, m->solver->state->t);
    lmb_hint(m->solver->context, "take a shorter 'step', or a 'tolerance' instead of it");
}

/* Fail because of a step that must not be divided. */
static lmb_status fail_undivided(lmb_motion *m, double h)
{
    char prefix[96];
    lmb_fail_at(m->solver->context, m->place,
                "%sa step of %g s is too long at t = %.10g, and 'step_control: fixed' forbids to "
                "divide it",
                lmb_motion_prefix(m, prefix), h, m->solver->state->t);
    lmb_hint(m->solver->context, "take a shorter 'step', or remove 'step_control'");
    return LMB_SOLVER;
}

/* One step of a fixed length; false if it does not converge, or its error is so gross that the
 * method would lose its stability: a part of a body's way that is no longer small. */
static bool try_fixed_step(lmb_motion *m, double h)
{
    const double gross = 0.005, quiet = 0.01 * gross;
    enum { SOON = 4 }; /* an error that is small does not become gross in so many steps */
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    double t = s->t;
    if (!try_step(m, h))
        return false;
    if (k->unchecked > 0) {
        k->unchecked--;
        return true;
    }
    double error = lmb_alpha_error(m->method, s, h) / s->model->length;
    k->unchecked = error <= quiet ? SOON - 1 : 0;
    if (!(error <= gross))
        lmb_alpha_take_back(m->method, s, t);
    return error <= gross;
}

/* A step that fails with the asked length h, in as many shorter ones as it takes; the next one has
 * the asked length again. */
static lmb_status divided_step(lmb_motion *m, double h, double t)
{
    const double shortest = h / 10000;
    lmb_state *s = m->solver->state;
    double part = h / 4;
    m->rejected++;
    warn_divided(m, h);
    while (s->t < t) {
        double left = t - s->t, count = fmax(1, ceil(left / part - 1e-9)), length = left / count;
        if (try_fixed_step(m, length)) {
            accept(m, length, count == 1 ? t : s->t);
            part = 2 * length;
            continue;
        }
        m->rejected++;
        if (length < shortest)
            return diverges(m, length);
        part = length / 4;
    }
    return LMB_OK;
}

static lmb_status fixed_step(lmb_motion *m, double h, double t)
{
    if (!try_fixed_step(m, h))
        return m->options.undivided ? fail_undivided(m, h) : divided_step(m, h, t);
    accept(m, h, t);
    return LMB_OK;
}

typedef enum jump { NO_JUMP, JUMP, LATER_JUMP } jump;

/* Whether accelerations change so much more than in the steps before that a force may jump. */
static bool may_jump(const lmb_motion *m, double jolt)
{
    const double far = 10;
    return jolt > far * memory_of(m)->usual;
}

/* Takes a step of length h from t back and looks for a jump of accelerations in it: by bisection
 * along the Taylor series of the motion, to rounding. NO_JUMP: accelerations change gradually.
 * LATER_JUMP: the jump lies beyond the step, and the step found the solution behind it. */
static jump find_jump(lmb_motion *m, double t, double h, double *before, double *after)
{
    lmb_solver *solver = m->solver;
    lmb_state *s = solver->state;
    bool through_singular = solver->through_singular;
    size_t nv = (size_t)s->model->nv;
    double *room = memory_of(m)->jerk, low = 0, all, high, jolt = lmb_alpha_jolt(m->method, s);
    double *found = room + nv + (size_t)s->model->nz; /* by the step */
    memcpy(found, s->a, nv * sizeof *found);
    lmb_alpha_take_back(m->method, s, t);
    lmb_motion_get(m, m->y0);
    memcpy(m->y, s->a, nv * sizeof *found);
    lmb_state_rate(s, m->y + nv);
    double off = find_rates(m, t, 0, room); /* if they jump at t itself */
    memcpy(m->y, room, (size_t)(found - room) * sizeof *room);
    all = high = find_rates(m, t, h, room);
    for (size_t j = 0; j < nv; j++)
        solver->step[j] = found[j] - room[j];
    bool still = all < jolt / 4;
    bool wrong = lmb_step_size(solver, solver->step) > jolt / 2;
    bool here = off > jolt / 2 && still && !wrong;
    *before = t;
    *after = here ? t : t + h;
    while (high - low > all / 4 && *after - *before > 4 * DBL_EPSILON * fmax(fabs(*after), h)) {
        double middle = (*before + *after) / 2, size = find_rates(m, t, middle - t, room);
        bool late = size <= all / 2;
        *(late ? &low : &high) = size;
        *(late ? before : after) = middle;
    }
    lmb_alpha_take_back(m->method, s, t);
    solver->through_singular = through_singular;
    bool jumps = here || (high - low > all / 4 && all > jolt / 2);
    return jumps ? JUMP : still && wrong ? LATER_JUMP : NO_JUMP;
}

static lmb_status controlled_step(lmb_motion *m, double end);

/* Integrates to just before the jump, crosses it by a Taylor step that surely ends behind it, and
 * restarts. Steps must not end at the jump, where rounding decides on which side they are. */
static lmb_status cross_jump(lmb_motion *m, double before, double after)
{
    const double near = 1e-3; /* of a step: the series is as good */
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    double end = before - near * fmin(before - s->t, k->next), usual = k->usual;
    lmb_status status = LMB_OK;
    while (!status && s->t < end && before - s->t > near * k->next)
        status = controlled_step(m, end);
    if (!status)
        status = lmb_motion_taylor_step(m, after);
    k->usual = usual;
    return status;
}

/* A step whose estimated error is within the tolerance, to `end` at the latest. */
static lmb_status controlled_step(lmb_motion *m, double end)
{
    memory *k = memory_of(m);
    lmb_state *s = m->solver->state;
    double t = s->t, left = end - t, rest = isfinite(m->finish) ? m->finish - t : left;
    for (;;) {
        double count = fmax(1, ceil(left / k->next - 1e-9)), h = left / count, error = INFINITY;
        double allowed = m->options.tolerance * s->model->length, moved, jolt = 0, before, after;
        if (try_step(m, h)) {
            jolt = lmb_alpha_jolt(m->method, s);
            error = lmb_alpha_error(m->method, s, h) / allowed;
        }
        double factor = isfinite(error) ? 0.9 * cbrt(1 / (error + 1e-10)) : 0.25;
        moved = h * jolt * rest / allowed; /* displacement at the end by a velocity error h jolt */
        if (may_jump(m, jolt) && moved > 1 && !m->follower) {
            jump found = find_jump(m, t, h, &before, &after);
            if (found == JUMP)
                return cross_jump(m, before, fmin(after + 0.01 * h / moved, end));
            if (error <= 1) {
                k->usual = found == NO_JUMP ? jolt : k->usual;
                k->next = found == NO_JUMP ? h : h / 2;
                if (k->next < 1e-12 * fmax(left, fabs(t)))
                    return lmb_motion_stuck(m, t, h);
                continue;
            }
        }
        if (error <= 1) {
            double cut = count == 1 && end == m->stop ? k->next : 0; /* by a break: no new length */
            if (factor > 1.5) /* a change is a new start: only if it is worth it */
                k->next = fmin(fmax(cut, fmin(2, factor) * h), m->options.step);
            accept(m, h, count == 1 ? end : t + h);
            k->renewed = may_jump(m, jolt) && moved > 1;
            k->usual = fmax(jolt, isfinite(k->usual) ? k->usual / 2 : 0);
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

/* Steps whose lengths are given: those of another run. */
static lmb_status given_steps(lmb_motion *m, double end, bool once)
{
    lmb_state *s = m->solver->state;
    if (memory_of(m)->started == 0 && m->given_at < m->given_count)
        start(m, m->given[m->given_at++]);
    while (s->t < end && m->given_at < m->given_count) {
        double h = fabs(m->given[m->given_at]), t = s->t + h;
        if (t > end + h / 2)
            break;
        memory_of(m)->renewed = m->given[m->given_at] < 0;
        m->given_at++;
        if (!try_step(m, h))
            return diverges(m, h);
        accept(m, h, fabs(t - end) < 1e-9 * h ? end : t);
        if (once)
            break;
    }
    return LMB_OK;
}

static lmb_status make_steps(lmb_motion *m, double end, bool once)
{
    if (m->given)
        return given_steps(m, end, once);
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

static void renew(lmb_motion *m)
{
    memory_of(m)->renewed = 1;
}

#define IMPLICIT                                                                                   \
    .implicit = true, .followed = true, .may_control = true, .open = open, .close = close,         \
    .advance = advance, .restart = restart, .renew = renew, .pack = pack
#define FAMILY IMPLICIT, .damps = true

const lmb_integrator lmb_integrator_alpha = {
    "generalized-alpha",
    "an implicit method for stiff systems, with a fixed step unless a tolerance is given",
    .variant = LMB_ALPHA_GENERALIZED, FAMILY};
const lmb_integrator lmb_integrator_hht = {"hht", "its special case by Hilber, Hughes and Taylor",
                                           .variant = LMB_ALPHA_HHT, .least_radius = 0.5, FAMILY};
const lmb_integrator lmb_integrator_newmark = {"newmark", "its special case by Newmark",
                                               .variant = LMB_ALPHA_NEWMARK, FAMILY};
const lmb_integrator lmb_integrator_ali3p = {
    "ali3p",
    "the trapezoidal rule with an augmented Lagrangian of index 3 and projections of velocities "
    "and accelerations",
    .variant = LMB_ALPHA_ALI3P, .projects = true, IMPLICIT};
