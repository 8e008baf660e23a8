/* The verbs that linearise, through the program: what they are about, and as whom they look. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "support.h"

static const char *write_model(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

/* A bead on a wire that turns: held by a spring, and in gravity that a motor law plays. */
static const char bead[] =
    "limber: 1\ndimension: 2\nparameters: {w: 9, g: 0, up: 0}\nbodies:\n"
    "  wire: {mass: 1, inertia: 1}\n  bead: {type: particle, mass: 1}\n"
    "joints:\n  turn: {type: revolute, between: [ground, wire]}\n"
    "  slide: {type: slot, between: [wire, bead], axis: [1, 0]}\n"
    "drivers: {motor: {joint: turn, angle: w*t + up*t^2}}\n"
    "forces:\n  spring: {type: motor, joint: slide, effort: -(100 + g*sin(turn.angle))*offset}\n"
    "analyses:\n  turning: {type: dynamics, duration: 1}\n"
    "  later: {type: dynamics, from: turning, start: 0.5, duration: 1}\n"
    "  loose: {type: dynamics, duration: 1, without: [spring]}\n"
    "  rest: {type: statics}\n";

static void a_bead_is_seen_to_turn_steadily(void **unused)
{
    (void)unused;
    const char *model = write_model("bead.yaml", bead);
    lmb_run_result run = run_limber("modes %s --as-placed --json", model);
    assert_int_equal(run.code, 0);
    assert_close(number_behind(run.out, "\"frequency\": "), sqrt(19) / (2 * 3.14159265358979324),
                 1e-12);
    assert_non_null(strstr(run.out, "\"about\": \"steady motion\""));
    assert_non_null(strstr(run.err, "About a steady motion"));
    free_run(&run);
    run = run_limber("response %s --as-placed --input spring --output slide.offset --from 0 --to 0 "
                     "--points 1 --linear --json",
                     model);
    assert_close(number_behind(run.out, "\"amplitude\": ["), 1.0 / 19, 1e-12);
    free_run(&run);

    /* without turning: at rest, and nothing needs to be said */
    run = run_limber("modes %s --as-placed --set w=0", model);
    assert_string_equal(run.err, "");
    free_run(&run);
    check_run(run_limber("modes %s --json", model), 0, "\"about\": \"equilibrium\"");
}

static void changing_matrices_are_called_frozen(void **unused)
{
    (void)unused;
    const char *model = write_model("bead.yaml", bead);
    check_run(run_limber("modes %s --as-placed --set g=3", model), 0,
              "periodic motion (0.698132 s): the matrix changes along it and is frozen at t = 0");
    check_run(run_limber("modes %s --as-placed --set up=2", model), 0,
              "the matrix changes along the motion and is frozen at t = 0");
    check_run(run_limber("modes %s --as-placed --set up=2 --json", model), 0,
              "\"about\": \"moving state, frozen\"");
    check_run(run_limber("response %s --as-placed --set up=2 --input spring --output slide.offset "
                         "--points 2",
                         model),
              0, "frozen at t = 0");
}

/* The speed of the wire where the analyses begin: w, and after half a second w + up. */
static void an_analysis_says_what_acts(void **unused)
{
    (void)unused;
    const char *model = write_model("bead.yaml", bead);
    static const struct {
        const char *name;
        double square; /* of the eigenvalue */
    } expected[] = {{"turning", 81 - 100}, {"later", 121 - 100}, {"loose", 81}, {"rest", -100}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lmb_run_result run =
            run_limber("modes %s --set up=2 --analysis %s --json", model, expected[i].name);
        double re, im;
        const char *at = strstr(run.out, "\"eigenvalue\": [");
        assert_int_equal(run.code, 0);
        assert_non_null(at);
        assert_int_equal(sscanf(at, "\"eigenvalue\": [%lf, %lf", &re, &im), 2);
        assert_close(re * re - im * im, expected[i].square, 1e-9);
        free_run(&run);
    }
    check_run(run_limber("modes %s --analysis lose", model), 3, "did you mean 'loose'?");
    check_run(run_limber("response %s --analysis lose --input spring --output slide.offset", model),
              3, "did you mean 'loose'?");
    check_run(run_limber("modes %s --observer wir", model), 2, "did you mean 'wire'?");
    check_run(run_limber("modes %s --observer bead", model), 2, "has no axes to observe from");
}

/* A disc on two different springs that turn with a table: periodic seen from the ground, constant
 * seen from the table, where (s^2 - w^2 + kx/m)(s^2 - w^2 + ky/m) + 4 w^2 s^2 = 0. With two equal
 * springs both see a constant matrix. */
