/* Values of fields: numbers, vectors, laws, names, with all their mistakes. */
#include "io/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

lmb_status lmb_fail_kind(lmb_reader *r, const lmb_node *node, const char *name,
                         const char *expected)
{
    lmb_fail_at(r->context, node->place, "'%s' must be %s, not %s", name, expected,
                lmb_node_kind_name(node));
    if (node->kind == LMB_NODE_TEXT && !node->quoted && strchr(node->text, ':'))
        lmb_hint(r->context, "YAML wants a blank after ':'");
    return LMB_BAD_INPUT;
}

lmb_place lmb_text_place(const lmb_node *node)
{
    lmb_place place = node->place;
    if (!node->exact)
        place.column = 0;
    return place;
}

/* --- names in expressions ------------------------------------------------------------------- */

static lmb_status evaluate_parameter(lmb_reader *r, lmb_parameter *p);

static lmb_status find_symbol(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    lmb_reader *r = user;
    symbol->kind = LMB_SYMBOL_NONE;
    if (strchr(name, '('))
        return lmb_read_record(r, name, place, symbol);
    if (r->coordinate && (strcmp(name, "speed") == 0 || strcmp(name, r->coordinate) == 0)) {
        bool speed = strcmp(name, "speed") == 0;
        symbol->kind = LMB_SYMBOL_VARIABLE;
        symbol->size = 1;
        symbol->variable = speed ? LMB_EFFORT_SPEED : LMB_EFFORT_COORDINATE;
        return LMB_OK;
    }
    for (const lmb_counter *c = r->counter; c; c = c->outer)
        if (strcmp(c->name, name) == 0) {
            *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 1, .value = {c->value}};
            return LMB_OK;
        }
    for (int i = 0; i < r->parameter_count; i++) {
        lmb_parameter *p = &r->parameters[i];
        if (strcmp(p->name, name) != 0)
            continue;
        if (p->state == LMB_PARAMETER_BUSY)
            return lmb_fail_at(r->context, place,
                               "parameter '%s' depends on itself, directly or through others",
                               name);
        lmb_status status = evaluate_parameter(r, p);
        symbol->kind = LMB_SYMBOL_VALUE;
        symbol->size = p->size;
        memcpy(symbol->value, p->value, sizeof p->value);
        return status;
    }
    for (int i = 0; i < r->table_count; i++)
        if (strcmp(r->tables[i].name, name) == 0) {
            symbol->kind = LMB_SYMBOL_TABLE;
            symbol->table = r->tables[i].table;
            return symbol->table ? LMB_OK : LMB_BAD_INPUT; /* already reported */
        }
    if (r->channels && strchr(name, '.'))
        return lmb_find_law_channel(r, name, place, symbol);
    return r->incomplete && !strchr(name, '.') ? LMB_BAD_INPUT : LMB_OK;
}

static void offer_symbols(void *user, lmb_nearest *nearest)
{
    lmb_reader *r = user;
    if (r->channels)
        lmb_offer_law_channels(r, nearest);
    if (r->coordinate) {
        lmb_nearest_try(nearest, r->coordinate);
        lmb_nearest_try(nearest, "speed");
    }
    for (const lmb_counter *c = r->counter; c; c = c->outer)
        lmb_nearest_try(nearest, c->name);
    for (int i = 0; i < r->parameter_count; i++)
        lmb_nearest_try(nearest, r->parameters[i].name);
    for (int i = 0; i < r->table_count; i++)
        lmb_nearest_try(nearest, r->tables[i].name);
}

