/* All numbers of a model in a list. */
#include "same_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "channels/channels.h"
#include "rotor/rotor.h"
#include "system/equations.h"
#include "system/state.h"

/* --- lists of numbers ------------------------------------------------------------------------- */

static void put(model_numbers *n, double x)
{
    if (n->count == n->room) {
        n->room = 2 * n->room + 1024;
        n->at = realloc(n->at, n->room * sizeof *n->at);
        if (!n->at)
            abort();
    }
    n->at[n->count++] = x;
}

static void put_numbers(model_numbers *n, const double *x, int count)
{
    for (int i = 0; i < count; i++)
        put(n, x[i]);
}

static void put_integers(model_numbers *n, const int *x, int count)
{
    for (int i = 0; i < count; i++)
        put(n, x[i]);
}

/* As many integers as are named. */
#define PUT(n, ...)                                                                                \
    put_integers(n, (const int[]){__VA_ARGS__}, (int)(sizeof(int[]){__VA_ARGS__} / sizeof(int)))

static void put_text(model_numbers *n, const char *text)
{
    for (const char *c = text ? text : "(none)"; *c; c++)
        put(n, *c);
}

/* A kind, by its address. */
static void put_address(model_numbers *n, const void *p)
{
    put(n, (double)(uintptr_t)p);
}

static void put_frame(model_numbers *n, const lmb_frame *f)
{
    put_numbers(n, &f->p.x, 3);
    for (int i = 0; i < 3; i++)
        put_numbers(n, &f->e[i].x, 3);
}

void free_numbers(model_numbers *n)
{
    free(n->at);
    *n = (model_numbers){0};
}

long first_difference(const model_numbers *a, const model_numbers *b)
{
    size_t least = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < least; i++)
        if (memcmp(&a->at[i], &b->at[i], sizeof *a->at) != 0)
            return (long)i;
    return a->count == b->count ? -1 : (long)least;
}

/* --- what a model has ------------------------------------------------------------------------- */

static void put_bodies(model_numbers *n, const lmb_model *m)
{
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        put_text(n, b->name);
        put_address(n, b->ops);
        PUT(n, b->nq, b->nv, b->q, b->v, b->node_count, b->cluster_count, b->cluster, b->window,
            b->window_count, b->row, b->row_count, b->turn, b->z, b->nz, b->massless,
            b->velocity_given, b->spin_given, b->point, b->point_count, b->place.line,
            b->shape != NULL, b->own != NULL, m->body_marker[i]);
        put(n, b->mass);
        put(n, b->angle);
        put_numbers(n, &b->inertia.c[0].x, 9);
        put_numbers(n, &b->velocity.x, 3);
        put_numbers(n, &b->spin.x, 3);
        put_frame(n, &b->start);
    }
    for (int i = 0; i < m->point_count; i++) {
        put_text(n, m->points[i].name);
        PUT(n, m->points[i].body, m->points[i].marker, m->points[i].own_axes);
    }
    for (int i = 0; i < m->probe_count; i++) {
        const lmb_probe *p = &m->probes[i];
        put_text(n, p->name);
        PUT(n, p->body, p->beam, p->largest);
        put_integers(n, p->places, p->count);
    }
}

static void put_product(model_numbers *n, const lmb_product *p)
{
    PUT(n, (int)p->kind, p->i, p->j);
    put_numbers(n, &p->g.x, 3);
    put(n, p->radius);
}

static void put_parts(model_numbers *n, const lmb_rows *x)
{
    PUT(n, x->marker_count, x->pair_count, x->term_count, x->row_count, x->coordinate_count,
        x->turn_count);
    for (int i = 0; i < x->marker_count; i++) {
        const lmb_marker *k = &x->markers[i];
        PUT(n, k->body, k->point, k->before, k->node, k->node_count, k->v, k->nv, k->cluster,
            k->spread);
        put_frame(n, &k->local);
    }
    for (int i = 0; i < x->pair_count; i++)
        PUT(n, x->pairs[i].a, x->pairs[i].b);
    for (int i = 0; i < x->term_count; i++) {
        const lmb_term *t = &x->terms[i];
        put_product(n, &t->product);
        put(n, t->factor);
        PUT(n, t->pair, (int)t->part, t->law, t->turn);
    }
    for (int i = 0; i < x->row_count; i++) {
        const lmb_row *r = &x->rows[i];
        put_text(n, r->label);
        PUT(n, r->term, r->term_count, r->guard, r->guard_count, (int)r->measure, r->velocity_level,
            r->body, r->own);
    }
    for (int i = 0; i < x->coordinate_count; i++) {
        const lmb_coordinate *c = &x->coordinates[i];
        put_text(n, c->name);
        put_product(n, &c->product);
        put(n, c->near);
        PUT(n, (int)c->kind, c->pair, c->turn, c->flipped);
    }
}

