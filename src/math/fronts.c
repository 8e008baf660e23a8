/* Factorisation and solution by fronts, up and down the tree. */
#include "math/fronts.h"

#include <math.h>
#include <string.h>

#include "math/fronts_internal.h"
#include "math/small.h"

lmb_fronts *lmb_fronts_new(const lmb_front_matrix *matrix)
{
    lmb_arena *arena;
    lmb_fronts *f = lmb_arena_object(&arena, sizeof *f);
    if (!f)
        return NULL;
    *f = (lmb_fronts){.arena = arena, .matrix = *matrix, .layout = lmb_arena_new()};
    size_t n = (size_t)matrix->n + 1;
    f->position = lmb_arena_integers(arena, n);
    f->pivots = lmb_arena_integers(arena, n);
    f->work = lmb_arena_numbers(arena, n);
    f->D = lmb_arena_numbers(arena, n);
    if (lmb_arena_fine(arena) && f->layout && lmb_fronts_eliminate(f) && lmb_fronts_lay_out(f))
        return f;
    lmb_fronts_free(f);
    return NULL;
}

void lmb_fronts_free(lmb_fronts *f)
{
    if (!f)
        return;
    lmb_arena_free(f->layout);
    lmb_arena_free(f->arena);
}

/* --- factorisation -----------------------------------------------------------------------------
 */

/* The matrix of a front while it is put together and eliminated. */
typedef struct pieces {
    double *panel, *right, *rest;
    int n, k;
} pieces;

static pieces pieces_of(const lmb_fronts *f, const lmb_front *front)
{
    pieces x = {.panel = f->factors + front->factor,
                .rest = f->stack + front->contribution,
                .n = front->size,
                .k = front->closed};
    x.right = x.panel + (size_t)x.n * (size_t)x.k;
    return x;
}

/* Where column j has its row i, for i of the panel's or of the rest's rows. */
static inline double *column_of(const pieces *x, int j)
{
    return j < x->k ? x->panel + (size_t)j * (size_t)x->n
                    : x->rest + (size_t)(j - x->k) * (size_t)(x->n - x->k) - x->k;
}

/* Adds a lower triangle, of a square by columns. */
static void add_triangle(const pieces *x, const double *values, const int *local, int count,
                         bool straight)
{
    for (int j = 0; j < count; j++, values += count) {
        double *restrict column = column_of(x, local[j]);
        if (straight)
            for (int i = j; i < count; i++)
                column[local[0] + i] += values[i];
        else
            for (int i = j; i < count; i++)
                column[local[i]] += values[i];
    }
}

/* Begins with a block that has all unknowns of the front in order. */
static void begin_with(const pieces *x, const double *values)
{
    size_t n = (size_t)x->n, k = (size_t)x->k, open = n - k;
    memcpy(x->panel, values, n * k * sizeof *values);
    for (size_t j = 0; j < open; j++)
        for (size_t i = 0; i < open; i++)
            x->rest[j * open + i] = values[(k + j) * n + k + i];
}

static inline void add_one(const pieces *x, int i, int j, double value)
{
    if (j >= x->k && i < x->k)
        x->right[(size_t)(j - x->k) * (size_t)x->k + (size_t)i] += value;
    else
        column_of(x, j)[i] += value;
}

static void add_block(const pieces *x, const double *values, const int *rows, int row_count,
                      const int *columns, int column_count)
{
    for (int j = 0; j < column_count; j++)
        for (int i = 0; i < row_count; i++)
            add_one(x, rows[i], columns[j], *values++);
}

/* The same with rows and columns scaled. */
static void add_scaled_block(const pieces *x, const double *values, const int *rows, int row_count,
                             const int *columns, int column_count, const double *scale)
{
    for (int j = 0; j < column_count; j++)
        for (int i = 0; i < row_count; i++)
            add_one(x, rows[i], columns[j], *values++ * scale[i] * scale[row_count + j]);
}

/* What a child leaves: its contribution, to where its open unknowns are. */
static void add_child(const lmb_fronts *f, const pieces *x, const lmb_front *child)
{
    int open = child->size - child->closed;
    const int *above = f->above + child->open;
    const double *c = f->stack + child->contribution;
    if (f->matrix.definite)
        add_triangle(x, c, above, open, open > 0 && above[open - 1] == above[0] + open - 1);
    else
        add_block(x, c, above, open, above, open);
}