static const char rotor[] =
    "limber: 1\ndimension: 2\nparameters: {w: 3, kx: 100, ky: 180}\nbodies:\n"
    "  table: {mass: 1, inertia: 1}\n  disc: {mass: 1, inertia: 1, angular_velocity: w}\n"
    "joints:\n  turn: {type: revolute, between: [ground, table]}\n"
    "drivers: {motor: {joint: turn, angle: w*t}}\n"
    "forces:\n  springs: {type: bushing, between: [table, disc], stiffness: [kx, ky, 50]}\n";

static void the_observer_decides(void **unused)
{
    (void)unused;
    const char *model = write_model("rotor.yaml", rotor);
    const double w = 3, a = 100 - w * w, b = 180 - w * w;
    double p = a + b + 4 * w * w, q = a * b; /* S^2 + p S + q = 0 for S = s^2 */
    lmb_run_result run = run_limber("modes %s --as-placed --observer table --json", model);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "\"about\": \"steady motion\""));
    for (int side = -1; side <= 1; side += 2) {
        double expected = sqrt((p + side * sqrt(p * p - 4 * q)) / 2) / (2 * 3.14159265358979324);
        bool found = false;
        for (const char *at = run.out; (at = strstr(at, "\"frequency\": ")); at++)
            found = found || fabs(number_behind(at, "\"frequency\": ") - expected) < 1e-12;
        assert_true(found);
    }
    free_run(&run);
    check_run(run_limber("modes %s --as-placed", model), 0, "frozen at t = 0");
    check_run(run_limber("modes %s --as-placed --set ky=100 --observer ground", model), 0,
              "About a steady motion");
}

static void an_observer_without_effect(void **unused)
{
    (void)unused;
    const char *path = write_model(
        "turning.yaml",
        "limber: 1\ndimension: 2\nbodies:\n  blade:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 2, deformation: large, section: "
        "{rectangle: {width: 0.02, height: 0.01}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n"
        "    interfaces: {root: start}\n"
        "joints: {hub: {type: revolute, between: [ground, blade.root]}}\n"
        "drivers: {turn: {joint: hub, angle: 20*t}}\n"
        "analyses: {go: {type: dynamics, duration: 0.1, begin: quasi-static}}\n");
    const char *const with[] = {"--analysis go --observer ground", "--analysis go --observer blade",
                                "--analysis go", "--observer ground"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        lmb_run_result run = run_limber("modes %s %s", path, with[i]);
        assert_int_equal(run.code, 0);
        char piece[64];
        snprintf(piece, sizeof piece, "the observer '%s' has no effect", i ? "blade" : "ground");
        if (!strstr(run.err, piece) != (i > 1))
            fail_msg("%s: %s", with[i], run.err);
        free_run(&run);
    }
}

