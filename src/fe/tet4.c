/* The linear tetrahedron: constant strain, one point for the stiffness. It locks in bending. */
#include "fe/solid.h"

const lmb_element_type lmb_element_tet4 = {
    .name = "tet4",
    .nodes = 4,
    .dofs = 12,
    .directions = LMB_TRANSLATIONS,
    .solid = true,
    .matrices = lmb_solid_matrices,
    .stress = lmb_solid_stress,
    .gradients = lmb_solid_gradients_of,
};
