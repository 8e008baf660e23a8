/* limber spectrum of hammer tests and of shafts whose speed changes, through the built program. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "program.h"

/* --- hammer tests ----------------------------------------------------------------------------- */

static const double rate = 2000, omega = 2 * LMB_PI * 40, mass = 0.5;

/* Blows of one value of 100 N every 2 s on an oscillator of 40 Hz: y = F dt / (m w_d) exp(-d w t)
 * sin(w_d t) after each. twice: the second blow hits again after 15 ms. */
static const char *write_blows(const char *name, int blows, double d, bool twice)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    double damped = omega * sqrt(1 - d * d);
    assert_non_null(out);
    fputs("t,force [N],x [m]\n", out);
    for (int i = 0; i < 4000 * blows; i++) {
        double y = 0, force = 0;
        for (int blow = 0; blow < blows + twice; blow++) {
            int at = blow < blows ? 4000 * blow + 100 : 4130;
            double since = (i - at) / rate;
            force += i == at ? 100 : 0;
            if (since > 0)
                y += 100 / rate / (mass * damped) * exp(-d * omega * since) * sin(damped * since);
        }
        fprintf(out, "%.6f,%g,%.12g\n", i / rate, force, y);
    }
    fclose(out);
    return path;
}

/* Natural frequency, damping and the displacement's response there, 1 / (2 d k) at -90 degrees.
 * Sampling makes the response one to impulses, which differs by (w dt)^2 = 1.6 % and half a step of
 * phase; frequency and damping are those of the poles, to a hundredth of the width. */
static void check_mode(lmb_run_result run, double d)
{
    assert_int_equal(run.code, 0);
    double k = mass * omega * omega;
    assert_true(fabs(number_behind(run.out, "{\"frequency\": ") - 40) < 0.01 * 40 * d);
    assert_true(fabs(number_behind(run.out, "\"damping\": ") - d) < 0.01 * d);
    assert_true(fabs(number_behind(run.out, "\"amplitude\": ") * 2 * d * k - 1) < 0.016 + 0.01);
    assert_true(fabs(number_behind(run.out, "\"phase\": ") + 90) <
                180 / LMB_PI * omega / rate / 2 + 1);
    assert_true(number_behind(run.out, "\"coherence\": ") > 0.99);
    free_run(&run);
}

static void hammer(void **state)
{
    (void)state;
    const char *path = write_blows("hammer.csv", 3, 0.02, false);
    check_run(run_limber("spectrum %s --column x --impact force", path), 0, "3 blows");
    check_mode(run_limber("spectrum %s --column x --impact force --json", path), 0.02);
    check_mode(run_limber("spectrum %s --column x --impact force --force-window 0.05 "
                          "--exponential 0.3 --json",
                          path),
               0.02);
    check_run(run_limber("spectrum %s --column x --impact force --exponential 0.5", path), 0,
              "a decay of 2/s more");
    check_run(
        run_limber("spectrum %s --column x --impact force -o %s", path, scratch_path("hammer.svg")),
        0, "");
    check_run(run_limber("spectrum %s --column x --impact force --baseline %s", path, path), 0,
              " 0.00 ");
}

/* One blow, after which 37 % of the response are left at the end: that is said, and the fit is
 * right with and without the window that is advised. */
static void light_damping(void **state)
{
    (void)state;
    const char *path = write_blows("light.csv", 1, 0.002, false);
    check_run(run_limber("spectrum %s --column x --impact force", path), 0, "is left at the end");
    check_run(run_limber("spectrum %s --column x --impact force", path), 0,
              "The coherence of one blow is 1 by definition");
    check_mode(run_limber("spectrum %s --column x --impact force --exponential 0.2 --json", path),
               0.002);
}

static void double_hits(void **state)
{
    (void)state;
    const char *path = write_blows("double.csv", 3, 0.02, true);
    check_run(run_limber("spectrum %s --column x --impact force", path), 0,
              "1 of 3 blows hit twice, the first at t = 2.05 s: left out");
    check_mode(run_limber("spectrum %s --column x --impact force --json", path), 0.02);
}

/* --- shafts ----------------------------------------------------------------------------------- */

/* Twelve seconds from one speed to another (Hz) with the third order of amplitude 2, a tone of 700
 * Hz, the speed in two units and two pulses a turn. */
