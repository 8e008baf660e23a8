/* From the invariants of a reduced body to the constants of its floating frame. */
#include "bodies/modal.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "reduction/align.h"

/* The product of two columns of the invariants. */
static double product(const lmb_reduced *r, int i, int j)
{
    return r->gram[(size_t)j * (size_t)lmb_gram_size(r->mode_count) + (size_t)i];
}

/* The 3 x 3 products of two triples of columns. */
static mat3 block(const lmb_reduced *r, int row, int column)
{
    mat3 out;
    for (int j = 0; j < 3; j++)
        out.c[j] = v3(product(r, row, column + j), product(r, row + 1, column + j),
                      product(r, row + 2, column + j));
    return out;
}

static vec3 triple(const lmb_reduced *r, int row, int column)
{
    return v3(product(r, row, column), product(r, row + 1, column), product(r, row + 2, column));
}

/* A + A^T of a block and its mirror image. */
static mat3 both(const lmb_reduced *r, int row, int column)
{
    mat3 a = block(r, row, column), b = block(r, column, row);
    return m3_add(&a, &b);
}

static bool allocate(lmb_modal *m, lmb_arena *arena, int points)
{
    size_t n = (size_t)m->modes;
    m->D = lmb_arena_alloc(arena, n, sizeof *m->D);
    m->S = lmb_arena_alloc(arena, n, sizeof *m->S);
    m->J1 = lmb_arena_alloc(arena, n, sizeof *m->J1);
    m->J2 = lmb_arena_alloc(arena, n * n, sizeof *m->J2);
    m->E0 = lmb_arena_alloc(arena, n, sizeof *m->E0);
    m->E1 = lmb_arena_alloc(arena, n * n, sizeof *m->E1);
    m->M = lmb_arena_alloc(arena, n * n, sizeof *m->M);
    m->K = lmb_arena_alloc(arena, n * n, sizeof *m->K);
    m->C = lmb_arena_alloc(arena, n * n, sizeof *m->C);
    m->size = lmb_arena_alloc(arena, n, sizeof *m->size);
    m->zeros = lmb_arena_alloc(arena, n, sizeof *m->zeros);
    m->points = lmb_arena_alloc(arena, (size_t)points, sizeof *m->points);
    for (int p = 0; p < points && m->points; p++) {
        m->points[p].psi = lmb_arena_alloc(arena, n, sizeof(vec3));
        m->points[p].phi = lmb_arena_alloc(arena, n, sizeof(vec3));
    }
    m->point_count = points;
    return lmb_arena_fine(arena);
}

static void set_points(lmb_modal *m, const lmb_reduced *r)
{
    size_t n = (size_t)m->modes;
    for (int p = 0; p < m->point_count; p++) {
        const double *shape = r->point_shape + (size_t)p * LMB_DIRECTIONS * n;
        m->points[p].p = r->point[p];
        for (size_t k = 0; k < n; k++) {
            m->points[p].psi[k] = v3(shape[k], shape[n + k], shape[2 * n + k]);
            m->points[p].phi[k] = v3(shape[3 * n + k], shape[4 * n + k], shape[5 * n + k]);
        }
    }
}

/* Rotations count with the size of the body, so that twisting a beam counts too. */
static void set_sizes(lmb_modal *m, const lmb_reduced *r)
{
    size_t nodes = (size_t)r->node_count;
    double extent = 0;
    for (int p = 0; p < m->point_count; p++)
        extent = fmax(extent, v3_norm(m->points[p].p));
    for (size_t i = 0; i < nodes; i++)
        extent = fmax(extent, v3_norm(r->x[i]));
    for (int k = 0; k < m->modes; k++) {
        /* no less than on average, for a body of few nodes */
        m->size[k] = sqrt(fmax(0, m->M[k * m->modes + k] / m->mass));
        for (int p = 0; p < m->point_count; p++)
            m->size[k] = fmax(m->size[k], fmax(v3_norm(m->points[p].psi[k]),
                                               extent * v3_norm(m->points[p].phi[k])));
        const double *s = r->shape + 3 * (size_t)k * nodes;
        const double *t = r->turn ? r->turn + 3 * (size_t)k * nodes : NULL;
        for (size_t i = 0; i < 3 * nodes; i += 3) {
            m->size[k] = fmax(m->size[k], v3_norm(v3_of(s + i)));
            if (t)
                m->size[k] = fmax(m->size[k], extent * v3_norm(v3_of(t + i)));
        }
    }
}

