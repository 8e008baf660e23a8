/* The verbs that read models, through the program: run, check, matrices, new, schema. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "support.h"

static const char slider_crank[] = "examples/slider-crank/slider-crank.yaml";

static void assert_contains(const char *text, const char *piece)
{
    if (!strstr(text, piece))
        fail_msg("no '%s' in:\n%s", piece, text);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void run_writes_where_it_is_told(void **unused)
{
    (void)unused;
    const char *path = scratch_path("named.h5");
    lmb_run_result run = run_limber("run %s -o %s", slider_crank, path);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    assert_contains(run.err, "Results are in");
    free_run(&run);
    run = run_limber("get %s turn/slider.position.x --first", path);
    assert_int_equal(run.code, 0);
    assert_close(atof(run.out), 0.55, 1e-12);
    free_run(&run);

    /* by default: the model's name in the current folder */
    char command[512];
    snprintf(command, sizeof command,
             "here=$PWD; cd '%s' && %%LIMBER%% run \"$here/%s\" --quiet && ls", scratch_path(""),
             slider_crank);
    run = run_shell(command);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "slider-crank.h5");
    assert_string_equal(run.err, "");
    free_run(&run);
}

static void run_shows_newton_iterations(void **unused)
{
    (void)unused;
    lmb_run_result run =
        run_limber("run %s -o %s --verbose", slider_crank, scratch_path("verbose.h5"));
    assert_int_equal(run.code, 0);
    assert_contains(run.err, "iteration 1");
    assert_contains(run.err, "residual");
    assert_contains(run.err, "t = 0.5");
    free_run(&run);
}

static void run_picks_analyses(void **unused)
{
    (void)unused;
    const char *model = scratch_path("three.yaml"), *path = scratch_path("three.h5");
    write_file(model, "limber: 1\ndimension: 2\n"
                      "bodies: {wheel: {mass: 1, inertia: 1}}\n"
                      "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                      "drivers: {motor: {joint: axle, angle: t^2}}\n"
                      "analyses:\n"
                      "  place: {type: assembly, start: 2}\n"
                      "  move: {type: kinematics, duration: 1, output_step: 0.3}\n"
                      "  force: {type: inverse-dynamics, duration: 1}\n");
    lmb_run_result run = run_limber("run %s -o %s --quiet", model, path);
    assert_string_equal(run.err, "");
    free_run(&run);
    run = run_limber("get %s place/wheel.angle", path);
    double t, angle; /* in the turn of the law, although the wheel was placed at 0 */
    assert_int_equal(sscanf(run.out, "%lf %lf", &t, &angle), 2);
    assert_close(t, 2, 0);
    assert_close(angle, 4, 1e-13);
    free_run(&run);
    run = run_limber("get %s move/wheel.angular_velocity", path); /* the end is not a multiple */
    assert_contains(run.out, "0.89999999999999991 1.8");
    assert_contains(run.out, "\n1 2\n");
    free_run(&run);
    run = run_limber("get %s motor.effort --final", path); /* the last analysis */
    assert_close(atof(run.out), 2, 1e-13);
    free_run(&run);

    run = run_limber("run %s -o %s --analysis move --quiet", model, path);
    assert_int_equal(run.code, 0);
    free_run(&run);
    run = run_limber("list %s", path);
    assert_null(strstr(run.out, "effort"));
    free_run(&run);
    run = run_limber("run %s -o %s --analysis mov", model, path);
    assert_int_equal(run.code, 3);
    assert_contains(run.err, "did you mean 'move'?");
    free_run(&run);
}