static const char *write_run(const char *name, double from, double to)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    double c = (to - from) / 12;
    assert_non_null(out);
    fputs("t [s];acc [m/s^2];speed [rpm];omega [rad/s];tacho [V]\n", out);
    for (int i = 0; i < 24000; i++) {
        double t = i / rate, f = from + c * t, turn = from * t + c * t * t / 2;
        double half = 2 * turn - floor(2 * turn);
        fprintf(out, "%.6f;%.9f;%.6f;%.9f;%g\n", t,
                2 * cos(2 * LMB_PI * 3 * turn) + 2 * cos(2 * LMB_PI * 700 * t), 60 * f,
                2 * LMB_PI * f, half < 0.2 ? 5 : 0.0);
    }
    fclose(out);
    return path;
}

/* Up and down: one line at order 3 with its amplitude; nothing of the tone, which is above the
 * orders that are shown where the shaft is fastest, is folded down between the orders. Pulses that
 * rise within one value tell the angle to a value only, 40 / 2000 of a turn at worst: the scatter
 * of that over its spline lowers the third order by (2 pi 3 0.006)^2 / 2. */
static void orders(void **state)
{
    (void)state;
    static const char *const speeds[] = {"--speed speed", "--speed omega",
                                         "--tacho tacho --pulses 2"};
    for (int down = 0; down < 2; down++) {
        const char *path = write_run(down ? "down.csv" : "up.csv", down ? 40 : 10, down ? 10 : 40);
        for (int i = 0; i < 3; i++) {
            lmb_run_result run =
                run_limber("spectrum %s --column acc %s --orders --to 15 --json", path, speeds[i]);
            assert_int_equal(run.code, 0);
            assert_close(number_behind(run.out, "{\"order\": "), 3, i < 2 ? 1e-5 : 1e-3);
            assert_close(number_behind(run.out, "\"amplitude\": "), 2, i < 2 ? 2e-3 : 1e-2);
            free_run(&run);
        }
        lmb_run_result run = run_limber("spectrum %s --column acc --speed speed --orders --from 4 "
                                        "--to 15 --json",
                                        path);
        assert_true(number_behind(run.out, "\"amplitude\": ") < 0.01);
        free_run(&run);
    }
}

static void waterfalls(void **state)
{
    (void)state;
    const char *path = write_run("up.csv", 10, 40), *picture = scratch_path("waterfall.svg");
    lmb_run_result run =
        run_limber("spectrum %s --column acc --speed speed --waterfall --json", path);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "\"amplitudes\": ["));
    assert_close(number_behind(run.out, "\"speeds\": ["), 10, 1e-6);
    free_run(&run);
    check_run(run_limber("spectrum %s --column acc --speed speed --waterfall --to 300 -o %s", path,
                         picture),
              0, "speed (rpm)");
    char command[512];
    snprintf(command, sizeof command, "grep -c '>[123]x<' %s", picture);
    check_run(run_shell(command), 0, "3");
    /* steady: over time */
    path = write_run("steady.csv", 20, 20);
    check_run(run_limber("spectrum %s --column acc --speed speed --waterfall -o %s", path, picture),
              0, "");
    snprintf(command, sizeof command, "grep -c 't in s' %s", picture);
    check_run(run_shell(command), 0, "1");
}

/* A waterfall over orders of a run-up from 10 to 60 Hz, from t = 5 s on, with 1 at 1x, 0.6 at 2x
 * and a tone of 0.5 at 150 Hz: in every slice the first two stand at their orders with their
 * amplitudes, and the tone is at 150 Hz over the speed, which the linear run-up has in the middle
 * of the slice. Over 16 turns the tone goes through 16 (50 / 20) / f^2 of its order 150 / f: the
 * middle of that is known to a quarter of it. Pulses tell the angle to a value, as above: orders to
 * that over 8 turns, the middle half, which is what a Hann window sees most of. */
