/* Elements of exact beams: forces are the gradient of the energy, tangents those of the forces,
 * strains do not depend on who looks; in random configurations with relative rotations of about
 * half a radian, of all orders, in the plane and in space, with damping and coupled stiffness. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements/beam_element.h"
#include "math/rotvec.h"
#include "frames/node.h"
#include "support.h"

static double uniform(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

static vec3 any_vector(double size)
{
    return v3(size * uniform(), size * uniform(), size * uniform());
}

/* An element of a curved beam with all couplings of strains. */
typedef struct sample {
    lmb_exact_beam beam;
    lmb_frame nodes[LMB_BEAM_NODES];
    double length, stiffness[3 * 36];
    lmb_beam_element element;
    const lmb_beam_kind *kind;
    lmb_node node;
    double q[LMB_BEAM_NODES][7], v[LMB_BEAM_NODES][6];
} sample;

static lmb_beam_state state_of(sample *s, bool moving)
{
    lmb_beam_state out = {{0}, {0}};
    for (int i = 0; i <= s->beam.order; i++) {
        out.q[i] = s->q[i];
        out.v[i] = moving ? s->v[i] : NULL;
    }
    return out;
}

static void set_stiffness(double *C)
{
    double root[36];
    for (int i = 0; i < 36; i++)
        root[i] = uniform();
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            C[6 * j + i] = i == j ? 2 : 0;
            for (int k = 0; k < 6; k++)
                C[6 * j + i] += root[6 * k + i] * root[6 * k + j];
        }
}

static void make(sample *s, int dimension, int order, double damping)
{
    memset(s, 0, sizeof *s);
    s->kind = dimension == 2 ? &lmb_beam_plane : &lmb_beam_space;
    s->node = (lmb_node){.kind = dimension == 2 ? LMB_NODE_PLANE : LMB_NODE_SPACE,
                         .nq = dimension == 2 ? 3 : 7,
                         .nv = dimension == 2 ? 3 : 6};
    s->length = 0.8;
    for (int k = 0; k < order; k++)
        set_stiffness(s->stiffness + 36 * k);
    for (int i = 0; i <= order; i++) {
        double x = 0.4 * (1 + lmb_lobatto_points[order][i]);
        vec3 turn = dimension == 2 ? v3(0, 0, 0.7 * x) : v3(0.5 * x, -0.4 * x, 0.7 * x);
        mat3 R = quat_matrix(quat_exp(turn));
        s->nodes[i] = frame_with_axes(v3(x, 0.2 * x * x, dimension == 2 ? 0 : -0.1 * x), &R);
    }
    s->beam = (lmb_exact_beam){.dimension = dimension,
                               .order = order,
                               .element_count = 1,
                               .node_count = order + 1,
                               .nodes = s->nodes,
                               .lengths = &s->length,
                               .stiffness = s->stiffness,
                               .damping = damping};
    lmb_beam_element_set(&s->beam, 0, &s->element);
    for (int i = 0; i <= order; i++) { /* far turned as a whole, and bent by about 0.5 rad */
        mat3 R = frame_rotation(&s->nodes[i]);
        quat all = quat_exp(dimension == 2 ? v3(0, 0, 1.1) : v3(1.1, -2, 0.7));
        vec3 p = m3_mul(&(mat3){{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}, s->nodes[i].p);
        quat turn = quat_mul(all, quat_from_matrix(&R));
        turn =
            quat_mul(turn, quat_exp(dimension == 2 ? v3(0, 0, 0.4 * uniform()) : any_vector(0.4)));
        R = quat_matrix(turn);
        lmb_node_place(&s->node, v3_add(p, any_vector(0.2)), &R, 0, s->q[i]);
        for (int j = 0; j < s->node.nv; j++)
            s->v[i][j] = uniform();
    }
}

/* Moves node i along its coordinate j. */
static void move(sample *s, int i, int j, double by)
{
    double d[6] = {0};
    d[j] = by;
    lmb_node_retract(&s->node, s->q[i], d, s->q[i]);
}

static void forces(sample *s, bool moving, double *Q)
{
    double *at[LMB_BEAM_NODES];
    lmb_beam_state state = state_of(s, moving);
    memset(Q, 0, 24 * sizeof *Q);
    for (int i = 0; i <= s->beam.order; i++)
        at[i] = Q + i * s->kind->size;
    s->kind->force(&s->element, &state, at);
}

static double energy(sample *s)
{
    lmb_beam_state state = state_of(s, false);
    return lmb_beam_energy(s->kind, &s->element, &state);
}

static void all_samples(void (*check)(sample *s))
{
    srand(7);
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int order = 1; order <= 3; order++)
            for (int damped = 0; damped < 2; damped++)
                for (int trial = 0; trial < 3; trial++) {
                    sample s;
                    make(&s, dimension, order, damped ? 0.3 : 0);
                    check(&s);
                }
}

