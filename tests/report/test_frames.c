/* limber export --frames, through the built program: what is on the pictures, and where. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/scene.h"
#include "pictures.h"
#include "program.h"
#include "result/write.h"

/* The first colours of bodies, as in the viewer of reports. */
static const uint32_t colors[] = {0x4e79a7, 0xe08a3c, 0x5a9e6f};

/* Two plates that stay and a third that moves, in the plane. */
static const char plane[] =
    "{\"dimension\": 2, \"length\": 1, \"gravity\": [0, 0, 0], \"bodies\": ["
    "{\"name\": \"ground\", \"kind\": \"ground\", \"shape\": null, \"points\": {}},"
    "{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"box\": {\"size\": [0.4, 0.4]}}, "
    "\"points\": {}},"
    "{\"name\": \"b\", \"kind\": \"rigid\", \"shape\": {\"box\": {\"size\": [0.4, 0.4]}}, "
    "\"points\": {}},"
    "{\"name\": \"c\", \"kind\": \"rigid\", \"shape\": {\"box\": {\"size\": [0.4, 0.2]}}, "
    "\"points\": {}}], \"joints\": [], \"forces\": []}";

/* The same in space: two cubes and a rod. */
static const char space[] =
    "{\"dimension\": 3, \"length\": 1, \"gravity\": [0, 0, -9.81], \"bodies\": ["
    "{\"name\": \"ground\", \"kind\": \"ground\", \"shape\": null, \"points\": {}},"
    "{\"name\": \"a\", \"kind\": \"rigid\", \"shape\": {\"box\": {\"size\": [0.4, 0.4, 0.4]}}, "
    "\"points\": {}},"
    "{\"name\": \"b\", \"kind\": \"rigid\", \"shape\": {\"box\": {\"size\": [0.4, 0.4, 0.4]}}, "
    "\"points\": {}},"
    "{\"name\": \"c\", \"kind\": \"rigid\", \"shape\": {\"box\": {\"size\": [2, 0.1, 0.1]}}, "
    "\"points\": {}}], \"joints\": [], \"forces\": []}";

enum { INSTANTS = 5 };

/* Where the third body is in the plane: on a path that is no straight line. */
static double path_x(int instant)
{
    return 0.5 + 0.5 * instant;
}

static double path_y(int instant)
{
    return 0.3 + 0.15 * instant * instant;
}

/* A result of three bodies: a at (0, 0), b at (3, 2), c on its path. In space a is 1.5 before b, as
 * seen along y, and c between them across. With a skin c is flexible. */
static const char *write_result(const char *name, const char *geometry, bool planar,
                                const lmb_skin *skin)
{
    int width = planar ? 2 : 3;
    const lmb_channel channels[] = {{"a.position", "m", "", width, "xyz"},
                                    {"b.position", "m", "", width, "xyz"},
                                    {"c.position", "m", "", width, "xyz"},
                                    {"c.modes", "", "", 1, ""}};
    const char *path = scratch_path(name);
    lmb_context *context = lmb_context_new();
    lmb_writer *w;
    assert_int_equal(lmb_writer_new(&w, context, path), 0);
    assert_int_equal(lmb_writer_text(w, context, "geometry", geometry), 0);
    if (skin)
        assert_int_equal(lmb_writer_skin(w, context, skin), 0);
    assert_int_equal(lmb_writer_begin(w, context, "run", "dynamics", skin ? 4 : 3, channels), 0);
    for (int i = 0; i < INSTANTS; i++) {
        double c_x = skin ? 1.5 : path_x(i), c_y = skin ? 1 : path_y(i);
        const double flat[7] = {0, 0, 3, 2, c_x, c_y, 0.1 * i};
        const double solid[9] = {0, 0, 0, 0, 1.5, 0, 0, 0.75, 0};
        assert_int_equal(lmb_writer_row(w, context, 0.25 * i, planar ? flat : solid), 0);
    }
    assert_int_equal(lmb_writer_close(w, context), 0);
    lmb_context_free(context);
    return path;
}

