/* B, C and D of the linearised mechanism.
 *
 * A state or input changes q, v, a, lambda and z at once (analysis/small_motion.h), exactly. What a
 * channel makes of that is found by central differences of order four along the change, for which
 * nothing needs to be solved: they are good to about 1e-10 of the channel. */
#include "analysis/state_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels/channels.h"
#include "analysis/statics.h"
#include "base/text.h"
#include "math/dense.h"
#include "system/first_order.h"

/* One number of a force. */
typedef struct input {
    int force;
    vec3 direction;
} input;

/* Room for the work. */
typedef struct work {
    lmb_solver *solver;
    const lmb_small_motion *motion;
    lmb_channels *channels;
    lmb_state_space *space;
    input *inputs;
    int *outputs;                    /* their places in a row of channels */
    double *none;                    /* n zeros */
    const double *dq, *dv, *da, *dl; /* the change along which channels are differentiated */
    double *dz;
    double *da_u, *dl_u;            /* that of each input: n x inputs, rows x inputs */
    double *q, *v, *a, *z, *lambda; /* the state as it was, one after the other */
    double *sum;                    /* outputs */
    vec3 *added;                    /* one per force */
} work;

/* --- names ------------------------------------------------------------------------------------ */

/* How many numbers an input has, 0 if this force cannot be one; the letters of its components. */
static int numbers_of(const lmb_force *f, const char **letters)
{
    int size = f->type->input == LMB_NO_INPUT ? 0 : lmb_force_numbers(f);
    *letters = size > 1 ? "xyz" : "";
    return size;
}

static lmb_status add_input(work *w, int force, int component, int size)
{
    lmb_state_space *o = w->space;
    const lmb_force *f = &w->solver->state->model->forces[force];
    char *name = size > 1 ? lmb_text_format(o->arena, "%s.%c", f->name, "xyz"[component])
                          : lmb_text_format(o->arena, "%s", f->name);
    w->inputs[o->inputs] = (input){force, v3_axis(component)};
    o->input_names[o->inputs++] = name;
    return name ? LMB_OK : lmb_fail_memory(w->solver->context);
}

/* Adds the inputs that a name means. */
static lmb_status add_named_input(work *w, const char *name)
{
    const lmb_model *m = w->solver->state->model;
    lmb_context *context = w->solver->context;
    char base[128];
    snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "."), name);
    lmb_nearest nearest = lmb_nearest_start(base);
    for (int i = 0; i < m->force_count; i++) {
        const char *own = m->forces[i].name, *letters;
        size_t length = strlen(own);
        int size = numbers_of(&m->forces[i], &letters);
        lmb_nearest_try(&nearest, own);
        if (strncmp(own, name, length) != 0 || (name[length] && name[length] != '.'))
            continue;
        if (size == 0)
            return lmb_fail(context, LMB_USAGE,
                            "a force of type '%s', such as '%s', cannot be an input",
                            m->forces[i].type->name, own);
        const char *rest = name + length;
        const char *letter = rest[0] && rest[1] && !rest[2] ? strchr(letters, rest[1]) : NULL;
        if (rest[0] && (!letter || letter - letters >= size))
            break;
        for (int k = 0; k < size; k++) {
            lmb_status status =
                !letter || letter - letters == k ? add_input(w, i, k, size) : LMB_OK;
            if (status)
                return status;
        }
        return LMB_OK;
    }
    lmb_fail(context, LMB_USAGE, "there is no force '%s' to be an input", name);
    if (nearest.best)
        lmb_nearest_hint(context, &nearest);
    else
        lmb_hint(context,
                 "inputs are forces of the model, such as a motor, or 'load.x' of a vector");
    return LMB_USAGE;
}

/* Every number of the forces that are inputs unasked. */
static lmb_status add_all_inputs(work *w)
{
    const lmb_model *m = w->solver->state->model;
    lmb_status status = LMB_OK;
    for (int i = 0; !status && i < m->force_count; i++)
        if (m->forces[i].type->input == LMB_ALWAYS_INPUT)
            status = add_named_input(w, m->forces[i].name);
    return status;
}

static lmb_status add_output(work *w, const char *name)
{
    lmb_state_space *o = w->space;
    int at, size;
    lmb_status status =
        lmb_channels_find(w->channels, w->solver->context, name, (lmb_place){0}, &at, &size);
    for (int i = at; !status && i < at + size; i++) {
        char full[160];
        lmb_channels_number_name(w->channels, i, full, sizeof full);
        w->outputs[o->outputs] = i;
        o->output_names[o->outputs] = lmb_text_copy(o->arena, full, strlen(full));
        if (!o->output_names[o->outputs++])
            status = lmb_fail_memory(w->solver->context);
    }
    return status;
}

