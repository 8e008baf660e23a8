/* What a run has to say about itself, kept with the result as the text "summary", JSON:
 *
 *   {"analyses": [{"name", "type", "seconds", "rows",
 *                  "bodies", "coordinates", "joint_rows", "driver_rows", "redundant", "free",
 *                  "free_undriven",
 *                  "integrator", "tolerance", "steps", "rejected", "iterations",
 * "factorisations"}], "messages": [{"severity", "text", "hint"}]}
 *
 * Members that an analysis has nothing for are left out. */
#ifndef LMB_RUN_SUMMARY_H
#define LMB_RUN_SUMMARY_H

#include <time.h>

#include "base/json.h"
#include "integrate/motion.h"
#include "system/model.h"

typedef struct lmb_run_summary {
    lmb_json json; /* the text so far; without one before the first analysis */
    struct timespec began;
    bool counted; /* the counts are those of the analysis under way */
    lmb_mobility counts;
    bool moved; /* and so is what the integration did */
    long steps, rejected, iterations, factorisations;
    double tolerance;
} lmb_run_summary;

/* An analysis begins; counts and integration are known; it ends with so many instants. */
void lmb_summary_begin(lmb_run_summary *summary);
void lmb_summary_counts(lmb_run_summary *summary, const lmb_mobility *counts);
void lmb_summary_motion(lmb_run_summary *summary, const lmb_motion *motion);
void lmb_summary_end(lmb_run_summary *summary, const lmb_analysis *analysis, const char *type,
                     int rows);

/* The whole text, with the messages from a number on; to be freed. NULL: out of memory. */
char *lmb_summary_text(lmb_run_summary *summary, const lmb_context *context, size_t first);
void lmb_summary_free(lmb_run_summary *summary);

#endif
