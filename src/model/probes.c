/* Find nodes of flexible bodies by the keys of a place, and read probes, which report stresses. */

#include <string.h>

#include "channels/stress_state.h"
#include "bodies/flexible.h"
#include "model/fields.h"
#include "model/flexible_part.h"

/* --- nodes ------------------------------------------------------------------------------------ */

#define KEY(member) LMB_KEY(lmb_place_keys, member)

const lmb_field lmb_probe_fields[] = {
    {KEY(node), LMB_FIELD_TREE, NULL, "The number or the name of a node.", .choices = "number"},
    {KEY(at), LMB_FIELD_VECTOR, "m",
     "Instead: where that node is, in the coordinates of the mesh; any place on a beam with large "
     "deformation."},
    {KEY(nodes), LMB_FIELD_TREE, NULL,
     "Instead: the mean over nodes of solids, the name of a set of the file or a list of numbers.",
     .choices = "node_set"},
    LMB_SELECTION_FIELDS(lmb_place_keys),
    {KEY(member), LMB_FIELD_TEXT, NULL,
     "Of a framework: the member that the place is on. Without a place: the largest stress of the "
     "whole member."},
    {KEY(side), LMB_FIELD_CHOICE, NULL,
     "With 'member': the section before or after the node, in the direction of the member, or the "
     "mean of both. Where other members are joined to it the two differ.",
     "mean; at a corner of the member that before it", .choices = LMB_SIDES},
    {KEY(fraction), LMB_FIELD_NUMBER, NULL,
     "Instead, of a member or a beam with large deformation: the part of its length before it, 0 "
     "to 1."},
    {KEY(arc_length), LMB_FIELD_NUMBER, "m",
     "Instead, of those: its distance from the start along the beam."},
    {0},
};

/* The nodes of a set or list, marked in `wanted`. */
static lmb_status mark_nodes(lmb_reader *r, const char *body, const lmb_body_data *d,
                             const lmb_tree *node, bool *wanted)
{
    if (node->kind == LMB_TREE_TEXT) {
        lmb_nearest nearest;
        int set =
            lmb_find_name(d->set_name, sizeof *d->set_name, d->set_count, node->text, &nearest);
        if (set >= 0) {
            for (int i = d->set_start[set]; i < d->set_start[set + 1]; i++)
                wanted[d->set_node[i]] = true;
            return LMB_OK;
        }
        if (strcmp(node->text, "all") == 0) {
            memset(wanted, true, (size_t)d->reduced->node_count);
            return LMB_OK;
        }
        lmb_fail_at(r->context, node->place, "body '%s' has no set of nodes '%s'", body,
                    node->text);
        lmb_hint(r->context, d->set_count ? "give a set of its file, or a list of node numbers"
                                          : "it has no named sets; give a list of node numbers");
        return lmb_nearest_hint(r->context, &nearest);
    }
    if (node->kind != LMB_TREE_LIST || node->count == 0)
        return lmb_fail_kind(r, node, "nodes", "the name of a set or a list of node numbers");
    lmb_nodes all = lmb_nodes_of(body, d);
    for (int i = 0; i < node->count; i++) {
        double number = 0;
        int at;
        if (lmb_read_number(r, node->items[i], "nodes", &number) ||
            lmb_nodes_number(&all, r->context, node->items[i]->place, number, &at))
            return LMB_BAD_INPUT;
        wanted[at] = true;
    }
    return LMB_OK;
}

/* Mark the nodes of a selection by geometry in `wanted`. */
static lmb_status mark_selection(lmb_reader *r, const char *body, const lmb_body_data *d,
                                 const lmb_selection_keys *k, bool *wanted)
{
    const lmb_selectable from = lmb_body_selectable(d);
    lmb_node_selection selection;
    int *list = lmb_arena_integers(r->arena, (size_t)from.count + 1), count = 0;
    lmb_status status =
        list ? lmb_read_node_selection(r, k, body, &selection) : lmb_fail_memory(r->context);
    if (!status)
        status = lmb_select_nodes(&selection, r->context, &from, list, &count);
    for (int i = 0; i < count; i++)
        wanted[list[i]] = true;
    return status;
}

lmb_status lmb_mark_place(lmb_reader *r, const char *body, const lmb_body_data *d,
                          const lmb_place_keys *k, bool *wanted, int *out)
{
    lmb_nodes all = lmb_nodes_of(body, d);
    lmb_status status = lmb_check_selection(r->context, &k->selection);
    if (status)
        return status;
    if (k->nodes.given)
        return mark_nodes(r, body, d, k->nodes.node, wanted);
    if (lmb_has_selection(&k->selection))
        return mark_selection(r, body, d, &k->selection, wanted);
    status = k->node.given ? lmb_body_node(r, body, d, &k->node, out)
                           : lmb_nodes_at(&all, r->context, k->at.place, k->at.vector, out);
    if (!status)
        wanted[*out] = true;
    return status;
}

/* --- places ----------------------------------------------------------------------------------- */

/* The ends of lines at a node: two that go on into each other, else the first one. */
static void find_ends(const lmb_body_data *d, int node, lmb_probe *p)
{
    int first = -1;
    p->beam = true;
    for (int i = 0; i < 2 * d->line_count && p->count < 2; i++) {
        if (d->lines[i] != node || (first >= 0 && !lmb_lines_go_on(d, first, i)))
            continue;
        first = first < 0 ? i : first;
        p->places[p->count++] = i;
    }
}

