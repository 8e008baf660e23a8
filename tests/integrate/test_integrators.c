/* All integrators and stabilisations on all examples, on a mechanism with bodies of a kind that
 * only tests know, and with a solver that only tests know: they agree within what their step or
 * tolerance allows, show their order, and go on to the last bit from a saved motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "qr_solver.h"
#include "strut.h"
#include "support.h"

static lmb_dynamics *start(const lmb_model *m, lmb_integration options)
{
    if (options.spectral_radius == 0)
        options.spectral_radius = 0.9;
    return start_motion(m, options);
}

/* The difference of two motions, in lengths of the model. */
static double apart(const lmb_dynamics *x, const lmb_dynamics *y)
{
    const lmb_state *a = x->solver->state, *b = y->solver->state;
    double *d = calloc((size_t)a->model->nv + 1, sizeof *d);
    lmb_difference(a->model, b->q, a->q, d);
    double size = lmb_step_size(x->solver, d) / a->model->length;
    for (int i = 0; i < a->model->nz; i++)
        size = fmax(size, fabs(a->z[i] - b->z[i]) / a->model->z_size[i]);
    free(d);
    return size;
}

/* Examples with some time that is hard enough, and a step for it. */
static const struct {
    const char *name;
    double t, step;
} examples[] = {
    {"andrews", 2e-3, 2e-6},
    {"bricard", 0.5, 1e-3},
    {"double-pendulum", 0.5, 1e-3},
    {"flyball-governor", 0.01, 5e-6},
    {"heavy-top", 0.1, 1e-4},
    {"n-four-bar", 0.5, 1e-3},
    {"particles", 0.5, 1e-3},
    {"slider-crank-dynamics", 0.2, 5e-4},
    {"sliding-rod", 0.2, 5e-4},
    {"slider-crank", 0.2, 5e-4}, /* driven, with no degree of freedom left */
    {"spatial-slider-crank", 0.2, 5e-4},
    {"cable-break", 0.2, 1e-3},
    {"suspension", 0.05, 1e-4},
    {"struts", 0.3, 1e-3}, /* the text below */
};

