/* Directions of the states in coordinates, velocities, accelerations and multipliers, then A. */
#include "analysis/small_motion_internal.h"

#include <string.h>

#include "analysis/linearise.h"
#include "base/text.h"
#include "math/dense.h"
#include "math/late.h"
#include "system/first_order.h"

enum { LARGEST = 2000 };

typedef lmb_linear_equations work;

/* --- directions ------------------------------------------------------------------------------- */

/* The null space of the rows, or of those of the position level alone: n x *free, orthonormal in
 * the metric of the model; NULL: out of memory. */
static double *null_space(lmb_small_motion *o, lmb_solver *s, bool positions, int *free)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)o->n, rows = (size_t)o->rows;
    double *N = lmb_arena_numbers(o->arena, n * n);
    lmb_arena *room = lmb_arena_new();
    double *scaled = lmb_arena_numbers(room, rows * n + 1), *root = lmb_arena_numbers(room, n + 1);
    *free = -1;
    if (N && lmb_arena_fine(room)) {
        lmb_scaled_jacobian(s, scaled, root);
        for (size_t r = 0; r < rows && positions; r++)
            for (size_t j = 0; m->parts.rows[r].velocity_level && j < n; j++)
                scaled[j * rows + r] = 0;
        *free = lmb_dense_null_space(o->rows, o->n, scaled, 1e-9, N);
        for (int k = 0; k < *free; k++)
            for (size_t i = 0; i < n; i++)
                N[(size_t)k * n + i] *= root[i];
    }
    lmb_arena_free(room);
    return *free < 0 ? NULL : N;
}

/* The changes of all coordinates (or of those in `list`) along the columns of N: column i has those
 * of coordinate i. */
static void project(const lmb_small_motion *o, int count, const int *list, int free,
                    const double *N, double *P)
{
    const work *w = o->equations;
    for (int k = 0; k < free; k++) {
        lmb_variation_set(w->variation, N + (size_t)k * (size_t)o->n, w->none, w->none);
        for (int i = 0; i < count; i++)
            P[i * free + k] = lmb_motion_coordinate_change(
                                  &o->all, &o->all.list[list ? list[i] : i], w->variation)
                                  .f;
    }
}

/* N P^-1, in place: the motions in which one of the chosen coordinates changes by a unit. P is as
 * `project` leaves it, so its transpose is by columns. */
static bool solve_directions(const lmb_small_motion *o, int free, double *P, double *N)
{
    size_t n = (size_t)o->n, f = (size_t)free;
    lmb_arena *room = lmb_arena_new();
    double *right = lmb_arena_numbers(room, f * n + 1);
    for (size_t i = 0; right && i < n; i++)
        for (size_t k = 0; k < f; k++)
            right[i * f + k] = N[k * n + i];
    bool fine = right && lmb_dense_solve(free, P, o->n, right); /* D P = N: P^T D^T = N^T */
    for (size_t i = 0; fine && i < n; i++)
        for (size_t k = 0; k < f; k++)
            N[k * n + i] = right[i * f + k];
    lmb_arena_free(room);
    return fine;
}

static lmb_status fail_choice(lmb_solver *s)
{
    return lmb_fail(s->context, LMB_SOLVER,
                    "the coordinates of joints, modes and bodies do not determine the motion here");
}

/* Chooses y, or takes those of another one, and finds the dq of each. */
static lmb_status find_positions(lmb_small_motion *o, lmb_solver *s, const lmb_small_motion *like)
{
    size_t all = (size_t)o->all.count;
    o->N = null_space(o, s, true, &o->positions);
    size_t f = o->N ? (size_t)o->positions : 0, n = (size_t)o->n;
    double *P = lmb_arena_numbers(o->arena, all * f + 1);
    o->equations->P = lmb_arena_numbers(o->arena, f * f + 1);
    o->dq = lmb_arena_numbers(o->arena, n * f + 1);
    o->coordinate = lmb_arena_integers(o->arena, f + 1);
    if (!lmb_arena_fine(o->arena))
        return lmb_fail_memory(s->context);
    if (like && like->positions != o->positions)
        return fail_choice(s);
    memcpy(o->dq, o->N, n * f * sizeof *o->dq);
    project(o, o->all.count, NULL, o->positions, o->dq, P);
    if (like)
        memcpy(o->coordinate, like->coordinate, f * sizeof *o->coordinate);
    else if (!lmb_motion_coordinates_choose(&o->all, o->positions, P, NULL, o->coordinate))
        return fail_choice(s);
    project(o, o->positions, o->coordinate, o->positions, o->dq, P);
    memcpy(o->equations->P, P, f * f * sizeof *P);
    return solve_directions(o, o->positions, P, o->dq) ? LMB_OK : fail_choice(s);
}

