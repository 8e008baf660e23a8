/* Reports through the interface of the library (limber/report.h): of results in memory as of files,
 * with a title and with another result beside; mistakes are refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "models.h"
#include "program.h"
#include "report/page.h"
#include "support.h"

/* The data of a page, from the place where they begin, to be freed; skips the test where the
 * library was built without the viewer. */
static char *page_of(lmb_result *result, const char *name, const lmb_report_options *options)
{
    char *text;
    size_t size;
    if (!strstr(lmb_viewer[0].text, LMB_PAGE_MARK)) {
        assert_int_equal(lmb_report(context, result, scratch_path(name), options), LMB_USAGE);
        assert_message(context, "Node.js");
        lmb_messages_clear(context);
        skip();
    }
    assert_ok(lmb_report(context, result, scratch_path(name), options));
    assert_ok(lmb_read_file(&text, &size, context, scratch_path(name)));
    const char *data = strstr(text, "id=\"limber-report\"");
    assert_non_null(data);
    char *copy = strdup(data);
    free(text);
    return copy;
}

static lmb_result *crank(void)
{
    lmb_result *r;
    lmb_model *m = model_of_example("slider-crank", NULL, NULL);
    assert_ok(lmb_run_to_memory(&r, context, m, NULL));
    lmb_model_free(m);
    return r;
}

/* Fails with a piece of a message. */
static void refused(lmb_result *result, const char *path, const lmb_report_options *options,
                    lmb_status status, const char *piece)
{
    assert_int_equal(lmb_report(context, result, path, options), status);
    assert_message(context, piece);
    lmb_messages_clear(context);
}

/* But for the name of the result the pages are the same. */
static void memory_and_file_give_the_same(void **unused)
{
    (void)unused;
    lmb_result *memory = crank(), *file;
    assert_ok(lmb_result_save(memory, context, scratch_path("crank.h5")));
    assert_ok(lmb_result_open(&file, context, scratch_path("crank.h5")));
    char *of_memory = page_of(memory, "memory.html", NULL);
    char *of_file = page_of(file, "file.html", NULL);
    assert_non_null(strstr(of_memory, "\"source\": \"result in memory\""));
    assert_non_null(strstr(of_file, "\"source\": \"crank.h5\""));
    assert_string_equal(strstr(of_memory, "\"written_by\""), strstr(of_file, "\"written_by\""));
    check_run(run_limber("report %s -o %s", scratch_path("crank.h5"), scratch_path("verb.html")), 0,
              "");
    char *text;
    size_t size;
    assert_ok(lmb_read_file(&text, &size, context, scratch_path("verb.html")));
    assert_string_equal(strstr(text, "id=\"limber-report\""), of_file);
    free(text);
    free(of_memory);
    free(of_file);
    lmb_result_close(memory);
    lmb_result_close(file);
}

static void options_are_taken(void **unused)
{
    (void)unused;
    lmb_result *r = crank(), *other = crank();
    const double from = 0.5;
    char *page = page_of(
        r, "options.html",
        &(lmb_report_options){.title = "A <crank>", .compare_result = other, .from = &from});
    assert_non_null(strstr(page, "\"title\": \"A \\u003ccrank\\u003e\""));
    assert_non_null(strstr(page, "\"span\": {\"from\": 0.5"));
    assert_non_null(strstr(page, "\"ghost\""));
    assert_non_null(strstr(page, "\"largest\": 0"));
    free(page);
    lmb_result_close(other);
    lmb_result_close(r);
}

static void mistakes_are_refused(void **unused)
{
    (void)unused;
    lmb_result *r = crank(), *other = crank();
    const double one = 1, nine = 9, nan = NAN;
    const char *path = scratch_path("mistake.html");
    refused(NULL, path, NULL, LMB_USAGE, "`result` is NULL");
    refused(r, NULL, NULL, LMB_USAGE, "`path` is NULL");
    refused(r, path, &(lmb_report_options){.shift = NAN}, LMB_USAGE, "finite shift");
    refused(r, path, &(lmb_report_options){.rate = -1}, LMB_USAGE, "finite rate");
    refused(r, path, &(lmb_report_options){.from = &nine, .to = &one}, LMB_USAGE, "no instants");
    refused(r, path, &(lmb_report_options){.to = &nan}, LMB_USAGE, "no instants");
    refused(r, path, &(lmb_report_options){.from = &nine}, LMB_BAD_INPUT, "t = 9");
    refused(r, path, &(lmb_report_options){.compare = "a.h5", .compare_result = other}, LMB_USAGE,
            "with a file or with a result");
    refused(r, path, &(lmb_report_options){.compare = "/no/such.h5"}, LMB_IO, "/no/such.h5");
    if (strstr(lmb_viewer[0].text, LMB_PAGE_MARK)) {
        refused(r, "/no/such/folder/a.html", NULL, LMB_IO, "/no/such/folder/a.html");
        refused(r, "README.md", NULL, LMB_IO, "is not a report, so it is not replaced");
    }
    assert_int_not_equal(remove(path), 0);
    lmb_result_close(other);
    lmb_result_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_and_file_give_the_same),
        cmocka_unit_test(options_are_taken),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
