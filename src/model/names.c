/* Names in a model: which body, joint, point or channel one means. */
#include "model/builder.h"

#include <string.h>

/* Channels of two items with one name would be called the same. */
lmb_status lmb_check_unused(lmb_builder *r, const lmb_tree *key)
{
    static const char *const kinds[] = {"a body",  "a joint",  "a driver",
                                        "a force", "a sensor", "an event"};
    const lmb_named *twin = lmb_names_find(&r->items, key->text, strlen(key->text));
    if (!twin)
        return LMB_OK;
    lmb_fail_at(r->context, key->place, "there is %s '%s' already", kinds[twin->kind], key->text);
    return lmb_hint(r->context,
                    "bodies, joints, drivers, forces, sensors and events need names of their own");
}

lmb_status lmb_add_item(lmb_builder *r, lmb_item_kind kind, const char *name, int index)
{
    bool added = lmb_names_add(&r->items, r->arena, name, (int)kind, index);
    return added ? LMB_OK : lmb_fail_memory(r->context);
}

int lmb_find_item(const lmb_builder *r, lmb_item_kind kind, const char *name, size_t length)
{
    const lmb_named *found = lmb_names_find(&r->items, name, length);
    return found && found->kind == (int)kind ? found->index : -1;
}

int lmb_find_analysis(const lmb_builder *r, const char *name, lmb_nearest *nearest)
{
    const lmb_model *m = r->model;
    const lmb_named *found = lmb_names_find(&r->analyses, name, strlen(name));
    return found
               ? found->index
               : lmb_find_name(m->analyses, sizeof *m->analyses, m->analysis_count, name, nearest);
}

lmb_status lmb_fail_joint(lmb_builder *r, lmb_place place, const char *name)
{
    lmb_fail_at(r->context, place, "there is no joint '%s'", name);
    lmb_nearest nearest;
    lmb_find_name(r->model->joints, sizeof(lmb_joint), r->model->joint_count, name, &nearest);
    return lmb_nearest_hint(r->context, &nearest);
}

lmb_status lmb_fail_body(lmb_builder *r, lmb_place place, const char *name)
{
    if (r->reader.incomplete)
        return LMB_BAD_INPUT;
    lmb_fail_at(r->context, place, "there is no body '%s'", name);
    lmb_nearest nearest;
    lmb_find_name(r->model->bodies, sizeof(lmb_body), r->model->body_count, name, &nearest);
    return lmb_nearest_hint(r->context, &nearest);
}

/* The nearest name of a point of a body, or all of them if they are few. */
static lmb_status hint_at_points(lmb_builder *r, int body, const char *name)
{
    const lmb_model *m = r->model;
    const char *list = "";
    size_t skip = strlen(m->bodies[body].name) + 1;
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; list && i < m->point_count; i++) {
        if (m->points[i].body != body)
            continue;
        const char *known = m->points[i].name + skip;
        lmb_nearest_try(&nearest, known);
        if (strlen(list) < 200)
            list = lmb_text_format(r->arena, "%s%s'%s'", list, *list ? ", " : "", known);
    }
    if (nearest.best)
        return lmb_nearest_hint(r->context, &nearest);
    if (list && !*list)
        return lmb_hint(r->context, body
                                        ? "points are given with the key 'points' of a body"
                                        : "points of the ground are given in the section 'ground'");
    return list && strlen(list) < 199 ? lmb_hint(r->context, "it has %s", list) : LMB_BAD_INPUT;
}

/* A point given as "body.point"; its marker has place and axes. */
static lmb_status find_point(lmb_builder *r, const lmb_tree *node, int body, lmb_end *end)
{
    const lmb_model *m = r->model;
    const char *name = strchr(node->text, '.') + 1;
    const lmb_named *found = lmb_names_find(&r->points, node->text, strlen(node->text));
    if (found) {
        const lmb_point *point = &m->points[found->index];
        end->local = m->parts.markers[point->marker].local;
        end->point = m->parts.markers[point->marker].point;
        end->own_axes = point->own_axes;
        return LMB_OK;
    }
    if (r->reader.incomplete)
        return LMB_BAD_INPUT; /* already reported */
    lmb_fail_at(r->context, node->place,
                body ? "body '%s' has no point '%s'" : "the %s has no point '%s'",
                m->bodies[body].name, name);
    return hint_at_points(r, body, name);
}

