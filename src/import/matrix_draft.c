/* Matrices as files give them.
 *
 * Where a file of a matrix has both triangles, a_ij and a_ji may differ by rounding only: by 1e-8
 * of the larger of them and sqrt(a_ii a_jj). The matrix gets their mean. */
#include "import/matrix_draft.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

const char *const lmb_direction_words[LMB_DIRECTIONS] = {"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};

/* "node 12, UX" */
static const char *mapping_name(const lmb_mapping *mapping, int equation, char *text, size_t room)
{
    const lmb_equation *e = (const lmb_equation *)mapping->equations.data + equation;
    lmb_snprintf(text, room, "node %d, %s", e->node, lmb_direction_words[e->direction]);
    return text;
}

lmb_status lmb_mapping_check(lmb_scan *scan, int node)
{
    if (node < 1 || node > INT_MAX / LMB_DIRECTIONS - 1)
        lmb_scan_fail(scan, "a node has the number %d", node);
    return scan->status;
}

lmb_status lmb_mapping_add(lmb_mapping *mapping, lmb_scan *scan, int node, int direction)
{
    lmb_equation e = {node, direction, scan->number};
    if (lmb_numbers_find(&mapping->places, node * LMB_DIRECTIONS + direction) >= 0)
        return lmb_scan_fail(scan, "node %d has two equations for %s", node,
                             lmb_direction_words[direction]);
    lmb_scan_place_number(scan, &mapping->places, node * LMB_DIRECTIONS + direction,
                          mapping->equations.count);
    lmb_scan_append(scan, &mapping->equations, &e, sizeof e);
    return scan->status;
}

static const char *const role_names[] = {"stiffness", "mass", "damping"};

void lmb_matrix_size(lmb_matrix_draft *draft, int rows, int columns)
{
    int n = (int)draft->mapping->equations.count;
    if (rows != columns)
        lmb_scan_fail(draft->scan, "the matrix has %d rows and %d columns; it must be square", rows,
                      columns);
    if (rows != n)
        lmb_scan_fail(draft->scan, "the matrix has %d rows, but the mapping '%s' has %d equations",
                      rows, draft->mapping->file, n);
}

/* What messages call a row that counts from 0. */
static int number_of(const lmb_matrix_draft *draft, int row)
{
    return draft->from_zero ? row : row + 1;
}

/* An entry of the diagonal is checked where it stands. */
static void check_diagonal(const lmb_matrix_draft *draft, int row, double value)
{
    char name[60];
    if ((draft->role == LMB_STIFFNESS && !(value > 0)) ||
        (draft->role == LMB_MASS && !(value >= 0)))
        lmb_scan_fail(draft->scan, "entry (%d, %d) of the %s is %g (%s); it must %s",
                      number_of(draft, row - 1), number_of(draft, row - 1), role_names[draft->role],
                      value, mapping_name(draft->mapping, row - 1, name, sizeof name),
                      draft->role == LMB_MASS ? "not be negative" : "be positive");
}

void lmb_matrix_add(lmb_matrix_draft *draft, int row, int column, double value)
{
    lmb_scan *scan = draft->scan;
    int n = (int)draft->mapping->equations.count;
    const int at[] = {number_of(draft, row - 1), number_of(draft, column - 1)};
    if (scan->status)
        return;
    if (row < 1 || row > n || column < 1 || column > n)
        lmb_scan_fail(scan, "entry (%d, %d) is outside of the matrix of %d rows", at[0], at[1], n);
    else if (!isfinite(value))
        lmb_scan_fail(scan, "entry (%d, %d) of the %s is not a finite number", at[0], at[1],
                      role_names[draft->role]);
    else if (row == column)
        check_diagonal(draft, row, value);
    draft->lower = draft->lower || row > column;
    draft->upper = draft->upper || row < column;
    if (draft->form == LMB_FORM_TRIANGLE && draft->lower && draft->upper)
        lmb_scan_fail(scan, "entry (%d, %d): a symmetric matrix must have one triangle only", at[0],
                      at[1]);
    lmb_scan_append(scan, &draft->entries, &(lmb_triplet){row - 1, column - 1, value},
                    sizeof(lmb_triplet));
}

/* --- The matrix --- */

static int compare_entries(const void *a, const void *b)
{
    const lmb_triplet *x = a, *y = b;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Sorts the entries by columns, if they are not so yet, and finds one that is there twice. */
static void sort_entries(lmb_matrix_draft *draft)
{
    lmb_triplet *e = draft->entries.data;
    size_t count = draft->entries.count, i = 1;
    while (i < count && compare_entries(&e[i - 1], &e[i]) < 0)
        i++;
    if (i < count)
        qsort(e, count, sizeof *e, compare_entries);
    for (i = 1; i < count; i++)
        if (compare_entries(&e[i - 1], &e[i]) == 0)
            lmb_scan_fail(draft->scan, "entry (%d, %d) of the %s is given twice",
                          number_of(draft, e[i].row), number_of(draft, e[i].column),
                          role_names[draft->role]);
}

/* An entry of the sorted ones; 0 where there is none. */
static double value_of(const lmb_matrix_draft *draft, int row, int column)
{
    lmb_triplet key = {row, column, 0},
                *found = bsearch(&key, draft->entries.data, draft->entries.count, sizeof key,
                                 compare_entries);
    return found ? found->value : 0;
}

/* Compares every entry with the one across the diagonal. */
static void check_symmetry(const lmb_matrix_draft *draft)
{
    const lmb_triplet *e = draft->entries.data;
    for (size_t k = 0; k < draft->entries.count && !draft->scan->status; k++, e++) {
        double x = e->value, y = value_of(draft, e->column, e->row);
        double size = fmax(fabs(x), fabs(y));
        if (fabs(x - y) <= 1e-8 * size)
            continue;
        double diagonal = value_of(draft, e->row, e->row) * value_of(draft, e->column, e->column);
        bool low = e->row > e->column;
        int i = low ? e->row : e->column, j = low ? e->column : e->row;
        if (!(fabs(x - y) <= 1e-8 * fmax(size, sqrt(fabs(diagonal)))))
            lmb_scan_fail(draft->scan,
                          "the %s is not symmetric: entry (%d, %d) is %.10g and (%d, %d) is %.10g",
                          role_names[draft->role], number_of(draft, i), number_of(draft, j),
                          low ? x : y, number_of(draft, j), number_of(draft, i), low ? y : x);
    }
}

lmb_status lmb_matrix_finish(lmb_matrix_draft *draft, lmb_arena *arena, lmb_symmetric *out)
{
    lmb_scan *scan = draft->scan;
    bool full = draft->form == LMB_FORM_FULL || (draft->lower && draft->upper);
    lmb_triplet *entries = draft->entries.data;
    size_t count = draft->entries.count;
    int n = (int)draft->mapping->equations.count;
    scan->number = 0; /* messages are about the whole file from here on */
    if (count == 0 && draft->role != LMB_DAMPING)
        lmb_scan_fail(scan, "the matrix has no entries");
    sort_entries(draft);
    if (full)
        check_symmetry(draft);
    for (size_t i = 0; i < count && full; i++)
        if (entries[i].row != entries[i].column)
            entries[i].value /= 2;
    if (scan->status)
        return scan->status;
    if (!lmb_symmetric_of_triplets(out, arena, n, entries, (long)count))
        return lmb_fail_memory(scan->context);
    /* every equation must have stiffness */
    char name[60];
    for (int j = 0; j < n && draft->role == LMB_STIFFNESS; j++)
        if (out->value[out->start[j]] == 0)
            return lmb_scan_fail(scan, "the stiffness has no entry (%d, %d) on its diagonal (%s)",
                                 number_of(draft, j), number_of(draft, j),
                                 mapping_name(draft->mapping, j, name, sizeof name));
    return LMB_OK;
}

/* --- The model --- */

/* Where an equation's node is in the mesh. */
static lmb_status place_equation(lmb_fe_model *model, lmb_context *context,
                                 const lmb_mapping *mapping, const lmb_mesh *mesh,
                                 const lmb_numbers *places, int i)
{
    const lmb_equation *e = (const lmb_equation *)mapping->equations.data + i;
    int node = lmb_numbers_find(places, e->node);
    if (node < 0) {
        lmb_fail_at(context, (lmb_place){mapping->file, NULL, e->line, 0, 1},
                    "node %d has no coordinates in '%s'", e->node, mesh->file);
        return lmb_hint(context, "remote points are nodes too: write all nodes of the model");
    }
    model->dof[node][e->direction] = i;
    model->node[i] = node;
    model->direction[i] = (signed char)e->direction;
    return LMB_OK;
}

/* A model in the plane has no node and no degree of freedom outside of it. */
static int find_dimension(const lmb_fe_model *model)
{
    for (int i = 0; i < model->n; i++) {
        int d = model->direction[i];
        if ((d != LMB_UX && d != LMB_UY && d != LMB_RZ) || model->x[model->node[i]].z != 0)
            return 3;
    }
    return 2;
}

lmb_status lmb_mapping_model(lmb_fe_model *model, lmb_context *context, lmb_arena *arena,
                             const lmb_mapping *mapping, const lmb_mesh *mesh)
{
    size_t nodes = (size_t)mesh->node_count, n = mapping->equations.count;
    model->arena = arena;
    model->n = (int)n;
    model->node_count = mesh->node_count;
    model->x = mesh->x;
    model->number = mesh->number;
    model->dof = lmb_arena_alloc(arena, nodes, sizeof *model->dof);
    model->node = lmb_arena_integers(arena, n);
    model->direction = lmb_arena_alloc(arena, n, sizeof *model->direction);
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(context);
    memset(model->dof, -1, nodes * sizeof *model->dof);
    lmb_numbers places = {0};
    lmb_status status = LMB_OK;
    for (int i = 0; i < mesh->node_count && !status; i++)
        if (!lmb_numbers_add(&places, mesh->number[i], i))
            status = lmb_fail_memory(context);
    for (int i = 0; i < model->n && !status; i++)
        status = place_equation(model, context, mapping, mesh, &places, i);
    lmb_numbers_free(&places);
    if (status)
        return status;
    model->dimension = find_dimension(model);
    model->mesh = mesh->element_count > 0 || mesh->set_count > 0 ? mesh : NULL;
    return LMB_OK;
}
