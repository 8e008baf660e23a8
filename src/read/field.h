/* Fields: the keys of a model file, each stated in one place.
 *
 * A kind of joint (body, driver, ...) has a table of fields. It drives reading and checking, the
 * JSON Schema and the reference page. Each field says which member of a struct it fills. */
#ifndef LMB_READ_FIELD_H
#define LMB_READ_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/message.h"
#include "math/vec.h"

typedef enum lmb_field_type {
    LMB_FIELD_NUMBER,  /* a number, or an expression of the parameters */
    LMB_FIELD_VECTOR,  /* as many numbers as the model has dimensions */
    LMB_FIELD_NUMBERS, /* one to nine numbers; how many are right depends on the field */
    LMB_FIELD_LAW,     /* a number that may depend on t */
    LMB_FIELD_TEXT,    /* any text */
    LMB_FIELD_CHOICE,  /* one of the words in `choices`, or if(condition, word, word) */
    LMB_FIELD_FLAG,    /* true or false, or an expression of parameters */
    LMB_FIELD_END,     /* one end of a joint: body, body.point, ground, coordinates on ground */
    LMB_FIELD_ENDS,    /* two of them */
    LMB_FIELD_JOINTS,  /* the names of two joints */
    LMB_FIELD_NAME,    /* the name of another item; `choices` says of what */
    LMB_FIELD_TREE     /* read by its own code; `choices` names its form in the schema */
} lmb_field_type;

typedef enum lmb_range { LMB_ANY, LMB_POSITIVE, LMB_NOT_NEGATIVE, LMB_NOT_ZERO } lmb_range;

/* One line per field: LMB_KEY (or its name and LMB_AT), type, unit, doc, the default in words, its
 * range, and what else there is to say. */
typedef struct lmb_field {
    const char *name;
    size_t offset, size; /* of the member that it fills; size 0: none */
    lmb_field_type type;
    const char *unit;          /* "m", or NULL */
    const char *doc;           /* one sentence */
    const char *otherwise_doc; /* the default in words, or NULL */
    lmb_range range;
    bool required;
    int dimension;       /* 2 or 3: only for models in the plane, in space; 0: both */
    const char *choices; /* LMB_FIELD_CHOICE: the words, separated by blanks */
    double otherwise;    /* default of a number, flag or choice */
} lmb_field;

struct lmb_expr;
struct lmb_tree;

/* The value of a field as read from the model. */
typedef struct lmb_value {
    bool given;
    lmb_place place;
    double number; /* number, flag; the default when not given */
    union {
        double numbers[9];
        vec3 vector; /* missing z is 0 */
    };
    int size;         /* how many */
    const char *text; /* text, choice, name */
    int choice;       /* number of the word; the default when not given */
    int items[2];     /* bodies, joints: their numbers */
    const struct lmb_expr *law;
    const struct lmb_tree *node;
} lmb_value;

/* The member of a struct that a field fills, by its type: a double (number), bool (flag), int or
 * enum (choice), const char * (text and name, NULL when not given), vec3 or double[3] (vector),
 * const lmb_expr * (law), int[2] (joints), const lmb_tree * (what is read by its own code, NULL
 * when not given). A member that is an lmb_value gets all of it. */
#define LMB_AT(type, member) .offset = offsetof(type, member), sizeof(((type *)0)->member)
#define LMB_KEY(type, member) #member, LMB_AT(type, member) /* a field named as its member */
#define LMB_NOWHERE .offset = 0, 0

#endif
