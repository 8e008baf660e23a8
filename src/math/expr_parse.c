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
    bool swapped; /* of b and a */
} binary;

static const binary binaries[] = {
    {"or", LMB_OP_OR, LEVEL_OR, false},
    {"and", LMB_OP_AND, LEVEL_AND, false},
    {"<", LMB_OP_LESS, LEVEL_COMPARISON, false},
    {"<=", LMB_OP_LESS_EQUAL, LEVEL_COMPARISON, false},
    {">", LMB_OP_LESS, LEVEL_COMPARISON, true},
    {">=", LMB_OP_LESS_EQUAL, LEVEL_COMPARISON, true},
    {"==", LMB_OP_EQUAL, LEVEL_COMPARISON, false},
    {"!=", LMB_OP_NOT_EQUAL, LEVEL_COMPARISON, false},
    {"+", LMB_OP_ADD, LEVEL_SUM, false},
    {"-", LMB_OP_SUBTRACT, LEVEL_SUM, false},
    {"*", LMB_OP_MULTIPLY, LEVEL_PRODUCT, false},
    {"/", LMB_OP_DIVIDE, LEVEL_PRODUCT, false},
};

/* --- Operations on values --- */

/* What a value is called in a message. */
static const char *kind_of(const lmb_operand *value)
{
    return value->size == 1 ? "number" : value->size == 2 ? "vector of 2" : "vector of 3";
}

static lmb_operand scalar(int node)
{
    return (lmb_operand){1, {node}};
}

static int constant(lmb_parser *p, double value)
{
    return lmb_build(p, (lmb_expr_node){.op = LMB_OP_CONSTANT, .value = value});
}

static bool is_constant(const lmb_parser *p, int node)
{
    return p->nodes[node].op == LMB_OP_CONSTANT;
}

static int binary_of(lmb_parser *p, lmb_op op, int a, int b)
{
    return lmb_build(p, (lmb_expr_node){.op = op, .count = 2, .in = {a, b}});
}

/* base^exponent; the cheap exact forms of x^0, x^1 and x^2 are taken where they apply. */
static int power(lmb_parser *p, int base, int exponent)
{
    double n = is_constant(p, exponent) ? p->nodes[exponent].value : NAN;
    if (n == 0)
        return constant(p, 1);
    if (n == 1)
        return base;
    return n == 2 ? binary_of(p, LMB_OP_MULTIPLY, base, base)
                  : binary_of(p, LMB_OP_POW, base, exponent);
}

/* Products of vectors of equal size (of 3 for the second), and the length of a vector. */
static lmb_operand dot(lmb_parser *p, const lmb_operand *u, const lmb_operand *v)
{
    int sum = binary_of(p, LMB_OP_MULTIPLY, u->at[0], v->at[0]);
    for (int i = 1; i < u->size; i++)
        sum = binary_of(p, LMB_OP_ADD, sum, binary_of(p, LMB_OP_MULTIPLY, u->at[i], v->at[i]));
    return scalar(sum);
}

static lmb_operand cross(lmb_parser *p, const lmb_operand *u, const lmb_operand *v)
{
    lmb_operand out = {.size = 3};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int plus = binary_of(p, LMB_OP_MULTIPLY, u->at[j], v->at[k]);
        out.at[i] =
            binary_of(p, LMB_OP_SUBTRACT, plus, binary_of(p, LMB_OP_MULTIPLY, u->at[k], v->at[j]));
    }
    return out;
}

static lmb_operand norm(lmb_parser *p, const lmb_operand *u)
{
    lmb_expr_node node = {.op = LMB_OP_NORM, .count = 3};
    for (int i = 0; i < 3; i++)
        node.in[i] = i < u->size ? u->at[i] : constant(p, 0);
    return scalar(lmb_build(p, node));
}

