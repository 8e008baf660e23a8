/* Sheets: their JSON text, the page that is made of one alone, and what they refuse. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "program.h"

static double speed[] = {0, 500, 1000}, frequency[] = {10, NAN, 12.3456789}, at[] = {600};

/* A sheet with one of each; the curves outlive it. */
static lmb_sheet small_sheet(lmb_arena *arena)
{
    static lmb_curve curves[] = {
        {.label = "1 <forward>", .count = 3, .x = speed, .y = frequency},
        {.label = "critical", .count = 1, .x = at, .y = at, .style = LMB_CURVE_POINTS}};
    static lmb_plot_panel panel = {"frequency (Hz)", 2, curves};
    lmb_sheet sheet = lmb_sheet_start(arena, "Rotor");
    lmb_sheet_say(&sheet, "The rotor runs at %g rpm.", 1000.0);
    lmb_sheet_table_add(&sheet, "Whirl", "mode|Hz");
    lmb_sheet_columns(&sheet, "share|of");
    lmb_sheet_row(&sheet, "%d|%.2f|%g %%|%s and %zu", 1, 10.0, 40.0, "shaft", (size_t)2);
    lmb_sheet_row(&sheet, "%d", 2);
    lmb_sheet_cells(&sheet, "%.2f|from %g", 11.0, NAN);
    lmb_sheet_row(&sheet, "%d|%.2f", 3, 12.0);
    const lmb_plot figure = {.title = "Campbell \"diagram\"",
                             .x_label = "speed (rpm)",
                             .panel_count = 1,
                             .panels = &panel};
    lmb_sheet_figure(&sheet, &figure);
    assert_true(lmb_arena_fine(arena));
    return sheet;
}

static void test_text(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    lmb_sheet sheet = small_sheet(arena);
    char *text = lmb_sheet_json(&sheet);
    assert_string_equal(
        text, "{\"title\": \"Rotor\", \"sentences\": [\"The rotor runs at 1000 rpm.\"], "
              "\"tables\": [{\"title\": \"Whirl\", \"head\": [\"mode\", \"Hz\", "
              "\"share\", \"of\"], \"rows\": [[\"1\", \"10.00\", \"40 %\", "
              "\"shaft and 2\"], [\"2\", \"11.00\", \"-\", \"\"], "
              "[\"3\", \"12.00\", \"\", \"\"]]}], "
              "\"figures\": [{\"title\": \"Campbell \\\"diagram\\\"\", \"x_label\": \"speed "
              "(rpm)\", \"equal\": false, \"panels\": [{\"label\": \"frequency (Hz)\", "
              "\"curves\": [{\"label\": \"1 <forward>\", \"style\": \"line\", "
              "\"x\": [0, 500, 1000], \"y\": [10, null, 12.3457]}, "
              "{\"label\": \"critical\", \"style\": \"points\", \"x\": [600], \"y\": [600]}]}]}]}");
    free(text);
    lmb_arena_free(arena);
}

/* Bars and their names. */
static void test_bars(void **state)
{
    (void)state;
    static const char *const names[] = {"k", "c"};
    lmb_arena *arena = lmb_arena_new();
    lmb_sheet sheet = lmb_sheet_start(arena, "Study");
    lmb_plot plot = lmb_plot_start(arena, "Tornado", "parameter", 200);
    plot.sideways = true;
    lmb_plot_name_places(&plot, 2, names);
    lmb_plot_add_panel(&plot, "cost");
    lmb_curve *c = lmb_plot_add_bars(&plot, "", 2);
    c->low[0] = c->low[1] = 3;
    c->y[0] = 4;
    c->y[1] = 2.5;
    c->width = 0.5;
    c = lmb_plot_add_curve(&plot, "runs", 1, LMB_CURVE_DOTS);
    c->x[0] = c->y[0] = 1;
    lmb_sheet_figure(&sheet, &plot);
    char *text = lmb_sheet_json(&sheet);
    assert_string_equal(
        text, "{\"title\": \"Study\", \"sentences\": [], \"tables\": [], \"figures\": "
              "[{\"title\": \"Tornado\", \"x_label\": \"parameter\", \"equal\": false, "
              "\"sideways\": true, \"categories\": [\"k\", \"c\"], \"panels\": [{\"label\": "
              "\"cost\", \"curves\": [{\"label\": \"\", \"style\": \"bars\", \"x\": [1, 2], "
              "\"y\": [4, 2.5], \"low\": [3, 3], \"width\": 0.5}, {\"label\": \"runs\", "
              "\"style\": \"dots\", \"x\": [1], \"y\": [1]}]}]}]}");
    free(text);
    lmb_arena_free(arena);
}

/* In the page, what looks like HTML is escaped. */
static void test_page(void **state)
{
    (void)state;
    char path[512], page[4096];
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_sheet sheet = small_sheet(arena);
    snprintf(path, sizeof path, "%s", scratch_path("sheet.html"));
    remove(path); /* that of an earlier test is no report that may be replaced */
    const lmb_report_request report = {.viewer = "<html>" LMB_PAGE_MARK "</html>", .path = path};
    assert_int_equal(lmb_report_sheet(context, &sheet, "<b>pump</b>", &report), LMB_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(page, "\"kind\": \"sheet\""));
    assert_non_null(strstr(page, "\\u003cb\\u003epump"));
    assert_non_null(strstr(page, "1 \\u003cforward\\u003e"));
    assert_null(strstr(page, "<b>"));
    const lmb_report_request nowhere = {.viewer = LMB_PAGE_MARK,
                                        .path = "/no/such/folder/sheet.html"};
    assert_int_equal(lmb_report_sheet(context, &sheet, "pump", &nowhere), LMB_IO);
    lmb_arena_free(arena);
    lmb_context_free(context);
}

/* What there is no memory for is a failure, never something left out in silence. */
static void test_no_memory(void **state)
{
    (void)state;
    lmb_sheet sheet = lmb_sheet_start(NULL, "Rotor");
    lmb_sheet_say(&sheet, "A sentence.");
    lmb_sheet_table_add(&sheet, NULL, "one|two");
    lmb_sheet_row(&sheet, "%d|%d", 1, 2);
    assert_null(lmb_sheet_json(&sheet));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
