/* A geometrically exact beam: a body of nodes with frames, coupled by elements.
 *
 *   M_i a_i = Q_i + forces of elements     one block per node, nothing couples their masses
 *
 * A node i carries a lumped part of the beam, a rigid body with the centre c and inertia J about
 * the node in its axes:
 *
 *   M = [ m        -m R c~ ]     Q = ( m g - m R (w x (w x c)), m c x R^T g - w x J w )
 *       [ m c~ R^T   J     ]
 *
 * in the plane with the angle alone. A marker is on one node and moves as a point of a rigid body
 * does; the body's own frame is carried by the first node. */
#include "bodies/exact_beam.h"

#include <string.h>

#include "base/text.h"
#include "math/dense.h"
#include "math/small.h"

static const lmb_exact_beam *own(const lmb_body *b)
{
    return b->own;
}

static bool in_plane(const lmb_body *b)
{
    return own(b)->dimension == 2;
}

static const lmb_beam_kind *kind_of(const lmb_body *b)
{
    return in_plane(b) ? &lmb_beam_plane : &lmb_beam_space;
}

/* Numbers of a node: positions, velocities. */
static int q_size(const lmb_body *b)
{
    return in_plane(b) ? 3 : 7;
}

static int v_size(const lmb_body *b)
{
    return in_plane(b) ? 3 : 6;
}

static const lmb_body_ops *rigid(const lmb_body *b)
{
    return in_plane(b) ? &lmb_body_planar : &lmb_body_rigid;
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* Nodes of one element are coupled with each other; the couples of an element follow each other. */
static void structure(const lmb_body *body, int dimension, lmb_structure *out)
{
    const lmb_exact_beam *b = own(body);
    for (int i = 0; i < b->node_count; i++) {
        lmb_node *node =
            lmb_structure_node(out, dimension == 2 ? LMB_NODE_PLANE : LMB_NODE_SPACE, 3, i);
        node->label = lmb_text_format(out->arena, "node%d", i + 1);
    }
    for (int e = 0; e < b->element_count; e++)
        for (int i = 0; i <= b->order; i++)
            for (int j = 0; j <= b->order; j++)
                if (i != j)
                    lmb_structure_couple(out, lmb_exact_beam_node(b, e, i),
                                         lmb_exact_beam_node(b, e, j));
}

/* The window of nodes i and j of an element: those of nodes with themselves come first. */
static int window_of(const lmb_exact_beam *b, int e, int i, int j)
{
    int couple = i * b->order + (j < i ? j : j - 1);
    return i == j ? lmb_exact_beam_node(b, e, i)
                  : b->node_count + e * b->order * (b->order + 1) + couple;
}

static lmb_frame node_pose(const lmb_body_at *at, int i)
{
    const double *q = at->q + i * q_size(at->body);
    return in_plane(at->body) ? lmb_plane_pose(q) : lmb_space_pose(q);
}

/* The frame x given in the axes of another one. */
static lmb_frame seen_from(const lmb_frame *from, const lmb_frame *x)
{
    mat3 R = frame_rotation(from);
    return (lmb_frame){m3_tmul(&R, v3_sub(x->p, from->p)),
                       {m3_tmul(&R, x->e[0]), m3_tmul(&R, x->e[1]), m3_tmul(&R, x->e[2])}};
}

/* Angles go on from node to node, so that a helix or a ring has no jump. */
static void place(const lmb_body *body, const lmb_frame *pose, double *q)
{
    const lmb_exact_beam *b = own(body);
    lmb_node node = {.kind = in_plane(body) ? LMB_NODE_PLANE : LMB_NODE_SPACE};
    double angle = body->angle;
    for (int i = 0; i < b->node_count; i++) {
        lmb_frame x = frame_compose(pose, &b->nodes[i]);
        mat3 R = frame_rotation(&x);
        double *at = q + i * q_size(body);
        lmb_node_place(&node, x.p, &R, angle, at);
        if (i == 0 && in_plane(body)) { /* turns as they are given */
            double local = atan2(b->nodes[0].e[0].y, b->nodes[0].e[0].x);
            lmb_node_place(&node, x.p, &R, angle + local, at);
        }
        angle = in_plane(body) ? at[2] : 0;
    }
}

static void launch(const lmb_body *body, double *v)
{
    const lmb_exact_beam *b = own(body);
    for (int i = 0; i < b->node_count; i++) {
        lmb_frame x = frame_compose(&body->start, &b->nodes[i]);
        vec3 arm = v3_sub(x.p, body->start.p);
        vec3 u = v3_add(body->velocity, v3_cross(body->spin, arm));
        double *at = v + i * v_size(body);
        if (in_plane(body)) {
            node_put(at, v3(u.x, u.y, body->spin.z));
            continue;
        }
        mat3 R = frame_rotation(&x);
        node_put(at, u);
        node_put(at + 3, m3_tmul(&R, body->spin));
    }
}

static void update(lmb_body_at *at)
{
    lmb_frame first = node_pose(at, 0), identity = frame_identity();
    lmb_frame back = seen_from(&own(at->body)->nodes[0], &identity);
    at->pose = frame_compose(&first, &back);
}

/* --- frames: those of a rigid body at a node -------------------------------------------------- */

static int node_of(const lmb_marker *marker)
{
    return marker->point < 0 ? 0 : marker->point;
}

static void marker_nodes(const lmb_body *body, const lmb_marker *marker, int *first, int *count)
{
    (void)body;
    *first = node_of(marker);
    *count = 1;
}

static lmb_body_at base(const lmb_body_at *at, const lmb_marker *marker)
{
    int i = node_of(marker);
    lmb_body_at out = *at;
    out.q += i * q_size(at->body);
    out.v += i * v_size(at->body);
    out.pose = node_pose(at, i);
    return out;
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    lmb_body_at there = base(at, marker);
    lmb_frame local = seen_from(&own(at->body)->nodes[node_of(marker)], &marker->local);
    *x = frame_compose(&there.pose, &local);
}

static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    lmb_body_at there = base(at, marker);
    rigid(at->body)->frame_rate(&there, marker, x, w, out);
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
    rigid(at->body)->frame_load(&there, marker, x, force, out);
}

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    lmb_body_at there = base(at, marker);
    rigid(at->body)->frame_rate_tangent(&there, marker, x, w, columns);
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    lmb_body_at there = base(at, marker);
    rigid(at->body)->frame_load_tangent(&there, marker, x, force, matrix);
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    lmb_body_at there = base(at, marker);
    rigid(at->body)->frame_bias_tangent(&there, marker, x, by_q, by_v);
}

