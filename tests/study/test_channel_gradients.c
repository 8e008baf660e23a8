/* Gradients of every channel of models in which kinds of bodies meet: direct, adjoint and
 * differences of whole runs agree. The objectives are generated from the table of channels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "channels/channels.h"
#include "gradients.h"
#include "meshes.h"
#include "program.h"
#include "support.h"

/* --- every channel ---------------------------------------------------------------------------- */

/* A number of a channel as an objective, and the size of numbers with its unit. */
typedef struct sample {
    char name[80];
    const char *unit;
    double size;
} sample;

/* Modal coordinates have no gradient by a parameter that changes the modes. */
static bool has_gradient(const char *name)
{
    return !strstr(name, ".modes") && !strstr(name, "stress_coordinates");
}

/* The text of a model with an objective c0, c1, ... for each number of each channel of dynamics;
 * free it and the samples. */
static char *with_objectives(const char *model, sample **samples, int *count)
{
    lmb_spec *spec;
    lmb_model *m;
    lmb_channels *c;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", model));
    assert_ok(lmb_model_compile(&m, context, spec));
    assert_ok(lmb_channels_new(&c, context, m, LMB_KNOWN_IN_DYNAMICS));
    *count = 0;
    *samples = calloc((size_t)lmb_channels_width(c), sizeof **samples);
    char *text = calloc(strlen(model) + 200 * (size_t)lmb_channels_width(c) + 100, 1), *end = text;
    assert_true(*samples && text);
    end += sprintf(end, "%sobjectives:\n", model);
    for (int i = 0, at = 0; i < lmb_channels_count(c); i++)
        for (int k = 0; k < lmb_channels_list(c)[i].size; k++, at++) {
            sample *s = *samples + *count;
            lmb_channels_number_name(c, at, s->name, sizeof s->name);
            s->unit = lmb_channels_list(c)[i].unit; /* a constant */
            if (has_gradient(s->name))
                end += sprintf(end, "  c%d: {final: %s, of: go}\n", (*count)++, s->name);
        }
    lmb_channels_free(c);
    lmb_model_free(m);
    lmb_spec_free(spec);
    return text;
}

/* The largest value among numbers with the same unit. */
static void find_sizes(sample *samples, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (strcmp(samples[i].unit, samples[j].unit) == 0)
                samples[i].size = fmax(samples[i].size, fabs(values[j]));
}

/* Derivatives times the parameter are compared. Direct and adjoint are two orders of summation of
 * the same linearised steps. Numbers without exact slopes are differentiated by stencils, with
 * rounding of 1e-12 of the largest numbers with the same unit; with a bound of 1e-8 of a hundredth
 * of these a hundred of such sums may add up.
 *
 * Differences of whole runs carry the rounding of positions. A step stops iterating where positions
 * change by 4 eps of 2 m. Accelerations err by this over beta h^2 = 3.5e-7 s^2, by 3 times as much
 * with the errors of earlier steps, which fall by the spectral radius. The stencil, with neighbours
 * at 2.5e-4 of the parameter, multiplies by 6000: 1e-4 m/s^2, and 3e-4 N for bodies of up to 3 kg.
 * The largest accelerations and reactions are 10 m/s^2 and 10 N or more. Steps of 2e-5 s would err
 * 2500 times as much. */
static void check_model(const char *model, const double *parameters)
{
    sample *samples;
    int count;
    char *text = with_objectives(model, &samples, &count);
    lmb_gradient *g[3];
    const lmb_gradient_method methods[] = {LMB_GRADIENT_DIRECT, LMB_GRADIENT_ADJOINT,
                                           LMB_GRADIENT_DIFFERENCES};
    for (int k = 0; k < 3; k++)
        g[k] = gradient_of_text(text, NULL, methods[k], 0);
    assert_int_equal(g[0]->objective_count, count);
    find_sizes(samples, count, g[0]->values);
    for (int i = 0; i < count; i++)
        for (int p = 0; p < g[0]->parameter_count; p++) {
            double d[3], value = fabs(g[0]->values[i]);
            for (int k = 0; k < 3; k++)
                d[k] = parameters[p] * g[k]->derivatives[i * g[0]->parameter_count + p];
            double size = fmax(fabs(d[0]), value), unit = samples[i].size;
            if (!(fabs(d[0] - d[1]) <= 1e-8 * (size + 0.01 * unit)) ||
                !(fabs(d[0] - d[2]) <= 1e-4 * (size + unit)))
                fail_msg("%s by %s: direct %.15g, adjoint %.15g, differences %.15g",
                         samples[i].name, g[0]->parameters[p], d[0], d[1], d[2]);
        }
    for (int k = 0; k < 3; k++)
        lmb_gradient_free(g[k]);
    free(samples);
    free(text);
}

