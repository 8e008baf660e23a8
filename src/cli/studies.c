/* What the verbs of studies share. */
#include "cli/studies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/print.h"
#include "report/report.h"
#include "result/read.h"
#include "system/saddle.h"

/* The name of a study: that of --study, or of the only one of its kind. */
static lmb_status find_name(lmb_study_verb *v, lmb_study_kind kind)
{
    const lmb_arguments *a = v->arguments;
    lmb_model *model;
    lmb_status status = lmb_model_compile(&model, a->context, v->spec);
    if (status)
        return status;
    const lmb_study *s = lmb_study_find(a->context, model, kind, lmb_option_value(a, "--study"));
    if (s)
        v->options.name = lmb_text_copy(a->arena, s->name, strlen(s->name));
    else
        status = lmb_last_status(a->context);
    lmb_model_free(model);
    return status;
}

/* The sheet goes into the file of the study. */
static lmb_status finish(void *user, lmb_history *history)
{
    lmb_study_verb *v = user;
    v->fill(v);
    lmb_status status = lmb_check_memory(v->arguments->context, v->sheet.arena);
    char *text = status ? NULL : lmb_sheet_json(&v->sheet);
    if (!status)
        status = text ? lmb_history_text(history, "sheet", text)
                      : lmb_fail_memory(v->arguments->context);
    free(text);
    return status;
}

/* The file of the study among those of -o, or its usual name. */
static void choose_path(lmb_study_verb *v)
{
    const lmb_arguments *a = v->arguments;
    const char *file = lmb_file_name(a->words[0]);
    v->stem = lmb_text_format(a->arena, "%.*s-%s", lmb_file_stem(file), file, v->options.name);
    v->options.path = v->stem ? lmb_text_format(a->arena, "%s.h5", v->stem) : NULL;
    for (const char **path = lmb_option_values(a, "--output"); *path; path++)
        if (lmb_ends_with(*path, ".h5")) {
            v->options.path = *path;
            v->stem = lmb_text_copy(a->arena, *path, strlen(*path) - 3);
        }
}

lmb_status lmb_study_start(lmb_study_verb *v, const lmb_arguments *a, lmb_study_kind kind)
{
    double jobs = 0;
    v->arguments = a;
    lmb_typed_number(a, "--jobs", 1, &jobs);
    lmb_refuse(a, jobs != floor(jobs) || jobs > LMB_MOST_THREADS,
               "--jobs needs a whole number from 1 to %d", LMB_MOST_THREADS);
    for (const char **path = lmb_option_values(a, "--output"); *path; path++)
        lmb_refuse(a,
                   !lmb_ends_with(*path, ".h5") && !lmb_ends_with(*path, ".html") &&
                       !lmb_ends_with(*path, ".csv") && !lmb_plot_file(*path),
                   "'%s' must end with .h5, .html, .csv, .svg, .pdf or .png", *path);
    lmb_status status = *a->status;
    if (status || (status = lmb_load_spec(a, &v->spec)) || (status = find_name(v, kind)))
        return status;
    v->options.jobs = (int)jobs;
    v->options.resume = lmb_option_value(a, "--resume") != NULL;
    v->options.finish = finish;
    v->options.user = v;
    v->sheet = lmb_sheet_start(a->arena, "Study");
    choose_path(v);
    lmb_progress_start(a->context, lmb_option_value(a, "--quiet") != NULL);
    return lmb_check_memory(a->context, a->arena);
}

/* The trials as a table with commas. */
static lmb_status write_csv(lmb_study_verb *v, const char *path)
{
    lmb_context *context = v->arguments->context;
    lmb_result *r;
    lmb_status status = lmb_result_open(&r, context, v->options.path);
    if (status)
        return status;
    int rows = lmb_result_row_count(r, 0), channels = lmb_result_channel_count(r, 0);
    size_t width = (size_t)channels + 1;
    double *values = malloc(((size_t)rows * width + 1) * sizeof *values);
    status = values ? lmb_result_rows(r, context, 0, 0, rows, values) : lmb_fail_memory(context);
    FILE *out = status ? NULL : lmb_file_create(context, path);
    if (out) {
        fprintf(out, "trial");
        for (int i = 0; i < channels; i++)
            fprintf(out, ",%s", lmb_result_channel(r, 0, i)->name);
        for (int k = 0; k < rows; k++)
            for (size_t i = 0; i < width; i++)
                fprintf(out, "%s%.17g", i ? "," : "\n", values[(size_t)k * width + i]);
        fprintf(out, "\n");
        status = lmb_file_close(context, out, path);
    } else if (!status) {
        status = lmb_last_status(context);
    }
    free(values);
    lmb_result_close(r);
    return status;
}

lmb_status lmb_study_files(lmb_study_verb *v)
{
    const lmb_arguments *a = v->arguments;
    lmb_status status = LMB_OK;
    for (const char **path = lmb_option_values(a, "--output"); *path && !status; path++) {
        if (lmb_ends_with(*path, ".csv"))
            status = write_csv(v, *path);
        else if (lmb_ends_with(*path, ".html"))
            status = lmb_report_write(a->context, v->options.path,
                                      &(lmb_report){.viewer = lmb_viewer[0].text, .path = *path});
        else if (!lmb_ends_with(*path, ".h5"))
            status = lmb_sheet_write(a->context, &v->sheet, a->words[0], *path);
    }
    if (!status && !lmb_option_value(a, "--quiet"))
        fprintf(stderr, "The study is in %s; `limber report %s` shows it.\n", v->options.path,
                v->options.path);
    return status;
}

lmb_status lmb_study_set_file(lmb_study_verb *v, const char *what, int count,
                              const char *const *names, const double *values)
{
    const lmb_arguments *a = v->arguments;
    const char *path = lmb_text_format(a->arena, "%s.set", v->stem);
    FILE *out = path ? lmb_file_create(a->context, path) : NULL;
    if (!path)
        return lmb_fail_memory(a->context);
    if (!out)
        return lmb_last_status(a->context);
    fprintf(out, "# %s of study %s of %s:\n#   limber run %s --set @%s\n", what, v->options.name,
            lmb_file_name(a->words[0]), lmb_file_name(a->words[0]), path);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s: %.17g\n", names[i], values[i]);
    lmb_status status = lmb_file_close(a->context, out, path);
    if (!status && !lmb_option_value(a, "--quiet"))
        fprintf(stderr, "Its parameters are in %s: `limber run %s --set @%s`.\n", path, a->words[0],
                path);
    return status;
}

lmb_status lmb_study_stopped(const lmb_study_verb *v, lmb_status status)
{
    if (status == LMB_SOLVER && lmb_interrupted() && v->options.path)
        lmb_hint(v->arguments->context, "what was tried is in %s; --resume goes on from there",
                 v->options.path);
    return status;
}
