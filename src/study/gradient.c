/* Gradients: which objectives, by which parameters, how, and what combined objectives make of them.
 */
#include "study/gradient.h"

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/crew.h"
#include "base/workers.h"
#include "model/align.h"
#include "read/reader.h"
#include "study/gradient_internal.h"

const char *const lmb_gradient_methods[] = {"auto", "direct", "adjoint", "differences", NULL};
const char *const lmb_gradient_bases[] = {"moving", "held", NULL};

/* What is under way. */
typedef struct finding {
    lmb_context *context;
    lmb_spec *spec;
    const lmb_gradient_request *request;
    lmb_integration_choice integration;
    int jobs; /* threads */
    lmb_model *model;
    lmb_arena *arena;           /* of the result */
    lmb_neighbours *parameters; /* parameter_count */
    int parameter_count;
    bool *needed; /* of each objective of the model: it is asked for, or used by one that is */
    lmb_gradient_method *methods; /* of each */
    double *values, *derivatives; /* of all objectives of the model */
    lmb_jet *variables;           /* room: the same */
    lmb_gradient *out;
} finding;

/* --- what is asked for ------------------------------------------------------------------------ */

static lmb_status choose_integrator(finding *f)
{
    const char *word = f->request->integrator;
    if (!word)
        return LMB_OK;
    lmb_nearest nearest = lmb_nearest_start(word);
    for (int i = 0; lmb_integrators[i]; i++) {
        lmb_nearest_try(&nearest, lmb_integrators[i]->name);
        if (strcmp(lmb_integrators[i]->name, word) == 0)
            f->integration.integrator = lmb_integrators[i];
    }
    if (f->integration.integrator)
        return LMB_OK;
    lmb_fail(f->context, LMB_USAGE, "there is no integrator '%s'", word);
    return lmb_nearest_hint(f->context, &nearest);
}

/* Refuses numbers that make no sense, and finds what is named or left open. */
static lmb_status take_request(finding *f)
{
    const lmb_gradient_request *q = f->request;
    lmb_context *c = f->context;
    if (q->method < LMB_GRADIENT_AUTO || q->method > LMB_GRADIENT_DIFFERENCES)
        return lmb_fail(c, LMB_USAGE, "there is no method %d of gradients", (int)q->method);
    if (q->basis < LMB_BASIS_MOVING || q->basis > LMB_BASIS_HELD)
        return lmb_fail(c, LMB_USAGE, "there is no basis %d of gradients", (int)q->basis);
    if (!(q->step >= 0 && isfinite(q->step)))
        return lmb_fail(c, LMB_USAGE, "the step of integration must not be %g", q->step);
    if (!(q->memory >= 0 && isfinite(q->memory)))
        return lmb_fail(c, LMB_USAGE, "the memory of the adjoint method must not be %g", q->memory);
    if (q->jobs < 0)
        return lmb_fail(c, LMB_USAGE, "jobs are threads, from 1 on, not %d", q->jobs);
    if (q->sizes && !q->parameters)
        return lmb_fail(c, LMB_USAGE, "sizes are those of parameters that are named");
    for (int i = 0; q->sizes && q->parameters[i]; i++)
        if (!(q->sizes[i] >= 0 && isfinite(q->sizes[i])))
            return lmb_fail(c, LMB_USAGE, "the size of parameter '%s' must not be %g",
                            q->parameters[i], q->sizes[i]);
    f->integration.step = q->step;
    f->jobs = q->jobs ? q->jobs : lmb_processors();
    return choose_integrator(f);
}

static bool is_listed(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return !names;
}

/* Whether an objective is asked for: by name, or as one of all that the model lists. */
static bool is_wanted(const finding *f, const lmb_objective *o)
{
    return is_listed(f->request->objectives, o->name) && (f->request->objectives || !o->hidden);
}

/* An objective of a name; -1, with a message: there is none. */
static int find_objective(lmb_context *context, const lmb_model *m, const char *name)
{
    lmb_nearest nearest;
    int i = lmb_find_name(m->objectives, sizeof *m->objectives, m->objective_count, name, &nearest);
    if (i < 0) {
        lmb_fail(context, LMB_USAGE, "there is no objective '%s'", name);
        lmb_nearest_hint(context, &nearest);
    }
    return i;
}

