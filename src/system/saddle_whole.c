/* The whole matrix, factorised as a dense or as a sparse one. */
#include <math.h>

#include "system/saddle_assembly.h"

typedef struct whole {
    lmb_saddle base;
    lmb_saddle_assembly assembly;
    lmb_linear *solver;
} whole;

static lmb_linear *solver_of(const lmb_saddle *saddle)
{
    return ((const whole *)saddle)->solver;
}

static void destroy(lmb_saddle *saddle)
{
    lmb_linear_free(solver_of(saddle));
    lmb_arena_free(saddle->arena);
}

static lmb_saddle *create(const lmb_saddle_kind *kind, const lmb_linear_ops *ops,
                          const lmb_model *m, lmb_saddle_use use)
{
    whole *a = lmb_saddle_object(kind, m, use, sizeof *a);
    if (!a)
        return NULL;
    if (lmb_saddle_index(&a->assembly, a->base.arena, m, use))
        a->solver = lmb_linear_new_of(ops, &a->assembly.pattern);
    if (a->solver)
        return &a->base;
    destroy(&a->base);
    return NULL;
}

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *matrix)
{
    whole *a = (whole *)saddle;
    lmb_saddle_assemble(&a->assembly, matrix, saddle->scale);
    return lmb_linear_factor(a->solver, a->assembly.values);
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    solver_of(saddle)->ops->solve(solver_of(saddle), sides, count);
}

static void solve_transposed(lmb_saddle *saddle, double *sides, int count)
{
    solver_of(saddle)->ops->solve_transposed(solver_of(saddle), sides, count);
}

static double condition(const lmb_saddle *saddle)
{
    return solver_of(saddle)->ops->condition(solver_of(saddle));
}

static int sign(const lmb_saddle *saddle)
{
    return solver_of(saddle)->ops->sign(solver_of(saddle));
}

static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    lmb_linear_pack(solver_of(saddle), p);
}

static bool suits_any(const lmb_model *m, lmb_saddle_use use)
{
    (void)m, (void)use;
    return true;
}

static bool dense_is_fast(const lmb_model *m, lmb_saddle_use use)
{
    return lmb_linear_prefers_dense(m->nv + m->nrows, lmb_saddle_entries(m, use));
}

static lmb_saddle *create_dense(const lmb_model *m, lmb_saddle_use use)
{
    return create(&lmb_saddle_dense, &lmb_linear_dense, m, use);
}

static lmb_saddle *create_sparse(const lmb_model *m, lmb_saddle_use use)
{
    return create(&lmb_saddle_klu, &lmb_linear_klu, m, use);
}

/* Factorise typical numbers. The zeros on the diagonals of rows make KLU exchange pivots, which
 * fills the factors of ladders and nets far more than its symbolic analysis predicts. */
static double sparse_work(lmb_saddle *saddle)
{
    enum { SMALL = 100 };
    const double tiny = 1e-6;
    whole *a = (whole *)saddle;
    const lmb_pattern *p = &a->assembly.pattern;
    int nv = saddle->model->nv;
    if (p->n < SMALL)
        return 0;
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            int i = p->row[k];
            bool masses = i < nv && j < nv, corner = i >= nv && j >= nv;
            a->assembly.values[k] = corner ? -tiny : masses ? (i == j) + 0.1 * sin(k) : sin(k);
        }
    bool done = a->solver->ops->factor(a->solver, a->assembly.values);
    double work = done ? a->solver->ops->work(a->solver) : 0;
    a->solver->ops->forget(a->solver);
    return work;
}

#define WHOLE                                                                                      \
    .exact = true, .destroy = destroy, .factor = factor, .solve = solve,                           \
    .solve_transposed = solve_transposed, .condition = condition, .sign = sign, .pack = pack

const lmb_saddle_kind lmb_saddle_dense = {
    .name = "dense",
    .doc = "All equations at once as a full matrix: small or nearly full ones.",
    .suits = suits_any,
    .fast = dense_is_fast,
    .create = create_dense,
    WHOLE};

const lmb_saddle_kind lmb_saddle_klu = {
    .name = "klu",
    .doc = "All equations at once as a sparse matrix, by KLU: any model.",
    .suits = suits_any,
    .create = create_sparse,
    .work = sparse_work,
    WHOLE};