static void run_stops_on_ctrl_c_and_keeps_what_it_has(void **unused)
{
    (void)unused;
    const char *path = scratch_path("stopped.h5");
    char command[1024];
    snprintf(command, sizeof command,
             "rm -f %s; sed 's/duration: 35/duration: 350000/' "
             "examples/afterburner/afterburner.yaml > %s; "
             "%%LIMBER%% run %s -o %s & pid=$!; "
             "for i in $(seq 600); do [ -s %s ] && break; sleep 0.1; done; "
             "sleep 1; kill -INT $pid; wait $pid",
             path, scratch_path("long.yaml"), scratch_path("long.yaml"), path, path);
    lmb_run_result run = run_shell(command);
    assert_int_equal(run.code, 4);
    assert_contains(run.err, "interrupted at t = ");
    assert_contains(run.err, "are kept");
    free_run(&run);
    run = run_limber("get %s swing.angle --final", path);
    assert_int_equal(run.code, 0);
    free_run(&run);
}

static void run_reports_a_file_it_cannot_write(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("run %s -o /nowhere/at/all.h5", slider_crank);
    assert_int_equal(run.code, 5);
    assert_contains(run.err, "/nowhere/at/all.h5");
    free_run(&run);
    char command[512];
    snprintf(command, sizeof command, "ulimit -f 64; %%LIMBER%% run %s -o %s --quiet",
             "examples/afterburner/afterburner.yaml", scratch_path("full.h5"));
    run = run_shell(command);
    assert_int_equal(run.code, 5);
    assert_contains(run.err, "full.h5");
    free_run(&run);
}

static void set_changes_parameters(void **unused)
{
    (void)unused;
    const char *path = scratch_path("set.h5");
    lmb_run_result run = run_limber(
        "run %s -o %s --quiet --set r=0.1 --set omega=2*pi --set omega=4*pi", slider_crank, path);
    assert_int_equal(run.code, 0);
    free_run(&run);
    run = run_limber("get %s slider.position.x --first", path);
    assert_close(atof(run.out), 0.5, 1e-12);
    free_run(&run);
    run = run_limber("get %s motor.velocity --final", path); /* the last one counts */
    assert_close(atof(run.out), 4 * 3.14159265358979, 1e-12);
    free_run(&run);
    run = run_limber("run %s --set omgea=3", slider_crank);
    assert_int_equal(run.code, 3);
    assert_contains(run.err, "did you mean 'omega'?");
    free_run(&run);
    run = run_limber("run %s --set omega", slider_crank);
    assert_int_equal(run.code, 2);
    free_run(&run);
}

static void check_counts(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("check examples/four-bar/four-bar.yaml");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "coordinates             9");
    assert_contains(run.out, "degrees of freedom      1");
    assert_contains(run.out, "redundant constraints   0");
    free_run(&run);

    const char *model = scratch_path("twice.yaml");
    write_file(
        model,
        "limber: 1\ndimension: 3\n"
        "bodies: {door: {mass: 1, inertia: [1, 1, 1], points: {top: [0, 0, 1], low: [0, 0, -1]}}}\n"
        "joints:\n"
        "  upper: {type: revolute, between: [[0, 0, 1], door.top], axis: [0, 0, 1]}\n"
        "  lower: {type: revolute, between: [[0, 0, -1], door.low], axis: [0, 0, 1]}\n");
    run = run_limber("check %s --json", model);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "\"degrees_of_freedom\": 1");
    assert_contains(run.out, "\"redundant\": 5");
    assert_contains(run.out, "\"lower.axis 1\"");
    assert_contains(run.err, "warning: 5 redundant constraints");
    assert_contains(run.err, "'upper', 'lower'");
    free_run(&run);
}

