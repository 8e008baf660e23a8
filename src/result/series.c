/* Values of a record at instants and between them. */
#include "result/series.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

double lmb_series_tolerance(const lmb_series *s, int index)
{
    const double *t = s->time;
    double step = 0;
    if (index > 0)
        step = t[index] - t[index - 1];
    if (index + 1 < s->count && (index == 0 || t[index + 1] - t[index] < step))
        step = t[index + 1] - t[index];
    return fmax(1e-9 * step, 4 * DBL_EPSILON * fabs(t[index]));
}

int lmb_series_before(const lmb_series *s, double t)
{
    int low = -1, high = s->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    if (high < s->count && s->time[high] - t <= lmb_series_tolerance(s, high))
        return high;
    return low;
}

int lmb_series_at(const lmb_series *s, double t)
{
    int i = lmb_series_before(s, t);
    return i >= 0 && fabs(s->time[i] - t) <= lmb_series_tolerance(s, i) ? i : -1;
}

bool lmb_series_covers(const lmb_series *s, double t)
{
    int i = lmb_series_before(s, t);
    return i >= 0 && (i + 1 < s->count || lmb_series_at(s, t) >= 0);
}

lmb_status lmb_series_fail_instant(const lmb_series *s, lmb_context *context, double t)
{
    const char *of = lmb_over_symbol(&s->over);
    if (!lmb_series_covers(s, t))
        return lmb_fail(context, LMB_BAD_INPUT,
                        "%s = %.17g is outside the result, which goes from %.17g to %.17g", of, t,
                        s->time[0], s->time[s->count - 1]);
    int i = lmb_series_before(s, t);
    return lmb_fail(context, LMB_BAD_INPUT,
                    "%s = %.17g is not a stored instant; the nearest are %.17g and %.17g", of, t,
                    s->time[i], s->time[i + 1]);
}

void lmb_series_interpolate(const lmb_series *s, double t, double *values)
{
    int i = lmb_series_before(s, t), stored = lmb_series_at(s, t);
    size_t size = (size_t)s->size;
    if (stored >= 0) {
        memcpy(values, s->values + (size_t)stored * size, size * sizeof *values);
        return;
    }
    /* two instants on either side, or the nearest there are at an end of the record */
    int points = s->count < 4 ? s->count : 4;
    int first = i - 1 < 0 ? 0 : i - 1;
    first = first > s->count - points ? s->count - points : first;
    /* an instant that is stored twice is a jump: no smoothing over it */
    bool jump = false;
    for (int a = first; a + 1 < first + points; a++)
        jump = jump || !(s->time[a] < s->time[a + 1]);
    if (jump) {
        first = i;
        points = 2;
    }
    for (size_t k = 0; k < size; k++)
        values[k] = 0;
    for (int a = first; a < first + points; a++) {
        double weight = 1; /* Lagrange's */
        for (int b = first; b < first + points; b++)
            if (b != a)
                weight *= (t - s->time[b]) / (s->time[a] - s->time[b]);
        for (size_t k = 0; k < size; k++)
            values[k] += weight * s->values[(size_t)a * size + k];
    }
}

lmb_status lmb_result_instants(lmb_result *result, lmb_context *context, lmb_arena *arena,
                               int analysis, double step, double **time, int *count)
{
    enum { MOST_INSTANTS = 300, MOST_STEPS = 1000000 };
    const lmb_channel *first = lmb_result_channel(result, analysis, 0);
    if (!first)
        return lmb_fail(context, LMB_BAD_INPUT, "there are no results in the file");
    const char *name =
        lmb_text_format(arena, "%s/%s", lmb_result_analysis_name(result, analysis), first->name);
    lmb_series s;
    lmb_status status = lmb_check_memory(context, arena);
    if (status || (status = lmb_result_read(result, context, name, &s)))
        return status;
    double span = s.count > 1 ? s.time[s.count - 1] - s.time[0] : 0;
    int stride = s.count > MOST_INSTANTS ? (s.count - 2) / (MOST_INSTANTS - 1) + 1 : 1;
    int stored = s.count > 0 ? (s.count - 1) / stride + 1 : 0;
    bool even = step > 0 && span / step < MOST_STEPS && s.count > 0;
    *count = even ? (int)floor(span / step * (1 + 1e-12)) + 1 : stored;
    *time = lmb_arena_numbers(arena, (size_t)*count + 1);
    for (int i = 0; *time && i < *count; i++)
        (*time)[i] = even ? s.time[0] + i * step : s.time[i * stride];
    lmb_series_free(&s);
    return lmb_check_memory(context, arena);
}

bool lmb_series_resample(lmb_series *s, const double *time, int count)
{
    size_t rows = (size_t)count, size = (size_t)s->size;
    double *times = lmb_malloc((rows + 1) * sizeof *times);
    double *values = lmb_malloc((rows * size + 1) * sizeof *values);
    if (!times || !values) {
        free(times);
        free(values);
        return false;
    }
    for (int i = 0; i < count; i++) {
        times[i] = time[i];
        lmb_series_interpolate(s, time[i], values + (size_t)i * size);
    }
    free(s->time);
    free(s->values);
    s->time = times;
    s->values = values;
    s->count = count;
    return true;
}

lmb_status lmb_series_cut(lmb_series *s, lmb_context *context, lmb_span span)
{
    int first = 0, end = s->count;
    while (first < end && !lmb_span_holds((lmb_span){span.from, HUGE_VAL}, s->time[first],
                                          lmb_series_tolerance(s, first)))
        first++;
    while (end > first && !lmb_span_holds((lmb_span){-HUGE_VAL, span.to}, s->time[end - 1],
                                          lmb_series_tolerance(s, end - 1)))
        end--;
    if (first == end && s->count > 0) {
        char text[96];
        lmb_span_text(span, lmb_over_symbol(&s->over), text);
        lmb_fail(context, LMB_BAD_INPUT, "'%s' has no instants %s", s->channel.name, text);
        return lmb_hint(context, "the result goes from %.10g to %.10g", s->time[0],
                        s->time[s->count - 1]);
    }
    size_t size = (size_t)s->size;
    s->count = end - first;
    memmove(s->time, s->time + first, (size_t)s->count * sizeof *s->time);
    memmove(s->values, s->values + (size_t)first * size,
            (size_t)s->count * size * sizeof *s->values);
    return LMB_OK;
}

const char *lmb_over_symbol(const lmb_channel *over)
{
    return strcmp(over->name, "time") == 0 ? "t" : over->name;
}

void lmb_series_free(lmb_series *series)
{
    if (!series)
        return;
    free(series->time);
    free(series->values);
    *series = (lmb_series){0};
}
