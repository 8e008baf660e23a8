/* Conformance of every solver of saddle-point equations, one that only tests know included: on
 * random models of all kinds of bodies each one solves the matrix that the library assembles, with
 * one and with several right sides, transposed, saved and restored; sign of the determinant and
 * number of negative eigenvalues are those of dense linear algebra.
 *
 * The matrix is assembled once more here, from the definitions and by full matrices. A solver that
 * is not exact leaves couples out: there the same couples are left out of the matrix here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "qr_solver.h"
#include "random_models.h"
#include "support.h"

enum { SIDES = 3 };

/* What a matrix is made of, and itself as a full one. */
typedef struct problem {
    lmb_state *state;
    lmb_saddle_matrix matrix;
    double *mass, *tangent, *T;
    double *full; /* n x n */
    int n;
} problem;

/* A random tangent operator and tangent: the solver does not ask where they come from. The
 * tangent is small against the mass, as that of a step is. */
static problem make(const lmb_model *m, lmb_saddle_use use, double epsilon)
{
    problem p = {.state = random_state(m), .n = m->nv + m->nrows};
    p.mass = calloc((size_t)m->mass_count + 1, sizeof *p.mass);
    p.tangent = calloc((size_t)m->couple_values + 1, sizeof *p.tangent);
    p.T = calloc(LMB_TURN_NUMBERS * (size_t)m->node_count, sizeof *p.T);
    lmb_mass_blocks(p.state, p.mass);
    lmb_jacobian(p.state);
    lmb_tangent_blocks(p.state);
    for (int k = 0; k < m->couple_values; k++)
        p.tangent[k] = 0.01 * random_number();
    for (int k = 0; k < LMB_TURN_NUMBERS * m->node_count; k++)
        p.T[k] = (k % LMB_TURN_NUMBERS % 4 == 0) + 0.2 * random_number();
    bool coupled = use != LMB_SADDLE_MASS;
    p.matrix = (lmb_saddle_matrix){.state = p.state,
                                   .mass = p.mass,
                                   .mass_factor = coupled ? 1.3 : 1,
                                   .tangent = coupled ? p.tangent : NULL,
                                   .T = coupled ? p.T : NULL,
                                   .epsilon = epsilon};
    return p;
}

static void drop(problem *p)
{
    lmb_state_free(p->state);
    free(p->mass);
    free(p->tangent);
    free(p->T);
    free(p->full);
}

/* H = m M + K, with or without what couples different clusters. */
static void fill_H(problem *p, bool couples)
{
    const lmb_model *m = p->state->model;
    int n = p->n;
    double *M = calloc((size_t)m->nv * (size_t)m->nv + 1, sizeof *M);
    lmb_mass_matrix(p->state, M);
    for (int j = 0; j < m->nv; j++)
        for (int i = 0; i < m->nv; i++)
            p->full[j * n + i] = p->matrix.mass_factor * M[j * m->nv + i];
    for (int c = 0; c < m->couple_count && p->matrix.tangent; c++) {
        const lmb_couple *k = &m->couples[c];
        for (int j = 0; j < k->column_nv; j++)
            for (int i = 0; i < k->row_nv; i++)
                if (couples || k->row == k->column)
                    p->full[(k->column_v + j) * n + k->row_v + i] +=
                        p->tangent[k->value + j * k->row_nv + i];
    }
    free(M);
}

/* L = Phi_q T, U = Phi_q^T - dQ/dlambda and -E, rows scaled to lengths. */
static void fill_rows(problem *p)
{
    const lmb_model *m = p->state->model;
    const lmb_state *s = p->state;
    int n = p->n;
    double *row = calloc((size_t)m->nv + 1, sizeof *row);
    for (int r = 0; r < m->nrows; r++) {
        double scale = s->row_off[r] ? 0 : m->sparse_rows[r].scale;
        memset(row, 0, (size_t)m->nv * sizeof *row);
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < b->nv; j++) {
                double friction = p->matrix.tangent ? s->tangent_lambda[b->value + j] : 0;
                row[b->v + j] = s->jacobian[b->value + j];
                p->full[(m->nv + r) * n + b->v + j] = scale * (row[b->v + j] + friction);
            }
        }
        for (int i = 0; i < m->node_count && p->matrix.T; i++)
            if (lmb_node_turns(&m->nodes[i]))
                lmb_node_times_tangent(p->T + LMB_TURN_NUMBERS * i, row + m->nodes[i].v, 1);
        for (int j = 0; j < m->nv; j++)
            p->full[j * n + m->nv + r] = scale * row[j];
        p->full[(m->nv + r) * (n + 1)] = s->row_off[r] ? -1 : -p->matrix.epsilon;
    }
    free(row);
}