/* Marks the objectives that are asked for, and those that they are made of. */
static lmb_status choose_objectives(finding *f)
{
    const lmb_model *m = f->model;
    if (m->objective_count == 0) {
        lmb_fail(f->context, LMB_BAD_INPUT, "%s has no objectives", m->file);
        return lmb_hint(f->context, "add a section such as 'objectives: {reach: {final: "
                                    "tip.position.x, of: swing}}'");
    }
    for (const char *const *name = f->request->objectives; name && *name; name++)
        if (find_objective(f->context, m, *name) < 0)
            return LMB_USAGE;
    f->needed = lmb_arena_alloc(f->arena, (size_t)m->objective_count, sizeof *f->needed);
    if (!f->needed)
        return lmb_fail_memory(f->context);
    for (int i = m->objective_count - 1; i >= 0; i--) {
        const lmb_objective *o = &m->objectives[i];
        f->needed[i] |= is_wanted(f, o);
        for (int j = 0; j < i && f->needed[i] && o->expression; j++)
            f->needed[j] |= lmb_expr_reads(o->expression, j);
    }
    return LMB_OK;
}

/* The parameters by name: those given, or all that may be varied. */
static lmb_status choose_parameters(finding *f)
{
    const lmb_model *m = f->model;
    const char *const *names = f->request->parameters;
    int most = m->constant_count;
    for (const char *const *name = names; name && *name; name++)
        most++;
    f->parameters = lmb_arena_alloc(f->arena, (size_t)most + 1, sizeof *f->parameters);
    if (!f->parameters)
        return lmb_fail_memory(f->context);
    lmb_status status = LMB_OK;
    for (; names && *names; names++) {
        lmb_neighbours *n = &f->parameters[f->parameter_count++];
        n->name = lmb_text_copy(f->arena, *names, strlen(*names));
        lmb_status one = lmb_parameter_find(f->context, f->spec, m, *names, &n->value);
        status = status ? status : one;
    }
    for (int i = 0; i < m->constant_count && !f->request->parameters; i++) {
        const lmb_constant *c = &m->constants[i];
        if (lmb_parameter_is_free(f->spec, m, c->name))
            f->parameters[f->parameter_count++] =
                (lmb_neighbours){.name = lmb_text_copy(f->arena, c->name, strlen(c->name)),
                                 .value = c->symbol.value[0]};
    }
    if (!status && f->parameter_count == 0 && !f->request->parameters)
        status = lmb_fail(f->context, LMB_BAD_INPUT, "%s has no parameters", m->file);
    return status;
}

/* --- neighbours ------------------------------------------------------------------------------- */

/* Whether all that is needed are whole analyses of the neighbours. */
static bool repeats_all(const finding *f)
{
    const lmb_model *m = f->model;
    for (int i = 0; i < m->objective_count; i++) {
        int at = m->objectives[i].analysis;
        if (f->needed[i] && at >= 0 && m->analyses[at].kind == &lmb_analysis_dynamics &&
            !lmb_no_tangent(m, &m->analyses[at]))
            return false;
    }
    return true;
}

/* The neighbours of one parameter. Where none was named, one that the structure depends on, such as
 * a number of elements, is left out: it loses its name. */
static lmb_status compile_parameter(void *data, int p, lmb_context *context)
{
    finding *f = data;
    lmb_neighbours *n = &f->parameters[p];
    const char *name = n->name;
    size_t messages = lmb_message_count(context);
    lmb_spec *spec;
    lmb_status status = lmb_spec_copy(&spec, context, f->spec);
    if (status)
        return status;
    /* whole runs bend more than equations do */
    bool runs = f->request->method == LMB_GRADIENT_DIFFERENCES || repeats_all(f);
    status = lmb_neighbours_near(n, context, spec, f->model, &f->integration, f->request->basis,
                                 name, n->value, f->request->sizes ? f->request->sizes[p] : 0,
                                 runs ? 2.5e-4 : 1e-3);
    lmb_spec_free(spec);
    if (status != LMB_BAD_INPUT || f->request->parameters)
        return status;
    lmb_neighbours_free(n);
    n->name = NULL;
    lmb_messages_forget(context, messages);
    lmb_warn(context, "parameter '%s' is left out: the model has no neighbours there", name);
    lmb_hint(context, "'--by %s' says why", name);
    return LMB_OK;
}

