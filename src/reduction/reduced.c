/* From the basis of Craig and Bampton to modes in a body frame.
 *
 * A frame is chosen by rows R y = 0 on the coordinates y of the basis: no linear and angular
 * momentum (R = rigid motions times M), a point that stands still, or a chord that does. In what is
 * left, the modes are those of K x = w^2 M x, mass-orthonormal. */
#include "reduction/reduced.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "math/dense.h"
#include "math/late.h"
#include "reduction/gram.h"
#include "reduction/interface.h"
#include "reduction/residual.h"

typedef struct work {
    lmb_context *context;
    const lmb_fe_model *model;
    const lmb_interface *points;
    const lmb_reduction *options;
    const lmb_craig_bampton *basis;
    lmb_reduced *body;
    lmb_arena *room;  /* goes with the basis */
    int rigid;        /* motions of a rigid body */
    double *rigid_y;  /* size x rigid: they in the coordinates of the basis, */
    double *momentum; /* size x rigid: and M times them */
    double *scale;    /* size: 1 / sqrt(M_ii), for numbers of like size */
    double *X;        /* size x all_count: modes in the coordinates of the basis, */
    double *kept;     /* size x mode_count: and those that are kept */
} work;

/* --- rigid motions ---------------------------------------------------------------------------- */

/* The motions of the interface points when the body moves as a whole, modes staying at rest, and
 * the momentum of the basis with them. */
static void set_rigid(work *w)
{
    const lmb_craig_bampton *c = w->basis;
    lmb_rigid_motions_of(w->points, c->tied->point_count, w->model->dimension, w->body->centre,
                         (size_t)c->size, w->rigid_y);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, c->size, w->rigid, c->size, 1, c->M,
                c->size, w->rigid_y, c->size, 0, w->momentum, c->size);
}

/* The basis must contain the rigid motions: u of them is the rigid motion itself. */
static lmb_status check_rigid(work *w)
{
    const lmb_fe_model *m = w->model;
    size_t n = (size_t)m->n, size = (size_t)w->basis->size;
    double *exact = lmb_arena_numbers(w->room, 7 * n + 1), *all = exact + n, worst = 0;
    int where = 0;
    if (!exact)
        return lmb_fail_memory(w->context);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m->n, w->rigid, w->basis->boundary, 1,
                w->basis->U, m->n, w->rigid_y, (int)size, 0, all, m->n);
    for (int k = 0; k < w->rigid; k++) {
        double *off = all + (size_t)k * n;
        lmb_rigid_motion(m, lmb_interface_direction(m->dimension, k), w->body->centre, exact);
        double largest = fabs(exact[cblas_idamax(m->n, exact, 1)]);
        cblas_daxpy(m->n, -1, exact, 1, off, 1);
        size_t most = cblas_idamax(m->n, off, 1);
        where = fabs(off[most]) > worst * largest ? m->node[most] : where;
        worst = fmax(worst, fabs(off[most]) / largest);
    }
    if (worst < 1e-6)
        return LMB_OK;
    return lmb_fail_hint(
        w->context, "is a part of the mesh not connected, or is the model held somewhere?",
        "the reduced body cannot move as a whole without bending: node %d is off by %g of the "
        "motion",
        m->number[where], worst);
}

/* Effective masses of the fixed-interface modes: (phi^T M rigid)^2. */
static void set_effective(work *w)
{
    const lmb_craig_bampton *c = w->basis;
    for (int j = 0; j < c->modes; j++)
        for (int k = 0; k < w->rigid; k++) {
            double share = w->momentum[(size_t)k * (size_t)c->size + (size_t)(c->boundary + j)];
            int direction = lmb_interface_direction(w->model->dimension, k);
            w->body->effective[j].of[direction] = share * share;
        }
}

/* --- frame ------------------------------------------------------------------------------------ */

/* Sets the row k to a direction of the displacement of a point, or of its rotation. */
static void put_row(const work *w, double *R, int k, int point, bool rotation, vec3 direction)
{
    int motions = w->basis->tied->motions, dimension = w->model->dimension;
    for (int i = 0; i < motions; i++) {
        int d = lmb_interface_direction(dimension, i);
        if ((d >= LMB_RX) == rotation)
            R[(size_t)(point * motions + i) * (size_t)w->rigid + (size_t)k] =
                v3_get(direction, d % 3);
    }
}

