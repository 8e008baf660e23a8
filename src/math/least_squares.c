/* Least squares by the method of Levenberg and Marquardt. */
#include "math/least_squares.h"

#include <math.h>
#include <string.h>

#include "math/late.h"

/* What is under way. J is by rows (residuals x n); the scaled matrix of the unknowns that are free,
 * by columns, becomes U. */
typedef struct search {
    const lmb_least_squares_task *task;
    int n, m;
    double *x, *r, *J;          /* where it is */
    double *next, *next_r;      /* a trial */
    double *D;                  /* n: norms of the columns of J */
    int *free, free_count;      /* unknowns that are not held */
    double *A, *s, *VT, *c, *y; /* singular values and vectors, U^T r, room */
    double *step;               /* n */
    double sum;
    lmb_least_squares *out;
} search;

static double square_sum(const double *r, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += r[i] * r[i];
    return sum;
}

/* The slope of S / 2 by unknown j. */
static double slope(const search *w, int j)
{
    double g = 0;
    for (int i = 0; i < w->m; i++)
        g += w->J[i * w->n + j] * w->r[i];
    return g;
}

/* Unknowns at a bound that a step downhill would cross are held. */
static void find_free(search *w)
{
    const lmb_least_squares_task *t = w->task;
    w->free_count = 0;
    for (int j = 0; j < w->n; j++) {
        double g = slope(w, j);
        bool low = t->lower && w->x[j] <= t->lower[j] && g > 0;
        bool high = t->upper && w->x[j] >= t->upper[j] && g < 0;
        w->out->held[j] = low || high;
        if (!w->out->held[j])
            w->free[w->free_count++] = j;
    }
}

/* The singular values of J D^-1; false: they cannot be found. */
static bool decompose(search *w)
{
    int nf = w->free_count, m = w->m;
    for (int k = 0; k < nf; k++) {
        int j = w->free[k];
        double norm = 0;
        for (int i = 0; i < m; i++)
            norm = hypot(norm, w->J[i * w->n + j]);
        w->D[j] = norm > 0 ? norm : 1;
        for (int i = 0; i < m; i++)
            w->A[k * m + i] = w->J[i * w->n + j] / w->D[j];
    }
    double superb[64];
    if (nf > 0 && LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'O', 'S', m, nf, w->A, m, w->s, NULL, m, w->VT,
                                 nf, superb) != 0)
        return false;
    for (int k = 0; k < nf; k++) {
        w->c[k] = 0;
        for (int i = 0; i < m; i++)
            w->c[k] += w->A[k * m + i] * w->r[i];
    }
    return true;
}

/* The step for a mu, within the bounds; returns how far S is expected to fall. */
static double find_step(search *w, double mu)
{
    const lmb_least_squares_task *t = w->task;
    double expected = 0;
    int nf = w->free_count;
    for (int k = 0; k < nf; k++) {
        double s = w->s[k], c = w->c[k], part = s * s + mu > 0 ? s * s / (s * s + mu) : 0;
        w->y[k] = s > 0 ? -part * c / s : 0;
        expected += c * c * (1 - (1 - part) * (1 - part));
    }
    memcpy(w->next, w->x, (size_t)w->n * sizeof *w->x);
    for (int k = 0; k < nf; k++) {
        int j = w->free[k];
        double d = 0;
        for (int i = 0; i < nf; i++)
            d += w->VT[k * nf + i] * w->y[i];
        w->next[j] += d / w->D[j];
        if (t->lower)
            w->next[j] = fmax(w->next[j], t->lower[j]);
        if (t->upper)
            w->next[j] = fmin(w->next[j], t->upper[j]);
    }
    return expected;
}

/* Whether a step changes nothing that counts. */
static bool is_small(const search *w)
{
    for (int j = 0; j < w->n; j++)
        if (fabs(w->next[j] - w->x[j]) > w->task->tolerance * fabs(w->x[j]) + 1e-300)
            return false;
    return true;
}

