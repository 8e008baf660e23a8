/* The arithmetic of jets, and the evaluation of compiled expressions.
 *
 * A jet is (f, f', f'') with respect to time. For a function g of one argument
 *
 *     g(a)' = g' a',    g(a)'' = g'' a'^2 + g' a'',
 *
 * and similarly for two. A zero derivative of the argument gives a zero derivative of the result
 * even where g' is infinite, so that sqrt(0) is a constant like any other. At a kink (abs, norm)
 * the derivatives are zero; at a jump they are those of either side. */
#include "math/expr_internal.h"

#include <math.h>

/* g times x, where zero wins over infinity. */
static double times(double g, double x)
{
    return x == 0 ? 0 : g * x;
}

static lmb_jet chain(lmb_jet a, double g, double g1, double g2)
{
    return (lmb_jet){g, times(g1, a.d), times(g2, a.d * a.d) + times(g1, a.dd)};
}

static lmb_jet number(double value)
{
    return (lmb_jet){value, 0, 0};
}

static bool still(lmb_jet a)
{
    return a.d == 0 && a.dd == 0;
}

static lmb_jet add(lmb_jet a, lmb_jet b)
{
    return (lmb_jet){a.f + b.f, a.d + b.d, a.dd + b.dd};
}

static lmb_jet subtract(lmb_jet a, lmb_jet b)
{
    return (lmb_jet){a.f - b.f, a.d - b.d, a.dd - b.dd};
}

static lmb_jet multiply(lmb_jet a, lmb_jet b)
{
    return (lmb_jet){a.f * b.f, a.d * b.f + a.f * b.d, a.dd * b.f + 2 * a.d * b.d + a.f * b.dd};
}

static lmb_jet divide(lmb_jet a, lmb_jet b)
{
    double f = a.f / b.f;
    double d = (a.d - f * b.d) / b.f;
    return (lmb_jet){f, d, (a.dd - 2 * d * b.d - f * b.dd) / b.f};
}

/* a^b. A constant exponent works for every base; a changing one needs a positive base, and is
 * taken as exp(b log(a)). */
static lmb_jet power(lmb_jet a, lmb_jet b)
{
    double n = b.f, f = pow(a.f, n);
    if (still(b)) {
        double g1 = times(pow(a.f, n - 1), n), g2 = times(pow(a.f, n - 2), n * (n - 1));
        return chain(a, f, g1, g2);
    }
    /* 0^b stays zero when the exponent is large enough for two derivatives */
    if (a.f == 0 && (n > 2 || (n > 0 && still(a))))
        return number(0);
    lmb_jet w = multiply(b, chain(a, log(a.f), 1 / a.f, -1 / (a.f * a.f)));
    return (lmb_jet){f, f * w.d, f * (w.dd + w.d * w.d)};
}

static lmb_jet arc_sine(lmb_jet a, double f, double sign)
{
    double g1 = sign / sqrt((1 - a.f) * (1 + a.f));
    return chain(a, f, g1, a.f * g1 * g1 * g1);
}

static lmb_jet arc_tangent2(lmb_jet y, lmb_jet x)
{
    double f = atan2(y.f, x.f), r = hypot(x.f, y.f);
    if (still(y) && still(x))
        return number(f);
    double c = x.f / r, s = y.f / r;
    double d = (c * y.d - s * x.d) / r;
    double dd = (c * y.dd - s * x.dd) / r - 2 * d * (c * x.d + s * y.d) / r;
    return (lmb_jet){f, d, dd};
}

/* The length of (in[0], in[1], in[2]): r' = u . v and r'' = u . a + |v - u r'|^2 / r. */
static lmb_jet length(const lmb_jet in[3])
{
    double r = hypot(hypot(in[0].f, in[1].f), in[2].f);
    if (r == 0)
        return number(0);
    double d = 0, dd = 0, across = 0;
    for (int i = 0; i < 3; i++)
        d += in[i].f / r * in[i].d;
    for (int i = 0; i < 3; i++) {
        double u = in[i].f / r, w = in[i].d - u * d;
        dd += u * in[i].dd;
        across += w * w;
    }
    return (lmb_jet){r, d, dd + across / r};
}

/* x - n y with the whole number n that leaves a remainder of the sign of y. */
static lmb_jet modulo(lmb_jet x, lmb_jet y)
{
    double rest = fmod(x.f, y.f);
    if (rest != 0 && (rest < 0) != (y.f < 0))
        rest += y.f;
    double n = round((x.f - rest) / y.f);
    return (lmb_jet){rest, x.d - times(n, y.d), x.dd - times(n, y.dd)};
}

/* Both from e = exp(-|x|), which cannot overflow. */
static lmb_jet sigmoid(lmb_jet a)
{
    double e = exp(-fabs(a.f)), f = (a.f >= 0 ? 1 : e) / (1 + e);
    double g1 = e / ((1 + e) * (1 + e));
    double g2 = g1 * (a.f >= 0 ? e - 1 : 1 - e) / (1 + e);
    return chain(a, f, g1, g2);
}

