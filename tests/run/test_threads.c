/* Threads and processes at the same time: two models, one model, one cold cache. What they compute
 * is what one thread computes, to the last bit. `make threads` runs this under ThreadSanitizer. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "limber/limber.h"
#include "program.h"

static const char *const models[] = {"examples/sliding-rod/sliding-rod.yaml",
                                     "tests/fuzz/corpus/run/flying-beam.yaml"};
static const char *const channels[] = {"rod.position", "energy.total"};

/* One thread: a model to be compiled, or one that is shared, and what comes out. */
typedef struct work {
    const char *path;
    const char *channel;
    const lmb_model *shared; /* NULL: its own */
    pthread_barrier_t *together;
    lmb_status status;
    lmb_series series;
} work;

static lmb_status compile(lmb_context *context, const char *path, lmb_model **out)
{
    lmb_spec *spec;
    lmb_status status = lmb_spec_load(&spec, context, path);
    if (!status) {
        status = lmb_model_compile(out, context, spec);
        lmb_spec_free(spec);
    }
    return status;
}

static void *run(void *user)
{
    work *w = user;
    lmb_context *context = lmb_context_new();
    lmb_model *own = NULL;
    lmb_result *result = NULL;
    if (w->together)
        pthread_barrier_wait(w->together);
    w->status = w->shared ? LMB_OK : compile(context, w->path, &own);
    if (!w->status)
        w->status = lmb_run_to_memory(&result, context, w->shared ? w->shared : own, NULL);
    if (!w->status)
        w->status = lmb_result_read(result, context, w->channel, &w->series);
    lmb_result_close(result);
    lmb_model_free(own);
    lmb_context_free(context);
    return NULL;
}

/* Runs two at the same time, and one of each alone. */
static void check_pair(const int which[2], const lmb_model *shared)
{
    pthread_barrier_t together;
    pthread_t threads[2];
    work w[2], alone[2];
    assert_int_equal(pthread_barrier_init(&together, NULL, 2), 0);
    for (int i = 0; i < 2; i++) {
        w[i] = (work){.path = models[which[i]],
                      .channel = channels[which[i]],
                      .shared = shared,
                      .together = &together};
        alone[i] = w[i];
        alone[i].together = NULL;
        assert_int_equal(pthread_create(&threads[i], NULL, run, &w[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; i++) {
        run(&alone[i]);
        assert_int_equal(w[i].status, LMB_OK);
        assert_int_equal(alone[i].status, LMB_OK);
        assert_int_equal(w[i].series.count, alone[i].series.count);
        size_t size = (size_t)w[i].series.count * (size_t)w[i].series.size * sizeof(double);
        assert_true(size > 0);
        assert_memory_equal(w[i].series.values, alone[i].series.values, size);
        lmb_series_free(&w[i].series);
        lmb_series_free(&alone[i].series);
    }
    pthread_barrier_destroy(&together);
}

static void test_two_models(void **state)
{
    (void)state;
    check_pair((const int[]){0, 1}, NULL);
    check_pair((const int[]){1, 1}, NULL);
}

static void test_one_model(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        lmb_context *context = lmb_context_new();
        lmb_model *model;
        assert_int_equal(compile(context, models[i], &model), LMB_OK);
        check_pair((const int[]){i, i}, model);
        lmb_model_free(model);
        lmb_context_free(context);
    }
}

/* Two processes reduce the same body for a cache that is empty. */
static void test_one_cold_cache(void **state)
{
    (void)state;
    const char *folder = scratch_path("cold");
    char command[4000];
    snprintf(
        command, sizeof command,
        "rm -rf '%s' && mkdir '%s' && cp examples/cantilever/cantilever.yaml '%s/' && cd '%s' && "
        "(%%LIMBER%% run cantilever.yaml --quiet -o a.h5 & one=$!; "
        "%%LIMBER%% run cantilever.yaml --quiet -o b.h5; two=$?; wait $one && test $two = 0) && "
        "%%LIMBER%% compare a.h5 b.h5 && %%LIMBER%% run cantilever.yaml --quiet -o c.h5 && "
        "%%LIMBER%% compare a.h5 c.h5 && ls .limber-cache | wc -l",
        folder, folder, folder, folder);
    lmb_run_result run = run_shell(command);
    if (run.code != 0 || !strstr(run.out, "\n1\n")) /* one entry, and no temporary file beside it */
        fail_msg("%d: %s%s", run.code, run.out, run.err);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_models),
        cmocka_unit_test(test_one_model),
        cmocka_unit_test(test_one_cold_cache),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
