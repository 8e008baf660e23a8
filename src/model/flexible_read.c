/* The keys of a flexible body: everything is evaluated and checked, no file is opened. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fe/material.h"
#include "model/flexible_fields.h"
#include "model/flexible_modal.h"
#include "model/flexible_part.h"
#include "import/gmsh_run.h"
#include "import/matrix_read.h"
#include "model/fields.h"
#include "model/sections.h"

enum { MOST_ELEMENTS = 1000000 };

/* Gives the errors since `from`, which know no place, the place of a key. */
static lmb_status at_place(lmb_reader *r, size_t from, lmb_place place, lmb_status status)
{
    size_t count = lmb_message_count(r->context);
    for (size_t i = from; i < count; i++) {
        lmb_message m = *lmb_message_at(r->context, i);
        if (m.severity == LMB_ERROR)
            lmb_fail_at(r->context, place, "%s", m.text);
        else
            lmb_warn_at(r->context, place, "%s", m.text);
        if (m.hint[0])
            lmb_hint(r->context, "%s", m.hint);
    }
    lmb_messages_drop(r->context, from, count - from);
    return status;
}

/* --- material and section --------------------------------------------------------------------- */

/* A material of the library by its name. */
static lmb_status find_material(lmb_reader *r, const lmb_tree *node, lmb_material *out)
{
    const lmb_material *found = lmb_material_find(node->text);
    lmb_nearest nearest = lmb_nearest_start(node->text);
    for (int i = 0; lmb_material_at(i); i++)
        lmb_nearest_try(&nearest, lmb_material_at(i)->name);
    if (!found) {
        lmb_fail_at(r->context, node->place, "there is no material '%s'", node->text);
        if (nearest.best)
            lmb_nearest_hint(r->context, &nearest);
        else
            lmb_hint(r->context, "give {E: .., nu: .., density: ..}, or one of %s",
                     lmb_material_names());
        return LMB_BAD_INPUT;
    }
    *out = *found;
    return LMB_OK;
}

static lmb_status set_material(lmb_reader *r, const char *name, const lmb_tree *node,
                               const lmb_value *v, lmb_material *out)
{
    size_t from = lmb_message_count(r->context);
    *out = (lmb_material){.name = name,
                          .E = v[LMB_MATERIAL_E].number,
                          .nu = v[LMB_MATERIAL_NU].number,
                          .density = v[LMB_MATERIAL_DENSITY].number};
    lmb_status status = at_place(r, from, node->place, lmb_material_check(out, r->context));
    out->warned = true;
    return status;
}

lmb_status lmb_read_material(lmb_reader *r, const lmb_tree *node, lmb_material *out)
{
    if (node->kind == LMB_TREE_TEXT)
        return find_material(r, node, out);
    lmb_value v[LMB_MATERIAL_COUNT + 1];
    lmb_status status = lmb_read_values(r, node, lmb_material_fields, "'material'", NULL, v);
    return status ? status : set_material(r, "material", node, v, out);
}

static lmb_status read_material(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_material *m = &p->material;
    lmb_value v[LMB_MATERIAL_COUNT + 1];
    if (node->kind == LMB_TREE_TEXT) {
        lmb_status found = find_material(r, node, m);
        return found
                   ? found
                   : lmb_part_note(r, p, "material: %.17g %.17g %.17g\n", m->E, m->nu, m->density);
    }
    lmb_status status = lmb_part_read(r, p, node, lmb_material_fields, "'material'", v);
    return status ? status : set_material(r, p->name, node, v, m);
}

static lmb_status read_section(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node,
                               lmb_section *out)
{
    if (node->kind != LMB_TREE_MAP || node->count != 1)
        return lmb_fail_at(r->context, node->place,
                           "'section' must have one key, its kind, such as {circle: {diameter: "
                           "0.02}}");
    const lmb_tree *key = node->keys[0];
    lmb_nearest nearest = lmb_nearest_start(key->text);
    for (const lmb_section_type *t = lmb_section_types; t->name; t++) {
        lmb_nearest_try(&nearest, t->name);
        if (strcmp(t->name, key->text) != 0)
            continue;
        lmb_value v[LMB_SECTION_FIELDS + 1];
        lmb_status status = lmb_part_read(r, p, node->items[0], t->fields, t->name, v);
        size_t from = lmb_message_count(r->context);
        return status ? status
                      : at_place(r, from, key->place, t->make(out, r->context, v, p->material.nu));
    }
    lmb_fail_at(r->context, key->place, "there is no section '%s'", key->text);
    if (nearest.best)
        lmb_nearest_hint(r->context, &nearest);
    else
        lmb_hint(r->context, "there are rectangle, circle, tube, box, I and constants");
    return LMB_BAD_INPUT;
}

