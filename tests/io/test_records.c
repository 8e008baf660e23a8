/* Sound files and tables of loggers. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv.h"
#include "io/wav.h"
#include "program.h"

/* What is written is read back to half a step of its numbers, floating point to its digits. */
static void sound_files_come_back(void **state)
{
    (void)state;
    static const int kinds[] = {8, 16, 24, 32, -32, -64};
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    double values[] = {0, 0.5, -0.5, 0.123456789, -1, 0.25, -0.987654321, 0.3, 0.75, -0.1};
    for (int i = 0; i < 6; i++) {
        lmb_wav out = {44100, 2, 5, values}, in;
        const char *path = scratch_path("sound.wav");
        double step = kinds[i] == -64 ? 0 : kinds[i] == -32 ? 1e-7 : ldexp(0.5, 1 - kinds[i]);
        assert_int_equal(lmb_wav_write(c, path, &out, kinds[i]), LMB_OK);
        assert_true(lmb_wav_signature(path));
        assert_int_equal(lmb_wav_read(c, arena, path, &in), LMB_OK);
        assert_close(in.rate, 44100, 0);
        assert_int_equal(in.channels, 2);
        assert_int_equal(in.count, 5);
        for (int k = 0; k < 10; k++)
            assert_true(fabs(in.values[k] - values[k]) <= step * (1 + 1e-12));
    }
    lmb_arena_free(arena);
    lmb_context_free(c);
}

static const char *write_bytes(const char *name, const char *bytes, size_t size)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return path;
}

static void damaged_sound_files(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    double values[] = {0, 0.5, -0.5, 0.1};
    lmb_wav out = {8000, 1, 4, values}, in;
    const char *path = scratch_path("whole.wav");
    assert_int_equal(lmb_wav_write(c, path, &out, 16), LMB_OK);
    char bytes[64];
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(size, 52);
    /* every shorter file is an error or has fewer values, and never a crash */
    for (size_t length = 0; length < size; length++) {
        lmb_status status = lmb_wav_read(c, arena, write_bytes("cut.wav", bytes, length), &in);
        assert_true(status == LMB_BAD_INPUT || (status == LMB_OK && in.count < 4));
    }
    bytes[20] = 7;
    assert_int_equal(lmb_wav_read(c, arena, write_bytes("law.wav", bytes, size), &in),
                     LMB_BAD_INPUT);
    assert_message(c, "which is not read");
    lmb_arena_free(arena);
    lmb_context_free(c);
}

/* Reads a text as a logger's; expects 1.5, 2 / -4, 5.25 in its last two columns. */
static void check_table(const char *text, bool comma, int columns, const char *name)
{
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    int rows, width;
    double *v;
    char **names;
    const char *path = write_bytes("table.csv", text, strlen(text));
    if (lmb_csv_read_logger(c, arena, path, comma, &rows, &width, &v, &names))
        fail_msg("%s: %s", text, lmb_message_at(c, 0)->text);
    if (rows != 2 || width != columns)
        fail_msg("%s: %d x %d", text, rows, width);
    assert_close(v[columns - 2], 1.5, 0);
    assert_close(v[columns - 1], 2, 0);
    assert_close(v[2 * columns - 2], -4, 0);
    assert_close(v[2 * columns - 1], 5.25, 0);
    assert_true((names == NULL) == (name == NULL));
    if (name)
        assert_string_equal(names[columns - 1], name);
    lmb_arena_free(arena);
    lmb_context_free(c);
}

static void tables_of_loggers(void **state)
{
    (void)state;
    check_table("1.5,2\n-4,5.25\n", false, 2, NULL);
    check_table("1,5;2\n-4;5,25\n", false, 2, NULL);
    check_table("1,5\t2,0\n-4,0\t5,25\n", false, 2, NULL);
    check_table("1,5 2\n-4 5,25\n", true, 2, NULL);
    check_table("t;acc\n1,5;2\n-4;5,25\n", false, 2, "acc");
    check_table("Logger 7\r\nRate;1000\r\nSerial;A-12\r\n\r\nt;acc\r\ns;m/s^2\r\n1,5;2\r\n"
                "-4;5,25\r\n",
                false, 2, "acc");
    check_table("Date,t,acc\n2024-01-01,1.5,2\n2024-01-02,-4,5.25\n", false, 3, "acc");
    check_table("t;acc\n1.5;2\n-4;5.25\n3", false, 2, "acc"); /* the last line was cut off */
}

static void wrong_tables(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    int rows, width;
    double *v;
    char **names;
    static const char *const texts[] = {"", "only words\nand more\n", "t;x\n1;2\n3;a\n4;5\n6;7\n",
                                        "1;2\n3;4;5\n6;7\n8;9\n"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(lmb_csv_read_logger(c, arena,
                                             write_bytes("bad.csv", texts[i], strlen(texts[i])),
                                             false, &rows, &width, &v, &names),
                         LMB_BAD_INPUT);
    lmb_arena_free(arena);
    lmb_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_files_come_back),
        cmocka_unit_test(damaged_sound_files),
        cmocka_unit_test(tables_of_loggers),
        cmocka_unit_test(wrong_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
