/* Residual displacements with one solution per rigid acceleration, patch force and product of
 * omega:
 *
 *   P = [M R, forces on patches, centrifugal loads]
 *   h_j = e_j + P A_j                 e_j: unit load on a point, or 0
 *
 * All unit loads are combinations of e_j and the columns of P. So K_ii^-1 P are the only solutions
 * with the large matrices. */
#include "reduction/residual.h"

#include <string.h>

#include "math/dense.h"
#include "math/late.h"
#include "math/small.h"

const int lmb_spin_pair[LMB_SPINS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

int lmb_spin_loads(int dimension)
{
    return dimension == 3 ? LMB_SPINS : 1;
}

int lmb_unit_loads(int dimension, int point_count, int patch_count)
{
    return point_count * lmb_interface_motions(dimension) + patch_count * dimension +
           lmb_spin_loads(dimension);
}

typedef struct work {
    lmb_reduced *r;
    lmb_context *context;
    const lmb_fe_model *m;
    const lmb_craig_bampton *basis;
    const lmb_node_share *shares; /* patches x nodes */
    lmb_arena *room;
    int rigid, columns, loads; /* rigid motions; columns of P; unit loads */
    double *P, *X;             /* n x columns: P and G K_ii^-1 P */
    double *Psi;               /* n x modes */
    double *A;                 /* columns x loads */
    double *at_points;         /* boundary x rigid: motions of the points */
    double *B, *C;             /* boundary x loads: b; modes x loads: K_m^-1 Psi^T h */
} work;

/* --- loads ------------------------------------------------------------------------------------ */

void lmb_add_spin_loads(const lmb_fe_model *m, const lmb_element_tables *tables,
                        const lmb_inertia_field fields[LMB_SPINS], double *f)
{
    double load[LMB_ELEMENT_DOFS_MAX];
    int dof[LMB_ELEMENT_DOFS_MAX];
    for (int i = 0; i < m->mesh->element_count; i++) {
        lmb_element_data e;
        lmb_element_gather(m->mesh, i, &e);
        int count = lmb_element_dofs(m, i, dof);
        for (int s = 0; s < LMB_SPINS; s++) {
            if (!lmb_has_spin(m->dimension, s))
                continue;
            lmb_inertia_load(tables, &e, &fields[s], load);
            for (int k = 0; k < count; k++)
                if (dof[k] >= 0)
                    f[(size_t)s * (size_t)m->n + (size_t)dof[k]] += load[k];
        }
    }
}

/* Compute centrifugal loads for a model without elements: the mass matrix times the nodal
 * accelerations. */
static lmb_status multiply_spins(const work *w, const lmb_inertia_field *fields, double *f)
{
    const lmb_fe_model *m = w->m;
    size_t n = (size_t)m->n;
    double *field = lmb_arena_numbers(w->room, LMB_SPINS * n + 1);
    if (!field)
        return lmb_fail_memory(w->context);
    for (size_t i = 0; i < LMB_SPINS * n; i++) {
        size_t dof = i % n;
        const lmb_inertia_field *of = &fields[i / n];
        vec3 x = v3_sub(m->x[m->node[dof]], of->origin);
        if (m->direction[dof] < LMB_RX)
            field[i] = v3_get(m3_mul(&of->gradient, x), m->direction[dof]);
    }
    lmb_symmetric_multiply_many(&m->M, LMB_SPINS, field, f);
    return LMB_OK;
}

/* Fill the columns of P for the patches: each node has its share of a unit force. */
static double *put_patches(const work *w, double *to)
{
    const lmb_fe_model *m = w->m;
    for (int k = 0; k < w->r->patch_count; k++)
        for (int d = 0; d < m->dimension; d++, to += m->n)
            for (int i = 0; i < m->n; i++) {
                const lmb_node_share *s = &w->shares[(ptrdiff_t)k * m->node_count + m->node[i]];
                int at = m->direction[i];
                to[i] = at >= LMB_RX ? v3_get(v3_cross(s->lean, v3_axis(d)), at - LMB_RX)
                                     : s->part * (at == d);
            }
    return to;
}

/* Fill the columns of P for the products of omega. Mixed products count twice. */
static lmb_status add_spins(work *w, double *to)
{
    size_t n = (size_t)w->m->n;
    lmb_inertia_field fields[LMB_SPINS];
    for (int s = 0; s < LMB_SPINS; s++)
        fields[s] = lmb_centrifugal_field(w->r->centre, lmb_spin_pair[s][0], lmb_spin_pair[s][1],
                                          v3(0, 0, 0));
    double *f = lmb_arena_numbers(w->room, LMB_SPINS * n + 1);
    const lmb_element_tables *tables = w->m->assembled ? lmb_element_tables_new(w->room) : NULL;
    lmb_status status = lmb_check_memory(w->context, w->room);
    if (!status && tables)
        lmb_add_spin_loads(w->m, tables, fields, f);
    else if (!status)
        status = multiply_spins(w, fields, f);
    for (int s = 0; s < LMB_SPINS && !status; s++) {
        if (!lmb_has_spin(w->m->dimension, s))
            continue;
        cblas_daxpy((int)n, s < 3 ? 1 : 2, f + (size_t)s * n, 1, to, 1);
        to += n;
    }
    return status;
}

/* Fill P and A such that all h_j are balanced: A = -(R^T M R)^-1 R^T f_j in the rows of M R. */
static lmb_status set_loads(work *w)
{
    const lmb_tied *t = w->basis->tied;
    int n = w->m->n, rigid = w->rigid, columns = w->columns;
    double *R = lmb_arena_numbers(w->room, (size_t)n * (size_t)rigid + 1);
    double mass[36];
    double *sum = lmb_arena_numbers(w->room, (size_t)rigid * (size_t)(columns - rigid) + 1);
    double *c = lmb_arena_numbers(w->room, (size_t)(rigid * w->loads));
    lmb_status status = lmb_check_memory(w->context, w->room);
    if (status)
        return status;
    for (int k = 0; k < rigid; k++)
        lmb_rigid_motion(w->m, lmb_interface_direction(w->m->dimension, k), w->r->centre,
                         R + (size_t)k * (size_t)n);
    lmb_symmetric_multiply_many(&w->m->M, rigid, R, w->P);
    if ((status = add_spins(w, put_patches(w, w->P + (size_t)rigid * (size_t)n))))
        return status;
    lmb_rigid_motions_of(t->points, t->point_count, w->m->dimension, w->r->centre,
                         (size_t)t->boundary, w->at_points);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rigid, rigid, n, 1, R, n, w->P, n, 0, mass,
                rigid);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rigid, columns - rigid, n, 1, R, n,
                w->P + (size_t)rigid * (size_t)n, n, 0, sum, rigid);
    for (int j = 0; j < w->loads; j++)
        for (int k = 0; k < rigid; k++)
            c[j * rigid + k] = j < t->boundary ? w->at_points[k * t->boundary + j]
                                               : sum[(j - t->boundary) * rigid + k];
    if (!lmb_dense_solve(rigid, mass, w->loads, c))
        w->loads = 0; /* an axis without inertia: no torque about it can be balanced */
    for (int j = 0; j < w->loads; j++) {
        for (int k = 0; k < rigid; k++)
            w->A[j * columns + k] = -c[j * rigid + k];
        if (j >= t->boundary)
            w->A[j * columns + rigid + j - t->boundary] = 1;
    }
    return LMB_OK;
}

