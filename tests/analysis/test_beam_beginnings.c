/* Shapes with which motions of exact beams begin: stretched by rotation against closed forms, bent
 * far by loads against statics, falling against bodies with modes; and frequencies of turning
 * blades against published ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/begin.h"
#include "analysis/modes.h"
#include "math/dense.h"
#include "models.h"
#include "limber/limber.h"
#include "motions.h"
#include "program.h"
#include "support.h"

static lmb_integration begin_with(const lmb_beginning *begin, double step)
{
    return (lmb_integration){
        .integrator = &lmb_integrator_alpha, .step = step, .spectral_radius = 0.9, .begin = begin};
}

/* --- turning ---------------------------------------------------------------------------------- */

/* A cantilever of length, mass and bending stiffness 1, EA = slender^2, that turns with mu. J and
 * GA are rotary inertia and shear stiffness. */
static lmb_model *rotating(double mu, double slender, int elements, double J, double GA)
{
    char text[900];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  blade:\n    beam: {from: [0, 0, 0], to: [1, 0, "
             "0], elements: %d, order: 3, deformation: large, stiffness: [%.17g, %g, %g, 1, 1, 1], "
             "mass: [1, 1, 1, %g, %g, %g]}\n    interfaces: {A: start, B: end}\n"
             "joints: {hub: {type: revolute, between: [ground, blade.A], axis: [0, 0, 1]}}\n"
             "drivers: {motor: {joint: hub, speed: %.17g}}\n",
             elements, slender * slender, GA, GA, J, J, J, mu);
    return model_of_text(text);
}

/* EA r'' + rho A w^2 r = 0 with r(0) = 0 and r'(L) = 1: r = sin(k x) / (k cos(k L)), k^2 = rho A
 * w^2 / EA. Order 3 with 6 elements of k L / 6 = 0.12 each: (0.12)^6 / 1000 = 3e-9. The shape stays
 * when it moves on. */
static void a_turning_beam_is_stretched(void **unused)
{
    (void)unused;
    double mu = 50, slender = 70, k = mu / slender;
    lmb_model *m = rotating(mu, slender, 6, 1e-5, 1e5);
    lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-4));
    const lmb_state *s = d->solver->state;
    if (getenv("LIMBER_SHOW"))
        printf("tip %.12f, expected %.12f\n", point(d->solver, "blade.B").x, tan(k) / k);
    assert_close(point(d->solver, "blade.B").x, tan(k) / k, 1e-8);
    for (int i = 0; i < m->node_count; i++) {
        const double *q = s->q + m->nodes[i].q, *v = s->v + m->nodes[i].v;
        const double *a = s->a + m->nodes[i].v;
        assert_true(fabs(v[0]) + fabs(v[1] - mu * q[0]) + fabs(v[2]) < 1e-10 * mu);
        assert_true(fabs(v[5] - mu) < 1e-10 * mu);
        /* of node forces of EA 1e-16 over their masses of 1/50 */
        assert_true(fabs(a[0] + mu * mu * q[0]) + fabs(a[1]) < 1e-7 * mu * mu);
    }
    for (int i = 1; i <= 5; i++) { /* steps of w h = 5e-3 turn to (w h)^2 / 12 = 2e-6 */
        advance(d, 0.01 * i);
        assert_close(v3_norm(point(d->solver, "blade.B")), tan(k) / k, 1e-5);
    }
    finish(d, m);
}

/* A free beam that spins about its middle: half of it is stretched to tan(k L / 2) / k. */
static void a_spinning_beam_is_stretched(void **unused)
{
    (void)unused;
    double k = 1;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {from: [-0.5, 0], to: [0.5, 0], "
        "elements: 6, order: 3, deformation: large, stiffness: [100, 1e3, 1], mass: [1, 1, 1e-4]}\n"
        "    interfaces: {A: start, B: end}\n    angular_velocity: 10\n");
    lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-4));
    vec3 length = v3_sub(point(d->solver, "rod.B"), point(d->solver, "rod.A"));
    assert_close(length.x, 2 * tan(k / 2) / k, 1e-8);
    assert_true(fabs(length.y) < 1e-10);
    finish(d, m);
}

