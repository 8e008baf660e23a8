/* The methods of Arnoldi and of Lanczos with implicit restarts, by ARPACK: the eigenvalues theta of
 * largest size of
 *
 *   A x = theta x                                             (Arnoldi)
 *   (K - s M)^-1 M x = theta x,  theta = 1 / (w2 - s)         (Lanczos)
 *
 * the second in the inner product of M. ARPACK asks for products and solutions; it keeps its state
 * in static variables, so one mutex lets in one thread at a time. Where nearly all eigenvalues of a
 * small operator A are wanted, LAPACK finds them from its matrix. */
#include "math/eigen.h"

#include <arpack/arpack.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex

#include "math/eigen_internal.h"
#include "math/late.h"

#define dnaupd_c LMB_LATE(dnaupd_c)
#define dneupd_c LMB_LATE(dneupd_c)
#define dsaupd_c LMB_LATE(dsaupd_c)
#define dseupd_c LMB_LATE(dseupd_c)
#define znaupd_c LMB_LATE(znaupd_c)
#define zneupd_c LMB_LATE(zneupd_c)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

enum { RESTARTS = 300 };

/* --- Arnoldi ---------------------------------------------------------------------------------- */

/* Vectors are complex, or real ones in the first half of the same room. */
typedef struct work {
    int n, wanted, basis; /* basis: how many vectors it has */
    bool real;
    lmb_operator *multiply;
    void *user;
    lmb_complex *start, *V, *work, *small, *room, *values, *vectors;
    double *sizes;
    double scale; /* of the operator as ARPACK sees it */
    int *select;
    int small_size, parameters[11], at[14]; /* of ARPACK */
} work;

/* ARPACK takes an eigenvalue that is known to this part of its size, or of eps^(2/3) = 4e-11 if
 * that is larger. So the operator is scaled: with a largest one of 4e-9, those below a hundredth of
 * that, down to those that are nothing but rounding, are known to 1e-15 of the largest. */
static const double accuracy = 1e-13, largest_scaled = 4e-9;

/* A vector with a part in every direction, the same each time. */
static void start_vector(const work *w)
{
    unsigned long long seed = 20250105;
    double *x = (double *)w->start;
    for (int i = 0; i < w->n; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        x[w->real ? i : 2 * i] = (double)(seed >> 40) / 8388608.0 - 1;
    }
}

/* About the size of the largest eigenvalue, by some products. */
static double largest_of(const work *w)
{
    enum { PRODUCTS = 4 };
    lmb_complex *x = w->room, *y = w->room + w->n;
    double size = 0;
    for (int i = 0; i < w->n; i++)
        x[i] = creal(w->start[w->real ? i / 2 : i]);
    for (int k = 0; k < PRODUCTS; k++) {
        double before = 0, after = 0;
        w->multiply(w->user, x, y);
        for (int i = 0; i < w->n; i++) {
            before += creal(conj(x[i]) * x[i]);
            after += creal(conj(y[i]) * y[i]);
        }
        size = sqrt(after / before);
        for (int i = 0; i < w->n; i++)
            x[i] = y[i] / (size > 0 ? size : 1);
    }
    return size > 0 && isfinite(size) ? size : largest_scaled;
}

/* Does what ARPACK asks for: y = A x in its work space. */
static void serve(const work *w)
{
    int x = w->at[0] - 1, y = w->at[1] - 1, n = w->n;
    double *real = (double *)w->work;
    const lmb_complex *from = w->real ? w->room : w->work + x;
    for (int i = 0; i < n && w->real; i++)
        w->room[i] = real[x + i];
    w->multiply(w->user, from, w->room + n);
    for (int i = 0; i < n; i++)
        if (w->real)
            real[y + i] = w->scale * creal(w->room[n + i]);
        else
            w->work[y + i] = w->scale * w->room[n + i];
}

/* Builds the basis; false if that fails. The mutex is held. */
static bool iterate(work *w)
{
    int request = 0, info = 1; /* the start vector is given */
    w->parameters[0] = w->parameters[3] = w->parameters[6] = 1;
    w->parameters[2] = RESTARTS;
    start_vector(w);
    w->scale = largest_scaled / largest_of(w);
    for (;;) {
        if (w->real)
            dnaupd_c(&request, "I", w->n, "LM", w->wanted, accuracy, (double *)w->start, w->basis,
                     (double *)w->V, w->n, w->parameters, w->at, (double *)w->work,
                     (double *)w->small, w->small_size, &info);
        else
            znaupd_c(&request, "I", w->n, "LM", w->wanted, accuracy, w->start, w->basis, w->V, w->n,
                     w->parameters, w->at, w->work, w->small, w->small_size, w->sizes, &info);
        if (request != 1 && request != -1)
            return info >= 0 && w->parameters[4] >= w->wanted;
        serve(w);
    }
}

/* The eigenvalues and vectors of a real basis: of a pair, the first column has the real and the
 * second the imaginary parts. */
static int extract_real(work *w)
{
    int info = 0;
    size_t n = (size_t)w->n;
    double *re = (double *)w->values, *im = re + w->basis, *x = (double *)w->vectors;
    dneupd_c(1, "A", w->select, re, im, x, w->n, 0, 0, (double *)w->room, "I", w->n, "LM",
             w->wanted, accuracy, (double *)w->start, w->basis, (double *)w->V, w->n, w->parameters,
             w->at, (double *)w->work, (double *)w->small, w->small_size, &info);
    int found = info ? -2 : w->parameters[4];
    memcpy(w->V, x, (size_t)(found < 0 ? 0 : found) * n * sizeof *x);
    memcpy(w->sizes, re, 2 * (size_t)w->basis * sizeof *re);
    re = w->sizes;
    im = re + w->basis;
    for (int k = 0; k < found; k++) {
        double sign = im[k] > 0 ? 1 : im[k] < 0 ? -1 : 0;
        const double *real = (double *)w->V + (size_t)(sign < 0 ? k - 1 : k) * n;
        w->values[k] = CMPLX(re[k], im[k]);
        for (size_t i = 0; i < n; i++)
            w->vectors[(size_t)k * n + i] = CMPLX(real[i], sign ? sign * real[n + i] : 0);
    }
    return found;
}

