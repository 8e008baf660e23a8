/* Reports, through the built program: what is in the page, that texts of a model cannot become
 * HTML, skins of flexible bodies, and how large the report of a long flexible run is. Some of the
 * files are left for the test of the viewer in a browser (viewer/tests). */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

#include "report/report.h"
#include "result/read.h"
#include "result/write.h"
#include "program.h"

/* The text of a file, to be freed. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = 0;
    fclose(file);
    return text;
}

/* A report is skipped where the program was built without its viewer. */
static void need_viewer(void)
{
    static bool known, without;
    if (!known) {
        lmb_run_result run = run_limber("run examples/slider-crank/slider-crank.yaml --quiet -o %s",
                                        scratch_path("slider-crank.h5"));
        free_run(&run);
        run = run_limber("report %s -o %s", scratch_path("slider-crank.h5"),
                         scratch_path("slider-crank.html"));
        without = strstr(run.err, "without the viewer") != NULL;
        free_run(&run);
        known = true;
    }
    if (without)
        skip();
}

/* --- the page --------------------------------------------------------------------------------- */

/* Unpacks a block of four-byte floats out of a page. */
static float *unpack(const char *page, int block, size_t count)
{
    char mark[64];
    snprintf(mark, sizeof mark, "id=\"block%d\">", block);
    const char *at = strstr(page, mark);
    assert_non_null(at);
    at += strlen(mark);
    size_t size = strcspn(at, "<"), used = 0;
    unsigned char *packed = malloc(size), *planes = malloc(4 * count);
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 4) {
        unsigned long four = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *digit = strchr(digits, at[i + k]);
            four = four << 6 | (at[i + k] == '=' ? 0UL : (unsigned long)(digit - digits));
        }
        for (int k = 2; k >= 0; k--)
            packed[used++] = (unsigned char)(four >> (8 * k));
    }
    uLongf length = (uLongf)(4 * count);
    int status = uncompress(planes, &length, packed, (uLong)used);
    assert_true(status == Z_OK || status == Z_BUF_ERROR || status == Z_DATA_ERROR);
    assert_int_equal(length, 4 * count);
    float *numbers = malloc(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 4; k++)
            bits |= (uint32_t)planes[k * count + i] << (8 * k);
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    free(packed);
    free(planes);
    return numbers;
}

static void page_has_the_numbers_of_the_result(void **state)
{
    (void)state;
    need_viewer();
    char *page = read_text(scratch_path("slider-crank.html"));
    assert_int_equal(strncmp(page, "<!doctype html>", 15), 0);
    assert_non_null(strstr(page, "Slider-crank at constant speed"));
    assert_null(strstr(page, "<script src"));
    assert_null(strstr(page, "<link"));

    /* the first channel is that of the position; blocks hold a component after the other */
    const char *channel = strstr(page, "\"name\": \"crank.position\"");
    assert_non_null(channel);
    int block = atoi(strstr(channel, "\"block\": ") + strlen("\"block\": "));
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    lmb_series s;
    assert_int_equal(lmb_result_open(&result, context, scratch_path("slider-crank.h5")), 0);
    assert_int_equal(lmb_result_read(result, context, "crank.position", &s), 0);
    float *numbers = unpack(page, block, 2 * (size_t)s.count);
    for (int i = 0; i < s.count; i++)
        for (int k = 0; k < 2; k++)
            assert_true(numbers[k * s.count + i] == (float)s.values[2 * i + k]);
    free(numbers);
    lmb_series_free(&s);
    lmb_result_close(result);
    lmb_context_free(context);
    free(page);
}

/* The report of a result beside itself, with names for the two; to be freed. */
static char *compared(const char *path, const char *own, const char *other)
{
    lmb_context *context = lmb_context_new();
    const char *result = scratch_path("slider-crank.h5");
    const lmb_report_request report = {.viewer = LMB_PAGE_MARK,
                                       .path = path,
                                       .compare = {.path = result},
                                       .own_label = own,
                                       .other_label = other};
    remove(path);
    assert_int_equal(lmb_report_write(context, result, &report), LMB_OK);
    lmb_context_free(context);
    return read_text(path);
}

/* How often a piece occurs. */
static int occurrences(const char *text, const char *piece)
{
    int count = 0;
    for (const char *at = strstr(text, piece); at; at = strstr(at + 1, piece))
        count++;
    return count;
}