/* --- inertia of nodes ------------------------------------------------------------------------- */

/* A node with what it carries, all vectors in its axes (in the plane with z = 0). */
typedef struct carried {
    const lmb_beam_inertia *of;
    bool centred; /* the centre is at the node: R does not matter */
    mat3 R;
    vec3 omega;
    const double *v;
} carried;

static bool is_centred(const lmb_beam_inertia *of)
{
    return of->centre.x == 0 && of->centre.y == 0 && of->centre.z == 0;
}

static carried node_at(const lmb_body_at *at, int i)
{
    const double *v = at->v + i * v_size(at->body);
    const lmb_beam_inertia *of = &own(at->body)->inertia[i];
    vec3 omega = in_plane(at->body) ? v3(0, 0, v[2]) : v3_of(v + 3);
    carried x = {of, is_centred(of), m3_identity(), omega, v};
    if (!x.centred) {
        lmb_frame pose = node_pose(at, i);
        x.R = frame_rotation(&pose);
    }
    return x;
}

static vec3 spin_of(const carried *x)
{
    return m3_mul(&x->of->inertia, x->omega);
}

/* Velocity or acceleration of the node, and turn, out of its numbers. */
static vec3 linear(const lmb_body *b, const double *x)
{
    return v3(x[0], x[1], in_plane(b) ? 0 : x[2]);
}

static vec3 angular(const lmb_body *b, const double *x)
{
    return in_plane(b) ? v3(0, 0, x[2]) : v3_of(x + 3);
}

static void put_pair(const lmb_body *b, double *out, vec3 f, vec3 m)
{
    node_put(out, in_plane(b) ? v3(f.x, f.y, m.z) : f);
    if (!in_plane(b))
        node_put(out + 3, m);
}

/* M a of a node. */
static void inertia_of(const lmb_body *b, const carried *x, const double *a, double *out)
{
    vec3 u = linear(b, a), alpha = angular(b, a), c = x->of->centre;
    if (x->centred) {
        put_pair(b, out, v3_scale(x->of->mass, u), m3_mul(&x->of->inertia, alpha));
        return;
    }
    vec3 f = v3_add(u, m3_mul(&x->R, v3_cross(alpha, c)));
    vec3 m = v3_scale(x->of->mass, v3_cross(c, m3_tmul(&x->R, u)));
    put_pair(b, out, v3_scale(x->of->mass, f), v3_add(m, m3_mul(&x->of->inertia, alpha)));
}

static void mass(const lmb_body_at *at, double *blocks)
{
    int n = v_size(at->body);
    for (int i = 0; i < own(at->body)->node_count; i++, blocks += n * n) {
        carried x = node_at(at, i);
        for (int j = 0; j < n; j++) {
            double unit[6] = {0};
            unit[j] = 1;
            inertia_of(at->body, &x, unit, blocks + n * j);
        }
    }
}

