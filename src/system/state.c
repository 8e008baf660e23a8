/* The state of a model: allocation, copies, laws, kinematic quantities of all frames. */
#include "system/state.h"

#include <string.h>

size_t lmb_motion_numbers(const lmb_model *m)
{
    return (size_t)(m->nq + 2 * m->nv + m->nz + m->nrows);
}

/* The arrays of the state proper. */
static bool allocate_proper(lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t events = (size_t)m->event_count;
    s->number_count =
        lmb_motion_numbers(m) + (size_t)(m->parts.turn_count + m->law_count) + 2 * events;
    s->flag_count = (size_t)(m->nrows + m->force_count) + events;
    s->q = lmb_arena_numbers(s->arena, s->number_count);
    s->row_off = lmb_arena_alloc(s->arena, s->flag_count, sizeof *s->row_off);
    if (!lmb_arena_fine(s->arena))
        return false;
    s->v = s->q + m->nq;
    s->a = s->v + m->nv;
    s->z = s->a + m->nv;
    s->lambda = s->z + m->nz;
    s->turn = s->lambda + m->nrows;
    s->law_value = s->turn + m->parts.turn_count;
    s->event_time = s->law_value + m->law_count;
    s->event_side = s->event_time + events;
    s->force_off = s->row_off + m->nrows;
    s->event_off = s->force_off + m->force_count;
    return true;
}

static bool allocate(lmb_state *s)
{
    const lmb_model *m = s->model;
    lmb_arena *arena = s->arena;
    size_t markers = (size_t)m->parts.marker_count;
    s->laws = lmb_arena_alloc(arena, (size_t)m->law_count, sizeof *s->laws);
    s->bodies = lmb_arena_alloc(arena, (size_t)m->body_count, sizeof *s->bodies);
    s->frames = lmb_arena_alloc(arena, markers, sizeof *s->frames);
    s->rates = lmb_arena_alloc(arena, markers, sizeof *s->rates);
    s->biases = lmb_arena_alloc(arena, markers, sizeof *s->biases);
    s->jacobian = lmb_arena_numbers(arena, m->value_count);
    s->tangent_q = lmb_arena_numbers(arena, m->couple_values);
    s->tangent_v = lmb_arena_numbers(arena, m->couple_values);
    s->tangent_lambda = lmb_arena_numbers(arena, m->value_count);
    s->variables = lmb_arena_alloc(arena, (size_t)m->variable_count, sizeof *s->variables);
    s->force_vectors = lmb_arena_alloc(arena, (size_t)m->vector_count, sizeof *s->force_vectors);
    s->body_vector = lmb_arena_numbers(arena, m->largest_nv);
    s->row_vector = lmb_arena_numbers(arena, m->nrows);
    s->body_block = lmb_arena_numbers(arena, m->largest_mass);
    s->body_columns = lmb_arena_alloc(arena, (size_t)m->largest_nv, sizeof *s->body_columns);
    s->body_rates = lmb_arena_alloc(arena, (size_t)m->largest_nv, sizeof *s->body_rates);
    s->pair_columns = lmb_arena_alloc(arena, 2 * (size_t)m->largest_nv, sizeof *s->pair_columns);
    s->pair_changes = lmb_arena_alloc(arena, 4 * (size_t)m->largest_nv, sizeof *s->pair_changes);
    s->windows = lmb_arena_alloc(arena, (size_t)m->largest_window, sizeof *s->windows);
    s->first_order = lmb_arena_numbers(arena, m->largest_first_order);
    s->first_order_pivots = lmb_arena_integers(arena, m->largest_nz);
    return allocate_proper(s);
}

/* Laws given as rates start where they say, or at the coordinate as placed. */
static void start_laws(lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->law_count; i++) {
        const lmb_law *law = &m->laws[i];
        if (law->rate)
            s->law_value[i] =
                law->start_given
                    ? law->start
                    : lmb_coordinate_value(s, &m->parts.coordinates[law->coordinate]).f;
    }
}

