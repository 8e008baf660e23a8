/* Geometrically exact beams as bodies: `own` is the lmb_exact_beam. */
#ifndef LMB_BODIES_EXACT_BEAM_H
#define LMB_BODIES_EXACT_BEAM_H

#include "bodies/body.h"
#include "elements/beam_element.h"

extern const lmb_body_ops lmb_body_exact_beam, lmb_body_exact_beam_planar;

#endif
