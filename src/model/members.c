/* Places on the members of a framework. The nodes of a member, in their order, are a set with its
 * name (fe/framework.h); its elements go from each to the next. */
#include <string.h>

#include "bodies/flexible.h"
#include "model/builder.h"
#include "model/flexible_part.h"

/* A member of a reduced body. */
typedef struct member {
    const char *name;
    const lmb_body *body;
    const lmb_body_data *data;
    const int *nodes; /* count */
    int count;
    int *lines;    /* count - 1 */
    double *start; /* count: arc length */
    bool ring;
} member;

/* --- finding it ------------------------------------------------------------------------------- */

static lmb_status unknown_member(lmb_builder *r, const lmb_body *b, const lmb_value *v)
{
    const lmb_body_data *d = lmb_body_data_of(b);
    lmb_nearest nearest = lmb_nearest_start(v->text);
    for (int i = 0; i < d->set_count; i++)
        if (d->set_start[i + 1] - d->set_start[i] > 1)
            lmb_nearest_try(&nearest, d->set_name[i]);
    lmb_fail_at(r->context, v->place, "body '%s' has no member '%s'", b->name, v->text);
    return d->set_count ? lmb_nearest_hint(r->context, &nearest)
                        : lmb_hint(r->context, "members are those of a 'framework'");
}

/* The line from one node to another; the search begins after the last one that was found. */
static int find_line(const lmb_body_data *d, int from, int to, int last)
{
    for (int i = 1; i <= d->line_count; i++) {
        int line = (last + i) % d->line_count;
        if (d->lines[2 * line] == from && d->lines[2 * line + 1] == to)
            return line;
    }
    return -1;
}

/* Whether a set of nodes is a member that goes through a node. */
static bool goes_through(const lmb_body_data *d, int set, int node)
{
    int first = d->set_start[set], last = d->set_start[set + 1] - 1, line = -1;
    bool found = d->set_node[last] == node;
    for (int i = first; i < last; i++) {
        found |= d->set_node[i] == node;
        line = find_line(d, d->set_node[i], d->set_node[i + 1], line);
        if (line < 0)
            return false;
    }
    return found && last > first;
}

int lmb_members_at(const lmb_body_data *d, int node)
{
    int count = 0;
    for (int i = 0; d->line_count > 0 && i < d->set_count; i++)
        count += goes_through(d, i, node);
    return count;
}

static lmb_status find_member(lmb_builder *r, const lmb_body *b, const lmb_value *v, member *m)
{
    const lmb_body_data *d = lmb_body_data_of(b);
    int set = 0, last = -1;
    if (d->line_count == 0)
        return unknown_member(r, b, v);
    while (set < d->set_count && strcmp(d->set_name[set], v->text) != 0)
        set++;
    if (set == d->set_count || d->set_start[set + 1] - d->set_start[set] < 2)
        return unknown_member(r, b, v);
    const int *nodes = d->set_node + d->set_start[set];
    int count = d->set_start[set + 1] - d->set_start[set];
    *m = (member){.name = v->text,
                  .body = b,
                  .data = d,
                  .nodes = nodes,
                  .count = count,
                  .lines = lmb_arena_integers(r->arena, (size_t)count),
                  .start = lmb_arena_numbers(r->arena, (size_t)count),
                  .ring = nodes[0] == nodes[count - 1]};
    if (!m->lines || !m->start)
        return lmb_fail_memory(r->context);
    for (int i = 0; i + 1 < count; i++) {
        vec3 along = v3_sub(d->reduced->x[nodes[i + 1]], d->reduced->x[nodes[i]]);
        m->start[i + 1] = m->start[i] + v3_norm(along);
        m->lines[i] = last = find_line(d, nodes[i], nodes[i + 1], last);
        if (last < 0)
            return unknown_member(r, b, v); /* a set of a mesh */
    }
    return LMB_OK;
}

/* --- a place on it ---------------------------------------------------------------------------- */

/* By the distance along it, where a node must be. */
static lmb_status find_distance(lmb_builder *r, const member *m, const lmb_place_keys *k, int *out)
{
    const lmb_value *v = k->fraction.given ? &k->fraction : &k->arc_length;
    double length = m->start[m->count - 1], unit = k->fraction.given ? length : 1;
    double s = v->number * unit;
    const char *name = k->fraction.given ? "fraction" : "arc_length";
    if (!(s >= -1e-9 * length && s <= length * (1 + 1e-9)))
        return lmb_fail_at(r->context, v->place, "'%s' must be from 0 to %.9g, not %g", name,
                           length / unit, v->number);
    int next = 0;
    while (next < m->count - 1 && m->start[next] < s - 1e-6 * length)
        next++;
    *out = next;
    if (fabs(m->start[next] - s) <= 1e-6 * length)
        return LMB_OK;
    lmb_fail_at(r->context, v->place, "member '%s' has no node at the %s %g", m->name, name,
                v->number);
    return lmb_hint(r->context, "it has some at %.9g and %.9g; more 'elements' make more",
                    m->start[next - 1] / unit, m->start[next] / unit);
}

