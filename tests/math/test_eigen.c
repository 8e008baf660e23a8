/* Lowest eigenvalues of sparse pencils against closed forms. The bound of 1e-10 is what
 * lmb_eigen_solve promises of an eigenvalue, relative; zeros are measured against the lowest that
 * is not zero. */
#include "grid.h"
#include "jobs.h"
#include "lattice.h"
#include "math/eigen.h"

enum { MANY = 100000 };

/* The matrix (a I - b L) (x) I for the L of a grid: with K it has common eigenvectors. */
static void make_mass(lmb_symmetric *m, const grid *g, double a, double b)
{
    long count = 0;
    lmb_triplet *list = calloc((size_t)g->k.start[g->n] + 1, sizeof *list);
    assert_non_null(list);
    for (int j = 0; j < g->n; j++)
        for (int k = g->k.start[j]; k < g->k.start[j + 1]; k++) {
            int i = g->k.row[k];
            double l = g->k.value[k] / grid_C[i % 3][j % 3]; /* C is 0 in the corners only */
            if (i % 3 == j % 3)
                list[count++] = (lmb_triplet){i, j, (i == j ? a : 0) - b * l};
        }
    assert_true(lmb_symmetric_of_triplets(m, g->arena, g->n, list, count));
    free(list);
}

/* x_i^T M x_j is 1 or 0. */
static void assert_orthonormal(const lmb_eigen *e, const lmb_symmetric *m, double tolerance)
{
    size_t n = (size_t)m->n;
    double *mx = calloc(n, sizeof *mx);
    assert_non_null(mx);
    for (int i = 0; i < e->count; i++) {
        lmb_symmetric_multiply(m, e->vector + (size_t)i * n, mx);
        for (int j = 0; j <= i; j++) {
            double product = 0;
            for (size_t k = 0; k < n; k++)
                product += mx[k] * e->vector[(size_t)j * n + k];
            assert_close(product, i == j, tolerance);
        }
    }
    free(mx);
}

/* |K x - w2 M x| over |K| |x| + w2 |M| |x|, by the lengths of vectors. */
static double residual_of(const lmb_symmetric *k, const lmb_symmetric *m, double value,
                          const double *x)
{
    size_t n = (size_t)m->n;
    double *kx = calloc(4 * n, sizeof *kx), *mx = kx + n, *ka = kx + 2 * n, *ma = kx + 3 * n;
    double error = 0, size = 0;
    lmb_symmetric_multiply(k, x, kx);
    lmb_symmetric_multiply(m, x, mx);
    lmb_symmetric_multiply_absolute(k, x, ka);
    lmb_symmetric_multiply_absolute(m, x, ma);
    for (size_t i = 0; i < n; i++) {
        error += pow(kx[i] - value * mx[i], 2);
        size += pow(ka[i] + fabs(value) * ma[i], 2);
    }
    free(kx);
    return sqrt(error / size);
}

/* Largest components are positive, residuals are of rounding. */
static void assert_tidy(const lmb_eigen *e, const lmb_symmetric *k, const lmb_symmetric *m)
{
    size_t n = (size_t)m->n;
    for (int i = 0; i < e->count; i++) {
        const double *x = e->vector + (size_t)i * n;
        double low = 0, high = 0;
        for (size_t j = 0; j < n; j++) {
            low = fmin(low, x[j]);
            high = fmax(high, x[j]);
        }
        assert_true(high > -low * (1 - 2e-6));
        assert_true(residual_of(k, m, e->value[i], x) < 1e-12);
        assert_true(i == 0 || e->value[i] >= e->value[i - 1]);
    }
}

static void assert_values(const lmb_eigen *e, const double *expected, int count, double zero)
{
    assert_int_equal(e->count, count);
    for (int i = 0; i < count; i++)
        if (fabs(e->value[i] - expected[i]) > 1e-10 * fmax(zero, expected[i]))
            fail_msg("eigenvalue %d is %.15g, not %.15g", i, e->value[i], expected[i]);
}

