/* Variants of a model are the same, to the last bit, as if they were compiled anew. */
#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bodies/body.h"
#include "model/variant.h"
#include "models.h"
#include "read/reader.h"
#include "reduction/body_data.h"
#include "same_model.h"
#include "study/neighbours.h"
#include "support.h"

/* --- one example ------------------------------------------------------------------------------ */

enum { MOST = 64 };

/* A model file with its free parameters. */
typedef struct family {
    lmb_spec *spec;
    lmb_model *base;
    const char *names[MOST];
    double values[MOST];
    int count;
} family;

static family family_of_spec(lmb_spec *spec)
{
    family f = {.spec = spec};
    assert_ok(lmb_model_compile(&f.base, context, spec));
    for (int i = 0; i < f.base->constant_count && f.count < MOST; i++) {
        const lmb_constant *c = &f.base->constants[i];
        if (!lmb_parameter_is_free(spec, f.base, c->name))
            continue;
        f.names[f.count] = c->name;
        f.values[f.count++] = c->symbol.value[0];
    }
    return f;
}

static family family_of_file(const char *path)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_load(&spec, context, path));
    return family_of_spec(spec);
}

static family family_of_text(const char *text)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    return family_of_spec(spec);
}

static void free_family(family *f)
{
    lmb_model_free(f->base);
    lmb_spec_free(f->spec);
}

/* How a model is compiled at other values: all of it by itself, all of it with reduced bodies of a
 * base, or as a variant. */
typedef enum way { ALONE, WHOLE, VARIANT } way;

/* With parameters times factors (0 becomes the factor less 1); NULL if the model is wrong then. */
static lmb_model *at(const family *f, lmb_context *own, way how, const lmb_model *like,
                     const double *factors)
{
    lmb_spec *copy;
    lmb_model *m;
    assert_false(lmb_spec_copy(&copy, own, f->spec));
    copy->whole = how == WHOLE;
    for (int i = 0; i < f->count; i++) {
        char text[40];
        double value = f->values[i] != 0 ? f->values[i] * factors[i] : factors[i] - 1;
        snprintf(text, sizeof text, "%.17g", value);
        if (factors[i] != 1)
            assert_false(lmb_spec_set(copy, own, f->names[i], text));
    }
    lmb_status status =
        how == ALONE ? lmb_model_compile(&m, own, copy) : lmb_model_variant(&m, own, copy, like);
    lmb_spec_free(copy);
    return status ? NULL : m;
}

static bool is_flexible(const lmb_model *m)
{
    bool some = false;
    for (int i = 0; i < m->body_count; i++)
        some |= lmb_body_data_of(&m->bodies[i]) != NULL;
    return some;
}

static void assert_same(const lmb_model *a, const lmb_model *b, const char *what)
{
    model_numbers x = numbers_of_model(context, a), y = numbers_of_model(context, b);
    long differs = first_difference(&x, &y);
    if (differs >= 0)
        fail_msg("%s: number %ld of %zu (%zu) is %.17g, but should be %.17g", what, differs,
                 x.count, y.count, (size_t)differs < x.count ? x.at[differs] : NAN,
                 (size_t)differs < y.count ? y.at[differs] : NAN);
    free_numbers(&x);
    free_numbers(&y);
}

/* A variant against all of it compiled; returns it, or NULL if the model is wrong there. */
static lmb_model *checked(const family *f, const lmb_model *like, const double *factors,
                          const char *what)
{
    /* a flexible body that changes is reduced more accurately in a variant (model/align.h) */
    lmb_model *other = at(f, context, is_flexible(f->base) ? WHOLE : ALONE, like, factors);
    lmb_model *m = at(f, context, VARIANT, like, factors);
    if (!other != !m)
        fail_msg("%s: compiled anew it is %s, as a variant %s", what, other ? "right" : "wrong",
                 m ? "right" : "wrong");
    if (m)
        assert_same(m, other, what);
    lmb_model_free(other);
    return m;
}

static void set_all(double *factors, double value)
{
    for (int i = 0; i < MOST; i++)
        factors[i] = value;
}

/* --- examples --------------------------------------------------------------------------------- */

