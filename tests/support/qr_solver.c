/* The whole matrix A = Q R by Householder's reflections (LAPACK):
 *
 *   A x = b:    R x = Q^T b          A^T x = b:    x = Q R^-T b
 *
 * Slower than the others and never singular by accident, it is there to show that a new solver is
 * one file. */
#include "qr_solver.h"

#include <lapacke.h>
#include <string.h>

#include "system/saddle_assembly.h"

typedef struct qr {
    lmb_saddle base;
    lmb_saddle_assembly assembly;
    int n;
    double *a, *tau;   /* n x n and n: R and the reflections */
    double *room;      /* n * BLOCK, for LAPACK */
    double *assembled; /* n x n: the matrix as it was */
} qr;

enum { BLOCK = 32 };

static bool suits(const lmb_model *m, lmb_saddle_use use)
{
    (void)use;
    return m->nv + m->nrows > 0;
}

static void destroy(lmb_saddle *saddle)
{
    lmb_arena_free(saddle->arena);
}

static lmb_saddle *create(const lmb_model *m, lmb_saddle_use use)
{
    qr *s = lmb_saddle_object(&qr_solver, m, use, sizeof *s);
    if (!s)
        return NULL;
    lmb_arena *arena = s->base.arena;
    s->n = m->nv + m->nrows;
    size_t n = (size_t)s->n;
    s->a = lmb_arena_numbers(arena, n * n);
    s->assembled = lmb_arena_numbers(arena, n * n);
    s->tau = lmb_arena_numbers(arena, n);
    s->room = lmb_arena_numbers(arena, n * BLOCK);
    if (lmb_arena_fine(arena) && lmb_saddle_index(&s->assembly, arena, m, use))
        return &s->base;
    destroy(&s->base);
    return NULL;
}

static bool decompose(qr *s)
{
    memcpy(s->a, s->assembled, (size_t)s->n * (size_t)s->n * sizeof *s->a);
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, s->n, s->n, s->a, s->n, s->tau, s->room, s->n * BLOCK);
    for (int i = 0; i < s->n; i++)
        if (!(fabs(s->a[i * (s->n + 1)]) > 0))
            return false;
    return true;
}

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *matrix)
{
    qr *s = (qr *)saddle;
    const lmb_pattern *p = &s->assembly.pattern;
    lmb_saddle_assemble(&s->assembly, matrix, saddle->scale);
    memset(s->assembled, 0, (size_t)s->n * (size_t)s->n * sizeof *s->assembled);
    for (int j = 0; j < s->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            s->assembled[j * s->n + p->row[k]] += s->assembly.values[k];
    return decompose(s);
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    qr *s = (qr *)saddle;
    for (int i = 0; i < count; i++, sides += s->n) {
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', s->n, 1, s->n, s->a, s->n, s->tau, sides,
                            s->n, s->room, s->n * BLOCK);
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', s->n, 1, s->a, s->n, sides, s->n);
    }
}

static void solve_transposed(lmb_saddle *saddle, double *sides, int count)
{
    qr *s = (qr *)saddle;
    for (int i = 0; i < count; i++, sides += s->n) {
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'T', 'N', s->n, 1, s->a, s->n, sides, s->n);
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', s->n, 1, s->n, s->a, s->n, s->tau, sides,
                            s->n, s->room, s->n * BLOCK);
    }
}

static double condition(const lmb_saddle *saddle)
{
    const qr *s = (const qr *)saddle;
    double least = INFINITY, most = 0;
    for (int i = 0; i < s->n; i++) {
        least = fmin(least, fabs(s->a[i * (s->n + 1)]));
        most = fmax(most, fabs(s->a[i * (s->n + 1)]));
    }
    return least / most;
}

/* Each reflection (where tau is not zero) has the determinant -1. */
static int sign(const lmb_saddle *saddle)
{
    const qr *s = (const qr *)saddle;
    int result = 1;
    for (int i = 0; i < s->n; i++)
        if ((s->a[i * (s->n + 1)] < 0) != (s->tau[i] != 0))
            result = -result;
    return result;
}

static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    qr *s = (qr *)saddle;
    lmb_pack_numbers(p, s->assembled, (size_t)s->n * (size_t)s->n);
    if (p->mode == LMB_PACK_RESTORE)
        decompose(s);
}

const lmb_saddle_kind qr_solver = {.name = "qr",
                                   .doc = "The whole matrix by QR.",
                                   .exact = true,
                                   .suits = suits,
                                   .create = create,
                                   .destroy = destroy,
                                   .factor = factor,
                                   .solve = solve,
                                   .solve_transposed = solve_transposed,
                                   .condition = condition,
                                   .sign = sign,
                                   .pack = pack};
