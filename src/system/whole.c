/* Rigid motions of bodies of several nodes, in terms of their first node. */
#include "system/whole.h"

#include <string.h>

/* Whether a node of a body can follow the first one. */
static bool follows(const lmb_model *m, const lmb_node *node)
{
    bool point = node->kind == LMB_NODE_VECTOR && node->class == LMB_CLASS_LENGTH &&
                 node->nv == m->dimension;
    return point || node->kind != LMB_NODE_VECTOR;
}

int lmb_whole_leader(const lmb_model *m, int node)
{
    const lmb_node *first = m->bodies[m->nodes[node].body].nodes;
    bool led = first->kind != LMB_NODE_VECTOR && follows(m, &m->nodes[node]);
    return led ? (int)(first - m->nodes) : node;
}

bool lmb_whole_exists(const lmb_model *m)
{
    for (int i = 0; i < m->node_count; i++)
        if (lmb_whole_leader(m, i) != i)
            return true;
    return false;
}

/* --- nodes as frames and twists --------------------------------------------------------------- */

static vec3 point_of(const lmb_model *m, const lmb_node *node, const double *q)
{
    return v3(q[node->q], q[node->q + 1], m->dimension == 3 ? q[node->q + 2] : 0);
}

static void put_point(const lmb_model *m, const lmb_node *node, vec3 p, double *q)
{
    for (int i = 0; i < m->dimension; i++)
        q[node->q + i] = v3_get(p, i);
}

static mat3 rotation_of(const lmb_node *node, const double *q)
{
    lmb_frame pose = lmb_space_pose(q + node->q);
    return frame_rotation(&pose);
}

static lmb_frame natural_pose(const lmb_node *node, const double *q)
{
    return lmb_natural_pose(lmb_natural_in_plane(node), q + node->q);
}

/* The angular velocity in global axes out of the numbers of a node with a frame. */
static vec3 angular_of(const lmb_node *node, const double *q, const double *x)
{
    if (node->kind == LMB_NODE_PLANE)
        return v3(0, 0, x[2]);
    if (node->kind == LMB_NODE_NATURAL) {
        lmb_frame pose = natural_pose(node, q),
                  rate = lmb_natural_rate(lmb_natural_in_plane(node), x);
        return frame_angular(&pose, &rate);
    }
    mat3 R = rotation_of(node, q);
    return m3_mul(&R, v3_of(x + LMB_TURN_FIRST));
}

static void put_angular(const lmb_node *node, const double *q, vec3 w, double *x)
{
    if (node->kind == LMB_NODE_PLANE)
        x[2] = w.z;
    if (node->kind == LMB_NODE_NATURAL) { /* edot = w x e */
        lmb_frame pose = natural_pose(node, q);
        int axes = lmb_natural_in_plane(node) ? 1 : 3, size = axes == 1 ? 2 : 3;
        for (int i = 0; i < axes; i++)
            for (int k = 0; k < size; k++)
                x[size * (1 + i) + k] = v3_get(v3_cross(w, pose.e[i]), k);
    }
    if (node->kind != LMB_NODE_SPACE)
        return;
    mat3 R = rotation_of(node, q);
    node_put(x + LMB_TURN_FIRST, m3_tmul(&R, w));
}

static vec3 linear_of(const lmb_model *m, const double *x)
{
    return v3(x[0], x[1], m->dimension == 3 ? x[2] : 0);
}

static void put_linear(const lmb_model *m, vec3 u, double *x)
{
    for (int i = 0; i < m->dimension; i++)
        x[i] = v3_get(u, i);
}

/* --- velocities, forces, accelerations -------------------------------------------------------- */

void lmb_whole_rate(const lmb_state *s, int i, const double *x0, double *x)
{
    const lmb_model *m = s->model;
    const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
    if (node == first) {
        memmove(x, x0, (size_t)node->nv * sizeof *x);
        return;
    }
    vec3 w = angular_of(first, s->q, x0);
    vec3 arm = v3_sub(point_of(m, node, s->q), point_of(m, first, s->q));
    put_linear(m, v3_add(linear_of(m, x0), v3_cross(w, arm)), x);
    put_angular(node, s->q, w, x);
}

void lmb_whole_follow(const lmb_state *s, double *x)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->node_count; i++)
        lmb_whole_rate(s, i, x + m->nodes[lmb_whole_leader(m, i)].v, x + m->nodes[i].v);
}

void lmb_whole_reduce(const lmb_state *s, const double *g, double *out)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->node_count; i++)
        lmb_whole_load(s, i, 0, m->nodes[i].nv, g + m->nodes[i].v,
                       out + m->nodes[lmb_whole_leader(m, i)].v);
}

void lmb_whole_load(const lmb_state *s, int i, int from, int n, const double *g, double *out)
{
    const lmb_model *m = s->model;
    const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
    double all[6] = {0};
    if (node == first) {
        for (int j = 0; j < n; j++)
            out[from + j] += g[j];
        return;
    }
    memcpy(all + from, g, (size_t)n * sizeof *g);
    vec3 force = linear_of(m, all), moment = {0, 0, 0};
    if (node->kind == LMB_NODE_PLANE)
        moment.z = all[2];
    if (node->kind == LMB_NODE_SPACE) {
        mat3 R = rotation_of(node, s->q);
        moment = m3_mul(&R, v3_of(all + LMB_TURN_FIRST));
    }
    vec3 arm = v3_sub(point_of(m, node, s->q), point_of(m, first, s->q));
    moment = v3_add(moment, v3_cross(arm, force));
    for (int j = 0; j < m->dimension; j++)
        out[j] += v3_get(force, j);
    if (first->kind == LMB_NODE_PLANE) {
        out[2] += moment.z;
        return;
    }
    mat3 R = rotation_of(first, s->q);
    moment = m3_tmul(&R, moment);
    for (int j = 0; j < LMB_TURN_COUNT; j++)
        out[LMB_TURN_FIRST + j] += v3_get(moment, j);
}

