/* Matrices with the names of their rows and columns, as text or JSON. */
#ifndef LMB_CLI_MATRIX_PRINT_H
#define LMB_CLI_MATRIX_PRINT_H

#include "base/arena.h"
#include "base/json.h"
#include "system/model.h"

typedef struct lmb_named_matrix {
    const char *name, *doc;
    int rows, columns; /* columns 0: a vector */
    const double *values;
    bool by_columns; /* it is stored so */
    const char *const *row_names, *const *column_names;
} lmb_named_matrix;

void lmb_matrix_print(const lmb_named_matrix *matrix);
void lmb_matrix_json(lmb_json *json, const lmb_named_matrix *matrix);

/* A list of names in JSON, and a mode with its shape. */
void lmb_names_json(lmb_json *json, const char *key, int count, const char *const *names);
void lmb_mode_json(lmb_json *json, int number, double frequency, double damping, bool rigid,
                   size_t size, const double *shape);

/* A list of names made by a function; NULL where memory ran out. */
typedef void lmb_index_name(const void *of, int index, char *name, size_t size);
const char **lmb_index_names(lmb_arena *arena, int count, lmb_index_name *name, const void *of);

/* Those of the coordinates and the constraint equations of a model. */
const char **lmb_coordinate_names(lmb_arena *arena, const lmb_model *model);
const char **lmb_equation_names(lmb_arena *arena, const lmb_model *model);

#endif