static lmb_jet softplus(lmb_jet a)
{
    double e = exp(-fabs(a.f));
    double f = (a.f > 0 ? a.f : 0) + log1p(e);
    return chain(a, f, (a.f >= 0 ? 1 : e) / (1 + e), e / ((1 + e) * (1 + e)));
}

/* Where x is between x0 and x1, from 0 to 1; constant outside. An empty range is a jump at x0. */
static lmb_jet fraction(lmb_jet x, lmb_jet x0, lmb_jet x1)
{
    if (isnan(x.f) || isnan(x0.f) || isnan(x1.f))
        return number(NAN);
    if (x.f >= x1.f && x.f >= x0.f)
        return number(1);
    if (x.f <= x0.f)
        return number(0);
    return divide(subtract(x, x0), subtract(x1, x0));
}

static lmb_jet smooth_step(lmb_jet x, lmb_jet x0, lmb_jet h0, lmb_jet x1, lmb_jet h1)
{
    lmb_jet part = fraction(x, x0, x1);
    double u = part.f;
    if (u == 0)
        return h0;
    if (u == 1)
        return h1;
    lmb_jet s = chain(part, u * u * u * (10 + u * (6 * u - 15)), 30 * u * u * (1 - u) * (1 - u),
                      60 * u * (1 - u) * (1 - 2 * u));
    return add(h0, multiply(subtract(h1, h0), s));
}

static lmb_jet look_up(const lmb_table *table, lmb_jet a)
{
    double y[3];
    lmb_table_evaluate(table, a.f, y);
    return chain(a, y[0], y[1], y[2]);
}

/* Functions of one number. */
static lmb_jet apply_unary(lmb_op op, lmb_jet a)
{
    double x = a.f, f, g;
    switch (op) {
    case LMB_OP_SIN:
        f = sin(x);
        return chain(a, f, cos(x), -f);
    case LMB_OP_COS:
        f = cos(x);
        return chain(a, f, -sin(x), -f);
    case LMB_OP_TAN:
        f = tan(x);
        return chain(a, f, 1 + f * f, 2 * f * (1 + f * f));
    case LMB_OP_ASIN:
        return arc_sine(a, asin(x), 1);
    case LMB_OP_ACOS:
        return arc_sine(a, acos(x), -1);
    case LMB_OP_ATAN:
        g = 1 / (1 + x * x);
        return chain(a, atan(x), g, -2 * x * g * g);
    case LMB_OP_SINH:
        f = sinh(x);
        return chain(a, f, cosh(x), f);
    case LMB_OP_COSH:
        f = cosh(x);
        return chain(a, f, sinh(x), f);
    case LMB_OP_TANH:
        f = tanh(x);
        g = 1 / cosh(x);
        return chain(a, f, g * g, -2 * f * g * g);
    case LMB_OP_EXP:
        f = exp(x);
        return chain(a, f, f, f);
    case LMB_OP_LOG:
    case LMB_OP_LN:
        return chain(a, log(x), 1 / x, -1 / (x * x));
    case LMB_OP_LOG10:
        g = 1 / (x * log(10));
        return chain(a, log10(x), g, -g / x);
    case LMB_OP_SQRT:
        f = sqrt(x);
        return chain(a, f, 0.5 / f, -0.25 / (f * x));
    case LMB_OP_ABS:
        return x > 0 ? a : x < 0 ? subtract(number(0), a) : number(fabs(x));
    case LMB_OP_SIGN:
        return number(x > 0 ? 1 : x < 0 ? -1 : x);
    case LMB_OP_FLOOR:
        return number(floor(x));
    case LMB_OP_CEIL:
        return number(ceil(x));
    case LMB_OP_SIGMOID:
        return sigmoid(a);
    case LMB_OP_SOFTPLUS:
        return softplus(a);
    case LMB_OP_NOT:
        return number(x == 0);
    default: /* LMB_OP_NEGATE */
        return (lmb_jet){-x, -a.d, -a.dd};
    }
}

