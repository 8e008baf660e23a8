/* Frames: the narrow waist between bodies and everything that acts on them.
 *
 * A frame is a point p with three unit axes e1, e2, e3 carried by a body: twelve numbers, in
 * global axes. The same twelve slots hold a frame's velocity (pdot, e1dot, ...), its bias
 * acceleration, a direction of change, and, as the dual of those, a generalised force: a force
 * on p and a "force" f_i on each axis, whose power is p.fp + sum e_i . f_i. */
#ifndef LMB_FRAMES_FRAME_H
#define LMB_FRAMES_FRAME_H

#include <stdbool.h>

#include "math/vec.h"

typedef struct lmb_frame {
    vec3 p;    /* origin */
    vec3 e[3]; /* axes */
} lmb_frame;

/* A frame carried by a body: fixed in it, given in its axes (those of the undeformed body). */
typedef struct lmb_marker {
    int body;
    int point;  /* of a body with modes: its interface point; of an exact beam: its node; -1: on the
                   body frame. Only the body kind can interpret the number. */
    int before; /* the marker of the same body added before this one, or -1 */
    lmb_frame local;
    int node, node_count; /* the nodes of the body that it depends on, a range */
    int v, nv;            /* their velocity coordinates in the vector of the system */
    int cluster;          /* the cluster of the model that the first one is in */
    bool spread;          /* the others are in other clusters */
} lmb_marker;

static inline lmb_frame frame_identity(void)
{
    return (lmb_frame){{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline lmb_frame frame_zero(void)
{
    return (lmb_frame){{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
}

/* The sum of the twelve products: power of a force on a velocity. */
static inline double frame_dot(const lmb_frame *a, const lmb_frame *b)
{
    return v3_dot(a->p, b->p) + v3_dot(a->e[0], b->e[0]) + v3_dot(a->e[1], b->e[1]) +
           v3_dot(a->e[2], b->e[2]);
}

/* x += s y */
static inline void frame_add(lmb_frame *x, double s, const lmb_frame *y)
{
    x->p = v3_axpy(x->p, s, y->p);
    for (int i = 0; i < 3; i++)
        x->e[i] = v3_axpy(x->e[i], s, y->e[i]);
}

/* A frame given in another one's axes, in global axes: pose o local. */
static inline lmb_frame frame_compose(const lmb_frame *pose, const lmb_frame *local)
{
    mat3 R = {{pose->e[0], pose->e[1], pose->e[2]}};
    return (lmb_frame){v3_add(pose->p, m3_mul(&R, local->p)),
                       {m3_mul(&R, local->e[0]), m3_mul(&R, local->e[1]), m3_mul(&R, local->e[2])}};
}

/* The moment that a force on a frame exerts about its origin: sum e_i x f_i. */
static inline vec3 frame_moment(const lmb_frame *frame, const lmb_frame *force)
{
    vec3 m = v3_cross(frame->e[0], force->e[0]);
    m = v3_add(m, v3_cross(frame->e[1], force->e[1]));
    return v3_add(m, v3_cross(frame->e[2], force->e[2]));
}

/* The angular velocity (sum e_i x e_i') / 2 of a rigid frame from the rates of its axes; the same
 * for its angular acceleration, and for the turn when its axes change. */
static inline vec3 frame_angular(const lmb_frame *frame, const lmb_frame *rate)
{
    return v3_scale(0.5, frame_moment(frame, rate));
}

/* Adds a moment to a force on a frame, as forces on its axes: sum e_i x (m x e_i) / 2 = m. */
static inline void frame_add_moment(lmb_frame *force, double factor, vec3 moment,
                                    const lmb_frame *frame)
{
    for (int i = 0; i < 3; i++)
        force->e[i] = v3_axpy(force->e[i], factor / 2, v3_cross(moment, frame->e[i]));
}

/* The rotation matrix of a frame, and a frame with the axes of one. */
static inline mat3 frame_rotation(const lmb_frame *frame)
{
    return (mat3){{frame->e[0], frame->e[1], frame->e[2]}};
}

static inline lmb_frame frame_with_axes(vec3 p, const mat3 *R)
{
    return (lmb_frame){p, {R->c[0], R->c[1], R->c[2]}};
}

#endif
