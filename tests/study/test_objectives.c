/* Objectives of every kind against closed forms, with their gradients by all methods.
 *
 * A mass on a spring without gravity is pulled aside: x = A cos(w t), w = sqrt(k/m). A body that is
 * thrown up: y = v t - g t^2/2, which the cubic through four points of generalized-alpha's exact
 * parabola has without error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gradients.h"
#include "channels/functional.h"
#include "support.h"

static const double pi = 3.14159265358979323846;

/* --- functions of a series -------------------------------------------------------------------- */

enum { POINTS = 101 };

/* A series of g at uneven instants of 0 to 1. */
typedef struct sampled {
    double t[POINTS], g[POINTS], weights[POINTS];
    lmb_functional_report report;
} sampled;

static sampled sample(double (*g)(double))
{
    sampled s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < POINTS; i++) {
        double x = (double)i / (POINTS - 1);
        s.t[i] = x + 0.02 * sin(2 * pi * x) * (1 - x);
        s.g[i] = g(s.t[i]);
    }
    return s;
}

static double functional(sampled *s, lmb_objective o)
{
    return lmb_functional(&o, (lmb_series_view){POINTS, s->t, s->g, 1, false}, s->weights,
                          &s->report);
}

#define WHOLE .from = NAN, .to = NAN

/* A value, and its weights: the derivatives by all values, by differences. */
static void check_functional(double (*g)(double), lmb_objective o, double expected,
                             double tolerance)
{
    sampled s = sample(g);
    assert_close(functional(&s, o), expected, tolerance);
    assert_false(s.report.impossible);
    for (int i = 0; i < POINTS; i += 3) {
        const double d = 1e-7;
        sampled up = s, down = s;
        up.g[i] += d;
        down.g[i] -= d;
        assert_close(s.weights[i], (functional(&up, o) - functional(&down, o)) / (2 * d), 1e-7);
    }
}

static double cubic(double t)
{
    return 1 + t - 4 * t * t + 2 * t * t * t;
}

static double decay(double t)
{
    return exp(-2 * t);
}

static double hill(double t)
{
    return 2 + sin(3 * t);
}

static double wave(double t)
{
    return sin(20 * t) + 0.1;
}

static void integrals_and_means(void **unused)
{
    (void)unused;
    /* cubics are integrated exactly, also between points */
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_INTEGRAL, WHOLE}, 2.0 / 3, 1e-14);
    double a = 0.1234, b = 0.777;
#define PRIMITIVE(t) ((t) + (t) * (t) / 2 - 4 * (t) * (t) * (t) / 3 + (t) * (t) * (t) * (t) / 2)
    double part = PRIMITIVE(b) - PRIMITIVE(a);
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_INTEGRAL, .from = a, .to = b},
                     part, 1e-14);
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_MEAN, .from = a, .to = b},
                     part / (b - a), 1e-14);
    /* others to the fourth power of the interval */
    check_functional(decay, (lmb_objective){.kind = LMB_OBJECTIVE_RMS, WHOLE},
                     sqrt((1 - exp(-4)) / 4), 1e-7);
}

static void values_at_instants(void **unused)
{
    (void)unused;
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_FINAL, WHOLE}, 0, 1e-14);
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_AT, WHOLE, .at = 0.31},
                     cubic(0.31), 1e-14);
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_AT, WHOLE, .at = 0}, 1, 0);
    sampled s = sample(cubic);
    functional(&s, (lmb_objective){.kind = LMB_OBJECTIVE_AT, WHOLE, .at = 1.2});
    assert_true(s.report.impossible);
}

/* cubic has its top where 1 - 8 t + 6 t^2 = 0 and falls from there to the end. */
static void exact_extremes(void **unused)
{
    (void)unused;
    double top = (8 - sqrt(64 - 24)) / 12;
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_MAX, WHOLE}, cubic(top), 1e-13);
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_MIN, WHOLE}, 0, 1e-13);
    /* at the ends of a span, which are no points */
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_MAX, .from = 0.333, .to = NAN},
                     cubic(0.333), 1e-13);
    check_functional(cubic, (lmb_objective){.kind = LMB_OBJECTIVE_MIN, .from = NAN, .to = 0.777},
                     cubic(0.777), 1e-13);
    check_functional(cubic,
                     (lmb_objective){.kind = LMB_OBJECTIVE_MAX, .from = 0.5011, .to = 0.5012},
                     cubic(0.5011), 1e-13);
    sampled s = sample(cubic);
    functional(&s, (lmb_objective){.kind = LMB_OBJECTIVE_MAX, .from = 2, .to = 3});
    assert_true(s.report.impossible);
}

