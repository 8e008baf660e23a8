/* Frequencies of a free body with and without the ties of its points. */
#include "reduction/untied.h"

#include "math/eigen.h"

/* Values w^2 below this fraction of the first elastic w^2 are rounding errors of rigid motions. */
static const double least = 1e-6;

bool lmb_can_untie(const lmb_body_data *d)
{
    bool fine =
        d->tied_count && d->reduced->mode_count >= LMB_FREE_MODES && lmb_has_inertia(d->reduced);
    for (int i = 0; fine && i < d->reduced->point_count; i++)
        if (d->tie[i] != LMB_TIE_NODE)
            return true;
    return false;
}

/* Find the lowest values w^2 of the model. A shift s > 0 makes the matrix positive definite:
 *
 *   (K + s M) u = (w^2 + s) M u */
static lmb_status find_values(lmb_eigen *out, lmb_context *context, lmb_arena *room,
                              const lmb_fe_model *m, double s, int count)
{
    lmb_symmetric shifted = {0};
    const lmb_eigen_options options = {.count = count, .group = m->node, .tolerance = 1e-2};
    if (!lmb_symmetric_sum(&shifted, room, &m->K, s, &m->M))
        return lmb_fail_memory(context);
    lmb_status status = lmb_eigen_solve(out, context, room, &shifted, &m->M, &options);
    for (int i = 0; i < out->count && !status; i++)
        out->value[i] -= s;
    return status;
}

/* Compare the frequencies. Skip bodies whose rigid motions differ without ties, because spiders can
 * join parts. */
static lmb_status compare(lmb_body_data *d, lmb_context *context, lmb_arena *room,
                          const lmb_fe_model *model)
{
    lmb_free_modes tied;
    lmb_eigen untied = {0};
    size_t said = lmb_message_count(context);
    lmb_status status = lmb_free_modes_find(&tied, context, room, d->reduced);
    int rigid = tied.rigid, count = rigid + LMB_FREE_MODES;
    if (status && !lmb_out_of_memory(context)) { /* motions without mass: nothing to compare */
        lmb_messages_drop(context, said, lmb_message_count(context) - said);
        return LMB_OK;
    }
    if (status)
        return status;
    double omega = 2 * LMB_PI * tied.frequency[rigid], shift = omega * omega;
    if (!(shift > 0) || (status = find_values(&untied, context, room, model, shift, count)))
        return status;
    if (untied.count < count || !(untied.value[rigid] > least * shift))
        return LMB_OK;
    d->free_tied = lmb_arena_numbers(d->arena, LMB_FREE_MODES);
    d->free_untied = lmb_arena_numbers(d->arena, LMB_FREE_MODES);
    if (!lmb_arena_fine(d->arena))
        return lmb_fail_memory(context);
    for (int i = 0; i < LMB_FREE_MODES; i++) {
        d->free_tied[i] = tied.frequency[rigid + i];
        d->free_untied[i] = sqrt(untied.value[rigid + i]) / (2 * LMB_PI);
    }
    d->free_count = LMB_FREE_MODES;
    return LMB_OK;
}

lmb_status lmb_find_untied(lmb_body_data *d, lmb_context *context, const lmb_fe_model *model)
{
    lmb_arena *room = lmb_arena_new();
    lmb_status status = lmb_check_memory(context, room);
    if (!status && !(status = lmb_continue(context, "free modes without ties", 0)))
        status = compare(d, context, room, model);
    lmb_arena_free(room);
    return status;
}
