/* Geometric stiffness of a reduced body.
 *
 * Under a stress S, displacements u have the energy of second order 1/2 integral S : (D^T D), D
 * the gradient of u (fe/element.h). Stress has two sources:
 *
 *   modes    the stress of mode k, times eta_k:  B_k = 1/2-form of the modes under it
 *   spin     what centrifugal forces stress that the modes kept do not show: G_ab for each product
 *            omega_a omega_b
 *
 * The static displacement of the body under a centrifugal load f, in its frame, is
 *
 *   u = (K_ii^-1 f - sum phi_n phi_n^T f / w_n^2) + sum x_k x_k^T f / w_k^2
 *
 * with the fixed-interface modes phi_n, whose share the modes x_k in the frame contain. The modes
 * that are kept follow such a load by themselves, so the last sum is over the others only. In the
 * frame of the mass centre the load is balanced by the acceleration that it gives the body. */
#include <string.h>

#include "math/dense.h"
#include "math/small.h"
#include "math/late.h"
#include "reduction/gram.h"
#include "reduction/residual.h"

enum { SPINS = LMB_SPINS };

typedef struct work {
    lmb_reduced *r;
    lmb_context *context;
    const lmb_fe_model *m;
    const lmb_craig_bampton *basis;
    const double *X;
    const lmb_element_tables *tables;
    lmb_arena *room;
    lmb_inertia_field field[SPINS];
    double *shape; /* columns x n: displacements of the modes, then of the loads */
    int columns;   /* modes + SPINS */
} work;

/* --- loads ------------------------------------------------------------------------------------ */

/* The acceleration that a centrifugal load gives a free body. */
static vec3 relief_of(const lmb_reduced *r, int a, int b)
{
    lmb_inertia_field f = lmb_centrifugal_field(r->centre, a, b, v3(0, 0, 0));
    vec3 m = lmb_inertia_moment(&f, &r->inertia);
    const mat3 *J = &r->inertia;
    double A[9] = {J->c[0].x, J->c[0].y, J->c[0].z, J->c[1].x, J->c[1].y,
                   J->c[1].z, J->c[2].x, J->c[2].y, J->c[2].z};
    double x[3] = {m.x, m.y, m.z};
    return r->dimension == 3 && lmb_dense_solve(3, A, 1, x) ? v3(x[0], x[1], x[2]) : v3(0, 0, 0);
}

static void set_fields(work *w, lmb_body_frame frame)
{
    for (int s = 0; s < SPINS; s++) {
        int a = lmb_spin_pair[s][0], b = lmb_spin_pair[s][1];
        vec3 relief = frame == LMB_FRAME_MASS_CENTRE ? relief_of(w->r, a, b) : v3(0, 0, 0);
        w->field[s] = lmb_centrifugal_field(w->r->origin, a, b, relief);
    }
}

/* --- static displacements --------------------------------------------------------------------- */

static double stiffness_of(double hertz)
{
    double omega = 2 * LMB_PI * hertz;
    return omega * omega;
}

/* Coordinates of the basis: the modes in the frame, without the share of the fixed-interface modes
 * that the held solution has already. */
static void basis_part(const work *w, const double *f, double *y)
{
    const lmb_craig_bampton *c = w->basis;
    size_t n = (size_t)w->m->n, size = (size_t)c->size;
    double *p = y + size;
    memset(y, 0, size * sizeof *y);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)n, c->size, 1, c->U, (int)n, f, 1, 0, p, 1);
    for (size_t k = 0; k < (size_t)w->r->all_count; k++) {
        const double *x = w->X + k * size;
        double share = lmb_dot(x, p, size) / stiffness_of(w->r->all_frequency[k]);
        cblas_daxpy(c->size, share, x, 1, y, 1);
    }
    for (size_t j = (size_t)c->boundary; j < size; j++)
        y[j] -= p[j] / c->K[j * size + j];
}

