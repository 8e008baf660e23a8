/* A body of an exact beam by itself: d(M a - Q) along its coordinates and velocities against
 * differences, with offset centres of mass; energy and momentum. In random configurations, open and
 * closed, of all orders, in the plane and in space. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/exact_beam.h"
#include "frames/node.h"
#include "math/dense.h"
#include "support.h"

enum { ELEMENTS = 3, MOST_NODES = 3 * ELEMENTS + 1, MOST = 6 * MOST_NODES };

static double uniform(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

typedef struct sample {
    lmb_arena *arena;
    lmb_exact_beam beam;
    lmb_body body;
    lmb_frame nodes[MOST_NODES];
    double lengths[ELEMENTS], stiffness[ELEMENTS * 3 * 36];
    lmb_beam_inertia inertia[MOST_NODES];
    lmb_structure structure;
    double q[7 * MOST_NODES], v[MOST], a[MOST];
    int n;
} sample;

static const vec3 gravity = {0.4, -9.81, 0};

static void fill_numbers(sample *s, int dimension)
{
    for (int e = 0; e < ELEMENTS * 3; e++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                s->stiffness[36 * e + 6 * j + i] = i == j ? 3 + i : 0.2 / (1 + abs(i - j));
    for (int i = 0; i < MOST_NODES; i++) {
        bool plane = dimension == 2;
        s->inertia[i] = (lmb_beam_inertia){0.5 + 0.1 * i,
                                           plane ? v3(0, 0.1, 0) : v3(0, 0.1, -0.2),
                                           {{{0.3, 0.01, 0}, {0.01, 0.4, 0.02}, {0, 0.02, 0.5}}}};
    }
}

static void make(sample *s, int dimension, int order, bool closed, double damping)
{
    memset(s, 0, sizeof *s);
    s->arena = lmb_arena_new();
    fill_numbers(s, dimension);
    int count = ELEMENTS * order + !closed;
    double round = closed ? 2 * LMB_PI : 1.5, radius = 1.5;
    for (int i = 0; i < count; i++) { /* along a part of a circle, or all of it */
        int e = i / order;
        double angle = (e + (1 + lmb_lobatto_points[order][i % order]) / 2) / ELEMENTS * round;
        mat3 R = quat_matrix(quat_exp(v3(0, 0, angle)));
        vec3 p = v3(radius * sin(angle), radius * (1 - cos(angle)), 0);
        s->nodes[i] = frame_with_axes(p, &R);
    }
    for (int e = 0; e < ELEMENTS; e++)
        s->lengths[e] = radius * round / ELEMENTS;
    s->beam = (lmb_exact_beam){.dimension = dimension,
                               .order = order,
                               .element_count = ELEMENTS,
                               .node_count = count,
                               .closed = closed,
                               .nodes = s->nodes,
                               .lengths = s->lengths,
                               .stiffness = s->stiffness,
                               .inertia = s->inertia,
                               .damping = damping};
    assert_true(lmb_exact_beam_prepare(&s->beam, s->arena));
    s->body = (lmb_body){.name = "beam",
                         .ops = dimension == 2 ? &lmb_body_exact_beam_planar : &lmb_body_exact_beam,
                         .own = &s->beam,
                         .start = frame_identity()};
    s->structure.arena = s->arena;
    assert_true(lmb_body_structure(&s->body, dimension, &s->structure));
    s->n = s->body.nv;
    assert_int_equal(s->n, count * (dimension == 2 ? 3 : 6));
    s->body.ops->place(&s->body, &s->body.start, s->q);
    double d[MOST];
    for (int i = 0; i < s->n; i++) {
        d[i] = 0.25 * uniform();
        s->v[i] = uniform();
        s->a[i] = uniform();
    }
    for (int k = 0; k < count; k++)
        lmb_node_retract(&s->structure.nodes[k], s->q + k * (dimension == 2 ? 3 : 7),
                         d + k * (dimension == 2 ? 3 : 6), s->q + k * (dimension == 2 ? 3 : 7));
}

static lmb_body_at at_of(sample *s)
{
    lmb_body_at at = {.body = &s->body, .q = s->q, .v = s->v};
    s->body.ops->update(&at);
    return at;
}