/* A rod holds the slide that a driver moves: positions fit where it starts, velocities do not. */
static void check_velocities(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\nbodies: {slide: {mass: 1, inertia: 1}}\n"
        "joints:\n"
        "  guide: {type: translational, between: [ground, slide], axis: [1, 0]}\n"
        "  rod: {type: distance, between: [[2, 0], slide]}\n"
        "drivers: {push: {joint: guide, offset: v*t}}\nparameters: {v: 0.1}\n"
        "analyses: {turn: {type: %s}}\n";
    const char *model = scratch_path("held.yaml");
    for (int i = 0; i < 3; i++) {
        char all[1000];
        snprintf(all, sizeof all, text,
                 i < 2 ? "kinematics, duration: 1, output_step: 0.1" : "statics");
        write_file(model, all);
        lmb_run_result run = run_limber("check %s --set v=%s", model, i == 0 ? "0.1" : "0");
        if (i > 0) /* a driver at rest, or an analysis at rest */
            assert_contains(run.err, "the motion is not affected");
        else
            assert_contains(run.err, "inconsistent at t = 0: equation push.offset");
        if (i == 0)
            assert_contains(run.err, "'rod', 'push' prescribe the same motion");
        assert_int_equal(run.code, i == 0 ? 4 : 0);
        free_run(&run);
        run = run_limber("run %s --set v=0.1 -o %s", model, scratch_path("held.h5"));
        assert_int_equal(run.code, i < 2 ? 4 : 0);
        free_run(&run);
    }
}

/* A rod that is on a hinge or on two pegs, never both: the joints of all would contradict one
 * another. The first analysis counts unless another is named, or one has all joints. */
static void check_counts_as_in_an_analysis(void **unused)
{
    (void)unused;
    const char *model = scratch_path("either.yaml");
    write_file(model, "limber: 1\ndimension: 2\n"
                      "bodies: {rod: {mass: 1, inertia: 1, points: {a: [-1, 0], b: [1, 0]}}}\n"
                      "joints:\n"
                      "  hinge: {type: revolute, between: [ground, rod.a]}\n"
                      "  peg_a: {type: slot, between: [[0, 5], rod.a], axis: [1, 0]}\n"
                      "  peg_b: {type: slot, between: [[0, 5], rod.b], axis: [1, 0]}\n"
                      "analyses:\n"
                      "  swing: {type: dynamics, duration: 1, without: [peg_a, peg_b]}\n"
                      "  slide: {type: dynamics, duration: 1, without: [hinge]}\n");
    lmb_run_result run = run_limber("check %s", model);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "as in the analysis      swing");
    assert_contains(run.out, "with 2 constraints");
    free_run(&run);
    run = run_limber("check %s --analysis slide --json", model);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "\"analysis\": \"slide\"");
    assert_contains(run.out, "\"joint_constraints\": 2");
    free_run(&run);
    run = run_limber("check %s --analysis slid", model);
    assert_int_equal(run.code, 3);
    assert_contains(run.err, "has no analysis 'slid'");
    assert_contains(run.err, "did you mean 'slide'?");
    free_run(&run);
}

/* A pendulum's matrices are known: M = diag(m, m, I), Phi_q = [1 0 s/2; 0 1 -c/2] for length 1. */
static void matrices_are_those_of_the_textbook(void **unused)
{
    (void)unused;
    const char *model = scratch_path("pendulum.yaml"), *state = scratch_path("state.yaml");
    write_file(model, "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
                      "bodies: {rod: {mass: 3, shape: {bar: {length: 1}}, position: [0.5, 0],"
                      " points: {o: [-0.5, 0]}}}\n"
                      "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n");
    write_file(state, "rod: {position: [0.3, 0.4], angle: \"atan2(4, 3)\", velocity: [-0.8, 0.6], "
                      "angular_velocity: 2}\n");
    lmb_run_result run = run_limber("matrices %s --state %s --json", model, state);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "[3, 0, 0]");
    assert_contains(run.out, "[0, 0, 0.25]");
    assert_contains(run.out, "\"pin.x\"");
    assert_contains(run.out, "\"rod.angle\"");
    free_run(&run);
    run = run_limber("matrices %s --state %s", model, state);
    assert_int_equal(run.code, 0);
    /* Phi_q of angle (0.4, -0.3); gamma = omega^2 (-s) with s = (-0.3, -0.4): 4 (-0.3, -0.4) */
    double value;
    const char *gamma = strstr(run.out, "gamma:");
    assert_non_null(gamma);
    assert_int_equal(sscanf(strstr(gamma, "pin.x"), "pin.x %lf", &value), 1);
    assert_close(value, -1.2, 1e-14);
    assert_int_equal(sscanf(strstr(gamma, "pin.y"), "pin.y %lf", &value), 1);
    assert_close(value, -1.6, 1e-14);
    /* angular acceleration of a pendulum: -3 g cos(angle) / (2 l) = -9 */
    const char *a = strstr(run.out, "\na:");
    assert_int_equal(sscanf(strstr(a, "rod.angle"), "rod.angle %lf", &value), 1);
    assert_close(value, -9, 1e-13);
    free_run(&run);

    run = run_limber("matrices %s --at 0.1", slider_crank);
    assert_int_equal(run.code, 0);
    const char *lambda = strstr(run.out, "lambda:");
    assert_int_equal(sscanf(strstr(lambda, "motor.angle"), "motor.angle %lf", &value), 1);
    assert_close(-value, 3.72020888591362, 1e-11);
    free_run(&run);
}

