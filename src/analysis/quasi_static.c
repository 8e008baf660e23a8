/* The quasi-static shape by Newton's method in the free directions.
 *
 * With the null space N of Phi_q split into elastic directions N_e, in which the free coordinates c
 * of the rigid motion do not move, and N_r, c_q N_r = 1, the accelerations without vibration are
 *
 *   a = a0 + A c'',   E a = 0 as nearly as joints allow   (E: the elastic coordinates)
 *
 * and a step q (+) N_e y solves, with the exact tangent K of M a + Phi_q^T lambda - Q at fixed v,
 * a,
 *
 *   [ N_e  N_r ]^T ( K N_e y + M A c'' ) = [ N_e  N_r ]^T (Q - M a0)
 *
 * At rest it is N_e^T K N_e y = N_e^T Q. v and a then follow the new position; they depend on it by
 * little more than (rigid speed / lowest natural frequency)^2, the rate of convergence. */
#include "analysis/quasi_static.h"

#include <string.h>

#include "math/dense.h"
#include "system/extended.h"
#include "math/late.h"
#include "system/first_order.h"

static const lmb_model *model_of(const lmb_quasi_static *f)
{
    return f->solver->state->model;
}

static double *column_of(const lmb_quasi_static *f, double *matrix, int k)
{
    return matrix + (size_t)k * (size_t)model_of(f)->nv;
}

/* --- the free coordinates of the rigid motion ------------------------------------------------- */

/* The gradient of a held coordinate over v. */
static void gradient(const lmb_state *s, const lmb_held *h, double *row)
{
    lmb_given_gradient(s, &(lmb_given){.column = h->column, .coordinate = h->coordinate}, row);
}

/* Adds the part of a row that is outside those so far to an orthonormal basis, as far as rigid
 * coordinates go; false if there is next to none. */
static bool extend(const lmb_solver *s, double *basis, int *count, const double *row)
{
    const double negligible = 1e-8; /* as where ranks are found */
    int n = s->state->model->nv;
    double *own = basis + (size_t)*count * (size_t)n;
    for (int j = 0; j < n; j++)
        own[j] = s->modal[j] ? 0 : row[j] / s->state->model->columns[j].size;
    double size = cblas_dnrm2(n, own, 1);
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int k = 0; k < *count; k++) {
            const double *other = basis + (size_t)k * (size_t)n;
            cblas_daxpy(n, -cblas_ddot(n, own, 1, other, 1), other, 1, own, 1);
        }
    double left = cblas_dnrm2(n, own, 1);
    if (!(left > negligible * size))
        return false;
    cblas_dscal(n, 1 / left, own, 1);
    ++*count;
    return true;
}

/* Takes a coordinate if neither the joints and drivers nor those taken before determine it. */
static void consider(lmb_quasi_static *f, double *basis, int *rank, int coordinate, int column)
{
    lmb_held h = {.coordinate = coordinate, .column = column};
    gradient(f->solver->state, &h, f->x);
    if (extend(f->solver, basis, rank, f->x))
        f->held[f->held_count++] = h;
}

/* Coordinates of joints first, in the order of the file, then those of bodies. */
static void choose_held(lmb_quasi_static *f)
{
    const lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    double *basis = f->stack;
    int rank = 0, rigid = m->nv - m->mode_count;
    for (int r = 0; r < m->nrows && rank < rigid; r++) {
        memset(f->x, 0, (size_t)m->nv * sizeof(double));
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            memcpy(f->x + b->v, s->jacobian + b->value, (size_t)b->nv * sizeof(double));
        }
        extend(f->solver, basis, &rank, f->x);
    }
    for (int i = 0; i < m->joint_count; i++) {
        const lmb_joint *joint = &m->joints[i];
        bool acts = joint->row_count > 0 && !s->row_off[joint->row];
        for (int k = 0; acts && k < joint->coordinate_count && rank < rigid; k++)
            consider(f, basis, &rank, joint->coordinate + k, -1);
    }
    for (int j = 0; j < m->nv && rank < rigid; j++)
        if (!f->solver->modal[j])
            consider(f, basis, &rank, -1, j);
}

/* What a held coordinate has yet to move by; columns have their displacement from q_given in y. */
static double value_left(const lmb_quasi_static *f, const lmb_held *h)
{
    const lmb_state *s = f->solver->state;
    if (h->coordinate >= 0)
        return h->given.f - lmb_coordinate_value(s, &s->model->parts.coordinates[h->coordinate]).f;
    return -f->y[h->column];
}

