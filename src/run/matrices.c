/* The matrices of the equations at an instant, full, with the names of rows and columns; and the
 * equations in independent coordinates. */
#include "run/matrices.h"

#include <string.h>

#include "analysis/embedded.h"
#include "analysis/mobility.h"
#include "base/text.h"
#include "model/state_file.h"
#include "run/run.h"

/* --- where ------------------------------------------------------------------------------------ */

/* At rest or as the drivers move it at the beginning, or in a given state, with what acts in an
 * analysis (-1: all). */
static lmb_status at_state(lmb_matrix_point *p, lmb_context *context, const lmb_model *m,
                           int analysis, const char *file)
{
    lmb_rank rank;
    lmb_status status = lmb_solver_new(&p->own, context, m);
    if (status)
        return status;
    lmb_solver *s = p->solver = p->own;
    if (analysis >= 0)
        lmb_switch_absent(s->state, &m->analyses[analysis].without);
    if (file) {
        status = lmb_state_load(s->state, context, file);
    } else if (!(status = lmb_assemble(s))) {
        lmb_solver_factor(s);
        lmb_solve_velocity(s);
    }
    if (!status && !(status = lmb_find_rank(s, &rank)))
        lmb_warn_redundant(s, &rank);
    return status;
}

/* Where the drivers have moved it by a time. */
static lmb_status at_time(lmb_matrix_point *p, lmb_context *context, const lmb_model *m, double t)
{
    lmb_status status = lmb_kinematics_new(&p->kinematics, context, m, t < 0 ? t : 0, false);
    if (status)
        return status;
    p->solver = p->kinematics->solver;
    return t > 0 ? lmb_kinematics_advance(p->kinematics, t) : LMB_OK;
}

/* Where an analysis begins, or where it has come to by a time. */
static lmb_status in_analysis(lmb_matrix_point *p, lmb_context *context, const lmb_model *m,
                              int analysis, const double *at)
{
    bool at_rest = m->analyses[analysis].kind->solve;
    lmb_status status = lmb_operating_point_find(&p->at, context, m, analysis, !at_rest, at);
    p->solver = p->at.solver;
    return status;
}

lmb_status lmb_matrix_point_find(lmb_matrix_point *p, lmb_context *context, const lmb_model *m,
                                 const lmb_matrices_options *options)
{
    const lmb_matrices_options none = {0}, *o = options ? options : &none;
    *p = (lmb_matrix_point){0};
    lmb_status status = lmb_need_mechanism(context, m);
    if (status)
        return status;
    int analysis = o->analysis ? lmb_run_find(context, m, o->analysis) : -1;
    if (o->analysis && analysis < 0)
        return LMB_BAD_INPUT;
    if (o->at && o->state)
        return lmb_fail(context, LMB_USAGE, "a state file has a time of its own");
    if (o->at && !isfinite(*o->at))
        return lmb_fail(context, LMB_USAGE, "the time or load factor is %g", *o->at);
    if (analysis >= 0 && !o->state)
        status = in_analysis(p, context, m, analysis, o->at);
    else
        status =
            o->at ? at_time(p, context, m, *o->at) : at_state(p, context, m, analysis, o->state);
    p->solved = !status && lmb_solve_augmented(p->solver);
    return status;
}

void lmb_matrix_point_free(lmb_matrix_point *p)
{
    lmb_operating_point_free(&p->at);
    lmb_kinematics_free(p->kinematics);
    lmb_solver_free(p->own);
    *p = (lmb_matrix_point){0};
}

/* --- all of the equations --------------------------------------------------------------------- */

static double *copy(lmb_arena *arena, const double *numbers, int count)
{
    double *out = lmb_arena_numbers(arena, (size_t)count + 1);
    if (out)
        memcpy(out, numbers, (size_t)count * sizeof *out);
    return out;
}

/* Phi_q as a full matrix by rows. */
static void full_jacobian(const lmb_state *s, double *J)
{
    const lmb_model *m = s->model;
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            memcpy(J + (size_t)r * (size_t)m->nv + block->v, s->jacobian + block->value,
                   (size_t)block->nv * sizeof *J);
        }
}