static void handles_are_printed(void **unused)
{
    (void)unused;
    const char *model = "examples/slider-crank-dynamics/slider-crank-dynamics.yaml";
    /* crank and rod of 2.5 kg are pulled along their common line */
    check_run(run_limber("matrices %s --handles crank..rod --digits 5", model), 0,
              "zeta_12: accelerations of a handle by forces on one\n                          "
              "wrist.x      wrist.y  wrist.angle\nmain.x                        0.4 ");
    check_run(run_limber("matrices %s --handles crank --json", model), 0, "zeta_23");
    check_run(run_limber("matrices %s --handles crnk", model), 2, "did you mean 'crank'?");
    check_run(run_limber("matrices %s --handles crank..ground", model), 2, "ground");
    check_run(run_limber("matrices %s --handles crank --embedded", model), 2, "choose one");
    check_run(run_limber("run %s --solver tre", model), 2, "there is no solver 'tre'");
    check_run(run_limber("run %s --threads 1.5", model), 2, "--threads needs a whole number");
}

static void matrices_are_embedded(void **unused)
{
    (void)unused;
    const char *model = "examples/slider-crank-dynamics/slider-crank-dynamics.yaml";
    lmb_run_result run = run_limber("matrices %s --embedded", model);
    assert_int_equal(run.code, 0);
    /* stretched, at rest: the rod's centre moves by r/2, the rod turns by -r/l, the slider stays */
    double value, r = 0.15, mass = r * r / 3 + 1.5 * r * r / 4 + 1.5 * r * r / 12;
    assert_int_equal(sscanf(strstr(run.out, "\ncrank.angle"), "\ncrank.angle %lf", &value), 1);
    assert_close(value, mass, 1e-13);
    assert_contains(run.out, "v = B v_i + b");
    free_run(&run);
    run = run_limber("matrices %s --embedded --independent crank.y --json", model);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "\"independent\": [\"crank.y\"]");
    assert_contains(run.out, "\"Mr\"");
    free_run(&run);

    static const struct {
        const char *options, *message;
        int code;
    } wrong[] = {
        {"--embedded --independent crank.anlge", "did you mean 'crank.angle'?", 2},
        {"--embedded --independent crank.angle,crank.angle", "named twice", 2},
        {"--embedded --independent crank.angle,rod.x", "2 coordinates are named", 3},
        {"--embedded --independent slider.x", "'crank.angle' can move", 3},
        {"--independent crank.angle", "--independent is for --embedded", 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run = run_limber("matrices %s %s", model, wrong[i].options);
        assert_contains(run.err, wrong[i].message);
        assert_int_equal(run.code, wrong[i].code);
        free_run(&run);
    }
    run = run_limber("matrices %s --embedded", slider_crank);
    assert_int_equal(run.code, 3);
    assert_contains(run.err, "nothing is free to move");
    free_run(&run);
}

