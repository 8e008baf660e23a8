/* The list of recovered channels and their numbers. */
#include "channels/recovery.h"

#include <string.h>

#include "base/text.h"
#include "bodies/modal.h"
#include "channels/channel_list.h"
#include "reduction/body_data.h"
#include "reduction/residual.h"

static const double *modal_coordinates(const lmb_state *s, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    return s->q + b->nodes[lmb_body_elasticity(b)->node].q;
}

/* Compute the amplitudes of the unit loads of a body (reduction/residual.h): loads on interface
 * points, forces on patches, products of its angular velocity w. */
static void put_loads(lmb_recovery *r, const lmb_state *s, int body, vec3 w, double *out)
{
    const lmb_body *b = &s->model->bodies[body];
    int dimension = s->model->dimension, motions = lmb_interface_motions(dimension);
    const lmb_interface_load *loads = lmb_recovery_loads(r, s) + b->point;
    const lmb_reduced *reduced = lmb_body_data_of(b)->reduced;
    for (int p = 0; p < reduced->point_count; p++)
        for (int i = 0; i < motions; i++) {
            int d = lmb_interface_direction(dimension, i);
            *out++ = v3_get(d < LMB_RX ? loads[p].force : loads[p].torque, d % 3);
        }
    loads += reduced->point_count;
    for (int i = 0; i < reduced->patch_count * dimension; i++)
        *out++ = v3_get(loads[i / dimension].force, i % dimension);
    for (int k = 0; k < LMB_SPINS; k++)
        if (lmb_has_spin(dimension, k))
            *out++ = v3_get(w, lmb_spin_pair[k][0]) * v3_get(w, lmb_spin_pair[k][1]);
}

/* Return the angular velocity of a body in its axes, or 0 if the analysis has no velocities or the
 * body neglects forces quadratic in velocity. */
static vec3 spin_of(const lmb_recovery *r, const lmb_state *s, int body)
{
    int marker = s->model->body_marker[body];
    mat3 R = frame_rotation(&s->bodies[body].pose);
    if (!r->moves || lmb_body_elasticity(&s->model->bodies[body])->modal->no_quadratic)
        return v3(0, 0, 0);
    return m3_tmul(&R, frame_angular(&s->frames[marker], &s->rates[marker]));
}

/* Return the coordinates of the stresses of a body: the modal coordinates that cause strain, then
 * the amplitudes of its unit loads. */
static const double *strained(lmb_recovery *r, const lmb_state *s, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    const lmb_modal *modal = lmb_body_elasticity(b)->modal;
    double *room = r->strained[body];
    const double *e = lmb_modal_strained(modal, modal_coordinates(s, body), room);
    if (lmb_body_data_of(b)->load_count == 0)
        return e;
    if (e != room)
        memcpy(room, e, (size_t)modal->modes * sizeof *room);
    if (r->corrected)
        put_loads(r, s, body, spin_of(r, s, body), room + modal->modes);
    return room;
}

lmb_deformation lmb_recovery_deformation(lmb_recovery *r, const lmb_state *s, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    if (r->inertia[body] && !r->inertia_known[body]) {
        int marker = s->model->body_marker[body];
        mat3 R = frame_rotation(&s->bodies[body].pose);
        lmb_frame x = lmb_frame_acceleration(s, marker);
        vec3 a = m3_tmul(&R, v3_sub(x.p, s->model->gravity));
        vec3 w = m3_tmul(&R, frame_angular(&s->frames[marker], &s->rates[marker]));
        vec3 wd = m3_tmul(&R, frame_angular(&s->frames[marker], &x));
        lmb_carried_motion(a, w, wd, s->a + lmb_body_modal_node(b)->v, lmb_body_modal_node(b)->nv,
                           r->inertia[body]);
        r->inertia_known[body] = true;
    }
    return (lmb_deformation){strained(r, s, body), r->inertia[body]};
}

const lmb_stress_state *lmb_recovery_stress(lmb_recovery *r, const lmb_state *s, int body)
{
    lmb_stress_state_find(r->stress[body], lmb_recovery_deformation(r, s, body));
    return r->stress[body];
}

