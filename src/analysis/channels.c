/* The table of channels and their evaluation, row by row. */
#include "analysis/channels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/channel_values.h"

typedef struct source {
    lmb_getter *get;
    int index;
    int at;                         /* where its numbers start in the row */
    int used;                       /* by what: BY_SENSOR, BY_EVENT */
    const lmb_recovered *recovered; /* instead of get */
} source;

enum { BY_SENSOR = 1, BY_EVENT = 2, BY_ALL = 4 };

struct lmb_channels {
    lmb_arena *arena;
    lmb_context *context; /* while it is being made */
    lmb_analysis_type type;
    const lmb_model *model;
    lmb_channel *channels;
    source *sources;
    int count, room;
    int size;
    bool failed;
    const lmb_expr **expressions; /* of the sensors, then of the events */
    int expression_count, first_event;
    int mode_at;                /* where the numbers of a mode start in the row, */
    int sensor_at, event_at;    /* and those of sensors and events */
    int user;                   /* what is being compiled: BY_SENSOR, BY_EVENT */
    const lmb_counter *counter; /* the counters that it can use */
    int events_need;            /* what must be evaluated for the events */
    double *row;
    lmb_jet *variables;
    lmb_recovery *recovery;
    lmb_run_record *record; /* NULL: no flexible bodies, or nothing to record */
};

/* --- the list --------------------------------------------------------------------------------- */

/* Adds a channel "item.name" with so many numbers, which have letters or are counted. */
static void add_many(lmb_channels *c, const char *item, const char *name, int size,
                     const char *components, const char *unit, const char *doc, lmb_getter *get,
                     int index)
{
    if (c->count == c->room) {
        int room = c->room ? 2 * c->room : 64;
        size_t old = (size_t)c->count, larger = (size_t)room;
        c->channels = lmb_arena_grow(c->arena, c->channels, old, larger, sizeof *c->channels);
        c->sources = lmb_arena_grow(c->arena, c->sources, old, larger, sizeof *c->sources);
        c->room = room;
        c->failed = c->failed || !c->channels || !c->sources;
    }
    if (c->failed)
        return;
    const char *full = item[0] ? lmb_text_format(c->arena, "%s.%s", item, name)
                               : lmb_text_copy(c->arena, name, strlen(name));
    c->failed = !full;
    c->channels[c->count] = (lmb_channel){full, unit, doc, size, components};
    c->sources[c->count++] = (source){.get = get, .index = index, .at = c->size, .used = BY_ALL};
    c->size += size;
}

/* Adds a channel "item.name" with as many numbers as letters (none: one number). */
static void add(lmb_channels *c, const char *item, const char *name, const char *components,
                const char *unit, const char *doc, lmb_getter *get, int index)
{
    int size = components[0] ? (int)strlen(components) : 1;
    add_many(c, item, name, size, components, unit, doc, get, index);
}

/* What flexible bodies have besides. */
static void add_deformation(lmb_channels *c, int i, bool moving)
{
    const lmb_body *b = &c->model->bodies[i];
    int modes = b->nv - b->rigid_nv;
    if (modes == 0)
        return;
    add_many(c, b->name, "modes", modes, "", "", "Modal coordinates of its deformation.",
             lmb_get_modes, i);
    if (!moving)
        return;
    add_many(c, b->name, "modes_velocity", modes, "", "1/s", "Their rates.", lmb_get_modes_velocity,
             i);
    add_many(c, b->name, "modes_acceleration", modes, "", "1/s^2", "Their second derivatives.",
             lmb_get_modes_acceleration, i);
    add(c, b->name, "energy", "", "J", "Elastic energy of its deformation.", lmb_get_body_elastic,
        i);
}

