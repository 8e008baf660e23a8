/* Reading records of vibrations for limber spectrum: tables of loggers, sound files, results. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/options.h"
#include "cli/spectrum.h"
#include "io/h5.h"
#include "io/logger.h"
#include "io/series.h"
#include "io/wav.h"
#include "math/instants.h"

/* Who asks, and for what. */
typedef struct request {
    const lmb_arguments *arguments;
    lmb_context *context;
    lmb_arena *arena;
    const char *column, *other; /* words, or NULL */
    double rate;                /* --rate, or 0 */
    bool result;                /* steps of a result may differ: there are no gaps in it */
} request;

/* --- columns ---------------------------------------------------------------------------------- */

static bool same_letters(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* The column of a name or number (from 1): "acc" or "acc [g]". */
static lmb_status find_column(const request *q, const lmb_logger_table *t, const char *word,
                              int *column)
{
    char *end;
    long number = strtol(word, &end, 10);
    lmb_nearest near = lmb_nearest_start(word);
    const char *all = "";
    for (int exact = 1; exact >= 0; exact--)
        for (int i = 0; t->names && i < t->columns; i++) {
            const char *name = t->names[i];
            const char *full = lmb_text_format(q->arena, "%s [%s]", name, t->units[i]);
            const char *round = lmb_text_format(q->arena, "%s (%s)", name, t->units[i]);
            bool is = exact ? strcmp(name, word) == 0 || (full && strcmp(full, word) == 0) ||
                                  (round && strcmp(round, word) == 0)
                            : same_letters(name, word);
            if (is) {
                *column = i;
                return LMB_OK;
            }
            lmb_nearest_try(&near, name);
            if (exact && all && name[0] && strlen(all) < 400)
                all = lmb_text_format(q->arena, "%s%s%s", all, *all ? ", " : "", name);
        }
    if (*word && !*end && number >= 1 && number <= t->columns) {
        *column = (int)number - 1;
        return LMB_OK;
    }
    lmb_fail(q->context, LMB_BAD_INPUT, "there is no column '%s' among %d", word, t->columns);
    if (near.best)
        lmb_nearest_hint(q->context, &near);
    else if (all && *all)
        lmb_hint(q->context, "there are: %s", all);
    return LMB_BAD_INPUT;
}

static double *copy_column(lmb_arena *arena, const lmb_logger_table *t, int column, double factor)
{
    double *x = lmb_arena_numbers(arena, (size_t)t->rows + 1);
    for (size_t i = 0; x && i < (size_t)t->rows; i++)
        x[i] = factor * t->values[i * (size_t)t->columns + (size_t)column];
    return x;
}

/* Fills in single values that are missing, by straight lines; many are too many. */
static lmb_status fill_in(const request *q, const char *path, const char *name, size_t n, double *x)
{
    size_t missing = 0, run = 0, longest = 0;
    for (size_t i = 0; i < n; i++) {
        run = isnan(x[i]) ? run + 1 : 0;
        missing += isnan(x[i]);
        longest = run > longest ? run : longest;
    }
    if (missing == n)
        return lmb_fail(q->context, LMB_BAD_INPUT, "column '%s' of '%s' is not of numbers", name,
                        path);
    if (missing > n / 50 || longest > 10) {
        lmb_fail(q->context, LMB_BAD_INPUT,
                 "column '%s' of '%s' has no value in %zu of %zu rows, up to %zu one after the "
                 "other",
                 name, path, missing, n, longest);
        lmb_hint(q->context, "cut the file to a piece without such rows");
        return LMB_BAD_INPUT;
    }
    if (missing > 0)
        lmb_warn(q->context, "column '%s' of '%s' has no value in %zu rows: interpolated", name,
                 path, missing);
    size_t last = n; /* of the values that are there; none yet */
    for (size_t i = 0; i < n && missing > 0; i++) {
        if (isnan(x[i]))
            continue;
        for (size_t k = last == n ? 0 : last + 1; k < i; k++)
            x[k] = last == n ? x[i]
                             : x[last] + (x[i] - x[last]) * (double)(k - last) / (double)(i - last);
        last = i;
    }
    for (size_t k = last + 1; k < n; k++)
        x[k] = x[last];
    return LMB_OK;
}

/* --- times ------------------------------------------------------------------------------------ */

/* Looks at the times, and says what is wrong with them. */
static lmb_status look_at_times(const request *q, const char *path, size_t n, const double *times,
                                lmb_instants *out)
{
    if (!lmb_instants_look(n, times, !q->result, out))
        return lmb_fail_memory(q->context);
    if (out->back) {
        lmb_fail(q->context, LMB_BAD_INPUT, "the times of '%s' do not grow, at row %zu", path,
                 out->back + 1);
        lmb_hint(q->context, "if it was sampled evenly all the same, give the --rate");
        return LMB_BAD_INPUT;
    }
    double span = (double)(out->count - 1) / out->rate;
    if (!(span > 0) || (out->even && out->scatter > 0.1 && span < 20 * out->quantum)) {
        lmb_fail(q->context, LMB_BAD_INPUT, "the times of '%s' are too coarse for a sampling rate",
                 path);
        lmb_hint(q->context, "give it in Hz: --rate");
        return LMB_BAD_INPUT;
    }
    if (out->gaps > 0)
        lmb_warn(
            q->context,
            "'%s' has %zu gap%s, the longest of %g s after t = %g s: the longest piece without "
            "one, %g to %g s, is taken",
            path, out->gaps, out->gaps > 1 ? "s" : "", out->gap, out->gap_at, times[out->first],
            times[out->first + out->count - 1]);
    if (out->even && out->scatter > 5)
        lmb_warn(
            q->context,
            "the times of '%s' are written to %g s: a rate of %g Hz follows from the first and "
            "the last; --rate is better",
            path, out->quantum, out->rate);
    if (out->missing > 0)
        lmb_warn(q->context,
                 "%zu rows of '%s' seem to be missing at %g Hz: they are interpolated (give --rate "
                 "if it was sampled evenly)",
                 out->missing, path, out->rate);
    else if (!out->even)
        lmb_warn(q->context,
                 "'%s' is not sampled evenly (instants are off by up to %.3g steps): it is "
                 "interpolated at %g Hz, and frequencies above %g Hz are less certain",
                 path, out->scatter, out->rate, out->rate / 4);
    return LMB_OK;
}

/* One column at the even instants. */
static lmb_status take_column(const request *q, const lmb_record *record, const lmb_logger_table *t,
                              int column, const lmb_instants *in, const double *times, double **out)
{
    double *x = copy_column(q->arena, t, column, 1);
    if (!x)
        return lmb_fail_memory(q->context);
    const char *name = t->names ? t->names[column] : "1";
    lmb_status status = fill_in(q, record->path, name, in->count, x + in->first);
    *out = x + in->first;
    if (!status && times && !in->even) {
        double *even = lmb_arena_numbers(q->arena, in->count);
        if (!even)
            return lmb_fail_memory(q->context);
        lmb_even_out(in, times, x, even);
        *out = even;
    }
    return status;
}

/* The instants of a table, from its times or from a rate. *times: NULL if they are not needed. */
static lmb_status find_instants(const request *q, const lmb_record *record,
                                const lmb_logger_table *t, int column, double rate,
                                lmb_instants *in, double **times)
{
    *in = (lmb_instants){.count = (size_t)t->rows, .rate = rate, .even = true};
    *times = NULL;
    if (column < 0 || t->rows < 2)
        return LMB_OK;
    *times = copy_column(q->arena, t, column, lmb_logger_time_factor(t, column));
    if (!*times)
        return lmb_fail_memory(q->context);
    if (!(rate > 0)) {
        for (size_t i = 0; i < in->count; i++)
            if (isnan((*times)[i]))
                return lmb_fail(q->context, LMB_BAD_INPUT, "'%s' has no time in row %zu",
                                record->path, i + 1);
        return look_at_times(q, record->path, in->count, *times, in);
    }
    /* the rate was given: the times may only agree */
    double span = (*times)[t->rows - 1] - (*times)[0], theirs = (double)(t->rows - 1) / span;
    if (span > 0 && fabs(theirs / rate - 1) > 0.01)
        lmb_warn(q->context, "the times of '%s' tell %g Hz, but --rate %g is taken", record->path,
                 theirs, rate);
    *times = NULL;
    return LMB_OK;
}

/* The only column with numbers besides that of times. */
static lmb_status only_column(const request *q, const lmb_record *record, const lmb_logger_table *t,
                              int time_column, int *column)
{
    int count = 0;
    const char *all = "";
    for (int k = 0; k < t->columns; k++) {
        bool some = false;
        for (int i = 0; i < t->rows && i < 1000 && !some; i++)
            some = !isnan(t->values[(size_t)i * (size_t)t->columns + (size_t)k]);
        if (!some || k == time_column)
            continue;
        *column = k;
        if (t->names && all && strlen(all) < 400)
            all = lmb_text_format(q->arena, "%s%s%s", all, count ? ", " : "", t->names[k]);
        count++;
    }
    if (count == 1)
        return LMB_OK;
    lmb_fail(q->context, LMB_USAGE, "'%s' has %d columns: give one with --column", record->path,
             count);
    if (all && *all)
        lmb_hint(q->context, "there are: %s", all);
    return LMB_USAGE;
}

/* Takes the columns of a table. */
static lmb_status take(const request *q, const lmb_logger_table *t, double rate, lmb_record *out)
{
    int time_column = lmb_logger_times(t), column = -1, second = -1;
    lmb_instants in;
    double *times;
    lmb_status status = LMB_OK;
    if (!(rate > 0) && time_column < 0) {
        lmb_fail(q->context, LMB_USAGE, "'%s' has no column of times", out->path);
        lmb_hint(q->context, "give the sampling rate in Hz: --rate");
        return LMB_USAGE;
    }
    if (q->column)
        status = find_column(q, t, q->column, &column);
    else
        status = only_column(q, out, t, time_column, &column);
    if (!status && q->other)
        status = find_column(q, t, q->other, &second);
    if (!status)
        status = find_instants(q, out, t, time_column, rate, &in, &times);
    if (!status)
        status = take_column(q, out, t, column, &in, times, &out->x);
    if (!status && q->other)
        status = take_column(q, out, t, second, &in, times, &out->other);
    if (status)
        return status;
    out->n = in.count;
    out->rate = in.rate;
    out->name =
        t->names && t->names[column][0]
            ? t->names[column]
            : lmb_text_format(q->arena, "%s %d", t->units ? "column" : "channel", column + 1);
    if (!out->name)
        return lmb_fail_memory(q->context);
    out->unit = t->units ? t->units[column] : "";
    out->other_name = t->names && q->other ? t->names[second] : q->other ? q->other : "";
    out->other_unit = t->units && q->other ? t->units[second] : "";
    return LMB_OK;
}

/* --- files ------------------------------------------------------------------------------------ */

/* A channel of a result as a column of a table, which it may have to make. */
static lmb_status add_channel(const request *q, lmb_result *r, const char *name, int column,
                              lmb_logger_table *t)
{
    lmb_series s;
    lmb_status status = lmb_result_read(r, q->context, name, &s);
    if (status)
        return status;
    size_t width = (size_t)t->columns;
    if (strcmp(s.over.name, "time") != 0)
        status = lmb_fail(q->context, LMB_BAD_INPUT, "'%s' is over %s, not over time", name,
                          s.over.name);
    else if (s.size != 1)
        status =
            lmb_fail(q->context, LMB_USAGE, "'%s' has %d numbers: name one of them", name, s.size);
    else if (s.count < 2)
        status = lmb_fail(q->context, LMB_BAD_INPUT, "'%s' has too few instants", name);
    else if (t->rows > 0 && t->rows != s.count)
        status = lmb_fail(q->context, LMB_BAD_INPUT, "'%s' and '%s' have different instants",
                          t->names[1], name);
    else if (t->rows == 0)
        t->values = lmb_arena_numbers(q->arena, (size_t)s.count * width);
    t->rows = s.count;
    t->names[column] = lmb_text_copy(q->arena, name, strlen(name));
    t->units[column] =
        status ? NULL : lmb_text_copy(q->arena, s.channel.unit, strlen(s.channel.unit));
    if (!status && (!t->values || !t->names[column] || !t->units[column]))
        status = lmb_fail_memory(q->context);
    for (size_t i = 0; !status && i < (size_t)s.count; i++) {
        t->values[i * width] = s.time[i];
        t->values[i * width + (size_t)column] = s.values[i];
    }
    lmb_series_free(&s);
    return status;
}

/* The name of a second channel: where it names no analysis, that of the first is meant. */
static const char *beside(const request *q, const char *first, const char *name)
{
    const char *slash = strchr(first, '/');
    if (!slash || strchr(name, '/'))
        return name;
    const char *full = lmb_text_format(q->arena, "%.*s/%s", (int)(slash - first), first, name);
    return full ? full : name;
}

static lmb_status read_result(request *q, lmb_record *out)
{
    lmb_result *r;
    char *names[3] = {"t", "", ""}, *units[3] = {"s", "", ""};
    bool stamps[3] = {false};
    const char *channel = lmb_option_value(q->arguments, "--channel");
    lmb_logger_table t = {
        .columns = q->other ? 3 : 2, .names = names, .units = units, .stamps = stamps};
    channel = channel ? channel : q->column;
    if (!channel) {
        lmb_fail(q->context, LMB_USAGE, "give a channel of the result: --channel");
        lmb_hint(q->context, "see `limber list %s`", out->path);
        return LMB_USAGE;
    }
    lmb_status status = lmb_result_open(&r, q->context, out->path);
    if (status)
        return status;
    status = add_channel(q, r, channel, 1, &t);
    if (!status && q->other)
        status = add_channel(q, r, beside(q, channel, q->other), 2, &t);
    lmb_result_close(r);
    q->column = "2";
    q->other = q->other ? "3" : NULL;
    q->result = true;
    return status ? status : take(q, &t, 0, out);
}

lmb_status lmb_record_read(const lmb_arguments *a, lmb_arena *arena, const char *path,
                           const char *other, lmb_record *out)
{
    request q = {a, a->context, arena, lmb_option_value(a, "--column"), other, 0, false};
    const char *word = lmb_option_value(a, "--rate");
    lmb_logger_table t = {0};
    lmb_wav wav;
    *out = (lmb_record){.path = path, .name = "", .unit = "", .other_name = "", .other_unit = ""};
    lmb_status status = word ? lmb_typed_number(a->context, "--rate", word, &q.rate) : LMB_OK;
    if (!status && word && !(q.rate > 0))
        status = lmb_fail(a->context, LMB_USAGE, "--rate needs a positive number of Hz");
    if (status)
        return status;
    if (lmb_h5_signature(path)) {
        status = read_result(&q, out);
    } else if (lmb_wav_signature(path)) {
        status = lmb_wav_read(a->context, arena, path, &wav);
        t = (lmb_logger_table){.rows = wav.count, .columns = wav.channels, .values = wav.values};
        if (!status && word && fabs(q.rate / wav.rate - 1) > 1e-6)
            lmb_warn(a->context, "'%s' tells %g Hz, but --rate %g is taken", path, wav.rate,
                     q.rate);
        status = status ? status : take(&q, &t, word ? q.rate : wav.rate, out);
    } else {
        bool comma = lmb_option_value(a, "--decimal-comma") != NULL;
        status = lmb_logger_read(a->context, arena, path, comma, &t);
        status = status ? status : take(&q, &t, q.rate, out);
    }
    if (!status && out->n < 16)
        status =
            lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has too few values for a spectrum", path);
    return status;
}
