/* Factorisation of sparse symmetric matrices: solutions, inertia and null spaces that are known. */
#include <float.h>
#include "grid.h"
#include "jobs.h"
#include "lattice.h"
#include "math/factor.h"

/* A solution that is nowhere smooth. */
static double wanted(int i, int column)
{
    return (i * 7919 + column * 104729) % 1009 / 1009. - 0.5;
}

/* Right-hand sides of `wanted`. */
static double *right_sides(const lmb_symmetric *a, int count)
{
    size_t n = (size_t)a->n;
    double *b = calloc(n * (size_t)count, sizeof *b), *x = calloc(n, sizeof *x);
    assert_true(b && x);
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < a->n; i++)
            x[i] = wanted(i, c);
        lmb_symmetric_multiply(a, x, b + (size_t)c * n);
    }
    free(x);
    return b;
}

static void assert_solved(const double *x, int n, int count, double tolerance)
{
    for (int c = 0; c < count; c++)
        for (int i = 0; i < n; i++)
            assert_close(x[(size_t)c * (size_t)n + (size_t)i], wanted(i, c), tolerance);
}

/* Rounding times the condition, 4 * (N + 1)^2 / 3 * 4 = 1200 for the shortest chain of 14. */
static void many_right_sides_of_a_definite_matrix(void **unused)
{
    (void)unused;
    enum { COUNT = 75 };
    grid g;
    lmb_factor *factor;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 14, 15, 16, false);
    for (int grouped = 0; grouped < 2; grouped++) {
        assert_int_equal(lmb_factor_new(&factor, context, &g.k, grouped ? g.group : NULL), LMB_OK);
        assert_int_equal(lmb_factor_compute(factor, context, g.k.value), LMB_OK);
        const lmb_factor_facts *facts = lmb_factor_facts_of(factor);
        assert_int_equal(facts->negative, 0);
        assert_int_equal(facts->null_count, 0);
        assert_true(facts->bytes > 8 * facts->entries);
        assert_true(facts->entries > g.k.start[g.n]);
        assert_true(facts->operations > facts->entries);
        double *b = right_sides(&g.k, COUNT);
        assert_int_equal(lmb_factor_solve(factor, context, COUNT, b), LMB_OK);
        assert_solved(b, g.n, COUNT, 1200 * 20 * DBL_EPSILON);
        free(b);
        lmb_factor_free(factor);
    }
    assert_int_equal(lmb_message_count(context), 0);
    grid_free(&g);
    lmb_context_free(context);
}

/* Right-hand sides of a few numbers, and one of none. */
static void sparse_right_sides(void **unused)
{
    (void)unused;
    enum { COUNT = 7 };
    grid g;
    lmb_factor *factor;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 9, 10, 11, false);
    size_t n = (size_t)g.n, size = n * COUNT;
    double *b = calloc(2 * size, sizeof *b), *c = b + size;
    assert_non_null(b);
    for (size_t k = 1; k < COUNT; k++)
        for (size_t i = 0; i < k; i++)
            b[k * n + (k * 131 + i * 17) % n] = 1 + (double)i;
    memcpy(c, b, size * sizeof *b);
    assert_int_equal(lmb_factor_new(&factor, context, &g.k, g.group), LMB_OK);
    assert_int_equal(lmb_factor_compute(factor, context, g.k.value), LMB_OK);
    assert_int_equal(lmb_factor_solve(factor, context, COUNT, b), LMB_OK);
    assert_int_equal(lmb_factor_solve_sparse(factor, context, COUNT, c), LMB_OK);
    for (size_t i = 0; i < size; i++) /* of up to 10, by rounding times the condition */
        assert_close(c[i], b[i], 10 * 1200 * 20 * DBL_EPSILON);
    /* it does not change what follows, and nothing comes of nothing */
    memset(c, 0, size * sizeof *c);
    assert_int_equal(lmb_factor_solve_sparse(factor, context, COUNT, c), LMB_OK);
    for (size_t i = 0; i < size; i++)
        assert_close(c[i], 0, 0);
    free(b);
    b = right_sides(&g.k, COUNT);
    assert_int_equal(lmb_factor_solve(factor, context, COUNT, b), LMB_OK);
    assert_solved(b, g.n, COUNT, 1200 * 20 * DBL_EPSILON);
    free(b);
    lmb_factor_free(factor);
    grid_free(&g);
    lmb_context_free(context);
}

