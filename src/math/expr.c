/* Compiling expressions: from nodes to a program for a register machine.
 *
 * The parser (expr_parse.c) makes nodes, each a constant, a variable or an operation on earlier
 * nodes; operations on constants are carried out at once. What is left and is needed for the
 * result becomes the program: a register is given to each node in turn and is free again after its
 * last use, so that only the values alive at one moment count. expr_eval.c runs the program. */
#include "math/expr_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 65536 };

/* --- Built-in names and numbers --- */

#define DOC(op, name, arguments, doc) {name, arguments, doc},
static const lmb_function_doc functions[] = {LMB_FUNCTIONS(DOC){0}};

static const struct {
    const char *name;
    double value;
} named[] = {
    {"pi", 3.14159265358979323846},
    {"deg", 3.14159265358979323846 / 180},
    {"rpm", 3.14159265358979323846 / 30},
};

static const char *const words[] = {"t", "and", "or", "not"};

enum { CONSTANT_COUNT = sizeof named / sizeof *named, WORD_COUNT = sizeof words / sizeof *words };

const lmb_function_doc *lmb_expr_functions(void)
{
    return functions;
}

lmb_op lmb_expr_function(const char *name)
{
    int i = 0;
    while (functions[i].name && strcmp(functions[i].name, name) != 0)
        i++;
    return (lmb_op)i;
}

const double *lmb_expr_constant(const char *name)
{
    for (int i = 0; i < CONSTANT_COUNT; i++)
        if (strcmp(named[i].name, name) == 0)
            return &named[i].value;
    return NULL;
}

void lmb_expr_offer(lmb_nearest *nearest)
{
    for (int i = 0; functions[i].name; i++)
        lmb_nearest_try(nearest, functions[i].name);
    for (int i = 0; i < CONSTANT_COUNT; i++)
        lmb_nearest_try(nearest, named[i].name);
}

bool lmb_expr_is_reserved(const char *name)
{
    for (int i = 0; i < WORD_COUNT; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return lmb_expr_constant(name) || lmb_expr_function(name) != LMB_OP_FUNCTIONS;
}

/* The powers of ten that are exact in double precision. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { LARGEST_POWER = 22, EXACT_DIGITS = 15 };

/* Copy the digits that matter. A whole number of at most 15 digits times or divided by an exact
 * power of ten is rounded once; other numbers are rounded by strtod. */
const char *lmb_number_scan(const char *text, double *value)
{
    enum { DIGITS = 40 };
    char digits[DIGITS + 32];
    int count = 0;
    long exponent = 0;
    double whole = 0;
    const char *p = text;
    bool point = false;
    for (; lmb_is_digit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (count < DIGITS && (count > 0 || *p != '0')) {
            digits[count++] = *p;
            whole = 10 * whole + (*p - '0');
        } else if (count > 0)
            exponent++;
        exponent -= point;
    }
    if (p == text || (p == text + 1 && point))
        return text;
    if (*p == 'e' || *p == 'E') {
        bool negative = p[1] == '-';
        const char *q = p + 1 + (p[1] == '+' || negative);
        long given = 0;
        for (; lmb_is_digit(*q); q++, p = q)
            given = given < 100000 ? 10 * given + (*q - '0') : given;
        exponent += negative ? -given : given;
    }
    if (count <= EXACT_DIGITS && labs(exponent) <= LARGEST_POWER) {
        *value = exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent];
        return p;
    }
    lmb_snprintf(digits + count, sizeof digits - (size_t)count, "e%ld", exponent);
    *value = count ? lmb_strtod(digits, NULL) : 0;
    return p;
}

/* --- Nodes --- */

/* Turns an operation whose inputs are all constants into a constant. */
static void fold(const lmb_parser *p, lmb_expr_node *node)
{
    lmb_jet in[LMB_EXPR_INPUTS] = {{0}};
    for (int i = 0; i < node->count; i++) {
        if (p->nodes[node->in[i]].op != LMB_OP_CONSTANT)
            return;
        in[i].f = p->nodes[node->in[i]].value;
    }
    double value = lmb_jet_apply(node->op, node->table, in).f;
    *node = (lmb_expr_node){.op = LMB_OP_CONSTANT, .value = value};
}

