/* Envelopes, participation of modes, and the limits of small deformations. */
#include "channels/recovery.h"

#include <string.h>

#include "base/message.h"
#include "bodies/modal.h"
#include "channels/channels.h"
#include "reduction/body_data.h"

enum { DEFLECTION, ROTATION, STRAIN };

/* --- the beginning ---------------------------------------------------------------------------- */

static double larger(double x, const double *v)
{
    return fmax(x, v3_norm(v3(v[0], v[1], v[2])));
}

/* The extent of a body, and what a unit of each mode moves and turns at most. */
static void measure(lmb_body_record *b, const lmb_body *body)
{
    const lmb_reduced *r = lmb_body_data_of(body)->reduced;
    const lmb_modal *m = lmb_body_elasticity(body)->modal;
    vec3 low = v3(0, 0, 0), high = low;
    for (int i = 0; i < r->node_count + r->point_count; i++) {
        vec3 x = i < r->node_count ? r->x[i] : r->point[i - r->node_count];
        low = i ? v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)) : x;
        high = i ? v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)) : x;
    }
    b->size = v3_norm(v3_sub(high, low));
    for (int k = 0; k < b->modes; k++) {
        size_t first = 3 * (size_t)k * (size_t)r->node_count;
        for (int i = 0; i < r->node_count; i++) {
            b->deflection[k] = larger(b->deflection[k], r->shape + first + 3 * i);
            if (r->turn)
                b->turn[k] = larger(b->turn[k], r->turn + first + 3 * i);
        }
        for (int p = 0; p < m->point_count; p++) {
            b->deflection[k] = fmax(b->deflection[k], v3_norm(m->points[p].psi[k]));
            b->turn[k] = fmax(b->turn[k], v3_norm(m->points[p].phi[k]));
        }
    }
}

/* One entry per node that has stresses, in the order of the nodes. */
static void list_nodes(lmb_body_record *b, lmb_arena *arena)
{
    const lmb_stress_state *s = b->stress;
    int nodes = s->data->reduced->node_count;
    int *number = lmb_arena_integers(arena, (size_t)nodes + 1);
    b->entry = lmb_arena_integers(arena, (size_t)s->places + 1);
    b->node = lmb_arena_integers(arena, (size_t)nodes + 1);
    b->largest = lmb_arena_numbers(arena, (size_t)nodes + 1);
    b->largest_time = lmb_arena_numbers(arena, (size_t)nodes + 1);
    if (!lmb_arena_fine(arena))
        return;
    for (int i = 0; i < s->places; i++)
        number[s->node[i]] = 1;
    for (int i = 0; i < nodes; i++)
        if (number[i]) {
            b->node[b->node_count] = i;
            number[i] = b->node_count++;
        }
    for (int i = 0; i < s->places; i++)
        b->entry[i] = number[s->node[i]];
}

static void start(lmb_body_record *b, lmb_arena *arena, const lmb_body *body)
{
    double **const arrays[] = {&b->amplitude,  &b->amplitude_time, &b->energy,  &b->energy_sum,
                               &b->deflection, &b->turn,           &b->strained};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = lmb_arena_numbers(arena, (size_t)b->modes);
    if (lmb_arena_fine(arena))
        measure(b, body);
    if (b->stress)
        list_nodes(b, arena);
    if (b->stress)
        b->peak_e = lmb_arena_numbers(arena, (size_t)lmb_stress_columns(b->stress->data) + 1);
}

/* Where the numbers of a channel "body.name" start in a row; 0: there is none. */
static int place_of(const lmb_channels *channels, const char *body, const char *name)
{
    int at = lmb_channels_place(channels, body, name);
    return at < 0 ? 0 : at;
}

lmb_run_record *lmb_run_record_new(lmb_arena *arena, const lmb_recovery *recovery,
                                   const lmb_channels *channels)
{
    const lmb_model *m = recovery->model;
    lmb_run_record *r = lmb_arena_alloc(arena, 1, sizeof *r);
    lmb_body_record *bodies = lmb_arena_alloc(arena, (size_t)m->body_count, sizeof *bodies);
    if (!r || !bodies)
        return NULL;
    *r = (lmb_run_record){m, bodies, 0, lmb_span_all};
    for (int i = 1; i < m->body_count; i++) {
        const lmb_body *body = &m->bodies[i];
        if (!lmb_body_modal_node(body) || !lmb_body_data_of(body))
            continue;
        lmb_body_record *b = &r->bodies[r->count++];
        *b = (lmb_body_record){.body = i,
                               .modes = lmb_body_modal_node(body)->nv,
                               .at = {place_of(channels, body->name, "modes"),
                                      place_of(channels, body->name, "stress_coordinates")},
                               .stress = recovery->stress[i],
                               .inertia = recovery->inertia[i] != NULL};
        if (b->stress && b->stress->data->line_count == 0)
            b->many = lmb_stress_rows_new(arena, b->stress->data, b->stress->size);
        b->max_at = place_of(channels, body->name, "stress.max");
        b->max_node_at = place_of(channels, body->name, "stress.node");
        b->correction_at = place_of(channels, body->name, "stress.correction");
        start(b, arena, body);
    }
    return lmb_arena_fine(arena) ? r : NULL;
}

