/* Modes from the eigenvalues and eigenvectors of A. A pair of complex values is one mode; a real
 * one is a motion that decays or grows without oscillating, by itself. */
#include "analysis/modes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/small_motion_internal.h"
#include "analysis/statics.h"
#include "math/late.h"
#include "math/dense.h"

/* Eigenvalues this much smaller than the largest belong to free motion: a double zero is only found
 * to the square root of rounding. Those that are not much nearer to zero than that may also be the
 * lowest vibrations of something very stiff. They and all others that are lower than a part of the
 * largest are then found anew (replace_lowest). */
static const double rigid_below = 1e-6, surely_rigid_below = 2e-8, low_below = 1e-4;

/* Frequencies and damping are of those that oscillate. */
lmb_mode lmb_mode_of(double real, double imaginary, bool rigid)
{
    double size = hypot(real, imaginary);
    if (rigid)
        return (lmb_mode){.rigid = true, .time_constant = NAN};
    if (imaginary == 0)
        return (lmb_mode){.damping = NAN, .real = real, .time_constant = -1 / real};
    return (lmb_mode){.frequency = size / (2 * LMB_PI),
                      .damping = 0 - real / size, /* not -0 */
                      .real = real,
                      .imaginary = imaginary,
                      .time_constant = NAN};
}

/* Return the phase of the largest coordinate of N (u + i w), among equal ones of the first; w is
 * NULL for 0. The basis N of free motion does not matter, which may differ in models that hardly
 * do. `room` has o->n numbers. */
static double find_phase(const lmb_small_motion *o, const double *u, const double *w, double *room)
{
    const double same = 1e-6;
    double largest = 0;
    int most = 0;
    for (int j = 0; j < o->n; j++) {
        double real = cblas_ddot(o->positions, o->N + j, o->n, u, 1);
        double imaginary = w ? cblas_ddot(o->positions, o->N + j, o->n, w, 1) : 0;
        room[j] = hypot(real, imaginary);
        largest = fmax(largest, room[j]);
    }
    while (most < o->n - 1 && room[most] < (1 - same) * largest)
        most++;
    return atan2(w ? cblas_ddot(o->positions, o->N + most, o->n, w, 1) : 0,
                 cblas_ddot(o->positions, o->N + most, o->n, u, 1));
}

/* The displacement of a mode, scaled so that its modal mass is one. y = u + i w is taken in the
 * phase in which its largest coordinate is real and positive; w is NULL for a real y. */
static void set_shape(const lmb_small_motion *o, const double *u, const double *w, double *y,
                      double *shape)
{
    size_t f = (size_t)o->positions;
    double mass = 0, phase = find_phase(o, u, w, shape);
    double c = w ? cos(phase) : phase == 0 ? 1 : -1;
    for (size_t i = 0; i < f; i++)
        y[i] = u[i] * c + (w ? w[i] * sin(phase) : 0);
    for (size_t i = 0; i < f; i++)
        for (size_t j = 0; j < f; j++)
            mass += y[i] * o->free_M[j * f + i] * y[j];
    memset(shape, 0, (size_t)o->n * sizeof *shape);
    for (size_t i = 0; i < f; i++)
        cblas_daxpy(o->n, mass > 0 ? y[i] / sqrt(mass) : y[i], o->N + i * (size_t)o->n, 1, shape,
                    1);
}

static double size_of(const lmb_mode *mode)
{
    return hypot(mode->real, mode->imaginary);
}

static int by_size(const void *a, const void *b)
{
    const lmb_mode *x = a, *y = b;
    if (x->rigid != y->rigid)
        return x->rigid ? -1 : 1;
    return (size_of(x) > size_of(y)) - (size_of(x) < size_of(y));
}

/* The modes of `count` zeros, whose vectors (states, one after the other) are overwritten. Every
 * second zero belongs to a speed, and is no mode by itself; but a position that rolling leaves free
 * has no speed. Vectors of a multiple zero are nearly the same: what they have in common is taken
 * once, then in what they differ. */
