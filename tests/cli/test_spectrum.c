/* limber spectrum, through the built program: the example, tables, run-ups, hammer tests. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "program.h"

#define BEARING "--pitch 39.04 --ball 7.94 --balls 9 --rpm 1500"
#define FOLDER "examples/bearing-fault/"

/* The number behind a key of JSON, the first one. */
static double number_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

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
    assert_close(number_of(run.out, "\"rate\": "), 2000, 1e-9);
    assert_close(number_of(run.out, "\"rms\": "), sqrt(2), 1e-6); /* whole periods, nine digits */
    assert_close(number_of(run.out, "{\"frequency\": "), 100, 1e-4);
    assert_close(number_of(run.out, "\"amplitude\": "), 2, 1e-4);
    free_run(&run);
    run = run_limber("spectrum %s --column acc --integrate 1 --json", path);
    assert_int_equal(run.code, 0);
    assert_close(number_of(run.out, "\"amplitude\": "), 2 / (2 * LMB_PI * 100), 1e-5);
    assert_non_null(strstr(run.out, "\"unit\": \"m/s\""));
    free_run(&run);
    run = run_limber("spectrum %s --column 2 --speed rpm --orders --json", path);
    assert_int_equal(run.code, 0);
    assert_close(number_of(run.out, "{\"order\": "), 5, 1e-4);
    assert_close(number_of(run.out, "\"amplitude\": "), 2, 2e-3);
    free_run(&run);
    check_run(run_limber("spectrum %s --column acc --speed rpm --waterfall -o %s", path,
                         scratch_path("waterfall.svg")),
              0, "speed (rpm)");
    check_run(run_limber("spectrum %s --column acc --rpm 3000", path), 0, "shaft 2x, misalignment");

    /* twice as strong: 6.02 dB more than the baseline */
    const char *louder = write_table("louder.csv", "%.6f;%.9f;%.1f\n", 2);
    check_run(run_limber("spectrum %s --column acc --baseline %s", louder, path), 0, "+6.02 dB");
    check_run(run_limber("spectrum %s --column acc --baseline %s --peaks 1", louder, path), 0,
              " 6.02 ");
}

/* Three blows on an oscillator of 40 Hz with a damping ratio of 0.02 and 0.5 kg; the force is one
 * value of 100 N, so that y = F dt / (m w_d) exp(-d w t) sin(w_d t). The displacement's response is
 * 1 / (k 2 d) at its peak; sampled 2000 times a second it is right to (w dt)^2 = 1.6 %. */
static void hammer(void **state)
{
    (void)state;
    const char *path = scratch_path("hammer.csv");
    FILE *out = fopen(path, "w");
    double rate = 2000, omega = 2 * LMB_PI * 40, d = 0.02, m = 0.5,
           damped = omega * sqrt(1 - d * d);
    fputs("t,force,x\n", out);
    for (int i = 0; i < 12000; i++) {
        double since = (i % 4000 - 100) / rate, y = 0;
        if (since > 0)
            y = 100 / rate / (m * damped) * exp(-d * omega * since) * sin(damped * since);
        fprintf(out, "%.6f,%d,%.12g\n", i / rate, i % 4000 == 100 ? 100 : 0, y);
    }
    fclose(out);
    lmb_run_result run = run_limber("spectrum %s --column x --impact force --json", path);
    assert_int_equal(run.code, 0);
    assert_close(number_of(run.out, "{\"frequency\": "), 40, 0.01);
    double peak = number_of(run.out, "\"amplitude\": "), k = m * omega * omega;
    assert_true(fabs(peak * k * 2 * d - 1) < 0.05); /* and the lines of 0.5 Hz beside the peak */
    assert_true(number_of(run.out, "\"coherence\": ") > 0.99);
    free_run(&run);
    check_run(run_limber("spectrum %s --column x --impact force", path), 0, "3 blows");
}

static void mistakes(void **state)
{
    (void)state;
    const char *path = write_table("table.csv", "%.6f;%.9f;%.1f\n", 1);
    check_run(run_limber("spectrum nowhere.csv"), 5, "nowhere.csv");
    check_run(run_limber("spectrum %s", path), 2, "give one with --column");
    check_run(run_limber("spectrum %s --column acx", path), 3, "there is no column 'acx'");
    check_run(run_limber("spectrum %s --column acc --orders", path), 2, "--speed");
    check_run(run_limber("spectrum %s --column acc --band 9", path), 2, "not a band");
    check_run(run_limber("spectrum %s --column acc --window hat", path), 2, "no window");
    check_run(run_limber("spectrum %s --column acc --integrate 3", path), 2, "--integrate needs");
    check_run(run_limber("spectrum %s --column acc --envelope --waterfall", path), 2, "together");
    check_run(run_limber("spectrum %s --column acc --balls 9", path), 2, "two diameters");
    check_run(run_limber("spectrum " FOLDER "healthy.wav --pitch 39 --ball 8 --balls 9"), 2,
              "--rpm");
    const char *single = scratch_path("single.csv");
    FILE *out = fopen(single, "w");
    fputs("1\n2\n3\n", out);
    fclose(out);
    check_run(run_limber("spectrum %s", single), 2, "--rate");
    check_run(run_limber("spectrum %s --rate 10", single), 3, "too few values");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example),
        cmocka_unit_test(tables),
        cmocka_unit_test(hammer),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
