/* The channels that joints, drivers, forces and energies have in an analysis, and how their numbers
 * are computed from a solved state. */
#include "channels/channel_list.h"

#include <string.h>

/* --- vectors ---------------------------------------------------------------------------------- */

void lmb_put_vector(const lmb_state *s, vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    if (s->model->dimension == 3)
        out[2] = v.z;
}

void lmb_put_turn(const lmb_state *s, vec3 v, double *out)
{
    if (s->model->dimension == 3)
        lmb_put_vector(s, v, out);
    else
        out[0] = v.z;
}

vec3 lmb_to_local(const lmb_frame *axes, vec3 v)
{
    mat3 R = frame_rotation(axes);
    return m3_tmul(&R, v);
}

/* Which derivative. */
enum { VALUE, RATE, SECOND };

enum { MOTION = LMB_KNOWN_MOTION };

/* --- joints and drivers ----------------------------------------------------------------------- */

/* A number with its derivatives. */
static double part_of(lmb_jet x, int part)
{
    return part == VALUE ? x.f : part == RATE ? x.d : x.dd;
}

static void get_coordinate(lmb_channels *c, const lmb_state *s, int index, int part, double *out)
{
    out[0] = part_of(lmb_coordinate_upto(s, &c->model->parts.coordinates[index], part), part);
}

static void reach_pair(const lmb_model *m, int pair, lmb_slopes *marks)
{
    lmb_marks_add_marker(m, marks, m->parts.pairs[pair].a);
    lmb_marks_add_marker(m, marks, m->parts.pairs[pair].b);
}

static void reach_coordinate(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    reach_pair(c->model, c->model->parts.coordinates[n->item].pair, marks);
}

static const lmb_chain of_coordinate = {.of_item = true, .reach = reach_coordinate};

static const lmb_listed coordinate_motion[] = {
    {"%s", LMB_SCALAR, "rad", "Joint coordinate.", 0, .get = get_coordinate, .linear = "m"},
    {"%s_velocity", LMB_SCALAR, "rad/s", "Rate of the joint coordinate.", MOTION,
     .get = get_coordinate, RATE, .linear = "m/s"},
    {"%s_acceleration", LMB_SCALAR, "rad/s^2", "Second derivative of the joint coordinate.", MOTION,
     .get = get_coordinate, SECOND, .linear = "m/s^2"},
    {0},
};

/* Adds force and moment that rows exert on the body of a joint's second end. */
static void add_wrench(const lmb_state *s, int row, int count, int pair, bool second, vec3 sum[2])
{
    const lmb_pair *p = &s->model->parts.pairs[pair];
    lmb_frame f = lmb_row_force(s, row, count, pair, second);
    sum[0] = v3_add(sum[0], f.p);
    sum[1] = v3_add(sum[1], frame_moment(&s->frames[second ? p->b : p->a], &f));
}

/* What of the force in a joint: its moment, in the axes of the first end as the user named it,
 * together with that of drivers. */
enum { TORQUE = 1, IN_END = 2, TOTAL = 4 };

/* Force and moment in a joint, which its channels ask for one after the other. */
static const vec3 *wrench_of(lmb_channels *c, const lmb_state *s, int joint, bool total)
{
    const lmb_model *m = c->model;
    const lmb_joint *j = &m->joints[joint];
    vec3 *sum = c->last.wrench;
    if (c->last.joint == joint && c->last.total == total)
        return sum;
    sum[0] = sum[1] = v3(0, 0, 0);
    add_wrench(s, j->row, j->row_count, j->pair, true, sum);
    for (int i = total ? j->driver : -1; i >= 0; i = m->drivers[i].next) {
        const lmb_coordinate *x = &m->parts.coordinates[m->drivers[i].coordinate];
        add_wrench(s, m->drivers[i].row, 1, x->pair, !x->flipped, sum);
    }
    c->last.joint = joint;
    c->last.total = total;
    return sum;
}

static void get_reaction(lmb_channels *c, const lmb_state *s, int joint, int part, double *out)
{
    const lmb_model *m = c->model;
    const lmb_joint *j = &m->joints[joint];
    vec3 v = wrench_of(c, s, joint, part & TOTAL)[part & TORQUE];
    if (part & IN_END)
        v = lmb_to_local(&s->frames[m->parts.pairs[j->ends].a], v);
    (part & TORQUE ? lmb_put_turn : lmb_put_vector)(s, v, out);
}