/* Differences of fourth order with h = 1e-3: error h^4 / 30 of the fifth derivative, and rounding
 * 1e-16 / h; energies and forces are about 1 to 100 here. */
static const double h = 1e-3;

static void check_gradient(sample *s)
{
    double Q[24];
    forces(s, false, Q);
    for (int i = 0; i <= s->beam.order; i++)
        for (int j = 0; j < s->kind->size; j++) {
            double E[4], by[4] = {-2 * h, h, 2 * h, h};
            sample moved = *s;
            for (int k = 0; k < 4; k++) { /* -2h, -h, h, 2h */
                move(&moved, i, j, by[k]);
                E[k] = energy(&moved);
            }
            double slope = (E[0] - 8 * E[1] + 8 * E[2] - E[3]) / (12 * h);
            assert_close(-Q[i * s->kind->size + j], slope, 1e-9);
        }
}

static void forces_are_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    all_samples(check_gradient);
}

static void check_tangent(sample *s)
{
    int size = s->kind->size, n = size * (s->beam.order + 1);
    double by_q[24 * 24], by_v[24 * 24], Q[4][24], by[4] = {-2 * h, h, 2 * h, h};
    lmb_beam_state state = state_of(s, true);
    s->kind->tangent(&s->element, &state, by_q, by_v);
    for (int column = 0; column < n; column++) {
        sample moved = *s, faster = *s;
        for (int k = 0; k < 4; k++) {
            move(&moved, column / size, column % size, by[k]);
            forces(&moved, true, Q[k]);
        }
        for (int i = 0; i < n; i++)
            assert_close(-by_q[column * n + i],
                         (Q[0][i] - 8 * Q[1][i] + 8 * Q[2][i] - Q[3][i]) / (12 * h), 1e-9);
        for (int k = 0; k < 4; k++) {
            faster.v[column / size][column % size] += by[k];
            forces(&faster, true, Q[k]);
        }
        for (int i = 0; i < n; i++)
            assert_close(-by_v[column * n + i],
                         (Q[0][i] - 8 * Q[1][i] + 8 * Q[2][i] - Q[3][i]) / (12 * h), 1e-9);
    }
}

static void tangents_are_exact(void **unused)
{
    (void)unused;
    all_samples(check_tangent);
}

/* Moved and turned as a whole: same strains, strain rates and section forces. A turn about the
 * origin with angular velocity w adds w x r and R_i^T w. */
static void check_indifference(sample *s)
{
    bool plane = s->beam.dimension == 2;
    vec3 w = plane ? v3(0, 0, 1.3) : v3(1.3, -0.4, 0.9), u = plane ? v3(2, 1, 0) : v3(2, 1, -3);
    quat turn = quat_exp(plane ? v3(0, 0, 2.3) : v3(-1.3, 2, 0.4));
    mat3 R = quat_matrix(turn);
    sample other = *s;
    for (int i = 0; i <= s->beam.order; i++) {
        vec3 p = v3(s->q[i][0], s->q[i][1], plane ? 0 : s->q[i][2]);
        vec3 pdot = v3(s->v[i][0], s->v[i][1], plane ? 0 : s->v[i][2]);
        p = m3_mul(&R, p);
        pdot = v3_add(m3_mul(&R, pdot), v3_cross(w, p));
        for (int j = 0; j < (plane ? 2 : 3); j++) {
            other.q[i][j] = v3_get(v3_add(p, u), j);
            other.v[i][j] = v3_get(pdot, j);
        }
        if (plane) {
            other.q[i][2] += 2.3;
            other.v[i][2] += w.z;
            continue;
        }
        quat q = quat_mul(turn, node_quat(s->q[i]));
        mat3 axes = quat_matrix(q);
        node_put_quat(other.q[i], q);
        node_put(other.v[i] + 3, v3_add(v3_of(s->v[i] + 3), m3_tmul(&axes, w)));
    }
    lmb_beam_state a = state_of(s, true), b = state_of(&other, true);
    for (int k = 0; k < s->beam.order; k++) {
        lmb_beam_section_state x, y;
        s->kind->section(&s->element, &a, k, &x);
        s->kind->section(&s->element, &b, k, &y);
        assert_true(v3_norm(v3_sub(x.strain.gamma, y.strain.gamma)) < 1e-12);
        assert_true(v3_norm(v3_sub(x.strain.kappa, y.strain.kappa)) < 1e-12);
        assert_true(v3_norm(v3_sub(x.rate.gamma, y.rate.gamma)) < 1e-12);
        assert_true(v3_norm(v3_sub(x.rate.kappa, y.rate.kappa)) < 1e-12);
        assert_true(v3_norm(v3_sub(x.force.kappa, y.force.kappa)) < 1e-11);
    }
}

