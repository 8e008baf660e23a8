/* Fits of parameters to measurements. */
#include "study/fit.h"

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "channels/channels.h"
#include "channels/component.h"
#include "measure/measurement.h"
#include "channels/functional.h"

typedef struct fitting {
    lmb_study_work work;
    lmb_fitted *out;
    int analysis;
    const char *const *names;    /* of the hidden objectives of the columns, ended by NULL */
    const char *const *unknowns; /* names of the variables, ended by NULL, */
    double *sizes;               /* and how large they are where one comes near to 0 */
} fitting;

/* --- the measurement -------------------------------------------------------------------------- */

/* The unit of an expression that is a channel with one, or a component of it; NULL: it is neither.
 */
static const char *unit_of(const fitting *f, const lmb_channels *channels, const char *text)
{
    const lmb_channel *list = lmb_channels_list(channels);
    for (int i = 0; i < lmb_channels_count(channels); i++) {
        size_t length = strlen(list[i].name);
        if (strncmp(list[i].name, text, length) != 0)
            continue;
        for (int k = 0; k < list[i].size; k++) {
            char part[16];
            if (list[i].unit[0] &&
                strcmp(text + length, lmb_component_name(&list[i], k, part)) == 0)
                return lmb_text_copy(f->out->arena, list[i].unit, strlen(list[i].unit));
        }
    }
    return NULL;
}

/* What makes the numbers of a column those of its channel. */
static double unit_factor(const fitting *f, const lmb_measurement *m, int column,
                          const lmb_fit_column *c, const char *unit)
{
    double factor;
    if (!lmb_measurement_factor(m, column, unit, &factor))
        lmb_warn_at(f->work.context, c->place,
                    "column '%s' is in %s, which cannot be made %s: its "
                    "numbers are taken as they are",
                    c->column, m->table.units[column], unit[0] ? unit : "a number without a unit");
    return factor;
}

/* Takes the values of a column that lie within the analysis. */
static lmb_status take_column(fitting *f, const lmb_measurement *m, const double *times,
                              const lmb_fit_column *c, const char *unit, lmb_fit_series *out)
{
    const lmb_analysis *a = &f->work.model->analyses[f->analysis];
    double from = a->start, to = a->start + a->duration, rounding = 1e-9 * (fabs(to) + a->duration);
    int column, outside = 0;
    lmb_status status = lmb_measurement_column(m, c->column, &column);
    if (status)
        return lmb_fail_at(f->work.context, c->place, "'%s' has no column '%s'", m->path,
                           c->column);
    size_t rows = (size_t)m->table.rows;
    lmb_arena *arena = f->out->arena;
    *out = (lmb_fit_series){.column = lmb_text_copy(arena, c->column, strlen(c->column)),
                            .channel = lmb_text_copy(arena, c->channel, strlen(c->channel)),
                            .unit = unit ? unit : "",
                            .weight = c->weight,
                            .t = lmb_arena_numbers(arena, rows),
                            .y = lmb_arena_numbers(arena, rows),
                            .before = lmb_arena_numbers(arena, rows),
                            .after = lmb_arena_numbers(arena, rows)};
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(f->work.context);
    double factor = unit_factor(f, m, column, c, unit);
    for (int i = 0; i < m->table.rows; i++) {
        double t = times[i] + f->work.study->shift, y = lmb_measurement_value(m, i, column);
        bool inside = t >= from - rounding && t <= to + rounding;
        outside += !inside;
        if (!inside || isnan(y))
            continue;
        out->t[out->count] = fmin(fmax(t, from), to);
        out->y[out->count++] = factor * y;
    }
    if (out->count == 0) {
        lmb_fail_at(f->work.context, c->place,
                    "column '%s' of '%s' has no values from t = %g to %g s, where analysis '%s' is",
                    c->column, m->path, from, to, a->name);
        return lmb_hint(f->work.context, "'shift' moves its times");
    }
    if (outside > 0)
        lmb_warn_at(f->work.context, c->place,
                    "%d of %d values of column '%s' are outside of analysis '%s' and do not count",
                    outside, m->table.rows, c->column, a->name);
    f->out->value_count += out->count;
    return LMB_OK;
}

