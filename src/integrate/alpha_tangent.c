/* First derivatives of a step of the generalized-alpha method, forwards and backwards. */
#include "integrate/alpha_tangent.h"

#include <string.h>

#include "integrate/alpha_internal.h"

const double lmb_change_part = 1e-4;

struct lmb_alpha_tangent {
    const lmb_model *model;
    lmb_arena *arena;
    double am, af, beta, gamma;
    lmb_saddle *saddle;
    lmb_state *state; /* at the end of the step that was taken, */
    double h;         /* its length, */
    double *psi;      /* nv: and how far it went */
    double *T;        /* node_count x LMB_TURN_NUMBERS */
    double *tangent;  /* couple_values: gamma h C + beta h^2 K T */
    double *mass;     /* mass_count */
    double *rates;    /* value_count: (B v + b)_q of velocity-level rows; NULL: there are none */
    double *side;     /* nv + nrows */
    double *force, *moved, *other; /* nv */
    double *row;                   /* nrows */
};

lmb_alpha_tangent *lmb_alpha_tangent_new(const lmb_model *m, lmb_alpha_method method, double rho,
                                         lmb_saddle_choice choice)
{
    lmb_arena *arena;
    lmb_alpha_tangent *t = lmb_arena_object(&arena, sizeof *t);
    if (!t)
        return NULL;
    t->model = m;
    t->arena = arena;
    lmb_alpha_parameters(method, rho, &t->am, &t->af, &t->beta, &t->gamma);
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    t->psi = lmb_arena_numbers(arena, nv);
    t->T = lmb_arena_numbers(arena, LMB_TURN_NUMBERS * (size_t)m->node_count);
    t->tangent = lmb_arena_numbers(arena, (size_t)m->couple_values);
    t->mass = lmb_arena_numbers(arena, (size_t)m->mass_count);
    t->side = lmb_arena_numbers(arena, nv + rows);
    t->force = lmb_arena_numbers(arena, nv);
    t->moved = lmb_arena_numbers(arena, nv);
    t->other = lmb_arena_numbers(arena, nv);
    t->row = lmb_arena_numbers(arena, rows);
    for (int r = 0; r < m->nrows && !t->rates; r++)
        if (m->parts.rows[r].velocity_level)
            t->rates = lmb_arena_numbers(arena, (size_t)m->value_count);
    t->saddle = lmb_saddle_new(m, LMB_SADDLE_EXACT, choice);
    if (t->saddle && lmb_arena_fine(arena))
        return t;
    lmb_alpha_tangent_free(t);
    return NULL;
}

void lmb_alpha_tangent_free(lmb_alpha_tangent *t)
{
    if (!t)
        return;
    lmb_saddle_free(t->saddle);
    lmb_arena_free(t->arena);
}

/* --- the matrix ------------------------------------------------------------------------------- */

/* gamma h C + beta h^2 K T of one couple. */
static void set_couple(const lmb_alpha_tangent *t, const lmb_couple *c)
{
    const lmb_model *m = t->model;
    const lmb_cluster *column = &m->clusters[c->column];
    const double *K = t->state->tangent_q + c->value, *C = t->state->tangent_v + c->value;
    double bh2 = t->beta * t->h * t->h, gh = t->gamma * t->h, *out = t->tangent + c->value;
    memcpy(out, K, (size_t)(c->row_nv * c->column_nv) * sizeof *out);
    for (int k = column->node; k < column->node + column->node_count; k++)
        for (int i = 0; lmb_node_turns(&m->nodes[k]) && i < c->row_nv; i++)
            lmb_node_times_tangent(t->T + LMB_TURN_NUMBERS * k,
                                   out + (m->nodes[k].v - c->column_v) * c->row_nv + i, c->row_nv);
    for (int k = 0; k < c->row_nv * c->column_nv; k++)
        out[k] = bh2 * out[k] + gh * C[k];
}