/* Compiles a node: a text, or a list of texts that makes a vector. */
static lmb_expr *compile(lmb_reader *r, const lmb_node *node, const char *name, bool time)
{
    lmb_scope scope = {find_symbol, offer_symbols, r, time};
    if (node->kind == LMB_NODE_TEXT) {
        if (!node->text[0]) {
            lmb_fail_at(r->context, node->place, "'%s' has no value", name);
            return NULL;
        }
        const lmb_counter *outer = r->counter;
        r->counter = node->counter;
        lmb_expr *e =
            lmb_expr_compile(r->context, r->arena, &scope, node->text, lmb_text_place(node));
        r->counter = outer;
        return e;
    }
    if (node->kind == LMB_NODE_MAP || node->count < 2 || node->count > 3) {
        lmb_fail_kind(r, node, name, "a number or a vector of two or three");
        return NULL;
    }
    lmb_expr *parts[3];
    for (int i = 0; i < node->count; i++) {
        if (node->items[i]->kind != LMB_NODE_TEXT) {
            lmb_fail_kind(r, node->items[i], name, "a vector of numbers");
            return NULL;
        }
        parts[i] = compile(r, node->items[i], name, time);
        if (!parts[i])
            return NULL;
        if (lmb_expr_size(parts[i]) != 1) {
            lmb_fail_at(r->context, node->items[i]->place, "a component of '%s' is itself a vector",
                        name);
            return NULL;
        }
    }
    return lmb_expr_join(r->context, r->arena, parts, node->count);
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

static lmb_status evaluate_parameter(lmb_reader *r, lmb_parameter *p)
{
    if (p->state == LMB_PARAMETER_DONE)
        return LMB_OK;
    if (p->state == LMB_PARAMETER_BAD)
        return LMB_BAD_INPUT; /* already reported */
    p->state = LMB_PARAMETER_BUSY;
    lmb_node given = {.kind = LMB_NODE_TEXT, .text = p->override};
    if (p->override)
        given.place.file = lmb_text_format(r->arena, "--set %s=%s", p->name, p->override);
    const lmb_node *node = p->override ? &given : p->node;
    lmb_expr *e = compile(r, node, p->name, false);
    lmb_status status = e ? constant(r, e, node->place, p->name, p->value) : LMB_BAD_INPUT;
    p->size = e ? lmb_expr_size(e) : 1;
    p->state = status ? LMB_PARAMETER_BAD : LMB_PARAMETER_DONE;
    return status;
}

lmb_status lmb_read_parameters(lmb_reader *r)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < r->parameter_count; i++)
        if (evaluate_parameter(r, &r->parameters[i]))
            status = LMB_BAD_INPUT;
    return status;
}

/* --- single values -------------------------------------------------------------------------- */

/* Whether a node is a list of texts, or a text itself. */
static bool is_flat(const lmb_node *node)
{
    for (int i = 0; i < node->count; i++)
        if (node->items[i]->kind != LMB_NODE_TEXT)
            return false;
    return node->kind != LMB_NODE_MAP;
}

