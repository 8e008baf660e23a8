/* Which channels of a result the columns of a measurement are. */
#ifndef LMB_COMPARE_COLUMN_MATCH_H
#define LMB_COMPARE_COLUMN_MATCH_H

#include "measure/measurement.h"
#include "limber/result.h"

typedef struct lmb_column_match {
    int column;
    const char *name, *unit; /* of a channel of one number, or of a component */
} lmb_column_match;

typedef struct lmb_column_matches {
    int count;
    lmb_column_match *list;
    int unmatched_count; /* columns with numbers that are no channels */
    int *unmatched;
    const char *said; /* a hint about them */
} lmb_column_matches;

/* Finds the columns with the names of channels or components (swing.position.x) of the last
 * analysis of a result, in letters of any size, and those that pairs "COLUMN=CHANNEL" (ended by
 * NULL; NULL for none) name. The column of what the channels are over, such as the time, becomes
 * m->times; pairs may name it too. Fails when there is no match. All lives in the arena of the
 * measurement. */
lmb_status lmb_match_columns(const lmb_result *result, lmb_measurement *m, const char *const *pairs,
                             lmb_column_matches *out);

/* Warns of the unmatched columns; true if there are some. */
bool lmb_report_unmatched(const lmb_measurement *m, const lmb_column_matches *matches);

#endif