/* The rates u among those of y: chosen, or those of another one. */
static bool choose_rates(lmb_small_motion *o, const lmb_small_motion *like, double *P, bool *out,
                         int *chosen)
{
    if (like) {
        for (int k = 0; k < o->speeds && like->speeds == o->speeds; k++)
            chosen[k] = o->coordinate[like->rate[k]];
        return like->speeds == o->speeds;
    }
    memset(out, 1, (size_t)o->all.count);
    for (int i = 0; i < o->positions; i++)
        out[o->coordinate[i]] = false;
    project(o, o->all.count, NULL, o->speeds, o->equations->E, P);
    return lmb_motion_coordinates_choose(&o->all, o->speeds, P, out, chosen);
}

/* Chooses u and finds the dv of each, with dq = 0. */
static lmb_status find_speeds(lmb_small_motion *o, lmb_solver *s, const lmb_small_motion *like)
{
    work *w = o->equations;
    size_t all = (size_t)o->all.count;
    w->N_u = null_space(o, s, false, &o->speeds);
    size_t f = w->N_u ? (size_t)o->speeds : 0, n = (size_t)o->n;
    double *P = lmb_arena_numbers(o->arena, all * f + 1);
    w->P_u = lmb_arena_numbers(o->arena, f * f + 1);
    w->E = lmb_arena_numbers(o->arena, n * f + 1);
    bool *out = lmb_arena_alloc(o->arena, all + 1, sizeof *out);
    int *chosen = lmb_arena_integers(o->arena, f + 1);
    o->rate = lmb_arena_integers(o->arena, f + 1);
    if (!lmb_arena_fine(o->arena))
        return lmb_fail_memory(s->context);
    memcpy(w->E, w->N_u, n * f * sizeof *w->E);
    if (!choose_rates(o, like, P, out, chosen))
        return fail_choice(s);
    for (int i = 0, k = 0; i < o->positions && k < o->speeds; i++)
        if (o->coordinate[i] == chosen[k])
            o->rate[k++] = i;
    project(o, o->speeds, chosen, o->speeds, w->E, P);
    memcpy(w->P_u, P, f * f * sizeof *P);
    return solve_directions(o, o->speeds, P, w->E) ? LMB_OK : fail_choice(s);
}

/* --- equations -------------------------------------------------------------------------------- */

/* Factorises the augmented equations. */
static lmb_status factor(lmb_small_motion *o, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    work *w = o->equations;
    double *zero = lmb_arena_numbers(o->arena, (size_t)m->couple_values + 1);
    double *T = lmb_arena_numbers(o->arena, LMB_TURN_NUMBERS * (size_t)m->node_count + 1);
    w->mass = lmb_saddle_new(m, LMB_SADDLE_EXACT, s->state->choice);
    if (!w->mass || !lmb_arena_fine(o->arena))
        return lmb_fail_memory(s->context);
    for (int i = 0; i < LMB_TURN_NUMBERS * m->node_count; i++)
        T[i] = i % LMB_TURN_NUMBERS % 4 == 0;
    lmb_tangent(s->state, w->K, w->C);
    lmb_mass_blocks(s->state, s->mass);
    bool regular = lmb_saddle_factor(w->mass, &(lmb_saddle_matrix){.state = s->state,
                                                                   .mass = s->mass,
                                                                   .mass_factor = 1,
                                                                   .tangent = zero,
                                                                   .T = T,
                                                                   .epsilon = s->epsilon});
    return regular ? LMB_OK : lmb_fail_massless(s->context);
}

