/* What is drawn of a rotor: shaft and discs as a skin, bearings as signs. */
#ifndef LMB_SCENE_ROTOR_SKIN_H
#define LMB_SCENE_ROTOR_SKIN_H

#include "rotor/results.h"
#include "scene/geometry.h"
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

/* The geometry of ground, shaft, discs and supports, in the arena: stations are points, bearings
 * and seals joints of these types with a radius, and there are springs under supports. False: out
 * of memory. */
bool lmb_rotor_geometry(lmb_geometry *out, lmb_arena *arena, const lmb_model *model,
                        const lmb_rotor_results *results);

#endif
