/* What is drawn of a rotor.
 *
 * Shaft and discs are solids of revolution: rings of nodes around the axis, with bands of triangles
 * between them. A ring belongs to a section of the shaft, whose deflection (v, w) and tilt (a, b)
 * the element's own shape functions give, and may stand off it by d along x, as in a disc. A node
 * at (r cos t, r sin t) of the ring moves by
 *
 *   x: -r (a cos t + b sin t)    y: v + d a    z: w + d b
 *
 * as any node that a section carries on an arm (lmb_skin_carry): the centres of the rings are the
 * nodes of a reduced body. The rings of a support all move as it does, without tilt.
 *
 * The profile of a solid is run through so that the solid is on its right, which turns all
 * triangles outwards. Corners have two rings, so that edges stay sharp. */
#include "scene/skin_beams.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

enum { SIDES = 32, LEAST_RINGS = 64 };
enum { SHAFT, DISCS, SUPPORTS, KINDS }; /* of bodies */

static const char *const names[KINDS] = {"rotor", "discs", "supports"};

/* The kinds of the bodies that there are, in their order; returns how many. The shaft is the first,
 * and supports are the last. */
static int bodies_of(const lmb_rotor_results *r, int kinds[KINDS])
{
    bool has[KINDS] = {true, false, false};
    int count = 0;
    for (int i = 0; i < r->rotor.disc_count; i++)
        has[DISCS] |= r->rotor.discs[i].mass > 0;
    for (int i = 0; i < r->rotor.bearing_count; i++)
        has[SUPPORTS] |= r->rotor.bearings[i].supported;
    for (int kind = 0; kind < KINDS; kind++)
        if (has[kind])
            kinds[count++] = kind;
    return count;
}

int lmb_rotor_bodies(const lmb_rotor_results *r)
{
    return bodies_of(r, (int[KINDS]){0});
}

typedef struct ring {
    int element;
    double part;   /* of the element, 0 to 1 */
    double offset; /* along x */
    double radius;
    const int *support; /* the scalar that it moves by, if it is one of a support */
    bool joined;        /* by a band to the ring before */
} ring;

typedef struct drawing {
    const lmb_rotor_results *r;
    lmb_arena *arena;
    ring *rings;
    int ring_count, band_count;
} drawing;

static void add_ring(drawing *d, ring at)
{
    ring *grown = lmb_arena_append(d->arena, d->rings, d->ring_count, sizeof *grown);
    if (!lmb_arena_fine(d->arena))
        return;
    d->rings = grown;
    d->band_count += at.joined;
    d->rings[d->ring_count++] = at;
}

/* A face across the axis, between two radii of a section. */
static void add_face(drawing *d, ring at, double from, double to)
{
    for (int k = 0; k < 2; k++) {
        at.radius = k ? to : from;
        at.joined = k;
        add_ring(d, at);
    }
}

/* --- shaft ------------------------------------------------------------------------------------ */

/* The outer or inner radius at a part of an element. */
static double radius_in(const lmb_rotor_element *e, double part, bool inside)
{
    double bore, outer = lmb_rotor_diameter(e->piece, e->from + part * (e->to - e->from), &bore);
    return (inside ? bore : outer) / 2;
}

/* The outside along elements `from` to `to`, or the inside from `to` back to `from`. */
static void add_wall(drawing *d, int from, int to, bool inside, int each)
{
    for (int i = 0; i <= to - from; i++)
        for (int k = i == 0 ? 0 : 1; k <= each; k++) {
            int e = inside ? to - i : from + i;
            double part = inside ? 1 - (double)k / each : (double)k / each;
            add_ring(d, (ring){.element = e,
                               .part = part,
                               .radius = radius_in(&d->r->system->elements[e], part, inside),
                               .joined = i > 0 || k > 0});
        }
}

