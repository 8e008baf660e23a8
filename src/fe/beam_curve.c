/* Curves by arc length, and axes along them. */
#include "fe/beam_curve.h"

#include "fe/beam.h"

enum {
    DEEPEST = 40, /* halvings of an interval */
    SUBSTEPS = 16 /* of axes between two places */
};

static const double corner = 1e-9; /* an angle that is none */

/* --- pieces ----------------------------------------------------------------------------------- */

static vec3 piece_place(const lmb_curve_piece *p, double t)
{
    const vec3 *c = p->c;
    if (p->round) {
        vec3 x = v3_axpy(c[0], t, c[3]);
        x = v3_axpy(x, cos(p->angle * t), c[1]);
        return v3_axpy(x, sin(p->angle * t), c[2]);
    }
    return v3_axpy(c[0], t, v3_axpy(c[1], t, v3_axpy(c[2], t, c[3])));
}

static vec3 piece_rate(const lmb_curve_piece *p, double t)
{
    const vec3 *c = p->c;
    if (p->round) {
        vec3 x = v3_axpy(c[3], -p->angle * sin(p->angle * t), c[1]);
        return v3_axpy(x, p->angle * cos(p->angle * t), c[2]);
    }
    return v3_axpy(c[1], t, v3_axpy(v3_scale(2, c[2]), 3 * t, c[3]));
}

static double gauss(const lmb_curve_piece *p, double a, double b)
{
    double sum = 0;
    for (int i = 0; i < LMB_BEAM_POINTS; i++)
        sum += lmb_beam_weight[i] * v3_norm(piece_rate(p, a + (b - a) * lmb_beam_point[i]));
    return (b - a) * sum;
}

/* The integral over an interval, of which `whole` is a first value. */
static double refine(const lmb_curve_piece *p, double a, double b, double whole, double negligible,
                     int depth)
{
    double middle = (a + b) / 2, left = gauss(p, a, middle), right = gauss(p, middle, b);
    if (fabs(left + right - whole) <= negligible || depth == DEEPEST)
        return left + right;
    return refine(p, a, middle, left, negligible / 2, depth + 1) +
           refine(p, middle, b, right, negligible / 2, depth + 1);
}

/* The arc length up to t. */
static double piece_length(const lmb_curve_piece *p, double t)
{
    if (p->round)
        return t * v3_norm(piece_rate(p, 0)); /* the speed is constant */
    double whole = gauss(p, 0, t);
    return refine(p, 0, t, whole, 1e-15 * whole, 0);
}

/* t of an arc length, by Newton's method between bounds that close in on it. */
static double parameter_at(const lmb_curve_piece *p, double s)
{
    double low = 0, high = 1, t = s / p->length;
    if (p->round || t <= 0 || t >= 1)
        return fmin(fmax(t, 0), 1);
    for (int i = 0; i < 60; i++) {
        double error = piece_length(p, t) - s, speed = v3_norm(piece_rate(p, t));
        if (error > 0)
            high = t;
        else
            low = t;
        double next = t - error / speed;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (fabs(next - t) <= 1e-16 + 4e-16 * t)
            return next;
        t = next;
    }
    return t;
}

/* --- the whole curve -------------------------------------------------------------------------- */

/* Lengths of the pieces, and corners between them. */
static void measure(lmb_beam_curve *curve)
{
    curve->length = 0;
    for (int i = 0; i < curve->count; i++) {
        lmb_curve_piece *p = &curve->pieces[i];
        p->start = curve->length;
        p->length = piece_length(p, 1);
        curve->length += p->length;
    }
    for (int i = curve->closed ? 0 : 1; i < curve->count; i++)
        curve->corners = curve->corners || lmb_curve_corner(curve, i);
}

bool lmb_curve_corner(const lmb_beam_curve *curve, int piece)
{
    int before = piece > 0 ? piece - 1 : curve->count - 1;
    if (curve->smooth || (piece == 0 && !curve->closed))
        return false;
    vec3 a = v3_unit(piece_rate(&curve->pieces[before], 1));
    vec3 b = v3_unit(piece_rate(&curve->pieces[piece], 0));
    return v3_norm(v3_sub(a, b)) > corner;
}

/* The piece of an arc length: the last one that starts there or before. */
static const lmb_curve_piece *find(const lmb_beam_curve *curve, double s, bool before)
{
    int low = 0, high = curve->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        double start = curve->pieces[middle].start;
        if (before ? start < s : start <= s)
            low = middle;
        else
            high = middle;
    }
    return &curve->pieces[low];
}

void lmb_curve_at(const lmb_beam_curve *curve, double s, bool before, vec3 *x, vec3 *tangent)
{
    const lmb_curve_piece *p = find(curve, s, before);
    double t = parameter_at(p, s - p->start);
    *x = piece_place(p, t);
    *tangent = v3_unit(piece_rate(p, t));
}