/* By each parameter alone. */
static void check_each(const family *f, const char *path)
{
    for (int i = 0; i < f->count; i++) {
        double factors[MOST];
        char what[200];
        set_all(factors, 1);
        factors[i] = 1.01;
        snprintf(what, sizeof what, "%s, %s", path, f->names[i]);
        lmb_model_free(checked(f, f->base, factors, what));
    }
}

/* By several at once, each from the variant before, and back again. */
static void check_several(const family *f, const char *path)
{
    enum { ROUNDS = 6 };
    double factors[MOST];
    set_all(factors, 1);
    lmb_model *before = NULL;
    for (int k = 0; k < ROUNDS; k++) {
        char what[200];
        snprintf(what, sizeof what, "%s, round %d", path, k);
        for (int i = 0; i < f->count; i++)
            if (rand() % 3 == 0)
                factors[i] = k == ROUNDS - 1 ? 1 : 1 + 0.01 * (rand() % 5);
        lmb_model *m = checked(f, before ? before : f->base, factors, what);
        if (!m)
            continue;
        lmb_model_free(before);
        before = m;
    }
    set_all(factors, 1);
    lmb_model *back = checked(f, before ? before : f->base, factors, path);
    assert_non_null(back);
    assert_same(back, f->base, path);
    lmb_model_free(before);
    lmb_model_free(back);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_examples(void **unused)
{
    (void)unused;
    glob_t files;
    srand(1);
    assert_int_equal(glob("examples/*/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        double start = seconds();
        family f = family_of_file(files.gl_pathv[i]);
        double compiling = seconds() - start;
        check_each(&f, files.gl_pathv[i]);
        if (!is_flexible(f.base))
            check_several(&f, files.gl_pathv[i]);
        if (getenv("VERBOSE"))
            printf("%s: %d parameters, %.3f s, all %.3f s\n", files.gl_pathv[i], f.count, compiling,
                   seconds() - start);
        free_family(&f);
    }
    globfree(&files);
}

/* --- models of all sorts ---------------------------------------------------------------------- */

/* Words and flags by parameters, aliases that are a number and a law, tables and vectors of
 * parameters, counters, points that may coincide, records, channels in laws. */
static const char sorts[] =
    "limber: 1\n"
    "dimension: 2\n"
    "gravity: [0, -g]\n"
    "parameters: {g: 9.81, L: 1, a: 0.5, b: a, N: 3, soft: 1, k: 100, c: 2, w: 3, h: 0.1,"
    " V: [L, a], W: 2*V, m: 1 + bump(a), T: 1, flag: 1, start: 0.2}\n"
    "tables:\n"
    "  bump: {points: [[0, 0], [0.5*L, h], [L, 0]], type: \"if(soft > 0, cubic, linear)\"}\n"
    "ground: {A: [0, 0], B: [L, 0]}\n"
    "bodies:\n"
    "  bar{i}: {repeat: {i: [1, N]}, mass: m*i, inertia: 0.1 + h*i, position: [i*L - L/2, 0],\n"
    "    points: {l: [-L/2, 0], r: [L/2, 0], p: [a - 0.5, 0], q: [b - 0.5, 0], o: [0, 0]}}\n"
    "  ball: {type: particle, mass: norm(W), position: V, velocity: [w, 0]}\n"
    "  disc: {mass: 2, inertia: 0.3, coordinates: natural, position: [0, 2], angle: start,\n"
    "    points: {rim: {at: [h, 0], angle: a}}}\n"
    "joints:\n"
    "  j1: {type: revolute, between: [ground, bar1.l]}\n"
    "  j{i}: {repeat: {i: [2, N]}, type: revolute, between: [\"bar{i-1}.r\", \"bar{i}.l\"]}\n"
    "  axle: {type: revolute, between: [[0, 2], disc]}\n"
    "  slide: {type: slot, between: [V, ball], axis: [1, h]}\n"
    "drivers:\n"
    "  motor: {joint: axle, speed: &law w + 1, start: start}\n"
    "initial: {j2.angle: 0.1*a, j3: {rate: w}}\n"
    "forces:\n"
    "  spring: {type: spring, between: [bar1.p, bar2.q], stiffness: k, damping: c, length: a}\n"
    "  pull: {type: force, at: bar2.r, force: [\"-c*bar2.r.velocity.x\", *law]}\n"
    "  push: {type: spring, between: [ground.B, bar3.o], force: \"-k*length + c*speed*h\"}\n"
    "  play: {type: torque, at: bar3, torque: \"h*record(first/axle.angle)\"}\n"
    "  table: {type: torque, at: bar1, torque: \"bump(t/T)*k\"}\n"
    "sensors: {far: norm(bar3.r.position - V), turn: {accelerometer: {point: bar1.r,"
    " gravity: flag}}}\n"
    "events:\n"
    "  low: {when: \"bar1.r.position.y + h\", release: [spring], direction: falling}\n"
    "analyses:\n"
    "  first: {type: kinematics, duration: T, output_step: T/50, without: [j3, table]}\n"
    "  second: {type: dynamics, duration: T, output_step: T/20, integrator: generalized-alpha,"
    " step: T/200, without: [table]}\n"
    "objectives:\n"
    "  reach: {max: \"far*k/g\", of: second, smooth: ks, sharpness: k/L}\n"
    "  late: {at: bar1.angle*w, time: T/2, of: second}\n"
    "  weight: {final: \"bar1.mass*h\", of: second}\n"
    "  all: reach + a*late + weight\n";

static void test_sorts(void **unused)
{
    (void)unused;
    family f = family_of_text(sorts);
    srand(2);
    assert_true(f.count > 10);
    check_each(&f, "sorts");
    check_several(&f, "sorts");
    free_family(&f);
}

/* Parameters given as texts: words that change, counts of bodies, expressions of others, lists,
 * mistakes. */
static void test_texts(void **unused)
{
    (void)unused;
    static const char *const sets[][2] = {
        {"N", "4"},       {"N", "3"},         {"N", "2.5"},    {"soft", "-1"}, {"flag", "0"},
        {"k", "50*w"},    {"w", "g + L"},     {"a", "0.7"},    {"b", "0.5"},   {"a", "0.50"},
        {"V", "[1, 2]"},  {"V", "[1, 2, 3]"}, {"V", "1"},      {"a", "b"},     {"m", "L"},
        {"m", "unknown"}, {"L", "0"},         {"T", "-1"},     {"h", "1e-3"},  {"g", "9.81"},
        {"a", "bump(1)"}, {"c", "2.0"},       {"start", "-0"}, {"start", "0"}, {"k", ""},
    };
    family f = family_of_text(sorts);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (size_t j = 0; j <= i; j += 3) {
            lmb_spec *copy;
            lmb_model *m[2] = {NULL, NULL};
            char what[80];
            assert_ok(lmb_spec_copy(&copy, context, f.spec));
            assert_ok(lmb_spec_set(copy, context, sets[j][0], sets[j][1]));
            assert_ok(lmb_spec_set(copy, context, sets[i][0], sets[i][1]));
            snprintf(what, sizeof what, "%s = %s, %s = %s", sets[j][0], sets[j][1], sets[i][0],
                     sets[i][1]);
            for (int k = 0; k < 2; k++) {
                lmb_status status = k ? lmb_model_variant(&m[k], context, copy, f.base)
                                      : lmb_model_compile(&m[k], context, copy);
                assert_true(!status == (m[k] != NULL));
            }
            if (!m[0] != !m[1])
                fail_msg("%s: compiled anew it is %s", what, m[0] ? "right" : "wrong");
            if (m[0])
                assert_same(m[1], m[0], what);
            lmb_model_free(m[0]);
            lmb_model_free(m[1]);
            lmb_spec_free(copy);
        }
    free_family(&f);
}

/* More parameters than bits: p0, p1 = p0 + 0.01, ... one chain, and bodies of every tenth. */
static void test_many_parameters(void **unused)
{
    (void)unused;
    enum { COUNT = 150 };
    static char text[20000];
    size_t used = (size_t)snprintf(text, sizeof text, "limber: 1\ndimension: 2\nparameters:\n");
    for (int i = 0; i < COUNT; i++)
        used +=
            (size_t)(i % 30 ? snprintf(text + used, sizeof text - used, "  p%d: p%d + 0.01\n", i,
                                       i - 1)
                            : snprintf(text + used, sizeof text - used, "  p%d: %d\n", i, i + 1));
    used += (size_t)snprintf(text + used, sizeof text - used, "bodies:\n");
    for (int i = 5; i < COUNT; i += 10)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  b%d: {mass: p%d, inertia: 1, points: {A: [p%d, 0]}}\n", i, i,
                                 i - 1);
    snprintf(text + used, sizeof text - used, "analyses: {move: {type: dynamics, duration: 1}}\n");
    family f = family_of_text(text);
    srand(3);
    check_each(&f, "many");
    check_several(&f, "many");
    free_family(&f);
}

/* --- flexible bodies -------------------------------------------------------------------------- */

/* A body that does not depend on the parameter is not made again, wherever it is. */
static void test_flexible_is_shared(void **unused)
{
    (void)unused;
    family f = family_of_file("examples/flexible-pendulum/flexible-pendulum.yaml");
    double factors[MOST];
    bool found = false, moved = false;
    for (int i = 0; i < f.count; i++) {
        set_all(factors, 1);
        factors[i] = 1.1;
        lmb_model *m = at(&f, context, VARIANT, f.base, factors);
        assert_non_null(m);
        if (strcmp(f.names[i], "L") == 0) {
            assert_ptr_not_equal(lmb_body_data_of(&m->bodies[1]),
                                 lmb_body_data_of(&f.base->bodies[1]));
            found = true;
        }
        if (strcmp(f.names[i], "theta0") == 0) {
            assert_ptr_equal(m->bodies[1].own, f.base->bodies[1].own);
            moved = true;
        }
        lmb_model_free(m);
    }
    assert_true(found && moved);
    free_family(&f);
}

/* --- lifetimes and threads -------------------------------------------------------------------- */

static void test_any_order(void **unused)
{
    (void)unused;
    static const char *const names[] = {"suspension", "four-bar-flexible"};
    for (int k = 0; k < 2; k++) {
        char path[100];
        double factors[MOST];
        snprintf(path, sizeof path, "examples/%s/%s.yaml", names[k], names[k]);
        family f = family_of_file(path);
        set_all(factors, 1);
        factors[f.count - 1] = 1.02;
        lmb_model *one = at(&f, context, VARIANT, f.base, factors);
        factors[0] = 1.01;
        lmb_model *two = at(&f, context, VARIANT, one, factors);
        assert_true(one && two);
        model_numbers before = numbers_of_model(context, two);
        lmb_spec_free(f.spec);
        lmb_model_free(f.base);
        lmb_model_free(one);
        model_numbers after = numbers_of_model(context, two);
        assert_int_equal(first_difference(&before, &after), -1);
        free_numbers(&before);
        free_numbers(&after);
        lmb_model_free(two);
    }
}

typedef struct task {
    const family *f;
    const model_numbers *expected; /* of each parameter in turn */
    bool fine;
} task;

static void *compile_all(void *user)
{
    task *t = user;
    lmb_context *own = lmb_context_new();
    t->fine = own;
    for (int k = 0; k < 20 && t->fine; k++)
        for (int i = 0; i < t->f->count && t->fine; i++) {
            double factors[MOST];
            set_all(factors, 1);
            factors[i] = 1.01;
            lmb_model *m = at(t->f, own, VARIANT, t->f->base, factors);
            model_numbers n = m ? numbers_of_model(own, m) : (model_numbers){0};
            t->fine = m && first_difference(&n, &t->expected[i]) < 0;
            free_numbers(&n);
            lmb_model_free(m);
        }
    lmb_context_free(own);
    return NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    enum { THREADS = 2 };
    family f = family_of_file("examples/half-car/half-car.yaml");
    model_numbers expected[MOST] = {{0}};
    for (int i = 0; i < f.count; i++) {
        double factors[MOST];
        set_all(factors, 1);
        factors[i] = 1.01;
        lmb_model *m = at(&f, context, ALONE, NULL, factors);
        assert_non_null(m);
        expected[i] = numbers_of_model(context, m);
        lmb_model_free(m);
    }
    pthread_t threads[THREADS];
    task tasks[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tasks[i] = (task){&f, expected, false};
        assert_int_equal(pthread_create(&threads[i], NULL, compile_all, &tasks[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(tasks[i].fine);
    }
    for (int i = 0; i < f.count; i++)
        free_numbers(&expected[i]);
    free_family(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts),           cmocka_unit_test(test_texts),
        cmocka_unit_test(test_many_parameters), cmocka_unit_test(test_flexible_is_shared),
        cmocka_unit_test(test_any_order),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
