/* Single values: parameters, numbers, vectors and laws, with all their mistakes. */
#include "read/reader.h"

#include <math.h>
#include <string.h>

#include "base/list.h"

lmb_status lmb_fail_kind(lmb_reader *r, const lmb_tree *node, const char *name,
                         const char *expected)
{
    lmb_fail_at(r->context, node->place, "'%s' must be %s, not %s", name, expected,
                lmb_tree_kind_name(node));
    if (node->kind == LMB_TREE_TEXT && !node->quoted && strchr(node->text, ':'))
        lmb_hint(r->context, "YAML wants a blank after ':'");
    return LMB_BAD_INPUT;
}

lmb_place lmb_text_place(const lmb_tree *node)
{
    lmb_place place = node->place;
    if (!node->exact)
        place.column = 0;
    return place;
}

/* --- names in expressions ------------------------------------------------------------------- */

static lmb_parameter *find_parameter(const lmb_reader *r, const char *name, size_t length)
{
    const lmb_named *known = lmb_names_find(&r->parameter_names, name, length);
    return known ? &r->parameters[known->index] : NULL;
}

static lmb_status need_parameter(lmb_reader *r, lmb_parameter *p);

static lmb_status find_symbol(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    lmb_reader *r = user;
    symbol->kind = LMB_SYMBOL_NONE;
    if (strchr(name, '(')) {
        r->note.beyond = true;
        return r->hooks ? r->hooks->find(r, name, place, symbol) : LMB_OK;
    }
    bool speed = r->speed && strcmp(name, "speed") == 0;
    if (speed || (r->coordinate && strcmp(name, r->coordinate) == 0)) {
        int variable = speed ? LMB_EFFORT_SPEED : LMB_EFFORT_COORDINATE;
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VARIABLE, .size = 1, .variable = variable};
        return LMB_OK;
    }
    for (const lmb_counter *c = r->counter; c; c = c->outer)
        if (strcmp(c->name, name) == 0) {
            *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 1, .value = {c->value}};
            return LMB_OK;
        }
    lmb_parameter *p = find_parameter(r, name, strlen(name));
    if (p) {
        if (p->state == LMB_PARAMETER_BUSY)
            return lmb_fail_at(r->context, place,
                               "parameter '%s' depends on itself, directly or through others",
                               name);
        lmb_status status = need_parameter(r, p);
        r->note.uses |= lmb_use_of((int)(p - r->parameters));
        symbol->kind = LMB_SYMBOL_VALUE;
        symbol->size = p->size;
        memcpy(symbol->value, p->value, sizeof p->value);
        return status;
    }
    for (int i = 0; i < r->table_count; i++)
        if (strcmp(r->tables[i].name, name) == 0) {
            symbol->kind = LMB_SYMBOL_TABLE;
            symbol->table = r->tables[i].table;
            r->note.uses |= r->tables[i].uses;
            return symbol->table ? LMB_OK : LMB_BAD_INPUT; /* already reported */
        }
    for (const lmb_defined *d = r->functions; d; d = d->next)
        if (strcmp(d->function.name, name) == 0) {
            symbol->kind = LMB_SYMBOL_FUNCTION;
            symbol->function = &d->function;
            r->note.beyond = true;
            return LMB_OK;
        }
    if (r->channels && r->hooks && strchr(name, '.')) {
        r->note.beyond = true;
        return r->hooks->find(r, name, place, symbol);
    }
    return r->incomplete && !strchr(name, '.') ? LMB_BAD_INPUT : LMB_OK;
}

static void offer_symbols(void *user, lmb_nearest *nearest)
{
    lmb_reader *r = user;
    if (r->channels && r->hooks)
        r->hooks->offer(r, nearest);
    if (r->coordinate)
        lmb_nearest_try(nearest, r->coordinate);
    if (r->speed)
        lmb_nearest_try(nearest, "speed");
    for (const lmb_counter *c = r->counter; c; c = c->outer)
        lmb_nearest_try(nearest, c->name);
    for (int i = 0; i < r->parameter_count; i++)
        lmb_nearest_try(nearest, r->parameters[i].name);
    for (int i = 0; i < r->table_count; i++)
        lmb_nearest_try(nearest, r->tables[i].name);
    for (const lmb_defined *d = r->functions; d; d = d->next)
        lmb_nearest_try(nearest, d->function.name);
}

