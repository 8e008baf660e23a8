/* limber list: the channels of a result. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "limber/result.h"

enum { COLUMNS = 4, NAME_ROOM = 256 };

/* The cells of a row; the first one is written into `name`, the third into `shape`. */
static void fill_row(const lmb_result *result, int analysis, int channel, char name[NAME_ROOM],
                     char shape[32], const char *row[COLUMNS])
{
    const lmb_channel *c = lmb_result_channel(result, analysis, channel);
    bool several = lmb_result_analysis_count(result) > 1;
    snprintf(name, NAME_ROOM, "%s%s%s", several ? lmb_result_analysis_name(result, analysis) : "",
             several ? "/" : "", c->name);
    snprintf(shape, 32, "%d%s%s", c->size, c->components[0] ? " " : "", c->components);
    row[0] = name;
    row[1] = c->unit[0] ? c->unit : "-";
    row[2] = shape;
    row[3] = c->doc;
}

static void widen(int widths[COLUMNS], const char *const row[COLUMNS])
{
    for (int k = 0; k < COLUMNS; k++) {
        int width = lmb_text_width(row[k]);
        widths[k] = width > widths[k] ? width : widths[k];
    }
}

static void print_row(const int widths[COLUMNS], const char *const row[COLUMNS])
{
    for (int k = 0; k + 1 < COLUMNS; k++) {
        lmb_print_padded(stdout, row[k], widths[k]);
        fputs("  ", stdout);
    }
    printf("%s\n", row[COLUMNS - 1]);
}

static void print_table(const lmb_result *result)
{
    static const char *const head[COLUMNS] = {"channel", "unit", "shape", "meaning"};
    char name[NAME_ROOM], shape[32];
    const char *row[COLUMNS];
    int widths[COLUMNS] = {0};
    widen(widths, head);
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int c = 0; c < lmb_result_channel_count(result, a); c++) {
            fill_row(result, a, c, name, shape, row);
            widen(widths, row);
        }
    print_row(widths, head);
    for (int a = 0; a < lmb_result_analysis_count(result); a++)
        for (int c = 0; c < lmb_result_channel_count(result, a); c++) {
            fill_row(result, a, c, name, shape, row);
            print_row(widths, row);
        }
    for (int a = 0; a < lmb_result_analysis_count(result); a++) {
        const lmb_channel *over = lmb_result_over(result, a);
        if (strcmp(over->name, "time") != 0)
            printf("%s'%s' is over %s%s%s, not over time\n", a == 0 ? "\n" : "",
                   lmb_result_analysis_name(result, a), over->name, over->unit[0] ? " in " : "",
                   over->unit);
    }
}

static void print_json(const lmb_result *result)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_open(&json, "analyses", '[');
    for (int a = 0; a < lmb_result_analysis_count(result); a++) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_text(&json, "name", lmb_result_analysis_name(result, a));
        lmb_json_object(&json, "over", "name %s, unit %s", lmb_result_over(result, a)->name,
                        lmb_result_over(result, a)->unit);
        lmb_json_open(&json, "channels", '[');
        for (int i = 0; i < lmb_result_channel_count(result, a); i++) {
            const lmb_channel *c = lmb_result_channel(result, a, i);
            lmb_json_object(&json, NULL, "name %s, unit %s, size %d, components %s, meaning %s",
                            c->name, c->unit, c->size, c->components, c->doc);
        }
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_close(&json);
}

static lmb_status run(const lmb_arguments *arguments)
{
    lmb_result *result;
    lmb_status status = lmb_result_open(&result, arguments->context, arguments->words[0]);
    if (status != LMB_OK)
        return status;
    if (arguments->json)
        print_json(result);
    else
        print_table(result);
    if (lmb_result_analysis_count(result) == 0)
        lmb_warn(arguments->context, "'%s' has no results in it yet", arguments->words[0]);
    lmb_result_close(result);
    return LMB_OK;
}

static const lmb_option options[] = {
    {"--json", NULL, NULL, false, "Prints JSON instead of a table."}, {0}};

const lmb_verb lmb_verb_list = {
    .name = "list",
    .usage = "RESULT [--json]",
    .summary = "Lists the channels of a result.",
    .doc = "Lists the channels of a result: what `limber get` calls them, their unit, how many "
           "numbers they have at an instant (with a letter for each), and what they mean.\n\n"
           "If the result has several analyses, the name of the analysis stands in front of the "
           "channel, as in swing/crank.angle; without it the last analysis is meant. Analyses that "
           "are "
           "not over time (modes, rotors over speed) are told at the end.",
    .examples = "limber list slider-crank.h5\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