/* Applies a binary operation to each component; a number goes with every component. */
static lmb_operand each(lmb_parser *p, lmb_op op, const lmb_operand *a, const lmb_operand *b)
{
    lmb_operand out = {.size = a->size > b->size ? a->size : b->size};
    for (int i = 0; i < out.size; i++)
        out.at[i] = binary_of(p, op, a->at[a->size > 1 ? i : 0], b->at[b->size > 1 ? i : 0]);
    return out;
}

static bool combine(lmb_parser *p, const binary *op, lmb_token at, lmb_operand *left,
                    const lmb_operand *right)
{
    const char *l = kind_of(left), *r = kind_of(right);
    bool numbers = left->size == 1 && right->size == 1;
    if (op->op == LMB_OP_ADD && left->size != right->size)
        return lmb_token_fail(p, at, "cannot add a %s to a %s", l, r);
    if (op->op == LMB_OP_SUBTRACT && left->size != right->size)
        return lmb_token_fail(p, at, "cannot subtract a %s from a %s", r, l);
    if (op->op == LMB_OP_MULTIPLY && left->size > 1 && right->size > 1) {
        lmb_token_fail(p, at, "cannot multiply a %s by a %s", l, r);
        lmb_hint(p->context, "use dot(a, b) or cross(a, b)");
        return false;
    }
    if (op->op == LMB_OP_DIVIDE && right->size > 1)
        return lmb_token_fail(p, at, "cannot divide a %s by a %s", l, r);
    if (op->level < LEVEL_SUM && !numbers)
        return lmb_token_fail(p, at, "'%s' takes numbers, not a %s and a %s", op->text, l, r);
    *left = op->swapped ? each(p, op->op, right, left) : each(p, op->op, left, right);
    return true;
}

/* --- Calls --- */

/* The functions of vectors. */
static bool apply_to_vectors(lmb_parser *p, lmb_token name, lmb_op op, const lmb_operand *in,
                             lmb_operand *out)
{
    bool pair = op == LMB_OP_DOT || op == LMB_OP_CROSS;
    if (pair && (in[0].size != in[1].size || in[0].size < (op == LMB_OP_CROSS ? 3 : 2)))
        return lmb_token_fail(p, name, "'%.*s' takes two vectors of %s, not a %s and a %s",
                              LMB_SHOWN(name), op == LMB_OP_CROSS ? "3" : "equal size",
                              kind_of(&in[0]), kind_of(&in[1]));
    if (in[0].size == 1)
        return lmb_token_fail(p, name, "'%.*s' takes a vector, not a number", LMB_SHOWN(name));
    *out = op == LMB_OP_DOT     ? dot(p, &in[0], &in[1])
           : op == LMB_OP_CROSS ? cross(p, &in[0], &in[1])
                                : norm(p, &in[0]);
    if (op == LMB_OP_UNIT)
        *out = each(p, LMB_OP_DIVIDE, &in[0], out);
    return true;
}

/* Whether two bounds, as far as they are known, are in order. */
static bool in_order(lmb_parser *p, lmb_token name, int x0, int x1)
{
    if (!is_constant(p, x0) || !is_constant(p, x1) || p->nodes[x1].value > p->nodes[x0].value)
        return true;
    return lmb_token_fail(p, name, "'%.*s' needs x1 above x0, but they are %g and %g",
                          LMB_SHOWN(name), p->nodes[x1].value, p->nodes[x0].value);
}

