/* From what a file says to a mesh: nodes are found by their numbers, sets of elements become sets
 * of their nodes, and elements that only made sets are left out. */
#include "import/mesh_draft.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static lmb_draft_element *element_at(const lmb_mesh_draft *draft, size_t i)
{
    return (lmb_draft_element *)draft->elements.data + i;
}

static const lmb_draft_node *node_at(const lmb_mesh_draft *draft, int i)
{
    return (const lmb_draft_node *)draft->nodes.data + i;
}

static lmb_draft_set *set_at(const lmb_mesh_draft *draft, size_t i)
{
    return (lmb_draft_set *)draft->sets.data + i;
}

void lmb_draft_free(lmb_mesh_draft *draft)
{
    for (size_t i = 0; i < draft->sets.count; i++)
        lmb_list_free(&set_at(draft, i)->ranges);
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        lmb_list_free(&draft->held[d].ranges);
    lmb_list *lists[] = {&draft->nodes,     &draft->elements, &draft->sets,  &draft->connections,
                         &draft->materials, &draft->sections, &draft->masses};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lmb_list_free(lists[i]);
    lmb_numbers_free(&draft->node_places);
    lmb_numbers_free(&draft->element_places);
    lmb_arena_free(draft->scratch);
}

/* --- While reading --- */

lmb_status lmb_draft_add_node(lmb_mesh_draft *draft, int number, const double x[3])
{
    lmb_scan *scan = draft->scan;
    lmb_draft_node node = {number, v3(x[0], x[1], x[2])};
    if (number < 1)
        return lmb_scan_fail(scan, "a node has the number %d", number);
    int known = lmb_numbers_find(&draft->node_places, number);
    if (known >= 0) {
        vec3 old = node_at(draft, known)->x;
        if (old.x == x[0] && old.y == x[1] && old.z == x[2])
            return scan->status;
        return lmb_scan_fail(scan, "node %d is defined twice, with different coordinates", number);
    }
    lmb_scan_place_number(scan, &draft->node_places, number, draft->nodes.count);
    lmb_scan_append(scan, &draft->nodes, &node, sizeof node);
    return scan->status;
}

lmb_status lmb_draft_add_element(lmb_mesh_draft *draft, lmb_element_kind kind, lmb_role role,
                                 const char *type, int number, int count, const int *nodes)
{
    lmb_scan *scan = draft->scan;
    lmb_element element = {kind, number, (int)draft->connections.count, -1, -1, -1};
    lmb_draft_element e = {element, type, scan->file, scan->number, count, role};
    if (number < 1)
        return lmb_scan_fail(scan, "an element has the number %d", number);
    if (lmb_numbers_find(&draft->element_places, number) >= 0)
        return lmb_scan_fail(scan, "element %d is there twice", number);
    lmb_scan_place_number(scan, &draft->element_places, number, draft->elements.count);
    lmb_scan_append(scan, &draft->elements, &e, sizeof e);
    for (int i = 0; i < count; i++)
        lmb_scan_append(scan, &draft->connections, &nodes[i], sizeof *nodes);
    return scan->status;
}

lmb_draft_set *lmb_draft_find_set(const lmb_mesh_draft *draft, lmb_word name, bool elements)
{
    const lmb_names *names = elements ? &draft->element_sets : &draft->node_sets;
    const lmb_named *found = lmb_names_find(names, name.start, (size_t)name.length);
    return found ? set_at(draft, (size_t)found->index) : NULL;
}

/* Add an empty set. Returns NULL if out of memory. */
static lmb_draft_set *add_set(lmb_mesh_draft *draft, lmb_word name, bool elements)
{
    lmb_scan *scan = draft->scan;
    lmb_draft_set made = {lmb_scan_copy(scan, draft->arena, name), elements, {0}};
    size_t place = draft->sets.count;
    lmb_names *names = elements ? &draft->element_sets : &draft->node_sets;
    names->fold = draft->fold;
    if (!made.name || !lmb_scan_append(scan, &draft->sets, &made, sizeof made) ||
        !lmb_scan_place_name(scan, draft->scratch, names, made.name, place))
        return NULL;
    return set_at(draft, place);
}

