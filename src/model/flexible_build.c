/* From the description of a flexible body to its finite element model: files are read, nodes are
 * found, matrices assembled; and to the reduced body, which the cache may have already under a key
 * made of the settings as text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "fe/fe_model.h"
#include "fe/framework.h"
#include "fe/materials.h"
#include "model/fields.h"
#include "model/flexible_part.h"
#include "import/arrays.h"
#include "import/matrix_read.h"
#include "import/mesh_read.h"
#include "store/body_file.h"

/* --- meshes ----------------------------------------------------------------------------------- */

/* Apply the changes of `materials`, then assign `material` to elements without one. */
static lmb_status complete_materials(lmb_flexible_part *p, lmb_context *context)
{
    lmb_status status = lmb_mesh_change_materials(p->mesh, context, p->changes, p->change_count);
    bool stresses_only = lmb_part_has_matrices(p) && !(p->material.E > 0);
    return status || stresses_only
               ? status
               : lmb_mesh_give_material(p->mesh, context, p->arena, &p->material);
}

static lmb_status make_mesh(lmb_flexible_part *p, lmb_context *context)
{
    if (p->source == LMB_PART_BEAM)
        return lmb_beam_mesh(&p->mesh, context, &p->line);
    if (p->source == LMB_PART_FRAMEWORK)
        return lmb_framework_mesh(&p->mesh, context, p->framework);
    const lmb_meshing how = {p->files[0], p->mesh_size, p->mesh_order, p->mesh_seconds};
    lmb_status status;
    if (p->source == LMB_PART_ARRAYS)
        status = lmb_attached_model(p->attached, context, p->arena, p->units, &p->mesh, &p->model);
    else if (lmb_is_geometry(p->files[0]))
        status = lmb_gmsh_run(&p->mesh, context, p->arena, &how, p->units);
    else
        status = lmb_mesh_read(&p->mesh, context, p->arena, p->files[0], p->units);
    return status ? status : complete_materials(p, context);
}

/* --- finding nodes ---------------------------------------------------------------------------- */

static lmb_nodes nodes_of(const lmb_flexible_part *p)
{
    const lmb_mesh *mesh = p->mesh;
    const lmb_fe_model *m = p->model;
    return mesh ? (lmb_nodes){p->name, mesh->x, mesh->number, mesh->node_count, v3(0, 0, 0)}
                : (lmb_nodes){p->name, m->x, m->number, m->node_count, v3(0, 0, 0)};
}

static lmb_status find_node(const lmb_flexible_part *p, lmb_context *context, const lmb_nodes *n,
                            const lmb_anchor *a, int *out)
{
    if (a->kind == LMB_ANCHOR_NODE)
        return lmb_nodes_number(n, context, a->place, a->node, out);
    if (a->kind == LMB_ANCHOR_NAMED)
        return lmb_nodes_named(context, p->name, p->mesh ? p->mesh->set_count : 0,
                               p->mesh ? p->mesh->sets : NULL, a->place, a->set, out);
    vec3 at = a->kind == LMB_ANCHOR_START ? p->line.points[0]
              : a->kind == LMB_ANCHOR_END ? p->line.points[p->line.point_count - 1]
                                          : a->at;
    return lmb_nodes_at(n, context, a->place, at, out);
}

/* --- interface points ------------------------------------------------------------------------- */

static lmb_status unknown_set(const lmb_flexible_part *p, lmb_context *context, const lmb_anchor *a)
{
    const char *list = "";
    int sets = p->mesh ? p->mesh->set_count : 0;
    lmb_nearest nearest = lmb_nearest_start(a->set);
    for (int i = 0; i < sets; i++) {
        const char *name = p->mesh->sets[i].name;
        lmb_nearest_try(&nearest, name);
        if (list && strlen(list) < 400)
            list = lmb_text_format(p->arena, "%s%s%s", list, i ? ", " : "", name);
    }
    lmb_fail_at(context, a->place, "body '%s' has no set of nodes '%s'", p->name, a->set);
    if (nearest.best)
        return lmb_hint(context, "did you mean '%s'? There are %s", nearest.best, list ? list : "");
    return sets ? lmb_hint(context, "it has %s", list ? list : "")
                : lmb_hint(context,
                           "it has no named sets; give a 'radius' or a list of node numbers");
}