/* The tops of a sine are equally high, wherever the points are. */
static void ties_are_seen(void **unused)
{
    (void)unused;
    sampled s = sample(wave);
    double best = functional(&s, (lmb_objective){.kind = LMB_OBJECTIVE_MAX, WHOLE});
    assert_close(best, 1.1, 5e-5);
    assert_close(s.report.second, best, 5e-5);
    best = functional(&s, (lmb_objective){.kind = LMB_OBJECTIVE_MAX, .from = NAN, .to = 0.3});
    assert_close(s.report.at, pi / 40, 1e-3);
    assert_true(isnan(s.report.second) || best - s.report.second > 0.1);
    s = sample(decay);
    functional(&s, (lmb_objective){.kind = LMB_OBJECTIVE_MAX, WHOLE});
    assert_true(isnan(s.report.second) || s.report.second < 0.5);
}

/* ks and p-norm of the definition, by a fine midpoint rule; they tend to the extreme from inside.
 */
static void smooth_extremes(void **unused)
{
    (void)unused;
    enum { FINE = 1000000 };
    const double k = 2;
    double up = 0, down = 0, norm = 0, low = 0;
    for (int i = 0; i < FINE; i++) {
        double g = hill((i + 0.5) / FINE);
        up += exp(k * g) / FINE;
        down += exp(-k * g) / FINE;
        norm += pow(g, k) / FINE;
        low += pow(g, -k) / FINE;
    }
    const lmb_objective
        max = {.kind = LMB_OBJECTIVE_MAX, WHOLE, .smoothing = LMB_SMOOTH_KS, .sharpness = k},
        min = {.kind = LMB_OBJECTIVE_MIN, WHOLE, .smoothing = LMB_SMOOTH_KS, .sharpness = k};
    lmb_objective p_max = max, p_min = min;
    p_max.smoothing = p_min.smoothing = LMB_SMOOTH_NORM;
    check_functional(hill, max, log(up) / k, 2e-4);
    check_functional(hill, min, -log(down) / k, 2e-4);
    check_functional(hill, p_max, pow(norm, 1 / k), 2e-4);
    check_functional(hill, p_min, pow(low, -1 / k), 2e-4);
    sampled s = sample(hill);
    for (int power = 1; power <= 3; power++) { /* nearer, but never beyond */
        lmb_objective sharp[] = {max, min, p_max, p_min};
        for (int i = 0; i < 4; i++) {
            sharp[i].sharpness = pow(10, power);
            double away = (i % 2 ? functional(&s, sharp[i]) - 2 : 3 - functional(&s, sharp[i]));
            assert_true(away > 0 && away < 12 / pow(10, power));
        }
    }
    s = sample(wave); /* negative numbers have no p-norm */
    functional(&s, p_max);
    assert_true(s.report.impossible);
}

static double line(double t)
{
    return t;
}

static double large(double t)
{
    return 1e200 * (1 + t);
}

static double nothing(double t)
{
    return 0 * t;
}

