/* Parts of a run: which analyses are to run and whether they can, what laws play back of earlier
 * ones, the result that a run goes on from, and what it has to say about itself. */
#ifndef LMB_RUN_RUN_H
#define LMB_RUN_RUN_H

#include <time.h>

#include "base/json.h"
#include "channels/channels.h"
#include "integrate/motion.h"
#include "result/checkpoint.h"
#include "result/read.h"
#include "system/state.h"

/* Whether an analysis is among the names asked for, ended by NULL; none, or NULL, means all. */
bool lmb_run_wants(const char *const *names, const char *name);

/* The index of the analysis of a name; -1, with a message, where there is none. */
int lmb_run_find(lmb_context *context, const lmb_model *model, const char *name);

/* Fails unless there is a model, and not one of a rotor alone. */
lmb_status lmb_need_mechanism(lmb_context *context, const lmb_model *model);

/* All names must exist, and what an analysis needs of earlier ones must be among them. */
lmb_status lmb_run_check(lmb_context *context, const lmb_model *model, const char *const *names);

/* The instants of an analysis that count in envelopes: all of one that is not over time. */
lmb_span lmb_run_span(const lmb_model *model, const lmb_analysis *analysis);

/* Marks the analyses (analysis_count) that one begins from or plays back, and those that these
 * need; LMB_BAD_INPUT where it plays back one that comes later. */
lmb_status lmb_run_needs(lmb_context *context, const lmb_model *model, int analysis, bool *needed);

/* The state that an analysis begins from, after all that it needs of earlier ones has run without
 * results; what laws play back lives in the arena. Free the state. */
lmb_status lmb_run_initial(lmb_context *context, lmb_arena *arena, const lmb_model *model,
                           int analysis, lmb_state **out);

/* --- records ----------------------------------------------------------------------------------
 *
 * What laws play back of earlier analyses, as a run collects it. The model says what is wanted
 * (lmb_record); the numbers belong to the run, so that several may use one model at once. */

typedef struct lmb_records lmb_records;

/* For a model, in the arena; *out is NULL if it plays nothing back, which the other functions allow
 * for. */
lmb_status lmb_records_new(lmb_records **out, lmb_context *context, lmb_arena *arena,
                           const lmb_model *model);

/* Takes the numbers of an instant of an analysis. */
void lmb_records_take(lmb_records *records, const lmb_analysis *analysis, double t,
                      const double *row);

/* Makes the tables of an analysis that has come to its end. */
lmb_status lmb_records_complete(lmb_records *records, lmb_context *context,
                                const lmb_analysis *analysis);

/* One table per record, NULL while its analysis has not run. */
const lmb_table *const *lmb_records_tables(const lmb_records *records);

/* --- watching ---------------------------------------------------------------------------------
 *
 * An analysis is watched while it runs, and warned of once what its results cannot be trusted for:
 * sensors that are not finite, energy that no force accounts for, output that is too coarse for the
 * motion, instants that drown in rounding. */

typedef struct lmb_watch lmb_watch;

/* For an analysis, in an arena; the channels are those of its rows. */
lmb_status lmb_watch_new(lmb_watch **out, lmb_context *context, lmb_arena *arena,
                         const lmb_model *model, const lmb_analysis *analysis,
                         const lmb_channels *channels);

/* Takes a row of results; and in an analysis over time the state that it is of, with the motion
 * that is integrated, or NULL. The steps of the motion are observed from then on. */
void lmb_watch_row(lmb_watch *watch, double t, const double *row);
void lmb_watch_state(lmb_watch *watch, const lmb_state *state, lmb_motion *motion);

/* The analysis has ended, or failed. */
void lmb_watch_end(lmb_watch *watch);

/* Buckling of bodies of beams that are reduced without stiffening: warn once for each body whose
 * axial load is more than half of its buckling load. `record` may be NULL. Returns NULL if memory
 * runs out. `take` looks at a state with its position, and at its row. */
typedef struct lmb_buckling lmb_buckling;
lmb_buckling *lmb_buckling_new(lmb_arena *arena, const lmb_run_record *record);
lmb_status lmb_buckling_take(lmb_buckling *buckling, lmb_context *context, const lmb_state *state,
                             double t, const double *row);

/* --- earlier runs ----------------------------------------------------------------------------- */

typedef struct lmb_earlier {
    lmb_result *result;
    const char *path; /* of its file */
    bool complete;    /* there is nothing left to do */
    lmb_checkpoint checkpoint;
} lmb_earlier;

/* The parameters of a model, a line each, with the digits that tell them apart, and what its tables
 * are made of; NULL: out of memory. */
char *lmb_parameter_text(lmb_arena *arena, const lmb_model *model);

/* Opens a result, which is claimed, and checks that it is one of this model, with its parameters,
 * and of the same analyses, named one a line. */
lmb_status lmb_earlier_open(lmb_earlier *out, lmb_context *context, lmb_arena *arena,
                            const lmb_model *model, const char *analyses, const char *path);
void lmb_earlier_close(lmb_earlier *earlier);

/* Checks that a result was written by this version, of a model with the same parameters. */
lmb_status lmb_earlier_parameters(lmb_context *context, lmb_arena *arena, lmb_result *result,
                                  const lmb_model *model);

/* Takes a row that was read. */
typedef lmb_status lmb_row_function(void *user, double t, const double *row);

/* Reads the first rows of an analysis (all for a number below 0), which is of the given width
 * without the time. */
lmb_status lmb_earlier_rows(lmb_earlier *earlier, lmb_context *context, int analysis, int rows,
                            size_t width, lmb_row_function *take, void *user);

/* --- the summary ------------------------------------------------------------------------------
 *
 * What a run has to say about itself, kept with the result as the text "summary", JSON:
 *
 *   {"analyses": [{"name", "type",
 *                  "bodies", "coordinates", "joint_rows", "driver_rows", "redundant", "free",
 *                  "free_undriven",
 *                  "integrator", "tolerance", "steps", "rejected", "iterations", "factorisations",
 *                  "seconds", "rows"}],
 *    "messages": [{"severity", "text", "hint"}]}
 *
 * Members that an analysis has nothing for are left out. */

typedef struct lmb_run_summary {
    lmb_json json; /* the text so far; without one before the first analysis */
    struct timespec began;
} lmb_run_summary;

/* An analysis begins; counts and integration are known; it ends with so many instants. */
void lmb_summary_begin(lmb_run_summary *summary, const lmb_analysis *analysis);
void lmb_summary_counts(lmb_run_summary *summary, const lmb_mobility *counts);
void lmb_summary_motion(lmb_run_summary *summary, const lmb_motion *motion);
void lmb_summary_end(lmb_run_summary *summary, int rows);

/* The whole text, with the messages from a number on; to be freed. NULL: out of memory. */
char *lmb_summary_text(lmb_run_summary *summary, const lmb_context *context, size_t first);
void lmb_summary_free(lmb_run_summary *summary);

#endif