/* Rows of a chord: one point stands still, the other stays on the line; no turn about the line. */
static void rows_of_chord(const work *w, double *R)
{
    int a = w->options->frame_point, b = w->options->chord_point;
    vec3 along = v3_sub(w->points[b].position, w->points[a].position);
    along = v3_unit(along);
    vec3 other = fabs(along.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
    vec3 across = v3_unit(v3_cross(along, other));
    for (int i = 0; i < w->model->dimension; i++)
        put_row(w, R, i, a, false, v3_axis(i));
    if (w->model->dimension == 2) {
        put_row(w, R, 2, b, false, v3(-along.y, along.x, 0));
        return;
    }
    put_row(w, R, 3, a, true, along);
    put_row(w, R, 4, b, false, across);
    put_row(w, R, 5, b, false, v3_cross(along, across));
}

static void set_rows(const work *w, double *R)
{
    size_t size = (size_t)w->basis->size, rigid = (size_t)w->rigid;
    if (w->options->frame == LMB_FRAME_MASS_CENTRE) { /* y^T M rigid = 0 */
        for (size_t k = 0; k < rigid; k++)
            for (size_t j = 0; j < size; j++)
                R[j * rigid + k] = w->momentum[k * size + j];
    } else if (w->options->frame == LMB_FRAME_POINT) { /* its motions */
        size_t first = (size_t)(w->options->frame_point * w->basis->tied->motions);
        for (size_t k = 0; k < rigid; k++)
            R[(first + k) * rigid + k] = 1;
    } else {
        rows_of_chord(w, R);
    }
}

/* out = N^T A N; room: for A N. */
static void reduce(int size, const double *A, const double *N, int count, double *room, double *out)
{
    if (count == 0)
        return;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, count, size, 1, A, size, N, size,
                0, room, size);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, count, size, 1, N, size, room, size,
                0, out, count);
}

/* In M x = theta K x, theta = 1 / w^2, values below this fraction of the largest belong to motions
 * that move no mass. */
static const double massless = 1e-13;

/* Find the modes of a basis in which some motions move no mass. These motions have no finite
 * frequency and are left out. On return K holds the vectors (n x all_count) and `value` w^2; M is
 * overwritten. */
static lmb_status find_finite(work *w, int n, double *K, double *M, double *value)
{
    if (!lmb_dense_symmetric_general(n, M, K, value))
        return lmb_fail_hint(
            w->context, "are two interface points the same, or is a part without mass not held?",
            "the modes of the reduced body are not independent: their matrices are singular");
    int count = 0;
    while (count < n && value[n - 1 - count] > massless * value[n - 1])
        count++;
    lmb_warn(w->context,
             "%d of %d motions of the reduced body move no mass and are left out: the body does "
             "not yield to loads that only they follow",
             n - count, n);
    lmb_hint(w->context, "give all of its materials a density if these loads occur");
    for (int k = 0; k < count; k++) { /* the largest theta is the last */
        size_t from = (size_t)(n - 1 - k) * (size_t)n;
        memcpy(K + (size_t)k * (size_t)n, M + from, (size_t)n * sizeof *K);
        cblas_dscal(n, 1 / sqrt(value[n - 1 - k]), K + (size_t)k * (size_t)n, 1);
        M[from] = 1 / value[n - 1 - k];
    }
    for (int k = 0; k < count; k++)
        value[k] = M[(size_t)(n - 1 - k) * (size_t)n];
    w->body->all_count = count;
    return LMB_OK;
}

