/* The keys of a flexible body: everything is evaluated and checked, no file is opened. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fe/materials.h"
#include "model/flexible_part.h"
#include "import/arrays.h"
#include "import/mesh_read.h"
#include "import/matrix_read.h"
#include "model/fields.h"
#include "model/beam_keys.h"
#include "model/builder.h"
#include "model/framework_read.h"

/* --- where it comes from ---------------------------------------------------------------------- */

/* A file beside the model; it must be there. */
static lmb_status read_file(lmb_reader *r, lmb_flexible_part *p, const lmb_value *v, int k)
{
    if (!v->given)
        return LMB_OK;
    p->files[k] = lmb_beside_file(r, v->text);
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
    p->units_given = v->given;
    return p->units ? LMB_OK : LMB_BAD_INPUT;
}

/* --- materials -------------------------------------------------------------------------------- */

#define CHANGES                                                                                    \
    "Materials of the file by name or number: each is replaced by a material by name, or "         \
    "completed by a map, such as {ST: steel, EL: {density: 7850}}."
#define OF_FILE "that of the file"
#define CHANGE(member) LMB_KEY(lmb_material_change, member), LMB_FIELD_NUMBER

const lmb_field lmb_material_change_fields[] = {
    {CHANGE(E), "Pa", "Modulus of elasticity.", OF_FILE, LMB_POSITIVE, .otherwise = NAN},
    {CHANGE(nu), NULL, "Poisson's ratio.", OF_FILE, .otherwise = NAN},
    {CHANGE(density), "kg/m^3", "Density.", OF_FILE, LMB_NOT_NEGATIVE, .otherwise = NAN},
    {0},
};

/* Read a material: a name, or a map of some properties. */
static lmb_status read_change(lmb_reader *r, const lmb_tree *node, lmb_material_change *out)
{
    if (node->kind != LMB_TREE_TEXT)
        return lmb_read_fields(r, node, lmb_material_change_fields, "'materials'", NULL, out);
    lmb_material whole = {0};
    lmb_status status = lmb_read_material(r, node, NULL, &whole);
    out->E = whole.E;
    out->nu = whole.nu;
    out->density = whole.density;
    return status;
}

/* Read the keys `material` and `materials` of a source. NULL: not given. */
static lmb_status read_materials(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *material,
                                 const lmb_tree *materials)
{
    lmb_status status = material ? lmb_part_read_material(r, p, material) : LMB_OK;
    if (!materials || status)
        return status;
    if (materials->kind != LMB_TREE_MAP)
        return lmb_fail_kind(r, materials, "materials", "a map, such as {ST: steel}");
    p->changes = lmb_arena_alloc(r->arena, (size_t)materials->count, sizeof *p->changes);
    if (!p->changes)
        return lmb_fail_memory(r->context);
    for (int i = 0; i < materials->count && !status; i++) {
        const lmb_tree *key = materials->keys[i];
        lmb_material_change *c = &p->changes[p->change_count++];
        status = read_change(r, materials->items[i], c);
        c->name = key->text;
        c->place = key->place;
        lmb_part_note(r, p, "materials: %s %.17g %.17g %.17g\n", c->name, c->E, c->nu, c->density);
    }
    return status;
}

/* --- meshes and matrices ---------------------------------------------------------------------- */

typedef struct mesh_keys {
    lmb_value file, units, size, order;
    const lmb_tree *material, *materials;
} mesh_keys;

const lmb_field lmb_mesh_fields[] = {
    {LMB_KEY(mesh_keys, file), LMB_FIELD_TEXT, NULL,
     "The file, beside the model: .msh (Gmsh), .inp (Abaqus, CalculiX) or .cdb (Ansys); or "
     "geometry, .step, .iges, .brep or, with --trust, .geo, if gmsh is installed.",
     .required = true},
    {LMB_KEY(mesh_keys, units), LMB_FIELD_TEXT, NULL,
     "The units of the files: SI, mm-t-s, mm-kg-ms or in-lbf-s.", "SI"},
    {LMB_KEY(mesh_keys, material), LMB_FIELD_TREE, NULL,
     "The material of elements to which the file gives none.", .choices = "material"},
    {LMB_KEY(mesh_keys, materials), LMB_FIELD_TREE, NULL, CHANGES, .choices = "material_changes"},
    {LMB_KEY(mesh_keys, size), LMB_FIELD_NUMBER, NULL,
     "Of geometry: the length of element edges, in the units of the file.", "gmsh's choice",
     LMB_POSITIVE},
    {LMB_KEY(mesh_keys, order), LMB_FIELD_NUMBER, NULL,
     "Of geometry: 1 for linear tetrahedra, which are far too stiff, 2 for quadratic ones.", "2",
     .otherwise = 2},
    {0},
};

