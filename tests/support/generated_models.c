#include <stdlib.h>
#include <string.h>

#include "analysis/begin.h"
#include "forces/force.h"
#include "generated_draft.h"
#include "model/fields.h"
#include "read/reader.h"

const char generated_prefix[] = "nn_", generated_other_prefix[] = "zz_";
const double generated_duration = 0.01, generated_event = 0.0053;

/* --- forces and sensors ----------------------------------------------------------------------- */

static const placed_joint *joint_with_coordinate(draft *g, bool angle)
{
    int start = draw(g, g->joint_count);
    for (int i = 0; i < g->joint_count; i++) {
        const placed_joint *j = &g->joints[(start + i) % g->joint_count];
        const char *name = j->type->coordinates[0].name;
        if (name && (!angle || j->type->coordinates[0].kind == LMB_COORDINATE_ANGLE))
            return j;
    }
    return NULL;
}

static const placed_body *body_of(draft *g, bool (*suits)(generated_body kind))
{
    int start = draw(g, g->body_count);
    for (int i = 0; i < g->body_count; i++) {
        const placed_body *body = &g->bodies[(start + i) % g->body_count];
        if (suits(body->kind))
            return body;
    }
    return NULL;
}

static bool is_any(generated_body kind)
{
    return kind < GENERATED_BODIES;
}

static bool can_turn(generated_body kind)
{
    return kind != GENERATED_PARTICLE;
}

static bool is_beam(generated_body kind)
{
    return kind == GENERATED_BEAM || kind == GENERATED_STIFFENED || kind == GENERATED_NATURAL_BEAM;
}

static bool is_mesh(generated_body kind)
{
    return kind == GENERATED_MESH;
}

/* A law that is a vector, or about the normal of the plane a number. */
static void put_law(draft *g, const lmb_field *f, bool is_global)
{
    bool turns = strcmp(f->name, "torque") == 0;
    vec3 x = v3(hundredths(g, -50, 50), hundredths(g, -50, 50),
                g->dimension == 3 ? hundredths(g, -50, 50) : 0);
    x = turns ? axial(g, x, is_global) : is_global ? global(g, x) : local(g, x);
    const double numbers[] = {x.x, x.y, x.z};
    int count = turns && g->dimension == 2 ? 1 : g->dimension;
    int rate = 50 * (1 + draw(g, 2));
    put(g, count > 1 ? ": \"[" : ": \"");
    for (int i = 0; i < count; i++) {
        put(g, i ? ", " : "");
        put_quantity(g, numbers[i], f->unit);
        put_wave(g, "*(1 + ", rate);
        put(g, ")");
    }
    put(g, count > 1 ? "]\"" : "\"");
}

/* Numbers along the axes of a body and about them. */
static void put_list(draft *g, const lmb_field *f, double lo, double hi)
{
    int count = g->dimension == 2 ? 3 : 6;
    char unit[24];
    for (int i = 0; i < count; i++) {
        vec3 axis = i < g->dimension ? local(g, v3_axis(i)) : axial(g, v3_axis(i % 3), false);
        bool flips = v3_get(axis, i < g->dimension ? i : g->dimension == 2 ? 2 : i % 3) < 0;
        if (g->dimension == 2 && i == 2)
            flips = g->form.mirrored;
        put(g, i ? ", " : "[");
        double x = lo + (hi - lo) * draw(g, 5) / 4;
        put_quantity(g, flips && lo < 0 ? -x : x,
                     generated_unit(f->unit, i >= g->dimension, unit, sizeof unit));
    }
    put(g, "]");
}

/* The body and the joint that the keys of a force name. */
typedef struct force_target {
    const placed_body *body;
    const placed_joint *joint;
    bool is_global;
} force_target;

/* The size of a number of a force. */
static double draw_size(draft *g, const char *key)
{
    if (strcmp(key, "stiffness") == 0)
        return 10 + 5 * draw(g, 8);
    if (strcmp(key, "stick_speed") == 0)
        return 0.5;
    return strcmp(key, "from") == 0 ? hundredths(g, 2, 5) : hundredths(g, 8, 12);
}

