/* What a result file says about the run besides its rows: the model and its parameters, what is
 * drawn, the surfaces and mode shapes of flexible bodies. */
#ifndef LMB_RUN_DESCRIPTION_H
#define LMB_RUN_DESCRIPTION_H

#include "result/write.h"
#include "system/model.h"

/* `analyses` are the names of those that run, one per line. */
lmb_status lmb_write_description(lmb_writer *writer, lmb_context *context, lmb_arena *arena,
                                 const lmb_model *model, const char *analyses);

#endif
