/* Expressions: the numbers, vectors and laws of a model file.
 *
 * A text such as "theta0 + omega*t" is compiled once into a short program for a register
 * machine and is then cheap to evaluate. Every operation works on a jet (value, first and
 * second derivative), so that motion laws come with exact velocities and accelerations.
 * Vectors of two or three components are taken apart when compiling. */
#ifndef LMB_MATH_EXPR_H
#define LMB_MATH_EXPR_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/text.h"
#include "limber/function.h"
#include "math/table.h"

/* A number with its first and second derivative with respect to time. */
typedef struct lmb_jet {
    double f, d, dd;
} lmb_jet;

typedef struct lmb_expr lmb_expr;

/* What a name stands for. */
typedef enum lmb_symbol_kind {
    LMB_SYMBOL_NONE,     /* nothing: an error */
    LMB_SYMBOL_VALUE,    /* a number or vector known now (a parameter) */
    LMB_SYMBOL_VARIABLE, /* entries of the array of variables (a channel) */
    LMB_SYMBOL_TABLE,    /* a function of one argument */
    LMB_SYMBOL_FUNCTION, /* a function of the program */
    LMB_SYMBOL_RECORD    /* what an earlier analysis recorded, a function of time */
} lmb_symbol_kind;

typedef struct lmb_symbol {
    lmb_symbol_kind kind;
    int size;               /* 1, 2 or 3 components */
    double value[3];        /* LMB_SYMBOL_VALUE */
    int variable;           /* LMB_SYMBOL_VARIABLE: index of the first component; LMB_SYMBOL_RECORD:
                             * the number of the record */
    const lmb_table *table; /* LMB_SYMBOL_TABLE */
    const lmb_function *function; /* LMB_SYMBOL_FUNCTION */
} lmb_symbol;

/* The names that an expression may use besides the built-in ones. */
typedef struct lmb_scope {
    /* Looks a name up (dots included: "crank.position"; with its arguments, as it is written, where
     * it plays back a record: "record(turn/motor.effort)"). A kind of LMB_SYMBOL_NONE means
     * unknown; a status other than LMB_OK means that the reason is already in the context. */
    lmb_status (*find)(void *user, const char *name, lmb_place place, lmb_symbol *symbol);
    /* Offers all its names to a search for the nearest; may be NULL. */
    void (*offer)(void *user, lmb_nearest *nearest);
    void *user;
    bool time; /* whether `t` may be used */
} lmb_scope;

/* Compiles a text that stands at a place; NULL with a message that points at the offending
 * character when it is wrong. The result lives in the arena. */
lmb_expr *lmb_expr_compile(lmb_context *context, lmb_arena *arena, const lmb_scope *scope,
                           const char *text, lmb_place place);

/* A vector whose components are scalar expressions, such as a YAML sequence of texts. */
lmb_expr *lmb_expr_join(lmb_context *context, lmb_arena *arena, lmb_expr *const *parts, int count);

/* The number of components: 1 for a scalar, 2 or 3 for a vector. */
int lmb_expr_size(const lmb_expr *expr);

/* Whether the value depends neither on time nor on variables. */
bool lmb_expr_is_constant(const lmb_expr *expr);

/* The value at an instant: one jet per component. Does not allocate. */
void lmb_expr_evaluate(const lmb_expr *expr, double t, const lmb_jet *variables, lmb_jet *out);

/* The same for an expression that may play back records: a table for each, of which a missing one
 * (or all, if NULL) is zero. With a time (t, 0, 0) that stands still, derivatives are those along
 * the variables alone; else it is (t, 1, 0). */
void lmb_expr_play(const lmb_expr *expr, lmb_jet time, const lmb_table *const *records,
                   const lmb_jet *variables, lmb_jet *out);

/* Whether it plays back a record; whether it reads a variable. */
bool lmb_expr_plays(const lmb_expr *expr, int record);
bool lmb_expr_reads(const lmb_expr *expr, int variable);

/* Whether two expressions are the same, constants and tables included. Those that play back records
 * are not, as these may differ. */
bool lmb_expr_same(const lmb_expr *a, const lmb_expr *b);

/* A function with a kink or a jump, such as "max", of an expression that reads variables; NULL: it
 * has none. */
const char *lmb_expr_kink(const lmb_expr *expr);

/* The first name in the text of an expression, with its dots and its length; NULL: there is none.
 */
const char *lmb_expr_name(const char *text, size_t *length);

/* The built-in functions, for documentation: name, arguments, meaning; ends with {0}. */
typedef struct lmb_function_doc {
    const char *name, *arguments, *doc;
} lmb_function_doc;
const lmb_function_doc *lmb_expr_functions(void);

/* Whether a name is taken by a constant, a function or `t`. */
bool lmb_expr_is_reserved(const char *name);

#endif