/* How geometry is meshed; a mesh has its elements. */
static lmb_status read_meshing(lmb_reader *r, lmb_flexible_part *p, const mesh_keys *k)
{
    const lmb_value *size = &k->size, *order = &k->order;
    if ((size->given || order->given) && !lmb_is_geometry(p->files[0]))
        return lmb_fail_at(r->context, size->given ? size->place : order->place,
                           "'%s' is for geometry; '%s' is a mesh already",
                           size->given ? "size" : "order", p->files[0]);
    if (order->number != 1 && order->number != 2)
        return lmb_fail_at(r->context, order->place, "'order' must be 1 or 2");
    p->mesh_size = size->number;
    p->mesh_order = (int)order->number;
    double seconds = r->spec->meshing_seconds;
    p->mesh_seconds = seconds > 0 ? seconds : LMB_MESHING_SECONDS;
    return LMB_OK;
}

/* A script can have gmsh run any command. */
static lmb_status check_trust(lmb_reader *r, const lmb_flexible_part *p, const lmb_value *file)
{
    if (r->spec->trusted || !lmb_is_geometry_script(p->files[0]))
        return LMB_OK;
    lmb_fail_at(r->context, file->place,
                "'%s' is a geometry script, which can run any command on this computer: gmsh runs "
                "it for models that are trusted alone",
                p->files[0]);
    return lmb_hint(r->context, "read it and all that it includes, then give --trust (trust=True "
                                "in Python); or mesh it yourself and give the mesh");
}

static lmb_status read_mesh(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    mesh_keys k;
    lmb_status status = lmb_part_read(r, p, node, lmb_mesh_fields, "'mesh'", &k);
    if (!status && !(status = read_file(r, p, &k.file, 0)) &&
        !(status = check_trust(r, p, &k.file)) && !(status = read_units(r, p, &k.units)))
        status = read_materials(r, p, k.material, k.materials);
    return status ? status : read_meshing(r, p, &k);
}

typedef struct matrices_keys {
    lmb_value stiffness, mass, damping, mapping, nodes, units;
    const lmb_tree *material, *materials;
} matrices_keys;

const lmb_field lmb_matrices_fields[] = {
    {LMB_KEY(matrices_keys, stiffness), LMB_FIELD_TEXT, NULL,
     "The file of the stiffness matrix, beside the model.", .required = true},
    {LMB_KEY(matrices_keys, mass), LMB_FIELD_TEXT, NULL, "The file of the mass matrix.",
     .required = true},
    {LMB_KEY(matrices_keys, damping), LMB_FIELD_TEXT, NULL, "The file of the damping matrix.",
     "no damping"},
    {LMB_KEY(matrices_keys, mapping), LMB_FIELD_TEXT, NULL,
     "The file that gives each row its node and direction."},
    {LMB_KEY(matrices_keys, nodes), LMB_FIELD_TEXT, NULL,
     "Where the nodes are: a mesh file, or a table of number, x, y, z.", .required = true},
    {LMB_KEY(matrices_keys, units), LMB_FIELD_TEXT, NULL,
     "The units of the files: SI, mm-t-s, mm-kg-ms or in-lbf-s.", "SI"},
    {LMB_KEY(matrices_keys, material), LMB_FIELD_TREE, NULL,
     "The material of the mesh, for stresses, where its file gives none.", .choices = "material"},
    {LMB_KEY(matrices_keys, materials), LMB_FIELD_TREE, NULL, CHANGES,
     .choices = "material_changes"},
    {0},
};

static lmb_status read_matrices(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    matrices_keys k;
    lmb_status status = lmb_part_read(r, p, node, lmb_matrices_fields, "'matrices'", &k);
    const lmb_value *files[] = {[LMB_PART_STIFFNESS] = &k.stiffness,
                                [LMB_PART_MASS] = &k.mass,
                                [LMB_PART_DAMPING] = &k.damping,
                                [LMB_PART_MAPPING] = &k.mapping,
                                [LMB_PART_NODES] = &k.nodes};
    for (int i = 0; i < LMB_PART_FILES && !status; i++)
        status = read_file(r, p, files[i], i);
    if (!status && !p->files[LMB_PART_MAPPING]) {
        const lmb_matrix_files known = {.stiffness = p->files[LMB_PART_STIFFNESS],
                                        .mass = p->files[LMB_PART_MASS]};
        p->files[LMB_PART_MAPPING] = lmb_mapping_beside(r->arena, &known);
    }
    if (!status && !(status = read_units(r, p, &k.units)))
        status = read_materials(r, p, k.material, k.materials);
    return status;
}

