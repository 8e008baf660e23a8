/* Optimisations with known answers, by small models: a particle at (x, y) makes any function of
 * its place an objective. Those of the examples are in test_optimised_examples.c.
 *
 * A search ends when no variable changes by more than T = 1e-8 of its range. With quadratic models
 * of f (slsqp) the design is then about that near to its optimum; where no limit holds it, rounding
 * of f by 1e-16 leaves sqrt(1e-16) of the range. DESIGN = 1e-7 of the range is asked of all of
 * them. A value is known to the square of that where no limit holds the design (FLAT), else to
 * first order: VALUE. */
#include "studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradients.h"
#include "math/minimise.h"
#include "support.h"

#define DESIGN 1e-7
#define VALUE 1e-7
#define FLAT 1e-13

#define PARTICLE                                                                                   \
    "limber: 1\n"                                                                                  \
    "dimension: 2\n"                                                                               \
    "parameters: {x: 0.5, y: 0.25, a: 1, b: 1}\n"                                                  \
    "bodies: {p: {type: particle, mass: 1, position: [x, y]}}\n"                                   \
    "analyses: {place: {type: assembly}}\n"

/* The root of a function between two numbers of different sign. */
static double root_of(double (*f)(double), double low, double high)
{
    bool rising = f(high) > 0;
    assert_true((f(low) > 0) != rising);
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        *((f(middle) > 0) == rising ? &high : &low) = middle;
    }
    return low;
}

/* --- limits and bounds ------------------------------------------------------------------------ */

/* The largest rectangle of circumference 2 (x + y) <= 4 is the square: x y = P^2 / 16, which gains
 * P / 8 = 1/2 by each unit of P. */
static const char rectangle[] = PARTICLE
    "objectives:\n"
    "  area: {final: p.position.x*p.position.y}\n"
    "  fence: {final: 2*(p.position.x + p.position.y)}\n"
    "studies:\n"
    "  most: {type: optimise, maximise: area, design: {x: [0, 3], y: [0, 5]}, subject_to: {fence: "
    "{at_most: 4}}}\n"
    "  least: {type: optimise, minimise: fence, design: {x: [0.1, 3], y: [0.1, 5]}, subject_to: "
    "{area: {at_least: 1, at_most: 7}}}\n";

static void the_largest_rectangle_is_a_square(void **unused)
{
    (void)unused;
    lmb_optimum *o = optimum_of(rectangle, "most", NULL);
    assert_true(o->feasible && o->maximise);
    assert_close(design_of(o, "x"), 1, 3 * DESIGN);
    assert_close(design_of(o, "y"), 1, 5 * DESIGN);
    assert_close(best_of(o, NULL), 1, VALUE);
    assert_close(o->start_values[0], 0.125, 1e-15);
    const lmb_active *l = limit_of(o, "fence");
    assert_true(l->active && l->side == '<' && l->limit == 4);
    assert_close(l->value, 4, VALUE);
    assert_close(l->multiplier, 0.5, 5 * DESIGN); /* first order in the design */
    assert_int_equal(o->bound_count, 0);
    assert_true(o->optimality <= 1e-6);
    assert_int_equal(warning_count(), 0);
    lmb_optimum_free(o);

    /* The other way round: 4 sqrt(A), whose gain by a smaller A is 2 / sqrt(A). Of the two sides
     * of the limit one is active, and the other has no multiplier. */
    o = optimum_of(rectangle, "least", NULL);
    assert_close(best_of(o, NULL), 4, VALUE);
    assert_int_equal(o->limit_count, 2);
    for (int i = 0; i < 2; i++) {
        l = &o->limits[i];
        assert_true(l->active == (l->side == '>'));
        assert_close(l->multiplier, l->active ? 2 : 0, 5 * DESIGN);
    }
    lmb_optimum_free(o);
}

/* x^2 + 2 y^2 with x + y >= 1: at (2/3, 1/3) with the value 2/3 c^2, which a smaller limit c lowers
 * by 4/3. All methods find it; those that only converge linearly, or draw numbers, not as well: see
 * tests/math/test_minimise.c. */
