/* First derivatives of the projections of ALI3-P, forwards and backwards. */
#include "integrate/ali3p_tangent.h"

#include <string.h>

#include "integrate/alpha_internal.h"
#include "system/variation.h"

struct lmb_ali3p_tangent {
    const lmb_model *model;
    lmb_arena *arena;
    lmb_rate_projection projection;
    bool exact; /* P = M and U = Phi_q^T */
    lmb_saddle *saddle;
    lmb_state *star;        /* q, v*, a*, lambda* */
    lmb_state *moved;       /* beside it; NULL where that is not needed */
    double h;               /* of the step */
    double *v, *a, *lambda; /* nv, nv, nrows: as projected, one after the other */
    double *w, *u;          /* nv: what the projections did, */
    double *mu, *kappa;     /* nrows: and their multipliers */
    lmb_variation *variation;
    double *R, *by_q, *by_v; /* value_count: (c_1)_q, (c_2)_q, (c_2)_v */
    double *D[2];            /* couple_values: dr_1/dq and dr_2/dq, if exact */
    double *tangent;         /* couple_values: h/2 C + h^2/4 K, or zeros */
    double *T;               /* node_count x LMB_TURN_NUMBERS: 1 */
    double *mass;            /* mass_count */
    double *side;            /* nv + nrows */
    double *along;           /* 2 nv: dr_1 and dr_2 */
    double *room, *step;     /* 2 nv, nv */
    bool *off;               /* force_count */
};

/* Whether forces depend on reactions: U is not Phi_q^T then. */
static bool has_friction(const lmb_model *m)
{
    for (int i = 0; i < m->input_count; i++)
        if (m->inputs[i].kind == LMB_INPUT_REACTION)
            return true;
    return false;
}

const char *lmb_ali3p_stays_forward(const lmb_model *m, lmb_rate_projection projection)
{
    if (projection == LMB_PROJECT_FULL)
        return "'projection: full' uses the stiffness of forces and joints, whose own derivatives "
               "are not there";
    if (projection == LMB_PROJECT_MASS && has_friction(m))
        return "forces depend on reactions, and the projection on their derivatives by them";
    return NULL;
}

/* T of a displacement of zero. */
static void set_operators(const lmb_ali3p_tangent *t)
{
    for (int i = 0; i < t->model->node_count; i++)
        for (int j = 0; j < LMB_TURN_COUNT; j++)
            t->T[LMB_TURN_NUMBERS * i + j * (LMB_TURN_COUNT + 1)] = 1;
}

static void allocate(lmb_ali3p_tangent *t)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows, values = (size_t)m->value_count;
    size_t couples = (size_t)m->couple_values;
    t->v = lmb_arena_numbers(t->arena, 2 * nv + rows);
    t->a = t->v ? t->v + nv : NULL;
    t->lambda = t->v ? t->a + nv : NULL;
    t->w = lmb_arena_numbers(t->arena, nv);
    t->u = lmb_arena_numbers(t->arena, nv);
    t->mu = lmb_arena_numbers(t->arena, rows);
    t->kappa = lmb_arena_numbers(t->arena, rows);
    t->R = lmb_arena_numbers(t->arena, values);
    t->by_q = lmb_arena_numbers(t->arena, values);
    t->by_v = lmb_arena_numbers(t->arena, values);
    for (int i = 0; i < 2; i++)
        t->D[i] = lmb_arena_numbers(t->arena, t->exact ? couples : 0);
    t->tangent = lmb_arena_numbers(t->arena, couples);
    t->T = lmb_arena_numbers(t->arena, LMB_TURN_NUMBERS * (size_t)m->node_count);
    t->mass = lmb_arena_numbers(t->arena, (size_t)m->mass_count);
    t->side = lmb_arena_numbers(t->arena, nv + rows);
    t->along = lmb_arena_numbers(t->arena, 2 * nv);
    t->room = lmb_arena_numbers(t->arena, 2 * nv);
    t->step = lmb_arena_numbers(t->arena, nv);
    t->off = lmb_arena_alloc(t->arena, (size_t)m->force_count + 1, sizeof *t->off);
}

