/* How one analysis is differentiated: by which method, and with which steps.
 *
 * Kinematics and inverse dynamics of flexible bodies are integrated, though nobody asks for an
 * integrator: their derivatives must not depend on its steps. ALI3-P has no numerical damping, and
 * errors of h^2, h^4, ... It is run with shorter and shorter equal steps h, and Romberg's table
 * removes the first of these errors, until values and derivatives have settled. Points stay those
 * of the first run, so that objectives are smooth functions of h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elements/exact_beam.h"
#include "integrate/step_tangent.h"
#include "study/gradient_internal.h"

/* --- the method ------------------------------------------------------------------------------- */

const char *lmb_no_tangent(const lmb_model *m, const lmb_analysis *a)
{
    if (!lmb_analysis_is_integrated(m, a))
        return "it is not integrated";
    if (a->kind == &lmb_analysis_dynamics && !lmb_points_are_steps(&a->integration))
        return "its integrator has none";
    if (m->nz > 0)
        return "there are first-order states";
    for (int i = 0; i < m->event_count; i++) {
        bool off = false;
        for (int k = 0; k < a->without.event_count; k++)
            off |= a->without.events[k] == i;
        if (!off)
            return "there are events";
    }
    return NULL;
}

/* Steps that cannot be gone back through. */
static lmb_status refuse_adjoint(const lmb_gradient_task *k, const lmb_analysis *a, const char *why)
{
    bool full = a->integration.projection == LMB_PROJECT_FULL;
    lmb_fail(k->context, LMB_USAGE, "analysis '%s' has no adjoint: %s", a->name, why);
    return lmb_hint(k->context, full ? "take --method direct, or 'projection: mass'"
                                     : "take --method direct, or 'projection: none'");
}

/* The first parameter that changes the instants of the analysis; NULL: there is none. */
static const char *moves_instants(const lmb_gradient_task *k)
{
    for (int p = 0; p < k->parameter_count; p++)
        if (!lmb_neighbours_keep_times(&k->parameters[p], k->model, k->analysis))
            return k->parameters[p].name;
    return NULL;
}

/* The parameter that changes the undeformed shape of an exact beam; NULL: there is none. At a fixed
 * state, a change of this shape by a thousandth strains the beam by a thousandth. The forces are so
 * large that the error of the stencil exceeds the derivative of the motion. */
static const char *shapes_beams(const lmb_gradient_task *k)
{
    const lmb_model *m = k->model;
    for (int p = 0; p < k->parameter_count; p++)
        for (int b = 1; b < m->body_count; b++) {
            const lmb_exact_beam *beam = lmb_body_line(&m->bodies[b]);
            const lmb_exact_beam *other = lmb_body_line(&k->parameters[p].models[0]->bodies[b]);
            if (beam && other &&
                memcmp(beam->nodes, other->nodes, (size_t)beam->node_count * sizeof *beam->nodes) !=
                    0)
                return k->parameters[p].name;
        }
    return NULL;
}

static lmb_status refuse_shape(const lmb_gradient_task *k, const char *parameter,
                               const char *method)
{
    lmb_fail(k->context, LMB_USAGE,
             "'%s' changes the undeformed shape of an exact beam, which is too stiff for --method "
             "%s",
             parameter, method);
    return lmb_hint(k->context, "take --method differences, or leave '%s' out with --by",
                    parameter);
}

