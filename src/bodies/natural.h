/* Natural coordinates: q has the origin and the axes of a body's frame, in global axes.
 *
 *   in space   q = (r, e1, e2, e3), twelve numbers, v = qdot, and six rows
 *              (e_i . e_i - 1)/2 = 0,   e_i . e_j = 0
 *   plane      q = (r, u), four numbers, e1 = u, e2 = z x u, and the row (u . u - 1)/2 = 0
 *
 * The frame, and with it everything fixed in a rigid body, is linear in q. The matrix of the axes
 * R = [e1 e2 e3] is a rotation where the rows hold; no equation here takes it for one.
 *
 * With J the moments of inertia about the origin, the second moments of mass are
 *
 *   A = integral c c^T dm = tr(J)/2 - J                                                          */
#ifndef LMB_BODIES_NATURAL_H
#define LMB_BODIES_NATURAL_H

#include "bodies/body.h"

static inline bool natural_plane(const lmb_body *b)
{
    return lmb_natural_in_plane(&b->nodes[0]);
}

/* The change of the frame along w, and the force on the coordinates of one on the frame. */
static inline lmb_frame natural_rate(const lmb_body *b, const double *w)
{
    return lmb_natural_rate(natural_plane(b), w);
}

static inline void natural_load(const lmb_body *b, const lmb_frame *f, double *out)
{
    lmb_natural_load(natural_plane(b), f, out);
}

/* The change of the frame for a unit of coordinate j. */
static inline lmb_frame natural_unit(const lmb_body *b, int j)
{
    double w[LMB_NATURAL_SPACE] = {0};
    w[j] = 1;
    return natural_rate(b, w);
}

/* The force on the frame of a force f on a frame that is fixed at `local` in its axes. */
static inline lmb_frame natural_moved(const lmb_frame *local, const lmb_frame *f)
{
    lmb_frame out = {
        f->p, {v3_scale(local->p.x, f->p), v3_scale(local->p.y, f->p), v3_scale(local->p.z, f->p)}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            out.e[k] = v3_axpy(out.e[k], v3_get(local->e[i], k), f->e[i]);
    return out;
}

/* tr(J)/2 - J */
static inline mat3 second_moments(const mat3 *J)
{
    double half = (J->c[0].x + J->c[1].y + J->c[2].z) / 2;
    mat3 A = m3_scale(-1, J);
    A.c[0].x += half;
    A.c[1].y += half;
    A.c[2].z += half;
    return A;
}

/* The node with the frame, which is the first one; coordinates of a pose; velocities. */
void lmb_natural_node(lmb_structure *structure, int dimension);
void lmb_natural_place(const lmb_body *body, const lmb_frame *pose, double *q);
void lmb_natural_launch(const lmb_body *body, double *v);

extern const lmb_body_rows lmb_natural_rows;

#endif