static void reach_rows(const lmb_model *m, int row, int count, lmb_slopes *marks)
{
    for (int r = row; r < row + count; r++) {
        const lmb_row *of = &m->parts.rows[r];
        marks->lambda[r] = 1;
        for (int t = of->term; t < of->term + of->term_count; t++)
            reach_pair(m, m->parts.terms[t].pair, marks);
    }
}

static void reach_reaction(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    const lmb_joint *j = &c->model->joints[n->item];
    reach_rows(c->model, j->row, j->row_count, marks);
    reach_pair(c->model, j->ends, marks);
    reach_pair(c->model, j->pair, marks);
    for (int i = n->part & TOTAL ? j->driver : -1; i >= 0; i = c->model->drivers[i].next)
        reach_rows(c->model, c->model->drivers[i].row, 1, marks);
}

static const lmb_chain of_reaction = {.of_item = true, .reach = reach_reaction};

enum { REACTIONS = LMB_KNOWN_REACTIONS };

static const lmb_listed reactions[] = {
    {"force", LMB_VECTOR, "N", "Force of the first body on the second, global axes.", REACTIONS,
     .get = get_reaction},
    {"torque", LMB_TURN, "N m", "Torque of the first body on the second at its point, global axes.",
     REACTIONS, .get = get_reaction, TORQUE},
    {"force_local", LMB_VECTOR, "N", "The force in the axes of the first end.", REACTIONS,
     .get = get_reaction, IN_END},
    {"torque_local", LMB_TURN, "N m", "The torque in the axes of the first end.",
     REACTIONS | LMB_IN_SPACE, .get = get_reaction, TORQUE | IN_END},
    {"force_total", LMB_VECTOR, "N", "The force together with that of its drivers.",
     REACTIONS | LMB_DRIVEN, .get = get_reaction, TOTAL},
    {"torque_total", LMB_TURN, "N m", "The torque together with that of its drivers.",
     REACTIONS | LMB_DRIVEN, .get = get_reaction, TORQUE | TOTAL},
    {0},
};

static void get_driver(lmb_channels *c, const lmb_state *s, int driver, int part, double *out)
{
    out[0] = part_of(s->laws[c->model->drivers[driver].law], part);
}

static double effort_slope(const lmb_state *s, const lmb_driver *d, int part)
{
    const lmb_coordinate *x = &s->model->parts.coordinates[d->coordinate];
    double slope = x->kind == LMB_COORDINATE_LENGTH ? s->laws[d->law].f : 1;
    return part == RATE ? -slope * s->laws[d->law].d : -slope;
}

/* The generalised force along the coordinate: minus the multiplier; the row of a length is half its
 * square, whose slope is the length. With the rate: the power. */
static void get_effort(lmb_channels *c, const lmb_state *s, int driver, int part, double *out)
{
    const lmb_driver *d = &c->model->drivers[driver];
    out[0] = s->lambda[d->row] * effort_slope(s, d, part);
}

static void add_effort_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                             const double *weights, lmb_slopes *out)
{
    const lmb_driver *d = &c->model->drivers[n->item];
    out->lambda[d->row] += weights[0] * effort_slope(s, d, n->part);
}

static const lmb_chain of_effort = {.slope = add_effort_slope};

static const lmb_listed driver_motion[] = {
    {"%s", LMB_SCALAR, "rad", "Prescribed coordinate.", MOTION, .get = get_driver, .linear = "m"},
    {"velocity", LMB_SCALAR, "rad/s", "Its rate.", MOTION, .get = get_driver, RATE,
     .linear = "m/s"},
    {"acceleration", LMB_SCALAR, "rad/s^2", "Its second derivative.", MOTION, .get = get_driver,
     SECOND, .linear = "m/s^2"},
    {"effort", LMB_SCALAR, "N m", "Generalised force of the driver, positive along its motion.",
     MOTION | REACTIONS, .get = get_effort, .linear = "N", .chain = &of_effort},
    {"power", LMB_SCALAR, "W", "Effort times rate.", MOTION | REACTIONS, .get = get_effort, RATE,
     .chain = &of_effort},
    {0},
};

/* Coordinates are angles, offsets or lengths: an item that turns has the units of angles. */
static unsigned turns(const lmb_coordinate *x)
{
    return x->kind == LMB_COORDINATE_ANGLE ? LMB_TURNS : 0;
}

