/* Results and tables as one thing to compare with; see counterpart.h. */
#include "compare/counterpart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "store/h5.h"
#include "measure/unit_text.h"
#include "result/read.h"

struct lmb_counterpart {
    lmb_context *context;
    lmb_arena *arena;
    const char *path;
    double shift;
    lmb_result *result; /* NULL for a table */
    bool borrowed;      /* it is somebody else's */
    lmb_measurement table;
    lmb_column_matches matches;
    bool timed;    /* the channels of the result are over time */
    double *times; /* of the rows; or what the channels are over instead */
};

/* --- tables ----------------------------------------------------------------------------------- */

/* The values of a column in a unit, with a warning where they cannot be made that. */
static lmb_ratio ratio_of(const lmb_counterpart *c, int column, const char *unit)
{
    lmb_ratio ratio;
    const char *own = c->table.table.units[column];
    if (!lmb_unit_convert(own, unit, &ratio))
        lmb_warn(c->context,
                 "the column '%s' of '%s' is in %s, the channel %s%s: its numbers are taken as "
                 "they are",
                 c->table.table.names[column], c->path, own, unit[0] ? "in " : "without a unit",
                 unit);
    return ratio;
}

/* Makes times grow that stand still for lack of digits; fails where they do not grow. Single
 * instants may be there twice, as at a jump. */
static lmb_status check_growth(const lmb_counterpart *c, const char *what)
{
    size_t rows = (size_t)c->table.table.rows, wrong = 0;
    double *t = c->times;
    lmb_instants in = {0};
    bool still = false;
    for (size_t i = 1; i < rows && !wrong; i++) {
        still = still || t[i] == t[i - 1];
        if (!(t[i] >= t[i - 1]) || (i > 1 && t[i] == t[i - 2]))
            wrong = i;
    }
    if (still && !lmb_instants_look(rows, t, true, &in))
        return lmb_fail_memory(c->context);
    if (still && !in.back && in.even && in.gaps == 0 && in.rate * in.quantum > 1.2) {
        lmb_warn(c->context,
                 "the times of '%s' are written to %g s: a rate of %g Hz follows from the first "
                 "and the last; --rate is better",
                 c->path, in.quantum, in.rate);
        for (size_t i = 1; i < rows; i++)
            t[i] = t[0] + (double)i / in.rate;
        return LMB_OK;
    }
    if (!wrong)
        return LMB_OK;
    lmb_fail(c->context, LMB_BAD_INPUT, "the %ss of '%s' do not grow: %g comes after %g", what,
             c->path, t[wrong], t[wrong - 1]);
    return lmb_hint(c->context, "its column '%s' is taken as the %s%s",
                    c->table.table.names[c->table.times], what,
                    c->timed ? "; if it was sampled evenly all the same, give the --rate" : "");
}

/* Reads the times, or what the channels are over instead. */
static lmb_status read_times(lmb_counterpart *c, const lmb_channel *over)
{
    lmb_measurement *m = &c->table;
    lmb_status status = LMB_OK;
    c->timed = strcmp(over->name, "time") == 0;
    if (c->timed) {
        status = lmb_measurement_times(m, &c->times);
        if (status && m->times < 0 && !(m->rate > 0))
            lmb_hint(c->context,
                     "name it, as in --column \"%s=time\", or give the sampling rate in Hz: --rate",
                     m->table.names[0]);
    } else if (m->rate > 0) {
        status = lmb_fail(c->context, LMB_USAGE, "the result is over %s: --rate is for times",
                          over->name);
    } else {
        lmb_ratio r = ratio_of(c, m->times, over->unit);
        c->times = lmb_measurement_values(m, m->times, r.over / r.under);
        status = c->times ? LMB_OK : lmb_fail_memory(c->context);
    }
    return status ? status : check_growth(c, over->name);
}

static lmb_status open_table(lmb_counterpart *c, const lmb_result *result,
                             const lmb_compare_with *with)
{
    const lmb_channel *over = lmb_result_over(result, lmb_result_analysis_count(result) - 1);
    if (!over)
        return lmb_fail(c->context, LMB_BAD_INPUT,
                        "the result has no analysis to compare '%s' with", c->path);
    lmb_status status =
        lmb_measurement_read(c->context, c->arena, c->path, with->rate, with->comma, &c->table);
    if (!status)
        status = lmb_match_columns(result, &c->table, with->columns, &c->matches);
    return status ? status : read_times(c, over);
}

