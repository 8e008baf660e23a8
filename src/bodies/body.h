/* Bodies: what every kind of body must be able to do.
 *
 * A body has nq position coordinates q and nv velocity coordinates v (a quaternion makes the
 * difference). It carries frames, fixed in it at markers, and answers for each
 *
 *   frame           its value x(q)
 *   push            J w, its change along velocity coordinates w (its velocity for w = v)
 *   bias            Jdot v, its acceleration when vdot = 0
 *   pull            J^T f, the generalised force of a force f on the frame
 *   push_tangent    d(J w)/dq, 12 x nv
 *   pull_tangent    d(J^T f)/dq, nv x nv, in general unsymmetric
 *   bias_tangent    d(Jdot v)/dq and d(Jdot v)/dv, 12 x nv each
 *
 * Derivatives "by q" are taken along q (+) eps d, d in velocity coordinates. A 12 x nv matrix is
 * an array of nv frames, a column each; an nv x nv matrix is stored by columns.
 *
 * A body also gives its inertia: M(q) vdot = Q, with Q the gyroscopic and gravity forces. A new
 * kind of body is one file with such a table. */
#ifndef LMB_BODIES_BODY_H
#define LMB_BODIES_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "frames/frame.h"

enum { LMB_DIMENSION = -1 };

typedef struct lmb_body_ops lmb_body_ops;
struct lmb_modal;
struct lmb_body_data;
struct lmb_deformed;

/* A body: constant data. */
typedef struct lmb_body {
    const lmb_body_ops *ops;
    const char *name;
    int nq, nv;   /* numbers of coordinates */
    int rigid_nv; /* those of the velocities before the modal ones, which come last */
    int q, v;     /* where they start in the vectors of the system */
    double mass;  /* kg */
    mat3 inertia; /* kg m^2, about the centre of mass in body axes */
    const struct lmb_shape *shape; /* what is drawn (bodies/shape.h), or NULL */
    lmb_frame start;               /* position and axes as the model gives them */
    bool velocity_given, spin_given;
    vec3 velocity, spin;    /* at the start: of the centre of mass; angular, global axes */
    int point, point_count; /* its named points in the list of the model */
    double angle;           /* in the plane: the angle as given, which may be several turns */
    const struct lmb_modal *modal;    /* of a flexible body (bodies/modal.h); NULL for others */
    const struct lmb_body_data *data; /* of it too (reduction/body_data.h) */
    const double *modes, *mode_rates; /* of it: modal coordinates at the start, or NULL for zeros */
} lmb_body;

/* A body in a configuration. */
typedef struct lmb_body_at {
    const lmb_body *body;
    const double *q, *v;           /* its coordinates */
    lmb_frame pose;                /* its own frame, kept up to date by `update` */
    struct lmb_deformed *deformed; /* as well, of a flexible body */
} lmb_body_at;

/* Energy (kinetic, of gravity, of deformation) and momentum (about the global origin) of a body. */
typedef struct lmb_balance {
    double kinetic, potential, elastic;
    vec3 momentum, angular_momentum;
} lmb_balance;

struct lmb_body_ops {
    const char *kind;
    int nq, nv;               /* numbers of coordinates; LMB_DIMENSION for that of the space */
    const char *const *names; /* of the nv velocity coordinates */

    /* coordinates of a pose; pose of coordinates */
    void (*place)(const lmb_body *body, const lmb_frame *pose, double *q);
    void (*update)(lmb_body_at *at);

    /* room for what `update` finds besides the pose, NULL: out of memory; may be NULL itself */
    struct lmb_deformed *(*make_room)(const lmb_body *body, lmb_arena *arena);

    /* velocity coordinates of a body at `start` that moves and spins as given */
    void (*launch)(const lmb_body *body, double *v);

    /* q (+) d, and d with q0 (+) d = q1; q and out may be the same */
    void (*retract)(const lmb_body *body, const double *q, const double *d, double *out);
    void (*difference)(const lmb_body *body, const double *q0, const double *q1, double *d);

    /* T with q (+) (d + eps) = (q (+) d) (+) T eps to first order, nv x nv; false if T = 1 */
    bool (*retract_tangent)(const lmb_body *body, const double *d, double *T);

    /* The rotation part of q turned by 1 + h W + h^2/2 (W^2 + Wdot), a Taylor series with the
     * angular velocity and acceleration of v and a, made a rotation again; NULL where angles are
     * numbers */
    void (*turn_by_taylor)(const lmb_body *body, const double *q, double h, const double *v,
                           const double *a, double *out);

    /* qdot = N(q) v */
    void (*rate)(const lmb_body *body, const double *q, const double *v, double *qdot);

    /* questions about the frame at a marker; x is its present value */
    void (*frame)(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x);
    void (*push)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 const double *w, lmb_frame *out);
    void (*bias)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 lmb_frame *out);
    void (*pull)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 const lmb_frame *force, double *out);
    void (*push_tangent)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         const double *w, lmb_frame *columns);
    void (*pull_tangent)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         const lmb_frame *force, double *matrix);
    void (*bias_tangent)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         lmb_frame *by_q, lmb_frame *by_v);

    /* M (nv x nv) and Q; the tangents d(M a - Q)/dq and d(-Q)/dv are added to the body's blocks of
     * larger matrices, whose columns are `stride` apart */
    void (*mass)(const lmb_body_at *at, double *matrix);
    void (*mass_times)(const lmb_body_at *at, const double *a, double *out); /* may be NULL */
    void (*force)(const lmb_body_at *at, vec3 gravity, double *Q);
    void (*tangent)(const lmb_body_at *at, vec3 gravity, const double *a, double *by_q,
                    double *by_v, int stride);

    void (*balance)(const lmb_body_at *at, vec3 gravity, lmb_balance *out);

    /* The power lost inside the body; NULL: none. */
    double (*loss)(const lmb_body_at *at);
};

extern const lmb_body_ops lmb_body_ground, lmb_body_particle, lmb_body_planar, lmb_body_rigid,
    lmb_body_flexible, lmb_body_flexible_planar;

/* The velocity (linear and angular, global axes) and acceleration of a rigid frame from the twelve
 * rates of it: omega = (sum e_i x e_idot) / 2. */
static inline vec3 frame_angular(const lmb_frame *x, const lmb_frame *rate)
{
    return v3_scale(0.5, frame_moment(x, rate));
}

#endif
