/* The language of expressions.
 *
 *     expression = or
 *     or         = and { "or" and }
 *     and        = not { "and" not }
 *     not        = "not" not | comparison
 *     comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *     sum        = product { ("+" | "-") product }
 *     product    = unary { ("*" | "/") unary }
 *     unary      = ("+" | "-") unary | power
 *     power      = primary [ ("^" | "**") unary ]
 *     primary    = value { "." component }
 *     value      = number | name | call | record | "[" list "]" | "(" expression ")"
 *     call       = name "(" list ")"
 *     list       = expression { "," expression }
 *     name       = word { "." word }
 *     component  = "x" | "y" | "z"
 *     record     = ( "record" | "fourier" ) "(" any text with matching brackets ")"
 *
 * So -2^2 is -4 and 2^3^2 is 512. A comparison, "and", "or" and "not" give 1 or 0, and every
 * number but 0 counts as true. A name is looked up as a whole first and then without its last
 * word, which must be a component. The binary operators are parsed by precedence climbing. */
#include "math/expr_internal.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { DEEPEST = 200 };

enum level {
    LEVEL_OR = 1,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARISON,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY
};

typedef struct binary {
    const char *text;
    lmb_op op;
    int level;
} binary;

static const binary binaries[] = {
    {"or", LMB_OP_OR, LEVEL_OR},
    {"and", LMB_OP_AND, LEVEL_AND},
    {"<", LMB_OP_LESS, LEVEL_COMPARISON},
    {"<=", LMB_OP_LESS_EQUAL, LEVEL_COMPARISON},
    {">", LMB_OP_GREATER, LEVEL_COMPARISON},
    {">=", LMB_OP_GREATER_EQUAL, LEVEL_COMPARISON},
    {"==", LMB_OP_EQUAL, LEVEL_COMPARISON},
    {"!=", LMB_OP_NOT_EQUAL, LEVEL_COMPARISON},
    {"+", LMB_OP_ADD, LEVEL_SUM},
    {"-", LMB_OP_SUBTRACT, LEVEL_SUM},
    {"*", LMB_OP_MULTIPLY, LEVEL_PRODUCT},
    {"/", LMB_OP_DIVIDE, LEVEL_PRODUCT},
};

typedef enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SYMBOL } token_kind;

typedef struct token {
    token_kind kind;
    const char *start;
    int length;
    double number;
} token;

typedef struct parser {
    lmb_context *context;
    const lmb_scope *scope;
    const char *text;
    lmb_place place;
    lmb_builder *builder;
    token now;
    int depth;
} parser;

/* --- Tokens --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The end of a name with its dots. */
static const char *scan_name(const char *p)
{
    for (;;) {
        while (is_letter(*p) || lmb_is_digit(*p))
            p++;
        if (p[0] != '.' || !(is_letter(p[1]) || lmb_is_digit(p[1]))) /* modes.1 */
            return p;
        p++;
    }
}

/* The end of an operator, bracket or unknown character (all bytes of it in UTF-8). */
static const char *scan_symbol(const char *p)
{
    static const char *const doubles[] = {"**", "<=", ">=", "==", "!=", "&&", "||"};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        if (strncmp(p, doubles[i], 2) == 0)
            return p + 2;
    }
    p++;
    while (((unsigned char)*p & 0xC0) == 0x80)
        p++;
    return p;
}

/* Reads the next token into p->now. */
static void next(parser *p)
{
    const char *start = p->now.start + p->now.length;
    start += strspn(start, " \t\r\n");
    token now = {.start = start};
    const char *end = lmb_number_scan(start, &now.number);
    if (end > start) {
        now.kind = TOKEN_NUMBER;
    } else if (is_letter(*start)) {
        now.kind = TOKEN_NAME;
        end = scan_name(start);
    } else if (*start) {
        now.kind = TOKEN_SYMBOL;
        end = scan_symbol(start);
    }
    now.length = (int)(end - start);
    p->now = now;
}

static bool token_is(const token *t, const char *text)
{
    return t->kind != TOKEN_END && strlen(text) == (size_t)t->length &&
           memcmp(t->start, text, (size_t)t->length) == 0;
}

static bool here(const parser *p, const char *text)
{
    return token_is(&p->now, text);
}

