/* Steps of the generalized-alpha method.
 *
 * Newton's method on (psi, lambda), with the dynamic equations times beta h^2 and multipliers in
 * the same units, so that the matrix stays well conditioned as h goes to zero:
 *
 *   [ (1-am)/(1-af) M + gamma h C + beta h^2 K T   Phi_q^T ] [ dpsi             ]   [ -beta h^2 r ]
 *   [ Phi_q T                                      -eps    ] [ beta h^2 dlambda ] = [ -Phi        ]
 *
 * T is the tangent operator of (+) at psi; where friction depends on lambda, the upper right block
 * is Phi_q^T - dQ/dlambda. The matrix (system/saddle.h) may be an older or simpler one: the
 * equations solved are the exact ones.
 *
 * A velocity-level row (rolling) holds at the end of the step: it reads c (B v + b) = 0 with
 * c = beta h / gamma, so that c B dv = B dpsi, and B + c (B v + b)_q T stands for Phi_q T.
 *
 * The small eps keeps the matrix regular where rows repeat others; a proximal iteration removes its
 * effect. There, the part of lambda that does nothing (Phi_q^T lambda = 0) would grow by rounding,
 * and is taken out before every step.
 *
 * First-order states z of bodies are treated as velocities are: with their rates f for a and zeta
 * for the algorithmic accelerations,
 *
 *   z = z_0 + h ((1 - gamma) zeta_0 + gamma zeta),  (1 - am) zeta + am zeta_0 = (1 - af) f + af f_0
 *
 * is r (z - c) = f, so that z follows from psi (system/first_order.h). */
#include "integrate/alpha_internal.h"

#include <float.h>
#include <string.h>

#include "math/small.h"
#include "system/first_order.h"
#include "system/solver.h"

void lmb_alpha_start(lmb_alpha *a, const lmb_state *s, const double *jerk, double h, bool redundant)
{
    a->redundant = redundant;
    a->past = 0;
    /* alpha belongs to the instant t + (am - af) h */
    for (int i = 0; i < s->model->nv; i++)
        a->alpha[i] = s->a[i] + (a->am - a->af) * h * jerk[i];
    lmb_state_rate(s, a->zdot);
    for (int i = 0; i < s->model->nz; i++)
        a->zeta[i] = a->zdot[i] + (a->am - a->af) * h * jerk[s->model->nv + i];
}

void lmb_alpha_change_step(lmb_alpha *a, const lmb_state *s, double ratio)
{
    a->past = 0;
    for (int i = 0; i < s->model->nv; i++)
        a->alpha[i] = s->a[i] + ratio * (a->alpha[i] - s->a[i]);
    for (int i = 0; i < s->model->nz; i++)
        a->zeta[i] = a->zdot[i] + ratio * (a->zeta[i] - a->zdot[i]);
}

void lmb_alpha_forget(lmb_alpha *a)
{
    a->renewal = LMB_ALPHA_ALL;
    a->past = 0;
}

/* The error of psi is this times h^3 da/dt (where velocities add up). */
static double error_constant(const lmb_alpha *a)
{
    return 1.0 / 6 - a->beta - (a->am - a->af) / 2;
}

/* psi of the motion is h v + h^2/2 a + h^3/6 (da/dt + [v, a]/2) + ..., with the bracket [v, a] from
 * T(eps v) = 1 - eps [v, .]/2 + ... */
void lmb_alpha_defect(const lmb_alpha *a, const lmb_state *s, const double *jerk, double h,
                      double *defect)
{
    const lmb_model *m = a->model;
    double eps = h / 10, C = error_constant(a), T[LMB_TURN_NUMBERS], *small = a->side;
    for (int i = 0; i < m->nv; i++) {
        defect[i] = h * h * h * C * jerk[i];
        small[i] = eps * s->v[i];
    }
    for (int i = 0; i < m->node_count; i++) {
        if (!lmb_node_turns(&m->nodes[i]))
            continue;
        int v = m->nodes[i].v + LMB_TURN_FIRST;
        lmb_node_tangent(&m->nodes[i], small + m->nodes[i].v, T);
        for (int j = 0; j < LMB_TURN_COUNT; j++)
            for (int k = 0; k < LMB_TURN_COUNT; k++)
                defect[v + k] +=
                    h * h * h / 12 * 2 / eps * ((j == k) - T[j * LMB_TURN_COUNT + k]) * s->a[v + j];
    }
}

/* The largest |x_i| w_i; NaN if one of them is. Four at a time, which do not wait for each other.
 */
LMB_WIDE static double weighted_size_of(const double *x, const double *w, int n)
{
    double largest[4] = {0}, sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) {
            double part = fabs(x[i + k]) * w[i + k];
            largest[k] = larger(part, largest[k]);
            sum[k] += part;
        }
    for (; i < n; i++) {
        double part = fabs(x[i]) * w[i];
        largest[0] = larger(part, largest[0]);
        sum[0] += part;
    }
    double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return isnan(total) ? total
                        : larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
}

