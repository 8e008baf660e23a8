/* GMRES: an orthonormal basis V of the Krylov space by Arnoldi's method, A V_k = V_k+1 H, and
 * Givens rotations that make H triangular as it grows, which tell the residual at each step. */
#include "math/gmres.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "math/late.h"

/* The work of one solution; columns of H have n + 1 numbers. */
typedef struct krylov {
    int n;
    double *V;             /* n x (n + 1) */
    double *H;             /* (n + 1) x n */
    double *cosine, *sine; /* n: the rotations */
    double *g;             /* n + 1: the right side in them */
} krylov;

static double *basis(const krylov *k, int i)
{
    return k->V + (size_t)i * (size_t)k->n;
}

static double *column(const krylov *k, int j)
{
    return k->H + (size_t)j * (size_t)(k->n + 1);
}

/* Makes A v_j orthogonal to the basis, twice, and adds it; false: it lies in the basis. */
static bool extend(krylov *k, int j)
{
    double *next = basis(k, j + 1), *h = column(k, j), before = cblas_dnrm2(k->n, next, 1);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= j; i++) {
            double part = cblas_ddot(k->n, basis(k, i), 1, next, 1);
            h[i] += part;
            cblas_daxpy(k->n, -part, basis(k, i), 1, next, 1);
        }
    h[j + 1] = cblas_dnrm2(k->n, next, 1);
    if (!(h[j + 1] > 1e-14 * before))
        return false;
    cblas_dscal(k->n, 1 / h[j + 1], next, 1);
    return true;
}

/* Makes column j triangular; false: it adds nothing, A is singular there. */
static bool rotate(krylov *k, int j)
{
    double *h = column(k, j), whole = cblas_dnrm2(j + 2, h, 1);
    for (int i = 0; i < j; i++) {
        double upper = h[i];
        h[i] = k->cosine[i] * upper + k->sine[i] * h[i + 1];
        h[i + 1] = k->cosine[i] * h[i + 1] - k->sine[i] * upper;
    }
    double size = hypot(h[j], h[j + 1]);
    if (!(size > 1e-12 * whole))
        return false;
    k->cosine[j] = h[j] / size;
    k->sine[j] = h[j + 1] / size;
    h[j] = size;
    h[j + 1] = 0;
    k->g[j + 1] = -k->sine[j] * k->g[j];
    k->g[j] *= k->cosine[j];
    return true;
}

/* x = V y with H y = g in the first so many columns. */
static void combine(const krylov *k, int count, double *x)
{
    for (int i = count - 1; i >= 0; i--) {
        double y = k->g[i];
        for (int j = i + 1; j < count; j++)
            y -= column(k, j)[i] * k->g[j];
        k->g[i] = y / column(k, i)[i];
        cblas_daxpy(k->n, k->g[i], basis(k, i), 1, x, 1);
    }
}

double lmb_gmres(int n, lmb_linear_map *map, void *user, const double *b, double tolerance,
                 double *x, lmb_arena *arena)
{
    size_t size = (size_t)n;
    krylov k = {n,
                lmb_arena_numbers(arena, size * (size + 1)),
                lmb_arena_numbers(arena, size * (size + 1)),
                lmb_arena_numbers(arena, size),
                lmb_arena_numbers(arena, size),
                lmb_arena_numbers(arena, size + 1)};
    if (!lmb_arena_fine(arena))
        return NAN;
    double norm = cblas_dnrm2(n, b, 1), left = norm > 0 ? 1 : 0;
    memset(x, 0, size * sizeof *x);
    memcpy(k.V, b, size * sizeof *b);
    cblas_dscal(n, norm > 0 ? 1 / norm : 0, k.V, 1);
    k.g[0] = norm;
    int count = 0;
    for (bool more = true; more && count < n && left > tolerance;) {
        if (!map(user, basis(&k, count), basis(&k, count + 1)))
            return NAN;
        more = extend(&k, count);
        if (!rotate(&k, count))
            break;
        left = fabs(k.g[++count]) / norm;
    }
    combine(&k, count, x);
    return left;
}
