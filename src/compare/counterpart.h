/* What a result is compared with: another result, or a measurement (measurement.h) with columns
 * that are channels or components (crank.position.x). */
#ifndef LMB_COMPARE_COUNTERPART_H
#define LMB_COMPARE_COUNTERPART_H

#include "measure/measurement.h"
#include "result/series.h"

/* --- which channels of a result the columns of a measurement are (column_match.c) ------------- */

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

/* --- comparisons ------------------------------------------------------------------------------ */

/* How far apart two records of a channel are. */
typedef struct lmb_deviation {
    double largest, at, rms; /* over all components; `at` is the time of the largest */
    double from, to;         /* the span that was compared */
    bool interpolated;       /* the second record, at instants of the first */
    int compared;            /* instants */
} lmb_deviation;

typedef struct lmb_counterpart lmb_counterpart;

/* The file, or a result that is open, and how it is to be read. */
typedef struct lmb_compare_with {
    const char *path;
    lmb_result *result; /* instead of a path, or NULL; it must outlive the counterpart */
    double shift;       /* s: added to its times */
    /* for measurements only */
    double rate;                /* Hz, where it has no times; 0: it has */
    bool comma;                 /* decimal commas, see lmb_logger_read */
    const char *const *columns; /* "COLUMN=CHANNEL", ended by NULL; or NULL */
} lmb_compare_with;

/* Opens it for comparisons with the last analysis of a result; result and context must outlive it.
 */
lmb_status lmb_counterpart_open(lmb_counterpart **out, lmb_context *context,
                                const lmb_result *result, const lmb_compare_with *with);
void lmb_counterpart_close(lmb_counterpart *counterpart);

bool lmb_counterpart_is_table(const lmb_counterpart *counterpart);

/* The other result, open as long as this; NULL for a table. */
lmb_result *lmb_counterpart_result(const lmb_counterpart *counterpart);

/* Its names: the channels of the last analysis, or what the columns are in the result. They live as
 * long as it is open. */
int lmb_counterpart_count(const lmb_counterpart *counterpart);
const char *lmb_counterpart_name(const lmb_counterpart *counterpart, int index);
bool lmb_counterpart_has(const lmb_counterpart *counterpart, const char *name);

/* Warns of columns that are no channels of the result; true if there are some. */
bool lmb_counterpart_report_unmatched(const lmb_counterpart *counterpart);

/* Reads the record of a name; a result also knows components and other analyses. Free it with
 * lmb_series_free. *gap: steps longer than this are gaps, in which nothing is known. */
lmb_status lmb_counterpart_read(lmb_counterpart *counterpart, const char *name, lmb_series *out,
                                double *gap);

/* The difference of a record of the result and one of this size that was read. Fails where they
 * have no instants in common. */
lmb_status lmb_counterpart_compare(const lmb_counterpart *counterpart, const char *name,
                                   const lmb_series *own, const lmb_series *other, double gap,
                                   lmb_deviation *out);

/* Whether the last analysis of a result has a channel or a component of this name. */
bool lmb_result_has(const lmb_result *result, const char *name);

/* Waveforms of files: tables of loggers, sound files, channels of results. Reads what is asked for
 * of one; all lives in the arena. */
lmb_status lmb_waveform_read(lmb_context *context, lmb_arena *arena, const char *path,
                             const lmb_waveform_request *request, lmb_waveform *out);

#endif
