/* Mass properties by the six rigid motions P through the mass matrix, G = P^T M P:
 *
 *   G = [ m 1   -m [c]x ]     m: mass, c: centre, J: inertia about the origin
 *       [ .      J      ] */
#include "fe/mass_properties.h"

#include <stdlib.h>

/* The displacement of each degree of freedom in a rigid motion: a translation, or a rotation about
 * the origin. */
static void rigid_motion(const lmb_fe_model *m, int motion, double *u)
{
    vec3 axis = {motion % 3 == 0, motion % 3 == 1, motion % 3 == 2};
    for (int i = 0; i < m->n; i++) {
        int direction = m->direction[i];
        vec3 turned = v3_cross(axis, m->x[m->node[i]]);
        const double part[3] = {turned.x, turned.y, turned.z};
        u[i] = direction == motion                      ? 1
               : motion >= LMB_RX && direction < LMB_RX ? part[direction]
                                                        : 0;
    }
}

static void properties(double G[LMB_DIRECTIONS][LMB_DIRECTIONS], int dimension,
                       lmb_mass_properties *out)
{
    double m = out->mass = G[LMB_UX][LMB_UX];
    vec3 c = v3(G[LMB_UY][LMB_RZ] / m, -G[LMB_UX][LMB_RZ] / m, G[LMB_UX][LMB_RY] / m);
    double cc = v3_dot(c, c), x[3] = {c.x, c.y, c.z}, J[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (dimension == 3 || (i == 2 && k == 2))
                J[i][k] = G[LMB_RX + i][LMB_RX + k] - m * ((i == k) * cc - x[i] * x[k]);
    out->centre = c;
    for (int k = 0; k < 3; k++)
        out->inertia.c[k] =
            v3((J[0][k] + J[k][0]) / 2, (J[1][k] + J[k][1]) / 2, (J[2][k] + J[k][2]) / 2);
}

lmb_status lmb_fe_mass_properties(const lmb_fe_model *m, lmb_context *context,
                                  lmb_mass_properties *out)
{
    size_t n = (size_t)m->n;
    double *P = calloc(2 * LMB_DIRECTIONS * n + 1, sizeof *P), *MP = P + LMB_DIRECTIONS * n;
    double G[LMB_DIRECTIONS][LMB_DIRECTIONS];
    if (!P)
        return lmb_fail_memory(context);
    for (int k = 0; k < LMB_DIRECTIONS; k++)
        rigid_motion(m, k, P + (size_t)k * n);
    lmb_symmetric_multiply_many(&m->M, LMB_DIRECTIONS, P, MP);
    for (int i = 0; i < LMB_DIRECTIONS; i++)
        for (int k = 0; k < LMB_DIRECTIONS; k++) {
            G[i][k] = 0;
            for (size_t j = 0; j < n; j++)
                G[i][k] += P[(size_t)i * n + j] * MP[(size_t)k * n + j];
        }
    free(P);
    if (!(G[0][0] > 0))
        return lmb_fail(context, LMB_BAD_INPUT, "the finite element model has no mass");
    properties(G, m->dimension, out);
    return LMB_OK;
}
