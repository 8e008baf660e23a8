/* Null space of the constraints and reduced matrices. */
#include "analysis/linearise.h"

#include <stdlib.h>
#include <string.h>

#include "system/first_order.h"
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
    size_t n = (size_t)m->nv, square = n * n + 1, nz = (size_t)m->nz;
    lmb_linear_model *l = calloc(1, sizeof *l);
    double *numbers = l ? calloc(6 * square + n + nz * (3 * n + nz), sizeof *numbers) : NULL;
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
    l->nz = m->nz;
    l->Z = l->full + 2 * square + n;
    l->F_y = l->Z + nz * n;
    l->F_u = l->F_y + nz * n;
    l->F_z = l->F_u + nz * n;
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

/* The matrices of the first-order states. */
static void linearise_states(lmb_linear_model *l, const lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)l->n, f = (size_t)l->free, all = (size_t)l->nz;
    memset(l->F_z, 0, all * all * sizeof *l->F_z);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        size_t nv = (size_t)b->nv, nz = (size_t)b->nz, z = (size_t)b->z;
        if (nz == 0)
            continue;
        lmb_first_order_tangent t = lmb_first_order_tangent_of(s, i);
        for (size_t a = 0; a < nz; a++) {
            for (size_t k = 0; k < f; k++) {
                double force = 0, by_y = 0, by_u = 0;
                for (size_t j = 0; j < nv; j++) {
                    double along = l->N[k * n + (size_t)b->v + j];
                    force += along * t.force_by_z[a * nv + j];
                    by_y += along * t.by_q[j * nz + a];
                    by_u += along * t.by_v[j * nz + a];
                }
                l->Z[(z + a) * f + k] = force;
                l->F_y[k * all + z + a] = by_y;
                l->F_u[k * all + z + a] = by_u;
            }
            for (size_t c = 0; c < nz; c++)
                l->F_z[(z + a) * all + z + c] = t.by_z[a * nz + c];
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
    linearise_states(l, s->state);
    return LMB_OK;
}

int lmb_linear_state_count(const lmb_linear_model *l)
{
    return 2 * l->free + l->nz;
}

bool lmb_linear_state_matrix(const lmb_linear_model *l, double *A)
{
    size_t f = (size_t)l->free, nz = (size_t)l->nz, size = 2 * f + nz, square = f * f;
    double *M = malloc((square + 1) * sizeof *M), *right = calloc(f * size + 1, sizeof *right);
    bool fine = M && right;
    if (fine) {
        memcpy(M, l->M, square * sizeof *M);
        memcpy(right, l->K, square * sizeof *right);
        memcpy(right + square, l->C, square * sizeof *right);
        memcpy(right + 2 * square, l->Z, f * nz * sizeof *right);
        fine = lmb_dense_solve(l->free, M, (int)size, right);
    }
    for (size_t j = 0; fine && j < size; j++) {
        double *column = A + j * size;
        const double *rates = j < f       ? l->F_y + j * nz
                              : j < 2 * f ? l->F_u + (j - f) * nz
                                          : l->F_z + (j - 2 * f) * nz;
        if (j >= f && j < 2 * f)
            column[j - f] = 1;
        for (size_t i = 0; i < f; i++)
            column[f + i] = j < 2 * f ? -right[j * f + i] : right[j * f + i];
        memcpy(column + 2 * f, rates, nz * sizeof *column);
    }
    free(M);
    free(right);
    return fine;
}

bool lmb_condense_states(lmb_linear_model *l)
{
    size_t f = (size_t)l->free, nz = (size_t)l->nz;
    if (nz == 0)
        return true;
    if (!lmb_dense_solve(l->nz, l->F_z, l->free, l->F_y)) /* both are overwritten */
        return false;
    for (size_t j = 0; j < f; j++)
        for (size_t a = 0; a < nz; a++)
            for (size_t i = 0; i < f; i++)
                l->K[j * f + i] += l->Z[a * f + i] * l->F_y[j * nz + a];
    return true;
}