/* Compiles a node, a text or a list of texts that makes a vector; NULL after a mistake. */
static lmb_expr *compile(lmb_reader *r, lmb_arena *arena, const lmb_tree *node, const char *name,
                         bool time)
{
    lmb_scope scope = {find_symbol, offer_symbols, r, time};
    bool vector = node->kind == LMB_TREE_LIST && (node->count == 2 || node->count == 3);
    lmb_expr *parts[3] = {NULL};
    if (node->kind == LMB_TREE_TEXT && node->text[0]) {
        const lmb_counter *outer = r->counter;
        r->counter = node->counter;
        lmb_expr *e = lmb_expr_compile(r->context, arena, &scope, node->text, lmb_text_place(node));
        r->counter = outer;
        return e;
    }
    if (node->kind == LMB_TREE_TEXT)
        lmb_fail_at(r->context, node->place, "'%s' has no value", name);
    else if (!vector)
        lmb_fail_kind(r, node, name, "a number or a vector of two or three");
    for (int i = 0; vector && i < node->count; i++) {
        const lmb_tree *item = node->items[i];
        if (item->kind != LMB_TREE_TEXT)
            lmb_fail_kind(r, item, name, "a vector of numbers");
        else if ((parts[i] = compile(r, arena, item, name, time)) && lmb_expr_size(parts[i]) != 1)
            lmb_fail_at(r->context, item->place, "a component of '%s' is itself a vector", name);
        vector = parts[i] && lmb_expr_size(parts[i]) == 1;
    }
    return vector ? lmb_expr_join(r->context, arena, parts, node->count) : NULL;
}

/* The numbers of a constant expression; they must be finite and not absurd. */
static lmb_status constant(lmb_reader *r, const lmb_expr *e, lmb_place place, const char *name,
                           double *out)
{
    lmb_jet jets[3];
    lmb_expr_evaluate(e, 0, NULL, jets);
    for (int i = 0; i < lmb_expr_size(e); i++) {
        out[i] = jets[i].f;
        if (!isfinite(out[i]))
            return lmb_fail_at(r->context, place, "'%s' is not a finite number (%g)", name, out[i]);
        if (fabs(out[i]) > 1e30)
            return lmb_fail_at(r->context, place, "'%s' is absurdly large (%g)", name, out[i]);
    }
    return LMB_OK;
}

/* Keeps the value of a parameter, and what it is made of. */
static void keep_parameter(lmb_reader *r, const lmb_parameter *p)
{
    if (!r->keep || !r->keep->parameters)
        return;
    lmb_memo_parameter *k = &r->keep->parameters[p - r->parameters];
    const char *text = p->override;
    *k = (lmb_memo_parameter){.override = text ? lmb_text_copy(r->arena, text, strlen(text)) : NULL,
                              .uses = r->note.uses,
                              .size = p->size};
    memcpy(k->value, p->value, sizeof k->value);
    r->keep->spoiled |= r->note.beyond;
}

/* Evaluates a parameter, of which those that it is made of are known. */
static void evaluate_parameter(lmb_reader *r, lmb_parameter *p)
{
    lmb_tree given = {.kind = LMB_TREE_TEXT, .text = p->override};
    if (p->override)
        given.place.file = lmb_text_format(r->arena, "--set %s=%s", p->name, p->override);
    const lmb_tree *node = p->override ? &given : p->node;
    lmb_note before = lmb_note_start(r);
    lmb_expr *e = compile(r, r->arena, node, p->name, false);
    lmb_status status = e ? constant(r, e, node->place, p->name, p->value) : LMB_BAD_INPUT;
    p->size = e ? lmb_expr_size(e) : 1;
    p->state = status ? LMB_PARAMETER_BAD : LMB_PARAMETER_DONE;
    keep_parameter(r, p);
    r->note.uses = before.uses; /* who asked for it depends on its value alone */
    r->note.beyond |= before.beyond;
}

