/* Changes of frames, then of the products of two of them. */
#include "system/variation.h"

#include <string.h>

#include "math/small.h"

lmb_variation *lmb_variation_new(lmb_arena *arena, lmb_state *state)
{
    const lmb_model *m = state->model;
    size_t markers = (size_t)m->parts.marker_count, nv = (size_t)m->largest_nv, nq = 0;
    lmb_variation *v = lmb_arena_alloc(arena, 1, sizeof *v);
    int most = 2;
    for (int i = 0; i < m->body_count; i++)
        nq = (size_t)m->bodies[i].nq > nq ? (size_t)m->bodies[i].nq : nq;
    for (int r = 0; r < m->nrows; r++)
        most = 2 * m->parts.rows[r].term_count > most ? 2 * m->parts.rows[r].term_count : most;
    if (!v)
        return NULL;
    *v = (lmb_variation){.state = state,
                         .at = lmb_arena_alloc(arena, markers, sizeof *v->at),
                         .change = lmb_arena_alloc(arena, markers, sizeof *v->change),
                         .columns = lmb_arena_alloc(arena, nv, sizeof *v->columns),
                         .by_q = lmb_arena_alloc(arena, nv, sizeof *v->by_q),
                         .by_v = lmb_arena_alloc(arena, nv, sizeof *v->by_v),
                         .row = lmb_arena_numbers(arena, (size_t)m->nv + 1),
                         .moved = lmb_arena_numbers(arena, nq + (size_t)m->nv + 1),
                         .near = lmb_arena_integers(arena, 2 * (size_t)most),
                         .near_most = most, /* the second half is room */
                         .near_columns =
                             lmb_arena_alloc(arena, 5 * nv * (size_t)most, sizeof *v->near_columns),
                         .unit_q = lmb_arena_numbers(arena, (size_t)m->nv + 1),
                         .unit_v = lmb_arena_numbers(arena, (size_t)m->nv + 1),
                         .zero = lmb_arena_numbers(arena, (size_t)m->nv + 1),
                         .unit = -1};
    return lmb_arena_fine(arena) ? v : NULL;
}

void lmb_variation_start(lmb_variation *v)
{
    const lmb_state *s = v->state;
    v->near_count = 0;
    for (int i = 0; i < s->model->parts.marker_count; i++) {
        bool moves = s->model->parts.markers[i].body > 0;
        v->at[i] = (lmb_frame_jet){s->frames[i], frame_zero(), frame_zero()};
        if (moves)
            v->at[i] = (lmb_frame_jet){s->frames[i], s->rates[i], lmb_frame_acceleration(s, i)};
    }
}

/* Adds sum of columns times d. */
static void add_columns(lmb_frame *to, int n, const lmb_frame *columns, const double *d)
{
    for (int j = 0; j < n; j++)
        if (d[j] != 0)
            frame_add(to, d[j], &columns[j]);
}

/* The change of one marker's frame. */
static void vary(lmb_variation *v, int marker)
{
    const lmb_state *s = v->state;
    const lmb_marker *mark = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    const lmb_body_ops *ops = at->body->ops;
    const lmb_frame *x = &s->frames[marker];
    const double *dq = v->dq + mark->v, *dv = v->dv + mark->v;
    lmb_frame_jet *out = &v->change[marker];
    *out = (lmb_frame_jet){frame_zero(), frame_zero(), frame_zero()};
    if (mark->body == 0)
        return;
    ops->frame_rate(at, mark, x, dq, &out->x);
    ops->frame_rate(at, mark, x, dv, &out->rate);
    ops->frame_rate(at, mark, x, v->da + mark->v, &out->acceleration);
    ops->frame_rate_tangent(at, mark, x, s->v + mark->v, v->columns);
    add_columns(&out->rate, mark->nv, v->columns, dq);
    ops->frame_rate_tangent(at, mark, x, s->a + mark->v, v->columns);
    add_columns(&out->acceleration, mark->nv, v->columns, dq);
    ops->frame_bias_tangent(at, mark, x, v->by_q, v->by_v);
    add_columns(&out->acceleration, mark->nv, v->by_q, dq);
    add_columns(&out->acceleration, mark->nv, v->by_v, dv);
}

void lmb_variation_set(lmb_variation *v, const double *dq, const double *dv, const double *da)
{
    v->dq = dq;
    v->dv = dv;
    v->da = da;
    for (int i = 0; i < v->state->model->parts.marker_count; i++)
        vary(v, i);
}

/* --- unit changes ----------------------------------------------------------------------------- */

