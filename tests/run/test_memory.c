/* Runs to memory: their results are those of a run to a file, whole ones and such as were stopped
 * or have failed, and they can be saved and opened from their bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "program.h"
#include "result/read.h"
#include "support.h"

/* The newest message has a piece; messages are forgotten. */
static void check_message(const char *piece)
{
    assert_message(context, piece);
    lmb_messages_clear(context);
}

/* All rows of all analyses, to the last bit. */
static void check_rows(lmb_result *a, lmb_result *b)
{
    assert_int_equal(lmb_result_analysis_count(a), lmb_result_analysis_count(b));
    for (int i = 0; i < lmb_result_analysis_count(a); i++) {
        int rows = lmb_result_row_count(a, i);
        size_t width = lmb_result_width(a, i), count = (size_t)rows * width;
        assert_string_equal(lmb_result_analysis_name(a, i), lmb_result_analysis_name(b, i));
        assert_int_equal(lmb_result_row_count(b, i), rows);
        assert_int_equal(lmb_result_width(b, i), width);
        double *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y);
        assert_ok(lmb_result_rows(a, context, i, 0, rows, x));
        assert_ok(lmb_result_rows(b, context, i, 0, rows, y));
        assert_memory_equal(x, y, count * sizeof *x);
        free(x);
        free(y);
    }
}

/* All texts but the summary, which has the seconds that the run took. */
static void check_texts(lmb_result *a, lmb_result *b)
{
    static const char *const names[] = {"model",      "version",  "title",   "geometry",
                                        "parameters", "flexible", "analyses"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *x = lmb_result_text(a, names[i]), *y = lmb_result_text(b, names[i]);
        assert_int_equal(!x, !y);
        if (x)
            assert_string_equal(x, y);
    }
    assert_int_equal(!lmb_result_text(a, "summary"), !lmb_result_text(b, "summary"));
}

/* Runs an example both ways; the saved file is that of the other run, also for `limber compare`. */
static void check_example(const char *name)
{
    lmb_result *memory, *file, *saved;
    lmb_model *m = model_of_example(name, NULL, NULL);
    assert_ok(lmb_run(context, m, NULL, scratch_path("file.h5")));
    assert_ok(lmb_run_to_memory(&memory, context, m, NULL));
    assert_ok(lmb_result_open(&file, context, scratch_path("file.h5")));
    check_rows(memory, file);
    check_texts(memory, file);
    assert_ok(lmb_result_save(memory, context, scratch_path("saved.h5")));
    lmb_result_close(memory);
    lmb_model_free(m);
    assert_ok(lmb_result_open(&saved, context, scratch_path("saved.h5")));
    check_rows(saved, file);
    check_texts(saved, file);
    lmb_result_close(saved);
    lmb_result_close(file);
    check_run(run_limber("compare %s %s --tolerance 0", scratch_path("file.h5"),
                         scratch_path("saved.h5")),
              0, "");
}

static void results_are_those_of_a_file(void **unused)
{
    (void)unused;
    check_example("slider-crank");
    check_example("double-pendulum");
    check_example("four-bar-flexible"); /* with a skin, an envelope and modes */
}

/* Stops a run that has come to its middle. */
static bool stop_there(void *user, const char *what, double fraction)
{
    (void)user, (void)what;
    return fraction > 0.45;
}

static void stopped_runs_give_what_there_is(void **unused)
{
    (void)unused;
    lmb_result *r;
    lmb_model *m = model_of_example("slider-crank", NULL, NULL);
    lmb_context_on_progress(context, stop_there, NULL);
    assert_int_equal(lmb_run_to_memory(&r, context, m, NULL), LMB_SOLVER);
    lmb_context_on_progress(context, NULL, NULL);
    assert_non_null(r);
    assert_int_equal(lmb_result_row_count(r, 0), 47); /* 0 ... 0.46 s */
    const lmb_message *first = lmb_message_at(context, 0);
    assert_string_equal(first->text, "interrupted at t = 0.46");
    assert_string_equal(first->hint, "");
    lmb_messages_clear(context);
    lmb_result_close(r);
    lmb_model_free(m);
}

