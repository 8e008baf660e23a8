#include "related_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "program.h"
#include "read/reader.h"
#include "support.h"
#include "system/saddle.h"

enum { MOST_UNITS = 40 };

/* --- runs ------------------------------------------------------------------------------------- */

model_run compile_text(const char *file, const char *text)
{
    model_run r = {.context = lmb_context_new()};
    lmb_spec *spec = NULL;
    if (!lmb_spec_parse(&spec, r.context, file, text)) {
        spec->no_cache = true;
        lmb_model_compile(&r.model, r.context, spec);
    }
    lmb_spec_free(spec);
    return r;
}

void free_model_run(model_run *r)
{
    lmb_result_close(r->result);
    lmb_model_free(r->model);
    lmb_context_free(r->context);
    free(r->scales);
}

const char *first_error(const model_run *r)
{
    for (size_t i = 0; i < lmb_message_count(r->context); i++)
        if (lmb_message_at(r->context, i)->severity == LMB_ERROR)
            return lmb_message_at(r->context, i)->text;
    return "";
}

static bool stop_halfway(void *user, const char *what, double fraction)
{
    int *calls = user;
    (void)what;
    (void)fraction;
    return --*calls == 0;
}

static bool run_and_resume(model_run *r, int calls)
{
    bool complete = false;
    const char *path = scratch_path("relations.h5");
    remove(path);
    lmb_context_on_progress(r->context, stop_halfway, &calls);
    lmb_status status = lmb_run(r->context, r->model, NULL, path);
    lmb_context_on_progress(r->context, NULL, NULL);
    if (calls <= 0 && status)
        status = lmb_resume(r->context, r->model, NULL, path, &complete);
    if (status == LMB_IO) /* it was stopped before there was a result */
        status = lmb_run(r->context, r->model, NULL, path);
    return !status && !lmb_result_open(&r->result, r->context, path);
}

void run_model(model_run *r, int calls)
{
    if (!r->model)
        return;
    r->complete = calls > 0 ? run_and_resume(r, calls)
                            : !lmb_run_to_memory(&r->result, r->context, r->model, NULL);
}

/* --- changes of compiled models ----------------------------------------------------------------
 */

void take_solver(lmb_model *m, uint64_t seed)
{
    for (int i = 0; i < m->analysis_count; i++)
        m->analyses[i].solver = &lmb_saddle_families[seed % 4];
}

void take_threads(lmb_model *m, uint64_t seed)
{
    (void)seed;
    for (int i = 0; i < m->analysis_count; i++)
        m->analyses[i].threads = 2;
}

void select_results(lmb_model *m, uint64_t seed)
{
    static lmb_channel_pattern positions = {.text = "*position*"};
    (void)seed;
    for (int i = 0; i < m->analysis_count; i++) {
        m->analyses[i].results = &positions;
        m->analyses[i].result_count = 1;
    }
}

/* --- scales ----------------------------------------------------------------------------------- */

/* The largest values of each unit in a model. */
typedef struct unit_scales {
    struct {
        char unit[24];
        double largest;
    } of[MOST_UNITS];
    int count;
} unit_scales;

static double *scale_of(unit_scales *scales, const char *unit)
{
    int i = 0;
    while (i < scales->count && strcmp(scales->of[i].unit, unit) != 0)
        i++;
    assert_true(i < MOST_UNITS);
    if (i == scales->count) {
        snprintf(scales->of[i].unit, sizeof scales->of[i].unit, "%s", unit);
        scales->of[i].largest = 0;
        scales->count++;
    }
    return &scales->of[i].largest;
}

lmb_series read_series(const model_run *r, int analysis, const char *channel)
{
    char name[300];
    lmb_series s;
    snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(r->result, analysis), channel);
    if (lmb_result_read(r->result, r->context, name, &s))
        fail_msg("%s cannot be read", name);
    return s;
}

