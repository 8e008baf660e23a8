/* Neighbouring motions. */
#include "study/variants.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"

/* --- life ------------------------------------------------------------------------------------- */

lmb_motion_change *lmb_motion_changes(lmb_arena *arena, const lmb_model *m, int count)
{
    lmb_motion_change *changes = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *changes);
    for (int p = 0; p < count && changes; p++) {
        changes[p].x = lmb_arena_numbers(arena, LMB_CHANGE_PARTS * (size_t)m->nv);
        changes[p].lambda = lmb_arena_numbers(arena, (size_t)m->nrows);
    }
    return changes;
}

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

/* Whether the objectives may depend on a parameter at the same state: only neighbours whose
 * expressions and frames are all the same say no. */
static bool depends(lmb_variants *v, int p)
{
    const lmb_effect *e = &v->effects[p];
    lmb_channels **channels = v->channels + p * LMB_NEIGHBOURS;
    bool *others =
        lmb_arena_alloc(v->arena, (size_t)v->task->model->parts.marker_count + 1, sizeof *others);
    bool alike = others && !e->whole;
    for (int i = 0; i < e->marker_count && alike; i++)
        others[e->markers[i]] = true;
    for (int i = 1; i < LMB_NEIGHBOURS && alike; i++)
        alike = lmb_channels_are_alike(channels[0], channels[i], others);
    return !alike;
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
    v->number_count = LMB_CHANGE_PARTS * (size_t)m->nv + 3 * (size_t)m->nrows +
                      2 * (size_t)k->count; /* a change, or a load of 3 (nv + nrows) at most, ... */
    v->motions = lmb_arena_alloc(arena, count, sizeof(lmb_dynamics *));
    v->channels = lmb_arena_alloc(arena, count, sizeof(lmb_channels *));
    v->rooms = lmb_arena_alloc(arena, count, sizeof(lmb_arena *));
    v->numbers = lmb_arena_numbers(arena, LMB_NEIGHBOURS * v->number_count);
    v->step = lmb_arena_numbers(arena, (size_t)m->nv);
    v->slopes = lmb_arena_numbers(arena, (size_t)k->count * (3 * (size_t)m->nv + (size_t)m->nrows));
    v->effects = lmb_arena_alloc(arena, (size_t)k->parameter_count, sizeof *v->effects);
    v->speaks = lmb_arena_alloc(arena, (size_t)k->parameter_count, sizeof *v->speaks);
    for (int i = 0; i < LMB_NEIGHBOURS; i++)
        v->bodies[i] = lmb_arena_alloc(arena, (size_t)m->body_count, sizeof **v->bodies);
    v->moved = lmb_state_new(m);
    if (!v->moved)
        return lmb_fail_memory(k->context);
    lmb_status status = lmb_check_memory(k->context, arena);
    size_t messages = lmb_message_count(k->context);
    for (int p = 0; p < k->parameter_count && !status; p++)
        for (int i = 0; i < LMB_NEIGHBOURS && !status; i++) {
            status = begin_motion(v, p * LMB_NEIGHBOURS + i, k->parameters[p].models[i]);
            if (status)
                status = lmb_task_fail_neighbour(k, k->context, status, k->parameters[p].name);
        }
    if (!status)
        lmb_messages_forget(k->context, messages); /* the neighbours say the same */
    for (int p = 0; p < k->parameter_count && !status; p++) {
        lmb_effect_find(&v->effects[p], arena, m, &k->parameters[p]);
        v->speaks[p] = lmb_arena_fine(arena) && depends(v, p);
    }
    return status ? status : lmb_check_memory(k->context, arena);
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
    const double *f0 = v->numbers, *f1 = f0 + v->number_count, *f2 = f1 + v->number_count,
                 *f3 = f2 + v->number_count;
    const lmb_neighbours n = v->task->parameters[p];
    for (size_t j = 0; j < count; j++)
        out[j] = lmb_neighbours_slope_of(&n, f0[j], f1[j], f2[j], f3[j]);
}

static lmb_state *state_of(const lmb_variants *v, int p, int i)
{
    return v->motions[p * LMB_NEIGHBOURS + i]->solver->state;
}

/* --- beginnings ------------------------------------------------------------------------------- */

