/* Reading tables of numbers. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comma.h"
#include "import/text_table.h"

typedef struct fixture {
    lmb_context *context;
    lmb_arena *arena;
    char path[64];
    int rows, columns;
    double *values;
} fixture;

static int start(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->context = lmb_context_new();
    f->arena = lmb_arena_new();
    strcpy(f->path, "/tmp/limber_csv_XXXXXX");
    int file = mkstemp(f->path);
    *state = f;
    return file < 0 ? -1 : close(file);
}

static int finish(void **state)
{
    fixture *f = *state;
    remove(f->path);
    lmb_arena_free(f->arena);
    lmb_context_free(f->context);
    free(f);
    return 0;
}

/* Reads a text of a length from a file. */
static lmb_status read_bytes(fixture *f, const char *text, size_t length)
{
    FILE *file = fopen(f->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return lmb_csv_read(f->context, f->arena, f->path, &f->rows, &f->columns, &f->values);
}

static lmb_status read_text(fixture *f, const char *text)
{
    return read_bytes(f, text, strlen(text));
}

/* Expects 2 x 3 numbers 1 to 6, the fourth of which is negative. */
static void check_six(fixture *f, const char *text)
{
    assert_int_equal(read_text(f, text), LMB_OK);
    assert_int_equal(f->rows, 2);
    assert_int_equal(f->columns, 3);
    for (int i = 0; i < 6; i++)
        assert_close(f->values[i], i == 3 ? -4 : i + 1, 0);
}

static void test_separators(void **state)
{
    fixture *f = *state;
    check_six(f, "1,2,3\n-4,5,6\n");
    check_six(f, "1 ; 2 ; 3\r\n\r\n-4;5;6");
    check_six(f, "1\t2\t3\n-4\t5\t6\n");
    check_six(f, "  1   2 3  \n -4 5   6  \n\n");
    check_six(f, "# a comment\n1,2,3 # one more, with a comma\n\n-4.0,+5,6e0\n");
    check_six(f, "\xEF\xBB\xBF"
                 "1,2,3\n-4,0.5e1,.6E+1\n");
}

static void test_names(void **state)
{
    fixture *f = *state;
    check_six(f, "# made by hand\nt,\"x, y\", force [N]\n1,2,3\n-4,5,6\n");
    check_six(f, "time x \"y # z\"\n1 2 3\n-4 5 6\n");
}

static void test_numbers_are_exact(void **state)
{
    fixture *f = *state;
    assert_int_equal(read_text(f, "0.1\n123456789.123456789e-5\n"
                                  "0.000000000000000000000000000000000000000000000001\n"
                                  "9007199254740993\n1e-320\n"),
                     LMB_OK);
    const double expected[] = {0.1, 123456789.123456789e-5, 1e-48, 9007199254740993.0, 1e-320};
    assert_memory_equal(f->values, expected, sizeof expected);
}

static void test_locale_does_not_matter(void **state)
{
    use_decimal_comma();
    lmb_status status = read_text(*state, "1.5,2.25e1\n");
    use_decimal_point();
    assert_int_equal(status, LMB_OK);
    assert_close(((fixture *)*state)->values[0], 1.5, 0);
    assert_close(((fixture *)*state)->values[1], 22.5, 0);
}

static void check_error(fixture *f, const char *text, const char *message, int line, int column)
{
    lmb_messages_clear(f->context);
    assert_int_equal(read_text(f, text), LMB_BAD_INPUT);
    assert_message(f->context, message);
    const lmb_message *m = lmb_message_at(f->context, lmb_message_count(f->context) - 1);
    assert_string_equal(m->file, f->path);
    assert_int_equal(m->line, line);
    assert_int_equal(m->column, column);
}

static void test_errors(void **state)
{
    fixture *f = *state;
    check_error(f, "t,x\n1,2\n\n3, four\n", "'four' is not a number", 4, 4);
    check_error(f, "1,2\n3,4x\n", "'4x' is not a number", 2, 3);
    check_error(f, "1,2\n3,nan\n", "'nan' is not a number", 2, 3);
    check_error(f, "1,2\n3,\"4\"\n", "'4' is not a number", 2, 4);
    check_error(f, "1,oops\n", "'oops' is not a number", 1, 3);
    check_error(f, "1,2\n3,4,5\n", "row has more than 2 columns", 2, 5);
    check_error(f, "1,2\n3\n", "row ends after 1 of 2 columns", 2, 2);
    check_error(f, "1,2\n3,\n", "a number is missing", 2, 3);
    check_error(f, "1;2\n,5;3\n", "',5' is not a number", 2, 1);
    check_error(f, "1;2\n1,5;3\n", "decimal point", 2, 1);
    check_error(f, "1,2\n1e999,3\n", "number is too large", 2, 1);
    check_error(f, "", "file has no numbers", 1, 0);
    check_error(f, "a,b\n# nothing\n", "file has no numbers", 3, 0);
    lmb_messages_clear(f->context);
    assert_int_equal(read_bytes(f, "1\0002", 3), LMB_BAD_INPUT);
    assert_message(f->context, "is not a text file");
}

static void test_unreadable_file(void **state)
{
    fixture *f = *state;
    int n;
    double *values;
    assert_int_equal(lmb_csv_read(f->context, f->arena, "/nowhere/x.csv", &n, &n, &values), LMB_IO);
    assert_message(f->context, "cannot read '/nowhere/x.csv': No such file");
    assert_int_equal(lmb_csv_read(f->context, f->arena, "/tmp", &n, &n, &values), LMB_IO);
    assert_message(f->context, "cannot read '/tmp': ");
}

static void test_many_rows(void **state)
{
    fixture *f = *state;
    enum { ROWS = 20000 };
    char *text = malloc(ROWS * 32), *end = text;
    for (int i = 0; i < ROWS; i++)
        end += sprintf(end, "%d,%d.25\n", i, -i);
    assert_int_equal(read_text(f, text), LMB_OK);
    free(text);
    assert_int_equal(f->rows, ROWS);
    assert_close(f->values[2 * 12345], 12345, 0);
    assert_close(f->values[2 * 12345 + 1], -12345.25, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_separators, start, finish),
        cmocka_unit_test_setup_teardown(test_names, start, finish),
        cmocka_unit_test_setup_teardown(test_numbers_are_exact, start, finish),
        cmocka_unit_test_setup_teardown(test_locale_does_not_matter, start, finish),
        cmocka_unit_test_setup_teardown(test_errors, start, finish),
        cmocka_unit_test_setup_teardown(test_unreadable_file, start, finish),
        cmocka_unit_test_setup_teardown(test_many_rows, start, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
