/* The trade-off between two objectives f1 and f2, by limits of the second (epsilon constraints):
 *
 *   the designs of the least f1 and of the least f2 are the ends of the curve;
 *   between them, f1 is minimised with f2 <= e for evenly spaced e. */
#include <math.h>
#include <string.h>

#include "study/optimise_internal.h"

/* The two ends: each objective by itself, both at once. */
static lmb_status find_ends(lmb_optimising *o, lmb_search *list)
{
    for (int i = 0; i < 2; i++) {
        list[i].function = i;
        list[i].start = o->out->start;
    }
    lmb_searches_run(o, list, 2);
    lmb_status status = lmb_trials_status(o->work.trials);
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        if (isnan(list[i].end->objective))
            return lmb_fail(o->work.context, LMB_SOLVER,
                            "the model could not be run with any design that was tried");
    return LMB_OK;
}

/* Limits between the ends; each search begins between their designs. */
static void place_between(lmb_optimising *o, lmb_search *list, int count)
{
    const lmb_search_end *a = list[0].end, *b = list[1].end;
    for (int i = 2; i < count; i++) {
        double part = (double)(i - 1) / (count - 1);
        list[i].function = 0;
        list[i].further = a->values[1] + part * (b->values[1] - a->values[1]);
        for (int k = 0; k < o->out->variable_count; k++)
            list[i].start[k] = o->out->choice[k] ? a->x[k] : a->x[k] + part * (b->x[k] - a->x[k]);
    }
}

/* The design nearest to the best of both, in parts of the distances between the ends. */
static int find_compromise(const lmb_optimum *out)
{
    const lmb_tradeoff_point *a = &out->curve[0], *b = &out->curve[out->curve_count - 1];
    double width[2], least = INFINITY;
    int best = 0;
    for (int f = 0; f < 2; f++)
        width[f] = fabs(a->objective[f] - b->objective[f]);
    for (int i = 0; i < out->curve_count; i++) {
        const lmb_tradeoff_point *p = &out->curve[i];
        double x = width[0] > 0 ? fabs(p->objective[0] - a->objective[0]) / width[0] : 0;
        double y = width[1] > 0 ? fabs(p->objective[1] - b->objective[1]) / width[1] : 0;
        double distance = hypot(x, y);
        if (p->feasible && distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* From the design of the least f1 to that of the least f2. */
static void list_curve(lmb_optimum *out, const lmb_search *list, int count)
{
    const double kept = 1e-6;
    for (int i = 0; i < count; i++) {
        const lmb_search *s = &list[i == 0 ? 0 : i == count - 1 ? 1 : i + 1];
        if (isnan(s->end->objective))
            continue;
        out->curve[out->curve_count++] = (lmb_tradeoff_point){
            s->end->x, {s->end->values[0], s->end->values[1]}, s->end->violation <= kept};
    }
}

lmb_status lmb_tradeoff_find(lmb_optimising *o)
{
    lmb_optimum *out = o->out;
    int count = o->work.study->points;
    if (o->continuous_count < out->variable_count)
        return lmb_fail_at(o->work.context, o->work.study->place,
                           "a trade-off is between designs with bounds, not with choices");
    lmb_search *list = lmb_arena_alloc(out->arena, (size_t)count, sizeof *list);
    out->searches = lmb_arena_alloc(out->arena, (size_t)count, sizeof *out->searches);
    out->curve = lmb_arena_alloc(out->arena, (size_t)count, sizeof *out->curve);
    for (int i = 0; i < count && list && out->searches; i++) {
        list[i] = (lmb_search){.all = o, .number = i, .further = NAN, .end = &out->searches[i]};
        list[i].start = lmb_arena_numbers(out->arena, (size_t)out->variable_count);
    }
    if (!lmb_arena_fine(out->arena))
        return lmb_fail_memory(o->work.context);
    out->search_count = count;
    lmb_status status = find_ends(o, list);
    if (status)
        return status;
    place_between(o, list, count);
    lmb_searches_run(o, list + 2, count - 2);
    if ((status = lmb_trials_status(o->work.trials)))
        return status;
    list_curve(out, list, count);
    const lmb_tradeoff_point *p = &out->curve[find_compromise(out)];
    memcpy(out->x, p->x, (size_t)out->variable_count * sizeof *out->x);
    out->best = 0;
    out->feasible = p->feasible;
    for (int i = 0; i < count; i++)
        if (out->searches[i].x == p->x) {
            out->best = i;
            out->violation = out->searches[i].violation;
            memcpy(out->values, out->searches[i].values,
                   (size_t)out->objective_count * sizeof *out->values);
        }
    return LMB_OK;
}