/* The displacement under a load, without what the modes kept do of it. */
static void add_displacement(const work *w, const double *f, const double *held, double *y,
                             double *u)
{
    const lmb_craig_bampton *c = w->basis;
    int n = w->m->n;
    lmb_tied_expand(c->tied, held, NULL, u);
    basis_part(w, f, y);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, c->size, 1, c->U, n, y, 1, 1, u, 1);
    for (int k = 0; k < w->r->mode_count; k++) {
        const double *psi = w->shape + (size_t)k * (size_t)n;
        double share = lmb_dot(psi, f, (size_t)n) / stiffness_of(w->r->frequency[k]);
        cblas_daxpy(n, -share, psi, 1, u, 1);
    }
}

/* Columns of `shape` for the loads. */
static lmb_status solve_loads(work *w)
{
    const lmb_tied *t = w->basis->tied;
    size_t n = (size_t)w->m->n, inner = (size_t)t->inner, modes = (size_t)w->r->mode_count;
    double *f = lmb_arena_numbers(w->room, SPINS * n),
           *x = lmb_arena_numbers(w->room, SPINS * inner);
    double *y = lmb_arena_numbers(w->room, 2 * (size_t)w->basis->size);
    if (!lmb_arena_fine(w->room))
        return lmb_fail_memory(w->context);
    lmb_add_spin_loads(w->m, w->tables, w->field, f);
    for (size_t s = 0; s < SPINS; s++)
        for (size_t i = 0; i < n; i++)
            if (t->place[i] >= 0)
                x[s * inner + (size_t)t->place[i]] = f[s * n + i];
    lmb_status status = inner ? lmb_factor_solve(w->basis->factor, w->context, SPINS, x) : LMB_OK;
    for (size_t s = 0; s < SPINS && !status; s++)
        add_displacement(w, f + s * n, x + s * inner, y, w->shape + (modes + s) * n);
    return status;
}

/* --- energies of second order ----------------------------------------------------------------- */

/* Room for one element. */
typedef struct element_room {
    double *u, *load; /* columns x dofs */
    lmb_gradients at;
    double *turned; /* LMB_STRESSES x columns: stresses of a point, weighted */
    double *sum;    /* pair of modes x columns */
} element_room;