#define ALPHA(duration)                                                                            \
    "analyses: {go: {type: dynamics, duration: " duration                                          \
    ", step: 1e-3, output_step: 1e-3, integrator: "                                                \
    "generalized-alpha, spectral_radius: 0.7}}\n"

/* A rigid hub that is turned, a reduced and an exact beam on it, a particle on a spring. */
static void every_channel_in_space(void **unused)
{
    (void)unused;
    const double parameters[] = {0.02, 30, 5};
    check_model(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "parameters: {d: 0.02, k: 30, F: 5}\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [0.02, 0.03, 0.04], points: {P: [0.1, 0, 0], Q: [0, 0.1, 0]}}\n"
        "  rod:\n"
        "    beam: {from: [0.1, 0, 0], to: [0.5, 0, 0], y_axis: [0, 1, 0], elements: 2, "
        "section: {circle: {diameter: d}}, material: {E: 1e8, nu: 0.3, density: 3000}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    reduction: {modes: 4}\n"
        "    probes: {mid: {at: [0.3, 0, 0]}}\n"
        "  ex:\n"
        "    beam: {from: [0, 0.1, 0], to: [0, 0.5, 0], y_axis: [1, 0, 0], elements: 1, "
        "deformation: large, section: {rectangle: {width: d, height: d/2}}, material: {E: 1e8, nu: "
        "0.3, density: 3000}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    damping: {stiffness: 1e-4}\n"
        "    probes: {mid: {at: [0, 0.22, 0]}}\n"
        "  drop: {type: particle, mass: 0.2, position: [0.5, 0, -0.3]}\n"
        "joints:\n"
        "  spin: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
        "  hold: {type: fixed, between: [hub.P, rod.A]}\n"
        "  pin: {type: universal, between: [hub.Q, ex.A], axis: [1, 0, 0], axis_b: [0, 0, 1]}\n"
        "drivers: {turn: {joint: spin, angle: 3*t + 20*t^2}}\n"
        "forces:\n"
        "  tie: {type: spring, between: [rod.B, drop], stiffness: k, damping: 0.1, length: 0.2}\n"
        "  push: {type: force, at: ex.B, force: [F*sin(40*t + 1), 0, 0.3*F]}\n"
        "  lift: {type: bushing, between: [hub.Q, ex.A], stiffness: [0, 0, 0, k, k, k]}\n"
        "sensors:\n"
        "  acc: {accelerometer: {point: rod.B}}\n"
        "  gauge: {gauge: {body: rod, at: [0.3, 0, 0], fibre: [0.01, 0]}}\n"
        "  speed: norm(ex.B.velocity)\n" ALPHA("0.02"),
        parameters);
}

/* A framework and an exact beam in the plane, and a motor. */
static void every_channel_in_the_plane(void **unused)
{
    (void)unused;
    const double parameters[] = {0.02, 5};
    check_model(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "parameters: {d: 0.02, F: 5}\n"
        "bodies:\n"
        "  frame:\n"
        "    framework: {nodes: {a: [0, 0], b: [0.4, 0], c: [0.4, 0.3]}, elements: 2, material: "
        "{E: "
        "1e8, nu: 0.3, density: 3000}, section: {circle: {diameter: d}}, members: {low: {between: "
        "[a, b]}, post: {between: [b, c]}}}\n"
        "    interfaces: {A: a, B: c}\n"
        "    reduction: {modes: 3}\n"
        "    probes: {low: {member: low}}\n"
        "  ex:\n"
        "    beam: {from: [0.4, 0.3], to: [0.8, 0.3], elements: 2, deformation: large, section: "
        "{circle: {diameter: d}}, material: {E: 1e8, nu: 0.3, density: 3000}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    probes: {mid: {at: [0.5, 0.3]}}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [ground, frame.A]}\n"
        "  pin: {type: revolute, between: [frame.B, ex.A]}\n"
        "forces:\n"
        "  motor: {type: motor, joint: hinge, effort: 20*F - hinge.angle_velocity}\n"
        "  push: {type: force, at: ex.B, force: [F, F*cos(30*t)]}\n" ALPHA("0.02"),
        parameters);
}