/* An order of its own, with the unknowns of a group side by side. */
static void groups_stay_together(void **unused)
{
    (void)unused;
    grid g;
    grid_new(&g, 9, 8, 7, false);
    int *place = calloc((size_t)g.n, sizeof *place), *at = calloc((size_t)g.n, sizeof *at);
    assert_true(place && at);
    assert_true(lmb_factor_order(&g.k, g.group, place));
    for (int i = 0; i < g.n; i++)
        at[place[i]]++;
    for (int i = 0; i < g.n; i++)
        assert_int_equal(at[i], 1);
    for (int i = 0; i < g.n; i += 3)
        for (int d = 1; d < 3; d++)
            assert_int_equal(place[i + d], place[i] + d);
    free(place);
    free(at);
    grid_free(&g);
}

/* Dissection of a cube must leave fewer entries than elimination from one side to the other, n
 * times the width of the band. */
static void dissection_saves_memory(void **unused)
{
    (void)unused;
    grid g;
    lmb_factor *factor;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 16, 16, 16, false);
    assert_int_equal(lmb_factor_new(&factor, context, &g.k, g.group), LMB_OK);
    assert_int_equal(lmb_factor_compute(factor, context, g.k.value), LMB_OK);
    assert_true(lmb_factor_facts_of(factor)->entries < 0.5 * g.n * 3 * 16 * 16);
    lmb_factor_free(factor);
    grid_free(&g);
    lmb_context_free(context);
}

/* Shifts half way between two eigenvalues have as many negative pivots as there are below. The
 * pattern is analysed once. */
static void inertia_counts_the_eigenvalues_below(void **unused)
{
    (void)unused;
    static const int below[] = {1, 10, 50, 200, 700, 1000};
    grid g;
    lmb_factor *factor;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 7, 8, 9, false);
    double *values = grid_values(&g, false);
    assert_int_equal(lmb_factor_new(&factor, context, &g.k, g.group), LMB_OK);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        int count = below[i];
        while (values[count] - values[count - 1] < 1e-6)
            count++;
        double *shifted = grid_shifted(&g, (values[count] + values[count - 1]) / 2);
        assert_int_equal(lmb_factor_compute(factor, context, shifted), LMB_OK);
        assert_int_equal(lmb_factor_facts_of(factor)->negative, count);
        free(shifted);
    }
    lmb_factor_free(factor);
    free(values);
    grid_free(&g);
    lmb_context_free(context);
}

/* K with rows B that hold the corners: [K B^T; B 0] has a negative eigenvalue a row. */
static void multipliers_are_negative_pivots(void **unused)
{
    (void)unused;
    enum { ROWS = 6 };
    grid g;
    lmb_factor *factor;
    lmb_symmetric a;
    lmb_context *context = lmb_context_new();
    grid_new(&g, 6, 5, 4, true);
    long entries = g.k.start[g.n], count = 0;
    lmb_triplet *list = calloc((size_t)entries + ROWS, sizeof *list);
    for (int j = 0; j < g.n; j++)
        for (int k = g.k.start[j]; k < g.k.start[j + 1]; k++)
            list[count++] = (lmb_triplet){g.k.row[k], j, g.k.value[k]};
    for (int i = 0; i < ROWS; i++)
        list[count++] = (lmb_triplet){g.n + i, i < 3 ? i : g.n - 1 - i, 1};
    assert_true(lmb_symmetric_of_triplets(&a, g.arena, g.n + ROWS, list, count));
    assert_int_equal(lmb_factor_new(&factor, context, &a, NULL), LMB_OK);
    assert_int_equal(lmb_factor_compute(factor, context, a.value), LMB_OK);
    assert_int_equal(lmb_factor_facts_of(factor)->negative, ROWS);
    assert_int_equal(lmb_factor_facts_of(factor)->null_count, 0);
    double *b = right_sides(&a, 2);
    assert_int_equal(lmb_factor_solve(factor, context, 2, b), LMB_OK);
    assert_solved(b, a.n, 2, 1e-12);
    free(b);
    free(list);
    lmb_factor_free(factor);
    grid_free(&g);
    lmb_context_free(context);
}

