/* What `limber rotor` prints. */
#ifndef LMB_CLI_ROTOR_PRINT_H
#define LMB_CLI_ROTOR_PRINT_H

#include "rotor/results.h"
#include "report/sheet.h"

/* The tables and sentences of the sheet; `speeds` adds the vibrations over speed. */
void lmb_rotor_print(const char *title, const lmb_rotor_results *results, const lmb_sheet *sheet,
                     bool speeds);
void lmb_rotor_print_json(const char *title, const lmb_rotor_results *results,
                          const lmb_sheet *sheet);

#endif