/* Whether a pixel has a hue: its parts are those of the colour, in any light. */
static bool has_hue(uint32_t pixel, uint32_t color)
{
    double light = 0, most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        light += (double)(pixel >> shift & 255);
        most += (double)(color >> shift & 255);
    }
    light /= most;
    for (int shift = 0; shift < 24; shift += 8)
        if (fabs((double)(pixel >> shift & 255) - light * (double)(color >> shift & 255)) > 3)
            return false;
    return light > 0.3;
}

/* How many pixels have a hue, and the middle of them in pixels from the top left corner. */
typedef struct blot {
    int count;
    double x, y;
} blot;

static blot find_hue(const lmb_read_picture *p, uint32_t color)
{
    blot b = {0};
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (has_hue(p->pixels[y * p->width + x], color)) {
                b.count++;
                b.x += x + 0.5;
                b.y += y + 0.5;
            }
    if (b.count > 0) {
        b.x /= b.count;
        b.y /= b.count;
    }
    return b;
}

static lmb_read_picture frame(const char *folder, int number)
{
    char path[512];
    snprintf(path, sizeof path, "%s/frame-%04d.png", folder, number);
    return read_picture(path);
}

/* Where c is, in metres, measured on a picture by a at (0, 0) and b at (3, 2). */
static vec3 measure(const lmb_read_picture *p, double *scale)
{
    blot a = find_hue(p, colors[0]), b = find_hue(p, colors[1]), c = find_hue(p, colors[2]);
    assert_true(a.count > 100 && b.count > 100 && c.count > 100);
    *scale = (b.x - a.x) / 3;
    assert_true(fabs((a.y - b.y) / 2 - *scale) < 1); /* as much upwards */
    return v3((c.x - a.x) / *scale, (a.y - c.y) / *scale, 0);
}

/* Bodies of the plane are where the result says, on each picture: the middle of a blot is right to
 * half a pixel, the offset of two to a pixel. */
static void bodies_are_where_they_should_be(void **state)
{
    (void)state;
    const char *result = write_result("plane.h5", plane, true, NULL),
               *folder = scratch_path("plane");
    check_run(run_limber("export %s --frames %s --size 600x400", result, folder), 0, "");
    for (int i = 0; i < INSTANTS; i++) {
        lmb_read_picture p = frame(folder, i + 1);
        assert_int_equal(p.width, 600);
        assert_int_equal(p.height, 400);
        assert_int_equal(p.pixels[2], 0xffffff);
        double scale;
        vec3 c = measure(&p, &scale);
        assert_close(c.x, path_x(i), 1 / scale);
        assert_close(c.y, path_y(i), 1 / scale);
        /* a plate of 0.4 by 0.2 m; the line around it, less than two pixels, is not of the hue */
        double area = find_hue(&p, colors[2]).count / (scale * scale);
        assert_true(area < 0.4 * 0.2 && area > 0.4 * 0.2 - 2 * 2 * (0.4 + 0.2) / scale);
        free(p.pixels);
    }
    char more[512];
    snprintf(more, sizeof more, "%s/frame-%04d.png", folder, INSTANTS + 1);
    assert_int_equal(access(more, F_OK), -1);
    check_run(run_limber("export %s --frames %s --step 0.5 --dark", result, folder), 0,
              "older frames"); /* three now; two of before stay */
    lmb_read_picture p = frame(folder, 3);
    double scale;
    assert_int_equal(p.pixels[2], 0x14181d);
    assert_close(measure(&p, &scale).x, path_x(4), 1.0 / 100);
    free(p.pixels);
}

/* Along y, a hides b; from the other side b hides a; from above both are seen. */
static void the_nearer_body_hides_the_other(void **state)
{
    (void)state;
    const char *result = write_result("space.h5", space, false, NULL),
               *folder = scratch_path("space");
    static const struct {
        const char *view;
        bool a, b;
    } cases[] = {{"front", true, false}, {"0,1,0", false, true}, {"top", true, true}};
    for (int i = 0; i < 3; i++) {
        check_run(run_limber("export %s --frames %s --size 600x400 --view %s --step 5", result,
                             folder, cases[i].view),
                  0, "");
        lmb_read_picture p = frame(folder, 1);
        assert_int_equal(find_hue(&p, colors[0]).count > 100, cases[i].a);
        assert_int_equal(find_hue(&p, colors[1]).count > 100, cases[i].b);
        assert_true(find_hue(&p, colors[2]).count > 100);
        free(p.pixels);
    }
}

