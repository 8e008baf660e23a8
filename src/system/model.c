/* Indexing a model: coordinates of bodies, pattern of the constraint Jacobian, names. */
#include "system/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "system/islands.h"

/* --- nodes and clusters ----------------------------------------------------------------------- */

/* The clusters of a body, which are ranges of its nodes. */
static void index_clusters(lmb_model *m, lmb_body *b)
{
    int body = (int)(b - m->bodies), mass = 0;
    const lmb_island *island = &m->islands[body ? m->island_of[body] : 0];
    b->cluster = m->cluster_count;
    for (int k = 0; k < b->node_count; k++) {
        lmb_node *node = &b->nodes[k];
        node->body = body;
        node->cluster += b->cluster;
        if (node->cluster == m->cluster_count)
            m->clusters[m->cluster_count++] =
                (lmb_cluster){.body = body, .node = m->node_count + k, .v = node->v};
        m->clusters[node->cluster].nv += node->nv;
        m->clusters[node->cluster].node_count++;
        for (int j = 0; j < node->nv; j++) {
            lmb_coordinate_class class = lmb_node_class(node, j);
            m->columns[node->v + j] = (lmb_column){
                body, class, island->magnified * lmb_node_size(node, j, island->length)};
            m->mode_count += class == LMB_CLASS_MODE;
        }
    }
    for (int c = b->cluster; c < m->cluster_count; c++) {
        int nv = m->clusters[c].nv;
        m->clusters[c].mass = m->mass_count + mass;
        mass += nv * nv;
        m->largest_nv = nv > m->largest_nv ? nv : m->largest_nv;
    }
    m->mass_count += mass;
    m->largest_mass = mass > m->largest_mass ? mass : m->largest_mass;
    m->node_count += b->node_count;
}

static bool add_structure(lmb_model *m, lmb_body *b, lmb_structure *structure)
{
    *structure = (lmb_structure){.arena = m->arena};
    b->q = m->nq;
    b->v = m->nv;
    b->z = m->nz;
    if (!lmb_body_structure(b, m->dimension, structure))
        return false;
    m->nq += b->nq;
    m->nv += b->nv;
    m->nz += b->nz;
    int room = b->nz * (3 * b->nv + b->nz) + b->nv;
    m->largest_nz = b->nz > m->largest_nz ? b->nz : m->largest_nz;
    m->largest_first_order = b->nz && room > m->largest_first_order ? room : m->largest_first_order;
    return true;
}

/* Puts the nodes of all bodies into one list. */
static bool index_bodies(lmb_model *m, lmb_structure *structures)
{
    int nodes = 0, node = 0;
    for (int i = 0; i < m->body_count; i++) {
        if (!add_structure(m, &m->bodies[i], &structures[i]))
            return false;
        nodes += m->bodies[i].node_count;
    }
    m->nodes = lmb_arena_alloc(m->arena, (size_t)nodes, sizeof *m->nodes);
    m->columns = lmb_arena_alloc(m->arena, (size_t)m->nv, sizeof *m->columns);
    m->clusters = lmb_arena_alloc(m->arena, (size_t)nodes, sizeof *m->clusters);
    m->z_size = lmb_arena_numbers(m->arena, (size_t)m->nz);
    if (!lmb_arena_fine(m->arena))
        return false;
    for (int i = 0; i < m->body_count; i++) {
        lmb_body *b = &m->bodies[i];
        for (int k = 0; k < b->nz; k++)
            m->z_size[b->z + k] = b->ops->states->state(b, k).size;
        for (int k = 0; k < b->node_count; k++)
            m->nodes[node + k] = b->nodes[k];
        b->nodes = m->nodes + node;
        node += b->node_count;
        index_clusters(m, b);
    }
    return true;
}