static void fill(problem *p, bool couples)
{
    p->full = calloc((size_t)p->n * (size_t)p->n + 1, sizeof *p->full);
    fill_H(p, couples);
    fill_rows(p);
}

/* |A x - b| against |A| |x| + |b|. What a solution leaves is rounding times the growth of the
 * numbers during elimination: KLU takes pivots down to 1e-3 of the largest of their column, so that
 * numbers may grow a thousand times in a step, here twice at most; Schur by bodies loses the
 * condition of a block. */
static void check_solution(const char *what, const problem *p, bool transposed, const double *x,
                           const double *b)
{
    int n = p->n;
    for (int i = 0; i < n; i++) {
        double sum = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            double a = transposed ? p->full[i * n + j] : p->full[j * n + i];
            sum += a * x[j];
            size += fabs(a * x[j]);
        }
        if (!(fabs(sum) <= 1e-9 * size))
            fail_msg("%s: equation %d of %d is off by %g of %g", what, i, n, sum, size);
    }
}

/* The sign of the determinant from the eigenvalues: complex ones come in pairs. */
static int sign_of(const problem *p)
{
    size_t n = (size_t)p->n;
    double *a = malloc(n * n * sizeof *a), *vectors = malloc(n * n * sizeof *a);
    double *real = malloc(n * sizeof *real), *imaginary = malloc(n * sizeof *imaginary);
    int sign = 1;
    memcpy(a, p->full, n * n * sizeof *a);
    assert_true(lmb_dense_eigen(p->n, a, real, imaginary, vectors));
    for (size_t i = 0; i < n; i++)
        if (imaginary[i] == 0 && real[i] < 0)
            sign = -sign;
    free(a);
    free(vectors);
    free(real);
    free(imaginary);
    return sign;
}

static double *packed(lmb_saddle *s)
{
    lmb_pack pack = {.mode = LMB_PACK_COUNT};
    lmb_saddle_pack(s, &pack);
    double *numbers = calloc(pack.count + 1, sizeof *numbers);
    pack = (lmb_pack){.mode = LMB_PACK_SAVE, .numbers = numbers};
    lmb_saddle_pack(s, &pack);
    return numbers;
}

/* One solver on one matrix. */
static void check_solver(const lmb_saddle_kind *kind, problem *p, lmb_saddle_use use)
{
    const lmb_model *m = p->state->model;
    size_t n = (size_t)p->n;
    lmb_saddle *s = kind->create(m, use), *other = kind->create(m, use);
    if (!s) { /* it may say so late */
        assert_null(other);
        return;
    }
    fill(p, kind->exact);
    double *b = malloc(SIDES * n * sizeof *b), *x = malloc(SIDES * n * sizeof *x);
    for (size_t i = 0; i < SIDES * n; i++)
        b[i] = random_number();
    assert_true(lmb_saddle_factor(s, &p->matrix));
    memcpy(x, b, SIDES * n * sizeof *x);
    s->kind->solve(s, x, SIDES);
    for (size_t k = 0; k < SIDES; k++)
        check_solution(kind->name, p, false, x + k * n, b + k * n);
    assert_int_equal(kind->sign(s), sign_of(p));
    assert_true(kind->condition(s) > 0 && kind->condition(s) <= 1);

    /* what is restored elsewhere gives the same to the last bit */
    double *numbers = packed(s), *y = malloc(n * sizeof *y);
    lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = numbers};
    lmb_saddle_pack(other, &pack);
    memcpy(x, b, n * sizeof *x);
    memcpy(y, b, n * sizeof *y);
    s->kind->solve(s, x, 1);
    other->kind->solve(other, y, 1);
    for (size_t i = 0; i < n; i++)
        assert_true(x[i] == y[i]);

    memcpy(x, b, SIDES * n * sizeof *x);
    s->kind->solve_transposed(s, x, SIDES);
    for (size_t k = 0; k < SIDES; k++)
        check_solution(kind->name, p, true, x + k * n, b + k * n);
    lmb_saddle_free(s);
    lmb_saddle_free(other);
    free(b);
    free(x);
    free(y);
    free(numbers);
    free(p->full);
    p->full = NULL;
}

