/* Parts of arrays: they are checked as the matrices of files are (import/matrix_draft.h), and kept
 * as a mesh and a finite element model that copies of the spec share. */
#include "import/arrays.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "fe/element.h"
#include "import/matrix_draft.h"

/* A part while it is checked. */
typedef struct attaching {
    lmb_scan scan; /* of no file: for messages, and the status */
    lmb_arena *arena;
    const lmb_arrays *arrays;
    lmb_mapping mapping;
    lmb_mesh *mesh;
    lmb_fe_model *model;
} attaching;

/* --- nodes, sets, elements -------------------------------------------------------------------- */

static void take_nodes(attaching *a)
{
    const lmb_arrays *from = a->arrays;
    lmb_mesh *mesh = a->mesh;
    size_t count = (size_t)from->nodes;
    lmb_numbers places = {0};
    mesh->node_count = from->nodes;
    mesh->x = lmb_arena_alloc(a->arena, count, sizeof *mesh->x);
    mesh->number = lmb_arena_integers(a->arena, count);
    for (int i = 0; i < from->nodes && lmb_arena_fine(a->arena) && !a->scan.status; i++) {
        const double *x = from->x + 3 * (size_t)i;
        int number = from->number ? from->number[i] : i + 1;
        if (lmb_mapping_check(&a->scan, number))
            break;
        if (lmb_numbers_find(&places, number) >= 0)
            lmb_scan_fail(&a->scan, "two nodes have the number %d", number);
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            lmb_scan_fail(&a->scan, "node %d is at (%g, %g, %g)", number, x[0], x[1], x[2]);
        lmb_scan_place_number(&a->scan, &places, number, (size_t)i);
        mesh->x[i] = v3(x[0], x[1], x[2]);
        mesh->number[i] = number;
    }
    lmb_numbers_free(&places);
}

/* A copy of a list of nodes, each of which must be there. */
static int *take_list(attaching *a, const int *nodes, size_t count, const char *what,
                      const char *name)
{
    int *copy = lmb_arena_integers(a->arena, count);
    for (size_t i = 0; i < count && copy && !a->scan.status; i++)
        if ((copy[i] = nodes[i]) < 0 || nodes[i] >= a->arrays->nodes)
            lmb_scan_fail(&a->scan, "%s '%s' have node %d, but nodes are 0 to %d", what, name,
                          nodes[i], a->arrays->nodes - 1);
    return copy;
}

static void take_sets(attaching *a)
{
    lmb_mesh *mesh = a->mesh;
    const lmb_arrays *from = a->arrays;
    if (from->set_count < 0 || (from->set_count > 0 && !from->sets))
        lmb_scan_fail(&a->scan, "it has %d sets, but no list of them", from->set_count);
    mesh->sets =
        lmb_arena_alloc(a->arena, a->scan.status ? 0 : (size_t)from->set_count, sizeof *mesh->sets);
    for (int i = 0; i < from->set_count && lmb_arena_fine(a->arena) && !a->scan.status; i++) {
        const lmb_array_set *set = &from->sets[i];
        if (!set->name || !*set->name)
            lmb_scan_fail(&a->scan, "set %d of nodes has no name", i);
        else if (lmb_mesh_set(mesh, set->name))
            lmb_scan_fail(&a->scan, "there are two sets '%s'", set->name);
        else if (set->count < 1 || !set->nodes)
            lmb_scan_fail(&a->scan, "set '%s' has no nodes", set->name);
        if (a->scan.status)
            return;
        mesh->sets[mesh->set_count++] = (lmb_node_set){
            lmb_text_copy(a->arena, set->name, strlen(set->name)),
            take_list(a, set->nodes, (size_t)set->count, "the nodes of", set->name), set->count};
    }
}

/* The kind of solid elements of a name. */
static lmb_element_kind find_kind(attaching *a, const char *name)
{
    for (int i = 0; i < LMB_ELEMENT_KINDS; i++) {
        const lmb_element_type *type = lmb_element_type_of((lmb_element_kind)i);
        if (name && type->stress && strcmp(type->name, name) == 0)
            return (lmb_element_kind)i;
    }
    lmb_scan_fail(&a->scan, "there are no elements '%s'", name ? name : "");
    lmb_hint(a->scan.context, "tet4, tet10, hex8 and hex20 are known");
    return LMB_ELEMENT_KINDS;
}

