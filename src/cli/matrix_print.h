/* Matrices with the names of their rows and columns, as text or JSON. */
#ifndef LMB_CLI_MATRIX_PRINT_H
#define LMB_CLI_MATRIX_PRINT_H

#include "base/json.h"
#include "cli/verb.h"
#include "system/model.h"

typedef struct lmb_named_matrix {
    const char *name, *doc;
    int rows, columns;    /* columns 0: a vector */
    const double *values; /* NULL: it is left out */
    bool by_columns;      /* it is stored so */
    const char *const *row_names, *const *column_names;
} lmb_named_matrix;

/* Names that JSON has before the matrices. */
typedef struct lmb_name_list {
    const char *key;
    int count;
    const char *const *names;
} lmb_name_list;

/* Prints the matrices as text, or after the lists as members of the open object of JSON. */
void lmb_matrices_print(lmb_json *json, size_t list_count, const lmb_name_list *lists, size_t count,
                        const lmb_named_matrix *matrices);

/* The names of the coordinates (lmb_column_name) or constraint equations (lmb_row_name) of a model,
 * in the arena. */
const char **lmb_model_names(lmb_arena *arena, const lmb_model *model, int count,
                             void (*name)(const lmb_model *, int, char *, size_t));

/* The name of a motion of a body's frame, of which there are 3 in the plane and 6 in space, or of a
 * mode behind them. */
const char *lmb_motion_name(lmb_arena *arena, int rigid, int number);

#endif