/* Add a range to a set; merge consecutive numbers into one range. */
static void extend(lmb_scan *scan, lmb_draft_set *set, lmb_draft_range range)
{
    lmb_draft_range *last = set->ranges.data;
    last = last && set->ranges.count > 0 ? last + set->ranges.count - 1 : NULL;
    if (last && last->elements == range.elements && last->step == 1 && range.step == 1 &&
        range.first == range.last && range.first - 1 == last->last)
        last->last = range.last;
    else if (range.step)
        lmb_scan_append(scan, &set->ranges, &range, sizeof range);
}

lmb_status lmb_draft_add_range(lmb_mesh_draft *draft, lmb_word name, bool elements,
                               lmb_draft_range range)
{
    lmb_scan *scan = draft->scan;
    lmb_draft_set *set = lmb_draft_find_set(draft, name, elements);
    if (!set)
        set = add_set(draft, name, elements);
    if (set)
        extend(scan, set, range);
    return scan->status;
}

lmb_status lmb_draft_add_to_set(lmb_mesh_draft *draft, lmb_word set, bool elements, int number)
{
    return lmb_draft_add_range(draft, set, elements,
                               (lmb_draft_range){number, number, 1, elements});
}

void lmb_draft_include_set(lmb_mesh_draft *draft, lmb_word into, bool elements, lmb_word name,
                           bool of_elements)
{
    const lmb_draft_set *other = lmb_draft_find_set(draft, name, of_elements);
    if (!other)
        lmb_scan_fail(draft->scan, "there is no set '%.*s' yet", name.length, name.start);
    size_t count = other ? other->ranges.count : 0;
    for (size_t i = 0; i < count; i++)
        lmb_draft_add_range(draft, into, elements, ((lmb_draft_range *)other->ranges.data)[i]);
}

void lmb_draft_lose_support(lmb_mesh_draft *draft, lmb_word name)
{
    if (!draft->lost_support)
        draft->lost_support = lmb_scan_copy(draft->scan, draft->arena, name);
}

void lmb_draft_hold(lmb_mesh_draft *draft, lmb_word first, int last, int step, unsigned directions)
{
    int number;
    const lmb_draft_set *set = NULL;
    lmb_draft_range one = {0};
    if (lmb_word_integer(first, &number))
        one = (lmb_draft_range){number, last > number ? last : number, step < 1 ? 1 : step, false};
    else if (!(set = lmb_draft_find_set(draft, first, false)))
        lmb_draft_lose_support(draft, first);
    size_t count = set ? set->ranges.count : one.step > 0;
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        for (size_t i = 0; i < count && directions & LMB_BIT(d); i++)
            extend(draft->scan, &draft->held[d],
                   set ? ((const lmb_draft_range *)set->ranges.data)[i] : one);
}

void lmb_draft_release(lmb_mesh_draft *draft)
{
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        draft->held[d].ranges.count = 0;
}

int lmb_draft_find_material(const lmb_mesh_draft *draft, lmb_word name, lmb_nearest *nearest)
{
    const lmb_material *materials = draft->materials.data;
    const lmb_named *found =
        lmb_names_find(&draft->material_names, name.start, (size_t)name.length);
    for (size_t i = 0; i < draft->materials.count && nearest && !found; i++)
        lmb_nearest_try(nearest, materials[i].name);
    return found ? found->index : -1;
}

int lmb_draft_add_material(lmb_mesh_draft *draft, lmb_word name)
{
    size_t place = draft->materials.count;
    lmb_material added = {.name = lmb_scan_copy(draft->scan, draft->arena, name)};
    draft->material_names.fold = true;
    if (added.name && lmb_scan_append(draft->scan, &draft->materials, &added, sizeof added))
        lmb_scan_place_name(draft->scan, draft->scratch, &draft->material_names, added.name, place);
    return (int)place;
}