lmb_status lmb_task_choose(const lmb_gradient_task *k, lmb_gradient_method wanted,
                           lmb_gradient_method *out)
{
    const lmb_analysis *a = &k->model->analyses[k->analysis];
    const char *why = lmb_no_tangent(k->model, a), *moves = moves_instants(k);
    const char *shapes = shapes_beams(k);
    bool dynamics = a->kind == &lmb_analysis_dynamics, repeats = why || moves || shapes;
    *out = wanted;
    if (wanted == LMB_GRADIENT_AUTO)
        *out = repeats ? LMB_GRADIENT_DIFFERENCES : LMB_GRADIENT_DIRECT;
    if (!dynamics && wanted != LMB_GRADIENT_DIFFERENCES)
        *out = repeats || !k->settles ? LMB_GRADIENT_DIFFERENCES : LMB_GRADIENT_DIRECT;
    if (*out == LMB_GRADIENT_DIFFERENCES || !dynamics)
        return LMB_OK;
    const char *back = why ? NULL : lmb_step_stays_forward(k->model, &a->integration);
    if (back && *out == LMB_GRADIENT_ADJOINT)
        return refuse_adjoint(k, a, back);
    if (!why && !moves && shapes)
        return refuse_shape(k, shapes, lmb_gradient_methods[*out]);
    if (!why && !moves)
        return LMB_OK;
    if (!why) {
        lmb_fail(k->context, LMB_USAGE,
                 "the instants of analysis '%s' change with '%s', which "
                 "--method %s does not see",
                 a->name, moves, lmb_gradient_methods[*out]);
        return lmb_hint(k->context, "take --method differences, or leave '%s' out with --by",
                        moves);
    }
    lmb_fail(k->context, LMB_USAGE, "analysis '%s' has no linearised steps for --method %s: %s",
             a->name, lmb_gradient_methods[*out], why);
    bool other = !lmb_points_are_steps(&a->integration);
    return lmb_hint(k->context, "take --method differences%s",
                    other ? ", or --integrator generalized-alpha" : "");
}

static lmb_status run_once(const lmb_gradient_task *k, lmb_gradient_method method)
{
    return method == LMB_GRADIENT_DIRECT    ? lmb_gradient_direct(k)
           : method == LMB_GRADIENT_ADJOINT ? lmb_gradient_adjoint(k)
                                            : lmb_gradient_differences(k);
}

/* --- shorter and shorter steps ---------------------------------------------------------------- */

/* Steps from output to output in one run after the other, and the powers of h^2 that are removed.
 */