/* --- where it comes from ---------------------------------------------------------------------- */

/* The points of a beam: two ends, or a list. */
static lmb_status read_line(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v)
{
    const lmb_value *along = &v[LMB_BEAM_ALONG];
    bool ends = v[LMB_BEAM_FROM].given && v[LMB_BEAM_TO].given;
    if (along->given == (v[LMB_BEAM_FROM].given || v[LMB_BEAM_TO].given) || ends == along->given)
        return lmb_fail_at(r->context, p->place, "a beam has either 'from' and 'to', or 'along'");
    if (!ends && (along->node->kind != LMB_TREE_LIST || along->node->count < 2))
        return lmb_fail_at(r->context, along->place, "'along' must be a list of points");
    p->line.point_count = ends ? 2 : along->node->count;
    vec3 *points = lmb_arena_alloc(r->arena, (size_t)p->line.point_count, sizeof *points);
    if (!points)
        return lmb_fail_memory(r->context);
    p->line.points = points;
    points[0] = lmb_value_vector(&v[LMB_BEAM_FROM]);
    points[1] = lmb_value_vector(&v[LMB_BEAM_TO]);
    lmb_status status = LMB_OK;
    for (int i = 0; !ends && !status && i < p->line.point_count; i++) {
        double x[3] = {0};
        status = lmb_read_vector(r, along->node->items[i], "along", r->dimension, x);
        points[i] = v3(x[0], x[1], x[2]);
        if (!status)
            status = lmb_part_note(r, p, "along: %.17g %.17g %.17g\n", x[0], x[1], x[2]);
    }
    return status;
}

static lmb_status read_beam(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_value v[LMB_BEAM_COUNT + 1];
    lmb_status status = lmb_part_read(r, p, node, lmb_beam_fields, "'beam'", v);
    if (status || (status = read_line(r, p, v)) ||
        (status = read_material(r, p, v[LMB_BEAM_MATERIAL].node)) ||
        (status = read_section(r, p, v[LMB_BEAM_SECTION].node, &p->line.section)))
        return status;
    if (!lmb_is_whole(v[LMB_BEAM_ELEMENTS].number, 1, MOST_ELEMENTS))
        return lmb_fail_at(r->context, v[LMB_BEAM_ELEMENTS].place,
                           "'elements' must be a whole number from 1 to %d", MOST_ELEMENTS);
    p->line.name = p->name;
    p->line.dimension = r->dimension;
    p->line.elements = (int)v[LMB_BEAM_ELEMENTS].number;
    p->line.material = p->material;
    p->line.section.y_axis = lmb_value_vector(&v[LMB_BEAM_Y_AXIS]);
    return LMB_OK;
}

/* A file beside the model; it must be there. */
static lmb_status read_file(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v, int k)
{
    if (!v->given)
        return LMB_OK;
    p->files[k] = lmb_beside_file(r, v->text);
    p->file_places[k] = v->place;
    if (!p->files[k])
        return lmb_fail_memory(r->context);
    if (access(p->files[k], R_OK) != 0)
        return lmb_fail_at(r->context, v->place, "cannot read '%s': %s", p->files[k],
                           strerror(errno));
    return LMB_OK;
}

static lmb_status read_units(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v)
{
    p->units = v->given ? lmb_units_of(r->context, v->place, v->text) : &lmb_unit_systems[0];
    return p->units ? LMB_OK : LMB_BAD_INPUT;
}

/* How geometry is meshed; a mesh has its elements. */
static lmb_status read_meshing(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v)
{
    const lmb_value *size = &v[LMB_MESH_SIZE], *order = &v[LMB_MESH_ORDER];
    if ((size->given || order->given) && !lmb_is_geometry(p->files[0]))
        return lmb_fail_at(r->context, size->given ? size->place : order->place,
                           "'%s' is for geometry; '%s' is a mesh already",
                           size->given ? "size" : "order", p->files[0]);
    if (order->number != 1 && order->number != 2)
        return lmb_fail_at(r->context, order->place, "'order' must be 1 or 2");
    p->mesh_size = size->number;
    p->mesh_order = (int)order->number;
    return LMB_OK;
}

