/* The sparse equations of small motions, row by row. */
#include "analysis/sparse_motion.h"

#include <string.h>

#include "system/first_order.h"

/* --- rows and coordinates --------------------------------------------------------------------- */

/* The changes of a row by one coordinate in its three equations: `at` are their numbers, -1 for
 * none. A velocity coordinate moves accelerations as a position moves rates. */
static void add_row_column(lmb_sparse_motion *o, int r, int column, int position, int rate)
{
    lmb_variation *v = o->variation;
    int second = 2 * o->n + r;
    lmb_variation_unit(v, column, false);
    lmb_jet by_q = lmb_variation_row(v, r);
    lmb_variation_unit(v, column, true);
    lmb_jet by_v = lmb_variation_row(v, r);
    if (position >= 0)
        lmb_shifted_add(o->matrix, position, column, by_q.f, 0);
    if (rate >= 0) {
        lmb_shifted_add(o->matrix, rate, column, by_q.d, 0);
        lmb_shifted_add(o->matrix, rate, o->n + column, by_v.d, 0);
    }
    lmb_shifted_add(o->matrix, second, column, by_q.dd, 0);
    lmb_shifted_add(o->matrix, second, o->n + column, by_v.dd, 0);
    lmb_shifted_add(o->matrix, second, 2 * o->n + column, by_v.d, 0);
}

/* Rows, and their forces. */
static void add_rows(lmb_sparse_motion *o)
{
    const lmb_state *s = o->solver->state;
    const lmb_model *m = s->model;
    int position = 0, rate = o->n;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        int second = 2 * o->n + r, dl = lmb_sparse_dl(o) + r;
        if (s->row_off[r]) {
            lmb_shifted_add(o->matrix, second, dl, 1, 0);
            continue;
        }
        lmb_variation_near_row(o->variation, r);
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *b = &m->blocks[k];
            for (int j = 0; j < b->nv; j++) {
                int value = b->value + j;
                add_row_column(o, r, b->v + j, o->position_row[r] ? position : -1,
                               o->row[r] ? rate : -1);
                lmb_shifted_add(o->matrix, lmb_sparse_force(o) + b->v + j, dl,
                                s->jacobian[value] + s->tangent_lambda[value], 0);
            }
        }
        if (o->solver->epsilon > 0)
            lmb_shifted_add_regular(o->matrix, second, dl,
                                    -o->solver->epsilon / (row->scale * row->scale));
        position += o->position_row[r];
        rate += o->row[r];
    }
}

/* The equations of y and u. */
static void add_coordinates(lmb_sparse_motion *o, int *columns)
{
    lmb_variation *v = o->variation;
    int next = 0;
    for (int i = 0; i < o->positions; i++) {
        const lmb_motion_coordinate *one = &o->all.list[o->coordinate[i]];
        int count = lmb_motion_coordinate_columns(&o->all, one, v, columns);
        int y = o->n - o->positions + i, u = 2 * o->n - o->speeds + next;
        bool has_rate = next < o->speeds && o->rate[next] == i;
        for (int k = 0; k < count; k++) {
            int column = columns[k];
            lmb_variation_unit(v, column, false);
            lmb_jet by_q = lmb_motion_coordinate_change(&o->all, one, v);
            lmb_variation_unit(v, column, true);
            lmb_jet by_v = lmb_motion_coordinate_change(&o->all, one, v);
            lmb_shifted_add(o->matrix, y, column, by_q.d, by_q.f);
            lmb_shifted_add(o->matrix, y, o->n + column, by_v.d, 0);
            if (!has_rate)
                continue;
            lmb_shifted_add(o->matrix, u, column, by_q.dd, by_q.d);
            lmb_shifted_add(o->matrix, u, o->n + column, by_v.dd, by_v.d);
            lmb_shifted_add(o->matrix, u, 2 * o->n + column, by_v.d, 0);
        }
        next += has_rate;
    }
}

/* --- equations of motion ---------------------------------------------------------------------- */

/* M, K and C. */
static void add_motion(lmb_sparse_motion *o)
{
    lmb_solver *solver = o->solver;
    const lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    int first = lmb_sparse_force(o);
    lmb_mass_blocks(s, solver->mass);
    for (int c = 0; c < m->cluster_count; c++) {
        const lmb_cluster *k = &m->clusters[c];
        for (int j = 0; j < k->nv; j++)
            for (int i = 0; i < k->nv; i++)
                lmb_shifted_add(o->matrix, first + k->v + i, lmb_sparse_da(o) + k->v + j,
                                solver->mass[k->mass + j * k->nv + i], 0);
    }
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *k = &m->couples[c];
        for (int j = 0; j < k->column_nv; j++)
            for (int i = 0; i < k->row_nv; i++) {
                int value = k->value + j * k->row_nv + i, row = first + k->row_v + i;
                lmb_shifted_add(o->matrix, row, k->column_v + j, s->tangent_q[value], 0);
                lmb_shifted_add(o->matrix, row, o->n + k->column_v + j, s->tangent_v[value], 0);
            }
    }
}

