/* Coordinates of nodes: the tangent operator of the exponential, transport, names, places. */
#include "frames/node.h"

#include "base/format.h"

/* Right tangent of the exponential: 1 - (1 - cos x)/x^2 r~ + (x - sin x)/x^3 r~^2, x = |r|. */
void lmb_node_tangent(const lmb_node *node, const double *d, double T[LMB_TURN_NUMBERS])
{
    (void)node;
    vec3 r = v3_of(d + LMB_TURN_FIRST);
    double x2 = v3_dot(r, r), x = sqrt(x2), b, c;
    if (x2 < 1e-4) { /* series to 1e-16 */
        b = 0.5 - x2 / 24 * (1 - x2 / 30 * (1 - x2 / 56));
        c = 1.0 / 6 - x2 / 120 * (1 - x2 / 42 * (1 - x2 / 72));
    } else {
        b = (1 - cos(x)) / x2;
        c = (x - sin(x)) / (x2 * x);
    }
    mat3 axes = m3_identity();
    for (int j = 0; j < 3; j++) {
        vec3 once = v3_cross(r, axes.c[j]), twice = v3_cross(r, once);
        node_put(T + 3 * j, v3_axpy(v3_axpy(axes.c[j], -b, once), c, twice));
    }
}

/* A turn eps before exp(d) is the turn exp(-d) eps after it. */
void lmb_node_transport(const lmb_node *node, const double *d, const double *w, double *out)
{
    memmove(out, w, (size_t)node->nv * sizeof *out);
    if (!lmb_node_turns(node))
        return;
    mat3 R = quat_matrix(quat_exp(v3_of(d + LMB_TURN_FIRST)));
    node_put(out + LMB_TURN_FIRST, m3_tmul(&R, v3_of(w + LMB_TURN_FIRST)));
}

void lmb_node_turn_by_taylor(const lmb_node *node, const double *q, double h, const double *v,
                             const double *a, double *out)
{
    if (!lmb_node_turns(node))
        return;
    vec3 w = v3_of(v + 3), wdot = v3_of(a + 3);
    mat3 turn = m3_identity();
    for (int j = 0; j < 3; j++) {
        vec3 e = turn.c[j], once = v3_cross(w, e);
        vec3 second = v3_add(v3_cross(w, once), v3_cross(wdot, e));
        turn.c[j] = v3_axpy(v3_axpy(e, h, once), h * h / 2, second);
    }
    node_put_quat(out, quat_normalised(quat_mul(node_quat(q), quat_from_matrix(&turn))));
}

void lmb_node_name(const lmb_node *node, int j, char *buffer, size_t size)
{
    static const char *const plane[] = {"x", "y", "angle"};
    static const char *const space[] = {"x", "y", "z", "wx", "wy", "wz"};
    static const char *const flat[] = {"x", "y", "ux", "uy"};
    const char *label = node->label ? node->label : "", *dot = node->label ? "." : "";
    if (node->kind == LMB_NODE_NATURAL && !lmb_natural_in_plane(node) && j >= 3)
        lmb_snprintf(buffer, size, "%s%se%d%c", label, dot, j / 3, "xyz"[j % 3]);
    else if (node->kind == LMB_NODE_NATURAL)
        lmb_snprintf(buffer, size, "%s%s%s", label, dot,
                     lmb_natural_in_plane(node) ? flat[j] : space[j]);
    else if (node->kind == LMB_NODE_VECTOR && node->class == LMB_CLASS_MODE)
        lmb_snprintf(buffer, size, "%s%smode%d", label, dot, j + 1);
    else if (node->kind == LMB_NODE_VECTOR && node->nv > 3)
        lmb_snprintf(buffer, size, "%s%sx%d", label, dot, j + 1);
    else
        lmb_snprintf(buffer, size, "%s%s%s", label, dot,
                     node->kind == LMB_NODE_PLANE ? plane[j] : space[j]);
}

void lmb_node_place(const lmb_node *node, vec3 p, const mat3 *R, double angle, double *q)
{
    switch (node->kind) {
    case LMB_NODE_SPACE:
        node_put(q, p);
        node_put_quat(q, quat_from_matrix(R));
        break;
    case LMB_NODE_PLANE: {
        double turned = atan2(R->c[0].y, R->c[0].x);
        q[0] = p.x;
        q[1] = p.y;
        q[2] = turned + 2 * LMB_PI * round((angle - turned) / (2 * LMB_PI));
        break;
    }
    case LMB_NODE_NATURAL: {
        const lmb_frame pose = frame_with_axes(p, R);
        node_put(q, p); /* in the plane u comes over z */
        if (lmb_natural_in_plane(node)) {
            q[2] = pose.e[0].x;
            q[3] = pose.e[0].y;
        } else {
            for (int i = 0; i < 3; i++)
                node_put(q + 3 + 3 * i, pose.e[i]);
        }
        break;
    }
    case LMB_NODE_VECTOR:
        for (int i = 0; i < node->nq && i < 3; i++)
            q[i] = v3_get(p, i);
    }
}
