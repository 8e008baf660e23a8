/* What laws play back of earlier analyses, as a run collects it. The model says what is wanted
 * (lmb_record); the numbers belong to the run, so that several may use one model at once. */
#ifndef LMB_RUN_RECORDS_H
#define LMB_RUN_RECORDS_H

#include "system/model.h"

typedef struct lmb_records lmb_records;

/* For a model; *out is NULL if it plays nothing back, which the other functions allow for. */
lmb_status lmb_records_new(lmb_records **out, lmb_context *context, const lmb_model *model);
void lmb_records_free(lmb_records *records);

/* Takes the numbers of an instant of an analysis. */
void lmb_records_take(lmb_records *records, const lmb_analysis *analysis, double t,
                      const double *row);

/* Makes the tables of an analysis that has come to its end. */
lmb_status lmb_records_complete(lmb_records *records, lmb_context *context,
                                const lmb_analysis *analysis);

/* A table a record, NULL while its analysis has not run. */
const lmb_table *const *lmb_records_tables(const lmb_records *records);

#endif