/* --- static displacements --------------------------------------------------------------------- */

/* Compute X = G K_ii^-1 P. */
static lmb_status solve_held(work *w)
{
    const lmb_tied *t = w->basis->tied;
    size_t n = (size_t)w->m->n, inner = (size_t)t->inner;
    double *x = lmb_arena_numbers(w->room, inner * (size_t)w->columns + 1);
    if (!x)
        return lmb_fail_memory(w->context);
    for (size_t k = 0; k < (size_t)w->columns; k++)
        for (size_t i = 0; i < n; i++)
            if (t->place[i] >= 0)
                x[k * inner + (size_t)t->place[i]] = w->P[k * n + i];
    lmb_status status =
        inner ? lmb_factor_solve(w->basis->factor, w->context, w->columns, x) : LMB_OK;
    for (size_t k = 0; k < (size_t)w->columns && !status; k++)
        lmb_tied_expand(t, x + k * inner, NULL, w->X + k * n);
    return status;
}

/* Solve K_cc b = h in place. K_cc is scaled to a unit diagonal. Its null space, the rigid motions,
 * gets an artificial stiffness. A single point has only rigid motions. */
static lmb_status solve_points(const work *w, double *h)
{
    const lmb_craig_bampton *c = w->basis;
    size_t nb = (size_t)c->boundary;
    double *K = lmb_arena_numbers(w->room, nb * nb + 1),
           *scale = lmb_arena_numbers(w->room, nb + 1);
    double *v = lmb_arena_numbers(w->room, nb + 1);
    if (!lmb_arena_fine(w->room))
        return lmb_fail_memory(w->context);
    bool alone = c->tied->point_count == 1;
    for (size_t i = 0; i < nb; i++) {
        double k = c->K[i * (size_t)c->size + i];
        scale[i] = !alone && k > 0 ? 1 / sqrt(k) : 1;
    }
    for (size_t j = 0; j < nb && !alone; j++)
        for (size_t i = 0; i < nb; i++)
            K[j * nb + i] = scale[i] * scale[j] * c->K[j * (size_t)c->size + i];
    for (int k = 0; k < w->rigid; k++) {
        for (size_t i = 0; i < nb; i++)
            v[i] = w->at_points[(size_t)k * nb + i] / scale[i];
        double square = lmb_dot(v, v, nb);
        for (size_t j = 0; j < nb; j++)
            cblas_daxpy((int)nb, v[j] / square, v, 1, K + j * nb, 1);
    }
    for (size_t i = 0; i < nb * (size_t)w->loads; i++)
        h[i] *= scale[i % nb];
    if (!lmb_dense_solve((int)nb, K, w->loads, h))
        return lmb_fail_hint(w->context, "are two interface points the same?",
                             "the interface points of the body have no stiffness between them");
    for (size_t i = 0; i < nb * (size_t)w->loads; i++)
        h[i] *= scale[i % nb];
    return LMB_OK;
}

