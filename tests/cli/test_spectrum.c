/* limber spectrum, through the built program: the example, tables, run-ups, hammer tests. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "program.h"

#define BEARING "--pitch 39.04 --ball 7.94 --balls 9 --rpm 1500"
#define FOLDER "examples/bearing-fault/"

static void the_example(void **state)
{
    (void)state;
    check_run(run_limber("spectrum " FOLDER "outer-race.wav --envelope " BEARING), 0,
              "The outer race of the bearing shows a fault.");
    check_run(run_limber("spectrum " FOLDER "outer-race.wav --band 2400:4000 " BEARING), 0,
              "outer race 1x");
    check_run(run_limber("spectrum " FOLDER "healthy.wav " BEARING), 0,
              "The bearing shows no fault.");
    check_run(run_limber("spectrum " FOLDER "outer-race.wav --json " BEARING), 0,
              "\"alarm\": true");
    check_run(run_limber("spectrum " FOLDER "outer-race.wav --baseline " FOLDER
                         "healthy.wav --envelope " BEARING),
              0, "change (dB)");
    check_run(run_limber("spectrum " FOLDER "healthy.wav " FOLDER "outer-race.wav " BEARING), 0,
              "-log10 of the chance");
    const char *picture = scratch_path("envelope.svg");
    check_run(run_limber("spectrum " FOLDER "outer-race.wav --envelope -o %s " BEARING, picture), 0,
              "");
    FILE *file = fopen(picture, "r");
    assert_non_null(file);
    fclose(file);
    /* the page has the sentence and the table */
    const char *page = scratch_path("envelope.html");
    check_run(run_limber("spectrum " FOLDER "outer-race.wav --envelope -o %s " BEARING, page), 0,
              "");
    char command[512];
    snprintf(command, sizeof command, "grep -c 'outer race of the bearing shows a fault' %s", page);
    check_run(run_shell(command), 0, "1");
}

/* A sound file that ends early is read as far as it goes, with a warning. */
static void a_file_that_is_cut_off(void **state)
{
    (void)state;
    const char *path = scratch_path("short.wav");
    char command[512];
    snprintf(command, sizeof command, "head -c 100000 " FOLDER "outer-race.wav > %s", path);
    check_run(run_shell(command), 0, "");
    check_run(run_limber("spectrum %s 2>&1", path), 0,
              "bytes of data and has 99956, which are read");
    check_run(run_limber("spectrum " FOLDER "outer-race.wav 2>&1 | grep -c 'cut off'"), 1, "0");
}

/* Three seconds at 2000 Hz: 100 Hz with 2 m/s^2 and a speed of 1200 rpm. */
static const char *write_table(const char *name, const char *format, double factor)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("Logger A\nt [s];acc [m/s^2];rpm\n", out);
    for (int i = 0; i < 6000; i++) {
        char line[96];
        double t = i / 2000.0;
        snprintf(line, sizeof line, format, t, factor * 2 * sin(2 * LMB_PI * 100 * t), 1200.0);
        for (char *p = line; *p; p++)
            *p = *p == '.' ? ',' : *p;
        fputs(line, out);
    }
    fclose(out);
    return path;
}

static void tables(void **state)
{
    (void)state;
    const char *path = write_table("table.csv", "%.6f;%.9f;%.1f\n", 1);
    lmb_run_result run = run_limber("spectrum %s --column acc --json", path);
    assert_int_equal(run.code, 0);
    assert_close(number_behind(run.out, "\"rate\": "), 2000, 1e-9);
    assert_close(number_behind(run.out, "\"rms\": "), sqrt(2),
                 1e-6); /* whole periods, nine digits */
    assert_close(number_behind(run.out, "{\"frequency\": "), 100, 1e-4);
    assert_close(number_behind(run.out, "\"amplitude\": "), 2, 1e-4);
    free_run(&run);
    /* the power of a line is in a few bins around it: all of it, and none */
    run = run_limber("spectrum %s --column acc --from 50 --to 150 --json", path);
    assert_close(number_behind(run.out, "\"rms_in_band\": "), sqrt(2), 1e-4);
    free_run(&run);
    run = run_limber("spectrum %s --column acc --from 150 --json", path);
    assert_true(number_behind(run.out, "\"rms_in_band\": ") < 1e-3);
    free_run(&run);
    run = run_limber("spectrum %s --column acc --integrate 1 --json", path);
    assert_int_equal(run.code, 0);
    assert_close(number_behind(run.out, "\"amplitude\": "), 2 / (2 * LMB_PI * 100), 1e-5);
    assert_non_null(strstr(run.out, "\"unit\": \"m/s\""));
    free_run(&run);
    run = run_limber("spectrum %s --column 2 --speed rpm --orders --json", path);
    assert_int_equal(run.code, 0);
    assert_close(number_behind(run.out, "{\"order\": "), 5, 1e-4);
    assert_close(number_behind(run.out, "\"amplitude\": "), 2, 2e-3);
    free_run(&run);
    check_run(run_limber("spectrum %s --column acc --rpm 3000", path), 0, "shaft 2x, misalignment");

    /* twice as strong: 6.02 dB more than the baseline */
    const char *louder = write_table("louder.csv", "%.6f;%.9f;%.1f\n", 2);
    check_run(run_limber("spectrum %s --column acc --baseline %s", louder, path), 0, "+6.02 dB");
    check_run(run_limber("spectrum %s --column acc --baseline %s --peaks 1", louder, path), 0,
              " 6.02\n");
}