static void eigenvalues_go_over_a_parameter(void **unused)
{
    (void)unused;
    const char *model = write_model("bead.yaml", bead), *plot = scratch_path("bead.svg");
    lmb_run_result run = run_limber("modes %s --as-placed --over w=0:12:5 --json", model);
    assert_int_equal(run.code, 0);
    const char *at = run.out;
    for (int i = 0; i < 5; i++) {
        double value = 3 * i, square = value * value - 100, re, im;
        at = strstr(at, "\"value\": ");
        assert_non_null(at);
        assert_close(number_behind(at, "\"value\": "), value, 1e-14);
        at = strstr(at, "\"eigenvalues\": [");
        assert_non_null(at);
        at = strchr(at + 16, '[');
        assert_int_equal(sscanf(at, "[%lf, %lf", &re, &im), 2);
        assert_close(re * re - im * im, square, 1e-12);
    }
    free_run(&run);
    check_run(run_limber("modes %s --as-placed --over w=0:12:5", model), 0, "real part (1/s)");
    check_run(run_limber("modes %s --as-placed --over w=0:12:5 --plot %s", model, plot), 0, "");
    FILE *f = fopen(plot, "r");
    assert_non_null(f);
    fclose(f);
    static const char *const wrong[][2] = {
        {"--over w", "is not of the form NAME=FROM:TO:COUNT"},
        {"--over w=1", "is not of the form NAME=FROM:TO:COUNT"},
        {"--over w=1:2:0", "is not of the form NAME=FROM:TO:COUNT"},
        {"--over w=1:2:3x", "is not of the form NAME=FROM:TO:COUNT"},
        {"--over w=1:2 --plot bead.doc", "'bead.doc' is not the name of a plot"},
        {"--plot bead.svg", "--plot is for --over"},
        {"--over w=1:2 --state-space x.mat", "do not go together"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_run(run_limber("modes %s %s", model, wrong[i][0]), 2, wrong[i][1]);
    check_run(run_limber("modes %s --over ww=1:2", model), 3, "has no parameter 'ww'");
}

/* --- matrices --------------------------------------------------------------------------------- */

static void matrices_are_those_of_an_analysis(void **unused)
{
    (void)unused;
    const char *model = write_model("bead.yaml", bead);
    lmb_run_result run = run_limber("matrices %s --analysis turning --at 0.25 --json", model);
    assert_int_equal(run.code, 0);
    assert_close(number_behind(run.out, "\"time\": "), 0.25, 1e-15);
    const char *q = strstr(run.out, "\"q\": ");
    double x, y, angle;
    assert_non_null(q);
    assert_int_equal(sscanf(q, "\"q\": [%lf, %lf, %lf", &x, &y, &angle), 3);
    assert_close(angle, 9 * 0.25, 1e-9); /* of the wire: by the driver, to the tolerance of rk45 */
    assert_non_null(strstr(run.out, "\"Phi\": ["));
    free_run(&run);
    check_run(run_limber("matrices %s --analysis later", model), 0, "q: positions");
    check_run(run_limber("matrices %s --analysis rest --at 1", model), 2, "not over time");
    check_run(run_limber("matrices %s --analysis turning --at -1", model), 2, "begins at t = 0");
    check_run(run_limber("matrices %s --analysis lose", model), 3, "did you mean 'loose'?");

    /* the course: analyses that do without each other's drives, one from another one with a record
     */
    static const char *const course[] = {"positions", "velocities", "forces",
                                         "motion",    "vibrations", "turns"};
    for (size_t i = 0; i < sizeof course / sizeof *course; i++)
        check_run(run_limber("matrices examples/slider-crank-flexible/slider-crank-flexible.yaml "
                             "--analysis %s --digits 5",
                             course[i]),
                  0, "lambda: multipliers");
    check_run(run_limber("modes examples/slider-crank-flexible/slider-crank-flexible.yaml "
                         "--analysis vibrations"),
              0, "152.334");
}

static void matrices_have_as_many_digits(void **unused)
{
    (void)unused;
    const char *top = "examples/heavy-top/heavy-top.yaml";
    lmb_run_result run = run_limber("matrices %s --digits 4", top);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "top.quaternion.w          0.9659\n"));
    assert_non_null(strstr(run.out, "top.z                      0.866\n"));
    assert_non_null(strstr(run.out, "Phi: values of the constraints"));
    free_run(&run);
    static const char *const wrong[] = {"0", "18", "2.5", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_run(run_limber("matrices %s --digits %s", top, wrong[i]), 2, "--digits needs");
    /* as the help says */
    check_run(run_limber("matrices examples/slider-crank-dynamics/slider-crank-dynamics.yaml "
                         "--embedded --independent crank.angle"),
              0, "Mr: reduced mass matrix");
}

/* The lowest modes by number, of a small model and of a large one. */
static void as_many_modes_as_asked_for(void **unused)
{
    (void)unused;
    const double frequency = sqrt(1000) / (2 * 3.14159265358979324);
    for (int count = 5; count <= 500; count += 495) {
        char text[512];
        snprintf(
            text, sizeof text,
            "limber: 1\ndimension: 2\nbodies: {\"p{i}\": {repeat: {i: [1, %d]}, type: particle, "
            "mass: 1, position: [i, 0]}}\n"
            "joints: {\"r{i}\": {repeat: {i: [1, %d]}, type: slot, between: [ground, "
            "\"p{i}\"], axis: [1, 0]}}\n"
            "forces: {\"s{i}\": {repeat: {i: [1, %d]}, type: spring, between: [[\"i - 10\", "
            "0], \"p{i}\"], stiffness: \"1000*i^2\"}}\n",
            count, count, count);
        const char *model = write_model("row.yaml", text);
        lmb_run_result run = run_limber("modes %s --modes 3 --json", model);
        assert_int_equal(run.code, 0);
        const char *at = run.out;
        for (int i = 1; i <= 3; i++) {
            at = strstr(at, "\"frequency\": ");
            assert_non_null(at);
            assert_close(number_behind(at++, "\"frequency\": ") / (i * frequency), 1, 1e-11);
        }
        assert_null(strstr(at, "\"frequency\": "));
        free_run(&run);
        check_run(run_limber("modes %s --modes 0", model), 2, "--modes needs at least 1");
    }
}

/* A column that is pushed exactly along itself buckles, and the run says where. */
static void a_run_reports_where_a_column_buckles(void **unused)
{
    (void)unused;
    const char *result = scratch_path("column.h5");
    lmb_run_result run =
        run_limber("run examples/column/column.yaml --set across=0 --quiet -o %s", result);
    assert_int_equal(run.code, 0);
    /* P / EA is 2.5e-5, by which it is shorter, and weaker in shear */
    assert_close(number_behind(run.err, "bifurcation at load factor "), 1, 1e-4);
    assert_non_null(strstr(run.err, "becomes unstable"));
    free_run(&run);
    check_run(run_limber("list %s", result), 0, "path.critical");
    check_run(run_limber("get %s path.load --final", result), 0, "3");
}

/* N masses in a row, held at one end, pushed at the other: at 0 Hz N springs of 1000 N/m give way.
 * Models of more than 2000 coordinates have no full matrices; the message says what does without.
 */
static void a_large_model_responds_without_matrices(void **unused)
{
    (void)unused;
    const char *model =
        write_model("row.yaml", "limber: 1\ndimension: 2\nparameters: {N: 1100}\nbodies:\n"
                                "  p{i}: {repeat: {i: [1, N]}, type: particle, mass: 2, position: "
                                "[i, 0]}\njoints:\n  r{i}: {repeat: {i: [1, N]}, type: slot, "
                                "between: [ground, \"p{i}\"], axis: [1, 0]}\nforces:\n"
                                "  s1: {type: spring, between: [ground, p1], stiffness: 1000}\n"
                                "  s{i}: {repeat: {i: [2, N]}, type: spring, between: "
                                "[\"p{i-1}\", \"p{i}\"], stiffness: 1000, damping: i - 1}\n"
                                "  push: {type: force, at: p1100, force: [0, 0]}\n");
    lmb_run_result run = run_limber("response %s --input push.x --output p1100.position.x --from 0 "
                                    "--to 0 --points 1 --linear --json",
                                    model);
    assert_int_equal(run.code, 0);
    /* a difference of a position of 1100 m, which is known to 2e-13 m, over steps of 2e-5 m */
    assert_close(number_behind(run.out, "\"amplitude\": ["), 1.1, 1e-7);
    free_run(&run);
    check_run(run_limber("response %s --input push.x --output p1100.position.x --points 2", model),
              0, "amplitude");
    check_run(run_limber("modes %s --modes 3", model), 0, "damping");
    check_run(run_limber("modes %s --state-space x.mat", model), 4,
              "the full matrices of its small motions are found up to 2000");
}

/* A cantilever of unit EI, mass and length under a dead load P vibrates where
 * (a^2 cosh a + b^2 cos b)(b^2 cosh a + a^2 cos b) = a b (a sinh a + b sin b)(b sinh a - a sin b),
 * a^2, b^2 = -+ P / 2 + sqrt(P^2 / 4 + w^2): moment and lateral force at its tip are zero. */
static double loaded_cantilever(double w, double P)
{
    double root = sqrt(P * P / 4 + w * w), a = sqrt(root - P / 2), b = sqrt(root + P / 2);
    return (a * a * cosh(a) + b * b * cos(b)) * (b * b * cosh(a) + a * a * cos(b)) -
           a * b * (a * sinh(a) + b * sin(b)) * (b * sinh(a) - a * sin(b));
}

/* Of the example w is 10 times as large, as EI is 100. Its rotary inertia of J = 1e-4 lowers w^2 by
 * J times the mean of w'^2 over that of w^2, about 4.6; strains of P / 1e7 are less. */
static void a_path_is_linearised_about_at_a_load(void **unused)
{
    (void)unused;
    static const char column[] = "examples/column/column.yaml --analysis bend --set across=0";
    const double pi = 3.14159265358979324, P = pi * pi / 8;
    double low = 1, high = 3.5;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        bool below = loaded_cantilever(middle, P) * loaded_cantilever(low, P) > 0;
        *(below ? &low : &high) = middle;
    }
    lmb_run_result run = run_limber("modes %s --at 0.5 --modes 1 --json", column);
    assert_int_equal(run.code, 0);
    assert_close(number_behind(run.out, "\"frequency\": ") / (10 * low / (2 * pi)), 1, 3e-4);
    assert_close(number_behind(run.out, "\"load\": "), 0.5, 0);
    assert_non_null(strstr(run.err, "About the equilibrium at load factor 0.5."));
    free_run(&run);

    /* beyond Euler's load it falls over: an eigenvalue is positive; the path ends at 3 */
    run = run_limber("modes %s --at 1.2 --modes 1 --json", column);
    assert_close(number_behind(run.out, "\"frequency\": "), 0, 0);
    assert_true(fabs(number_behind(run.out, "\"eigenvalue\": [")) > 1);
    assert_non_null(strstr(run.err, "About the equilibrium at load factor 1.2."));
    free_run(&run);
    check_run(run_limber("modes %s --modes 1", column), 0, "equilibrium at load factor 3.");
    check_run(run_limber("modes %s --at 3.5", column), 2, "goes from load factor 0 to 3");
    check_run(run_limber("modes examples/column/column.yaml --at 1"), 2, "--at is for --analysis");

    /* a time of an analysis over time, as of `limber matrices` */
    const char *model = write_model("bead.yaml", bead);
    run = run_limber("modes %s --analysis turning --at 0.25 --json", model);
    assert_close(number_behind(run.out, "\"time\": "), 0.25, 0);
    assert_close(number_behind(run.out, "\"frequency\": "), sqrt(19) / (2 * pi), 1e-7);
    free_run(&run);
    check_run(run_limber("modes %s --analysis rest --at 1", model), 2, "it has no t = 1");
}