bool lmb_alpha_tangent_take(lmb_alpha_tangent *t, lmb_state *s, const double *q0, double h,
                            bool redundant)
{
    const lmb_model *m = t->model;
    t->state = s;
    t->h = h;
    lmb_difference(m, q0, s->q, t->psi);
    for (int i = 0; i < m->node_count; i++)
        if (lmb_node_turns(&m->nodes[i]))
            lmb_node_tangent(&m->nodes[i], t->psi + m->nodes[i].v, t->T + LMB_TURN_NUMBERS * i);
    lmb_mass_blocks(s, t->mass);
    lmb_jacobian(s);
    lmb_tangent_blocks(s);
    for (int c = 0; c < m->couple_count; c++)
        set_couple(t, &m->couples[c]);
    if (t->rates)
        lmb_rate_tangent_blocks(s, t->rates);
    lmb_saddle_matrix matrix = {
        .state = s,
        .mass = t->mass,
        .mass_factor = (1 - t->am) / (1 - t->af),
        .tangent = t->tangent,
        .T = t->T,
        .rates = t->rates,
        .rate_factor = t->beta * h / t->gamma,
        .epsilon = redundant ? 1e-7 / m->heaviest : 0,
        .rate_epsilon = redundant ? 1e-3 / m->heaviest : 0,
    };
    return lmb_saddle_factor(t->saddle, &matrix);
}

void lmb_couples_times(const lmb_model *m, const double *A, const double *x, double *y)
{
    for (int i = 0; i < m->couple_count; i++) {
        const lmb_couple *c = &m->couples[i];
        const double *a = A + c->value;
        for (int k = 0; k < c->column_nv; k++, a += c->row_nv)
            for (int j = 0; j < c->row_nv; j++)
                y[c->row_v + j] += a[j] * x[c->column_v + k];
    }
}

void lmb_couples_transposed_times(const lmb_model *m, const double *A, const double *x, double *y)
{
    for (int i = 0; i < m->couple_count; i++) {
        const lmb_couple *c = &m->couples[i];
        const double *a = A + c->value;
        for (int k = 0; k < c->column_nv; k++, a += c->row_nv)
            for (int j = 0; j < c->row_nv; j++)
                y[c->column_v + k] += a[j] * x[c->row_v + j];
    }
}

/* y += C v + K x in one pass; blocks of planar bodies are 3 x 3. */
static void couples_times(const lmb_state *s, const double *v, const double *x, double *y)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->couple_count; i++) {
        const lmb_couple *c = &m->couples[i];
        const double *K = s->tangent_q + c->value, *C = s->tangent_v + c->value;
        const double *w = v + c->column_v, *z = x + c->column_v;
        double *out = y + c->row_v;
        int rows = c->row_nv;
        if (rows == 3 && c->column_nv == 3) {
            for (int j = 0; j < 3; j++)
                out[j] += C[j] * w[0] + C[j + 3] * w[1] + C[j + 6] * w[2] + K[j] * z[0] +
                          K[j + 3] * z[1] + K[j + 6] * z[2];
            continue;
        }
        for (int k = 0; k < c->column_nv; k++, K += rows, C += rows)
            for (int j = 0; j < rows; j++)
                out[j] += C[j] * w[k] + K[j] * z[k];
    }
}

/* v += C^T f and x += K^T f. */
static void couples_transposed_times(const lmb_state *s, const double *f, double *v, double *x)
{
    const lmb_model *m = s->model;
    for (int i = 0; i < m->couple_count; i++) {
        const lmb_couple *c = &m->couples[i];
        const double *K = s->tangent_q + c->value, *C = s->tangent_v + c->value;
        const double *g = f + c->row_v;
        for (int k = 0; k < c->column_nv; k++, K += c->row_nv, C += c->row_nv) {
            double by_v = 0, by_q = 0;
            for (int j = 0; j < c->row_nv; j++) {
                by_v += C[j] * g[j];
                by_q += K[j] * g[j];
            }
            v[c->column_v + k] += by_v;
            x[c->column_v + k] += by_q;
        }
    }
}

double lmb_row_times(const lmb_model *m, const double *values, int row, const double *x)
{
    double sum = 0;
    for (int k = 0; k < m->sparse_rows[row].block_count; k++) {
        const lmb_block *b = &m->blocks[m->sparse_rows[row].block + k];
        for (int j = 0; j < b->nv; j++)
            sum += values[b->value + j] * x[b->v + j];
    }
    return sum;
}

void lmb_row_add(const lmb_model *m, const double *values, int row, double f, double *x)
{
    for (int k = 0; k < m->sparse_rows[row].block_count; k++) {
        const lmb_block *b = &m->blocks[m->sparse_rows[row].block + k];
        for (int j = 0; j < b->nv; j++)
            x[b->v + j] += f * values[b->value + j];
    }
}

static bool of_velocity(const lmb_model *m, int row)
{
    return m->parts.rows[row].velocity_level;
}

