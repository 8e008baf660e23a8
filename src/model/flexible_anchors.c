/* Interface points and point masses of a flexible body, as the model file gives them. */
#include <stdio.h>
#include <string.h>

#include "model/flexible_fields.h"
#include "model/flexible_modal.h"
#include "model/flexible_part.h"
#include "model/fields.h"
#include "model/sections.h"

/* The start or end of a beam, by name. */
static lmb_status read_beam_end(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                                lmb_anchor *a)
{
    bool start = strcmp(node->text, "start") == 0, end = strcmp(node->text, "end") == 0;
    if (!start && !end) {
        lmb_nearest nearest = lmb_nearest_start(node->text);
        lmb_nearest_try(&nearest, "start");
        lmb_nearest_try(&nearest, "end");
        lmb_fail_at(r->context, node->place, "'%s' of '%s' is neither 'start' nor 'end'",
                    node->text, a->name);
        if (nearest.best)
            lmb_nearest_hint(r->context, &nearest);
        else
            lmb_hint(r->context, "other points are {node: number} or {at: [x, y, z]}");
        return LMB_BAD_INPUT;
    }
    if (p->source != LMB_PART_BEAM)
        return lmb_fail_at(r->context, node->place, "only a beam has a start and an end");
    a->kind = start ? LMB_ANCHOR_START : LMB_ANCHOR_END;
    return lmb_part_note(r, p, "%s: %s\n", a->name, node->text);
}

static lmb_status read_node_number(lmb_reader *r, const lmb_value *v, lmb_anchor *a)
{
    if (!lmb_is_whole(v->number, 1, 2147483647))
        return lmb_fail_at(r->context, v->place, "'node' must be the number of a node");
    a->kind = LMB_ANCHOR_NODE;
    a->node = (int)v->number;
    return LMB_OK;
}

/* The nodes that a point is tied to: the name of a set or a list of numbers. */
static lmb_status read_node_list(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                                 lmb_anchor *a)
{
    if (node->kind == LMB_TREE_TEXT) {
        a->kind = LMB_ANCHOR_SET;
        a->set = node->text;
        a->place = node->place;
        return lmb_part_note(r, p, "%s.nodes: %s\n", a->name, a->set);
    }
    if (node->kind != LMB_TREE_LIST || node->count == 0)
        return lmb_fail_kind(r, node, "nodes", "the name of a set or a list of node numbers");
    a->kind = LMB_ANCHOR_LIST;
    a->list_count = node->count;
    a->list = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *a->list);
    lmb_status status = a->list ? LMB_OK : lmb_fail_memory(r->context);
    for (int i = 0; !status && i < node->count; i++) {
        double number = 0;
        if (!(status = lmb_read_number(r, node->items[i], "nodes", &number)) &&
            !lmb_is_whole(number, 1, 2147483647))
            status =
                lmb_fail_at(r->context, node->items[i]->place, "'nodes' must be numbers of nodes");
        a->list[i] = (int)number;
        if (!status)
            status = lmb_part_note(r, p, "%s.nodes: %d\n", a->name, a->list[i]);
    }
    return status;
}

/* One way to find its nodes, and no keys of the others. */
static lmb_status check_ways(lmb_reader *r, const lmb_value *v, const lmb_anchor *a)
{
    int single = v[LMB_INTERFACE_NODE].given + v[LMB_INTERFACE_AT].given;
    int tied = v[LMB_INTERFACE_NODES].given + v[LMB_INTERFACE_RADIUS].given;
    if (single + tied != 1) {
        lmb_fail_at(r->context, a->place, "interface '%s' needs one of node, at, nodes and radius",
                    a->name);
        lmb_hint(r->context, "such as {node: 12} or {point: [0, 0, 1], nodes: flange}");
        return LMB_BAD_INPUT;
    }
    for (int i = LMB_INTERFACE_DISPLACEMENTS; i <= LMB_INTERFACE_ROTATIONS; i++)
        if (v[i].given)
            return lmb_fail_at(r->context, v[i].place, "'%s' is for bodies with the key 'modal'",
                               lmb_interface_fields[i].name);
    if (single && (v[LMB_INTERFACE_POINT].given || v[LMB_INTERFACE_TIE].given))
        return lmb_fail_at(r->context, a->place,
                           "'point' and 'tie' are for a point tied to several nodes");
    if (v[LMB_INTERFACE_RADIUS].given && !v[LMB_INTERFACE_POINT].given)
        return lmb_fail_at(r->context, v[LMB_INTERFACE_RADIUS].place,
                           "'radius' needs a 'point' that it is around");
    return LMB_OK;
}

