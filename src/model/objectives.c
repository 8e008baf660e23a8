/* The section `objectives`: numbers that tell how good a design is, each made of an expression over
 * an analysis (an integral, a mean, an extreme, the value at an instant), or an expression of the
 * objectives before it. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "channels/channels.h"
#include "model/builder.h"
#include "model/fields.h"

/* What an objective is read into: one of the first seven is given. */
typedef struct keys {
    const lmb_tree *integral, *mean, *rms, *final, *at, *min, *max;
    lmb_value of, from, to, time, mode, sharpness;
    lmb_smoothing smooth;
} keys;

#define KEY(member) LMB_KEY(keys, member)

const lmb_field lmb_objective_fields[] = {
    {KEY(integral), LMB_FIELD_TREE, NULL, "The integral over time of an expression of channels.",
     .choices = "number"},
    {KEY(mean), LMB_FIELD_TREE, NULL, "The mean over time of an expression of channels.",
     .choices = "number"},
    {KEY(rms), LMB_FIELD_TREE, NULL, "The root of the mean square of an expression of channels.",
     .choices = "number"},
    {KEY(final), LMB_FIELD_TREE, NULL, "An expression of channels at the end of the analysis.",
     .choices = "number"},
    {KEY(at), LMB_FIELD_TREE, NULL,
     "An expression of channels at the instant 'time', or of the mode number 'mode'.",
     .choices = "number"},
    {KEY(min), LMB_FIELD_TREE, NULL, "The smallest value of an expression of channels.",
     .choices = "number"},
    {KEY(max), LMB_FIELD_TREE, NULL, "The largest value of an expression of channels.",
     .choices = "number"},
    {KEY(of), LMB_FIELD_TEXT, NULL, "The analysis whose channels they are.", "the last one"},
    {KEY(from), LMB_FIELD_NUMBER, "s", "What is before this instant does not count.",
     "the beginning"},
    {KEY(to), LMB_FIELD_NUMBER, "s", "What is after this instant does not count.", "the end"},
    {KEY(time), LMB_FIELD_NUMBER, "s", "The instant of 'at'."},
    {KEY(mode), LMB_FIELD_NUMBER, NULL, "The number of the mode of 'at', in an analysis of modes.",
     .range = LMB_POSITIVE},
    {KEY(smooth), LMB_FIELD_CHOICE, NULL,
     "How an extreme is smoothed, so that its gradient does not jump: ks is ln(mean exp(k g)) / k, "
     "p-norm the mean of g^p to the power 1/p.",
     "no", .choices = "no ks p-norm"},
    {KEY(sharpness), LMB_FIELD_NUMBER, NULL,
     "How near a smoothed extreme is to the real one: k (one over the unit of the expression), or "
     "p.",
     .range = LMB_POSITIVE},
    {0},
};

/* The expression that is given, and what is made of it. */
static lmb_status find_expression(lmb_builder *r, const lmb_entry *e, const keys *k,
                                  lmb_objective *o)
{
    const lmb_tree *const given[] = {k->integral, k->mean, k->rms, k->final, k->at, k->min, k->max};
    const lmb_tree *node = NULL;
    int count = 0;
    for (int i = 0; i < (int)(sizeof given / sizeof *given); i++)
        if (given[i]) {
            node = given[i];
            o->kind = (lmb_objective_kind)i;
            count++;
        }
    if (count != 1) {
        lmb_fail_at(r->context, e->key->place,
                    count ? "%s has more than one expression" : "%s has no expression", e->what);
        return lmb_hint(r->context,
                        "give one of integral, mean, rms, final, at, min and max, as in "
                        "'{integral: seat.acceleration.z^2, of: ride}'");
    }
    if (node->kind != LMB_TREE_TEXT || !node->text[0])
        return lmb_fail_kind(&r->reader, node, e->key->text, "an expression of channels");
    o->text = node->text;
    o->place = lmb_text_place(node);
    o->counter = node->counter;
    return LMB_OK;
}

static lmb_status find_analysis(lmb_builder *r, const lmb_entry *e, const keys *k, int *out)
{
    const lmb_model *m = r->model;
    *out = m->analysis_count - 1;
    if (m->analysis_count == 0)
        return lmb_fail_at(r->context, e->key->place, "%s needs an analysis, but there is none",
                           e->what);
    if (!k->of.given)
        return LMB_OK;
    lmb_nearest nearest;
    *out = lmb_find_analysis(r, k->of.text, &nearest);
    if (*out >= 0)
        return LMB_OK;
    lmb_fail_at(r->context, k->of.place, "there is no analysis '%s'", k->of.text);
    return lmb_nearest_hint(r->context, &nearest);
}

