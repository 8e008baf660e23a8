/* Indexing a model: coordinates of bodies, pattern of the constraint Jacobian, names. */
#include "system/model.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bodies/modal.h"

static void index_bodies(lmb_model *m)
{
    for (int i = 0; i < m->body_count; i++) {
        lmb_body *b = &m->bodies[i];
        b->nq = b->ops->nq == LMB_DIMENSION ? m->dimension : b->ops->nq;
        b->nv = b->ops->nv == LMB_DIMENSION ? m->dimension : b->ops->nv;
        b->rigid_nv = b->nv;
        if (b->modal) {
            b->nq += b->modal->modes;
            b->nv += b->modal->modes;
            m->mode_count += b->modal->modes;
        }
        b->q = m->nq;
        b->v = m->nv;
        m->nq += b->nq;
        m->nv += b->nv;
        m->mass_count += b->nv * b->nv;
        if (b->nv > m->largest_nv)
            m->largest_nv = b->nv;
    }
}

/* The number in a row of the block of a marker's body, added if new; -1 for ground. */
static int block_of(lmb_model *m, lmb_sparse_row *row, int marker)
{
    int body = m->parts.markers[marker].body;
    int nv = m->bodies[body].nv;
    if (nv == 0)
        return -1;
    lmb_block *blocks = m->blocks + row->block;
    for (int i = 0; i < row->block_count; i++)
        if (blocks[i].body == body)
            return i;
    blocks[row->block_count] = (lmb_block){body, m->value_count};
    m->value_count += nv;
    row->value_count += nv;
    return row->block_count++;
}

static void index_row(lmb_model *m, int r, int *block_count)
{
    const lmb_row *row = &m->parts.rows[r];
    lmb_sparse_row *sparse = &m->sparse_rows[r];
    sparse->block = *block_count;
    sparse->value = m->value_count;
    sparse->scale = pow(m->length, 1 - (int)row->measure);
    for (int t = row->term; t < row->term + row->term_count; t++) {
        const lmb_pair *pair = &m->parts.pairs[m->parts.terms[t].pair];
        m->term_blocks[t].a = block_of(m, sparse, pair->a);
        m->term_blocks[t].b = block_of(m, sparse, pair->b);
    }
    *block_count += sparse->block_count;
}

/* The couple of two bodies, added if new; -1 if one is the ground. `newest` heads the lists of
 * couples by row. */
static int couple_of(lmb_model *m, int *newest, int row, int column)
{
    if (m->bodies[row].nv == 0 || m->bodies[column].nv == 0)
        return -1;
    for (int c = newest[row]; c >= 0; c = m->couples[c].next)
        if (m->couples[c].column == column)
            return c;
    m->couples[m->couple_count] = (lmb_couple){row, column, m->couple_values, newest[row]};
    m->couple_values += m->bodies[row].nv * m->bodies[column].nv;
    return newest[row] = m->couple_count++;
}

/* The couples of the bodies of a force with those of an input of its law. */
static void index_input(lmb_model *m, int *newest, const lmb_force *f, lmb_input *in)
{
    const lmb_pair *pair = &m->parts.pairs[f->pair];
    for (int k = 0; k < 4; k++) {
        int row = m->parts.markers[k / 2 ? pair->b : pair->a].body, marker = in->marker[k % 2];
        in->couple[k] = marker < 0 ? -1 : couple_of(m, newest, row, m->parts.markers[marker].body);
    }
}

/* Finds which blocks the tangent matrices have. */
static bool index_couples(lmb_model *m)
{
    size_t pairs = (size_t)m->parts.pair_count, bodies = (size_t)m->body_count;
    size_t inputs = (size_t)m->input_count;
    int *newest = lmb_arena_alloc(m->arena, bodies, sizeof *newest);
    m->couples = lmb_arena_alloc(m->arena, 4 * (pairs + inputs) + bodies, sizeof *m->couples);
    m->pair_couples = lmb_arena_alloc(m->arena, pairs, sizeof *m->pair_couples);
    m->body_couple = lmb_arena_alloc(m->arena, bodies, sizeof *m->body_couple);
    if (!newest || !m->couples || !m->pair_couples || !m->body_couple)
        return false;
    for (int i = 0; i < m->body_count; i++)
        newest[i] = -1;
    for (int i = 0; i < m->body_count; i++)
        m->body_couple[i] = couple_of(m, newest, i, i);
    for (int p = 0; p < m->parts.pair_count; p++) {
        int ends[2] = {m->parts.markers[m->parts.pairs[p].a].body,
                       m->parts.markers[m->parts.pairs[p].b].body};
        for (int k = 0; k < 4; k++)
            m->pair_couples[p].at[k] = couple_of(m, newest, ends[k / 2], ends[k % 2]);
    }
    for (int f = 0; f < m->force_count; f++)
        for (int i = 0; i < m->forces[f].input_count; i++)
            index_input(m, newest, &m->forces[f], &m->inputs[m->forces[f].input + i]);
    return true;
}

