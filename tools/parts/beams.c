/* Simple models of both parts: Timoshenko beams and point masses. */
#include <math.h>
#include <string.h>

#include "clapper.h"
#include "fe/properties.h"
#include "hub.h"
#include "parts.h"

enum { SECTIONS_MAX = 4, MASSES_MAX = 8 };

typedef struct builder {
    lmb_context *context;
    lmb_mesh *mesh;
} builder;

static lmb_status begin(builder *b, lmb_context *context, const char *name, int nodes)
{
    lmb_arena *arena;
    lmb_mesh *m = lmb_arena_object(&arena, sizeof *m);
    if (!m)
        return lmb_fail_memory(context);
    size_t room = (size_t)nodes;
    *b = (builder){context, m};
    *m = (lmb_mesh){.arena = arena, .file = name, .dimension = 3, .material_count = 1};
    m->x = lmb_arena_alloc(arena, room, sizeof *m->x);
    m->number = lmb_arena_alloc(arena, room, sizeof *m->number);
    m->elements = lmb_arena_alloc(arena, room + MASSES_MAX, sizeof *m->elements);
    m->connections = lmb_arena_alloc(arena, 2 * room + MASSES_MAX, sizeof *m->connections);
    m->materials = lmb_arena_alloc(arena, 1, sizeof *m->materials);
    m->sections = lmb_arena_alloc(arena, SECTIONS_MAX, sizeof *m->sections);
    m->masses = lmb_arena_alloc(arena, MASSES_MAX, sizeof *m->masses);
    m->sets = lmb_arena_alloc(arena, PART_POINTS_MAX, sizeof *m->sets);
    int *set_nodes = lmb_arena_alloc(arena, PART_POINTS_MAX, sizeof *set_nodes);
    if (!m->x || !m->number || !m->elements || !m->connections || !m->materials || !m->sections ||
        !m->masses || !m->sets || !set_nodes) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    for (int i = 0; i < PART_POINTS_MAX; i++)
        m->sets[i] = (lmb_node_set){.nodes = &set_nodes[i], .count = 1};
    m->materials[0] = *lmb_material_find("steel");
    return LMB_OK;
}

static int add_node(builder *b, vec3 x)
{
    lmb_mesh *m = b->mesh;
    m->x[m->node_count] = x;
    m->number[m->node_count] = m->node_count + 1;
    return m->node_count++;
}

static int add_section(builder *b, lmb_section section)
{
    b->mesh->sections[b->mesh->section_count] = section;
    return b->mesh->section_count++;
}

static lmb_element *add_element(builder *b, lmb_element_kind kind)
{
    lmb_mesh *m = b->mesh;
    lmb_element *e = &m->elements[m->element_count++];
    *e = (lmb_element){.kind = kind,
                       .number = m->element_count,
                       .first = m->connection_count,
                       .material = -1,
                       .section = -1,
                       .point_mass = -1};
    return e;
}

static void add_mass(builder *b, int node, double mass, double about_xy, double about_z)
{
    lmb_mesh *m = b->mesh;
    mat3 one = m3_identity();
    lmb_point_mass *p = &m->masses[m->mass_count];
    *p = (lmb_point_mass){.mass = mass, .inertia = m3_scale(about_xy, &one)};
    p->inertia.c[2].z = about_z;
    add_element(b, LMB_POINT_MASS)->point_mass = m->mass_count++;
    m->connections[m->connection_count++] = node;
}

/* Beams from a node to a point; returns the node there. */
static int add_beams(builder *b, int from, vec3 to, int section, int elements)
{
    lmb_mesh *m = b->mesh;
    vec3 x = m->x[from], step = v3_scale(1. / elements, v3_sub(to, x));
    for (int i = 1; i <= elements; i++) {
        int next = add_node(b, i < elements ? v3_axpy(x, i, step) : to);
        lmb_element *e = add_element(b, LMB_BEAM);
        e->material = 0;
        e->section = section;
        m->connections[m->connection_count++] = from;
        m->connections[m->connection_count++] = next;
        from = next;
    }
    return from;
}

static void add_point(builder *b, const char *name, int node)
{
    lmb_node_set *set = &b->mesh->sets[b->mesh->set_count++];
    set->name = name;
    set->nodes[0] = node;
}

/* --- The clapper --- */

/* Area and second moment of a regular polygon with its flats at a distance from the middle. */
static double polygon_area(double flat)
{
    return CLAPPER_SIDES * tan(LMB_PI / CLAPPER_SIDES) * flat * flat;
}

static double polygon_moment(double flat)
{
    double t = tan(LMB_PI / CLAPPER_SIDES);
    return CLAPPER_SIDES * t * (3 + t * t) / 12 * flat * flat * flat * flat;
}

/* A ring between two polygons. Torsion: that of a thin wall, 4 area^2 wall / circumference. */
static lmb_section ring(const char *name, double in, double out, double nu)
{
    double middle = 0.5 * (in + out), t = tan(LMB_PI / CLAPPER_SIDES);
    double I = polygon_moment(out) - polygon_moment(in), shear = 2 * (1 + nu) / (4 + 3 * nu);
    return (lmb_section){.name = name,
                         .A = polygon_area(out) - polygon_area(in),
                         .Iy = I,
                         .Iz = I,
                         .J = 2 * CLAPPER_SIDES * t * middle * middle * middle * (out - in),
                         .shear_y = shear,
                         .shear_z = shear,
                         .y_max = out,
                         .z_max = out,
                         .torsion_radius = out};
}

