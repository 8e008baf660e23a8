/* Modes from the eigenvalues s of the linearised equations in the free directions,
 *
 *   (s^2 Mr + s Cr + Kr) y = 0,
 *
 * by the first-order form with the state (y, s y, z). A pair of complex values is one mode; a real
 * one is an overdamped (or, if positive, an unstable) motion by itself. */
#include "analysis/modes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/statics.h"
#include "math/dense.h"

/* Eigenvalues this much smaller than the largest belong to free motion: a double zero is only found
 * to the square root of rounding. */
static const double rigid_below = 1e-6;

/* The displacement N y of a mode, scaled so that its modal mass is one. y = u + i w is taken in the
 * phase in which its largest component is real; w is NULL for a real y. */
static void set_shape(const lmb_linear_model *l, const double *u, const double *w, double *y,
                      double *shape)
{
    size_t f = (size_t)l->free, most = 0;
    double mass = 0;
    for (size_t i = 1; w && i < f; i++)
        if (hypot(u[i], w[i]) > hypot(u[most], w[most]))
            most = i;
    double phase = w ? atan2(w[most], u[most]) : 0;
    for (size_t i = 0; i < f; i++)
        y[i] = u[i] * cos(phase) + (w ? w[i] * sin(phase) : 0);
    for (size_t i = 0; i < f; i++)
        for (size_t j = 0; j < f; j++)
            mass += y[i] * l->M[j * f + i] * y[j];
    for (size_t i = 0; i < f && mass > 0; i++)
        y[i] /= sqrt(mass);
    lmb_free_motion(l, y, shape);
}

static int by_frequency(const void *a, const void *b)
{
    const lmb_mode *x = a, *y = b;
    if (x->rigid != y->rigid)
        return x->rigid ? -1 : 1;
    return (x->frequency > y->frequency) - (x->frequency < y->frequency);
}

/* Turns eigenvalues into modes: one of each complex pair, one of each pair of zeros. */
static void collect(const lmb_linear_model *l, const double *real, const double *imaginary,
                    const double *vectors, double *room, double *shapes, lmb_mode_list *out)
{
    size_t size = (size_t)lmb_linear_state_count(l);
    double largest = 0;
    int zeros = 0;
    for (size_t i = 0; i < size; i++)
        largest = fmax(largest, hypot(real[i], imaginary[i]));
    for (size_t i = 0; i < size; i++) {
        double value = hypot(real[i], imaginary[i]);
        bool rigid = value <= rigid_below * largest || largest == 0;
        if (imaginary[i] < 0 || (rigid && zeros++ % 2 == 1 && imaginary[i] == 0))
            continue;
        lmb_mode *mode = &out->modes[out->count];
        mode->rigid = rigid;
        mode->frequency = rigid ? 0 : value / (2 * LMB_PI);
        mode->damping = rigid ? 0 : 0 - real[i] / value; /* not -0 */
        mode->shape = shapes + (size_t)out->count++ * (size_t)l->n;
        const double *u = vectors + i * size;
        set_shape(l, u, imaginary[i] > 0 ? u + size : NULL, room, mode->shape);
    }
    qsort(out->modes, (size_t)out->count, sizeof *out->modes, by_frequency);
}

static lmb_status solve(const lmb_linear_model *l, lmb_context *context, lmb_mode_list *out)
{
    size_t n = (size_t)l->n, size = (size_t)lmb_linear_state_count(l);
    double *A = lmb_arena_numbers(l->arena, size * size);
    double *vectors = lmb_arena_numbers(l->arena, size * size);
    double *real = lmb_arena_numbers(l->arena, size);
    double *imaginary = lmb_arena_numbers(l->arena, size);
    double *shapes = lmb_arena_numbers(out->arena, size * n);
    out->modes = lmb_arena_alloc(out->arena, size, sizeof *out->modes);
    if (!lmb_arena_fine(l->arena) || !lmb_arena_fine(out->arena))
        return lmb_fail_memory(context);
    if (!lmb_linear_state_matrix(l, A))
        return lmb_fail_massless(context);
    if (!lmb_dense_eigen((int)size, A, real, imaginary, vectors))
        return lmb_fail(context, LMB_SOLVER, "the eigenvalues were not found");
    collect(l, real, imaginary, vectors, A, shapes, out);
    return LMB_OK;
}

lmb_status lmb_find_modes(lmb_solver *s, lmb_mode_list *out)
{
    lmb_linear_model *l;
    *out = (lmb_mode_list){.arena = lmb_arena_new()};
    lmb_status status = lmb_linear_model_new(&l, s->context, s->state->model);
    if (!status && !(status = lmb_linearise(l, s)))
        status = solve(l, s->context, out);
    lmb_linear_model_free(l);
    if (status)
        lmb_mode_list_free(out);
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
    lmb_arena_free(list->arena);
    *list = (lmb_mode_list){0};
}

/* In each row the bodies have the shape of a mode for their velocities. */
static lmb_status rows(lmb_solver *s, lmb_take_row *take, void *user)
{
    lmb_mode_list list;
    lmb_status status = lmb_find_modes(s, &list);
    if (!status && list.count == 0) {
        status = lmb_fail(s->context, LMB_SOLVER,
                          "there are no modes: the model has no degrees of freedom");
        lmb_hint(s->context, "leave drivers out: 'without: [...]' in the analysis");
    }
    for (int i = 0; !status && i < list.count; i++) {
        const lmb_mode *mode = &list.modes[i];
        memcpy(s->state->v, mode->shape, (size_t)s->state->model->nv * sizeof(double));
        lmb_update_velocity(s->state);
        status = take(user, s->state, i + 1, (double[]){mode->frequency, mode->damping});
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
                                              .solve = lmb_find_equilibrium,
                                              .rows = rows};
