/* Divide and conquer as a solver of models: accelerations and multipliers of the examples, of long
 * chains and of ladders are those of the sparse solver; one and two threads agree to the last bit;
 * what is chosen is taken, and what cannot be used is not. */
#include <cblas.h>
#include <float.h>
#include <glob.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "base/workers.h"
#include "models.h"
#include "support.h"
#include "system/saddle.h"
#include "system/solver.h"

/* Accelerations and multipliers of a state by one solver, with whatever is the right side. */
typedef struct answer {
    double *x, *y;
} answer;

static void set_forces(double *f, int count)
{
    for (int i = 0; i < count; i++)
        f[i] = sin(1 + i);
}

static answer solve(const lmb_saddle_kind *kind, lmb_state *s, lmb_workers *workers)
{
    const lmb_model *m = s->model;
    answer a = {calloc((size_t)m->nv + 1, sizeof(double)),
                calloc((size_t)m->nrows + 1, sizeof(double))};
    double *mass = calloc((size_t)m->mass_count + 1, sizeof *mass);
    double *f = calloc((size_t)m->nv + 1, sizeof *f), *g = calloc((size_t)m->nrows + 1, sizeof *g);
    set_forces(f, m->nv);
    for (int r = 0; r < m->nrows; r++)
        g[r] = cos(1 + r);
    lmb_mass_blocks(s, mass);
    lmb_saddle *saddle = kind->create(m, LMB_SADDLE_MASS);
    assert_non_null(saddle);
    saddle->workers = workers;
    assert_true(lmb_saddle_factor(
        saddle, &(lmb_saddle_matrix){.state = s, .mass = mass, .mass_factor = 1}));
    lmb_saddle_solve(saddle, f, g, a.x, a.y);
    lmb_saddle_free(saddle);
    free(mass);
    free(f);
    free(g);
    return a;
}

static void drop(answer *a)
{
    free(a->x);
    free(a->y);
}

static double size_of(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

static double difference(const double *x, const double *y, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i] - y[i]));
    return largest / (size_of(y, n) + 1e-300);
}

/* Both lose digits with the condition of the equations, the tree with that of J M^-1 J^T: of long
 * chains some five. */
static void compare(const char *name, lmb_state *s)
{
    const lmb_model *m = s->model;
    answer tree = solve(&lmb_saddle_tree, s, NULL), klu = solve(&lmb_saddle_klu, s, NULL);
    double x = difference(tree.x, klu.x, m->nv), y = difference(tree.y, klu.y, m->nrows);
    if (!(x < 1e-10 && y < 1e-10))
        fail_msg("%s: accelerations differ by %g, multipliers by %g", name, x, y);
    drop(&tree);
    drop(&klu);
}

/* The condition number of a matrix scaled to a diagonal of ones; `diagonal` is the old one. */
static double scaled_condition(const double *A, int n, double *diagonal)
{
    double *scaled = calloc((size_t)n * (size_t)n, sizeof *scaled);
    double *values = calloc((size_t)n, sizeof *values);
    assert_true(scaled && values);
    for (int i = 0; i < n; i++)
        diagonal[i] = A[i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            scaled[i * n + j] = A[i * n + j] / sqrt(diagonal[i] * diagonal[j]);
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, scaled, n, values), 0);
    double condition = values[n - 1] / values[0];
    free(scaled);
    free(values);
    return condition;
}

/* sqrt(sum of weight x^2) */
static double norm_of(const double *weight, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += weight[i] * x[i] * x[i];
    return sqrt(sum);
}

/* Multiplies columns of nv numbers by M^-1; returns the largest condition of a cluster. */
static double divide_by_mass(lmb_state *s, double *columns, int count, double *diagonal)
{
    const lmb_model *m = s->model;
    double *mass = calloc((size_t)m->mass_count + 1, sizeof *mass), worst = 1;
    assert_non_null(mass);
    lmb_mass_blocks(s, mass);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        double *block = mass + c->mass;
        worst = fmax(worst, scaled_condition(block, c->nv, diagonal + c->v));
        assert_int_equal(
            LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', c->nv, count, block, c->nv, columns + c->v, m->nv),
            0);
    }
    free(mass);
    return worst;
}

/* Sets the columns of J^T. */
static void set_columns(const lmb_state *s, double *columns)
{
    const lmb_model *m = s->model;
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            memcpy(columns + (size_t)r * (size_t)m->nv + b->v, s->jacobian + b->value,
                   (size_t)b->nv * sizeof *columns);
        }
}