lmb_ali3p_tangent *lmb_ali3p_tangent_new(const lmb_model *m, lmb_rate_projection projection,
                                         lmb_saddle_choice choice)
{
    lmb_arena *arena;
    lmb_ali3p_tangent *t = lmb_arena_object(&arena, sizeof *t);
    if (!t)
        return NULL;
    t->model = m;
    t->arena = arena;
    t->projection = projection;
    t->exact = !lmb_ali3p_stays_forward(m, projection);
    allocate(t);
    t->star = lmb_state_new(m);
    t->moved = t->exact ? NULL : lmb_state_new(m);
    t->saddle = lmb_saddle_new(m, LMB_SADDLE_EXACT, choice);
    t->variation = t->star ? lmb_variation_new(arena, t->star) : NULL;
    if (t->variation && t->saddle && (t->moved || t->exact) && lmb_arena_fine(arena)) {
        set_operators(t);
        return t;
    }
    lmb_ali3p_tangent_free(t);
    return NULL;
}

void lmb_ali3p_tangent_free(lmb_ali3p_tangent *t)
{
    if (!t)
        return;
    lmb_saddle_free(t->saddle);
    lmb_state_free(t->star);
    lmb_state_free(t->moved);
    lmb_arena_free(t->arena);
}

lmb_state *lmb_ali3p_tangent_star(lmb_ali3p_tangent *t)
{
    return t->star;
}

/* --- what the equations are made of ----------------------------------------------------------- */

/* (c_1)_q, (c_2)_q and (c_2)_v at the projected state. */
static void find_row_tangents(lmb_ali3p_tangent *t)
{
    const lmb_model *m = t->model;
    lmb_rate_tangent_blocks(t->star, t->R);
    lmb_variation_start(t->variation);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        lmb_variation_near_row(t->variation, r);
        for (int k = row->block; k < row->block + row->block_count; k++)
            for (int j = 0; j < m->blocks[k].nv; j++) {
                int column = m->blocks[k].v + j, value = m->blocks[k].value + j;
                lmb_variation_unit(t->variation, column, false);
                t->by_q[value] = lmb_variation_row(t->variation, r).dd;
                lmb_variation_unit(t->variation, column, true);
                t->by_v[value] = lmb_variation_row(t->variation, r).dd;
            }
    }
}

/* K of a state without forces with other accelerations and multipliers, less that without any. */
static void find_tangent_of(lmb_ali3p_tangent *t, const double *a, const double *lambda,
                            const double *without, double *out)
{
    const lmb_model *m = t->model;
    lmb_state *s = t->star;
    memset(s->a, 0, (size_t)m->nv * sizeof *s->a);
    memset(s->lambda, 0, (size_t)m->nrows * sizeof *s->lambda);
    if (a)
        memcpy(s->a, a, (size_t)m->nv * sizeof *s->a);
    if (lambda)
        memcpy(s->lambda, lambda, (size_t)m->nrows * sizeof *s->lambda);
    lmb_tangent_blocks(s);
    for (int i = 0; i < m->couple_values; i++)
        out[i] = s->tangent_q[i] - (without ? without[i] : 0);
}

/* D = d(M w + Phi_q^T mu)/dq, and that with u and kappa. */
static void find_D(lmb_ali3p_tangent *t)
{
    const lmb_model *m = t->model;
    lmb_state *s = t->star;
    size_t forces = (size_t)m->force_count;
    memcpy(t->off, s->force_off, forces * sizeof *t->off);
    memset(s->force_off, true, forces * sizeof *t->off);
    find_tangent_of(t, NULL, NULL, NULL, t->tangent);
    find_tangent_of(t, t->w, t->mu, t->tangent, t->D[0]);
    find_tangent_of(t, t->u, t->kappa, t->tangent, t->D[1]);
    memset(t->tangent, 0, (size_t)m->couple_values * sizeof *t->tangent);
    memcpy(s->force_off, t->off, forces * sizeof *t->off);
}

