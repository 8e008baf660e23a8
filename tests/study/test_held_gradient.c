/* Gradients with modes that are held: those of runs with the same modes, of moving modes where
 * these do not change or the basis is complete, and nearer to them the more modes there are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "read/reader.h"
#include "study/gradient.h"
#include "study/gradient.h"
#include "support.h"

/* A bent arm that swings from a pin under its weight and a spring, with a mass in its middle. */
static const char arm[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "parameters: {E: 7e9, rho: 2700, h: 0.02, m: 0.3, x: 0.5}\n"
    "bodies:\n"
    "  arm:\n"
    "    beam: {along: [[0, 0], [x, 0.2], [1, 0]], elements: %d, material: {E: E, nu: 0.3, "
    "density: "
    "rho}, section: {rectangle: {height: h, width: 0.02}}}\n"
    "    masses: {m: {node: 2, mass: m}}\n"
    "    interfaces: {A: start, B: end%s}\n    damping: 0.02\n"
    "    reduction: {modes: %d, frame: {point: A}}\n"
    "joints: {pin: {type: revolute, between: [ground, arm.A]}}\n"
    "forces: {coil: {type: spring, between: [[1, 1], arm.B], stiffness: 50, length: 0.8}}\n"
    "analyses: {swing: {type: dynamics, duration: 0.2, output_step: 0.01, integrator: "
    "generalized-alpha, step: 1e-3}}\n"
    "objectives:\n"
    "  way: {integral: '(arm.B.position.y - 0.1)^2'}\n"
    "  speed: {final: arm.B.velocity.y}\n"
    "  pull: {mean: pin.force.y}\n";

/* Without modes: two elements whose nodes are all interface points, a basis of all there is. */
static lmb_spec *spec_of(int modes)
{
    char text[4000];
    lmb_spec *spec;
    assert_true(snprintf(text, sizeof text, arm, modes ? 6 : 2, modes ? "" : ", C: {node: 2}",
                         modes) < (int)sizeof text);
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    return spec;
}

static lmb_gradient *gradient_of(int modes, const char *const *by, lmb_gradient_basis basis,
                                 lmb_gradient_method method)
{
    lmb_spec *spec = spec_of(modes);
    lmb_gradient *g;
    lmb_gradient_request request = {.parameters = by, .basis = basis, .method = method};
    assert_ok(lmb_gradient_find(&g, context, spec, &request));
    lmb_spec_free(spec);
    return g;
}

enum { OBJECTIVES = 3 };

/* How far two gradients of each objective are apart, as a part of what a change of the parameter by
 * its own size does, or of the objective where that is more. */
static void apart(const lmb_gradient *a, const lmb_gradient *b, double off[OBJECTIVES])
{
    assert_int_equal(a->objective_count, OBJECTIVES);
    for (int o = 0; o < OBJECTIVES; o++) {
        off[o] = 0;
        for (int p = 0; p < a->parameter_count; p++) {
            int at = o * a->parameter_count + p;
            double by = b->parameter_values[p];
            double size = fmax(fabs(b->values[o]), fabs(by * b->derivatives[at]));
            off[o] = fmax(off[o], fabs(by * (a->derivatives[at] - b->derivatives[at])) / size);
        }
    }
}

static void assert_same(const lmb_gradient *a, const lmb_gradient *b, double tolerance)
{
    double off[OBJECTIVES];
    apart(a, b, off);
    for (int o = 0; o < OBJECTIVES; o++)
        if (!(off[o] < tolerance))
            fail_msg("%s: %g", a->objectives[o], off[o]);
}

/* Moving and held modes apart. */
static void difference(int modes, const char *parameter, double off[OBJECTIVES])
{
    const char *by[] = {parameter, NULL};
    lmb_gradient *moving = gradient_of(modes, by, LMB_BASIS_MOVING, LMB_GRADIENT_DIRECT);
    lmb_gradient *held = gradient_of(modes, by, LMB_BASIS_HELD, LMB_GRADIENT_DIRECT);
    apart(held, moving, off);
    if (getenv("LIMBER_SHOW"))
        printf("%d modes, by %s: %.2e %.2e %.2e\n", modes, parameter, off[0], off[1], off[2]);
    lmb_gradient_free(moving);
    lmb_gradient_free(held);
}

static void assert_no_difference(int modes, const char *parameter, double tolerance)
{
    double off[OBJECTIVES];
    difference(modes, parameter, off);
    for (int o = 0; o < OBJECTIVES; o++)
        if (!(off[o] < tolerance))
            fail_msg("%d modes, by %s: %g", modes, parameter, off[o]);
}

/* E scales all of the stiffness: modes stay what they are. */
static void modes_unchanged(void **unused)
{
    (void)unused;
    assert_no_difference(2, "E", 1e-8);
    assert_no_difference(4, "E", 1e-8);
}

/* With a basis of all degrees of freedom any other one spans the same, also where nodes move. */
static void all_of_it(void **unused)
{
    (void)unused;
    const char *by[] = {"E", "rho", "h", "m", "x"};
    for (int i = 0; i < 5; i++)
        assert_no_difference(0, by[i], 1e-7);
}

/* The truncated basis is what is between them: in the whole gradient by mass, density and height
 * it falls from 2 to 4 to 8 modes, and so it does by the place of the bend, where nodes move. Not
 * so in the reaction, where modes of kHz that the start has excited are seen. */
static void more_modes(void **unused)
{
    (void)unused;
    const char *by[] = {"m", "rho", "h", "x"};
    const int modes[] = {2, 4, 8};
    double sum[3][2][OBJECTIVES] = {{{0}}}, off[OBJECTIVES];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++) {
            difference(modes[k], by[i], off);
            for (int o = 0; o < OBJECTIVES; o++)
                sum[k][i == 3][o] += off[o];
        }
    for (int moved = 0; moved < 2; moved++)
        for (int o = 0; o < 2; o++) {
            double two = sum[0][moved][o], four = sum[1][moved][o], eight = sum[2][moved][o];
            if (!(two > four && four > eight && eight < two / 10))
                fail_msg("%g, %g, %g", two, four, eight);
            assert_true(two > 1e-5); /* there is something to see */
        }
}