/* Each of the three displacements is free: one null pivot in each. With them at zero the solution
 * differs from the wanted one by a translation. */
static void a_free_part_has_null_pivots(void **unused)
{
    (void)unused;
    static const int sizes[][3] = {{40, 1, 1}, {1, 300, 1}, {9, 8, 7}, {2, 2, 500}};
    lmb_context *context = lmb_context_new();
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        grid g;
        lmb_factor *factor;
        grid_new(&g, sizes[s][0], sizes[s][1], sizes[s][2], true);
        assert_int_equal(lmb_factor_new(&factor, context, &g.k, g.group), LMB_OK);
        assert_int_equal(lmb_factor_compute(factor, context, g.k.value), LMB_OK);
        const lmb_factor_facts *facts = lmb_factor_facts_of(factor);
        assert_int_equal(facts->null_count, 3);
        assert_int_equal(facts->negative, 0);
        int seen = 0;
        for (int i = 0; i < 3; i++)
            seen |= 1 << facts->null_unknown[i] % 3;
        assert_int_equal(seen, 7);
        double *b = right_sides(&g.k, 1);
        assert_int_equal(lmb_factor_solve(factor, context, 1, b), LMB_OK);
        for (int i = 0; i < g.n; i++)
            assert_close(b[i] - b[i % 3], wanted(i, 0) - wanted(i % 3, 0), 1e-9);
        free(b);
        lmb_factor_free(factor);
        grid_free(&g);
    }
    lmb_context_free(context);
}

/* Holds the first unknowns by springs and counts null pivots. */
static int null_pivots(lattice *l, lmb_context *context, int held)
{
    lmb_symmetric a;
    lmb_factor *factor;
    lmb_arena *arena = lmb_arena_new();
    long count = l->count;
    for (int i = 0; i < held; i++)
        l->list[count++] = (lmb_triplet){i, i, 1e11};
    assert_true(lmb_symmetric_of_triplets(&a, arena, l->n, l->list, count));
    assert_int_equal(lmb_factor_new(&factor, context, &a, l->group), LMB_OK);
    assert_int_equal(lmb_factor_compute(factor, context, a.value), LMB_OK);
    assert_int_equal(lmb_factor_facts_of(factor)->negative, 0);
    int found = lmb_factor_facts_of(factor)->null_count;
    lmb_factor_free(factor);
    lmb_arena_free(arena);
    return found;
}

/* It can move and turn freely; held in one node it can still turn; clamped it is stiff, however
 * slender. */
static void a_lattice_has_six_rigid_motions(void **unused)
{
    (void)unused;
    lattice l;
    lmb_context *context = lmb_context_new();
    make_lattice(&l, 4, 5, 20);
    assert_int_equal(null_pivots(&l, context, 0), 6);
    assert_int_equal(null_pivots(&l, context, 3), 3);
    assert_int_equal(null_pivots(&l, context, 60), 0);
    free_lattice(&l);
    make_lattice(&l, 3, 3, 300);
    assert_int_equal(null_pivots(&l, context, 27), 0);
    assert_int_equal(null_pivots(&l, context, 0), 6);
    free_lattice(&l);
    lmb_context_free(context);
}

/* A cantilever of beam elements of length h = 1: the last pivot is 3 EI / L^3 against 24 EI / h^3,
 * yet it is no null pivot; without its clamp the beam has some. The matrix of an element is EI [12
 * 6 -12 6; 6 4 -6 2; -12 -6 12 -6; 6 2 -6 4]. */
