/* Natural modes of a finite element model without interface points: of a free body, or of one that
 * is held in some degrees of freedom.
 *
 *   K u = (2 pi f)^2 M u,  u = 0 where it is held */
#ifndef LMB_REDUCTION_FE_MODES_H
#define LMB_REDUCTION_FE_MODES_H

#include "base/message.h"
#include "fe/fe_model.h"

typedef struct lmb_fe_modes {
    int count;
    int rigid;         /* the first of them: they meet no stiffness, and their frequency is 0 */
    double *frequency; /* Hz, ascending */
} lmb_fe_modes;

/* Finds all rigid modes and the lowest `elastic` others, fewer if the model has no more, in the
 * arena. `held` (n) marks held degrees of freedom; NULL: none. Rigid modes are counted from the
 * mesh (free_motions.h), and for matrices of files, six at most, as those whose eigenvalue is below
 * 1e-4 of the next. Motions with neither stiffness nor inertia are no modes. */
lmb_status lmb_fe_modes_find(lmb_fe_modes *out, lmb_context *context, lmb_arena *arena,
                             const lmb_fe_model *model, const bool *held, int elastic);

#endif