double lmb_alpha_jolt(const lmb_alpha *a, const lmb_state *s)
{
    double largest = 0;
    for (int j = 0; j < s->model->nv; j++) {
        double part = s->model->columns[j].size * fabs(s->a[j] - a->a0[j]);
        largest = part <= largest ? largest : part; /* NaN is kept */
    }
    return largest;
}

double lmb_alpha_error(const lmb_alpha *a, const lmb_state *s, double h)
{
    double C = fabs(error_constant(a)), largest = C * h * h * lmb_alpha_jolt(a, s);
    for (int i = 0; i < s->model->nz; i++) { /* on the safe side: of first order */
        double size = fmax(s->model->z_size[i], fabs(s->z[i])) / s->model->length;
        double part = C * h * fabs(a->zdot[i] - a->zdot0[i]) / size;
        largest = part <= largest ? largest : part;
    }
    return largest;
}

/* v, a and the algorithmic accelerations for the present psi: `next` from psi, then
 * v = v_0 + h ((1 - gamma) alpha + gamma next) and (1 - af) a = (1 - am) next + am alpha - af a_0.
 */
LMB_WIDE static void set_rates(const lmb_alpha *a, double h, int n, double *restrict v,
                               double *restrict acceleration, double *restrict next)
{
    const double *psi = a->psi, *v0 = a->v0, *a0 = a->a0, *alpha = a->alpha;
    double per = 1 / (a->beta * h * h), half = h * h * (0.5 - a->beta);
    double old = h * (1 - a->gamma), new = h * a->gamma, part = 1 / (1 - a->af);
    double by_next = (1 - a->am) * part, by_alpha = a->am * part, by_a0 = a->af * part;
    for (int i = 0; i < n; i++) {
        double x = (psi[i] - h * v0[i] - half * alpha[i]) * per;
        v[i] = v0[i] + (old * alpha[i] + new *x);
        acceleration[i] = by_next * x + by_alpha * alpha[i] - by_a0 * a0[i];
        next[i] = x;
    }
}

/* q, v and a of the state for the present psi, and the algorithmic accelerations in `next`. */
static void set_state(lmb_alpha *a, lmb_state *s, double h, double *next)
{
    set_rates(a, h, s->model->nv, s->v, s->a, next);
    lmb_retract(s, a->q0, a->psi);
}

/* The right side: -beta h^2 (M a + Phi_q^T lambda - Q) and -Phi or -c (B v + b), scaled. */
static void set_side(lmb_alpha *a, lmb_state *s, double h)
{
    const lmb_model *m = a->model;
    double bh2 = a->beta * h * h, *force = a->side;
    lmb_total_force(s, force);
    lmb_reactions_subtract(s, s->lambda, force);
    lmb_mass_times(s, s->a, a->inertia);
    for (int k = 0; k < m->range_count; k++) {
        int first = m->ranges[k].v, end = first + m->ranges[k].nv;
        double defect = 0;
        for (int i = first; i < end; i++) {
            force[i] = bh2 * (force[i] - a->inertia[i]);
            defect = larger(defect, a->per_unit[i] * fabs(force[i]));
        }
        a->defect[k] = defect;
    }
    lmb_constraints(s, a->phi);
    for (int r = 0; r < m->nrows; r++)
        a->side[m->nv + r] = -m->sparse_rows[r].scale * a->phi[r];
    /* independent rows are met when psi is, unless the penalty is small */
    a->gap = a->open = 0;
    for (int r = 0; r < m->nrows && (a->redundant || a->penalty > 0); r++) {
        double gap = fabs(a->side[m->nv + r]);
        int island = m->sparse_rows[r].island;
        a->gap = gap <= a->gap ? a->gap : gap; /* NaN is kept */
        a->open = island >= 0 ? larger(gap / a->least[island], a->open) : a->open;
    }
    for (int r = 0; r < m->nrows && a->rates; r++)
        if (m->parts.rows[r].velocity_level)
            a->side[m->nv + r] = -a->beta * h / a->gamma * lmb_row_rate(s, r);
}

void lmb_alpha_take_back(lmb_alpha *a, lmb_state *s, double t)
{
    const lmb_model *m = a->model;
    memcpy(s->q, a->q0, lmb_motion_numbers(m) * sizeof(double));
    memcpy(a->alpha, a->alpha0, (size_t)(m->nv + 2 * m->nz) * sizeof(double));
    a->past = 0;
    lmb_update(s, t);
}

