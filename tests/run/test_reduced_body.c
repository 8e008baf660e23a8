/* Reduced bodies through the public interface: the numbers of the program to the last bit, files,
 * and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "support.h"

static const char frame[] = "examples/frame/frame.yaml";
static const lmb_reduced_body_options anew = {.no_cache = true};

static lmb_spec *load(const char *path)
{
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_load(&spec, context, path));
    return spec;
}

/* The next numbers of JSON, behind a key, are these. */
static void check_numbers(const char *text, const char *key, int count, const double *numbers)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    for (int i = 0; i < count; i++) {
        at += strspn(at, "[], \n");
        char *end;
        assert_same_number(strtod(at, &end), numbers[i]);
        assert_true(end > at);
        at = end;
    }
}

static void as_the_program(void **unused)
{
    (void)unused;
    lmb_spec *spec = load(frame);
    lmb_reduced_body *b, *read;
    const char *file = scratch_path("body.h5");
    assert_ok(lmb_reduced_body_find(&b, context, spec, &anew));
    assert_false(b->cached);
    lmb_run_result run = run_limber("reduce %s --json --quiet --no-cache -o %s", frame, file);
    assert_int_equal(run.code, 0);
    check_numbers(run.out, "mass", 1, &b->mass);
    check_numbers(run.out, "centre", 3, b->centre);
    check_numbers(run.out, "inertia", 9, b->inertia);
    check_numbers(run.out, "origin", 3, b->origin);
    check_numbers(run.out, "all", b->all_count, b->all_frequency);
    check_numbers(run.out, "kept", b->mode_count, b->frequency);
    check_numbers(run.out, b->point_names[0], 3, b->points);
    for (int i = 0; i < b->fixed_count; i++)
        assert_true(b->fixed_frequency[i] > 0);
    check_numbers(run.out, "effective_mass", 6, b->effective_mass);
    free_run(&run);
    run = run_limber("matrices %s --json", file);
    check_numbers(run.out, "K", b->mode_count * b->mode_count, b->K);
    check_numbers(run.out, "gram", b->gram_count, b->gram);
    free_run(&run);
    /* the same from its file */
    assert_ok(lmb_reduced_body_open(&read, context, file));
    assert_string_equal(read->name, b->name);
    assert_int_equal(read->node_count, b->node_count);
    assert_memory_equal(read->shapes, b->shapes,
                        sizeof(double) * (size_t)(3 * b->mode_count * b->node_count));
    lmb_reduced_body_free(read);
    lmb_reduced_body_free(b);
    lmb_spec_free(spec);
}

/* Files are the same bytes. */
static void files(void **unused)
{
    (void)unused;
    lmb_spec *spec = load("examples/cantilever/cantilever.yaml");
    lmb_reduced_body *b;
    char command[600];
    assert_ok(lmb_reduced_body_find(&b, context, spec, &anew));
    assert_ok(lmb_reduced_body_save(context, b, scratch_path("ours.h5")));
    lmb_reduced_body_free(b);
    snprintf(command, sizeof command,
             "%%LIMBER%% reduce examples/cantilever/cantilever.yaml --quiet --no-cache -o %s "
             ">/dev/null && cmp %s %s",
             scratch_path("theirs.h5"), scratch_path("theirs.h5"), scratch_path("ours.h5"));
    check_run(run_shell(command), 0, "");
    lmb_spec_free(spec);
}

/* Of the free body: rigid motions first, in space six, then frequencies of the program. */
static void modes(void **unused)
{
    (void)unused;
    lmb_spec *spec = load(frame);
    lmb_reduced_body *b;
    lmb_mode_list list;
    assert_ok(lmb_reduced_body_find(&b, context, spec, &anew));
    assert_ok(lmb_reduced_body_modes(b, context, &list));
    int rigid = b->dimension == 3 ? 6 : 3;
    assert_int_equal(list.count, rigid + b->mode_count);
    assert_string_equal(list.names[0], "x");
    assert_string_equal(list.names[rigid], "mode1");
    for (int i = 0; i < list.count; i++) {
        assert_int_equal(list.modes[i].rigid, i < rigid);
        /* |s| = w */
        double size = hypot(list.modes[i].real, list.modes[i].imaginary);
        assert_close(size, 2 * acos(-1) * list.modes[i].frequency, 1e-12);
    }
    lmb_mode_list_free(&list);
    lmb_reduced_body_free(b);
    lmb_spec_free(spec);
}

static void mistakes(void **unused)
{
    (void)unused;
    lmb_spec *spec = load(frame), *rigid = load("examples/particles/particles.yaml");
    lmb_reduced_body *b, *none;
    lmb_mode_list list;
    assert_ok(lmb_reduced_body_find(&b, context, spec, &anew));
    none = b;
    assert_int_equal(lmb_reduced_body_find(&none, NULL, spec, NULL), LMB_USAGE);
    assert_null(none);
    assert_int_equal(lmb_reduced_body_find(NULL, context, spec, NULL), LMB_USAGE);
    assert_int_equal(lmb_reduced_body_find(&none, context, NULL, NULL), LMB_USAGE);
    assert_int_equal(
        lmb_reduced_body_find(&none, context, spec, &(lmb_reduced_body_options){.body = "no"}),
        LMB_BAD_INPUT);
    assert_int_equal(lmb_reduced_body_find(&none, context, rigid, NULL), LMB_BAD_INPUT);
    assert_message(context, "framework");
    assert_int_equal(lmb_reduced_body_open(&none, context, NULL), LMB_USAGE);
    assert_int_equal(lmb_reduced_body_open(&none, context, frame), LMB_BAD_INPUT);
    assert_null(none);
    assert_int_equal(lmb_reduced_body_save(context, NULL, "x.h5"), LMB_USAGE);
    assert_int_equal(lmb_reduced_body_save(context, b, NULL), LMB_USAGE);
    assert_int_equal(lmb_reduced_body_save(context, b, "/nowhere/x.h5"), LMB_IO);
    assert_int_equal(lmb_reduced_body_save(context, b, example_result("run", "slider-crank")),
                     LMB_USAGE);
    assert_int_equal(lmb_reduced_body_modes(NULL, context, &list), LMB_USAGE);
    assert_int_equal(list.count, 0);
    lmb_reduced_body_free(NULL);
    lmb_reduced_body_free(b);
    lmb_spec_free(spec);
    lmb_spec_free(rigid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_program),
        cmocka_unit_test(files),
        cmocka_unit_test(modes),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
