/* Bodies with the key `framework`, through the built program: mass properties in closed form, a
 * straight one against a beam, section forces where members meet, names of nodes and members.
 *
 * Loads at interface points of a body that is held at its frame are carried exactly by constraint
 * modes, so what is left of section forces and stresses is rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "strip.h"
#include "support.h"

/* Runs a model and opens nothing: values come through `limber get`. */
static void run_model(const char *name, const char *text)
{
    write_text(scratch_path(name), text);
    lmb_run_result run =
        run_limber("run %s --quiet --no-cache -o %s", scratch_path(name), scratch_path("run.h5"));
    assert_runs(&run);
    assert_string_equal(run.err, "");
    free_run(&run);
}

static double value(const char *channel)
{
    lmb_run_result run = run_limber("get %s %s --final", scratch_path("run.h5"), channel);
    assert_runs(&run);
    double x = strtod(run.out, NULL);
    free_run(&run);
    return x;
}

/* --- mass properties -------------------------------------------------------------------------- */

static const char ladder[] =
    "limber: 1\n"
    "dimension: 3\n"
    "parameters: {D: 0.09, W: 0.003, d: 0.06, w: 0.0025}\n"
    "bodies:\n"
    "  frame:\n"
    "    framework:\n"
    "      section: {tube: {diameter: d, wall: w}}\n"
    "      material: steel\n"
    "      nodes:\n"
    "        L1: [-1.9, 0.4, 0]\n"
    "        L{i}: {repeat: {i: [2, 3]}, at: [-1.2 + 0.8*(i - 2), 0.4, 0]}\n"
    "        L4: [0.4, 0.4, 0]\n"
    "        L5: {at: [1.2, 0.4, 0]}\n"
    "        L6: [1.9, 0.4, 0]\n"
    "        R1: [-1.9, -0.4, 0]\n"
    "        R{i}: {repeat: {i: [2, 5]}, at: [-1.2 + 0.8*(i - 2), -0.4, 0]}\n"
    "        R6: [1.9, -0.4, 0]\n"
    "      members:\n"
    "        left: {along: [L1, L2, L3, L4, L5, L6], section: {tube: {diameter: D, wall: W}}}\n"
    "        right: {along: [R1, R2, R3, R4, R5, R6], section: {tube: {diameter: D, wall: W}}}\n"
    "        cross{i}: {repeat: {i: [1, 6]}, between: [\"L{i}\", \"R{i}\"]}\n"
    "    interfaces: {A: L1, B: {node: R1}, C: {at: [1.9, 0.4, 0]}, D: {node: 12}}\n";

/* Mass and moments of inertia of a tube about its middle: across it and about its axis. */
typedef struct tube {
    double mass, across, about;
} tube;

static tube tube_of(double D, double wall, double length)
{
    double d = D - 2 * wall, A = LMB_PI / 4 * (D * D - d * d);
    double I = LMB_PI / 64 * (pow(D, 4) - pow(d, 4)), density = 7850;
    double m = density * A * length;
    return (tube){m, m * length * length / 12 + density * I * length, 2 * density * I * length};
}

