/* The keys of a framework: nodes by name, and members that run along some of them. What members
 * have in common, section, material, number of elements, may stand beside them. */
#include "model/framework_read.h"

#include <string.h>

#include "model/beam_keys.h"
#include "model/fields.h"

enum { MOST_ELEMENTS = 1000000, ELEMENTS = 4 };

/* --- keys ------------------------------------------------------------------------------------- */

typedef struct member_keys {
    const lmb_tree *between, *along, *section, *material;
    lmb_value elements, y_axis;
} member_keys;

#define MEMBER(member) LMB_KEY(member_keys, member)
#define SECTION_DOC                                                                                \
    "The cross section: a map with one key, its kind, such as {tube: {diameter: 0.06, wall: "      \
    "0.003}}."

const lmb_field lmb_member_fields[] = {
    {MEMBER(between), LMB_FIELD_TREE, NULL, "The two nodes that it goes between.",
     .choices = "names"},
    {MEMBER(along), LMB_FIELD_TREE, NULL,
     "Instead: the nodes that it goes through, in order; straight from one to the next. If the "
     "last is the first one again, it is a ring.",
     .choices = "any_names"},
    {MEMBER(section), LMB_FIELD_TREE, NULL, SECTION_DOC, "that of the framework",
     .choices = "section"},
    {MEMBER(material), LMB_FIELD_TREE, NULL,
     "A material by name, such as steel, or a map of its numbers.", "that of the framework",
     .choices = "material"},
    {MEMBER(elements), LMB_FIELD_NUMBER, NULL,
     "Number of finite elements from each of its nodes to the next.", "that of the framework",
     LMB_POSITIVE},
    {MEMBER(y_axis), LMB_FIELD_VECTOR, NULL,
     "The direction that the y axis of the section is nearest to.", "that of the framework",
     LMB_NOT_ZERO, .dimension = 3},
    {0},
};

typedef struct framework_keys {
    const lmb_tree *nodes, *members, *section, *material;
    lmb_value elements, y_axis;
} framework_keys;

#define KEY(member) LMB_KEY(framework_keys, member)

const lmb_field lmb_framework_fields[] = {
    {KEY(nodes), LMB_FIELD_TREE, "m",
     "Where its nodes are, by name, in the coordinates of the body: vectors, or maps with the key "
     "'at'.",
     .required = true, .choices = "framework_nodes"},
    {KEY(members), LMB_FIELD_TREE, NULL,
     "The beams between them, by name. They are joined rigidly at the nodes that they share, and "
     "nowhere else.",
     .required = true, .choices = "members"},
    {KEY(section), LMB_FIELD_TREE, NULL, "The cross section of members that give none.",
     .choices = "section"},
    {KEY(material), LMB_FIELD_TREE, NULL, "The material of members that give none.",
     .choices = "material"},
    {KEY(elements), LMB_FIELD_NUMBER, NULL,
     "Number of finite elements of members that give none, from each node to the next.", "4",
     LMB_POSITIVE, .otherwise = ELEMENTS},
    {KEY(y_axis), LMB_FIELD_VECTOR, NULL, "The 'y_axis' of members that give none.", "any",
     LMB_NOT_ZERO, .dimension = 3},
    {0},
};

typedef struct node_keys {
    vec3 at;
} node_keys;

const lmb_field lmb_framework_node_fields[] = {
    {LMB_KEY(node_keys, at), LMB_FIELD_VECTOR, "m", "Where it is, in the coordinates of the body.",
     .required = true},
    {0},
};

/* What is read, and what members take where they give nothing. */
typedef struct reading {
    lmb_flexible_part *part;
    const framework_keys *keys;
    lmb_framework *out;
    lmb_material material;      /* of the framework; E = 0: none */
    const lmb_section *section; /* that of its key, made for that material; NULL: not yet */
    long elements;              /* of all members */
} reading;

/* --- nodes ------------------------------------------------------------------------------------ */

static lmb_status read_node(lmb_reader *r, const lmb_entry *e, void *user)
{
    reading *of = user;
    lmb_framework *f = of->out;
    node_keys k = {.at = {0, 0, 0}};
    lmb_status status =
        e->node->kind == LMB_TREE_MAP
            ? lmb_read_fields(r, e->node, lmb_framework_node_fields, e->what, NULL, &k)
            : lmb_read_vector(r, e->node, e->key->text, r->dimension, &k.at.x);
    f->names[f->node_count] = e->key->text;
    f->points[f->node_count++] = k.at;
    lmb_part_note(r, of->part, "node: %s %.17g %.17g %.17g\n", e->key->text, k.at.x, k.at.y,
                  k.at.z);
    return status;
}

static lmb_status find_node(lmb_reader *r, const reading *of, const lmb_entry *e,
                            const lmb_tree *node, int *out)
{
    const lmb_framework *f = of->out;
    lmb_nearest nearest;
    if (node->kind != LMB_TREE_TEXT)
        return lmb_fail_kind(r, node, "between", "the name of a node");
    *out = lmb_find_name(f->names, sizeof *f->names, f->node_count, node->text, &nearest);
    if (*out >= 0)
        return LMB_OK;
    lmb_fail_at(r->context, node->place, "%s: there is no node '%s'", e->what, node->text);
    const char *list = "";
    for (int i = 0; list && i < f->node_count && strlen(list) < 200; i++)
        list = lmb_text_format(r->arena, "%s%s%s", list, i ? ", " : "", f->names[i]);
    return nearest.best ? lmb_nearest_hint(r->context, &nearest)
                        : lmb_hint(r->context, "there are %s", list ? list : "");
}

/* --- members ---------------------------------------------------------------------------------- */

