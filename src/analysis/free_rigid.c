/* The choice of free coordinates, by Gram-Schmidt over the coordinates of the leading nodes. */
#include "analysis/free_rigid.h"

#include <string.h>

#include "math/late.h"
#include "system/whole.h"

typedef struct choice {
    const lmb_solver *solver;
    int *place;    /* nv: among the coordinates of leading nodes; -1: of modes and followers */
    int size;      /* how many these are */
    double *basis; /* size x size, orthonormal: rows of joints, then chosen coordinates */
    int rank;
    double *row, *whole; /* nv each: a gradient, and that of wholes */
    lmb_given *given;
    int count;
} choice;

/* Adds the part of the gradient in `row` that is outside of those so far; false if there is next to
 * none. */
static bool extend(choice *c)
{
    const double negligible = 1e-8; /* as where ranks are found */
    const lmb_state *s = c->solver->state;
    const lmb_model *m = s->model;
    if (c->rank == c->size)
        return false;
    double *own = c->basis + (size_t)c->rank * (size_t)c->size;
    memset(c->whole, 0, (size_t)m->nv * sizeof *c->whole);
    lmb_whole_reduce(s, c->row, c->whole);
    for (int j = 0; j < m->nv; j++)
        if (c->place[j] >= 0)
            own[c->place[j]] = c->whole[j] / m->columns[j].size;
    double size = cblas_dnrm2(c->size, own, 1);
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int k = 0; k < c->rank; k++) {
            const double *other = c->basis + (size_t)k * (size_t)c->size;
            cblas_daxpy(c->size, -cblas_ddot(c->size, own, 1, other, 1), other, 1, own, 1);
        }
    double left = cblas_dnrm2(c->size, own, 1);
    if (!(left > negligible * size))
        return false;
    cblas_dscal(c->size, 1 / left, own, 1);
    c->rank++;
    return true;
}

/* Takes a coordinate if nothing before determines it. */
static void consider(choice *c, lmb_given g)
{
    lmb_given_gradient(c->solver->state, &g, c->row);
    if (extend(c))
        c->given[c->count++] = g;
}

static void choose(choice *c)
{
    const lmb_state *s = c->solver->state;
    const lmb_model *m = s->model;
    for (int r = 0; r < m->nrows; r++) {
        memset(c->row, 0, (size_t)m->nv * sizeof *c->row);
        for (int k = 0; k < m->sparse_rows[r].block_count && !s->row_off[r]; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            memcpy(c->row + b->v, s->jacobian + b->value, (size_t)b->nv * sizeof(double));
        }
        extend(c);
    }
    for (int i = 0; i < m->joint_count; i++) {
        const lmb_joint *joint = &m->joints[i];
        bool acts = joint->row_count > 0 && !s->row_off[joint->row];
        for (int k = 0; acts && k < joint->coordinate_count; k++) {
            int at = joint->coordinate + k;
            double rate = lmb_coordinate_rate(s, &m->parts.coordinates[at]);
            consider(c, (lmb_given){.column = -1, .coordinate = at, .value = rate});
        }
    }
    for (int j = 0; j < m->nv; j++)
        if (c->place[j] >= 0)
            consider(c, (lmb_given){.column = j, .coordinate = -1, .value = s->v[j]});
}

lmb_status lmb_free_rigid(lmb_solver *solver, lmb_arena *arena, lmb_given **out, int *count)
{
    const lmb_model *m = solver->state->model;
    lmb_arena *room = lmb_arena_new();
    choice c = {.solver = solver,
                .place = lmb_arena_integers(room, (size_t)m->nv + 1),
                .row = lmb_arena_numbers(room, (size_t)m->nv + 1),
                .whole = lmb_arena_numbers(room, (size_t)m->nv + 1)};
    for (int j = 0; j < m->nv && lmb_arena_fine(room); j++) {
        int node = (int)(lmb_column_node(m, j) - m->nodes);
        bool leads = lmb_whole_leader(m, node) == node && !solver->modal[j];
        c.place[j] = leads ? c.size++ : -1;
    }
    c.basis = lmb_arena_numbers(room, (size_t)c.size * (size_t)c.size + 1);
    c.given = lmb_arena_alloc(arena, (size_t)c.size + 1, sizeof *c.given);
    bool fine = lmb_arena_fine(room) && lmb_arena_fine(arena);
    if (fine)
        choose(&c);
    lmb_arena_free(room);
    *out = c.given;
    *count = c.count;
    return fine ? LMB_OK : lmb_fail_memory(solver->context);
}
