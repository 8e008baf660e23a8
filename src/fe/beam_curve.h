/* The centre line of a beam as a curve of its arc length: straight legs, an arc or a helix, or a
 * spline through points.
 *
 * It consists of pieces r(t), t = 0 ... 1, that follow each other:
 *
 *   a cubic             r = c0 + c1 t + c2 t^2 + c3 t^3
 *   an arc or helix     r = c0 + c1 cos(a t) + c2 sin(a t) + c3 t
 *
 * Arc lengths of cubics are integrals of |r'|, by Gauss's rule with intervals that are halved until
 * the result no longer changes. */
#ifndef LMB_FE_BEAM_CURVE_H
#define LMB_FE_BEAM_CURVE_H

#include <stdbool.h>

#include "base/message.h"
#include "math/vec.h"

typedef struct lmb_curve_piece {
    bool round; /* an arc or helix */
    vec3 c[4];
    double angle;         /* a, of an arc or helix */
    double start, length; /* arc length where it starts, and its own */
} lmb_curve_piece;

typedef struct lmb_beam_curve {
    lmb_curve_piece *pieces;
    int count;
    int dimension; /* 2: in the x-y plane */
    double length;
    bool closed;  /* it ends where and as it starts */
    bool smooth;  /* its tangent jumps nowhere */
    bool corners; /* it does somewhere, where two pieces meet */
} lmb_beam_curve;

/* Straight legs between points; or, smooth, the spline through them, with the distances between
 * points as parameter and continuous curvature. At its ends the first two pieces (and the last two)
 * are one cubic; three points make a parabola. If the last of more than three points is the first
 * one again, the curve is closed. Fails where two points are at the same place, or where a smooth
 * curve would turn back at a point; `name` is that of the beam. */
lmb_status lmb_curve_of_points(lmb_beam_curve *out, lmb_arena *arena, lmb_context *context,
                               const char *name, int dimension, const vec3 *points, int count,
                               bool smooth);

/* An arc (with a pitch of 0) or a helix about an axis through a centre, by an angle, from the
 * direction that is nearest to `start`; zero: any. A full circle is closed. `axis` must not be
 * zero. */
lmb_status lmb_curve_helix(lmb_beam_curve *out, lmb_arena *arena, lmb_context *context,
                           const char *name, int dimension, vec3 centre, vec3 axis, vec3 start,
                           double radius, double pitch, double angle);

/* Whether the tangents on both sides of the start of a piece differ. */
bool lmb_curve_corner(const lmb_beam_curve *curve, int piece);

/* Place and unit tangent at an arc length; where two pieces meet, of the one `before` or after. */
void lmb_curve_at(const lmb_beam_curve *curve, double s, bool before, vec3 *x, vec3 *tangent);

/* The arc length of the place nearest to a point, and how far away that is. */
double lmb_curve_nearest(const lmb_beam_curve *curve, vec3 point, double *distance);

/* The axes of sections at ascending arc lengths of a curve without corners: x along the tangent; y
 * nearest to `y_axis`, or, where that is zero, in space, turning as little as possible about the
 * tangent from its direction at the start (lmb_section_axes of fe/beam.h). A closed curve has what
 * is missing to the first axes added evenly along it. Returns the number of the first arc length at
 * which y_axis is along the tangent, or -1. */
int lmb_curve_axes(const lmb_beam_curve *curve, vec3 y_axis, const double *s, int count,
                   mat3 *axes);

#endif
