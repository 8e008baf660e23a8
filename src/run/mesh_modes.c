/* Modes of a mesh file: material, supports, finite element model, eigenvalue problem. */
#include "run/mesh_modes.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "fe/element.h"
#include "fe/materials.h"
#include "fe/properties.h"
#include "import/mesh_read.h"
#include "import/scan.h"
#include "reduction/fe_modes.h"
#include "reduction/interface.h"

typedef struct work {
    lmb_context *context;
    lmb_arena *arena; /* of the result */
    lmb_arena *room;
    const lmb_mesh_modes_options *options;
    lmb_mesh *mesh;
    lmb_fe_model *model;
    bool *held; /* n of the model */
} work;

bool lmb_is_mesh_file(const char *path)
{
    static const char *const endings[] = {".msh", ".inp", ".cdb"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (lmb_word_is(lmb_file_ending(path), endings[i]))
            return true;
    return lmb_is_geometry(path);
}

/* --- the mesh --------------------------------------------------------------------------------- */

static lmb_status read_mesh(work *w)
{
    const lmb_mesh_modes_options *o = w->options;
    lmb_nearest nearest;
    int units =
        o->units ? lmb_find_name(lmb_unit_systems, sizeof *lmb_unit_systems, -1, o->units, &nearest)
                 : 0;
    if (units < 0)
        return lmb_fail_choice(w->context, "system of units", &nearest,
                               "allowed: SI, mm-t-s, mm-kg-ms and in-lbf-s");
    if (!lmb_is_geometry(o->path))
        return lmb_mesh_read(&w->mesh, w->context, w->room, o->path, &lmb_unit_systems[units]);
    if (lmb_is_geometry_script(o->path) && !o->trusted)
        return lmb_fail_hint(
            w->context,
            "read it and all that it includes, then give --trust; or mesh it "
            "yourself and give the mesh",
            "'%s' is a geometry script, which can run any command on this computer", o->path);
    const lmb_meshing how = {o->path, 0, 2,
                             o->meshing_time > 0 ? o->meshing_time : LMB_MESHING_SECONDS};
    return lmb_gmsh_run(&w->mesh, w->context, w->room, &how, &lmb_unit_systems[units]);
}

/* Find the material given by name. *out is NULL if no name was given. */
static lmb_status find_material(const work *w, const lmb_material **out)
{
    const char *name = w->options->material;
    *out = name ? lmb_material_find(name) : NULL;
    if (!name || *out)
        return LMB_OK;
    lmb_nearest nearest = lmb_nearest_start(name);
    for (int i = 0; lmb_material_at(i); i++)
        lmb_nearest_try(&nearest, lmb_material_at(i)->name);
    return lmb_fail_choice(w->context, "material", &nearest, lmb_material_names());
}

/* Assign the material to elements without modulus or density. */
static lmb_status give_material(work *w)
{
    lmb_mesh *mesh = w->mesh;
    const lmb_material *material;
    int without = 0;
    lmb_status status = find_material(w, &material);
    for (int i = 0; i < mesh->element_count; i++)
        without += lmb_lacks_material(mesh, &mesh->elements[i], material != NULL);
    if (status || (!without && !material))
        return status;
    if (!without)
        return lmb_fail(w->context, LMB_USAGE,
                        "--material %s is for elements without modulus or density, but '%s' gives "
                        "both to all of its elements",
                        material->name, mesh->file);
    if (!material) {
        lmb_fail(w->context, LMB_BAD_INPUT,
                 "'%s' gives %d of its %d elements no material with a modulus of elasticity",
                 mesh->file, without, mesh->element_count);
        return lmb_hint(w->context, "name one with --material: %s", lmb_material_names());
    }
    return lmb_mesh_add_material(mesh, w->context, w->room, material, true);
}

/* --- what holds it ---------------------------------------------------------------------------- */

/* Hold directions of a node. Returns 1 if the node has at least one of them. */
static int hold_node(work *w, int node, unsigned directions)
{
    int found = 0;
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        if (directions & LMB_BIT(d) && w->model->dof[node][d] >= 0) {
            w->held[w->model->dof[node][d]] = true;
            found = 1;
        }
    return found;
}

static lmb_status hold_set(work *w, const char *name)
{
    const lmb_mesh *mesh = w->mesh;
    lmb_nearest nearest;
    int found = lmb_find_name(mesh->sets, sizeof *mesh->sets, mesh->set_count, name, &nearest);
    const char *list = mesh->set_count ? "it has" : "it has none";
    if (found < 0) {
        for (int i = 0; i < mesh->set_count && list && strlen(list) < 400; i++)
            list = lmb_text_format(w->room, "%s%s %s", list, i ? "," : "", mesh->sets[i].name);
        lmb_fail(w->context, LMB_BAD_INPUT, "'%s' has no set of nodes '%s'", mesh->file, name);
        return nearest.best ? lmb_nearest_hint(w->context, &nearest)
                            : lmb_hint(w->context, "%s", list ? list : "");
    }
    const lmb_node_set *set = &mesh->sets[found];
    int nodes = 0;
    for (int i = 0; i < set->count; i++)
        nodes += hold_node(w, set->nodes[i], LMB_TRANSLATIONS | LMB_ROTATIONS);
    return nodes ? LMB_OK
                 : lmb_fail(w->context, LMB_BAD_INPUT,
                            "no node of set '%s' belongs to an element: it holds nothing", name);
}

/* Apply the supports of the file. */
static void hold_supports(work *w)
{
    int without = 0, first = 0;
    for (int i = 0; w->mesh->held && i < w->mesh->node_count; i++) {
        hold_node(w, i, w->mesh->held[i]);
        if (w->mesh->held[i] && w->model->dof[i][LMB_UX] < 0 && without++ == 0)
            first = w->mesh->number[i];
    }
    if (without)
        lmb_warn(w->context,
                 "%s: the support of node %d%s holds nothing: the node belongs to no element that "
                 "is read",
                 w->mesh->file, first, without > 1 ? " and others" : "");
    if (w->mesh->doubt)
        lmb_warn(w->context, "%s: %s", w->mesh->file, w->mesh->doubt);
}

static lmb_status hold(work *w)
{
    w->held = lmb_arena_alloc(w->room, (size_t)w->model->n + 1, sizeof *w->held);
    if (!w->held)
        return lmb_fail_memory(w->context);
    if (!w->options->free)
        hold_supports(w);
    lmb_status status = LMB_OK;
    for (const char *const *set = w->options->hold; *set && !status; set++)
        status = hold_set(w, *set);
    return status;
}

/* --- the result ------------------------------------------------------------------------------- */

/* Warn if a part is implausibly large or heavy. */
static lmb_status check_size(work *w, lmb_mesh_facts *facts)
{
    const lmb_fe_model *m = w->model;
    vec3 centre;
    mat3 inertia;
    double length;
    lmb_status status = lmb_mass_properties_of(m, w->context, &facts->mass, &centre, &inertia);
    if (status)
        return lmb_hint(w->context, "--material gives elements without a density one: %s",
                        lmb_material_names());
    if (!w->options->units && lmb_looks_too_large(m->x, m->node_count, facts->mass, &length)) {
        lmb_warn(w->context,
                 "'%s' is %.3g m long and has a mass of %.6g t: are its units mm, t and s?",
                 w->mesh->file, length, facts->mass / 1000);
        lmb_hint(w->context, "give --units mm-t-s, or --units SI if the size is right");
    }
    return LMB_OK;
}

static void count_nodes(const work *w, lmb_mesh_facts *facts)
{
    const lmb_fe_model *m = w->model;
    for (int i = 0; i < m->node_count; i++) {
        bool held = false;
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            held |= m->dof[i][d] >= 0 && w->held[m->dof[i][d]];
        facts->nodes += m->dof[i][LMB_UX] >= 0;
        facts->held += held;
    }
}

static lmb_status find_modes(work *w, lmb_mode_list *out)
{
    lmb_fe_modes found;
    lmb_status status =
        lmb_fe_modes_find(&found, w->context, w->arena, w->model, w->held, w->options->elastic);
    if (status)
        return status;
    out->modes = lmb_arena_alloc(w->arena, (size_t)found.count + 1, sizeof *out->modes);
    if (!out->modes)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < found.count; i++)
        out->modes[out->count++] = (lmb_mode){.frequency = found.frequency[i],
                                              .rigid = i < found.rigid,
                                              .imaginary = 2 * LMB_PI * found.frequency[i],
                                              .time_constant = NAN};
    return LMB_OK;
}

lmb_status lmb_mesh_modes(lmb_mode_list *out, lmb_mesh_facts *facts, lmb_context *context,
                          const lmb_mesh_modes_options *options)
{
    work w = {.context = context, .room = lmb_arena_new(), .options = options};
    *out = (lmb_mode_list){.arena = lmb_arena_new()};
    *facts = (lmb_mesh_facts){0};
    w.arena = out->arena;
    lmb_status status = lmb_check_memory(context, w.room);
    if (!status)
        status = lmb_check_memory(context, w.arena);
    if (!status && !(status = read_mesh(&w)) && !(status = give_material(&w)) &&
        !(status = lmb_fe_assemble(&w.model, context, w.mesh, 0)) && !(status = hold(&w)) &&
        !(status = check_size(&w, facts))) {
        count_nodes(&w, facts);
        status = find_modes(&w, out);
    }
    if (w.model)
        lmb_arena_free(w.model->arena);
    lmb_arena_free(w.room);
    if (status)
        lmb_mode_list_free(out);
    return status;
}
