/* limber run: runs the analyses of a model into a result file. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/show.h"
#include "store/body_file.h"
#include "report/rotor_sheet.h"
#include "limber/analysis.h"

static void log_line(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

/* A model that has a rotor and no analyses: what limber rotor -o writes. */
static lmb_status run_rotor(lmb_context *context, const lmb_model *model, const char *path)
{
    lmb_rotor_results *results;
    lmb_status status = lmb_rotor_solve(&results, context, model->rotor, 1);
    if (status)
        return status;
    status = lmb_rotor_write(context, model, results, path);
    lmb_rotor_results_free(results);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    char path[4096];
    const char *given = lmb_option_value(a, "-o");
    bool quiet = lmb_option_value(a, "--quiet") != NULL;
    lmb_model *model;
    lmb_status status = lmb_load_model(a, &model);
    if (status)
        return status;
    if (given)
        snprintf(path, sizeof path, "%s", given);
    else
        lmb_name_after(a->words[0], ".h5", path, sizeof path);
    if (lmb_file_kind_of(path) == LMB_FILE_BODY) {
        lmb_model_free(model);
        lmb_fail(a->context, LMB_USAGE, "'%s' has a reduced body, which results would replace",
                 path);
        lmb_hint(a->context, "choose another name with -o");
        return LMB_USAGE;
    }
    if (lmb_option_value(a, "--verbose"))
        lmb_context_on_log(a->context, log_line, NULL);
    lmb_progress_display display = lmb_progress_start(quiet);
    lmb_context_on_progress(a->context, lmb_progress_show, &display);
    const char **names = lmb_option_values(a, "--analysis");
    bool complete = false;
    bool resumes = lmb_option_value(a, "--resume") != NULL;
    if (model->rotor && model->analysis_count == 0 && !(names && names[0]) && !resumes)
        status = run_rotor(a->context, model, path);
    else
        status = resumes ? lmb_resume(a->context, model, names, path, &complete)
                         : lmb_run(a->context, model, names, path);
    lmb_progress_done(&display);
    lmb_context_on_progress(a->context, NULL, NULL);
    if (complete)
        fprintf(stderr, "%s is complete: there is nothing to resume.\n", path);
    else if (!status && !quiet)
        fprintf(stderr, "Results are in %s; `limber list %s` shows what there is.\n", path, path);
    lmb_model_free(model);
    if (!status && lmb_option_value(a, "--open"))
        status = lmb_show(a->context, path);
    return status;
}

static const lmb_option options[] = {
    {"--output", "-o", "RESULT", false,
     "Where the results go (default: the model's name with .h5, in this folder)."},
    LMB_SET_OPTION,
    {"--analysis", NULL, "NAME", true, "Run this analysis only."},
    {"--resume", NULL, NULL, false,
     "Go on with a run that was interrupted or killed; the other options must be those of then."},
    LMB_CACHE_OPTION,
    {"--verbose", NULL, NULL, false,
     "Show every Newton iteration: residual, worst equation, step."},
    {"--open", NULL, NULL, false, "Show the results in the browser, as limber view does."},
    {"--quiet", NULL, NULL, false, "Show no progress; errors and warnings are still shown."},
    {0},
};

const lmb_verb lmb_verb_run = {
    .name = "run",
    .usage = "MODEL [-o RESULT] [--set NAME=VALUE]... [--analysis NAME]... [--resume] [--no-cache] "
             "[--verbose] [--quiet] [--open]",
    .summary = "Runs the analyses of a model.",
    .doc = "Reads a model file, runs its analyses in order and writes one result file. If an "
           "analysis fails, what it computed up to there is kept and the program ends with code 4."
           "\n\n"
           "A run that was interrupted (Ctrl-C) or killed goes on with --resume. Its results are "
           "then those of a run that was not interrupted, to the last bit.\n\n"
           "A model with a rotor and no analyses gives what `limber rotor MODEL -o RESULT` writes.",
    .examples = "limber run slider-crank.yaml\n"
                "limber run slider-crank.yaml --set omega=20 -o fast.h5\n"
                "limber run four-bar.yaml --verbose\n"
                "limber run long.yaml --resume\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
