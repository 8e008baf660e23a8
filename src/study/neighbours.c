/* Models compiled at neighbouring values of a parameter. */
#include "study/neighbours.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrate/motion.h"
#include "model/align.h"
#include "model/variant.h"
#include "read/reader.h"

const double lmb_neighbour_place[LMB_NEIGHBOURS] = {-2, -1, 1, 2};
const double lmb_neighbour_weight[LMB_NEIGHBOURS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

double lmb_neighbours_offset(const lmb_neighbours *n, int k)
{
    return (n->one_sided ? k + 1 : lmb_neighbour_place[k]) * n->d;
}

/* --- analyses --------------------------------------------------------------------------------- */

lmb_status lmb_prepare_analyses(lmb_context *context, lmb_model *m,
                                const lmb_integration_choice *choice)
{
    const double tight = 1e-10;
    for (int i = 0; i < m->analysis_count; i++) {
        lmb_integration *o = &m->analyses[i].integration;
        if (!o->integrator)
            continue;
        if (choice->integrator && o->integrator != choice->integrator) {
            o->integrator = choice->integrator;
            o->tolerance = choice->integrator->controlled ? 1e-9 : 0;
            o->spectral_radius = fmax(o->spectral_radius, choice->integrator->least_radius);
            o->spectral_radius = o->spectral_radius > 0 ? o->spectral_radius : 0.9;
            o->step = m->analyses[i].output_step / 10;
        }
        if (choice->step > 0 && o->integrator->controlled)
            return lmb_fail(context, LMB_USAGE, "the integrator %s chooses its steps itself",
                            o->integrator->name);
        if (choice->step > 0) {
            o->step = choice->step;
            o->tolerance = 0;
        }
        if (!o->integrator->implicit && o->tolerance > tight)
            o->tolerance = tight; /* differences of runs see their errors */
        o->to_rounding = true;
    }
    return LMB_OK;
}

/* --- parameters ------------------------------------------------------------------------------- */

static const lmb_symbol *find_value(const lmb_model *m, const char *name)
{
    for (int i = 0; i < m->constant_count; i++)
        if (strcmp(m->constants[i].name, name) == 0 &&
            m->constants[i].symbol.kind == LMB_SYMBOL_VALUE)
            return &m->constants[i].symbol;
    return NULL;
}

/* The text of a parameter: that given from outside, or that of the file; NULL: it has none. */
static const char *text_of(const lmb_spec *spec, const char *name)
{
    for (const lmb_override *o = spec->overrides; o; o = o->next)
        if (strcmp(o->name, name) == 0)
            return o->value;
    const lmb_tree *section = lmb_tree_get(spec->root, "parameters");
    const lmb_tree *node = section ? lmb_tree_get(section, name) : NULL;
    return node && node->kind == LMB_TREE_TEXT ? node->text : NULL;
}

/* The first other parameter in a text; NULL: there is none. */
static const char *mentioned(const lmb_model *m, const char *text, const char *name)
{
    for (const char *c = text; *c;) {
        size_t length = 0;
        while (lmb_is_letter_or_digit(c[length]) || c[length] == '_' || c[length] == '.')
            length++;
        bool word = length > 0 && !lmb_is_digit(*c);
        for (int i = 0; i < m->constant_count && word; i++) {
            const char *other = m->constants[i].name;
            size_t own = strlen(other);
            bool same =
                own <= length && strncmp(other, c, own) == 0 && (own == length || c[own] == '.');
            if (same && strcmp(other, name) != 0)
                return other;
        }
        c += length > 0 ? length : 1;
    }
    return NULL;
}

bool lmb_parameter_is_free(const lmb_spec *spec, const lmb_model *m, const char *name)
{
    const lmb_symbol *symbol = find_value(m, name);
    const char *text = text_of(spec, name);
    return symbol && symbol->size == 1 && text && !mentioned(m, text, name);
}

lmb_status lmb_parameter_find(lmb_context *context, const lmb_spec *spec, const lmb_model *m,
                              const char *name, double *value)
{
    const lmb_symbol *symbol = find_value(m, name);
    const char *text = text_of(spec, name), *other = text ? mentioned(m, text, name) : NULL;
    if (!symbol) {
        lmb_nearest nearest = lmb_nearest_start(name);
        for (int i = 0; i < m->constant_count; i++)
            lmb_nearest_try(&nearest, m->constants[i].name);
        lmb_fail(context, LMB_USAGE, "there is no parameter '%s'", name);
        return lmb_nearest_hint(context, &nearest);
    }
    if (symbol->size != 1) {
        lmb_fail(context, LMB_USAGE, "parameter '%s' is a vector", name);
        return lmb_hint(context, "make its components parameters of their own");
    }
    if (other) {
        lmb_fail(context, LMB_USAGE, "parameter '%s' is made of others: %s", name, text);
        return lmb_hint(context, "vary '%s'", other);
    }
    *value = symbol->value[0];
    return LMB_OK;
}

/* --- compiling -------------------------------------------------------------------------------- */

/* What must be equal in all neighbours. */
static lmb_status check_structure(lmb_context *context, const lmb_model *a, const lmb_model *b,
                                  const char *name)
{
    const struct {
        int a, b;
        const char *what;
    } counts[] = {
        {a->body_count, b->body_count, "bodies"},
        {a->nv, b->nv, "coordinates"},
        {a->nrows, b->nrows, "constraints"},
        {a->force_count, b->force_count, "forces"},
        {a->value_count, b->value_count, "numbers of the Jacobian"},
        {a->couple_values, b->couple_values, "couplings"},
        {a->parts.turn_count, b->parts.turn_count, "joint angles"},
        {a->analysis_count, b->analysis_count, "analyses"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].a != counts[i].b) {
            lmb_fail(context, LMB_BAD_INPUT,
                     "there is no derivative by '%s': the number of %s changes with it (%d and %d)",
                     name, counts[i].what, counts[i].a, counts[i].b);
            return lmb_hint(context, "'repeat', 'elements' and 'keep' must not depend on it");
        }
    return LMB_OK;
}

bool lmb_neighbours_keep_times(const lmb_neighbours *n, const lmb_model *base, int analysis)
{
    const lmb_analysis *a = &base->analyses[analysis];
    double rounding = 1e-12 * (fabs(a->start) + a->duration);
    for (int k = 0; k < LMB_NEIGHBOURS; k++) {
        const lmb_analysis *b = &n->models[k]->analyses[analysis];
        if (!(fabs(b->start - a->start) <= rounding) ||
            !(fabs(b->duration - a->duration) <= rounding) ||
            !(fabs(b->output_step - a->output_step) <= 1e-12 * a->output_step) ||
            lmb_instant_count(a) != lmb_instant_count(b))
            return false;
    }
    return true;
}

/* A model whose flexible bodies are in the basis of modes of the base, or in the nearest one. */
static lmb_status compile_at(lmb_model **out, lmb_context *context, lmb_spec *spec,
                             const lmb_model *base, lmb_gradient_basis basis, const char *name,
                             double value)
{
    lmb_override *before = spec->overrides;
    spec->held = basis == LMB_BASIS_HELD;
    lmb_status status = lmb_spec_set_number(spec, context, name, value);
    size_t messages = lmb_message_count(context);
    if (!status)
        status = lmb_model_variant(out, context, spec, base);
    if (!status)
        status = lmb_model_align_modes(*out, context, base);
    if (!status)
        lmb_messages_forget(context, messages); /* warnings of the model are known */
    spec->overrides = before;
    spec->held = false;
    return status;
}

/* Compiles all of them; LMB_BAD_INPUT where the model is wrong at one, *at. */
static lmb_status compile_all(lmb_neighbours *out, lmb_context *context, lmb_spec *spec,
                              const lmb_model *base, const lmb_integration_choice *choice,
                              lmb_gradient_basis basis, double *at)
{
    lmb_status status = LMB_OK;
    *at = NAN;
    for (int k = 0; k < LMB_NEIGHBOURS && !status; k++) {
        double place = out->value + lmb_neighbours_offset(out, k);
        status = compile_at(&out->models[k], context, spec, base, basis, out->name, place);
        if (status == LMB_BAD_INPUT)
            *at = place;
        if (!status)
            status = check_structure(context, base, out->models[k], out->name);
        if (!status)
            status = lmb_prepare_analyses(context, out->models[k], choice);
    }
    if (status)
        lmb_neighbours_free(out);
    return status;
}

lmb_status lmb_neighbours_compile(lmb_neighbours *out, lmb_context *context, lmb_spec *spec,
                                  const lmb_model *base, const lmb_integration_choice *choice,
                                  lmb_gradient_basis basis, const char *name, double value,
                                  double d)
{
    double at, first;
    size_t messages = lmb_message_count(context);
    *out = (lmb_neighbours){.name = name, .value = value, .d = d};
    lmb_status status = compile_all(out, context, spec, base, choice, basis, &first);
    if (status != LMB_BAD_INPUT || isnan(first))
        return status;
    /* the model ends here: what is on the other side will do */
    out->one_sided = true;
    out->d = first < value ? d : -d;
    size_t more = lmb_message_count(context);
    status = compile_all(out, context, spec, base, choice, basis, &at);
    if (!status) {
        lmb_messages_forget(context, messages);
        return LMB_OK;
    }
    lmb_messages_forget(context, more);
    if (isnan(at))
        return status;
    lmb_fail(context, LMB_BAD_INPUT,
             "there is no derivative by '%s': the model is wrong with %s = %.9g", name, name,
             first);
    return lmb_hint(context, "derivatives are taken from values on one side of %.9g at least",
                    value);
}

void lmb_neighbours_free(lmb_neighbours *n)
{
    for (int k = 0; k < LMB_NEIGHBOURS; k++) {
        lmb_model_free(n->models[k]);
        n->models[k] = NULL;
    }
}
