/* limber plot, through the built program: SVG, PDF and PNG, spectra, phase plots, several results.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/write.h"
#include "program.h"

enum { COUNT = 201 };

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    assert_true(size > 0);
    fclose(file);
    return text;
}

/* Two seconds of a motion: x = t, a sine of 5 Hz with amplitude 2 about 3, and a force. */
static const char *make_result(const char *name)
{
    static const lmb_channel channels[] = {{"body.x", "m", "", 1, ""},
                                           {"body.shake", "m", "", 1, ""},
                                           {"pin.force", "N", "", 2, "xy"}};
    const char *path = scratch_path(name);
    lmb_context *context = lmb_context_new();
    lmb_writer *w;
    assert_int_equal(lmb_writer_new(&w, context, path), 0);
    assert_int_equal(lmb_writer_begin(w, context, "run", "dynamics", 3, channels), 0);
    for (int i = 0; i < COUNT; i++) {
        double t = 0.01 * i;
        double row[4] = {t, 3 + 2 * sin(2 * 3.14159265358979 * 5 * t), 100 * t, i == 50 ? NAN : -t};
        assert_int_equal(lmb_writer_row(w, context, t, row), 0);
    }
    assert_int_equal(lmb_writer_close(w, context), 0);
    lmb_context_free(context);
    return path;
}

/* How often a piece occurs. */
static int occurrences(const char *text, const char *piece)
{
    int count = 0;
    for (const char *at = strstr(text, piece); at; at = strstr(at + 1, piece))
        count++;
    return count;
}

/* The points of the n-th thick line (a curve or a key of the legend) as numbers; returns how many.
 */
static int points_of(const char *svg, const char *width, int n, double *xy, int room)
{
    char mark[64];
    snprintf(mark, sizeof mark, "stroke-width=\"%s\"", width);
    const char *at = strstr(svg, mark);
    while (at && n-- > 0)
        at = strstr(at + 1, mark);
    assert_non_null(at);
    at = strstr(at, "points=\"") + strlen("points=\"");
    int count = 0, used = 0;
    while (count < room &&
           sscanf(at, "%lf,%lf%n", &xy[2 * count], &xy[2 * count + 1], &used) == 2) {
        count++;
        at += used;
    }
    return count;
}

static void curves_are_drawn_to_scale(void **state)
{
    (void)state;
    const char *result = make_result("a.h5"), *file = scratch_path("a.svg");
    check_run(run_limber("plot %s body.x -o %s --title 'A <b> & c'", result, file), 0, "");
    char *svg = read_text(file);
    assert_non_null(strstr(svg, "A &lt;b&gt; &amp; c"));
    assert_non_null(strstr(svg, ">body.x in m<"));
    assert_non_null(strstr(svg, ">t in s<"));
    /* x = t is a straight line with even steps; places have two decimals */
    double xy[2 * COUNT];
    assert_int_equal(points_of(svg, "1.6", 0, xy, COUNT), COUNT);
    for (int i = 0; i < COUNT; i++) {
        double part = (double)i / (COUNT - 1);
        assert_true(fabs(xy[2 * i] - (xy[0] + part * (xy[2 * COUNT - 2] - xy[0]))) < 0.011);
        assert_true(fabs(xy[2 * i + 1] - (xy[1] + part * (xy[2 * COUNT - 1] - xy[1]))) < 0.011);
    }
    assert_true(xy[2 * COUNT - 1] < xy[1]);
    free(svg);
}

static void units_have_panels_and_results_are_overlaid(void **state)
{
    (void)state;
    const char *a = make_result("a.h5"), *file = scratch_path("b.svg");
    char b[512];
    snprintf(b, sizeof b, "%s", make_result("b.h5"));
    check_run(run_limber("plot %s %s body.x pin.force -o %s", a, b, file), 0, "");
    char *svg = read_text(file);
    static const char *const labels[] = {">body.x (a)<", ">body.x (b)<", ">pin.force.x (a)<",
                                         ">pin.force.y (b)<"};
    for (int i = 0; i < 4; i++)
        assert_non_null(strstr(svg, labels[i]));
    assert_int_equal(occurrences(svg, "viewBox="), 3); /* the drawing and two panels */
    /* 6 curves, of which two are broken where a number is missing */
    assert_int_equal(occurrences(svg, "stroke-width=\"1.6\""), 8);
    free(svg);
}

/* The peak of the spectrum is the sine: 5 Hz, amplitude 2; the mean is left out. */
static void spectra_have_their_peak(void **state)
{
    (void)state;
    const char *result = make_result("a.h5"), *file = scratch_path("c.svg");
    check_run(run_limber("plot %s body.shake --fft -o %s", result, file), 0, "");
    char *svg = read_text(file);
    assert_non_null(strstr(svg, ">amplitude in m<"));
    assert_non_null(strstr(svg, ">frequency in Hz<"));
    double xy[2 * COUNT];
    int count = points_of(svg, "1.6", 0, xy, COUNT), peak = 0;
    assert_int_equal(count, (COUNT - 1) / 2 + 1);
    for (int i = 0; i < count; i++)
        peak = xy[2 * i + 1] < xy[2 * peak + 1] ? i : peak;
    assert_int_equal(peak, 10); /* ten periods in 2 s */
    free(svg);
}