/* Modes in the frame: X and all_frequency. */
static lmb_status find_modes(work *w)
{
    size_t size = (size_t)w->basis->size, rigid = (size_t)w->rigid;
    double *R = lmb_arena_numbers(w->room, rigid * size),
           *N = lmb_arena_numbers(w->room, size * size);
    double *K = lmb_arena_numbers(w->room, size * size),
           *M = lmb_arena_numbers(w->room, size * size);
    double *room = lmb_arena_numbers(w->room, size * size);
    lmb_status status = lmb_check_memory(w->context, w->room);
    if (status)
        return status;
    set_rows(w, R);
    for (size_t j = 0; j < size; j++)
        for (size_t k = 0; k < rigid; k++)
            R[j * rigid + k] *= w->scale[j];
    int count = lmb_dense_null_space((int)rigid, (int)size, R, 1e-12, N);
    size_t all = count > 0 ? (size_t)count : 0;
    w->body->all_count = (int)all;
    w->body->all_frequency = lmb_arena_numbers(w->body->arena, all);
    w->X = lmb_arena_numbers(w->body->arena, size * all);
    if (count < 0 || !lmb_arena_fine(w->body->arena))
        return lmb_fail_memory(w->context);
    for (size_t k = 0; k < size * all; k++)
        N[k] *= w->scale[k % size];
    reduce((int)size, w->basis->K, N, count, room, K);
    reduce((int)size, w->basis->M, N, count, room, M);
    double *value = w->body->all_frequency;
    bool found = lmb_dense_symmetric_general(count, K, M, value);
    if (!found || (all && value[0] > 0 && value[0] < massless * value[all - 1])) {
        reduce((int)size, w->basis->K, N, count, room, K);
        reduce((int)size, w->basis->M, N, count, room, M);
        if ((status = find_finite(w, count, K, M, value)))
            return status;
    }
    for (int k = 0; k < w->body->all_count; k++)
        value[k] = copysign(sqrt(fabs(value[k])), value[k]) / (2 * LMB_PI);
    if (all)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)size, w->body->all_count, count,
                    1, N, (int)size, K, count, 0, w->X, (int)size);
    return LMB_OK;
}

/* --- choice ----------------------------------------------------------------------------------- */

static bool is_kept(const work *w, int mode)
{
    const lmb_mode_choice *keep = &w->options->keep;
    if (keep->none)
        return false;
    if (keep->below > 0)
        return w->body->all_frequency[mode] <= keep->below;
    if (keep->number > 0)
        return mode < keep->number;
    for (int i = 0; i < keep->list_count; i++)
        if (keep->list[i] == mode + 1)
            return true;
    return keep->list_count == 0;
}

/* Warns if the number of modes to keep parts some of one frequency. */
static void warn_of_parted(const work *w)
{
    int number = w->options->keep.number, first = number - 1, end = number;
    if (w->options->keep.below > 0 || number < 1 || number >= w->body->all_count)
        return;
    const double *f = w->body->all_frequency;
    double last = f[number - 1], same = LMB_SAME_FREQUENCY * fabs(last);
    while (first > 0 && fabs(f[first - 1] - last) < same)
        first--;
    while (end < w->body->all_count && fabs(f[end] - last) < same)
        end++;
    if (end == number)
        return;
    lmb_warn(w->context,
             "modes %d and %d of the reduced body " LMB_PARTED_MODES ", %.6g Hz, but only the "
             "first of them is kept",
             number, number + 1, last);
    lmb_hint(w->context, "keep %d modes, or %d", end, first);
}

static lmb_status check_choice(const work *w)
{
    const lmb_mode_choice *keep = &w->options->keep;
    for (int i = 0; i < keep->list_count; i++)
        if (keep->list[i] < 1 || keep->list[i] > w->body->all_count)
            return lmb_fail(w->context, LMB_BAD_INPUT,
                            "mode %d cannot be kept: the reduced body has modes 1 to %d",
                            keep->list[i], w->body->all_count);
    if (keep->number > w->body->all_count)
        lmb_warn(w->context, "%d modes are to be kept, but the reduced body has only %d",
                 keep->number, w->body->all_count);
    warn_of_parted(w);
    for (int k = 0; k < w->body->all_count; k++)
        if (w->body->all_frequency[k] <
            -1e-3 * fabs(w->body->all_frequency[w->body->all_count - 1]))
            return lmb_fail(w->context, LMB_BAD_INPUT,
                            "mode %d of the reduced body has a negative stiffness", k + 1);
    return LMB_OK;
}

/* --- the body --------------------------------------------------------------------------------- */

