/* Stresses and section forces of modes and of the basis; see body_stress.h. */
#include "reduction/body_stress.h"

#include <math.h>
#include <string.h>

#include "fe/stress.h"

bool lmb_has_materials(const lmb_mesh *mesh)
{
    for (int i = 0; i < mesh->element_count; i++)
        if (mesh->elements[i].kind != LMB_POINT_MASS && mesh->elements[i].material < 0)
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

static void put_ends(const lmb_section_forces ends[2], double *out)
{
    for (int k = 0; k < 2; k++) {
        const double forces[6] = {ends[k].N, ends[k].Vy, ends[k].Vz,
                                  ends[k].T, ends[k].My, ends[k].Mz};
        memcpy(out + 6 * k, forces, sizeof forces);
    }
}

/* The first beam from an element on, or the number of elements. */
static int beam_from(const lmb_mesh *mesh, int i)
{
    while (i < mesh->element_count && !lmb_element_type_of(mesh->elements[i].kind)->beam)
        i++;
    return i;
}

/* Section forces of all beams for displacements, or for accelerations. */
static void line_forces(const lmb_stress *stress, bool inertia, const double *u, double *out)
{
    const lmb_mesh *mesh = stress->model->mesh;
    for (int i = -1; (i = beam_from(mesh, i + 1)) < mesh->element_count; out += 12) {
        lmb_section_forces ends[2];
        lmb_stress_beam(stress, i, inertia, u, ends);
        put_ends(ends, out);
    }
}

/* Section forces of the accelerations of the body frame. */
static void carried_forces(lmb_body_data *d, const lmb_mesh *mesh)
{
    double *out = d->line_inertia;
    for (int motion = 0; motion < LMB_CARRIED; motion++)
        for (int i = -1; (i = beam_from(mesh, i + 1)) < mesh->element_count; out += 12) {
            lmb_section_forces ends[2];
            lmb_element_data e;
            lmb_element_gather(mesh, i, &e);
            lmb_beam_carried_forces(&e, d->reduced->origin, motion, ends);
            put_ends(ends, out);
        }
}

/* Materials of the places of stresses, sections of the lines. */
static void fill_constants(lmb_body_data *d, const lmb_mesh *mesh, const lmb_stress *s)
{
    for (int i = 0; i < s->count; i++) {
        d->stress_material[2 * i] = mesh->materials[s->material[i]].E;
        d->stress_material[2 * i + 1] = mesh->materials[s->material[i]].nu;
    }
    double *out = d->line_section, *axis = d->line_axis;
    for (int i = -1; (i = beam_from(mesh, i + 1)) < mesh->element_count; axis += 3) {
        lmb_element_data e;
        lmb_element_gather(mesh, i, &e);
        const lmb_section *c = &e.section;
        const double values[LMB_LINE_NUMBERS] = {
            e.material.E, e.material.nu,     c->A,     c->Iy,      c->Iz,     c->J, c->y_max,
            c->z_max,     c->torsion_radius, c->shape, c->inner_y, c->inner_z};
        memcpy(out, values, sizeof values);
        out += LMB_LINE_NUMBERS;
        mat3 axes;
        double length;
        if (lmb_beam_axes(&e, &axes, &length))
            memcpy(axis, (double[3]){axes.c[1].x, axes.c[1].y, axes.c[1].z}, 3 * sizeof *axis);
    }
}

/* Stresses of all modes. */
static lmb_status fill_stress(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m,
                              const lmb_stress *s)
{
    size_t modes = (size_t)d->reduced->mode_count, n = (size_t)m->n, places = (size_t)s->count;
    size_t lines = 12 * (size_t)d->line_count;
    d->stress_count = s->count;
    d->stress_node = lmb_arena_grow(d->arena, s->node, places, places + 1, sizeof *s->node);
    d->stress_material = lmb_arena_numbers(d->arena, 2 * places + 1);
    d->stress = lmb_arena_numbers(d->arena, modes * places * LMB_STRESSES + 1);
    double *u = lmb_arena_numbers(s->arena, modes * n + 1);
    if (!u || !lmb_arena_fine(d->arena))
        return lmb_fail_memory(context);
    for (size_t j = 0; j < modes; j++) {
        lmb_reduced_displacements(d->reduced, m, (int)j, u + j * n);
        line_forces(s, false, u + j * n, d->line_forces + j * lines);
        line_forces(s, true, u + j * n, d->line_inertia + (LMB_CARRIED + j) * lines);
    }
    carried_forces(d, m->mesh);
    fill_constants(d, m->mesh, s);
    return !places || lmb_stress_nodal(s, (int)modes, u, d->stress) ? LMB_OK
                                                                    : lmb_fail_memory(context);
}

lmb_status lmb_add_stress(lmb_body_data *d, lmb_context *context, const lmb_fe_model *m)
{
    lmb_stress *s;
    lmb_status status = add_lines(d, context);
    if (status || !lmb_has_materials(m->mesh) || (status = lmb_stress_new(&s, context, m)))
        return status;
    status = fill_stress(d, context, m, s);
    lmb_arena_free(s->arena);
    return status;
}

/* --- the basis -------------------------------------------------------------------------------- */

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

static bool basis_of_solids(const lmb_basis_looker *l, const lmb_stress *s, int columns,
                            const double *U)
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

/* Section forces of a column; none where the stress of all is below what counts. */
static void forces_of_column(const lmb_basis_looker *l, const lmb_stress *s, const double *u,
                             double *out)
{
    const lmb_mesh *mesh = l->model->mesh;
    double most = 0;
    line_forces(s, false, u, out);
    const double *f = out;
    for (int i = -1; (i = beam_from(mesh, i + 1)) < mesh->element_count;) {
        lmb_element_data e;
        lmb_element_gather(mesh, i, &e);
        for (int end = 0; end < 2; end++, f += 6) {
            const lmb_section_forces forces = {f[0], f[1], f[2], f[3], f[4], f[5]};
            most = fmax(most, lmb_fibre_stress_of(&e.section, &forces).mises);
        }
    }
    if (most <= no_stress(l->model, u))
        memset(out, 0, 12 * (size_t)l->data->line_count * sizeof *out);
}

lmb_status lmb_look_at_basis(void *looker, lmb_context *context, int columns, const double *U)
{
    const lmb_basis_looker *l = looker;
    lmb_body_data *d = l->data;
    lmb_stress *s;
    lmb_status status = lmb_stress_new(&s, context, l->model);
    if (status)
        return status;
    size_t row = 12 * (size_t)d->line_count;
    d->basis_forces = lmb_arena_numbers(d->arena, (size_t)columns * row + 1);
    bool done = d->basis_forces && (s->count == 0 || basis_of_solids(l, s, columns, U));
    for (size_t k = 0; done && row > 0 && k < (size_t)columns; k++)
        forces_of_column(l, s, U + k * (size_t)l->model->n, d->basis_forces + k * row);
    lmb_arena_free(s->arena);
    return done ? LMB_OK : lmb_fail_memory(context);
}