/* A spring from a to b and a rod from the ground, far to the left of all, to a: the one is seen
 * with its middle between them, the other begins at the left margin. */
static void springs_and_rods_are_drawn(void **state)
{
    (void)state;
    static const char ties[] =
        "\"joints\": [{\"name\": \"rod\", \"type\": \"distance\", \"bodies\": [0, 1], \"at\": "
        "[-4, 0, 0], \"at_b\": [0, 0, 0], \"axis\": [1, 0, 0]}], \"forces\": [{\"name\": "
        "\"spring\", \"type\": \"spring\", \"bodies\": [1, 2], \"at\": [0, 0, 0], \"at_b\": "
        "[0, 0, 0]}]}";
    char geometry[2048];
    size_t kept = (size_t)(strstr(plane, "\"joints\"") - plane);
    snprintf(geometry, sizeof geometry, "%.*s%s", (int)kept, plane, ties);
    const char *result = write_result("ties.h5", geometry, true, NULL);
    const char *folder = scratch_path("ties");
    check_run(run_limber("export %s --frames %s --size 600x400", result, folder), 0, "");
    lmb_read_picture p = frame(folder, 1);
    blot a = find_hue(&p, colors[0]), b = find_hue(&p, colors[1]), coil = find_hue(&p, 0x6f9440);
    double scale = (b.x - a.x) / 3;
    assert_true(coil.count > 50); /* the zigzags on both sides weigh the same to a width of it */
    assert_true(fabs(coil.x - (a.x + b.x) / 2) < 0.15 * scale);
    assert_true(fabs(coil.y - (a.y + b.y) / 2) < 0.15 * scale);
    double left = a.x - 4 * scale; /* margin of a tenth of the height */
    assert_true(fabs(left - 40) < 2);
    int row = (int)a.y, dark = 0;
    for (int x = 45; x < a.x - 0.3 * scale; x++)
        dark += (p.pixels[row * p.width + x] & 255) < 160;
    assert_true(dark > 0.9 * (a.x - 0.3 * scale - 45));
    free(p.pixels);
}

/* Pixels of the upper half as dark as the cable of the example, and darker than its load. */
static int dark_above(const char *folder, int number)
{
    lmb_read_picture p = frame(folder, number);
    int dark = 0;
    for (int i = 0; i < p.width * (p.height / 2); i++)
        dark += (p.pixels[i] & 255) < 80;
    free(p.pixels);
    return dark;
}

/* A cable is drawn until it breaks, and not at all in an analysis without it. */
static void what_does_not_act_is_not_drawn(void **state)
{
    (void)state;
    const char *result = scratch_path("cable.h5"), *folder = scratch_path("cable");
    check_run(run_limber("run examples/cable-break/cable-break.yaml --quiet -o %s", result), 0, "");
    check_run(run_limber("export %s --frames %s --size 600x400 --step 0.1", result, folder), 0, "");
    lmb_run_result run = run_limber("get %s rupture.time --final", result);
    double breaks = atof(run.out);
    free_run(&run);
    assert_true(breaks > 0.2 && breaks < 1.3);
    int before = (int)(breaks / 0.1); /* the frame of number k + 1 shows the time k 0.1 s */
    assert_true(dark_above(folder, before + 1) > 60);
    assert_int_equal(dark_above(folder, before + 2), 0);
    const char *gone = scratch_path("without.yaml");
    char command[1024];
    snprintf(command, sizeof command,
             "sed -e 's/^  swing: {/  swing: {without: [cable], /' -e '/rupture/d' -e '/pull/d' "
             "examples/cable-break/cable-break.yaml > '%s'",
             gone);
    check_run(run_shell(command), 0, "");
    check_run(run_limber("run %s --quiet -o %s", gone, result), 0, "");
    check_run(run_limber("export %s --frames %s --size 600x400 --step 0.1", result, folder), 0, "");
    assert_int_equal(dark_above(folder, 2), 0);
}

