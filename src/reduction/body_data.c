/* Reduced bodies with their surface, sets, and the stresses and section forces of their modes and
 * of the columns of the basis. */
#include "reduction/body_data.h"

#include <string.h>

#include "base/text.h"
#include "fe/element.h"
#include "fe/materials.h"
#include "fe/stress.h"
#include "reduction/untied.h"

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

static bool has_solids(const lmb_mesh *mesh)
{
    for (int i = 0; i < mesh->element_count; i++)
        if (lmb_element_type_of(mesh->elements[i].kind)->solid)
            return true;
    return false;
}

static bool is_beam(const lmb_mesh *mesh, int element)
{
    return lmb_element_type_of(mesh->elements[element].kind)->beam;
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
    for (int i = 0; i < mesh->element_count; i++)
        if (is_beam(mesh, i))
            memcpy(d->lines + 2 * (size_t)d->line_count++,
                   mesh->connections + mesh->elements[i].first, 2 * sizeof *d->lines);
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

/* Copy the tied nodes of the interface points. */
static lmb_status add_ties(lmb_body_data *d, lmb_context *context, const lmb_interface *points,
                           int count)
{
    d->tie = lmb_arena_integers(d->arena, (size_t)count + 1);
    d->tied_start = lmb_arena_integers(d->arena, (size_t)count + 1);
    if (!lmb_arena_fine(d->arena))
        return lmb_fail_memory(context);
    for (int p = 0; p < count; p++) {
        d->tie[p] = points[p].tie;
        d->tied_start[p + 1] = d->tied_start[p] + points[p].count;
    }
    d->tied_count = d->tied_start[count];
    d->tied = lmb_arena_integers(d->arena, (size_t)d->tied_count + 1);
    for (int p = 0; d->tied && p < count; p++)
        memcpy(d->tied + d->tied_start[p], points[p].nodes,
               (size_t)points[p].count * sizeof *d->tied);
    return lmb_check_memory(context, d->arena);
}

/* --- stresses of the modes -------------------------------------------------------------------- */

/* Matrices may come with a mesh that has no elements, or none with materials; then there are no
 * stresses. */
static bool has_materials(const lmb_mesh *mesh)
{
    if (mesh->element_count == 0)
        return false;
    for (int i = 0; i < mesh->element_count; i++)
        if (lmb_lacks_material(mesh, &mesh->elements[i], false))
            return false;
    return true;
}

/* Room for the section forces of beams. */
static lmb_status add_lines(lmb_body_data *d, lmb_context *context)
{
    size_t lines = (size_t)d->line_count, modes = (size_t)d->reduced->mode_count;
    d->line_forces = lmb_arena_numbers(d->arena, modes * 12 * lines + 1);
    d->line_section = lmb_arena_numbers(d->arena, LMB_LINE_NUMBERS * lines + 1);
    d->line_axis = lmb_arena_numbers(d->arena, 3 * lines + 1);
    d->line_inertia = lmb_arena_numbers(d->arena, (LMB_CARRIED + modes) * 12 * lines + 1);
    size_t columns = (size_t)d->reduced->basis_count;
    if (!d->basis_forces)
        d->basis_forces = lmb_arena_numbers(d->arena, columns * 12 * lines + 1);
    return lmb_check_memory(context, d->arena);
}

/* Section forces of all beams for several displacements, or for accelerations. */
static void line_forces(const lmb_stress *stress, bool inertia, int columns, const double *u,
                        double *out)
{
    const lmb_mesh *mesh = stress->model->mesh;
    size_t lines = 0, line = 0;
    for (int i = 0; i < mesh->element_count; i++)
        lines += is_beam(mesh, i);
    for (int i = 0; i < mesh->element_count; i++)
        if (is_beam(mesh, i))
            lmb_stress_beam(stress, i, inertia, columns, u, (lmb_section_forces *)out + 2 * line++,
                            2 * lines);
}

/* Materials of the places of stresses; of the lines sections, and section forces of the
 * accelerations of the body frame. */
static void fill_constants(lmb_body_data *d, const lmb_mesh *mesh, const lmb_stress *s)
{
    for (int i = 0; i < s->count; i++) {
        d->stress_material[2 * i] = mesh->materials[s->material[i]].E;
        d->stress_material[2 * i + 1] = mesh->materials[s->material[i]].nu;
    }
    for (int i = 0, line = 0; i < mesh->element_count; i++) {
        if (!is_beam(mesh, i))
            continue;
        lmb_element_data e;
        lmb_element_gather(mesh, i, &e);
        for (int motion = 0; motion < LMB_CARRIED; motion++)
            lmb_beam_carried_forces(&e, d->reduced->origin, motion,
                                    (lmb_section_forces *)d->line_inertia +
                                        2 * (motion * d->line_count + line));
        const lmb_section *c = &e.section;
        const double values[LMB_LINE_NUMBERS] = {
            e.material.E, e.material.nu,     c->A,     c->Iy,      c->Iz,     c->J, c->y_max,
            c->z_max,     c->torsion_radius, c->shape, c->inner_y, c->inner_z};
        memcpy(d->line_section + LMB_LINE_NUMBERS * (size_t)line, values, sizeof values);
        mat3 axes;
        double length;
        if (lmb_beam_axes(&e, &axes, &length))
            memcpy(d->line_axis + 3 * (size_t)line, &axes.c[1], sizeof axes.c[1]);
        line++;
    }
}

/* Append the stresses of the residual displacements to the stresses of the modes. */
static bool add_residual(lmb_body_data *d, const lmb_stress *s)
{
    const lmb_reduced *r = d->reduced;
    if (!d->load_count)
        return true;
    return lmb_stress_nodal(s, d->load_count, r->residual,
                            d->stress + (size_t)r->mode_count * (size_t)s->count * LMB_STRESSES);
}

/* Store the solid elements with the places of their nodes, and the residual displacements of all
 * nodes. */
static bool keep_solids(lmb_body_data *d, const lmb_fe_model *m, const lmb_stress *s)
{
    const lmb_mesh *mesh = m->mesh;
    size_t n = (size_t)m->n, numbers = 3 * (size_t)m->node_count;
    d->solid_kind = lmb_arena_integers(d->arena, (size_t)mesh->element_count + 1);
    d->solid_place = lmb_arena_integers(d->arena, (size_t)mesh->connection_count + 1);
    d->load_shape = lmb_arena_alloc(d->arena, numbers * (size_t)d->load_count + 1, sizeof(float));
    if (!lmb_arena_fine(d->arena))
        return false;
    for (const lmb_element *e = mesh->elements; e < mesh->elements + mesh->element_count; e++) {
        if (!lmb_element_type_of(e->kind)->stress)
            continue;
        d->solid_kind[d->solid_count++] = (int)e->kind;
        for (int a = 0; a < lmb_element_nodes(e->kind); a++)
            d->solid_place[d->corner_count++] = s->place[e->first + a];
    }
    for (size_t j = 0; j < (size_t)d->load_count; j++)
        for (size_t i = 0; i < n; i++)
            if (m->direction[i] < LMB_RX)
                d->load_shape[j * numbers + 3 * (size_t)m->node[i] + (size_t)m->direction[i]] =
                    (float)d->reduced->residual[j * n + i];
    return true;
}

/* Compute the stresses of all modes and unit loads. */
static lmb_status fill_stress(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m,
                              const lmb_stress *s)
{
    size_t modes = (size_t)d->reduced->mode_count, n = (size_t)m->n, places = (size_t)s->count;
    size_t lines = 12 * (size_t)d->line_count;
    d->stress_count = s->count;
    d->load_count = s->count ? d->reduced->load_count : 0;
    d->stress_node = lmb_arena_grow(d->arena, s->node, places, places + 1, sizeof *s->node);
    d->stress_material = lmb_arena_numbers(d->arena, 2 * places + 1);
    d->stress =
        lmb_arena_numbers(d->arena, (size_t)lmb_stress_columns(d) * places * LMB_STRESSES + 1);
    double *u = lmb_arena_numbers(s->arena, modes * n + 1);
    if (!u || !lmb_arena_fine(d->arena))
        return lmb_fail_memory(context);
    for (size_t j = 0; j < modes; j++)
        lmb_reduced_displacements(d->reduced, m, (int)j, u + j * n);
    line_forces(s, false, (int)modes, u, d->line_forces);
    line_forces(s, true, (int)modes, u, d->line_inertia + LMB_CARRIED * lines);
    fill_constants(d, m->mesh, s);
    bool done = !places || (lmb_stress_nodal(s, (int)modes, u, d->stress) && add_residual(d, s) &&
                            keep_solids(d, m, s));
    return done ? LMB_OK : lmb_fail_memory(context);
}

/* Stresses and section forces of all modes. */
static lmb_status add_stress(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m)
{
    lmb_stress *s;
    lmb_status status = add_lines(d, context);
    if (status || !has_materials(m->mesh) || (status = lmb_stress_new(&s, context, m)))
        return status;
    status = fill_stress(d, context, m, s);
    lmb_arena_free(s->arena);
    return status;
}

/* --- the basis -------------------------------------------------------------------------------- */

/* What is needed where the columns of a basis are there (lmb_reduction). */
typedef struct basis_watch {
    lmb_body_data *data;
    const lmb_fe_model *model;
    const int *drawn;
    int drawn_count;
} basis_watch;

enum { TOGETHER = 8 }; /* columns whose stresses are found at once, for the memory that it takes */

/* Below this, times displacement over size, strains are rounding errors of a motion as one piece.
 * Bending a strip a thousand times as long as thick strains it by more than 1e-3 of it. */
static const double no_strain = 1e-6;

/* The stress below which a column has none. */
static double no_stress(const lmb_fe_model *m, const double *u)
{
    double E = 0, moved = 0, size = v3_spread(m->mesh->x, m->mesh->node_count);
    for (int i = 0; i < m->mesh->material_count; i++)
        E = fmax(E, m->mesh->materials[i].E);
    for (int i = 0; i < m->n; i++)
        moved = fmax(moved, fabs(u[i]) * (m->direction[i] < LMB_RX ? 1 : size));
    return no_strain * E * moved / size;
}

/* Von Mises' stress of one column at the nodes that are drawn, the largest where materials meet.
 * `place` are the numbers of these nodes, -1 for others. */
static void put_mises(const lmb_stress *s, const int *place, const double *stress, double least,
                      float *out)
{
    for (int i = 0; i < s->count; i++) {
        double mises = lmb_von_mises(stress + LMB_STRESSES * (size_t)i);
        int to = place[s->node[i]];
        if (to >= 0 && mises > least)
            out[to] = fmaxf(out[to], (float)mises);
    }
}

static bool basis_of_solids(const basis_watch *l, const lmb_stress *s, int columns, const double *U)
{
    size_t n = (size_t)l->model->n, drawn = (size_t)l->drawn_count;
    size_t row = LMB_STRESSES * (size_t)s->count, nodes = (size_t)l->model->mesh->node_count;
    float *mises = l->data->basis_mises =
        lmb_arena_alloc(l->data->arena, (size_t)columns * drawn + 1, sizeof *mises);
    double *stress = lmb_arena_numbers(s->arena, TOGETHER * row + 1);
    int *place = lmb_arena_integers(s->arena, nodes + 1);
    bool done = mises && stress && place;
    for (size_t i = 0; done && i < nodes; i++)
        place[i] = -1;
    for (int i = 0; done && i < l->drawn_count; i++)
        place[l->drawn[i]] = i;
    for (int first = 0; done && first < columns; first += TOGETHER) {
        int count = columns - first < TOGETHER ? columns - first : TOGETHER;
        done = lmb_stress_nodal(s, count, U + (size_t)first * n, stress);
        for (int k = 0; done && k < count; k++) {
            size_t column = (size_t)(first + k);
            put_mises(s, place, stress + (size_t)k * row, no_stress(l->model, U + column * n),
                      mises + column * drawn);
        }
    }
    return done;
}

/* No section forces of a column where the stress of all is below what counts. */
static void forget_rounding(const basis_watch *l, const double *u, double *out)
{
    const lmb_mesh *mesh = l->model->mesh;
    double most = 0;
    const lmb_section_forces *f = (const lmb_section_forces *)out;
    for (int i = 0; i < mesh->element_count; i++) {
        lmb_element_data e;
        if (!is_beam(mesh, i))
            continue;
        lmb_element_gather(mesh, i, &e);
        for (int end = 0; end < 2; end++)
            most = fmax(most, lmb_fibre_stress_of(&e.section, f++).mises);
    }
    if (most <= no_stress(l->model, u))
        memset(out, 0, 12 * (size_t)l->data->line_count * sizeof *out);
}

/* Fills basis_mises, at the nodes that are drawn, and basis_forces from the columns of the basis. A
 * column is only shown alone, so of solids its von Mises stress is enough. */
static lmb_status watch_basis(void *watch, lmb_context *context, int columns, const double *U)
{
    const basis_watch *l = watch;
    lmb_body_data *d = l->data;
    lmb_stress *s;
    lmb_status status = lmb_stress_new(&s, context, l->model);
    if (status)
        return status;
    size_t row = 12 * (size_t)d->line_count;
    d->basis_forces = lmb_arena_numbers(d->arena, (size_t)columns * row + 1);
    bool done = d->basis_forces && (s->count == 0 || basis_of_solids(l, s, columns, U));
    if (done && row > 0)
        line_forces(s, false, columns, U, d->basis_forces);
    for (size_t k = 0; done && row > 0 && k < (size_t)columns; k++)
        forget_rounding(l, U + k * (size_t)l->model->n, d->basis_forces + k * row);
    lmb_arena_free(s->arena);
    return done ? LMB_OK : lmb_fail_memory(context);
}

/* Compute the shares of all nodes in a force on each patch. */
static lmb_status share_patches(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m,
                                lmb_reduction *options)
{
    lmb_reduced nodes = {.node_count = m->node_count, .x = m->x, .number = m->number};
    size_t count = (size_t)m->node_count;
    lmb_node_share *shares =
        lmb_arena_alloc(d->arena, (size_t)options->patch_count * count + 1, sizeof *shares);
    lmb_status status = shares ? LMB_OK : lmb_fail_memory(context);
    options->shares = shares;
    d->reduced = &nodes;
    for (int k = 0; k < options->patch_count && !status; k++)
        status = options->share_patch(options->patches, context, d, k, shares + (size_t)k * count);
    d->reduced = NULL;
    return status;
}

/* --- the body --------------------------------------------------------------------------------- */

bool lmb_body_parts_modes(const lmb_body_data *d)
{
    return d->warnings && strstr(d->warnings, LMB_PARTED_MODES);
}

lmb_status lmb_reduce_body(lmb_body_data *d, lmb_context *context, const lmb_fe_model *model,
                           const lmb_interface *points, int point_count,
                           const lmb_reduction *reduction)
{
    lmb_reduction options = *reduction;
    lmb_status status = LMB_OK;
    const lmb_mesh *mesh = model->mesh;
    if ((status = add_ties(d, context, points, point_count)))
        return status;
    if (mesh && ((status = add_surface(d, context, mesh)) ||
                 (status = drawn_nodes(d, context, mesh, &options)) ||
                 (status = add_sets(d, context, mesh))))
        return status;
    /* models with a perturbed parameter need residual displacements only for stresses */
    bool perturbed = options.held || options.fixed.accurate;
    if (perturbed && !(mesh && has_solids(mesh)))
        options.residual = false;
    if (!mesh || !options.residual)
        options.patch_count = 0;
    if (options.patch_count && (status = share_patches(d, context, model, &options)))
        return status;
    basis_watch watch = {d, model, options.drawn, options.drawn_count};
    if (mesh && has_materials(mesh)) {
        options.on_basis = watch_basis;
        options.user = &watch;
    }
    status = lmb_reduce(&d->reduced, context, model, points, point_count, &options);
    if (!status && options.untied && lmb_can_untie(d))
        status = lmb_find_untied(d, context, model);
    return status || !mesh ? status : add_stress(d, context, model);
}
