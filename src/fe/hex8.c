/* The hexahedron of 8 nodes with incompatible modes.
 *
 * Besides the eight shape functions there are 1 - xi^2, 1 - eta^2 and 1 - zeta^2, with amplitudes
 * of the element's own: they let its faces bend, so it does not lock (Wilson). Their gradients are
 *
 *   grad P = det J_0 / det J  J_0^-T dP/dxi
 *
 * with the Jacobian J_0 of the centre, so that their integral over any element vanishes and
 * constant stresses do no work on them (Taylor): the patch test is passed. The nine amplitudes are
 * eliminated from the 33 equations one by one. */
#include "fe/solid.h"

#include <string.h>

enum { NODES = 8, OWN = LMB_HEX8_OWN, ALL = LMB_HEX8_ALL };

/* J_0^-T det J_0 by columns: of coordinate i and direction j. */
static mat3 centre(const vec3 *x)
{
    static const signed char sides[NODES][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                                {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    vec3 J[3] = {{0}};
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < 3; i++)
            J[i] = v3_axpy(J[i], sides[a][i] / 8.0, x[a]);
    return (mat3){{v3_cross(J[1], J[2]), v3_cross(J[2], J[0]), v3_cross(J[0], J[1])}};
}

void lmb_hex8_add_modes(const lmb_solid_rule *rule, const vec3 *x, lmb_solid_points *at)
{
    mat3 c = centre(x);
    at->shapes = ALL / 3;
    for (int p = 0; p < rule->points; p++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double det = at->weight[p] / rule->weight[p];
                at->g[p][3 * (NODES + i) + j] = -2 * rule->at[p][i] * m3_get(&c, j, i) / det;
            }
}

/* The last first. */
void lmb_hex8_eliminate(double *K, lmb_hex8_factors factors)
{
    for (int k = ALL - 1; k >= OWN; k--) {
        double *row = factors[k - OWN];
        for (int j = 0; j < k; j++)
            row[j] = K[k * ALL + j] / K[k * ALL + k];
        for (int j = 0; j < k; j++)
            for (int i = 0; i <= j; i++)
                K[j * ALL + i] -= K[k * ALL + i] * row[j];
    }
}

void lmb_hex8_complete(lmb_hex8_factors factors, int width, const double *u, double *all)
{
    memcpy(all, u, (size_t)(OWN * width) * sizeof *all);
    memset(all + OWN * width, 0, (size_t)((ALL - OWN) * width) * sizeof *all);
    for (int k = OWN; k < ALL; k++)
        for (int j = 0; j < k; j++)
            for (int c = 0; c < width; c++)
                all[k * width + c] -= factors[k - OWN][j] * all[j * width + c];
}
