/* The table of channels and their evaluation, row by row. */
#include "channels/channels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "channels/channel_list.h"
#include "channels/component.h"

/* --- sensors and events ----------------------------------------------------------------------- */

/* The channel that a name means, or a part of which, and where its numbers are; those of one
 * component at all nodes do not stand together, so that is no part here. -1: there is none. */
static int find(const lmb_channels *c, const char *name, int *at, int *size)
{
    lmb_channel_part part;
    int i = lmb_channel_find(&c->names, c->channels, sizeof *c->channels, name, &part);
    int columns = i < 0 ? 0 : lmb_channel_columns(&c->channels[i]);
    if (i < 0 || (part.nodes > 1 && part.columns < columns))
        return -1;
    *at = c->sources[i].at + part.node * columns + part.column;
    *size = part.nodes * part.columns;
    return i;
}

/* What a channel, or a part of it, is to an expression. */
static lmb_status take_channel(lmb_channels *c, int i, const char *name, lmb_place place,
                               lmb_symbol *symbol)
{
    const lmb_channel *ch = &c->channels[i];
    c->sources[i].used |= c->user;
    if (c->user == LMB_BY_EVENT && symbol->variable >= c->sensor_at)
        c->events_need |= LMB_BY_SENSOR;
    if (c->user == LMB_BY_OBJECTIVE && symbol->variable >= c->sensor_at)
        c->objectives_need |= LMB_BY_SENSOR | LMB_BY_EVENT;
    symbol->kind = LMB_SYMBOL_VARIABLE;
    if (symbol->size <= 3)
        return LMB_OK;
    char part[16];
    lmb_fail_at(c->context, place, "'%s' has %d numbers: name one of them", name, ch->size);
    return lmb_hint(c->context, "for example '%s%s'", name, lmb_component_name(ch, 0, part));
}

/* Looks a channel, a component of one, or a parameter up for an expression. */
static lmb_status find_channel(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    lmb_channels *c = user;
    symbol->kind = LMB_SYMBOL_NONE;
    int i = find(c, name, &symbol->variable, &symbol->size);
    if (i >= 0 && take_channel(c, i, name, place, symbol))
        return LMB_BAD_INPUT;
    for (i = 0; i < c->model->constant_count; i++)
        if (strcmp(c->model->constants[i].name, name) == 0)
            *symbol = c->model->constants[i].symbol;
    for (const lmb_counter *k = c->counter; k; k = k->outer)
        if (strcmp(k->name, name) == 0)
            *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 1, .value = {k->value}};
    return LMB_OK;
}

static void offer_channels(void *user, lmb_nearest *nearest)
{
    const lmb_channels *c = user;
    for (int i = 0; i < c->count; i++)
        lmb_nearest_try(nearest, c->channels[i].name);
    for (int i = 0; i < c->model->constant_count; i++)
        lmb_nearest_try(nearest, c->model->constants[i].name);
}

/* Forces and motion are known to some analyses only: say so if that is why a name is unknown. */
static void hint_at_analysis(const lmb_channels *c, const char *text)
{
    static const char *const of_inverse[] = {".force", ".torque", ".effort", ".power"};
    static const char *const of_motion[] = {"velocity", "acceleration", "energy."};
    for (size_t i = 0; i < 4 && !(c->known & LMB_KNOWN_REACTIONS); i++)
        if (strstr(text, of_inverse[i]))
            lmb_hint(c->context, "forces and efforts need an analysis of type inverse-dynamics or "
                                 "dynamics");
    for (size_t i = 0; i < 3 && !(c->known & LMB_KNOWN_MOTION); i++)
        if (strstr(text, of_motion[i]))
            lmb_hint(c->context, "an assembly has no motion");
}

