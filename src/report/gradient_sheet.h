/* Gradients as a sheet: one table and one bar chart per objective, and how derivatives develop over
 * time. */
#ifndef LMB_REPORT_GRADIENT_SHEET_H
#define LMB_REPORT_GRADIENT_SHEET_H

#include "report/sheet.h"
#include "study/gradient.h"

/* Fills a sheet, which begins with the bar charts. */
void lmb_gradient_sheet(lmb_sheet *sheet, const lmb_gradient *gradient);

#endif