/* out = P x, or P^T x, which is the transport back. */
static void transport(const lmb_alpha_tangent *t, bool back, const double *x, double *out)
{
    const lmb_model *m = t->model;
    memcpy(out, x, (size_t)m->nv * sizeof *out);
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        if (!lmb_node_turns(node))
            continue;
        double d[LMB_TURN_FIRST + LMB_TURN_COUNT];
        for (int k = 0; k < node->nv; k++)
            d[k] = back ? -t->psi[node->v + k] : t->psi[node->v + k];
        lmb_node_transport(node, d, x + node->v, out + node->v);
    }
}

/* --- forwards --------------------------------------------------------------------------------- */

/* What changes if psi does not; q' stands in t->moved. */
static void hold_psi(const lmb_alpha_tangent *t, double *change)
{
    size_t nv = (size_t)t->model->nv;
    double h = t->h, *v = change + LMB_CHANGE_V * nv;
    double *a = change + LMB_CHANGE_A * nv, *alpha = change + LMB_CHANGE_ALPHA * nv;
    double by_v = -1 / (t->beta * h), by_alpha = -(0.5 - t->beta) / t->beta;
    double before = h * (1 - t->gamma), after = h * t->gamma, per = 1 / (1 - t->af);
    for (size_t i = 0; i < nv; i++) {
        double next = by_v * v[i] + by_alpha * alpha[i];
        v[i] += before * alpha[i] + after * next;
        a[i] = per * ((1 - t->am) * next + t->am * alpha[i] - t->af * a[i]);
        alpha[i] = next;
    }
    transport(t, false, change + LMB_CHANGE_Q * nv, t->moved);
}

/* The right side: -beta h^2 (M a' + C v' + K q' + r_p) and -(Phi_q q' + Phi_p), scaled. */
static void set_side(const lmb_alpha_tangent *t, const double *load, const double *change)
{
    const lmb_model *m = t->model;
    const lmb_state *s = t->state;
    size_t nv = (size_t)m->nv;
    const double *v = change + LMB_CHANGE_V * nv, *a = change + LMB_CHANGE_A * nv;
    double bh2 = t->beta * t->h * t->h, c = t->beta * t->h / t->gamma;
    lmb_mass_times(s, a, t->force);
    couples_times(s, v, t->moved, t->force);
    for (size_t i = 0; i < nv; i++)
        t->side[i] = -bh2 * (t->force[i] + (load ? load[i] : 0));
    lmb_jacobian_times(s, t->moved, t->row);
    for (int r = 0; r < m->nrows; r++) {
        double sum = t->row[r] + (load ? load[nv + (size_t)r] : 0);
        if (of_velocity(m, r))
            sum = c * (lmb_row_times(m, s->jacobian, r, v) +
                       lmb_row_times(m, t->rates, r, t->moved) + (load ? load[nv + (size_t)r] : 0));
        t->side[nv + (size_t)r] = -t->saddle->scale[r] * sum;
    }
}

/* Adds what the solution (psi, lambda) of the right side does; `moved` is q'. */
static void add_solution(const lmb_alpha_tangent *t, double *side, const double *moved,
                         double *change, double *lambda)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv;
    double h = t->h, bh2 = t->beta * h * h, *psi = side;
    double by_alpha = 1 / bh2, by_v = t->gamma / (t->beta * h);
    double by_a = (1 - t->am) / ((1 - t->af) * bh2);
    double *q = change + LMB_CHANGE_Q * nv, *v = change + LMB_CHANGE_V * nv;
    double *a = change + LMB_CHANGE_A * nv, *alpha = change + LMB_CHANGE_ALPHA * nv;
    for (size_t i = 0; i < nv; i++) {
        alpha[i] += by_alpha * psi[i];
        v[i] += by_v * psi[i];
        a[i] += by_a * psi[i];
    }
    for (int r = 0; r < m->nrows; r++)
        lambda[r] = by_alpha * t->saddle->scale[r] * side[nv + (size_t)r];
    for (int i = 0; i < m->node_count; i++)
        if (lmb_node_turns(&m->nodes[i]))
            lmb_node_tangent_times(t->T + LMB_TURN_NUMBERS * i, psi + m->nodes[i].v);
    for (size_t i = 0; i < nv; i++)
        q[i] = moved[i] + psi[i];
}