/* --- stresses of bodies and probes ------------------------------------------------------------ */

/* Return the largest von Mises stress in a body, the number of its node, or the share of the static
 * response to loads in the stress. */
enum { LARGEST, NODE, CORRECTION };

static void get_largest(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    lmb_stress_state *stress = c->recovery->stress[body];
    if (c->recovery->later[body])
        return;
    lmb_recovery_stress(c->recovery, s, body);
    int worst = stress->worst;
    out[0] = part == LARGEST ? stress->mises[worst]
             : part == NODE
                 ? stress->data->reduced->number[stress->node[worst]]
                 : lmb_stress_correction(stress->data, stress->e, worst, stress->mises[worst]);
}

/* What all stresses of the body are linear in. */
static void get_coordinates(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_body_data *d = lmb_body_data_of(&s->model->bodies[body]);
    size_t columns = (size_t)lmb_stress_columns(d), modes = (size_t)d->reduced->mode_count;
    lmb_deformation now = lmb_recovery_deformation(c->recovery, s, body);
    memcpy(out, now.e, columns * sizeof *out);
    if (now.inertia)
        memcpy(out + columns, now.inertia, (LMB_CARRIED + modes) * sizeof *out);
}

/* --- derivatives of stresses ------------------------------------------------------------------
 *
 * The numbers y of a place or probe are six stresses or section forces,
 *
 *   y = sum_k s_k e_k(eta) + sum_m c_m I_m,   I = (a, w', products of w, eta''),
 *
 * linear in the coordinates e of strains (bodies/modal.h) and in the accelerations I of the body.
 * Stresses of solids also depend on the loads of the body, which depend on the whole mechanism.
 * Their derivatives are finite differences. */

/* The probe of a number, or its place as a probe; `room` holds the place. */
static lmb_probe probe_of(const lmb_channels *c, const lmb_number *n, int *room)
{
    if (n->probe >= 0)
        return c->model->probes[n->probe];
    int solids = c->recovery->stress[n->body]->data->stress_count;
    bool beam = n->place >= solids;
    *room = beam ? n->place - solids : n->place;
    return (lmb_probe){.body = n->body, .beam = beam, .places = room, .count = 1};
}

bool lmb_recovered_is_loaded(const lmb_channels *c, const lmb_number *n)
{
    const lmb_body_data *d = lmb_body_data_of(&c->model->bodies[n->body]);
    bool beam = n->probe >= 0 ? c->model->probes[n->probe].beam : n->place >= d->stress_count;
    return c->recovery->corrected && d->load_count > 0 && !beam;
}

void lmb_recovered_inner(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y)
{
    int room;
    lmb_recovery *r = c->recovery;
    lmb_probe p = probe_of(c, n, &room);
    if (n->probe < 0 || r->numbers_of != n->probe) /* channels of a probe ask one after the other */
        lmb_probe_numbers(&p, lmb_body_data_of(&c->model->bodies[n->body]),
                          lmb_recovery_deformation(r, s, n->body), r->numbers);
    r->numbers_of = n->probe;
    memcpy(y, r->numbers, sizeof r->numbers);
}

/* Adds the derivatives of weights . I of the frame, in the axes of the body. */
static void add_frame_slope(const lmb_state *s, int marker, const double *weights, lmb_slopes *out)
{
    const lmb_frame *x = &s->frames[marker];
    lmb_frame second = lmb_frame_acceleration(s, marker);
    vec3 spin = frame_angular(x, &s->rates[marker]);
    double w[3] = {v3_dot(x->e[0], spin), v3_dot(x->e[1], spin), v3_dot(x->e[2], spin)};
    const double *square = weights + LMB_CARRIED_SPIN, *mixed = square + 3; /* xx yy zz, xy yz zx */
    lmb_frame_weights to = {.order = 2};
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        to.second.p = v3_axpy(to.second.p, weights[k], x->e[k]);
        to.x.e[k] = v3_axpy(to.x.e[k], weights[k], v3_sub(second.p, s->model->gravity));
        lmb_weights_add_turn(&to, x, &second, 2, k, weights[3 + k]);
        lmb_weights_add_turn(&to, x, &s->rates[marker], 1, k,
                             2 * square[k] * w[k] + mixed[k] * w[next] + mixed[last] * w[last]);
    }
    lmb_slopes_add_frame(s, marker, &to, out);
}

