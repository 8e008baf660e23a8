/* The order of every integrator on every sort of problem: open chain, closed loop, redundant rows,
 * rolling, flexible bodies, friction.
 *
 * For positions q, velocities v, accelerations a and reactions Phi_q^T lambda (multipliers of
 * redundant rows are not unique, the generalised forces of all of them are), the largest error at
 * eight instants against rk45 at 1e-12 falls with the order of the method when its step is halved,
 * or with the tolerance when that is made smaller. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "support.h"
#include "system/solver.h"

enum { Q, V, A, REACTIONS, QUANTITIES, INSTANTS = 8 };

/* What rk45 at 1e-12 is off by itself where rows repeat others, which are solved by iteration. */
static const double rounding = 1e-9;

static const char *const quantities[] = {"q", "v", "a", "reactions"};

#define SPACE "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
#define PLANE "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"

static const char pendulum[] =
    SPACE "  rod: {mass: 2, inertia: [0.02, 0.2, 0.3], position: [0.5, 0, 0],"
          " angular_velocity: [0, 1, 0], points: {o: [-0.5, 0, 0]}}\n"
          "joints: {pin: {type: revolute, between: [ground, rod.o], axis: [0, 1, 0]}}\n";

static const char chain[] =
    SPACE "  a: {mass: 2, inertia: [0.02, 0.2, 0.2], position: [0.5, 0, 0],"
          " angular_velocity: [0.3, 0.5, 1], points: {o: [-0.5, 0, 0], e: [0.5, 0, 0]}}\n"
          "  b: {mass: 1, inertia: [0.02, 0.1, 0.15], position: [1.4, 0, 0],"
          " points: {o: [-0.4, 0, 0], e: [0.4, 0, 0]}}\n"
          "  c: {mass: 1, inertia: [0.03, 0.1, 0.05], position: [1.8, 0.3, 0],"
          " points: {o: [0, -0.3, 0]}}\n"
          "joints:\n"
          "  ball: {type: spherical, between: [ground, a.o]}\n"
          "  cross: {type: universal, between: [a.e, b.o], axis: [0, 1, 0], axis_b: [0, 0, 1]}\n"
          "  pin: {type: revolute, between: [b.e, c.o], axis: [0.2, 1, 0]}\n";

static const char loop[] =
    PLANE "  a: {mass: 1, inertia: 0.02, position: [0, 0.1], angle: pi/2, angular_velocity: -4,"
          " points: {p: [-0.1, 0], q: [0.1, 0]}}\n"
          "  b: {mass: 2, inertia: 0.05, position: [0.3, 0.3], points: {p: [-0.3, 0],"
          " q: [0.3, 0]}}\n"
          "  c: {mass: 3, inertia: 0.04, position: [0.6, 0.2], angle: pi/2,"
          " points: {p: [-0.25, 0], q: [0.25, 0]}}\n"
          "joints:\n"
          "  A: {type: revolute, between: [ground, a.p]}\n"
          "  B: {type: revolute, between: [a.q, b.p]}\n"
          "  C: {type: revolute, between: [b.q, c.q]}\n"
          "  D: {type: revolute, between: [[0.6, 0], c.p]}\n";

/* On an axis that leans, so that it swings. */
static const char door[] =
    SPACE "  door: {mass: 20, inertia: [7, 1.2, 6], position: [0.4, 0.1, 1],"
          " angular_velocity: [0, 0, 2], points: {low: [-0.4, 0, -0.8], high: [-0.4, 0, 0.8]}}\n"
          "joints:\n"
          "  low: {type: revolute, between: [[0, 0.1, 0.2], door.low], axis: [0, 0, 1]}\n"
          "  high: {type: revolute, between: [[0, 0.1, 1.8], door.high], axis: [0, 0, 1]}\n"
          "forces: {wind: {type: force, at: door, force: [0, 60, 0]}}\n";