void lmb_alpha_tangent_forward(lmb_alpha_tangent *t, const double *load, double *change,
                               double *lambda)
{
    hold_psi(t, change);
    set_side(t, load, change);
    lmb_saddle_refined(t->saddle, t->side, 1e-14);
    add_solution(t, t->side, t->moved, change, lambda);
}

size_t lmb_alpha_tangent_room(const lmb_model *m, int count)
{
    return (size_t)count * (2 * (size_t)m->nv + (size_t)m->nrows);
}

void lmb_alpha_tangent_forward_all(lmb_alpha_tangent *t, int count, const double *loads,
                                   double *const *changes, double *const *lambdas, double *room)
{
    size_t nv = (size_t)t->model->nv, one = nv + (size_t)t->model->nrows;
    double *moved = room + (size_t)count * one;
    for (size_t i = 0; i < (size_t)count; i++) {
        hold_psi(t, changes[i]);
        set_side(t, loads + i * one, changes[i]);
        memcpy(room + i * one, t->side, one * sizeof *room);
        memcpy(moved + i * nv, t->moved, nv * sizeof *room);
    }
    if (t->saddle->epsilon == 0)
        t->saddle->kind->solve(t->saddle, room, count);
    for (size_t i = 0; i < (size_t)count; i++) {
        if (t->saddle->epsilon > 0)
            lmb_saddle_refined(t->saddle, room + i * one, 1e-14);
        add_solution(t, room + i * one, moved + i * nv, changes[i], lambdas[i]);
    }
}

/* --- backwards -------------------------------------------------------------------------------- */

/* The derivatives by psi and lambda, which the transposed matrix turns into those by the right
 * side. */
static void set_transposed_side(const lmb_alpha_tangent *t, const double *change,
                                const double *lambda)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv;
    const double *q = change + LMB_CHANGE_Q * nv, *v = change + LMB_CHANGE_V * nv;
    const double *a = change + LMB_CHANGE_A * nv, *alpha = change + LMB_CHANGE_ALPHA * nv;
    double h = t->h, bh2 = t->beta * h * h;
    memcpy(t->side, q, nv * sizeof *q);
    for (int i = 0; i < m->node_count; i++)
        if (lmb_node_turns(&m->nodes[i]))
            lmb_node_times_tangent(t->T + LMB_TURN_NUMBERS * i, t->side + m->nodes[i].v, 1);
    for (size_t i = 0; i < nv; i++)
        t->side[i] += alpha[i] / bh2 + t->gamma / (t->beta * h) * v[i] +
                      (1 - t->am) / ((1 - t->af) * bh2) * a[i];
    for (int r = 0; r < m->nrows; r++)
        t->side[nv + (size_t)r] = t->saddle->scale[r] * lambda[r] / bh2;
}

/* The derivatives by q', v' and a' from those by the right side (mu, nu); that by q' in t->moved.
 */
static void add_right_side(const lmb_alpha_tangent *t, double *change, double *load)
{
    const lmb_model *m = t->model;
    const lmb_state *s = t->state;
    size_t nv = (size_t)m->nv;
    double bh2 = t->beta * t->h * t->h, c = t->beta * t->h / t->gamma;
    double *v = change + LMB_CHANGE_V * nv, *a = change + LMB_CHANGE_A * nv;
    for (size_t i = 0; i < nv; i++)
        load[i] = -bh2 * t->side[i];
    for (int r = 0; r < m->nrows; r++)
        load[nv + (size_t)r] =
            -t->saddle->scale[r] * t->side[nv + (size_t)r] * (of_velocity(m, r) ? c : 1);
    lmb_mass_times(s, load, t->force);
    for (size_t i = 0; i < nv; i++)
        a[i] += t->force[i];
    memcpy(t->moved, change + LMB_CHANGE_Q * nv, nv * sizeof *v);
    couples_transposed_times(s, load, v, t->moved);
    for (int r = 0; r < m->nrows; r++) {
        lmb_row_add(m, of_velocity(m, r) ? t->rates : s->jacobian, r, load[nv + (size_t)r],
                    t->moved);
        if (of_velocity(m, r))
            lmb_row_add(m, s->jacobian, r, load[nv + (size_t)r], v);
    }
}

