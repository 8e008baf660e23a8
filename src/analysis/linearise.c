/* Null space of the constraints and reduced matrices. */
#include "analysis/linearise.h"

#include <stdlib.h>
#include <string.h>

#include "system/partition.h"
#include "math/dense.h"

enum { LARGEST = 2000 };

lmb_status lmb_linear_model_new(lmb_linear_model **out, lmb_context *context, const lmb_model *m)
{
    *out = NULL;
    if (m->nv > LARGEST)
        return lmb_fail(context, LMB_SOLVER,
                        "the model has %d coordinates; linearisation goes up to %d", m->nv,
                        LARGEST);
    size_t n = (size_t)m->nv, square = n * n + 1;
    lmb_linear_model *l = calloc(1, sizeof *l);
    double *numbers = l ? calloc(6 * square + n, sizeof *numbers) : NULL;
    if (!numbers) {
        free(l);
        return lmb_fail_memory(context);
    }
    l->n = m->nv;
    l->N = numbers;
    l->M = numbers + square;
    l->C = numbers + 2 * square;
    l->K = numbers + 3 * square;
    l->full = numbers + 4 * square;
    *out = l;
    return LMB_OK;
}

void lmb_linear_model_free(lmb_linear_model *l)
{
    if (l)
        free(l->N);
    free(l);
}

lmb_status lmb_null_space(lmb_linear_model *l, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    double *a = calloc(rows * n + n + 1, sizeof *a), *root = a + rows * n;
    if (!a)
        return lmb_fail_memory(s->context);
    lmb_scaled_jacobian(s, a, root);
    l->free = lmb_dense_null_space(m->nrows, m->nv, a, 1e-9, l->N);
    for (int k = 0; k < l->free; k++)
        for (size_t i = 0; i < n; i++)
            l->N[(size_t)k * n + i] *= root[i];
    free(a);
    return l->free < 0 ? lmb_fail_memory(s->context) : LMB_OK;
}

/* out = N^T A N for a full matrix. */
static void reduce(const lmb_linear_model *l, const double *A, double *out)
{
    size_t n = (size_t)l->n;
    for (int k = 0; k < l->free; k++) {
        double *product = l->full + 2 * n * n; /* A times a column of N */
        memset(product, 0, n * sizeof *product);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                product[i] += A[j * n + i] * l->N[(size_t)k * n + j];
        for (int i = 0; i < l->free; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += l->N[(size_t)i * n + j] * product[j];
            out[(size_t)k * (size_t)l->free + (size_t)i] = sum;
        }
    }
}

lmb_status lmb_linearise(lmb_linear_model *l, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    double *by_q = l->full, *by_v = l->full + n * n;
    lmb_jacobian(s->state);
    lmb_status status = lmb_null_space(l, s);
    if (status)
        return status;
    lmb_tangent(s->state, by_q, by_v);
    reduce(l, by_q, l->K);
    reduce(l, by_v, l->C);
    lmb_mass_matrix(s->state, by_q);
    reduce(l, by_q, l->M);
    return LMB_OK;
}

bool lmb_first_order(const lmb_linear_model *l, double *A)
{
    size_t f = (size_t)l->free;
    double *M = malloc((f * f + 1) * sizeof *M), *right = calloc(2 * f * f + 1, sizeof *right);
    bool fine = M && right;
    if (fine) {
        memcpy(M, l->M, f * f * sizeof *M);
        memcpy(right, l->K, f * f * sizeof *right);
        memcpy(right + f * f, l->C, f * f * sizeof *right);
        fine = lmb_dense_solve(l->free, M, 2 * l->free, right);
    }
    for (size_t j = 0; fine && j < f; j++) {
        A[(f + j) * 2 * f + j] = 1;
        for (size_t i = 0; i < f; i++) {
            A[j * 2 * f + f + i] = -right[j * f + i];
            A[(f + j) * 2 * f + f + i] = -right[f * f + j * f + i];
        }
    }
    free(M);
    free(right);
    return fine;
}
