/* Choice of a solver of the saddle-point equations, and what is done with any of them. */
#include "system/saddle.h"

#include <string.h>

#include "system/kinds.h"

const lmb_saddle_kind *const lmb_saddle_kinds[] = {
    &lmb_saddle_square,
    &lmb_saddle_tree,
    &lmb_saddle_schur,
    &lmb_saddle_dense,
    &lmb_saddle_klu,
    &lmb_saddle_fronts,
    NULL,
};

const lmb_saddle_family lmb_saddle_families[] = {
    {"tree", {&lmb_saddle_tree, &lmb_saddle_fronts}},
    {"klu", {&lmb_saddle_klu}},
    {"schur", {&lmb_saddle_schur}},
    {"dense", {&lmb_saddle_dense}},
    {0},
};

/* The first of a list that suits and is made. `chosen`: one need not be likely to be the fastest.
 */
static lmb_saddle *first_of(const lmb_saddle_kind *const *kinds, bool chosen, const lmb_model *m,
                            lmb_saddle_use use)
{
    lmb_saddle *saddle = NULL;
    for (; kinds && *kinds && !saddle; kinds++)
        if ((chosen || !(*kinds)->fast || (*kinds)->fast(m, use)) && /* quickly known */
            (use != LMB_SADDLE_EXACT || (*kinds)->exact) && (*kinds)->suits(m, use))
            saddle = (*kinds)->create(m, use);
    return saddle;
}

/* Replace a solver that is not known to be fast by the solver of the model's list with the least
 * predicted work, if that is less than half. */
static lmb_saddle *least_work(lmb_saddle *saddle, const lmb_model *m, lmb_saddle_use use)
{
    const lmb_saddle_kind *first = saddle->kind;
    double least = saddle->kind->work ? saddle->kind->work(saddle) / 2 : 0;
    for (const lmb_saddle_kind *const *kind = m->kinds->solvers; *kind; kind++) {
        if (*kind == first || !(*kind)->work || !(*kind)->suits(m, use) ||
            (use == LMB_SADDLE_EXACT && !(*kind)->exact) || !(least > 0))
            continue;
        lmb_saddle *other = (*kind)->create(m, use);
        double work = other ? (*kind)->work(other) : 0;
        bool better = work > 0 && work < least;
        if (better)
            least = work;
        lmb_saddle_free(better ? saddle : other);
        saddle = better ? other : saddle;
    }
    return saddle;
}

lmb_saddle *lmb_saddle_new(const lmb_model *m, lmb_saddle_use use, lmb_saddle_choice choice)
{
    lmb_saddle *saddle = first_of(choice.kinds, true, m, use);
    if (!saddle)
        saddle = first_of(m->kinds->solvers, false, m, use);
    if (saddle && choice.by_work && !choice.kinds && !saddle->kind->fast)
        saddle = least_work(saddle, m, use);
    if (saddle)
        saddle->workers = choice.workers;
    return saddle;
}

void lmb_saddle_free(lmb_saddle *saddle)
{
    if (saddle)
        saddle->kind->destroy(saddle);
}

void *lmb_saddle_object(const lmb_saddle_kind *kind, const lmb_model *m, lmb_saddle_use use,
                        size_t size)
{
    lmb_arena *arena;
    lmb_saddle *saddle = lmb_arena_object(&arena, size);
    if (!saddle)
        return NULL;
    *saddle = (lmb_saddle){
        .kind = kind,
        .model = m,
        .arena = arena,
        .use = use,
        .scale = lmb_arena_numbers(arena, m->nrows),
        .side = lmb_arena_numbers(arena, m->nv + m->nrows),
        .room = lmb_arena_numbers(arena, m->nv + m->nrows),
        .last = lmb_arena_numbers(arena, m->nrows),
        .E = lmb_arena_numbers(arena, m->nrows),
    };
    if (lmb_arena_fine(arena))
        return saddle;
    lmb_arena_free(arena);
    return NULL;
}

void lmb_metric_blocks(const lmb_model *m, double *blocks)
{
    memset(blocks, 0, (size_t)m->mass_count * sizeof *blocks);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++) {
            double size = m->columns[c->v + j].size;
            blocks[c->mass + j * (c->nv + 1)] = size * size;
        }
    }
}

void lmb_saddle_scales(const lmb_model *m, const lmb_saddle_matrix *matrix, double *scale)
{
    for (int r = 0; r < m->nrows; r++) {
        bool out = matrix->state->row_off[r] ||
                   (matrix->positions_only && m->parts.rows[r].velocity_level);
        scale[r] = out ? 0 : m->sparse_rows[r].scale;
    }
}

bool lmb_saddle_rows_alike(const lmb_model *m, int r, int s)
{
    const lmb_sparse_row *a = &m->sparse_rows[r], *b = &m->sparse_rows[s];
    bool same = a->block_count == b->block_count;
    for (int k = 0; k < a->block_count && same; k++) {
        const lmb_block *x = &m->blocks[a->block + k], *y = &m->blocks[b->block + k];
        same = x->v == y->v && x->nv == y->nv;
    }
    return same;
}

bool lmb_saddle_factor(lmb_saddle *saddle, const lmb_saddle_matrix *matrix)
{
    saddle->epsilon = matrix->epsilon;
    lmb_saddle_scales(saddle->model, matrix, saddle->scale);
    for (int r = 0; r < saddle->model->nrows; r++)
        saddle->E[r] = matrix->epsilon;
    for (int r = 0; r < saddle->model->nrows && matrix->rate_epsilon > 0; r++)
        saddle->E[r] = lmb_saddle_epsilon(matrix, r);
    return saddle->kind->factor(saddle, matrix);
}

