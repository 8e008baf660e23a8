/* The lowest modes of large models about any state, by shift and invert of their sparse equations
 * (analysis/sparse_motion.h): with x = (dq, dv, dz) and
 *
 *   T x = the same part of (F - s0 E)^-1 E w,     T x = theta x,     s = s0 + 1 / theta
 *
 * the eigenvalues s next to the shift s0 have the largest theta (Arnoldi's method). Lengths, angles
 * and speeds are made comparable by the metric of the model and a typical frequency.
 *
 * Arnoldi's method may overlook one of several equal eigenvalues. So it is repeated for what is
 * orthogonal to the vectors Q that are known, (1 - Q Q^T) T (1 - Q Q^T), until nothing as large as
 * what is wanted comes out. s and the vectors are those of the small matrix Q^T T Q.
 *
 * s0 is 0 if that is no eigenvalue. Else a model can move without resistance: s0 is then about half
 * of the lowest s that is not zero, found step by step. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearise.h"
#include "analysis/modes.h"
#include "analysis/sparse_motion.h"
#include "math/dense.h"
#include "math/late.h"
#include "math/eigen.h"

/* A double zero is found to the root of rounding: seen from a shift, eigenvalues this much nearer
 * to zero are zero; seen from zero itself, those that are this much lower than the highest may be.
 */
static const double zero_part = 1e-4, suspicious = 1e-6;

typedef struct search {
    const lmb_sparse_motion *motion;
    lmb_context *context;
    int size;                 /* of x: 2 n + nz */
    int wanted;               /* eigenvalues */
    double shift;             /* s0 */
    double *unit;             /* size: of the numbers of x */
    double *w, *r;            /* of the motion */
    int count, most;          /* vectors of Q */
    double *Q, *TQ;           /* size x most */
    double *real, *imaginary; /* most: eigenvalues s, by their size, */
    double *vectors;          /* size x most: vectors as LAPACK has them */
    lmb_arena *arena;
} search;

/* --- the operator ----------------------------------------------------------------------------- */

/* y = T x */
static void apply(const search *f, const double *x, double *y)
{
    const lmb_sparse_motion *o = f->motion;
    int moving = 2 * o->n;
    memset(f->w, 0, (size_t)o->size * sizeof *f->w);
    for (int i = 0; i < f->size; i++)
        f->w[i < moving ? i : lmb_sparse_dz(o) + i - moving] = x[i] * f->unit[i];
    lmb_shifted_times_E(o->matrix, f->w, f->r);
    lmb_shifted_solve(o->matrix, f->r);
    for (int i = 0; i < f->size; i++)
        y[i] = f->r[i < moving ? i : lmb_sparse_dz(o) + i - moving] / f->unit[i];
}

/* x -= Q Q^T x; returns what is left of its length, as a part. */
static double without_known(const search *f, double *x)
{
    double before = cblas_dnrm2(f->size, x, 1);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < f->count; k++) {
            const double *q = f->Q + (size_t)k * (size_t)f->size;
            cblas_daxpy(f->size, -cblas_ddot(f->size, q, 1, x, 1), q, 1, x, 1);
        }
    return before > 0 ? cblas_dnrm2(f->size, x, 1) / before : 0;
}

/* The operator of what is not known yet, for Arnoldi's method. */
static void apply_rest(void *user, const lmb_complex *x, lmb_complex *y)
{
    const search *f = user;
    double *a = f->vectors, *b = a + f->size; /* not used before the end */
    for (int i = 0; i < f->size; i++)
        a[i] = creal(x[i]);
    without_known(f, a);
    apply(f, a, b);
    without_known(f, b);
    for (int i = 0; i < f->size; i++)
        y[i] = b[i];
}

/* Adds a vector to Q unless it is known. */
static void take(search *f, double *x)
{
    if (f->count == f->most || without_known(f, x) < 1e-8)
        return;
    double *q = f->Q + (size_t)f->count * (size_t)f->size;
    memcpy(q, x, (size_t)f->size * sizeof *q);
    cblas_dscal(f->size, 1 / cblas_dnrm2(f->size, q, 1), q, 1);
    apply(f, q, f->TQ + (size_t)f->count++ * (size_t)f->size);
}