static lmb_status read_measurement(fitting *f)
{
    const lmb_study *s = f->work.study;
    lmb_fitted *out = f->out;
    lmb_measurement m;
    lmb_channels *channels = NULL;
    double *times = NULL;
    lmb_status status =
        lmb_measurement_read(f->work.context, out->arena, s->file, s->rate, s->comma, &m);
    if (!status && m.times < 0 && !(m.rate > 0)) {
        lmb_fail_at(f->work.context, s->place, "'%s' has no column of times", m.path);
        return lmb_hint(f->work.context, "give the sampling rate in Hz, such as 'rate: 1000'");
    }
    if (!status)
        status = lmb_measurement_times(&m, &times);
    if (!status)
        status = lmb_channels_new(&channels, f->work.context, f->work.model,
                                  f->work.model->analyses[f->analysis].kind->known);
    out->file = lmb_text_copy(out->arena, lmb_file_name(s->file), strlen(lmb_file_name(s->file)));
    out->series = lmb_arena_alloc(out->arena, (size_t)s->column_count, sizeof *out->series);
    for (int i = 0; i < s->column_count && !status; i++) {
        const lmb_fit_column *c = &s->columns[i];
        status = take_column(f, &m, times, c, unit_of(f, channels, c->channel),
                             &out->series[out->series_count++]);
    }
    lmb_channels_free(channels);
    if (!status && out->value_count < s->variable_count)
        status = lmb_fail_at(f->work.context, s->place, "%d values cannot tell %d parameters",
                             out->value_count, s->variable_count);
    return status ? status : lmb_check_memory(f->work.context, out->arena);
}

/* --- residuals -------------------------------------------------------------------------------- */

/* The history of a gradient that has an expression, and its number there. */
static const lmb_gradient_history *history_of(const lmb_gradient *g, const char *name, int *at)
{
    for (int i = 0; i < g->history_count; i++)
        for (*at = 0; *at < g->histories[i].count; ++*at)
            if (strcmp(g->histories[i].names[*at], name) == 0)
                return &g->histories[i];
    return NULL;
}

/* The residuals of all columns and, unless it is NULL, their derivatives. */
static lmb_status take_histories(fitting *f, const lmb_gradient *g, double *r, double *J)
{
    int n = f->out->variable_count, row = 0;
    for (int c = 0; c < f->out->series_count; c++) {
        lmb_fit_series *s = &f->out->series[c];
        int at;
        const lmb_gradient_history *h = history_of(g, f->names[c], &at);
        if (!h)
            return lmb_fail(f->work.context, LMB_SOLVER,
                            "the derivatives of '%s' over time are not known: its instants change "
                            "with the parameters",
                            s->channel);
        int stride = h->count * (1 + g->parameter_count);
        lmb_series_view view = {h->points, h->t, h->values + at, stride, false};
        double root = sqrt(s->weight);
        for (int i = 0; i < s->count; i++, row++) {
            lmb_spot spot = lmb_spot_at(&view, s->t[i]);
            r[row] = root * (spot.value - s->y[i]);
            s->after[i] = spot.value;
            for (int p = 0; J && p < n; p++) {
                double slope = 0;
                for (int k = 0; k < spot.count; k++)
                    slope += spot.w[k] * h->values[(size_t)(spot.first + k) * (size_t)stride +
                                                   (size_t)((p + 1) * h->count + at)];
                J[row * n + p] = root * slope;
                if (!isfinite(slope))
                    return lmb_fail(f->work.context, LMB_SOLVER,
                                    "the derivative of '%s' by '%s' is not a finite number at t = "
                                    "%.9g",
                                    s->channel, f->unknowns[p], s->t[i]);
            }
        }
    }
    return LMB_OK;
}

static int evaluate(void *user, const double *x, double *r, double *J)
{
    static const char *const none[] = {NULL};
    fitting *f = user;
    lmb_gradient_request request = {.objectives = f->names,
                                    .parameters = J ? f->unknowns : none,
                                    .sizes = f->sizes,
                                    .method = J ? LMB_GRADIENT_AUTO : LMB_GRADIENT_DIFFERENCES,
                                    .histories = true};
    const char *failure;
    lmb_gradient *g = lmb_trials_gradient(f->work.trials, x, &request, &failure);
    if (!g && !failure)
        return -1;
    double sum = 0;
    lmb_status status = g ? take_histories(f, g, r, J) : LMB_OK;
    for (int i = 0; g && !status && i < f->out->value_count; i++)
        sum += r[i] * r[i];
    lmb_gradient_free(g);
    const lmb_trial *t =
        status ? NULL : lmb_trials_record(f->work.trials, 0, x, &sum, NULL, failure);
    return !t ? -1 : t->failure ? 1 : 0;
}

/* --- results ---------------------------------------------------------------------------------- */

static double rms(const lmb_fit_series *s, const double *model)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += (model[i] - s->y[i]) * (model[i] - s->y[i]);
    return sqrt(sum / s->count);
}

