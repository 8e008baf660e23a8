/* limber rotor, through the built program: the examples with their known numbers, tables, files and
 * pictures; and a spinning shaft as a flexible body, which has the critical speeds of the rotor. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "math/band.h"
#include "program.h"

#define PI 3.14159265358979323846

static lmb_run_result rotor(const char *words)
{
    lmb_run_result run = run_limber("rotor %s", words);
    if (run.code != 0 || run.err[0])
        fail_msg("rotor %s: code %d\n%s", words, run.code, run.err);
    return run;
}

/* The number after a key, at or after a place; moves the place on. */
static double number(const char **at, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(*at, quoted);
    if (!found)
        fail_msg("no %s", quoted);
    *at = found + strlen(quoted);
    return strtod(*at, NULL);
}

static double value(const char *json, const char *key)
{
    return number(&json, key);
}

static void check_value(const char *what, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s: %.10g instead of %.10g", what, got, expected);
}

/* --- examples ------------------------------------------------------------------------------------
 */

/* The largest deflection lies between the nodes of two elements. Bending of a beam on two supports
 * under a force P at a and its weight q; shear adds less than a thousandth. */
static void test_sag(void **unused)
{
    (void)unused;
    const double L = 0.8, d = 0.015, E = 2.1e11, a = L / 3, P = 12 * 9.81;
    const double EI = E * PI * d * d * d * d / 64, q = 7800 * PI * d * d / 4 * 9.81;
    double most = 0;
    for (double x = a; x < L; x += 1e-4)
        most = fmax(most, P * a * (L - x) * (2 * L * x - x * x - a * a) / (6 * L * EI) +
                              q * x * (L * L * L - 2 * L * x * x + x * x * x) / (24 * EI));
    for (int elements = 2; elements <= 20; elements += 18) {
        char words[128];
        snprintf(words, sizeof words, "examples/offset-rotor/offset-rotor.yaml --set elements=%d",
                 elements);
        lmb_run_result run = rotor(words);
        const char *said = strstr(run.out, "it sags by ");
        assert_non_null(said);
        check_value("sag", 1e-3 * strtod(said + strlen("it sags by "), NULL), most, 2e-3 * most);
        free_run(&run);
    }
}

/* The numbers of the textbook, to their printed digits. */
static void test_offset_rotor(void **unused)
{
    (void)unused;
    lmb_run_result run = rotor("examples/offset-rotor/offset-rotor.yaml --json");
    check_value("disc alone", value(run.out, "disc"), 71.8, 0.05);
    check_value("shaft alone", value(run.out, "shaft"), 300, 0.5);
    check_value("Dunkerley", value(run.out, "dunkerley"), 69.86, 0.005);
    check_value("Dunkerley in Hz", value(run.out, "dunkerley") / (2 * PI), 11.1, 0.05);
    check_value("20 elements", value(run.out, "finite_elements") / (2 * PI), 11.1, 0.05);
    /* bounds from both sides */
    assert_true(value(run.out, "dunkerley") < value(run.out, "finite_elements"));
    assert_true(value(run.out, "rayleigh") > value(run.out, "finite_elements"));
    assert_non_null(strstr(run.out, "runs over-critically"));
    assert_non_null(strstr(run.out, "with an unbalance of 0.0006 kg m and a damping ratio of 0.01, "
                                    "the largest amplitude is"));
    free_run(&run);
    run = rotor("examples/offset-rotor/offset-rotor.yaml --set elements=2 --json");
    check_value("elements", value(run.out, "elements"), 2, 0);
    check_value("2 elements", value(run.out, "finite_elements") / (2 * PI), 11.1, 0.05);
    free_run(&run);
}

/* Critical speeds of Nelson and McVaugh (Journal of Engineering for Industry 98, 1976), rpm, within
 * a percent. */
static void test_nelson_rotor(void **unused)
{
    (void)unused;
    static const struct {
        const char *options;
        double speeds[6];
    } cases[] = {
        {"", {15470, 17159, 46612, 49983, 64752, 96547}},
        {"--ratio 4", {4015, 4120.2, 11989.25, 12200, 18184.25, 20162.25}},
        {"--ratio 2",
         {15858 / 2.0, 16700 / 2.0, 47520 / 2.0, 49204 / 2.0, 69640 / 2.0, 85552 / 2.0}},
    };
    static const char *const senses[] = {"backward", "forward"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char words[200];
        snprintf(words, sizeof words, "examples/nelson-rotor/nelson-rotor.yaml --json %s",
                 cases[k].options);
        lmb_run_result run = rotor(words);
        const char *at = strstr(run.out, "critical_speeds");
        for (int i = 0; i < 6; i++) {
            check_value("rpm", number(&at, "rpm"), cases[k].speeds[i], 0.01 * cases[k].speeds[i]);
            at = strstr(at, "\"whirl\": ");
            if (i < 4)
                assert_int_equal(strncmp(at + 10, senses[i % 2], strlen(senses[i % 2])), 0);
        }
        free_run(&run);
    }
}