/* --- at rest ---------------------------------------------------------------------------------- */

/* Bent far by a force at its end, up to 40 E I / L^2, and weight: the same as statics finds; it
 * stays. */
static void a_loaded_beam_begins_at_rest(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: %d\ngravity: %s\nbodies:\n  rod:\n    beam: {from: %s, to: %s, "
        "elements: 8, deformation: large, stiffness: %s, mass: %s}\n"
        "    interfaces: {A: start, B: end}\n"
        "joints: {wall: {type: fixed, between: [ground, rod.A]}}\n"
        "forces: {load: {type: force, at: rod.B, force: %s}}\n";
    char line[900];
    for (int dimension = 2; dimension <= 3; dimension++) {
        bool plane = dimension == 2;
        snprintf(line, sizeof line, text, dimension, plane ? "[0, -1]" : "[0, 0, -1]",
                 plane ? "[0, 0]" : "[0, 0, 0]", plane ? "[1, 0]" : "[1, 0, 0]",
                 plane ? "[1e3, 1e3, 1]" : "[1e3, 1e3, 1e3, 1, 1, 1]",
                 plane ? "[1, 1, 1e-3]" : "[1, 1, 1, 2e-3, 1e-3, 1e-3]",
                 plane ? "[0, 40]" : "[0, 4, 1]");
        lmb_model *m = model_of_text(line);
        lmb_solver *rest = at_rest(m);
        lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_static, 1e-3));
        vec3 x = point(rest, "rod.B"), y = point(d->solver, "rod.B");
        if (getenv("LIMBER_SHOW"))
            printf("tip (%.9f %.9f %.9f), statics (%.9f %.9f %.9f)\n", y.x, y.y, y.z, x.x, x.y,
                   x.z);
        assert_true(v3_norm(v3_sub(x, y)) < 1e-8); /* statics ends at 1e-11 of the load over 3 EI */
        advance(d, 0.5);
        assert_true(v3_norm(v3_sub(x, point(d->solver, "rod.B"))) < 1e-7);
        lmb_solver_free(rest);
        finish(d, m);
    }
}

/* --- against bodies with modes ---------------------------------------------------------------- */

static vec3 velocity_of(const lmb_solver *s, const char *name)
{
    const lmb_model *m = s->state->model;
    int i = 0;
    while (strcmp(m->points[i].name, name) != 0)
        i++;
    return s->state->rates[m->points[i].marker].p;
}

/* A rod on a hinge, let go level, and one that turns while it falls: small deformations, so the
 * body with all its modes and the exact beam are deformed alike. */
static vec3 end_of(const char *kind, const char *more, vec3 *velocity)
{
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  rod:\n    beam: {from: [0, "
             "0], to: [1, 0], elements: 4, section: {rectangle: {width: 0.02, height: 0.01}}, "
             "material: {E: 210e9, nu: 0.3, density: 7850}%s}\n"
             "    interfaces: {A: start, B: end}\n"
             "joints: {pin: {type: revolute, between: [ground, rod.A]}}\n%s",
             kind, more);
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-3));
    vec3 out = point(d->solver, "rod.B");
    *velocity = velocity_of(d->solver, "rod.B");
    finish(d, m);
    return out;
}

static void a_falling_rod_is_bent_as_one_with_modes(void **unused)
{
    (void)unused;
    static const char *const cases[] = {
        "", "initial: {pin.angle: 0.7, pin.rate: 20}\n",
        "drivers: {turn: {joint: pin, angle: 9*t^3 + 3*t^2 + 2*t}}\n"};
    static const double rate[] = {0, 20, 2};
    static const char exact[] = ", deformation: large, order: 3";
    static const char modes[] = "}\n    reduction: {stiffening: true, modes: 9";
    for (int i = 0; i < 3; i++) {
        vec3 va, vb, a = end_of(modes, cases[i], &va), b = end_of(exact, cases[i], &vb);
        vec3 bent = v3_sub(a, v3(cos(i == 1 ? 0.7 : 0), sin(i == 1 ? 0.7 : 0), 0));
        vec3 rigid = v3_cross(v3(0, 0, rate[i]), a);
        double off = v3_norm(v3_sub(a, b)), slip = v3_norm(v3_sub(vb, va));
        if (getenv("LIMBER_SHOW"))
            printf("bent by %g m, differs by %g; at a rate of %g m/s, differs by %g\n",
                   v3_norm(bent), off, v3_norm(v3_sub(va, rigid)), slip);
        /* shear, (h / L)^2 = 1e-4 of the deflection, and its square */
        assert_true(off < 5e-4 * v3_norm(bent));
        if (i > 0) /* the turn of the end of the beam is that of the hinge to such a part, too */
            assert_true(slip < 1e-2 * v3_norm(v3_sub(va, rigid)));
    }
}