/* t of the place of a piece where (r - point) . r' is 0, between two others. */
static double foot(const lmb_curve_piece *p, vec3 point, double low, double high)
{
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        if (v3_dot(v3_sub(piece_place(p, t), point), piece_rate(p, t)) > 0)
            high = t;
        else
            low = t;
    }
    /* an end that is nearer than anything inside is meant itself */
    return high < 1e-15 ? 0 : low > 1 - 1e-15 ? 1 : (low + high) / 2;
}

static double piece_nearest(const lmb_curve_piece *p, vec3 point, double *distance)
{
    int samples = 32 + (int)fmin(fabs(p->angle) * 8, 1e5), best = 0;
    double least = INFINITY;
    for (int i = 0; i <= samples; i++) {
        double d = v3_norm(v3_sub(piece_place(p, (double)i / samples), point));
        if (d < least) {
            least = d;
            best = i;
        }
    }
    double low = fmax(0, best - 1.0) / samples, high = fmin(samples, best + 1.0) / samples;
    double t = foot(p, point, low, high);
    *distance = v3_norm(v3_sub(piece_place(p, t), point));
    return t;
}

double lmb_curve_nearest(const lmb_beam_curve *curve, vec3 point, double *distance)
{
    double at = 0;
    *distance = INFINITY;
    for (int i = 0; i < curve->count; i++) {
        const lmb_curve_piece *p = &curve->pieces[i];
        double d, t = piece_nearest(p, point, &d);
        if (d < *distance) {
            *distance = d;
            at = t == 0 ? p->start : t == 1 ? p->start + p->length : p->start + piece_length(p, t);
        }
    }
    return at;
}

/* --- from points ------------------------------------------------------------------------------ */

/* Solves tridiagonal equations without pivoting for three right-hand sides: below, diagonal, above
 * are n numbers each; x becomes the solution and the diagonal is overwritten. */
static void solve_tridiagonal(int n, const double *below, double *diagonal, const double *above,
                              vec3 *x)
{
    for (int i = 1; i < n; i++) {
        double factor = below[i] / diagonal[i - 1];
        diagonal[i] -= factor * above[i - 1];
        x[i] = v3_axpy(x[i], -factor, x[i - 1]);
    }
    x[n - 1] = v3_scale(1 / diagonal[n - 1], x[n - 1]);
    for (int i = n - 2; i >= 0; i--)
        x[i] = v3_scale(1 / diagonal[i], v3_axpy(x[i], -above[i], x[i + 1]));
}

/* The equation of a slope between pieces of lengths h and k with the mean slopes d and e: the
 * second derivatives on both sides are equal. */
static void between(double h, double k, vec3 d, vec3 e, double *below, double *diagonal,
                    double *above, vec3 *right)
{
    *below = k;
    *diagonal = 2 * (h + k);
    *above = h;
    *right = v3_scale(3, v3_add(v3_scale(k, d), v3_scale(h, e)));
}

/* The equation of the slope at an end, next to a piece of length h with the mean slope d and
 * another one (k, e): their third derivatives are equal. */
static void at_end(double h, double k, vec3 d, vec3 e, double *diagonal, double *next, vec3 *right)
{
    *diagonal = k;
    *next = h + k;
    *right = v3_scale(1 / (h + k), v3_add(v3_scale((3 * h + 2 * k) * k, d), v3_scale(h * h, e)));
}

/* Slopes of an open spline with n pieces: n + 1 of them. */
static void open_slopes(int n, const double *h, const vec3 *d, double *work, vec3 *slope)
{
    double *below = work, *diagonal = below + n + 1, *above = diagonal + n + 1;
    if (n == 1) {
        slope[0] = slope[1] = d[0];
        return;
    }
    if (n == 2) { /* a parabola */
        vec3 second = v3_scale(1 / (h[0] + h[1]), v3_sub(d[1], d[0]));
        slope[0] = v3_axpy(d[0], -h[0], second);
        slope[1] = v3_axpy(d[0], h[0], second);
        slope[2] = v3_axpy(d[1], h[1], second);
        return;
    }
    at_end(h[0], h[1], d[0], d[1], &diagonal[0], &above[0], &slope[0]);
    for (int i = 1; i < n; i++)
        between(h[i - 1], h[i], d[i - 1], d[i], &below[i], &diagonal[i], &above[i], &slope[i]);
    at_end(h[n - 1], h[n - 2], d[n - 1], d[n - 2], &diagonal[n], &below[n], &slope[n]);
    solve_tridiagonal(n + 1, below, diagonal, above, slope);
}