/* J, (J v)_q, (J a)_q and the derivatives of the bias of a marker, column by column. */
static void fill_near(const lmb_variation *v, int marker, lmb_frame *columns)
{
    const lmb_state *s = v->state;
    const lmb_marker *mark = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    const lmb_body_ops *ops = at->body->ops;
    const lmb_frame *x = &s->frames[marker];
    int nv = s->model->largest_nv;
    if (mark->body == 0)
        return;
    lmb_marker_columns(s, marker, columns);
    ops->frame_rate_tangent(at, mark, x, s->v + mark->v, columns + nv);
    ops->frame_rate_tangent(at, mark, x, s->a + mark->v, columns + 2 * nv);
    ops->frame_bias_tangent(at, mark, x, columns + 3 * nv, columns + 4 * nv);
}

void lmb_variation_near(lmb_variation *v, int count, const int *markers)
{
    if (count == v->near_count && memcmp(markers, v->near, (size_t)count * sizeof *markers) == 0)
        return;
    v->near_count = count;
    memcpy(v->near, markers, (size_t)count * sizeof *markers);
    for (int i = 0; i < count; i++)
        fill_near(v, markers[i], v->near_columns + 5 * i * v->state->model->largest_nv);
}

void lmb_variation_near_row(lmb_variation *v, int r)
{
    const lmb_rows *parts = &v->state->model->parts;
    const lmb_row *row = &parts->rows[r];
    int count = 0, *markers = v->near + v->near_most;
    for (int t = row->term; t < row->term + row->term_count; t++)
        for (int side = 0; side < 2; side++) {
            const lmb_pair *pair = &parts->pairs[parts->terms[t].pair];
            int marker = side ? pair->b : pair->a, i = 0;
            while (i < count && markers[i] != marker)
                i++;
            if (i == count)
                markers[count++] = marker;
        }
    lmb_variation_near(v, count, markers);
}

void lmb_variation_unit(lmb_variation *v, int column, bool velocity)
{
    const lmb_model *m = v->state->model;
    if (v->unit >= 0)
        v->unit_q[v->unit] = v->unit_v[v->unit] = 0;
    v->unit = column;
    (velocity ? v->unit_v : v->unit_q)[column] = 1;
    v->dq = v->unit_q;
    v->dv = v->unit_v;
    v->da = v->zero;
    for (int i = 0; i < v->near_count; i++) {
        const lmb_marker *mark = &m->parts.markers[v->near[i]];
        lmb_frame_jet *out = &v->change[v->near[i]];
        *out = (lmb_frame_jet){frame_zero(), frame_zero(), frame_zero()};
        if (mark->body == 0 || column < mark->v || column >= mark->v + mark->nv)
            continue;
        const lmb_frame *c = v->near_columns + 5 * i * m->largest_nv + (column - mark->v);
        if (velocity) {
            out->rate = c[0];
            out->acceleration = c[4 * m->largest_nv];
        } else {
            out->x = c[0];
            out->rate = c[m->largest_nv];
            out->acceleration = c[2 * m->largest_nv];
            frame_add(&out->acceleration, 1, &c[3 * m->largest_nv]);
        }
    }
}

/* --- products --------------------------------------------------------------------------------- */

/* H of a product along the directions dA, dB, times the directions vA, vB. */
static double second(const lmb_product *p, const lmb_frame_jet *A, const lmb_frame_jet *B,
                     const lmb_frame *dA, const lmb_frame *dB, const lmb_frame *vA,
                     const lmb_frame *vB)
{
    lmb_frame hA = frame_zero(), hB = frame_zero();
    lmb_product_hessian(p, &A->x, &B->x, 1, dA, dB, &hA, &hB);
    return frame_dot(&hA, vA) + frame_dot(&hB, vB);
}

lmb_jet lmb_variation_product(const lmb_variation *v, const lmb_product *p, int a, int b)
{
    const lmb_frame_jet *A = &v->at[a], *B = &v->at[b], *dA = &v->change[a], *dB = &v->change[b];
    lmb_frame gA = frame_zero(), gB = frame_zero();
    lmb_product_gradient(p, &A->x, &B->x, 1, &gA, &gB);
    return (lmb_jet){p->kind == LMB_SLIP ? 0 : frame_dot(&gA, &dA->x) + frame_dot(&gB, &dB->x),
                     frame_dot(&gA, &dA->rate) + frame_dot(&gB, &dB->rate) +
                         second(p, A, B, &dA->x, &dB->x, &A->rate, &B->rate),
                     frame_dot(&gA, &dA->acceleration) + frame_dot(&gB, &dB->acceleration) +
                         second(p, A, B, &dA->x, &dB->x, &A->acceleration, &B->acceleration) +
                         second(p, A, B, &dA->rate, &dB->rate, &A->rate, &B->rate) +
                         second(p, A, B, &A->rate, &B->rate, &dA->rate, &dB->rate) +
                         lmb_product_third(p, &A->x, &B->x, &dA->x, &dB->x, &A->rate, &B->rate)};
}

/* --- rows that bodies bring along ------------------------------------------------------------- */

