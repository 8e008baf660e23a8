/* The section `studies`: what is to become of parameters: a best design, a fit to measurements, a
 * table over many values, or how a result scatters with tolerances. */
#include "model/studies.h"

#include <math.h>
#include <string.h>

#include "math/minimise.h"
#include "model/fields.h"

/* What a study is read into; each kind has some of it. */
typedef struct keys {
    lmb_value starts, points, seed, evaluations, tolerance, samples, of, measured, shift, rate,
        method;
    const lmb_tree *minimise, *maximise, *design, *subject_to, *vary, *results, *columns, *weights;
    bool decimal_comma;
    int sampling, gradients;
} keys;

#define KEY(member) LMB_KEY(keys, member)

#define SEED_FIELD                                                                                 \
    {                                                                                              \
        KEY(seed), LMB_FIELD_NUMBER, NULL,                                                         \
            "Which random numbers are drawn: the same ones for the same seed.", "1",               \
            LMB_NOT_NEGATIVE, .otherwise = 1                                                       \
    }

#define TOLERANCE_FIELD(number)                                                                    \
    {                                                                                              \
        KEY(tolerance), LMB_FIELD_NUMBER, NULL,                                                    \
            "The search ends when no variable changes by more than this part (of its range, or "   \
            "of itself without one).",                                                             \
            #number, LMB_POSITIVE, .otherwise = number                                             \
    }

static const lmb_field optimise_fields[] = {
    {KEY(minimise), LMB_FIELD_TREE, NULL,
     "The objective that is to become small, by name or as an expression of objectives; or a list "
     "of two, between which a trade-off is looked for.",
     .choices = "objective_names"},
    {KEY(maximise), LMB_FIELD_TREE, NULL, "Instead of 'minimise': what is to become large.",
     .choices = "objective_names"},
    {KEY(design), LMB_FIELD_TREE, NULL,
     "The parameters that may change, with bounds '[lo, hi]' or '{choices: [...]}'.",
     .required = true, .choices = "variables"},
    {KEY(subject_to), LMB_FIELD_TREE, NULL,
     "Limits of objectives: '{travel: {at_most: 0.05}}', with 'at_least', 'at_most' or 'equal'.",
     .choices = "limits"},
    {KEY(method), LMB_FIELD_TEXT, NULL,
     "How it is searched: auto, slsqp, mma, ccsaq, lbfgs (with gradients), cobyla, bobyqa, "
     "nelder-mead (without), direct, crs, isres (all of the box).",
     "auto: slsqp"},
    {KEY(gradients), LMB_FIELD_CHOICE, NULL,
     "How gradients are found, see `limber gradient`: direct, adjoint, differences.", "what suits",
     .choices = "auto direct adjoint differences"},
    {KEY(starts), LMB_FIELD_NUMBER, NULL,
     "How many designs the search is started from: that of the model, then others spread over the "
     "box.",
     "1", LMB_POSITIVE, .otherwise = 1},
    {KEY(points), LMB_FIELD_NUMBER, NULL, "Designs of a trade-off between two objectives.", "9",
     LMB_POSITIVE, .otherwise = 9},
    SEED_FIELD,
    {KEY(evaluations), LMB_FIELD_NUMBER, NULL,
     "How often the model may be run in a search from one start.", "500", LMB_POSITIVE,
     .otherwise = 500},
    TOLERANCE_FIELD(1e-8),
    {0},
};

static const lmb_field fit_fields[] = {
    {KEY(measured), LMB_FIELD_TEXT, NULL,
     "The file with the measurement: a table with a column of times, as `limber compare` reads it.",
     .required = true},
    {KEY(columns), LMB_FIELD_TREE, NULL,
     "Which columns are to be matched, and the expressions of channels that they are: '{theta: "
     "-rod.angle}'; or a list of columns that have the names of channels.",
     .required = true, .choices = "fit_columns"},
    {KEY(vary), LMB_FIELD_TREE, NULL,
     "The parameters that are to be found: a list, or a map with bounds '[lo, hi]'.",
     .required = true, .choices = "unknowns"},
    {KEY(of), LMB_FIELD_TEXT, NULL, "The analysis that was measured.", "the last one"},
    {KEY(weights), LMB_FIELD_TREE, NULL,
     "Weights of the squares of columns; one over the square of the error of a column is right.",
     "1 each", .choices = "parameter_values"},
    {KEY(shift), LMB_FIELD_NUMBER, "s", "Is added to the times of the measurement.", "0"},
    {KEY(rate), LMB_FIELD_NUMBER, "Hz", "The sampling rate, where the file has no times.",
     .range = LMB_POSITIVE},
    {KEY(decimal_comma), LMB_FIELD_FLAG, NULL, "Numbers of the file have decimal commas.",
     "found by itself"},
    {KEY(evaluations), LMB_FIELD_NUMBER, NULL, "How many steps the search may make.", "100",
     LMB_POSITIVE, .otherwise = 100},
    TOLERANCE_FIELD(1e-9),
    {0},
};

