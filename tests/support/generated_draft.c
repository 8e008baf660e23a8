#include "generated_draft.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"

/* --- numbers ---------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t draw_bits(draft *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int draw(draft *g, int count)
{
    if (g->bytes < g->end)
        return *g->bytes++ % count;
    return (int)((draw_bits(g) >> 33) % (uint64_t)count);
}

double hundredths(draft *g, int lo, int hi)
{
    return (lo + draw(g, hi - lo + 1)) / 100.0;
}

/* Exact rotations by the angle whose cosine is 0.6 or 0.8 about an axis. */
static mat3 simple_rotation(int axis, double c, double s)
{
    mat3 R = {0};
    R.c[axis] = v3_axis(axis);
    int i = (axis + 1) % 3, k = (axis + 2) % 3;
    R.c[i] = v3_axpy(v3_scale(c, v3_axis(i)), s, v3_axis(k));
    R.c[k] = v3_axpy(v3_scale(c, v3_axis(k)), -s, v3_axis(i));
    return R;
}

static vec3 times(const mat3 *R, vec3 x)
{
    return v3_axpy(v3_axpy(v3_scale(x.x, R->c[0]), x.y, R->c[1]), x.z, R->c[2]);
}

static vec3 back(const mat3 *R, vec3 x)
{
    return v3(v3_dot(R->c[0], x), v3_dot(R->c[1], x), v3_dot(R->c[2], x));
}

static mat3 draw_rotation(draft *g)
{
    static const double cosines[] = {1, 0.6, 0.8, 0, 0.6}, sines[] = {0, 0.8, 0.6, 1, -0.8};
    int i = draw(g, 5);
    mat3 R = simple_rotation(2, cosines[i], sines[i]);
    int k = draw(g, 5), axis = draw(g, 2);
    if (g->dimension == 2)
        return R;
    mat3 S = simple_rotation(axis, cosines[k], sines[k]), product;
    for (int c = 0; c < 3; c++)
        product.c[c] = times(&S, R.c[c]);
    return product;
}

vec3 generated_turn(int dimension, vec3 x)
{
    mat3 R = simple_rotation(2, 0.6, 0.8), S = simple_rotation(0, 0.8, 0.6);
    x = times(&R, x);
    return dimension == 2 ? x : times(&S, x);
}

vec3 generated_shift(int dimension)
{
    return generated_turn(dimension, v3(0.7, dimension == 2 ? 0 : -1.3, 0));
}

vec3 global(const draft *g, vec3 x)
{
    return g->form.turned ? generated_turn(g->dimension, x) : x;
}

static vec3 global_point(const draft *g, vec3 x)
{
    return g->form.turned ? v3_add(global(g, x), generated_shift(g->dimension)) : x;
}

/* --- texts ------------------------------------------------------------------------------------ */

void put(draft *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(g->out, format, args);
    va_end(args);
}

void put_number(draft *g, double x)
{
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x == 0 ? 0 : x);
        if (strtod(text, NULL) == x)
            break;
    }
    put(g, "%s", text);
}

void put_vector(draft *g, vec3 x)
{
    const double numbers[] = {x.x, x.y, x.z};
    for (int i = 0; i < g->dimension; i++) {
        put(g, i ? ", " : "[");
        put_number(g, numbers[i]);
    }
    put(g, "]");
}

void begin_entry(draft *g, section_id section)
{
    int i = g->count[section]++;
    assert(i < MOST_ENTRIES);
    g->out = open_memstream(&g->entries[section][i], &g->size);
}

void end_entry(draft *g)
{
    fclose(g->out);
    g->out = NULL;
}

void put_parameter(draft *g, double x)
{
    FILE *out = g->out;
    bool named = draw(g, 2) == 0;
    if (!named || g->form.substituted) {
        put_number(g, x);
        return;
    }
    int i = g->count[PARAMETERS];
    begin_entry(g, PARAMETERS);
    put(g, "@p%d: ", i);
    put_number(g, x);
    end_entry(g);
    g->out = out;
    put(g, "@p%d", i);
}

void put_word(draft *g, const char *words)
{
    int count = 1;
    for (const char *c = words; *c; c++)
        count += *c == ' ';
    const char *word = words;
    for (int i = draw(g, count); i > 0; i--)
        word = strchr(word, ' ') + 1;
    put(g, "%.*s", (int)strcspn(word, " "), word);
}

/* --- bodies ----------------------------------------------------------------------------------- */

bool is_exact(generated_body kind)
{
    return kind == GENERATED_EXACT || kind == GENERATED_CURVED;
}

bool is_elastic(generated_body kind)
{
    return kind > GENERATED_NATURAL;
}

