/* Relations that hold for every model: a model that is changed in a known way gives channels that
 * change in a known way. Models are generated (generated_models.h); all channels of all analyses
 * are compared, relative to the largest value of their unit in the model.
 *
 * The test runs the relations that keep every bit. The other relations are not yet checks: they
 * have differences for some models whose causes are not known. LIMBER_ALL_RELATIONS=1 runs them,
 * too.
 *
 * A failure prints the seed, the relation and the channel with the largest difference. Environment:
 * LIMBER_RELATIONS is the number of models, LIMBER_SEED the first seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "generated_models.h"
#include "integrate/motion.h"
#include "limber/limber.h"
#include "program.h"
#include "read/reader.h"
#include "support.h"
#include "system/model.h"
#include "system/saddle.h"

enum { MODELS = 40, SIZE = 4, MOST_UNITS = 40 };

typedef enum relation_id {
    ADDED_FIRST,
    ADDED_LAST,
    FAR_BODY,
    REVERSED,
    RENAMED,
    SUBSTITUTED,
    TURNED,
    SOLVER,
    THREADS,
    SELECTED,
    RESUMED,
    HALVES,
    RELATIONS
} relation_id;

/* The allowed difference: `fixed` with fixed steps and without steps; 0: the same bits in all
 * analyses. */
typedef struct relation {
    const char *name;
    double fixed;
    bool adaptive_only; /* compares analyses with adaptive steps */
} relation;

static const relation relations[RELATIONS] = {
    [ADDED_FIRST] = {"unrelated body first", 1e-7, false},
    [ADDED_LAST] = {"unrelated body last", 1e-7, false},
    [FAR_BODY] = {"unrelated body far away", 1e-7, false},
    [REVERSED] = {"reverse order", 1e-9, false},
    [RENAMED] = {"other names", 0, false},
    [SUBSTITUTED] = {"values of parameters", 0, false},
    [TURNED] = {"turned and moved", 1e-7, false},
    [SOLVER] = {"another solver", 1e-8, false},
    [THREADS] = {"two threads", 0, false},
    [SELECTED] = {"selected results", 0, false},
    [RESUMED] = {"stopped and resumed", 0, false},
    [HALVES] = {"two halves", 0, true},
};

/* A model that was run. */
typedef struct run {
    lmb_context *context;
    lmb_model *model;
    lmb_result *result;
    bool complete;
} run;

static void free_one(run *r)
{
    lmb_result_close(r->result);
    lmb_model_free(r->model);
    lmb_context_free(r->context);
}

static lmb_model *compiled(lmb_context *context, const char *text)
{
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    if (!lmb_spec_parse(&spec, context, "tests/support/generated.yaml", text)) {
        spec->no_cache = true;
        lmb_model_compile(&model, context, spec);
    }
    lmb_spec_free(spec);
    for (int i = 0; model && i < model->analysis_count; i++)
        model->analyses[i].integration.to_rounding = true; /* else Newton stops by all bodies */
    return model;
}

/* --- changes of texts and models -------------------------------------------------------------- */

/* The text with each analysis given more keys. */
static char *with_keys(const char *text, const char *keys)
{
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    bool inside = false;
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        int length = (int)(end - line);
        inside |= strncmp(line, "analyses:", 9) == 0;
        if (inside && line[length - 1] == '}')
            fprintf(f, "%.*s, %s}\n", length - 1, line, keys);
        else
            fprintf(f, "%.*s\n", length, line);
        line = end + 1;
    }
    fclose(f);
    return out;
}

/* The text with each dynamic analysis that begins by itself cut in two: the second one is named
 * with an h behind. */
static char *with_halves(const char *text)
{
    static const char duration[] = "duration: 0.02,", begin[] = ", begin: ";
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n'), *from = strstr(line, "from: ");
        const char *at = strstr(line, duration), *name_end = strchr(line, ':');
        int length = (int)(end - line);
        fprintf(f, "%.*s\n", length, line);
        if (strncmp(name_end, ": {type: dynamics", 17) == 0 && !(from && from < end)) {
            const char *rest = at + strlen(duration), *cut = strstr(rest, begin);
            int kept = (int)(end - rest) - 1;
            fprintf(f, "%.*sh: {type: dynamics, from: %.*s, start: 0.012, duration: 0.008,",
                    (int)(name_end - line), line, (int)(name_end - line) - 2, line + 2);
            if (cut && cut < end) {
                const char *after = cut + strlen(begin);
                after += strcspn(after, ",}");
                if (strncmp(after, ", period", 8) == 0)
                    after += 1 + strcspn(after + 1, ",}");
                fprintf(f, "%.*s%.*s}\n", (int)(cut - rest), rest, (int)(end - after) - 1, after);
            } else {
                fprintf(f, "%.*s}\n", kept, rest);
            }
        }
        line = end + 1;
    }
    fclose(f);
    return out;
}

