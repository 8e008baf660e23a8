/* limber reduce, and modes of bodies, through the built program: against theory.
 *
 * Frequencies of beams are those of Euler and Bernoulli, f = (b/L)^2 sqrt(EI/(rho A)) / 2 pi with
 * the roots b of the frequency equation. With 20 cubic elements the error of mode k is about
 * (b_k/20)^4 / 720: below 0.004 % for the first three. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fe/element.h"
#include "fe/properties.h"
#include "strip.h"
#include "support.h"

/* Frequencies of the strip of these tests, from roots of the frequency equation. */
static double strip(double root)
{
    const double E = 210e9, density = 7850, w = 0.02, h = 0.01;
    return root * root / (2 * LMB_PI) * sqrt(E * (w * h * h * h / 12) / (density * w * h));
}

static const double clamped[3] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
static const double unheld[3] = {4.730040744862704, 7.853204624095838, 10.995607838001671};

/* --- frequencies ------------------------------------------------------------------------------ */

static void test_cantilever(void **state)
{
    (void)state;
    const char *model = scratch_path("cantilever.yaml"), *body = scratch_path("cantilever.h5");
    size_t size;
    char *text = read_bytes("examples/cantilever/cantilever.yaml", &size);
    text[size] = 0;
    write_text(model, text);
    free(text);
    lmb_run_result run = run_limber("reduce %s -o %s --json --quiet", model, body);
    assert_runs(&run);
    assert_string_equal(run.err, "");
    for (int i = 0; i < 3; i++) {
        double f;
        assert_int_equal(numbers_of(run.out, "frequency", i, &f, 1), 1);
        assert_close(f / strip(clamped[i]), 1, 1e-4);
    }
    double mass;
    numbers_of(run.out, "mass", 0, &mass, 1);
    assert_close(mass, 7850 * 0.02 * 0.01, 1e-13);
    free_run(&run);
    run = run_limber("modes %s --json", body);
    assert_runs(&run);
    for (int i = 0; i < 6; i++) {
        double f;
        numbers_of(run.out, "frequency", i, &f, 1);
        if (i < 3)
            assert_true(f == 0);
        else /* a basis of 12 modes held at one end approaches from above */
            assert_true(f > strip(unheld[i - 3]) && f < 1.0003 * strip(unheld[i - 3]));
    }
    free_run(&run);
    run = run_limber("run %s --quiet -o %s", model, scratch_path("result.h5"));
    assert_runs(&run);
    free_run(&run);
}

/* Free and held at both ends, in the plane and in space, with all frames: the frequencies are the
 * body's own. In space each bending mode of the strip is there twice, 0.02 and 0.01 m high; shear
 * and rotatory inertia lower them by less than b^2 (h/L)^2 (1 + E/(k G)) / 24. */
static void test_unheld(void **state)
{
    (void)state;
    static const char *const frames[] = {"mass-centre", "{point: B}", "{chord: [A, B]}"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 3; k++) {
            char more[200];
            snprintf(more, sizeof more, "    reduction: {modes: 16, frame: %s}\n", frames[k]);
            const char *model = strip_model("free.yaml", dimension, more);
            lmb_run_result run = run_limber("modes %s --body strip --json --no-cache", model);
            assert_runs(&run);
            int rigid = dimension == 2 ? 3 : 6;
            double f, below = dimension == 2 ? 1e-4 : 0.0025;
            for (int i = 0; i < rigid; i++) {
                numbers_of(run.out, "frequency", i, &f, 1);
                assert_true(f == 0);
            }
            numbers_of(run.out, "frequency", rigid, &f, 1);
            assert_true(f > (1 - below) * strip(unheld[0]) && f < 1.0001 * strip(unheld[0]));
            free_run(&run);
        }
}

