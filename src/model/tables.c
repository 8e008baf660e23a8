/* The section `tables`: functions through points written in the model or read from a CSV file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "import/csv.h"
#include "model/fields.h"
#include "model/sections.h"

typedef struct points {
    int count;
    double *x, *y;
} points;

static lmb_status allocate(lmb_reader *r, points *p, int count)
{
    p->count = count;
    p->x = lmb_arena_numbers(r->arena, count);
    p->y = lmb_arena_numbers(r->arena, count);
    return p->x && p->y ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status inline_points(lmb_reader *r, const lmb_tree *node, points *p)
{
    if (node->kind != LMB_TREE_LIST)
        return lmb_fail_kind(r, node, "points", "a list of pairs [x, y]");
    lmb_status status = allocate(r, p, node->count);
    for (int i = 0; !status && i < node->count; i++) {
        double pair[3] = {0};
        const lmb_tree *item = node->items[i];
        if (item->kind == LMB_TREE_LIST && item->count != 2)
            status = lmb_fail_at(r->context, item->place,
                                 "a point of a table has two numbers, [x, y], not %d", item->count);
        else
            status = lmb_read_vector(r, item, "points", 2, pair);
        p->x[i] = pair[0];
        p->y[i] = pair[1];
    }
    return status;
}

static lmb_status points_of_file(lmb_reader *r, const lmb_value *v, points *p)
{
    const lmb_value *file = &v[LMB_TABLE_FIELD_FILE], *columns = &v[LMB_TABLE_FIELD_COLUMNS];
    const char *path = lmb_beside_file(r, file->text);
    int rows, width, pick[2] = {1, 2};
    double *values;
    char **names;
    if (!path)
        return lmb_fail_memory(r->context);
    if (access(path, R_OK) != 0)
        return lmb_fail_at(r->context, file->place, "cannot read '%s': %s", path, strerror(errno));
    lmb_status status = lmb_csv_read(r->context, r->arena, path, &rows, &width, &values, &names);
    if (status)
        return status;
    bool fine = columns->given ? columns->size == 2 : width >= 2;
    for (int i = 0; columns->given && fine && i < 2; i++) {
        double column = columns->numbers[i];
        fine = column >= 1 && column <= width && column == floor(column);
        pick[i] = fine ? (int)column : 1;
    }
    if (!fine)
        return lmb_fail_at(r->context, columns->given ? columns->place : file->place,
                           "the table needs two columns of '%s', which has %d", path, width);
    status = allocate(r, p, rows);
    for (int i = 0; !status && i < rows; i++) {
        p->x[i] = values[i * width + pick[0] - 1];
        p->y[i] = values[i * width + pick[1] - 1];
    }
    return status;
}

static lmb_status read_table(lmb_reader *r, const lmb_tree *key, const lmb_tree *node,
                             const lmb_table **out)
{
    static const lmb_table_kind kinds[] = {LMB_TABLE_LINEAR, LMB_TABLE_CUBIC, LMB_TABLE_AKIMA};
    static const lmb_table_outside outsides[] = {LMB_TABLE_HOLD, LMB_TABLE_EXTEND,
                                                 LMB_TABLE_PERIODIC};
    char what[96];
    snprintf(what, sizeof what, "table '%.60s'", key->text);
    lmb_value v[LMB_TABLE_FIELD_COUNT + 1];
    if (lmb_check_name(r, key, "table") ||
        lmb_read_values(r, node, lmb_table_fields, what, NULL, v))
        return LMB_BAD_INPUT;
    if (lmb_expr_is_reserved(key->text))
        return lmb_fail_at(r->context, key->place, "'%s' is a built-in name", key->text);
    const lmb_value *given = &v[LMB_TABLE_FIELD_POINTS], *type = &v[LMB_TABLE_FIELD_TYPE];
    if (given->given == v[LMB_TABLE_FIELD_FILE].given)
        return lmb_fail_at(r->context, key->place, "%s needs either 'points' or a 'file'%s", what,
                           given->given ? ", not both" : "");
    points p = {0};
    if (given->given ? inline_points(r, given->node, &p) : points_of_file(r, v, &p))
        return LMB_BAD_INPUT;
    if (p.count < 2)
        return lmb_fail_at(r->context, key->place, "%s needs at least two points", what);
    for (int i = 1; i < p.count; i++)
        if (!(p.x[i] > p.x[i - 1]))
            return lmb_fail_at(r->context, key->place,
                               "the x of %s must grow: point %d has %g after %g", what, i + 1,
                               p.x[i], p.x[i - 1]);
    lmb_table_outside outside = outsides[v[LMB_TABLE_FIELD_OUTSIDE].choice];
    if (outside == LMB_TABLE_PERIODIC && p.y[0] != p.y[p.count - 1])
        return lmb_fail_at(r->context, key->place,
                           "%s is periodic, so its last value must equal its "
                           "first (%g, not %g)",
                           what, p.y[0], p.y[p.count - 1]);
    lmb_table_kind kind = type->given ? kinds[type->choice] : LMB_TABLE_CUBIC;
    const lmb_table *table = lmb_table_new(r->arena, kind, outside, p.count, p.x, p.y);
    if (!table)
        return lmb_fail_memory(r->context);
    *out = table;
    return LMB_OK;
}

lmb_status lmb_read_tables(lmb_reader *r, const lmb_tree *section)
{
    if (lmb_tree_is_empty(section))
        return LMB_OK;
    if (section->kind != LMB_TREE_MAP) {
        r->incomplete = true;
        return lmb_fail_kind(r, section, "tables", "a map of names to tables");
    }
    r->tables = lmb_arena_alloc(r->arena, (size_t)section->count, sizeof *r->tables);
    if (!r->tables)
        return lmb_fail_memory(r->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < section->count; i++) {
        const lmb_table *table = NULL;
        if (read_table(r, section->keys[i], section->items[i], &table))
            status = LMB_BAD_INPUT;
        r->tables[r->table_count++] = (lmb_named_table){section->keys[i]->text, table};
    }
    return status;
}
