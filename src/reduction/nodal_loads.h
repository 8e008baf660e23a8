/* Nodal forces of a flexible body at an instant, in equilibrium on its undeformed mesh:
 *
 *   f = -M (a + alpha x r + omega x (omega x r) + Phi eta'')
 *
 * with the consistent mass matrix M, the acceleration a less gravity and positions r from the
 * origin of the mesh. The loads on the points belong to the deformed body, so that a resultant
 * remains on the undeformed one. A rigid acceleration c removes it (R: rigid motions):
 *
 *   f := f - M R c,   (R^T M R) c = R^T f + resultant of the loads on the points */
#ifndef LMB_REDUCTION_NODAL_LOADS_H
#define LMB_REDUCTION_NODAL_LOADS_H

#include "fe/element.h"
#include "reduction/reduced.h"

typedef struct lmb_wrench {
    vec3 force, moment;
} lmb_wrench;

/* The motion of a body in its axes, at the origin of its mesh. */
typedef struct lmb_body_motion {
    vec3 acceleration; /* less gravity */
    vec3 spin, spin_rate;
    const double *modes; /* second derivatives of the modal coordinates; NULL: 0 */
} lmb_body_motion;

/* The masses of a body: the elements of a mesh, or the mass matrix of a model. */
typedef struct lmb_masses {
    const lmb_mesh *mesh;
    const lmb_element_tables *tables;
    const lmb_fe_model *model; /* NULL: elements */
} lmb_masses;

/* A load at a place of the mesh. */
typedef struct lmb_placed_load {
    vec3 x;
    lmb_wrench load;
} lmb_placed_load;

/* The loads on a body besides its inertia. */
typedef struct lmb_body_loads {
    int count;
    const lmb_placed_load *placed; /* count: on interface points */
    const lmb_wrench *spread;      /* on each node, of patches; NULL: none */
} lmb_body_loads;

typedef struct lmb_nodal_loads {
    vec3 *force, *moment; /* of each node: inertia and spread loads; moments are 0 at nodes without
                             rotations */
    lmb_wrench removed;   /* the resultant that was removed, about the mass centre */
    double share;         /* of it in the loads: the larger one of force and moment */
} lmb_nodal_loads;

/* Fills the nodal forces that are in equilibrium with the loads on interface points. Nodes are
 * those of the reduced body. */
lmb_status lmb_nodal_loads_find(lmb_nodal_loads *out, lmb_context *context, lmb_arena *arena,
                                const lmb_masses *masses, const lmb_reduced *reduced,
                                const lmb_body_motion *motion, const lmb_body_loads *loads);

/* A displacement of a node that is held. */
typedef struct lmb_support {
    int node, direction;
} lmb_support;

/* Chooses six statically determinate supports on three nodes (three, two and one direction) far
 * apart among the wanted ones. Returns false if these lie on one line. */
enum { LMB_SUPPORTS = 6 };
bool lmb_supports_choose(lmb_support out[LMB_SUPPORTS], const lmb_mesh *mesh, const bool *wanted);

#endif