void lmb_recovered_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                         const double *weights, lmb_slopes *out)
{
    int room;
    lmb_recovery *r = c->recovery;
    lmb_probe p = probe_of(c, n, &room);
    const lmb_body *b = &c->model->bodies[n->body];
    const lmb_node *modal = lmb_body_modal_node(b);
    bool accelerated = p.beam && r->inertia[n->body];
    double *by_eta = r->weights, *by_inertia = accelerated ? by_eta + modal->nv : NULL;
    lmb_probe_slopes(&p, lmb_body_data_of(b), weights, by_eta, by_inertia);
    lmb_modal_strained_slope(lmb_body_elasticity(b)->modal, s->q + modal->q, by_eta,
                             out->q + modal->v);
    if (!by_inertia)
        return;
    add_frame_slope(s, c->model->body_marker[n->body], by_inertia, out);
    for (int k = 0; k < modal->nv; k++)
        out->a[modal->v + k] += by_inertia[LMB_CARRIED + k];
}

double lmb_recovered_stress(lmb_channels *c, const lmb_number *n, const double *y, double *by)
{
    int room;
    lmb_probe p = probe_of(c, n, &room);
    if (!p.beam)
        return by ? lmb_von_mises_slope(y, by) : lmb_von_mises(y);
    lmb_section section =
        lmb_line_section_of(lmb_body_data_of(&c->model->bodies[n->body]), p.places[0] / 2);
    lmb_section_forces f = {y[0], y[1], y[2], y[3], y[4], y[5]};
    return lmb_fibre_stress_part(&section, &f, n->probe < 0 ? 0 : n->part, by);
}

static void locate_probe(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    (void)s;
    n->probe = n->item;
    n->body = c->model->probes[n->probe].body;
}

/* Whether an expression uses the largest stress of a body, or its node. */
static bool is_used(const lmb_channels *c, int body)
{
    for (int i = 0; i < c->count; i++)
        if (c->sources[i].get == get_largest && c->sources[i].item == body &&
            (c->sources[i].used & (LMB_BY_SENSOR | LMB_BY_EVENT)))
            return true;
    return false;
}

bool lmb_channels_put_off(lmb_channels *c, bool later)
{
    bool any = false;
    for (int i = 0; c->record && i < c->record->count; i++) {
        const lmb_body_record *b = &c->record->bodies[i];
        c->recovery->later[b->body] = later && b->many && !is_used(c, b->body);
        any |= c->recovery->later[b->body];
    }
    return any;
}

/* --- accelerations ---------------------------------------------------------------------------- */

/* What an accelerometer on the frame of a body would read. */
static void get_proper(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    lmb_put_acceleration(s, c->model->body_marker[body], true, out);
}

/* --- derivatives ------------------------------------------------------------------------------ */

static void locate_largest(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    n->place = lmb_recovery_stress(c->recovery, s, n->item)->worst;
}

static double component(lmb_channels *c, const lmb_number *n, const double *y)
{
    (void)c;
    return y[n->part];
}

/* Find the stress at the place of the largest stress, and its part from the static response to
 * loads. */
static void find_parts(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y)
{
    const lmb_body_data *d = lmb_body_data_of(&c->model->bodies[n->body]);
    const double *e = lmb_recovery_deformation(c->recovery, s, n->body).e;
    lmb_recovered_inner(c, s, n, y);
    if (n->place < d->stress_count)
        lmb_stress_of_loads(d, e, n->place, y + LMB_STRESSES);
}

