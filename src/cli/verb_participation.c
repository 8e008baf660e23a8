/* limber participation: how much each mode of the flexible bodies took part in an analysis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/print.h"
#include "cli/typed.h"
#include "result/read.h"
#include "result/write.h"

enum { COLUMNS = 6 };

static const char *const names[COLUMNS] = {"frequency", "amplitude", "time",
                                           "energy",    "mean",      "share"};

/* Says which instants count, unless all do. */
static void print_span(const lmb_result *result, int analysis, const char *body)
{
    int count;
    double *limits = lmb_record_array(result, analysis, body, "participation/span", &count);
    char text[96];
    if (limits && count == 2) {
        lmb_span_text((lmb_span){isnan(limits[0]) ? -HUGE_VAL : limits[0],
                                 isnan(limits[1]) ? HUGE_VAL : limits[1]},
                      "t", text);
        printf("%s\n", text);
    }
    free(limits);
}

/* Print the tables of a body, as text or JSON. Returns false if the body has none, or if a number
 * is not finite (*status). */
static bool print_body(const lmb_result *result, int analysis, const char *body, lmb_json *json,
                       lmb_context *context, lmb_status *status)
{
    double *of[COLUMNS];
    int modes = -1;
    bool there = true;
    for (int k = 0; k < COLUMNS; k++) {
        char name[64];
        int count;
        snprintf(name, sizeof name, "participation/%s", names[k]);
        of[k] = lmb_record_array(result, analysis, body, name, &count);
        there = there && of[k] && (k == 0 || count == modes);
        modes = count;
        if (there && !*status)
            *status = lmb_check_finite(context, body, names[k], (size_t)modes, of[k]);
    }
    there = there && !*status;
    if (there && json) {
        lmb_json_open(json, NULL, '{');
        lmb_json_text(json, "body", body);
        lmb_json_open(json, "modes", '[');
    } else if (there) {
        print_span(result, analysis, body);
        lmb_print_line("", body);
        printf("%-6s %16s %16s %12s %16s %16s %10s\n", "mode", "frequency (Hz)", "amplitude",
               "at (s)", "energy (J)", "mean (J)", "share");
    }
    for (int i = 0; there && i < modes; i++)
        if (json)
            lmb_json_object(
                json, NULL,
                "number %d, frequency %g, amplitude %g, time %g, energy %g, mean %g, share %g",
                i + 1, of[0][i], of[1][i], of[2][i], of[3][i], of[4][i], of[5][i]);
        else
            printf("%-6d %16.9g %16.9g %12.6g %16.9g %16.9g %9.4f%%\n", i + 1, of[0][i], of[1][i],
                   of[2][i], of[3][i], of[4][i], 100 * of[5][i]);
    if (there && json) {
        lmb_json_close(json);
        lmb_json_close(json);
    }
    for (int k = 0; k < COLUMNS; k++)
        free(of[k]);
    return there;
}

/* Prints all bodies, or the one of a name. */
static lmb_status print(const lmb_arguments *a, const lmb_result *result, int analysis)
{
    static const char end[] = ".modes";
    const char *wanted = lmb_option_value(a, "--body");
    const char *of = lmb_result_analysis_name(result, analysis);
    int printed = 0;
    lmb_status status = LMB_OK;
    lmb_json json = lmb_json_start(stdout);
    if (a->json) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_text(&json, "analysis", of);
        lmb_json_open(&json, "bodies", '[');
    }
    for (int i = 0; i < lmb_result_channel_count(result, analysis); i++) {
        const char *name = lmb_result_channel(result, analysis, i)->name;
        char body[256];
        if (!lmb_ends_with(name, end))
            continue;
        snprintf(body, sizeof body, "%.*s", (int)(strlen(name) - strlen(end)), name);
        if (!wanted || strcmp(wanted, body) == 0)
            printed +=
                print_body(result, analysis, body, a->json ? &json : NULL, a->context, &status);
    }
    lmb_json_end(&json);
    if (printed > 0 || status)
        return status;
    if (wanted)
        return lmb_fail(a->context, LMB_BAD_INPUT,
                        "there is no flexible body '%s' in analysis '%s'", wanted, of);
    return lmb_fail_hint(a->context, "analyses of motion and statics have them",
                         "analysis '%s' has no flexible bodies with modes", of);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_result *result;
    lmb_status status = lmb_result_open(&result, a->context, a->words[0]);
    if (status)
        return status;
    int analysis = lmb_result_find_analysis(result, a->context, lmb_option_value(a, "--analysis"));
    status = analysis < 0 ? LMB_BAD_INPUT : print(a, result, analysis);
    lmb_result_close(result);
    return status;
}

static const lmb_option options[] = {
    {"--body NAME", "This flexible body alone."},
    {"--analysis NAME", "Takes this analysis instead of the last one."},
    {"--json", "Prints JSON instead of a table."},
    {0}};

const lmb_verb lmb_verb_participation = {
    .name = "participation",
    .usage = "RESULT [--body NAME] [--analysis NAME] [--json]",
    .summary = "Prints the participation of the modes of flexible bodies.",
    .doc = "Prints for each mode of the flexible bodies its frequency, the largest magnitude of "
           "its coordinate and its time, its largest and its mean strain energy, and its share of "
           "the mean energy of all modes. Modes with a negligible share can be left out by `keep` "
           "in the `reduction` of the body.",
    .examples = "limber participation crane.h5\nlimber participation crane.h5 --body boom --json\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