static bool apply_function(lmb_parser *p, lmb_token name, lmb_op op, const lmb_table *table,
                           int count, const lmb_operand *in, lmb_operand *out)
{
    if (op >= LMB_OP_DOT && op < LMB_OP_FUNCTIONS)
        return apply_to_vectors(p, name, op, in, out);
    lmb_expr_node node = {.op = op, .count = count, .table = table};
    for (int i = 0; i < count; i++) {
        if (in[i].size != 1)
            return lmb_token_fail(p, name, "'%.*s' takes numbers, not a %s", LMB_SHOWN(name),
                                  kind_of(&in[i]));
        node.in[i] = in[i].at[0];
    }
    if (op == LMB_OP_STEP && !in_order(p, name, node.in[1], node.in[3]))
        return false;
    if (op == LMB_OP_RAMP && !in_order(p, name, node.in[1], node.in[2]))
        return false;

    if (op == LMB_OP_POW)
        *out = scalar(power(p, node.in[0], node.in[1]));
    else if (op == LMB_OP_HYPOT)
        *out = norm(p, &(lmb_operand){2, {node.in[0], node.in[1]}});
    else if (op == LMB_OP_IF && is_constant(p, node.in[0]))
        *out = scalar(p->nodes[node.in[0]].value != 0 ? node.in[1] : node.in[2]);
    else
        *out = scalar(lmb_build(p, node));
    return true;
}

static bool parse_binary(lmb_parser *p, int level, lmb_operand *out);

/* The arguments of a call up to the closing bracket. Of a function of any number of arguments
 * each is combined with the result of those before it. */
static bool parse_arguments(lmb_parser *p, lmb_token name, lmb_op op, int most, lmb_operand *in,
                            int *count)
{
    bool any = op == LMB_OP_MIN || op == LMB_OP_MAX;
    *count = 0;
    lmb_token_next(p);
    if (lmb_token_here(p, ")")) {
        lmb_token_next(p);
        return true;
    }
    for (;;) {
        lmb_operand one;
        if (!parse_binary(p, LEVEL_OR, &one))
            return false;
        if (any && *count > 0) {
            lmb_operand pair[2] = {in[0], one};
            if (!apply_function(p, name, op, NULL, 2, pair, &in[0]))
                return false;
        } else if (*count < most) {
            in[*count] = one;
        }
        ++*count;
        if (!lmb_token_here(p, ","))
            return lmb_token_expect(p, ")");
        lmb_token_next(p);
    }
}

/* A call of a function, or of a table. */
static bool parse_call(lmb_parser *p, lmb_token name, lmb_op op, const lmb_table *table,
                       lmb_operand *out)
{
    const char *arguments = table ? "x" : lmb_expr_functions()[op].arguments;
    bool any = strstr(arguments, "...") != NULL;
    int wanted = 1, count;
    for (const char *c = arguments; *c; c++)
        wanted += *c == ',';
    lmb_operand in[LMB_EXPR_INPUTS];
    if (!parse_arguments(p, name, op, LMB_EXPR_INPUTS, in, &count))
        return false;
    if (any && count < 2)
        return lmb_token_fail(p, name, "'%.*s' takes 2 or more arguments, not %d", LMB_SHOWN(name),
                              count);
    if (!any && count != wanted)
        return lmb_token_fail(p, name, "'%.*s' takes %d argument%s, not %d", LMB_SHOWN(name),
                              wanted, wanted == 1 ? "" : "s", count);
    *out = in[0];
    return any || apply_function(p, name, op, table, count, in, out);
}

/* A call of a function of the program: vectors are as many arguments as they have components. */
static bool parse_program_call(lmb_parser *p, lmb_token name, const lmb_function *f,
                               lmb_operand *out)
{
    lmb_operand in[LMB_FUNCTION_ARGUMENTS];
    lmb_expr_node node = {.op = LMB_OP_CALL, .function = f};
    int count;
    if (!p->scope->time)
        return lmb_token_fail(p, name,
                              "'%.*s' is a function of the program, and this number must "
                              "not depend on one",
                              LMB_SHOWN(name));
    if (!parse_arguments(p, name, LMB_OP_CALL, LMB_FUNCTION_ARGUMENTS, in, &count))
        return false;
    int numbers = 0;
    for (int i = 0; i < count && i < LMB_FUNCTION_ARGUMENTS; i++)
        for (int k = 0; k < in[i].size; k++, numbers++)
            if (numbers < LMB_FUNCTION_ARGUMENTS)
                node.in[numbers] = in[i].at[k];
    if (count > LMB_FUNCTION_ARGUMENTS || numbers != f->arguments)
        return lmb_token_fail(p, name, "'%.*s' takes %d number%s, not %d", LMB_SHOWN(name),
                              f->arguments, f->arguments == 1 ? "" : "s", numbers);
    node.count = numbers;
    out->size = f->results;
    for (node.variable = 0; node.variable < f->results; node.variable++)
        out->at[node.variable] = lmb_build(p, node);
    return true;
}