/* Says what a column does not have. */
static lmb_status look_at_gaps(const lmb_counterpart *c, int column, const lmb_series *s,
                               double *gap)
{
    const char *name = c->table.table.names[column];
    lmb_instants in = {.longest_step = INFINITY};
    if (s->count < c->table.table.rows)
        lmb_warn(c->context, "the column '%s' of '%s' has no value in %d of %d rows", name, c->path,
                 c->table.table.rows - s->count, c->table.table.rows);
    if (c->timed && s->count > 1 && !lmb_instants_look((size_t)s->count, s->time, true, &in))
        return lmb_fail_memory(c->context);
    *gap = in.longest_step;
    char gaps[60] = "a gap";
    if (in.gaps > 1)
        lmb_snprintf(gaps, sizeof gaps, "%zu gaps, the longest", in.gaps);
    if (in.gaps > 0)
        lmb_warn(c->context,
                 "the column '%s' of '%s' has %s of %g s after t = %g s: nothing is compared there",
                 name, c->path, gaps, in.gap, in.gap_at);
    return LMB_OK;
}

/* The record of a column, without the rows that have no value. */
static lmb_status read_column(const lmb_counterpart *c, const lmb_column_match *match,
                              lmb_series *out, double *gap)
{
    const lmb_logger_table *t = &c->table.table;
    size_t rows = (size_t)t->rows;
    lmb_ratio ratio = ratio_of(c, match->column, match->unit);
    out->size = 1;
    out->time = lmb_malloc((rows + 1) * sizeof *out->time);
    out->values = lmb_malloc((rows + 1) * sizeof *out->values);
    if (!out->time || !out->values)
        return lmb_fail_memory(c->context);
    for (size_t i = 0; i < rows; i++) {
        double value = lmb_measurement_value(&c->table, (int)i, match->column);
        if (isnan(value) || isnan(c->times[i]))
            continue;
        out->time[out->count] = c->times[i] + c->shift;
        out->values[out->count++] = value * ratio.over / ratio.under;
    }
    return look_at_gaps(c, match->column, out, gap);
}

/* --- both ------------------------------------------------------------------------------------- */

lmb_status lmb_counterpart_open(lmb_counterpart **out, lmb_context *context,
                                const lmb_result *result, const lmb_compare_with *with)
{
    lmb_arena *arena;
    lmb_counterpart *c = lmb_arena_object(&arena, sizeof *c);
    lmb_status status;
    *out = NULL;
    if (!c)
        return lmb_fail_memory(context);
    const char *path = with->result ? lmb_result_path(with->result) : with->path;
    *c = (lmb_counterpart){context, arena, path, with->shift, .times = NULL};
    c->borrowed = with->result != NULL;
    if (!with->result && !lmb_h5_signature(with->path))
        status = open_table(c, result, with);
    else if (with->rate > 0 || with->comma || (with->columns && with->columns[0]))
        status = lmb_fail(context, LMB_USAGE,
                          "'%s' is a result: --rate, --column and --decimal-comma are for tables",
                          c->path);
    else if ((c->result = with->result))
        status = LMB_OK;
    else
        status = lmb_result_open(&c->result, context, c->path);
    if (status)
        lmb_counterpart_close(c);
    else
        *out = c;
    return status;
}

void lmb_counterpart_close(lmb_counterpart *c)
{
    if (!c)
        return;
    if (!c->borrowed)
        lmb_result_close(c->result);
    lmb_arena_free(c->arena);
}

bool lmb_counterpart_is_table(const lmb_counterpart *c)
{
    return !c->result;
}

lmb_result *lmb_counterpart_result(const lmb_counterpart *c)
{
    return c->result;
}

int lmb_counterpart_count(const lmb_counterpart *c)
{
    if (!c->result)
        return c->matches.count;
    return lmb_result_channel_count(c->result, lmb_result_analysis_count(c->result) - 1);
}

const char *lmb_counterpart_name(const lmb_counterpart *c, int index)
{
    if (!c->result)
        return c->matches.list[index].name;
    return lmb_result_channel(c->result, lmb_result_analysis_count(c->result) - 1, index)->name;
}

bool lmb_counterpart_report_unmatched(const lmb_counterpart *c)
{
    return lmb_report_unmatched(&c->table, &c->matches);
}

/* The index of a name, or -1. */
static int find(const lmb_counterpart *c, const char *name)
{
    for (int i = 0; i < lmb_counterpart_count(c); i++)
        if (strcmp(lmb_counterpart_name(c, i), name) == 0)
            return i;
    return -1;
}

bool lmb_counterpart_has(const lmb_counterpart *c, const char *name)
{
    return find(c, name) >= 0;
}

static lmb_status fail_name(const lmb_counterpart *c, const char *name)
{
    lmb_nearest near = lmb_nearest_start(name);
    for (int i = 0; i < lmb_counterpart_count(c); i++)
        lmb_nearest_try(&near, lmb_counterpart_name(c, i));
    lmb_fail(c->context, LMB_BAD_INPUT, "'%s' has no column '%s'", c->path, name);
    if (near.best)
        lmb_nearest_hint(c->context, &near);
    else if (c->matches.unmatched_count > 0)
        lmb_hint(c->context, "say which it is, as in --column \"%s=%s\"",
                 c->table.table.names[c->matches.unmatched[0]], name);
    return LMB_BAD_INPUT;
}

