/* Numbers that are not finite, through the program: commands that compute refuse them with code 4
 * and the name of the quantity. Commands that show a stored result print "nan" and warn once. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "support.h"

/* A particle on a spring that a force pulls across. At the start `root` has no slope, `ratio` is
 * 0/0; the law of `odd` has no slope, and `push` no value if g is below 0. */
static const char model[] =
    "limber: 1\ndimension: 2\ngravity: [0, 0]\n"
    "parameters: {m: 2, g: 0, on: 0}\n"
    "bodies:\n  p: {type: particle, mass: m, position: [1, 0]}\n"
    "forces:\n  s: {type: spring, between: [ground, p], stiffness: 50, length: 1}\n"
    "  odd: {type: spring, between: [ground, p], force: 'if(on > 0, sqrt(length - 1), 0)'}\n"
    "  push: {type: force, at: p, force: [0, '-3 + sqrt(g + 0*t)']}\n"
    "sensors:\n  root: sqrt(p.position.y)\n  ratio: p.position.y/p.velocity.y\n"
    "events:\n  never: {when: p.position.x - 1000, stop: true}\n"
    "analyses:\n  go: {type: dynamics, duration: 0.1, output_step: 0.01,"
    " integrator: generalized-alpha, step: 0.01}\n"
    "objectives:\n  o1: {final: 'm - 2 + 0*p.position.x', of: go}\n  o2: o1/o1\n";

static const char *file(void)
{
    return scratch_text("model.yaml", model);
}

/* Fails unless a command ended with a code and printed a piece to stderr, with as many messages of
 * a kind, and no "nan" with a sign anywhere. Without `prints` stdout must be empty. */
static void check_messages(lmb_run_result run, int code, const char *kind, int count,
                           const char *piece, bool prints)
{
    int found = 0;
    for (const char *c = run.err; (c = strstr(c, kind)); c++)
        found++;
    if (run.code != code || found != count || !strstr(run.err, piece) || strstr(run.out, "-nan") ||
        (run.out[0] != 0) != prints)
        fail_msg("code %d, %d messages '%s':\n%s%s", run.code, found, kind, run.err, run.out);
    free_run(&run);
}

static void check_refusal(lmb_run_result run, const char *piece)
{
    check_messages(run, 4, "error:", 1, piece, false);
}

static void a_response_is_finite(void **unused)
{
    (void)unused;
    static const char *const outputs[] = {"root", "ratio"};
    for (int i = 0; i < 2; i++)
        for (int json = 0; json < 2; json++) {
            char text[80];
            snprintf(text, sizeof text, "the response of '%s' to 'push.y' is not a finite number",
                     outputs[i]);
            check_refusal(run_limber("response %s --as-placed --input push.y --output %s --from 1 "
                                     "--to 2 --points 3 %s",
                                     file(), outputs[i], json ? "--json" : ""),
                          text);
        }
    check_refusal(run_limber("response %s --as-placed --set on=1 --input push.y --output "
                             "p.position.y --from 1 --to 2 --points 3",
                             file()),
                  "is not a finite number at 1 Hz");
    check_run(run_limber("response %s --as-placed --input push.y --output p.position.y --from 1 "
                         "--to 2 --points 3",
                         file()),
              0, "amplitude");
}

/* 0/0 at the model itself, though 1 at its neighbours. */
static void a_gradient_is_finite(void **unused)
{
    (void)unused;
    check_refusal(run_limber("gradient %s --of o2 --by m", file()),
                  "the value of objective 'o2' is not a finite number");
    check_refusal(run_limber("gradient %s --of o2 --by m --json", file()), "objective 'o2'");
    check_run(run_limber("gradient %s --of o1 --by m", file()), 0, "o1 = 0");
}

static void matrices_are_finite(void **unused)
{
    (void)unused;
    const char *mat = scratch_path("space.mat");
    remove(mat);
    check_refusal(run_limber("matrices %s --set g=-1", file()), "row 'p.y' of Q ");
    check_refusal(run_limber("matrices %s --set g=-1 --json", file()), "row 'p.y' of Q ");
    check_refusal(run_limber("modes %s --as-placed --set on=1", file()), "eigenvalues");
    check_refusal(run_limber("modes %s --as-placed --state-space %s --outputs root", file(), mat),
                  "row 'root' of C ");
    check_refusal(run_limber("modes %s --as-placed --state-space - --json --outputs ratio", file()),
                  "row 'ratio' of C ");
    assert_null(fopen(mat, "rb"));
    check_run(run_limber("matrices %s", file()), 0, "mass matrix");
}