lmb_status lmb_read_numbers(lmb_reader *r, const lmb_node *node, const char *name, int most,
                            double *out, int *size)
{
    *size = 0;
    bool vector = node->count > 1 && node->count <= 3 && is_flat(node);
    if (node->kind != LMB_NODE_LIST || vector) {
        lmb_expr *e = compile(r, node, name, false);
        if (!e)
            return LMB_BAD_INPUT;
        double values[3];
        lmb_status status = constant(r, e, node->place, name, values);
        *size = lmb_expr_size(e);
        for (int i = 0; i < *size && i < most; i++)
            out[i] = values[i];
        return status;
    }
    for (int i = 0; i < node->count; i++) { /* a longer list, or rows of a matrix */
        int more = 0;
        double values[9];
        if (!is_flat(node->items[i]))
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

lmb_status lmb_read_number(lmb_reader *r, const lmb_node *node, const char *name, double *out)
{
    double values[9];
    int size;
    if (node->kind != LMB_NODE_TEXT)
        return lmb_fail_kind(r, node, name, "a number");
    lmb_status status = lmb_read_numbers(r, node, name, 9, values, &size);
    if (!status && size != 1)
        status = lmb_fail_at(r->context, node->place, "'%s' must be a number, not a vector", name);
    *out = values[0];
    return status;
}

lmb_status lmb_read_vector(lmb_reader *r, const lmb_node *node, const char *name, int size,
                           double *out)
{
    double values[9];
    int found;
    if (node->kind == LMB_NODE_MAP)
        return lmb_fail_kind(r, node, name, "a vector of numbers");
    for (int i = 0; i < node->count; i++)
        if (node->items[i]->kind != LMB_NODE_TEXT)
            return lmb_fail_at(r->context, node->items[i]->place,
                               "the parts of '%s' must be numbers, not %s", name,
                               lmb_node_kind_name(node->items[i]));
    if (node->count > 3)
        found = node->count;
    lmb_status status =
        node->count > 3 ? LMB_OK : lmb_read_numbers(r, node, name, 9, values, &found);
    if (!status && found != size && size > 0) {
        status = lmb_fail_at(r->context, node->place, "'%s' must have %d numbers, not %d", name,
                             size, found);
        if (r->model->dimension != found && size == r->model->dimension)
            lmb_hint(r->context, "the model has 'dimension: %d'", r->model->dimension);
    }
    if (!status)
        memcpy(out, values, (size_t)size * sizeof *out);
    return status;
}

lmb_status lmb_read_law(lmb_reader *r, const lmb_node *node, const char *name, const lmb_expr **out)
{
    if (node->kind != LMB_NODE_TEXT)
        return lmb_fail_kind(r, node, name, "a number or an expression of t");
    lmb_expr *e = compile(r, node, name, true);
    if (!e)
        return LMB_BAD_INPUT;
    if (lmb_expr_size(e) != 1)
        return lmb_fail_at(r->context, node->place, "'%s' must be a number, not a vector", name);
    *out = e;
    return LMB_OK;
}

lmb_status lmb_read_speed_law(lmb_reader *r, const lmb_node *node, const char *name,
                              const lmb_expr **out)
{
    if (node->kind != LMB_NODE_TEXT)
        return lmb_fail_kind(r, node, name, "a number or an expression of speed");
    r->coordinate = "speed";
    lmb_expr *e = compile(r, node, name, false);
    r->coordinate = NULL;
    if (!e)
        return LMB_BAD_INPUT;
    if (lmb_expr_size(e) != 1)
        return lmb_fail_at(r->context, node->place, "'%s' must be a number, not a vector", name);
    *out = e;
    return LMB_OK;
}

/* From here on channels may be used; they become the inputs of a force. */
static void begin_inputs(lmb_reader *r)
{
    r->channels = true;
    r->first_input = r->model->input_count;
}

lmb_status lmb_read_effort(lmb_reader *r, const lmb_node *node, const char *name,
                           const char *coordinate, const lmb_expr **out)
{
    r->coordinate = coordinate;
    begin_inputs(r);
    lmb_status status = lmb_read_law(r, node, name, out);
    r->coordinate = NULL;
    r->channels = false;
    return status;
}

lmb_status lmb_read_vector_law(lmb_reader *r, const lmb_node *node, const char *name, int size,
                               const lmb_expr **out)
{
    begin_inputs(r);
    lmb_expr *e = compile(r, node, name, true);
    r->channels = false;
    if (!e)
        return LMB_BAD_INPUT;
    if (lmb_expr_size(e) != size)
        return lmb_fail_at(r->context, node->place, "'%s' must have %d number%s, not %d", name,
                           size, size > 1 ? "s" : "", lmb_expr_size(e));
    *out = e;
    return LMB_OK;
}

/* --- names of bodies and joints --------------------------------------------------------------- */

lmb_status lmb_check_name(lmb_reader *r, const lmb_node *key, const char *what)
{
    const char *c = key->text;
    bool fine = isalpha((unsigned char)*c) || *c == '_';
    for (; *c; c++)
        fine = fine && (isalnum((unsigned char)*c) || *c == '_' || *c == '-');
    if (!fine) {
        lmb_fail_at(r->context, key->place, "'%s' cannot be the name of a%s %s", key->text,
                    strchr("aei", what[0]) ? "n" : "", what);
        lmb_hint(r->context, strchr(key->text, '{')
                                 ? "braces are for entries with the key 'repeat'"
                                 : "use letters, digits, '_' and '-', beginning with a letter");
        return LMB_BAD_INPUT;
    }
    static const char *const reserved[] = {"ground", "time", "energy", "constraints", "model"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(key->text, reserved[i]) == 0) {
            lmb_fail_at(r->context, key->place, "the name '%s' is reserved", key->text);
            if (i == 0)
                lmb_hint(r->context, "the ground is always there; its points stand in the section "
                                     "'ground' of the model");
            return LMB_BAD_INPUT;
        }
    return LMB_OK;
}

/* Channels of two items with one name would be called the same. */
lmb_status lmb_check_unused(lmb_reader *r, const lmb_node *key)
{
    static const char *const kinds[] = {"a body",  "a joint",  "a driver",
                                        "a force", "a sensor", "an event"};
    const lmb_named *twin = lmb_names_find(&r->items, key->text, strlen(key->text));
    if (!twin)
        return LMB_OK;
    lmb_fail_at(r->context, key->place, "there is %s '%s' already", kinds[twin->kind], key->text);
    lmb_hint(r->context,
             "bodies, joints, drivers, forces, sensors and events need names of their own");
    return LMB_BAD_INPUT;
}

lmb_status lmb_add_item(lmb_reader *r, lmb_item_kind kind, const char *name, int index)
{
    bool added = lmb_names_add(&r->items, r->arena, name, (int)kind, index);
    return added ? LMB_OK : lmb_fail_memory(r->context);
}

int lmb_find_item(const lmb_reader *r, lmb_item_kind kind, const char *name, size_t length)
{
    const lmb_named *found = lmb_names_find(&r->items, name, length);
    return found && found->kind == (int)kind ? found->index : -1;
}

lmb_status lmb_fail_joint(lmb_reader *r, lmb_place place, const char *name)
{
    lmb_fail_at(r->context, place, "there is no joint '%s'", name);
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; i < r->model->joint_count; i++)
        lmb_nearest_try(&nearest, r->model->joints[i].name);
    lmb_nearest_hint(r->context, &nearest);
    return LMB_BAD_INPUT;
}

static lmb_status unknown_body(lmb_reader *r, lmb_place place, const char *name)
{
    if (r->incomplete)
        return LMB_BAD_INPUT;
    lmb_fail_at(r->context, place, "there is no body '%s'", name);
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; i < r->model->body_count; i++)
        lmb_nearest_try(&nearest, r->model->bodies[i].name);
    lmb_nearest_hint(r->context, &nearest);
    return LMB_BAD_INPUT;
}