static lmb_status compile_parameters(finding *f)
{
    int kept = 0;
    bool none = f->parameter_count > 0;
    lmb_status status = lmb_crew_run(f->context, f->jobs, compile_parameter, f, f->parameter_count);
    for (int p = 0; p < f->parameter_count; p++)
        if (f->parameters[p].name)
            f->parameters[kept++] = f->parameters[p];
    f->parameter_count = kept;
    if (!status && none && kept == 0)
        status =
            lmb_fail(f->context, LMB_BAD_INPUT, "%s has no parameters to vary", f->model->file);
    return status;
}

/* Whether a text names the modal coordinates of a body. */
static bool names_modes(const char *text, const char *body)
{
    size_t length = strlen(body);
    for (const char *c = strstr(text, body); c; c = strstr(c + 1, body))
        if (strncmp(c + length, ".modes", 6) == 0)
            return true;
    return false;
}

/* Modal coordinates of a body whose modes depend on a parameter mean something else in each
 * neighbour: they have no derivative that would make sense. */
static lmb_status refuse_modes(const finding *f)
{
    const lmb_model *m = f->model;
    for (int p = 0; p < f->parameter_count; p++)
        for (int b = 1; b < m->body_count; b++) {
            bool other = false;
            for (int k = 0; k < LMB_NEIGHBOURS; k++)
                other |= lmb_model_modes_differ(f->parameters[p].models[k], b);
            for (int i = 0; i < m->objective_count && other; i++) {
                const lmb_objective *o = &m->objectives[i];
                if (!f->needed[i] || !names_modes(o->text, m->bodies[b].name))
                    continue;
                lmb_fail_at(f->context, o->place,
                            "objective '%s' uses modal coordinates of '%s', whose modes depend on "
                            "parameter '%s'",
                            o->name, m->bodies[b].name, f->parameters[p].name);
                return lmb_hint(f->context, "use displacements of its points, or stresses");
            }
        }
    return LMB_OK;
}

/* Modes that are held where nodes move are far from those that the body would have. */
static void warn_held(const finding *f)
{
    const lmb_model *m = f->model;
    for (int p = 0; p < f->parameter_count; p++)
        for (int b = 1; b < m->body_count; b++) {
            if (!lmb_model_held_moves(f->parameters[p].models[0], m, b))
                continue;
            lmb_warn(f->context,
                     "parameter '%s' moves nodes of '%s', whose modes are held: the derivative may "
                     "be far from that with moving ones",
                     f->parameters[p].name, m->bodies[b].name);
            lmb_hint(f->context, "compare with --basis moving, or keep more modes");
        }
}

/* Where a motion passes the kink of a force, slopes jump. */
static void warn_kinks(const finding *f)
{
    const lmb_model *m = f->model;
    for (int i = 0; i < m->force_count; i++) {
        const char *kink = m->forces[i].law ? lmb_expr_kink(m->forces[i].law) : NULL;
        if (!kink)
            continue;
        lmb_warn(
            f->context,
            "the law of force '%s' has a kink ('%s'): where the motion passes it, its gradient "
            "is that of the pieces",
            m->forces[i].name, kink);
        lmb_hint(f->context,
                 "smooth it: softplus for max(x, 0), sqrt(x^2 + e^2) for abs(x), sigmoid "
                 "or step for if");
    }
}

/* --- analyses --------------------------------------------------------------------------------- */

/* Copies a history to the result. */
static lmb_status keep_history(finding *f, const lmb_gradient_task *task, const lmb_point_series *s)
{
    lmb_gradient *g = f->out;
    const lmb_model *m = f->model;
    const lmb_analysis *a = &m->analyses[task->analysis];
    size_t points = (size_t)s->count, numbers = points * (size_t)s->width;
    lmb_gradient_history h = {.count = task->count, .points = s->count, .over = a->kind->over};
    if (!g->histories)
        g->histories = lmb_arena_alloc(g->arena, (size_t)m->analysis_count, sizeof *g->histories);
    h.analysis = lmb_text_copy(g->arena, a->name, strlen(a->name));
    h.names = lmb_arena_alloc(g->arena, (size_t)h.count, sizeof *h.names);
    h.t = lmb_arena_numbers(g->arena, points);
    h.values = lmb_arena_numbers(g->arena, numbers);
    if (!lmb_arena_fine(g->arena))
        return lmb_fail_memory(f->context);
    for (int i = 0; i < h.count; i++) {
        const char *name = m->objectives[task->objectives[i]].name;
        h.names[i] = lmb_text_copy(g->arena, name, strlen(name));
    }
    memcpy(h.t, s->t, points * sizeof *h.t);
    memcpy(h.values, s->values, numbers * sizeof *h.values);
    g->histories[g->history_count++] = h;
    return lmb_check_memory(f->context, g->arena);
}

