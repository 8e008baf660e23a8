/* Static equilibrium by Newton's method in the free directions (analysis/stiffness.h):
 *
 *   [ K + s W   Phi_q^T ] [ d ]   [ Q ]
 *   [ Phi_q        0    ] [ y ] = [ 0 ],   q (+) d, joints closed again,   Phi_q^T lambda = Q
 *
 * The shift s is 0 where K is positive in all free directions, else large enough to make it so. So
 * every step goes down the potential (a pendulum near its upper position leaves it) and the
 * equilibrium found is a stable one. Forces that turn with a body have no potential: K is not
 * symmetric, and if its determinant is positive the step is that of K itself.
 *
 * First-order states of bodies are where they do not change, zdot = 0.
 *
 * Where that fails the load is applied in steps: with H the forces Q in the first position, which
 * are what drives the mechanism away from there,
 *
 *   Q - (1 - s) H = 0,   s from 0 (where it rests as it is) to 1,
 *
 * and where that fails as well (a mechanism snaps through) the bodies are let move until they come
 * to rest (relaxation.c), with Newton's method for the last digits. */
#include "analysis/statics.h"

#include <float.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "analysis/stiffness.h"
#include "system/element_turns.h"
#include "math/late.h"
#include "system/first_order.h"

/* Room for the work of one search. */
typedef struct search {
    lmb_solver *solver;
    lmb_stiffness *stiffness;
    bool *turns;      /* nv: which coordinates are angles */
    double *start;    /* numbers of the state where a step begins */
    double *step;     /* nv: the whole step */
    double *held;     /* nv: H, the load that is applied in steps */
    double share;     /* of it that acts: 1 for all */
    double left;      /* size of the forces that are left over */
    double reach;     /* the longest step in lengths */
    int steps;        /* that were needed */
    int iterations;   /* in all */
    bool circulatory; /* some forces have no potential */
    bool exact;       /* for these: K as it is gives the step */
    bool unstable;    /* K is negative in some free direction */
} search;

/* The forces without the part of the load that does not act yet. */
static void find_force(const search *f)
{
    lmb_solver *s = f->solver;
    lmb_total_force(s->state, s->force);
    for (int j = 0; f->share < 1 && j < s->state->model->nv; j++)
        s->force[j] -= (1 - f->share) * f->held[j];
}

/* Reactions, and the size of what they leave of the forces, in the metric of the model. */
static double imbalance(const search *f)
{
    lmb_solver *s = f->solver;
    lmb_update_velocity(s->state);
    if (!lmb_first_order_settle(s->state, 0, NULL))
        return NAN;
    lmb_solver_factor(s);
    find_force(f);
    lmb_saddle_solve(s->saddle, s->force, NULL, s->step, s->state->lambda);
    return lmb_step_size(s, s->step);
}

double lmb_imbalance(lmb_solver *s)
{
    return imbalance(&(search){.solver = s, .share = 1});
}

/* The largest generalised force. Moments are divided by a length, modal forces are not. */
static double largest_force(const lmb_model *m, const double *force)
{
    double largest = 0;
    for (int j = 0; j < m->nv; j++) {
        bool mode = m->columns[j].class == LMB_CLASS_MODE;
        largest = fmax(largest, fabs(force[j]) / (mode ? 1 : m->columns[j].size));
    }
    return largest;
}

double lmb_typical_force(const lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    double largest = largest_force(m, s->force);
    for (int r = 0; r < m->nrows; r++)
        largest = fmax(largest, fabs(s->state->lambda[r]) / m->sparse_rows[r].scale);
    return largest;
}

/* The size of a force, or of a moment over the length of the model, of all its pairs together
 * without regard of directions. */
static double size_of(const lmb_state *s, const lmb_force *f, lmb_force_at *at)
{
    double sum = 0;
    for (int pair = 0; pair < f->pair_count; pair++) {
        lmb_force_go_to(s, f, pair, at);
        lmb_frame on_B = lmb_force_on_B(f, at);
        double size = v3_norm(on_B.p);
        for (int k = 0; k < 3; k++) /* a moment m is the forces m x e / 2 on the axes */
            size = fmax(size, 2 * v3_norm(on_B.e[k]) / s->model->length);
        sum += size;
    }
    return sum;
}

