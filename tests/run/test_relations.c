/* Relations that hold for every model: a model that is changed in a known way gives channels that
 * change in a known way, and analyses of one model agree with each other. Models are generated
 * (generated_models.h); all channels of all analyses are compared, relative to the largest value of
 * their unit in the model.
 *
 * A failure prints the seed, the relation and the channel with the largest difference, and writes
 * the model without the entries that the failure does not need. Environment: LIMBER_RELATIONS is
 * the number of models, LIMBER_SEED the first seed, LIMBER_RELATION a part of the name of the
 * relation that is tested alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "integrate/motion.h"
#include "model_texts.h"
#include "momentum.h"
#include "program.h"
#include "related_runs.h"
#include "support.h"

/* Sanitizers take six times as long. */
#if defined(__SANITIZE_ADDRESS__)
enum { MODELS = 50 };
#else
enum { MODELS = 200 };
#endif
enum { MOST_REMOVED = 40 };

typedef struct relation {
    const char *name;
    comparison how;
    void (*form)(generated_form *form, uint64_t seed); /* how the other model is generated, */
    char *(*edit)(const char *text, uint64_t seed);    /* its text is changed, */
    void (*patch)(lmb_model *model, uint64_t seed);    /* and it is changed once it is compiled */
    bool resumed;
    unsigned bodies;                       /* the kinds of bodies; 0: all */
    bool (*suits)(const lmb_model *model); /* NULL: all models */
    /* Compares analyses of the other run with each other; NULL: the base with the other run. */
    void (*check)(worst_channel *worst, const comparison *how, model_run *other);
} relation;

/* --- forms ------------------------------------------------------------------------------------ */

static void add_body(generated_form *form, uint64_t seed)
{
    form->added = true;
    form->extra = (generated_body)(seed % GENERATED_BODIES);
}

static void add_body_last(generated_form *form, uint64_t seed)
{
    add_body(form, seed);
    form->last = true;
}

/* A rigid body: deformations of a body at 1e6 m would drown in the rounding of its positions. */
static void add_far_body(generated_form *form, uint64_t seed)
{
    static const double distances[] = {1, 1e3, 1e6};
    form->added = true;
    form->extra = GENERATED_RIGID;
    form->distance = distances[seed % 3];
}

static void reverse(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->reversed = true;
}

static void rename_all(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->renamed = true;
}

static void substitute(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->substituted = form->written_out = true;
}

static void turn(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->turned = true;
}

static void mirror(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->mirrored = true;
}

/* Powers of ten: of one quantity from -6 to 6, of the others from -2 to 2, since moduli of 1e30 Pa
 * are refused. */
static void scale(generated_form *form, uint64_t seed)
{
    double *factors[] = {&form->length, &form->mass, &form->time};
    for (uint64_t i = 0; i < 3; i++)
        *factors[i] = i == seed % 3 ? pow(10, (double)(seed / 3 % 13) - 6)
                                    : pow(10, (double)((seed + i) * 7 % 5) - 2);
}

/* The coordinates of a mesh are in its file. */
static void scale_masses(generated_form *form, uint64_t seed)
{
    scale(form, seed);
    form->length = 1;
}

static void use_natural(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->natural = true;
}

static void cut(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->cut = true;
}

static void hold_still(generated_form *form, uint64_t seed)
{
    (void)seed;
    form->still = true;
}

/* --- edits ------------------------------------------------------------------------ */

static char *halve(const char *text, uint64_t seed)
{
    (void)seed;
    return text_with_halves(text);
}

static char *split_at_event(const char *text, uint64_t seed)
{
    (void)seed;
    return text_with_parts(text);
}

/* Efforts that are played back are interpolated between their rows. */
static char *refine_output(const char *text, uint64_t seed)
{
    (void)seed;
    return text_with_output(text, generated_duration / 100);
}

