/* The geometry of a model, and its text; see geometry.h. */
#include "scene/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "model/kinds.h"
#include "read/tree.h"

/* --- of a model ------------------------------------------------------------------------------- */

void lmb_drawn_body_points(lmb_drawn_body *body, lmb_arena *arena, int count)
{
    body->point_names = lmb_arena_alloc(arena, (size_t)count + 1, sizeof(char *));
    body->points = lmb_arena_alloc(arena, (size_t)count + 1, sizeof(vec3));
    body->point_count = lmb_arena_fine(arena) ? count : 0;
}

static void take_body(lmb_drawn_body *out, lmb_arena *arena, const lmb_model *m, const lmb_body *b)
{
    *out = (lmb_drawn_body){.name = b->name, .kind = b->ops->kind, .mass = b->mass};
    if (b->shape)
        out->shape = *b->shape;
    lmb_drawn_body_points(out, arena, b->point_count);
    for (int i = 0; i < out->point_count; i++) {
        const lmb_point *p = &m->points[b->point + i];
        out->point_names[i] = strchr(p->name, '.') + 1;
        out->points[i] = m->parts.markers[p->marker].local.p;
    }
}

static lmb_drawn_tie tie_of(const lmb_model *m, const char *name, const char *type,
                            const char *sign, int pair)
{
    const lmb_marker *a = &m->parts.markers[m->parts.pairs[pair].a];
    const lmb_marker *b = &m->parts.markers[m->parts.pairs[pair].b];
    return (lmb_drawn_tie){.name = name,
                           .type = type,
                           .sign = sign,
                           .body = {a->body, b->body},
                           .at = {a->local.p, b->local.p}};
}

/* The names of the joints and forces of a list. */
static lmb_drawn_names names_of(lmb_arena *arena, const lmb_model *m, const lmb_selection *x)
{
    size_t room = (size_t)(x->joint_count + x->force_count) + 1;
    lmb_drawn_names names = {.list = lmb_arena_alloc(arena, room, sizeof *names.list)};
    for (int i = 0; names.list && i < x->joint_count; i++)
        names.list[names.count++] = m->joints[x->joints[i]].name;
    for (int i = 0; names.list && i < x->force_count; i++)
        names.list[names.count++] = m->forces[x->forces[i]].name;
    return names;
}

bool lmb_geometry_allocate(lmb_geometry *g, lmb_arena *arena)
{
    g->bodies = lmb_arena_alloc(arena, (size_t)g->body_count + 1, sizeof *g->bodies);
    g->joints = lmb_arena_alloc(arena, (size_t)g->joint_count + 1, sizeof *g->joints);
    g->forces = lmb_arena_alloc(arena, (size_t)g->force_count + 1, sizeof *g->forces);
    g->without = lmb_arena_alloc(arena, (size_t)g->without_count + 1, sizeof *g->without);
    g->events = lmb_arena_alloc(arena, (size_t)g->event_count + 1, sizeof *g->events);
    return lmb_arena_fine(arena);
}

bool lmb_geometry_of(lmb_geometry *g, lmb_arena *arena, const lmb_model *m)
{
    *g = (lmb_geometry){.dimension = m->dimension,
                        .length = m->length,
                        .gravity = m->gravity,
                        .body_count = m->body_count,
                        .joint_count = m->joint_count,
                        .force_count = m->force_count,
                        .without_count = m->analysis_count,
                        .event_count = m->event_count};
    if (!lmb_geometry_allocate(g, arena))
        return false;
    for (int i = 0; i < m->body_count; i++)
        take_body(&g->bodies[i], arena, m, &m->bodies[i]);
    for (int i = 0; i < m->joint_count; i++) {
        const lmb_joint *j = &m->joints[i];
        g->joints[i] = tie_of(m, j->name, j->type->name, j->type->sign, j->pair);
        const lmb_marker *a = &m->parts.markers[m->parts.pairs[j->pair].a];
        g->joints[i].axis = a->local.e[m->dimension == 3 ? 2 : 0];
    }
    for (int i = 0; i < m->force_count; i++) {
        const lmb_force *f = &m->forces[i];
        g->forces[i] = tie_of(m, f->name, f->type->name, f->type->sign, f->pair);
    }
    for (int i = 0; i < m->analysis_count; i++)
        g->without[i] = (lmb_drawn_switch){
            m->analyses[i].name, names_of(arena, m, &m->analyses[i].without), {0}};
    for (int i = 0; i < m->event_count; i++)
        g->events[i] =
            (lmb_drawn_switch){m->events[i].name, names_of(arena, m, &m->events[i].release),
                               names_of(arena, m, &m->events[i].latch)};
    return lmb_arena_fine(arena);
}

