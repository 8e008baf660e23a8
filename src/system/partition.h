/* Independent coordinates: as many velocity coordinates as there are degrees of freedom, from which
 * the joints give all the others. */
#ifndef LMB_SYSTEM_PARTITION_H
#define LMB_SYSTEM_PARTITION_H

#include "system/solver.h"

/* S Phi_q W^(-1/2), dense by columns (nrows x nv), and the diagonal of W^(-1/2) (nv); needs the
 * Jacobian. */
void lmb_scaled_jacobian(const lmb_solver *solver, double *scaled, double *root);

/* Marks the independent coordinates (nv) at the present position and counts them: those that QR
 * with column pivoting of the scaled Jacobian leaves over, so that the others follow from them as
 * well as can be. Needs the Jacobian. */
lmb_status lmb_choose_independent(lmb_solver *solver, bool *independent, int *count);

/* Whether coordinates that somebody else marked can be the independent ones; if not, the message
 * says what is wrong: too few, too many, or something that they leave free. Needs the Jacobian. */
lmb_status lmb_check_independent(lmb_solver *solver, const bool *independent);

#endif
