/* Beams as flexible bodies: the kinetic energy of their sections to second order of the
 * deformation, and what the gyroscopic moments of the sections do to a beam that spins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fe/beam.h"
#include "fe/properties.h"
#include "math/dense.h"
#include "models.h"
#include "moving_part.h"
#include "support.h"

static void add_point_mass(lmb_mesh *m, int node, lmb_point_mass mass)
{
    size_t elements = (size_t)m->element_count, connections = (size_t)m->connection_count;
    m->elements =
        lmb_arena_grow(m->arena, m->elements, elements, elements + 1, sizeof *m->elements);
    m->connections = lmb_arena_grow(m->arena, m->connections, connections, connections + 1,
                                    sizeof *m->connections);
    m->masses = lmb_arena_alloc(m->arena, 1, sizeof *m->masses);
    m->elements[m->element_count++] = (lmb_element){.kind = LMB_POINT_MASS,
                                                    .first = m->connection_count,
                                                    .material = -1,
                                                    .section = -1,
                                                    .point_mass = m->mass_count};
    m->connections[m->connection_count++] = node;
    m->masses[m->mass_count++] = mass;
}

/* --- kinetic energy -----------------------------------------------------------------------------
 */

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/* The motion of the body: deformation and its rate as nodal displacements. */
typedef struct motion {
    vec3 v, omega; /* body axes */
    double *u, *udot;
} motion;

static lmb_nodal nodal(const lmb_fe_model *m, const double *u, int node)
{
    double x[LMB_DIRECTIONS];
    for (int d = 0; d < LMB_DIRECTIONS; d++)
        x[d] = m->dof[node][d] < 0 ? 0 : u[m->dof[node][d]];
    return (lmb_nodal){v3(x[0], x[1], x[2]), v3(x[3], x[4], x[5])};
}

/* The energy of a rigid slice at x, moved by u and turned by exp(theta~). */
static double slice_energy(const motion *k, vec3 x, lmb_nodal at, lmb_nodal rate, double mass,
                           const mat3 *J)
{
    double eps = 1e-4;
    vec3 v = v3_add(k->v, v3_add(rate.u, v3_cross(k->omega, v3_add(x, at.u))));
    /* the angular velocity in the slice's axes: Q^T omega and that of Q^T Qdot, by differences of
     * order four */
    quat q = quat_exp(at.theta);
    vec3 spin = v3(0, 0, 0);
    static const double step[] = {1, -1, 2, -2}, factor[] = {2.0 / 3, -2.0 / 3, -1 / 12., 1 / 12.};
    for (int i = 0; i < 4; i++) {
        quat moved = quat_exp(v3_axpy(at.theta, eps * step[i], rate.theta));
        spin = v3_axpy(spin, factor[i] / eps, quat_log(quat_mul(quat_conjugate(q), moved)));
    }
    mat3 Q = quat_matrix(q);
    vec3 w = v3_add(m3_tmul(&Q, k->omega), spin);
    return (mass * v3_dot(v, v) + v3_dot(w, m3_mul(J, w))) / 2;
}

/* Bending that forces at the ends make: v cubic, turn = v' + EI/(kGA) v'''; at x from the values
 * at both ends, by solving for the four coefficients. */
static void bending(double L, double ratio, const double ends[4], double x, double *v, double *turn)
{
    double a[16], b[4];
    for (int k = 0; k < 2; k++) {
        double at = k * L;
        const double rows[2][4] = {{1, at, at * at, at * at * at},
                                   {0, 1, 2 * at, 3 * at * at + 6 * ratio}};
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 4; j++)
                a[4 * j + 2 * k + i] = rows[i][j];
    }
    memcpy(b, ends, sizeof b);
    assert_true(lmb_dense_solve(4, a, 1, b));
    *v = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
    *turn = b[1] + x * (2 * b[2] + x * 3 * b[3]) + 6 * ratio * b[3];
}

/* The section at a part s of an element, from the theory of beams. */
static lmb_nodal section_of(const lmb_element_data *e, const mat3 *R, double L, double s,
                            lmb_nodal n0, lmb_nodal n1)
{
    const lmb_section *c = &e->section;
    double G = e->material.E / (2 * (1 + e->material.nu)), v, w, turn_v, turn_w;
    vec3 u0 = m3_tmul(R, n0.u), u1 = m3_tmul(R, n1.u);
    vec3 t0 = m3_tmul(R, n0.theta), t1 = m3_tmul(R, n1.theta);
    const double in_y[4] = {u0.y, t0.z, u1.y, t1.z}, in_z[4] = {u0.z, -t0.y, u1.z, -t1.y};
    double ratio = e->kind == LMB_BEAM_PLANAR ? 0 : e->material.E / (c->shear_y * G * c->A);
    bending(L, ratio * c->Iz, in_y, s * L, &v, &turn_v);
    bending(L, ratio * c->Iy, in_z, s * L, &w, &turn_w);
    vec3 u = v3((1 - s) * u0.x + s * u1.x, v, w);
    vec3 theta = v3((1 - s) * t0.x + s * t1.x, -turn_w, turn_v);
    return (lmb_nodal){m3_mul(R, u), m3_mul(R, theta)};
}

