/* Independent and dependent coordinates by the pivots of the scaled Jacobian.
 *
 * QR with column pivoting takes at each step the column that is longest outside those taken before.
 * The columns with pivots are the dependent coordinates: their part of the Jacobian is regular and
 * well conditioned. Rows that repeat others give no pivot and do no harm. Of large models the
 * pivots are those of a sparse elimination (math/echelon.h). */
#include "system/solver.h"

#include <string.h>

#include "math/dense.h"

/* Models with more coordinates are large. */
enum { LARGE = 400 };

/* Pivots below this part of the first are those of repeated rows. */
static const double negligible = 1e-9;

/* A choice with pivots below this part of the first does not determine the motion. */
static const double poor = 1e-7;

void lmb_scaled_jacobian(const lmb_solver *s, double *scaled, double *root)
{
    const lmb_model *m = s->state->model;
    size_t rows = (size_t)m->nrows;
    memset(scaled, 0, rows * (size_t)m->nv * sizeof *scaled);
    for (int j = 0; j < m->nv; j++)
        root[j] = 1 / m->columns[j].size;
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *part = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = part->v; j < part->v + part->nv; j++)
                scaled[(size_t)j * rows + (size_t)r] =
                    m->sparse_rows[r].scale * s->state->jacobian[part->value + j - part->v] *
                    root[j];
        }
}

lmb_sparse_rows lmb_sparse_jacobian(const lmb_solver *s, lmb_arena *arena, const bool *left_out)
{
    const lmb_model *m = s->state->model;
    lmb_sparse_rows out = {m->nrows, m->nv, lmb_arena_integers(arena, (size_t)m->nrows + 1),
                           lmb_arena_integers(arena, (size_t)m->value_count + 1),
                           lmb_arena_numbers(arena, (size_t)m->value_count + 1)};
    int count = 0;
    for (int r = 0; lmb_arena_fine(arena) && r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *part = &m->blocks[k];
            for (int j = part->v; j < part->v + part->nv; j++) {
                double x = s->state->jacobian[part->value + j - part->v];
                if (x == 0 || s->state->row_off[r] || (left_out && left_out[j]))
                    continue;
                out.column[count] = j;
                out.value[count++] = row->scale * x / m->columns[j].size;
            }
        }
        out.start[r + 1] = count;
    }
    return out;
}

/* The same as below, by elimination. */
static int sparse_pivots_without(const lmb_solver *s, lmb_arena *arena, const bool *left_out,
                                 double limit, int *order)
{
    const lmb_model *m = s->state->model;
    lmb_sparse_rows rows = lmb_sparse_jacobian(s, arena, left_out);
    lmb_echelon *e = lmb_echelon_new(arena, m->nv);
    int *pivot = lmb_arena_integers(arena, (size_t)m->nrows + 1), count = 0;
    bool *dependent = lmb_arena_alloc(arena, (size_t)m->nv + 1, sizeof *dependent);
    int rank = lmb_arena_fine(arena) ? lmb_echelon_add_all(e, &rows, limit, pivot) : -1;
    for (int r = 0; rank >= 0 && r < m->nrows; r++)
        if (pivot[r] >= 0) {
            order[count++] = pivot[r];
            dependent[pivot[r]] = true;
        }
    for (int j = 0; rank >= 0 && j < m->nv; j++)
        if (!dependent[j] && !(left_out && left_out[j]))
            order[count++] = j;
    return rank;
}

/* The pivots of the scaled Jacobian without the columns that are left out (NULL: of all); the order
 * numbers the columns that take part. Returns the rank, -1 when out of memory. */
static int pivots_without(const lmb_solver *s, lmb_arena *arena, const bool *left_out, double limit,
                          int *order)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    if (m->nv > LARGE)
        return sparse_pivots_without(s, arena, left_out, limit, order);
    double *a = lmb_arena_numbers(arena, rows * n), *root = lmb_arena_numbers(arena, n);
    int *column = lmb_arena_integers(arena, n), taken = 0;
    if (!lmb_arena_fine(arena))
        return -1;
    lmb_scaled_jacobian(s, a, root);
    for (size_t j = 0; j < n; j++) {
        if (left_out && left_out[j])
            continue;
        memmove(a + (size_t)taken * rows, a + j * rows, rows * sizeof *a);
        column[taken++] = (int)j;
    }
    int rank = lmb_dense_pivot(m->nrows, taken, a, limit, order);
    for (int i = 0; rank >= 0 && i < taken; i++)
        order[i] = column[order[i]];
    return rank;
}

