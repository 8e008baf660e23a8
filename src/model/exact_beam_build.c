/* From the description of a geometrically exact beam to its nodes, stiffness and inertia.
 *
 * Element ends are put at corners, stations, and the places of interfaces and masses; the elements
 * are distributed between these so that the longest is as short as can be. An element of arc length
 * L from s0 has its nodes at s0 + L (1 + x_i)/2, x_i the Gauss-Lobatto points with the weights w_i.
 * A node gets L w_i / 2 times the inertia per length at its place from each of its elements. */
#include <stdlib.h>

#include "fe/beam.h"
#include "model/builder.h"
#include "model/exact_beam_part.h"

enum { N = 6, DIAGONAL = N + 1 };

typedef struct making {
    const lmb_exact_part *part;
    lmb_context *context;
    lmb_arena *arena;
    double *breaks; /* break_count: arc lengths at which an element must end, ascending */
    int break_count;
    double *ends; /* element_count + 1: arc lengths at which elements end */
    mat3 *legs;   /* of a beam with corners: the axes of sections, for each piece of the curve */
    lmb_exact_beam *beam;
} making;

/* --- properties of sections ------------------------------------------------------------------- */

/* Of the sizes a and b of two sections of a kind, (1 - f) a + f b. */
static void mix_sizes(int kind, double f, const lmb_section_keys *a, const lmb_section_keys *b,
                      lmb_section_keys *out)
{
    *out = *a;
    for (const lmb_field *field = lmb_section_types[kind].fields; field->name; field++) {
        double x = *(const double *)((const char *)a + field->offset);
        double y = *(const double *)((const char *)b + field->offset);
        *(double *)((char *)out + field->offset) = x + f * (y - x);
    }
}

/* Stiffness and inertia per length of a section of a material. A shear factor of 0, which elsewhere
 * means no shear deformation, is taken as 1. */
static void of_material(const lmb_material *m, const lmb_section *s, lmb_beam_properties *out)
{
    double G = m->E / (2 * (1 + m->nu)), *K = out->stiffness;
    K[0 * DIAGONAL] = m->E * s->A;
    K[1 * DIAGONAL] = G * s->A * (s->shear_y > 0 ? s->shear_y : 1);
    K[2 * DIAGONAL] = G * s->A * (s->shear_z > 0 ? s->shear_z : 1);
    K[3 * DIAGONAL] = G * s->J;
    K[4 * DIAGONAL] = m->E * s->Iy;
    K[5 * DIAGONAL] = m->E * s->Iz;
    out->inertia = (lmb_beam_inertia){.mass = m->density * s->A,
                                      .inertia = {{{m->density * (s->Iy + s->Iz), 0, 0},
                                                   {0, m->density * s->Iy, 0},
                                                   {0, 0, m->density * s->Iz}}}};
}

/* Mass, centre and inertia of a 6 x 6 matrix. */
static lmb_beam_inertia inertia_of(const double *M)
{
    lmb_beam_inertia out = {.mass = M[0], .centre = v3(0, -M[5] / M[0], M[4] / M[0])};
    for (int j = 0; j < 3; j++)
        out.inertia.c[j] = v3_of(M + (3 + j) * N + 3);
    return out;
}

void lmb_exact_part_properties(const lmb_exact_part *p, lmb_context *context, double at,
                               lmb_beam_properties *out)
{
    const lmb_beam_station *a = p->stations, *last = a + p->station_count - 1;
    while (a < last && a[1].at <= at)
        a++;
    const lmb_beam_station *b = a < last && at > a->at ? a + 1 : a;
    double f = a == b ? 0 : (at - a->at) / (b->at - a->at), M[N * N];
    *out = (lmb_beam_properties){.twist = a->twist + f * (b->twist - a->twist)};
    if (a->shaped) {
        lmb_section_keys sizes;
        mix_sizes(a->section.kind, f, &a->section.sizes, &b->section.sizes, &sizes);
        lmb_section_make(a->section.kind, &sizes, p->part.material.nu, context, &out->section);
        of_material(&p->part.material, &out->section, out);
    }
    for (int i = 0; i < N * N; i++) {
        if (a->stiffness)
            out->stiffness[i] = a->stiffness[i] + f * (b->stiffness[i] - a->stiffness[i]);
        if (a->mass)
            M[i] = a->mass[i] + f * (b->mass[i] - a->mass[i]);
    }
    if (a->mass)
        out->inertia = inertia_of(M);
}

