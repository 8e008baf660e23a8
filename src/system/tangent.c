/* Exact tangents of the equations, assembled in blocks of bodies.
 *
 *   d(M a + Phi_q^T lambda - Q)/dq,  d(M a - Q)/dv,  d(Phi_q v + Phi_t)/dq
 *
 * A column is what a unit of a velocity coordinate does: it moves frames (push), that changes the
 * forces on them (second derivative of a product, tangent of a force), and those are pulled back.
 */
#include <string.h>

#include "system/equations.h"
#include "system/inputs.h"

void lmb_marker_columns(const lmb_state *s, int marker, lmb_frame *columns)
{
    const lmb_body_at *at = &s->bodies[s->model->parts.markers[marker].body];
    double *unit = s->body_vector;
    memset(unit, 0, (size_t)at->body->nv * sizeof *unit);
    for (int j = 0; j < at->body->nv; j++) {
        unit[j] = 1;
        at->body->ops->push(at, &s->model->parts.markers[marker], &s->frames[marker], unit,
                            &columns[j]);
        unit[j] = 0;
    }
}

/* The block of a pair: rows of the body of its marker r, columns of that of its marker c (0: first,
 * 1: second), as an array of columns; NULL for the ground. */
static double *block_of(const lmb_model *m, int pair, int r, int c, double *values)
{
    int couple = m->pair_couples[pair].at[2 * r + c];
    return couple < 0 ? NULL : values + m->couples[couple].value;
}

/* Adds J^T h of one marker of a pair to a column of the block for the other (or the same) one. */
static void pull_column(const lmb_state *s, int pair, int r, int c, int column, const lmb_frame *h,
                        double *values)
{
    const lmb_pair *p = &s->model->parts.pairs[pair];
    int marker = r ? p->b : p->a;
    double *block = block_of(s->model, pair, r, c, values);
    if (block)
        lmb_pull_into(s, marker, h,
                      block + column * s->model->bodies[s->model->parts.markers[marker].body].nv);
}

/* Adds a factor times the change of J^T g, with g as it is, for one marker of a pair. */
static void add_pull_tangent(const lmb_state *s, int pair, int side, double factor,
                             const lmb_frame *g, double *values)
{
    const lmb_pair *p = &s->model->parts.pairs[pair];
    int marker = side ? p->b : p->a;
    const lmb_marker *mark = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    double *block = block_of(s->model, pair, side, side, values);
    at->body->ops->pull_tangent(at, mark, &s->frames[marker], g, s->body_block);
    for (int i = 0; block && i < at->body->nv * at->body->nv; i++)
        block[i] += factor * s->body_block[i];
}

/* d(J^T g)/dq of one term, c g its force: the change of g, then of J. */
static void term_tangent(const lmb_state *s, const lmb_term *term, double c, double *by_q)
{
    const lmb_model *m = s->model;
    const lmb_pair *p = &m->parts.pairs[term->pair];
    const lmb_frame *A = &s->frames[p->a], *B = &s->frames[p->b];
    lmb_frame zero = frame_zero(), g[2] = {zero, zero}, *columns = s->body_columns;
    bool curved = term->product.kind != LMB_ONE && term->product.kind != LMB_OFFSET_FIXED;
    lmb_product_gradient(&term->product, A, B, c, &g[0], &g[1]);
    for (int side = 0; side < 2; side++) {
        int marker = side ? p->b : p->a;
        const lmb_body *b = &m->bodies[m->parts.markers[marker].body];
        if (b->nv == 0)
            continue;
        if (curved)
            lmb_marker_columns(s, marker, columns);
        for (int j = 0; curved && j < b->nv; j++) {
            lmb_frame h[2] = {zero, zero};
            lmb_product_hessian(&term->product, A, B, c, side ? &zero : &columns[j],
                                side ? &columns[j] : &zero, &h[0], &h[1]);
            pull_column(s, term->pair, 0, side, j, &h[0], by_q);
            pull_column(s, term->pair, 1, side, j, &h[1], by_q);
        }
        add_pull_tangent(s, term->pair, side, 1, &g[side], by_q);
    }
}

/* -dQ/dq and -dQ/dv of one force: changes of the frames, of their velocities, and of J. */
static void force_tangent(const lmb_state *s, const lmb_force *f, double *by_q, double *by_v)
{
    const lmb_model *m = s->model;
    const lmb_pair *p = &m->parts.pairs[f->pair];
    lmb_force_at at = lmb_force_input(s, f);
    lmb_frame zero = frame_zero(), force[2] = {zero, zero};
    f->type->evaluate(f, &at, &force[0], &force[1]);
    for (int side = 0; side < 2; side++) {
        int marker = side ? p->b : p->a;
        const lmb_marker *mark = &m->parts.markers[marker];
        const lmb_body_at *body = &s->bodies[mark->body];
        lmb_frame *columns = s->body_columns, *rates = s->body_rates;
        lmb_marker_columns(s, marker, columns);
        body->body->ops->push_tangent(body, mark, &s->frames[marker], body->v, rates);
        for (int j = 0; j < body->body->nv; j++) {
            lmb_frame x = zero, v = zero, q[2] = {zero, zero}, w[2] = {zero, zero};
            frame_add(&x, -1, &columns[j]);
            frame_add(&v, -1, &rates[j]);
            f->type->tangent(f, &at, side ? &zero : &x, side ? &x : &zero, side ? &zero : &v,
                             side ? &v : &zero, &q[0], &q[1]);
            f->type->tangent(f, &at, &zero, &zero, side ? &zero : &x, side ? &x : &zero, &w[0],
                             &w[1]);
            for (int k = 0; k < 2; k++) {
                pull_column(s, f->pair, k, side, j, &q[k], by_q);
                pull_column(s, f->pair, k, side, j, &w[k], by_v);
            }
        }
        add_pull_tangent(s, f->pair, side, -1, &force[side], by_q);
    }
}

