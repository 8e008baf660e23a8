/* Sparse complex LU by KLU (SuiteSparse). New numbers reuse the pivots of the last full
 * factorisation while they stay good. */
#include "math/linear_complex.h"

#include <klu.h>

#include "base/arena.h"

struct lmb_linear_complex {
    lmb_pattern pattern; /* borrowed */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double fresh_condition; /* of the last full factorisation */
    lmb_arena *arena;
};

/* Pivots are chosen anew when reused ones are this much worse than fresh ones were. */
static const double worn = 1e-3;

lmb_linear_complex *lmb_linear_complex_new(const lmb_pattern *p)
{
    lmb_arena *arena;
    lmb_linear_complex *s = lmb_arena_object(&arena, sizeof *s);
    if (!s)
        return NULL;
    s->arena = arena;
    s->pattern = *p;
    klu_defaults(&s->common);
    s->common.scale = -1; /* the rows are scaled by whoever wrote them */
    s->symbolic = klu_analyze(p->n, p->start, p->row, &s->common);
    if (s->common.status != KLU_OUT_OF_MEMORY)
        return s;
    lmb_linear_complex_free(s);
    return NULL;
}

void lmb_linear_complex_free(lmb_linear_complex *s)
{
    if (!s)
        return;
    klu_z_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    lmb_arena_free(s->arena);
}

static double condition(lmb_linear_complex *s)
{
    return klu_z_rcond(s->symbolic, s->numeric, &s->common) ? s->common.rcond : 0;
}

bool lmb_linear_complex_factor(lmb_linear_complex *s, const lmb_complex *values)
{
    const lmb_pattern *p = &s->pattern;
    double *x = (double *)(size_t)values;
    if (!s->symbolic || s->symbolic->structural_rank < p->n)
        return false;
    if (s->numeric && klu_z_refactor(p->start, p->row, x, s->symbolic, s->numeric, &s->common) &&
        s->common.status == KLU_OK && condition(s) > worn * s->fresh_condition)
        return true;
    klu_z_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_z_factor(p->start, p->row, x, s->symbolic, &s->common);
    if (!s->numeric || s->common.status != KLU_OK) {
        klu_z_free_numeric(&s->numeric, &s->common);
        return false;
    }
    s->fresh_condition = condition(s);
    return s->fresh_condition > 0;
}

void lmb_linear_complex_solve(lmb_linear_complex *s, lmb_complex *b)
{
    klu_z_solve(s->symbolic, s->numeric, s->pattern.n, 1, (double *)b, &s->common);
}
