/* Exact tangents of the equations, assembled in blocks of bodies.
 *
 *   d(M a + Phi_q^T lambda - Q)/dq,  d(M a - Q)/dv,  d(Phi_q v + Phi_t)/dq
 *
 * A column is what a unit of a velocity coordinate does: it moves frames (J), that changes the
 * forces on them (second derivative of a product, tangent of a force), and these change the
 * generalised forces (J^T). */
#include <string.h>

#include "system/equations.h"

void lmb_marker_columns(const lmb_state *s, int marker, lmb_frame *columns)
{
    const lmb_marker *mark = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    double *unit = s->body_vector;
    if (at->body->ops->frame_columns) {
        at->body->ops->frame_columns(at, mark, &s->frames[marker], columns);
        return;
    }
    memset(unit, 0, (size_t)mark->nv * sizeof *unit);
    for (int j = 0; j < mark->nv; j++) {
        unit[j] = 1;
        at->body->ops->frame_rate(at, mark, &s->frames[marker], unit, &columns[j]);
        unit[j] = 0;
    }
}

/* Where a couple has the number of a row and a column of the system. */
static double *entry(const lmb_couple *c, int row, int column, double *values)
{
    return values + c->value + (column - c->column_v) * c->row_nv + row - c->row_v;
}

/* Adds factor x to rows v, v + 1, ... of a column, which may be those of several clusters; `first`
 * is the couple to try first. */
static void add_column(const lmb_model *m, const lmb_couple *first, int v, int nv, int column,
                       double factor, const double *x, double *values)
{
    const lmb_couple *c = first;
    for (int done = 0; done < nv;) {
        int row = v + done;
        if (row >= c->row_v + c->row_nv || row < c->row_v || column < c->column_v ||
            column >= c->column_v + c->column_nv)
            c = &m->couples[lmb_find_couple(m, lmb_column_node(m, row)->cluster,
                                            lmb_column_node(m, column)->cluster)];
        int count = c->row_v + c->row_nv - row < nv - done ? c->row_v + c->row_nv - row : nv - done;
        double *to = entry(c, row, column, values);
        for (int i = 0; i < count; i++)
            to[i] += factor * x[done + i];
        done += count;
    }
}

void lmb_add_tangent_column(const lmb_model *m, int v, int nv, int column, double factor,
                            const double *x, double *values)
{
    add_column(m, m->couples, v, nv, column, factor, x, values);
}

void lmb_add_load_column(const lmb_state *s, int couple, int row, int column, int j,
                         const lmb_frame *h, double *values)
{
    const lmb_model *m = s->model;
    const lmb_marker *r = &m->parts.markers[row], *c = &m->parts.markers[column];
    if (couple < 0)
        return;
    const lmb_couple *first = &m->couples[couple];
    if (!r->spread && !c->spread) {
        lmb_add_load(s, row, h, entry(first, r->v, c->v + j, values));
        return;
    }
    const lmb_body_at *at = &s->bodies[r->body];
    at->body->ops->frame_load(at, r, &s->frames[row], h, s->body_vector);
    add_column(m, first, r->v, r->nv, c->v + j, 1, s->body_vector, values);
}

/* Adds J^T h of one marker of a pair to a column of the block for the other (or the same) one. */
static void add_pair_column(const lmb_state *s, int pair, int r, int c, int j, const lmb_frame *h,
                            double *values)
{
    const lmb_pair *p = &s->model->parts.pairs[pair];
    lmb_add_load_column(s, s->model->pair_couples[pair].at[2 * r + c], r ? p->b : p->a,
                        c ? p->b : p->a, j, h, values);
}

/* Adds a factor times the change of J^T g, with g as it is, for one marker of a pair. */
static void add_load_tangent(const lmb_state *s, int pair, int side, double factor,
                             const lmb_frame *g, double *values)
{
    const lmb_model *m = s->model;
    int marker = side ? m->parts.pairs[pair].b : m->parts.pairs[pair].a;
    const lmb_marker *mark = &m->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    int couple = m->pair_couples[pair].at[3 * side];
    if (couple < 0)
        return;
    at->body->ops->frame_load_tangent(at, mark, &s->frames[marker], g, s->body_block);
    for (int j = 0; j < mark->nv; j++)
        add_column(m, &m->couples[couple], mark->v, mark->nv, mark->v + j, factor,
                   s->body_block + j * mark->nv, values);
}

/* d(J^T g)/dq of the terms of rows that act between the markers of a pair, one after the other.
 * Their forces g, and the changes of these along the columns of both markers, are summed before
 * they become generalised forces, which takes longest where a body has many modes. */