/* The shape of a mode at the nodes, u = U x, and at the points. */
static void set_shape(work *w, int mode, const double *u, const double *x)
{
    lmb_reduced *b = w->body;
    const lmb_fe_model *m = w->model;
    size_t at = 3 * (size_t)mode * (size_t)b->node_count;
    for (size_t i = 0; i < (size_t)m->n; i++) {
        double *out = m->direction[i] < LMB_RX ? b->shape : b->turn;
        out[at + 3 * (size_t)m->node[i] + (size_t)(m->direction[i] % 3)] = u[i];
    }
    int motions = w->basis->tied->motions;
    for (int p = 0; p < b->point_count; p++)
        for (int i = 0; i < motions; i++) {
            int d = lmb_interface_direction(m->dimension, i);
            b->point_shape[((size_t)p * LMB_DIRECTIONS + (size_t)d) * (size_t)b->mode_count +
                           (size_t)mode] = x[p * motions + i];
        }
}

/* Shapes of all modes that are kept. */
static lmb_status set_shapes(work *w)
{
    enum { BLOCK = 16 };
    size_t n = (size_t)w->model->n, size = (size_t)w->basis->size;
    int modes = w->body->mode_count;
    double *u = lmb_arena_numbers(w->room, BLOCK * n + 1);
    for (int first = 0; u && first < modes; first += BLOCK) {
        int count = modes - first < BLOCK ? modes - first : BLOCK;
        const double *X = w->kept + (size_t)first * size;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, count, (int)size, 1,
                    w->basis->U, (int)n, X, (int)size, 0, u, (int)n);
        for (int k = 0; k < count; k++)
            set_shape(w, first + k, u + (size_t)k * n, X + (size_t)k * size);
    }
    return lmb_check_memory(w->context, w->room);
}

static lmb_status allocate_body(work *w, bool turns)
{
    lmb_reduced *b = w->body;
    size_t modes = (size_t)b->mode_count, nodes = (size_t)w->model->node_count;
    size_t points = (size_t)b->point_count;
    b->node_count = w->model->node_count;
    b->frequency = lmb_arena_numbers(b->arena, modes);
    b->K = lmb_arena_numbers(b->arena, modes * modes);
    b->M = lmb_arena_numbers(b->arena, modes * modes);
    b->C = w->model->C.start ? lmb_arena_numbers(b->arena, modes * modes) : NULL;
    b->x = lmb_arena_alloc(b->arena, nodes, sizeof *b->x);
    b->number = lmb_arena_integers(b->arena, nodes);
    b->shape = lmb_arena_numbers(b->arena, 3 * nodes * modes);
    b->turn = turns ? lmb_arena_numbers(b->arena, 3 * nodes * modes) : NULL;
    b->point = lmb_arena_alloc(b->arena, points, sizeof *b->point);
    b->point_name = lmb_arena_alloc(b->arena, points, sizeof *b->point_name);
    b->point_shape = lmb_arena_numbers(b->arena, LMB_DIRECTIONS * points * modes);
    w->kept = lmb_arena_numbers(w->room, (size_t)w->basis->size * modes);
    lmb_status status = lmb_check_memory(w->context, b->arena);
    return status ? status : lmb_check_memory(w->context, w->room);
}

static bool has_rotations(const lmb_fe_model *m)
{
    for (int i = 0; i < m->n; i++)
        if (m->direction[i] >= LMB_RX)
            return true;
    return false;
}

/* Damping of the modes through the matrix C of the model. */
static lmb_status set_damping(work *w)
{
    lmb_reduced *b = w->body;
    size_t n = (size_t)w->model->n;
    int modes = b->mode_count;
    if (!b->C || !modes)
        return LMB_OK;
    double *u = lmb_arena_numbers(w->room, (size_t)modes * n);
    double *v = lmb_arena_numbers(w->room, (size_t)modes * n);
    if (!u || !v)
        return lmb_fail_memory(w->context);
    for (int k = 0; k < modes; k++)
        lmb_reduced_displacements(b, w->model, k, u + (size_t)k * n);
    lmb_symmetric_multiply_many(&w->model->C, modes, u, v);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, modes, modes, (int)n, 1, u, (int)n, v,
                (int)n, 0, b->C, modes);
    return LMB_OK;
}

