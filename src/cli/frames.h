/* The options of frames: `limber export --frames`. */
#ifndef LMB_CLI_FRAMES_H
#define LMB_CLI_FRAMES_H

#include "cli/verb.h"
#include "report/report.h"

/* Reads what was typed about frames; some without --frames are wrong. */
lmb_status lmb_frame_options_read(const lmb_arguments *arguments, lmb_frame_style *out);

#endif