typedef struct pair_terms {
    int pair;       /* -1: none */
    bool curved;    /* some have second derivatives: there are changes */
    lmb_frame g[2]; /* on both markers */
} pair_terms;

static int side_marker(const lmb_pair *p, int side)
{
    return side ? p->b : p->a;
}

/* The columns of one marker of the pair, and the changes of the force on one along those of one. */
static lmb_frame *columns_of(const lmb_state *s, int side)
{
    return s->pair_columns + side * s->model->largest_nv;
}

static lmb_frame *changes_of(const lmb_state *s, int on, int along)
{
    return s->pair_changes + (2 * along + on) * s->model->largest_nv;
}

/* Adds what has been summed to the blocks. */
static void add_pair_terms(const lmb_state *s, const pair_terms *sum, double *by_q)
{
    if (sum->pair < 0)
        return;
    for (int side = 0; side < 2; side++) {
        int nv = s->model->parts.markers[side_marker(&s->model->parts.pairs[sum->pair], side)].nv;
        for (int j = 0; j < nv && sum->curved; j++)
            for (int on = 0; on < 2; on++)
                add_pair_column(s, sum->pair, on, side, j, &changes_of(s, on, side)[j], by_q);
        if (nv)
            add_load_tangent(s, sum->pair, side, 1, &sum->g[side], by_q);
    }
}

/* Columns of both markers, and changes of zero. */
static void begin_changes(const lmb_state *s, const lmb_pair *p)
{
    for (int side = 0; side < 2; side++) {
        int nv = s->model->parts.markers[side_marker(p, side)].nv;
        lmb_marker_columns(s, side_marker(p, side), columns_of(s, side));
        for (int on = 0; on < 2; on++)
            memset(changes_of(s, on, side), 0, (size_t)nv * sizeof(lmb_frame));
    }
}

/* Adds one term, c its factor. */
static void term_tangent(const lmb_state *s, const lmb_term *term, double c, pair_terms *sum,
                         double *by_q)
{
    const lmb_model *m = s->model;
    const lmb_pair *p = &m->parts.pairs[term->pair];
    const lmb_frame *A = &s->frames[p->a], *B = &s->frames[p->b];
    lmb_frame zero = frame_zero();
    if (term->pair != sum->pair) {
        add_pair_terms(s, sum, by_q);
        *sum = (pair_terms){term->pair, false, {zero, zero}};
    }
    lmb_product_gradient(&term->product, A, B, c, &sum->g[0], &sum->g[1]);
    if (term->product.kind == LMB_ONE || term->product.kind == LMB_OFFSET_FIXED)
        return;
    if (!sum->curved)
        begin_changes(s, p);
    sum->curved = true;
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < m->parts.markers[side_marker(p, side)].nv; j++) {
            const lmb_frame *x = &columns_of(s, side)[j];
            lmb_product_hessian(&term->product, A, B, c, side ? &zero : x, side ? x : &zero,
                                &changes_of(s, 0, side)[j], &changes_of(s, 1, side)[j]);
        }
}

/* -dQ/dq and -dQ/dv of a force at one of its pairs: changes of the frames, of their velocities, and
 * of J. */
static void pair_tangent(const lmb_state *s, const lmb_force *f, const lmb_force_at *at,
                         double *by_q, double *by_v)
{
    const lmb_model *m = s->model;
    int pair = f->pair + at->pair;
    const lmb_pair *p = &m->parts.pairs[pair];
    lmb_frame zero = frame_zero(), force[2] = {zero, zero};
    f->type->evaluate(f, at, &force[0], &force[1]);
    for (int side = 0; side < 2; side++) {
        int marker = side ? p->b : p->a;
        const lmb_marker *mark = &m->parts.markers[marker];
        const lmb_body_at *body = &s->bodies[mark->body];
        lmb_frame *columns = s->body_columns, *rates = s->body_rates;
        lmb_marker_columns(s, marker, columns);
        body->body->ops->frame_rate_tangent(body, mark, &s->frames[marker], s->v + mark->v, rates);
        for (int j = 0; j < mark->nv; j++) {
            lmb_frame x = zero, v = zero, q[2] = {zero, zero}, w[2] = {zero, zero};
            frame_add(&x, -1, &columns[j]);
            frame_add(&v, -1, &rates[j]);
            f->type->tangent(f, at, side ? &zero : &x, side ? &x : &zero, side ? &zero : &v,
                             side ? &v : &zero, &q[0], &q[1]);
            f->type->tangent(f, at, &zero, &zero, side ? &zero : &x, side ? &x : &zero, &w[0],
                             &w[1]);
            for (int k = 0; k < 2; k++) {
                add_pair_column(s, pair, k, side, j, &q[k], by_q);
                add_pair_column(s, pair, k, side, j, &w[k], by_v);
            }
        }
        add_load_tangent(s, pair, side, -1, &force[side], by_q);
    }
}

