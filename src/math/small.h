/* Products of small matrices by columns, with the sizes that bodies have spelled out, so that the
 * compiler unrolls them. */
#ifndef LMB_MATH_SMALL_H
#define LMB_MATH_SMALL_H

/* A function with loops that are worth compiling for processors with wide registers, too; the one
 * that suits the machine is chosen when the program starts. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define LMB_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LMB_WIDE
#endif

/* A piece of such a function: compiled with it, for its processors and its sizes. */
#define LMB_PIECE static inline __attribute__((always_inline))

/* Four numbers side by side, at any address. */
typedef double lmb_four __attribute__((vector_size(32), aligned(8), may_alias));

/* A function that reads what was just written number by number: several at a time would have to
 * wait until all of them are in memory. */
#if defined(__GNUC__) && !defined(__clang__)
#define LMB_NARROW __attribute__((optimize("no-tree-vectorize")))
#else
#define LMB_NARROW
#endif

static inline void lmb_small_multiply_n(const double *A, const double *x, int n, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = A[i] * x[0];
    for (int j = 1; j < n; j++)
        for (int i = 0; i < n; i++)
            out[i] += A[j * n + i] * x[j];
}

/* The same, four columns at a time. */
static inline void lmb_long_multiply(const double *A, const double *x, int n, double *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0;
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        const double *a = A + j * n, *b = a + n, *c = b + n, *d = c + n;
        for (int i = 0; i < n; i++)
            out[i] += a[i] * x[j] + b[i] * x[j + 1] + c[i] * x[j + 2] + d[i] * x[j + 3];
    }
    for (; j < n; j++)
        for (int i = 0; i < n; i++)
            out[i] += A[j * n + i] * x[j];
}

/* out = A x, n x n; out must not be x. */
static inline void lmb_small_multiply(const double *A, const double *x, int n, double *out)
{
    if (n == 6)
        lmb_small_multiply_n(A, x, 6, out);
    else if (n == 3)
        lmb_small_multiply_n(A, x, 3, out);
    else
        lmb_long_multiply(A, x, n, out);
}

/* out = A x with the first columns of a larger matrix, n x count. */
static inline void lmb_part_multiply(const double *A, const double *x, int n, int count,
                                     double *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = 0;
    for (int j = 0; j < count; j++)
        for (int i = 0; i < n; i++)
            out[i] += A[j * n + i] * x[j];
}

/* x . y, of any size. */
static inline double lmb_dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The same in four sums side by side, which do not wait for each other. */
static inline double lmb_long_dot(const double *x, const double *y, int n)
{
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += x[i + k] * y[i + k];
    for (; i < n; i++)
        sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline double lmb_small_dot(const double *x, const double *y, int n)
{
    return n == 6 ? lmb_dot(x, y, 6) : n == 3 ? lmb_dot(x, y, 3) : lmb_long_dot(x, y, n);
}

static inline void lmb_small_add_n(double *x, double s, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += s * y[i];
}

/* x += s y */
static inline void lmb_small_add(double *x, double s, const double *y, int n)
{
    if (n == 6)
        lmb_small_add_n(x, s, y, 6);
    else if (n == 3)
        lmb_small_add_n(x, s, y, 3);
    else
        lmb_small_add_n(x, s, y, n);
}

#endif
