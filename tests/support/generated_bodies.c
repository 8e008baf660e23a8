/* Bodies of generated models. */
#include <string.h>

#include "generated_draft.h"

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
    put_parameter(g, 1e7 * (1 + draw(g, 4)), "Pa");
    put(g, ", nu: 0.3, density: ");
    put_parameter(g, 600 + 100 * draw(g, 5), "kg/m^3");
    put(g, "}");
}

/* A beam along x, with other keys of the beam. */
static void put_beam(draft *g, const char *keys)
{
    put(g, "beam: {from: ");
    put_vector(g, v3(0, 0, 0), "m");
    put(g, ", to: ");
    put_vector(g, v3(0.4, 0, 0), "m");
    put(g, ", elements: 2, section: {rectangle: {width: ");
    put_quantity(g, 0.07, "m");
    put(g, ", height: ");
    put_parameter(g, hundredths(g, 4, 6), "m");
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
        put(g, "beam: {arc: {radius: ");
        put_quantity(g, 0.3, "m");
        put(g, ", start: ");
        put_vector(g, v3(1, 0, 0), "");
        put(g, ", angle: %spi/2}, elements: 2, section: {circle: {diameter: ",
            angle_sign(g, g->dimension == 2) < 0 ? "-" : "");
        put_quantity(g, 0.05, "m");
        put(g, "}}, %s", keys);
        put_material(g);
        put(g, "}, interfaces: {a: start, b: end}");
    }
    put(g, ", damping: {stiffness: ");
    put_quantity(g, 2e-5, "s");
    put(g, "}");
}

static void put_modal(draft *g)
{
    bool plane = g->dimension == 2;
    put(g, "modal: {mass: ");
    put_quantity(g, 0.8, "kg");
    put(g, ", centre: ");
    put_vector(g, v3(0.2, 0, 0), "m");
    put(g, ", inertia: ");
    if (plane)
        put_quantity(g, 0.05, "kg m^2");
    else
        put_vector(g, v3(0.01, 0.05, 0.05), "kg m^2");
    put(g, ", stiffness: [");
    put_parameter(g, 2000 + 500 * draw(g, 4), "N/m");
    put(g, "], modal_mass: [");
    put_quantity(g, 0.2, "kg");
    put(g, "], damping: [");
    put_quantity(g, 3, "N s/m");
    put(g, "]}, interfaces: {a: {point: ");
    put_vector(g, v3(0, 0, 0), "m");
    put(g, "}, b: {point: ");
    put_vector(g, v3(0.4, 0, 0), "m");
    put(g, ", displacements: [");
    put_vector(g, local(g, v3(0, 1, 0)), "");
    put(g, "], rotations: [");
    if (plane)
        put_quantity(g, angle_sign(g, true) * 3, "1/m");
    else
        put_vector(g, v3(0, 0, 3), "1/m");
    put(g, "]}}");
}

static void put_framework(draft *g)
{
    static const char *const names[] = {"{a: ", ", b: ", ", c: "};
    const vec3 nodes[] = {v3(0, 0, 0), v3(0.4, 0, 0), v3(0.2, 0.15, 0)};
    put(g, "framework: {nodes: ");
    for (int i = 0; i < 3; i++) {
        put(g, "%s", names[i]);
        put_vector(g, local(g, nodes[i]), "m");
    }
    put(g, "}, members: {ab: {between: [a, b]}, acb: {along: [a, c, b]}}, elements: 1, "
           "section: {tube: {diameter: ");
    put_quantity(g, 0.05, "m");
    put(g, ", wall: ");
    put_quantity(g, 0.01, "m");
    put(g, "}}, ");
    put_material(g);
    put(g, "}, interfaces: {a: a, b: b}, reduction: {modes: 2, keep: 3}, damping: 0.05");
}

bool is_rigid(generated_body kind)
{
    return kind == GENERATED_RIGID || kind == GENERATED_NATURAL;
}

static void put_rigid(draft *g, vec3 a, vec3 b)
{
    const char *part = g->form.cut ? "/2" : "";
    put(g, "type: rigid, mass: \"");
    put_parameter(g, hundredths(g, 50, 200), "kg");
    put(g, "%s\", inertia: ", part);
    const double inertia[] = {hundredths(g, 3, 6), hundredths(g, 3, 6), hundredths(g, 3, 6)};
    put(g, g->dimension == 3 ? "[" : "");
    for (int i = 0; i < (g->dimension == 3 ? 3 : 1); i++) {
        put(g, "%s", i ? ", " : "");
        put_quantity(g, inertia[i] / (g->form.cut ? 2 : 1), "kg m^2");
    }
    put(g, g->dimension == 3 ? "]" : "");
    put(g, ", points: {a: ");
    put_vector(g, local(g, a), "m");
    put(g, ", b: ");
    put_vector(g, local(g, b), "m");
    put(g, "}");
}

static void put_kind(draft *g, generated_body kind, vec3 a, vec3 b)
{
    switch (kind) {
    case GENERATED_PARTICLE:
        put(g, "type: particle, mass: ");
        put_parameter(g, hundredths(g, 30, 90), "kg");
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
        put(g, ", reduction: {modes: 1, keep: 3}, damping: 0.05");
        break;
    case GENERATED_FRAMEWORK:
        put_framework(g);
        break;
    case GENERATED_MESH:
        put(g, "mesh: {file: block.inp, ");
        put_material(g);
        put(g, "}, interfaces: {a: {nodes: ROOT}, b: {nodes: TIP}}, "
               "reduction: {modes: 3, keep: 3}, damping: 0.02");
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
    }
    bool can = is_rigid(kind) || kind == GENERATED_BEAM || kind == GENERATED_NATURAL_BEAM;
    if (kind == GENERATED_NATURAL || kind == GENERATED_NATURAL_BEAM || (g->form.natural && can))
        put(g, ", coordinates: natural");
}

/* The position of a body and its axes. */
static void put_place(draft *g, const placed_body *body, vec3 origin)
{
    vec3 x = body->R.c[0];
    put(g, ", position: ");
    put_vector(g, global_point(g, origin), "m");
    if (body->kind != GENERATED_PARTICLE && g->dimension == 2) {
        put(g, ", angle: \"atan2(");
        put_number(g, x.y);
        put(g, ", ");
        put_number(g, g->form.mirrored ? -x.x : x.x);
        put(g, ")%s\"", g->form.turned ? " + atan2(0.8, 0.6)" : "");
    } else if (body->kind != GENERATED_PARTICLE) {
        put(g, ", axes: [");
        put_vector(g, global(g, x), "");
        put(g, ", ");
        put_vector(g, global(g, body->R.c[1]), "");
        put(g, "]");
    }
    put(g, "}");
}

/* The second half of a rigid body: the entry of the first one under another name, and a joint. */
static void put_half(draft *g, const placed_body *body)
{
    const char *first = g->entries[BODIES][g->count[BODIES] - 1];
    size_t length = strlen(body->name);
    begin_entry(g, BODIES);
    put(g, "%sh%s", body->name, first + length);
    end_entry(g);
    begin_entry(g, JOINTS);
    put(g, "%sj: {type: fixed, between: [%s, %sh]}", body->name, body->name, body->name);
    end_entry(g);
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
    put_place(g, body, v3_sub(place, times(&body->R, a)));
    end_entry(g);
    if (g->form.cut && is_rigid(kind))
        put_half(g, body);
    return body;
}