/* Puts the numbers x into the past, newest first. */
static void remember(double *past, const double *x, size_t count)
{
    memmove(past + count, past, (LMB_ALPHA_PAST - 1) * count * sizeof *past);
    memcpy(past, x, count * sizeof *past);
}

/* The numbers to come after x and those of the past; x may be the same as next. */
LMB_WIDE static void continue_numbers(const lmb_alpha *a, const double *x, const double *past,
                                      size_t count, double *next)
{
    const double *weights = a->weights[(int)a->past];
    for (size_t i = 0; i < count; i++)
        next[i] = weights[0] * x[i];
    for (int k = 1; k <= (int)a->past; k++)
        for (size_t i = 0; i < count; i++)
            next[i] += weights[k] * past[(size_t)(k - 1) * count + i];
}

/* r and c of the first-order states, which are left where they are. */
static void predict_states(lmb_alpha *a, const lmb_state *s, double h)
{
    a->r = (1 - a->am) / (h * a->gamma * (1 - a->af));
    for (int i = 0; i < s->model->nz; i++)
        a->c[i] =
            s->z[i] + h * ((1 - a->gamma) * a->zeta[i] +
                           a->gamma * (a->af * a->zdot[i] - a->am * a->zeta[i]) / (1 - a->am));
}

/* The solution of one iteration, in the place of its right side. */
static void solve(lmb_alpha *a)
{
    if (a->redundant)
        lmb_saddle_refined(a->saddle, a->side, 1e-12);
    else
        a->saddle->kind->solve(a->saddle, a->side, 1);
}

/* Takes out of lambda what does nothing: the answer of the last matrix to the forces of lambda,
 * which rows that do nothing have no part in. It is a guess of the next lambda, so that the matrix
 * may be an older one. */
static void remove_idle_part(lmb_alpha *a, const lmb_state *s, double *lambda)
{
    const lmb_model *m = a->model;
    double *force = a->side, *y = a->side + m->nv;
    memset(a->side, 0, (size_t)(m->nv + m->nrows) * sizeof *force);
    lmb_jacobian_transposed_subtract(s, lambda, force);
    solve(a);
    for (int r = 0; r < m->nrows; r++)
        lambda[r] = -m->sparse_rows[r].scale * y[r];
}

/* Where the step begins, and a guess of where it ends. */
static void predict(lmb_alpha *a, lmb_state *s, double h)
{
    size_t nv = (size_t)s->model->nv, rows = (size_t)s->model->nrows;
    bool projected = a->penalty > 0 && a->past > 0;
    if (a->redundant && a->step == h && !lmb_ali3p_projects(a))
        remove_idle_part(a, s, projected ? a->star_lambda : s->lambda);
    memcpy(a->q0, s->q, (size_t)s->model->nq * sizeof(double));
    memcpy(a->v0, s->v, nv * sizeof(double));
    memcpy(a->a0, s->a, (nv + (size_t)s->model->nz) * sizeof(double)); /* and z */
    memcpy(a->lambda0, s->lambda, rows * sizeof(double));
    memcpy(a->alpha0, a->alpha, (nv + 2 * (size_t)s->model->nz) * sizeof(double));
    const double *alpha = projected ? a->star_a : a->alpha;
    const double *lambda = projected ? a->star_lambda : a->lambda0;
    continue_numbers(a, alpha, a->past_alpha, nv, a->psi);
    for (size_t i = 0; i < nv; i++)
        a->psi[i] = h * s->v[i] + h * h * ((0.5 - a->beta) * a->alpha[i] + a->beta * a->psi[i]);
    continue_numbers(a, lambda, a->past_lambda, rows, s->lambda);
    predict_states(a, s, h);
    remember(a->past_alpha, alpha, nv);
    remember(a->past_lambda, lambda, rows);
    a->past = fmin(LMB_ALPHA_PAST, a->past + 1);
}

/* Adds the solution to psi and lambda. */
static void correct(lmb_alpha *a, lmb_state *s, double bh2)
{
    const lmb_model *m = a->model;
    for (int k = 0; k < m->nv; k++)
        a->psi[k] += a->side[k];
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] += m->sparse_rows[r].scale * a->side[m->nv + r] / bh2;
}

/* Everything at the present psi and lambda: the right side of an iteration. */
static void evaluate(lmb_alpha *a, lmb_state *s, double h)
{
    set_state(a, s, h, a->inertia); /* the algorithmic ones are not yet needed */
    lmb_update_position(s);
    lmb_update_rates(s);
    a->settled = s->model->nz == 0 || lmb_first_order_settle(s, a->r, a->c);
    set_side(a, s, h);
}

