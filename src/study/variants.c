/* Neighbouring motions. */
#include "study/variants.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"

/* --- life ------------------------------------------------------------------------------------- */

static lmb_status begin_motion(lmb_variants *v, int i, const lmb_model *m)
{
    const lmb_gradient_task *k = v->task;
    lmb_state *initial;
    lmb_status status = lmb_task_initial(k, m, &initial, &v->rooms[i]);
    if (!status)
        status = lmb_dynamics_from(&v->motions[i], k->context, initial,
                                   &m->analyses[k->analysis].integration);
    if (!status)
        status = lmb_task_channels(k, m, &v->channels[i]);
    lmb_state_free(initial);
    return status;
}

lmb_status lmb_variants_new(lmb_variants **out, const lmb_gradient_task *k)
{
    const lmb_model *m = k->model;
    size_t count = (size_t)k->parameter_count * LMB_NEIGHBOURS;
    lmb_arena *arena;
    lmb_variants *v = lmb_arena_object(&arena, sizeof *v);
    *out = v;
    if (!v)
        return lmb_fail_memory(k->context);
    v->task = k;
    v->arena = arena;
    v->number_count =
        LMB_CHANGE_PARTS * (size_t)m->nv + (size_t)m->nrows + (size_t)k->count + LMB_WORK_COUNT;
    v->motions = lmb_arena_alloc(arena, count, sizeof(lmb_dynamics *));
    v->channels = lmb_arena_alloc(arena, count, sizeof(lmb_channels *));
    v->rooms = lmb_arena_alloc(arena, count, sizeof(lmb_arena *));
    v->numbers = lmb_arena_numbers(arena, LMB_NEIGHBOURS * v->number_count);
    v->step = lmb_arena_numbers(arena, (size_t)m->nv);
    v->scales = lmb_arena_numbers(arena, 3 * (size_t)m->nv + (size_t)m->nrows);
    v->moved = lmb_state_new(m);
    if (!v->moved)
        return lmb_fail_memory(k->context);
    lmb_status status = lmb_check_memory(k->context, arena);
    size_t messages = lmb_message_count(k->context);
    for (int p = 0; p < k->parameter_count && !status; p++)
        for (int i = 0; i < LMB_NEIGHBOURS && !status; i++)
            status = begin_motion(v, p * LMB_NEIGHBOURS + i, k->parameters[p].models[i]);
    if (!status)
        lmb_messages_forget(k->context, messages); /* the neighbours say the same */
    return status;
}

void lmb_variants_free(lmb_variants *v)
{
    if (!v)
        return;
    for (int i = 0; v->rooms && i < v->task->parameter_count * LMB_NEIGHBOURS; i++) {
        lmb_channels_free(v->channels[i]);
        lmb_dynamics_free(v->motions[i]);
        lmb_arena_free(v->rooms[i]);
    }
    lmb_state_free(v->moved);
    lmb_arena_free(v->arena);
}

/* Slopes of the first `count` numbers of the four rows of room. */
static void find_slopes(const lmb_variants *v, int p, size_t count, double *out)
{
    for (size_t j = 0; j < count; j++) {
        double f[LMB_NEIGHBOURS];
        for (size_t i = 0; i < LMB_NEIGHBOURS; i++)
            f[i] = v->numbers[i * v->number_count + j];
        out[j] = lmb_neighbours_slope(v->task->parameters[p].d, f);
    }
}

static lmb_state *state_of(const lmb_variants *v, int p, int i)
{
    return v->motions[p * LMB_NEIGHBOURS + i]->solver->state;
}

/* --- beginnings ------------------------------------------------------------------------------- */

void lmb_variants_first(lmb_variants *v, int p, double *out)
{
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        const double *g =
            lmb_channels_objectives(v->channels[p * LMB_NEIGHBOURS + i], state_of(v, p, i));
        memcpy(v->numbers + (size_t)i * v->number_count, g, (size_t)v->task->count * sizeof *g);
    }
    find_slopes(v, p, (size_t)v->task->count, out);
}

/* How a motion differs from a state with algorithmic accelerations: numbers of a change, then those
 * of lambda. */
static void find_difference(const lmb_state *base, const double *alpha, const lmb_motion *m,
                            double *out)
{
    const lmb_model *model = base->model;
    const lmb_state *s = m->solver->state;
    size_t nv = (size_t)model->nv;
    const double *own = lmb_alpha_accelerations(m->method);
    double *lambda = out + LMB_CHANGE_PARTS * nv;
    lmb_difference(model, base->q, s->q, out + LMB_CHANGE_Q * nv);
    for (size_t j = 0; j < nv; j++) {
        out[LMB_CHANGE_V * nv + j] = s->v[j] - base->v[j];
        out[LMB_CHANGE_A * nv + j] = s->a[j] - base->a[j];
        out[LMB_CHANGE_ALPHA * nv + j] = own[j] - alpha[j];
    }
    for (int r = 0; r < model->nrows; r++)
        lambda[r] = s->lambda[r] - base->lambda[r];
}

