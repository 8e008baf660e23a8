/* The coordinates c that small motions are described by.
 *
 * Modal coordinates of flexible bodies are preferred, then joint coordinates, then positions r and
 * rotation vectors of bodies as an observer (the ground, or a body with its axes) sees them:
 *
 *   c_k = (r - o) . E_k,      R = E^T e,  dR R^T = skew(dc)
 *
 * with o, E the origin and axes of the observer and e those of the body. The observer sees itself
 * leave its motion: c_k = do . E_k, E^T dE = skew(dc). Further nodes of a body are seen in the same
 * way from its first one, and come with the modal coordinates: they are its deformation. Whether
 * the matrix of a motion is constant depends on them: a bead on a turning wire has a constant one
 * in the coordinate of its joint, and a periodic one in global axes. */
#ifndef LMB_ANALYSIS_MOTION_COORDINATES_H
#define LMB_ANALYSIS_MOTION_COORDINATES_H

#include "system/solver.h"
#include "system/variation.h"

typedef enum lmb_motion_kind {
    LMB_MOTION_JOINT,    /* a joint coordinate */
    LMB_MOTION_MODE,     /* a modal coordinate */
    LMB_MOTION_POSITION, /* of a body along an axis of the observer */
    LMB_MOTION_ROTATION, /* component of its rotation vector along such an axis */
    LMB_MOTION_COLUMN,   /* another coordinate that is a number */
    LMB_MOTION_NODE,     /* position of a node along an axis of the first one of its body */
    LMB_MOTION_NODE_TURN /* component of its rotation vector along such an axis */
} lmb_motion_kind;

typedef struct lmb_motion_coordinate {
    lmb_motion_kind kind;
    int index; /* joint coordinate, velocity coordinate, body or node */
    int axis;
    int joint;   /* that it belongs to */
    double size; /* how far a unit of it moves something, in m */
} lmb_motion_coordinate;

typedef struct lmb_motion_coordinates {
    int observer; /* body */
    int count;
    lmb_motion_coordinate *list; /* joints, modes, nodes, bodies, others */
} lmb_motion_coordinates;

/* All coordinates that there are in a state; false: out of memory. */
bool lmb_motion_coordinates_find(lmb_motion_coordinates *out, lmb_arena *arena,
                                 const lmb_state *state, int observer);

/* The change of a coordinate with its first and second time derivative, along the variation. */
lmb_jet lmb_motion_coordinate_change(const lmb_motion_coordinates *all,
                                     const lmb_motion_coordinate *one, const lmb_variation *along);

/* Its first and second time derivative in the motion itself. */
lmb_jet lmb_motion_coordinate_rate(const lmb_motion_coordinates *all,
                                   const lmb_motion_coordinate *one, const lmb_variation *motion);

/* Its name, such as "hinge.angle", "beam.mode1", "frame.x" or "frame.rotation_z". */
char *lmb_motion_coordinate_name(lmb_arena *arena, const lmb_model *model,
                                 const lmb_motion_coordinate *coordinate);

/* The velocity coordinates that it depends on (at most twice the largest number of a marker), of
 * which lmb_variation_unit may then be asked for; returns how many. */
int lmb_motion_coordinate_columns(const lmb_motion_coordinates *all,
                                  const lmb_motion_coordinate *one, lmb_variation *variation,
                                  int *columns);

/* All coordinates in the order in which they are preferred. */
void lmb_motion_coordinates_order(const lmb_motion_coordinates *all, int *order);

/* Of two coordinates that are nearly the same only one is chosen: they differ by less than this
 * part. And by less than this part they do not differ at all. */
extern const double lmb_coordinates_distinct, lmb_coordinates_at_all;

/* Chooses `free` of the coordinates that are independent: column i of P (free x count, overwritten)
 * has the changes of coordinate i along `free` independent motions; those marked in `out` are left
 * out (NULL: none). `chosen` are their numbers, ascending. False: they do not determine the motion,
 * or memory runs out. */
bool lmb_motion_coordinates_choose(const lmb_motion_coordinates *all, int free, double *P,
                                   const bool *out, int *chosen);

#endif