/* Add Q^T P A, the work of P A_j on the motions Q (n x count), to out (count x loads). */
static lmb_status add_work(const work *w, int count, const double *Q, double *out)
{
    int n = w->m->n, columns = w->columns;
    double *QP = lmb_arena_numbers(w->room, (size_t)count * (size_t)columns + 1);
    if (!QP)
        return lmb_fail_memory(w->context);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, columns, n, 1, Q, n, w->P, n, 0, QP,
                count);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count, w->loads, columns, 1, QP, count,
                w->A, columns, 1, out, count);
    return LMB_OK;
}

/* Compute B, and add the work of h_j on the motions of the points, B_j, to the energy. */
static lmb_status find_points(work *w, double *energy)
{
    int nb = w->basis->boundary;
    size_t size = (size_t)nb * (size_t)w->loads;
    for (int j = 0; j < nb; j++)
        w->B[j * nb + j] = 1;
    lmb_status status = add_work(w, nb, w->basis->U, w->B);
    double *h = lmb_arena_grow(w->room, w->B, size, size + 1, sizeof *h);
    if (!status && !h)
        status = lmb_fail_memory(w->context);
    if (status || (status = solve_points(w, w->B)))
        return status;
    for (int j = 0; j < w->loads; j++)
        energy[j] += lmb_dot(h + (size_t)(j * nb), w->B + (size_t)(j * nb), (size_t)nb);
    return LMB_OK;
}

/* Compute C and the energy that the modes represent. */
static lmb_status find_modal(work *w, double *energy)
{
    const lmb_reduced *r = w->r;
    int modes = r->mode_count, motions = w->basis->tied->motions;
    size_t size = (size_t)modes * (size_t)w->loads, square = (size_t)modes * (size_t)modes;
    for (int j = 0; j < w->basis->boundary; j++) {
        int d = lmb_interface_direction(w->m->dimension, j % motions);
        memcpy(w->C + (size_t)j * (size_t)modes,
               r->point_shape + (size_t)(j / motions * LMB_DIRECTIONS + d) * (size_t)modes,
               (size_t)modes * sizeof *w->C);
    }
    lmb_status status = add_work(w, modes, w->Psi, w->C);
    double *h = lmb_arena_grow(w->room, w->C, size, size + 1, sizeof *h);
    double *K = lmb_arena_grow(w->room, r->K, square, square + 1, sizeof *K);
    if (!status && (!h || !K))
        status = lmb_fail_memory(w->context);
    if (!status && !lmb_dense_solve(modes, K, w->loads, w->C))
        status = lmb_fail(w->context, LMB_BAD_INPUT, "a mode of the reduced body has no stiffness");
    for (int j = 0; j < w->loads && !status; j++)
        energy[j] = lmb_dot(h + (size_t)(j * modes), w->C + (size_t)(j * modes), (size_t)modes);
    return status;
}