static double energy_of_beam(const part *p, const lmb_element_data *e, const int *node,
                             const motion *k)
{
    enum { PIECES = 4 };
    mat3 R, J;
    double L, sum = 0, rho = e->material.density, turning = e->kind == LMB_BEAM_PLANAR ? 0 : rho;
    assert_true(lmb_beam_axes(e, &R, &L));
    const lmb_section *c = &e->section;
    const double I[3] = {turning * (c->Iy + c->Iz), turning * c->Iy, turning * c->Iz};
    for (int j = 0; j < 3; j++) {
        J.c[j] = v3(0, 0, 0);
        for (int i = 0; i < 3; i++)
            J.c[j] = v3_axpy(J.c[j], I[i] * v3_get(R.c[i], j), R.c[i]);
    }
    for (int i = 0; i < PIECES * LMB_BEAM_POINTS; i++) {
        double s = (i / LMB_BEAM_POINTS + lmb_beam_point[i % LMB_BEAM_POINTS]) / PIECES;
        double weight = lmb_beam_weight[i % LMB_BEAM_POINTS] / PIECES * L;
        vec3 x = v3_sub(v3_axpy(v3_scale(1 - s, e->x[0]), s, e->x[1]), p->reduced->origin);
        lmb_nodal at =
            section_of(e, &R, L, s, nodal(p->fe, k->u, node[0]), nodal(p->fe, k->u, node[1]));
        lmb_nodal rate =
            section_of(e, &R, L, s, nodal(p->fe, k->udot, node[0]), nodal(p->fe, k->udot, node[1]));
        mat3 dJ = m3_scale(weight, &J);
        sum += slice_energy(k, x, at, rate, weight * rho * c->A, &dJ);
    }
    return sum;
}

static double energy_of_slices(const part *p, const motion *k)
{
    double sum = 0;
    for (int i = 0; i < p->mesh->element_count; i++) {
        lmb_element_data e;
        lmb_element_gather(p->mesh, i, &e);
        const int *node = p->mesh->connections + p->mesh->elements[i].first;
        if (e.kind == LMB_POINT_MASS)
            sum += slice_energy(k, p->reduced->x[node[0]], nodal(p->fe, k->u, node[0]),
                                nodal(p->fe, k->udot, node[0]), e.mass.mass, &e.mass.inertia);
        else
            sum += energy_of_beam(p, &e, node, k);
    }
    return sum;
}

/* A bent line of thick beams with a wheel at its corner. */
static part bent_beam(int dimension)
{
    const vec3 line_points[] = {
        {0, 0, 0}, {0.8, 0.2, dimension == 2 ? 0 : 0.1}, {1.0, 0.9, dimension == 2 ? 0 : -0.2}};
    lmb_beam_line line = {.name = "arm",
                          .dimension = dimension,
                          .points = line_points,
                          .point_count = 3,
                          .elements = 3,
                          .material = {"soft", 2e7, 0.3, 1000, false}};
    lmb_mesh *mesh;
    assert_ok(lmb_section_rectangle(&line.section, context, 0.2, 0.3, 0.3));
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    lmb_point_mass wheel = {20, {{{0.9, 0.1, -0.2}, {0.1, 0.6, 0.05}, {-0.2, 0.05, 0.8}}}};
    add_point_mass(mesh, 1, wheel);
    return reduce_part(mesh, 3,
                       (lmb_reduction){.fixed = {.number = 4},
                                       .frame = LMB_FRAME_POINT,
                                       .frame_point = 0,
                                       .keep = {.number = 7}});
}