static const int step_counts[] = {2, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { LEVELS = sizeof step_counts / sizeof *step_counts, DEPTH = 3, MANY_STEPS = 12 };

/* A level of more steps than these is not worth its time, once there are enough for a table. */
enum { LEAST_LEVELS = DEPTH + 1, MOST_STEPS = 6000 };

/* All numbers that a task finds: of the last run, then with less and less error. */
typedef struct romberg {
    double *table; /* (DEPTH + 1) x count */
    size_t count;
    int level;
} romberg;

/* Replaces a number of a run by its limit for h = 0; returns how far that has moved. */
static double improve(const romberg *r, size_t i, double *number)
{
    double *entry = r->table + i, x = *number, before = INFINITY;
    for (int m = 1; m <= r->level && m <= DEPTH; m++, entry += r->count) {
        double ratio = (double)step_counts[r->level] / step_counts[r->level - m];
        before = *entry;
        *entry = x;
        x += (x - before) / (ratio * ratio - 1);
    }
    before = r->level > DEPTH ? *entry : before;
    *number = *entry = x;
    return fabs(x - before);
}

/* Replaces all of them; returns the largest relative change. Derivatives are compared with
 * max(|dg/dp|, 0.01 |g / p|), values that are 0 but for rounding with 1e-12 of the largest value.
 */
static double improve_all(const romberg *r, const lmb_gradient_task *k)
{
    double most = 0, largest = 0;
    size_t at = 0;
    for (int i = 0; i < k->count; i++)
        largest = fmax(largest, fabs(k->values[i]));
    for (int i = 0; i < k->count; i++) {
        double change = improve(r, at++, &k->values[i]);
        double size = fmax(fabs(k->values[i]), 1e-12 * largest);
        most = fmax(most, change > 0 ? change / size : 0);
        for (int p = 0; p < k->parameter_count; p++) {
            double *slope = &k->derivatives[i * k->parameter_count + p];
            double value = fabs(k->parameters[p].value),
                   least = value > 0 ? 1e-2 * size / value : 0;
            change = improve(r, at++, slope);
            most = fmax(most, change > 0 ? change / fmax(fabs(*slope), least) : 0);
        }
    }
    for (size_t i = 0; at < r->count; i++)
        improve(r, at++, &k->history->values[i]);
    return most;
}

/* Runs all models with another integration of the analysis; `kept` takes their own. */
static void set_steps(const lmb_gradient_task *k, lmb_model *base, int steps, lmb_integration *kept)
{
    for (int i = 0; i <= k->parameter_count * LMB_NEIGHBOURS; i++) {
        const lmb_neighbours *n = &k->parameters[i > 0 ? (i - 1) / LMB_NEIGHBOURS : 0];
        lmb_model *m = i > 0 ? n->models[(i - 1) % LMB_NEIGHBOURS] : base;
        lmb_analysis *a = &m->analyses[k->analysis];
        if (steps == step_counts[0])
            kept[i] = a->integration;
        a->integration = kept[i];
        if (steps == 0)
            continue;
        a->integration.integrator = &lmb_integrator_ali3p;
        a->integration.tolerance = 0;
        a->integration.step = a->output_step / steps;
    }
}

static lmb_status run_level(romberg *r, const lmb_gradient_task *k, lmb_gradient_method method,
                            double *change)
{
    if (k->history)
        lmb_point_series_free(k->history);
    lmb_status status = run_once(k, method);
    if (status)
        return status;
    size_t count = (size_t)k->count * (size_t)(1 + k->parameter_count);
    count += k->history ? (size_t)k->history->count * (size_t)k->history->width : 0;
    if (r->level == 0)
        *r = (romberg){lmb_calloc((DEPTH + 1) * count, sizeof *r->table), count, 0};
    if (!r->table)
        return lmb_fail_memory(k->context);
    if (count != r->count)
        return lmb_fail(k->context, LMB_SOLVER,
                        "the points of analysis '%s' change with the length of its steps",
                        k->model->analyses[k->analysis].name);
    *change = improve_all(r, k);
    return LMB_OK;
}

/* Runs with shorter and shorter steps until results have settled, or change by rounding only. */
static lmb_status settle(lmb_gradient_task k, lmb_model *base, lmb_gradient_method method)
{
    const double settled = 1e-6, rounding = 1e-4;
    lmb_integration *kept =
        lmb_malloc((size_t)(1 + k.parameter_count * LMB_NEIGHBOURS) * sizeof *kept);
    if (!kept)
        return lmb_fail_memory(k.context);
    romberg r = {0};
    const lmb_analysis *a = &base->analyses[k.analysis];
    double change = INFINITY, last = INFINITY, outputs = a->duration / a->output_step;
    int slow = 0;
    lmb_status status = LMB_OK;
    size_t messages = lmb_message_count(k.context);
    k.points = step_counts[0];
    for (bool going = true; going && r.level < LEVELS && !status; r.level++, last = change) {
        lmb_messages_forget(k.context, messages); /* each run says the same */
        set_steps(&k, base, step_counts[r.level], kept);
        status = run_level(&r, &k, method, &change);
        slow = change >= last ? 2 : change > last / 2 ? slow + 1 : 0;
        bool stagnates = slow >= 2 && change < rounding && step_counts[r.level] >= MANY_STEPS;
        bool long_next = r.level + 1 >= LEAST_LEVELS && r.level + 1 < LEVELS &&
                         outputs * step_counts[r.level + 1] > MOST_STEPS;
        going = change > settled && !stagnates && !long_next;
    }
    set_steps(&k, base, 0, kept);
    if (!status && change > settled) {
        lmb_warn(k.context, "the derivatives of analysis '%s' have settled to %.1g only",
                 base->analyses[k.analysis].name, change);
        lmb_hint(k.context, "fast vibrations need a shorter 'output_step', damping, fewer modes, "
                            "or 'begin: quasi-static'");
    }
    free(r.table);
    free(kept);
    return status;
}

lmb_status lmb_task_run(const lmb_gradient_task *k, lmb_model *base, lmb_gradient_method method)
{
    return k->settles ? settle(*k, base, method) : run_once(k, method);
}
