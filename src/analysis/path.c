/* Steps along a path of equilibria, and its critical points. */
#include "analysis/path.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statics.h"
#include "math/late.h"
#include "system/element_turns.h"

static const lmb_model *model_of(const lmb_path_walk *w)
{
    return w->solver->state->model;
}

/* d^T W d' / n */
static double product(const lmb_path_walk *w, const double *x, const double *y)
{
    return lmb_metric_product(model_of(w), x, y) / model_of(w)->nv;
}

/* --- life ------------------------------------------------------------------------------------- */

static lmb_path_point new_point(lmb_arena *arena, const lmb_state *s)
{
    return (lmb_path_point){.numbers = lmb_arena_numbers(arena, s->number_count),
                            .tangent = lmb_arena_numbers(arena, s->model->nv)};
}

static void copy_point(const lmb_state *s, lmb_path_point *to, const lmb_path_point *from)
{
    memcpy(to->numbers, from->numbers, s->number_count * sizeof(double));
    memcpy(to->tangent, from->tangent, (size_t)s->model->nv * sizeof(double));
    to->rate = from->rate;
    to->load = from->load;
    to->unstable = from->unstable;
}

/* Puts the state where a point is. */
static void put(lmb_path_walk *w, const lmb_path_point *p)
{
    lmb_state *s = w->solver->state;
    memcpy(s->q, p->numbers, s->number_count * sizeof(double));
    s->load = p->load;
    lmb_update_position(s);
    lmb_update_velocity(s);
}

/* P = dQ/ds, and the forces Q in s->force. */
static void find_load(lmb_path_walk *w)
{
    lmb_solver *s = w->solver;
    double load = s->state->load;
    s->state->load = 1;
    lmb_total_force(s->state, w->P);
    s->state->load = 0;
    lmb_total_force(s->state, s->force);
    cblas_daxpy(model_of(w)->nv, -1, s->force, 1, w->P, 1);
    s->state->load = load;
    lmb_total_force(s->state, s->force);
}

/* Whether the number of unstable directions where the state is is odd. Rounding moves the point
 * where the determinant changes its sign less than the limit of pivots that count as null. */
static bool is_odd(lmb_path_walk *w)
{
    lmb_jacobian(w->solver->state);
    lmb_stiffness_update(w->stiffness, w->typical / model_of(w)->length);
    int sign = lmb_stiffness_factor_exact(w->stiffness);
    w->singular = sign == 0;
    return sign < 0;
}

/* The number of unstable directions of `here`, where the state is. */
static lmb_status find_stability(lmb_path_walk *w)
{
    if (w->circulatory) {
        w->here.unstable = is_odd(w);
        return LMB_OK;
    }
    lmb_jacobian(w->solver->state);
    lmb_stiffness_update(w->stiffness, w->typical / model_of(w)->length);
    lmb_status status = lmb_stiffness_factor(w->stiffness, 0);
    w->here.unstable = w->stiffness->negative;
    w->singular = w->stiffness->null > 0;
    return status;
}

/* The tangent at the present state, which is an equilibrium, in `here`; with the sign that goes on
 * from `last`, or at first to a larger load. False: the stiffness is singular. */
static lmb_status find_tangent(lmb_path_walk *w, bool first, bool *regular)
{
    const lmb_model *m = model_of(w);
    lmb_path_point *p = &w->here;
    lmb_status status = find_stability(w);
    *regular = !status && lmb_stiffness_factor_exact(w->stiffness) != 0;
    if (!*regular)
        return status;
    find_load(w);
    lmb_stiffness_solve_exact(w->stiffness, w->P, p->tangent, w->solver->rows);
    if (first)
        w->D = fmax(sqrt(product(w, p->tangent, p->tangent)), 1e-3 * m->length);
    double norm = sqrt(product(w, p->tangent, p->tangent) + w->D * w->D);
    double forward = product(w, p->tangent, w->last.tangent) + w->D * w->D * w->last.rate;
    double sign = first || !w->arc || forward > 0 ? 1 : -1;
    cblas_dscal(m->nv, sign / norm, p->tangent, 1);
    p->rate = sign / norm;
    *regular = isfinite(norm);
    return LMB_OK;
}

/* Takes the present state into `here`. */
static void keep(lmb_path_walk *w)
{
    const lmb_state *s = w->solver->state;
    memcpy(w->here.numbers, s->q, s->number_count * sizeof(double));
    w->here.load = s->load;
}