static void a_long_cantilever_is_not_free(void **unused)
{
    (void)unused;
    static const double element[4][4] = {
        {12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
    static const int lengths[] = {100, 1000, 3000};
    lmb_context *context = lmb_context_new();
    for (int s = 0; s < 6; s++) {
        int length = lengths[s / 2], n = 2 * length + 2, *group = calloc((size_t)n, sizeof *group);
        bool clamped = s % 2;
        long count = 0;
        lmb_triplet *list = calloc(10 * (size_t)length + 2, sizeof *list);
        lmb_symmetric a;
        lmb_factor *factor;
        lmb_arena *arena = lmb_arena_new();
        for (int e = 0; e < length; e++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j <= i; j++)
                    list[count++] = (lmb_triplet){2 * e + i, 2 * e + j, element[i][j]};
        for (int i = 0; clamped && i < 2; i++)
            list[count++] = (lmb_triplet){i, i, 12};
        for (int i = 0; i < n; i++)
            group[i] = i / 2;
        assert_true(lmb_symmetric_of_triplets(&a, arena, n, list, count));
        assert_int_equal(lmb_factor_new(&factor, context, &a, group), LMB_OK);
        assert_int_equal(lmb_factor_compute(factor, context, a.value), LMB_OK);
        int found = lmb_factor_facts_of(factor)->null_count;
        assert_in_range(found, clamped ? 0 : 1, clamped ? 0 : 2);
        lmb_factor_free(factor);
        lmb_arena_free(arena);
        free(list);
        free(group);
    }
    lmb_context_free(context);
}

/* A diagonal matrix, a number, and nothing at all. */
static void small_ones(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    for (int n = 0; n < 6; n++) {
        lmb_symmetric a;
        lmb_factor *factor;
        lmb_triplet list[6];
        double b[6];
        for (int i = 0; i < n; i++) {
            list[i] = (lmb_triplet){i, i, i % 2 ? -2 : 4};
            b[i] = 8;
        }
        assert_true(lmb_symmetric_of_triplets(&a, arena, n, list, n));
        assert_int_equal(lmb_factor_new(&factor, context, &a, NULL), LMB_OK);
        assert_int_equal(lmb_factor_compute(factor, context, a.value), LMB_OK);
        assert_int_equal(lmb_factor_facts_of(factor)->negative, n / 2);
        assert_int_equal(lmb_factor_solve(factor, context, 1, b), LMB_OK);
        for (int i = 0; i < n; i++)
            assert_close(b[i], i % 2 ? -4 : 2, 4 * DBL_EPSILON);
        lmb_factor_free(factor);
    }
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* A solution by a thread of its own. */
typedef struct job {
    const grid *g;
    double *x;
    lmb_status status;
} job;

enum { COLUMNS = 3 };

static void *do_job(void *data)
{
    job *j = data;
    lmb_factor *factor = NULL;
    lmb_context *context = lmb_context_new();
    j->status = lmb_factor_new(&factor, context, &j->g->k, j->g->group);
    for (int i = 0; !j->status && i < 2; i++)
        j->status = lmb_factor_compute(factor, context, j->g->k.value);
    if (!j->status)
        j->status = lmb_factor_solve(factor, context, COLUMNS, j->x);
    lmb_factor_free(factor);
    lmb_context_free(context);
    return NULL;
}

/* Runs one after the other and runs at once give the same to the last bit. */
static void runs_and_threads_agree(void **unused)
{
    (void)unused;
    grid g[2];
    job jobs[JOBS];
    grid_new(&g[0], 14, 9, 11, false);
    grid_new(&g[1], 10, 12, 13, false);
    for (int i = 0; i < JOBS; i++) {
        const grid *of = &g[i == JOBS - 1];
        jobs[i] = (job){.g = of, .x = right_sides(&of->k, COLUMNS)};
    }
    do_jobs(jobs, sizeof *jobs, do_job);
    for (int i = 0; i < JOBS; i++) {
        size_t size = (size_t)jobs[i].g->n * COLUMNS * sizeof(double);
        assert_int_equal(jobs[i].status, LMB_OK);
        assert_solved(jobs[i].x, jobs[i].g->n, COLUMNS, 1e-11);
        if (jobs[i].g == &g[0])
            assert_memory_equal(jobs[i].x, jobs[0].x, size);
    }
    for (int i = 0; i < JOBS; i++)
        free(jobs[i].x);
    grid_free(&g[0]);
    grid_free(&g[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_right_sides_of_a_definite_matrix),
                                       cmocka_unit_test(sparse_right_sides),
                                       cmocka_unit_test(groups_stay_together),
                                       cmocka_unit_test(dissection_saves_memory),
                                       cmocka_unit_test(inertia_counts_the_eigenvalues_below),
                                       cmocka_unit_test(multipliers_are_negative_pivots),
                                       cmocka_unit_test(a_free_part_has_null_pivots),
                                       cmocka_unit_test(a_lattice_has_six_rigid_motions),
                                       cmocka_unit_test(a_long_cantilever_is_not_free),
                                       cmocka_unit_test(small_ones),
                                       cmocka_unit_test(runs_and_threads_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