static void all_methods_keep_to_a_limit(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++) {
        char text[1000];
        snprintf(text, sizeof text,
                 PARTICLE
                 "objectives:\n"
                 "  f: {final: p.position.x^2 + 2*p.position.y^2}\n"
                 "  sum: {final: p.position.x + p.position.y}\n"
                 "studies: {s: {type: optimise, minimise: f, method: %s, evaluations: 5000,"
                 " design: {x: [-1, 2], y: [-1, 2]}, subject_to: {sum: {at_least: 1}}}}\n",
                 m->name);
        lmb_optimum *o = optimum_of(text, NULL, NULL);
        bool linear = strcmp(m->name, "mma") == 0 || strcmp(m->name, "ccsaq") == 0 ||
                      strcmp(m->name, "cobyla") == 0;
        bool evolves = strcmp(m->name, "isres") == 0; /* 83 generations: a demand */
        double error = 3 * (evolves ? 1e-2 : m->global ? 1e-3 : linear ? 1e3 * 1e-8 : DESIGN);
        assert_string_equal(o->method, m->name);
        if (!o->feasible || !(fabs(design_of(o, "x") - 2. / 3) <= error) ||
            !(fabs(design_of(o, "y") - 1. / 3) <= error))
            fail_msg("%s: %.12g, %.12g, feasible %d", m->name, design_of(o, "x"), design_of(o, "y"),
                     o->feasible);
        if (!m->global)
            assert_close(limit_of(o, "sum")->multiplier, 4. / 3, 4 * error);
        lmb_optimum_free(o);
    }
}

/* x^2 + 2 y^2 with x + y = c: x = 2 c / 3, y = c / 3, value 2/3 c^2; the multiplier is minus its
 * derivative by c, -4/3 c. At c = 0 the limit has no size of its own. */
static void an_equality(void **unused)
{
    (void)unused;
    static const double c[] = {1, -1.5, 0};
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 PARTICLE "objectives:\n"
                          "  f: {final: p.position.x^2 + 2*p.position.y^2}\n"
                          "  sum: {final: p.position.x + p.position.y}\n"
                          "studies: {s: {type: optimise, minimise: f, design: {x: [-2, 2], y: [-2, "
                          "2]}, subject_to: {sum: {equal: %g}}}}\n",
                 c[i]);
        lmb_optimum *o = optimum_of(text, NULL, NULL);
        assert_true(o->feasible);
        assert_close(design_of(o, "x"), 2 * c[i] / 3, 4 * DESIGN);
        assert_close(design_of(o, "y"), c[i] / 3, 4 * DESIGN);
        assert_close(best_of(o, NULL), 2. / 3 * c[i] * c[i], VALUE);
        assert_close(best_of(o, "sum"), c[i], VALUE);
        const lmb_active *l = limit_of(o, "sum");
        assert_true(l->active && l->side == '=');
        assert_close(l->multiplier, -4. / 3 * c[i], 16 * DESIGN);
        lmb_optimum_free(o);
    }
}

/* (x - 3)^2 + (y + 2)^2 within [-2, 2] x [-1, 1]: at x = 2, y = -1, where wider bounds gain 2 each;
 * its maximum at x = -2, y = 1: 25 + 9, which gain 10 and 6. */
static void an_optimum_at_bounds(void **unused)
{
    (void)unused;
    static const char text[] =
        PARTICLE "objectives: {f: {final: (p.position.x - 3)^2 + (p.position.y + 2)^2}}\n"
                 "studies:\n"
                 "  least: {type: optimise, minimise: f, design: {x: [-2, 2], y: [-1, 1]}}\n"
                 "  most: {type: optimise, maximise: f, design: {x: [-2, 2], y: [-1, 1]}}\n";
    lmb_optimum *o = optimum_of(text, "least", NULL);
    assert_close(design_of(o, "x"), 2, 1e-14); /* the box of the search is scaled */
    assert_close(design_of(o, "y"), -1, 1e-14);
    assert_close(best_of(o, NULL), 2, 1e-13);
    assert_int_equal(o->bound_count, 2);
    assert_true(bound_of(o, "x")->side == '<' && bound_of(o, "y")->side == '>');
    /* derivatives of places are exact to about 1e-9 */
    assert_close(bound_of(o, "x")->multiplier, 2, 1e-8);
    assert_close(bound_of(o, "y")->multiplier, 2, 1e-8);
    assert_true(o->optimality <= 1e-8);
    lmb_optimum_free(o);
    o = optimum_of(text, "most", NULL);
    assert_close(design_of(o, "x"), -2, 1e-14);
    assert_close(design_of(o, "y"), 1, 1e-14);
    assert_close(best_of(o, NULL), 34, 1e-13);
    assert_close(bound_of(o, "x")->multiplier, 10, 1e-8);
    assert_close(bound_of(o, "y")->multiplier, 6, 1e-8);
    lmb_optimum_free(o);
}