lmb_status lmb_path_start(lmb_path_walk **out, lmb_solver *solver, bool arc)
{
    const lmb_model *m = solver->state->model;
    lmb_arena *arena;
    lmb_path_walk *w = lmb_arena_object(&arena, sizeof *w);
    *out = NULL;
    if (!w)
        return lmb_fail_memory(solver->context);
    *w = (lmb_path_walk){.solver = solver,
                         .arc = arc,
                         .circulatory = lmb_is_circulatory(solver->state),
                         .arena = arena};
    double **const vectors[] = {&w->P, &w->d_P, &w->d_Q, &w->d};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = lmb_arena_numbers(arena, m->nv);
    w->spare = lmb_arena_numbers(arena, solver->state->number_count);
    w->turns = lmb_arena_alloc(arena, (size_t)m->nv + 1, sizeof(bool));
    w->here = new_point(arena, solver->state);
    w->last = new_point(arena, solver->state);
    bool regular = true;
    lmb_status status = lmb_check_memory(solver->context, arena);
    for (int j = 0; j < m->nv && !status; j++)
        w->turns[j] = m->columns[j].class == LMB_CLASS_ANGLE;
    if (!status && !(status = lmb_stiffness_new(&w->stiffness, solver))) {
        lmb_imbalance(solver);
        w->typical = fmax(lmb_typical_force(solver), lmb_largest_load(solver->state));
        keep(w);
        status = find_tangent(w, true, &regular);
    }
    if (!status && !regular) {
        status = lmb_fail(solver->context, LMB_SOLVER,
                          "no path begins here: without the load nothing holds the mechanism");
        lmb_hint(solver->context, "`limber check` names the degrees of freedom; give each a "
                                  "spring, or leave out 'follow'");
    }
    if (status)
        lmb_path_free(w);
    else
        *out = w;
    return status;
}

