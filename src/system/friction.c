/* Newton's iteration on the normal forces of joints with friction. */
#include "system/friction.h"

#include <string.h>

#include "math/late.h"
#include "system/equations.h"

struct lmb_friction {
    lmb_arena *arena;
    int count;                /* of forces whose input is a reaction */
    const lmb_force **forces; /* count */
    double *before, *normal;  /* count: N when Q was computed, and now */
    double *x, *lambda;       /* count x nv, count x nrows: answers to a unit of each N */
    double *base;             /* nrows: lambda for the N before */
    double *slope;            /* nrows: dN/dlambda */
    double *force;            /* nv: w_i */
    double *matrix, *side;    /* count x count, count */
    int *pivots;              /* count */
    const lmb_force *jammed;  /* whose normal force was not found, or NULL */
};

/* The one input of a friction force, or NULL for other forces. */
static const lmb_input *reaction_of(const lmb_model *m, const lmb_force *f)
{
    const lmb_input *in = f->input_count ? &m->inputs[f->input] : NULL;
    return in && in->kind == LMB_INPUT_REACTION ? in : NULL;
}

static bool allocate(lmb_friction *w, const lmb_model *m)
{
    int n = w->count;
    w->forces = lmb_arena_alloc(w->arena, (size_t)n, sizeof *w->forces);
    w->before = lmb_arena_numbers(w->arena, n);
    w->normal = lmb_arena_numbers(w->arena, n);
    w->x = lmb_arena_numbers(w->arena, (size_t)n * (size_t)m->nv);
    w->lambda = lmb_arena_numbers(w->arena, (size_t)n * (size_t)m->nrows);
    w->base = lmb_arena_numbers(w->arena, m->nrows);
    w->slope = lmb_arena_numbers(w->arena, m->nrows);
    w->force = lmb_arena_numbers(w->arena, m->nv);
    w->matrix = lmb_arena_numbers(w->arena, (size_t)n * (size_t)n);
    w->side = lmb_arena_numbers(w->arena, n);
    w->pivots = lmb_arena_integers(w->arena, n);
    return lmb_arena_fine(w->arena);
}

lmb_friction *lmb_friction_new(const lmb_model *m)
{
    lmb_arena *arena;
    lmb_friction *w = lmb_arena_object(&arena, sizeof *w);
    if (!w)
        return NULL;
    w->arena = arena;
    for (int i = 0; i < m->force_count; i++)
        w->count += reaction_of(m, &m->forces[i]) != NULL;
    if (w->count && !allocate(w, m)) {
        lmb_friction_free(w);
        return NULL;
    }
    for (int i = 0, n = 0; i < m->force_count; i++)
        if (reaction_of(m, &m->forces[i]))
            w->forces[n++] = &m->forces[i];
    return w;
}

void lmb_friction_free(lmb_friction *w)
{
    if (w)
        lmb_arena_free(w->arena);
}

/* The answer of x and lambda to a unit of one normal force. */
static void answer(lmb_friction *w, lmb_state *s, lmb_saddle *saddle, int i)
{
    const lmb_model *m = s->model;
    const lmb_force *f = w->forces[i];
    const lmb_pair *p = &m->parts.pairs[f->pair];
    lmb_force_at at = lmb_force_input(s, f);
    lmb_frame on_A = frame_zero(), on_B = frame_zero();
    if (!s->force_off[f - m->forces])
        f->type->by_input(f, &at, 0, &on_A, &on_B);
    memset(w->force, 0, (size_t)m->nv * sizeof(double));
    lmb_add_load(s, p->a, &on_A, w->force + m->parts.markers[p->a].v);
    lmb_add_load(s, p->b, &on_B, w->force + m->parts.markers[p->b].v);
    lmb_saddle_solve(saddle, w->force, NULL, w->x + (size_t)i * (size_t)m->nv,
                     w->lambda + (size_t)i * (size_t)m->nrows);
}

/* lambda of the state for the present normal forces. */
static void set_multipliers(const lmb_friction *w, lmb_state *s)
{
    int rows = s->model->nrows;
    memcpy(s->lambda, w->base, (size_t)rows * sizeof(double));
    for (int i = 0; i < w->count; i++) {
        const double *part = w->lambda + (size_t)i * (size_t)rows;
        for (int r = 0; r < rows; r++)
            s->lambda[r] += (w->normal[i] - w->before[i]) * part[r];
    }
}

/* One step of Newton's method on N_i - N_i(lambda) = 0; *change is the largest one relative to the
 * forces. False if the matrix is singular. */
static bool step(lmb_friction *w, lmb_state *s, double *change)
{
    const lmb_model *m = s->model;
    double largest = 0, moved = 0;
    for (int i = 0; i < w->count; i++) {
        const lmb_input *in = reaction_of(m, w->forces[i]);
        const lmb_joint *joint = &m->joints[in->index];
        double normal = lmb_input_value(s, in);
        lmb_reaction_slope(s, in, w->slope);
        w->side[i] = normal - w->normal[i];
        largest = fmax(largest, normal);
        for (int j = 0; j < w->count; j++) {
            const double *part = w->lambda + (size_t)j * (size_t)m->nrows;
            double sum = i == j;
            for (int r = joint->row; r < joint->row + joint->row_count; r++)
                sum -= w->slope[r] * part[r];
            w->matrix[j * w->count + i] = sum;
        }
    }
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, w->count, 1, w->matrix, w->count, w->pivots, w->side,
                           w->count) != 0)
        return false;
    for (int i = 0; i < w->count; i++) {
        w->normal[i] += w->side[i];
        moved = fmax(moved, fabs(w->side[i]));
        if (fabs(w->side[i]) == moved)
            w->jammed = w->forces[i];
    }
    *change = moved / largest;
    return isfinite(moved);
}

bool lmb_friction_solve(lmb_friction *w, lmb_state *s, lmb_saddle *saddle, double *x)
{
    enum { MOST_ITERATIONS = 50 };
    int nv = s->model->nv;
    w->jammed = NULL;
    if (w->count == 0)
        return true;
    memcpy(w->base, s->lambda, (size_t)s->model->nrows * sizeof(double));
    for (int i = 0; i < w->count; i++)
        w->before[i] = w->normal[i] = s->variables[w->forces[i]->variable + LMB_EFFORT_VARIABLES].f;
    for (int i = 0; i < w->count; i++)
        answer(w, s, saddle, i);
    w->jammed = w->forces[0];
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double change;
        set_multipliers(w, s);
        if (!step(w, s, &change))
            return false;
        if (change > 1e-13)
            continue;
        w->jammed = NULL;
        set_multipliers(w, s);
        for (int k = 0; k < w->count; k++)
            for (int j = 0; j < nv; j++)
                x[j] += (w->normal[k] - w->before[k]) * w->x[(size_t)k * (size_t)nv + (size_t)j];
        return true;
    }
    return false;
}

const lmb_force *lmb_friction_jams(const lmb_friction *w)
{
    return w->jammed;
}

lmb_status lmb_friction_status(const lmb_friction *w, const lmb_state *s, lmb_context *context)
{
    if (!w->jammed)
        return LMB_OK;
    lmb_fail(context, LMB_SOLVER, "no normal force of '%s' agrees with its friction at t = %.10g",
             w->jammed->name, s->t);
    return lmb_hint(context, "the joint jams: a smaller 'coefficient' or 'radius' may help");
}