/* Accepts the present psi. */
static void accept(lmb_alpha *a, lmb_state *s, double h)
{
    set_state(a, s, h, a->inertia);
    memcpy(a->alpha, a->inertia, (size_t)a->model->nv * sizeof(double));
    for (int i = 0; i < a->model->nz; i++) {
        a->zdot[i] = a->r * (s->z[i] - a->c[i]);
        a->zeta[i] =
            ((1 - a->af) * a->zdot[i] + a->af * a->zdot0[i] - a->am * a->zeta0[i]) / (1 - a->am);
    }
}

/* Rounding of coordinates, as lengths: no solution is better. Bodies far away do not count for
 * other islands. */
static void find_rounding(lmb_alpha *a)
{
    const lmb_model *m = a->model;
    memset(a->least, 0, (size_t)m->island_count * sizeof *a->least);
    for (int k = 0; k < m->range_count; k++) {
        const lmb_island_range *r = &m->ranges[k];
        double reach = larger(m->length, weighted_size_of(a->q0 + r->q, a->size_q + r->q, r->nq));
        a->least[r->island] = larger(4 * DBL_EPSILON * reach, a->least[r->island]);
    }
}

/* Return the error of psi and of the forces as a multiple of the allowed error; NaN is kept.
 * Accelerations and multipliers feel the error of psi over h^2. */
static double error_of_iteration(const lmb_alpha *a, double moves, double loads)
{
    const lmb_model *m = a->model;
    double size = 0;
    for (int k = 0; k < m->range_count; k++) {
        const lmb_island_range *r = &m->ranges[k];
        double least = a->least[r->island];
        double psi = weighted_size_of(a->side + r->v, a->size_v + r->v, r->nv);
        double forces =
            a->defect[k] / (10 * a->accuracy * loads + least * (m->heaviest + a->stiffness));
        double error = larger(forces, psi / (a->accuracy * moves + least));
        size = error <= size ? size : error;
    }
    return size;
}

bool lmb_alpha_step(lmb_alpha *a, lmb_state *s, double h, lmb_effort_count *count)
{
    enum { MOST_ITERATIONS = 20 };
    const double unknown = 0.1, caution = 1.3;
    const lmb_model *m = a->model;
    double t = s->t, bh2 = a->beta * h * h, before = INFINITY;
    predict(a, s, h);
    find_rounding(a);
    double accelerations = weighted_size_of(a->alpha, a->size_v, m->nv);
    double moves = bh2 * accelerations;
    double loads = m->heaviest * accelerations;
    for (int r = 0; r < m->nrows; r++)
        loads = larger(loads, fabs(s->lambda[r]) / m->sparse_rows[r].scale);
    lmb_alpha_renewal renew = a->step == h ? (lmb_alpha_renewal)a->renewal : LMB_ALPHA_ALL;
    lmb_alpha_renewal first = renew, renewed = LMB_ALPHA_KEEP;
    a->step = h;
    lmb_set_time(s, t + h);
    for (int i = 1; i <= MOST_ITERATIONS; i++) {
        evaluate(a, s, h);
        if (renew != LMB_ALPHA_KEEP) {
            count->factorisations++;
            if (!lmb_alpha_factor(a, s, h, renew == LMB_ALPHA_ALL))
                break;
            renewed = renew;
            before = INFINITY;
            if (renew == LMB_ALPHA_ALL)
                a->rate[0] = a->rate[1] = unknown;
        }
        solve(a);
        double *rate = &a->rate[renewed != LMB_ALPHA_KEEP];
        double size = error_of_iteration(a, moves, bh2 * loads); /* 1 is good enough */
        correct(a, s, bh2);
        count->iterations++;
        if (!isfinite(size) || !a->settled)
            break;
        bool measured = isfinite(before);
        double past = a->penalty > 0 ? unknown : caution * *rate; /* as steps before were */
        *rate = measured ? fmax(size / before, a->best_rate) : fmin(unknown, past);
        bool stalls = renewed == LMB_ALPHA_ALL && size > before / 2 && size <= 1e3;
        bool closed = *rate * a->gap <= lmb_closed * m->length;
        bool shut = a->penalty == 0 || *rate * a->open <= 0.25;
        if (closed && ((shut && *rate * size <= 1) || stalls)) {
            accept(a, s, h);
            a->renewal = lmb_alpha_next_renewal(a, i, first, renewed);
            return true;
        }
        renew = !measured || size < 0.2 * before ? LMB_ALPHA_KEEP
                : renewed == LMB_ALPHA_KEEP      ? LMB_ALPHA_ROWS
                                                 : LMB_ALPHA_ALL;
        before = size;
    }
    a->renewal = LMB_ALPHA_ALL;
    lmb_alpha_take_back(a, s, t);
    return false;
}

int lmb_alpha_worst(const lmb_alpha *a)
{
    int worst = 0;
    for (int i = 1; i < a->model->nv; i++)
        if (!(fabs(a->side[i]) <= fabs(a->side[worst]))) /* NaN is worst */
            worst = i;
    return worst;
}
