/* The section `analyses`, and the lists of what an analysis or an event switches. */

#include <string.h>

#include "analysis/analysis.h"
#include "model/fields.h"
#include "model/sections.h"

enum { MOST_INSTANTS = 100000000 };

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

/* The earlier analysis that an analysis begins from, and its `start`. */
static lmb_status read_from(lmb_builder *r, const lmb_value *from, const lmb_value *start,
                            lmb_analysis *a)
{
    const lmb_model *m = r->model;
    lmb_nearest nearest;
    a->from =
        lmb_find_name(m->analyses, sizeof *m->analyses, m->analysis_count, from->text, &nearest);
    if (a->from < 0) {
        lmb_fail_at(r->context, from->place, "there is no analysis '%s' before '%s'", from->text,
                    a->name);
        return lmb_nearest_hint(r->context, &nearest);
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

/* --- the section --------------------------------------------------------------------------------
 */

#define KEY(member) LMB_KEY(lmb_analysis_keys, member)

/* The words of `type` and `integrator`, and what they mean, are those of the kinds. */
const lmb_field lmb_analysis_fields[] = {
    {KEY(type), LMB_FIELD_CHOICE, NULL, "", .required = true},
    {KEY(duration), LMB_FIELD_NUMBER, "s", "How long (not for assembly, statics and modes).",
     .range = LMB_POSITIVE},
    {KEY(output_step), LMB_FIELD_NUMBER, "s", "Time between results.",
     "a hundredth of the duration", LMB_POSITIVE},
    {KEY(start), LMB_FIELD_NUMBER, "s", "The time to start at.", "0"},
    {KEY(integrator), LMB_FIELD_CHOICE, NULL, "For dynamics. ",
     "rk45, or generalized-alpha with flexible bodies"},
    {KEY(tolerance), LMB_FIELD_NUMBER, NULL,
     "The relative error allowed per step, for rk45, ida and, if given, for generalized-alpha, hht "
     "and newmark.",
     "1e-9 for rk45 and ida, a fixed step for the others", LMB_POSITIVE},
    {KEY(step), LMB_FIELD_NUMBER, "s",
     "For all but rk45 and ida: the length of a step; for generalized-alpha, hht and newmark with "
     "a 'tolerance' the longest.",
     "a tenth of the output step", LMB_POSITIVE},
    {KEY(spectral_radius), LMB_FIELD_NUMBER, NULL,
     "For generalized-alpha, hht and newmark: the spectral radius at infinite frequency, 0 to 1; "
     "the smaller, the more fast oscillations are damped.",
     "0.9", LMB_NOT_NEGATIVE, .otherwise = 0.9},
    {KEY(stabilisation), LMB_FIELD_CHOICE, NULL,
     "How the explicit integrators prevent constraint drift: projection after each step; "
     "coordinate partitioning, which integrates independent coordinates only; Baumgarte "
     "stabilisation; or none.",
     "projection", .choices = "projection partitioning baumgarte none"},
    {KEY(independent), LMB_FIELD_TREE, NULL,
     "For partitioning: the independent coordinates, such as [crank.angle], as many as there are "
     "degrees of freedom.",
     "chosen by pivoting, again when needed", .choices = "any_names"},
    {KEY(baumgarte), LMB_FIELD_NUMBER, "1/s",
     "For Baumgarte stabilisation: rate at which constraint violations decay.", "20", LMB_POSITIVE,
     .otherwise = 20},
    {KEY(rotation_update), LMB_FIELD_CHOICE, NULL,
     "For the explicit integrators in space: whether rotations follow exactly, or by a Taylor "
     "series of second order of the rotation matrix, to compare.",
     "exact", .choices = "exact taylor"},
    {KEY(without), LMB_FIELD_TREE, NULL,
     "A list of joints, drivers, forces and events that do not act in this analysis.", "all act",
     .choices = "any_names"},
    {KEY(from), LMB_FIELD_NAME, NULL,
     "An earlier analysis: this one begins with the positions and velocities that it has at "
     "'start', or at its end if no 'start' is given.",
     "from the placement of the model", .choices = "analysis"},
    {0},
};

/* What the section is read with. */
typedef struct reading {
    const lmb_field *fields;
    bool complete;
} reading;

static lmb_status read_analysis(lmb_reader *reader, const lmb_entry *e, void *user)
{
    lmb_builder *r = (lmb_builder *)reader;
    const reading *with = user;
    const lmb_tree *key = e->key;
    const char *what = e->what;
    lmb_analysis_keys k;
    if (lmb_read_fields(reader, e->node, with->fields, what, NULL, &k))
        return LMB_BAD_INPUT;
    lmb_analysis a = {.name = key->text,
                      .kind = r->model->kinds->analyses[k.type],
                      .start = k.start.number,
                      .duration = k.duration.number,
                      .from = -1,
                      .place = key->place};
    bool instant = a.kind->timeless;
    if (instant && k.duration.given)
        return lmb_fail_at(r->context, k.duration.place, "%s no time: remove 'duration'",
                           a.kind->timeless);
    if (!instant && !k.duration.given)
        return lmb_fail_at(r->context, key->place, "%s needs the key 'duration'", what);
    a.output_step = k.output_step.given ? k.output_step.number : a.duration / 100;
    if (!instant && a.duration / a.output_step > MOST_INSTANTS)
        return lmb_fail_at(r->context, k.output_step.place,
                           "%s would store %.3g instants, more than %d", what,
                           a.duration / a.output_step, MOST_INSTANTS);
    lmb_status status = lmb_read_integration(r, &k, a.output_step, &a.integration);
    if (!status && with->complete && k.without)
        status = lmb_read_selection(r, k.without, "without", &a.without);
    if (!status && k.from.given)
        status = read_from(r, &k.from, &k.start, &a);
    r->model->analyses[r->model->analysis_count++] = a;
    return status;
}

lmb_status lmb_read_analyses(lmb_builder *r, const lmb_tree *section, bool complete)
{
    lmb_model *m = r->model;
    m->analyses = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->analyses);
    reading with = {lmb_analysis_table(r->arena, m->kinds), complete};
    return lmb_read_section(&r->reader, section, "analyses", "analysis", "analyses", read_analysis,
                            &with);
}