const lmb_tree *lmb_member_nodes(const lmb_tree *member)
{
    const lmb_tree *between = lmb_tree_get(member, "between");
    return between ? between : lmb_tree_get(member, "along");
}

static lmb_status read_path(lmb_reader *r, reading *of, const lmb_entry *e, const member_keys *k,
                            lmb_framework_member *m)
{
    const lmb_tree *list = k->between ? k->between : k->along;
    if ((k->between != NULL) == (k->along != NULL)) {
        lmb_fail_at(r->context, e->key->place, "%s has either 'between' or 'along'", e->what);
        return lmb_hint(r->context, "such as 'between: [A, B]' or 'along: [A, B, C]'");
    }
    if (list->kind != LMB_TREE_LIST || (k->between && list->count != 2) || list->count < 2)
        return lmb_fail_at(r->context, list->place,
                           k->between ? "'between' must be a list of two nodes"
                                      : "'along' must be a list of two or more nodes");
    m->nodes = lmb_arena_integers(r->arena, (size_t)list->count);
    if (!m->nodes)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < list->count; i++) {
        if (find_node(r, of, e, list->items[i], &m->nodes[i]))
            status = LMB_BAD_INPUT;
        lmb_part_note(r, of->part, "%s: node %d\n", e->what, m->nodes[i]);
    }
    m->node_count = list->count;
    return status;
}

static lmb_status lacks(lmb_reader *r, const lmb_entry *e, const char *key)
{
    lmb_fail_at(r->context, e->key->place, "%s needs the key '%s'", e->what, key);
    return lmb_hint(r->context, "or give the framework one, for all members without");
}

/* Material and section: its own, or those of the framework. */
static lmb_status read_stuff(lmb_reader *r, reading *of, const lmb_entry *e, const member_keys *k,
                             lmb_framework_member *m)
{
    lmb_flexible_part *p = of->part;
    const lmb_tree *section = k->section ? k->section : of->keys->section;
    lmb_section_given given;
    lmb_status status = LMB_OK;
    if (!k->material && !of->keys->material)
        return lacks(r, e, "material");
    if (!section)
        return lacks(r, e, "section");
    p->material = of->material;
    if (k->material && (status = lmb_part_read_material(r, p, k->material)))
        return status;
    m->material = p->material;
    bool common = !k->material && !k->section;
    if (common && of->section) {
        m->section = *of->section;
        return LMB_OK;
    }
    status = lmb_part_read_section(r, p, section, &given, &m->section);
    if (common && !status)
        of->section = &m->section;
    return status;
}

static lmb_status read_elements(lmb_reader *r, reading *of, const member_keys *k,
                                lmb_framework_member *m)
{
    const lmb_value *v = k->elements.given ? &k->elements : &of->keys->elements;
    if (!lmb_is_whole(v->number, 1, MOST_ELEMENTS))
        return lmb_fail_at(r->context, v->place, "'elements' must be a whole number from 1 to %d",
                           MOST_ELEMENTS);
    m->elements = (int)v->number;
    of->elements += (long)m->elements * (m->node_count - 1);
    if (of->elements <= MOST_ELEMENTS)
        return LMB_OK;
    return lmb_fail_at(r->context, of->part->place, "the framework has more than %d elements",
                       MOST_ELEMENTS);
}

static lmb_status read_member(lmb_reader *r, const lmb_entry *e, void *user)
{
    reading *of = user;
    lmb_framework *f = of->out;
    member_keys k;
    lmb_nearest nearest;
    lmb_framework_member *m = &f->members[f->member_count++];
    m->name = e->key->text;
    lmb_part_note(r, of->part, "%s\n", e->what);
    lmb_status status = lmb_part_read(r, of->part, e->node, lmb_member_fields, e->what, &k);
    if (status || (status = read_path(r, of, e, &k, m)) || (status = read_stuff(r, of, e, &k, m)) ||
        (status = read_elements(r, of, &k, m)))
        return status;
    m->section.y_axis = k.y_axis.given ? k.y_axis.vector : of->keys->y_axis.vector;
    if (lmb_find_name(f->names, sizeof *f->names, f->node_count, m->name, &nearest) >= 0)
        return lmb_fail_at(r->context, e->key->place, "a node and a member are both called '%s'",
                           m->name);
    return LMB_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

lmb_status lmb_part_read_framework(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    framework_keys k;
    lmb_status status = lmb_part_read(r, p, node, lmb_framework_fields, "'framework'", &k);
    if (status)
        return status;
    size_t nodes = lmb_tree_count(k.nodes), members = lmb_tree_count(k.members);
    lmb_framework *f = lmb_arena_alloc(r->arena, 1, sizeof *f);
    if (!f)
        return lmb_fail_memory(r->context);
    *f = (lmb_framework){.name = p->name,
                         .dimension = r->dimension,
                         .points = lmb_arena_alloc(r->arena, nodes + 1, sizeof *f->points),
                         .names = lmb_arena_alloc(r->arena, nodes + 1, sizeof *f->names),
                         .members = lmb_arena_alloc(r->arena, members + 1, sizeof *f->members)};
    p->framework = f;
    reading of = {.part = p, .keys = &k, .out = f};
    if (k.material && (status = lmb_part_read_material(r, p, k.material)))
        return status;
    of.material = p->material;
    if ((status = lmb_read_section(r, k.nodes, "nodes", "node", "places", read_node, &of)) ||
        (status = lmb_read_section(r, k.members, "members", "member", "members", read_member, &of)))
        return status;
    if (f->member_count == 0)
        return lmb_fail_at(r->context, k.members->place, "the framework has no members");
    return lmb_framework_check(r->context, f, k.nodes, k.members);
}
