/* Names of inputs and outputs, and derivatives of channels. */
#include "analysis/ports.h"

#include <string.h>

#include "analysis/statics.h"
#include "base/text.h"

/* --- names ------------------------------------------------------------------------------------ */

/* How many numbers an input has, 0 if this force cannot be one; the letters of its components. */
static int numbers_of(const lmb_force *f, const char **letters)
{
    int size = f->type->input == LMB_NO_INPUT ? 0 : lmb_force_numbers(f);
    *letters = size > 1 ? "xyz" : "";
    return size;
}

static lmb_status add_input(lmb_ports *o, int force, int component, int size)
{
    const lmb_force *f = &o->solver->state->model->forces[force];
    char *name = size > 1 ? lmb_text_format(o->arena, "%s.%c", f->name, "xyz"[component])
                          : lmb_text_format(o->arena, "%s", f->name);
    o->input[o->inputs] = (lmb_port){force, v3_axis(component)};
    o->input_names[o->inputs++] = name;
    return name ? LMB_OK : lmb_fail_memory(o->solver->context);
}

/* Adds the inputs that a name means. */
static lmb_status add_named_input(lmb_ports *o, const char *name)
{
    const lmb_model *m = o->solver->state->model;
    lmb_context *context = o->solver->context;
    char base[128];
    lmb_snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "."), name);
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
                !letter || letter - letters == k ? add_input(o, i, k, size) : LMB_OK;
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
static lmb_status add_all_inputs(lmb_ports *o)
{
    const lmb_model *m = o->solver->state->model;
    lmb_status status = LMB_OK;
    for (int i = 0; !status && i < m->force_count; i++)
        if (m->forces[i].type->input == LMB_ALWAYS_INPUT)
            status = add_named_input(o, m->forces[i].name);
    return status;
}

static lmb_status add_output(lmb_ports *o, const char *name)
{
    int at, size;
    lmb_status status =
        lmb_channels_find(o->channels, o->solver->context, name, (lmb_place){0}, &at, &size);
    for (int i = at; !status && i < at + size; i++) {
        char full[160];
        lmb_channels_number_name(o->channels, i, full, sizeof full);
        o->output[o->outputs] = i;
        o->output_names[o->outputs] = lmb_text_copy(o->arena, full, strlen(full));
        if (!o->output_names[o->outputs++])
            status = lmb_fail_memory(o->solver->context);
    }
    return status;
}

/* Positions and velocities of all bodies. In space the quaternion, which is smooth everywhere. */
static lmb_status add_all_outputs(lmb_ports *o)
{
    static const char *const names[] = {"position", "angle", "quaternion", "velocity",
                                        "angular_velocity"};
    const lmb_model *m = o->solver->state->model;
    lmb_status status = LMB_OK;
    for (int i = 1; i < m->body_count; i++)
        for (int k = 0; !status && k < 5; k++) {
            bool turns = m->bodies[i].ops->turns;
            if ((k == 1 && (!turns || m->dimension == 3)) ||
                (k == 2 && (!turns || m->dimension == 2)) || (k == 4 && !turns))
                continue;
            char name[160];
            lmb_snprintf(name, sizeof name, "%s.%s", m->bodies[i].name, names[k]);
            status = add_output(o, name);
        }
    return status;
}

/* --- derivatives ------------------------------------------------------------------------------ */

void lmb_ports_force(const lmb_ports *o, int k, double *dQ)
{
    const lmb_state *s = o->solver->state;
    const lmb_model *m = s->model;
    const lmb_port *u = &o->input[k];
    const lmb_force *f = &m->forces[u->force];
    memset(dQ, 0, (size_t)m->nv * sizeof *dQ);
    for (int side = -1; side <= 1; side += 2) { /* it is linear in the input */
        lmb_force_at at = lmb_force_input(s, f);
        at.added = v3_scale(side * o->typical, u->direction);
        if (f->type->prepare)
            f->type->prepare(f, &at);
        for (int i = 0; i < f->pair_count; i++) {
            const lmb_pair *p = &m->parts.pairs[f->pair + i];
            lmb_frame zero = frame_zero(), on[2] = {zero, zero}, part[2] = {zero, zero};
            lmb_force_go_to(s, f, i, &at);
            f->type->evaluate(f, &at, &on[0], &on[1]);
            frame_add(&part[0], side / (2 * o->typical), &on[0]);
            frame_add(&part[1], side / (2 * o->typical), &on[1]);
            lmb_add_load(s, p->a, &part[0], dQ + m->parts.markers[p->a].v);
            lmb_add_load(s, p->b, &part[1], dQ + m->parts.markers[p->b].v);
        }
    }
}

double lmb_ports_step(const lmb_ports *o, const lmb_change *c)
{
    double size = fmax(lmb_step_size(o->solver, c->dq), lmb_step_size(o->solver, c->dv));
    return 2e-5 * o->solver->state->model->length / (size > 0 ? size : 1);
}

