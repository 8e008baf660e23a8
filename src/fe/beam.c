/* The beam in space: Timoshenko's bending in two planes, stretching and torsion.
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
    memset(K, 0, N * N * sizeof *K);
    memset(M, 0, N * N * sizeof *M);
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

static void matrices(const lmb_element_tables *tables, const lmb_element_data *e, double *K,
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

const lmb_element_type lmb_element_beam = {
    .name = "beam",
    .nodes = 2,
    .dofs = N,
    .directions = LMB_TRANSLATIONS | LMB_ROTATIONS,
    .beam = true,
    .matrices = matrices,
    .gradients = lmb_beam_gradients,
};

/* Forces on the ends of the beam become those in its sections: at the first end the outer normal
 * is -x. */
static lmb_section_forces section(vec3 force, vec3 moment, double sign)
{
    return (lmb_section_forces){sign * force.x,  sign * force.y,  sign * force.z,
                                sign * moment.x, sign * moment.y, sign * moment.z};
}

/* Forces at the ends of a matrix of the element times numbers of its nodes. */
static void end_forces(const lmb_element_data *e, bool mass, const double *u,
                       lmb_section_forces ends[2])
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    double K[N * N], M[N * N], f[N] = {0}, length;
    mat3 R;
    int n = type->dofs;
    if (!lmb_beam_axes(e, &R, &length)) {
        ends[0] = ends[1] = (lmb_section_forces){0};
        return;
    }
    type->matrices(NULL, e, K, M);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            f[i] += (mass ? M : K)[j * n + i] * u[j];
    for (int end = 0; end < 2; end++) {
        const double *p = f + end * n / 2;
        bool planar = n == 6;
        vec3 force = v3(p[0], p[1], planar ? 0 : p[2]);
        vec3 moment = planar ? v3(0, 0, p[2]) : v3(p[3], p[4], p[5]);
        ends[end] = section(m3_tmul(&R, force), m3_tmul(&R, moment), end ? 1 : -1);
    }
}

void lmb_beam_forces(const lmb_element_data *e, const double *u, lmb_section_forces ends[2])
{
    end_forces(e, false, u, ends);
}

void lmb_beam_inertia_forces(const lmb_element_data *e, const double *a, lmb_section_forces ends[2])
{
    end_forces(e, true, a, ends);
}

/* The acceleration W r of a unit of a motion. */
static vec3 carried(int motion, vec3 r)
{
    int k = motion % 3, next = (k + 1) % 3;
    vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (motion < LMB_CARRIED_TURN)
        return axis[k];
    if (motion < LMB_CARRIED_SPIN)
        return v3_cross(axis[k], r);
    if (motion < LMB_CARRIED_SPIN + 3)
        return v3_sub(v3_scale(v3_get(r, k), axis[k]), r);
    return v3_add(v3_scale(v3_get(r, next), axis[k]), v3_scale(v3_get(r, k), axis[next]));
}

/* The field is linear along the beam; the nodes turn by its slope, t x (W t). */
void lmb_beam_carried_forces(const lmb_element_data *e, vec3 origin, int motion,
                             lmb_section_forces ends[2])
{
    bool planar = lmb_element_type_of(e->kind)->dofs == 6;
    vec3 r[2] = {v3_sub(e->x[0], origin), v3_sub(e->x[1], origin)};
    vec3 along = v3_sub(r[1], r[0]), slope = v3_sub(carried(motion, r[1]), carried(motion, r[0]));
    vec3 turn = v3_scale(1 / v3_dot(along, along), v3_cross(along, slope));
    double a[N];
    for (int end = 0, at = 0; end < 2; end++) {
        vec3 move = carried(motion, r[end]);
        a[at++] = move.x;
        a[at++] = move.y;
        if (!planar) {
            a[at++] = move.z;
            a[at++] = turn.x;
            a[at++] = turn.y;
        }
        a[at++] = turn.z;
    }
    lmb_beam_inertia_forces(e, a, ends);
}
