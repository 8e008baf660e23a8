/* Sparse LU by KLU (SuiteSparse): block triangular form, fill-reducing order found once. New
 * numbers reuse the pivots of the last full factorisation while they stay good. */
#include <klu.h>

#include "math/linear.h"

typedef struct sparse {
    lmb_linear base;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double fresh_condition; /* of the last full factorisation */
    int permutation_sign;
    int *scratch; /* n marks */
} sparse;

/* Pivots are chosen anew when reused ones are this much worse than fresh ones were, or when numbers
 * grow by more than the inverse of the second in the elimination. */
static const double worn = 1e-3, grown = 1e-6;

static void destroy(lmb_linear *solver)
{
    sparse *s = (sparse *)solver;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
}

/* A structurally singular matrix is found out by factor. */
static bool create(lmb_linear *solver)
{
    sparse *s = (sparse *)solver;
    const lmb_pattern *p = &solver->pattern;
    klu_defaults(&s->common);
    s->common.scale = -1; /* the rows are scaled by whoever wrote them */
    s->scratch = lmb_arena_integers(solver->arena, (size_t)p->n + 1);
    s->symbolic = klu_analyze(p->n, p->start, p->row, &s->common);
    return s->common.status != KLU_OUT_OF_MEMORY;
}

/* The sign of a permutation, by its cycles. */
static int permutation_sign(const int *p, int n, int *mark)
{
    int sign = 1;
    for (int i = 0; i < n; i++)
        mark[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; !mark[j]; j = p[j]) {
            mark[j] = 1;
            if (p[j] != i)
                sign = -sign;
        }
    return sign;
}

static double condition(const lmb_linear *solver)
{
    sparse *s = (sparse *)(void *)(size_t)solver;
    return klu_rcond(s->symbolic, s->numeric, &s->common) ? s->common.rcond : 0;
}

static bool factor_fresh(sparse *s, const double *values)
{
    const lmb_pattern *p = &s->base.pattern;
    klu_free_numeric(&s->numeric, &s->common);
    s->base.fresh = true;
    s->numeric = klu_factor(p->start, p->row, (double *)(size_t)values, s->symbolic, &s->common);
    if (!s->numeric || s->common.status != KLU_OK) {
        klu_free_numeric(&s->numeric, &s->common);
        return false;
    }
    s->fresh_condition = condition(&s->base);
    s->permutation_sign = permutation_sign(s->numeric->Pnum, p->n, s->scratch) *
                          permutation_sign(s->symbolic->Q, p->n, s->scratch);
    return s->fresh_condition > 0;
}

/* Whether reused pivots are good enough. They may have been chosen for quite another matrix, that
 * of an iteration that diverged, whose condition says nothing: where the condition is not what it
 * was, or was beyond rounding, the growth of the numbers is looked at, too. */
static bool still_good(sparse *s, const double *values)
{
    const double similar = 10, rounding = 1e-14;
    const lmb_pattern *p = &s->base.pattern;
    double now = condition(&s->base) / s->fresh_condition;
    if (!(now > worn))
        return false;
    if (now * similar > 1 && now < similar && s->fresh_condition > rounding)
        return true;
    return klu_rgrowth(p->start, p->row, (double *)(size_t)values, s->symbolic, s->numeric,
                       &s->common) &&
           s->common.rgrowth > grown;
}

static bool factor(lmb_linear *solver, const double *values)
{
    sparse *s = (sparse *)solver;
    const lmb_pattern *p = &solver->pattern;
    solver->fresh = false;
    if (!s->symbolic || s->symbolic->structural_rank < p->n)
        return false;
    if (s->numeric &&
        klu_refactor(p->start, p->row, (double *)(size_t)values, s->symbolic, s->numeric,
                     &s->common) &&
        s->common.status == KLU_OK && still_good(s, values))
        return true;
    return factor_fresh(s, values);
}

static void solve(lmb_linear *solver, double *b, int count)
{
    sparse *s = (sparse *)solver;
    klu_solve(s->symbolic, s->numeric, solver->pattern.n, count, b, &s->common);
}

static void solve_transposed(lmb_linear *solver, double *b, int count)
{
    sparse *s = (sparse *)solver;
    klu_tsolve(s->symbolic, s->numeric, solver->pattern.n, count, b, &s->common);
}

static int sign(const lmb_linear *solver)
{
    const sparse *s = (const sparse *)solver;
    const double *diagonal = s->numeric->Udiag;
    int result = s->permutation_sign;
    for (int k = 0; k < solver->pattern.n; k++)
        if (diagonal[k] < 0)
            result = -result;
    return result;
}

static void forget(lmb_linear *solver)
{
    sparse *s = (sparse *)solver;
    klu_free_numeric(&s->numeric, &s->common);
}

static double work(lmb_linear *solver)
{
    sparse *s = (sparse *)solver;
    return klu_flops(s->symbolic, s->numeric, &s->common) ? s->common.flops / 2 : 0;
}

const lmb_linear_ops lmb_linear_klu = {
    sizeof(sparse), create, destroy, factor, solve, solve_transposed, condition, sign, forget, work,
};
