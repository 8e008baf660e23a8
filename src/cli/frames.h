/* Frames of an animation as PNG files: `limber export --frames`. */
#ifndef LMB_CLI_FRAMES_H
#define LMB_CLI_FRAMES_H

#include "cli/verb.h"
#include "export/drawing.h"

/* What was typed about frames. */
typedef struct lmb_frame_options {
    const char *folder; /* NULL: there are none to be written */
    const char *view;   /* name of a view, or NULL */
    lmb_drawing_style style;
} lmb_frame_options;

/* Reads the options of frames; some without --frames are wrong. */
lmb_status lmb_frame_options_read(const lmb_arguments *arguments, lmb_frame_options *out);

/* Writes DIR/frame-0001.png and so on, an instant of the scene each. */
lmb_status lmb_write_frames(lmb_context *context, const lmb_scene *scene,
                            const lmb_frame_options *options);

#endif
