/* Printing of matrices with names; see matrix_print.h. */
#include "cli/matrix_print.h"

#include <string.h>

#include "base/text.h"

static double value_at(const lmb_named_matrix *m, int i, int j)
{
    size_t rows = (size_t)m->rows, columns = m->columns ? (size_t)m->columns : 1;
    return m
        ->values[m->by_columns ? (size_t)j * rows + (size_t)i : (size_t)i * columns + (size_t)j];
}

void lmb_matrix_print(const lmb_named_matrix *m)
{
    printf("%s: %s\n", m->name, m->doc);
    for (int j = 0; j < m->columns; j++)
        printf(j ? " %24s" : "%45s", m->column_names[j]);
    if (m->columns)
        printf("\n");
    for (int i = 0; i < m->rows; i++) {
        printf("%-20s", m->row_names[i]);
        for (int j = 0; j < (m->columns ? m->columns : 1); j++)
            printf(" %24.17g", value_at(m, i, j));
        printf("\n");
    }
    printf("\n");
}

void lmb_matrix_json(lmb_json *json, const lmb_named_matrix *m)
{
    lmb_json_open(json, m->name, '[');
    for (int i = 0; i < m->rows; i++) {
        if (m->columns)
            lmb_json_open_flat(json, NULL, '[');
        for (int j = 0; j < (m->columns ? m->columns : 1); j++)
            lmb_json_number(json, NULL, value_at(m, i, j));
        if (m->columns)
            lmb_json_close(json);
    }
    lmb_json_close(json);
}

void lmb_names_json(lmb_json *json, const char *key, int count, const char *const *names)
{
    lmb_json_open(json, key, '[');
    for (int i = 0; i < count; i++)
        lmb_json_text(json, NULL, names[i]);
    lmb_json_close(json);
}

void lmb_mode_json(lmb_json *json, int number, double frequency, double damping, bool rigid,
                   size_t size, const double *shape)
{
    lmb_json_open(json, NULL, '{');
    lmb_json_put(json, "number %d, frequency %g, damping %g, rigid %hhd", number, frequency,
                 damping, rigid);
    lmb_json_numbers(json, "shape", size, shape);
    lmb_json_close(json);
}

const char **lmb_index_names(lmb_arena *arena, int count, lmb_index_name *name, const void *of)
{
    const char **names = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++) {
        char text[128];
        name(of, i, text, sizeof text);
        names[i] = lmb_text_copy(arena, text, strlen(text));
        if (!names[i])
            return NULL;
    }
    return names;
}

static void coordinate_name(const void *model, int index, char *name, size_t size)
{
    lmb_column_name(model, index, name, size);
}

static void equation_name(const void *model, int index, char *name, size_t size)
{
    lmb_row_name(model, index, name, size);
}

const char **lmb_coordinate_names(lmb_arena *arena, const lmb_model *m)
{
    return lmb_index_names(arena, m->nv, coordinate_name, m);
}

const char **lmb_equation_names(lmb_arena *arena, const lmb_model *m)
{
    return lmb_index_names(arena, m->nrows, equation_name, m);
}
