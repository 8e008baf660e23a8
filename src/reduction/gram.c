/* The invariants of a reduced body: products of its columns through the mass matrix.
 *
 * In general G = B^T M B with all columns B, some of them at a time; solids have a faster way. */
#include "reduction/gram.h"

#include <cblas.h>
#include <string.h>

#include "math/dense.h"
#include "reduction/interface.h"

/* Columns that are multiplied by M together, and nodes whose products are added up together. */
enum { BLOCK = 8, CHUNK = 128 };

static void put(const lmb_fe_model *m, double *u, int node, int first, vec3 a)
{
    for (int d = 0; d < 3; d++)
        if (m->dof[node][first + d] >= 0)
            u[m->dof[node][first + d]] = v3_get(a, d);
}

/* The column c of the invariants as a motion of the model. */
static void set_column(const lmb_reduced *r, const lmb_fe_model *m, int c, double *u)
{
    if (c < 6) {
        lmb_rigid_motion(m, c, r->origin, u);
        return;
    }
    int turned = c - 6 - r->mode_count, mode = turned < 0 ? c - 6 : turned / 3;
    vec3 e = v3_axis(turned % 3);
    for (int k = 0; k < r->node_count; k++) {
        lmb_nodal s = lmb_reduced_shape_at(r, mode, k);
        put(m, u, k, LMB_UX, turned < 0 ? s.u : v3_cross(e, s.u));
        put(m, u, k, LMB_RX, turned < 0 ? s.theta : v3_cross(e, s.theta));
    }
}

/* Some columns, from one on; returns how many. */
static int set_columns(const lmb_reduced *r, const lmb_fe_model *m, int first, double *u)
{
    int left = lmb_gram_size(r->mode_count) - first, count = left < BLOCK ? left : BLOCK;
    for (int k = 0; k < count; k++)
        set_column(r, m, first + k, u + (size_t)k * (size_t)m->n);
    return count;
}

/* --- solids -------------------------------------------------------------------------------------
 *
 * The mass matrix of solids is the same in all directions, so M (e x u) = e x M u: all products
 * follow from the sums c = sum psi_i (x) w_j over nodes (3 x 3), w_j = M psi_j. */

/* Whether masses are the same in all directions and have no part between directions. */
static bool is_isotropic(const lmb_fe_model *m)
{
    const lmb_symmetric *M = &m->M;
    for (int j = 0; j < M->n; j++) {
        if (m->direction[j] >= LMB_RX || m->dof[m->node[j]][LMB_UZ] < 0)
            return false;
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            if (m->direction[M->row[k]] != m->direction[j] && M->value[k] != 0)
                return false;
    }
    for (int j = 0; j < M->n; j++) { /* along x as along y and z, by the sums of columns */
        double sum = 0, first = 0;
        const int *dof = m->dof[m->node[j]];
        for (int k = M->start[j]; k < M->start[j + 1]; k++)
            sum += M->value[k];
        for (int k = M->start[dof[0]]; k < M->start[dof[0] + 1]; k++)
            first += M->value[k];
        if (fabs(sum - first) > 1e-12 * fabs(first))
            return false;
    }
    return true;
}

/* P[3 j + b][3 i + a] = sum over nodes of the component a of shape i and b of w_j, by products of
 * matrices of some nodes, in which components stand apart. */
static void multiply_shapes(const lmb_reduced *r, const double *w, double *room, double *P)
{
    int size = 3 * r->mode_count, nodes = r->node_count;
    double *a = room, *b = room + (size_t)size * CHUNK;
    for (int first = 0; first < nodes; first += CHUNK) {
        int count = nodes - first < CHUNK ? nodes - first : CHUNK;
        for (int s = 0; s < size; s++) {
            size_t from = 3 * ((size_t)(s / 3) * (size_t)nodes + (size_t)first) + (size_t)(s % 3);
            double *to_a = a + (size_t)s * CHUNK, *to_b = b + (size_t)s * CHUNK;
            for (int k = 0; k < count; k++) {
                to_a[k] = r->shape[from + 3 * (size_t)k];
                to_b[k] = w[from + 3 * (size_t)k];
            }
        }
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, size, size, count, 1, a, CHUNK, b,
                    CHUNK, first > 0, P, size);
    }
}