/* The text of a token; NULL with a message without memory. */
static char *copy_token(lmb_parser *p, lmb_token at)
{
    char *copy = lmb_text_copy(p->arena, at.start, (size_t)at.length);
    if (!copy)
        lmb_fail_memory(p->context);
    return copy;
}

/* --- Names --- */

/* Looks a name up among the built-in ones and in the scope. */
static bool find_name(lmb_parser *p, lmb_token at, const char *name, lmb_symbol *symbol)
{
    *symbol = (lmb_symbol){.kind = LMB_SYMBOL_NONE};
    const double *named = lmb_expr_constant(name);
    if (named) {
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VALUE, .size = 1, .value = {*named}};
        return true;
    }
    if (strcmp(name, "t") == 0) {
        if (!p->scope || !p->scope->time)
            return lmb_token_fail(p, at, "'t' is time, and this number may not depend on it");
        *symbol =
            (lmb_symbol){.kind = LMB_SYMBOL_VARIABLE, .size = 1, .variable = LMB_VARIABLE_TIME};
        return true;
    }
    if (!p->scope || !p->scope->find)
        return true;
    return p->scope->find(p->scope->user, name, lmb_token_place(p, at), symbol) == LMB_OK;
}

/* Keeps one component of a value. */
static bool take_component(lmb_parser *p, lmb_token at, const char *name, lmb_operand *value)
{
    int i = *name - 'x';
    if (value->size == 1 || name[1] || i < 0 || i >= value->size)
        return lmb_token_fail(p, at, "a %s has no component '%s'", kind_of(value), name);
    *value = scalar(value->at[i]);
    return true;
}

/* The value of a name that is not called. */
static bool parse_plain_name(lmb_parser *p, lmb_token at, char *name, lmb_operand *out)
{
    lmb_symbol symbol;
    if (lmb_expr_function(name) != LMB_OP_FUNCTIONS)
        return lmb_token_fail(p, at, "'%s' is a function and needs its arguments in parentheses",
                              name);
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
        return lmb_token_unknown(p, at, "name", name);
    if (symbol.kind == LMB_SYMBOL_FUNCTION)
        return lmb_token_fail(p, at, "'%s' is a function and needs its arguments in parentheses",
                              name);
    if (symbol.kind == LMB_SYMBOL_TABLE)
        return lmb_token_fail(p, at, "'%s' is a table and needs its argument in parentheses", name);
    out->size = symbol.size;
    for (int i = 0; i < symbol.size; i++)
        out->at[i] = symbol.kind == LMB_SYMBOL_VALUE
                         ? constant(p, symbol.value[i])
                         : lmb_build(p, (lmb_expr_node){.op = LMB_OP_VARIABLE,
                                                        .variable = symbol.variable + i});
    return !part || take_component(p, at, dot + 1, out);
}

