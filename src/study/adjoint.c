/* Gradients by the adjoint method: the motion is run and kept, then the linearised steps are gone
 * back through with their transposes. One vector per objective goes back, whatever the number of
 * parameters:
 *
 *   X_n = f_n(X_n-1, p)    g_n(X_n, lambda_n, p)    G = F(g_0, g_1, ...)
 *   Lambda_n-1 = (df_n/dX)^T (Lambda_n + F_n dg_n/dX)
 *   dG/dp = sum of (Lambda_n + F_n dg_n/dX) df_n/dp + F_n dg_n/dp,  and Lambda_0 dX_0/dp
 *
 * F_n is the derivative of the functional by the value at point n. The derivatives of expressions
 * of channels by the state follow from the chain rule (channels/chain.h). Smooth numbers without
 * exact derivatives, and powers, are differentiated by stencils of fourth order, coordinate by
 * coordinate. */

#include <stdlib.h>
#include <string.h>

#include "study/kept.h"
#include "study/variants.h"

/* Inputs of expressions, in this order: q, v and a (as in a change, without alpha), lambda, work.
 */
typedef struct adjoint {
    const lmb_gradient_task *task;
    lmb_channels *channels;
    lmb_variants *variants;
    lmb_step_tangent *tangent;
    lmb_alpha_change *change;
    lmb_state *state, *moved;   /* of the point that is looked at, and beside it, */
    lmb_state *before;          /* and of the point before, */
    double *star, *star_before; /* what the steps to both found besides the state */
    lmb_point_series series;
    lmb_kept kept;
    bool redundant;
    lmb_motion_change *changes; /* parameter_count: of the start, */
    double *first;              /* parameter_count x count: and of the values there */
    bool works;                 /* expressions may use work: powers are outputs, too */
    int outputs;                /* objectives, and with `works` the powers */
    size_t inputs;              /* coordinates that they may depend on, */
    double *used;               /* 1 for those that need a stencil at the present point */
    double *slopes;             /* outputs x inputs: of the present point */
    double *values;             /* outputs: room */
    double *weights;            /* count x points: of the functionals */
    double *back;               /* count x LMB_CHANGE_PARTS nv: Lambda */
    double *by_work;            /* count x LMB_WORK_COUNT: derivatives by the work so far */
    double *after_work;         /* the same before the present point was counted */
    double *lambda;             /* count x nrows: derivatives by lambda at the present point */
    double *load;               /* count x loads: and by the load of the step to it */
    lmb_change_scales scales;   /* of the present point */
    double *own_load;           /* loads: the load of a parameter */
    double *step;               /* nv */
} adjoint;

/* --- the motion ------------------------------------------------------------------------------- */

/* Keeps a point, unless its reactions are not unique, and matter. */
static lmb_status keep_checked(adjoint *a, lmb_motion *m, double h)
{
    lmb_status status = LMB_OK;
    if (lmb_task_checks(a->series.count, m->solver->epsilon))
        status =
            lmb_task_check_reactions(a->task, a->channels, m->solver->state, m->solver->epsilon);
    return status ? status : lmb_kept_add(&a->kept, m, h);
}

static lmb_status start(void *user, lmb_motion *m, double h)
{
    adjoint *a = user;
    a->redundant = m->solver->epsilon > 0;
    lmb_variants_start(a->variants, m, h, a->changes);
    return keep_checked(a, m, h);
}

static lmb_status step(void *user, lmb_motion *m, double h)
{
    return keep_checked(user, m, h);
}

static lmb_status take(void *user, const lmb_state *state, double at, const double *more)
{
    adjoint *a = user;
    const double *values = lmb_channels_objectives(a->channels, state);
    double *out = lmb_point_series_add(&a->series, at);
    (void)more;
    if (!out)
        return lmb_fail_memory(a->task->context);
    memcpy(out, values, (size_t)a->task->count * sizeof *out);
    if (a->series.count == 1)
        lmb_variants_look(a->variants, a->channels, state);
    for (int p = 0; p < a->task->parameter_count && a->series.count == 1; p++)
        lmb_variants_first(a->variants, p, a->first + (size_t)p * (size_t)a->task->count);
    lmb_variants_follow(a->variants, at);
    return LMB_OK;
}

/* --- expressions at a point ------------------------------------------------------------------- */

