/* Complex band matrices. */
#include "math/band.h"

#include <string.h>

#include "math/late.h"

#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex

bool lmb_band_new(lmb_band *out, lmb_arena *arena, int n, int width)
{
    *out = (lmb_band){n, width, NULL};
    out->a = lmb_arena_alloc(arena, (size_t)n * (size_t)(2 * width + 1) + 1, sizeof *out->a);
    return out->a != NULL;
}

static size_t size_of(const lmb_band *b)
{
    return (size_t)b->n * (size_t)(2 * b->width + 1);
}

lmb_complex *lmb_band_at(const lmb_band *b, int i, int j)
{
    return &b->a[(size_t)j * (size_t)(2 * b->width + 1) + (size_t)(i - j + b->width)];
}

void lmb_band_copy(lmb_band *a, const lmb_band *b)
{
    memcpy(a->a, b->a, size_of(a) * sizeof *a->a);
}

void lmb_band_symmetrise(lmb_band *a)
{
    for (int i = 0; i < a->n; i++)
        for (int j = i; j < a->n && j <= i + a->width; j++) {
            lmb_complex *upper = lmb_band_at(a, i, j), *lower = lmb_band_at(a, j, i);
            *upper = (*upper + conj(*lower)) / 2;
            *lower = conj(*upper);
        }
}

void lmb_band_sum(lmb_band *a, lmb_complex factor, const lmb_band *b)
{
    cblas_zaxpy((int)size_of(a), &factor, b->a, 1, a->a, 1);
}

void lmb_band_multiply(const lmb_band *b, const lmb_complex *x, lmb_complex *y)
{
    const lmb_complex one = 1, zero = 0;
    cblas_zgbmv(CblasColMajor, CblasNoTrans, b->n, b->n, b->width, b->width, &one, b->a,
                2 * b->width + 1, x, 1, &zero, y, 1);
}

/* With room above for what row exchanges fill in. */
bool lmb_band_factor_new(lmb_band_factor *out, lmb_arena *arena, int n, int width)
{
    *out = (lmb_band_factor){.n = n, .width = width};
    out->lu = lmb_arena_alloc(arena, (size_t)n * (size_t)(3 * width + 1) + 1, sizeof *out->lu);
    out->pivots = lmb_arena_integers(arena, (size_t)n + 1);
    return out->lu && out->pivots;
}

bool lmb_band_factorise(lmb_band_factor *f, const lmb_band *b)
{
    int n = f->n, w = f->width, rows = 3 * w + 1;
    memset(f->lu, 0, (size_t)n * (size_t)rows * sizeof *f->lu);
    for (int j = 0; j < n; j++)
        memcpy(f->lu + (size_t)j * (size_t)rows + w, b->a + (size_t)j * (size_t)(2 * w + 1),
               (size_t)(2 * w + 1) * sizeof *f->lu);
    return n == 0 || LAPACKE_zgbtrf_work(LAPACK_COL_MAJOR, n, n, w, w, f->lu, rows, f->pivots) == 0;
}

void lmb_band_solve(const lmb_band_factor *f, lmb_complex *b)
{
    if (f->n > 0)
        LAPACKE_zgbtrs_work(LAPACK_COL_MAJOR, 'N', f->n, f->width, f->width, 1, f->lu,
                            3 * f->width + 1, f->pivots, b, f->n);
}
