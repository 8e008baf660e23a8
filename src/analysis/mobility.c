/* Rank of the scaled Jacobian S Phi_q W^(-1/2) by Gram-Schmidt over its rows, in the order of the
 * file: a row that adds nothing to those before it is dependent. The rows that take part in such a
 * dependence have multipliers that are not unique.
 *
 * Large models are first tested with the sparse factorisation: if no combination of rows nearly
 * vanishes, all are independent. Else their rank is found by sparse elimination (math/echelon.h):
 * rows without a pivot are dependent, those that they are sums of share their multipliers with
 * them, and a coordinate is loose if a null vector moves it; one with random numbers in the columns
 * without a pivot moves all that can move. */
#include "analysis/mobility.h"

#include <string.h>

#include "base/text.h"
#include "limber/analysis.h"
#include "math/echelon.h"
#include "math/small.h"
#include "system/whole.h"

/* Rows whose part outside the others is smaller than this are dependent: well above the accuracy of
 * an assembled position, well below anything a mechanism's geometry produces. */
static const double negligible = 1e-8;

/* Rows take part in a dependence, and coordinates in a motion, from these parts on. */
static const double least_share = 1e-6, least_motion = 3e-5;

/* A nearly vanishing combination of rows of this size is no accident of rounding. */
static const double surely = 1e-11;

enum { DENSE_LIMIT = 300 };

/* A scaled row: its columns and numbers; returns how many. */
static int scaled_row(const lmb_solver *s, int r, int *column, double *value)
{
    const lmb_state *state = s->state;
    const lmb_model *m = state->model;
    const lmb_sparse_row *row = &m->sparse_rows[r];
    int count = 0;
    for (int b = row->block; b < row->block + row->block_count; b++) {
        const lmb_block *block = &m->blocks[b];
        const lmb_cluster *c = &m->clusters[block->cluster];
        for (int j = block->v; j < block->v + block->nv; j++) {
            double metric = s->metric[c->mass + (j - c->v) * (c->nv + 1)];
            column[count] = j;
            value[count++] =
                row->scale * state->jacobian[block->value + j - block->v] / sqrt(metric);
        }
    }
    return count;
}

/* The rows in the order in which they are looked at: those that bodies bring along come first,
 * though they are the last ones of the model, so that it is joints that repeat others. */
static int row_at(const lmb_model *m, int own, int i)
{
    return i < own ? m->nrows - own + i : i - own;
}

/* How many rows bodies bring along. */
static int own_rows(const lmb_model *m)
{
    int own = 0;
    for (int b = 0; b < m->body_count; b++)
        own += m->bodies[b].row_count;
    return own;
}

/* --- dense ------------------------------------------------------------------------------------ */

/* A scaled row of n numbers, with room for a sparse one; its norm is returned. */
static double expand(const lmb_solver *s, int r, int n, double *out, int *column, double *value)
{
    double norm = 0;
    int count = scaled_row(s, r, column, value);
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < count; i++) {
        out[column[i]] = value[i];
        norm += value[i] * value[i];
    }
    return sqrt(norm);
}

/* Takes the parts along the basis out of x; the parts are added to `parts`. */
static void orthogonalise(const double *basis, int count, int n, double *x, double *parts)
{
    for (int k = 0; k < count; k++) {
        const double *q = basis + (size_t)k * (size_t)n;
        double part = lmb_dot(q, x, n);
        parts[k] += part;
        for (int i = 0; i < n; i++)
            x[i] -= part * q[i];
    }
}

/* Marks the rows that a dependent one is made of: R c = parts, R upper triangular. */
static void mark_shared(const double *R, int count, int stride, double *parts, const int *row_of,
                        bool *shared)
{
    for (int k = count - 1; k >= 0; k--) {
        for (int l = k + 1; l < count; l++)
            parts[k] -= R[(size_t)l * (size_t)stride + (size_t)k] * parts[l];
        parts[k] /= R[(size_t)k * (size_t)stride + (size_t)k];
        if (fabs(parts[k]) > least_share)
            shared[row_of[k]] = true;
    }
}

/* Marks the coordinates that are not determined: their unit vectors are not in the row space. */
static void mark_loose(const double *basis, int rank, int n, bool *loose)
{
    for (int j = 0; j < n; j++) {
        double inside = 0;
        for (int k = 0; k < rank; k++) {
            double part = basis[(size_t)k * (size_t)n + (size_t)j];
            inside += part * part;
        }
        loose[j] = inside < 1 - least_motion * least_motion;
    }
}

