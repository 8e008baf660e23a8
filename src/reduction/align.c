/* Nearest modes by least squares, and reduced bodies in another basis of their modes.
 *
 * With G' = Psi'^T W^2 Psi', the normal equations G' T = Psi'^T W^2 Psi lose twice the digits that
 * the shapes lose; so a second pass solves for what the first has left over, E = Psi - Psi' T,
 * which is as small as the change of the parameter:
 *
 *   G' dT = Psi'^T W^2 E,   T += dT
 *
 * E is then orthogonal to the shapes of the neighbour, and the sines s of the principal angles are
 * those of E^T W^2 E x = s^2 G x. */
#include "reduction/align.h"

#include <math.h>
#include <string.h>

#include "fe/beam.h"
#include "fe/stress.h"
#include "math/dense.h"
#include "math/late.h"

/* Where the products of two bodies' shapes are found, and with what. */
typedef struct work {
    const lmb_reduced *neighbour, *base;
    size_t n;       /* modes */
    double extent2; /* square of the size of the body: a rotation counts as its way there */
} work;

enum { BLOCK = 1024 }; /* rows of shapes that are left over at a time */

bool lmb_same_shapes(const lmb_reduced *a, const lmb_reduced *b)
{
    size_t size = 3 * (size_t)a->node_count * (size_t)a->mode_count * sizeof(double);
    return a == b || size == 0 ||
           (memcmp(a->shape, b->shape, size) == 0 && !a->turn == !b->turn &&
            (!a->turn || memcmp(a->turn, b->turn, size) == 0));
}

/* out += f A^T B of columns of shapes, `rows` of them from a stride of their own */
static void add_products(size_t rows, size_t n, double f, const double *A, size_t a,
                         const double *B, size_t b, double *out)
{
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)n, (int)n, (int)rows, f, A, (int)a, B,
                (int)b, 1, out, (int)n);
}

/* Psi_a^T W^2 Psi_b */
static void products(const work *w, const lmb_reduced *a, const lmb_reduced *b, double *out)
{
    size_t rows = 3 * (size_t)a->node_count;
    memset(out, 0, w->n * w->n * sizeof *out);
    add_products(rows, w->n, 1, a->shape, rows, b->shape, rows, out);
    if (a->turn)
        add_products(rows, w->n, w->extent2, a->turn, rows, b->turn, rows, out);
}

/* Adds f Psi'^T E and f E^T E of one array of shapes, E = Psi - Psi' T, by blocks of rows. */
static void add_left_over(const work *w, double f, const double *shape, const double *base,
                          const double *T, double *E, double *across, double *square)
{
    size_t rows = 3 * (size_t)w->base->node_count, n = w->n;
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;
        for (size_t k = 0; k < n; k++)
            memcpy(E + k * count, base + k * rows + first, count * sizeof *E);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)count, (int)n, (int)n, -1,
                    shape + first, (int)rows, T, (int)n, 1, E, (int)count);
        add_products(count, n, f, shape + first, rows, E, count, across);
        add_products(count, n, f, E, count, E, count, square);
    }
}

static void left_over(const work *w, const double *T, double *E, double *across, double *square)
{
    const lmb_reduced *a = w->neighbour, *b = w->base;
    size_t size = w->n * w->n * sizeof *across;
    memset(across, 0, size);
    memset(square, 0, size);
    add_left_over(w, 1, a->shape, b->shape, T, E, across, square);
    if (a->turn)
        add_left_over(w, w->extent2, a->turn, b->turn, T, E, across, square);
}

static lmb_status fail_dependent(lmb_context *context)
{
    return lmb_fail(context, LMB_SOLVER,
                    "the modes cannot be told apart by the displacements of the nodes");
}

