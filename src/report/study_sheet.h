/* Studies as sheets: tables and figures for the terminal, a page and the report. */
#ifndef LMB_REPORT_STUDY_SHEET_H
#define LMB_REPORT_STUDY_SHEET_H

#include "report/sheet.h"
#include "study/fit.h"
#include "study/optimise.h"
#include "study/sweep.h"

/* The title of such sheets. */
#define LMB_STUDY_SHEET "Study"

void lmb_optimum_sheet(lmb_sheet *sheet, const lmb_optimum *optimum);
void lmb_fitted_sheet(lmb_sheet *sheet, const lmb_fitted *fitted);
void lmb_swept_sheet(lmb_sheet *sheet, const lmb_swept *swept);
void lmb_tolerance_sheet(lmb_sheet *sheet, const lmb_swept *swept);

#endif