/* x^2 can be 4 at most: 0.6 of the limit of 10 is left. Far from it the other limit still holds. */
static void a_limit_that_cannot_be_kept(void **unused)
{
    (void)unused;
    static const char text[] = PARTICLE
        "objectives: {f: {final: p.position.y}, square: {final: p.position.x^2}}\n"
        "studies: {s: {type: optimise, minimise: f, design: {x: [-1, 2], y: [0, 1]}, subject_to: "
        "{square: {at_least: 10}}}}\n";
    lmb_optimum *o = optimum_of(text, NULL, NULL);
    assert_false(o->feasible);
    assert_close(design_of(o, "x"), 2, 3 * DESIGN);
    assert_close(o->violation, 0.6, 1e-6);
    assert_true(was_said("no design was found that keeps to all limits"));
    lmb_optimum_free(o);
}

/* --- several starts --------------------------------------------------------------------------- */

static double valley_slope(double x)
{
    return 4 * x * (x * x - 1) + 0.3;
}

/* (x^2 - 1)^2 + 0.3 x + y^2 has two valleys; the one at x < 0 is deeper. From x = 0.5 the nearer
 * one is found, and with several starts both. */
static void the_deeper_of_two_valleys(void **unused)
{
    (void)unused;
    static const char text[] = PARTICLE
        "objectives: {f: {final: (p.position.x^2 - 1)^2 + 0.3*p.position.x + p.position.y^2}}\n"
        "studies:\n"
        "  one: {type: optimise, minimise: f, design: {x: [-2, 2], y: [-1, 1]}}\n"
        "  six: {type: optimise, minimise: f, design: {x: [-2, 2], y: [-1, 1]}, starts: 6}\n"
        "  all: {type: optimise, minimise: f, design: {x: [-2, 2], y: [-1, 1]}, method: direct, "
        "evaluations: 2000}\n";
    double near = root_of(valley_slope, 0.7, 1.5), deep = root_of(valley_slope, -1.5, -0.7);
    double least = pow(deep * deep - 1, 2) + 0.3 * deep;
    lmb_optimum *o = optimum_of(text, "one", NULL);
    assert_close(design_of(o, "x"), near, 4 * DESIGN);
    lmb_optimum_free(o);
    o = optimum_of(text, "six", NULL);
    assert_close(design_of(o, "x"), deep, 4 * DESIGN);
    assert_close(best_of(o, NULL), least, FLAT);
    assert_int_equal(o->search_count, 6);
    int there = 0;
    for (int i = 0; i < 6; i++) { /* each in one of them */
        double x = o->searches[i].x[0];
        assert_true(fabs(x - deep) <= 4 * DESIGN || fabs(x - near) <= 4 * DESIGN);
        there += x < 0;
    }
    assert_true(there > 0 && there < 6);
    assert_true(o->searches[0].start[0] == 0.5);
    lmb_optimum_free(o);
    o = optimum_of(text, "all", NULL); /* all of the box: from anywhere */
    assert_close(best_of(o, NULL), least, 1e-6);
    assert_true(design_of(o, "x") < 0);
    lmb_optimum_free(o);
}

/* exp(x) + exp(-2 x) + (x - y)^2 + (y - 1)^2 is convex: all starts end at the same design. */
static void a_convex_problem_from_all_starts(void **unused)
{
    (void)unused;
    static const char text[] = PARTICLE
        "objectives: {f: {final: exp(p.position.x) + exp(-2*p.position.x) + (p.position.x - "
        "p.position.y)^2 + (p.position.y - 1)^2}}\n"
        "studies: {s: {type: optimise, minimise: f, design: {x: [-3, 3], y: [-2, 5]}, starts: "
        "8}}\n";
    lmb_optimum *o = optimum_of(text, NULL, NULL);
    for (int i = 0; i < o->search_count; i++) {
        const lmb_search_end *e = &o->searches[i];
        assert_close(e->x[0], o->x[0], 12 * DESIGN); /* two of them apart */
        assert_close(e->x[1], o->x[1], 14 * DESIGN);
        assert_close(e->objective, best_of(o, NULL), FLAT);
        assert_close(e->x[1], (1 + e->x[0]) / 2, 14 * DESIGN); /* df/dy = 0 */
    }
    assert_int_equal(o->search_count, 8);
    lmb_optimum_free(o);
}

