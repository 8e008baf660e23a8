/* The invariants of a reduced body: products of its columns through the mass matrix.
 *
 * In general G = B^T M B with all columns B, some of them at a time; solids have a faster way. */
#include "reduction/gram.h"

#include "math/dense.h"
#include "reduction/interface.h"
#include "math/late.h"

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
 * follow from the sums c = sum f_i (x) w_j over nodes (3 x 3), w_j = M f_j, of the fields f: the
 * positions of the nodes, whose turned columns e x f are the rotations, and the shapes of the
 * modes. Translations need the sums of w_j alone. */

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

/* A field at the nodes, three numbers each: the positions for 0, then the modes. */
static const double *field(const lmb_reduced *r, int f)
{
    return f == 0 ? &r->x[0].x : r->shape + 3 * (size_t)(f - 1) * (size_t)r->node_count;
}

/* The column of a field turned about an axis. */
static int turned_column(const lmb_reduced *r, int f, int a)
{
    return f == 0 ? lmb_gram_rotation(a) : lmb_gram_turned_mode(r->mode_count, f - 1, a);
}

/* P[3 j + b][3 i + a] = sum over nodes of the component a of field i and b of w_j, by products of
 * matrices of some nodes, in which components stand apart. */
static void multiply_fields(const lmb_reduced *r, const double *w, double *room, double *P)
{
    int size = 3 * (1 + r->mode_count), nodes = r->node_count;
    double *a = room, *b = room + (size_t)size * CHUNK;
    for (int first = 0; first < nodes; first += CHUNK) {
        int count = nodes - first < CHUNK ? nodes - first : CHUNK;
        for (int s = 0; s < size; s++) {
            const double *f = field(r, s / 3) + 3 * first + s % 3;
            const double *wf = w + 3 * ((size_t)(s / 3) * (size_t)nodes + (size_t)first) + s % 3;
            double *to_a = a + (size_t)s * CHUNK, *to_b = b + (size_t)s * CHUNK;
            for (int k = 0; k < count; k++) {
                to_a[k] = f[3 * k];
                to_b[k] = wf[3 * k];
            }
        }
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, size, size, count, 1, a, CHUNK, b,
                    CHUNK, first > 0, P, size);
    }
}

static void set_pair(lmb_reduced *r, int i, int j, double value)
{
    size_t size = (size_t)lmb_gram_size(r->mode_count);
    r->gram[(size_t)j * size + (size_t)i] = r->gram[(size_t)i * size + (size_t)j] = value;
}

/* Products of the translations with a field and its turned columns, from w of the field. */
static void translations_with(lmb_reduced *r, const double *w, int j)
{
    vec3 force = v3(0, 0, 0);
    for (int k = 0; k < r->node_count; k++)
        force = v3_add(force, v3(w[3 * k], w[3 * k + 1], w[3 * k + 2]));
    for (int a = 0; a < 3; a++) {
        if (j > 0)
            set_pair(r, lmb_gram_translation(a), lmb_gram_mode(j - 1), v3_get(force, a));
        for (int b = 0; b < 3; b++)
            set_pair(r, lmb_gram_translation(a), turned_column(r, j, b),
                     v3_get(v3_cross(v3_axis(b), force), a));
    }
}

/* Products of a field and its turned columns with those of another, from P of all. */
static void field_with_field(lmb_reduced *r, const double *P, int i, int j)
{
    double c[3][3]; /* sum over nodes of components of f_i and w_j */
    size_t size = 3 * (1 + (size_t)r->mode_count);
    for (int k = 0; k < 9; k++)
        c[k / 3][k % 3] = P[(size_t)(3 * j + k % 3) * size + (size_t)(3 * i + k / 3)];
    double trace = c[0][0] + c[1][1] + c[2][2];
    const double cross[3] = {c[1][2] - c[2][1], c[2][0] - c[0][2], c[0][1] - c[1][0]};
    if (i > 0)
        set_pair(r, lmb_gram_mode(i - 1), lmb_gram_mode(j - 1), trace);
    for (int a = 0; a < 3; a++) {
        if (j > 0) /* (e_a x f_i) . w_j */
            set_pair(r, turned_column(r, i, a), lmb_gram_mode(j - 1), cross[a]);
        if (i > 0) /* f_i . (e_a x w_j) */
            set_pair(r, lmb_gram_mode(i - 1), turned_column(r, j, a), -cross[a]);
        for (int b = 0; b < 3; b++) /* (e_a x f) . (e_b x w) = d_ab f.w - f_b w_a */
            set_pair(r, turned_column(r, i, a), turned_column(r, j, b),
                     (a == b ? trace : 0) - c[b][a]);
    }
}

/* w of all fields at the nodes, three numbers each; u has room for two blocks. */
static lmb_status weigh(const lmb_reduced *r, lmb_context *context, const lmb_fe_model *m,
                        double *u, double *w)
{
    size_t n = (size_t)m->n;
    double *v = u + BLOCK * n;
    int fields = 1 + r->mode_count;
    lmb_status status = LMB_OK;
    for (int first = 0; first < fields && !status; first += BLOCK) {
        int count = fields - first < BLOCK ? fields - first : BLOCK;
        for (int j = 0; j < count; j++)
            for (size_t i = 0; i < n; i++)
                u[(size_t)j * n + i] = field(r, first + j)[3 * m->node[i] + m->direction[i]];
        lmb_symmetric_multiply_many(&m->M, count, u, v);
        for (int j = 0; j < count; j++) {
            double *to = w + 3 * (size_t)(first + j) * (size_t)r->node_count;
            for (size_t i = 0; i < n; i++)
                to[3 * m->node[i] + m->direction[i]] = v[(size_t)j * n + i];
        }
        status = lmb_continue(context, "invariants", (double)(first + count) / fields);
    }
    return status;
}

static lmb_status find_gram_of_solid(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m,
                                     lmb_arena *room, double *u)
{
    size_t wide = 3 * (1 + (size_t)r->mode_count);
    double *w = lmb_arena_numbers(room, wide * (size_t)r->node_count);
    double *P = lmb_arena_numbers(room, wide * wide + 2 * wide * CHUNK);
    lmb_status status = lmb_check_memory(context, room);
    if (status || (status = lmb_continue(context, "invariants", 0)) ||
        (status = weigh(r, context, m, u, w)))
        return status;
    multiply_fields(r, w, P + wide * wide, P);
    for (int a = 0; a < 3; a++)
        set_pair(r, lmb_gram_translation(a), lmb_gram_translation(a), r->mass);
    for (int j = 0; j <= r->mode_count; j++) {
        translations_with(r, w + 3 * (size_t)j * (size_t)r->node_count, j);
        for (int i = 0; i <= j; i++)
            field_with_field(r, P, i, j);
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
        status = lmb_continue(context, "invariants", (double)(c + wide) / size);
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
