/* Neighbours whose flexible bodies keep the modes of the base: all numbers of a body are those of
 * the base where the parameter is the same, matrices scale as those of the elements do, and points
 * and nodes move together where geometry changes. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bodies/flexible.h"
#include "bodies/modal.h"
#include "fe/stress.h"
#include "model/align.h"
#include "models.h"
#include "neighbours.h"
#include "parts.h"
#include "program.h"
#include "read/reader.h"
#include "reduction/body_data.h"
#include "support.h"

#define PARAMETERS                                                                                 \
    "parameters: {E: 7e10, rho: 2700, L: 1.5, h: 0.03, w: 0.02, m: 0.2, nu: 0.3, x: 0.6, z: 8, "   \
    "n: 10}\n"
#define BEAM(points)                                                                               \
    "bodies:\n"                                                                                    \
    "  beam:\n"                                                                                    \
    "    beam: {along: " points ", elements: n, material: {E: E, nu: nu, density: rho},\n"         \
    "           section: {rectangle: {height: h, width: w}}}\n"                                    \
    "    interfaces: {A: start, B: end}\n    damping: {ratio: [0.02, 0.01], stiffness: 1e-5}\n"

static const char planar[] = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
    "[[0, 0], [L, 0]]") "    reduction: {modes: 3, frame: {point: A}}\n";
static const char bent[] = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
    "[[0, 0], [x, 0.2], [L, 0]]") "    masses: {m: {node: 4, mass: m}}\n    reduction: {modes: "
                                  "2}\n";
static const char space[] = "limber: 1\ndimension: 3\n" PARAMETERS BEAM(
    "[[0, 0, 0], [x, 0.2, 0.1], [L, 0, 0]]") "    masses: {m: {node: 4, mass: m, inertia: [m, m, "
                                             "m]}}\n    reduction: {modes: 6, keep: 8}\n";

/* The solid clapper, held by a spider and by an average. */
static const char *clapper(double size, int modes)
{
    static char text[2000];
    lmb_mesh *mesh;
    assert_ok(part_clapper.solid(&mesh, context, LMB_HEX20, size));
    assert_ok(part_write(mesh, "clapper", scratch_path("held.msh"), context));
    lmb_arena_free(mesh->arena);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\n" PARAMETERS "bodies:\n  clapper:\n"
             "    mesh: {file: %s, material: {E: E, nu: nu, density: rho}}\n"
             "    masses: {m: {node: 40, mass: 100*m}}\n    damping: 0.01\n"
             "    interfaces:\n"
             "      pivot: {point: [0, 0, 0], nodes: pivot, tie: average}\n"
             "      bearing: {point: [0, 0, -z], nodes: bearing}\n"
             "    reduction: {modes: %d}\n",
             scratch_path("held.msh"), modes);
    return text;
}

/* --- the same numbers ------------------------------------------------------------------------- */

/* The largest difference of two arrays as a part of the largest number. */
static double apart(const double *a, const double *b, size_t count)
{
    double most = 0, off = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(b[i]));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    return most > 0 ? off / most : off;
}

/* All arrays of body 1 of two models. */
static void check_equal(const lmb_model *x, const lmb_model *y, double tolerance)
{
    const lmb_modal *a = modal_in(x, 1), *b = modal_in(y, 1);
    const lmb_body_data *d = lmb_body_data_of(&x->bodies[1]), *e = lmb_body_data_of(&y->bodies[1]);
    const lmb_reduced *r = d->reduced, *s = e->reduced;
    assert_int_equal(a->modes, b->modes);
    assert_int_equal(d->stress_count, e->stress_count);
    assert_int_equal(d->line_count, e->line_count);
    size_t n = (size_t)a->modes, g = (size_t)lmb_gram_size(a->modes),
           lines = 12 * (size_t)d->line_count;
    size_t nodes = 3 * (size_t)r->node_count, points = (size_t)r->point_count;
    const struct {
        const char *name;
        const double *a, *b;
        size_t count;
    } all[] = {
        {"K", a->K, b->K, n * n},
        {"M", a->M, b->M, n * n},
        {"C", a->C, b->C, n * n},
        {"size", a->size, b->size, n},
        {"frequency", r->frequency, s->frequency, n},
        {"gram", r->gram, s->gram, g * g},
        {"x", (const double *)r->x, (const double *)s->x, nodes},
        {"shape", r->shape, s->shape, nodes * n},
        {"turn", r->turn, s->turn, r->turn ? nodes * n : 0},
        {"point", (const double *)r->point, (const double *)s->point, 3 * points},
        {"point_shape", r->point_shape, s->point_shape, LMB_DIRECTIONS * points * n},
        {"stress", d->stress, e->stress, n * (size_t)d->stress_count * LMB_STRESSES},
        {"line_forces", d->line_forces, e->line_forces, n * lines},
        {"line_inertia", d->line_inertia, e->line_inertia, n * lines},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double off = apart(all[i].a, all[i].b, all[i].count);
        if (!(off <= tolerance))
            fail_msg("%s is off by %g", all[i].name, off);
    }
    assert_close(x->bodies[1].mass, y->bodies[1].mass, tolerance * y->bodies[1].mass);
}

