/* Kinematics by continuation in time.
 *
 *   predict   q (+) (h v + h^2/2 a + h^3/6 (a - a_last)/h_last)
 *   correct   Newton-Raphson on Phi(q, t + h) = 0
 *
 * A step is halved when the correction is not small, so that the motion stays on its branch
 * whatever the output step. If that does not help, the mechanism locks up there. Where the
 * determinant of a square Jacobian changes its sign, the motion has passed a branch point.
 *
 * With velocity-level rows (rolling) positions are integrated from velocities by the Runge-Kutta
 * pair of Dormand and Prince and then corrected. */
#include "analysis/kinematics.h"

#include <limits.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "analysis/initial.h"
#include "analysis/mobility.h"
#include "base/text.h"
#include "integrate/dopri.h"

/* A step may move or turn bodies this far (in model lengths, radians). */
static const double longest_move = 0.3;

/* Steps shorter than this part of the way to the next instant are given up. */
static const double shortest_part = 1e-8;

/* --- one instant ---------------------------------------------------------------------------- */

/* All laws must be finite numbers. */
static lmb_status check_laws(const lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    for (int i = 0; i < m->driver_count; i++) {
        if (s->state->row_off[m->drivers[i].row])
            continue;
        lmb_jet f = s->state->laws[m->drivers[i].law];
        if (!isfinite(f.f) || !isfinite(f.d) || !isfinite(f.dd))
            return lmb_fail(s->context, LMB_SOLVER,
                            "the law of driver '%s' is not a finite number at t = %g "
                            "(value %g, first derivative %g, second %g)",
                            m->drivers[i].name, s->state->t, f.f, f.d, f.dd);
        const lmb_coordinate *c = &m->parts.coordinates[m->drivers[i].coordinate];
        if (c->kind == LMB_COORDINATE_LENGTH && f.f <= 0)
            return lmb_fail(s->context, LMB_SOLVER,
                            "the length that driver '%s' prescribes at t = %g is not positive (%g)",
                            m->drivers[i].name, s->state->t, f.f);
    }
    return LMB_OK;
}

/* The owners of the rows that take most part in a nearly vanishing combination, three at most. */
static void name_weakest(lmb_solver *s, char *text, size_t size)
{
    const lmb_model *m = s->state->model;
    lmb_row_owner named[3];
    text[0] = 0;
    lmb_solver_factor_with(s, s->metric, 1e-14);
    lmb_saddle_weakest(s->saddle, s->rows);
    for (int count = 0; count < 3;) {
        int row = 0;
        for (int r = 1; r < m->nrows; r++)
            if (fabs(s->rows[r]) > fabs(s->rows[row]))
                row = r;
        if (count && fabs(s->rows[row]) < 0.1)
            return;
        lmb_row_owner owner = lmb_owner_of_row(m, row);
        bool again = false;
        for (int i = 0; i < count; i++)
            again = again || named[i].name == owner.name;
        s->rows[row] = 0;
        if (again)
            continue;
        lmb_text_append(text, size, "%s%s '%s'", count ? ", " : "", owner.kind, owner.name);
        named[count++] = owner;
    }
}

/* Says that a mechanism has reached the end of its range; `what` cannot move on. */
static lmb_status report_lock_up(lmb_solver *s, double t, const char *what)
{
    lmb_status status = lmb_fail(s->context, LMB_SOLVER,
                                 "the mechanism locks up at t = %.10g: %s cannot move on", t, what);
    lmb_hint(s->context, "it has reached the end of its range there; check lengths and driver");
    return status;
}

/* Velocities must satisfy all rows; redundant ones may contradict the others. Near a singular
 * position the Jacobian is uncertain by the square root of what joints close to. */
static lmb_status check_consistency(lmb_kinematics *k, bool regular)
{
    lmb_solver *s = k->solver;
    int row = lmb_unsatisfied_beyond(s, regular ? 1e-6 : 10 * sqrt(lmb_closed));
    if (row < 0)
        return LMB_OK;
    if (!k->moving)
        return lmb_contradiction(s, row);
    char name[96]; /* it was consistent a moment ago */
    lmb_row_name(s->state->model, row, name, sizeof name);
    return report_lock_up(s, s->state->t, name);
}