/* The nearest name of a point of a body, or all of them. */
static void hint_at_points(lmb_reader *r, int body, const char *name)
{
    const lmb_model *m = r->model;
    char list[200] = "";
    size_t used = 0, skip = strlen(m->bodies[body].name) + 1;
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; i < m->point_count; i++) {
        if (m->points[i].body != body)
            continue;
        const char *known = m->points[i].name + skip;
        lmb_nearest_try(&nearest, known);
        snprintf(list + used, sizeof list - used, "%s'%s'", used ? ", " : "", known);
        used = strlen(list);
    }
    if (nearest.best)
        lmb_nearest_hint(r->context, &nearest);
    else if (used && used < sizeof list - 1)
        lmb_hint(r->context, "it has %s", list);
    else if (!used)
        lmb_hint(r->context, body ? "points are given with the key 'points' of a body"
                                  : "points of the ground are given in the section 'ground'");
}

/* A point given as "body.point"; its marker has place and axes. */
static lmb_status find_point(lmb_reader *r, const lmb_node *node, int body, lmb_end *end)
{
    const lmb_model *m = r->model;
    const char *name = strchr(node->text, '.') + 1;
    const lmb_named *found = lmb_names_find(&r->points, node->text, strlen(node->text));
    if (found) {
        const lmb_point *point = &m->points[found->index];
        end->local = m->parts.markers[point->marker].local;
        end->point = m->parts.markers[point->marker].point;
        end->own_axes = point->own_axes;
        return LMB_OK;
    }
    if (r->incomplete)
        return LMB_BAD_INPUT; /* already reported */
    lmb_fail_at(r->context, node->place,
                body ? "body '%s' has no point '%s'" : "the %s has no point '%s'",
                m->bodies[body].name, name);
    hint_at_points(r, body, name);
    return LMB_BAD_INPUT;
}

/* A flexible body is held and loaded at its interface points only. */
static lmb_status needs_interface(lmb_reader *r, const lmb_node *node, int body)
{
    const lmb_body *b = &r->model->bodies[body];
    lmb_fail_at(r->context, node->place, "'%s' is flexible: name one of its interface points",
                b->name);
    if (b->point_count)
        lmb_hint(r->context, "such as '%s'", r->model->points[b->point].name);
    return LMB_BAD_INPUT;
}

lmb_status lmb_read_end(lmb_reader *r, const lmb_node *node, lmb_end *end)
{
    *end = (lmb_end){0, -1, frame_identity(), false};
    if (node->kind == LMB_NODE_LIST) { /* coordinates on the ground */
        double x[3] = {0};
        lmb_status status = lmb_read_vector(r, node, "coordinates", r->model->dimension, x);
        end->local.p = v3(x[0], x[1], x[2]);
        return status;
    }
    if (node->kind != LMB_NODE_TEXT || !node->text[0])
        return lmb_fail_at(r->context, node->place,
                           "this must be a body, a point such as 'crank.B', 'ground', or "
                           "coordinates, not %s",
                           lmb_node_kind_name(node));
    size_t length = strcspn(node->text, ".");
    end->body = lmb_find_item(r, LMB_ITEM_BODY, node->text, length);
    if (end->body < 0) {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)(length < 79 ? length : 79), node->text);
        lmb_place place = node->place;
        place.length = (int)length;
        return unknown_body(r, place, name);
    }
    if (node->text[length])
        return find_point(r, node, end->body, end);
    return r->model->bodies[end->body].modal ? needs_interface(r, node, end->body) : LMB_OK;
}