void lmb_marker_index(const lmb_model *m, lmb_marker *marker)
{
    const lmb_body *b = &m->bodies[marker->body];
    int first = 0, count = b->node_count;
    if (b->ops->marker_nodes)
        b->ops->marker_nodes(b, marker, &first, &count);
    marker->node = first;
    marker->node_count = count;
    marker->v = count ? b->nodes[first].v : b->v;
    marker->nv = 0;
    for (int k = first; k < first + count; k++)
        marker->nv += b->nodes[k].nv;
    marker->cluster = count ? b->nodes[first].cluster : -1;
    marker->spread = count && b->nodes[first + count - 1].cluster != marker->cluster;
}

/* The nodes and velocity coordinates that each marker depends on. */
static void index_markers(lmb_model *m)
{
    for (int i = 0; i < m->parts.marker_count; i++) {
        lmb_marker *marker = &m->parts.markers[i];
        lmb_marker_index(m, marker);
        m->largest_nv = marker->nv > m->largest_nv ? marker->nv : m->largest_nv;
    }
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &m->parts.rows[r];
        if (row->body == 0)
            continue;
        const lmb_body *b = &m->bodies[row->body];
        lmb_own_row own = b->ops->rows->row(b, row->own);
        const lmb_node *last = &b->nodes[own.node + own.node_count - 1];
        int nv = last->v + last->nv - b->nodes[own.node].v;
        m->largest_nv = nv > m->largest_nv ? nv : m->largest_nv;
    }
    if (m->largest_nv * m->largest_nv > m->largest_mass)
        m->largest_mass = m->largest_nv * m->largest_nv;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Rows that bodies bring along follow those of joints and drivers. */
static bool add_own_rows(lmb_model *m)
{
    for (int i = 0; i < m->body_count; i++) {
        lmb_body *b = &m->bodies[i];
        b->row = m->parts.row_count;
        for (int k = 0; k < b->row_count; k++) {
            lmb_own_row own = b->ops->rows->row(b, k);
            int row = lmb_rows_row(&m->parts, own.label, own.measure);
            if (row < 0)
                return false;
            m->parts.rows[row].body = i;
            m->parts.rows[row].own = k;
        }
    }
    m->nrows = m->parts.row_count;
    return true;
}

/* A set of nodes: those that a row touches. */
typedef struct node_set {
    bool *has; /* node_count */
    int *list; /* their numbers */
    int count;
} node_set;

static void add_range(const lmb_model *m, node_set *set, const lmb_node *first, int count)
{
    for (int k = 0; k < count; k++) {
        int node = (int)(first - m->nodes) + k;
        if (!set->has[node])
            set->list[set->count++] = node;
        set->has[node] = true;
    }
}

static void add_marker(const lmb_model *m, node_set *set, int marker)
{
    const lmb_marker *mark = &m->parts.markers[marker];
    if (mark->node_count)
        add_range(m, set, &m->bodies[mark->body].nodes[mark->node], mark->node_count);
}

/* The nodes of the terms of a row, or those that a body's own row says; and those of forces whose
 * law reads the reaction that the row is part of. */