/* A p-norm of numbers from 0 on has the limits of its derivatives, and no overflow. */
static void p_norms_of_zeros(void **unused)
{
    (void)unused;
    lmb_objective max = {
        .kind = LMB_OBJECTIVE_MAX, WHOLE, .smoothing = LMB_SMOOTH_NORM, .sharpness = 6};
    lmb_objective min = max;
    min.kind = LMB_OBJECTIVE_MIN;
    sampled s = sample(line);
    /* the trapezoidal rule of t^6 with 100 intervals errs by 6/12 of their squares */
    assert_close(functional(&s, max), pow(7, -1.0 / 6), 1e-4);
    assert_true(!s.report.impossible && s.weights[0] == 0);
    /* the least of numbers that contain 0 is 0; of one of them alone its slope is (w/L)^(-1/p) */
    assert_true(functional(&s, min) == 0);
    assert_close(s.weights[0], pow(s.t[1] / 2, -1.0 / 6), 1e-12);
    assert_true(s.weights[1] == 0);
    /* what is outside of the window does not count, though it is next to it */
    s.g[0] = -1;
    max.from = min.from = (s.t[1] + s.t[2]) / 2;
    assert_close(functional(&s, max), pow(1 / (1 - max.from) / 7, 1.0 / 6), 1e-4);
    assert_true(!s.report.impossible && s.weights[0] == 0);
    double least = functional(&s, min);
    assert_true(least > min.from && least < 5 * min.from);
    max.from = NAN;
    functional(&s, max);
    assert_true(s.report.impossible && s.report.at == 0 && s.report.second == -1);
    /* (1 + t)^6 has the mean (2^7 - 1)/7 */
    s = sample(large);
    assert_close(functional(&s, max) / 1e200, pow(127 / 7.0, 1.0 / 6), 1e-4);
    s = sample(nothing);
    assert_true(functional(&s, max) == 0 && !s.report.impossible);
    for (int i = 0; i < POINTS; i++)
        assert_true(s.weights[i] == 0);
}

/* Numbers of modes stand alone: nothing is between them. */
static void modes_stand_alone(void **unused)
{
    (void)unused;
    const double number[] = {1, 2, 3, 4}, g[] = {5, 7, 3, 4};
    double weights[4];
    lmb_functional_report report;
    lmb_series_view view = {4, number, g, 1, true};
    lmb_objective o = {.kind = LMB_OBJECTIVE_MAX, WHOLE};
    assert_true(lmb_functional(&o, view, weights, &report) == 7);
    assert_true(weights[1] == 1 && weights[0] == 0 && weights[2] == 0);
    assert_true(report.second == 5);
    o = (lmb_objective){.kind = LMB_OBJECTIVE_AT, WHOLE, .at = 3};
    assert_true(lmb_functional(&o, view, weights, &report) == 3 && !report.impossible);
    o.at = 5;
    lmb_functional(&o, view, weights, &report);
    assert_true(report.impossible);
    o.at = 2.5;
    lmb_functional(&o, view, weights, &report);
    assert_true(report.impossible);
}

/* --- in models -------------------------------------------------------------------------------- */

#define BALL                                                                                       \
    "limber: 1\ndimension: 2\ngravity: [0, -g]\n"                                                  \
    "parameters: {g: 9.81, v: 5, m: 2, h: 1, T: 0.813, from: 0.2, k: 3}\n"                         \
    "bodies:\n  ball: {type: particle, mass: m, position: [0, h], velocity: [1, v]}\n"             \
    "analyses:\n  throw: {type: dynamics, duration: 1, output_step: 0.05, "                        \
    "integrator: generalized-alpha, step: 0.01}\n"

/* y = h + v t - g t^2/2; its top is v^2/2g above h. */
static const char ball[] = BALL "objectives:\n"
                                "  end: {final: ball.position.y}\n"
                                "  then: {at: ball.position.y, time: T}\n"
                                "  top: {max: ball.position.y}\n"
                                "  low: {min: ball.velocity.y, from: from, to: T}\n"
                                "  sum: {integral: ball.position.y}\n"
                                "  part: {integral: ball.position.y, from: from, to: T}\n"
                                "  mean: {mean: ball.velocity.y, from: from}\n"
                                "  rms: {rms: ball.position.x, to: T}\n"
                                "  weight: {final: g*ball.mass}\n"
                                "  fall: {final: \"energy.kinetic + energy.potential\"}\n"
                                "  ks: {max: ball.velocity.x*k, smooth: ks, sharpness: k}\n"
                                "  norm: {max: ball.velocity.x*k, smooth: p-norm, sharpness: k}\n"
                                "  both: k*top^2 + end/m\n"
                                "  more: both - end*T\n";

/* Values and derivatives by g, v, m, h, T, from, k. */
typedef struct row {
    const char *name;
    double value, slopes[7];
} row;