/* Three frequencies over the numbers of their modes, or one over an instant. */
static const char *make_few(const char *name, const char *type, int rows)
{
    static const lmb_channel channels[] = {{"frequency", "Hz", "", 1, ""}};
    const char *path = scratch_path(name);
    lmb_context *context = lmb_context_new();
    lmb_writer *w;
    assert_int_equal(lmb_writer_new(&w, context, path), 0);
    assert_int_equal(lmb_writer_begin(w, context, "run", type, 1, channels), 0);
    if (rows > 1)
        lmb_writer_over(w, "mode", "", "");
    for (int i = 1; i <= rows; i++)
        assert_int_equal(lmb_writer_row(w, context, i, (double[]){10 * i}), 0);
    assert_int_equal(lmb_writer_close(w, context), 0);
    lmb_context_free(context);
    return path;
}

/* How many crosses there are, of two lines of 8 by 8 pixels each. */
static int crosses(const char *svg)
{
    int count = 0;
    for (const char *at = strstr(svg, "points=\""); at; at = strstr(at + 1, "points=\"")) {
        double x, y, to_x, to_y;
        if (sscanf(at, "points=\"%lf,%lf %lf,%lf\"", &x, &y, &to_x, &to_y) == 4 &&
            fabs(to_x - x - 8) < 0.1 && fabs(fabs(to_y - y) - 8) < 0.1)
            count++;
    }
    return count / 2;
}

/* There is nothing between modes, and one instant makes no line. */
static void single_values_are_crosses(void **state)
{
    (void)state;
    const char *file = scratch_path("few.svg");
    for (int rows = 1; rows <= 3; rows += 2) {
        const char *result = make_few("few.h5", rows == 1 ? "statics" : "modes", rows);
        check_run(run_limber("plot %s frequency -o %s", result, file), 0, "");
        char *svg = read_text(file);
        assert_int_equal(crosses(svg), rows);
        assert_int_equal(occurrences(svg, "stroke-width=\"1.6\""), 0); /* no line */
        free(svg);
    }
}

static void pictures_are_png(void **state)
{
    (void)state;
    const char *result = make_result("a.h5"), *file = scratch_path("d.png");
    check_run(run_limber("plot %s pin.force.x --versus body.x --size 400x300 -o %s", result, file),
              0, "");
    char *png = read_text(file);
    static const unsigned char head[24] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13,
                                           'I',  'H', 'D', 'R', 0,  0,  3,  32, 0, 0, 2, 88};
    assert_memory_equal(png, head, sizeof head); /* 800 x 600: two pixels for one */
    free(png);
}

/* A pixel is 1/96 inch. */
static void pictures_are_pdf(void **state)
{
    (void)state;
    const char *result = make_result("a.h5"), *file = scratch_path("d.pdf");
    check_run(run_limber("plot %s pin.force.x --title Pin --size 400x300 -o %s", result, file), 0,
              "");
    char command[512];
    snprintf(command, sizeof command,
             "head -c 7 %s && grep -a -o 'MediaBox .*225' %s && grep -a 'Title (Pin)' %s && "
             "tail -n 1 %s",
             file, file, file, file);
    check_run(run_shell(command), 0, "%PDF-1.MediaBox [ 0 0 300 225");
    check_run(run_shell(command), 0, "%%EOF");
    check_run(run_limber("plot %s body.x -o /no/such/folder/x.pdf", result), 5, "cannot write");
}

static void wrong_uses_are_told(void **state)
{
    (void)state;
    const char *result = make_result("a.h5");
    check_run(run_limber("plot %s body.x", result), 2, "where to is missing");
    check_run(run_limber("plot %s -o x.svg", result), 2, "which channels is missing");
    check_run(run_limber("plot %s body.x -o %s", result, scratch_path("x.jpg")), 2, "must end in");
    check_run(run_limber("plot %s body.y -o %s", result, scratch_path("x.svg")), 3, "body.x");
    check_run(run_limber("plot %s body.x --size big -o %s", result, scratch_path("x.svg")), 2,
              "big");
    check_run(run_limber("plot %s body.x --fft --versus body.x -o x.svg", result), 2, "together");
    check_run(run_limber("plot %s body.x --versus pin.force -o x.svg", result), 2,
              "name one of them");
    check_run(run_limber("plot no-such.h5 body.x -o x.svg"), 5, "no-such.h5");
    check_run(run_limber("plot %s body.x -o /no/such/folder/x.svg", result), 5, "cannot write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_drawn_to_scale),
        cmocka_unit_test(units_have_panels_and_results_are_overlaid),
        cmocka_unit_test(spectra_have_their_peak),
        cmocka_unit_test(single_values_are_crosses),
        cmocka_unit_test(pictures_are_png),
        cmocka_unit_test(pictures_are_pdf),
        cmocka_unit_test(wrong_uses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