/* The objectives as far as they need a stencil, then powers. */
static void evaluate(adjoint *a, const lmb_state *s, double *out)
{
    lmb_channels_linear(a->channels, a->channels, s, true, out);
    if (a->works)
        lmb_powers(s, out + a->task->count);
}

/* Moves one coordinate of the state beside the point; the others are those of the point. */
static void move_one(adjoint *a, size_t i, double by)
{
    const lmb_model *m = a->task->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows;
    lmb_state *to = a->moved;
    const lmb_state *from = a->state;
    memcpy(to->q, from->q, lmb_motion_numbers(m) * sizeof *to->q);
    memcpy(to->work, from->work, sizeof to->work);
    if (i < nv) {
        memset(a->step, 0, nv * sizeof *a->step);
        a->step[i] = by;
        lmb_retract(to, from->q, a->step);
    } else if (i < 2 * nv) {
        to->v[i - nv] += by;
    } else if (i < 3 * nv) {
        to->a[i - 2 * nv] += by;
    } else if (i < 3 * nv + rows) {
        to->lambda[i - 3 * nv] += by;
    } else {
        to->work[i - 3 * nv - rows] += by;
    }
    if (i < 2 * nv) {
        lmb_update_position(to);
        lmb_update_velocity(to);
    }
}

/* How far a coordinate is moved: a ten-thousandth of its size. */
static double distance(const adjoint *a, size_t i)
{
    const lmb_model *m = a->task->model;
    size_t scaled = 3 * (size_t)m->nv + (size_t)m->nrows;
    return lmb_change_part * (i < scaled ? lmb_change_scale(&a->scales, i) : 1);
}

/* Brings the state beside the point there, laws and all. */
static void come_along(adjoint *a)
{
    a->scales = lmb_change_scales_of(a->state);
    lmb_state_copy(a->moved, a->state);
    lmb_update(a->moved, a->state->t);
}

/* Marks the coordinates that need a stencil. Powers may depend on q, v and lambda. */
static bool find_used(adjoint *a)
{
    size_t nv = (size_t)a->task->model->nv, all = 3 * nv + (size_t)a->task->model->nrows;
    bool any = a->works;
    lmb_channels_reach(a->channels, a->used);
    for (size_t i = 0; i < a->inputs; i++) {
        if (a->works && (i < 2 * nv || i >= 3 * nv))
            a->used[i] = 1;
        any = any || (i < all && a->used[i] != 0);
    }
    return any;
}

/* The derivatives of all expressions by the coordinates. */
static void find_slopes(adjoint *a)
{
    const lmb_model *m = a->task->model;
    size_t outputs = (size_t)a->outputs, exact = 3 * (size_t)m->nv + (size_t)m->nrows;
    memset(a->slopes, 0, outputs * a->inputs * sizeof *a->slopes);
    lmb_variants_look(a->variants, a->channels, a->state);
    for (size_t o = 0; o < (size_t)a->task->count; o++)
        memcpy(a->slopes + o * a->inputs, a->variants->slopes + o * exact,
               exact * sizeof *a->slopes);
    if (!find_used(a))
        return;
    come_along(a);
    for (size_t i = 0; i < a->inputs; i++) {
        if (a->used[i] == 0)
            continue;
        double d = distance(a, i);
        for (int k = 0; k < LMB_NEIGHBOURS; k++) {
            move_one(a, i, lmb_neighbour_place[k] * d);
            evaluate(a, a->moved, a->values);
            for (size_t o = 0; o < outputs; o++)
                a->slopes[o * a->inputs + i] += lmb_neighbour_weight[k] / d * a->values[o];
        }
        move_one(a, i, 0);
    }
}

/* --- backwards -------------------------------------------------------------------------------- */

static double weight_of(const adjoint *a, int objective, int point)
{
    return a->weights[(size_t)objective * (size_t)a->series.count + (size_t)point];
}

/* Whether any objective counts at a point. */
static bool counts(const adjoint *a, int point)
{
    for (int o = 0; o < a->task->count; o++)
        if (weight_of(a, o, point) != 0)
            return true;
    return a->works;
}

/* Adds a factor times the derivatives of an output to Lambda, and to those by lambda and by work.
 */