/* In the frame of its chord a rod bends as if it were pinned: b = k pi. The mechanism moves. */
static void test_chord(void **state)
{
    (void)state;
    const char *model = "examples/slider-crank-beams/slider-crank-beams.yaml";
    lmb_run_result run = run_limber("reduce %s --body rod --json --quiet --no-cache -o %s", model,
                                    scratch_path("rod.h5"));
    assert_runs(&run);
    double f[3], l = 0.4, speed = sqrt(210e9 / 7850) * 0.012 / 4; /* sqrt(E/rho) d/4 */
    assert_int_equal(numbers_of(run.out, "kept", 0, f, 3), 3);
    for (int k = 1; k <= 3; k++)
        assert_close(f[k - 1] / (k * k * LMB_PI / (2 * l * l) * speed), 1, 1e-4);
    free_run(&run);
    run = run_limber("run %s --quiet --no-cache -o %s", model, scratch_path("turn.h5"));
    assert_runs(&run);
    free_run(&run);
    run = run_limber("get %s slider.position.x --at 0.3", scratch_path("turn.h5"));
    assert_runs(&run);
    double y = 0.15 * sin(3), rigid = 0.15 * cos(3) + sqrt(l * l - y * y);
    /* the crank, bent by 10 N or so at its end, deflects by F r^3 / (3 E I) = 5e-6 m */
    double off = fabs(strtod(run.out, NULL) - rigid);
    assert_true(off > 1e-7 && off < 5e-6);
    free_run(&run);
}

/* A heavy point mass at the tip: f = sqrt(3 EI / (L^3 (m + 33/140 mass of the beam))), Rayleigh's
 * bound, which is 1 % high without the mass and exact with a heavy one. */
static void test_point_mass(void **state)
{
    (void)state;
    const char *model = strip_model("tip.yaml", 2, "    masses: {tip: {at: end, mass: 100}}\n");
    size_t size;
    char *text = read_bytes(model, &size);
    text[size] = 0;
    char *ends = strstr(text, ", B: end");
    memset(ends, ' ', strlen(", B: end"));
    write_text(model, text);
    free(text);
    lmb_run_result run =
        run_limber("reduce %s --json --quiet --no-cache -o %s", model, scratch_path("tip.h5"));
    assert_runs(&run);
    double f, mass, EI = 210e9 * 0.02 * 1e-6 / 12;
    numbers_of(run.out, "frequency", 0, &f, 1);
    numbers_of(run.out, "mass", 0, &mass, 1);
    assert_close(mass, 101.57, 1e-12);
    assert_close(f / (sqrt(3 * EI / (100 + 1.57 * 33 / 140)) / (2 * LMB_PI)), 1, 1e-4);
    free_run(&run);
}

/* --- matrices --------------------------------------------------------------------------------- */

/* A symmetric matrix as Matrix Market has it. */
static void write_matrix(const char *path, const lmb_symmetric *a)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", a->n, a->n,
            a->start[a->n]);
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            fprintf(file, "%d %d %.17g\n", a->row[k] + 1, j + 1, a->value[k]);
    assert_int_equal(fclose(file), 0);
}

/* The strip in space as files of another program; damping is a thousandth of the stiffness. */
static void write_strip_matrices(void)
{
    lmb_context *context = lmb_context_new();
    const vec3 ends[2] = {v3(0, 0, 0), v3(1, 0, 0)};
    lmb_beam_line line = {.dimension = 3, .points = ends, .point_count = 2, .elements = 20};
    line.material = *lmb_material_find("steel");
    lmb_section_rectangle(&line.section, context, 0.01, 0.02, line.material.nu);
    lmb_mesh *mesh;
    lmb_fe_model *m;
    assert_int_equal(lmb_beam_mesh(&mesh, context, &line), LMB_OK);
    assert_int_equal(lmb_fe_assemble(&m, context, mesh, 0), LMB_OK);
    write_matrix(scratch_path("K.mtx"), &m->K);
    write_matrix(scratch_path("M.mtx"), &m->M);
    for (int k = 0; k < m->K.start[m->n]; k++)
        m->K.value[k] *= 1e-3;
    write_matrix(scratch_path("C.mtx"), &m->K);
    FILE *mapping = fopen(scratch_path("K.mapping"), "w");
    FILE *nodes = fopen(scratch_path("nodes.csv"), "w");
    assert_true(mapping && nodes);
    for (int i = 0; i < m->n; i++)
        fprintf(mapping, "%d %d %d\n", i + 1, m->number[m->node[i]], m->direction[i] + 1);
    for (int i = 0; i < m->node_count; i++)
        fprintf(nodes, "%d, %.17g, %.17g, %.17g\n", m->number[i], m->x[i].x, m->x[i].y, m->x[i].z);
    assert_int_equal(fclose(mapping) + fclose(nodes), 0);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
}

