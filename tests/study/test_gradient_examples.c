/* Gradients of all examples with dynamics: the direct method, the adjoint one and differences of
 * runs find the same numbers.
 *
 * Each example is cut to a short motion with generalized-alpha and gets objectives: an integral of
 * the kinetic energy, which sees every velocity, a position at the end, and a reaction. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradients.h"
#include "support.h"

typedef struct test_case {
    const char *name;
    const char *before; /* analyses before the motion; "" if there are none */
    const char *motion; /* keys of the motion besides type and integrator */
    double step;
    const char *objectives, *parameters;
    const char *settings; /* "name=value name=value": a livelier motion; NULL: as it is */
    double terms;         /* how much larger terms are than G / p and the sum; 0: not */
    double noise;         /* how much more runs see of rounding than 1e-7; 0: not */
} test_case;

/* Of stiff beams, E A = 5e7 N cancels in reactions of a few newtons; a top of 15 kg at 50 rad/s has
 * terms of some kN; struts and tyres are some 10 kN before they balance. Runs of the governor, with
 * springs of 8e5 N/m and 4e4 N s/m, differ by rounding of 1e-9. Slopes of
 * channels along coordinates are stencils of a width of 1e-4: rounding of 1e-12 of the channels,
 * some 1e-11 where several of them cancel, which differs from machine to machine (1e-10 is asked).
 */
static const test_case cases[] = {
    {"afterburner-torque",
     "  ride: {type: inverse-dynamics, duration: 40, output_step: 0.05, "
     "without: [swing_motor, spin_motor]}\n",
     "from: ride, start: t1, duration: 0.5, without: [swing, spin]", 0.01,
     "  x: {final: hub.position.z}\n  F: {integral: pivot.force.z}\n", "g d m2 swing_amplitude",
     NULL, 0, 0},
    {"andrews", "", "duration: 0.003", 5e-5,
     "  x: {final: K3.position.x}\n  F: {integral: B.force.x}\n", "torque c0 rr beta", NULL, 0, 0},
    {"bicycle", "", "duration: 0.5", 0.01,
     "  x: {final: frame.position.y}\n  F: {integral: steer.force.z}\n", "v push trail", NULL, 0,
     10},
    {"bricard", "", "duration: 0.5", 0.01,
     "  x: {final: rod2.q.position.x}\n  F: {integral: energy.potential}\n", "m", NULL, 0, 0},
    {"double-pendulum", "", "duration: 0.5", 0.01,
     "  x: {final: lower.position.x}\n  F: {integral: O.force.y}\n", "l1 m2 theta2", NULL, 0, 0},
    {"flexible-pendulum", "", "duration: 0.2", 0.005,
     "  x: {final: bend}\n  F: {integral: hinge.force.y}\n", "g theta0 damping", NULL, 0, 0},
    {"five-bar", "", "duration: 0.3", 0.01,
     "  x: {final: b.to.position.x}\n  F: {integral: pin_A.force.y}\n", "g k1 L02", NULL, 0, 0},
    {"flyball-governor", "", "duration: 0.1", 0.001,
     "  x: {final: slider.position.z}\n  F: {integral: bearing.force.z}\n", "lean k c ball", NULL,
     0, 100},
    {"flying-beam", "", "duration: 0.3", 0.02, "  x: {final: beam.position.x}\n", "L EA F rhoA",
     NULL, 0, 0},
    {"four-bar-beams", "", "duration: 0.1", 0.01,
     "  x: {final: follower_angle}\n  F: {integral: A.force.y}\n", "density E speed damping",
     "T=0.1 speed=-20", 1000, 0},
    {"four-bar-flexible", "  rest: {type: statics}\n", "from: rest, duration: 0.05", 0.001,
     "  x: {final: follower.position.x}\n  F: {integral: O.force.y}\n", "d speed start damping",
     NULL, 0, 0},
    {"frame", "  rest: {type: statics, without: [unbalance]}\n", "from: rest, duration: 0.02",
     0.001, "  x: {final: chassis.position.z}\n", "speed unbalance", NULL, 0, 0},
    {"half-car", "", "duration: 0.5", 0.005, "  x: {final: chassis.seat.position.y}\n",
     "cf kr m lb h", NULL, 10, 0},
    {"heavy-top", "", "duration: 0.05", 0.001,
     "  x: {final: top.position.x}\n  F: {integral: floor.force.z}\n", "m d lean spin", "spin=50",
     10, 10},
    {"n-four-bar", "", "duration: 0.5", 0.01, "  x: {final: energy.potential}\n", "v", NULL, 0, 0},
    {"particles", "", "duration: 0.3", 0.01,
     "  x: {final: p2.position.x}\n  F: {integral: s1.length}\n", "m k a kick", NULL, 0, 0},
    {"pendulum-fit", "", "duration: 0.5", 0.005, "  x: {final: bar.position.x}\n", "L c theta0 m",
     NULL, 0, 0},
    {"simeon-slider-crank", "", "duration: 0.005", 1e-4,
     "  x: {final: slider.position.x}\n  F: {integral: main.force.x}\n", "omega m1 m3 L1", NULL, 10,
     0},
    {"slider-crank-dynamics", "", "duration: 0.1", 0.01,
     "  x: {final: slider.position.x}\n  F: {integral: main.force.x}\n", "r m2 stall c theta0",
     "theta0=0.5", 0, 0},
    {"slider-crank-flexible",
     "  forces: {type: inverse-dynamics, duration: turn, output_step: turn/200, "
     "without: [torque]}\n",
     "duration: 0.02, without: [torque]", 0.0005,
     "  x: {final: slider.position.x}\n  F: {integral: main.force.x}\n", "r m3 damping", NULL, 0,
     0},
    {"sliding-rod", "", "duration: 0.1", 0.005,
     "  x: {final: rod.angle}\n  F: {integral: wall.force.x}\n", "L m theta0 P", NULL, 0, 0},
    {"spin-up", "", "duration: 0.2", 0.02, "  x: {final: u2}\n  F: {integral: motor.effort}\n",
     "EI rhoA omega", "T=0.3", 10, 0},
    {"spinning-beam", "", "duration: 0.2", 0.01,
     "  x: {final: lag}\n  F: {integral: motor.effort}\n", "W T", "T=0.3", 0, 0},
    {"suspension", "  rest: {type: statics}\n", "from: rest, duration: 0.2", 0.005,
     "  x: {final: chassis.position.y}\n  F: {integral: L1.force.x}\n", "M k l0", "t0=0.02", 100,
     0},
    {"vehicle", "  rest: {type: statics}\n", "from: rest, duration: 0.2", 0.005,
     "  x: {final: frame.driver.position.z}\n  F: {integral: hinge_f1.force.z}\n", "cf rail kt h",
     NULL, 10, 0},
    {"wind-turbine-blade", "", "begin: quasi-static, duration: 0.2", 0.02, "  x: {final: flap}\n",
     "omega thrust k", NULL, 0, 0},
};