static char *take_periods(const char *text, uint64_t seed)
{
    (void)seed;
    return text_with_periods(text);
}

/* --- models that a relation suits ------------------------------------------------------------- */

static bool has_mesh(const lmb_model *m)
{
    return strstr(m->text, "block.inp") != NULL;
}

/* A joint with two offsets may measure them along the axes of the ground. */
static bool has_own_axes(const lmb_model *m)
{
    for (int i = 0; i < m->joint_count; i++) {
        int offsets = 0;
        for (int k = 0; k < m->joints[i].coordinate_count; k++)
            offsets +=
                m->parts.coordinates[m->joints[i].coordinate + k].kind == LMB_COORDINATE_OFFSET;
        if (offsets > 1)
            return false;
    }
    return true;
}

/* Nodes of a mesh, and gauges, are at one side of a body; the axis that an unbalance turns about is
 * the z axis of a section, which in an arc is not that of the body. */
static bool can_be_mirrored(const lmb_model *m)
{
    return has_own_axes(m) && !has_mesh(m) && !strstr(m->text, "{gauge") &&
           !(strstr(m->text, "unbalance, at") && strstr(m->text, "arc: "));
}

static bool has_events(const lmb_model *m)
{
    return m->event_count > 0;
}

static bool has_no_events(const lmb_model *m)
{
    return m->event_count == 0;
}

/* A velocity of a joint is shared by bodies with equal weights, whatever their masses. */
static bool has_no_initial(const lmb_model *m)
{
    return m->initial_count == 0;
}

/* --- analyses of one model -------------------------------------------------------------------- */

/* Return the number of the analysis whose name has a letter behind, or -1. */
static int find_part(const lmb_model *m, int a, char letter)
{
    char name[64];
    snprintf(name, sizeof name, "%s%c", m->analyses[a].name, letter);
    for (int i = 0; i < m->analysis_count; i++)
        if (strcmp(m->analyses[i].name, name) == 0)
            return i;
    return -1;
}

static void check_parts(worst_channel *w, const comparison *how, model_run *r)
{
    for (int a = 0; a < r->model->analysis_count; a++)
        for (const char *letter = "hq"; *letter; letter++) {
            int part = find_part(r->model, a, *letter);
            if (part >= 0)
                compare_analyses(w, how, r, a, r, part);
        }
}

/* Compare inverse dynamics with the dynamics that play back its efforts. Efforts are interpolated
 * between rows, which vibrations of flexible bodies would pass over. */
static void check_playback(worst_channel *w, const comparison *how, model_run *r)
{
    const lmb_model *m = r->model;
    int inverse = -1;
    for (int a = 0; a < m->analysis_count; a++)
        if (m->analyses[a].kind == &lmb_analysis_inverse_dynamics)
            inverse = a;
        else if (inverse >= 0 && m->analyses[a].without.driver_count > 0)
            compare_analyses(w, how, r, inverse, r, a);
}

static bool is_driven(const lmb_model *m)
{
    return m->driver_count > 0;
}

/* Compare plain statics with the end of a path over the load. */
static void check_load_path(worst_channel *w, const comparison *how, model_run *r)
{
    const lmb_model *m = r->model;
    for (int a = 0; a + 1 < m->analysis_count; a++)
        if (m->analyses[a].kind == &lmb_analysis_statics &&
            m->analyses[a + 1].kind == &lmb_analysis_load_path)
            compare_analyses(w, how, r, a, r, a + 1);
}

