/* The table of channels and their evaluation. */
#include "analysis/channels.h"

#include <string.h>

/* How a channel is computed from item number `index` of its kind. */
typedef void getter(const lmb_state *s, int index, double *out);

typedef struct source {
    getter *get;
    int index;
    int at; /* where its numbers start in the row */
} source;

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
    const lmb_expr **sensors;
    int sensor_at; /* where the numbers of the sensors start in the row */
    double *row;
    lmb_jet *variables;
};

/* --- getters ---------------------------------------------------------------------------------- */

static void put(const lmb_state *s, vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    if (s->model->dimension == 3)
        out[2] = v.z;
}

/* A turning vector: all of it in space, its z in the plane. */
static void put_turn(const lmb_state *s, vec3 v, double *out)
{
    if (s->model->dimension == 3)
        put(s, v, out);
    else
        out[0] = v.z;
}

static vec3 to_local(const lmb_frame *axes, vec3 v)
{
    mat3 R = frame_rotation(axes);
    return m3_tmul(&R, v);
}

static void marker_position(const lmb_state *s, int marker, double *out)
{
    put(s, s->frames[marker].p, out);
}

static void marker_velocity(const lmb_state *s, int marker, double *out)
{
    put(s, s->rates[marker].p, out);
}

static void marker_acceleration(const lmb_state *s, int marker, double *out)
{
    put(s, lmb_frame_acceleration(s, marker).p, out);
}

static void body_angle(const lmb_state *s, int body, double *out)
{
    out[0] = s->q[s->model->bodies[body].q + 2];
}

static quat body_quat(const lmb_state *s, int body)
{
    mat3 R = frame_rotation(&s->bodies[body].pose);
    return quat_from_matrix(&R);
}

static void body_quaternion(const lmb_state *s, int body, double *out)
{
    memcpy(out, s->q + s->model->bodies[body].q + 3, 4 * sizeof *out);
}

static void body_rotation(const lmb_state *s, int body, double *out)
{
    put(s, quat_log(body_quat(s, body)), out);
}

static vec3 angular_velocity(const lmb_state *s, int body)
{
    int marker = s->model->body_marker[body];
    return frame_angular(&s->frames[marker], &s->rates[marker]);
}

/* sum e_i x e_i'' / 2 is the angular acceleration: the centripetal parts cancel in the sum */
static vec3 angular_acceleration(const lmb_state *s, int body)
{
    int marker = s->model->body_marker[body];
    lmb_frame x = lmb_frame_acceleration(s, marker);
    return frame_angular(&s->frames[marker], &x);
}

static void body_angular_velocity(const lmb_state *s, int body, double *out)
{
    put_turn(s, angular_velocity(s, body), out);
}

static void body_angular_velocity_local(const lmb_state *s, int body, double *out)
{
    put(s, to_local(&s->bodies[body].pose, angular_velocity(s, body)), out);
}

static void body_angular_acceleration(const lmb_state *s, int body, double *out)
{
    put_turn(s, angular_acceleration(s, body), out);
}

static void body_angular_acceleration_local(const lmb_state *s, int body, double *out)
{
    put(s, to_local(&s->bodies[body].pose, angular_acceleration(s, body)), out);
}

static void coordinate(const lmb_state *s, int index, double *out)
{
    out[0] = lmb_coordinate_value(s, &s->model->parts.coordinates[index]).f;
}

static void coordinate_velocity(const lmb_state *s, int index, double *out)
{
    out[0] = lmb_coordinate_value(s, &s->model->parts.coordinates[index]).d;
}

static void coordinate_acceleration(const lmb_state *s, int index, double *out)
{
    out[0] = lmb_coordinate_value(s, &s->model->parts.coordinates[index]).dd;
}

/* Force and moment that rows exert on the body of a joint's second end. */
typedef struct wrench {
    vec3 force, torque;
} wrench;

static wrench rows_wrench(const lmb_state *s, int row, int count, int pair, bool second)
{
    const lmb_pair *p = &s->model->parts.pairs[pair];
    lmb_frame f = lmb_row_force(s, row, count, pair, second);
    return (wrench){f.p, frame_moment(&s->frames[second ? p->b : p->a], &f)};
}

