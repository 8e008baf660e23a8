/* Stiffness in the free directions: tangent, factorisations, extreme curvatures. */
#include "analysis/stiffness.h"

#include <string.h>

#include "math/eigen_internal.h"
#include "math/late.h"
#include "system/first_order.h"

lmb_status lmb_stiffness_new(lmb_stiffness **out, lmb_solver *solver)
{
    const lmb_model *m = solver->state->model;
    lmb_arena *arena;
    lmb_stiffness *k = lmb_arena_object(&arena, sizeof *k);
    *out = NULL;
    if (!k)
        return lmb_fail_memory(solver->context);
    *k = (lmb_stiffness){.solver = solver,
                         .size = 1,
                         .K = lmb_arena_numbers(arena, m->couple_values),
                         .T = lmb_arena_numbers(arena, (size_t)m->node_count * LMB_TURN_NUMBERS),
                         .side = lmb_arena_numbers(arena, m->nv + m->nrows),
                         .exact = lmb_saddle_new(m, LMB_SADDLE_EXACT, solver->state->choice),
                         .arena = arena};
    lmb_status status =
        k->exact ? lmb_check_memory(solver->context, arena) : lmb_fail_memory(solver->context);
    for (int i = 0; !status && i < m->node_count * LMB_TURN_NUMBERS; i++)
        k->T[i] = i % LMB_TURN_NUMBERS % (LMB_TURN_COUNT + 1) == 0;
    if (!status)
        status = lmb_saddle_symmetric_new(&k->symmetric, solver->context, m, LMB_SADDLE_EXACT);
    if (status)
        lmb_stiffness_free(k);
    else
        *out = k;
    return status;
}

void lmb_stiffness_free(lmb_stiffness *k)
{
    if (!k)
        return;
    lmb_saddle_free(k->exact);
    lmb_saddle_symmetric_free(k->symmetric);
    lmb_arena_free(k->arena);
}

void lmb_stiffness_update(lmb_stiffness *k, double least)
{
    const lmb_state *s = k->solver->state;
    const lmb_model *m = s->model;
    double size = 0;
    lmb_tangent_blocks(s);
    lmb_first_order_add_tangent(s, 0);
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *couple = &m->couples[c];
        for (int j = 0; j < couple->column_nv; j++)
            for (int i = 0; i < couple->row_nv; i++)
                size = fmax(size, fabs(s->tangent_q[couple->value + j * couple->row_nv + i]) /
                                      (m->columns[couple->row_v + i].size *
                                       m->columns[couple->column_v + j].size));
    }
    k->size = size > 0 ? size : least > 0 ? least : 1;
    for (int i = 0; i < m->couple_values; i++)
        k->K[i] = s->tangent_q[i] / k->size;
}

/* The matrix with a shift. Rows are regularised only where they repeat others. */
static lmb_saddle_matrix matrix_of(const lmb_stiffness *k, double shift)
{
    return (lmb_saddle_matrix){.state = k->solver->state,
                               .mass = k->solver->metric,
                               .mass_factor = shift / k->size,
                               .tangent = k->K,
                               .T = k->T,
                               .epsilon = k->solver->epsilon};
}

lmb_status lmb_stiffness_factor(lmb_stiffness *k, double shift)
{
    lmb_saddle_matrix matrix = matrix_of(k, shift);
    lmb_status status = lmb_saddle_symmetric_factor(k->symmetric, k->solver->context, &matrix);
    k->shift = shift;
    k->negative = k->symmetric->negative - k->solver->state->model->nrows;
    k->null = k->symmetric->null;
    return status;
}

const lmb_symmetric *lmb_stiffness_matrix(lmb_stiffness *k)
{
    lmb_saddle_matrix matrix = matrix_of(k, 0);
    lmb_saddle_symmetric_assemble(k->symmetric, &matrix);
    return &k->symmetric->matrix;
}

lmb_status lmb_stiffness_solve(lmb_stiffness *k, const double *f, double *d)
{
    const lmb_model *m = k->solver->state->model;
    for (int j = 0; j < m->nv; j++)
        k->side[j] = f[j] / k->size;
    memset(k->side + m->nv, 0, (size_t)m->nrows * sizeof *k->side);
    lmb_status status = lmb_saddle_symmetric_solve(k->symmetric, k->solver->context, k->side);
    memcpy(d, k->side, (size_t)m->nv * sizeof *d);
    return status;
}

int lmb_stiffness_factor_exact(lmb_stiffness *k)
{
    lmb_saddle_matrix matrix = matrix_of(k, 0);
    if (!lmb_saddle_factor(k->exact, &matrix))
        return 0;
    int sign = k->exact->kind->sign(k->exact);
    return k->solver->state->model->nrows % 2 ? -sign : sign;
}

