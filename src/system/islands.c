/* Islands of a model: bodies that joints and forces couple, directly or through other bodies. The
 * ground couples no bodies. Each island has a typical length of its own, so that sizes and
 * tolerances of a mechanism do not depend on an unrelated body. */
#include "system/islands.h"

#include <math.h>

/* Return the first body of the island of a body; shortens the way there for later calls. */
static int first_of(int *parent, int body)
{
    while (parent[body] != body)
        body = parent[body] = parent[parent[body]];
    return body;
}

static void join(int *parent, int a, int b)
{
    if (a == 0 || b == 0) /* the ground */
        return;
    a = first_of(parent, a);
    b = first_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Return the body of a marker, or the ground for -1. */
static int body_of(const lmb_model *m, int marker)
{
    return marker < 0 ? 0 : m->parts.markers[marker].body;
}

/* Return a moving body of a pair, or the ground. */
static int body_of_pair(const lmb_model *m, int pair)
{
    int a = body_of(m, m->parts.pairs[pair].a);
    return a ? a : body_of(m, m->parts.pairs[pair].b);
}

static void join_force(const lmb_model *m, int *parent, const lmb_force *f)
{
    int body = body_of_pair(m, f->pair);
    for (int k = 1; k < f->pair_count; k++)
        join(parent, body, body_of_pair(m, f->pair + k));
    for (int i = f->input; i < f->input + f->input_count; i++) {
        const lmb_input *in = &m->inputs[i];
        for (int k = 0; k < 2; k++)
            join(parent, body, body_of(m, in->marker[k]));
        if (in->kind == LMB_INPUT_REACTION)
            join(parent, body, body_of_pair(m, m->joints[in->index].pair));
    }
}

static void join_bodies(const lmb_model *m, int *parent)
{
    for (int i = 0; i < m->body_count; i++)
        parent[i] = i;
    for (int p = 0; p < m->parts.pair_count; p++)
        join(parent, body_of(m, m->parts.pairs[p].a), body_of(m, m->parts.pairs[p].b));
    for (int r = 0; r < m->parts.row_count; r++) {
        const lmb_row *row = &m->parts.rows[r];
        for (int t = row->term + 1; t < row->term + row->term_count; t++)
            join(parent, body_of_pair(m, m->parts.terms[row->term].pair),
                 body_of_pair(m, m->parts.terms[t].pair));
    }
    for (int f = 0; f < m->force_count; f++)
        join_force(m, parent, &m->forces[f]);
}

/* Number the islands in the order of their first bodies. The ground belongs to none. */
static void number_islands(lmb_model *m, int *parent)
{
    m->island_of[0] = -1;
    for (int i = 1; i < m->body_count; i++) {
        int first = first_of(parent, i);
        m->island_of[i] = first == i ? m->island_count++ : m->island_of[first];
    }
}

/* --- lengths ---------------------------------------------------------------------------------- */

/* Add how far markers are from the origins of their bodies. Returns the largest of all islands. */
static double measure_bodies(lmb_model *m)
{
    double largest = 0;
    for (int i = 0; i < m->parts.marker_count; i++) {
        const lmb_marker *marker = &m->parts.markers[i];
        if (marker->body == 0)
            continue;
        lmb_island *island = &m->islands[m->island_of[marker->body]];
        island->length = fmax(island->length, v3_norm(marker->local.p));
        largest = fmax(largest, island->length);
    }
    return largest;
}

/* The distance of the ends of a pair as the bodies are placed, or 0 if they are not of an island.
 */
static double placed_distance(const lmb_model *m, int island, int pair)
{
    const lmb_pair *p = &m->parts.pairs[pair];
    int body[2] = {body_of(m, p->a), body_of(m, p->b)}, marker[2] = {p->a, p->b};
    vec3 x[2];
    if (m->island_of[body[0] ? body[0] : body[1]] != island)
        return 0;
    for (int k = 0; k < 2; k++)
        x[k] = body[k] ? m->bodies[body[k]].start.p : m->parts.markers[marker[k]].local.p;
    return v3_norm(v3_sub(x[0], x[1]));
}

/* The length of an island whose joints and forces are at the origins of its bodies: how long joints
 * are, else forces, else how far bodies are from the origin. */
static double measure_particles(const lmb_model *m, int island)
{
    double joints = 0, forces = 0, away = 0;
    for (int i = 0; i < m->joint_count; i++)
        if (m->joints[i].pair >= 0)
            joints = fmax(joints, placed_distance(m, island, m->joints[i].pair));
    for (int i = 0; i < m->force_count; i++)
        forces = fmax(forces, placed_distance(m, island, m->forces[i].pair));
    for (int i = 1; i < m->body_count; i++)
        if (m->island_of[i] == island)
            away = fmax(away, v3_norm(m->bodies[i].start.p));
    return joints > 0 ? joints : forces > 0 ? forces : away > 0 ? away : 1;
}

bool lmb_find_islands(lmb_model *m)
{
    int *parent = lmb_arena_integers(m->arena, (size_t)m->body_count);
    m->island_of = lmb_arena_integers(m->arena, (size_t)m->body_count);
    m->islands = lmb_arena_alloc(m->arena, (size_t)m->body_count, sizeof *m->islands);
    if (!lmb_arena_fine(m->arena))
        return false;
    join_bodies(m, parent);
    number_islands(m, parent);
    double largest = measure_bodies(m);
    for (int i = 0; i < m->island_count; i++) {
        lmb_island *island = &m->islands[i];
        if (island->length == 0)
            island->length = measure_particles(m, i);
        m->length = fmax(m->length, largest > 0 ? largest : island->length);
    }
    m->length = m->length > 0 ? m->length : 1;
    for (int i = 0; i < m->island_count; i++)
        m->islands[i].magnified = m->length / m->islands[i].length;
    return true;
}

int lmb_row_island(const lmb_model *m, int r)
{
    const lmb_row *row = &m->parts.rows[r];
    int first = row->term_count ? body_of_pair(m, m->parts.terms[row->term].pair) : 0;
    return m->island_of[row->body > 0 ? row->body : first];
}

double lmb_coordinate_size(const lmb_model *m, const lmb_coordinate *c)
{
    int island = m->island_of[body_of_pair(m, c->pair)];
    return c->kind == LMB_COORDINATE_ANGLE ? m->length
           : island >= 0                   ? m->islands[island].magnified
                                           : 1;
}

/* --- ranges of coordinates -------------------------------------------------------------------- */

bool lmb_index_island_ranges(lmb_model *m)
{
    m->ranges = lmb_arena_alloc(m->arena, (size_t)m->body_count, sizeof *m->ranges);
    for (int i = 1; m->ranges && i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        lmb_island_range *last = m->ranges + m->range_count - 1;
        if (m->range_count == 0 || last->island != m->island_of[i])
            m->ranges[m->range_count++] = (lmb_island_range){m->island_of[i], b->q, 0, b->v, 0};
        last = m->ranges + m->range_count - 1;
        last->nq += b->nq;
        last->nv += b->nv;
    }
    return m->ranges != NULL;
}