static lmb_status read_mesh(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_value v[LMB_MESH_COUNT + 1];
    lmb_status status = lmb_part_read(r, p, node, lmb_mesh_fields, "'mesh'", v);
    if (!status && !(status = read_file(r, p, &v[LMB_MESH_FILE], 0)) &&
        !(status = read_units(r, p, &v[LMB_MESH_UNITS])) && v[LMB_MESH_MATERIAL].given)
        status = read_material(r, p, v[LMB_MESH_MATERIAL].node);
    return status ? status : read_meshing(r, p, v);
}

static lmb_status read_matrices(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_value v[LMB_MATRICES_COUNT + 1];
    lmb_status status = lmb_part_read(r, p, node, lmb_matrices_fields, "'matrices'", v);
    for (int k = LMB_MATRICES_STIFFNESS; k <= LMB_MATRICES_NODES && !status; k++)
        status = read_file(r, p, &v[k], k);
    if (!status && !p->files[LMB_MATRICES_MAPPING]) {
        const lmb_matrix_files files = {.stiffness = p->files[LMB_MATRICES_STIFFNESS],
                                        .mass = p->files[LMB_MATRICES_MASS]};
        p->files[LMB_MATRICES_MAPPING] = lmb_mapping_beside(r->arena, &files);
    }
    if (!status && !(status = read_units(r, p, &v[LMB_MATRICES_UNITS])) &&
        v[LMB_MATRICES_MATERIAL].given)
        status = read_material(r, p, v[LMB_MATRICES_MATERIAL].node);
    return status;
}

/* --- reduction -------------------------------------------------------------------------------- */

static lmb_status find_interface(lmb_reader *r, const lmb_flexible_part *p, const char *name,
                                 lmb_place place, int *out)
{
    lmb_nearest nearest = lmb_nearest_start(name);
    for (*out = 0; *out < p->interface_count; ++*out) {
        if (strcmp(p->interfaces[*out].name, name) == 0)
            return LMB_OK;
        lmb_nearest_try(&nearest, p->interfaces[*out].name);
    }
    lmb_fail_at(r->context, place, "body '%s' has no interface '%s'", p->name, name);
    lmb_nearest_hint(r->context, &nearest);
    return LMB_BAD_INPUT;
}

static lmb_status read_frame(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_reduction *out = &p->reduction;
    if (node->kind == LMB_TREE_TEXT && strcmp(node->text, "mass-centre") == 0) {
        out->frame = LMB_FRAME_MASS_CENTRE;
        return LMB_OK;
    }
    if (node->kind == LMB_TREE_TEXT) {
        lmb_fail_at(r->context, node->place, "there is no frame '%s'", node->text);
        lmb_hint(r->context, "it is mass-centre, {point: A} or {chord: [A, B]}");
        return LMB_BAD_INPUT;
    }
    lmb_value v[LMB_FRAME_FIELD_COUNT + 1];
    lmb_status status = lmb_read_values(r, node, lmb_frame_fields, "'frame'", NULL, v);
    const lmb_value *point = &v[LMB_FRAME_FIELD_POINT], *chord = &v[LMB_FRAME_FIELD_CHORD];
    if (status)
        return status;
    if (point->given == chord->given)
        return lmb_fail_at(r->context, node->place, "'frame' needs either 'point' or 'chord'");
    if (point->given) {
        out->frame = LMB_FRAME_POINT;
        return find_interface(r, p, point->text, point->place, &out->frame_point);
    }
    const lmb_tree *ends = chord->node;
    if (ends->kind != LMB_TREE_LIST || ends->count != 2 || ends->items[0]->kind != LMB_TREE_TEXT ||
        ends->items[1]->kind != LMB_TREE_TEXT)
        return lmb_fail_at(r->context, ends->place, "'chord' must be a list of two interfaces");
    out->frame = LMB_FRAME_CHORD;
    if (find_interface(r, p, ends->items[0]->text, ends->items[0]->place, &out->frame_point) ||
        find_interface(r, p, ends->items[1]->text, ends->items[1]->place, &out->chord_point))
        return LMB_BAD_INPUT;
    if (out->frame_point == out->chord_point)
        return lmb_fail_at(r->context, ends->place, "a chord goes from one point to another");
    return LMB_OK;
}

