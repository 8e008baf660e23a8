/* Stresses of a flexible body in motion against the unreduced finite element model.
 *
 * A bar of hexahedra is clamped to a base that turns and stops, under gravity. In the axes of the
 * base the displacements u of all its nodes obey, with the base's angular velocity W (skew) about
 * z and its rotation R,
 *
 *   M (uddot + 2 W udot + (Wdot + W^2) (x + u) - R^T g) + K u = 0,    u = 0 at the root,
 *
 * as the mass matrix of solids mixes no directions. Newmark's method (beta = 1/4) integrates that
 * here, the terms of W by iteration; stresses come from the elements at each instant. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "fe/stress.h"
#include "result/write.h"
#include "meshes.h"
#include "models.h"
#include "program.h"
#include "support.h"

#define LENGTH 0.6
#define HEIGHT 0.03
#define WIDTH 0.02
#define GRAVITY 9.81
#define TURN 1.2  /* rad */
#define RISE 0.05 /* s */
#define DURATION 0.08
#define STEP 1e-4

enum { PROBES = 3, EVERY = 5, INSTANTS = 161 };

static const vec3 probes[PROBES] = {
    {LENGTH / 8, HEIGHT, WIDTH}, {LENGTH / 2, 0, 0}, {3 * LENGTH / 4, HEIGHT, 0}};
static const lmb_material steel = {"steel", 2.1e11, 0.3, 7850, false};

static lmb_mesh *mesh;
static lmb_fe_model *fe;
static lmb_stress *stress;
static double reference[PROBES][INSTANTS], most[INSTANTS], *envelope; /* by node */

/* The angle of the base and its derivatives: a quintic from 0 to TURN, then at rest. */
static void base(double t, double *phi, double *w, double *wd)
{
    double s = t / RISE;
    *phi = TURN, *w = *wd = 0;
    if (s < 1) {
        *phi = TURN * s * s * s * (10 + s * (-15 + 6 * s));
        *w = TURN / RISE * 30 * s * s * (1 - s) * (1 - s);
        *wd = TURN / (RISE * RISE) * 60 * s * (1 - s) * (1 - 2 * s);
    }
}

static int node_at(vec3 x)
{
    for (int i = 0; i < mesh->node_count; i++)
        if (v3_norm(v3_sub(mesh->x[i], x)) < 1e-9)
            return i;
    fail_msg("there is no such node");
    return -1;
}

/* Stresses of displacements at an instant, into the reference. */
static void note_stress(int instant, const double *u, double *room)
{
    assert_true(lmb_stress_nodal(stress, 1, u, room));
    most[instant] = 0;
    for (int i = 0; i < stress->count; i++) {
        double mises = lmb_von_mises(room + (size_t)i * LMB_STRESSES);
        int node = stress->node[i];
        most[instant] = fmax(most[instant], mises);
        envelope[node] = fmax(envelope[node], mises);
        for (int p = 0; p < PROBES; p++)
            if (node == node_at(probes[p]))
                reference[p][instant] = mises;
    }
}

/* The acceleration of all nodes that is not uddot: of the base, seen by it, less gravity. */
static void carried(double t, const double *u, const double *v, double *out)
{
    double phi, w, wd;
    base(t, &phi, &w, &wd);
    vec3 g = v3(-GRAVITY * sin(phi), -GRAVITY * cos(phi), 0);
    for (int i = 0; i < mesh->node_count; i++) {
        const int *d = fe->dof[i];
        vec3 x = v3_add(mesh->x[i], v3(u[d[0]], u[d[1]], u[d[2]]));
        x.y -= HEIGHT / 2; /* the axis goes through the middle of the root */
        out[d[0]] = -2 * w * v[d[1]] - wd * x.y - w * w * x.x - g.x;
        out[d[1]] = 2 * w * v[d[0]] + wd * x.x - w * w * x.y - g.y;
        out[d[2]] = 0;
    }
}

/* The inverse of K + 4/h^2 M between the free degrees of freedom, full size, zero elsewhere; with
 * factor 0 and M alone for the first accelerations. */
