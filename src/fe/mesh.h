/* Meshes: nodes, elements, materials, sections and named sets, as a file or a beam gives them; the
 * mesh of a beam along a line, and the surface of solids as triangles for drawing. */
#ifndef LMB_FE_MESH_H
#define LMB_FE_MESH_H

#include <stdbool.h>

#include "base/message.h"
#include "math/vec.h"

typedef enum lmb_element_kind {
    LMB_POINT_MASS,  /* 1 node: mass and inertia */
    LMB_BEAM_PLANAR, /* 2 nodes (x, y, rotation): Euler and Bernoulli, with axial stiffness */
    LMB_BEAM,        /* 2 nodes, in space: Timoshenko */
    LMB_TET4,        /* 4 nodes: linear tetrahedron, which is far too stiff in bending */
    LMB_TET10,       /* 10 nodes: 4 corners, then the middles of edges 12 23 31 14 24 34 */
    LMB_HEX8,        /* 8 nodes: bottom 1-4, top 5-8 above them; with incompatible modes */
    LMB_HEX20,       /* 20 nodes: corners, then middles of 12 23 34 41, 56 67 78 85, 15 26 37 48 */
    LMB_ELEMENT_KINDS
} lmb_element_kind;

/* How many nodes an element of a kind has. */
int lmb_element_nodes(lmb_element_kind kind);

/* Isotropic. */
typedef struct lmb_material {
    const char *name;
    double E, nu, density;
    bool warned; /* of, where it was read, if it looks odd: not to be done again */
} lmb_material;

/* What the outline of a section is: a rectangle, an ellipse, or an I with its web along y. */
typedef enum lmb_section_shape {
    LMB_SECTION_RECTANGLE,
    LMB_SECTION_ROUND,
    LMB_SECTION_I
} lmb_section_shape;

/* The cross section of a beam, with axes y and z across it. */
typedef struct lmb_section {
    const char *name;
    double A, Iy, Iz, J; /* area, second moments about y and z, torsion constant */
    double shear_y,
        shear_z;           /* shear factors: effective shear area over A; 0: no shear deformation */
    double y_max, z_max;   /* distances of the extreme fibres */
    double torsion_radius; /* stress of torsion = torque radius / J */
    vec3 y_axis;           /* direction that the y axis is nearest to; zero: any */
    lmb_section_shape shape; /* through y_max and z_max; only if round are the extreme fibres not
                                at its corners */
    double inner_y, inner_z; /* half of the hole; of an I half the height and thickness of its web;
                                0: full */
} lmb_section;

typedef struct lmb_element {
    lmb_element_kind kind;
    int number;     /* in the file */
    int first;      /* of its nodes in the list of connections */
    int material;   /* -1: none */
    int section;    /* beams; -1: none */
    int point_mass; /* LMB_POINT_MASS; -1: none */
} lmb_element;

typedef struct lmb_point_mass {
    double mass;
    mat3 inertia; /* about the node, global axes */
} lmb_point_mass;

/* A named set of nodes: a physical group, a node set, a component. */
typedef struct lmb_node_set {
    const char *name;
    int *nodes;
    int count;
} lmb_node_set;

typedef struct lmb_mesh {
    lmb_arena *arena;
    const char *file; /* where it comes from, for messages */
    int dimension;    /* 2 for planar beams, else 3 */
    vec3 *x;          /* node_count */
    int *number;      /* node_count: numbers in the file */
    int node_count;
    lmb_element *elements;
    int *connections; /* nodes of the elements, counted from 0 */
    int element_count, connection_count;
    lmb_material *materials;
    lmb_section *sections;
    lmb_point_mass *masses;
    lmb_node_set *sets;
    int material_count, section_count, mass_count, set_count;
    unsigned char *held; /* node_count: bits (LMB_BIT) of the directions that supports of the file
                            hold, for modes of a mesh without a model; NULL if there are none */
    const char *doubt; /* why supports may differ from the file, for a warning; NULL: they agree */
    bool reduced;      /* the file has elements with reduced integration */
} lmb_mesh;

/* The set of a name, or NULL. */
const lmb_node_set *lmb_mesh_set(const lmb_mesh *mesh, const char *name);

/* A beam along the straight legs between points. */
typedef struct lmb_beam_line {
    const char *name;         /* for messages */
    int dimension;            /* 2: in the x-y plane, 3: in space */
    const vec3 *points;       /* at least two */
    const char *const *names; /* of the points: sets of one node; NULL, or one of them: none */
    int point_count;
    int elements; /* of all legs together, at least one each; more go where elements are longest */
    lmb_section section;
    lmb_material material;
} lmb_beam_line;

/* Makes the mesh; nodes are numbered from 1 along the beam. A last point at the place of the first
 * closes a ring. To be freed with lmb_arena_free(mesh->arena). */
lmb_status lmb_beam_mesh(lmb_mesh **out, lmb_context *context, const lmb_beam_line *line);

typedef struct lmb_surface {
    int triangle_count, node_count;
    int (*triangles)[3]; /* nodes of the mesh, counterclockwise seen from outside */
    int *element;        /* triangle_count: index of the element of the triangle */
    signed char *side;   /* triangle_count: face of this element, from 1, numbered as in Abaqus */
    int *nodes;          /* node_count: nodes of the mesh on the surface, ascending */
} lmb_surface;

/* Finds the faces that belong to one element only. Linear faces give 1 or 2 triangles, quadratic
 * ones 4 (of a tetrahedron) or 6 (of a hexahedron). */
lmb_status lmb_surface_of(lmb_surface *out, lmb_arena *arena, lmb_context *context,
                          const lmb_mesh *mesh);

#endif