/* Runs at p +- d and p +- 2 d of models with the modes of the base. */
static void differences_of_runs(void **unused)
{
    (void)unused;
    static const char *const none[] = {NULL};
    const char *const names[] = {"m", "x", NULL};
    lmb_gradient *g = gradient_of(2, names, LMB_BASIS_HELD, LMB_GRADIENT_DIRECT);
    lmb_gradient *back = gradient_of(2, names, LMB_BASIS_HELD, LMB_GRADIENT_ADJOINT);
    lmb_gradient *whole = gradient_of(2, names, LMB_BASIS_HELD, LMB_GRADIENT_DIFFERENCES);
    lmb_spec *spec = spec_of(2);
    lmb_model *base;
    lmb_gradient_request request = {.parameters = none};
    assert_ok(lmb_model_compile(&base, context, spec));
    for (int p = 0; p < 2; p++) {
        double values[LMB_NEIGHBOURS][3], d = 2.5e-4 * g->parameter_values[p];
        for (int k = 0; k < LMB_NEIGHBOURS; k++) {
            lmb_override *before = spec->overrides;
            lmb_gradient *run;
            char text[40];
            snprintf(text, sizeof text, "%.17g",
                     g->parameter_values[p] + lmb_neighbour_place[k] * d);
            assert_ok(lmb_spec_set(spec, context, names[p], text));
            spec->like = base;
            spec->held = true;
            assert_ok(lmb_gradient_find(&run, context, spec, &request));
            for (int o = 0; o < 3; o++)
                values[k][o] = run->values[o];
            lmb_gradient_free(run);
            spec->overrides = before;
        }
        for (int o = 0; o < 3; o++) {
            double four[LMB_NEIGHBOURS], size = fabs(g->values[o] / g->parameter_values[p]);
            for (int k = 0; k < LMB_NEIGHBOURS; k++)
                four[k] = values[k][o];
            assert_close(g->derivatives[2 * o + p],
                         lmb_neighbours_slope(&(lmb_neighbours){.d = d}, four), 1e-7 * size);
        }
    }
    assert_same(back, g, 1e-9);
    assert_same(whole, g, 1e-7);
    lmb_gradient_free(g);
    lmb_gradient_free(back);
    lmb_gradient_free(whole);
    lmb_model_free(base);
    lmb_spec_free(spec);
}

/* What the gradient leaves over falls with the square of the change, of runs with held modes. */
static void taylor(void **unused)
{
    (void)unused;
    const char *const names[] = {"m", "h", NULL};
    lmb_gradient_request request = {.parameters = names, .basis = LMB_BASIS_HELD};
    lmb_gradient *g;
    lmb_gradient_check *c;
    lmb_spec *spec = spec_of(2);
    assert_ok(lmb_gradient_find(&g, context, spec, &request));
    assert_ok(lmb_gradient_check_find(&c, context, spec, &request, g));
    assert_null(spec->like);
    for (int o = 0; o < g->objective_count; o++) {
        const double *R = c->remainders + o * LMB_CHECK_STEPS;
        for (int k = 2; k < LMB_CHECK_STEPS; k++)
            if (!(fabs(log2(R[k - 1] / R[k]) - 2) < 0.1))
                fail_msg("%s: %g and %g", g->objectives[o], R[k - 1], R[k]);
        if (!(c->other[o] < 1e-9))
            fail_msg("%s: direct and adjoint differ by %g", g->objectives[o], c->other[o]);
    }
    lmb_gradient_check_free(c);
    lmb_gradient_free(g);
    lmb_spec_free(spec);
}

/* Shapes held on nodes that move are others: this is warned of, once for each parameter. */
static void moved_nodes(void **unused)
{
    (void)unused;
    const char *const fine[] = {"E", "rho", "h", "m", NULL}, *const moves[] = {"x", NULL};
    lmb_gradient_free(gradient_of(2, fine, LMB_BASIS_HELD, LMB_GRADIENT_DIRECT));
    assert_int_equal(lmb_message_count(context), 0);
    lmb_gradient_free(gradient_of(2, moves, LMB_BASIS_HELD, LMB_GRADIENT_DIRECT));
    assert_int_equal(lmb_message_count(context), 1);
    assert_message(context, "parameter 'x' moves nodes of 'arm'");
    lmb_gradient_free(gradient_of(2, moves, LMB_BASIS_MOVING, LMB_GRADIENT_DIRECT));
    assert_int_equal(lmb_message_count(context), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_unchanged), cmocka_unit_test(all_of_it),
        cmocka_unit_test(more_modes),      cmocka_unit_test(differences_of_runs),
        cmocka_unit_test(taylor),          cmocka_unit_test(moved_nodes),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
