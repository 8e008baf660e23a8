/* The beam in space: Timoshenko's bending in two planes, stretching and torsion; and the beam of
 * the plane, Euler and Bernoulli's bending with the section's Iz, and stretching.
 *
 * Bending in the x-y plane has displacement v = uy and slope s = rz, that in the x-z plane uz and
 * -ry. A shear factor 0 makes a plane that of Euler and Bernoulli: no shear deformation and no
 * rotary inertia. Torsion has the polar inertia of the section.
 *
 * Stretching and torsion are linear. The shape functions of bending are those of a beam loaded at
 * its ends only (Przemieniecki; Friedman and Kosmatka, Computers and Structures 47, 1993):
 * displacements are cubic and turns quadratic, with s = x/L, m = 1/(1 + phi) and
 *
 *   phi:   12 EI / (k G A L^2)
 *   v:     m (1 - 3 s^2 + 2 s^3 + phi (1 - s)),   m L (s - 2 s^2 + s^3 + phi/2 (s - s^2)),
 *          m (3 s^2 - 2 s^3 + phi s),             m L (s^3 - s^2 - phi/2 (s - s^2))
 *   turn:  v' + phi L^2/12 v'''
 *
 * So deflections under forces at nodes are exact. phi = 0 gives Euler and Bernoulli's beam. */
#include "fe/beam.h"

#include <string.h>

const double lmb_beam_point[LMB_BEAM_POINTS] = {0.069431844202973712388, 0.33000947820757186760,
                                                0.66999052179242813240, 0.930568155797026287612};
const double lmb_beam_weight[LMB_BEAM_POINTS] = {0.173927422568726928687, 0.326072577431273071313,
                                                 0.326072577431273071313, 0.173927422568726928687};

void lmb_beam_bending_shapes(double s, double L, double phi, double v[4], double turn[4],
                             double slope[4])
{
    double m = 1 / (1 + phi), bubble = s * (1 - s), shear = phi * m / L;
    v[0] = m * (1 - s * s * (3 - 2 * s) + phi * (1 - s));
    v[1] = m * L * bubble * (1 - s + phi / 2);
    v[2] = m * (s * s * (3 - 2 * s) + phi * s);
    v[3] = -m * L * bubble * (s + phi / 2);
    turn[0] = -6 * m * bubble / L;
    turn[1] = m * (1 - s) * (1 - 3 * s + phi);
    turn[2] = 6 * m * bubble / L;
    turn[3] = m * s * (3 * s - 2 + phi);
    slope[0] = turn[0] - shear;
    slope[1] = turn[1] - shear * L / 2;
    slope[2] = turn[2] + shear;
    slope[3] = turn[3] - shear * L / 2;
}

/* Adds a symmetric 4 x 4 matrix of its six different numbers; both ends are alike. */
static void fill(double *A, double vv, double vs, double vV, double vS, double ss, double sS)
{
    const double a[16] = {vv, vs, vV, vS, vs, ss, -vS, sS, vV, -vS, vv, -vs, vS, sS, -vs, ss};
    for (int i = 0; i < 16; i++)
        A[i] += a[i];
}

void lmb_beam_bending_stiffness(double EI, double L, double phi, double *K)
{
    double k = EI / (L * L * L * (1 + phi));
    memset(K, 0, 16 * sizeof *K);
    fill(K, 12 * k, 6 * k * L, -12 * k, 6 * k * L, (4 + phi) * k * L * L, (2 - phi) * k * L * L);
}

void lmb_beam_bending_mass(double mass, double rotary, double L, double phi, double *M)
{
    double m = mass * L / ((1 + phi) * (1 + phi)), r = rotary / (L * (1 + phi) * (1 + phi));
    double p2 = phi * phi;
    memset(M, 0, 16 * sizeof *M);
    fill(M, m * (13.0 / 35 + 7 * phi / 10 + p2 / 3),
         m * L * (11.0 / 210 + 11 * phi / 120 + p2 / 24), m * (9.0 / 70 + 3 * phi / 10 + p2 / 6),
         -m * L * (13.0 / 420 + 3 * phi / 40 + p2 / 24),
         m * L * L * (1.0 / 105 + phi / 60 + p2 / 120),
         -m * L * L * (1.0 / 140 + phi / 60 + p2 / 120));
    fill(M, r * 1.2, r * L * (0.1 - phi / 2), -r * 1.2, r * L * (0.1 - phi / 2),
         r * L * L * (2.0 / 15 + phi / 6 + p2 / 3), r * L * L * (-1.0 / 30 - phi / 6 + p2 / 6));
}