/* Of the other result goes along what moves its picture; both have names. */
static void other_results_move_along(void **state)
{
    (void)state;
    need_viewer();
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path("compared.html"));
    char *page = compared(path, "optimised", "as given");
    assert_non_null(strstr(page, "\"own\": \"optimised\", \"source\": \"as given\""));
    const char *ghost = strstr(page, "\"ghost\": {\"geometry\": \"{");
    assert_non_null(ghost);
    /* places and angles of three bodies, and nothing of joints, forces and energies */
    assert_int_equal(occurrences(ghost, "\"name\": \"crank.position\""), 1);
    assert_int_equal(occurrences(ghost, "\"data\": {\"block\""), 6);
    free(page);
    page = compared(path, NULL, NULL);
    assert_non_null(strstr(page, "\"own\": \"slider-crank.h5\", \"source\": \"slider-crank.h5\""));
    free(page);
}

static void texts_of_models_stay_texts(void **state)
{
    (void)state;
    need_viewer();
    const char *model = scratch_path("hostile.yaml");
    FILE *file = fopen(model, "w");
    assert_non_null(file);
    fputs("# </script><script>alert(2)</script> <!--\n"
          "limber: 1\n"
          "title: \"<img src=x onerror=alert(1)></title></script><script>alert(3)</script>\"\n"
          "dimension: 2\n"
          "bodies:\n"
          "  arm: {shape: {bar: {length: 1}}, mass: 1, points: {A: [-0.5, 0]}}\n"
          "joints:\n"
          "  pin: {type: revolute, between: [ground, arm.A]}\n"
          "drivers:\n"
          "  motor: {joint: pin, angle: t}\n"
          "analyses:\n"
          "  turn: {type: kinematics, duration: 1, output_step: 0.1}\n",
          file);
    fclose(file);
    check_run(run_limber("run %s --quiet -o %s", model, scratch_path("hostile.h5")), 0, "");
    check_run(
        run_limber("report %s -o %s", scratch_path("hostile.h5"), scratch_path("hostile.html")), 0,
        "The report is in");
    char *page = read_text(scratch_path("hostile.html"));
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "<script>alert"));
    assert_null(strstr(page, "onerror=alert(1)>"));
    assert_non_null(strstr(page, "\\u003cimg src=x onerror=alert(1)"));
    free(page);
}

static void summary_of_the_run_is_kept(void **state)
{
    (void)state;
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, context, example_result("run", "suspension")), 0);
    const char *summary = lmb_result_text(result, "summary");
    assert_non_null(summary);
    assert_non_null(strstr(summary, "\"name\": \"bump\", \"type\": \"dynamics\""));
    assert_non_null(strstr(summary, "\"free\": 2"));
    assert_non_null(strstr(summary, "\"integrator\": \"rk45\""));
    assert_non_null(strstr(summary, "\"steps\": "));
    lmb_result_close(result);
    lmb_context_free(context);
}

static void wrong_uses_are_told(void **state)
{
    (void)state;
    need_viewer();
    check_run(run_limber("report"), 2, "RESULT");
    check_run(run_limber("report no-such.h5"), 5, "no-such.h5");
    check_run(run_limber("report README.md"), 3, "is not a Limber result file");
    check_run(run_limber("report examples/cantilever/cantilever.yaml"), 3, "`limber run examples/");
    const char *result = scratch_path("slider-crank.h5");
    check_run(run_limber("report %s -o %s", result, result), 5, "is not a report");
    check_run(run_limber("report %s -o /no/such/folder/x.html", result), 5, "cannot write");
    check_run(run_shell("TMPDIR=/no/such/folder %LIMBER% view build/none.h5"), 5, "");
}

/* `view` opens what it writes with the program of LIMBER_BROWSER. */
static void view_opens_the_report(void **state)
{
    (void)state;
    need_viewer();
    char command[1024];
    snprintf(command, sizeof command, "TMPDIR=%s LIMBER_BROWSER=ls %%LIMBER%% view %s",
             scratch_path(""), scratch_path("slider-crank.h5"));
    check_run(run_shell(command), 0, "/slider-crank.html");
    snprintf(command, sizeof command, "TMPDIR=%s LIMBER_BROWSER=no-such-program %%LIMBER%% view %s",
             scratch_path(""), scratch_path("slider-crank.h5"));
    check_run(run_shell(command), 5,
              "'no-such-program', which would open the report, was not found");
}