static void check_ladder(const char *options, double D, double W)
{
    static const double x[] = {-1.9, -1.2, -0.4, 0.4, 1.2, 1.9};
    tube rail = tube_of(D, W, 3.8), cross = tube_of(0.06, 0.0025, 0.8);
    double m = 2 * rail.mass + 6 * cross.mass, xx = 2 * (rail.about + rail.mass * 0.16);
    double yy = 2 * rail.across, zz = 2 * (rail.across + rail.mass * 0.16);
    for (int i = 0; i < 6; i++) {
        xx += cross.across;
        yy += cross.about + cross.mass * x[i] * x[i];
        zz += cross.across + cross.mass * x[i] * x[i];
    }
    lmb_run_result run = run_limber("reduce %s --json --quiet --no-cache %s -o %s",
                                    scratch_path("ladder.yaml"), options, scratch_path("l.h5"));
    assert_runs(&run);
    double mass, centre[3], inertia[9];
    assert_int_equal(numbers_of(run.out, "mass", 0, &mass, 1), 1);
    assert_int_equal(numbers_of(run.out, "centre", 0, centre, 3), 3);
    assert_close(mass / m, 1, 1e-12);
    for (int i = 0; i < 3; i++)
        assert_close(centre[i], 0, 1e-13);
    const char *at = strstr(run.out, "\"inertia\""); /* three rows */
    assert_non_null(at);
    at += strlen("\"inertia\"");
    for (int i = 0; i < 9; i++) {
        at += strcspn(at, "-0123456789");
        inertia[i] = strtod(at, (char **)&at);
    }
    assert_close(inertia[0] / xx, 1, 1e-12);
    assert_close(inertia[4] / yy, 1, 1e-12);
    assert_close(inertia[8] / zz, 1, 1e-12);
    free_run(&run);
}

/* Rotary inertia of the sections counts in space; 65.9 kg; the size of a tube is a parameter. */
static void ladder_has_its_mass(void **unused)
{
    (void)unused;
    write_text(scratch_path("ladder.yaml"), ladder);
    tube rail = tube_of(0.09, 0.003, 3.8), cross = tube_of(0.06, 0.0025, 0.8);
    assert_close(2 * rail.mass + 6 * cross.mass, 65.9, 1e-3);
    check_ladder("--set W=0.004", 0.09, 0.004);
    check_ladder("", 0.09, 0.003);
}

/* Free in space: six modes without frequency, then those that deform it. */
static void ladder_moves_freely(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("modes %s --json", scratch_path("l.h5"));
    assert_runs(&run);
    for (int i = 0; i < 7; i++) {
        double f = -1;
        numbers_of(run.out, "frequency", i, &f, 1);
        assert_true(i < 6 ? f == 0 : f > 5 && f < 50);
    }
    free_run(&run);
}

/* Point masses at nodes by name, number and place. */
static void masses_sit_on_nodes(void **unused)
{
    (void)unused;
    char text[4096];
    snprintf(text, sizeof text,
             "%s    masses:\n"
             "      engine: {at: L5, mass: 130}\n"
             "      cab: {node: R4, mass: 160}\n"
             "      load: {at: [-1.2, 0.4, 0], mass: 180}\n"
             "      crew: {node: 3, mass: 75}\n",
             ladder);
    write_text(scratch_path("masses.yaml"), text);
    lmb_run_result run = run_limber("reduce %s --json --quiet --no-cache -o %s",
                                    scratch_path("masses.yaml"), scratch_path("m.h5"));
    assert_runs(&run);
    double mass, centre[3];
    numbers_of(run.out, "mass", 0, &mass, 1);
    numbers_of(run.out, "centre", 0, centre, 3);
    tube rail = tube_of(0.09, 0.003, 3.8), cross = tube_of(0.06, 0.0025, 0.8);
    double all = 2 * rail.mass + 6 * cross.mass + 545;
    assert_close(mass / all, 1, 1e-12);
    assert_close(centre[0], (130 * 1.2 + 160 * 0.4 - 180 * 1.2 - 75 * 0.4) / all, 1e-12);
    assert_close(centre[1], 0.4 * (130 - 160 + 180 + 75) / all, 1e-12);
    free_run(&run);
}

/* --- as a beam -------------------------------------------------------------------------------- */

/* A straight framework of two spans, the second one against the order of its nodes, is the beam of
 * as many elements: frequencies that are held and free. */
