/* What pages have of a result: the geometry that is drawn, skins of flexible bodies, and channels.
 * The JSON of these parts is described in report.c. */
#ifndef LMB_REPORT_DRAWN_H
#define LMB_REPORT_DRAWN_H

#include "report/page.h"
#include "result/series.h"
#include "scene/geometry.h"
#include "scene/skin.h"

/* Nodes of all skins together. */
enum { LMB_PAGE_NODES = 50000 };

/* Writes the numbers of a series as the block "data", with single precision, a component after the
 * other. */
void lmb_page_numbers(lmb_page *page, const lmb_series *series);

/* Reads what is drawn of a result, into the arena of the page. False: its text says nothing of the
 * kind. */
bool lmb_page_geometry_of(lmb_geometry *out, lmb_page *page, lmb_context *context,
                          lmb_result *result);

/* Writes it as the text "geometry"; NULL: nothing is drawn. */
lmb_status lmb_page_geometry(lmb_page *page, lmb_context *context, const lmb_geometry *geometry);

/* Writes the list "skins". */
void lmb_page_skins(lmb_page *page, const lmb_skin *skins, int count);

/* Writes those of a result, with stresses where there are some, or without. */
lmb_status lmb_page_result_skins(lmb_page *page, lmb_context *context, const lmb_result *result,
                                 bool stresses);

/* What is sent of an analysis. */
typedef struct lmb_page_choice {
    bool drawn;               /* only what moves the picture: for frames and ghosts */
    const lmb_geometry *only; /* of this only what moves its bodies, without stresses; or NULL */
    int count;
    const double *time; /* at these instants; NULL: at those stored */
} lmb_page_choice;

/* Writes the analysis of this number as an object; without channels it has no times. */
lmb_status lmb_page_analysis(lmb_page *page, lmb_context *context, lmb_result *result, int index,
                             const lmb_page_choice *choice);

#endif
