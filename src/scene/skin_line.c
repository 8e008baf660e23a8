/* The outside of a body with nodes along a beam: the outline of its section at each node, carried
 * by the frame of that node, and sides between the outlines.
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

/* An outline around a node. */
typedef struct ring {
    int node;
    mat3 axes;    /* of the section, in those of the node */
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

/* One ring per node; where the axes of sections jump at corners, each element has its own. */
static void list_rings(sweep *s)
{
    const lmb_exact_beam *b = s->beam;
    for (int i = 0; !b->section_axes && i < b->node_count + b->closed; i++)
        s->rings[s->ring_count++] =
            (ring){i % b->node_count, m3_identity(), i + 1 < b->node_count + b->closed};
    for (int e = 0; b->section_axes && e < b->element_count; e++)
        for (int i = 0; i <= b->order; i++)
            s->rings[s->ring_count++] =
                (ring){lmb_exact_beam_node(b, e, i),
                       b->section_axes[e * b->order + (i > 0 ? i - 1 : 0)], i < b->order};
}

static void put_node(sweep *s, const ring *r, const lmb_outline_point *p)
{
    lmb_section x = section_at(s, r->node);
    lmb_skin *skin = s->skin;
    bool space = s->beam->dimension == 3;
    double y = p->y * fmax(x.y_max, s->least), z = p->z * fmax(x.z_max, s->least);
    vec3 at = m3_mul(&r->axes, v3(0, y, z));
    for (int k = 0; k < 3; k++)
        skin->nodes[3 * s->nodes + k] = (float)v3_get(at, k);
    if (skin->fibres) {
        const double of[LMB_FIBRE_NUMBERS] = {1 / x.A, space ? p->z * x.z_max / x.Iy : 0,
                                              -p->y * x.y_max / x.Iz,
                                              space && x.J > 0 ? x.torsion_radius / x.J : 0};
        for (int k = 0; k < LMB_FIBRE_NUMBERS; k++)
            skin->fibres[LMB_FIBRE_NUMBERS * s->nodes + k] = (float)of[k];
    }
    skin->carrier[s->nodes++] = r->node;
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
static void put_cap(sweep *s, const ring *r, bool back)
{
    const lmb_outline *o = &s->outline;
    int first = s->nodes;
    for (int i = 0; i < o->side_count && o->cap_count > 0; i++)
        put_node(s, r, &o->point[o->side[i][0]]);
    for (int i = 0; i < o->cap_count; i++)
        put_triangle(s, first + o->cap[i][0], first + o->cap[i][1 + back],
                     first + o->cap[i][2 - back]);
}

static void put_rest(lmb_skin *skin, const lmb_exact_beam *b)
{
    for (int i = 0; i < b->node_count; i++) {
        mat3 R = frame_rotation(&b->nodes[i]);
        quat q = quat_from_matrix(&R);
        const double of[LMB_CARRIER_NUMBERS] = {
            b->nodes[i].p.x, b->nodes[i].p.y, b->nodes[i].p.z, q.w, q.x, q.y, q.z};
        for (int k = 0; k < LMB_CARRIER_NUMBERS; k++)
            skin->carriers[LMB_CARRIER_NUMBERS * i + k] = (float)of[k];
    }
}

static void fill(sweep *s)
{
    for (int i = 0; i < s->ring_count; i++)
        for (int k = 0; k < s->outline.point_count; k++)
            put_node(s, &s->rings[i], &s->outline.point[k]);
    for (int i = 0; i < s->ring_count; i++)
        if (s->rings[i].goes_on)
            put_sides(s, i);
    if (!s->beam->closed) {
        put_cap(s, &s->rings[0], true);
        put_cap(s, &s->rings[s->ring_count - 1], false);
    }
    put_rest(s->skin, s->beam);
    s->skin->node_count = s->nodes;
    s->skin->triangle_count = s->triangles;
}

lmb_status lmb_skin_of_line(lmb_skin *out, lmb_arena *arena, lmb_context *context, const char *name,
                            const lmb_exact_beam *beam)
{
    sweep s = {.beam = beam, .skin = out, .least = LEAST * extent(beam)};
    lmb_section first = section_at(&s, 0);
    s.outline = lmb_outline_of(&first, beam->dimension == 2);
    int most = beam->element_count * (beam->order + 1) + 1, points = s.outline.point_count;
    s.rings = lmb_arena_alloc(arena, (size_t)most, sizeof *s.rings);
    if (!s.rings)
        return lmb_fail_memory(context);
    list_rings(&s);
    *out = (lmb_skin){.name = name,
                      .node_count = s.ring_count * points + 2 * s.outline.side_count,
                      .triangle_count =
                          2 * (s.ring_count * s.outline.side_count + s.outline.cap_count),
                      .carrier_count = beam->node_count};
    if (lmb_skin_allocate(out, arena, lmb_beam_has_stress(beam)))
        fill(&s);
    return lmb_check_memory(context, arena);
}