/* Adds Q_z dz of a unit of the first-order state number k to generalised forces. */
void lmb_small_motion_add_state(const lmb_state *s, int k, double *Q)
{
    for (int i = 0; i < s->model->body_count; i++) {
        const lmb_body *b = &s->model->bodies[i];
        if (k < b->z || k >= b->z + b->nz)
            continue;
        const double *Q_z = lmb_first_order_tangent_of(s, i).force_by_z + (k - b->z) * b->nv;
        for (int j = 0; j < b->nv; j++)
            Q[b->v + j] += Q_z[j];
    }
}

/* The rates of the first-order states for a change of q and v, and for that of state k (-1: none).
 */
void lmb_small_motion_vary_states(const lmb_state *s, const double *dq, const double *dv, int k,
                                  double *zdot)
{
    for (int i = 0; s->model->nz && i < s->model->body_count; i++) {
        const lmb_body *b = &s->model->bodies[i];
        if (b->nz == 0)
            continue;
        lmb_first_order_tangent t = lmb_first_order_tangent_of(s, i);
        for (int a = 0; a < b->nz; a++) {
            double sum = k >= b->z && k < b->z + b->nz ? t.by_z[(k - b->z) * b->nz + a] : 0;
            for (int j = 0; j < b->nv; j++)
                sum += t.by_q[j * b->nz + a] * dq[b->v + j] + t.by_v[j * b->nz + a] * dv[b->v + j];
            zdot[b->z + a] = sum;
        }
    }
}

/* The changes of the coordinates y along dq, dv, da. */
void lmb_small_motion_vary(const lmb_small_motion *o, const double *dq, const double *dv,
                           const double *da)
{
    work *w = o->equations;
    lmb_variation_set(w->variation, dq, dv, da);
    for (int i = 0; i < o->positions; i++)
        w->change[i] =
            lmb_motion_coordinate_change(&o->all, &o->all.list[o->coordinate[i]], w->variation);
}

/* dv += E (u - c_q dv - (c_q v)_q dq) for the chosen rates: they become u = 0. */
static void hold_speeds(const lmb_small_motion *o, const double *dq, double *dv)
{
    const work *w = o->equations;
    lmb_small_motion_vary(o, dq, dv, w->none);
    for (int k = 0; k < o->speeds; k++)
        cblas_daxpy(o->n, -w->change[o->rate[k]].d, w->E + (size_t)k * (size_t)o->n, 1, dv, 1);
}

/* The velocities that go with dq while the chosen rates stay. */
static void find_velocities(const lmb_small_motion *o, const double *dq, double *dv)
{
    const work *w = o->equations;
    bool moves = false;
    lmb_variation_set(w->variation, dq, w->none, w->none);
    for (int r = 0; r < o->rows; r++) {
        w->side[r] = -lmb_variation_row(w->variation, r).d;
        moves = moves || w->side[r] != 0;
    }
    if (moves) /* solver->saddle has the metric of the model */
        lmb_saddle_solve(w->solver->saddle, NULL, w->side, dv, w->ignored);
    hold_speeds(o, dq, dv);
}

/* Solves for da and dl with the generalised forces in w->force and the rows' changes in w->side,
 * and fills a column of A. */
static void fill_column(const lmb_small_motion *o, const double *dq, const double *dv, int z,
                        double *column, double *da, double *dl)
{
    const work *w = o->equations;
    int y = o->positions;
    lmb_saddle_solve(w->mass, w->force, w->side, da, dl);
    lmb_small_motion_vary(o, dq, dv, da);
    for (int i = 0; i < y; i++)
        column[i] = w->change[i].d;
    for (int k = 0; k < o->speeds; k++)
        column[y + k] = w->change[o->rate[k]].dd;
    lmb_small_motion_vary_states(w->solver->state, dq, dv, z, column + y + o->speeds);
}

