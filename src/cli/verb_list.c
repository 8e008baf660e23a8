/* limber list: the channels of a result. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "channels/component.h"
#include "cli/print.h"
#include "limber/result.h"

static lmb_status print_table(const lmb_arguments *arguments, const lmb_result *result)
{
    lmb_sheet sheet = lmb_sheet_start(arguments->arena, "Channels");
    lmb_sheet_table_add(&sheet, NULL, "channel|unit|shape|meaning");
    int analyses = lmb_result_analysis_count(result);
    for (int a = 0; a < analyses; a++)
        for (int i = 0; i < lmb_result_channel_count(result, a); i++) {
            const lmb_channel *c = lmb_result_channel(result, a, i);
            int nodes = lmb_channel_nodes(c);
            lmb_sheet_row(&sheet, "%s%s%s|%s|%d%s%s|%s",
                          analyses > 1 ? lmb_result_analysis_name(result, a) : "",
                          analyses > 1 ? "/" : "", c->name, c->unit[0] ? c->unit : "-",
                          nodes > 1 ? nodes : c->size,
                          nodes > 1          ? " x "
                          : c->components[0] ? " "
                                             : "",
                          c->components, c->doc);
        }
    for (int a = 0; a < analyses; a++) {
        const lmb_channel *over = lmb_result_over(result, a);
        if (strcmp(over->name, "time") != 0)
            lmb_sheet_say(&sheet, "'%s' is over %s%s%s, not over time",
                          lmb_result_analysis_name(result, a), over->name,
                          over->unit[0] ? " in " : "", over->unit);
    }
    lmb_status status = lmb_sheet_print(arguments, &sheet);
    if (!status)
        lmb_sheet_print_words(&sheet);
    return status;
}

static void print_json(const lmb_result *result)
{
    lmb_json json = lmb_json_start_object(stdout);
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
    lmb_json_end(&json);
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
        status = print_table(arguments, result);
    if (lmb_result_analysis_count(result) == 0)
        lmb_warn(arguments->context, "'%s' has no results in it yet", arguments->words[0]);
    lmb_result_close(result);
    return status;
}

static const lmb_option options[] = {{"--json", "Prints JSON instead of a table."}, {0}};

const lmb_verb lmb_verb_list = {
    .name = "list",
    .usage = "RESULT [--json]",
    .summary = "Lists the channels of a result.",
    .doc =
        "Lists the channels of a result: name, unit, numbers per instant (with a letter for each, "
        "and \"9 x xyz\" over nine nodes) and description.\n\nIf the result has several analyses, "
        "the name of the analysis stands "
        "in front of the channel, as in swing/crank.angle; without it the last analysis is meant. "
        "Analyses that are not over time (modes, rotors over speed) are listed at the end.",
    .examples = "limber list slider-crank.h5\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
