/* limber compare: how far apart two results are, or a result and a measurement. */
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/typed.h"

enum { DIFFERENT = 1 }; /* the exit code when a difference is above the tolerance */

typedef struct difference {
    const char *name, *unit;
    const char *over; /* "time", or what the channel is over */
    lmb_deviation of;
} difference;

typedef struct comparison {
    const lmb_arguments *arguments;
    lmb_result *a;
    lmb_counterpart *b;
    int count;
    difference *list;
    bool unmatched; /* something could not be compared */
} comparison;

/* Compares a channel that both have. */
static lmb_status compare_channel(comparison *c, const char *name)
{
    lmb_series a = {0}, b = {0};
    double gap;
    lmb_context *context = c->arguments->context;
    lmb_status status = lmb_result_read(c->a, context, name, &a);
    if (!status)
        status = lmb_counterpart_read(c->b, name, &b, &gap);
    if (!status && a.size != b.size) {
        lmb_warn(context, "'%s' has %d numbers an instant in one file and %d in the other", name,
                 a.size, b.size);
        c->unmatched = true;
    } else if (!status) {
        c->list = lmb_arena_append(c->arguments->arena, c->list, c->count, sizeof *c->list);
        difference d = {.name = name, .unit = a.channel.unit, .over = a.over.name};
        status = c->list ? lmb_counterpart_compare(c->b, name, &a, &b, gap, &d.of)
                         : lmb_fail_memory(context);
        if (!status)
            c->list[c->count++] = d;
    }
    lmb_series_free(&a);
    lmb_series_free(&b);
    return status;
}

/* A name as one typed it. A table may have a channel in several columns, a component each. */
static lmb_status compare_word(comparison *c, const char *word)
{
    if (!lmb_counterpart_is_table(c->b) || lmb_counterpart_has(c->b, word))
        return compare_channel(c, word);
    size_t length = strlen(word);
    int before = c->count;
    lmb_status status = LMB_OK;
    for (int i = 0; i < lmb_counterpart_count(c->b) && !status; i++) {
        const char *column = lmb_counterpart_name(c->b, i);
        if (strncmp(column, word, length) == 0 && column[length] == '.' &&
            !strchr(column + length + 1, '.') && lmb_result_has(c->a, word) &&
            lmb_result_has(c->a, column))
            status = compare_channel(c, column);
    }
    return c->count > before || status ? status : compare_channel(c, word);
}

/* Names that only one of the two has; the first few are listed. */
typedef struct missing {
    int count;
    char names[160];
} missing;

static void add_missing(missing *m, const char *name)
{
    size_t used = strlen(m->names);
    if (++m->count <= 3)
        snprintf(m->names + used, sizeof m->names - used, "%s%.40s", m->count > 1 ? ", " : "",
                 name);
}

static void tell_missing(comparison *c, const missing *m, const char *path)
{
    if (m->count == 0)
        return;
    c->unmatched = true;
    lmb_warn(c->arguments->context, "%d channel%s only in '%s': %s%s", m->count,
             m->count > 1 ? "s are" : " is", path, m->names, m->count > 3 ? ", ..." : "");
}

/* Compares all that both have. A table need not have all channels of a result. */
static lmb_status compare_common(comparison *c)
{
    const lmb_arguments *arguments = c->arguments;
    bool table = lmb_counterpart_is_table(c->b);
    missing first = {0}, second = {0};
    lmb_status status = LMB_OK;
    for (int i = 0; i < lmb_counterpart_count(c->b) && !status; i++) {
        const char *name = lmb_counterpart_name(c->b, i);
        if (lmb_result_has(c->a, name))
            status = compare_channel(c, name);
        else
            add_missing(&second, name);
    }
    if (status)
        return status;
    int last = lmb_result_analysis_count(c->a) - 1;
    for (int i = 0; !table && i < lmb_result_channel_count(c->a, last); i++) {
        const char *name = lmb_result_channel(c->a, last, i)->name;
        if (!lmb_counterpart_has(c->b, name))
            add_missing(&first, name);
    }
    tell_missing(c, &first, arguments->words[0]);
    tell_missing(c, &second, arguments->words[1]);
    if (lmb_counterpart_report_unmatched(c->b))
        c->unmatched = true;
    if (c->count == 0)
        return lmb_fail(arguments->context, LMB_BAD_INPUT,
                        "the two files have no channel in common");
    return LMB_OK;
}