static void add_slopes(const adjoint *a, int objective, int output, double factor)
{
    const lmb_model *m = a->task->model;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows, o = (size_t)objective;
    const double *slopes = a->slopes + (size_t)output * a->inputs;
    double *back = a->back + o * LMB_CHANGE_PARTS * nv, *lambda = a->lambda + o * rows;
    for (size_t i = 0; i < 3 * nv; i++) /* q, v and a stand in this order in both */
        back[i] += factor * slopes[i];
    for (size_t r = 0; r < rows; r++)
        lambda[r] += factor * slopes[3 * nv + r];
    for (size_t w = 0; w < LMB_WORK_COUNT && a->works; w++)
        a->by_work[LMB_WORK_COUNT * o + w] += factor * slopes[3 * nv + rows + w];
}

/* Adds what a point does to the objectives by itself: by its values, and by its powers, which are
 * part of the work over the step to it and the one after it, of lengths `before` and `after`. The
 * work after this point has been counted. */
static void add_point(adjoint *a, int point, double before, double after)
{
    const lmb_gradient_task *k = a->task;
    memset(a->lambda, 0, (size_t)k->count * (size_t)k->model->nrows * sizeof *a->lambda);
    if (counts(a, point))
        find_slopes(a);
    for (int o = 0; o < k->count; o++) {
        double *work = a->by_work + LMB_WORK_COUNT * o, later[LMB_WORK_COUNT];
        memcpy(later, work, sizeof later);
        if (point > 0 && weight_of(a, o, point) != 0)
            add_slopes(a, o, o, weight_of(a, o, point));
        for (int w = 0; w < LMB_WORK_COUNT && a->works; w++)
            add_slopes(a, o, k->count + w, (before * work[w] + after * later[w]) / 2);
    }
}

/* What each parameter does at a point, times what that does to the objectives; `loads`: by the step
 * to it. */
static void add_parameters(adjoint *a, int point, double before, double after, bool loads)
{
    const lmb_gradient_task *k = a->task;
    size_t numbers = a->tangent->loads;
    for (int p = 0; p < k->parameter_count; p++) {
        double *powers = a->works ? a->values + k->count : NULL;
        if (loads)
            lmb_variants_load(a->variants, p, a->state, a->tangent, a->own_load);
        else
            lmb_variants_place(a->variants, p, a->state);
        if (counts(a, point))
            lmb_variants_explicit(a->variants, p, a->values, powers);
        else
            memset(a->values, 0, (size_t)a->outputs * sizeof *a->values);
        for (int o = 0; o < k->count; o++) {
            const double *load = a->load + (size_t)o * numbers;
            double weight = point > 0 ? weight_of(a, o, point) : 0;
            double sum = weight != 0 ? weight * a->values[o] : 0;
            for (size_t i = 0; i < numbers && loads; i++)
                sum += load[i] * a->own_load[i];
            for (int w = 0; w < LMB_WORK_COUNT && powers; w++)
                sum += (before * a->by_work[LMB_WORK_COUNT * o + w] +
                        after * a->after_work[LMB_WORK_COUNT * o + w]) /
                       2 * powers[w];
            k->derivatives[o * k->parameter_count + p] += sum;
        }
    }
    lmb_variants_accept(a->variants);
}

/* One step back, from a point, which is in a->state, to the one before. */
static lmb_status step_back(adjoint *a, int point, double h, double after)
{
    const lmb_gradient_task *k = a->task;
    size_t nv = (size_t)k->model->nv, rows = (size_t)k->model->nrows;
    if (!lmb_step_tangent_take(a->tangent, a->state, a->before->q, a->star, h, a->redundant))
        return lmb_fail(k->context, LMB_SOLVER, "the linearised step is singular at t = %g",
                        a->state->t);
    memcpy(a->after_work, a->by_work, (size_t)k->count * LMB_WORK_COUNT * sizeof *a->by_work);
    add_point(a, point, h, after);
    for (size_t o = 0; o < (size_t)k->count; o++)
        lmb_step_tangent_backward(a->tangent, a->back + o * LMB_CHANGE_PARTS * nv,
                                  a->lambda + o * rows, a->load + o * a->tangent->loads);
    add_parameters(a, point, h, after, true);
    return LMB_OK;
}

