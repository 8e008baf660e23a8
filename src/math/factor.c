/* Sparse symmetric factorisation by MUMPS, the sequential library.
 *
 * MUMPS keeps some things in static variables, so one mutex lets in one thread at a time; within it
 * the BLAS uses all cores. */
#include "math/factor.h"

#include <dmumps_c.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "math/dissection.h"
#include "math/late.h"

#define dmumps_c LMB_LATE(dmumps_c)

struct lmb_factor {
    DMUMPS_STRUC_C mumps;
    lmb_arena *arena;
    bool alive;                   /* MUMPS has something to give back */
    const lmb_symmetric *pattern; /* borrowed */
    double negligible;            /* limit of null pivots to begin with */
    int *null_unknown;            /* n */
    lmb_factor_facts facts;
};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Jobs of MUMPS, and its names for the whole world of one process. */
enum { BEGIN = -1, END = -2, ANALYSE = 1, FACTORISE = 2, SOLVE = 3, WORLD = -987654 };

/* Its controls, with the numbers of the manual; they count from 1. */
#define ICNTL(i) icntl[(i)-1]
#define CNTL(i) cntl[(i)-1]
#define INFOG(i) infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

/* Right-hand sides that go through the factor together. */
enum { BLOCK = 64 };

enum { WALL = CLOCK_MONOTONIC, PROCESSOR = CLOCK_PROCESS_CPUTIME_ID };

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(lmb_factor *f, int job)
{
    f->mumps.job = job;
    dmumps_c(&f->mumps);
    return f->mumps.INFOG(1);
}

/* What MUMPS complains of: a negative code and a number beside it. */
static lmb_status fail(const lmb_factor *f, lmb_context *context, const char *doing)
{
    int code = f->mumps.INFOG(1), detail = f->mumps.INFOG(2);
    switch (code) {
    case -5: /* sizes of what could not be allocated are in numbers, or in millions if negative */
    case -7:
    case -13:
    case -19:
    case -22:
        return lmb_fail(context, LMB_SOLVER,
                        "out of memory in %s a sparse matrix of %d unknowns (%.3g GB more wanted)",
                        doing, f->facts.n, 8e-9 * (detail < 0 ? -1e6 * detail : detail));
    case -10:
        return lmb_fail(context, LMB_SOLVER, "the sparse matrix of %d unknowns is singular",
                        f->facts.n);
    default:
        return lmb_fail(context, LMB_SOLVER,
                        "%s a sparse matrix of %d unknowns failed (MUMPS says %d, %d)", doing,
                        f->facts.n, code, detail);
    }
}

/* --- the order of elimination -----------------------------------------------------------------
 *
 * Nested dissection of the graph of groups by METIS. Groups g and h are neighbours if the matrix
 * has a number that joins an unknown of g with one of h. A group weighs as much as it has unknowns.
 */

typedef struct graph {
    lmb_arena *arena;
    int count;         /* groups */
    const int *group;  /* of each unknown; NULL: itself */
    int *first, *list; /* group g has the unknowns list[first[g]] ... list[first[g+1]-1] */
    int *start, *neighbour, *weight;
    int *mark; /* the last group that met a group */
} graph;

static int group_of(const graph *g, int unknown)
{
    return g->group ? g->group[unknown] : unknown;
}

/* Turns counts, kept one place to the right, into starts; returns their sum. */
static size_t add_up(int *start, int count)
{
    size_t sum = 0;
    for (int i = 0; i <= count; i++) {
        sum += (size_t)start[i];
        start[i] = (int)sum;
    }
    return sum;
}

/* Lists the unknowns of each group. */
static bool list_groups(graph *g, int n)
{
    g->count = g->group ? 0 : n;
    for (int i = 0; g->group && i < n; i++)
        g->count = g->group[i] >= g->count ? g->group[i] + 1 : g->count;
    size_t size = (size_t)g->count + 2;
    g->first = lmb_arena_integers(g->arena, size);
    g->list = lmb_arena_integers(g->arena, (size_t)n + 1);
    g->mark = lmb_arena_integers(g->arena, size);
    g->start = lmb_arena_integers(g->arena, size);
    g->weight = lmb_arena_integers(g->arena, size);
    if (!lmb_arena_fine(g->arena))
        return false;
    /* counted two places to the right, so that filling the list leaves the starts */
    int *next = g->first + 1;
    for (int i = 0; i < n; i++)
        next[group_of(g, i) + 1]++;
    add_up(next, g->count);
    for (int i = 0; i < n; i++)
        g->list[next[group_of(g, i)]++] = i;
    for (int i = 0; i < g->count; i++)
        g->weight[i] = g->first[i + 1] - g->first[i];
    return true;
}

