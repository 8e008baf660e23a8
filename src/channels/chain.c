/* Derivatives of numbers of frames by the coordinates of a state. */
#include "channels/chain.h"

static void add_nothing(struct lmb_channels *c, const lmb_state *s, const lmb_number *n,
                        const double *weights, lmb_slopes *out)
{
    (void)c, (void)s, (void)n, (void)weights, (void)out;
}

const lmb_chain lmb_chain_constant = {.slope = add_nothing};

static void add_columns(const lmb_frame *columns, int count, const lmb_frame *weights, double *out)
{
    for (int j = 0; j < count; j++)
        out[j] += frame_dot(&columns[j], weights);
}

void lmb_slopes_add_frame(const lmb_state *s, int marker, const lmb_frame_weights *w,
                          lmb_slopes *out)
{
    const lmb_marker *m = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[m->body];
    const lmb_frame *x = &s->frames[marker];
    lmb_frame *J = s->body_columns, *rate = s->body_rates, *by_q = s->pair_columns,
              *by_v = by_q + s->model->largest_nv;
    if (m->body == 0)
        return;
    lmb_marker_columns(s, marker, J);
    add_columns(J, m->nv, &w->x, out->q + m->v);
    if (w->order >= 1) {
        at->body->ops->frame_rate_tangent(at, m, x, s->v + m->v, rate);
        add_columns(rate, m->nv, &w->rate, out->q + m->v);
        add_columns(J, m->nv, &w->rate, out->v + m->v);
    }
    if (w->order >= 2) {
        at->body->ops->frame_rate_tangent(at, m, x, s->a + m->v, rate);
        at->body->ops->frame_bias_tangent(at, m, x, by_q, by_v);
        add_columns(rate, m->nv, &w->second, out->q + m->v);
        add_columns(by_q, m->nv, &w->second, out->q + m->v);
        add_columns(by_v, m->nv, &w->second, out->v + m->v);
        add_columns(J, m->nv, &w->second, out->a + m->v);
    }
}

/* e_k . sum e_i x r_i / 2: the derivative by r_i is e_k x e_i / 2, by e_i it is r_i x e_k / 2, and
 * that by the first e_k is the sum. */
void lmb_weights_add_turn(lmb_frame_weights *w, const lmb_frame *x, const lmb_frame *rate,
                          int order, int k, double factor)
{
    lmb_frame *on = order == 1 ? &w->rate : &w->second;
    for (int i = 0; i < 3; i++) {
        on->e[i] = v3_axpy(on->e[i], factor / 2, v3_cross(x->e[k], x->e[i]));
        w->x.e[i] = v3_axpy(w->x.e[i], factor / 2, v3_cross(rate->e[i], x->e[k]));
    }
    w->x.e[k] = v3_axpy(w->x.e[k], factor, frame_angular(x, rate));
}

void lmb_marks_add(lmb_slopes *marks, int v, int nv)
{
    for (int j = v; j < v + nv; j++)
        marks->q[j] = marks->v[j] = marks->a[j] = 1;
}

void lmb_marks_add_marker(const lmb_model *m, lmb_slopes *marks, int marker)
{
    if (m->parts.markers[marker].body != 0)
        lmb_marks_add(marks, m->parts.markers[marker].v, m->parts.markers[marker].nv);
}
