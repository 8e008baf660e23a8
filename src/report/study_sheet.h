/* Studies as sheets: tables and figures for the terminal, a page and the report. */
#ifndef LMB_REPORT_STUDY_SHEET_H
#define LMB_REPORT_STUDY_SHEET_H

#include "report/sheet.h"
#include "study/optimise.h"

void lmb_optimum_sheet(lmb_sheet *sheet, const lmb_optimum *optimum);

#endif