/* --- the text --------------------------------------------------------------------------------- */

/* The number that a field of a shape fills: a double, or that of all that was read. */
static double *number_at(const lmb_field *f, lmb_shape *shape)
{
    void *at = (char *)shape + f->offset;
    return f->size == sizeof(lmb_value) ? &((lmb_value *)at)->number : at;
}

static void put_shape(lmb_json *j, lmb_shape shape)
{
    if (!shape.type) {
        lmb_json_text(j, "shape", NULL);
        return;
    }
    lmb_json_open(j, "shape", '{');
    lmb_json_open(j, shape.type->name, '{');
    for (const lmb_field *f = shape.type->fields; f->name; f++) {
        const char axis[2] = {"xyz"[shape.axis], 0};
        if (f->type == LMB_FIELD_NUMBERS)
            lmb_json_numbers(j, f->name, (size_t)shape.size.size, shape.size.numbers);
        else if (f->type == LMB_FIELD_CHOICE)
            lmb_json_text(j, f->name, axis);
        else
            lmb_json_number(j, f->name, *number_at(f, &shape));
    }
    lmb_json_close(j);
    lmb_json_close(j);
}

static void put_body(lmb_json *j, const lmb_drawn_body *b)
{
    lmb_json_open_flat(j, NULL, '{');
    lmb_json_put(j, "name %s, kind %s", b->name, b->kind);
    if (b->modes_of)
        lmb_json_text(j, "modes_of", b->modes_of);
    lmb_json_number(j, "mass", b->mass);
    put_shape(j, b->shape);
    lmb_json_open(j, "points", '{');
    for (int i = 0; i < b->point_count; i++)
        lmb_json_numbers(j, b->point_names[i], 3, &b->points[i].x);
    lmb_json_close(j);
    lmb_json_close(j);
}

static void put_ties(lmb_json *j, const char *key, const lmb_drawn_tie *ties, int count)
{
    lmb_json_open(j, key, '[');
    for (int i = 0; i < count; i++) {
        lmb_json_open_flat(j, NULL, '{');
        lmb_json_put(j, "name %s, type %s, sign %s", ties[i].name, ties[i].type, ties[i].sign);
        lmb_json_integers(j, "bodies", 2, ties[i].body);
        lmb_json_numbers(j, "at", 3, &ties[i].at[0].x);
        lmb_json_numbers(j, "at_b", 3, &ties[i].at[1].x);
        if (v3_norm(ties[i].axis) > 0)
            lmb_json_numbers(j, "axis", 3, &ties[i].axis.x);
        if (ties[i].radius > 0)
            lmb_json_number(j, "radius", ties[i].radius);
        lmb_json_close(j);
    }
    lmb_json_close(j);
}

static void put_names(lmb_json *j, const char *key, lmb_drawn_names names)
{
    lmb_json_texts(j, key, (size_t)names.count, names.list);
}

char *lmb_geometry_text(const lmb_geometry *g)
{
    lmb_json json, *j = &json;
    lmb_json_start_text(j);
    lmb_json_open(j, NULL, '{');
    lmb_json_put(j, "dimension %d, length %g", g->dimension, g->length);
    lmb_json_numbers(j, "gravity", 3, &g->gravity.x);
    lmb_json_open(j, "bodies", '[');
    for (int i = 0; i < g->body_count; i++)
        put_body(j, &g->bodies[i]);
    lmb_json_close(j);
    put_ties(j, "joints", g->joints, g->joint_count);
    put_ties(j, "forces", g->forces, g->force_count);
    lmb_json_open(j, "without", '{');
    for (int i = 0; i < g->without_count; i++)
        put_names(j, g->without[i].name, g->without[i].release);
    lmb_json_close(j);
    lmb_json_open(j, "events", '[');
    for (int i = 0; i < g->event_count; i++) {
        lmb_json_open_flat(j, NULL, '{');
        lmb_json_text(j, "name", g->events[i].name);
        put_names(j, "release", g->events[i].release);
        put_names(j, "latch", g->events[i].latch);
        lmb_json_close(j);
    }
    return lmb_json_end_text(j);
}

