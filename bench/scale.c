/* What divide and conquer over many machines would cost: a simulation from figures measured here.
 *
 * N bodies of a chain are dealt out to P ranks, N / P each. A rank joins its own bodies, then pairs
 * of ranks join what they have left, up a binary tree, and multipliers come back down. Of a
 * subsystem only its open rows cross a cut: Z (r x r, lower triangle) and z on the way up, lambda
 * on the way down, with r = 10 rows of two revolute joints. The time of a rank varies by some
 * percent from solution to solution, so ranks wait for each other at every level.
 *
 *   up(node) = max over children (up(child) + message) + join,   down(child) = down(node) + message
 *
 * Arguments: latency of a message (s) and bandwidth (bytes/s); 2e-6 and 1e10 if none are given. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "system/saddle.h"

/* Seconds per body of one factorisation and solution, in a chain that caches do not hold, and of
 * joining two subsystems. */
static double time_per_body(lmb_context *context, int links)
{
    lmb_model *m = model_of_chain(context, links, "");
    lmb_state *s = lmb_state_new(m);
    double *mass = calloc((size_t)m->mass_count, sizeof *mass), best = INFINITY;
    double *f = calloc((size_t)m->nv, sizeof *f), *x = calloc((size_t)m->nv, sizeof *x);
    double *y = calloc((size_t)m->nrows, sizeof *y);
    lmb_saddle *saddle = lmb_saddle_tree.create(m, LMB_SADDLE_MASS);
    lmb_set_time(s, 0);
    lmb_update_position(s);
    lmb_jacobian(s);
    lmb_mass_blocks(s, mass);
    for (int round = 0; round < 5; round++) {
        double begin = seconds();
        lmb_saddle_factor(saddle, &(lmb_saddle_matrix){.state = s, .mass = mass, .mass_factor = 1});
        lmb_saddle_solve(saddle, f, NULL, x, y);
        best = fmin(best, seconds() - begin);
    }
    lmb_saddle_free(saddle);
    free(mass);
    free(f);
    free(x);
    free(y);
    lmb_state_free(s);
    lmb_model_free(m);
    return best / links;
}

typedef struct cluster_of_machines {
    double per_body, join;     /* s */
    double latency, bandwidth; /* of a message: s, bytes/s */
    double variation;          /* of the time of a rank, relative standard deviation */
    unsigned random;
} cluster_of_machines;

/* Normally distributed, from twelve equally distributed numbers; the same in every run. */
static double deviation(cluster_of_machines *c)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        c->random = c->random * 1664525u + 1013904223u;
        sum += c->random / 4294967296.0;
    }
    return sum;
}

static double message(const cluster_of_machines *c, double bytes)
{
    return c->latency + bytes / c->bandwidth;
}

/* One solution: seconds; `time` has room for all ranks. */
static double simulate(cluster_of_machines *c, double bodies, int ranks, double *time)
{
    enum { ROWS = 10, UP = 8 * (ROWS * (ROWS + 1) / 2 + ROWS), DOWN = 8 * ROWS };
    double own = bodies / ranks * c->per_body, levels = 0;
    for (int r = 0; r < ranks; r++)
        time[r] = ranks == 1 ? own : own * fmax(0, 1 + c->variation * deviation(c));
    for (int left = ranks; left > 1; left /= 2, levels++)
        for (int i = 0; i < left / 2; i++)
            time[i] = fmax(time[2 * i], time[2 * i + 1]) + message(c, UP) + c->join;
    return time[0] + levels * message(c, DOWN); /* ways down: about as long as joins are cheap */
}

int main(int count, char **words)
{
    enum { MOST_RANKS = 1 << 20 };
    lmb_context *context = lmb_context_new();
    cluster_of_machines c = {.per_body = time_per_body(context, 20000),
                             .join = time_per_body(context, 100),
                             .latency = count > 1 ? atof(words[1]) : 2e-6,
                             .bandwidth = count > 2 ? atof(words[2]) : 1e10,
                             .variation = 0.05,
                             .random = 1};
    double *time = malloc(MOST_RANKS * sizeof *time);
    printf("measured: %.2f us a body (20 000 links), %.2f us a body that a cache holds, taken as a "
           "join\nassumed: messages of %.1f us and %.3g bytes/s, ranks that vary by %.0f %%\n",
           1e6 * c.per_body, 1e6 * c.join, 1e6 * c.latency, c.bandwidth, 100 * c.variation);
    printf("%12s %9s %14s %12s %11s\n", "bodies", "ranks", "one solution", "speed-up",
           "efficiency");
    for (double bodies = 1e6; bodies < 2e9; bodies *= 10)
        for (int ranks = 1; ranks <= MOST_RANKS; ranks *= 32) {
            double alone = bodies * c.per_body, shared = simulate(&c, bodies, ranks, time);
            printf("%12.0e %9d %12.4g s %12.1f %9.0f %%\n", bodies, ranks, shared, alone / shared,
                   100 * alone / shared / ranks);
        }
    free(time);
    lmb_context_free(context);
    return 0;
}
