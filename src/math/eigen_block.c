/* Block Lanczos, for large matrices: the largest theta of (K - s M)^-1 M x = theta x in the inner
 * product of M, like eigen_lanczos.c, but with several vectors at a time. Reading the factor once
 * serves them all, and that is what a solution costs.
 *
 *   V_0, V_1, ... blocks of M-orthonormal vectors,   (K - s M)^-1 M V_s = V T_s + V_s+1 R_s
 *
 * Blocks are orthogonalised twice against all before. There are no restarts: it gives up when the
 * basis gets too large. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/eigen_internal.h"

enum { BLOCK = 8 };

typedef struct krylov {
    lmb_pencil *pencil;
    lmb_context *context;
    int n, wanted, most, size; /* vectors: wanted, the most there may be, so far */
    double *V;                 /* n x (most + BLOCK) */
    double *Y, *W;             /* n x BLOCK: the block to come, and M times it */
    double *T;                 /* (most + BLOCK) squared */
    double *H;                 /* (most + BLOCK) x BLOCK */
    double *S, *theta;         /* eigenvectors and values of T */
    double R[BLOCK * BLOCK];
} krylov;

static bool allocate(krylov *k)
{
    size_t n = (size_t)k->n, room = (size_t)(k->most + BLOCK);
    k->V = malloc(n * room * sizeof *k->V);
    k->Y = malloc(2 * n * BLOCK * sizeof *k->Y);
    k->W = k->Y ? k->Y + n * BLOCK : NULL;
    k->T = calloc(room * room, sizeof *k->T);
    k->H = calloc(room * BLOCK, sizeof *k->H);
    k->S = calloc(room * room, sizeof *k->S);
    k->theta = calloc(room, sizeof *k->theta);
    return k->V && k->Y && k->T && k->H && k->S && k->theta;
}

static void release(krylov *k)
{
    free(k->V);
    free(k->Y);
    free(k->T);
    free(k->H);
    free(k->S);
    free(k->theta);
}

/* Vectors with a part in every direction, the same each time. */
static void start_block(krylov *k)
{
    uint32_t seed = 12345;
    for (size_t i = 0; i < (size_t)k->n * BLOCK; i++) {
        seed = seed * 1664525u + 1013904223u;
        k->Y[i] = (double)(seed >> 8) / 8388608.0 - 1;
    }
}

/* Y = (K - s M)^-1 M x */
static lmb_status apply(krylov *k, const double *x)
{
    lmb_symmetric_multiply_many(k->pencil->m, BLOCK, x, k->W);
    memcpy(k->Y, k->W, (size_t)k->n * BLOCK * sizeof *k->Y);
    k->pencil->solutions += BLOCK;
    return lmb_factor_solve(k->pencil->factor, k->context, BLOCK, k->Y);
}

/* Takes out of Y what the basis has, and adds the shares to the last columns of T. */
static void orthogonalise(krylov *k)
{
    int room = k->most + BLOCK, first = k->size - BLOCK;
    for (int pass = 0; pass < 2 && k->size; pass++) {
        lmb_symmetric_multiply_many(k->pencil->m, BLOCK, k->Y, k->W);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k->size, BLOCK, k->n, 1, k->V, k->n,
                    k->W, k->n, 0, k->H, room);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k->n, BLOCK, k->size, -1, k->V, k->n,
                    k->H, room, 1, k->Y, k->n);
        for (int j = 0; j < BLOCK; j++)
            for (int i = 0; i < k->size; i++)
                k->T[(first + j) * room + i] += k->H[j * room + i];
    }
}

/* Makes Y M-orthonormal (Y = V_new R, by Cholesky, twice) and the next block of the basis; false if
 * its vectors are not independent. */
static bool append(krylov *k)
{
    double G[BLOCK * BLOCK], total[BLOCK * BLOCK] = {0};
    for (int j = 0; j < BLOCK; j++)
        total[j * BLOCK + j] = 1;
    for (int pass = 0; pass < 2; pass++) {
        lmb_symmetric_multiply_many(k->pencil->m, BLOCK, k->Y, k->W);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, BLOCK, BLOCK, k->n, 1, k->Y, k->n,
                    k->W, k->n, 0, G, BLOCK);
        if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', BLOCK, G, BLOCK) != 0)
            return false;
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, k->n, BLOCK,
                    1, G, BLOCK, k->Y, k->n);
        cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, BLOCK, BLOCK,
                    1, G, BLOCK, total, BLOCK);
    }
    memcpy(k->R, total, sizeof total);
    memcpy(k->V + (size_t)k->size * (size_t)k->n, k->Y, (size_t)k->n * BLOCK * sizeof *k->Y);
    k->size += BLOCK;
    return true;
}

/* Eigenvalues of T over all blocks but the newest, and whether the wanted ones are good. */
static bool converged(krylov *k, double tolerance)
{
    int room = k->most + BLOCK, d = k->size - BLOCK;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++)
            k->S[j * d + i] = i <= j ? k->T[j * room + i] : k->T[i * room + j];
    if (d < k->wanted + BLOCK ||
        LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', d, k->S, d, k->theta) != 0)
        return false;
    for (int v = d - k->wanted; v < d; v++) { /* the largest come last */
        double size = 0;
        for (int i = 0; i < BLOCK; i++) {
            double sum = 0;
            for (int j = i; j < BLOCK; j++)
                sum += k->R[j * BLOCK + i] * k->S[v * d + d - BLOCK + j];
            size += sum * sum;
        }
        if (!(sqrt(size) <= tolerance * fabs(k->theta[v])))
            return false;
    }
    return true;
}

/* Values ascending (theta falling) and their vectors V S. */
static void take(const krylov *k, double *value, double *vector)
{
    int d = k->size - BLOCK;
    for (int i = 0; i < k->wanted; i++) {
        value[i] = k->pencil->shift + 1 / k->theta[d - 1 - i];
        cblas_dgemv(CblasColMajor, CblasNoTrans, k->n, d, 1, k->V, k->n, k->S + (d - 1 - i) * d, 1,
                    0, vector + (size_t)i * (size_t)k->n, 1);
    }
}

static lmb_status search(krylov *k, bool *found)
{
    const double tolerance = 1e-12; /* of theta; vectors are that good over their gaps */
    start_block(k);
    memcpy(k->V, k->Y, (size_t)k->n * BLOCK * sizeof *k->V);
    lmb_status status = apply(k, k->V); /* in the range of the operator */
    bool fine = !status && append(k);
    while (fine && k->size <= k->most) {
        status = apply(k, k->V + (size_t)(k->size - BLOCK) * (size_t)k->n);
        if (status)
            return status;
        orthogonalise(k);
        fine = append(k);
        if (fine && (*found = converged(k, tolerance)))
            break;
    }
    return status;
}

lmb_status lmb_eigen_block(lmb_pencil *pencil, lmb_context *context, int count, double *value,
                           double *vector, int *found)
{
    krylov k = {.pencil = pencil, .context = context, .n = pencil->k->n, .wanted = count};
    k.most = 5 * count + 6 * BLOCK;
    *found = 0;
    bool done = false;
    lmb_status status = LMB_OK;
    if (count > 0 && 4 * k.most < pencil->inertial) {
        status = allocate(&k) ? search(&k, &done) : lmb_fail_memory(context);
        if (!status && done) {
            take(&k, value, vector);
            *found = count;
        }
        release(&k);
    }
    return status;
}
