/* Numbers, words and columns of text files. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "import/scan.h"
#include "program.h"

static lmb_word word(const char *text)
{
    return (lmb_word){text, (int)strlen(text)};
}

/* Numbers that strtod reads too must come out the same to the last bit. */
static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "12.",
        ".5",
        "-1.5e3",
        "1e22",
        "1e-22",
        "1e23",
        "3.1416",
        "1e-308",
        "5e-324",
        "1.7976e308",
        "+7",
        "1E+001",
        "9007199254740993",
        "0.1",
        "123456789012345678901234567890",
        "9.824780092593333E+001",
        "1e-400",
        "0.00000000000000000000000000000000000001234567890123456789",
        "2.2250738585072011e-308",
        "8.5e-1"};
    double value = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(lmb_word_number(word(texts[i]), &value));
        if (value != strtod(texts[i], NULL))
            fail_msg("%s is read as %.17g", texts[i], value);
    }
    char text[40];
    unsigned long long seed = 7;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        snprintf(text, sizeof text, "%.*e", (int)(seed >> 60), (double)(seed >> 20) * 1e-12);
        assert_true(lmb_word_number(word(text), &value) && value == strtod(text, NULL));
    }
}

static void test_fortran_numbers(void **state)
{
    (void)state;
    double value;
    assert_true(lmb_word_number(word("0.982478009259333D+02"), &value) &&
                value == 98.2478009259333);
    assert_true(lmb_word_number(word("-1.5d3"), &value) && value == -1500);
    assert_true(lmb_word_number(word("1.0-100"), &value) && value == 1e-100);
    assert_true(lmb_word_number(word("2+10"), &value) && value == 2e10);
    assert_true(lmb_word_number(word("3.-2"), &value) && value == 0.03);
    static const char *const wrong[] = {"",   "-",    ".",   "1e",   "1e+", "nan", "inf", "1.2.3",
                                        "1x", "****", "1D+", "0x10", "1 2", "1,5", "--1", "e5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(lmb_word_number(word(wrong[i]), &value));
    int number;
    assert_true(lmb_word_integer(word("-2147483647"), &number) && number == -2147483647);
    assert_false(lmb_word_integer(word("2147483648"), &number));
    assert_false(lmb_word_integer(word("1.5"), &number));
    assert_false(lmb_word_integer(word("-"), &number));
}

static void test_formats(void **state)
{
    (void)state;
    lmb_fortran_column c[20];
    assert_int_equal(lmb_fortran_columns(word("(3i9,6e21.13e3)"), c, 20), 9);
    assert_true(c[2].from == 18 && c[2].width == 9 && c[2].type == 'I');
    assert_true(c[4].from == 48 && c[4].width == 21 && c[4].type == 'E');
    assert_int_equal(lmb_fortran_columns(word("(1P,4D20.12)  "), c, 20), 4);
    assert_int_equal(lmb_fortran_columns(word("(I14)"), c, 20), 1);
    assert_int_equal(lmb_fortran_columns(word("(2X,I8,1X,A4)"), c, 20), 2);
    assert_true(c[1].from == 11 && c[1].type == 'A');
    assert_int_equal(lmb_fortran_columns(word("hello"), c, 20), 0);
    assert_int_equal(lmb_fortran_columns(word("(99999999999I5)"), c, 20), 20);
    assert_int_equal(lmb_fortran_columns(word("(I)"), c, 20), 0);
}

static void test_lines(void **state)
{
    (void)state;
    lmb_context *context = lmb_context_new();
    const char *path = scratch_path("lines.txt");
    FILE *file = fopen(path, "wb");
    fputs("\xEF\xBB\xBF"
          "1, 2 ,,3\r\n\n  a b \nlast",
          file);
    fclose(file);
    lmb_scan s;
    lmb_word w;
    assert_int_equal(lmb_scan_open(&s, context, path), LMB_OK);
    assert_true(lmb_scan_line(&s));
    static const char *const words[] = {"1", "2", "", "3"};
    for (int i = 0; i < 4; i++)
        assert_true(lmb_scan_word(&s, &w) && lmb_word_is(w, words[i]));
    assert_false(lmb_scan_word(&s, &w));
    assert_true(lmb_scan_token(&s, &w) && lmb_word_is(w, "A"));
    assert_int_equal(s.number, 3);
    assert_true(lmb_word_is(lmb_scan_columns(&s, 3, 10), "b"));
    assert_int_equal(lmb_scan_columns(&s, 30, 10).length, 0);
    lmb_scan_again(&s);
    assert_true(lmb_scan_line(&s) && s.number == 3);
    assert_true(lmb_scan_line(&s) && s.number == 4);
    assert_int_equal(lmb_scan_integer(&s, "a count"), 0);
    assert_int_equal(s.status, LMB_BAD_INPUT);
    assert_message(context, "a count: 'last' is not a whole number");
    assert_int_equal(lmb_message_at(context, 0)->line, 4);
    assert_string_equal(lmb_message_at(context, 0)->source_line, "last");
    assert_false(lmb_scan_line(&s));
    lmb_scan_close(&s);
    assert_int_equal(lmb_scan_open(&s, context, scratch_path("none/such")), LMB_IO);
    lmb_context_free(context);
}

static void test_dictionary(void **state)
{
    (void)state;
    lmb_numbers numbers = {0};
    assert_int_equal(lmb_numbers_find(&numbers, 5), -1);
    for (int i = 0; i < 10000; i++)
        assert_true(lmb_numbers_add(&numbers, 3 * i - 500, i));
    for (int i = 0; i < 10000; i++)
        assert_int_equal(lmb_numbers_find(&numbers, 3 * i - 500), i);
    assert_int_equal(lmb_numbers_find(&numbers, -499), -1);
    assert_true(lmb_numbers_add(&numbers, -500, 77));
    assert_int_equal(lmb_numbers_find(&numbers, -500), 77);
    lmb_numbers_free(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_fortran_numbers),
        cmocka_unit_test(test_formats),    cmocka_unit_test(test_lines),
        cmocka_unit_test(test_dictionary),
    };
    return cmocka_run_group_tests_name("scanning text files", tests, NULL, NULL);
}
