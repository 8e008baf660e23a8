/* What the verbs of studies share. */
#include "cli/studies.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/print.h"
#include "export/channel_table.h"
#include "report/report.h"

/* Compiles the model, which lives as long as the arguments, and finds the study: that of --study,
 * or the only one of its kind. */
static lmb_status find_study(lmb_study_verb *v, lmb_study_kind kind)
{
    const lmb_arguments *a = v->arguments;
    lmb_model *model;
    lmb_status status = lmb_compile_spec(a, v->spec, &model);
    if (status)
        return status;
    const lmb_study *study =
        lmb_study_find(a->context, model, kind, lmb_option_value(a, "--study"));
    if (!study)
        return lmb_last_status(a->context);
    v->options.model = model;
    v->options.name = study->name;
    return LMB_OK;
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
    v->arguments = a;
    v->options.jobs = lmb_typed_threads(a, "--jobs");
    for (const char **path = lmb_option_values(a, "--output"); *path; path++)
        lmb_refuse(a,
                   !lmb_ends_with(*path, ".h5") && !lmb_ends_with(*path, ".html") &&
                       !lmb_ends_with(*path, ".csv") && !lmb_plot_file(*path),
                   "'%s' must end with .h5, .html, .csv, .svg, .pdf or .png", *path);
    lmb_status status = *a->status;
    if (status || (status = lmb_load_spec(a, &v->spec)) || (status = find_study(v, kind)))
        return status;
    v->options.resume = lmb_option_value(a, "--resume") != NULL;
    v->sheet = lmb_sheet_start(a->arena, LMB_STUDY_SHEET);
    choose_path(v);
    lmb_progress_start(a->context, lmb_option_value(a, "--quiet") != NULL);
    return lmb_check_memory(a->context, a->arena);
}

/* The trials as a table with commas. */
static lmb_status write_csv(lmb_study_verb *v, const char *path)
{
    const lmb_arguments *a = v->arguments;
    lmb_result *r;
    lmb_channel_table t;
    lmb_status status = lmb_result_open(&r, a->context, v->options.path);
    if (status)
        return status;
    status = lmb_channel_table_read(&t, a->arena, a->context, r, 0, 0, NULL, lmb_span_all);
    if (!status)
        status = lmb_channel_table_csv_file(&t, a->context, path);
    lmb_channel_table_free(&t);
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
            status =
                lmb_report_write(a->context, v->options.path, &(lmb_report_request){.path = *path});
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
    lmb_output output;
    if (!path)
        return lmb_fail_memory(a->context);
    FILE *out = lmb_file_create(&output, a->context, path);
    if (!out)
        return lmb_last_status(a->context);
    fprintf(out, "# %s of study %s of %s:\n#   limber run %s --set @%s\n", what, v->options.name,
            lmb_file_name(a->words[0]), lmb_file_name(a->words[0]), path);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s: %.17g\n", names[i], values[i]);
    lmb_status status = lmb_file_close(&output, a->context, LMB_OK);
    if (!status && !lmb_option_value(a, "--quiet"))
        fprintf(stderr, "Its parameters are in %s: `limber run %s --set @%s`.\n", path, a->words[0],
                path);
    return status;
}

lmb_status lmb_study_ended(lmb_study_verb *v, lmb_status status)
{
    const lmb_arguments *a = v->arguments;
    lmb_progress_done(a->context);
    if (status == LMB_SOLVER && lmb_interrupted() && v->options.path)
        lmb_hint(a->context, "what was tried is in %s; --resume goes on from there",
                 v->options.path);
    if (status)
        return status;
    v->fill(v);
    if ((status = lmb_check_memory(a->context, a->arena)) || a->json)
        return status;
    if (!(status = lmb_sheet_print(a, &v->sheet)))
        lmb_sheet_print_words(&v->sheet);
    return status;
}
