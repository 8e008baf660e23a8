/* A strut: a carriage (a rigid body with a node of its own) and a tip mass (a node of numbers) that
 * a spring and a Maxwell element beside it hold at a distance.
 *
 *   nodes      carriage (r, R), tip p; each a cluster
 *   own row    (p - r) . R n = 0: in the plane n = y, so that the tip slides along the x axis of
 * the carriage; in space n = z, so that it stays in its x, y plane state      z, the force of the
 * Maxwell element: zdot = K sdot - z / T,  s = |p - r| force      F = k (s - L) + z pulls the two
 * together along e = (p - r) / s energy     k (s - L)^2 / 2 + z^2 / (2 K); z^2 / (K T) is lost
 *
 * Point `a` is fixed in the carriage and depends on its node alone; point `b` is at the tip with
 * the axes of the carriage, so it depends on both clusters. Both move as those of a rigid body do,
 * whose operations answer for the carriage, or for a carriage with its origin at the tip. */
#include "strut.h"

#include <string.h>

#include "support.h"

typedef struct strut {
    vec3 a;
    double tip_mass, length, stiffness, maxwell, time;
} strut;

static const lmb_field fields[] = {
    {"a", LMB_AT(strut, a), LMB_FIELD_VECTOR, "m", "A point of the carriage."},
    {"tip_mass", LMB_AT(strut, tip_mass), LMB_FIELD_NUMBER, "kg", "Its part of the mass.",
     .required = true, .range = LMB_POSITIVE},
    {"length", LMB_AT(strut, length), LMB_FIELD_NUMBER, "m", "L.", .otherwise = 1},
    {"stiffness", LMB_AT(strut, stiffness), LMB_FIELD_NUMBER, "N/m", "k.", .otherwise = 1},
    {"maxwell", LMB_AT(strut, maxwell), LMB_FIELD_NUMBER, "N/m", "K.", .otherwise = 1},
    {"time", LMB_AT(strut, time), LMB_FIELD_NUMBER, "s", "T.", .otherwise = 1},
    {0},
};

static const strut *own(const lmb_body_at *at)
{
    return at->body->own;
}

static bool in_plane(const lmb_body *b)
{
    return b->nodes[0].kind == LMB_NODE_PLANE;
}

/* Numbers of a vector and of a turn: those of the carriage are (vector, turn). */
static int vectors(const lmb_body *b)
{
    return in_plane(b) ? 2 : 3;
}

static int carriage(const lmb_body *b)
{
    return in_plane(b) ? 3 : 6;
}

static const lmb_body_ops *rigid(const lmb_body *b)
{
    return in_plane(b) ? &lmb_body_planar : &lmb_body_rigid;
}

static vec3 get(const lmb_body *b, const double *x)
{
    return v3(x[0], x[1], in_plane(b) ? 0 : x[2]);
}

static void add(const lmb_body *b, double *x, vec3 a)
{
    for (int i = 0; i < vectors(b); i++)
        x[i] += v3_get(a, i);
}

static vec3 tip(const lmb_body_at *at)
{
    return get(at->body, at->q + at->body->nodes[0].nq);
}

/* The velocity of the tip as seen from the carriage's origin. */
static vec3 relative(const lmb_body_at *at, const double *v)
{
    return v3_sub(get(at->body, v + carriage(at->body)), get(at->body, v));
}

static void structure(const lmb_body *body, int dimension, lmb_structure *out)
{
    (void)body;
    lmb_structure_node(out, dimension == 2 ? LMB_NODE_PLANE : LMB_NODE_SPACE, 3, 0);
    lmb_structure_node(out, LMB_NODE_VECTOR, dimension, 1)->label = "tip";
    lmb_structure_couple(out, 0, 1);
    lmb_structure_couple(out, 1, 0);
}

static void place(const lmb_body *b, const lmb_frame *pose, double *q)
{
    const strut *own = b->own;
    double *p = q + b->nodes[0].nq;
    rigid(b)->place(b, pose, q);
    memset(p, 0, (size_t)vectors(b) * sizeof *p);
    add(b, p, v3_axpy(pose->p, own->length, pose->e[0]));
}

static void launch(const lmb_body *b, double *v)
{
    const strut *own = b->own;
    double *p = v + carriage(b);
    rigid(b)->launch(b, v);
    memset(p, 0, (size_t)vectors(b) * sizeof *p);
    add(b, p, v3_add(b->velocity, v3_cross(b->spin, v3_scale(own->length, b->start.e[0]))));
}