/* A motion from an equilibrium stays at rest: velocities are small against sqrt(g L). */
static void check_rest(worst_channel *w, const comparison *how, model_run *r)
{
    const lmb_model *m = r->model;
    for (int a = 0; a < m->analysis_count; a++) {
        int from = m->analyses[a].from;
        if (from < 0 || m->analyses[from].kind != &lmb_analysis_statics)
            continue;
        for (int i = 0; i < lmb_result_channel_count(r->result, a); i++) {
            const lmb_channel *c = lmb_result_channel(r->result, a, i);
            bool turns = strcmp(c->unit, "rad/s") == 0;
            if (!turns && strcmp(c->unit, "m/s") != 0)
                continue;
            lmb_series s = read_series(r, a, c->name);
            double g = v3_norm(m->gravity),
                   speed = turns ? sqrt(g / m->length) : sqrt(g * m->length);
            for (int k = 0; k < s.count * s.size; k++)
                note_difference(w, fabs(s.values[k]) / speed, how->allowed, c->name);
            lmb_series_free(&s);
        }
    }
}

static bool is_at_rest(const lmb_model *m)
{
    for (int a = 0; a < m->analysis_count; a++)
        if (m->analyses[a].kind == &lmb_analysis_statics)
            return true;
    return false;
}

/* The last row of a period is the first one again. */
static void check_periods(worst_channel *w, const comparison *how, model_run *r)
{
    for (int a = 0; a < r->model->analysis_count; a++) {
        if (r->model->analyses[a].integration.begin != &lmb_begin_periodic)
            continue;
        for (int i = 0; i < lmb_result_channel_count(r->result, a); i++) {
            const lmb_channel *c = lmb_result_channel(r->result, a, i);
            bool counts = strncmp(c->name, "energy.", 7) == 0 || strstr(c->name, "constraints.") ||
                          strstr(c->name, "stress_coordinates"); /* have other units */
            double scale = scale_of_channel(r, c);
            lmb_series s = read_series(r, a, c->name);
            const double *last = s.values + (s.count - 1) * s.size;
            for (int k = 0; k < s.size && !counts; k++)
                note_difference(w, fabs(s.values[k] - last[k]) / scale, how->allowed, c->name);
            lmb_series_free(&s);
        }
    }
}

static bool has_period(const lmb_model *m)
{
    for (int a = 0; a < m->analysis_count; a++)
        if (m->analyses[a].integration.begin == &lmb_begin_periodic)
            return true;
    return false;
}

/* --- relations -------------------------------------------------------------------------------- */

static const relation relations[] = {
    {.name = "unrelated body first",
     .how = {.allowed = 1e-7, .tolerances = 10, .added = true},
     .form = add_body},
    {.name = "unrelated body last",
     .how = {.allowed = 1e-7, .tolerances = 10, .added = true},
     .form = add_body_last},
    {.name = "unrelated body far away",
     .how = {.allowed = 1e-7, .tolerances = 10, .added = true},
     .form = add_far_body},
    {.name = "reverse order",
     .how = {.rearranged = true, .allowed = 1e-9, .tolerances = 10},
     .form = reverse},
    {.name = "other names", .how = {.renamed = generated_other_prefix}, .form = rename_all},
    {.name = "values of parameters", .form = substitute},
    {.name = "turned and moved",
     .how = {.rearranged = true, .allowed = 1e-7, .tolerances = 10},
     .form = turn,
     .suits = has_own_axes},
    {.name = "mirrored",
     .how = {.rearranged = true, .allowed = 1e-7, .tolerances = 10, .signs_free = true},
     .form = mirror,
     .suits = can_be_mirrored},
    {.name = "other units",
     .how = {.rearranged = true, .allowed = 1e-7, .tolerances = 10},
     .form = scale},
    {.name = "natural coordinates",
     .how = {.rearranged = true, .tolerances = 10, .adaptive_only = true, .may_miss = true},
     .form = use_natural},
    {.name = "cut bodies",
     .how = {.rearranged = true,
             .cut = true,
             .allowed = 1e-7,
             .tolerances = 10,
             .added = true,
             .may_miss = true},
     .form = cut,
     .suits = has_no_initial},
    {.name = "another solver", .how = {.allowed = 1e-8, .tolerances = 10}, .patch = take_solver},
    {.name = "two threads", .patch = take_threads},
    {.name = "selected results", .how = {.may_miss = true}, .patch = select_results},
    {.name = "stopped and resumed", .resumed = true},
    {.name = "two halves",
     .how = {.tolerances = 10, .adaptive_only = true, .from_event = true},
     .edit = halve,
     .suits = has_no_events,
     .check = check_parts},
    {.name = "event or two analyses",
     .how = {.tolerances = 10,
             .adaptive_only = true,
             .from_event = true,
             .last_row = true,
             .may_miss = true},
     .edit = split_at_event,
     .suits = has_events,
     .check = check_parts},
    {.name = "inverse dynamics and dynamics",
     .how = {.allowed = 1e-4, .tolerances = 1e4, .positions_only = true, .may_miss = true},
     .bodies = 1u << GENERATED_RIGID | 1u << GENERATED_NATURAL,
     .edit = refine_output,
     .suits = is_driven,
     .check = check_playback},
    {.name = "statics and the end of a path",
     .how = {.allowed = 1e-8, .last_row = true, .may_miss = true},
     .suits = is_at_rest,
     .check = check_load_path},
    {.name = "rest in equilibrium",
     .how = {.allowed = 1e-8},
     .form = hold_still,
     .suits = is_at_rest,
     .check = check_rest},
    {.name = "periodic motion",
     .how = {.allowed = 1e-5}, /* errors and rounding of accelerations by h^2 and 1 / h^2 */
     .edit = take_periods,
     .suits = has_period,
     .check = check_periods},
    {.name = "momentum and energy", .how = {.tolerances = 10}, .check = check_momentum},
};

