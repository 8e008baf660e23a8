/* limber spectrum's power densities and overall values of bands, through the built program. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signal/signal.h"
#include "math/vec.h"
#include "program.h"

/* Four seconds of 3 at one frequency and 5 at another, times a factor; without times. */
static const char *write_two(const char *name, const char *unit, double factor, double rate,
                             double low, double high)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, unit[0] ? "acc [%s]\n" : "acc\n", unit);
    for (int i = 0; i < 4 * rate; i++) {
        double angle = 2 * LMB_PI * i / rate;
        fprintf(out, "%.15g\n", factor * (3 * sin(low * angle + 0.3) + 5 * sin(high * angle)));
    }
    fclose(out);
    return path;
}

/* The sum of an array of numbers in JSON. */
static double sum_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    double total = 0;
    assert_non_null(at);
    char *end = strchr(at, '[');
    assert_non_null(end);
    do
        total += strtod(end + 1, &end);
    while (*end == ',');
    assert_int_equal(*end, ']');
    return total;
}

/* Lines on bins 16 and 256 of 513: with every window the density adds up to their mean squares, to
 * the digits of the file; likewise about one of them. */
static void densities(void **state)
{
    (void)state;
    const char *path = write_two("bins.csv", "m/s^2", 1, 4096, 64, 1024);
    for (int i = 0; i < LMB_WINDOWS; i++) {
        const char *window = lmb_window_names[i];
        lmb_run_result run = run_limber(
            "spectrum %s --rate 4096 --resolution 4 --density --window %s --json", path, window);
        assert_int_equal(run.code, 0);
        assert_close(sum_of(run.out, "\"density\": [") * number_behind(run.out, "\"resolution\": "),
                     17, 1e-12);
        assert_close(number_behind(run.out, "\"rms_in_band\": "), sqrt(17), 1e-12);
        assert_non_null(strstr(run.out, "\"density_unit\": \"(m/s^2)^2/Hz\""));
        free_run(&run);
        run = run_limber("spectrum %s --rate 4096 --resolution 4 --density --window %s --to 200 "
                         "--json",
                         path, window);
        assert_close(number_behind(run.out, "\"rms_in_band\": "), 3 / sqrt(2), 1e-12);
        free_run(&run);
    }
    /* a rectangular window has the line's mean square in one bin of 4 Hz */
    lmb_run_result run = run_limber(
        "spectrum %s --rate 4096 --resolution 4 --density --window rectangular --json", path);
    assert_close(number_behind(run.out, "\"density\": "), 12.5 / 4, 1e-9);
    free_run(&run);
    check_run(run_limber("spectrum %s --rate 4096 --density", path), 0,
              "densities are in (m/s^2)^2/Hz");

    /* twice the amplitude: 6.02 dB more of density too */
    const char *louder = write_two("louder.csv", "m/s^2", 2, 4096, 64, 1024);
    check_run(run_limber("spectrum %s --rate 4096 --density --peaks 1 --baseline %s", louder, path),
              0, " 6.02\n");
    check_run(run_limber("spectrum %s %s --rate 4096 --density", path, louder), 2, "trend");
    check_run(run_limber("spectrum %s --rate 4096 --density --impact 1", path), 2, "--density");
}

/* The axis of densities is logarithmic, in pictures and on pages. */
static void density_figures(void **state)
{
    (void)state;
    const char *path = write_two("bins.csv", "m/s^2", 1, 4096, 64, 1024);
    static const char *const files[][2] = {{"density.svg", "grep -c '>0.01<' %s"},
                                           {"density.html", "grep -c logarithmic %s"}};
    for (int i = 0; i < 2; i++) {
        char command[512];
        const char *picture = scratch_path(files[i][0]);
        check_run(run_limber("spectrum %s --rate 4096 --density -o %s", path, picture), 0, "");
        snprintf(command, sizeof command, files[i][1], picture);
        check_run(run_shell(command), 0, "");
    }
}

static double behind_row(const char *text, const char *quantity, const char *key)
{
    char piece[64];
    snprintf(piece, sizeof piece, "\"quantity\": \"%s\"", quantity);
    const char *row = strstr(text, piece);
    assert_non_null(row);
    return number_behind(row, key);
}

/* 3 at 50 Hz, with 5 at 800 Hz out of the band: a sine of that amplitude, whose velocity is 3 /
 * omega. 0.3 s are left out at both ends of the 4 s, which leaves whole periods. What the filter
 * does near the ends of the record is below a hundredth of the amplitude there (see signal.h), and
 * by its square in what is a mean. */