/* The change of the motions with parameter p. */
static void find_change(lmb_variants *v, int p, const lmb_state *base, const double *alpha,
                        lmb_motion_change *change)
{
    const lmb_model *model = base->model;
    size_t parts = LMB_CHANGE_PARTS * (size_t)model->nv;
    for (int i = 0; i < LMB_NEIGHBOURS; i++)
        find_difference(base, alpha, v->motions[p * LMB_NEIGHBOURS + i]->motion,
                        v->numbers + (size_t)i * v->number_count);
    find_slopes(v, p, parts, change->x);
    for (size_t i = 0; i < LMB_NEIGHBOURS; i++) /* then those of lambda */
        memmove(v->numbers + i * v->number_count, v->numbers + i * v->number_count + parts,
                (size_t)model->nrows * sizeof *v->numbers);
    find_slopes(v, p, (size_t)model->nrows, change->lambda);
}

void lmb_variants_start(lmb_variants *v, const lmb_motion *motion, double h,
                        lmb_motion_change *changes)
{
    for (int p = 0; p < v->task->parameter_count; p++) {
        for (int i = 0; i < LMB_NEIGHBOURS; i++)
            lmb_alpha_motion_start(v->motions[p * LMB_NEIGHBOURS + i]->motion, h);
        find_change(v, p, motion->solver->state, lmb_alpha_accelerations(motion->method),
                    &changes[p]);
    }
}

/* --- at a state ------------------------------------------------------------------------------- */

/* Moves a variant to a state of the motion, or to one moved from there by s times a change (NULL:
 * none). Its laws stay its own. */
static void move(lmb_variants *v, lmb_state *to, const lmb_state *from,
                 const lmb_motion_change *change, double s)
{
    const lmb_model *m = from->model;
    size_t nv = (size_t)m->nv;
    memcpy(to->turn, from->turn, (size_t)m->parts.turn_count * sizeof *to->turn);
    for (int k = 0; k < LMB_WORK_COUNT; k++)
        to->work[k] = from->work[k] + (change ? s * change->work[k] : 0);
    if (!change) {
        memcpy(to->q, from->q, lmb_motion_numbers(m) * sizeof *to->q);
    } else {
        for (size_t j = 0; j < nv; j++) {
            v->step[j] = s * change->x[LMB_CHANGE_Q * nv + j];
            to->v[j] = from->v[j] + s * change->x[LMB_CHANGE_V * nv + j];
            to->a[j] = from->a[j] + s * change->x[LMB_CHANGE_A * nv + j];
        }
        for (int r = 0; r < m->nrows; r++)
            to->lambda[r] = from->lambda[r] + s * change->lambda[r];
        lmb_retract(to, from->q, v->step);
    }
    lmb_update_position(to);
    lmb_update_velocity(to);
}

void lmb_residual(const lmb_state *s, double *out)
{
    const lmb_model *m = s->model;
    double *rows = out + m->nv;
    lmb_total_force(s, out);
    lmb_reactions_subtract(s, s->lambda, out);
    for (int i = 0; i < m->nv; i++)
        out[i] = -out[i];
    lmb_constraints(s, rows);
    for (int r = 0; r < m->nrows; r++)
        if (m->parts.rows[r].velocity_level)
            rows[r] = lmb_row_rate(s, r) / m->sparse_rows[r].scale;
}

void lmb_variants_load(lmb_variants *v, int p, const lmb_state *state, double *load)
{
    const lmb_model *m = state->model;
    size_t nv = (size_t)m->nv, count = nv + (size_t)m->nrows;
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        lmb_state *s = state_of(v, p, i);
        double *out = v->numbers + (size_t)i * v->number_count;
        lmb_set_time(s, state->t);
        move(v, s, state, NULL, 0);
        lmb_residual(s, out);
        lmb_mass_times(s, s->a, v->step);
        for (size_t j = 0; j < nv; j++)
            out[j] += v->step[j];
    }
    find_slopes(v, p, count, load);
}

void lmb_variants_change_load(lmb_variants *v, int p, const lmb_state *state,
                              const lmb_alpha_change *change, double *load)
{
    size_t count = (size_t)state->model->nv + (size_t)state->model->nrows;
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        lmb_state *s = state_of(v, p, i);
        lmb_set_time(s, state->t);
        move(v, s, state, NULL, 0);
        lmb_alpha_change_residual(change, s, v->numbers + (size_t)i * v->number_count);
    }
    find_slopes(v, p, count, load);
}

/* The same of powers, of one neighbour after the other. */
static void find_power_slopes(const lmb_variants *v, int p, const double *all, double *out)
{
    for (int k = 0; k < LMB_WORK_COUNT; k++) {
        double f[LMB_NEIGHBOURS];
        for (int i = 0; i < LMB_NEIGHBOURS; i++)
            f[i] = all[LMB_WORK_COUNT * i + k];
        out[k] = lmb_neighbours_slope(v->task->parameters[p].d, f);
    }
}

