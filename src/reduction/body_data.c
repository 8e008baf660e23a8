/* Reduced bodies with their surface, sets and stresses. */
#include "reduction/body_data.h"

#include <string.h>

#include "base/text.h"
#include "fe/element.h"
#include "fe/surface.h"
#include "reduction/body_stress.h"

bool lmb_lines_go_on(const lmb_body_data *d, int a, int b)
{
    const double *sa = d->line_section + (size_t)(a / 2) * LMB_LINE_NUMBERS;
    const double *sb = d->line_section + (size_t)(b / 2) * LMB_LINE_NUMBERS;
    const double *ya = d->line_axis + 3 * (size_t)(a / 2), *yb = d->line_axis + 3 * (size_t)(b / 2);
    const vec3 *x = d->reduced->x;
    const int *la = d->lines + a / 2 * 2, *lb = d->lines + b / 2 * 2;
    vec3 u = v3_unit(v3_sub(x[la[1]], x[la[0]])), w = v3_unit(v3_sub(x[lb[1]], x[lb[0]]));
    vec3 turned = v3_sub(v3(ya[0], ya[1], ya[2]), v3(yb[0], yb[1], yb[2]));
    return a % 2 != b % 2 && memcmp(sa, sb, LMB_LINE_NUMBERS * sizeof *sa) == 0 &&
           v3_dot(u, w) > 1 - 1e-9 && v3_norm(turned) < 1e-4;
}

/* Triangles of solids and lines of beams. */
static lmb_status add_surface(lmb_body_data *d, lmb_context *context, const lmb_mesh *mesh)
{
    lmb_surface surface;
    lmb_status status = lmb_surface_of(&surface, d->arena, context, mesh);
    if (status)
        return status;
    d->triangle_count = surface.triangle_count;
    d->triangles = (int *)surface.triangles;
    d->lines = lmb_arena_alloc(d->arena, 2 * (size_t)mesh->element_count, sizeof *d->lines);
    if (!d->lines)
        return lmb_fail_memory(context);
    for (int i = 0; i < mesh->element_count; i++) {
        const lmb_element *e = &mesh->elements[i];
        if (!lmb_element_type_of(e->kind)->beam)
            continue;
        memcpy(d->lines + 2 * (size_t)d->line_count++, mesh->connections + e->first,
               2 * sizeof *d->lines);
    }
    return LMB_OK;
}

/* The nodes of triangles and lines, in rising order. */
static lmb_status drawn_nodes(lmb_body_data *d, lmb_context *context, const lmb_mesh *mesh,
                              lmb_reduction *options)
{
    int *list = lmb_arena_integers(d->arena, (size_t)mesh->node_count + 1);
    if (!list)
        return lmb_fail_memory(context);
    for (int i = 0; i < 3 * d->triangle_count; i++)
        list[d->triangles[i]] = 1;
    for (int i = 0; i < 2 * d->line_count; i++)
        list[d->lines[i]] = 1;
    for (int i = 0; i < mesh->node_count; i++)
        if (list[i])
            list[options->drawn_count++] = i;
    options->drawn = list;
    return LMB_OK;
}

/* The named sets of the mesh. */
static lmb_status add_sets(lmb_body_data *d, lmb_context *context, const lmb_mesh *mesh)
{
    size_t sets = (size_t)mesh->set_count, nodes = 0;
    for (size_t i = 0; i < sets; i++)
        nodes += (size_t)mesh->sets[i].count;
    d->set_name = lmb_arena_alloc(d->arena, sets + 1, sizeof *d->set_name);
    d->set_start = lmb_arena_integers(d->arena, sets + 1);
    d->set_node = lmb_arena_integers(d->arena, nodes + 1);
    if (!lmb_arena_fine(d->arena))
        return lmb_fail_memory(context);
    for (size_t i = 0; i < sets; i++) {
        const lmb_node_set *set = &mesh->sets[i];
        d->set_name[i] = lmb_text_copy(d->arena, set->name, strlen(set->name));
        if (set->count)
            memcpy(d->set_node + d->set_start[i], set->nodes,
                   (size_t)set->count * sizeof *set->nodes);
        d->set_start[i + 1] = d->set_start[i] + set->count;
    }
    d->set_count = mesh->set_count;
    return lmb_check_memory(context, d->arena);
}

lmb_status lmb_reduce_body(lmb_body_data *d, lmb_context *context, const lmb_fe_model *model,
                           const lmb_interface *points, int point_count,
                           const lmb_reduction *reduction)
{
    lmb_reduction options = *reduction;
    lmb_status status = LMB_OK;
    const lmb_mesh *mesh = model->mesh;
    if (mesh && ((status = add_surface(d, context, mesh)) ||
                 (status = drawn_nodes(d, context, mesh, &options))))
        return status;
    lmb_basis_looker looker = {d, model, options.drawn, options.drawn_count};
    if (mesh && lmb_has_materials(mesh)) {
        options.look = lmb_look_at_basis;
        options.looker = &looker;
    }
    status = lmb_reduce(&d->reduced, context, model, points, point_count, &options);
    if (status || !mesh || (status = add_sets(d, context, mesh)))
        return status;
    return lmb_add_stress(d, context, model);
}