/* A^T in front of and A behind both diagonal and off-diagonal 3 x 3 blocks: the same matrix in the
 * axes that those of the section, Q, are given in. */
static void turn_stiffness(const mat3 *Q, double *K)
{
    double half[N * N];
    for (int block = 0; block < N * N; block += 3) /* Q times each half of a column */
        for (int i = 0; i < 3; i++) {
            half[block + i] = 0;
            for (int k = 0; k < 3; k++)
                half[block + i] += m3_get(Q, i, k) * K[block + k];
        }
    for (int row = 0; row < N; row++) /* times Q^T */
        for (int j = 0; j < N; j++) {
            K[j * N + row] = 0;
            for (int k = 0; k < 3; k++)
                K[j * N + row] += half[(j / 3 * 3 + k) * N + row] * m3_get(Q, j % 3, k);
        }
}

static mat3 turn_inertia(const mat3 *Q, const mat3 *J)
{
    mat3 half = m3_mul3(Q, J), out;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += m3_get(&half, i, k) * m3_get(Q, j, k);
            (&out.c[j].x)[i] = sum;
        }
    return out;
}

/* --- elements along the curve ----------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The arc length of an interface or a mass; negative for a number of a node. */
static lmb_status anchor_place(const making *m, const lmb_anchor *a, double *s)
{
    const lmb_beam_curve *curve = &m->part->curve;
    double distance;
    *s = a->kind == LMB_ANCHOR_START ? 0 : a->kind == LMB_ANCHOR_END ? curve->length : -1;
    if (a->kind != LMB_ANCHOR_AT)
        return LMB_OK;
    *s = lmb_curve_nearest(curve, a->at, &distance);
    if (distance <= 1e-6 * curve->length)
        return LMB_OK;
    vec3 x, tangent;
    lmb_curve_at(curve, *s, false, &x, &tangent);
    lmb_fail_at(m->context, a->place, "'%s' at (%g, %g, %g) is not on the beam '%s'", a->name,
                a->at.x, a->at.y, a->at.z, m->part->part.name);
    return lmb_hint(m->context, "the nearest point of it is (%.9g, %.9g, %.9g)", x.x, x.y, x.z);
}

/* Where elements must end. */
static lmb_status find_breaks(making *m)
{
    const lmb_exact_part *p = m->part;
    const lmb_flexible_part *part = &p->part;
    double L = p->curve.length, *list;
    int anchors = part->interface_count + part->mass_count, count = 0;
    list = lmb_arena_numbers(m->arena, (size_t)(anchors + p->station_count + p->curve.count) + 2);
    if (!list)
        return lmb_fail_memory(m->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < anchors; i++) {
        int mass = i - part->interface_count;
        double s;
        if (anchor_place(m, mass < 0 ? &part->interfaces[i] : &part->masses[mass], &s))
            status = LMB_BAD_INPUT;
        if (s > 0)
            list[count++] = s;
    }
    for (int i = 0; i < p->station_count; i++)
        list[count++] = p->stations[i].at * L;
    for (int i = 1; i < p->curve.count; i++)
        if (lmb_curve_corner(&p->curve, i))
            list[count++] = p->curve.pieces[i].start;
    list[count++] = 0;
    list[count++] = L;
    qsort(list, (size_t)count, sizeof *list, compare);
    m->breaks = list;
    m->break_count = 1;
    for (int i = 1; i < count; i++) /* those that are almost the same are one */
        if (list[i] - list[m->break_count - 1] > 1e-9 * L)
            list[m->break_count++] = list[i];
    list[m->break_count - 1] = L;
    return status;
}