/* That of the heaviest body. */
static double weight(const lmb_state *s)
{
    double largest = 0;
    for (int i = 1; i < s->model->body_count; i++)
        largest = fmax(largest, s->model->bodies[i].mass);
    return largest * v3_norm(lmb_present_gravity(s));
}

double lmb_largest_load(const lmb_state *s)
{
    const lmb_model *m = s->model;
    double largest = weight(s);
    for (int i = 0; i < m->force_count; i++) {
        lmb_force_at at = lmb_force_input(s, &m->forces[i]);
        if (s->force_off[i])
            continue;
        largest = fmax(largest, size_of(s, &m->forces[i], &at));
    }
    return largest;
}

bool lmb_is_circulatory(const lmb_state *s)
{
    for (int i = 0; i < s->model->force_count; i++) {
        const lmb_force *f = &s->model->forces[i];
        bool alone = f->type->is_circulatory && f->type->is_circulatory(f);
        if ((alone || f->input_count) && !s->force_off[i])
            return true;
    }
    return s->model->nz > 0;
}

/* Factorises K as it is where that gives the step, else K + s W with the smallest of a few shifts
 * that makes it positive in all free directions. A direction without stiffness gets next to none.
 */
static lmb_status find_curvatures(search *f, double typical)
{
    lmb_stiffness *k = f->stiffness;
    double L = f->solver->state->model->length, least = 1e-9 * typical / L, last = k->shift;
    lmb_stiffness_update(k, typical / L);
    int sign = f->circulatory ? lmb_stiffness_factor_exact(k) : 0;
    f->exact = sign > 0 || (sign < 0 && f->left <= 1e-2 * typical); /* near it, whatever it is */
    f->unstable = false;
    if (f->exact)
        return LMB_OK;
    lmb_status status = lmb_stiffness_factor(k, 0);
    f->unstable = k->negative > 0;
    double shift = f->unstable ? fmax(last / 4, 1e-6 * k->size) : fmax(least, 1e-14 * k->size);
    for (; !status && k->negative + k->null > 0 && isfinite(shift); shift *= 8)
        status = lmb_stiffness_factor(k, shift);
    return status;
}

/* The step of K + s W, or of K as it is, from the force in s->force. */
static lmb_status newton_step(search *f)
{
    lmb_solver *s = f->solver;
    if (!f->exact)
        return lmb_stiffness_solve(f->stiffness, s->force, s->step);
    lmb_stiffness_solve_exact(f->stiffness, s->force, s->step, s->rows);
    return LMB_OK;
}

/* At rest where the potential is not lowest: a small step down. `left` is false if it is lowest. */
static lmb_status leave_unstable(search *f, double typical, bool *left)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double curvature = 0;
    *left = false;
    if (!f->unstable || f->exact)
        return LMB_OK;
    double highest = lmb_stiffness_highest(f->stiffness, s->step);
    lmb_status status = lmb_stiffness_lowest(f->stiffness, s->step, &curvature);
    *left = curvature < -1e-6 * fmax(typical / m->length, highest);
    cblas_dscal(m->nv, 1e-3 * m->length, s->step, 1);
    return status;
}

/* The potential of gravity, springs and forces of a fixed direction. Other laws have none, nor has
 * a part of the load: then nothing is compared. */
static double potential(const search *f)
{
    const lmb_state *s = f->solver->state;
    double sum = 0;
    if (f->share < 1 || s->model->nz > 0)
        return 0;
    for (int i = 0; i < s->model->force_count; i++) {
        const lmb_force *force = &s->model->forces[i];
        lmb_force_at at = lmb_force_input(s, force);
        if (s->force_off[i] || !force->law)
            continue;
        for (int k = 0; k < force->pair_count; k++) {
            lmb_force_go_to(s, force, k, &at);
            double part = force->type->potential ? force->type->potential(force, &at) : NAN;
            if (isnan(part))
                return 0;
            sum += part;
        }
    }
    lmb_balance b = lmb_total_balance(s);
    return sum + b.potential + lmb_elastic_energy_with(s, &b);
}

