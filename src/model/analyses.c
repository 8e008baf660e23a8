/* What an analysis says about other parts of the model: what it does without, and the analysis that
 * it begins from; and the lists of what an event switches. */
#include <string.h>

#include "model/sections.h"

/* What a key does with the names of its list. */
static const char *deed(const char *key)
{
    return strcmp(key, "without") == 0   ? "left out"
           : strcmp(key, "release") == 0 ? "released"
                                         : "latched";
}

/* Says that a name is none of those that the list may have. */
static lmb_status fail_item(lmb_builder *r, const lmb_tree *node, const char *key)
{
    static const char *const kinds[] = {"a body", "", "", "", "a sensor", "an event"};
    const lmb_model *m = r->model;
    const lmb_named *found = lmb_names_find(&r->items, node->text, strlen(node->text));
    bool events = strcmp(key, "without") == 0;
    if (found)
        return lmb_fail_at(r->context, node->place, "'%s' is %s: only joints, drivers%s can be %s",
                           node->text, kinds[found->kind],
                           events ? ", forces and events" : " and forces", deed(key));
    lmb_fail_at(r->context, node->place, "there is no joint, driver%s '%s'",
                events ? ", force or event" : " or force", node->text);
    lmb_nearest nearest = lmb_nearest_start(node->text);
    for (int i = 0; i < m->joint_count; i++)
        lmb_nearest_try(&nearest, m->joints[i].name);
    for (int i = 0; i < m->driver_count; i++)
        lmb_nearest_try(&nearest, m->drivers[i].name);
    for (int i = 0; i < m->force_count; i++)
        lmb_nearest_try(&nearest, m->forces[i].name);
    for (int i = 0; events && i < m->event_count; i++)
        lmb_nearest_try(&nearest, m->events[i].name);
    lmb_nearest_hint(r->context, &nearest);
    return LMB_BAD_INPUT;
}

static lmb_status read_item(lmb_builder *r, const lmb_tree *node, const char *key,
                            lmb_selection *out)
{
    if (node->kind != LMB_TREE_TEXT)
        return lmb_fail_kind(&r->reader, node, key, "a list of names");
    const lmb_named *found = lmb_names_find(&r->items, node->text, strlen(node->text));
    if (found && found->kind == LMB_ITEM_JOINT)
        out->joints[out->joint_count++] = found->index;
    else if (found && found->kind == LMB_ITEM_DRIVER)
        out->drivers[out->driver_count++] = found->index;
    else if (found && found->kind == LMB_ITEM_FORCE)
        out->forces[out->force_count++] = found->index;
    else if (found && found->kind == LMB_ITEM_EVENT && strcmp(key, "without") == 0)
        out->events[out->event_count++] = found->index;
    else
        return fail_item(r, node, key);
    return LMB_OK;
}

lmb_status lmb_read_selection(lmb_builder *r, const lmb_tree *node, const char *key,
                              lmb_selection *out)
{
    if (node->kind != LMB_TREE_LIST) {
        lmb_fail_kind(&r->reader, node, key, "a list of names");
        if (node->kind == LMB_TREE_TEXT && node->text[0])
            lmb_hint(r->context, "write '%s: [%s]'", key, node->text);
        return LMB_BAD_INPUT;
    }
    size_t count = (size_t)node->count;
    *out = (lmb_selection){.joints = lmb_arena_integers(r->arena, count),
                           .drivers = lmb_arena_integers(r->arena, count),
                           .forces = lmb_arena_integers(r->arena, count),
                           .events = lmb_arena_integers(r->arena, count)};
    if (!out->joints || !out->drivers || !out->forces || !out->events)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < node->count; i++)
        if (read_item(r, node->items[i], key, out))
            status = LMB_BAD_INPUT;
    return status;
}

lmb_status lmb_read_from(lmb_builder *r, const lmb_value *from, const lmb_value *start,
                         lmb_analysis *a)
{
    const lmb_model *m = r->model;
    lmb_nearest nearest = lmb_nearest_start(from->text);
    for (int i = 0; i < m->analysis_count; i++) {
        lmb_nearest_try(&nearest, m->analyses[i].name);
        if (strcmp(m->analyses[i].name, from->text) == 0)
            a->from = i;
    }
    if (a->from < 0) {
        lmb_fail_at(r->context, from->place, "there is no analysis '%s' before '%s'", from->text,
                    a->name);
        lmb_nearest_hint(r->context, &nearest);
        return LMB_BAD_INPUT;
    }
    const lmb_analysis *other = &m->analyses[a->from];
    if (!start->given)
        a->start = other->start + other->duration;
    if (lmb_instant_at(other, a->start) >= 0)
        return LMB_OK;
    lmb_fail_at(r->context, start->place, "analysis '%s' has no result at t = %g to begin from",
                from->text, a->start);
    if (other->duration > 0)
        lmb_hint(r->context, "it has results from %g to %g in steps of %g", other->start,
                 other->start + other->duration, other->output_step);
    return LMB_BAD_INPUT;
}