void lmb_stiffness_solve_exact(lmb_stiffness *k, const double *f, double *d, double *y)
{
    const lmb_model *m = k->solver->state->model;
    for (int j = 0; j < m->nv; j++)
        k->side[j] = f[j] / k->size;
    memset(k->side + m->nv, 0, (size_t)m->nrows * sizeof *k->side);
    lmb_saddle_refined(k->exact, k->side, 1e-12);
    memcpy(d, k->side, (size_t)m->nv * sizeof *d);
    for (int r = 0; r < m->nrows; r++)
        y[r] = k->size * k->exact->scale[r] * k->side[m->nv + r];
}

void lmb_stiffness_times(const lmb_stiffness *k, bool symmetric, const double *x, double *y)
{
    const lmb_model *m = k->solver->state->model;
    double part = symmetric ? 0.5 : 1;
    memset(y, 0, (size_t)m->nv * sizeof *y);
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *o = &m->couples[c];
        const double *K = k->K + o->value;
        cblas_dgemv(CblasColMajor, CblasNoTrans, o->row_nv, o->column_nv, part * k->size, K,
                    o->row_nv, x + o->column_v, 1, 1, y + o->row_v, 1);
        if (symmetric)
            cblas_dgemv(CblasColMajor, CblasTrans, o->row_nv, o->column_nv, part * k->size, K,
                        o->row_nv, x + o->row_v, 1, 1, y + o->column_v, 1);
    }
}

double lmb_metric_product(const lmb_model *m, const double *x, const double *y)
{
    double sum = 0;
    for (int j = 0; j < m->nv; j++)
        sum += x[j] * y[j] * m->columns[j].size * m->columns[j].size;
    return sum;
}

/* d = W x / |x|, the side of an iteration. */
static void weigh(const lmb_model *m, const double *x, double *d)
{
    double norm = sqrt(lmb_metric_product(m, x, x));
    for (int j = 0; j < m->nv; j++)
        d[j] = x[j] * m->columns[j].size * m->columns[j].size / (norm > 0 ? norm : 1);
}

/* With x = (K + s W)^-1 W d, d^T W d = 1: the curvature of x is d^T W x / x^T W x - s. */
lmb_status lmb_stiffness_lowest(lmb_stiffness *k, double *d, double *curvature)
{
    enum { MOST_ITERATIONS = 60 };
    const lmb_model *m = k->solver->state->model;
    double *side = k->solver->force, before = INFINITY, norm = 1;
    lmb_status status = LMB_OK;
    lmb_eigen_start(d, (size_t)m->nv);
    for (int i = 0; i < MOST_ITERATIONS && !status; i++, before = *curvature) {
        weigh(m, d, side);
        status = lmb_stiffness_solve(k, side, d);
        double square = lmb_metric_product(m, d, d);
        norm = sqrt(square);
        *curvature = square > 0 ? cblas_ddot(m->nv, side, 1, d, 1) / square - k->shift : 0;
        if (i > 2 && fabs(*curvature - before) <= 1e-9 * (fabs(*curvature) + k->shift))
            break;
    }
    cblas_dscal(m->nv, norm > 0 ? 1 / norm : 0, d, 1);
    return status;
}

void lmb_stiffness_null(lmb_stiffness *k, double *d)
{
    enum { MOST_ITERATIONS = 60 };
    const lmb_model *m = k->solver->state->model;
    double *side = k->solver->force, norm = 1, before = 0;
    lmb_eigen_start(d, (size_t)m->nv);
    for (int i = 0; i < MOST_ITERATIONS; i++, before = norm) {
        weigh(m, d, side);
        lmb_stiffness_solve_exact(k, side, d, k->solver->rows);
        norm = sqrt(lmb_metric_product(m, d, d));
        if (!isfinite(norm) || (i > 2 && fabs(norm - before) <= 1e-9 * norm))
            break;
    }
    cblas_dscal(m->nv, norm > 0 ? 1 / norm : 0, d, 1);
}

/* The power method with P W^-1 K, P the projection onto the free directions. */
double lmb_stiffness_highest(lmb_stiffness *k, double *d)
{
    enum { ITERATIONS = 8 };
    lmb_solver *s = k->solver;
    const lmb_model *m = s->state->model;
    double highest = 0;
    lmb_eigen_start(s->force, (size_t)m->nv);
    for (int i = 0; i <= ITERATIONS; i++) {
        lmb_saddle_solve(s->saddle, s->force, NULL, d, s->rows);
        double norm = sqrt(lmb_metric_product(m, d, d));
        if (i > 0)
            highest = norm;
        if (!(norm > 0))
            return 0;
        cblas_dscal(m->nv, 1 / norm, d, 1);
        lmb_stiffness_times(k, true, d, s->force);
    }
    return highest;
}