static lmb_status add_sensors(lmb_channels *c, lmb_context *context)
{
    const lmb_model *m = c->model;
    lmb_scope scope = {find_channel, offer_channels, c, true};
    c->sensor_at = c->size;
    c->user = LMB_BY_SENSOR;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->sensor_count; i++) {
        const lmb_sensor *s = &m->sensors[i];
        if (s->kind == LMB_SENSOR_ACCELEROMETER && !(c->known & LMB_KNOWN_MOTION))
            status = lmb_fail_at(context, s->place,
                                 "'%s' measures an acceleration, but an assembly has no motion",
                                 s->name);
        if (s->kind != LMB_SENSOR_EXPRESSION)
            continue; /* they have their channels */
        const char *taken = c->known & LMB_KNOWN_MODES  ? "modes"
                            : c->known & LMB_KNOWN_PATH ? "path"
                                                        : "";
        if (strcmp(s->name, taken) == 0) {
            status = lmb_fail_at(context, s->place, "the name '%s' is taken by an analysis", taken);
            continue;
        }
        lmb_expr *e = lmb_expr_compile(context, c->arena, &scope, s->text, s->place);
        if (!e) {
            hint_at_analysis(c, s->text);
            status = LMB_BAD_INPUT;
            continue;
        }
        c->expressions[c->expression_count++] = e;
        int size = lmb_expr_size(e);
        lmb_channels_add(c, "", s->name, size,
                         size == 1   ? ""
                         : size == 2 ? "xy"
                                     : "xyz",
                         &(lmb_channel_source){0}, "", "Sensor.");
    }
    return status;
}

/* The expressions of events may use all channels of dynamics, sensors included. */
static lmb_status add_events(lmb_channels *c, lmb_context *context)
{
    const lmb_model *m = c->model;
    lmb_scope scope = {find_channel, offer_channels, c, true};
    c->event_at = c->size;
    c->first_event = c->expression_count;
    c->user = c->events_need = LMB_BY_EVENT;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->event_count && (c->known & LMB_KNOWN_WORK); i++) {
        const lmb_event *event = &m->events[i];
        c->counter = event->counter;
        lmb_expr *e = lmb_expr_compile(context, c->arena, &scope, event->text, event->place);
        if (!e || lmb_expr_size(e) != 1) {
            status = LMB_BAD_INPUT;
            if (!e)
                continue;
            lmb_fail_at(context, event->place, "'when' must be a number, not a vector");
            lmb_hint(context, "name a component, as in 'bob.position.y', or take its 'norm'");
            continue;
        }
        c->expressions[c->expression_count++] = e;
        lmb_channels_add(c, event->name, "value", 1, "", &(lmb_channel_source){0}, "",
                         "The expression whose crossing of zero is awaited.");
    }
    return status;
}

/* --- objectives ------------------------------------------------------------------------------- */

/* The mass of a body, by the name "crank.mass". */
static bool find_mass(const lmb_model *m, const char *name, double *mass)
{
    static const char ending[] = ".mass";
    size_t length = strlen(name), end = sizeof ending - 1;
    if (length <= end || strcmp(name + length - end, ending) != 0)
        return false;
    for (int i = 1; i < m->body_count; i++)
        if (strncmp(m->bodies[i].name, name, length - end) == 0 &&
            m->bodies[i].name[length - end] == '\0') {
            *mass = m->bodies[i].mass;
            return true;
        }
    return false;
}

static lmb_status find_for_objective(void *user, const char *name, lmb_place place,
                                     lmb_symbol *symbol)
{
    const lmb_channels *c = user;
    double mass;
    lmb_status status = find_channel(user, name, place, symbol);
    if (!status && symbol->kind == LMB_SYMBOL_NONE && find_mass(c->model, name, &mass))
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 1, .value = {mass}};
    return status;
}

