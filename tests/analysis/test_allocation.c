/* Nothing is allocated while a motion is computed: malloc is watched. */
#include "analysis/dynamics.h"
#include "analysis/kinematics.h"
#include "counting.h"
#include "limber/limber.h"
#include "support.h"

static unsigned long allocations_of(const char *path)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model;
    lmb_kinematics *k;
    assert_int_equal(lmb_spec_load(&spec, context, path), LMB_OK);
    assert_int_equal(lmb_model_compile(&model, context, spec), LMB_OK);
    assert_int_equal(lmb_kinematics_new(&k, context, model, 0, true), LMB_OK);
    for (int i = 1; i <= 100; i++)
        assert_int_equal(lmb_kinematics_advance(k, 0.01 * i), LMB_OK);
    unsigned long before = allocations();
#ifndef __SANITIZE_ADDRESS__
    assert_true(before > 0); /* the count works */
#endif
    for (int i = 101; i <= 400; i++)
        assert_int_equal(lmb_kinematics_advance(k, 0.01 * i), LMB_OK);
    unsigned long after = allocations();
    lmb_kinematics_free(k);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
    return after - before;
}

static void instants_do_not_allocate(void **unused)
{
    (void)unused;
    assert_int_equal(allocations_of("examples/slider-crank/slider-crank.yaml"), 0);
    assert_int_equal(allocations_of("examples/afterburner/afterburner.yaml"), 0);
    assert_int_equal(allocations_of("examples/spatial-slider-crank/spatial-slider-crank.yaml"), 0);
}

/* Steps of an integrator on an example; the first ones may find pivots. */
static unsigned long allocations_of_steps(const char *path, lmb_integration options, double step)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model;
    lmb_dynamics *d;
    options.step = step;
    options.spectral_radius = 0.9;
    assert_int_equal(lmb_spec_load(&spec, context, path), LMB_OK);
    assert_int_equal(lmb_model_compile(&model, context, spec), LMB_OK);
    assert_int_equal(lmb_dynamics_new(&d, context, model, 0, &options), LMB_OK);
    assert_int_equal(lmb_dynamics_advance(d, 20 * step), LMB_OK);
    unsigned long before = allocations();
    for (int k = 1; k <= 10; k++)
        assert_int_equal(lmb_dynamics_advance(d, (20 + 20 * k) * step), LMB_OK);
    unsigned long after = allocations();
    lmb_dynamics_free(d);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
    return after - before;
}

static void steps_do_not_allocate(void **unused)
{
    (void)unused;
    static const lmb_integration methods[] = {
        {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9},
        {.integrator = &lmb_integrator_euler},
        {.integrator = &lmb_integrator_adams},
        {.integrator = &lmb_integrator_alpha},
        {.integrator = &lmb_integrator_alpha, .tolerance = 1e-7},
        {.integrator = &lmb_integrator_hht},
        {.integrator = &lmb_integrator_ali3p},
        {.integrator = &lmb_integrator_ali3p, .projection = LMB_PROJECT_MASS},
    };
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        assert_int_equal(allocations_of_steps("examples/slider-crank-dynamics/"
                                              "slider-crank-dynamics.yaml",
                                              methods[i], 1e-3),
                         0);
        assert_int_equal(
            allocations_of_steps("examples/heavy-top/heavy-top.yaml", methods[i], 1e-4), 0);
        assert_int_equal(allocations_of_steps("examples/andrews/andrews.yaml", methods[i], 1e-5),
                         0);
    }
}

/* Steps that are watched for events do not allocate either. */
static void watching_does_not_allocate(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model;
    lmb_dynamics *d;
    static const lmb_integrator *const integrators[] = {
        &lmb_integrator_rk45, &lmb_integrator_euler, &lmb_integrator_adams, &lmb_integrator_alpha};
    assert_int_equal(lmb_spec_load(&spec, context, "examples/cable-break/cable-break.yaml"),
                     LMB_OK);
    assert_int_equal(lmb_spec_set(spec, context, "strength", "4000"), LMB_OK);
    assert_int_equal(lmb_model_compile(&model, context, spec), LMB_OK);
    for (int i = 0; i < 4; i++) {
        lmb_integration options = {.integrator = integrators[i],
                                   .tolerance = i == 0 ? 1e-9 : 0,
                                   .step = 0.01,
                                   .spectral_radius = 0.9};
        assert_int_equal(lmb_dynamics_new(&d, context, model, 0, &options), LMB_OK);
        assert_non_null(d->events);
        assert_int_equal(lmb_dynamics_advance(d, 0.1), LMB_OK);
        unsigned long before = allocations();
        for (int k = 2; k <= 30; k++)
            assert_int_equal(lmb_dynamics_advance(d, 0.1 * k), LMB_OK);
        assert_int_equal(allocations() - before, 0);
        lmb_dynamics_free(d);
    }
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_do_not_allocate),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(watching_does_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