/* A cantilever of unit length, mass and EI that turns with w about its end: in the plane its lowest
 * frequency is the root of 5.5850^2 - w^2 for w = 4 (Wright and others, 1982), of 3.5160^2 for w =
 * 0. As it is placed it is not stretched, so that it would vibrate; it stretches by 1e-4. */
static void a_blade_settles_on_its_hub(void **unused)
{
    (void)unused;
    const char *model = write_model(
        "blade.yaml",
        "limber: 1\ndimension: 2\nparameters: {w: 4, free: 0}\nbodies:\n"
        "  hub: {mass: 1, inertia: 1, angular_velocity: w}\n"
        "  blade: {beam: {from: [0, 0], to: [1, 0], deformation: large, elements: 6,"
        " stiffness: [[1e5, 0, 0], [0, 1e5, 0], [0, 0, 1]],"
        " mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1e-6]]}, angular_velocity: w, velocity: [0, w/2],"
        " interfaces: {root: start}}\n"
        "joints:\n  turn: {type: revolute, between: [ground, hub]}\n"
        "  clamp: {type: fixed, between: [hub, blade.root]}\n"
        "drivers: {motor: {joint: turn, angle: w*t}}\n"
        "analyses:\n  spin: {type: dynamics, duration: 1}\n"
        "  loose: {type: dynamics, duration: 1, without: [motor]}\n");
    lmb_run_result run = run_limber("modes %s --as-placed --steady --modes 1 --json", model);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "\"about\": \"steady motion\""));
    double w = 2 * 3.14159265358979324 * number_behind(run.out, "\"frequency\": ");
    assert_close(w / sqrt(5.5850 * 5.5850 - 16), 1, 1e-3);
    free_run(&run);
    run = run_limber("modes %s --as-placed --steady --modes 1 --over w=0:4:2 --json", model);
    assert_close(fabs(number_behind(strstr(run.out, "\"eigenvalues\""), ", ")), 3.5160, 1e-3);
    free_run(&run);
    check_run(run_limber("modes %s --as-placed", model), 0, "the matrix changes along the motion");
    check_run(run_limber("modes %s --analysis loose --steady", model), 4, "no steady motion");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_modes_as_asked_for),
        cmocka_unit_test(a_run_reports_where_a_column_buckles),
        cmocka_unit_test(a_bead_is_seen_to_turn_steadily),
        cmocka_unit_test(changing_matrices_are_called_frozen),
        cmocka_unit_test(an_analysis_says_what_acts),
        cmocka_unit_test(the_observer_decides),
        cmocka_unit_test(an_observer_without_effect),
        cmocka_unit_test(eigenvalues_go_over_a_parameter),
        cmocka_unit_test(matrices_are_those_of_an_analysis),
        cmocka_unit_test(matrices_have_as_many_digits),
        cmocka_unit_test(a_large_model_responds_without_matrices),
        cmocka_unit_test(a_path_is_linearised_about_at_a_load),
        cmocka_unit_test(a_blade_settles_on_its_hub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
