/* What is drawn of a rotor: shaft and discs as a skin, bearings as signs. */
#ifndef LMB_IO_ROTOR_SKIN_H
#define LMB_IO_ROTOR_SKIN_H

#include "analysis/rotor_results.h"
#include "io/skin.h"
#include "system/model.h"

enum { LMB_ROTOR_SHOWN = 32 }; /* modes at most */

/* How many bodies are drawn: the shaft with its couplings, `rotor`, and `discs` if there are some.
 */
int lmb_rotor_bodies(const lmb_rotor_results *results);

/* The skin of one of them, at rest. Vibration k at the service speed has the shapes 2 k and
 * 2 k + 1: with the phase p it is cos(p) times the first and sin(p) times the second. It lives in
 * the arena. */
lmb_status lmb_rotor_skin(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                          const lmb_rotor_results *results, int body);

/* The geometry (see model_geometry.c) of ground, shaft and discs, with all stations as points and
 * bearings and seals as joints of these types with a radius; a text to be freed, NULL: out of
 * memory. */
char *lmb_rotor_geometry(const lmb_model *model, const lmb_rotor_results *results);

#endif
