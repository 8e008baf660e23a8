/* Reading records of vibrations for limber spectrum: tables of loggers, sound files, results. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/options.h"
#include "cli/spectrum.h"
#include "io/csv.h"
#include "io/h5.h"
#include "io/series.h"
#include "io/wav.h"

/* Columns with names, an instant a row. */
typedef struct table {
    int rows, columns;
    double *values;
    char **names; /* or NULL */
} table;

/* The unit in brackets behind a name, "acc [m/s^2]" or "acc (g)"; "" for none. */
static const char *unit_in(lmb_arena *arena, const char *name)
{
    const char *open = strpbrk(name, "[("), *close = open ? strpbrk(open, "])") : NULL;
    const char *unit = close ? lmb_text_copy(arena, open + 1, (size_t)(close - open - 1)) : "";
    return unit ? unit : "";
}

/* Whether a name is that of a time: t, time, Zeit, with or without a unit. */
static bool is_time(const char *name)
{
    char word[8] = "";
    for (int i = 0; i < 7 && (isalpha((unsigned char)name[i])); i++)
        word[i] = (char)tolower((unsigned char)name[i]);
    return strcmp(word, "t") == 0 || strcmp(word, "time") == 0 || strcmp(word, "zeit") == 0 ||
           strcmp(word, "temps") == 0 || strcmp(word, "x") == 0;
}

/* The column of a name or number (from 1). */
static lmb_status find_column(const lmb_arguments *a, const table *t, const char *word, int *column)
{
    char *end;
    long number = strtol(word, &end, 10);
    lmb_nearest near = lmb_nearest_start(word);
    for (int i = 0; t->names && i < t->columns; i++) {
        size_t length = strcspn(t->names[i], "[(");
        while (length > 0 && t->names[i][length - 1] == ' ')
            length--;
        if (strcmp(t->names[i], word) == 0 ||
            (strlen(word) == length && strncmp(t->names[i], word, length) == 0)) {
            *column = i;
            return LMB_OK;
        }
        lmb_nearest_try(&near, t->names[i]);
    }
    if (*word && !*end && number >= 1 && number <= t->columns) {
        *column = (int)number - 1;
        return LMB_OK;
    }
    lmb_fail(a->context, LMB_BAD_INPUT, "there is no column '%s' among %d", word, t->columns);
    lmb_nearest_hint(a->context, &near);
    return LMB_BAD_INPUT;
}

/* One column as an array, at even instants where the table has times. */
static double *column_of(lmb_arena *arena, const table *t, int column, const double *time, size_t n,
                         double rate)
{
    double *x = lmb_arena_numbers(arena, n);
    size_t width = (size_t)t->columns, at = 0;
    for (size_t i = 0; x && i < n; i++) {
        if (!time) {
            x[i] = t->values[i * width + (size_t)column];
            continue;
        }
        double when = time[0] + (double)i / rate;
        while (at + 2 < (size_t)t->rows && time[at + 1] <= when)
            at++;
        double part = (when - time[at]) / (time[at + 1] - time[at]);
        double a = t->values[at * width + (size_t)column];
        double b = t->values[(at + 1) * width + (size_t)column];
        x[i] = a + fmin(fmax(part, 0), 1) * (b - a);
    }
    return x;
}

/* The sampling rate from a column of times; *even tells whether the values can stay as they are. */
static lmb_status rate_of(const lmb_arguments *a, const char *path, int rows, const double *time,
                          double *rate, bool *even)
{
    double step = rows > 1 ? (time[rows - 1] - time[0]) / (rows - 1) : 0, worst = 0;
    for (int i = 1; i < rows; i++) {
        if (!(time[i] > time[i - 1]))
            return lmb_fail(a->context, LMB_BAD_INPUT, "the times of '%s' do not grow, at row %d",
                            path, i + 1);
        worst = fmax(worst, fabs(time[i] - time[0] - i * step));
    }
    *rate = 1 / step;
    *even = worst < 0.1 * step; /* times are often written with few digits */
    if (worst > 2 * step)
        lmb_warn(a->context, "'%s' is not sampled evenly: it was interpolated at %g Hz", path,
                 *rate);
    return LMB_OK;
}

