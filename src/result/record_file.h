/* What flexible bodies went through in an analysis, in the result file.
 *
 * In the group of a body: `envelope/node` (numbers of the nodes that have stresses),
 * `envelope/stress` (the largest of von Mises, Pa) and `envelope/time` (when); for each mode
 * `participation/frequency` (Hz), `amplitude` (largest size of its coordinate), `time` (when),
 * `energy` (largest, J), `mean` (mean energy, J) and `share` (of the mean of all). */
#ifndef LMB_RESULT_RECORD_FILE_H
#define LMB_RESULT_RECORD_FILE_H

#include "channels/recovery.h"
#include "result/read.h"
#include "result/write.h"

/* Writes a record to the analysis that has ended; NULL: there is none. */
lmb_status lmb_write_record(lmb_writer *writer, lmb_context *context, const lmb_run_record *record);

/* Reads an array of a body, such as "envelope/stress", to be freed; NULL: there is none, or out of
 * memory. */
double *lmb_record_array(const lmb_result *result, int analysis, const char *body, const char *name,
                         int *count);

/* What the result keeps about flexible bodies as a text, a line each: "body NAME x y z", where its
 * frame is in the coordinates of the mesh, and "point BODY NAME x y z NODE", an interface point and
 * the number of the node there, or 0. Empty without flexible bodies; NULL: out of memory. */
const char *lmb_flexible_text(lmb_arena *arena, const lmb_model *model);

#endif
