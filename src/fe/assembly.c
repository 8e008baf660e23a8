/* From a mesh to a finite element model: checks, degrees of freedom, pattern, matrices. */
#include "fe/element.h"

#include <limits.h>
#include <string.h>

/* What elements meet at a node. */
typedef struct meeting {
    unsigned char directions;
    bool solid, beam, mass, inertia;
} meeting;

static void find_meetings(const lmb_mesh *mesh, meeting *at)
{
    for (const lmb_element *e = mesh->elements; e < mesh->elements + mesh->element_count; e++) {
        const lmb_element_type *type = lmb_element_type_of(e->kind);
        for (int k = 0; k < type->nodes; k++) {
            meeting *m = &at[mesh->connections[e->first + k]];
            m->solid |= type->solid;
            m->beam |= type->beam;
            if (e->kind == LMB_POINT_MASS) {
                const lmb_point_mass *mass = &mesh->masses[e->point_mass];
                m->mass |= mass->mass > 0;
                for (int i = 0; i < 3; i++)
                    m->inertia |= v3_norm(mass->inertia.c[i]) > 0;
            } else {
                m->directions |= (unsigned char)type->directions;
            }
        }
    }
}

/* A point mass has no stiffness, so it needs another element at its node, and an inertia needs one
 * that has rotations. */
static lmb_status check_meetings(const lmb_mesh *mesh, const meeting *at, lmb_context *context)
{
    int hinges = 0, hinge = -1, lost = 0, lost_at = -1;
    for (int i = 0; i < mesh->node_count; i++) {
        if ((at[i].mass || at[i].inertia) && !at[i].directions)
            return lmb_fail_hint(context, "move it to a node of a beam or a solid",
                                 "the point mass at node %d of %s is at a node without elements",
                                 mesh->number[i], mesh->file ? mesh->file : "the mesh");
        if (at[i].solid && at[i].beam && hinges++ == 0)
            hinge = mesh->number[i];
        if (at[i].inertia && !at[i].beam && lost++ == 0)
            lost_at = mesh->number[i];
    }
    if (hinges)
        lmb_warn(context,
                 "a beam ends at a solid at node %d%s: it is hinged there, because solids have no "
                 "rotations",
                 hinge, hinges > 1 ? " and others" : "");
    if (lost)
        lmb_warn(
            context,
            "the inertia of the point mass at node %d%s has no effect: the node of a solid has "
            "no rotations",
            lost_at, lost > 1 ? " and others" : "");
    return LMB_OK;
}

/* Numbers the degrees of freedom node by node. */
static void number_dofs(lmb_fe_model *model, const meeting *at)
{
    for (int i = 0; i < model->node_count; i++)
        for (int d = 0; d < LMB_DIRECTIONS; d++) {
            model->dof[i][d] = -1;
            if (at[i].directions & LMB_BIT(d)) {
                model->node[model->n] = i;
                model->direction[model->n] = (signed char)d;
                model->dof[i][d] = model->n++;
            }
        }
}

/* --- the pattern ------------------------------------------------------------------------------
 *
 * Elements of each node by counting; neighbours of each node by going through the nodes of its
 * elements, each taken once; rows of a column from the degrees of freedom of the neighbours. */

bool lmb_mesh_incidence(lmb_incidence *out, lmb_arena *scratch, const lmb_mesh *mesh)
{
    out->start = lmb_arena_integers(scratch, (size_t)mesh->node_count + 2);
    out->element = lmb_arena_integers(scratch, (size_t)mesh->connection_count + 1);
    if (!lmb_arena_fine(scratch))
        return false;
    int *next = out->start + 1; /* becomes the start when the places have been given away */
    for (int e = 0; e < mesh->element_count; e++)
        for (int k = 0; k < lmb_element_nodes(mesh->elements[e].kind); k++)
            next[mesh->connections[mesh->elements[e].first + k] + 1]++;
    for (int i = 0; i < mesh->node_count; i++)
        next[i + 1] += next[i];
    for (int e = 0; e < mesh->element_count; e++)
        for (int k = 0; k < lmb_element_nodes(mesh->elements[e].kind); k++)
            out->element[next[mesh->connections[mesh->elements[e].first + k]]++] = e;
    return true;
}

