/* limber get: the numbers of a channel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/options.h"
#include "cli/print.h"
#include "result/series.h"
#include "cli/verb.h"

/* Numbers of one instant, on one line. */
static void print_values(const double *values, int size)
{
    for (int k = 0; k < size; k++) {
        if (k > 0)
            putchar(' ');
        lmb_print_number(stdout, values[k]);
    }
    putchar('\n');
}

/* Starts the JSON of a channel. */
static lmb_json start_json(const lmb_series *s)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_put(&json, "channel %s, unit %s, components %s", s->channel.name, s->channel.unit,
                 s->channel.components);
    return json;
}

static void print_all(const lmb_series *s, bool as_json)
{
    if (as_json) {
        lmb_json json = start_json(s);
        lmb_json_numbers(&json, s->over.name, (size_t)s->count, s->time);
        lmb_json_open(&json, "values", '[');
        for (int i = 0; i < s->count; i++)
            lmb_json_numbers(&json, NULL, (size_t)s->size, s->values + (size_t)i * (size_t)s->size);
        lmb_json_close(&json);
        lmb_json_close(&json);
        return;
    }
    for (int i = 0; i < s->count && !ferror(stdout); i++) {
        lmb_print_number(stdout, s->time[i]);
        putchar(' ');
        print_values(s->values + (size_t)i * (size_t)s->size, s->size);
    }
}

static void print_instant(const lmb_series *s, double t, const double *values, bool as_json)
{
    if (!as_json) {
        print_values(values, s->size);
        return;
    }
    lmb_json json = start_json(s);
    lmb_json_number(&json, s->over.name, t);
    lmb_json_numbers(&json, "values", (size_t)s->size, values);
    lmb_json_close(&json);
}

/* The instant of the smallest (sign 1) or largest (sign -1) number of a component; numbers that
 * are none do not count. */
static int find_extreme(const lmb_series *s, int component, double sign)
{
    int best = -1;
    for (int i = 0; i < s->count; i++) {
        double value = sign * s->values[(size_t)i * (size_t)s->size + (size_t)component];
        double so_far =
            best < 0 ? 0 : sign * s->values[(size_t)best * (size_t)s->size + (size_t)component];
        if (!isnan(value) && (best < 0 || value < so_far))
            best = i;
    }
    return best < 0 ? 0 : best;
}

static void print_extremes(const lmb_series *s, bool minimum, bool as_json)
{
    lmb_json json;
    if (as_json) {
        json = start_json(s);
        lmb_json_open(&json, minimum ? "minimum" : "maximum", '[');
    }
    for (int k = 0; k < s->size; k++) {
        int i = find_extreme(s, k, minimum ? 1 : -1);
        double value = s->values[(size_t)i * (size_t)s->size + (size_t)k];
        if (as_json) {
            lmb_json_open_flat(&json, NULL, '{');
            lmb_json_number(&json, "value", value);
            lmb_json_number(&json, s->over.name, s->time[i]);
            lmb_json_close(&json);
        } else {
            print_values((double[]){value, s->time[i]}, 2);
        }
    }
    if (as_json) {
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
}

/* Says that a time is no stored instant, and which ones are nearest. */
static lmb_status fail_instant(lmb_context *context, const lmb_series *s, double t)
{
    char of[64];
    lmb_over_symbol(&s->over, of);
    if (!lmb_series_covers(s, t))
        return lmb_fail(context, LMB_BAD_INPUT,
                        "%s = %.17g is outside the result, which goes from %.17g to %.17g", of, t,
                        s->time[0], s->time[s->count - 1]);
    int i = lmb_series_before(s, t);
    lmb_fail(context, LMB_BAD_INPUT,
             "%s = %.17g is not a stored instant; the nearest are %.17g and %.17g", of, t,
             s->time[i], s->time[i + 1]);
    lmb_hint(context, "--interpolate gives a value in between");
    return LMB_BAD_INPUT;
}

static lmb_status print_at(const lmb_arguments *a, const lmb_series *s, double t)
{
    int i = lmb_series_at(s, t);
    if (i >= 0) {
        print_instant(s, s->time[i], s->values + (size_t)i * (size_t)s->size, a->json);
        return LMB_OK;
    }
    if (!lmb_option_value(a, "--interpolate") || !lmb_series_covers(s, t))
        return fail_instant(a->context, s, t);
    double *values = calloc((size_t)s->size + 1, sizeof *values);
    if (!values)
        return lmb_fail_memory(a->context);
    lmb_series_interpolate(s, t, values);
    print_instant(s, t, values, a->json);
    free(values);
    return LMB_OK;
}

static lmb_status print_selection(const lmb_arguments *a, const lmb_series *s, double at)
{
    const double *last = s->values + (size_t)(s->count - 1) * (size_t)s->size;
    if (lmb_option_value(a, "--at"))
        return print_at(a, s, at);
    if (lmb_option_value(a, "--first"))
        print_instant(s, s->time[0], s->values, a->json);
    else if (lmb_option_value(a, "--final"))
        print_instant(s, s->time[s->count - 1], last, a->json);
    else
        print_extremes(s, lmb_option_value(a, "--min") != NULL, a->json);
    return LMB_OK;
}

/* Checks that the options go together; *selected tells whether one of them picks instants. */
static lmb_status check_options(const lmb_arguments *a, bool *selected, double *at)
{
    static const char *const names[] = {"--at", "--first", "--final", "--min", "--max"};
    const char *before = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!lmb_option_value(a, names[i]))
            continue;
        if (before)
            return lmb_fail(a->context, LMB_USAGE, "%s and %s do not go together", before,
                            names[i]);
        before = names[i];
    }
    *selected = before != NULL;
    if (!lmb_option_value(a, "--at") && lmb_option_value(a, "--interpolate"))
        return lmb_fail(a->context, LMB_USAGE, "--interpolate needs --at T");
    return lmb_typed_option(a, "--at", at, NULL);
}

