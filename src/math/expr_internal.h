/* What the parser, the builder and the evaluator of expressions share. */
#ifndef LMB_MATH_EXPR_INTERNAL_H
#define LMB_MATH_EXPR_INTERNAL_H

#include "math/expr.h"

/* The functions: operation, name, arguments, which also say how many there are, and meaning. */
#define LMB_FUNCTIONS(X)                                                                           \
    X(SIN, "sin", "x", "sine of an angle in radians")                                              \
    X(COS, "cos", "x", "cosine of an angle in radians")                                            \
    X(TAN, "tan", "x", "tangent of an angle in radians")                                           \
    X(ASIN, "asin", "x", "arc sine, -pi/2 to pi/2")                                                \
    X(ACOS, "acos", "x", "arc cosine, 0 to pi")                                                    \
    X(ATAN, "atan", "x", "arc tangent, -pi/2 to pi/2")                                             \
    X(ATAN2, "atan2", "y, x", "angle of the point (x, y), -pi to pi")                              \
    X(SINH, "sinh", "x", "hyperbolic sine")                                                        \
    X(COSH, "cosh", "x", "hyperbolic cosine")                                                      \
    X(TANH, "tanh", "x", "hyperbolic tangent")                                                     \
    X(EXP, "exp", "x", "e to the power of x")                                                      \
    X(LOG, "log", "x", "natural logarithm")                                                        \
    X(LN, "ln", "x", "natural logarithm")                                                          \
    X(LOG10, "log10", "x", "logarithm to base 10")                                                 \
    X(SQRT, "sqrt", "x", "square root")                                                            \
    X(POW, "pow", "x, y", "x^y")                                                                   \
    X(HYPOT, "hypot", "x, y", "sqrt(x^2 + y^2)")                                                   \
    X(ABS, "abs", "x", "absolute value")                                                           \
    X(SIGN, "sign", "x", "-1, 0 or 1")                                                             \
    X(FLOOR, "floor", "x", "largest whole number not above x")                                     \
    X(CEIL, "ceil", "x", "smallest whole number not below x")                                      \
    X(MOD, "mod", "x, y", "x - y floor(x/y), the remainder with the sign of y")                    \
    X(MIN, "min", "a, b, ...", "the smallest")                                                     \
    X(MAX, "max", "a, b, ...", "the largest")                                                      \
    X(IF, "if", "condition, a, b", "a where the condition is not 0, else b")                       \
    X(STEP, "step", "x, x0, h0, x1, h1",                                                           \
      "h0 up to x0, h1 from x1 on, and h0 + (h1 - h0)(10u^3 - 15u^4 + 6u^5) with u = (x - "        \
      "x0)/(x1 - x0) between them, which is twice continuously differentiable")                    \
    X(RAMP, "ramp", "x, x0, x1", "0 up to x0, 1 from x1 on, and (x - x0)/(x1 - x0) between them")  \
    X(SIGMOID, "sigmoid", "x", "1/(1 + exp(-x)), a smooth step")                                   \
    X(SOFTPLUS, "softplus", "x", "ln(1 + exp(x)), the integral of sigmoid")                        \
    X(RECORD, "record", "analysis/channel",                                                        \
      "in laws of drivers and forces: what an earlier analysis of the file gave for a channel, "   \
      "at the same time t; a cubic spline unless 'linear' or 'akima' is given as a second "        \
      "argument")                                                                                  \
    X(FOURIER, "fourier", "analysis/channel, n",                                                   \
      "the Fourier series of such a record, periodic: its mean and its first n harmonics; with "   \
      "two more arguments t0, t1 of the record from t0 to t1, which should be whole periods")      \
    X(DOT, "dot", "a, b", "scalar product of two vectors")                                         \
    X(CROSS, "cross", "a, b", "vector product of two vectors of 3")                                \
    X(NORM, "norm", "a", "length of a vector")                                                     \
    X(UNIT, "unit", "a", "a vector divided by its length")

/* The operations. */
#define LMB_FUNCTION_OP(op, name, arguments, doc) LMB_OP_##op,
typedef enum lmb_op {
    LMB_FUNCTIONS(LMB_FUNCTION_OP) LMB_OP_FUNCTIONS, /* their number */
    LMB_OP_CONSTANT,
    LMB_OP_VARIABLE,
    LMB_OP_TABLE,
    LMB_OP_CALL,
    LMB_OP_NEGATE,
    LMB_OP_ADD,
    LMB_OP_SUBTRACT,
    LMB_OP_MULTIPLY,
    LMB_OP_DIVIDE,
    LMB_OP_LESS,
    LMB_OP_LESS_EQUAL,
    LMB_OP_EQUAL,
    LMB_OP_NOT_EQUAL,
    LMB_OP_AND,
    LMB_OP_OR,
    LMB_OP_NOT
} lmb_op;