static void put_joints(model_numbers *n, const lmb_model *m)
{
    for (int i = 0; i < m->joint_count; i++) {
        const lmb_joint *j = &m->joints[i];
        put_text(n, j->name);
        put_address(n, j->type);
        PUT(n, j->row, j->row_count, j->coordinate, j->coordinate_count, j->driver, j->pair,
            j->ends);
    }
    for (int i = 0; i < m->driver_count; i++) {
        const lmb_driver *d = &m->drivers[i];
        put_text(n, d->name);
        PUT(n, d->joint, d->next, d->coordinate, d->law, d->row);
    }
    for (int i = 0; i < m->law_count; i++) {
        PUT(n, m->laws[i].rate, m->laws[i].start_given, m->laws[i].coordinate);
        put(n, m->laws[i].start);
    }
    for (int i = 0; i < m->initial_count; i++) {
        const lmb_initial *x = &m->initials[i];
        put_text(n, x->name);
        PUT(n, x->joint, x->coordinate, x->rate);
        put(n, x->value);
    }
}

static void put_forces(model_numbers *n, const lmb_model *m)
{
    for (int i = 0; i < m->force_count; i++) {
        const lmb_force *f = &m->forces[i];
        put_text(n, f->name);
        put_address(n, f->type);
        PUT(n, f->pair, f->pair_count, f->vector, f->input, f->input_count, f->variable, f->joint,
            f->turn, f->law ? lmb_expr_size(f->law) : 0);
        for (int k = f->input; k < f->input + f->input_count; k++) {
            const lmb_input *in = &m->inputs[k];
            PUT(n, (int)in->kind, in->index, in->marker[0], in->marker[1]);
            put(n, in->floor);
            put_integers(n, in->couple, 4 * f->pair_count);
        }
    }
}

static void put_selection(model_numbers *n, const lmb_selection *x)
{
    put_integers(n, x->joints, x->joint_count);
    put_integers(n, x->drivers, x->driver_count);
    put_integers(n, x->forces, x->force_count);
    put_integers(n, x->events, x->event_count);
}

static void put_sensors(model_numbers *n, const lmb_model *m)
{
    for (int i = 0; i < m->sensor_count; i++) {
        const lmb_sensor *s = &m->sensors[i];
        put_text(n, s->name);
        put_text(n, s->text);
        PUT(n, (int)s->kind, s->marker, s->gravity, s->probe);
        put_numbers(n, &s->axes.c[0].x, 9);
        put_numbers(n, s->fibre, 2);
    }
    for (int i = 0; i < m->event_count; i++) {
        const lmb_event *e = &m->events[i];
        put_text(n, e->name);
        put_text(n, e->text);
        PUT(n, (int)e->direction, e->stop);
        put_selection(n, &e->release);
        put_selection(n, &e->latch);
    }
    for (int i = 0; i < m->constant_count; i++) {
        const lmb_symbol *s = &m->constants[i].symbol;
        put_text(n, m->constants[i].name);
        PUT(n, (int)s->kind, s->size);
        put_numbers(n, s->value, 3);
    }
    for (int i = 0; i < m->record_count; i++) {
        const lmb_record *r = &m->records[i];
        put_text(n, r->text);
        PUT(n, (int)r->curve, r->bins, r->window, r->source, r->at, r->first, r->last);
        put(n, r->t0);
        put(n, r->t1);
    }
}