static void add_own(const lmb_fronts *f, int b, const double *values, const pieces *x)
{
    const lmb_front_block *block = &f->matrix.blocks[b];
    const int *rows = f->local + f->start[b], *columns = rows + block->row_count;
    if (f->matrix.definite)
        add_triangle(x, values, rows, block->row_count, f->straight[b]);
    else if (f->scaled)
        add_scaled_block(x, values, rows, block->row_count, columns, block->column_count,
                         f->scale + f->start[b]);
    else
        add_block(x, values, rows, block->row_count, columns, block->column_count);
}

static void assemble(const lmb_fronts *f, const lmb_front *front, const double *values,
                     const pieces *x)
{
    bool definite = f->matrix.definite;
    size_t n = (size_t)x->n, k = (size_t)x->k;
    int i = front->block, end = front->block + front->block_count;
    int first = i < end ? f->sorted[i] : -1;
    if (definite && first >= 0 && f->straight[first] && f->matrix.blocks[first].row_count == x->n) {
        begin_with(x, values + f->value[first]);
        i++;
    } else {
        memset(x->panel, 0, (n * k + (definite ? 0 : k * (n - k))) * sizeof(double));
        memset(x->rest, 0, (n - k) * (n - k) * sizeof(double));
    }
    for (; i < end; i++)
        add_own(f, f->sorted[i], values + f->value[f->sorted[i]], x);
    for (int c = front->child; c >= 0; c = f->fronts[c].sibling)
        add_child(f, x, &f->fronts[c]);
}

/* Of a definite matrix the inverses of the pivots are on the diagonal. */
static void find_extremes(lmb_fronts *f, int i, const pieces *x)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < x->k; k++) {
        double pivot = fabs(x->panel[(size_t)k * (size_t)(x->n + 1)]);
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
    }
    bool inverse = f->matrix.definite && x->k > 0;
    f->extremes[2 * i] = inverse ? 1 / most : least;
    f->extremes[2 * i + 1] = inverse ? 1 / least : most;
}

/* One front; its children are done. What stands above a singular one is not tried. */
static void eliminate(lmb_fronts *f, int i, const double *values)
{
    const lmb_front *front = &f->fronts[i];
    pieces x = pieces_of(f, front);
    f->signs[i] = 0;
    for (int c = front->child; c >= 0; c = f->fronts[c].sibling)
        if (f->signs[c] == 0)
            return;
    assemble(f, front, values, &x);
    if (f->matrix.definite)
        f->signs[i] = lmb_front_cholesky(x.panel, x.rest, x.n, x.k);
    else
        f->signs[i] = lmb_front_lu(x.panel, x.right, x.rest, x.n, x.k, f->pivots + front->first,
                                   front->parent < 0);
    if (f->signs[i] != 0)
        find_extremes(f, i, &x);
}

/* What is done to the fronts of all parts. */
typedef struct job {
    lmb_fronts *f;
    const double *values;
    bool transposed;
} job;

static void eliminate_part(void *data, int part)
{
    const job *j = data;
    for (int i = j->f->part[2 * part]; i < j->f->part[2 * part + 1]; i++)
        eliminate(j->f, i, j->values);
}

static bool eliminate_all(lmb_fronts *f, const double *values, lmb_workers *workers)
{
    lmb_workers_run(workers, eliminate_part, &(job){.f = f, .values = values}, f->part_count);
    for (int k = 0; k < f->top_count; k++)
        eliminate(f, f->top[k], values);
    for (int i = 0; i < f->front_count; i++)
        if (f->signs[i] == 0)
            return false;
    return true;
}

/* Joins every front that is singular by itself to its parent; false: there is none that has one. */
static bool join_singular(lmb_fronts *f)
{
    lmb_elimination *e = &f->elimination;
    bool some = false;
    for (int i = 0; i < f->front_count; i++) {
        const lmb_front *front = &f->fronts[i];
        bool first = f->signs[i] == 0;
        for (int c = front->child; c >= 0; c = f->fronts[c].sibling)
            first = first && f->signs[c] != 0;
        if (!first)
            continue;
        if (front->parent < 0)
            return false;
        e->joined[front->leader] = true;
        some = true;
    }
    return some;
}