lmb_status lmb_choose_independent(lmb_solver *s, bool *independent, int *count)
{
    int n = s->state->model->nv;
    lmb_arena *arena = lmb_arena_new();
    int *order = lmb_arena_integers(arena, n);
    int rank = pivots_without(s, arena, NULL, negligible, order);
    for (int i = 0; rank >= 0 && i < n; i++)
        independent[order[i]] = i >= rank;
    lmb_arena_free(arena);
    *count = n - rank;
    return rank < 0 ? lmb_fail_memory(s->context) : LMB_OK;
}

/* Makes the independent part of a direction, with a little of all coordinates in it, a unit vector
 * in the metric; the dependent part becomes zero. */
static void make_unit(const lmb_solver *s, double *direction)
{
    const lmb_model *m = s->state->model;
    double square = 0, norm;
    for (int j = 0; j < m->nv; j++) {
        double x = s->fixed[j] ? direction[j] * m->columns[j].size : 0;
        square += x * x;
    }
    norm = square > 0 && isfinite(square) ? sqrt(square) : INFINITY;
    square = 0;
    for (int j = 0; j < m->nv; j++) {
        double size = m->columns[j].size, more = 0.1 * (1 + 0.3 * sin(1.7 * j)) / size;
        direction[j] = s->fixed[j] ? (isinf(norm) ? 0 : direction[j] / norm) + more : 0;
        square += direction[j] * direction[j] * size * size;
    }
    for (int j = 0; j < m->nv && square > 0; j++)
        direction[j] /= sqrt(square);
}

/* With B the matrix that gives d_d = B d_i, in the metric: one multiplication by B^T B. */
double lmb_dependence(lmb_solver *s, double *direction, int iterations)
{
    const lmb_model *m = s->state->model;
    double largest = 0;
    for (int i = 0; i < iterations; i++) {
        double square = 0;
        make_unit(s, direction);
        lmb_jacobian_times(s->state, direction, s->side);
        for (int r = 0; r < m->nrows; r++)
            s->side[r] = -s->side[r];
        lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
        for (int j = 0; j < m->nv; j++) {
            double size = m->columns[j].size;
            square += s->step[j] * s->step[j] * size * size;
            s->force[j] = s->step[j] * size * size;
        }
        largest = fmax(largest, sqrt(square));
        lmb_saddle_solve(s->saddle, s->force, NULL, s->step, s->rows); /* W B d_i = Phi_d^T y */
        memset(direction, 0, (size_t)m->nv * sizeof *direction);
        lmb_jacobian_transposed_subtract(s->state, s->rows, direction);
        for (int j = 0; j < m->nv; j++)
            direction[j] /= m->columns[j].size * m->columns[j].size;
        if (!isfinite(square))
            return INFINITY;
    }
    return largest;
}

/* Says which coordinate still moves while the marked ones stand still. */
static lmb_status fail_singular(lmb_solver *s, int loose)
{
    char name[128];
    lmb_column_name(s->state->model, loose, name, sizeof name);
    lmb_fail(s->context, LMB_BAD_INPUT,
             "the coordinates named do not determine the motion at this position: '%s' can move "
             "while they are fixed",
             name);
    return lmb_hint(s->context, "name it instead of one of them, or let the program choose");
}

lmb_status lmb_check_independent(lmb_solver *s, const bool *independent)
{
    int n = s->state->model->nv, named = 0;
    lmb_arena *arena = lmb_arena_new();
    int *order = lmb_arena_integers(arena, n);
    int rank = pivots_without(s, arena, NULL, negligible, order), remaining = rank;
    for (int i = 0; i < n; i++)
        named += independent[i];
    lmb_status status = LMB_OK;
    if (rank >= 0 && named != n - rank) {
        status = lmb_fail(s->context, LMB_BAD_INPUT,
                          "%d coordinate%s named, but the mechanism has %d degree%s of freedom",
                          named, named == 1 ? " is" : "s are", n - rank, n - rank == 1 ? "" : "s");
        lmb_hint(s->context, "name as many independent coordinates as that");
    } else if (rank >= 0) {
        remaining = pivots_without(s, arena, independent, poor, order);
    }
    if (remaining < 0)
        status = lmb_fail_memory(s->context);
    else if (remaining < rank)
        status = fail_singular(s, order[remaining]);
    lmb_arena_free(arena);
    return status;
}