/* Two rods in a row, fixed to each other, that turn and fall: each a body with modes or an exact
 * beam; all four are the same in the same shape. */
static vec3 end_of_two(const char *first, const char *second)
{
    static const char rod[] =
        "  %s:\n    beam: {from: [0, 0], to: [0.5, 0], elements: 3, section: {rectangle: {width: "
        "0.02, height: 0.01}}, material: {E: 210e9, nu: 0.3, density: 7850}%s}\n"
        "    interfaces: {A: start, B: end}\n    position: [%g, 0]\n";
    char text[1500] = "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n";
    size_t at = strlen(text);
    at += (size_t)snprintf(text + at, sizeof text - at, rod, "a", first, 0.0);
    at += (size_t)snprintf(text + at, sizeof text - at, rod, "b", second, 0.5);
    snprintf(text + at, sizeof text - at,
             "joints:\n  pin: {type: revolute, between: [ground, a.A]}\n"
             "  weld: {type: fixed, between: [a.B, b.A]}\ninitial: {pin.rate: 10}\n");
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-3));
    vec3 out = point(d->solver, "b.B");
    finish(d, m);
    return out;
}

static void bodies_with_modes_and_exact_beams_begin_together(void **unused)
{
    (void)unused;
    static const char *const kinds[] = {", deformation: large, order: 3",
                                        "}\n    reduction: {stiffening: true, modes: 6"};
    vec3 exact = end_of_two(kinds[0], kinds[0]);
    for (int i = 1; i < 4; i++) {
        vec3 other = end_of_two(kinds[i % 2], kinds[i / 2]);
        if (getenv("LIMBER_SHOW"))
            printf("exact (%.12f %.12f), case %d (%.12f %.12f)\n", exact.x, exact.y, i, other.x,
                   other.y);
        /* shear, some (h / L)^2 = 4e-4 of the deflection of rods of 0.5 m */
        assert_close(other.y / exact.y, 1, 1e-3);
    }
}

/* --- beside other bodies ---------------------------------------------------------------------- */

/* Numbers of a body at its beginning: coordinates, rates and accelerations of all its nodes. */
typedef struct start {
    int n;
    double q[40], v[40], a[40];
} start;

static start start_of(const char *text, const char *name, const lmb_beginning *begin)
{
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start_motion(m, begin_with(begin, 1e-3));
    const lmb_state *s = d->solver->state;
    const lmb_body *b = body(d->solver, name)->body;
    start out = {.n = b->nv};
    assert_true(b->nv <= 40 && b->nq == b->nv); /* in the plane */
    memcpy(out.q, s->q + b->q, (size_t)b->nv * sizeof(double));
    memcpy(out.v, s->v + b->v, (size_t)b->nv * sizeof(double));
    memcpy(out.a, s->a + b->v, (size_t)b->nv * sizeof(double));
    finish(d, m);
    return out;
}

/* An L-shaped strip with modes, or the same as an exact beam, is driven; a clamped beam stands
 * nowhere, before or behind it. */