static unit_scales *find_scales(model_run *r)
{
    unit_scales *scales = r->scales;
    if (scales)
        return scales;
    r->scales = scales = calloc(1, sizeof *scales);
    assert_non_null(scales);
    for (int a = 0; a < lmb_result_analysis_count(r->result); a++)
        for (int i = 0; i < lmb_result_channel_count(r->result, a); i++) {
            const lmb_channel *c = lmb_result_channel(r->result, a, i);
            lmb_series s = read_series(r, a, c->name);
            double *scale = scale_of(scales, c->unit);
            for (int k = 0; k < s.count * s.size; k++)
                if (fabs(s.values[k]) > *scale) /* NaN does not count */
                    *scale = fabs(s.values[k]);
            lmb_series_free(&s);
        }
    return scales;
}

static double least_scale(const char *unit, bool adaptive);

/* The largest value of a unit. Turns count as the lengths that they move points 1 m away. */
static double largest_value(model_run *r, const char *unit)
{
    unit_scales *scales = find_scales(r);
    const char *rate = strncmp(unit, "rad/s", 5) == 0 ? unit + 3 : NULL;
    char length[8] = "m";
    if (rate)
        snprintf(length + 1, sizeof length - 1, "%s", rate);
    return fmax(*scale_of(scales, unit), rate ? *scale_of(scales, length) : 0);
}

double scale_of_channel(model_run *r, const lmb_channel *c)
{
    return fmax(largest_value(r, c->unit), least_scale(c->unit, false));
}

static bool is_position(const char *unit)
{
    return strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0;
}

/* The least scale of a unit. Generated models measure 0.4 m, which the tolerance of adaptive steps
 * refers to (a radian for angles), and move by 0.01 m; their masses of some kg are accelerated by
 * gravity. Smaller values are rounding. */
static double least_scale(const char *unit, bool adaptive)
{
    bool motion = strstr(unit, "s^2") == NULL && (unit[0] == 'm' || strncmp(unit, "rad", 3) == 0);
    if (adaptive && is_position(unit))
        return unit[0] == 'm' ? 0.4 : 1;
    return motion ? 0.01 : 1;
}

/* --- which channels --------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

double analysis_tolerance(const lmb_model *m, const lmb_analysis *a)
{
    double tolerance = lmb_analysis_is_integrated(m, a) ? a->integration.tolerance : 0;
    for (int i = 0; i < m->record_count && a->without.driver_count > 0; i++) /* played back */
        tolerance = fmax(tolerance, analysis_tolerance(m, &m->analyses[m->records[i].source]));
    return a->from < 0 ? tolerance : fmax(tolerance, analysis_tolerance(m, &m->analyses[a->from]));
}

/* Return whether a wheel rolls, which rests where the search for an equilibrium has rolled it to.
 */
static bool rolls(const lmb_model *m)
{
    bool any = false;
    for (int r = 0; r < m->nrows; r++)
        any |= m->parts.rows[r].velocity_level;
    return any;
}

/* Return whether an analysis, or one that it goes on from, depends on the order of coordinates:
 * pivots of a matrix choose those that are held while a shape is looked for, and the independent
 * ones of coordinate partitioning. */
static bool depends_on_order(const lmb_model *m, const lmb_analysis *a)
{
    const lmb_integration *o = &a->integration;
    bool partitioned = a->kind == &lmb_analysis_dynamics && !o->integrator->implicit &&
                       o->stabilisation == LMB_PARTITIONING;
    bool source = false;
    for (int i = 0; i < m->record_count && a->without.driver_count > 0; i++)
        source |= depends_on_order(m, &m->analyses[m->records[i].source]);
    bool rests = a->kind == &lmb_analysis_statics || a->kind == &lmb_analysis_load_path ||
                 a->kind == &lmb_analysis_modes;
    return source || partitioned || (o->begin && o->begin->elastic) || (rests && rolls(m)) ||
           (a->from >= 0 && depends_on_order(m, &m->analyses[a->from]));
}