/* c[a][b] = sum over nodes of a component a of x and b of y. */
static void sum_products(const double *x, const double *y, int nodes, double c[3][3])
{
    double s[9] = {0};
    for (int k = 0; k < nodes; k++, x += 3, y += 3) {
        s[0] += x[0] * y[0], s[1] += x[0] * y[1], s[2] += x[0] * y[2];
        s[3] += x[1] * y[0], s[4] += x[1] * y[1], s[5] += x[1] * y[2];
        s[6] += x[2] * y[0], s[7] += x[2] * y[1], s[8] += x[2] * y[2];
    }
    memcpy(c, s, sizeof s);
}

/* The vector of the skew part: sum x cross y. */
static vec3 cross_of(double c[3][3])
{
    return v3(c[1][2] - c[2][1], c[2][0] - c[0][2], c[0][1] - c[1][0]);
}

static void set_pair(lmb_reduced *r, int i, int j, double value)
{
    size_t size = (size_t)lmb_gram_size(r->mode_count);
    r->gram[(size_t)j * size + (size_t)i] = r->gram[(size_t)i * size + (size_t)j] = value;
}

/* Products of the rigid motions with a mode and its turned columns, from w of the mode. */
static void rigid_with_mode(lmb_reduced *r, const double *w, int j)
{
    double c[3][3], trace;
    vec3 force = v3(0, 0, 0);
    for (int k = 0; k < r->node_count; k++)
        force = v3_add(force, v3(w[3 * k], w[3 * k + 1], w[3 * k + 2]));
    sum_products(&r->x[0].x, w, r->node_count, c);
    vec3 moment = cross_of(c);
    trace = c[0][0] + c[1][1] + c[2][2];
    for (int a = 0; a < 3; a++) {
        set_pair(r, lmb_gram_translation(a), lmb_gram_mode(j), v3_get(force, a));
        set_pair(r, lmb_gram_rotation(a), lmb_gram_mode(j), v3_get(moment, a));
        for (int b = 0; b < 3; b++) { /* (e_a x x) . (e_b x w) = d_ab x.w - x_b w_a */
            int turned = lmb_gram_turned_mode(r->mode_count, j, b);
            vec3 across = v3_cross(v3_axis(b), force);
            set_pair(r, lmb_gram_translation(a), turned, v3_get(across, a));
            set_pair(r, lmb_gram_rotation(a), turned, (a == b ? trace : 0) - c[b][a]);
        }
    }
}

/* Products of a mode and its turned columns with those of another, from P of all. */
static void mode_with_mode(lmb_reduced *r, const double *P, int i, int j)
{
    double c[3][3]; /* sum over nodes of components of psi_i and w_j */
    size_t size = 3 * (size_t)r->mode_count;
    for (int k = 0; k < 9; k++)
        c[k / 3][k % 3] = P[(size_t)(3 * j + k % 3) * size + (size_t)(3 * i + k / 3)];
    double trace = c[0][0] + c[1][1] + c[2][2];
    vec3 cross = cross_of(c); /* sum psi_i x w_j */
    set_pair(r, lmb_gram_mode(i), lmb_gram_mode(j), trace);
    for (int a = 0; a < 3; a++) {
        int first = lmb_gram_turned_mode(r->mode_count, i, a);
        /* (e_a x psi_i) . w_j and psi_i . (e_a x w_j) */
        set_pair(r, first, lmb_gram_mode(j), v3_get(cross, a));
        set_pair(r, lmb_gram_mode(i), lmb_gram_turned_mode(r->mode_count, j, a), -v3_get(cross, a));
        for (int b = 0; b < 3; b++)
            set_pair(r, first, lmb_gram_turned_mode(r->mode_count, j, b),
                     (a == b ? trace : 0) - c[b][a]);
    }
}

