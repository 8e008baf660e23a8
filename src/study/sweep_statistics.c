/* What the samples of a sweep say of its objectives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/dense.h"
#include "study/sweep.h"

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number that a part p of sorted ones is below, between two by a line. */
static double quantile(const double *sorted, int count, double p)
{
    double at = p * (count - 1);
    int i = (int)at;
    return i + 1 < count ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

/* Mean, deviation and their errors by chance of sorted numbers. */
static void find_scatter(lmb_scatter *s, const double *sorted, int count)
{
    double n = count, square = 0, fourth = 0;
    *s = (lmb_scatter){.count = count};
    for (int i = 0; i < count; i++)
        s->mean += sorted[i] / n;
    for (int i = 0; i < count; i++) {
        double d = sorted[i] - s->mean;
        square += d * d;
        fourth += d * d * d * d / n;
    }
    double variance = count > 1 ? square / (n - 1) : 0;
    s->deviation = sqrt(variance);
    s->mean_error = s->deviation / sqrt(n);
    double of_variance = count > 3 ? (fourth - variance * variance * (n - 3) / (n - 1)) / n : 0;
    s->deviation_error = s->deviation > 0 ? sqrt(fmax(of_variance, 0)) / (2 * s->deviation) : 0;
    s->least = sorted[0];
    s->largest = sorted[count - 1];
    s->median = quantile(sorted, count, 0.5);
    s->low = quantile(sorted, count, 0.025);
    s->high = quantile(sorted, count, 0.975);
}

/* A sample as one variable and one objective see it. */
typedef struct pair {
    double x, value;
} pair;

/* The means of an objective over samples with the same value of a variable: the least and the
 * largest of them. There is room for as many pairs as samples. */
static void find_levels(const lmb_swept *s, int objective, int v, pair *pairs, lmb_main_effect *out)
{
    size_t n = (size_t)s->variable_count, m = (size_t)s->objective_count;
    int count = 0;
    *out = (lmb_main_effect){.low = INFINITY, .high = -INFINITY, .slope = NAN};
    for (int k = 0; k < s->count; k++) {
        double value = s->values[(size_t)k * m + (size_t)objective];
        if (!isnan(value))
            pairs[count++] = (pair){s->x[(size_t)k * n + (size_t)v], value};
    }
    qsort(pairs, (size_t)count, sizeof *pairs, compare); /* by x, which comes first */
    for (int k = 0; k < count;) {
        double level = pairs[k].x, sum = 0;
        int first = k;
        for (; k < count && pairs[k].x == level; k++)
            sum += pairs[k].value;
        double mean = sum / (k - first);
        if (mean < out->low) {
            out->low = mean;
            out->at_low = level;
        }
        if (mean > out->high) {
            out->high = mean;
            out->at_high = level;
        }
    }
}

/* The mean and deviation of a variable over the samples that did not fail. */
static void find_spread(const lmb_swept *s, int objective, int v, double *mean, double *deviation)
{
    size_t n = (size_t)s->variable_count, m = (size_t)s->objective_count;
    double sum = 0, square = 0;
    int count = 0;
    for (int k = 0; k < s->count; k++)
        if (!isnan(s->values[(size_t)k * m + (size_t)objective])) {
            sum += s->x[(size_t)k * n + (size_t)v];
            count++;
        }
    *mean = sum / count;
    for (int k = 0; k < s->count; k++)
        if (!isnan(s->values[(size_t)k * m + (size_t)objective]))
            square += pow(s->x[(size_t)k * n + (size_t)v] - *mean, 2);
    *deviation = count > 1 ? sqrt(square / (count - 1)) : 0;
}

/* A line through all samples, over variables in parts of their deviations; the effects are those of
 * one deviation to either side. False: the samples do not tell them. */
static bool find_regression(const lmb_swept *s, int objective, lmb_main_effect *out)
{
    int n = s->variable_count;
    double mean[LMB_MOST_VARIABLES], deviation[LMB_MOST_VARIABLES], b[LMB_MOST_VARIABLES];
    double *a = lmb_calloc((size_t)n * (size_t)n + 1, sizeof *a);
    double level = s->scatters[objective].mean;
    memset(b, 0, sizeof b);
    for (int i = 0; i < n; i++)
        find_spread(s, objective, i, &mean[i], &deviation[i]);
    for (int k = 0; a && k < s->count; k++) {
        double value = s->values[(size_t)k * (size_t)s->objective_count + (size_t)objective];
        const double *x = s->x + (size_t)k * (size_t)n;
        if (isnan(value))
            continue;
        for (int i = 0; i < n; i++) {
            double u = deviation[i] > 0 ? (x[i] - mean[i]) / deviation[i] : 0;
            b[i] += u * (value - level);
            for (int j = 0; j < n; j++)
                a[j * n + i] += u * (deviation[j] > 0 ? (x[j] - mean[j]) / deviation[j] : 0);
        }
    }
    bool solved = a && s->scatters[objective].count > n + 1 && lmb_dense_solve(n, a, 1, b);
    for (int i = 0; i < n; i++)
        out[i] = (lmb_main_effect){.low = solved ? level - b[i] : NAN,
                                   .high = solved ? level + b[i] : NAN,
                                   .at_low = mean[i] - deviation[i],
                                   .at_high = mean[i] + deviation[i],
                                   .slope = solved && deviation[i] > 0 ? b[i] / deviation[i] : NAN};
    free(a);
    return solved;
}

lmb_status lmb_swept_statistics(lmb_swept *s, lmb_context *context)
{
    size_t m = (size_t)s->objective_count, n = (size_t)s->variable_count;
    s->scatters = lmb_arena_alloc(s->arena, m, sizeof *s->scatters);
    s->effects = lmb_arena_alloc(s->arena, m * n, sizeof *s->effects);
    double *sorted = lmb_arena_numbers(s->arena, (size_t)s->count);
    pair *pairs = lmb_arena_alloc(s->arena, (size_t)s->count, sizeof *pairs);
    if (!lmb_arena_fine(s->arena))
        return lmb_fail_memory(context);
    for (int i = 0; i < s->objective_count; i++) {
        int count = 0;
        for (int k = 0; k < s->count; k++)
            if (!isnan(s->values[(size_t)k * m + (size_t)i]))
                sorted[count++] = s->values[(size_t)k * m + (size_t)i];
        qsort(sorted, (size_t)count, sizeof *sorted, compare);
        find_scatter(&s->scatters[i], sorted, count);
        lmb_main_effect *effects = s->effects + (size_t)i * n;
        for (int v = 0; s->listed && v < s->variable_count; v++)
            find_levels(s, i, v, pairs, &effects[v]);
        if (!s->listed)
            find_regression(s, i, effects);
    }
    return LMB_OK;
}
