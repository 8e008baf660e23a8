/* Constraint rows of a state, the Jacobian, mass and forces. */
#include "system/equations.h"

#include <float.h>
#include <string.h>

#include "math/small.h"

lmb_jet lmb_law_coefficient(const lmb_state *s, const lmb_term *term)
{
    double k = term->factor, c, si;
    lmb_jet f = s->laws[term->law];
    switch (term->part) {
    case LMB_LAW:
        return (lmb_jet){k * f.f, k * f.d, k * f.dd};
    case LMB_LAW_COS:
        c = k * cos(f.f), si = k * sin(f.f);
        return (lmb_jet){c, -si * f.d, -c * f.d * f.d - si * f.dd};
    case LMB_LAW_SIN:
        c = k * cos(f.f), si = k * sin(f.f);
        return (lmb_jet){si, c * f.d, -si * f.d * f.d + c * f.dd};
    default: /* LMB_LAW_SQUARE */
        return (lmb_jet){k * f.f * f.f / 2, k * f.f * f.d, k * (f.d * f.d + f.f * f.dd)};
    }
}

static inline double term_value(const lmb_state *s, const lmb_term *t)
{
    const lmb_pair *p = &s->model->parts.pairs[t->pair];
    double near = t->turn >= 0 ? s->turn[t->turn] : 0;
    return lmb_product_value(&t->product, &s->frames[p->a], &s->frames[p->b], near);
}

/* The sum of terms; what is no more than the rounding of its parts (angles of many turns are large)
 * counts as zero. */
static double sum_of(const lmb_state *s, int term, int count)
{
    const lmb_term *t = s->model->parts.terms + term;
    double sum = 0, size = 0;
    for (int i = 0; i < count; i++) {
        double part = lmb_coefficient(s, &t[i]).f * term_value(s, &t[i]);
        sum += part;
        size += fabs(part);
    }
    return fabs(sum) > 8 * DBL_EPSILON * size ? sum : 0;
}

/* The value of a row; velocity-level rows have none. */
static inline double row_value(const lmb_state *s, int r)
{
    const lmb_row *row = &s->model->parts.rows[r];
    if (row->velocity_level || s->row_off[r])
        return 0;
    if (row->body > 0)
        return s->model->bodies[row->body].ops->rows->value(&s->bodies[row->body], row->own);
    const lmb_term *first = s->model->parts.terms + row->term;
    if (row->term_count == 1)
        return lmb_coefficient(s, first).f * term_value(s, first);
    return sum_of(s, row->term, row->term_count);
}

void lmb_constraints(const lmb_state *s, double *phi)
{
    for (int r = 0; r < s->model->nrows; r++)
        phi[r] = row_value(s, r);
}

double lmb_row_value(const lmb_state *s, int r)
{
    return row_value(s, r) * s->model->sparse_rows[r].scale;
}

/* --- rows that bodies bring along ------------------------------------------------------------- */

/* The first velocity coordinate that a body's own row reads. */
static int own_row_start(const lmb_model *m, int r)
{
    return m->blocks[m->sparse_rows[r].block].v;
}

/* Its gradient, in the room of the state. */
static double *own_gradient(const lmb_state *s, int r)
{
    const lmb_row *row = &s->model->parts.rows[r];
    double *g = s->body_block;
    s->model->bodies[row->body].ops->rows->gradient(&s->bodies[row->body], row->own, g);
    return g;
}

/* v . d(g . v)/dq: what is left of the second time derivative without accelerations. */
static double own_row_bias(const lmb_state *s, int r)
{
    const lmb_row *row = &s->model->parts.rows[r];
    const double *v = s->v + own_row_start(s->model, r);
    s->model->bodies[row->body].ops->rows->gradient_tangent(&s->bodies[row->body], row->own, v,
                                                            s->body_block);
    return lmb_dot(s->body_block, v, s->model->sparse_rows[r].value_count);
}

/* ---------------------------------------------------------------------------------------------- */

double lmb_row_rate(const lmb_state *s, int r)
{
    const lmb_rows *parts = &s->model->parts;
    const lmb_row *row = &parts->rows[r];
    double sum = 0;
    if (row->body > 0 && !s->row_off[r])
        sum = lmb_dot(own_gradient(s, r), s->v + own_row_start(s->model, r),
                      s->model->sparse_rows[r].value_count);
    for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
        const lmb_term *term = &parts->terms[t];
        const lmb_pair *p = &parts->pairs[term->pair];
        lmb_jet c = lmb_coefficient(s, term);
        sum += c.f * lmb_product_rate(&term->product, &s->frames[p->a], &s->frames[p->b],
                                      &s->rates[p->a], &s->rates[p->b]);
        if (term->part != LMB_PLAIN)
            sum += c.d * term_value(s, term);
    }
    return sum * s->model->sparse_rows[r].scale;
}