lmb_status lmb_channels_add_objective(lmb_channels *c, lmb_context *context, const lmb_objective *o)
{
    lmb_scope scope = {find_for_objective, offer_channels, c, true};
    size_t most = (size_t)c->model->objective_count;
    if (!c->objectives) {
        c->objectives = lmb_arena_alloc(c->arena, most, sizeof *c->objectives);
        c->objective_values = lmb_arena_numbers(c->arena, most);
        c->needed = lmb_arena_integers(c->arena, (size_t)c->count + 1);
        if (!c->variables)
            c->variables = lmb_arena_alloc(c->arena, (size_t)c->size + 1, sizeof *c->variables);
        if (!lmb_arena_fine(c->arena))
            return lmb_fail_memory(context);
    }
    c->context = context;
    c->user = LMB_BY_OBJECTIVE;
    c->objectives_need |= LMB_BY_OBJECTIVE;
    c->counter = o->counter;
    lmb_expr *e = lmb_expr_compile(context, c->arena, &scope, o->text, o->place);
    if (!e) {
        hint_at_analysis(c, o->text);
        return LMB_BAD_INPUT;
    }
    if (lmb_expr_size(e) != 1) {
        lmb_fail_at(context, o->place, "an objective must be a number, not a vector");
        return lmb_hint(context, "name a component, as in 'bob.position.y', or take its 'norm'");
    }
    c->objectives[c->objective_count++] = e;
    c->needed_count = 0;
    for (int i = 0; i < c->count; i++)
        if (c->sources[i].used & c->objectives_need)
            c->needed[c->needed_count++] = i;
    return LMB_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

static lmb_status fill(lmb_channels *c, lmb_context *context)
{
    size_t count = (size_t)(c->model->sensor_count + c->model->event_count);
    bool moves = (c->known & LMB_KNOWN_MOTION) && !(c->known & LMB_KNOWN_MODES);
    lmb_channels_list_model(c);
    if (c->model->mode_count > 0 && moves && lmb_arena_fine(c->arena))
        c->record = lmb_run_record_new(c->arena, c->recovery, c);
    if (c->section_room > 0 && !(c->known & LMB_KNOWN_MODES) && lmb_arena_fine(c->arena))
        c->lines = lmb_line_record_new(c->arena, c->model, moves, c);
    c->expressions = lmb_arena_alloc(c->arena, count, sizeof *c->expressions);
    lmb_status status = lmb_check_memory(context, c->arena);
    if (status || (status = add_sensors(c, context)) || (status = add_events(c, context)))
        return status;
    c->row = lmb_arena_numbers(c->arena, (size_t)c->size);
    if (c->expression_count > 0)
        c->variables = lmb_arena_alloc(c->arena, (size_t)c->size, sizeof *c->variables);
    return lmb_check_memory(context, c->arena);
}

lmb_status lmb_channels_new(lmb_channels **out, lmb_context *context, const lmb_model *model,
                            unsigned known)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_channels *c = lmb_arena_object(&arena, sizeof *c);
    if (!c)
        return lmb_fail_memory(context);
    c->arena = arena;
    c->model = model;
    c->context = context;
    c->known = known;
    lmb_status status = fill(c, context);
    if (status) {
        lmb_channels_free(c);
        return status;
    }
    *out = c;
    return LMB_OK;
}

void lmb_channels_free(lmb_channels *c)
{
    if (c)
        lmb_arena_free(c->arena);
}

lmb_status lmb_channels_find(const lmb_channels *c, lmb_context *context, const char *name,
                             lmb_place place, int *at, int *size)
{
    if (find(c, name, at, size) >= 0)
        return LMB_OK;
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; i < c->count; i++)
        lmb_nearest_try(&nearest, c->channels[i].name);
    lmb_status status =
        place.file ? lmb_fail_at(context, place, "there is no channel '%s' in that analysis", name)
                   : lmb_fail(context, LMB_USAGE, "there is no channel '%s'", name);
    lmb_nearest_hint(context, &nearest);
    return status;
}

int lmb_channels_place(const lmb_channels *c, const char *item, const char *name)
{
    const char *full = lmb_text_format(c->arena, "%s.%s", item, name);
    const lmb_named *named = full ? lmb_names_find(&c->names, full, strlen(full)) : NULL;
    return named ? c->sources[named->index].at : -1;
}

void lmb_channels_number_name(const lmb_channels *c, int at, char *buffer, size_t size)
{
    int i = 0;
    while (i < c->count - 1 && c->sources[i + 1].at <= at)
        i++;
    char part[16];
    const lmb_channel *ch = &c->channels[i];
    lmb_snprintf(buffer, size, "%s%s", ch->name,
                 lmb_component_name(ch, at - c->sources[i].at, part));
}

