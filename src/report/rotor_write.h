/* Results of rotors as a result file. */
#ifndef LMB_REPORT_ROTOR_WRITE_H
#define LMB_REPORT_ROTOR_WRITE_H

#include "rotor/results.h"
#include "system/model.h"

/* Writes a sheet (rotor_sheet.h) and the analyses `campbell` and `unbalance` (over speed, rad/s, in
 * the place of time), `shapes` (over the place along the shaft, m), `whirl` (the vibrations at the
 * service speed, for the skin) and `run-up` (over time). */
lmb_status lmb_rotor_write(lmb_context *context, const lmb_model *model,
                           const lmb_rotor_results *results, const char *path);

#endif