/* --- directions ------------------------------------------------------------------------------- */

/* N_e: the null space of Phi_q and c_q together, both scaled. */
static lmb_status elastic_directions(lmb_quasi_static *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = model_of(f);
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows, all = rows + (size_t)f->held_count;
    double *root = f->scaled + rows * n;
    lmb_scaled_jacobian(s, f->scaled, root);
    for (size_t j = 0; j < n; j++)
        memcpy(f->stack + j * all, f->scaled + j * rows, rows * sizeof(double));
    for (int k = 0; k < f->held_count; k++) {
        const double *H = column_of(f, f->H, k);
        double size = 0;
        for (size_t j = 0; j < n; j++)
            size = hypot(size, H[j] * root[j]);
        for (size_t j = 0; j < n; j++)
            f->stack[j * all + rows + (size_t)k] = H[j] * root[j] / size;
    }
    f->elastic = lmb_dense_null_space((int)all, m->nv, f->stack, 1e-9, f->B);
    for (int k = 0; k < f->elastic; k++)
        for (size_t j = 0; j < n; j++)
            f->B[(size_t)k * n + j] *= root[j];
    return f->elastic < 0 ? lmb_fail_memory(s->context) : LMB_OK;
}

/* N_r = N (H N)^T (H N (H N)^T)^-1, which is orthogonal to N_e in the metric; false where the held
 * coordinates are not free any more. */
static bool rigid_directions(lmb_quasi_static *f)
{
    int n = model_of(f)->nv, held = f->held_count, free = f->linear->free;
    double *HN = f->scaled, *square = f->matrix, *N = f->linear->N;
    if (f->elastic + held != free)
        return false;
    if (held == 0)
        return true;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, held, free, n, 1, f->H, n, N, n, 0, HN,
                held);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, held, held, free, 1, HN, held, HN, held, 0,
                square, held);
    if (!lmb_dense_solve(held, square, free, HN))
        return false;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, held, free, 1, N, n, HN, held, 0,
                column_of(f, f->B, f->elastic), n);
    return true;
}

/* Takes the elastic part out of x as far as N_e can: x -= N_e gram^-1 N_e^T E W x. */
static void remove_elastic(lmb_quasi_static *f, double *x)
{
    const lmb_model *m = model_of(f);
    double *right = f->right, *square = f->matrix;
    for (int k = 0; k < f->elastic; k++) {
        const double *e = column_of(f, f->B, k);
        right[k] = 0;
        for (int j = 0; j < m->nv; j++)
            if (f->solver->modal[j])
                right[k] += e[j] * x[j] * m->columns[j].size * m->columns[j].size;
    }
    memcpy(square, f->gram, (size_t)(f->elastic * f->elastic) * sizeof *square);
    lmb_dense_solve(f->elastic, square, 1, right); /* regular: see elastic_directions */
    for (int k = 0; k < f->elastic; k++)
        cblas_daxpy(m->nv, -right[k], column_of(f, f->B, k), 1, x, 1);
}

static void find_gram(lmb_quasi_static *f)
{
    const lmb_model *m = model_of(f);
    for (int k = 0; k < f->elastic; k++)
        for (int l = 0; l < f->elastic; l++) {
            const double *a = column_of(f, f->B, k), *b = column_of(f, f->B, l);
            double sum = 0;
            for (int j = 0; j < m->nv; j++)
                if (f->solver->modal[j])
                    sum += a[j] * b[j] * m->columns[j].size * m->columns[j].size;
            f->gram[k * f->elastic + l] = sum;
        }
}

static lmb_status find_directions(lmb_quasi_static *f, bool *found)
{
    lmb_solver *s = f->solver;
    lmb_jacobian(s->state);
    for (int k = 0; k < f->held_count; k++)
        gradient(s->state, &f->held[k], column_of(f, f->H, k));
    lmb_status status = elastic_directions(f);
    f->linear->free = f->elastic;
    if (!status && f->held_count > 0) /* else N is N_e */
        status = lmb_null_space(f->linear, s);
    if (status)
        return status;
    *found = rigid_directions(f);
    find_gram(f);
    return LMB_OK;
}

/* --- velocities and accelerations ------------------------------------------------------------- */

