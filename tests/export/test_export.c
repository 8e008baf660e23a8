/* Exports as meshes and MAT-files, and what reports lay over their channels, through the built
 * program. CSV is tested with the other verbs of results; glTF files are checked by the validator
 * of Khronos in viewer/tests. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/scene.h"
#include "program.h"
#include "result/write.h"

static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    text[*size] = 0;
    fclose(file);
    return text;
}

static const char *slider_crank(void)
{
    const char *path = scratch_path("slider-crank.h5");
    check_run(run_limber("run examples/slider-crank/slider-crank.yaml --quiet -o %s", path), 0, "");
    return path;
}

/* The numbers of a data array of a .vtu file: base64 with the number of bytes in front. */
static unsigned char *array_of(const char *file, const char *name, uint32_t *size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char mark[64];
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const char *at = strstr(file, mark);
    assert_non_null(at);
    at = strchr(at, '>') + 1;
    size_t length = strcspn(at, "<"), used = 0;
    unsigned char *bytes = malloc(length);
    for (size_t i = 0; i + 3 < length; i += 4) {
        unsigned long four = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *digit = strchr(digits, at[i + k]);
            four = four << 6 | (at[i + k] == '=' ? 0UL : (unsigned long)(digit - digits));
        }
        for (int k = 2; k >= 0; k--)
            bytes[used++] = (unsigned char)(four >> (8 * k));
    }
    memcpy(size, bytes, 4);
    assert_true(*size + 4 <= used && used <= *size + 6);
    memmove(bytes, bytes + 4, *size);
    return bytes;
}

/* The first eight points are the corners of the crank, whose middle is its position. */
static void meshes_for_paraview_are_where_the_bodies_are(void **state)
{
    (void)state;
    const char *result = slider_crank(), *folder = scratch_path("vtk");
    check_run(run_limber("export %s --vtk %s --step 0.25", result, folder), 0, "");
    size_t size;
    char path[512];
    snprintf(path, sizeof path, "%s/slider-crank.pvd", folder);
    char *list = read_text(path, &size);
    assert_non_null(strstr(list, "timestep=\"0.5\" part=\"0\" file=\"slider-crank_00002.vtu\""));
    free(list);
    snprintf(path, sizeof path, "%s/slider-crank_00001.vtu", folder);
    char *grid = read_text(path, &size);
    assert_non_null(strstr(grid, "NumberOfPoints=\"24\" NumberOfCells=\"36\""));
    uint32_t bytes;
    float *points = (float *)array_of(grid, "Points", &bytes);
    assert_int_equal(bytes, 24 * 3 * sizeof(float));
    double centre[2] = {0, 0}, angle = 10 * 0.25; /* omega t; the crank is 0.15 long */
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 2; k++)
            centre[k] += (double)points[3 * i + k] / 8;
    assert_close(centre[0], 0.075 * cos(angle), 1e-7); /* single precision */
    assert_close(centre[1], 0.075 * sin(angle), 1e-7);
    int32_t *body = (int32_t *)array_of(grid, "body", &bytes);
    assert_int_equal(bytes, 36 * sizeof(int32_t));
    assert_int_equal(body[0], 1);
    assert_int_equal(body[35], 3);
    unsigned char *types = array_of(grid, "types", &bytes);
    assert_int_equal(bytes, 36);
    assert_int_equal(types[0], 5);
    free(types);
    free(body);
    free(points);
    free(grid);
}

