/* A position near by that the joints allow, drivers left out: the displacement
 *
 *   n = d - W^-1 Phi_q^T (Phi_q W^-1 Phi_q^T)^+ Phi_q d
 *
 * is that of a random one, d, which the rows of the joints leave free; q (+) n is then closed by
 * Newton's method. At a branch point rows depend on each other that are independent beside it. */
#include "analysis/mobility.h"

#include <string.h>

/* How far away, in lengths of the model or radians: far enough for rows to be told apart, and near
 * enough for Newton's method. */
static const double away = 1e-2;

/* Switches the drivers off, those that act, or these on again. */
static void release_drivers(lmb_state *s, bool *acting)
{
    for (int i = 0; i < s->model->driver_count; i++) {
        acting[i] = !s->row_off[s->model->drivers[i].row];
        lmb_switch_driver(s, i, false);
    }
}

static void hold_drivers(lmb_state *s, const bool *acting)
{
    for (int i = 0; i < s->model->driver_count; i++)
        lmb_switch_driver(s, i, acting[i]);
}

/* The displacement n in s->step, of length `away`; false if the joints leave nothing free. */
static bool find_free_step(lmb_solver *s, double *d, unsigned random)
{
    const lmb_model *m = s->state->model;
    for (int j = 0; j < m->nv; j++) {
        random = random * 1103515245u + 12345u;
        d[j] = s->modal[j] ? 0 : ((random >> 16 & 0xffff) / 32768.0 - 1) / m->columns[j].size;
    }
    double size = lmb_step_size(s, d);
    if (!lmb_solver_factor_with(s, s->metric, s->epsilon))
        return false;
    lmb_jacobian_times(s->state, d, s->side);
    lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
    for (int j = 0; j < m->nv; j++)
        s->step[j] = d[j] - s->step[j];
    double left = lmb_step_size(s, s->step);
    for (int j = 0; j < m->nv; j++)
        s->step[j] *= away * m->length / left;
    return left > 1e-6 * size;
}

bool lmb_move_beside(lmb_solver *s, unsigned random)
{
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    lmb_arena *arena = lmb_arena_new();
    bool *acting = lmb_arena_alloc(arena, (size_t)m->driver_count + 1, sizeof *acting);
    double *from = lmb_arena_numbers(arena, m->nq), *d = lmb_arena_numbers(arena, m->nv);
    double *lambda = lmb_arena_numbers(arena, m->nrows);
    bool moved = false;
    if (lmb_arena_fine(arena)) {
        memcpy(from, state->q, (size_t)m->nq * sizeof *from);
        memcpy(lambda, state->lambda, (size_t)m->nrows * sizeof *lambda);
        release_drivers(state, acting);
        if (find_free_step(s, d, random)) {
            lmb_retract(state, from, s->step);
            moved = lmb_solve_position(s);
        }
        hold_drivers(state, acting);
        memcpy(state->lambda, lambda, (size_t)m->nrows * sizeof *lambda);
    }
    lmb_arena_free(arena);
    return moved;
}
