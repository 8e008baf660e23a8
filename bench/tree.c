/* Speed of the divide-and-conquer solver: factorisation and solution for accelerations and
 * multipliers of chains, combs, ladders and nets, against the sparse solver, time and bytes a body,
 * by one thread and by two.
 *
 * Arguments: part of a name, and the largest number of bodies (10 000 if none is given). */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "system/saddle.h"

#define LINK                                                                                       \
    "mass: 1, inertia: [0.01, 0.1, 0.1], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0], c: [0, 0, 0]}"

/* Models of N bodies along x and M along y, as the tables of `shapes` say. */
static const char comb[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: %d}\n"
    "bodies:\n"
    "  b{i}: {repeat: {i: [1, floor(N/2)]}, position: [i - 0.5, 0, 0], " LINK "}\n"
    "  t{i}: {repeat: {i: [1, floor(N/2)]}, position: [i - 0.5, 0, -0.5], " LINK "}\n"
    "joints:\n"
    "  j1: {type: revolute, axis: [0, 1, 0], between: [ground, b1.a]}\n"
    "  j{i}: {repeat: {i: [2, floor(N/2)]}, type: revolute, axis: [0, \"mod(i, 2)\", \"mod(i + 1, "
    "2)\"],"
    " between: [\"b{i - 1}.b\", \"b{i}.a\"]}\n"
    "  s{i}: {repeat: {i: [1, floor(N/2)]}, type: spherical, between: [\"b{i}.c\", \"t{i}.c\"]}\n";

static const char ladder[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: %d}\n"
    "bodies:\n"
    "  a{i}: {repeat: {i: [1, floor(N/3)]}, position: [i - 0.5, 0, 0], " LINK "}\n"
    "  b{i}: {repeat: {i: [1, floor(N/3)]}, position: [i - 0.5, 1, 0], " LINK "}\n"
    "  r{i}: {repeat: {i: [1, floor(N/3)]}, position: [i, 0.5, 0], mass: 1, inertia: [0.1, 0.01, "
    "0.1],"
    " points: {a: [0, -0.5, 0], b: [0, 0.5, 0]}}\n"
    "joints:\n"
    "  ga: {type: spherical, between: [ground, a1.a]}\n"
    "  gb: {type: spherical, between: [ground, b1.a]}\n"
    "  ja{i}: {repeat: {i: [2, floor(N/3)]}, type: spherical, between: [\"a{i - 1}.b\", "
    "\"a{i}.a\"]}\n"
    "  jb{i}: {repeat: {i: [2, floor(N/3)]}, type: spherical, between: [\"b{i - 1}.b\", "
    "\"b{i}.a\"]}\n"
    "  ra{i}: {repeat: {i: [1, floor(N/3)]}, type: spherical, between: [\"a{i}.b\", \"r{i}.a\"]}\n"
    "  rb{i}: {repeat: {i: [1, floor(N/3)]}, type: spherical, between: [\"b{i}.b\", \"r{i}.b\"]}\n";

static const char net[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: %d, M: floor(sqrt(N))}\n"
    "bodies:\n"
    "  p{i}_{j}: {type: particle, repeat: {i: [1, M], j: [1, M]}, mass: 1, position: [i, j, "
    "0.1*sin(i)*cos(j)]}\n"
    "joints:\n"
    "  x{i}_{j}: {repeat: {i: [2, M], j: [1, M]}, type: distance, between: [\"p{i - 1}_{j}\", "
    "\"p{i}_{j}\"]}\n"
    "  y{i}_{j}: {repeat: {i: [1, M], j: [2, M]}, type: distance, between: [\"p{i}_{j - 1}\", "
    "\"p{i}_{j}\"]}\n";

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { WALL = CLOCK_MONOTONIC, PROCESSOR = CLOCK_PROCESS_CPUTIME_ID };

typedef struct figures {
    double wall, cpu, bytes; /* of one factorisation and solution; of the solver */
    double difference;       /* of x and y from the first solver, relative */
} figures;

