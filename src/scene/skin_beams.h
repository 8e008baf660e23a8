/* The outside of beams: prisms between the outlines of the sections at both ends of each line.
 *
 * Where a beam ends, or does not go straight on with the same section, its prism is closed; a
 * hollow one is open there to its inner wall. A node moves and turns with the section, and its
 * stress is that of its fibre: linear in the section forces, so that modes add up. */
#ifndef LMB_SCENE_SKIN_BEAMS_H
#define LMB_SCENE_SKIN_BEAMS_H

#include "fe/section_outline.h"
#include "scene/skin.h"
#include "rotor/results.h"
#include "scene/geometry.h"
#include "system/model.h"

/* --- prisms ----------------------------------------------------------------------------------- */

/* A node of the skin on a beam. */
typedef struct lmb_fibre {
    int end;            /* 2 line + 0 or 1 */
    vec3 arm;           /* from the node of the beam; at least as long as can be seen */
    double y, z;        /* from the axis, in truth */
    vec3 along, around; /* unit: of the beam, and of the shear stress of torsion */
} lmb_fibre;

typedef struct lmb_prisms {
    int fibre_count, triangle_count;
    lmb_fibre *fibres;
    int *triangles; /* triangle x 3: numbers of fibres */
    bool *drawn;    /* line: whether its section is known, so that it is drawn */
} lmb_prisms;

/* The prisms of all lines; they live in the arena. */
lmb_status lmb_prisms_of(lmb_prisms *out, lmb_arena *arena, lmb_context *context,
                         const lmb_body_data *body);

/* Puts them into a skin as its last nodes and triangles: places, shapes of the modes and of the
 * basis (if the skin has room for it), and stresses: of normal force and bending moments along the
 * beam, with the greatest one of torsion. */
void lmb_prisms_copy(const lmb_prisms *prisms, const lmb_body_data *body, lmb_skin *out);

/* What is drawn of a rotor: shaft and discs as a skin, bearings as signs. */

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