/* --- trade-offs ------------------------------------------------------------------------------- */

/* x and 1 - x^2 over 0 <= x <= 1 are both to be large: from x = 1 to x = 0, between with
 * 1 - x^2 >= e for e = 1/4, 1/2, 3/4. With a limit of x <= 0.8 the curve begins there, at 0.36, and
 * e = 0.52, 0.68, 0.84. */
static void a_curve_between_two_that_are_maximised(void **unused)
{
    (void)unused;
    static const char text[] = PARTICLE
        "objectives: {far: {final: p.position.x}, round: {final: 1 - p.position.x^2}}\n"
        "studies:\n"
        "  free: {type: optimise, maximise: [far, round], design: {x: [0, 1]}, points: 5}\n"
        "  kept: {type: optimise, maximise: [far, round], design: {x: [0, 1]}, points: 5, "
        "subject_to: {far: {at_most: 0.8}}}\n";
    for (int kept = 0; kept < 2; kept++) {
        lmb_optimum *o = optimum_of(text, kept ? "kept" : "free", NULL);
        double first = kept ? 0.36 : 0;
        assert_int_equal(o->curve_count, 5);
        for (int k = 0; k < 5; k++) {
            const lmb_tradeoff_point *p = &o->curve[k];
            double e = first + k * (1 - first) / 4;
            assert_true(p->feasible);
            assert_close(p->objective[1], e, VALUE);
            assert_close(p->x[0], sqrt(1 - e), k < 4 ? DESIGN : sqrt(1e-16) + DESIGN);
            assert_close(p->objective[0], p->x[0], 1e-15);
        }
        lmb_optimum_free(o);
    }
}

/* --- choices ---------------------------------------------------------------------------------- */

/* (a x - 2)^2 + b x^2 + a/10 for sizes a and b of a catalogue: x = 2 a / (a^2 + b), and the value
 * 4 b / (a^2 + b) + a/10; the best of all by looking at each. */
static const double catalogue_a[] = {3.5, 1, 6, 2, 9}, catalogue_b[] = {0.75, 0.5, 2};

static void sizes_of_a_catalogue_with_a_continuous_one(void **unused)
{
    (void)unused;
    static const char text[] = PARTICLE
        "objectives: {f: {final: (a*p.position.x - 2)^2 + b*p.position.x^2 + a/10}}\n"
        "studies: {s: {type: optimise, minimise: f, design: {a: {choices: [3.5, 1, 6, 2, 9]}, x: "
        "[0, 4], b: {choices: [0.75, 0.5, 2]}}}}\n";
    double least = INFINITY, best[3] = {0};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            double a = catalogue_a[i], b = catalogue_b[k];
            double f = 4 * b / (a * a + b) + a / 10;
            if (f < least) {
                least = f;
                best[0] = a;
                best[1] = 2 * a / (a * a + b);
                best[2] = b;
            }
        }
    lmb_optimum *o = optimum_of(text, NULL, NULL);
    assert_true(design_of(o, "a") == best[0] && design_of(o, "b") == best[2]);
    assert_close(design_of(o, "x"), best[1], 4 * DESIGN);
    assert_close(best_of(o, NULL), least, FLAT);
    assert_int_equal(o->search_count, 15);
    for (int i = 0; i < 15; i++) { /* each of them is the best with its sizes */
        const lmb_search_end *e = &o->searches[i];
        double a = e->x[0], b = e->x[2];
        assert_close(e->objective, 4 * b / (a * a + b) + a / 10, FLAT);
    }
    lmb_optimum_free(o);
}