static char *text_of_case(const test_case *c)
{
    char end[2000];
    snprintf(end, sizeof end,
             "analyses:\n%s  cut: {type: dynamics, %s, output_step: %g, "
             "integrator: generalized-alpha, spectral_radius: 0.8, step: %g}\n"
             "objectives:\n  E: {integral: energy.kinetic}\n%s",
             c->before, c->motion, 2 * c->step, c->step, c->objectives);
    return example_text(c->name, end);
}

static void check_case(const test_case *c)
{
    char *text = text_of_case(c), path[100], words[100];
    lmb_spec *spec;
    lmb_gradient *g[3];
    snprintf(path, sizeof path, "examples/%s/%s.yaml", c->name, c->name);
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, path, text));
    snprintf(words, sizeof words, "%s", c->settings ? c->settings : "");
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_ok(lmb_spec_set(spec, context, word, value));
    }
    for (int i = 0; i < 3; i++)
        g[i] = gradient_of_spec(spec, c->parameters, (lmb_gradient_method)(LMB_GRADIENT_DIRECT + i),
                                NULL, 0);
    lmb_spec_free(spec);
    free(text);
    const lmb_gradient *direct = g[0];
    for (int i = 0; i < direct->objective_count; i++)
        for (int p = 0; p < direct->parameter_count; p++) {
            int at = i * direct->parameter_count + p;
            double slope = direct->derivatives[at], P = fabs(direct->parameter_values[p]);
            double scale = fmax(fabs(slope), fabs(direct->values[i]) / (P > 0 ? P : 1));
            double terms = fmax(c->terms, 1), noise = fmax(c->noise, 1);
            double adjoint = g[1]->derivatives[at], runs = g[2]->derivatives[at];
            if (!(fabs(adjoint - slope) <= 1e-10 * terms * scale) ||
                !(fabs(runs - slope) <= 1e-7 * noise * scale) || scale == 0)
                fail_msg(
                    "d %s / d %s: direct %.15g, adjoint %.15g (%.2g), differences %.15g (%.2g)",
                    direct->objectives[i], direct->parameters[p], slope, adjoint,
                    (adjoint - slope) / scale, runs, (runs - slope) / scale);
        }
    for (int i = 0; i < 3; i++)
        lmb_gradient_free(g[i]);
}

/* Examples with dynamics that are not above, and why. */
static const char *const others[][2] = {
    {"afterburner-flexible", "its mesh is reduced for every neighbour, which takes minutes"},
    {"crane", "its mesh is reduced for every neighbour, which takes minutes"},
    {"cable-break", "events are for differences alone; see the particle of gradient_values"},
};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], name) == 0)
            return true;
    return false;
}

static void all_examples_are_here(void **unused)
{
    (void)unused;
    DIR *folder = opendir("examples");
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));) {
        char command[700];
        snprintf(command, sizeof command, "grep -qs 'type: dynamics' 'examples/%s/%s.yaml'",
                 e->d_name, e->d_name);
        if (system(command) != 0)
            continue;
        count++;
        if (!is_known(e->d_name))
            fail_msg("the gradient of example '%s' is not tested", e->d_name);
    }
    closedir(folder);
    assert_true(count >= 25);
}

static void run_case(void **state)
{
    check_case(*state);
}

int main(int argc, char **argv)
{
    enum { COUNT = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[COUNT + 1] = {cmocka_unit_test(all_examples_are_here)};
    for (int i = 0; i < COUNT; i++)
        tests[i + 1] = (struct CMUnitTest){cases[i].name, run_case, NULL, NULL, (void *)&cases[i]};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_models, close_models);
}