/* A square skin that shifts by 1 m along x and has a stress of 200 MPa at eta = 1. */
static lmb_skin square(void)
{
    static float nodes[12] = {-0.2f, -0.2f, 0, 0.2f, -0.2f, 0, 0.2f, 0.2f, 0, -0.2f, 0.2f, 0};
    static int triangles[6] = {0, 1, 2, 0, 2, 3};
    static float shape[12], stress[24];
    static double frequency = 5;
    for (int i = 0; i < 4; i++) {
        shape[3 * i] = 1;
        stress[6 * i] = 2e8f;
    }
    return (lmb_skin){.name = "c",
                      .node_count = 4,
                      .triangle_count = 2,
                      .mode_count = 1,
                      .nodes = nodes,
                      .triangles = triangles,
                      .frequency = &frequency,
                      .shapes = shape,
                      .stresses = stress};
}

static void deformations_are_drawn_and_exaggerated(void **state)
{
    (void)state;
    lmb_skin skin = square();
    const char *result = write_result("flexible.h5", plane, true, &skin);
    const char *folder = scratch_path("flexible");
    for (int factor = 0; factor < 3; factor++) {
        check_run(run_limber("export %s --frames %s --size 600x400 --exaggerate %d", result, folder,
                             factor),
                  0, "");
        for (int i = 0; i < INSTANTS; i++) {
            lmb_read_picture p = frame(folder, i + 1);
            double scale;
            vec3 c = measure(&p, &scale);
            assert_close(c.x, 1.5 + factor * 0.1 * i, 1 / scale);
            assert_close(c.y, 1, 1 / scale);
            free(p.pixels);
        }
    }
}

/* Without a stress the square is blue, with the largest of the motion red, in the light that is on
 * all squares; beside it is a bar with all colours from blue to red. */
static void stresses_have_colors(void **state)
{
    (void)state;
    static const uint32_t low = 0x304ca8, middle = 0x6bbf5c, high = 0xd12e29;
    lmb_skin skin = square();
    const char *result = write_result("flexible.h5", plane, true, &skin);
    const char *folder = scratch_path("stress");
    check_run(run_limber("export %s --frames %s --size 600x400 --stress", result, folder), 0, "");
    lmb_read_picture first = frame(folder, 1), half = frame(folder, 3), last = frame(folder, 5);
    assert_true(find_hue(&first, low).count > 100 && find_hue(&first, low).x < 450);
    assert_true(find_hue(&half, middle).count > 100 && find_hue(&half, middle).x < 450);
    assert_true(find_hue(&last, high).count > 100 && find_hue(&last, high).x < 450);
    assert_true(find_hue(&first, high).count < 100 && find_hue(&first, high).x > 450);
    assert_true(find_hue(&first, high).y < 200 && find_hue(&last, low).y > 200);
    assert_int_equal(find_hue(&first, colors[0]).count, 0); /* rigid bodies step back */
    free(first.pixels);
    free(half.pixels);
    free(last.pixels);
}

/* Without a Chromium, and with a program that is none, the message says what is missing. */
static void chromium_is_missed(void **state)
{
    (void)state;
    const char *result = write_result("plane.h5", plane, true, NULL),
               *folder = scratch_path("none");
    char command[1024];
    static const struct {
        const char *setting, *message;
    } cases[] = {
        {"LIMBER_CHROMIUM=/no/such/chromium", "there is no program '/no/such/chromium'"},
        {"LIMBER_CHROMIUM=/no/such/chromium", "apt install chromium"},
        {"LIMBER_CHROMIUM= PATH=/no/such", "frames are drawn by Chromium"},
        {"LIMBER_CHROMIUM=/bin/false", "/bin/false ended before all frames were drawn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(command, sizeof command, "%s %%LIMBER%% export %s --frames %s", cases[i].setting,
                 result, folder);
        check_run(run_shell(command), 5, cases[i].message);
    }
    /* a script that adds options is one, too */
    snprintf(command, sizeof command,
             "printf '#!/bin/sh\\necho broken >&2; exit 3' > %s.sh && chmod +x %s.sh && "
             "LIMBER_CHROMIUM=%s.sh %%LIMBER%% export %s --frames %s",
             folder, folder, folder, result, folder);
    check_run(run_shell(command), 5, "ended before all frames were drawn: broken");
}

/* Whether the program finds a Chromium to draw with. */
static bool has_chromium(void)
{
    lmb_run_result run =
        run_shell("command -v chromium chromium-browser google-chrome google-chrome-stable");
    bool found = run.out[0] != 0;
    free_run(&run);
    return found;
}

