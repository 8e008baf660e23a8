/* Measurements from files; see measurement.h. */
#include "measure/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "measure/wav.h"

/* Names and units for all columns. */
static lmb_status name_columns(lmb_context *context, lmb_arena *arena, const char *what,
                               lmb_logger_table *t)
{
    size_t width = (size_t)t->columns;
    bool none = !t->names;
    if (none) {
        t->names = lmb_arena_alloc(arena, width, sizeof *t->names);
        t->units = lmb_arena_alloc(arena, width, sizeof *t->units);
        t->stamps = t->stamps ? t->stamps : lmb_arena_alloc(arena, width, sizeof *t->stamps);
    }
    for (int k = 0; t->names && t->units && t->stamps && k < t->columns; k++) {
        if (none || !t->names[k][0])
            t->names[k] = lmb_text_format(arena, "%s %d", what, k + 1);
        t->units[k] = none ? lmb_text_copy(arena, "", 0) : t->units[k];
        if (!t->names[k] || !t->units[k])
            return lmb_fail_memory(context);
    }
    return t->names && t->units && t->stamps ? LMB_OK : lmb_fail_memory(context);
}

static lmb_status read_sound(lmb_context *context, lmb_arena *arena, lmb_measurement *m)
{
    lmb_wav wav;
    lmb_status status = lmb_wav_read(context, arena, m->path, &wav);
    if (status)
        return status;
    m->table = (lmb_logger_table){.rows = wav.count, .columns = wav.channels, .values = wav.values};
    if (m->rate > 0 && fabs(m->rate / wav.rate - 1) > 1e-6)
        lmb_warn(context, "'%s' states %g Hz, but --rate %g is taken", m->path, wav.rate, m->rate);
    m->rate = m->rate > 0 ? m->rate : wav.rate;
    return name_columns(context, arena, "channel", &m->table);
}

lmb_status lmb_measurement_read(lmb_context *context, lmb_arena *arena, const char *path,
                                double rate, bool comma, lmb_measurement *out)
{
    *out = (lmb_measurement){.path = path, .times = -1, .rate = rate};
    if (lmb_wav_signature(path))
        return read_sound(context, arena, out);
    lmb_status status = lmb_logger_read(context, arena, path, comma, &out->table);
    if (status)
        return status;
    out->named = out->table.names != NULL;
    out->times = lmb_logger_times(&out->table);
    return name_columns(context, arena, "column", &out->table);
}

/* Whether a word is the name of a column, with or without its unit. */
static bool is_name(const char *name, const char *unit, const char *word, bool exact)
{
    size_t length = strlen(name);
    if (strlen(word) < length ||
        (exact ? strncmp(name, word, length) : strncasecmp(name, word, length)) != 0)
        return false;
    const char *rest = word + length;
    if (!*rest)
        return true;
    rest += strspn(rest, " ");
    size_t units = strlen(unit);
    return (*rest == '[' || *rest == '(') && strncmp(rest + 1, unit, units) == 0 &&
           rest[units + 1] == (*rest == '[' ? ']' : ')') && !rest[units + 2];
}

lmb_status lmb_measurement_column(lmb_context *context, lmb_arena *arena, const lmb_measurement *m,
                                  const char *word, int *column)
{
    const lmb_logger_table *t = &m->table;
    char *end;
    long number = strtol(word, &end, 10);
    lmb_nearest near = lmb_nearest_start(word);
    const char *all = "";
    for (int exact = 1; exact >= 0; exact--)
        for (int k = 0; k < t->columns; k++)
            if (is_name(t->names[k], t->units[k], word, exact)) {
                *column = k;
                return LMB_OK;
            }
    if (*word && !*end && number >= 1 && number <= t->columns) {
        *column = (int)number - 1;
        return LMB_OK;
    }
    for (int k = 0; k < t->columns; k++) {
        lmb_nearest_try(&near, t->names[k]);
        if (all && strlen(all) < 400)
            all = lmb_text_format(arena, "%s%s%s", all, *all ? ", " : "", t->names[k]);
    }
    lmb_fail(context, LMB_BAD_INPUT, "'%s' has no column '%s'", m->path, word);
    if (near.best)
        lmb_nearest_hint(context, &near);
    else if (all)
        lmb_hint(context, "there are: %s", all);
    return LMB_BAD_INPUT;
}

bool lmb_measurement_has_numbers(const lmb_measurement *m, int column)
{
    const lmb_logger_table *t = &m->table;
    for (size_t i = 0; i < (size_t)t->rows; i++)
        if (!isnan(t->values[i * (size_t)t->columns + (size_t)column]))
            return true;
    return false;
}

double *lmb_measurement_values(lmb_arena *arena, const lmb_measurement *m, int column,
                               double factor)
{
    const lmb_logger_table *t = &m->table;
    double *x = lmb_arena_numbers(arena, (size_t)t->rows + 1);
    for (size_t i = 0; x && i < (size_t)t->rows; i++)
        x[i] = factor * t->values[i * (size_t)t->columns + (size_t)column];
    return x;
}

lmb_status lmb_measurement_times(lmb_context *context, lmb_arena *arena, const lmb_measurement *m,
                                 double **times)
{
    const lmb_logger_table *t = &m->table;
    size_t rows = (size_t)t->rows;
    if (!(m->rate > 0) && m->times < 0) {
        lmb_fail(context, LMB_USAGE, "'%s' has no column of times", m->path);
        lmb_hint(context, "give the sampling rate in Hz: --rate");
        return LMB_USAGE;
    }
    double *x = m->times < 0 ? lmb_arena_numbers(arena, rows + 1)
                             : lmb_measurement_values(arena, m, m->times,
                                                      lmb_logger_time_factor(t, m->times));
    *times = x;
    if (!x)
        return lmb_fail_memory(context);
    double first = m->times >= 0 && t->stamps[m->times] ? x[0] : 0;
    for (size_t i = 0; i < rows && m->times >= 0; i++) {
        if (isnan(x[i]) && !(m->rate > 0))
            return lmb_fail(context, LMB_BAD_INPUT, "'%s' has no time in row %zu", m->path, i + 1);
        x[i] -= first;
    }
    if (!(m->rate > 0))
        return LMB_OK;
    /* the rate was given: the times may only agree */
    double span = m->times >= 0 ? x[rows - 1] - x[0] : 0, theirs = (double)(rows - 1) / span;
    if (span > 0 && fabs(theirs / m->rate - 1) > 0.01)
        lmb_warn(context, "the times of '%s' give %g Hz, but --rate %g is taken", m->path, theirs,
                 m->rate);
    first = m->times >= 0 && !isnan(x[0]) ? x[0] : 0;
    for (size_t i = 0; i < rows; i++)
        x[i] = first + (double)i / m->rate;
    return LMB_OK;
}