/* Counts the neighbours of each group one place to the right of it, and then lists them, which
 * moves each start to its end. Pairs of groups that the lower triangle joins are met once from
 * either side. */
static void visit_edges(graph *g, const lmb_symmetric *a)
{
    memset(g->mark, -1, (size_t)g->count * sizeof *g->mark);
    for (int from = 0; from < g->count; from++) {
        g->mark[from] = from;
        for (int k = g->first[from]; k < g->first[from + 1]; k++)
            for (int p = a->start[g->list[k]]; p < a->start[g->list[k] + 1]; p++) {
                int to = group_of(g, a->row[p]);
                if (g->mark[to] == from)
                    continue;
                g->mark[to] = from;
                if (g->neighbour) {
                    g->neighbour[g->start[from]++] = to;
                    g->neighbour[g->start[to]++] = from;
                } else {
                    g->start[from + 1]++;
                    g->start[to + 1]++;
                }
            }
    }
}

/* Removes neighbours that stand twice because both groups have columns that reach the other. */
static void remove_doubles(graph *g)
{
    int kept = 0, from = 0;
    memset(g->mark, -1, (size_t)g->count * sizeof *g->mark);
    for (int i = 0; i < g->count; i++) {
        int end = g->start[i + 1];
        for (int p = from; p < end; p++)
            if (g->mark[g->neighbour[p]] != i) {
                g->mark[g->neighbour[p]] = i;
                g->neighbour[kept++] = g->neighbour[p];
            }
        from = end;
        g->start[i + 1] = kept;
    }
}

static bool make_graph(graph *g, const lmb_symmetric *a)
{
    if (!list_groups(g, a->n))
        return false;
    visit_edges(g, a);
    size_t edges = add_up(g->start, g->count);
    g->neighbour = lmb_arena_integers(g->arena, edges + 1);
    if (!g->neighbour)
        return false;
    visit_edges(g, a);
    for (int i = g->count; i > 0; i--)
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
    remove_doubles(g);
    return true;
}

bool lmb_factor_order(const lmb_symmetric *matrix, const int *group, int *place)
{
    graph g = {.arena = lmb_arena_new(), .group = group};
    bool fine = make_graph(&g, matrix);
    int *order = lmb_arena_integers(g.arena, (size_t)g.count + 1);
    int *inverse = lmb_arena_integers(g.arena, (size_t)g.count + 1);
    fine = fine && order && inverse &&
           lmb_dissect(&(lmb_graph){g.count, g.start, g.neighbour, g.weight}, order, inverse);
    for (int i = 0, next = 0; fine && i < g.count; i++)
        for (int k = g.first[order[i]]; k < g.first[order[i] + 1]; k++)
            place[g.list[k]] = next++;
    lmb_arena_free(g.arena);
    return fine;
}

/* --- analysis --------------------------------------------------------------------------------- */

static void set_controls(lmb_factor *f)
{
    DMUMPS_STRUC_C *m = &f->mumps;
    for (int i = 1; i <= 4; i++)
        m->ICNTL(i) = i == 4 ? 0 : -1; /* no output */
    m->ICNTL(6) = 0;                   /* no exchange of columns, */
    m->ICNTL(12) = 1;                  /* nor an order that depends on the numbers */
    m->ICNTL(7) = 1;                   /* the order is given */
    m->ICNTL(13) = 1;                  /* all negative pivots are counted */
    m->ICNTL(14) = 30;
    m->ICNTL(24) = 1; /* null pivots are looked for: below CNTL(3), and then held at zero */
    m->ICNTL(27) = BLOCK;
    m->CNTL(5) = 0;
}

/* Hands the places of the numbers over; they count from 1. */
static void put_pattern(lmb_factor *f)
{
    const lmb_symmetric *a = f->pattern;
    f->mumps.n = a->n;
    f->mumps.nnz = a->start[a->n];
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            f->mumps.irn[k] = a->row[k] + 1;
            f->mumps.jcn[k] = j + 1;
        }
}