/* Phi_q v = nu, c_q v = c', and the elastic rates that are given. */
static void find_velocity(lmb_quasi_static *f)
{
    lmb_solver *s = f->solver;
    int n = model_of(f)->nv;
    double *v = s->state->v;
    lmb_solver_factor(s);
    lmb_correct_velocity(s);
    for (int k = 0; k < f->held_count; k++)
        f->right[k] = f->held[k].given.d - cblas_ddot(n, column_of(f, f->H, k), 1, v, 1);
    for (int k = 0; k < f->held_count; k++) /* c_q N_r = 1 */
        cblas_daxpy(n, f->right[k], column_of(f, f->B, f->elastic + k), 1, v, 1);
    for (int j = 0; j < n; j++)
        f->x[j] = v[j] - f->shape_rate[j];
    memcpy(f->y, f->x, (size_t)n * sizeof(double));
    remove_elastic(f, f->x);
    for (int j = 0; j < n; j++)
        v[j] += f->x[j] - f->y[j];
    lmb_update_velocity(s->state);
}

/* a0 in the state, and the columns of A. */
static void find_accelerations(lmb_quasi_static *f)
{
    lmb_solver *s = f->solver;
    size_t n = (size_t)model_of(f)->nv;
    lmb_solve_acceleration(s);
    remove_elastic(f, s->state->a);
    for (int k = 0; k < f->held_count; k++) {
        double *A = column_of(f, f->A, k);
        memcpy(A, column_of(f, f->B, f->elastic + k), n * sizeof *A);
        remove_elastic(f, A);
    }
}

/* s->force = Q - M a, without what holds free coordinates at rest; lambda balances it. */
static void find_reactions(lmb_quasi_static *f)
{
    lmb_solver *s = f->solver;
    int n = model_of(f)->nv;
    lmb_total_force(s->state, s->force);
    lmb_mass_times(s->state, s->state->a, f->x);
    cblas_daxpy(n, -1, f->x, 1, s->force, 1);
    memcpy(f->x, s->force, (size_t)n * sizeof(double));
    for (int k = 0; f->at_rest && k < f->held_count; k++) {
        double mu = cblas_ddot(n, column_of(f, f->B, f->elastic + k), 1, s->force, 1);
        cblas_daxpy(n, -mu, column_of(f, f->H, k), 1, f->x, 1);
    }
    lmb_saddle_solve(s->saddle, f->x, NULL, s->step, s->state->lambda);
}

/* What follows from the present position: velocities, and accelerations without c''. False: a
 * first-order state has no value at which it rests. */
static bool follow_position(lmb_quasi_static *f)
{
    lmb_state *s = f->solver->state;
    size_t n = (size_t)s->model->nv;
    if (f->at_rest) {
        memset(s->v, 0, n * sizeof(double));
        memset(s->a, 0, n * sizeof(double));
        lmb_update_velocity(s);
        lmb_solver_factor(f->solver);
    } else {
        find_velocity(f);
        find_accelerations(f);
    }
    return lmb_first_order_settle(s, 0, NULL);
}

/* Adds the accelerations of the last c''. */
static void accelerate_held(lmb_quasi_static *f)
{
    for (int k = 0; k < f->held_count && !f->at_rest; k++)
        cblas_daxpy(model_of(f)->nv, f->alpha[k], column_of(f, f->A, k), 1, f->solver->state->a, 1);
}

/* --- Newton's method -------------------------------------------------------------------------- */

/* Solves for y (in right) and c'' from Q - M a0 (in y). False: the matrix is singular. */
static bool solve_step(lmb_quasi_static *f)
{
    lmb_solver *s = f->solver;
    int n = model_of(f)->nv, e = f->elastic, held = f->at_rest ? 0 : f->held_count, size = e + held;
    double *by_q = f->linear->full, *by_v = by_q + (size_t)n * (size_t)n;
    lmb_mass_times(s->state, s->state->a, f->y);
    accelerate_held(f);
    find_reactions(f);
    lmb_total_force(s->state, s->force); /* friction needs the reactions */
    cblas_daxpby(n, 1, s->force, 1, -1, f->y, 1);
    lmb_tangent(s->state, by_q, by_v);
    for (int k = 0; k < size; k++) {
        if (k < e)
            cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, by_q, n, column_of(f, f->B, k), 1, 0,
                        f->x, 1);
        else
            lmb_mass_times(s->state, column_of(f, f->A, k - e), f->x);
        for (int i = 0; i < size; i++)
            f->matrix[k * size + i] = cblas_ddot(n, column_of(f, f->B, i), 1, f->x, 1);
    }
    for (int i = 0; i < size; i++)
        f->right[i] = cblas_ddot(n, column_of(f, f->B, i), 1, f->y, 1);
    if (!lmb_dense_solve(size, f->matrix, 1, f->right))
        return false;
    memcpy(f->alpha, f->right + e, (size_t)held * sizeof *f->alpha);
    return true;
}

