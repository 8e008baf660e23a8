/* Sparse rows in echelon form. The rows that a new one needs are found by a heap of their numbers:
 * each can bring in only later ones. */
#include "math/echelon.h"

#include <math.h>
#include <string.h>

/* A number of a list of rows. */
typedef struct part {
    int row;
    double factor;
} part;

/* How taken rows are made: p_k = (row of the matrix - sum factor p_row) / pivot. */
typedef struct sums {
    bool *mark;
    double least;
    int *source;   /* columns + 1: the row of the matrix, */
    double *pivot; /* its pivot, */
    size_t *start; /* and where its parts start */
    part *parts;
    size_t used, room;
    double *of;   /* columns: factors of the p in the row at work, */
    bool *queued; /* and which of them are in the heap */
} sums;

/* The rows that were taken, each as its numbers besides the pivot. */
struct lmb_echelon {
    lmb_arena *arena;
    int columns, taken, base; /* base: rows that sizes are measured after */
    size_t used, room;        /* numbers of all p */
    size_t *start;            /* columns + 1 */
    int *column;
    double *value;
    int *row_of;    /* columns: the row whose pivot it is, or -1 */
    int *pivot_of;  /* columns: the pivot of each row */
    int *occurs;    /* columns: in how many rows of all; the rarest is the best pivot */
    double *x;      /* columns: the row at work, */
    bool *present;  /* which columns it has, */
    int *list;      /* these columns, */
    int list_count; /* and how many */
    int *heap;      /* rows to be subtracted */
    int heap_count;
    sums *sums; /* NULL: nobody asks */
};

/* What rounding leaves of a number that is zero. */
static const double rounding = 1e-15;

/* Pivots are at least this part of the largest number. */
static const double threshold = 0.5;

lmb_echelon *lmb_echelon_new(lmb_arena *arena, int columns)
{
    size_t n = (size_t)columns + 1;
    lmb_echelon *e = lmb_arena_alloc(arena, 1, sizeof *e);
    if (!e)
        return NULL;
    *e = (lmb_echelon){.arena = arena,
                       .columns = columns,
                       .start = lmb_arena_alloc(arena, n, sizeof *e->start),
                       .row_of = lmb_arena_integers(arena, n),
                       .pivot_of = lmb_arena_integers(arena, n),
                       .occurs = lmb_arena_integers(arena, n),
                       .x = lmb_arena_numbers(arena, n),
                       .present = lmb_arena_alloc(arena, n, sizeof *e->present),
                       .list = lmb_arena_integers(arena, n),
                       .heap = lmb_arena_integers(arena, n)};
    for (int j = 0; lmb_arena_fine(arena) && j < columns; j++)
        e->row_of[j] = -1;
    return lmb_arena_fine(arena) ? e : NULL;
}

void lmb_echelon_measure_from_here(lmb_echelon *e)
{
    e->base = e->taken;
}

/* --- the heap --------------------------------------------------------------------------------- */

static void push(lmb_echelon *e, int row)
{
    int i = e->heap_count++;
    for (; i > 0 && e->heap[(i - 1) / 2] > row; i = (i - 1) / 2)
        e->heap[i] = e->heap[(i - 1) / 2];
    e->heap[i] = row;
}

static int pop(lmb_echelon *e)
{
    int first = e->heap[0], last = e->heap[--e->heap_count], i = 0, next;
    while ((next = 2 * i + 1) < e->heap_count) {
        if (next + 1 < e->heap_count && e->heap[next + 1] < e->heap[next])
            next++;
        if (e->heap[next] >= last)
            break;
        e->heap[i] = e->heap[next];
        i = next;
    }
    e->heap[i] = last;
    return first;
}

/* --- what rows are sums of -------------------------------------------------------------------- */

void lmb_echelon_mark_sums(lmb_echelon *e, bool *mark, double least)
{
    size_t n = (size_t)e->columns + 1;
    sums *s = lmb_arena_alloc(e->arena, 1, sizeof *s);
    if (!s)
        return;
    *s = (sums){.mark = mark,
                .least = least,
                .source = lmb_arena_integers(e->arena, n),
                .pivot = lmb_arena_numbers(e->arena, n),
                .start = lmb_arena_alloc(e->arena, n, sizeof *s->start),
                .of = lmb_arena_numbers(e->arena, n),
                .queued = lmb_arena_alloc(e->arena, n, sizeof *s->queued)};
    e->sums = lmb_arena_fine(e->arena) ? s : NULL;
}

/* Notes that a taken row is subtracted from the row at work. */
static void note(lmb_echelon *e, int row, double factor)
{
    sums *s = e->sums;
    if (s->used == s->room) {
        size_t room = 2 * s->used + 1000;
        s->parts = lmb_arena_grow(e->arena, s->parts, s->used, room, sizeof *s->parts);
        s->room = s->parts ? room : 0;
        s->used = s->parts ? s->used : 0;
    }
    if (s->parts)
        s->parts[s->used++] = (part){row, factor};
}

