/* Speed of the sparse symmetric solver on a solid block of about 190 000 unknowns: ordering,
 * analysis, factorisation, solution, and the lowest eigenvalues.
 *
 * The block is a grid of 8 x 40 x 200 nodes with three displacements each and 27-point couplings.
 * Three numbers as arguments give other sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "math/eigen.h"
#include "measure.h"

enum { RIGHT_SIDES = 12, MODES = 20 };

typedef struct block {
    int nodes[3], n;
    int *group;
    lmb_symmetric a, mass;
    lmb_arena *arena;
} block;

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int node_at(const block *b, const int *i)
{
    for (int d = 0; d < 3; d++)
        if (i[d] < 0 || i[d] >= b->nodes[d])
            return -1;
    return (i[2] * b->nodes[1] + i[1]) * b->nodes[0] + i[0];
}

/* A spring along the line of two nodes and a tenth of its stiffness transversely; returns the
 * number of triplets written. */
static int put_spring(lmb_triplet *out, int p, int q, const int *step)
{
    double length = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    int count = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double k = (0.9 * step[i] * step[j] / length + (i == j ? 0.1 : 0)) / length;
            if (j <= i) {
                out[count++] = (lmb_triplet){3 * p + i, 3 * p + j, k};
                if (q >= 0)
                    out[count++] = (lmb_triplet){3 * q + i, 3 * q + j, k};
            }
            if (q >= 0)
                out[count++] = (lmb_triplet){3 * q + i, 3 * p + j, -k};
        }
    return count;
}

/* Springs to the 13 following neighbours; the end z = 0 is supported by springs to the ground. */
static void make_block(block *b, const int *size)
{
    *b = (block){.nodes = {size[0], size[1], size[2]}, .arena = lmb_arena_new()};
    int nodes = size[0] * size[1] * size[2];
    b->n = 3 * nodes;
    b->group = calloc((size_t)b->n, sizeof *b->group);
    lmb_triplet *list = calloc((size_t)nodes * 14 * 21, sizeof *list);
    long count = 0;
    int at[3];
    for (at[2] = 0; at[2] < b->nodes[2]; at[2]++)
        for (at[1] = 0; at[1] < b->nodes[1]; at[1]++)
            for (at[0] = 0; at[0] < b->nodes[0]; at[0]++) {
                int p = node_at(b, at);
                for (int s = 14; s < 27; s++) {
                    int step[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
                    int to[3] = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
                    int q = node_at(b, to);
                    if (q >= 0)
                        count += put_spring(list + count, p, q, step);
                }
                if (at[2] == 0)
                    count += put_spring(list + count, p, -1, (int[]){0, 0, 1});
            }
    for (int i = 0; i < b->n; i++)
        b->group[i] = i / 3;
    if (!lmb_symmetric_of_triplets(&b->a, b->arena, b->n, list, count))
        exit(1);
    for (int i = 0; i < b->n; i++)
        list[i] = (lmb_triplet){i, i, 1};
    if (!lmb_symmetric_of_triplets(&b->mass, b->arena, b->n, list, b->n))
        exit(1);
    free(list);
}

static double total(const lmb_factor_facts *facts)
{
    return facts->ordering_time + facts->analysis_time + facts->factor_time;
}

/* Orders, analyses, factorises; returns the factor. */
static lmb_factor *factorise(lmb_context *context, const block *b, const char *name,
                             const int *group, double *first)
{
    lmb_factor *factor;
    if (lmb_factor_new(&factor, context, &b->a, group) ||
        lmb_factor_compute(factor, context, b->a.value))
        give_up(context);
    const lmb_factor_facts *facts = lmb_factor_facts_of(factor);
    if (*first == 0)
        *first = total(facts);
    printf("%-28s ordering %5.2f s, analysis %5.2f s, factorisation %6.2f s, together %6.2f s "
           "(x %.2f)\n%-28s %.1f million entries, %.2f GB, %.0f billion operations\n",
           name, facts->ordering_time, facts->analysis_time, facts->factor_time, total(facts),
           total(facts) / *first, "", 1e-6 * facts->entries, 1e-9 * facts->bytes,
           1e-9 * facts->operations);
    fflush(stdout);
    return factor;
}

/* Solves for x = 1, 2, ... and prints the time and the largest error. */
static void solve(lmb_context *context, const block *b, lmb_factor *factor, int count)
{
    size_t n = (size_t)b->n;
    double *x = calloc(n * (size_t)count, sizeof *x), *one = calloc(n, sizeof *one), error = 0;
    for (size_t c = 0; c < (size_t)count; c++) {
        for (size_t i = 0; i < n; i++)
            one[i] = (double)(c + 1);
        lmb_symmetric_multiply(&b->a, one, x + c * n);
    }
    double begin = wall();
    if (lmb_factor_solve(factor, context, count, x))
        give_up(context);
    double time = wall() - begin;
    for (size_t i = 0; i < n * (size_t)count; i++)
        error = fmax(error, fabs(x[i] / (double)(i / n + 1) - 1));
    fflush(stdout);
    printf("%-28s %.3f s for %d right-hand sides, %.3f s each; largest error %.1e\n", "solution",
           time, count, time / count, error);
    free(x);
    free(one);
}

/* The lowest eigenvalues with unit masses, by the existing factorisation. */
static void vibrate(lmb_context *context, const block *b, lmb_factor *factor)
{
    lmb_eigen e;
    lmb_eigen_options options = {.count = MODES, .factor = factor};
    double begin = wall();
    if (lmb_eigen_solve(&e, context, b->arena, &b->a, &b->mass, &options))
        give_up(context);
    printf("%-28s %.2f s for %d\n", "eigenvalues", wall() - begin, e.count);
    fflush(stdout);
}

int main(int count, char **words)
{
    block b;
    double first = 0;
    int size[3] = {8, 40, 200};
    lmb_context *context = lmb_context_new();
    for (int i = 0; i < 3 && i + 1 < count; i++)
        size[i] = atoi(words[i + 1]);
    make_block(&b, size);
    printf("%d unknowns, %.1f million numbers below the diagonal\n", b.n, 1e-6 * b.a.start[b.n]);
    lmb_factor *factor = factorise(context, &b, "dissection of nodes", b.group, &first);
    solve(context, &b, factor, 1);
    solve(context, &b, factor, RIGHT_SIDES);
    solve(context, &b, factor, 10 * RIGHT_SIDES);
    vibrate(context, &b, factor);
    lmb_factor_free(factor);
    lmb_factor_free(factorise(context, &b, "dissection of unknowns", NULL, &first));
    lmb_arena_free(b.arena);
    free(b.group);
    lmb_context_free(context);
    return 0;
}
