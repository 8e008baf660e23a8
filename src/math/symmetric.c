/* Sparse symmetric matrices: products, and their making of triplets. */
#include "math/symmetric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool lmb_symmetric_new(lmb_symmetric *out, lmb_arena *arena, int n, size_t entries)
{
    *out = (lmb_symmetric){n, lmb_arena_integers(arena, (size_t)n + 1),
                           lmb_arena_integers(arena, entries + 1),
                           lmb_arena_numbers(arena, entries + 1)};
    return out->start && out->row && out->value;
}

void lmb_symmetric_multiply(const lmb_symmetric *a, const double *x, double *y)
{
    memset(y, 0, (size_t)a->n * sizeof *y);
    for (int j = 0; j < a->n; j++) {
        double sum = a->value[a->start[j]] * x[j];
        for (int k = a->start[j] + 1; k < a->start[j + 1]; k++) {
            y[a->row[k]] += a->value[k] * x[j];
            sum += a->value[k] * x[a->row[k]];
        }
        y[j] += sum;
    }
}

static void multiply_together(const lmb_symmetric *a, const double (*restrict x)[LMB_TOGETHER],
                              double (*restrict y)[LMB_TOGETHER])
{
    memset(y, 0, (size_t)a->n * sizeof *y);
    for (int j = 0; j < a->n; j++) {
        const double *xj = x[j];
        double sum[LMB_TOGETHER];
        for (int c = 0; c < LMB_TOGETHER; c++)
            sum[c] = a->value[a->start[j]] * xj[c];
        for (int k = a->start[j] + 1; k < a->start[j + 1]; k++) {
            const double *xi = x[a->row[k]];
            double *yi = y[a->row[k]], value = a->value[k];
            for (int c = 0; c < LMB_TOGETHER; c++) {
                yi[c] += value * xj[c];
                sum[c] += value * xi[c];
            }
        }
        for (int c = 0; c < LMB_TOGETHER; c++)
            y[j][c] += sum[c];
    }
}

void lmb_put_together(size_t n, int count, const double *x, double (*out)[LMB_TOGETHER])
{
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < LMB_TOGETHER; c++)
            out[i][c] = c < count ? x[(size_t)c * n + i] : 0;
}

void lmb_take_apart(size_t n, int count, const double (*x)[LMB_TOGETHER], double *out)
{
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < count; c++)
            out[(size_t)c * n + i] = x[i][c];
}

void lmb_symmetric_multiply_many(const lmb_symmetric *a, int count, const double *x, double *y)
{
    enum { ALONE = 2 }; /* so few are faster one by one */
    size_t n = (size_t)a->n;
    double(*room)[LMB_TOGETHER] = count > ALONE ? lmb_malloc((2 * n + 1) * sizeof *room) : NULL;
    const double(*from)[LMB_TOGETHER] = (const double(*)[LMB_TOGETHER])room;
    for (int c = 0, step; c < count; c += step) {
        step = count - c < LMB_TOGETHER ? count - c : LMB_TOGETHER;
        if (!room || step <= ALONE) {
            lmb_symmetric_multiply(a, x + (size_t)c * n, y + (size_t)c * n);
            step = 1;
            continue;
        }
        lmb_put_together(n, step, x + (size_t)c * n, room);
        multiply_together(a, from, room + n);
        lmb_take_apart(n, step, from + n, y + (size_t)c * n);
    }
    free(room);
}

void lmb_symmetric_multiply_absolute(const lmb_symmetric *a, const double *x, double *y)
{
    memset(y, 0, (size_t)a->n * sizeof *y);
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            int i = a->row[k];
            y[i] += fabs(a->value[k] * x[j]);
            if (i != j)
                y[j] += fabs(a->value[k] * x[i]);
        }
}

/* Sorts the numbers of a column by rows (they are few) and adds up those of one row. */
static int tidy_column(int *row, double *value, int count)
{
    for (int i = 1; i < count; i++) {
        int r = row[i], k = i;
        double v = value[i];
        for (; k > 0 && row[k - 1] > r; k--) {
            row[k] = row[k - 1];
            value[k] = value[k - 1];
        }
        row[k] = r;
        value[k] = v;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept && row[kept - 1] == row[i]) {
            value[kept - 1] += value[i];
            continue;
        }
        row[kept] = row[i];
        value[kept++] = value[i];
    }
    return kept;
}

