/* The frames of a video as PNG files, drawn by Chromium from a page that is made for them. */
#ifndef LMB_REPORT_FRAMES_H
#define LMB_REPORT_FRAMES_H

#include "report/report.h"

/* Writes FOLDER/frame-0001.png and so on, an instant of the analysis of `style` each: `step` apart,
 * or for 0 at most 300 of those stored. Its instants are found here. */
lmb_status lmb_frames_write(lmb_context *context, lmb_result *result, const char *viewer,
                            const lmb_frame_style *style, double step, const char *folder);

#endif