static bool stop_halfway(void *user, const char *what, double fraction)
{
    int *calls = user;
    (void)what;
    (void)fraction;
    return --*calls == 0;
}

/* Stops a run after some calls of its progress function, and resumes it. */
static bool run_and_resume(run *r, int calls)
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

/* Runs a form of a model, or with id < 0 the plain one. */
static run run_related(uint64_t seed, int id)
{
    run r = {.context = lmb_context_new()};
    generated_form form = {0};
    form.added = id == ADDED_FIRST || id == ADDED_LAST || id == FAR_BODY;
    form.extra = (generated_body)(seed % GENERATED_BODIES);
    form.last = id == ADDED_LAST;
    form.distance = id != FAR_BODY ? 0 : seed % 2 ? 1e3 : 1e6;
    form.reversed = id == REVERSED;
    form.renamed = id == RENAMED;
    form.substituted = id == SUBSTITUTED;
    form.turned = id == TURNED;
    char *text = generated_model(seed, SIZE, GENERATED_ALL, &form), *changed = NULL;
    if (form.extra == GENERATED_MESH && form.added && strstr(text, "dimension: 2")) {
        free(text);
        form.extra = GENERATED_RIGID;
        text = generated_model(seed, SIZE, GENERATED_ALL, &form);
    }
    if (id == SELECTED)
        changed = with_keys(text, "results: [\"*position*\", \"*b0*\"]");
    else if (id == HALVES)
        changed = with_halves(text);
    r.model = compiled(r.context, changed ? changed : text);
    for (int i = 0; r.model && i < r.model->analysis_count; i++) {
        lmb_analysis *a = &r.model->analyses[i];
        if (id == SOLVER)
            a->solver = &lmb_saddle_families[seed % 4];
        a->threads = id == THREADS ? 2 : 1;
    }
    if (r.model && id == RESUMED)
        r.complete = run_and_resume(&r, 2 + (int)(seed % 7));
    else if (r.model)
        r.complete = !lmb_run_to_memory(&r.result, r.context, r.model, NULL);
    free(text);
    free(changed);
    return r;
}

/* --- comparing -------------------------------------------------------------------------------- */

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

static lmb_series read_channel(const run *r, int analysis, const char *channel)
{
    char name[256];
    lmb_series s;
    snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(r->result, analysis), channel);
    if (lmb_result_read(r->result, r->context, name, &s))
        fail_msg("%s cannot be read", name);
    return s;
}