/* A typical size: how far markers are from their bodies and bodies from each other. */
static double typical_length(const lmb_model *m)
{
    double length = 0;
    for (int i = 0; i < m->parts.marker_count; i++) {
        const lmb_marker *marker = &m->parts.markers[i];
        if (marker->body != 0)
            length = fmax(length, v3_norm(marker->local.p));
    }
    for (int i = 1; i < m->body_count; i++)
        if (length == 0)
            length = v3_norm(m->bodies[i].start.p);
    return length > 0 ? length : 1;
}

lmb_status lmb_model_index(lmb_model *m, lmb_context *context)
{
    m->nrows = m->parts.row_count;
    m->length = typical_length(m);
    index_bodies(m);
    size_t rows = (size_t)m->nrows, terms = (size_t)m->parts.term_count;
    m->sparse_rows = lmb_arena_alloc(m->arena, rows, sizeof *m->sparse_rows);
    m->blocks = lmb_arena_alloc(m->arena, 2 * terms, sizeof *m->blocks);
    m->term_blocks = lmb_arena_alloc(m->arena, terms, sizeof *m->term_blocks);
    if (!m->sparse_rows || !m->blocks || !m->term_blocks || !index_couples(m))
        return lmb_fail_memory(context);
    int block_count = 0;
    for (int r = 0; r < m->nrows; r++)
        index_row(m, r, &block_count);
    return LMB_OK;
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

void lmb_row_owner(const lmb_model *m, int row, int *joint, int *driver)
{
    *joint = *driver = -1;
    for (int i = 0; i < m->joint_count; i++)
        if (row >= m->joints[i].row && row < m->joints[i].row + m->joints[i].row_count)
            *joint = i;
    for (int i = 0; i < m->driver_count; i++)
        if (row == m->drivers[i].row)
            *driver = i;
}

void lmb_row_name(const lmb_model *m, int row, char *buffer, size_t size)
{
    int joint, driver;
    lmb_row_owner(m, row, &joint, &driver);
    if (joint >= 0)
        snprintf(buffer, size, "%s.%s", m->joints[joint].name, m->parts.rows[row].label);
    else
        snprintf(buffer, size, "%s.%s", driver >= 0 ? m->drivers[driver].name : "?",
                 m->parts.rows[row].label);
}

void lmb_column_name(const lmb_model *m, int column, char *buffer, size_t size)
{
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        if (column >= b->v && column < b->v + b->rigid_nv)
            snprintf(buffer, size, "%s.%s", b->name, b->ops->names[column - b->v]);
        else if (column >= b->v && column < b->v + b->nv)
            snprintf(buffer, size, "%s.mode%d", b->name, column - b->v - b->rigid_nv + 1);
    }
}

double lmb_column_size(const lmb_model *m, const lmb_body *b, int j)
{
    if (j >= b->rigid_nv)
        return b->modal->size[j - b->rigid_nv];
    return j < m->dimension ? 1 : m->length;
}

int lmb_find_column(const lmb_model *m, const char *name, char *nearest, size_t size)
{
    char column[128];
    lmb_nearest search = lmb_nearest_start(name);
    *nearest = 0;
    for (int j = 0; j < m->nv; j++) {
        lmb_column_name(m, j, column, sizeof column);
        if (strcmp(column, name) == 0)
            return j;
        search.best = NULL;
        lmb_nearest_try(&search, column);
        if (search.best)
            snprintf(nearest, size, "%s", column);
    }
    return -1;
}

int lmb_model_analysis_count(const lmb_model *model)
{
    return model->analysis_count;
}

const char *lmb_model_analysis_name(const lmb_model *model, int analysis)
{
    return model->analyses[analysis].name;
}

void lmb_model_free(lmb_model *model)
{
    if (model)
        lmb_arena_free(model->arena);
}