void lmb_channels_more(lmb_channels *c, const double *more)
{
    memcpy(c->row + c->more_at, more, (c->known & LMB_KNOWN_MODES ? 4 : 3) * sizeof *more);
}

/* Evaluates the expressions from one on; the numbers that they use are in the row. */
static void evaluate_from(lmb_channels *c, double t, int first)
{
    double *out = c->row + (first < c->first_event ? c->sensor_at : c->event_at);
    for (int i = 0; i < c->size && c->expression_count; i++)
        c->variables[i] = (lmb_jet){c->row[i], 0, 0};
    for (int i = first; i < c->expression_count; i++) {
        lmb_jet value[3];
        lmb_expr_play(c->expressions[i], (lmb_jet){t, 0, 0}, NULL, c->variables, value);
        for (int k = 0; k < lmb_expr_size(c->expressions[i]); k++) {
            c->variables[out - c->row] = value[k];
            *out++ = value[k].f;
        }
    }
}

bool lmb_channel_is_computed(const lmb_channel_source *from)
{
    return from->get || (from->chain && from->chain->inner);
}

/* Compute the numbers of a channel. */
static void get(lmb_channels *c, const lmb_state *s, int i)
{
    const lmb_channel_source *from = &c->sources[i];
    const lmb_chain *x = from->chain;
    double *out = c->row + from->at, y[LMB_SECTION_NUMBERS];
    if (from->get) {
        from->get(c, s, from->item, from->part, out);
        return;
    }
    lmb_number n = {from->item, from->part, 0, from->item, -1, 0};
    x->locate(c, s, &n);
    x->inner(c, s, &n, y);
    for (; n.k < c->channels[i].size; n.k++)
        out[n.k] = x->linear ? x->linear(c, &n, y) : x->outer(c, &n, y, NULL);
}

/* The channels from one to another: those of single items, or the others. */
static void get_some(lmb_channels *c, const lmb_state *s, int wanted, int first, int end,
                     bool of_items)
{
    c->last.marker = c->last.joint = -1;
    for (int i = first; i < end; i++) {
        const lmb_channel_source *from = &c->sources[i];
        if ((from->used & wanted) && !(from->used & LMB_OF_ITEM) == !of_items &&
            lmb_channel_is_computed(from))
            get(c, s, i);
    }
}

void lmb_channels_next_instant(lmb_channels *c)
{
    lmb_recovery_next(c->recovery);
    c->sections_of = -1;
    c->energies.known = false;
    c->last.marker = c->last.joint = -1;
}

/* The work of several threads, each on a part of the channels. */
typedef struct job {
    const lmb_channels *channels;
    const lmb_state *state;
    int wanted, parts;
} job;

/* What is kept from channel to channel is a thread's own. */
static void get_part(void *data, int part)
{
    const job *j = data;
    lmb_channels own = *j->channels;
    int first = (int)((long)own.count * part / j->parts),
        end = (int)((long)own.count * (part + 1) / j->parts);
    get_some(&own, j->state, j->wanted, first, end, true);
}

static void get_numbers(lmb_channels *c, const lmb_state *s, int wanted)
{
    enum { WORTH_SHARING = 5000, PARTS = 32 };
    lmb_channels_next_instant(c);
    job j = {c, s, wanted, c->workers && c->count >= WORTH_SHARING ? PARTS : 1};
    lmb_workers_run(j.parts > 1 ? c->workers : NULL, get_part, &j, j.parts);
    get_some(c, s, wanted, 0, c->count, false);
}

void lmb_channels_share(lmb_channels *c, lmb_workers *workers)
{
    bool apart = true; /* bodies with room for what they compute are asked by one thread */
    for (int i = 0; i < c->model->body_count; i++)
        apart = apart && !c->model->bodies[i].ops->make_room;
    c->workers = apart ? workers : NULL;
}

const double *lmb_channels_row(lmb_channels *c, const lmb_state *s)
{
    get_numbers(c, s, LMB_BY_ROW | LMB_BY_SENSOR | LMB_BY_EVENT);
    evaluate_from(c, s->t, 0);
    return c->row;
}