/* At the next number to that of the base, which makes the body another one, but not its matrices.
 */
static void check_same(const char *text, const char *parameter, double p)
{
    lmb_model *base = model_at(text, parameter, p, NULL);
    lmb_model *near = model_held(text, parameter, nextafter(p, INFINITY), base);
    const lmb_body_data *d = lmb_body_data_of(&near->bodies[1]);
    assert_ptr_not_equal(d, lmb_body_data_of(&base->bodies[1]));
    assert_true(d->reduced->held);
    check_equal(near, base, 1e-10);
    /* nothing is left to align, and modal coordinates mean the same */
    assert_ok(lmb_model_align_modes(near, context, base));
    assert_ptr_equal(lmb_body_data_of(&near->bodies[1]), d);
    assert_false(lmb_model_modes_differ(near, 1));
    lmb_model_free(near);
    lmb_model_free(base);
}

static void test_same(void **unused)
{
    (void)unused;
    check_same(planar, "E", 7e10);
    check_same(planar, "L", 1.5);
    check_same(bent, "x", 0.6);
    check_same(bent, "m", 0.2);
    check_same(space, "x", 0.6);
    check_same(space, "h", 0.03);
    check_same(clapper(0.9, 3), "E", 7e10);
    check_same(clapper(0.9, 3), "z", 8);
}

/* --- matrices of the elements ----------------------------------------------------------------- */

/* Stiffness goes with E and leaves inertia alone, inertia goes with rho; of the base nothing is
 * changed. */
static void check_scaled(const char *text)
{
    lmb_model *base = model_at(text, "m", 0, NULL); /* all mass is that of the material */
    lmb_model *again = model_at(text, "m", 0, NULL);
    const double factor = 1.25;
    lmb_spec *spec;
    lmb_model *near[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(lmb_spec_parse(&spec, context, "test", text));
        assert_ok(lmb_spec_set(spec, context, "m", "0"));
        assert_ok(lmb_spec_set(spec, context, i ? "rho" : "E", i ? "3375" : "8.75e10"));
        spec->like = base;
        spec->held = true;
        assert_ok(lmb_model_compile(&near[i], context, spec));
        lmb_spec_free(spec);
    }
    const lmb_modal *m = modal_in(base, 1), *stiff = modal_in(near[0], 1),
                    *heavy = modal_in(near[1], 1);
    const lmb_reduced *r = lmb_body_data_of(&base->bodies[1])->reduced;
    const lmb_reduced *soft = lmb_body_data_of(&near[0]->bodies[1])->reduced;
    const lmb_reduced *dense = lmb_body_data_of(&near[1]->bodies[1])->reduced;
    size_t n = (size_t)m->modes, g = (size_t)lmb_gram_size(m->modes);
    double *K = lmb_arena_numbers(base->arena, n * n), *G = lmb_arena_numbers(base->arena, g * g);
    for (size_t i = 0; i < n * n; i++)
        K[i] = factor * m->K[i];
    for (size_t i = 0; i < g * g; i++)
        G[i] = factor * r->gram[i];
    assert_true(apart(stiff->K, K, n * n) < 1e-10);
    assert_true(apart(soft->gram, r->gram, g * g) < 1e-10);
    assert_true(apart(heavy->K, m->K, n * n) < 1e-10);
    assert_true(apart(dense->gram, G, g * g) < 1e-10);
    for (size_t k = 0; k < n; k++) {
        assert_close(soft->frequency[k] / r->frequency[k], sqrt(factor), 1e-8);
        assert_close(dense->frequency[k] / r->frequency[k], 1 / sqrt(factor), 1e-8);
    }
    check_equal(base, again, 0);
    for (int i = 0; i < 2; i++)
        lmb_model_free(near[i]);
    lmb_model_free(again);
    lmb_model_free(base);
}

static void test_scaled(void **unused)
{
    (void)unused;
    check_scaled(planar);
    check_scaled(bent);
    check_scaled(clapper(0.9, 3));
}

/* --- points and nodes ------------------------------------------------------------------------- */

/* The nodes of the spider move with its point, wherever that is; those of the average stay as they
 * are, and the point with them. */