static lmb_status run(const lmb_arguments *a)
{
    bool selected = false;
    double at = 0;
    lmb_status status = check_options(a, &selected, &at);
    if (status != LMB_OK)
        return status;
    lmb_result *result;
    status = lmb_result_open(&result, a->context, a->words[0]);
    if (status != LMB_OK)
        return status;
    lmb_series series;
    status = lmb_result_read(result, a->context, a->words[1], &series);
    if (status == LMB_OK) {
        if (!selected)
            print_all(&series, a->json);
        else if (series.count == 0)
            status = lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has no instants in it", a->words[1]);
        else
            status = print_selection(a, &series, at);
        lmb_series_free(&series);
    }
    lmb_result_close(result);
    return status;
}

static const lmb_option options[] = {
    {"--at", NULL, "T", false,
     "The values at time T (or speed, place), which must be a stored instant."},
    {"--first", NULL, NULL, false, "The values at the first instant."},
    {"--final", NULL, NULL, false, "The values at the last instant."},
    {"--min", NULL, NULL, false, "The smallest value and its time, one line per component."},
    {"--max", NULL, NULL, false, "The largest value and its time, one line per component."},
    {"--interpolate", NULL, NULL, false,
     "With --at: T may lie between instants; a cubic goes through the four nearest."},
    {"--json", NULL, NULL, false, "Prints JSON instead of plain numbers."},
    {0}};

const lmb_verb lmb_verb_get = {
    .name = "get",
    .usage = "RESULT CHANNEL [--at T [--interpolate] | --first | --final | --min | --max] "
             "[--json]",
    .summary = "Prints the numbers of a channel.",
    .doc = "Prints the numbers of a channel, with all 17 digits: one line per instant, the time "
           "and then the values. An option picks one instant, whose values are then printed "
           "alone. In the place of the time stands what the analysis is over, where that is "
           "something else (see `limber list`): the number of a mode, the speed of a rotor, a "
           "place along it. JSON calls it by that name.\n\n"
           "A component of a channel is asked for with its letter, as in crank.position.x; a "
           "channel of another analysis than the last one with its name in front, as in "
           "swing/crank.position. `limber list` shows the channels.",
    .examples = "limber get slider-crank.h5 slider.position.x\n"
                "limber get slider-crank.h5 main.torque --at 0.25\n"
                "limber get slider-crank.h5 wrist.force --max\n",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