static void collect_nodes(const lmb_model *m, int r, node_set *set)
{
    const lmb_row *row = &m->parts.rows[r];
    for (int t = row->term; t < row->term + row->term_count; t++) {
        add_marker(m, set, m->parts.pairs[m->parts.terms[t].pair].a);
        add_marker(m, set, m->parts.pairs[m->parts.terms[t].pair].b);
    }
    if (row->body > 0) {
        const lmb_body *b = &m->bodies[row->body];
        lmb_own_row own = b->ops->rows->row(b, row->own);
        add_range(m, set, &b->nodes[own.node], own.node_count);
    }
    for (int f = 0; f < m->force_count && set->count; f++)
        for (int i = m->forces[f].input; i < m->forces[f].input + m->forces[f].input_count; i++) {
            const lmb_joint *j = &m->joints[m->inputs[i].index];
            if (m->inputs[i].kind != LMB_INPUT_REACTION || r < j->row || r >= j->row + j->row_count)
                continue;
            add_marker(m, set, m->parts.pairs[m->forces[f].pair].a);
            add_marker(m, set, m->parts.pairs[m->forces[f].pair].b);
        }
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Gives the nodes of a row places in the order of v: one block per cluster. */
static void index_row(lmb_model *m, int r, node_set *set, int *block_count)
{
    lmb_sparse_row *sparse = &m->sparse_rows[r];
    int number = lmb_row_island(m, r);
    lmb_island island = number >= 0 ? m->islands[number] : (lmb_island){m->length, 1};
    *sparse = (lmb_sparse_row){.block = *block_count,
                               .value = m->value_count,
                               .scale = island.magnified *
                                        pow(island.length, 1 - (int)m->parts.rows[r].measure),
                               .island = number};
    collect_nodes(m, r, set);
    qsort(set->list, (size_t)set->count, sizeof *set->list, ascending);
    for (int k = 0; k < set->count; k++) {
        const lmb_node *node = &m->nodes[set->list[k]];
        lmb_block *last = sparse->block_count ? m->blocks + *block_count - 1 : NULL;
        set->has[set->list[k]] = false;
        if (last && last->cluster == node->cluster && last->v + last->nv == node->v) {
            last->nv += node->nv;
        } else {
            lmb_block *blocks = lmb_arena_append(m->arena, m->blocks, *block_count, sizeof *blocks);
            if (!blocks)
                return;
            m->blocks = blocks;
            blocks[(*block_count)++] = (lmb_block){
                .cluster = node->cluster, .v = node->v, .nv = node->nv, .value = m->value_count};
            sparse->block_count++;
        }
        m->value_count += node->nv;
        sparse->value_count += node->nv;
    }
    set->count = 0;
}

/* Where the gradients by the frames of the terms of a row go. */
static void index_terms(lmb_model *m, int r)
{
    const lmb_row *row = &m->parts.rows[r];
    for (int t = row->term; t < row->term + row->term_count; t++) {
        const lmb_pair *pair = &m->parts.pairs[m->parts.terms[t].pair];
        const lmb_marker *a = &m->parts.markers[pair->a], *b = &m->parts.markers[pair->b];
        m->term_places[t] = (lmb_term_places){a->nv ? lmb_row_place(m, r, a->v) : -1,
                                              b->nv ? lmb_row_place(m, r, b->v) : -1};
    }
}

static bool index_rows(lmb_model *m)
{
    size_t terms = (size_t)m->parts.term_count, nodes = (size_t)m->node_count;
    node_set set = {lmb_arena_alloc(m->arena, nodes, sizeof *set.has),
                    lmb_arena_integers(m->arena, nodes), 0};
    m->sparse_rows = lmb_arena_alloc(m->arena, (size_t)m->nrows, sizeof *m->sparse_rows);
    m->term_places = lmb_arena_alloc(m->arena, terms, sizeof *m->term_places);
    int count = 0;
    for (int r = 0; r < m->nrows && lmb_arena_fine(m->arena); r++) {
        index_row(m, r, &set, &count);
        index_terms(m, r);
    }
    return lmb_arena_fine(m->arena);
}

int lmb_row_place(const lmb_model *m, int r, int v)
{
    const lmb_sparse_row *row = &m->sparse_rows[r];
    for (int k = row->block; k < row->block + row->block_count; k++)
        if (v >= m->blocks[k].v && v < m->blocks[k].v + m->blocks[k].nv)
            return m->blocks[k].value + v - m->blocks[k].v;
    return -1;
}

/* --- couples ---------------------------------------------------------------------------------- */

int lmb_find_couple(const lmb_model *m, int row, int column)
{
    for (int c = m->first_couple[row]; c >= 0; c = m->couples[c].next)
        if (m->couples[c].column == column)
            return c;
    return -1;
}

/* The couple of two clusters, added if new. */
static int couple_of(lmb_model *m, int row, int column)
{
    int found = lmb_find_couple(m, row, column);
    if (found >= 0)
        return found;
    lmb_couple *couples = lmb_arena_append(m->arena, m->couples, m->couple_count, sizeof *couples);
    if (!couples)
        return 0; /* lmb_model_index fails */
    const lmb_cluster *r = &m->clusters[row], *c = &m->clusters[column];
    m->couples = couples;
    couples[m->couple_count] =
        (lmb_couple){row, column, r->v, r->nv, c->v, c->nv, m->couple_values, m->first_couple[row]};
    m->couple_values += r->nv * c->nv;
    return m->first_couple[row] = m->couple_count++;
}

/* Couples all clusters of two markers; the first ones' couple, or -1 if one is the ground. */
static int couple_markers(lmb_model *m, int row, int column)
{
    const lmb_marker *r = &m->parts.markers[row], *c = &m->parts.markers[column];
    if (r->nv == 0 || c->nv == 0)
        return -1;
    const lmb_node *rows = m->bodies[r->body].nodes + r->node;
    const lmb_node *columns = m->bodies[c->body].nodes + c->node;
    for (int i = 0; i < r->node_count; i++)
        for (int j = 0; j < c->node_count; j++)
            couple_of(m, rows[i].cluster, columns[j].cluster);
    return couple_of(m, r->cluster, c->cluster);
}

/* The tangent windows of a body: its clusters with themselves, then the pairs that it couples; and
 * the clusters that its own rows and first-order states couple. */
static void index_windows(lmb_model *m, lmb_body *b, const lmb_structure *structure, int *count)
{
    b->window = *count;
    for (int c = b->cluster; c < b->cluster + b->cluster_count; c++)
        m->windows[(*count)++] = m->clusters[c].couple;
    for (int p = 0; p < structure->pair_count; p++)
        m->windows[(*count)++] = couple_of(m, b->cluster + structure->pairs[p].row,
                                           b->cluster + structure->pairs[p].column);
    b->window_count = *count - b->window;
    if (b->window_count > m->largest_window)
        m->largest_window = b->window_count;
    for (int k = 0; k < b->row_count; k++) {
        lmb_own_row own = b->ops->rows->row(b, k);
        for (int i = own.node; i < own.node + own.node_count; i++)
            for (int j = own.node; j < own.node + own.node_count; j++)
                couple_of(m, b->nodes[i].cluster, b->nodes[j].cluster);
    }
    for (int i = b->cluster; b->nz && i < b->cluster + b->cluster_count; i++)
        for (int j = b->cluster; j < b->cluster + b->cluster_count; j++)
            couple_of(m, i, j);
}

/* The blocks of what a force acts on with what an input of its law reads. */
static bool index_input(lmb_model *m, const lmb_force *f, lmb_input *in)
{
    in->couple = lmb_arena_integers(m->arena, 4 * (size_t)f->pair_count);
    for (int k = 0; in->couple && k < 4 * f->pair_count; k++) {
        const lmb_pair *pair = &m->parts.pairs[f->pair + k / 4];
        int row = k / 2 % 2 ? pair->b : pair->a, marker = in->marker[k % 2];
        in->couple[k] = marker < 0 ? -1 : couple_markers(m, row, marker);
    }
    return in->couple != NULL;
}

/* Finds which blocks the tangent matrices have. */
static bool index_couples(lmb_model *m, const lmb_structure *structures)
{
    size_t pairs = (size_t)m->parts.pair_count, windows = (size_t)m->cluster_count;
    for (int i = 0; i < m->body_count; i++)
        windows += (size_t)structures[i].pair_count;
    m->first_couple = lmb_arena_integers(m->arena, (size_t)m->cluster_count);
    m->pair_couples = lmb_arena_alloc(m->arena, pairs, sizeof *m->pair_couples);
    m->windows = lmb_arena_integers(m->arena, windows);
    if (!lmb_arena_fine(m->arena))
        return false;
    for (int c = 0; c < m->cluster_count; c++)
        m->first_couple[c] = -1;
    for (int c = 0; c < m->cluster_count; c++)
        m->clusters[c].couple = couple_of(m, c, c);
    int count = 0;
    for (int i = 0; i < m->body_count; i++)
        index_windows(m, &m->bodies[i], &structures[i], &count);
    for (int p = 0; p < m->parts.pair_count; p++) {
        int ends[2] = {m->parts.pairs[p].a, m->parts.pairs[p].b};
        for (int k = 0; k < 4; k++)
            m->pair_couples[p].at[k] = couple_markers(m, ends[k / 2], ends[k % 2]);
    }
    for (int f = 0; f < m->force_count; f++)
        for (int i = m->forces[f].input; i < m->forces[f].input + m->forces[f].input_count; i++)
            if (!index_input(m, &m->forces[f], &m->inputs[i]))
                return false;
    return true;
}

/* Whose the rows are. The row of a length that is driven is that of its joint. */
static bool index_owners(lmb_model *m)
{
    m->row_owner = lmb_arena_integers(m->arena, (size_t)m->nrows + 1);
    if (!m->row_owner)
        return false;
    for (int r = 0; r < m->nrows; r++)
        m->row_owner[r] = -1;
    for (int i = 0; i < m->driver_count; i++)
        m->row_owner[m->drivers[i].row] = m->joint_count + i;
    for (int i = 0; i < m->joint_count; i++)
        for (int r = m->joints[i].row; r < m->joints[i].row + m->joints[i].row_count; r++)
            m->row_owner[r] = i;
    return true;
}

lmb_status lmb_model_index(lmb_model *m, lmb_context *context)
{
    for (int i = 0; i < m->body_count; i++)
        m->heaviest = fmax(m->heaviest, m->bodies[i].mass);
    m->heaviest = m->heaviest > 0 ? m->heaviest : 1;
    lmb_structure *structures =
        lmb_arena_alloc(m->arena, (size_t)m->body_count, sizeof *structures);
    if (!structures || !lmb_find_islands(m) || !index_bodies(m, structures) || !add_own_rows(m))
        return lmb_fail_memory(context);
    index_markers(m);
    return lmb_index_island_ranges(m) && index_couples(m, structures) && index_rows(m) &&
                   index_owners(m)
               ? LMB_OK
               : lmb_fail_memory(context);
}

int lmb_instant_count(const lmb_analysis *a)
{
    if (a->duration == 0)
        return 1;
    double steps = a->duration / a->output_step, whole = round(steps);
    return (int)(fabs(steps - whole) < 1e-6 ? whole : ceil(steps)) + 1;
}

double lmb_instant(const lmb_analysis *a, int i)
{
    return i == lmb_instant_count(a) - 1 ? a->start + a->duration : a->start + i * a->output_step;
}

int lmb_instant_at(const lmb_analysis *a, double t)
{
    int last = lmb_instant_count(a) - 1;
    double i = last > 0 ? round((t - a->start) / a->output_step) : 0;
    double near = 1e-6 * (last > 0 ? a->output_step : fmax(1, fabs(t)));
    if (fabs(t - lmb_instant(a, last)) <= near)
        return last;
    bool there = i >= 0 && i < last && fabs(t - lmb_instant(a, (int)i)) <= near;
    return there ? (int)i : -1;
}

int lmb_model_analysis_count(const lmb_model *model)
{
    return model ? model->analysis_count : 0;
}

const char *lmb_model_analysis_name(const lmb_model *model, int analysis)
{
    bool known = analysis >= 0 && analysis < lmb_model_analysis_count(model);
    return known ? model->analyses[analysis].name : NULL;
}

void lmb_model_free(lmb_model *model)
{
    if (model)
        lmb_arena_free(model->arena);
}