static void collect_rigid(const lmb_small_motion *o, int count, double *vectors, double *room,
                          double *shapes, lmb_mode_list *out)
{
    size_t size = (size_t)o->states;
    int y = o->positions, most = (count + y - o->speeds + 1) / 2;
    for (int i = 0; i < most && i < count; i++) {
        int best = 0;
        for (int k = 1; k < count; k++)
            if (cblas_dnrm2(y, vectors + (size_t)k * size, 1) >
                cblas_dnrm2(y, vectors + (size_t)best * size, 1))
                best = k;
        double *own = vectors + (size_t)best * size, norm = cblas_dnrm2(y, own, 1);
        cblas_dscal(y, norm > 0 ? 1 / norm : 0, own, 1);
        lmb_mode *mode = &out->modes[out->count];
        *mode = lmb_mode_of(0, 0, true);
        mode->shape = shapes + (size_t)out->count++ * (size_t)o->n;
        set_shape(o, own, NULL, room, mode->shape);
        for (int k = 0; k < count; k++) {
            double *other = vectors + (size_t)k * size;
            if (k != best)
                cblas_daxpy(y, -cblas_ddot(y, own, 1, other, 1), own, 1, other, 1);
        }
        memset(own, 0, (size_t)y * sizeof *own);
    }
}

/* Turns eigenvalues into modes: one of each complex pair; zeros are brought to the front. */
static void collect(const lmb_small_motion *o, const double *real, const double *imaginary,
                    double *vectors, double *room, double *shapes, lmb_mode_list *out)
{
    size_t size = (size_t)o->states;
    double largest = 0;
    int zeros = 0;
    for (size_t i = 0; i < size; i++)
        largest = fmax(largest, hypot(real[i], imaginary[i]));
    for (size_t i = 0; i < size; i++) {
        const double *u = vectors + i * size;
        if (hypot(real[i], imaginary[i]) <= rigid_below * largest || largest == 0) {
            memmove(vectors + (size_t)zeros++ * size, u, size * sizeof *u);
        } else if (imaginary[i] >= 0) {
            lmb_mode *mode = &out->modes[out->count];
            *mode = lmb_mode_of(real[i], imaginary[i], false);
            mode->shape = shapes + (size_t)out->count++ * (size_t)o->n;
            set_shape(o, u, imaginary[i] > 0 ? u + size : NULL, room, mode->shape);
        }
    }
    collect_rigid(o, zeros, vectors, room, shapes, out);
    qsort(out->modes, (size_t)out->count, sizeof *out->modes, by_size);
}

/* Whether an eigenvalue that counts as zero may be none; how many are low, and below which size. */
static bool is_doubtful(int count, const double *real, const double *imaginary, int *low,
                        double *below)
{
    double largest = 0;
    bool doubtful = false;
    *low = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, hypot(real[i], imaginary[i]));
    *below = low_below * largest;
    for (int i = 0; i < count; i++) {
        double size = hypot(real[i], imaginary[i]);
        *low += size <= *below;
        doubtful =
            doubtful || (size > surely_rigid_below * largest && size <= rigid_below * largest);
    }
    return doubtful;
}

/* Finds the modes below a size by shift and invert, which has no part of the largest in it. Where
 * that fails they stay as they are. */
static lmb_status replace_lowest(const lmb_small_motion *o, int low, double below,
                                 lmb_mode_list *out)
{
    lmb_solver *s = o->equations->solver;
    lmb_chosen_coordinates same = {o->positions, o->speeds, o->coordinate, o->rate};
    lmb_sparse_motion *sparse;
    lmb_mode_list list = {0};
    size_t messages = lmb_message_count(s->context);
    int count = 0;
    lmb_status status = lmb_sparse_motion_new(&sparse, s, o->all.observer, &same);
    if (!status)
        status = lmb_sparse_modes(sparse, low, &list);
    lmb_sparse_motion_free(sparse);
    if (status == LMB_SOLVER)
        lmb_messages_forget(s->context, messages);
    if (status)
        return status == LMB_SOLVER ? LMB_OK : status;
    lmb_mode *modes =
        lmb_arena_alloc(out->arena, (size_t)(out->count + list.count) + 1, sizeof *modes);
    if (!modes || !lmb_arena_adopt(out->arena, list.arena)) {
        lmb_mode_list_free(&list);
        return lmb_fail_memory(s->context);
    }
    for (int i = 0; i < list.count; i++)
        if (size_of(&list.modes[i]) <= below)
            modes[count++] = list.modes[i];
    for (int i = 0; i < out->count; i++)
        if (size_of(&out->modes[i]) > below)
            modes[count++] = out->modes[i];
    out->modes = modes;
    out->count = count;
    return LMB_OK;
}