/* Says that a position is singular; not more than a few times in a run. */
static void warn_singular(lmb_kinematics *k)
{
    enum { ENOUGH = 5 };
    lmb_solver *s = k->solver;
    char names[200];
    if (++k->singular_count > ENOUGH)
        return;
    name_weakest(s, names, sizeof names);
    lmb_warn(s->context,
             "singular position at t = %g (%s): velocities and forces are not unique there; those "
             "that continue the motion are given%s",
             s->state->t, names,
             k->singular_count == ENOUGH ? "; more such positions are not reported" : "");
}

/* Velocities, accelerations and reactions in a singular position: among all that satisfy the
 * equations, those nearest to what the last instant leads one to expect. */
static void solve_by_continuity(lmb_kinematics *k)
{
    lmb_solver *s = k->solver;
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    for (int i = 0; i < m->nv; i++)
        state->v[i] += k->last_step * state->a[i];
    lmb_correct_velocity(s);
    lmb_correct_acceleration(s);
    if (k->reactions)
        lmb_correct_reactions(s);
}

/* Velocities, accelerations and, if asked for, reactions at the present position. */
static lmb_status solve_instant(lmb_kinematics *k)
{
    lmb_solver *s = k->solver;
    bool regular = lmb_solver_factor_surely(s), continued = !regular && k->last_step > 0;
    if (continued)
        solve_by_continuity(k);
    else
        lmb_solve_velocity(s);
    if (k->rank.counts.redundant > 0 || !regular) {
        lmb_status status = check_consistency(k, regular);
        if (status)
            return status;
    }
    if (!continued)
        lmb_solve_acceleration(s);
    if (!continued && k->reactions)
        lmb_solve_reactions(s);
    if (!regular)
        warn_singular(k);
    return k->reactions ? lmb_friction_status(s->friction, s->state, s->context) : LMB_OK;
}

/* --- singular positions --------------------------------------------------------------------- */

/* Warns when the determinant has changed its sign since the last accepted instant. Where, follows
 * from the smallest pivots before and after, which go through zero nearly linearly. */
