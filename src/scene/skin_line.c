/* The outside of a body with nodes along a beam: outlines of its sections at the nodes and between
 * them, each carried by the frame there, and sides between the outlines.
 *
 * The stress of a fibre at (y, z) is that of the section forces there,
 *
 *   sigma = N / A + My z / Iy - Mz y / Iz,    tau = T r / J
 *
 * with the greatest shear stress of torsion (r = torsion_radius). */
#include <math.h>
#include <string.h>

#include "channels/channels.h"
#include "scene/skin_beams.h"

/* Half the thickness that is drawn at least, as a part of the size of the body. */
#define LEAST 0.008

/* Sections that are drawn: so many along a beam at least, one for so much that it turns by at rest
 * (rad), but between two nodes no more than these. */
enum { ALONG = 160, MOST = 8 };
#define TURN 0.1

/* An outline around a section. */
typedef struct ring {
    int span;
    double u;
    mat3 axes;    /* of the section, in those of the frame there */
    vec3 normal;  /* of the plane in which it is cut off, in the same axes */
    bool goes_on; /* sides lead to the next one of the list */
} ring;

typedef struct sweep {
    const lmb_exact_beam *beam;
    lmb_skin *skin;
    lmb_outline outline; /* of the first section; others have other sizes */
    double least;        /* half the thickness, at least */
    ring *rings;
    int ring_count, nodes, triangles; /* so far */
} sweep;