/* Keeps the model as it is at the measured instants: with its own parameters. */
static void keep_before(fitting *f)
{
    for (int c = 0; c < f->out->series_count; c++) {
        lmb_fit_series *s = &f->out->series[c];
        memcpy(s->before, s->after, (size_t)s->count * sizeof *s->before);
        s->rms_before = rms(s, s->before);
    }
}

static void take_errors(fitting *f, const lmb_least_squares *l)
{
    lmb_fitted *out = f->out;
    int n = out->variable_count, held = 0;
    for (int i = 0; i < n; i++) {
        out->held[i] = l->held[i];
        held += l->held[i];
        out->errors[i] = sqrt(l->covariance[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double size = out->errors[i] * out->errors[k];
            out->correlations[i * n + k] = i == k     ? 1
                                           : size > 0 ? l->covariance[i * n + k] / size
                                                      : NAN;
        }
    out->told_apart = l->rank == n - held;
    out->direction = l->direction;
}

static void warn_end(const fitting *f)
{
    const lmb_fitted *out = f->out;
    lmb_context *c = f->work.context;
    lmb_place place = f->work.study->place;
    if (out->end == LMB_SQUARES_LIMIT) {
        lmb_warn_at(c, place, "the fit ended after %d steps, before it had converged", out->steps);
        lmb_hint(c, "allow more 'evaluations'; --resume goes on from here");
    }
    for (int i = 0; i < out->variable_count; i++)
        if (out->held[i])
            lmb_warn_at(c, f->work.study->variables[i].place,
                        "'%s' is held at its bound %.9g, where the fit would leave it",
                        out->variables[i], out->x[i]);
    if (!out->told_apart) {
        lmb_warn_at(c, place,
                    "the measurement does not tell all parameters apart: their standard "
                    "errors mean nothing");
        lmb_hint(c, "leave one of them out, or measure something else besides");
    }
}

/* The best trial of an earlier session is where it goes on. */
static void go_on(fitting *f)
{
    double least = INFINITY;
    for (int i = 0; i < lmb_trials_count(f->work.trials); i++) {
        const lmb_trial *t = lmb_trials_at(f->work.trials, i);
        if (t->failure || !(t->values[0] < least))
            continue;
        least = t->values[0];
        memcpy(f->out->x, t->x, (size_t)f->out->variable_count * sizeof *t->x);
    }
}

static lmb_status keep_course(fitting *f)
{
    lmb_fitted *out = f->out;
    out->run_count = lmb_trials_runs(f->work.trials);
    out->course = lmb_arena_numbers(out->arena, (size_t)lmb_trials_count(f->work.trials));
    if (!out->course)
        return lmb_fail_memory(f->work.context);
    for (int i = 0; i < lmb_trials_count(f->work.trials); i++)
        out->course[out->course_count++] = lmb_trials_at(f->work.trials, i)->values[0];
    return LMB_OK;
}

static lmb_status list_variables(fitting *f)
{
    const lmb_study *s = f->work.study;
    lmb_fitted *out = f->out;
    size_t n = (size_t)s->variable_count;
    const char **names = lmb_arena_alloc(out->arena, n + 1, sizeof *names);
    out->lower = lmb_arena_numbers(out->arena, n);
    out->upper = lmb_arena_numbers(out->arena, n);
    out->x = lmb_arena_numbers(out->arena, n);
    out->errors = lmb_arena_numbers(out->arena, n);
    out->correlations = lmb_arena_numbers(out->arena, n * n);
    out->held = lmb_arena_alloc(out->arena, n, sizeof *out->held);
    f->sizes = lmb_arena_numbers(out->arena, n);
    if (!lmb_arena_fine(out->arena))
        return lmb_fail_memory(f->work.context);
    out->variables = names;
    out->variable_count = s->variable_count;
    out->start = f->work.start;
    lmb_status status = LMB_OK;
    for (int i = 0; i < s->variable_count; i++) {
        const lmb_variable *v = &s->variables[i];
        bool bounded = v->kind == LMB_VARIABLE_RANGE;
        names[i] = lmb_text_copy(out->arena, v->name, strlen(v->name));
        out->lower[i] = bounded ? v->numbers[0] : -INFINITY;
        out->upper[i] = bounded ? v->numbers[1] : INFINITY;
        out->x[i] = out->start[i];
        f->sizes[i] = bounded          ? 0.1 * (v->numbers[1] - v->numbers[0])
                      : out->x[i] != 0 ? fabs(out->x[i])
                                       : 1;
        if (out->x[i] < out->lower[i] || out->x[i] > out->upper[i]) {
            status = lmb_fail_at(f->work.context, v->place,
                                 "the fit begins with %s = %.9g, outside of its bounds %.9g and "
                                 "%.9g",
                                 v->name, out->x[i], out->lower[i], out->upper[i]);
            lmb_hint(f->work.context, "begin elsewhere with --set, or widen the bounds");
        }
    }
    f->unknowns = names;
    return lmb_arena_fine(out->arena) ? status : lmb_fail_memory(f->work.context);
}

/* Why an evaluation ended the fit. */
static lmb_status stopped(const fitting *f)
{
    lmb_status status = lmb_trials_status(f->work.trials);
    return status ? status : lmb_last_status(f->work.context);
}

static lmb_status find(fitting *f)
{
    static const char *const sum[] = {"sum_of_squares", NULL};
    const lmb_study *s = f->work.study;
    lmb_fitted *out = f->out;
    int *columns = lmb_arena_integers(out->arena, (size_t)s->column_count);
    lmb_status status = columns ? list_variables(f) : lmb_fail_memory(f->work.context);
    f->analysis = f->work.model->objectives[s->columns[0].objective].analysis;
    if (status || (status = read_measurement(f)))
        return status;
    for (int i = 0; i < s->column_count; i++)
        columns[i] = s->columns[i].objective;
    f->names = lmb_study_names(&f->work, s->column_count, columns);
    double *r = lmb_arena_numbers(out->arena, (size_t)out->value_count);
    if (!r || !f->names)
        return lmb_fail_memory(f->work.context);
    if ((status = lmb_study_open(&f->work, 1, sum, 0, NULL, 0)))
        return status;
    int got = evaluate(f, out->start, r, NULL);
    if (got < 0)
        return stopped(f);
    const lmb_trial *first = lmb_trials_at(f->work.trials, lmb_trials_count(f->work.trials) - 1);
    if (got > 0)
        return lmb_fail(f->work.context, LMB_SOLVER,
                        "the model cannot be run with the parameters it begins with: %s",
                        first->failure);
    out->start_sum = first->values[0];
    keep_before(f);
    go_on(f);
    lmb_least_squares_task task = {.n = out->variable_count,
                                   .residuals = out->value_count,
                                   .evaluate = evaluate,
                                   .user = f,
                                   .lower = out->lower,
                                   .upper = out->upper,
                                   .tolerance = s->tolerance,
                                   .most = s->evaluations};
    lmb_least_squares l = lmb_least_squares_solve(&task, out->arena, out->x);
    if (l.end == LMB_SQUARES_STOPPED)
        return stopped(f);
    if (l.end == LMB_SQUARES_FAILED)
        return lmb_fail(
            f->work.context, LMB_SOLVER, "the fit cannot be begun: %s",
            lmb_trials_at(f->work.trials, lmb_trials_count(f->work.trials) - 1)->failure);
    out->end = l.end;
    out->steps = l.steps;
    out->sum = l.sum;
    take_errors(f, &l);
    if (evaluate(f, out->x, r, NULL) < 0)
        return stopped(f);
    for (int c = 0; c < out->series_count; c++)
        out->series[c].rms_after = rms(&out->series[c], out->series[c].after);
    warn_end(f);
    if ((status = keep_course(f)) || (status = lmb_study_keep_run(&f->work, "before", NULL)))
        return status;
    return lmb_study_keep_run(&f->work, "after", out->x);
}

lmb_status lmb_fit_study(lmb_fitted **out, lmb_context *context, const lmb_spec *spec,
                         const lmb_study_options *options, lmb_study_finish *finish)
{
    lmb_arena *arena;
    lmb_fitted *fitted = lmb_arena_object(&arena, sizeof *fitted);
    *out = NULL;
    if (!fitted)
        return lmb_fail_memory(context);
    fitted->arena = arena;
    fitting f = {.out = fitted};
    lmb_status status = lmb_study_begin(&f.work, context, arena, spec, LMB_STUDY_FIT, options);
    if (!status) {
        fitted->name = lmb_text_copy(arena, f.work.study->name, strlen(f.work.study->name));
        status = find(&f);
    }
    status = lmb_study_end(&f.work, status, finish, fitted);
    if (status)
        lmb_fitted_free(fitted);
    else
        *out = fitted;
    return status;
}

void lmb_fitted_free(lmb_fitted *fitted)
{
    if (fitted)
        lmb_arena_free(fitted->arena);
}