enum { RELATIONS = sizeof relations / sizeof *relations };

/* --- models ----------------------------------------------------------------------------------- */

/* A model: generated from a seed, without some entries; or an example. */
typedef struct source {
    uint64_t seed;
    const char *file, *text; /* of an example; NULL: generated */
    char *removed[MOST_REMOVED];
    int removed_count;
} source;

static char *text_of(const source *from, const relation *r, const generated_form *form)
{
    unsigned bodies = r && r->bodies ? r->bodies : GENERATED_ALL;
    int prefix = (int)strlen(generated_prefix);
    char *text = from->text ? strdup(from->text)
                            : generated_model(from->seed, from->seed % 4 ? 2 : 4, bodies, form);
    for (int i = 0; i < from->removed_count; i++) {
        char *shorter = text_without(text, from->removed[i], prefix);
        free(text);
        text = shorter;
    }
    return text;
}

static generated_form form_of(const relation *r, const source *from)
{
    generated_form form = {0};
    if (r && r->form)
        r->form(&form, from->seed);
    return form;
}

/* Run the model as a relation changes it, or with r = NULL as it is. */
static model_run run_source(const source *from, const relation *r)
{
    generated_form form = form_of(r, from);
    char *text = text_of(from, r, &form);
    if (form.length > 0 && strstr(text, "block.inp")) {
        free(text);
        scale_masses(&form, from->seed);
        text = text_of(from, r, &form);
    }
    if (r && r->edit) {
        char *edited = r->edit(text, from->seed);
        free(text);
        text = edited;
    }
    model_run run = compile_text(from->file ? from->file : "tests/support/generated.yaml", text);
    for (int i = 0; run.model && i < run.model->analysis_count; i++)
        run.model->analyses[i].threads = 1;
    if (run.model && r && r->patch)
        r->patch(run.model, from->seed);
    run_model(&run, r && r->resumed ? 2 + (int)(from->seed % 7) : 0);
    free(text);
    return run;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Return whether a relation holds; `quiet` prints nothing. */
static bool holds(const relation *r, const source *from, model_run *base, worst_channel *w,
                  bool quiet)
{
    comparison how = r->how;
    generated_form form = form_of(r, from);
    if (form.length > 0 && has_mesh(base->model))
        scale_masses(&form, from->seed);
    if (form.turned || form.mirrored || form.length > 0)
        how.form = &form;
    bool changed = r->form || r->edit || r->patch || r->resumed || r->bodies;
    model_run other = changed ? run_source(from, r) : *base;
    *w = (worst_channel){0};
    if (!other.complete) {
        w->excess = INFINITY;
        if (!quiet)
            print_message("seed %d, %s: does not run: %s\n", (int)from->seed, r->name,
                          first_error(&other));
    } else if (r->check) {
        r->check(w, &how, &other);
    } else {
        compare_runs(w, &how, base, &other);
    }
    if (other.complete && !(w->excess <= 1) && !quiet)
        print_message("seed %d, %s: %s differs by %.2g of its scale, allowed is %.2g\n",
                      (int)from->seed, r->name, w->where, w->difference, w->allowed);
    if (changed)
        free_model_run(&other);
    return w->excess <= 1;
}

/* Return whether the model of a source runs, and a relation does not hold for it. */
static bool still_fails(const relation *r, const source *from)
{
    worst_channel w = {0};
    model_run base = run_source(from, NULL);
    bool sound = base.complete && (!r->suits || r->suits(base.model));
    bool fails = sound && !holds(r, from, &base, &w, true);
    free_model_run(&base);
    return fails;
}

/* Remove entries as long as the relation still fails, and write the model that remains. */
static void reduce_failure(const relation *r, source *from)
{
    generated_form plain = {0};
    bool shorter = true;
    while (shorter) {
        char *text = text_of(from, r, &plain), *name;
        shorter = false;
        for (int i = 0; !shorter && from->removed_count < MOST_REMOVED; i++) {
            name = text_entry(text, i);
            if (!name)
                break;
            from->removed[from->removed_count++] = name;
            shorter = still_fails(r, from);
            if (!shorter)
                free(from->removed[--from->removed_count]);
        }
        free(text);
    }
    char *left = text_of(from, r, &plain), file[64];
    snprintf(file, sizeof file, "%d-%d.yaml", (int)from->seed, (int)(r - relations));
    print_message("reduced model: %s\n", scratch_text(file, left));
    free(left);
    while (from->removed_count)
        free(from->removed[--from->removed_count]);
}

static long number_from(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : otherwise;
}

typedef struct counts {
    long models, checked, compared, failures;
    long by_relation[RELATIONS];
} counts;

/* Check all relations of a model whose multipliers are unique. */
static void check_model(source *from, counts *n)
{
    const char *only = getenv("LIMBER_RELATION");
    model_run base = run_source(from, NULL);
    lmb_mobility mobility;
    bool sound =
        base.complete && !lmb_check(base.context, base.model, &mobility) && mobility.redundant == 0;
    n->models += sound;
    for (int id = 0; sound && id < RELATIONS; id++) {
        const relation *r = &relations[id];
        worst_channel w;
        if ((only && !strstr(r->name, only)) || (r->suits && !r->suits(base.model)))
            continue;
        bool fine = holds(r, from, &base, &w, false);
        if (!fine && n->failures++ < 5)
            reduce_failure(r, from);
        n->by_relation[id]++;
        n->checked++;
        n->compared += w.compared;
    }
    free_model_run(&base);
}

static void relations_hold(void **unused)
{
    (void)unused;
    long count = number_from("LIMBER_RELATIONS", MODELS), first = number_from("LIMBER_SEED", 0);
    counts n = {0};
    for (long seed = first; seed < first + count; seed++)
        check_model(&(source){.seed = (uint64_t)seed}, &n);
    for (int id = 0; id < RELATIONS; id++)
        print_message("%-32s %ld models\n", relations[id].name, n.by_relation[id]);
    print_message("%ld models, %ld relations, %ld comparisons, %ld failures\n", n.models, n.checked,
                  n.compared, n.failures);
    assert_int_equal(n.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relations_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
