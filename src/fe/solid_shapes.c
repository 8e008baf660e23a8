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

const signed char lmb_hex_nodes[20][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
    {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
    {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}};

static void tet_shapes(bool quadratic, const double at[3], double *N, double (*dN)[3])
{
    static const double slopes[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double l[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int a = 0; a < 4; a++) {
        N[a] = quadratic ? l[a] * (2 * l[a] - 1) : l[a];
        for (int i = 0; i < 3; i++)
            dN[a][i] = (quadratic ? 4 * l[a] - 1 : 1) * slopes[a][i];
    }
    for (int k = 0; quadratic && k < 6; k++) {
        int a = lmb_tet_edges[k][0], b = lmb_tet_edges[k][1];
        N[4 + k] = 4 * l[a] * l[b];
        for (int i = 0; i < 3; i++)
            dN[4 + k][i] = 4 * (l[a] * slopes[b][i] + l[b] * slopes[a][i]);
    }
}

static void hex_shapes(bool quadratic, const double at[3], double *N, double (*dN)[3])
{
    for (int a = 0; a < (quadratic ? 20 : 8); a++) {
        double f[3], slope[3], size = a < 8 ? 8 : 4, sum = -2;
        for (int i = 0; i < 3; i++) {
            int side = lmb_hex_nodes[a][i];
            f[i] = side ? 1 + at[i] * side : 1 - at[i] * at[i];
            slope[i] = side ? side : -2 * at[i];
            sum += at[i] * side;
        }
        bool corner = quadratic && a < 8;
        N[a] = f[0] * f[1] * f[2] * (corner ? sum : 1) / size;
        for (int i = 0; i < 3; i++)
            dN[a][i] =
                slope[i] * f[(i + 1) % 3] * f[(i + 2) % 3] * (corner ? sum + f[i] : 1) / size;
    }
}

void lmb_solid_shapes(lmb_element_kind kind, const double at[3], double *N, double (*dN)[3])
{
    if (kind == LMB_TET4 || kind == LMB_TET10)
        tet_shapes(kind == LMB_TET10, at, N, dN);
    else
        hex_shapes(kind == LMB_HEX20, at, N, dN);
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

/* The points of a rule, known by their number. Tetrahedra: one point is exact for linear functions,
 * four for polynomials of degree 2, fourteen of degree 5: more than the mass of a tetrahedron with
 * straight edges needs (4), and nearly all of one with curved edges. Hexahedra: Gauss points, eight
 * in the order of the corners, or 27. */
static void add_points(lmb_solid_rule *rule, int count)
{
    if (count == 1) {
        add_point(rule, 0.25, 0.25, 0.25, 1.0 / 6);
    } else if (count == 4) {
        add_four(rule, (5 - sqrt(5)) / 20, 1.0 / 24);
    } else if (count == 14) {
        double a = 0.045503704125649649492, b = 0.5 - a, w = 0.0070910034628469110730;
        add_four(rule, 0.31088591926330060980, 0.018781320953002641800);
        add_four(rule, 0.092735250310891226402, 0.012248840519393658257);
        add_point(rule, a, a, b, w);
        add_point(rule, a, b, a, w);
        add_point(rule, b, a, a, w);
        add_point(rule, a, b, b, w);
        add_point(rule, b, a, b, w);
        add_point(rule, b, b, a, w);
    } else if (count == 8) {
        double s = 1 / sqrt(3);
        for (const signed char(*x)[3] = lmb_hex_nodes; x < lmb_hex_nodes + 8; x++)
            add_point(rule, s * (*x)[0], s * (*x)[1], s * (*x)[2], 1);
    } else {
        const double at[3] = {-sqrt(0.6), 0, sqrt(0.6)}, w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    add_point(rule, at[i], at[j], at[k], w[i] * w[j] * w[k]);
    }
}

/* The nodes of a kind as points. */
static void node_points(lmb_solid_rule *rule, lmb_element_kind kind)
{
    bool tet = kind == LMB_TET4 || kind == LMB_TET10;
    for (int a = 0; a < lmb_element_nodes(kind); a++) {
        if (!tet) {
            add_point(rule, lmb_hex_nodes[a][0], lmb_hex_nodes[a][1], lmb_hex_nodes[a][2], 0);
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
            const double in[3] = {(at[0] - b) * scale, (at[1] - b) * scale, (at[2] - b) * scale};
            tet_shapes(false, in, table->extrapolation[a], unused);
        } else {
            const double s = sqrt(3), in[3] = {s * at[0], s * at[1], s * at[2]};
            hex_shapes(false, in, table->extrapolation[a], unused);
        }
    }
}

static void fill_table(lmb_solid_table *table, lmb_element_kind kind)
{
    /* points of stiffness, mass and stresses */
    static const int rules[][3] = {{1, 4, 1}, {4, 14, 4}, {8, 8, 8}, {27, 27, 8}};
    lmb_solid_rule *own[] = {&table->stiffness, &table->mass, &table->sampling, &table->corners};
    table->nodes = lmb_element_nodes(kind);
    node_points(&table->corners, kind);
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            add_points(own[i], rules[kind - LMB_TET4][i]);
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