/* Adds to the factor of a taken row. */
static void add_part(lmb_echelon *e, int row, double factor)
{
    sums *s = e->sums;
    if (!s->queued[row])
        push(e, -row);
    s->queued[row] = true;
    s->of[row] += factor;
}

/* The row at work is a sum of taken rows: of which rows of the matrix? Its parts are those behind
 * the parts of the last taken row. Rows are resolved from the last on, by a heap of their numbers
 * with the sign changed. */
static void resolve(lmb_echelon *e, int row)
{
    sums *s = e->sums;
    size_t first = s->start[e->taken];
    s->mark[row] = true;
    e->heap_count = 0;
    for (size_t i = first; i < s->used; i++)
        add_part(e, s->parts[i].row, s->parts[i].factor);
    s->used = first;
    while (e->heap_count > 0) {
        int k = -pop(e);
        double factor = s->of[k] / s->pivot[k];
        s->of[k] = 0;
        s->queued[k] = false;
        s->mark[s->source[k]] |= fabs(factor) > s->least;
        for (size_t i = s->start[k]; factor != 0 && i < s->start[k + 1]; i++)
            add_part(e, s->parts[i].row, -factor * s->parts[i].factor);
    }
}

/* --- reducing rows --------------------------------------------------------------------------- */

static void add(lmb_echelon *e, int column, double value)
{
    if (!e->present[column]) {
        e->present[column] = true;
        e->list[e->list_count++] = column;
        e->x[column] = 0;
        if (e->row_of[column] >= 0)
            push(e, e->row_of[column]);
    }
    e->x[column] += value;
}

static double largest(const lmb_echelon *e)
{
    double size = 0;
    for (int i = 0; i < e->list_count; i++)
        size = fmax(size, fabs(e->x[e->list[i]]));
    return size;
}

/* Subtracts the rows up to a number. */
static void reduce(lmb_echelon *e, int until)
{
    while (e->heap_count > 0 && e->heap[0] < until) {
        int k = pop(e);
        double factor = e->x[e->pivot_of[k]];
        e->x[e->pivot_of[k]] = 0;
        if (e->sums && factor != 0)
            note(e, k, factor);
        for (size_t i = e->start[k]; factor != 0 && i < e->start[k + 1]; i++)
            add(e, e->column[i], -factor * e->value[i]);
    }
}

/* The column that is wished for if its number is large enough, else the rarest of the large ones;
 * -1 if all are at most `least`. */
static int choose(const lmb_echelon *e, int wish, double least)
{
    double most = largest(e);
    int best = -1;
    if (most > least && wish >= 0 && fabs(e->x[wish]) >= threshold * most)
        return wish;
    for (int i = 0; most > least && i < e->list_count; i++) {
        int j = e->list[i];
        double size = fabs(e->x[j]);
        if (size >= threshold * most &&
            (best < 0 || e->occurs[j] < e->occurs[best] ||
             (e->occurs[j] == e->occurs[best] && size > fabs(e->x[best]))))
            best = j;
    }
    return best;
}

/* Takes the row at work over; false: out of memory. */
static bool keep(lmb_echelon *e, int row, int pivot, double size)
{
    size_t most = e->used + (size_t)e->list_count, at = e->used;
    if (most > e->room) {
        size_t room = 2 * most + 1000;
        e->column = lmb_arena_grow(e->arena, e->column, e->used, room, sizeof *e->column);
        e->value = lmb_arena_grow(e->arena, e->value, e->used, room, sizeof *e->value);
        e->room = room;
        if (!lmb_arena_fine(e->arena))
            return false;
    }
    for (int i = 0; i < e->list_count; i++) {
        int j = e->list[i];
        if (j == pivot || fabs(e->x[j]) <= rounding * size)
            continue;
        e->column[at] = j;
        e->value[at++] = e->x[j] / e->x[pivot];
    }
    if (e->sums) {
        e->sums->pivot[e->taken] = e->x[pivot];
        e->sums->source[e->taken] = row;
        e->sums->start[e->taken + 1] = e->sums->used;
    }
    e->row_of[pivot] = e->taken;
    e->pivot_of[e->taken++] = pivot;
    e->start[e->taken] = e->used = at;
    return true;
}

static bool take(lmb_echelon *e, const lmb_sparse_rows *of, int row, int wish, double least,
                 int *pivot)
{
    e->list_count = e->heap_count = 0;
    for (int i = of->start[row]; i < of->start[row + 1]; i++)
        if (of->value[i] != 0)
            add(e, of->column[i], of->value[i]);
    double whole = largest(e), size = whole;
    if (e->base > 0) {
        reduce(e, e->base);
        size = largest(e);
    }
    reduce(e, e->taken);
    *pivot = e->taken < e->columns ? choose(e, wish, fmax(least * size, rounding * whole)) : -1;
    bool fine = *pivot < 0 || keep(e, row, *pivot, whole);
    if (*pivot < 0 && e->sums)
        resolve(e, row);
    for (int i = 0; i < e->list_count; i++)
        e->present[e->list[i]] = false;
    return fine;
}

