/* Copies of a spec: the same tree, overrides of their own, freed in any order. */
#include <pthread.h>
#include <stdio.h>

#include "models.h"
#include "read/reader.h"
#include "support.h"
#include "system/model.h"

static const char text[] = "limber: 1\n"
                           "dimension: 2\n"
                           "parameters: {m: 2, L: 1, half: L/2}\n"
                           "bodies: {bar: {mass: m, inertia: m*L^2/12, points: {O: [-half, 0]}}}\n"
                           "joints: {pin: {type: revolute, between: [ground, bar.O]}}\n"
                           "analyses: {move: {type: dynamics, duration: 1}}\n";

static lmb_spec *parsed(void)
{
    lmb_spec *spec;
    assert_ok(lmb_spec_parse(&spec, context, "bar", text));
    return spec;
}

static double mass_of(const lmb_spec *spec)
{
    lmb_model *m;
    assert_ok(lmb_model_compile(&m, context, spec));
    double mass = m->bodies[1].mass;
    lmb_model_free(m);
    return mass;
}

static void test_overrides_are_its_own(void **unused)
{
    (void)unused;
    lmb_spec *spec = parsed(), *copy, *second;
    assert_ok(lmb_spec_set(spec, context, "m", "3"));
    assert_ok(lmb_spec_set(spec, context, "m", "4"));
    assert_ok(lmb_spec_copy(&copy, context, spec));
    assert_true(mass_of(copy) == 4); /* the newest, as in the other one */
    assert_ok(lmb_spec_set(copy, context, "m", "5"));
    assert_ok(lmb_spec_copy(&second, context, copy));
    assert_ok(lmb_spec_set(spec, context, "m", "6"));
    assert_true(mass_of(spec) == 6);
    assert_true(mass_of(copy) == 5);
    assert_true(mass_of(second) == 5);
    lmb_spec_free(copy);
    assert_true(mass_of(second) == 5);
    lmb_spec_free(spec);
    assert_true(mass_of(second) == 5);
    lmb_spec_free(second);
}

static void test_model_outlives_all(void **unused)
{
    (void)unused;
    lmb_spec *spec = parsed(), *copy;
    lmb_model *m;
    assert_ok(lmb_spec_copy(&copy, context, spec));
    lmb_spec_free(spec);
    assert_ok(lmb_spec_set(copy, context, "m", "7"));
    assert_ok(lmb_model_compile(&m, context, copy));
    lmb_spec_free(copy);
    assert_string_equal(m->bodies[1].name, "bar");
    assert_true(m->bodies[1].mass == 7);
    lmb_model_free(m);
}

/* Each thread copies the spec and compiles at masses of its own. */
static void *compile_some(void *of)
{
    lmb_context *own = lmb_context_new();
    lmb_spec *copy;
    bool fine = own && !lmb_spec_copy(&copy, own, of);
    for (int i = 1; fine && i <= 50; i++) {
        char value[20];
        lmb_model *m;
        snprintf(value, sizeof value, "%d", i);
        fine = !lmb_spec_set(copy, own, "m", value) && !lmb_model_compile(&m, own, copy) &&
               m->bodies[1].mass == i;
        if (fine)
            lmb_model_free(m);
    }
    if (fine)
        lmb_spec_free(copy);
    lmb_context_free(own);
    return fine ? of : NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    enum { THREADS = 2 };
    lmb_spec *spec = parsed();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compile_some, spec), 0);
    for (int i = 0; i < THREADS; i++) {
        void *fine;
        pthread_join(threads[i], &fine);
        assert_non_null(fine);
    }
    lmb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overrides_are_its_own),
        cmocka_unit_test(test_model_outlives_all),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