/* The number of elements between two breaks: one each, then one by one where they are longest. */
static lmb_status distribute(making *m)
{
    int spans = m->break_count - 1, elements = m->part->part.line.elements, last = 0;
    const double *s = m->breaks;
    int *count = lmb_arena_integers(m->arena, (size_t)spans + 1);
    m->ends = lmb_arena_numbers(m->arena, (size_t)elements + 1);
    if (!lmb_arena_fine(m->arena))
        return lmb_fail_memory(m->context);
    if (elements < spans)
        return lmb_fail_hint(m->context,
                             "at least one element per leg, and between stations and the places "
                             "of interfaces and masses",
                             "the beam '%s' has %d elements for %d pieces", m->part->part.name,
                             elements, spans);
    for (int i = 0; i < spans; i++)
        count[i] = 1;
    for (int left = elements - spans; left > 0; left--) {
        int longest = 0;
        for (int i = 1; i < spans; i++)
            if ((s[i + 1] - s[i]) / count[i] >
                (s[longest + 1] - s[longest]) / count[longest] * (1 + 1e-9))
                longest = i;
        count[longest]++;
    }
    for (int i = 0; i < spans; i++)
        for (int k = 0; k < count[i]; k++)
            m->ends[last++] = s[i] + (s[i + 1] - s[i]) * k / count[i];
    m->ends[last] = s[spans];
    return LMB_OK;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static lmb_status allocate(making *m)
{
    const lmb_exact_part *p = m->part;
    int n = p->part.line.elements, order = p->order;
    size_t nodes = (size_t)n * (size_t)order + !p->curve.closed, gauss = (size_t)(n * order);
    lmb_exact_beam *b = lmb_arena_alloc(m->arena, 1, sizeof *b);
    if (!b)
        return lmb_fail_memory(m->context);
    *b = (lmb_exact_beam){.dimension = p->part.dimension,
                          .order = order,
                          .element_count = n,
                          .node_count = (int)nodes,
                          .closed = p->curve.closed,
                          .nodes = lmb_arena_alloc(m->arena, nodes, sizeof *b->nodes),
                          .lengths = lmb_arena_numbers(m->arena, (size_t)n),
                          .stiffness = lmb_arena_numbers(m->arena, gauss * N * N),
                          .inertia = lmb_arena_alloc(m->arena, nodes, sizeof *b->inertia),
                          .damping = p->damping,
                          .places = lmb_arena_numbers(m->arena, nodes)};
    m->beam = b;
    if (p->stations->shaped)
        b->sections = lmb_arena_alloc(m->arena, nodes, sizeof(lmb_section));
    if (p->curve.corners)
        b->section_axes = lmb_arena_alloc(m->arena, gauss, sizeof *b->section_axes);
    return lmb_check_memory(m->context, m->arena);
}

/* The arc length at x, -1 to 1, in an element. */
static double place_in(const making *m, int element, double x)
{
    double a = m->ends[element], b = m->ends[element + 1];
    return x <= -1 ? a : x >= 1 ? b : a + (b - a) * (1 + x) / 2;
}

static lmb_status fail_axes(const making *m, double s)
{
    const lmb_exact_part *p = m->part;
    return lmb_fail_at(m->context, p->y_place,
                       "'y_axis' is along the beam '%s' at %.3g of its length", p->part.name,
                       s / p->curve.length);
}

mat3 lmb_twisted_axes(const mat3 *axes, double angle)
{
    vec3 y = v3_add(v3_scale(cos(angle), axes->c[1]), v3_scale(sin(angle), axes->c[2]));
    return (mat3){{axes->c[0], y, v3_cross(axes->c[0], y)}};
}

/* The axes of straight legs; those of the first one are those of all nodes. */
static lmb_status find_legs(making *m)
{
    const lmb_exact_part *p = m->part;
    m->legs = lmb_arena_alloc(m->arena, (size_t)p->curve.count, sizeof *m->legs);
    if (!m->legs)
        return lmb_fail_memory(m->context);
    for (int i = 0; i < p->curve.count; i++) {
        vec3 along = p->curve.pieces[i].c[1], y = p->y_axis;
        if (p->part.dimension == 2)
            y = v3(-along.y, along.x, 0);
        if (!lmb_section_axes(along, y, &m->legs[i]))
            return fail_axes(m, p->curve.pieces[i].start);
    }
    for (int i = 0; i < m->beam->node_count; i++)
        for (int k = 0; k < 3; k++)
            m->beam->nodes[i].e[k] = m->legs[0].c[k];
    return LMB_OK;
}

/* The axes of nodes of a curve without corners. */
static lmb_status find_axes(making *m)
{
    const lmb_exact_part *p = m->part;
    lmb_exact_beam *b = m->beam;
    mat3 *axes = lmb_arena_alloc(m->arena, (size_t)b->node_count, sizeof *axes);
    if (!axes)
        return lmb_fail_memory(m->context);
    int wrong = lmb_curve_axes(&p->curve, p->y_axis, b->places, b->node_count, axes);
    if (wrong >= 0)
        return fail_axes(m, b->places[wrong]);
    for (int i = 0; i < b->node_count; i++) {
        lmb_beam_properties here;
        lmb_exact_part_properties(p, m->context, b->places[i] / p->curve.length, &here);
        mat3 R = lmb_twisted_axes(&axes[i], here.twist);
        b->nodes[i] = frame_with_axes(b->nodes[i].p, &R);
    }
    return LMB_OK;
}

static lmb_status place_nodes(making *m)
{
    const lmb_exact_part *p = m->part;
    lmb_exact_beam *b = m->beam;
    for (int e = 0; e < b->element_count; e++) {
        b->lengths[e] = m->ends[e + 1] - m->ends[e];
        for (int i = 0; i <= b->order; i++) {
            int node = lmb_exact_beam_node(b, e, i);
            double s = place_in(m, e, lmb_lobatto_points[b->order][i]);
            vec3 tangent;
            if (node == 0 && e > 0)
                continue;
            b->places[node] = s;
            lmb_curve_at(&p->curve, s, i > 0, &b->nodes[node].p, &tangent);
        }
    }
    return p->curve.corners ? find_legs(m) : find_axes(m);
}

/* --- stiffness and inertia -------------------------------------------------------------------- */

/* The axes of the section at a place of a leg in those of the nodes. */
static mat3 axes_in_nodes(const making *m, double s, double twist)
{
    const lmb_beam_curve *curve = &m->part->curve;
    int leg = 0;
    while (leg + 1 < curve->count && curve->pieces[leg + 1].start <= s)
        leg++;
    mat3 R = lmb_twisted_axes(&m->legs[leg], twist);
    return m3_tmul3(&m->legs[0], &R);
}

static void add_inertia(lmb_beam_inertia *to, const lmb_beam_inertia *more)
{
    double mass = to->mass + more->mass;
    vec3 moment = v3_add(v3_scale(to->mass, to->centre), v3_scale(more->mass, more->centre));
    to->inertia = m3_add(&to->inertia, &more->inertia);
    to->mass = mass;
    to->centre = mass > 0 ? v3_scale(1 / mass, moment) : v3(0, 0, 0);
}

static void fill_element(making *m, int e)
{
    lmb_exact_beam *b = m->beam;
    const lmb_exact_part *p = m->part;
    double L = p->curve.length, middle = place_in(m, e, 0);
    lmb_beam_properties here;
    for (int i = 0; i < b->order; i++) {
        int at = e * b->order + i;
        lmb_exact_part_properties(p, m->context, place_in(m, e, lmb_gauss_points[b->order][i]) / L,
                                  &here);
        if (m->legs) {
            mat3 Q = axes_in_nodes(m, middle, here.twist);
            turn_stiffness(&Q, here.stiffness);
            b->section_axes[at] = Q;
        }
        for (int k = 0; k < N * N; k++)
            b->stiffness[at * N * N + k] = here.stiffness[k];
    }
    for (int i = 0; i <= b->order; i++) {
        int node = lmb_exact_beam_node(b, e, i);
        double length = b->lengths[e] / 2 * lmb_lobatto_weights[b->order][i];
        lmb_exact_part_properties(p, m->context,
                                  place_in(m, e, lmb_lobatto_points[b->order][i]) / L, &here);
        lmb_beam_inertia *x = &here.inertia;
        if (m->legs) {
            mat3 Q = axes_in_nodes(m, middle, here.twist);
            x->centre = m3_mul(&Q, x->centre);
            x->inertia = turn_inertia(&Q, &x->inertia);
        }
        x->mass *= length;
        x->inertia = m3_scale(length, &x->inertia);
        add_inertia(&b->inertia[node], x);
        if (b->sections)
            b->sections[node] = here.section;
    }
}

/* --- interfaces and masses -------------------------------------------------------------------- */

static lmb_status find_node(const making *m, const lmb_anchor *a, int *out)
{
    const lmb_exact_beam *b = m->beam;
    int most = b->element_count + !b->closed, end = 0;
    double s;
    if (a->kind == LMB_ANCHOR_NODE && a->node > most) {
        lmb_fail_at(m->context, a->place, "body '%s' has no node %d", m->part->part.name, a->node);
        return lmb_hint(m->context, "its nodes, at the ends of elements, have numbers from 1 to %d",
                        most);
    }
    lmb_status status = anchor_place(m, a, &s);
    while (end < b->element_count && m->ends[end + 1] < s + 1e-9 * m->part->curve.length)
        end++;
    if (a->kind == LMB_ANCHOR_NODE)
        end = a->node - 1;
    else if (end < b->element_count && m->ends[end + 1] - s < s - m->ends[end])
        end++;
    *out = end == b->element_count && b->closed ? 0 : end * b->order;
    return status;
}

static lmb_status add_masses(const making *m)
{
    const lmb_flexible_part *p = &m->part->part;
    lmb_status status = LMB_OK;
    for (int i = 0; i < p->mass_count; i++) {
        int node = 0;
        if (find_node(m, &p->masses[i], &node))
            status = LMB_BAD_INPUT;
        mat3 R = frame_rotation(&m->beam->nodes[node]), one = m3_identity();
        mat3 back = m3_tmul3(&R, &one); /* inertias of point masses are in the axes of the body */
        lmb_beam_inertia more = {.mass = p->masses[i].of.mass,
                                 .inertia = turn_inertia(&back, &p->masses[i].of.inertia)};
        add_inertia(&m->beam->inertia[node], &more);
    }
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Matrices of solids have speeds of sound sqrt(EA / m) of 20 to 25000 m/s; a section that is larger
 * than the beam is long is hardly meant. */
static void warn_of_units(const making *m)
{
    const lmb_exact_part *p = m->part;
    const lmb_beam_station *s = p->stations;
    lmb_beam_properties here;
    lmb_exact_part_properties(p, m->context, 0, &here);
    const double *K = here.stiffness, EA = K[0];
    double speed = sqrt(EA / here.inertia.mass), EI = fmax(K[4 * DIAGONAL], K[5 * DIAGONAL]);
    if ((s->stiffness || s->mass) && here.inertia.mass > 0 && (speed < 20 || speed > 25e3)) {
        lmb_warn_at(m->context, p->part.place,
                    "stiffness and mass of the beam '%s' do not go together: EA is %g N and the "
                    "mass %g kg/m",
                    p->part.name, EA, here.inertia.mass);
        lmb_hint(m->context, "are they in other units? A steel bar of 1 cm^2 has 2.1e7 N and "
                             "0.785 kg/m");
    } else if (sqrt(EI / EA) > p->curve.length) {
        lmb_warn_at(m->context, p->part.place,
                    "the section of the beam '%s' has a radius of gyration of %.3g m, but the beam "
                    "is %.3g m long: are they in other units?",
                    p->part.name, sqrt(EI / EA), p->curve.length);
        lmb_hint(m->context, "lengths are in m");
    }
}

/* A ring must close with its axes. */
static lmb_status check_twist(const making *m)
{
    const lmb_exact_part *p = m->part;
    double twist = p->stations[p->station_count - 1].twist - p->stations[0].twist;
    if (!p->curve.closed || fabs(remainder(twist, 2 * LMB_PI)) < 1e-9)
        return LMB_OK;
    return lmb_fail_at(m->context, p->stations[p->station_count - 1].place,
                       "the beam '%s' is a ring; it must be twisted by whole turns, not %g rad",
                       p->part.name, twist);
}

/* An arc or helix must turn by less than half a turn between neighbouring nodes: a larger rotation
 * cannot be told from a smaller one the other way round. */
static lmb_status check_turns(const making *m)
{
    const lmb_beam_curve *curve = &m->part->curve;
    const lmb_exact_beam *b = m->beam;
    double longest = curve->length - b->places[b->node_count - 1]; /* of a ring */
    for (int i = 1; i < b->node_count; i++)
        longest = fmax(longest, b->places[i] - b->places[i - 1]);
    double turn = curve->pieces->round ? fabs(curve->pieces->angle) * longest / curve->length : 0;
    if (turn < LMB_PI)
        return LMB_OK;
    lmb_fail(
        m->context, LMB_BAD_INPUT,
        "the beam '%s' turns by %.3g rad between two of its nodes: it must be less than half a "
        "turn",
        m->part->part.name, turn);
    return lmb_hint(m->context, "give it more than %.6g 'elements' (it has %d), or fewer turns",
                    b->element_count * turn / LMB_PI, b->element_count);
}

lmb_status lmb_exact_part_build(const lmb_exact_part *part, lmb_context *context, lmb_arena *arena,
                                lmb_exact_beam **out, int *nodes)
{
    making m = {.part = part, .context = context, .arena = arena};
    size_t from = lmb_message_count(context);
    lmb_status status = check_twist(&m);
    *out = NULL;
    if (status || (status = find_breaks(&m)) || (status = distribute(&m)) ||
        (status = allocate(&m)) || (status = place_nodes(&m)) || (status = check_turns(&m))) {
        if (status == LMB_BAD_INPUT)
            lmb_give_place(context, from, part->part.place);
        return status;
    }
    for (int e = 0; e < m.beam->element_count; e++)
        fill_element(&m, e);
    status = add_masses(&m);
    for (int i = 0; i < part->part.interface_count; i++)
        if (find_node(&m, &part->part.interfaces[i], &nodes[i]))
            status = LMB_BAD_INPUT;
    warn_of_units(&m);
    if (!status && !lmb_exact_beam_prepare(m.beam, arena))
        status = lmb_fail_memory(context);
    *out = m.beam;
    return status;
}

lmb_status lmb_exact_beam_read(const lmb_body_build *body, lmb_exact_beam **out,
                               lmb_exact_interfaces *interfaces)
{
    lmb_reader *r = body->reader;
    lmb_exact_part part;
    *out = NULL;
    lmb_status status = lmb_exact_part_read(body, &part);
    if (status)
        return status;
    int count = part.part.interface_count;
    *interfaces = (lmb_exact_interfaces){
        .count = count,
        .names = lmb_arena_alloc(r->arena, (size_t)count, sizeof *interfaces->names),
        .nodes = lmb_arena_integers(r->arena, (size_t)count)};
    if (count && !lmb_arena_fine(r->arena))
        return lmb_fail_memory(r->context);
    for (int i = 0; i < count; i++)
        interfaces->names[i] = part.part.interfaces[i].name;
    status = lmb_exact_part_build(&part, r->context, r->arena, out, interfaces->nodes);
    return status ? status : lmb_exact_probes_read(body, &part, *out);
}
