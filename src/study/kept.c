/* The points of a motion, kept to go back through. */
#include "study/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The usual limit, bytes; how many points a segment has at first. */
static const double usual_limit = 2e9;
enum { SEGMENT = 256 };

void lmb_kept_start(lmb_kept *k, lmb_context *context, const lmb_step_tangent *tangent,
                    const lmb_state *initial, const lmb_analysis *analysis, double bytes)
{
    lmb_pack size = {.mode = LMB_PACK_COUNT};
    *k = (lmb_kept){.context = context,
                    .tangent = tangent,
                    .initial = initial,
                    .analysis = analysis,
                    .limit = (size_t)((bytes > 0 ? bytes : usual_limit) / sizeof(double)),
                    .every = SEGMENT};
    lmb_state *state = (lmb_state *)initial; /* counting changes nothing */
    lmb_state_pack(state, &size);
    k->one = size.count + tangent->stars;
}

void lmb_kept_free(lmb_kept *k)
{
    for (int i = 0; i < k->motion_count; i++)
        free(k->motions[i]);
    free(k->motions);
    free(k->points);
    free(k->h);
    lmb_dynamics_free(k->again);
    *k = (lmb_kept){0};
}

/* Room for one more of n things of a size; false: out of memory. */
static bool grow(void **array, int n, int *room, size_t size)
{
    if (n < *room)
        return true;
    int more = 2 * *room + 64;
    void *grown = lmb_realloc(*array, (size_t)more * size);
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

/* --- forwards --------------------------------------------------------------------------------- */

/* The numbers of the point that a motion is at, behind those that are here. */
static bool add_point(lmb_kept *k, lmb_motion *m)
{
    if (!grow((void **)&k->points, k->here, &k->room, k->one * sizeof(double)))
        return false;
    double *out = k->points + (size_t)k->here++ * k->one;
    lmb_pack pack = {.mode = LMB_PACK_SAVE, .numbers = out};
    lmb_state_pack(m->solver->state, &pack);
    lmb_step_tangent_keep(k->tangent, m, out + pack.count);
    return true;
}

/* Every second motion goes when they are too many. */
static void thin_out(lmb_kept *k)
{
    int left = 0;
    for (int i = 0; i < k->motion_count; i++)
        if (i % 2 == 0)
            k->motions[left++] = k->motions[i];
        else
            free(k->motions[i]);
    k->motion_count = left;
    k->every *= 2;
}

static bool add_motion(lmb_kept *k, lmb_motion *m)
{
    lmb_pack size = {.mode = LMB_PACK_COUNT};
    lmb_motion_pack(m, &size);
    k->motion_size = size.count;
    double *numbers = lmb_malloc((size.count + 1) * sizeof *numbers);
    if (!numbers ||
        !grow((void **)&k->motions, k->motion_count, &k->motion_room, sizeof(double *))) {
        free(numbers);
        return false;
    }
    lmb_pack pack = {.mode = LMB_PACK_SAVE, .numbers = numbers};
    lmb_motion_pack(m, &pack);
    k->motions[k->motion_count++] = numbers;
    if ((size_t)k->motion_count * k->motion_size > k->limit / 2 && k->motion_count > 2)
        thin_out(k);
    return true;
}

lmb_status lmb_kept_add(lmb_kept *k, lmb_motion *m, double h)
{
    bool fine = grow((void **)&k->h, k->count, &k->h_room, sizeof *k->h);
    if (fine && k->count % k->every == 0)
        fine = add_motion(k, m);
    if (fine && !k->segments)
        fine = add_point(k, m);
    if (!fine)
        return lmb_fail_memory(k->context);
    k->h[k->count++] = h;
    if (!k->segments && (size_t)k->here * k->one > k->limit / 2) {
        k->segments = true;
        k->here = k->room = 0;
        free(k->points);
        k->points = NULL;
    }
    return LMB_OK;
}

/* --- backwards -------------------------------------------------------------------------------- */

/* A point of the segment; one that there is no memory for is missed at its end. */
static void follow_step(void *user, lmb_motion *m, double h)
{
    (void)h;
    add_point(user, m);
}

/* Makes the points from `first` to `last` again. */
static lmb_status make_segment(lmb_kept *k, int first, int last)
{
    lmb_step_follower follower = {k, NULL, follow_step};
    lmb_status status = LMB_OK;
    if (!k->again)
        status = lmb_dynamics_from(&k->again, k->context, k->initial, &k->analysis->integration);
    if (status)
        return status;
    lmb_motion *m = k->again->motion;
    lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = k->motions[first / k->every]};
    m->follower = NULL;
    lmb_motion_pack(m, &pack);
    k->first = first;
    k->here = 0;
    if (!add_point(k, m))
        return lmb_fail_memory(k->context);
    m->follower = &follower;
    m->given = k->h;
    m->given_count = k->count;
    m->given_at = first + 1;
    while (!status && m->given_at <= last)
        status = m->options.integrator->advance(m, HUGE_VAL, true);
    m->follower = NULL;
    return status || k->here == last - first + 1 ? status : lmb_fail_memory(k->context);
}

lmb_status lmb_kept_restore(lmb_kept *k, int point, lmb_state *to, const double **star, double *h)
{
    lmb_status status = LMB_OK;
    /* a segment does not know what the step to its first point found */
    int known = k->first > 0 && star ? k->first + 1 : k->first;
    if (point < known || point >= k->first + k->here) {
        /* a segment ends with the beginning of the next one */
        int first = point > 0 ? (point - 1) / k->every * k->every : 0, last = first + k->every;
        status = make_segment(k, first, last < k->count ? last : k->count - 1);
    }
    if (status)
        return status;
    double *numbers = k->points + (size_t)(point - k->first) * k->one;
    lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = numbers};
    lmb_state_pack(to, &pack);
    if (star)
        *star = numbers + pack.count;
    *h = k->h[point];
    return LMB_OK;
}