double lmb_guard(const lmb_state *s, int r)
{
    const lmb_row *row = &s->model->parts.rows[r];
    const lmb_body_rows *own = row->body > 0 ? s->model->bodies[row->body].ops->rows : NULL;
    if (own && own->guard && !s->row_off[r])
        return own->guard(&s->bodies[row->body], row->own);
    return row->guard_count && !s->row_off[r] ? sum_of(s, row->guard, row->guard_count) : 1;
}

LMB_NARROW void lmb_add_load(const lmb_state *s, int marker, const lmb_frame *g, double *numbers)
{
    const lmb_marker *mark = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[mark->body];
    double *load = s->body_vector;
    at->body->ops->frame_load(at, mark, &s->frames[marker], g, load);
    for (int i = 0; i < mark->nv; i++)
        numbers[i] += load[i];
}

void lmb_jacobian(lmb_state *s)
{
    const lmb_model *m = s->model;
    const lmb_rows *parts = &m->parts;
    memset(s->jacobian, 0, (size_t)m->value_count * sizeof(double));
    for (int r = 0; r < m->nrows; r++) {
        const lmb_row *row = &parts->rows[r];
        if (row->body > 0 && !s->row_off[r])
            memcpy(s->jacobian + m->sparse_rows[r].value, own_gradient(s, r),
                   (size_t)m->sparse_rows[r].value_count * sizeof(double));
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
            const lmb_term *term = &parts->terms[t];
            if (term->product.kind == LMB_ONE)
                continue;
            const lmb_pair *p = &parts->pairs[term->pair];
            lmb_frame gA = frame_zero(), gB = frame_zero();
            lmb_product_gradient(&term->product, &s->frames[p->a], &s->frames[p->b],
                                 lmb_coefficient(s, term).f, &gA, &gB);
            lmb_term_places where = m->term_places[t];
            if (where.a >= 0)
                lmb_add_load(s, p->a, &gA, s->jacobian + where.a);
            if (where.b >= 0)
                lmb_add_load(s, p->b, &gB, s->jacobian + where.b);
        }
    }
}

void lmb_velocity_side(const lmb_state *s, double *nu)
{
    const lmb_rows *parts = &s->model->parts;
    for (int r = 0; r < parts->row_count; r++) {
        const lmb_row *row = &parts->rows[r];
        nu[r] = 0;
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++)
            if (parts->terms[t].part != LMB_PLAIN)
                nu[r] -= lmb_coefficient(s, &parts->terms[t]).d * term_value(s, &parts->terms[t]);
    }
}

/* What a term adds to the second time derivative of its row besides Phi_q a:
 * c (g . bias + xdot . H xdot) + 2 cdot (g . xdot) + cdotdot P. */
static double leftover(const lmb_state *s, const lmb_term *term)
{
    const lmb_pair *p = &s->model->parts.pairs[term->pair];
    const lmb_frame *A = &s->frames[p->a], *B = &s->frames[p->b];
    const lmb_frame *dA = &s->rates[p->a], *dB = &s->rates[p->b];
    lmb_jet c = lmb_coefficient(s, term);
    if (term->product.kind == LMB_ONE)
        return c.dd;
    lmb_frame gA = frame_zero(), gB = frame_zero(), hA = frame_zero(), hB = frame_zero();
    lmb_product_gradient(&term->product, A, B, 1, &gA, &gB);
    lmb_product_hessian(&term->product, A, B, 1, dA, dB, &hA, &hB);
    double sum = c.f * (frame_dot(&gA, &s->biases[p->a]) + frame_dot(&gB, &s->biases[p->b]) +
                        frame_dot(&hA, dA) + frame_dot(&hB, dB));
    if (term->part != LMB_PLAIN)
        sum += 2 * c.d * (frame_dot(&gA, dA) + frame_dot(&gB, dB)) + c.dd * term_value(s, term);
    return sum;
}