/* The step q (+) N_e y + N_r (c - c(q)), joints closed again. Its size, NaN if they do not close.
 */
static double move(lmb_quasi_static *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = model_of(f);
    lmb_difference(m, f->q_given, s->state->q, f->y);
    memset(f->x, 0, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < f->elastic; k++)
        cblas_daxpy(m->nv, f->right[k], column_of(f, f->B, k), 1, f->x, 1);
    for (int k = 0; k < f->held_count; k++)
        cblas_daxpy(m->nv, value_left(f, &f->held[k]), column_of(f, f->B, f->elastic + k), 1, f->x,
                    1);
    lmb_retract(s->state, s->state->q, f->x);
    bool closed = lmb_solve_position(s);
    lmb_follow_turns(s->state);
    return closed ? lmb_step_size(s, f->x) : NAN;
}

lmb_status lmb_quasi_static_solve(lmb_quasi_static *f, bool *found)
{
    enum { MOST_STEPS = 60 };
    lmb_solver *s = f->solver;
    double before = INFINITY, L = model_of(f)->length;
    *found = false;
    if (!lmb_solve_position(s))
        return LMB_OK;
    for (int i = 0, done = false; i < MOST_STEPS; i++) {
        bool regular;
        lmb_status status = find_directions(f, &regular);
        if (status || !regular || !follow_position(f))
            return status;
        if (done) {
            accelerate_held(f);
            find_reactions(f);
            *found = true;
            return LMB_OK;
        }
        double size = solve_step(f) ? move(f) : NAN;
        lmb_log_iteration(s, i + 1, 0, 0, size);
        if (!(size < L))
            return LMB_OK;
        /* to rounding, or as good as rounding allows */
        done = size <= 1e-14 * L || (size <= 1e-10 * L && size > before / 2);
        before = size;
    }
    return LMB_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

static lmb_status allocate(lmb_quasi_static *f)
{
    const lmb_model *m = model_of(f);
    size_t n = (size_t)m->nv, square = n * n, tall = ((size_t)m->nrows + n + 1) * n;
    double **const matrices[] = {&f->H, &f->B, &f->gram, &f->A, &f->matrix};
    double **const vectors[] = {&f->alpha, &f->right, &f->x, &f->y, &f->shape_rate};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        *matrices[i] = lmb_arena_numbers(f->arena, square);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = lmb_arena_numbers(f->arena, n);
    f->stack = lmb_arena_numbers(f->arena, tall);
    f->scaled = lmb_arena_numbers(f->arena, tall);
    f->q_given = lmb_arena_numbers(f->arena, m->nq);
    f->held = lmb_arena_alloc(f->arena, n, sizeof *f->held);
    lmb_status status = lmb_check_memory(f->solver->context, f->arena);
    return status ? status : lmb_linear_model_new(&f->linear, f->solver->context, m);
}

/* Takes the present motion of the free coordinates as given. */
static void give_present(lmb_quasi_static *f)
{
    const lmb_state *s = f->solver->state;
    memcpy(f->q_given, s->q, (size_t)s->model->nq * sizeof(double));
    for (int k = 0; k < f->held_count; k++) {
        lmb_held *h = &f->held[k];
        h->given = h->coordinate >= 0
                       ? lmb_coordinate_value(s, &s->model->parts.coordinates[h->coordinate])
                       : (lmb_jet){.d = s->v[h->column]};
    }
}

lmb_status lmb_quasi_static_new(lmb_quasi_static **out, lmb_solver *solver, bool at_rest)
{
    lmb_arena *arena;
    lmb_quasi_static *f = lmb_arena_object(&arena, sizeof *f);
    *out = NULL;
    if (!f)
        return lmb_fail_memory(solver->context);
    f->arena = arena;
    f->solver = solver;
    f->at_rest = at_rest;
    lmb_status status = allocate(f);
    if (status) {
        lmb_quasi_static_free(f);
        return status;
    }
    lmb_update_position(solver->state);
    lmb_update_velocity(solver->state);
    lmb_jacobian(solver->state);
    choose_held(f);
    give_present(f);
    *out = f;
    return LMB_OK;
}

void lmb_quasi_static_free(lmb_quasi_static *f)
{
    if (!f)
        return;
    lmb_linear_model_free(f->linear);
    lmb_arena_free(f->arena);
}
