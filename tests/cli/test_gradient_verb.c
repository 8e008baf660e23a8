/* limber gradient through the program: what it prints, and what it says about wrong words. */
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "program.h"
#include "support.h"

/* A chain of particles, thrown; `twice` is made of another parameter. */
static const char model[] =
    "limber: 1\ndimension: 2\ngravity: [0, -g]\n"
    "parameters: {g: 9.81, speed: 5, mass: 2, count: 2, twice: 2*speed, T: 1, wind: [1, 2], "
    "drag: 0, only: 1}\n"
    "bodies:\n  \"ball{i}\": {repeat: {i: [1, count]}, type: particle, mass: mass, velocity: [1, "
    "speed]}\n"
    "forces:\n  \"spring{i}\": {repeat: {i: [1, count]}, type: spring, between: [ground, "
    "\"ball{i}\"], "
    "stiffness: 3, damping: drag, length: 'if(only == 1, 0, -1)'}\n"
    "analyses:\n  throw: {type: dynamics, duration: 0.5, output_step: 0.1, "
    "integrator: generalized-alpha, step: 0.01}\n"
    "  timed: {type: dynamics, duration: T, output_step: 0.1, integrator: generalized-alpha, "
    "step: 0.01}\n"
    "  free: {type: dynamics, duration: 0.5, output_step: 0.1}\n"
    "objectives:\n"
    "  height: {final: ball1.position.y, of: throw}\n"
    "  range: {final: ball1.position.x, of: throw}\n"
    "  late: {final: ball1.position.y, of: timed}\n"
    "  other: {final: ball1.position.y, of: free}\n"
    "  both: height + range\n"
    "  root: {final: sqrt(mass - 2 + 0*ball1.position.x), of: throw}\n";

static const char *file(void)
{
    const char *path = scratch_path("model.yaml");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(model, f);
    fclose(f);
    return path;
}

static void names_that_are_wrong(void **unused)
{
    (void)unused;
    const char *m = file();
    check_run(run_limber("gradient %s --of hight", m), 2, "there is no objective 'hight'");
    check_run(run_limber("gradient %s --of hight", m), 2, "did you mean 'height'?");
    check_run(run_limber("gradient %s --by sped", m), 2, "there is no parameter 'sped'");
    check_run(run_limber("gradient %s --by sped", m), 2, "did you mean 'speed'?");
    check_run(run_limber("gradient %s --by twice", m), 2,
              "parameter 'twice' is made of others: 2*speed");
    check_run(run_limber("gradient %s --by twice", m), 2, "vary 'speed'");
    check_run(run_limber("gradient %s --by wind", m), 2, "parameter 'wind' is a vector");
    check_run(run_limber("gradient %s --method directly", m), 2,
              "'--method directly' is not direct, adjoint or differences");
    check_run(run_limber("gradient %s --integrator generalised-alpha", m), 2,
              "there is no integrator 'generalised-alpha'");
    check_run(run_limber("gradient %s --integrator generalised-alpha", m), 2,
              "did you mean 'generalized-alpha'?");
    check_run(run_limber("gradient %s --step -1", m), 2, "--step");
    check_run(run_limber("gradient %s --integrator rk45 --step 0.1", m), 2,
              "the integrator rk45 chooses its steps itself");
    check_run(run_limber("gradient examples/sliding-rod/sliding-rod.yaml"), 3, "has no objectives");
}

/* What has no derivative, or not by this method. */
static void what_cannot_be(void **unused)
{
    (void)unused;
    const char *m = file();
    check_run(run_limber("gradient %s --of height --by count", m), 3,
              "there is no derivative by 'count'");
    check_run(run_limber("gradient %s --of height --by only", m), 3,
              "there is no derivative by 'only': the model is wrong with only = 0.998");
    check_run(run_limber("gradient %s --of other --by speed --method direct", m), 2,
              "analysis 'free' has no linearised steps for --method direct: its integrator has "
              "none");
    check_run(run_limber("gradient %s --of other --by speed --method adjoint", m), 2,
              "take --method differences, or --integrator generalized-alpha");
    check_run(run_limber("gradient %s --of late --by T --method adjoint", m), 2,
              "the instants of analysis 'timed' change with 'T'");
    check_run(run_limber("gradient %s --of late --by T", m), 0, "(differences)");
    check_run(run_limber("gradient %s --of other --by speed", m), 0, "(differences)");
    check_run(run_limber("gradient %s --of other --by speed --integrator generalized-alpha", m), 0,
              "(direct)");
}