void lmb_acceleration_side(const lmb_state *s, double *gamma)
{
    const lmb_rows *parts = &s->model->parts;
    for (int r = 0; r < parts->row_count; r++) {
        const lmb_row *row = &parts->rows[r];
        gamma[r] = row->body > 0 && !s->row_off[r] ? -own_row_bias(s, r) : 0;
        for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++)
            gamma[r] -= leftover(s, &parts->terms[t]);
    }
}

void lmb_jacobian_times(const lmb_state *s, const double *x, double *y)
{
    const lmb_model *m = s->model;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        y[r] = 0;
        for (int b = row->block; b < row->block + row->block_count; b++) {
            const lmb_block *block = &m->blocks[b];
            for (int i = 0; i < block->nv; i++)
                y[r] += s->jacobian[block->value + i] * x[block->v + i];
        }
    }
}

void lmb_jacobian_transposed_subtract(const lmb_state *s, const double *x, double *y)
{
    const lmb_model *m = s->model;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int b = row->block; b < row->block + row->block_count; b++) {
            const lmb_block *block = &m->blocks[b];
            for (int i = 0; i < block->nv; i++)
                y[block->v + i] -= s->jacobian[block->value + i] * x[r];
        }
    }
}

/* Adds the forces on the two frames of a pair to the generalised forces. */
static void add_pair(const lmb_state *s, int pair, const lmb_frame *on_A, const lmb_frame *on_B,
                     double *Q)
{
    const lmb_model *m = s->model;
    const lmb_pair *p = &m->parts.pairs[pair];
    const lmb_marker *A = &m->parts.markers[p->a], *B = &m->parts.markers[p->b];
    if (A->nv)
        lmb_add_load(s, p->a, on_A, Q + A->v);
    if (B->nv)
        lmb_add_load(s, p->b, on_B, Q + B->v);
}

/* Forces of rows that follow each other on the same pair are added up first. */
typedef struct pair_sum {
    int pair; /* -1: none yet */
    lmb_frame on_A, on_B;
} pair_sum;

static inline void subtract_reaction(const lmb_state *s, int r, double lambda, pair_sum *sum,
                                     double *Q)
{
    const lmb_rows *parts = &s->model->parts;
    const lmb_row *row = &parts->rows[r];
    if (row->body > 0 && !s->row_off[r])
        lmb_small_add(Q + own_row_start(s->model, r), -lambda, own_gradient(s, r),
                      s->model->sparse_rows[r].value_count);
    for (int t = row->term; t < row->term + row->term_count && !s->row_off[r]; t++) {
        const lmb_term *term = &parts->terms[t];
        if (term->pair != sum->pair && sum->pair >= 0) {
            add_pair(s, sum->pair, &sum->on_A, &sum->on_B, Q);
            sum->on_A = sum->on_B = frame_zero();
        }
        sum->pair = term->pair;
        lmb_product_gradient(&term->product, &s->frames[parts->pairs[term->pair].a],
                             &s->frames[parts->pairs[term->pair].b],
                             -lambda * lmb_coefficient(s, term).f, &sum->on_A, &sum->on_B);
    }
}

void lmb_reactions_subtract(const lmb_state *s, const double *lambda, double *Q)
{
    pair_sum sum = {-1, frame_zero(), frame_zero()};
    for (int r = 0; r < s->model->nrows; r++)
        subtract_reaction(s, r, lambda[r], &sum, Q);
    if (sum.pair >= 0)
        add_pair(s, sum.pair, &sum.on_A, &sum.on_B, Q);
}

void lmb_mass_blocks(const lmb_state *s, double *blocks)
{
    for (int i = 0; i < s->model->body_count; i++) {
        const lmb_body *b = &s->model->bodies[i];
        if (b->cluster_count)
            b->ops->mass(&s->bodies[i], blocks + s->model->clusters[b->cluster].mass);
    }
}

/* y = M x of one body. */
static void body_mass_times(const lmb_state *s, int i, const double *x, double *y)
{
    const lmb_body *b = &s->model->bodies[i];
    if (b->ops->mass_times) {
        b->ops->mass_times(&s->bodies[i], x + b->v, y + b->v);
        return;
    }
    b->ops->mass(&s->bodies[i], s->body_block);
    const double *block = s->body_block;
    for (int c = b->cluster; c < b->cluster + b->cluster_count; c++) {
        const lmb_cluster *cluster = &s->model->clusters[c];
        lmb_small_multiply(block, x + cluster->v, cluster->nv, y + cluster->v);
        block += cluster->nv * cluster->nv;
    }
}