/* --- fields ----------------------------------------------------------------------------------- */

static lmb_status check_range(lmb_reader *r, const lmb_field *f, const lmb_value *v)
{
    int count = f->type == LMB_FIELD_NUMBER ? 1 : v->size;
    const double *x = f->type == LMB_FIELD_NUMBER ? &v->number : v->numbers;
    double norm = 0;
    for (int i = 0; i < count; i++) {
        norm += fabs(x[i]);
        if ((f->range == LMB_POSITIVE && !(x[i] > 0)) || (f->range == LMB_NOT_NEGATIVE && x[i] < 0))
            return lmb_fail_at(r->context, v->place, "'%s' must be %s, but is %g", f->name,
                               f->range == LMB_POSITIVE ? "positive" : "zero or positive", x[i]);
    }
    if (f->range == LMB_NOT_ZERO && norm == 0)
        return lmb_fail_at(r->context, v->place, "'%s' must not be zero", f->name);
    return LMB_OK;
}

/* One of the words of a choice, by number. */
static lmb_status read_choice(lmb_reader *r, const lmb_node *node, const lmb_field *f, lmb_value *v)
{
    char word[32];
    lmb_nearest nearest = lmb_nearest_start(node->text);
    v->choice = 0;
    for (const char *c = f->choices; *c; v->choice++) {
        size_t length = strcspn(c, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, c);
        if (strcmp(word, node->text) == 0)
            return LMB_OK;
        c += length + (c[length] == ' ');
    }
    char list[200] = "";
    size_t used = 0;
    for (const char *c = f->choices; *c;) {
        size_t length = strcspn(c, " ");
        const char *candidate = lmb_text_copy(r->arena, c, length);
        if (candidate)
            lmb_nearest_try(&nearest, candidate);
        c += length + (c[length] == ' ');
        snprintf(list + used, sizeof list - used, "%s%.*s",
                 !used ? ""
                 : *c  ? ", "
                       : " or ",
                 (int)length, c - length - (*c != 0));
        used = strlen(list);
    }
    lmb_fail_at(r->context, node->place, "'%s' cannot be '%s', only %s", f->name, node->text, list);
    lmb_nearest_hint(r->context, &nearest);
    return LMB_BAD_INPUT;
}

static lmb_status read_joint_names(lmb_reader *r, const lmb_node *node, lmb_value *v)
{
    const lmb_model *m = r->model;
    if (node->kind != LMB_NODE_LIST || node->count != 2 || !is_flat(node))
        return lmb_fail_at(r->context, node->place, "'joints' must be a list of two joints");
    for (int k = 0; k < 2; k++) {
        const lmb_node *item = node->items[k];
        v->items[k] = lmb_find_item(r, LMB_ITEM_JOINT, item->text, strlen(item->text));
        if (v->items[k] < 0)
            return lmb_fail_joint(r, item->place, item->text);
        if (!m->joints[v->items[k]].type)
            return LMB_BAD_INPUT; /* already reported */
    }
    if (v->items[0] == v->items[1])
        return lmb_fail_at(r->context, node->place, "joint '%s' cannot be coupled to itself",
                           m->joints[v->items[0]].name);
    return LMB_OK;
}

/* true or on, false or off, or a parameter: zero is false. */
static lmb_status read_flag(lmb_reader *r, const lmb_node *node, const lmb_field *f, lmb_value *v)
{
    v->number = strcmp(node->text, "true") == 0 || strcmp(node->text, "on") == 0;
    if (v->number || strcmp(node->text, "false") == 0 || strcmp(node->text, "off") == 0)
        return LMB_OK;
    for (int i = 0; i < r->parameter_count; i++)
        if (strcmp(r->parameters[i].name, node->text) == 0)
            return lmb_read_number(r, node, f->name, &v->number);
    return lmb_fail_at(r->context, node->place, "'%s' must be true or false, not '%s'", f->name,
                       node->text);
}