/* By a node, which must be on it. */
static lmb_status find_node(lmb_builder *r, const member *m, const lmb_place_keys *k, int *out)
{
    const lmb_reduced *x = m->data->reduced;
    const lmb_nodes all = {m->body->name, x->x, x->number, x->node_count, x->origin};
    int node = 0;
    lmb_status status =
        k->node.given
            ? lmb_body_node(&r->reader, m->body->name, lmb_body_data_of(m->body), &k->node, &node)
            : lmb_nodes_at(&all, r->context, k->at.place, k->at.vector, &node);
    if (status)
        return status;
    for (*out = 0; *out < m->count; ++*out)
        if (m->nodes[*out] == node)
            return LMB_OK;
    return lmb_fail_at(r->context, (k->node.given ? &k->node : &k->at)->place,
                       "node %d of body '%s' is not on member '%s'", x->number[node], m->body->name,
                       m->name);
}

/* The ends of its elements at one of its nodes. */
static lmb_status take_ends(lmb_builder *r, const member *m, const lmb_value *side, int at,
                            lmb_probe *out)
{
    int last = m->count - 1;
    bool end = m->ring && (at == 0 || at == last);
    int before = end ? last - 1 : at - 1, after = end ? 0 : at < last ? at : -1;
    int ends[2] = {before < 0 ? -1 : 2 * m->lines[before] + 1,
                   after < 0 ? -1 : 2 * m->lines[after]};
    if (side->given && ((side->choice == LMB_SIDE_BEFORE && ends[0] < 0) ||
                        (side->choice == LMB_SIDE_AFTER && ends[1] < 0)))
        return lmb_fail_at(r->context, side->place, "member '%s' %s there", m->name,
                           ends[0] < 0 ? "starts" : "ends");
    bool both = ends[0] >= 0 && ends[1] >= 0;
    bool straight = both && lmb_lines_go_on(m->data, ends[0], ends[1]);
    if (side->given && side->choice == LMB_SIDE_MEAN && both && !straight) {
        lmb_fail_at(r->context, side->place,
                    "member '%s' has a corner there: its sections have no mean", m->name);
        return lmb_hint(r->context, "give 'side: before' or 'side: after'");
    }
    for (int i = 0; i < 2; i++) {
        bool other = side->given && side->choice == (i ? LMB_SIDE_BEFORE : LMB_SIDE_AFTER);
        if (ends[i] >= 0 && !other && (i == 0 || straight || !both || side->given))
            out->places[out->count++] = ends[i];
    }
    return LMB_OK;
}

lmb_status lmb_find_member_probe(lmb_builder *r, int body, const lmb_place_keys *k, bool several,
                                 lmb_place place, lmb_probe *out)
{
    const lmb_body *b = &r->model->bodies[body];
    int given = k->node.given + k->at.given + k->fraction.given + k->arc_length.given, at = 0;
    member m = {0};
    if (k->nodes.given)
        return lmb_fail_at(r->context, k->nodes.place, "give either 'member' or 'nodes'");
    if (given > 1 || (given == 0 && !several))
        return lmb_fail_at(r->context, place, "give one of node, at and fraction on the member");
    if (given == 0 && k->side.given)
        return lmb_fail_at(r->context, k->side.place, "'side' is that of a place on the member");
    lmb_status status = find_member(r, b, &k->member, &m);
    if (status)
        return status;
    out->beam = true;
    out->places = lmb_arena_integers(r->arena, 2 * (size_t)m.count);
    if (!out->places)
        return lmb_fail_memory(r->context);
    if (given == 0) {
        out->largest = true;
        for (int i = 0; i < 2 * (m.count - 1); i++)
            out->places[out->count++] = 2 * m.lines[i / 2] + i % 2;
        return LMB_OK;
    }
    status = k->node.given || k->at.given ? find_node(r, &m, k, &at) : find_distance(r, &m, k, &at);
    return status ? status : take_ends(r, &m, &k->side, at, out);
}