static double *inverse_of(double by_k, double by_m, const bool *fixed)
{
    size_t n = (size_t)fe->n;
    double *A = calloc(n * n, sizeof *A);
    const lmb_symmetric *parts[] = {&fe->K, &fe->M};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < fe->n; j++)
            for (int i = parts[k]->start[j]; i < parts[k]->start[j + 1]; i++) {
                int r = parts[k]->row[i];
                if (!fixed[r] && !fixed[j])
                    A[(size_t)j * n + (size_t)r] += (k ? by_m : by_k) * parts[k]->value[i];
            }
    for (size_t i = 0; i < n; i++)
        if (fixed[i])
            A[i * n + i] = 1;
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', fe->n, A, fe->n), 0);
    assert_int_equal(LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', fe->n, A, fe->n), 0);
    for (size_t i = 0; i < n; i++)
        if (fixed[i])
            A[i * n + i] = 0;
    return A;
}

static void times(const double *A, const double *x, double *y)
{
    cblas_dsymv(CblasColMajor, CblasLower, fe->n, 1, A, fe->n, x, 1, 0, y, 1);
}

static bool at_root(vec3 x)
{
    return x.x < 1e-9;
}

/* One step of Newmark's method; the carried acceleration is found with the new u and v. */
static void step(double t, const double *S, double *u, double *v, double *a, double *room)
{
    size_t n = (size_t)fe->n;
    double *next = room, *speed = room + n, *c = room + 2 * n, *f = room + 3 * n;
    memcpy(next, u, n * sizeof *u);
    memcpy(speed, v, n * sizeof *v);
    for (int iteration = 0; iteration < 4; iteration++) {
        carried(t, next, speed, c);
        for (size_t i = 0; i < n; i++)
            c[i] = 4 / (STEP * STEP) * u[i] + 4 / STEP * v[i] + a[i] - c[i];
        lmb_symmetric_multiply(&fe->M, c, f);
        times(S, f, next);
        for (size_t i = 0; i < n; i++)
            speed[i] = 2 / STEP * (next[i] - u[i]) - v[i];
    }
    for (size_t i = 0; i < n; i++)
        a[i] = 2 / STEP * (speed[i] - v[i]) - a[i];
    memcpy(u, next, n * sizeof *u);
    memcpy(v, speed, n * sizeof *v);
}

static int make_reference(void **unused)
{
    static const int cells[3] = {8, 1, 1};
    open_models(unused);
    mesh = box_mesh(LMB_HEX20, cells, v3(LENGTH, HEIGHT, WIDTH), steel, NULL);
    fe = model_of(mesh);
    assert_int_equal(lmb_stress_new(&stress, context, fe), LMB_OK);
    envelope = calloc((size_t)mesh->node_count, sizeof *envelope);
    size_t n = (size_t)fe->n;
    bool *fixed = calloc(n, sizeof *fixed);
    double *room = calloc(7 * n + (size_t)stress->count * LMB_STRESSES, sizeof *room);
    double *u = room + 4 * n, *v = u + n, *a = v + n, *stresses = a + n;
    fix(fe, at_root, LMB_TRANSLATIONS, fixed);
    double *inverse = inverse_of(0, 1, fixed);
    carried(0, u, v, room);
    lmb_symmetric_multiply(&fe->M, room, room + n);
    times(inverse, room + n, a);
    for (size_t i = 0; i < n; i++)
        a[i] = -a[i];
    free(inverse);
    inverse = inverse_of(1, 4 / (STEP * STEP), fixed);
    note_stress(0, u, stresses);
    for (int k = 1; k <= (INSTANTS - 1) * EVERY; k++) {
        step(k * STEP, inverse, u, v, a, room);
        if (k % EVERY == 0)
            note_stress(k / EVERY, u, stresses);
    }
    free(inverse);
    free(room);
    free(fixed);
    return 0;
}

static int free_reference(void **unused)
{
    free(envelope);
    lmb_arena_free(stress->arena);
    lmb_arena_free(fe->arena);
    lmb_arena_free(mesh->arena);
    return close_models(unused);
}