/* v . d(g . v)/dq of a body's own row at q (+) h dq. */
static double own_bias_at(lmb_variation *v, const lmb_row *row, const lmb_block *block, int count,
                          double h)
{
    const lmb_model *m = v->state->model;
    const lmb_body *b = &m->bodies[row->body];
    lmb_body_at at = v->state->bodies[row->body];
    double *step = v->moved + b->nq;
    for (int i = 0; i < b->nv; i++)
        step[i] = h * v->dq[b->v + i];
    for (int i = 0; i < b->node_count; i++) {
        const lmb_node *node = &b->nodes[i];
        lmb_node_retract(node, at.q + (node->q - b->q), step + (node->v - b->v),
                         v->moved + (node->q - b->q));
    }
    at.q = v->moved;
    b->ops->update(&at);
    b->ops->rows->gradient_tangent(&at, row->own, v->state->v + block->v, v->row);
    return lmb_dot(v->row, v->state->v + block->v, count);
}

/* Its change along dq by a central difference over a hundredth of the model's length: truncation
 * and rounding are both about 1e-14 of it. */
static double own_bias_change(lmb_variation *v, const lmb_row *row, const lmb_block *block,
                              int count)
{
    static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const lmb_model *m = v->state->model;
    const lmb_body *b = &m->bodies[row->body];
    double size = 0, sum = 0;
    for (int j = b->v; j < b->v + b->nv; j++)
        size = fmax(size, fabs(v->dq[j]) * m->columns[j].size);
    double h = 0.01 * m->length / size;
    for (int k = 0; k < 4 && size > 0; k++)
        sum += weight[k] / h *
               (own_bias_at(v, row, block, count, (k + 1) * h) -
                own_bias_at(v, row, block, count, -(k + 1) * h));
    b->ops->update(
        &v->state->bodies[row->body]); /* what the kind keeps is of this position again */
    return sum;
}

static lmb_jet vary_own_row(lmb_variation *v, int r)
{
    const lmb_model *m = v->state->model;
    const lmb_row *row = &m->parts.rows[r];
    const lmb_block *block = &m->blocks[m->sparse_rows[r].block];
    const lmb_body_at *at = &v->state->bodies[row->body];
    const lmb_body_rows *own = at->body->ops->rows;
    int n = m->sparse_rows[r].value_count;
    const double *dq = v->dq + block->v, *dv = v->dv + block->v, *speed = v->state->v + block->v;
    lmb_jet out;
    own->gradient(at, row->own, v->row);
    out.f = lmb_dot(v->row, dq, n);
    out.d = lmb_dot(v->row, dv, n);
    out.dd = lmb_dot(v->row, v->da + block->v, n);
    own->gradient_tangent(at, row->own, speed, v->row);
    out.d += lmb_dot(v->row, dq, n);
    out.dd += lmb_dot(v->row, dv, n);
    own->gradient_tangent(at, row->own, dv, v->row);
    out.dd += lmb_dot(v->row, speed, n);
    own->gradient_tangent(at, row->own, v->state->a + block->v, v->row);
    out.dd += lmb_dot(v->row, dq, n);
    out.dd += own_bias_change(v, row, block, n);
    return out;
}

/* ---------------------------------------------------------------------------------------------- */

lmb_jet lmb_variation_row(lmb_variation *v, int r)
{
    const lmb_rows *parts = &v->state->model->parts;
    const lmb_row *row = &parts->rows[r];
    lmb_jet sum = {0, 0, 0};
    if (v->state->row_off[r])
        return sum;
    if (row->body > 0)
        return vary_own_row(v, r);
    for (const lmb_term *t = parts->terms + row->term;
         t < parts->terms + row->term + row->term_count; t++) {
        lmb_jet c = lmb_coefficient(v->state, t);
        const lmb_pair *pair = &parts->pairs[t->pair];
        lmb_jet P = lmb_variation_product(v, &t->product, pair->a, pair->b);
        sum.f += c.f * P.f;
        sum.d += c.f * P.d + c.d * P.f;
        sum.dd += c.f * P.dd + 2 * c.d * P.d + c.dd * P.f;
    }
    return sum;
}

lmb_jet lmb_variation_coordinate(const lmb_variation *v, const lmb_coordinate *c)
{
    const lmb_pair *pair = &v->state->model->parts.pairs[c->pair];
    lmb_jet x = lmb_variation_product(v, &c->product, pair->a, pair->b);
    if (c->kind == LMB_COORDINATE_LENGTH) { /* the product is L^2 / 2 */
        lmb_jet L = lmb_coordinate_value(v->state, c);
        x.f /= L.f;
        x.d = (x.d - L.d * x.f) / L.f;
        x.dd = (x.dd - 2 * L.d * x.d - L.dd * x.f) / L.f;
    }
    return x;
}
