/* Inertia forces: through the mass matrix of solids, over the sections of beams.
 *
 *   f = -omega x (omega x x) - alpha x x      per mass
 *   m = (J omega) x omega - J alpha           on a section */
#include <string.h>

#include "fe/beam.h"
#include "fe/solid.h"

/* omega_a omega_b (d_ab x - (e_a x_b + e_b x_a) / 2) */
lmb_inertia_field lmb_centrifugal_field(vec3 origin, int a, int b, vec3 acceleration)
{
    lmb_inertia_field f = {.origin = origin, .a = a, .b = b, .turning = acceleration};
    for (int j = 0; j < 3; j++) {
        vec3 e = v3_axis(j);
        f.gradient.c[j] = a == b ? e : v3(0, 0, 0);
        f.gradient.c[j] = v3_axpy(f.gradient.c[j], -(j == b) / 2.0, v3_axis(a));
        f.gradient.c[j] = v3_axpy(f.gradient.c[j], -(j == a) / 2.0, v3_axis(b));
        f.gradient.c[j] = v3_sub(f.gradient.c[j], v3_cross(acceleration, e));
    }
    return f;
}

vec3 lmb_inertia_moment(const lmb_inertia_field *f, const mat3 *J)
{
    vec3 one = v3_cross(J->c[f->a], v3_axis(f->b)), other = v3_cross(J->c[f->b], v3_axis(f->a));
    return v3_sub(v3_scale(0.5, v3_add(one, other)), m3_mul(J, f->turning));
}

static vec3 force_at(const lmb_inertia_field *f, vec3 x)
{
    return m3_mul(&f->gradient, v3_sub(x, f->origin));
}

static void on_solid(const lmb_element_tables *tables, const lmb_element_data *e,
                     const lmb_inertia_field *f, double *load)
{
    int nodes = lmb_element_nodes(e->kind);
    vec3 force[LMB_ELEMENT_NODES_MAX], sum[LMB_ELEMENT_NODES_MAX] = {{0, 0, 0}};
    for (int a = 0; a < nodes; a++)
        force[a] = force_at(f, e->x[a]);
    lmb_solid_add_load(lmb_solid_table_of(tables, e->kind), e, force, sum);
    for (int i = 0; i < 3 * nodes; i++)
        load[i] = v3_get(sum[i / 3], i % 3);
}

static void on_beam(const lmb_element_data *e, const lmb_inertia_field *f, double *load)
{
    int dofs = lmb_element_type_of(e->kind)->dofs;
    for (int p = 0; p < LMB_BEAM_POINTS; p++) {
        lmb_beam_section at;
        if (!lmb_beam_section_at(e, lmb_beam_point[p], &at))
            return;
        double weight = lmb_beam_weight[p] * at.length;
        vec3 force = v3_scale(weight * at.mass, force_at(f, at.x));
        vec3 moment = v3_scale(weight, lmb_inertia_moment(f, &at.inertia));
        for (int d = 0; d < dofs; d++) {
            double unit[LMB_ELEMENT_DOFS_MAX] = {0};
            lmb_nodal ends[2];
            unit[d] = 1;
            lmb_beam_ends(e, unit, ends);
            lmb_section_motion s = lmb_beam_motion(&at, ends);
            load[d] += v3_dot(s.u, force) + v3_dot(s.theta, moment);
        }
    }
}

void lmb_inertia_load(const lmb_element_tables *tables, const lmb_element_data *e,
                      const lmb_inertia_field *f, double *load)
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    memset(load, 0, (size_t)type->dofs * sizeof *load);
    if (type->solid) {
        on_solid(tables, e, f, load);
    } else if (type->beam) {
        on_beam(e, f, load);
    } else {
        vec3 force = v3_scale(e->mass.mass, force_at(f, e->x[0]));
        vec3 moment = lmb_inertia_moment(f, &e->mass.inertia);
        for (int d = 0; d < 3; d++) {
            load[d] = v3_get(force, d);
            load[3 + d] = v3_get(moment, d);
        }
    }
}
