/* The words of an expression, and messages that point at them. */
#ifndef LMB_MATH_EXPR_TOKENS_H
#define LMB_MATH_EXPR_TOKENS_H

#include "math/expr_internal.h"

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

/* An expression on its way from text to nodes. */
typedef struct lmb_parser {
    lmb_context *context;
    const lmb_scope *scope;
    const char *text;
    lmb_place place;
    lmb_builder *builder;
    lmb_token now; /* the word that is read next */
    int depth;     /* of brackets, signs and operators around it */
} lmb_parser;

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
