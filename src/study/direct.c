/* Gradients by the direct method: the changes of the motion with all parameters are integrated
 * along with it, step by step. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/variants.h"

typedef struct direct {
    const lmb_gradient_task *task;
    lmb_channels *channels;
    lmb_variants *variants;
    lmb_step_tangent *tangent;
    lmb_motion_change *changes; /* parameter_count */
    double *powers; /* parameter_count x LMB_WORK_COUNT: changes of them; NULL: not wanted */
    double *own;    /* parameter_count x count: what parameters do to the values by themselves */
    double *room;   /* count */
    double *own_powers;   /* parameter_count x LMB_WORK_COUNT: and to the powers */
    double *load;         /* parameter_count x loads of a step, or of a change of its length */
    double *solving;      /* room of their solution */
    double **x, **lambda; /* parameter_count: those of the changes */
    double *star;         /* what a step found besides its state */
    lmb_state *before;    /* where the step began */
    lmb_alpha_change *change;
    double h;                /* of the steps so far */
    double length;           /* of the step that is being taken; 0: the beginning */
    lmb_point_series series; /* values, then derivatives by parameters, of each objective */
} direct;

/* Remembers where the next step begins. */
static void remember(direct *d, const lmb_motion *m)
{
    lmb_state_copy(d->before, m->solver->state);
    d->before->records = m->solver->state->records;
}

/* The change of the powers with a parameter, which that of the work does not depend on: what the
 * parameter does to them by itself, and along the change of the motion. */
static void find_powers(direct *d, int p, const lmb_state *state, double out[LMB_WORK_COUNT])
{
    const double *own = d->own_powers + LMB_WORK_COUNT * p;
    lmb_variants_along(d->variants, state, &d->changes[p], NULL, out);
    for (int w = 0; w < LMB_WORK_COUNT; w++)
        out[w] += own[w];
}

/* Works grow by the trapezoidal rule, as they do in the motion. */
static void add_work(direct *d, int p, const lmb_state *state)
{
    double *before = d->powers + LMB_WORK_COUNT * p, after[LMB_WORK_COUNT];
    find_powers(d, p, state, after);
    for (int w = 0; w < LMB_WORK_COUNT; w++) {
        d->changes[p].work[w] += d->length * (before[w] + after[w]) / 2;
        before[w] = after[w];
    }
}

static lmb_status check_reactions(const direct *d, const lmb_motion *m)
{
    return lmb_task_checks(d->series.count, m->solver->epsilon)
               ? lmb_task_check_reactions(d->task, d->channels, m->solver->state,
                                          m->solver->epsilon)
               : LMB_OK;
}

static lmb_status start(void *user, lmb_motion *m, double h)
{
    direct *d = user;
    lmb_variants_start(d->variants, m, h, d->changes);
    if (d->powers)
        lmb_update(m->solver->state, m->solver->state->t);
    for (int p = 0; p < d->task->parameter_count && d->powers; p++) {
        lmb_variants_place(d->variants, p, m->solver->state);
        lmb_variants_explicit(d->variants, p, NULL, d->own_powers + LMB_WORK_COUNT * p);
        find_powers(d, p, m->solver->state, d->powers + LMB_WORK_COUNT * p);
    }
    remember(d, m);
    d->h = h;
    return check_reactions(d, m);
}

/* The values at a point, and how they change with each parameter. */
static lmb_status take(void *user, const lmb_state *state, double at, const double *more)
{
    direct *d = user;
    const lmb_gradient_task *k = d->task;
    size_t count = (size_t)k->count;
    const double *values = lmb_channels_objectives(d->channels, state);
    double *out = lmb_point_series_add(&d->series, at);
    (void)more;
    if (!out)
        return lmb_fail_memory(k->context);
    memcpy(out, values, count * sizeof *out);
    if (d->length == 0)
        lmb_variants_look(d->variants, d->channels, state);
    for (int p = 0; p < k->parameter_count; p++) {
        double *slopes = out + (size_t)(p + 1) * count;
        if (d->length == 0) {
            lmb_variants_first(d->variants, p, slopes);
            continue;
        }
        lmb_variants_along(d->variants, state, &d->changes[p], d->room, NULL);
        for (size_t i = 0; i < count; i++)
            slopes[i] = d->own[(size_t)p * count + i] + d->room[i];
    }
    return LMB_OK;
}

/* Steps of another length are to follow: from where the last one ended. */
static void change_step(direct *d, double ratio, double epsilon)
{
    if (!d->tangent->adjusts)
        return;
    lmb_update(d->before, d->before->t);
    if (!lmb_alpha_change_take(d->change, d->before, ratio, epsilon))
        return; /* as in the motion */
    for (int p = 0; p < d->task->parameter_count; p++) {
        lmb_variants_change_load(d->variants, p, d->before, d->change, d->load);
        lmb_alpha_change_forward(d->change, d->load, d->changes[p].x);
    }
}

