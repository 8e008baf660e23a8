/* Relations of tests/run/test_relations.c that change only the text around a model, on examples: an
 * unrelated body, another solver, two threads, selected results, a stopped and resumed run. Without
 * LIMBER_EXAMPLES=1 three short examples are tested, else all that take less than 2 s of CPU. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "model_texts.h"
#include "related_runs.h"
#include "support.h"

static const char *const short_examples[] = {"four-bar", "particles", "slider-crank-flexible"};

typedef struct relation {
    const char *name;
    comparison how;
    void (*patch)(lmb_model *model, uint64_t seed);
    bool added, resumed;
} relation;

/* Rounding of accelerations grows over thousands of steps. */
static const relation relations[] = {
    {.name = "unrelated body",
     .how = {.allowed = 1e-7, .rates = 1e-4, .tolerances = 10, .added = true, .may_miss = true},
     .added = true},
    {.name = "another solver",
     .how = {.allowed = 1e-8, .rates = 1e-4, .tolerances = 10},
     .patch = take_solver},
    {.name = "two threads", .patch = take_threads},
    {.name = "selected results", .how = {.may_miss = true}, .patch = select_results},
    {.name = "stopped and resumed", .resumed = true},
};

static struct counts {
    int examples, checked, failures;
    long compared;
} counts;

/* Return the text with a clamped rigid body, or NULL if its sections are not lists of lines. */
static char *with_unrelated_body(const char *text, bool plane)
{
    char *first = text_with_entry(text, "bodies",
                                  plane ? "zz_body: {mass: 2, inertia: 0.1, position: [9, 9]}"
                                        : "zz_body: {mass: 2, inertia: [0.1, 0.1, 0.1], "
                                          "position: [9, 9, 9]}");
    char *both = first
                     ? text_with_entry(first, "joints",
                                       plane ? "zz_clamp: {type: fixed, between: [[9, 9], zz_body]}"
                                             : "zz_clamp: {type: fixed, between: [[9, 9, 9], "
                                               "zz_body]}")
                     : NULL;
    free(first);
    return both;
}

/* Compile an example whose implicit steps are solved to rounding. */
static model_run compile_example(const char *file, const char *text)
{
    model_run run = compile_text(file, text);
    for (int i = 0; run.model && i < run.model->analysis_count; i++)
        run.model->analyses[i].integration.to_rounding = true;
    return run;
}

static void check(const char *file, const char *text, model_run *base, int seed)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const relation *r = &relations[i];
        char *other = r->added ? with_unrelated_body(text, base->model->dimension == 2) : NULL;
        if (r->added && !other)
            continue;
        model_run run = compile_example(file, other ? other : text);
        worst_channel w = {0};
        if (run.model && r->patch)
            r->patch(run.model, (uint64_t)seed);
        run_model(&run, r->resumed ? 2 + seed % 7 : 0);
        if (run.complete)
            compare_runs(&w, &r->how, base, &run);
        if (!run.complete || !(w.excess <= 1)) {
            counts.failures++;
            print_message("%s, %s: %s%s differs by %.2g of its scale, allowed is %.2g\n", file,
                          r->name, first_error(&run), w.where, w.difference, w.allowed);
        }
        counts.checked++;
        counts.compared += w.compared;
        free_model_run(&run);
        free(other);
    }
}

static bool is_short(const char *file)
{
    bool chosen = getenv("LIMBER_EXAMPLES") != NULL;
    for (size_t i = 0; i < sizeof short_examples / sizeof *short_examples; i++) {
        char name[80];
        snprintf(name, sizeof name, "/%s.yaml", short_examples[i]);
        chosen |= strstr(file, name) != NULL;
    }
    return chosen;
}

static void relations_hold_for_examples(void **unused)
{
    (void)unused;
    glob_t files;
    assert_int_equal(glob("examples/*/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *file = files.gl_pathv[i];
        lmb_context *context = lmb_context_new();
        char *text = NULL;
        size_t size;
        if (is_short(file) && !lmb_read_file(&text, &size, context, file)) {
            clock_t start = clock();
            model_run base = compile_example(file, text);
            bool has_analyses = base.model && base.model->analysis_count > 0;
            if (has_analyses)
                run_model(&base, 0);
            if (base.complete && clock() - start < 2 * CLOCKS_PER_SEC) {
                check(file, text, &base, (int)i);
                counts.examples++;
            }
            free_model_run(&base);
        }
        free(text);
        lmb_context_free(context);
    }
    globfree(&files);
    print_message("%d examples, %d relations, %ld comparisons, %d failures\n", counts.examples,
                  counts.checked, counts.compared, counts.failures);
    assert_int_equal(counts.failures, 0);
    assert_true(counts.examples >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relations_hold_for_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