/* The rank of the rows for which take[r] holds; marks dependent and shared rows if asked to. */
static int dense_rank(const lmb_solver *s, const bool *take, lmb_rank *mark)
{
    const lmb_model *m = s->state->model;
    int n = m->nv, most = m->nrows < n ? m->nrows : n, rank = 0;
    size_t width = (size_t)most + 1;
    lmb_arena *arena = lmb_arena_new();
    double *basis = lmb_arena_numbers(arena, width * (size_t)n);
    double *R = lmb_arena_numbers(arena, width * width);
    double *parts = lmb_arena_numbers(arena, width);
    double *value = lmb_arena_numbers(arena, (size_t)n);
    int *row_of = lmb_arena_integers(arena, width), *column = lmb_arena_integers(arena, (size_t)n);
    bool failed = !lmb_arena_fine(arena);
    int own = own_rows(m);
    for (int i = 0; !failed && i < m->nrows; i++) {
        int r = row_at(m, own, i);
        if (!take[r])
            continue;
        double *x = basis + (size_t)rank * (size_t)n;
        memset(parts, 0, width * sizeof *parts);
        double norm = expand(s, r, n, x, column, value);
        orthogonalise(basis, rank, n, x, parts);
        orthogonalise(basis, rank, n, x, parts); /* twice is enough */
        double left = sqrt(lmb_dot(x, x, n));
        if (rank < most && left > negligible * norm && norm > 0) {
            for (int j = 0; j < n; j++)
                x[j] /= left;
            memcpy(R + (size_t)rank * width, parts, (size_t)rank * sizeof *R);
            R[(size_t)rank * width + (size_t)rank] = left;
            row_of[rank++] = r;
        } else if (mark) {
            mark->dependent[r] = mark->shared[r] = true;
            mark_shared(R, rank, (int)width, parts, row_of, mark->shared);
        }
    }
    if (mark && !failed)
        mark_loose(basis, rank, n, mark->loose);
    lmb_arena_free(arena);
    return failed ? -1 : rank;
}

/* --- sparse ----------------------------------------------------------------------------------- */

/* The scaled rows for which take[r] holds; the others are empty. False: out of memory. */
static bool collect(const lmb_solver *s, const bool *take, lmb_arena *arena, lmb_sparse_rows *out)
{
    const lmb_model *m = s->state->model;
    size_t most = (size_t)m->value_count + 1;
    int own = own_rows(m);
    *out = (lmb_sparse_rows){m->nrows, m->nv, lmb_arena_integers(arena, (size_t)m->nrows + 1),
                             lmb_arena_integers(arena, most), lmb_arena_numbers(arena, most)};
    for (int i = 0; lmb_arena_fine(arena) && i < m->nrows; i++) {
        int at = out->start[i], r = row_at(m, own, i);
        int count = take[r] ? scaled_row(s, r, out->column + at, out->value + at) : 0;
        out->start[i + 1] = at + count;
    }
    return lmb_arena_fine(arena);
}

/* Marks the coordinates that are not determined. */
static bool mark_null(const lmb_echelon *e, lmb_arena *arena, int n, bool *loose)
{
    double *v = lmb_arena_numbers(arena, (size_t)n + 1);
    unsigned random = 1;
    for (int j = 0; v && j < n; j++) {
        random = random * 1664525u + 1013904223u;
        v[j] = lmb_echelon_has_pivot(e, j) ? 0 : 0.5 + (random >> 8) / 33554432.0;
    }
    if (v)
        lmb_echelon_null_vector(e, v);
    for (int j = 0; v && j < n; j++)
        loose[j] = fabs(v[j]) > least_motion;
    return v;
}

/* The same as dense_rank, of many rows. */
static int sparse_rank(const lmb_solver *s, const bool *take, lmb_rank *mark)
{
    const lmb_model *m = s->state->model;
    int own = own_rows(m);
    lmb_sparse_rows rows;
    lmb_arena *arena = lmb_arena_new();
    lmb_echelon *e = lmb_echelon_new(arena, m->nv);
    int *pivot = lmb_arena_integers(arena, (size_t)m->nrows + 1), rank = -1;
    bool *shared = lmb_arena_alloc(arena, (size_t)m->nrows + 1, sizeof *shared);
    if (e && shared && mark)
        lmb_echelon_mark_sums(e, shared, least_share);
    if (collect(s, take, arena, &rows))
        rank = lmb_echelon_add_all(e, &rows, negligible, pivot);
    for (int i = 0; mark && rank >= 0 && i < m->nrows; i++) {
        int r = row_at(m, own, i);
        mark->dependent[r] = take[r] && pivot[i] < 0;
        mark->shared[r] = take[r] && shared[i];
    }
    if (mark && rank >= 0 && !mark_null(e, arena, m->nv, mark->loose))
        rank = -1;
    lmb_arena_free(arena);
    return rank;
}

static int rank_of(const lmb_solver *s, const bool *take, lmb_rank *mark)
{
    return (s->state->model->nv <= DENSE_LIMIT ? dense_rank : sparse_rank)(s, take, mark);
}

