/* Interface points and point masses of a flexible body, as the model file gives them. */

#include <string.h>

#include "model/flexible_part.h"
#include "fe/framework.h"
#include "model/fields.h"

/* --- names ------------------------------------------------------------------------------------ */

/* Whether a text is the name of a node of a framework: that goes before parameters. */
static bool is_of_framework(const lmb_flexible_part *p, const lmb_tree *node)
{
    const lmb_framework *f = p->framework;
    lmb_nearest nearest;
    return f && node->kind == LMB_TREE_TEXT &&
           lmb_find_name(f->names, sizeof *f->names, f->node_count, node->text, &nearest) >= 0;
}

static lmb_status read_name(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                            lmb_anchor *a)
{
    a->kind = LMB_ANCHOR_NAMED;
    a->set = node->text;
    a->place = node->place;
    lmb_part_note(r, p, "%s.node: %s\n", a->name, node->text);
    return LMB_OK;
}

/* The start or end of a beam, or a node of a framework, by name. */
static lmb_status read_place_name(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                                  lmb_anchor *a)
{
    if (p->source == LMB_PART_FRAMEWORK)
        return read_name(r, p, node, a);
    bool start = strcmp(node->text, "start") == 0, end = strcmp(node->text, "end") == 0;
    if (!start && !end) {
        lmb_nearest nearest = lmb_nearest_start(node->text);
        lmb_nearest_try(&nearest, "start");
        lmb_nearest_try(&nearest, "end");
        lmb_fail_at(r->context, node->place, "'%s' of '%s' is neither 'start' nor 'end'",
                    node->text, a->name);
        lmb_hint(r->context, "other points are {node: number} or {at: [x, y, z]}");
        return lmb_nearest_hint(r->context, &nearest);
    }
    if (p->source != LMB_PART_BEAM)
        return lmb_fail_at(r->context, node->place, "only a beam has a start and an end");
    a->kind = start ? LMB_ANCHOR_START : LMB_ANCHOR_END;
    lmb_part_note(r, p, "%s: %s\n", a->name, node->text);
    return LMB_OK;
}

static lmb_status read_node(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v, lmb_anchor *a)
{
    double number = 0;
    if (is_of_framework(p, v->node) || (p->source != LMB_PART_BEAM && lmb_is_node_name(r, v->node)))
        return read_name(r, p, v->node, a);
    lmb_status status = lmb_read_number(r, v->node, "node", &number);
    if (!status && !lmb_is_whole(number, 1, 2147483647))
        status = lmb_fail_at(r->context, v->place, "'node' must be the number of a node");
    if (status)
        return status;
    a->kind = LMB_ANCHOR_NODE;
    a->node = (int)number;
    lmb_part_note(r, p, "%s.node: %d\n", a->name, a->node);
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
        lmb_part_note(r, p, "%s.nodes: %s\n", a->name, a->set);
        return LMB_OK;
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
        lmb_part_note(r, p, "%s.nodes: %d\n", a->name, a->list[i]);
    }
    return status;
}

#define KEY(member) LMB_KEY(lmb_interface_keys, member)

const lmb_field lmb_interface_fields[] = {
    {KEY(node), LMB_FIELD_TREE, NULL, "The number or the name of a node that has rotations.",
     .choices = "number"},
    {KEY(at), LMB_FIELD_VECTOR, "m", "Instead: where such a node is."},
    {KEY(point), LMB_FIELD_VECTOR, "m", "Instead: a point that is tied to nodes.",
     "the middle of the cylinder through the nodes, or of their faces"},
    {KEY(nodes), LMB_FIELD_TREE, NULL,
     "The nodes that it is tied to: the name of a set of the file, or a list of numbers.",
     .choices = "node_set"},
    {KEY(radius), LMB_FIELD_NUMBER, "m", "Instead of 'nodes': all nodes within this distance.",
     .range = LMB_POSITIVE},
    LMB_SELECTION_FIELDS(lmb_interface_keys),
    {KEY(tie), LMB_FIELD_CHOICE, NULL,
     "rigid: the nodes move rigidly with the point (RBE2); average: the point follows their "
     "weighted mean motion (RBE3).",
     "rigid", .choices = "rigid average"},
    {KEY(displacements), LMB_FIELD_TREE, "m",
     "Of a 'modal' body: how the 'point' moves in each mode, one vector per mode.", "not at all",
     .choices = "nested"},
    {KEY(rotations), LMB_FIELD_TREE, "rad",
     "Of a 'modal' body: how it turns in each mode, a number in the plane and a vector in space.",
     "not at all", .choices = "nested"},
    {0},
};

/* One way to find its nodes, and no keys of the others. */
static lmb_status check_ways(lmb_reader *r, const lmb_interface_keys *k, const lmb_anchor *a)
{
    int single = k->node.given + k->at.given;
    bool selected = lmb_has_selection(&k->selection);
    int tied = (k->nodes != NULL) + k->radius.given + selected;
    if (single + tied != 1) {
        lmb_fail_at(r->context, a->place,
                    "interface '%s' needs one of node, at, nodes, radius, and cylinder, plane, box "
                    "or faces",
                    a->name);
        return lmb_hint(r->context, "such as {node: 12} or {point: [0, 0, 1], nodes: flange}");
    }
    lmb_status status = lmb_check_selection(r->context, &k->selection);
    if (status)
        return status;
    if (k->displacements || k->rotations)
        return lmb_fail_at(r->context, (k->displacements ? k->displacements : k->rotations)->place,
                           "'%s' is for bodies with the key 'modal'",
                           k->displacements ? "displacements" : "rotations");
    if (single && (k->point.given || k->tie.given))
        return lmb_fail_at(r->context, a->place,
                           "'point' and 'tie' are for a point tied to several nodes");
    if (k->radius.given && !k->point.given)
        return lmb_fail_at(r->context, k->radius.place,
                           "'radius' needs a 'point' that it is around");
    return LMB_OK;
}