static wrench joint_wrench(const lmb_state *s, int joint)
{
    const lmb_joint *j = &s->model->joints[joint];
    return rows_wrench(s, j->row, j->row_count, j->pair, true);
}

static wrench joint_wrench_total(const lmb_state *s, int joint)
{
    const lmb_model *m = s->model;
    wrench sum = joint_wrench(s, joint);
    for (int i = m->joints[joint].driver; i >= 0; i = m->drivers[i].next) {
        const lmb_driver *d = &m->drivers[i];
        const lmb_coordinate *c = &m->parts.coordinates[d->coordinate];
        wrench more = rows_wrench(s, d->row, 1, c->pair, !c->flipped);
        sum.force = v3_add(sum.force, more.force);
        sum.torque = v3_add(sum.torque, more.torque);
    }
    return sum;
}

/* The axes of the first end of a joint as the user named it. */
static const lmb_frame *first_end(const lmb_state *s, int joint)
{
    const lmb_model *m = s->model;
    return &s->frames[m->parts.pairs[m->joints[joint].ends].a];
}

static void joint_force(const lmb_state *s, int joint, double *out)
{
    put(s, joint_wrench(s, joint).force, out);
}

static void joint_torque(const lmb_state *s, int joint, double *out)
{
    put_turn(s, joint_wrench(s, joint).torque, out);
}

static void joint_force_local(const lmb_state *s, int joint, double *out)
{
    put(s, to_local(first_end(s, joint), joint_wrench(s, joint).force), out);
}

static void joint_torque_local(const lmb_state *s, int joint, double *out)
{
    put_turn(s, to_local(first_end(s, joint), joint_wrench(s, joint).torque), out);
}

static void joint_force_total(const lmb_state *s, int joint, double *out)
{
    put(s, joint_wrench_total(s, joint).force, out);
}

static void joint_torque_total(const lmb_state *s, int joint, double *out)
{
    put_turn(s, joint_wrench_total(s, joint).torque, out);
}

static void driver_value(const lmb_state *s, int driver, double *out)
{
    out[0] = s->laws[s->model->drivers[driver].law].f;
}

static void driver_velocity(const lmb_state *s, int driver, double *out)
{
    out[0] = s->laws[s->model->drivers[driver].law].d;
}

static void driver_acceleration(const lmb_state *s, int driver, double *out)
{
    out[0] = s->laws[s->model->drivers[driver].law].dd;
}

/* The generalised force along the coordinate: minus the multiplier; the row of a length is half its
 * square, whose slope is the length. */
static void driver_effort(const lmb_state *s, int driver, double *out)
{
    const lmb_driver *d = &s->model->drivers[driver];
    const lmb_coordinate *c = &s->model->parts.coordinates[d->coordinate];
    double slope = c->kind == LMB_COORDINATE_LENGTH ? s->laws[d->law].f : 1;
    out[0] = -s->lambda[d->row] * slope;
}

static void driver_power(const lmb_state *s, int driver, double *out)
{
    driver_effort(s, driver, out);
    out[0] *= s->laws[s->model->drivers[driver].law].d;
}

static lmb_effort effort_of(const lmb_state *s, int force)
{
    const lmb_force *f = &s->model->forces[force];
    lmb_force_at at = lmb_force_input(s, f);
    return lmb_force_effort(f, &at);
}

static void force_coordinate(const lmb_state *s, int force, double *out)
{
    out[0] = effort_of(s, force).coordinate;
}

static void force_speed(const lmb_state *s, int force, double *out)
{
    out[0] = effort_of(s, force).speed;
}

static void force_effort(const lmb_state *s, int force, double *out)
{
    out[0] = effort_of(s, force).effort;
}

static void force_power(const lmb_state *s, int force, double *out)
{
    lmb_effort e = effort_of(s, force);
    out[0] = e.effort * e.speed;
}

static void force_vector(const lmb_state *s, int force, double *out)
{
    const lmb_force *f = &s->model->forces[force];
    lmb_force_at at = lmb_force_input(s, f);
    vec3 v = lmb_force_vector(f, &at);
    if (f->type == &lmb_force_twist)
        put_turn(s, v, out);
    else
        put(s, v, out);
}

static void energy_elastic(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = lmb_elastic_energy(s);
}

static void energy_kinetic(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = lmb_total_balance(s).kinetic;
}

