/* Apply the keys `material` and `materials` of the model file to the materials of a mesh. */
#include "fe/materials.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static lmb_status fail_unknown(const lmb_mesh *mesh, lmb_context *context,
                               const lmb_material_change *c)
{
    const char *list = mesh->material_count ? "it has" : "it has no materials: use 'material'";
    lmb_nearest nearest = lmb_nearest_start(c->name);
    for (int i = 0; i < mesh->material_count; i++) {
        const char *name = mesh->materials[i].name;
        lmb_nearest_try(&nearest, name);
        if (list && strlen(list) < 400)
            list = lmb_text_format(mesh->arena, "%s%s %s", list, i ? "," : "", name);
    }
    lmb_fail_at(context, c->place, "'%s' has no material '%s'", mesh->file, c->name);
    return nearest.best ? lmb_hint(context, "did you mean '%s'? %s", nearest.best, list ? list : "")
                        : lmb_hint(context, "%s", list ? list : "");
}

static bool has_elements(const lmb_mesh *mesh, int material)
{
    for (int i = 0; i < mesh->element_count; i++)
        if (mesh->elements[i].kind != LMB_POINT_MASS && mesh->elements[i].material == material)
            return true;
    return false;
}

static lmb_status change(const lmb_mesh *mesh, lmb_context *context, const lmb_material_change *c)
{
    int i = 0;
    while (i < mesh->material_count && !lmb_same_letters(mesh->materials[i].name, c->name))
        i++;
    if (i == mesh->material_count)
        return fail_unknown(mesh, context, c);
    if (!has_elements(mesh, i))
        lmb_warn_at(context, c->place, "no element of '%s' has the material '%s'", mesh->file,
                    c->name);
    lmb_material *m = &mesh->materials[i];
    if (!(m->E > 0) && m->nu == 0 && c->E > 0 && isnan(c->nu)) {
        lmb_fail_at(context, c->place, "the material '%s' of '%s' has no Poisson's ratio", m->name,
                    mesh->file);
        return lmb_hint(context, "give 'nu' beside 'E'");
    }
    m->E = isnan(c->E) ? m->E : c->E;
    m->nu = isnan(c->nu) ? m->nu : c->nu;
    m->density = isnan(c->density) ? m->density : c->density;
    return LMB_OK;
}

lmb_status lmb_mesh_change_materials(const lmb_mesh *mesh, lmb_context *context,
                                     const lmb_material_change *changes, int count)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < count; i++)
        if (change(mesh, context, &changes[i]))
            status = LMB_BAD_INPUT;
    return status;
}

bool lmb_lacks_material(const lmb_mesh *mesh, const lmb_element *e, bool density)
{
    const lmb_material *m = e->material < 0 ? NULL : &mesh->materials[e->material];
    return e->kind != LMB_POINT_MASS && (!m || !(m->E > 0) || (density && !(m->density > 0)));
}

lmb_status lmb_mesh_add_material(lmb_mesh *mesh, lmb_context *context, lmb_arena *arena,
                                 const lmb_material *material, bool density)
{
    size_t count = (size_t)mesh->material_count;
    mesh->materials =
        lmb_arena_grow(arena, mesh->materials, count, count + 1, sizeof *mesh->materials);
    if (!mesh->materials)
        return lmb_fail_memory(context);
    for (int i = 0; i < mesh->element_count; i++)
        if (lmb_lacks_material(mesh, &mesh->elements[i], density))
            mesh->elements[i].material = mesh->material_count;
    mesh->materials[mesh->material_count++] = *material;
    return LMB_OK;
}

/* Report `without` elements that lack a stiffness. `named` of them have a material of the file;
 * `first` is the first of these materials. */
static lmb_status fail_lacking(const lmb_mesh *mesh, lmb_context *context, int without, int named,
                               const lmb_material *first)
{
    if (!named)
        return lmb_fail_hint(context, "add one, such as 'material: steel'",
                             "'%s' gives %d of its %d elements no material", mesh->file, without,
                             mesh->element_count);
    lmb_fail(context, LMB_BAD_INPUT, "the material '%s' of '%s' has no modulus of elasticity",
             first->name, mesh->file);
    return lmb_hint(context, "add it to the mesh, such as 'materials: {%s: steel}'", first->name);
}

lmb_status lmb_mesh_give_material(lmb_mesh *mesh, lmb_context *context, lmb_arena *arena,
                                  const lmb_material *material)
{
    int without = 0, named = 0;
    const lmb_material *first = NULL;
    for (int i = 0; i < mesh->element_count; i++) {
        const lmb_element *e = &mesh->elements[i];
        if (!lmb_lacks_material(mesh, e, false))
            continue;
        without++;
        if (e->material >= 0)
            first = named++ ? first : &mesh->materials[e->material];
    }
    if (!without)
        return LMB_OK;
    if (!(material->E > 0))
        return fail_lacking(mesh, context, without, named, first);
    if (named)
        lmb_warn(context,
                 "the material '%s' of '%s' has no modulus of elasticity: %d elements get the "
                 "material '%s'",
                 first->name, mesh->file, named, material->name);
    return lmb_mesh_add_material(mesh, context, arena, material, false);
}