static const lmb_field sweep_fields[] = {
    {KEY(vary), LMB_FIELD_TREE, NULL,
     "The parameters, each with a list of numbers, '{from: a, to: b, points: n}', or a "
     "distribution.",
     .required = true, .choices = "sweep_variables"},
    {KEY(sampling), LMB_FIELD_CHOICE, NULL,
     "grid: all combinations; list: the first numbers of all, then the second, and so on; "
     "latin-hypercube: spread evenly; monte-carlo: drawn.",
     "grid, or monte-carlo where there are distributions",
     .choices = "auto grid list latin-hypercube monte-carlo"},
    {KEY(samples), LMB_FIELD_NUMBER, NULL, "How many, for latin-hypercube and monte-carlo.", "100",
     LMB_POSITIVE, .otherwise = 100},
    SEED_FIELD,
    {KEY(results), LMB_FIELD_TREE, NULL, "The objectives that are tabulated.", "all",
     .choices = "objective_names"},
    {0},
};

static const lmb_field tolerance_fields[] = {
    {KEY(vary), LMB_FIELD_TREE, NULL,
     "The parameters that scatter, each with a distribution: '{normal: [mean, deviation]}'.",
     .required = true, .choices = "sweep_variables"},
    {KEY(results), LMB_FIELD_TREE, NULL, "The objectives whose scatter is wanted.", "all",
     .choices = "objective_names"},
    {KEY(samples), LMB_FIELD_NUMBER, NULL, "How many are drawn to check the budget; 0: none.",
     "1000", LMB_NOT_NEGATIVE, .otherwise = 1000},
    SEED_FIELD,
    {0},
};

/* --- objectives ------------------------------------------------------------------------------- */

/* Appends an objective that the model does not list. */
static lmb_status add_hidden(lmb_builder *r, const lmb_objective *o, int *out)
{
    lmb_model *m = r->model;
    for (int i = 0; i < m->objective_count; i++) {
        const lmb_objective *other = &m->objectives[i];
        if (other->hidden && other->kind == o->kind && other->analysis == o->analysis &&
            strcmp(other->text, o->text) == 0) {
            *out = i;
            return LMB_OK;
        }
    }
    lmb_objective *grown = lmb_arena_grow(r->arena, m->objectives, (size_t)m->objective_count,
                                          (size_t)m->objective_count + 1, sizeof *grown);
    if (!grown)
        return lmb_fail_memory(r->context);
    m->objectives = grown;
    *out = m->objective_count++;
    m->objectives[*out] = *o;
    return LMB_OK;
}

static lmb_objective hidden_of(const lmb_tree *node)
{
    return (lmb_objective){.name = node->text,
                           .text = node->text,
                           .place = lmb_text_place(node),
                           .counter = node->counter,
                           .from = NAN,
                           .to = NAN,
                           .analysis = -1,
                           .hidden = true};
}

lmb_status lmb_study_expression(lmb_builder *r, const lmb_tree *node, int analysis, int *out)
{
    lmb_objective o = hidden_of(node);
    o.kind = LMB_OBJECTIVE_FINAL;
    o.analysis = analysis;
    return add_hidden(r, &o, out);
}

/* A minus in front makes it an expression. */
static bool is_name(const char *text)
{
    return text[0] != '-' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] ==
               0;
}