static void add_body(lmb_channels *c, int i, bool moving)
{
    const lmb_model *m = c->model;
    const char *name = m->bodies[i].name, *xyz = m->dimension == 2 ? "xy" : "xyz";
    const char *turn = m->dimension == 2 ? "" : "xyz";
    int marker = m->body_marker[i];
    bool turns = m->bodies[i].ops != &lmb_body_particle, in_space = m->dimension == 3;
    bool flexible = m->bodies[i].modal != NULL;
    add(c, name, "position", xyz, "m",
        flexible ? "Position of its frame." : "Position of the centre of mass.",
        lmb_get_marker_position, marker);
    add_deformation(c, i, moving);
    if (turns && !in_space)
        add(c, name, "angle", "", "rad", "Angle of its x axis from the global one.",
            lmb_get_body_angle, i);
    if (turns && in_space) {
        add(c, name, "quaternion", "wxyz", "", "Orientation as a unit quaternion.",
            lmb_get_body_quaternion, i);
        add(c, name, "rotation", "xyz", "rad", "Orientation as a rotation vector.",
            lmb_get_body_rotation, i);
    }
    if (!moving)
        return;
    add(c, name, "velocity", xyz, "m/s",
        flexible ? "Velocity of its frame." : "Velocity of the centre of mass.",
        lmb_get_marker_velocity, marker);
    if (turns)
        add(c, name, "angular_velocity", turn, "rad/s", "Angular velocity in global axes.",
            lmb_get_body_angular_velocity, i);
    if (turns && in_space)
        add(c, name, "angular_velocity_local", turn, "rad/s", "Angular velocity in body axes.",
            lmb_get_body_angular_velocity_local, i);
    add(c, name, "acceleration", xyz, "m/s^2",
        flexible ? "Acceleration of its frame." : "Acceleration of the centre of mass.",
        lmb_get_marker_acceleration, marker);
    if (turns)
        add(c, name, "angular_acceleration", turn, "rad/s^2",
            "Angular acceleration in global axes.", lmb_get_body_angular_acceleration, i);
    if (turns && in_space)
        add(c, name, "angular_acceleration_local", turn, "rad/s^2",
            "Angular acceleration in body axes.", lmb_get_body_angular_acceleration_local, i);
}

static void add_point(lmb_channels *c, const lmb_point *p, bool moving)
{
    const char *xyz = c->model->dimension == 2 ? "xy" : "xyz";
    add(c, p->name, "position", xyz, "m", "Position of the point.", lmb_get_marker_position,
        p->marker);
    if (!moving)
        return;
    add(c, p->name, "velocity", xyz, "m/s", "Velocity of the point.", lmb_get_marker_velocity,
        p->marker);
    add(c, p->name, "acceleration", xyz, "m/s^2", "Acceleration of the point.",
        lmb_get_marker_acceleration, p->marker);
}

static void add_coordinates(lmb_channels *c, const lmb_joint *j, bool moving)
{
    for (int i = j->coordinate; i < j->coordinate + j->coordinate_count; i++) {
        const lmb_coordinate *x = &c->model->parts.coordinates[i];
        bool angle = x->kind == LMB_COORDINATE_ANGLE;
        add(c, j->name, x->name, "", angle ? "rad" : "m", "Joint coordinate.", lmb_get_coordinate,
            i);
        const char *rate = lmb_text_format(c->arena, "%s_velocity", x->name);
        const char *second = lmb_text_format(c->arena, "%s_acceleration", x->name);
        if (!rate || !second) {
            c->failed = true;
            return;
        }
        if (moving) {
            add(c, j->name, rate, "", angle ? "rad/s" : "m/s", "Rate of the joint coordinate.",
                lmb_get_coordinate_velocity, i);
            add(c, j->name, second, "", angle ? "rad/s^2" : "m/s^2",
                "Second derivative of the joint coordinate.", lmb_get_coordinate_acceleration, i);
        }
    }
}

static void add_reactions(lmb_channels *c, int i)
{
    const lmb_model *m = c->model;
    const char *name = m->joints[i].name, *xyz = m->dimension == 2 ? "xy" : "xyz";
    const char *turn = m->dimension == 2 ? "" : "xyz";
    add(c, name, "force", xyz, "N", "Force of the first body on the second, global axes.",
        lmb_get_joint_force, i);
    add(c, name, "torque", turn, "N m",
        "Torque of the first body on the second at its point, global axes.", lmb_get_joint_torque,
        i);
    add(c, name, "force_local", xyz, "N", "The force in the axes of the first end.",
        lmb_get_joint_force_local, i);
    if (m->dimension == 3)
        add(c, name, "torque_local", turn, "N m", "The torque in the axes of the first end.",
            lmb_get_joint_torque_local, i);
    if (m->joints[i].driver < 0)
        return;
    add(c, name, "force_total", xyz, "N", "The force together with that of its drivers.",
        lmb_get_joint_force_total, i);
    add(c, name, "torque_total", turn, "N m", "The torque together with that of its drivers.",
        lmb_get_joint_torque_total, i);
}