/* D of the unknowns by elimination, and of the rows and columns of blocks. */
static void set_scale(lmb_fronts *f, const double *scale)
{
    const lmb_front_matrix *m = &f->matrix;
    f->scaled = scale != NULL;
    for (int i = 0; i < m->n && scale; i++)
        f->D[f->position[i]] = scale[i];
    for (int b = 0; b < m->block_count && scale; b++) {
        double *own = f->scale + f->start[b];
        for (int i = 0; i < m->blocks[b].row_count; i++)
            *own++ = scale[m->blocks[b].rows[i]];
        for (int i = 0; i < m->blocks[b].column_count; i++)
            *own++ = scale[m->blocks[b].columns[i]];
    }
}

bool lmb_fronts_factor(lmb_fronts *f, const double *values, const double *scale,
                       lmb_workers *workers)
{
    enum { MOST_TIMES = 30 };
    for (int times = 0; times < MOST_TIMES; times++) {
        set_scale(f, scale);
        if (eliminate_all(f, values, workers))
            return true;
        if (f->matrix.definite || !join_singular(f) || !lmb_fronts_lay_out(f))
            return false;
    }
    return false;
}

/* --- solutions ---------------------------------------------------------------------------------
 */

/* Right side to the order of elimination, and the solution back from it. */
static void take(lmb_fronts *f, const double *b)
{
    for (int i = 0; i < f->matrix.n; i++)
        f->work[f->position[i]] = b[i];
    for (int i = 0; i < f->matrix.n && f->scaled; i++)
        f->work[i] *= f->D[i];
}

static void give(lmb_fronts *f, double *b)
{
    for (int i = 0; i < f->matrix.n && f->scaled; i++)
        f->work[i] *= f->D[i];
    for (int i = 0; i < f->matrix.n; i++)
        b[i] = f->work[f->position[i]];
}

/* What children do to the right side of a front: to its closed unknowns x and its open ones. */
static void gather(lmb_fronts *f, const lmb_front *front, double *x, double *open)
{
    memset(open, 0, (size_t)(front->size - front->closed) * sizeof *open);
    for (int c = front->child; c >= 0; c = f->fronts[c].sibling) {
        const lmb_front *child = &f->fronts[c];
        const int *above = f->above + child->open;
        const double *from = f->contribution + child->open;
        for (int k = 0; k < child->size - child->closed; k++)
            *(above[k] < front->closed ? x + above[k] : open + above[k] - front->closed) += from[k];
    }
}

/* Up: x becomes L11^-1 x, and the open ones lose L21 x. With `unit`, 1 is on the diagonal. */
static void forward(lmb_fronts *f, const lmb_front *front, bool unit)
{
    int n = front->size, k = front->closed;
    const double *L = f->factors + front->factor;
    double *x = f->work + front->first, *open = f->contribution + front->open;
    gather(f, front, x, open);
    for (int j = 0; j < k && unit; j++) { /* rows as they were exchanged */
        int other = f->pivots[front->first + j];
        double keep = x[j];
        x[j] = x[other];
        x[other] = keep;
    }
    for (int j = 0; j < k; j++, L += n) {
        double value = unit ? x[j] : (x[j] *= L[j]);
        for (int i = j + 1; i < k; i++)
            x[i] -= value * L[i];
        for (int i = k; i < n; i++)
            open[i - k] -= value * L[i];
    }
}

/* Down: x becomes L11^-T (x - L21^T open). */
static void backward_transposed(lmb_fronts *f, const lmb_front *front, bool unit)
{
    int n = front->size, k = front->closed;
    const double *L = f->factors + front->factor;
    double *x = f->work + front->first, *known = f->contribution + front->open;
    for (int i = 0; i < n - k; i++)
        known[i] = f->work[f->open[front->open + i]];
    for (int j = 0; j < k; j++)
        x[j] -= lmb_long_dot(L + (size_t)j * (size_t)n + k, known, n - k);
    for (int j = k - 1; j >= 0; j--) {
        const double *column = L + (size_t)j * (size_t)n;
        double sum = x[j];
        for (int i = k - 1; i > j; i--) /* the last one found last */
            sum -= column[i] * x[i];
        x[j] = unit ? sum : sum * column[j];
    }
    for (int j = k - 1; j >= 0 && unit; j--) {
        int other = f->pivots[front->first + j];
        double keep = x[j];
        x[j] = x[other];
        x[other] = keep;
    }
}

