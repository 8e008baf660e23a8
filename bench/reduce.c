/* Speed and memory of reductions: the clapper and the hub as quadratic tetrahedra in four sizes,
 * reduced to their interface points and 20 fixed-interface modes.
 *
 * Whole reductions, from the mesh to the reduced body with its stress modes, are compared with the
 * unavoidable cost: ordering, analysis and factorisation of the interior stiffness in the same run,
 * and the memory of that factor. Each size runs in its own process, so that peaks of memory are
 * separate, a few times, of which the fastest counts. Times are CPU time (all cores) and wall-clock
 * time. Arguments are a part and cell sizes (m). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fe/element.h"
#include "fe/stress.h"
#include "measure.h"
#include "parts.h"
#include "reduction/reduced.h"

enum { FIXED_MODES = 20, SIZES_MAX = 8, STAGES_MAX = 16, RUNS = 2 };

typedef struct moment {
    double busy, wall; /* s: CPU time, wall-clock time */
} moment;

typedef struct stage {
    char name[32];
    moment spent;
} stage;

typedef struct figures {
    int n, interfaces, modes;
    double lowest;        /* Hz */
    moment whole, factor; /* total; ordering, analysis and factorisation */
    double peak, bytes;   /* memory: of the process, of the factor */
    int stage_count;
    stage stages[STAGES_MAX];
    moment since; /* begin of the last stage */
} figures;

typedef struct problem {
    lmb_context *context;
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_interface points[PART_POINTS_MAX];
    int point_count;
} problem;

static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static moment now(void)
{
    return (moment){read_clock(CLOCK_PROCESS_CPUTIME_ID), read_clock(CLOCK_MONOTONIC)};
}

static moment since(moment begin)
{
    moment end = now();
    return (moment){end.busy - begin.busy, end.wall - begin.wall};
}

/* Ends the current stage and begins another, called with the progress of the reduction. */
static bool enter(void *to, const char *name, double fraction)
{
    figures *f = to;
    (void)fraction;
    if (f->stage_count && strcmp(f->stages[f->stage_count - 1].name, name) == 0)
        return false;
    if (f->stage_count)
        f->stages[f->stage_count - 1].spent = since(f->since);
    f->since = now();
    if (f->stage_count < STAGES_MAX)
        snprintf(f->stages[f->stage_count++].name, sizeof f->stages[0].name, "%s", name);
    return false;
}

static void mesh_part(problem *p, const part *wanted, double size)
{
    *p = (problem){.context = lmb_context_new(), .point_count = wanted->point_count};
    if (wanted->solid(&p->mesh, p->context, LMB_TET10, size))
        give_up(p->context);
    for (int i = 0; i < p->point_count; i++) {
        const lmb_node_set *set = lmb_mesh_set(p->mesh, wanted->points[i].name);
        p->points[i] = (lmb_interface){.name = set->name,
                                       .position = wanted->points[i].position,
                                       .tie = LMB_TIE_RIGID,
                                       .nodes = set->nodes,
                                       .count = set->count};
    }
}

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024. * (double)usage.ru_maxrss;
}

/* Nodal stresses of all modes, several modes at a time. */
static void stress_modes(problem *p, const lmb_reduced *body)
{
    enum { BLOCK = 16 };
    lmb_stress *stress;
    size_t n = (size_t)p->model->n;
    if (lmb_stress_new(&stress, p->context, p->model))
        give_up(p->context);
    double *u = malloc(BLOCK * n * sizeof *u);
    double *out = malloc((size_t)body->mode_count * (size_t)stress->count * LMB_STRESSES * 8);
    for (int first = 0; first < body->mode_count; first += BLOCK) {
        int count = body->mode_count - first < BLOCK ? body->mode_count - first : BLOCK;
        for (int k = 0; k < count; k++)
            lmb_reduced_displacements(body, p->model, first + k, u + (size_t)k * n);
        if (!lmb_stress_nodal(stress, count, u,
                              out + (size_t)first * (size_t)stress->count * LMB_STRESSES))
            exit(1);
    }
    free(u);
    free(out);
    lmb_arena_free(stress->arena);
}