static const char redundant_loop[] =
    "limber: 1\ndimension: 3\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  a: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0, 0.1, 0], rotation: [0, 0, pi/2],"
    " angular_velocity: [0, 0, -4], points: {p: [-0.1, 0, 0], q: [0.1, 0, 0]}}\n"
    "  b: {mass: 2, inertia: [0.01, 0.05, 0.05], position: [0.3, 0.3, 0],"
    " points: {p: [-0.3, 0, 0], q: [0.3, 0, 0]}}\n"
    "  c: {mass: 3, inertia: [0.01, 0.04, 0.04], position: [0.6, 0.2, 0], rotation: [0, 0, pi/2],"
    " points: {p: [-0.25, 0, 0], q: [0.25, 0, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, a.p], axis: [0, 0, 1]}\n"
    "  B: {type: revolute, between: [a.q, b.p], axis: [0, 0, 1]}\n"
    "  C: {type: revolute, between: [b.q, c.q], axis: [0, 0, 1]}\n"
    "  D: {type: revolute, between: [[0.6, 0, 0], c.p], axis: [0, 0, 1]}\n";

static const char disc[] =
    SPACE "  disc: {mass: 2, inertia: [0.005, 0.005, 0.01], position: [0, 0, 0.1*cos(0.2)],"
          " rotation: [pi/2 - 0.2, 0, 0], angular_velocity: [0, 15, 3]}\n"
          "joints: {road: {type: rolling, between: [ground, disc], axis: [0, 0, 1],"
          " axis_b: [0, 0, 1], radius: 0.1}}\n";

/* A wheel with a seat on its axle that swings. */
static const char unicycle[] =
    SPACE "  wheel: {mass: 3, inertia: [0.1, 0.2, 0.1], position: [0, 0, 0.3],"
          " angular_velocity: [0.1, 12, 0.5]}\n"
          "  seat: {mass: 4, inertia: [0.2, 0.3, 0.1], position: [0.1, 0, 0], points:"
          " {hub: [-0.1, 0, 0.3]}}\n"
          "joints:\n"
          "  road: {type: rolling, between: [ground, wheel], axis: [0, 0, 1], axis_b: [0, 1, 0],"
          " radius: 0.3}\n"
          "  hub: {type: revolute, between: [wheel, seat.hub], axis: [0, 1, 0]}\n";

/* Two wheels on one axle: their side slips are one and the same condition. */
static const char axle[] =
    SPACE "  axle: {mass: 10, inertia: [0.8, 0.3, 0.9], position: [0.02, 0, 0.3],"
          " angular_velocity: [0, 0, 0.8], velocity: [2, 0.016, 0],"
          " points: {l: [-0.02, 0.5, 0], r: [-0.02, -0.5, 0]}}\n"
          "  left: {mass: 3, inertia: [0.1, 0.2, 0.1], position: [0, 0.5, 0.3]}\n"
          "  right: {mass: 3, inertia: [0.1, 0.2, 0.1], position: [0, -0.5, 0.3]}\n"
          "joints:\n"
          "  l: {type: revolute, between: [axle.l, left], axis: [0, 1, 0]}\n"
          "  r: {type: revolute, between: [axle.r, right], axis: [0, 1, 0]}\n"
          "  road_l: {type: rolling, between: [ground, left], axis: [0, 0, 1],"
          " axis_b: [0, 1, 0], radius: 0.3}\n"
          "  road_r: {type: rolling, between: [ground, right], axis: [0, 0, 1],"
          " axis_b: [0, 1, 0], radius: 0.3}\n"
          "forces: {hold: {type: torsion-spring, joint: l, stiffness: 3, damping: 1}}\n";

/* Its modes are slow enough for all steps here. */
static const char flexible[] =
    PLANE "  strip:\n"
          "    beam: {from: [0, 0], to: [1, 0], elements: 8, section: {rectangle: {width: 0.03,"
          " height: 0.004}}, material: steel}\n"
          "    interfaces: {pivot: start, end: end}\n"
          "    reduction: {modes: 1, frame: {chord: [pivot, end]}}\n"
          "    damping: 0.02\n"
          "  tip: {mass: 0.5, inertia: 0.01, position: [1.1, 0], points: {o: [-0.1, 0]}}\n"
          "joints:\n"
          "  hinge: {type: revolute, between: [ground, strip.pivot]}\n"
          "  wrist: {type: revolute, between: [strip.end, tip.o]}\n";