/* Nothing but choices, with a limit: the product a b as large as can be, but below 6. */
static void choices_alone(void **unused)
{
    (void)unused;
    static const char text[] = PARTICLE
        "objectives: {volume: {final: a*b*p.position.x}}\n"
        "studies:\n"
        "  s: {type: optimise, maximise: volume, design: {a: {choices: [3.5, 1, 6, 2, 9]}, b: "
        "{choices: [0.75, 0.5, 2]}}, subject_to: {volume: {at_most: 3.4}}}\n"
        "  none: {type: optimise, maximise: volume, design: {a: {choices: [3.5, 6]}}, subject_to: "
        "{volume: {at_most: 1}}}\n";
    double most = 0;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            double volume = catalogue_a[i] * catalogue_b[k] * 0.5;
            most = volume <= 3.4 ? fmax(most, volume) : most;
        }
    lmb_optimum *o = optimum_of(text, "s", NULL);
    assert_close(best_of(o, NULL), most, 1e-15);
    assert_true(o->feasible && o->choice[0] && o->choice[1]);
    /* each combination is run once, and the model as it is, which is none of them */
    assert_int_equal(o->trial_count, 16);
    assert_int_equal(o->gradient_count, 0);
    lmb_optimum_free(o);
    o = optimum_of(text, "none", NULL); /* the nearest to the limit */
    assert_false(o->feasible);
    assert_true(design_of(o, "a") == 3.5);
    assert_close(o->violation, 0.75, 1e-15);
    lmb_optimum_free(o);
}

/* --- where the model cannot be assembled ------------------------------------------------------ */

/* A rod of length 1 from a slider on the x axis to the height y: x = sqrt(1 - y^2), and nothing
 * beyond y = 1. -y + x0/x is least where (1 - y^2)^(3/2) = x0 y. */
static double edge(double y)
{
    return 0.02 * y - pow(1 - y * y, 1.5);
}

static void the_optimum_next_to_where_there_is_none(void **unused)
{
    (void)unused;
    static const char text[] = "limber: 1\n"
                               "dimension: 2\n"
                               "parameters: {y: 0.3}\n"
                               "bodies: {s: {type: particle, mass: 1, position: [0.9, 0]}}\n"
                               "joints:\n"
                               "  guide: {type: slot, between: [ground, s], axis: [1, 0]}\n"
                               "  rod: {type: distance, between: [[0, y], s], length: 1}\n"
                               "analyses: {place: {type: assembly}}\n"
                               "objectives: {f: {final: -y + 0.02/s.position.x}}\n"
                               "studies: {s: {type: optimise, minimise: f, design: {y: [0, 3]}}}\n";
    double y = root_of(edge, 0.5, 1), x = sqrt(1 - y * y);
    lmb_optimum *o = optimum_of(text, NULL, NULL);
    assert_true(o->failure_count > 0); /* it was there */
    assert_non_null(o->last_failure);
    assert_true(o->feasible);
    assert_close(design_of(o, "y"), y, 3 * DESIGN);
    assert_close(best_of(o, NULL), -y + 0.02 / x, VALUE);
    lmb_optimum_free(o);
    /* begun where it cannot be assembled */
    lmb_spec *spec = study_spec(text, "y=2");
    assert_int_equal(lmb_optimise(&o, context, spec, &(lmb_study_options){.jobs = 1}), LMB_SOLVER);
    assert_null(o);
    assert_true(was_said("cannot be run with the design it begins with"));
    lmb_spec_free(spec);
}

/* --- motions ---------------------------------------------------------------------------------- */

/* A mass on a spring with a damper, let go at x = 1: the integral of x^2 over all time is
 * (zeta + 1 / (4 zeta)) / omega, least with zeta = 1/2, so with c = sqrt(k m): what is left after
 * t = 40 is exp(-40). With k = 4, m = 1: c = 2, value 1/2. */
#define OSCILLATOR                                                                                 \
    "limber: 1\n"                                                                                  \
    "dimension: 2\n"                                                                               \
    "parameters: {c: 1}\n"                                                                         \
    "bodies: {p: {type: particle, mass: 1, position: [1, 0]}}\n"                                   \
    "joints: {guide: {type: slot, between: [ground, p], axis: [1, 0]}}\n"                          \
    "forces: {spring: {type: force, at: p, force: [-4*p.position.x - c*p.velocity.x, 0]}}\n"       \
    "objectives: {left: {integral: p.position.x^2}}\n"                                             \
    "studies: {s: {type: optimise, minimise: left, design: {c: [0.2, 8]}}}\n"                      \
    "analyses: {fall: {type: dynamics, duration: 20, "

