/* What the files of the flexible body in natural coordinates share. */
#ifndef LMB_BODIES_NATURAL_FLEXIBLE_H
#define LMB_BODIES_NATURAL_FLEXIBLE_H

#include "bodies/flexible.h"
#include "bodies/natural.h"

/* How many coordinates the frame has; those of modes follow. */
static inline int rigid_size(const lmb_body *b)
{
    return b->nodes[0].nv;
}

/* The change of the matrix of the axes along w, and for a unit of coordinate j. */
static inline mat3 axes_rate(const lmb_body *b, const double *w)
{
    lmb_frame rate = natural_rate(b, w);
    return frame_rotation(&rate);
}

static inline mat3 axes_unit(const lmb_body *b, int j)
{
    lmb_frame rate = natural_unit(b, j);
    return frame_rotation(&rate);
}

/* The operations of natural_inertia.c. */
void lmb_natural_flexible_mass(const lmb_body_at *at, double *matrix);
void lmb_natural_flexible_mass_times(const lmb_body_at *at, const double *a, double *out);
void lmb_natural_flexible_force(const lmb_body_at *at, vec3 gravity, double *Q);
void lmb_natural_flexible_tangent(const lmb_body_at *at, vec3 gravity, const double *a,
                                  const lmb_window *windows);
void lmb_natural_flexible_balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out);

#endif