/* Adds the elements of one kind, numbered from 1 on. */
static void take_kind(attaching *a, const lmb_array_elements *some)
{
    lmb_mesh *mesh = a->mesh;
    lmb_element_kind kind = find_kind(a, some->kind);
    if (!a->scan.status && (some->count < 1 || !some->nodes))
        lmb_scan_fail(&a->scan, "there are no nodes of elements '%s'", some->kind);
    if (a->scan.status)
        return;
    size_t before = (size_t)mesh->element_count, used = (size_t)mesh->connection_count;
    size_t nodes = (size_t)lmb_element_nodes(kind), more = (size_t)some->count;
    if (used + nodes * more > INT_MAX) {
        lmb_scan_fail(&a->scan, "there are too many elements '%s'", some->kind);
        return;
    }
    const int *list = take_list(a, some->nodes, nodes * more, "elements", some->kind);
    mesh->elements =
        lmb_arena_grow(a->arena, mesh->elements, before, before + more, sizeof *mesh->elements);
    mesh->connections = lmb_arena_grow(a->arena, mesh->connections, used, used + nodes * more,
                                       sizeof *mesh->connections);
    if (!lmb_arena_fine(a->arena))
        return;
    memcpy(mesh->connections + used, list, nodes * more * sizeof *list);
    for (size_t i = 0; i < more; i++)
        mesh->elements[before + i] = (lmb_element){.kind = kind,
                                                   .number = (int)(before + i + 1),
                                                   .first = (int)(used + nodes * i),
                                                   .material = -1,
                                                   .section = -1,
                                                   .point_mass = -1};
    mesh->element_count += some->count;
    mesh->connection_count += (int)(nodes * more);
}

static void take_mesh(attaching *a, const char *called)
{
    const lmb_arrays *from = a->arrays;
    a->mesh->arena = a->arena;
    a->mesh->file = called;
    a->mesh->dimension = 3;
    if (from->nodes < 1 || !from->x)
        lmb_scan_fail(&a->scan, "it has no nodes");
    if (!a->scan.status)
        take_nodes(a);
    if (!a->scan.status)
        take_sets(a);
    if (!a->scan.status && from->element_count > 0 && !from->elements)
        lmb_scan_fail(&a->scan, "it has %d kinds of elements, but no list of them",
                      from->element_count);
    for (int i = 0; i < from->element_count && !a->scan.status; i++)
        take_kind(a, &from->elements[i]);
}

/* --- matrices --------------------------------------------------------------------------------- */

/* The node and direction of each row. */
static void take_rows(attaching *a)
{
    const lmb_arrays *from = a->arrays;
    int each = from->n / from->nodes;
    if (!from->node != !from->direction)
        lmb_scan_fail(&a->scan, "rows need both a node and a direction, or neither");
    if (!from->node && (from->n % from->nodes || (each != 3 && each != 6))) {
        lmb_scan_fail(&a->scan, "%d nodes have %d rows, which is neither 3 nor 6 for each",
                      from->nodes, from->n);
        lmb_hint(a->scan.context, "give the node and the direction of each row");
    }
    for (int i = 0; i < from->n && !a->scan.status; i++) {
        int node = from->node ? from->node[i] : i / each;
        int direction = from->node ? from->direction[i] : i % each;
        if (node < 0 || node >= from->nodes)
            lmb_scan_fail(&a->scan, "row %d belongs to node %d, but nodes are 0 to %d", i, node,
                          from->nodes - 1);
        else if (direction < 0 || direction >= LMB_DIRECTIONS)
            lmb_scan_fail(&a->scan, "row %d has the direction %d, but directions are 0 to 5", i,
                          direction);
        else
            lmb_mapping_add(&a->mapping, &a->scan, a->mesh->number[node], direction);
    }
    a->mapping.complete = true;
}

