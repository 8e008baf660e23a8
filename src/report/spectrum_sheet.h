/* What a spectrum or a trend of several says, as a sheet. */
#ifndef LMB_REPORT_SPECTRUM_SHEET_H
#define LMB_REPORT_SPECTRUM_SHEET_H

#include "report/sheet.h"
#include "signal/spectrum.h"

/* What is said about a record in sentences, and tables of overall values, peaks, faults and slices.
 */
void lmb_spectrum_tell(const lmb_spectrum_work *work, lmb_sheet *sheet);

/* The figures: the first is what is drawn as a picture; the others are for the page. */
void lmb_spectrum_figures(const lmb_spectrum_work *work, bool all, lmb_sheet *sheet);

/* The trend as a sheet with its table and figure. */
void lmb_trend_sheet(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows,
                     lmb_sheet *sheet);

#endif
