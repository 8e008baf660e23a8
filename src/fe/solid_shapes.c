/* Shape functions of solids, integration rules, and the tables made of them.
 *
 * Tetrahedra: coordinates xi, eta, zeta from 0, with l_1 = 1 - xi - eta - zeta, l_2 = xi, l_3 =
 * eta, l_4 = zeta. Hexahedra: coordinates from -1 to 1.
 *
 *   tet4    N_a = l_a
 *   tet10   N_a = l_a (2 l_a - 1) at corners, 4 l_a l_b on edges
 *   hex8    N_a = (1 + xi xi_a) (1 + eta eta_a) (1 + zeta zeta_a) / 8
 *   hex20   N_a = (...)(...)(...) (xi xi_a + eta eta_a + zeta zeta_a - 2) / 8 at corners,
 *           (1 - xi^2) (1 + eta eta_a) (1 + zeta zeta_a) / 4 on edges along xi, and so on */
#include "fe/solid.h"

const int lmb_tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

/* Nodes of a hexahedron: corners, then middles of edges, where one coordinate is 0. */
static const signed char hex_nodes[20][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
    {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
    {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}};

static const double tet_slopes[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void tet4(const double at[3], double *N, double (*dN)[3])
{
    double l[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int a = 0; a < 4; a++) {
        N[a] = l[a];
        for (int i = 0; i < 3; i++)
            dN[a][i] = tet_slopes[a][i];
    }
}

static void tet10(const double at[3], double *N, double (*dN)[3])
{
    double l[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int a = 0; a < 4; a++) {
        N[a] = l[a] * (2 * l[a] - 1);
        for (int i = 0; i < 3; i++)
            dN[a][i] = (4 * l[a] - 1) * tet_slopes[a][i];
    }
    for (int k = 0; k < 6; k++) {
        int a = lmb_tet_edges[k][0], b = lmb_tet_edges[k][1];
        N[4 + k] = 4 * l[a] * l[b];
        for (int i = 0; i < 3; i++)
            dN[4 + k][i] = 4 * (l[a] * tet_slopes[b][i] + l[b] * tet_slopes[a][i]);
    }
}

static void hex8(const double at[3], double *N, double (*dN)[3])
{
    for (int a = 0; a < 8; a++) {
        double f[3];
        for (int i = 0; i < 3; i++)
            f[i] = 1 + at[i] * hex_nodes[a][i];
        N[a] = f[0] * f[1] * f[2] / 8;
        for (int i = 0; i < 3; i++)
            dN[a][i] = hex_nodes[a][i] * f[(i + 1) % 3] * f[(i + 2) % 3] / 8;
    }
}

static void hex20_corner(const double at[3], int a, double *N, double *dN)
{
    double f[3], sum = -2;
    for (int i = 0; i < 3; i++) {
        f[i] = 1 + at[i] * hex_nodes[a][i];
        sum += at[i] * hex_nodes[a][i];
    }
    *N = f[0] * f[1] * f[2] * sum / 8;
    for (int i = 0; i < 3; i++)
        dN[i] = hex_nodes[a][i] * f[(i + 1) % 3] * f[(i + 2) % 3] * (sum + f[i]) / 8;
}

static void hex20_edge(const double at[3], int a, double *N, double *dN)
{
    double f[3], slope[3];
    for (int i = 0; i < 3; i++) {
        int side = hex_nodes[a][i];
        f[i] = side ? 1 + at[i] * side : 1 - at[i] * at[i];
        slope[i] = side ? side : -2 * at[i];
    }
    *N = f[0] * f[1] * f[2] / 4;
    for (int i = 0; i < 3; i++)
        dN[i] = slope[i] * f[(i + 1) % 3] * f[(i + 2) % 3] / 4;
}

void lmb_solid_shapes(lmb_element_kind kind, const double at[3], double *N, double (*dN)[3])
{
    if (kind == LMB_TET4) {
        tet4(at, N, dN);
    } else if (kind == LMB_TET10) {
        tet10(at, N, dN);
    } else if (kind == LMB_HEX8) {
        hex8(at, N, dN);
    } else {
        for (int a = 0; a < 8; a++)
            hex20_corner(at, a, &N[a], dN[a]);
        for (int a = 8; a < 20; a++)
            hex20_edge(at, a, &N[a], dN[a]);
    }
}

static void add_point(lmb_solid_rule *rule, double x, double y, double z, double weight)
{
    double *at = rule->at[rule->points];
    at[0] = x;
    at[1] = y;
    at[2] = z;
    rule->weight[rule->points++] = weight;
}

/* The four points of a tetrahedron where three of the l_a are a, in the order of the corners that
 * they are near to if a is small. */
static void add_four(lmb_solid_rule *rule, double a, double weight)
{
    double b = 1 - 3 * a;
    add_point(rule, a, a, a, weight);
    add_point(rule, b, a, a, weight);
    add_point(rule, a, b, a, weight);
    add_point(rule, a, a, b, weight);
}

/* One point, exact for linear functions. */
static void tet_rule_1(lmb_solid_rule *rule)
{
    add_point(rule, 0.25, 0.25, 0.25, 1.0 / 6);
}

/* Four points, exact for polynomials of degree 2. */
static void tet_rule_4(lmb_solid_rule *rule)
{
    add_four(rule, (5 - sqrt(5)) / 20, 1.0 / 24);
}

/* Fourteen points, exact for polynomials of degree 5: more than the mass of a tetrahedron with
 * straight edges needs (4), and nearly all of one with curved edges. */
static void tet_rule_14(lmb_solid_rule *rule)
{
    double a = 0.045503704125649649492, b = 0.5 - a, w = 0.0070910034628469110730;
    add_four(rule, 0.31088591926330060980, 0.018781320953002641800);
    add_four(rule, 0.092735250310891226402, 0.012248840519393658257);
    add_point(rule, a, a, b, w);
    add_point(rule, a, b, a, w);
    add_point(rule, b, a, a, w);
    add_point(rule, a, b, b, w);
    add_point(rule, b, a, b, w);
    add_point(rule, b, b, a, w);
}

/* Gauss points in the order of the corners of a hexahedron. */
static void hex_rule_8(lmb_solid_rule *rule)
{
    double s = 1 / sqrt(3);
    for (int a = 0; a < 8; a++)
        add_point(rule, s * hex_nodes[a][0], s * hex_nodes[a][1], s * hex_nodes[a][2], 1);
}

static void hex_rule_27(lmb_solid_rule *rule)
{
    const double at[3] = {-sqrt(0.6), 0, sqrt(0.6)}, w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                add_point(rule, at[i], at[j], at[k], w[i] * w[j] * w[k]);
}

/* The nodes of a kind as points. */
static void node_points(lmb_solid_rule *rule, lmb_element_kind kind)
{
    bool tet = kind == LMB_TET4 || kind == LMB_TET10;
    for (int a = 0; a < lmb_element_nodes(kind); a++) {
        if (!tet) {
            add_point(rule, hex_nodes[a][0], hex_nodes[a][1], hex_nodes[a][2], 0);
            continue;
        }
        const int *edge = a < 4 ? (const int[2]){a, a} : lmb_tet_edges[a - 4];
        double l[4] = {0};
        l[edge[0]] += 0.5;
        l[edge[1]] += 0.5;
        add_point(rule, l[1], l[2], l[3], 0);
    }
}

/* The linear or trilinear function through the values at the sampling points, at the nodes. */
static void extrapolation(lmb_solid_table *table, lmb_element_kind kind)
{
    double unused[8][3];
    for (int a = 0; a < table->nodes; a++) {
        const double *at = table->corners.at[a];
        if (kind == LMB_TET4) {
            table->extrapolation[a][0] = 1;
        } else if (kind == LMB_TET10) {
            double b = (5 - sqrt(5)) / 20, scale = 1 / (1 - 4 * b);
            tet4((double[3]){(at[0] - b) * scale, (at[1] - b) * scale, (at[2] - b) * scale},
                 table->extrapolation[a], unused);
        } else {
            double s = sqrt(3);
            hex8((double[3]){s * at[0], s * at[1], s * at[2]}, table->extrapolation[a], unused);
        }
    }
}

static void fill_table(lmb_solid_table *table, lmb_element_kind kind)
{
    static void (*const rules[][3])(lmb_solid_rule *) = {/* of stiffness, mass and stresses */
                                                         {tet_rule_1, tet_rule_4, tet_rule_1},
                                                         {tet_rule_4, tet_rule_14, tet_rule_4},
                                                         {hex_rule_8, hex_rule_8, hex_rule_8},
                                                         {hex_rule_27, hex_rule_27, hex_rule_8}};
    lmb_solid_rule *own[] = {&table->stiffness, &table->mass, &table->sampling, &table->corners};
    table->nodes = lmb_element_nodes(kind);
    node_points(&table->corners, kind);
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            rules[kind - LMB_TET4][i](own[i]);
        for (int p = 0; p < own[i]->points; p++)
            lmb_solid_shapes(kind, own[i]->at[p], own[i]->N[p], own[i]->dN[p]);
    }
    extrapolation(table, kind);
}

const lmb_element_tables *lmb_element_tables_new(lmb_arena *arena)
{
    lmb_element_tables *tables = lmb_arena_alloc(arena, 1, sizeof *tables);
    for (int k = 0; tables && k < LMB_SOLID_KINDS; k++)
        fill_table(&tables->solid[k], (lmb_element_kind)(LMB_TET4 + k));
    return tables;
}