double lmb_extent(const lmb_state *s)
{
    const lmb_model *m = s->model;
    double extent = m->length;
    for (int island = 0; island < m->island_count; island++) {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (int i = 0; i < m->parts.marker_count; i++)
            for (int k = 0; k < 3 && m->island_of[m->parts.markers[i].body] == island; k++) {
                low[k] = fmin(low[k], v3_get(s->frames[i].p, k));
                high[k] = fmax(high[k], v3_get(s->frames[i].p, k));
            }
        double size = v3_norm(v3(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
        extent = fmax(extent, m->islands[island].magnified * (isfinite(size) ? size : 0));
    }
    return extent;
}

/* The part of a step that may be taken: angles change by 0.4 at most, lengths by the reach. */
static double sensible(const search *f)
{
    const lmb_model *m = f->solver->state->model;
    double turn = 0, length = 0;
    for (int j = 0; j < m->nv; j++) {
        bool angle = lmb_class_turns(m->columns[j].class);
        double size = fabs(f->solver->step[j]) * (angle ? 1 : m->columns[j].size);
        *(angle ? &turn : &length) = fmax(angle ? turn : length, size);
    }
    double fraction = turn > 0.4 ? 0.4 / turn : 1;
    return fraction * length > f->reach ? f->reach / length : fraction;
}

/* Goes back to where the last step began. */
static void take_back(search *f)
{
    lmb_state *s = f->solver->state;
    memcpy(s->q, f->start, s->number_count * sizeof(double));
    lmb_update_position(s);
}

/* Whether the forces where the state is have a value. */
static bool has_forces(lmb_solver *s)
{
    double sum = 0;
    lmb_update_velocity(s->state);
    lmb_total_force(s->state, s->force);
    for (int j = 0; j < s->state->model->nv; j++)
        sum += s->force[j];
    return !isnan(sum);
}

/* Makes the step, no longer than is sensible, and closes the joints; halves it while they do not
 * close, the potential rises or the forces have no value. False if that does not help. The reach of
 * the next step is longer, if there is a potential to watch it, or shorter. */
static bool move(search *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double before = potential(f), fraction = sensible(f);
    memcpy(f->start, s->state->q, s->state->number_count * sizeof(double));
    memcpy(f->step, s->step, (size_t)m->nv * sizeof(double));
    if (before != 0)
        f->reach *= 4;
    for (int i = 0; i < 30; i++, fraction /= 2) {
        for (int j = 0; j < m->nv; j++)
            s->step[j] = fraction * f->step[j];
        if (i > 0)
            f->reach = lmb_step_size(s, s->step);
        memcpy(s->state->q, f->start, s->state->number_count * sizeof(double));
        lmb_retract(s->state, f->start, s->step);
        lmb_solver_hold(s, f->turns);
        bool closed = lmb_solve_position(s);
        lmb_solver_hold(s, NULL);
        lmb_follow_turns(s->state);
        if (closed && potential(f) <= before + 1e-12 * fabs(before) && has_forces(s))
            return true;
    }
    take_back(f);
    return false;
}

/* Says that zdot = 0 has no solution. */
static lmb_status no_rest_of_states(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    char name[128];
    lmb_first_order_name(m, 0, name, sizeof name);
    lmb_fail(s->context, LMB_SOLVER, "no equilibrium is found: a first-order state keeps changing");
    return lmb_hint(s->context, "states such as '%s' must have a value at which they rest", name);
}

/* Says why the forces of a position have no value. */
static lmb_status fail_not_finite(lmb_solver *s)
{
    if (lmb_not_finite(s, s->state->t))
        return LMB_SOLVER;
    return s->state->model->nz > 0 ? no_rest_of_states(s)
                                   : lmb_fail(s->context, LMB_SOLVER,
                                              "no equilibrium found: the forces are not finite");
}

/* One more step from a position at rest, for the last digits; it is taken back if it is none
 * better. */
static lmb_status polish(search *f)
{
    double before = f->left;
    find_force(f);
    lmb_status status = newton_step(f);
    bool moved = !status && move(f);
    f->left = status ? before : imbalance(f);
    if (!moved || f->left <= before)
        return status;
    take_back(f);
    f->left = imbalance(f);
    return LMB_OK;
}

/* Newton's method, at most so many steps. */
static lmb_status newton(search *f, int most, bool *found)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double held = f->share < 1 ? largest_force(m, f->held) : 0;
    *found = false;
    f->reach = 0.4 * lmb_extent(s->state);
    f->left = imbalance(f);
    for (int i = 0; i < most; i++, f->iterations++) {
        lmb_status status = lmb_continue(s->context, "statics", 0);
        if (status)
            return status;
        /* of this position: on the way to it forces may have been huge */
        double typical = fmax(held, fmax(lmb_typical_force(s), lmb_largest_load(s->state)));
        lmb_log_iteration(s, i + 1, 0, f->left, 0);
        if (isnan(f->left))
            return fail_not_finite(s);
        bool rests = f->left <= 1e-11 * typical || typical == 0;
        bool leaves = false;
        status = find_curvatures(f, typical);
        if (!status && rests && f->share == 1)
            status = leave_unstable(f, typical, &leaves);
        *found = !status && rests && !leaves;
        f->steps = i;
        if (status || *found)
            return status ? status : polish(f);
        find_force(f);
        if (!rests && (status = newton_step(f)))
            return status;
        bool moved = move(f);
        double before = f->left;
        f->left = imbalance(f);
        /* stiff bodies make forces of rounding; but where these are as large as the weight, far
         * away, nothing is at rest */
        double rounding = 4 * DBL_EPSILON * f->stiffness->size * lmb_extent(s->state);
        double heaviest = weight(s->state);
        if (heaviest > 0)
            rounding = fmin(rounding, 1e-2 * heaviest);
        *found = (!moved || f->left > before / 2) && f->left <= fmax(1e-7 * typical, rounding);
        if (*found || !moved)
            return LMB_OK;
    }
    return LMB_OK;
}

/* Goes back to a state that was kept. */
static void go_back(search *f, const lmb_state *kept)
{
    lmb_state_copy(f->solver->state, kept);
    lmb_update(f->solver->state, kept->t);
}

/* The load in steps, each from the equilibrium of the last: longer after one that took few
 * iterations, shorter where Newton fails. Many short steps end after MOST_ITERATIONS in all. */
static lmb_status apply_in_steps(search *f, lmb_state *kept, bool *found)
{
    enum { MOST_STEPS = 25, FEW = 10, MOST_ITERATIONS = 10000 };
    double share = 0, step = 0.1;
    lmb_total_force(f->solver->state, f->held);
    while (share < 1 && step > 1e-4 && f->iterations < MOST_ITERATIONS) {
        f->share = fmin(1, share + step);
        lmb_status status = newton(f, MOST_STEPS, found);
        if (status)
            return status;
        lmb_log(f->solver->context, "load %g: %s", f->share, *found ? "in equilibrium" : "failed");
        if (*found) {
            share = f->share;
            step *= f->steps <= FEW ? 2 : 1;
            lmb_state_copy(kept, f->solver->state);
        } else {
            step /= 4;
            go_back(f, kept);
        }
    }
    f->share = 1;
    *found = share == 1;
    return LMB_OK;
}

/* Moves until it comes nearly to rest, then Newton; nearer if that was not near enough. */
static lmb_status relax(search *f, bool *found)
{
    lmb_status status = LMB_OK;
    *found = false;
    for (double part = 1e-2; !status && !*found && part > 1e-8; part *= 0.03) {
        if (!lmb_relax(f->solver, part))
            return LMB_OK;
        status = newton(f, 100, found);
    }
    return status;
}

int lmb_largest_entry(const lmb_model *m, const double *step)
{
    int at = 0;
    for (int j = 1; j < m->nv; j++)
        if (fabs(step[j]) * m->columns[j].size > fabs(step[at]) * m->columns[at].size)
            at = j;
    return at;
}

/* Lowers the shift as far as K + s W stays positive, so that its lowest direction stands out. */
static lmb_status lower_shift(lmb_stiffness *k)
{
    const double part = 0.125;
    double shift = k->shift, least = 1e-14 * k->size;
    lmb_status status = LMB_OK;
    while (!status && k->negative + k->null == 0 && part * shift > least) {
        shift *= part;
        status = lmb_stiffness_factor(k, shift);
    }
    return status || k->negative + k->null == 0 ? status : lmb_stiffness_factor(k, shift / part);
}

/* Says if the equilibrium that was found is not stable, as a straight column under more than its
 * critical load: it bends only in directions far softer than others, which are not left. */
static lmb_status warn_unstable(search *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double curvature = 0, typical = fmax(lmb_typical_force(s), lmb_largest_load(s->state));
    lmb_status status = f->circulatory ? LMB_OK : find_curvatures(f, typical);
    if (status || !f->unstable)
        return status;
    double highest = lmb_stiffness_highest(f->stiffness, s->step);
    if ((status = lower_shift(f->stiffness)) ||
        (status = lmb_stiffness_lowest(f->stiffness, s->step, &curvature)))
        return status;
    if (curvature >= -fmax(1e-6 * typical / m->length, 1e-12 * highest))
        return LMB_OK;
    char name[128];
    lmb_column_name(m, lmb_largest_entry(m, s->step), name, sizeof name);
    lmb_warn(s->context, "the equilibrium is unstable: '%s' would move away from it most", name);
    return lmb_hint(
        s->context,
        "a small load across leads to the stable one; 'follow: arc' with 'branch: true' does, too");
}

/* One method after the other. */
static lmb_status find(search *f, lmb_state *kept)
{
    enum { MOST_STEPS = 200 };
    lmb_context *context = f->solver->context;
    const lmb_model *m = f->solver->state->model;
    const char *method = "Newton's method";
    bool found;
    lmb_state_copy(kept, f->solver->state);
    lmb_status status = newton(f, MOST_STEPS, &found);
    if (!status && !found) {
        method = "applying the load in steps";
        go_back(f, kept);
        status = apply_in_steps(f, kept, &found);
    }
    if (!status && !found) { /* from as far as the load could be applied */
        method = "dynamic relaxation";
        status = relax(f, &found);
    }
    if (status || (status = lmb_check_element_turns(context, f->solver->state)))
        return status;
    if (found) {
        lmb_log(context, "equilibrium found by %s", method);
        return warn_unstable(f);
    }
    double left = lmb_imbalance(f->solver);
    char name[128];
    lmb_column_name(m, lmb_largest_entry(m, f->solver->step), name, sizeof name);
    lmb_fail(context, LMB_SOLVER,
             "no equilibrium found: unbalanced forces of %g remain, most on '%s', after %d "
             "iterations of Newton's method",
             left, name, f->iterations);
    return lmb_hint(context, "a motion may be unrestrained: `limber check` names the degrees of "
                             "freedom; give each a spring, or a better initial position");
}

lmb_status lmb_find_equilibrium(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    lmb_state *kept = lmb_state_new(m);
    lmb_arena *arena = kept ? kept->arena : NULL;
    search f = {.solver = s,
                .share = 1,
                .circulatory = lmb_is_circulatory(s->state),
                .turns = lmb_arena_alloc(arena, n, sizeof(bool)),
                .step = lmb_arena_numbers(arena, n),
                .held = lmb_arena_numbers(arena, n),
                .start = lmb_arena_numbers(arena, s->state->number_count)};
    memset(s->state->v, 0, n * sizeof(double));
    memset(s->state->a, 0, n * sizeof(double));
    lmb_status status = lmb_check_memory(s->context, arena);
    for (size_t j = 0; j < n && !status; j++)
        f.turns[j] = m->columns[j].class == LMB_CLASS_ANGLE;
    if (!status && !(status = lmb_stiffness_new(&f.stiffness, s)))
        status = find(&f, kept);
    lmb_stiffness_free(f.stiffness);
    lmb_state_free(kept);
    return status;
}

lmb_status lmb_solve_statics(lmb_solver *s, const lmb_analysis *analysis)
{
    (void)analysis;
    return lmb_find_equilibrium(s);
}

const lmb_analysis_kind lmb_analysis_statics = {
    "statics", "the static equilibrium (position at rest)", LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS,
    .timeless = "statics takes", .solve = lmb_solve_statics};
