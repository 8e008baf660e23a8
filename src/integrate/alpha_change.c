/* First derivatives of a change of the length of steps, backwards. */
#include "integrate/alpha_change.h"

#include <string.h>

#include "integrate/alpha_internal.h"

lmb_alpha_change *lmb_alpha_change_new(const lmb_model *m, lmb_saddle_choice choice)
{
    lmb_arena *arena;
    lmb_alpha_change *c = lmb_arena_object(&arena, sizeof *c);
    if (!c)
        return NULL;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    c->model = m;
    c->arena = arena;
    c->w = lmb_arena_numbers(arena, nv);
    c->mu = lmb_arena_numbers(arena, rows);
    c->D = lmb_arena_numbers(arena, (size_t)m->couple_values);
    c->R = lmb_arena_numbers(arena, (size_t)m->value_count);
    c->other = lmb_arena_numbers(arena, (size_t)m->value_count);
    c->mass = lmb_arena_numbers(arena, (size_t)m->mass_count);
    c->keep = lmb_arena_numbers(arena, 2 * nv + rows);
    c->side = lmb_arena_numbers(arena, rows);
    c->xi = lmb_arena_numbers(arena, nv);
    c->off = lmb_arena_alloc(arena, (size_t)m->force_count + 1, sizeof *c->off);
    c->saddle = lmb_saddle_new(m, LMB_SADDLE_MASS, choice);
    if (c->saddle && lmb_arena_fine(arena))
        return c;
    lmb_alpha_change_free(c);
    return NULL;
}

void lmb_alpha_change_free(lmb_alpha_change *c)
{
    if (!c)
        return;
    lmb_saddle_free(c->saddle);
    lmb_arena_free(c->arena);
}

/* k of a row. */
static double factor_of(const lmb_alpha_change *c, int row)
{
    return c->model->parts.rows[row].velocity_level ? 0 : c->ratio * c->ratio - 1;
}

/* d(M a + Phi_q^T lambda)/dq with the w and mu of the change: what the tangent has more than
 * without them. Forces, which may depend on lambda, have no part in it. */
static void find_D(lmb_alpha_change *c, lmb_state *s)
{
    const lmb_model *m = c->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows, forces = (size_t)m->force_count;
    bool *off = c->off;
    memcpy(off, s->force_off, forces * sizeof *off);
    memset(s->force_off, true, forces * sizeof *off);
    memcpy(s->a, c->w, nv * sizeof *s->a);
    memcpy(s->lambda, c->mu, rows * sizeof *s->lambda);
    lmb_tangent_blocks(s);
    memcpy(c->D, s->tangent_q, (size_t)m->couple_values * sizeof *c->D);
    memset(s->a, 0, nv * sizeof *s->a);
    memset(s->lambda, 0, rows * sizeof *s->lambda);
    lmb_tangent_blocks(s);
    for (int i = 0; i < m->couple_values; i++)
        c->D[i] -= s->tangent_q[i];
    memcpy(s->force_off, off, forces * sizeof *off);
}

/* k R_v - R_w, which is (k + 1) R(v) - R(v + w), as R is linear in v but for Phi_t. */
static void find_R(lmb_alpha_change *c, lmb_state *s)
{
    const lmb_model *m = c->model;
    double *other = c->other;
    lmb_rate_tangent_blocks(s, c->R);
    for (int i = 0; i < m->nv; i++)
        s->v[i] += c->w[i];
    lmb_update_velocity(s);
    lmb_rate_tangent_blocks(s, other);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->value; k < row->value + row->value_count; k++)
            c->R[k] = (factor_of(c, r) + 1) * c->R[k] - other[k];
    }
}

