/* Speed and memory of reductions: the clapper and the hub as quadratic tetrahedra in four sizes,
 * reduced to their interface points and 20 fixed-interface modes.
 *
 * Whole reductions, from the mesh to the reduced body with its stress modes, are compared with what
 * cannot be avoided: ordering, analysis and factorisation of the inner stiffness, and the memory of
 * that factor. Each runs in a process of its own, so that peaks of memory do not mix. Then follow
 * the stages one by one. Words on the command line are a part and sizes of cells (m). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fe/assembly.h"
#include "fe/stress.h"
#include "math/eigen.h"
#include "measure.h"
#include "parts.h"
#include "reduction/gram.h"
#include "reduction/reduced.h"

enum { FIXED_MODES = 20, SIZES_MAX = 8 };

typedef struct figures {
    int n;
    double whole, factor; /* s: all of it; ordering, analysis and factorisation */
    double peak, bytes;   /* of memory: of the process; of the factor */
} figures;

typedef struct problem {
    lmb_context *context;
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_interface points[PART_POINTS_MAX];
    int point_count;
} problem;

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

static void drop(problem *p)
{
    lmb_arena_free(p->model->arena);
    lmb_arena_free(p->mesh->arena);
    lmb_context_free(p->context);
}

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024. * (double)usage.ru_maxrss;
}

/* Stresses of all modes at the nodes, some modes at a time. */
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
        lmb_stress_nodal(stress, count, u,
                         out + (size_t)first * (size_t)stress->count * LMB_STRESSES);
    }
    free(u);
    free(out);
    lmb_arena_free(stress->arena);
}

/* The whole reduction, as a model asks for it. */
static figures reduce(const part *wanted, double size)
{
    problem p;
    mesh_part(&p, wanted, size);
    lmb_reduction options = {.fixed = {.number = FIXED_MODES}};
    lmb_reduced *body;
    double begin = seconds();
    if (lmb_fe_assemble(&p.model, p.context, p.mesh) ||
        lmb_reduce(&body, p.context, p.model, p.points, p.point_count, &options))
        give_up(p.context);
    stress_modes(&p, body);
    figures f = {.n = p.model->n,
                 .whole = seconds() - begin,
                 .factor = body->factor_time,
                 .peak = peak_memory(),
                 .bytes = body->factor_bytes};
    printf("%s of %d degrees of freedom, %d of interfaces, %d elastic modes, the first %.3f Hz\n",
           wanted->name, f.n, 6 * p.point_count, body->mode_count, body->frequency[0]);
    lmb_reduced_free(body);
    drop(&p);
    return f;
}

/* --- The stages one by one --- */

static double lap(double *since)
{
    double now = seconds(), time = now - *since;
    *since = now;
    return time;
}

static void print_stage(const char *name, double time, double factor)
{
    printf("    %-34s %7.2f s (x %.2f)\n", name, time, time / factor);
}

static void stages(const part *wanted, double size)
{
    problem p;
    mesh_part(&p, wanted, size);
    double t = seconds(), assembly, ties;
    lmb_tied *tied;
    if (lmb_fe_assemble(&p.model, p.context, p.mesh))
        give_up(p.context);
    assembly = lap(&t);
    if (lmb_tied_new(&tied, p.context, p.model, p.points, p.point_count))
        give_up(p.context);
    ties = lap(&t);
    lmb_factor *factor;
    if (lmb_factor_new(&factor, p.context, &tied->K, tied->group) ||
        lmb_factor_compute(factor, p.context, tied->K.value))
        give_up(p.context);
    lap(&t);
    const lmb_factor_facts *facts = lmb_factor_facts_of(factor);
    double factor_time = facts->ordering_time + facts->analysis_time + facts->factor_time;
    print_stage("assembly", assembly, factor_time);
    print_stage("interface points", ties, factor_time);
    print_stage("ordering", facts->ordering_time, factor_time);
    print_stage("analysis", facts->analysis_time, factor_time);
    print_stage("factorisation", facts->factor_time, factor_time);

    double *x = malloc((size_t)tied->inner * (size_t)tied->boundary * sizeof *x);
    lmb_tied_loads(tied, x);
    if (lmb_factor_solve(factor, p.context, tied->boundary, x))
        give_up(p.context);
    free(x);
    print_stage("static modes", lap(&t), factor_time);

    lmb_arena *arena = lmb_arena_new();
    lmb_eigen modes;
    lmb_eigen_options options = {.count = FIXED_MODES, .group = tied->group, .factor = factor};
    if (lmb_eigen_solve(&modes, p.context, arena, &tied->K, &tied->M, &options))
        give_up(p.context);
    print_stage("fixed-interface modes", lap(&t), factor_time);
    printf("    %-34s %7d\n", "  right-hand sides for these", modes.solutions);
    lmb_arena_free(arena);
    lmb_factor_free(factor);
    lmb_tied_free(tied);

    lmb_reduction reduction = {.fixed = {.number = FIXED_MODES}};
    lmb_reduced *body;
    if (lmb_reduce(&body, p.context, p.model, p.points, p.point_count, &reduction))
        give_up(p.context);
    t = seconds();
    if (lmb_find_gram(body, p.context, p.model))
        give_up(p.context);
    print_stage("invariants", lap(&t), factor_time);
    stress_modes(&p, body);
    print_stage("stress modes", lap(&t), factor_time);
    lmb_reduced_free(body);
    drop(&p);
}

/* --- Sizes --- */

/* Runs in a process of its own what returns figures through a pipe. */
static figures apart(const part *wanted, double size, bool whole)
{
    int ends[2];
    figures f = {0};
    fflush(stdout);
    if (pipe(ends))
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        if (whole)
            f = reduce(wanted, size);
        else
            stages(wanted, size);
        fflush(stdout);
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

static void measure(const part *wanted, const double *sizes, int count)
{
    figures before = {0};
    for (int i = 0; i < count; i++) {
        figures f = apart(wanted, sizes[i], true);
        printf("    whole reduction %.2f s: x %.2f of the %.2f s of ordering, analysis and "
               "factorisation\n    memory %.2f GB: x %.2f of the %.2f GB of the factor\n",
               f.whole, f.whole / f.factor, f.factor, 1e-9 * f.peak, f.peak / f.bytes,
               1e-9 * f.bytes);
        if (i > 0) {
            double more = log((double)f.n / before.n);
            printf("    growth: time with n^%.2f, factorisation with n^%.2f, memory with n^%.2f\n",
                   log(f.whole / before.whole) / more, log(f.factor / before.factor) / more,
                   log(f.peak / before.peak) / more);
        }
        apart(wanted, sizes[i], false);
        before = f;
    }
}

int main(int count, char **words)
{
    /* the third has at least 143 000 degrees of freedom for the clapper, 125 000 for the hub */
    static const double clapper[] = {0.25, 0.15, 0.085, 0.06}, hub[] = {0.3, 0.16, 0.1, 0.07};
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