static lmb_status mode_number(lmb_reader *r, const lmb_tree *node, const char *name, int *out)
{
    double number = 0;
    lmb_status status = lmb_read_number(r, node, name, &number);
    if (!status && !lmb_is_whole(number, 1, 100000))
        status = lmb_fail_at(r->context, node->place, "'%s' must be whole numbers from 1", name);
    *out = status ? 0 : (int)number;
    return status;
}

static lmb_status read_keep(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_mode_choice *keep = &p->reduction.keep;
    if (node->kind == LMB_TREE_MAP) {
        lmb_value v[LMB_KEEP_COUNT + 1];
        lmb_status status = lmb_part_read(r, p, node, lmb_keep_fields, "'keep'", v);
        keep->below = v[LMB_KEEP_BELOW].number;
        return status;
    }
    if (node->kind == LMB_TREE_TEXT) {
        lmb_status status = mode_number(r, node, "keep", &keep->number);
        return status ? status : lmb_part_note(r, p, "keep: %d\n", keep->number);
    }
    int *list = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *list);
    keep->list = list;
    keep->list_count = node->count;
    lmb_status status = list ? LMB_OK : lmb_fail_memory(r->context);
    for (int i = 0; !status && i < node->count; i++) {
        status = mode_number(r, node->items[i], "keep", &list[i]);
        for (int k = 0; !status && k < i; k++)
            if (list[k] == list[i])
                status = lmb_fail_at(r->context, node->items[i]->place,
                                     "mode %d stands twice in 'keep'", list[i]);
        if (!status)
            status = lmb_part_note(r, p, "keep: mode %d\n", list[i]);
    }
    return !status && !keep->list_count
               ? lmb_fail_at(r->context, node->place, "'keep' is an empty list")
               : status;
}

static lmb_status read_reduction(lmb_reader *r, lmb_flexible_part *p, const lmb_value *value)
{
    lmb_reduction *out = &p->reduction;
    lmb_value v[LMB_REDUCTION_COUNT + 1];
    const lmb_tree nothing = {.kind = LMB_TREE_MAP, .place = p->place};
    lmb_status status = lmb_part_read(r, p, value->given ? value->node : &nothing,
                                      lmb_reduction_fields, "'reduction'", v);
    if (status)
        return status;
    const lmb_value *modes = &v[LMB_REDUCTION_MODES], *below = &v[LMB_REDUCTION_BELOW];
    if (modes->given && below->given)
        return lmb_fail_at(r->context, below->place, "give 'modes' or 'below', not both");
    if (!lmb_is_whole(modes->number, 0, 100000))
        return lmb_fail_at(r->context, modes->place, "'modes' must be a whole number");
    out->fixed = (lmb_mode_count){(int)modes->number, below->given ? below->number : 0};
    p->modes_given = modes->given || below->given;
    out->stiffening = v[LMB_REDUCTION_STIFFENING].number != 0;
    if (out->stiffening && p->source == LMB_PART_MATRICES)
        return lmb_fail_at(
            r->context, v[LMB_REDUCTION_STIFFENING].place,
            "body '%s' comes as matrices, without the elements that 'stiffening' needs", p->name);
    out->frame = r->dimension == 3 ? LMB_FRAME_MASS_CENTRE : LMB_FRAME_POINT;
    if (v[LMB_REDUCTION_FRAME].given && (status = read_frame(r, p, v[LMB_REDUCTION_FRAME].node)))
        return status;
    if (v[LMB_REDUCTION_KEEP].given && (status = read_keep(r, p, v[LMB_REDUCTION_KEEP].node)))
        return status;
    return lmb_part_note(r, p, "frame: %d %d %d\n", out->frame, out->frame_point, out->chord_point);
}

/* --- the whole -------------------------------------------------------------------------------- */

bool lmb_is_flexible(const lmb_value *body)
{
    return body[LMB_BODY_BEAM].given || body[LMB_BODY_MESH].given ||
           body[LMB_BODY_MATRICES].given || body[LMB_BODY_MODAL].given;
}