static start driven_strip(bool exact, int place, const lmb_beginning *begin)
{
    static const char other[] = "  other:\n    beam: {from: [0, 3], to: [0.5, 3], elements: 3, "
                                "deformation: large, section: "
                                "{rectangle: {width: 0.01, height: 0.01}}, material: steel}\n"
                                "    interfaces: {A: start, B: end}\n";
    char text[1500];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\n%sbodies:\n%s"
             "  strip:\n    beam: {along: [[0, 0], [1, 0], [1, 0.5]], elements: %d, section: "
             "{rectangle: {width: 0.02, height: 0.002}}, material: steel%s}\n"
             "    interfaces: {O: start}\n%s%s"
             "joints:\n  hinge: {type: revolute, between: [ground, strip.O]}\n%s"
             "drivers: {motor: {joint: hinge, angle: %s}}\n",
             begin == &lmb_begin_static ? "gravity: [0, -1]\n" : "", place < 0 ? other : "",
             exact ? 6 : 12, exact ? ", deformation: large" : "",
             exact ? "" : "    reduction: {modes: 4, frame: {point: O}}\n", place > 0 ? other : "",
             place ? "  wall: {type: fixed, between: [[0, 3], other.A]}\n" : "",
             begin == &lmb_begin_static ? "0.3" : "2*t + 0.7*t^2");
    return start_of(text, "strip", begin);
}

/* The difference of n numbers from their largest one. */
static double part(const double *x, const double *y, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(y[i]));
    return distance(x, y, n) / size;
}

/* Modal coordinates are known to 5e-8, and do not accelerate. Shapes agree to 1e-12: to
 * rounding, as they do not depend on anything of the other body. Rates of shapes are extrapolated
 * with steps that the size of the model chooses, and agree to the error of that, 1e-10. */
static void an_unrelated_beam_changes_no_shape(void **unused)
{
    (void)unused;
    static const lmb_beginning *const begins[] = {&lmb_begin_quasi_static, &lmb_begin_static};
    start alone = driven_strip(false, 0, begins[0]);
    assert_close(alone.q[3], -0.0319366, 5e-8);
    assert_close(alone.q[4], 0.0019940, 5e-8);
    for (int i = 0; i < 8; i++) {
        bool exact = i & 1, along = !(i & 4);
        const lmb_beginning *begin = begins[!along];
        start first = driven_strip(exact, 0, begin),
              other = driven_strip(exact, i & 2 ? 1 : -1, begin);
        int n = first.n, shape = exact ? 0 : 3;
        assert_int_equal(n, other.n);
        if (getenv("LIMBER_SHOW"))
            printf("%s %s: shape %.1e, rates %.1e\n", begin->name, exact ? "exact" : "modes",
                   part(other.q, first.q, n), part(other.v, first.v, n));
        assert_true(part(other.q + shape, first.q + shape, n - shape) < 1e-12);
        assert_true(!along || part(other.v, first.v, n) < 1e-10);
        for (int j = shape; along && shape && j < n; j++)
            assert_true(fabs(first.a[j]) + fabs(other.a[j]) < 1e-12);
    }
}

/* Clamped to the wall and to a slide that is driven across, a rod deforms at a rate: its deflection
 * is the static one, u = (3 x^2 - 2 x^3) s(t). On the slide act the half of its weight and 13/35 m
 * s''. Shear changes u by some 12 (r / L)^2 = 3e-4. A body with modes accelerates as little as
 * joints allow, which is nearly the same. */
static vec3 force_on_slide(const char *kind, const char *reduction)
{
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  rod:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: {circle: "
             "{diameter: 0.02}}, material: steel%s}\n    interfaces: {A: start, B: end}\n%s"
             "  slide: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\njoints:\n"
             "  wall: {type: fixed, between: [ground, rod.A]}\n"
             "  rail: {type: translational, between: [[1, 0, 0], slide], axis: [0, 0.6, 0.8]}\n"
             "  weld: {type: fixed, between: [slide, rod.B]}\n"
             "drivers: {push: {joint: rail, offset: 0.05*t + 0.3*t^2}}\n",
             kind, reduction);
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-3));
    const lmb_joint *weld = &m->joints[2];
    lmb_frame f = lmb_row_force(d->solver->state, weld->row, weld->row_count, weld->pair, true);
    finish(d, m);
    return f.p;
}