/* --- eigenvalues at a shift ------------------------------------------------------------------- */

/* Lets Arnoldi's method find `count` more; *largest is the size of the first one. */
static int find_more(search *f, int count, double *largest)
{
    size_t n = (size_t)f->size;
    lmb_arena *room = lmb_arena_new();
    lmb_complex *values = lmb_arena_alloc(room, (size_t)count + 1, sizeof *values);
    lmb_complex *vectors = lmb_arena_alloc(room, n * ((size_t)count + 1), sizeof *vectors);
    double *part = lmb_arena_numbers(room, n);
    int found = lmb_arena_fine(room)
                    ? lmb_arnoldi(room, f->size, apply_rest, f, count, true, values, vectors)
                    : -1;
    *largest = found > 0 ? cabs(values[0]) : 0;
    for (int k = 0; k < found; k++)
        for (int imaginary = 0; imaginary < 2; imaginary++) {
            for (size_t i = 0; i < n; i++)
                part[i] = imaginary ? cimag(vectors[(size_t)k * n + i])
                                    : creal(vectors[(size_t)k * n + i]);
            if (cblas_dnrm2(f->size, part, 1) > 1e-10)
                take(f, part);
        }
    lmb_arena_free(room);
    return found;
}

/* The eigenvalues of Q^T T Q, by the size of s, with their vectors; false if they are not found. */
static bool reduce(search *f)
{
    int k = f->count;
    size_t c = (size_t)k;
    lmb_arena *room = lmb_arena_new();
    double *H = lmb_arena_numbers(room, c * c + 1), *V = lmb_arena_numbers(room, c * c + 1);
    bool fine = lmb_arena_fine(room);
    if (fine)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, k, f->size, 1, f->Q, f->size, f->TQ,
                    f->size, 0, H, k);
    fine = fine && lmb_dense_eigen(k, H, f->real, f->imaginary, V);
    if (fine)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, f->size, k, k, 1, f->Q, f->size, V,
                    k, 0, f->vectors, f->size);
    for (int i = 0; fine && i < k; i++) {
        lmb_complex s = f->shift + 1 / CMPLX(f->real[i], f->imaginary[i]);
        f->real[i] = creal(s);
        f->imaginary[i] = f->imaginary[i] == 0 ? 0 : cimag(s);
    }
    lmb_arena_free(room);
    return fine;
}

/* The size of theta number `wanted`: what is smaller need not be found. */
static double least_wanted(const search *f)
{
    double *size = f->vectors + 2 * f->size; /* not used before the end */
    int count = f->count;
    for (int i = 0; i < count; i++)
        size[i] = 1 / hypot(f->real[i] - f->shift, f->imaginary[i]);
    for (int k = 0; k < f->wanted && k < count; k++)
        for (int i = k + 1; i < count; i++)
            if (size[i] > size[k]) {
                double swap = size[i];
                size[i] = size[k];
                size[k] = swap;
            }
    return count < f->wanted ? 0 : size[f->wanted - 1];
}

/* Finds the wanted eigenvalues nearest to the shift; false: singular there, or no convergence. */
static bool look_from(search *f, double shift)
{
    enum { MOST_ROUNDS = 40, FEW = 4 };
    double largest;
    f->shift = shift;
    f->count = 0;
    if (!lmb_shifted_factor(f->motion->matrix, shift) ||
        lmb_shifted_condition(f->motion->matrix) < DBL_EPSILON ||
        find_more(f, f->wanted, &largest) < 0)
        return false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!reduce(f))
            return false;
        double least = least_wanted(f);
        if (f->count == f->most || find_more(f, FEW, &largest) < 0 || !(largest >= least) ||
            largest == 0)
            break;
    }
    return reduce(f);
}

/* --- the shift -------------------------------------------------------------------------------- */

/* A frequency that is rather too high: the largest of those of single coordinates and of the motion
 * itself. */