/* An effort along a joint coordinate. */
static void put_effort(draft *g, const char *unit, bool is_angle)
{
    put(g, "\"");
    put_quantity(g, angle_sign(g, is_angle) * 0.3, unit);
    put_wave(g, "*", 50 * (1 + draw(g, 2)));
    put(g, " - ");
    put_quantity(g, 0.05, is_angle ? "N m s" : "N s/m");
    put(g, "*speed\"");
}

static void put_force_key(draft *g, const lmb_field *f, const force_target *to)
{
    bool law = f->type == LMB_FIELD_TREE;
    bool is_angle = to->joint && to->joint->type->coordinates[0].kind == LMB_COORDINATE_ANGLE;
    char unit[24];
    if (law && (strcmp(f->name, "force") == 0 || strcmp(f->name, "torque") == 0)) {
        put(g, ", %s", f->name);
        put_law(g, f, to->is_global);
        return;
    }
    put(g, ", %s: ", f->name);
    if (f->type == LMB_FIELD_NAME)
        put(g, "%s", to->joint->name);
    else if (f->type == LMB_FIELD_TEXT)
        put(g, "%s", to->joint->type->coordinates[0].name);
    else if (f->type == LMB_FIELD_CHOICE)
        put_word(g, f->choices);
    else if (f->type == LMB_FIELD_VECTOR)
        put_vector(g, axial(g, v3(0.6, 0, 0.8), false), "");
    else if (law && strcmp(f->name, "effort") == 0)
        put_effort(g, generated_unit(f->unit, is_angle, unit, sizeof unit), is_angle);
    else if (law)
        put_list(g, f, 1, 5);
    else if (f->type == LMB_FIELD_NUMBERS)
        put_list(g, f, -0.1, 0.1);
    else
        put_parameter(
            g,
            angle_sign(g, strcmp(f->name, "angle") == 0 && (to->joint || g->dimension == 2)) *
                draw_size(g, f->name),
            generated_unit(f->unit, is_angle, unit, sizeof unit));
}

static bool needs_angle(const lmb_force_type *type)
{
    return has_field(type->fields, "angle");
}

/* A force of a kind, if the model has the body or joint that it needs. */
static void put_force(draft *g, const lmb_force_type *type)
{
    force_target to = {.is_global = true};
    bool line = has_field(type->fields, "from");
    bool between = has_field(type->fields, "between");
    to.joint = joint_with_coordinate(g, needs_angle(type));
    bool full = between && has_field(type->fields, "rest");
    bool turns = full || strcmp(type->name, "force") != 0;
    to.body = body_of(g, line ? is_exact : turns && (full || !between) ? can_turn : is_any);
    if (!to.body || (has_field(type->fields, "joint") && !to.joint))
        return;
    begin_entry(g, FORCES);
    put(g, "@f%d: {type: %s", g->count[FORCES], type->name);
    const lmb_field *axes = lmb_find_field(type->fields, "axes");
    if (axes && draw(g, 2)) {
        put(g, ", axes: ");
        to.is_global = put_word(g, axes->choices) == 0;
    }
    if (between) {
        put(g, ", between: ["); /* with the axes of the body, which turn with the model */
        put_end(g, to.body, false, to.body->b);
        put(g, ", ");
        put_end(g, NULL, false, v3(hundredths(g, -90, -40), 0.3, 0));
        put(g, "]");
    } else if (has_field(type->fields, "at")) {
        put(g, ", at: %s", to.body->name);
        bool point = !line && to.body->kind != GENERATED_PARTICLE;
        put(g, "%s", point && (is_elastic(to.body->kind) || draw(g, 2)) ? ".b" : "");
    }
    for (const lmb_field *f = type->fields; f->name; f++) {
        bool end = f->type == LMB_FIELD_END || f->type == LMB_FIELD_ENDS;
        bool length = between && f->type == LMB_FIELD_NUMBER && strcmp(f->name, "length") == 0;
        bool rest = to.joint && to.joint->grounded && strcmp(f->name, "angle") == 0;
        bool drawn = f->required || draw(g, 2) || strcmp(f->name, "radius") == 0 ||
                     strcmp(f->name, "stick_speed") == 0; /* or explicit steps chatter */
        bool slides = to.joint && to.joint->type->coordinates[0].kind != LMB_COORDINATE_ANGLE;
        if (end || length || strcmp(f->name, "rest") == 0 || (needs_angle(type) && rest) ||
            !drawn || (slides && strcmp(f->name, "radius") == 0) ||
            (f->dimension && f->dimension != g->dimension) ||
            (between && !full && f->type == LMB_FIELD_TREE) || strcmp(f->name, "axes") == 0)
            continue;
        put_force_key(g, f, &to);
    }
    put(g, "}");
    end_entry(g);
}