/* The objectives of a neighbour at a state of its own, as the base is linearised: a row of room. */
static void find_row(lmb_variants *v, int p, int i, const lmb_state *state)
{
    double *out = v->numbers + (size_t)i * v->number_count, *frozen = out + v->task->count;
    lmb_channels *own = v->channels[p * LMB_NEIGHBOURS + i];
    lmb_channels_linear(own, v->base, state, false, out);
    lmb_channels_frozen(own, v->base, state->t, frozen);
    for (int o = 0; o < v->task->count; o++)
        out[o] += frozen[o];
}

void lmb_variants_first(lmb_variants *v, int p, double *out)
{
    for (int i = 0; i < LMB_NEIGHBOURS; i++)
        find_row(v, p, i, state_of(v, p, i));
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

/* Brings a neighbour as a whole to a state. */
static lmb_state *place_whole(lmb_variants *v, int p, int i, const lmb_state *state)
{
    lmb_state *own = state_of(v, p, i);
    lmb_set_time(own, state->t);
    move(v, own, state, NULL, 0);
    return own;
}

/* The frames of a view: those of the state but of markers that are others. */
static void set_frames(lmb_state *view, const lmb_state *own, const lmb_state *state,
                       const lmb_effect *e)
{
    const lmb_model *m = view->model;
    size_t count = (size_t)m->parts.marker_count;
    view->frames = own->frames;
    view->rates = own->rates;
    view->biases = own->biases;
    memcpy(view->frames, state->frames, count * sizeof *view->frames);
    memcpy(view->rates, state->rates, count * sizeof *view->rates);
    memcpy(view->biases, state->biases, count * sizeof *view->biases);
    for (int k = 0; k < e->marker_count; k++) {
        int i = e->markers[k];
        const lmb_marker *marker = &m->parts.markers[i];
        const lmb_body_at *at = &view->bodies[marker->body];
        if (marker->body == 0) {
            view->frames[i] = marker->local;
            continue;
        }
        at->body->ops->frame(at, marker, &view->frames[i]);
        at->body->ops->frame_rate(at, marker, &view->frames[i], state->v + marker->v,
                                  &view->rates[i]);
        at->body->ops->frame_bias(at, marker, &view->frames[i], &view->biases[i]);
    }
}

/* The bodies of a view: those of the state but of bodies that are others. */
static void set_bodies(lmb_body_at *bodies, lmb_state *own, const lmb_state *state,
                       const lmb_effect *e)
{
    const lmb_model *m = own->model;
    memcpy(bodies, state->bodies, (size_t)m->body_count * sizeof *bodies);
    for (int k = 0; k < e->items.body_count; k++)
        bodies[e->items.bodies[k]].body = &m->bodies[e->items.bodies[k]];
    for (int k = 0; k < e->shape_count; k++) {
        const lmb_body *b = &m->bodies[e->shapes[k]];
        lmb_body_at *at = &own->bodies[e->shapes[k]];
        memcpy(own->q + b->q, state->q + b->q, (size_t)b->nq * sizeof *own->q);
        memcpy(own->v + b->v, state->v + b->v, (size_t)b->nv * sizeof *own->v);
        b->ops->update(at);
        bodies[e->shapes[k]] = *at;
    }
}

/* Neighbour i of parameter p at a state of the motion. */
static void take_view(lmb_variants *v, int p, int i, const lmb_state *state)
{
    const lmb_effect *e = &v->effects[p];
    lmb_state *own = state_of(v, p, i), *view = &v->views[i];
    if (e->whole) {
        *view = *place_whole(v, p, i, state);
        return;
    }
    *view = *state;
    view->model = own->model;
    view->records = own->records;
    if (e->laws) {
        lmb_set_time(own, state->t);
        view->laws = own->laws;
    }
    if (e->items.body_count > 0) {
        set_bodies(v->bodies[i], own, state, e);
        view->bodies = v->bodies[i];
    }
    if (e->marker_count > 0)
        set_frames(view, own, state, e);
}

void lmb_variants_place(lmb_variants *v, int p, const lmb_state *state)
{
    for (int i = 0; i < LMB_NEIGHBOURS; i++)
        take_view(v, p, i, state);
}

void lmb_variants_load(lmb_variants *v, int p, const lmb_state *state,
                       const lmb_step_tangent *tangent, double *load)
{
    bool whole = v->effects[p].whole || tangent->projection; /* which moves all bodies */
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        double *out = v->numbers + (size_t)i * v->number_count;
        if (whole) {
            lmb_step_tangent_residual(tangent, place_whole(v, p, i, state), out);
            v->views[i] = *state_of(v, p, i);
        } else {
            take_view(v, p, i, state);
            lmb_items_residual(&v->views[i], &v->effects[p].items, v->step, out);
        }
    }
    find_slopes(v, p, tangent->loads, load);
}