static void add_joint(lmb_channels *c, int number)
{
    const lmb_joint *j = &c->model->joints[number];
    for (int i = j->coordinate; i < j->coordinate + j->coordinate_count; i++) {
        const lmb_coordinate *x = &c->model->parts.coordinates[i];
        lmb_channels_add_all(
            c, coordinate_motion,
            (lmb_item){j->name, i, turns(x), .of = x->name, .chain = &of_coordinate});
    }
    lmb_channels_add_all(
        c, reactions,
        (lmb_item){j->name, number, .has = j->driver < 0 ? 0 : LMB_DRIVEN, .chain = &of_reaction});
}

static void add_driver(lmb_channels *c, int i)
{
    static const char *const names[] = {[LMB_COORDINATE_ANGLE] = "angle",
                                        [LMB_COORDINATE_OFFSET] = "offset",
                                        [LMB_COORDINATE_LENGTH] = "length"};
    const lmb_driver *d = &c->model->drivers[i];
    const lmb_coordinate *x = &c->model->parts.coordinates[d->coordinate];
    lmb_channels_add_all(
        c, driver_motion,
        (lmb_item){d->name, i, turns(x), .of = names[x->kind], .chain = &lmb_chain_constant});
}

/* --- forces ----------------------------------------------------------------------------------- */

static void get_force(lmb_channels *c, const lmb_state *s, int force, int part, double *out)
{
    const lmb_force *f = &c->model->forces[force];
    lmb_force_at at = lmb_force_input(s, f);
    lmb_force_channel x;
    f->type->channel(f, part, &x);
    vec3 v = v3(0, 0, 0);
    for (int k = 0; k < f->pair_count && !(x.acts && s->force_off[force]); k++) {
        lmb_force_go_to(s, f, k, &at);
        v = v3_add(v, x.get(f, &at));
    }
    if (x.shape == LMB_SCALAR)
        out[0] = v.x;
    else
        (x.shape == LMB_TURN ? lmb_put_turn : lmb_put_vector)(s, v, out);
}

/* A law of channels, and friction, may read any body. */
static void reach_force(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    const lmb_model *m = c->model;
    const lmb_force *f = &m->forces[n->item];
    for (int k = 0; k < f->pair_count; k++)
        reach_pair(m, f->pair + k, marks);
    if (f->input_count > 0 || f->type->of_reactions) {
        lmb_marks_add(marks, 0, m->nv);
        for (int r = 0; r < m->nrows; r++)
            marks->lambda[r] = 1;
    }
}

static const lmb_chain of_force = {.reach = reach_force};

