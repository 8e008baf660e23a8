/* Isoparametric solids: x = sum N_a(xi) x_a, u = sum N_a(xi) u_a.
 *
 *   K_ab = integral of lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) 1,   g_a = grad N_a
 *   M_ab = 1 integral of rho N_a N_b
 *   stress = lambda tr(eps) 1 + 2 mu eps
 *
 * For each pair of nodes the sum of g g^T over the points comes first, then lambda and mu. */
#include "fe/solid.h"

#include <string.h>

/* Gradients of all shape functions at all points of a rule, with weights that include det J. */
typedef struct points {
    int shapes, points;
    double weight[LMB_RULE_POINTS_MAX];
    double g[LMB_RULE_POINTS_MAX][3 * LMB_SHAPES_MAX];
} points;

/* dx_j/dxi_i as J[3 i + j] */
static void jacobian(const lmb_solid_rule *rule, int point, int nodes, const vec3 *x, double *J)
{
    double j[9] = {0};
    for (int a = 0; a < nodes; a++) {
        const double *d = rule->dN[point][a];
        for (int i = 0; i < 3; i++) {
            j[3 * i] += d[i] * x[a].x;
            j[3 * i + 1] += d[i] * x[a].y;
            j[3 * i + 2] += d[i] * x[a].z;
        }
    }
    memcpy(J, j, sizeof j);
}

/* Cofactors of J (its inverse times the determinant, transposed) and the determinant. */
static double cofactors(const double *J, double *c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[3 * i + j] = J[3 * i1 + j1] * J[3 * i2 + j2] - J[3 * i1 + j2] * J[3 * i2 + j1];
        }
    return J[0] * c[0] + J[1] * c[1] + J[2] * c[2];
}

double lmb_solid_determinant(const lmb_solid_rule *rule, int point, int nodes, const vec3 *x)
{
    double J[9];
    jacobian(rule, point, nodes, x, J);
    return J[0] * (J[4] * J[8] - J[5] * J[7]) + J[1] * (J[5] * J[6] - J[3] * J[8]) +
           J[2] * (J[3] * J[7] - J[4] * J[6]);
}

/* The determinant, and the gradients of the shape functions with respect to x: g[3 a + i] is that
 * of node a in direction i. */
static double gradients(const lmb_solid_rule *rule, int point, int nodes, const vec3 *x, double *g)
{
    double J[9], c[9];
    jacobian(rule, point, nodes, x, J);
    double det = cofactors(J, c);
    for (int k = 0; k < 9; k++)
        c[k] /= det;
    for (int a = 0; a < nodes; a++) {
        const double *d = rule->dN[point][a];
        for (int j = 0; j < 3; j++)
            g[3 * a + j] = c[j] * d[0] + c[3 + j] * d[1] + c[6 + j] * d[2];
    }
    return det;
}

static double lame(const lmb_material *m)
{
    return m->E * m->nu / ((1 + m->nu) * (1 - 2 * m->nu));
}

static double shear_modulus(const lmb_material *m)
{
    return m->E / (2 * (1 + m->nu));
}

/* q[3 i + j] = sum over the points of w g_b,i g_a,j */
static void block_sum(const points *at, int a, int b, double *q)
{
    double s[9] = {0};
    for (int p = 0; p < at->points; p++) {
        const double *ga = &at->g[p][3 * a], *gb = &at->g[p][3 * b];
        double w = at->weight[p], x = w * ga[0], y = w * ga[1], z = w * ga[2];
        for (int i = 0; i < 3; i++) {
            s[3 * i] += gb[i] * x;
            s[3 * i + 1] += gb[i] * y;
            s[3 * i + 2] += gb[i] * z;
        }
    }
    memcpy(q, s, sizeof s);
}