/* Positions and velocities of all bodies. In space the quaternion, which is smooth everywhere. */
static lmb_status add_all_outputs(work *w)
{
    static const char *const names[] = {"position", "angle", "quaternion", "velocity",
                                        "angular_velocity"};
    const lmb_model *m = w->solver->state->model;
    lmb_status status = LMB_OK;
    for (int i = 1; i < m->body_count; i++)
        for (int k = 0; !status && k < 5; k++) {
            bool turns = m->bodies[i].ops->turns;
            if ((k == 1 && (!turns || m->dimension == 3)) ||
                (k == 2 && (!turns || m->dimension == 2)) || (k == 4 && !turns))
                continue;
            char name[160];
            snprintf(name, sizeof name, "%s.%s", m->bodies[i].name, names[k]);
            status = add_output(w, name);
        }
    return status;
}

static lmb_status name_all(work *w, char *const *inputs, char *const *outputs)
{
    lmb_state_space *o = w->space;
    lmb_status status = inputs ? LMB_OK : add_all_inputs(w);
    for (int i = 0; !status && inputs && inputs[i]; i++)
        status = add_named_input(w, inputs[i]);
    if (!status && !outputs)
        status = add_all_outputs(w);
    for (int i = 0; !status && outputs && outputs[i]; i++)
        status = add_output(w, outputs[i]);
    for (int i = 0; !status && i < o->states; i++) {
        const char *name = w->motion->names[i];
        if (!(o->state_names[i] = lmb_text_copy(o->arena, name, strlen(name))))
            status = lmb_fail_memory(w->solver->context);
    }
    return status;
}

/* --- matrices --------------------------------------------------------------------------------- */

/* The change of Q by a unit of an input, which is linear in it. */
static void input_force(const work *w, const input *u, double typical, double *dQ)
{
    const lmb_state *s = w->solver->state;
    const lmb_model *m = s->model;
    const lmb_force *f = &m->forces[u->force];
    memset(dQ, 0, (size_t)m->nv * sizeof *dQ);
    for (int side = -1; side <= 1; side += 2) {
        lmb_force_at at = lmb_force_input(s, f);
        at.added = v3_scale(side * typical, u->direction);
        if (f->type->prepare)
            f->type->prepare(f, &at);
        for (int k = 0; k < f->pair_count; k++) {
            const lmb_pair *p = &m->parts.pairs[f->pair + k];
            lmb_frame zero = frame_zero(), on[2] = {zero, zero}, part[2] = {zero, zero};
            lmb_force_go_to(s, f, k, &at);
            f->type->evaluate(f, &at, &on[0], &on[1]);
            frame_add(&part[0], side / (2 * typical), &on[0]);
            frame_add(&part[1], side / (2 * typical), &on[1]);
            lmb_add_load(s, p->a, &part[0], dQ + m->parts.markers[p->a].v);
            lmb_add_load(s, p->b, &part[1], dQ + m->parts.markers[p->b].v);
        }
    }
}

/* The channels at h times the change. */
static const double *channels_at(work *w, double h, const input *u)
{
    lmb_state *s = w->solver->state;
    for (int j = 0; j < s->model->nv; j++) {
        w->solver->step[j] = h * w->dq[j];
        s->v[j] = w->v[j] + h * w->dv[j];
        s->a[j] = w->a[j] + h * w->da[j];
    }
    for (int r = 0; r < s->model->nrows; r++)
        s->lambda[r] = w->lambda[r] + h * w->dl[r];
    for (int i = 0; i < s->model->nz; i++)
        s->z[i] = w->z[i] + h * w->dz[i];
    if (u)
        w->added[u->force] = v3_scale(h, u->direction);
    lmb_retract(s, w->q, w->solver->step);
    lmb_update_position(s);
    lmb_update_velocity(s);
    return lmb_channels_row(w->channels, s);
}

/* The derivative of the outputs along the change. */
static void differentiate(work *w, double h, const input *u, double *column)
{
    static const struct {
        double at, weight;
    } points[] = {{1, 8}, {-1, -8}, {2, -1}, {-2, 1}};
    int count = w->space->outputs;
    memset(w->sum, 0, (size_t)count * sizeof *w->sum);
    for (int p = 0; p < 4; p++) {
        const double *row = channels_at(w, points[p].at * h, u);
        for (int i = 0; i < count; i++)
            w->sum[i] += points[p].weight * row[w->outputs[i]];
    }
    if (u)
        w->added[u->force] = v3(0, 0, 0);
    for (int i = 0; i < count; i++)
        column[i] = w->sum[i] / (12 * h);
}