/* Whether the sparse factorisation shows that all rows are independent. */
static bool surely_independent(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    int rows = m->nrows - s->state->rows_off;
    if (rows == 0 || rows > m->nv)
        return rows == 0;
    return lmb_solver_factor_with(s, s->metric, 0) &&
           lmb_saddle_weakest(s->saddle, s->rows) > surely;
}

/* How many more rows are independent beside the present position; it stays as it is. */
static lmb_status rank_beside(lmb_solver *s, const bool *take, lmb_rank *out)
{
    enum { TRIALS = 3 };
    lmb_state *state = s->state;
    size_t nq = (size_t)state->model->nq;
    int most = 0;
    double *here = lmb_arena_numbers(s->arena, nq);
    if (!here)
        return lmb_fail_memory(s->context);
    memcpy(here, state->q, nq * sizeof *here);
    for (unsigned trial = 1; trial <= TRIALS && most >= 0; trial++) {
        if (lmb_move_beside(s, trial)) {
            lmb_jacobian(state);
            int rank = rank_of(s, take, NULL);
            most = rank < 0 || rank > most ? rank : most;
        }
        memcpy(state->q, here, nq * sizeof *here);
        lmb_update_position(state);
        lmb_jacobian(state);
    }
    out->singular = most > out->counts.rank ? most - out->counts.rank : 0;
    return most < 0 ? lmb_fail_memory(s->context) : LMB_OK;
}

lmb_status lmb_check(lmb_context *context, const lmb_model *model, lmb_mobility *out)
{
    LMB_REQUIRE(context, model, out);
    lmb_solver *s;
    lmb_rank rank;
    lmb_status status = lmb_solver_new(&s, context, model);
    if (status)
        return status;
    if (!(status = lmb_assemble(s)) && !(status = lmb_find_rank(s, &rank))) {
        lmb_warn_redundant(s, &rank);
        *out = rank.counts;
    }
    lmb_solver_free(s);
    return status;
}

lmb_status lmb_find_rank(lmb_solver *s, lmb_rank *out)
{
    const lmb_model *m = s->state->model;
    size_t rows = (size_t)m->nrows;
    bool *take = lmb_arena_alloc(s->arena, rows + 1, sizeof *take);
    out->dependent = lmb_arena_alloc(s->arena, rows + 1, sizeof *out->dependent);
    out->shared = lmb_arena_alloc(s->arena, rows + 1, sizeof *out->shared);
    out->loose = lmb_arena_alloc(s->arena, (size_t)m->nv + 1, sizeof *out->loose);
    if (!lmb_arena_fine(s->arena))
        return lmb_fail_memory(s->context);
    lmb_jacobian(s->state);
    out->singular = 0;
    lmb_mobility *c = &out->counts;
    *c = (lmb_mobility){.bodies = m->body_count - 1, .coordinates = m->nv};
    int rows_on = m->nrows - s->state->rows_off;
    for (int i = 0; i < m->driver_count; i++)
        c->driver_rows += !s->state->row_off[m->drivers[i].row];
    c->joint_rows = rows_on - c->driver_rows;
    int joint_rank = c->joint_rows;
    c->rank = rows_on;
    if (m->nv <= DENSE_LIMIT || !surely_independent(s)) {
        for (int r = 0; r < m->nrows; r++)
            take[r] = !s->state->row_off[r];
        c->rank = rank_of(s, take, out);
        for (int i = 0; i < m->driver_count; i++)
            take[m->drivers[i].row] = false;
        joint_rank = rank_of(s, take, NULL);
        if (c->rank < 0 || joint_rank < 0)
            return lmb_fail_memory(s->context);
    }
    for (int r = m->nrows - own_rows(m); r < m->nrows; r++)
        out->shared[r] = out->dependent[r]; /* only joints and drivers have reactions */
    c->redundant = rows_on - c->rank;
    c->free = m->nv - c->rank;
    c->free_undriven = m->nv - joint_rank;
    if (c->redundant == 0)
        return LMB_OK;
    lmb_solver_allow_redundant(s);
    for (int r = 0; r < m->nrows; r++)
        take[r] = !s->state->row_off[r];
    return rank_beside(s, take, out);
}

/* Lists the names of the joints, drivers and bodies that own marked rows. */
static void list_owners(const lmb_model *m, const bool *marked, char *text, size_t size)
{
    const char *last = NULL;
    int count = 0;
    text[0] = 0;
    for (int r = 0; r < m->nrows && count <= 8; r++) {
        const char *name = lmb_owner_of_row(m, r).name;
        if (!marked[r] || name == last)
            continue;
        last = name;
        if (++count > 8)
            lmb_text_append(text, size, " and more");
        else
            lmb_text_append(text, size, "%s'%s'", count > 1 ? ", " : "", name);
    }
}