static void sort(int *list, int count)
{
    for (int i = 1; i < count; i++) {
        int value = list[i], k = i;
        for (; k > 0 && list[k - 1] > value; k--)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

/* Lists the neighbours of a node with its own or a greater number; returns how many there are. */
static int neighbours_of(const lmb_mesh *mesh, const lmb_incidence *in, int node, int *seen,
                         int *list)
{
    int count = 0;
    for (int k = in->start[node]; k < in->start[node + 1]; k++) {
        const lmb_element *e = &mesh->elements[in->element[k]];
        const int *nodes = mesh->connections + e->first;
        for (int i = 0; i < lmb_element_nodes(e->kind); i++)
            if (nodes[i] >= node && seen[nodes[i]] != node) {
                seen[nodes[i]] = node;
                list[count++] = nodes[i];
            }
    }
    return count;
}

/* Writes start and row of K and M; the numbers of M are in the scratch arena. False: out of memory,
 * or too large for int. */
static bool make_pattern(lmb_fe_model *model, lmb_arena *scratch)
{
    const lmb_mesh *mesh = model->mesh;
    size_t nodes = (size_t)mesh->node_count, total = 0;
    lmb_incidence in;
    int *seen = lmb_arena_integers(scratch, nodes + 1);
    int *list = lmb_arena_integers(scratch, nodes + 1);
    int *first = lmb_arena_integers(scratch, nodes + 1); /* degree of freedom of each node */
    int *start = lmb_arena_integers(model->arena, (size_t)model->n + 1);
    if (!lmb_mesh_incidence(&in, scratch, mesh) || !lmb_arena_fine(model->arena))
        return false;
    for (int i = 0; i < model->n; i++)
        first[model->node[i] + 1]++;
    for (size_t i = 0; i < nodes; i++)
        first[i + 1] += first[i];
    memset(seen, -1, nodes * sizeof *seen);
    for (int i = 0; i < mesh->node_count; i++) {
        int count = neighbours_of(mesh, &in, i, seen, list), rows = 0;
        for (int k = 0; k < count; k++)
            rows += first[list[k] + 1] - first[list[k]];
        for (int column = first[i]; column < first[i + 1]; column++) {
            total += (size_t)rows--;
            start[column + 1] = (int)total;
        }
    }
    int *row = lmb_arena_integers(model->arena, total + 1);
    model->K = (lmb_symmetric){model->n, start, row, lmb_arena_numbers(model->arena, total + 1)};
    model->M = (lmb_symmetric){model->n, start, row, lmb_arena_numbers(scratch, total + 1)};
    if (total > INT_MAX || !lmb_arena_fine(model->arena) || !lmb_arena_fine(scratch))
        return false;
    memset(seen, -1, nodes * sizeof *seen);
    for (int i = 0; i < mesh->node_count; i++) {
        int count = neighbours_of(mesh, &in, i, seen, list);
        sort(list, count);
        for (int column = first[i]; column < first[i + 1]; column++)
            for (int k = 0; k < count; k++)
                for (int r = k ? first[list[k]] : column; r < first[list[k] + 1]; r++)
                    *row++ = r;
    }
    return true;
}

/* --- the numbers ------------------------------------------------------------------------------
 *
 * Elements are taken in blocks. In each the threads first share the elements and compute their
 * matrices; then each adds those columns that belong to its own nodes, in the order of the
 * elements. So every number is the same sum in the same order, however many threads there are. */

enum { BLOCK = 256, OWNED_TOGETHER = 16 };

typedef struct work {
    lmb_fe_model *model;
    const lmb_element_tables *tables;
    double *K, *M;    /* BLOCK element matrices each */
    size_t room;      /* numbers of one of them */
    int first, count; /* elements of the block */
    int threads;
} work;

static void compute_matrices(void *user, int index)
{
    const work *w = user;
    lmb_element_data e;
    for (int i = index; i < w->count; i += w->threads) {
        lmb_element_gather(w->model->mesh, w->first + i, &e);
        lmb_element_type_of(e.kind)->matrices(w->tables, &e, w->K + (size_t)i * w->room,
                                              w->M + (size_t)i * w->room);
    }
}

/* The place of a row in a column. */
static int find_row(const lmb_symmetric *a, int column, int row)
{
    int low = a->start[column], high = a->start[column + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the rows of one node and the columns of another, of `size` directions each; K and M are
 * those of an element of so many degrees of freedom, from there on. The rows of a node follow each
 * other, and so do its columns, each with one row less; all kinds have the first direction. */
static void add_block(const lmb_fe_model *to, int size, const int *row, const int *column, int dofs,
                      const double *K, const double *M)
{
    const int *start = to->K.start;
    int place = find_row(&to->K, column[0], row[0]) - row[0];
    for (int k = 0; k < size; k++, K += dofs, M += dofs) {
        if (column[k] < 0)
            continue;
        int at = place + start[column[k]] - start[column[0]] - (column[k] - column[0]);
        for (int m = 0; m < size; m++)
            if (row[m] >= column[k]) {
                to->K.value[at + row[m]] += K[m];
                to->M.value[at + row[m]] += M[m];
            }
    }
}

static void add_matrices(void *user, int index)
{
    const work *w = user;
    const lmb_mesh *mesh = w->model->mesh;
    for (int i = 0; i < w->count; i++) {
        const lmb_element *e = &mesh->elements[w->first + i];
        const int *node = mesh->connections + e->first, nodes = lmb_element_nodes(e->kind);
        const double *K = w->K + (size_t)i * w->room, *M = w->M + (size_t)i * w->room;
        int dof[LMB_ELEMENT_DOFS_MAX], dofs = lmb_element_dofs(w->model, w->first + i, dof);
        int size = dofs / nodes;
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes && node[a] / OWNED_TOGETHER % w->threads == index; b++)
                if (node[b] >= node[a]) {
                    int from = a * size * dofs + b * size;
                    add_block(w->model, size, dof + b * size, dof + a * size, dofs, K + from,
                              M + from);
                }
    }
}

static bool add_elements(lmb_fe_model *model, lmb_arena *scratch, const lmb_element_tables *tables,
                         int threads)
{
    int dofs = 0, elements = model->mesh->element_count;
    for (int i = 0; i < elements; i++) {
        int own = lmb_element_type_of(model->mesh->elements[i].kind)->dofs;
        dofs = own > dofs ? own : dofs;
    }
    size_t room = (size_t)(dofs * dofs), block = elements < BLOCK ? (size_t)elements : BLOCK;
    work w = {.model = model,
              .tables = tables,
              .K = lmb_arena_numbers(scratch, block * room),
              .M = lmb_arena_numbers(scratch, block * room),
              .room = room,
              .threads = threads};
    for (; lmb_arena_fine(scratch) && w.first < elements; w.first += BLOCK) {
        w.count = elements - w.first < BLOCK ? elements - w.first : BLOCK;
        lmb_element_share(threads, compute_matrices, &w);
        lmb_element_share(threads, add_matrices, &w);
    }
    return lmb_arena_fine(scratch);
}

/* --- the model -------------------------------------------------------------------------------- */

static void fill_model(lmb_fe_model *model, lmb_arena *arena, const lmb_mesh *mesh)
{
    size_t nodes = (size_t)mesh->node_count;
    *model = (lmb_fe_model){.arena = arena,
                            .dimension = mesh->dimension,
                            .node_count = mesh->node_count,
                            .mesh = mesh,
                            .assembled = true};
    model->x = lmb_arena_grow(arena, mesh->x, nodes, nodes + 1, sizeof *model->x);
    model->number = lmb_arena_grow(arena, mesh->number, nodes, nodes + 1, sizeof *model->number);
    model->dof = lmb_arena_alloc(arena, nodes + 1, sizeof *model->dof);
    model->node = lmb_arena_integers(arena, LMB_DIRECTIONS * nodes + 1);
    model->direction = lmb_arena_alloc(arena, LMB_DIRECTIONS * nodes + 1, 1);
}

static lmb_status assemble(lmb_fe_model *model, lmb_arena *scratch, lmb_context *context,
                           int threads)
{
    const lmb_mesh *mesh = model->mesh;
    const lmb_element_tables *tables = lmb_element_tables_new(scratch);
    meeting *at = lmb_arena_alloc(scratch, (size_t)mesh->node_count + 1, sizeof *at);
    lmb_status status = lmb_check_memory(context, scratch);
    if (status || (status = lmb_check_memory(context, model->arena)) ||
        (status = lmb_mesh_check(mesh, tables, context)))
        return status;
    find_meetings(mesh, at);
    if ((status = check_meetings(mesh, at, context)))
        return status;
    number_dofs(model, at);
    if (!make_pattern(model, scratch) || !add_elements(model, scratch, tables, threads))
        return lmb_fail_memory(context);
    lmb_symmetric all = model->M; /* masses of solids do not couple directions */
    return lmb_symmetric_without_zeros(&model->M, model->arena, &all) ? LMB_OK
                                                                      : lmb_fail_memory(context);
}

lmb_status lmb_fe_assemble(lmb_fe_model **out, lmb_context *context, const lmb_mesh *mesh,
                           int threads)
{
    lmb_arena *arena, *scratch = lmb_arena_new();
    lmb_fe_model *model = lmb_arena_object(&arena, sizeof *model);
    lmb_status status = model ? LMB_OK : lmb_fail_memory(context);
    if (model && mesh->reduced)
        lmb_warn(context, "%s: elements with reduced integration are integrated fully", mesh->file);
    if (model) {
        fill_model(model, arena, mesh);
        int good = lmb_element_threads(mesh, mesh->element_count / LMB_THREAD_ELEMENTS);
        status = assemble(model, scratch, context, threads > 0 ? threads : good);
    }
    lmb_arena_free(scratch);
    if (status)
        lmb_arena_free(arena);
    *out = status ? NULL : model;
    return status;
}