lmb_status lmb_counterpart_read(lmb_counterpart *c, const char *name, lmb_series *out, double *gap)
{
    *out = (lmb_series){0};
    *gap = INFINITY;
    lmb_status status;
    int index = c->result ? -1 : find(c, name);
    if (c->result) {
        status = lmb_result_read(c->result, c->context, name, out);
        for (int i = 0; i < out->count; i++)
            out->time[i] += c->shift;
    } else if (index < 0) {
        status = fail_name(c, name);
    } else {
        status = read_column(c, &c->matches.list[index], out, gap);
    }
    if (status)
        lmb_series_free(out);
    return status;
}

/* --- differences ------------------------------------------------------------------------------ */

/* The distance of two numbers; equal infinities and two missing numbers are equal. */
static double distance(double x, double y)
{
    if (x == y || (isnan(x) && isnan(y)))
        return 0;
    double d = fabs(x - y);
    return isnan(d) ? INFINITY : d;
}

static bool same_instants(const lmb_series *a, const lmb_series *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!(fabs(a->time[i] - b->time[i]) <= lmb_series_tolerance(a, i)))
            return false;
    return true;
}

/* Whether a record has values at a time, or so near to it that they can be interpolated. */
static bool knows(const lmb_series *s, double t, double gap)
{
    if (!lmb_series_covers(s, t))
        return false;
    int i = lmb_series_before(s, t);
    return lmb_series_at(s, t) >= 0 || s->time[i + 1] - s->time[i] <= gap;
}

/* Compares two records of the same size, at the instants of the first that the second covers. Steps
 * of the second longer than `gap` are not interpolated. `row` has room for the values of an
 * instant. */
static lmb_deviation deviation_of(const lmb_series *a, const lmb_series *b, double gap, double *row)
{
    lmb_deviation d = {.largest = -1, .interpolated = !same_instants(a, b)};
    double sum = 0;
    for (int i = 0; i < a->count; i++) {
        double t = a->time[i];
        const double *x = a->values + (size_t)i * (size_t)a->size, *y = row;
        if (!d.interpolated)
            y = b->values + (size_t)i * (size_t)b->size;
        else if (knows(b, t, gap))
            lmb_series_interpolate(b, t, row);
        else
            continue;
        d.from = d.compared++ == 0 ? t : d.from;
        d.to = t;
        for (int k = 0; k < a->size; k++) {
            double own = distance(x[k], y[k]);
            sum += own * own;
            if (own > d.largest) {
                d.largest = own;
                d.at = t;
            }
        }
    }
    d.largest = fmax(d.largest, 0);
    if (d.compared)
        d.rms = sqrt(sum / ((double)d.compared * (double)(a->size > 0 ? a->size : 1)));
    return d;
}

lmb_status lmb_counterpart_compare(const lmb_counterpart *c, const char *name,
                                   const lmb_series *own, const lmb_series *other, double gap,
                                   lmb_deviation *out)
{
    /* a table has no such name: it is over the same by now */
    if (other->over.name && strcmp(own->over.name, other->over.name) != 0)
        return lmb_fail(c->context, LMB_BAD_INPUT,
                        "'%s' is over %s in one result and over %s in the other", name,
                        own->over.name, other->over.name);
    double *row = lmb_arena_numbers(c->arena, (size_t)own->size + 1);
    if (!row)
        return lmb_fail_memory(c->context);
    *out = deviation_of(own, other, gap, row);
    if (out->compared > 0 || (own->count == 0 && other->count == 0))
        return LMB_OK;
    lmb_fail(c->context, LMB_BAD_INPUT, "the two files have no %s of '%s' in common",
             own->over.name, name);
    if (own->count == 0 || other->count == 0)
        return LMB_BAD_INPUT;
    char shift[80] = "";
    if (strcmp(own->over.name, "time") == 0)
        lmb_snprintf(shift, sizeof shift, "; they begin together with --shift %.10g",
                     c->shift + own->time[0] - other->time[0]);
    lmb_hint(c->context, "'%s' goes from %.10g to %.10g, the result from %.10g to %.10g%s", c->path,
             other->time[0], other->time[other->count - 1], own->time[0], own->time[own->count - 1],
             shift);
    return LMB_BAD_INPUT;
}

bool lmb_result_has(const lmb_result *r, const char *name)
{
    int last = lmb_result_analysis_count(r) - 1;
    for (int i = 0; i < lmb_result_channel_count(r, last); i++) {
        const lmb_channel *channel = lmb_result_channel(r, last, i);
        size_t length = strlen(channel->name);
        char text[16];
        bool same = strncmp(channel->name, name, length) == 0;
        if (same && !name[length])
            return true;
        for (int k = 0; same && channel->size > 1 && k < channel->size; k++)
            if (strcmp(lmb_component_name(channel, k, text), name + length) == 0)
                return true;
    }
    return false;
}
