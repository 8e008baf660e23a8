/* limber participation: how much each mode of the flexible bodies took part in an analysis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/typed.h"
#include "result/read.h"
#include "result/record_file.h"

enum { COLUMNS = 6 };

static const char *const names[COLUMNS] = {"frequency", "amplitude", "time",
                                           "energy",    "mean",      "share"};

/* The numbers of a body, a column each. */
typedef struct table {
    const char *body;
    int modes;
    double *columns[COLUMNS];
} table;

static void free_table(table *t)
{
    for (int k = 0; k < COLUMNS; k++)
        free(t->columns[k]);
}

/* Reads the table of a body; false: there is none. */
static bool read_table(const lmb_result *result, int analysis, const char *body, table *t)
{
    *t = (table){.body = body};
    bool there = true;
    for (int k = 0; k < COLUMNS; k++) {
        char name[64];
        int count;
        snprintf(name, sizeof name, "participation/%s", names[k]);
        t->columns[k] = lmb_record_array(result, analysis, body, name, &count);
        there = there && t->columns[k] && (k == 0 || count == t->modes);
        t->modes = count;
    }
    if (!there)
        free_table(t);
    return there;
}

static void print_text(const table *t)
{
    printf("%s\n%-6s %16s %16s %12s %16s %16s %10s\n", t->body, "mode", "frequency (Hz)",
           "amplitude", "at (s)", "energy (J)", "mean (J)", "share");
    for (int i = 0; i < t->modes; i++)
        printf("%-6d %16.9g %16.9g %12.6g %16.9g %16.9g %9.4f%%\n", i + 1, t->columns[0][i],
               t->columns[1][i], t->columns[2][i], t->columns[3][i], t->columns[4][i],
               100 * t->columns[5][i]);
}

static void print_json(lmb_json *json, const table *t)
{
    lmb_json_open(json, NULL, '{');
    lmb_json_text(json, "body", t->body);
    lmb_json_open(json, "modes", '[');
    for (int i = 0; i < t->modes; i++) {
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_integer(json, "number", i + 1);
        for (int k = 0; k < COLUMNS; k++)
            lmb_json_number(json, names[k], t->columns[k][i]);
        lmb_json_close(json);
    }
    lmb_json_close(json);
    lmb_json_close(json);
}

/* Prints all bodies, or the one of a name; how many there were. */
static int print_bodies(const lmb_result *result, int analysis, const char *wanted, lmb_json *json)
{
    static const char end[] = ".modes";
    int printed = 0;
    for (int i = 0; i < lmb_result_channel_count(result, analysis); i++) {
        const char *name = lmb_result_channel(result, analysis, i)->name;
        char body[256];
        table t;
        if (!lmb_ends_with(name, end))
            continue;
        snprintf(body, sizeof body, "%.*s", (int)(strlen(name) - strlen(end)), name);
        bool asked = !wanted || strcmp(wanted, body) == 0;
        if (!asked || !read_table(result, analysis, body, &t))
            continue;
        if (json)
            print_json(json, &t);
        else
            print_text(&t);
        free_table(&t);
        printed++;
    }
    return printed;
}

static lmb_status print(const lmb_arguments *a, const lmb_result *result)
{
    const char *wanted = lmb_option_value(a, "--body");
    int analysis = lmb_result_find_analysis(result, a->context, lmb_option_value(a, "--analysis"));
    if (analysis < 0)
        return LMB_BAD_INPUT;
    lmb_json json = lmb_json_start(stdout);
    if (a->json) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_text(&json, "analysis", lmb_result_analysis_name(result, analysis));
        lmb_json_open(&json, "bodies", '[');
    }
    int printed = print_bodies(result, analysis, wanted, a->json ? &json : NULL);
    if (a->json) {
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
    if (printed > 0)
        return LMB_OK;
    if (wanted)
        return lmb_fail(a->context, LMB_BAD_INPUT,
                        "there is no flexible body '%s' in analysis '%s'", wanted,
                        lmb_result_analysis_name(result, analysis));
    lmb_fail(a->context, LMB_BAD_INPUT, "analysis '%s' has no flexible bodies with modes",
             lmb_result_analysis_name(result, analysis));
    lmb_hint(a->context, "analyses of motion and statics have them");
    return LMB_BAD_INPUT;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_result *result;
    lmb_status status = lmb_result_open(&result, a->context, a->words[0]);
    if (status)
        return status;
    status = print(a, result);
    lmb_result_close(result);
    return status;
}

static const lmb_option options[] = {
    {"--body", NULL, "NAME", false, "This flexible body alone."},
    {"--analysis", NULL, "NAME", false, "Takes this analysis instead of the last one."},
    {"--json", NULL, NULL, false, "Prints JSON instead of a table."},
    {0}};

const lmb_verb lmb_verb_participation = {
    .name = "participation",
    .usage = "RESULT [--body NAME] [--analysis NAME] [--json]",
    .summary = "Prints how much each mode of the flexible bodies took part.",
    .doc = "Prints for each mode of the flexible bodies its frequency, the largest size of its "
           "coordinate and when that was, its largest and its mean elastic energy, and its share "
           "of the mean energy of all modes. Modes without a share can be left out by `keep` in "
           "the `reduction` of the body.",
    .examples = "limber participation crane.h5\nlimber participation crane.h5 --body boom --json\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
