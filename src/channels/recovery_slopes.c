/* Derivatives of channels that are recovered from the deformation of bodies with modes.
 *
 * The numbers y of a place or probe are six stresses or section forces,
 *
 *   y = sum_k s_k e_k(eta) + sum_m c_m I_m,   I = (a, w', products of w, eta''),
 *
 * linear in the coordinates e of strains (bodies/modal.h) and in the accelerations I of the body.
 */
#include "bodies/modal.h"
#include "channels/recovery_slopes.h"
#include "reduction/body_data.h"

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

void lmb_recovered_inner(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y)
{
    int room;
    lmb_probe p = probe_of(c, n, &room);
    lmb_probe_numbers(&p, lmb_body_data_of(&c->model->bodies[n->body]),
                      lmb_recovery_deformation(c->recovery, s, n->body), y);
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
    if (!p.beam) {
        lmb_von_mises_slope(y, by);
        return lmb_von_mises(y);
    }
    lmb_section section =
        lmb_line_section_of(lmb_body_data_of(&c->model->bodies[n->body]), p.places[0] / 2);
    lmb_section_forces f = {y[0], y[1], y[2], y[3], y[4], y[5]};
    return lmb_fibre_stress_part(&section, &f, n->probe < 0 ? 0 : n->part, by);
}