static void add_driver(lmb_channels *c, int i, bool reactions)
{
    const lmb_driver *d = &c->model->drivers[i];
    const lmb_coordinate *x = &c->model->parts.coordinates[d->coordinate];
    bool angle = x->kind == LMB_COORDINATE_ANGLE;
    const char *what = angle ? "angle" : x->kind == LMB_COORDINATE_OFFSET ? "offset" : "length";
    add(c, d->name, what, "", angle ? "rad" : "m", "Prescribed coordinate.", lmb_get_driver_value,
        i);
    add(c, d->name, "velocity", "", angle ? "rad/s" : "m/s", "Its rate.", lmb_get_driver_velocity,
        i);
    add(c, d->name, "acceleration", "", angle ? "rad/s^2" : "m/s^2", "Its second derivative.",
        lmb_get_driver_acceleration, i);
    if (!reactions)
        return;
    add(c, d->name, "effort", "", angle ? "N m" : "N",
        "What the driver must supply, positive along its motion.", lmb_get_driver_effort, i);
    add(c, d->name, "power", "", "W", "Effort times rate.", lmb_get_driver_power, i);
}

static void add_bushing(lmb_channels *c, int i)
{
    const char *name = c->model->forces[i].name, *xyz = c->model->dimension == 2 ? "xy" : "xyz";
    const char *turn = c->model->dimension == 2 ? "" : "xyz";
    add(c, name, "offset", xyz, "m", "Displacement of the second point, axes of the first.",
        lmb_get_force_deformation, i);
    add(c, name, "rotation", turn, "rad", "Rotation vector of the second point, the same axes.",
        lmb_get_force_rotation, i);
    add(c, name, "force", xyz, "N", "Force on the second body, global axes.", lmb_get_force_on_b,
        i);
    add(c, name, "torque", turn, "N m", "Torque on the second body at its point, global axes.",
        lmb_get_torque_on_b, i);
}

static void add_force(lmb_channels *c, int i)
{
    const lmb_force *f = &c->model->forces[i];
    const char *xyz = c->model->dimension == 2 ? "xy" : "xyz";
    bool angle = f->kind == LMB_COORDINATE_ANGLE;
    if (f->type == &lmb_force_friction) {
        if (c->type < LMB_INVERSE_DYNAMICS)
            return; /* reactions are not known */
        add(c, f->name, "normal", "", "N", "Size of the force in the joint.", lmb_get_force_normal,
            i);
    }
    if (f->type == &lmb_force_unbalance) {
        add(c, f->name, "force", xyz, "N", "What acts on the body, global axes.",
            lmb_get_force_on_b, i);
        return;
    }
    if (f->type == &lmb_force_bushing) {
        add_bushing(c, i);
        return;
    }
    if (f->type == &lmb_force_push || f->type == &lmb_force_twist) {
        bool twist = f->type == &lmb_force_twist;
        const char *turn = c->model->dimension == 2 ? "" : "xyz";
        add(c, f->name, f->type->name, twist ? turn : xyz, twist ? "N m" : "N",
            "What acts on the body, global axes.", lmb_get_force_vector, i);
        return;
    }
    const char *what = angle ? "angle" : f->kind == LMB_COORDINATE_OFFSET ? "offset" : "length";
    add(c, f->name, what, "", angle ? "rad" : "m", "The coordinate that it acts along.",
        lmb_get_force_coordinate, i);
    add(c, f->name, "speed", "", angle ? "rad/s" : "m/s", "The rate of that coordinate.",
        lmb_get_force_speed, i);
    add(c, f->name, "effort", "", angle ? "N m" : "N",
        "Force or torque along the coordinate; a stretched spring pulls: negative.",
        lmb_get_force_effort, i);
    add(c, f->name, "power", "", "W", "Effort times rate.", lmb_get_force_power, i);
}

