/* The lowest modes about an equilibrium of a large model, by shift and invert of the sparse
 * saddle-point form (math/eigen.h):
 *
 *   [ K   Phi_q^T ] [ x ]        [ M  0 ] [ x ]
 *   [ Phi_q   0   ] [ y ]  = w2  [ 0  0 ] [ y ],   x^T M x = 1
 *
 * Damping in proportion to K and M leaves the modes as they are: the mode j decays with
 * x_j^T C x_j / 2. */
#include <string.h>

#include "analysis/modes.h"
#include "analysis/statics.h"
#include "analysis/stiffness.h"
#include "math/late.h"
#include "math/eigen.h"

/* C = alpha M + beta K by least squares over all numbers, and what is left then. */
typedef struct fit {
    double MM, MK, KK, MC, KC;
    double alpha, beta, largest, off;
} fit;

static void fit_number(fit *f, bool second, double M, double K, double C)
{
    if (second) {
        f->off = fmax(f->off, fabs(C - f->alpha * M - f->beta * K));
        return;
    }
    f->MM += M * M;
    f->MK += M * K;
    f->KK += K * K;
    f->MC += M * C;
    f->KC += K * C;
    f->largest = fmax(f->largest, fabs(C));
}

static void fit_all(fit *f, const lmb_solver *solver, bool second)
{
    const lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *o = &m->couples[c];
        const lmb_cluster *own = o->row == o->column ? &m->clusters[o->row] : NULL;
        for (int i = 0; i < o->row_nv * o->column_nv; i++) {
            double size = m->columns[o->row_v + i % o->row_nv].size *
                          m->columns[o->column_v + i / o->row_nv].size;
            fit_number(f, second, own ? solver->mass[own->mass + i] / size : 0,
                       s->tangent_q[o->value + i] / size, s->tangent_v[o->value + i] / size);
        }
    }
}

/* Whether damping is in proportion to mass and stiffness: modes are then those without it. */
static bool damped_in_proportion(lmb_solver *solver)
{
    fit f = {0};
    lmb_mass_blocks(solver->state, solver->mass);
    lmb_tangent_blocks(solver->state);
    fit_all(&f, solver, false);
    double det = f.MM * f.KK - f.MK * f.MK;
    bool both = det > 1e-12 * f.MM * f.KK;
    f.alpha = both ? (f.MC * f.KK - f.KC * f.MK) / det : 0;
    f.beta = both ? (f.KC * f.MM - f.MC * f.MK) / det : f.KK > 0 ? f.KC / f.KK : 0;
    fit_all(&f, solver, true);
    return f.off <= 1e-9 * f.largest;
}

bool lmb_modes_are_symmetric(lmb_solver *solver)
{
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    for (int j = 0; j < m->nv; j++)
        if (s->v[j] != 0 || s->a[j] != 0)
            return false;
    for (int r = 0; r < m->nrows; r++)
        if (m->parts.rows[r].velocity_level && !s->row_off[r])
            return false;
    if (lmb_is_circulatory(s))
        return false;
    lmb_update_velocity(s);
    lmb_jacobian(s);
    return damped_in_proportion(solver);
}

/* M with zeros for the multipliers. */
static bool mass_of(lmb_symmetric *out, lmb_arena *arena, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    long count = 0;
    lmb_triplet *t = lmb_arena_alloc(arena, (size_t)m->mass_count + 1, sizeof *t);
    lmb_mass_blocks(s->state, s->mass);
    for (int c = 0; t && c < m->cluster_count; c++) {
        const lmb_cluster *o = &m->clusters[c];
        for (int j = 0; j < o->nv; j++)
            for (int i = j; i < o->nv; i++)
                t[count++] = (lmb_triplet){o->v + i, o->v + j, s->mass[o->mass + j * o->nv + i]};
    }
    return t && lmb_symmetric_of_triplets(out, arena, m->nv + m->nrows, t, count);
}

/* x^T C x */
static double damping_of(const lmb_state *s, const double *x)
{
    const lmb_model *m = s->model;
    double sum = 0;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *o = &m->couples[c];
        for (int j = 0; j < o->column_nv; j++)
            sum +=
                x[o->column_v + j] *
                cblas_ddot(o->row_nv, s->tangent_v + o->value + j * o->row_nv, 1, x + o->row_v, 1);
    }
    return sum;
}

/* Turns w2 and its vector into a mode: s^2 + 2 d s + w2 = 0, of which the slower root is taken
 * where it does not oscillate. */
static void take(const lmb_state *s, double w2, bool rigid, const double *vector, lmb_mode *mode)
{
    double *shape = mode->shape;
    memcpy(shape, vector, (size_t)s->model->nv * sizeof *shape);
    double d = damping_of(s, shape) / 2, square = w2 - d * d;
    if (square > 0 || rigid)
        *mode = lmb_mode_of(d == 0 ? 0 : -d, rigid ? 0 : sqrt(square), rigid);
    else
        *mode = lmb_mode_of(-w2 / (d + sqrt(-square)), 0, false);
    mode->shape = shape;
}

lmb_status lmb_find_lowest_modes(lmb_solver *s, int count, lmb_mode_list *out)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv, all = n + (size_t)m->nrows;
    lmb_arena *room = lmb_arena_new();
    lmb_stiffness *k = NULL;
    lmb_symmetric mass;
    lmb_eigen found = {0};
    *out = (lmb_mode_list){.arena = lmb_arena_new()};
    lmb_update_velocity(s->state);
    lmb_jacobian(s->state);
    lmb_status status = lmb_stiffness_new(&k, s);
    if (!status) {
        lmb_stiffness_update(k, 1);
        status = mass_of(&mass, room, s) ? LMB_OK : lmb_fail_memory(s->context);
    }
    lmb_eigen_options options = {.count = count, .multipliers = m->nrows};
    if (!status)
        status =
            lmb_eigen_solve(&found, s->context, room, lmb_stiffness_matrix(k), &mass, &options);
    out->modes = lmb_arena_alloc(out->arena, (size_t)found.count + 1, sizeof *out->modes);
    double *shapes = lmb_arena_numbers(out->arena, (size_t)found.count * n + 1);
    if (!status)
        status = lmb_check_memory(s->context, out->arena);
    for (int i = 0; i < found.count && !status; i++) {
        lmb_mode *mode = &out->modes[out->count++];
        mode->shape = shapes + (size_t)i * n;
        take(s->state, k->size * found.value[i], i < found.rigid, found.vector + (size_t)i * all,
             mode);
    }
    lmb_stiffness_free(k);
    lmb_arena_free(room);
    if (status)
        lmb_mode_list_free(out);
    return status;
}