/* Accelerations and multipliers of a state at rest under its weight. */
static figures measure(const lmb_saddle_kind *kind, lmb_workers *workers, lmb_state *s,
                       const double *mass, const double *force, double *x, double *y,
                       const double *other)
{
    const lmb_model *m = s->model;
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    lmb_saddle *saddle = kind->create(m, LMB_SADDLE_MASS);
    saddle->workers = workers;
    figures f = {.wall = INFINITY, .cpu = INFINITY};
    f.bytes = (double)(mallinfo2().uordblks + mallinfo2().hblkhd - before);
    lmb_saddle_matrix matrix = {.state = s, .mass = mass, .mass_factor = 1};
    for (int round = 0, rounds = 3 + 200000 / m->nv; round < rounds; round++) {
        double wall = now(WALL), cpu = now(PROCESSOR);
        if (!lmb_saddle_factor(saddle, &matrix)) {
            printf("%s: singular\n", kind->name);
            break;
        }
        lmb_saddle_solve(saddle, force, NULL, x, y);
        f.wall = fmin(f.wall, now(WALL) - wall);
        f.cpu = fmin(f.cpu, now(PROCESSOR) - cpu);
    }
    double size = 0;
    for (int i = 0; i < m->nv && other; i++) {
        f.difference = fmax(f.difference, fabs(x[i] - other[i]));
        size = fmax(size, fabs(other[i]));
    }
    f.difference /= size > 0 ? size : 1;
    lmb_saddle_free(saddle);
    return f;
}

static double run(lmb_context *context, const char *name, const char *text, int bodies)
{
    double began = seconds();
    lmb_model *m = strcmp(name, "chain") == 0 ? model_of_chain(context, bodies, "") : NULL;
    if (!m) {
        char filled[4096];
        snprintf(filled, sizeof filled, text, bodies);
        m = model_of_text(context, filled);
    }
    double compiled = seconds() - began;
    lmb_state *s = lmb_state_new(m);
    double *mass = calloc((size_t)m->mass_count + 1, sizeof *mass);
    double *force = calloc((size_t)m->nv + 1, sizeof *force);
    double *x = calloc((size_t)m->nv + 1, sizeof *x), *y = calloc((size_t)m->nrows + 1, sizeof *y);
    double *first = calloc((size_t)m->nv + 1, sizeof *first);
    lmb_set_time(s, 0);
    lmb_update_position(s);
    lmb_jacobian(s);
    lmb_mass_blocks(s, mass);
    for (int i = 0; i < m->nv; i++)
        force[i] = sin(i);
    lmb_workers *two = lmb_workers_new(2);
    double load = 0;
    figures klu = measure(&lmb_saddle_klu, NULL, s, mass, force, first, y, NULL);
    figures tree = measure(&lmb_saddle_tree, NULL, s, mass, force, x, y, first);
    figures pair = measure(&lmb_saddle_tree, two, s, mass, force, x, y, first);
    lmb_workers_free(two);
    FILE *file = fopen("/proc/loadavg", "r");
    if (file && fscanf(file, "%lf", &load) != 1)
        load = 0;
    if (file)
        fclose(file);
    printf("%-7s %6d bodies, %6d rows: %9.1f us, %5.3f us and %5.0f bytes a body; klu %9.1f us, "
           "ratio %.2f, differs by %.0e; two threads %9.1f us (cpu %9.1f), %.2f times as fast at "
           "load %.1f; compiled in %.2f s\n",
           name, m->body_count - 1, m->nrows, 1e6 * tree.wall, 1e6 * tree.wall / bodies,
           tree.bytes / bodies, 1e6 * klu.wall, klu.wall / tree.wall, tree.difference,
           1e6 * pair.wall, 1e6 * pair.cpu, tree.wall / pair.wall, load, compiled);
    free(mass);
    free(force);
    free(x);
    free(y);
    free(first);
    lmb_state_free(s);
    lmb_model_free(m);
    return tree.wall;
}

int main(int count, char **words)
{
    static const struct {
        const char *name, *text;
    } shapes[] = {{"chain", NULL}, {"comb", comb}, {"ladder", ladder}, {"net", net}};
    int largest = count > 2 ? atoi(words[2]) : 10000;
    lmb_context *context = lmb_context_new();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        double before = 0;
        for (int bodies = 100; wanted(count, words, shapes[i].name) && bodies <= largest;
             bodies *= 10) {
            double time = run(context, shapes[i].name, shapes[i].text, bodies);
            if (before > 0)
                printf("%-8s cost grows like N^%.3f\n", "", log10(time / before));
            before = time;
        }
    }
    lmb_context_free(context);
    return 0;
}
