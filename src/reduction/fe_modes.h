/* Natural modes of a finite element model without interface points, free or with held degrees of
 * freedom.
 *
 *   K u = (2 pi f)^2 M u,  u = 0 where held */
#ifndef LMB_REDUCTION_FE_MODES_H
#define LMB_REDUCTION_FE_MODES_H

#include "base/message.h"
#include "fe/fe_model.h"

typedef struct lmb_fe_modes {
    int count;
    int rigid;         /* number of rigid modes; these come first and have frequency 0 */
    double *frequency; /* Hz, ascending */
} lmb_fe_modes;

/* Find all rigid modes and the lowest `elastic` other modes, in the arena. There are fewer if the
 * model has no more. `held` (n) marks held degrees of freedom; NULL: none. Rigid modes are counted
 * from the mesh (free_motions.h). Matrices from files have no mesh: at most six modes are rigid, if
 * their eigenvalues are below 1e-4 of the next. Motions with neither stiffness nor inertia are not
 * modes. */
lmb_status lmb_fe_modes_find(lmb_fe_modes *out, lmb_context *context, lmb_arena *arena,
                             const lmb_fe_model *model, const bool *held, int elastic);

#endif