static lmb_status find_of_analysis(finding *f, int analysis)
{
    const lmb_model *m = f->model;
    size_t parameters = (size_t)f->parameter_count;
    int *list = lmb_arena_integers(f->arena, (size_t)m->objective_count + 1);
    lmb_gradient_task task = {.context = f->context,
                              .model = m,
                              .analysis = analysis,
                              .objectives = list,
                              .parameters = f->parameters,
                              .parameter_count = f->parameter_count,
                              .memory = f->request->memory,
                              .jobs = f->jobs};
    for (int i = 0; list && i < m->objective_count; i++)
        if (f->needed[i] && m->objectives[i].analysis == analysis)
            list[task.count++] = i;
    if (list && task.count == 0)
        return LMB_OK;
    task.values = lmb_arena_numbers(f->arena, (size_t)task.count);
    task.derivatives = lmb_arena_numbers(f->arena, (size_t)task.count * parameters);
    if (!lmb_arena_fine(f->arena))
        return lmb_fail_memory(f->context);
    const lmb_analysis *a = &m->analyses[analysis];
    lmb_gradient_method method;
    bool not_unique = false;
    lmb_point_series history = {0};
    task.settles = a->kind != &lmb_analysis_dynamics && lmb_analysis_is_integrated(m, a) &&
                   !f->request->integrator && !(f->request->step > 0) &&
                   (f->parameter_count > 0 || f->request->histories);
    lmb_status status = lmb_task_choose(&task, f->request->method, &method);
    if (status)
        return status;
    task.not_unique = &not_unique;
    task.history = f->request->histories ? &history : NULL;
    size_t messages = lmb_message_count(f->context);
    status = lmb_task_run(&task, f->model, method);
    if (status && not_unique && f->request->method == LMB_GRADIENT_AUTO) {
        lmb_messages_forget(f->context, messages);
        method = LMB_GRADIENT_DIFFERENCES;
        status = lmb_task_run(&task, f->model, method);
    }
    if (!status && history.count)
        status = keep_history(f, &task, &history);
    lmb_point_series_free(&history);
    for (int i = 0; i < task.count && !status; i++) {
        f->methods[list[i]] = method;
        f->values[list[i]] = task.values[i];
        memcpy(f->derivatives + (size_t)list[i] * parameters,
               task.derivatives + (size_t)i * parameters, parameters * sizeof(double));
    }
    return status;
}

/* --- combined objectives ---------------------------------------------------------------------- */

/* The value of a combined objective of a model, of objectives moved by s times their derivatives by
 * parameter p. */
static double combine(const finding *f, const lmb_model *m, int i, int p, double s)
{
    lmb_jet *variables = f->variables, value;
    for (int j = 0; j < i; j++) {
        double slope = f->derivatives[(size_t)j * (size_t)f->parameter_count + (size_t)p];
        variables[j] = (lmb_jet){f->values[j] + s * slope, 0, 0};
    }
    lmb_expr_evaluate(m->objectives[i].expression, 0, variables, &value);
    return value.f;
}

static void find_combined(finding *f)
{
    for (int i = 0; i < f->model->objective_count; i++) {
        if (!f->needed[i] || f->model->objectives[i].kind != LMB_OBJECTIVE_COMBINED)
            continue;
        f->values[i] = combine(f, f->model, i, 0, 0);
        for (int p = 0; p < f->parameter_count; p++) {
            const lmb_neighbours *n = &f->parameters[p];
            double four[LMB_NEIGHBOURS];
            for (int k = 0; k < LMB_NEIGHBOURS; k++)
                four[k] = combine(f, n->models[k], i, p, lmb_neighbours_offset(n, k));
            f->derivatives[(size_t)i * (size_t)f->parameter_count + (size_t)p] =
                lmb_neighbours_slope(n, four);
        }
    }
}

/* Refuse values and derivatives of combined objectives that are not finite. Other objectives were
 * checked before. */