int lmb_build(lmb_parser *p, lmb_expr_node node)
{
    lmb_expr_node *nodes = lmb_arena_append(p->arena, p->nodes, p->count, sizeof *nodes);
    if (!nodes)
        return 0;
    p->nodes = nodes;
    if (node.count > 0 && node.op != LMB_OP_CALL) /* whose values may change from step to step */
        fold(p, &node);
    p->nodes[p->count] = node;
    return p->count++;
}

/* --- Programs --- */

/* The node after which each node is not needed any more; -1 for one that never is. */
static void find_last_uses(const lmb_parser *p, const lmb_operand *result, int *last)
{
    for (int i = 0; i < p->count; i++)
        last[i] = -1;
    for (int i = 0; i < result->size; i++)
        last[result->at[i]] = p->count;
    for (int i = p->count - 1; i >= 0; i--) {
        const lmb_expr_node *n = &p->nodes[i];
        for (int k = 0; k < n->count && last[i] >= 0; k++) {
            if (last[n->in[k]] < 0)
                last[n->in[k]] = i;
        }
    }
}

/* Fills the program; false when the registers do not suffice. where[i] becomes the register or
 * ~constant of node i. */
static bool assign(lmb_expr *expr, const lmb_parser *p, const int *last, int *where)
{
    bool used[LMB_EXPR_REGISTERS] = {false};
    int constants = 0;
    for (int i = 0; i < p->count; i++) {
        lmb_expr_node node = p->nodes[i];
        if (last[i] < 0)
            continue;
        if (node.op == LMB_OP_CONSTANT) {
            expr->constants[constants] = node.value;
            where[i] = ~constants++;
            continue;
        }
        for (int k = 0; k < node.count; k++) {
            int input = node.in[k];
            node.in[k] = where[input];
            if (where[input] >= 0 && last[input] == i)
                used[where[input]] = false;
        }
        while (node.out < LMB_EXPR_REGISTERS && used[node.out])
            node.out++;
        if (node.out == LMB_EXPR_REGISTERS)
            return false;
        used[node.out] = true;
        where[i] = node.out;
        expr->nodes[expr->count++] = node;
    }
    return true;
}

/* Complains about the whole of an expression. */
static lmb_expr *refuse(const lmb_parser *p, const char *message)
{
    lmb_place whole = p->place;
    whole.length = (int)strlen(p->text);
    lmb_fail_at(p->context, whole, "%s", message);
    return NULL;
}

/* The program that computes the result; NULL with a message. */
static lmb_expr *make_program(lmb_arena *arena, const lmb_parser *p, const lmb_operand *result)
{
    size_t count = (size_t)p->count, kept[2] = {0};
    int *last = lmb_arena_integers(p->arena, count), *where = lmb_arena_integers(p->arena, count);
    lmb_expr *expr = lmb_arena_alloc(arena, 1, sizeof *expr);
    if (lmb_check_memory(p->context, p->arena) || lmb_check_memory(p->context, arena))
        return NULL;
    for (int i = 0; i < result->size; i++) {
        const lmb_expr_node *n = &p->nodes[result->at[i]];
        if (n->op == LMB_OP_CONSTANT && !isfinite(n->value))
            return refuse(p, isnan(n->value) ? "the value is undefined" : "the value is infinite");
    }
    find_last_uses(p, result, last);
    for (int i = 0; i < p->count; i++)
        kept[p->nodes[i].op == LMB_OP_CONSTANT] += last[i] >= 0;
    expr->nodes = lmb_arena_alloc(arena, kept[0], sizeof *expr->nodes);
    expr->constants = lmb_arena_numbers(arena, kept[1]);
    if (lmb_check_memory(p->context, arena))
        return NULL;
    if (!assign(expr, p, last, where))
        return refuse(p, "expression is too deeply nested");
    expr->size = result->size;
    expr->constant = expr->count == 0;
    for (int i = 0; i < result->size; i++)
        expr->out[i] = where[result->at[i]];
    return expr;
}