/* Inertia as it depends on the deformation. */
static void set_changes(lmb_modal *m, const lmb_reduced *r)
{
    int n = m->modes, rotation = lmb_gram_rotation(0);
    for (int j = 0; j < n; j++) {
        int turned = lmb_gram_turned_mode(n, j, 0);
        m->S[j] = m->D[j];
        m->J1[j] = both(r, rotation, turned);
        for (int k = 0; k < n; k++) {
            m->J2[j * n + k] = both(r, turned, lmb_gram_turned_mode(n, k, 0));
            m->E1[j * n + k] = triple(r, turned, lmb_gram_mode(k));
        }
    }
}

/* Centrifugal stress: second-order shortening takes mass towards the axis, so it is a part of the
 * moments of inertia. */
static void set_spin_stiffness(lmb_modal *m, const lmb_reduced *r)
{
    static const int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    size_t square = (size_t)m->modes * (size_t)m->modes;
    for (size_t jk = 0; jk < square; jk++) {
        const double *G = r->spin_stiffness + jk;
        for (int b = 0; b < 3; b++) {
            vec3 column = v3(G[(size_t)at[0][b] * square], G[(size_t)at[1][b] * square],
                             G[(size_t)at[2][b] * square]);
            m->J2[jk].c[b] = v3_axpy(m->J2[jk].c[b], -2, column);
        }
    }
}

/* Whether the stress of a mode does anything but rounding: moved as far as the body is large, it
 * would change the stiffness of a pair of modes by more than 1e-9. */
static bool stretches(const lmb_modal *m, const lmb_reduced *r, size_t k, const double *B)
{
    size_t n = (size_t)m->modes;
    double extent = 0;
    for (int i = 1; i < r->node_count; i++)
        extent = fmax(extent, v3_norm(v3_sub(r->x[i], r->x[0])));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (fabs(B[i * n + j]) * extent >
                1e-9 * m->size[k] * sqrt(m->K[i * (n + 1)] * m->K[j * (n + 1)]))
                return true;
    return false;
}

/* Keeps the modes whose stress changes the stiffness of others. */
static bool set_stretch(lmb_modal *m, lmb_arena *arena, const lmb_reduced *r)
{
    size_t n = (size_t)m->modes, square = n * n;
    m->stretch = lmb_arena_alloc(arena, n + 1, sizeof *m->stretch);
    m->B = lmb_arena_alloc(arena, n * square + 1, sizeof *m->B);
    m->stretch_stiffness = lmb_arena_numbers(arena, n + 1);
    if (!m->stretch || !m->B || !m->stretch_stiffness)
        return false;
    for (size_t k = 0; k < n; k++) {
        const double *B = r->mode_stiffness + k * square;
        if (!stretches(m, r, k, B))
            continue;
        memcpy(m->B + (size_t)m->stretch_count * square, B, square * sizeof *B);
        m->stretch_stiffness[m->stretch_count] = m->K[k * (n + 1)];
        m->stretch[m->stretch_count++] = (int)k;
    }
    return true;
}

static void add_damping(lmb_modal *m, const lmb_modal_options *o)
{
    int n = m->modes;
    for (int i = 0; i < n * n; i++)
        m->C[i] += o->by_mass * m->M[i] + o->by_stiffness * m->K[i];
    for (int k = 0; k < n; k++)
        m->C[k * n + k] +=
            2 * (o->ratios ? o->ratios[k] : o->ratio) * sqrt(m->M[k * n + k] * m->K[k * n + k]);
}