/* The difference between the body and its slices for a deformation of a size. */
static double difference(const part *p, double size, double *all)
{
    const lmb_modal *m = p->modal;
    bool planar = p->mesh->dimension == 2;
    int rigid = planar ? 3 : 6, first = planar ? 3 : 7;
    double q[PART_ROOM] = {0}, v[PART_ROOM];
    unsigned seed = 17;
    size_t n = (size_t)p->fe->n;
    double *u = calloc(3 * n, sizeof *u), *psi = u + 2 * n;
    quat turn = quat_exp(v3(0.4, -0.9, 0.3));
    q[3] = turn.w, q[4] = turn.x, q[5] = turn.y, q[6] = turn.z;
    for (int j = 0; j < rigid; j++)
        v[j] = number(&seed);
    for (int k = 0; k < m->modes; k++) {
        double turned = v3_norm(m->points[1].phi[k]) + v3_norm(m->points[1].psi[k]);
        q[first + k] = size * number(&seed) / turned;
        v[rigid + k] = size * number(&seed) / turned;
        lmb_reduced_displacements(p->reduced, p->fe, k, psi);
        for (size_t i = 0; i < n; i++) {
            u[i] += q[first + k] * psi[i];
            u[n + i] += v[rigid + k] * psi[i];
        }
    }
    lmb_body_at at = part_at(p, q, v);
    lmb_balance b = {0};
    p->body.ops->balance(&at, v3(0, 0, 0), &b);
    mat3 R = frame_rotation(&at.pose);
    vec3 speed = v3(v[0], v[1], planar ? 0 : v[2]);
    vec3 omega = planar ? v3(0, 0, v[2]) : v3(v[3], v[4], v[5]);
    motion k = {m3_tmul(&R, speed), omega, u, u + n};
    *all = energy_of_slices(p, &k);
    free(u);
    return fabs(b.kinetic - *all);
}

/* What the body leaves out is of third order: half the deformation, an eighth of the difference. A
 * lost term of second order would make that a quarter. */
static void kinetic_energy_is_that_of_rigid_slices(void **unused)
{
    (void)unused;
    part p = bent_beam(3);
    double all, last = difference(&p, 0.4, &all);
    assert_true(last < 0.05 * all);
    for (double size = 0.2; size > 0.01; size /= 2) {
        double now = difference(&p, size, &all), order = log2(last / now);
        assert_true(order > 2.8 && order < 3.3);
        last = now;
    }
    /* nothing is left where there is no deformation */
    assert_true(difference(&p, 0, &all) < 1e-12 * all);
    drop_part(&p);
}

/* In the plane sections turn about one axis, and nothing is left out at any deformation;
 * deflections within an element count with their own shape. */
static void in_the_plane_kinetic_energy_is_exact(void **unused)
{
    (void)unused;
    part p = bent_beam(2);
    double all;
    assert_true(difference(&p, 0.4, &all) < 1e-9 * all);
    drop_part(&p);
}

/* --- whirl --------------------------------------------------------------------------------------
 */

/* A round beam that spins about its axis between two bearings, ten times as long as thick. Without
 * shear deformation (Poisson's ratio near -1 makes G 5e6 E) its whirl in the inertial frame obeys
 *
 *   w^2 (1 + k^2 l^2) - 2 W w k^2 l^2 = E I l^4 / (rho A),  l = n pi / L, k^2 = I/A
 *
 * with w > 0 forward. The frame of the chord spins with the beam, where one sees |w - W|. */
static void spinning_beams_whirl_as_gyroscopes(void **unused)
{
    (void)unused;
    const double L = 1, E = 2e9, rho = 2000, d = 0.1;
    vec3 ends[] = {{0, 0, 0}, {L, 0, 0}};
    lmb_beam_line line = {.name = "shaft",
                          .dimension = 3,
                          .points = ends,
                          .point_count = 2,
                          .elements = 40,
                          .material = {"rigid in shear", E, -1 + 1e-7, rho, false}};
    lmb_mesh *mesh;
    assert_ok(lmb_section_circle(&line.section, context, d, 0.3));
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    part p = reduce_part(
        mesh, 40,
        (lmb_reduction){
            .fixed = {.number = 24}, .frame = LMB_FRAME_CHORD, .frame_point = 0, .chord_point = 1});
    double k2 = d * d / 16;
    for (int speed = 0; speed < 3; speed++) {
        double W = 150 * speed, q[PART_ROOM] = {0}, v[PART_ROOM] = {0}, found[PART_ROOM];
        q[3] = 1;
        v[3] = W;
        int count = part_frequencies(&p, q, v, found);
        for (int n = 1; n <= 3; n++) {
            double l = n * LMB_PI / L, a = 1 + k2 * l * l, b = W * k2 * l * l;
            double c = E * k2 * pow(l, 4) / rho, root = sqrt(b * b + a * c);
            double forward = (b + root) / a, backward = (b - root) / a;
            assert_found(found, count, fabs(forward - W), 1e-4);
            assert_found(found, count, fabs(backward - W), 1e-4);
        }
    }
    drop_part(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinetic_energy_is_that_of_rigid_slices),
        cmocka_unit_test(in_the_plane_kinetic_energy_is_exact),
        cmocka_unit_test(spinning_beams_whirl_as_gyroscopes),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