void lmb_tangent_blocks(const lmb_state *s)
{
    const lmb_model *m = s->model;
    double *by_q = s->tangent_q, *by_v = s->tangent_v;
    memset(by_q, 0, (size_t)m->couple_values * sizeof *by_q);
    memset(by_v, 0, (size_t)m->couple_values * sizeof *by_v);
    if (m->input_count)
        memset(s->tangent_lambda, 0, (size_t)m->value_count * sizeof *by_q);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        int own = m->body_couple[i];
        if (own >= 0)
            b->ops->tangent(&s->bodies[i], m->gravity, s->a + b->v, by_q + m->couples[own].value,
                            by_v + m->couples[own].value, b->nv);
    }
    for (int i = 0; i < m->force_count; i++) {
        if (s->force_off[i])
            continue;
        force_tangent(s, &m->forces[i], by_q, by_v);
        lmb_input_tangent(s, &m->forces[i], by_q, by_v);
    }
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &m->parts.rows[r];
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            const lmb_term *term = &m->parts.terms[t];
            term_tangent(s, term, s->lambda[r] * lmb_coefficient(s, term).f, by_q);
        }
    }
}

void lmb_tangent(const lmb_state *s, double *by_q, double *by_v)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv;
    lmb_tangent_blocks(s);
    memset(by_q, 0, n * n * sizeof(double));
    memset(by_v, 0, n * n * sizeof(double));
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *couple = &m->couples[c];
        const lmb_body *row = &m->bodies[couple->row], *column = &m->bodies[couple->column];
        for (int j = 0; j < column->nv; j++) {
            size_t to = (size_t)(column->v + j) * n + (size_t)row->v;
            int from = couple->value + j * row->nv;
            memcpy(by_q + to, s->tangent_q + from, (size_t)row->nv * sizeof(double));
            memcpy(by_v + to, s->tangent_v + from, (size_t)row->nv * sizeof(double));
        }
    }
}

/* The change of c g . xdot + cdot P of a term along q: c (H dx . xdot + g . dxdot) + cdot g . dx.
 * It is added to the numbers of the bodies of its two markers, which are `stride` apart. */
static void term_rate_tangent(const lmb_state *s, const lmb_term *term, double *const to[2],
                              size_t stride)
{
    const lmb_model *m = s->model;
    const lmb_pair *p = &m->parts.pairs[term->pair];
    const lmb_frame *A = &s->frames[p->a], *B = &s->frames[p->b];
    lmb_jet c = lmb_coefficient(s, term);
    lmb_frame zero = frame_zero(), g[2] = {zero, zero};
    lmb_frame *columns = s->body_columns, *rates = s->body_rates;
    lmb_product_gradient(&term->product, A, B, 1, &g[0], &g[1]);
    for (int side = 0; side < 2; side++) {
        int marker = side ? p->b : p->a;
        const lmb_body_at *at = &s->bodies[m->parts.markers[marker].body];
        lmb_marker_columns(s, marker, columns);
        at->body->ops->push_tangent(at, &m->parts.markers[marker], &s->frames[marker], at->v,
                                    rates);
        for (int j = 0; j < at->body->nv; j++) {
            lmb_frame hA = zero, hB = zero;
            lmb_product_hessian(&term->product, A, B, 1, side ? &zero : &columns[j],
                                side ? &columns[j] : &zero, &hA, &hB);
            to[side][(size_t)j * stride] +=
                c.f * (frame_dot(&hA, &s->rates[p->a]) + frame_dot(&hB, &s->rates[p->b]) +
                       frame_dot(&g[side], &rates[j])) +
                c.d * frame_dot(&g[side], &columns[j]);
        }
    }
}

void lmb_rate_tangent_blocks(const lmb_state *s, double *values)
{
    const lmb_model *m = s->model;
    memset(values, 0, (size_t)m->value_count * sizeof *values);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &m->parts.rows[r];
        const lmb_block *blocks = m->blocks + m->sparse_rows[r].block;
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            lmb_term_blocks where = m->term_blocks[t];
            double *to[2] = {where.a < 0 ? NULL : values + blocks[where.a].value,
                             where.b < 0 ? NULL : values + blocks[where.b].value};
            if (m->parts.terms[t].product.kind != LMB_ONE)
                term_rate_tangent(s, &m->parts.terms[t], to, 1);
        }
    }
}

void lmb_rate_tangent(const lmb_state *s, double *D)
{
    const lmb_model *m = s->model;
    size_t rows = (size_t)m->nrows;
    memset(D, 0, rows * (size_t)m->nv * sizeof(double));
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &m->parts.rows[r];
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            const lmb_term *term = &m->parts.terms[t];
            const lmb_pair *p = &m->parts.pairs[term->pair];
            size_t a = (size_t)m->bodies[m->parts.markers[p->a].body].v;
            size_t b = (size_t)m->bodies[m->parts.markers[p->b].body].v;
            double *to[2] = {D + a * rows + r, D + b * rows + r};
            term_rate_tangent(s, term, to, rows);
        }
    }
}