void lmb_path_free(lmb_path_walk *w)
{
    if (!w)
        return;
    lmb_stiffness_free(w->stiffness);
    lmb_arena_free(w->arena);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Moves by d and closes the joints without turning bodies back; false if it turns too far, or they
 * do not close. */
static bool move(lmb_path_walk *w, const double *d, double ds)
{
    lmb_solver *s = w->solver;
    for (int j = 0; j < model_of(w)->nv; j++)
        if (w->turns[j] && !(fabs(d[j]) < 1))
            return false;
    s->state->load += ds;
    lmb_retract(s->state, s->state->q, d);
    lmb_solver_hold(s, w->turns);
    bool closed = lmb_solve_position(s);
    lmb_solver_hold(s, NULL);
    lmb_follow_turns(s->state);
    return closed;
}

/* One Newton step towards the point that is h away from `last`; false if it cannot be made. */
static bool correct(lmb_path_walk *w, double h)
{
    lmb_solver *s = w->solver;
    const lmb_model *m = model_of(w);
    const lmb_path_point *from = &w->last;
    double ds = 0;
    lmb_stiffness_update(w->stiffness, w->typical / m->length);
    if (lmb_stiffness_factor_exact(w->stiffness) == 0)
        return false;
    find_load(w);
    lmb_stiffness_solve_exact(w->stiffness, s->force, w->d_Q, s->rows);
    if (w->arc) {
        lmb_stiffness_solve_exact(w->stiffness, w->P, w->d_P, s->rows);
        lmb_difference(m, from->numbers, s->state->q, w->d);
        double weight = w->D * w->D * from->rate;
        ds = (h - product(w, from->tangent, w->d) - weight * (s->state->load - from->load) -
              product(w, from->tangent, w->d_Q)) /
             (product(w, from->tangent, w->d_P) + weight);
        cblas_daxpy(m->nv, ds, w->d_P, 1, w->d_Q, 1);
    }
    return isfinite(ds) && isfinite(cblas_dasum(m->nv, w->d_Q, 1)) && move(w, w->d_Q, ds);
}

/* Newton's method from the predicted point. */
static bool converge(lmb_path_walk *w, double h)
{
    enum { MOST_ITERATIONS = 25 };
    lmb_solver *s = w->solver;
    double before = INFINITY;
    for (w->iterations = 0; w->iterations < MOST_ITERATIONS; w->iterations++, w->total++) {
        double left = lmb_imbalance(s);
        int worst = lmb_largest_entry(model_of(w), s->step);
        /* forces on the way to a point may be huge: those at points that were found count */
        double typical = fmax(w->typical, lmb_largest_load(s->state));
        lmb_log_iteration(s, w->iterations + 1, 0, left, 0);
        bool enough = left <= 1e-11 * typical || typical == 0;
        double least = 4 * DBL_EPSILON * w->stiffness->size * lmb_extent(s->state); /* rounding */
        bool rounding = left > before / 2 && left <= fmax(1e-8 * typical, least);
        if (enough || rounding) {
            w->typical = fmax(typical, lmb_typical_force(s));
            w->worst = -1;
            return true;
        }
        w->worst = worst;
        if (!isfinite(left) || !correct(w, h))
            return false;
        before = left;
    }
    return false;
}

/* Whether the point found is where the tangent led to: no farther from the predicted one than that
 * is from the last, and going on in about the same direction. */
static bool near_tangent(lmb_path_walk *w, double h)
{
    const lmb_model *m = model_of(w);
    const lmb_path_point *from = &w->last, *to = &w->here;
    double weight = w->D * w->D, along = w->arc ? h : h / from->rate;
    lmb_difference(m, from->numbers, to->numbers, w->d);
    cblas_daxpy(m->nv, -along, from->tangent, 1, w->d, 1);
    double off = to->load - from->load - along * from->rate;
    double turned = product(w, from->tangent, to->tangent) + weight * from->rate * to->rate;
    bool near = sqrt(product(w, w->d, w->d) + weight * off * off) <= 0.3 * fabs(along);
    if (!near)
        w->worst = lmb_largest_entry(m, w->d);
    return near && turned > 0.9;
}

/* Takes a step; the point found becomes `here`, without its tangent. */
static bool advance(lmb_path_walk *w, double h)
{
    const lmb_model *m = model_of(w);
    w->worst = -1;
    copy_point(w->solver->state, &w->last, &w->here);
    double along = w->arc ? h : h / w->last.rate;
    memcpy(w->d, w->last.tangent, (size_t)m->nv * sizeof(double));
    cblas_dscal(m->nv, along, w->d, 1);
    bool done = move(w, w->d, along * w->last.rate) && converge(w, h);
    if (done)
        keep(w);
    return done;
}

lmb_status lmb_path_step(lmb_path_walk *w, double h, bool *done)
{
    *done = advance(w, h);
    lmb_status status = *done ? find_tangent(w, false, done) : LMB_OK;
    *done = *done && near_tangent(w, h);
    if (!*done)
        lmb_path_back(w);
    return status ? status : lmb_check_element_turns(w->solver->context, w->solver->state);
}

void lmb_path_back(lmb_path_walk *w)
{
    copy_point(w->solver->state, &w->here, &w->last);
    put(w, &w->here);
}

/* --- critical points -------------------------------------------------------------------------- */

/* The direction in which the stiffness is nearest to zero. */
static lmb_status find_mode(lmb_path_walk *w, double *mode)
{
    double curvature;
    lmb_stiffness *k = w->stiffness;
    lmb_jacobian(w->solver->state);
    lmb_stiffness_update(k, w->typical / model_of(w)->length);
    if (w->circulatory && lmb_stiffness_factor_exact(k) != 0) {
        lmb_stiffness_null(k, mode);
        return LMB_OK;
    }
    lmb_status status = lmb_stiffness_factor(k, 1e-9 * k->size);
    return status ? status : lmb_stiffness_lowest(k, mode, &curvature);
}

/* How far the points of two shorter steps are from each other, over the whole step. */
static double gap(lmb_path_walk *w, double h, double low, double high)
{
    const lmb_model *m = model_of(w);
    double along = w->arc ? h : h / w->last.rate;
    lmb_path_back(w);
    if (!advance(w, low * h))
        return 0;
    memcpy(w->spare, w->here.numbers, w->solver->state->number_count * sizeof(double));
    lmb_path_back(w);
    if (!advance(w, high * h))
        return 0;
    lmb_difference(m, w->spare, w->here.numbers, w->d);
    return sqrt(product(w, w->d, w->d)) / fabs(along);
}

/* Bisection with the signs of pivots, or of the determinant, alone: near a bifurcation the tangent
 * is lost in rounding. */
lmb_status lmb_path_critical(lmb_path_walk *w, double h, double *mode, bool *limit, bool *jump)
{
    enum { BISECTIONS = 40 };
    int before = w->last.unstable;
    double low = 0, high = 1;
    lmb_status status = LMB_OK;
    bool done = true, one = abs(w->here.unstable - before) == 1;
    *limit = w->last.rate * w->here.rate < 0;
    lmb_path_back(w);
    bool odd = one && is_odd(w);
    for (int i = 0; i < BISECTIONS && !status; i++) {
        double middle = low + (done ? 0.5 : 0.37) * (high - low); /* beside a point that failed */
        lmb_path_back(w);
        done = advance(w, middle * h);
        if (!done)
            continue;
        bool same = one && is_odd(w) == odd;
        if (!one && !(status = find_stability(w)))
            same = w->here.unstable == before;
        *(same ? &low : &high) = middle;
        if (w->singular)
            break;
    }
    *jump = !status && gap(w, h, low, high) > 0.05;
    lmb_path_back(w);
    advance(w, low * h);
    return status ? status : find_mode(w, mode);
}

void lmb_path_turn(lmb_path_walk *w, const double *mode)
{
    const lmb_model *m = model_of(w);
    int most = lmb_largest_entry(m, mode);
    double size = copysign(sqrt(product(w, mode, mode)), mode[most]);
    for (int j = 0; j < m->nv; j++)
        w->here.tangent[j] = mode[j] / size;
    w->here.rate = 0;
}
