/* A model changes from reduced to exact beams by one word, `deformation: large`: under small loads
 * both are the beam of the handbooks, and a stiff one is a rigid body. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "strip.h"
#include "support.h"

/* A cantilever of 1 m, 30 mm x 20 mm, that 0.1 N bends across its 20 mm, as a file; `word` is what
 * is added to the beam. */
static const char *cantilever(const char *name, const char *word)
{
    char text[900];
    const char *path = scratch_path(name);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  b:\n"
             "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 16, y_axis: [0, 1, 0],"
             " material: steel, section: {rectangle: {height: 0.03, width: 0.02}}%s}\n"
             "    interfaces: {A: start, M: {at: [0.5, 0, 0]}, B: end}\n"
             "joints: {clamp: {type: fixed, between: [ground, b.A]}}\n"
             "forces: {load: {type: force, at: b.B, force: [0, 0, -0.1]}}\n"
             "analyses: {rest: {type: statics}}\n",
             word);
    write_text(path, text);
    return path;
}

/* What a beam is and does: deflection of middle and end, force and torque of the clamp, the lowest
 * natural frequencies. */
typedef struct behaviour {
    double middle, end, force[3], torque[3], frequencies[4];
} behaviour;

static void read_channel(const char *result, const char *channel, double out[3])
{
    lmb_run_result run = run_limber("get %s %s --final", result, channel);
    assert_runs(&run);
    assert_int_equal(sscanf(run.out, "%lf %lf %lf", &out[0], &out[1], &out[2]), 3);
    free_run(&run);
}

static behaviour behaviour_of(const char *model, const char *result)
{
    behaviour b;
    double place[3];
    lmb_run_result run = run_limber("run %s --quiet -o %s", model, result);
    assert_runs(&run);
    assert_string_equal(run.err, "");
    free_run(&run);
    read_channel(result, "b.M.position", place);
    b.middle = -place[2];
    read_channel(result, "b.B.position", place);
    b.end = -place[2];
    read_channel(result, "clamp.force", b.force);
    read_channel(result, "clamp.torque", b.torque);
    run = run_limber("modes %s --json", model);
    assert_runs(&run);
    for (int i = 0; i < 4; i++)
        assert_int_equal(numbers_of(run.out, "frequency", i, &b.frequencies[i], 1), 1);
    free_run(&run);
    return b;
}

/* The deflection over the length is 8e-6, so nonlinear terms are 1e-10 of it. The mesh of the
 * reduced body is as fine; the modes that its reduction leaves out make it stiffer, so its
 * frequencies are higher. */
static void one_word_makes_a_beam_exact(void **unused)
{
    (void)unused;
    behaviour reduced = behaviour_of(cantilever("reduced.yaml", ""), scratch_path("reduced.h5"));
    behaviour exact =
        behaviour_of(cantilever("exact.yaml", ", deformation: large"), scratch_path("exact.h5"));
    assert_true(fabs(exact.end / reduced.end - 1) < 1e-9);
    assert_true(fabs(exact.middle / reduced.middle - 1) < 1e-9);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(exact.force[k] - reduced.force[k]) < 1e-6 * 0.1); /* rounding of EA */
        assert_true(fabs(exact.torque[k] - reduced.torque[k]) < 1e-9 * 0.1);
    }
    static const double stiffer[] = {1e-5, 1e-5, 2e-4, 2e-4};
    for (int i = 0; i < 4; i++) {
        double ratio = reduced.frequencies[i] / exact.frequencies[i] - 1;
        assert_true(ratio > 0 && ratio < stiffer[i]);
    }
    /* the verb has no shear: P L / (k G A) of the end with k = 10 (1 + nu) / (12 + 11 nu) */
    lmb_run_result run =
        run_limber("beam cantilever --length 1 --width 0.03 --height 0.02 --force 0.1 --json");
    assert_runs(&run);
    double k = 13.0 / 15.3, G = 2.1e11 / 2.6, shear = 0.1 / (k * G * 0.03 * 0.02);
    assert_true(fabs(exact.end - number_behind(run.out, "\"deflection\": ") - shear) <
                1e-9 * exact.end);
    free_run(&run);
}

/* The end of a rod on a hinge, held by a spring, in its equilibrium. */
static vec3 end_of_rod(const char *body_text)
{
    char text[900];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  b:\n%s"
             "joints: {pin: {type: revolute, between: [ground, b.o], axis: [0, 1, 0]}}\n"
             "forces: {spring: {type: spring, between: [[1, 0, 1], b.e], stiffness: 30, length: "
             "0.8}}\n",
             body_text);
    lmb_model *m = model_of_text(text);
    lmb_solver *s = at_rest(m);
    vec3 x = point(s, "b.e");
    lmb_solver_free(s);
    lmb_model_free(m);
    return x;
}

/* 24 N of weight and a spring bend a rod of E = 2e15 Pa and 20 mm by some 1e-7 of its length. */
static void a_stiff_beam_rests_as_a_rigid_body(void **unused)
{
    (void)unused;
    const double mass = 7800 * LMB_PI * 1e-4;
    char text[300];
    snprintf(text, sizeof text,
             "    mass: %.17g\n    inertia: [1, 1, 1]\n    position: [0.5, 0, 0]\n"
             "    points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}\n",
             mass);
    vec3 rigid = end_of_rod(text);
    vec3 stiff = end_of_rod("    beam: {from: [0, 0, 0], to: [1, 0, 0], deformation: large,"
                            " elements: 4, section: {circle: {diameter: 0.02}},"
                            " material: {E: 2e15, nu: 0.3, density: 7800}}\n"
                            "    interfaces: {o: start, e: end}\n");
    assert_true(rigid.z < -0.1); /* it does turn */
    assert_true(v3_norm(v3_sub(rigid, stiff)) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_makes_a_beam_exact),
        cmocka_unit_test(a_stiff_beam_rests_as_a_rigid_body),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
