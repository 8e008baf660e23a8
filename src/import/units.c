/* Systems of units. Force is mass length / time^2, stress is force / length^2, and an entry of a
 * matrix between directions i and j has the unit of
 *
 *   K  mass / time^2    C  mass / time    M  mass       times length for each rotation of i and j
 */
#include "import/units.h"

#include "base/text.h"

const lmb_units lmb_unit_systems[] = {
    {"SI", "m, kg, s: forces in N, stresses in Pa", {1, 1}, {1, 1}, {1, 1}},
    {"mm-t-s", "mm, tonne, s: forces in N, stresses in MPa", {1, 1000}, {1000, 1}, {1, 1}},
    {"mm-kg-ms", "mm, kg, ms: forces in kN, stresses in GPa", {1, 1000}, {1, 1}, {1, 1000}},
    {"in-lbf-s",
     "inch, lbf s^2/inch, s: forces in lbf, stresses in psi",
     {0.0254, 1},
     {4.4482216152605, 0.0254},
     {1, 1}},
    {0}};

const lmb_units *lmb_units_of(lmb_context *context, lmb_place place, const char *name)
{
    lmb_nearest nearest;
    int found = lmb_find_name(lmb_unit_systems, sizeof *lmb_unit_systems, -1, name, &nearest);
    if (found >= 0)
        return &lmb_unit_systems[found];
    lmb_fail_at(context, place, "units '%s' are not known", name);
    if (nearest.best)
        lmb_nearest_hint(context, &nearest);
    else
        lmb_hint(context, "known are SI, mm-t-s, mm-kg-ms and in-lbf-s");
    return NULL;
}

void lmb_ratio_times(lmb_ratio *product, lmb_ratio r, int power)
{
    for (; power > 0; power--)
        *product = (lmb_ratio){product->over * r.over, product->under * r.under};
    for (; power < 0; power++)
        *product = (lmb_ratio){product->over * r.under, product->under * r.over};
}

double lmb_units_scale(const lmb_units *units, double value, int l, int m, int t)
{
    lmb_ratio r = {1, 1};
    lmb_ratio_times(&r, units->length, l);
    lmb_ratio_times(&r, units->mass, m);
    lmb_ratio_times(&r, units->time, t);
    return r.over < r.under ? value / (r.under / r.over) : value * (r.over / r.under);
}

bool lmb_looks_too_large(const vec3 *x, int count, double mass, double *length)
{
    const double longest = 100, heaviest = 1e5; /* m, kg */
    vec3 low = count ? x[0] : v3(0, 0, 0), high = low;
    for (int i = 0; i < count; i++) {
        low = v3(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z));
        high = v3(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z));
    }
    vec3 size = v3_sub(high, low);
    *length = fmax(fmax(size.x, size.y), size.z);
    return count > 0 && (*length > longest || mass > heaviest);
}

static vec3 scale_vector(const lmb_units *u, vec3 v, int l, int m)
{
    return v3(lmb_units_scale(u, v.x, l, m, 0), lmb_units_scale(u, v.y, l, m, 0),
              lmb_units_scale(u, v.z, l, m, 0));
}

static void scale_section(const lmb_units *u, lmb_section *s)
{
    s->A = lmb_units_scale(u, s->A, 2, 0, 0);
    double *const inertias[] = {&s->Iy, &s->Iz, &s->J};
    double *const lengths[] = {&s->y_max, &s->z_max, &s->torsion_radius, &s->inner_y, &s->inner_z};
    for (int i = 0; i < 3; i++)
        *inertias[i] = lmb_units_scale(u, *inertias[i], 4, 0, 0);
    for (int i = 0; i < 5; i++)
        *lengths[i] = lmb_units_scale(u, *lengths[i], 1, 0, 0);
}

void lmb_units_mesh(const lmb_units *u, lmb_mesh *mesh)
{
    for (int i = 0; i < mesh->node_count; i++)
        mesh->x[i] = scale_vector(u, mesh->x[i], 1, 0);
    for (int i = 0; i < mesh->material_count; i++) {
        lmb_material *m = &mesh->materials[i];
        m->E = lmb_units_scale(u, m->E, -1, 1, -2);
        m->density = lmb_units_scale(u, m->density, -3, 1, 0);
    }
    for (int i = 0; i < mesh->section_count; i++)
        scale_section(u, &mesh->sections[i]);
    for (int i = 0; i < mesh->mass_count; i++) {
        lmb_point_mass *p = &mesh->masses[i];
        p->mass = lmb_units_scale(u, p->mass, 0, 1, 0);
        for (int k = 0; k < 3; k++)
            p->inertia.c[k] = scale_vector(u, p->inertia.c[k], 2, 1);
    }
}

static void scale_matrix(const lmb_units *u, const lmb_fe_model *model, lmb_symmetric *matrix,
                         int t)
{
    if (!matrix->start)
        return;
    for (int j = 0; j < matrix->n; j++)
        for (int k = matrix->start[j]; k < matrix->start[j + 1]; k++) {
            int rotations =
                (model->direction[j] >= LMB_RX) + (model->direction[matrix->row[k]] >= LMB_RX);
            matrix->value[k] = lmb_units_scale(u, matrix->value[k], rotations, 1, t);
        }
}

void lmb_units_matrices(const lmb_units *u, lmb_fe_model *model)
{
    scale_matrix(u, model, &model->K, -2);
    scale_matrix(u, model, &model->C, -1);
    scale_matrix(u, model, &model->M, 0);
}