/* Return the von Mises stress of this part over the von Mises stress of the whole; 0 in beams. */
static double find_share(lmb_channels *c, const lmb_number *n, const double *y, double *by)
{
    const lmb_body_data *d = lmb_body_data_of(&c->model->bodies[n->body]);
    double *by_part = by + LMB_STRESSES;
    double all = lmb_von_mises_slope(y, by), part = lmb_von_mises_slope(y + LMB_STRESSES, by_part);
    bool none = n->place >= d->stress_count || !(all > 0);
    for (int i = 0; i < LMB_STRESSES; i++) {
        by[i] = none ? 0 : -by[i] * part / (all * all);
        by_part[i] = none ? 0 : by_part[i] / all;
    }
    return none ? 0 : part / all;
}

#define OF_PROBE LMB_RECOVERED, .locate = locate_probe
#define STRESS .outer = lmb_recovered_stress

static const lmb_chain of_item = {.reach = lmb_reach_body};
static const lmb_chain largest = {LMB_RECOVERED, .locate = locate_largest, STRESS};
static const lmb_chain share = {
    .count = 2 * LMB_STRESSES, .locate = locate_largest, .inner = find_parts, .outer = find_share};
static const lmb_chain probe = {OF_PROBE, STRESS}, probe_part = {OF_PROBE, .linear = component};

/* --- the list --------------------------------------------------------------------------------- */

enum { MOTION = LMB_KNOWN_MOTION };

static const lmb_listed of_body[] = {
    {"proper_acceleration", LMB_VECTOR, "m/s^2",
     "Acceleration of its frame minus gravity, in body axes.", MOTION, .get = get_proper,
     .chain = &of_item},
    {0},
};

static const lmb_listed of_stress[] = {
    {"stress.max", LMB_SCALAR, "Pa", "The largest von Mises stress in the body.", 0,
     .get = get_largest, LARGEST, .chain = &largest},
    {"stress.node", LMB_SCALAR, "", "The number of the node where it is.", 0, .get = get_largest,
     NODE, .chain = &lmb_chain_constant},
    {0},
};

static const lmb_listed of_loads[] = {
    {"stress.correction", LMB_SCALAR, "",
     "Share of stress.max that the kept modes do not represent: static response to loads.",
     LMB_KNOWN_REACTIONS, .get = get_largest, CORRECTION, .chain = &share},
    {0},
};

/* For programs that draw: the coordinates of stresses where they are not the modal ones alone. */
static const lmb_listed of_coordinates[] = {
    {"stress_coordinates", LMB_COUNTED, "",
     "Coordinates of its stresses: modal coordinates with foreshortening%s.", 0,
     .get = get_coordinates},
    {0},
};

static const lmb_listed of_node[] = LMB_TENSOR(
    "Von Mises' stress there.", "Component of the stress there, in body axes.", probe, probe_part);
static const lmb_listed of_nodes[] =
    LMB_TENSOR("Von Mises' stress of the mean stress there.",
               "Mean component of the stress there, in body axes.", probe, probe_part);
static void add_probe(lmb_channels *c, int number)
{
    const lmb_probe *p = &c->model->probes[number];
    const char *body = c->model->bodies[p->body].name;
    if (!p->name)
        return;
    lmb_item stress = {lmb_text_format(c->arena, "%s.stress.%s", body, p->name), .number = number,
                       .chain = &probe};
    lmb_item section = {lmb_text_format(c->arena, "%s.section.%s", body, p->name), .number = number,
                        .chain = &probe_part};
    if (p->largest) {
        lmb_channels_list_member(c, number);
        return;
    }
    lmb_channels_add_all(c,
                         p->beam        ? lmb_fibre_channels
                         : p->count > 1 ? of_nodes
                                        : of_node,
                         stress);
    if (p->beam)
        lmb_channels_add_all(c, lmb_section_channels, section);
}