/* A solid bar with probes, gauges and a rosette, thrown by a force at its end. */
static void every_channel_of_a_solid(void **unused)
{
    (void)unused;
    const double parameters[] = {2e8, 5};
    static const int cells[3] = {3, 1, 1};
    lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(0.3, 0.04, 0.03),
                              (lmb_material){"steel", 2e11, 0.3, 7850, false}, NULL);
    char text[3000];
    write_bar(mesh, 0.3, scratch_path("solid.inp"));
    lmb_arena_free(mesh->arena);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nparameters: {E: 2e8, F: 5}\nbodies:\n"
             "  bar:\n"
             "    mesh: {file: '%s', material: {E: E, nu: 0.3, density: 7850}}\n"
             "    interfaces: {A: {point: [0, 0.02, 0.015], nodes: root}, B: {point: [0.3, 0.02, "
             "0.015], nodes: end}}\n"
             "    reduction: {modes: 2}\n"
             "    probes: {top: {at: [0.1, 0.04, 0.03]}, face: {nodes: end}}\n"
             "joints: {hinge: {type: spherical, between: [ground, bar.A]}}\n"
             "forces: {push: {type: force, at: bar.B, force: [F, 2*F, -F]}}\n"
             "sensors:\n"
             "  along: {gauge: {body: bar, at: [0.1, 0.04, 0.03], direction: [1, 0, 0]}}\n"
             "  star: {rosette: {body: bar, at: [0.2, 0.04, 0.015], direction: [0.9, 0.2, "
             "0.4]}}\n" ALPHA("0.02"),
             scratch_path("solid.inp"));
    check_model(text, parameters);
}

/* --- functionals ------------------------------------------------------------------------------ */

/* Compares direct and adjoint to a part of the derivative; returns it. */
static double check_methods(const char *text, const char *objective, const char *parameter,
                            double part)
{
    lmb_gradient *direct = gradient_of_text(text, parameter, LMB_GRADIENT_DIRECT, 0);
    lmb_gradient *adjoint = gradient_of_text(text, parameter, LMB_GRADIENT_ADJOINT, 0);
    double d = slope_of(direct, objective, parameter), a = slope_of(adjoint, objective, parameter);
    lmb_gradient_free(direct);
    lmb_gradient_free(adjoint);
    if (!(fabs(d - a) <= part * fabs(d)))
        fail_msg("d %s / d %s: direct %.15g, adjoint %.15g", objective, parameter, d, a);
    return d;
}

static double find_differences(const char *text, const char *objective, const char *parameter)
{
    lmb_gradient *g = gradient_of_text(text, parameter, LMB_GRADIENT_DIFFERENCES, 0);
    double d = slope_of(g, objective, parameter);
    lmb_gradient_free(g);
    return d;
}

/* A pendulum with a force at its end, in steps that let velocities leave the joint. */
#define PENDULUM(step)                                                                             \
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {F: 1}\n"                           \
    "bodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {A: [-0.5, 0], B: [0.5, "   \
    "0]}}}\n"                                                                                      \
    "joints: {pin: {type: revolute, between: [ground, rod.A]}}\n"                                  \
    "forces: {push: {type: force, at: rod.B, force: [0, F*cos(3*t)]}}\n"                           \
    "objectives:\n"                                                                                \
    "  part: {integral: 'if(t > 0.3 and t < 0.35, pin.force.y, 0)', of: go}\n"                     \
    "  drift: {mean: constraints.velocity, of: go, from: 0.1}\n"                                   \
    "analyses: {go: {type: dynamics, duration: 0.5, step: " step ", integrator: "                  \
    "generalized-alpha}}\n"

/* The objective counts in a twentieth of the time, between the points where dependences used to be
 * probed. The weight of the rod is constant, the amplitude acts on it directly. */
static void short_windows_count(void **unused)
{
    (void)unused;
    static const char text[] = PENDULUM("1e-3");
    double d = check_methods(text, "part", "F", 1e-9);
    assert_true(fabs(d) > 1e-3);
    assert_close(d, find_differences(text, "part", "F"), 1e-6 * fabs(d));
}