static void straight_ones_are_beams(void **unused)
{
    (void)unused;
    static const char *const sources[] = {
        "    beam: {from: [0, 0%s], to: [1, 0%s], elements: 12, section: {rectangle: {width: 0.02, "
        "height: 0.01}}, material: steel}\n    interfaces: {A: start, B: end}\n%.0s",
        "    framework:\n      nodes: {B: [1, 0%s], M: [0.5, 0%s], A: [0, 0%s]}\n"
        "      members: {m: {along: [A, M, B], elements: 6, section: {rectangle: {width: 0.02, "
        "height: 0.01}}, material: steel}}\n    interfaces: {A: A, B: B}\n"};
    for (int dimension = 2; dimension <= 3; dimension++) {
        double f[2][16];
        for (int k = 0; k < 2; k++) {
            char body[1024], text[2048];
            const char *z = dimension == 3 ? ", 0" : "";
            snprintf(body, sizeof body, sources[k], z, z, z);
            snprintf(text, sizeof text,
                     "limber: 1\ndimension: %d\nbodies:\n  b:\n%s    reduction: {modes: 8}\n",
                     dimension, body);
            write_text(scratch_path("straight.yaml"), text);
            lmb_run_result run =
                run_limber("reduce %s --json --quiet --no-cache -o %s",
                           scratch_path("straight.yaml"), scratch_path("straight.h5"));
            assert_runs(&run);
            for (int i = 0; i < 8; i++)
                assert_int_equal(numbers_of(run.out, "frequency", i, &f[k][i], 1), 1);
            free_run(&run);
            run = run_limber("modes %s --json", scratch_path("straight.h5"));
            assert_runs(&run);
            for (int i = 0; i < 8; i++)
                assert_int_equal(
                    numbers_of(run.out, "frequency", (dimension == 2 ? 3 : 6) + i, &f[k][8 + i], 1),
                    1);
            free_run(&run);
        }
        for (int i = 0; i < 16; i++)
            assert_close(f[1][i] / f[0][i], 1, 1e-9);
    }
}

/* --- section forces --------------------------------------------------------------------------- */

/* A rail clamped at one end, with an arm at its middle that a force bends and the rail is twisted
 * by: P acts at D along z. */
static const char tee[] = "limber: 1\n"
                          "dimension: 3\n"
                          "bodies:\n"
                          "  tee:\n"
                          "    framework:\n"
                          "      material: steel\n"
                          "      section: {tube: {diameter: 0.05, wall: 0.003}}\n"
                          "      nodes: {A: [0, 0, 0], B: [0.5, 0, 0], C: [1, 0, 0], D: [0.5, 0.4, "
                          "0]}\n"
                          "      members:\n"
                          "        rail: {along: [A, B, C]}\n"
                          "        arm: {between: [B, D], section: {circle: {diameter: 0.03}}}\n"
                          "    interfaces: {A: A, D: D}\n"
                          "    reduction: {modes: 4, frame: {point: A}}\n"
                          "    probes:\n"
                          "      foot: {member: rail, node: A}\n"
                          "      before: {member: rail, node: B, side: before}\n"
                          "      after: {member: rail, node: B, side: after}\n"
                          "      mean: {member: rail, fraction: 0.5}\n"
                          "      root: {member: arm, node: B}\n"
                          "      tip: {member: arm, arc_length: 0.4}\n"
                          "      quarter: {member: rail, at: [0.25, 0, 0]}\n"
                          "      rail: {member: rail}\n"
                          "      arm: {member: arm}\n"
                          "    patches: {all: {nodes: arm}}\n"
                          "joints: {hold: {type: fixed, between: [ground, tee.A]}}\n"
                          "forces: {push: {type: force, at: tee.D, force: [0, 0, 100]}}\n"
                          "sensors: {strain: {gauge: {body: tee, member: arm, fraction: 0, fibre: "
                          "[0, 0.015]}}}\n"
                          "analyses: {rest: {type: statics}}\n";