static void take_matrix(attaching *a, const lmb_sparse *from, lmb_matrix_role role,
                        lmb_symmetric *out)
{
    static const char *const words[] = {"stiffness", "mass", "damping"};
    lmb_matrix_draft draft = {.scan = &a->scan,
                              .mapping = &a->mapping,
                              .role = role,
                              .form = LMB_FORM_FULL,
                              .from_zero = true};
    int n = a->arrays->n;
    if (a->scan.status || (!from->start && role == LMB_DAMPING))
        return;
    if (!from->start || !from->index || !from->value)
        lmb_scan_fail(&a->scan, "there is no %s matrix", words[role]);
    else if (from->start[0] != 0)
        lmb_scan_fail(&a->scan, "the %s begins at %d, not at 0", words[role], from->start[0]);
    for (int i = 0; i < n && !a->scan.status; i++) {
        if (from->start[i + 1] < from->start[i])
            lmb_scan_fail(&a->scan, "row %d of the %s ends before it begins", i, words[role]);
        for (int k = from->start[i]; k < from->start[i + 1] && !a->scan.status; k++) {
            int column = from->index[k] < INT_MAX ? from->index[k] + 1 : 0;
            lmb_matrix_add(&draft, i + 1, column, from->value[k]);
        }
    }
    if (!a->scan.status)
        a->scan.status = lmb_matrix_finish(&draft, a->arena, out);
    lmb_list_free(&draft.entries);
}

static void take_matrices(attaching *a)
{
    const lmb_arrays *from = a->arrays;
    bool some = from->K.start || from->M.start || from->C.start;
    if (from->n < 0 || (some && from->n == 0))
        lmb_scan_fail(&a->scan, "its matrices have %d rows", from->n);
    else if (from->n == 0 && from->element_count <= 0)
        lmb_scan_fail(&a->scan, "it has neither matrices nor elements");
    if (a->scan.status || from->n == 0)
        return;
    a->model = lmb_arena_alloc(a->arena, 1, sizeof *a->model);
    take_rows(a);
    if (!a->model || a->scan.status)
        return;
    take_matrix(a, &from->K, LMB_STIFFNESS, &a->model->K);
    take_matrix(a, &from->M, LMB_MASS, &a->model->M);
    take_matrix(a, &from->C, LMB_DAMPING, &a->model->C);
    if (!a->scan.status)
        a->scan.status =
            lmb_mapping_model(a->model, a->scan.context, a->arena, &a->mapping, a->mesh);
}

/* --- contents --------------------------------------------------------------------------------- */

/* Adds an array with its size to a hash. */
static void add_array(lmb_sha256 *sha, const void *array, size_t count, size_t size)
{
    uint64_t bytes = (uint64_t)(count * size);
    lmb_sha256_add(sha, &bytes, sizeof bytes);
    if (bytes)
        lmb_sha256_add(sha, array, (size_t)bytes);
}

static void add_matrix(lmb_sha256 *sha, const lmb_symmetric *m)
{
    size_t n = m->start ? (size_t)m->n : 0, entries = m->start ? (size_t)m->start[n] : 0;
    add_array(sha, m->start, m->start ? n + 1 : 0, sizeof *m->start);
    add_array(sha, m->row, entries, sizeof *m->row);
    add_array(sha, m->value, entries, sizeof *m->value);
}

/* The name of all that a part has. */
static void find_key(const attaching *a, char key[LMB_SHA256_TEXT])
{
    const lmb_mesh *mesh = a->mesh;
    const lmb_fe_model *model = a->model;
    lmb_sha256 sha = lmb_sha256_start();
    size_t nodes = (size_t)mesh->node_count;
    add_array(&sha, mesh->x, nodes, sizeof *mesh->x);
    add_array(&sha, mesh->number, nodes, sizeof *mesh->number);
    for (int i = 0; i < mesh->set_count; i++) {
        const lmb_node_set *set = &mesh->sets[i];
        add_array(&sha, set->name, strlen(set->name), 1);
        add_array(&sha, set->nodes, (size_t)set->count, sizeof *set->nodes);
    }
    for (int i = 0; i < mesh->element_count; i++)
        add_array(&sha, &mesh->elements[i].kind, 1, sizeof mesh->elements[i].kind);
    add_array(&sha, mesh->connections, (size_t)mesh->connection_count, sizeof *mesh->connections);
    if (model) {
        add_array(&sha, model->node, (size_t)model->n, sizeof *model->node);
        add_array(&sha, model->direction, (size_t)model->n, sizeof *model->direction);
        add_matrix(&sha, &model->K);
        add_matrix(&sha, &model->M);
        add_matrix(&sha, &model->C);
    }
    lmb_sha256_end(&sha, key);
}

/* --- attaching -------------------------------------------------------------------------------- */

static lmb_attached *find(const lmb_spec *spec, const char *name)
{
    lmb_attached *a = spec->attached;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    return a;
}