/* Solves a grid with M = I (or 2 I - L / 12) and compares. */
static void solve_grid(const int *size, bool is_free, bool consistent, lmb_eigen_options options)
{
    grid g;
    lmb_symmetric m;
    lmb_eigen e;
    lmb_context *context = lmb_context_new();
    grid_new(&g, size[0], size[1], size[2], is_free);
    make_mass(&m, &g, consistent ? 2 : 1, consistent ? 1 / 12. : 0);
    double *values = grid_values(&g, is_free);
    for (int i = 0; consistent && i < g.n; i++)
        values[i] =
            grid_sum(&g, i / 3, is_free) * (1 << i % 3) / (2 - grid_sum(&g, i / 3, is_free) / 12);
    qsort(values, (size_t)g.n, sizeof *values, grid_compare);
    int count = options.count < g.n ? options.count : g.n;
    if (options.below > 0)
        for (count = 0; values[count] <= options.below * (1 + 1e-12);)
            count++;
    options.group = g.group;
    if (lmb_eigen_solve(&e, context, g.arena, &g.k, &m, &options))
        fail_msg("%s", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    assert_values(&e, values, count, is_free ? values[3] : 0);
    assert_orthonormal(&e, &m, 1e-10);
    assert_tidy(&e, &g.k, &m);
    assert_int_equal(e.rigid, is_free ? 3 : 0);
    assert_int_equal(e.shift < 0, is_free);
    assert_int_equal(lmb_message_count(context), 0);
    free(values);
    grid_free(&g);
    lmb_context_free(context);
}

/* Cubes have triples, a square block has pairs, and the last has neither. */
static void repeated_eigenvalues(void **unused)
{
    (void)unused;
    static const int sizes[][3] = {{11, 11, 11}, {12, 12, 7}, {9, 10, 11}, {40, 40, 1}};
    for (int i = 0; i < 4; i++)
        for (int consistent = 0; consistent < 2; consistent++) {
            solve_grid(sizes[i], false, consistent, (lmb_eigen_options){.count = 30});
            solve_grid(sizes[i], false, consistent, (lmb_eigen_options){.count = 17});
        }
}

static void rigid_motions_are_zeros(void **unused)
{
    (void)unused;
    static const int sizes[][3] = {{10, 10, 10}, {1, 300, 1}, {2, 3, 200}};
    for (int i = 0; i < 3; i++) {
        solve_grid(sizes[i], true, false, (lmb_eigen_options){.count = 20});
        solve_grid(sizes[i], true, true, (lmb_eigen_options){.count = 15});
    }
}

/* Small ones, and most or all of the eigenvalues of larger ones. */
static void few_unknowns_and_many_eigenvalues(void **unused)
{
    (void)unused;
    static const int small[] = {4, 3, 2}, large[] = {7, 6, 5}, number[] = {1, 1, 1};
    solve_grid(number, false, false, (lmb_eigen_options){.count = 1});
    solve_grid(number, false, false, (lmb_eigen_options){.count = 9});
    for (int count = 1; count <= 75; count += 37)
        solve_grid(small, false, true, (lmb_eigen_options){.count = count});
    solve_grid(small, true, false, (lmb_eigen_options){.count = 10});
    solve_grid(large, false, false, (lmb_eigen_options){.count = 150});
    solve_grid(large, false, false, (lmb_eigen_options){.count = 629});
    solve_grid(large, false, false, (lmb_eigen_options){.count = 630});
    solve_grid(large, true, true, (lmb_eigen_options){.count = MANY});
}

static void all_below_a_bound(void **unused)
{
    (void)unused;
    static const int cube[] = {10, 10, 10}, small[] = {4, 4, 3};
    solve_grid(cube, false, false, (lmb_eigen_options){.below = 1.2});
    solve_grid(cube, true, false, (lmb_eigen_options){.below = 0.7});
    solve_grid(cube, false, false, (lmb_eigen_options){.below = 0.01});
    solve_grid(small, true, true, (lmb_eigen_options){.below = 2});
    /* the bound is an eigenvalue, six times */
    double bound = 2 * grid_chain(10, 0, false) + grid_chain(10, 1, false);
    solve_grid(cube, false, false, (lmb_eigen_options){.below = bound});
}

/* Springs of 1 between masses of 1 with a node without mass in the middle of each: springs of 1/2.
 */
static void nodes_without_mass(void **unused)
{
    (void)unused;
    static const int masses[] = {20, 400};
    for (int s = 0; s < 2; s++) {
        int count = masses[s], n = 2 * count + 1;
        lmb_symmetric k, m;
        lmb_eigen e;
        lmb_context *context = lmb_context_new();
        lmb_arena *arena = lmb_arena_new();
        lmb_triplet *list = calloc(3 * (size_t)n, sizeof *list);
        double *expected = calloc((size_t)count, sizeof *expected);
        for (int i = 0; i < count; i++)
            expected[i] = grid_chain(count, i, false) / 2;
        for (int i = 0; i < n; i++) {
            list[2 * i] = (lmb_triplet){i, i, 2};
            list[2 * i + 1] = (lmb_triplet){i, i > 0 ? i - 1 : i, i > 0 ? -1 : 0};
            list[2 * n + i] = (lmb_triplet){i, i, i % 2};
        }
        assert_true(lmb_symmetric_of_triplets(&k, arena, n, list, 2 * n));
        assert_true(lmb_symmetric_of_triplets(&m, arena, n, list + 2 * n, n));
        lmb_eigen_options options = {.count = 12};
        assert_int_equal(lmb_eigen_solve(&e, context, arena, &k, &m, &options), LMB_OK);
        assert_values(&e, expected, 12, 0);
        assert_orthonormal(&e, &m, 1e-10);
        assert_tidy(&e, &k, &m);
        options = (lmb_eigen_options){.count = n};
        assert_int_equal(lmb_eigen_solve(&e, context, arena, &k, &m, &options), LMB_OK);
        assert_values(&e, expected, count, 0);
        free(list);
        free(expected);
        lmb_arena_free(arena);
        lmb_context_free(context);
    }
}

/* A slender solid in steel's numbers: six motions without resistance, and bending in pairs. */
static void a_free_solid(void **unused)
{
    (void)unused;
    lattice l;
    lmb_symmetric k, m;
    lmb_eigen e;
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    make_lattice(&l, 3, 3, 100);
    assert_true(lmb_symmetric_of_triplets(&k, arena, l.n, l.list, l.count));
    for (int i = 0; i < l.n; i++)
        l.list[i] = (lmb_triplet){i, i, 7.8};
    assert_true(lmb_symmetric_of_triplets(&m, arena, l.n, l.list, l.n));
    lmb_eigen_options options = {.count = 12, .group = l.group};
    assert_int_equal(lmb_eigen_solve(&e, context, arena, &k, &m, &options), LMB_OK);
    assert_int_equal(e.rigid, 6);
    assert_tidy(&e, &k, &m);
    assert_orthonormal(&e, &m, 1e-10);
    assert_true(fabs(e.value[5]) < 1e-6 * e.value[6]);
    /* by Euler and Bernoulli the second bending is (7.8532 / 4.7300)^4 times the first; shear takes
     * a few hundredths off */
    assert_close(e.value[7] / e.value[6], 1, 1e-7);
    assert_close(e.value[9] / e.value[8], 1, 1e-7);
    assert_close(e.value[8] / e.value[6], pow(7.8532 / 4.7300, 4), 0.02);
    free_lattice(&l);
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* A factorisation of K that is there already is used as it is. */
static void reuses_a_factorisation(void **unused)
{
    (void)unused;
    grid g;
    lmb_symmetric m;
    lmb_eigen e;
    lmb_factor *factor;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 9, 8, 7, false);
    make_mass(&m, &g, 1, 0);
    double *values = grid_values(&g, false);
    lmb_eigen_options options = {.count = 10};
    assert_int_equal(lmb_factor_new(&factor, context, &g.k, g.group), LMB_OK);
    assert_int_equal(lmb_factor_compute(factor, context, g.k.value), LMB_OK);
    options.factor = factor;
    assert_int_equal(lmb_eigen_solve(&e, context, g.arena, &g.k, &m, &options), LMB_OK);
    assert_values(&e, values, 10, 0);
    assert_close(e.shift, 0, 0);
    lmb_factor_free(factor);
    free(values);
    grid_free(&g);
    lmb_context_free(context);
}

/* A factorisation of a singular K says that a shift is needed, and is left as it is. */
static void does_without_a_singular_factorisation(void **unused)
{
    (void)unused;
    grid g;
    lmb_symmetric m;
    lmb_eigen e;
    lmb_factor *factor;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 9, 8, 7, true);
    make_mass(&m, &g, 1, 0);
    double *values = grid_values(&g, true);
    assert_int_equal(lmb_factor_new(&factor, context, &g.k, g.group), LMB_OK);
    assert_int_equal(lmb_factor_compute(factor, context, g.k.value), LMB_OK);
    lmb_eigen_options options = {.count = 10, .factor = factor};
    assert_int_equal(lmb_eigen_solve(&e, context, g.arena, &g.k, &m, &options), LMB_OK);
    assert_values(&e, values, 10, values[3]);
    assert_int_equal(e.rigid, 3);
    assert_int_equal(lmb_factor_facts_of(factor)->null_count, 3);
    lmb_factor_free(factor);
    free(values);
    grid_free(&g);
    lmb_context_free(context);
}