static void a_rod_that_must_deform_has_its_inertia(void **unused)
{
    (void)unused;
    static const char *const kinds[][2] = {{", deformation: large, order: 3", ""},
                                           {"", "    reduction: {modes: 12}\n"}};
    double m = 7850 * LMB_PI * 1e-4;
    for (int i = 0; i < 2; i++) {
        vec3 f = force_on_slide(kinds[i][0], kinds[i][1]);
        if (getenv("LIMBER_SHOW"))
            printf("force (%g %g %g)\n", f.x, f.y, f.z);
        assert_close(f.y / (13.0 / 35 * m * 0.36), 1, i ? 2e-2 : 5e-4);
        assert_close(f.z / (13.0 / 35 * m * 0.48 + m * 9.81 / 2), 1, i ? 2e-2 : 5e-4);
    }
}

/* At rest nothing but drivers may move. */
/* Run an arm on a driven hub with a modulus E; return the last effort of the driver in an
 * analysis. */
static double last_effort(const char *analysis, double E)
{
    char text[1500];
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: 2\nbodies:\n  arm:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 4, deformation: large, section: "
        "{rectangle: {width: 0.02, height: 0.01}}, material: {E: %g, nu: 0.3, density: 7850}}\n"
        "    interfaces: {root: start}\n"
        "joints: {hub: {type: revolute, between: [ground, arm.root]}}\n"
        "drivers: {turn: {joint: hub, angle: 0.3*(1 - cos(6*t))}}\n"
        "analyses: {go: {type: %s, duration: 0.5, output_step: 0.01, begin: quasi-static}}\n",
        E, analysis);
    lmb_model *m = model_of_text(text);
    lmb_messages_clear(context);
    const char *path = scratch_path("arm.h5");
    assert_ok(lmb_run(context, m, NULL, path));
    assert_int_equal(lmb_message_count(context), 0);
    lmb_result *result;
    lmb_series series;
    assert_ok(lmb_result_open(&result, context, path));
    assert_ok(lmb_result_read(result, context, "go/turn.effort", &series));
    double effort = series.values[series.count - 1];
    lmb_series_free(&series);
    lmb_result_close(result);
    lmb_model_free(m);
    return effort;
}

/* Inverse dynamics integrate the deformation as dynamics do. A stiff arm needs the effort I alpha
 * of a rod, I = m L^2 (1/3 + h^2 / (12 L^2)), and the part (6/w)^2 of its bending more. w = 3.516
 * sqrt(EI / (rho A)) / L^2 is its first frequency; 4 elements give the inertia within 1e-4. */
static void inverse_dynamics_of_an_arm(void **unused)
{
    (void)unused;
    double E = 210e11, w = 3.516 * sqrt(E / 7850 / 12) * 0.01;
    double rigid = 7850 * 2e-4 * (1.0 / 3 + 1e-4 / 12) * 0.3 * 36 * cos(6 * 0.5);
    double effort = last_effort("inverse-dynamics", E);
    assert_close(effort / rigid, 1, 2 * 36 / (w * w) + 1e-4);
    assert_close(effort / last_effort("dynamics", E), 1, 1e-12);
    effort = last_effort("inverse-dynamics", 210e9);
    assert_close(effort / last_effort("dynamics", 210e9), 1, 1e-12);
}

static void a_turn_contradicts_rest(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {from: [0, 0], to: [1, 0], elements: "
        "2, deformation: large, stiffness: [1e3, 1e3, 1], mass: [1, 1, 1e-3]}\n"
        "    interfaces: {A: start, B: end}\n    angular_velocity: 1\n"
        "joints: {pin: {type: revolute, between: [ground, rod.A]}}\n");
    lmb_integration options = begin_with(&lmb_begin_static, 1e-3);
    lmb_dynamics *d;
    assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &options), LMB_BAD_INPUT);
    assert_message(context,
                   "'begin: static' is at rest, but 'rod.node1.angle' begins with a velocity");
    lmb_model_free(m);
}

/* --- frequencies ------------------------------------------------------------------------------ */