static void check_rows(const lmb_gradient *g, const row *rows, double tolerance)
{
    for (; rows->name; rows++) {
        assert_close(value_of(g, rows->name), rows->value, tolerance);
        static const char *const names[] = {"g", "v", "m", "h", "T", "from", "k"};
        for (int p = 0; p < 7; p++) {
            double found = slope_of(g, rows->name, names[p]), expected = rows->slopes[p];
            if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
                fail_msg("d %s / d %s = %.15g, expected %.15g", rows->name, names[p], found,
                         expected);
        }
    }
}

static void a_ball_by_all_methods(void **unused)
{
    (void)unused;
    const double g = 9.81, v = 5, m = 2, h = 1, T = 0.813, from = 0.2, k = 3;
    double end = h + v - g / 2, top = h + v * v / (2 * g), E = m * (1 + v * v) / 2 + m * g * h;
#define Y(t) (h + v * (t)-g * (t) * (t) / 2)
#define SUM(t) (h * (t) + v * (t) * (t) / 2 - g * (t) * (t) * (t) / 6)
    double both_g = 2 * k * top * -v * v / (2 * g * g) - 0.5 / m,
           both_v = 2 * k * top * v / g + 1 / m, both_h = 2 * k * top + 1 / m;
    const row rows[] = {
        {"end", end, {-0.5, 1, 0, 1, 0, 0, 0}},
        {"then", Y(T), {-T * T / 2, T, 0, 1, v - g * T, 0, 0}},
        {"top", top, {-v * v / (2 * g * g), v / g, 0, 1, 0, 0, 0}},
        {"low", v - g * T, {-T, 1, 0, 0, -g, 0, 0}},
        {"sum", SUM(1), {-1.0 / 6, 0.5, 0, 1, 0, 0, 0}},
        {"part",
         SUM(T) - SUM(from),
         {-(T * T * T - from * from * from) / 6, (T * T - from * from) / 2, 0, T - from, Y(T),
          -Y(from), 0}},
        {"mean", v - g * (1 + from) / 2, {-(1 + from) / 2, 1, 0, 0, 0, -g / 2, 0}},
        {"rms", T / sqrt(3), {0, 0, 0, 0, 1 / sqrt(3), 0, 0}},
        {"weight", g * m, {m, 0, g, 0, 0, 0, 0}},
        {"fall", E, {m * h, m * v, E / m, m * g, 0, 0, 0}},
        {"ks", k, {0, 0, 0, 0, 0, 0, 1}},
        {"norm", k, {0, 0, 0, 0, 0, 0, 1}},
        {"both",
         k * top * top + end / m,
         {both_g, both_v, -end / (m * m), both_h, 0, 0, top * top}},
        {"more",
         k * top * top + end / m - end * T,
         {both_g + 0.5 * T, both_v - T, -end / (m * m), both_h - T, -end, 0, top * top}},
        {0},
    };
    for (lmb_gradient_method method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_DIFFERENCES;
         method++) {
        lmb_gradient *found = gradient_of_text(ball, NULL, method, 0);
        check_rows(found, rows, 2e-10);
        /* what does not depend on a parameter */
        assert_close(slope_of(found, "end", "k"), 0, 1e-12);
        assert_close(slope_of(found, "top", "T"), 0, 1e-12);
        lmb_gradient_free(found);
    }
}

/* Speeds from rest are proportional to g, and so are all their p-norms: the derivative by g is the
 * value over g. */
static void p_norms_from_rest(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\ngravity: [0, -g]\nparameters: {g: 9.81}\n"
        "bodies:\n  b: {type: particle, mass: 2}\n"
        "analyses:\n  fall: {type: dynamics, duration: 0.1, output_step: 0.02, "
        "integrator: generalized-alpha, step: 0.004}\n"
        "objectives:\n"
        "  late: {max: norm(b.velocity), smooth: p-norm, sharpness: 6, from: 0.01}\n"
        "  all: {max: norm(b.velocity), smooth: p-norm, sharpness: 6}\n"
        "  least: {min: norm(b.velocity), smooth: p-norm, sharpness: 6, from: 0.01}\n"
        "  still: {max: abs(b.velocity.x), smooth: p-norm, sharpness: 6}\n";
    static const char *const names[] = {"late", "all", "least", "still"};
    for (lmb_gradient_method method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_DIFFERENCES;
         method++) {
        lmb_gradient *g = gradient_of_text(text, NULL, method, 0);
        for (int i = 0; i < 4; i++)
            assert_close(slope_of(g, names[i], "g"), value_of(g, names[i]) / 9.81, 1e-11);
        /* (mean of t^6)^(1/6), by trapezoids of 25 intervals */
        assert_close(value_of(g, "all"), 0.981 * pow(7, -1.0 / 6), 2e-3);
        assert_true(value_of(g, "late") > value_of(g, "all"));
        assert_true(value_of(g, "least") > 0.0981 && value_of(g, "still") == 0);
        lmb_gradient_free(g);
    }
}