/* The solution is u = M^-1 f, y = S^-1 (J u - g), x = u - M^-1 J^T y with S = J M^-1 J^T. Scales of
 * coordinates and rows hardly change its rounding, so it follows from the conditions k of matrices
 * scaled to a diagonal of ones. In sizes that are square roots of energies (x and u weighted by the
 * diagonal of M, y by that of S) u and S err by eps k(M), y and x by k(S) times that, for each of
 * nv sums and two solvers. The clamp of the
 * cantilever leaves 1.5e-5 of u, so that errors must be measured by u, not by x alone. */
static void compare_closely(const char *name, lmb_state *s)
{
    const lmb_model *m = s->model;
    int nv = m->nv, rows = m->nrows;
    size_t size = (size_t)nv * (size_t)(rows + 1);
    double *J = calloc(size, sizeof *J), *X = calloc(size, sizeof *X), *u = X + size - nv;
    double *S = calloc((size_t)rows * (size_t)rows, sizeof *S);
    double *M_ii = calloc((size_t)nv, sizeof *M_ii), *S_ii = calloc((size_t)rows, sizeof *S_ii);
    assert_true(J && X && S && M_ii && S_ii);
    set_columns(s, J);
    memcpy(X, J, size * sizeof *X);
    set_forces(u, nv);
    double condition = divide_by_mass(s, X, rows + 1, M_ii);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, rows, nv, 1, J, nv, X, nv, 0, S,
                rows);
    condition *= scaled_condition(S, rows, S_ii);
    answer tree = solve(&lmb_saddle_tree, s, NULL), klu = solve(&lmb_saddle_klu, s, NULL);
    double bound = 2 * nv * DBL_EPSILON * condition, free_size = norm_of(M_ii, u, nv);
    double x_size = free_size + norm_of(M_ii, klu.x, nv);
    double y_size = free_size + norm_of(S_ii, klu.y, rows);
    for (int i = 0; i < nv; i++)
        tree.x[i] -= klu.x[i];
    for (int r = 0; r < rows; r++)
        tree.y[r] -= klu.y[r];
    double x = norm_of(M_ii, tree.x, nv) / x_size, y = norm_of(S_ii, tree.y, rows) / y_size;
    if (!(x <= bound && y <= bound))
        fail_msg("%s: accelerations differ by %g, multipliers by %g of their sizes, more than %g",
                 name, x, y, bound);
    drop(&tree);
    drop(&klu);
    free(J);
    free(X);
    free(S);
    free(M_ii);
    free(S_ii);
}

/* Every example that it suits and whose rows are independent, where it is assembled. */
static void test_examples(void **unused)
{
    (void)unused;
    glob_t found;
    int compared = 0;
    assert_int_equal(glob("examples/*/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        lmb_spec *spec;
        lmb_model *m;
        if (lmb_spec_load(&spec, context, found.gl_pathv[i]) ||
            lmb_model_compile(&m, context, spec)) {
            lmb_messages_clear(context); /* bodies that are reduced elsewhere are not there */
            continue;
        }
        lmb_solver *s;
        lmb_rank rank;
        bool suits = m->nrows > 0 && lmb_saddle_tree.suits(m, LMB_SADDLE_MASS);
        if (suits) {
            assert_ok(lmb_solver_new(&s, context, m));
            lmb_set_time(s->state, 0);
            if (!lmb_assemble(s) && !lmb_find_rank(s, &rank) && rank.counts.redundant == 0) {
                lmb_jacobian(s->state);
                compare_closely(found.gl_pathv[i], s->state);
                compared++;
            }
            lmb_solver_free(s);
        }
        lmb_messages_clear(context);
        lmb_model_free(m);
        lmb_spec_free(spec);
    }
    globfree(&found);
    assert_true(compared > 10);
}

/* Bricard's mechanism has a row too many. In motion, the proximal iteration gives the same
 * accelerations with the factors of the tree as with those of the whole matrix, to rounding: they
 * do not depend on how the forces of the redundant rows are shared. */
static void test_redundant(void **unused)
{
    (void)unused;
    static const lmb_saddle_kind *const kinds[][2] = {{&lmb_saddle_klu}, {&lmb_saddle_tree}};
    lmb_spec *spec;
    lmb_model *m;
    assert_ok(lmb_spec_load(&spec, context, "examples/bricard/bricard.yaml"));
    assert_ok(lmb_model_compile(&m, context, spec));
    lmb_solver *s[2];
    for (int k = 0; k < 2; k++) {
        lmb_state *chosen = lmb_state_new(m);
        chosen->choice.kinds = kinds[k];
        assert_ok(lmb_solver_for(&s[k], context, chosen));
        lmb_state_free(chosen);
        assert_ptr_equal(s[k]->saddle->kind, kinds[k][0]);
        lmb_solver_allow_redundant(s[k]);
        lmb_set_time(s[k]->state, 0);
        assert_ok(lmb_assemble(s[k]));
        /* velocities that the joints allow: the first hinge turns */
        for (int i = 0; i < m->nv; i++)
            s[k]->state->v[i] = k == 0 ? 50 * cos(3 * i) : s[0]->state->v[i];
        if (k == 0) {
            lmb_solver_factor(s[k]);
            lmb_correct_velocity(s[k]);
        }
        lmb_update_velocity(s[k]->state);
        assert_true(lmb_solve_augmented(s[k]));
    }
    assert_true(size_of(s[0]->state->v, m->nv) > 0.1);
    assert_true(size_of(s[0]->state->a, m->nv) > 1);
    assert_true(difference(s[1]->state->a, s[0]->state->a, m->nv) < 1e-12);
    for (int k = 0; k < 2; k++)
        lmb_solver_free(s[k]);
    lmb_model_free(m);
    lmb_spec_free(spec);
}

static lmb_model *chain_of(int links)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: %d}\nbodies:\n"
        "  b{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [0.01, 0.1, 0.1], position: [i - 0.5, "
        "0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
        "joints:\n  j1: {type: revolute, axis: [0, 1, 0], between: [ground, b1.a]}\n"
        "  j{i}: {repeat: {i: [2, N]}, type: revolute, axis: [0, \"mod(i, 2)\", \"mod(i + 1, "
        "2)\"], between: [\"b{i - 1}.b\", \"b{i}.a\"]}\n",
        links);
    return model_of_text(text);
}

