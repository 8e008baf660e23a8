/* Load cases for finite element programs, participation of modes, and warnings about deformations
 * that are not small, through the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "math/vec.h"
#include "models.h"
#include "program.h"
#include "support.h"

enum { COLUMNS = 40, ROWS = 64 };

/* A table of comma-separated values. */
typedef struct table {
    char head[COLUMNS][64];
    double values[ROWS][COLUMNS];
    int columns, rows;
} table;

static void read_table(const char *path, table *t)
{
    static char line[8192];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    memset(t, 0, sizeof *t);
    assert_non_null(fgets(line, sizeof line, in));
    for (char *word = strtok(line, ",\n"); word; word = strtok(NULL, ",\n"))
        snprintf(t->head[t->columns++], 64, "%s", word);
    while (fgets(line, sizeof line, in)) {
        char *at = line;
        for (int k = 0; k < t->columns; k++, at++)
            t->values[t->rows][k] = strtod(at, &at);
        t->rows++;
    }
    fclose(in);
}

static int column(const table *t, const char *name)
{
    for (int k = 0; k < t->columns; k++)
        if (strcmp(t->head[k], name) == 0)
            return k;
    fail_msg("there is no column %s", name);
    return -1;
}

/* The three columns "name.x" and so on. */
static vec3 vector(const table *t, int row, const char *name)
{
    char full[80];
    snprintf(full, sizeof full, "%s.x", name);
    const double *v = t->values[row] + column(t, full);
    return v3(v[0], v[1], v[2]);
}

static vec3 vector_of(const lmb_series *s, int row)
{
    return v3(s->values[3 * row], s->values[3 * row + 1], s->values[3 * row + 2]);
}

static void assert_vector(vec3 value, vec3 expected, double tolerance)
{
    if (!(v3_norm(v3_sub(value, expected)) <= tolerance))
        fail_msg("(%g, %g, %g) instead of (%g, %g, %g)", value.x, value.y, value.z, expected.x,
                 expected.y, expected.z);
}

/* A rod on a ball that swings and spins about all axes, with a spring at its other end; its mesh
 * begins off the origin, and its frame is at its mass centre. */
static const double LENGTH = 0.9, BEGIN = 0.2;

static lmb_result *swing(void)
{
    return run_text(
        context, "swing",
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  rod:\n"
        "    beam: {from: [%g, 0, 0.1], to: [%g, 0, 0.1], elements: 6, material: steel,\n"
        "           section: {rectangle: {width: 0.02, height: 0.03}}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    reduction: {modes: 2}\n"
        "    angular_velocity: [2, -3, 4]\n"
        "joints: {ball: {type: spherical, between: [[%g, 0, 0.1], rod.A]}}\n"
        "forces: {cord: {type: spring, between: [[1, 1, 1], rod.B], stiffness: 300, damping: 5}}\n"
        "analyses: {go: {type: dynamics, duration: 0.3, output_step: 0.01, step: 2e-4}}\n",
        BEGIN, BEGIN + LENGTH, BEGIN);
}

/* The loads are the reactions of the joint and the spring in body axes, and balance the inertia of
 * the exported accelerations: sum F = m (a + wd x c + w x (w x c)), c the mass centre in the mesh.
 * With the frame at the mass centre that holds for a deformed body too, to rounding and what the
 * integrator leaves of the equations of motion. */
static void test_loads_are_reactions(void **unused)
{
    (void)unused;
    static table t;
    lmb_result *r = swing();
    lmb_run_result run = run_limber("export %s --loads rod -o %s", scratch_path("swing.h5"),
                                    scratch_path("swing.csv"));
    assert_int_equal(run.code, 0);
    free_run(&run);
    read_table(scratch_path("swing.csv"), &t);
    lmb_series ball = series_of(context, r, "ball.force"),
               turn = series_of(context, r, "rod.rotation");
    lmb_series effort = series_of(context, r, "cord.effort"),
               B = series_of(context, r, "rod.B.position");
    assert_int_equal(t.rows, ball.count);
    double mass = 7850 * 0.02 * 0.03 * LENGTH, size = 0;
    vec3 c = v3(BEGIN + LENGTH / 2, 0, 0.1);
    for (int i = 0; i < t.rows; i++)
        size = fmax(size, v3_norm(vector_of(&ball, i)));
    for (int i = 0; i < t.rows; i++) {
        mat3 R = quat_matrix(quat_exp(vector_of(&turn, i)));
        vec3 cord = v3_scale(effort.values[i], v3_unit(v3_sub(vector_of(&B, i), v3(1, 1, 1))));
        vec3 at_A = vector(&t, i, "A.force"), at_B = vector(&t, i, "B.force");
        assert_close(t.values[i][0], ball.time[i], 1e-15);
        assert_vector(at_A, m3_tmul(&R, vector_of(&ball, i)), 1e-9 * size);
        assert_vector(at_B, m3_tmul(&R, cord), 1e-9 * size);
        assert_vector(vector(&t, i, "A.torque"), v3(0, 0, 0), 1e-9 * size);
        vec3 w = vector(&t, i, "angular_velocity"), wd = vector(&t, i, "angular_acceleration");
        vec3 a = v3_add(vector(&t, i, "acceleration"),
                        v3_add(v3_cross(wd, c), v3_cross(w, v3_cross(w, c))));
        assert_vector(v3_add(at_A, at_B), v3_scale(mass, a), 1e-7 * size);
    }
    lmb_series_free(&ball);
    lmb_series_free(&turn);
    lmb_series_free(&effort);
    lmb_series_free(&B);
    lmb_result_close(r);
}