typedef struct arrays_keys {
    lmb_value name, units;
    const lmb_tree *material;
} arrays_keys;

const lmb_field lmb_arrays_fields[] = {
    {LMB_KEY(arrays_keys, name), LMB_FIELD_TEXT, NULL,
     "The name under which the program has attached them.", .required = true},
    {LMB_KEY(arrays_keys, units), LMB_FIELD_TEXT, NULL,
     "Their units: SI, mm-t-s, mm-kg-ms or in-lbf-s.", "SI"},
    {LMB_KEY(arrays_keys, material), LMB_FIELD_TREE, NULL,
     "The material of their elements, if they have some: for stresses, and for the matrices where "
     "these are not given.",
     .choices = "material"},
    {0},
};

/* The contents of the arrays are a part of the settings, as those of files are. */
static lmb_status find_arrays(lmb_reader *r, lmb_flexible_part *p, const char *name,
                              lmb_place place)
{
    p->attached = lmb_attached_find(r->spec, r->context, place, name);
    if (!p->attached)
        return LMB_BAD_INPUT;
    lmb_part_note(r, p, "arrays: %s\n", p->attached->key);
    return LMB_OK;
}

/* Their name, or a map of keys. */
static lmb_status read_arrays(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    arrays_keys k;
    p->units = &lmb_unit_systems[0];
    if (node->kind == LMB_TREE_TEXT && node->text[0])
        return find_arrays(r, p, node->text, node->place);
    lmb_status status = lmb_part_read(r, p, node, lmb_arrays_fields, "'arrays'", &k);
    if (!status && !(status = find_arrays(r, p, k.name.text, k.name.place)) &&
        !(status = read_units(r, p, &k.units)) && k.material)
        status = lmb_part_read_material(r, p, k.material);
    return status;
}

bool lmb_part_has_matrices(const lmb_flexible_part *p)
{
    return p->source == LMB_PART_MATRICES || (p->attached && p->attached->model);
}

/* --- reduction -------------------------------------------------------------------------------- */

static lmb_status find_interface(lmb_reader *r, const lmb_flexible_part *p, const char *name,
                                 lmb_place place, int *out)
{
    lmb_nearest nearest;
    *out = lmb_find_name(p->interfaces, sizeof *p->interfaces, p->interface_count, name, &nearest);
    if (*out >= 0)
        return LMB_OK;
    lmb_fail_at(r->context, place, "body '%s' has no interface '%s'", p->name, name);
    return lmb_nearest_hint(r->context, &nearest);
}

typedef struct frame_keys {
    lmb_value point;
    const lmb_tree *chord;
} frame_keys;

const lmb_field lmb_frame_fields[] = {
    {LMB_KEY(frame_keys, point), LMB_FIELD_TEXT, NULL, "The interface point that it is fixed to."},
    {LMB_KEY(frame_keys, chord), LMB_FIELD_TREE, NULL,
     "Two interface points: its origin, and where its x axis goes on looking.", .choices = "names"},
    {0},
};

