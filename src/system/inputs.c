/* Values of inputs, their gradients, and what they add to the tangents of forces.
 *
 * With y an input and g the force on the frames: dQ = J^T (dg/dy) dy, where
 * dy = gx . dx + gv . dxdot for the change dx of the input's frames and dxdot of their velocities.
 */

#include "system/equations.h"

static double coordinate_value(const lmb_state *s, const lmb_input *in)
{
    const lmb_coordinate *c = &s->model->parts.coordinates[in->index];
    double x = lmb_product_value(&c->product, &s->frames[in->marker[0]], &s->frames[in->marker[1]],
                                 c->turn >= 0 ? s->turn[c->turn] : 0);
    return c->kind == LMB_COORDINATE_LENGTH ? sqrt(2 * x) : x;
}

static double coordinate_rate(const lmb_state *s, const lmb_input *in)
{
    return lmb_coordinate_rate(s, &s->model->parts.coordinates[in->index]);
}

/* The force of a joint's rows on its second body. */
static vec3 reaction(const lmb_state *s, const lmb_input *in)
{
    const lmb_joint *j = &s->model->joints[in->index];
    return lmb_row_force(s, j->row, j->row_count, j->pair, true).p;
}

/* Its size; multipliers that a failed step has left behind count as zero. */
static double reaction_size(const lmb_state *s, const lmb_input *in)
{
    vec3 force = reaction(s, in);
    double size = sqrt(v3_dot(force, force) + in->floor * in->floor);
    return isfinite(size) ? size : in->floor;
}

/* F = -sum lambda c dP/dr, so dN/dlambda = -(F / N) . c dP/dr. */
void lmb_reaction_slope(const lmb_state *s, const lmb_input *in, double *slope)
{
    const lmb_rows *parts = &s->model->parts;
    const lmb_joint *j = &s->model->joints[in->index];
    vec3 along = v3_scale(1 / reaction_size(s, in), reaction(s, in));
    for (int r = j->row; r < j->row + j->row_count; r++) {
        lmb_frame gA = frame_zero(), gB = frame_zero();
        for (int t = parts->rows[r].term; t < parts->rows[r].term + parts->rows[r].term_count; t++)
            if (parts->terms[t].pair == j->pair)
                lmb_product_gradient(&parts->terms[t].product, &s->frames[in->marker[0]],
                                     &s->frames[in->marker[1]],
                                     lmb_coefficient(s, &parts->terms[t]).f, &gA, &gB);
        slope[r] = -v3_dot(along, gB.p);
    }
}

/* The gradient of (F / N) . F by the frames, with F / N as it is: second derivatives of products
 * are symmetric, so it is their change along r. */
static void reaction_gradient(const lmb_state *s, const lmb_input *in, lmb_frame gx[2])
{
    const lmb_rows *parts = &s->model->parts;
    const lmb_joint *j = &s->model->joints[in->index];
    lmb_frame still = frame_zero(), along = frame_zero();
    along.p = v3_scale(1 / reaction_size(s, in), reaction(s, in));
    for (int r = j->row; r < j->row + j->row_count; r++)
        for (int t = parts->rows[r].term; t < parts->rows[r].term + parts->rows[r].term_count; t++)
            if (parts->terms[t].pair == j->pair)
                lmb_product_hessian(&parts->terms[t].product, &s->frames[in->marker[0]],
                                    &s->frames[in->marker[1]],
                                    -s->lambda[r] * lmb_coefficient(s, &parts->terms[t]).f, &still,
                                    &along, &gx[0], &gx[1]);
}

double lmb_input_value(const lmb_state *s, const lmb_input *in)
{
    const lmb_frame *x = &s->frames[in->marker[0]], *rate = &s->rates[in->marker[0]];
    switch (in->kind) {
    case LMB_INPUT_POSITION:
        return v3_get(x->p, in->index);
    case LMB_INPUT_VELOCITY:
        return v3_get(rate->p, in->index);
    case LMB_INPUT_ANGLE: /* counts turns */
        return lmb_body_angle(s, s->model->parts.markers[in->marker[0]].body);
    case LMB_INPUT_SPIN:
        return v3_get(frame_angular(x, rate), in->index);
    case LMB_INPUT_SPIN_LOCAL:
        return v3_dot(x->e[in->index], frame_angular(x, rate));
    case LMB_INPUT_COORDINATE:
        return coordinate_value(s, in);
    case LMB_INPUT_COORDINATE_RATE:
        return coordinate_rate(s, in);
    case LMB_INPUT_REACTION:
        return reaction_size(s, in);
    }
    return 0;
}

/* The gradient of an angular velocity about a direction: of n . (sum e_i x e_idot) / 2. */
static void spin_gradient(const lmb_state *s, int marker, vec3 n, lmb_frame *gx, lmb_frame *gv)
{
    for (int i = 0; i < 3; i++) {
        gx->e[i] = v3_scale(0.5, v3_cross(s->rates[marker].e[i], n));
        gv->e[i] = v3_scale(0.5, v3_cross(n, s->frames[marker].e[i]));
    }
}

/* The gradients of a joint coordinate and of its rate. With P half a square, x = sqrt(2 P):
 * dx = dP / x and dxdot = dPdot / x - xdot dx / x. */