static void strains_do_not_depend_on_who_looks(void **unused)
{
    (void)unused;
    all_samples(check_indifference);
}

/* A circle: kappa is one over its radius at all points, with nodes exactly on it. */
static void check_circle(sample *s)
{
    bool plane = s->beam.dimension == 2;
    sample c = *s;
    double radius = 0.8;
    for (int i = 0; i <= s->beam.order; i++) {
        double x = 0.4 * (1 + lmb_lobatto_points[s->beam.order][i]);
        c.nodes[i] = frame_identity();
        c.nodes[i].p = v3(x, 0, 0);
        mat3 R = quat_matrix(quat_exp(v3(0, 0, x / radius)));
        vec3 p = v3(radius * sin(x / radius), radius * (1 - cos(x / radius)), 0);
        lmb_node_place(&s->node, p, &R, x / radius, c.q[i]);
    }
    c.beam.nodes = c.nodes;
    c.beam.lengths = &c.length;
    c.beam.stiffness = c.stiffness;
    lmb_beam_element_set(&c.beam, 0, &c.element);
    lmb_beam_state state = state_of(&c, false);
    for (int k = 0; k < s->beam.order; k++) {
        lmb_beam_section_state x;
        c.kind->section(&c.element, &state, k, &x);
        assert_close(x.strain.kappa.z, 1 / radius, 1e-13);
        assert_true(fabs(x.strain.kappa.x) + fabs(x.strain.kappa.y) < 1e-13);
        /* positions are interpolated: an error of order 2p at the points of Gauss */
        assert_true(fabs(x.strain.gamma.x) < (s->beam.order == 1 ? 0.05 : 5e-3) || !plane);
    }
}

static void a_circle_has_one_curvature(void **unused)
{
    (void)unused;
    all_samples(check_circle);
}

/* Functions of rotation vectors against differences, small and large. */
static void rotation_vectors_have_exact_derivatives(void **unused)
{
    (void)unused;
    static const double sizes[] = {1e-9, 1e-3, 0.3, 0.4082, 0.42, 1, 1.7};
    srand(3);
    for (int k = 0; k < 7; k++) {
        vec3 psi = any_vector(sizes[k]), u = any_vector(1), w = any_vector(1), m = any_vector(1);
        lmb_rotvec t = lmb_rotvec_of(psi);
        lmb_rotvec_inverse b = lmb_rotvec_inverse_of(psi);
        vec3 there = lmb_rotvec_T(&t, lmb_rotvec_inverse_times(&b, u));
        assert_true(v3_norm(v3_sub(there, u)) < 1e-14);
        mat3 E = quat_matrix(quat_exp(psi));
        assert_true(v3_norm(v3_sub(lmb_rotvec_exp(&t, u), m3_mul(&E, u))) < 1e-14);
        vec3 d[5] = {{0, 0, 0}};
        for (int i = -2; i <= 2; i++) {
            static const double factor[] = {1, -8, 0, 8, -1};
            lmb_rotvec x = lmb_rotvec_of(v3_axpy(psi, i * h, w));
            lmb_rotvec_inverse y = lmb_rotvec_inverse_of(v3_axpy(psi, i * h, w));
            double f = factor[i + 2] / (12 * h);
            d[0] = v3_axpy(d[0], f, lmb_rotvec_T(&x, u));
            d[1] = v3_axpy(d[1], f, lmb_rotvec_T_back(&x, u));
            d[2] = v3_axpy(d[2], f, lmb_rotvec_inverse_times(&y, u));
            d[3] = v3_axpy(d[3], f, lmb_rotvec_gradient(&x, m, u));
            d[4] = v3_axpy(d[4], f, v3(v3_dot(m, lmb_rotvec_T(&x, u)), 0, 0));
        }
        assert_true(v3_norm(v3_sub(d[0], lmb_rotvec_T_change(&t, u, w))) < 1e-11);
        assert_true(v3_norm(v3_sub(d[1], lmb_rotvec_T_back_change(&t, u, w))) < 1e-11);
        assert_true(v3_norm(v3_sub(d[2], lmb_rotvec_inverse_change(&b, u, w))) < 1e-11);
        assert_true(v3_norm(v3_sub(d[3], lmb_rotvec_gradient_change(&t, m, u, w))) < 1e-11);
        assert_close(v3_dot(lmb_rotvec_gradient(&t, m, u), w), d[4].x, 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_vectors_have_exact_derivatives),
        cmocka_unit_test(forces_are_the_gradient_of_the_energy),
        cmocka_unit_test(tangents_are_exact),
        cmocka_unit_test(strains_do_not_depend_on_who_looks),
        cmocka_unit_test(a_circle_has_one_curvature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