/* One component of J1 and E0, or of J2 and E1. */
static double component(const mat3 *J, vec3 E, int i)
{
    const double of[LMB_CHANGES] = {J->c[0].x, J->c[1].y, J->c[2].z, J->c[1].x, J->c[2].x,
                                    J->c[2].y, E.x,       E.y,       E.z};
    return of[i];
}

/* Orders what changes with deformation by components. */
static bool set_components(lmb_modal *m, lmb_arena *arena)
{
    int n = m->modes;
    m->change0 = lmb_arena_numbers(arena, LMB_CHANGES * n);
    m->change = lmb_arena_numbers(arena, LMB_CHANGES * n * n);
    m->odd = lmb_arena_numbers(arena, 3 * n * n);
    double *even = lmb_arena_numbers(arena, 3 * n * n), most = 0, most_even = 0;
    if (!m->change0 || !m->change || !m->odd || !even)
        return false;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < LMB_CHANGES; i++)
            m->change0[i * n + k] = component(&m->J1[k], m->E0[k], i);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            vec3 E = m->E1[j * n + k], other = m->E1[k * n + j];
            for (int i = 0; i < LMB_CHANGES; i++)
                m->change[(j * LMB_CHANGES + i) * n + k] = component(&m->J2[j * n + k], E, i);
            for (int i = 0; i < 3; i++) {
                double sum = v3_get(E, i) + v3_get(other, i);
                m->odd[(j * 3 + i) * n + k] = v3_get(other, i) - v3_get(E, i);
                even[(j * 3 + i) * n + k] = sum / 2;
                most = fmax(most, fabs(v3_get(E, i)));
                most_even = fmax(most_even, fabs(sum));
            }
        }
    m->even = most_even > 1e-13 * most ? even : NULL; /* else rounding */
    return true;
}

/* Whether the part of a modal matrix off the diagonal is rounding. */
static bool is_diagonal(const double *A, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(A[i * n + j]) > 1e-11 * sqrt(fabs(A[i * n + i] * A[j * n + j])))
                return false;
    return true;
}

/* Removes rounding from matrices of modes that are orthogonal. */
static void clean(lmb_modal *m)
{
    int n = m->modes;
    m->orthonormal = is_diagonal(m->M, n);
    for (int k = 0; k < n; k++)
        m->orthonormal = m->orthonormal && fabs(m->M[k * n + k] - 1) < 1e-11;
    for (int i = 0; m->orthonormal && i < n * n; i++)
        m->M[i] = i % (n + 1) == 0;
    m->diagonal = is_diagonal(m->K, n) && is_diagonal(m->C, n);
    for (int i = 0; m->diagonal && i < n * n; i++)
        if (i % (n + 1))
            m->K[i] = m->C[i] = 0;
}

lmb_modal *lmb_modal_new(lmb_arena *arena, const lmb_reduced *r, const lmb_modal_options *options)
{
    lmb_modal *m = lmb_arena_alloc(arena, 1, sizeof *m);
    if (!m)
        return NULL;
    int n = m->modes = r->mode_count, rotation = lmb_gram_rotation(0);
    if (!allocate(m, arena, r->point_count))
        return NULL;
    m->mass = product(r, 0, 0);
    /* a rotation e moves the mass by e x s: about z by (-s.y, s.x, 0), about x by -s.z in y */
    m->s0 = v3(product(r, 1, rotation + 2), -product(r, 0, rotation + 2), -product(r, 1, rotation));
    m->J0 = block(r, rotation, rotation);
    for (int j = 0; j < n; j++) {
        m->D[j] = triple(r, lmb_gram_translation(0), lmb_gram_mode(j));
        m->E0[j] = triple(r, rotation, lmb_gram_mode(j));
    }
    if (!options->constant)
        set_changes(m, r);
    if (!options->constant && r->spin_stiffness)
        set_spin_stiffness(m, r);
    m->no_quadratic = options->no_quadratic;
    size_t square = (size_t)n * (size_t)n * sizeof(double);
    if (n) {
        memcpy(m->M, r->M, square);
        memcpy(m->K, r->K, square);
        if (r->C)
            memcpy(m->C, r->C, square);
    }
    add_damping(m, options);
    set_points(m, r);
    set_sizes(m, r);
    clean(m);
    if (r->mode_stiffness && !set_stretch(m, arena, r))
        return NULL;
    return set_components(m, arena) ? m : NULL;
}