static void put_analyses(model_numbers *n, const lmb_model *m)
{
    for (int i = 0; i < m->analysis_count; i++) {
        const lmb_analysis *a = &m->analyses[i];
        const lmb_integration *o = &a->integration;
        const lmb_path *p = &a->path;
        put_text(n, a->name);
        const void *const kinds[] = {a->kind, o->integrator, o->begin, a->solver};
        for (int k = 0; k < 4; k++)
            put_address(n, kinds[k]);
        const double numbers[] = {a->start,  a->duration, a->output_step,     o->tolerance,
                                  o->step,   o->penalty,  o->spectral_radius, o->baumgarte,
                                  o->period, p->load};
        put_numbers(n, numbers, (int)(sizeof numbers / sizeof *numbers));
        PUT(n, (int)o->projection, (int)o->stabilisation, o->independent_count, o->taylor,
            o->to_rounding, p->arc, p->steps, p->points, p->branch, a->modes, a->result_count,
            a->from, a->threads);
        put_integers(n, o->independent, o->independent_count);
        for (int k = 0; p->scaled && k <= m->force_count; k++)
            PUT(n, p->scaled[k]);
        for (int k = 0; k < a->result_count; k++)
            put_text(n, a->results[k].text);
        put_selection(n, &a->without);
    }
    for (int i = 0; i < m->objective_count; i++) {
        const lmb_objective *o = &m->objectives[i];
        put_text(n, o->name);
        put_text(n, o->text);
        PUT(n, (int)o->kind, o->analysis, (int)o->smoothing);
        const double numbers[] = {o->from, o->to, o->at, o->sharpness};
        put_numbers(n, numbers, 4);
        lmb_jet values[64] = {{0}}, out[3];
        for (int k = 0; k < 64; k++)
            values[k].f = 1 + 0.1 * k;
        if (o->expression && m->objective_count < 64) {
            lmb_expr_evaluate(o->expression, 0, values, out);
            put(n, out[0].f);
        }
    }
}

static void put_index(model_numbers *n, const lmb_model *m)
{
    PUT(n, m->nq, m->nv, m->nz, m->nrows, m->mode_count, m->largest_nv, m->largest_mass,
        m->largest_window, m->largest_nz, m->largest_first_order, m->node_count, m->cluster_count,
        m->value_count, m->mass_count, m->couple_count, m->couple_values, m->variable_count,
        m->vector_count);
    put(n, m->length);
    put(n, m->heaviest);
    put_numbers(n, m->z_size, m->nz);
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *x = &m->nodes[i];
        PUT(n, (int)x->kind, (int)x->class, x->nq, x->nv, x->q, x->v, x->body, x->cluster);
    }
    for (int i = 0; i < m->nv; i++) {
        PUT(n, m->columns[i].body, (int)m->columns[i].class);
        put(n, m->columns[i].size);
    }
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        PUT(n, c->body, c->node, c->node_count, c->v, c->nv, c->mass, c->couple,
            m->first_couple[i]);
    }
    for (int i = 0; i < m->nrows; i++) {
        const lmb_sparse_row *r = &m->sparse_rows[i];
        PUT(n, r->block, r->block_count, r->value, r->value_count, m->row_owner[i]);
        put(n, r->scale);
        for (int k = r->block; k < r->block + r->block_count; k++)
            PUT(n, m->blocks[k].cluster, m->blocks[k].v, m->blocks[k].nv, m->blocks[k].value);
    }
    for (int i = 0; i < m->parts.term_count; i++)
        PUT(n, m->term_places[i].a, m->term_places[i].b);
    for (int i = 0; i < m->couple_count; i++) {
        const lmb_couple *c = &m->couples[i];
        PUT(n, c->row, c->column, c->row_v, c->row_nv, c->column_v, c->column_nv, c->value,
            c->next);
    }
    for (int i = 0; i < m->parts.pair_count; i++)
        put_integers(n, m->pair_couples[i].at, 4);
}

static void put_rotor(model_numbers *n, const lmb_rotor *r)
{
    const double numbers[] = {r->gravity[0],
                              r->gravity[1],
                              r->speed,
                              r->from,
                              r->to,
                              r->damping_mass,
                              r->damping_stiffness,
                              r->damping_ratio,
                              r->internal_damping,
                              r->torque,
                              r->axial_force,
                              r->run_from,
                              r->run_to,
                              r->run_duration,
                              r->run_step};
    put_numbers(n, numbers, (int)(sizeof numbers / sizeof *numbers));
    PUT(n, r->steps, r->modes, (int)r->theory, r->piece_count, r->disc_count, r->bearing_count,
        r->coupling_count, r->unbalance_count, r->probe_count, r->runs_up);
}

/* --- what it computes ------------------------------------------------------------------------- */