static void mass_times(const lmb_body_at *at, const double *a, double *out)
{
    int n = v_size(at->body);
    for (int i = 0; i < own(at->body)->node_count; i++, a += n, out += n) {
        carried x = node_at(at, i);
        inertia_of(at->body, &x, a, out);
    }
}

/* --- forces ----------------------------------------------------------------------------------- */

static lmb_beam_state element_state(const lmb_body_at *at, int e)
{
    const lmb_exact_beam *b = own(at->body);
    lmb_beam_state s = {{0}, {0}};
    for (int i = 0; i <= b->order; i++) {
        int node = lmb_exact_beam_node(b, e, i);
        s.q[i] = at->q + node * q_size(at->body);
        s.v[i] = at->v + node * v_size(at->body);
    }
    return s;
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    const lmb_exact_beam *b = own(at->body);
    int n = v_size(at->body);
    for (int i = 0; i < b->node_count; i++) {
        carried x = node_at(at, i);
        vec3 gyroscopic = v3_cross(x.omega, spin_of(&x));
        if (x.centred) {
            put_pair(at->body, Q + n * i, v3_scale(x.of->mass, gravity), v3_scale(-1, gyroscopic));
            continue;
        }
        vec3 swing = v3_cross(x.omega, v3_cross(x.omega, x.of->centre));
        vec3 f = v3_sub(gravity, m3_mul(&x.R, swing));
        vec3 m = v3_scale(x.of->mass, v3_cross(x.of->centre, m3_tmul(&x.R, gravity)));
        put_pair(at->body, Q + n * i, v3_scale(x.of->mass, f), v3_sub(m, gyroscopic));
    }
    for (int e = 0; e < b->element_count; e++) {
        lmb_beam_state s = element_state(at, e);
        double *on[LMB_BEAM_NODES];
        for (int i = 0; i <= b->order; i++)
            on[i] = Q + n * lmb_exact_beam_node(b, e, i);
        kind_of(at->body)->force(&b->elements[e], &s, on);
    }
}

/* d(M a - Q) of a node along a turn d of it, and along a change d of its angular velocity:
 *   m R (d x (alpha x c + w x (w x c))),                m c x ((R^T (a - g)) x d)
 *   m R (d x (w x c) + w x (d x c)),                    d x J w + w x J d */
static void node_tangent(const lmb_body_at *at, int i, vec3 gravity, const double *a,
                         const lmb_window *window)
{
    int n = v_size(at->body), first = in_plane(at->body) ? 2 : 3;
    carried x = node_at(at, i);
    if (in_plane(at->body) && x.centred)
        return; /* all of it is zero */
    vec3 c = x.of->centre, turned = v3_cross(x.omega, c);
    vec3 alpha = angular(at->body, a), felt = v3_sub(linear(at->body, a), gravity);
    vec3 swing = v3_add(v3_cross(alpha, c), v3_cross(x.omega, turned));
    felt = m3_tmul(&x.R, felt);
    for (int j = first; j < n; j++) {
        vec3 d = in_plane(at->body) ? v3_axis(2) : v3_axis(j - 3);
        double change[6];
        vec3 f = m3_mul(&x.R, v3_cross(d, swing)), m = v3_cross(c, v3_cross(felt, d));
        put_pair(at->body, change, v3_scale(x.of->mass, f), v3_scale(x.of->mass, m));
        lmb_small_add(window->by_q + window->stride * j, 1, change, n);
        f = m3_mul(&x.R, v3_add(v3_cross(d, turned), v3_cross(x.omega, v3_cross(d, c))));
        m = v3_add(v3_cross(d, spin_of(&x)), v3_cross(x.omega, m3_mul(&x.of->inertia, d)));
        put_pair(at->body, change, v3_scale(x.of->mass, f), m);
        lmb_small_add(window->by_v + window->stride * j, 1, change, n);
    }
}