void lmb_mass_times(const lmb_state *s, const double *x, double *y)
{
    for (int i = 1; i < s->model->body_count; i++)
        body_mass_times(s, i, x, y);
}

void lmb_mass_matrix(const lmb_state *s, double *M)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv;
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        const double *block = s->body_block;
        b->ops->mass(&s->bodies[i], s->body_block);
        for (int c = b->cluster; c < b->cluster + b->cluster_count; c++) {
            const lmb_cluster *of = &m->clusters[c];
            for (int j = of->v; j < of->v + of->nv; j++, block += of->nv)
                memcpy(M + (size_t)j * n + of->v, block, (size_t)of->nv * sizeof *M);
        }
    }
}

vec3 lmb_present_gravity(const lmb_state *s)
{
    bool scaled = !s->scaled || s->scaled[s->model->force_count];
    return scaled ? v3_scale(s->load, s->model->gravity) : s->model->gravity;
}

double lmb_load_factor(const lmb_state *s, int force)
{
    bool scaled = !s->scaled || s->scaled[force];
    return scaled && s->model->forces[force].type->is_load ? s->load : 1;
}

void lmb_force_go_to(const lmb_state *s, const lmb_force *f, int k, lmb_force_at *at)
{
    const lmb_pair *p = &s->model->parts.pairs[f->pair + k];
    at->pair = k;
    at->A = &s->frames[p->a];
    at->B = &s->frames[p->b];
    at->dA = &s->rates[p->a];
    at->dB = &s->rates[p->b];
}

lmb_force_at lmb_force_input(const lmb_state *s, const lmb_force *f)
{
    int number = (int)(f - s->model->forces);
    lmb_force_at at = {.t = s->t,
                       .near = f->turn >= 0 ? s->turn[f->turn] : 0,
                       .added = s->inputs ? s->inputs[number] : v3(0, 0, 0),
                       .variables = s->variables + f->variable,
                       .records = s->records,
                       .load = lmb_load_factor(s, number),
                       .vectors = s->force_vectors + f->vector};
    for (int i = 0; i < f->input_count; i++)
        at.variables[LMB_EFFORT_VARIABLES + i] =
            (lmb_jet){lmb_input_value(s, &s->model->inputs[f->input + i]), 0, 0};
    lmb_force_go_to(s, f, 0, &at);
    if (f->type->prepare)
        f->type->prepare(f, &at);
    return at;
}

/* Adds one force. */
static void add_force(const lmb_state *s, int i, double *Q)
{
    const lmb_force *f = &s->model->forces[i];
    if (s->force_off[i])
        return;
    lmb_force_at at = lmb_force_input(s, f);
    for (int k = 0; k < f->pair_count; k++) {
        lmb_frame on_A = frame_zero(), on_B = frame_zero();
        lmb_force_go_to(s, f, k, &at);
        f->type->evaluate(f, &at, &on_A, &on_B);
        add_pair(s, f->pair + k, &on_A, &on_B, Q);
    }
}

void lmb_total_force(const lmb_state *s, double *Q)
{
    const lmb_model *m = s->model;
    vec3 gravity = lmb_present_gravity(s);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        b->ops->force(&s->bodies[i], gravity, Q + b->v);
    }
    for (int i = 0; i < m->force_count; i++)
        add_force(s, i, Q);
}

void lmb_items_residual(const lmb_state *s, const lmb_items *items, double *room, double *out)
{
    const lmb_model *m = s->model;
    vec3 gravity = lmb_present_gravity(s);
    pair_sum sum = {-1, frame_zero(), frame_zero()};
    memset(out, 0, (size_t)(m->nv + m->nrows) * sizeof *out);
    for (int i = 0; i < items->body_count; i++) {
        const lmb_body *b = &m->bodies[items->bodies[i]];
        b->ops->force(&s->bodies[items->bodies[i]], gravity, out + b->v);
    }
    for (int i = 0; i < items->force_count; i++)
        add_force(s, items->forces[i], out);
    for (int i = 0; i < items->row_count; i++) {
        int r = items->rows[i];
        bool level = m->parts.rows[r].velocity_level;
        out[m->nv + r] = level ? lmb_row_rate(s, r) / m->sparse_rows[r].scale : row_value(s, r);
        subtract_reaction(s, r, s->lambda[r], &sum, out);
    }
    if (sum.pair >= 0)
        add_pair(s, sum.pair, &sum.on_A, &sum.on_B, out);
    for (int i = 0; i < m->nv; i++)
        out[i] = -out[i];
    for (int i = 0; i < items->body_count; i++) {
        const lmb_body *b = &m->bodies[items->bodies[i]];
        body_mass_times(s, items->bodies[i], s->a, room);
        for (int j = b->v; j < b->v + b->nv; j++)
            out[j] += room[j];
    }
}

