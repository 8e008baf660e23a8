/* Waveforms from the columns of measurements. */
#ifndef LMB_MEASURE_WAVEFORM_H
#define LMB_MEASURE_WAVEFORM_H

#include "measure/measurement.h"
#include "signal/waveform.h"

/* What is asked for of a file. */
typedef struct lmb_waveform_request {
    const char *column, *other; /* names or numbers; or NULL: the only one; without a second one */
    const char *channel;        /* of a result, or NULL: that of `column` */
    bool speed;                 /* the second one is a speed, which is made one in Hz */
    bool gapless;               /* steps may differ, as those of a result: none is a gap */
    double rate;                /* Hz, or 0: as the file tells */
    bool comma;                 /* decimal commas, see lmb_logger_read */
    const char *unit;           /* takes the place of that of the file; or NULL */
    double scale;               /* the values are multiplied by it */
} lmb_waveform_request;

/* The columns at even instants: single values that are missing and instants that are not even are
 * interpolated, of records with gaps the longest piece is taken, with warnings. What `out` has for
 * path, name and units is of the measurement. */
lmb_status lmb_waveform_take(lmb_context *context, lmb_arena *arena, const lmb_measurement *m,
                             const lmb_waveform_request *request, lmb_waveform *out);

#endif