/* The nodes that a point is tied to, into `out->nodes`. */
static lmb_status find_tied(const lmb_flexible_part *p, lmb_context *context, const lmb_nodes *n,
                            const lmb_selectable *from, const lmb_anchor *a, lmb_interface *out)
{
    const lmb_node_set *set =
        a->kind == LMB_ANCHOR_SET && p->mesh ? lmb_mesh_set(p->mesh, a->set) : NULL;
    if (a->kind == LMB_ANCHOR_SET && !set)
        return unknown_set(p, context, a);
    int room = set ? set->count : a->kind == LMB_ANCHOR_LIST ? a->list_count : n->count;
    out->nodes = lmb_arena_alloc(p->arena, (size_t)room, sizeof *out->nodes);
    if (!out->nodes)
        return lmb_fail_memory(context);
    if (a->kind == LMB_ANCHOR_SELECTION)
        return lmb_select_nodes(a->selection, context, from, out->nodes, &out->count);
    lmb_status status = LMB_OK;
    if (set && room > 1 && set->nodes[0] == set->nodes[room - 1])
        room--; /* the nodes of a ring */
    for (int i = 0; i < room && !status; i++) {
        int node = set ? set->nodes[i] : i;
        if (a->kind == LMB_ANCHOR_LIST)
            status = lmb_nodes_number(n, context, a->place, a->list[i], &node);
        else if (!set && v3_norm(v3_sub(n->x[i], a->at)) > a->radius)
            continue;
        out->nodes[out->count++] = node;
    }
    return status;
}

static lmb_status find_interface(const lmb_flexible_part *p, lmb_context *context,
                                 const lmb_nodes *n, const lmb_selectable *from,
                                 const lmb_anchor *a, lmb_interface *out)
{
    *out = (lmb_interface){.name = a->name, .position = a->at, .tie = a->tie};
    if (a->tie == LMB_TIE_NODE) {
        out->nodes = lmb_arena_alloc(p->arena, 1, sizeof *out->nodes);
        out->count = 1;
        lmb_status status =
            out->nodes ? find_node(p, context, n, a, out->nodes) : lmb_fail_memory(context);
        if (!status)
            out->position = n->x[out->nodes[0]];
        return status;
    }
    lmb_status status = find_tied(p, context, n, from, a, out);
    if (!status && !out->count) {
        lmb_fail_at(context, a->place, "interface '%s' is tied to no node", a->name);
        return lmb_hint(context, a->kind == LMB_ANCHOR_RADIUS ? "its 'radius' is too small"
                                                              : "its set is empty");
    }
    return status || a->at_given ? status : lmb_interface_place(out, context, from);
}

/* The largest distance of some nodes from a place, or of all for a list of NULL. */
static double reach(const lmb_nodes *n, const int *list, int count, vec3 from)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, v3_norm(v3_sub(n->x[list ? list[i] : i], from)));
    return most;
}

/* A point far outside the nodes that it is tied to is hardly meant: five times as far from their
 * middle as they are, and half as far as the body is large. */
static void warn_far(const lmb_flexible_part *p, lmb_context *context, const lmb_nodes *n,
                     const lmb_anchor *a, const lmb_interface *x)
{
    vec3 middle = v3(0, 0, 0);
    for (int i = 0; i < x->count; i++)
        middle = v3_axpy(middle, 1.0 / x->count, n->x[x->nodes[i]]);
    double away = v3_norm(v3_sub(x->position, middle)),
           radius = reach(n, x->nodes, x->count, middle);
    if (away <= 5 * radius || away <= reach(n, NULL, n->count, middle) / 2)
        return;
    lmb_warn_at(
        context, a->place,
        "interface '%s' of body '%s' is %.3g m away from the middle of its nodes, which are "
        "within %.3g m of it",
        a->name, p->name, away, radius);
    lmb_hint(context, "check its 'point' (%g, %g, %g), in m, and the units of the mesh",
             x->position.x, x->position.y, x->position.z);
}

static lmb_status find_interfaces(lmb_flexible_part *p, lmb_context *context)
{
    lmb_nodes n = nodes_of(p);
    lmb_selectable from = {.x = n.x, .count = n.count};
    p->points = lmb_arena_alloc(p->arena, (size_t)p->interface_count, sizeof *p->points);
    if (!p->points)
        return lmb_fail_memory(context);
    lmb_status status = LMB_OK;
    if (p->mesh && p->mesh->element_count &&
        (status = lmb_selectable_of(&from, context, p->arena, p->mesh)))
        return status;
    for (int i = 0; i < p->interface_count; i++)
        if (find_interface(p, context, &n, &from, &p->interfaces[i], &p->points[i]))
            status = LMB_BAD_INPUT;
    for (int i = 0; i < p->interface_count && !status; i++)
        warn_far(p, context, &n, &p->interfaces[i], &p->points[i]);
    return status;
}