/* Slopes of a closed spline with n pieces: the two corners of its matrix are a product of two
 * vectors, (g, 0, ..., a) and (1, 0, ..., b/g), whose effect is taken out afterwards (Sherman and
 * Morrison). */
static void closed_slopes(int n, const double *h, const vec3 *d, double *work, vec3 *slope)
{
    double *below = work, *diagonal = below + n, *above = diagonal + n, *same = above + n;
    vec3 *effect = slope + n + 1;
    for (int i = 0; i < n; i++) {
        int j = (i + n - 1) % n;
        between(h[j], h[i], d[j], d[i], &below[i], &diagonal[i], &above[i], &slope[i]);
        effect[i] = v3(0, 0, 0);
    }
    double g = -diagonal[0], a = above[n - 1], b = below[0];
    diagonal[0] -= g;
    diagonal[n - 1] -= a * b / g;
    for (int i = 0; i < n; i++)
        same[i] = diagonal[i];
    effect[0].x = g;
    effect[n - 1].x = a;
    solve_tridiagonal(n, below, same, above, effect);
    solve_tridiagonal(n, below, diagonal, above, slope);
    vec3 part = v3_scale(1 / (1 + effect[0].x + b / g * effect[n - 1].x),
                         v3_axpy(slope[0], b / g, slope[n - 1]));
    for (int i = 0; i < n; i++)
        slope[i] = v3_axpy(slope[i], -effect[i].x, part);
    slope[n] = slope[0];
}

/* Makes the pieces cubics with continuous slopes and second derivatives. */
static bool make_smooth(lmb_beam_curve *curve, lmb_arena *arena)
{
    int n = curve->count;
    size_t room = (size_t)n + 1;
    double *h = lmb_arena_numbers(arena, room), *work = lmb_arena_numbers(arena, 4 * room);
    vec3 *d = lmb_arena_alloc(arena, room, sizeof *d);
    vec3 *slope = lmb_arena_alloc(arena, 2 * room, sizeof *slope);
    if (!lmb_arena_fine(arena))
        return false;
    for (int i = 0; i < n; i++) {
        h[i] = v3_norm(curve->pieces[i].c[1]);
        d[i] = v3_scale(1 / h[i], curve->pieces[i].c[1]);
    }
    (curve->closed ? closed_slopes : open_slopes)(n, h, d, work, slope);
    for (int i = 0; i < n; i++) {
        vec3 *c = curve->pieces[i].c, step = c[1];
        vec3 a = v3_scale(h[i], slope[i]), b = v3_scale(h[i], slope[i + 1]);
        c[1] = a;
        c[2] = v3_sub(v3_scale(3, step), v3_axpy(b, 2, a));
        c[3] = v3_sub(v3_add(a, b), v3_scale(2, step));
    }
    return true;
}

lmb_status lmb_curve_of_points(lmb_beam_curve *out, lmb_arena *arena, lmb_context *context,
                               const char *name, int dimension, const vec3 *points, int count,
                               bool smooth)
{
    if (count < 2)
        return lmb_fail(context, LMB_BAD_INPUT, "the beam '%s' needs at least two points", name);
    *out = (lmb_beam_curve){.dimension = dimension, .count = count - 1, .smooth = smooth};
    out->pieces = lmb_arena_alloc(arena, (size_t)count, sizeof *out->pieces);
    if (!out->pieces)
        return lmb_fail_memory(context);
    double size = v3_spread(points, count);
    for (int i = 0; i + 1 < count; i++) {
        vec3 step = v3_sub(points[i + 1], points[i]);
        if (!(v3_norm(step) > 1e-12 * size))
            return lmb_fail(context, LMB_BAD_INPUT,
                            "points %d and %d of the beam '%s' are at the same place", i + 1, i + 2,
                            name);
        out->pieces[i].c[0] = points[i];
        out->pieces[i].c[1] = step;
    }
    vec3 gap = v3_sub(points[0], points[count - 1]);
    out->closed = count > 3 && v3_norm(gap) < 1e-9 * v3_norm(out->pieces[0].c[1]);
    if (smooth && !make_smooth(out, arena))
        return lmb_fail_memory(context);
    for (int i = 0; smooth && i < out->count; i++) {
        const lmb_curve_piece *p = &out->pieces[i];
        vec3 step = v3_sub(points[i + 1], points[i]);
        for (int end = 0; end < 2; end++)
            if (v3_norm(piece_rate(p, end)) < 1e-9 * v3_norm(step))
                return lmb_fail_hint(context, "leave 'smooth' out for straight legs with corners",
                                     "the smooth curve of the beam '%s' turns back at point %d",
                                     name, i + end + 1);
    }
    measure(out);
    return LMB_OK;
}