/* The two lowest frequencies: chordwise, flapwise. */
static void frequencies(double mu, double slender, double *chord, double *flap)
{
    lmb_model *m = rotating(mu, slender, mu > 10 ? 8 : 5, 1e-5, 1e6);
    lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-4));
    lmb_mode_list list;
    assert_ok(lmb_find_modes(d->solver, &list));
    *chord = list.modes[0].imaginary;
    *flap = list.modes[1].imaginary;
    for (int i = 0; i < list.count; i++)
        assert_true(fabs(list.modes[i].real) < 1e-6); /* nothing is lost or gained */
    lmb_mode_list_free(&list);
    finish(d, m);
}

/* Published (Hamza-cherif and Houmat): p-version finite elements of Euler and Bernoulli's beam, not
 * stretched; slenderness 70 matters for the chordwise ones alone, by the Coriolis forces of axial
 * motion. */
static const double published[][3] = {
    {2, 3.6195, 4.1373}, {4, 3.888, 5.5850},  {6, 4.2393, 7.3603},
    {8, 4.6105, 9.2568}, {10, 4.97, 11.2023},
};

/* Flapwise of a beam that is hardly stretched (mu^2 / 3 EA = 7e-5): rotary inertia and 1 / GA of
 * 1e-5 make it lower by some 1e-5 times itself. Chordwise, w_c^2 = w_f^2 - mu^2: w_f / w_c times
 * (up to 2.2) that in frequency, squared. */
static void an_inextensible_blade_has_published_frequencies(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        double chord, flap, mu = published[i][0], expected = published[i][2];
        frequencies(mu, 700, &chord, &flap);
        if (getenv("LIMBER_SHOW"))
            printf("mu = %g: flapwise %.5f, published %.4f; chordwise %.5f\n", mu, flap, expected,
                   chord);
        assert_close(flap / expected, 1, 1e-4);
        assert_close(chord * chord / (expected * expected - mu * mu), 1,
                     2e-4 * pow(expected / chord, 2));
    }
}

/* Chordwise with slenderness 70. The exact beam is stretched by mu^2 / (2 EA) at its root, by up to
 * 1 % here, which the published theory leaves out: its frequencies are lower by a part of that. */
static void a_stretched_blade_has_lower_frequencies(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        double chord, flap, mu = published[i][0], expected = published[i][1];
        double stretch = mu * mu / (2 * 70 * 70);
        frequencies(mu, 70, &chord, &flap);
        if (getenv("LIMBER_SHOW"))
            printf("mu = %g: chordwise %.5f, published %.4f, stretch %.4f\n", mu, chord, expected,
                   stretch);
        assert_true(chord < expected && chord > (1 - stretch) * expected);
    }
}

/* The same by Ritz's method, for a beam without shear and rotary inertia, stretched by r(x) = sin(k
 * x) / (k cos k), N = EA (r' - 1). In turning axes, with lateral displacements w and axial ones u,
 *
 *   2 T = int u'^2 + w'^2 + 2 mu (u w' - w u') + mu^2 (u^2 + w^2) dx          (' by time)
 *   2 U = int EA u_x^2 + ((w_x / r_x)_x)^2 + N w_x^2 / r_x dx
 *
 * w = sum x^2 P_i w_i, u = sum x P_i u_i with Legendre's polynomials P_i(2 x - 1); flapwise there
 * is w alone, and no mu^2 w^2. */
enum { TERMS = 20, ALL = 2 * TERMS };

typedef struct ritz {
    double M[ALL * ALL], K[ALL * ALL], G[ALL * ALL]; /* of u, then w; K without mu^2 */
} ritz;

/* P_i(2 x - 1) and its first two derivatives by x. */
static void legendre(double x, double P[3][TERMS])
{
    double y = 2 * x - 1;
    for (int k = 0; k < 3; k++) {
        P[k][0] = k == 0;
        P[k][1] = k == 0 ? y : k == 1 ? 2 : 0;
    }
    for (int i = 1; i + 1 < TERMS; i++) {
        P[0][i + 1] = ((2 * i + 1) * y * P[0][i] - i * P[0][i - 1]) / (i + 1);
        for (int k = 1; k < 3; k++)
            P[k][i + 1] = P[k][i - 1] + 2 * (2 * i + 1) * P[k - 1][i];
    }
}

