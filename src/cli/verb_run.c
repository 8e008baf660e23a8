/* limber run: runs the analyses of a model into a result file. */
#include <stdio.h>
#include <string.h>

#include "base/claim.h"
#include "cli/load.h"
#include "cli/print.h"
#include "limber/analysis.h"
#include "limber/rotor.h"
#include "system/saddle.h"

static void log_line(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

/* A model that has a rotor and no analyses: what limber rotor -o writes. */
static lmb_status run_rotor(lmb_context *context, const lmb_model *model, const char *path)
{
    lmb_rotor_found *rotor;
    lmb_status status = lmb_rotor_find(&rotor, context, model, NULL);
    if (!status)
        status = lmb_rotor_save(context, rotor, path);
    lmb_rotor_free(rotor);
    return status;
}

/* The analyses of the model, or those that were named, from the beginning or where they stopped. */
static lmb_status run_model(const lmb_arguments *a, const lmb_model *model, const char *path,
                            bool *complete)
{
    const char **names = lmb_option_values(a, "--analysis");
    if (lmb_option_value(a, "--resume"))
        return lmb_resume(a->context, model, names, path, complete);
    if (model->rotor && model->analysis_count == 0 && !names[0])
        return run_rotor(a->context, model, path);
    return lmb_run(a->context, model, names, path);
}

/* --solver and --threads: for all analyses, whatever the model says. */
static void choose_solver(const lmb_arguments *a, lmb_model *model)
{
    const char *name = lmb_option_value(a, "--solver");
    int threads = lmb_typed_threads(a, "--threads");
    const lmb_saddle_family *family = lmb_saddle_families;
    while (name && family->name && strcmp(family->name, name) != 0)
        family++;
    bool automatic = name && strcmp(name, "auto") == 0;
    if (lmb_refuse(a, name && !automatic && !family->name, "there is no solver '%s'", name))
        lmb_hint(a->context, "there are auto, tree, klu, schur and dense");
    for (int i = 0; i < model->analysis_count; i++) {
        if (name)
            model->analyses[i].solver = automatic ? NULL : family;
        if (threads > 0)
            model->analyses[i].threads = threads;
    }
}

static lmb_status run(const lmb_arguments *a)
{
    const char *given = lmb_option_value(a, "-o");
    const char *path = given ? given : lmb_name_after(a, a->words[0], ".h5");
    bool quiet = lmb_option_value(a, "--quiet") != NULL, complete = false;
    lmb_model *model;
    lmb_status status = *a->status;
    if (!status && !lmb_option_value(a, "--wait")) /* not after long reductions alone */
        status = lmb_claim_check(a->context, path);
    if (!status)
        status = lmb_load_model(a, &model);
    if (status)
        return status;
    if (lmb_refuse(a, lmb_file_kind_of(a->context, path) == LMB_FILE_BODY,
                   "'%s' has a reduced body, which results would replace", path))
        lmb_hint(a->context, "choose another name with -o");
    model->span = lmb_typed_span(a);
    choose_solver(a, model);
    lmb_refuse(a, model->analysis_count == 0 && !lmb_span_is_all(model->span),
               "--from and --to are for envelopes of analyses, and the model has none");
    if (*a->status)
        return *a->status;
    if (lmb_option_value(a, "--verbose"))
        lmb_context_on_log(a->context, log_line, NULL);
    lmb_progress_start(a->context, quiet);
    status = run_model(a, model, path, &complete);
    lmb_progress_done(a->context);
    if (complete)
        fprintf(stderr, "%s is complete: there is nothing to resume.\n", path);
    else if (!status && !quiet)
        fprintf(stderr, "Results are in %s; `limber list %s` lists the channels.\n", path, path);
    if (!status && lmb_option_value(a, "--open"))
        status = lmb_show(a, path);
    return status;
}

static const lmb_option options[] = {
    {"-o, --output RESULT",
     "Where the results go (default: the model's name with .h5, in this folder)."},
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {"--analysis NAME ...", "Run this analysis only."},
    {"--resume",
     "Continue a run that was interrupted or killed; the other options must be unchanged."},
    {LMB_WAIT_OPTION},
    LMB_SPAN_OPTIONS("Envelopes of stresses and participation of modes count"),
    {LMB_CACHE_OPTION},
    {"--solver NAME", "Solve equations by auto, tree, klu, schur or dense (see `solver` of an "
                      "analysis, which this overrides)."},
    {"--threads N", "Share the work in large models among so many threads (default: as many as "
                    "there are processors, or what the analysis says)."},
    {"--verbose", "Show every Newton iteration: residual, worst equation, step."},
    {"--open", "Show the results in the browser, as limber view does."},
    {"--quiet", "Show no progress; errors and warnings are still shown."},
    {0},
};

const lmb_verb lmb_verb_run = {
    .name = "run",
    .usage = "MODEL [-o RESULT] [--set NAME=VALUE]... [--trust] [--analysis NAME]... [--from T] "
             "[--to T] "
             "[--solver NAME] [--threads N] [--resume] [--wait] [--no-cache] [--verbose] [--quiet] "
             "[--open]",
    .summary = "Runs the analyses of a model.",
    .doc = "Reads a model file, runs its analyses in order and writes one result file. If an "
           "analysis fails, what it computed up to there is kept and the program ends with code "
           "4.\n\nA run that was interrupted (Ctrl-C) or killed continues with --resume. Its "
           "results are bitwise identical to those of an uninterrupted run.\n\nA model with a "
           "rotor and no analyses gives what `limber rotor MODEL -o RESULT` writes.",
    .examples = "limber run slider-crank.yaml\n"
                "limber run slider-crank.yaml --set omega=20 -o fast.h5\n"
                "limber run four-bar.yaml --verbose\n"
                "limber run crane.yaml --from 2\n"
                "limber run chain.yaml --solver tree --threads 2\n"
                "limber run long.yaml --resume\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