/* Factorises [P U; Phi_q 0] at v*, a*, lambda*. */
static bool factor(lmb_ali3p_tangent *t, bool redundant)
{
    const lmb_model *m = t->model;
    lmb_state *s = t->star;
    double C = t->h / 2, K = t->h * t->h / 4;
    lmb_mass_blocks(s, t->mass);
    lmb_jacobian(s);
    lmb_tangent_blocks(s);
    for (int i = 0; i < m->couple_values && t->projection == LMB_PROJECT_FULL; i++)
        t->tangent[i] = C * s->tangent_v[i] + K * s->tangent_q[i];
    lmb_saddle_matrix matrix = {
        .state = s,
        .mass = t->mass,
        .mass_factor = 1,
        .tangent = t->tangent,
        .T = t->T,
        .epsilon = redundant ? 1e-7 / m->heaviest : 0,
        .rate_epsilon = redundant ? 1e-3 / m->heaviest : 0,
    };
    return lmb_saddle_factor(t->saddle, &matrix);
}

/* Solves for the right side in t->side, whose rows are as written; multipliers to y (NULL: not
 * wanted). */
static void solve(const lmb_ali3p_tangent *t, double *y)
{
    const lmb_model *m = t->model;
    double *rows = t->side + m->nv;
    for (int r = 0; r < m->nrows; r++)
        rows[r] *= t->saddle->scale[r];
    lmb_saddle_refined(t->saddle, t->side, 1e-14);
    for (int r = 0; r < m->nrows && y; r++)
        y[r] = t->saddle->scale[r] * rows[r];
}

/* The multipliers of a projection that moved something by x. */
static void find_multipliers(const lmb_ali3p_tangent *t, const double *x, double *y)
{
    memset(t->side, 0, (size_t)t->model->nv * sizeof *t->side);
    lmb_jacobian_times(t->star, x, t->side + t->model->nv);
    solve(t, y);
}

/* Puts v*, a* and lambda* into the own state. */
static void set_star(lmb_ali3p_tangent *t, const double *star)
{
    size_t nv = (size_t)t->model->nv, rows = (size_t)t->model->nrows;
    memcpy(t->star->v, star, nv * sizeof *star);
    memcpy(t->star->a, star + nv, nv * sizeof *star);
    memcpy(t->star->lambda, star + 2 * nv, rows * sizeof *star);
    lmb_update_velocity(t->star);
}

bool lmb_ali3p_tangent_take(lmb_ali3p_tangent *t, const lmb_state *s, const double *star, double h,
                            bool redundant)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    t->h = h;
    memcpy(t->v, s->v, nv * sizeof *t->v);
    memcpy(t->a, s->a, nv * sizeof *t->a);
    memcpy(t->lambda, s->lambda, rows * sizeof *t->lambda);
    for (size_t i = 0; i < nv; i++) {
        t->w[i] = s->v[i] - star[i];
        t->u[i] = s->a[i] - star[nv + i];
    }
    lmb_state_copy(t->star, s);
    lmb_update(t->star, s->t);
    find_row_tangents(t);
    set_star(t, star);
    if (!factor(t, redundant))
        return false;
    find_multipliers(t, t->w, t->mu);
    find_multipliers(t, t->u, t->kappa);
    if (t->exact) {
        find_D(t);
        set_star(t, star);
    }
    return true;
}

/* --- residuals -------------------------------------------------------------------------------- */

