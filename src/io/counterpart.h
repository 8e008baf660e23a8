/* What a result is compared with: another result, or a table of measurements in CSV whose first
 * line has the names of its columns, time first and then channels or components (crank.position.x).
 */
#ifndef LMB_IO_COUNTERPART_H
#define LMB_IO_COUNTERPART_H

#include "base/message.h"
#include "io/series.h"

typedef struct lmb_counterpart lmb_counterpart;

/* Opens either; `shift` is added to its times. */
lmb_status lmb_counterpart_open(lmb_counterpart **out, lmb_context *context, const char *path,
                                double shift);
void lmb_counterpart_close(lmb_counterpart *counterpart);

bool lmb_counterpart_is_table(const lmb_counterpart *counterpart);

/* Its names: the channels of the last analysis, or the columns behind that of the time. They live
 * as long as it is open. */
int lmb_counterpart_count(const lmb_counterpart *counterpart);
const char *lmb_counterpart_name(const lmb_counterpart *counterpart, int index);
bool lmb_counterpart_has(const lmb_counterpart *counterpart, const char *name);

/* Reads the record of a name; a result also knows components and other analyses. Free it with
 * lmb_series_free. */
lmb_status lmb_counterpart_read(lmb_counterpart *counterpart, lmb_context *context,
                                const char *name, lmb_series *out);

/* Whether the last analysis of a result has a channel or a component of this name. */
bool lmb_result_has(const lmb_result *result, const char *name);

#endif