/* --- in another basis ------------------------------------------------------------------------- */

static vec3 *vectors_in_basis(lmb_arena *arena, int modes, const vec3 *array, const double *T)
{
    return (vec3 *)lmb_in_basis(arena, 3, modes, (const double *)array, T);
}

static bool points_in_basis(lmb_modal *m, lmb_arena *arena, const double *T)
{
    size_t count = (size_t)m->point_count;
    m->points = lmb_arena_grow(arena, m->points, count, count + 1, sizeof *m->points);
    for (size_t p = 0; m->points && p < count; p++) {
        m->points[p].psi = vectors_in_basis(arena, m->modes, m->points[p].psi, T);
        m->points[p].phi = vectors_in_basis(arena, m->modes, m->points[p].phi, T);
    }
    return lmb_arena_fine(arena);
}

/* Stretching stays that of its own modes: c = along . eta is the coordinate of one of them, and a
 * unit of it is `back` in the new ones. */
static bool stretch_in_basis(lmb_modal *m, lmb_arena *arena, const double *T, const double *inverse)
{
    size_t n = (size_t)m->modes, count = (size_t)m->stretch_count, square = n * n;
    double *along = lmb_arena_numbers(arena, count * n + 1);
    double *back = lmb_arena_numbers(arena, count * n + 1);
    double *B = lmb_arena_numbers(arena, count * square + 1);
    if (!along || !back || !B)
        return false;
    for (size_t s = 0; s < count; s++) {
        const double *pairs = lmb_pairs_in_basis(arena, 1, m->modes, m->B + s * square, T);
        if (!pairs)
            return false;
        memcpy(B + s * square, pairs, square * sizeof *B);
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) {
                bool own = j == (size_t)m->stretch[s];
                along[s * n + k] += (m->along ? m->along[s * n + j] : own) * T[k * n + j];
                back[s * n + k] += inverse[j * n + k] * (m->back ? m->back[s * n + j] : own);
            }
    }
    m->along = along;
    m->back = back;
    m->B = B;
    return true;
}

lmb_modal *lmb_modal_in_basis(lmb_arena *arena, const lmb_modal *modal, const lmb_reduced *changed,
                              const double *T, const double *inverse)
{
    int n = modal->modes;
    lmb_modal *m = lmb_arena_alloc(arena, 1, sizeof *m);
    if (!m)
        return NULL;
    *m = *modal;
    m->orthonormal = m->diagonal = false;
    m->D = vectors_in_basis(arena, n, modal->D, T);
    m->S = vectors_in_basis(arena, n, modal->S, T);
    m->E0 = vectors_in_basis(arena, n, modal->E0, T);
    m->J1 = (mat3 *)lmb_in_basis(arena, 9, n, (const double *)modal->J1, T);
    m->J2 = (mat3 *)lmb_pairs_in_basis(arena, 9, n, (const double *)modal->J2, T);
    m->E1 = (vec3 *)lmb_pairs_in_basis(arena, 3, n, (const double *)modal->E1, T);
    double **matrices[] = {&m->M, &m->K, &m->C};
    for (int i = 0; i < 3; i++) {
        *matrices[i] = lmb_pairs_in_basis(arena, 1, n, *matrices[i], T);
        if (*matrices[i])
            lmb_dense_symmetrise(n, *matrices[i]);
    }
    m->size = lmb_arena_numbers(arena, (size_t)n + 1);
    if (!points_in_basis(m, arena, T))
        return NULL;
    set_sizes(m, changed);
    if (m->stretch_count && !stretch_in_basis(m, arena, T, inverse))
        return NULL;
    return set_components(m, arena) ? m : NULL;
}