static void add_body(lmb_channels *c, int body)
{
    const lmb_model *m = c->model;
    const lmb_body *b = &m->bodies[body];
    const lmb_modal *modal = lmb_body_elasticity(b)->modal;
    bool inertia = c->recovery->inertia[body];
    lmb_item item = {b->name, .number = body};
    for (int i = b->point; i < b->point + b->point_count; i++)
        lmb_channels_list_interface(c, i);
    lmb_channels_add_all(c, of_body, item);
    if (!c->recovery->stress[body])
        return;
    int loads = lmb_body_data_of(b)->load_count;
    lmb_channels_add_all(c, of_stress, item);
    if (loads > 0 && c->recovery->corrected)
        lmb_channels_add_all(c, of_loads, item);
    item.of = loads && inertia ? ", loads, accelerations of its frame and of its modes"
              : loads          ? ", loads of its points and patches, products of angular velocity"
              : inertia        ? ", accelerations of its frame and of its modes"
                               : "";
    item.counted = modal->modes + loads + (inertia ? LMB_CARRIED + modal->modes : 0);
    item.chain = loads ? NULL : &of_item;
    if (modal->stretch_count > 0 || inertia || loads)
        lmb_channels_add_all(c, of_coordinates, item);
    for (int i = 0; i < m->probe_count; i++)
        if (m->probes[i].body == body)
            add_probe(c, i);
}

void lmb_channels_list_recovered(lmb_channels *c)
{
    const lmb_model *m = c->model;
    c->recovery = lmb_recovery_new(c->arena, m, c->known);
    for (int i = 1; c->recovery && i < m->body_count; i++)
        if (lmb_body_elasticity(&m->bodies[i]))
            add_body(c, i);
    for (int i = 0; c->recovery && i < m->sensor_count; i++)
        lmb_channels_list_instrument(c, i);
}

lmb_recovery *lmb_recovery_new(lmb_arena *arena, const lmb_model *m, unsigned known)
{
    size_t bodies = (size_t)m->body_count + 1, most = 0;
    bool inertia =
        (known & LMB_KNOWN_MOTION) && !(known & LMB_KNOWN_MODES); /* there velocities are shapes */
    lmb_recovery *r = lmb_arena_alloc(arena, 1, sizeof *r);
    if (!r)
        return NULL;
    *r = (lmb_recovery){.model = m,
                        .corrected = (known & LMB_KNOWN_REACTIONS) && !(known & LMB_KNOWN_MODES),
                        .moves = inertia,
                        .numbers_of = -1,
                        .stress = lmb_arena_alloc(arena, bodies, sizeof *r->stress),
                        .later = lmb_arena_alloc(arena, bodies, sizeof *r->later),
                        .loads =
                            lmb_arena_alloc(arena, (size_t)m->point_count + 1, sizeof *r->loads),
                        .strained = lmb_arena_alloc(arena, bodies, sizeof *r->strained),
                        .inertia = lmb_arena_alloc(arena, bodies, sizeof *r->inertia),
                        .inertia_known = lmb_arena_alloc(arena, bodies, sizeof *r->inertia_known)};
    for (int i = 1; lmb_arena_fine(arena) && i < m->body_count; i++) {
        const lmb_body_data *data = lmb_body_data_of(&m->bodies[i]);
        if (!lmb_body_modal_node(&m->bodies[i]) || !lmb_has_stress(data))
            continue;
        size_t modes = (size_t)lmb_body_elasticity(&m->bodies[i])->modal->modes;
        r->stress[i] = lmb_stress_state_new(arena, data);
        r->strained[i] = lmb_arena_numbers(arena, (size_t)lmb_stress_columns(data));
        most = modes > most ? modes : most;
        if (inertia && data->line_count > 0)
            r->inertia[i] = lmb_arena_numbers(arena, LMB_CARRIED + modes);
    }
    r->weights = lmb_arena_numbers(arena, 2 * most + LMB_CARRIED);
    return lmb_arena_fine(arena) ? r : NULL;
}

void lmb_recovery_next(lmb_recovery *r)
{
    r->loads_known = false;
    r->numbers_of = -1;
    memset(r->inertia_known, 0, (size_t)r->model->body_count * sizeof *r->inertia_known);
}
