/* The result of an earlier run that a run may go on from. */
#ifndef LMB_RUN_RESUME_H
#define LMB_RUN_RESUME_H

#include "result/checkpoint.h"
#include "result/read.h"
#include "system/model.h"

typedef struct lmb_earlier {
    lmb_result *result;
    char *path;    /* of its file, */
    char *beside;  /* and of one where a run that goes on can write until it has its results */
    bool complete; /* there is nothing left to do */
    lmb_checkpoint checkpoint;
} lmb_earlier;

/* The parameters of a model, a line each, with the digits that tell them apart, and what its tables
 * are made of; NULL: out of memory. */
char *lmb_parameter_text(lmb_arena *arena, const lmb_model *model);

/* Opens a result and checks that it is one of this model, with its parameters, and of the same
 * analyses, named one a line. */
lmb_status lmb_earlier_open(lmb_earlier *out, lmb_context *context, const lmb_model *model,
                            const char *analyses, const char *path);
void lmb_earlier_close(lmb_earlier *earlier);

/* Takes a row that was read. */
typedef lmb_status lmb_row_function(void *user, double t, const double *row);

/* Reads the first rows of an analysis (all for a number below 0), which is of the given width
 * without the time. */
lmb_status lmb_earlier_rows(lmb_earlier *earlier, lmb_context *context, int analysis, int rows,
                            size_t width, lmb_row_function *take, void *user);

#endif
