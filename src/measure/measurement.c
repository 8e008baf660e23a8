/* Measurements from files; see measurement.h. */
#include "measure/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "measure/unit_text.h"

/* Names and units for all columns. */
static lmb_status name_columns(lmb_measurement *m, const char *what)
{
    lmb_logger_table *t = &m->table;
    size_t width = (size_t)t->columns;
    bool none = !t->names;
    if (none) {
        t->names = lmb_arena_alloc(m->arena, width, sizeof *t->names);
        t->units = lmb_arena_alloc(m->arena, width, sizeof *t->units);
        t->stamps = t->stamps ? t->stamps : lmb_arena_alloc(m->arena, width, sizeof *t->stamps);
    }
    for (int k = 0; lmb_arena_fine(m->arena) && k < t->columns; k++) {
        if (none || !t->names[k][0])
            t->names[k] = lmb_text_format(m->arena, "%s %d", what, k + 1);
        t->units[k] = none ? lmb_text_copy(m->arena, "", 0) : t->units[k];
    }
    return lmb_check_memory(m->context, m->arena);
}

static lmb_status read_sound(lmb_measurement *m)
{
    lmb_wav wav;
    lmb_status status = lmb_wav_read(m->context, m->arena, m->path, &wav);
    if (status)
        return status;
    m->table = (lmb_logger_table){.rows = wav.count, .columns = wav.channels, .values = wav.values};
    if (m->rate > 0 && fabs(m->rate / wav.rate - 1) > 1e-6)
        lmb_warn(m->context, "'%s' states %g Hz, but --rate %g is taken", m->path, wav.rate,
                 m->rate);
    m->rate = m->rate > 0 ? m->rate : wav.rate;
    return name_columns(m, "channel");
}

lmb_status lmb_measurement_read(lmb_context *context, lmb_arena *arena, const char *path,
                                double rate, bool comma, lmb_measurement *out)
{
    *out = (lmb_measurement){context, arena, path, .times = -1, .rate = rate};
    if (lmb_wav_signature(path))
        return read_sound(out);
    lmb_status status = lmb_logger_read(context, arena, path, comma, &out->table);
    if (status)
        return status;
    out->named = out->table.names != NULL;
    out->times = lmb_logger_times(&out->table);
    return name_columns(out, "column");
}

/* Whether a word is the name of a column, with or without its unit. */
static bool is_name(const char *name, const char *unit, const char *word, bool exact)
{
    size_t length = strlen(name);
    if (strlen(word) < length ||
        !(exact ? strncmp(name, word, length) == 0 : lmb_same_letters_in(name, word, length)))
        return false;
    const char *rest = word + length;
    if (!*rest)
        return true;
    rest += strspn(rest, " ");
    size_t units = strlen(unit);
    return (*rest == '[' || *rest == '(') && strncmp(rest + 1, unit, units) == 0 &&
           rest[units + 1] == (*rest == '[' ? ']' : ')') && !rest[units + 2];
}

lmb_status lmb_measurement_column(const lmb_measurement *m, const char *word, int *column)
{
    const lmb_logger_table *t = &m->table;
    char *end;
    long number = strtol(word, &end, 10);
    lmb_nearest near = lmb_nearest_start(word);
    const char *all = "";
    for (int exact = 1; exact >= 0; exact--)
        for (*column = 0; *column < t->columns; ++*column)
            if (is_name(t->names[*column], t->units[*column], word, exact))
                return LMB_OK;
    *column = (int)(number - 1);
    if (*word && !*end && number >= 1 && number <= t->columns)
        return LMB_OK;
    for (int k = 0; k < t->columns; k++) {
        lmb_nearest_try(&near, t->names[k]);
        if (all && strlen(all) < 400)
            all = lmb_text_format(m->arena, "%s%s%s", all, *all ? ", " : "", t->names[k]);
    }
    lmb_fail(m->context, LMB_BAD_INPUT, "'%s' has no column '%s'", m->path, word);
    if (near.best)
        lmb_nearest_hint(m->context, &near);
    else if (all)
        lmb_hint(m->context, "there are: %s", all);
    return LMB_BAD_INPUT;
}

bool lmb_measurement_has_numbers(const lmb_measurement *m, int column)
{
    int i = 0;
    while (i < m->table.rows && isnan(lmb_measurement_value(m, i, column)))
        i++;
    return i < m->table.rows;
}

double *lmb_measurement_values(const lmb_measurement *m, int column, double factor)
{
    double *x = lmb_arena_numbers(m->arena, (size_t)m->table.rows + 1);
    for (int i = 0; x && i < m->table.rows; i++)
        x[i] = factor * lmb_measurement_value(m, i, column);
    return x;
}

bool lmb_measurement_factor(const lmb_measurement *m, int column, const char *unit, double *factor)
{
    const char *own = m->table.units ? m->table.units[column] : NULL;
    lmb_ratio ratio;
    *factor = 1;
    if (!own || !own[0] || !unit)
        return true;
    bool converts = lmb_unit_convert(own, unit, &ratio);
    *factor = converts ? ratio.over / ratio.under : 1;
    return converts;
}

lmb_status lmb_measurement_times(const lmb_measurement *m, double **times)
{
    const lmb_logger_table *t = &m->table;
    size_t rows = (size_t)t->rows;
    bool timed = m->times >= 0, even = m->rate > 0;
    if (!even && !timed) {
        lmb_fail(m->context, LMB_USAGE, "'%s' has no column of times", m->path);
        return lmb_hint(m->context, "give the sampling rate in Hz: --rate");
    }
    if (rows == 0)
        return lmb_fail(m->context, LMB_BAD_INPUT, "'%s' has no rows", m->path);
    double *x = timed ? lmb_measurement_values(m, m->times, lmb_logger_time_factor(t, m->times))
                      : lmb_arena_numbers(m->arena, rows + 1);
    *times = x;
    if (!x)
        return lmb_fail_memory(m->context);
    double first = timed && t->stamps[m->times] ? x[0] : 0;
    for (size_t i = 0; i < rows && timed; i++) {
        if (isnan(x[i]) && !even)
            return lmb_fail(m->context, LMB_BAD_INPUT, "'%s' has no time in row %zu", m->path,
                            i + 1);
        x[i] -= first;
    }
    if (!even)
        return LMB_OK;
    /* the rate was given: the times may only agree */
    double span = timed ? x[rows - 1] - x[0] : 0, theirs = (double)(rows - 1) / span;
    if (span > 0 && fabs(theirs / m->rate - 1) > 0.01)
        lmb_warn(m->context, "the times of '%s' give %g Hz, but --rate %g is taken", m->path,
                 theirs, m->rate);
    first = timed && !isnan(x[0]) ? x[0] : 0;
    for (size_t i = 0; i < rows; i++)
        x[i] = first + (double)i / m->rate;
    return LMB_OK;
}
