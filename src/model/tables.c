/* The section `tables`: functions through points written in the model or read from a CSV file. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "import/text_table.h"
#include "model/fields.h"
#include "model/builder.h"

/* What a table is read into. */
typedef struct keys {
    const lmb_tree *points;
    lmb_value file, columns;
    lmb_table_kind type;
    lmb_table_outside outside;
} keys;

#define KEY(member) LMB_KEY(keys, member)

const lmb_field lmb_table_fields[] = {
    {KEY(points), LMB_FIELD_TREE, NULL, "The points as a list of pairs [x, y], x ascending.",
     .choices = "pairs"},
    {KEY(file), LMB_FIELD_TEXT, NULL,
     "Instead of points: a CSV file, looked for beside the model."},
    {KEY(columns), LMB_FIELD_NUMBERS, NULL, "The columns of the file that hold x and y.", "[1, 2]",
     LMB_POSITIVE},
    {KEY(type), LMB_FIELD_CHOICE, NULL,
     "linear: straight pieces; cubic: a spline with continuous second derivative; akima: one that "
     "does not overshoot.",
     "cubic", .choices = "linear cubic akima", .otherwise = LMB_TABLE_CUBIC},
    {KEY(outside), LMB_FIELD_CHOICE, NULL,
     "Beyond the points: keep the last value, go on straight, or repeat.", "hold",
     .choices = "hold extend periodic"},
    {0},
};

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

static lmb_status points_of_file(lmb_reader *r, const keys *k, points *p)
{
    const lmb_value *file = &k->file, *columns = &k->columns;
    const char *path = lmb_beside_file(r, file->text);
    int rows, width, pick[2] = {1, 2};
    double *values;
    if (!path)
        return lmb_fail_memory(r->context);
    if (access(path, R_OK) != 0)
        return lmb_fail_at(r->context, file->place, "cannot read '%s': %s", path, strerror(errno));
    lmb_status status = lmb_csv_read(r->context, r->arena, path, &rows, &width, &values);
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

static lmb_status make_table(lmb_reader *r, const lmb_entry *e)
{
    const lmb_tree *key = e->key;
    const char *what = e->what;
    lmb_named_table *out = &r->tables[r->table_count - 1];
    keys k;
    if (lmb_read_fields(r, e->node, lmb_table_fields, what, NULL, &k))
        return LMB_BAD_INPUT;
    if (lmb_expr_is_reserved(key->text))
        return lmb_fail_at(r->context, key->place, "'%s' is a built-in name", key->text);
    if ((k.points != NULL) == k.file.given)
        return lmb_fail_at(r->context, key->place, "%s needs either 'points' or a 'file'%s", what,
                           k.points ? ", not both" : "");
    points p = {0};
    if (k.points ? inline_points(r, k.points, &p) : points_of_file(r, &k, &p))
        return LMB_BAD_INPUT;
    if (p.count < 2)
        return lmb_fail_at(r->context, key->place, "%s needs at least two points", what);
    for (int i = 1; i < p.count; i++)
        if (!(p.x[i] > p.x[i - 1]))
            return lmb_fail_at(r->context, key->place,
                               "the x of %s must grow: point %d has %g after %g", what, i + 1,
                               p.x[i], p.x[i - 1]);
    if (k.outside == LMB_TABLE_PERIODIC && p.y[0] != p.y[p.count - 1])
        return lmb_fail_at(r->context, key->place,
                           "%s is periodic, so its last value must equal its "
                           "first (%g, not %g)",
                           what, p.y[0], p.y[p.count - 1]);
    out->table = lmb_table_new(r->arena, k.type, k.outside, p.count, p.x, p.y);
    return out->table ? LMB_OK : lmb_fail_memory(r->context);
}

/* A table that is as in the base is shared. */
static lmb_status read_table(lmb_reader *r, const lmb_entry *e, void *unused)
{
    int i = r->table_count++;
    lmb_named_table *out = &r->tables[i];
    (void)unused;
    *out = (lmb_named_table){.name = e->key->text};
    if (r->kept && lmb_memo_holds(r, &r->kept->tables[i])) {
        out->table = r->kept->tables[i].item;
        return LMB_OK;
    }
    lmb_note before = lmb_note_start(r);
    lmb_status status = make_table(r, e);
    bool pure = lmb_note_end(r, before, &out->uses);
    if (r->keep) {
        r->keep->tables[i] = (lmb_memo_item){out->uses, pure && !status, out->table};
        r->keep->spoiled |= !pure;
    }
    return status;
}

lmb_status lmb_read_tables(lmb_reader *r, const lmb_tree *section)
{
    size_t count = lmb_tree_count(section);
    r->tables = lmb_arena_alloc(r->arena, count, sizeof *r->tables);
    if (r->keep)
        r->keep->tables = lmb_arena_alloc(r->arena, count, sizeof *r->keep->tables);
    return lmb_read_section(r, section, "tables", "table", "tables", read_table, NULL);
}