static void energy_potential(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = lmb_total_balance(s).potential;
}

static void energy_total(const lmb_state *s, int index, double *out)
{
    (void)index;
    lmb_balance b = lmb_total_balance(s);
    out[0] = b.kinetic + b.potential + lmb_elastic_energy(s);
}

static void energy_supplied(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = s->work[LMB_WORK_SUPPLIED];
}

static void energy_dissipated(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = s->work[LMB_WORK_DISSIPATED];
}

static void constraint_position(const lmb_state *s, int index, double *out)
{
    (void)index;
    double sum = 0;
    for (int r = 0; r < s->model->nrows; r++) {
        double x = lmb_row_value(s, r);
        sum += x * x;
    }
    out[0] = sqrt(sum);
}

static void constraint_velocity(const lmb_state *s, int index, double *out)
{
    (void)index;
    double sum = 0;
    for (int r = 0; r < s->model->nrows; r++) {
        double x = lmb_row_rate(s, r);
        sum += x * x;
    }
    out[0] = sqrt(sum);
}

/* --- the list --------------------------------------------------------------------------------- */

/* Adds a channel "item.name" with as many numbers as letters (none: one number). */
static void add(lmb_channels *c, const char *item, const char *name, const char *components,
                const char *unit, const char *doc, getter *get, int index)
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
    int size = components[0] ? (int)strlen(components) : 1;
    const char *full = item[0] ? lmb_text_format(c->arena, "%s.%s", item, name)
                               : lmb_text_copy(c->arena, name, strlen(name));
    c->failed = !full;
    c->channels[c->count] = (lmb_channel){full, unit, doc, size, components};
    c->sources[c->count++] = (source){get, index, c->size};
    c->size += size;
}

static void add_body(lmb_channels *c, int i, bool moving)
{
    const lmb_model *m = c->model;
    const char *name = m->bodies[i].name, *xyz = m->dimension == 2 ? "xy" : "xyz";
    const char *turn = m->dimension == 2 ? "" : "xyz";
    int marker = m->body_marker[i];
    bool turns = m->bodies[i].ops != &lmb_body_particle, in_space = m->dimension == 3;
    add(c, name, "position", xyz, "m", "Position of the centre of mass.", marker_position, marker);
    if (turns && !in_space)
        add(c, name, "angle", "", "rad", "Angle of its x axis from the global one.", body_angle, i);
    if (turns && in_space) {
        add(c, name, "quaternion", "wxyz", "", "Orientation as a unit quaternion.", body_quaternion,
            i);
        add(c, name, "rotation", "xyz", "rad", "Orientation as a rotation vector.", body_rotation,
            i);
    }
    if (!moving)
        return;
    add(c, name, "velocity", xyz, "m/s", "Velocity of the centre of mass.", marker_velocity,
        marker);
    if (turns)
        add(c, name, "angular_velocity", turn, "rad/s", "Angular velocity in global axes.",
            body_angular_velocity, i);
    if (turns && in_space)
        add(c, name, "angular_velocity_local", turn, "rad/s", "Angular velocity in body axes.",
            body_angular_velocity_local, i);
    add(c, name, "acceleration", xyz, "m/s^2", "Acceleration of the centre of mass.",
        marker_acceleration, marker);
    if (turns)
        add(c, name, "angular_acceleration", turn, "rad/s^2",
            "Angular acceleration in global axes.", body_angular_acceleration, i);
    if (turns && in_space)
        add(c, name, "angular_acceleration_local", turn, "rad/s^2",
            "Angular acceleration in body axes.", body_angular_acceleration_local, i);
}

static void add_point(lmb_channels *c, const lmb_point *p, bool moving)
{
    const char *xyz = c->model->dimension == 2 ? "xy" : "xyz";
    add(c, p->name, "position", xyz, "m", "Position of the point.", marker_position, p->marker);
    if (!moving)
        return;
    add(c, p->name, "velocity", xyz, "m/s", "Velocity of the point.", marker_velocity, p->marker);
    add(c, p->name, "acceleration", xyz, "m/s^2", "Acceleration of the point.", marker_acceleration,
        p->marker);
}