/* Puts what was checked in its place, or in that of what had its name. */
static lmb_status put(lmb_spec *spec, const char *name, const attaching *a)
{
    lmb_context *context = a->scan.context;
    lmb_attached *at = find(spec, name);
    if (at) {
        lmb_arena_free(at->arena);
    } else {
        const char *own = lmb_text_copy(spec->arena, name, strlen(name));
        at = lmb_arena_alloc(spec->arena, 1, sizeof *at);
        if (!at || !own)
            return lmb_fail_memory(context);
        at->name = own;
        at->next = spec->attached;
        spec->attached = at;
    }
    at->arena = a->arena;
    at->model = a->model;
    at->mesh = a->mesh;
    find_key(a, at->key);
    return LMB_OK;
}

lmb_status lmb_spec_attach(lmb_spec *spec, lmb_context *context, const char *name,
                           const lmb_arrays *arrays)
{
    LMB_REQUIRE(context, spec, name, arrays);
    if (!*name)
        return lmb_fail(context, LMB_USAGE, "arrays that are attached need a name");
    attaching a = {.scan = {.context = context}, .arrays = arrays};
    if (!(a.mesh = lmb_arena_object(&a.arena, sizeof *a.mesh)))
        return lmb_fail_memory(context);
    const char *called = lmb_text_format(a.arena, "arrays '%s'", name);
    a.scan.file = a.mapping.file = called ? called : "";
    take_mesh(&a, a.scan.file);
    if (!a.scan.status)
        take_matrices(&a);
    lmb_list_free(&a.mapping.equations);
    lmb_numbers_free(&a.mapping.places);
    lmb_status status = a.scan.status ? a.scan.status : lmb_check_memory(context, a.arena);
    if (!status)
        status = put(spec, name, &a);
    if (status)
        lmb_arena_free(a.arena);
    return status;
}

/* --- using ------------------------------------------------------------------------------------ */

const lmb_attached *lmb_attached_find(const lmb_spec *spec, lmb_context *context, lmb_place place,
                                      const char *name)
{
    const lmb_attached *found = find(spec, name);
    if (found)
        return found;
    lmb_nearest nearest = lmb_nearest_start(name);
    for (const lmb_attached *a = spec->attached; a; a = a->next)
        lmb_nearest_try(&nearest, a->name);
    lmb_fail_at(context, place, "there are no arrays '%s'", name);
    if (nearest.best)
        lmb_nearest_hint(context, &nearest);
    else
        lmb_hint(context,
                 "a program that runs the model attaches them, with lmb_spec_attach or, in "
                 "Python, as limber.Part; matrices in files go with the key 'matrices'");
    return NULL;
}

/* A copy of an array, which may be of nothing. */
static void *copy(lmb_arena *arena, const void *array, size_t count, size_t size)
{
    void *out = lmb_arena_alloc(arena, count + 1, size);
    if (out && count)
        memcpy(out, array, count * size);
    return out;
}

static void copy_values(lmb_arena *arena, lmb_symmetric *m)
{
    if (m->start)
        m->value = copy(arena, m->value, (size_t)m->start[m->n], sizeof *m->value);
}

lmb_status lmb_attached_model(const lmb_attached *attached, lmb_context *context, lmb_arena *arena,
                              const lmb_units *units, lmb_mesh **mesh_out, lmb_fe_model **model_out)
{
    lmb_mesh *mesh = copy(arena, attached->mesh, 1, sizeof *mesh);
    lmb_fe_model *model = attached->model ? copy(arena, attached->model, 1, sizeof *model) : NULL;
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(context);
    mesh->arena = arena;
    mesh->x = copy(arena, mesh->x, (size_t)mesh->node_count, sizeof *mesh->x);
    mesh->elements =
        copy(arena, mesh->elements, (size_t)mesh->element_count, sizeof *mesh->elements);
    if (model) {
        model->arena = arena;
        model->mesh = model->mesh ? mesh : NULL;
        model->x = mesh->x;
        copy_values(arena, &model->K);
        copy_values(arena, &model->M);
        copy_values(arena, &model->C);
    }
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(context);
    lmb_units_mesh(units, mesh);
    if (model)
        lmb_units_matrices(units, model);
    *mesh_out = mesh;
    *model_out = model;
    return LMB_OK;
}