/* By how much of the change channels are moved: positions by 2e-5 of the model's length, velocities
 * by as much per second. */
static double step_of(const work *w)
{
    const lmb_model *m = w->solver->state->model;
    double size = fmax(lmb_step_size(w->solver, w->dq), lmb_step_size(w->solver, w->dv));
    return 2e-5 * m->length / (size > 0 ? size : 1);
}

/* B, and what inputs do to accelerations and multipliers. */
static void fill_inputs(work *w, double *dQ, double typical)
{
    lmb_state_space *o = w->space;
    for (int k = 0; k < o->inputs; k++) {
        input_force(w, &w->inputs[k], typical, dQ);
        lmb_small_motion_force(w->motion, dQ, o->B + (size_t)k * (size_t)o->states,
                               w->da_u + (size_t)k * (size_t)o->n,
                               w->dl_u + (size_t)k * (size_t)w->motion->rows);
    }
}

/* C and D, column by column. */
static void fill_outputs(work *w, double typical)
{
    lmb_state_space *o = w->space;
    const lmb_small_motion *x = w->motion;
    const lmb_model *m = w->solver->state->model;
    size_t nv = (size_t)o->n, rows = (size_t)x->rows, size = (size_t)o->states;
    size_t moving = (size_t)(x->positions + x->speeds);
    for (size_t k = 0; k < size; k++) {
        w->dq = k < (size_t)o->free ? x->dq + k * nv : w->none;
        w->dv = x->dv + k * nv;
        w->da = x->da + k * nv;
        w->dl = x->dl + k * rows;
        memset(w->dz, 0, (size_t)m->nz * sizeof *w->dz);
        if (k >= moving)
            w->dz[k - moving] = 1;
        differentiate(w, k < moving ? step_of(w) : 1e-4 * m->z_size[k - moving], NULL,
                      o->C + k * (size_t)o->outputs);
    }
    memset(w->dz, 0, (size_t)m->nz * sizeof *w->dz);
    w->dq = w->dv = w->none;
    for (size_t k = 0; k < (size_t)o->inputs; k++) {
        w->da = w->da_u + k * nv;
        w->dl = w->dl_u + k * rows;
        differentiate(w, 1e-3 * typical, &w->inputs[k], o->D + k * (size_t)o->outputs);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

/* Room for names and for all that is not a matrix of the result. */
static bool allocate(work *w, char *const *inputs, char *const *outputs)
{
    const lmb_model *m = w->solver->state->model;
    lmb_state_space *o = w->space;
    lmb_arena *arena = o->arena;
    size_t n = (size_t)m->nv;
    size_t most_inputs = 3 * (size_t)m->force_count, most_outputs = 13 * (size_t)m->body_count;
    for (size_t i = 0; inputs && inputs[i]; i++)
        most_inputs = 3 * (i + 1);
    for (size_t i = 0; outputs && outputs[i]; i++)
        most_outputs = 4 * (i + 1); /* numbers of the largest channel, a quaternion */
    w->inputs = lmb_arena_alloc(arena, most_inputs + 1, sizeof *w->inputs);
    w->outputs = lmb_arena_alloc(arena, most_outputs + 1, sizeof *w->outputs);
    w->added = lmb_arena_alloc(arena, (size_t)m->force_count + 1, sizeof *w->added);
    w->none = lmb_arena_numbers(arena, n);
    w->dz = lmb_arena_numbers(arena, (size_t)m->nz);
    w->q = lmb_arena_numbers(arena, lmb_motion_numbers(m));
    w->sum = lmb_arena_numbers(arena, most_outputs);
    o->input_names = lmb_arena_alloc(arena, most_inputs + 1, sizeof *o->input_names);
    o->output_names = lmb_arena_alloc(arena, most_outputs + 1, sizeof *o->output_names);
    o->state_names = lmb_arena_alloc(arena, 2 * n + (size_t)m->nz + 1, sizeof *o->state_names);
    return lmb_arena_fine(arena);
}

/* Room for the matrices, once their sizes are known. */
static bool allocate_matrices(work *w)
{
    lmb_state_space *o = w->space;
    size_t states = (size_t)o->states, inputs = (size_t)o->inputs, outputs = (size_t)o->outputs;
    o->A = lmb_arena_numbers(o->arena, states * states);
    o->B = lmb_arena_numbers(o->arena, states * inputs);
    o->C = lmb_arena_numbers(o->arena, outputs * states);
    o->D = lmb_arena_numbers(o->arena, outputs * inputs);
    o->N = lmb_arena_numbers(o->arena, (size_t)o->n * (size_t)o->free);
    w->da_u = lmb_arena_numbers(o->arena, (size_t)o->n * inputs);
    w->dl_u = lmb_arena_numbers(o->arena, (size_t)w->motion->rows * inputs);
    return lmb_arena_fine(o->arena);
}

static lmb_status fill(work *w)
{
    lmb_state_space *o = w->space;
    lmb_solver *s = w->solver;
    const lmb_model *m = s->state->model;
    double *dQ = lmb_arena_numbers(o->arena, (size_t)o->n);
    if (!allocate_matrices(w) || !dQ)
        return lmb_fail_memory(s->context);
    memcpy(o->N, w->motion->dq, (size_t)o->n * (size_t)o->free * sizeof *o->N);
    memcpy(o->A, w->motion->A, (size_t)o->states * (size_t)o->states * sizeof *o->A);
    lmb_total_force(s->state, s->force);
    double typical = lmb_typical_force(s); /* by which inputs are moved */
    if (typical == 0)
        typical = 1;
    fill_inputs(w, dQ, typical);
    size_t bytes = lmb_motion_numbers(m) * sizeof *w->q;
    memcpy(w->q, s->state->q, bytes);
    w->v = w->q + m->nq;
    w->a = w->v + m->nv;
    w->z = w->a + m->nv;
    w->lambda = w->z + m->nz;
    s->state->inputs = w->added;
    fill_outputs(w, typical);
    s->state->inputs = NULL;
    memcpy(s->state->q, w->q, bytes);
    lmb_update_position(s->state);
    lmb_update_velocity(s->state);
    return LMB_OK;
}

lmb_status lmb_state_space_of(const lmb_small_motion *motion, lmb_solver *s, char *const *inputs,
                              char *const *outputs, lmb_state_space *out)
{
    const lmb_model *m = s->state->model;
    *out = (lmb_state_space){
        .n = m->nv, .free = motion->positions, .states = motion->states, .arena = lmb_arena_new()};
    work w = {.solver = s, .space = out, .motion = motion};
    lmb_status status = allocate(&w, inputs, outputs) ? LMB_OK : lmb_fail_memory(s->context);
    if (!status &&
        !(status = lmb_channels_new(&w.channels, s->context, m, LMB_KNOWN_IN_DYNAMICS)) &&
        !(status = name_all(&w, inputs, outputs)))
        status = fill(&w);
    lmb_channels_free(w.channels);
    if (status)
        lmb_state_space_free(out);
    return status;
}

lmb_status lmb_find_state_space(lmb_solver *s, char *const *inputs, char *const *outputs,
                                lmb_state_space *out)
{
    lmb_small_motion *motion;
    *out = (lmb_state_space){0};
    lmb_status status = lmb_small_motion_new(&motion, s, 0);
    if (!status)
        status = lmb_state_space_of(motion, s, inputs, outputs, out);
    lmb_small_motion_free(motion);
    return status;
}

void lmb_state_space_free(lmb_state_space *o)
{
    lmb_arena_free(o->arena);
    *o = (lmb_state_space){0};
}

lmb_status lmb_response(const lmb_state_space *o, lmb_context *context, int input_number,
                        int output, double w, double *real, double *imaginary)
{
    size_t n = (size_t)o->states, outputs = (size_t)o->outputs, at = (size_t)output;
    double *a = calloc(2 * n * n + 2 * n + 1, sizeof *a), *x = a + 2 * n * n;
    if (!a)
        return lmb_fail_memory(context);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            a[2 * (j * n + i)] = -o->A[j * n + i];
        a[2 * (j * n + j) + 1] += w;
        x[2 * j] = o->B[(size_t)input_number * n + j];
    }
    bool regular = lmb_dense_solve_complex(o->states, a, 1, x);
    *real = regular ? o->D[(size_t)input_number * outputs + at] : INFINITY;
    *imaginary = 0;
    for (size_t j = 0; regular && j < n; j++) {
        *real += o->C[j * outputs + at] * x[2 * j];
        *imaginary += o->C[j * outputs + at] * x[2 * j + 1];
    }
    free(a);
    return LMB_OK;
}
