/* Figures of rotors, for pictures and sheets. */
#ifndef LMB_REPORT_ROTOR_FIGURES_H
#define LMB_REPORT_ROTOR_FIGURES_H

#include "rotor/results.h"
#include "report/plot.h"

/* Makes a figure whose parts live in the arena. Where there is nothing to draw it says why and
 * returns LMB_BAD_INPUT. */
typedef lmb_status lmb_rotor_figure(lmb_context *context, lmb_arena *arena,
                                    const lmb_rotor_results *results, lmb_plot *out);

/* All there are, ended by an empty name. */
typedef struct lmb_rotor_picture {
    const char *name; /* "campbell": the option is --campbell */
    lmb_rotor_figure *make;
} lmb_rotor_picture;
extern const lmb_rotor_picture lmb_rotor_pictures[];

/* Points along the shaft, a few an element. */
int lmb_rotor_line_count(const lmb_rotor_system *system);

/* The place of point i, and a deflection there. */
double lmb_rotor_line_x(const lmb_rotor_system *system, int i);
lmb_complex lmb_rotor_line_value(const lmb_rotor_system *system, int i, const lmb_complex *u);

/* The deflection under weight as such a u, y + i z, in the arena; NULL when out of memory. */
lmb_complex *lmb_rotor_line_sag(const lmb_rotor_results *results, lmb_arena *arena);

#endif