static lmb_status fill(lmb_matrices *o, lmb_context *context, lmb_state *state)
{
    const lmb_model *m = state->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    *o = (lmb_matrices){.time = state->t,
                        .positions = m->nq,
                        .coordinates = m->nv,
                        .constraints = m->nrows,
                        .arena = lmb_arena_new()};
    o->position_names = lmb_model_names(o->arena, m, m->nq, lmb_position_name);
    o->coordinate_names = lmb_model_names(o->arena, m, m->nv, lmb_column_name);
    o->constraint_names = lmb_model_names(o->arena, m, m->nrows, lmb_row_name);
    o->Phi = lmb_arena_numbers(o->arena, rows + 1);
    o->M = lmb_arena_numbers(o->arena, n * n + 1);
    o->Phi_q = lmb_arena_numbers(o->arena, rows * n + 1);
    o->gamma = lmb_arena_numbers(o->arena, rows + 1);
    o->Q = lmb_arena_numbers(o->arena, n + 1);
    o->q = copy(o->arena, state->q, m->nq);
    o->lambda = copy(o->arena, state->lambda, m->nrows);
    o->v = copy(o->arena, state->v, m->nv);
    o->a = copy(o->arena, state->a, m->nv);
    if (!lmb_arena_fine(o->arena))
        return lmb_fail_memory(context);
    lmb_mass_matrix(state, o->M);
    full_jacobian(state, o->Phi_q);
    lmb_constraints(state, o->Phi);
    lmb_acceleration_side(state, o->gamma);
    lmb_total_force(state, o->Q);
    return LMB_OK;
}

lmb_status lmb_matrices_find(lmb_matrices *out, lmb_context *context, const lmb_model *model,
                             const lmb_matrices_options *options)
{
    LMB_REQUIRE(context, out, model);
    lmb_matrix_point p;
    *out = (lmb_matrices){0};
    lmb_status status = lmb_matrix_point_find(&p, context, model, options);
    if (!status && !p.solved)
        status = lmb_fail(context, LMB_SOLVER,
                          "the augmented equations are singular: a body without mass can move "
                          "freely, or constraints repeat each other");
    if (!status)
        status = fill(out, context, p.solver->state);
    lmb_matrix_point_free(&p);
    if (status)
        lmb_matrices_free(out);
    return status;
}

void lmb_matrices_free(lmb_matrices *matrices)
{
    if (!matrices)
        return;
    lmb_arena_free(matrices->arena);
    *matrices = (lmb_matrices){0};
}

/* --- the embedded form ------------------------------------------------------------------------ */

/* Marks the named coordinates; an unknown one is reported. */
static lmb_status mark(lmb_context *context, const lmb_model *m, const char *const *names,
                       bool *marked)
{
    for (; names && *names; names++) {
        char nearest[128];
        int column = lmb_find_column(m, *names, nearest, sizeof nearest);
        if (column < 0)
            return lmb_fail_choice(
                context, "coordinate",
                &(lmb_nearest){.word = *names, .best = *nearest ? nearest : NULL},
                "`limber matrices` without --embedded prints all of their names");
        if (marked[column])
            return lmb_fail(context, LMB_USAGE, "coordinate '%s' is named twice", *names);
        marked[column] = true;
    }
    return LMB_OK;
}

static lmb_status embed(lmb_solver *s, const char *const *independent, lmb_embedded *out)
{
    const lmb_model *m = s->state->model;
    bool *marked = lmb_arena_alloc(s->arena, (size_t)m->nv + 1, sizeof *marked);
    lmb_status status =
        marked ? mark(s->context, m, independent, marked) : lmb_fail_memory(s->context);
    if (status || (status = lmb_embed(s, independent ? marked : NULL, out)))
        return status;
    if (!out->free)
        return lmb_fail(s->context, LMB_BAD_INPUT,
                        "nothing is free to move: there is no independent coordinate");
    out->time = s->state->t;
    out->names = lmb_model_names(out->arena, m, m->nv, lmb_column_name);
    return lmb_check_memory(s->context, out->arena);
}

lmb_status lmb_embedded_find(lmb_embedded *out, lmb_context *context, const lmb_model *model,
                             const lmb_matrices_options *options, const char *const *independent)
{
    LMB_REQUIRE(context, out, model);
    lmb_matrix_point p;
    *out = (lmb_embedded){0};
    lmb_status status = lmb_matrix_point_find(&p, context, model, options);
    if (!status) /* whether it is solved or not: friction alone needs the reactions */
        status = embed(p.solver, independent, out);
    lmb_matrix_point_free(&p);
    if (status)
        lmb_embedded_free(out);
    return status;
}