static double highest_guess(const search *f)
{
    const lmb_solver *solver = f->motion->solver;
    const lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    double guess = lmb_step_size(solver, s->v) / m->length;
    for (int c = 0; c < m->cluster_count; c++) {
        const lmb_cluster *k = &m->clusters[c];
        const lmb_couple *own = &m->couples[k->couple];
        for (int j = 0; j < k->nv; j++) {
            double mass = solver->mass[k->mass + j * (k->nv + 1)];
            double K = s->tangent_q[own->value + j * (own->row_nv + 1)];
            if (mass > 0)
                guess = fmax(guess, sqrt(fabs(K) / mass));
        }
    }
    return guess > 0 && isfinite(guess) ? guess : 1;
}

/* The lowest size of an eigenvalue above a limit, 0 if there is none; and the highest. */
static double lowest_above(const search *f, double limit, double *highest)
{
    double lowest = INFINITY;
    *highest = 0;
    for (int i = 0; i < f->count; i++) {
        double size = hypot(f->real[i], f->imaginary[i]);
        *highest = fmax(*highest, size);
        if (size > limit)
            lowest = fmin(lowest, size);
    }
    return isfinite(lowest) ? lowest : 0;
}

/* Typical frequency by which speeds are measured. */
static void set_units(search *f, double frequency)
{
    const lmb_sparse_motion *o = f->motion;
    const lmb_model *m = o->solver->state->model;
    for (int j = 0; j < o->n; j++) {
        f->unit[j] = 1 / m->columns[j].size;
        f->unit[o->n + j] = frequency / m->columns[j].size;
    }
    for (int i = 0; i < o->nz; i++)
        f->unit[2 * o->n + i] = m->z_size[i] / m->length;
}

/* From zero, or from a shift below the lowest eigenvalue that is not zero. */
static lmb_status find(search *f)
{
    enum { MOST_SHIFTS = 12 };
    double highest = 0, shift = 0.1 * highest_guess(f);
    set_units(f, shift);
    if (look_from(f, 0)) {
        double lowest = lowest_above(f, 0, &highest);
        if (lowest > suspicious * highest)
            return LMB_OK;
        lowest = lowest_above(f, suspicious * highest, &highest);
        shift = lowest > 0 ? lowest / 2 : shift;
    }
    for (int i = 0; i < MOST_SHIFTS; i++) {
        set_units(f, shift);
        bool found = look_from(f, shift);
        double lowest = found ? lowest_above(f, zero_part * shift, &highest) : 0;
        if (found && (lowest == 0 || (lowest >= shift / 4 && lowest <= 100 * shift)))
            return LMB_OK;
        shift = found ? lowest / 2 : shift / 30;
    }
    return lmb_fail(f->context, LMB_SOLVER, "the lowest eigenvalues were not found");
}

/* --- modes ------------------------------------------------------------------------------------ */

/* The displacement in the phase in which its largest number is real, of unit modal mass; w is NULL
 * for a real mode. */
static void set_shape(const search *f, const double *u, const double *w, double *shape)
{
    const lmb_sparse_motion *o = f->motion;
    int most = 0;
    for (int i = 1; w && i < o->n; i++)
        if (hypot(u[i], w[i]) > hypot(u[most], w[most]))
            most = i;
    double phase = w ? atan2(w[most], u[most]) : 0;
    for (int i = 0; i < o->n; i++)
        shape[i] = f->unit[i] * (u[i] * cos(phase) + (w ? w[i] * sin(phase) : 0));
    lmb_mass_times(o->solver->state, shape, f->r);
    double mass = cblas_ddot(o->n, shape, 1, f->r, 1);
    cblas_dscal(o->n, mass > 0 ? 1 / sqrt(mass) : 1, shape, 1);
}

static void add_mode(const search *f, lmb_mode mode, const double *u, const double *w,
                     lmb_mode_list *out)
{
    double *shape = lmb_arena_numbers(out->arena, (size_t)f->motion->n + 1);
    if (!shape)
        return;
    set_shape(f, u, w, shape);
    mode.shape = shape;
    out->modes[out->count++] = mode;
}

/* The modes of zeros: every second one belongs to a speed, but a position that rolling leaves free
 * has no speed. Vectors are nearly the same: what they have in common is taken once, then in what
 * they differ. `zeros` are their columns, which are overwritten. */