/* Keys that do not belong to what is asked for. */
static lmb_status check_unused(lmb_builder *r, const lmb_entry *e, const keys *k,
                               const lmb_objective *o)
{
    const lmb_analysis *a = &r->model->analyses[o->analysis];
    bool timeless = a->kind->timeless != NULL, modes = a->kind->known & LMB_KNOWN_MODES;
    bool at = o->kind == LMB_OBJECTIVE_AT, extreme = o->kind >= LMB_OBJECTIVE_MIN;
    bool spans = !timeless && !at && o->kind != LMB_OBJECTIVE_FINAL;
    const lmb_value *unused = k->time.given && (!at || timeless) ? &k->time
                              : k->mode.given && (!at || !modes) ? &k->mode
                              : k->from.given && !spans          ? &k->from
                              : k->to.given && !spans            ? &k->to
                                                                 : NULL;
    if (unused)
        return lmb_fail_at(r->context, unused->place, "%s: this key has no meaning here", e->what);
    if (k->smooth != LMB_SMOOTH_NOT && !extreme)
        return lmb_fail_at(r->context, e->key->place, "%s: 'smooth' is for min and max", e->what);
    if (k->smooth != LMB_SMOOTH_NOT && !k->sharpness.given) {
        lmb_fail_at(r->context, e->key->place, "%s: 'smooth' needs the key 'sharpness'", e->what);
        return lmb_hint(r->context,
                        "for ks about 50 divided by the largest value, for p-norm about 20");
    }
    if (k->smooth == LMB_SMOOTH_NOT && k->sharpness.given) {
        lmb_fail_at(r->context, k->sharpness.place, "%s: 'sharpness' is for 'smooth'", e->what);
        return lmb_hint(r->context, "add 'smooth: ks' or 'smooth: p-norm'");
    }
    return LMB_OK;
}

/* The instant or the mode of 'at'. */
static lmb_status check_at(lmb_builder *r, const lmb_entry *e, const keys *k,
                           const lmb_objective *o)
{
    const lmb_analysis *a = &r->model->analyses[o->analysis];
    bool modes = a->kind->known & LMB_KNOWN_MODES;
    if (a->kind->timeless && !modes) {
        lmb_fail_at(r->context, o->place, "%s: analysis '%s' has neither instants nor modes",
                    e->what, a->name);
        return lmb_hint(r->context, "take 'final'");
    }
    if (!(modes ? k->mode.given : k->time.given)) {
        lmb_fail_at(r->context, o->place, "%s: 'at' needs the key '%s'", e->what,
                    modes ? "mode" : "time");
        return lmb_hint(r->context, modes ? "such as 'mode: 1'" : "such as 'time: 0.5'");
    }
    if (modes && o->at != floor(o->at))
        return lmb_fail_at(r->context, k->mode.place, "%s: 'mode' must be a whole number", e->what);
    return LMB_OK;
}

/* Instants that the analysis does not have. */
static lmb_status check_span(lmb_builder *r, const lmb_entry *e, const keys *k,
                             const lmb_objective *o)
{
    const lmb_analysis *a = &r->model->analyses[o->analysis];
    double start = a->start, end = a->start + a->duration, rounding = 1e-12 * (1 + fabs(end));
    const lmb_value *outside =
        k->time.given && !(o->at >= start - rounding && o->at <= end + rounding) ? &k->time
        : k->from.given && !(o->from < end)                                      ? &k->from
        : k->to.given && !(o->to > start)                                        ? &k->to
                                                                                 : NULL;
    if (outside)
        return lmb_fail_at(r->context, outside->place, "%s: analysis '%s' goes from %g to %g s",
                           e->what, a->name, start, end);
    if (o->from >= o->to)
        return lmb_fail_at(r->context, k->to.place, "%s: 'to' must be after 'from'", e->what);
    return LMB_OK;
}

static lmb_status check_keys(lmb_builder *r, const lmb_entry *e, const keys *k,
                             const lmb_objective *o)
{
    const lmb_analysis *a = &r->model->analyses[o->analysis];
    if (check_unused(r, e, k, o))
        return LMB_BAD_INPUT;
    if (o->kind <= LMB_OBJECTIVE_RMS && a->kind->timeless)
        return lmb_fail_at(r->context, o->place,
                           "%s is over time, but analysis '%s' is of type %s, which has none",
                           e->what, a->name, a->kind->name);
    if (o->kind == LMB_OBJECTIVE_AT && check_at(r, e, k, o))
        return LMB_BAD_INPUT;
    return check_span(r, e, k, o);
}