static void overall_of_sines(void **state)
{
    (void)state;
    const double omega = 2 * LMB_PI * 50;
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"m/s^2", 1}, {"g", 1 / 9.80665}};
    for (int i = 0; i < 2; i++) {
        const char *path = write_two(i ? "gravity.csv" : "metric.csv", units[i].unit,
                                     units[i].factor, 4000, 50, 800);
        lmb_run_result run = run_limber("spectrum %s --rate 4000 --overall 10:200 --json", path);
        assert_int_equal(run.code, 0);
        double a = 3 * units[i].factor, v = 3000 / omega;
        assert_close(behind_row(run.out, "acceleration", "\"rms\": "), a / sqrt(2), 1e-4);
        assert_close(behind_row(run.out, "acceleration", "\"peak\": "), a, 1e-2);
        assert_close(behind_row(run.out, "acceleration", "\"kurtosis\": "), 1.5, 1e-3);
        assert_close(behind_row(run.out, "velocity", "\"rms\": "), v / sqrt(2), 1e-3);
        assert_close(behind_row(run.out, "velocity", "\"crest_factor\": "), sqrt(2), 5e-2);
        assert_non_null(strstr(run.out, "\"unit\": \"mm/s\""));
        free_run(&run);
    }
    /* a record without unit: the velocity asks for one */
    const char *bare = write_two("bare.csv", "", 0.1, 4000, 50, 800);
    check_run(run_limber("spectrum %s --rate 4000 --overall 10:200", bare), 0, "--unit m/s^2");
    lmb_run_result scaled =
        run_limber("spectrum %s --rate 4000 --overall 10:200 --scale 10 --unit m/s^2 --json", bare);
    assert_close(behind_row(scaled.out, "velocity", "\"rms\": "), 3000 / omega / sqrt(2), 1e-3);
    free_run(&scaled);
    check_run(run_limber("spectrum %s --rate 4000 --scale 0", bare), 2, "--scale");
    /* an integrated record has the velocity already */
    const char *path = scratch_path("metric.csv");
    lmb_run_result run = run_limber(
        "spectrum %s --rate 4000 --integrate 1 --high-pass 4 --overall 10:200 --json", path);
    assert_close(behind_row(run.out, "velocity", "\"rms\": "), 3000 / omega / sqrt(2), 1e-3);
    assert_null(strstr(run.out, "\"acceleration\""));
    free_run(&run);
}

static void overall_everywhere(void **state)
{
    (void)state;
    const char *path = write_two("metric.csv", "m/s^2", 1, 4000, 50, 800),
               *louder = write_two("louder2.csv", "m/s^2", 2, 4000, 50, 800),
               *picture = scratch_path("overall.svg");
    check_run(run_limber("spectrum %s --rate 4000 --overall 10:200,600:1000 -o %s", path, picture),
              0, "600 to 1000");
    char command[512];
    snprintf(command, sizeof command, "grep -c 'mm/s from 10 to 200 Hz' %s", picture);
    check_run(run_shell(command), 0, "1");
    check_run(run_limber("spectrum %s --rate 4000 --overall 10:200 --peaks 0 --baseline %s", louder,
                         path),
              0, " 6.02\n");
    check_run(run_limber("spectrum %s %s --rate 4000 --overall 10:200", path, louder), 0,
              "velocity 10-200 Hz (mm/s)");
    lmb_run_result run =
        run_limber("spectrum %s %s --rate 4000 --overall 10:200 --json", louder, path);
    assert_close(behind_row(run.out, "acceleration", "\"rms\": "), 6 / sqrt(2), 1e-4);
    free_run(&run);

    check_run(run_limber("spectrum %s --rate 4000 --overall 10", path), 2, "--overall 10:1000");
    check_run(run_limber("spectrum %s --rate 4000 --overall 200:10", path), 2, "list of");
    check_run(run_limber("spectrum %s --rate 4000 --overall 10:3000", path), 3,
              "sampling rate above 6000 Hz");
    check_run(run_limber("spectrum %s --rate 4000 --overall 1:1000", path), 3, "takes a record of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities),
        cmocka_unit_test(density_figures),
        cmocka_unit_test(overall_of_sines),
        cmocka_unit_test(overall_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
