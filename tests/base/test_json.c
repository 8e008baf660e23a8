/* JSON as it is written: commas, lines, escapes and members by a format. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "support.h"

static void test_members(void **state)
{
    (void)state;
    lmb_json json;
    const char *volatile none = NULL;
    const double numbers[] = {1, 0.5, INFINITY};
    const int integers[] = {3, -4};
    const char *texts[] = {"a\tb", NULL};
    lmb_json_start_text(&json);
    lmb_json_open_flat(&json, NULL, '{');
    lmb_json_put(&json, "name %s, none %s, mass %g, third %.3g, not a number %g", "\"<\\", none,
                 2.5, 1.0 / 3, NAN);
    lmb_json_put(&json, "n %d, long %ld, size %zu, yes %hhd, no %hhd", -7, 1L << 40, (size_t)8,
                 (bool)true, (bool)false);
    lmb_json_numbers(&json, "numbers", 3, numbers);
    lmb_json_integers(&json, "integers", 2, integers);
    lmb_json_texts(&json, "texts", 2, texts);
    lmb_json_object(&json, "inner", "x %d", 1);
    lmb_json_raw(&json, "raw", "[[]]");
    lmb_json_close(&json);
    char *text = lmb_json_end_text(&json);
    assert_string_equal(text, "{\"name\": \"\\\"<\\\\\", \"none\": null, \"mass\": 2.5, "
                              "\"third\": 0.333, \"not a number\": null, \"n\": -7, "
                              "\"long\": 1099511627776, \"size\": 8, \"yes\": true, "
                              "\"no\": false, \"numbers\": [1, 0.5, null], "
                              "\"integers\": [3, -4], \"texts\": [\"a\\tb\", null], "
                              "\"inner\": {\"x\": 1}, \"raw\": [[]]}");
    free(text);
}

/* Lines of an object, one per member; an object by a format stays on one. */
static void test_lines(void **state)
{
    (void)state;
    lmb_json json;
    lmb_json_start_text(&json);
    lmb_json_open(&json, NULL, '{');
    lmb_json_open(&json, "rows", '[');
    lmb_json_object(&json, NULL, "a %d, b %d", 1, 2);
    lmb_json_object(&json, NULL, "a %d, b %d", 3, 4);
    lmb_json_close(&json);
    lmb_json_open(&json, "empty", '[');
    lmb_json_close(&json);
    lmb_json_close(&json);
    char *text = lmb_json_end_text(&json);
    assert_string_equal(text, "{\n  \"rows\": [\n    {\"a\": 1, \"b\": 2},\n"
                              "    {\"a\": 3, \"b\": 4}\n  ],\n  \"empty\": []\n}");
    free(text);
}

/* Controls of terminals and of the direction of text are escaped, other characters are not; bytes
 * that are not UTF-8 are read as Latin 1. */
static void test_escapes(void **state)
{
    (void)state;
    lmb_json json;
    lmb_json_start_text(&json);
    lmb_json_open_flat(&json, NULL, '{');
    lmb_json_put(&json, "a\033 %s, b %s, c %s", "\177\xc2\x9b\xe2\x80\xae\xd8\x9c.", "ä€😀",
                 "\xff\xe2\x80");
    lmb_json_close(&json);
    char *text = lmb_json_end_text(&json);
    assert_string_equal(text, "{\"a\\u001b\": \"\\u007f\\u009b\\u202e\\u061c.\", "
                              "\"b\": \"ä€😀\", \"c\": \"\\u00ff\\u00e2\\u0080\"}");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_members),
                                       cmocka_unit_test(test_escapes),
                                       cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