/* A record of an earlier analysis: the scope reads the whole of it. */
static bool parse_record(lmb_parser *p, lmb_token name, lmb_operand *out)
{
    const char *end = p->now.start;
    int depth = 0;
    do {
        depth += (*end == '(') - (*end == ')');
        end++;
    } while (*end && depth > 0);
    if (depth > 0)
        return lmb_token_fail(p, p->now, "')' is missing");
    lmb_token whole = {LMB_TOKEN_NAME, name.start, (int)(end - name.start), 0};
    if (!p->scope || !p->scope->time || !p->scope->find)
        return lmb_token_fail(p, name, "'%.*s' depends on time, and this number may not",
                              LMB_SHOWN(name));
    const char *text = copy_token(p, whole);
    lmb_symbol symbol = {.kind = LMB_SYMBOL_NONE};
    if (!text || p->scope->find(p->scope->user, text, lmb_token_place(p, whole), &symbol))
        return false;
    if (symbol.kind != LMB_SYMBOL_RECORD)
        return lmb_token_fail(p, name, "'%.*s' is for the laws of drivers and forces only",
                              LMB_SHOWN(name));
    lmb_expr_node node = {.op = LMB_OP_RECORD, .variable = symbol.variable};
    *out = scalar(lmb_build(p, node));
    p->now = whole;
    lmb_token_next(p);
    return true;
}

static bool parse_name(lmb_parser *p, lmb_operand *out)
{
    lmb_token at = p->now;
    char *name = copy_token(p, at);
    if (!name)
        return false;
    if (strcmp(name, "and") == 0 || strcmp(name, "or") == 0 || strcmp(name, "not") == 0)
        return lmb_token_unexpected(p, false);
    lmb_token_next(p);
    if (!lmb_token_here(p, "("))
        return parse_plain_name(p, at, name, out);
    lmb_op op = lmb_expr_function(name);
    if (op == LMB_OP_RECORD || op == LMB_OP_FOURIER)
        return parse_record(p, at, out);
    if (op != LMB_OP_FUNCTIONS)
        return parse_call(p, at, op, NULL, out);
    lmb_symbol symbol;
    if (!find_name(p, at, name, &symbol))
        return false;
    if (symbol.kind == LMB_SYMBOL_TABLE)
        return parse_call(p, at, LMB_OP_TABLE, symbol.table, out);
    if (symbol.kind == LMB_SYMBOL_FUNCTION)
        return parse_program_call(p, at, symbol.function, out);
    if (symbol.kind == LMB_SYMBOL_NONE)
        return lmb_token_unknown(p, at, "function", name);
    return lmb_token_fail(p, at, "'%s' is a %s, not a function", name,
                          symbol.size > 1 ? "vector" : "number");
}

/* --- The grammar --- */

static bool parse_vector(lmb_parser *p, lmb_operand *out)
{
    lmb_token open = p->now;
    int count = 0;
    do {
        lmb_token_next(p);
        lmb_token at = p->now;
        lmb_operand one;
        if (!parse_binary(p, LEVEL_OR, &one))
            return false;
        if (one.size != 1)
            return lmb_token_fail(p, at, "a component must be a number, not a %s", kind_of(&one));
        if (count < 3)
            out->at[count] = one.at[0];
        count++;
    } while (lmb_token_here(p, ","));
    if (!lmb_token_expect(p, "]"))
        return false;
    if (count < 2 || count > 3)
        return lmb_token_fail(p, open, "a vector has 2 or 3 components, not %d", count);
    out->size = count;
    return true;
}

static bool parse_components(lmb_parser *p, lmb_operand *value)
{
    while (lmb_token_here(p, ".")) {
        lmb_token_next(p);
        lmb_token at = p->now;
        if (at.kind != LMB_TOKEN_NAME)
            return lmb_token_unexpected(p, false);
        char *name = copy_token(p, at);
        if (!name || !take_component(p, at, name, value))
            return false;
        lmb_token_next(p);
    }
    return true;
}