static void members_meet(void **unused)
{
    (void)unused;
    const double P = 100, a = 0.5, b = 0.4, tiny = 1e-9;
    run_model("tee.yaml", tee);
    /* the rail carries shear, torque and moment up to the arm, and nothing beyond it */
    assert_close(fabs(value("tee.section.foot.My")) / (P * a), 1, tiny);
    assert_close(fabs(value("tee.section.foot.T")) / (P * b), 1, tiny);
    assert_close(fabs(value("tee.section.foot.Vz")) / P, 1, tiny);
    assert_close(fabs(value("tee.section.quarter.My")) / (P * a / 2), 1, tiny);
    assert_close(value("tee.section.before.T") / value("tee.section.foot.T"), 1, tiny);
    assert_close(value("tee.section.before.My") / (P * a), 0, tiny);
    assert_close(value("tee.section.after.T") / (P * b), 0, tiny);
    assert_close(value("tee.section.after.Vz") / P, 0, tiny);
    assert_close(value("tee.section.mean.T") / value("tee.section.foot.T"), 0.5, tiny);
    assert_close(fabs(value("tee.section.root.My")) / (P * b), 1, tiny);
    assert_close(value("tee.section.root.T") / (P * b), 0, tiny);
    assert_close(value("tee.section.tip.My") / (P * b), 0, tiny);
    /* stresses of the extreme fibres: M c / I, and of the tube with torsion T r / J */
    double D = 0.05, d = 0.044, I = LMB_PI / 64 * (pow(D, 4) - pow(d, 4));
    double bending = P * a * D / 2 / I, torsion = P * b * D / 2 / (2 * I);
    double arm = P * b * 0.015 / (LMB_PI / 64 * pow(0.03, 4));
    assert_close(value("tee.stress.foot.greatest") / bending, 1, tiny);
    assert_close(value("tee.stress.foot") / sqrt(bending * bending + 3 * torsion * torsion), 1,
                 tiny);
    assert_close(value("tee.stress.root") / arm, 1, tiny);
    /* the largest of a member, of the body, and where */
    assert_close(value("tee.stress.rail") / value("tee.stress.foot"), 1, 0);
    assert_close(value("tee.stress.rail.node"), 1, 0);
    assert_close(value("tee.stress.arm") / arm, 1, tiny);
    assert_close(value("tee.stress.arm.node"), 2, 0);
    assert_close(value("tee.stress.max"), fmax(value("tee.stress.arm"), value("tee.stress.rail")),
                 0);
    assert_close(fabs(value("strain")) * 210e9 / arm, 1, tiny);
    /* a patch over the arm moves as its middle nearly does: between its root and its tip */
    double tip = value("tee.D.displacement.z"), mean = value("tee.all.displacement.z");
    assert_true(mean > 0.2 * tip && mean < 0.8 * tip);
}

/* The numbers of a channel at the only instant; returns how many. */
static int values(const char *channel, int most, double *out)
{
    lmb_run_result run = run_limber("get %s %s --final", scratch_path("run.h5"), channel);
    assert_runs(&run);
    int count = 0;
    for (char *at = run.out, *end; count < most; at = end, count++) {
        out[count] = strtod(at, &end);
        if (end == at)
            break;
    }
    free_run(&run);
    return count;
}

/* Along the rail, over both ends of its elements: the moment falls linearly to zero at the arm, the
 * torque jumps there. */