vec3 lmb_whole_angular(const lmb_state *s, const lmb_node *node, const double *x)
{
    return angular_of(node, s->q, x + node->v);
}

void lmb_whole_turn(const lmb_state *s, const double *x, bool back, double *out)
{
    const lmb_model *m = s->model;
    memcpy(out, x, (size_t)m->nv * sizeof *out);
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
        if (node == first)
            continue;
        quat turn = first->kind == LMB_NODE_PLANE ? quat_exp(v3(0, 0, s->q[first->q + 2]))
                                                  : node_quat(s->q + first->q);
        mat3 R = quat_matrix(turn);
        vec3 u = linear_of(m, x + node->v);
        put_linear(m, back ? m3_tmul(&R, u) : m3_mul(&R, u), out + node->v);
    }
}

void lmb_whole_bias(const lmb_state *s, const double *u, double *a)
{
    const lmb_model *m = s->model;
    memset(a, 0, (size_t)m->nv * sizeof *a);
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
        if (node == first)
            continue;
        vec3 w = angular_of(first, s->q, s->v + first->v);
        vec3 arm = v3_sub(point_of(m, node, s->q), point_of(m, first, s->q));
        vec3 turned = v3_add(v3_cross(w, arm), v3_scale(2, linear_of(m, u + node->v)));
        put_linear(m, v3_cross(w, turned), a + node->v);
        if (node->kind == LMB_NODE_SPACE) {
            mat3 R = rotation_of(node, s->q);
            vec3 spin = v3_of(u + node->v + LMB_TURN_FIRST);
            node_put(a + node->v + LMB_TURN_FIRST, v3_cross(m3_tmul(&R, w), spin));
        }
    }
}

void lmb_whole_stiffness(const lmb_state *s, const double *rest, double *K, double *force)
{
    const lmb_model *m = s->model;
    const vec3 weightless = {0, 0, 0};
    memset(K, 0, (size_t)m->couple_values * sizeof *K);
    memset(force, 0, (size_t)m->nv * sizeof *force);
    for (int i = 1; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        int last = (int)(b->nodes - m->nodes) + b->node_count - 1;
        if (b->node_count < 2 || lmb_whole_leader(m, last) == last)
            continue;
        lmb_body_at at = s->bodies[i];
        at.v = rest;
        b->ops->force(&at, weightless, force + b->v);
        for (int w = 0; w < b->window_count; w++) {
            const lmb_couple *c = &m->couples[m->windows[b->window + w]];
            s->windows[w] = (lmb_window){K + c->value, s->tangent_v + c->value, c->row_nv};
        }
        if (b->ops->tangent)
            b->ops->tangent(&at, weightless, rest, s->windows);
    }
}

/* --- finite motions --------------------------------------------------------------------------- */

/* Moves node i from q0 as its leader has moved from q0 to q1. */
static void carry(const lmb_model *m, int i, const double *q0, double *q1)
{
    const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
    if (node == first)
        return;
    vec3 arm = v3_sub(point_of(m, node, q0), point_of(m, first, q0));
    if (first->kind == LMB_NODE_PLANE) {
        double turn = q1[first->q + 2] - q0[first->q + 2], c = cos(turn), s = sin(turn);
        arm = v3(c * arm.x - s * arm.y, s * arm.x + c * arm.y, 0);
        if (node->kind == LMB_NODE_PLANE)
            q1[node->q + 2] = q0[node->q + 2] + turn;
    } else {
        quat turn = quat_mul(node_quat(q1 + first->q), quat_conjugate(node_quat(q0 + first->q)));
        mat3 R = quat_matrix(turn);
        arm = m3_mul(&R, arm);
        if (node->kind == LMB_NODE_SPACE)
            node_put_quat(q1 + node->q, quat_normalised(quat_mul(turn, node_quat(q0 + node->q))));
    }
    put_point(m, node, v3_add(point_of(m, first, q1), arm), q1);
}

void lmb_whole_retract(lmb_state *s, const double *from, const double *d)
{
    lmb_retract(s, from, d);
    for (int i = 0; i < s->model->node_count; i++)
        carry(s->model, i, from, s->q);
}

/* A follower's velocity is split in that of its body, which turns its arm with it, and the rest. */
static void turn_follower(lmb_state *s, const double *q0, int i)
{
    const lmb_model *m = s->model;
    const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
    vec3 w = angular_of(first, q0, s->v + first->v);
    vec3 arm0 = v3_sub(point_of(m, node, q0), point_of(m, first, q0));
    vec3 arm1 = v3_sub(point_of(m, node, s->q), point_of(m, first, s->q));
    vec3 u = v3_add(linear_of(m, s->v + node->v), v3_cross(w, v3_sub(arm1, arm0)));
    put_linear(m, u, s->v + node->v);
}

void lmb_whole_turn_velocities(lmb_state *s, const double *q0)
{
    const lmb_model *m = s->model;
    for (int i = m->node_count - 1; i >= 0; i--) { /* followers stand after their leaders */
        const lmb_node *node = &m->nodes[i];
        if (lmb_whole_leader(m, i) != i)
            turn_follower(s, q0, i);
        if (lmb_node_turns(node) || node->kind == LMB_NODE_NATURAL) {
            vec3 w = angular_of(node, q0, s->v + node->v);
            put_angular(node, s->q, w, s->v + node->v);
        }
    }
}
