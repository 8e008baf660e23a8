/* limber get: the numbers of a channel. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/print.h"
#include "cli/typed.h"
#include "result/series.h"

/* Numbers of one instant, on one line, with 17 significant digits, which give them back exactly. */
static void print_values(const double *values, int size)
{
    for (int k = 0; k < size; k++)
        lmb_print_number(k > 0 ? " " : "", values[k]);
    putchar('\n');
}

static const double *values_at(const lmb_series *s, int i)
{
    return s->values + (size_t)i * (size_t)s->size;
}

/* Starts the JSON of a channel. */
static lmb_json start_json(const lmb_series *s)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_put(&json, "channel %s, unit %s, components %s", s->channel.name, s->channel.unit,
                 s->channel.components);
    return json;
}

static void print_all(const lmb_series *s, bool as_json)
{
    for (int i = 0; !as_json && i < s->count && !ferror(stdout); i++) {
        printf("%.17g ", s->time[i]);
        print_values(values_at(s, i), s->size);
    }
    if (!as_json)
        return;
    lmb_json json = start_json(s);
    lmb_json_numbers(&json, s->over.name, (size_t)s->count, s->time);
    lmb_json_open(&json, "values", '[');
    for (int i = 0; i < s->count; i++)
        lmb_json_numbers(&json, NULL, (size_t)s->size, values_at(s, i));
    lmb_json_end(&json);
}

static void print_instant(const lmb_series *s, double t, const double *values, bool as_json)
{
    int nodes = lmb_channel_nodes(&s->channel), columns = lmb_channel_columns(&s->channel);
    for (int i = 0; !as_json && i < nodes; i++) /* one line per node */
        print_values(values + (size_t)i * (size_t)columns, columns);
    if (!as_json)
        return;
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
        double value = sign * values_at(s, i)[component];
        if (!isnan(value) && (best < 0 || value < sign * values_at(s, best)[component]))
            best = i;
    }
    return best < 0 ? 0 : best;
}

static void print_extremes(const lmb_series *s, bool minimum, bool as_json)
{
    lmb_json json = as_json ? start_json(s) : lmb_json_start(stdout);
    if (as_json)
        lmb_json_open(&json, minimum ? "minimum" : "maximum", '[');
    for (int k = 0; k < s->size; k++) {
        int i = find_extreme(s, k, minimum ? 1 : -1);
        double value = values_at(s, i)[k];
        if (as_json) {
            lmb_json_open_flat(&json, NULL, '{');
            lmb_json_number(&json, "value", value);
            lmb_json_number(&json, s->over.name, s->time[i]);
            lmb_json_close(&json);
        } else {
            print_values((double[]){value, s->time[i]}, 2);
        }
    }
    lmb_json_end(&json);
}

/* The option that picks instants, or NULL; two do not go together. */
static const char *find_selection(const lmb_arguments *a)
{
    static const char *const names[] = {"--at", "--first", "--final", "--min", "--max"};
    const char *selected = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool given = lmb_option_value(a, names[i]);
        lmb_refuse(a, given && selected, "%s and %s do not go together", selected, names[i]);
        selected = given ? names[i] : selected;
    }
    return selected;
}

static lmb_status print_selection(const lmb_arguments *a, const lmb_series *s, const char *selected,
                                  double at)
{
    if (!selected) {
        print_all(s, a->json);
        return LMB_OK;
    }
    if (s->count == 0)
        return lmb_fail(a->context, LMB_BAD_INPUT, "'%s' has no instants in it", a->words[1]);
    if (strcmp(selected, "--min") == 0 || strcmp(selected, "--max") == 0) {
        print_extremes(s, strcmp(selected, "--min") == 0, a->json);
        return LMB_OK;
    }
    int i = strcmp(selected, "--first") == 0   ? 0
            : strcmp(selected, "--final") == 0 ? s->count - 1
                                               : lmb_series_at(s, at);
    if (i < 0 && (!lmb_option_value(a, "--interpolate") || !lmb_series_covers(s, at))) {
        lmb_status status = lmb_series_fail_instant(s, a->context, at);
        if (lmb_series_covers(s, at))
            lmb_hint(a->context, "--interpolate gives a value in between");
        return status;
    }
    double *between = lmb_arena_numbers(a->arena, (size_t)s->size + 1);
    if (!between)
        return lmb_fail_memory(a->context);
    if (i < 0)
        lmb_series_interpolate(s, at, between);
    print_instant(s, i < 0 ? at : s->time[i], i < 0 ? between : values_at(s, i), a->json);
    return LMB_OK;
}

static lmb_status run(const lmb_arguments *a)
{
    double at = 0;
    const char *selected = find_selection(a);
    lmb_refuse(a, !lmb_option_value(a, "--at") && lmb_option_value(a, "--interpolate"),
               "--interpolate needs --at T");
    lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &at);
    lmb_span span = lmb_typed_span(a);
    lmb_refuse(a, lmb_option_value(a, "--at") && !lmb_span_is_all(span),
               "--at and --from or --to do not go together");
    lmb_result *result = NULL;
    lmb_series series = {0};
    lmb_status status = *a->status;
    if (!status && !(status = lmb_result_open(&result, a->context, a->words[0])) &&
        !(status = lmb_result_read(result, a->context, a->words[1], &series)) &&
        !(status = lmb_series_cut(&series, a->context, span)))
        status = print_selection(a, &series, selected, at);
    lmb_series_free(&series);
    lmb_result_close(result);
    return status;
}

static const lmb_option options[] = {
    {"--at T", "The values at time T (or speed, place), which must be a stored instant."},
    {"--first", "The values at the first instant."},
    {"--final", "The values at the last instant."},
    {"--min", "The smallest value and its time, one line per component."},
    {"--max", "The largest value and its time, one line per component."},
    {"--interpolate",
     "With --at: T may lie between instants; a cubic goes through the four nearest."},
    LMB_SPAN_OPTIONS("Takes the instants"),
    {"--json", "Prints JSON instead of plain numbers."},
    {0}};

const lmb_verb lmb_verb_get = {
    .name = "get",
    .usage = "RESULT CHANNEL [--at T [--interpolate] | --first | --final | --min | --max] "
             "[--from T] [--to T] [--json]",
    .summary = "Prints the numbers of a channel.",
    .doc =
        "Prints the numbers of a channel, with all 17 digits: one line per instant, the time "
        "and then the values. An option picks one instant, whose values are then printed alone. "
        "For analyses not over time (see `limber list`) the first column is the mode number, "
        "the rotor speed or the position along the shaft, and JSON uses that name.\n\nA "
        "component of a channel is selected by its letter, as in crank.position.x. Channels over "
        "nodes have one line per node; arm.nodes.7 is that of node 7, arm.nodes.x the x of all "
        "nodes. A channel of an analysis other than the last one by the name of the analysis in "
        "front, as in "
        "swing/crank.position. `limber list` shows the channels.",
    .examples = "limber get slider-crank.h5 slider.position.x\n"
                "limber get slider-crank.h5 main.torque --at 0.25\n"
                "limber get slider-crank.h5 wrist.force --max\n"
                "limber get hub.h5 hub.stress.max --max --from 2\n",
    .words = {2, 2},
    .options = options,
    .shows_results = true,
    .run = run,
};
