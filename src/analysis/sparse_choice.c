/* The choice of independent coordinates of a large model, by elimination (math/echelon.h): after
 * the rows of the constraints, scaled, the coordinates are taken in the order of preference as long
 * as they differ from what is taken before. */
#include <string.h>

#include "analysis/sparse_motion.h"

/* Rows that differ by less from others repeat them. */
static const double negligible = 1e-9;

typedef struct choice {
    lmb_sparse_motion *motion;
    lmb_arena *arena;
    lmb_echelon *echelon;
    lmb_sparse_rows candidates; /* all.count rows: c_q, scaled */
    int *order;                 /* of preference */
    bool *taken;                /* all.count */
} choice;

/* The scaled c_q of all coordinates; false: out of memory. */
static bool find_candidates(choice *c)
{
    const lmb_sparse_motion *o = c->motion;
    const lmb_model *m = o->solver->state->model;
    lmb_sparse_rows *x = &c->candidates;
    int *columns = lmb_arena_integers(c->arena, 2 * (size_t)m->largest_nv + 16);
    size_t used = 0, room = 0;
    *x = (lmb_sparse_rows){o->all.count, o->n,
                           lmb_arena_integers(c->arena, (size_t)o->all.count + 1), NULL, NULL};
    for (int i = 0; lmb_arena_fine(c->arena) && i < o->all.count; i++) {
        const lmb_motion_coordinate *one = &o->all.list[i];
        int count = lmb_motion_coordinate_columns(&o->all, one, o->variation, columns);
        if (used + (size_t)count > room) {
            room = 2 * (used + (size_t)count) + 1000;
            x->column = lmb_arena_grow(c->arena, x->column, used, room, sizeof *x->column);
            x->value = lmb_arena_grow(c->arena, x->value, used, room, sizeof *x->value);
        }
        for (int k = 0; lmb_arena_fine(c->arena) && k < count; k++) {
            lmb_variation_unit(o->variation, columns[k], false);
            double change = lmb_motion_coordinate_change(&o->all, one, o->variation).f;
            x->column[used] = columns[k];
            x->value[used++] = change * one->size / m->columns[columns[k]].size;
        }
        x->start[i + 1] = (int)used;
    }
    return lmb_arena_fine(c->arena);
}

/* Eliminates the rows, or those of the position level alone, and marks the independent ones.
 * Returns how many, -1: out of memory. */
static int eliminate_rows(choice *c, bool positions, bool *independent)
{
    const lmb_sparse_motion *o = c->motion;
    const lmb_model *m = o->solver->state->model;
    lmb_sparse_rows rows = lmb_sparse_jacobian(o->solver, c->arena, NULL);
    int *pivot = lmb_arena_integers(c->arena, (size_t)m->nrows + 1);
    c->echelon = lmb_echelon_new(c->arena, m->nv);
    if (!lmb_arena_fine(c->arena) || !c->echelon)
        return -1;
    for (int r = 0; positions && r < m->nrows; r++)
        for (int k = rows.start[r]; m->parts.rows[r].velocity_level && k < rows.start[r + 1]; k++)
            rows.value[k] = 0;
    int rank = lmb_echelon_add_all(c->echelon, &rows, negligible, pivot);
    for (int r = 0; rank >= 0 && r < m->nrows; r++)
        independent[r] = pivot[r] >= 0;
    lmb_echelon_measure_from_here(c->echelon);
    return rank;
}

/* Takes `wanted` coordinates of those that are not left out; false: there are not so many, or out
 * of memory. */
static bool take(choice *c, int wanted, const bool *left_out)
{
    int count = c->motion->all.count, found = 0;
    memset(c->taken, 0, (size_t)count * sizeof *c->taken);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count && found < wanted; i++) {
            int one = c->order[i], pivot;
            if (c->taken[one] || (left_out && left_out[one]))
                continue;
            if (!lmb_echelon_add(c->echelon, &c->candidates, one,
                                 pass ? lmb_coordinates_at_all : lmb_coordinates_distinct, &pivot))
                return false;
            c->taken[one] = pivot >= 0;
            found += pivot >= 0;
        }
    return found == wanted;
}

static lmb_status fail_choice(const choice *c)
{
    if (!lmb_arena_fine(c->arena))
        return lmb_fail_memory(c->motion->solver->context);
    return lmb_fail(c->motion->solver->context, LMB_SOLVER,
                    "the coordinates of joints, modes and bodies do not determine the motion here");
}

/* y: as many as rows of the position level leave free. */
static lmb_status choose_positions(choice *c, const lmb_chosen_coordinates *given)
{
    lmb_sparse_motion *o = c->motion;
    int rank = eliminate_rows(c, true, o->position_row);
    o->positions = o->n - rank;
    if (rank < 0 || (given && given->positions != o->positions))
        return fail_choice(c);
    if (given) {
        memcpy(o->coordinate, given->coordinate, (size_t)o->positions * sizeof *o->coordinate);
        return LMB_OK;
    }
    if (!take(c, o->positions, NULL))
        return fail_choice(c);
    for (int i = 0, k = 0; i < o->all.count; i++)
        if (c->taken[i])
            o->coordinate[k++] = i;
    return LMB_OK;
}

/* u: all of them, or fewer of them where rows are of the velocity level. */
static lmb_status choose_rates(choice *c, const lmb_chosen_coordinates *given)
{
    lmb_sparse_motion *o = c->motion;
    int rank = eliminate_rows(c, false, o->row);
    o->speeds = o->n - rank;
    if (rank < 0 || o->speeds > o->positions || (given && given->speeds != o->speeds))
        return fail_choice(c);
    bool *left_out = lmb_arena_alloc(c->arena, (size_t)o->all.count + 1, sizeof *left_out);
    bool all = o->speeds == o->positions;
    for (int i = 0; left_out && i < o->all.count; i++)
        left_out[i] = true;
    for (int i = 0; left_out && i < o->positions; i++)
        left_out[o->coordinate[i]] = false;
    if (!left_out || (!given && !all && !take(c, o->speeds, left_out)))
        return fail_choice(c);
    for (int i = 0, k = 0; i < o->positions && k < o->speeds; i++)
        if (given || all || c->taken[o->coordinate[i]]) {
            o->rate[k] = given ? given->rate[k] : i;
            k++;
        }
    return LMB_OK;
}

lmb_status lmb_sparse_motion_choose(lmb_sparse_motion *o, const lmb_chosen_coordinates *given)
{
    choice c = {.motion = o, .arena = lmb_arena_new()};
    c.order = lmb_arena_integers(c.arena, (size_t)o->all.count + 1);
    c.taken = lmb_arena_alloc(c.arena, (size_t)o->all.count + 1, sizeof *c.taken);
    lmb_status status = lmb_check_memory(o->solver->context, c.arena);
    if (!status)
        lmb_motion_coordinates_order(&o->all, c.order);
    if (!status && !given && !find_candidates(&c))
        status = lmb_fail_memory(o->solver->context);
    if (!status)
        status = choose_positions(&c, given);
    if (!status)
        status = choose_rates(&c, given);
    lmb_arena_free(c.arena);
    return status;
}