lmb_status lmb_align_find(double *T, double *sine, lmb_context *context,
                          const lmb_reduced *neighbour, const lmb_reduced *base)
{
    size_t n = (size_t)base->mode_count, square = n * n;
    double extent = v3_spread(base->x, base->node_count);
    work w = {neighbour, base, n, extent * extent};
    lmb_arena *room = lmb_arena_new();
    double *G = lmb_arena_numbers(room, square), *factor = lmb_arena_numbers(room, square);
    double *across = lmb_arena_numbers(room, square), *EE = lmb_arena_numbers(room, square);
    double *E = lmb_arena_numbers(room, BLOCK * n), *values = lmb_arena_numbers(room, n);
    lmb_status status = lmb_check_memory(context, room);
    *sine = 0;
    if (!status) {
        products(&w, neighbour, neighbour, G);
        products(&w, neighbour, base, T);
        memcpy(factor, G, square * sizeof *G);
        if (!lmb_dense_solve((int)n, factor, (int)n, T))
            status = fail_dependent(context);
    }
    for (int pass = 0; pass < 2 && !status; pass++) {
        left_over(&w, T, E, across, EE);
        memcpy(factor, G, square * sizeof *G);
        if (!lmb_dense_solve((int)n, factor, (int)n, across))
            status = fail_dependent(context);
        for (size_t i = 0; i < square && !status; i++)
            T[i] += across[i];
    }
    if (!status) {
        products(&w, base, base, G);
        if (!lmb_dense_symmetric_general((int)n, EE, G, values))
            status = fail_dependent(context);
        else if (n)
            *sine = sqrt(fmax(0, values[n - 1]));
    }
    lmb_arena_free(room);
    return status;
}

/* --- arrays of modes -------------------------------------------------------------------------- */

/* out (rows x modes) = array T */
static void combine(size_t rows, int modes, const double *array, const double *T, double *out)
{
    if (rows && modes)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)rows, modes, modes, 1, array,
                    (int)rows, T, modes, 0, out, (int)rows);
}

double *lmb_in_basis(lmb_arena *arena, size_t width, int modes, const double *array,
                     const double *T)
{
    double *out = array ? lmb_arena_numbers(arena, width * (size_t)modes + 1) : NULL;
    if (out)
        combine(width, modes, array, T, out);
    return out;
}

double *lmb_pairs_in_basis(lmb_arena *arena, size_t width, int modes, const double *array,
                           const double *T)
{
    size_t n = (size_t)modes;
    double *half = array ? lmb_arena_numbers(arena, width * n * n + 1) : NULL;
    for (size_t j = 0; half && j < n; j++)
        combine(width, modes, array + j * width * n, T, half + j * width * n);
    return lmb_in_basis(arena, width * n, modes, half, T);
}

/* --- the reduced body ------------------------------------------------------------------------- */

/* The invariants: X^T G X, X = 1 for the rigid columns, T for the modes, and T for each component
 * of the turned modes. */
static double *gram_in_basis(lmb_arena *arena, const lmb_reduced *r, const double *T)
{
    size_t n = (size_t)r->mode_count, size = (size_t)lmb_gram_size(r->mode_count);
    lmb_arena *room = lmb_arena_new();
    double *X = lmb_arena_numbers(room, size * size), *GX = lmb_arena_numbers(room, size * size);
    double *out = lmb_arena_numbers(arena, size * size);
    for (size_t i = 0; X && i < 6; i++)
        X[i * size + i] = 1;
    for (size_t k = 0; X && k < n; k++)
        for (size_t j = 0; j < n; j++) {
            int modes = (int)n, row = (int)j, column = (int)k;
            X[(size_t)lmb_gram_mode(column) * size + (size_t)lmb_gram_mode(row)] = T[k * n + j];
            for (int a = 0; a < 3; a++)
                X[(size_t)lmb_gram_turned_mode(modes, column, a) * size +
                  (size_t)lmb_gram_turned_mode(modes, row, a)] = T[k * n + j];
        }
    if (X && GX && out) {
        int s = (int)size;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, s, s, s, 1, r->gram, s, X, s, 0, GX,
                    s);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, s, s, s, 1, X, s, GX, s, 0, out, s);
    } else {
        out = NULL;
    }
    lmb_arena_free(room);
    return out;
}

/* `count` matrices of pairs of modes; false: out of memory. */
static bool squares_in_basis(size_t count, int modes, const double *from, const double *T,
                             double *out)
{
    size_t square = (size_t)modes * (size_t)modes;
    lmb_arena *room = lmb_arena_new();
    bool fine = room && out;
    for (size_t k = 0; k < count && fine; k++) {
        const double *pairs = lmb_pairs_in_basis(room, 1, modes, from + k * square, T);
        fine = pairs;
        if (fine)
            memcpy(out + k * square, pairs, square * sizeof *pairs);
        lmb_arena_clear(room);
    }
    lmb_arena_free(room);
    return fine;
}