static void tangent(const lmb_body_at *at, vec3 gravity, const double *a, const lmb_window *windows)
{
    enum { MOST = 6 * LMB_BEAM_NODES };
    const lmb_exact_beam *b = own(at->body);
    int n = v_size(at->body), all = n * (b->order + 1);
    double by_q[MOST * MOST], by_v[MOST * MOST];
    for (int i = 0; i < b->node_count; i++)
        node_tangent(at, i, gravity, a + n * i, &windows[i]);
    for (int e = 0; e < b->element_count; e++) {
        lmb_beam_state s = element_state(at, e);
        kind_of(at->body)->tangent(&b->elements[e], &s, by_q, by_v);
        for (int i = 0; i <= b->order; i++)
            for (int j = 0; j <= b->order; j++) {
                const lmb_window *w = &windows[window_of(b, e, i, j)];
                for (int k = 0; k < n; k++) {
                    int from = (n * j + k) * all + n * i;
                    lmb_small_add(w->by_q + w->stride * k, 1, by_q + from, n);
                    if (b->damping > 0)
                        lmb_small_add(w->by_v + w->stride * k, 1, by_v + from, n);
                }
            }
    }
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    const lmb_exact_beam *b = own(at->body);
    *out = (lmb_balance){0};
    for (int i = 0; i < b->node_count; i++) {
        carried x = node_at(at, i);
        lmb_frame pose = node_pose(at, i);
        x.R = frame_rotation(&pose);
        vec3 u = linear(at->body, x.v), c = m3_mul(&x.R, x.of->centre);
        vec3 turned = m3_mul(&x.R, v3_cross(x.omega, x.of->centre));
        vec3 p = v3_scale(x.of->mass, v3_add(u, turned));
        vec3 spin = m3_mul(&x.R, spin_of(&x));
        out->kinetic +=
            x.of->mass * (v3_dot(u, u) / 2 + v3_dot(u, turned)) + v3_dot(x.omega, spin_of(&x)) / 2;
        out->potential -= x.of->mass * v3_dot(gravity, v3_add(pose.p, c));
        out->momentum = v3_add(out->momentum, p);
        spin = v3_add(spin, v3_scale(x.of->mass, v3_cross(c, u)));
        out->angular_momentum = v3_add(out->angular_momentum, v3_add(spin, v3_cross(pose.p, p)));
    }
    for (int e = 0; e < b->element_count; e++) {
        lmb_beam_state s = element_state(at, e);
        out->elastic += lmb_beam_energy(kind_of(at->body), &b->elements[e], &s);
    }
}

static double loss(const lmb_body_at *at)
{
    const lmb_exact_beam *b = own(at->body);
    double sum = 0;
    for (int e = 0; e < b->element_count && b->damping > 0; e++) {
        lmb_beam_state s = element_state(at, e);
        sum += lmb_beam_loss(kind_of(at->body), &b->elements[e], &s);
    }
    return sum;
}

/* --- the highest frequency -------------------------------------------------------------------- */

/* The largest eigenvalue of K x = value M x of an element in its undeformed shape, with half of the
 * mass of the nodes that it shares (blocks: of all nodes). As the parts of M add up to all of it,
 * no vibration of the beam is faster than that of its fastest element (Rayleigh). Negative: not
 * found.
 */
static double fastest_of(const lmb_body_at *at, int e, const double *blocks)
{
    enum { MOST = 6 * LMB_BEAM_NODES };
    const lmb_exact_beam *b = own(at->body);
    int n = v_size(at->body), all = n * (b->order + 1);
    double K[MOST * MOST], M[MOST * MOST], values[MOST];
    lmb_beam_state s = element_state(at, e);
    memset(s.v, 0, sizeof s.v);
    kind_of(at->body)->tangent(&b->elements[e], &s, K, M);
    memset(M, 0, sizeof M);
    for (int i = 0; i <= b->order; i++) {
        int node = lmb_exact_beam_node(b, e, i);
        bool end = !b->closed && (node == 0 || node == b->node_count - 1);
        double part = end || (i > 0 && i < b->order) ? 1 : 0.5;
        for (int j = 0; j < n; j++)
            lmb_small_add(M + (n * i + j) * all + n * i, part, blocks + (n * node + j) * n, n);
    }
    return lmb_dense_symmetric_general(all, K, M, values) ? values[all - 1] : -1;
}

static double highest_frequency(const lmb_body *body)
{
    const lmb_exact_beam *b = own(body);
    size_t count = (size_t)b->node_count, n = (size_t)v_size(body);
    lmb_arena *arena = lmb_arena_new();
    double *q = lmb_arena_numbers(arena, count * (size_t)q_size(body));
    double *v = lmb_arena_numbers(arena, count * n),
           *blocks = lmb_arena_numbers(arena, count * n * n);
    double largest = 0;
    bool fine = lmb_arena_fine(arena);
    if (fine) {
        lmb_frame pose = frame_identity();
        lmb_body_at at = {.body = body, .q = q, .v = v, .pose = pose};
        place(body, &pose, q);
        mass(&at, blocks);
        for (int e = 0; fine && e < b->element_count; e++) {
            double one = fastest_of(&at, e, blocks);
            fine = one >= 0;
            largest = fmax(largest, one);
        }
    }
    lmb_arena_free(arena);
    return fine ? sqrt(largest) : -1;
}

#define OPERATIONS                                                                                 \
    LMB_BODY_OPERATIONS, .turns = true, .place = place, .tangent = tangent,                        \
                         .marker_nodes = marker_nodes, .mass_times = mass_times, .loss = loss,     \
                         .highest_frequency = highest_frequency, .line = own

const lmb_body_ops lmb_body_exact_beam = {OPERATIONS, .kind = "exact beam"};
const lmb_body_ops lmb_body_exact_beam_planar = {OPERATIONS, .kind = "planar exact beam"};
