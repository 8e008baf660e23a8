/* Printing of matrices with names; see print.h. */
#include "cli/print.h"

#include <string.h>

#include "base/text.h"

static double value_at(const lmb_named_matrix *m, int i, int j)
{
    int columns = m->columns ? m->columns : 1;
    return m->values[m->by_columns ? (size_t)j * (size_t)m->rows + (size_t)i
                                   : (size_t)i * (size_t)columns + (size_t)j];
}

static void print_text(const lmb_named_matrix *m)
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

static void put_json(lmb_json *json, const lmb_named_matrix *m)
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

void lmb_matrices_print(lmb_json *json, size_t list_count, const lmb_name_list *lists, size_t count,
                        const lmb_named_matrix *matrices)
{
    for (size_t i = 0; json && i < list_count; i++)
        lmb_json_texts(json, lists[i].key, (size_t)lists[i].count, lists[i].names);
    for (const lmb_named_matrix *m = matrices; m < matrices + count; m++)
        if (m->values && json)
            put_json(json, m);
        else if (m->values)
            print_text(m);
}

const char **lmb_model_names(lmb_arena *arena, const lmb_model *m, int count,
                             void (*name)(const lmb_model *, int, char *, size_t))
{
    const char **names = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++) {
        char text[128];
        name(m, i, text, sizeof text);
        names[i] = lmb_text_copy(arena, text, strlen(text));
    }
    return names;
}

const char *lmb_motion_name(lmb_arena *arena, int rigid, int k)
{
    static const char *const plane[] = {"x", "y", "angle"};
    static const char *const space[] = {"x", "y", "z", "rotation.x", "rotation.y", "rotation.z"};
    if (k >= rigid)
        return lmb_text_format(arena, "mode%d", k - rigid + 1);
    return rigid == 3 ? plane[k] : space[k];
}