/* --- reading it ------------------------------------------------------------------------------- */

static double number_of(const lmb_tree *node)
{
    return node && node->kind == LMB_TREE_TEXT ? lmb_strtod(node->text, NULL) : 0;
}

static vec3 vector_of(const lmb_tree *node)
{
    double v[3] = {0, 0, 0};
    for (int i = 0; node && node->kind == LMB_TREE_LIST && i < node->count && i < 3; i++)
        v[i] = number_of(node->items[i]);
    return v3(v[0], v[1], v[2]);
}

/* The text of a key; NULL if there is none. */
static const char *text_of(const lmb_tree *map, const char *key)
{
    const lmb_tree *node = lmb_tree_get(map, key);
    bool null = !node || node->kind != LMB_TREE_TEXT || lmb_tree_is_empty(node) ||
                (!node->quoted && strcmp(node->text, "null") == 0);
    return null ? NULL : node->text;
}

static const char *word_of(const lmb_tree *map, const char *key)
{
    const char *text = text_of(map, key);
    return text ? text : "";
}

/* The list or map of a key; an empty one if it is none. */
static const lmb_tree *part_of(const lmb_tree *map, const char *key, lmb_tree_kind kind)
{
    static const lmb_tree none = {0};
    const lmb_tree *part = lmb_tree_get(map, key);
    return part && part->kind == kind ? part : &none;
}

static void read_shape(lmb_shape *out, const lmb_tree *shape)
{
    if (shape->count != 1 || shape->items[0]->kind != LMB_TREE_MAP)
        return;
    const lmb_shape_type *t = lmb_shape_types;
    while (t->name && strcmp(t->name, shape->keys[0]->text) != 0)
        t++;
    out->type = t->name ? t : NULL;
    for (const lmb_field *f = t->fields; out->type && f->name; f++) {
        const lmb_tree *v = lmb_tree_get(shape->items[0], f->name);
        if (f->type == LMB_FIELD_NUMBERS) {
            vec3 size = vector_of(v);
            out->size = (lmb_value){.size = v && v->count < 3 ? v->count : 3,
                                    .numbers = {size.x, size.y, size.z}};
        } else if (f->type == LMB_FIELD_CHOICE) {
            const char *letter = word_of(shape->items[0], f->name);
            out->axis = letter[0] == 'x' ? 0 : letter[0] == 'y' ? 1 : 2;
        } else {
            *number_at(f, out) = number_of(v);
        }
    }
}

static void read_body(lmb_drawn_body *out, lmb_arena *arena, const lmb_tree *entry)
{
    const lmb_tree *points = part_of(entry, "points", LMB_TREE_MAP);
    *out = (lmb_drawn_body){.name = word_of(entry, "name"),
                            .kind = word_of(entry, "kind"),
                            .modes_of = text_of(entry, "modes_of"),
                            .mass = number_of(lmb_tree_get(entry, "mass"))};
    read_shape(&out->shape, part_of(entry, "shape", LMB_TREE_MAP));
    lmb_drawn_body_points(out, arena, points->count);
    for (int i = 0; i < out->point_count; i++) {
        out->point_names[i] = points->keys[i]->text;
        out->points[i] = vector_of(points->items[i]);
    }
}

