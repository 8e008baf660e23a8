/* Files of reduced bodies and their cache, through the built program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fe/stress.h"
#include "scene/skin.h"
#include "strip.h"
#include "support.h"

/* --- cache ------------------------------------------------------------------------------------ */

static void test_cache(void **state)
{
    (void)state;
    forget_cache();
    const char *model = strip_model("cache.yaml", 3, ""), *a = scratch_path("a.h5"),
               *b = scratch_path("b.h5");
    assert_false(reduce_cached(model, "", a));
    assert_true(reduce_cached(model, "", b));
    assert_same_bytes(a, b);
    assert_false(reduce_cached(model, "--no-cache", b));
    assert_same_bytes(a, b);
    assert_true(reduce_cached(model, "--set omega=7", b)); /* the body does not depend on it */
    assert_same_bytes(a, b);
    assert_false(reduce_cached(model, "--set L=1.5", b));
    assert_true(reduce_cached(model, "--set L=3/2", b));
    assert_true(reduce_cached(model, "", b)); /* both stay */
}

/* Bodies that are alike are reduced once, whatever their names; warnings of the cache have the name
 * of the body that is read. The interface is far from its node, which is warned of. */
static void test_cache_of_names(void **state)
{
    (void)state;
    static const char text[] =
        "limber: 1\ndimension: 3\nbodies:\n"
        "  %s{i}: {repeat: {i: [1, 5]}, beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4,"
        " section: {circle: {diameter: 0.02}}, material: steel}, position: [0, i, 0],"
        " interfaces: {A: start, B: {nodes: [5], point: [1, 9, 0]}}, reduction: {modes: 2}}\n";
    forget_cache();
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(scratch_path("alike.yaml"), "w");
        assert_non_null(file);
        fprintf(file, text, i ? "leg" : "arm");
        fclose(file);
        check_run(run_limber("check %s", scratch_path("alike.yaml")), 0,
                  i ? "interface 'B' of body 'leg1' is" : "interface 'B' of body 'arm1' is");
        char command[512];
        snprintf(command, sizeof command, "ls %s/.limber-cache | wc -l", scratch_path(""));
        check_run(run_shell(command), 0, "1");
    }
    forget_cache();
}

static void test_cache_damaged(void **state)
{
    (void)state;
    forget_cache();
    const char *model = strip_model("damaged.yaml", 2, ""), *a = scratch_path("a.h5"),
               *b = scratch_path("b.h5");
    char command[1200];
    assert_false(reduce_cached(model, "", a));
    snprintf(command, sizeof command, "for f in %s/.limber-cache/*; do echo nonsense > $f; done",
             scratch_path(""));
    lmb_run_result run = run_shell(command);
    free_run(&run);
    assert_false(reduce_cached(model, "", b));
    assert_same_bytes(a, b);
    assert_true(reduce_cached(model, "", b));
    /* a folder that cannot be written is no error: here it is a file */
    snprintf(command, sizeof command, "rm -r %s/.limber-cache && touch %s/.limber-cache",
             scratch_path(""), scratch_path(""));
    run = run_shell(command);
    assert_runs(&run);
    free_run(&run);
    assert_false(reduce_cached(model, "", b));
    assert_same_bytes(a, b);
    forget_cache();
}

/* Runs a command in the folder of the cache. */
static void in_cache(const char *command)
{
    char whole[2000];
    snprintf(whole, sizeof whole, "cd %s/.limber-cache && %s", scratch_path(""), command);
    lmb_run_result run = run_shell(whole);
    assert_runs(&run);
    free_run(&run);
}

/* Each byte of an entry counts; one under the name of another, and one of the old form without a
 * seal, are made anew. */
static void test_cache_checked(void **state)
{
    (void)state;
    forget_cache();
    const char *model = strip_model("checked.yaml", 2, ""), *a = scratch_path("a.h5"),
               *b = scratch_path("b.h5");
    static const char *const damages[] = {
        "printf x | dd of=$(ls) bs=1 seek=40 conv=notrunc 2>/dev/null",
        "printf x | dd of=$(ls) bs=1 seek=9000 conv=notrunc 2>/dev/null",
        "truncate -s -1 *",
        "truncate -s -120 *",
        "truncate -s 0 *",
        "truncate -s +1 *",
    };
    assert_false(reduce_cached(model, "", a));
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        in_cache(damages[i]);
        assert_false(reduce_cached(model, "", b));
        assert_same_bytes(a, b);
        assert_true(reduce_cached(model, "", b));
    }
    /* the entry of another body */
    in_cache("mv $(ls) ../this");
    assert_false(reduce_cached(model, "--set L=1.5", b));
    in_cache("name=$(ls); mv $name ../that; mv ../this ./$name");
    assert_false(reduce_cached(model, "--set L=1.5", b));
    assert_true(reduce_cached(model, "--set L=1.5", b));
    forget_cache();
}