/* The ends in body axes; ends of rigid bodies are drawn. */
static void set_ends(draft *g, generated_body kind, vec3 *a, vec3 *b)
{
    double numbers[6];
    for (int i = 0; i < 6; i++)
        numbers[i] = hundredths(g, 5, 25);
    *a = v3(0, 0, 0);
    *b = v3(0.4, 0, 0);
    if (kind == GENERATED_RIGID || kind == GENERATED_NATURAL) {
        double z = g->dimension == 3;
        *a = v3(-numbers[0], -numbers[1], -numbers[2] * z);
        *b = v3(numbers[3], numbers[4], numbers[5] * z);
    } else if (kind == GENERATED_PARTICLE) {
        *b = *a;
    } else if (kind == GENERATED_CURVED) {
        *a = v3(0.3, 0, 0);
        *b = v3(0, 0.3, 0);
    }
}

static void put_material(draft *g)
{
    put(g, "material: {E: ");
    put_parameter(g, 1e7 * (1 + draw(g, 4)));
    put(g, ", nu: 0.3, density: ");
    put_parameter(g, 600 + 100 * draw(g, 5));
    put(g, "}");
}

/* A beam along x, with other keys of the beam. */
static void put_beam(draft *g, const char *keys)
{
    put(g, "beam: {from: ");
    put_vector(g, v3(0, 0, 0));
    put(g, ", to: ");
    put_vector(g, v3(0.4, 0, 0));
    put(g, ", elements: 2, section: {rectangle: {width: 0.07, height: ");
    put_parameter(g, hundredths(g, 4, 6));
    put(g, "}}, %s", keys);
    put_material(g);
    put(g, "}, interfaces: {a: start, b: end}");
}

static void put_exact_beam(draft *g, bool curved)
{
    char keys[160];
    int order = 1 + draw(g, 3);
    snprintf(keys, sizeof keys, "deformation: large, order: %d, ", order);
    if (!curved) {
        put_beam(g, keys);
    } else {
        put(g, "beam: {arc: {radius: 0.3, start: ");
        put_vector(g, v3(1, 0, 0));
        put(g, ", angle: pi/2}, elements: 2, section: {circle: {diameter: 0.05}}, %s", keys);
        put_material(g);
        put(g, "}, interfaces: {a: start, b: end}");
    }
    put(g, ", damping: {stiffness: 2e-5}");
}

static void put_modal(draft *g)
{
    bool plane = g->dimension == 2;
    put(g, "modal: {mass: 0.8, centre: ");
    put_vector(g, v3(0.2, 0, 0));
    put(g, ", inertia: %s, stiffness: [", plane ? "0.05" : "[0.01, 0.05, 0.05]");
    put_parameter(g, 2000 + 500 * draw(g, 4));
    put(g, "], modal_mass: [0.2], damping: [3]}, interfaces: {a: {point: ");
    put_vector(g, v3(0, 0, 0));
    put(g, "}, b: {point: ");
    put_vector(g, v3(0.4, 0, 0));
    put(g, ", displacements: [");
    put_vector(g, v3(0, 1, 0));
    put(g, "], rotations: [%s]}}", plane ? "3" : "[0, 0, 3]");
}

static void put_framework(draft *g)
{
    put(g, "framework: {nodes: {a: ");
    put_vector(g, v3(0, 0, 0));
    put(g, ", b: ");
    put_vector(g, v3(0.4, 0, 0));
    put(g, ", c: ");
    put_vector(g, v3(0.2, 0.15, 0));
    put(g, "}, members: {ab: {between: [a, b]}, acb: {along: [a, c, b]}}, elements: 1, "
           "section: {tube: {diameter: 0.05, wall: 0.01}}, ");
    put_material(g);
    put(g, "}, interfaces: {a: a, b: b}, reduction: {modes: 2, keep: 3}, damping: 0.05");
}

static void put_rigid(draft *g, vec3 a, vec3 b)
{
    put(g, "type: rigid, mass: ");
    put_parameter(g, hundredths(g, 50, 200));
    put(g, ", inertia: ");
    double x = hundredths(g, 3, 6), y = hundredths(g, 3, 6), z = hundredths(g, 3, 6);
    if (g->dimension == 2)
        put_number(g, x);
    else
        put_vector(g, v3(x, y, z));
    put(g, ", points: {a: ");
    put_vector(g, a);
    put(g, ", b: ");
    put_vector(g, b);
    put(g, "}");
}

