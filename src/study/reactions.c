/* Reactions that are not unique. Where rows are redundant, multipliers y with Phi_q^T y = 0 do
 * nothing to the motion. What the program reports has no such part, or nearly none, and linearised
 * steps find the same of its change; but the directions y turn with the mechanism, and what that
 * does to the reactions is not in their equations. So nothing that depends on them has a gradient
 * by linearised steps:
 *
 *   y      any multipliers,
 *   M x + Phi_q^T y_1 = Phi_q^T y,  Phi_q x = 0    those of the least norm with the same forces,
 *   g(lambda + y - y_1) = g(lambda)                must hold */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/gradient_internal.h"
#include "system/saddle.h"

/* y becomes y - y_1; false: out of memory, or the equations are singular. */
static bool keep_idle(lmb_state *s, double epsilon, double *y)
{
    const lmb_model *m = s->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows, masses = (size_t)m->mass_count;
    double *room = lmb_calloc(2 * nv + rows + masses + 1, sizeof *room);
    lmb_saddle *saddle = lmb_saddle_new(m, LMB_SADDLE_MASS, (lmb_saddle_choice){0});
    bool fine = room && saddle;
    if (fine) {
        double *x = room + nv, *active = x + nv, *mass = active + rows;
        lmb_mass_blocks(s, mass);
        lmb_jacobian(s);
        lmb_saddle_matrix matrix = {.state = s, .mass = mass, .mass_factor = 1, .epsilon = epsilon};
        fine = lmb_saddle_factor(saddle, &matrix);
        lmb_jacobian_transposed_subtract(s, y, room);
        if (fine)
            lmb_saddle_solve(saddle, room, NULL, x, active);
        for (size_t r = 0; r < rows && fine; r++)
            y[r] += active[r];
    }
    lmb_saddle_free(saddle);
    free(room);
    return fine;
}

/* Objectives, then reactions that forces depend on, then powers. */
static void evaluate(const lmb_gradient_task *k, lmb_channels *channels, const lmb_state *s,
                     double *out)
{
    const lmb_model *m = k->model;
    memcpy(out, lmb_channels_objectives(channels, s), (size_t)k->count * sizeof *out);
    for (int i = 0; i < m->input_count; i++)
        out[k->count + i] =
            m->inputs[i].kind == LMB_INPUT_REACTION ? lmb_input_value(s, &m->inputs[i]) : 0;
    lmb_powers(s, out + k->count + m->input_count);
}

/* What moves with the multipliers y (rows), added to those of the state. */
static void evaluate_at(const lmb_gradient_task *k, lmb_channels *channels, const lmb_state *at,
                        lmb_state *room, const double *y, double *out)
{
    for (int r = 0; r < k->model->nrows; r++)
        room->lambda[r] = at->lambda[r] + (y ? y[r] : 0);
    evaluate(k, channels, room, out);
}

static lmb_status refuse(const lmb_gradient_task *k, const char *what, const char *name)
{
    *k->not_unique = true;
    lmb_fail(k->context, LMB_SOLVER,
             "%s '%s' depends on reactions that redundant constraints share, which linearised "
             "steps do not follow",
             what, name);
    return lmb_hint(k->context, "take --method differences, or remove the redundant constraints");
}

/* Whether any of some numbers moves with y - y_1 as it does with y. */
static bool moves(const double *still, const double *all, const double *idle, int count)
{
    const double rounding = 1e-6;
    for (int i = 0; i < count; i++)
        if (fabs(idle[i] - still[i]) > rounding * fabs(all[i] - still[i]))
            return true;
    return false;
}

/* Says what moves; three rows of numbers as `evaluate` has them. */
static lmb_status judge(const lmb_gradient_task *k, const double *still, const double *all,
                        const double *idle)
{
    const lmb_model *m = k->model;
    int powers = k->count + m->input_count;
    bool works = moves(still + powers, all + powers, idle + powers, LMB_WORK_COUNT);
    for (int f = 0; f < m->force_count; f++) {
        int at = k->count + m->forces[f].input;
        if (moves(still + at, all + at, idle + at, m->forces[f].input_count))
            return refuse(k, "force", m->forces[f].name);
    }
    for (int i = 0; i < k->count; i++) {
        const lmb_objective *o = &m->objectives[k->objectives[i]];
        if (moves(still + i, all + i, idle + i, 1) ||
            (works && lmb_objective_needs_work(k->model, o)))
            return refuse(k, "objective", o->name);
    }
    return LMB_OK;
}

lmb_status lmb_task_check_reactions(const lmb_gradient_task *k, lmb_channels *channels,
                                    const lmb_state *state, double epsilon)
{
    const lmb_model *m = k->model;
    size_t rows = (size_t)m->nrows, count = (size_t)(k->count + m->input_count) + LMB_WORK_COUNT;
    double *y = lmb_calloc(rows + 3 * count + 1, sizeof *y), size = m->heaviest;
    lmb_state *room = lmb_state_new(m);
    if (!y || !room) {
        free(y);
        lmb_state_free(room);
        return lmb_fail_memory(k->context);
    }
    double *still = y + rows, *all = still + count, *idle = all + count;
    lmb_state_copy(room, state);
    lmb_update(room, state->t);
    for (size_t r = 0; r < rows; r++)
        size = fmax(size, m->sparse_rows[r].scale > 0
                              ? fabs(state->lambda[r]) / m->sparse_rows[r].scale
                              : 0);
    for (size_t r = 0; r < rows; r++)
        y[r] = state->row_off[r] ? 0 : m->sparse_rows[r].scale * size * sin(1 + 1.7 * (double)r);
    evaluate_at(k, channels, state, room, NULL, still);
    evaluate_at(k, channels, state, room, y, all);
    bool found = keep_idle(room, epsilon, y);
    evaluate_at(k, channels, state, room, y, idle);
    lmb_status status = found ? judge(k, still, all, idle) : LMB_OK;
    lmb_state_free(room);
    free(y);
    return status;
}