/* A range with more numbers than there are nodes or elements is gone through by these. */
bool lmb_draft_next(const lmb_mesh_draft *draft, lmb_draft_walk *walk, int *place)
{
    const lmb_draft_range *r = &walk->range;
    const lmb_numbers *places = r->elements ? &draft->element_places : &draft->node_places;
    long long all = (long long)(r->elements ? draft->elements.count : draft->nodes.count);
    long long steps = ((long long)r->last - r->first) / r->step + 1;
    while (walk->next < (steps > all ? all : steps)) {
        *place = (int)walk->next++;
        if (steps <= all) {
            *place = lmb_numbers_find(places, r->first + *place * r->step);
            if (*place >= 0)
                return true;
            continue;
        }
        int number = r->elements ? element_at(draft, (size_t)*place)->element.number
                                 : node_at(draft, *place)->number;
        if (number >= r->first && number <= r->last && (number - r->first) % r->step == 0)
            return true;
    }
    return false;
}

/* --- Afterwards --- */

/* Turns numbers of nodes into places. */
static lmb_status connect(lmb_mesh_draft *draft)
{
    int *connections = draft->connections.data;
    for (size_t i = 0; i < draft->elements.count; i++) {
        const lmb_draft_element *e = element_at(draft, i);
        int *nodes = e->nodes > 0 ? connections + e->element.first : NULL;
        for (int k = 0; k < e->nodes; k++) {
            int place = lmb_numbers_find(&draft->node_places, nodes[k]);
            if (place < 0)
                return lmb_fail_at(draft->context, lmb_draft_place(e),
                                   "element %d (%s) uses the undefined node %d", e->element.number,
                                   e->type, nodes[k]);
            nodes[k] = place;
            for (int m = 0; m < k && e->role == LMB_ROLE_BODY; m++)
                if (nodes[m] == place)
                    return lmb_fail_at(draft->context, lmb_draft_place(e),
                                       "element %d (%s) has node %d twice", e->element.number,
                                       e->type, node_at(draft, place)->number);
        }
    }
    return LMB_OK;
}