static void order_waterfalls(void **state)
{
    (void)state;
    const char *path = scratch_path("run-up.csv"), *picture = scratch_path("orders.svg");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("t [s];acc [m/s^2];speed [rpm];tacho [V]\n", out);
    for (int i = 0; i < 40000; i++) {
        double t = i / rate, turn = 10 * t + 1.25 * t * t;
        fprintf(out, "%.6f;%.9f;%.6f;%g\n", 5 + t,
                cos(2 * LMB_PI * turn) + 0.6 * cos(4 * LMB_PI * turn + 0.4) +
                    0.5 * sin(2 * LMB_PI * 150 * t),
                60 * (10 + 2.5 * t), turn - floor(turn) < 0.1 ? 5 : 0.0);
    }
    fclose(out);
    static const struct {
        const char *speed, *range;
        double order, height; /* order 0: of the tone */
    } looks[] = {{"--speed speed", "--from 0.5 --to 1.5", 1, 1},
                 {"--speed speed", "--from 1.5 --to 2.4", 2, 0.6},
                 {"--tacho tacho", "--from 0.5 --to 1.5", 1, 1},
                 {"--tacho tacho", "--from 1.5 --to 2.4", 2, 0.6},
                 {"--speed speed", "--from 2.4 --to 16", 0, 0}};
    for (size_t k = 0; k < sizeof looks / sizeof *looks; k++) {
        lmb_run_result run = run_limber("spectrum %s --column acc %s --orders --waterfall %s", path,
                                        looks[k].speed, looks[k].range);
        const char *row = strstr(run.out, "largest at order");
        double time, order, height, rpm;
        int count = 0;
        assert_int_equal(run.code, 0);
        assert_non_null(row);
        for (row = strchr(row, '\n'); row && row[1]; row = strchr(row + 1, '\n'), count++) {
            assert_int_equal(sscanf(row, "%lf %lf %lf %lf", &time, &order, &height, &rpm), 4);
            double f = rpm / 60;
            bool tacho = looks[k].speed[2] == 't';
            assert_close(f, 10 + 2.5 * (time - 5), tacho ? 1e-2 : 1e-4);
            if (looks[k].order > 0) {
                assert_close(order, looks[k].order, tacho ? looks[k].order * f / rate / 8 : 1e-3);
                assert_close(height, looks[k].height, tacho ? 1e-2 : 3e-3);
            } else {
                assert_true(fabs(order * f - 150) < 150 * 16 * 2.5 / (f * f) / 4 + 0.1);
            }
        }
        assert_true(count > 20 && count <= 60);
        free_run(&run);
    }
    check_run(run_limber("spectrum %s --column acc --speed speed --orders --waterfall --density "
                         "--to 20 --json",
                         path),
              0, "(m/s^2)^2/order");
    check_run(run_limber("spectrum %s --column acc --speed speed --orders --waterfall -o %s", path,
                         picture),
              0, "shaft 2x, misalignment");
    check_run(run_limber("spectrum %s --column acc --orders --waterfall", path), 2, "--speed");
    check_run(run_limber("spectrum %s --column acc --speed speed --orders --envelope", path), 2,
              "together");
}

/* The run-up of a rotor's result, whose speed is in rad/s: imbalance is order one. It passes a
 * resonance, behind which it lags by half a turn, so that its line is one of 16 turns at best. */
static void results(void **state)
{
    (void)state;
    const char *path = example_result("rotor", "jeffcott");
    lmb_run_result run = run_limber("spectrum %s --channel run-up/disc.position.y --speed "
                                    "rotor.speed --orders --json",
                                    path);
    assert_int_equal(run.code, 0);
    assert_true(fabs(number_behind(run.out, "{\"order\": ") - 1) < 1.0 / 16);
    assert_non_null(strstr(run.out, "shaft 1x, imbalance"));
    free_run(&run);
    check_run(run_limber("spectrum %s --channel run-up/disc.positon.y", path), 3, "did you mean");
    check_run(run_limber("spectrum %s --channel campbell/mode1.frequency", path), 3,
              "is over speed, not over time");
    /* the instant of an event lies between two others */
    path = example_result("run", "cable-break");
    check_run(run_limber("spectrum %s --channel load.position.x", path), 0,
              "is not sampled evenly");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hammer),      cmocka_unit_test(light_damping),
        cmocka_unit_test(double_hits), cmocka_unit_test(orders),
        cmocka_unit_test(waterfalls),  cmocka_unit_test(order_waterfalls),
        cmocka_unit_test(results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