static double extent(const lmb_exact_beam *b)
{
    vec3 low = b->nodes[0].p, high = low;
    for (int i = 1; i < b->node_count; i++) {
        vec3 x = b->nodes[i].p;
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return v3_norm(v3_sub(high, low));
}

/* A section of which matrices alone are known is drawn as a thin round one. */
static lmb_section section_at(const sweep *s, int node)
{
    if (s->beam->sections)
        return s->beam->sections[node];
    return (lmb_section){.shape = LMB_SECTION_ROUND, .y_max = s->least, .z_max = s->least};
}

/* --- spans ------------------------------------------------------------------------------------ */

static mat3 axes_of(const lmb_exact_beam *b, int span)
{
    return b->section_axes ? b->section_axes[span] : m3_identity();
}

/* The span behind one, if there is a corner between them; -1: none. */
static int behind_corner(const lmb_exact_beam *b, int span)
{
    int spans = b->element_count * b->order, next = span + 1 == spans && b->closed ? 0 : span + 1;
    if (!b->section_axes || next == spans)
        return -1;
    vec3 jump = v3_sub(b->section_axes[span].c[0], b->section_axes[next].c[0]);
    return v3_norm(jump) > 1e-9 ? next : -1;
}

/* Spans are between all nodes that follow each other: as many as there are points of Gauss. */
static void put_spans(lmb_skin *skin, const lmb_exact_beam *b)
{
    for (int i = 0; i < skin->span_count; i++) {
        int e = i / b->order, k = i % b->order, next = behind_corner(b, i);
        const double *x = lmb_lobatto_points[b->order];
        mat3 Q = axes_of(b, i), turn = m3_identity();
        if (next >= 0)
            turn = m3_tmul3(&Q, &b->section_axes[next]);
        quat q = quat_from_matrix(&turn);
        vec3 t = Q.c[0];
        const double of[LMB_SPAN_NUMBERS] = {b->lengths[e] / 2 * (x[k + 1] - x[k]),
                                             t.x,
                                             t.y,
                                             t.z,
                                             t.x,
                                             t.y,
                                             t.z,
                                             q.w,
                                             q.x,
                                             q.y,
                                             q.z};
        skin->ends[2 * i] = lmb_exact_beam_node(b, e, k);
        skin->ends[2 * i + 1] = lmb_exact_beam_node(b, e, k + 1);
        for (int n = 0; n < LMB_SPAN_NUMBERS; n++)
            skin->spans[LMB_SPAN_NUMBERS * i + n] = (float)of[n];
    }
}

/* --- rings ------------------------------------------------------------------------------------ */

/* How many parts the spans are drawn with. */
static int parts_of(const lmb_exact_beam *b)
{
    int spans = b->element_count * b->order, parts = (ALONG + spans - 1) / spans;
    double turn = 0;
    for (int i = 0; i + 1 < b->node_count; i++) {
        double along = v3_dot(b->nodes[i].e[0], b->nodes[i + 1].e[0]);
        turn = fmax(turn, acos(fmin(fmax(along, -1), 1)));
    }
    parts = turn > parts * TURN ? (int)ceil(turn / TURN) : parts;
    return parts < MOST ? parts : MOST;
}

/* Adds a ring; at a corner it is cut off in the plane between the two legs. */
static void add_ring(sweep *s, int span, double u, int over_corner, bool goes_on)
{
    ring r = {span, u, axes_of(s->beam, span), v3(0, 0, 0), goes_on};
    if (over_corner >= 0)
        r.normal = v3_add(r.axes.c[0], s->beam->section_axes[over_corner].c[0]);
    s->rings[s->ring_count++] = r;
}

/* One list of rings from end to end; behind a corner it starts again. */
static void list_rings(sweep *s, int parts)
{
    const lmb_exact_beam *b = s->beam;
    int spans = b->element_count * b->order, before = -1;
    if (b->closed && behind_corner(b, spans - 1) >= 0)
        before = spans - 1;
    for (int i = 0; i < spans; i++) {
        int next = behind_corner(b, i);
        for (int k = 0; k < parts; k++)
            add_ring(s, i, (double)k / parts, k == 0 ? before : -1, true);
        if (next >= 0 || i + 1 == spans)
            add_ring(s, i, 1, next, false);
        before = next >= 0 ? i : -1;
    }
}

/* How far a point of an outline is moved along the beam to be in the plane of a corner. */
static double cut_off(const ring *r, vec3 point)
{
    double along = v3_dot(r->axes.c[0], r->normal);
    return along > 0.3 ? -v3_dot(point, r->normal) / along : 0;
}

/* Stresses of a fibre per unit of section forces. */
static void fibre_of(const sweep *s, int node, const lmb_outline_point *p,
                     double out[LMB_FIBRE_NUMBERS])
{
    lmb_section x = section_at(s, node);
    bool space = s->beam->dimension == 3;
    out[0] = 1 / x.A;
    out[1] = space ? p->z * x.z_max / x.Iy : 0;
    out[2] = -p->y * x.y_max / x.Iz;
    out[3] = space && x.J > 0 ? x.torsion_radius / x.J : 0;
}

/* A point of the outline, of sizes and stresses between those of the two nodes. */
static void put_node(sweep *s, int number, const lmb_outline_point *p)
{
    const ring *r = &s->rings[number];
    lmb_skin *skin = s->skin;
    const int *ends = skin->ends + 2 * r->span;
    lmb_section a = section_at(s, ends[0]), b = section_at(s, ends[1]);
    double y = p->y * fmax(a.y_max + r->u * (b.y_max - a.y_max), s->least);
    double z = p->z * fmax(a.z_max + r->u * (b.z_max - a.z_max), s->least);
    vec3 at = m3_mul(&r->axes, v3(0, y, z));
    at = v3_axpy(at, cut_off(r, at), r->axes.c[0]);
    for (int k = 0; k < 3; k++)
        skin->nodes[3 * s->nodes + k] = (float)v3_get(at, k);
    if (skin->fibres) {
        double from[LMB_FIBRE_NUMBERS], to[LMB_FIBRE_NUMBERS];
        fibre_of(s, ends[0], p, from);
        fibre_of(s, ends[1], p, to);
        for (int k = 0; k < LMB_FIBRE_NUMBERS; k++)
            skin->fibres[LMB_FIBRE_NUMBERS * s->nodes + k] =
                (float)(from[k] + r->u * (to[k] - from[k]));
    }
    skin->carrier[s->nodes++] = number;
}

static void put_triangle(sweep *s, int a, int b, int c)
{
    memcpy(s->skin->triangles + 3 * s->triangles++, (const int[]){a, b, c}, 3 * sizeof(int));
}

/* The sides between two rings; see add_sides of skin_beams.c. */
static void put_sides(sweep *s, int number)
{
    const lmb_outline *o = &s->outline;
    int first = number * o->point_count, second = first + o->point_count;
    bool other = number % 2;
    for (int i = 0; i < o->side_count; i++) {
        int from = o->side[i][0], to = o->side[i][1];
        put_triangle(s, first + from, first + to, second + (other ? from : to));
        put_triangle(s, first + (other ? to : from), second + to, second + from);
    }
}

/* What closes the beam at its first ring, or at its last. */
static void put_cap(sweep *s, int number, bool back)
{
    const lmb_outline *o = &s->outline;
    int first = s->nodes;
    for (int i = 0; i < o->side_count && o->cap_count > 0; i++)
        put_node(s, number, &o->point[o->side[i][0]]);
    for (int i = 0; i < o->cap_count; i++)
        put_triangle(s, first + o->cap[i][0], first + o->cap[i][1 + back],
                     first + o->cap[i][2 - back]);
}

/* Where the rings are, and their frames at rest. */
static void put_carriers(sweep *s)
{
    lmb_skin *skin = s->skin;
    for (int i = 0; i < s->ring_count; i++) {
        skin->span[i] = s->rings[i].span;
        skin->along[i] = (float)s->rings[i].u;
        lmb_frame x = lmb_skin_carrier(skin, i, s->beam->nodes);
        mat3 R = frame_rotation(&x);
        quat q = quat_from_matrix(&R);
        const double of[LMB_CARRIER_NUMBERS] = {x.p.x, x.p.y, x.p.z, q.w, q.x, q.y, q.z};
        for (int k = 0; k < LMB_CARRIER_NUMBERS; k++)
            skin->carriers[LMB_CARRIER_NUMBERS * i + k] = (float)of[k];
    }
}

static void fill(sweep *s)
{
    put_spans(s->skin, s->beam);
    put_carriers(s);
    for (int i = 0; i < s->ring_count; i++)
        for (int k = 0; k < s->outline.point_count; k++)
            put_node(s, i, &s->outline.point[k]);
    for (int i = 0; i < s->ring_count; i++)
        if (s->rings[i].goes_on)
            put_sides(s, i);
    if (!s->beam->closed) {
        put_cap(s, 0, true);
        put_cap(s, s->ring_count - 1, false);
    }
    s->skin->node_count = s->nodes;
    s->skin->triangle_count = s->triangles;
}

lmb_status lmb_skin_of_line(lmb_skin *out, lmb_arena *arena, lmb_context *context, const char *name,
                            const lmb_exact_beam *beam)
{
    sweep s = {.beam = beam, .skin = out, .least = LEAST * extent(beam)};
    lmb_section first = section_at(&s, 0);
    s.outline = lmb_outline_of(&first, beam->dimension == 2);
    int spans = beam->element_count * beam->order, points = s.outline.point_count;
    int parts = parts_of(beam);
    s.rings = lmb_arena_alloc(arena, (size_t)(spans * (parts + 1)) + 1, sizeof *s.rings);
    if (!s.rings)
        return lmb_fail_memory(context);
    list_rings(&s, parts);
    *out = (lmb_skin){.name = name,
                      .node_count = s.ring_count * points + 2 * s.outline.side_count,
                      .triangle_count =
                          2 * (s.ring_count * s.outline.side_count + s.outline.cap_count),
                      .carrier_count = s.ring_count,
                      .span_count = spans};
    if (lmb_skin_allocate(out, arena, lmb_beam_has_stress(beam)))
        fill(&s);
    return lmb_check_memory(context, arena);
}