/* The start of the motion, which is in a->state, and the values before it. */
static void finish(adjoint *a, double after)
{
    const lmb_gradient_task *k = a->task;
    size_t nv = (size_t)k->model->nv, rows = (size_t)k->model->nrows, parts = LMB_CHANGE_PARTS * nv;
    memcpy(a->after_work, a->by_work, (size_t)k->count * LMB_WORK_COUNT * sizeof *a->by_work);
    if (a->works) {
        add_point(a, 0, 0, after);
        add_parameters(a, 0, 0, after, false);
    }
    for (size_t p = 0; p < (size_t)k->parameter_count; p++)
        for (size_t o = 0; o < (size_t)k->count; o++) {
            const double *back = a->back + o * parts, *lambda = a->lambda + o * rows;
            double weight = weight_of(a, (int)o, 0);
            double sum = weight != 0 ? weight * a->first[p * (size_t)k->count + o] : 0;
            for (size_t i = 0; i < parts; i++)
                sum += back[i] * a->changes[p].x[i];
            for (size_t r = 0; r < rows && a->works; r++)
                sum += lambda[r] * a->changes[p].lambda[r];
            k->derivatives[o * (size_t)k->parameter_count + p] += sum;
        }
}

/* Back over a change of the length of steps at a point, which is in a->state. */
static lmb_status change_back(adjoint *a, double ratio)
{
    const lmb_gradient_task *k = a->task;
    size_t nv = (size_t)k->model->nv, numbers = nv + (size_t)k->model->nrows;
    if (!a->tangent->adjusts ||
        !lmb_alpha_change_take(a->change, a->state, ratio, a->redundant ? lmb_proximal : 0))
        return LMB_OK; /* as in the motion */
    for (size_t o = 0; o < (size_t)k->count; o++)
        lmb_alpha_change_backward(a->change, a->back + o * LMB_CHANGE_PARTS * nv,
                                  a->load + o * numbers);
    for (int p = 0; p < k->parameter_count; p++) {
        lmb_variants_change_load(a->variants, p, a->state, a->change, a->own_load);
        for (int o = 0; o < k->count; o++)
            for (size_t i = 0; i < numbers; i++)
                k->derivatives[o * k->parameter_count + p] +=
                    a->load[(size_t)o * numbers + i] * a->own_load[i];
    }
    return LMB_OK;
}

/* Brings back the point before one, and what the step that led there found. */
static lmb_status restore_before(adjoint *a, int point, double *h)
{
    const double *star;
    lmb_status status = lmb_kept_restore(&a->kept, point - 1, a->before, &star, h);
    if (!status)
        memcpy(a->star_before, star, a->tangent->stars * sizeof *star);
    return status;
}

/* The point before becomes the one that is looked at. */
static void exchange(adjoint *a)
{
    lmb_state *state = a->state;
    double *star = a->star;
    a->state = a->before;
    a->star = a->star_before;
    a->before = state;
    a->star_before = star;
}

/* Derivatives that are not finite: a point made them so, or the step to it. */
static lmb_status check_derivatives(const adjoint *a, int point)
{
    const lmb_gradient_task *k = a->task;
    for (int i = 0; i < k->count; i++)
        for (int p = 0; p < k->parameter_count; p++)
            if (!isfinite(k->derivatives[i * k->parameter_count + p]))
                return lmb_task_not_finite(k, i, k->parameters[p].name, a->series.t[point]);
    return LMB_OK;
}

static lmb_status go_back(adjoint *a)
{
    lmb_kept *k = &a->kept;
    double after = 0, h, last;
    lmb_status status = restore_before(a, k->count, &h);
    exchange(a);
    for (int point = k->count - 1; point > 0 && !status; point--, h = last) {
        status = restore_before(a, point, &last);
        if (!status && !(status = step_back(a, point, fabs(h), after)))
            status = check_derivatives(a, point);
        exchange(a);
        if (!status && (h < 0 || fabs(h - fabs(last)) > 1e-9 * h)) /* h < 0: a new start */
            status = change_back(a, fmax(0, h) / fabs(last));
        after = fabs(h);
        if (!status)
            status = lmb_continue(a->task->context, "adjoint", 1 - (double)(point - 1) / k->count);
    }
    if (status)
        return status;
    finish(a, after);
    return check_derivatives(a, 0);
}

/* --- all -------------------------------------------------------------------------------------- */