lmb_jet lmb_jet_apply(lmb_op op, const lmb_table *table, const lmb_jet in[LMB_EXPR_INPUTS])
{
    lmb_jet a = in[0], b = in[1];
    switch (op) {
    case LMB_OP_ADD:
        return add(a, b);
    case LMB_OP_SUBTRACT:
        return subtract(a, b);
    case LMB_OP_MULTIPLY:
        return multiply(a, b);
    case LMB_OP_DIVIDE:
        return divide(a, b);
    case LMB_OP_POW:
        return power(a, b);
    case LMB_OP_ATAN2:
        return arc_tangent2(a, b);
    case LMB_OP_MOD:
        return modulo(a, b);
    case LMB_OP_MIN:
        return b.f < a.f || isnan(b.f) ? b : a;
    case LMB_OP_MAX:
        return b.f > a.f || isnan(b.f) ? b : a;
    case LMB_OP_LESS:
        return number(a.f < b.f);
    case LMB_OP_LESS_EQUAL:
        return number(a.f <= b.f);
    case LMB_OP_EQUAL:
        return number(a.f == b.f);
    case LMB_OP_NOT_EQUAL:
        return number(a.f != b.f);
    case LMB_OP_AND:
        return number(a.f != 0 && b.f != 0);
    case LMB_OP_OR:
        return number(a.f != 0 || b.f != 0);
    case LMB_OP_IF:
        return a.f != 0 ? b : in[2];
    case LMB_OP_RAMP:
        return fraction(a, b, in[2]);
    case LMB_OP_STEP:
        return smooth_step(a, b, in[2], in[3], in[4]);
    case LMB_OP_NORM:
        return length(in);
    case LMB_OP_TABLE:
        return look_up(table, a);
    default:
        return apply_unary(op, a);
    }
}

/* A record at an instant; zero where there is none. */
static lmb_jet play(const lmb_table *const *records, int record, lmb_jet time)
{
    const lmb_table *table = records ? records[record] : NULL;
    return table ? look_up(table, time) : number(0);
}

/* A function of the program; second derivatives are wanted of motions in time alone. */
static lmb_jet call(const lmb_expr *expr, const lmb_expr_node *n, const lmb_jet *registers,
                    lmb_jet time)
{
    lmb_jet in[LMB_FUNCTION_ARGUMENTS];
    for (int i = 0; i < n->count; i++)
        in[i] = n->in[i] < 0 ? number(expr->constants[~n->in[i]]) : registers[n->in[i]];
    return lmb_function_jet(n->function, n->variable, in, time.d != 0);
}

void lmb_expr_play(const lmb_expr *expr, lmb_jet time, const lmb_table *const *records,
                   const lmb_jet *variables, lmb_jet *out)
{
    if (expr->part[0]) {
        for (int i = 0; i < expr->size; i++)
            lmb_expr_play(expr->part[i], time, records, variables, &out[i]);
        return;
    }
    lmb_jet registers[LMB_EXPR_REGISTERS], in[LMB_EXPR_INPUTS] = {{0}};
    for (const lmb_expr_node *n = expr->nodes; n < expr->nodes + expr->count; n++) {
        if (n->op == LMB_OP_CALL) {
            registers[n->out] = call(expr, n, registers, time);
            continue;
        }
        for (int i = 0; i < n->count; i++)
            in[i] = n->in[i] < 0 ? number(expr->constants[~n->in[i]]) : registers[n->in[i]];
        if (n->op == LMB_OP_RECORD)
            registers[n->out] = play(records, n->variable, time);
        else if (n->op != LMB_OP_VARIABLE)
            registers[n->out] = lmb_jet_apply(n->op, n->table, in);
        else if (n->variable == LMB_VARIABLE_TIME)
            registers[n->out] = time;
        else
            registers[n->out] = variables[n->variable];
    }
    for (int i = 0; i < expr->size; i++)
        out[i] =
            expr->out[i] < 0 ? number(expr->constants[~expr->out[i]]) : registers[expr->out[i]];
}

void lmb_expr_evaluate(const lmb_expr *expr, double t, const lmb_jet *variables, lmb_jet *out)
{
    lmb_expr_play(expr, (lmb_jet){t, 1, 0}, NULL, variables, out);
}

/* --- comparison ------------------------------------------------------------------------------- */

/* Whether two inputs or results are the same register or equal constants. */
static bool same_value(const lmb_expr *a, const lmb_expr *b, int i, int j)
{
    return i < 0 && j < 0 ? a->constants[~i] == b->constants[~j] : i == j;
}

static bool same_node(const lmb_expr *a, const lmb_expr *b, int i)
{
    const lmb_expr_node *x = &a->nodes[i], *y = &b->nodes[i];
    bool same = x->op == y->op && x->op != LMB_OP_RECORD && x->count == y->count &&
                x->out == y->out && x->variable == y->variable &&
                lmb_table_same(x->table, y->table) && lmb_function_same(x->function, y->function);
    for (int k = 0; k < x->count && same; k++)
        same = same_value(a, b, x->in[k], y->in[k]);
    return same;
}

bool lmb_expr_same(const lmb_expr *a, const lmb_expr *b)
{
    if (!a || !b)
        return a == b;
    bool same = a->size == b->size && a->count == b->count && !a->part[0] == !b->part[0];
    for (int k = 0; k < a->size && same; k++)
        same = a->part[0] ? lmb_expr_same(a->part[k], b->part[k])
                          : same_value(a, b, a->out[k], b->out[k]);
    for (int i = 0; i < a->count && same; i++)
        same = same_node(a, b, i);
    return same;
}