/* The stiffness, 3 shapes x 3 shapes. */
static void isotropic(const points *at, const lmb_material *material, double *K)
{
    double lambda = lame(material), mu = shear_modulus(material), q[9];
    int n = 3 * at->shapes;
    for (int a = 0; a < at->shapes; a++)
        for (int b = a; b < at->shapes; b++) {
            block_sum(at, a, b, q);
            double trace = mu * (q[0] + q[4] + q[8]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double k = lambda * q[3 * i + j] + mu * q[3 * j + i] + (i == j ? trace : 0);
                    K[(3 * a + j) * n + 3 * b + i] = K[(3 * b + i) * n + 3 * a + j] = k;
                }
        }
}

/* --- incompatible modes of the hexahedron of 8 nodes ------------------------------------------
 *
 * Besides the eight shape functions there are 1 - xi^2, 1 - eta^2 and 1 - zeta^2, with amplitudes
 * of the element's own: they let its faces bend, so it does not lock (Wilson). Their gradients are
 *
 *   grad P = det J_0 / det J  J_0^-T dP/dxi
 *
 * with the Jacobian J_0 of the centre, so that their integral over any element vanishes and
 * constant stresses do no work on them (Taylor): the patch test is passed. The nine amplitudes are
 * eliminated from the 33 equations one by one. */

/* Nodes, and unknowns: those of the nodes, and all. */
enum { NODES = 8, OWN = 24, ALL = 33 };

/* Row k says what is left of unknown OWN + k: it is -factors . (unknowns before it). */
typedef double hex8_factors[ALL - OWN][ALL];

/* J_0^-T det J_0 by columns: of coordinate i and direction j. */
static mat3 centre(const vec3 *x)
{
    vec3 J[3] = {{0}};
    for (int a = 0; a < NODES; a++)
        for (int i = 0; i < 3; i++)
            J[i] = v3_axpy(J[i], lmb_hex_nodes[a][i] / 8.0, x[a]);
    return (mat3){{v3_cross(J[1], J[2]), v3_cross(J[2], J[0]), v3_cross(J[0], J[1])}};
}

/* Adds the gradients of the modes at the points of a rule. */
static void add_hex8_modes(const lmb_solid_rule *rule, const vec3 *x, points *at)
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

/* The stiffness K of all unknowns, from the upper half of which the modes are eliminated, the last
 * first. */
static void hex8_stiffness(const points *at, const lmb_material *material, double K[ALL * ALL],
                           hex8_factors factors)
{
    isotropic(at, material, K);
    for (int k = ALL - 1; k >= OWN; k--) {
        double *row = factors[k - OWN];
        for (int j = 0; j < k; j++)
            row[j] = K[k * ALL + j] / K[k * ALL + k];
        for (int j = 0; j < k; j++)
            for (int i = 0; i <= j; i++)
                K[j * ALL + i] -= K[k * ALL + i] * row[j];
    }
}

/* All unknowns for displacements of the nodes. */
static void hex8_complete(hex8_factors factors, const double (*u)[LMB_TOGETHER],
                          double (*all)[LMB_TOGETHER])
{
    memcpy(all, u, OWN * sizeof *all);
    memset(all + OWN, 0, (ALL - OWN) * sizeof *all);
    for (int k = OWN; k < ALL; k++)
        for (int j = 0; j < k; j++)
            for (int c = 0; c < LMB_TOGETHER; c++)
                all[k][c] -= factors[k - OWN][j] * all[j][c];
}

/* --- matrices and stresses -------------------------------------------------------------------- */

/* Gradients of all shape functions at the points of a rule. */
static void find_points(const lmb_solid_table *table, const lmb_solid_rule *rule,
                        const lmb_element_data *e, points *at)
{
    at->shapes = table->nodes;
    at->points = rule->points;
    for (int p = 0; p < rule->points; p++)
        at->weight[p] = rule->weight[p] * gradients(rule, p, table->nodes, e->x, at->g[p]);
    if (e->kind == LMB_HEX8)
        add_hex8_modes(rule, e->x, at);
}