static lmb_status read_value(lmb_reader *r, const lmb_node *node, const lmb_field *f, lmb_value *v)
{
    v->given = true;
    v->place = node->place;
    v->node = node;
    v->text = node->text;
    lmb_status status = LMB_OK;
    if (f->dimension && f->dimension != r->model->dimension)
        return lmb_fail_at(r->context, node->place, "'%s' is for %s only", f->name,
                           f->dimension == 2 ? "models in the plane" : "models in space");
    switch (f->type) {
    case LMB_FIELD_NUMBER:
        status = lmb_read_number(r, node, f->name, &v->number);
        break;
    case LMB_FIELD_VECTOR:
        v->size = r->model->dimension;
        status = lmb_read_vector(r, node, f->name, v->size, v->numbers);
        break;
    case LMB_FIELD_NUMBERS:
        status = lmb_read_numbers(r, node, f->name, 9, v->numbers, &v->size);
        break;
    case LMB_FIELD_LAW:
        return lmb_read_law(r, node, f->name, &v->law);
    case LMB_FIELD_CHOICE:
    case LMB_FIELD_NAME:
    case LMB_FIELD_TEXT:
    case LMB_FIELD_FLAG:
        if (node->kind != LMB_NODE_TEXT || (!node->text[0] && !node->quoted))
            return lmb_fail_kind(r, node, f->name, "a word");
        if (f->type == LMB_FIELD_CHOICE)
            return read_choice(r, node, f, v);
        return f->type == LMB_FIELD_FLAG ? read_flag(r, node, f, v) : LMB_OK;
    case LMB_FIELD_JOINTS:
        return read_joint_names(r, node, v);
    case LMB_FIELD_END:
    case LMB_FIELD_ENDS:
    case LMB_FIELD_NODE:
        return LMB_OK; /* read by their own code */
    }
    return status ? status : check_range(r, f, v);
}

/* Whether a word is one of a list separated by blanks. */
static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *c = list; c && *c;) {
        size_t next = strcspn(c, " ");
        if (next == length && strncmp(c, word, length) == 0)
            return true;
        c += next + (c[next] == ' ');
    }
    return false;
}

/* Reports a key that does not exist; returns the field that it may be meant for, or NULL. */
static const char *unknown_key(lmb_reader *r, const lmb_node *key, const lmb_field *fields,
                               const char *what, const char *skip)
{
    lmb_fail_at(r->context, key->place, "%s has no key '%s'", what, key->text);
    lmb_nearest nearest = lmb_nearest_start(key->text);
    for (const lmb_field *f = fields; f->name; f++)
        lmb_nearest_try(&nearest, f->name);
    for (const char *c = skip; c && *c;) {
        size_t length = strcspn(c, " ");
        const char *word = lmb_text_copy(r->arena, c, length);
        if (word)
            lmb_nearest_try(&nearest, word);
        c += length + (c[length] == ' ');
    }
    lmb_nearest_hint(r->context, &nearest);
    return nearest.best;
}

lmb_status lmb_read_fields(lmb_reader *r, const lmb_node *map, const lmb_field *fields,
                           const char *what, const char *skip, lmb_value *values)
{
    lmb_status status = LMB_OK;
    const char *meant = NULL;
    int count = 0;
    for (const lmb_field *f = fields; f->name; f++, count++)
        values[count] = (lmb_value){.place = map->place, .text = "", .number = f->otherwise};
    if (map->kind != LMB_NODE_MAP)
        return lmb_fail_at(r->context, map->place, "%s must be a map of keys, not %s", what,
                           lmb_node_kind_name(map));
    for (int i = 0; i < map->count; i++) {
        const lmb_node *key = map->keys[i];
        int k = 0;
        while (k < count && strcmp(fields[k].name, key->text) != 0)
            k++;
        if (k < count && read_value(r, map->items[i], &fields[k], &values[k])) {
            status = LMB_BAD_INPUT;
        } else if (k == count && !is_listed(skip, key->text)) {
            meant = unknown_key(r, key, fields, what, skip);
            status = LMB_BAD_INPUT;
        }
    }
    for (int k = 0; k < count; k++)
        if (fields[k].required && !values[k].given && meant != fields[k].name) {
            status =
                lmb_fail_at(r->context, map->place, "%s needs the key '%s'", what, fields[k].name);
            lmb_hint(r->context, "%s: %s", fields[k].name, fields[k].doc);
        }
    return status;
}