/* A repeated force on a body, or its entries written out. */
static void put_repeated(draft *g)
{
    const placed_body *body = body_of(g, is_any);
    bool elastic = is_elastic(body->kind);
    vec3 x = global(g, v3(hundredths(g, -9, 9), hundredths(g, -9, 9), 0));
    if (draw(g, 3))
        return;
    for (int k = 1; k <= (g->form.written_out ? 2 : 1); k++) {
        char counter[2] = {g->form.written_out ? (char)('0' + k) : 'i', 0};
        const double numbers[] = {x.x, x.y, x.z};
        begin_entry(g, FORCES);
        put(g, g->form.written_out ? "@q%s: {" : "\"@q{%s}\": {repeat: {i: [1, 2]}, ", counter);
        put(g, "type: force, at: %s%s, force: \"[", body->name, elastic ? ".b" : "");
        for (int i = 0; i < g->dimension; i++) {
            put(g, "%s%s*", i ? ", " : "", counter);
            put_quantity(g, numbers[i], "N");
        }
        put(g, "]\"}");
        end_entry(g);
    }
}

static void put_forces(draft *g)
{
    int count = 0;
    while (lmb_force_types[count])
        count++;
    for (int n = 2 + draw(g, 3); n > 0; n--)
        put_force(g, lmb_force_types[draw(g, count)]);
    const lmb_force_type *bushing = lmb_force_types[0];
    for (int i = 0; lmb_force_types[i]; i++)
        if (strcmp(lmb_force_types[i]->name, "bushing") == 0)
            bushing = lmb_force_types[i];
    for (int i = 0; g->purpose == HELD && i < g->body_count; i++) {
        const placed_body *body = &g->bodies[i];
        begin_entry(g, FORCES);
        put(g, "@f%d: {type: bushing, between: [", g->count[FORCES]);
        put_end(g, body, false, body->b);
        put(g, ", ");
        put_end(g, NULL, false, body->b);
        put(g, "], stiffness: ");
        put_list(g, lmb_find_field(bushing->fields, "stiffness"), 200, 400);
        put(g, "}");
        end_entry(g);
    }
    put_repeated(g);
}

/* Prescribes the coordinate of each joint, and plays back its effort in the last analysis. */
static void put_drivers(draft *g)
{
    for (int i = 0; g->purpose == DRIVEN && i < g->joint_count; i++) {
        const placed_joint *j = &g->joints[i];
        const char *coordinate = j->type->coordinates[0].name;
        if (!coordinate)
            continue;
        begin_entry(g, DRIVERS);
        bool is_angle = j->type->coordinates[0].kind == LMB_COORDINATE_ANGLE;
        put(g, "@d%d: {joint: %s, coordinate: %s, speed: \"", i, j->name, coordinate);
        put_quantity(g, angle_sign(g, is_angle) * hundredths(g, 10, 90), is_angle ? "1/s" : "m/s");
        put_wave(g, "*", 50);
        put(g, "\"}");
        end_entry(g);
        begin_entry(g, FORCES);
        put(g, "@r%d: {type: motor, joint: %s, coordinate: %s, effort: record(@a%d/@d%d.effort)}",
            i, j->name, coordinate, g->assembly ? 3 : 2, i);
        end_entry(g);
    }
}