/* As many negative eigenvalues as the symmetric part has by LAPACK. */
static void check_inertia(problem *p, lmb_saddle_use use)
{
    lmb_context *context = lmb_context_new();
    size_t n = (size_t)p->n;
    double *values = malloc(n * sizeof *values);
    int negative = 0, found;
    fill(p, true);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            p->full[i * n + j] = p->full[j * n + i] = (p->full[i * n + j] + p->full[j * n + i]) / 2;
    assert_true(lmb_dense_symmetric(p->n, p->full, values));
    for (size_t i = 0; i < n; i++)
        negative += values[i] < 0;
    assert_int_equal(lmb_saddle_inertia(context, p->state->model, use, &p->matrix, &found), LMB_OK);
    assert_int_equal(found, negative);
    free(values);
    free(p->full);
    p->full = NULL;
    lmb_context_free(context);
}

/* A joint that leaves the loop closed, one to the ground, and one to a particle; with and without
 * rows that do not act. */
static void every_solver_solves(void **unused)
{
    (void)unused;
    static const char *const ends[] = {"[A.a, B.b]", "[ground, B.b]", "[A.b, P]"};
    const lmb_saddle_kind *kinds[16] = {&qr_solver};
    int used[16] = {0};
    for (int i = 0; lmb_saddle_kinds[i]; i++)
        kinds[i + 1] = lmb_saddle_kinds[i];
    for (int variant = 0; variant < 2 * RANDOM_ALL_KINDS * 3; variant++) {
        int dimension = 2 + variant % 2;
        random_bodies = (random_kind)(variant / 2 % RANDOM_ALL_KINDS);
        lmb_model *m = compile_random(
            random_model_text(lmb_joint_types[0], dimension, ends[variant / 2 / RANDOM_ALL_KINDS]));
        for (int use = LMB_SADDLE_MASS; use <= LMB_SADDLE_EXACT; use++)
            for (int forces = 0; forces < 2; forces++) {
                int count = m->force_count, inputs = m->input_count;
                if (!forces) /* without them Schur by bodies can be used */
                    m->force_count = m->input_count = 0;
                problem p = make(m, (lmb_saddle_use)use, use == LMB_SADDLE_MASS ? 1e-3 : 1e-2);
                if (!forces)
                    memset(p.state->tangent_lambda, 0, (size_t)m->value_count * sizeof(double));
                p.state->row_off[1] = variant % 3 == 0;
                p.state->rows_off = variant % 3 == 0;
                lmb_jacobian(p.state);
                for (int k = 0; kinds[k]; k++) {
                    bool exact = use != LMB_SADDLE_EXACT || kinds[k]->exact;
                    if (!exact || !kinds[k]->suits(m, (lmb_saddle_use)use))
                        continue;
                    used[k]++;
                    check_solver(kinds[k], &p, (lmb_saddle_use)use);
                }
                check_inertia(&p, (lmb_saddle_use)use);
                drop(&p);
                m->force_count = count;
                m->input_count = inputs;
            }
        lmb_model_free(m);
    }
    for (int k = 0; kinds[k]; k++)
        if (used[k] == 0 && kinds[k] != &lmb_saddle_square && kinds[k] != &lmb_saddle_dense)
            fail_msg("no model was for the solver '%s'", kinds[k]->name);
}

/* Small and fully driven mechanisms, for which there are solvers of their own: the same checks. */
static void solvers_of_special_models(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        /* dense: 3 coordinates and 2 rows */
        "limber: 1\ndimension: 2\nbodies:\n  A: {mass: 1, inertia: 1, points: {a: [1, 0]}}\n"
        "joints:\n  pin: {type: revolute, between: [ground, A.a]}\n",
        /* square: as many rows as coordinates */
        "limber: 1\ndimension: 2\nbodies:\n  A: {mass: 1, inertia: 1, points: {a: [1, 0]}}\n"
        "joints:\n  pin: {type: revolute, between: [ground, A.a]}\n"
        "drivers:\n  motor: {joint: pin, angle: 1 + t}\n",
    };
    const lmb_saddle_kind *const kinds[] = {&lmb_saddle_dense, &lmb_saddle_square};
    for (int i = 0; i < 2; i++) {
        char *text = malloc(strlen(texts[i]) + 1);
        strcpy(text, texts[i]);
        lmb_model *m = compile_random(text);
        assert_true(kinds[i]->suits(m, LMB_SADDLE_MASS));
        problem p = make(m, LMB_SADDLE_MASS, 0);
        lmb_saddle *s = lmb_saddle_new(m, LMB_SADDLE_MASS, (lmb_saddle_choice){0});
        assert_ptr_equal(s->kind, kinds[i]);
        lmb_saddle_factor(s, &p.matrix);
        assert_int_equal(lmb_saddle_orientation(s) != 0, i == 1);
        lmb_saddle_free(s);
        check_solver(kinds[i], &p, LMB_SADDLE_MASS);
        drop(&p);
        lmb_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_solves),
        cmocka_unit_test(solvers_of_special_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