bool lmb_symmetric_of_triplets(lmb_symmetric *out, lmb_arena *arena, int n,
                               const lmb_triplet *triplets, long count)
{
    int *next = lmb_calloc((size_t)n + 1, sizeof *next), *begin;
    if (!lmb_symmetric_new(out, arena, n, (size_t)count + (size_t)n) || !next) {
        free(next);
        return false;
    }
    begin = out->start; /* first the places as counted, with one for the diagonal, then as tidied */
    for (long i = 0; i < count; i++)
        begin[1 + (triplets[i].row < triplets[i].column ? triplets[i].row : triplets[i].column)]++;
    for (int j = 0; j < n; j++) {
        begin[j + 1] += begin[j] + 1;
        out->row[begin[j]] = j;
        next[j] = begin[j] + 1;
    }
    for (long i = 0; i < count; i++) {
        const lmb_triplet *t = &triplets[i];
        int low = t->row > t->column ? t->row : t->column, j = t->row + t->column - low;
        out->row[next[j]] = low;
        out->value[next[j]++] = t->value;
    }
    int used = 0;
    for (int j = 0; j < n; j++) {
        int from = begin[j], size = tidy_column(out->row + from, out->value + from, next[j] - from);
        memmove(out->row + used, out->row + from, (size_t)size * sizeof *out->row);
        memmove(out->value + used, out->value + from, (size_t)size * sizeof *out->value);
        begin[j] = used;
        used += size;
    }
    begin[n] = used;
    free(next);
    return true;
}

bool lmb_symmetric_sum(lmb_symmetric *out, lmb_arena *arena, const lmb_symmetric *a, double factor,
                       const lmb_symmetric *b)
{
    int n = a->n, used = 0;
    size_t most = (size_t)a->start[n] + (size_t)b->start[n];
    if (!out->start && !lmb_symmetric_new(out, arena, n, most))
        return false;
    for (int j = 0; j < n; j++) {
        int p = a->start[j], q = b->start[j];
        while (p < a->start[j + 1] || q < b->start[j + 1]) {
            int r = p < a->start[j + 1] ? a->row[p] : n, s = q < b->start[j + 1] ? b->row[q] : n;
            out->row[used] = r < s ? r : s;
            out->value[used++] =
                (r <= s ? a->value[p++] : 0) + (s <= r ? factor * b->value[q++] : 0);
        }
        out->start[j + 1] = used;
    }
    return true;
}

bool lmb_symmetric_restrict(lmb_symmetric *out, lmb_arena *arena, const lmb_symmetric *a,
                            const int *place, int n)
{
    size_t entries = 0;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1] && place[j] >= 0; k++)
            entries += place[a->row[k]] >= 0;
    if (!lmb_symmetric_new(out, arena, n, entries))
        return false;
    int used = 0, columns = 0;
    for (int j = 0; j < a->n; j++) {
        if (place[j] < 0)
            continue;
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            if (place[a->row[k]] >= 0) {
                out->row[used] = place[a->row[k]];
                out->value[used++] = a->value[k];
            }
        out->start[++columns] = used;
    }
    while (columns < n)
        out->start[++columns] = used;
    return true;
}

bool lmb_symmetric_without_zeros(lmb_symmetric *out, lmb_arena *arena, const lmb_symmetric *a)
{
    size_t count = (size_t)a->n;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j] + 1; k < a->start[j + 1]; k++)
            count += a->value[k] != 0;
    if (!lmb_symmetric_new(out, arena, a->n, count))
        return false;
    int used = 0;
    for (int j = 0; j < a->n; j++) {
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            if (k == a->start[j] || a->value[k] != 0) {
                out->row[used] = a->row[k];
                out->value[used++] = a->value[k];
            }
        out->start[j + 1] = used;
    }
    return true;
}
