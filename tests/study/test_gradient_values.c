/* Gradients with known values: of motions, extrapolated to steps of length zero; of positions,
 * prescribed motions, events and modes as they are.
 *
 * The values come from other programs with other equations of motion (complex steps in 80-bit
 * numbers, extrapolation of order 16), or are closed forms. The errors of generalized-alpha are
 *
 *   G(h) = G + c2 h^2 + c3 h^3 + c4 h^4 + ...
 *
 * once what its start leaves in the accelerations has died out; with a spectral radius of 0.5 that
 * takes few steps. Richardson's table removes these powers one after the other. */
#include "gradients.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define ALPHA "integrator: generalized-alpha, spectral_radius: 0.5, step: 1e-3}\n"

/* What is known of a model; parameter NULL: the value of the objective. */
typedef struct known {
    const char *objective, *parameter;
    double value;
} known;

/* The parameters that occur, "a b c". */
static const char *parameters_of(const known *list, char *out)
{
    *out = '\0';
    for (; list->objective; list++)
        if (list->parameter && !strstr(out, list->parameter)) {
            strcat(out, list->parameter);
            strcat(out, " ");
        }
    return out;
}

/* Compares with tolerance times the value, with steps h, h/2, h/4, h/8. */
static void check_extrapolated(const char *text, double h, double tolerance, const known *list)
{
    enum { LEVELS = 4 };
    char names[200];
    lmb_gradient *g[LEVELS];
    parameters_of(list, names);
    for (int i = 0; i < LEVELS; i++)
        g[i] = gradient_of_text(text, names, LMB_GRADIENT_DIRECT, ldexp(h, -i));
    for (; list->objective; list++) {
        double table[LEVELS];
        for (int i = 0; i < LEVELS; i++)
            table[i] = slope_of(g[i], list->objective, list->parameter);
        for (int power = 2; power <= LEVELS; power++)
            for (int i = 0; i <= LEVELS - power; i++)
                table[i] = table[i + 1] + (table[i + 1] - table[i]) / (ldexp(1, power) - 1);
        if (!(fabs(table[0] - list->value) <= tolerance * fabs(list->value)))
            fail_msg("d %s / d %s = %.15g, expected %.15g: %g of it", list->objective,
                     list->parameter ? list->parameter : "-", table[0], list->value,
                     table[0] / list->value - 1);
    }
    for (int i = 0; i < LEVELS; i++)
        lmb_gradient_free(g[i]);
}

/* --- motions ---------------------------------------------------------------------------------- */

/* A slider-crank with a spring and a damper between the middles of crank and rod. The rod's mass is
 * at its end on the guide, so that the kinetic energy is J1 q'^2/2 + m2 x'^2/2 + J2 p'^2/2; the
 * force acts as far behind that end as the crank's pin is before it. */
static const char slider_crank[] =
    "limber: 1\n"
    "dimension: 2\n"
    "parameters: {a: 0.5, J1: 1, m2: 1, J2: 2, l0: 1, F: 1, k: 1, c: 1}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: J1, angle: pi/2, points: {tip: [a, 0], middle: [a/2, 0]}}\n"
    "  conrod: {mass: m2, inertia: J2, position: [\"cos(asin(a))\", 0], angle: -asin(a), points: "
    "{tip: [-1, 0], middle: [-1/2, 0], beyond: [1, 0]}}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, crank]}\n"
    "  pin: {type: revolute, between: [crank.tip, conrod.tip]}\n"
    "  guide: {type: slot, between: [ground, conrod], axis: [1, 0]}\n"
    "forces:\n"
    "  strut: {type: spring, between: [crank.middle, conrod.middle], stiffness: k, damping: c, "
    "length: l0}\n"
    "  push: {type: force, at: conrod.beyond, force: [F, 0]}\n"
    "analyses:\n"
    "  move: {type: dynamics, duration: 10, output_step: 0.1, " ALPHA "objectives:\n"
    "  G: {integral: energy.kinetic}\n"
    "  q: {final: crank.angle}\n";