bool lmb_small_motion_sides(const lmb_small_motion *o, const double *dq, const double *dv)
{
    const work *w = o->equations;
    bool moves = false;
    lmb_variation_set(w->variation, dq, dv, w->none);
    for (int r = 0; r < o->rows; r++) {
        w->side[r] = -lmb_variation_row(w->variation, r).dd;
        moves = moves || w->side[r] != 0;
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, o->n, o->n, -1, w->K, o->n, dq, 1, 0, w->force, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, o->n, o->n, -1, w->C, o->n, dv, 1, 1, w->force, 1);
    return moves;
}

/* A column of A for a change of positions or velocities. */
static void motion_column(const lmb_small_motion *o, int k, const double *dq)
{
    size_t n = (size_t)o->n, at = (size_t)k;
    const double *dv = o->dv + at * n;
    lmb_small_motion_sides(o, dq, dv);
    fill_column(o, dq, dv, -1, o->A + at * (size_t)o->states, o->da + at * n,
                o->dl + at * (size_t)o->rows);
    /* by definition, without rounding */
    for (int i = 0; i < o->speeds; i++)
        o->A[at * (size_t)o->states + (size_t)o->rate[i]] = o->positions + i == k;
}

static void state_column(const lmb_small_motion *o, int k)
{
    const work *w = o->equations;
    size_t at = (size_t)(o->positions + o->speeds + k);
    memset(w->force, 0, (size_t)o->n * sizeof *w->force);
    memset(w->side, 0, (size_t)o->rows * sizeof *w->side);
    lmb_small_motion_add_state(w->solver->state, k, w->force);
    fill_column(o, w->none, w->none, k, o->A + at * (size_t)o->states, o->da + at * (size_t)o->n,
                o->dl + at * (size_t)o->rows);
}

