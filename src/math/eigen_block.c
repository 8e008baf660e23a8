/* Block Lanczos, for large matrices: the largest theta of (K - s M)^-1 M x = theta x in the inner
 * product of M, like ARPACK (arnoldi.c), but with several vectors at a time. Reading the factor
 * once serves them all, and that is what a solution costs.
 *
 *   V_0, V_1, ... blocks of M-orthonormal vectors
 *   (K - s M)^-1 M V_j = V_j-1 R_j-1^T + V_j A_j + V_j+1 R_j
 *
 * What is left after these terms is orthogonalised against all blocks before. There are no
 * restarts: it gives up when the basis gets too large. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/eigen_internal.h"
#include "math/late.h"

enum { BLOCK = 8 };

typedef struct krylov {
    lmb_pencil *pencil;
    int n, wanted, most, size; /* vectors: wanted, the most there may be, so far */
    double *V;                 /* n x (most + BLOCK) */
    double *Y, *W;             /* n x BLOCK: the block to come, and M times it or the last one */
    double *T;                 /* (most + BLOCK) squared; the upper triangle counts */
    double *H;                 /* (most + BLOCK) x BLOCK */
    double *S, *theta;         /* eigenvectors and values of T */
    double R[BLOCK * BLOCK];
    double tolerance;
    double removed; /* the most that was taken out of Y after W = M Y */
} krylov;

/* Of V what is not touched takes no memory, so it is not in the arena. */
static bool allocate(krylov *k, lmb_arena *arena)
{
    size_t n = (size_t)k->n, room = (size_t)(k->most + BLOCK);
    k->V = lmb_malloc(n * room * sizeof *k->V);
    k->Y = lmb_arena_numbers(arena, n * BLOCK);
    k->W = lmb_arena_numbers(arena, n * BLOCK);
    k->T = lmb_arena_numbers(arena, room * room);
    k->H = lmb_arena_numbers(arena, room * BLOCK);
    k->S = lmb_arena_numbers(arena, room * room);
    k->theta = lmb_arena_numbers(arena, room);
    return k->V && lmb_arena_fine(arena);
}

static void weigh(krylov *k)
{
    lmb_symmetric_multiply_many(k->pencil->m, BLOCK, k->Y, k->W);
}

/* Y = (K - s M)^-1 W */
static lmb_status solve(krylov *k)
{
    memcpy(k->Y, k->W, (size_t)k->n * BLOCK * sizeof *k->Y);
    return lmb_factor_solve(k->pencil->factor, k->pencil->context, BLOCK, k->Y);
}

/* Takes the blocks before out of Y, which is the operator times the last one, W; fills the columns
 * of T that belong to it. */
static void orthogonalise(krylov *k)
{
    int room = k->most + BLOCK, last = k->size - BLOCK;
    const double *V = k->V + (size_t)last * (size_t)k->n;
    double *T = k->T + (size_t)last * (size_t)room;
    if (last > 0) { /* the block before the last: its share is R^T */
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, k->n, BLOCK, BLOCK, -1,
                    V - (size_t)BLOCK * (size_t)k->n, k->n, k->R, BLOCK, 1, k->Y, k->n);
        for (int j = 0; j < BLOCK; j++)
            for (int i = 0; i < BLOCK; i++)
                T[j * room + last - BLOCK + i] = k->R[i * BLOCK + j];
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, BLOCK, BLOCK, k->n, 1, k->W, k->n, k->Y,
                k->n, 0, T + last, room);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k->n, BLOCK, BLOCK, -1, V, k->n,
                T + last, room, 1, k->Y, k->n);
    /* what rounding has left of all blocks before would grow */
    k->removed = 0;
    weigh(k);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k->size, BLOCK, k->n, 1, k->V, k->n, k->W,
                k->n, 0, k->H, room);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k->n, BLOCK, k->size, -1, k->V, k->n,
                k->H, room, 1, k->Y, k->n);
    for (int j = 0; j < BLOCK; j++)
        k->removed =
            fmax(k->removed,
                 fabs(k->H[(size_t)j * (size_t)room + cblas_idamax(k->size, k->H + j * room, 1)]));
}

/* Y = Y R^-1 and W = W R^-1, some rows at a time, which stay near. */
static void divide(krylov *k, const double *R)
{
    enum { ROWS = 1024 };
    for (int first = 0; first < k->n; first += ROWS) {
        int rows = k->n - first < ROWS ? k->n - first : ROWS;
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, rows, BLOCK,
                    1, R, BLOCK, k->Y + first, k->n);
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, rows, BLOCK,
                    1, R, BLOCK, k->W + first, k->n);
    }
}