lmb_state *lmb_state_new(const lmb_model *m)
{
    lmb_arena *arena;
    lmb_state *s = lmb_arena_object(&arena, sizeof *s);
    if (!s)
        return NULL;
    s->model = m;
    s->arena = arena;
    s->placed = true;
    s->load = 1;
    if (!allocate(s)) {
        lmb_arena_free(arena);
        return NULL;
    }
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        s->bodies[i] =
            (lmb_body_at){b, s->q + b->q, s->v + b->v, s->z + b->z, frame_identity(), NULL};
        if (b->ops->make_room && !(s->bodies[i].work = b->ops->make_room(b, arena))) {
            lmb_arena_free(arena);
            return NULL;
        }
        b->ops->place(b, &b->start, s->q + b->q);
        b->ops->launch(b, s->v + b->v);
        if (b->nz)
            b->ops->states->start(b, s->z + b->z);
    }
    for (int i = 0; i < m->parts.coordinate_count; i++)
        if (m->parts.coordinates[i].turn >= 0)
            s->turn[m->parts.coordinates[i].turn] = m->parts.coordinates[i].near;
    for (int i = 0; i < m->event_count; i++)
        s->event_time[i] = NAN;
    for (int i = 0; i < m->parts.marker_count; i++) /* those of the ground stay as they are */
        s->frames[i] = m->parts.markers[i].local;
    lmb_update_position(s);
    lmb_update_velocity(s);
    start_laws(s);
    lmb_set_time(s, 0);
    lmb_accept(s);
    return s;
}

lmb_state *lmb_state_at(const lmb_model *m, double t)
{
    lmb_state *s = lmb_state_new(m);
    if (s) {
        s->law_time = t;
        lmb_set_time(s, t);
    }
    return s;
}

void lmb_state_free(lmb_state *s)
{
    if (s)
        lmb_arena_free(s->arena);
}

void lmb_state_copy(lmb_state *to, const lmb_state *from)
{
    to->t = from->t;
    to->law_time = from->law_time;
    memcpy(to->work, from->work, sizeof to->work);
    memcpy(to->q, from->q, to->number_count * sizeof(double));
    memcpy(to->row_off, from->row_off, to->flag_count * sizeof(bool));
    to->rows_off = from->rows_off;
    to->placed = from->placed;
    to->records = from->records;
    to->choice = from->choice;
}

void lmb_state_pack(lmb_state *s, lmb_pack *pack)
{
    lmb_pack_number(pack, &s->t);
    lmb_pack_number(pack, &s->law_time);
    lmb_pack_numbers(pack, s->work, LMB_WORK_COUNT);
    lmb_pack_numbers(pack, s->q, s->number_count);
    lmb_pack_flags(pack, s->row_off, s->flag_count);
    if (pack->mode != LMB_PACK_RESTORE)
        return;
    s->rows_off = 0;
    for (int r = 0; r < s->model->nrows; r++)
        s->rows_off += s->row_off[r];
    lmb_update(s, s->t);
}

/* Gauss-Legendre quadrature of a rate over [a, b] with 5 points; *size is that of |rate|. */
static double gauss(const lmb_state *s, const lmb_expr *rate, double a, double b, double *size)
{
    static const double node[] = {0, 0.53846931010568309104, 0.90617984593866399280};
    static const double weight[] = {0.56888888888888888889, 0.47862867049936646804,
                                    0.23692688505618908751};
    double half = (b - a) / 2, middle = (a + b) / 2, sum = 0;
    *size = 0;
    for (int i = 0; i < 3; i++)
        for (int side = -1; side <= (i ? 1 : -1); side += 2) {
            lmb_jet f;
            lmb_expr_play(rate, (lmb_jet){middle + side * node[i] * half, 1, 0}, s->records, NULL,
                          &f);
            sum += weight[i] * f.f;
            *size += weight[i] * fabs(f.f * half);
        }
    return sum * half;
}

/* The integral of a rate, halving the interval until two halves agree with the whole. They are then
 * a thousand times better than the whole (order 10). */