static void add_rigid(const search *f, int count, const int *zeros, lmb_mode_list *out)
{
    const lmb_sparse_motion *o = f->motion;
    int most = (count + o->positions - o->speeds + 1) / 2;
    for (int i = 0; i < most && i < count; i++) {
        double *own = NULL, longest = 0;
        for (int k = 0; k < count; k++) {
            double *x = f->vectors + (size_t)zeros[k] * (size_t)f->size;
            double length = cblas_dnrm2(o->n, x, 1);
            own = length > longest ? x : own;
            longest = fmax(longest, length);
        }
        if (!own)
            return;
        cblas_dscal(o->n, 1 / longest, own, 1);
        add_mode(f, lmb_mode_of(0, 0, true), own, NULL, out);
        for (int k = 0; k < count; k++) {
            double *x = f->vectors + (size_t)zeros[k] * (size_t)f->size;
            if (x != own)
                cblas_daxpy(o->n, -cblas_ddot(o->n, own, 1, x, 1), own, 1, x, 1);
        }
        memset(own, 0, (size_t)o->n * sizeof *own);
    }
}

static int by_size(const void *a, const void *b)
{
    const lmb_mode *x = a, *y = b;
    double p = hypot(x->real, x->imaginary), q = hypot(y->real, y->imaginary);
    if (x->rigid != y->rigid)
        return x->rigid ? -1 : 1;
    return (p > q) - (p < q);
}

/* One mode of each pair of complex values, those of zeros first. */
static lmb_status collect(const search *f, int count, lmb_mode_list *out)
{
    int *zeros = lmb_arena_integers(f->arena, (size_t)f->count + 1), zero_count = 0;
    out->modes = lmb_arena_alloc(out->arena, (size_t)f->count + 1, sizeof *out->modes);
    if (!zeros || !out->modes)
        return lmb_fail_memory(f->context);
    for (int i = 0; i < f->count; i++) {
        const double *u = f->vectors + (size_t)i * (size_t)f->size;
        double size = hypot(f->real[i], f->imaginary[i]);
        if (size <= zero_part * f->shift)
            zeros[zero_count++] = i;
        else if (f->imaginary[i] >= 0)
            add_mode(f, lmb_mode_of(f->real[i], f->imaginary[i], false), u,
                     f->imaginary[i] > 0 ? u + f->size : NULL, out);
    }
    add_rigid(f, zero_count, zeros, out);
    qsort(out->modes, (size_t)out->count, sizeof *out->modes, by_size);
    if (count < out->count)
        out->count = count;
    return lmb_check_memory(f->context, out->arena);
}

/* More are looked for than are wanted: pairs are one mode, and the nearest ones to a shift are not
 * exactly the lowest ones. */
lmb_status lmb_sparse_modes(const lmb_sparse_motion *o, int count, lmb_mode_list *out)
{
    enum { SPARE = 6 };
    int all = o->positions + o->speeds + o->nz;
    search f = {.motion = o,
                .context = o->solver->context,
                .size = 2 * o->n + o->nz,
                .arena = lmb_arena_new()};
    f.wanted = count < all / 2 ? 2 * count + SPARE : all;
    f.wanted = f.wanted < all ? f.wanted : all;
    f.most = f.wanted + 40 < all ? f.wanted + 40 : all;
    size_t n = (size_t)f.size, most = (size_t)f.most + 3;
    f.unit = lmb_arena_numbers(f.arena, n);
    f.w = lmb_arena_numbers(f.arena, (size_t)o->size);
    f.r = lmb_arena_numbers(f.arena, (size_t)o->size);
    f.Q = lmb_arena_numbers(f.arena, n * most);
    f.TQ = lmb_arena_numbers(f.arena, n * most);
    f.vectors = lmb_arena_numbers(f.arena, n * most + most);
    f.real = lmb_arena_numbers(f.arena, most);
    f.imaginary = lmb_arena_numbers(f.arena, most);
    *out = (lmb_mode_list){.arena = lmb_arena_new()};
    lmb_status status = lmb_check_memory(f.context, f.arena);
    if (!status && all > 0 && !(status = find(&f)))
        status = collect(&f, count, out);
    lmb_arena_free(f.arena);
    if (status)
        lmb_mode_list_free(out);
    return status;
}