lmb_status lmb_modes_of(const lmb_small_motion *o, lmb_context *context, lmb_mode_list *out)
{
    size_t n = (size_t)o->n, size = (size_t)o->states;
    *out = (lmb_mode_list){.arena = lmb_arena_new()};
    lmb_arena *room = lmb_arena_new();
    double *A = lmb_arena_numbers(room, size * size + 1);
    double *vectors = lmb_arena_numbers(room, size * size + 1);
    double *real = lmb_arena_numbers(room, size + 1);
    double *imaginary = lmb_arena_numbers(room, size + 1);
    double *shapes = lmb_arena_numbers(out->arena, size * n + 1);
    out->modes = lmb_arena_alloc(out->arena, size + 1, sizeof *out->modes);
    lmb_status status = LMB_OK;
    if (!lmb_arena_fine(room) || !lmb_arena_fine(out->arena)) {
        status = lmb_fail_memory(context);
    } else {
        memcpy(A, o->free_A, size * size * sizeof *A);
        int low;
        double below;
        if (lmb_dense_eigen(o->states, A, real, imaginary, vectors))
            collect(o, real, imaginary, vectors, A, shapes, out);
        else
            status = lmb_fail(context, LMB_SOLVER, "the eigenvalues were not found");
        if (!status && is_doubtful(o->states, real, imaginary, &low, &below))
            status = replace_lowest(o, low, below, out);
    }
    lmb_arena_free(room);
    if (status)
        lmb_mode_list_free(out);
    return status;
}

lmb_status lmb_find_modes(lmb_solver *s, lmb_mode_list *out)
{
    lmb_small_motion *o;
    *out = (lmb_mode_list){0};
    lmb_status status = lmb_small_motion_new(&o, s, 0);
    if (!status)
        status = lmb_modes_of(o, s->context, out);
    lmb_small_motion_free(o);
    return status;
}

lmb_status lmb_find_some_modes(lmb_solver *s, int observer, int count, lmb_mode_list *out)
{
    lmb_small_motion *small;
    lmb_sparse_motion *sparse;
    lmb_status status;
    *out = (lmb_mode_list){0};
    if (s->state->model->nv <= LMB_MODES_DENSE) {
        if (!(status = lmb_small_motion_new(&small, s, observer)))
            status = lmb_modes_of(small, s->context, out);
        lmb_small_motion_free(small);
        if (count && count < out->count)
            out->count = count;
        return status;
    }
    count = count ? count : LMB_MODES_LARGE;
    if (lmb_modes_are_symmetric(s)) {
        size_t messages = lmb_message_count(s->context);
        status = lmb_find_lowest_modes(s, count, out);
        if (status != LMB_SOLVER)
            return status;
        lmb_messages_forget(s->context, messages); /* of an equilibrium that is not stable */
    }
    if (!(status = lmb_sparse_motion_new(&sparse, s, observer, NULL)))
        status = lmb_sparse_modes(sparse, count, out);
    lmb_sparse_motion_free(sparse);
    return status;
}

int lmb_mode_largest(const lmb_mode *mode, int nv)
{
    int largest = 0;
    for (int j = 1; j < nv; j++)
        if (fabs(mode->shape[j]) > fabs(mode->shape[largest]))
            largest = j;
    return largest;
}

void lmb_mode_list_free(lmb_mode_list *list)
{
    if (!list)
        return;
    lmb_arena_free(list->arena);
    *list = (lmb_mode_list){0};
}

/* In each row the bodies have the shape of a mode for their velocities. */
static lmb_status rows(lmb_solver *s, const lmb_analysis *analysis, lmb_take_row *take, void *user)
{
    lmb_mode_list list;
    lmb_status status = lmb_find_some_modes(s, 0, analysis->modes, &list);
    if (!status && list.count == 0) {
        status = lmb_fail(s->context, LMB_SOLVER,
                          "there are no modes: the model has no degrees of freedom");
        lmb_hint(s->context, "leave drivers out: 'without: [...]' in the analysis");
    }
    for (int i = 0; !status && i < list.count; i++) {
        const lmb_mode *mode = &list.modes[i];
        memcpy(s->state->v, mode->shape, (size_t)s->state->model->nv * sizeof(double));
        lmb_update_velocity(s->state);
        status = take(user, s->state, i + 1,
                      (double[]){mode->frequency, mode->damping, mode->real, mode->imaginary});
    }
    lmb_mode_list_free(&list);
    return status;
}

const lmb_analysis_kind lmb_analysis_modes = {"modes",
                                              "vibration modes about the static equilibrium",
                                              LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS |
                                                  LMB_KNOWN_MODES,
                                              .timeless = "modes take",
                                              .over = "mode",
                                              .over_doc = "Number of the mode.",
                                              .solve = lmb_solve_statics,
                                              .rows = rows};