static lmb_status step(void *user, lmb_motion *m, double length)
{
    direct *d = user;
    const lmb_gradient_task *k = d->task;
    lmb_state *s = m->solver->state;
    double h = fabs(length);
    if (length < 0 || fabs(h - d->h) > 1e-9 * h)
        change_step(d, length < 0 ? 0 : h / d->h, m->solver->epsilon);
    d->h = h;
    d->length = h;
    lmb_step_tangent_keep(d->tangent, m, d->star);
    if (!lmb_step_tangent_take(d->tangent, s, d->before->q, d->star, h, m->solver->epsilon > 0))
        return lmb_fail(k->context, LMB_SOLVER, "the linearised step is singular at t = %g", s->t);
    lmb_variants_look(d->variants, d->channels, s);
    for (int p = 0; p < k->parameter_count; p++) {
        lmb_variants_load(d->variants, p, s, d->tangent, d->load + (size_t)p * d->tangent->loads);
        lmb_variants_explicit(d->variants, p, d->own + (size_t)p * (size_t)k->count,
                              d->powers ? d->own_powers + LMB_WORK_COUNT * p : NULL);
    }
    lmb_step_tangent_forward_all(d->tangent, k->parameter_count, d->load, d->x, d->lambda,
                                 d->solving);
    for (int p = 0; p < k->parameter_count && d->powers; p++)
        add_work(d, p, s);
    lmb_variants_accept(d->variants);
    remember(d, m);
    return check_reactions(d, m);
}

static lmb_status open(direct *d)
{
    const lmb_gradient_task *k = d->task;
    const lmb_model *m = k->model;
    const lmb_integration *o = &m->analyses[k->analysis].integration;
    size_t count = (size_t)k->parameter_count;
    lmb_status status = lmb_variants_new(&d->variants, k);
    if (status || (status = lmb_task_channels(k, m, &d->channels)))
        return status;
    lmb_arena *arena = d->variants->arena;
    d->changes = lmb_motion_changes(arena, m, k->parameter_count);
    d->room = lmb_arena_numbers(arena, (size_t)k->count);
    d->own = lmb_arena_numbers(arena, count * (size_t)k->count);
    for (int i = 0; i < k->count && !d->powers; i++)
        if (lmb_objective_needs_work(m, &m->objectives[k->objectives[i]]))
            d->powers = lmb_arena_numbers(arena, LMB_WORK_COUNT * count);
    d->own_powers = lmb_arena_numbers(arena, LMB_WORK_COUNT * count);
    d->x = lmb_arena_alloc(arena, count + 1, sizeof *d->x);
    d->lambda = lmb_arena_alloc(arena, count + 1, sizeof *d->lambda);
    d->change = lmb_alpha_change_new(m, (lmb_saddle_choice){0});
    for (size_t p = 0; p < count && d->changes && d->x && d->lambda; p++) {
        d->x[p] = d->changes[p].x;
        d->lambda[p] = d->changes[p].lambda;
    }
    d->before = lmb_state_new(m);
    d->tangent = lmb_step_tangent_new(m, o, (lmb_saddle_choice){0});
    if (!d->tangent)
        return lmb_fail_memory(k->context);
    d->load = lmb_arena_numbers(arena, (count + 1) * d->tangent->loads);
    d->solving = lmb_arena_numbers(arena, lmb_step_tangent_room(d->tangent, k->parameter_count));
    d->star = lmb_arena_numbers(arena, d->tangent->stars);
    bool fine = lmb_channels_prepare_slopes(d->channels) && lmb_arena_fine(arena);
    return fine && d->before && d->change ? LMB_OK : lmb_fail_memory(k->context);
}

/* From the series: the derivatives of the functionals by the values, times those of the values. */
static lmb_status add_up(direct *d)
{
    const lmb_gradient_task *k = d->task;
    const lmb_point_series *s = &d->series;
    size_t points = (size_t)s->count, count = (size_t)k->count;
    double *weights = lmb_malloc((count * points + 1) * sizeof *weights);
    lmb_status status = weights ? lmb_task_functionals(k, k->model, s, k->values, weights)
                                : lmb_fail_memory(k->context);
    for (size_t i = 0; i < count && !status; i++)
        for (size_t p = 0; p < (size_t)k->parameter_count; p++) {
            double sum = 0;
            for (size_t n = 0; n < points && !status; n++) {
                const double *slopes = s->values + n * (size_t)s->width + (p + 1) * count;
                if (weights[i * points + n] != 0) /* else its slope may be infinite */
                    sum += weights[i * points + n] * slopes[i];
                if (!isfinite(sum))
                    status = lmb_task_not_finite(k, (int)i, k->parameters[p].name, s->t[n]);
            }
            k->derivatives[i * (size_t)k->parameter_count + p] = sum;
        }
    free(weights);
    return status ? status : lmb_task_add_spans(k, s);
}

lmb_status lmb_gradient_direct(const lmb_gradient_task *k)
{
    direct d = {.task = k, .series = {.width = k->count * (k->parameter_count + 1)}};
    lmb_point_taker taker = {
        .user = &d, .take = take, .start = start, .step = step, .points = k->points};
    lmb_state *initial = NULL;
    lmb_arena *arena = NULL;
    lmb_status status = open(&d);
    if (!status && !(status = lmb_task_initial(k, k->model, &initial, &arena)))
        status = lmb_points_run(k->context, initial, &k->model->analyses[k->analysis], &taker);
    if (!status)
        status = add_up(&d);
    lmb_state_free(initial);
    lmb_arena_free(arena);
    lmb_state_free(d.before);
    lmb_step_tangent_free(d.tangent);
    lmb_alpha_change_free(d.change);
    lmb_channels_free(d.channels);
    lmb_variants_free(d.variants);
    if (!status && k->history)
        *k->history = d.series;
    else
        lmb_point_series_free(&d.series);
    return status;
}
