/* What a body is made of: collecting its nodes and clusters. */
#include "bodies/body.h"

/* Makes room for one more element; false: out of memory. */
static bool grow(lmb_structure *s, void **array, int count, int *room, size_t size)
{
    if (count < *room)
        return true;
    int larger = *room ? 2 * *room : 4;
    void *grown = lmb_arena_grow(s->arena, *array, (size_t)count, (size_t)larger, size);
    if (!grown) {
        s->failed = true;
        return false;
    }
    *array = grown;
    *room = larger;
    return true;
}

lmb_node *lmb_structure_node(lmb_structure *s, lmb_node_kind kind, int n, int cluster)
{
    void *nodes = s->nodes;
    if (!grow(s, &nodes, s->node_count, &s->node_room, sizeof *s->nodes))
        return &s->spare;
    s->nodes = nodes;
    lmb_node *node = &s->nodes[s->node_count++];
    *node = (lmb_node){.kind = kind, .nq = n, .nv = n, .cluster = cluster};
    if (kind == LMB_NODE_PLANE)
        node->nq = node->nv = 3;
    if (kind == LMB_NODE_SPACE) {
        node->nq = 7;
        node->nv = 6;
    }
    return node;
}

void lmb_structure_couple(lmb_structure *s, int row, int column)
{
    void *pairs = s->pairs;
    if (!grow(s, &pairs, s->pair_count, &s->pair_room, sizeof *s->pairs))
        return;
    s->pairs = pairs;
    s->pairs[s->pair_count++] = (lmb_pair_of_clusters){row, column};
}

bool lmb_body_structure(lmb_body *b, int dimension, lmb_structure *s)
{
    b->ops->structure(b, dimension, s);
    if (s->failed)
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
