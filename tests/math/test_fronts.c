/* Divide and conquer by fronts: on chains, trees, rings, grids and random sums of blocks a solution
 * satisfies the equations that are multiplied out here, block by block; fronts that are singular by
 * themselves are joined to others; a singular matrix is found out; the order of the work does not
 * depend on anything but the pattern. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/fronts.h"
#include "random_models.h"
#include "support.h"

enum { MOST_BLOCKS = 400, MOST_UNKNOWNS = 2000 };

/* A matrix of blocks that each have a few groups of unknowns. */
typedef struct sum {
    int group[MOST_UNKNOWNS], first[MOST_UNKNOWNS + 1], group_count, n;
    int unknowns[MOST_BLOCKS * 40];
    lmb_front_block blocks[MOST_BLOCKS];
    int block_count, used;
    double *values;
    size_t value_count;
} sum;

static int whole_number(int below)
{
    int i = (int)((random_number() + 1) / 2 * below);
    return i < below ? i : below - 1;
}

static sum *new_sum(int groups, int least, int most)
{
    sum *s = calloc(1, sizeof *s);
    s->group_count = groups;
    for (int g = 0; g < groups; g++) {
        s->first[g] = s->n;
        int size = least + whole_number(most - least + 1);
        for (int i = 0; i < size; i++)
            s->group[s->n++] = g;
    }
    s->first[groups] = s->n;
    assert_true(s->n <= MOST_UNKNOWNS);
    return s;
}

static void add_groups(sum *s, const int *groups, int count)
{
    lmb_front_block *b = &s->blocks[s->block_count++];
    assert_true(s->block_count <= MOST_BLOCKS);
    b->rows = b->columns = s->unknowns + s->used;
    for (int k = 0; k < count; k++)
        for (int i = s->first[groups[k]]; i < s->first[groups[k] + 1]; i++)
            s->unknowns[s->used++] = i;
    b->row_count = b->column_count = (int)(s->unknowns + s->used - b->rows);
}

static lmb_fronts *tree_of(sum *s, bool definite)
{
    lmb_front_matrix m = {.n = s->n,
                          .group = s->group,
                          .group_count = s->group_count,
                          .blocks = s->blocks,
                          .block_count = s->block_count,
                          .definite = definite};
    lmb_fronts *f = lmb_fronts_new(&m);
    assert_non_null(f);
    return f;
}

/* Numbers: of a definite matrix G^T G + 0.1 in each block, else anything with a larger diagonal. */
static void fill(sum *s, bool definite)
{
    s->value_count = 0;
    s->values = malloc((size_t)s->used * 64 * sizeof *s->values);
    for (int b = 0; b < s->block_count; b++) {
        int n = s->blocks[b].row_count;
        double G[64][64];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                G[i][j] = random_number();
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double value = definite ? 0.1 * (i == j) : G[i][j] + 2 * (i == j);
                for (int k = 0; k < n && definite; k++)
                    value += G[k][i] * G[k][j];
                s->values[s->value_count++] = definite && i < j ? NAN : value; /* not read */
            }
    }
}

/* y = A x (or A^T x), and what the sizes of the summands are. */
static void multiply(const sum *s, bool definite, bool transposed, const double *x, double *y,
                     double *size)
{
    const double *value = s->values;
    memset(y, 0, (size_t)s->n * sizeof *y);
    memset(size, 0, (size_t)s->n * sizeof *size);
    for (int b = 0; b < s->block_count; b++) {
        const lmb_front_block *block = &s->blocks[b];
        for (int j = 0; j < block->column_count; j++)
            for (int i = 0; i < block->row_count; i++, value++) {
                if (definite && i < j)
                    continue;
                int row = block->rows[i], column = block->columns[j];
                int to = transposed ? column : row, from = transposed ? row : column;
                y[to] += *value * x[from];
                size[to] += fabs(*value * x[from]);
                if (definite && i != j) {
                    y[from] += *value * x[to];
                    size[from] += fabs(*value * x[to]);
                }
            }
    }
}

/* Rounding times the growth of the numbers in the elimination: of Cholesky none, of LU a thousand
 * times at most where a pivot is 1e-3 of its column. */
static void check_solution(const sum *s, lmb_fronts *f, bool definite, bool transposed)
{
    size_t n = (size_t)s->n;
    double *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    double *size = malloc(n * sizeof *size);
    for (size_t i = 0; i < n; i++)
        x[i] = b[i] = random_number();
    (transposed ? lmb_fronts_solve_transposed : lmb_fronts_solve)(f, x, NULL);
    multiply(s, definite, transposed, x, y, size);
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(y[i] - b[i]) / (size[i] + fabs(b[i])));
    if (!(largest < (definite ? 1e-12 : 1e-11)))
        fail_msg("%d unknowns: off by %g", s->n, largest);
    free(b);
    free(x);
    free(y);
    free(size);
}

static void check(sum *s, bool definite)
{
    lmb_fronts *f = tree_of(s, definite);
    fill(s, definite);
    assert_true(lmb_fronts_factor(f, s->values, NULL, NULL));
    check_solution(s, f, definite, false);
    check_solution(s, f, definite, true);
    double *scale = malloc((size_t)s->n * sizeof *scale);
    for (int i = 0; i < s->n; i++)
        scale[i] = exp2(4 * random_number());
    assert_true(lmb_fronts_factor(f, s->values, definite ? NULL : scale, NULL));
    check_solution(s, f, definite, false);
    check_solution(s, f, definite, true);
    assert_true(lmb_fronts_condition(f) > 0 && lmb_fronts_condition(f) <= 1);
    lmb_fronts_free(f);
    free(scale);
    free(s->values);
    free(s);
}