static void update(lmb_body_at *at)
{
    rigid(at->body)->update(at);
}

/* --- frames -------------------------------------------------------------------------------------
 */

enum { POINT_A = -1, POINT_B = 0, MOST = 9 };

static void marker_nodes(const lmb_body *b, const lmb_marker *marker, int *first, int *count)
{
    (void)b;
    *first = 0;
    *count = marker->point == POINT_B ? 2 : 1;
}

/* The body with its origin at the tip, if that is where the marker is. */
static lmb_body_at base(const lmb_body_at *at, const lmb_marker *marker)
{
    lmb_body_at out = *at;
    if (marker->point == POINT_B)
        out.pose.p = tip(at);
    return out;
}

/* The number among the coordinates of the marker that number i of a rigid body is. */
static int place_of(const lmb_body *b, const lmb_marker *marker, int i)
{
    return marker->point == POINT_B && i < vectors(b) ? carriage(b) + i : i;
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    lmb_body_at there = base(at, marker);
    rigid(at->body)->frame(&there, marker, x);
}

static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    lmb_body_at there = base(at, marker);
    double v[MOST];
    for (int i = 0; i < carriage(at->body); i++)
        v[i] = w[place_of(at->body, marker, i)];
    rigid(at->body)->frame_rate(&there, marker, x, v, out);
}

static void frame_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out)
{
    lmb_body_at there = base(at, marker);
    rigid(at->body)->frame_bias(&there, marker, x, out);
}

static void frame_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    lmb_body_at there = base(at, marker);
    double load[MOST];
    rigid(at->body)->frame_load(&there, marker, x, force, load);
    memset(out, 0, (size_t)marker->nv * sizeof *out);
    for (int i = 0; i < carriage(at->body); i++)
        out[place_of(at->body, marker, i)] = load[i];
}

static void spread_columns(const lmb_body *b, const lmb_marker *marker, const lmb_frame *columns,
                           lmb_frame *out)
{
    for (int j = 0; j < marker->nv; j++)
        out[j] = frame_zero();
    for (int j = 0; j < carriage(b); j++)
        out[place_of(b, marker, j)] = columns[j];
}

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    lmb_body_at there = base(at, marker);
    lmb_frame own_columns[MOST];
    double v[MOST];
    for (int i = 0; i < carriage(at->body); i++)
        v[i] = w[place_of(at->body, marker, i)];
    rigid(at->body)->frame_rate_tangent(&there, marker, x, v, own_columns);
    spread_columns(at->body, marker, own_columns, columns);
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    lmb_body_at there = base(at, marker);
    int n = carriage(at->body), nv = marker->nv;
    double own_matrix[MOST * MOST];
    rigid(at->body)->frame_load_tangent(&there, marker, x, force, own_matrix);
    memset(matrix, 0, (size_t)(nv * nv) * sizeof *matrix);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            matrix[place_of(at->body, marker, j) * nv + place_of(at->body, marker, i)] =
                own_matrix[j * n + i];
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    lmb_body_at there = base(at, marker);
    lmb_frame q[MOST], v[MOST];
    rigid(at->body)->frame_bias_tangent(&there, marker, x, q, v);
    spread_columns(at->body, marker, q, by_q);
    spread_columns(at->body, marker, v, by_v);
}

/* --- inertia and forces -------------------------------------------------------------------------
 */

/* The carriage by itself. */
static lmb_body carriage_of(const lmb_body *b)
{
    lmb_body out = *b;
    out.mass -= ((const strut *)b->own)->tip_mass;
    return out;
}

/* e, s and the force F. */
typedef struct link {
    vec3 e;
    double s, F;
} link;

static link link_of(const lmb_body_at *at)
{
    vec3 d = v3_sub(tip(at), at->pose.p);
    double s = v3_norm(d), z = at->z ? at->z[0] : 0;
    return (link){v3_scale(1 / s, d), s, own(at)->stiffness * (s - own(at)->length) + z};
}

