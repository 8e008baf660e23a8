/* The parameters that a study varies, each with what it may be: bounds, choices, points of a grid,
 * or a distribution. */
#include <math.h>
#include <string.h>

#include "model/fields.h"
#include "model/studies.h"

/* What a map is read into: one of them is given, but for the three of a grid. */
typedef struct keys {
    lmb_value from, to, points, normal, uniform, triangular, lognormal;
    const lmb_tree *choices;
} keys;

#define KEY(member) LMB_KEY(keys, member)

const lmb_field lmb_variable_fields[] = {
    {KEY(choices), LMB_FIELD_TREE, NULL,
     "The numbers that it may be, such as sizes of a catalogue.", .choices = "any_numbers"},
    {KEY(from), LMB_FIELD_NUMBER, NULL, "The least number."},
    {KEY(to), LMB_FIELD_NUMBER, NULL, "The largest number."},
    {KEY(points), LMB_FIELD_NUMBER, NULL, "Of a grid: how many numbers from 'from' to 'to'.",
     .range = LMB_POSITIVE},
    {KEY(normal), LMB_FIELD_NUMBERS, NULL,
     "Drawn from a normal distribution: [mean, standard "
     "deviation].",
     .choices = "numbers"},
    {KEY(uniform), LMB_FIELD_NUMBERS, NULL, "Drawn evenly between two numbers: [from, to].",
     .choices = "numbers"},
    {KEY(triangular), LMB_FIELD_NUMBERS, NULL,
     "Drawn from a triangular distribution: [least, most likely, largest].", .choices = "numbers"},
    {KEY(lognormal), LMB_FIELD_NUMBERS, NULL,
     "Drawn so that its logarithm is normal: [median, standard deviation of the logarithm].",
     .choices = "numbers"},
    {0},
};

static lmb_status fail_form(lmb_builder *r, const lmb_tree *key, lmb_place place)
{
    lmb_fail_at(r->context, place, "'%s' needs to be told what it may be", key->text);
    return lmb_hint(r->context,
                    "bounds '[lo, hi]', '{choices: [a, b, c]}', '{from: a, to: b, points: n}', "
                    "'{normal: [mean, deviation]}', '{uniform: [a, b]}', '{triangular: [a, b, c]}' "
                    "or '{lognormal: [median, deviation]}'");
}

/* Whether the numbers of a kind make sense. */
static lmb_status check_numbers(lmb_builder *r, const lmb_tree *key, const lmb_variable *v,
                                lmb_place place)
{
    const double *x = v->numbers;
    bool spread = v->kind == LMB_VARIABLE_NORMAL || v->kind == LMB_VARIABLE_LOGNORMAL;
    if ((v->kind == LMB_VARIABLE_RANGE || v->kind == LMB_VARIABLE_UNIFORM) && !(x[0] < x[1]))
        return lmb_fail_at(r->context, place,
                           "there is nothing between the bounds of '%s', %g and %g", key->text,
                           x[0], x[1]);
    if (spread && !(x[1] > 0))
        return lmb_fail_at(r->context, place, "the deviation of '%s' must be positive, not %g",
                           key->text, x[1]);
    if (v->kind == LMB_VARIABLE_LOGNORMAL && !(x[0] > 0))
        return lmb_fail_at(r->context, place, "the median of '%s' must be positive, not %g",
                           key->text, x[0]);
    if (v->kind == LMB_VARIABLE_TRIANGULAR && !(x[0] <= x[1] && x[1] <= x[2] && x[0] < x[2]))
        return lmb_fail_at(r->context, place, "the three numbers of '%s' must grow", key->text);
    return LMB_OK;
}

static lmb_status keep_numbers(lmb_builder *r, lmb_variable *v, lmb_variable_kind kind, int count,
                               const double *numbers)
{
    double *kept = lmb_arena_numbers(r->arena, (size_t)count);
    if (!kept)
        return lmb_fail_memory(r->context);
    memcpy(kept, numbers, (size_t)count * sizeof *kept);
    v->kind = kind;
    v->numbers = kept;
    return LMB_OK;
}

lmb_status lmb_check_choices(lmb_builder *r, const lmb_variable *v, lmb_place place)
{
    for (int i = 0; i < v->count; i++)
        for (int k = 0; k < i; k++)
            if (v->numbers[i] == v->numbers[k])
                return lmb_fail_at(r->context, place, "'%s' has the choice %g twice", v->name,
                                   v->numbers[i]);
    return LMB_OK;
}