/* Geometric stiffness: of pairs of modes, under the stress of spins and of modes. */
static bool put_stiffening(lmb_arena *arena, const lmb_reduced *r, const double *T,
                           lmb_reduced *out)
{
    size_t n = (size_t)r->mode_count, square = n * n;
    lmb_arena *room = lmb_arena_new();
    double *modes = lmb_arena_numbers(room, n * square + 1);
    out->spin_stiffness = lmb_arena_numbers(arena, LMB_SPINS * square + 1);
    bool fine = squares_in_basis(LMB_SPINS, (int)n, r->spin_stiffness, T, out->spin_stiffness) &&
                squares_in_basis(n, (int)n, r->mode_stiffness, T, modes);
    out->mode_stiffness = fine ? lmb_in_basis(arena, square, (int)n, modes, T) : NULL;
    lmb_arena_free(room);
    return out->mode_stiffness;
}

/* Shapes of points are by modes first: T^T of each row. */
static double *points_in_basis(lmb_arena *arena, const lmb_reduced *r, const double *T)
{
    int n = r->mode_count, rows = LMB_DIRECTIONS * r->point_count;
    double *out = lmb_arena_numbers(arena, (size_t)rows * (size_t)n + 1);
    if (out && rows && n)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, rows, n, 1, T, n, r->point_shape, n,
                    0, out, n);
    return out;
}

static lmb_reduced *reduced_in_basis(lmb_arena *arena, const lmb_reduced *r, const double *T)
{
    int n = r->mode_count;
    size_t nodes = 3 * (size_t)r->node_count;
    lmb_reduced *out = lmb_arena_alloc(arena, 1, sizeof *out);
    if (!out)
        return NULL;
    *out = *r;
    out->arena = NULL; /* its numbers live where those of the body do */
    out->K = lmb_pairs_in_basis(arena, 1, n, r->K, T);
    out->M = lmb_pairs_in_basis(arena, 1, n, r->M, T);
    out->C = lmb_pairs_in_basis(arena, 1, n, r->C, T);
    out->gram = gram_in_basis(arena, r, T);
    out->point_shape = points_in_basis(arena, r, T);
    out->shape = lmb_in_basis(arena, nodes, n, r->shape, T);
    out->turn = lmb_in_basis(arena, nodes, n, r->turn, T);
    bool fine = out->gram && (!r->spin_stiffness || put_stiffening(arena, r, T, out));
    return fine && lmb_arena_fine(arena) ? out : NULL;
}

/* Return the stresses of the modes Psi T, then of the unit loads, which do not depend on T. */
static double *stress_in_basis(lmb_arena *arena, const lmb_body_data *d, const double *T)
{
    size_t width = LMB_STRESSES * (size_t)d->stress_count, modes = (size_t)d->reduced->mode_count;
    size_t columns = (size_t)lmb_stress_columns(d);
    double *out = d->stress ? lmb_arena_numbers(arena, columns * width + 1) : NULL;
    if (!out)
        return NULL;
    combine(width, (int)modes, d->stress, T, out);
    memcpy(out + modes * width, d->stress + modes * width, (columns - modes) * width * sizeof *out);
    return out;
}

lmb_body_data *lmb_body_data_in_basis(lmb_arena *arena, const lmb_body_data *d, const double *T)
{
    int n = d->reduced->mode_count;
    size_t lines = 12 * (size_t)d->line_count, carried = LMB_CARRIED * lines;
    lmb_body_data *out = lmb_arena_alloc(arena, 1, sizeof *out);
    if (!out)
        return NULL;
    *out = *d;
    out->arena = arena;
    out->made_of = NULL; /* it is another one */
    out->reduced = reduced_in_basis(arena, d->reduced, T);
    out->stress = stress_in_basis(arena, d, T);
    out->line_forces = lmb_in_basis(arena, lines, n, d->line_forces, T);
    if (d->line_inertia) { /* of the frame, then of the modes */
        out->line_inertia = lmb_arena_numbers(arena, carried + (size_t)n * lines + 1);
        if (out->line_inertia) {
            memcpy(out->line_inertia, d->line_inertia, carried * sizeof *out->line_inertia);
            combine(lines, n, d->line_inertia + carried, T, out->line_inertia + carried);
        }
    }
    return out->reduced && lmb_arena_fine(arena) ? out : NULL;
}