/* Down: x becomes U11^-1 (x - U12 open). */
static void backward(lmb_fronts *f, const lmb_front *front)
{
    int n = front->size, k = front->closed;
    const double *U = f->factors + front->factor, *right = U + (size_t)n * (size_t)k;
    double *x = f->work + front->first;
    const int *open = f->open + front->open;
    for (int i = k; i < n; i++, right += k) {
        double value = f->work[open[i - k]];
        for (int j = 0; j < k; j++)
            x[j] -= right[j] * value;
    }
    for (int j = k - 1; j >= 0; j--) {
        const double *column = U + (size_t)j * (size_t)n;
        x[j] /= column[j];
        for (int i = 0; i < j; i++)
            x[i] -= column[i] * x[j];
    }
}

/* Up: x becomes U11^-T x, and the open ones lose U12^T x. */
static void forward_transposed(lmb_fronts *f, const lmb_front *front)
{
    int n = front->size, k = front->closed;
    const double *U = f->factors + front->factor, *right = U + (size_t)n * (size_t)k;
    double *x = f->work + front->first, *open = f->contribution + front->open;
    gather(f, front, x, open);
    for (int j = 0; j < k; j++) {
        const double *column = U + (size_t)j * (size_t)n;
        for (int i = 0; i < j; i++)
            x[j] -= column[i] * x[i];
        x[j] /= column[j];
    }
    for (int i = 0; i < n - k; i++, right += k)
        for (int j = 0; j < k; j++)
            open[i] -= right[j] * x[j];
}

static void up(lmb_fronts *f, int i, bool transposed)
{
    if (transposed && !f->matrix.definite)
        forward_transposed(f, &f->fronts[i]);
    else
        forward(f, &f->fronts[i], !f->matrix.definite);
}

static void down(lmb_fronts *f, int i, bool transposed)
{
    if (transposed || f->matrix.definite)
        backward_transposed(f, &f->fronts[i], !f->matrix.definite);
    else
        backward(f, &f->fronts[i]);
}

static void part_up(void *data, int part)
{
    const job *j = data;
    for (int i = j->f->part[2 * part]; i < j->f->part[2 * part + 1]; i++)
        up(j->f, i, j->transposed);
}

static void part_down(void *data, int part)
{
    const job *j = data;
    for (int i = j->f->part[2 * part + 1] - 1; i >= j->f->part[2 * part]; i--)
        down(j->f, i, j->transposed);
}

/* What stands above the parts is the last on the way up, and the first on the way down. */
static void solve(lmb_fronts *f, double *b, bool transposed, lmb_workers *workers)
{
    job j = {.f = f, .transposed = transposed};
    take(f, b);
    lmb_workers_run(workers, part_up, &j, f->part_count);
    for (int k = 0; k < f->top_count; k++)
        up(f, f->top[k], transposed);
    for (int k = f->top_count - 1; k >= 0; k--)
        down(f, f->top[k], transposed);
    lmb_workers_run(workers, part_down, &j, f->part_count);
    give(f, b);
}

void lmb_fronts_solve(lmb_fronts *f, double *b, lmb_workers *workers)
{
    solve(f, b, false, workers);
}

void lmb_fronts_solve_transposed(lmb_fronts *f, double *b, lmb_workers *workers)
{
    solve(f, b, true, workers);
}

/* --- what is known ------------------------------------------------------------------------------
 */

double lmb_fronts_condition(const lmb_fronts *f)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < f->front_count; i++) {
        least = fmin(least, f->extremes[2 * i]);
        most = fmax(most, f->extremes[2 * i + 1]);
    }
    return most > 0 ? least / most : 1;
}

int lmb_fronts_sign(const lmb_fronts *f)
{
    int sign = 1;
    for (int i = 0; i < f->front_count; i++)
        sign *= f->signs[i];
    return sign;
}

void lmb_fronts_pack(lmb_fronts *f, lmb_pack *pack)
{
    lmb_pack_flags(pack, f->elimination.joined, (size_t)f->elimination.count);
    if (pack->mode == LMB_PACK_RESTORE)
        lmb_fronts_lay_out(f);
}