static void put_instrument(draft *g, const lmb_instrument_type *type)
{
    bool solid = has_field(type->fields, "normal") || draw(g, 2);
    bool point = has_field(type->fields, "point");
    const placed_body *body = body_of(g, point ? can_turn : solid ? is_mesh : is_beam);
    if (!body)
        return;
    begin_entry(g, SENSORS);
    put(g, "@s%d: {%s: {", g->count[SENSORS], type->name);
    if (point)
        put(g, "point: %s.b", body->name);
    else
        put(g, "body: %s, node: %d", body->name, solid ? 7 : 2);
    if (!point && solid) {
        put(g, ", direction: ");
        put_vector(g, v3(1, 0, 0), "");
        put(g, "%s", has_field(type->fields, "normal") ? ", normal: [0, 0, 1]" : "");
    }
    put(g, "}}");
    end_entry(g);
}

/* Write sensors: squares of velocities, or of distances in assemblies. Turned models have the same
 * values. */
static void put_sensors(draft *g)
{
    bool moving = !g->assembly && g->purpose != HELD;
    for (const lmb_instrument_type *type = lmb_instrument_types; type->name; type++)
        if (draw(g, 2) && (moving || !has_field(type->fields, "point")))
            put_instrument(g, type);
    const char *name = g->bodies[draw(g, g->body_count)].name, *other = g->bodies[0].name;
    begin_entry(g, SENSORS);
    put(g, "@s%d: \"", g->count[SENSORS]);
    for (int i = 0; i < g->dimension; i++)
        if (moving)
            put(g, "%s%s.velocity.%c^2", i ? " + " : "", name, "xyz"[i]);
        else
            put(g, "%s(%s.position.%c - %s.position.%c)^2", i ? " + " : "", name, "xyz"[i], other,
                "xyz"[i]);
    put(g, "\"");
    end_entry(g);
}

/* An event after half of the motions releases a force, or latches the first one. */
static void put_event(draft *g)
{
    if (g->purpose != FREE || !g->count[FORCES] || draw(g, 3))
        return;
    g->latched = draw(g, 2);
    begin_entry(g, EVENTS);
    put(g, "@e0: {when: \"t - ");
    put_quantity(g, generated_event, "s");
    put(g, "\", %s: [@f1]}", g->latched ? "latch" : "release");
    end_entry(g);
}

/* --- analyses --------------------------------------------------------------------------------- */

static void put_time(draft *g, const char *key, double t)
{
    put(g, ", %s: ", key);
    put_quantity(g, t, "s");
}

/* An integrator with its keys. */
static void put_integrator(draft *g)
{
    int count = 0;
    while (lmb_integrators[count])
        count++;
    const lmb_integrator *i = g->integrator = lmb_integrators[draw(g, count)];
    put(g, ", integrator: %s", i->name);
    bool controlled = i->controlled || (i->may_control && draw(g, 3) == 0);
    if (controlled)
        put(g, ", tolerance: 1e-8");
    else
        put_time(g, "step", i->implicit ? 1e-3 : 2e-5);
    if (i->implicit && !controlled)
        put(g, ", newton: rounding");
    const char *key = i->projects ? "projection" : i->implicit ? NULL : "stabilisation";
    if (key && draw(g, 3) == 0) {
        put(g, ", %s: ", key);
        if (put_word(g, lmb_find_field(lmb_analysis_fields, key)->choices) == LMB_BAUMGARTE &&
            !i->projects) {
            put(g, ", baumgarte: ");
            put_quantity(g, 20, "1/s");
        }
    }
}

static void put_motion(draft *g, const char *type, bool integrated)
{
    put(g, "@a%d: {type: %s", g->count[ANALYSES], type);
    put_time(g, "duration", generated_duration);
    put_time(g, "output_step", generated_duration / 5);
    g->integrator = NULL;
    if (integrated)
        put_integrator(g);
}