/* Whether a velocity coordinate is of a deformation: modal, or of a node that follows another. */
static bool deforms(const lmb_model *m, int column)
{
    int node = (int)(lmb_column_node(m, column) - m->nodes);
    return m->columns[column].class == LMB_CLASS_MODE || lmb_whole_leader(m, node) != node;
}

/* Return the number of degrees of freedom of all deformations. */
static int count_deformations(const lmb_model *m)
{
    int count = m->mode_count, turns = m->dimension == 3 ? 3 : 1;
    for (int i = 0; i < m->node_count; i++)
        if (lmb_whole_leader(m, i) != i)
            count += m->dimension + (m->nodes[i].kind == LMB_NODE_VECTOR ? 0 : turns);
    return count;
}

/* The bodies that can still move, with their loose coordinates, as a text. */
static void name_loose(const lmb_solver *s, const lmb_rank *rank, char *text, size_t size)
{
    const lmb_model *m = s->state->model;
    int count = 0;
    text[0] = 0;
    for (int i = 1; i < m->body_count && count <= 5; i++) {
        const lmb_body *b = &m->bodies[i];
        bool any = false, all = true;
        for (int j = b->v; j < b->v + b->nv; j++) {
            any = any || (rank->loose[j] && !deforms(m, j));
            all = all && (rank->loose[j] || deforms(m, j));
        }
        if (any && ++count > 5)
            lmb_text_append(text, size, " and others");
        if (!any || count > 5)
            continue;
        lmb_text_append(text, size, "%s'%s'", count > 1 ? ", " : "", b->name);
        for (int j = b->v, first = 1; !all && j < b->v + b->nv; j++)
            if (rank->loose[j] && !deforms(m, j)) {
                const lmb_node *node = lmb_column_node(m, j);
                char name[64];
                lmb_node_name(node, j - node->v, name, sizeof name);
                lmb_text_append(text, size, "%s%s", first ? " (" : " ", name);
                first = 0;
            }
        lmb_text_append(text, size, "%s", all ? "" : ")");
    }
}

void lmb_warn_redundant(lmb_solver *s, const lmb_rank *rank)
{
    const lmb_model *m = s->state->model;
    bool named = false;
    for (int r = 0; r < m->nrows; r++)
        named = named || rank->dependent[r];
    if (!named)
        return;
    char repeated[256], shared[256];
    list_owners(m, rank->dependent, repeated, sizeof repeated);
    list_owners(m, rank->shared, shared, sizeof shared);
    lmb_warn(s->context, "%d redundant constraint%s: equations of %s depend on others",
             rank->counts.redundant, rank->counts.redundant > 1 ? "s" : "", repeated);
    if (rank->singular > 0)
        lmb_hint(s->context,
                 "%s in this position only, a branch point: from here the mechanism can move on in "
                 "more than one way; place its bodies a little away from it",
                 rank->singular == rank->counts.redundant ? "it is so" : "for some it is so");
    else
        lmb_hint(
            s->context,
            "the motion is not affected; the reactions of %s are not unique, and those of minimum "
            "norm are computed",
            shared);
}

lmb_status lmb_check_velocities(lmb_solver *s, const lmb_rank *rank)
{
    if (rank->counts.redundant == 0)
        return LMB_OK;
    bool regular = lmb_solver_factor_surely(s);
    lmb_solve_velocity(s);
    int row = lmb_unsatisfied_beyond(s, regular ? 1e-6 : 10 * sqrt(lmb_closed));
    if (row < 0)
        return LMB_OK;
    char names[256];
    list_owners(s->state->model, rank->shared, names, sizeof names);
    lmb_contradiction(s, row);
    return lmb_hint(s->context,
                    "%s prescribe the same motion, but with different velocities: remove a driver "
                    "or a joint",
                    names);
}

lmb_status lmb_check_determined(lmb_solver *s, const lmb_rank *rank)
{
    const lmb_mobility *c = &rank->counts;
    lmb_context *context = s->context;
    int free = c->free - count_deformations(s->state->model);
    if (free <= 0)
        return LMB_OK;
    char loose[240];
    name_loose(s, rank, loose, sizeof loose);
    lmb_fail(context, LMB_SOLVER,
             "the motion is not determined: %d degree%s of freedom %s left with %d driver%s", free,
             free > 1 ? "s" : "", free > 1 ? "are" : "is", c->driver_rows,
             c->driver_rows == 1 ? "" : "s");
    lmb_hint(context,
             c->redundant > 0 ? "perhaps it starts in a singular position: place it a little away "
                                "from there; else add a driver. These bodies can still move: %s"
                              : "add a driver for each, or ask for an assembly; these bodies can "
                                "still move: %s",
             loose);
    return LMB_SOLVER;
}