/* Adds those parameters that a text names and that are not known yet; false: out of memory. */
static bool wait_for(const lmb_reader *r, lmb_list *waiting, const char *text)
{
    size_t length;
    for (const char *name = lmb_expr_name(text, &length); name;
         name = lmb_expr_name(name + length, &length)) {
        lmb_parameter *p = find_parameter(r, name, length);
        for (size_t n = length; !p && n > 0; n--) /* a component, as in "v.x" */
            if (name[n - 1] == '.') {
                p = find_parameter(r, name, n - 1);
                break;
            }
        if (!p || p->state != LMB_PARAMETER_NEW)
            continue;
        lmb_parameter **place = lmb_list_add(waiting, sizeof *place);
        if (!place)
            return false;
        *place = p;
    }
    return true;
}

/* The same of all texts of a parameter; the first that it names is the last of the list. */
static bool wait_for_parts(const lmb_reader *r, lmb_list *waiting, const lmb_parameter *p)
{
    const lmb_tree *node = p->node;
    size_t from = waiting->count;
    bool fine = true;
    if (p->override || node->kind == LMB_TREE_TEXT)
        fine = wait_for(r, waiting, p->override ? p->override : node->text);
    for (int i = 0; !p->override && fine && i < node->count; i++)
        if (node->items[i]->kind == LMB_TREE_TEXT)
            fine = wait_for(r, waiting, node->items[i]->text);
    lmb_parameter **list = waiting->data;
    for (size_t i = from, k = waiting->count; i + 1 < k; i++) {
        lmb_parameter *first = list[i];
        list[i] = list[--k];
        list[k] = first;
    }
    return fine;
}

/* Evaluates a parameter after all that it is made of. They wait in a list, not in calls of calls:
 * files may have thousands that refer to each other. One that refers to itself is found busy when
 * it is evaluated. */
static lmb_status need_parameter(lmb_reader *r, lmb_parameter *wanted)
{
    if (wanted->state == LMB_PARAMETER_DONE)
        return LMB_OK;
    if (wanted->state == LMB_PARAMETER_BAD)
        return LMB_BAD_INPUT; /* reported already */
    lmb_list waiting = {0};
    lmb_parameter **first = lmb_list_add(&waiting, sizeof *first);
    bool fine = first;
    if (fine)
        *first = wanted;
    while (fine && waiting.count > 0) {
        lmb_parameter *p = ((lmb_parameter **)waiting.data)[waiting.count - 1];
        if (p->state == LMB_PARAMETER_NEW) {
            p->state = LMB_PARAMETER_BUSY;
            fine = wait_for_parts(r, &waiting, p);
            continue;
        }
        if (p->state == LMB_PARAMETER_BUSY)
            evaluate_parameter(r, p);
        waiting.count--;
    }
    lmb_list_free(&waiting);
    if (!fine)
        return lmb_fail_memory(r->context);
    return wanted->state == LMB_PARAMETER_DONE ? LMB_OK : LMB_BAD_INPUT;
}

lmb_status lmb_collect_parameters(lmb_reader *r, const lmb_tree *section)
{
    if (lmb_tree_is_empty(section))
        return LMB_OK;
    if (section->kind != LMB_TREE_MAP) {
        r->incomplete = true;
        return lmb_fail_kind(r, section, "parameters", "a map of names to numbers");
    }
    size_t count = (size_t)section->count;
    r->parameters = lmb_arena_alloc(r->arena, count, sizeof *r->parameters);
    if (!r->parameters || !lmb_names_reserve(&r->parameter_names, r->arena, count))
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < section->count; i++) {
        const lmb_tree *key = section->keys[i];
        if (lmb_check_name(r, key, "parameter")) {
            status = LMB_BAD_INPUT;
        } else if (strchr(key->text, '-')) {
            status = lmb_fail_at(r->context, key->place,
                                 "'%s' cannot be the name of a parameter: "
                                 "'-' is minus in expressions",
                                 key->text);
            lmb_hint(r->context, "use '_' instead");
        } else if (lmb_expr_is_reserved(key->text)) {
            status = lmb_fail_at(r->context, key->place,
                                 "'%s' is a built-in name and cannot be a parameter", key->text);
        }
        lmb_parameter *p = &r->parameters[r->parameter_count++];
        *p = (lmb_parameter){.name = key->text, .node = section->items[i]};
        if (!lmb_names_add(&r->parameter_names, r->arena, p->name, 0, i))
            return lmb_fail_memory(r->context);
        for (const lmb_override *o = r->spec->overrides; o && !p->override; o = o->next)
            if (strcmp(o->name, p->name) == 0)
                p->override = o->value;
    }
    return status ? status : lmb_memo_begin(r);
}