/* A root has an infinite slope at 0: an error that says of what, by what and when. */
static void infinite_derivatives_are_errors(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\nparameters: {x: 0, v: 1}\n"
        "bodies:\n  b: {type: particle, mass: 2, position: [x, 0], velocity: [0, v]}\n"
        "analyses:\n  fly: {type: dynamics, duration: 0.5, output_step: 0.1, "
        "integrator: generalized-alpha, step: 0.05}\n"
        "objectives:\n  root: {at: sqrt(b.position.x), time: 0.3}\n"
        "  pole: {max: 1/b.position.y}\n  later: {mean: 1/b.position.y, from: 0.2}\n"
        "  end: {final: b.position.x}\n  both: sqrt(end)\n";
    static const struct {
        const char *objective, *by, *message;
    } cases[] = {
        {"root", "x",
         "the derivative of objective 'root' by 'x' is not a finite number at t = 0.3"},
        {"pole", "v", "the value of objective 'pole' is not a finite number at t = 0"},
        {"both", "x", "the derivative of objective 'both' by 'x' is not a finite number"},
    };
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    for (lmb_gradient_method method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_DIFFERENCES;
         method++) {
        lmb_gradient *g;
        for (int i = 0; i < 3; i++) {
            const char *of[] = {cases[i].objective, NULL}, *by[] = {cases[i].by, NULL};
            lmb_gradient_request request = {.method = method, .objectives = of, .parameters = by};
            lmb_messages_clear(context);
            assert_int_equal(lmb_gradient_find(&g, context, spec, &request), LMB_SOLVER);
            assert_null(g);
            assert_message(context, cases[i].message);
        }
        const char *of[] = {"later", NULL}, *by[] = {"v", NULL};
        lmb_gradient_request request = {.method = method, .objectives = of, .parameters = by};
        assert_ok(lmb_gradient_find(&g, context, spec, &request)); /* 1/y is infinite before it */
        assert_close(slope_of(g, "later", "v"), -value_of(g, "later"), 1e-10);
        lmb_gradient_free(g);
    }
    lmb_spec_free(spec);
}

/* The duration itself: only runs can tell. */
static void the_duration_is_a_parameter(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {T: 0.813, v: 5}\n"
        "bodies:\n  ball: {type: particle, mass: 1, velocity: [1, v]}\n"
        "analyses:\n  throw: {type: dynamics, duration: T, output_step: 0.05, "
        "integrator: generalized-alpha, step: 0.01}\n"
        "objectives:\n  end: {final: ball.position.y}\n  sum: {integral: ball.position.y}\n";
    const double v = 5, g = 9.81, T = 0.813;
    for (int i = 0; i < 2; i++) {
        lmb_gradient *found =
            gradient_of_text(text, NULL, i ? LMB_GRADIENT_DIFFERENCES : LMB_GRADIENT_AUTO, 0);
        assert_int_equal(found->methods[0], LMB_GRADIENT_DIFFERENCES);
        assert_close(slope_of(found, "end", "T"), v - g * T, 1e-9);
        assert_close(slope_of(found, "end", "v"), T, 1e-9);
        assert_close(slope_of(found, "sum", "T"), v * T - g * T * T / 2, 1e-9);
        lmb_gradient_free(found);
    }
    for (lmb_gradient_method method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_ADJOINT;
         method++) {
        lmb_spec *spec;
        lmb_gradient *found;
        lmb_gradient_request request = {.method = method};
        lmb_messages_clear(context);
        assert_ok(lmb_spec_parse(&spec, context, "test", text));
        assert_int_equal(lmb_gradient_find(&found, context, spec, &request), LMB_USAGE);
        assert_message(context, "the instants of analysis 'throw' change with 'T'");
        assert_message(context, "leave 'T' out");
        static const char *const others[] = {"v", NULL};
        request.parameters = others;
        assert_ok(lmb_gradient_find(&found, context, spec, &request));
        assert_close(slope_of(found, "end", "v"), T, 1e-10);
        lmb_gradient_free(found);
        lmb_spec_free(spec);
    }
}