/* Add the work of h_j on X A_j to the energy. */
static lmb_status add_held_energy(const work *w, double *energy)
{
    int columns = w->columns;
    size_t size = (size_t)columns * (size_t)columns;
    double *F = lmb_arena_numbers(w->room, size), *y = lmb_arena_numbers(w->room, (size_t)columns);
    if (!F || !y)
        return lmb_fail_memory(w->context);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, columns, columns, w->m->n, 1, w->P,
                w->m->n, w->X, w->m->n, 0, F, columns);
    for (int j = 0; j < w->loads; j++) {
        const double *a = w->A + (size_t)j * (size_t)columns;
        cblas_dgemv(CblasColMajor, CblasNoTrans, columns, columns, 1, F, columns, a, 1, 0, y, 1);
        energy[j] += lmb_dot(a, y, (size_t)columns);
    }
    return LMB_OK;
}

/* Compute residual = X A + Phi_c B - Psi C. */
static void combine(work *w)
{
    int n = w->m->n;
    const struct {
        const double *columns, *factors;
        int count, sign;
    } parts[] = {{w->X, w->A, w->columns, 1},
                 {w->basis->U, w->B, w->basis->boundary, 1},
                 {w->Psi, w->C, w->r->mode_count, -1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, w->loads, parts[i].count,
                    parts[i].sign, parts[i].columns, n, parts[i].factors, parts[i].count, 1,
                    w->r->residual, n);
}

/* Compute the share of the flexibility that the modes represent in each direction of a point. */
static void set_flexibility(const work *w, const double *kept, const double *all)
{
    int motions = w->basis->tied->motions;
    for (int j = 0; j < w->basis->boundary; j++) {
        int d = lmb_interface_direction(w->m->dimension, j % motions);
        w->r->flexibility[j / motions * LMB_DIRECTIONS + d] = all[j] > 0 ? kept[j] / all[j] : 1;
    }
}

static lmb_status allocate(work *w)
{
    lmb_reduced *r = w->r;
    size_t n = (size_t)w->m->n, columns = (size_t)w->columns, loads = (size_t)w->loads;
    size_t modes = (size_t)r->mode_count, nb = (size_t)w->basis->boundary;
    w->P = lmb_arena_numbers(w->room, n * columns);
    w->X = lmb_arena_numbers(w->room, n * columns);
    w->Psi = lmb_arena_numbers(w->room, n * modes);
    w->A = lmb_arena_numbers(w->room, columns * loads);
    w->at_points = lmb_arena_numbers(w->room, nb * (size_t)w->rigid);
    w->B = lmb_arena_numbers(w->room, nb * loads);
    w->C = lmb_arena_numbers(w->room, modes * loads);
    r->residual = lmb_arena_numbers(r->arena, n * loads);
    r->flexibility = lmb_arena_numbers(r->arena, LMB_DIRECTIONS * (size_t)r->point_count);
    r->load_count = w->loads;
    lmb_status status = lmb_check_memory(w->context, w->room);
    return status ? status : lmb_check_memory(w->context, r->arena);
}

static lmb_status find(work *w)
{
    lmb_status status = allocate(w);
    double *kept = lmb_arena_numbers(w->room, (size_t)w->loads);
    double *all = lmb_arena_numbers(w->room, (size_t)w->loads);
    if (!status)
        status = lmb_check_memory(w->context, w->room);
    if (status)
        return status;
    for (int k = 0; k < w->r->mode_count; k++)
        lmb_reduced_displacements(w->r, w->m, k, w->Psi + (size_t)k * (size_t)w->m->n);
    if ((status = set_loads(w)))
        return status;
    if (w->loads == 0) {
        w->r->load_count = 0;
        w->r->residual = w->r->flexibility = NULL;
        return LMB_OK;
    }
    if ((status = solve_held(w)) || (status = find_points(w, all)) ||
        (status = add_held_energy(w, all)) || (status = find_modal(w, kept)))
        return status;
    combine(w);
    set_flexibility(w, kept, all);
    return LMB_OK;
}

lmb_status lmb_find_residual(lmb_reduced *r, lmb_context *context, const lmb_craig_bampton *basis,
                             const lmb_reduction *options)
{
    const lmb_fe_model *m = basis->tied->model;
    int rigid = lmb_interface_motions(m->dimension);
    work w = {.r = r,
              .context = context,
              .m = m,
              .basis = basis,
              .room = lmb_arena_new(),
              .rigid = rigid,
              .shares = options->shares,
              .columns = rigid + lmb_unit_loads(m->dimension, 0, options->patch_count),
              .loads = lmb_unit_loads(m->dimension, r->point_count, options->patch_count)};
    r->patch_count = options->patch_count;
    lmb_status status = w.room ? find(&w) : lmb_fail_memory(context);
    lmb_arena_free(w.room);
    return status;
}