/* Orders and analyses; the mutex is held. */
static lmb_status prepare(lmb_factor *f, lmb_context *context, const int *group)
{
    const lmb_symmetric *a = f->pattern;
    size_t entries = (size_t)a->start[a->n], n = (size_t)a->n;
    f->mumps.sym = 2; /* the promise of a definite matrix (1) makes it no faster */
    f->mumps.par = 1;
    f->mumps.comm_fortran = WORLD;
    if (run(f, BEGIN) < 0)
        return fail(f, context, "beginning with");
    f->alive = true;
    f->mumps.irn = lmb_arena_integers(f->arena, entries + 1);
    f->mumps.jcn = lmb_arena_integers(f->arena, entries + 1);
    f->facts.null_unknown = f->null_unknown = lmb_arena_integers(f->arena, n + 1);
    int *place = lmb_arena_integers(f->arena, n + 1); /* in the elimination */
    if (!lmb_arena_fine(f->arena))
        return lmb_fail_memory(context);
    put_pattern(f);
    set_controls(f);
    double begin = seconds(WALL), busy = seconds(PROCESSOR);
    if (!lmb_factor_order(a, group, place))
        return lmb_fail_memory(context);
    for (size_t i = 0; i < n; i++)
        place[i]++;
    f->mumps.perm_in = place;
    double ordered = seconds(WALL);
    int code = run(f, ANALYSE);
    f->mumps.perm_in = NULL;
    f->facts.ordering_time = ordered - begin;
    f->facts.analysis_time = seconds(WALL) - ordered;
    f->facts.processor_time = seconds(PROCESSOR) - busy;
    return code < 0 ? fail(f, context, "analysing") : LMB_OK;
}

lmb_status lmb_factor_new(lmb_factor **out, lmb_context *context, const lmb_symmetric *pattern,
                          const int *group)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_factor *f = lmb_arena_object(&arena, sizeof *f);
    if (!f)
        return lmb_fail_memory(context);
    *f = (lmb_factor){.arena = arena, .pattern = pattern, .negligible = LMB_NULL_PIVOT};
    f->facts.n = pattern->n;
    lmb_status status = LMB_OK;
    if (pattern->n > 0) {
        pthread_mutex_lock(&one_at_a_time);
        status = prepare(f, context, group);
        pthread_mutex_unlock(&one_at_a_time);
    }
    if (status)
        lmb_factor_free(f);
    else
        *out = f;
    return status;
}

void lmb_factor_free(lmb_factor *f)
{
    if (!f)
        return;
    if (f->alive) {
        pthread_mutex_lock(&one_at_a_time);
        run(f, END);
        pthread_mutex_unlock(&one_at_a_time);
    }
    lmb_arena_free(f->arena);
}

void lmb_factor_neglect(lmb_factor *f, double negligible)
{
    f->negligible = negligible;
}

/* Factorises, with more room each time that the estimate was too small for the pivots. */
static int factorise(lmb_factor *f)
{
    enum { MOST_ROOM = 1000 };
    int code = run(f, FACTORISE);
    while ((code == -8 || code == -9) && f->mumps.ICNTL(14) < MOST_ROOM) {
        f->mumps.ICNTL(14) *= 2;
        code = run(f, FACTORISE);
    }
    return code;
}

static void take_facts(lmb_factor *f)
{
    const DMUMPS_STRUC_C *m = &f->mumps;
    f->facts.negative = m->INFOG(12);
    f->facts.null_count = m->INFOG(28);
    for (int i = 0; i < f->facts.null_count; i++)
        f->null_unknown[i] = m->pivnul_list[i] - 1;
    /* counts are negative when they are in millions */
    f->facts.entries = m->INFOG(29) < 0 ? -1e6 * m->INFOG(29) : m->INFOG(29);
    f->facts.bytes = 1e6 * m->INFOG(22);
    f->facts.operations = m->RINFOG(3);
}

/* Solves, or finds the null space; the mutex is held. */
static int solve(lmb_factor *f, int count, double *b, bool null_space)
{
    f->mumps.ICNTL(25) = null_space ? -1 : 0;
    f->mumps.rhs = b;
    f->mumps.nrhs = count;
    f->mumps.lrhs = f->facts.n;
    int code = run(f, SOLVE);
    f->mumps.rhs = NULL;
    return code;
}

/* The energy x^T A x of a motion against that of its parts, |x|^T |A| |x|; work has 2 n numbers. */
static double resistance(const lmb_symmetric *a, const double *x, double *work)
{
    double *sum = work, *parts = work + a->n, energy = 0, most = 0;
    lmb_symmetric_multiply(a, x, sum);
    lmb_symmetric_multiply_absolute(a, x, parts);
    for (int i = 0; i < a->n; i++) {
        energy += x[i] * sum[i];
        most += fabs(x[i]) * parts[i];
    }
    return most > 0 ? fabs(energy) / most : 0;
}

/* Whether all null pivots are false: their motions take more energy than rounding makes, which is
 * some 1e-17. The last pivot of a clamped beam of a thousand elements is 1e-10, its energy 1e-13.
 */
