/* The beam in space: Timoshenko's bending in two planes, stretching and torsion; and the beam of
 * the plane, Euler and Bernoulli's bending with the section's Iz, and stretching.
 *
 * Bending in the x-y plane has displacement v = uy and slope s = rz, that in the x-z plane uz and
 * -ry. A shear factor 0 makes a plane that of Euler and Bernoulli: no shear deformation and no
 * rotary inertia. Torsion has the polar inertia of the section. */
#include "fe/beam.h"

#include <string.h>

enum { N = 12 };

bool lmb_beam_axes(const lmb_element_data *e, mat3 *axes, double *length)
{
    vec3 d = v3_sub(e->x[1], e->x[0]), y = e->section.y_axis;
    if (e->kind == LMB_BEAM_PLANAR) {
        d.z = 0;
        y = v3(-d.y, d.x, 0);
    }
    *length = v3_norm(d);
    if (!(*length > 0))
        return false;
    vec3 x = v3_scale(1 / *length, d);
    if (v3_norm(y) == 0) /* the global axis that is farthest from the beam, z before y before x */
        y = fabs(x.z) <= 0.9 ? v3_cross(v3(0, 0, 1), x) : v3(0, 1, 0);
    double size = v3_norm(y);
    y = v3_axpy(y, -v3_dot(x, y), x);
    if (v3_norm(y) < 1e-6 * size)
        return false;
    y = v3_unit(y);
    *axes = (mat3){{x, y, v3_cross(x, y)}};
    return true;
}

/* Adds stiffness and mass of two equal ends that pull on each other: stretching, torsion. */
static void add_bar(double *K, double *M, int at, double k, double m)
{
    int a = at * (N + 1), b = (at + 6) * (N + 1);
    K[a] += k;
    K[b] += k;
    K[a + 6] -= k;
    K[b - 6] -= k;
    M[a] += m / 3;
    M[b] += m / 3;
    M[a + 6] += m / 6;
    M[b - 6] += m / 6;
}

/* Adds bending of the degrees of freedom `at`, slopes with a sign. */
static void add_bending(double *K, double *M, const int at[4], double sign,
                        const lmb_element_data *e, double I, double shear, double L)
{
    const lmb_material *m = &e->material;
    double A = e->section.A, phi = lmb_beam_shear_parameter(m, A, I, shear, L);
    double kb[16], mb[16];
    lmb_beam_bending_stiffness(m->E * I, L, phi, kb);
    lmb_beam_bending_mass(m->density * A, shear > 0 ? m->density * I : 0, L, phi, mb);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double s = (i % 2 ? sign : 1) * (j % 2 ? sign : 1);
            K[at[j] * N + at[i]] += s * kb[4 * j + i];
            M[at[j] * N + at[i]] += s * mb[4 * j + i];
        }
}

static void local_matrices(const lmb_element_data *e, double L, double *K, double *M)
{
    static const int plane_y[4] = {LMB_UY, LMB_RZ, 6 + LMB_UY, 6 + LMB_RZ};
    static const int plane_z[4] = {LMB_UZ, LMB_RY, 6 + LMB_UZ, 6 + LMB_RY};
    const lmb_section *s = &e->section;
    const lmb_material *m = &e->material;
    add_bar(K, M, LMB_UX, m->E * s->A / L, m->density * s->A * L);
    add_bar(K, M, LMB_RX, m->E / (2 * (1 + m->nu)) * s->J / L, m->density * (s->Iy + s->Iz) * L);
    add_bending(K, M, plane_y, 1, e, s->Iz, s->shear_y, L);
    add_bending(K, M, plane_z, -1, e, s->Iy, s->shear_z, L);
}

/* A becomes T^T A T with T = diag(R^T, R^T, R^T, R^T): columns first, then rows. */
static void turn(double *A, const mat3 *R)
{
    for (int pass = 0; pass < 2; pass++)
        for (int block = 0; block < 4; block++)
            for (int k = 0; k < N; k++) {
                double *x = pass ? &A[k * N + 3 * block] : &A[3 * block * N + k];
                int step = pass ? 1 : N;
                vec3 v = m3_mul(R, v3(x[0], x[step], x[2 * step]));
                x[0] = v.x;
                x[step] = v.y;
                x[2 * step] = v.z;
            }
}