bool lmb_alpha_change_take(lmb_alpha_change *c, lmb_state *s, double ratio, double epsilon)
{
    const lmb_model *m = c->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    double *v = c->keep, *a = v + nv, *lambda = a + nv;
    c->state = s;
    c->ratio = ratio;
    lmb_mass_blocks(s, c->mass);
    lmb_jacobian(s);
    lmb_saddle_matrix matrix = {.state = s, .mass = c->mass, .mass_factor = 1, .epsilon = epsilon};
    if (!lmb_saddle_factor(c->saddle, &matrix))
        return false;
    for (int r = 0; r < m->nrows; r++)
        c->side[r] = factor_of(c, r) * lmb_row_rate(s, r) / m->sparse_rows[r].scale;
    lmb_saddle_solve(c->saddle, NULL, c->side, c->w, c->mu);
    memcpy(v, s->v, nv * sizeof *v);
    memcpy(a, s->a, nv * sizeof *a);
    memcpy(lambda, s->lambda, rows * sizeof *lambda);
    find_D(c, s);
    find_R(c, s);
    memcpy(s->v, v, nv * sizeof *v);
    memcpy(s->a, a, nv * sizeof *a);
    memcpy(s->lambda, lambda, rows * sizeof *lambda);
    lmb_update_velocity(s);
    return true;
}

void lmb_alpha_change_forward(lmb_alpha_change *c, const double *load, double *x)
{
    const lmb_model *m = c->model;
    size_t nv = (size_t)m->nv;
    const double *q = x + LMB_CHANGE_Q * nv;
    double *v = x + LMB_CHANGE_V * nv, *a = x + LMB_CHANGE_A * nv;
    double *alpha = x + LMB_CHANGE_ALPHA * nv, *force = c->keep, *w = force + nv;
    memcpy(force, load, nv * sizeof *force);
    lmb_couples_times(m, c->D, q, force);
    for (size_t i = 0; i < nv; i++)
        force[i] = -force[i];
    for (int r = 0; r < m->nrows; r++) { /* (k R_v - R_w) dq + k Phi_q dv */
        c->side[r] = -load[nv + (size_t)r];
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < b->nv; j++)
                c->side[r] += c->R[b->value + j] * q[b->v + j] +
                              factor_of(c, r) * c->state->jacobian[b->value + j] * v[b->v + j];
        }
    }
    lmb_saddle_solve(c->saddle, force, c->side, w, w + nv);
    for (size_t i = 0; i < nv; i++) {
        v[i] += w[i];
        alpha[i] = a[i] + c->ratio * (alpha[i] - a[i]);
    }
}

void lmb_alpha_change_backward(lmb_alpha_change *c, double *x, double *load)
{
    const lmb_model *m = c->model;
    size_t nv = (size_t)m->nv;
    double *q = x + LMB_CHANGE_Q * nv, *v = x + LMB_CHANGE_V * nv;
    double *a = x + LMB_CHANGE_A * nv, *alpha = x + LMB_CHANGE_ALPHA * nv;
    double *eta = load + nv;
    lmb_saddle_solve(c->saddle, v, NULL, c->xi, eta);
    for (size_t i = 0; i < nv; i++)
        load[i] = -c->xi[i];
    lmb_couples_transposed_times(m, c->D, load, q);
    for (int r = 0; r < m->nrows; r++) /* (k R_v - R_w)^T eta, and by v: k Phi_q^T eta */
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < b->nv; j++) {
                q[b->v + j] += c->R[b->value + j] * eta[r];
                v[b->v + j] += factor_of(c, r) * c->state->jacobian[b->value + j] * eta[r];
            }
        }
    for (size_t i = 0; i < nv; i++) {
        a[i] += (1 - c->ratio) * alpha[i];
        alpha[i] *= c->ratio;
    }
    for (int r = 0; r < m->nrows; r++)
        eta[r] = -eta[r];
}

void lmb_alpha_change_residual(const lmb_alpha_change *c, lmb_state *s, double *out)
{
    const lmb_model *m = c->model;
    double *rows = out + m->nv;
    memset(out, 0, (size_t)m->nv * sizeof *out);
    lmb_reactions_subtract(s, c->mu, out);
    lmb_mass_times(s, c->w, c->xi);
    for (int i = 0; i < m->nv; i++)
        out[i] = c->xi[i] - out[i];
    lmb_jacobian(s);
    lmb_jacobian_times(s, c->w, rows);
    for (int r = 0; r < m->nrows; r++)
        rows[r] -= factor_of(c, r) * lmb_row_rate(s, r) / s->model->sparse_rows[r].scale;
}