/* The places of the marked nodes of solids: one a node, where materials meet the first. */
static void find_places(const lmb_body_data *d, bool *wanted, lmb_probe *p)
{
    for (int i = 0; i < d->stress_count; i++) {
        if (!wanted[d->stress_node[i]])
            continue;
        wanted[d->stress_node[i]] = false;
        p->places[p->count++] = i;
    }
}

int lmb_place_ways(const lmb_place_keys *k)
{
    return k->node.given + k->at.given + k->nodes.given + lmb_has_selection(&k->selection);
}

static lmb_status fail_no_stress(lmb_builder *r, const lmb_body *b, lmb_place place)
{
    bool some = lmb_has_stress(lmb_body_data_of(b));
    lmb_fail_at(r->context, place, "body '%s' has no stresses%s", b->name, some ? " there" : "");
    return lmb_hint(r->context, some ? "nodes of its elements have some"
                                     : "they need elements with a material, and modes");
}

lmb_status lmb_find_probe(lmb_builder *r, int body, const lmb_place_keys *k, bool several,
                          lmb_place place, lmb_probe *out)
{
    const lmb_body *b = &r->model->bodies[body];
    const lmb_body_data *d = lmb_body_data_of(b);
    const lmb_value *length = k->fraction.given ? &k->fraction : &k->arc_length;
    *out = (lmb_probe){.body = body};
    if (k->member.given && d && lmb_has_stress(d))
        return lmb_find_member_probe(r, body, k, several, place, out);
    if (k->side.given && !k->member.given)
        return lmb_fail_at(r->context, k->side.place, "'side' is that of a 'member'");
    if (length->given) {
        lmb_fail_at(r->context, length->place, "body '%s' is reduced to modes and has no '%s'",
                    b->name, k->fraction.given ? "fraction" : "arc_length");
        return lmb_hint(r->context, "give a node, or the place of one: stresses are known there");
    }
    if (lmb_place_ways(k) != 1)
        return lmb_fail_at(r->context, place,
                           several ? "give one of node, at and nodes, or select nodes by geometry"
                                   : "give either 'node' or 'at'");
    if (!d || !lmb_has_stress(d))
        return fail_no_stress(r, b, place);
    size_t room = (size_t)d->reduced->node_count;
    bool *wanted = lmb_arena_alloc(r->arena, room + 1, sizeof *wanted);
    out->places = lmb_arena_integers(r->arena, room + 2);
    if (!wanted || !out->places)
        return lmb_fail_memory(r->context);
    int found = 0;
    lmb_status status = lmb_mark_place(&r->reader, b->name, d, k, wanted, &found);
    if (status)
        return status;
    find_places(d, wanted, out);
    bool one = k->node.given || k->at.given;
    if (out->count == 0 && one) {
        if (lmb_members_at(d, found) > 1) {
            lmb_fail_at(r->context, k->node.given ? k->node.place : k->at.place,
                        "several members of '%s' meet there", b->name);
            return lmb_hint(r->context, "say which is meant with 'member'");
        }
        find_ends(d, found, out);
    }
    if (out->count > 0)
        return LMB_OK;
    return fail_no_stress(r, b,
                          k->nodes.given  ? k->nodes.place
                          : k->node.given ? k->node.place
                          : k->at.given   ? k->at.place
                                          : place);
}

lmb_probe *lmb_add_probe(lmb_builder *r, const lmb_probe *probe)
{
    lmb_model *m = r->model;
    m->probes = lmb_arena_append(r->arena, m->probes, m->probe_count, sizeof *m->probes);
    if (!m->probes)
        return NULL;
    m->probes[m->probe_count] = *probe;
    return &m->probes[m->probe_count++];
}

/* --- the key of a body ------------------------------------------------------------------------ */

static lmb_status read_probe(lmb_reader *reader, const lmb_entry *e, void *body)
{
    lmb_builder *r = (lmb_builder *)reader;
    const lmb_tree *key = e->key;
    lmb_place_keys k;
    lmb_probe probe;
    if (lmb_read_fields(reader, e->node, lmb_probe_fields, e->what, NULL, &k))
        return LMB_BAD_INPUT;
    if (strcmp(key->text, "max") == 0 || strcmp(key->text, "node") == 0)
        return lmb_fail_at(
            r->context, key->place,
            "'%s' cannot be the name of a probe: 'stress.%s' is about the whole body", key->text,
            key->text);
    lmb_status status = lmb_find_probe(r, *(const int *)body, &k, true, key->place, &probe);
    if (status)
        return status;
    if (probe.largest && (strcmp(key->text, "stress") == 0 || strcmp(key->text, "section") == 0))
        return lmb_fail_at(r->context, key->place,
                           "'%s' cannot be the name of a probe of a whole member: it is in the "
                           "names of channels of the body",
                           key->text);
    probe.name = key->text;
    return lmb_add_probe(r, &probe) ? LMB_OK : lmb_fail_memory(r->context);
}

bool lmb_is_made_rigid(const lmb_body *b)
{
    const lmb_elasticity *e = lmb_body_elasticity(b);
    return e && e->modal->modes == 0;
}

lmb_status lmb_read_probes(lmb_builder *r, int body, const lmb_tree *section)
{
    const lmb_body *b = &r->model->bodies[body];
    if (lmb_is_made_rigid(b))
        return LMB_OK;
    for (int i = b->point; i < b->point + b->point_count; i++) {
        const char *point = strrchr(r->model->points[i].name, '.') + 1;
        if (strcmp(point, "stress") == 0 || strcmp(point, "section") == 0)
            return lmb_fail_at(
                r->context, section->place,
                "a body with probes cannot have an interface '%s', which would be in "
                "the names of their channels",
                point);
    }
    return lmb_read_section(&r->reader, section, "probes", "probe", "places", read_probe, &body);
}