void lmb_variants_change_load(lmb_variants *v, int p, const lmb_state *state,
                              const lmb_alpha_change *change, double *load)
{
    size_t count = (size_t)state->model->nv + (size_t)state->model->nrows;
    for (int i = 0; i < LMB_NEIGHBOURS; i++)
        lmb_alpha_change_residual(change, place_whole(v, p, i, state),
                                  v->numbers + (size_t)i * v->number_count);
    find_slopes(v, p, count, load);
}

/* The same of powers, of one neighbour after the other. */
static void find_power_slopes(const lmb_variants *v, int p, const double *all, double *out)
{
    for (int k = 0; k < LMB_WORK_COUNT; k++) {
        double f[LMB_NEIGHBOURS];
        for (int i = 0; i < LMB_NEIGHBOURS; i++)
            f[i] = all[LMB_WORK_COUNT * i + k];
        out[k] = lmb_neighbours_slope(&v->task->parameters[p], f);
    }
}

void lmb_variants_explicit(lmb_variants *v, int p, double *out, double *powers)
{
    size_t count = (size_t)v->task->count;
    double all[LMB_WORK_COUNT * LMB_NEIGHBOURS];
    if (out && !v->speaks[p] && !powers) {
        memset(out, 0, count * sizeof *out);
        return;
    }
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        if (powers)
            lmb_powers(&v->views[i], all + LMB_WORK_COUNT * i);
        if (out)
            find_row(v, p, i, &v->views[i]);
    }
    if (out)
        find_slopes(v, p, count, out);
    if (powers)
        find_power_slopes(v, p, all, powers);
}

void lmb_variants_look(lmb_variants *v, lmb_channels *channels, const lmb_state *state)
{
    v->base = channels;
    lmb_channels_linearise(channels, state);
    v->exact = lmb_channels_slopes(channels, state, v->slopes);
}

/* Whether a change is zero. A stencil along it would return rounding errors. */
static bool is_zero(const lmb_model *m, const lmb_motion_change *change)
{
    for (size_t i = 0; i < 3 * (size_t)m->nv; i++)
        if (change->x[i] != 0)
            return false;
    for (int r = 0; r < m->nrows; r++)
        if (change->lambda[r] != 0)
            return false;
    for (int w = 0; w < LMB_WORK_COUNT; w++)
        if (change->work[w] != 0)
            return false;
    return true;
}

void lmb_variants_along(lmb_variants *v, const lmb_state *state, const lmb_motion_change *change,
                        double *out, double *powers)
{
    const lmb_model *m = state->model;
    size_t count = (size_t)v->task->count, coordinates = 3 * (size_t)m->nv;
    const double *slopes = v->slopes;
    for (size_t j = 0; j < count && out; j++, slopes += coordinates + (size_t)m->nrows) {
        out[j] = 0;
        for (size_t i = 0; i < coordinates; i++) /* q, v and a stand in this order in both */
            out[j] += slopes[i] * change->x[i];
        for (int r = 0; r < m->nrows; r++)
            out[j] += slopes[coordinates + (size_t)r] * change->lambda[r];
    }
    for (int w = 0; w < LMB_WORK_COUNT && powers; w++)
        powers[w] = 0;
    if ((v->exact && !powers) || is_zero(m, change))
        return;
    double d = lmb_change_distance(state, change->x, change->lambda);
    lmb_state_copy(v->moved, state);
    v->moved->records = state->records;
    lmb_set_time(v->moved, state->t);
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        double weight = lmb_neighbour_weight[i] / d, now[LMB_WORK_COUNT];
        move(v, v->moved, state, change, lmb_neighbour_place[i] * d);
        if (out)
            lmb_channels_linear(v->base, v->base, v->moved, true, v->numbers);
        for (size_t j = 0; j < count && out; j++)
            out[j] += weight * v->numbers[j];
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