/* Frequencies and damping of a body of matrices are those of the beam they came from; the damping
 * ratio of C = a K is a omega / 2. */
static void test_matrices_source(void **state)
{
    (void)state;
    forget_cache();
    write_strip_matrices();
    write_text(scratch_path("imported.yaml"),
               "limber: 1\ndimension: 3\nbodies:\n  strip:\n    matrices: {stiffness: K.mtx, mass: "
               "M.mtx, damping: C.mtx, nodes: nodes.csv}\n"
               "    interfaces: {A: {node: 1}, B: {node: 21}}\n    reduction: {modes: 8}\n");
    const char *model = strip_model("origin.yaml", 3, "    reduction: {modes: 8}\n");
    lmb_run_result a = run_limber("modes %s --body strip --json --no-cache", model);
    lmb_run_result b = run_limber("modes %s --body strip --json", scratch_path("imported.yaml"));
    assert_runs(&a);
    assert_runs(&b);
    for (int i = 6; i < 20; i++) { /* rounding of K: 1e-16 times its condition, 1e6 */
        double f, g, damping;
        numbers_of(a.out, "frequency", i, &f, 1);
        numbers_of(b.out, "frequency", i, &g, 1);
        numbers_of(b.out, "damping", i, &damping, 1);
        assert_close(g / f, 1, 1e-9);
        assert_close(damping / (1e-3 * LMB_PI * g), 1, 1e-9);
    }
    free_run(&a);
    free_run(&b);
    /* the mapping that was found beside the stiffness belongs to the contents */
    const char *out = scratch_path("imported.h5");
    assert_true(reduce_cached(scratch_path("imported.yaml"), "", out));
    FILE *mapping = fopen(scratch_path("K.mapping"), "a");
    assert_non_null(mapping);
    fprintf(mapping, "\n");
    fclose(mapping);
    assert_false(reduce_cached(scratch_path("imported.yaml"), "", out));
}

/* --- messages --------------------------------------------------------------------------------- */

static void test_wrong(void **state)
{
    (void)state;
    const char *model = strip_model("wrong.yaml", 2, "");
    expect(run_limber("reduce examples/particles/particles.yaml"), 3, "has no flexible body");
    expect(run_limber("reduce %s --body stripp", model), 3, "did you mean 'strip'?");
    expect(run_limber("reduce %s --set M=3", model), 3, "M");
    expect(run_limber("reduce %s --quiet -o %s/no/such.h5", model, scratch_path("")), 5,
           "cannot write");
    expect(run_limber("reduce no-model.yaml"), 5, "cannot read 'no-model.yaml'");
    write_text(scratch_path("two.yaml"),
               "limber: 1\ndimension: 2\nbodies:\n"
               "  a{i}:\n    repeat: {i: [1, 2]}\n"
               "    beam: {from: [0, 0], to: [i, 0], elements: 4, material: steel,\n"
               "           section: {circle: {diameter: 0.01}}}\n    interfaces: {A: start}\n");
    expect(run_limber("reduce %s", scratch_path("two.yaml")), 2, "--body a1");
    lmb_run_result run = run_limber("modes %s --body a2", scratch_path("two.yaml"));
    assert_runs(&run);
    free_run(&run);
    model = strip_model("keep.yaml", 2, "    reduction: {modes: 2, keep: [1, 30]}\n");
    expect(run_limber("reduce %s --quiet", model), 3, "30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever),      cmocka_unit_test(test_unheld),
        cmocka_unit_test(test_chord),           cmocka_unit_test(test_point_mass),
        cmocka_unit_test(test_matrices_source), cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
