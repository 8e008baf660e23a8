/* Texts of hostile files cannot control the terminal: all that the program prints has controls, and
 * bytes that are not UTF-8, as escapes. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program.h"
#include "result/write.h"

#define BIDI "\xe2\x80\xae" /* U+202E turns the direction of text */
#define TITLE "\\e[31mred " BIDI " \\a\\u009b äö€ \\nlimber: error: forged"

/* Fails if a text can control a terminal. */
static void check_harmless(const char *text)
{
    unsigned code;
    for (const char *c = text; *c; c += lmb_utf8_scan(c, &code))
        if (!lmb_utf8_scan(c, &code) || (lmb_is_control(code) && !strchr("\n\t", *c)))
            fail_msg("byte %02X at %td of: %s", (unsigned char)*c, c - text, text);
}

/* Fails unless a run ended with a code and printed exactly this, or a piece of it. */
static void check_printed(lmb_run_result run, int code, bool whole, const char *expected)
{
    check_harmless(run.out);
    check_harmless(run.err);
    const char *text = code ? run.err : run.out;
    if (run.code != code || (whole ? strcmp(text, expected) != 0 : !strstr(text, expected)))
        fail_msg("code %d\nout: %s\nerr: %s\nexpected: %s", run.code, run.out, run.err, expected);
    free_run(&run);
}

/* `limber check` of a scratch file, by its name alone. */
static lmb_run_result check_in(const char *file)
{
    char command[4096];
    snprintf(command, sizeof command, "cd %s; %%LIMBER%% check %s", scratch_path(""), file);
    return run_shell(command);
}

static void titles(void **state)
{
    (void)state;
    const char *path = scratch_text("title.yaml", "limber: 1\ndimension: 2\ntitle: \"" TITLE "\"\n"
                                                  "bodies: {b: {mass: 1, inertia: 1}}\n");
    check_printed(run_limber("check %s", path), 0, false,
                  "title.yaml: \\x1b[31mred \\u202e \\x07\\u009b äö€ \\x0alimber: error: forged\n"
                  "  bodies                  1\n");
    check_printed(run_limber("check %s --json", path), 0, false,
                  "\"\\u001b[31mred \\u202e \\u0007\\u009b äö€ \\nlimber: error: forged\"");
    path = scratch_text("folded.yaml", "limber: 1\ndimension: 2\ntitle: >\n  one\n  line\n"
                                       "bodies: {b: {mass: 1, inertia: 1}}\n");
    check_printed(run_limber("check %s", path), 0, false, "folded.yaml: one line\n  bodies ");
}

/* The caret stands below the place, with escapes in front of it and in it. */
static void messages(void **state)
{
    (void)state;
    scratch_text("key.yaml", "limber: 1\ndimension: 2\n"
                             "bodies: {b: {mass: 1, inertia: 1, \"" BIDI "ä" BIDI "\": 1}}\n");
    check_printed(check_in("key.yaml"), 3, false,
                  "key.yaml:3:36: error: body 'b' has no key '\\u202eä\\u202e'\n"
                  "    3 | bodies: {b: {mass: 1, inertia: 1, \"\\u202eä\\u202e\": 1}}\n"
                  "      |                                    ^~~~~~~~~~~~~\n");
    scratch_text("bytes.yaml", "limber: 1\ntitle: " BIDI "€\t\x80\xff\n");
    check_printed(check_in("bytes.yaml"), 3, true,
                  "bytes.yaml:2:11: error: byte 80 (hexadecimal) is not UTF-8 here\n"
                  "    2 | title: \\u202e€  \\x80\\xff\n"
                  "      |                 ^~~~\n"
                  "  hint: save the file in the encoding UTF-8\n");
    scratch_text("escape.yaml", "limber: 1\ndimension: 2\nbodies: {\"a\\e[2J\\n\": {mass: 1}}\n");
    check_printed(check_in("escape.yaml"), 3, false,
                  "error: 'a\\x1b[2J\\x0a' cannot be the name of a body\n");
}

/* A result with such names, made for the test. */
static const char *make_result(const char *file, int count, const lmb_channel *channels)
{
    const char *path = scratch_path(file);
    lmb_context *context = lmb_context_new();
    lmb_writer *writer;
    double row[2048] = {0};
    assert_int_equal(lmb_writer_new(&writer, context, path), 0);
    assert_int_equal(lmb_writer_begin(writer, context, "turn", "dynamics", count, channels), 0);
    assert_int_equal(lmb_writer_row(writer, context, 0, row), 0);
    assert_int_equal(lmb_writer_end(writer, context), 0);
    assert_int_equal(lmb_writer_close(writer, context), 0);
    lmb_context_free(context);
    return path;
}

/* Columns of a table are aligned as printed. */
static void tables(void **state)
{
    (void)state;
    static const lmb_channel hostile[] = {
        {"a\033]0;title\007.x", "\xff/\xc2\x9bs", "Two\nlines.", 1, ""},
        {"b.x", "m·√kg", "Fine.", 1, ""},
    };
    const char *path = make_result("hostile.h5", 2, hostile);
    check_printed(run_limber("list %s", path), 0, true,
                  "channel              unit          shape  meaning\n"
                  "a\\x1b]0;title\\x07.x  \\xff/\\u009bs      1  Two\\x0alines.\n"
                  "b.x                  m·√kg             1  Fine.\n");
    check_printed(run_limber("list %s --json", path), 0, false,
                  "\"a\\u001b]0;title\\u0007.x\", \"unit\": \"\\u00ff/\\u009bs\"");
    check_printed(run_limber("export %s --csv -", path), 0, false, "time,a\\x1b]0;title\\x07.x,b");
    check_printed(run_limber("get %s none", path), 3, false, "'none'");
}

/* Characters of several bytes stay whole where a buffer of the output ends. */
static void long_output(void **state)
{
    (void)state;
    enum { MANY = 2048 };
    static lmb_channel channels[MANY];
    static char names[MANY][32], expected[MANY * 64];
    int used = snprintf(expected, sizeof expected, "channel    unit  shape  meaning\n");
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "€ä😀.%05d", i);
        channels[i] = (lmb_channel){names[i], "√", "", 1, ""};
        used += snprintf(expected + used, sizeof expected - (size_t)used, "%s  √         1\n",
                         names[i]);
    }
    check_printed(run_limber("list %s", make_result("long.h5", MANY, channels)), 0, true, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles),
        cmocka_unit_test(messages),
        cmocka_unit_test(tables),
        cmocka_unit_test(long_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