lmb_status clapper_beams(lmb_mesh **out, lmb_context *context, int elements)
{
    builder b;
    int pieces = CLAPPER_RIBS + 3, each = elements > pieces ? elements / pieces : 1;
    lmb_status status = begin(&b, context, "clapper", pieces * each + 3);
    if (status)
        return status;
    double in = CLAPPER_TUBE - CLAPPER_WALL, density = b.mesh->materials[0].density;
    double nu = b.mesh->materials[0].nu;
    int tube = add_section(&b, ring("tube", in, CLAPPER_TUBE, nu));
    int flange = add_section(&b, ring("flange", CLAPPER_RIB, CLAPPER_FLANGE, nu));

    /* ribs and gussets have mass only; that of a gusset is at the middle of its length */
    lmb_section section = ring("rib", CLAPPER_RIB, in, nu);
    double rib = density * CLAPPER_RIB_DEPTH, top = CLAPPER_FLANGE - CLAPPER_TUBE;
    double gussets = CLAPPER_GUSSETS * density * CLAPPER_GUSSET * CLAPPER_GUSSET_WALL * 0.5 *
                     (top + CLAPPER_GUSSET_TIP);
    double arm = CLAPPER_TUBE + 0.25 * (top + CLAPPER_GUSSET_TIP), polar = gussets * arm * arm;
    double foot = CLAPPER_FLANGE_DEPTH + 0.4 * CLAPPER_GUSSET;
    double pitch = (CLAPPER_LENGTH - 2 * foot) / (CLAPPER_RIBS + 1);

    int node = add_node(&b, v3(0, 0, 0));
    add_point(&b, "pivot", node);
    node = add_beams(&b, node, v3(0, 0, -CLAPPER_FLANGE_DEPTH), flange, 1);
    for (int i = 0; i <= CLAPPER_RIBS + 1; i++) {
        node = add_beams(&b, node, v3(0, 0, -foot - i * pitch), tube, each);
        if (i == 0 || i > CLAPPER_RIBS)
            add_mass(&b, node, gussets, 0.5 * polar, polar);
        else
            add_mass(&b, node, rib * section.A, rib * section.Iy, 2 * rib * section.Iy);
    }
    node = add_beams(&b, node, v3(0, 0, CLAPPER_FLANGE_DEPTH - CLAPPER_LENGTH), tube, each);
    node = add_beams(&b, node, v3(0, 0, -CLAPPER_LENGTH), flange, 1);
    add_point(&b, "bearing", node);
    *out = b.mesh;
    return LMB_OK;
}

/* --- The hub --- */

typedef struct inertia {
    double mass, about_xy, about_z;
} inertia;

/* Adds a round ring of a height; for a ring at +z and -z the height between their middles. */
static void add_ring(inertia *to, double in, double out, double height, int rings, double z)
{
    double mass = rings * LMB_PI * (out * out - in * in) * height, square = in * in + out * out;
    to->mass += mass;
    to->about_xy += mass * (square / 4 + height * height / 12 + z * z);
    to->about_z += mass * square / 2;
}

/* Arms begin in the middle; within the drum they are stout bars, whose mass is a part of its. */
lmb_status hub_beams(lmb_mesh **out, lmb_context *context, int elements)
{
    static const char *const names[HUB_ARMS] = {"gondola1", "gondola2", "gondola3",
                                                "gondola4", "gondola5", "gondola6"};
    const double stub = 0.25;
    builder b;
    int each = elements > 3 ? elements - 3 : 1;
    lmb_status status = begin(&b, context, "hub", HUB_ARMS * (each + 3) + 1);
    if (status)
        return status;
    lmb_section bar = {0}, box = {0}, gondola = {0};
    double nu = b.mesh->materials[0].nu, density = b.mesh->materials[0].density;
    status = lmb_section_rectangle(&bar, context, stub, stub, nu);
    if (!status)
        status = lmb_section_box(&box, context, HUB_ARM_HEIGHT, HUB_ARM_WIDTH, HUB_ARM_WALL, nu);
    if (!status)
        status = lmb_section_rectangle(&gondola, context, HUB_ARM_HEIGHT, HUB_GONDOLA_WIDTH, nu);
    if (status) {
        lmb_arena_free(b.mesh->arena);
        return status;
    }
    bar.y_axis = box.y_axis = gondola.y_axis = v3(0, 0, 1);
    int in = add_section(&b, bar), arm = add_section(&b, box), end = add_section(&b, gondola);

    /* what the drum has beside the bars, each of them with a half of it across and along */
    inertia drum = {0};
    add_ring(&drum, HUB_BORE, HUB_BORE_OUT, HUB_DRUM_HEIGHT, 1, 0);
    add_ring(&drum, HUB_SHELL_IN, HUB_DRUM, HUB_DRUM_HEIGHT, 1, 0);
    add_ring(&drum, HUB_BORE_OUT, HUB_SHELL_IN, HUB_PLATE, 2, 0.5 * (HUB_DRUM_HEIGHT - HUB_PLATE));
    double bars = HUB_ARMS * bar.A * HUB_DRUM, along = bars * HUB_DRUM * HUB_DRUM / 3,
           across = bars * stub * stub / 12;

    int centre = add_node(&b, v3(0, 0, 0));
    add_point(&b, "bearing", centre);
    add_mass(&b, centre, density * (drum.mass - bars),
             density * (drum.about_xy - 0.5 * along - 1.5 * across),
             density * (drum.about_z - along - across));
    for (int i = 0; i < HUB_ARMS; i++) {
        double angle = i * 2 * LMB_PI / HUB_ARMS;
        vec3 e = v3(cos(angle), sin(angle), 0);
        int node = add_beams(&b, centre, v3_scale(HUB_DRUM, e), in, 1);
        node = add_beams(&b, node, v3_scale(HUB_ARM_END, e), arm, each);
        node = add_beams(&b, node, v3_scale(HUB_END, e), end, 1);
        add_point(&b, names[i], node);
    }
    *out = b.mesh;
    return LMB_OK;
}