/* Places, names, frequencies, shapes of the modes that are kept. */
static lmb_status fill_body(work *w)
{
    lmb_reduced *b = w->body;
    size_t size = (size_t)w->basis->size;
    for (int k = 0; k < b->all_count; k++)
        b->mode_count += is_kept(w, k);
    lmb_status status = allocate_body(w, has_rotations(w->model));
    if (status)
        return status;
    for (int k = 0; k < b->node_count; k++) {
        b->x[k] = v3_sub(w->model->x[k], b->origin);
        b->number[k] = w->model->number[k];
    }
    for (int p = 0; p < b->point_count; p++) {
        b->point[p] = v3_sub(w->points[p].position, b->origin);
        b->point_name[p] = lmb_text_copy(b->arena, w->points[p].name, strlen(w->points[p].name));
    }
    for (int k = 0, kept = 0; k < b->all_count; k++) {
        if (!is_kept(w, k))
            continue;
        double omega = 2 * LMB_PI * b->all_frequency[k];
        size_t diagonal = (size_t)kept * ((size_t)b->mode_count + 1);
        b->frequency[kept] = b->all_frequency[k];
        b->K[diagonal] = omega * omega;
        b->M[diagonal] = 1;
        memcpy(w->kept + (size_t)kept++ * size, w->X + (size_t)k * size, size * sizeof *w->X);
    }
    if ((status = lmb_check_memory(w->context, b->arena)) || (status = set_shapes(w)))
        return status;
    return set_damping(w);
}

/* What is known of the basis: frequencies, effective masses, cost. */
static lmb_status keep_basis(work *w)
{
    lmb_reduced *b = w->body;
    const lmb_craig_bampton *c = w->basis;
    size_t size = (size_t)c->size, modes = (size_t)c->modes;
    b->fixed_count = c->modes;
    b->fixed_frequency = lmb_arena_grow(b->arena, c->frequency, modes, modes, sizeof(double));
    b->effective = lmb_arena_alloc(b->arena, modes + 1, sizeof *b->effective);
    b->factor = c->facts;
    w->rigid = lmb_interface_motions(w->model->dimension);
    w->rigid_y = lmb_arena_numbers(b->arena, size * (size_t)w->rigid);
    w->momentum = lmb_arena_numbers(b->arena, size * (size_t)w->rigid);
    w->scale = lmb_arena_numbers(b->arena, size);
    double most = 0;
    for (size_t j = 0; j < size; j++)
        most = fmax(most, c->M[j * (size + 1)]);
    for (size_t j = 0; j < size && w->scale; j++) {
        double mass = c->M[j * (size + 1)];
        w->scale[j] = mass > 1e-20 * most ? 1 / sqrt(mass) : 1; /* a smaller mass is rounding */
    }
    return lmb_check_memory(w->context, b->arena);
}

/* The shapes of the basis at the nodes that are drawn. */
static lmb_status keep_drawn(work *w)
{
    lmb_reduced *b = w->body;
    const lmb_fe_model *m = w->model;
    const lmb_reduction *o = w->options;
    size_t columns = (size_t)w->basis->size, row = 3 * (size_t)o->drawn_count, n = (size_t)m->n;
    if (o->drawn_count == 0)
        return LMB_OK;
    b->drawn_count = o->drawn_count;
    b->basis_count = (int)columns;
    b->drawn = lmb_arena_grow(b->arena, o->drawn, row / 3, row / 3, sizeof *b->drawn);
    b->basis_shape = lmb_arena_alloc(b->arena, columns * row, sizeof *b->basis_shape);
    b->basis_turn =
        b->turn ? lmb_arena_alloc(b->arena, columns * row, sizeof *b->basis_turn) : NULL;
    int *place = lmb_arena_integers(w->room, (size_t)m->node_count + 1); /* from 1; 0: not drawn */
    if (!place || !lmb_arena_fine(b->arena))
        return lmb_fail_memory(w->context);
    for (int i = 0; i < o->drawn_count; i++)
        place[o->drawn[i]] = i + 1;
    for (size_t i = 0; i < n; i++) {
        int to = place[m->node[i]] - 1;
        float *out = m->direction[i] < LMB_RX ? b->basis_shape : b->basis_turn;
        for (size_t k = 0; to >= 0 && k < columns; k++)
            out[k * row + (size_t)(3 * to + m->direction[i] % 3)] = (float)w->basis->U[k * n + i];
    }
    return o->on_basis ? o->on_basis(o->user, w->context, w->basis->size, w->basis->U) : LMB_OK;
}