static const char friction[] =
    PLANE "  a: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
          "  b: {mass: 2, inertia: 0.2, position: [1.5, 0], points: {p: [-0.5, 0]}}\n"
          "joints:\n"
          "  A: {type: revolute, between: [ground, a.p]}\n"
          "  B: {type: revolute, between: [a.q, b.p]}\n"
          "forces:\n"
          "  fa: {type: friction, joint: A, coefficient: 0.3, radius: 0.1, stick_speed: 0.5}\n"
          "  fb: {type: friction, joint: B, coefficient: 0.4, radius: 0.1, stick_speed: 0.5}\n";

static const struct {
    const char *name, *text;
    double t, step; /* how long, and the longer step */
} problems[] = {
    {"pendulum", pendulum, 0.8, 2e-3},
    {"open chain", chain, 0.8, 2e-3},
    {"closed loop", loop, 0.8, 1e-3},
    /* at 3e-4 s rounding, divided by h^2, is a third of the error of its accelerations */
    {"door on two hinges", door, 0.8, 1.2e-3},
    {"redundant loop", redundant_loop, 0.8, 1e-3},
    {"rolling disc", disc, 0.8, 1e-3},
    {"unicycle", unicycle, 0.8, 2e-3},
    {"axle with two wheels", axle, 0.8, 2e-3},
    {"flexible", flexible, 0.4, 1e-4},
    {"friction", friction, 0.8, 1e-3},
};

static const struct {
    const char *name;
    lmb_integration options; /* the step is that of the problem */
    double order;            /* 0: the error follows the tolerance */
} methods[] = {
    {"rk45", {.integrator = &lmb_integrator_rk45, .tolerance = 1e-6}, 0},
    {"rk45 partitioned",
     {.integrator = &lmb_integrator_rk45, .tolerance = 1e-6, .stabilisation = LMB_PARTITIONING},
     0},
    {"rk45 baumgarte",
     {.integrator = &lmb_integrator_rk45,
      .tolerance = 1e-6,
      .stabilisation = LMB_BAUMGARTE,
      .baumgarte = 20},
     0},
    {"euler", {.integrator = &lmb_integrator_euler}, 1},
    {"adams", {.integrator = &lmb_integrator_adams}, 4},
    {"adams partitioned",
     {.integrator = &lmb_integrator_adams, .stabilisation = LMB_PARTITIONING},
     4},
    {"generalized-alpha", {.integrator = &lmb_integrator_alpha, .spectral_radius = 0.8}, 2},
    {"generalized-alpha 0", {.integrator = &lmb_integrator_alpha, .spectral_radius = 0}, 2},
    {"hht", {.integrator = &lmb_integrator_hht, .spectral_radius = 0.8}, 2},
    {"newmark 0.8", {.integrator = &lmb_integrator_newmark, .spectral_radius = 0.8}, 1},
    {"newmark 1", {.integrator = &lmb_integrator_newmark, .spectral_radius = 1}, 2},
    {"generalized-alpha, controlled",
     {.integrator = &lmb_integrator_alpha, .spectral_radius = 0.8, .tolerance = 1e-6},
     0},
    {"hht, controlled",
     {.integrator = &lmb_integrator_hht, .spectral_radius = 0.8, .tolerance = 1e-6},
     0},
    {"ali3p", {.integrator = &lmb_integrator_ali3p}, 2},
    {"ali3p mass", {.integrator = &lmb_integrator_ali3p, .projection = LMB_PROJECT_MASS}, 2},
    {"ali3p, controlled", {.integrator = &lmb_integrator_ali3p, .tolerance = 1e-6}, 0},
    {"ida", {.integrator = &lmb_integrator_ida, .tolerance = 1e-6}, 0},
};

enum {
    PROBLEMS = sizeof problems / sizeof problems[0],
    METHODS = sizeof methods / sizeof methods[0]
};

/* Everything at the instants: numbers of one after the other, nq or nv of each quantity. */
typedef struct record {
    double *of[QUANTITIES];
    int count[QUANTITIES];
} record;

static record new_record(const lmb_model *m)
{
    record r;
    for (int k = 0; k < QUANTITIES; k++) {
        r.count[k] = k == Q ? m->nq : m->nv;
        r.of[k] = calloc((size_t)r.count[k] * INSTANTS + 1, sizeof(double));
    }
    return r;
}