/* First-order states, and their forces. */
static void add_states(lmb_sparse_motion *o)
{
    const lmb_state *s = o->solver->state;
    int row = 3 * o->n + o->rows, dz = lmb_sparse_dz(o);
    for (int i = 0; o->nz && i < s->model->body_count; i++) {
        const lmb_body *b = &s->model->bodies[i];
        if (b->nz == 0)
            continue;
        lmb_first_order_tangent t = lmb_first_order_tangent_of(s, i);
        for (int a = b->z; a < b->z + b->nz; a++) {
            for (int j = 0; j < b->nv; j++) {
                int at = j * b->nz + a - b->z;
                lmb_shifted_add(o->matrix, row + a, b->v + j, t.by_q[at], 0);
                lmb_shifted_add(o->matrix, row + a, o->n + b->v + j, t.by_v[at], 0);
                lmb_shifted_add(o->matrix, lmb_sparse_force(o) + b->v + j, dz + a,
                                -t.force_by_z[(a - b->z) * b->nv + j], 0);
            }
            for (int k = b->z; k < b->z + b->nz; k++)
                lmb_shifted_add(o->matrix, row + a, dz + k, t.by_z[(k - b->z) * b->nz + a - b->z],
                                a == k);
        }
    }
}

/* --- life ------------------------------------------------------------------------------------- */

static lmb_status assemble(lmb_sparse_motion *o)
{
    lmb_solver *s = o->solver;
    int *columns = lmb_arena_integers(o->arena, 2 * (size_t)s->state->model->largest_nv + 16);
    o->motion = lmb_arena_alloc(o->arena, (size_t)o->positions + 1, sizeof *o->motion);
    o->matrix = lmb_shifted_new(o->size);
    if (!o->matrix || !lmb_arena_fine(o->arena))
        return lmb_fail_memory(s->context);
    for (int i = 0; i < o->positions; i++)
        o->motion[i] =
            lmb_motion_coordinate_rate(&o->all, &o->all.list[o->coordinate[i]], o->variation);
    lmb_tangent_blocks(s->state);
    add_rows(o);
    add_coordinates(o, columns);
    add_motion(o);
    add_states(o);
    return lmb_shifted_finish(o->matrix) ? LMB_OK : lmb_fail_memory(s->context);
}

lmb_status lmb_sparse_motion_new(lmb_sparse_motion **out, lmb_solver *s, int observer,
                                 const lmb_chosen_coordinates *given)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    lmb_arena *arena;
    lmb_sparse_motion *o = lmb_arena_object(&arena, sizeof *o);
    *out = NULL;
    if (!o)
        return lmb_fail_memory(s->context);
    *o = (lmb_sparse_motion){.solver = s,
                             .n = m->nv,
                             .rows = m->nrows,
                             .nz = m->nz,
                             .size = 3 * m->nv + m->nrows + m->nz,
                             .coordinate = lmb_arena_integers(arena, n + 1),
                             .rate = lmb_arena_integers(arena, n + 1),
                             .position_row = lmb_arena_alloc(arena, rows + 1, sizeof(bool)),
                             .row = lmb_arena_alloc(arena, rows + 1, sizeof(bool)),
                             .variation = lmb_variation_new(arena, s->state),
                             .arena = arena};
    lmb_status status = LMB_OK;
    if (!lmb_arena_fine(arena) || !o->variation ||
        !lmb_motion_coordinates_find(&o->all, arena, s->state, observer))
        status = lmb_fail_memory(s->context);
    if (!status) {
        lmb_variation_start(o->variation);
        lmb_jacobian(s->state);
        status = lmb_sparse_motion_choose(o, given);
    }
    if (!status)
        status = assemble(o);
    if (status)
        lmb_sparse_motion_free(o);
    else
        *out = o;
    return status;
}

void lmb_sparse_motion_free(lmb_sparse_motion *o)
{
    if (!o)
        return;
    lmb_shifted_free(o->matrix);
    lmb_arena_free(o->arena);
}
