/* What is drawn of a rotor: shaft and discs as a skin, bearings as signs. */
#ifndef LMB_SCENE_ROTOR_SKIN_H
#define LMB_SCENE_ROTOR_SKIN_H

#include "rotor/results.h"
#include "scene/skin.h"
#include "system/model.h"

/* How many bodies are drawn: the shaft with its couplings, `rotor`, and `discs` and `supports` that
 * move if there are some. */
int lmb_rotor_bodies(const lmb_rotor_results *results);

/* The skin of one of them, at rest; it lives in the arena. Its first shapes are those of which the
 * motions under unbalance are sums (results->basis), each along y and then along z. Behind them
 * each vibration at the service speed has two shapes: with the phase p it is cos(p) times the first
 * and sin(p) times the second. */
lmb_status lmb_rotor_skin(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                          const lmb_rotor_results *results, int body);

/* The geometry (see model_geometry.c) of ground, shaft, discs and supports, with all stations as
 * points, bearings and seals as joints of these types with a radius, and springs under supports;
 * `modes_of` of a body names that whose channel `modes` moves it. A text to be freed, NULL: out of
 * memory. */
char *lmb_rotor_geometry(const lmb_model *model, const lmb_rotor_results *results);

#endif
