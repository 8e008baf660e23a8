/* The lowest eigenvalues of K x = w2 M x, seen from a shift s just below them.
 *
 * If K is definite, s = 0 and a factorisation of K serves. If it has null pivots, a first look from
 * a shift that is small against K but larger than rounding finds the lowest w2 that is not zero,
 * and s is minus that. The number of negative pivots of K - s M is the number of w2 below s
 * (Sylvester): that tells how many there are below a bound. */
#include "math/eigen.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "math/late.h"
#include "math/eigen_internal.h"

enum {
    DENSE_BELOW = 200, /* dense below this many unknowns, or unknowns with inertia */
    DENSE_MOST = 4000, /* dense up to this number if most eigenvalues are wanted */
    BLOCK_FROM = 5000, /* from this many on, several vectors at a time */
    SPARE = 2          /* eigenvalues more than wanted, to see where the next begins */
};

static const double tolerance = 1e-13;  /* of theta */
static const double by_blocks = 1e-12;  /* the same of block Lanczos */
static const double first_shift = 1e-9; /* of the first look, against typical K / M */
static const double rigid = 1e-4;       /* what is smaller than this against the shift is zero */
static const double same = 1e-6;        /* relative distance of values that are treated as equal */
static const double never_null = 1e-18; /* limit of null pivots where none is expected */

typedef struct search {
    lmb_pencil pencil;
    const lmb_eigen_options *options;
    lmb_arena *arena; /* of this search alone */
    lmb_symmetric sum;
    lmb_factor *own; /* of `sum`; made when it is needed */
    int spare;       /* of those looked for, how many need not be found */
} search;

void lmb_eigen_start(double *x, size_t count)
{
    uint32_t seed = 12345;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (double)(seed >> 8) / 8388608.0 - 1;
    }
}

/* Factorises K - shift M. */
static lmb_status factorise(search *s, double shift)
{
    const lmb_pencil *p = &s->pencil;
    if (!lmb_symmetric_sum(&s->sum, s->arena, p->k, -shift, p->m))
        return lmb_fail_memory(p->context);
    lmb_status status =
        s->own ? LMB_OK : lmb_factor_new(&s->own, p->context, &s->sum, s->options->group);
    if (status)
        return status;
    lmb_factor_neglect(s->own, shift == 0 ? LMB_NULL_PIVOT : never_null);
    return lmb_factor_compute(s->own, s->pencil.context, s->sum.value);
}

/* Factorises at a shift from which eigenvalues are then looked for. */
static lmb_status look_from(search *s, double shift)
{
    s->pencil.factor = NULL;
    lmb_status status = factorise(s, shift);
    s->pencil.shift = shift;
    s->pencil.factor = s->own;
    return status;
}

/* Adds factor times a matrix to the lower half of a dense one. */
static void spread(const lmb_symmetric *a, double factor, double *dense)
{
    size_t n = (size_t)a->n;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            dense[(size_t)j * n + (size_t)a->row[k]] += factor * a->value[k];
}

/* The pencil as a dense one, upside down: M x = theta (K - s M) x with theta = 1 / (w2 - s), so
 * that M need not be definite and the lowest w2 are the most accurate. */
static lmb_status find_dense(lmb_pencil *p, lmb_arena *room, int count)
{
    size_t n = (size_t)p->n, size = n * n;
    double *a = lmb_arena_numbers(room, size + 1), *b = lmb_arena_numbers(room, size + 1);
    double *theta = lmb_arena_numbers(room, n + 1);
    lmb_status status = lmb_check_memory(p->context, room);
    if (status)
        return status;
    spread(p->m, 1, a);
    spread(p->k, 1, b);
    spread(p->m, -p->shift, b);
    for (size_t i = 0; i < size; i += n + 1)
        b[i] = b[i] == 0 ? 1 : b[i]; /* an unknown of nothing stays at rest */
    int code = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', p->n, a, p->n, b, p->n, theta);
    if (code)
        return lmb_fail(p->context, LMB_SOLVER,
                        "the eigenvalues of %d unknowns were not found (LAPACK says %d)", p->n,
                        code);
    /* the largest theta come last */
    for (size_t i = n; i-- > 0 && p->found < count; p->found++) {
        if (theta[i] <= (double)n * DBL_EPSILON * theta[n - 1])
            break;
        p->value[p->found] = p->shift + 1 / theta[i];
        for (size_t k = 0; k < n; k++)
            p->vector[(size_t)p->found * n + k] = a[i * n + k] / sqrt(theta[i]);
    }
    return LMB_OK;
}