lmb_status lmb_study_objective(lmb_builder *r, const lmb_tree *node, int *out)
{
    const lmb_model *m = r->model;
    if (node->kind != LMB_TREE_TEXT || !node->text[0])
        return lmb_fail_at(r->context, node->place,
                           "an objective is told by its name, or as an expression of objectives");
    lmb_nearest nearest = lmb_nearest_start(node->text);
    int visible = 0;
    for (int i = 0; i < m->objective_count; i++) {
        if (m->objectives[i].hidden)
            continue;
        visible++;
        if (strcmp(m->objectives[i].name, node->text) == 0) {
            *out = i;
            return LMB_OK;
        }
        lmb_nearest_try(&nearest, m->objectives[i].name);
    }
    if (!is_name(node->text)) {
        lmb_objective o = hidden_of(node);
        o.kind = LMB_OBJECTIVE_COMBINED;
        return add_hidden(r, &o, out);
    }
    lmb_fail_at(r->context, node->place, "there is no objective '%s'", node->text);
    if (visible == 0)
        lmb_hint(r->context, "add a section such as 'objectives: {%s: {final: tip.position.x}}'",
                 node->text);
    return lmb_nearest_hint(r->context, &nearest);
}

/* Objectives: one, or a list of at most so many. */
static lmb_status read_objectives(lmb_builder *r, const lmb_tree *node, int most, lmb_study *s)
{
    bool list = node->kind == LMB_TREE_LIST;
    int count = list ? node->count : 1;
    if (list && count == 0)
        return lmb_fail_at(r->context, node->place, "the list of objectives is empty");
    if (count > most)
        return lmb_fail_at(r->context, node->items[most]->place,
                           "a trade-off is between two objectives, not %d", count);
    s->objectives = lmb_arena_integers(r->arena, (size_t)count);
    if (!s->objectives)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < count; i++)
        if (lmb_study_objective(r, list ? node->items[i] : node,
                                &s->objectives[s->objective_count++]))
            status = LMB_BAD_INPUT;
    for (int i = 1; i < s->objective_count && !status; i++)
        for (int k = 0; k < i && !status; k++)
            if (s->objectives[i] == s->objectives[k])
                status = lmb_fail_at(r->context, node->items[i]->place,
                                     "objective '%s' is there twice", node->items[i]->text);
    return status;
}

/* All that the model lists, or those of a list. */
static lmb_status read_results(lmb_builder *r, const lmb_entry *e, const lmb_tree *node,
                               lmb_study *s)
{
    const lmb_model *m = r->model;
    if (node)
        return read_objectives(r, node, 1 << 20, s);
    s->objectives = lmb_arena_integers(r->arena, (size_t)m->objective_count);
    if (!s->objectives)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < m->objective_count; i++)
        if (!m->objectives[i].hidden)
            s->objectives[s->objective_count++] = i;
    if (s->objective_count > 0)
        return LMB_OK;
    lmb_fail_at(r->context, e->key->place, "%s has nothing to compute: the model has no objectives",
                e->what);
    return lmb_hint(r->context, "add a section such as 'objectives: {reach: {final: "
                                "tip.position.x}}'");
}

/* --- limits ----------------------------------------------------------------------------------- */

typedef struct limit_keys {
    lmb_value at_least, at_most, equal;
} limit_keys;

#define LIMIT(member) LMB_KEY(limit_keys, member)

const lmb_field lmb_limit_fields[] = {
    {LIMIT(at_least), LMB_FIELD_NUMBER, NULL, "The objective may not be smaller."},
    {LIMIT(at_most), LMB_FIELD_NUMBER, NULL, "The objective may not be larger."},
    {LIMIT(equal), LMB_FIELD_NUMBER, NULL, "The objective must be this."},
    {0},
};

static lmb_status read_limit(lmb_builder *r, const lmb_tree *key, const lmb_tree *node,
                             lmb_limit *out)
{
    limit_keys k;
    char what[96];
    lmb_snprintf(what, sizeof what, "the limit of '%.60s'", key->text);
    *out = (lmb_limit){.place = key->place};
    if (lmb_study_objective(r, key, &out->objective) ||
        lmb_read_fields(&r->reader, node, lmb_limit_fields, what, NULL, &k))
        return LMB_BAD_INPUT;
    out->at_least = k.at_least.given ? k.at_least.number : NAN;
    out->at_most = k.at_most.given ? k.at_most.number : NAN;
    out->equal = k.equal.given ? k.equal.number : NAN;
    if (!k.at_least.given && !k.at_most.given && !k.equal.given) {
        lmb_fail_at(r->context, node->place, "%s has no number", what);
        return lmb_hint(r->context, "such as '{at_most: 0.05}'");
    }
    if (k.equal.given && (k.at_least.given || k.at_most.given))
        return lmb_fail_at(r->context, node->place, "%s: 'equal' leaves nothing to the others",
                           what);
    if (out->at_least >= out->at_most)
        return lmb_fail_at(r->context, node->place,
                           "%s contradicts itself: at least %g and at most %g", what, out->at_least,
                           out->at_most);
    return LMB_OK;
}

