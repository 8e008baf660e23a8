/* A flexible body in another basis of its modes.
 *
 * With the modes Psi T, the coordinates eta of own modes are T^-1 eta. The signs of modes are not
 * determined, so where a mode of the new basis is one of its own with the other sign, a coordinate
 * that the model gives at the start is of that one. */
#include <math.h>

#include "bodies/flexible.h"
#include "math/dense.h"
#include "reduction/align.h"

/* T^-1, in the arena. */
static double *inverse_of(lmb_arena *arena, int modes, const double *T)
{
    size_t n = (size_t)modes;
    lmb_arena *room = lmb_arena_new();
    double *out = lmb_arena_numbers(arena, n * n + 1);
    double *copy = lmb_arena_grow(room, T, n * n, n * n, sizeof *T);
    for (size_t k = 0; out && k < n; k++)
        out[k * (n + 1)] = 1;
    if (out && copy && !lmb_dense_solve(modes, copy, modes, out))
        out = NULL;
    lmb_arena_free(room);
    return copy ? out : NULL;
}

/* Whether the mode k of the new basis is almost one of its own. */
static bool is_own(const double *T, int modes, int k)
{
    double row = 0, column = 0;
    for (int j = 0; j < modes; j++) {
        row += T[j * modes + k] * T[j * modes + k];
        column += T[k * modes + j] * T[k * modes + j];
    }
    double own = T[k * (modes + 1)];
    return own * own > 0.9 * fmax(row, column);
}

/* Coordinates at the start, in the new basis. */
static lmb_status put_start(const lmb_body *b, lmb_context *context, lmb_arena *arena,
                            const double *T, const double *inverse, const double **numbers)
{
    const double *own = *numbers;
    int n = modal_of(b)->modes;
    double *out = own ? lmb_arena_numbers(arena, (size_t)n + 1) : NULL;
    if (!own)
        return LMB_OK;
    if (!out)
        return lmb_fail_memory(context);
    for (int j = 0; j < n; j++) {
        if (own[j] != 0 && !is_own(T, n, j)) {
            lmb_fail(
                context, LMB_BAD_INPUT,
                "body '%s' starts with a coordinate of its mode %d, which is another mode at a "
                "neighbouring value of the parameter",
                b->name, j + 1);
            return lmb_hint(context, "modes whose frequencies are the same are not determined one "
                                     "by one; leave 'modes' out");
        }
        double sign = copysign(1, T[j * (n + 1)]);
        for (int k = 0; k < n; k++)
            out[k] += inverse[j * n + k] * sign * own[j];
    }
    *numbers = out;
    return LMB_OK;
}

lmb_status lmb_flexible_in_basis(lmb_body *b, lmb_context *context, lmb_arena *arena,
                                 const struct lmb_body_data *data, const double *T)
{
    const lmb_modal *modal = modal_of(b);
    lmb_flexible *own = lmb_arena_alloc(arena, 1, sizeof *own);
    const double *inverse = inverse_of(arena, modal->modes, T);
    if (!own || !lmb_arena_fine(arena))
        return lmb_fail_memory(context);
    if (!inverse)
        return lmb_fail(context, LMB_SOLVER, "body '%s': the change of its modes is singular",
                        b->name);
    *own = *(const lmb_flexible *)b->own;
    lmb_status status = put_start(b, context, arena, T, inverse, &own->modes);
    if (status || (status = put_start(b, context, arena, T, inverse, &own->mode_rates)))
        return status;
    own->elasticity.data = data;
    own->elasticity.modal = lmb_modal_in_basis(arena, modal, data->reduced, T, inverse);
    own->elasticity.T = own->elasticity.T ? lmb_in_basis(arena, (size_t)modal->modes, modal->modes,
                                                         own->elasticity.T, T)
                                          : T;
    if (!own->elasticity.modal || !own->elasticity.T)
        return lmb_fail_memory(context);
    b->own = own;
    return LMB_OK;
}