/* A stiffness with negative directions is no stiffness. */
static void negative_stiffness_is_refused(void **unused)
{
    (void)unused;
    grid g;
    lmb_symmetric m;
    lmb_eigen e;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 6, 5, 4, false);
    make_mass(&m, &g, 1, 0);
    double *values = grid_values(&g, false);
    g.k.value = grid_shifted(&g, (values[0] + values[1]) / 2);
    lmb_eigen_options options = {.count = 3};
    assert_int_equal(lmb_eigen_solve(&e, context, g.arena, &g.k, &m, &options), LMB_SOLVER);
    assert_message(context, "negative in 1 directions");
    free(values);
    free(g.k.value);
    grid_free(&g);
    lmb_context_free(context);
}

/* An unknown in no element has neither stiffness nor mass: it stays at rest. */
static void an_unknown_of_nothing(void **unused)
{
    (void)unused;
    static const int sizes[] = {60, 300};
    for (int s = 0; s < 2; s++) {
        int n = sizes[s], count = 0;
        lmb_symmetric k, m;
        lmb_eigen e;
        lmb_context *context = lmb_context_new();
        lmb_arena *arena = lmb_arena_new();
        lmb_triplet *list = calloc(3 * (size_t)n, sizeof *list);
        double *expected = calloc((size_t)n, sizeof *expected);
        for (int i = 0; i < n - 1; i++) {
            list[count++] = (lmb_triplet){i, i, 2};
            list[count++] = (lmb_triplet){i, i > 0 ? i - 1 : i, i > 0 ? -1 : 0};
            list[2 * n + i] = (lmb_triplet){i, i, 1};
            expected[i] = grid_chain(n - 1, i, false);
        }
        assert_true(lmb_symmetric_of_triplets(&k, arena, n, list, count));
        assert_true(lmb_symmetric_of_triplets(&m, arena, n, list + 2 * n, n - 1));
        lmb_eigen_options options = {.count = 8};
        assert_int_equal(lmb_eigen_solve(&e, context, arena, &k, &m, &options), LMB_OK);
        assert_values(&e, expected, 8, 0);
        for (int i = 0; i < 8; i++)
            assert_close(e.vector[(i + 1) * n - 1], 0, 0);
        free(list);
        free(expected);
        lmb_arena_free(arena);
        lmb_context_free(context);
    }
}