/* Takes columns of a table; `first` is the one that may have times, -1 for none. */
static lmb_status take(const lmb_arguments *a, lmb_arena *arena, const table *t, double rate,
                       const char *other, lmb_record *out)
{
    const char *word = lmb_option_value(a, "--column");
    int time_column = -1, column = -1, second = -1;
    double *time = NULL, scale = 1;
    bool even = true;
    lmb_status status = LMB_OK;
    if (!(rate > 0)) {
        if (t->names ? is_time(t->names[0]) : t->columns > 1)
            time_column = 0;
        if (time_column < 0) {
            lmb_fail(a->context, LMB_USAGE, "'%s' has no column of times", out->path);
            lmb_hint(a->context, "give the sampling rate in Hz: --rate");
            return LMB_USAGE;
        }
        time = lmb_arena_numbers(arena, (size_t)t->rows + 1);
        const char *unit = t->names ? unit_in(arena, t->names[0]) : "";
        scale = strcmp(unit, "ms") == 0 ? 1e-3 : strcmp(unit, "us") == 0 ? 1e-6 : 1;
        for (int i = 0; time && i < t->rows; i++)
            time[i] = scale * t->values[(size_t)i * (size_t)t->columns];
        status = time ? rate_of(a, out->path, t->rows, time, &rate, &even) : LMB_SOLVER;
    } else if (t->names && is_time(t->names[0]) && t->columns > 1) {
        time_column = 0; /* the rate was given: times are not needed */
    }
    if (!status && word)
        status = find_column(a, t, word, &column);
    else if (time_column + 2 == t->columns || (time_column < 0 && t->columns == 1))
        column = t->columns - 1;
    if (!status && column < 0)
        status = lmb_fail(a->context, LMB_USAGE, "'%s' has %d columns: give one with --column",
                          out->path, t->columns);
    if (!status && other)
        status = find_column(a, t, other, &second);
    if (status)
        return status;
    out->n = (size_t)t->rows;
    out->rate = rate;
    out->x = column_of(arena, t, column, even ? NULL : time, out->n, rate);
    out->other = other ? column_of(arena, t, second, even ? NULL : time, out->n, rate) : NULL;
    out->name = t->names ? t->names[column] : word ? word : "value";
    out->unit = t->names ? unit_in(arena, t->names[column]) : "";
    out->other_unit = t->names && other ? unit_in(arena, t->names[second]) : "";
    if (!out->x || (other && !out->other))
        return lmb_fail_memory(a->context);
    for (size_t i = 0; i < out->n; i++)
        if (isnan(out->x[i]) || (other && isnan(out->other[i])))
            return lmb_fail(a->context, LMB_BAD_INPUT, "column '%s' of '%s' is not of numbers",
                            out->name, out->path);
    return LMB_OK;
}

/* A channel of a result, or two, at even instants. */
static lmb_status read_channel(const lmb_arguments *a, lmb_arena *arena, lmb_result *r,
                               const char *name, double *rate, size_t *n, double **x,
                               const char **unit)
{
    lmb_series s;
    bool even;
    lmb_status status = lmb_result_read(r, a->context, name, &s);
    if (status)
        return status;
    if (s.size != 1)
        status =
            lmb_fail(a->context, LMB_USAGE, "'%s' has %d numbers: name one of them", name, s.size);
    else if (s.count < 2)
        status = lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has too few instants", name);
    if (!status)
        status = rate_of(a, name, s.count, s.time, rate, &even);
    if (!status) {
        *n = (size_t)s.count;
        *x = lmb_arena_numbers(arena, *n);
        *unit = lmb_text_copy(arena, s.channel.unit, strlen(s.channel.unit));
        status = *x && *unit ? LMB_OK : lmb_fail_memory(a->context);
    }
    for (size_t i = 0; !status && i < *n; i++)
        lmb_series_interpolate(&s, fmin(s.time[0] + (double)i / *rate, s.time[s.count - 1]),
                               &(*x)[i]);
    lmb_series_free(&s);
    return status;
}

static lmb_status read_result(const lmb_arguments *a, lmb_arena *arena, const char *other,
                              lmb_record *out)
{
    lmb_result *r;
    size_t n = 0;
    const char *channel = lmb_option_value(a, "--channel");
    if (!channel) {
        lmb_fail(a->context, LMB_USAGE, "give a channel of the result: --channel");
        lmb_hint(a->context, "see `limber list %s`", out->path);
        return LMB_USAGE;
    }
    lmb_status status = lmb_result_open(&r, a->context, out->path);
    if (status)
        return status;
    out->name = channel;
    out->other_unit = "";
    status = read_channel(a, arena, r, channel, &out->rate, &out->n, &out->x, &out->unit);
    if (!status && other)
        status = read_channel(a, arena, r, other, &out->rate, &n, &out->other, &out->other_unit);
    if (!status && other && n != out->n)
        status = lmb_fail(a->context, LMB_BAD_INPUT, "'%s' and '%s' have different instants",
                          channel, other);
    lmb_result_close(r);
    return status;
}

lmb_status lmb_record_read(const lmb_arguments *a, lmb_arena *arena, const char *path,
                           const char *other, lmb_record *out)
{
    const char *word = lmb_option_value(a, "--rate");
    double rate = 0;
    table t = {0};
    lmb_wav wav;
    *out = (lmb_record){.path = path, .name = "", .unit = "", .other_unit = ""};
    lmb_status status = word ? lmb_typed_number(a->context, "--rate", word, &rate) : LMB_OK;
    if (!status && word && !(rate > 0))
        status = lmb_fail(a->context, LMB_USAGE, "--rate needs a positive number of Hz");
    if (status)
        return status;
    if (lmb_h5_signature(path)) {
        status = read_result(a, arena, other, out);
    } else if (lmb_wav_signature(path)) {
        status = lmb_wav_read(a->context, arena, path, &wav);
        t = (table){wav.count, wav.channels, wav.values, NULL};
        status = status ? status : take(a, arena, &t, rate > 0 ? rate : wav.rate, other, out);
    } else {
        bool comma = lmb_option_value(a, "--decimal-comma") != NULL;
        status = lmb_csv_read_logger(a->context, arena, path, comma, &t.rows, &t.columns, &t.values,
                                     &t.names);
        status = status ? status : take(a, arena, &t, rate, other, out);
    }
    if (!status && out->n < 16)
        status =
            lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has too few values for a spectrum", path);
    return status;
}