static void add_products(ritz *z, double x, double weight, double mu, double EA)
{
    double k = mu / sqrt(EA), r_x = cos(k * x) / cos(k), r_xx = -k * sin(k * x) / cos(k);
    double N = EA * (r_x - 1), f[ALL], f_x[ALL], bend[TERMS], P[3][TERMS];
    legendre(x, P);
    for (int i = 0; i < TERMS; i++) {
        f[i] = x * P[0][i];
        f_x[i] = P[0][i] + x * P[1][i];
        f[TERMS + i] = x * x * P[0][i];
        f_x[TERMS + i] = 2 * x * P[0][i] + x * x * P[1][i];
        double f_xx = 2 * P[0][i] + 4 * x * P[1][i] + x * x * P[2][i];
        bend[i] = f_xx / r_x - f_x[TERMS + i] * r_xx / (r_x * r_x);
    }
    for (int j = 0; j < ALL; j++)
        for (int i = 0; i < ALL; i++) {
            bool w = i >= TERMS, same = w == (j >= TERMS);
            double *M = &z->M[ALL * j + i], *K = &z->K[ALL * j + i], *G = &z->G[ALL * j + i];
            *M += same ? weight * f[i] * f[j] : 0;
            *K += same && !w ? weight * EA * f_x[i] * f_x[j] : 0;
            *K += same && w
                      ? weight * (bend[i - TERMS] * bend[j - TERMS] + N / r_x * f_x[i] * f_x[j])
                      : 0;
            *G += same ? 0 : (w ? 2 : -2) * mu * weight * f[i] * f[j];
        }
}

/* The lowest frequency of M x'' + G x' + (K - mu^2 M) x = 0. */
static double lowest_chordwise(const ritz *z, double mu)
{
    enum { STATES = 2 * ALL };
    double M[ALL * ALL], right[ALL * STATES], A[STATES * STATES] = {0}, lowest = INFINITY;
    double real[STATES], imaginary[STATES], vectors[STATES * STATES];
    memcpy(M, z->M, sizeof M);
    for (int i = 0; i < ALL * ALL; i++) {
        right[i] = mu * mu * z->M[i] - z->K[i];
        right[ALL * ALL + i] = -z->G[i];
    }
    assert_true(lmb_dense_solve(ALL, M, STATES, right));
    for (int j = 0; j < STATES; j++)
        for (int i = 0; i < ALL; i++) {
            A[STATES * j + ALL + i] = right[ALL * j + i];
            A[STATES * j + i] = j == ALL + i;
        }
    assert_true(lmb_dense_eigen(STATES, A, real, imaginary, vectors));
    for (int i = 0; i < STATES; i++)
        lowest = imaginary[i] > 0 ? fmin(lowest, imaginary[i]) : lowest;
    return lowest;
}

static double lowest_flapwise(const ritz *z)
{
    double M[TERMS * TERMS], K[TERMS * TERMS], values[TERMS];
    for (int j = 0; j < TERMS; j++)
        for (int i = 0; i < TERMS; i++) {
            M[TERMS * j + i] = z->M[ALL * (TERMS + j) + TERMS + i];
            K[TERMS * j + i] = z->K[ALL * (TERMS + j) + TERMS + i];
        }
    assert_true(lmb_dense_symmetric_general(TERMS, K, M, values));
    return sqrt(values[0]);
}

/* At mu = 50 the published theory, without stretching, has 7.3362 and 51.0805. */
static void a_stretched_blade_has_the_frequencies_of_its_own_equations(void **unused)
{
    (void)unused;
    enum { POINTS = 400 };
    static const double speeds[] = {2, 10, 50};
    for (int n = 0; n < 3; n++) {
        double mu = speeds[n], EA = 70 * 70, chord, flap;
        ritz z = {{0}, {0}, {0}};
        for (int i = 0; i <= POINTS; i++) /* Simpson's rule */
            add_products(&z, (double)i / POINTS,
                         (i % POINTS ? (i % 2 ? 4 : 2) : 1) / (3.0 * POINTS), mu, EA);
        frequencies(mu, 70, &chord, &flap);
        double expected[] = {lowest_chordwise(&z, mu), lowest_flapwise(&z)};
        if (getenv("LIMBER_SHOW"))
            printf("mu = %g: chordwise %.5f, Ritz %.5f; flapwise %.5f, Ritz %.5f\n", mu, chord,
                   expected[0], flap, expected[1]);
        /* rotary inertia, 1e-5 times some 3.5^2, and shear by the tension mu^2 / 2 at the root */
        double most = 1.2e-4 + mu * mu / (2 * 1e6);
        assert_close(chord / expected[0], 1, most);
        assert_close(flap / expected[1], 1, most);
    }
}