static void add_coordinates(lmb_channels *c, const lmb_joint *j, bool moving)
{
    for (int i = j->coordinate; i < j->coordinate + j->coordinate_count; i++) {
        const lmb_coordinate *x = &c->model->parts.coordinates[i];
        bool angle = x->kind == LMB_COORDINATE_ANGLE;
        add(c, j->name, x->name, "", angle ? "rad" : "m", "Joint coordinate.", coordinate, i);
        const char *rate = lmb_text_format(c->arena, "%s_velocity", x->name);
        const char *second = lmb_text_format(c->arena, "%s_acceleration", x->name);
        if (!rate || !second) {
            c->failed = true;
            return;
        }
        if (moving) {
            add(c, j->name, rate, "", angle ? "rad/s" : "m/s", "Rate of the joint coordinate.",
                coordinate_velocity, i);
            add(c, j->name, second, "", angle ? "rad/s^2" : "m/s^2",
                "Second derivative of the joint coordinate.", coordinate_acceleration, i);
        }
    }
}

static void add_reactions(lmb_channels *c, int i)
{
    const lmb_model *m = c->model;
    const char *name = m->joints[i].name, *xyz = m->dimension == 2 ? "xy" : "xyz";
    const char *turn = m->dimension == 2 ? "" : "xyz";
    add(c, name, "force", xyz, "N", "Force of the first body on the second, global axes.",
        joint_force, i);
    add(c, name, "torque", turn, "N m",
        "Torque of the first body on the second at its point, global axes.", joint_torque, i);
    add(c, name, "force_local", xyz, "N", "The force in the axes of the first end.",
        joint_force_local, i);
    if (m->dimension == 3)
        add(c, name, "torque_local", turn, "N m", "The torque in the axes of the first end.",
            joint_torque_local, i);
    if (m->joints[i].driver < 0)
        return;
    add(c, name, "force_total", xyz, "N", "The force together with that of its drivers.",
        joint_force_total, i);
    add(c, name, "torque_total", turn, "N m", "The torque together with that of its drivers.",
        joint_torque_total, i);
}

static void add_driver(lmb_channels *c, int i, bool reactions)
{
    const lmb_driver *d = &c->model->drivers[i];
    const lmb_coordinate *x = &c->model->parts.coordinates[d->coordinate];
    bool angle = x->kind == LMB_COORDINATE_ANGLE;
    const char *what = angle ? "angle" : x->kind == LMB_COORDINATE_OFFSET ? "offset" : "length";
    add(c, d->name, what, "", angle ? "rad" : "m", "Prescribed coordinate.", driver_value, i);
    add(c, d->name, "velocity", "", angle ? "rad/s" : "m/s", "Its rate.", driver_velocity, i);
    add(c, d->name, "acceleration", "", angle ? "rad/s^2" : "m/s^2", "Its second derivative.",
        driver_acceleration, i);
    if (!reactions)
        return;
    add(c, d->name, "effort", "", angle ? "N m" : "N",
        "What the driver must supply, positive along its motion.", driver_effort, i);
    add(c, d->name, "power", "", "W", "Effort times rate.", driver_power, i);
}

static void add_force(lmb_channels *c, int i)
{
    const lmb_force *f = &c->model->forces[i];
    const char *xyz = c->model->dimension == 2 ? "xy" : "xyz";
    bool angle = f->kind == LMB_COORDINATE_ANGLE;
    if (f->type == &lmb_force_push || f->type == &lmb_force_twist) {
        bool twist = f->type == &lmb_force_twist;
        const char *turn = c->model->dimension == 2 ? "" : "xyz";
        add(c, f->name, f->type->name, twist ? turn : xyz, twist ? "N m" : "N",
            "What acts on the body, global axes.", force_vector, i);
        return;
    }
    const char *what = angle ? "angle" : f->kind == LMB_COORDINATE_OFFSET ? "offset" : "length";
    add(c, f->name, what, "", angle ? "rad" : "m", "The coordinate that it acts along.",
        force_coordinate, i);
    add(c, f->name, "speed", "", angle ? "rad/s" : "m/s", "The rate of that coordinate.",
        force_speed, i);
    add(c, f->name, "effort", "", angle ? "N m" : "N",
        "Force or torque along the coordinate; a stretched spring pulls: negative.", force_effort,
        i);
    add(c, f->name, "power", "", "W", "Effort times rate.", force_power, i);
}