/* Pieces of shaft one after the other: the elements from `from` to `to` each. */
static void add_shaft(drawing *d)
{
    const lmb_rotor_system *s = d->r->system;
    int each = LEAST_RINGS / s->element_count + 1;
    for (int from = 0, to; from < s->element_count; from = to + 1) {
        const lmb_rotor_piece *p = s->elements[from].piece;
        to = from;
        while (to + 1 < s->element_count && s->elements[to + 1].piece == p)
            to++;
        add_wall(d, from, to, false, each);
        add_face(d, (ring){.element = to, .part = 1}, p->end_diameter / 2, p->end_bore / 2);
        if (p->bore > 0 || p->end_bore > 0)
            add_wall(d, from, to, true, each);
        add_face(d, (ring){.element = from}, p->bore / 2, p->diameter / 2);
    }
}

/* --- at nodes --------------------------------------------------------------------------------- */

/* The section at a node. */
static ring section_at(const lmb_rotor_system *s, int node)
{
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].first == node || s->elements[e].second == node)
            return (ring){.element = e, .part = s->elements[e].first == node ? 0 : 1};
    return (ring){0};
}

static double radius_at(const lmb_rotor_system *s, int node)
{
    double radius = 0;
    for (int e = 0; e < s->element_count; e++)
        for (int end = 0; end < 2; end++)
            if ((end ? s->elements[e].second : s->elements[e].first) == node)
                radius = fmax(radius, radius_in(&s->elements[e], end, false));
    return radius;
}

/* The radius and thickness of a disc. Where the model has numbers of inertia only, those of a
 * cylinder that has them (polar m r^2 / 2, diametral m (3 r^2 + h^2) / 12), else of steel; a mass
 * alone is a cylinder of steel whose thickness is two thirds of its radius. */
static void size_of(const lmb_rotor_disc *d, double *radius, double *thickness)
{
    const double steel = 7800;
    double m = d->mass;
    *radius = d->diameter > 0 ? d->diameter / 2
              : d->polar > 0  ? sqrt(2 * d->polar / m)
                              : cbrt(3 * m / (2 * LMB_PI * steel));
    double square = 12 * d->diametral / m - 3 * *radius * *radius;
    double solid = m / (steel * LMB_PI * *radius * *radius);
    *thickness = d->thickness > 0                    ? d->thickness
                 : square > 0.01 * *radius * *radius ? sqrt(square)
                                                     : solid;
    *thickness = fmin(*thickness, 2 * *radius);
}

/* A sleeve around a section, or a disc where there is no room inside. */
static void add_sleeve(drawing *d, ring at, double inside, double outside, double length)
{
    const double corners[][2] = {
        {-length / 2, outside}, {length / 2, outside}, {length / 2, inside}, {-length / 2, inside}};
    for (int i = 0; i < 8; i++) {
        const double *corner = corners[(i / 2 + i % 2) % 4];
        if (i / 2 == 2 && !(inside > 0))
            continue;
        at.offset = corner[0];
        at.radius = corner[1];
        at.joined = i % 2;
        add_ring(d, at);
    }
}

/* A coupling: a thinner tube from one shaft to the next. */
static void add_coupling(drawing *d, const int nodes[2])
{
    const lmb_rotor_system *s = d->r->system;
    for (int k = 0; k < 2; k++) {
        ring at = section_at(s, nodes[k]);
        at.radius = 0.7 * radius_at(s, nodes[k]);
        at.joined = k;
        add_ring(d, at);
    }
}

/* A support is a sleeve around the sign of its bearing, which is a little wider than the shaft and
 * not too small to be seen. */
static double sleeve_inside(const lmb_rotor_system *s, int node)
{
    return 1.5 * fmax(0.015 * s->length, 1.25 * radius_at(s, node));
}

static const double sleeve_wall = 1.6; /* outside by inside */

/* --- the skin --------------------------------------------------------------------------------- */

/* How the section of a ring moves: deflection and tilt. */
static void move_section(const lmb_rotor_system *s, const ring *at, const lmb_complex *scalars,
                         lmb_complex *deflection, lmb_complex *tilt)
{
    *tilt = 0;
    *deflection = at->support ? scalars[*at->support]
                              : lmb_rotor_deflection(s, at->element, at->part, scalars, tilt);
    *deflection += at->offset * *tilt;
}

