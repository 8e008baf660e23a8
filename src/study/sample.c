/* Samples of the variables of a study. */
#include "study/sample.h"

#include <math.h>

/* --- numbers that look random ----------------------------------------------------------------- */

/* Mixes the bits of a number (the finaliser of splitmix64): each of them changes half of those of
 * the result. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t draw(uint64_t seed, uint64_t sample, uint64_t variable)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    uint64_t z = mix(seed + golden);
    z = mix((z ^ variable) + golden);
    return mix((z ^ sample) + golden);
}

double lmb_sample_uniform(uint64_t seed, uint64_t sample, uint64_t variable)
{
    return ((double)(draw(seed, sample, variable) >> 12) + 0.5) * 0x1p-52; /* exact: not 1 */
}

/* A permutation of the numbers below a power of two, by steps that can each be undone; those that
 * are too large are sent through it again (cycle walking). */
uint64_t lmb_sample_permuted(uint64_t seed, uint64_t sample, uint64_t variable, uint64_t count)
{
    enum { ROUNDS = 4 };
    int bits = 1;
    while (bits < 63 && (UINT64_C(1) << bits) < count)
        bits++;
    uint64_t mask = (UINT64_C(1) << bits) - 1, z = sample;
    int half = (bits + 1) / 2;
    do
        for (uint64_t i = 0; i < ROUNDS; i++) {
            uint64_t key = draw(seed, i, ~variable);
            z = (z + key) & mask;
            z = (z * ((key >> 20) | 1)) & mask;
            z ^= (z >> half);
        }
    while (z >= count);
    return z;
}

/* --- distributions ---------------------------------------------------------------------------- */

/* Newton's method for ln Q(x) = ln p, where a part p <= 1/2 of all is above x; ln Q is concave, so
 * that it converges from any start. */
static double upper_quantile(double p)
{
    double x = p < 0.4 ? sqrt(-2 * log(2 * p)) : 1.2533141373155003 * (1 - 2 * p);
    for (int i = 0; i < 50; i++) {
        double above = 0.5 * erfc(x * 0.7071067811865476),
               density = exp(-x * x / 2) * 0.3989422804014327;
        double step = log(above / p) * above / density;
        x += step;
        if (fabs(step) <= 1e-15 * fabs(x))
            break;
    }
    return x;
}

double lmb_normal_quantile(double p)
{
    return p == 0.5 ? 0 : p < 0.5 ? -upper_quantile(p) : upper_quantile(1 - p);
}

static double triangular_quantile(const double *a, double p)
{
    double width = a[2] - a[0], rise = (a[1] - a[0]) / width;
    return p < rise ? a[0] + sqrt(p * width * (a[1] - a[0]))
                    : a[2] - sqrt((1 - p) * width * (a[2] - a[1]));
}

double lmb_variable_quantile(const lmb_variable *v, double p)
{
    const double *a = v->numbers;
    switch (v->kind) {
    case LMB_VARIABLE_NORMAL:
        return a[0] + a[1] * lmb_normal_quantile(p);
    case LMB_VARIABLE_LOGNORMAL:
        return a[0] * exp(a[1] * lmb_normal_quantile(p));
    case LMB_VARIABLE_TRIANGULAR:
        return triangular_quantile(a, p);
    case LMB_VARIABLE_CHOICES:
        return a[(int)fmin(p * v->count, v->count - 1)];
    case LMB_VARIABLE_RANGE:
    case LMB_VARIABLE_UNIFORM:
        return a[0] + p * (a[1] - a[0]);
    case LMB_VARIABLE_FREE:
        break;
    }
    return NAN;
}

double lmb_variable_mean(const lmb_variable *v)
{
    const double *a = v->numbers;
    return v->kind == LMB_VARIABLE_NORMAL       ? a[0]
           : v->kind == LMB_VARIABLE_LOGNORMAL  ? a[0] * exp(a[1] * a[1] / 2)
           : v->kind == LMB_VARIABLE_TRIANGULAR ? (a[0] + a[1] + a[2]) / 3
                                                : (a[0] + a[1]) / 2;
}

double lmb_variable_deviation(const lmb_variable *v)
{
    const double *a = v->numbers;
    double s = v->kind == LMB_VARIABLE_LOGNORMAL ? a[1] * a[1] : 0;
    return v->kind == LMB_VARIABLE_NORMAL       ? a[1]
           : v->kind == LMB_VARIABLE_LOGNORMAL  ? a[0] * sqrt(expm1(s)) * exp(s / 2)
           : v->kind == LMB_VARIABLE_TRIANGULAR ? sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2] -
                                                        a[0] * a[1] - a[0] * a[2] - a[1] * a[2]) /
                                                       18)
                                                : (a[1] - a[0]) / sqrt(12);
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Point number i of a grid or list. */
static double listed(const lmb_variable *v, int i)
{
    const double *a = v->numbers;
    if (v->kind == LMB_VARIABLE_CHOICES)
        return a[i];
    return i + 1 == v->count ? a[1] : a[0] + (a[1] - a[0]) * i / (v->count - 1);
}

double lmb_sample_count(const lmb_study *s)
{
    double count = 1;
    if (s->sampling >= LMB_SAMPLE_LATIN)
        return s->samples;
    if (s->sampling == LMB_SAMPLE_LIST)
        return s->variables[0].count;
    for (int i = 0; i < s->variable_count; i++)
        count *= s->variables[i].count;
    return count;
}

void lmb_sample(const lmb_study *s, int k, double *x)
{
    int rest = k;
    for (int i = s->variable_count - 1; i >= 0; i--) {
        const lmb_variable *v = &s->variables[i];
        uint64_t sample = (uint64_t)k, variable = (uint64_t)i;
        if (s->sampling == LMB_SAMPLE_GRID) { /* the last variable runs fastest */
            x[i] = listed(v, rest % v->count);
            rest /= v->count;
        } else if (s->sampling == LMB_SAMPLE_LIST) {
            x[i] = listed(v, k);
        } else {
            double u = lmb_sample_uniform(s->seed, sample, variable);
            uint64_t n = (uint64_t)s->samples;
            if (s->sampling == LMB_SAMPLE_LATIN)
                u = fmin(((double)lmb_sample_permuted(s->seed, sample, variable, n) + u) /
                             (double)n,
                         1 - 0x1p-53); /* not rounded to 1, where quantiles are infinite */
            x[i] = lmb_variable_quantile(v, u);
        }
    }
}

void lmb_sample_box(unsigned seed, int k, int count, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = ((double)lmb_sample_permuted(seed, (uint64_t)k, (uint64_t)i, (uint64_t)count) +
                lmb_sample_uniform(seed, (uint64_t)k, (uint64_t)i)) /
               count;
}