static lmb_status read_limits(lmb_builder *r, const lmb_tree *node, lmb_study *s)
{
    if (lmb_tree_is_empty(node))
        return LMB_OK;
    if (node->kind != LMB_TREE_MAP)
        return lmb_fail_kind(&r->reader, node, "subject_to", "a map of objectives");
    s->limits = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *s->limits);
    if (!s->limits)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < node->count; i++)
        if (read_limit(r, node->keys[i], node->items[i], &s->limits[s->limit_count++]))
            status = LMB_BAD_INPUT;
    return status;
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* A whole number of a key. */
static lmb_status whole(lmb_builder *r, const lmb_value *v, const char *name, double most, int *out)
{
    if (v->given && !(v->number == floor(v->number) && v->number <= most))
        return lmb_fail_at(r->context, v->place, "'%s' must be a whole number up to %.10g, not %g",
                           name, most, v->number);
    *out = (int)v->number;
    return LMB_OK;
}

static lmb_status read_seed(lmb_builder *r, const keys *k, lmb_study *s)
{
    int seed;
    lmb_status status = whole(r, &k->seed, "seed", 2147483647, &seed);
    s->seed = (unsigned)seed;
    return status;
}

static lmb_status read_method(lmb_builder *r, const lmb_value *method, lmb_study *s)
{
    lmb_nearest nearest;
    if (!method->given || strcmp(method->text, "auto") == 0)
        return LMB_OK;
    int i = lmb_find_name(lmb_minimise_methods, sizeof *lmb_minimise_methods, -1, method->text,
                          &nearest);
    if (i >= 0) {
        s->method = &lmb_minimise_methods[i];
        return LMB_OK;
    }
    lmb_fail_at(r->context, method->place, "there is no method '%s'", method->text);
    lmb_hint(r->context, "there are auto, slsqp, mma, ccsaq, lbfgs, cobyla, bobyqa, nelder-mead, "
                         "direct, crs and isres");
    return lmb_nearest_hint(r->context, &nearest);
}

static lmb_status read_optimise(lmb_builder *r, const lmb_entry *e, const keys *k, lmb_study *s)
{
    const lmb_tree *goal = k->maximise ? k->maximise : k->minimise;
    if (!k->minimise == !k->maximise) {
        lmb_fail_at(r->context, e->key->place,
                    goal ? "%s has both 'minimise' and 'maximise'"
                         : "%s needs the key 'minimise' or 'maximise'",
                    e->what);
        return lmb_hint(r->context, "the name of an objective: 'minimise: comfort'");
    }
    s->maximise = k->maximise != NULL;
    s->gradients = k->gradients;
    lmb_status status = read_objectives(r, goal, 2, s);
    if (lmb_read_variables(r, s, k->design, e->what, "design") ||
        read_limits(r, k->subject_to, s) || read_method(r, &k->method, s) || read_seed(r, k, s) ||
        whole(r, &k->starts, "starts", 10000, &s->starts) ||
        whole(r, &k->points, "points", 10000, &s->points) ||
        whole(r, &k->evaluations, "evaluations", 1e9, &s->evaluations))
        status = LMB_BAD_INPUT;
    if (!status && k->points.given && s->objective_count < 2)
        return lmb_fail_at(r->context, k->points.place,
                           "'points' are those of a trade-off between two objectives, as in "
                           "'minimise: [comfort, mass]'");
    if (!status && s->objective_count == 2 && s->points < 2)
        return lmb_fail_at(r->context, k->points.place, "a trade-off has two points at least");
    return status;
}

/* The columns of a measurement and their expressions. */
static lmb_status read_columns(lmb_builder *r, const lmb_tree *node, int analysis, lmb_study *s)
{
    if (node->kind == LMB_TREE_TEXT)
        return lmb_fail_kind(&r->reader, node, "columns", "a map of columns and expressions");
    if (node->count == 0)
        return lmb_fail_at(r->context, node->place, "the list of columns is empty");
    s->columns = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *s->columns);
    if (!s->columns)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < node->count; i++) {
        const lmb_tree *expression = node->items[i];
        const lmb_tree *name = node->kind == LMB_TREE_MAP ? node->keys[i] : expression;
        lmb_fit_column *c = &s->columns[s->column_count++];
        if (expression->kind != LMB_TREE_TEXT || !expression->text[0])
            return lmb_fail_kind(&r->reader, expression, name->text, "an expression of channels");
        *c = (lmb_fit_column){
            .column = name->text, .place = name->place, .channel = expression->text, .weight = 1};
        if (lmb_study_expression(r, expression, analysis, &c->objective))
            return LMB_BAD_INPUT;
    }
    return LMB_OK;
}