static void mass(const lmb_body_at *at, double *blocks)
{
    lmb_body body = carriage_of(at->body);
    lmb_body_at alone = *at;
    int n = carriage(at->body), k = vectors(at->body);
    double *tip_block = blocks + n * n;
    alone.body = &body;
    rigid(at->body)->mass(&alone, blocks);
    for (int i = 0; i < k * k; i++)
        tip_block[i] = i % (k + 1) == 0 ? own(at)->tip_mass : 0;
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    lmb_body body = carriage_of(at->body);
    lmb_body_at alone = *at;
    link l = link_of(at);
    double *p = Q + carriage(at->body);
    alone.body = &body;
    rigid(at->body)->force(&alone, gravity, Q);
    memset(p, 0, (size_t)vectors(at->body) * sizeof *p);
    add(at->body, p, v3_scale(own(at)->tip_mass, gravity));
    add(at->body, p, v3_scale(-l.F, l.e));
    add(at->body, Q, v3_scale(l.F, l.e));
}

/* S = k e e^T + F/s (1 - e e^T), on the tip and, with the other sign, on the carriage. */
static void tangent(const lmb_body_at *at, vec3 gravity, const double *a, const lmb_window *w)
{
    link l = link_of(at);
    if (rigid(at->body)->tangent)
        rigid(at->body)->tangent(at, gravity, a, w);
    for (int j = 0; j < vectors(at->body); j++)
        for (int i = 0; i < vectors(at->body); i++) {
            double ee = v3_get(l.e, i) * v3_get(l.e, j);
            double S = own(at)->stiffness * ee + l.F / l.s * ((i == j) - ee);
            w[0].by_q[w[0].stride * j + i] += S;
            w[1].by_q[w[1].stride * j + i] += S;
            w[2].by_q[w[2].stride * j + i] -= S;
            w[3].by_q[w[3].stride * j + i] -= S;
        }
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    lmb_body body = carriage_of(at->body);
    lmb_body_at alone = *at;
    link l = link_of(at);
    const strut *o = own(at);
    vec3 v = get(at->body, at->v + carriage(at->body)), p = v3_scale(o->tip_mass, v);
    double stretched = l.s - o->length, z = at->z ? at->z[0] : 0;
    alone.body = &body;
    rigid(at->body)->balance(&alone, gravity, out);
    out->kinetic += v3_dot(v, p) / 2;
    out->potential -= o->tip_mass * v3_dot(gravity, tip(at));
    out->elastic += o->stiffness * stretched * stretched / 2 + z * z / (2 * o->maxwell);
    out->momentum = v3_add(out->momentum, p);
    out->angular_momentum = v3_add(out->angular_momentum, v3_cross(tip(at), p));
}

static double loss(const lmb_body_at *at)
{
    return at->z[0] * at->z[0] / (own(at)->maxwell * own(at)->time);
}

/* --- the row of its own -------------------------------------------------------------------------
 */

static int row_count(const lmb_body *b)
{
    (void)b;
    return 1;
}

static lmb_own_row row(const lmb_body *b, int i)
{
    (void)b, (void)i;
    return (lmb_own_row){"side", LMB_LENGTH, 0, 2};
}

/* n in global axes, and what a turn about each axis of the carriage (z in the plane) makes of it.
 */
static vec3 normal(const lmb_body_at *at)
{
    return at->pose.e[in_plane(at->body) ? 1 : 2];
}

static vec3 axis(const lmb_body_at *at, int k)
{
    return in_plane(at->body) ? v3(0, 0, 1) : at->pose.e[k];
}

static double row_value(const lmb_body_at *at, int i)
{
    (void)i;
    return v3_dot(v3_sub(tip(at), at->pose.p), normal(at));
}

/* d . (w x n) for a turn w */
static void row_gradient(const lmb_body_at *at, int i, double *g)
{
    (void)i;
    const lmb_body *b = at->body;
    vec3 d = v3_sub(tip(at), at->pose.p), n = normal(at);
    memset(g, 0, (size_t)b->nv * sizeof *g);
    add(b, g, v3_scale(-1, n));
    for (int k = 0; k < carriage(b) - vectors(b); k++)
        g[vectors(b) + k] = v3_dot(d, v3_cross(axis(at, k), n));
    add(b, g + carriage(b), n);
}

/* g . w = n . u + d . (W x n) with u the relative velocity and W the turn of w, both fixed: u in
 * global axes, W in the carriage. */
