/* What limber spectrum finds, as JSON. */
#ifndef LMB_CLI_SPECTRUM_JSON_H
#define LMB_CLI_SPECTRUM_JSON_H

#include "signal/spectrum.h"

void lmb_spectrum_print_json(const lmb_spectrum_work *work);
void lmb_trend_print_json(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows);

#endif
