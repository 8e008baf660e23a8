/* The quadratic tetrahedron: four points for the stiffness, fourteen for the mass. */
#include "fe/solid.h"

const lmb_element_type lmb_element_tet10 = {
    .name = "tet10",
    .nodes = 10,
    .dofs = 30,
    .directions = LMB_TRANSLATIONS,
    .solid = true,
    .matrices = lmb_solid_matrices,
    .stress = lmb_solid_stress,
    .gradients = lmb_solid_gradients_of,
};