void lmb_beam_matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
                       double *M)
{
    (void)tables;
    mat3 R;
    double L;
    memset(K, 0, N * N * sizeof *K);
    memset(M, 0, N * N * sizeof *M);
    if (!lmb_beam_axes(e, &R, &L))
        return;
    local_matrices(e, L, K, M);
    turn(K, &R);
    turn(M, &R);
}

/* The beam in space without shear deformation, of which x, y and the rotation about z are left. */
void lmb_beam_planar_matrices(const lmb_element_tables *tables, const lmb_element_data *e,
                              double *K, double *M)
{
    static const int dof[6] = {LMB_UX, LMB_UY, LMB_RZ, 6 + LMB_UX, 6 + LMB_UY, 6 + LMB_RZ};
    lmb_element_data thin = *e;
    double k[N * N], m[N * N];
    thin.section.shear_y = thin.section.shear_z = 0;
    lmb_beam_matrices(tables, &thin, k, m);
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) {
            K[6 * j + i] = k[dof[j] * N + dof[i]];
            M[6 * j + i] = m[dof[j] * N + dof[i]];
        }
}

/* Forces on the ends of the beam become those in its sections: at the first end the outer normal
 * is -x. */
void lmb_beam_forces(const lmb_element_data *e, bool inertia, const double *u,
                     lmb_section_forces ends[2])
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    double K[N * N], M[N * N], f[N] = {0}, length;
    lmb_nodal on[2];
    mat3 R;
    ends[0] = ends[1] = (lmb_section_forces){0};
    if (!lmb_beam_axes(e, &R, &length))
        return;
    type->matrices(NULL, e, K, M);
    for (int j = 0; j < type->dofs; j++)
        for (int i = 0; i < type->dofs; i++)
            f[i] += (inertia ? M : K)[j * type->dofs + i] * u[j];
    lmb_beam_ends(e, f, on);
    for (int end = 0; end < 2; end++) {
        double sign = end ? 1 : -1;
        vec3 force = v3_scale(sign, m3_tmul(&R, on[end].u));
        vec3 moment = v3_scale(sign, m3_tmul(&R, on[end].theta));
        ends[end] = (lmb_section_forces){force.x, force.y, force.z, moment.x, moment.y, moment.z};
    }
}

/* The acceleration W r of a unit of a motion. */
static vec3 carried(int motion, vec3 r)
{
    int k = motion % 3, next = (k + 1) % 3;
    vec3 axis = v3_axis(k);
    if (motion < LMB_CARRIED_TURN)
        return axis;
    if (motion < LMB_CARRIED_SPIN)
        return v3_cross(axis, r);
    if (motion < LMB_CARRIED_SPIN + 3)
        return v3_sub(v3_scale(v3_get(r, k), axis), r);
    return v3_add(v3_scale(v3_get(r, next), axis), v3_scale(v3_get(r, k), v3_axis(next)));
}

/* The field is linear along the beam; the nodes turn by its slope, t x (W t). */
void lmb_beam_carried_forces(const lmb_element_data *e, vec3 origin, int motion,
                             lmb_section_forces ends[2])
{
    vec3 r[2] = {v3_sub(e->x[0], origin), v3_sub(e->x[1], origin)};
    vec3 along = v3_sub(r[1], r[0]), slope = v3_sub(carried(motion, r[1]), carried(motion, r[0]));
    vec3 turn = v3_scale(1 / v3_dot(along, along), v3_cross(along, slope));
    unsigned directions = lmb_element_type_of(e->kind)->directions;
    double a[N];
    for (int end = 0, at = 0; end < 2; end++)
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            if (directions & LMB_BIT(d))
                a[at++] = v3_get(d < LMB_RX ? carried(motion, r[end]) : turn, d % 3);
    lmb_beam_forces(e, true, a, ends);
}
