/* What is drawn of a rotor.
 *
 * Shaft and discs are solids of revolution: rings of nodes around the axis, with bands of triangles
 * between them. A ring belongs to a section of the shaft, whose deflection (v, w) and tilt (a, b)
 * the element's own shape functions give, and may stand off it by d along x, as in a disc. A node
 * at (r cos t, r sin t) of the ring moves by
 *
 *   x: -r (a cos t + b sin t)    y: v + d a    z: w + d b
 *
 * The profile of a solid is run through so that the solid is on its right, which turns all
 * triangles outwards. Corners have two rings, so that edges stay sharp. */
#include "io/rotor_skin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "math/vec.h"

enum { SIDES = 32, LEAST_RINGS = 64, SHAFT = 0, DISCS = 1 };

static const char *const names[] = {"rotor", "discs"};

int lmb_rotor_bodies(const lmb_rotor_results *r)
{
    for (int i = 0; i < r->rotor.disc_count; i++)
        if (r->rotor.discs[i].mass > 0)
            return 2;
    return 1;
}

typedef struct ring {
    int element;
    double part;   /* of the element, 0 to 1 */
    double offset; /* along x */
    double radius;
} ring;

typedef struct drawing {
    const lmb_rotor_results *r;
    lmb_arena *arena;
    ring *rings;
    int *bands; /* the first ring of each; the second is the next one */
    int ring_count, band_count, room;
    bool failed;
} drawing;

/* Adds a ring, and a band from the last one to it. */
static void add_ring(drawing *d, bool joined, ring at)
{
    if (d->ring_count == d->room && !d->failed) {
        size_t old = (size_t)d->room, more = 2 * old + 64;
        d->rings = lmb_arena_grow(d->arena, d->rings, old, more, sizeof *d->rings);
        d->bands = lmb_arena_grow(d->arena, d->bands, old, more, sizeof *d->bands);
        d->failed = !d->rings || !d->bands;
        d->room = (int)more;
    }
    if (d->failed)
        return;
    if (joined)
        d->bands[d->band_count++] = d->ring_count - 1;
    d->rings[d->ring_count++] = at;
}

/* A face across the axis, between two radii of a section. */
static void add_face(drawing *d, ring at, double from, double to)
{
    at.radius = from;
    add_ring(d, false, at);
    at.radius = to;
    add_ring(d, true, at);
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
            double radius = radius_in(&d->r->system->elements[e], part, inside);
            add_ring(d, i > 0 || k > 0, (ring){e, part, 0, radius});
        }
}

/* A piece of shaft: the elements from `from` to `to`. */
static void add_piece(drawing *d, int from, int to, int each)
{
    const lmb_rotor_piece *p = d->r->system->elements[from].piece;
    add_wall(d, from, to, false, each);
    add_face(d, (ring){to, 1, 0, 0}, p->end_diameter / 2, p->end_bore / 2);
    if (p->bore > 0 || p->end_bore > 0)
        add_wall(d, from, to, true, each);
    add_face(d, (ring){from, 0, 0, 0}, p->bore / 2, p->diameter / 2);
}

static void add_shaft(drawing *d)
{
    const lmb_rotor_system *s = d->r->system;
    int each = LEAST_RINGS / s->element_count + 1;
    for (int from = 0, to; from < s->element_count; from = to + 1) {
        to = from;
        while (to + 1 < s->element_count && s->elements[to + 1].piece == s->elements[from].piece)
            to++;
        add_piece(d, from, to, each);
    }
}

/* --- at nodes --------------------------------------------------------------------------------- */

/* The section at a node. */
static ring section_at(const lmb_rotor_system *s, int node)
{
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].first == node || s->elements[e].second == node)
            return (ring){e, s->elements[e].first == node ? 0 : 1, 0, 0};
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

static void add_disc(drawing *d, const lmb_rotor_disc *disc, int node)
{
    double radius, thickness;
    if (!(disc->mass > 0))
        return;
    size_of(disc, &radius, &thickness);
    ring left = section_at(d->r->system, node), right = left;
    left.radius = right.radius = radius;
    left.offset = -thickness / 2;
    right.offset = thickness / 2;
    add_ring(d, false, left);
    add_ring(d, true, right);
    add_face(d, right, radius, 0);
    add_face(d, left, 0, radius);
}