/* A cam from a CSV file beside the model, and a periodic table written in it. */
static void tables_drive_mechanisms(void **unused)
{
    (void)unused;
    const char *model = scratch_path("cam.yaml"), *path = scratch_path("cam.h5");
    FILE *f = fopen(scratch_path("lift.csv"), "w");
    assert_non_null(f);
    fprintf(f, "angle;noise;lift\n");
    for (int i = 0; i <= 20; i++) /* a cubic, which a cubic spline reproduces */
        fprintf(f, "%g;%d;%.17g\n", 0.1 * i, i, 0.01 * pow(0.1 * i, 3) - 0.02 * 0.1 * i);
    assert_int_equal(fclose(f), 0);
    write_file(model,
               "limber: 1\ndimension: 2\n"
               "tables:\n"
               "  lift: {file: lift.csv, columns: [1, 3]}\n"
               "  beat: {points: [[0, 0], [0.5, 1], [1, 0]], type: linear, outside: periodic}\n"
               "bodies: {valve: {mass: 1, inertia: 1}, block: {type: particle, mass: 1}}\n"
               "joints: {guide: {type: translational, between: [ground, valve], axis: [0, 1]}}\n"
               "drivers:\n"
               "  cam: {joint: guide, offset: lift(t)}\n"
               "  x: {point: block, direction: x, offset: beat(t)}\n"
               "  y: {point: block, direction: y, offset: 0}\n"
               "analyses: {open: {type: kinematics, duration: 1.8, output_step: 0.35}}\n");
    lmb_run_result run = run_limber("run %s -o %s --quiet", model, path);
    assert_string_equal(run.err, "");
    assert_int_equal(run.code, 0);
    free_run(&run);
    run = run_limber("get %s valve.position.y --at 1.4", path);
    assert_close(atof(run.out), 0.01 * pow(1.4, 3) - 0.028, 1e-12);
    free_run(&run);
    run = run_limber("get %s valve.acceleration.y --at 1.4", path);
    assert_close(atof(run.out), 0.06 * 1.4, 1e-10);
    free_run(&run);
    run = run_limber("get %s block.position.x --at 1.4", path);
    assert_close(atof(run.out), 0.8, 1e-12);
    free_run(&run);
}

static void modes_are_printed(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("modes examples/particles/particles.yaml");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "frequency (Hz)");
    assert_contains(run.out, "2.19946721875");
    free_run(&run);
    run = run_limber("modes examples/particles/particles.yaml --json --set k=4000");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "\"number\": 1");
    assert_contains(run.out, "\"rigid\": false");
    assert_contains(run.out, "\"frequency\": 4.3989344375");
    free_run(&run);
}

static void state_spaces_are_printed(void **unused)
{
    (void)unused;
    const char *model = "examples/particles/particles.yaml";
    lmb_run_result run = run_limber("modes %s --json --state-space - --inputs s1 --outputs "
                                    "p4.position",
                                    model);
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "\"inputs\": [\"s1\"]");
    assert_contains(run.out, "\"p4.position.x\"");
    assert_contains(run.out, "\"rail4.offset_velocity\"");
    free_run(&run);
    static const struct {
        const char *options, *message;
    } wrong[] = {
        {"--state-space x.json", "is not the name of a MAT-file"},
        {"--state-space -", "is not the name of a MAT-file"},
        {"--inputs s1", "--inputs and --outputs are for --state-space"},
        {"--state-space x.mat --inputs s9", "there is no force 's9'"},
        {"--state-space x.mat --outputs p1.posit", "there is no channel 'p1.posit'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run = run_limber("modes %s %s", model, wrong[i].options);
        assert_contains(run.err, wrong[i].message);
        assert_int_equal(run.code, 2);
        free_run(&run);
    }
    run = run_limber("modes %s --state-space /no/such/x.mat", model);
    assert_int_equal(run.code, 5);
    free_run(&run);
}