/* Decides which lines are beams: those that are no edges of surfaces and volumes. */
static lmb_status sort_lines(lmb_mesh_draft *draft)
{
    const int *connections = draft->connections.data;
    char *inside = lmb_arena_alloc(draft->scratch, draft->nodes.count + 1, 1);
    if (!inside)
        return lmb_fail_memory(draft->context);
    for (size_t i = 0; i < draft->elements.count; i++) {
        const lmb_draft_element *e = element_at(draft, i);
        for (int k = 0; k < e->nodes && e->nodes > 2 && e->role != LMB_ROLE_LINE; k++)
            inside[connections[e->element.first + k]] = 1;
    }
    for (size_t i = 0; i < draft->elements.count; i++) {
        lmb_draft_element *e = element_at(draft, i);
        if (e->role == LMB_ROLE_LINE) {
            const int *ends = connections + e->element.first;
            e->role = inside[ends[0]] && inside[ends[1]] ? LMB_ROLE_SET : LMB_ROLE_BODY;
        }
        if (e->role == LMB_ROLE_BODY && e->element.kind == LMB_ELEMENT_KINDS)
            return lmb_fail_at(draft->context, lmb_draft_place(e),
                               "element %d (%s) is of a kind that is not supported",
                               e->element.number, e->type);
    }
    return LMB_OK;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* An element by its nodes, ascending. */
typedef struct twin {
    int nodes[LMB_MOST_NODES], element;
} twin;

static int compare_twins(const void *a, const void *b)
{
    const twin *x = a, *y = b;
    int order = memcmp(x->nodes, y->nodes, sizeof x->nodes);
    return order ? order : compare_ints(&x->element, &y->element);
}

/* Leaves an element out that has the nodes of an earlier one; both make their sets. */
static lmb_status drop_twins(lmb_mesh_draft *draft)
{
    size_t count = 0;
    twin *all = lmb_arena_alloc(draft->scratch, draft->elements.count + 1, sizeof *all);
    if (!all)
        return lmb_fail_memory(draft->context);
    for (size_t i = 0; i < draft->elements.count; i++) {
        const lmb_draft_element *e = element_at(draft, i);
        size_t nodes = (size_t)e->nodes;
        if (e->role != LMB_ROLE_BODY)
            continue;
        twin *t = &all[count++];
        t->element = (int)i;
        memcpy(t->nodes, (int *)draft->connections.data + e->element.first, nodes * sizeof(int));
        qsort(t->nodes, nodes, sizeof(int), compare_ints);
    }
    qsort(all, count, sizeof *all, compare_twins);
    for (size_t i = 1; i < count; i++)
        if (memcmp(all[i].nodes, all[i - 1].nodes, sizeof all[i].nodes) == 0)
            element_at(draft, (size_t)all[i].element)->role = LMB_ROLE_SET;
    return LMB_OK;
}

/* Mark the nodes of a set with a number and list them in ascending order in `found`. Returns how
 * many there are. */
static int mark_set(const lmb_mesh_draft *draft, const lmb_draft_set *set, int *mark, int number,
                    int *found)
{
    int count = 0;
    bool sorted = true;
    for (size_t r = 0; r < set->ranges.count; r++) {
        lmb_draft_walk walk = {((lmb_draft_range *)set->ranges.data)[r], 0};
        for (int place; lmb_draft_next(draft, &walk, &place);) {
            const lmb_draft_element *e =
                walk.range.elements ? element_at(draft, (size_t)place) : NULL;
            const int *nodes = e ? (int *)draft->connections.data + e->element.first : &place;
            for (int k = 0; k < (e ? e->nodes : 1); k++) {
                if (mark[nodes[k]] == number)
                    continue;
                mark[nodes[k]] = number;
                sorted = sorted && (count == 0 || found[count - 1] < nodes[k]);
                found[count++] = nodes[k];
            }
        }
    }
    if (!sorted)
        qsort(found, (size_t)count, sizeof *found, compare_ints);
    return count;
}

static lmb_status make_sets(lmb_mesh_draft *draft, lmb_mesh *mesh)
{
    enum { MOST_WARNINGS = 10 };
    size_t sets = draft->sets.count, nodes = draft->nodes.count, empty = 0;
    int *mark = lmb_arena_integers(draft->scratch, nodes + 1);
    int *found = lmb_arena_integers(draft->scratch, nodes + 1);
    mesh->sets = lmb_arena_alloc(draft->arena, sets, sizeof *mesh->sets);
    for (size_t i = 0; i < sets && mark && found && lmb_arena_fine(draft->arena); i++) {
        const lmb_draft_set *set = set_at(draft, i);
        if (set->elements && lmb_draft_find_set(draft, lmb_word_of(set->name), false))
            continue;
        int count = mark_set(draft, set, mark, (int)i + 1, found);
        mesh->sets[mesh->set_count++] = (lmb_node_set){
            set->name,
            lmb_arena_grow(draft->arena, found, (size_t)count, (size_t)count, sizeof *found),
            count};
        empty += count == 0;
        if (count == 0 && empty <= MOST_WARNINGS)
            lmb_warn(draft->context, "%s: set '%s' has no nodes", draft->file, set->name);
    }
    if (empty > MOST_WARNINGS)
        lmb_warn(draft->context, "%s: %zu more sets have no nodes", draft->file,
                 empty - MOST_WARNINGS);
    return mark && found ? lmb_check_memory(draft->context, draft->arena)
                         : lmb_fail_memory(draft->context);
}

/* Mark the held directions of nodes. Set `doubt` if supports are skipped or may have other axes. */
static lmb_status make_supports(lmb_mesh_draft *draft, lmb_mesh *mesh)
{
    size_t nodes = draft->nodes.count;
    int *mark = lmb_arena_integers(draft->scratch, nodes + 1), count = 0;
    int *found = lmb_arena_integers(draft->scratch, nodes + 1);
    unsigned char *held = lmb_arena_alloc(draft->arena, nodes + 1, 1);
    for (int d = 0; d < LMB_DIRECTIONS && mark && found && held; d++) {
        int of_direction = mark_set(draft, &draft->held[d], mark, d + 1, found);
        for (int k = 0; k < of_direction; k++)
            held[found[k]] |= LMB_BIT(d);
        count += of_direction;
    }
    mesh->held = count ? held : NULL;
    if (draft->lost_support)
        mesh->doubt = lmb_text_format(draft->arena,
                                      "the support of '%s' is not read: the set of nodes or the "
                                      "word for its directions is not known",
                                      draft->lost_support);
    else if (draft->own_axes && count)
        mesh->doubt = "nodes have axes of their own, but supports are taken along global axes";
    return mark && found ? lmb_check_memory(draft->context, draft->arena)
                         : lmb_fail_memory(draft->context);
}

/* A list as an array of the mesh. */
static void *copy_list(const lmb_mesh_draft *draft, const lmb_list *list, size_t size, int *count)
{
    *count = (int)list->count;
    return lmb_arena_grow(draft->arena, list->data, list->count, list->count, size);
}

/* Copy the nodes, and the elements of the body with their properties. */
static lmb_status fill_mesh(lmb_mesh_draft *draft, lmb_mesh *mesh)
{
    lmb_arena *arena = draft->arena;
    const int *connections = draft->connections.data;
    mesh->node_count = (int)draft->nodes.count;
    mesh->x = lmb_arena_alloc(arena, draft->nodes.count, sizeof *mesh->x);
    mesh->number = lmb_arena_integers(arena, draft->nodes.count);
    mesh->elements = lmb_arena_alloc(arena, draft->elements.count, sizeof *mesh->elements);
    mesh->connections = lmb_arena_integers(arena, draft->connections.count);
    mesh->materials =
        copy_list(draft, &draft->materials, sizeof *mesh->materials, &mesh->material_count);
    mesh->sections =
        copy_list(draft, &draft->sections, sizeof *mesh->sections, &mesh->section_count);
    mesh->masses = copy_list(draft, &draft->masses, sizeof *mesh->masses, &mesh->mass_count);
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(draft->context);
    for (int i = 0; i < mesh->node_count; i++) {
        mesh->x[i] = node_at(draft, i)->x;
        mesh->number[i] = node_at(draft, i)->number;
    }
    for (size_t i = 0; i < draft->elements.count; i++) {
        const lmb_draft_element *e = element_at(draft, i);
        if (e->role != LMB_ROLE_BODY)
            continue;
        lmb_element *out = &mesh->elements[mesh->element_count++];
        *out = e->element;
        out->first = mesh->connection_count;
        for (int k = 0; k < e->nodes; k++)
            mesh->connections[mesh->connection_count++] = connections[e->element.first + k];
    }
    return LMB_OK;
}

lmb_status lmb_draft_finish(lmb_mesh_draft *draft, lmb_mesh **out)
{
    bool empty = draft->nodes.count == 0;
    if (empty || draft->connections.count > INT32_MAX)
        return lmb_fail(draft->context, LMB_BAD_INPUT, "'%s' %s", draft->file,
                        empty ? "has no nodes" : "is too large");
    lmb_mesh *mesh = lmb_arena_alloc(draft->arena, 1, sizeof *mesh);
    if (!mesh)
        return lmb_fail_memory(draft->context);
    *mesh = (lmb_mesh){
        .arena = draft->arena, .file = draft->file, .dimension = 3, .reduced = draft->reduced};
    if (connect(draft) || sort_lines(draft) || (draft->twins && drop_twins(draft)) ||
        fill_mesh(draft, mesh) || make_sets(draft, mesh) || make_supports(draft, mesh))
        return lmb_last_status(draft->context);
    *out = mesh;
    return LMB_OK;
}
