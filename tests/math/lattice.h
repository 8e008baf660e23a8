/* A lattice of springs along the 13 lines through each node: a solid that can move and turn freely.
 */
#ifndef LMB_TESTS_MATH_LATTICE_H
#define LMB_TESTS_MATH_LATTICE_H

#include <stdlib.h>

#include "math/symmetric.h"
#include "support.h"

typedef struct lattice {
    int nodes[3], n;
    int *group;
    lmb_triplet *list;
    long count;
} lattice;

/* A spring between nodes p and q, along a step. */
static void put_spring(lattice *l, int p, int q, const int *step)
{
    double square = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    int node[2] = {p, q};
    for (int e = 0; e < 4; e++)
        for (int i = 0; i < 9; i++) {
            int row = 3 * node[e / 2] + i / 3, column = 3 * node[e % 2] + i % 3;
            double k = 2e11 * step[i / 3] * step[i % 3] / square;
            if (row >= column)
                l->list[l->count++] = (lmb_triplet){row, column, e == 0 || e == 3 ? k : -k};
        }
}

static void make_lattice(lattice *l, int a, int b, int c)
{
    int nodes = a * b * c;
    *l = (lattice){.nodes = {a, b, c}, .n = 3 * nodes};
    l->list = calloc((size_t)nodes * 13 * 36, sizeof *l->list);
    l->group = calloc(3 * (size_t)nodes, sizeof *l->group);
    assert_true(l->list && l->group);
    for (int p = 0; p < nodes; p++)
        for (int s = 14; s < 27; s++) {
            int step[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
            int x = p % a + step[0], y = p / a % b + step[1], z = p / a / b + step[2];
            if (x >= 0 && x < a && y >= 0 && y < b && z < c)
                put_spring(l, p, (z * b + y) * a + x, step);
        }
    for (int i = 0; i < l->n; i++)
        l->group[i] = i / 3;
}

static void free_lattice(lattice *l)
{
    free(l->group);
    free(l->list);
}

#endif