/* The channels at h times the change. */
static const double *channels_at(lmb_ports *o, const lmb_change *c, int input, double h)
{
    lmb_state *s = o->solver->state;
    const lmb_model *m = s->model;
    const double *q = o->state, *v = q + m->nq, *a = v + m->nv, *z = a + m->nv, *l = z + m->nz;
    for (int j = 0; j < m->nv; j++) {
        o->solver->step[j] = h * c->dq[j];
        s->v[j] = v[j] + h * c->dv[j];
        s->a[j] = a[j] + h * c->da[j];
    }
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = l[r] + h * c->dl[r];
    for (int i = 0; i < m->nz; i++)
        s->z[i] = z[i] + h * c->dz[i];
    if (input >= 0)
        o->added[o->input[input].force] = v3_scale(h, o->input[input].direction);
    lmb_retract(s, q, o->solver->step);
    lmb_update_position(s);
    lmb_update_velocity(s);
    return lmb_channels_row(o->channels, s);
}

void lmb_ports_differentiate(lmb_ports *o, const lmb_change *c, int input, double h, double *column)
{
    static const struct {
        double at, weight;
    } points[] = {{1, 8}, {-1, -8}, {2, -1}, {-2, 1}};
    lmb_state *s = o->solver->state;
    size_t bytes = lmb_motion_numbers(s->model) * sizeof *o->state;
    memcpy(o->state, s->q, bytes);
    memset(o->sum, 0, (size_t)o->outputs * sizeof *o->sum);
    s->inputs = o->added;
    for (int p = 0; p < 4; p++) {
        const double *row = channels_at(o, c, input, points[p].at * h);
        for (int i = 0; i < o->outputs; i++)
            o->sum[i] += points[p].weight * row[o->output[i]];
    }
    if (input >= 0)
        o->added[o->input[input].force] = v3(0, 0, 0);
    for (int i = 0; i < o->outputs; i++)
        column[i] = o->sum[i] / (12 * h);
    s->inputs = NULL;
    memcpy(s->q, o->state, bytes);
    lmb_update_position(s);
    lmb_update_velocity(s);
}

/* --- life ------------------------------------------------------------------------------------- */

static bool allocate(lmb_ports *o, const char *const *inputs, const char *const *outputs)
{
    const lmb_model *m = o->solver->state->model;
    lmb_arena *arena = o->arena;
    size_t most_inputs = 3 * (size_t)m->force_count, most_outputs = 13 * (size_t)m->body_count;
    for (size_t i = 0; inputs && inputs[i]; i++)
        most_inputs = 3 * (i + 1);
    for (size_t i = 0; outputs && outputs[i]; i++)
        most_outputs = 4 * (i + 1); /* numbers of the largest channel, a quaternion */
    o->input = lmb_arena_alloc(arena, most_inputs + 1, sizeof *o->input);
    o->output = lmb_arena_alloc(arena, most_outputs + 1, sizeof *o->output);
    o->added = lmb_arena_alloc(arena, (size_t)m->force_count + 1, sizeof *o->added);
    o->state = lmb_arena_numbers(arena, lmb_motion_numbers(m));
    o->sum = lmb_arena_numbers(arena, most_outputs);
    o->input_names = lmb_arena_alloc(arena, most_inputs + 1, sizeof *o->input_names);
    o->output_names = lmb_arena_alloc(arena, most_outputs + 1, sizeof *o->output_names);
    return lmb_arena_fine(arena);
}

static lmb_status name_all(lmb_ports *o, const char *const *inputs, const char *const *outputs)
{
    lmb_status status = inputs ? LMB_OK : add_all_inputs(o);
    for (int i = 0; !status && inputs && inputs[i]; i++)
        status = add_named_input(o, inputs[i]);
    if (!status && !outputs)
        status = add_all_outputs(o);
    for (int i = 0; !status && outputs && outputs[i]; i++)
        status = add_output(o, outputs[i]);
    return status;
}

lmb_status lmb_ports_new(lmb_ports **out, lmb_solver *s, const char *const *inputs,
                         const char *const *outputs)
{
    lmb_arena *arena;
    lmb_ports *o = lmb_arena_object(&arena, sizeof *o);
    *out = NULL;
    if (!o)
        return lmb_fail_memory(s->context);
    *o = (lmb_ports){.solver = s, .arena = arena};
    lmb_status status = allocate(o, inputs, outputs) ? LMB_OK : lmb_fail_memory(s->context);
    if (!status && !(status = lmb_channels_new(&o->channels, s->context, s->state->model,
                                               LMB_KNOWN_IN_DYNAMICS)))
        status = name_all(o, inputs, outputs);
    if (!status) {
        lmb_total_force(s->state, s->force);
        o->typical = lmb_typical_force(s);
        o->typical = o->typical == 0 ? 1 : o->typical;
        *out = o;
    } else {
        lmb_ports_free(o);
    }
    return status;
}

void lmb_ports_free(lmb_ports *o)
{
    if (!o)
        return;
    lmb_channels_free(o->channels);
    lmb_arena_free(o->arena);
}