/* Copy the rows of the unknowns with inertia from `columns` vectors. */
static void take_inertial(const lmb_pencil *p, const int *place, int columns, const double *x,
                          double *out)
{
    for (size_t j = 0; j < (size_t)columns; j++)
        for (int i = 0; i < p->inertial; i++)
            *out++ = x[j * (size_t)p->n + (size_t)place[i]];
}

/* Solve a problem with few unknowns with inertia. The other unknowns enter through the flexibility
 * F = S^T (K - s M)^-1 S alone: theta x = F M x. With x = F z the equation F M F z = theta F z is
 * symmetric. */
static lmb_status find_condensed(lmb_pencil *p, lmb_arena *room, int count)
{
    size_t n = (size_t)p->n, few = (size_t)p->inertial;
    int m = p->inertial, *place = lmb_arena_integers(room, few);
    double *X = lmb_arena_numbers(room, n * few), *MX = lmb_arena_numbers(room, n * few);
    double *F = lmb_arena_numbers(room, few * few), *A = lmb_arena_numbers(room, few * few);
    double *theta = lmb_arena_numbers(room, few);
    lmb_status status = lmb_check_memory(p->context, room);
    for (int i = 0, k = 0; i < p->n && !status; i++)
        if (p->m->value[p->m->start[i]] > 0) {
            X[(size_t)k * n + (size_t)i] = 1;
            place[k++] = i;
        }
    if (status || (status = lmb_factor_solve_sparse(p->factor, p->context, m, X)))
        return status;
    lmb_symmetric_multiply_many(p->m, m, X, MX);
    take_inertial(p, place, m, X, F);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, p->n, 1, X, p->n, MX, p->n, 0, A, m);
    if (!lmb_dense_symmetric_general(m, A, F, theta))
        return lmb_fail(p->context, LMB_SOLVER, "the %d unknowns with inertia have no modes", m);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->n, count, m, 1, X, p->n,
                A + (few - (size_t)count) * few, m, 0, MX, p->n);
    for (; p->found < count && theta[m - 1 - p->found] > 0; p->found++) {
        p->value[p->found] = p->shift + 1 / theta[m - 1 - p->found];
        memcpy(p->vector + (size_t)p->found * n, MX + (size_t)(count - 1 - p->found) * n,
               n * sizeof *MX);
    }
    return LMB_OK;
}

