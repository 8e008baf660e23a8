/* The section `events`. */
#include "analysis/analysis.h"
#include "model/fields.h"
#include "model/builder.h"

/* What an event is read into. */
typedef struct keys {
    const lmb_tree *when, *release, *latch;
    lmb_crossing direction;
    bool stop;
} keys;

#define KEY(member) LMB_KEY(keys, member)

const lmb_field lmb_event_fields[] = {
    {KEY(when), LMB_FIELD_TREE, NULL,
     "An expression of channels and t: the event happens where it crosses zero, once in an "
     "analysis.",
     .required = true, .choices = "number"},
    {KEY(direction), LMB_FIELD_CHOICE, NULL, "Which way the expression must cross zero.", "any",
     .choices = "any rising falling"},
    {KEY(release), LMB_FIELD_TREE, NULL,
     "A list of joints, drivers and forces that do not act from then on.", .choices = "any_names"},
    {KEY(latch), LMB_FIELD_TREE, NULL,
     "A list of joints, drivers and forces that act from then on; until then they are left out by "
     "'without'.",
     .choices = "any_names"},
    {KEY(stop), LMB_FIELD_FLAG, NULL, "true: the analysis ends there.", "false"},
    {0},
};

/* What the event does; it must do something. */
static lmb_status read_actions(lmb_builder *r, const lmb_tree *key, const keys *k, lmb_event *event)
{
    event->stop = k->stop;
    if ((k->release && lmb_read_selection(r, k->release, "release", &event->release)) ||
        (k->latch && lmb_read_selection(r, k->latch, "latch", &event->latch)))
        return LMB_BAD_INPUT;
    const lmb_selection *off = &event->release, *on = &event->latch;
    if (event->stop || off->joint_count || off->driver_count || off->force_count ||
        on->joint_count || on->driver_count || on->force_count)
        return LMB_OK;
    lmb_fail_at(r->context, key->place, "event '%s' does nothing", key->text);
    return lmb_hint(r->context,
                    "give it 'release' or 'latch' with a list of names, or 'stop: true'");
}

static lmb_status read_event(lmb_reader *reader, const lmb_entry *e, void *unused)
{
    lmb_builder *r = (lmb_builder *)reader;
    lmb_model *m = r->model;
    const lmb_tree *key = e->key;
    keys k;
    (void)unused;
    if (lmb_check_unused(r, key) ||
        lmb_read_fields(reader, e->node, lmb_event_fields, e->what, NULL, &k))
        return LMB_BAD_INPUT;
    const lmb_tree *when = k.when;
    if (when->kind != LMB_TREE_TEXT || !when->text[0])
        return lmb_fail_kind(&r->reader, when, "when", "an expression of channels");
    lmb_event event = {.name = key->text,
                       .text = when->text,
                       .place = lmb_text_place(when),
                       .counter = when->counter,
                       .direction = k.direction};
    if (read_actions(r, key, &k, &event))
        return LMB_BAD_INPUT;
    m->events[m->event_count++] = event;
    return lmb_add_item(r, LMB_ITEM_EVENT, event.name, m->event_count - 1);
}

lmb_status lmb_read_events(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    m->events = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->events);
    return lmb_read_section(&r->reader, section, "events", "event", "events", read_event, NULL);
}

/* --- what is latched must be off before ------------------------------------------------------- */

static bool lists(const int *list, int count, int index)
{
    for (int i = 0; i < count; i++)
        if (list[i] == index)
            return true;
    return false;
}

/* Whether a list switches an item off, by itself or with its joint. */
static bool takes(const lmb_model *m, const lmb_selection *x, lmb_item_kind kind, int index)
{
    int joint = kind == LMB_ITEM_JOINT    ? index
                : kind == LMB_ITEM_DRIVER ? m->drivers[index].joint
                                          : m->forces[index].joint;
    return lists(x->joints, x->joint_count, joint) ||
           (kind == LMB_ITEM_DRIVER && lists(x->drivers, x->driver_count, index)) ||
           (kind == LMB_ITEM_FORCE && lists(x->forces, x->force_count, index));
}

/* An item must be left out of the analysis, or released by an event of it. */
static lmb_status check_latch(lmb_builder *r, const lmb_analysis *a, const lmb_event *event,
                              lmb_item_kind kind, int index)
{
    const lmb_model *m = r->model;
    bool off = takes(m, &a->without, kind, index);
    for (int i = 0; i < m->event_count; i++)
        off = off || (!lists(a->without.events, a->without.event_count, i) &&
                      takes(m, &m->events[i].release, kind, index));
    if (off)
        return LMB_OK;
    const char *name = kind == LMB_ITEM_JOINT    ? m->joints[index].name
                       : kind == LMB_ITEM_DRIVER ? m->drivers[index].name
                                                 : m->forces[index].name;
    lmb_fail_at(r->context, a->place,
                "event '%s' latches '%s', which acts from the beginning of analysis '%s'",
                event->name, name, a->name);
    return lmb_hint(r->context,
                    "leave it out at first: 'without: [%s]'; or the event: 'without: [%s]'", name,
                    event->name);
}

lmb_status lmb_check_latches(lmb_builder *r)
{
    const lmb_model *m = r->model;
    lmb_status status = LMB_OK;
    for (int k = 0; k < m->analysis_count * m->event_count; k++) {
        const lmb_analysis *a = &m->analyses[k / m->event_count];
        const lmb_event *event = &m->events[k % m->event_count];
        const lmb_selection *x = &event->latch;
        if (!(a->kind->known & LMB_KNOWN_WORK) ||
            lists(a->without.events, a->without.event_count, k % m->event_count))
            continue;
        for (int i = 0; !status && i < x->joint_count; i++)
            status = check_latch(r, a, event, LMB_ITEM_JOINT, x->joints[i]);
        for (int i = 0; !status && i < x->driver_count; i++)
            status = check_latch(r, a, event, LMB_ITEM_DRIVER, x->drivers[i]);
        for (int i = 0; !status && i < x->force_count; i++)
            status = check_latch(r, a, event, LMB_ITEM_FORCE, x->forces[i]);
    }
    return status;
}