lmb_status lmb_curve_helix(lmb_beam_curve *out, lmb_arena *arena, lmb_context *context,
                           const char *name, int dimension, vec3 centre, vec3 axis, vec3 start,
                           double radius, double pitch, double angle)
{
    vec3 along = v3_unit(axis), first = m3_along(axis).c[0];
    if (v3_norm(start) > 0) {
        first = v3_axpy(start, -v3_dot(start, along), along);
        if (v3_norm(first) < 1e-9 * v3_norm(start))
            return lmb_fail(context, LMB_BAD_INPUT,
                            "the 'start' of the beam '%s' is along its axis", name);
        first = v3_unit(first);
    }
    *out = (lmb_beam_curve){.dimension = dimension, .count = 1, .smooth = true};
    out->pieces = lmb_arena_alloc(arena, 1, sizeof *out->pieces);
    if (!out->pieces)
        return lmb_fail_memory(context);
    double turns = angle / (2 * LMB_PI);
    out->pieces[0] = (lmb_curve_piece){.round = true,
                                       .c = {centre, v3_scale(radius, first),
                                             v3_scale(radius, v3_cross(along, first)),
                                             v3_scale(pitch * fabs(turns), along)},
                                       .angle = angle};
    out->closed = pitch == 0 && fabs(fabs(turns) - 1) < 1e-12;
    measure(out);
    return LMB_OK;
}

/* --- axes ------------------------------------------------------------------------------------- */

/* y at the end of a short step in which axes turn as little as they can about the tangent, by two
 * reflections (Wang, Juettler, Zheng and Liu, ACM Transactions on Graphics 27, 2008): an error of
 * the fourth order, none on a circle. */
static vec3 carry(vec3 y, const vec3 x[2], const vec3 tangent[2])
{
    vec3 a = v3_sub(x[1], x[0]);
    double c = 2 / v3_dot(a, a);
    y = v3_axpy(y, -c * v3_dot(a, y), a);
    vec3 b = v3_sub(tangent[1], v3_axpy(tangent[0], -c * v3_dot(a, tangent[0]), a));
    y = v3_axpy(y, -2 / v3_dot(b, b) * v3_dot(b, y), b);
    return v3_unit(v3_axpy(y, -v3_dot(y, tangent[1]), tangent[1]));
}

/* y carried from one arc length to another. */
static vec3 carry_along(const lmb_beam_curve *curve, double from, double to, vec3 y)
{
    vec3 x[2], tangent[2];
    lmb_curve_at(curve, from, false, &x[0], &tangent[0]);
    for (int k = 1; k <= SUBSTEPS && to > from; k++) {
        lmb_curve_at(curve, from + (to - from) * k / SUBSTEPS, k == SUBSTEPS, &x[1], &tangent[1]);
        y = carry(y, x, tangent);
        x[0] = x[1];
        tangent[0] = tangent[1];
    }
    return y;
}

static mat3 axes_of(vec3 x, vec3 y)
{
    return (mat3){{x, y, v3_cross(x, y)}};
}

/* Axes that turn as little as possible; those of a closed curve meet. */
static void carried_axes(const lmb_beam_curve *curve, const double *s, int count, mat3 *axes)
{
    vec3 x, tangent;
    mat3 first;
    lmb_curve_at(curve, 0, false, &x, &tangent);
    lmb_section_axes(tangent, v3(0, 0, 0), &first);
    vec3 y = first.c[1];
    double from = 0, missing = 0;
    for (int i = 0; i < count; i++) {
        y = carry_along(curve, from, s[i], y);
        lmb_curve_at(curve, s[i], i > 0, &x, &tangent);
        axes[i] = axes_of(tangent, y);
        from = s[i];
    }
    if (curve->closed) {
        vec3 last = carry_along(curve, from, curve->length, y);
        missing = atan2(v3_dot(v3_cross(last, first.c[1]), first.c[0]), v3_dot(last, first.c[1]));
    }
    for (int i = 0; i < count && missing != 0; i++) {
        double a = missing * s[i] / curve->length;
        vec3 *c = axes[i].c;
        axes[i] = axes_of(c[0], v3_add(v3_scale(cos(a), c[1]), v3_scale(sin(a), c[2])));
    }
}

int lmb_curve_axes(const lmb_beam_curve *curve, vec3 y_axis, const double *s, int count, mat3 *axes)
{
    bool planar = curve->dimension == 2;
    if (!planar && v3_norm(y_axis) == 0) {
        carried_axes(curve, s, count, axes);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        vec3 x, tangent;
        lmb_curve_at(curve, s[i], i > 0, &x, &tangent);
        if (!lmb_section_axes(tangent, planar ? v3(-tangent.y, tangent.x, 0) : y_axis, &axes[i]))
            return i;
    }
    return -1;
}
