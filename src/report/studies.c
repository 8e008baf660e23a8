/* Studies as programs and the verbs make them: those of study/, whose files also get the sheet that
 * a report shows. */
#include <stdlib.h>

#include "report/study_sheet.h"

/* Puts a sheet into the file of its study, and frees it. */
static lmb_status keep_sheet(lmb_context *context, lmb_sheet *sheet, lmb_history *history)
{
    lmb_status status = lmb_check_memory(context, sheet->arena);
    char *text = status ? NULL : lmb_sheet_json(sheet);
    if (!status)
        status = text ? lmb_history_text(history, "sheet", text) : lmb_fail_memory(context);
    free(text);
    lmb_arena_free(sheet->arena);
    return status;
}

static lmb_sheet new_sheet(void)
{
    return lmb_sheet_start(lmb_arena_new(), LMB_STUDY_SHEET);
}

static lmb_status finish_optimum(lmb_context *context, const void *results, lmb_history *history)
{
    lmb_sheet sheet = new_sheet();
    lmb_optimum_sheet(&sheet, results);
    return keep_sheet(context, &sheet, history);
}

static lmb_status finish_fit(lmb_context *context, const void *results, lmb_history *history)
{
    lmb_sheet sheet = new_sheet();
    lmb_fitted_sheet(&sheet, results);
    return keep_sheet(context, &sheet, history);
}

static lmb_status finish_sweep(lmb_context *context, const void *results, lmb_history *history)
{
    lmb_sheet sheet = new_sheet();
    lmb_swept_sheet(&sheet, results);
    return keep_sheet(context, &sheet, history);
}

static lmb_status finish_tolerance(lmb_context *context, const void *results, lmb_history *history)
{
    lmb_sheet sheet = new_sheet();
    lmb_tolerance_sheet(&sheet, results);
    return keep_sheet(context, &sheet, history);
}

static const lmb_study_options usual = {0};

lmb_status lmb_optimise(lmb_optimum **out, lmb_context *context, const lmb_spec *spec,
                        const lmb_study_options *options)
{
    LMB_REQUIRE_OUT(context, out, spec);
    return lmb_optimise_study(out, context, spec, options ? options : &usual, finish_optimum);
}

lmb_status lmb_fit(lmb_fitted **out, lmb_context *context, const lmb_spec *spec,
                   const lmb_study_options *options)
{
    LMB_REQUIRE_OUT(context, out, spec);
    return lmb_fit_study(out, context, spec, options ? options : &usual, finish_fit);
}

lmb_status lmb_sweep(lmb_swept **out, lmb_context *context, const lmb_spec *spec,
                     const lmb_study_options *options)
{
    LMB_REQUIRE_OUT(context, out, spec);
    return lmb_sweep_study(out, context, spec, options ? options : &usual, LMB_STUDY_SWEEP,
                           finish_sweep);
}

lmb_status lmb_tolerance(lmb_swept **out, lmb_context *context, const lmb_spec *spec,
                         const lmb_study_options *options)
{
    LMB_REQUIRE_OUT(context, out, spec);
    return lmb_sweep_study(out, context, spec, options ? options : &usual, LMB_STUDY_TOLERANCE,
                           finish_tolerance);
}
