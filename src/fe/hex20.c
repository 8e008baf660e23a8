/* The quadratic hexahedron of 20 nodes: 3 x 3 x 3 points for stiffness and mass, stresses from
 * 2 x 2 x 2 points. */
#include "fe/solid.h"

const lmb_element_type lmb_element_hex20 = {
    .name = "hex20",
    .nodes = 20,
    .dofs = 60,
    .directions = LMB_TRANSLATIONS,
    .solid = true,
    .matrices = lmb_solid_matrices,
    .stress = lmb_solid_stress,
    .gradients = lmb_solid_gradients_of,
};