void lmb_variants_explicit(lmb_variants *v, int p, double *out, double *powers)
{
    size_t count = (size_t)v->task->count;
    double all[LMB_WORK_COUNT * LMB_NEIGHBOURS];
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        const lmb_state *s = state_of(v, p, i);
        if (powers)
            lmb_powers(s, all + LMB_WORK_COUNT * i);
        const double *g = lmb_channels_objectives(v->channels[p * LMB_NEIGHBOURS + i], s);
        memcpy(v->numbers + (size_t)i * v->number_count, g, count * sizeof *g);
    }
    find_slopes(v, p, count, out);
    if (powers)
        find_power_slopes(v, p, all, powers);
}

/* The largest displacement, or speed, or acceleration, that numbers of a class of coordinates mean:
 * modal ones, or all others. */
static double largest_of(const lmb_model *m, const double *x, bool modal)
{
    double most = 0;
    for (int i = 0; i < m->nv; i++)
        if ((m->columns[i].class == LMB_CLASS_MODE) == modal)
            most = fmax(most, fabs(x[i]) * m->columns[i].size);
    return most;
}

void lmb_coordinate_scales(const lmb_state *s, double *scale)
{
    const lmb_model *m = s->model;
    const double *const rates[] = {s->v, s->a};
    double modal = 0, *out = scale;
    for (int i = 0; i < m->node_count; i++) /* deformations are small against the model */
        for (int j = 0; j < m->nodes[i].nv && m->nodes[i].kind == LMB_NODE_VECTOR; j++)
            if (m->columns[m->nodes[i].v + j].class == LMB_CLASS_MODE)
                modal =
                    fmax(modal, fabs(s->q[m->nodes[i].q + j]) * m->columns[m->nodes[i].v + j].size);
    modal = modal > 0 ? modal : 1e-6 * m->length;
    for (int i = 0; i < m->nv; i++)
        *out++ = (m->columns[i].class == LMB_CLASS_MODE ? modal : m->length) / m->columns[i].size;
    for (int k = 0; k < 2; k++) {
        double rigid = largest_of(m, rates[k], false), deforming = largest_of(m, rates[k], true);
        rigid = rigid > 0 ? rigid : m->length;
        deforming = deforming > 0 ? deforming : rigid;
        for (int i = 0; i < m->nv; i++)
            *out++ =
                (m->columns[i].class == LMB_CLASS_MODE ? deforming : rigid) / m->columns[i].size;
    }
    double most = 0;
    for (int r = 0; r < m->nrows; r++)
        most = fmax(most, fabs(s->lambda[r]) / m->sparse_rows[r].scale);
    for (int r = 0; r < m->nrows; r++)
        *out++ = (most > 0 ? most : m->heaviest) * m->sparse_rows[r].scale;
}

/* How far to go along a change: a ten-thousandth of what is there of anything. */
static double distance_along(lmb_variants *v, const lmb_state *s, const lmb_motion_change *change)
{
    const lmb_model *m = s->model;
    size_t nv = (size_t)m->nv;
    double most = 0;
    lmb_coordinate_scales(s, v->scales);
    for (size_t i = 0; i < 3 * nv; i++) /* q, v and a stand in this order in both */
        most = fmax(most, fabs(change->x[i]) / v->scales[i]);
    for (int r = 0; r < m->nrows; r++)
        most = fmax(most, fabs(change->lambda[r]) / v->scales[3 * nv + (size_t)r]);
    return most > 0 ? 1e-4 / most : 1e-4;
}

void lmb_variants_along(lmb_variants *v, lmb_channels *channels, const lmb_state *state,
                        const lmb_motion_change *change, double *out, double *powers)
{
    size_t count = (size_t)v->task->count;
    double d = distance_along(v, state, change);
    for (size_t j = 0; j < count; j++)
        out[j] = 0;
    for (int w = 0; w < LMB_WORK_COUNT && powers; w++)
        powers[w] = 0;
    lmb_state_copy(v->moved, state);
    v->moved->records = state->records;
    lmb_set_time(v->moved, state->t);
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        double weight = lmb_neighbour_weight[i] / d, now[LMB_WORK_COUNT];
        move(v, v->moved, state, change, lmb_neighbour_place[i] * d);
        const double *g = lmb_channels_objectives(channels, v->moved);
        for (size_t j = 0; j < count; j++)
            out[j] += weight * g[j];
        if (powers)
            lmb_powers(v->moved, now);
        for (int w = 0; w < LMB_WORK_COUNT && powers; w++)
            powers[w] += weight * now[w];
    }
}

void lmb_variants_follow(lmb_variants *v, double t)
{
    bool rates = false;
    for (int i = 0; i < v->task->model->law_count; i++)
        rates |= v->task->model->laws[i].rate;
    for (int i = 0; rates && i < v->task->parameter_count * LMB_NEIGHBOURS; i++) {
        lmb_set_time(v->motions[i]->solver->state, t);
        lmb_accept_laws(v->motions[i]->solver->state);
    }
}

void lmb_variants_accept(lmb_variants *v)
{
    for (int i = 0; i < v->task->parameter_count * LMB_NEIGHBOURS; i++)
        lmb_accept_laws(v->motions[i]->solver->state);
}