static void put_kind(draft *g, generated_body kind, vec3 a, vec3 b)
{
    switch (kind) {
    case GENERATED_PARTICLE:
        put(g, "type: particle, mass: ");
        put_parameter(g, hundredths(g, 30, 90));
        break;
    case GENERATED_BEAM:
        put_beam(g, "");
        put(g, ", reduction: {modes: 1, keep: 3}, damping: 0.05");
        break;
    case GENERATED_STIFFENED:
        put_beam(g, "");
        put(g, ", reduction: {modes: 1, keep: 4, stiffening: true, frame: {point: a}}");
        break;
    case GENERATED_NATURAL_BEAM:
        put_beam(g, "");
        put(g, ", reduction: {modes: 1, keep: 3}, damping: 0.05, coordinates: natural");
        break;
    case GENERATED_FRAMEWORK:
        put_framework(g);
        break;
    case GENERATED_MESH:
        put(g, "mesh: {file: block.inp, ");
        put_material(g);
        put(g, "}, interfaces: {a: {nodes: ROOT}, b: {nodes: TIP}}, "
               "reduction: {modes: 1, keep: 3}, damping: 0.02");
        break;
    case GENERATED_MODAL:
        put_modal(g);
        break;
    case GENERATED_EXACT:
    case GENERATED_CURVED:
        put_exact_beam(g, kind == GENERATED_CURVED);
        break;
    default:
        put_rigid(g, a, b);
        if (kind == GENERATED_NATURAL)
            put(g, ", coordinates: natural");
    }
}

placed_body *put_body(draft *g, const char *name, generated_body kind, vec3 place)
{
    placed_body *body = &g->bodies[g->body_count++];
    vec3 a, b;
    *body = (placed_body){.kind = kind, .R = draw_rotation(g), .a = place};
    snprintf(body->name, sizeof body->name, "@%s", name);
    set_ends(g, kind, &a, &b);
    body->b = v3_add(place, times(&body->R, v3_sub(b, a)));
    begin_entry(g, BODIES);
    put(g, "%s: {", body->name);
    put_kind(g, kind, a, b);
    put(g, ", position: ");
    put_vector(g, global_point(g, v3_sub(place, times(&body->R, a))));
    vec3 x = body->R.c[0];
    if (kind != GENERATED_PARTICLE && g->dimension == 2) {
        put(g, ", angle: \"atan2(");
        put_number(g, x.y);
        put(g, ", ");
        put_number(g, x.x);
        put(g, ")%s\"", g->form.turned ? " + atan2(0.8, 0.6)" : "");
    } else if (kind != GENERATED_PARTICLE) {
        put(g, ", axes: [");
        put_vector(g, global(g, x));
        put(g, ", ");
        put_vector(g, global(g, body->R.c[1]));
        put(g, "]");
    }
    put(g, "}");
    end_entry(g);
    return body;
}

void put_end(draft *g, const placed_body *body, bool first, vec3 place)
{
    if (!body)
        put_vector(g, global_point(g, place));
    else if (body->kind == GENERATED_PARTICLE)
        put(g, "%s", body->name);
    else
        put(g, "%s.%s", body->name, first ? "a" : "b");
}

/* --- joints ----------------------------------------------------------------------------------- */

bool has_field(const lmb_field *fields, const char *name)
{
    return lmb_find_field(fields, name) != NULL;
}

/* A type of joint of two bodies that suits the purpose. */
static const lmb_joint_type *draw_joint(draft *g, bool particle, bool closes)
{
    for (;;) {
        int count = 0;
        while (lmb_joint_types[count])
            count++;
        const lmb_joint_type *type = lmb_joint_types[draw(g, count)];
        bool axis = has_field(type->fields, "axis"), axis_b = has_field(type->fields, "axis_b");
        bool any = type->dimension == 0 && type->coordinates[0].name;
        if (g->purpose == HELD && g->body_count == 0 && strcmp(type->name, "fixed") == 0)
            continue;
        if (type->coupling || (type->dimension && type->dimension != g->dimension))
            continue;
        if (particle || closes ? !axis || axis_b
                               : g->purpose == DRIVEN && !any && strcmp(type->name, "fixed") != 0)
            continue;
        return type;
    }
}

/* How far the second end is from the first one, along global axes of the plain form. */
static vec3 gap_of(const draft *g, const lmb_joint_type *type, vec3 axis)
{
    if (strcmp(type->name, "distance") == 0)
        return v3(0.1, 0.2, g->dimension == 3 ? 0.2 : 0);
    return strcmp(type->name, "rolling") == 0 ? v3_scale(0.2, axis) : v3(0, 0, 0);
}

/* An axis of a joint in the axes of a body, or of the ground. */
static void put_axis(draft *g, const placed_body *body, vec3 axis)
{
    put_vector(g, body ? back(&body->R, axis) : global(g, axis));
}

