/* Elements: a table for each kind, with what assembly and stresses need of it.
 *
 * Degrees of freedom of an element are counted node by node, and at a node in the order of
 * LMB_UX ... LMB_RZ. Matrices are full and stored by columns. */
#ifndef LMB_FE_ELEMENT_H
#define LMB_FE_ELEMENT_H

#include "fe/fe_model.h"

enum { LMB_ELEMENT_NODES_MAX = 20, LMB_ELEMENT_DOFS_MAX = 60 };

/* Components of a stress. */
enum { LMB_SXX, LMB_SYY, LMB_SZZ, LMB_SXY, LMB_SYZ, LMB_SZX, LMB_STRESSES };

/* Sets of directions, one bit each. */
#define LMB_BIT(direction) (1u << (direction))
#define LMB_TRANSLATIONS (LMB_BIT(LMB_UX) | LMB_BIT(LMB_UY) | LMB_BIT(LMB_UZ))
#define LMB_ROTATIONS (LMB_BIT(LMB_RX) | LMB_BIT(LMB_RY) | LMB_BIT(LMB_RZ))

/* Shape functions at the points of integration rules, computed once and then only read. */
typedef struct lmb_element_tables lmb_element_tables;

/* What one element is computed from. */
typedef struct lmb_element_data {
    lmb_element_kind kind;
    vec3 x[LMB_ELEMENT_NODES_MAX];
    lmb_material material;
    lmb_section section;
    lmb_point_mass mass;
} lmb_element_data;

/* What geometric stiffness is made of, at the integration points of an element. Displacements u
 * under the stress S have the energy of second order
 *
 *   V = 1/2 sum of weight S : (D^T D)
 *
 * In solids D is the gradient of u, D[3 i + j] = du_i/dx_j. In beams x_0 is along the beam, the
 * stress is the normal force, and the three u_i are the two deflections and the twist times the
 * polar radius of gyration of the section. */
enum { LMB_GRADIENT_POINTS_MAX = 27 };
typedef struct lmb_gradients {
    int points;
    double weight[LMB_GRADIENT_POINTS_MAX];
    double *S; /* point x column x LMB_STRESSES */
    double *D; /* point x column x 9 */
} lmb_gradients;

typedef struct lmb_element_type {
    const char *name;
    int nodes, dofs;
    unsigned directions; /* those of a node */
    bool solid, beam;

    /* Stiffness and mass, dofs x dofs. */
    void (*matrices)(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                     double *M);

    /* Stresses at the nodes (nodes x LMB_STRESSES) for LMB_TOGETHER displacements, whose numbers
     * of a degree of freedom are side by side, and so are those of the stresses. NULL: the kind has
     * none at nodes. */
    void (*stress)(const lmb_element_tables *tables, const lmb_element_data *e,
                   const double (*u)[LMB_TOGETHER], double (*out)[LMB_TOGETHER]);

    /* Gradients and stresses for several displacements; `out` has room for LMB_GRADIENT_POINTS_MAX
     * points. Forces within the element that belong to the displacements (dofs each, NULL: none),
     * linear along beams, change their normal force. NULL: the kind has no stiffness. */
    void (*gradients)(const lmb_element_tables *tables, const lmb_element_data *e, int columns,
                      const double *u, const double *load, lmb_gradients *out);
} lmb_element_type;

const lmb_element_type *lmb_element_type_of(lmb_element_kind kind);

/* How many threads are good for a mesh: as many as there are processors, at most so many and at
 * most LMB_THREADS_MAX, and one for few elements. */
enum { LMB_THREADS_MAX = 8, LMB_THREAD_ELEMENTS = 500 };
int lmb_element_threads(const lmb_mesh *mesh, int most);

/* Calls work(user, i) for i = 0 ... threads - 1 at the same time and waits for all. The caller gets
 * the mark of base/memory.h if one of them has left it. */
void lmb_element_share(int threads, void (*work)(void *user, int index), void *user);

/* NULL: out of memory. */
const lmb_element_tables *lmb_element_tables_new(lmb_arena *arena);

/* Takes what an element is computed from out of a mesh; what it has not stays zero. */
void lmb_element_gather(const lmb_mesh *mesh, int element, lmb_element_data *out);

/* The elements of each node, ascending: element[start[node]] ... element[start[node + 1] - 1]. */
typedef struct lmb_incidence {
    int *start, *element;
} lmb_incidence;

/* Build the list in the arena. Returns false if memory runs out. */
bool lmb_mesh_incidence(lmb_incidence *out, lmb_arena *arena, const lmb_mesh *mesh);

/* The degree of freedom of the model for each one of an element, -1: none. Returns how many. */
int lmb_element_dofs(const lmb_fe_model *model, int element, int *dof);

/* Whether a mesh can be computed with: references, materials, sections and the shape of elements.
 * Fails with messages that name the elements; warns of bad ones. */
lmb_status lmb_mesh_check(const lmb_mesh *mesh, const lmb_element_tables *tables,
                          lmb_context *context);

/* --- forces of inertia on the nodes of an element that moves as a part of a rigid body -------- */

/* A force per mass f = gradient (x - origin), and a moment on sections and point masses with the
 * inertia J: the mean of (J e_a) x e_b and (J e_b) x e_a, minus J turning. */
typedef struct lmb_inertia_field {
    vec3 origin;
    mat3 gradient;
    int a, b;
    vec3 turning;
} lmb_inertia_field;

/* The centrifugal field of the product omega_a omega_b of a body that also turns with an angular
 * acceleration (for that product). */
lmb_inertia_field lmb_centrifugal_field(vec3 origin, int a, int b, vec3 acceleration);

/* The moment on an inertia. */
vec3 lmb_inertia_moment(const lmb_inertia_field *field, const mat3 *J);

/* Fills the forces on the degrees of freedom of an element. */
void lmb_inertia_load(const lmb_element_tables *tables, const lmb_element_data *e,
                      const lmb_inertia_field *field, double *load);

#endif