static void expect(const char *arguments, int code, const char *piece)
{
    lmb_run_result run = run_limber("export %s %s", scratch_path("swing.h5"), arguments);
    assert_int_equal(run.code, code);
    if (!strstr(run.err, piece))
        fail_msg("'%s' is not in: %s", piece, run.err);
    free_run(&run);
}

static void test_wrong_exports(void **unused)
{
    (void)unused;
    expect("--loads rid -o x.csv", 3, "did you mean 'rod'?");
    expect("--loads rod -o x.txt", 2, "is not a load case format");
    expect("--loads rod -o x.inp", 3, "does not come from a mesh file");
    expect("--loads rod", 2, "--loads needs the option -o FILE");
    expect("--loads rod -o x.csv --as forces", 2, "--as is not for .csv files");
    expect("--loads rod -o x.inp --as loads", 2, "--as must be forces or displacements");
    expect("--loads rod -o x.inp rod.position", 2, "--loads takes no channels");
    expect("-o x.csv", 2, "-o is for --loads");
    expect("--loads rod -o /nowhere/x.csv", 5, "cannot write");
}

/* Shares add up to one, mean energies to the mean of the channel. */
static void test_participation(void **unused)
{
    (void)unused;
    lmb_result *r;
    assert_ok(lmb_result_open(&r, context, scratch_path("swing.h5")));
    lmb_series energy = series_of(context, r, "rod.energy");
    lmb_series modes = series_of(context, r, "rod.modes");
    double mean = 0, sum = 0, shares = 0, first = 0;
    for (int i = 0; i < energy.count; i++) {
        mean += energy.values[i] / energy.count;
        first = fmax(first, fabs(modes.values[i * modes.size]));
    }
    lmb_run_result run = run_limber("participation %s --json", scratch_path("swing.h5"));
    assert_int_equal(run.code, 0);
    const char *at = strstr(run.out, "\"amplitude\": ");
    assert_non_null(at);
    assert_close(strtod(at + 13, NULL), first, 1e-15);
    int count = 0;
    for (at = run.out; (at = strstr(at, "\"mean\": ")); count++) {
        sum += strtod(at + 8, NULL);
        at = strstr(at, "\"share\": ");
        shares += strtod(at + 9, NULL);
    }
    assert_int_equal(count, modes.size);
    assert_close(shares, 1, 1e-12);
    assert_true(fabs(sum - mean) < 1e-9 * mean);
    free_run(&run);
    run = run_limber("participation %s --body rod", scratch_path("swing.h5"));
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "frequency (Hz)"));
    free_run(&run);
    run = run_limber("participation %s --body arm", scratch_path("swing.h5"));
    assert_int_equal(run.code, 3);
    assert_non_null(strstr(run.err, "there is no flexible body 'arm'"));
    free_run(&run);
    lmb_series_free(&energy);
    lmb_series_free(&modes);
    lmb_result_close(r);
}

/* A rod is turned at its hinge faster than it can follow: once a kind, with place and time. */
static void test_warnings(void **unused)
{
    (void)unused;
    static const char model[] = "limber: 1\ndimension: 2\nbodies:\n"
                                "  rod:\n"
                                "    beam: {from: [0, 0], to: [1, 0], elements: 8, section: "
                                "{rectangle: {width: 0.02, height: "
                                "0.004}}, material: steel}\n"
                                "    interfaces: {A: start, B: end}\n"
                                "joints: {pin: {type: revolute, between: [ground, rod.A]}}\n"
                                "drivers: {turn: {joint: pin, angle: \"step(t, 0, 0, %g, 3)\"}}\n"
                                "analyses: {go: {type: dynamics, duration: 0.4}}\n";
    static const char *const pieces[] = {"body 'rod' is displaced by 0.1",
                                         "body 'rod' is rotated by",
                                         "body 'rod' has a strain of 0.0"};
    lmb_result *r = run_text(context, "soft", model, 0.2);
    for (int k = 0; k < 3; k++) {
        const char *found = strstr(last_messages(), pieces[k]);
        if (!found)
            fail_msg("'%s' is not in: %s", pieces[k], last_messages());
        assert_null(strstr(found + 1, pieces[k]));
        assert_non_null(strstr(found, "at t = 0."));
        assert_non_null(strstr(found, "small deformations"));
    }
    lmb_result_close(r);
    r = run_text(context, "slow", model, 20.0);
    assert_null(strstr(last_messages(), "warning"));
    lmb_result_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_are_reactions),
        cmocka_unit_test(test_wrong_exports),
        cmocka_unit_test(test_participation),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