static lmb_status read_interface(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *key,
                                 const lmb_tree *node, lmb_anchor *a)
{
    *a = (lmb_anchor){.name = key->text, .place = key->place, .tie = LMB_TIE_NODE};
    lmb_value v[LMB_INTERFACE_COUNT + 1];
    lmb_status status = lmb_check_name(r, key, "interface");
    if (status)
        return status;
    if (node->kind == LMB_TREE_TEXT && node->text[0])
        return read_beam_end(r, p, node, a);
    char what[96];
    snprintf(what, sizeof what, "interface '%.60s'", key->text);
    if ((status = lmb_part_read(r, p, node, lmb_interface_fields, what, v)) ||
        (status = check_ways(r, v, a)))
        return status;
    if (v[LMB_INTERFACE_NODE].given)
        return read_node_number(r, &v[LMB_INTERFACE_NODE], a);
    const lmb_value *at = &v[v[LMB_INTERFACE_AT].given ? LMB_INTERFACE_AT : LMB_INTERFACE_POINT];
    a->at = lmb_value_vector(at);
    a->at_given = at->given;
    if (v[LMB_INTERFACE_AT].given) {
        a->kind = LMB_ANCHOR_AT;
        return LMB_OK;
    }
    a->tie = v[LMB_INTERFACE_TIE].choice == 1 ? LMB_TIE_AVERAGE : LMB_TIE_RIGID;
    a->kind = LMB_ANCHOR_RADIUS;
    a->radius = v[LMB_INTERFACE_RADIUS].number;
    return v[LMB_INTERFACE_NODES].given ? read_node_list(r, p, v[LMB_INTERFACE_NODES].node, a)
                                        : LMB_OK;
}

static lmb_status read_mass(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *key,
                            const lmb_tree *node, lmb_anchor *a)
{
    *a = (lmb_anchor){.name = key->text, .place = key->place, .tie = LMB_TIE_NODE};
    lmb_value v[LMB_PART_MASS_COUNT + 1];
    char what[96];
    snprintf(what, sizeof what, "mass '%.60s'", key->text);
    lmb_status status = lmb_check_name(r, key, "mass");
    if (status || (status = lmb_part_read(r, p, node, lmb_part_mass_fields, what, v)))
        return status;
    const lmb_value *at = &v[LMB_PART_MASS_AT], *number = &v[LMB_PART_MASS_NODE];
    if (at->given == number->given)
        return lmb_fail_at(r->context, key->place, "%s needs a 'node' or a place, 'at'", what);
    a->of.mass = v[LMB_PART_MASS_MASS].number;
    if (v[LMB_PART_MASS_INERTIA].given &&
        (status = lmb_read_inertia(r, &v[LMB_PART_MASS_INERTIA], &a->of.inertia)))
        return status;
    if (number->given)
        return read_node_number(r, number, a);
    if (at->node->kind == LMB_TREE_TEXT)
        return read_beam_end(r, p, at->node, a);
    double x[3] = {0};
    if ((status = lmb_read_vector(r, at->node, "at", r->dimension, x)))
        return status;
    a->kind = LMB_ANCHOR_AT;
    a->at = v3(x[0], x[1], x[2]);
    return lmb_part_note(r, p, "%s.at: %.17g %.17g %.17g\n", a->name, x[0], x[1], x[2]);
}

typedef lmb_status read_anchor(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *key,
                               const lmb_tree *node, lmb_anchor *a);

static lmb_status read_anchors(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v,
                               const char *name, read_anchor *read, lmb_anchor **out, int *count)
{
    *count = 0;
    if (!v->given)
        return LMB_OK;
    if (v->node->kind != LMB_TREE_MAP)
        return lmb_fail_kind(r, v->node, name, "a map of names to places");
    *out = lmb_arena_alloc(r->arena, (size_t)v->node->count, sizeof **out);
    if (!*out)
        return lmb_fail_memory(r->context);
    *count = v->node->count;
    lmb_status status = LMB_OK;
    for (int i = 0; i < *count; i++)
        if (lmb_part_note(r, p, "%s: %s\n", name, v->node->keys[i]->text) ||
            read(r, p, v->node->keys[i], v->node->items[i], &(*out)[i]))
            status = LMB_BAD_INPUT;
    return status;
}

lmb_status lmb_part_read_anchors(lmb_reader *r, lmb_flexible_part *p, const lmb_value *interfaces,
                                 const lmb_value *masses)
{
    bool modal = p->source == LMB_PART_MODAL;
    lmb_status status = read_anchors(r, p, interfaces, "interfaces",
                                     modal ? lmb_read_modal_interface : read_interface,
                                     &p->interfaces, &p->interface_count);
    return status ? status
                  : read_anchors(r, p, masses, "masses", read_mass, &p->masses, &p->mass_count);
}
