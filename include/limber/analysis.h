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

/* Runs the named analyses (all of them, in order, if names is NULL) and writes a result file. */
LMB_API lmb_status lmb_run(lmb_context *context, const lmb_model *model, const char *const *names,
                           const char *result_path);

/* Goes on with a run that was interrupted or killed, from its result file: the results are those
 * of a run that was not, to the last bit. The model, its parameters and the names must be the same
 * as then. *complete tells that there was nothing left to do. */
LMB_API lmb_status lmb_resume(lmb_context *context, const lmb_model *model,
                              const char *const *names, const char *result_path, bool *complete);

#ifdef __cplusplus
}
#endif
#endif
