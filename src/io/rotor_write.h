/* Results of rotors as a result file. */
#ifndef LMB_IO_ROTOR_WRITE_H
#define LMB_IO_ROTOR_WRITE_H

#include "analysis/rotor_results.h"
#include "system/model.h"

/* Writes the analyses `campbell` and `unbalance` (over speed, rad/s, in the place of time),
 * `shapes` (over the place along the shaft, m) and `run-up` (over time). */
lmb_status lmb_rotor_write(lmb_context *context, const lmb_model *model,
                           const lmb_rotor_results *results, const char *path);

/* Points along the shaft: `count` of them, a few an element. */
enum { LMB_ROTOR_POINTS = 10 };
int lmb_rotor_line_count(const lmb_rotor_system *system);

/* The place of point i, and a deflection there. */
double lmb_rotor_line_x(const lmb_rotor_system *system, int i);
lmb_complex lmb_rotor_line_value(const lmb_rotor_system *system, int i, const lmb_complex *u);

#endif
