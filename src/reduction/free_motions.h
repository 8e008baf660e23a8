/* Motions of a finite element model without stiffness: rigid motions of free parts and mechanisms.
 *
 * In a motion without strain energy every element moves as a rigid body. The nodes that elements
 * share determine which elements form one rigid part. The rank of the constraints between parts
 * gives the number of free motions. The method does not use the stiffness, so the result does not
 * depend on how stiff or slender a part is. */
#ifndef LMB_REDUCTION_FREE_MOTIONS_H
#define LMB_REDUCTION_FREE_MOTIONS_H

#include "base/message.h"
#include "fe/fe_model.h"

/* Points closer than this fraction of the size of a part count as one, because files give
 * coordinates with about seven digits. */
#define LMB_SAME_PLACE 1e-6

typedef struct lmb_free_motions {
    int inert;      /* free motions with inertia: rigid modes with frequency 0 */
    int weightless; /* free motions without inertia, such as turning about a point mass */
} lmb_free_motions;

/* Count the free motions of a model assembled from a mesh. `held` (n) marks held degrees of
 * freedom. The function also marks one per weightless motion. Neither K nor M resists these
 * motions, so holding them changes no mode. */
lmb_status lmb_free_motions_find(lmb_free_motions *out, lmb_context *context,
                                 const lmb_fe_model *model, bool *held);

#endif