/* --- point masses ----------------------------------------------------------------------------- */

/* Adds the point masses to the mesh as elements. */
static lmb_status add_masses(lmb_flexible_part *p, lmb_context *context)
{
    lmb_mesh *m = p->mesh;
    size_t more = (size_t)p->mass_count, elements = (size_t)m->element_count;
    size_t connections = (size_t)m->connection_count, masses = (size_t)m->mass_count;
    if (!more)
        return LMB_OK;
    m->elements =
        lmb_arena_grow(p->arena, m->elements, elements, elements + more, sizeof *m->elements);
    m->connections = lmb_arena_grow(p->arena, m->connections, connections, connections + more,
                                    sizeof *m->connections);
    m->masses = lmb_arena_grow(p->arena, m->masses, masses, masses + more, sizeof *m->masses);
    if (!m->elements || !m->connections || !m->masses)
        return lmb_fail_memory(context);
    lmb_nodes n = nodes_of(p);
    lmb_status status = LMB_OK;
    for (int i = 0; i < p->mass_count; i++) {
        int node = 0;
        if (find_node(p, context, &n, &p->masses[i], &node))
            status = LMB_BAD_INPUT;
        m->elements[m->element_count++] = (lmb_element){.kind = LMB_POINT_MASS,
                                                        .first = m->connection_count,
                                                        .material = -1,
                                                        .section = -1,
                                                        .point_mass = m->mass_count};
        m->connections[m->connection_count++] = node;
        m->masses[m->mass_count++] = p->masses[i].of;
    }
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

static lmb_status build_mesh(lmb_flexible_part *p, lmb_context *context)
{
    lmb_status status = make_mesh(p, context);
    if (!status && p->mesh->held)
        lmb_warn_at(context, p->place, "supports of '%s' do not hold body '%s': its joints do that",
                    p->mesh->file, p->name);
    if (status || (status = add_masses(p, context)))
        return status;
    return find_interfaces(p, context);
}

/* Matrices of files, with the mesh that gave the nodes if it has elements or sets. */
static lmb_status read_matrices(lmb_flexible_part *p, lmb_context *context)
{
    const lmb_matrix_files files = {.stiffness = p->files[LMB_PART_STIFFNESS],
                                    .mass = p->files[LMB_PART_MASS],
                                    .damping = p->files[LMB_PART_DAMPING],
                                    .mapping = p->files[LMB_PART_MAPPING],
                                    .nodes = p->files[LMB_PART_NODES],
                                    .units = p->units};
    lmb_status status = lmb_matrices_read(&p->model, context, p->arena, &files);
    if (!status)
        p->mesh = (lmb_mesh *)p->model->mesh; /* it lives in the part's own arena */
    return status;
}

/* Matrices of another program; the mesh may have elements for stresses. */
static lmb_status build_matrices(lmb_flexible_part *p, lmb_context *context)
{
    lmb_status status = p->attached ? lmb_attached_model(p->attached, context, p->arena, p->units,
                                                         &p->mesh, &p->model)
                                    : read_matrices(p, context);
    if (!status && p->mesh)
        status = complete_materials(p, context);
    return status ? status : find_interfaces(p, context);
}

void lmb_give_place(lmb_context *context, size_t from, lmb_place place)
{
    size_t count = lmb_message_count(context);
    for (size_t i = from; i < count; i++) {
        lmb_message m = *lmb_message_at(context, i);
        if (m.file[0])
            continue;
        if (m.severity == LMB_ERROR)
            lmb_fail_at(context, place, "%s", m.text);
        else
            lmb_warn_at(context, place, "%s", m.text);
        if (m.hint[0])
            lmb_hint(context, "%s", m.hint);
        lmb_messages_drop(context, i--, 1);
        count--;
    }
}

/* Finish building a part: add its place to messages, and free the part after a failure. */
static lmb_status end_build(lmb_flexible_part *p, lmb_context *context, size_t from,
                            lmb_status status)
{
    if (status == LMB_BAD_INPUT)
        lmb_give_place(context, from, p->place);
    if (status)
        lmb_part_free(p);
    return status;
}

lmb_status lmb_part_read_mesh(lmb_flexible_part *p, lmb_context *context)
{
    size_t from = lmb_message_count(context);
    p->arena = lmb_arena_new();
    if (!p->arena)
        return lmb_fail_memory(context);
    lmb_status status =
        lmb_part_has_matrices(p) ? build_matrices(p, context) : build_mesh(p, context);
    return end_build(p, context, from, status);
}

lmb_status lmb_part_build(lmb_flexible_part *p, lmb_context *context)
{
    size_t from = lmb_message_count(context);
    if (p->model)
        return LMB_OK;
    lmb_status status = lmb_part_read_mesh(p, context);
    if (status)
        return status;
    if (!p->model)
        status = lmb_fe_assemble(&p->model, context, p->mesh, 0);
    if (!status)
        status = lmb_interfaces_check(p->model, p->points, p->interface_count, context);
    return end_build(p, context, from, status);
}

void lmb_part_free(lmb_flexible_part *p)
{
    if (p->model && p->model->arena != p->arena)
        lmb_arena_free(p->model->arena);
    if (p->mesh && p->mesh->arena != p->arena)
        lmb_arena_free(p->mesh->arena);
    lmb_arena_free(p->arena);
    p->model = NULL;
    p->mesh = NULL;
    p->arena = NULL;
    p->points = NULL;
}

/* --- the settings as text --------------------------------------------------------------------- */

void lmb_part_note(lmb_reader *r, lmb_flexible_part *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = lmb_text_vformat(r->arena, format, args);
    va_end(args);
    size_t length = text ? strlen(text) : 0;
    if (p->settings_used + length >= p->settings_room) {
        p->settings_room = 2 * (p->settings_used + length) + 256;
        p->settings = lmb_arena_grow(r->arena, p->settings, p->settings_used, p->settings_room, 1);
    }
    if (!lmb_arena_fine(r->arena))
        return;
    memcpy(p->settings + p->settings_used, text, length + 1);
    p->settings_used += length;
}

/* Notes the values of a table; nodes are noted by the code that reads them. */
static void note_fields(lmb_reader *r, lmb_flexible_part *p, const char *what,
                        const lmb_field *fields, const lmb_value *values)
{
    for (int k = 0; fields[k].name; k++) {
        const lmb_value *v = &values[k];
        bool numbers = fields[k].type == LMB_FIELD_VECTOR || fields[k].type == LMB_FIELD_NUMBERS;
        bool number = fields[k].type == LMB_FIELD_NUMBER || fields[k].type == LMB_FIELD_FLAG;
        if (number && (v->given || v->number != 0))
            lmb_part_note(r, p, "%s.%s: %.17g\n", what, fields[k].name, v->number);
        else if (numbers && v->given)
            for (int i = 0; i < v->size; i++)
                lmb_part_note(r, p, "%s.%s.%d: %.17g\n", what, fields[k].name, i + 1,
                              v->numbers[i]);
        else if (fields[k].type != LMB_FIELD_TREE && v->given)
            lmb_part_note(r, p, "%s.%s: %s\n", what, fields[k].name, v->text);
    }
}

lmb_status lmb_part_read(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                         const lmb_field *fields, const char *what, void *out)
{
    lmb_value values[LMB_MOST_FIELDS];
    lmb_status status = lmb_read_values(r, node, fields, what, NULL, values);
    lmb_fill_fields(fields, values, out);
    if (!status)
        note_fields(r, p, what, fields, values);
    return status;
}

/* --- reducing --------------------------------------------------------------------------------- */

static lmb_status add_file(lmb_sha256 *sha, lmb_context *context, const char *path)
{
    unsigned char piece[1 << 14];
    FILE *file = lmb_input_open(path, LMB_SOURCE_FILE);
    size_t n;
    lmb_input_note(context, path);
    if (file && lmb_input_check_size(file, context, path)) {
        fclose(file);
        return lmb_last_status(context);
    }
    while (file && (n = fread(piece, 1, sizeof piece, file)) > 0)
        lmb_sha256_add(sha, piece, n);
    int error = errno;
    bool failed = !file || ferror(file);
    if (file)
        fclose(file);
    return failed ? lmb_fail_read(context, path, error) : LMB_OK;
}

lmb_status lmb_part_sum(lmb_flexible_part *p, lmb_context *context)
{
    lmb_sha256 sha = lmb_sha256_start();
    lmb_status status = LMB_OK;
    bool any = false;
    if (p->checksum[0])
        return LMB_OK;
    for (int i = 0; i < LMB_PART_FILES && !status; i++) {
        char number = (char)i;
        lmb_sha256_add(&sha, &number, 1);
        any = any || p->files[i];
        if (p->files[i])
            status = add_file(&sha, context, p->files[i]);
    }
    if (any && !status)
        lmb_sha256_end(&sha, p->checksum);
    return status;
}

/* Compute the cache key of a part: a hash of the program version, all settings and the checksum of
 * its files. The name of the body is not included. */
static void set_key(const lmb_flexible_part *p, char key[LMB_SHA256_TEXT])
{
    lmb_sha256 sha = lmb_sha256_start();
    lmb_sha256_add(&sha, lmb_version(), strlen(lmb_version()) + 1);
    lmb_sha256_add(&sha, p->settings, p->settings_used + 1);
    lmb_sha256_add(&sha, p->checksum, strlen(p->checksum));
    lmb_sha256_end(&sha, key);
}

/* Modes can be held on the same nodes and points alone, and stiffening needs static solutions. */
static lmb_status check_held(const lmb_flexible_part *p, lmb_context *context)
{
    const lmb_reduced *held = p->reduction.held;
    const lmb_fe_model *m = p->model;
    if (!held)
        return LMB_OK;
    if (p->reduction.stiffening) {
        lmb_fail_at(context, p->place,
                    "the modes of body '%s' cannot be held: its 'stiffening' depends on how it "
                    "deforms under centrifugal loads, which is solved for anew",
                    p->name);
        return lmb_hint(context, "take the basis 'moving'");
    }
    bool same = m->dimension == held->dimension && m->node_count == held->node_count &&
                p->interface_count == held->point_count;
    if (same)
        same = memcmp(m->number, held->number, (size_t)m->node_count * sizeof *m->number) == 0;
    for (int i = 0; i < m->n && same; i++)
        same = m->direction[i] < LMB_RX || held->turn;
    if (same)
        return LMB_OK;
    lmb_fail_at(context, p->place,
                "body '%s' has %d nodes and %d interface points, but %d and %d, or other ones, at "
                "a neighbouring value of the parameter",
                p->name, held->node_count, held->point_count, m->node_count, p->interface_count);
    return lmb_hint(context, "numbers of elements, the sizes of meshes and interfaces must not "
                             "depend on the parameter");
}

static lmb_status reduce(void *user, lmb_context *context, lmb_body_data *d)
{
    lmb_flexible_part *p = user;
    d->settings = lmb_text_copy(d->arena, p->settings, p->settings_used);
    lmb_status status = lmb_check_memory(context, d->arena);
    if (!status && p->source == LMB_PART_MODAL)
        return lmb_modal_reduce(p, context, d);
    if (status || (status = lmb_continue(context, "finite elements", 0)) ||
        (status = lmb_part_build(p, context)) || (status = check_held(p, context)) ||
        (status = lmb_continue(context, "reduction", 0)))
        return status;
    return lmb_reduce_body(d, context, p->model, p->points, p->interface_count, &p->reduction);
}

/* Files without `units` are read as SI. */
static void warn_of_units(const lmb_flexible_part *p, lmb_context *context, const lmb_reduced *b)
{
    double length;
    if (!p->units || p->units_given || !lmb_looks_too_large(b->x, b->node_count, b->mass, &length))
        return;
    lmb_warn_at(context, p->place,
                "body '%s' is %.3g m long and has a mass of %.6g t: are the units of its files mm, "
                "t and s?",
                p->name, length, b->mass / 1000);
    lmb_hint(context, "give 'units: mm-t-s', or 'units: SI' if it is as large");
}

lmb_status lmb_part_reduce(lmb_flexible_part *p, lmb_context *context, const char *model_file,
                           bool use_cache, lmb_body_data **out, bool *cached)
{
    char key[LMB_SHA256_TEXT];
    use_cache = use_cache && p->source != LMB_PART_MODAL; /* it costs nothing */
    *out = NULL;
    *cached = false;
    lmb_status status = lmb_part_sum(p, context);
    set_key(p, key);
    if (!status)
        status = lmb_body_cached(out, cached, context, model_file, use_cache ? key : NULL, p->name,
                                 p->shapes_only, reduce, p);
    if (!status)
        warn_of_units(p, context, (*out)->reduced);
    if (!status && p->checksum[0]) {
        (*out)->checksum = lmb_text_copy((*out)->arena, p->checksum, strlen(p->checksum));
        if (!(*out)->checksum) {
            lmb_body_free(*out);
            *out = NULL;
            status = lmb_fail_memory(context);
        }
    }
    lmb_part_free(p);
    return status;
}