/* Stopped with a signal, and a second at once as `timeout` sends it, it leaves whole pictures. */
static void interrupted_exports_leave_whole_frames(void **state)
{
    (void)state;
    const char *result = write_result("plane.h5", plane, true, NULL),
               *folder = scratch_path("stopped");
    char command[1024];
    snprintf(command, sizeof command,
             "rm -rf %s; %%LIMBER%% export %s --frames %s --step 1e-5 --size 200x150 & pid=$!; "
             "for i in $(seq 600); do [ -e %s/frame-0001.png ] && break; sleep 0.1; done; "
             "kill -TERM $pid; kill -TERM $pid; wait $pid",
             folder, result, folder, folder);
    check_run(run_shell(command), 4, "interrupted");
    lmb_read_picture p = frame(folder, 1);
    assert_int_equal(p.width, 200);
    free(p.pixels);
}

static void wrong_uses_are_told(void **state)
{
    (void)state;
    const char *result = write_result("plane.h5", plane, true, NULL),
               *folder = scratch_path("wrong");
    check_run(run_limber("export %s --frames", result), 2, "--frames");
    check_run(run_limber("export %s --frames %s --size 10x10", result, folder), 2, "'10x10'");
    check_run(run_limber("export %s --frames %s --size 9000x900", result, folder), 2,
              "to 4096x4096");
    check_run(run_limber("export %s --frames %s --view under", result, folder), 2,
              "iso, front, side or top");
    check_run(run_limber("export %s --frames %s --view 0,0,0", result, folder), 2, "'0,0,0'");
    check_run(run_limber("export %s --frames %s --exaggerate much", result, folder), 2,
              "--exaggerate needs a number");
    check_run(run_limber("export %s --frames %s --exaggerate -1", result, folder), 2,
              "--exaggerate must not be negative");
    check_run(run_limber("export %s --frames %s --step 0", result, folder), 2,
              "--step must be positive");
    check_run(run_limber("export %s --frames %s a.position", result, folder), 2,
              "channels ('a.position') are for --csv and --mat");
    check_run(run_limber("export %s --frames %s -o x.inp", result, folder), 2, "-o is for --loads");
    check_run(run_limber("export %s --frames %s --loads a -o x.inp", result, folder), 2,
              "--loads and --frames do not go together");
    check_run(run_limber("export %s --gltf x.glb --stress", result), 2, "--stress is for --frames");
    check_run(run_limber("export %s --csv - --size 800x600", result), 2, "--size is for --frames");
    check_run(run_limber("export %s --csv - --step 1", result), 2, "--step is for");
    assert_int_equal(access(folder, F_OK), -1); /* nothing was begun */
    check_run(run_limber("export %s --frames %s --stress", result, folder), 3,
              "no body of the result has stresses");
    check_run(run_limber("export %s --frames %s --exaggerate 9", result, folder), 3,
              "no body of the result is flexible");
    check_run(run_limber("export %s --frames %s --analysis no", result, folder), 3, "'no'");
    const char *modes = scratch_path("modes.h5");
    check_run(run_limber("run examples/flexible-pendulum/flexible-pendulum.yaml --analysis hang "
                         "--quiet -o %s",
                         modes),
              0, "");
    check_run(run_limber("export %s --frames %s", modes, folder), 3,
              "'hang' is over mode, not over time");
    check_run(run_limber("export %s --frames /no/such/folder", result), 5,
              "cannot make the folder '/no/such/folder'");
    check_run(run_limber("export %s --frames %s", result, result), 5, "cannot write");
}

int main(void)
{
    if (!has_chromium() && !getenv("CI")) {
        puts("no Chromium: skipped");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_where_they_should_be),
        cmocka_unit_test(the_nearer_body_hides_the_other),
        cmocka_unit_test(springs_and_rods_are_drawn),
        cmocka_unit_test(what_does_not_act_is_not_drawn),
        cmocka_unit_test(deformations_are_drawn_and_exaggerated),
        cmocka_unit_test(stresses_have_colors),
        cmocka_unit_test(chromium_is_missed),
        cmocka_unit_test(interrupted_exports_leave_whole_frames),
        cmocka_unit_test(wrong_uses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