/* The norm of residuals is 1e-4 of the velocities. */
static void drift_has_one_gradient(void **unused)
{
    (void)unused;
    static const char text[] = PENDULUM("0.01");
    double d = check_methods(text, "drift", "F", 1e-7);
    assert_close(d, find_differences(text, "drift", "F"), 1e-4 * fabs(d));
}

/* Stresses of beams of both kinds: von Mises' stress, a maximum over fibres and nodes, and torsion
 * have kinks, which differences of fourth order must not step over. */
#define BENT(deformation)                                                                          \
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {d: 0.02}\n"                     \
    "bodies:\n"                                                                                    \
    "  rod:\n"                                                                                     \
    "    beam: {from: [0, 0, 0], to: [0.5, 0, 0], y_axis: [0, 1, 0], elements: 5, " deformation    \
    "section: {circle: {diameter: d}}, material: {E: 2e9, nu: 0.3, density: 1000}}\n"              \
    "    interfaces: {A: start, B: end}\n"                                                         \
    "    probes: {P: {at: [0.2, 0, 0]}}\n"                                                         \
    "joints: {hold: {type: fixed, between: [ground, rod.A]}}\n"                                    \
    "forces:\n"                                                                                    \
    "  push: {type: force, at: rod.B, force: [0.5, 2, 1]}\n"                                       \
    "  twist: {type: torque, at: rod.B, torque: [0.2, 0, 0]}\n"                                    \
    "objectives:\n"                                                                                \
    "  probe: {rms: rod.stress.P, of: go}\n"                                                       \
    "  torsion: {rms: rod.stress.P.torsion, of: go}\n"                                             \
    "  most: {mean: rod.stress.max, of: go}\n"                                                     \
    "  force: {final: rod.section.P.N, of: go}\n"                                                  \
    "analyses: {go: {type: dynamics, duration: 0.05, step: 1e-3, integrator: "                     \
    "generalized-alpha, spectral_radius: 0.6}}\n"

static void stresses_of_beams_have_one_gradient(void **unused)
{
    (void)unused;
    static const char *const texts[] = {BENT("deformation: large, "), BENT("")};
    static const char *const objectives[] = {"probe", "torsion", "most", "force"};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            double d = check_methods(texts[i], objectives[k], "d", 1e-8);
            /* differences end where the steps stop iterating */
            assert_close(d, find_differences(texts[i], objectives[k], "d"), 1e-4 * fabs(d));
        }
}

/* Stresses of solids that contain the static response to loads: on points, on patches and by
 * rotation. Derivatives times the parameter are compared as in check_model. Differences of whole
 * runs of dynamics carry the iterations of their steps, as they do without this response. The share
 * of the response jumps where the node of the largest stress changes, so they do not suit it. */