/* A coupling: a thinner tube from one shaft to the next. */
static void add_coupling(drawing *d, const int nodes[2])
{
    const lmb_rotor_system *s = d->r->system;
    for (int k = 0; k < 2; k++) {
        ring at = section_at(s, nodes[k]);
        at.radius = 0.7 * radius_at(s, nodes[k]);
        add_ring(d, k == 1, at);
    }
}

/* --- the skin --------------------------------------------------------------------------------- */

static void place_nodes(const drawing *d, lmb_skin *out)
{
    const lmb_rotor_system *s = d->r->system;
    for (int i = 0; i < d->ring_count; i++) {
        const ring *at = &d->rings[i];
        const lmb_rotor_element *e = &s->elements[at->element];
        for (int k = 0; k < SIDES; k++) {
            double angle = 2 * LMB_PI * k / SIDES;
            float *node = out->nodes + 3 * (i * SIDES + k);
            node[0] = (float)(s->x[e->first] + at->part * e->length + at->offset);
            node[1] = (float)(at->radius * cos(angle));
            node[2] = (float)(at->radius * sin(angle));
        }
    }
    for (int b = 0; b < d->band_count; b++)
        for (int k = 0; k < SIDES; k++) {
            int next = (k + 1) % SIDES, first = d->bands[b] * SIDES, second = first + SIDES;
            int *t = out->triangles + 6 * (b * SIDES + k);
            const int corners[6] = {first + k,    first + next,  second + k,
                                    first + next, second + next, second + k};
            for (int c = 0; c < 6; c++)
                t[c] = corners[c];
        }
}

/* The two shapes of a vibration. */
static void place_shapes(const drawing *d, const lmb_whirl *m, float *cosine, float *sine)
{
    const lmb_rotor_system *s = d->r->system;
    for (int i = 0; i < d->ring_count; i++) {
        const ring *at = &d->rings[i];
        lmb_complex a = lmb_rotor_tilt(s, at->element, at->part, m->y),
                    b = lmb_rotor_tilt(s, at->element, at->part, m->z);
        lmb_complex v = lmb_rotor_deflection(s, at->element, at->part, m->y) + at->offset * a,
                    w = lmb_rotor_deflection(s, at->element, at->part, m->z) + at->offset * b;
        for (int k = 0; k < SIDES; k++) {
            double angle = 2 * LMB_PI * k / SIDES;
            lmb_complex u = -at->radius * (a * cos(angle) + b * sin(angle));
            const lmb_complex moved[3] = {u, v, w};
            for (int c = 0; c < 3; c++) {
                cosine[3 * (i * SIDES + k) + c] = (float)creal(moved[c]);
                sine[3 * (i * SIDES + k) + c] = (float)-cimag(moved[c]);
            }
        }
    }
}