/* A damper cannot be negative: from 0 on upwards, exact to d^3 = 1e-9. */
static void one_side(void **unused)
{
    (void)unused;
    const char *m = file();
    lmb_run_result at = run_limber("gradient %s --of height --by drag --json", m), near;
    double slope = number_behind(at.out, "\"drag\": ");
    double f[5], h = 1e-3;
    for (int i = 0; i < 5; i++) {
        near = run_limber("gradient %s --of height --by speed --json --set drag=%.17g", m, i * h);
        f[i] = number_behind(near.out, "\"value\": ");
        free_run(&near);
    }
    /* five points on one side, exact to h^4 = 1e-12 of terms */
    double known = (-25 * f[0] + 48 * f[1] - 36 * f[2] + 16 * f[3] - 3 * f[4]) / (12 * h);
    assert_true(fabs(known) > 0.01);
    assert_close(slope, known, 2e-9);
    free_run(&at);
}

/* An angle of 1e-9 has neighbours at 1e-13, where cosines differ by rounding: that is said, and not
 * of an angle of 1e-3. */
static void next_to_nothing(void **unused)
{
    (void)unused;
    const char *balance = "examples/balance/balance.yaml --of force --by phase";
    lmb_run_result run = run_limber("gradient %s --set phase=1e-9", balance);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "the derivative by 'phase' is uncertain"));
    free_run(&run);
    run = run_limber("gradient %s --set phase=1e-3", balance);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.err, "uncertain"));
    free_run(&run);
}

/* A derivative that is not finite ends the program with code 4; nothing is printed. */
static void infinite_derivatives(void **unused)
{
    (void)unused;
    const char *m = file();
    for (int json = 0; json < 2; json++) {
        lmb_run_result run =
            run_limber("gradient %s --of root --by mass%s", m, json ? " --json" : "");
        assert_int_equal(run.code, 4);
        assert_non_null(strstr(run.err, "the derivative of objective 'root' by 'mass' is not a "
                                        "finite number at t = 0.5"));
        assert_null(strstr(run.out, "n"));
        free_run(&run);
    }
}

/* Without --by, what cannot be varied is left out; a combined objective needs those it is of. */
static void what_is_printed(void **unused)
{
    (void)unused;
    const char *m = file();
    lmb_run_result run = run_limber("gradient %s --of both --method adjoint --json", m);
    assert_int_equal(run.code, 0); /* T moves the instants of another analysis alone */
    free_run(&run);
    run = run_limber("gradient %s --of both --json", m);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "parameter 'count' is left out"));
    assert_non_null(strstr(run.err, "parameter 'only' is left out"));
    assert_non_null(strstr(run.out, "\"drag\""));
    assert_null(strstr(run.out, "\"twice\""));
    assert_null(strstr(run.out, "\"height\""));
    double both = number_behind(run.out, "\"speed\": ");
    assert_close(number_behind(run.out, "\"T\": "), 0, 0);
    free_run(&run);
    run = run_limber("gradient %s --of height --of range --by speed --json", m);
    const char *range = strstr(run.out, "\"range\"");
    assert_non_null(range);
    assert_close(number_behind(run.out, "\"speed\": ") + number_behind(range, "\"speed\": "), both,
                 1e-12);
    free_run(&run);
    check_run(run_limber("gradient %s --of height --by speed --by g", m), 0, "change by +1 %");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_wrong), cmocka_unit_test(one_side),
        cmocka_unit_test(next_to_nothing),      cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(infinite_derivatives), cmocka_unit_test(what_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