static lmb_status open(adjoint *a)
{
    const lmb_gradient_task *k = a->task;
    const lmb_model *m = k->model;
    const lmb_integration *o = &m->analyses[k->analysis].integration;
    size_t nv = (size_t)m->nv, rows = (size_t)m->nrows, count = (size_t)k->count;
    size_t parameters = (size_t)k->parameter_count;
    lmb_status status = lmb_variants_new(&a->variants, k);
    if (status || (status = lmb_task_channels(k, m, &a->channels)))
        return status;
    for (int i = 0; i < k->count; i++)
        a->works |= lmb_objective_needs_work(m, &m->objectives[k->objectives[i]]);
    a->outputs = k->count + (a->works ? LMB_WORK_COUNT : 0);
    a->inputs = 3 * nv + rows + (a->works ? LMB_WORK_COUNT : 0);
    lmb_arena *arena = a->variants->arena;
    a->changes = lmb_motion_changes(arena, m, k->parameter_count);
    a->first = lmb_arena_numbers(arena, parameters * count);
    a->used = lmb_arena_numbers(arena, a->inputs);
    a->slopes = lmb_arena_numbers(arena, (size_t)a->outputs * a->inputs);
    a->values = lmb_arena_numbers(arena, (size_t)a->outputs);
    a->back = lmb_arena_numbers(arena, count * LMB_CHANGE_PARTS * nv);
    a->by_work = lmb_arena_numbers(arena, count * LMB_WORK_COUNT);
    a->after_work = lmb_arena_numbers(arena, count * LMB_WORK_COUNT);
    a->lambda = lmb_arena_numbers(arena, count * rows);
    a->step = lmb_arena_numbers(arena, nv);
    a->state = lmb_state_new(m);
    a->moved = lmb_state_new(m);
    a->before = lmb_state_new(m);
    a->tangent = lmb_step_tangent_new(m, o, (lmb_saddle_choice){0});
    a->change = lmb_alpha_change_new(m, (lmb_saddle_choice){0});
    if (!a->state || !a->moved || !a->before || !a->tangent || !a->change)
        return lmb_fail_memory(k->context);
    a->load = lmb_arena_numbers(arena, count * a->tangent->loads);
    a->own_load = lmb_arena_numbers(arena, a->tangent->loads);
    a->star = lmb_arena_numbers(arena, a->tangent->stars);
    a->star_before = lmb_arena_numbers(arena, a->tangent->stars);
    if (!lmb_channels_prepare_slopes(a->channels) || !lmb_arena_fine(arena))
        return lmb_fail_memory(k->context);
    return LMB_OK;
}

lmb_status lmb_gradient_adjoint(const lmb_gradient_task *k)
{
    adjoint a = {.task = k, .series = {.width = k->count}};
    lmb_point_taker taker = {.user = &a, .take = take, .start = start, .step = step};
    lmb_state *initial = NULL;
    lmb_arena *arena = NULL;
    const lmb_analysis *analysis = &k->model->analyses[k->analysis];
    lmb_status status = open(&a);
    if (!status && !(status = lmb_task_initial(k, k->model, &initial, &arena))) {
        lmb_kept_start(&a.kept, k->context, a.tangent, initial, analysis, k->memory);
        status = lmb_points_run(k->context, initial, analysis, &taker);
    }
    if (!status && !(a.weights = lmb_arena_numbers(a.variants->arena,
                                                   (size_t)k->count * (size_t)a.series.count)))
        status = lmb_fail_memory(k->context);
    if (!status)
        status = lmb_task_functionals(k, k->model, &a.series, k->values, a.weights);
    if (!status) { /* laws that records play back belong to the beginning */
        a.state->records = a.moved->records = a.before->records = initial->records;
        memset(k->derivatives, 0,
               (size_t)k->count * (size_t)k->parameter_count * sizeof *k->derivatives);
        status = go_back(&a);
    }
    if (!status)
        status = lmb_task_add_spans(k, &a.series);
    lmb_kept_free(&a.kept);
    lmb_state_free(initial);
    lmb_arena_free(arena);
    lmb_state_free(a.state);
    lmb_state_free(a.moved);
    lmb_state_free(a.before);
    lmb_step_tangent_free(a.tangent);
    lmb_alpha_change_free(a.change);
    lmb_channels_free(a.channels);
    lmb_variants_free(a.variants);
    lmb_point_series_free(&a.series);
    return status;
}
