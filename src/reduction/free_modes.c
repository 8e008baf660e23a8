/* Modes of a free body. The stiffness is that of the modes alone, so with the mass matrix
 *
 *   [ Mrr  Mre ]    motions of the frame r      K e = w^2 (Mee - Mer Mrr^-1 Mre) e
 *   [ .    Mee ]    and modes e                 r = -Mrr^-1 Mre e
 *
 * which is solved as an eigenvalue problem of the modes; the rigid ones have no frequency. */
#include "reduction/free_modes.h"

#include <stdlib.h>
#include <string.h>

#include "math/dense.h"

/* Work space; matrices by columns. */
typedef struct work {
    int rigid, modes;
    double *Mrr; /* rigid x rigid, then its eigenvectors */
    double *B;   /* rigid x modes: Mrr^-1 Mre */
    double *Mee; /* modes x modes, then its eigenvectors */
    double *A;   /* modes x modes: the stiffness in coordinates of unit mass */
    double *values, *copy;
} work;

/* The place of a rigid motion among the columns of the invariants. */
static int rigid_column(int rigid, int k)
{
    return rigid == 3 && k == 2 ? lmb_gram_rotation(2) : k;
}

static double gram(const lmb_reduced *b, int i, int j)
{
    return b->gram[(size_t)j * (size_t)lmb_gram_size(b->mode_count) + (size_t)i];
}

/* B = Mrr^-1 Mre and the mass of the modes without what the frame takes up. */
static bool eliminate_frame(const lmb_reduced *b, work *w)
{
    int r = w->rigid, e = w->modes;
    for (int j = 0; j < r; j++)
        for (int i = 0; i < r; i++)
            w->Mrr[j * r + i] = gram(b, rigid_column(r, i), rigid_column(r, j));
    for (int j = 0; j < e; j++)
        for (int i = 0; i < r; i++)
            w->B[j * r + i] = gram(b, rigid_column(r, i), lmb_gram_mode(j));
    memcpy(w->copy, w->Mrr, (size_t)(r * r) * sizeof *w->copy);
    if (e && !lmb_dense_solve(r, w->copy, e, w->B))
        return false;
    for (int j = 0; j < e; j++)
        for (int i = 0; i < e; i++) {
            double m = gram(b, lmb_gram_mode(i), lmb_gram_mode(j));
            for (int k = 0; k < r; k++)
                m -= gram(b, lmb_gram_mode(i), rigid_column(r, k)) * w->B[j * r + k];
            w->Mee[(size_t)j * (size_t)e + (size_t)i] = m;
        }
    return true;
}

/* Makes the columns of a symmetric matrix its eigenvectors over the roots of its eigenvalues. */
static bool unit_mass(int n, double *a, double *values)
{
    if (!lmb_dense_symmetric(n, a, values))
        return false;
    for (int j = 0; j < n; j++) {
        if (!(values[j] > 0))
            return false;
        for (int i = 0; i < n; i++)
            a[(size_t)j * (size_t)n + (size_t)i] /= sqrt(values[j]);
    }
    return true;
}

/* out = T^T S T for square matrices. */
static void congruence(int n, const double *T, const double *S, double *copy, double *out)
{
    size_t m = (size_t)n;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            copy[j * m + i] = 0;
            for (size_t k = 0; k < m; k++)
                copy[j * m + i] += S[k * m + i] * T[j * m + k];
        }
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            out[j * m + i] = 0;
            for (size_t k = 0; k < m; k++)
                out[j * m + i] += T[i * m + k] * copy[j * m + k];
        }
}

/* One elastic mode from its vector y in coordinates of unit mass. */
static void set_mode(const lmb_reduced *b, const work *w, const double *y, double value,
                     lmb_free_modes *out, int mode)
{
    int r = w->rigid, e = w->modes;
    double *shape = out->shape + (size_t)mode * (size_t)out->count, *eta = shape + r;
    for (int i = 0; i < e; i++)
        for (int k = 0; k < e; k++)
            eta[i] += w->Mee[(size_t)k * (size_t)e + (size_t)i] * y[k];
    for (int k = 0; k < r; k++)
        for (int j = 0; j < e; j++)
            shape[k] -= w->B[j * r + k] * eta[j];
    double omega = value > 0 ? sqrt(value) : 0, damping = 0;
    for (int i = 0; b->C && i < e; i++)
        for (int j = 0; j < e; j++)
            damping += eta[i] * b->C[(size_t)j * (size_t)e + (size_t)i] * eta[j];
    out->frequency[mode] = omega / (2 * LMB_PI);
    out->damping[mode] = omega > 0 ? damping / (2 * omega) : 0;
}

static bool solve(const lmb_reduced *b, work *w, lmb_free_modes *out)
{
    int r = w->rigid, e = w->modes;
    if (!eliminate_frame(b, w) || !unit_mass(r, w->Mrr, w->values) ||
        !unit_mass(e, w->Mee, w->values))
        return false;
    for (int k = 0; k < r; k++)
        memcpy(out->shape + (size_t)k * (size_t)out->count, w->Mrr + k * r,
               (size_t)r * sizeof *w->Mrr);
    congruence(e, w->Mee, b->K, w->copy, w->A);
    if (!lmb_dense_symmetric(e, w->A, w->values))
        return false;
    for (int j = 0; j < e; j++)
        set_mode(b, w, w->A + (size_t)j * (size_t)e, w->values[j], out, r + j);
    return true;
}

lmb_status lmb_free_modes_new(lmb_free_modes **out, lmb_context *context, const lmb_reduced *b)
{
    *out = NULL;
    work w = {.rigid = b->dimension == 2 ? 3 : 6, .modes = b->mode_count};
    size_t r = (size_t)w.rigid, e = (size_t)w.modes, n = r + e;
    lmb_arena *arena = lmb_arena_new(), *room = lmb_arena_new();
    lmb_free_modes *m = arena ? lmb_arena_alloc(arena, 1, sizeof *m) : NULL;
    lmb_status status = LMB_OK;
    if (m && room) {
        *m = (lmb_free_modes){.arena = arena, .rigid = w.rigid, .count = (int)n};
        m->frequency = lmb_arena_alloc(arena, n, sizeof *m->frequency);
        m->damping = lmb_arena_alloc(arena, n, sizeof *m->damping);
        m->shape = lmb_arena_alloc(arena, n * n, sizeof *m->shape);
        w.Mrr = lmb_arena_alloc(room, r * r, sizeof *w.Mrr);
        w.B = lmb_arena_alloc(room, r * e + 1, sizeof *w.B);
        w.Mee = lmb_arena_alloc(room, e * e + 1, sizeof *w.Mee);
        w.A = lmb_arena_alloc(room, e * e + 1, sizeof *w.A);
        w.copy = lmb_arena_alloc(room, n * n, sizeof *w.copy);
        w.values = lmb_arena_alloc(room, n, sizeof *w.values);
    }
    if (!m || !room || !m->frequency || !m->damping || !m->shape || !w.Mrr || !w.B || !w.Mee ||
        !w.A || !w.copy || !w.values)
        status = lmb_fail_memory(context);
    else if (!solve(b, &w, m))
        status = lmb_fail(context, LMB_SOLVER,
                          "the mass matrix of the reduced body is not positive: it has no modes");
    lmb_arena_free(room);
    if (status)
        lmb_arena_free(arena);
    else
        *out = m;
    return status;
}

void lmb_free_modes_free(lmb_free_modes *modes)
{
    if (modes)
        lmb_arena_free(modes->arena);
}