static lmb_status check_finite(const finding *f)
{
    for (int i = 0; i < f->model->objective_count; i++) {
        if (f->needed[i] && !isfinite(f->values[i]))
            return lmb_fail(f->context, LMB_SOLVER,
                            "the value of objective '%s' is not a finite number, though the "
                            "objectives in it are finite",
                            f->model->objectives[i].name);
        for (int p = 0; p < f->parameter_count && f->needed[i]; p++)
            if (!isfinite(f->derivatives[i * f->parameter_count + p]))
                return lmb_fail(f->context, LMB_SOLVER,
                                "the derivative of objective '%s' by '%s' is not a finite number, "
                                "though the objectives in it are finite",
                                f->model->objectives[i].name, f->parameters[p].name);
    }
    return LMB_OK;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Copies what was asked for. */
static lmb_status hand_out(const finding *f, lmb_gradient *g)
{
    const lmb_model *m = f->model;
    size_t parameters = (size_t)f->parameter_count, most = (size_t)m->objective_count;
    g->objectives = lmb_arena_alloc(g->arena, most, sizeof *g->objectives);
    g->methods = lmb_arena_alloc(g->arena, most, sizeof *g->methods);
    g->values = lmb_arena_numbers(g->arena, most);
    g->derivatives = lmb_arena_numbers(g->arena, most * parameters);
    g->parameters = lmb_arena_alloc(g->arena, parameters, sizeof *g->parameters);
    g->parameter_values = lmb_arena_numbers(g->arena, parameters);
    if (!lmb_arena_fine(g->arena))
        return lmb_fail_memory(f->context);
    g->parameter_count = f->parameter_count;
    for (int p = 0; p < f->parameter_count; p++) {
        g->parameters[p] = f->parameters[p].name;
        g->parameter_values[p] = f->parameters[p].value;
    }
    for (int i = 0; i < m->objective_count; i++) {
        if (!is_wanted(f, &m->objectives[i]))
            continue;
        int at = g->objective_count++;
        g->objectives[at] =
            lmb_text_copy(g->arena, m->objectives[i].name, strlen(m->objectives[i].name));
        g->methods[at] = f->methods[i];
        g->values[at] = f->values[i];
        memcpy(g->derivatives + (size_t)at * parameters, f->derivatives + (size_t)i * parameters,
               parameters * sizeof(double));
    }
    return lmb_check_memory(f->context, g->arena);
}

static lmb_status find(finding *f)
{
    const lmb_model *like = f->spec->like;
    f->spec->like = f->request->like ? f->request->like : like;
    lmb_status status = lmb_model_compile(&f->model, f->context, f->spec);
    f->spec->like = like;
    if (status || (status = choose_objectives(f)) || (status = choose_parameters(f)) ||
        (status = lmb_prepare_analyses(f->context, f->model, &f->integration)))
        return status;
    size_t count = (size_t)f->model->objective_count;
    f->methods = lmb_arena_alloc(f->arena, count, sizeof *f->methods);
    f->variables = lmb_arena_alloc(f->arena, count, sizeof *f->variables);
    f->values = lmb_arena_numbers(f->arena, count);
    f->derivatives = lmb_arena_numbers(f->arena, count * (size_t)f->parameter_count);
    if ((status = lmb_check_memory(f->context, f->arena)) || (status = compile_parameters(f)))
        return status;
    if ((status = refuse_modes(f)))
        return status;
    warn_held(f);
    if (f->parameter_count > 0)
        warn_kinks(f);
    for (int i = 0; i < f->model->analysis_count && !status; i++)
        status = find_of_analysis(f, i);
    if (status)
        return status;
    find_combined(f);
    return check_finite(f);
}

lmb_status lmb_gradient_find(lmb_gradient **out, lmb_context *context, const lmb_spec *spec,
                             const lmb_gradient_request *request)
{
    static const lmb_gradient_request everything = {0};
    LMB_REQUIRE_OUT(context, out, spec);
    lmb_arena *arena;
    lmb_gradient *g = lmb_arena_object(&arena, sizeof *g);
    if (!g)
        return lmb_fail_memory(context);
    g->arena = arena;
    finding f = {
        .context = context, .request = request ? request : &everything, .arena = arena, .out = g};
    lmb_status status = take_request(&f);
    if (!status)
        status = lmb_spec_copy(&f.spec, context, spec);
    if (!status)
        status = find(&f);
    if (!status)
        status = hand_out(&f, g);
    for (int p = 0; p < f.parameter_count; p++)
        lmb_neighbours_free(&f.parameters[p]);
    lmb_model_free(f.model);
    lmb_spec_free(f.spec);
    if (status)
        lmb_gradient_free(g);
    else
        *out = g;
    return status;
}

void lmb_gradient_free(lmb_gradient *g)
{
    if (g)
        lmb_arena_free(g->arena);
}
