/* What is said, shown and written of a rotor. */
#ifndef LMB_REPORT_ROTOR_SHEET_H
#define LMB_REPORT_ROTOR_SHEET_H

#include "rotor/results.h"
#include "report/sheet.h"
#include "system/model.h"

/* --- figures ---------------------------------------------------------------------------------- */

/* Makes a figure whose parts live in its arena, which is set. Where there is nothing to draw it
 * says why and returns LMB_BAD_INPUT. */
typedef lmb_status lmb_rotor_figure(lmb_context *context, const lmb_rotor_results *results,
                                    lmb_plot *figure);

/* All there are, ended by an empty name. */
typedef struct lmb_rotor_picture {
    const char *name; /* "campbell": the option is --campbell */
    lmb_rotor_figure *make;
} lmb_rotor_picture;
extern const lmb_rotor_picture lmb_rotor_pictures[];

/* Points along the shaft, a few per element: how many, and the deflection at point i and its place.
 */
int lmb_rotor_line_count(const lmb_rotor_system *system);
lmb_complex lmb_rotor_line(const lmb_rotor_system *system, int i, const lmb_complex *u, double *x);

/* --- sheets ----------------------------------------------------------------------------------- */

/* Sentences and tables, in a sheet that has begun. */
void lmb_rotor_tell(lmb_sheet *sheet, const lmb_rotor_results *results);

/* Writes a result file, or makes a result in memory if the path is NULL: a sheet with all figures
 * that there are, and the analyses `campbell` and `unbalance` (over speed, rad/s, in the place of
 * time), `shapes` (over the place along the shaft, m), `whirl` (the vibrations at the service
 * speed, for the skin) and `run-up` (over time). */
lmb_status lmb_rotor_write(lmb_context *context, const lmb_model *model,
                           const lmb_rotor_results *results, const char *path, lmb_result **memory);

/* For the above: the sheet with all figures. */
lmb_status lmb_rotor_sheet(lmb_context *context, lmb_sheet *sheet,
                           const lmb_rotor_results *results);

#endif
