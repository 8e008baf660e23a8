/* Reading records of vibrations for limber spectrum: tables of loggers, sound files, results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/measuring_options.h"
#include "cli/options.h"
#include "cli/spectrum.h"
#include "store/h5.h"
#include "measure/measurement.h"
#include "result/series.h"
#include "signal/instants.h"

/* Who asks, and for what. */
typedef struct request {
    const lmb_arguments *arguments;
    lmb_context *context;
    lmb_arena *arena;
    const char *column, *other; /* words, or NULL */
    bool result;                /* steps of a result may differ: there are no gaps in it */
} request;

/* So many values that are missing one after the other are filled in. */
enum { MOST_MISSING = 10 };

/* --- columns ---------------------------------------------------------------------------------- */

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
    if (missing > n / 50 || longest > MOST_MISSING) {
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
static lmb_status take_column(const request *q, const lmb_measurement *m, int column,
                              const lmb_instants *in, const double *times, double **out)
{
    double *x = lmb_measurement_values(q->arena, m, column, 1);
    if (!x)
        return lmb_fail_memory(q->context);
    lmb_status status = fill_in(q, m->path, m->table.names[column], in->count, x + in->first);
    *out = x + in->first;
    if (!status && !in->even) {
        double *even = lmb_arena_numbers(q->arena, in->count);
        if (!even)
            return lmb_fail_memory(q->context);
        lmb_even_out(in, times, x, even);
        *out = even;
    }
    return status;
}

/* The only column with numbers besides that of times. */
static lmb_status only_column(const request *q, const lmb_measurement *m, int *column)
{
    int count = 0;
    const char *all = "";
    for (int k = 0; k < m->table.columns; k++) {
        if (k == m->times || !lmb_measurement_has_numbers(m, k))
            continue;
        *column = k;
        if (all && strlen(all) < 400)
            all = lmb_text_format(q->arena, "%s%s%s", all, count ? ", " : "", m->table.names[k]);
        count++;
    }
    if (count == 1)
        return LMB_OK;
    lmb_fail(q->context, LMB_USAGE, "'%s' has %d columns: give one with --column", m->path, count);
    if (count == 2 && !m->named && m->rate > 0)
        lmb_hint(q->context, "by number, --column 1; or, if the commas are decimal ones, "
                             "--decimal-comma");
    else if (all && *all)
        lmb_hint(q->context, "there are: %s", all);
    return LMB_USAGE;
}

/* The longest piece of a table in which neither column has many values missing one after the other.
 */
static lmb_measurement longest_piece(const request *q, const lmb_measurement *m,
                                     const int columns[2])
{
    const lmb_logger_table *t = &m->table;
    int first = 0, best = 0, length = 0, run = 0, width = t->columns;
    lmb_measurement piece = *m;
    for (int i = 0; i <= t->rows; i++) {
        const double *row = t->values + (size_t)i * (size_t)width;
        bool missing = i < t->rows && (isnan(row[columns[0]]) || isnan(row[columns[1]]));
        run = missing ? run + 1 : 0;
        int end = run > MOST_MISSING ? i - run + 1 : i;
        if ((i == t->rows || run > MOST_MISSING) && end - first > length) {
            best = first;
            length = end - first;
        }
        first = run > MOST_MISSING ? i + 1 : first;
    }
    if (length == 0 || length == t->rows)
        return piece;
    lmb_warn(q->context,
             "'%s' has long gaps without values: the longest piece is taken, rows %d to %d of %d",
             m->path, best + 1, best + length, t->rows);
    piece.table.values += (size_t)best * (size_t)width;
    piece.table.rows = length;
    return piece;
}

/* Takes the columns of a table. */
static lmb_status take(const request *q, const lmb_measurement *all, lmb_record *out)
{
    int column = -1, second = -1;
    double *times;
    lmb_status status = q->column
                            ? lmb_measurement_column(q->context, q->arena, all, q->column, &column)
                            : only_column(q, all, &column);
    if (!status && q->other)
        status = lmb_measurement_column(q->context, q->arena, all, q->other, &second);
    if (status)
        return status;
    lmb_measurement m = longest_piece(q, all, (int[]){column, q->other ? second : column});
    const lmb_logger_table *t = &m.table;
    lmb_instants in = {.count = (size_t)t->rows, .rate = m.rate, .even = true};
    status = lmb_measurement_times(q->context, q->arena, &m, &times);
    if (!status && !(m.rate > 0) && t->rows > 1)
        status = look_at_times(q, m.path, in.count, times, &in);
    if (!status)
        status = take_column(q, &m, column, &in, times, &out->x);
    if (!status && q->other)
        status = take_column(q, &m, second, &in, times, &out->other);
    if (status)
        return status;
    out->n = in.count;
    out->rate = in.rate;
    if (m.times >= 0 && !t->stamps[m.times]) /* stamps count from the first row */
        out->start = times[in.first];
    out->name = t->names[column];
    out->unit = t->units[column];
    out->other_name = q->other ? t->names[second] : "";
    out->other_unit = q->other ? t->units[second] : "";
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
    lmb_measurement m = {
        .path = out->path,
        .table = {.columns = q->other ? 3 : 2, .names = names, .units = units, .stamps = stamps}};
    channel = channel ? channel : q->column;
    if (!channel) {
        lmb_fail(q->context, LMB_USAGE, "give a channel of the result: --channel");
        lmb_hint(q->context, "see `limber list %s`", out->path);
        return LMB_USAGE;
    }
    lmb_status status = lmb_result_open(&r, q->context, out->path);
    if (status)
        return status;
    status = add_channel(q, r, channel, 1, &m.table);
    if (!status && q->other)
        status = add_channel(q, r, beside(q, channel, q->other), 2, &m.table);
    lmb_result_close(r);
    q->column = "2";
    q->other = q->other ? "3" : NULL;
    q->result = true;
    return status ? status : take(q, &m, out);
}

/* The unit and the scale that were typed take the place of those of the file. */
static lmb_status apply_unit(const request *q, lmb_record *r)
{
    const char *unit = lmb_option_value(q->arguments, "--unit");
    const char *word = lmb_option_value(q->arguments, "--scale");
    double scale = 1;
    lmb_status status = word ? lmb_typed_number(q->context, "--scale", word, &scale) : LMB_OK;
    if (!status && scale == 0)
        status = lmb_fail(q->context, LMB_USAGE, "--scale must not be zero");
    for (size_t i = 0; i < r->n && scale != 1 && !status; i++)
        r->x[i] *= scale;
    r->unit = unit ? unit : r->unit;
    return status;
}

lmb_status lmb_record_read(const lmb_arguments *a, lmb_arena *arena, const char *path,
                           const char *other, lmb_record *out)
{
    request q = {a, a->context, arena, lmb_option_value(a, "--column"), other, false};
    lmb_measurement m;
    double rate;
    bool comma;
    *out = (lmb_record){.path = path, .name = "", .unit = "", .other_name = "", .other_unit = ""};
    lmb_status status = lmb_typed_measuring(a, &rate, &comma);
    if (status)
        return status;
    if (lmb_h5_signature(path)) {
        status = read_result(&q, out);
    } else {
        status = lmb_measurement_read(a->context, arena, path, rate, comma, &m);
        status = status ? status : take(&q, &m, out);
    }
    if (!status && out->n < 16)
        status =
            lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has too few values for a spectrum", path);
    return status ? status : apply_unit(&q, out);
}
