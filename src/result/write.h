/* Writing results: the inner side of limber/result.h. */
#ifndef LMB_RESULT_WRITE_H
#define LMB_RESULT_WRITE_H

#include "base/claim.h"
#include "result/checkpoint.h"
#include "store/h5.h"
#include "limber/result.h"
#include "scene/skin.h"
#include "channels/line_record.h"
#include "channels/recovery.h"
#include "result/read.h"

typedef struct lmb_writer lmb_writer;

/* Creates (or replaces) a result file; in memory without a path. It is claimed as long as it is
 * written (base/claim.h), and appears under its name with its first row, or when it is closed. */
lmb_status lmb_writer_new(lmb_writer **out, lmb_context *context, const char *path);

/* The same of a file that the caller has claimed, and lets go of after it is closed; in memory
 * without a claim. Where it is to appear `later`, that is by lmb_writer_appear alone. */
lmb_status lmb_writer_on(lmb_writer **out, lmb_context *context, lmb_claim *claim, bool later);

/* Keeps a text with the result (see lmb_result_text). */
lmb_status lmb_writer_text(lmb_writer *writer, lmb_context *context, const char *name,
                           const char *text);

/* Keeps the skin of a flexible body with the result. */
lmb_status lmb_writer_skin(lmb_writer *writer, lmb_context *context, const lmb_skin *skin);

/* Starts an analysis with its channels, which must stay until its end; rows are their numbers one
 * after the other. */
lmb_status lmb_writer_begin(lmb_writer *writer, lmb_context *context, const char *analysis,
                            const char *type, int channel_count, const lmb_channel *channels);

/* Tells, before the first row, that the analysis is over something else than time: its name, unit
 * and a sentence, all constant. */
void lmb_writer_over(lmb_writer *writer, const char *name, const char *unit, const char *doc);

/* Appends an instant. Rows are kept in memory and written now and then, data and file structure
 * together, so that a run that is killed leaves a readable file. */
lmb_status lmb_writer_row(lmb_writer *writer, lmb_context *context, double t, const double *values);

/* Tells the state of a run when rows are about to be written: that at the last row given, and how
 * its numbers are saved, which follows at once if at all. False leaves the file with the checkpoint
 * that it has. */
typedef bool lmb_save_function(void *user, lmb_checkpoint *out);

/* From now on each write asks for a checkpoint, and the file has one until lmb_writer_complete.
 * Large ones are written so seldom that they take a twentieth of the time at most. */
void lmb_writer_on_save(lmb_writer *writer, lmb_save_function *save, void *user);

/* Between the two the rows that come are behind the motion: they make no checkpoint. */
void lmb_writer_hold(lmb_writer *writer);
lmb_status lmb_writer_release(lmb_writer *writer, lmb_context *context);

/* Writes now what is in memory, with a checkpoint. */
lmb_status lmb_writer_flush(lmb_writer *writer, lmb_context *context);

/* The rows of the analysis so far. */
int lmb_writer_rows(const lmb_writer *writer);

/* The run is complete: takes the checkpoint out of the file, when that is closed. */
lmb_status lmb_writer_complete(lmb_writer *writer, lmb_context *context);

/* Gives the file its name, once what it has so far is on the disk; a file that had it is replaced.
 */
lmb_status lmb_writer_appear(lmb_writer *writer, lmb_context *context);

/* Ends the analysis: what is still in memory is written. */
lmb_status lmb_writer_end(lmb_writer *writer, lmb_context *context);

/* Adds to a group of the file ("/": the root; NULL: that of the analysis that has ended), by a
 * function that returns false where HDF5 or memory fails. It is in the file with the next write,
 * when an analysis begins or at the end. */
typedef bool lmb_add_function(void *user, hid_t group);
lmb_status lmb_writer_add(lmb_writer *writer, lmb_context *context, const char *group,
                          lmb_add_function *add, void *user);

/* Closes the file; reports a failure to write what was left, and that somebody has deleted or
 * replaced it meanwhile. Frees the writer in any case. */
lmb_status lmb_writer_close(lmb_writer *writer, lmb_context *context);

/* The same for one in memory, whose result is handed over; *out is NULL where that fails, and for a
 * writer that is NULL. */
lmb_status lmb_writer_result(lmb_writer *writer, lmb_context *context, lmb_result **out);

/* What flexible bodies went through in an analysis, in the result file.
 *
 * In the group of a body: `envelope/node` (numbers of the nodes that have stresses),
 * `envelope/stress` (the largest of von Mises, Pa) and `envelope/time` (when); `peak/stress`,
 * `time` and `node` of the largest one, with `correction`, the share that the kept modes do not
 * represent, and `lowest` and `highest`, which single elements have at that node; for each mode
 * `participation/frequency` (Hz), `amplitude` (largest size of its coordinate), `time` (when),
 * `energy` (largest, J), `mean` (mean energy, J) and `share` (of the mean of all); `span`, the
 * first and the last time that both are made of, where not all instants count. A beam with large
 * deformation has no modes, and besides `envelope/fibres/`: `y`, `z`, `stress`, `time`, and the
 * `greatest` and `least` normal stress, node x fibre on the outline of its section. */

/* Writes a record to the analysis that has ended; NULL: there is none. */
lmb_status lmb_write_record(lmb_writer *writer, lmb_context *context, const lmb_run_record *record);
lmb_status lmb_write_line_record(lmb_writer *writer, lmb_context *context,
                                 const lmb_line_record *record);

/* Reads an array of a body, such as "envelope/stress", to be freed; NULL: there is none, or out of
 * memory. */
double *lmb_record_array(const lmb_result *result, int analysis, const char *body, const char *name,
                         int *count);

/* The largest von Mises stress of a body in an analysis */
typedef struct lmb_peak_stress {
    double stress, time, node; /* Pa; s; node number in the mesh file */
    double correction;         /* share that the kept modes do not represent */
    double lowest, highest;    /* Pa, range over single elements at the node; NaN in beams */
} lmb_peak_stress;

/* Read the largest stress of a body. Returns false if the result has none. */
bool lmb_record_peak(const lmb_result *result, int analysis, const char *body,
                     lmb_peak_stress *out);

/* What the result keeps about flexible bodies as a text, a line each: "body NAME x y z", where its
 * frame is in the coordinates of the mesh, and "point BODY NAME x y z NODE", an interface point and
 * the number of the node there, or 0. Empty without flexible bodies; NULL: out of memory. */
const char *lmb_flexible_text(lmb_arena *arena, const lmb_model *model);

#endif
