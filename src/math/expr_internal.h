/* What the parser, the builder and the evaluator of expressions share. */
#ifndef LMB_MATH_EXPR_INTERNAL_H
#define LMB_MATH_EXPR_INTERNAL_H

#include "math/expr.h"

/* The operations. The functions come first, in the order of their documentation. */
typedef enum lmb_op {
    LMB_OP_SIN,
    LMB_OP_COS,
    LMB_OP_TAN,
    LMB_OP_ASIN,
    LMB_OP_ACOS,
    LMB_OP_ATAN,
    LMB_OP_ATAN2,
    LMB_OP_SINH,
    LMB_OP_COSH,
    LMB_OP_TANH,
    LMB_OP_EXP,
    LMB_OP_LOG,
    LMB_OP_LN,
    LMB_OP_LOG10,
    LMB_OP_SQRT,
    LMB_OP_POW,
    LMB_OP_HYPOT,
    LMB_OP_ABS,
    LMB_OP_SIGN,
    LMB_OP_FLOOR,
    LMB_OP_CEIL,
    LMB_OP_MOD,
    LMB_OP_MIN,
    LMB_OP_MAX,
    LMB_OP_IF,
    LMB_OP_STEP,
    LMB_OP_RAMP,
    LMB_OP_SIGMOID,
    LMB_OP_SOFTPLUS,
    LMB_OP_RECORD,
    LMB_OP_FOURIER,
    LMB_OP_DOT,
    LMB_OP_CROSS,
    LMB_OP_NORM,
    LMB_OP_UNIT,
    LMB_OP_FUNCTIONS, /* their number */
    LMB_OP_CONSTANT,
    LMB_OP_VARIABLE,
    LMB_OP_TABLE,
    LMB_OP_NEGATE,
    LMB_OP_ADD,
    LMB_OP_SUBTRACT,
    LMB_OP_MULTIPLY,
    LMB_OP_DIVIDE,
    LMB_OP_LESS,
    LMB_OP_LESS_EQUAL,
    LMB_OP_GREATER,
    LMB_OP_GREATER_EQUAL,
    LMB_OP_EQUAL,
    LMB_OP_NOT_EQUAL,
    LMB_OP_AND,
    LMB_OP_OR,
    LMB_OP_NOT
} lmb_op;

enum {
    LMB_EXPR_INPUTS = 5,     /* most inputs of one operation */
    LMB_EXPR_REGISTERS = 64, /* most values alive at once */
    LMB_VARIABLE_TIME = -1   /* the index of `t` among the variables */
};

/* One operation. Its inputs are nodes while the expression is built; afterwards they are
 * registers, or constants as ~index. */
typedef struct lmb_expr_node {
    lmb_op op;
    int count; /* of inputs */
    int in[LMB_EXPR_INPUTS];
    int out;                /* the register of the result */
    int variable;           /* LMB_OP_VARIABLE; LMB_OP_RECORD: number of the record */
    double value;           /* LMB_OP_CONSTANT */
    const lmb_table *table; /* LMB_OP_TABLE */
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

/* The nodes of an expression under construction. Without memory nodes become node 0 and
 * no_memory is set, so that only the end needs to look. */
typedef struct lmb_builder {
    lmb_arena *arena; /* goes when the expression is done */
    lmb_expr_node *nodes;
    int count, room;
    bool no_memory;
} lmb_builder;

/* Adds a node and returns its index. An operation on constants becomes a constant. */
int lmb_build(lmb_builder *builder, lmb_expr_node node);
int lmb_build_constant(lmb_builder *builder, double value);
int lmb_build_variable(lmb_builder *builder, int variable);
int lmb_build_unary(lmb_builder *builder, lmb_op op, int a);
int lmb_build_binary(lmb_builder *builder, lmb_op op, int a, int b);
bool lmb_build_is_constant(const lmb_builder *builder, int node);

/* base^exponent; the cheap exact forms of x^0, x^1 and x^2 are taken where they apply. */
int lmb_build_power(lmb_builder *builder, int base, int exponent);

/* Products of vectors of equal size (of 3 for the second), and the length of a vector. */
lmb_operand lmb_build_dot(lmb_builder *builder, const lmb_operand *u, const lmb_operand *v);
lmb_operand lmb_build_cross(lmb_builder *builder, const lmb_operand *u, const lmb_operand *v);
lmb_operand lmb_build_norm(lmb_builder *builder, const lmb_operand *u);

/* Parses a text into nodes; false with a message when it is wrong. */
bool lmb_expr_parse(lmb_context *context, const lmb_scope *scope, const char *text, lmb_place place,
                    lmb_builder *builder, lmb_operand *out);

/* The result of an operation other than a constant or variable. */
lmb_jet lmb_jet_apply(lmb_op op, const lmb_table *table, const lmb_jet in[LMB_EXPR_INPUTS]);

/* The built-in names: a function (LMB_OP_FUNCTIONS when there is none), a constant, and all of
 * them for a search for the nearest. */
lmb_op lmb_expr_function(const char *name);
bool lmb_expr_constant(const char *name, double *value);
void lmb_expr_offer(lmb_nearest *nearest);

static inline bool lmb_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads an unsigned decimal number (12, 1.5e-3, .5) whatever the locale; returns the end of it, or
 * the text itself when there is none. A number too large becomes infinite. */
const char *lmb_number_scan(const char *text, double *value);

#endif