void lmb_solid_matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                        double *M)
{
    const lmb_solid_table *table = lmb_solid_table_of(tables, e->kind);
    points at;
    find_points(table, &table->stiffness, e, &at);
    if (e->kind == LMB_HEX8) {
        double all[ALL * ALL];
        hex8_factors factors;
        hex8_stiffness(&at, &e->material, all, factors);
        for (int j = 0; j < OWN; j++)
            for (int i = 0; i <= j; i++)
                K[j * OWN + i] = K[i * OWN + j] = all[j * ALL + i];
    } else {
        isotropic(&at, &e->material, K);
    }
    lmb_solid_mass(table, e, M);
}

void lmb_solid_mass(const lmb_solid_table *table, const lmb_element_data *e, double *M)
{
    int nodes = table->nodes, n = 3 * nodes;
    const lmb_solid_rule *rule = &table->mass;
    double m[LMB_SHAPES_MAX * LMB_SHAPES_MAX] = {0};
    for (int p = 0; p < rule->points; p++) {
        double det = lmb_solid_determinant(rule, p, nodes, e->x);
        const double *N = rule->N[p];
        for (int a = 0; a < nodes; a++) {
            double w = rule->weight[p] * det * e->material.density * N[a];
            double *restrict column = m + a * nodes;
            for (int b = a; b < nodes; b++)
                column[b] += w * N[b];
        }
    }
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int a = 0; a < nodes; a++)
        for (int b = a; b < nodes; b++)
            for (int i = 0; i < 3; i++) {
                M[(3 * a + i) * n + 3 * b + i] = m[a * nodes + b];
                M[(3 * b + i) * n + 3 * a + i] = m[a * nodes + b];
            }
}

void lmb_solid_add_load(const lmb_solid_table *table, const lmb_element_data *e, const vec3 *f,
                        vec3 *load)
{
    const lmb_solid_rule *rule = &table->mass;
    for (int p = 0; p < rule->points; p++) {
        double det = lmb_solid_determinant(rule, p, table->nodes, e->x);
        const double *N = rule->N[p];
        vec3 force = v3(0, 0, 0);
        for (int a = 0; a < table->nodes; a++)
            force = v3_axpy(force, N[a], f[a]);
        for (int a = 0; a < table->nodes; a++)
            load[a] = v3_axpy(load[a], rule->weight[p] * det * e->material.density * N[a], force);
    }
}

/* du_i/dx_j as d[3 i + j] */
static inline void displacement_gradients(int shapes, const double *g,
                                          const double (*u)[LMB_TOGETHER],
                                          double (*d)[LMB_TOGETHER])
{
    memset(d, 0, 9 * sizeof *d);
    for (int a = 0; a < shapes; a++)
        for (int i = 0; i < 3; i++) {
            const double *ui = u[3 * a + i];
            double *x = d[3 * i], *y = d[3 * i + 1], *z = d[3 * i + 2];
            for (int c = 0; c < LMB_TOGETHER; c++) {
                x[c] += ui[c] * g[3 * a];
                y[c] += ui[c] * g[3 * a + 1];
                z[c] += ui[c] * g[3 * a + 2];
            }
        }
}

/* Stresses of the gradients of displacements. */
static inline void stress_of(const lmb_material *material, const double (*d)[LMB_TOGETHER],
                             double (*stress)[LMB_TOGETHER])
{
    double mu = shear_modulus(material), lambda = lame(material);
    for (int c = 0; c < LMB_TOGETHER; c++) {
        double pressure = lambda * (d[0][c] + d[4][c] + d[8][c]);
        stress[LMB_SXX][c] = pressure + 2 * mu * d[0][c];
        stress[LMB_SYY][c] = pressure + 2 * mu * d[4][c];
        stress[LMB_SZZ][c] = pressure + 2 * mu * d[8][c];
        stress[LMB_SXY][c] = mu * (d[1][c] + d[3][c]);
        stress[LMB_SYZ][c] = mu * (d[5][c] + d[7][c]);
        stress[LMB_SZX][c] = mu * (d[6][c] + d[2][c]);
    }
}