static double integral(const lmb_state *s, const lmb_expr *rate, double a, double b, double whole,
                       int depth)
{
    double middle = (a + b) / 2, size_left, size_right;
    double left = gauss(s, rate, a, middle, &size_left),
           right = gauss(s, rate, middle, b, &size_right);
    if (depth == 0 || fabs(left + right - whole) <= 1e-13 * (size_left + size_right))
        return left + right;
    return integral(s, rate, a, middle, left, depth - 1) +
           integral(s, rate, middle, b, right, depth - 1);
}

static lmb_jet given_law(const lmb_given_law *g, double t)
{
    double later = t - g->from;
    return (lmb_jet){g->at.f + later * (g->at.d + later / 2 * g->at.dd), g->at.d + later * g->at.dd,
                     g->at.dd};
}

void lmb_set_time(lmb_state *s, double t)
{
    s->t = t;
    for (int i = 0; i < s->model->law_count; i++) {
        const lmb_law *law = &s->model->laws[i];
        if (s->given && s->given[i].given) {
            s->laws[i] = given_law(&s->given[i], t);
            continue;
        }
        lmb_expr_play(law->expression, (lmb_jet){t, 1, 0}, s->records, NULL, &s->laws[i]);
        if (!law->rate)
            continue;
        double more = 0, size;
        if (t != s->law_time)
            more = integral(s, law->expression, s->law_time, t,
                            gauss(s, law->expression, s->law_time, t, &size), 12);
        s->laws[i] = (lmb_jet){s->law_value[i] + more, s->laws[i].f, s->laws[i].d};
    }
}

void lmb_follow_turns(lmb_state *s)
{
    const lmb_rows *parts = &s->model->parts;
    for (int i = 0; i < parts->coordinate_count; i++) {
        const lmb_coordinate *c = &parts->coordinates[i];
        const lmb_pair *pair = &parts->pairs[c->pair];
        if (c->kind == LMB_COORDINATE_ANGLE)
            s->turn[c->turn] = lmb_product_value(&c->product, &s->frames[pair->a],
                                                 &s->frames[pair->b], s->turn[c->turn]);
    }
}

void lmb_accept_laws(lmb_state *s)
{
    for (int i = 0; i < s->model->law_count; i++)
        if (s->model->laws[i].rate)
            s->law_value[i] = s->laws[i].f;
    s->law_time = s->t;
}

void lmb_accept(lmb_state *s)
{
    lmb_follow_turns(s);
    lmb_accept_laws(s);
}

void lmb_update_position(lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 1; i < m->body_count; i++)
        m->bodies[i].ops->update(&s->bodies[i]);
    for (int i = 0; i < m->parts.marker_count; i++) {
        const lmb_marker *marker = &m->parts.markers[i];
        const lmb_body_at *at = &s->bodies[marker->body];
        if (marker->body)
            at->body->ops->frame(at, marker, &s->frames[i]);
    }
}

void lmb_update_rates(lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->parts.marker_count; i++) {
        const lmb_marker *marker = &m->parts.markers[i];
        const lmb_body_at *at = &s->bodies[marker->body];
        if (marker->body)
            at->body->ops->frame_rate(at, marker, &s->frames[i], s->v + marker->v, &s->rates[i]);
    }
}

void lmb_update_velocity(lmb_state *s)
{
    const lmb_model *m = s->model;
    lmb_update_rates(s);
    for (int i = 0; i < m->parts.marker_count; i++) {
        const lmb_body_at *at = &s->bodies[m->parts.markers[i].body];
        if (m->parts.markers[i].body)
            at->body->ops->frame_bias(at, &m->parts.markers[i], &s->frames[i], &s->biases[i]);
    }
}

void lmb_update(lmb_state *s, double t)
{
    lmb_set_time(s, t);
    lmb_update_position(s);
    lmb_update_velocity(s);
}

void lmb_retract(lmb_state *s, const double *from, const double *d)
{
    for (int i = 0; i < s->model->node_count; i++) {
        const lmb_node *node = &s->model->nodes[i];
        lmb_node_retract(node, from + node->q, d + node->v, s->q + node->q);
    }
}