static const char *write_text(const char *name, const char *head, int rows,
                              void (*put)(FILE *out, int row))
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(head, out);
    for (int i = 0; i < rows; i++)
        put(out, i);
    fclose(out);
    return path;
}

static double wave(double t)
{
    return 2 * sin(2 * LMB_PI * 50 * t);
}

static void put_gap(FILE *out, int i)
{
    double t = i / 1000.0 + (i >= 1500 ? 10 : 0);
    fprintf(out, "%.4f,%.9f\n", t, wave(t));
}

static void put_uneven(FILE *out, int i)
{
    double t = (i + (i % 3 == 1 ? 0.3 : 0)) / 1000.0;
    fprintf(out, "%.7f,%.9f\n", t, wave(t));
}

static void put_missing(FILE *out, int i)
{
    fprintf(out, i % 200 == 99 ? "%.4f,\n" : "%.4f,%.9f\n", i / 1000.0, wave(i / 1000.0));
}

static void put_stamp(FILE *out, int i)
{
    fprintf(out, "2024-03-01T12:00:%02d.%03d;%.9f\n", i / 1000, i % 1000, wave(i / 1000.0));
}

static void put_long_gap(FILE *out, int i)
{
    fprintf(out, i >= 1000 && i < 1300 ? "%.4f,NaN\n" : "%.4f,%.9f\n", i / 1000.0,
            wave(i / 1000.0));
}

static void put_dropped(FILE *out, int i)
{
    if (i % 499 != 7)
        fprintf(out, "%.4f,%.9f\n", i / 1000.0, wave(i / 1000.0));
}

/* 50 Hz with an amplitude of 2 in files that are not as they should be: what is wrong is said, and
 * frequency and amplitude are right to what interpolation leaves (a straight line over one missing
 * value of 200: 2 (pi 50 / 1000)^2 / 200 of it). */