/* M a - Q */
static void defect(sample *s, double *out)
{
    lmb_body_at at = at_of(s);
    double Q[MOST];
    s->body.ops->force(&at, gravity, Q);
    s->body.ops->mass_times(&at, s->a, out);
    for (int i = 0; i < s->n; i++)
        out[i] -= Q[i];
}

static void move(sample *s, int j, double by)
{
    int size = s->beam.dimension == 2 ? 3 : 6, node = j / size;
    double d[6] = {0}, *q = s->q + node * (size == 3 ? 3 : 7);
    d[j % size] = by;
    lmb_node_retract(&s->structure.nodes[node], q, d, q);
}

static void check(void (*one)(sample *s))
{
    srand(11);
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int order = 1; order <= 3; order++)
            for (int kind = 0; kind < 4; kind++) {
                sample *s = malloc(sizeof *s);
                make(s, dimension, order, kind % 2, kind / 2 ? 0.2 : 0);
                one(s);
                lmb_arena_free(s->arena);
                free(s);
            }
}

/* Differences of fourth order, see test_beam_element. */
static const double h = 1e-3, by[4] = {-2e-3, 1e-3, 2e-3, 1e-3};

/* The tangents of the whole body, n x n by columns. */
static void tangents(sample *s, vec3 g, double *K, double *C)
{
    int n = s->n, size = s->beam.dimension == 2 ? 3 : 6, nodes = s->beam.node_count;
    lmb_window windows[MOST_NODES + ELEMENTS * 12];
    for (int w = 0; w < nodes + s->structure.pair_count; w++) {
        int row = w < nodes ? w : s->structure.pairs[w - nodes].row;
        int column = w < nodes ? w : s->structure.pairs[w - nodes].column;
        int from = size * column * n + size * row;
        windows[w] = (lmb_window){K + from, C + from, n};
    }
    lmb_body_at at = at_of(s);
    s->body.ops->tangent(&at, g, s->a, windows);
}

static void check_tangent(sample *s)
{
    int n = s->n;
    double *K = calloc(2 * MOST * MOST, sizeof *K), *C = K + MOST * MOST, r[4][MOST];
    tangents(s, gravity, K, C);
    for (int j = 0; j < n; j++) {
        sample *moved = malloc(sizeof *moved);
        *moved = *s;
        moved->body.own = &s->beam;
        for (int k = 0; k < 4; k++) {
            move(moved, j, by[k]);
            defect(moved, r[k]);
        }
        for (int i = 0; i < n; i++)
            assert_close(K[j * n + i], (r[0][i] - 8 * r[1][i] + 8 * r[2][i] - r[3][i]) / (12 * h),
                         2e-9);
        memcpy(moved->q, s->q, sizeof s->q);
        for (int k = 0; k < 4; k++) {
            moved->v[j] += by[k];
            defect(moved, r[k]);
        }
        for (int i = 0; i < n; i++)
            assert_close(C[j * n + i], (r[0][i] - 8 * r[1][i] + 8 * r[2][i] - r[3][i]) / (12 * h),
                         2e-9);
        free(moved);
    }
    free(K);
}

static void tangents_are_exact(void **unused)
{
    (void)unused;
    check(check_tangent);
}

/* With accelerations M^-1 Q: energy changes by what is lost, momentum by the weight, angular
 * momentum by its moment. Rates of the balances by differences along the motion. */
