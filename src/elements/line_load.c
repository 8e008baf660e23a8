/* Shares of the nodes of an exact beam in a load per length. */
#include "elements/line_load.h"

/* Points of Gauss in an element of an order. */
static int points_of(int order)
{
    return order < LMB_BEAM_HIGHEST_ORDER ? order + 1 : LMB_BEAM_HIGHEST_ORDER;
}

/* The axes of the section at x, -1 to 1, of an element. Sections of a leg are twisted by an angle
 * that is linear along an element. */
static mat3 axes_at(const lmb_exact_beam *b, int e, double x)
{
    if (!b->section_axes)
        return m3_identity();
    const mat3 *first = &b->section_axes[e * b->order], *last = first + b->order - 1;
    const double *at = lmb_gauss_points[b->order];
    if (b->order == 1)
        return *first;
    double twist = atan2(v3_dot(first->c[2], last->c[1]), v3_dot(first->c[1], last->c[1]));
    double angle = twist * (x - at[0]) / (at[b->order - 1] - at[0]);
    vec3 y = v3_add(v3_scale(cos(angle), first->c[1]), v3_scale(sin(angle), first->c[2]));
    return (mat3){{first->c[0], y, v3_cross(first->c[0], y)}};
}

/* The part of an element that is between two arc lengths, in -1 ... 1; false: none, or one that is
 * there by rounding only. */
static bool part_of(double start, double length, double from, double to, double part[2])
{
    part[0] = fmax(-1, 2 * (from - start) / length - 1);
    part[1] = fmin(1, 2 * (to - start) / length - 1);
    return part[1] - part[0] > 1e-9;
}

/* A load under construction: all nodes of the beam, those without a share too. */
typedef struct making {
    const lmb_exact_beam *beam;
    lmb_line_load *load;
    int *counts;    /* of shares, by node of the beam */
    double *shared; /* element_count x points x nodes: w N_i, by element */
    int *of;        /* element_count: its first point, or -1 */
} making;

/* The points of an element and what its nodes have of the load there. */
static void add_element(making *m, int e, const double part[2])
{
    const lmb_exact_beam *b = m->beam;
    int count = points_of(b->order);
    double half = b->lengths[e] / 2, start = b->places[lmb_exact_beam_node(b, e, 0)];
    double middle = (part[0] + part[1]) / 2, reach = (part[1] - part[0]) / 2;
    m->of[e] = m->load->point_count;
    for (int k = 0; k < count; k++) {
        int point = m->load->point_count++;
        double x = middle + reach * lmb_gauss_points[count][k], dN[LMB_BEAM_NODES];
        double *N = m->shared + (size_t)point * LMB_BEAM_NODES;
        m->load->points[point] = (lmb_line_point){start + half * (1 + x), axes_at(b, e, x)};
        lmb_beam_shapes(b->order, x, N, dN);
        for (int i = 0; i <= b->order; i++)
            N[i] *= half * reach * lmb_gauss_weights[count][k];
    }
    for (int i = 0; i <= b->order; i++)
        m->counts[lmb_exact_beam_node(b, e, i)] += count;
}

/* Lists the nodes that have shares, and gives these their places. */
static void list_nodes(making *m)
{
    lmb_line_load *load = m->load;
    int total = 0;
    for (int i = 0; i < m->beam->node_count; i++) {
        if (m->counts[i] == 0)
            continue;
        load->nodes[load->node_count] = i;
        load->shares[load->node_count++] = total;
        total += m->counts[i];
        m->counts[i] = total - m->counts[i]; /* where its next share goes */
    }
    load->shares[load->node_count] = total;
}

static void put_shares(making *m)
{
    const lmb_exact_beam *b = m->beam;
    int count = points_of(b->order);
    for (int e = 0; e < b->element_count; e++)
        for (int i = 0; i <= b->order && m->of[e] >= 0; i++) {
            int *next = &m->counts[lmb_exact_beam_node(b, e, i)];
            for (int k = 0; k < count; k++) {
                int point = m->of[e] + k;
                m->load->share[(*next)++] =
                    (lmb_line_share){point, m->shared[(size_t)point * LMB_BEAM_NODES + (size_t)i]};
            }
        }
}

const lmb_line_load *lmb_line_load_new(const lmb_exact_beam *b, double from, double to,
                                       lmb_arena *arena)
{
    size_t elements = (size_t)b->element_count, nodes = (size_t)b->node_count;
    size_t points = elements * (size_t)points_of(b->order);
    lmb_line_load *load = lmb_arena_alloc(arena, 1, sizeof *load);
    making m = {b, load, lmb_arena_integers(arena, nodes),
                lmb_arena_numbers(arena, points * LMB_BEAM_NODES),
                lmb_arena_integers(arena, elements)};
    if (!lmb_arena_fine(arena))
        return NULL;
    *load = (lmb_line_load){
        .nodes = lmb_arena_integers(arena, nodes),
        .shares = lmb_arena_integers(arena, nodes + 1),
        .share = lmb_arena_alloc(arena, points * LMB_BEAM_NODES, sizeof *load->share),
        .points = lmb_arena_alloc(arena, points, sizeof *load->points)};
    if (!lmb_arena_fine(arena))
        return NULL;
    for (int e = 0; e < b->element_count; e++) {
        double part[2], start = b->places[lmb_exact_beam_node(b, e, 0)];
        m.of[e] = -1;
        if (part_of(start, b->lengths[e], from, to, part))
            add_element(&m, e, part);
    }
    list_nodes(&m);
    put_shares(&m);
    return load;
}