/* Steps until S does not fall any more. */
static lmb_least_squares_end iterate(search *w)
{
    const lmb_least_squares_task *t = w->task;
    const double rounding = 1e-15;
    double mu = 1e-3, growth = 2;
    bool near = false; /* the last step was small */
    for (w->out->steps = 0; w->out->steps < t->most; w->out->steps++) {
        find_free(w);
        if (!decompose(w))
            return LMB_SQUARES_FAILED;
        if (w->free_count == 0 || near)
            return LMB_SQUARES_CONVERGED;
        for (bool taken = false; !taken;) {
            double expected = find_step(w, mu);
            near = is_small(w);
            if (expected <= rounding * w->sum || mu > 1e20)
                return LMB_SQUARES_CONVERGED;
            int got = t->evaluate(t->user, w->next, w->next_r, NULL);
            if (got < 0)
                return LMB_SQUARES_STOPPED;
            double sum = got ? INFINITY : square_sum(w->next_r, w->m);
            taken = sum < w->sum;
            double ratio = taken ? (w->sum - sum) / expected : 0;
            mu *= ratio > 0.75 ? 0.1 : ratio > 0.25 ? 1 : growth;
            growth = taken ? 2 : 2 * growth;
            if (!taken && near)
                return LMB_SQUARES_CONVERGED; /* rounding is all that is left */
        }
        memcpy(w->x, w->next, (size_t)w->n * sizeof *w->x);
        int got = t->evaluate(t->user, w->x, w->r, w->J);
        if (got)
            return got < 0 ? LMB_SQUARES_STOPPED : LMB_SQUARES_FAILED;
        w->sum = square_sum(w->r, w->m);
    }
    return LMB_SQUARES_LIMIT;
}

/* Covariances, and how well the unknowns are told apart. */
static void conclude(search *w)
{
    lmb_least_squares *out = w->out;
    int nf = w->free_count, n = w->n;
    double tiny = nf ? 1e-10 * w->s[0] : 0;
    double variance = w->m > nf ? w->sum / (w->m - nf) : NAN;
    for (int k = 0; k < nf; k++)
        out->rank += w->s[k] > tiny;
    for (int a = 0; a < nf; a++) {
        int i = w->free[a];
        out->direction[i] = w->VT[a * nf + nf - 1];
        for (int b = 0; b < nf; b++) {
            double sum = 0;
            for (int k = 0; k < nf; k++) {
                double part = w->VT[a * nf + k] * w->VT[b * nf + k];
                sum += part != 0 ? part / (w->s[k] * w->s[k]) : 0; /* not 0 / 0 */
            }
            out->covariance[i * n + w->free[b]] = variance * sum / (w->D[i] * w->D[w->free[b]]);
        }
    }
}

lmb_least_squares lmb_least_squares_solve(const lmb_least_squares_task *t, lmb_arena *arena,
                                          double *x)
{
    size_t n = (size_t)t->n, m = (size_t)t->residuals;
    lmb_least_squares out = {.end = LMB_SQUARES_FAILED};
    out.r = lmb_arena_numbers(arena, m);
    out.covariance = lmb_arena_numbers(arena, n * n);
    out.held = lmb_arena_alloc(arena, n, sizeof *out.held);
    out.direction = lmb_arena_numbers(arena, n);
    search w = {.task = t, .n = t->n, .m = t->residuals, .x = x, .out = &out};
    w.r = out.r;
    w.J = lmb_arena_numbers(arena, m * n);
    w.next = lmb_arena_numbers(arena, n);
    w.next_r = lmb_arena_numbers(arena, m);
    w.D = lmb_arena_numbers(arena, n);
    w.free = lmb_arena_integers(arena, n);
    w.A = lmb_arena_numbers(arena, m * n);
    w.s = lmb_arena_numbers(arena, n);
    w.VT = lmb_arena_numbers(arena, n * n);
    w.c = lmb_arena_numbers(arena, n);
    w.y = lmb_arena_numbers(arena, n);
    if (!lmb_arena_fine(arena) || t->n > 64 || t->residuals < t->n)
        return out;
    int got = t->evaluate(t->user, x, w.r, w.J);
    if (got)
        out.end = got < 0 ? LMB_SQUARES_STOPPED : LMB_SQUARES_FAILED;
    else {
        w.sum = square_sum(w.r, w.m);
        out.end = iterate(&w);
        conclude(&w);
    }
    out.sum = w.sum;
    return out;
}