double lmb_beam_shear_parameter(const lmb_material *m, double A, double I, double factor, double L)
{
    double G = m->E / (2 * (1 + m->nu));
    return factor > 0 ? 12 * m->E * I / (factor * G * A * L * L) : 0;
}

/* --- matrices and forces ---------------------------------------------------------------------- */

enum { N = 12 };

bool lmb_section_axes(vec3 along, vec3 y, mat3 *axes)
{
    vec3 x = v3_unit(along);
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

bool lmb_beam_axes(const lmb_element_data *e, mat3 *axes, double *length)
{
    vec3 d = v3_sub(e->x[1], e->x[0]), y = e->section.y_axis;
    if (e->kind == LMB_BEAM_PLANAR) {
        d.z = 0;
        y = v3(-d.y, d.x, 0);
    }
    *length = v3_norm(d);
    return *length > 0 && lmb_section_axes(d, y, axes);
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
static void sections_of(const lmb_element_data *e, const mat3 *R, const double *f,
                        lmb_section_forces ends[2])
{
    lmb_nodal on[2];
    lmb_beam_ends(e, f, on);
    for (int end = 0; end < 2; end++) {
        double sign = end ? 1 : -1;
        vec3 force = v3_scale(sign, m3_tmul(R, on[end].u));
        vec3 moment = v3_scale(sign, m3_tmul(R, on[end].theta));
        ends[end] = (lmb_section_forces){force.x, force.y, force.z, moment.x, moment.y, moment.z};
    }
}

void lmb_beam_forces(const lmb_element_data *e, bool inertia, int columns, const double *u,
                     lmb_section_forces *ends, size_t apart)
{
    const lmb_element_type *type = lmb_element_type_of(e->kind);
    double K[N * N], M[N * N], length;
    mat3 R;
    bool fine = lmb_beam_axes(e, &R, &length);
    if (fine)
        type->matrices(NULL, e, K, M);
    for (int c = 0; c < columns; c++, u += type->dofs, ends += apart) {
        double f[N] = {0};
        ends[0] = ends[1] = (lmb_section_forces){0};
        for (int j = 0; fine && j < type->dofs; j++)
            for (int i = 0; i < type->dofs; i++)
                f[i] += (inertia ? M : K)[j * type->dofs + i] * u[j];
        if (fine)
            sections_of(e, &R, f, ends);
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
    lmb_beam_forces(e, true, 1, a, ends, 2);
}

/* --- fields within a beam --------------------------------------------------------------------- */

/* R diag(d) R^T */
static mat3 turned_diagonal(const mat3 *R, vec3 d)
{
    mat3 out;
    const vec3 *c = R->c;
    for (int j = 0; j < 3; j++) {
        out.c[j] = v3_scale(d.x * v3_get(c[0], j), c[0]);
        out.c[j] = v3_axpy(out.c[j], d.y * v3_get(c[1], j), c[1]);
        out.c[j] = v3_axpy(out.c[j], d.z * v3_get(c[2], j), c[2]);
    }
    return out;
}

bool lmb_beam_section_at(const lmb_element_data *e, double s, lmb_beam_section *out)
{
    const lmb_section *c = &e->section;
    bool planar = e->kind == LMB_BEAM_PLANAR;
    if (!lmb_beam_axes(e, &out->axes, &out->length))
        return false;
    double L = out->length, rho = e->material.density;
    out->x = v3_axpy(v3_scale(1 - s, e->x[0]), s, e->x[1]);
    out->mass = rho * c->A;
    /* a plane without shear deformation has no rotary inertia, nor has the beam of the plane */
    vec3 I = v3(rho * (c->Iy + c->Iz), c->shear_z > 0 ? rho * c->Iy : 0,
                c->shear_y > 0 ? rho * c->Iz : 0);
    out->inertia = turned_diagonal(&out->axes, planar ? v3(0, 0, 0) : I);
    out->polar_radius = planar ? 0 : sqrt((c->Iy + c->Iz) / c->A);
    out->linear[0] = 1 - s;
    out->linear[1] = s;
    for (int k = 0; k < 2; k++) {
        double shear = planar ? 0 : k ? c->shear_z : c->shear_y;
        double phi = lmb_beam_shear_parameter(&e->material, c->A, k ? c->Iy : c->Iz, shear, L);
        lmb_beam_bending_shapes(s, L, phi, out->v[k], out->turn[k], out->slope[k]);
    }
    return true;
}

static double sum4(const double *f, const double *x)
{
    return f[0] * x[0] + f[1] * x[1] + f[2] * x[2] + f[3] * x[3];
}

lmb_section_motion lmb_beam_motion(const lmb_beam_section *b, const lmb_nodal ends[2])
{
    vec3 u[2], t[2];
    for (int k = 0; k < 2; k++) {
        u[k] = m3_tmul(&b->axes, ends[k].u);
        t[k] = m3_tmul(&b->axes, ends[k].theta);
    }
    /* displacement and slope: uy and rz, uz and -ry */
    const double in_y[4] = {u[0].y, t[0].z, u[1].y, t[1].z};
    const double in_z[4] = {u[0].z, -t[0].y, u[1].z, -t[1].y};
    const double *l = b->linear;
    vec3 move = v3(l[0] * u[0].x + l[1] * u[1].x, sum4(b->v[0], in_y), sum4(b->v[1], in_z));
    vec3 turn = v3(l[0] * t[0].x + l[1] * t[1].x, -sum4(b->turn[1], in_z), sum4(b->turn[0], in_y));
    return (lmb_section_motion){m3_mul(&b->axes, move), m3_mul(&b->axes, turn),
                                v3(b->polar_radius * (t[1].x - t[0].x) / b->length,
                                   sum4(b->slope[0], in_y), sum4(b->slope[1], in_z))};
}

void lmb_beam_ends(const lmb_element_data *e, const double *u, lmb_nodal ends[2])
{
    for (int k = 0; k < 2; k++, u += e->kind == LMB_BEAM_PLANAR ? 3 : 6)
        ends[k] = e->kind == LMB_BEAM_PLANAR
                      ? (lmb_nodal){v3(u[0], u[1], 0), v3(0, 0, u[2])}
                      : (lmb_nodal){v3(u[0], u[1], u[2]), v3(u[3], u[4], u[5])};
}

/* What forces along a beam add to the normal force at s. They are linear, p1 (1 - s) + p2 s a
 * length, which two nodal forces f1 = L (p1/3 + p2/6) and f2 = L (p1/6 + p2/3) tell. */
static double normal_of_load(double s, double f1, double f2)
{
    double p1 = 4 * f1 - 2 * f2, p2 = 4 * f2 - 2 * f1; /* times L */
    return f1 - p1 * s * (1 - s / 2) - p2 * s * s / 2;
}

/* The normal force is that of the nodes' displacements, with the forces within the beam. */
void lmb_beam_gradients(const lmb_element_tables *tables, const lmb_element_data *e, int columns,
                        const double *u, const double *load, lmb_gradients *out)
{
    (void)tables;
    int dofs = lmb_element_type_of(e->kind)->dofs;
    out->points = 0;
    for (int p = 0; p < LMB_BEAM_POINTS; p++) {
        lmb_beam_section at;
        if (!lmb_beam_section_at(e, lmb_beam_point[p], &at))
            return;
        out->weight[out->points++] = lmb_beam_weight[p] * at.length;
        for (int c = 0; c < columns; c++) {
            lmb_nodal ends[2], pull[2];
            double *S = out->S + ((long)p * columns + c) * LMB_STRESSES;
            double *D = out->D + ((long)p * columns + c) * 9;
            memset(S, 0, LMB_STRESSES * sizeof *S);
            memset(D, 0, 9 * sizeof *D);
            lmb_beam_ends(e, u + (long)c * dofs, ends);
            lmb_section_motion now = lmb_beam_motion(&at, ends);
            double stretch = v3_dot(at.axes.c[0], v3_sub(ends[1].u, ends[0].u)) / at.length;
            S[LMB_SXX] = e->material.E * e->section.A * stretch;
            if (load) {
                lmb_beam_ends(e, load + (long)c * dofs, pull);
                S[LMB_SXX] += normal_of_load(lmb_beam_point[p], v3_dot(at.axes.c[0], pull[0].u),
                                             v3_dot(at.axes.c[0], pull[1].u));
            }
            D[0] = now.along.x;
            D[3] = now.along.y;
            D[6] = now.along.z;
        }
    }
}
