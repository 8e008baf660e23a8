/* Modes of a free body. The stiffness is that of the modes alone, so with the mass matrix
 *
 *   [ Mrr  Mre ]    motions of the frame r      K e = w^2 (Mee - Mer Mrr^-1 Mre) e
 *   [ .    Mee ]    and modes e                 r = -Mrr^-1 Mre e
 *
 * which is solved as an eigenvalue problem of the modes; the rigid ones have no frequency. */
#include "reduction/reduced.h"

#include <string.h>

#include "base/text.h"
#include "math/late.h"
#include "math/dense.h"

/* The column of the invariants that a coordinate is: a motion of the frame, or a mode. */
static size_t column_of(const lmb_free_modes *m, int k)
{
    if (k >= m->rigid)
        return (size_t)lmb_gram_mode(k - m->rigid);
    return (size_t)(m->rigid == 3 && k == 2 ? lmb_gram_rotation(2) : k);
}

/* The masses between some coordinates and others, by columns. */
static double *mass_between(lmb_arena *room, const lmb_reduced *b, const lmb_free_modes *m,
                            int first_row, int rows, int first_column, int columns)
{
    size_t size = (size_t)lmb_gram_size(b->mode_count);
    double *out = lmb_arena_numbers(room, (size_t)rows * (size_t)columns + 1), *next = out;
    for (int j = 0; out && j < columns; j++)
        for (int i = 0; i < rows; i++)
            *next++ = b->gram[column_of(m, first_column + j) * size + column_of(m, first_row + i)];
    return out;
}

/* Makes the columns of a symmetric matrix its eigenvectors over the roots of its eigenvalues. */
static bool unit_mass(int n, double *a, double *values)
{
    if (!lmb_dense_symmetric(n, a, values))
        return false;
    for (int j = 0; j < n; j++) {
        if (!(values[j] > 0))
            return false;
        cblas_dscal(n, 1 / sqrt(values[j]), a + j * n, 1);
    }
    return true;
}

/* One elastic mode from its eigenvalue and vector; B = Mrr^-1 Mre. */
static void set_mode(const lmb_reduced *b, lmb_free_modes *m, int mode, double value,
                     const double *eta, const double *B)
{
    int r = m->rigid, e = m->count - r;
    double *shape = m->shape + (size_t)mode * (size_t)m->count, damping = 0;
    memcpy(shape + r, eta, (size_t)e * sizeof *eta);
    cblas_dgemv(CblasColMajor, CblasNoTrans, r, e, -1, B, r, eta, 1, 0, shape, 1);
    for (int j = 0; b->C && j < e; j++)
        damping += eta[j] * cblas_ddot(e, b->C + (size_t)j * (size_t)e, 1, eta, 1);
    double omega = value > 0 ? sqrt(value) : 0;
    m->frequency[mode] = omega / (2 * LMB_PI);
    m->damping[mode] = omega > 0 ? damping / (2 * omega) : 0;
}

lmb_status lmb_free_modes_find(lmb_free_modes *m, lmb_context *context, lmb_arena *arena,
                               const lmb_reduced *b)
{
    int r = b->dimension == 2 ? 3 : 6, e = b->mode_count;
    size_t n = (size_t)(r + e), square = (size_t)e * (size_t)e;
    *m = (lmb_free_modes){r, r + e, lmb_arena_numbers(arena, n), lmb_arena_numbers(arena, n),
                          lmb_arena_numbers(arena, n * n)};
    double *Mrr = mass_between(arena, b, m, 0, r, 0, r),
           *copy = mass_between(arena, b, m, 0, r, 0, r);
    double *Mre = mass_between(arena, b, m, 0, r, r, e), *B = mass_between(arena, b, m, 0, r, r, e);
    double *Mee = mass_between(arena, b, m, r, e, r, e);
    double *K = lmb_arena_grow(arena, b->K, square, square + 1, sizeof *K);
    double *values = lmb_arena_numbers(arena, n);
    lmb_status status = lmb_check_memory(context, arena);
    if (status)
        return status;
    bool fine = e == 0 || lmb_dense_solve(r, copy, e, B);
    if (fine && e)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, e, e, r, -1, Mre, r, B, r, 1, Mee, e);
    if (!fine || !unit_mass(r, Mrr, values) || !lmb_dense_symmetric_general(e, K, Mee, values))
        return lmb_fail(context, LMB_SOLVER,
                        "the mass matrix of the reduced body is not positive: it has no modes");
    for (int k = 0; k < r; k++)
        memcpy(m->shape + (size_t)k * (size_t)m->count, Mrr + k * r, (size_t)r * sizeof *Mrr);
    for (int j = 0; j < e; j++)
        set_mode(b, m, r + j, values[j], K + (size_t)j * (size_t)e, B);
    return LMB_OK;
}

const char *lmb_motion_name(lmb_arena *arena, int rigid, int k)
{
    static const char *const plane[] = {"x", "y", "angle"};
    static const char *const space[] = {"x", "y", "z", "rotation.x", "rotation.y", "rotation.z"};
    if (k >= rigid)
        return lmb_text_format(arena, "mode%d", k - rigid + 1);
    return rigid == 3 ? plane[k] : space[k];
}