void lmb_difference(const lmb_model *m, const double *q0, const double *q1, double *d)
{
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        lmb_node_difference(node, q0 + node->q, q1 + node->q, d + node->v);
    }
}

void lmb_rate(const lmb_state *s, double *qdot)
{
    for (int i = 0; i < s->model->node_count; i++) {
        const lmb_node *node = &s->model->nodes[i];
        lmb_node_rate(node, s->q + node->q, s->v + node->v, qdot + node->q);
    }
}

void lmb_state_rate(const lmb_state *s, double *zdot)
{
    for (int i = 0; s->model->nz && i < s->model->body_count; i++) {
        const lmb_body *b = &s->model->bodies[i];
        if (b->nz)
            b->ops->states->rate(&s->bodies[i], zdot + b->z);
    }
}

lmb_frame lmb_frame_acceleration(const lmb_state *s, int marker)
{
    const lmb_marker *m = &s->model->parts.markers[marker];
    const lmb_body_at *at = &s->bodies[m->body];
    lmb_frame x;
    at->body->ops->frame_rate(at, m, &s->frames[marker], s->a + m->v, &x);
    frame_add(&x, 1, &s->biases[marker]);
    return x;
}

/* The second derivative of a product, whose gradient is known. */
static double second_rate(const lmb_state *s, const lmb_coordinate *c, const lmb_frame *gA,
                          const lmb_frame *gB)
{
    const lmb_pair *pair = &s->model->parts.pairs[c->pair];
    const lmb_frame *A = &s->frames[pair->a], *B = &s->frames[pair->b];
    const lmb_frame *dA = &s->rates[pair->a], *dB = &s->rates[pair->b];
    lmb_frame hA = frame_zero(), hB = frame_zero();
    lmb_frame ddA = lmb_frame_acceleration(s, pair->a), ddB = lmb_frame_acceleration(s, pair->b);
    lmb_product_hessian(&c->product, A, B, 1, dA, dB, &hA, &hB);
    return frame_dot(gA, &ddA) + frame_dot(gB, &ddB) + frame_dot(&hA, dA) + frame_dot(&hB, dB);
}

lmb_jet lmb_coordinate_upto(const lmb_state *s, const lmb_coordinate *c, int derivative)
{
    const lmb_pair *pair = &s->model->parts.pairs[c->pair];
    const lmb_frame *A = &s->frames[pair->a], *B = &s->frames[pair->b];
    lmb_frame gA = frame_zero(), gB = frame_zero();
    lmb_jet x = {lmb_product_value(&c->product, A, B, c->turn >= 0 ? s->turn[c->turn] : 0), 0, 0};
    if (derivative > 0) {
        lmb_product_gradient(&c->product, A, B, 1, &gA, &gB);
        x.d = frame_dot(&gA, &s->rates[pair->a]) + frame_dot(&gB, &s->rates[pair->b]);
    }
    if (derivative > 1)
        x.dd = second_rate(s, c, &gA, &gB);
    if (c->kind == LMB_COORDINATE_LENGTH) { /* the product is L^2 / 2 */
        double length = sqrt(2 * x.f), speed = x.d / length;
        x = (lmb_jet){length, speed, (x.dd - speed * speed) / length};
    }
    return x;
}

lmb_jet lmb_coordinate_value(const lmb_state *s, const lmb_coordinate *c)
{
    return lmb_coordinate_upto(s, c, 2);
}

double lmb_coordinate_rate(const lmb_state *s, const lmb_coordinate *c)
{
    const lmb_pair *pair = &s->model->parts.pairs[c->pair];
    const lmb_frame *A = &s->frames[pair->a], *B = &s->frames[pair->b];
    double rate = lmb_product_rate(&c->product, A, B, &s->rates[pair->a], &s->rates[pair->b]);
    if (c->kind == LMB_COORDINATE_LENGTH)
        rate /= sqrt(2 * lmb_product_value(&c->product, A, B, 0));
    return rate;
}

double lmb_body_angle(const lmb_state *s, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    return b->turn ? lmb_coordinate_value(s, &s->model->parts.coordinates[b->turn - 1]).f
                   : s->q[b->q + 2];
}
