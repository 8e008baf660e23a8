/* Residual displacements: the static response of a body to its loads without the part that its
 * modes represent.
 *
 * A unit load f_j is a force or torque on an interface point, a force on a patch, or the
 * centrifugal load of a product omega_a omega_b. The inertia of a rigid acceleration c_j balances
 * it (inertia relief):
 *
 *   h_j = f_j - M R c_j,   c_j = (R^T M R)^-1 R^T f_j        R: rigid motions
 *
 * Under h_j the body deforms by u_j (craig_bampton.h: Phi_c are the static modes of the points),
 *
 *   u_j = G K_ii^-1 h_j + Phi_c b_j,   K_cc b_j = Phi_c^T h_j
 *   r_j = u_j - Psi K_m^-1 Psi^T h_j,  K_m = Psi^T K Psi     Psi: modes of the reduced body
 *
 * K_cc has the rigid motions as its null space. h_j is balanced, so a solution exists, and any
 * solution gives the same strains. The share of static flexibility that the modes represent is
 * (Psi^T h_j)^T K_m^-1 (Psi^T h_j) / (h_j^T u_j). */
#ifndef LMB_REDUCTION_RESIDUAL_H
#define LMB_REDUCTION_RESIDUAL_H

#include "fe/element.h"
#include "reduction/reduced.h"

/* Return the number of products omega_a omega_b that load a body: 6 in space, 1 (omega_z^2) in the
 * plane. */
int lmb_spin_loads(int dimension);

/* Return the number of unit loads of a body. Their order: the motions of each point, the forces on
 * each patch (2 in the plane, 3 in space), the products of omega. */
int lmb_unit_loads(int dimension, int point_count, int patch_count);

/* The indices a, b of product s, in the order xx yy zz xy yz zx */
extern const int lmb_spin_pair[LMB_SPINS][2];

/* Return true if product s exists: in the plane only zz. */
static inline bool lmb_has_spin(int dimension, int s)
{
    return dimension == 3 || s == 2;
}

/* Add the forces of the inertia fields (one per product, LMB_SPINS) to f (LMB_SPINS x n). The model
 * must be assembled. */
void lmb_add_spin_loads(const lmb_fe_model *model, const lmb_element_tables *tables,
                        const lmb_inertia_field fields[LMB_SPINS], double *f);

/* Fill load_count, residual and flexibility of a body with known modes. The basis must have kept
 * its factor; the fixed-interface modes are not used. */
lmb_status lmb_find_residual(lmb_reduced *reduced, lmb_context *context,
                             const lmb_craig_bampton *basis, const lmb_reduction *options);

#endif