/* The end of the chain of four masses, pushed by the first spring: at rest u k^3 / k^4 times 1/5.
 */
static void responses_are_printed(void **unused)
{
    (void)unused;
    const char *model = "examples/particles/particles.yaml", *path = scratch_path("response.csv");
    double f, amplitude, phase;
    lmb_run_result run = run_limber("response %s --input s1 --output p4.position.x --linear --from "
                                    "0 --to 20 --points 3",
                                    model);
    assert_int_equal(run.code, 0);
    char *line = strchr(run.out, '\n');
    assert_int_equal(sscanf(line, "%lf %lf %lf", &f, &amplitude, &phase), 3);
    assert_close(amplitude, 1.0 / 5000, 1e-9);
    assert_close(phase, 0, 1e-9);
    free_run(&run);

    run = run_limber("response %s --input s1 --output p4.position.x --csv %s", model, path);
    assert_string_equal(run.out, "");
    assert_int_equal(run.code, 0);
    free_run(&run);
    FILE *csv = fopen(path, "r");
    char text[200];
    int lines = 0;
    while (fgets(text, sizeof text, csv))
        if (lines++ == 1)
            assert_int_equal(sscanf(text, "%lf,%lf", &f, &amplitude), 2);
    fclose(csv);
    assert_int_equal(lines, 201);
    assert_close(f, sqrt(500) / 3.14159265358979324 * sin(0.314159265358979324) / 10, 1e-9);

    run = run_limber("response %s --input s1 --output p4.position.x --json --points 2", model);
    assert_contains(run.out, "\"output\": \"p4.position.x\"");
    assert_contains(run.out, "\"phase\": [");
    free_run(&run);
    static const struct {
        const char *options, *message;
    } wrong[] = {
        {"--input s1", "give an --input and an --output"},
        {"--input s1 --output p4.position", "'p4.position' has 2 numbers"},
        {"--input s1 --output p4.position.x --points 1.5", "--points needs a whole number"},
        {"--input s1 --output p4.position.x --from 5 --to 2", "go from 5 to 2 Hz"},
        {"--input s1 --output p4.position.x --from 0", "cannot begin at 0 Hz"},
        {"--input s1 --output p4.position.x --from -1", "must not be negative"},
        {"--input s1 --output p4.position.x --log --linear", "not both"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run = run_limber("response %s %s", model, wrong[i].options);
        assert_contains(run.err, wrong[i].message);
        assert_int_equal(run.code, 2);
        free_run(&run);
    }
}

/* The modes of a result: a row a mode, with its shape in place of velocities. A rod on a pin with
 * unit modal mass, m l^2/3 phi^2 = 1, swings with omega^2 = 3 g / (2 l). */
static void modes_are_stored(void **unused)
{
    (void)unused;
    const char *model = scratch_path("rod.yaml"), *path = scratch_path("rod.h5");
    write_file(model,
               "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
               "bodies: {rod: {mass: 1, shape: {bar: {length: 1}}, position: [0.5, 0], points: "
               "{o: [-0.5, 0], e: [0.5, 0]}}, wheel: {mass: 1, inertia: 0.25, position: [2, 0]}}\n"
               "joints: {pin: {type: revolute, between: [ground, rod.o]}, axle: {type: revolute, "
               "between: [[2, 0], wheel]}}\n"
               "sensors: {tip: rod.e.velocity.x/rod.angular_velocity}\n"
               "analyses: {small: {type: modes}}\n");
    lmb_run_result run = run_limber("run %s -o %s --quiet", model, path);
    assert_string_equal(run.err, "");
    assert_int_equal(run.code, 0);
    free_run(&run);
    double n[2], value[2];
    const struct {
        const char *channel;
        double first, second;
    } expected[] = {
        {"modes.frequency", 0, sqrt(15) / (2 * 3.14159265358979324)},
        {"modes.damping", 0, 0},
        {"wheel.angular_velocity", 2, 0},
        {"pin.angle_velocity", 0, 1.73205080757},
        {"rod.angle", -1.57079632679, -1.57079632679},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        run = run_limber("get %s %s", path, expected[i].channel);
        assert_int_equal(sscanf(run.out, "%lf %lf %lf %lf", &n[0], &value[0], &n[1], &value[1]), 4);
        assert_close(n[0], 1, 0);
        assert_close(n[1], 2, 0);
        assert_close(fabs(value[0]), fabs(expected[i].first), 1e-9);
        assert_close(fabs(value[1]), fabs(expected[i].second), 1e-9);
        free_run(&run);
    }
    run = run_limber("get %s tip --final", path); /* it hangs: the tip is one length below */
    assert_close(atof(run.out), 1, 1e-9);
    free_run(&run);
}

static void statics_and_dynamics_run(void **unused)
{
    (void)unused;
    const char *path = scratch_path("particles.h5");
    lmb_run_result run = run_limber("run examples/particles/particles.yaml -o %s --quiet", path);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    free_run(&run);
    run = run_limber("get %s rest/p3.position.x --final", path);
    assert_close(atof(run.out), 1.5, 1e-10);
    free_run(&run);
    run = run_limber("get %s swing/energy.total --final", path); /* m v^2 / 2, kept */
    assert_close(atof(run.out), 1, 1e-7);
    free_run(&run);
}

static void new_writes_models_that_run(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("new");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "slider-crank");
    assert_contains(run.out, "afterburner");
    char *names = strdup(run.out), *rest = names;
    free_run(&run);
    for (char *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[64], file[80];
        assert_int_equal(sscanf(line, "%63s", name), 1);
        /* a sentence, not a line that breaks off */
        if (line[strlen(line) - 1] != '.')
            fail_msg("'%s' breaks off", line);
        snprintf(file, sizeof file, "new-%s.yaml", name);
        const char *path = scratch_path(file);
        remove(path);
        run = run_limber("new %s %s", name, path);
        assert_int_equal(run.code, 0);
        free_run(&run);
        run = run_limber("new %s %s", name, path); /* never overwrites */
        assert_int_equal(run.code, 5);
        free_run(&run);
        run = run_limber("check %s", path);
        assert_int_equal(run.code, 0);
        free_run(&run);
    }
    free(names);
    remove(scratch_path("new-jeffcott.yaml"));
    check_run(run_limber("new jeffcott %s", scratch_path("new-jeffcott.yaml")), 0,
              "try `limber rotor ");
    run = run_limber("new slider-cranc");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "did you mean 'slider-crank'?");
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_writes_where_it_is_told),
        cmocka_unit_test(run_shows_newton_iterations),
        cmocka_unit_test(run_picks_analyses),
        cmocka_unit_test(run_stops_on_ctrl_c_and_keeps_what_it_has),
        cmocka_unit_test(run_reports_a_file_it_cannot_write),
        cmocka_unit_test(set_changes_parameters),
        cmocka_unit_test(check_counts),
        cmocka_unit_test(check_velocities),
        cmocka_unit_test(check_counts_as_in_an_analysis),
        cmocka_unit_test(matrices_are_those_of_the_textbook),
        cmocka_unit_test(handles_are_printed),
        cmocka_unit_test(matrices_are_embedded),
        cmocka_unit_test(tables_drive_mechanisms),
        cmocka_unit_test(modes_are_printed),
        cmocka_unit_test(state_spaces_are_printed),
        cmocka_unit_test(responses_are_printed),
        cmocka_unit_test(modes_are_stored),
        cmocka_unit_test(statics_and_dynamics_run),
        cmocka_unit_test(new_writes_models_that_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
