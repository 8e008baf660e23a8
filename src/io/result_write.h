/* Writing results: the inner side of limber/result.h. */
#ifndef LMB_IO_RESULT_WRITE_H
#define LMB_IO_RESULT_WRITE_H

#include "limber/result.h"

typedef struct lmb_writer lmb_writer;

/* Creates (or replaces) a result file. */
lmb_status lmb_writer_new(lmb_writer **out, lmb_context *context, const char *path);

/* Keeps a text with the result (see lmb_result_text). */
lmb_status lmb_writer_text(lmb_writer *writer, lmb_context *context, const char *name,
                           const char *text);

/* Starts an analysis with its channels; rows are their numbers one after the other. */
lmb_status lmb_writer_begin(lmb_writer *writer, lmb_context *context, const char *analysis,
                            const char *type, int channel_count, const lmb_channel *channels);

/* Appends an instant. Rows are kept in memory and written now and then, data and file structure
 * together, so that a run that is killed leaves a readable file. */
lmb_status lmb_writer_row(lmb_writer *writer, lmb_context *context, double t, const double *values);

/* Ends the analysis: what is still in memory is written. */
lmb_status lmb_writer_end(lmb_writer *writer, lmb_context *context);

/* Closes the file; reports a failure to write what was left. Frees the writer in any case. */
lmb_status lmb_writer_close(lmb_writer *writer, lmb_context *context);

#endif