static sum *chain(int links)
{
    sum *s = new_sum(links + 1, 1, 6);
    for (int i = 0; i < links; i++)
        add_groups(s, (int[]){i, i + 1}, 2);
    return s;
}

static void test_shapes(void **state)
{
    (void)state;
    for (int definite = 0; definite < 2; definite++) {
        check(chain(1), definite);
        check(chain(2), definite);
        check(chain(7), definite);
        check(chain(300), definite);
        sum *tree = new_sum(200, 1, 6);
        for (int i = 1; i < 200; i++)
            add_groups(tree, (int[]){i, whole_number(i)}, 2);
        check(tree, definite);
        sum *ring = new_sum(100, 2, 5);
        for (int i = 0; i < 100; i++)
            add_groups(ring, (int[]){i, (i + 1) % 100}, 2);
        check(ring, definite);
        sum *grid = new_sum(196, 1, 4);
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 13; j++)
                add_groups(grid, (int[]){14 * i + j, 14 * i + j + 1, 14 * i + j + 14}, 3);
        add_groups(grid, (int[]){195, 13, 182}, 3);
        for (int i = 0; i < 13; i++) /* what the triangles leave out */
            add_groups(grid, (int[]){14 * i + 13, 14 * 13 + i}, 2);
        check(grid, definite);
        sum *apart = new_sum(40, 1, 3); /* nothing joins them */
        for (int i = 0; i < 40; i++)
            add_groups(apart, &i, 1);
        check(apart, definite);
    }
}

/* Bodies with masses and joints between them, whose rows have nothing on the diagonal: closing the
 * rows of a joint before its bodies is impossible. */
static sum *jointed(int links)
{
    sum *s = calloc(1, sizeof *s);
    s->group_count = 2 * links;
    for (int g = 0; g < 2 * links; g++) { /* bodies of 3, then joints of 2 */
        s->first[g] = s->n;
        for (int i = 0; i < (g < links ? 3 : 2); i++)
            s->group[s->n++] = g;
    }
    s->first[2 * links] = s->n;
    return s;
}

static void test_rows_without_diagonal(void **state)
{
    (void)state;
    enum { LINKS = 60 };
    sum *s = jointed(LINKS);
    for (int i = 0; i < LINKS; i++)
        add_groups(s, (int[]){i}, 1);
    for (int i = 0; i < LINKS; i++) {
        int pair[3] = {LINKS + i, i, i - 1};
        add_groups(s, pair, i > 0 ? 3 : 2);
    }
    lmb_fronts *f = tree_of(s, false);
    fill(s, false);
    double *value = s->values;
    for (int b = 0; b < s->block_count; b++) /* joints: only what couples rows with bodies */
        for (int j = 0; j < s->blocks[b].column_count; j++)
            for (int i = 0; i < s->blocks[b].row_count; i++, value++)
                if (b >= LINKS && (i < 2) == (j < 2))
                    *value = 0;
    assert_true(lmb_fronts_factor(f, s->values, NULL, NULL));
    check_solution(s, f, false, false);
    check_solution(s, f, false, true);

    /* what was joined is restored elsewhere, and gives the same to the last bit */
    size_t n = (size_t)s->n;
    lmb_fronts *other = tree_of(s, false);
    lmb_pack pack = {.mode = LMB_PACK_COUNT};
    lmb_fronts_pack(f, &pack);
    double *numbers = calloc(pack.count + 1, sizeof *numbers);
    lmb_fronts_pack(f, &(lmb_pack){.mode = LMB_PACK_SAVE, .numbers = numbers});
    lmb_fronts_pack(other, &(lmb_pack){.mode = LMB_PACK_RESTORE, .numbers = numbers});
    assert_true(lmb_fronts_factor(other, s->values, NULL, NULL));
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (size_t i = 0; i < n; i++)
        x[i] = y[i] = random_number();
    lmb_fronts_solve(f, x, NULL);
    lmb_fronts_solve(other, y, NULL);
    assert_memory_equal(x, y, n * sizeof *x);

    /* a row that is nothing makes the matrix singular */
    value = s->values;
    for (int b = 0; b < s->block_count; b++)
        for (int j = 0; j < s->blocks[b].column_count; j++)
            for (int i = 0; i < s->blocks[b].row_count; i++, value++)
                if (s->blocks[b].rows[i] == s->n - 1)
                    *value = 0;
    assert_false(lmb_fronts_factor(f, s->values, NULL, NULL));
    lmb_fronts_free(f);
    lmb_fronts_free(other);
    free(numbers);
    free(x);
    free(y);
    free(s->values);
    free(s);
}

/* A matrix that is said to be definite, and is not. */
static void test_not_definite(void **state)
{
    (void)state;
    sum *s = chain(20);
    lmb_fronts *f = tree_of(s, true);
    fill(s, true);
    assert_true(lmb_fronts_factor(f, s->values, NULL, NULL));
    for (size_t i = 0; i < s->value_count; i++)
        s->values[i] = -s->values[i];
    assert_false(lmb_fronts_factor(f, s->values, NULL, NULL));
    for (size_t i = 0; i < s->value_count; i++)
        s->values[i] = NAN;
    assert_false(lmb_fronts_factor(f, s->values, NULL, NULL));
    lmb_fronts_free(f);
    free(s->values);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_rows_without_diagonal),
        cmocka_unit_test(test_not_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