static void add_event(lmb_channels *c, int i)
{
    const char *name = c->model->events[i].name;
    add(c, name, "count", "", "", "0 before it happens, 1 afterwards.", lmb_get_event_count, i);
    add(c, name, "time", "", "s", "When it happened; not a number before.", lmb_get_event_time, i);
}

/* Channels recovered from deformations, and instruments. */
static void add_recovered(lmb_channels *c)
{
    c->recovery = lmb_recovery_new(c->arena, c->model, c->type);
    c->failed = c->failed || !c->recovery;
    for (int i = 0; !c->failed && i < c->recovery->count; i++) {
        const lmb_recovered *of = &c->recovery->channels[i];
        const lmb_channel *ch = &of->channel;
        add_many(c, "", ch->name, ch->size, ch->components, ch->unit, ch->doc, NULL, i);
        if (!c->failed)
            c->sources[c->count - 1].recovered = of;
    }
}

/* The record of what flexible bodies go through, which begins with the first row. */
static void make_record(lmb_channels *c)
{
    if (c->model->mode_count == 0 || c->type == LMB_ASSEMBLY || c->type == LMB_MODES || c->failed)
        return;
    c->record = lmb_run_record_new(c->arena, c->recovery, c->count, c->channels);
    c->failed = !c->record;
}

/* --- sensors and events ----------------------------------------------------------------------- */

/* Whether a name is that of a channel or of one of its components, and where its numbers are. */
static bool matches(const lmb_channels *c, int channel, const char *name, int *at, int *size)
{
    const lmb_channel *ch = &c->channels[channel];
    size_t length = strlen(ch->name);
    if (strncmp(ch->name, name, length) != 0)
        return false;
    const char *rest = name + length;
    const char *letter =
        rest[0] == '.' && rest[1] && !rest[2] ? strchr(ch->components, rest[1]) : NULL;
    char *end = NULL;
    bool counted = ch->size > 1 && !ch->components[0] && rest[0] == '.';
    long number = counted ? strtol(rest + 1, &end, 10) : 0;
    counted = counted && !*end && number >= 1 && number <= ch->size;
    *at = c->sources[channel].at + (letter    ? (int)(letter - ch->components)
                                    : counted ? (int)number - 1
                                              : 0);
    *size = letter || counted ? 1 : ch->size;
    return !rest[0] || letter || counted;
}

/* Looks a channel, a component of one, or a parameter up for an expression. */
static lmb_status find_channel(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    lmb_channels *c = user;
    symbol->kind = LMB_SYMBOL_NONE;
    for (int i = 0; i < c->count; i++) {
        const lmb_channel *ch = &c->channels[i];
        int at, size;
        if (!matches(c, i, name, &at, &size))
            continue;
        c->sources[i].used |= c->user;
        if (c->user == BY_EVENT && at >= c->sensor_at)
            c->events_need |= BY_SENSOR;
        symbol->kind = LMB_SYMBOL_VARIABLE;
        symbol->variable = at;
        symbol->size = size;
        if (symbol->size > 3) {
            lmb_fail_at(c->context, place, "'%s' has %d numbers: name one of them", name, ch->size);
            lmb_hint(c->context, "for example '%s.%c'", name,
                     ch->components[0] ? ch->components[0] : '1');
            return LMB_BAD_INPUT;
        }
    }
    for (int i = 0; i < c->model->constant_count; i++)
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
    for (size_t i = 0; i < 4 && c->type < LMB_INVERSE_DYNAMICS; i++)
        if (strstr(text, of_inverse[i]))
            lmb_hint(c->context, "forces and efforts need an analysis of type inverse-dynamics or "
                                 "dynamics");
    for (size_t i = 0; i < 3 && c->type == LMB_ASSEMBLY; i++)
        if (strstr(text, of_motion[i]))
            lmb_hint(c->context, "an assembly has no motion");
}