/* A list of numbers of any length. */
static lmb_status read_choices(lmb_builder *r, const lmb_tree *key, const lmb_tree *list,
                               lmb_variable *v)
{
    if (list->kind != LMB_TREE_LIST)
        return lmb_fail_kind(&r->reader, list, key->text, "a list of numbers");
    if (list->count == 0)
        return lmb_fail_at(r->context, list->place, "the list of '%s' is empty", key->text);
    double *numbers = lmb_arena_numbers(r->arena, (size_t)list->count);
    if (!numbers)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < list->count; i++)
        if (lmb_read_number(&r->reader, list->items[i], key->text, &numbers[i]))
            status = LMB_BAD_INPUT;
    v->kind = LMB_VARIABLE_CHOICES;
    v->count = list->count;
    v->numbers = numbers;
    return status;
}

/* Bounds, or points of a grid. */
static lmb_status read_range(lmb_builder *r, const lmb_tree *key, const keys *k, lmb_variable *v)
{
    const double bounds[] = {k->from.number, k->to.number};
    if (!k->from.given || !k->to.given)
        return lmb_fail_at(r->context, k->from.given ? k->from.place : k->to.place,
                           "'%s' needs both 'from' and 'to'", key->text);
    if (k->points.given && !(k->points.number >= 2 && k->points.number <= 1e6 &&
                             k->points.number == floor(k->points.number)))
        return lmb_fail_at(r->context, k->points.place,
                           "'points' must be a whole number from 2 to a million, not %g",
                           k->points.number);
    v->count = k->points.given ? (int)k->points.number : 0;
    return keep_numbers(r, v, LMB_VARIABLE_RANGE, 2, bounds);
}

static lmb_status read_map(lmb_builder *r, const lmb_tree *key, const lmb_tree *node,
                           lmb_variable *v)
{
    keys k;
    char what[96];
    lmb_snprintf(what, sizeof what, "'%.60s'", key->text);
    if (lmb_read_fields(&r->reader, node, lmb_variable_fields, what, NULL, &k))
        return LMB_BAD_INPUT;
    const struct {
        const lmb_value *value;
        lmb_variable_kind kind;
        int size;
    } drawn[] = {{&k.normal, LMB_VARIABLE_NORMAL, 2},
                 {&k.uniform, LMB_VARIABLE_UNIFORM, 2},
                 {&k.triangular, LMB_VARIABLE_TRIANGULAR, 3},
                 {&k.lognormal, LMB_VARIABLE_LOGNORMAL, 2}};
    bool range = k.from.given || k.to.given || k.points.given;
    int forms = (k.choices != NULL) + range;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        forms += drawn[i].value->given;
    if (forms != 1)
        return fail_form(r, key, node->place);
    if (k.choices)
        return read_choices(r, key, k.choices, v);
    if (range)
        return read_range(r, key, &k, v);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        const lmb_value *value = drawn[i].value;
        if (!value->given)
            continue;
        if (value->size != drawn[i].size)
            return lmb_fail_at(r->context, value->place, "'%s' needs %d numbers here, not %d",
                               key->text, drawn[i].size, value->size);
        return keep_numbers(r, v, drawn[i].kind, value->size, value->numbers);
    }
    return LMB_OK;
}

/* Whether a study of a kind can do with a variable. */
static lmb_status check_kind(lmb_builder *r, const lmb_study *s, const lmb_tree *key,
                             const lmb_variable *v, lmb_place place)
{
    bool drawn = v->kind >= LMB_VARIABLE_NORMAL;
    if (s->kind != LMB_STUDY_SWEEP && v->kind == LMB_VARIABLE_RANGE && v->count > 0)
        return lmb_fail_at(r->context, place, "'%s' has 'points', which are those of a sweep",
                           key->text);
    if (s->kind == LMB_STUDY_OPTIMISE && v->kind != LMB_VARIABLE_RANGE &&
        v->kind != LMB_VARIABLE_CHOICES) {
        lmb_fail_at(r->context, place, "'%s' needs bounds, or choices", key->text);
        return lmb_hint(r->context, "'%s: [lo, hi]' or '%s: {choices: [a, b, c]}'", key->text,
                        key->text);
    }
    if (s->kind == LMB_STUDY_OPTIMISE && v->kind == LMB_VARIABLE_CHOICES)
        return lmb_check_choices(r, v, place);
    if (s->kind == LMB_STUDY_FIT && v->kind > LMB_VARIABLE_RANGE) {
        lmb_fail_at(r->context, place, "'%s' is to be fitted: it has bounds, or none", key->text);
        return lmb_hint(r->context, "'%s: [lo, hi]', or '%s:' without bounds", key->text,
                        key->text);
    }
    if (s->kind == LMB_STUDY_TOLERANCE && !drawn) {
        lmb_fail_at(r->context, place, "'%s' needs a distribution", key->text);
        return lmb_hint(r->context, "such as '%s: {normal: [mean, deviation]}'", key->text);
    }
    if (s->kind == LMB_STUDY_SWEEP && v->kind == LMB_VARIABLE_FREE)
        return fail_form(r, key, key->place);
    return LMB_OK;
}

