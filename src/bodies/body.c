/* What a body is made of: collecting its nodes and clusters; what kinds of bodies share. */
#include "bodies/body.h"

lmb_node *lmb_structure_node(lmb_structure *s, lmb_node_kind kind, int n, int cluster)
{
    lmb_node *nodes = lmb_arena_append(s->arena, s->nodes, s->node_count, sizeof *nodes);
    if (!nodes)
        return &s->spare;
    s->nodes = nodes;
    bool plane = kind == LMB_NODE_PLANE, space = kind == LMB_NODE_SPACE;
    lmb_node *node = &nodes[s->node_count++];
    *node = (lmb_node){.kind = kind,
                       .nq = plane   ? 3
                             : space ? 7
                                     : n,
                       .nv = plane   ? 3
                             : space ? 6
                                     : n,
                       .cluster = cluster};
    return node;
}

void lmb_structure_couple(lmb_structure *s, int row, int column)
{
    lmb_pair_of_clusters *pairs =
        lmb_arena_append(s->arena, s->pairs, s->pair_count, sizeof *pairs);
    if (!pairs)
        return;
    s->pairs = pairs;
    pairs[s->pair_count++] = (lmb_pair_of_clusters){row, column};
}

bool lmb_body_structure(lmb_body *b, int dimension, lmb_structure *s)
{
    b->ops->structure(b, dimension, s);
    if (!lmb_arena_fine(s->arena))
        return false;
    b->nodes = s->nodes;
    b->node_count = s->node_count;
    b->cluster_count = b->nq = b->nv = 0;
    for (int k = 0; k < b->node_count; k++) {
        b->nodes[k].q = b->q + b->nq;
        b->nodes[k].v = b->v + b->nv;
        b->nq += b->nodes[k].nq;
        b->nv += b->nodes[k].nv;
        if (b->nodes[k].cluster >= b->cluster_count)
            b->cluster_count = b->nodes[k].cluster + 1;
    }
    b->row_count = b->ops->rows ? b->ops->rows->count(b) : 0;
    b->nz = b->ops->states ? b->ops->states->count(b) : 0;
    return true;
}

void lmb_rigid_place(const lmb_body *b, const lmb_frame *pose, double *q)
{
    mat3 R = frame_rotation(pose);
    lmb_node_place(&b->nodes[0], pose->p, &R, b->angle, q);
}

lmb_balance lmb_rigid_balance(const lmb_body_at *at, vec3 gravity, vec3 rdot, vec3 omega, vec3 spin)
{
    double m = at->body->mass;
    lmb_balance out = {.kinetic = m * v3_dot(rdot, rdot) / 2 + v3_dot(omega, spin) / 2,
                       .potential = -m * v3_dot(gravity, at->pose.p),
                       .momentum = v3_scale(m, rdot)};
    out.angular_momentum = v3_add(v3_cross(at->pose.p, out.momentum), spin);
    return out;
}

lmb_body_likeness lmb_body_compare(const lmb_body *a, const lmb_body *b)
{
    bool plain = a->ops == b->ops && (a->ops == &lmb_body_ground || a->ops == &lmb_body_particle ||
                                      a->ops == &lmb_body_planar || a->ops == &lmb_body_rigid);
    bool same = a->mass == b->mass;
    for (int j = 0; j < 3; j++) {
        vec3 x = a->inertia.c[j], y = b->inertia.c[j];
        same = same && x.x == y.x && x.y == y.y && x.z == y.z;
    }
    return (lmb_body_likeness){plain && same, plain};
}