static lmb_status read_weights(lmb_builder *r, const lmb_tree *node, lmb_study *s)
{
    if (lmb_tree_is_empty(node))
        return LMB_OK;
    if (node->kind != LMB_TREE_MAP)
        return lmb_fail_kind(&r->reader, node, "weights", "a map of columns and numbers");
    for (int i = 0; i < node->count; i++) {
        int c = 0;
        lmb_nearest nearest = lmb_nearest_start(node->keys[i]->text);
        while (c < s->column_count && strcmp(s->columns[c].column, node->keys[i]->text) != 0)
            lmb_nearest_try(&nearest, s->columns[c++].column);
        if (c == s->column_count) {
            lmb_fail_at(r->context, node->keys[i]->place, "'%s' is not among the columns",
                        node->keys[i]->text);
            return lmb_nearest_hint(r->context, &nearest);
        }
        if (lmb_read_number(&r->reader, node->items[i], node->keys[i]->text, &s->columns[c].weight))
            return LMB_BAD_INPUT;
        if (!(s->columns[c].weight > 0))
            return lmb_fail_at(r->context, node->items[i]->place,
                               "the weight of '%s' must be positive", node->keys[i]->text);
    }
    return LMB_OK;
}

static lmb_status read_fit(lmb_builder *r, const lmb_entry *e, const keys *k, lmb_study *s)
{
    const lmb_model *m = r->model;
    int analysis = m->analysis_count - 1;
    lmb_nearest nearest;
    if (analysis < 0)
        return lmb_fail_at(r->context, e->key->place, "%s needs an analysis, but there is none",
                           e->what);
    if (k->of.given)
        analysis = lmb_find_analysis(r, k->of.text, &nearest);
    if (analysis < 0) {
        lmb_fail_at(r->context, k->of.place, "there is no analysis '%s'", k->of.text);
        return lmb_nearest_hint(r->context, &nearest);
    }
    s->file = lmb_beside_file(&r->reader, k->measured.text);
    s->shift = k->shift.number;
    s->rate = k->rate.given ? k->rate.number : 0;
    s->comma = k->decimal_comma;
    if (!s->file)
        return lmb_fail_memory(r->context);
    if (lmb_read_variables(r, s, k->vary, e->what, "vary") ||
        read_columns(r, k->columns, analysis, s) || read_weights(r, k->weights, s))
        return LMB_BAD_INPUT;
    return whole(r, &k->evaluations, "evaluations", 1e9, &s->evaluations);
}

/* How samples are taken where it is not said. */
static lmb_sampling usual_sampling(const lmb_study *s)
{
    for (int i = 0; i < s->variable_count; i++)
        if (s->variables[i].kind >= LMB_VARIABLE_NORMAL)
            return LMB_SAMPLE_RANDOM;
    return LMB_SAMPLE_GRID;
}

/* What each sampling needs of the variables. */
static lmb_status check_sampling(lmb_builder *r, const lmb_study *s)
{
    bool drawn = s->sampling >= LMB_SAMPLE_LATIN;
    for (int i = 0; i < s->variable_count; i++) {
        const lmb_variable *v = &s->variables[i];
        bool listed =
            v->kind == LMB_VARIABLE_CHOICES || (v->kind == LMB_VARIABLE_RANGE && v->count);
        if (!drawn && !listed) {
            lmb_fail_at(r->context, v->place, "'%s' needs numbers for a grid or a list", v->name);
            return lmb_hint(r->context, "a list '[a, b, c]', or '{from: a, to: b, points: n}'");
        }
        if (s->sampling != LMB_SAMPLE_LIST && v->kind == LMB_VARIABLE_CHOICES &&
            lmb_check_choices(r, v, v->place))
            return LMB_BAD_INPUT;
        int first = s->variables[0].count;
        if (s->sampling == LMB_SAMPLE_LIST && v->count != first) {
            lmb_fail_at(r->context, v->place, "'%s' has %d numbers, but '%s' has %d", v->name,
                        v->count, s->variables[0].name, first);
            return lmb_hint(r->context,
                            "a list takes the first numbers of all, then the second, and so on");
        }
    }
    return LMB_OK;
}