/* Return the number of steps of an analysis and of the analyses that it begins from or plays back.
 */
static double steps_of(const model_run *r, const lmb_analysis *a)
{
    const lmb_model *m = r->model;
    char name[80];
    const char *text = lmb_result_text(r->result, "summary");
    snprintf(name, sizeof name, "\"name\": \"%s\"", a->name);
    text = text ? strstr(text, name) : NULL;
    text = text ? strstr(text, "\"steps\": ") : NULL;
    double steps = text ? strtod(text + strlen("\"steps\": "), NULL) : 0;
    for (int i = 0; i < m->record_count && a->without.driver_count > 0; i++)
        steps = fmax(steps, steps_of(r, &m->analyses[m->records[i].source]));
    return steps + (a->from < 0 ? 0 : steps_of(r, &m->analyses[a->from]));
}

/* Return whether a channel is a vector in global axes. */
static bool is_global(int dimension, const lmb_channel *c, int size)
{
    return size % dimension == 0 && strncmp(c->components, "xyz", (size_t)dimension) == 0 &&
           !strstr(c->doc, "axes of") && !strstr(c->doc, "same axes") &&
           !strstr(c->doc, "body axes") && !strstr(c->doc, "its axes");
}

/* Return whether a relation does not keep a channel that it changes in a known way. */
static bool is_left_out_of_form(const generated_form *form, const lmb_channel *c)
{
    /* orientations; and axes of the first end, which on the ground do not turn: where rates do not
     * quite satisfy the constraints, those of angles depend on the axes */
    if (form->turned || form->mirrored)
        return ends_with(c->name, "quaternion") || ends_with(c->name, ".rotation") ||
               ends_with(c->name, "nodes_angle") || strstr(c->doc, "axes of the first") ||
               ends_with(c->name, ".angle_velocity") || ends_with(c->name, ".angle_acceleration") ||
               (ends_with(c->name, ".speed") && c->unit[0] == 'r') || strstr(c->doc, "same axes");
    /* mass-normalised modal coordinates, sensors and events have quantities without their units */
    return form->length > 0 && (strstr(c->name, "modes") || ends_with(c->name, ".value") ||
                                strcmp(c->doc, "Sensor.") == 0);
}

static bool is_left_out(const comparison *how, const lmb_analysis *a, double tolerance,
                        const lmb_channel *c)
{
    if (how->allowed == 0 && how->tolerances == 0)
        return false;
    if (strncmp(c->name, "constraints.", 12) == 0) /* rounding */
        return true;
    if (how->positions_only || tolerance > 0) /* errors of rates are larger by a frequency */
        if (!is_position(c->unit))
            return true;
    if (how->added && strncmp(c->name, "energy.", 7) == 0) /* sums over all bodies */
        return true;
    if (how->cut && ends_with(c->name, ".normal")) /* it is at least a part of the weight */
        return true;
    if (ends_with(c->name, "stress.node") || ends_with(c->name, "stress.correction") ||
        ends_with(c->name, "stress_coordinates"))
        return true; /* a place out of several with nearly the same stress */
    if (a->kind == &lmb_analysis_modes && strncmp(c->name, "modes.", 6) != 0)
        return true; /* shapes of damped modes have a phase that depends on the order of bodies */
    if (how->from_event &&
        (strcmp(c->name, "energy.supplied") == 0 || strcmp(c->name, "energy.dissipated") == 0 ||
         strcmp(c->name, "energy.balance") == 0))
        return true;
    return how->form && is_left_out_of_form(how->form, c);
}

/* --- comparing -------------------------------------------------------------------------------- */

void note_difference(worst_channel *w, double difference, double allowed, const char *where)
{
    double excess = allowed > 0 ? difference / allowed : difference > 0 ? INFINITY : 0;
    w->compared++;
    if (excess <= w->excess)
        return;
    *w = (worst_channel){excess, difference, allowed, "", w->compared};
    snprintf(w->where, sizeof w->where, "%.*s", (int)sizeof w->where - 1, where);
}

