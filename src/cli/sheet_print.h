/* Sheets as text. */
#ifndef LMB_CLI_SHEET_PRINT_H
#define LMB_CLI_SHEET_PRINT_H

#include "report/sheet.h"

/* Prints the tables, with an empty line in front of each; and the sentences, a line each. */
void lmb_sheet_print_tables(const lmb_sheet *sheet);
void lmb_sheet_print_words(const lmb_sheet *sheet);

#endif