static void forces_along_members(void **unused)
{
    (void)unused;
    enum { ENDS = 16 };
    double place[ENDS + 1], moment[3 * ENDS + 1], force[3 * ENDS + 1], stress[ENDS + 1];
    run_model("tee.yaml", tee);
    assert_int_equal(values("tee.rail.arc_length", ENDS + 1, place), ENDS);
    assert_int_equal(values("tee.rail.section.moment", 3 * ENDS + 1, moment), 3 * ENDS);
    assert_int_equal(values("tee.rail.section.force", 3 * ENDS + 1, force), 3 * ENDS);
    assert_int_equal(values("tee.rail.stress.nodes", ENDS + 1, stress), ENDS);
    double P = force[2] > 0 ? 100 : -100, T = moment[0] > 0 ? 40 : -40;
    double M = moment[1] > 0 ? 50 : -50;
    for (int i = 0; i < ENDS; i++) {
        bool arm = i < ENDS / 2; /* before it */
        assert_close(place[i], (i + 1) / 2 / 8.0, 1e-12);
        assert_close(force[3 * i + 2] / P, arm, 1e-9);
        assert_close(moment[3 * i] / T, arm, 1e-9);
        assert_close(moment[3 * i + 1] / M, arm ? 1 - 2 * place[i] : 0, 1e-9);
    }
    assert_close(stress[0], value("tee.stress.foot"), 0);
    assert_close(stress[ENDS / 2 - 1] / value("tee.stress.before"), 1, 1e-12);
}

/* Names of nodes go before parameters of the same name; numbers and expressions stay numbers. */
static void names_and_numbers(void **unused)
{
    (void)unused;
    static const char *const nodes[] = {"D", "{node: D}", "{node: 4}", "{node: n + 1}",
                                        "{at: [0.5, 0.4, 0]}"};
    for (int i = 0; i < 5; i++) {
        char text[4096], entry[64];
        snprintf(entry, sizeof entry, "interfaces: {A: A, D: %s}", nodes[i]);
        const char *at = strstr(tee, "interfaces:"), *rest = strchr(at, '\n');
        snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - tee), tee, entry, rest,
                 "parameters: {n: 3, D: 1}\n");
        run_model("names.yaml", text);
        assert_close(value("tee.section.foot.My") / -50, 1, 1e-9);
    }
}

/* --- the cache -------------------------------------------------------------------------------- */

/* A text with a piece replaced. */
static const char *with(const char *text, const char *piece, const char *by)
{
    static char out[4096];
    const char *at = strstr(text, piece);
    assert_non_null(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, by, at + strlen(piece));
    return out;
}

/* Whatever changes the body makes it anew. */
static void cached_bodies_are_the_same(void **unused)
{
    (void)unused;
    static const char *const changes[][2] = {
        {"B: [0.5, 0, 0]", "B: [0.6, 0, 0]"},
        {"nodes: {A: [0, 0, 0], B: [0.5, 0, 0]", "nodes: {B: [0.5, 0, 0], A: [0, 0, 0]"},
        {"rail: {along: [A, B, C]}", "rail: {along: [C, B, A]}"},
        {"rail: {along: [A, B, C]}", "rail: {along: [A, B, C], elements: 5}"},
        {"arm: {between", "lever: {between"},
        {"circle: {diameter: 0.03}", "circle: {diameter: 0.04}"},
        {"wall: 0.003}}", "wall: 0.002}}"},
        {"material: steel", "material: aluminium"},
        {"D: D}", "D: C}"},
        {"rail: {along: [A, B, C]}", "rail: {along: [A, B, C], y_axis: [0, 0, 1]}"}};
    const char *model = scratch_path("cache.yaml"), *out = scratch_path("cache.h5");
    forget_cache();
    write_text(model, tee);
    assert_false(reduce_cached(model, "", out));
    assert_true(reduce_cached(model, "", out));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_text(model, with(tee, changes[i][0], changes[i][1]));
        assert_false(reduce_cached(model, "", out));
    }
    write_text(model, tee);
    assert_true(reduce_cached(model, "", out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ladder_has_its_mass), cmocka_unit_test(ladder_moves_freely),
        cmocka_unit_test(masses_sit_on_nodes), cmocka_unit_test(straight_ones_are_beams),
        cmocka_unit_test(members_meet),        cmocka_unit_test(forces_along_members),
        cmocka_unit_test(names_and_numbers),   cmocka_unit_test(cached_bodies_are_the_same),
    };
    return cmocka_run_group_tests_name("framework bodies", tests, NULL, NULL);
}