/* --- ties, control of errors, modes ----------------------------------------------------------- */

#define OSCILLATOR(end)                                                                            \
    "limber: 1\ndimension: 2\nparameters: {k: 100, m: 1, c: 0.01, l: 0.5}\n"                       \
    "bodies:\n  bob: {type: particle, mass: m, position: [1.2, 0]}\n"                              \
    "joints:\n  guide: {type: slot, between: [ground, bob], axis: [1, 0]}\n"                       \
    "forces:\n  spring: {type: spring, between: [ground, bob], stiffness: k, damping: c, "         \
    "length: 2*l}\n"                                                                               \
    "analyses:\n" end

static bool warned(const char *piece)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (strstr(lmb_message_at(context, i)->text, piece))
            return true;
    return false;
}

static void ties_are_warned_of(void **unused)
{
    (void)unused;
    static const char text[] =
        OSCILLATOR("  swing: {type: dynamics, duration: 2, output_step: 0.01, "
                   "integrator: generalized-alpha, spectral_radius: 1, step: 0.01}\n"
                   "objectives: {far: {max: bob.position.x, from: 0.3}}\n");
    for (int damped = 0; damped < 2; damped++)
        for (lmb_gradient_method method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_DIFFERENCES;
             method++) {
            lmb_spec *spec;
            lmb_messages_clear(context);
            assert_ok(lmb_spec_parse(&spec, context, "test", text));
            assert_ok(lmb_spec_set(spec, context, "c", damped ? "0.5" : "0"));
            lmb_gradient *g = gradient_of_spec(spec, "k", method, NULL, 0);
            assert_true(warned("two extremes of nearly the same size") == !damped);
            assert_true(damped || fabs(value_of(g, "far") - 1.2) < 1e-4);
            lmb_gradient_free(g);
            lmb_spec_free(spec);
        }
}

/* Steps of different lengths, held in all neighbours: the same numbers from all methods. */
static void error_control(void **unused)
{
    (void)unused;
    static const char text[] = OSCILLATOR(
        "  swing: {type: dynamics, duration: 2, output_step: 0.1, "
        "integrator: generalized-alpha, tolerance: 1e-6}\n"
        "objectives:\n  x: {final: bob.position.x}\n  E: {integral: energy.kinetic}\n"
        "  far: {max: bob.velocity.x, from: 1, to: 1.5}\n  R: {rms: bob.acceleration.x}\n"
        "  lost: {final: energy.dissipated}\n");
    static const char *const objectives[] = {"x", "E", "far", "R", "lost"}, *const parameters[] = {
                                                                                "k", "m", "c", "l"};
    lmb_gradient *g[3];
    for (int i = 0; i < 3; i++)
        g[i] = gradient_of_text(text, NULL, (lmb_gradient_method)(LMB_GRADIENT_DIRECT + i), 0);
    for (int o = 0; o < 5; o++)
        for (int p = 0; p < 4; p++) {
            double direct = slope_of(g[0], objectives[o], parameters[p]);
            /* accelerations of 20: slopes of neighbours and along the motion are known to 1e-12 */
            assert_close(slope_of(g[1], objectives[o], parameters[p]), direct, 20 * 1e-11);
            assert_close(slope_of(g[2], objectives[o], parameters[p]), direct, 2e-8);
        }
    /* and near those of x = 1 + 0.2 cos(w t): c takes a hundredth of it */
    double w = 10, t = 2;
    assert_close(value_of(g[0], "x"), 1 + 0.2 * cos(w * t), 4e-3);
    assert_close(slope_of(g[0], "x", "k"), -0.2 * sin(w * t) * t * w / 200, 4e-4);
    assert_close(slope_of(g[0], "x", "m"), 0.2 * sin(w * t) * t * w / 2, 2e-2);
    assert_close(slope_of(g[0], "x", "l"), 2 - 2 * cos(w * t), 2e-2);
    assert_close(slope_of(g[0], "x", "c"), -0.2 * (t / 2 * cos(w * t) - sin(w * t) / (2 * w)),
                 2e-2);
    for (int i = 0; i < 3; i++)
        lmb_gradient_free(g[i]);
}