void lmb_small_motion_force(const lmb_small_motion *o, const double *dQ, double *xdot, double *da,
                            double *dl)
{
    const work *w = o->equations;
    memcpy(w->force, dQ, (size_t)o->n * sizeof *w->force);
    memset(w->side, 0, (size_t)o->rows * sizeof *w->side);
    fill_column(o, w->none, w->none, -1, xdot, da, dl);
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool name_states(lmb_small_motion *o, const lmb_model *m)
{
    o->names = lmb_arena_alloc(o->arena, (size_t)o->states + 1, sizeof *o->names);
    for (int i = 0; o->names && i < o->positions; i++)
        o->names[i] = lmb_motion_coordinate_name(o->arena, m, &o->all.list[o->coordinate[i]]);
    for (int k = 0; lmb_arena_fine(o->arena) && k < o->speeds; k++)
        o->names[o->positions + k] = lmb_text_format(o->arena, "%s_velocity", o->names[o->rate[k]]);
    for (int k = 0; lmb_arena_fine(o->arena) && k < o->nz; k++) {
        char name[128];
        lmb_first_order_name(m, k, name, sizeof name);
        o->names[o->positions + o->speeds + k] = lmb_text_copy(o->arena, name, strlen(name));
    }
    return lmb_arena_fine(o->arena);
}

static bool allocate_matrices(lmb_small_motion *o)
{
    size_t n = (size_t)o->n, states, rows = (size_t)o->rows, y = (size_t)o->positions;
    o->states = o->positions + o->speeds + o->nz;
    states = (size_t)o->states;
    o->dv = lmb_arena_numbers(o->arena, n * states + 1);
    o->da = lmb_arena_numbers(o->arena, n * states + 1);
    o->dl = lmb_arena_numbers(o->arena, rows * states + 1);
    o->A = lmb_arena_numbers(o->arena, states * states + 1);
    o->free_A = lmb_arena_numbers(o->arena, states * states + 1);
    o->free_M = lmb_arena_numbers(o->arena, y * y + 1);
    o->motion = lmb_arena_alloc(o->arena, y + 1, sizeof *o->motion);
    o->equations->change = lmb_arena_alloc(o->arena, y + 1, sizeof(lmb_jet));
    return lmb_arena_fine(o->arena);
}

static void fill(lmb_small_motion *o, lmb_solver *s)
{
    const work *w = o->equations;
    size_t n = (size_t)o->n;
    lmb_solver_factor(s);
    for (int i = 0; i < o->positions; i++)
        o->motion[i] =
            lmb_motion_coordinate_rate(&o->all, &o->all.list[o->coordinate[i]], w->variation);
    for (int k = 0; k < o->positions; k++) {
        const double *dq = o->dq + (size_t)k * n;
        find_velocities(o, dq, o->dv + (size_t)k * n);
        motion_column(o, k, dq);
    }
    for (int k = 0; k < o->speeds; k++) {
        int at = o->positions + k;
        memcpy(o->dv + (size_t)at * n, w->E + (size_t)k * n, n * sizeof *o->dv);
        motion_column(o, at, w->none);
    }
    for (int k = 0; k < o->nz; k++)
        state_column(o, k);
}

static lmb_status build(lmb_small_motion *o, lmb_solver *s, int observer,
                        const lmb_small_motion *like)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)o->n, rows = (size_t)o->rows;
    work *w = o->equations;
    w->solver = s;
    w->variation = lmb_variation_new(o->arena, s->state);
    w->K = lmb_arena_numbers(o->arena, n * n + 1);
    w->C = lmb_arena_numbers(o->arena, n * n + 1);
    w->none = lmb_arena_numbers(o->arena, n + 1);
    w->force = lmb_arena_numbers(o->arena, n + 1);
    w->side = lmb_arena_numbers(o->arena, rows + 1);
    w->ignored = lmb_arena_numbers(o->arena, rows + 1);
    if (like)
        o->all = like->all;
    if (!lmb_arena_fine(o->arena) ||
        (!like && !lmb_motion_coordinates_find(&o->all, o->arena, s->state, observer)))
        return lmb_fail_memory(s->context);
    lmb_variation_start(w->variation);
    lmb_jacobian(s->state);
    lmb_status status = find_positions(o, s, like);
    if (status || (status = find_speeds(o, s, like)) || (status = factor(o, s)))
        return status;
    if (!allocate_matrices(o) || !name_states(o, m))
        return lmb_fail_memory(s->context);
    fill(o, s);
    return lmb_small_motion_free_directions(o);
}

static lmb_status make(lmb_small_motion **out, lmb_solver *s, int observer,
                       const lmb_small_motion *like)
{
    const lmb_model *m = s->state->model;
    lmb_arena *arena;
    *out = NULL;
    if (m->nv > LARGEST) {
        lmb_fail(s->context, LMB_SOLVER,
                 "the model has %d coordinates; the full matrices of its small motions are found "
                 "up to %d",
                 m->nv, LARGEST);
        return lmb_hint(s->context, "the lowest modes and frequency responses of larger models do "
                                    "without them: 'limber modes' and 'limber response'");
    }
    lmb_small_motion *o = lmb_arena_object(&arena, sizeof *o);
    if (!o)
        return lmb_fail_memory(s->context);
    *o = (lmb_small_motion){.n = m->nv, .rows = m->nrows, .nz = m->nz, .arena = arena};
    o->equations = lmb_arena_alloc(arena, 1, sizeof *o->equations);
    lmb_status status = o->equations ? build(o, s, observer, like) : lmb_fail_memory(s->context);
    if (status)
        lmb_small_motion_free(o);
    else
        *out = o;
    return status;
}

lmb_status lmb_small_motion_new(lmb_small_motion **out, lmb_solver *s, int observer)
{
    return make(out, s, observer, NULL);
}

lmb_status lmb_small_motion_like(lmb_small_motion **out, lmb_solver *s,
                                 const lmb_small_motion *other)
{
    return make(out, s, other->all.observer, other);
}

void lmb_small_motion_free(lmb_small_motion *o)
{
    if (!o)
        return;
    if (o->equations)
        lmb_saddle_free(o->equations->mass);
    lmb_arena_free(o->arena);
}
