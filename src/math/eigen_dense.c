/* The pencil as a dense one, upside down: M x = theta (K - s M) x with theta = 1 / (w2 - s), so
 * that M need not be definite and the lowest w2 are the most accurate. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "math/eigen_internal.h"

/* Adds factor times a matrix to the lower half of a dense one. */
static void spread(const lmb_symmetric *a, double factor, double *dense)
{
    size_t n = (size_t)a->n;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            dense[(size_t)j * n + (size_t)a->row[k]] += factor * a->value[k];
}

/* Takes those with the largest theta, which LAPACK has last. */
static int take(const lmb_pencil *pencil, int count, const double *theta, const double *vectors,
                double *value, double *vector)
{
    size_t n = (size_t)pencil->k->n;
    int found = 0;
    for (size_t i = n; i-- > 0 && found < count; found++) {
        if (theta[i] <= (double)n * DBL_EPSILON * theta[n - 1])
            break;
        value[found] = pencil->shift + 1 / theta[i];
        for (size_t k = 0; k < n; k++)
            vector[(size_t)found * n + k] = vectors[i * n + k] / sqrt(theta[i]);
    }
    return found;
}

lmb_status lmb_eigen_dense(lmb_pencil *pencil, lmb_context *context, int count, double *value,
                           double *vector, int *found)
{
    int n = pencil->k->n;
    size_t size = (size_t)n * (size_t)n;
    lmb_arena *room = lmb_arena_new();
    double *a = lmb_arena_numbers(room, size + 1), *b = lmb_arena_numbers(room, size + 1);
    double *theta = lmb_arena_numbers(room, (size_t)n + 1);
    lmb_status status = lmb_check_memory(context, room);
    if (!status) {
        spread(pencil->m, 1, a);
        spread(pencil->k, 1, b);
        spread(pencil->m, -pencil->shift, b);
        for (size_t i = 0; i < size; i += (size_t)n + 1)
            b[i] = b[i] == 0 ? 1 : b[i]; /* an unknown of nothing stays at rest */
        int code = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, a, n, b, n, theta);
        if (code == 0)
            *found = take(pencil, count, theta, a, value, vector);
        else
            status =
                lmb_fail(context, LMB_SOLVER,
                         "the eigenvalues of %d unknowns were not found (LAPACK says %d)", n, code);
    }
    lmb_arena_free(room);
    return status;
}