lmb_frame lmb_row_force(const lmb_state *s, int first, int count, int pair, bool second)
{
    const lmb_rows *parts = &s->model->parts;
    lmb_frame force[2] = {frame_zero(), frame_zero()};
    for (int r = first; r < first + count; r++) {
        const lmb_row *row = &parts->rows[r];
        for (int t = row->term; t < row->term + row->term_count; t++) {
            const lmb_term *term = &parts->terms[t];
            if (term->pair != pair)
                continue;
            const lmb_pair *p = &parts->pairs[pair];
            lmb_product_gradient(&term->product, &s->frames[p->a], &s->frames[p->b],
                                 -s->lambda[r] * lmb_coefficient(s, term).f, &force[0], &force[1]);
        }
    }
    return force[second];
}

lmb_balance lmb_total_balance(const lmb_state *s)
{
    lmb_balance sum = {0};
    for (int i = 0; i < s->model->body_count; i++) {
        lmb_balance one = {0};
        s->model->bodies[i].ops->balance(&s->bodies[i], lmb_present_gravity(s), &one);
        sum.kinetic += one.kinetic;
        sum.potential += one.potential;
        sum.elastic += one.elastic;
        sum.momentum = v3_add(sum.momentum, one.momentum);
        sum.angular_momentum = v3_add(sum.angular_momentum, one.angular_momentum);
    }
    return sum;
}

double lmb_elastic_energy(const lmb_state *s)
{
    lmb_balance of_bodies = lmb_total_balance(s);
    return lmb_elastic_energy_with(s, &of_bodies);
}

double lmb_elastic_energy_with(const lmb_state *s, const lmb_balance *of_bodies)
{
    double sum = of_bodies->elastic;
    for (int i = 0; i < s->model->force_count; i++) {
        const lmb_force *f = &s->model->forces[i];
        lmb_force_at at = lmb_force_input(s, f);
        if (f->type->energy && !s->force_off[i])
            sum += f->type->energy(f, &at);
    }
    return sum;
}

/* The power of a force at one of its pairs. */
static void add_power(const lmb_force *f, const lmb_force_at *at, double powers[LMB_WORK_COUNT])
{
    lmb_frame on_A = frame_zero(), on_B = frame_zero();
    if (f->type->power) {
        f->type->power(f, at, &powers[LMB_WORK_SUPPLIED], &powers[LMB_WORK_DISSIPATED]);
        return;
    }
    f->type->evaluate(f, at, &on_A, &on_B);
    powers[LMB_WORK_SUPPLIED] += frame_dot(&on_A, at->dA) + frame_dot(&on_B, at->dB);
}

void lmb_powers(const lmb_state *s, double powers[LMB_WORK_COUNT])
{
    const lmb_model *m = s->model;
    powers[LMB_WORK_SUPPLIED] = powers[LMB_WORK_DISSIPATED] = 0;
    for (int i = 0; i < m->body_count; i++)
        if (m->bodies[i].ops->loss)
            powers[LMB_WORK_DISSIPATED] += m->bodies[i].ops->loss(&s->bodies[i]);
    for (int i = 0; i < m->force_count; i++) {
        if (s->force_off[i])
            continue;
        const lmb_force *f = &m->forces[i];
        lmb_force_at at = lmb_force_input(s, f);
        for (int k = 0; k < f->pair_count; k++) {
            lmb_force_go_to(s, f, k, &at);
            add_power(f, &at, powers);
        }
    }
    /* a row that changes in time does work -lambda (Phi_q v), and Phi_q v = -Phi_t */
    for (int i = 0; i < m->driver_count; i++) {
        const lmb_row *row = &m->parts.rows[m->drivers[i].row];
        if (s->row_off[m->drivers[i].row])
            continue;
        for (int t = row->term; t < row->term + row->term_count; t++)
            powers[LMB_WORK_SUPPLIED] += s->lambda[m->drivers[i].row] *
                                         lmb_coefficient(s, &m->parts.terms[t]).d *
                                         term_value(s, &m->parts.terms[t]);
    }
}