/* Bring a channel of the turned form back to the plain form. */
static void turn_back(int dimension, const lmb_channel *c, lmb_series *s)
{
    vec3 shift = generated_shift(dimension);
    if (!is_global(dimension, c, s->size))
        return;
    bool point = ends_with(c->name, "position") || ends_with(c->name, ".nodes");
    for (int k = 0; k < s->count * s->size; k += dimension) {
        double x[3] = {0};
        for (int i = 0; i < dimension; i++)
            x[i] = s->values[k + i];
        vec3 v = v3_sub(v3_of(x), point ? shift : v3(0, 0, 0));
        for (int i = 0; i < dimension; i++)
            s->values[k + i] = v3_dot(v, generated_turn(dimension, v3_axis(i)));
    }
}

/* Bring a channel of the other run back; angles may count from other axes, so take the first value
 * from them in both. */
static void bring_back(const comparison *how, int dimension, const lmb_channel *c, lmb_series *x,
                       lmb_series *y)
{
    const generated_form *form = how->form;
    if (!form)
        return;
    if (form->turned)
        turn_back(dimension, c, y);
    double factor = generated_factor(form, c->unit);
    bool counts = (form->turned || form->mirrored) && strcmp(c->unit, "rad") == 0 && x->size == 1;
    double x0 = counts ? x->values[0] : 0, y0 = counts ? y->values[0] : 0;
    for (int k = 0; k < y->count * y->size; k++)
        y->values[k] = (y->values[k] - y0) / factor;
    for (int k = 0; k < x->count * x->size; k++)
        x->values[k] -= x0;
}

/* The distance of two numbers; NaN is equal to NaN. */
static double distance_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : INFINITY;
    return fabs(a - b);
}

/* How a channel is compared. */
typedef struct channel_scale {
    double scale, allowed;
    bool modes, signs_free, last_row;
    const char *where;
} channel_scale;

/* Compare the rows of a channel from the last one back. The signs of rows are free in modes, the
 * signs of components in mirrored models. */
static void compare_series(worst_channel *w, const lmb_series *a, const lmb_series *b,
                           const channel_scale *of)
{
    int rows = of->last_row ? 1 : a->count < b->count ? a->count : b->count;
    const double *x = a->values + (a->count - rows) * a->size;
    const double *y = b->values + (b->count - rows) * b->size;
    char where[600];
    int step = of->modes ? 1 : rows, width = of->signs_free ? 1 : a->size;
    for (int row = 0; row < rows; row += step)
        for (int k = 0; k < a->size; k += width) {
            double plus = 0, minus = 0;
            int at = row;
            for (int r = row; r < row + step; r++)
                for (int i = k; i < k + width; i++) {
                    double here = distance_of(x[r * a->size + i], y[r * a->size + i]);
                    at = here > plus ? r : at;
                    plus = fmax(plus, here);
                    minus = fmax(minus, distance_of(x[r * a->size + i], -y[r * a->size + i]));
                }
            snprintf(where, sizeof where, "%s, row %d of %d", of->where, at + 1, rows);
            bool either = of->modes || of->signs_free;
            w->compared += step * width - 1;
            note_difference(w, (either ? fmin(plus, minus) : plus) / of->scale, of->allowed, where);
        }
}

static bool deforms(const lmb_model *m)
{
    bool any = false;
    for (int i = 1; i < m->body_count; i++)
        any |= m->bodies[i].ops->highest_frequency != NULL;
    return any;
}

/* Joints close to 1e-11 of the length, and implicit steps to rounding over the square of a step.
 * Squares of frequencies of deformations (1e6/s^2) make 4e-7 of gravity of this, in accelerations
 * and forces. */
static double rates_within(const lmb_model *m)
{
    return deforms(m) ? 1e-6 : 1e-7;
}