/* Adds a mode of the centres: the real part of a motion (y, z) that is turned by a phase. */
static void add_mode(const drawing *d, lmb_reduced *centres, const lmb_complex *y,
                     const lmb_complex *z, lmb_complex phase)
{
    size_t first = 3 * (size_t)centres->node_count * (size_t)centres->mode_count++;
    double *shape = centres->shape + first, *turn = centres->turn + first;
    for (int i = 0; i < d->ring_count; i++) {
        lmb_complex a, b, v, w;
        move_section(d->r->system, &d->rings[i], y, &v, &a);
        move_section(d->r->system, &d->rings[i], z, &w, &b);
        shape[3 * i + 1] = creal(v * phase);
        shape[3 * i + 2] = creal(w * phase);
        turn[3 * i + 1] = -creal(b * phase);
        turn[3 * i + 2] = creal(a * phase);
    }
}

/* All modes: the shapes of the basis in both planes, then the vibrations. */
static void add_modes(const drawing *d, lmb_reduced *centres, double *frequency)
{
    const lmb_rotor_results *r = d->r;
    size_t scalars = (size_t)r->system->scalars;
    lmb_complex *shape = lmb_arena_alloc(d->arena, 2 * scalars + 1, sizeof *shape);
    lmb_complex *still = shape + scalars;
    if (!shape)
        return;
    for (int j = 0; j < r->basis.count; j++) {
        for (size_t a = 0; a < scalars; a++)
            shape[a] = r->basis.shape[j][a];
        add_mode(d, centres, shape, still, 1);
        add_mode(d, centres, still, shape, 1);
    }
    for (int k = 0; k < r->service.count; k++) {
        const lmb_whirl *m = &r->service.modes[k];
        frequency[centres->mode_count] = frequency[centres->mode_count + 1] =
            m->frequency / (2 * LMB_PI);
        add_mode(d, centres, m->y, m->z, 1);
        add_mode(d, centres, m->y, m->z, CMPLX(0, 1));
    }
}

/* The nodes of the rings, which their centres carry, and the triangles of the bands. */
static void add_rings(const drawing *d, const lmb_reduced *centres, lmb_skin *out)
{
    int *triangle = out->triangles;
    for (int i = 0; i < d->ring_count; i++)
        for (int k = 0; k < SIDES; k++) {
            double angle = 2 * LMB_PI * k / SIDES, radius = d->rings[i].radius;
            int next = (k + 1) % SIDES, second = i * SIDES, first = second - SIDES;
            const int corners[6] = {first + k,    first + next,  second + k,
                                    first + next, second + next, second + k};
            lmb_skin_carry(out, centres, i, v3(0, radius * cos(angle), radius * sin(angle)),
                           (size_t)(second + k));
            if (d->rings[i].joined) {
                memcpy(triangle, corners, sizeof corners);
                triangle += 6;
            }
        }
}

static void add_all(drawing *d, int kind)
{
    const lmb_rotor *r = &d->r->rotor;
    const lmb_rotor_system *s = d->r->system;
    if (kind == SHAFT)
        add_shaft(d);
    for (int i = 0; kind == SHAFT && i < r->coupling_count; i++)
        add_coupling(d, s->coupling_nodes[i]);
    for (int i = 0; kind == DISCS && i < r->disc_count; i++) {
        double radius, thickness;
        if (!(r->discs[i].mass > 0))
            continue;
        size_of(&r->discs[i], &radius, &thickness);
        add_sleeve(d, section_at(s, s->disc_node[i]), 0, radius, thickness);
    }
    for (int b = 0; kind == SUPPORTS && b < r->bearing_count; b++) {
        ring at = section_at(s, s->bearing_node[b]);
        double inside = sleeve_inside(s, s->bearing_node[b]);
        at.support = &s->bearing_support[b];
        if (r->bearings[b].supported)
            add_sleeve(d, at, inside, sleeve_wall * inside, inside);
    }
}

