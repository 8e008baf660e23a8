/* Lanczos' method with implicit restarts, by ARPACK: the largest theta of
 *
 *     (K - s M)^-1 M x = theta x,  theta = 1 / (w2 - s)
 *
 * in the inner product of M. ARPACK asks for products with M and for solutions; it keeps its state
 * in static variables, so one mutex lets in one thread at a time. */
#include <arpack/arpack.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "math/eigen_internal.h"

pthread_mutex_t lmb_arpack_mutex = PTHREAD_MUTEX_INITIALIZER;

typedef struct lanczos {
    lmb_pencil *pencil;
    int n, wanted, basis; /* vectors of the basis */
    double tolerance;
    double *start, *vectors, *work, *small, *theta;
    int *select;
    int parameters[11], at[14]; /* of ARPACK */
    int small_size, info;
} lanczos;

enum { RESTARTS = 300, SHIFT_INVERT = 3 };

static void allocate(lanczos *l, lmb_arena *room)
{
    size_t n = (size_t)l->n, basis = (size_t)l->basis;
    l->small_size = l->basis * (l->basis + 8);
    l->start = lmb_arena_numbers(room, n);
    l->vectors = lmb_arena_numbers(room, n * basis);
    l->work = lmb_arena_numbers(room, 3 * n);
    l->small = lmb_arena_numbers(room, (size_t)l->small_size);
    l->theta = lmb_arena_numbers(room, basis);
    l->select = lmb_arena_integers(room, basis);
}

/* Does what ARPACK asks for. */
static lmb_status serve(lanczos *l, int request)
{
    double *x = l->work + l->at[0] - 1, *y = l->work + l->at[1] - 1;
    if (request == 2) {
        lmb_symmetric_multiply(l->pencil->m, x, y);
        return LMB_OK;
    }
    if (request == 1) /* M x is there already */
        memcpy(y, l->work + l->at[2] - 1, (size_t)l->n * sizeof *y);
    else
        lmb_symmetric_multiply(l->pencil->m, x, y);
    return lmb_factor_solve(l->pencil->factor, l->pencil->context, 1, y);
}

/* Builds the basis; the mutex is held. */
static lmb_status iterate(lanczos *l)
{
    int request = 0;
    lmb_status status = LMB_OK;
    l->info = 1; /* the start vector is given */
    l->parameters[0] = 1;
    l->parameters[2] = RESTARTS;
    l->parameters[3] = 1;
    l->parameters[6] = SHIFT_INVERT;
    lmb_eigen_start(l->start, (size_t)l->n);
    for (int i = 0; i < l->n; i++) /* none near zero */
        l->start[i] = l->start[i] < 0 ? 1 + l->start[i] / 2 : -1 - l->start[i] / 2;
    do {
        dsaupd_c(&request, "G", l->n, "LM", l->wanted, l->tolerance, l->start, l->basis, l->vectors,
                 l->n, l->parameters, l->at, l->work, l->small, l->small_size, &l->info);
        if (request == 99 || l->info < 0)
            break;
        status = lmb_go_on(l->pencil->context, "vibrations", 0);
        if (!status)
            status = serve(l, request);
    } while (!status);
    return status;
}

/* Turns the basis into eigenvectors, in its first columns. */
static lmb_status extract(lanczos *l)
{
    if (l->info >= 0 && l->parameters[4] >= l->wanted)
        dseupd_c(1, "A", l->select, l->theta, l->vectors, l->n, l->pencil->shift, "G", l->n, "LM",
                 l->wanted, l->tolerance, l->start, l->basis, l->vectors, l->n, l->parameters,
                 l->at, l->work, l->small, l->small_size, &l->info);
    else if (l->info >= 0)
        return lmb_fail(l->pencil->context, LMB_SOLVER, "only %d of %d eigenvalues converged",
                        l->parameters[4], l->wanted);
    if (l->info < 0)
        return lmb_fail(l->pencil->context, LMB_SOLVER,
                        "eigenvalues were not found (ARPACK says %d)", l->info);
    return LMB_OK;
}

/* Copies the values in ascending order with their vectors, without those of no inertia. */
static void take(const lanczos *l)
{
    lmb_pencil *p = l->pencil;
    size_t n = (size_t)l->n;
    double nearest = INFINITY;
    for (int i = 0; i < l->wanted; i++) {
        nearest = fmin(nearest, fabs(l->theta[i] - p->shift));
        l->select[i] = 0;
    }
    for (p->found = 0; p->found < l->wanted; p->found++) {
        int next = -1;
        for (int i = 0; i < l->wanted; i++)
            if (!l->select[i] && (next < 0 || l->theta[i] < l->theta[next]))
                next = i;
        if (!(fabs(l->theta[next] - p->shift) * DBL_EPSILON * 100 < nearest))
            break;
        l->select[next] = 1;
        p->value[p->found] = l->theta[next];
        memcpy(p->vector + (size_t)p->found * n, l->vectors + (size_t)next * n,
               n * sizeof *p->vector);
    }
}

lmb_status lmb_eigen_lanczos(lmb_pencil *pencil, int count, double tolerance)
{
    int most = pencil->inertial, basis = 2 * count + 10;
    lanczos l = {.pencil = pencil, .n = pencil->n, .tolerance = tolerance};
    l.wanted = count < most ? count : most - 1;
    l.basis = basis < most ? basis : most;
    lmb_arena *room = lmb_arena_new();
    allocate(&l, room);
    lmb_status status = lmb_check_memory(pencil->context, room);
    if (!status) {
        pthread_mutex_lock(&lmb_arpack_mutex);
        status = iterate(&l);
        if (!status)
            status = extract(&l);
        pthread_mutex_unlock(&lmb_arpack_mutex);
    }
    if (!status)
        take(&l);
    lmb_arena_free(room);
    return status;
}