lmb_status lmb_read_parameters(lmb_reader *r)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < r->parameter_count; i++)
        if (need_parameter(r, &r->parameters[i]))
            status = LMB_BAD_INPUT;
    return status;
}

/* --- single values -------------------------------------------------------------------------- */

/* The numbers of a constant expression, which nobody needs afterwards. */
static lmb_status read_constant(lmb_reader *r, const lmb_tree *node, const char *name, int most,
                                double *out, int *size)
{
    double values[3] = {0};
    const lmb_memo_value *kept = lmb_memo_numbers(r, node);
    if (kept) {
        *size = kept->size;
        memcpy(out, kept->numbers, (size_t)(*size < most ? *size : most) * sizeof *out);
        return LMB_OK;
    }
    lmb_note before = lmb_note_start(r);
    lmb_arena *arena = lmb_arena_new();
    lmb_expr *e = compile(r, arena, node, name, false);
    lmb_status status = e ? constant(r, e, node->place, name, values) : LMB_BAD_INPUT;
    *size = e ? lmb_expr_size(e) : 0;
    for (int i = 0; i < *size && i < most; i++)
        out[i] = values[i];
    lmb_arena_free(arena);
    lmb_uses uses;
    bool pure = lmb_note_end(r, before, &uses);
    lmb_memo_value *keep = pure && !status ? lmb_memo_at(r, node) : NULL;
    if (keep) {
        *keep = (lmb_memo_value){.uses = uses, .size = *size};
        memcpy(keep->numbers, values, sizeof values);
    }
    return status;
}

/* A law in a scope, perhaps that of the base; NULL after a mistake. */
static const lmb_expr *law_of(lmb_reader *r, const lmb_tree *node, const char *name,
                              const lmb_law_scope *scope)
{
    const lmb_expr *kept = lmb_memo_law(r, node, scope);
    if (kept)
        return kept;
    lmb_note before = lmb_note_start(r);
    r->coordinate = scope->coordinate;
    r->speed = scope->speed;
    r->channels = scope->channels;
    lmb_expr *e = compile(r, r->arena, node, name, scope->time);
    r->coordinate = NULL;
    r->speed = r->channels = false;
    lmb_uses uses;
    bool pure = lmb_note_end(r, before, &uses);
    lmb_memo_value *keep = pure && e ? lmb_memo_at(r, node) : NULL;
    if (keep)
        *keep = (lmb_memo_value){.uses = uses, .scope = *scope, .law = e};
    return e;
}

lmb_status lmb_read_numbers(lmb_reader *r, const lmb_tree *node, const char *name, int most,
                            double *out, int *size)
{
    *size = 0;
    bool vector = node->count > 1 && node->count <= 3 && lmb_tree_is_flat(node);
    if (node->kind != LMB_TREE_LIST || vector)
        return read_constant(r, node, name, most, out, size);
    for (int i = 0; i < node->count; i++) { /* a longer list, or rows of a matrix */
        int more = 0;
        double values[9];
        if (!lmb_tree_is_flat(node->items[i]))
            return lmb_fail_at(r->context, node->items[i]->place,
                               "'%s' must be numbers or rows of numbers", name);
        lmb_status status = lmb_read_numbers(r, node->items[i], name, 9, values, &more);
        if (status)
            return status;
        if (*size + more > most)
            return lmb_fail_at(r->context, node->place, "'%s' has more than %d numbers", name,
                               most);
        memcpy(out + *size, values, (size_t)more * sizeof *out);
        *size += more;
    }
    return LMB_OK;
}