static lmb_status add_sensors(lmb_channels *c, lmb_context *context)
{
    const lmb_model *m = c->model;
    lmb_scope scope = {find_channel, offer_channels, c, true};
    c->sensor_at = c->size;
    c->user = BY_SENSOR;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->sensor_count; i++) {
        const lmb_sensor *s = &m->sensors[i];
        if (s->kind == LMB_SENSOR_ACCELEROMETER && c->type == LMB_ASSEMBLY)
            status = lmb_fail_at(context, s->place,
                                 "'%s' measures an acceleration, but an assembly has no motion",
                                 s->name);
        if (s->kind != LMB_SENSOR_EXPRESSION)
            continue; /* they have their channels */
        if (c->type == LMB_MODES && strcmp(s->name, "modes") == 0) {
            status = lmb_fail_at(context, s->place, "the name 'modes' is taken by an analysis");
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
        add(c, "", s->name, size == 1 ? "" : size == 2 ? "xy" : "xyz", "", "Sensor.", NULL, i);
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
    c->user = c->events_need = BY_EVENT;
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->event_count && c->type == LMB_DYNAMICS; i++) {
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
        add(c, event->name, "value", "", "", "The expression whose crossing of zero is awaited.",
            NULL, i);
    }
    return status;
}

static lmb_status add_expressions(lmb_channels *c, lmb_context *context)
{
    size_t count = (size_t)(c->model->sensor_count + c->model->event_count);
    c->expressions = lmb_arena_alloc(c->arena, count, sizeof *c->expressions);
    if (!c->expressions)
        return lmb_fail_memory(context);
    lmb_status status = add_sensors(c, context);
    return status ? status : add_events(c, context);
}

/* --- life ---------------------------------------------------------------------------------------
 */

static lmb_status fill(lmb_channels *c, lmb_context *context, lmb_analysis_type type)
{
    const lmb_model *m = c->model;
    bool moving = type != LMB_ASSEMBLY, reactions = type >= LMB_INVERSE_DYNAMICS;
    for (int i = 1; i < m->body_count; i++) {
        add_body(c, i, moving);
        const lmb_body *b = &m->bodies[i];
        for (int k = b->point; k < b->point + b->point_count; k++)
            add_point(c, &m->points[k], moving);
    }
    for (int i = 0; i < m->joint_count; i++) {
        add_coordinates(c, &m->joints[i], moving);
        if (reactions)
            add_reactions(c, i);
    }
    for (int i = 0; moving && i < m->driver_count; i++)
        add_driver(c, i, reactions);
    for (int i = 0; moving && i < m->force_count; i++)
        add_force(c, i);
    if (moving) {
        add(c, "energy", "kinetic", "", "J", "Kinetic energy.", lmb_get_energy_kinetic, 0);
        add(c, "energy", "potential", "", "J", "Potential energy of gravity.",
            lmb_get_energy_potential, 0);
        add(c, "energy", "elastic", "", "J",
            "Energy stored in springs, bushings and flexible bodies.", lmb_get_energy_elastic, 0);
        add(c, "energy", "total", "", "J", "The sum of the three.", lmb_get_energy_total, 0);
    }
    if (type == LMB_DYNAMICS) {
        add(c, "energy", "supplied", "", "J", "Work done by drivers, motors and loads so far.",
            lmb_get_energy_supplied, 0);
        add(c, "energy", "dissipated", "", "J", "Work lost in dampers and friction so far.",
            lmb_get_energy_dissipated, 0);
        add(c, "energy", "balance", "", "J",
            "total + dissipated - supplied: it stays the same but for errors of the integration.",
            lmb_get_energy_balance, 0);
        for (int i = 0; i < m->event_count; i++)
            add_event(c, i);
    }
    if (type == LMB_MODES) { /* their numbers are put into the row by lmb_channels_mode */
        c->mode_at = c->size;
        add(c, "modes", "frequency", "", "Hz", "Frequency; 0 for a rigid mode.", NULL, 0);
        add(c, "modes", "damping", "", "", "Damping, as a part of the critical one.", NULL, 0);
    }
    add(c, "constraints", "position", "", "m", "Norm of what is left of the joint equations.",
        lmb_get_constraint_position, 0);
    if (moving)
        add(c, "constraints", "velocity", "", "m/s", "The same for their time derivatives.",
            lmb_get_constraint_velocity, 0);
    add_recovered(c);
    make_record(c);
    lmb_status status = c->failed ? lmb_fail_memory(context) : add_expressions(c, context);
    if (status)
        return status;
    c->row = lmb_arena_alloc(c->arena, (size_t)c->size, sizeof *c->row);
    c->variables = lmb_arena_alloc(c->arena, (size_t)c->size, sizeof *c->variables);
    return c->failed || !c->row || !c->variables ? lmb_fail_memory(context) : LMB_OK;
}