/* What a force reports; nothing where it depends on reactions that are not known. */
static void add_force(lmb_channels *c, int i)
{
    const lmb_force *f = &c->model->forces[i];
    lmb_force_channel x;
    unsigned needs = MOTION | (f->type->of_reactions ? REACTIONS : 0);
    for (int k = 0; f->type->channel(f, k, &x); k++) {
        const lmb_listed one[] = {
            {x.name, x.shape, x.unit, x.doc, needs, .get = get_force, k, .chain = &of_force}, {0}};
        lmb_channels_add_all(c, one, (lmb_item){f->name, .number = i});
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

enum { KINETIC, POTENTIAL, ELASTIC, ENERGY, SUPPLIED, DISSIPATED, BALANCE };

/* Sums over all bodies and forces, which are found once per instant. */
static void find_energies(lmb_channels *c, const lmb_state *s)
{
    if (c->energies.known)
        return;
    c->energies.of_bodies = lmb_total_balance(s);
    c->energies.elastic = lmb_elastic_energy_with(s, &c->energies.of_bodies);
    c->energies.known = true;
}

static void get_energy(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    (void)item;
    find_energies(c, s);
    lmb_balance b = c->energies.of_bodies;
    double stored = c->energies.elastic, total = b.kinetic + b.potential + stored;
    double supplied = s->work[LMB_WORK_SUPPLIED], dissipated = s->work[LMB_WORK_DISSIPATED];
    const double values[] = {[KINETIC] = b.kinetic,
                             [POTENTIAL] = b.potential,
                             [ELASTIC] = stored,
                             [ENERGY] = total,
                             [SUPPLIED] = supplied,
                             [DISSIPATED] = dissipated,
                             [BALANCE] = total + (dissipated - supplied)};
    out[0] = values[part];
}

static void get_event(lmb_channels *c, const lmb_state *s, int event, int part, double *out)
{
    (void)c;
    out[0] = part == VALUE ? !isnan(s->event_time[event]) : s->event_time[event];
}

static double residual_of(const lmb_state *s, int row, int part)
{
    int island = s->model->sparse_rows[row].island;
    double magnified = island >= 0 ? s->model->islands[island].magnified : 1;
    return (part == VALUE ? lmb_row_value(s, row) : lmb_row_rate(s, row)) / magnified;
}

static void get_constraints(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    (void)item;
    double sum = 0;
    for (int r = 0; r < c->model->nrows; r++)
        sum += residual_of(s, r, part) * residual_of(s, r, part);
    out[0] = sqrt(sum);
}

static void find_residuals(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y)
{
    for (int r = 0; r < c->model->nrows; r++)
        y[r] = residual_of(s, r, n->part);
}

/* The norm, whose derivative at 0 is taken as 0. */
static double norm_of(lmb_channels *c, const lmb_number *n, const double *y, double *by)
{
    (void)n;
    double sum = 0;
    for (int r = 0; r < c->model->nrows; r++)
        sum += y[r] * y[r];
    for (int r = 0; r < c->model->nrows; r++)
        by[r] = sum > 0 ? y[r] / sqrt(sum) : 0;
    return sqrt(sum);
}

static const lmb_chain of_norm = {.count = -1, .inner = find_residuals, .outer = norm_of};

enum { WORK = LMB_KNOWN_WORK };

/* Energies, and in dynamics the work that changes them. */
static const lmb_listed energies[] = {
    {"kinetic", LMB_SCALAR, "J", "Kinetic energy.", MOTION, .get = get_energy, KINETIC},
    {"potential", LMB_SCALAR, "J", "Potential energy of gravity.", MOTION, .get = get_energy,
     POTENTIAL},
    {"elastic", LMB_SCALAR, "J", "Energy stored in springs, bushings and flexible bodies.", MOTION,
     .get = get_energy, ELASTIC},
    {"total", LMB_SCALAR, "J", "The sum of the three.", MOTION, .get = get_energy, ENERGY},
    {"supplied", LMB_SCALAR, "J", "Work done by drivers, motors and loads so far.", MOTION | WORK,
     .get = get_energy, SUPPLIED},
    {"dissipated", LMB_SCALAR, "J", "Work lost in dampers and friction so far.", MOTION | WORK,
     .get = get_energy, DISSIPATED},
    {"balance", LMB_SCALAR, "J",
     "total + dissipated - supplied: constant but for integration errors.", MOTION | WORK,
     .get = get_energy, BALANCE},
    {0},
};

static const lmb_listed events[] = {
    {"count", LMB_SCALAR, "", "0 before it happens, 1 afterwards.", WORK, .get = get_event},
    {"time", LMB_SCALAR, "s", "Time of the event; NaN before.", WORK, .get = get_event, RATE},
    {0},
};

/* Their numbers, and those of a path, are put into the row by lmb_channels_more. */
static const lmb_listed modes[] = {
    {"frequency", LMB_SCALAR, "Hz", "Frequency; 0 for a mode that is rigid or does not oscillate.",
     LMB_KNOWN_MODES, .get = NULL},
    {"damping", LMB_SCALAR, "", "Damping ratio; NaN for a mode that does not oscillate.",
     LMB_KNOWN_MODES, .get = NULL},
    {"real", LMB_SCALAR, "1/s", "Real part of the eigenvalue.", LMB_KNOWN_MODES, .get = NULL},
    {"imaginary", LMB_SCALAR, "1/s", "Imaginary part of the eigenvalue.", LMB_KNOWN_MODES,
     .get = NULL},
    {0},
};

static const lmb_listed path[] = {
    {"load", LMB_SCALAR, "", "Load factor: what gravity and applied forces are multiplied with.",
     LMB_KNOWN_PATH, .get = NULL},
    {"unstable", LMB_SCALAR, "",
     "Directions in which the equilibrium is unstable; 0: it is stable.", LMB_KNOWN_PATH,
     .get = NULL},
    {"critical", LMB_SCALAR, "",
     "1 at a limit point and 2 at a bifurcation, where the structure buckles; else 0.",
     LMB_KNOWN_PATH, .get = NULL},
    {0},
};

static const lmb_listed constraints[] = {
    {"position", LMB_SCALAR, "m", "Norm of the constraint violation (drift).", 0,
     .get = get_constraints},
    {"velocity", LMB_SCALAR, "m/s", "The same for their time derivatives.", MOTION,
     .get = get_constraints, RATE},
    {0},
};

/* "item.name", or the one of the two that is there. */
static char *join(lmb_arena *arena, const char *item, const char *name)
{
    size_t a = strlen(item), b = strlen(name), dot = a && b;
    char *full = lmb_arena_alloc(arena, a + dot + b + 1, 1);
    if (!full)
        return NULL;
    memcpy(full, item, a);
    memcpy(full + a, ".", dot);
    memcpy(full + a + dot, name, b);
    return full;
}

/* A text in which %s, if it is there, is the word that an item is told apart by. */
static const char *fill_in(lmb_arena *arena, const char *text, const char *of)
{
    return of && strchr(text, '%') ? lmb_text_format(arena, text, of) : text;
}

void lmb_channels_add(lmb_channels *c, const char *item, const char *name, int size,
                      const char *components, const lmb_channel_source *from, const char *unit,
                      const char *doc)
{
    c->channels = lmb_arena_append(c->arena, c->channels, c->count, sizeof *c->channels);
    c->sources = lmb_arena_append(c->arena, c->sources, c->count, sizeof *c->sources);
    if (!lmb_arena_fine(c->arena))
        return;
    const char *full = join(c->arena, item, name);
    c->channels[c->count] = (lmb_channel){full, unit, doc, size, components};
    c->sources[c->count] = *from;
    c->sources[c->count].at = c->size;
    c->sources[c->count].used =
        LMB_BY_ROW | (from->chain && from->chain->of_item ? LMB_OF_ITEM : 0);
    if (full && !c->listing)
        lmb_names_add(&c->names, c->arena, full, 0, c->count);
    c->count += full != NULL;
    c->size += size;
}

/* The dictionary of all channels so far, whose size is known by now. */
static void name_channels(lmb_channels *c)
{
    c->listing = false;
    lmb_names_reserve(&c->names, c->arena, (size_t)c->count);
    for (int i = 0; i < c->count && lmb_arena_fine(c->arena); i++)
        lmb_names_add(&c->names, c->arena, c->channels[i].name, 0, i);
}

void lmb_channels_add_all(lmb_channels *c, const lmb_listed *table, lmb_item item)
{
    static const char *const components[][2] = {
        [LMB_SCALAR] = {"", ""},      [LMB_VECTOR] = {"xy", "xyz"},
        [LMB_TURN] = {"", "xyz"},     [LMB_QUATERNION] = {"wxyz", "wxyz"},
        [LMB_GRIDS] = {"abc", "abc"}, [LMB_COUNTED] = {"", ""}};
    bool space = c->model->dimension == 3;
    unsigned has = item.has | c->known | (space ? LMB_IN_SPACE : LMB_IN_PLANE);
    for (const lmb_listed *l = table; l->name; l++) {
        const char *letters = components[l->shape][space];
        int size = l->shape == LMB_COUNTED ? item.counted : letters[0] ? (int)strlen(letters) : 1;
        lmb_channel_source from = {.get = l->get,
                                   .item = item.number,
                                   .part = l->part + item.part,
                                   .chain = l->chain ? l->chain : item.chain};
        if (l->needs & ~has)
            continue;
        if (l->needs & LMB_NODES) { /* letters tell nodes from components */
            letters = letters[0] ? letters : l->shape == LMB_TURN ? "z" : "s";
            size *= item.nodes;
        }
        lmb_channels_add(c, item.name, fill_in(c->arena, l->name, item.of), size, letters, &from,
                         l->linear && !(has & LMB_TURNS) ? l->linear : l->unit,
                         fill_in(c->arena, l->doc, item.of));
    }
}

void lmb_channels_list_model(lmb_channels *c)
{
    const lmb_model *m = c->model;
    c->listing = true;
    for (int i = 1; i < m->body_count; i++)
        lmb_channels_list_body(c, i);
    for (int i = 0; i < m->joint_count; i++)
        add_joint(c, i);
    for (int i = 0; i < m->driver_count; i++)
        add_driver(c, i);
    for (int i = 0; i < m->force_count; i++)
        add_force(c, i);
    lmb_channels_add_all(c, energies, (lmb_item){.name = "energy"});
    for (int i = 0; i < m->event_count; i++)
        lmb_channels_add_all(
            c, events, (lmb_item){m->events[i].name, .number = i, .chain = &lmb_chain_constant});
    c->more_at = c->size;
    lmb_channels_add_all(c, modes, (lmb_item){.name = "modes"});
    lmb_channels_add_all(c, path, (lmb_item){.name = "path"});
    lmb_channels_add_all(c, constraints, (lmb_item){.name = "constraints", .chain = &of_norm});
    lmb_channels_list_recovered(c);
    name_channels(c);
}
