/* What nodes and members of a framework make of each other; see framework_read.h. */
#include "model/framework_read.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fe/beam.h"

/* Nodes nearer than this part of the framework's size are at the same place; a node nearer to a
 * span than this part of its length looks as if it were meant to be on it. */
#define SAME 1e-9
#define TOGETHER 1e-6
#define NEAR 1e-3

/* A framework with where its nodes and members stand in the file. */
typedef struct checking {
    lmb_context *context;
    const lmb_framework *f;
    const lmb_tree *nodes, *members;
    double size;
} checking;

/* The place of a node in the list of a member. */
static lmb_place place_on(const checking *c, int member, int i)
{
    return lmb_member_nodes(c->members->items[member])->items[i]->place;
}

/* --- spans ------------------------------------------------------------------------------------ */

static lmb_status check_span(const checking *c, int member, int span)
{
    const lmb_framework *f = c->f;
    const lmb_framework_member *m = &f->members[member];
    int a = m->nodes[span], b = m->nodes[span + 1];
    lmb_place place = place_on(c, member, span + 1);
    mat3 axes;
    if (a == b)
        return lmb_fail_at(c->context, place, "member '%s' goes from '%s' to itself", m->name,
                           f->names[a]);
    if (!(lmb_framework_span(f, member, span) > SAME * c->size))
        return lmb_fail_at(c->context, place,
                           "member '%s' has no length: nodes '%s' and '%s' are at the same place",
                           m->name, f->names[a], f->names[b]);
    if (f->dimension == 3 &&
        !lmb_section_axes(v3_sub(f->points[b], f->points[a]), m->section.y_axis, &axes)) {
        lmb_fail_at(c->context, place, "'y_axis' of member '%s' is along it, from '%s' to '%s'",
                    m->name, f->names[a], f->names[b]);
        return lmb_hint(c->context, "it is a direction across the member");
    }
    return LMB_OK;
}

/* A span by its two nodes, the smaller number first. */
typedef struct span {
    int low, high, member, place;
} span;