static void check_balance(sample *s)
{
    int size = s->beam.dimension == 2 ? 3 : 6, qs = size == 3 ? 3 : 7;
    double blocks[MOST_NODES * 36], Q[MOST];
    lmb_body_at at = at_of(s);
    s->body.ops->mass(&at, blocks);
    s->body.ops->force(&at, gravity, Q);
    for (int k = 0; k < s->beam.node_count; k++) { /* Gauss's elimination: M is positive */
        double *M = blocks + k * size * size, *x = Q + k * size;
        for (int p = 0; p < size; p++)
            for (int i = 0; i < size; i++) {
                double f = i == p ? 0 : M[p * size + i] / M[p * size + p];
                for (int j = 0; j < size; j++)
                    M[j * size + i] -= f * M[j * size + p];
                x[i] -= f * x[p];
            }
        for (int i = 0; i < size; i++)
            s->a[k * size + i] = x[i] / M[i * size + i];
    }
    const double short_time = 1e-4; /* accelerations are about 1000 here */
    lmb_balance b[5];
    double weight = 0;
    vec3 moment = v3(0, 0, 0);
    for (int k = -2; k <= 2; k++) {
        sample *later = malloc(sizeof *later);
        double t = k * short_time, d[MOST];
        *later = *s;
        later->body.own = &s->beam;
        for (int i = 0; i < s->n; i++) {
            d[i] = t * (s->v[i] + t / 2 * s->a[i]);
            later->v[i] += t * s->a[i];
        }
        for (int i = 0; i < s->beam.node_count; i++)
            lmb_node_retract(&s->structure.nodes[i], s->q + i * qs, d + i * size,
                             later->q + i * qs);
        lmb_body_at there = at_of(later);
        s->body.ops->balance(&there, gravity, &b[k + 2]);
        free(later);
    }
    for (int i = 0; i < s->beam.node_count; i++) {
        const double *q = s->q + i * qs;
        lmb_frame pose = size == 3 ? lmb_plane_pose(q) : lmb_space_pose(q);
        mat3 R = frame_rotation(&pose);
        vec3 centre = v3_add(pose.p, m3_mul(&R, s->inertia[i].centre));
        weight += s->inertia[i].mass;
        moment = v3_add(moment, v3_cross(centre, v3_scale(s->inertia[i].mass, gravity)));
    }
#define RATE(x) ((b[0].x - 8 * b[1].x + 8 * b[3].x - b[4].x) / (12 * short_time))
    /* the motion is exact to t^2: its rates at t = 0 are, of fourth order in h */
    double power = RATE(kinetic) + RATE(potential) + RATE(elastic);
    assert_close(power, -s->body.ops->loss(&at), 1e-6);
    assert_close(RATE(momentum.x), weight * gravity.x, 1e-7);
    assert_close(RATE(momentum.y), weight * gravity.y, 1e-7);
    assert_close(RATE(angular_momentum.z), moment.z, 1e-6);
    if (size == 6) {
        assert_close(RATE(momentum.z), 0, 1e-7);
        assert_close(RATE(angular_momentum.x), moment.x, 1e-6);
        assert_close(RATE(angular_momentum.y), moment.y, 1e-6);
    }
}

static void energy_and_momentum_balance(void **unused)
{
    (void)unused;
    check(check_balance);
}

/* No vibration about the undeformed shape is faster than the frequency that the body states, and
 * the fastest one is not much slower: K x = w^2 M x of the whole body. Elements share the masses of
 * nodes evenly, which is on the safe side. */
static void check_frequency(sample *s)
{
    int n = s->n, size = s->beam.dimension == 2 ? 3 : 6;
    double *K = calloc(4 * MOST * MOST, sizeof *K), *C = K + MOST * MOST, *M = C + MOST * MOST;
    double blocks[MOST_NODES * 36], values[MOST];
    memset(s->v, 0, sizeof s->v);
    memset(s->a, 0, sizeof s->a);
    s->body.ops->place(&s->body, &s->body.start, s->q);
    tangents(s, v3(0, 0, 0), K, C);
    lmb_body_at at = at_of(s);
    s->body.ops->mass(&at, blocks);
    for (int k = 0; k < s->beam.node_count; k++)
        for (int j = 0; j < size; j++)
            memcpy(M + (k * size + j) * n + k * size, blocks + (k * size + j) * size,
                   (size_t)size * sizeof *M);
    assert_true(lmb_dense_symmetric_general(n, K, M, values));
    double fastest = sqrt(values[n - 1]), stated = s->body.ops->highest_frequency(&s->body);
    if (getenv("LIMBER_SHOW"))
        printf("%d-D, order %d%s: %.6f rad/s, stated %.6f\n", s->beam.dimension, s->beam.order,
               s->beam.closed ? ", closed" : "", fastest, stated);
    assert_true(stated >= fastest && stated < 1.15 * fastest);
    free(K);
}

static void the_highest_frequency_is_a_bound(void **unused)
{
    (void)unused;
    check(check_frequency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_exact),
        cmocka_unit_test(energy_and_momentum_balance),
        cmocka_unit_test(the_highest_frequency_is_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