/* Moves all coordinates a little, and all multipliers, so that no term is zero. */
static void stir(lmb_state *s)
{
    const lmb_model *m = s->model;
    double *from = malloc(((size_t)m->nq + 1) * sizeof *from);
    double *step = malloc(((size_t)m->nv + 1) * sizeof *step);
    if (!from || !step)
        abort();
    memcpy(from, s->q, (size_t)m->nq * sizeof *from);
    for (int i = 0; i < m->nv; i++) {
        step[i] =
            1e-3 * m->length * sin(1 + 3 * i) / (m->columns[i].size > 0 ? m->columns[i].size : 1);
        s->a[i] = 0.3 * sin(1 + i);
        s->v[i] += 0.2 * cos(1 + 2 * i);
    }
    lmb_retract(s, from, step);
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = cos(2 + r) * m->heaviest;
    free(from);
    free(step);
}

static void put_equations(model_numbers *n, lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t most = (size_t)(m->nrows + m->nv + m->mass_count) + 1;
    double *x = calloc(most, sizeof *x), powers[LMB_WORK_COUNT] = {0};
    if (!x)
        abort();
    lmb_constraints(s, x);
    put_numbers(n, x, m->nrows);
    lmb_jacobian(s);
    put_numbers(n, s->jacobian, m->value_count);
    lmb_velocity_side(s, x);
    put_numbers(n, x, m->nrows);
    lmb_acceleration_side(s, x);
    put_numbers(n, x, m->nrows);
    lmb_mass_blocks(s, x);
    put_numbers(n, x, m->mass_count);
    lmb_total_force(s, x);
    put_numbers(n, x, m->nv);
    lmb_tangent_blocks(s);
    put_numbers(n, s->tangent_q, m->couple_values);
    put_numbers(n, s->tangent_v, m->couple_values);
    lmb_powers(s, powers);
    put_numbers(n, powers, LMB_WORK_COUNT);
    for (int i = 0; i < m->law_count; i++)
        put_numbers(n, &s->laws[i].f, 3);
    free(x);
}

static void put_channels(model_numbers *n, lmb_context *context, const lmb_state *s, int analysis)
{
    const lmb_model *m = s->model;
    lmb_channels *c;
    int objectives = 0;
    if (lmb_channels_new(&c, context, m, m->analyses[analysis].kind->known))
        abort();
    for (int i = 0; i < m->objective_count; i++)
        if (m->objectives[i].analysis == analysis) {
            if (lmb_channels_add_objective(c, context, &m->objectives[i]))
                abort();
            objectives++;
        }
    for (int i = 0; i < lmb_channels_count(c); i++)
        put_text(n, lmb_channels_list(c)[i].name);
    put_numbers(n, lmb_channels_row(c, s), lmb_channels_width(c));
    if (objectives)
        put_numbers(n, lmb_channels_objectives(c, s), objectives);
    lmb_channels_free(c);
}

model_numbers numbers_of_model(lmb_context *context, const lmb_model *m)
{
    enum { INSTANTS = 2 };
    model_numbers n = {0};
    put_text(&n, m->title);
    PUT(&n, m->dimension, m->body_count, m->point_count, m->joint_count, m->driver_count,
        m->force_count, m->law_count, m->sensor_count, m->event_count, m->analysis_count,
        m->constant_count, m->input_count, m->probe_count, m->initial_count, m->objective_count,
        m->record_count);
    put_numbers(&n, &m->gravity.x, 3);
    put_bodies(&n, m);
    put_parts(&n, &m->parts);
    put_joints(&n, m);
    put_forces(&n, m);
    put_sensors(&n, m);
    put_analyses(&n, m);
    put_index(&n, m);
    if (m->rotor)
        put_rotor(&n, m->rotor);
    lmb_state *s = lmb_state_new(m);
    if (!s)
        abort();
    put_numbers(&n, s->q, m->nq);
    put_numbers(&n, s->v, m->nv);
    stir(s);
    double end = 0;
    for (int i = 0; i < m->analysis_count; i++)
        end = fmax(end, m->analyses[i].start + m->analyses[i].duration);
    for (int k = 0; k < INSTANTS && m->nv; k++) {
        lmb_update(s, 0.37 * end * k);
        put_equations(&n, s);
        for (int i = 0; i < m->analysis_count; i++)
            if (k == 1)
                put_channels(&n, context, s, i);
    }
    lmb_state_free(s);
    return n;
}