lmb_expr *lmb_expr_compile(lmb_context *context, lmb_arena *arena, const lmb_scope *scope,
                           const char *text, lmb_place place)
{
    size_t length = strlen(text);
    if (length > LONGEST_TEXT) {
        lmb_fail_at(context, place, "expression is too long: %zu characters, and %d are allowed",
                    length, LONGEST_TEXT);
        return NULL;
    }
    lmb_parser p = {context, scope, text, place, .arena = lmb_arena_new()};
    lmb_expr *expr = NULL;
    lmb_operand result = {0};
    lmb_build(&p, (lmb_expr_node){.op = LMB_OP_CONSTANT}); /* for nodes without memory */
    if (!lmb_check_memory(context, p.arena) && lmb_expr_parse(&p, &result))
        expr = make_program(arena, &p, &result);
    lmb_arena_free(p.arena);
    return expr;
}

lmb_expr *lmb_expr_join(lmb_context *context, lmb_arena *arena, lmb_expr *const *parts, int count)
{
    lmb_expr *joined = lmb_arena_alloc(arena, 1, sizeof *joined);
    lmb_status status = LMB_OK;
    if (count < 2 || count > 3)
        status = lmb_fail(context, LMB_BAD_INPUT, "a vector has 2 or 3 components, not %d", count);
    else if (!joined)
        status = lmb_fail_memory(context);
    for (int i = 0; !status && i < count; i++) {
        if (parts[i]->size != 1)
            status = lmb_fail(context, LMB_BAD_INPUT,
                              "a component must be a number, not a vector of %d", parts[i]->size);
        joined->part[i] = parts[i];
        joined->constant = (i == 0 || joined->constant) && parts[i]->constant;
        joined->size = count;
    }
    return status ? NULL : joined;
}

int lmb_expr_size(const lmb_expr *expr)
{
    return expr->size;
}

/* Whether it has a certain operation on a record or a variable. */
static bool has(const lmb_expr *expr, int op, int number)
{
    for (int i = 0; i < expr->size && expr->part[0]; i++)
        if (has(expr->part[i], op, number))
            return true;
    for (int i = 0; i < expr->count; i++)
        if ((int)expr->nodes[i].op == op && expr->nodes[i].variable == number)
            return true;
    return false;
}

bool lmb_expr_plays(const lmb_expr *expr, int record)
{
    return has(expr, LMB_OP_RECORD, record);
}

bool lmb_expr_reads(const lmb_expr *expr, int variable)
{
    return has(expr, LMB_OP_VARIABLE, variable);
}

/* Whether it reads a variable other than time. */
static bool reads_any(const lmb_expr *expr)
{
    for (int i = 0; i < expr->size && expr->part[0]; i++)
        if (reads_any(expr->part[i]))
            return true;
    for (int i = 0; i < expr->count; i++)
        if (expr->nodes[i].op == LMB_OP_VARIABLE && expr->nodes[i].variable != LMB_VARIABLE_TIME)
            return true;
    return false;
}

static const char *find_kink(const lmb_expr *expr)
{
    static const lmb_op kinks[] = {LMB_OP_ABS, LMB_OP_SIGN, LMB_OP_FLOOR, LMB_OP_CEIL, LMB_OP_MOD,
                                   LMB_OP_MIN, LMB_OP_MAX,  LMB_OP_IF,    LMB_OP_RAMP};
    const char *found = NULL;
    for (int i = 0; i < expr->size && expr->part[0] && !found; i++)
        found = find_kink(expr->part[i]);
    for (int i = 0; i < expr->count; i++)
        for (size_t k = 0; k < sizeof kinks / sizeof *kinks && !found; k++)
            found = expr->nodes[i].op == kinks[k] ? functions[kinks[k]].name : NULL;
    return found;
}

const char *lmb_expr_kink(const lmb_expr *expr)
{
    return reads_any(expr) ? find_kink(expr) : NULL;
}

bool lmb_expr_is_constant(const lmb_expr *expr)
{
    return expr->constant;
}
