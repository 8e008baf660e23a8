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

vec3 times(const mat3 *R, vec3 x)
{
    return v3_axpy(v3_axpy(v3_scale(x.x, R->c[0]), x.y, R->c[1]), x.z, R->c[2]);
}

static vec3 back(const mat3 *R, vec3 x)
{
    return v3(v3_dot(R->c[0], x), v3_dot(R->c[1], x), v3_dot(R->c[2], x));
}

mat3 draw_rotation(draft *g)
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
    if (g->form.mirrored)
        x.x = -x.x;
    return g->form.turned ? generated_turn(g->dimension, x) : x;
}

vec3 local(const draft *g, vec3 x)
{
    double sign = g->form.mirrored ? -1 : 1;
    return g->dimension == 3 ? v3(x.x, x.y, sign * x.z) : v3(x.x, sign * x.y, x.z);
}

vec3 axial(const draft *g, vec3 x, bool is_global)
{
    vec3 polar = g->dimension == 2 ? x : is_global ? global(g, x) : local(g, x);
    return v3_scale(g->form.mirrored ? -1 : 1, polar);
}

double angle_sign(const draft *g, bool is_angle)
{
    return g->form.mirrored && is_angle ? -1 : 1;
}

vec3 global_point(const draft *g, vec3 x)
{
    x = global(g, x);
    return g->form.turned ? v3_add(x, generated_shift(g->dimension)) : x;
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

void put_quantity(draft *g, double x, const char *unit)
{
    put_number(g, x * generated_factor(&g->form, unit));
}

void put_vector(draft *g, vec3 x, const char *unit)
{
    const double numbers[] = {x.x, x.y, x.z};
    for (int i = 0; i < g->dimension; i++) {
        put(g, i ? ", " : "[");
        put_quantity(g, numbers[i], unit);
    }
    put(g, "]");
}

void put_wave(draft *g, const char *before, int rate)
{
    put(g, "%ssin(", before);
    put_quantity(g, g->form.still ? 0 : rate, "1/s");
    put(g, "*pi*t)");
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

void put_parameter(draft *g, double x, const char *unit)
{
    FILE *out = g->out;
    bool named = draw(g, 2) == 0;
    if (!named || g->form.substituted) {
        put_quantity(g, x, unit);
        return;
    }
    int i = g->count[PARAMETERS];
    begin_entry(g, PARAMETERS);
    put(g, "@p%d: ", i);
    put_quantity(g, x, unit);
    end_entry(g);
    g->out = out;
    put(g, "@p%d", i);
}

int put_word(draft *g, const char *words)
{
    int count = 1, number;
    for (const char *c = words; *c; c++)
        count += *c == ' ';
    const char *word = words;
    number = draw(g, count);
    for (int i = 0; i < number; i++)
        word = strchr(word, ' ') + 1;
    put(g, "%.*s", (int)strcspn(word, " "), word);
    return number;
}

void put_end(draft *g, const placed_body *body, bool first, vec3 place)
{
    if (!body)
        put_vector(g, global_point(g, place), "m");
    else if (body->kind == GENERATED_PARTICLE)
        put(g, "%s", body->name);
    else
        put(g, "%s%s.%s", body->name, !first && g->form.cut && is_rigid(body->kind) ? "h" : "",
            first ? "a" : "b");
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
    put_vector(g, body ? local(g, back(&body->R, axis)) : global(g, axis), "");
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
            put_quantity(g, angle_sign(g, strcmp(f->name, "lead") == 0) * 0.2, f->unit);
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
    mat3 R = A ? A->R : simple_rotation(0, 1, 0);
    vec3 apart = v3_sub(back(&R, axis), back(&B->R, axis));
    if (v3_norm(apart) < 1e-9) { /* else joints would turn bodies so that their axes agree */
        vec3 other = across;
        across = v3_scale(-1, axis);
        axis = other;
    }
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

/* Radii of gears, or that of a pinion. */
static void put_radii(draft *g, const lmb_field *f, bool rack)
{
    bool list = f->type == LMB_FIELD_NUMBERS;
    put(g, list ? "[" : "");
    put_quantity(g, angle_sign(g, rack) * 0.2, f->unit);
    put(g, list ? ", " : "");
    if (list)
        put_quantity(g, 0.3, f->unit);
    put(g, list ? "]" : "");
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
                put_radii(g, f, rack);
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
