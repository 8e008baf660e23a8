/* What is said and shown of a rotor: sentences, tables and figures. */
#ifndef LMB_REPORT_ROTOR_SHEET_H
#define LMB_REPORT_ROTOR_SHEET_H

#include "rotor/results.h"
#include "report/sheet.h"

/* Sentences and tables, in a sheet that has begun. */
void lmb_rotor_tell(lmb_sheet *sheet, const lmb_rotor_results *results);

/* The same with all figures that there are. */
lmb_status lmb_rotor_sheet(lmb_context *context, lmb_sheet *sheet,
                           const lmb_rotor_results *results);

/* "forward", "backward", "mixed", "plane" of a critical speed. */
const char *lmb_critical_word(const lmb_critical *critical);

#endif