/* --- envelopes and participation -------------------------------------------------------------- */

/* Return the coordinates of stresses in a row: their own channel, or the modal coordinates if there
 * is none. */
static const double *coordinates_of(const lmb_body_record *b, const double *row)
{
    return row + (b->at.coordinates > 0 ? b->at.coordinates : b->at.modes);
}

static void find_stress(lmb_body_record *b, const double *row)
{
    const double *e = coordinates_of(b, row);
    lmb_stress_state_find(
        b->stress,
        (lmb_deformation){e, b->inertia ? e + lmb_stress_columns(b->stress->data) : NULL});
}

/* Update the largest stress of all instants with the stress at a place of the body. */
static void take_peak(lmb_body_record *b, double t, const double *row, double mises, int place)
{
    if (mises <= b->peak)
        return;
    b->peak = mises;
    b->peak_time = t;
    b->peak_place = place;
    memcpy(b->peak_e, coordinates_of(b, row),
           (size_t)lmb_stress_columns(b->stress->data) * sizeof *b->peak_e);
    b->peak_correction = lmb_stress_correction(b->stress->data, b->peak_e, place, mises);
}

static void take_stress(lmb_body_record *b, double t)
{
    const lmb_stress_state *s = b->stress;
    for (int i = 0; b->instants == 0 && i < b->node_count; i++)
        b->largest_time[i] = t;
    for (int i = 0; i < s->places; i++) {
        int e = b->entry[i];
        if (s->mises[i] > b->largest[e]) {
            b->largest[e] = s->mises[i];
            b->largest_time[e] = t;
        }
    }
}

/* A mode has the part e_k (K e)_k / 2 of the energy, e its coordinates as far as they are strains;
 * the parts add up to all of it. */
static void take_modes(lmb_body_record *b, const double *K, double t, const double *eta,
                       const double *e)
{
    for (int k = 0; k < b->modes; k++) {
        double force = 0;
        for (int j = 0; j < b->modes; j++)
            force += K[(size_t)j * (size_t)b->modes + (size_t)k] * e[j];
        double energy = e[k] * force / 2;
        if (fabs(eta[k]) > b->amplitude[k] || b->instants == 0) {
            b->amplitude[k] = fabs(eta[k]);
            b->amplitude_time[k] = t;
        }
        b->energy[k] = fmax(b->energy[k], energy);
        b->energy_sum[k] += energy;
    }
}

/* --- small deformations ----------------------------------------------------------------------- */

/* sum |eta_k| most_k: no point moves by more */
static double bound(const lmb_body_record *b, const double *most, const double *eta)
{
    double sum = 0;
    for (int k = 0; k < b->modes; k++)
        sum += fabs(eta[k]) * most[k];
    return sum;
}

/* A place of a body: an interface point, or a node. */
typedef struct where {
    double value;
    int point, node; /* -1: not one */
} where;

static vec3 node_sum(const lmb_body_record *b, int nodes, const double *shape, int node,
                     const double *eta)
{
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < b->modes; k++) {
        const double *s = shape + 3 * ((size_t)k * (size_t)nodes + (size_t)node);
        sum = v3_axpy(sum, eta[k], v3(s[0], s[1], s[2]));
    }
    return sum;
}