static lmb_status print_table(const comparison *c)
{
    lmb_sheet sheet = lmb_sheet_start(c->arguments->arena, "Differences");
    const char *over = c->count > 0 ? c->list[0].over : "time";
    for (const difference *d = c->list; d < c->list + c->count; d++)
        over = strcmp(over, d->over) == 0 ? over : "place";
    lmb_sheet_table_add(&sheet, NULL, "channel|unit|largest|rms");
    lmb_sheet_columns(&sheet, lmb_text_format(sheet.arena, "%s of largest", over));
    for (const difference *d = c->list; d < c->list + c->count; d++) {
        const double numbers[] = {d->of.largest, d->of.rms, d->of.at};
        lmb_sheet_row(&sheet, "%s|%s", d->name, d->unit[0] ? d->unit : "-");
        for (int k = 0; k < 3; k++) /* infinite ones, too */
            lmb_sheet_cells(&sheet, "%s", lmb_text_format(sheet.arena, "%.10g", numbers[k]));
    }
    return lmb_sheet_print(c->arguments, &sheet);
}

static void print_json(const comparison *c)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_open(&json, "channels", '[');
    for (const difference *d = c->list; d < c->list + c->count; d++) {
        lmb_json_open_flat(&json, NULL, '{');
        lmb_json_put(&json, "name %s, unit %s, largest %g, rms %g", d->name, d->unit, d->of.largest,
                     d->of.rms);
        lmb_json_number(&json, d->over, d->of.at);
        lmb_json_close(&json);
    }
    lmb_json_end(&json);
}

/* Prints what was found; the status says whether all is within the tolerance. */
static lmb_status conclude(const comparison *c, double tolerance)
{
    lmb_context *context = c->arguments->context;
    lmb_status status = LMB_OK;
    bool above = c->unmatched;
    const difference *interpolated = NULL;
    for (const difference *d = c->list; d < c->list + c->count; d++) {
        above = above || d->of.largest > tolerance;
        interpolated = d->of.interpolated && !interpolated ? d : interpolated;
    }
    if (interpolated)
        lmb_warn(
            context,
            "the instants differ: '%s' is interpolated at those of '%s' from %s = %.9g to %.9g",
            c->arguments->words[1], c->arguments->words[0],
            strcmp(interpolated->over, "time") == 0 ? "t" : interpolated->over,
            interpolated->of.from, interpolated->of.to);
    if (!c->arguments->json)
        status = print_table(c);
    else
        print_json(c);
    return !status && above && tolerance >= 0 ? (lmb_status)DIFFERENT : status;
}

static lmb_status run(const lmb_arguments *a)
{
    comparison c = {.arguments = a};
    double tolerance = -1;
    lmb_compare_with with = lmb_typed_counterpart(a, a->words[1]);
    lmb_typed_number(a, "--tolerance", 0, &tolerance);
    lmb_status status = *a->status;
    if (!status && !(status = lmb_result_open(&c.a, a->context, a->words[0])))
        status = lmb_counterpart_open(&c.b, a->context, c.a, &with);
    for (int i = 2; i < a->count && !status; i++)
        status = compare_word(&c, a->words[i]);
    if (!status && a->count == 2)
        status = compare_common(&c);
    if (!status)
        status = conclude(&c, tolerance);
    lmb_counterpart_close(c.b);
    lmb_result_close(c.a);
    return status;
}

static const lmb_option options[] = {
    {"--tolerance X",
     "Exits with code 1 if a difference is larger than X or a channel has no counterpart."},
    LMB_COUNTERPART_OPTIONS,
    {"--json", "Prints JSON instead of a table."},
    {0}};

const lmb_verb lmb_verb_compare = {
    .name = "compare",
    .usage = "RESULT FILE [CHANNEL...] [--column COLUMN=CHANNEL] [--shift S] [--rate F] "
             "[--tolerance X] [--json]",
    .summary = "Prints differences of two results, or of a result and a table.",
    .doc = "Shows the largest and the root-mean-square difference of each channel, over its "
           "components, and the time of the largest one. Without channels, the common channels of "
           "the last analyses are compared.\n\nFILE is another result, or a measurement: a table "
           "as loggers write it (CSV with any separator, decimal commas, lines above the numbers, "
           "units, stamps of date and time) or a sound file. Its columns are channels or "
           "components (crank.position.x) if they have such names, or if --column says so; units "
           "such as deg, mm or rpm are converted. It need not have all channels.\n\nIf the two "
           "were stored at different instants, the second one is interpolated at those of the "
           "first, within the common time span, but not across gaps of a measurement.",
    .examples = "limber compare coarse.h5 fine.h5\n"
                "limber compare old.h5 new.h5 slider.position main.torque --tolerance 1e-9\n"
                "limber compare ride.h5 measured.csv --shift 0.35\n"
                "limber compare ride.h5 measured.csv --column \"Winkel=swing.angle\"\n",
    .words = {2, -1},
    .options = options,
    .shows_results = true,
    .run = run,
};