/* A flexible tetrahedron with one mode: displacement, stress and von Mises at its nodes. */
static const char *write_flexible(void)
{
    static const char geometry[] = "{\"dimension\": 3, \"length\": 1, \"bodies\": [{\"name\": "
                                   "\"ground\", \"kind\": \"ground\", "
                                   "\"shape\": null, \"points\": {}}, {\"name\": \"part\", "
                                   "\"kind\": \"flexible\", \"shape\": null, "
                                   "\"points\": {}}], \"joints\": [], \"forces\": []}";
    static const lmb_channel channels[] = {{"part.position", "m", "", 3, "xyz"},
                                           {"part.quaternion", "", "", 4, "wxyz"},
                                           {"part.modes", "", "", 1, ""}};
    float nodes[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, shape[12] = {0}, stress[24] = {0};
    int triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    double frequency = 12;
    shape[3] = 1;      /* the second node moves along x */
    stress[6 + 3] = 1; /* with a shear stress */
    lmb_skin skin = {.name = "part",
                     .node_count = 4,
                     .triangle_count = 4,
                     .mode_count = 1,
                     .nodes = nodes,
                     .triangles = triangles,
                     .frequency = &frequency,
                     .shapes = shape,
                     .stresses = stress};
    const char *path = scratch_path("part.h5");
    lmb_context *context = lmb_context_new();
    lmb_writer *w;
    assert_int_equal(lmb_writer_new(&w, context, path), 0);
    assert_int_equal(lmb_writer_text(w, context, "geometry", geometry), 0);
    assert_int_equal(lmb_writer_skin(w, context, &skin), 0);
    assert_int_equal(lmb_writer_begin(w, context, "run", "dynamics", 3, channels), 0);
    double h = sqrt(0.5);
    for (int i = 0; i < 3; i++) {
        const double row[8] = {i, 0, 0, h, 0, 0, h, 0.5 * i}; /* a quarter of a turn about z */
        assert_int_equal(lmb_writer_row(w, context, i, row), 0);
    }
    assert_int_equal(lmb_writer_close(w, context), 0);
    lmb_context_free(context);
    return path;
}

static void flexible_meshes_have_deformation_and_stress(void **state)
{
    (void)state;
    const char *folder = scratch_path("part");
    check_run(run_limber("export %s --vtk %s --gltf %s", write_flexible(), folder,
                         scratch_path("part.glb")),
              0, "");
    size_t size;
    char path[512];
    snprintf(path, sizeof path, "%s/part_00002.vtu", folder);
    char *grid = read_text(path, &size);
    uint32_t bytes;
    float *points = (float *)array_of(grid, "Points", &bytes);
    float *moved = (float *)array_of(grid, "deformation", &bytes);
    float *mises = (float *)array_of(grid, "von_mises", &bytes);
    /* the node (1, 0, 0) is stretched by 1, turned to y, and moved by 2 along x */
    assert_close((double)points[3], 2, 1e-6);
    assert_close((double)points[4], 2, 1e-6);
    assert_close((double)moved[4], 1, 1e-6);
    assert_close((double)mises[1], sqrt(3), 1e-6); /* of a shear stress of 1 */
    assert_true(mises[0] == 0);
    free(points);
    free(moved);
    free(mises);
    free(grid);
    char *file = read_text(scratch_path("part.glb"), &size);
    uint32_t head[3];
    memcpy(head, file, sizeof head);
    assert_memory_equal(file, "glTF", 4);
    assert_int_equal(head[1], 2);
    assert_int_equal(head[2], size);
    assert_non_null(strstr(file + 20, "\"targetNames\": [\"mode 1, 12 Hz\"]"));
    assert_non_null(strstr(file + 20, "\"path\": \"weights\""));
    free(file);
}

static void mat_files_have_the_channels(void **state)
{
    (void)state;
    const char *result = slider_crank(), *path = scratch_path("slider-crank.mat");
    check_run(run_limber("export %s --mat %s slider.position motor.effort", result, path), 0, "");
    size_t size;
    char *mat = read_text(path, &size);
    assert_int_equal(strncmp(mat, "MATLAB 5.0 MAT-file", 19), 0);
    assert_true(size > 128 + 4 * 101 * sizeof(double));
    bool found = false; /* the matrix of the name has the numbers of the result, to the last bit */
    lmb_context *context = lmb_context_new();
    lmb_result *r;
    lmb_series s;
    assert_int_equal(lmb_result_open(&r, context, result), 0);
    assert_int_equal(lmb_result_read(r, context, "motor.effort", &s), 0);
    size_t bytes = (size_t)s.count * sizeof(double);
    for (size_t i = 0; i + bytes <= size && !found; i += 8)
        found = memcmp(mat + i, s.values, bytes) == 0;
    assert_true(found);
    lmb_series_free(&s);
    lmb_result_close(r);
    lmb_context_free(context);
    free(mat);
}

/* --- comparisons in reports ------------------------------------------------------------------- */

/* What is measured differs by this, and begins later and ends earlier than the result. */
static double offset(double t)
{
    return 0.1 + 0.05 * t * t;
}

/* Writes sin(2 pi t) as a result, every 0.01 s, and sampled otherwise, shifted by 0.3 s and with
 * the offset, as a table. Returns the RMS of the offset over the instants of the result that both
 * have. */
static double write_sines(const char *path, const char *table)
{
    static const lmb_channel channels[] = {{"body.x", "m", "", 1, ""}};
    enum { FIRST = 15, LAST = 201 };
    const double step = 0.0137;
    double sum = 0, count = 0;
    lmb_context *context = lmb_context_new();
    lmb_writer *w;
    assert_int_equal(lmb_writer_new(&w, context, path), 0);
    assert_int_equal(lmb_writer_begin(w, context, "run", "dynamics", 1, channels), 0);
    for (int i = 0; i <= 300; i++) {
        double t = 0.01 * i, x = sin(2 * LMB_PI * t);
        assert_int_equal(lmb_writer_row(w, context, t, &x), 0);
        if (t >= FIRST * step && t <= LAST * step) {
            sum += offset(t) * offset(t);
            count++;
        }
    }
    assert_int_equal(lmb_writer_close(w, context), 0);
    lmb_context_free(context);
    FILE *file = fopen(table, "w");
    fputs("time,body.x,other\n", file);
    for (int i = FIRST; i <= LAST; i++) {
        double t = step * i;
        fprintf(file, "%.17g,%.17g,1\n", t - 0.3, sin(2 * LMB_PI * t) + offset(t));
    }
    fclose(file);
    return sqrt(sum / count);
}

/* Cubic interpolation of sin(2 pi t) at steps of 0.0137 s errs by less than (2 pi h)^4 / 42
 * = 1.3e-6 (and twice that in the first and last step), and averages out to much less. */
static void differences_are_measured_with_shift_and_resampling(void **state)
{
    (void)state;
    const char *path = scratch_path("sine.h5"), *table = scratch_path("sine.csv");
    double expected = write_sines(path, table);
    lmb_run_result run = run_limber("report %s --compare %s --shift 0.3 -o %s", path, table,
                                    scratch_path("sine.html"));
    if (strstr(run.err, "without the viewer")) {
        free_run(&run);
        skip();
    }
    check_run(run, 0, "the column 'other'");
    size_t size;
    char *page = read_text(scratch_path("sine.html"), &size);
    const char *compare = strstr(page, "\"source\": \"sine.csv\"");
    assert_non_null(compare);
    double rms = strtod(strstr(compare, "\"rms\": ") + strlen("\"rms\": "), NULL);
    double largest = strtod(strstr(compare, "\"largest\": ") + strlen("\"largest\": "), NULL);
    assert_close(rms, expected, 1e-6);
    assert_close(largest, offset(2.75), 4e-6); /* the last instant that both have */
    free(page);
    check_run(run_limber("report %s --shift 1", path), 2, "--compare");
    check_run(run_limber("report %s --compare README.md", path), 3, "README.md");
}

/* --- stresses of results ---------------------------------------------------------------------- */

/* A bar 1 m long along x of eight bricks, its ends the sets LEFT and RIGHT. All nodes are outside.
 */
static void write_bar(const char *path)
{
    enum { CELLS = 8 };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("*NODE\n", file);
    for (int i = 0; i < 4 * (CELLS + 1); i++)
        fprintf(file, "%d, %g, %g, %g\n", i + 1, (double)(i / 4) / CELLS,
                i % 4 == 1 || i % 4 == 2 ? 0.02 : 0, i % 4 >= 2 ? 0.03 : 0);
    fputs("*ELEMENT, TYPE=C3D8, ELSET=ALL\n", file);
    for (int i = 0; i < CELLS; i++) {
        fprintf(file, "%d", i + 1);
        for (int k = 0; k < 8; k++)
            fprintf(file, ", %d", 4 * i + k + 1);
        fputs("\n", file);
    }
    fprintf(file, "*NSET, NSET=LEFT\n1, 2, 3, 4\n*NSET, NSET=RIGHT\n%d, %d, %d, %d\n",
            4 * CELLS + 1, 4 * CELLS + 2, 4 * CELLS + 3, 4 * CELLS + 4);
    assert_int_equal(fclose(file), 0);
}

/* The largest von Mises stress of the points of a VTK file. */
static double largest_mises(const char *path)
{
    size_t size;
    uint32_t bytes;
    char *grid = read_text(path, &size);
    float *mises = (float *)array_of(grid, "von_mises", &bytes);
    double largest = 0;
    for (uint32_t i = 0; i < bytes / sizeof *mises; i++)
        largest = fmax(largest, (double)mises[i]);
    free(mises);
    free(grid);
    return largest;
}

/* Runs a model `name` and compares the stresses that are drawn of a body with its channel, at each
 * instant: they are the same, or less by a part `below` at most. */
static void assert_stress_is_drawn(const char *name, const char *text, const char *body,
                                   double below)
{
    char model[64], result_name[64], path[600];
    snprintf(model, sizeof model, "%s.yaml", name);
    snprintf(result_name, sizeof result_name, "%s.h5", name);
    FILE *file = fopen(scratch_path(model), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    const char *result_path = scratch_path(result_name), *folder = scratch_path(name);
    check_run(run_limber("run %s --quiet -o %s", scratch_path(model), result_path), 0, "");
    check_run(run_limber("export %s --vtk %s", result_path, folder), 0, "");
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    lmb_series s;
    assert_int_equal(lmb_result_open(&result, context, result_path), LMB_OK);
    snprintf(path, sizeof path, "%s.stress.max", body);
    assert_int_equal(lmb_result_read(result, context, path, &s), LMB_OK);
    assert_true(s.count > 10);
    double most = 0;
    for (int i = 0; i < s.count; i++)
        most = fmax(most, s.values[i]);
    for (int i = 0; i < s.count; i++) {
        snprintf(path, sizeof path, "%s/%s_%05d.vtu", folder, name, i);
        double drawn = largest_mises(path), precision = 1e-5 * most; /* single, of many modes */
        assert_true(drawn < s.values[i] + precision);
        assert_true(drawn > s.values[i] * (1 - below) - precision);
    }
    lmb_series_free(&s);
    lmb_result_close(result);
    lmb_context_free(context);
}

/* A bar that is spun up and bends far: its stresses are not those of the modal coordinates, since
 * it stretches by bending. What is drawn is what the channel says. */
static void stresses_of_a_stiffened_body_are_drawn(void **state)
{
    (void)state;
    write_bar(scratch_path("bar.inp"));
    assert_stress_is_drawn(
        "spun",
        "limber: 1\ndimension: 3\nbodies:\n  bar:\n"
        "    mesh: {file: bar.inp, material: {E: 2e9, nu: 0.3, density: 1000}}\n"
        "    interfaces: {A: {nodes: LEFT}, B: {nodes: RIGHT}}\n"
        "    reduction: {modes: 4, stiffening: true, frame: {point: A}}\n"
        "joints:\n  hinge: {type: revolute, between: [ground, bar.A], axis: [0, 0, 1]}\n"
        "drivers:\n  motor: {joint: hinge, angle: 40*t^2}\n"
        "analyses:\n  spin: {type: dynamics, duration: 0.3, output_step: 0.02}\n",
        "bar", 0);
}

/* The same of exact beams: one that swings and twists, with corners, and one in the plane. */
static void stresses_of_exact_beams_are_drawn(void **state)
{
    (void)state;
    static const char *const sections[] = {"{rectangle: {width: 0.02, height: 0.03}}",
                                           "{box: {width: 0.02, height: 0.03, wall: 0.002}}",
                                           "{tube: {diameter: 0.03, wall: 0.004}}"};
    for (int i = 0; i < 3; i++) {
        char text[1000], name[20];
        snprintf(name, sizeof name, "exact%d", i);
        snprintf(
            text, sizeof text,
            "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  arm:\n    beam:\n"
            "      along: [[0, 0, 0], [1, 0, 0], [1, 0.6, 0]]\n      elements: 6\n"
            "      order: 2\n      deformation: large\n      section: %s\n"
            "      material: {E: 2e8, nu: 0.3, density: 1000}\n"
            "    interfaces: {A: start}\n"
            "joints: {hinge: {type: revolute, between: [ground, arm.A], axis: [0, 1, 0]}}\n"
            "drivers: {motor: {joint: hinge, angle: 0.5*sin(9*t)}}\n"
            "analyses: {swing: {type: dynamics, duration: 0.24, output_step: 0.02, step: 0.002, "
            "integrator: generalized-alpha}}\n",
            sections[i]);
        assert_stress_is_drawn(name, text, "arm", i < 2 ? 0 : 1 - cos(LMB_PI / 16));
    }
    assert_stress_is_drawn(
        "exact-flat",
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  strip:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 6, deformation: large, section: "
        "{rectangle: "
        "{width: 0.02, height: 0.01}}, material: {E: 2e8, nu: 0.3, density: 1000}}\n"
        "    interfaces: {A: start}\n"
        "joints: {hinge: {type: revolute, between: [ground, strip.A]}}\n"
        "analyses: {fall: {type: dynamics, duration: 0.24, output_step: 0.02, step: 0.002, "
        "integrator: generalized-alpha}}\n",
        "strip", 0);
}

/* A bent arm of two elements a leg that swings and twists under its weight; `section` as in the
 * model file. */
static const char *arm_of(const char *section)
{
    static char text[1000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  arm:\n"
             "    beam:\n      along: [[0, 0, 0], [1, 0, 0], [1, 0.6, 0]]\n      elements: 2\n"
             "      section: %s\n      material: steel\n"
             "    interfaces: {A: start, B: end}\n    reduction: {modes: 4}\n"
             "joints:\n  hinge: {type: revolute, between: [ground, arm.A], axis: [0, 1, 0]}\n"
             "drivers:\n  motor: {joint: hinge, angle: 0.5*sin(9*t)}\n"
             "analyses:\n  swing: {type: dynamics, duration: 0.4, output_step: 0.02}\n",
             section);
    return text;
}

/* Beams are drawn with their outside, whose stresses are those of the extreme fibres: of a
 * rectangle, a box and an I in its corners; on a circle they are between two of sixteen nodes at
 * worst. */
static void stresses_of_beams_are_drawn(void **state)
{
    (void)state;
    assert_stress_is_drawn("square", arm_of("{rectangle: {width: 0.02, height: 0.03}}"), "arm", 0);
    assert_stress_is_drawn("box", arm_of("{box: {width: 0.02, height: 0.03, wall: 0.002}}"), "arm",
                           0);
    assert_stress_is_drawn(
        "shaped", arm_of("{I: {height: 0.03, width: 0.02, web: 0.002, flange: 0.003}}"), "arm", 0);
    assert_stress_is_drawn("round", arm_of("{tube: {diameter: 0.03, wall: 0.004}}"), "arm",
                           1 - cos(LMB_PI / 16));
    assert_stress_is_drawn(
        "flat",
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  strip:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 3, section: {rectangle: {width: 0.02, "
        "height: 0.01}}, material: steel}\n"
        "    interfaces: {A: start}\n    reduction: {modes: 3, stiffening: true}\n"
        "joints:\n  hinge: {type: revolute, between: [ground, strip.A]}\n"
        "analyses:\n  fall: {type: dynamics, duration: 0.5, output_step: 0.02}\n",
        "strip", 0);
}

static void wrong_uses_are_told(void **state)
{
    (void)state;
    const char *result = slider_crank();
    check_run(run_limber("export %s", result), 2, "where to is missing");
    check_run(run_limber("export %s --gltf x.glb --step 0", result), 2, "--step must be positive");
    check_run(run_limber("export %s --gltf x.glb --analysis no", result), 3, "no analysis 'no'");
    check_run(run_limber("export %s --vtk /no/such/folder/x", result), 5, "cannot make the folder");
    check_run(run_limber("export %s --gltf /no/such/folder/x.glb", result), 5, "cannot write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_for_paraview_are_where_the_bodies_are),
        cmocka_unit_test(flexible_meshes_have_deformation_and_stress),
        cmocka_unit_test(mat_files_have_the_channels),
        cmocka_unit_test(differences_are_measured_with_shift_and_resampling),
        cmocka_unit_test(stresses_of_a_stiffened_body_are_drawn),
        cmocka_unit_test(stresses_of_beams_are_drawn),
        cmocka_unit_test(stresses_of_exact_beams_are_drawn),
        cmocka_unit_test(wrong_uses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