/* Finds `count` eigenvalues and vectors at the present shift. */
static lmb_status find(search *s, int count, double accuracy)
{
    lmb_pencil *p = &s->pencil;
    if (count > p->inertial) {
        count = p->inertial;
        s->spare = 0;
    }
    p->found = p->next_count = 0;
    p->value = lmb_arena_numbers(s->arena, (size_t)count + LMB_EIGEN_NEXT);
    p->vector = lmb_arena_numbers(s->arena, (size_t)count * (size_t)p->n + 1);
    lmb_status status = lmb_check_memory(p->context, s->arena);
    if (status || count == 0)
        return status;
    if (p->inertial < DENSE_BELOW && p->n >= DENSE_BELOW && s->options->multipliers == 0) {
        lmb_arena *room = lmb_arena_new();
        status = find_condensed(p, room, count);
        lmb_arena_free(room);
        return status;
    }
    bool dense = p->n < DENSE_BELOW || (p->n <= DENSE_MOST && count > p->inertial / 4);
    if (dense && s->options->multipliers == 0) { /* which takes K + M to be definite */
        lmb_arena *room = lmb_arena_new();
        status = find_dense(p, room, count);
        lmb_arena_free(room);
        return status;
    }
    /* next to a shift, free motions would drown the others in rounding */
    if (p->n >= BLOCK_FROM && p->shift == 0) {
        double wanted = s->options->tolerance > 0 ? s->options->tolerance : by_blocks;
        status = lmb_eigen_block(p, count - s->spare, wanted);
        if (status || p->found)
            return status;
    }
    return lmb_eigen_lanczos(p, count, accuracy);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Counts the unknowns with inertia and finds the median of K / M of these: near the highest w2. */
static lmb_status measure(search *s, double *typical)
{
    const lmb_symmetric *k = s->pencil.k, *m = s->pencil.m;
    double *ratio = lmb_arena_numbers(s->arena, (size_t)s->pencil.n + 1);
    int count = 0;
    if (!ratio)
        return lmb_fail_memory(s->pencil.context);
    for (int j = 0; j < s->pencil.n; j++)
        if (m->value[m->start[j]] > 0)
            ratio[count++] = k->value[k->start[j]] / m->value[m->start[j]];
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    s->pencil.inertial = count;
    *typical = count ? ratio[count / 2] : 1;
    return LMB_OK;
}

/* A shift for a singular K: minus the lowest w2 that is not zero, from a first look. */
static lmb_status choose_shift(search *s, double typical, int null_count)
{
    int known = s->options->free;
    lmb_status status = look_from(s, -first_shift * (typical > 0 ? typical : 1));
    /* slender parts hide some of their null pivots: six for each three that are seen */
    if (!status)
        status = find(s, known > 0 ? known + SPARE : 2 * null_count + 6, 1e-3);
    if (status)
        return status;
    double lowest = 0;
    for (int i = known; i < s->pencil.found && lowest == 0; i++)
        if (s->pencil.value[i] > -rigid * s->pencil.shift)
            lowest = s->pencil.value[i];
    return lowest > 0 ? look_from(s, -lowest) : LMB_OK;
}

/* Eigenvalues below the shift would be missed: K or M is not semidefinite. */
static lmb_status refuse_negative(const search *s)
{
    int negative = lmb_factor_facts_of(s->pencil.factor)->negative - s->options->multipliers;
    if (negative <= 0)
        return LMB_OK;
    return lmb_fail(s->pencil.context, LMB_SOLVER,
                    "the stiffness or the mass of %d unknowns is negative in %d directions",
                    s->pencil.n, negative);
}

/* Takes the caller's factorisation if it is not singular, or makes one. */
static lmb_status begin(search *s)
{
    double typical = 1;
    lmb_status status = measure(s, &typical);
    if (status)
        return status;
    s->pencil.factor = s->options->factor;
    int null_count = s->options->free;
    if (null_count == 0 && !s->options->factor)
        status = look_from(s, 0);
    if (null_count == 0 && !status)
        null_count = lmb_factor_facts_of(s->pencil.factor)->null_count;
    if (null_count > 0)
        status = choose_shift(s, typical, null_count);
    return status ? status : refuse_negative(s);
}

/* The bound, a little higher, so that an eigenvalue that was given as the bound is below it. */
static double upper_bound(const search *s)
{
    return s->options->below * (1 + 1e-9);
}

/* Finds all up to a bound, and sees that they are as many as counted. */
static lmb_status find_below(search *s, double bound, int wanted)
{
    enum { ATTEMPTS = 3 };
    for (int i = 0, count = wanted + SPARE; i < ATTEMPTS; i++, count += 10) {
        lmb_status status = find(s, count, tolerance);
        if (status)
            return status;
        int below = 0;
        while (below < s->pencil.found && s->pencil.value[below] <= bound)
            below++;
        if (below >= wanted) {
            s->pencil.found = below;
            return LMB_OK;
        }
    }
    return lmb_fail(s->pencil.context, LMB_SOLVER, "of %d eigenvalues below %g not all were found",
                    wanted, bound);
}

/* Count the eigenvalues up to a gap behind the wanted ones, and find missing ones. */
static lmb_status complete(search *s, int wanted)
{
    const lmb_pencil *p = &s->pencil;
    double shift = p->shift, *w2 = p->value;
    int last = wanted - 1;
    if (p->found < wanted) /* the problem has no more eigenvalues */
        return LMB_OK;
    while (last + 1 < p->found && w2[last + 1] - w2[last] < same * w2[last])
        last++;
    double bound = last + 1 < p->found ? (w2[last] + w2[last + 1]) / 2 : w2[last] * (1 + same);
    lmb_status status = factorise(s, bound);
    int counted = status ? 0 : lmb_factor_facts_of(s->own)->negative - s->options->multipliers;
    if (status || counted <= last + 1)
        return status;
    status = look_from(s, shift);
    return status ? status : find_below(s, bound, counted);
}

/* The largest component becomes positive; among equal ones the first. */
static void fix_sign(double *x, int n)
{
    double largest = 0;
    int i = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(x[k]));
    while (i < n - 1 && fabs(x[i]) < largest * (1 - 1e-6))
        i++;
    double sign = x[i] < 0 ? -1 : 1;
    for (int k = 0; k < n; k++)
        x[k] *= sign;
}