static void coordinate_gradient(const lmb_state *s, const lmb_input *in, lmb_frame gx[2],
                                lmb_frame gv[2])
{
    const lmb_coordinate *c = &s->model->parts.coordinates[in->index];
    const lmb_frame *A = &s->frames[in->marker[0]], *B = &s->frames[in->marker[1]];
    bool length = c->kind == LMB_COORDINATE_LENGTH;
    double x = length ? coordinate_value(s, in) : 1;
    if (in->kind == LMB_INPUT_COORDINATE) {
        lmb_product_gradient(&c->product, A, B, 1 / x, &gx[0], &gx[1]);
        return;
    }
    lmb_product_hessian(&c->product, A, B, 1 / x, &s->rates[in->marker[0]],
                        &s->rates[in->marker[1]], &gx[0], &gx[1]);
    lmb_product_gradient(&c->product, A, B, 1 / x, &gv[0], &gv[1]);
    if (length)
        lmb_product_gradient(&c->product, A, B, -coordinate_rate(s, in) / (x * x), &gx[0], &gx[1]);
}

/* The gradients of an input by its frames and by their velocities. */
static void gradient(const lmb_state *s, const lmb_input *in, lmb_frame gx[2], lmb_frame gv[2])
{
    int marker = in->marker[0];
    const lmb_frame *x = &s->frames[marker];
    switch (in->kind) {
    case LMB_INPUT_POSITION:
        gx->p = v3_axis(in->index);
        break;
    case LMB_INPUT_VELOCITY:
        gv->p = v3_axis(in->index);
        break;
    case LMB_INPUT_ANGLE:
        for (int i = 0; i < 3; i++)
            gx->e[i] = v3_scale(0.5, v3_cross(v3_axis(2), x->e[i]));
        break;
    case LMB_INPUT_SPIN:
        spin_gradient(s, marker, v3_axis(in->index), gx, gv);
        break;
    case LMB_INPUT_SPIN_LOCAL:
        spin_gradient(s, marker, x->e[in->index], gx, gv);
        gx->e[in->index] = v3_add(gx->e[in->index], frame_angular(x, &s->rates[marker]));
        break;
    case LMB_INPUT_COORDINATE:
    case LMB_INPUT_COORDINATE_RATE:
        coordinate_gradient(s, in, gx, gv);
        break;
    case LMB_INPUT_REACTION:
        reaction_gradient(s, in, gx);
        break;
    }
}

/* What a unit of an input does at a pair of a force: forces h on the two frames. */
typedef struct acting {
    const lmb_force *force;
    const lmb_input *in;
    int pair;
    lmb_frame h[2];
} acting;

/* Adds -(J^T h) slope to column j of the marker of an input, for the two markers of a force. */
static void add_blocks(const lmb_state *s, const acting *x, int side, int j, double slope,
                       double *values)
{
    const lmb_pair *p = &s->model->parts.pairs[x->force->pair + x->pair];
    for (int k = 0; k < 2; k++) {
        lmb_frame scaled = frame_zero();
        frame_add(&scaled, -slope, &x->h[k]);
        lmb_add_load_column(s, x->in->couple[4 * x->pair + 2 * k + side], k ? p->b : p->a,
                            x->in->marker[side], j, &scaled, values);
    }
}

/* What one input adds through one of its frames. */
static void add_side(const lmb_state *s, const acting *x, int side, const lmb_frame *gx,
                     const lmb_frame *gv, double *by_q, double *by_v)
{
    int marker = x->in->marker[side];
    const lmb_marker *mark = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    lmb_frame *columns = s->body_columns, *rates = s->body_rates;
    lmb_marker_columns(s, marker, columns);
    at->body->ops->frame_rate_tangent(at, mark, &s->frames[marker], s->v + mark->v, rates);
    for (int j = 0; j < mark->nv; j++) {
        double by_position = frame_dot(gx, &columns[j]) + frame_dot(gv, &rates[j]);
        add_blocks(s, x, side, j, by_position, by_q);
        add_blocks(s, x, side, j, frame_dot(gv, &columns[j]), by_v);
    }
}

/* -dQ/dlambda of a force whose input is a reaction; the rows of the joint have places for the
 * markers of the force (system/model.c). */
static void add_multipliers(const lmb_state *s, const acting *x)
{
    const lmb_model *m = s->model;
    const lmb_joint *j = &m->joints[x->in->index];
    const lmb_pair *p = &m->parts.pairs[x->force->pair + x->pair];
    double *slope = s->row_vector;
    lmb_reaction_slope(s, x->in, slope);
    for (int r = j->row; r < j->row + j->row_count; r++)
        for (int k = 0; k < 2; k++) {
            int marker = k ? p->b : p->a, v = m->parts.markers[marker].v;
            int place = m->parts.markers[marker].nv ? lmb_row_place(m, r, v) : -1;
            lmb_frame scaled = frame_zero();
            frame_add(&scaled, -slope[r], &x->h[k]);
            if (place >= 0)
                lmb_add_load(s, marker, &scaled, s->tangent_lambda + place);
        }
}

void lmb_input_tangent(const lmb_state *s, const lmb_force *f, lmb_force_at *at, double *by_q,
                       double *by_v)
{
    lmb_frame zero = frame_zero();
    for (int i = 0; i < f->input_count; i++) {
        const lmb_input *in = &s->model->inputs[f->input + i];
        lmb_frame gx[2] = {zero, zero}, gv[2] = {zero, zero};
        gradient(s, in, gx, gv);
        for (int k = 0; k < f->pair_count; k++) {
            acting x = {f, in, k, {zero, zero}};
            lmb_force_go_to(s, f, k, at);
            f->type->by_input(f, at, i, &x.h[0], &x.h[1]);
            for (int side = 0; side < 2; side++)
                if (in->marker[side] >= 0)
                    add_side(s, &x, side, &gx[side], &gv[side], by_q, by_v);
            if (in->kind == LMB_INPUT_REACTION)
                add_multipliers(s, &x);
        }
    }
}