static void frequencies_and_equilibria(void **unused)
{
    (void)unused;
    static const char text[] = OSCILLATOR(
        "  rest: {type: statics}\n  hum: {type: modes}\n"
        "objectives:\n  f: {at: modes.frequency, mode: 1, of: hum}\n"
        "  lowest: {min: modes.frequency, of: hum}\n"
        "  D: {at: modes.damping, mode: 1, of: hum}\n  place: {final: bob.position.x, of: rest}\n"
        "  omega: 2*pi*f\n");
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    assert_ok(lmb_spec_set(spec, context, "c", "2"));
    lmb_gradient *g = gradient_of_spec(spec, NULL, LMB_GRADIENT_AUTO, NULL, 0);
    lmb_spec_free(spec);
    assert_close(value_of(g, "omega"), 10, 1e-12);
    assert_close(slope_of(g, "omega", "k"), 0.05, 1e-11);
    assert_close(slope_of(g, "omega", "m"), -5, 1e-11);
    assert_close(slope_of(g, "f", "k"), 0.05 / (2 * pi), 1e-11);
    assert_close(slope_of(g, "lowest", "k"), 0.05 / (2 * pi), 1e-11);
    assert_close(slope_of(g, "D", "c"), 0.05, 1e-11); /* c / (2 sqrt(k m)) */
    assert_close(slope_of(g, "D", "k"), -0.1 / 200, 1e-11);
    assert_close(value_of(g, "place"), 1, 1e-12);
    assert_close(slope_of(g, "place", "l"), 2, 1e-11);
    assert_close(slope_of(g, "place", "k"), 0, 1e-13);
    lmb_gradient_free(g);
}

/* Work that only a sensor names: a motor against a hinge, by all methods. */
static void work_behind_a_sensor(void **unused)
{
    (void)unused;
    static const char text[] = "limber: 1\ndimension: 2\nparameters: {c: 0.3, w: 2}\n"
                               "bodies: {wheel: {mass: 1, inertia: 0.5, angular_velocity: w}}\n"
                               "joints: {hub: {type: revolute, between: [ground, wheel]}}\n"
                               "forces: {brake: {type: motor, joint: hub, effort: -c*speed}}\n"
                               "sensors: {work: energy.supplied}\n"
                               "analyses: {turn: {type: dynamics, duration: 1, output_step: 0.1, "
                               "integrator: generalized-alpha, step: 0.001}}\n"
                               "objectives: {W: {final: work}}\n";
    /* speed w exp(-c t/I): W = -I w^2 (1 - exp(-2 c/I)) / 2, with I = 0.5; steps of order 2 */
    double c = 0.3, w = 2, I = 0.5, e = exp(-2 * c / I);
    for (int method = LMB_GRADIENT_DIRECT; method <= LMB_GRADIENT_DIFFERENCES; method++) {
        lmb_gradient *g = gradient_of_text(text, "c w", (lmb_gradient_method)method, 0);
        assert_close(slope_of(g, "W", "c"), -w * w * e, 1e-5);
        assert_close(slope_of(g, "W", "w"), -I * w * (1 - e), 1e-5);
        lmb_gradient_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_behind_a_sensor),
        cmocka_unit_test(integrals_and_means),
        cmocka_unit_test(values_at_instants),
        cmocka_unit_test(exact_extremes),
        cmocka_unit_test(ties_are_seen),
        cmocka_unit_test(smooth_extremes),
        cmocka_unit_test(p_norms_of_zeros),
        cmocka_unit_test(p_norms_from_rest),
        cmocka_unit_test(infinite_derivatives_are_errors),
        cmocka_unit_test(modes_stand_alone),
        cmocka_unit_test(a_ball_by_all_methods),
        cmocka_unit_test(the_duration_is_a_parameter),
        cmocka_unit_test(ties_are_warned_of),
        cmocka_unit_test(error_control),
        cmocka_unit_test(frequencies_and_equilibria),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