/* Gives vectors unit mass and their sign; mx has room for as many. */
static void finish_vectors(const lmb_pencil *p, int count, double *x, double *mx)
{
    size_t n = (size_t)p->n;
    lmb_symmetric_multiply_many(p->m, count, x, mx);
    for (int k = 0; k < count; k++, x += n, mx += n) {
        double mass = 0;
        for (size_t i = 0; i < n; i++)
            mass += x[i] * mx[i];
        for (size_t i = 0; mass > 0 && i < n; i++)
            x[i] /= sqrt(mass);
        fix_sign(x, p->n);
    }
}

/* Gives the first `count` of what was found to the caller. */
static lmb_status give(const search *s, lmb_eigen *out, lmb_arena *arena, int count)
{
    enum { BLOCK = 8 };
    const lmb_pencil *p = &s->pencil;
    out->count = count < p->found ? count : p->found;
    size_t n = (size_t)p->n, size = (size_t)out->count;
    int known = p->found + p->next_count;
    double *work = lmb_arena_numbers(s->arena, BLOCK * n + 1);
    out->value = lmb_arena_grow(arena, p->value, (size_t)known, (size_t)known + 1, sizeof(double));
    out->vector = lmb_arena_grow(arena, p->vector, size * n, size * n + 1, sizeof *out->vector);
    if (!work || !lmb_arena_fine(arena))
        return lmb_fail_memory(p->context);
    for (size_t i = 0; i < size; i += BLOCK)
        finish_vectors(p, size - i < BLOCK ? (int)(size - i) : BLOCK, out->vector + i * n, work);
    for (size_t i = 0; i < size; i++)
        out->rigid += fabs(out->value[i]) < -rigid * p->shift;
    out->next = out->value + size;
    out->next_count = known - out->count;
    out->shift = p->shift;
    return LMB_OK;
}

/* The eigenvalues wanted: a number, or all up to a bound. */
static lmb_status run(search *s, lmb_eigen *out, lmb_arena *arena)
{
    bool all = s->options->below > 0;
    int wanted = s->options->count;
    lmb_status status = all ? factorise(s, upper_bound(s)) : LMB_OK;
    if (!status && all)
        wanted = lmb_factor_facts_of(s->own)->negative;
    if (!status)
        status = begin(s);
    s->spare = all ? 0 : SPARE;
    if (!status)
        status = all ? find_below(s, upper_bound(s), wanted) : find(s, wanted + SPARE, tolerance);
    if (!status && s->options->complete)
        status = complete(s, wanted);
    return status ? status : give(s, out, arena, all ? s->pencil.found : wanted);
}

lmb_status lmb_eigen_solve(lmb_eigen *out, lmb_context *context, lmb_arena *arena,
                           const lmb_symmetric *k, const lmb_symmetric *m,
                           const lmb_eigen_options *options)
{
    *out = (lmb_eigen){0};
    search s = {.pencil = {.context = context, .k = k, .m = m, .n = k->n}, .options = options};
    s.arena = lmb_arena_new();
    lmb_status status = run(&s, out, arena);
    lmb_factor_free(s.own);
    lmb_arena_free(s.arena);
    return status;
}