/* Makes Y M-orthonormal by Cholesky: Y = Y R^-1, and W with it; false if its vectors are not
 * independent. `clear` is the least part of a vector that the others do not have. */
static bool orthonormalise(krylov *k, double *R, double *clear)
{
    double size[BLOCK];
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, BLOCK, BLOCK, k->n, 1, k->Y, k->n, k->W,
                k->n, 0, R, BLOCK);
    for (int j = 0; j < BLOCK; j++)
        size[j] = sqrt(fmax(0, R[j * BLOCK + j]));
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', BLOCK, R, BLOCK) != 0)
        return false;
    *clear = 1;
    for (int j = 0; j < BLOCK; j++) {
        *clear = fmin(*clear, R[j * BLOCK + j] / size[j]);
        for (int i = j + 1; i < BLOCK; i++)
            R[j * BLOCK + i] = 0;
    }
    divide(k, R);
    return true;
}

/* The length of the shortest vector of Y, by M. */
static double smallest(const krylov *k)
{
    double least = INFINITY;
    for (size_t j = 0; j < BLOCK; j++) {
        const double *y = k->Y + j * (size_t)k->n, *w = k->W + j * (size_t)k->n;
        least = fmin(least, cblas_ddot(k->n, y, 1, w, 1));
    }
    return sqrt(fmax(0, least));
}

/* Makes Y the next block of the basis, with W = M times it and R of the recurrence. */
static bool append(krylov *k)
{
    double second[BLOCK * BLOCK], clear, least = 0;
    /* what was removed last has no part in Y^T W; W itself may be off by a little of the tolerance
     */
    if (k->removed > 0)
        least = smallest(k);
    if (k->removed == 0 || k->removed > 1e-4 * k->tolerance * least)
        weigh(k);
    if (!orthonormalise(k, k->R, &clear))
        return false;
    if (clear < 0.1) /* rounding has grown by as much */
        weigh(k);
    if (!orthonormalise(k, second, &clear))
        return false;
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, BLOCK, BLOCK, 1,
                second, BLOCK, k->R, BLOCK);
    memcpy(k->V + (size_t)k->size * (size_t)k->n, k->Y, (size_t)k->n * BLOCK * sizeof *k->Y);
    k->size += BLOCK;
    return true;
}

/* Eigenvalues of T over all blocks but the newest, and whether the wanted ones are good. */
static bool converged(krylov *k)
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
        if (!(sqrt(size) <= k->tolerance * fabs(k->theta[v])))
            return false;
    }
    return true;
}

/* Values ascending (theta falling) and their vectors V S. Of those that follow there are enough: d
 * is wanted + BLOCK or more. */
static void take(krylov *k)
{
    lmb_pencil *p = k->pencil;
    int d = k->size - BLOCK;
    p->found = k->wanted;
    p->next_count = LMB_EIGEN_NEXT;
    for (int i = 0; i < k->wanted + LMB_EIGEN_NEXT; i++)
        p->value[i] = p->shift + 1 / k->theta[d - 1 - i];
    for (int i = 0; i < k->wanted; i++)
        cblas_dcopy(d, k->S + (size_t)(d - 1 - i) * (size_t)d, 1, k->T + (size_t)i * (size_t)d, 1);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k->n, k->wanted, d, 1, k->V, k->n, k->T,
                d, 0, p->vector, k->n);
}

static lmb_status search(krylov *k, bool *found)
{
    lmb_status status = lmb_continue(k->pencil->context, "vibrations", 0);
    lmb_eigen_start(k->Y, (size_t)k->n * BLOCK);
    weigh(k);
    if (!status)
        status = solve(k); /* into the range of the operator */
    bool fine = !status && append(k);
    while (fine && k->size <= k->most) {
        if ((status = lmb_continue(k->pencil->context, "vibrations",
                                   fmin(1, k->size / (5.0 * k->wanted)))) ||
            (status = solve(k)))
            return status;
        orthogonalise(k);
        fine = append(k);
        if (fine && (*found = converged(k)))
            break;
    }
    return status;
}

lmb_status lmb_eigen_block(lmb_pencil *pencil, int count, double tolerance)
{
    krylov k = {.pencil = pencil, .n = pencil->n, .wanted = count, .tolerance = tolerance};
    k.most = 8 * count + 6 * BLOCK;
    if (count <= 0 || 4 * k.most >= pencil->inertial)
        return LMB_OK;
    bool done = false;
    lmb_arena *arena = lmb_arena_new();
    lmb_status status = allocate(&k, arena) ? search(&k, &done) : lmb_fail_memory(pencil->context);
    if (!status && done)
        take(&k);
    free(k.V);
    lmb_arena_free(arena);
    return status;
}