lmb_status lmb_rotor_skin(lmb_skin *out, lmb_arena *arena, lmb_context *context,
                          const lmb_rotor_results *r, int body)
{
    drawing d = {.r = r, .arena = arena};
    if (body == SHAFT)
        add_shaft(&d);
    for (int i = 0; body == DISCS && i < r->rotor.disc_count; i++)
        add_disc(&d, &r->rotor.discs[i], r->system->disc_node[i]);
    for (int i = 0; body == SHAFT && i < r->rotor.coupling_count; i++)
        add_coupling(&d, r->system->coupling_nodes[i]);
    int modes = r->service.count < LMB_ROTOR_SHOWN ? r->service.count : LMB_ROTOR_SHOWN;
    size_t nodes = (size_t)d.ring_count * SIDES, triangles = (size_t)d.band_count * 2 * SIDES;
    *out = (lmb_skin){.name = names[body],
                      .node_count = (int)nodes,
                      .triangle_count = (int)triangles,
                      .mode_count = 2 * modes};
    out->nodes = lmb_arena_alloc(arena, 3 * nodes + 1, sizeof *out->nodes);
    out->triangles = lmb_arena_alloc(arena, 3 * triangles + 1, sizeof *out->triangles);
    out->lines = lmb_arena_alloc(arena, 1, sizeof *out->lines);
    out->frequency = lmb_arena_numbers(arena, 2 * (size_t)modes + 1);
    out->shapes = lmb_arena_alloc(arena, 6 * nodes * (size_t)modes + 1, sizeof *out->shapes);
    if (d.failed || !out->nodes || !out->triangles || !out->lines || !out->frequency ||
        !out->shapes)
        return lmb_fail_memory(context);
    place_nodes(&d, out);
    for (int k = 0; k < modes; k++) {
        const lmb_whirl *m = &r->service.modes[k];
        float *cosine = out->shapes + 6 * nodes * (size_t)k;
        place_shapes(&d, m, cosine, cosine + 3 * nodes);
        out->frequency[2 * k] = out->frequency[2 * k + 1] = m->frequency / (2 * LMB_PI);
    }
    return LMB_OK;
}

/* --- the geometry ----------------------------------------------------------------------------- */

static void put_vector(lmb_json *j, const char *key, double x, double y, double z)
{
    const double v[3] = {x, y, z};
    lmb_json_open_flat(j, key, '[');
    for (int k = 0; k < 3; k++)
        lmb_json_number(j, NULL, v[k]);
    lmb_json_close(j);
}

static void put_body(lmb_json *j, const char *name, const char *kind, double mass)
{
    lmb_json_open(j, NULL, '{');
    lmb_json_text(j, "name", name);
    lmb_json_text(j, "kind", kind);
    lmb_json_number(j, "mass", mass);
    lmb_json_number(j, "shape", NAN); /* null */
    lmb_json_open(j, "points", '{');
}

static void put_bearing(lmb_json *j, const lmb_rotor_results *r, int b)
{
    const lmb_rotor_system *s = r->system;
    int node = s->bearing_node[b];
    lmb_json_open(j, NULL, '{');
    lmb_json_text(j, "name", r->rotor.bearings[b].name);
    lmb_json_text(j, "type", r->rotor.bearings[b].seal ? "seal" : "bearing");
    lmb_json_open_flat(j, "bodies", '[');
    lmb_json_integer(j, NULL, 0);
    lmb_json_integer(j, NULL, 1);
    lmb_json_close(j);
    put_vector(j, "at", s->x[node], 0, 0);
    put_vector(j, "at_b", s->x[node], 0, 0);
    put_vector(j, "axis", 1, 0, 0);
    lmb_json_number(j, "radius", radius_at(s, node));
    lmb_json_close(j);
}

char *lmb_rotor_geometry(const lmb_model *model, const lmb_rotor_results *r)
{
    const lmb_rotor_system *s = r->system;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    lmb_json json = lmb_json_start(out), *j = &json;
    lmb_json_open(j, NULL, '{');
    lmb_json_integer(j, "dimension", 3);
    lmb_json_number(j, "length", s->length);
    put_vector(j, "gravity", model->gravity.x, model->gravity.y, model->gravity.z);
    lmb_json_open(j, "bodies", '[');
    put_body(j, "ground", "ground", 0);
    lmb_json_close(j);
    lmb_json_close(j);
    for (int b = 0; b < lmb_rotor_bodies(r); b++) {
        put_body(j, names[b], "flexible", b == SHAFT ? r->shaft_mass : r->mass - r->shaft_mass);
        for (int k = 0; k < s->station_count && b == SHAFT; k++)
            put_vector(j, s->stations[k].name, s->x[s->stations[k].node], 0, 0);
        lmb_json_close(j);
        lmb_json_close(j);
    }
    lmb_json_close(j);
    lmb_json_open(j, "joints", '[');
    for (int b = 0; b < r->rotor.bearing_count; b++)
        put_bearing(j, r, b);
    lmb_json_close(j);
    lmb_json_open(j, "forces", '[');
    lmb_json_close(j);
    lmb_json_close(j);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
