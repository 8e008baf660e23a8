/* The section `initial`: values of joint coordinates and of their rates where a motion begins.
 *
 *   initial: {main.angle: 1.0, main.rate: 10, guide.offset_velocity: 0.1}
 *
 * A rate has the name of the channel (angle_velocity); of a joint with one coordinate also `rate`.
 * Those of one joint may stand together, so that they can be repeated:
 *
 *   initial:
 *     j{i}: {repeat: {i: [1, N]}, angle: 0.1*i, rate: 1} */
#include <stdio.h>
#include <string.h>

#include "model/builder.h"

static const char rate_suffix[] = "_velocity";

/* Which coordinate of a joint a word means, in the list of the model; -1: none, -2: several. */
static int find_coordinate(const lmb_model *m, const lmb_joint *j, const char *word, bool *rate)
{
    *rate = strcmp(word, "rate") == 0;
    if (*rate)
        return j->coordinate_count > 1 ? -2 : j->coordinate_count ? j->coordinate : -1;
    for (int i = j->coordinate; i < j->coordinate + j->coordinate_count; i++) {
        const char *name = m->parts.coordinates[i].name;
        size_t length = strlen(name);
        *rate = strncmp(word, name, length) == 0 && strcmp(word + length, rate_suffix) == 0;
        if (*rate || strcmp(word, name) == 0)
            return i;
    }
    return -1;
}

/* Says that a joint has no such coordinate, or several rates. */
static lmb_status fail_coordinate(lmb_builder *r, lmb_place place, const lmb_joint *j,
                                  const char *word, bool several)
{
    lmb_nearest nearest = lmb_nearest_start(word);
    const char *known = "";
    for (int i = 0; known && i < j->coordinate_count; i++) {
        const char *name = r->model->parts.coordinates[j->coordinate + i].name;
        const char *rate = lmb_text_format(r->arena, "%s%s", name, rate_suffix);
        known = lmb_text_format(r->arena, "%s%s'%s', '%s'", known, i ? ", " : "", name, rate);
        lmb_nearest_try(&nearest, name);
        if (rate)
            lmb_nearest_try(&nearest, rate);
    }
    if (several)
        lmb_fail_at(r->context, place, "joint '%s' has several rates", j->name);
    else
        lmb_fail_at(r->context, place, "joint '%s' has no coordinate '%s'", j->name, word);
    if (nearest.best && !several)
        return lmb_nearest_hint(r->context, &nearest);
    return lmb_hint(r->context,
                    j->coordinate_count ? "a %s joint has: %s" : "a %s joint has none%s",
                    j->type->name, known ? known : "");
}

/* One value of a joint; `place` is that of the word. */
static lmb_status read_value(lmb_builder *r, const char *joint_name, lmb_place joint_place,
                             const char *word, lmb_place place, const lmb_tree *node)
{
    lmb_model *m = r->model;
    lmb_initial x = {.joint = lmb_find_item(r, LMB_ITEM_JOINT, joint_name, strlen(joint_name))};
    if (x.joint < 0)
        return r->reader.incomplete ? LMB_BAD_INPUT : lmb_fail_joint(r, joint_place, joint_name);
    const lmb_joint *j = &m->joints[x.joint];
    if (!j->type)
        return LMB_BAD_INPUT; /* reported with the joint */
    x.coordinate = find_coordinate(m, j, word, &x.rate);
    if (x.coordinate < 0)
        return fail_coordinate(r, place, j, word, x.coordinate == -2);
    x.name = lmb_text_format(r->arena, "%s.%s", joint_name, word);
    if (!x.name || lmb_read_number(&r->reader, node, x.name, &x.value))
        return LMB_BAD_INPUT;
    for (int i = 0; i < m->initial_count; i++)
        if (m->initials[i].coordinate == x.coordinate && m->initials[i].rate == x.rate)
            return lmb_fail_at(r->context, place, "'%s' and '%s' are the same", x.name,
                               m->initials[i].name);
    if (!x.rate && m->parts.coordinates[x.coordinate].kind == LMB_COORDINATE_LENGTH &&
        !(x.value > 0))
        return lmb_fail_at(r->context, node->place, "'%s' must be positive", x.name);
    m->initials = lmb_arena_append(r->arena, m->initials, m->initial_count, sizeof *m->initials);
    if (!m->initials)
        return lmb_fail_memory(r->context);
    m->initials[m->initial_count++] = x;
    return LMB_OK;
}

/* "main.angle: 1" */
static lmb_status read_dotted(lmb_builder *r, const lmb_tree *key, const lmb_tree *node)
{
    size_t length = strcspn(key->text, ".");
    const char *joint = lmb_text_copy(r->arena, key->text, length);
    lmb_place first = key->place, second = key->place;
    first.length = (int)length;
    if (key->exact)
        second.column += (int)length + 1;
    second.length = (int)strlen(key->text + length + 1);
    return joint ? read_value(r, joint, first, key->text + length + 1, second, node)
                 : lmb_fail_memory(r->context);
}

/* "main: {angle: 1, rate: 10}" */
static lmb_status read_joint(lmb_builder *r, const lmb_tree *key, const lmb_tree *node)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < node->count; i++)
        if (read_value(r, key->text, key->place, node->keys[i]->text, node->keys[i]->place,
                       node->items[i]))
            status = LMB_BAD_INPUT;
    return status;
}

lmb_status lmb_read_initial(lmb_builder *r, const lmb_tree *section)
{
    lmb_status status = LMB_OK;
    if (lmb_tree_is_empty(section))
        return LMB_OK;
    if (section->kind != LMB_TREE_MAP)
        return lmb_fail_kind(&r->reader, section, "initial",
                             "a map of joint coordinates, such as {main.angle: 1}");
    for (int i = 0; i < section->count; i++) {
        const lmb_tree *key = section->keys[i], *node = section->items[i];
        lmb_status one = LMB_OK;
        if (strchr(key->text, '.'))
            one = read_dotted(r, key, node);
        else if (node->kind == LMB_TREE_MAP)
            one = read_joint(r, key, node);
        else {
            one = lmb_fail_at(r->context, key->place, "'%s' does not name a coordinate", key->text);
            lmb_hint(r->context, "write '%s.angle', or '%s: {angle: ...}'", key->text, key->text);
        }
        if (one)
            status = LMB_BAD_INPUT;
    }
    return status;
}
