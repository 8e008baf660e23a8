/* Reports: a result as one HTML page with animation, plots and tables. */
#ifndef LIMBER_REPORT_H
#define LIMBER_REPORT_H

#include "limber/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a report is made with; all zero is a plain one. */
typedef struct lmb_report_options {
    const char *title;   /* the title of the page; NULL: that of the model */
    const char *compare; /* file of a result or of measurements to lay over the channels, or NULL */
    lmb_result *compare_result; /* a result to lay over the channels instead of a file, or NULL */
    const char *const
        *columns; /* of measurements, "COLUMN=CHANNEL", ended by NULL; NULL: by their names */
    double shift; /* added to the times of what is compared (s) */
    double rate;  /* samples per second of measurements without times (Hz); 0: they have times */
    bool decimal_comma; /* whether numbers of measurements have decimal commas */
    const double
        *from; /* the largest loads are those from this time on (s); NULL: of the beginning */
    const double *to; /* the largest loads are those up to this time (s); NULL: to the end */
} lmb_report_options;

/* Writes the report of a result, of a file or in memory, to an HTML file, which any browser opens
 * without a network. NULL for the options is a plain report. Fails with LMB_USAGE in a library that
 * was built without the viewer. */
LMB_API lmb_status lmb_report(lmb_context *context, lmb_result *result, const char *path,
                              const lmb_report_options *options);

#ifdef __cplusplus
}
#endif
#endif