static lmb_status read_objective(lmb_reader *reader, const lmb_entry *e, void *unused)
{
    lmb_builder *r = (lmb_builder *)reader;
    lmb_model *m = r->model;
    keys k;
    (void)unused;
    lmb_objective o = {.name = e->key->text, .from = NAN, .to = NAN, .analysis = -1};
    if (e->node->kind == LMB_TREE_TEXT && e->node->text[0]) {
        o.kind = LMB_OBJECTIVE_COMBINED;
        o.text = e->node->text;
        o.place = lmb_text_place(e->node);
        o.counter = e->node->counter;
    } else {
        if (lmb_read_fields(reader, e->node, lmb_objective_fields, e->what, NULL, &k) ||
            find_expression(r, e, &k, &o) || find_analysis(r, e, &k, &o.analysis))
            return LMB_BAD_INPUT;
        o.from = k.from.given ? k.from.number : NAN;
        o.to = k.to.given ? k.to.number : NAN;
        o.at = k.mode.given ? k.mode.number : k.time.number;
        o.smoothing = k.smooth;
        o.sharpness = k.sharpness.number;
        if (check_keys(r, e, &k, &o))
            return LMB_BAD_INPUT;
    }
    m->objectives[m->objective_count++] = o;
    return LMB_OK;
}

lmb_status lmb_read_objectives(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    m->objectives = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->objectives);
    return lmb_read_section(&r->reader, section, "objectives", "objective", "objectives",
                            read_objective, NULL);
}

/* --- expressions ------------------------------------------------------------------------------ */

/* What combined objectives may name: those before them, and parameters. */
typedef struct earlier {
    const lmb_model *model;
    int count;
} earlier;

static lmb_status find_earlier(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    const earlier *e = user;
    const lmb_model *m = e->model;
    (void)place;
    symbol->kind = LMB_SYMBOL_NONE;
    for (int i = 0; i < m->constant_count; i++)
        if (strcmp(m->constants[i].name, name) == 0)
            *symbol = m->constants[i].symbol;
    for (int i = 0; i < e->count; i++)
        if (strcmp(m->objectives[i].name, name) == 0)
            *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VARIABLE, .size = 1, .variable = i};
    return LMB_OK;
}

static void offer_earlier(void *user, lmb_nearest *nearest)
{
    const earlier *e = user;
    for (int i = 0; i < e->count; i++)
        lmb_nearest_try(nearest, e->model->objectives[i].name);
    for (int i = 0; i < e->model->constant_count; i++)
        lmb_nearest_try(nearest, e->model->constants[i].name);
}

static lmb_status compile_combined(lmb_builder *r, int i)
{
    lmb_objective *o = &r->model->objectives[i];
    earlier before = {r->model, i};
    lmb_scope scope = {find_earlier, offer_earlier, &before, false};
    o->expression = lmb_expr_compile(r->context, r->arena, &scope, o->text, o->place);
    if (!o->expression)
        return lmb_hint(r->context, "an objective that is an expression uses the objectives before "
                                    "it; channels need a map, such as '{final: bob.position.x}'");
    if (lmb_expr_size(o->expression) == 1)
        return LMB_OK;
    return lmb_fail_at(r->context, o->place, "an objective must be a number, not a vector");
}

lmb_status lmb_check_objectives(lmb_builder *r, bool known)
{
    const lmb_model *m = r->model;
    lmb_status status = LMB_OK;
    for (int a = 0; !known && a < m->analysis_count; a++) {
        lmb_channels *channels = NULL;
        for (int i = 0; i < m->objective_count; i++) {
            if (m->objectives[i].analysis != a)
                continue;
            lmb_status one = LMB_OK;
            if (!channels)
                one = lmb_channels_new(&channels, r->context, m, m->analyses[a].kind->known);
            if (!one)
                one = lmb_channels_add_objective(channels, r->context, &m->objectives[i]);
            status = status ? status : one;
        }
        lmb_channels_free(channels);
    }
    for (int i = 0; i < m->objective_count; i++)
        if (m->objectives[i].kind == LMB_OBJECTIVE_COMBINED && compile_combined(r, i))
            status = LMB_BAD_INPUT;
    return status;
}
