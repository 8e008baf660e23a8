/* Running analyses of a model. */
#ifndef LIMBER_ANALYSIS_H
#define LIMBER_ANALYSIS_H

#include "limber/model.h"
#include "limber/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Assembles the model and counts its degrees of freedom. */
LMB_API lmb_status lmb_check(lmb_context *context, const lmb_model *model, lmb_mobility *out);

/* Runs the named analyses (all of them, in order, if names is NULL) and writes a result file;
 * LMB_IO where somebody else is writing it (see lmb_context_wait). */
LMB_API lmb_status lmb_run(lmb_context *context, const lmb_model *model, const char *const *names,
                           const char *result_path);

/* The same without a file: the result is in memory. A run that fails or is stopped gives what was
 * computed up to there, besides its status; *out is NULL where that is nothing. Close the result
 * with lmb_result_close. */
LMB_API lmb_status lmb_run_to_memory(lmb_result **out, lmb_context *context, const lmb_model *model,
                                     const char *const *names);

/* Continues an interrupted or killed run from its result file; the results are bitwise identical to
 * those of an uninterrupted run. The model, its parameters and the names must be unchanged.
 * *complete is set if there was nothing left to do. */
LMB_API lmb_status lmb_resume(lmb_context *context, const lmb_model *model,
                              const char *const *names, const char *result_path, bool *complete);

#ifdef __cplusplus
}
#endif
#endif