/* w of all modes at the nodes, three numbers each; u has room for two blocks. */
static lmb_status weigh(const lmb_reduced *r, lmb_context *context, const lmb_fe_model *m,
                        double *u, double *w)
{
    size_t n = (size_t)m->n;
    double *v = u + BLOCK * n;
    lmb_status status = LMB_OK;
    for (int first = 0; first < r->mode_count && !status; first += BLOCK) {
        int count = r->mode_count - first < BLOCK ? r->mode_count - first : BLOCK;
        for (int j = 0; j < count; j++)
            lmb_reduced_displacements(r, m, first + j, u + (size_t)j * n);
        lmb_symmetric_multiply_many(&m->M, count, u, v);
        for (int j = 0; j < count; j++) {
            double *to = w + 3 * (size_t)(first + j) * (size_t)r->node_count;
            for (size_t i = 0; i < n; i++)
                to[3 * m->node[i] + m->direction[i]] = v[(size_t)j * n + i];
        }
        status = lmb_go_on(context, "invariants", (double)(first + count) / r->mode_count);
    }
    return status;
}

static lmb_status find_gram_of_solid(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m,
                                     lmb_arena *room, double *u)
{
    size_t n = (size_t)m->n, size = (size_t)lmb_gram_size(r->mode_count);
    size_t wide = 3 * (size_t)r->mode_count;
    double *v = u + BLOCK * n, *w = lmb_arena_numbers(room, wide * (size_t)r->node_count + 1);
    double *P = lmb_arena_numbers(room, wide * wide + 2 * wide * CHUNK + 1);
    lmb_status status = lmb_check_memory(context, room);
    if (status || (status = lmb_go_on(context, "invariants", 0)))
        return status;
    for (int c = 0; c < 6; c++)
        set_column(r, m, c, u + (size_t)c * n);
    lmb_symmetric_multiply_many(&m->M, 6, u, v);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, m->n, 1, u, m->n, v, m->n, 0,
                r->gram, (int)size);
    if ((status = weigh(r, context, m, u, w)))
        return status;
    multiply_shapes(r, w, P + wide * wide, P);
    for (int j = 0; j < r->mode_count; j++) {
        rigid_with_mode(r, w + 3 * (size_t)j * (size_t)r->node_count, j);
        for (int i = 0; i <= j; i++)
            mode_with_mode(r, P, i, j);
    }
    return LMB_OK;
}

static lmb_status find_gram_of_any(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m,
                                   double *u)
{
    int size = lmb_gram_size(r->mode_count), n = m->n;
    double *v = u + BLOCK * (size_t)n, *w = v + BLOCK * (size_t)n;
    lmb_status status = LMB_OK;
    for (int c = 0, wide; c < size && !status; c += wide) {
        wide = set_columns(r, m, c, u);
        lmb_symmetric_multiply_many(&m->M, wide, u, w);
        for (int d = 0, high; d < size; d += high) {
            high = set_columns(r, m, d, v);
            cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, high, wide, n, 1, v, n, w, n, 0,
                        r->gram + (size_t)c * (size_t)size + d, size);
        }
        status = lmb_go_on(context, "invariants", (double)(c + wide) / size);
    }
    if (!status)
        status = lmb_correct_sections(r, context, m);
    lmb_dense_symmetrise(size, r->gram);
    return status;
}

lmb_status lmb_find_gram(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m)
{
    size_t size = (size_t)lmb_gram_size(r->mode_count);
    lmb_arena *room = lmb_arena_new();
    double *u = lmb_arena_numbers(room, 3 * BLOCK * (size_t)m->n + 1);
    r->gram = lmb_arena_numbers(r->arena, size * size);
    lmb_status status;
    if (!u || !r->gram)
        status = lmb_fail_memory(context);
    else if (is_isotropic(m))
        status = find_gram_of_solid(r, context, m, room, u);
    else
        status = find_gram_of_any(r, context, m, u);
    lmb_arena_free(room);
    return status;
}