/* One source; nothing that belongs to rigid bodies. */
static lmb_status check_keys(lmb_reader *r, const lmb_value *v, const char *name)
{
    static const int rigid[] = {LMB_BODY_TYPE,    LMB_BODY_SHAPE,   LMB_BODY_MASS,
                                LMB_BODY_DENSITY, LMB_BODY_INERTIA, LMB_BODY_POINTS};
    static const int sources[] = {LMB_BODY_BEAM, LMB_BODY_MESH, LMB_BODY_MATRICES, LMB_BODY_MODAL};
    static const int of_elements[] = {LMB_BODY_MASSES, LMB_BODY_REDUCTION};
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (v[sources[i]].given && count++)
            return lmb_fail_at(r->context, v[sources[i]].place,
                               "body '%s' comes from one of beam, mesh, matrices and modal", name);
    for (size_t i = 0; i < sizeof rigid / sizeof *rigid; i++) {
        if (!v[rigid[i]].given)
            continue;
        lmb_fail_at(r->context, v[rigid[i]].place, "body '%s' is flexible and has no '%s'", name,
                    lmb_body_fields[rigid[i]].name);
        lmb_hint(r->context, rigid[i] == LMB_BODY_POINTS
                                 ? "its points are named in 'interfaces'"
                                 : "its mass comes from its elements, and from 'masses'");
        return LMB_BAD_INPUT;
    }
    for (int i = 0; i < 2 && v[LMB_BODY_MODAL].given; i++)
        if (v[of_elements[i]].given)
            return lmb_fail_at(r->context, v[of_elements[i]].place,
                               "'%s' means nothing with 'modal', which has no elements",
                               lmb_body_fields[of_elements[i]].name);
    if (!v[LMB_BODY_BEAM].given && !v[LMB_BODY_MODAL].given && r->dimension == 2)
        return lmb_fail_at(r->context,
                           v[LMB_BODY_MESH].given ? v[LMB_BODY_MESH].place
                                                  : v[LMB_BODY_MATRICES].place,
                           "meshes and matrices are for models in space; in the plane a flexible "
                           "body is a 'beam' or 'modal'");
    if (v[LMB_BODY_MATRICES].given && v[LMB_BODY_MASSES].given)
        return lmb_fail_at(r->context, v[LMB_BODY_MASSES].place,
                           "'masses' are for beams and meshes; matrices have them inside");
    return LMB_OK;
}

lmb_status lmb_read_part(lmb_reader *r, const lmb_tree *key, const lmb_value *v,
                         lmb_flexible_part *p)
{
    *p = (lmb_flexible_part){.name = key->text, .dimension = r->dimension};
    p->source = v[LMB_BODY_BEAM].given    ? LMB_PART_BEAM
                : v[LMB_BODY_MESH].given  ? LMB_PART_MESH
                : v[LMB_BODY_MODAL].given ? LMB_PART_MODAL
                                          : LMB_PART_MATRICES;
    static const int keys[] = {LMB_BODY_BEAM, LMB_BODY_MESH, LMB_BODY_MATRICES, LMB_BODY_MODAL};
    static lmb_status (*const readers[])(lmb_reader *, lmb_flexible_part *, const lmb_tree *) = {
        read_beam, read_mesh, read_matrices, lmb_read_modal};
    bool modal = p->source == LMB_PART_MODAL;
    const lmb_value *source = &v[keys[p->source]];
    p->place = source->place;
    lmb_status status = check_keys(r, v, p->name);
    if (status || (status = lmb_part_note(r, p, "dimension: %d\n", p->dimension)))
        return status;
    status = readers[p->source](r, p, source->node);
    if (lmb_part_read_anchors(r, p, &v[LMB_BODY_INTERFACES], &v[LMB_BODY_MASSES]))
        return LMB_BAD_INPUT;
    if (!status && p->interface_count == 0) {
        status =
            lmb_fail_at(r->context, key->place, "body '%s' needs the key 'interfaces'", p->name);
        lmb_hint(r->context, "they are where joints and forces take hold of it, such as {A: start, "
                             "B: end} of a beam");
    }
    return status || modal ? status : read_reduction(r, p, &v[LMB_BODY_REDUCTION]);
}
