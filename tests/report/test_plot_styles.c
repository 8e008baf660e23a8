/* Bars, dots and names of places in plots, as they are drawn into SVG files. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"
#include "program.h"

static const char *const names[] = {"stiffness", "damping", "mass <kg>"};

/* Draws a plot as SVG, PNG and PDF; the text of the first, to be freed. */
static char *drawn(const lmb_plot *plot, const char *name)
{
    static const char *const ends[] = {".png", ".pdf", ".svg"};
    char path[600];
    lmb_context *context = lmb_context_new();
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", scratch_path(name), ends[i]);
        assert_int_equal(lmb_plot_write(context, plot, path), LMB_OK);
    }
    lmb_context_free(context);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

typedef struct rectangle {
    double x, y, w, h;
} rectangle;

/* The bars of a drawing, in their order; returns how many. */
static int bars_of(const char *svg, rectangle *out, int room)
{
    int count = 0;
    for (const char *at = strstr(svg, "<rect"); at; at = strstr(at + 1, "<rect")) {
        rectangle r;
        const char *end = strchr(at, '>'), *clear = strstr(at, "fill-opacity");
        assert_int_equal(sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &r.x,
                                &r.y, &r.w, &r.h),
                         4);
        if (clear && clear < end && count < room)
            out[count++] = r;
    }
    return count;
}

/* A tornado: from a base to what the least and the largest value of a parameter make of it. */
static lmb_plot tornado(lmb_arena *arena)
{
    static const double low[] = {6, 8, 9}, high[] = {14, 11, 10.5};
    lmb_plot plot = lmb_plot_start(arena, "Tornado", "parameter", 240);
    plot.sideways = true;
    lmb_plot_name_places(&plot, 3, names);
    lmb_plot_add_panel(&plot, "comfort");
    for (int side = 0; side < 2; side++) {
        lmb_curve *c = lmb_plot_add_bars(&plot, side ? "largest" : "least", 3);
        for (int i = 0; i < 3; i++) {
            c->low[i] = 10;
            c->y[i] = side ? high[i] : low[i];
        }
    }
    return plot;
}

/* Lengths are to scale, bars of one parameter lie in one row, the first one on top. */
static void bars_lie_beside_their_names(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    lmb_plot plot = tornado(arena);
    char *svg = drawn(&plot, "tornado");
    rectangle r[12];
    assert_int_equal(bars_of(svg, r, 12), 2 + 6); /* two are keys of the legend */
    const rectangle *least = r + 2, *largest = r + 5;
    double scale = least[0].w / 4; /* pixels of a unit; places have six digits, 0.001 px */
    static const double lengths[] = {4, 2, 1, 4, 1, 0.5};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(r[2 + i].w - scale * lengths[i]) < 0.01);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(least[i].x + least[i].w - largest[i].x) < 0.01);
        assert_true(fabs(least[i].y - largest[i].y) < 0.01);
        assert_true(i == 0 || least[i].y > least[i - 1].y + least[i - 1].h);
    }
    const char *at = svg;
    for (int i = 0; i < 3; i++) {
        at = strstr(at, i == 2 ? ">mass &lt;kg&gt;<" : names[i]);
        assert_non_null(at);
    }
    assert_non_null(strstr(svg, ">comfort<"));
    free(svg);
    lmb_arena_free(arena);
}