/* y = P x of a state whose tangents are there. */
static void times_P(const lmb_ali3p_tangent *t, const lmb_state *s, const double *x, double *y)
{
    const lmb_model *m = t->model;
    lmb_mass_times(s, x, y);
    if (t->projection != LMB_PROJECT_FULL)
        return;
    for (int i = 0; i < m->nv; i++)
        t->step[i] = t->h / 2 * x[i];
    lmb_couples_times(m, s->tangent_v, t->step, y);
    for (int i = 0; i < m->nv; i++)
        t->step[i] *= t->h / 2;
    lmb_couples_times(m, s->tangent_q, t->step, y);
}

/* r_1 and r_2 with the w, mu, u and kappa of the step, of a state with v*, a* and lambda*. */
static void find_forces(const lmb_ali3p_tangent *t, lmb_state *s, double *r1, double *r2)
{
    const lmb_model *m = t->model;
    lmb_jacobian(s);
    if (!t->exact)
        lmb_tangent_blocks(s);
    times_P(t, s, t->w, r1);
    times_P(t, s, t->u, r2);
    for (int r = 0; r < m->nrows; r++) {
        lmb_row_add(m, s->jacobian, r, t->mu[r], r1);
        lmb_row_add(m, s->jacobian, r, t->kappa[r], r2);
        if (t->exact)
            continue;
        lmb_row_add(m, s->tangent_lambda, r, t->mu[r], r1);
        lmb_row_add(m, s->tangent_lambda, r, t->kappa[r], r2);
    }
}

void lmb_ali3p_tangent_residual(const lmb_ali3p_tangent *t, lmb_state *s, double *out)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    double *c1 = out + nv, *r2 = c1 + rows, *c2 = r2 + nv;
    find_forces(t, s, out, r2);
    memcpy(s->v, t->v, nv * sizeof *s->v);
    memcpy(s->a, t->a, nv * sizeof *s->a);
    memcpy(s->lambda, t->lambda, rows * sizeof *s->lambda);
    lmb_update_velocity(s);
    lmb_acceleration_side(s, c1);
    lmb_jacobian_times(s, s->a, c2);
    for (int r = 0; r < m->nrows; r++) {
        c2[r] -= c1[r];
        c1[r] = lmb_row_rate(s, r) / m->sparse_rows[r].scale;
    }
}

/* --- forwards --------------------------------------------------------------------------------- */

/* Moves the other state from that of the star by s times a change. */
static void move(const lmb_ali3p_tangent *t, const double *change, const double *lambda, double s)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv;
    lmb_state *to = t->moved;
    for (size_t i = 0; i < nv; i++) {
        t->step[i] = s * change[LMB_CHANGE_Q * nv + i];
        to->v[i] = t->star->v[i] + s * change[LMB_CHANGE_V * nv + i];
        to->a[i] = t->star->a[i] + s * change[LMB_CHANGE_A * nv + i];
    }
    for (int r = 0; r < m->nrows; r++)
        to->lambda[r] = t->star->lambda[r] + s * lambda[r];
    lmb_retract(to, t->star->q, t->step);
    lmb_update_position(to);
    lmb_update_velocity(to);
}