/* --- sensors ---------------------------------------------------------------------------------- */

/* Looks a channel, a component of one, or a parameter up for an expression. */
static lmb_status find_channel(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    const lmb_channels *c = user;
    symbol->kind = LMB_SYMBOL_NONE;
    for (int i = 0; i < c->count; i++) {
        const lmb_channel *ch = &c->channels[i];
        size_t length = strlen(ch->name);
        if (strncmp(ch->name, name, length) != 0)
            continue;
        const char *rest = name + length;
        const char *letter =
            rest[0] == '.' && rest[1] && !rest[2] ? strchr(ch->components, rest[1]) : NULL;
        if (rest[0] && !letter)
            continue;
        symbol->kind = LMB_SYMBOL_VARIABLE;
        symbol->variable = c->sources[i].at + (letter ? (int)(letter - ch->components) : 0);
        symbol->size = letter ? 1 : ch->size;
        if (symbol->size > 3) {
            lmb_fail_at(c->context, place, "'%s' has %d numbers: name one of them", name, ch->size);
            lmb_hint(c->context, "for example '%s.%c'", name, ch->components[0]);
            return LMB_BAD_INPUT;
        }
    }
    for (int i = 0; i < c->model->constant_count; i++)
        if (strcmp(c->model->constants[i].name, name) == 0)
            *symbol = c->model->constants[i].symbol;
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
    c->sensors = lmb_arena_alloc(c->arena, (size_t)m->sensor_count, sizeof *c->sensors);
    if (!c->sensors)
        return lmb_fail_memory(context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < m->sensor_count; i++) {
        const lmb_sensor *s = &m->sensors[i];
        c->sensors[i] = lmb_expr_compile(context, c->arena, &scope, s->text, s->place);
        if (!c->sensors[i]) {
            hint_at_analysis(c, s->text);
            status = LMB_BAD_INPUT;
            continue;
        }
        int size = lmb_expr_size(c->sensors[i]);
        add(c, "", s->name, size == 1 ? "" : size == 2 ? "xy" : "xyz", "", "Sensor.", NULL, i);
    }
    return status;
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
        add(c, "energy", "kinetic", "", "J", "Kinetic energy.", energy_kinetic, 0);
        add(c, "energy", "potential", "", "J", "Potential energy of gravity.", energy_potential, 0);
        add(c, "energy", "elastic", "", "J", "Energy stored in springs.", energy_elastic, 0);
        add(c, "energy", "total", "", "J", "The sum of the three.", energy_total, 0);
    }
    if (type == LMB_DYNAMICS) {
        add(c, "energy", "supplied", "", "J", "Work done by drivers, motors and loads so far.",
            energy_supplied, 0);
        add(c, "energy", "dissipated", "", "J",
            "Work lost in dampers so far; total + dissipated - "
            "supplied stays the same.",
            energy_dissipated, 0);
    }
    add(c, "constraints", "position", "", "m", "Norm of what is left of the joint equations.",
        constraint_position, 0);
    if (moving)
        add(c, "constraints", "velocity", "", "m/s", "The same for their time derivatives.",
            constraint_velocity, 0);
    lmb_status status = add_sensors(c, context);
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
    lmb_arena *arena = lmb_arena_new();
    lmb_channels *c = arena ? lmb_arena_alloc(arena, 1, sizeof *c) : NULL;
    if (!c) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
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

int lmb_channels_size(const lmb_channels *c)
{
    return c->size;
}

const double *lmb_channels_row(lmb_channels *c, const lmb_state *s)
{
    for (int i = 0; i < c->count; i++)
        if (c->sources[i].get)
            c->sources[i].get(s, c->sources[i].index, c->row + c->sources[i].at);
    double *out = c->row + c->sensor_at;
    for (int i = 0; i < c->sensor_at && c->model->sensor_count; i++)
        c->variables[i] = (lmb_jet){c->row[i], 0, 0};
    for (int i = 0; i < c->model->sensor_count; i++) {
        lmb_jet value[3];
        lmb_expr_evaluate(c->sensors[i], s->t, c->variables, value);
        for (int k = 0; k < lmb_expr_size(c->sensors[i]); k++) {
            c->variables[out - c->row] = value[k];
            *out++ = value[k].f;
        }
    }
    return c->row;
}