/* Two struts, the first hinged to the ground and with its tip hinged to the second. */
static const char struts[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  A: {type: strut, mass: 3, inertia: [0.4, 0.5, 0.6], tip_mass: 2, length: 0.5, stiffness: 90,"
    " maxwell: 80, time: 0.2, a: [-0.2, 0, 0]}\n"
    "  B: {type: strut, mass: 2, inertia: [0.2, 0.3, 0.2], tip_mass: 0.5, length: 0.4,"
    " stiffness: 60, maxwell: 30, time: 0.1, a: [-0.3, 0, 0], position: [0.8, 0, 0]}\n"
    "joints:\n"
    "  base: {type: revolute, between: [ground, A.a], axis: [0, 1, 0]}\n"
    "  elbow: {type: universal, between: [A.b, B.a], axis: [0, 1, 0], axis_b: [0, 0, 1]}\n"
    "forces:\n  damper: {type: torsion-spring, joint: base, stiffness: 3, damping: 0.5}\n";

/* The model of an example, or the struts; by the solver of tests if asked for. */
static lmb_model *load(const char *name, bool by_qr)
{
    static const lmb_saddle_kind *const solvers[] = {&qr_solver, NULL};
    static lmb_kinds kinds;
    char path[128];
    lmb_spec *spec;
    lmb_model *model;
    kinds = *kinds_with_strut();
    kinds.solvers = by_qr ? solvers : kinds.solvers;
    lmb_messages_clear(context);
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    assert_ok(strcmp(name, "struts") == 0 ? lmb_spec_parse(&spec, context, name, struts)
                                          : lmb_spec_load(&spec, context, path));
    assert_ok(lmb_model_compile_with(&model, context, spec, &kinds));
    lmb_spec_free(spec);
    return model;
}

static const struct {
    const char *name;
    lmb_integration options; /* the step is that of the example */
    double order;            /* 0: the tolerance rules the error */
} methods[] = {
    {"rk45", {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9}, 0},
    {"rk45 partitioned",
     {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9, .stabilisation = LMB_PARTITIONING},
     0},
    {"rk45 baumgarte",
     {.integrator = &lmb_integrator_rk45,
      .tolerance = 1e-9,
      .stabilisation = LMB_BAUMGARTE,
      .baumgarte = 20},
     0},
    {"euler", {.integrator = &lmb_integrator_euler}, 1},
    {"euler taylor", {.integrator = &lmb_integrator_euler, .taylor = true}, 1},
    {"adams", {.integrator = &lmb_integrator_adams}, 4},
    {"adams partitioned",
     {.integrator = &lmb_integrator_adams, .stabilisation = LMB_PARTITIONING},
     4},
    {"generalized-alpha", {.integrator = &lmb_integrator_alpha}, 2},
    {"generalized-alpha, error-controlled",
     {.integrator = &lmb_integrator_alpha, .tolerance = 1e-10},
     0},
    {"hht", {.integrator = &lmb_integrator_hht}, 2},
    {"newmark", {.integrator = &lmb_integrator_newmark, .spectral_radius = 1}, 2},
    {"ali3p", {.integrator = &lmb_integrator_ali3p}, 2},
    {"ali3p mass", {.integrator = &lmb_integrator_ali3p, .projection = LMB_PROJECT_MASS}, 2},
    {"ali3p, error-controlled", {.integrator = &lmb_integrator_ali3p, .tolerance = 1e-10}, 0},
    {"ida", {.integrator = &lmb_integrator_ida, .tolerance = 1e-9}, 0},
};

enum {
    EXAMPLES = sizeof examples / sizeof examples[0],
    METHODS = sizeof methods / sizeof methods[0]
};

static double error_of(const lmb_model *m, lmb_dynamics *exact, int method, double t, double step)
{
    lmb_integration options = methods[method].options;
    options.step = step;
    lmb_dynamics *d = start(m, options);
    advance(d, t);
    double error = apart(d, exact);
    lmb_dynamics_free(d);
    return error;
}

/* Methods of fixed step come nearer to the true motion with their order when the step is halved;
 * the others are as near as their tolerance, times what errors grow by (a thousand at most here).
 */
static void all_agree_on_all_examples(void **unused)
{
    (void)unused;
    for (int e = 0; e < EXAMPLES; e++) {
        lmb_model *m = load(examples[e].name, false);
        lmb_dynamics *exact =
            start(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12});
        double t = examples[e].t;
        advance(exact, t);
        for (int k = 0; k < METHODS; k++) {
            double coarse = error_of(m, exact, k, t, examples[e].step);
            double fine = error_of(m, exact, k, t, examples[e].step / 2);
            double order = log2(coarse / fine);
            if (getenv("LIMBER_SHOW"))
                printf("%-22s %-36s %9.2e %9.2e order %.2f\n", examples[e].name, methods[k].name,
                       coarse, fine, order);
            bool rounding = fine < 1e-9; /* of redundant rows, which are solved by iteration */
            if (!(coarse < (methods[k].order == 0 ? 1e-6 : 1e-1)) ||
                (methods[k].order > 0 && !rounding && order < methods[k].order - 0.3))
                fail_msg("%s with %s: errors %g and %g, order %.2f", examples[e].name,
                         methods[k].name, coarse, fine, order);
        }
        lmb_dynamics_free(exact);
        lmb_model_free(m);
    }
}

static double *save(lmb_motion *motion)
{
    lmb_pack pack = {.mode = LMB_PACK_COUNT};
    lmb_motion_pack(motion, &pack);
    double *numbers = calloc(pack.count + 1, sizeof *numbers);
    pack = (lmb_pack){.mode = LMB_PACK_SAVE, .numbers = numbers};
    lmb_motion_pack(motion, &pack);
    return numbers;
}

/* A motion restored into a new one goes on to the last bit as the saved one did. */
static void saved_motions_go_on_to_the_last_bit(void **unused)
{
    (void)unused;
    for (int e = 0; e < EXAMPLES; e++)
        for (int k = 0; k < METHODS; k++) {
            lmb_model *m = load(examples[e].name, false);
            lmb_integration options = methods[k].options;
            options.step = examples[e].step;
            double t = examples[e].t / 4;
            lmb_dynamics *whole = start(m, options), *resumed = start(m, options);
            advance(whole, t);
            advance(whole, 1.7 * t);
            if (whole->motion->options.integrator->starts_again) {
                lmb_dynamics_free(whole);
                lmb_dynamics_free(resumed);
                lmb_model_free(m);
                continue;
            }
            double *numbers = save(whole->motion);
            advance(whole, 2 * t);
            advance(whole, 3 * t);
            lmb_pack pack = {.mode = LMB_PACK_RESTORE, .numbers = numbers};
            lmb_motion_pack(resumed->motion, &pack);
            free(numbers);
            advance(resumed, 2 * t);
            advance(resumed, 3 * t);
            const lmb_state *x = whole->solver->state, *y = resumed->solver->state;
            if (distance(x->q, y->q, m->nq) != 0 || distance(x->v, y->v, m->nv) != 0 ||
                distance(x->lambda, y->lambda, m->nrows) != 0 || distance(x->a, y->a, m->nv) != 0 ||
                distance(x->z, y->z, m->nz) != 0)
                fail_msg("%s with %s: differs by %g", examples[e].name, methods[k].name,
                         distance(x->q, y->q, m->nq));
            lmb_dynamics_free(whole);
            lmb_dynamics_free(resumed);
            lmb_model_free(m);
        }
}

/* With another solver the motion is the same but for rounding, which grows as the errors of starts
 * do: by a thousand at most here. Rows that repeat others are solved by iteration to 1e-8. */
static void another_solver_gives_the_same_motion(void **unused)
{
    (void)unused;
    for (int e = 0; e < EXAMPLES; e++)
        for (int k = 0; k < METHODS; k++) {
            lmb_integration options = methods[k].options;
            options.step = examples[e].step;
            lmb_model *m = load(examples[e].name, false), *other = load(examples[e].name, true);
            lmb_dynamics *x = start(m, options), *y = start(other, options);
            assert_ptr_equal(y->solver->saddle->kind, &qr_solver);
            advance(x, examples[e].t / 4);
            advance(y, examples[e].t / 4);
            double off = apart(x, y);
            if (!(off < (methods[k].order == 0 ? 1e-7 : 1e-8)))
                fail_msg("%s with %s: differs by %g", examples[e].name, methods[k].name, off);
            lmb_dynamics_free(x);
            lmb_dynamics_free(y);
            lmb_model_free(m);
            lmb_model_free(other);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_agree_on_all_examples),
        cmocka_unit_test(another_solver_gives_the_same_motion),
        cmocka_unit_test(saved_motions_go_on_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