static lmb_state *placed(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    assert_non_null(s);
    lmb_set_time(s, 0);
    lmb_update_position(s);
    lmb_jacobian(s);
    return s;
}

/* A chain of 1200 links is divided into parts, one of 5 is not. */
static void test_threads(void **unused)
{
    (void)unused;
    lmb_workers *workers[] = {lmb_workers_new(1), lmb_workers_new(2), lmb_workers_new(3)};
    for (int links = 5; links <= 1200; links += 1195) {
        lmb_model *m = chain_of(links);
        lmb_state *s = placed(m);
        compare("a chain", s);
        answer alone = solve(&lmb_saddle_tree, s, NULL);
        for (int k = 0; k < 3; k++) {
            answer shared = solve(&lmb_saddle_tree, s, workers[k]);
            assert_memory_equal(shared.x, alone.x, (size_t)m->nv * sizeof(double));
            assert_memory_equal(shared.y, alone.y, (size_t)m->nrows * sizeof(double));
            drop(&shared);
        }
        drop(&alone);
        lmb_state_free(s);
        lmb_model_free(m);
    }
    for (int k = 0; k < 3; k++)
        lmb_workers_free(workers[k]);
}

/* Closing the loops of a ladder while bodies of their rows are missing would be singular. */
static void test_ladder(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\nparameters: {N: 20}\nbodies:\n"
        "  a{i}: {repeat: {i: [1, N]}, position: [i - 0.5, 0, 0], mass: 1, inertia: [0.01, 0.1, "
        "0.1], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
        "  b{i}: {repeat: {i: [1, N]}, position: [i - 0.5, 1, 0], mass: 1, inertia: [0.01, 0.1, "
        "0.1], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
        "  r{i}: {repeat: {i: [1, N]}, position: [i, 0.5, 0], mass: 1, inertia: [0.1, 0.01, 0.1], "
        "points: {a: [0, -0.5, 0], b: [0, 0.5, 0]}}\n"
        "joints:\n"
        "  ja{i}: {repeat: {i: [2, N]}, type: spherical, between: [\"a{i - 1}.b\", \"a{i}.a\"]}\n"
        "  jb{i}: {repeat: {i: [2, N]}, type: spherical, between: [\"b{i - 1}.b\", \"b{i}.a\"]}\n"
        "  ra{i}: {repeat: {i: [1, N]}, type: spherical, between: [\"a{i}.b\", \"r{i}.a\"]}\n"
        "  rb{i}: {repeat: {i: [1, N]}, type: spherical, between: [\"b{i}.b\", \"r{i}.b\"]}\n");
    lmb_state *s = placed(m);
    compare("a ladder", s);
    lmb_state_free(s);
    lmb_model_free(m);
}