/* The sign of a kind of joint or force; rotors have kinds of their own, which are signs. */
static const char *sign_of(const char *type)
{
    for (int i = 0; lmb_kinds_default.joints[i]; i++)
        if (strcmp(lmb_kinds_default.joints[i]->name, type) == 0)
            return lmb_kinds_default.joints[i]->sign;
    for (int i = 0; lmb_kinds_default.forces[i]; i++)
        if (strcmp(lmb_kinds_default.forces[i]->name, type) == 0)
            return lmb_kinds_default.forces[i]->sign;
    return type;
}

/* Joints or forces; one with bodies that there are not, which no model has, is left out. Earlier
 * versions wrote no signs. */
static int read_ties(lmb_drawn_tie *out, const lmb_tree *list, int bodies)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const lmb_tree *entry = list->items[i], *ends = part_of(entry, "bodies", LMB_TREE_LIST);
        lmb_drawn_tie *tie = &out[count];
        *tie = (lmb_drawn_tie){
            .name = word_of(entry, "name"),
            .type = word_of(entry, "type"),
            .at = {vector_of(lmb_tree_get(entry, "at")), vector_of(lmb_tree_get(entry, "at_b"))},
            .axis = vector_of(lmb_tree_get(entry, "axis")),
            .radius = number_of(lmb_tree_get(entry, "radius"))};
        tie->sign = lmb_tree_get(entry, "sign") ? text_of(entry, "sign") : sign_of(tie->type);
        bool known = ends->count == 2;
        for (int k = 0; k < 2 && known; k++) {
            double number = number_of(ends->items[k]);
            known = number >= 0 && number < bodies;
            tie->body[k] = known ? (int)number : 0;
        }
        count += known;
    }
    return count;
}

static lmb_drawn_names read_names(lmb_arena *arena, const lmb_tree *map, const char *key)
{
    const lmb_tree *list = part_of(map, key, LMB_TREE_LIST);
    lmb_drawn_names names = {
        .list = lmb_arena_alloc(arena, (size_t)list->count + 1, sizeof *names.list)};
    for (int i = 0; names.list && i < list->count; i++)
        if (list->items[i]->kind == LMB_TREE_TEXT)
            names.list[names.count++] = list->items[i]->text;
    return names;
}

static void read_all(lmb_geometry *g, lmb_arena *arena, const lmb_tree *root)
{
    const lmb_tree *bodies = part_of(root, "bodies", LMB_TREE_LIST);
    const lmb_tree *joints = part_of(root, "joints", LMB_TREE_LIST);
    const lmb_tree *forces = part_of(root, "forces", LMB_TREE_LIST);
    const lmb_tree *without = part_of(root, "without", LMB_TREE_MAP);
    const lmb_tree *events = part_of(root, "events", LMB_TREE_LIST);
    *g = (lmb_geometry){.dimension = number_of(lmb_tree_get(root, "dimension")) == 2 ? 2 : 3,
                        .length = number_of(lmb_tree_get(root, "length")),
                        .gravity = vector_of(lmb_tree_get(root, "gravity")),
                        .body_count = bodies->count,
                        .joint_count = joints->count,
                        .force_count = forces->count,
                        .without_count = without->count,
                        .event_count = events->count};
    if (!lmb_geometry_allocate(g, arena))
        return;
    for (int i = 0; i < bodies->count; i++)
        read_body(&g->bodies[i], arena, bodies->items[i]);
    for (int i = 0; i < without->count; i++) {
        const char *name = without->keys[i]->text;
        g->without[i] = (lmb_drawn_switch){name, read_names(arena, without, name), {0}};
    }
    for (int i = 0; i < events->count; i++) {
        const lmb_tree *event = events->items[i];
        g->events[i] =
            (lmb_drawn_switch){word_of(event, "name"), read_names(arena, event, "release"),
                               read_names(arena, event, "latch")};
    }
    g->joint_count = read_ties(g->joints, joints, g->body_count);
    g->force_count = read_ties(g->forces, forces, g->body_count);
}

lmb_status lmb_geometry_read(lmb_geometry *out, lmb_context *context, lmb_arena *arena,
                             const char *path, const char *text)
{
    lmb_tree *root;
    lmb_status status = lmb_yaml_parse(&root, context, arena, path, text);
    if (status)
        return status;
    read_all(out, arena, root);
    return lmb_check_memory(context, arena);
}