/* Adds what the stresses at a sampling point give to those at the nodes. */
static void extrapolate(const lmb_solid_table *table, int point,
                        const double (*stress)[LMB_TOGETHER], double (*nodes)[LMB_TOGETHER])
{
    for (int a = 0; a < table->nodes; a++)
        for (int k = 0; k < LMB_STRESSES; k++) {
            double *to = nodes[LMB_STRESSES * a + k], part = table->extrapolation[a][point];
            for (int c = 0; c < LMB_TOGETHER; c++)
                to[c] += part * stress[k][c];
        }
}

void lmb_solid_stress(const lmb_element_tables *tables, const lmb_element_data *e,
                      const double (*u)[LMB_TOGETHER], double (*out)[LMB_TOGETHER])
{
    const lmb_solid_table *table = lmb_solid_table_of(tables, e->kind);
    double stress[LMB_STRESSES][LMB_TOGETHER], d[9][LMB_TOGETHER], all[ALL][LMB_TOGETHER];
    points at;
    if (e->kind == LMB_HEX8) {
        double K[ALL * ALL];
        hex8_factors factors;
        find_points(table, &table->stiffness, e, &at);
        hex8_stiffness(&at, &e->material, K, factors);
        hex8_complete(factors, u, all);
        u = (const double(*)[LMB_TOGETHER])all;
    }
    find_points(table, &table->sampling, e, &at);
    memset(out, 0, (size_t)table->nodes * LMB_STRESSES * sizeof *out);
    for (int p = 0; p < at.points; p++) {
        displacement_gradients(at.shapes, at.g[p], u, d);
        stress_of(&e->material, (const double(*)[LMB_TOGETHER])d, stress);
        extrapolate(table, p, (const double(*)[LMB_TOGETHER])stress, out);
    }
}

void lmb_solid_gradients_of(const lmb_element_tables *tables, const lmb_element_data *e,
                            int columns, const double *u, const double *load, lmb_gradients *out)
{
    (void)load;
    const lmb_solid_table *table = lmb_solid_table_of(tables, e->kind);
    int dofs = 3 * table->nodes;
    double own[LMB_ELEMENT_DOFS_MAX][LMB_TOGETHER], all[ALL][LMB_TOGETHER];
    double stress[LMB_STRESSES][LMB_TOGETHER], d[9][LMB_TOGETHER];
    bool hex8 = e->kind == LMB_HEX8;
    hex8_factors factors;
    points at;
    find_points(table, &table->stiffness, e, &at);
    if (hex8) {
        double K[ALL * ALL];
        hex8_stiffness(&at, &e->material, K, factors);
    }
    out->points = at.points;
    memcpy(out->weight, at.weight, (size_t)at.points * sizeof *at.weight);
    for (int first = 0; first < columns; first += LMB_TOGETHER) {
        int count = columns - first < LMB_TOGETHER ? columns - first : LMB_TOGETHER;
        lmb_put_together((size_t)dofs, count, u + (long)first * dofs, own);
        if (hex8)
            hex8_complete(factors, (const double(*)[LMB_TOGETHER])own, all);
        for (int p = 0; p < at.points; p++) {
            double *S = out->S + ((long)p * columns + first) * LMB_STRESSES;
            double *D = out->D + ((long)p * columns + first) * 9;
            displacement_gradients(at.shapes, at.g[p],
                                   (const double(*)[LMB_TOGETHER])(hex8 ? all : own), d);
            stress_of(&e->material, (const double(*)[LMB_TOGETHER])d, stress);
            for (int c = 0; c < count; c++) {
                for (int k = 0; k < LMB_STRESSES; k++)
                    *S++ = stress[k][c];
                for (int k = 0; k < 9; k++)
                    *D++ = d[k][c];
            }
        }
    }
}