static void tables_with_faults(void **state)
{
    (void)state;
    const struct {
        const char *path, *said;
    } files[] = {
        {write_text("gap.csv", "t,acc\n", 4000, put_gap), "gap"},
        {write_text("uneven.csv", "t,acc\n", 4000, put_uneven), "is not sampled evenly"},
        {write_text("missing.csv", "t,acc\n", 4000, put_missing), "no value in 20 rows"},
        {write_text("long.csv", "t,acc\n", 4000, put_long_gap), "rows 1301 to 4000 of 4000"},
        {write_text("stamp.csv", "time;acc\n", 4000, put_stamp), ""},
        {write_text("dropped.csv", "t,acc\n", 4000, put_dropped), "8 rows"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lmb_run_result run = run_limber("spectrum %s --json", files[i].path);
        if (run.code != 0 || !strstr(run.err, files[i].said))
            fail_msg("%s: %s", files[i].path, run.err);
        assert_close(number_behind(run.out, "\"rate\": "), 1000, 1e-6);
        assert_close(number_behind(run.out, "{\"frequency\": "), 50, 1e-4);
        assert_close(number_behind(run.out, "\"amplitude\": "), 2, 1e-3);
        free_run(&run);
    }
    check_run(run_limber("spectrum %s --rate 500", files[4].path), 0, "give 1000 Hz, but");
    check_run(run_limber("spectrum %s --column ac", files[0].path), 3, "did you mean 'acc'?");
}

/* Baselines of other lengths are compared at their own lines, envelopes too, and do not change what
 * is said about the bearing; a trend reads the height between two lines. */
static void baselines(void **state)
{
    (void)state;
    const char *path = write_table("table.csv", "%.6f;%.9f;%.1f\n", 1);
    const char *louder = write_table("louder.csv", "%.6f;%.9f;%.1f\n", 2);
    const char *shorter = scratch_path("shorter.csv");
    char command[512];
    snprintf(command, sizeof command, "head -n 4503 %s > %s", path, shorter);
    check_run(run_shell(command), 0, "");
    check_run(run_limber("spectrum %s --column acc --baseline %s --peaks 1", louder, shorter), 0,
              " 6.02\n");
    check_run(run_limber("spectrum %s --column acc --baseline %s --peaks 1 --speed rpm --orders",
                         louder, shorter),
              0, " 6.02 ");
    check_run(run_limber("spectrum %s --column acc --baseline %s --band 50:200", louder, shorter),
              0, "change (dB)");
    double chance[2];
    for (int i = 0; i < 2; i++) {
        lmb_run_result run =
            run_limber("spectrum " FOLDER "outer-race.wav --envelope " BEARING " --json %s",
                       i ? "--baseline " FOLDER "healthy.wav" : "");
        assert_int_equal(run.code, 0);
        chance[i] = number_behind(run.out, "\"log_chance\": ");
        free_run(&run);
    }
    assert_true(chance[0] == chance[1] && chance[0] < -3);
    /* 100 Hz is 51.2 lines of 2000 / 1024 Hz: 0.2 from one of them */
    lmb_run_result run = run_limber("spectrum %s %s --column acc --rpm 6000 --json", path, louder);
    assert_close(number_behind(run.out, "\"shaft 1x\": "), 2, 1e-4);
    free_run(&run);
}

static void put_constant(FILE *out, int i)
{
    fprintf(out, "%.4f,0.1\n", i / 1000.0);
}

static void mistakes(void **state)
{
    (void)state;
    const char *path = write_table("table.csv", "%.6f;%.9f;%.1f\n", 1);
    check_run(run_limber("spectrum nowhere.csv"), 5, "nowhere.csv");
    check_run(run_limber("spectrum %s", path), 2, "give one with --column");
    check_run(run_limber("spectrum %s --column acx", path), 3, "has no column 'acx'");
    check_run(run_limber("spectrum %s --column acc --orders", path), 2, "--speed");
    check_run(run_limber("spectrum %s --column acc --band 9", path), 2, "not a band");
    check_run(run_limber("spectrum %s --column acc --window hat", path), 2, "no window");
    check_run(run_limber("spectrum %s --column acc --integrate 3", path), 2, "--integrate needs");
    check_run(run_limber("spectrum %s --column acc --envelope --waterfall", path), 2, "together");
    check_run(run_limber("spectrum %s --column acc --balls 9", path), 2, "two diameters");
    check_run(run_limber("spectrum %s --column acc --speed rpm --tacho rpm", path), 2, "together");
    check_run(run_limber("spectrum %s --column acc --exponential 1", path), 2, "--impact");
    check_run(run_limber("spectrum %s --column acc --impact rpm --window hann", path), 2,
              "--exponential");
    check_run(run_limber("spectrum %s --column acc --tacho rpm --orders", path), 3, "too few");
    check_run(run_limber("spectrum %s --column acc --band 500:2000", path), 3,
              "sampling rate above");
    check_run(run_limber("spectrum " FOLDER "healthy.wav --pitch 39 --ball 8 --balls 9"), 2,
              "--rpm");
    check_run(run_limber("spectrum %s --column acc --from 1000", path), 3, "ends at 1000 Hz");
    check_run(run_limber("spectrum %s --column acc -o plot.gif", path), 2, ".html");
    static const struct {
        const char *text, *options;
        int code;
        const char *said;
    } files[] = {{"1\n2\n3\n", "", 2, "--rate"},
                 {"1\n2\n3\n", "--rate 10", 3, "too few values"},
                 {"1,5\n0,25\n3,5\n", "--rate 10", 2, "--decimal-comma"},
                 {"1 2\n2 3\n3 1\n", "--rate 10 --column left", 3, "there are: column 1, column 2"},
                 {"t,acc\n0,1.5\n", "", 3, "too few values"},
                 {"t,acc\n", "", 3, "no numbers"},
                 {"", "", 3, "file is empty"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *single = scratch_path("single.csv");
        FILE *out = fopen(single, "w");
        assert_non_null(out);
        fputs(files[i].text, out);
        fclose(out);
        check_run(run_limber("spectrum %s %s", single, files[i].options), files[i].code,
                  files[i].said);
    }
    const char *constant = write_text("constant.csv", "t,acc\n", 2000, put_constant);
    check_run(run_limber("spectrum %s", constant), 0, "The record is constant, 0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example), cmocka_unit_test(a_file_that_is_cut_off),
        cmocka_unit_test(tables),      cmocka_unit_test(tables_with_faults),
        cmocka_unit_test(baselines),   cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