static lmb_status read_frame(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_reduction *out = &p->reduction;
    if (node->kind == LMB_TREE_TEXT && strcmp(node->text, "mass-centre") == 0) {
        out->frame = LMB_FRAME_MASS_CENTRE;
        return LMB_OK;
    }
    if (node->kind == LMB_TREE_TEXT) {
        lmb_fail_at(r->context, node->place, "there is no frame '%s'", node->text);
        return lmb_hint(r->context, "it is mass-centre, {point: A} or {chord: [A, B]}");
    }
    frame_keys k;
    lmb_status status = lmb_read_fields(r, node, lmb_frame_fields, "'frame'", NULL, &k);
    if (status)
        return status;
    if (k.point.given == (k.chord != NULL))
        return lmb_fail_at(r->context, node->place, "'frame' needs either 'point' or 'chord'");
    if (k.point.given) {
        out->frame = LMB_FRAME_POINT;
        return find_interface(r, p, k.point.text, k.point.place, &out->frame_point);
    }
    const lmb_tree *ends = k.chord;
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

static lmb_status mode_number(lmb_reader *r, const lmb_tree *node, const char *name, int least,
                              int *out)
{
    double number = 0;
    lmb_status status = lmb_read_number(r, node, name, &number);
    if (!status && !lmb_is_whole(number, least, 100000))
        status =
            lmb_fail_at(r->context, node->place, "'%s' must be whole numbers from %d", name, least);
    *out = status ? 0 : (int)number;
    return status;
}

const lmb_field lmb_keep_fields[] = {
    {LMB_KEY(lmb_mode_choice, below), LMB_FIELD_NUMBER, "Hz", "All modes below this frequency.",
     .required = true, .range = LMB_POSITIVE},
    {0},
};

static lmb_status read_keep(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_mode_choice *keep = &p->reduction.keep;
    if (node->kind == LMB_TREE_MAP)
        return lmb_part_read(r, p, node, lmb_keep_fields, "'keep'", keep);
    if (node->kind == LMB_TREE_TEXT) {
        lmb_status status = mode_number(r, node, "keep", 0, &keep->number);
        keep->none = keep->number == 0;
        lmb_part_note(r, p, "keep: %d\n", keep->number);
        return status;
    }
    int *list = lmb_arena_alloc(r->arena, (size_t)node->count, sizeof *list);
    keep->list = list;
    keep->list_count = node->count;
    lmb_status status = list ? LMB_OK : lmb_fail_memory(r->context);
    for (int i = 0; !status && i < node->count; i++) {
        status = mode_number(r, node->items[i], "keep", 1, &list[i]);
        for (int k = 0; !status && k < i; k++)
            if (list[k] == list[i])
                status = lmb_fail_at(r->context, node->items[i]->place,
                                     "mode %d stands twice in 'keep'", list[i]);
        lmb_part_note(r, p, "keep: mode %d\n", list[i]);
    }
    return !status && !keep->list_count
               ? lmb_fail_at(r->context, node->place, "'keep' is an empty list")
               : status;
}

typedef struct reduction_keys {
    lmb_value modes, below;
    const lmb_tree *keep, *frame;
    bool stiffening, stress_correction;
} reduction_keys;

const lmb_field lmb_reduction_fields[] = {
    {LMB_KEY(reduction_keys, modes), LMB_FIELD_NUMBER, NULL,
     "Number of fixed-interface modes in the basis; 0: static condensation (Guyan).", "10",
     LMB_NOT_NEGATIVE, .otherwise = 10},
    {LMB_KEY(reduction_keys, below), LMB_FIELD_NUMBER, "Hz",
     "Instead of 'modes': all below a frequency.", .range = LMB_POSITIVE},
    {LMB_KEY(reduction_keys, keep), LMB_FIELD_TREE, NULL,
     "Which modes of the reduced body are kept: how many (0: none, it is rigid), a list of numbers "
     "from 1, or {below: f} for all below f Hz.",
     "all", .choices = "keep"},
    {LMB_KEY(reduction_keys, frame), LMB_FIELD_TREE, NULL,
     "What its frame moves with: mass-centre, {point: A} with an interface point, or {chord: [A, "
     "B]} from one to another.",
     "mass-centre in space, the first interface point in the plane", .choices = "body_frame"},
    {LMB_KEY(reduction_keys, stiffening), LMB_FIELD_FLAG, NULL,
     "Whether geometric stiffness is included: centrifugal forces and tension stiffen the body, "
     "compression softens it up to buckling.",
     "false"},
    {LMB_KEY(reduction_keys, stress_correction), LMB_FIELD_FLAG, NULL,
     "Whether stresses of solid elements include the static response to interface loads and "
     "rotation that the kept modes do not represent.",
     "true", .otherwise = 1},
    {0},
};

static lmb_status read_reduction(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_reduction *out = &p->reduction;
    reduction_keys k;
    const lmb_tree nothing = {.kind = LMB_TREE_MAP, .place = p->place};
    lmb_status status =
        lmb_part_read(r, p, node ? node : &nothing, lmb_reduction_fields, "'reduction'", &k);
    if (status)
        return status;
    const lmb_value *modes = &k.modes, *below = &k.below;
    if (modes->given && below->given)
        return lmb_fail_at(r->context, below->place, "give 'modes' or 'below', not both");
    if (!lmb_is_whole(modes->number, 0, 100000))
        return lmb_fail_at(r->context, modes->place, "'modes' must be a whole number");
    out->fixed =
        (lmb_mode_count){.number = (int)modes->number, .below = below->given ? below->number : 0};
    out->stiffening = k.stiffening;
    out->residual = k.stress_correction;
    if (out->stiffening && lmb_part_has_matrices(p))
        return lmb_fail_at(
            r->context, lmb_key_place(node, "stiffening"),
            "body '%s' comes as matrices, without the elements that 'stiffening' needs", p->name);
    out->frame = r->dimension == 3 ? LMB_FRAME_MASS_CENTRE : LMB_FRAME_POINT;
    if ((k.frame && (status = read_frame(r, p, k.frame))) ||
        (k.keep && (status = read_keep(r, p, k.keep))))
        return status;
    lmb_part_note(r, p, "frame: %d %d %d\n", out->frame, out->frame_point, out->chord_point);
    return LMB_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

lmb_status lmb_part_check_keys(lmb_reader *r, const lmb_tree *node, const lmb_flexible_keys *k,
                               const char *name)
{
    static const char *const rigid[] = {"type", "shape", "mass", "density", "inertia", "points"};
    static const char *const of_elements[] = {"masses", "reduction"};
    for (int i = 0; i < 6; i++) {
        if (!lmb_tree_get(node, rigid[i]))
            continue;
        lmb_fail_at(r->context, lmb_key_place(node, rigid[i]),
                    "body '%s' is flexible and has no '%s'", name, rigid[i]);
        return lmb_hint(r->context, strcmp(rigid[i], "points") == 0
                                        ? "its points are named in 'interfaces'"
                                        : "its mass comes from its elements, and from 'masses'");
    }
    for (int i = 0; i < 2 && k->modal; i++)
        if (lmb_tree_get(node, of_elements[i]))
            return lmb_fail_at(r->context, lmb_key_place(node, of_elements[i]),
                               "'%s' means nothing with 'modal', which has no elements",
                               of_elements[i]);
    const lmb_tree *spatial = k->mesh ? k->mesh : k->matrices ? k->matrices : k->arrays;
    if (spatial && r->dimension == 2)
        return lmb_fail_at(r->context, spatial->place,
                           "meshes and matrices are for models in space; in the plane a flexible "
                           "body is a 'beam', a 'framework' or 'modal'");
    return LMB_OK;
}

lmb_status lmb_read_part(const lmb_body_build *b, lmb_flexible_part *p)
{
    lmb_reader *r = b->reader;
    const lmb_flexible_keys *k = b->keys;
    *p = (lmb_flexible_part){.name = b->key->text, .dimension = r->dimension};
    const lmb_tree *const sources[] = {k->beam,  k->mesh,      k->matrices,
                                       k->modal, k->framework, k->arrays};
    const lmb_tree *source = NULL;
    static lmb_status (*const readers[])(lmb_reader *, lmb_flexible_part *, const lmb_tree *) = {
        lmb_part_read_beam,      read_mesh,  read_matrices, lmb_read_modal,
        lmb_part_read_framework, read_arrays};
    for (int i = 0; i < 6; i++) {
        if (sources[i] && source)
            return lmb_fail_at(
                r->context, sources[i]->place,
                "body '%s' comes from one of beam, framework, mesh, matrices, modal and arrays",
                p->name);
        if (!sources[i])
            continue;
        source = sources[i];
        p->source = (lmb_part_source)i;
        p->place = source->place;
    }
    lmb_status status = lmb_part_check_keys(r, b->node, k, p->name);
    if (status)
        return status;
    lmb_part_note(r, p, "dimension: %d\n", p->dimension);
    status = readers[p->source](r, p, source);
    if (!status && k->masses && lmb_part_has_matrices(p))
        status =
            lmb_fail_at(r->context, k->masses->place,
                        "'masses' are for beams, frameworks and meshes; matrices have them inside");
    if (lmb_part_read_anchors(r, p, k->interfaces, k->masses))
        return LMB_BAD_INPUT;
    if (!status && p->interface_count == 0) {
        status =
            lmb_fail_at(r->context, b->key->place, "body '%s' needs the key 'interfaces'", p->name);
        lmb_hint(r->context,
                 "joints and forces attach to them, such as {A: start, B: end} of a beam");
    }
    if (!status && p->source != LMB_PART_MODAL)
        status = read_reduction(r, p, k->reduction);
    bool solids = p->source == LMB_PART_MESH || p->source == LMB_PART_MATRICES ||
                  p->source == LMB_PART_ARRAYS;
    if (!status && solids && k->patches)
        status = lmb_part_read_patches(r, p, k->patches);
    if (k->rigid) {
        p->reduction.keep = (lmb_mode_choice){.none = true};
        lmb_part_note(r, p, "rigid: 1\n");
    }
    if (p->reduction.keep.none) /* modes that nobody sees need not be found */
        p->reduction.fixed = (lmb_mode_count){0};
    return status ? status : lmb_check_memory(r->context, r->arena);
}