static int solve_large(work *w)
{
    int info = 0;
    pthread_mutex_lock(&mutex);
    bool built = iterate(w);
    if (built && !w->real)
        zneupd_c(1, "A", w->select, w->values, w->vectors, w->n, 0, w->room, "I", w->n, "LM",
                 w->wanted, accuracy, w->start, w->basis, w->V, w->n, w->parameters, w->at, w->work,
                 w->small, w->small_size, w->sizes, &info);
    int found = !built || info ? -2 : w->real ? extract_real(w) : w->parameters[4];
    pthread_mutex_unlock(&mutex);
    return found;
}

/* All eigenvalues, from the matrix of the operator; the basis has n vectors. */
static int solve_dense(work *w)
{
    size_t n = (size_t)w->n;
    memset(w->room, 0, n * sizeof *w->room);
    for (size_t j = 0; j < n; j++) {
        w->room[j] = 1;
        w->multiply(w->user, w->room, w->V + j * n);
        w->room[j] = 0;
    }
    return LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'V', w->n, w->V, w->n, w->values, NULL, 1,
                         w->vectors, w->n) == 0
               ? w->n
               : -2;
}

static bool allocate(work *w, lmb_arena *arena)
{
    size_t n = (size_t)w->n, m = (size_t)w->basis;
    w->small_size = 3 * w->basis * (w->basis + 2);
    w->start = lmb_arena_alloc(arena, n, sizeof *w->start);
    w->V = lmb_arena_alloc(arena, n * m, sizeof *w->V);
    w->vectors = lmb_arena_alloc(arena, n * (m + 1), sizeof *w->vectors);
    w->work = lmb_arena_alloc(arena, 3 * n, sizeof *w->work);
    w->small = lmb_arena_alloc(arena, (size_t)w->small_size, sizeof *w->small);
    w->room = lmb_arena_alloc(arena, 2 * n + 2 * m, sizeof *w->room);
    w->values = lmb_arena_alloc(arena, m + 1, sizeof *w->values);
    w->sizes = lmb_arena_numbers(arena, 2 * m);
    w->select = lmb_arena_integers(arena, m + 1);
    return lmb_arena_fine(arena);
}

int lmb_arnoldi(lmb_arena *arena, int n, lmb_operator *operator, void * user, int count, bool real,
                lmb_complex *values, lmb_complex *vectors)
{
    count = count < n ? count : n;
    bool dense = count + 3 > n;
    int basis = dense ? n : count + 18;
    work w = {.n = n,
              .scale = 1,
              .wanted = count,
              .basis = basis < n ? basis : n,
              .real = real && !dense,
              .multiply = operator,
              .user = user };
    if (count == 0)
        return 0;
    if (!allocate(&w, arena))
        return -1;
    int found = dense ? solve_dense(&w) : solve_large(&w);
    memset(w.select, 0, (size_t)w.basis * sizeof *w.select);
    for (int k = 0; k < count && found >= 0; k++) {
        int next = -1;
        for (int i = 0; i < found; i++)
            if (!w.select[i] && (next < 0 || cabs(w.values[i]) > cabs(w.values[next])))
                next = i;
        w.select[next] = 1;
        values[k] = w.values[next] / w.scale;
        memcpy(vectors + (size_t)k * (size_t)n, w.vectors + (size_t)next * (size_t)n,
               (size_t)n * sizeof *vectors);
    }
    return found < 0 ? found : count;
}

/* --- Lanczos ---------------------------------------------------------------------------------- */

typedef struct lanczos {
    lmb_pencil *pencil;
    int n, wanted, basis; /* vectors of the basis */
    double tolerance;
    double *start, *vectors, *work, *small, *theta;
    int *select;
    int parameters[11], at[14]; /* of ARPACK */
    int small_size, info;
} lanczos;

enum { SHIFT_INVERT = 3 };

/* Does what ARPACK asks for. */
static lmb_status lanczos_serve(lanczos *l, int request)
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
static lmb_status lanczos_iterate(lanczos *l)
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
        status = lmb_continue(l->pencil->context, "vibrations", 0);
        if (!status)
            status = lanczos_serve(l, request);
    } while (!status);
    return status;
}

/* Turns the basis into eigenvectors, in its first columns. */
static lmb_status lanczos_extract(lanczos *l)
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
static void lanczos_take(const lanczos *l)
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
    l.small_size = l.basis * (l.basis + 8);
    lmb_arena *room = lmb_arena_new();
    size_t n = (size_t)l.n, size = (size_t)l.basis;
    l.start = lmb_arena_numbers(room, n);
    l.vectors = lmb_arena_numbers(room, n * size);
    l.work = lmb_arena_numbers(room, 3 * n);
    l.small = lmb_arena_numbers(room, (size_t)l.small_size);
    l.theta = lmb_arena_numbers(room, size);
    l.select = lmb_arena_integers(room, size);
    lmb_status status = lmb_check_memory(pencil->context, room);
    if (!status) {
        pthread_mutex_lock(&mutex);
        status = lanczos_iterate(&l);
        if (!status)
            status = lanczos_extract(&l);
        pthread_mutex_unlock(&mutex);
    }
    if (!status)
        lanczos_take(&l);
    lmb_arena_free(room);
    return status;
}