/* dr_1 and dr_2 along a change, to t->along. */
static void find_along(const lmb_ali3p_tangent *t, const double *change, const double *lambda)
{
    static const double place[] = {-2, -1, 1, 2}, weight[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv;
    memset(t->along, 0, 2 * nv * sizeof *t->along);
    if (t->exact) {
        lmb_couples_times(m, t->D[0], change + LMB_CHANGE_Q * nv, t->along);
        lmb_couples_times(m, t->D[1], change + LMB_CHANGE_Q * nv, t->along + nv);
        return;
    }
    double d = lmb_change_distance(t->star, change, lambda);
    lmb_state_copy(t->moved, t->star);
    lmb_set_time(t->moved, t->star->t);
    for (int k = 0; k < 4; k++) {
        move(t, change, lambda, place[k] * d);
        find_forces(t, t->moved, t->room, t->room + nv);
        for (size_t i = 0; i < 2 * nv; i++)
            t->along[i] += weight[k] / d * t->room[i];
    }
}

void lmb_ali3p_tangent_forward(lmb_ali3p_tangent *t, const double *load, double *change,
                               double *lambda)
{
    const lmb_model *m = t->model;
    const double *J = t->star->jacobian;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    const double *q = change + LMB_CHANGE_Q * nv, *load2 = load ? load + nv + rows : NULL;
    double *v = change + LMB_CHANGE_V * nv, *a = change + LMB_CHANGE_A * nv;
    find_along(t, change, lambda);
    for (size_t i = 0; i < nv; i++)
        t->side[i] = -t->along[i] - (load ? load[i] : 0);
    for (int r = 0; r < m->nrows; r++)
        t->side[nv + (size_t)r] = -lmb_row_times(m, t->R, r, q) - lmb_row_times(m, J, r, v) -
                                  (load ? load[nv + (size_t)r] : 0);
    solve(t, NULL);
    for (size_t i = 0; i < nv; i++)
        v[i] += t->side[i];
    for (size_t i = 0; i < nv; i++)
        t->side[i] = -t->along[nv + i] - (load ? load2[i] : 0);
    for (int r = 0; r < m->nrows; r++)
        t->side[nv + (size_t)r] = -lmb_row_times(m, t->by_q, r, q) -
                                  lmb_row_times(m, t->by_v, r, v) - lmb_row_times(m, J, r, a) -
                                  (load ? load2[nv + (size_t)r] : 0);
    solve(t, t->side + nv);
    for (size_t i = 0; i < nv; i++)
        a[i] += t->side[i];
    memcpy(change + LMB_CHANGE_ALPHA * nv, a, nv * sizeof *a);
    for (int r = 0; r < m->nrows; r++)
        lambda[r] += t->side[nv + (size_t)r];
}

/* --- backwards -------------------------------------------------------------------------------- */

/* Derivatives by what a projection adds, x, and by its multipliers, y (NULL: none), become those by
 * the load of its equations (nv + nrows). */
static void solve_back(const lmb_ali3p_tangent *t, const double *x, const double *y, double *load)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv;
    memcpy(t->side, x, nv * sizeof *x);
    for (int r = 0; r < m->nrows; r++)
        t->side[nv + (size_t)r] = y ? t->saddle->scale[r] * y[r] : 0;
    lmb_saddle_refined_transposed(t->saddle, t->side, 1e-14);
    for (size_t i = 0; i < nv; i++)
        load[i] = -t->side[i];
    for (int r = 0; r < m->nrows; r++)
        load[nv + (size_t)r] = -t->saddle->scale[r] * t->side[nv + (size_t)r];
}

void lmb_ali3p_tangent_backward(lmb_ali3p_tangent *t, double *change, const double *lambda,
                                double *load)
{
    const lmb_model *m = t->model;
    const double *J = t->star->jacobian;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    double *q = change + LMB_CHANGE_Q * nv, *v = change + LMB_CHANGE_V * nv;
    double *a = change + LMB_CHANGE_A * nv, *alpha = change + LMB_CHANGE_ALPHA * nv;
    double *load2 = load + nv + rows;
    for (size_t i = 0; i < nv; i++) { /* alpha = a */
        a[i] += alpha[i];
        alpha[i] = 0;
    }
    solve_back(t, a, lambda, load2);
    lmb_couples_transposed_times(m, t->D[1], load2, q);
    for (int r = 0; r < m->nrows; r++) {
        lmb_row_add(m, t->by_q, r, load2[nv + (size_t)r], q);
        lmb_row_add(m, t->by_v, r, load2[nv + (size_t)r], v);
        lmb_row_add(m, J, r, load2[nv + (size_t)r], a);
    }
    solve_back(t, v, NULL, load);
    lmb_couples_transposed_times(m, t->D[0], load, q);
    for (int r = 0; r < m->nrows; r++) {
        lmb_row_add(m, t->R, r, load[nv + (size_t)r], q);
        lmb_row_add(m, J, r, load[nv + (size_t)r], v);
    }
}