static void the_slider_crank_with_a_spring(void **unused)
{
    (void)unused;
    static const known list[] = {
        {"G", NULL, 3.33660679948278},  {"G", "a", 6.06077760033692},
        {"G", "J1", 1.10183273626988},  {"G", "m2", 0.169739059402269},
        {"G", "J2", 0.191038037418439}, {"G", "l0", 0.734758944947696},
        {"G", "F", 1.71326485681627},   {"G", "k", 0.333448106128438},
        {"G", "c", -0.36375403397095},  {"q", NULL, 1.27567584865024},
        {"q", "k", -0.173977929260318}, {"q", "c", -0.268760667091882},
        {"q", "a", -2.37167191256536},  {0},
    };
    check_extrapolated(slider_crank, 0.01, 1e-9, list);
}

/* Rods on five joints, held up by two springs; lengths and start stay when a parameter changes. */
static const char five_bar[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters: {g: 9.81, k1: 100, k2: 100, L01: 2.23606797749979, L02: 2.8284271247461903}\n"
    "bodies:\n"
    "  r1: {shape: {bar: {length: \"norm([0.5, 1])\"}}, mass: 1, position: [0.25, 0.5], angle: "
    "\"atan2(1, 0.5)\", points: {A: [\"-norm([0.5, 1])/2\", 0], P1: [\"norm([0.5, 1])/2\", "
    "0]}}\n" FIVE_BAR_REST "analyses:\n"
    "  move: {type: dynamics, duration: 5, output_step: 0.01, " ALPHA "objectives:\n"
    "  psi: {integral: \"(r2.P2.position.x - 1)^2 + (r2.P2.position.y - 2)^2\"}\n";

static void the_five_bar(void **unused)
{
    (void)unused;
    static const known list[] = {
        {"psi", NULL, 0.353325309953182},
        {"psi", "L01", -2.11807219349321},
        {"psi", "L02", -0.73552307806150},
        {"psi", "k1", -0.00500165772164484},
        {"psi", "k2", -0.00409540479846666},
        {"psi", "g", 0.0782482807625067},
        {0},
    };
    check_extrapolated(five_bar, 0.002, 1e-9, list);
}

/* Its motion spreads errors: rounding of 1e-16 / h in each velocity has grown to 1e-9 after 2 s. */
static const char double_pendulum[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters:\n"
    "  g: 9.81\n"
    "  l1: 1\n"
    "  l2: 0.8\n"
    "  m1: 1\n"
    "  m2: 0.8\n"
    "  theta1: 0\n"
    "  theta2: 0\n"
    "bodies:\n"
    "  upper:\n"
    "    shape: {bar: {length: l1}}\n"
    "    mass: m1\n"
    "    position: [l1/2*cos(theta1), l1/2*sin(theta1)]\n"
    "    angle: theta1\n"
    "    points: {O: [-l1/2, 0], A: [l1/2, 0]}\n"
    "  lower:\n"
    "    shape: {bar: {length: l2}}\n"
    "    mass: m2\n"
    "    position: [l1*cos(theta1) + l2/2*cos(theta2), l1*sin(theta1) + l2/2*sin(theta2)]\n"
    "    angle: theta2\n"
    "    points: {A: [-l2/2, 0], B: [l2/2, 0]}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground, upper.O]}\n"
    "  A: {type: revolute, between: [upper.A, lower.A]}\n"
    "analyses:\n"
    "  swing: {type: dynamics, duration: 2, output_step: 0.01, " ALPHA "objectives:\n"
    "  I: {integral: \"lower.B.velocity.x^2 + lower.B.velocity.y^2\"}\n"
    "  A: {final: lower.angle}\n";

static void the_double_pendulum(void **unused)
{
    (void)unused;
    static const known list[] = {
        {"I", NULL, 64.7559585251896},
        {"I", "l1", 24.2564920467572},
        {"I", "l2", 16.7130480980535},
        {"I", "m1", 2.71357675191148},
        {"I", "theta1", 36.1412061860108},
        {"I", "g", 9.36646141948821},
        {"A", "l1", -3.84864597262077},
        {"A", "l2", -5.26074179912724},
        {"A", "theta2", 0.321553958060783},
        {"A", NULL, -0.0717683042856235},
        {0},
    };
    check_extrapolated(double_pendulum, 0.002, 1e-8, list);

    /* masses in proportion do not change the motion, at any step */
    lmb_gradient *g = gradient_of_text(double_pendulum, "m1 m2", LMB_GRADIENT_DIRECT, 0.01);
    assert_close(1 * slope_of(g, "I", "m1") + 0.8 * slope_of(g, "I", "m2"), 0, 1e-9);
    assert_true(fabs(slope_of(g, "I", "m1")) > 1);
    lmb_gradient_free(g);
}

/* Reactions are seen by way of accelerations: the slopes of rows, known to 1e-13, count 1 / h^2
 * there, so that small steps do not help. */
static void the_sliding_rod(void **unused)
{
    (void)unused;
    static const known angle[] = {
        {"A", NULL, -0.33367631536252},  {"A", "L", -0.862528117253578},
        {"A", "m", -0.039848037195231},  {"A", "theta0", -0.921539523017848},
        {"A", "P", 0.00478176446342772}, {0},
    };
    static const known force[] = {
        {"F", NULL, -272.525531350772},
        {"F", "m", 14.216129868085},
        {"F", "P", -4.43119089767792},
        {0},
    };
    static const known by_length[] = {{"F", "L", 420.492595881659}, {0}};
    char *text =
        example_text("sliding-rod",
                     "analyses:\n  slide: {type: dynamics, duration: 0.2, output_step: 0.01, " ALPHA
                     "objectives:\n  A: {final: rod.angle}\n  F: {final: wall.force.x}\n");
    check_extrapolated(text, 0.0025, 1e-9, angle);
    check_extrapolated(text, 0.01, 5e-9, force);
    check_extrapolated(text, 0.01, 5e-8, by_length);
    free(text);
}

/* A car seen from the side, over a bump of two quintic steps; all kinks of the third derivative are
 * at ends of steps. */
static const char half_car[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters: {g: 9.81, kf: 17000, cf: 1500, kr: 22000, cr: 1500, m: 690, I: 1222, muf: 40.5, "
    "mur: 45.4, kt: 192000, a: 1.3, b: 1.5,\n"
    "  v: 20, h: 0.05, lb: 4, hs: 0.4, t0: 0.2, Ff: m*g*b/(a + b), Fr: m*g*a/(a + b), Tb: lb/v, "
    "t1: t0 + (a + b)/v}\n"
    "bodies:\n"
    "  chassis: {mass: m, inertia: I, position: [0, hs], points: {front: [a, 0], rear: [-b, 0], "
    "seat: [0.5, 0]}}\n"
    "  front: {type: particle, mass: muf, position: [a, 0]}\n"
    "  rear: {type: particle, mass: mur, position: [-b, 0]}\n"
    "joints:\n"
    "  middle: {type: slot, between: [ground, chassis], axis: [0, 1]}\n"
    "  left: {type: slot, between: [[a, 0], front], axis: [0, 1]}\n"
    "  right: {type: slot, between: [[-b, 0], rear], axis: [0, 1]}\n"
    "forces:\n"
    "  strut_f: {type: spring, between: [front, chassis.front], stiffness: kf, damping: cf, "
    "length: hs + Ff/kf}\n"
    "  strut_r: {type: spring, between: [rear, chassis.rear], stiffness: kr, damping: cr, length: "
    "hs + Fr/kr}\n"
    "  tyre_f: {type: force, at: front, force: [0, \"kt*((Ff + muf*g)/kt + h*(step(t, t0, 0, t0 + "
    "Tb/2, 1) - step(t, t0 + Tb/2, 0, t0 + Tb, 1)) - front.position.y)\"]}\n"
    "  tyre_r: {type: force, at: rear, force: [0, \"kt*((Fr + mur*g)/kt + h*(step(t, t1, 0, t1 + "
    "Tb/2, 1) - step(t, t1 + Tb/2, 0, t1 + Tb, 1)) - rear.position.y)\"]}\n"
    "analyses:\n"
    "  ride: {type: dynamics, duration: 2, output_step: 0.01, " ALPHA "objectives:\n"
    "  comfort: {integral: chassis.seat.acceleration.y^2}\n"
    "  grip: {integral: \"(tyre_f.force.y - Ff - muf*g)^2 + (tyre_r.force.y - Fr - mur*g)^2\"}\n"
    "  travel: {integral: \"(strut_f.length - hs)^2 + (strut_r.length - hs)^2\"}\n";

static void the_half_car(void **unused)
{
    (void)unused;
    static const known list[] = {
        {"comfort", NULL, 1.49837760335953},    {"grip", NULL, 1026118.94944831},
        {"travel", NULL, 5.63252774058577e-4},  {"comfort", "kf", 3.78727692455794e-5},
        {"comfort", "cf", 7.82769969143209e-4}, {"comfort", "kr", 1.39107758982745e-5},
        {"comfort", "cr", 1.54951522127049e-4}, {0},
    };
    check_extrapolated(half_car, 0.002, 1e-9, list);
}

/* The masses of all rods in proportion do not change the motion; one row is redundant. */
static void the_mass_of_bricards_rods_does_nothing(void **unused)
{
    (void)unused;
    char *text = example_text("bricard", "analyses:\n  swing: {type: dynamics, duration: 2, "
                                         "output_step: 0.02, " ALPHA
                                         "objectives:\n  x: {integral: rod2.q.position.x}\n"
                                         "  E: {final: energy.kinetic}\n");
    for (lmb_gradient_method method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_DIFFERENCES;
         method++) {
        lmb_gradient *g = gradient_of_text(text, "m", method, 0.02);
        assert_close(slope_of(g, "x", "m"), 0, 1e-10);
        assert_close(slope_of(g, "E", "m"), value_of(g, "E"), 1e-10);
        lmb_gradient_free(g);
    }
    free(text);
}

/* --- prescribed motions, events, modes -------------------------------------------------------- */

static void check_exact(const char *text, double tolerance, const known *list)
{
    lmb_gradient *g = gradient_of_text(text, NULL, LMB_GRADIENT_AUTO, 0);
    for (; list->objective; list++) {
        double found = slope_of(g, list->objective, list->parameter);
        if (!(fabs(found - list->value) <= tolerance * fmax(fabs(list->value), 1)))
            fail_msg("d %s / d %s = %.15g, expected %.15g", list->objective,
                     list->parameter ? list->parameter : "-", found, list->value);
    }
    lmb_gradient_free(g);
}

static void the_driven_slider_crank(void **unused)
{
    (void)unused;
    static const known list[] = {
        {"E", NULL, -3.46952613125725},  {"E", "r", -28.1286134429028},
        {"E", "l", -3.11539177058108},   {"E", "m2", -1.07694688250062},
        {"E", "m3", -0.632332196183832}, {"E", "omega", 0.167490219874013},
        {"X", NULL, 0.269624814226691},  {"X", "r", -0.938972856857872},
        {"X", "l", 1.02617685688843},    {"X", "m1", 0},
        {"Y", NULL, 0.269624814226691},  {"Y", "r", -0.938972856857872},
        {"Y", "l", 1.02617685688843},    {0},
    };
    char *text =
        example_text("slider-crank",
                     "analyses:\n  turn: {type: inverse-dynamics, duration: 1, output_step: 0.01}\n"
                     "  move: {type: kinematics, duration: 1, output_step: 0.01}\n"
                     "objectives:\n  E: {at: motor.effort, time: 0.25, of: turn}\n"
                     "  X: {at: slider.position.x, time: 0.25, of: turn}\n"
                     "  Y: {at: slider.position.x, time: 0.25, of: move}\n");
    check_exact(text, 1e-11, list);
    free(text);
}

/* A particle swings on a rod from the horizontal, is let go at the bottom and lands: its place is
 * 2 sqrt(L (H - L)). Runs differ by what their integrator leaves, 1e-12, over a distance of 1e-3.
 */
static const char let_go[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters: {L: 1, H: 3, g: 9.81}\n"
    "ground: {top: [0, H]}\n"
    "bodies:\n"
    "  bob: {type: particle, mass: 2, position: [-L, H]}\n"
    "joints:\n"
    "  rod: {type: distance, between: [ground.top, bob], length: L}\n"
    "events:\n"
    "  bottom: {when: bob.position.x, direction: rising, release: [rod]}\n"
    "  landing: {when: bob.position.y, direction: falling, stop: true}\n"
    "analyses:\n"
    "  fall: {type: dynamics, duration: 3, output_step: 0.01, tolerance: 1e-12}\n"
    "objectives:\n"
    "  T: {final: t}\n"
    "  x: {final: bob.position.x}\n";

static void a_particle_is_let_go(void **unused)
{
    (void)unused;
    const double root = sqrt(2) / 2;
    const known list[] = {
        {"T", NULL, 1.23051134370816},
        {"T", "L", 0.136342529243504},
        {"T", "H", 0.159637714203525},
        {"T", "g", -0.0627171938689174},
        {"x", NULL, 4 * root},
        {"x", "L", root},
        {"x", "H", root},
        {"x", "g", 0},
        {0},
    };
    check_exact(let_go, 2e-9, list);
}

/* Frequencies of a beam are E^(1/2) density^(-1/2) L^-2 height. */
static const char cantilever[] =
    "limber: 1\n"
    "dimension: 2\n"
    "parameters: {E: 2.1e11, density: 7850, L: 1, height: 0.01, width: 0.02}\n"
    "bodies:\n"
    "  beam:\n"
    "    beam:\n"
    "      from: [0, 0]\n"
    "      to: [L, 0]\n"
    "      elements: 4\n"
    "      section: {rectangle: {width: width, height: height}}\n"
    "      material: {E: E, nu: 0.3, density: density}\n"
    "    interfaces: {A: start}\n"
    "    reduction: {modes: 4, frame: {point: A}}\n"
    "joints:\n"
    "  clamp: {type: fixed, between: [ground, beam.A]}\n"
    "analyses:\n"
    "  shake: {type: modes}\n"
    "objectives:\n"
    "  f1: {at: modes.frequency, mode: 1}\n"
    "  f2: {at: modes.frequency, mode: 2}\n";

static void frequencies_of_a_cantilever(void **unused)
{
    (void)unused;
    static const struct {
        const char *parameter;
        double value, power;
    } list[] = {{"E", 2.1e11, 0.5},
                {"density", 7850, -0.5},
                {"L", 1, -2},
                {"height", 0.01, 1},
                {"width", 0.02, 0}};
    lmb_gradient *g = gradient_of_text(cantilever, NULL, LMB_GRADIENT_AUTO, 0);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int k = 1; k <= 2; k++) {
            const char *f = k == 1 ? "f1" : "f2";
            assert_close(slope_of(g, f, list[i].parameter) * list[i].value / value_of(g, f),
                         list[i].power, 1e-10);
        }
    lmb_gradient_free(g);
}

/* A torque jumps in steps by a tolerance, which begin with true accelerations after it: linearised
 * steps follow that to rounding, which reactions feel over h^2 (steps are 1e-4 s short there), and
 * differences of the fourth order lose 1e-8 of their digits. */
static const char pushed[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {F: 20, m: 1}\n"
    "bodies:\n"
    "  a: {mass: m, inertia: 0.1, position: [0.5, 0], points: {o: [-0.5, 0]}}\n"
    "joints: {pin: {type: revolute, between: [ground, a.o]}}\n"
    "forces: {motor: {type: motor, joint: pin, effort: \"if(t < 0.31, 0, F)\"}}\n"
    "analyses:\n"
    "  run: {type: dynamics, duration: 0.5, output_step: 0.05, integrator: generalized-alpha,"
    " tolerance: 1e-6}\n"
    "objectives: {x: {final: a.position.y}, y: {integral: pin.force.y^2}}\n";

static void a_torque_that_jumps(void **unused)
{
    (void)unused;
    lmb_gradient *direct = gradient_of_text(pushed, NULL, LMB_GRADIENT_DIRECT, 0);
    lmb_gradient *adjoint = gradient_of_text(pushed, NULL, LMB_GRADIENT_ADJOINT, 0);
    lmb_gradient *differences = gradient_of_text(pushed, NULL, LMB_GRADIENT_DIFFERENCES, 0);
    for (int i = 0; i < 4; i++) {
        double size = fabs(direct->derivatives[i]);
        assert_true(fabs(adjoint->derivatives[i] - direct->derivatives[i]) < 1e-8 * size);
        assert_true(fabs(differences->derivatives[i] - direct->derivatives[i]) < 1e-6 * size);
    }
    lmb_gradient_free(direct);
    lmb_gradient_free(adjoint);
    lmb_gradient_free(differences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slider_crank_with_a_spring),
        cmocka_unit_test(the_five_bar),
        cmocka_unit_test(the_double_pendulum),
        cmocka_unit_test(the_sliding_rod),
        cmocka_unit_test(the_half_car),
        cmocka_unit_test(the_mass_of_bricards_rods_does_nothing),
        cmocka_unit_test(the_driven_slider_crank),
        cmocka_unit_test(a_particle_is_let_go),
        cmocka_unit_test(frequencies_of_a_cantilever),
        cmocka_unit_test(a_torque_that_jumps),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
