/* Rigid body in natural coordinates, in space or in the plane (bodies/natural.h).
 *
 * The frame is at the centre of mass. With A = tr(J)/2 - J the kinetic energy is
 *
 *   T = m |rdot|^2 / 2 + sum_jk A_jk ejdot . ekdot / 2
 *
 * so M = diag(m, m, m, A (x) 1) is constant and there are no quadratic velocity forces; in the
 * plane M = diag(m, m, J_zz, J_zz). A is singular where the mass lies in a plane or on a line: then
 * the equations of motion are solved without inverting M (system/saddle.h). */
#include <string.h>

#include "bodies/natural.h"
#include "math/small.h"

/* --- what natural bodies share ---------------------------------------------------------------- */

void lmb_natural_node(lmb_structure *out, int dimension)
{
    lmb_structure_node(out, LMB_NODE_NATURAL,
                       dimension == 2 ? LMB_NATURAL_PLANE : LMB_NATURAL_SPACE, 0);
}

void lmb_natural_place(const lmb_body *b, const lmb_frame *pose, double *q)
{
    mat3 R = frame_rotation(pose);
    lmb_node_place(&b->nodes[0], pose->p, &R, 0, q);
}

/* edot = w x e */
void lmb_natural_launch(const lmb_body *b, double *v)
{
    lmb_frame rate = {b->velocity, {{0, 0, 0}}};
    for (int i = 0; i < 3; i++)
        rate.e[i] = v3_cross(b->spin, b->start.e[i]);
    mat3 axes = frame_rotation(&rate);
    lmb_node_place(&b->nodes[0], rate.p, &axes, 0, v);
}

/* Which axes a row is the product of; in the plane there is the first row alone. */
static const int row_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

static int row_count(const lmb_body *b)
{
    return natural_plane(b) ? 1 : 6;
}

static lmb_own_row row(const lmb_body *b, int i)
{
    static const char *const labels[] = {"e1.e1", "e2.e2", "e3.e3", "e2.e3", "e3.e1", "e1.e2"};
    return (lmb_own_row){natural_plane(b) ? "u.u" : labels[i], LMB_PURE_NUMBER, 0, 1};
}

/* The first axis of the coordinates at q; in the plane it is u. */
static vec3 axis_of(const lmb_body *b, const double *q, int i)
{
    return natural_plane(b) ? v3(q[2], q[3], 0) : v3_of(q + 3 + 3 * i);
}

static double row_value(const lmb_body_at *at, int i)
{
    int a = row_axes[i][0], b = row_axes[i][1];
    double product = v3_dot(axis_of(at->body, at->q, a), axis_of(at->body, at->q, b));
    return a == b ? (product - 1) / 2 : product;
}

/* The gradient of row i is linear in q: both are this with another vector. */
static void put_gradient(const lmb_body *body, const double *q, int i, double *g)
{
    int a = row_axes[i][0], b = row_axes[i][1];
    memset(g, 0, (size_t)body->nodes[0].nv * sizeof *g);
    if (natural_plane(body)) {
        g[2] = q[2];
        g[3] = q[3];
        return;
    }
    node_put(g + 3 + 3 * a, v3_of(q + 3 + 3 * b));
    node_put(g + 3 + 3 * b, v3_of(q + 3 + 3 * a));
}

static void row_gradient(const lmb_body_at *at, int i, double *g)
{
    put_gradient(at->body, at->q, i, g);
}

static void row_gradient_tangent(const lmb_body_at *at, int i, const double *w, double *out)
{
    put_gradient(at->body, w, i, out);
}

/* The axes are right-handed: e1 x e2 . e3, with the row that comes last. */
static double row_guard(const lmb_body_at *at, int i)
{
    const vec3 *e = at->pose.e;
    return i == 5 ? v3_dot(v3_cross(e[0], e[1]), e[2]) : 1;
}

const lmb_body_rows lmb_natural_rows = {
    row_count, row, row_value, row_gradient, row_gradient_tangent, row_guard};

/* --- frames ----------------------------------------------------------------------------------- */

static void structure(const lmb_body *b, int dimension, lmb_structure *out)
{
    (void)b;
    lmb_natural_node(out, dimension);
}

static void launch(const lmb_body *b, double *v)
{
    lmb_natural_launch(b, v);
}

static void update(lmb_body_at *at)
{
    at->pose = lmb_natural_pose(natural_plane(at->body), at->q);
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    *x = frame_compose(&at->pose, &marker->local);
}

static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    (void)x;
    lmb_frame rate = natural_rate(at->body, w);
    *out = frame_compose(&rate, &marker->local);
}

static void frame_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out)
{
    (void)at, (void)marker, (void)x;
    *out = frame_zero();
}

static void frame_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    (void)x;
    lmb_frame f = natural_moved(&marker->local, force);
    natural_load(at->body, &f, out);
}

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    (void)marker, (void)x, (void)w;
    for (int j = 0; j < at->body->nv; j++)
        columns[j] = frame_zero();
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    (void)marker, (void)x, (void)force;
    size_t n = (size_t)at->body->nv;
    memset(matrix, 0, n * n * sizeof *matrix);
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    (void)marker, (void)x;
    for (int j = 0; j < at->body->nv; j++)
        by_q[j] = by_v[j] = frame_zero();
}

/* --- inertia ---------------------------------------------------------------------------------- */

static void mass(const lmb_body_at *at, double *matrix)
{
    const lmb_body *b = at->body;
    mat3 A = second_moments(&b->inertia);
    int n = b->nv, points = natural_plane(b) ? 2 : 3;
    memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
    for (int i = 0; i < points; i++)
        matrix[i * (n + 1)] = b->mass;
    if (natural_plane(b)) {
        matrix[2 * (n + 1)] = matrix[3 * (n + 1)] = b->inertia.c[2].z;
        return;
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                matrix[n * (3 + 3 * k + i) + 3 + 3 * j + i] = v3_get(A.c[k], j);
}

static void mass_times(const lmb_body_at *at, const double *a, double *out)
{
    const lmb_body *b = at->body;
    mat3 A = second_moments(&b->inertia);
    lmb_frame rate = natural_rate(b, a);
    mat3 B = frame_rotation(&rate), BA = m3_mul3(&B, &A);
    lmb_frame f = frame_with_axes(v3_scale(b->mass, rate.p), &BA);
    natural_load(b, &f, out);
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    lmb_frame f = frame_zero();
    f.p = v3_scale(at->body->mass, gravity);
    natural_load(at->body, &f, Q);
}

/* The angular momentum about the centre is sum_jk A_jk e_j x ekdot. */
static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    const lmb_body *b = at->body;
    mat3 A = second_moments(&b->inertia), R = frame_rotation(&at->pose), RA = m3_mul3(&R, &A);
    lmb_frame rate = natural_rate(b, at->v), moments = frame_with_axes(at->pose.p, &RA);
    double Mv[LMB_NATURAL_SPACE];
    mass_times(at, at->v, Mv);
    *out = (lmb_balance){.kinetic = lmb_dot(at->v, Mv, b->nv) / 2,
                         .potential = -b->mass * v3_dot(gravity, at->pose.p),
                         .momentum = v3_scale(b->mass, rate.p)};
    out->angular_momentum =
        v3_add(v3_cross(at->pose.p, out->momentum), frame_moment(&moments, &rate));
}

const lmb_body_ops lmb_body_natural = {
    LMB_BODY_OPERATIONS,       .kind = "natural",          .turns = true,
    .natural = true,           .place = lmb_natural_place, .mass_times = mass_times,
    .rows = &lmb_natural_rows,
};
