/* Motions of a finite element model that meet no stiffness: those of free parts and mechanisms.
 *
 * Without energy every element moves as a rigid body. So parts that can only move as one piece are
 * found from the nodes that elements share, and the rank of the conditions between parts tells how
 * many motions are free. No stiffness is looked at: the answer does not depend on how stiff or
 * slender a part is. */
#ifndef LMB_REDUCTION_FREE_MOTIONS_H
#define LMB_REDUCTION_FREE_MOTIONS_H

#include "base/message.h"
#include "fe/fe_model.h"

/* Points within this part of the size of a piece count as one: files give coordinates with about
 * seven digits. */
#define LMB_SAME_PLACE 1e-6

typedef struct lmb_free_motions {
    int inert;      /* free motions that have inertia: rigid modes with frequency 0 */
    int weightless; /* and without, such as turning about a single point mass: no modes */
} lmb_free_motions;

/* Counts the motions of a model that was assembled from a mesh. `held` (n) marks degrees of freedom
 * that are held. It also marks one for each weightless motion: neither K nor M resists these, so
 * that holding them changes no mode. */
lmb_status lmb_free_motions_find(lmb_free_motions *out, lmb_context *context,
                                 const lmb_fe_model *model, bool *held);

#endif
