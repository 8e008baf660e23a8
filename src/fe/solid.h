/* What solid elements share: shape functions, integration rules, stiffness and mass. */
#ifndef LMB_FE_SOLID_H
#define LMB_FE_SOLID_H

#include "fe/element.h"

enum {
    LMB_RULE_POINTS_MAX = 27,
    LMB_SHAPES_MAX = 20,
    LMB_SOLID_KINDS = LMB_ELEMENT_KINDS - LMB_TET4
};

/* Shape functions and their derivatives with respect to the element's own coordinates at the
 * points of an integration rule. */
typedef struct lmb_solid_rule {
    int points;
    double weight[LMB_RULE_POINTS_MAX];
    double at[LMB_RULE_POINTS_MAX][3];
    double N[LMB_RULE_POINTS_MAX][LMB_SHAPES_MAX];
    double dN[LMB_RULE_POINTS_MAX][LMB_SHAPES_MAX][3];
} lmb_solid_rule;

/* What is constant of a solid kind. */
typedef struct lmb_solid_table {
    int nodes;
    lmb_solid_rule stiffness, mass;
    lmb_solid_rule sampling; /* where stresses are most exact */
    lmb_solid_rule corners;  /* the nodes themselves, with weights 0 */
    double extrapolation[LMB_SHAPES_MAX]
                        [8]; /* stress at a node = sum of those at sampling points */
} lmb_solid_table;

struct lmb_element_tables {
    lmb_solid_table solid[LMB_SOLID_KINDS];
};

static inline const lmb_solid_table *lmb_solid_table_of(const lmb_element_tables *tables,
                                                        lmb_element_kind kind)
{
    return &tables->solid[kind - LMB_TET4];
}

/* Edges of a tetrahedron in the order of their middle nodes. */
extern const int lmb_tet_edges[6][2];

/* Nodes of a hexahedron: corners, then middles of edges, where one coordinate is 0. */
extern const signed char lmb_hex_nodes[20][3];

/* Shape functions of a solid kind and their derivatives at a point. */
void lmb_solid_shapes(lmb_element_kind kind, const double at[3], double *N, double (*dN)[3]);

/* The determinant of the Jacobian dx/dxi at a point of a rule. */
double lmb_solid_determinant(const lmb_solid_rule *rule, int point, int nodes, const vec3 *x);

void lmb_solid_mass(const lmb_solid_table *table, const lmb_element_data *e, double *M);

/* Add the nodal forces M f, where f is the force per mass at the nodes. */
void lmb_solid_add_load(const lmb_solid_table *table, const lmb_element_data *e, const vec3 *f,
                        vec3 *load);

/* The functions `matrices`, `stress` and `gradients` of all solids. */
void lmb_solid_matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                        double *M);
void lmb_solid_stress(const lmb_element_tables *tables, const lmb_element_data *e,
                      const double (*u)[LMB_TOGETHER], double (*out)[LMB_TOGETHER]);
void lmb_solid_gradients_of(const lmb_element_tables *tables, const lmb_element_data *e,
                            int columns, const double *u, const double *load, lmb_gradients *out);

/* The shape of a solid. */
typedef struct lmb_solid_quality {
    double volume;
    double least;    /* least Jacobian at integration points over the mean: 1 at best */
    double at_nodes; /* the same at the nodes */
    double shape;    /* tetrahedra: 3 inner / outer radius; hexahedra: least scaled Jacobian of
                        corners: 1 at best, 0 if flat */
    double edge;     /* longest edge between corners */
    double middle;   /* greatest distance of a node from the middle of its edge, over the edge */
    bool strays;     /* it is far, and nearer to the middle of another edge */
} lmb_solid_quality;

lmb_solid_quality lmb_solid_quality_of(const lmb_element_tables *tables, const lmb_element_data *e);

#endif
