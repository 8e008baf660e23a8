/* The names of equations and coordinates of a model. */
#include <string.h>

#include "base/text.h"
#include "system/model.h"

lmb_row_owner lmb_owner_of_row(const lmb_model *m, int row)
{
    int owner = m->row_owner[row], body = m->parts.rows[row].body;
    if (owner >= 0)
        return owner < m->joint_count
                   ? (lmb_row_owner){"joint", m->joints[owner].name}
                   : (lmb_row_owner){"driver", m->drivers[owner - m->joint_count].name};
    return (lmb_row_owner){"body", body > 0 ? m->bodies[body].name : "?"};
}

void lmb_row_name(const lmb_model *m, int row, char *buffer, size_t size)
{
    lmb_snprintf(buffer, size, "%s.%s", lmb_owner_of_row(m, row).name, m->parts.rows[row].label);
}

void lmb_first_order_name(const lmb_model *m, int i, char *buffer, size_t size)
{
    const lmb_body *b = m->bodies;
    while (i >= b->z + b->nz)
        b++;
    lmb_snprintf(buffer, size, "%s.%s", b->name, b->ops->states->state(b, i - b->z).name);
}

const lmb_node *lmb_column_node(const lmb_model *m, int column)
{
    int low = 0, high = m->node_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (m->nodes[middle].v <= column)
            low = middle;
        else
            high = middle - 1;
    }
    return &m->nodes[low];
}

void lmb_column_name(const lmb_model *m, int column, char *buffer, size_t size)
{
    const lmb_node *node = lmb_column_node(m, column);
    char name[64];
    lmb_node_name(node, column - node->v, name, sizeof name);
    lmb_snprintf(buffer, size, "%s.%s", m->bodies[node->body].name, name);
}

int lmb_find_column(const lmb_model *m, const char *name, char *nearest, size_t size)
{
    char column[128];
    lmb_nearest search = lmb_nearest_start(name);
    *nearest = 0;
    for (int j = 0; j < m->nv; j++) {
        lmb_column_name(m, j, column, sizeof column);
        if (strcmp(column, name) == 0)
            return j;
        search.best = NULL;
        lmb_nearest_try(&search, column);
        if (search.best)
            lmb_snprintf(nearest, size, "%s", column);
    }
    return -1;
}

void lmb_position_name(const lmb_model *m, int i, char *buffer, size_t size)
{
    const lmb_node *node = m->nodes;
    while (i >= node->q + node->nq)
        node++;
    int k = i - node->q;
    bool turns = node->kind == LMB_NODE_SPACE && k >= LMB_TURN_FIRST;
    lmb_column_name(m, node->v + (turns ? 0 : k), buffer, size);
    size_t length = strlen(buffer);
    if (turns && length > 0) /* "top.x" becomes "top.quaternion.w" */
        lmb_snprintf(buffer + length - 1, size - length + 1, "quaternion.%c",
                     "wxyz"[k - LMB_TURN_FIRST]);
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
