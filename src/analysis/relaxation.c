/* Dynamic relaxation with kinetic damping.
 *
 * The bodies get a mass that suits the calculation, the metric W of the model, and move under their
 * forces in steps of a pseudo-time,
 *
 *   v = P (v + h W^-1 Q),   q (+) h v, joints closed again,
 *
 * with P the projection onto the free directions. Whenever the kinetic energy has passed a peak,
 * all stops and begins anew: near a peak the potential is lowest. h is kept below the limit of
 * stability 2 / sqrt(stiffness): row sums of W^(-1/2) K W^(-1/2) bound the largest one at a
 * position, and a step in which the force changes more than such a stiffness would is taken back.
 * Forces are those at rest: they need no potential. */
#include <string.h>

#include "analysis/statics.h"

/* The longest move of a step and of all steps, in lengths of the model. */
static const double longest_move = 0.1, away = 1e4;

/* Room for the work. */
typedef struct relaxation {
    lmb_solver *solver;
    double *v;         /* nv: velocity in the pseudo-time */
    double *a, *old;   /* nv: P W^-1 Q now, and where the step began */
    double *root;      /* nv: W^(-1/2) */
    double *sum;       /* nv: of the rows of the stiffness */
    double *q, *moved; /* nq, nv: where a step began, and the step */
    double h, longest; /* step in time, and the longest that showed no harm */
    double kinetic, typical, left;
} relaxation;

/* The product of two vectors in the metric. */
static double product(const relaxation *r, const double *x, const double *y)
{
    double sum = 0;
    for (int j = 0; j < r->solver->state->model->nv; j++)
        sum += x[j] * y[j] / (r->root[j] * r->root[j]);
    return sum;
}

/* Row sums of the scaled stiffness bound its largest eigenvalue. */
static double stiffest(relaxation *r)
{
    const lmb_state *s = r->solver->state;
    const lmb_model *m = s->model;
    double largest = 0, *sum = r->sum;
    lmb_tangent_blocks(s);
    memset(sum, 0, (size_t)m->nv * sizeof *sum);
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *o = &m->couples[c];
        const double *K = s->tangent_q + o->value;
        for (int j = o->column_v; j < o->column_v + o->column_nv; j++)
            for (int i = o->row_v; i < o->row_v + o->row_nv; i++)
                sum[i] += fabs(*K++) * r->root[i] * r->root[j];
    }
    for (int i = 0; i < m->nv; i++)
        largest = fmax(largest, sum[i]);
    return largest;
}

/* a = P W^-1 Q and the size of the forces that are left over. */
static void find_force(relaxation *r)
{
    lmb_solver *s = r->solver;
    r->left = lmb_imbalance(s);
    r->typical = fmax(r->typical, lmb_typical_force(s));
    memcpy(r->a, s->step, (size_t)s->state->model->nv * sizeof(double));
}

/* The step in time from the stiffness here; from rest it must not move far in one step. */
static void choose_step(relaxation *r)
{
    double stiff = stiffest(r), far = longest_move * r->solver->state->model->length;
    r->h = fmin(r->longest, stiff > 0 ? 1.2 / sqrt(stiff) : INFINITY);
    if (r->left > 0)
        r->h = fmin(r->h, sqrt(far / r->left));
}

/* The new velocity, P v + h a; returns its kinetic energy. */
static double accelerate(relaxation *r)
{
    lmb_solver *s = r->solver;
    const lmb_model *m = s->state->model;
    for (int j = 0; j < m->nv; j++)
        s->force[j] = r->v[j] / (r->root[j] * r->root[j]);
    lmb_saddle_solve(s->saddle, s->force, NULL, r->v, s->rows);
    for (int j = 0; j < m->nv; j++)
        r->v[j] += r->h * r->a[j];
    double far = lmb_step_size(s, r->v) * r->h, limit = longest_move * m->length;
    for (int j = 0; j < m->nv && far > limit; j++)
        r->v[j] *= limit / far;
    return product(r, r->v, r->v);
}