static void corrected_stresses_have_one_gradient(void **unused)
{
    (void)unused;
    static const char *const analyses[] = {
        "analyses: {go: {type: statics}}\n",
        "analyses: {go: {type: inverse-dynamics, begin: quasi-static, duration: 4e-3, output_step: "
        "1e-3}}\n",
        "analyses: {go: {type: dynamics, duration: 3e-3, step: 1e-3, tolerance: 1e-12, integrator: "
        "generalized-alpha, spectral_radius: 0.7}}\n"};
    static const char *const drives[] = {"F", "9*t + F*t^2", "9*t + F*t^2"};
    static const double values[] = {2e10, 5, 1};
    static const int cells[3] = {3, 1, 1};
    lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(0.3, 0.04, 0.03),
                              (lmb_material){"steel", 2e11, 0.3, 7850, false}, NULL);
    write_bar(mesh, 0.3, scratch_path("solid.inp"));
    lmb_arena_free(mesh->arena);
    for (int i = 0; i < 3; i++) {
        char text[3000];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 3\ngravity: [0, 1, -9.81]\n"
                 "parameters: {E: 2e10, F: 5, b: 1}\nbodies:\n"
                 "  bar:\n"
                 "    mesh: {file: '%s', material: {E: E, nu: 0.3, density: 7850}}\n"
                 "    interfaces: {A: {point: [0, 0.02, 0.015], nodes: root}, B: {point: [0.3, "
                 "0.02, 0.015], nodes: end}}\n"
                 "    reduction: {modes: 2, keep: 3}\n"
                 "    patches: {top: {at: [0.2, 0.04, 0.03]}}\n"
                 "    probes: {top: {at: [0.1, 0.04, 0.03]}, face: {nodes: end}}\n"
                 "joints: {hinge: {type: revolute, between: [ground, bar.A], axis: [0, 1, 0]}}\n"
                 "drivers: {turn: {joint: hinge, angle: %s}}\n"
                 "forces:\n"
                 "  push: {type: force, at: bar.B, force: [F, 2*F, -b]}\n"
                 "  pat: {type: force, at: bar.top, force: [3*b, F, -20]}\n"
                 "  pull: {type: spring, between: [[0.5, 0.1, 0.2], bar.B], stiffness: 100*b, "
                 "length: 0.1}\n"
                 "sensors:\n"
                 "  along: {gauge: {body: bar, at: [0.1, 0.04, 0.03], direction: [1, 0, 0]}}\n"
                 "  rose: {rosette: {body: bar, at: [0.2, 0.04, 0.015], direction: [0.9, 0.2, "
                 "0.4]}}\n"
                 "objectives:\n"
                 "  most: {%s: bar.stress.max, of: go}\n"
                 "  norm: {%s: bar.stress.top, of: go}\n"
                 "  part: {%s: bar.stress.face.xx, of: go}\n"
                 "  gauge: {%s: along, of: go}\n"
                 "  star: {%s: rose.strain.b, of: go}\n"
                 "  share: {%s: bar.stress.correction, of: go}\n"
                 "%s",
                 scratch_path("solid.inp"), drives[i], i ? "mean" : "final", i ? "rms" : "final",
                 i ? "mean" : "final", i ? "mean" : "final", i ? "mean" : "final",
                 i ? "mean" : "final", analyses[i]);
        const lmb_gradient_method methods[] = {LMB_GRADIENT_DIRECT, LMB_GRADIENT_ADJOINT,
                                               LMB_GRADIENT_DIFFERENCES};
        lmb_gradient *g[3];
        for (int k = 0; k < 3; k++)
            g[k] = gradient_of_text(text, NULL, methods[k], 0);
        for (int k = 0; k < g[0]->objective_count; k++)
            for (int p = 0; p < 3; p++) {
                double d[3], value = fabs(g[0]->values[k]);
                for (int m = 0; m < 3; m++)
                    d[m] = values[p] * g[m]->derivatives[k * 3 + p];
                double size = fabs(d[0]) + value;
                bool jumps = strcmp(g[0]->objectives[k], "share") == 0;
                if (!(fabs(d[0] - d[1]) <= 1e-10 * size) ||
                    !(jumps || fabs(d[0] - d[2]) <= (i == 2 ? 1e-5 : 1e-6) * size))
                    fail_msg("%s by %s: direct %.15g, adjoint %.15g, differences %.15g",
                             g[0]->objectives[k], g[0]->parameters[p], d[0], d[1], d[2]);
            }
        for (int k = 0; k < 3; k++)
            lmb_gradient_free(g[k]);
    }
}

/* A root that begins at 0 whatever the parameter is: positions go with F, so their root has the
 * derivative g / (2 F). */
static void roots_that_begin_at_0_have_a_gradient(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\nparameters: {F: 1}\nbodies: {b: {mass: 1, inertia: 1}}\n"
        "forces: {f: {type: force, at: b, force: [F*sin(t), 0]}}\n"
        "objectives: {root: {mean: sqrt(b.position.x), of: go}}\n"
        "analyses: {go: {type: dynamics, duration: 1, step: 0.01, integrator: "
        "generalized-alpha}}\n";
    lmb_gradient *g = gradient_of_text(text, "F", LMB_GRADIENT_DIRECT, 0);
    double value = value_of(g, "root");
    lmb_gradient_free(g);
    assert_close(check_methods(text, "root", "F", 1e-10), value / 2, 1e-10 * value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_channel_in_space),
        cmocka_unit_test(every_channel_in_the_plane),
        cmocka_unit_test(every_channel_of_a_solid),
        cmocka_unit_test(short_windows_count),
        cmocka_unit_test(drift_has_one_gradient),
        cmocka_unit_test(stresses_of_beams_have_one_gradient),
        cmocka_unit_test(corrected_stresses_have_one_gradient),
        cmocka_unit_test(roots_that_begin_at_0_have_a_gradient),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