/* Errors of a motion move the optimum by about as much: df/dc is known to e, and c to e / f'' with
 * f'' = 1/4. Those of rk45 are some times its tolerance of 1e-10, and differences of runs with it
 * see its noise over their steps: 1e-10 / 1e-4. Those of generalized-alpha are of second order:
 * gone with h, h/2, h/4, h/8. */
static void differences_and_exact_gradients_agree(void **unused)
{
    (void)unused;
    static const char by_differences[] =
        OSCILLATOR "output_step: 0.01, integrator: rk45, tolerance: 1e-10}}\n";
    lmb_optimum *o = optimum_of(by_differences, NULL, NULL);
    assert_close(design_of(o, "c"), 2, 4e-6);
    assert_close(best_of(o, NULL), 0.5, 1e-8);
    lmb_optimum_free(o);
    static const int powers[] = {2, 3, 4};
    double c[4], f[4];
    for (int i = 0; i < 4; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 OSCILLATOR "output_step: 0.02, integrator: generalized-alpha, step: %g}}\n",
                 ldexp(0.02, -i));
        o = optimum_of(text, NULL, NULL);
        assert_true(o->gradient_count > 0);
        c[i] = design_of(o, "c");
        f[i] = best_of(o, NULL);
        assert_close(c[i], 2, 10 * pow(ldexp(0.02, -i), 2));
        lmb_optimum_free(o);
    }
    assert_close(extrapolated(4, c, powers), 2, 8 * DESIGN); /* T of the range */
    assert_close(extrapolated(4, f, powers), 0.5, 1e-8);
}

/* --- what is told ----------------------------------------------------------------------------- */

static void what_does_not_depend_on_anything_is_told(void **unused)
{
    (void)unused;
    static const char text[] =
        PARTICLE "objectives: {f: {final: (p.position.x - 1)^2}, g: {final: p.position.y*0 + 2}}\n"
                 "studies:\n"
                 "  one: {type: optimise, minimise: f, design: {x: [-2, 2], y: [-1, 1]}}\n"
                 "  two: {type: optimise, minimise: g, design: {x: [-2, 2]}}\n"
                 "  few: {type: optimise, minimise: f, design: {x: [-2, 2]}, method: nelder-mead, "
                 "evaluations: 4}\n";
    lmb_optimum *o = optimum_of(text, "one", NULL);
    assert_true(was_said("nothing that the study looks at depends on 'y'"));
    assert_close(design_of(o, "x"), 1, 4 * DESIGN);
    assert_true(design_of(o, "y") == 0.25);
    lmb_optimum_free(o);
    o = optimum_of(text, "two", NULL);
    assert_true(was_said("objective 'g' does not depend on the design"));
    assert_close(best_of(o, NULL), 2, 0);
    lmb_optimum_free(o);
    o = optimum_of(text, "few", NULL);
    assert_true(was_said("before it had converged"));
    assert_true(o->searches[0].trials <= 4);
    assert_true(best_of(o, NULL) <= 0.25); /* no worse than as given */
    lmb_optimum_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_rectangle_is_a_square),
        cmocka_unit_test(all_methods_keep_to_a_limit),
        cmocka_unit_test(an_equality),
        cmocka_unit_test(an_optimum_at_bounds),
        cmocka_unit_test(a_limit_that_cannot_be_kept),
        cmocka_unit_test(the_deeper_of_two_valleys),
        cmocka_unit_test(a_convex_problem_from_all_starts),
        cmocka_unit_test(a_curve_between_two_that_are_maximised),
        cmocka_unit_test(sizes_of_a_catalogue_with_a_continuous_one),
        cmocka_unit_test(choices_alone),
        cmocka_unit_test(the_optimum_next_to_where_there_is_none),
        cmocka_unit_test(differences_and_exact_gradients_agree),
        cmocka_unit_test(what_does_not_depend_on_anything_is_told),
    };
    return cmocka_run_group_tests_name("optimisation", tests, open_models, close_models);
}