/* The largest differences of histories and envelope, as parts of the largest stress of each. */
typedef struct errors {
    double history, most, envelope;
} errors;

static double history_error(lmb_result *r, const char *channel, const double *right)
{
    lmb_series s = series_of(context, r, channel);
    double error = 0, size = 0;
    assert_int_equal(s.count, INSTANTS);
    for (int i = 0; i < INSTANTS; i++) {
        error = fmax(error, fabs(s.values[i] - right[i]));
        size = fmax(size, right[i]);
    }
    lmb_series_free(&s);
    return error / size;
}

static double envelope_error(lmb_result *r)
{
    int nodes, count;
    double *node = lmb_record_array(r, 0, "bar", "envelope/node", &nodes);
    double *largest = lmb_record_array(r, 0, "bar", "envelope/stress", &count);
    assert_non_null(node);
    assert_non_null(largest);
    assert_int_equal(nodes, mesh->node_count);
    assert_int_equal(count, nodes);
    double error = 0, size = 0;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (mesh->number[at] != (int)node[i])
            at++;
        error = fmax(error, fabs(largest[i] - envelope[at]));
        size = fmax(size, envelope[at]);
    }
    free(node);
    free(largest);
    return error / size;
}

static errors run_with(int modes)
{
    char name[32];
    snprintf(name, sizeof name, "modes%d", modes);
    write_bar(mesh, LENGTH, scratch_path("bar.inp"));
    lmb_result *r = run_text(
        context, name,
        "limber: 1\ndimension: 3\ngravity: [0, -%g, 0]\nbodies:\n"
        "  bar:\n"
        "    mesh: {file: bar.inp, material: {E: 2.1e11, nu: 0.3, density: 7850}}\n"
        "    interfaces: {A: {point: [0, %g, %g], nodes: root}}\n"
        "    reduction: {modes: %d, frame: {point: A}}\n"
        "    probes: {p1: {at: [%g, %g, %g]}, p2: {at: [%g, %g, %g]}, p3: {at: [%g, %g, %g]}}\n"
        "joints: {hinge: {type: revolute, between: [[0, %g, %g], bar.A], axis: [0, 0, 1]}}\n"
        "drivers: {base: {joint: hinge, angle: \"step(t, 0, 0, %g, %g)\"}}\n"
        "analyses:\n"
        "  go: {type: dynamics, duration: %g, output_step: %g, step: %g, spectral_radius: 1}\n",
        GRAVITY, HEIGHT / 2, WIDTH / 2, modes, probes[0].x, probes[0].y, probes[0].z, probes[1].x,
        probes[1].y, probes[1].z, probes[2].x, probes[2].y, probes[2].z, HEIGHT / 2, WIDTH / 2,
        RISE, TURN, DURATION, EVERY * STEP, STEP);
    errors e = {0, history_error(r, "bar.stress.max", most), envelope_error(r)};
    static const char *const names[] = {"bar.stress.p1", "bar.stress.p2", "bar.stress.p3"};
    for (int p = 0; p < PROBES; p++)
        e.history = fmax(e.history, history_error(r, names[p], reference[p]));
    lmb_result_close(r);
    return e;
}

/* With enough modes all are within 1 %, and more modes are better. */
static void test_against_all_nodes(void **unused)
{
    (void)unused;
    errors few = run_with(2), some = run_with(8), many = run_with(30);
    print_message("2 modes: %.3g %.3g %.3g\n8 modes: %.3g %.3g %.3g\n30 modes: %.3g %.3g %.3g\n",
                  few.history, few.most, few.envelope, some.history, some.most, some.envelope,
                  many.history, many.most, many.envelope);
    assert_true(many.history < 0.01);
    assert_true(many.most < 0.01);
    assert_true(many.envelope < 0.01);
    assert_true(some.history < few.history && many.history < some.history);
    assert_true(some.most < few.most && many.most < some.most);
    assert_true(some.envelope < few.envelope && many.envelope < some.envelope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_all_nodes)};
    return cmocka_run_group_tests(tests, make_reference, free_reference);
}