static void watch_determinant(lmb_kinematics *k, double before)
{
    lmb_solver *s = k->solver;
    int sign = lmb_saddle_orientation(s->saddle);
    double pivot = sign != 0 ? s->saddle->kind->condition(s->saddle) : 0;
    if (k->sign != 0 && sign != 0 && sign != k->sign && !k->branched) {
        double part = k->pivot / (k->pivot + pivot);
        char names[200];
        name_weakest(s, names, sizeof names);
        lmb_warn(s->context,
                 "the mechanism passes a branch point near t = %.5g (%s): from there it could move "
                 "in two ways, and the smooth one is followed",
                 before + part * (s->state->t - before), names);
        k->branched = true;
    }
    k->sign = sign;
    k->pivot = pivot;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* The expected change of positions over a step h, in s->step. */
static void predict(lmb_kinematics *k, double h)
{
    lmb_solver *s = k->solver;
    const lmb_state *state = s->state;
    double third = k->last_step > 0 ? h * h * h / (6 * k->last_step) : 0;
    for (int i = 0; i < state->model->nv; i++)
        s->step[i] =
            h * state->v[i] + h * h / 2 * state->a[i] + third * (state->a[i] - k->last_a[i]);
}

/* Newton from the predicted position; false if it fails or ends up far from there. */
static bool correct(lmb_kinematics *k)
{
    lmb_solver *s = k->solver;
    const lmb_model *m = s->state->model;
    memcpy(k->predicted, s->state->q, (size_t)m->nq * sizeof(double));
    if (!lmb_solve_position(s))
        return false;
    lmb_difference(m, k->predicted, s->state->q, s->step);
    return lmb_step_size(s, s->step) < 0.5 * longest_move * m->length;
}

/* Velocities at q and t for the integration; rates of the coordinates are returned. */
static void velocities_at(lmb_solver *s, double t, double *qdot)
{
    lmb_set_time(s->state, t);
    lmb_update_position(s->state);
    lmb_solver_factor(s);
    lmb_solve_velocity(s);
    lmb_rate(s->state, qdot);
}

/* One step of Dormand and Prince from q0; returns the estimated error in lengths. */
static double integrate(lmb_kinematics *k, double t, double h)
{
    lmb_solver *s = k->solver;
    size_t nq = (size_t)s->state->model->nq;
    for (int stage = 0; stage < LMB_DOPRI_STAGES; stage++) {
        for (size_t i = 0; i < nq; i++)
            s->state->q[i] =
                k->q0[i] + h * lmb_dopri_sum(lmb_dopri_a[stage], stage, k->stages, nq, i);
        velocities_at(s, t + lmb_dopri_c[stage] * h, k->stages + (size_t)stage * nq);
    }
    double error = 0;
    for (size_t i = 0; i < nq; i++)
        error =
            fmax(error, fabs(h * lmb_dopri_sum(lmb_dopri_e, LMB_DOPRI_STAGES, k->stages, nq, i)));
    memset(s->step, 0, (size_t)s->state->model->nv * sizeof(double));
    lmb_retract(s->state, s->state->q, s->step); /* makes quaternions unit again */
    return error / s->state->model->length;
}

/* Tries a step to t + h; false leaves the positions as they were. */
static bool try_step(lmb_kinematics *k, double t, double h)
{
    lmb_solver *s = k->solver;
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    memcpy(k->q0, state->q, (size_t)m->nq * sizeof(double));
    bool fine;
    if (k->integrated) {
        fine = integrate(k, t, h) < 1e-12 + 1e-11 * fabs(h);
    } else {
        predict(k, h);
        fine = lmb_step_size(s, s->step) < longest_move * m->length;
        lmb_retract(state, k->q0, s->step);
    }
    if (fine) {
        lmb_set_time(state, t + h);
        fine = correct(k);
    }
    if (!fine) {
        memcpy(state->q, k->q0, (size_t)m->nq * sizeof(double));
        lmb_set_time(state, t);
        lmb_update_position(state);
    }
    return fine;
}

/* Says why no step is short enough: a law that jumps, or a mechanism that locks up. */
static lmb_status report_stuck(lmb_kinematics *k, double t, double h)
{
    lmb_solver *s = k->solver;
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    for (int i = 0; i < m->driver_count; i++) {
        int law = m->drivers[i].law;
        if (state->row_off[m->drivers[i].row])
            continue;
        lmb_set_time(state, t);
        lmb_jet before = state->laws[law];
        lmb_set_time(state, t + h);
        double after = state->laws[law].f, change = fabs(after - before.f);
        if (change > 1e-3 && fabs(after - before.f - h * before.d) > change / 2) {
            lmb_fail(s->context, LMB_SOLVER, "the law of driver '%s' jumps from %g to %g at t = %g",
                     m->drivers[i].name, before.f, after, t);
            return lmb_hint(s->context, "use step(t, t0, h0, t1, h1) for a smooth transition");
        }
        if (change > 1e-3)
            return lmb_fail(s->context, LMB_SOLVER,
                            "the law of driver '%s' runs away at t = %g: its rate is %g",
                            m->drivers[i].name, t, before.d);
    }
    char names[200];
    lmb_set_time(state, t);
    lmb_update_position(state);
    lmb_jacobian(state);
    name_weakest(s, names, sizeof names);
    return report_lock_up(s, t, names);
}

static lmb_status step_accepted(lmb_kinematics *k, double before, double h)
{
    lmb_solver *s = k->solver;
    lmb_status status = check_laws(s);
    if (status)
        return status;
    memcpy(k->last_a, s->state->a, (size_t)s->state->model->nv * sizeof(double));
    k->last_step = h;
    status = solve_instant(k);
    if (!status) {
        k->moving = true;
        lmb_accept(s->state);
        watch_determinant(k, before);
    }
    return status;
}

/* Sets where joint angles are expected, so that they keep counting turns over the step. */
static void expect_turns(lmb_kinematics *k, double h)
{
    lmb_state *state = k->solver->state;
    const lmb_rows *parts = &state->model->parts;
    memcpy(k->turns, state->turn, (size_t)parts->turn_count * sizeof(double));
    for (int i = 0; i < parts->coordinate_count; i++) {
        const lmb_coordinate *c = &parts->coordinates[i];
        if (c->kind != LMB_COORDINATE_ANGLE)
            continue;
        lmb_jet angle = lmb_coordinate_value(state, c);
        state->turn[c->turn] = angle.f + h * angle.d + h * h / 2 * angle.dd;
    }
}

lmb_status lmb_kinematics_advance(lmb_kinematics *k, double end)
{
    lmb_state *state = k->solver->state;
    double span = end - state->t;
    double h = k->good_step > 0 && k->good_step < span ? k->good_step : span;
    while (state->t < end) {
        double t = state->t, left = end - t;
        bool last = h > 0.999 * left;
        if (last)
            h = left;
        expect_turns(k, h);
        if (!try_step(k, t, h)) {
            size_t turns = (size_t)state->model->parts.turn_count;
            memcpy(state->turn, k->turns, turns * sizeof(double));
            h /= 2;
            if (h < shortest_part * span)
                return report_stuck(k, t, 2 * h);
            continue;
        }
        if (last) /* no rounding in asked-for instants */
            state->t = end;
        lmb_status status = step_accepted(k, t, h);
        if (status)
            return status;
        if (!last || h == span)
            k->good_step = 2 * h;
        h = 2 * h;
    }
    return LMB_OK;
}

lmb_status lmb_kinematics_react(lmb_kinematics *k)
{
    lmb_solver *s = k->solver;
    if (!k->reactions)
        return LMB_OK;
    if (lmb_solver_factor_surely(s))
        lmb_solve_reactions(s);
    else
        lmb_correct_reactions(s);
    return lmb_friction_status(s->friction, s->state, s->context);
}

lmb_status lmb_kinematics_moved(lmb_kinematics *k)
{
    lmb_solver *s = k->solver;
    lmb_kinematics_restart(k);
    lmb_update(s->state, s->state->t);
    if (!lmb_solve_position(s)) {
        lmb_status status = lmb_assemble(s);
        if (status)
            return status;
    }
    lmb_status status = solve_instant(k);
    if (!status)
        lmb_accept(s->state);
    return status;
}

void lmb_kinematics_restart(lmb_kinematics *k)
{
    k->last_step = k->good_step = 0;
    k->sign = 0;
}

void lmb_kinematics_pack(lmb_kinematics *k, lmb_pack *pack)
{
    lmb_solver *s = k->solver;
    long sign = k->sign, singular = k->singular_count;
    lmb_state_pack(s->state, pack);
    lmb_pack_number(pack, &s->epsilon);
    lmb_pack_flags(pack, &s->through_singular, 1);
    lmb_pack_number(pack, &s->doubtful);
    lmb_pack_number(pack, &k->last_step);
    lmb_pack_numbers(pack, k->last_a, (size_t)s->state->model->nv);
    lmb_pack_integer(pack, &sign, -1, 1);
    lmb_pack_number(pack, &k->pivot);
    lmb_pack_number(pack, &k->good_step);
    lmb_pack_flags(pack, &k->moving, 1);
    lmb_pack_flags(pack, &k->branched, 1);
    lmb_pack_integer(pack, &singular, 0, INT_MAX);
    lmb_saddle_pack(s->saddle, pack);
    k->sign = (int)sign;
    k->singular_count = (int)singular;
}

/* --- life ------------------------------------------------------------------------------------- */

static lmb_status allocate(lmb_kinematics *k, lmb_context *context)
{
    const lmb_model *m = k->solver->state->model;
    lmb_arena *arena = k->solver->arena;
    size_t nq = (size_t)m->nq;
    k->last_a = lmb_arena_numbers(arena, m->nv);
    k->predicted = lmb_arena_numbers(arena, nq);
    k->q0 = lmb_arena_numbers(arena, nq);
    k->turns = lmb_arena_numbers(arena, m->parts.turn_count);
    k->stages = lmb_arena_numbers(arena, LMB_DOPRI_STAGES * nq);
    for (int r = 0; r < m->nrows; r++)
        k->integrated =
            k->integrated || (m->parts.rows[r].velocity_level && !k->solver->state->row_off[r]);
    return lmb_check_memory(context, arena);
}

static lmb_status begin(lmb_kinematics *k, lmb_context *context, const lmb_state *initial)
{
    lmb_solver *s = k->solver;
    lmb_state_copy(s->state, initial);
    lmb_set_time(s->state, initial->t);
    lmb_status status = allocate(k, context);
    if (status || (status = check_laws(s)) || (status = lmb_assemble(s)) ||
        (status = lmb_find_rank(s, &k->rank)) || (status = lmb_check_determined(s, &k->rank)) ||
        (status = solve_instant(k)) || (status = lmb_check_initial_rates(s)))
        return status;
    lmb_warn_redundant(s, &k->rank);
    lmb_accept(s->state);
    watch_determinant(k, initial->t);
    return LMB_OK;
}

lmb_status lmb_kinematics_new(lmb_kinematics **out, lmb_context *context, const lmb_model *model,
                              double start, bool reactions)
{
    *out = NULL;
    lmb_state *initial = lmb_state_at(model, start);
    if (!initial)
        return lmb_fail_memory(context);
    lmb_status status = lmb_kinematics_from(out, context, initial, reactions);
    lmb_state_free(initial);
    return status;
}

lmb_status lmb_kinematics_from(lmb_kinematics **out, lmb_context *context, const lmb_state *initial,
                               bool reactions)
{
    lmb_solver *solver;
    *out = NULL;
    lmb_status status = lmb_solver_for(&solver, context, initial);
    if (status)
        return status;
    lmb_kinematics *k = lmb_arena_alloc(solver->arena, 1, sizeof *k);
    if (k) {
        k->solver = solver;
        k->reactions = reactions;
    }
    status = k ? begin(k, context, initial) : lmb_fail_memory(context);
    if (status)
        lmb_solver_free(solver);
    else
        *out = k;
    return status;
}

void lmb_kinematics_free(lmb_kinematics *k)
{
    if (k)
        lmb_solver_free(k->solver);
}

/* --- in the table of analyses ----------------------------------------------------------------- */

static lmb_status start(lmb_course *c, lmb_context *context, const lmb_state *initial,
                        const lmb_analysis *a)
{
    lmb_status status;
    if (lmb_analysis_is_integrated(initial->model, a)) {
        status = lmb_course_integrate(c, context, initial, a);
        if (!status)
            status = lmb_check_determined(c->dynamics->solver, &c->dynamics->rank);
        if (!status)
            lmb_warn_stability(context, initial->model, a);
        return status;
    }
    if (a->integration.begin)
        return lmb_begin_useless(context, a->integration.begin);
    bool reactions = a->kind->known & LMB_KNOWN_REACTIONS;
    status = lmb_kinematics_from(&c->kinematics, context, initial, reactions);
    if (status)
        return status;
    c->state = c->kinematics->solver->state;
    c->counts = &c->kinematics->rank.counts;
    return LMB_OK;
}

const lmb_analysis_kind lmb_analysis_kinematics = {
    "kinematics", "positions, velocities and accelerations over time", LMB_KNOWN_MOTION,
    .start = start};

const lmb_analysis_kind lmb_analysis_inverse_dynamics = {
    "inverse-dynamics", "reactions and driver efforts too", LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS,
    .start = start};