static void row_tangent(const lmb_body_at *at, int i, const double *w, double *out)
{
    (void)i;
    const lmb_body *b = at->body;
    vec3 d = v3_sub(tip(at), at->pose.p), n = normal(at), u = relative(at, w), W = {0, 0, 0};
    for (int k = 0; k < carriage(b) - vectors(b); k++)
        W = v3_axpy(W, w[vectors(b) + k], axis(at, k));
    vec3 Wn = v3_cross(W, n);
    memset(out, 0, (size_t)b->nv * sizeof *out);
    add(b, out, v3_scale(-1, Wn));
    for (int k = 0; k < carriage(b) - vectors(b); k++)
        out[vectors(b) + k] =
            v3_dot(u, v3_cross(axis(at, k), n)) + v3_dot(d, v3_cross(axis(at, k), Wn));
    add(b, out + carriage(b), Wn);
}

static const lmb_body_rows rows = {row_count, row, row_value, row_gradient, row_tangent, NULL};

/* --- the first-order state ----------------------------------------------------------------------
 */

static int state_count(const lmb_body *b)
{
    (void)b;
    return 1;
}

static lmb_own_state own_state(const lmb_body *b, int i)
{
    (void)i;
    const strut *own = b->own;
    return (lmb_own_state){"damper", "N", "Force of the Maxwell element.",
                           own->maxwell * own->length};
}

static void state_start(const lmb_body *b, double *z)
{
    (void)b;
    z[0] = 0;
}

static void state_rate(const lmb_body_at *at, double *zdot)
{
    zdot[0] =
        own(at)->maxwell * v3_dot(link_of(at).e, relative(at, at->v)) - at->z[0] / own(at)->time;
}

static void put_pair(const lmb_body *b, double *x, vec3 a)
{
    memset(x, 0, (size_t)b->nv * sizeof *x);
    add(b, x, v3_scale(-1, a));
    add(b, x + carriage(b), a);
}

static void state_tangent(const lmb_body_at *at, double *by_q, double *by_v, double *by_z)
{
    link l = link_of(at);
    vec3 u = relative(at, at->v), across = v3_axpy(u, -v3_dot(l.e, u), l.e);
    put_pair(at->body, by_q, v3_scale(own(at)->maxwell / l.s, across));
    put_pair(at->body, by_v, v3_scale(own(at)->maxwell, l.e));
    by_z[0] = -1 / own(at)->time;
}

static void force_by_z(const lmb_body_at *at, double *Q_z)
{
    put_pair(at->body, Q_z, v3_scale(-1, link_of(at).e));
}

static const lmb_body_states states = {.count = state_count,
                                       .state = own_state,
                                       .start = state_start,
                                       .rate = state_rate,
                                       .rate_tangent = state_tangent,
                                       .force_by_z = force_by_z};

/* --- the kind -----------------------------------------------------------------------------------
 */

static const lmb_body_ops operations = {
    .kind = "strut",
    .turns = true,
    .structure = structure,
    .place = place,
    .update = update,
    .launch = launch,
    .frame = frame,
    .frame_rate = frame_rate,
    .frame_bias = frame_bias,
    .frame_load = frame_load,
    .frame_rate_tangent = frame_rate_tangent,
    .frame_load_tangent = frame_load_tangent,
    .frame_bias_tangent = frame_bias_tangent,
    .mass = mass,
    .force = force,
    .tangent = tangent,
    .balance = balance,
    .marker_nodes = marker_nodes,
    .loss = loss,
    .rows = &rows,
    .states = &states,
};

static lmb_status build(lmb_body_build *b)
{
    const strut *own = b->keys;
    lmb_frame a = frame_identity();
    a.p = own->a;
    lmb_status status = b->point(b, POINT_A, "a", a);
    return status ? status : b->point(b, POINT_B, "b", frame_identity());
}

const lmb_body_type strut_type = {
    .name = "strut",
    .called = "a strut",
    .doc = "A carriage and a tip mass with a spring and a Maxwell element between them.",
    .planar = &operations,
    .spatial = &operations,
    .fields = fields,
    .size = sizeof(strut),
    .own_points = true,
    .build = build,
};

const lmb_kinds *kinds_with_strut(void)
{
    enum { ROOM = 16 };
    static const lmb_body_type *bodies[ROOM];
    static lmb_kinds kinds;
    int n = 0;
    kinds = lmb_kinds_default;
    for (; lmb_kinds_default.bodies[n]; n++)
        bodies[n] = lmb_kinds_default.bodies[n];
    assert_true(n + 1 < ROOM);
    bodies[n] = &strut_type;
    kinds.bodies = bodies;
    return &kinds;
}