/* e r^2 / (1 - r^2 + 2 i zeta r) at all speeds, with the tables of the example's JSON; the shaft
 * has no mass. */
static void test_jeffcott(void **unused)
{
    (void)unused;
    double e = 20e-6, zeta = 0.05, w = sqrt(48 * 2.1e11 * PI * pow(20e-3, 4) / 64 / 10);
    lmb_run_result run = rotor("examples/jeffcott/jeffcott.yaml --json");
    const char *at = strstr(run.out, "\"unbalance\"");
    for (int i = 0; i < 301; i++) {
        double r = number(&at, "speed") / w, d = hypot(1 - r * r, 2 * zeta * r);
        check_value("amplitude", number(&at, "amplitude_y"), e * r * r / d, 1e-6 * e);
        if (i > 0)
            check_value("phase", number(&at, "phase_y"), atan2(-2 * zeta * r, 1 - r * r), 1e-6);
    }
    free_run(&run);
}

/* --- tables, files, pictures ---------------------------------------------------------------------
 */

static void test_overhung(void **unused)
{
    (void)unused;
    const char *h5 = scratch_path("overhung.h5"), *svg = scratch_path("campbell.svg"),
               *png = scratch_path("response.png"), *shapes = scratch_path("shapes.svg"),
               *up = scratch_path("up.svg");
    lmb_run_result run = run_limber("rotor examples/overhung/overhung.yaml --speeds -o %s "
                                    "--campbell %s --response %s --shapes %s --run-up %s",
                                    h5, svg, png, shapes, up);
    assert_string_equal(run.err, "");
    assert_int_equal(run.code, 0);
    static const char *const pieces[] = {"Critical speeds",
                                         "Vibrations at 2950 rpm",
                                         "Dunkerley",
                                         "Under weight it sags",
                                         "pump-end",
                                         "Unbalance response",
                                         "Frequencies (Hz) over speed",
                                         "under-critically"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(run.out, pieces[i]))
            fail_msg("no '%s' in\n%s", pieces[i], run.out);
    free_run(&run);
    const char *const pictures[][2] = {
        {svg, "Campbell diagram"}, {shapes, "Shapes of vibration"}, {up, "Run-up"}};
    for (int i = 0; i < 3; i++) {
        char command[600];
        snprintf(command, sizeof command, "grep -c '%s' %s", pictures[i][1], pictures[i][0]);
        check_run(run_shell(command), 0, "1");
    }
    char command[600];
    snprintf(command, sizeof command, "head -c 4 %s | tail -c 3", png);
    check_run(run_shell(command), 0, "PNG");
    check_run(run_limber("list %s", h5), 0, "mode1.frequency");
    check_run(run_limber("get %s unbalance/impeller.orbit --max", h5), 0, " ");
    check_run(run_limber("get %s run-up/rotor.speed --final", h5), 0, "308.9");
    check_run(run_limber("get %s shapes/sag.deflection.y --first", h5), 0, "-");
    check_run(run_limber("plot %s campbell/mode1.frequency campbell/mode2.frequency -o %s", h5,
                         scratch_path("two.svg")),
              0, "");
}

static void test_mistakes(void **unused)
{
    (void)unused;
    check_run(run_limber("rotor examples/four-bar/four-bar.yaml"), 3, "has no section 'rotor'");
    check_run(run_limber("run examples/jeffcott/jeffcott.yaml --resume"), 3, "see `limber rotor`");
    for (int i = 0; i < 2; i++)
        check_run(run_limber("%s examples/jeffcott/jeffcott.yaml", i ? "modes" : "matrices"), 3,
                  "has no bodies, but a rotor");
    check_run(run_limber("rotor examples/jeffcott/jeffcott.yaml --ratio 0"), 2, "must be positive");
    check_run(run_limber("rotor examples/jeffcott/jeffcott.yaml --campbell a.gif"), 2, "");
    check_run(run_limber("rotor examples/nelson-rotor/nelson-rotor.yaml --run-up %s",
                         scratch_path("none.svg")),
              3, "no run-up");
}