static void take_back(relaxation *r)
{
    lmb_state *s = r->solver->state;
    memcpy(s->q, r->q, (size_t)s->model->nq * sizeof(double));
    lmb_update_position(s);
    lmb_follow_turns(s);
}

/* Moves by h v and closes the joints, with shorter steps if they do not; false if none does. */
static bool move(relaxation *r)
{
    lmb_solver *s = r->solver;
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    double fraction = 1;
    memcpy(r->q, state->q, (size_t)m->nq * sizeof(double));
    for (int i = 0; i < 20; i++, fraction /= 2) {
        for (int j = 0; j < m->nv; j++)
            r->moved[j] = s->step[j] = fraction * r->h * r->v[j];
        lmb_retract(state, r->q, s->step);
        if (lmb_solve_position(s)) {
            lmb_follow_turns(state);
            return true;
        }
    }
    take_back(r);
    return false;
}

static void stop(relaxation *r)
{
    memset(r->v, 0, (size_t)r->solver->state->model->nv * sizeof(double));
    r->kinetic = 0;
}

/* Whether the forces changed in the step as if something very stiff was hit, which a step as long
 * as this cannot follow. Then it is taken back, and shorter ones follow. */
static void check_hit(relaxation *r)
{
    double change = product(r, r->old, r->moved) - product(r, r->a, r->moved);
    double stiffness = change / product(r, r->moved, r->moved);
    r->longest *= 1.1;
    if (!(stiffness * r->h * r->h > 2))
        return;
    r->longest = 0.7 / sqrt(stiffness);
    take_back(r);
    find_force(r);
    stop(r);
}

/* The largest distance of anything from the origin. */
static double extent(const lmb_state *s)
{
    double largest = 0;
    for (int i = 0; i < s->model->parts.marker_count; i++)
        largest = fmax(largest, v3_norm(s->frames[i].p));
    return largest;
}

static bool relax(relaxation *r, double part)
{
    lmb_solver *s = r->solver;
    size_t n = (size_t)s->state->model->nv;
    double farthest = extent(s->state) + away * s->state->model->length;
    int most = (int)fmin(20000, fmax(2000, 2e6 / (double)(n + 1)));
    find_force(r);
    for (int i = 0; i < most; i++) {
        if (r->left <= part * r->typical)
            return true;
        if (r->kinetic == 0 || i % 20 == 0)
            choose_step(r);
        if (r->kinetic == 0)
            lmb_log(s->context, "relaxation step %d: forces of %.3e are left", i, r->left);
        double kinetic = accelerate(r);
        if (kinetic < (1 - 1e-6) * r->kinetic) { /* past a peak */
            stop(r);
            continue;
        }
        r->kinetic = kinetic;
        memcpy(r->old, r->a, n * sizeof(double));
        if (!move(r) || !(extent(s->state) < farthest))
            return false;
        find_force(r);
        check_hit(r);
        if (i % 500 == 499 && lmb_progress(s->context, "statics", (double)i / most))
            return false;
    }
    return false;
}

bool lmb_relax(lmb_solver *s, double part)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    lmb_arena *arena = lmb_arena_new();
    relaxation r = {.solver = s,
                    .longest = INFINITY,
                    .sum = lmb_arena_numbers(arena, n),
                    .v = lmb_arena_numbers(arena, n),
                    .a = lmb_arena_numbers(arena, n),
                    .old = lmb_arena_numbers(arena, n),
                    .root = lmb_arena_numbers(arena, n),
                    .moved = lmb_arena_numbers(arena, n),
                    .q = lmb_arena_numbers(arena, m->nq)};
    bool rests = lmb_arena_fine(arena);
    for (int j = 0; j < m->nv && rests; j++)
        r.root[j] = 1 / m->columns[j].size;
    rests = rests && relax(&r, part);
    lmb_arena_free(arena);
    return rests;
}