static bool all_false(lmb_factor *f, const double *values)
{
    enum { MOST = 60 };
    static const double rounding = 1e-15;
    int count = f->facts.null_count;
    size_t n = (size_t)f->facts.n;
    if (count == 0 || count > MOST)
        return false;
    lmb_symmetric a = *f->pattern;
    a.value = (double *)(size_t)values; /* only read */
    double *basis = lmb_malloc(n * (size_t)(count + 2) * sizeof *basis);
    bool some = !basis || solve(f, count, basis, true) < 0;
    for (size_t i = 0; !some && i < (size_t)count; i++)
        some = resistance(&a, basis + i * n, basis + (size_t)count * n) < rounding;
    free(basis);
    return !some;
}

double lmb_factor_estimate(const lmb_factor *f)
{
    enum { SIZE = 256 };
    const double few = 1e10, part = 0.6; /* of that speed that fronts of all sizes reach */
    double operations = f->facts.n > 0 ? f->mumps.RINFOG(1) : 0;
    double *room = operations > few ? lmb_calloc(3 * SIZE * SIZE, sizeof *room) : NULL;
    if (!room)
        return 0;
    double *a = room, *b = a + SIZE * SIZE, *c = b + SIZE * SIZE, spent = 0;
    for (int i = 0; i < 2; i++) { /* the first one loads the library */
        double begin = seconds(PROCESSOR);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, a, SIZE, b,
                    SIZE, 0, c, SIZE);
        spent = seconds(PROCESSOR) - begin;
    }
    free(room);
    return operations * spent / (part * 2.0 * SIZE * SIZE * SIZE);
}

lmb_status lmb_factor_compute(lmb_factor *f, lmb_context *context, const double *values)
{
    static const double least = 1e-17;
    if (f->facts.n == 0)
        return LMB_OK;
    pthread_mutex_lock(&one_at_a_time);
    double begin = seconds(WALL), busy = seconds(PROCESSOR) - f->facts.processor_time;
    int code;
    f->mumps.CNTL(3) = f->negligible;
    do { /* with a lower limit of null pivots if those that were found are false */
        f->mumps.a = (double *)(size_t)values; /* only read */
        code = factorise(f);
        f->mumps.a = NULL;
        if (code >= 0)
            take_facts(f);
        f->mumps.CNTL(3) *= 1e-3;
    } while (code >= 0 && f->mumps.CNTL(3) > least && all_false(f, values));
    f->facts.factor_time = seconds(WALL) - begin;
    f->facts.processor_time = seconds(PROCESSOR) - busy;
    pthread_mutex_unlock(&one_at_a_time);
    return code < 0 ? fail(f, context, "factorising") : LMB_OK;
}

lmb_status lmb_factor_solve(lmb_factor *f, lmb_context *context, int count, double *b)
{
    if (f->facts.n == 0 || count == 0)
        return LMB_OK;
    pthread_mutex_lock(&one_at_a_time);
    int code = solve(f, count, b, false);
    pthread_mutex_unlock(&one_at_a_time);
    return code < 0 ? fail(f, context, "solving with") : LMB_OK;
}

/* Hands right-hand sides over without their zeros. */
static bool put_sides(lmb_factor *f, lmb_arena *room, int count, const double *b)
{
    size_t n = (size_t)f->facts.n, used = 0;
    for (size_t i = 0; i < n * (size_t)count; i++)
        used += b[i] != 0;
    int *start = lmb_arena_integers(room, (size_t)count + 1);
    int *row = lmb_arena_integers(room, used + 1), at = 0;
    double *value = lmb_arena_numbers(room, used + 1);
    if (!lmb_arena_fine(room) || used > INT_MAX)
        return false;
    for (int c = 0; c < count; c++) {
        start[c] = at + 1;
        for (size_t i = 0; i < n; i++)
            if (b[(size_t)c * n + i] != 0) {
                row[at] = (int)i + 1;
                value[at++] = b[(size_t)c * n + i];
            }
    }
    start[count] = at + 1;
    f->mumps.nz_rhs = at;
    f->mumps.irhs_ptr = start;
    f->mumps.irhs_sparse = row;
    f->mumps.rhs_sparse = value;
    return true;
}

lmb_status lmb_factor_solve_sparse(lmb_factor *f, lmb_context *context, int count, double *b)
{
    enum { SPARSE = 3 };
    lmb_arena *room = lmb_arena_new();
    lmb_status status = LMB_OK;
    if (!put_sides(f, room, count, b)) {
        status = lmb_fail_memory(context);
    } else if (f->mumps.nz_rhs) {
        f->mumps.ICNTL(20) = SPARSE;
        status = lmb_factor_solve(f, context, count, b);
        f->mumps.ICNTL(20) = 0;
    }
    f->mumps.irhs_ptr = f->mumps.irhs_sparse = NULL;
    f->mumps.rhs_sparse = NULL;
    lmb_arena_free(room);
    return status;
}

const lmb_factor_facts *lmb_factor_facts_of(const lmb_factor *f)
{
    return &f->facts;
}