/* Ends an analysis. Without `all`, what an event latches or what is played back is left out. */
static void end_analysis(draft *g, bool all)
{
    const char *separator = ", without: [";
    if (g->latched && !all)
        put(g, "%s@f1", separator);
    for (int i = 0; i < g->count[DRIVERS]; i++) {
        int number = atoi(g->entries[DRIVERS][i] + 2);
        put(g, "%s@%c%d", separator, all ? 'd' : 'r', number);
        separator = ", ";
    }
    put(g, g->latched || g->count[DRIVERS] ? "]}" : "}");
    end_entry(g);
}

/* Keys by which a motion begins, if there are elastic bodies. */
static void put_begin(draft *g)
{
    int count = 0;
    while (lmb_beginnings[count])
        count++;
    const lmb_beginning *begin = lmb_beginnings[draw(g, count)];
    bool periodic = begin == &lmb_begin_periodic;
    if (!body_of(g, is_elastic) || g->count[INITIAL] || draw(g, 2))
        return;
    if (periodic && (g->purpose != DRIVEN || !g->integrator || !g->integrator->damps ||
                     body_of(g, is_exact))) /* it would take seconds */
        return;
    put(g, ", begin: %s", begin->name);
    if (periodic)
        put_time(g, "period", 0.04);
}

static void put_driven_analyses(draft *g)
{
    begin_entry(g, ANALYSES);
    put_motion(g, "kinematics", false);
    end_analysis(g, false);
    begin_entry(g, ANALYSES);
    put_motion(g, "inverse-dynamics", false);
    put_begin(g);
    end_analysis(g, false);
    begin_entry(g, ANALYSES);
    put_motion(g, "dynamics", true);
    put_begin(g);
    end_analysis(g, false);
    begin_entry(g, ANALYSES);
    put_motion(g, "dynamics", true);
    end_analysis(g, true);
}

static void put_held_analyses(draft *g)
{
    int n = g->count[ANALYSES];
    begin_entry(g, ANALYSES);
    put(g, "@a%d: {type: statics", n + 1);
    end_analysis(g, false);
    begin_entry(g, ANALYSES);
    put(g, "@a%d: {type: statics, follow: ", n + 2);
    put_word(g, lmb_find_field(lmb_analysis_fields, "follow")->choices);
    put(g, ", steps: 4, points: 6");
    end_analysis(g, false);
    begin_entry(g, ANALYSES);
    put(g, "@a%d: {type: modes, modes: 4", n + 3);
    end_analysis(g, false);
    begin_entry(g, ANALYSES);
    put_motion(g, "dynamics", true);
    put(g, ", from: @a%d", n + 1);
    end_analysis(g, false);
}

static void put_free_analyses(draft *g)
{
    int n = g->count[ANALYSES];
    for (int i = 0; i < 2; i++) {
        begin_entry(g, ANALYSES);
        put_motion(g, "dynamics", true);
        if (i == 1)
            put(g, ", from: @a%d", n + 1);
        else
            put_begin(g);
        end_analysis(g, false);
    }
}

static void put_analyses(draft *g)
{
    if (g->assembly) {
        begin_entry(g, ANALYSES);
        put(g, "@a1: {type: assembly");
        end_analysis(g, false);
    }
    (g->purpose == DRIVEN ? put_driven_analyses
     : g->purpose == HELD ? put_held_analyses
                          : put_free_analyses)(g);
}

/* --- models ----------------------------------------------------------------------------------- */

static void put_initial(draft *g)
{
    const placed_joint *j = &g->joints[draw(g, g->joint_count)];
    if (g->purpose != FREE || !j->type->coordinates[0].name || j->coupled || draw(g, 2))
        return;
    begin_entry(g, INITIAL);
    bool is_angle = j->type->coordinates[0].kind == LMB_COORDINATE_ANGLE;
    put(g, "%s.%s_velocity: ", j->name, j->type->coordinates[0].name);
    put_quantity(g, angle_sign(g, is_angle) * 0.5, is_angle ? "1/s" : "m/s");
    end_entry(g);
}

/* Makes the last entry of a section the first. */
static void move_last(draft *g, section_id section)
{
    char **entries = g->entries[section], *last = entries[g->count[section] - 1];
    memmove(entries + 1, entries, sizeof *entries * (size_t)(g->count[section] - 1));
    entries[0] = last;
}

