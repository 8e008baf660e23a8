/* Reports: a result, a reduced body or a sheet as one HTML file with animation, plots and tables.
 */
#ifndef LMB_REPORT_REPORT_H
#define LMB_REPORT_REPORT_H

#include "base/span.h"
#include "compare/counterpart.h"
#include "report/page.h"
#include "report/sheet.h"
#include "math/vec.h"
#include "scene/skin.h"

/* How the frames of a video are drawn, and of what. */
typedef struct lmb_frame_style {
    int width, height; /* pixels */
    const char *view;  /* iso, front, side or top; NULL: see `from` */
    vec3 from;         /* where the camera is, as seen from the mechanism; zero: as it looks best */
    double exaggerate; /* factor of deformations */
    bool stress;       /* flexible bodies in the colours of von Mises' stress */
    bool dark;
    int analysis; /* number */
    int count;    /* of frames */
    double *time; /* frame: its instant */
} lmb_frame_style;

/* What a report is made with. */
typedef struct lmb_report_request {
    const char *viewer;       /* the page of the viewer, an HTML text; NULL: that of the library */
    const char *path;         /* where the report goes */
    const char *title;        /* of the page; NULL: that of the model */
    lmb_compare_with compare; /* what to lay over the channels; without path and result: nothing */
    const char *own_label, *other_label; /* what the two are called; NULL: as their files */
    const lmb_span *span;          /* the largest loads are those in it; NULL: of all instants */
    const char *sheet;             /* JSON that takes the place of that of the file; or NULL */
    const char *source;            /* what the page calls the file; NULL: by its name */
    const lmb_frame_style *frames; /* the page draws these and has nothing else, or NULL */
} lmb_report_request;

/* Writes the report of a result; of that of a study: the result of what it has found with that of
 * the model as it was given beside it, or its tables and figures alone. */
lmb_status lmb_report_result(lmb_context *context, lmb_result *result,
                             const lmb_report_request *request);

/* Writes the report of a result file or of a body file. */
lmb_status lmb_report_write(lmb_context *context, const char *file,
                            const lmb_report_request *request);

/* Writes a page with a sheet alone. */
lmb_status lmb_report_sheet(lmb_context *context, const lmb_sheet *sheet, const char *title,
                            const lmb_report_request *request);

/* Writes the frames of a video as PNG files, drawn by Chromium from a page that is made for them:
 * FOLDER/frame-0001.png and so on, an instant of the analysis of `style` each: `step` apart,
 * or for 0 at most 300 of those stored. Its instants are found here. */
lmb_status lmb_frames_write(lmb_context *context, lmb_result *result, const lmb_frame_style *style,
                            double step, const char *folder);

#endif
