/* Models that are drawn from the tables of kinds: nearly all are valid, and all kinds are drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "forces/force.h"
#include "generated_models.h"
#include "integrate/motion.h"
#include "joints/joint.h"
#include "limber/limber.h"
#include "model/fields.h"
#include "model/kinds.h"
#include "read/reader.h"
#include "support.h"

enum { MODELS = 1000, RUNS = 200, SIZE = 4 };

static const generated_form plain;

static double cpu_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Prints the first error of a model that does not compile or run. */
static void print_reason(const lmb_context *context, const char *failed, int seed)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        if (lmb_message_at(context, i)->severity == LMB_ERROR) {
            print_message("seed %d does not %s: %s\n", seed, failed,
                          lmb_message_at(context, i)->text);
            return;
        }
}

static lmb_model *compiled(lmb_context *context, uint64_t seed)
{
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    char *text = generated_model(seed, SIZE, GENERATED_ALL, &plain);
    if (!lmb_spec_parse(&spec, context, "tests/support/generated.yaml", text)) {
        spec->no_cache = true;
        lmb_model_compile(&model, context, spec);
    }
    lmb_spec_free(spec);
    free(text);
    return model;
}

static void most_models_compile_and_run(void **unused)
{
    (void)unused;
    int made = 0, ran = 0;
    double longest = 0, start = cpu_time();
    for (int seed = 0; seed < RUNS; seed++) {
        double before = cpu_time();
        lmb_context *context = lmb_context_new();
        lmb_result *result = NULL;
        lmb_model *model = compiled(context, (uint64_t)seed);
        bool runs = model && !lmb_run_to_memory(&result, context, model, NULL);
        made += model != NULL;
        ran += runs;
        if (!runs)
            print_reason(context, model ? "run" : "compile", seed);
        lmb_result_close(result);
        lmb_model_free(model);
        lmb_context_free(context);
        if (cpu_time() - before > 0.3)
            print_message("seed %d takes %.2f s\n", seed, cpu_time() - before);
        longest = fmax(longest, cpu_time() - before);
    }
    print_message("%d models: %d compile, %d run, %.3f s of CPU each, at most %.2f s\n", RUNS, made,
                  ran, (cpu_time() - start) / RUNS, longest);
    assert_true(made >= 0.95 * RUNS);
    assert_true(ran >= 0.90 * RUNS);
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* Texts of all models, in which the words of kinds are looked for. */
static char *all_texts;

static int open_texts(void **unused)
{
    (void)unused;
    size_t size;
    FILE *f = open_memstream(&all_texts, &size);
    for (int seed = 0; seed < MODELS; seed++) {
        char *text = generated_model((uint64_t)seed, SIZE, GENERATED_ALL, &plain);
        fputs(text, f);
        free(text);
    }
    return fclose(f);
}

static int close_texts(void **unused)
{
    (void)unused;
    free(all_texts);
    return 0;
}

/* Fails unless "KEY NAME" followed by the end of a word was drawn. */
static void check_drawn(const char *key, const char *name)
{
    char words[80];
    snprintf(words, sizeof words, "%s%s", key, name);
    for (const char *found = all_texts; (found = strstr(found, words)); found++)
        if (strchr(",}:", found[strlen(words)]))
            return;
    fail_msg("no model has '%s'", words);
}

static void all_kinds_are_drawn(void **unused)
{
    (void)unused;
    const lmb_kinds *kinds = &lmb_kinds_default;
    for (int i = 0; kinds->bodies[i]; i++)
        if (!kinds->bodies[i]->marks)
            check_drawn("type: ", kinds->bodies[i]->name);
    for (int i = 0; kinds->joints[i]; i++)
        check_drawn("type: ", kinds->joints[i]->name);
    for (int i = 0; kinds->forces[i]; i++)
        check_drawn("type: ", kinds->forces[i]->name);
    for (int i = 0; kinds->analyses[i]; i++)
        check_drawn("type: ", kinds->analyses[i]->name);
    for (int i = 0; kinds->integrators[i]; i++)
        check_drawn("integrator: ", kinds->integrators[i]->name);
    for (int i = 0; lmb_beginnings[i]; i++)
        check_drawn("begin: ", lmb_beginnings[i]->name);
    for (const lmb_instrument_type *type = lmb_instrument_types; type->name; type++)
        check_drawn("{", type->name);
}

/* Keys that make a body flexible, except for matrices, which are in files or attached. */
static void all_flexible_bodies_are_drawn(void **unused)
{
    (void)unused;
    const lmb_kinds *kinds = &lmb_kinds_default;
    int count = 0;
    for (int i = 0; kinds->bodies[i]; i++)
        for (const lmb_field *f = kinds->bodies[i]->fields; f && f->name; f++) {
            bool makes = strncmp(f->doc, "Makes it a flexible body", 24) == 0;
            if (!makes || strcmp(f->name, "matrices") == 0 || strcmp(f->name, "arrays") == 0)
                continue;
            check_drawn("{", f->name);
            count++;
        }
    assert_true(count >= 4);
}

static void same_seed_gives_same_text(void **unused)
{
    char *before = all_texts;
    assert_int_equal(open_texts(unused), 0);
    assert_string_equal(all_texts, before);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_models_compile_and_run),
        cmocka_unit_test(all_kinds_are_drawn),
        cmocka_unit_test(all_flexible_bodies_are_drawn),
        cmocka_unit_test(same_seed_gives_same_text),
    };
    return cmocka_run_group_tests(tests, open_texts, close_texts);
}
