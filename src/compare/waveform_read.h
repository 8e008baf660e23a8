/* Waveforms of files: tables of loggers, sound files, channels of results. */
#ifndef LMB_COMPARE_WAVEFORM_READ_H
#define LMB_COMPARE_WAVEFORM_READ_H

#include "measure/measurement.h"

/* Reads what is asked for of a file. All lives in the arena. */
lmb_status lmb_waveform_read(lmb_context *context, lmb_arena *arena, const char *path,
                             const lmb_waveform_request *request, lmb_waveform *out);

#endif