static void force_tangent(const lmb_state *s, const lmb_force *f, double *by_q, double *by_v)
{
    lmb_force_at at = lmb_force_input(s, f);
    for (int k = 0; k < f->pair_count; k++) {
        lmb_force_go_to(s, f, k, &at);
        pair_tangent(s, f, &at, by_q, by_v);
    }
    lmb_input_tangent(s, f, &at, by_q, by_v);
}

/* d(g lambda)/dq of a body's own row: row k of the gradient's tangent is d(g . e_k)/dq. */
static void own_row_tangent(const lmb_state *s, int r, double *by_q)
{
    const lmb_model *m = s->model;
    const lmb_row *row = &m->parts.rows[r];
    const lmb_block *block = &m->blocks[m->sparse_rows[r].block];
    int v = block->v, nv = m->sparse_rows[r].value_count;
    double *unit = s->body_vector, *change = s->body_block;
    const lmb_couple *first = &m->couples[m->clusters[block->cluster].couple];
    memset(unit, 0, (size_t)nv * sizeof *unit);
    for (int k = 0; k < nv; k++) {
        unit[k] = 1;
        m->bodies[row->body].ops->rows->gradient_tangent(&s->bodies[row->body], row->own, unit,
                                                         change);
        unit[k] = 0;
        for (int j = 0; j < nv; j++)
            add_column(m, first, v + k, 1, v + j, s->lambda[r], &change[j], by_q);
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
        for (int w = 0; w < b->window_count; w++) {
            const lmb_couple *c = &m->couples[m->windows[b->window + w]];
            s->windows[w] = (lmb_window){by_q + c->value, by_v + c->value, c->row_nv};
        }
        if (b->window_count && b->ops->tangent)
            b->ops->tangent(&s->bodies[i], lmb_present_gravity(s), s->a + b->v, s->windows);
    }
    for (int i = 0; i < m->force_count; i++) {
        if (s->force_off[i])
            continue;
        force_tangent(s, &m->forces[i], by_q, by_v);
    }
    pair_terms sum = {.pair = -1};
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &m->parts.rows[r];
        if (row->body > 0 && !s->row_off[r])
            own_row_tangent(s, r, by_q);
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            const lmb_term *term = &m->parts.terms[t];
            term_tangent(s, term, s->lambda[r] * lmb_coefficient(s, term).f, &sum, by_q);
        }
    }
    add_pair_terms(s, &sum, by_q);
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
        for (int j = 0; j < couple->column_nv; j++) {
            size_t to = (size_t)(couple->column_v + j) * n + (size_t)couple->row_v;
            int from = couple->value + j * couple->row_nv;
            memcpy(by_q + to, s->tangent_q + from, (size_t)couple->row_nv * sizeof(double));
            memcpy(by_v + to, s->tangent_v + from, (size_t)couple->row_nv * sizeof(double));
        }
    }
}

/* The change of c g . xdot + cdot P of a term along q: c (H dx . xdot + g . dxdot) + cdot g . dx.
 * It is added to the numbers of its two markers. */
static void term_rate_tangent(const lmb_state *s, const lmb_term *term, double *const to[2])
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
        const lmb_marker *mark = &m->parts.markers[marker];
        const lmb_body_at *at = &s->bodies[mark->body];
        lmb_marker_columns(s, marker, columns);
        at->body->ops->frame_rate_tangent(at, mark, &s->frames[marker], s->v + mark->v, rates);
        for (int j = 0; j < mark->nv; j++) {
            lmb_frame hA = zero, hB = zero;
            lmb_product_hessian(&term->product, A, B, 1, side ? &zero : &columns[j],
                                side ? &columns[j] : &zero, &hA, &hB);
            to[side][j] +=
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
        const lmb_sparse_row *sparse = &m->sparse_rows[r];
        if (row->body > 0 && !s->row_off[r])
            m->bodies[row->body].ops->rows->gradient_tangent(&s->bodies[row->body], row->own,
                                                             s->v + m->blocks[sparse->block].v,
                                                             values + sparse->value);
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            lmb_term_places where = m->term_places[t];
            double *to[2] = {where.a < 0 ? NULL : values + where.a,
                             where.b < 0 ? NULL : values + where.b};
            if (m->parts.terms[t].product.kind != LMB_ONE)
                term_rate_tangent(s, &m->parts.terms[t], to);
        }
    }
}