typedef struct job {
    const grid *g;
    const lmb_symmetric *m;
    lmb_arena *arena;
    lmb_eigen e;
    lmb_status status;
} job;

static void *do_job(void *data)
{
    job *j = data;
    lmb_context *context = lmb_context_new();
    lmb_eigen_options options = {.count = 15, .group = j->g->group};
    j->status = lmb_eigen_solve(&j->e, context, j->arena, &j->g->k, j->m, &options);
    lmb_context_free(context);
    return NULL;
}

/* Runs one after the other and runs at once give the same to the last bit. */
static void runs_and_threads_agree(void **unused)
{
    (void)unused;
    grid g[2];
    lmb_symmetric m[2];
    job jobs[JOBS];
    grid_new(&g[0], 9, 9, 9, true);
    grid_new(&g[1], 10, 8, 8, false);
    for (int i = 0; i < 2; i++)
        make_mass(&m[i], &g[i], 1, 0);
    for (int i = 0; i < JOBS; i++) {
        int which = i == JOBS - 1;
        jobs[i] = (job){.g = &g[which], .m = &m[which], .arena = lmb_arena_new()};
    }
    do_jobs(jobs, sizeof *jobs, do_job);
    for (int i = 0; i < JOBS; i++) {
        const lmb_eigen *e = &jobs[i].e;
        assert_int_equal(jobs[i].status, LMB_OK);
        assert_int_equal(e->count, 15);
        if (i > 0 && i < JOBS - 1) {
            assert_memory_equal(e->value, jobs[0].e.value, 15 * sizeof *e->value);
            assert_memory_equal(e->vector, jobs[0].e.vector,
                                15 * (size_t)g[0].n * sizeof *e->vector);
        }
    }
    for (int i = 0; i < JOBS; i++)
        lmb_arena_free(jobs[i].arena);
    grid_free(&g[0]);
    grid_free(&g[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(repeated_eigenvalues),
                                       cmocka_unit_test(rigid_motions_are_zeros),
                                       cmocka_unit_test(few_unknowns_and_many_eigenvalues),
                                       cmocka_unit_test(all_below_a_bound),
                                       cmocka_unit_test(nodes_without_mass),
                                       cmocka_unit_test(a_free_solid),
                                       cmocka_unit_test(reuses_a_factorisation),
                                       cmocka_unit_test(does_without_a_singular_factorisation),
                                       cmocka_unit_test(negative_stiffness_is_refused),
                                       cmocka_unit_test(an_unknown_of_nothing),
                                       cmocka_unit_test(runs_and_threads_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