/* --- the same as a mechanism ---------------------------------------------------------------------
 */

static const char both[] =
    "limber: 1\n"
    "dimension: 3\n"
    "parameters: {L: 1.5, a: 0.5, d: 0.05, m: 35, Ip: 0.6, Id: 0.3, k: 1e6, W: 0}\n"
    "bodies:\n"
    "  shaft:\n"
    "    beam: {from: [0, 0, 0], to: [L, 0, 0], elements: 12, section: {circle: {diameter: d}},\n"
    "      material: steel}\n"
    "    interfaces: {A: start, D: {at: [a, 0, 0]}, B: end}\n"
    "    masses: {disc: {at: [a, 0, 0], mass: m, inertia: [Ip, Id, Id]}}\n"
    "    reduction: {modes: 8}\n"
    "    angular_velocity: [W, 0, 0]\n"
    "    velocity: [0, 1e-3, 0]\n"
    "forces:\n"
    "  left: {type: bushing, between: [[0, 0, 0], shaft.A], stiffness: [1e6, k, k, 0, 0, 0]}\n"
    "  right: {type: bushing, between: [[L, 0, 0], shaft.B], stiffness: [0, k, k, 0, 0, 0]}\n"
    "analyses:\n"
    "  spin: {type: dynamics, duration: 3, output_step: 1e-3, integrator: generalized-alpha,\n"
    "    step: 5e-5, spectral_radius: 1}\n"
    "rotor:\n"
    "  modes: 4\n"
    "  shaft: [{length: a, diameter: d, elements: 4}, {length: L - a, diameter: d, elements: 8}]\n"
    "  discs: {disc: {at: a, mass: m, polar: Ip, diametral: Id}}\n"
    "  bearings: {left: {at: 0, stiffness: k}, right: {at: L, stiffness: k}}\n";

/* The part of y + i z that turns with w, seen through Hann's window. */
static double part(const lmb_series *s, double w)
{
    double complex sum = 0;
    for (int i = 0; i < s->count; i++) {
        double window = 0.5 - 0.5 * cos(2 * PI * i / (s->count - 1)), t = s->time[i];
        sum += window * CMPLX(s->values[3 * i + 1], s->values[3 * i + 2]) *
               CMPLX(cos(w * t), -sin(w * t));
    }
    return cabs(sum);
}

/* The frequency of the strongest part near one. */
static double strongest(const lmb_series *s, double near)
{
    double step = 0.25, best = near;
    for (int i = -40; i <= 40; i++)
        if (part(s, near + i * step) > part(s, best))
            best = near + i * step;
    double low = best - step, high = best + step;
    for (int i = 0; i < 40; i++) {
        double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
        if (part(s, a) > part(s, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* A shaft with a disc that spins freely in bushings, and vibrates a little: at the critical speeds
 * of `limber rotor` its forward whirl has the frequency of its rotation. The step makes frequencies
 * low by (w h)^2 / 12 < 5e-5, and three seconds of record add 1e-4. */
static void test_flexible_body(void **unused)
{
    (void)unused;
    const char *path = scratch_path("both.yaml"), *h5 = scratch_path("both.h5");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(both, file);
    fclose(file);
    char words[400];
    snprintf(words, sizeof words, "%s --json", path);
    lmb_run_result run = rotor(words);
    double speeds[4];
    const char *at = strstr(run.out, "critical_speeds");
    for (int i = 0; i < 4; i++)
        speeds[i] = number(&at, "speed");
    free_run(&run);
    lmb_context *context = lmb_context_new();
    for (int i = 1; i < 4; i += 2) { /* the forward ones */
        lmb_result *result;
        lmb_series s;
        run = run_limber("run %s --quiet --no-cache -o %s --set W=%.17g", path, h5, speeds[i]);
        assert_int_equal(run.code, 0);
        free_run(&run);
        assert_int_equal(lmb_result_open(&result, context, h5), LMB_OK);
        assert_int_equal(lmb_result_read(result, context, "shaft.D.position", &s), LMB_OK);
        check_value("forward whirl", strongest(&s, speeds[i]) / speeds[i], 1, 2e-4);
        lmb_series_free(&s);
        lmb_result_close(result);
    }
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sag),           cmocka_unit_test(test_offset_rotor),
        cmocka_unit_test(test_nelson_rotor),  cmocka_unit_test(test_jeffcott),
        cmocka_unit_test(test_overhung),      cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_flexible_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
