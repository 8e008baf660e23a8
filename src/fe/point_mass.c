/* A mass at a node, with an inertia that counts where the node can turn. */
#include <string.h>

#include "fe/element.h"

static void matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                     double *M)
{
    (void)tables;
    memset(K, 0, 36 * sizeof *K);
    memset(M, 0, 36 * sizeof *M);
    for (int i = 0; i < 3; i++) {
        M[7 * i] = e->mass.mass;
        for (int j = 0; j < 3; j++)
            M[6 * (3 + j) + 3 + i] =
                (m3_get(&e->mass.inertia, i, j) + m3_get(&e->mass.inertia, j, i)) / 2;
    }
}

const lmb_element_type lmb_element_point_mass = {
    .name = "point mass",
    .nodes = 1,
    .dofs = LMB_DIRECTIONS,
    .directions = LMB_TRANSLATIONS | LMB_ROTATIONS,
    .matrices = matrices,
};