/* Where the body is displaced or turned most. */
static where find_most(const lmb_body_record *b, const lmb_body *body, bool turn, const double *eta)
{
    const lmb_reduced *r = lmb_body_data_of(body)->reduced;
    const double *shape = turn ? r->turn : r->shape;
    where most = {0, -1, -1};
    for (int i = 0; shape && i < r->node_count; i++) {
        double value = v3_norm(node_sum(b, r->node_count, shape, i, eta));
        if (value > most.value)
            most = (where){value, -1, i};
    }
    for (int p = 0; p < lmb_body_elasticity(body)->modal->point_count; p++) {
        const lmb_modal_point *point = &lmb_body_elasticity(body)->modal->points[p];
        vec3 sum = v3(0, 0, 0);
        for (int k = 0; k < b->modes; k++)
            sum = v3_axpy(sum, eta[k], turn ? point->phi[k] : point->psi[k]);
        if (v3_norm(sum) > most.value * (1 + 1e-9))
            most = (where){v3_norm(sum), p, -1};
    }
    return most;
}

static double modulus(const lmb_body_data *d, int place)
{
    return place < d->stress_count
               ? d->stress_material[2 * (size_t)place]
               : d->line_section[(size_t)((place - d->stress_count) / 2) * LMB_LINE_NUMBERS +
                                 LMB_LINE_E];
}

/* Where von Mises' stress over the modulus is largest. */
static where find_strain(const lmb_stress_state *s)
{
    where most = {0, -1, -1};
    for (int i = 0; i < s->places; i++) {
        double value = s->mises[i] / modulus(s->data, i);
        if (value > most.value)
            most = (where){value, -1, s->node[i]};
    }
    return most;
}

/* What is to be small, in the words of a warning, and up to where it is. */
static const struct {
    const char *verb, *unit;
    double most;
    const char *most_unit;
} limits[] = {
    [DEFLECTION] = {"is displaced by", " of its size", LMB_SMALL_DEFLECTION, " of its size"},
    [ROTATION] = {"is rotated by", " rad relative to its frame", LMB_SMALL_ROTATION, " rad"},
    [STRAIN] = {"has a strain of", "", LMB_SMALL_STRAIN, " strain"},
};

static void warn(const lmb_body *body, lmb_context *context, int kind, const where *w, double t)
{
    const lmb_reduced *reduced = lmb_body_data_of(body)->reduced;
    char place[96];
    if (w->point >= 0)
        lmb_snprintf(place, sizeof place, "point '%.60s'", reduced->point_name[w->point]);
    else
        lmb_snprintf(place, sizeof place, "node %d", reduced->number[w->node]);
    lmb_warn(context, "body '%s' %s %.2g%s at %s at t = %.6g", body->name, limits[kind].verb,
             w->value, limits[kind].unit, place, t);
    lmb_hint(context,
             "modal superposition holds for small deformations (up to %g%s): make it stiffer, "
             "divide it into several bodies that each deform less, or of a beam say 'deformation: "
             "large'; in fast rotation it may need 'stiffening: true'",
             limits[kind].most, limits[kind].most_unit);
}

/* The bounds are cheap; only where they are passed one looks closer. The largest strain is known,
 * if the body has stresses. */
static void check_small(const lmb_run_record *r, lmb_body_record *b, lmb_context *context, double t,
                        const double *eta, where strain)
{
    const lmb_body *body = &r->model->bodies[b->body];
    for (int kind = DEFLECTION; kind <= STRAIN; kind++) {
        double unit = kind == DEFLECTION ? b->size : 1, limit = limits[kind].most * unit;
        bool passed = kind == STRAIN
                          ? b->stress != NULL
                          : bound(b, kind == ROTATION ? b->turn : b->deflection, eta) > limit;
        if (b->warned[kind] || !passed)
            continue;
        where w = kind == STRAIN ? strain : find_most(b, body, kind == ROTATION, eta);
        b->warned[kind] = w.value > limit;
        w.value /= unit;
        if (b->warned[kind])
            warn(body, context, kind, &w, t);
    }
}

/* One row, with the stresses in the body's state of stress. */
static void take_row(lmb_run_record *r, lmb_body_record *b, lmb_context *context, double t,
                     const double *row)
{
    const lmb_modal *modal = lmb_body_elasticity(&r->model->bodies[b->body])->modal;
    const double *eta = row + b->at.modes, *e = lmb_modal_strained(modal, eta, b->strained);
    if (b->stress)
        find_stress(b, row);
    where strain = b->stress && !b->warned[STRAIN] ? find_strain(b->stress) : (where){0, -1, -1};
    check_small(r, b, context, t, eta, strain);
    if (!lmb_span_holds(r->span, t, 0))
        return;
    if (b->stress) {
        take_stress(b, t);
        take_peak(b, t, row, b->stress->mises[b->stress->worst], b->stress->worst);
    }
    take_modes(b, modal->K, t, eta, e);
    b->instants++;
}

