/* limber sweep: a model over many values of its parameters; limber tolerance: how results scatter.
 */
#include <stdio.h>

#include "cli/print.h"
#include "cli/studies.h"

/* --- limber sweep ----------------------------------------------------------------------------- */

static void fill_sweep(lmb_study_verb *v)
{
    lmb_swept_sheet(&v->sheet, *(lmb_swept **)v->results);
}

static void put_runs(lmb_json *json, const lmb_swept *s)
{
    size_t n = (size_t)s->variable_count, m = (size_t)s->objective_count;
    lmb_json_texts(json, "variables", n, s->variables);
    lmb_json_texts(json, "objectives", m, s->objectives);
    lmb_json_open(json, "runs", '[');
    for (int k = 0; k < s->count; k++) {
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_numbers(json, "at", n, s->x + (size_t)k * n);
        lmb_json_numbers(json, "values", m, s->values + (size_t)k * m);
        if (s->failures[k])
            lmb_json_text(json, "failure", s->failures[k]);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void put_scatters(lmb_json *json, const lmb_swept *s)
{
    lmb_json_open(json, "statistics", '{');
    for (int i = 0; i < s->objective_count && s->scatters; i++) {
        const lmb_scatter *c = &s->scatters[i];
        lmb_json_open(json, s->objectives[i], '{');
        lmb_json_put(json, "runs %d, mean %g, mean_error %g, deviation %g, deviation_error %g",
                     c->count, c->mean, c->mean_error, c->deviation, c->deviation_error);
        lmb_json_put(json, "least %g, low %g, median %g, high %g, largest %g", c->least, c->low,
                     c->median, c->high, c->largest);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void print_sweep(const lmb_swept *s)
{
    lmb_json json = lmb_json_start_object(stdout);
    put_runs(&json, s);
    put_scatters(&json, s);
    lmb_json_integer(&json, "failed", s->failure_count);
    lmb_json_end(&json);
}

/* Makes either study. */
static lmb_status run_kind(const lmb_arguments *a, lmb_study_kind kind,
                           lmb_status (*make)(lmb_swept **, lmb_context *, const lmb_spec *,
                                              const lmb_study_options *),
                           void (*fill)(lmb_study_verb *), void (*print)(const lmb_swept *))
{
    lmb_swept *swept = NULL;
    lmb_study_verb v = {.results = &swept, .fill = fill};
    lmb_status status = lmb_study_start(&v, a, kind);
    if (status)
        return status;
    status = lmb_study_ended(&v, make(&swept, a->context, v.spec, &v.options));
    if (!status && a->json)
        print(swept);
    if (!status)
        status = lmb_study_files(&v);
    lmb_swept_free(swept);
    return status;
}

static lmb_status run_sweep(const lmb_arguments *a)
{
    return run_kind(a, LMB_STUDY_SWEEP, lmb_sweep, fill_sweep, print_sweep);
}

#define FILES                                                                                      \
    {                                                                                              \
        "-o, --output FILE ...",                                                                   \
            "Where the study is kept (.h5; default: MODEL-STUDY.h5 in this folder), and further "  \
            "files: a page with all of it (.html), its first figure (.svg, .pdf, .png), the "      \
            "table "                                                                               \
            "of all runs (.csv)."                                                                  \
    }

static const lmb_option options[] = {
    FILES,
    LMB_STUDY_OPTIONS,
    {0},
};

const lmb_verb lmb_verb_sweep = {
    .name = "sweep",
    .usage = "MODEL [--study NAME] [-o FILE]... [--set NAME=VALUE]... [--trust] [--jobs N] "
             "[--resume] [--wait] "
             "[--quiet] [--json]",
    .summary = "Runs a model over many values of its parameters.",
    .doc = "Makes a study of type sweep: runs a model with all combinations of values of "
           "parameters, with lists of them, or with values that are spread or drawn (Latin "
           "hypercube, Monte Carlo), and tabulates its objectives. Runs that fail are recorded "
           "with their message.\n\n"
           "Sample number k depends on the seed and on k alone, and the numbers do not depend on "
           "how many threads (--jobs) there are.",
    .examples = "limber sweep half-car.yaml --study dampers -o dampers.html -o dampers.csv\n"
                "limber sweep rig.yaml --jobs 2 --json\n"
                "limber plot half-car-dampers.h5 comfort --versus design.cf -o comfort.svg\n",
    .words = {1, 1},
    .options = options,
    .run = run_sweep,
};

/* --- limber tolerance ------------------------------------------------------------------------- */

static void fill_tolerance(lmb_study_verb *v)
{
    lmb_tolerance_sheet(&v->sheet, *(lmb_swept **)v->results);
}

static void print_tolerance(const lmb_swept *s)
{
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_open(&json, "budgets", '{');
    for (int i = 0; i < s->objective_count; i++) {
        lmb_json_open(&json, s->objectives[i], '{');
        lmb_json_put(&json, "value %g, deviation %g", s->nominal[i], s->budget[i]);
        lmb_json_open(&json, "contributions", '{');
        for (int v = 0; v < s->variable_count; v++)
            lmb_json_number(&json, s->variables[v],
                            fabs(s->slopes[i * s->variable_count + v]) * s->deviations[v]);
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    put_scatters(&json, s);
    lmb_json_integer(&json, "failed", s->failure_count);
    lmb_json_end(&json);
}

static lmb_status run_tolerance(const lmb_arguments *a)
{
    return run_kind(a, LMB_STUDY_TOLERANCE, lmb_tolerance, fill_tolerance, print_tolerance);
}

const lmb_verb lmb_verb_tolerance = {
    .name = "tolerance",
    .usage = "MODEL [--study NAME] [-o FILE]... [--set NAME=VALUE]... [--trust] [--jobs N] "
             "[--resume] [--wait] "
             "[--quiet] [--json]",
    .summary = "Tells how results scatter with parameters that do.",
    .doc = "Makes a study of type tolerance: how objectives scatter where parameters have "
           "distributions. One gradient gives a budget to first order, which tells how much each "
           "parameter contributes; drawn samples (Monte Carlo) check it, with the error that they "
           "have by chance.",
    .examples = "limber tolerance four-bar.yaml --study play\n"
                "limber tolerance half-car.yaml -o half-car.html\n",
    .words = {1, 1},
    .options = options,
    .run = run_tolerance,
};