static void free_record(record *r)
{
    for (int k = 0; k < QUANTITIES; k++)
        free(r->of[k]);
}

static record run(const lmb_model *m, lmb_integration options, double t)
{
    lmb_dynamics *d = start_motion(m, options);
    record r = new_record(m);
    for (int i = 0; i < INSTANTS; i++) {
        lmb_state *s = d->solver->state;
        advance(d, t * (i + 1) / INSTANTS);
        const double *from[] = {s->q, s->v, s->a};
        for (int k = Q; k <= A; k++)
            memcpy(r.of[k] + i * r.count[k], from[k], (size_t)r.count[k] * sizeof(double));
        lmb_jacobian(s);
        lmb_jacobian_transposed_subtract(s, s->lambda, r.of[REACTIONS] + i * m->nv);
    }
    lmb_dynamics_free(d);
    return r;
}

/* The largest difference of each quantity, relative to its largest number; in q, to lengths. */
static void errors_of(const record *x, const record *exact, double errors[QUANTITIES])
{
    for (int k = 0; k < QUANTITIES; k++) {
        double size = k == Q ? 1 : 0;
        for (int i = 0; i < x->count[k] * INSTANTS; i++)
            size = fmax(size, fabs(exact->of[k][i]));
        errors[k] = distance(x->of[k], exact->of[k], x->count[k] * INSTANTS) / size;
    }
}

/* Whether a quantity is judged. Without damping, errors of accelerations and reactions never fade:
 * they grow with the number of steps, from what rounding divided by h^2 puts there. */
static bool is_judged(const lmb_integration *options, int quantity)
{
    return quantity <= V || options->spectral_radius < 1;
}

/* A hundredth of the tolerance gives a twentieth of the error where steps have order 2 (the power
 * 2/3), and less elsewhere; an eighth is asked for. */
static bool is_right(double order, double coarse, double fine)
{
    double least = order > 0 ? order - 0.5 : 3;
    return coarse < 0.06 && (fine < rounding || log2(coarse / fine) > least);
}

static void check_problem(int p)
{
    lmb_model *m = model_of_text(problems[p].text);
    double t = problems[p].t;
    record exact =
        run(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12}, t);
    for (int k = 0; k < METHODS; k++) {
        double errors[2][QUANTITIES], order = methods[k].order;
        for (int fine = 0; fine < 2; fine++) {
            lmb_integration options = methods[k].options;
            options.step = order > 0 ? problems[p].step / (fine ? 2 : 1) : 0.05;
            options.tolerance *= fine ? 1e-2 : 1;
            record r = run(m, options, t);
            errors_of(&r, &exact, errors[fine]);
            free_record(&r);
        }
        for (int n = 0; n < QUANTITIES; n++) {
            double slope = log2(errors[0][n] / errors[1][n]);
            if (getenv("LIMBER_SHOW"))
                printf("%-22s %-30s %-10s %9.2e %9.2e order %.2f\n", problems[p].name,
                       methods[k].name, quantities[n], errors[0][n], errors[1][n], slope);
            if (is_judged(&methods[k].options, n) && !is_right(order, errors[0][n], errors[1][n]))
                fail_msg("%s with %s: errors of %s %g and %g, order %.2f", problems[p].name,
                         methods[k].name, quantities[n], errors[0][n], errors[1][n], slope);
        }
    }
    free_record(&exact);
    lmb_model_free(m);
}

static void every_method_has_its_order(void **unused)
{
    (void)unused;
    for (int p = 0; p < PROBLEMS; p++)
        check_problem(p);
}

/* None that is registered is missing. */
static void every_integrator_is_here(void **unused)
{
    (void)unused;
    for (int i = 0; lmb_integrators[i]; i++) {
        bool here = false;
        for (int k = 0; k < METHODS; k++)
            here |= methods[k].options.integrator == lmb_integrators[i];
        if (!here && lmb_integrators[i] != &lmb_integrator_rk45) /* the others are compared to it */
            fail_msg("'%s' has no order here", lmb_integrators[i]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integrator_is_here),
        cmocka_unit_test(every_method_has_its_order),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
