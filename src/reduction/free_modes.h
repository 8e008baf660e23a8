/* The modes of a reduced body that nothing holds. */
#ifndef LMB_REDUCTION_FREE_MODES_H
#define LMB_REDUCTION_FREE_MODES_H

#include "reduction/reduced.h"

/* Coordinates are the motions of its frame (x, y, angle, or three translations and three rotations)
 * and then its modes. Shapes have unit modal mass. */
typedef struct lmb_free_modes {
    lmb_arena *arena;
    int rigid;                   /* the first modes: 3 in the plane, 6 in space */
    int count;                   /* of modes, and of coordinates */
    double *frequency, *damping; /* Hz; ratio */
    double *shape;               /* mode x coordinate */
} lmb_free_modes;

lmb_status lmb_free_modes_new(lmb_free_modes **out, lmb_context *context, const lmb_reduced *body);
void lmb_free_modes_free(lmb_free_modes *modes);

#endif