lmb_status lmb_rotor_skin(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                          const lmb_rotor_results *r, int body)
{
    const lmb_rotor_system *s = r->system;
    drawing d = {.r = r, .arena = arena};
    int kinds[KINDS] = {0};
    bodies_of(r, kinds);
    add_all(&d, kinds[body]);
    *out = (lmb_skin){.name = names[kinds[body]],
                      .node_count = d.ring_count * SIDES,
                      .triangle_count = d.band_count * 2 * SIDES,
                      .mode_count = 2 * (r->basis.count + r->service.count)};
    size_t rings = (size_t)d.ring_count, numbers = 3 * rings * (size_t)out->mode_count + 1;
    lmb_reduced centres = {.node_count = d.ring_count,
                           .x = lmb_arena_alloc(arena, rings + 1, sizeof *centres.x),
                           .shape = lmb_arena_numbers(arena, numbers),
                           .turn = lmb_arena_numbers(arena, numbers)};
    if (!lmb_skin_allocate(out, arena, false))
        return lmb_fail_memory(context);
    for (int i = 0; i < d.ring_count; i++) {
        const lmb_rotor_element *e = &s->elements[d.rings[i].element];
        centres.x[i] = v3(s->x[e->first] + d.rings[i].part * e->length + d.rings[i].offset, 0, 0);
    }
    add_modes(&d, &centres, out->frequency);
    add_rings(&d, &centres, out);
    return lmb_check_memory(context, arena);
}

/* --- the geometry ----------------------------------------------------------------------------- */

static lmb_drawn_tie bearing_of(const lmb_rotor_results *r, int supports, int b)
{
    const lmb_rotor_bearing *of = &r->rotor.bearings[b];
    int node = r->system->bearing_node[b];
    const char *type = of->seal ? "seal" : "bearing";
    vec3 at = v3(r->system->x[node], 0, 0);
    return (lmb_drawn_tie){.name = of->name,
                           .type = type,
                           .sign = type,
                           .body = {of->supported ? supports : 0, 1},
                           .at = {at, at},
                           .axis = v3(1, 0, 0),
                           .radius = radius_at(r->system, node)};
}

/* The spring of a support, from below: where weight pulls, or against z. */
static lmb_drawn_tie spring_of(const lmb_rotor_results *r, int supports, int b)
{
    const double *g = r->rotor.gravity;
    int node = r->system->bearing_node[b];
    bool along_y = fabs(g[0]) > fabs(g[1]);
    double x = r->system->x[node], inside = sleeve_inside(r->system, node);
    double end = sleeve_wall * inside * ((along_y ? g[0] : g[1]) > 0 ? 1 : -1);
    return (lmb_drawn_tie){.name = r->rotor.bearings[b].name,
                           .type = "spring",
                           .sign = "spring",
                           .body = {0, supports},
                           .at = {v3(x, along_y ? 2 * end : 0, along_y ? 0 : 2 * end),
                                  v3(x, along_y ? end : 0, along_y ? 0 : end)},
                           .radius = inside / 2};
}

bool lmb_rotor_geometry(lmb_geometry *g, lmb_arena *arena, const lmb_model *model,
                        const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    int kinds[KINDS], count = bodies_of(r, kinds);
    double mass[KINDS] = {s->shaft_kg, s->kg - s->shaft_kg, 0};
    *g = (lmb_geometry){.dimension = 3,
                        .length = s->length,
                        .gravity = model->gravity,
                        .body_count = 1 + count,
                        .joint_count = r->rotor.bearing_count,
                        .force_count = r->rotor.bearing_count};
    if (!lmb_geometry_allocate(g, arena))
        return false;
    g->force_count = 0;
    for (int b = 0; b < r->rotor.bearing_count; b++) {
        g->joints[b] = bearing_of(r, count, b);
        if (!r->rotor.bearings[b].supported)
            continue;
        g->forces[g->force_count++] = spring_of(r, count, b);
        mass[SUPPORTS] += r->rotor.bearings[b].support_mass;
    }
    g->bodies[0] = (lmb_drawn_body){.name = "ground", .kind = "ground"};
    for (int b = 0; b < count; b++)
        g->bodies[1 + b] = (lmb_drawn_body){.name = names[kinds[b]],
                                            .kind = "flexible",
                                            .modes_of = names[SHAFT],
                                            .mass = mass[kinds[b]]};
    /* stations are points of the shaft */
    lmb_drawn_body *shaft = &g->bodies[1];
    lmb_drawn_body_points(shaft, arena, s->station_count);
    for (int k = 0; k < shaft->point_count; k++) {
        shaft->point_names[k] = s->stations[k].name;
        shaft->points[k] = v3(s->x[s->stations[k].node], 0, 0);
    }
    return lmb_arena_fine(arena);
}