/* The right side, rows scaled. */
static void set_side(lmb_saddle *s, const double *f, const double *g)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->nv; i++)
        s->side[i] = f ? f[i] : 0;
    for (int r = 0; r < m->nrows; r++)
        s->side[m->nv + r] = g ? s->scale[r] * g[r] : 0;
}

/* Copies the solution out, multipliers for the rows as written. */
static void hand_out(const lmb_saddle *s, double *x, double *y)
{
    const lmb_model *m = s->model;
    memcpy(x, s->side, (size_t)m->nv * sizeof *x);
    for (int r = 0; r < m->nrows; r++)
        y[r] = s->scale[r] * s->side[m->nv + r];
}

void lmb_saddle_step(lmb_saddle *s, const double *f, const double *g, double *x, double *y)
{
    set_side(s, f, g);
    s->kind->solve(s, s->side, 1);
    hand_out(s, x, y);
}

/* `solve` of a solver, or `solve_transposed`. */
typedef void solve_function(lmb_saddle *saddle, double *sides, int count);

/* The right side (f, g), its y in s->last as the centre of the proximal term: g - E y. */
static void solve_about_last(lmb_saddle *s, solve_function *solve, const double *f_and_g,
                             double *side)
{
    size_t nv = (size_t)s->model->nv, rows = (size_t)s->model->nrows;
    memcpy(side, f_and_g, (nv + rows) * sizeof *side);
    for (size_t r = 0; r < rows; r++)
        side[nv + r] -= s->E[r] * s->last[r];
    solve(s, side, 1);
}

/* Solutions from one centre to the next until y changes by `enough` of it, or no less than before.
 */
static void refine(lmb_saddle *s, solve_function *solve, const double *f_and_g, double *side,
                   double enough)
{
    enum { MOST_ITERATIONS = 20 };
    size_t rows = (size_t)s->model->nrows;
    double *y = side + s->model->nv, change = INFINITY, before, size;
    int iterations = 0;
    do {
        before = change;
        memcpy(s->last, y, rows * sizeof *y);
        solve_about_last(s, solve, f_and_g, side);
        change = size = 0;
        for (size_t r = 0; r < rows; r++) {
            change = fmax(change, fabs(y[r] - s->last[r]));
            size = fmax(size, fabs(y[r]));
        }
    } while (change > enough * size && change < before / 2 && ++iterations < MOST_ITERATIONS);
}

/* L x = g + E y of the first solution is free of contradictions. Its y has -1/E times those; that
 * of g + E y has not, and tells how much of E y was not of that kind. */
static void solve_refined(lmb_saddle *s, solve_function *solve, double *side, double enough)
{
    size_t nv = (size_t)s->model->nv, rows = (size_t)s->model->nrows;
    double *room = s->room, *y = side + nv;
    memcpy(room, side, (nv + rows) * sizeof *side);
    solve(s, side, 1);
    if (s->epsilon == 0)
        return;
    for (size_t r = 0; r < rows; r++)
        room[nv + r] += s->E[r] * y[r];
    memset(s->last, 0, rows * sizeof *y);
    solve_about_last(s, solve, room, side);
    for (size_t r = 0; r < rows; r++)
        room[nv + r] -= s->E[r] * y[r];
    refine(s, solve, room, side, enough);
}

void lmb_saddle_refined(lmb_saddle *s, double *side, double enough)
{
    solve_refined(s, s->kind->solve, side, enough);
}

void lmb_saddle_refined_transposed(lmb_saddle *s, double *side, double enough)
{
    solve_refined(s, s->kind->solve_transposed, side, enough);
}

void lmb_saddle_solve(lmb_saddle *s, const double *f, const double *g, double *x, double *y)
{
    set_side(s, f, g);
    memcpy(s->room, s->side, (size_t)(s->model->nv + s->model->nrows) * sizeof *x);
    s->kind->solve(s, s->side, 1);
    if (s->epsilon > 0)
        refine(s, s->kind->solve, s->room, s->side, 1e-14);
    hand_out(s, x, y);
}

void lmb_saddle_pack(lmb_saddle *s, lmb_pack *pack)
{
    lmb_pack_number(pack, &s->epsilon);
    lmb_pack_numbers(pack, s->E, (size_t)s->model->nrows);
    lmb_pack_numbers(pack, s->scale, (size_t)s->model->nrows);
    s->kind->pack(s, pack);
}

int lmb_saddle_orientation(const lmb_saddle *s)
{
    return s->kind->orientation ? s->kind->orientation(s) : 0;
}

double lmb_saddle_weakest(lmb_saddle *s, double *rows)
{
    const lmb_model *m = s->model;
    double *side = s->side, growth = 0;
    for (int r = 0; r < m->nrows; r++) /* a start that no row in use is perpendicular to */
        rows[r] = s->scale[r] == 0 ? 0 : 1 + 0.3 * sin(1.7 * r);
    for (int iteration = 0; iteration < 8; iteration++) {
        double norm = 0;
        for (int r = 0; r < m->nrows; r++)
            norm += rows[r] * rows[r];
        norm = sqrt(norm);
        memset(side, 0, (size_t)m->nv * sizeof *side);
        for (int r = 0; r < m->nrows; r++)
            side[m->nv + r] = rows[r] / norm;
        s->kind->solve(s, side, 1); /* y = -(Phi W^-1 Phi^T + eps)^-1 z */
        growth = 0;
        for (int r = 0; r < m->nrows; r++) {
            rows[r] = side[m->nv + r];
            growth += rows[r] * rows[r];
        }
        growth = sqrt(growth);
        if (!(growth > 0) || !isfinite(growth))
            return 0;
    }
    for (int r = 0; r < m->nrows; r++)
        rows[r] /= growth;
    return sqrt(fmax(0, 1 / growth - s->epsilon));
}