static void find_scales(const run *r, unit_scales *scales)
{
    for (int a = 0; a < lmb_result_analysis_count(r->result); a++)
        for (int i = 0; i < lmb_result_channel_count(r->result, a); i++) {
            const lmb_channel *c = lmb_result_channel(r->result, a, i);
            lmb_series s = read_channel(r, a, c->name);
            double *scale = scale_of(scales, c->unit);
            for (int k = 0; k < s.count * s.size; k++)
                *scale = fmax(*scale, fabs(s.values[k])); /* NaN does not count */
            lmb_series_free(&s);
        }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Brings a channel of the turned form back to the plain form. */
static void turn_back(int dimension, const lmb_channel *c, const lmb_series *plain, lmb_series *s)
{
    bool angle = strcmp(c->unit, "rad") == 0 && s->size == 1; /* may be from axes of the ground */
    double turn = angle ? s->values[0] - plain->values[0] : 0;
    for (int k = 0; angle && k < s->count; k++)
        s->values[k] -= turn;
    vec3 shift = generated_shift(dimension);
    if (s->size % dimension || strncmp(c->components, "xyz", (size_t)dimension) != 0 ||
        strstr(c->doc, "axes of") || strstr(c->doc, "same axes") || strstr(c->doc, "body axes") ||
        strstr(c->doc, "its axes"))
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

/* The largest difference of a comparison, relative to what is allowed. */
typedef struct worst {
    double excess, difference, allowed;
    char where[400];
    long compared;
} worst;

/* The distance of two numbers; NaN is equal to NaN. */
static double difference_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : INFINITY;
    return fabs(a - b);
}

/* Return the largest tolerance of an analysis and of the analyses it begins from; 0: fixed steps.
 */
static double tolerance_of(const lmb_model *m, const lmb_analysis *a)
{
    double tolerance = lmb_analysis_is_integrated(m, a) ? a->integration.tolerance : 0;
    return a->from < 0 ? tolerance : fmax(tolerance, tolerance_of(m, &m->analyses[a->from]));
}

/* Return whether a relation keeps every bit of all channels. */
static bool is_exact(int id)
{
    return relations[id].fixed == 0 && !relations[id].adaptive_only;
}

/* Channels that a relation does not keep. */
static bool is_left_out(int id, const lmb_model *m, const lmb_analysis *a, const lmb_channel *c)
{
    if (is_exact(id))
        return false;
    if (strncmp(c->name, "constraints.", 12) == 0) /* rounding */
        return true;
    bool added = id == ADDED_FIRST || id == ADDED_LAST || id == FAR_BODY;
    if (added && strncmp(c->name, "energy.", 7) == 0) /* sums over all bodies */
        return true;
    if (ends_with(c->name, "stress.node") || ends_with(c->name, "stress.correction") ||
        ends_with(c->name, "stress_coordinates"))
        return true; /* a place out of several with nearly the same stress */
    if (a->kind == &lmb_analysis_modes && strncmp(c->name, "modes.", 6) != 0)
        return true; /* shapes of damped modes have a phase that depends on the order of bodies */
    bool position = strcmp(c->unit, "m") == 0 || strcmp(c->unit, "rad") == 0;
    if (tolerance_of(m, a) > 0 && !position) /* its errors are larger by a frequency */
        return true;
    if (id == HALVES) /* work counts from the beginning of an analysis */
        return strcmp(c->name, "energy.supplied") == 0 ||
               strcmp(c->name, "energy.dissipated") == 0 || strcmp(c->name, "energy.balance") == 0;
    if (id == TURNED) /* orientations; and axes of the first end, which on the ground do not turn */
        return ends_with(c->name, "quaternion") || ends_with(c->name, ".rotation") ||
               ends_with(c->name, "nodes_angle") || strstr(c->doc, "axes of the first") ||
               strstr(c->doc, "same axes");
    return false;
}

/* The least scale of a unit: generated models measure some 0.1 m and turn by 0.1 rad, masses of
 * some kg are accelerated by gravity. Smaller values are rounding. */
static double least_scale(const char *unit)
{
    bool motion = strstr(unit, "s^2") == NULL && (unit[0] == 'm' || strncmp(unit, "rad", 3) == 0);
    return motion ? 0.01 : 1;
}

/* Compares a channel. In modes the signs of shapes are free. */
static void compare_channel(worst *w, const lmb_series *a, const lmb_series *b, double scale,
                            double allowed, bool modes, const char *where)
{
    int first = 0, other = 0, rows = a->count;
    if (a->count != b->count) { /* the second half */
        first = a->count - b->count;
        rows = b->count;
    }
    for (int row = 0; row < rows; row++) {
        double plus = 0, minus = 0;
        for (int k = 0; k < a->size; k++) {
            double x = a->values[(first + row) * a->size + k];
            double y = b->values[(other + row) * a->size + k];
            plus = fmax(plus, difference_of(x, y));
            minus = fmax(minus, difference_of(x, -y));
        }
        double difference = modes ? fmin(plus, minus) : plus;
        double relative = difference / scale;
        double excess = allowed > 0 ? relative / allowed : difference > 0 ? INFINITY : 0;
        w->compared += a->size;
        if (excess <= w->excess)
            continue;
        w->excess = excess;
        w->difference = relative;
        w->allowed = allowed;
        snprintf(w->where, sizeof w->where, "%s, row %d of %d", where, row, rows);
    }
}

/* Pairs of models and relations that are not compared, each with its reason. */
static bool is_excluded(int id, const run *base)
{
    const lmb_model *m = base->model;
    if (id == FAR_BODY) /* the size of the whole model scales its equations: 1e-6 to 1e-2 differ */
        return true;
    if (id == HALVES && m->event_count > 0) /* an event happens once in each analysis */
        return true;
    for (int i = 0; id == TURNED && i < m->joint_count; i++) {
        int offsets = 0;
        for (int k = 0; k < m->joints[i].coordinate_count; k++)
            offsets +=
                m->parts.coordinates[m->joints[i].coordinate + k].kind == LMB_COORDINATE_OFFSET;
        if (offsets > 1) /* the plane may have the directions of the ground */
            return true;
    }
    /* Known defect: with an unrelated body, motions with adaptive steps differ by more than their
     * tolerance, and an analysis that begins from one finds its constraints inconsistent. */
    bool added = id == ADDED_FIRST || id == ADDED_LAST;
    for (int i = 0; added && i < m->analysis_count; i++)
        if (tolerance_of(m, &m->analyses[i]) > 0)
            return true;
    return false;
}

/* Analyses that are not compared, each with its reason. */
static bool is_analysis_excluded(int id, const lmb_analysis *a)
{
    bool added = id == ADDED_FIRST || id == ADDED_LAST || id == FAR_BODY;
    if (added && (a->kind == &lmb_analysis_modes || a->kind == &lmb_analysis_arc_path))
        return true;          /* modes and arc length are of all bodies */
    if (a->integration.begin) /* its shape depends on the order of entries, and on all bodies */
        return true;
    if (a->from >= 0 && !relations[id].adaptive_only) /* small differences of positions are large
                                                         ones of stresses and accelerations */
        return true;
    return a->without.driver_count > 0; /* a record turns rounding of accelerations into forces */
}

/* The difference that an analysis may have; negative: it is not compared. */
static double allowed_in(int id, const run *base, const lmb_analysis *a)
{
    const relation *r = &relations[id];
    bool integrated = lmb_analysis_is_integrated(base->model, a);
    double tolerance = tolerance_of(base->model, a);
    if (r->adaptive_only)
        return tolerance > 0 && a->kind == &lmb_analysis_dynamics && a->from < 0 ? 100 * tolerance
                                                                                 : -1;
    if (r->fixed == 0)
        return 0;
    if (is_analysis_excluded(id, a))
        return -1;
    if (integrated && tolerance == 0) /* rounding of positions over the square of a step */
        return 1e-7;
    return fmax(r->fixed, 100 * tolerance);
}

static void compare(worst *w, int id, const run *base, const run *other)
{
    unit_scales scales = {0};
    find_scales(base, &scales);
    for (int a = 0; a < lmb_result_analysis_count(base->result); a++) {
        const lmb_analysis *analysis = &base->model->analyses[a];
        double allowed = allowed_in(id, base, analysis);
        bool modes = analysis->kind == &lmb_analysis_modes && relations[id].fixed > 0;
        for (int i = 0; allowed >= 0 && i < lmb_result_channel_count(base->result, a); i++) {
            const lmb_channel *c = lmb_result_channel(base->result, a, i);
            char name[200], full[300];
            if (is_left_out(id, base->model, analysis, c))
                continue;
            lmb_series x = read_channel(base, a, c->name), y;
            snprintf(name, sizeof name, "%s", c->name);
            for (char *p = name; id == RENAMED && (p = strstr(p, generated_prefix)); p++)
                memcpy(p, generated_other_prefix, strlen(generated_prefix));
            const char *named = lmb_result_analysis_name(base->result, a);
            snprintf(full, sizeof full, "%s%s%s/%s",
                     id == RENAMED ? generated_other_prefix : generated_prefix,
                     named + strlen(generated_prefix), id == HALVES ? "h" : "", name);
            bool missing = lmb_result_read(other->result, other->context, full, &y);
            if (missing && id != SELECTED)
                fail_msg("%s is missing", full);
            if (!missing) {
                if (id == TURNED)
                    turn_back(base->model->dimension, c, &x, &y);
                compare_channel(w, &x, &y, fmax(*scale_of(&scales, c->unit), least_scale(c->unit)),
                                allowed, modes, full);
                lmb_series_free(&y);
            }
            lmb_series_free(&x);
        }
    }
}

/* --- tests ------------------------------------------------------------------------------------ */

static long number_from(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static const char *first_error(const lmb_context *context)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (lmb_message_at(context, i)->severity == LMB_ERROR)
            return lmb_message_at(context, i)->text;
    return "";
}

static bool holds(int id, uint64_t seed, const run *base, worst *w)
{
    run other = run_related(seed, id);
    *w = (worst){0};
    if (!other.complete)
        print_message("seed %d, %s: does not run: %s\n", (int)seed, relations[id].name,
                      first_error(other.context));
    else
        compare(w, id, base, &other);
    bool good = other.complete && w->excess <= 1;
    if (other.complete && !good)
        print_message("seed %d, %s: %s differs by %.2g of its scale, allowed is %.2g\n", (int)seed,
                      relations[id].name, w->where, w->difference, w->allowed);
    free_one(&other);
    return good;
}

static void relations_hold(void **unused)
{
    (void)unused;
    long count = number_from("LIMBER_RELATIONS", MODELS), first = number_from("LIMBER_SEED", 0);
    bool all = number_from("LIMBER_ALL_RELATIONS", 0) != 0;
    long models = 0, checked = 0, compared = 0, failures = 0;
    for (long seed = first; seed < first + count; seed++) {
        run base = run_related((uint64_t)seed, -1);
        lmb_mobility mobility;
        bool sound = base.complete && !lmb_check(base.context, base.model, &mobility) &&
                     mobility.redundant == 0;
        models += sound;
        for (int id = 0; sound && id < RELATIONS; id++) {
            worst w;
            if (is_excluded(id, &base) || !(all || is_exact(id)))
                continue;
            failures += !holds(id, (uint64_t)seed, &base, &w);
            checked++;
            compared += w.compared;
        }
        free_one(&base);
    }
    print_message("%ld models, %ld relations, %ld comparisons, %ld failures\n", models, checked,
                  compared, failures);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relations_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