static lmb_status read_variable(lmb_builder *r, const lmb_study *s, const lmb_tree *key,
                                const lmb_tree *node, lmb_variable *v)
{
    lmb_status status = LMB_OK;
    *v = (lmb_variable){.name = key->text, .place = key->place};
    if (node->kind == LMB_TREE_LIST && s->kind == LMB_STUDY_SWEEP) {
        status = read_choices(r, key, node, v);
    } else if (node->kind == LMB_TREE_LIST) {
        double bounds[2];
        if (node->count != 2) {
            lmb_fail_at(r->context, node->place, "the bounds of '%s' are two numbers, not %d",
                        key->text, node->count);
            return lmb_hint(r->context, "a choice of numbers is '%s: {choices: [...]}'", key->text);
        }
        for (int i = 0; i < 2; i++)
            if (lmb_read_number(&r->reader, node->items[i], key->text, &bounds[i]))
                status = LMB_BAD_INPUT;
        status = status ? status : keep_numbers(r, v, LMB_VARIABLE_RANGE, 2, bounds);
    } else if (node->kind == LMB_TREE_MAP) {
        status = read_map(r, key, node, v);
    } else if (!lmb_tree_is_empty(node)) {
        status = fail_form(r, key, node->place);
    }
    if (!status)
        status = check_kind(r, s, key, v, node->place);
    return status ? status : check_numbers(r, key, v, node->place);
}

/* The parameter of a name, which must be one number. */
static lmb_status check_parameter(lmb_builder *r, const lmb_tree *key)
{
    lmb_nearest nearest = lmb_nearest_start(key->text);
    for (int i = 0; i < r->reader.parameter_count; i++) {
        const lmb_parameter *p = &r->reader.parameters[i];
        if (strcmp(p->name, key->text) == 0 && p->size <= 1)
            return LMB_OK;
        if (strcmp(p->name, key->text) == 0) {
            lmb_fail_at(r->context, key->place, "parameter '%s' is a vector", key->text);
            return lmb_hint(r->context, "make its components parameters of their own");
        }
        lmb_nearest_try(&nearest, p->name);
    }
    lmb_fail_at(r->context, key->place, "there is no parameter '%s'", key->text);
    return lmb_nearest_hint(r->context, &nearest);
}

lmb_status lmb_read_variables(lmb_builder *r, lmb_study *s, const lmb_tree *node, const char *what,
                              const char *key)
{
    if (node->kind == LMB_TREE_TEXT && node->text[0])
        return lmb_fail_kind(&r->reader, node, key, "a map of parameters");
    if (lmb_tree_count(node) == 0) {
        lmb_fail_at(r->context, node->place, "%s varies nothing", what);
        return lmb_hint(r->context, "name parameters of the model: '%s: {k: [lo, hi]}'", key);
    }
    bool list = node->kind == LMB_TREE_LIST; /* names alone */
    s->variables = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *s->variables);
    lmb_tree *nothing = lmb_tree_new(r->arena, LMB_TREE_TEXT, node->place);
    if (!s->variables || !nothing)
        return lmb_fail_memory(r->context);
    nothing->text = "";
    lmb_status status = LMB_OK;
    for (int i = 0; i < node->count; i++) {
        const lmb_tree *name = list ? node->items[i] : node->keys[i];
        bool twice = false;
        for (int k = 0; k < s->variable_count && name->kind == LMB_TREE_TEXT; k++)
            twice |= strcmp(s->variables[k].name, name->text) == 0;
        if (name->kind != LMB_TREE_TEXT)
            status = lmb_fail_kind(&r->reader, name, key, "the name of a parameter");
        else if (twice)
            status = lmb_fail_at(r->context, name->place, "'%s' is there twice", name->text);
        else if (check_parameter(r, name) ||
                 read_variable(r, s, name, list ? nothing : node->items[i],
                               &s->variables[s->variable_count++]))
            status = LMB_BAD_INPUT;
    }
    return status;
}