/* The folder of an earlier page is removed, unless it was made less than a minute ago. */
static void view_removes_earlier_pages(void **state)
{
    (void)state;
    need_viewer();
    char command[4096];
    snprintf(command, sizeof command,
             "cd %s && rm -rf pages && mkdir pages && export TMPDIR=$PWD/pages LIMBER_BROWSER=ls;"
             "for i in 1 2; do %%LIMBER%% view slider-crank.h5; done; ls pages | wc -l;"
             "mkdir pages/other && touch -d '2 minutes ago' pages/*;"
             "%%LIMBER%% view slider-crank.h5; ls pages | wc -l; ls pages/*/*.html | wc -l",
             scratch_path(""));
    lmb_run_result run = run_shell(command);
    const char *counts = strstr(run.out, "html\n2\n");
    assert_non_null(counts);
    assert_true(
        lmb_ends_with(run.out, "html\n2\n1\n")); /* `other`, and the page of the last call */
    free_run(&run);
}

/* --- flexible bodies -------------------------------------------------------------------------- */

enum { AROUND = 100, ALONG = 200, NODES = AROUND * ALONG, MODES = 20, INSTANTS = 3501 };

/* A number that looks like noise, from -1 to 1: real meshes do not compress as smooth ones do. */
static double noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 23) - 1;
}

/* The triangles of the ends of a tube, as those of a solid; `t` is where they begin. */
static void close_ends(int *t)
{
    for (int i = 1, last = NODES - AROUND; i + 1 < AROUND; i++, t += 6) {
        const int two[6] = {0, i, i + 1, last, last + i + 1, last + i};
        memcpy(t, two, sizeof two);
    }
}

/* A cylinder along z whose modes bend, twist and stretch it. */
static void fill_tube(lmb_skin *s, double radius, double length)
{
    uint32_t seed = 1;
    int corner = 0;
    for (int j = 0; j < ALONG; j++)
        for (int i = 0; i < AROUND; i++) {
            int n = j * AROUND + i;
            double angle = 2 * LMB_PI * i / AROUND, z = length * j / (ALONG - 1);
            s->nodes[3 * n] = (float)(radius * cos(angle));
            s->nodes[3 * n + 1] = (float)(radius * sin(angle));
            s->nodes[3 * n + 2] = (float)-z;
            for (int m = 0; m < MODES; m++) {
                float *shape = s->shapes + 3 * (m * NODES + n);
                float *stress = s->stresses + LMB_SKIN_STRESSES * (m * NODES + n);
                double wave = sin((m / 2 + 1) * LMB_PI * z / length) * (1 + 1e-3 * noise(&seed));
                shape[m % 2] = (float)(0.02 * wave);
                shape[2] = (float)(0.004 * wave * cos(angle) + 1e-5 * noise(&seed));
                stress[2] = (float)(1e8 * wave * (m % 2 ? sin(angle) : cos(angle)));
                stress[5] = (float)(1e7 * cos((m + 1) * z) + 1e5 * noise(&seed));
                stress[0] = (float)(1e6 * noise(&seed));
            }
            if (j + 1 == ALONG)
                continue;
            int right = j * AROUND + (i + 1) % AROUND;
            const int two[6] = {n, n + AROUND, right, right, n + AROUND, right + AROUND};
            memcpy(s->triangles + 3 * corner, two, sizeof two);
            corner += 2;
        }
    close_ends(s->triangles + 3 * corner);
    for (int m = 0; m < MODES; m++)
        s->frequency[m] = 5.0 * (m + 1);
}

static lmb_skin make_tube(lmb_arena *arena, const char *name, double radius, double length)
{
    lmb_skin s = {.name = name,
                  .node_count = NODES,
                  .triangle_count = 2 * AROUND * (ALONG - 1) + 2 * (AROUND - 2),
                  .mode_count = MODES};
    s.nodes = lmb_arena_alloc(arena, 3 * NODES, sizeof(float));
    s.triangles = lmb_arena_alloc(arena, 3 * (size_t)s.triangle_count, sizeof(int));
    s.lines = lmb_arena_alloc(arena, 1, sizeof(int));
    s.frequency = lmb_arena_alloc(arena, MODES, sizeof(double));
    s.shapes = lmb_arena_alloc(arena, 3 * NODES * MODES, sizeof(float));
    s.stresses = lmb_arena_alloc(arena, LMB_SKIN_STRESSES * NODES * MODES, sizeof(float));
    fill_tube(&s, radius, length);
    return s;
}

