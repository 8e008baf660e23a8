/* What of the equations a parameter enters: the bodies, frames, rows, forces and laws that are
 * others in its neighbours. All else is equal there, so that the neighbours need be evaluated for
 * these alone.
 *
 * Two models compiled from the same file with another number have the same structure. Their numbers
 * and expressions are compared one by one; what cannot be compared counts as different. */
#ifndef LMB_STUDY_EFFECT_H
#define LMB_STUDY_EFFECT_H

#include "study/neighbours.h"
#include "system/equations.h"

typedef struct lmb_effect {
    lmb_items items;  /* bodies: whose inertia, gravity or stiffness is another */
    int *markers;     /* whose frames are others, */
    int marker_count; /* these */
    int *shapes;      /* bodies whose own constants make other frames, */
    int shape_count;  /* these; they are among those of the items */
    bool laws;        /* motion laws are others */
    bool whole;       /* the lists of frames or rows are others: nothing can be told apart */
} lmb_effect;

/* Compares a model with neighbours; the lists live in the arena, which remembers if there is no
 * memory. */
void lmb_effect_find(lmb_effect *out, lmb_arena *arena, const lmb_model *model,
                     const lmb_neighbours *neighbours);

#endif