/* The parts of D_i^T D_j in the order of stresses. */
static void second_order(const double *x, const double *y, double *out)
{
    static const int of[LMB_STRESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    for (int k = 0; k < LMB_STRESSES; k++) {
        int a = of[k][0], b = of[k][1];
        out[k] = 0;
        for (int i = 0; i < 9; i += 3)
            out[k] += x[i + a] * y[i + b] + (k < 3 ? 0 : x[i + b] * y[i + a]);
    }
}

static void add_point(const work *w, element_room *room, int p)
{
    int columns = w->columns, modes = w->r->mode_count;
    const double *S = room->at.S + (long)p * columns * LMB_STRESSES;
    const double *D = room->at.D + (long)p * columns * 9;
    double *restrict T = room->turned;
    for (int c = 0; c < columns; c++)
        for (int k = 0; k < LMB_STRESSES; k++)
            T[k * columns + c] = room->at.weight[p] * S[c * LMB_STRESSES + k];
    double *restrict sum = room->sum;
    for (int i = 0; i < modes; i++)
        for (int j = 0; j <= i; j++, sum += columns) {
            double q[LMB_STRESSES];
            second_order(D + 9 * i, D + 9 * j, q);
            for (int c = 0; c < columns; c++)
                sum[c] += q[0] * T[c] + q[1] * T[columns + c] + q[2] * T[2 * columns + c] +
                          q[3] * T[3 * columns + c] + q[4] * T[4 * columns + c] +
                          q[5] * T[5 * columns + c];
        }
}

static void add_element(const work *w, element_room *room, int element)
{
    const lmb_fe_model *m = w->m;
    lmb_element_data e;
    int dof[LMB_ELEMENT_DOFS_MAX], modes = w->r->mode_count;
    lmb_element_gather(m->mesh, element, &e);
    const lmb_element_type *type = lmb_element_type_of(e.kind);
    if (!type->gradients)
        return;
    int count = lmb_element_dofs(m, element, dof);
    for (int c = 0; c < w->columns; c++)
        for (int k = 0; k < count; k++) {
            double *u = room->u + (long)c * count + k;
            *u = dof[k] < 0 ? 0 : w->shape[(size_t)c * (size_t)m->n + (size_t)dof[k]];
        }
    memset(room->load, 0, (size_t)(w->columns * count) * sizeof *room->load);
    for (int s = 0; s < SPINS && type->beam; s++)
        if (lmb_has_spin(w->r->dimension, s))
            lmb_inertia_load(w->tables, &e, &w->field[s], room->load + (long)(modes + s) * count);
    type->gradients(w->tables, &e, w->columns, room->u, room->load, &room->at);
    for (int p = 0; p < room->at.points; p++)
        add_point(w, room, p);
}

/* The sums over all elements, to their places in the body. */
static void store(const work *w, const double *sum)
{
    lmb_reduced *r = w->r;
    size_t modes = (size_t)r->mode_count, columns = (size_t)w->columns;
    for (size_t i = 0; i < modes; i++)
        for (size_t j = 0; j <= i; j++, sum += columns)
            for (size_t c = 0; c < columns; c++) {
                double *to = c < modes ? r->mode_stiffness + c * modes * modes
                                       : r->spin_stiffness + (c - modes) * modes * modes;
                to[i * modes + j] = to[j * modes + i] = sum[c];
            }
}

static lmb_status add_elements(const work *w)
{
    size_t columns = (size_t)w->columns, modes = (size_t)w->r->mode_count;
    size_t dofs = columns * LMB_ELEMENT_DOFS_MAX, points = columns * LMB_GRADIENT_POINTS_MAX;
    size_t pairs = modes * (modes + 1) / 2;
    element_room room = {.u = lmb_arena_numbers(w->room, dofs),
                         .load = lmb_arena_numbers(w->room, dofs),
                         .at = {.S = lmb_arena_numbers(w->room, points * LMB_STRESSES),
                                .D = lmb_arena_numbers(w->room, points * 9)},
                         .turned = lmb_arena_numbers(w->room, columns * LMB_STRESSES),
                         .sum = lmb_arena_numbers(w->room, pairs * columns + 1)};
    lmb_status status = lmb_check_memory(w->context, w->room);
    int count = w->m->mesh->element_count;
    for (int i = 0; i < count && !status; i++) {
        add_element(w, &room, i);
        if (i % 256 == 0)
            status = lmb_continue(w->context, "stiffening", (i + 1.0) / count);
    }
    if (!status)
        store(w, room.sum);
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

static lmb_status check(const work *w)
{
    if (!w->m->assembled)
        return lmb_fail_hint(w->context, "take its mesh, or leave 'stiffening' out",
                             "stiffening needs the elements of the body, which comes as matrices");
    if (w->r->mode_count > LMB_STIFFENED_MODES_MAX)
        return lmb_fail_hint(w->context, "keep fewer of them",
                             "a body with stiffening has at most %d modes, not %d",
                             LMB_STIFFENED_MODES_MAX, w->r->mode_count);
    return LMB_OK;
}

lmb_status lmb_find_stiffening(lmb_reduced *r, lmb_context *context, const lmb_craig_bampton *basis,
                               const double *X, lmb_body_frame frame)
{
    work w = {.r = r,
              .context = context,
              .m = basis->tied->model,
              .basis = basis,
              .X = X,
              .room = lmb_arena_new(),
              .columns = r->mode_count + SPINS};
    size_t modes = (size_t)r->mode_count, n = (size_t)w.m->n;
    lmb_status status = check(&w);
    if (!status) {
        w.tables = lmb_element_tables_new(w.room);
        w.shape = lmb_arena_numbers(w.room, (size_t)w.columns * n);
        r->spin_stiffness = lmb_arena_numbers(r->arena, SPINS * modes * modes + 1);
        r->mode_stiffness = lmb_arena_numbers(r->arena, modes * modes * modes + 1);
        if (!lmb_arena_fine(w.room) || !lmb_arena_fine(r->arena))
            status = lmb_fail_memory(context);
    }
    if (!status) {
        set_fields(&w, frame);
        for (int k = 0; k < r->mode_count; k++)
            lmb_reduced_displacements(r, w.m, k, w.shape + (size_t)k * n);
        status = solve_loads(&w);
    }
    if (!status)
        status = add_elements(&w);
    lmb_arena_free(w.room);
    return status;
}
