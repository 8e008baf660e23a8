/* Reading what was typed for options; see typed.h. */
#include "cli/typed.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "system/saddle.h"

bool lmb_refuse(const lmb_arguments *a, bool wrong, const char *format, ...)
{
    if (*a->status || !wrong)
        return false;
    va_list args;
    va_start(args, format);
    const char *text = lmb_text_vformat(a->arena, format, args);
    va_end(args);
    *a->status = text ? lmb_fail(a->context, LMB_USAGE, "%s", text) : lmb_fail_memory(a->context);
    return text != NULL;
}

bool lmb_typed_number(const lmb_arguments *a, const char *option, double least, double *value)
{
    const char *word = lmb_option_value(a, option);
    if (!word || *a->status)
        return false;
    char *end;
    *value = strtod(word, &end);
    bool number = end != word && !*end && isfinite(*value);
    if (lmb_refuse(a, !number, "%s needs a number, not '%s'", option, word) && *end == ',' &&
        isdigit((unsigned char)end[1]))
        lmb_hint(a->context, "decimals follow a point");
    if (least == LMB_ABOVE_ZERO)
        lmb_refuse(a, !(*value > 0), "%s must be positive, not %s", option, word);
    else if (least == 0)
        lmb_refuse(a, *value < 0, "%s must not be negative, as %s is", option, word);
    else
        lmb_refuse(a, !(*value >= least), "%s needs at least %g, not %s", option, least, word);
    return true;
}

int lmb_typed_threads(const lmb_arguments *a, const char *option)
{
    double threads = 0;
    lmb_typed_number(a, option, 1, &threads);
    lmb_refuse(a, threads != floor(threads) || threads > LMB_MOST_THREADS,
               "%s needs a whole number from 1 to %d", option, LMB_MOST_THREADS);
    return (int)threads;
}

void lmb_typed_size(const lmb_arguments *a, int most, int *width, int *height)
{
    const char *word = lmb_option_value(a, "--size");
    int used = 0;
    bool fine = !word || (sscanf(word, "%5dx%5d%n", width, height, &used) == 2 && !word[used] &&
                          *width >= 200 && *height >= 150 && *width <= most && *height <= most);
    if (lmb_refuse(a, !fine, "the size '%s' is not one", word ? word : ""))
        lmb_hint(a->context, "for example --size 800x500, from 200x150 to %dx%d", most, most);
}

lmb_span lmb_typed_span(const lmb_arguments *a)
{
    lmb_span span = lmb_span_all;
    lmb_typed_number(a, "--from", LMB_ANY_NUMBER, &span.from);
    lmb_typed_number(a, "--to", LMB_ANY_NUMBER, &span.to);
    lmb_refuse(a, span.from > span.to, "--from %g is after --to %g", span.from, span.to);
    return span;
}

char **lmb_typed_names(const lmb_arguments *a, const char *option)
{
    const char *list = lmb_option_value(a, option);
    if (!list || *a->status)
        return NULL;
    size_t most = strlen(list) / 2 + 2, count = 0;
    char **names = lmb_arena_alloc(a->arena, most, sizeof *names), *rest;
    char *text = lmb_text_copy(a->arena, list, strlen(list));
    if ((*a->status = lmb_check_memory(a->context, a->arena)))
        return NULL;
    for (char *word = strtok_r(text, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest))
        names[count++] = word;
    return names;
}

double lmb_typed_shaft(const lmb_arguments *a)
{
    double rpm = 0;
    lmb_typed_number(a, "--rpm", LMB_ABOVE_ZERO, &rpm);
    return rpm / 60;
}

bool lmb_typed_bearing(const lmb_arguments *a, lmb_bearing *bearing)
{
    enum { INNER, OUTER, PITCH, BALL, BALLS, ANGLE, COUNT };
    static const char *const names[COUNT] = {"--inner", "--outer", "--pitch",
                                             "--ball",  "--balls", "--angle"};
    double value[COUNT] = {0};
    bool has[COUNT], given = false;
    for (int i = 0; i < COUNT; i++) {
        has[i] = lmb_typed_number(a, names[i], LMB_ANY_NUMBER, &value[i]);
        given = given || has[i];
    }
    const char *race = lmb_option_value(a, "--rotating");
    bool outer = race && strcmp(race, "outer") == 0;
    lmb_refuse(a, race && !outer && strcmp(race, "inner") != 0,
               "--rotating needs inner or outer, not '%s'", race ? race : "");
    if (!given)
        return false;
    bool races = has[INNER] && has[OUTER], circle = has[PITCH] && has[BALL];
    lmb_refuse(a,
               races == circle || (races && (has[PITCH] || has[BALL])) ||
                   (circle && (has[INNER] || has[OUTER])),
               "give --inner and --outer, or --pitch and --ball: two diameters");
    lmb_refuse(a, !has[BALLS] || value[BALLS] != floor(value[BALLS]) || fabs(value[BALLS]) > 1e6,
               "--balls needs a whole number");
    if (*a->status)
        return true;
    double angle = value[ANGLE] * LMB_PI / 180;
    *bearing = races ? lmb_bearing_between(value[INNER], value[OUTER], (int)value[BALLS], angle)
                     : (lmb_bearing){value[PITCH], value[BALL], (int)value[BALLS], angle, false};
    bearing->outer_turns = outer;
    *a->status = lmb_bearing_check(a->context, bearing);
    return true;
}

void lmb_typed_measuring(const lmb_arguments *a, double *rate, bool *comma)
{
    *rate = 0;
    *comma = lmb_option_value(a, "--decimal-comma") != NULL;
    lmb_typed_number(a, "--rate", LMB_ABOVE_ZERO, rate);
}

lmb_compare_with lmb_typed_counterpart(const lmb_arguments *a, const char *path)
{
    lmb_compare_with with = {.path = path, .columns = lmb_option_values(a, "--column")};
    lmb_typed_measuring(a, &with.rate, &with.comma);
    lmb_typed_number(a, "--shift", LMB_ANY_NUMBER, &with.shift);
    return with;
}

const char *lmb_name_after(const lmb_arguments *a, const char *file, const char *ending)
{
    const char *name = lmb_file_name(file);
    const char *path = lmb_text_format(a->arena, "%.*s%s", lmb_file_stem(name), name, ending);
    *a->status = *a->status || path ? *a->status : lmb_fail_memory(a->context);
    return path;
}