/* Blades of Epps and Chandra at 750 rpm, tips swept by 0 and 45 degrees: measured in a vacuum, flap
 * and torsion modes; the chordwise one, the second here, was not. At rest they measured a second
 * frequency of 7.4 times the first, where a uniform cantilever has 6.27: so good to some 10 %. */
static void swept_blades_have_measured_frequencies(void **unused)
{
    (void)unused;
    static const double sweeps[] = {0, 45};
    static const double measured[][6] = {{14.8, 36.1, 62.9, 95.4, 106.6, 132.7},
                                         {14.7, 26.1, 44.8, 78.8, 117.7, 162.0}};
    char text[1500];
    for (int n = 0; n < 2; n++) {
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 3\nparameters: {in: 0.0254, r: 2.5*in, L: 31.5*in, x: "
                 "6*in*cos(%g*pi/180), y: 6*in*sin(%g*pi/180)}\nbodies:\n"
                 "  hub: {mass: 1, inertia: [1, 1, 1], points: {R: [r, 0, 0]}}\n"
                 "  blade:\n    beam: {along: [[r, 0, 0], [r + L, 0, 0], [r + L + x, -y, 0]], "
                 "elements: 8, y_axis: [0, 1, 0], deformation: large, section: {rectangle: {width: "
                 "0.063*in, height: in}}, material: {E: 1.06e7*6894.757, nu: 0.325, density: "
                 "2.51e-4*175.1268/in^3}}\n    interfaces: {A: start, B: end}\n"
                 "joints:\n  shaft: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
                 "  root: {type: fixed, between: [hub.R, blade.A]}\n"
                 "drivers: {motor: {joint: shaft, speed: 25*pi}}\n",
                 sweeps[n], sweeps[n]);
        lmb_model *m = model_of_text(text);
        lmb_dynamics *d = start_motion(m, begin_with(&lmb_begin_quasi_static, 1e-4));
        lmb_mode_list list;
        assert_ok(lmb_find_modes(d->solver, &list));
        for (int i = 0; i < 6; i++) {
            double found = list.modes[i ? i + 1 : 0].imaginary / (2 * LMB_PI);
            if (getenv("LIMBER_SHOW"))
                printf("sweep %g, mode %d: %.2f Hz, measured %.1f\n", sweeps[n], i + 1, found,
                       measured[n][i]);
            assert_close(found / measured[n][i], 1, 0.1);
        }
        lmb_mode_list_free(&list);
        finish(d, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turning_beam_is_stretched),
        cmocka_unit_test(a_spinning_beam_is_stretched),
        cmocka_unit_test(a_loaded_beam_begins_at_rest),
        cmocka_unit_test(a_falling_rod_is_bent_as_one_with_modes),
        cmocka_unit_test(bodies_with_modes_and_exact_beams_begin_together),
        cmocka_unit_test(an_unrelated_beam_changes_no_shape),
        cmocka_unit_test(a_rod_that_must_deform_has_its_inertia),
        cmocka_unit_test(inverse_dynamics_of_an_arm),
        cmocka_unit_test(a_turn_contradicts_rest),
        cmocka_unit_test(an_inextensible_blade_has_published_frequencies),
        cmocka_unit_test(a_stretched_blade_has_lower_frequencies),
        cmocka_unit_test(a_stretched_blade_has_the_frequencies_of_its_own_equations),
        cmocka_unit_test(swept_blades_have_measured_frequencies),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
