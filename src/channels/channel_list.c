/* The channels that bodies, joints, drivers, forces and energies have in an analysis. */
#include "channels/channel_list.h"

#include <string.h>

void lmb_channels_add(lmb_channels *c, const char *item, const char *name, int size,
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
    c->sources[c->count++] =
        (lmb_channel_source){.get = get, .index = index, .at = c->size, .used = LMB_BY_ALL};
    c->size += size;
}

/* Adds a channel "item.name" with as many numbers as letters (none: one number). */
static void add(lmb_channels *c, const char *item, const char *name, const char *components,
                const char *unit, const char *doc, lmb_getter *get, int index)
{
    int size = components[0] ? (int)strlen(components) : 1;
    lmb_channels_add(c, item, name, size, components, unit, doc, get, index);
}

/* What flexible bodies have besides. */
static void add_deformation(lmb_channels *c, int i, bool moving)
{
    const lmb_body *b = &c->model->bodies[i];
    int modes = lmb_body_modal_node(b) ? lmb_body_modal_node(b)->nv : 0;
    if (modes == 0)
        return;
    lmb_channels_add(c, b->name, "modes", modes, "", "", "Modal coordinates of its deformation.",
                     lmb_get_modes, i);
    if (!moving)
        return;
    lmb_channels_add(c, b->name, "modes_velocity", modes, "", "1/s", "Their rates.",
                     lmb_get_modes_velocity, i);
    lmb_channels_add(c, b->name, "modes_acceleration", modes, "", "1/s^2",
                     "Their second derivatives.", lmb_get_modes_acceleration, i);
    add(c, b->name, "energy", "", "J", "Elastic energy of its deformation.", lmb_get_body_elastic,
        i);
}

static void add_body(lmb_channels *c, int i, bool moving)
{
    const lmb_model *m = c->model;
    const char *name = m->bodies[i].name, *xyz = m->dimension == 2 ? "xy" : "xyz";
    const char *turn = m->dimension == 2 ? "" : "xyz";
    int marker = m->body_marker[i];
    bool turns = m->bodies[i].ops->turns, in_space = m->dimension == 3;
    bool flexible = lmb_body_elasticity(&m->bodies[i]) != NULL;
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

/* What a force reports; nothing where it depends on reactions that are not known. */
static void add_force(lmb_channels *c, int i)
{
    static const char *const plane[] = {"", "xy", ""}, *const space[] = {"", "xyz", "xyz"};
    const lmb_force *f = &c->model->forces[i];
    lmb_force_channel x;
    if (f->type->of_reactions && !(c->known & LMB_KNOWN_REACTIONS))
        return;
    for (int k = 0; f->type->channel(f, k, &x); k++)
        add(c, f->name, x.name, (c->model->dimension == 2 ? plane : space)[x.shape], x.unit, x.doc,
            lmb_get_force, i * LMB_FORCE_CHANNELS + k);
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
    c->recovery = lmb_recovery_new(c->arena, c->model, c->known);
    c->failed = c->failed || !c->recovery;
    for (int i = 0; !c->failed && i < c->recovery->count; i++) {
        const lmb_recovered *of = &c->recovery->channels[i];
        const lmb_channel *ch = &of->channel;
        lmb_channels_add(c, "", ch->name, ch->size, ch->components, ch->unit, ch->doc, NULL, i);
        if (!c->failed)
            c->sources[c->count - 1].recovered = of;
    }
}

/* Energies, and in dynamics the work that changes them. */
static void add_energies(lmb_channels *c)
{
    add(c, "energy", "kinetic", "", "J", "Kinetic energy.", lmb_get_energy_kinetic, 0);
    add(c, "energy", "potential", "", "J", "Potential energy of gravity.", lmb_get_energy_potential,
        0);
    add(c, "energy", "elastic", "", "J", "Energy stored in springs, bushings and flexible bodies.",
        lmb_get_energy_elastic, 0);
    add(c, "energy", "total", "", "J", "The sum of the three.", lmb_get_energy_total, 0);
    if (!(c->known & LMB_KNOWN_WORK))
        return;
    add(c, "energy", "supplied", "", "J", "Work done by drivers, motors and loads so far.",
        lmb_get_energy_supplied, 0);
    add(c, "energy", "dissipated", "", "J", "Work lost in dampers and friction so far.",
        lmb_get_energy_dissipated, 0);
    add(c, "energy", "balance", "", "J",
        "total + dissipated - supplied: it stays the same but for errors of the integration.",
        lmb_get_energy_balance, 0);
}

void lmb_channels_list_model(lmb_channels *c)
{
    const lmb_model *m = c->model;
    bool moving = c->known & LMB_KNOWN_MOTION, reactions = c->known & LMB_KNOWN_REACTIONS;
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
    if (moving)
        add_energies(c);
    for (int i = 0; i < m->event_count && (c->known & LMB_KNOWN_WORK); i++)
        add_event(c, i);
    if (c->known & LMB_KNOWN_MODES) { /* their numbers are put into the row by lmb_channels_mode */
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
}