lmb_status lmb_read_number(lmb_reader *r, const lmb_tree *node, const char *name, double *out)
{
    double values[9];
    int size;
    if (node->kind != LMB_TREE_TEXT)
        return lmb_fail_kind(r, node, name, "a number");
    lmb_status status = lmb_read_numbers(r, node, name, 9, values, &size);
    if (!status && size != 1)
        status = lmb_fail_at(r->context, node->place, "'%s' must be a number, not a vector", name);
    *out = values[0];
    return status;
}

lmb_status lmb_read_vector(lmb_reader *r, const lmb_tree *node, const char *name, int size,
                           double *out)
{
    double values[9];
    int found;
    if (node->kind == LMB_TREE_MAP)
        return lmb_fail_kind(r, node, name, "a vector of numbers");
    for (int i = 0; i < node->count; i++)
        if (node->items[i]->kind != LMB_TREE_TEXT)
            return lmb_fail_at(r->context, node->items[i]->place,
                               "the parts of '%s' must be numbers, not %s", name,
                               lmb_tree_kind_name(node->items[i]));
    lmb_status status = LMB_OK;
    if (node->count > 3)
        found = node->count;
    else
        status = lmb_read_numbers(r, node, name, 9, values, &found);
    if (!status && found != size && size > 0) {
        status = lmb_fail_at(r->context, node->place, "'%s' must have %d numbers, not %d", name,
                             size, found);
        if (r->dimension != found && size == r->dimension)
            lmb_hint(r->context, "the model has 'dimension: %d'", r->dimension);
    }
    if (!status)
        memcpy(out, values, (size_t)size * sizeof *out);
    return status;
}

/* An expression with one number as its value: of t or not, of a coordinate and `speed` unless that
 * is NULL, of channels or not. */
static lmb_status read_scalar_law(lmb_reader *r, const lmb_tree *node, const char *name, bool time,
                                  const char *coordinate, bool channels, const lmb_expr **out)
{
    if (node->kind != LMB_TREE_TEXT)
        return lmb_fail_kind(r, node, name,
                             time ? "a number or an expression of t"
                                  : "a number or an expression of speed");
    const lmb_law_scope scope = {time, coordinate != NULL, channels, coordinate};
    const lmb_expr *e = law_of(r, node, name, &scope);
    if (!e)
        return LMB_BAD_INPUT;
    if (lmb_expr_size(e) != 1)
        return lmb_fail_at(r->context, node->place, "'%s' must be a number, not a vector", name);
    *out = e;
    return LMB_OK;
}

lmb_status lmb_read_law(lmb_reader *r, const lmb_tree *node, const char *name, const lmb_expr **out)
{
    return read_scalar_law(r, node, name, true, NULL, false, out);
}

lmb_status lmb_read_speed_law(lmb_reader *r, const lmb_tree *node, const char *name,
                              const lmb_expr **out)
{
    return read_scalar_law(r, node, name, false, "speed", false, out);
}

lmb_status lmb_read_effort(lmb_reader *r, const lmb_tree *node, const char *name,
                           const char *coordinate, const lmb_expr **out)
{
    return read_scalar_law(r, node, name, true, coordinate, true, out);
}

lmb_status lmb_read_vector_law(lmb_reader *r, const lmb_tree *node, const char *name, int size,
                               const char *coordinate, const lmb_expr **out)
{
    const lmb_law_scope scope = {true, false, true, coordinate};
    const lmb_expr *e = law_of(r, node, name, &scope);
    if (!e)
        return LMB_BAD_INPUT;
    if (lmb_expr_size(e) != size)
        return lmb_fail_at(r->context, node->place, "'%s' must have %d number%s, not %d", name,
                           size, size > 1 ? "s" : "", lmb_expr_size(e));
    *out = e;
    return LMB_OK;
}