/* Puts channels on the list of those that are read: one, or those that expressions use. */
static void want(lmb_channels *c, int channel, int used)
{
    int first = channel < 0 ? 0 : channel, end = channel < 0 ? c->count : channel + 1;
    for (int i = first; i < end; i++) {
        if ((channel < 0 && !(c->sources[i].used & used)) || (c->sources[i].used & LMB_BY_HANDLE))
            continue;
        c->sources[i].used |= LMB_BY_HANDLE;
        if (lmb_channel_is_computed(&c->sources[i]))
            c->wanted[c->wanted_count++] = i;
    }
}

lmb_status lmb_channels_want(lmb_channels *c, lmb_context *context, const char *name, int *at,
                             int *size)
{
    int channel = find(c, name, at, size);
    c->context = context;
    if (channel < 0) {
        lmb_status status = lmb_channels_find(c, context, name, (lmb_place){0}, at, size);
        hint_at_analysis(c, name);
        return status;
    }
    if (!c->wanted && !(c->wanted = lmb_arena_integers(c->arena, (size_t)c->count + 1)))
        return lmb_fail_memory(context);
    want(c, channel, 0);
    if (*at >= c->sensor_at && !c->expressions_wanted) {
        want(c, -1, LMB_BY_SENSOR | LMB_BY_EVENT);
        c->expressions_wanted = true;
    }
    return LMB_OK;
}

const double *lmb_channels_wanted(lmb_channels *c, const lmb_state *s)
{
    lmb_channels_next_instant(c);
    for (int i = 0; i < c->wanted_count; i++)
        get(c, s, c->wanted[i]);
    if (c->expressions_wanted)
        evaluate_from(c, s->t, 0);
    return c->row;
}

const double *lmb_channels_events(lmb_channels *c, const lmb_state *s)
{
    get_numbers(c, s, c->events_need);
    evaluate_from(c, s->t, c->events_need & LMB_BY_SENSOR ? 0 : c->first_event);
    return c->row + c->event_at;
}

const double *lmb_channels_objectives(lmb_channels *c, const lmb_state *s)
{
    lmb_channels_next_instant(c);
    for (int i = 0; i < c->needed_count; i++) {
        const lmb_channel_source *from = &c->sources[c->needed[i]];
        if (lmb_channel_is_computed(from))
            get(c, s, c->needed[i]);
        for (int k = from->at; k < from->at + c->channels[c->needed[i]].size; k++)
            c->variables[k] = (lmb_jet){c->row[k], 0, 0};
    }
    if (c->objectives_need & LMB_BY_SENSOR) {
        evaluate_from(c, s->t, 0);
        for (int k = 0; k < c->size; k++)
            c->variables[k] = (lmb_jet){c->row[k], 0, 0};
    }
    for (int i = 0; i < c->objective_count; i++) {
        lmb_jet value;
        lmb_expr_play(c->objectives[i], (lmb_jet){s->t, 0, 0}, NULL, c->variables, &value);
        c->objective_values[i] = value.f;
    }
    return c->objective_values;
}

void lmb_channels_take(lmb_channels *c, lmb_context *context, double t, const double *row)
{
    if (c->record)
        lmb_run_record_take(c->record, context, t, row);
    if (c->lines)
        lmb_line_record_take(c->lines, context, t, row);
}

void lmb_channels_take_rows(lmb_channels *c, lmb_context *context, lmb_workers *workers, int count,
                            const double *t, double *rows)
{
    if (c->record)
        lmb_run_record_take_rows(c->record, context, workers, count, t, rows, (size_t)c->size);
    for (int i = 0; c->lines && i < count; i++)
        lmb_line_record_take(c->lines, context, t[i], rows + (size_t)i * (size_t)c->size);
}

int lmb_channels_width(const lmb_channels *c)
{
    return c->size;
}

void lmb_channels_limit(lmb_channels *c, lmb_span span)
{
    if (c->record)
        c->record->span = span;
    if (c->lines)
        c->lines->span = span;
}

const lmb_run_record *lmb_channels_record(const lmb_channels *c)
{
    return c->record;
}

const lmb_line_record *lmb_channels_line_record(const lmb_channels *c)
{
    return c->lines;
}