static const char geometry[] =
    "{\"dimension\": 3, \"length\": 5, \"gravity\": [0, 0, -9.81], \"bodies\": ["
    "{\"name\": \"ground\", \"kind\": \"ground\", \"shape\": null, \"points\": {}},"
    "{\"name\": \"arm\", \"kind\": \"flexible\", \"shape\": null, \"points\": {\"end\": [0, 0, "
    "-8]}},"
    "{\"name\": \"hub\", \"kind\": \"flexible\", \"shape\": null, \"points\": {}}],"
    "\"joints\": [{\"name\": \"pivot\", \"type\": \"revolute\", \"bodies\": [0, 1], \"at\": [0, 0, "
    "0],"
    " \"at_b\": [0, 0, 0], \"axis\": [0, 1, 0]}], \"forces\": []}";

static const lmb_channel channels[] = {
    {"arm.position", "m", "", 3, "xyz"},       {"arm.quaternion", "", "", 4, "wxyz"},
    {"arm.velocity", "m/s", "", 3, "xyz"},     {"arm.modes", "", "", MODES, ""},
    {"arm.modes_velocity", "", "", MODES, ""}, {"hub.position", "m", "", 3, "xyz"},
    {"hub.quaternion", "", "", 4, "wxyz"},     {"hub.velocity", "m/s", "", 3, "xyz"},
    {"hub.modes", "", "", MODES, ""},          {"hub.modes_velocity", "", "", MODES, ""},
};
enum { CHANNELS = sizeof channels / sizeof *channels, HALF = 10 + 2 * MODES };

/* A body that swings about y, its modes vibrating. */
static void fill_row(double *row, double t, double hang)
{
    double angle = 1.2 * sin(0.8 * t), c = cos(angle / 2), s = sin(angle / 2);
    const double pose[10] = {-hang * sin(angle), 0, -hang * cos(angle), c, 0, s, 0, 1, 2, 3};
    memcpy(row, pose, sizeof pose);
    for (int m = 0; m < MODES; m++) {
        double w = 2 * LMB_PI * 0.7 * (m + 1);
        row[10 + m] = sin(w * t) / (1 + m);
        row[10 + MODES + m] = w * cos(w * t) / (1 + m);
    }
}

static const char *write_flexible(void)
{
    const char *path = scratch_path("flexible.h5");
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_writer *w;
    lmb_skin arm = make_tube(arena, "arm", 0.3, 8), hub = make_tube(arena, "hub", 1.5, 0.8);
    assert_int_equal(lmb_writer_new(&w, context, path), 0);
    assert_int_equal(lmb_writer_text(w, context, "title", "Two flexible bodies"), 0);
    assert_int_equal(lmb_writer_text(w, context, "geometry", geometry), 0);
    assert_int_equal(lmb_writer_skin(w, context, &arm), 0);
    assert_int_equal(lmb_writer_skin(w, context, &hub), 0);
    assert_int_equal(lmb_writer_begin(w, context, "ride", "dynamics", CHANNELS, channels), 0);
    for (int i = 0; i < INSTANTS; i++) {
        double row[2 * HALF], t = 0.01 * i;
        fill_row(row, t, 0);
        fill_row(row + HALF, t, 8);
        assert_int_equal(lmb_writer_row(w, context, t, row), 0);
    }
    assert_int_equal(lmb_writer_close(w, context), 0);
    lmb_arena_free(arena);
    lmb_context_free(context);
    return path;
}