bool lmb_echelon_add(lmb_echelon *e, const lmb_sparse_rows *of, int row, double least, int *pivot)
{
    return take(e, of, row, -1, least, pivot);
}

void lmb_echelon_null_vector(const lmb_echelon *e, double *v)
{
    for (int k = e->taken - 1; k >= 0; k--) {
        double sum = 0;
        for (size_t i = e->start[k]; i < e->start[k + 1]; i++)
            sum -= e->value[i] * v[e->column[i]];
        v[e->pivot_of[k]] = sum;
    }
}

bool lmb_echelon_has_pivot(const lmb_echelon *e, int column)
{
    return e->row_of[column] >= 0;
}

/* --- the order of rows ------------------------------------------------------------------------ */

/* The rows of each column. */
static bool transpose(lmb_arena *room, const lmb_sparse_rows *a, int **start, int **row)
{
    int *next = lmb_arena_integers(room, (size_t)a->columns + 1);
    *start = lmb_arena_integers(room, (size_t)a->columns + 1);
    *row = lmb_arena_integers(room, (size_t)a->start[a->rows] + 1);
    if (!lmb_arena_fine(room))
        return false;
    for (int i = 0; i < a->start[a->rows]; i++)
        if (a->value[i] != 0)
            (*start)[a->column[i] + 1]++;
    for (int j = 0; j < a->columns; j++) {
        (*start)[j + 1] += (*start)[j];
        next[j] = (*start)[j];
    }
    for (int r = 0; r < a->rows; r++)
        for (int i = a->start[r]; i < a->start[r + 1]; i++)
            if (a->value[i] != 0)
                (*row)[next[a->column[i]]++] = r;
    return true;
}

/* Whether a number is large enough among those of its row to be its pivot. */
static bool is_large(const lmb_sparse_rows *a, int row, int column)
{
    double most = 0, own = 0;
    for (int i = a->start[row]; i < a->start[row + 1]; i++) {
        most = fmax(most, fabs(a->value[i]));
        if (a->column[i] == column)
            own += a->value[i];
    }
    return fabs(own) >= threshold * most;
}

/* Rows with a column of their own come first, again and again, and wish for it; the others come as
 * they are. */
static bool order_rows(const lmb_sparse_rows *a, int *occurs, int *order, int *wish)
{
    lmb_arena *room = lmb_arena_new();
    int *start, *row, count = 0, queued = 0, next = 0;
    int *left = lmb_arena_integers(room, (size_t)a->columns + 1);
    int *queue = lmb_arena_integers(room, (size_t)a->columns + 1);
    bool *ordered = lmb_arena_alloc(room, (size_t)a->rows + 1, sizeof *ordered);
    bool fine = transpose(room, a, &start, &row);
    for (int j = 0; fine && j < a->columns; j++) {
        occurs[j] = left[j] = start[j + 1] - start[j];
        if (left[j] == 1)
            queue[queued++] = j;
    }
    while (fine && next < queued) {
        int j = queue[next++], r = -1;
        for (int i = start[j]; i < start[j + 1] && r < 0; i++)
            r = ordered[row[i]] ? -1 : row[i];
        if (r < 0 || !is_large(a, r, j))
            continue;
        wish[count] = j;
        order[count++] = r;
        ordered[r] = true;
        for (int i = a->start[r]; i < a->start[r + 1]; i++)
            if (a->value[i] != 0 && a->column[i] != j && --left[a->column[i]] == 1)
                queue[queued++] = a->column[i];
    }
    for (int r = 0; fine && r < a->rows; r++)
        if (!ordered[r]) {
            wish[count] = -1;
            order[count++] = r;
        }
    lmb_arena_free(room);
    return fine;
}

int lmb_echelon_add_all(lmb_echelon *e, const lmb_sparse_rows *rows, double least, int *pivot)
{
    lmb_arena *room = lmb_arena_new();
    int *order = lmb_arena_integers(room, (size_t)rows->rows + 1), rank = 0;
    int *wish = lmb_arena_integers(room, (size_t)rows->rows + 1);
    bool fine = lmb_arena_fine(room) && order_rows(rows, e->occurs, order, wish);
    for (int i = 0; fine && i < rows->rows; i++) {
        fine = take(e, rows, order[i], wish[i], least, &pivot[order[i]]);
        rank += pivot[order[i]] >= 0;
    }
    lmb_arena_free(room);
    return fine ? rank : -1;
}