void lmb_run_record_take(lmb_run_record *r, lmb_context *context, double t, const double *row)
{
    for (int i = 0; i < r->count; i++)
        take_row(r, &r->bodies[i], context, t, row);
}

/* --- many rows at once ------------------------------------------------------------------------ */

static void find_part(void *data, int part)
{
    const lmb_run_record *r = data;
    for (int i = 0; i < r->count; i++) {
        lmb_stress_rows *many = r->bodies[i].many;
        if (many && part < many->parts) {
            lmb_stress_rows_find(many, part);
            return;
        }
        part -= many ? many->parts : 0;
    }
}

/* The stresses of all bodies of solids. */
static void find_stresses(lmb_run_record *r, lmb_workers *workers, int count, const double *t,
                          const double *rows, size_t stride)
{
    int parts = 0;
    for (int i = 0; i < r->count; i++) {
        lmb_body_record *b = &r->bodies[i];
        if (!b->many)
            continue;
        b->many->count = 0;
        for (int k = 0; k < count; k++)
            lmb_stress_rows_put(b->many, coordinates_of(b, rows + (size_t)k * stride),
                                lmb_span_holds(r->span, t[k], 0));
        parts += b->many->parts;
    }
    lmb_workers_run(workers, find_part, r, parts);
}

/* Takes the largest stresses of the rows into the envelope: at each node the first instant. */
static void take_envelope(lmb_body_record *b, const double *t)
{
    const lmb_stress_rows *m = b->many;
    for (int i = 0; i < m->places; i++) {
        int e = b->entry[i];
        double time = t[m->instant[i]];
        if (m->largest[i] > b->largest[e] ||
            (m->largest[i] > 0 && m->largest[i] == b->largest[e] && time < b->largest_time[e])) {
            b->largest[e] = m->largest[i];
            b->largest_time[e] = time;
        }
    }
}

/* The rows of a body whose stresses are found. */
static void take_rows(lmb_run_record *r, lmb_body_record *b, lmb_context *context, int count,
                      const double *t, double *rows, size_t stride)
{
    const lmb_modal *modal = lmb_body_elasticity(&r->model->bodies[b->body])->modal;
    const int *node = b->stress->node, *number = b->stress->data->reduced->number;
    for (int k = 0; k < count; k++) {
        double *row = rows + (size_t)k * stride;
        const double *eta = row + b->at.modes;
        lmb_stress_most most = lmb_stress_rows_most(b->many, k, false);
        lmb_stress_most strain = lmb_stress_rows_most(b->many, k, true);
        row[b->max_at] = most.value;
        row[b->max_node_at] = number[node[most.place]];
        if (b->correction_at > 0)
            row[b->correction_at] = lmb_stress_correction(b->stress->data, coordinates_of(b, row),
                                                          most.place, most.value);
        check_small(r, b, context, t[k], eta, (where){strain.value, -1, node[strain.place]});
        if (!lmb_span_holds(r->span, t[k], 0))
            continue;
        for (int i = 0; b->instants == 0 && i < b->node_count; i++)
            b->largest_time[i] = t[k];
        take_peak(b, t[k], row, most.value, most.place);
        take_modes(b, modal->K, t[k], eta, lmb_modal_strained(modal, eta, b->strained));
        b->instants++;
    }
    take_envelope(b, t);
}

void lmb_run_record_take_rows(lmb_run_record *r, lmb_context *context, lmb_workers *workers,
                              int count, const double *t, double *rows, size_t stride)
{
    find_stresses(r, workers, count, t, rows, stride);
    for (int i = 0; i < r->count; i++) {
        lmb_body_record *b = &r->bodies[i];
        if (b->many)
            take_rows(r, b, context, count, t, rows, stride);
        for (int k = 0; k < count && !b->many; k++)
            take_row(r, b, context, t[k], rows + (size_t)k * stride);
    }
}

void lmb_run_record_finish(const lmb_run_record *r, lmb_context *context)
{
    for (int i = 0; r && i < r->count; i++) {
        const lmb_body_record *b = &r->bodies[i];
        if (b->peak_correction <= LMB_SMALL_CORRECTION)
            continue;
        lmb_warn(context,
                 "%.0f %% of the largest stress of body '%s', at t = %.6g, come from the static "
                 "response to loads that its kept modes do not represent",
                 100 * b->peak_correction, r->model->bodies[b->body].name, b->peak_time);
        lmb_hint(context, "the stress includes this response, but the motion does not: keep more "
                          "modes (`limber reduce` prints how well they represent each load)");
    }
}
