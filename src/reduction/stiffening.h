/* Stiffening of a reduced body by the stresses that it carries. */
#ifndef LMB_REDUCTION_STIFFENING_H
#define LMB_REDUCTION_STIFFENING_H

#include "reduction/reduced.h"

/* Fills spin_stiffness and mode_stiffness of a body whose modes are known. The basis must have kept
 * its factor; X are all modes of the body in its frame, in the coordinates of the basis. */
lmb_status lmb_find_stiffening(lmb_reduced *reduced, lmb_context *context,
                               const lmb_craig_bampton *basis, const double *X,
                               lmb_body_frame frame);

#endif