/* Whether an end is coordinates on the ground: a list, an expression, or a parameter that no body
 * is called by. */
static bool is_coordinates(lmb_builder *r, const lmb_tree *node)
{
    if (node->kind != LMB_TREE_TEXT)
        return node->kind == LMB_TREE_LIST;
    if (strpbrk(node->text, "[](*+/"))
        return true;
    for (int i = 0; i < r->reader.parameter_count; i++)
        if (strcmp(r->reader.parameters[i].name, node->text) == 0)
            return lmb_find_item(r, LMB_ITEM_BODY, node->text, strlen(node->text)) < 0;
    return false;
}

lmb_status lmb_read_end(lmb_builder *r, const lmb_tree *node, lmb_end *end)
{
    *end = (lmb_end){0, -1, frame_identity(), false};
    if (is_coordinates(r, node))
        return lmb_read_vector(&r->reader, node, "coordinates", r->model->dimension,
                               &end->local.p.x);
    if (node->kind != LMB_TREE_TEXT || !node->text[0])
        return lmb_fail_at(r->context, node->place,
                           "this must be a body, a point such as 'crank.B', 'ground', or "
                           "coordinates, not %s",
                           lmb_tree_kind_name(node));
    size_t length = strcspn(node->text, ".");
    end->body = lmb_find_item(r, LMB_ITEM_BODY, node->text, length);
    if (end->body < 0) {
        char name[80];
        lmb_snprintf(name, sizeof name, "%.*s", (int)(length < 79 ? length : 79), node->text);
        lmb_place place = node->place;
        place.length = (int)length;
        return lmb_fail_body(r, place, name);
    }
    if (node->text[length])
        return find_point(r, node, end->body, end);
    const lmb_body *b = &r->model->bodies[end->body];
    /* flexible bodies are held and loaded at interface points only */
    if (!lmb_body_elasticity(b) && !lmb_body_line(b))
        return LMB_OK;
    lmb_fail_at(r->context, node->place, "'%s' is flexible: name one of its interface points",
                b->name);
    return b->point_count ? lmb_hint(r->context, "such as '%s'", r->model->points[b->point].name)
                          : LMB_BAD_INPUT;
}

/* --- what the reader asks for ----------------------------------------------------------------- */

static lmb_status find(lmb_reader *r, const char *name, lmb_place place, lmb_symbol *symbol)
{
    lmb_builder *builder = (lmb_builder *)r;
    return strchr(name, '(') ? lmb_read_record(builder, name, place, symbol)
                             : lmb_find_law_channel(builder, name, place, symbol);
}

/* The names of two joints that are coupled. */
static lmb_status read_joint_names(lmb_reader *reader, const lmb_tree *node, lmb_value *value)
{
    lmb_builder *r = (lmb_builder *)reader;
    int *joints = value->items;
    const lmb_model *m = r->model;
    if (node->kind != LMB_TREE_LIST || node->count != 2 || !lmb_tree_is_flat(node))
        return lmb_fail_at(r->context, node->place, "'joints' must be a list of two joints");
    for (int k = 0; k < 2; k++) {
        const lmb_tree *item = node->items[k];
        joints[k] = lmb_find_item(r, LMB_ITEM_JOINT, item->text, strlen(item->text));
        if (joints[k] < 0)
            return lmb_fail_joint(r, item->place, item->text);
        if (!m->joints[joints[k]].type)
            return LMB_BAD_INPUT; /* already reported */
    }
    if (joints[0] == joints[1])
        return lmb_fail_at(r->context, node->place, "joint '%s' cannot be coupled to itself",
                           m->joints[joints[0]].name);
    return LMB_OK;
}

lmb_builder lmb_builder_start(lmb_context *context, const lmb_spec *spec, lmb_model *model)
{
    static const lmb_reader_hooks hooks = {find, lmb_offer_law_channels, read_joint_names};
    lmb_arena *arena = model->arena;
    return (lmb_builder){.reader = {.context = context,
                                    .arena = arena,
                                    .spec = spec,
                                    .hooks = &hooks,
                                    .functions = lmb_functions_copy(arena, spec->functions)},
                         .context = context,
                         .arena = arena,
                         .model = model};
}