/* Small models keep their solver; long ones and those who ask get the tree. */
static void test_choice(void **unused)
{
    (void)unused;
    static const lmb_saddle_kind *const tree[] = {&lmb_saddle_tree, &lmb_saddle_fronts, NULL};
    lmb_saddle_choice none = {0}, chosen = {.kinds = tree};
    lmb_model *small = chain_of(5), *large = chain_of(400);
    const struct {
        const lmb_model *model;
        lmb_saddle_use use;
        lmb_saddle_choice choice;
        const lmb_saddle_kind *kind;
    } cases[] = {
        {small, LMB_SADDLE_MASS, none, &lmb_saddle_klu},
        {small, LMB_SADDLE_MASS, chosen, &lmb_saddle_tree},
        {small, LMB_SADDLE_STEP, none, &lmb_saddle_schur},
        {small, LMB_SADDLE_STEP, chosen, &lmb_saddle_tree},
        {small, LMB_SADDLE_EXACT, chosen, &lmb_saddle_fronts},
        {large, LMB_SADDLE_MASS, none, &lmb_saddle_tree},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_saddle *s = lmb_saddle_new(cases[i].model, cases[i].use, cases[i].choice);
        assert_non_null(s);
        assert_string_equal(s->kind->name, cases[i].kind->name);
        lmb_saddle_free(s);
    }
    lmb_model_free(small);
    lmb_model_free(large);
}

/* A planar ladder of N rungs; the last text is a section of forces, or empty. */
static lmb_model *planar_ladder(int rungs, const char *forces)
{
    char text[2500];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nparameters: {N: %d}\nbodies:\n"
             "  a{i}: {repeat: {i: [1, N]}, position: [i - 0.5, 0], mass: 1, inertia: 0.1, points: "
             "{a: [-0.5, 0], b: [0.5, 0]}}\n"
             "  b{i}: {repeat: {i: [1, N]}, position: [i - 0.5, 1], mass: 1, inertia: 0.1, points: "
             "{a: [-0.5, 0], b: [0.5, 0]}}\n"
             "  r{i}: {repeat: {i: [1, N]}, position: [i, 0.5], mass: 1, inertia: 0.1, points: "
             "{a: [0, -0.5], b: [0, 0.5]}}\n"
             "joints:\n"
             "  ga: {type: revolute, between: [ground, a1.a]}\n"
             "  gb: {type: revolute, between: [ground, b1.a]}\n"
             "  ja{i}: {repeat: {i: [2, N]}, type: revolute, between: [\"a{i - 1}.b\", "
             "\"a{i}.a\"]}\n"
             "  jb{i}: {repeat: {i: [2, N]}, type: revolute, between: [\"b{i - 1}.b\", "
             "\"b{i}.a\"]}\n"
             "  ra{i}: {repeat: {i: [1, N]}, type: revolute, between: [\"a{i}.b\", \"r{i}.a\"]}\n"
             "  rb{i}: {repeat: {i: [1, N]}, type: revolute, between: [\"b{i}.b\", \"r{i}.b\"]}\n"
             "%s",
             rungs, forces);
    return model_of_text(text);
}

/* KLU exchanges pivots in ladders, so that its work grows with the third power of the rungs. The
 * tree's work grows with their number. Chains stay with KLU. */
static void implicit_steps_take_the_least_work(void **unused)
{
    (void)unused;
    static const char springs[] =
        "forces: {\"s{i}\": {repeat: {i: [1, N]}, type: spring, between: [\"a{i}.b\", \"b{i}.a\"], "
        "stiffness: 1, length: 1}}\n";
    lmb_saddle_choice none = {0}, by_work = {.by_work = true};
    lmb_model *chain = chain_of(100), *ladder = planar_ladder(40, ""),
              *sprung = planar_ladder(40, springs);
    const struct {
        const lmb_model *model;
        lmb_saddle_use use;
        lmb_saddle_choice choice;
        const lmb_saddle_kind *kind;
    } cases[] = {{chain, LMB_SADDLE_MASS, none, &lmb_saddle_klu},
                 {chain, LMB_SADDLE_MASS, by_work, &lmb_saddle_klu},
                 {ladder, LMB_SADDLE_MASS, none, &lmb_saddle_klu},
                 {ladder, LMB_SADDLE_MASS, by_work, &lmb_saddle_tree},
                 {ladder, LMB_SADDLE_STEP, by_work, &lmb_saddle_schur},
                 {sprung, LMB_SADDLE_STEP, none, &lmb_saddle_klu},
                 {sprung, LMB_SADDLE_STEP, by_work, &lmb_saddle_fronts}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_saddle *s = lmb_saddle_new(cases[i].model, cases[i].use, cases[i].choice);
        assert_string_equal(s->kind->name, cases[i].kind->name);
        lmb_saddle_free(s);
    }
    double work[2];
    for (int i = 0; i < 2; i++) {
        lmb_model *m = planar_ladder(i ? 40 : 20, "");
        lmb_saddle *s = lmb_saddle_tree.create(m, LMB_SADDLE_MASS);
        work[i] = lmb_saddle_tree.work(s);
        lmb_saddle_free(s);
        lmb_model_free(m);
    }
    assert_true(work[1] < 2.5 * work[0]);
    lmb_model_free(chain);
    lmb_model_free(ladder);
    lmb_model_free(sprung);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_choice),   cmocka_unit_test(implicit_steps_take_the_least_work),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