static lmb_status read_sweep(lmb_builder *r, const lmb_entry *e, const keys *k, lmb_study *s)
{
    lmb_status status = read_results(r, e, k->results, s);
    if (lmb_read_variables(r, s, k->vary, e->what, "vary") || read_seed(r, k, s) ||
        whole(r, &k->samples, "samples", 1e8, &s->samples))
        return LMB_BAD_INPUT;
    s->sampling = k->sampling > 0 ? (lmb_sampling)(k->sampling - 1) : usual_sampling(s);
    return status ? status : check_sampling(r, s);
}

static lmb_status read_tolerance(lmb_builder *r, const lmb_entry *e, const keys *k, lmb_study *s)
{
    lmb_status status = read_results(r, e, k->results, s);
    s->sampling = LMB_SAMPLE_RANDOM;
    if (lmb_read_variables(r, s, k->vary, e->what, "vary") || read_seed(r, k, s) ||
        whole(r, &k->samples, "samples", 1e8, &s->samples))
        return LMB_BAD_INPUT;
    return status;
}

typedef lmb_status read_kind(lmb_builder *r, const lmb_entry *e, const keys *k, lmb_study *s);

static read_kind *const readers[] = {[LMB_STUDY_OPTIMISE] = read_optimise,
                                     [LMB_STUDY_FIT] = read_fit,
                                     [LMB_STUDY_SWEEP] = read_sweep,
                                     [LMB_STUDY_TOLERANCE] = read_tolerance};

const lmb_study_type lmb_study_types[] = {
    [LMB_STUDY_OPTIMISE] = {"optimise",
                            "Looks for the design with the least (or largest) objective within "
                            "limits: `limber optimise`.",
                            optimise_fields},
    [LMB_STUDY_FIT] = {"fit",
                       "Looks for the parameters with which the model comes nearest to a "
                       "measurement: `limber fit`.",
                       fit_fields},
    [LMB_STUDY_SWEEP] = {"sweep",
                         "Runs the model over many values of parameters and tabulates objectives: "
                         "`limber sweep`.",
                         sweep_fields},
    [LMB_STUDY_TOLERANCE] = {"tolerance",
                             "Tells how objectives scatter with parameters that do, and which of "
                             "them matter: `limber tolerance`.",
                             tolerance_fields},
    {0},
};

/* --- the section ------------------------------------------------------------------------------ */

static lmb_status read_study(lmb_reader *reader, const lmb_entry *e, void *unused)
{
    lmb_builder *r = (lmb_builder *)reader;
    lmb_model *m = r->model;
    const lmb_tree *type = lmb_tree_get(e->node, "type");
    lmb_nearest nearest;
    (void)unused;
    if (e->node->kind != LMB_TREE_MAP || !type || type->kind != LMB_TREE_TEXT) {
        lmb_fail_at(r->context, e->key->place, "%s needs a map of keys with a 'type'", e->what);
        return lmb_hint(r->context, "the types are optimise, fit, sweep and tolerance");
    }
    const char *word = type->text;
    if (strcmp(word, "optimize") == 0 || strcmp(word, "minimize") == 0)
        word = "optimise";
    int kind = lmb_find_name(lmb_study_types, sizeof *lmb_study_types, -1, word, &nearest);
    if (kind < 0) {
        lmb_fail_at(r->context, type->place, "there is no study type '%s'", word);
        lmb_hint(r->context, "the types are optimise, fit, sweep and tolerance");
        return lmb_nearest_hint(r->context, &nearest);
    }
    keys k = {0};
    lmb_study s = {.name = e->key->text, .place = e->key->place, .kind = (lmb_study_kind)kind};
    if (lmb_read_fields(reader, e->node, lmb_study_types[kind].fields, e->what, "type", &k))
        return LMB_BAD_INPUT;
    s.tolerance = k.tolerance.number;
    if (readers[kind](r, e, &k, &s))
        return LMB_BAD_INPUT;
    m->studies[m->study_count++] = s;
    return LMB_OK;
}

lmb_status lmb_read_studies(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    m->studies = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->studies);
    return lmb_read_section(&r->reader, section, "studies", "study", "studies", read_study, NULL);
}