/* What was written is read back to the last bit. */
static void skins_come_back(void **state)
{
    (void)state;
    const char *path = write_flexible();
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_skin arm = make_tube(arena, "arm", 0.3, 8), *skins;
    lmb_result *result;
    int count;
    assert_int_equal(lmb_result_open(&result, context, path), 0);
    assert_int_equal(lmb_result_analysis_count(result), 1);
    assert_int_equal(lmb_skins_read(&skins, &count, arena, context, lmb_result_file(result),
                                    lmb_result_path(result)),
                     0);
    assert_int_equal(count, 2);
    assert_string_equal(skins[0].name, "arm");
    assert_int_equal(skins[0].mode_count, MODES);
    assert_memory_equal(skins[0].nodes, arm.nodes, 3 * NODES * sizeof(float));
    assert_memory_equal(skins[0].shapes, arm.shapes, 3 * NODES * MODES * sizeof(float));
    assert_memory_equal(skins[0].stresses, arm.stresses, 6 * NODES * MODES * sizeof(float));
    assert_memory_equal(skins[0].triangles, arm.triangles,
                        3 * (size_t)arm.triangle_count * sizeof(int));
    lmb_result_close(result);
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* Fewer nodes: those that stay are nodes of before, with their shapes; the surface stays closed
 * around the tube, so that its area changes by less than the roughness of its facets. */
static double area_of(const lmb_skin *s)
{
    double area = 0;
    for (int i = 0; i < s->triangle_count; i++) {
        vec3 p[3];
        for (int k = 0; k < 3; k++) {
            const float *x = s->nodes + 3 * s->triangles[3 * i + k];
            p[k] = v3(x[0], x[1], x[2]);
        }
        area += 0.5 * v3_norm(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
    }
    return area;
}

static void skins_are_thinned(void **state)
{
    (void)state;
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_skin whole = make_tube(arena, "arm", 0.3, 8), thin = make_tube(arena, "arm", 0.3, 8);
    assert_int_equal(lmb_skin_thin(&thin, arena, context, NODES), 0);
    assert_int_equal(thin.node_count, NODES);
    assert_int_equal(lmb_skin_thin(&thin, arena, context, 5000), 0);
    assert_true(thin.node_count <= 5000 && thin.node_count > 2500);
    assert_true(fabs(area_of(&thin) - area_of(&whole)) < 0.05 * area_of(&whole));
    for (int i = 0, at = 0; i < thin.node_count; i++, at++) {
        while (at < NODES && memcmp(whole.nodes + 3 * at, thin.nodes + 3 * i, 12) != 0)
            at++;
        assert_true(at < NODES);
        const float *a = whole.shapes + 3 * (7 * NODES + at);
        assert_memory_equal(a, thin.shapes + 3 * (7 * thin.node_count + i), 12);
    }
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* 35 s of two bodies with 20 000 nodes and 20 modes each: what fits into a mail. */
static void long_flexible_runs_stay_small(void **state)
{
    (void)state;
    need_viewer();
    const char *report = scratch_path("flexible.html");
    check_run(run_limber("report %s -o %s", write_flexible(), report), 0, "The report is in");
    struct stat status;
    assert_int_equal(stat(report, &status), 0);
    assert_true(status.st_size < 15 * 1000 * 1000);
}

/* A body file of `limber reduce` has its skin and tables in the page. */
static void reduced_bodies_have_reports(void **state)
{
    (void)state;
    need_viewer();
    const char *body = scratch_path("beam.h5"), *report = scratch_path("beam.html");
    check_run(
        run_limber("reduce examples/cantilever/cantilever.yaml --no-cache --quiet -o %s", body), 0,
        "");
    check_run(run_limber("report %s -o %s", body, report), 0, "The report is in");
    char *page = read_text(report);
    assert_non_null(strstr(page, "\"kind\": \"body\""));
    assert_non_null(strstr(page, "\"fixed_frequency\": ["));
    assert_non_null(strstr(page, "\"skins\": [{\"name\": \"beam\""));
    free(page);
}

/* A flexible body of given modal data has no nodes, and nothing to be drawn but its shape. */
static void bodies_without_nodes_are_reported(void **state)
{
    (void)state;
    need_viewer();
    const char *result = example_result("run", "simeon-slider-crank");
    const char *page = scratch_path("simeon.html");
    check_run(run_limber("report %s -o %s", result, page), 0, "The report is in");
    check_run(run_limber("export %s --gltf %s", result, scratch_path("simeon.glb")), 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_without_nodes_are_reported),
        cmocka_unit_test(page_has_the_numbers_of_the_result),
        cmocka_unit_test(other_results_move_along),
        cmocka_unit_test(texts_of_models_stay_texts),
        cmocka_unit_test(summary_of_the_run_is_kept),
        cmocka_unit_test(wrong_uses_are_told),
        cmocka_unit_test(view_opens_the_report),
        cmocka_unit_test(view_removes_earlier_pages),
        cmocka_unit_test(skins_come_back),
        cmocka_unit_test(skins_are_thinned),
        cmocka_unit_test(long_flexible_runs_stay_small),
        cmocka_unit_test(reduced_bodies_have_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
