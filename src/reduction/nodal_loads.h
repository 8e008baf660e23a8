/* Nodal forces of a flexible body at an instant, in equilibrium on its undeformed mesh:
 *
 *   f = -M (a + alpha x r + omega x (omega x r) + 2 omega x Phi eta' + Phi eta'')
 *
 * with the consistent mass matrix M, the acceleration a less gravity and positions r from the
 * origin of the mesh. Gyroscopic moments of the rates of beam sections are neglected. The loads on
 * the points belong to the deformed body, so they leave a resultant on the undeformed mesh. A rigid
 * acceleration c removes the resultant (R: rigid motions):
 *
 *   f := f - M R c,   (R^T M R) c = R^T f + resultant of the loads on the points */
#ifndef LMB_REDUCTION_NODAL_LOADS_H
#define LMB_REDUCTION_NODAL_LOADS_H

#include "fe/element.h"
#include "reduction/reduced.h"

typedef struct lmb_wrench {
    vec3 force, moment;
} lmb_wrench;

/* The motion of a body in its axes, at the origin of its mesh */
typedef struct lmb_body_motion {
    vec3 acceleration; /* minus gravity */
    vec3 spin, spin_rate;
    /* first and second derivatives of the modal coordinates; NULL if they are 0 */
    const double *mode_rates, *mode_accelerations;
} lmb_body_motion;

/* The masses of a body: elements of a mesh, or the mass matrix of a model */
typedef struct lmb_masses {
    const lmb_mesh *mesh;
    const lmb_element_tables *tables;
    const lmb_fe_model *model; /* NULL: use the elements of the mesh */
} lmb_masses;

/* A load at a point of the mesh */
typedef struct lmb_placed_load {
    vec3 x;
    lmb_wrench load;
} lmb_placed_load;

/* The loads on a body except inertia forces */
typedef struct lmb_body_loads {
    int count;
    const lmb_placed_load *placed; /* count: loads on interface points */
    const lmb_wrench *spread;      /* loads of patches on each node; NULL: none */
} lmb_body_loads;

typedef struct lmb_nodal_loads {
    vec3 *force, *moment; /* per node: inertia and patch loads; without rotations the moment is 0 */
    lmb_wrench removed;   /* removed resultant about the mass centre */
    double share;         /* removed resultant / loads: the larger ratio of force and moment */
} lmb_nodal_loads;

/* Compute the nodal forces in equilibrium with the loads on interface points. The arrays have
 * one entry for each node of the reduced body. */
lmb_status lmb_nodal_loads_find(lmb_nodal_loads *out, lmb_context *context, lmb_arena *arena,
                                const lmb_masses *masses, const lmb_reduced *reduced,
                                const lmb_body_motion *motion, const lmb_body_loads *loads);

/* A held displacement of a node */
typedef struct lmb_support {
    int node, direction;
} lmb_support;

/* Choose six statically determinate supports (three, two and one direction) on three of the wanted
 * nodes, far apart. Returns false if the wanted nodes lie on one line. */
enum { LMB_SUPPORTS = 6 };
bool lmb_supports_choose(lmb_support out[LMB_SUPPORTS], const lmb_mesh *mesh, const bool *wanted);

#endif