enum {
    LMB_EXPR_INPUTS = 5,     /* most inputs of one operation, but for functions of the program */
    LMB_EXPR_REGISTERS = 64, /* most values alive at once */
    LMB_VARIABLE_TIME = -1   /* the index of `t` among the variables */
};

/* One operation. Its inputs are nodes while the expression is built; afterwards they are
 * registers, or constants as ~index. */
typedef struct lmb_expr_node {
    lmb_op op;
    int count; /* of inputs */
    int in[LMB_FUNCTION_ARGUMENTS];
    int out;                /* the register of the result */
    int variable;           /* LMB_OP_VARIABLE; LMB_OP_RECORD: number of the record; LMB_OP_CALL: of
                               the result */
    double value;           /* LMB_OP_CONSTANT */
    const lmb_table *table; /* LMB_OP_TABLE */
    const lmb_function *function; /* LMB_OP_CALL */
} lmb_expr_node;

struct lmb_expr {
    int size;
    bool constant;
    int count; /* of operations */
    lmb_expr_node *nodes;
    double *constants;
    int out[3];              /* a register or ~constant for each component */
    const lmb_expr *part[3]; /* of a joined vector: its components, and nothing of the above */
};

/* A value of the language: one to three nodes. */
typedef struct lmb_operand {
    int size;
    int at[3];
} lmb_operand;

/* The result of an operation other than a constant or variable. */
lmb_jet lmb_jet_apply(lmb_op op, const lmb_table *table, const lmb_jet in[LMB_EXPR_INPUTS]);

/* A result of a function of the program, without its second derivative unless that is wanted. */
lmb_jet lmb_function_jet(const lmb_function *function, int result, const lmb_jet *in, bool second);
bool lmb_function_same(const lmb_function *a, const lmb_function *b);

/* The built-in names: a function (LMB_OP_FUNCTIONS when there is none), a constant (NULL), and all
 * of them for a search for the nearest. */
lmb_op lmb_expr_function(const char *name);
const double *lmb_expr_constant(const char *name);
void lmb_expr_offer(lmb_nearest *nearest);

/* Reads an unsigned decimal number (12, 1.5e-3, .5) whatever the locale; returns the end of it, or
 * the text itself when there is none. A number too large becomes infinite. */
const char *lmb_number_scan(const char *text, double *value);

/* --- the words of an expression, and messages that point at them ------------------------------ */

typedef enum lmb_token_kind {
    LMB_TOKEN_END,
    LMB_TOKEN_NUMBER,
    LMB_TOKEN_NAME,
    LMB_TOKEN_SYMBOL
} lmb_token_kind;

/* A word of an expression: where it stands, and its value if it is a number. */
typedef struct lmb_token {
    lmb_token_kind kind;
    const char *start;
    int length;
    double number;
} lmb_token;

/* An expression on its way from text to nodes. Without memory nodes become node 0; the arena
 * remembers it, so that only the end needs to look. */
typedef struct lmb_parser {
    lmb_context *context;
    const lmb_scope *scope;
    const char *text;
    lmb_place place;
    lmb_arena *arena; /* goes when the expression is done */
    lmb_expr_node *nodes;
    int count;     /* of nodes */
    lmb_token now; /* the word that is read next */
    int depth;     /* of brackets, signs and operators around it */
} lmb_parser;

/* Adds a node and returns its index. An operation on constants becomes a constant. */
int lmb_build(lmb_parser *p, lmb_expr_node node);

/* Parses the text into nodes; false with a message when it is wrong. */
bool lmb_expr_parse(lmb_parser *p, lmb_operand *out);

/* How the token is written in a message with '%.*s'. */
#define LMB_SHOWN(at) (at).length, (at).start

/* Reads the next token into p->now. */
void lmb_token_next(lmb_parser *p);

/* Whether the next token reads so. */
bool lmb_token_here(const lmb_parser *p, const char *text);

/* Where a token stands in its file. */
lmb_place lmb_token_place(const lmb_parser *p, lmb_token at);

/* Passes a closing bracket. */
bool lmb_token_expect(lmb_parser *p, const char *text);

/* Reports at a token; always false, as are the other reports. */
bool lmb_token_fail(lmb_parser *p, lmb_token at, const char *format, ...) LMB_PRINTF(3, 4);

/* A token that cannot stand where it does; after_value when an operator could. */
bool lmb_token_unexpected(lmb_parser *p, bool after_value);

/* A name that is not known, with those that are near to it. */
bool lmb_token_unknown(lmb_parser *p, lmb_token at, const char *what, const char *name);

#endif
