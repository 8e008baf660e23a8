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

enum { NODES = 8, SHAPES = 11, OWN = 24, ALL = 33 };

/* J_0^-T det J_0 by columns: c[i][j] of coordinate i and direction j. */
static void centre(const vec3 *x, double c[3][3])
{
    static const signed char sides[NODES][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                                {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    vec3 J[3] = {{0}};
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < 3; i++)
            J[i] = v3_axpy(J[i], sides[a][i] / 8.0, x[a]);
    for (int i = 0; i < 3; i++) {
        vec3 row = v3_cross(J[(i + 1) % 3], J[(i + 2) % 3]);
        c[i][0] = row.x;
        c[i][1] = row.y;
        c[i][2] = row.z;
    }
}

/* Gradients of all eleven functions at a point; returns det J. */
static double gradients(const lmb_solid_rule *rule, int p, const vec3 *x, double c[3][3], double *g)
{
    double det = lmb_solid_gradients(rule, p, NODES, x, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g[3 * (NODES + i) + j] = -2 * rule->at[p][i] * c[i][j] / det;
    return det;
}

/* The stiffness of all 33 unknowns. Then the last nine are eliminated, the last first, in the
 * upper half of K; row k of `factors` says what is left of it: amplitude k = -factors . (unknowns
 * before it). */
static void stiffness(const lmb_solid_rule *rule, const lmb_element_data *e, double *K,
                      double (*factors)[ALL])
{
    double c[3][3];
    lmb_solid_points at = {.shapes = SHAPES, .points = rule->points};
    centre(e->x, c);
    for (int p = 0; p < rule->points; p++)
        at.weight[p] = rule->weight[p] * gradients(rule, p, e->x, c, at.g[p]);
    lmb_solid_isotropic(&at, &e->material, K);
    for (int k = ALL - 1; k >= OWN; k--) {
        double *row = factors[k - OWN];
        for (int j = 0; j < k; j++)
            row[j] = K[k * ALL + j] / K[k * ALL + k];
        for (int j = 0; j < k; j++)
            for (int i = 0; i <= j; i++)
                K[j * ALL + i] -= K[k * ALL + i] * row[j];
    }
}

static void matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                     double *M)
{
    const lmb_solid_table *table = lmb_solid_table_of(tables, LMB_HEX8);
    double all[ALL * ALL], factors[ALL - OWN][ALL];
    stiffness(&table->stiffness, e, all, factors);
    for (int j = 0; j < OWN; j++)
        for (int i = 0; i <= j; i++)
            K[j * OWN + i] = K[i * OWN + j] = all[j * ALL + i];
    lmb_solid_mass(table, e, M);
}

/* The displacements of the nodes with the amplitudes that belong to them, for several side by side.
 */
static void complete(double (*factors)[ALL], int width, const double *u, double *all)
{
    memcpy(all, u, (size_t)(OWN * width) * sizeof *all);
    memset(all + OWN * width, 0, (size_t)((ALL - OWN) * width) * sizeof *all);
    for (int k = OWN; k < ALL; k++)
        for (int j = 0; j < k; j++)
            for (int c = 0; c < width; c++)
                all[k * width + c] -= factors[k - OWN][j] * all[j * width + c];
}

static void stress(const lmb_element_tables *tables, const lmb_element_data *e,
                   const double (*u)[LMB_TOGETHER], double (*out)[LMB_TOGETHER])
{
    const lmb_solid_table *table = lmb_solid_table_of(tables, LMB_HEX8);
    double K[ALL * ALL], factors[ALL - OWN][ALL], g[ALL], centre_of[3][3];
    double all[ALL][LMB_TOGETHER], s[LMB_STRESSES][LMB_TOGETHER];
    stiffness(&table->stiffness, e, K, factors);
    centre(e->x, centre_of);
    complete(factors, LMB_TOGETHER, &u[0][0], &all[0][0]);
    memset(out, 0, NODES * LMB_STRESSES * sizeof *out);
    for (int p = 0; p < table->sampling.points; p++) {
        gradients(&table->sampling, p, e->x, centre_of, g);
        lmb_solid_point_stress(SHAPES, &e->material, g, (const double(*)[LMB_TOGETHER])all, s);
        lmb_solid_extrapolate(table, p, (const double(*)[LMB_TOGETHER])s, out);
    }
}

static void gradients_of(const lmb_element_tables *tables, const lmb_element_data *e, int columns,
                         const double *u, const double *load, lmb_gradients *out)
{
    (void)load;
    const lmb_solid_rule *rule = &lmb_solid_table_of(tables, LMB_HEX8)->stiffness;
    double K[ALL * ALL], factors[ALL - OWN][ALL], g[LMB_RULE_POINTS_MAX][ALL], c[3][3], all[ALL];
    stiffness(rule, e, K, factors);
    centre(e->x, c);
    out->points = rule->points;
    for (int p = 0; p < rule->points; p++)
        out->weight[p] = rule->weight[p] * gradients(rule, p, e->x, c, g[p]);
    for (int k = 0; k < columns; k++) {
        complete(factors, 1, u + (long)k * OWN, all);
        for (int p = 0; p < rule->points; p++)
            lmb_solid_point_gradient(SHAPES, &e->material, g[p], all,
                                     out->S + ((long)p * columns + k) * LMB_STRESSES,
                                     out->D + ((long)p * columns + k) * 9);
    }
}

const lmb_element_type lmb_element_hex8 = {
    .name = "hex8",
    .nodes = NODES,
    .dofs = OWN,
    .directions = LMB_TRANSLATIONS,
    .solid = true,
    .matrices = matrices,
    .stress = stress,
    .gradients = gradients_of,
};