/* The whole reduction, as for a model. */
static figures reduce(const part *wanted, double size)
{
    problem p;
    mesh_part(&p, wanted, size);
    figures f = {.interfaces = 6 * p.point_count};
    lmb_reduction options = {.fixed = {.number = FIXED_MODES}};
    lmb_reduced *body;
    lmb_context_on_progress(p.context, enter, &f);
    moment begin = now();
    enter(&f, "assembly", 0);
    if (lmb_fe_assemble(&p.model, p.context, p.mesh, 0))
        give_up(p.context);
    enter(&f, "interface points", 0);
    if (lmb_reduce(&body, p.context, p.model, p.points, p.point_count, &options))
        give_up(p.context);
    enter(&f, "stress modes", 0);
    stress_modes(&p, body);
    enter(&f, "", 0);
    f.whole = since(begin);
    f.factor = (moment){body->factor.processor_time, body->factor.ordering_time +
                                                         body->factor.analysis_time +
                                                         body->factor.factor_time};
    f.n = p.model->n;
    f.modes = body->mode_count;
    f.lowest = body->frequency[0];
    f.bytes = body->factor.bytes;
    f.peak = peak_memory();
    lmb_reduced_free(body);
    lmb_arena_free(p.model->arena);
    lmb_arena_free(p.mesh->arena);
    lmb_context_free(p.context);
    return f;
}

/* --- Sizes --- */

/* Reduces in a child process, which returns its figures through a pipe. */
static figures reduce_apart(const part *wanted, double size)
{
    int ends[2];
    figures f = {0};
    fflush(stdout);
    if (pipe(ends))
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        f = reduce(wanted, size);
        _exit(write(ends[1], &f, sizeof f) != sizeof f);
    }
    int status = 1;
    close(ends[1]);
    bool got = child > 0 && read(ends[0], &f, sizeof f) == sizeof f;
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0 || status || !got)
        exit(1);
    return f;
}

/* The fastest of several runs. */
static figures best_of(const part *wanted, double size)
{
    figures best = reduce_apart(wanted, size);
    for (int i = 1; i < RUNS; i++) {
        figures f = reduce_apart(wanted, size);
        if (f.whole.busy < best.whole.busy)
            best = f;
    }
    return best;
}

static void print_figures(const char *name, const figures *f)
{
    printf("%s: %d degrees of freedom, %d at interfaces, %d elastic modes, lowest %.3f Hz\n", name,
           f->n, f->interfaces, f->modes, f->lowest);
    for (int i = 0; i + 1 < f->stage_count; i++) {
        const stage *s = &f->stages[i];
        printf("    %-22s CPU %6.2f s, wall clock %6.2f s (x %.2f)\n", s->name, s->spent.busy,
               s->spent.wall, s->spent.busy / f->factor.busy);
    }
    printf("    total %.2f s: x %.2f of the %.2f s of ordering, analysis and factorisation\n",
           f->whole.busy, f->whole.busy / f->factor.busy, f->factor.busy);
    printf("    wall clock %.2f s: x %.2f of %.2f s\n", f->whole.wall,
           f->whole.wall / f->factor.wall, f->factor.wall);
    printf("    memory %.2f GB: x %.2f of the %.2f GB of the factor\n", 1e-9 * f->peak,
           f->peak / f->bytes, 1e-9 * f->bytes);
}

static void measure(const part *wanted, const double *sizes, int count)
{
    figures before = {0};
    for (int i = 0; i < count; i++) {
        figures f = best_of(wanted, sizes[i]);
        print_figures(wanted->name, &f);
        if (i > 0) {
            double more = log((double)f.n / before.n);
            printf("    growth: time with n^%.2f, factorisation with n^%.2f, memory with n^%.2f\n",
                   log(f.whole.busy / before.whole.busy) / more,
                   log(f.factor.busy / before.factor.busy) / more,
                   log(f.peak / before.peak) / more);
        }
        before = f;
    }
}

int main(int count, char **words)
{
    /* the last has at least 143 000 degrees of freedom for the clapper, 125 000 for the hub */
    static const double clapper[] = {0.25, 0.15, 0.11, 0.085}, hub[] = {0.3, 0.2, 0.14, 0.1};
    double sizes[SIZES_MAX];
    const part *wanted = count > 1 ? part_find(words[1]) : NULL;
    if (!wanted) {
        measure(&part_clapper, clapper, 4);
        measure(&part_hub, hub, 4);
        return 0;
    }
    int given = count - 2 < SIZES_MAX ? count - 2 : SIZES_MAX;
    for (int i = 0; i < given; i++)
        sizes[i] = atof(words[i + 2]);
    if (given == 0)
        measure(wanted, wanted == &part_hub ? hub : clapper, 4);
    measure(wanted, sizes, given);
    return 0;
}