/* A run-up through speeds at which a bearing pushes the shaft away ever faster. */
static void a_rotor_is_finite(void **unused)
{
    (void)unused;
    const char *path = scratch_text(
        "rotor.yaml",
        "limber: 1\ndimension: 3\nrotor:\n  speed: 20\n  speeds: [0, 40, 11]\n  modes: 2\n  "
        "shaft:\n"
        "    - {length: 1, diameter: 0.02, elements: 2, material: steel}\n"
        "  discs: {disc: {at: 0.5, mass: 10, polar: 0.05, diametral: 0.03, eccentricity: 2e-5}}\n"
        "  bearings:\n    left: {at: 0, stiffness: '1e7/(speed - 50)', damping: 10}\n"
        "    right: {at: 1, type: pinned}\n"
        "  run_up: {duration: 5, to: 100}\n");
    check_refusal(run_limber("rotor %s", path), "run-up along y");
    check_refusal(run_limber("rotor %s --json", path), "run-up along y");
}

/* --- stored results --------------------------------------------------------------------------- */

/* A result whose sensors are not finite at some instants. */
static const char *result(void)
{
    const char *path = scratch_path("model.h5");
    check_messages(run_limber("run %s -o %s", file(), path), 0, "warning: sensor", 2,
                   "sensor 'root' is not a finite number", false);
    return path;
}

static void check_warning(lmb_run_result run, bool prints)
{
    check_messages(run, 0, "warning:", 1, "channel 'root' of analysis 'go' is not a finite number",
                   prints);
}

static void stored_numbers_are_warned_of_once(void **unused)
{
    (void)unused;
    const char *h5 = result(), *csv = scratch_path("out.csv");
    check_warning(run_limber("get %s root", h5), true);
    check_warning(run_limber("get %s root --json", h5), true);
    check_warning(run_limber("compare %s %s", h5, h5), true);
    check_warning(run_limber("export %s --csv %s", h5, csv), false);
    check_warning(run_limber("export %s --mat %s", h5, scratch_path("out.mat")), false);
    check_warning(run_limber("plot %s root ratio -o %s", h5, scratch_path("out.svg")), false);
    check_warning(run_limber("report %s -o %s", h5, scratch_path("out.html")), false);
    check_run(run_limber("get %s root --final", h5), 0, "nan\n");
    check_run(run_limber("get %s root --final --json", h5), 0, "[null]");
    char command[200];
    snprintf(command, sizeof command, "grep -c ,nan, %s; ! grep -e -nan %s", csv, csv);
    check_run(run_shell(command), 0, "1");
}

/* The time of an event that has not occurred is no number, as its meaning says. */
static void explained_numbers_are_not_warned_of(void **unused)
{
    (void)unused;
    const char *h5 = result();
    check_messages(run_limber("get %s never.time --final", h5), 0, "warning:", 0, "", true);
    check_messages(run_limber("get %s p.position --final", h5), 0, "warning:", 0, "", true);
    check_run(run_limber("list %s", h5), 0, "Time of the event; NaN before.");
}

/* --- participation ---------------------------------------------------------------------------- */

static void participation_is_finite(void **unused)
{
    (void)unused;
    const char *path = scratch_text(
        "beam.yaml",
        "limber: 1\ndimension: 2\nbodies:\n  arm:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 4, section: {rectangle: {width: 0.01, "
        "height: 0.01}}, material: steel}\n"
        "    interfaces: {A: start, B: end}\n    reduction: {modes: 2}\n"
        "joints: {clamp: {type: fixed, between: [ground, arm.A]}}\n"
        "analyses: {rest: {type: statics}}\n");
    const char *h5 = scratch_path("beam.h5");
    check_run(run_limber("run %s -o %s", path, h5), 0, "");
    check_run(run_limber("participation %s", h5), 0, "frequency");
    hid_t opened = H5Fopen(h5, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(opened, "rest/bodies/arm/participation/energy", H5P_DEFAULT);
    double values[64];
    assert_true(H5Sget_simple_extent_npoints(H5Dget_space(set)) <= 64);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    values[0] = -NAN;
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Fclose(opened);
    check_messages(run_limber("participation %s", h5), 4, "error:", 1,
                   "the energy of 'arm' is not a finite number", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_response_is_finite),
        cmocka_unit_test(a_gradient_is_finite),
        cmocka_unit_test(matrices_are_finite),
        cmocka_unit_test(a_rotor_is_finite),
        cmocka_unit_test(stored_numbers_are_warned_of_once),
        cmocka_unit_test(explained_numbers_are_not_warned_of),
        cmocka_unit_test(participation_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