static int by_nodes(const void *x, const void *y)
{
    const span *a = x, *b = y;
    const int keys[][2] = {
        {a->low, b->low}, {a->high, b->high}, {a->member, b->member}, {a->place, b->place}};
    for (int i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* No two beams between the same two nodes. */
static lmb_status check_twice(const checking *c, span *spans, size_t count)
{
    const lmb_framework *f = c->f;
    qsort(spans, count, sizeof *spans, by_nodes);
    lmb_status status = LMB_OK;
    for (size_t i = 1; i < count; i++) {
        const span *a = &spans[i - 1], *b = &spans[i];
        if (a->low != b->low || a->high != b->high)
            continue;
        status = lmb_fail_at(c->context, place_on(c, b->member, b->place + 1),
                             "member '%s' goes between '%s' and '%s' as member '%s' does",
                             f->members[b->member].name, f->names[b->low], f->names[b->high],
                             f->members[a->member].name);
    }
    return status;
}

static lmb_status check_spans(const checking *c)
{
    const lmb_framework *f = c->f;
    size_t count = 0;
    lmb_status status = LMB_OK;
    for (int m = 0; m < f->member_count; m++)
        count += (size_t)f->members[m].node_count - 1;
    span *spans = lmb_malloc((count + 1) * sizeof *spans), *next = spans;
    if (!spans)
        return lmb_fail_memory(c->context);
    for (int m = 0; m < f->member_count; m++)
        for (int i = 0; i + 1 < f->members[m].node_count; i++) {
            int a = f->members[m].nodes[i], b = f->members[m].nodes[i + 1];
            *next++ = (span){a < b ? a : b, a < b ? b : a, m, i};
            if (check_span(c, m, i))
                status = LMB_BAD_INPUT;
        }
    if (!status)
        status = check_twice(c, spans, count);
    free(spans);
    return status;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static lmb_status check_used(const checking *c)
{
    const lmb_framework *f = c->f;
    bool *used = lmb_calloc((size_t)f->node_count + 1, sizeof *used);
    if (!used)
        return lmb_fail_memory(c->context);
    for (int m = 0; m < f->member_count; m++)
        for (int i = 0; i < f->members[m].node_count; i++)
            used[f->members[m].nodes[i]] = true;
    lmb_status status = LMB_OK;
    for (int i = 0; i < f->node_count; i++)
        if (!used[i]) {
            status = lmb_fail_at(c->context, c->nodes->keys[i]->place,
                                 "node '%s' belongs to no member", f->names[i]);
            lmb_hint(c->context, "name it in 'between' or 'along' of one, or leave it out");
        }
    free(used);
    return status;
}

/* Two nodes at one place are not joined. */
static void warn_together(const checking *c)
{
    const lmb_framework *f = c->f;
    for (int i = 1; i < f->node_count; i++)
        for (int k = 0; k < i; k++) {
            if (v3_norm(v3_sub(f->points[i], f->points[k])) > TOGETHER * c->size)
                continue;
            lmb_warn_at(c->context, c->nodes->keys[i]->place,
                        "nodes '%s' and '%s' are at the same place, but not joined", f->names[k],
                        f->names[i]);
            lmb_hint(c->context, "members are joined at nodes that they share");
            break;
        }
}

/* Whether a point lies between two others, not at one of them. */
static bool is_between(vec3 x, vec3 a, vec3 b)
{
    vec3 along = v3_sub(b, a), from = v3_sub(x, a);
    double length = v3_norm(along), s = v3_dot(from, along) / (length * length);
    vec3 off = v3_axpy(from, -s, along);
    return s > NEAR && s < 1 - NEAR && v3_norm(off) < NEAR * length;
}

static bool is_on(const lmb_framework_member *m, int node)
{
    for (int i = 0; i < m->node_count; i++)
        if (m->nodes[i] == node)
            return true;
    return false;
}

/* A node on a member that does not go through it is not joined to it. */
static void warn_near(const checking *c)
{
    const lmb_framework *f = c->f;
    for (int n = 0; n < f->node_count; n++)
        for (int k = 0; k < f->member_count; k++) {
            const lmb_framework_member *m = &f->members[k];
            for (int i = 0; i + 1 < m->node_count; i++) {
                int a = m->nodes[i], b = m->nodes[i + 1];
                if (!is_between(f->points[n], f->points[a], f->points[b]) || is_on(m, n))
                    continue;
                lmb_warn_at(c->context, c->nodes->keys[n]->place,
                            "node '%s' lies on member '%s', but is not joined to it", f->names[n],
                            m->name);
                lmb_hint(c->context, "if it is to be, let '%s' run 'along: [.., %s, %s, %s, ..]'",
                         m->name, f->names[a], f->names[n], f->names[b]);
            }
        }
}

/* All members hang together. */
static lmb_status check_whole(const checking *c)
{
    const lmb_framework *f = c->f;
    int *part = lmb_malloc(((size_t)f->node_count + 1) * sizeof *part);
    if (!part)
        return lmb_fail_memory(c->context);
    int parts = lmb_framework_parts(f, part), first = part[f->members[0].nodes[0]], apart = 0;
    while (parts > 1 && part[f->members[apart].nodes[0]] == first)
        apart++;
    free(part);
    if (parts == 1)
        return LMB_OK;
    lmb_fail_at(c->context, c->members->keys[apart]->place,
                "the framework falls into %d parts: nothing joins member '%s' to member '%s'",
                parts, f->members[apart].name, f->members[0].name);
    return lmb_hint(c->context, "members are joined at nodes that they share");
}

lmb_status lmb_framework_check(lmb_context *context, const lmb_framework *f, const lmb_tree *nodes,
                               const lmb_tree *members)
{
    checking c = {context, f, nodes, members, v3_spread(f->points, f->node_count)};
    lmb_status status = check_spans(&c);
    if (status || (status = check_used(&c)))
        return status;
    warn_together(&c);
    warn_near(&c);
    return check_whole(&c);
}