lmb_status lmb_channels_new(lmb_channels **out, lmb_context *context, const lmb_model *model,
                            lmb_analysis_type type)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_channels *c = lmb_arena_object(&arena, sizeof *c);
    if (!c)
        return lmb_fail_memory(context);
    c->arena = arena;
    c->model = model;
    c->context = context;
    c->type = type;
    lmb_status status = fill(c, context, type);
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

int lmb_channels_count(const lmb_channels *c)
{
    return c->count;
}

const lmb_channel *lmb_channels_list(const lmb_channels *c)
{
    return c->channels;
}

lmb_status lmb_channels_find(const lmb_channels *c, lmb_context *context, const char *name,
                             lmb_place place, int *at, int *size)
{
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; i < c->count; i++) {
        if (matches(c, i, name, at, size))
            return LMB_OK;
        lmb_nearest_try(&nearest, c->channels[i].name);
    }
    lmb_status status =
        place.file ? lmb_fail_at(context, place, "there is no channel '%s' in that analysis", name)
                   : lmb_fail(context, LMB_USAGE, "there is no channel '%s'", name);
    lmb_nearest_hint(context, &nearest);
    return status;
}

void lmb_channels_number_name(const lmb_channels *c, int at, char *buffer, size_t size)
{
    int i = 0;
    while (i < c->count - 1 && c->sources[i + 1].at <= at)
        i++;
    const lmb_channel *ch = &c->channels[i];
    if (ch->components[0])
        snprintf(buffer, size, "%s.%c", ch->name, ch->components[at - c->sources[i].at]);
    else if (ch->size > 1)
        snprintf(buffer, size, "%s.%d", ch->name, at - c->sources[i].at + 1);
    else
        snprintf(buffer, size, "%s", ch->name);
}

void lmb_channels_mode(lmb_channels *c, double frequency, double damping)
{
    c->row[c->mode_at] = frequency;
    c->row[c->mode_at + 1] = damping;
}

/* Evaluates the expressions from one on; the numbers that they use are in the row. */
static void evaluate_from(lmb_channels *c, double t, int first)
{
    double *out = c->row + (first < c->first_event ? c->sensor_at : c->event_at);
    for (int i = 0; i < c->size && c->expression_count; i++)
        c->variables[i] = (lmb_jet){c->row[i], 0, 0};
    for (int i = first; i < c->expression_count; i++) {
        lmb_jet value[3];
        lmb_expr_evaluate(c->expressions[i], t, c->variables, value);
        for (int k = 0; k < lmb_expr_size(c->expressions[i]); k++) {
            c->variables[out - c->row] = value[k];
            *out++ = value[k].f;
        }
    }
}

static void get_numbers(lmb_channels *c, const lmb_state *s, int wanted)
{
    lmb_recovery_next(c->recovery);
    for (int i = 0; i < c->count; i++) {
        const source *from = &c->sources[i];
        if (from->get && (from->used & wanted))
            from->get(s, from->index, c->row + from->at);
        else if (from->recovered && (from->used & wanted))
            from->recovered->get(c->recovery, s, from->recovered, c->row + from->at);
    }
}

const double *lmb_channels_row(lmb_channels *c, const lmb_state *s)
{
    get_numbers(c, s, BY_ALL);
    evaluate_from(c, s->t, 0);
    return c->row;
}

const double *lmb_channels_events(lmb_channels *c, const lmb_state *s)
{
    get_numbers(c, s, c->events_need);
    evaluate_from(c, s->t, c->events_need & BY_SENSOR ? 0 : c->first_event);
    return c->row + c->event_at;
}

void lmb_channels_take(lmb_channels *c, lmb_context *context, double t, const double *row)
{
    if (c->record)
        lmb_run_record_take(c->record, context, t, row);
}

const lmb_run_record *lmb_channels_record(const lmb_channels *c)
{
    return c->record;
}