void lmb_alpha_tangent_backward(lmb_alpha_tangent *t, double *change, const double *lambda,
                                double *load)
{
    const lmb_model *m = t->model;
    size_t nv = (size_t)m->nv;
    double h = t->h, *v = change + LMB_CHANGE_V * nv;
    double *a = change + LMB_CHANGE_A * nv, *alpha = change + LMB_CHANGE_ALPHA * nv;
    set_transposed_side(t, change, lambda);
    lmb_saddle_refined_transposed(t->saddle, t->side, 1e-14);
    add_right_side(t, change, load);
    for (size_t i = 0; i < nv; i++) {
        double next = alpha[i] + t->gamma * h * v[i] + (1 - t->am) / (1 - t->af) * a[i];
        alpha[i] = h * (1 - t->gamma) * v[i] + t->am / (1 - t->af) * a[i] -
                   (0.5 - t->beta) / t->beta * next;
        v[i] -= next / (t->beta * h);
        a[i] *= -t->af / (1 - t->af);
    }
    transport(t, true, t->moved, change + LMB_CHANGE_Q * nv);
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The largest displacement, speed or acceleration that numbers of modal coordinates mean, or those
 * of all others. */
static double largest_of(const lmb_model *m, const double *x, bool modal)
{
    double most = 0;
    for (int i = 0; i < m->nv; i++)
        if ((m->columns[i].class == LMB_CLASS_MODE) == modal)
            most = fmax(most, fabs(x[i]) * m->columns[i].size);
    return most;
}

/* The largest displacement by modes. */
static double largest_deformation(const lmb_state *s)
{
    const lmb_model *m = s->model;
    double most = 0;
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        for (int j = 0; j < node->nv && node->kind == LMB_NODE_VECTOR; j++)
            if (m->columns[node->v + j].class == LMB_CLASS_MODE)
                most = fmax(most, fabs(s->q[node->q + j]) * m->columns[node->v + j].size);
    }
    return most;
}

lmb_change_scales lmb_change_scales_of(const lmb_state *s)
{
    const lmb_model *m = s->model;
    const double *const rates[] = {s->v, s->a}, modal = largest_deformation(s);
    /* what is nothing but rounding has no size: at least a millionth of what gravity would do */
    const double least = 1e-6 * v3_norm(m->gravity);
    lmb_change_scales scales = {.model = m};
    scales.part[0][0] = m->length;
    scales.part[0][1] = modal > 0 ? modal : 1e-6 * m->length; /* small against the model */
    for (int k = 0; k < 2; k++) {
        double rigid = largest_of(m, rates[k], false), deforming = largest_of(m, rates[k], true);
        scales.part[k + 1][0] = rigid > 0 ? rigid : m->length;
        scales.part[k + 1][1] = deforming > 0 ? deforming : scales.part[k + 1][0];
    }
    for (int j = 0; j < 2; j++) { /* where one passes zero: sqrt(a l) and v^2 / l */
        double *v = &scales.part[1][j], *a = &scales.part[2][j], l = scales.part[0][j];
        *a = fmax(*a, least);
        double faster = sqrt(*a * l), more = *v * *v / l;
        *v = fmax(*v, faster);
        *a = fmax(*a, more);
    }
    for (int r = 0; r < m->nrows; r++)
        scales.lambda = fmax(scales.lambda, fabs(s->lambda[r]) / m->sparse_rows[r].scale);
    scales.lambda = fmax(scales.lambda, m->heaviest * fmax(least, 1e-6 * scales.part[2][0]));
    return scales;
}

double lmb_change_scale(const lmb_change_scales *s, size_t i)
{
    const lmb_model *m = s->model;
    size_t nv = (size_t)m->nv;
    if (i >= 3 * nv)
        return s->lambda * m->sparse_rows[i - 3 * nv].scale;
    const lmb_column *c = &m->columns[i % nv];
    return s->part[i / nv][c->class == LMB_CLASS_MODE] / c->size;
}

double lmb_change_distance(const lmb_state *s, const double *change, const double *lambda)
{
    const lmb_model *m = s->model;
    size_t nv = (size_t)m->nv;
    lmb_change_scales scales = lmb_change_scales_of(s);
    double most = 0;
    for (size_t i = 0; i < 3 * nv; i++) /* q, v and a stand in this order in both */
        most = fmax(most, fabs(change[i]) / lmb_change_scale(&scales, i));
    for (size_t r = 0; r < (size_t)m->nrows; r++)
        most = fmax(most, fabs(lambda[r]) / lmb_change_scale(&scales, 3 * nv + r));
    return most > 0 ? lmb_change_part / most : lmb_change_part;
}