static void test_points(void **unused)
{
    (void)unused;
    const char *text = clapper(0.9, 3);
    lmb_model *base = model_at(text, NULL, 0, NULL), *near = model_held(text, "z", 7.5, base);
    const lmb_body_data *d = lmb_body_data_of(&near->bodies[1]);
    const lmb_reduced *r = d->reduced, *s = lmb_body_data_of(&base->bodies[1])->reduced;
    const lmb_modal *m = modal_in(near, 1), *before = modal_in(base, 1);
    int set = 0, first, checked = 0;
    while (set < d->set_count && strcmp(d->set_name[set], "bearing") != 0)
        set++;
    assert_true(set < d->set_count);
    first = d->set_start[set];
    assert_close(m->points[1].p.z - before->points[1].p.z, 0.5, 1e-9);
    for (int k = 0; k < m->modes; k++) {
        vec3 u = m->points[1].psi[k], turn = m->points[1].phi[k];
        assert_true(v3_norm(v3_sub(u, before->points[1].psi[k])) < 1e-12 * m->size[k]);
        for (int i = first; i < d->set_start[set + 1]; i++, checked++) {
            int node = d->set_node[i];
            vec3 arm = v3_sub(r->x[node], m->points[1].p);
            vec3 at = v3_of(r->shape + 3 * ((size_t)k * (size_t)r->node_count + (size_t)node));
            vec3 off = v3_sub(at, v3_add(u, v3_cross(turn, arm)));
            assert_true(v3_norm(off) < 1e-12 * m->size[k]);
        }
        vec3 there = v3_sub(m->points[0].psi[k], before->points[0].psi[k]);
        assert_true(v3_norm(there) < 1e-10 * m->size[k]);
    }
    assert_true(checked > 0);
    assert_true(!lmb_body_data_of(&base->bodies[1])->reduced->held && s->node_count);
    lmb_model_free(near);
    lmb_model_free(base);
}

/* --- two bodies ------------------------------------------------------------------------------- */

/* Bodies that become the same keep the modes that each of them has in the base. */
static void test_own_modes(void **unused)
{
    (void)unused;
#define ROD(height)                                                                                \
    "{beam: {along: [[0, 0], [0.5, 0.3], [1, 0]], material: steel, section: {rectangle: {height: " \
    "'" height "', width: 0.02}}}, masses: {m: {node: 2, mass: '" height "'}}, interfaces: {A: "   \
    "start, B: end}, reduction: {modes: 2}}\n"
    const char *text = "limber: 1\ndimension: 2\nparameters: {h: 0.03}\nbodies:\n  a: " ROD(
        "h") "  b: " ROD("0.031") "  c: " ROD("0.06 - h") "  d: " ROD("h");
    lmb_model *base = model_at(text, NULL, 0, NULL), *near = model_held(text, "h", 0.031, base);
    const lmb_body_data *a[5], *b[5];
    for (int i = 1; i < 5; i++) {
        a[i] = lmb_body_data_of(&near->bodies[i]);
        b[i] = lmb_body_data_of(&base->bodies[i]);
    }
    assert_ptr_equal(b[1], b[3]);
    assert_ptr_equal(a[2], b[2]);
    assert_ptr_not_equal(a[1], b[2]);
    assert_ptr_not_equal(a[1], a[3]);
    assert_ptr_equal(a[1], a[4]);
    size_t count = 3 * (size_t)b[1]->reduced->node_count * (size_t)b[1]->reduced->mode_count;
    assert_true(apart(a[1]->reduced->shape, b[1]->reduced->shape, count) < 1e-12);
    assert_true(apart(a[1]->reduced->shape, b[2]->reduced->shape, count) > 1e-4);
    lmb_model_free(near);
    lmb_model_free(base);
}

/* --- messages --------------------------------------------------------------------------------- */

static void check_refused(const char *text, const char *parameter, const char *value,
                          const char *message, const char *hint)
{
    lmb_model *base = model_at(text, NULL, 0, NULL), *near;
    lmb_spec *spec;
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    assert_ok(lmb_spec_set(spec, context, parameter, value));
    spec->like = base;
    spec->held = true;
    lmb_messages_clear(context);
    assert_int_equal(lmb_model_compile(&near, context, spec), LMB_BAD_INPUT);
    assert_message(context, message);
    assert_message(context, hint);
    lmb_spec_free(spec);
    lmb_model_free(base);
}

static void test_messages(void **unused)
{
    (void)unused;
    check_refused(planar, "n", "11", "has 11 nodes and 2 interface points, but 12 and 2",
                  "numbers of elements");
    const char *stiff = "limber: 1\ndimension: 2\n" PARAMETERS BEAM(
        "[[0, 0], [L, 0]]") "    reduction: {modes: 3, frame: {point: A}, stiffening: true}\n";
    check_refused(stiff, "h", "0.031", "the modes of body 'beam' cannot be held", "moving");
}

/* --- time ------------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A larger mesh: to project it takes less than to reduce it. */
static void test_time(void **unused)
{
    (void)unused;
    const char *text = clapper(0.25, 10);
    lmb_model *base = model_at(text, NULL, 0, NULL), *near[2];
    double begin = seconds();
    near[0] = model_at(text, "E", 7.007e10, base);
    double middle = seconds();
    near[1] = model_held(text, "E", 7.007e10, base);
    double end = seconds();
    printf("clapper, %d nodes: reduced in %.2f s, with held modes in %.2f s\n",
           lmb_body_data_of(&base->bodies[1])->reduced->node_count, middle - begin, end - middle);
    assert_true(end - middle < middle - begin);
    lmb_model_free(near[0]);
    lmb_model_free(near[1]);
    lmb_model_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),     cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_points),   cmocka_unit_test(test_own_modes),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