/* Links and pipes are refused, with a warning, and not written to. */
static void test_cache_links(void **state)
{
    (void)state;
    forget_cache();
    const char *model = strip_model("links.yaml", 2, ""), *a = scratch_path("a.h5"),
               *b = scratch_path("b.h5");
    static const char *const entries[][2] = {
        {"name=$(ls); mv $name ../good.h5; ln -s ../good.h5 $name", "is a link, so that bodies"},
        {"name=$(ls); rm $name; ln -s ../none $name", "is a link, so that bodies"},
        {"name=$(ls); rm $name; mkfifo $name", "is no file, so that bodies"},
        {"name=$(ls); rm $name; mkdir $name", "is no file, so that bodies"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        forget_cache();
        assert_false(reduce_cached(model, "", a));
        in_cache(entries[i][0]);
        check_run(run_limber("reduce %s -o %s", model, b), 0, entries[i][1]);
        assert_same_bytes(a, b);
        in_cache("[ ! -f $(ls) ] || [ -L $(ls) ]"); /* it is what it was */
        in_cache("[ ! -e ../none ]");
    }
    forget_cache();
    char command[2000];
    snprintf(command, sizeof command,
             "cd %s && rm -rf elsewhere && mkdir elsewhere && ln -s elsewhere .limber-cache",
             scratch_path(""));
    lmb_run_result run = run_shell(command);
    assert_runs(&run);
    free_run(&run);
    check_run(run_limber("reduce %s -o %s", model, b), 0, "is a link to another folder");
    assert_same_bytes(a, b);
    in_cache("[ -z \"$(ls -A)\" ]");
    forget_cache();
}

/* A mesh file that changes gives another body. */
static void test_cache_of_files(void **state)
{
    (void)state;
    forget_cache();
    size_t size;
    char *text = read_bytes("tests/bad/brick.inp", &size);
    text[size] = 0;
    write_text(scratch_path("brick.inp"), text);
    write_text(scratch_path("brick.yaml"),
               "limber: 1\ndimension: 3\nbodies:\n  part:\n"
               "    mesh: {file: brick.inp, material: steel}\n"
               "    interfaces: {A: {nodes: BOTTOM}}\n    reduction: {modes: 3}\n");
    const char *model = scratch_path("brick.yaml"), *out = scratch_path("a.h5");
    assert_false(reduce_cached(model, "", out));
    assert_true(reduce_cached(model, "", out));
    char *node = strstr(text, "7, 1., 1., 1.");
    assert_non_null(node);
    memcpy(node, "7, 1., 1., 2.", 13);
    write_text(scratch_path("brick.inp"), text);
    free(text);
    assert_false(reduce_cached(model, "", out));
    lmb_run_result run = run_limber("modes %s", out);
    assert_runs(&run);
    free_run(&run);
}

/* --- body files ------------------------------------------------------------------------------- */

/* Reduces a strip with more keys into NAME.h5 and reads that. */
static lmb_body_data *reduced_strip(lmb_context *context, const char *name, int dimension,
                                    const char *more)
{
    char model[64], file[64];
    snprintf(model, sizeof model, "%s.yaml", name);
    snprintf(file, sizeof file, "%s.h5", name);
    lmb_body_data *body;
    reduce_cached(strip_model(model, dimension, more), "", scratch_path(file));
    assert_int_equal(lmb_body_read(&body, context, scratch_path(file)), LMB_OK);
    return body;
}

/* What was written is read back to the last bit, and written again as the same bytes. */
static void test_round_trip(void **state)
{
    (void)state;
    lmb_context *context = lmb_context_new();
    lmb_body_data *body =
        reduced_strip(context, "trip", 3, "    reduction: {modes: 4, keep: [1, 2, 5]}\n");
    assert_string_equal(body->name, "strip");
    const lmb_reduced *b = body->reduced;
    assert_int_equal(b->mode_count, 3);
    assert_int_equal(b->point_count, 2);
    assert_string_equal(b->point_name[1], "B");
    assert_int_equal(b->node_count, 21);
    assert_int_equal(body->line_count, 20);
    assert_non_null(strstr(body->settings, "keep: mode 5"));
    unsigned char *bytes;
    size_t size, there;
    assert_int_equal(lmb_body_image(body, context, &bytes, &size), LMB_OK);
    char *file = read_bytes(scratch_path("trip.h5"), &there);
    assert_int_equal(size, there);
    assert_memory_equal(bytes, file, size);
    free(file);
    free(bytes);
    lmb_body_free(body);
    lmb_context_free(context);
}

/* The static shapes of a strip in the plane are the cubics of beam theory, at every node of the
 * file. */
static void test_static_shapes(void **state)
{
    (void)state;
    lmb_context *context = lmb_context_new();
    lmb_body_data *body =
        reduced_strip(context, "static", 2, "    reduction: {modes: 3, keep: 2}\n");
    const lmb_reduced *b = body->reduced;
    assert_int_equal(b->basis_count, 9);
    assert_int_equal(b->drawn_count, 21);
    for (int i = 0; i < b->drawn_count; i++) {
        double s = b->x[b->drawn[i]].x - b->point[0].x, t = s * s, c = t * s;
        const double axial[2] = {1 - s, s};
        const double along_y[4] = {1 - 3 * t + 2 * c, s - 2 * t + c, 3 * t - 2 * c, c - t};
        const double turn[4] = {6 * t - 6 * s, 1 - 4 * s + 3 * t, 6 * s - 6 * t, 3 * t - 2 * s};
        for (int k = 0; k < 6; k++) {
            const float *u = b->basis_shape + 3 * (k * b->drawn_count + i);
            const float *r = b->basis_turn + 3 * (k * b->drawn_count + i);
            int bends = k % 3 ? 2 * (k / 3) + k % 3 - 1 : -1;
            assert_close(u[0], bends < 0 ? axial[k / 3] : 0, 1e-6); /* single precision */
            assert_close(u[1], bends < 0 ? 0 : along_y[bends], 1e-6);
            assert_close(r[2], bends < 0 ? 0 : turn[bends], 1e-6);
        }
    }
    lmb_body_free(body);
    lmb_context_free(context);
}

/* The outside of a strip in space turns with its sections: static shapes that add up to a rotation
 * about A move each node of the skin on its circle. */
static void test_outside_of_beams(void **state)
{
    (void)state;
    enum { LINES = 20, NODES = LINES * 24 + 16, A = 0, B = 6 };
    lmb_context *context = lmb_context_new();
    lmb_body_data *body = reduced_strip(context, "outside", 3, "    reduction: {modes: 2}\n");
    lmb_skin skin;
    assert_int_equal(lmb_skin_of(&skin, body->arena, context, body, true), LMB_OK);
    assert_int_equal(skin.line_count, 0);
    assert_int_equal(skin.node_count, NODES); /* 12 at both ends, 8 on a cap */
    assert_int_equal(skin.triangle_count, LINES * 16 + 2 * 6);
    const float *basis = skin.shapes + 3 * NODES * body->reduced->mode_count;
    for (int about = 0; about < 3; about++) {
        const float *at_A = basis + 3 * NODES * (A + LMB_RX + about);
        const float *at_B = basis + 3 * NODES * (B + LMB_RX + about);
        const float *carried = basis + 3 * NODES * (B + (about == 2 ? LMB_UY : LMB_UZ));
        double carries = about == 0 ? 0 : about == 1 ? -1 : 1; /* times the length of 1 m */
        for (int i = 0; i < NODES; i++) {
            const float *x = skin.nodes + 3 * i;
            vec3 axis = v3(about == 0, about == 1, about == 2), from_A = body->reduced->point[0];
            vec3 circle = v3_cross(axis, v3_sub(v3(x[0], x[1], x[2]), from_A));
            for (int k = 0; k < 3; k++)
                assert_close(at_A[3 * i + k] + at_B[3 * i + k] + carries * carried[3 * i + k],
                             v3_get(circle, k), 1e-6); /* single precision */
        }
    }
    lmb_body_free(body);
    lmb_context_free(context);
}

/* Von Mises' stress of a shape at a node of the skin. */
static double mises_at(const lmb_skin *s, int shape, int node)
{
    double stress[LMB_STRESSES];
    for (int c = 0; c < LMB_STRESSES; c++)
        stress[c] = s->stresses[(shape * s->node_count + node) * LMB_SKIN_STRESSES + c];
    return lmb_von_mises(stress);
}

/* The stress of bending is E y v'': of the cubics of static shapes, and at the clamped ends of the
 * first fixed-interface mode, where v'' is 28.18 times the largest deflection (beta L = 4.7300). */
static void test_stress_of_bending(void **state)
{
    (void)state;
    enum { B_Y = 4, B_TURN = 5, FIXED = 6 }; /* columns of the basis */
    const double h = 0.01 / 2;
    lmb_context *context = lmb_context_new();
    lmb_body_data *body = reduced_strip(context, "bent", 2, "    reduction: {modes: 3, keep: 1}\n");
    const lmb_reduced *b = body->reduced;
    double E = body->line_section[LMB_LINE_E], end = 0, deflection = 0;
    lmb_skin skin;
    assert_int_equal(lmb_skin_of(&skin, body->arena, context, body, true), LMB_OK);
    for (int i = 0; i < skin.node_count; i++) {
        const float *x = skin.nodes + 3 * i;
        double s = x[0] - b->point[0].x,
               fibre = fabs((double)x[1]) > 1e-6 ? h : 0; /* drawn thicker */
        /* single precision of forces that are differences of larger ones */
        assert_close(mises_at(&skin, 1 + B_Y, i) / (6 * E * h), fabs(1 - 2 * s) * fibre / h, 1e-5);
        assert_close(mises_at(&skin, 1 + B_TURN, i) / (6 * E * h), fabs(s - 1. / 3) * fibre / h,
                     1e-5);
        if (s < 0.001 && fibre > 0)
            end = mises_at(&skin, 1 + FIXED, i);
        deflection = fmax(deflection,
                          fabs((double)skin.shapes[3 * ((1 + FIXED) * skin.node_count + i) + 1]));
    }
    /* sections between two elements: (beta / 20)^2 / 12 */
    assert_close(end / (E * h * deflection), 28.18, 5e-3);
    lmb_body_free(body);
    lmb_context_free(context);
}

/* A cube pulled apart has the stress E / L everywhere if it does not contract; moved as one piece
 * it has none. */
static void test_stress_of_solids(void **state)
{
    (void)state;
    size_t size;
    char *text = read_bytes("tests/bad/brick.inp", &size);
    text[size] = 0;
    write_text(scratch_path("cube.inp"), text);
    free(text);
    for (int points = 1; points <= 2; points++) {
        char model[512];
        snprintf(model, sizeof model,
                 "limber: 1\ndimension: 3\nbodies:\n  part:\n"
                 "    mesh: {file: cube.inp, material: {E: 2e11, nu: 0, density: 7800}}\n"
                 "    interfaces: {A: {nodes: BOTTOM}%s}\n    reduction: {modes: 0}\n",
                 points > 1 ? ", B: {nodes: TOP}" : "");
        write_text(scratch_path("cube.yaml"), model);
        reduce_cached(scratch_path("cube.yaml"), "", scratch_path("cube.h5"));
        lmb_context *context = lmb_context_new();
        lmb_body_data *body;
        lmb_skin skin;
        assert_int_equal(lmb_body_read(&body, context, scratch_path("cube.h5")), LMB_OK);
        assert_int_equal(lmb_skin_of(&skin, body->arena, context, body, true), LMB_OK);
        int first = body->reduced->mode_count;
        for (int i = 0; i < skin.node_count; i++) {
            assert_close(mises_at(&skin, first + LMB_UZ, i), points > 1 ? 2e11 : 0, 1e-6);
            for (int k = 0; k < LMB_DIRECTIONS && points == 1; k++)
                assert_true(mises_at(&skin, first + k, i) == 0);
        }
        lmb_body_free(body);
        lmb_context_free(context);
    }
}

/* Stiffening makes another body, whose file has its matrices. */
static void test_stiffening(void **state)
{
    (void)state;
    forget_cache();
    const char *model = strip_model("plain.yaml", 2, "    reduction: {modes: 2}\n");
    const char *path = scratch_path("stiff.h5");
    assert_false(reduce_cached(model, "", path));
    model = strip_model("stiff.yaml", 2, "    reduction: {modes: 2, stiffening: false}\n");
    reduce_cached(model, "", path);
    lmb_context *context = lmb_context_new();
    lmb_body_data *body;
    assert_int_equal(lmb_body_read(&body, context, path), LMB_OK);
    assert_null(body->reduced->spin_stiffness);
    assert_null(body->reduced->mode_stiffness);
    lmb_body_free(body);
    model = strip_model("stiff.yaml", 2, "    reduction: {modes: 2, keep: 2, stiffening: true}\n");
    assert_false(reduce_cached(model, "", path));
    assert_true(reduce_cached(model, "", path));
    assert_int_equal(lmb_body_read(&body, context, path), LMB_OK);
    const lmb_reduced *b = body->reduced;
    size_t modes = (size_t)b->mode_count, square = modes * modes;
    assert_non_null(b->mode_stiffness);
    double first = b->mode_stiffness[0], spin = b->spin_stiffness[2 * square], found[2];
    assert_true(spin > 0); /* it bends against the tension of omega_z^2 */
    lmb_run_result run = run_limber("matrices %s --json", path);
    assert_runs(&run);
    assert_int_equal(numbers_of(run.out, "mode_stiffness", 0, found, 1), 1);
    assert_true(found[0] == first);
    assert_non_null(strstr(run.out, "\"spin_stiffness\""));
    free_run(&run);
    lmb_body_free(body);
    lmb_context_free(context);
}

static void write_part(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_damaged_file(void **state)
{
    (void)state;
    const char *model = strip_model("whole.yaml", 2, ""), *path = scratch_path("whole.h5"),
               *bad = scratch_path("bad.h5");
    reduce_cached(model, "", path);
    size_t size;
    char *bytes = read_bytes(path, &size);
    for (size_t cut = 9; cut < size; cut += size / 23) {
        write_part(bad, bytes, cut);
        expect(run_limber("modes %s", bad), 3, "bad.h5' is");
    }
    int refused = 0;
    for (size_t at = 512; at < size; at += size / 29) { /* a byte of data or of structure */
        bytes[at] ^= 0x55;
        write_part(bad, bytes, size);
        lmb_run_result run = run_limber("modes %s", bad);
        assert_true(run.code == 0 || run.code == 3);
        refused += run.code == 3;
        free_run(&run);
        bytes[at] ^= 0x55;
    }
    assert_true(refused > 5);
    free(bytes);
    write_text(bad, "limber: 1\n");
    expect(run_limber("modes %s", bad), 3, "is not a file of a reduced body");
    expect(run_limber("modes %s", scratch_path("none.h5")), 5, "No such file");
    bad = scratch_path("rest.h5");
    lmb_run_result run =
        run_limber("run %s --quiet -o %s", "examples/cantilever/cantilever.yaml", bad);
    assert_runs(&run);
    free_run(&run);
    expect(run_limber("matrices %s", bad), 3, "it has results of `limber run`");
    expect(run_limber("reduce %s --quiet -o %s", model, bad), 2, "has results, which a body would");
    expect(run_limber("run %s --quiet -o %s", "examples/cantilever/cantilever.yaml", path), 2,
           "has a reduced body, which results would replace");
    expect(run_limber("list %s", path), 3, "has a reduced body, not results");
}

static void test_matrices(void **state)
{
    (void)state;
    const char *model = strip_model("matrices.yaml", 2, "    reduction: {modes: 2, keep: 2}\n");
    const char *path = scratch_path("matrices.h5");
    reduce_cached(model, "", path);
    lmb_run_result run = run_limber("matrices %s --json", path);
    assert_runs(&run);
    double x[14];
    assert_int_equal(numbers_of(run.out, "M", 0, x, 2), 2);
    assert_close(x[0], 1, 1e-12);
    assert_close(x[1], 0, 1e-12);
    assert_int_equal(numbers_of(run.out, "gram", 0, x, 14), 14);
    assert_close(x[0], 1.57, 1e-12);
    assert_non_null(strstr(run.out, "\"mode2.turned.z\""));
    assert_non_null(strstr(run.out, "\"B.rotation.z\""));
    free_run(&run);
    run = run_limber("matrices %s", path);
    assert_runs(&run);
    assert_non_null(strstr(run.out, "basis: displacements and rotations"));
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_of_names),
        cmocka_unit_test(test_cache_damaged),
        cmocka_unit_test(test_cache_checked),
        cmocka_unit_test(test_cache_links),
        cmocka_unit_test(test_cache_of_files),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_stiffening),
        cmocka_unit_test(test_damaged_file),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_static_shapes),
        cmocka_unit_test(test_outside_of_beams),
        cmocka_unit_test(test_stress_of_bending),
        cmocka_unit_test(test_stress_of_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
