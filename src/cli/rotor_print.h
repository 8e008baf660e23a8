/* What `limber rotor` prints and draws. */
#ifndef LMB_CLI_ROTOR_PRINT_H
#define LMB_CLI_ROTOR_PRINT_H

#include "analysis/rotor_results.h"

/* Tables, and in words where the service speed lies; `speeds` adds the vibrations over speed. */
void lmb_rotor_print(const char *title, const lmb_rotor_results *results, bool speeds);
void lmb_rotor_print_json(const char *title, const lmb_rotor_results *results);

/* The words on the service speed, each sentence a line; needs room for 1000 characters. */
void lmb_rotor_words(const lmb_rotor_results *results, char *text, size_t size);

/* Pictures, SVG or PNG. */
lmb_status lmb_rotor_plot_campbell(lmb_context *context, const lmb_rotor_results *results,
                                   const char *path);
lmb_status lmb_rotor_plot_response(lmb_context *context, const lmb_rotor_results *results,
                                   const char *path);
lmb_status lmb_rotor_plot_shapes(lmb_context *context, const lmb_rotor_results *results,
                                 const char *path);
lmb_status lmb_rotor_plot_run_up(lmb_context *context, const lmb_rotor_results *results,
                                 const char *path);

#endif