/* --- Messages --- */

static lmb_place place_of(const parser *p, token at)
{
    lmb_place place = p->place;
    if (place.column > 0)
        place.column += lmb_text_characters(p->text, (size_t)(at.start - p->text));
    place.length = lmb_text_characters(at.start, (size_t)at.length);
    return place;
}

/* Reports at a token; always false. */
LMB_PRINTF(3, 4) static bool fail(parser *p, token at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = lmb_text_vformat(p->builder->arena, format, args);
    va_end(args);
    if (text)
        lmb_fail_at(p->context, place_of(p, at), "%s", text);
    else
        lmb_fail_memory(p->context);
    return false;
}

/* How the token is written in a message. */
#define SHOWN(at) (at).length, (at).start

/* What a value is called in a message. */
static const char *kind_of(const lmb_operand *value)
{
    return value->size == 1 ? "number" : value->size == 2 ? "vector of 2" : "vector of 3";
}

/* Adds how a sign of other languages is written here. */
static void hint_at_sign(const parser *p)
{
    static const char *const signs[][2] = {{"=", "=="}, {"&", "and"}, {"&&", "and"},
                                           {"|", "or"}, {"||", "or"}, {"!", "not"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (here(p, signs[i][0]))
            lmb_hint(p->context, "did you mean '%s'?", signs[i][1]);
    }
    if (here(p, "%"))
        lmb_hint(p->context, "did you mean mod(x, y)?");
    const char *at = p->now.start;
    if (here(p, ",") && lmb_is_digit(at[1]) && at > p->text && lmb_is_digit(at[-1]))
        lmb_hint(p->context, "decimals have a point: 0.5");
}

/* A token that cannot stand where it does; after_value when an operator could. */
static bool fail_unexpected(parser *p, bool after_value)
{
    token at = p->now;
    if (at.kind == TOKEN_END)
        return fail(p, at, "expression is incomplete");
    bool value = at.kind != TOKEN_SYMBOL || here(p, "(") || here(p, "[");
    if (after_value && value && !here(p, "not"))
        return fail(p, at, "unexpected '%.*s'; is an operator such as '*' missing?", SHOWN(at));
    unsigned char c = (unsigned char)*at.start;
    if (c < 0x20 || c == 0x7F)
        return fail(p, at, "unexpected character with code %d", c);
    fail(p, at, "unexpected '%.*s'", SHOWN(at));
    hint_at_sign(p);
    return false;
}

/* Passes a closing bracket. */
static bool expect(parser *p, const char *text)
{
    if (p->now.kind == TOKEN_END)
        return fail(p, p->now, "'%s' is missing", text);
    if (!here(p, text))
        return fail_unexpected(p, true);
    next(p);
    return true;
}

static bool fail_unknown(parser *p, token at, const char *what, const char *name)
{
    fail(p, at, "unknown %s '%s'", what, name);
    lmb_nearest nearest = lmb_nearest_start(name);
    lmb_expr_offer(&nearest);
    if (p->scope && p->scope->offer)
        p->scope->offer(p->scope->user, &nearest);
    lmb_nearest_hint(p->context, &nearest);
    return false;
}

/* --- Operations on values --- */

static lmb_operand scalar(int node)
{
    return (lmb_operand){1, {node}};
}

/* Applies a binary operation to each component; a number goes with every component. */
static lmb_operand each(parser *p, lmb_op op, const lmb_operand *a, const lmb_operand *b)
{
    lmb_operand out = {.size = a->size > b->size ? a->size : b->size};
    for (int i = 0; i < out.size; i++)
        out.at[i] = lmb_build_binary(p->builder, op, a->at[a->size > 1 ? i : 0],
                                     b->at[b->size > 1 ? i : 0]);
    return out;
}

static bool combine(parser *p, const binary *op, token at, lmb_operand *left,
                    const lmb_operand *right)
{
    const char *l = kind_of(left), *r = kind_of(right);
    bool numbers = left->size == 1 && right->size == 1;
    if (op->op == LMB_OP_ADD && left->size != right->size)
        return fail(p, at, "cannot add a %s to a %s", l, r);
    if (op->op == LMB_OP_SUBTRACT && left->size != right->size)
        return fail(p, at, "cannot subtract a %s from a %s", r, l);
    if (op->op == LMB_OP_MULTIPLY && left->size > 1 && right->size > 1) {
        fail(p, at, "cannot multiply a %s by a %s", l, r);
        lmb_hint(p->context, "use dot(a, b) or cross(a, b)");
        return false;
    }
    if (op->op == LMB_OP_DIVIDE && right->size > 1)
        return fail(p, at, "cannot divide a %s by a %s", l, r);
    if (op->level < LEVEL_SUM && !numbers)
        return fail(p, at, "'%s' takes numbers, not a %s and a %s", op->text, l, r);
    *left = each(p, op->op, left, right);
    return true;
}

/* --- Calls --- */

/* The functions of vectors. */
static bool apply_to_vectors(parser *p, token name, lmb_op op, const lmb_operand *in,
                             lmb_operand *out)
{
    bool pair = op == LMB_OP_DOT || op == LMB_OP_CROSS;
    if (op == LMB_OP_CROSS && (in[0].size != 3 || in[1].size != 3))
        return fail(p, name, "'cross' takes two vectors of 3, not a %s and a %s", kind_of(&in[0]),
                    kind_of(&in[1]));
    if (pair && (in[0].size != in[1].size || in[0].size == 1))
        return fail(p, name, "'dot' takes two vectors of equal size, not a %s and a %s",
                    kind_of(&in[0]), kind_of(&in[1]));
    if (in[0].size == 1)
        return fail(p, name, "'%.*s' takes a vector, not a number", SHOWN(name));
    if (op == LMB_OP_DOT) {
        *out = lmb_build_dot(p->builder, &in[0], &in[1]);
    } else if (op == LMB_OP_CROSS) {
        *out = lmb_build_cross(p->builder, &in[0], &in[1]);
    } else {
        *out = lmb_build_norm(p->builder, &in[0]);
        if (op == LMB_OP_UNIT)
            *out = each(p, LMB_OP_DIVIDE, &in[0], out);
    }
    return true;
}

/* Whether two bounds, as far as they are known, are in order. */
static bool in_order(parser *p, token name, int x0, int x1)
{
    const lmb_builder *b = p->builder;
    if (!lmb_build_is_constant(b, x0) || !lmb_build_is_constant(b, x1) ||
        b->nodes[x1].value > b->nodes[x0].value)
        return true;
    return fail(p, name, "'%.*s' needs x1 above x0, but they are %g and %g", SHOWN(name),
                b->nodes[x1].value, b->nodes[x0].value);
}

static bool apply_function(parser *p, token name, lmb_op op, int count, const lmb_operand *in,
                           lmb_operand *out)
{
    if (op >= LMB_OP_DOT && op < LMB_OP_FUNCTIONS)
        return apply_to_vectors(p, name, op, in, out);
    lmb_expr_node node = {.op = op, .count = count};
    for (int i = 0; i < count; i++) {
        if (in[i].size != 1)
            return fail(p, name, "'%.*s' takes numbers, not a %s", SHOWN(name), kind_of(&in[i]));
        node.in[i] = in[i].at[0];
    }
    if (op == LMB_OP_STEP && !in_order(p, name, node.in[1], node.in[3]))
        return false;
    if (op == LMB_OP_RAMP && !in_order(p, name, node.in[1], node.in[2]))
        return false;

    lmb_builder *b = p->builder;
    if (op == LMB_OP_POW) {
        *out = scalar(lmb_build_power(b, node.in[0], node.in[1]));
    } else if (op == LMB_OP_HYPOT) {
        *out = lmb_build_norm(b, &(lmb_operand){2, {node.in[0], node.in[1]}});
    } else if (op == LMB_OP_IF && lmb_build_is_constant(b, node.in[0])) {
        *out = scalar(b->nodes[node.in[0]].value != 0 ? node.in[1] : node.in[2]);
    } else {
        *out = scalar(lmb_build(b, node));
    }
    return true;
}

static bool parse_binary(parser *p, int level, lmb_operand *out);

/* The arguments of a call up to the closing bracket. Of a function of any number of arguments
 * each is combined with the result of those before it. */
static bool parse_arguments(parser *p, token name, lmb_op op, lmb_operand *in, int *count)
{
    bool any = op == LMB_OP_MIN || op == LMB_OP_MAX;
    *count = 0;
    next(p);
    if (here(p, ")")) {
        next(p);
        return true;
    }
    for (;;) {
        lmb_operand one;
        if (!parse_binary(p, LEVEL_OR, &one))
            return false;
        if (any && *count > 0) {
            lmb_operand pair[2] = {in[0], one};
            if (!apply_function(p, name, op, 2, pair, &in[0]))
                return false;
        } else if (*count < LMB_EXPR_INPUTS) {
            in[*count] = one;
        }
        ++*count;
        if (!here(p, ","))
            return expect(p, ")");
        next(p);
    }
}

static bool parse_call(parser *p, token name, lmb_op op, lmb_operand *out)
{
    const char *arguments = lmb_expr_functions()[op].arguments;
    bool any = strstr(arguments, "...") != NULL;
    int wanted = any ? 2 : 1, count;
    for (const char *c = arguments; *c && !any; c++)
        wanted += *c == ',';
    lmb_operand in[LMB_EXPR_INPUTS];
    if (!parse_arguments(p, name, op, in, &count))
        return false;
    if (any && count < wanted)
        return fail(p, name, "'%.*s' takes 2 or more arguments, not %d", SHOWN(name), count);
    if (!any && count != wanted)
        return fail(p, name, "'%.*s' takes %d argument%s, not %d", SHOWN(name), wanted,
                    wanted == 1 ? "" : "s", count);
    if (any) {
        *out = in[0];
        return true;
    }
    return apply_function(p, name, op, count, in, out);
}

static bool parse_table_call(parser *p, token name, const lmb_table *table, lmb_operand *out)
{
    lmb_operand in[LMB_EXPR_INPUTS];
    int count;
    if (!parse_arguments(p, name, LMB_OP_TABLE, in, &count))
        return false;
    if (count != 1)
        return fail(p, name, "'%.*s' takes 1 argument, not %d", SHOWN(name), count);
    if (in[0].size != 1)
        return fail(p, name, "'%.*s' takes numbers, not a %s", SHOWN(name), kind_of(&in[0]));
    lmb_expr_node node = {.op = LMB_OP_TABLE, .count = 1, .in = {in[0].at[0]}, .table = table};
    *out = scalar(lmb_build(p->builder, node));
    return true;
}

/* --- Names --- */

/* Looks a name up among the built-in ones and in the scope. */
static bool find_name(parser *p, token at, const char *name, lmb_symbol *symbol)
{
    *symbol = (lmb_symbol){.kind = LMB_SYMBOL_NONE};
    if (lmb_expr_constant(name, &symbol->value[0])) {
        symbol->kind = LMB_SYMBOL_VALUE;
        symbol->size = 1;
        return true;
    }
    if (strcmp(name, "t") == 0) {
        if (!p->scope || !p->scope->time)
            return fail(p, at, "'t' is time, and this number may not depend on it");
        *symbol = (lmb_symbol){LMB_SYMBOL_VARIABLE, 1, {0}, LMB_VARIABLE_TIME, NULL};
        return true;
    }
    if (!p->scope || !p->scope->find)
        return true;
    return p->scope->find(p->scope->user, name, place_of(p, at), symbol) == LMB_OK;
}

/* Keeps one component of a value. */
static bool take_component(parser *p, token at, const char *name, lmb_operand *value)
{
    int i = *name - 'x';
    if (value->size == 1 || name[1] || i < 0 || i >= value->size)
        return fail(p, at, "a %s has no component '%s'", kind_of(value), name);
    *value = scalar(value->at[i]);
    return true;
}

/* The value of a name that is not called. */
static bool parse_plain_name(parser *p, token at, char *name, lmb_operand *out)
{
    lmb_symbol symbol;
    if (lmb_expr_function(name) != LMB_OP_FUNCTIONS)
        return fail(p, at, "'%s' is a function and needs its arguments in parentheses", name);
    if (!find_name(p, at, name, &symbol))
        return false;
    char *dot = strrchr(name, '.');
    bool part = symbol.kind == LMB_SYMBOL_NONE && dot;
    if (part) {
        *dot = 0;
        if (!find_name(p, at, name, &symbol))
            return false;
        if (symbol.kind == LMB_SYMBOL_NONE)
            *dot = '.';
    }
    if (symbol.kind == LMB_SYMBOL_NONE)
        return fail_unknown(p, at, "name", name);
    if (symbol.kind == LMB_SYMBOL_TABLE)
        return fail(p, at, "'%s' is a table and needs its argument in parentheses", name);
    out->size = symbol.size;
    for (int i = 0; i < symbol.size; i++)
        out->at[i] = symbol.kind == LMB_SYMBOL_VALUE
                         ? lmb_build_constant(p->builder, symbol.value[i])
                         : lmb_build_variable(p->builder, symbol.variable + i);
    return !part || take_component(p, at, dot + 1, out);
}

/* A record of an earlier analysis: the scope reads the whole of it. */
static bool parse_record(parser *p, token name, lmb_operand *out)
{
    const char *end = p->now.start;
    int depth = 0;
    do {
        depth += (*end == '(') - (*end == ')');
        end++;
    } while (*end && depth > 0);
    if (depth > 0)
        return fail(p, p->now, "')' is missing");
    token whole = {TOKEN_NAME, name.start, (int)(end - name.start), 0};
    if (!p->scope || !p->scope->time || !p->scope->find)
        return fail(p, name, "'%.*s' depends on time, and this number may not", SHOWN(name));
    const char *text = lmb_text_copy(p->builder->arena, whole.start, (size_t)whole.length);
    if (!text) {
        lmb_fail_memory(p->context);
        return false;
    }
    lmb_symbol symbol = {.kind = LMB_SYMBOL_NONE};
    if (p->scope->find(p->scope->user, text, place_of(p, whole), &symbol))
        return false;
    if (symbol.kind != LMB_SYMBOL_RECORD)
        return fail(p, name, "'%.*s' is for the laws of drivers and forces only", SHOWN(name));
    lmb_expr_node node = {.op = LMB_OP_RECORD, .variable = symbol.variable};
    *out = scalar(lmb_build(p->builder, node));
    p->now = whole;
    next(p);
    return true;
}

static bool parse_name(parser *p, lmb_operand *out)
{
    token at = p->now;
    char *name = lmb_text_copy(p->builder->arena, at.start, (size_t)at.length);
    if (!name) {
        lmb_fail_memory(p->context);
        return false;
    }
    if (strcmp(name, "and") == 0 || strcmp(name, "or") == 0 || strcmp(name, "not") == 0)
        return fail_unexpected(p, false);
    next(p);
    if (!here(p, "("))
        return parse_plain_name(p, at, name, out);
    lmb_op op = lmb_expr_function(name);
    if (op == LMB_OP_RECORD || op == LMB_OP_FOURIER)
        return parse_record(p, at, out);
    if (op != LMB_OP_FUNCTIONS)
        return parse_call(p, at, op, out);
    lmb_symbol symbol;
    if (!find_name(p, at, name, &symbol))
        return false;
    if (symbol.kind == LMB_SYMBOL_TABLE)
        return parse_table_call(p, at, symbol.table, out);
    if (symbol.kind == LMB_SYMBOL_NONE)
        return fail_unknown(p, at, "function", name);
    return fail(p, at, "'%s' is a %s, not a function", name, symbol.size > 1 ? "vector" : "number");
}

/* --- The grammar --- */

static bool parse_vector(parser *p, lmb_operand *out)
{
    token open = p->now;
    int count = 0;
    do {
        next(p);
        token at = p->now;
        lmb_operand one;
        if (!parse_binary(p, LEVEL_OR, &one))
            return false;
        if (one.size != 1)
            return fail(p, at, "a component must be a number, not a %s", kind_of(&one));
        if (count < 3)
            out->at[count] = one.at[0];
        count++;
    } while (here(p, ","));
    if (!expect(p, "]"))
        return false;
    if (count < 2 || count > 3)
        return fail(p, open, "a vector has 2 or 3 components, not %d", count);
    out->size = count;
    return true;
}

static bool parse_components(parser *p, lmb_operand *value)
{
    while (here(p, ".")) {
        next(p);
        token at = p->now;
        if (at.kind != TOKEN_NAME)
            return fail_unexpected(p, false);
        char *name = lmb_text_copy(p->builder->arena, at.start, (size_t)at.length);
        if (!name) {
            lmb_fail_memory(p->context);
            return false;
        }
        if (!take_component(p, at, name, value))
            return false;
        next(p);
    }
    return true;
}

static bool parse_primary(parser *p, lmb_operand *out)
{
    token at = p->now;
    bool parsed;
    if (at.kind == TOKEN_NUMBER) {
        if (isinf(at.number))
            return fail(p, at, "number is too large");
        *out = scalar(lmb_build_constant(p->builder, at.number));
        next(p);
        parsed = true;
    } else if (at.kind == TOKEN_NAME) {
        parsed = parse_name(p, out);
    } else if (here(p, "[")) {
        parsed = parse_vector(p, out);
    } else if (here(p, "(")) {
        next(p);
        parsed = parse_binary(p, LEVEL_OR, out) && expect(p, ")");
    } else {
        parsed = fail_unexpected(p, false);
    }
    return parsed && parse_components(p, out);
}

static bool parse_prefix(parser *p, int level, lmb_operand *out);

static bool parse_power(parser *p, lmb_operand *out)
{
    if (!parse_primary(p, out))
        return false;
    token at = p->now;
    if (!here(p, "^") && !here(p, "**"))
        return true;
    next(p);
    lmb_operand exponent;
    if (!parse_prefix(p, LEVEL_UNARY, &exponent))
        return false;
    if (out->size > 1 || exponent.size > 1)
        return fail(p, at, "cannot raise a %s to the power of a %s", kind_of(out),
                    kind_of(&exponent));
    *out = scalar(lmb_build_power(p->builder, out->at[0], exponent.at[0]));
    return true;
}

/* A sign or "not" and what it applies to. All recursion passes here, so the depth is kept here. */
static bool parse_prefix(parser *p, int level, lmb_operand *out)
{
    token at = p->now;
    bool parsed;
    if (++p->depth > DEEPEST)
        return fail(p, at, "expression is too deeply nested");
    if (here(p, "not") && level <= LEVEL_NOT) {
        next(p);
        parsed = parse_binary(p, LEVEL_NOT, out);
        if (parsed && out->size > 1)
            return fail(p, at, "'not' takes a number, not a %s", kind_of(out));
        if (parsed)
            *out = scalar(lmb_build_unary(p->builder, LMB_OP_NOT, out->at[0]));
    } else if (here(p, "-") || here(p, "+")) {
        next(p);
        parsed = parse_prefix(p, LEVEL_UNARY, out);
        for (int i = 0; parsed && *at.start == '-' && i < out->size; i++)
            out->at[i] = lmb_build_unary(p->builder, LMB_OP_NEGATE, out->at[i]);
    } else {
        parsed = parse_power(p, out);
    }
    p->depth--;
    return parsed;
}

static const binary *binary_here(const parser *p)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        if (here(p, binaries[i].text))
            return &binaries[i];
    }
    return NULL;
}

/* Operators of at least a level, from left to right. */
static bool parse_binary(parser *p, int level, lmb_operand *out)
{
    if (!parse_prefix(p, level, out))
        return false;
    bool compared = false;
    for (;;) {
        const binary *op = binary_here(p);
        token at = p->now;
        if (!op || op->level < level)
            return true;
        if (op->level == LEVEL_COMPARISON && compared)
            return fail(p, at, "comparisons cannot be chained; join them with 'and'");
        compared = op->level == LEVEL_COMPARISON;
        next(p);
        lmb_operand right;
        if (!parse_binary(p, op->level + 1, &right) || !combine(p, op, at, out, &right))
            return false;
    }
}

bool lmb_expr_parse(lmb_context *context, const lmb_scope *scope, const char *text, lmb_place place,
                    lmb_builder *builder, lmb_operand *out)
{
    parser p = {context, scope, text, place, builder, {.start = text}, 0};
    next(&p);
    if (p.now.kind == TOKEN_END)
        return fail(&p, p.now, "expression is empty");
    if (!parse_binary(&p, LEVEL_OR, out))
        return false;
    return p.now.kind == TOKEN_END || fail_unexpected(&p, true);
}