static void failed_runs_give_what_there_is(void **unused)
{
    (void)unused;
    lmb_result *r;
    lmb_model *m = model_of_example("slider-crank", "r", "0.5"); /* the rod is 0.4 m long */
    assert_int_equal(lmb_run_to_memory(&r, context, m, NULL), LMB_SOLVER);
    assert_non_null(r);
    /* 0 ... 0.09 s: the crank of 0.5 m at 10 rad/s locks at asin(0.4/0.5)/10 s = 0.0927 s */
    assert_int_equal(lmb_result_row_count(r, 0), 10);
    lmb_messages_clear(context);
    lmb_result_close(r);
    lmb_model_free(m);
}

static void nothing_computed_is_no_result(void **unused)
{
    (void)unused;
    lmb_result *r = (lmb_result *)1;
    lmb_model *m = model_of_example("slider-crank", NULL, NULL);
    assert_int_equal(lmb_run_to_memory(&r, context, m, (const char *[]){"trun", NULL}),
                     LMB_BAD_INPUT);
    assert_null(r);
    check_message("no analysis 'trun'");
    lmb_model_free(m);
}

static void results_open_from_their_bytes(void **unused)
{
    (void)unused;
    size_t size;
    lmb_result *r, *copy;
    lmb_model *m = model_of_example("slider-crank", NULL, NULL);
    assert_ok(lmb_run_to_memory(&r, context, m, NULL));
    const void *bytes = lmb_result_image(r, &size);
    assert_ok(lmb_result_open_image(&copy, context, bytes, size));
    check_rows(r, copy);
    lmb_result_close(copy);
    assert_int_equal(lmb_result_open_image(&copy, context, "no result", 9), LMB_BAD_INPUT);
    assert_null(copy);
    lmb_messages_clear(context);
    assert_int_equal(lmb_result_open_image(&copy, context, NULL, 100), LMB_USAGE);
    lmb_messages_clear(context);
    /* a part of one */
    assert_int_equal(lmb_result_open_image(&copy, context, bytes, size / 2), LMB_BAD_INPUT);
    assert_null(copy);
    lmb_messages_clear(context);
    lmb_result_close(r);
    lmb_model_free(m);
}

static void mistakes_in_saving(void **unused)
{
    (void)unused;
    size_t size;
    lmb_result *r, *file;
    lmb_series series;
    const char *path = scratch_path("again.h5"), *other = scratch_path("other.yaml");
    lmb_model *m = model_of_example("slider-crank", NULL, NULL);
    assert_ok(lmb_run_to_memory(&r, context, m, NULL));
    assert_int_equal(lmb_result_save(r, context, "/no/such/folder/a.h5"), LMB_IO);
    check_message("cannot write '/no/such/folder/a.h5'");
    assert_int_equal(lmb_result_save(r, context, NULL), LMB_USAGE);
    check_message("path` is NULL");
    FILE *model = fopen(other, "w");
    fputs("limber: 1\n", model);
    fclose(model);
    assert_int_equal(lmb_result_save(r, context, other), LMB_IO);
    check_message("is not a result file");
    assert_int_equal(lmb_result_read(r, context, "pin.farce", &series), LMB_BAD_INPUT);
    check_message("no channel 'pin.farce' in 'result in memory'");
    /* a result of a file is copied, also onto itself */
    assert_ok(lmb_result_save(r, context, path));
    assert_ok(lmb_result_open(&file, context, path));
    assert_null(lmb_result_image(file, &size));
    assert_int_equal(size, 0);
    assert_ok(lmb_result_save(file, context, scratch_path("copy.h5")));
    assert_ok(lmb_result_save(file, context, path));
    check_rows(r, file);
    lmb_result_close(file);
    assert_ok(lmb_result_open(&file, context, scratch_path("copy.h5")));
    check_rows(r, file);
    lmb_result_close(file);
    lmb_result_close(r);
    assert_int_equal(lmb_run(context, m, NULL, NULL), LMB_USAGE);
    check_message("path` is NULL");
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_a_file),
        cmocka_unit_test(stopped_runs_give_what_there_is),
        cmocka_unit_test(failed_runs_give_what_there_is),
        cmocka_unit_test(nothing_computed_is_no_result),
        cmocka_unit_test(results_open_from_their_bytes),
        cmocka_unit_test(mistakes_in_saving),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