static lmb_status make_body(work *w)
{
    lmb_reduced *b = w->body;
    const lmb_reduction *o = w->options;
    lmb_status status = keep_basis(w);
    if (status || (status = lmb_continue(w->context, "modes in the frame", 0)))
        return status;
    set_rigid(w);
    b->origin = o->frame == LMB_FRAME_MASS_CENTRE ? b->centre : w->points[o->frame_point].position;
    if ((status = check_rigid(w)))
        return status;
    set_effective(w);
    if ((status = find_modes(w)) || (status = check_choice(w)) || (status = fill_body(w)) ||
        (status = keep_drawn(w)) || (status = lmb_find_gram(b, w->context, w->model)))
        return status;
    if (o->residual && b->mode_count &&
        ((status = lmb_continue(w->context, "residual displacements", 0)) ||
         (status = lmb_find_residual(b, w->context, w->basis, o))))
        return status;
    return o->stiffening && b->mode_count
               ? lmb_find_stiffening(b, w->context, w->basis, w->X, o->frame)
               : LMB_OK;
}

bool lmb_has_inertia(const lmb_reduced *b)
{
    double J[9], value[3];
    memcpy(J, &b->inertia, sizeof J);
    if (b->dimension == 2)
        return b->inertia.c[2].z > 0;
    if (!lmb_dense_symmetric(3, J, value)) {
        lmb_memory_fail(); /* with three unknowns the only cause */
        return true;
    }
    return value[0] > 1e-12 * value[2];
}

/* Handle a body without inertia about an axis. The frame of the mass centre does not prevent
 * rotation about this axis, so the frame is fixed to the first point. Residual displacements are
 * switched off, because no inertia balances a torque about the axis. */
static void check_inertia(work *w, lmb_reduction *options)
{
    if (lmb_has_inertia(w->body))
        return;
    options->residual = false;
    if (options->frame != LMB_FRAME_MASS_CENTRE)
        return;
    options->frame = LMB_FRAME_POINT;
    options->frame_point = 0;
    lmb_warn(w->context,
             "the body has no inertia about an axis: its frame is fixed to the interface '%s', not "
             "to its mass centre",
             w->points[0].name);
}

static lmb_status start_body(work *w, int point_count)
{
    lmb_arena *arena;
    lmb_reduced *b = lmb_arena_object(&arena, sizeof *b);
    if (!b)
        return lmb_fail_memory(w->context);
    b->arena = arena;
    b->dimension = w->model->dimension;
    b->point_count = point_count;
    w->body = b;
    lmb_status status =
        lmb_mass_properties_of(w->model, w->context, &b->mass, &b->centre, &b->inertia);
    return status ? status : lmb_check_unheld(w->model, w->context);
}

lmb_status lmb_reduce(lmb_reduced **out, lmb_context *context, const lmb_fe_model *model,
                      const lmb_interface *points, int point_count, const lmb_reduction *options)
{
    if (options->held)
        return lmb_reduce_held(out, context, model, points, point_count, options);
    lmb_tied tied;
    lmb_craig_bampton basis = {0};
    lmb_reduction own = *options;
    work w = {.context = context,
              .model = model,
              .points = points,
              .options = &own,
              .basis = &basis,
              .room = lmb_arena_new()};
    *out = NULL;
    lmb_status status = start_body(&w, point_count);
    if (!status)
        check_inertia(&w, &own);
    if (!status)
        status = lmb_tied_find(&tied, context, w.room, model, points, point_count);
    if (!status)
        status = lmb_craig_bampton_find(&basis, context, w.room, &tied, own.fixed,
                                        own.stiffening || own.residual);
    if (!status)
        status = make_body(&w);
    lmb_factor_free(basis.factor);
    lmb_arena_free(w.room);
    if (status)
        lmb_reduced_free(w.body);
    else
        *out = w.body;
    return status;
}

void lmb_reduced_free(lmb_reduced *b)
{
    if (b)
        lmb_arena_free(b->arena);
}

void lmb_reduced_displacements(const lmb_reduced *b, const lmb_fe_model *m, int mode, double *u)
{
    size_t at = 3 * (size_t)mode * (size_t)b->node_count;
    for (int i = 0; i < m->n; i++) {
        const double *from = m->direction[i] < LMB_RX ? b->shape : b->turn;
        u[i] = from[at + 3 * (size_t)m->node[i] + (size_t)(m->direction[i] % 3)];
    }
}