/* The difference that an analysis may have, or -1 if it is not compared. */
static double allowed_in(const comparison *how, const model_run *base, const lmb_analysis *a,
                         double tolerance)
{
    double base_tolerance = analysis_tolerance(base->model, a);
    bool exact = how->allowed == 0 && how->tolerances == 0;
    if (how->adaptive_only && base_tolerance == 0)
        return -1;
    const lmb_integrator *method = a->integration.integrator;
    bool explicit = a->kind == &lmb_analysis_dynamics && !method->implicit && !method->controlled;
    if (explicit && deforms(base->model) && !exact)
        return -1; /* vibrations of such equal steps grow, and rounding with them */
    if (tolerance > 0 && a->without.driver_count > 0 && !exact)
        return -1; /* efforts that are played back have the errors of accelerations */
    if (exact || tolerance == 0)
        return how->allowed;
    /* the errors of steps add up, and grow where bodies are soft */
    return how->tolerances > 0 ? how->tolerances * fmax(10, steps_of(base, a)) * tolerance : -1;
}

static void compare_channel(worst_channel *w, const comparison *how, const model_run *base, int a,
                            const model_run *other, int b, const lmb_channel *c, channel_scale *of)
{
    char name[300], full[500];
    lmb_series x = read_series(base, a, c->name), y;
    snprintf(name, sizeof name, "%s", c->name);
    for (char *p = name; how->renamed && (p = strstr(p, generated_prefix)); p++)
        memcpy(p, how->renamed, strlen(generated_prefix));
    snprintf(full, sizeof full, "%s/%s", lmb_result_analysis_name(other->result, b), name);
    bool missing = lmb_result_read(other->result, other->context, full, &y);
    if (missing && !how->may_miss)
        note_difference(w, INFINITY, of->allowed, full);
    if (!missing) {
        bring_back(how, base->model->dimension, c, &x, &y);
        of->where = full;
        compare_series(w, &x, &y, of);
        lmb_series_free(&y);
    }
    lmb_series_free(&x);
}

void compare_analyses(worst_channel *w, const comparison *how, model_run *base, int a,
                      const model_run *other, int b)
{
    const lmb_analysis *analysis = &base->model->analyses[a];
    double tolerance = analysis_tolerance(base->model, analysis);
    if (other->model->analysis_count > b) /* integrated on account of an unrelated body */
        tolerance = fmax(tolerance, analysis_tolerance(other->model, &other->model->analyses[b]));
    double allowed = allowed_in(how, base, analysis, tolerance);
    bool integrated = lmb_analysis_is_integrated(base->model, analysis);
    bool arc = analysis->kind == &lmb_analysis_arc_path && allowed > 0; /* steps by iterations */
    bool modes_of_all = how->added && analysis->kind == &lmb_analysis_modes;
    if (allowed < 0 || arc || modes_of_all)
        return;
    if (how->rearranged && depends_on_order(base->model, analysis))
        return;
    for (int i = 0; i < lmb_result_channel_count(base->result, a); i++) {
        const lmb_channel *c = lmb_result_channel(base->result, a, i);
        if (is_left_out(how, analysis, tolerance, c))
            continue;
        double scale = fmax(largest_value(base, c->unit), least_scale(c->unit, tolerance > 0));
        bool rates = integrated && allowed > 0 && !is_position(c->unit);
        bool modes = analysis->kind == &lmb_analysis_modes && allowed > 0;
        compare_channel(
            w, how, base, a, other, b, c,
            &(channel_scale){
                scale, rates ? fmax(allowed, fmax(how->rates, rates_within(base->model))) : allowed,
                modes, how->signs_free, how->last_row, ""});
    }
}

void compare_runs(worst_channel *w, const comparison *how, model_run *base, const model_run *other)
{
    for (int a = 0; a < lmb_result_analysis_count(base->result); a++)
        compare_analyses(w, how, base, a, other, a);
}
