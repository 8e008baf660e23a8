/* Which column of a logger's table has the times. */
#include <ctype.h>
#include <string.h>

#include "measure/logger.h"
#include "measure/unit_text.h"

/* The seconds of a unit of time; 0 for another unit. */
static double seconds_of(const char *unit)
{
    lmb_ratio r;
    return unit[0] && lmb_unit_convert(unit, "s", &r) ? r.over / r.under : 0;
}

/* The unit at the end of a name such as "time_ms", or NULL. */
static const char *unit_behind(const char *name)
{
    const char *line = strrchr(name, '_');
    return line && seconds_of(line + 1) > 0 ? line + 1 : NULL;
}

/* Whether a name is a word, in letters of any size, alone or with a unit behind it. */
static bool is_word(const char *name, const char *word)
{
    const char *unit = unit_behind(name);
    size_t length = unit ? (size_t)(unit - 1 - name) : strlen(name);
    if (length != strlen(word))
        return false;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)name[i]) != word[i])
            return false;
    return true;
}

static bool is_time(const lmb_logger_table *t, int column)
{
    static const char *const words[] = {
        "t",        "time",    "times",   "timestamp",   "time stamp",  "date/time",
        "datetime", "zeit",    "uhrzeit", "zeitstempel", "temps",       "tiempo",
        "tid",      "elapsed", "seconds", "sec",         "elapsed time"};
    if (t->units[column][0] && seconds_of(t->units[column]) <= 0)
        return false; /* T in degrees is none */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(t->names[column], words[i]))
            return true;
    return false;
}

static bool grows(const lmb_logger_table *t)
{
    size_t width = (size_t)t->columns;
    for (size_t i = 1; i < (size_t)t->rows; i++)
        if (!(t->values[i * width] > t->values[(i - 1) * width]))
            return false;
    return true;
}

int lmb_logger_times(const lmb_logger_table *t)
{
    for (int i = 0; t->names && i < t->columns; i++)
        if (!t->stamps[i] && is_time(t, i))
            return i;
    for (int i = 0; t->stamps && i < t->columns; i++)
        if (t->stamps[i])
            return i;
    bool named = t->names && !is_word(t->names[0], "x") && !is_word(t->names[0], "x_value") &&
                 t->names[0][0] && seconds_of(t->units[0]) <= 0;
    return t->columns > 1 && !named && grows(t) ? 0 : -1;
}

double lmb_logger_time_factor(const lmb_logger_table *t, int column)
{
    if (!t->names || t->stamps[column])
        return 1;
    const char *unit = t->units[column][0] ? t->units[column] : unit_behind(t->names[column]);
    double seconds = unit ? seconds_of(unit) : 0;
    return seconds > 0 ? seconds : 1;
}
