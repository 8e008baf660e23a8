/* Matrices of grids whose eigenvalues are known.
 *
 * With the chains T of -1, 2, -1 (1 at free ends) along x, y, z and L the sum of their Kronecker
 * products with unit matrices, K = L (x) C with C = [2 1 0; 1 3 1; 0 1 2], whose eigenvalues are 1,
 * 2 and 4: three unknowns a node. Eigenvalues of K are (a_i + b_j + c_k) * {1, 2, 4} with
 *
 *     a_i = 2 - 2 cos(pi i / (N + 1)), i = 1 ... N        held at both ends
 *     a_i = 2 - 2 cos(pi i / N),       i = 0 ... N - 1    free */
#ifndef LMB_TESTS_MATH_GRID_H
#define LMB_TESTS_MATH_GRID_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/symmetric.h"
#include "support.h"

typedef struct grid {
    int nodes[3], n;
    int *group; /* node of each unknown */
    lmb_symmetric k;
    lmb_arena *arena;
} grid;

static const double grid_C[3][3] = {{2, 1, 0}, {1, 3, 1}, {0, 1, 2}};

/* Adds factor * C in the place of nodes p and q (p >= q). */
static void grid_put(lmb_triplet *list, long *count, int p, int q, double factor)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < (p == q ? i + 1 : 3); j++)
            list[(*count)++] = (lmb_triplet){3 * p + i, 3 * q + j, factor * grid_C[i][j]};
}

static void grid_new(grid *g, int nx, int ny, int nz, bool is_free)
{
    *g = (grid){.nodes = {nx, ny, nz}, .n = 3 * nx * ny * nz, .arena = lmb_arena_new()};
    lmb_triplet *list = calloc((size_t)g->n * 16, sizeof *list);
    g->group = lmb_arena_alloc(g->arena, (size_t)g->n, sizeof *g->group);
    assert_true(list && g->group);
    long count = 0;
    for (int p = 0; p < g->n / 3; p++) {
        int at[3] = {p % nx, p / nx % ny, p / nx / ny}, step[3] = {1, nx, nx * ny};
        double diagonal = 0;
        for (int d = 0; d < 3; d++) {
            bool low = at[d] == 0, high = at[d] == g->nodes[d] - 1;
            diagonal += is_free ? !low + !high : 2;
            if (!high)
                grid_put(list, &count, p + step[d], p, -1);
        }
        grid_put(list, &count, p, p, diagonal);
        for (int i = 0; i < 3; i++)
            g->group[3 * p + i] = p;
    }
    assert_true(lmb_symmetric_of_triplets(&g->k, g->arena, g->n, list, count));
    free(list);
}

static int grid_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double grid_chain(int nodes, int i, bool is_free)
{
    double angle = acos(-1.) * (is_free ? i / (double)nodes : (i + 1) / (nodes + 1.));
    return 4 * sin(angle / 2) * sin(angle / 2);
}

/* Eigenvalue number p of L. */
static double grid_sum(const grid *g, int p, bool is_free)
{
    int nx = g->nodes[0], ny = g->nodes[1];
    return grid_chain(nx, p % nx, is_free) + grid_chain(ny, p / nx % ny, is_free) +
           grid_chain(g->nodes[2], p / nx / ny, is_free);
}

/* All eigenvalues of K, ascending; to be freed. */
static double *grid_values(const grid *g, bool is_free)
{
    double *values = calloc((size_t)g->n, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < g->n; i++)
        values[i] = grid_sum(g, i / 3, is_free) * (1 << i % 3);
    qsort(values, (size_t)g->n, sizeof *values, grid_compare);
    return values;
}

/* The numbers of K - shift * I. */
static inline double *grid_shifted(const grid *g, double shift)
{
    size_t size = (size_t)g->k.start[g->n] * sizeof(double);
    double *values = malloc(size);
    assert_non_null(values);
    memcpy(values, g->k.value, size);
    for (int j = 0; j < g->n; j++)
        values[g->k.start[j]] -= shift;
    return values;
}

static void grid_free(grid *g)
{
    lmb_arena_free(g->arena);
}

#endif
