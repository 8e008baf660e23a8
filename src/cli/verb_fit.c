/* limber fit: parameters of a model from a measurement. */
#include <stdio.h>

#include "cli/print.h"
#include "cli/studies.h"

static void fill(lmb_study_verb *v)
{
    lmb_fitted_sheet(&v->sheet, *(lmb_fitted **)v->results);
}

static void print_json(const lmb_fitted *f)
{
    int n = f->variable_count;
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_open(&json, "parameters", '{');
    for (int i = 0; i < n; i++) {
        lmb_json_open(&json, f->variables[i], '{');
        lmb_json_put(&json, "value %g, error %g, start %g, held %hhd", f->x[i], f->errors[i],
                     f->start[i], f->held[i]);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_put(&json, "sum_of_squares %g, start_sum_of_squares %g, values %d, steps %d, runs %d",
                 f->sum, f->start_sum, f->value_count, f->steps, f->run_count);
    lmb_json_put(&json, "converged %hhd, told_apart %hhd", (bool)(f->end == LMB_SQUARES_CONVERGED),
                 f->told_apart);
    lmb_json_open(&json, "correlations", '[');
    for (int i = 0; i < n; i++)
        lmb_json_numbers(&json, NULL, (size_t)n, f->correlations + (size_t)i * (size_t)n);
    lmb_json_close(&json);
    lmb_json_open(&json, "columns", '{');
    for (int i = 0; i < f->series_count; i++) {
        lmb_json_open(&json, f->series[i].column, '{');
        lmb_json_put(&json, "channel %s, values %d, rms %g", f->series[i].channel,
                     f->series[i].count, f->series[i].rms_after);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_end(&json);
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_fitted *fitted = NULL;
    lmb_study_verb v = {.results = &fitted, .fill = fill};
    lmb_status status = lmb_study_start(&v, a, LMB_STUDY_FIT);
    if (status)
        return status;
    status = lmb_study_ended(&v, lmb_fit(&fitted, a->context, v.spec, &v.options));
    if (!status && a->json)
        print_json(fitted);
    if (!status)
        status = lmb_study_set_file(&v, "The fitted parameters", fitted->variable_count,
                                    fitted->variables, fitted->x);
    if (!status)
        status = lmb_study_files(&v);
    lmb_fitted_free(fitted);
    return status;
}

static const lmb_option options[] = {
    {"-o, --output FILE ...",
     "Where the study is kept (.h5; default: MODEL-STUDY.h5 in this folder), and further files: a "
     "page with all of it (.html), the measurement beside the model (.svg, .pdf, .png), all runs "
     "(.csv)."},
    LMB_STUDY_OPTIONS,
    {0},
};

const lmb_verb lmb_verb_fit = {
    .name = "fit",
    .usage = "MODEL [--study NAME] [-o FILE]... [--set NAME=VALUE]... [--trust] [--jobs N] "
             "[--resume] [--wait] "
             "[--quiet] [--json]",
    .summary = "Finds parameters of a model from a measurement.",
    .doc =
        "Makes a study of type fit: changes parameters of a model until channels come nearest to "
        "columns of a measurement, in the sense of least squares (Levenberg-Marquardt, with "
        "the derivatives of the channels by the parameters).\n\n"
        "Prints the parameters with their standard errors and correlations, which mean "
        "something where the model is right and the weights tell how good the columns are. The "
        "parameters are also written to a file for `--set @FILE`.",
    .examples = "limber fit pendulum-fit.yaml\n"
                "limber fit rig.yaml --study friction -o rig.html\n"
                "limber run pendulum-fit.yaml --set @pendulum-fit-swing.set\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