static bool parse_primary(lmb_parser *p, lmb_operand *out)
{
    lmb_token at = p->now;
    bool parsed;
    if (at.kind == LMB_TOKEN_NUMBER) {
        if (isinf(at.number))
            return lmb_token_fail(p, at, "number is too large");
        *out = scalar(constant(p, at.number));
        lmb_token_next(p);
        parsed = true;
    } else if (at.kind == LMB_TOKEN_NAME) {
        parsed = parse_name(p, out);
    } else if (lmb_token_here(p, "[")) {
        parsed = parse_vector(p, out);
    } else if (lmb_token_here(p, "(")) {
        lmb_token_next(p);
        parsed = parse_binary(p, LEVEL_OR, out) && lmb_token_expect(p, ")");
    } else {
        parsed = lmb_token_unexpected(p, false);
    }
    return parsed && parse_components(p, out);
}

static bool parse_prefix(lmb_parser *p, int level, lmb_operand *out);

static bool parse_power(lmb_parser *p, lmb_operand *out)
{
    if (!parse_primary(p, out))
        return false;
    lmb_token at = p->now;
    if (!lmb_token_here(p, "^") && !lmb_token_here(p, "**"))
        return true;
    lmb_token_next(p);
    lmb_operand exponent;
    if (!parse_prefix(p, LEVEL_UNARY, &exponent))
        return false;
    if (out->size > 1 || exponent.size > 1)
        return lmb_token_fail(p, at, "cannot raise a %s to the power of a %s", kind_of(out),
                              kind_of(&exponent));
    *out = scalar(power(p, out->at[0], exponent.at[0]));
    return true;
}

/* A sign or "not" and what it applies to. All recursion passes here, so the depth is kept here. */
static bool parse_prefix(lmb_parser *p, int level, lmb_operand *out)
{
    lmb_token at = p->now;
    bool parsed;
    if (++p->depth > DEEPEST)
        return lmb_token_fail(p, at, "expression is too deeply nested");
    if (lmb_token_here(p, "not") && level <= LEVEL_NOT) {
        lmb_token_next(p);
        parsed = parse_binary(p, LEVEL_NOT, out);
        if (parsed && out->size > 1)
            return lmb_token_fail(p, at, "'not' takes a number, not a %s", kind_of(out));
        if (parsed)
            *out = scalar(
                lmb_build(p, (lmb_expr_node){.op = LMB_OP_NOT, .count = 1, .in = {out->at[0]}}));
    } else if (lmb_token_here(p, "-") || lmb_token_here(p, "+")) {
        lmb_token_next(p);
        parsed = parse_prefix(p, LEVEL_UNARY, out);
        for (int i = 0; parsed && *at.start == '-' && i < out->size; i++)
            out->at[i] =
                lmb_build(p, (lmb_expr_node){.op = LMB_OP_NEGATE, .count = 1, .in = {out->at[i]}});
    } else {
        parsed = parse_power(p, out);
    }
    p->depth--;
    return parsed;
}

static const binary *binary_here(const lmb_parser *p)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        if (lmb_token_here(p, binaries[i].text))
            return &binaries[i];
    }
    return NULL;
}

/* Operators of at least a level, from left to right. */
static bool parse_binary(lmb_parser *p, int level, lmb_operand *out)
{
    if (!parse_prefix(p, level, out))
        return false;
    bool compared = false;
    for (;;) {
        const binary *op = binary_here(p);
        lmb_token at = p->now;
        if (!op || op->level < level)
            return true;
        if (op->level == LEVEL_COMPARISON && compared)
            return lmb_token_fail(p, at, "comparisons cannot be chained; join them with 'and'");
        compared = op->level == LEVEL_COMPARISON;
        lmb_token_next(p);
        lmb_operand right;
        if (!parse_binary(p, op->level + 1, &right) || !combine(p, op, at, out, &right))
            return false;
    }
}

bool lmb_expr_parse(lmb_parser *p, lmb_operand *out)
{
    p->now.start = p->text;
    lmb_token_next(p);
    if (p->now.kind == LMB_TOKEN_END)
        return lmb_token_fail(p, p->now, "expression is empty");
    if (!parse_binary(p, LEVEL_OR, out))
        return false;
    return p->now.kind == LMB_TOKEN_END || lmb_token_unexpected(p, true);
}