/* Upright ones stand on the axis, on a logarithmic one too; names that do not fit are turned. */
static void bars_stand_on_their_names(void **state)
{
    (void)state;
    static const double values[] = {1, 10, 1000};
    for (int logarithmic = 0; logarithmic < 2; logarithmic++)
        for (int wide = 0; wide < 2; wide++) {
            lmb_arena *arena = lmb_arena_new();
            lmb_plot plot = lmb_plot_start(arena, "", "parameter", 320);
            plot.width = wide ? 800 : 200;
            plot.logarithmic = logarithmic;
            lmb_plot_name_places(&plot, 3, names);
            lmb_plot_add_panel(&plot, "value");
            lmb_curve *c = lmb_plot_add_bars(&plot, "", 3);
            memcpy(c->y, values, sizeof values);
            char *svg = drawn(&plot, "names");
            rectangle r[4];
            assert_int_equal(bars_of(svg, r, 4), 3);
            for (int i = 1; i < 3; i++) {
                assert_true(fabs(r[i].y + r[i].h - r[0].y - r[0].h) < 0.01);
                assert_true(fabs(r[i].x - r[i - 1].x - (r[2].x - r[0].x) / 2) < 0.01);
            }
            /* a decade and two of them */
            if (logarithmic)
                assert_true(fabs((r[2].h - r[0].h) / (r[1].h - r[0].h) - 3) < 0.01);
            else
                assert_true(fabs(r[1].h / r[2].h - 0.01) < 1e-3);
            const char *name = strstr(svg, ">stiffness<");
            assert_non_null(name);
            while (*name != '<')
                name--;
            assert_int_equal(strstr(name, "rotate") && strstr(name, "rotate") < strchr(name, '>'),
                             !wide);
            free(svg);
            lmb_arena_free(arena);
        }
}

/* All values are counted once, and bars touch. */
static void histograms_count(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = i == 7 ? NAN : i % 100;
    lmb_arena *arena = lmb_arena_new();
    lmb_plot plot = lmb_plot_start(arena, "", "mass (kg)", 300);
    lmb_plot_add_panel(&plot, "how many");
    lmb_plot_add_histogram(&plot, "", COUNT, values, 11);
    const lmb_curve *c = &plot.panels[0].curves[0];
    assert_int_equal(c->count, 11);
    double sum = 0;
    for (int i = 0; i < c->count; i++) {
        assert_true(fabs(c->x[i] - 9 * (i + 0.5)) < 1e-12);
        /* nine numbers ten times each, of which one is missing; the last one is in the last part */
        assert_true(c->y[i] == (i == 0 ? 89 : i == 10 ? 100 : 90));
        sum += c->y[i];
    }
    assert_true(sum == COUNT - 1);
    free(drawn(&plot, "histogram"));

    /* by itself 2 n^(1/3) parts; of equal values one */
    lmb_plot_add_histogram(&plot, "", COUNT, values, 0);
    assert_int_equal(plot.panels[0].curves[1].count, 20);
    for (int i = 0; i < COUNT; i++)
        values[i] = 3;
    lmb_plot_add_histogram(&plot, "", COUNT, values, 0);
    assert_int_equal(plot.panels[0].curves[2].count, 1);
    assert_true(plot.panels[0].curves[2].y[0] == COUNT);
    assert_true(plot.panels[0].curves[2].width > 0);
    lmb_plot_add_histogram(&plot, "", 0, values, 0);
    assert_int_equal(plot.panels[0].curves[3].count, 0);
    free(drawn(&plot, "histograms"));
    lmb_arena_free(arena);
}

static void dots_are_round_and_many(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    lmb_arena *arena = lmb_arena_new();
    lmb_plot plot = lmb_plot_start(arena, "", "mass (kg)", 400);
    lmb_plot_add_panel(&plot, "stress (MPa)");
    lmb_curve *c = lmb_plot_add_curve(&plot, "tried", COUNT, LMB_CURVE_DOTS);
    for (int i = 0; i < COUNT; i++) {
        c->x[i] = cos(i) * sqrt((double)i);
        c->y[i] = i == 10 ? NAN : sin(i) * sqrt((double)i);
    }
    c = lmb_plot_add_curve(&plot, "best", 1, LMB_CURVE_DOTS);
    c->x[0] = c->y[0] = 1;
    char *svg = drawn(&plot, "dots");
    int count = 0;
    for (const char *at = strstr(svg, "<circle"); at; at = strstr(at + 1, "<circle"))
        count++;
    assert_int_equal(count, COUNT - 1 + 1 + 2); /* with two keys of the legend */
    free(svg);
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_lie_beside_their_names),
        cmocka_unit_test(bars_stand_on_their_names),
        cmocka_unit_test(histograms_count),
        cmocka_unit_test(dots_are_round_and_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