static lmb_status read_interface(lmb_reader *r, lmb_flexible_part *p, const lmb_entry *e,
                                 lmb_anchor *a)
{
    lmb_interface_keys k;
    if (e->node->kind == LMB_TREE_TEXT && e->node->text[0])
        return read_place_name(r, p, e->node, a);
    lmb_status status = lmb_part_read(r, p, e->node, lmb_interface_fields, e->what, &k);
    if (status || (status = check_ways(r, &k, a)))
        return status;
    if (k.node.given)
        return read_node(r, p, &k.node, a);
    const lmb_value *at = k.at.given ? &k.at : &k.point;
    a->at = at->vector;
    a->at_given = at->given;
    if (k.at.given) {
        a->kind = LMB_ANCHOR_AT;
        return LMB_OK;
    }
    a->tie = k.tie.choice == 1 ? LMB_TIE_AVERAGE : LMB_TIE_RIGID;
    if (lmb_has_selection(&k.selection)) {
        a->kind = LMB_ANCHOR_SELECTION;
        a->selection = lmb_arena_alloc(r->arena, 1, sizeof *a->selection);
        if (!a->selection)
            return lmb_fail_memory(r->context);
        status = lmb_read_node_selection(r, &k.selection, a->name, a->selection);
        lmb_part_note(r, p, "selection: %s\n", lmb_selection_text(r->arena, a->selection));
        return status;
    }
    a->kind = LMB_ANCHOR_RADIUS;
    a->radius = k.radius.number;
    return k.nodes ? read_node_list(r, p, k.nodes, a) : LMB_OK;
}

typedef struct mass_keys {
    lmb_value node, inertia;
    const lmb_tree *at;
    double mass;
} mass_keys;

const lmb_field lmb_part_mass_fields[] = {
    {LMB_KEY(mass_keys, node), LMB_FIELD_TREE, NULL,
     "The number or the name of the node that it sits on.", .choices = "number"},
    {LMB_KEY(mass_keys, at), LMB_FIELD_TREE, "m",
     "Instead: where that node is, 'start' or 'end' of a beam, or a node of a framework by name.",
     .choices = "place"},
    {LMB_KEY(mass_keys, mass), LMB_FIELD_NUMBER, "kg", "Mass.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {LMB_KEY(mass_keys, inertia), LMB_FIELD_NUMBERS, "kg m^2",
     "Moments of inertia about the node, as those of a body.", "0"},
    {0},
};

static lmb_status read_mass(lmb_reader *r, lmb_flexible_part *p, const lmb_entry *e, lmb_anchor *a)
{
    mass_keys k;
    lmb_status status = lmb_part_read(r, p, e->node, lmb_part_mass_fields, e->what, &k);
    if (status)
        return status;
    if ((k.at != NULL) == k.node.given)
        return lmb_fail_at(r->context, a->place, "%s needs a 'node' or a place, 'at'", e->what);
    a->of.mass = k.mass;
    if (k.inertia.given && (status = lmb_read_inertia(r, &k.inertia, &a->of.inertia)))
        return status;
    if (k.node.given)
        return read_node(r, p, &k.node, a);
    if (k.at->kind == LMB_TREE_TEXT)
        return read_place_name(r, p, k.at, a);
    a->kind = LMB_ANCHOR_AT;
    status = lmb_read_vector(r, k.at, "at", r->dimension, &a->at.x);
    lmb_part_note(r, p, "%s.at: %.17g %.17g %.17g\n", a->name, a->at.x, a->at.y, a->at.z);
    return status;
}

/* What the entries of a key become. */
typedef struct anchors {
    lmb_flexible_part *part;
    const char *name;
    lmb_anchor *next;
} anchors;

static lmb_status read_anchor(lmb_reader *r, const lmb_entry *e, void *user)
{
    anchors *a = user;
    lmb_anchor *out = a->next++;
    lmb_part_note(r, a->part, "%s: %s\n", a->name, e->key->text);
    *out = (lmb_anchor){.name = e->key->text, .place = e->key->place, .tie = LMB_TIE_NODE};
    if (strcmp(a->name, "masses") == 0)
        return read_mass(r, a->part, e, out);
    return a->part->source == LMB_PART_MODAL ? lmb_read_modal_interface(r, a->part, e, out)
                                             : read_interface(r, a->part, e, out);
}

static lmb_status read_anchors(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *section,
                               const char *name, const char *kind, lmb_anchor **out, int *count)
{
    *out = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof **out);
    *count = (int)lmb_tree_count(section);
    return lmb_read_section(r, section, name, kind, "places", read_anchor,
                            &(anchors){p, name, *out});
}

lmb_status lmb_part_read_anchors(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *interfaces,
                                 const lmb_tree *masses)
{
    lmb_status status = read_anchors(r, p, interfaces, "interfaces", "interface", &p->interfaces,
                                     &p->interface_count);
    return status ? status
                  : read_anchors(r, p, masses, "masses", "mass", &p->masses, &p->mass_count);
}