void put_joint(draft *g, const lmb_joint_type *type, const placed_body *A, vec3 place,
               const placed_body *B, bool last, vec3 axis, vec3 across)
{
    placed_joint *joint = &g->joints[g->joint_count];
    *joint = (placed_joint){.type = type, .grounded = !A};
    snprintf(joint->name, sizeof joint->name, "@j%d", g->joint_count++);
    begin_entry(g, JOINTS);
    put(g, "%s: {type: %s, between: [", joint->name, type->name);
    put_end(g, A, false, place);
    put(g, ", ");
    put_end(g, B, !last, place);
    put(g, "]");
    for (const lmb_field *f = type->fields; f->name; f++) {
        bool axis_b = strcmp(f->name, "axis_b") == 0;
        if ((f->dimension && f->dimension != g->dimension) ||
            (!f->required && strcmp(f->name, "axis") != 0))
            continue;
        put(g, ", %s: ", f->name);
        if (f->type == LMB_FIELD_VECTOR && axis_b)
            put_axis(g, B, across);
        else if (f->type == LMB_FIELD_VECTOR)
            put_axis(g, A, axis);
        else
            put_number(g, 0.2);
    }
    put(g, "}");
    end_entry(g);
}

/* Joins a new body to an end of another one, or to the ground. */
static void join_body(draft *g, generated_body kind, const placed_body *A, vec3 place)
{
    static const double cosines[] = {1, 0.6, 0.8, 0};
    char name[16];
    const lmb_joint_type *type = draw_joint(g, kind == GENERATED_PARTICLE, false);
    int i = draw(g, 4);
    double c = cosines[i], s = cosines[i == 0 ? 3 : i == 3 ? 0 : 3 - i];
    vec3 axis = v3(c, s, 0), across = v3(-s, c, 0);
    if (g->dimension == 3 && draw(g, 2))
        axis = v3(0, 0, 1);
    snprintf(name, sizeof name, "b%d", g->body_count);
    const placed_body *B = put_body(g, name, kind, v3_add(place, gap_of(g, type, axis)));
    put_joint(g, type, A, place, B, false, axis, across);
}

/* The second of two joints that one couples is a slider for a rack. */
static placed_joint *find_coupled(draft *g, lmb_coordinate_kind kind, const placed_joint *besides)
{
    for (int i = 0; i < g->joint_count; i++) {
        placed_joint *j = &g->joints[i];
        if (j != besides && !j->coupled && j->type->coordinates[0].name &&
            j->type->coordinates[0].kind == kind && !j->type->coordinates[1].name)
            return j;
    }
    return NULL;
}

void put_couplings(draft *g)
{
    for (int i = 0; lmb_joint_types[i]; i++) {
        const lmb_joint_type *type = lmb_joint_types[i];
        bool wanted = draw(g, 3) == 0, rack = strcmp(type->name, "rack") == 0;
        if (!type->coupling || !wanted || g->purpose == DRIVEN)
            continue;
        placed_joint *a = find_coupled(g, LMB_COORDINATE_ANGLE, NULL);
        placed_joint *b = find_coupled(g, rack ? LMB_COORDINATE_OFFSET : LMB_COORDINATE_ANGLE, a);
        if (!a || !b)
            continue;
        a->coupled = b->coupled = true;
        begin_entry(g, JOINTS);
        put(g, "@j%d: {type: %s", g->joint_count, type->name);
        g->joints[g->joint_count].type = type;
        snprintf(g->joints[g->joint_count].name, sizeof a->name, "@j%d", g->joint_count);
        g->joint_count++;
        for (const lmb_field *f = type->fields; f->name; f++) {
            if (f->required)
                put(g, ", %s: ", f->name);
            if (f->required && f->type == LMB_FIELD_JOINTS)
                put(g, "[%s, %s]", a->name, b->name);
            else if (f->required)
                put(g, f->type == LMB_FIELD_NUMBERS ? "[0.2, 0.3]" : "0.2");
        }
        put(g, "}");
        end_entry(g);
    }
}

void put_mechanism(draft *g, int size, unsigned kinds, vec3 place)
{
    bool tree = draw(g, 3) == 0, closed = draw(g, 4) == 0;
    int first = g->body_count, parent = -1;
    for (int i = 0; i < size; i++) {
        generated_body kind = GENERATED_RIGID;
        do {
            kind = (generated_body)draw(g, GENERATED_BODIES);
        } while (!(kinds & 1u << kind) || (g->dimension == 2 && kind == GENERATED_MESH));
        int other = first + draw(g, i + 1) - 1;
        if (tree && i > 0)
            parent = other < first ? -1 : other;
        if (parent >= 0 && g->bodies[parent].kind == GENERATED_PARTICLE)
            parent = -1;
        const placed_body *A = parent >= 0 ? &g->bodies[parent] : NULL;
        join_body(g, kind, A, A ? A->b : place);
        parent = g->body_count - 1;
    }
    const placed_body *last = &g->bodies[g->body_count - 1];
    const lmb_joint_type *type = draw_joint(g, false, true);
    if (closed && size > 1 && g->purpose != DRIVEN && last->kind != GENERATED_PARTICLE)
        put_joint(g, type, NULL, last->b, last, true, v3(0.6, 0.8, 0), v3(0.8, -0.6, 0));
}