/* The unrelated body, after all that is drawn for the others. */
static void put_unrelated(draft *g)
{
    vec3 place = v3(g->form.distance > 0 ? g->form.distance : 3, 1, 0);
    const lmb_joint_type *weld = &(const lmb_joint_type){0};
    const char *wanted = g->form.extra != GENERATED_PARTICLE ? "fixed"
                         : g->dimension == 2                 ? "revolute"
                                                             : "spherical";
    for (int i = 0; lmb_joint_types[i]; i++)
        if (strcmp(lmb_joint_types[i]->name, wanted) == 0)
            weld = lmb_joint_types[i];
    g->form.substituted = true;
    if (g->form.extra == GENERATED_MESH && g->dimension == 2)
        g->form.extra = GENERATED_RIGID;
    const placed_body *body = put_body(g, "unrelated", g->form.extra, place);
    put_joint(g, weld, NULL, place, body, false, v3(1, 0, 0), v3(0, 1, 0));
    if (!g->form.last) {
        move_last(g, BODIES);
        move_last(g, JOINTS);
    }
}

static void write_entry(const draft *g, FILE *f, const char *entry)
{
    fprintf(f, "  ");
    for (const char *c = entry; *c; c++)
        if (*c == '@')
            fputs(g->form.renamed ? generated_other_prefix : generated_prefix, f);
        else
            fputc(*c, f);
    fputc('\n', f);
}

static void write_section(const draft *g, FILE *f, section_id section)
{
    static const char *const names[SECTIONS] = {"parameters", "bodies",  "joints",
                                                "drivers",    "forces",  "sensors",
                                                "events",     "initial", "analyses"};
    int count = g->count[section];
    if (count)
        fprintf(f, "%s:\n", names[section]);
    for (int i = 0; i < count; i++)
        write_entry(
            g, f, g->entries[section][g->form.reversed && section != ANALYSES ? count - 1 - i : i]);
}

static char *written(draft *g)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "limber: 1\ndimension: %d\ngravity: ", g->dimension);
    g->out = f;
    put_vector(g, global(g, g->dimension == 2 ? v3(0, -9.81, 0) : v3(0, 0, -9.81)), "m/s^2");
    fputc('\n', f);
    for (int i = 0; i < SECTIONS; i++)
        write_section(g, f, (section_id)(g->form.reversed ? SECTIONS - 1 - i : i));
    fclose(f);
    for (int i = 0; i < SECTIONS; i++)
        for (int k = 0; k < g->count[i]; k++)
            free(g->entries[i][k]);
    return text;
}

char *generated_model(uint64_t seed, int size, unsigned bodies, const generated_form *form)
{
    return generated_model_of_choices(NULL, 0, seed, size, bodies, form);
}

char *generated_model_of_choices(const uint8_t *bytes, size_t length, uint64_t seed, int size,
                                 unsigned bodies, const generated_form *form)
{
    draft g = {.state = seed, .form = *form, .bytes = bytes, .end = bytes ? bytes + length : NULL};
    g.dimension = 2 + draw(&g, 2);
    g.purpose = (purpose)draw(&g, PURPOSES);
    g.assembly = draw(&g, 3) == 0;
    if (size > MOST_BODIES - 1)
        size = MOST_BODIES - 1;
    int count = 1 + draw(&g, size);
    if (g.purpose != FREE) /* nothing holds or drives particles */
        bodies &= ~(1u << GENERATED_PARTICLE);
    int second = count > 1 && draw(&g, 5) == 0 ? 1 : 0;
    put_mechanism(&g, count - second, bodies, v3(0, 0, 0));
    if (second)
        put_mechanism(&g, second, bodies, v3(0, 1.5, 0));
    put_couplings(&g);
    put_forces(&g);
    put_drivers(&g);
    put_sensors(&g);
    put_event(&g);
    put_initial(&g);
    put_analyses(&g);
    if (g.form.added)
        put_unrelated(&g);
    return written(&g);
}
