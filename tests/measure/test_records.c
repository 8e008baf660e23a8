/* Sound files and tables of loggers. */
#include "signals.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/measurement.h"
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
        assert_int_equal(wav_write(c, path, &out, kinds[i]), LMB_OK);
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
    assert_int_equal(wav_write(c, path, &out, 16), LMB_OK);
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

/* Reads a text as a logger's; expects 1.5, 2 / -4, 5.25 in its last two columns, the last of which
 * has a name and a unit ("acc" and "g"), or none. */
static void check_table(const char *text, bool comma, int columns, const char *name,
                        const char *unit)
{
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_logger_table t;
    const char *path = write_bytes("table.csv", text, strlen(text));
    if (lmb_logger_read(c, arena, path, comma, &t))
        fail_msg("%s: %s", text, lmb_message_at(c, 0)->text);
    if (t.rows != 2 || t.columns != columns)
        fail_msg("%s: %d x %d", text, t.rows, t.columns);
    assert_close(t.values[columns - 2], 1.5, 0);
    assert_close(t.values[columns - 1], 2, 0);
    assert_close(t.values[2 * columns - 2], -4, 0);
    assert_close(t.values[2 * columns - 1], 5.25, 0);
    assert_true((t.names == NULL) == (name == NULL));
    if (name) {
        assert_string_equal(t.names[columns - 1], name);
        assert_string_equal(t.units[columns - 1], unit);
    }
    lmb_arena_free(arena);
    lmb_context_free(c);
}

static void tables_of_loggers(void **state)
{
    (void)state;
    check_table("1.5,2\n-4,5.25\n", false, 2, NULL, NULL);
    check_table("1,5;2\n-4;5,25\n", false, 2, NULL, NULL);
    check_table("1,5\t2,0\n-4,0\t5,25\n", false, 2, NULL, NULL);
    check_table("1,5 2\n-4 5,25\n", true, 2, NULL, NULL);
    check_table("\"1,5\",\"2\"\n\"-4\",\"5,25\"\n", false, 2, NULL, NULL);
    check_table("t;acc\n1,5;2\n-4;5,25\n", false, 2, "acc", "");
    check_table("\"t\",\"acc [g]\"\r\n\"1.5\",\"2\"\r\n\"-4\",\"5.25\"\r\n", false, 2, "acc", "g");
    check_table("Logger 7\r\nRate;1000\r\nSerial;A-12\r\n\r\nt;acc\r\ns;m/s^2\r\n1,5;2\r\n"
                "-4;5,25\r\n",
                false, 2, "acc", "m/s^2");
    check_table("\xef\xbb\xbfTime (s)\tAcc 1 (m/s2)\n1.5\t2\n-4\t5.25\n", false, 2, "Acc 1",
                "m/s2");
    check_table("speed,acc\n[rpm],[m/s\xb2]\n1.5,2\n-4,5.25\n", false, 2, "acc", "m/s\xc2\xb2");
    check_table("# t a\n1.5 2\n-4 5.25\n", false, 2, "a", "");
    check_table("1;2\nt;acc\n1.5;2\n-4;5.25\n", false, 2, "acc", ""); /* numbers of channels */
    check_table("Date,t,acc\n2024-01-01,1.5,2\n2024-01-02,-4,5.25\n", false, 3, "acc", "");
    check_table("t;acc\n1.5;2\n-4;5.25\n3", false, 2, "acc", ""); /* the last line was cut off */
    check_table("t\tacc\t\t\n1.5\t2\t\t\n-4\t5.25\t\t\n", false, 2, "acc", "");
}

/* Values that are not there, columns at the end without any, stamps over midnight. */
static void missing_values_and_stamps(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_logger_table t;
    static const char text[] = "Time;a;b;\n23:59:59.5;1;2;\n23:59:59.75;;NaN;\n00:00:00;3;---;\n"
                               "00:00:00,25;4;5;\n";
    const char *path = write_bytes("gaps.csv", text, sizeof text - 1);
    assert_int_equal(lmb_logger_read(c, arena, path, false, &t), LMB_OK);
    assert_int_equal(t.rows, 4);
    assert_int_equal(t.columns, 4);
    assert_true(t.stamps[0] && !t.stamps[1]);
    for (int i = 0; i < 4; i++)
        assert_close(t.values[4 * i], 86399.5 + 0.25 * i, 0);
    assert_true(isnan(t.values[5]) && isnan(t.values[6]) && isnan(t.values[10]));
    assert_close(t.values[13], 4, 0);

    /* one row alone */
    path = write_bytes("row.csv", "t;acc\ns;g\n1;2,5\n", 16);
    assert_int_equal(lmb_logger_read(c, arena, path, false, &t), LMB_OK);
    assert_int_equal(t.rows, 1);
    assert_close(t.values[1], 2.5, 0);
    assert_string_equal(t.units[1], "g");

    /* UTF-16 of Windows */
    static const char wide[] = "\xff\xfe"
                               "1\0;\0002\0\n\0003\0;\0004\0\n";
    path = write_bytes("wide.csv", wide, sizeof wide);
    assert_int_equal(lmb_logger_read(c, arena, path, false, &t), LMB_OK);
    assert_int_equal(t.rows, 2);
    assert_close(t.values[3], 4, 0);

    /* one column: the blank in its name separates nothing */
    static const char one[] = "Logger A\nhousing top [m/s^2]\n 1.5\n2\n";
    path = write_bytes("one.csv", one, sizeof one - 1);
    assert_int_equal(lmb_logger_read(c, arena, path, false, &t), LMB_OK);
    assert_int_equal(t.columns, 1);
    assert_string_equal(t.names[0], "housing top");
    assert_string_equal(t.units[0], "m/s^2");
    assert_close(t.values[0], 1.5, 0);
    lmb_arena_free(arena);
    lmb_context_free(c);
}

static void stamps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"00:00:00", 0},
                {"12:30:01.250", 45001.25},
                {"1:02", 3720},
                {"2024-02-29T23:59:59.5Z", 86399.5},
                {"2024-03-01 00:00:00,125+02:00", 86400.125},
                {"01.03.2024 00:00:01", 86401},
                {"3/1/2024 1:00:00 PM", 86400 + 46800},
                {"2024/03/01 12:00:00 AM", 86400}};
    static const char *const bad[] = {"", "12", "12.5", "24:00:00", "1:60:00", "a:b", "12:30:01 x"};
    long first = 0, day;
    double seconds;
    assert_true(lmb_stamp_scan("2024-02-29 00:00", 16, &first, &seconds));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!lmb_stamp_scan(good[i].text, strlen(good[i].text), &day, &seconds))
            fail_msg("%s", good[i].text);
        assert_close((day ? 86400.0 * (double)(day - first) : 0) + seconds, good[i].seconds, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lmb_stamp_scan(bad[i], strlen(bad[i]), &day, &seconds));
}

/* Which column is that of times: its name, its unit, stamps, growth. */
static void columns_of_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int column;
        double factor;
    } tables[] = {{"acc;t [ms]\n1;2\n3;4\n", 1, 1e-3},
                  {"Time_us,acc\n1,2\n3,4\n", 0, 1e-6},
                  {"T [\xc2\xb0"
                   "C];acc\n1;2\n3;4\n",
                   -1, 1},
                  {"T1,acc\n1,2\n3,4\n", -1, 1},
                  {"force,x\n1,2\n3,4\n", -1, 1},
                  {"X_Value,acc\n1,2\n3,4\n", 0, 1},
                  {"Abscissa [ms],acc\n1,2\n3,4\n", 0, 1e-3},
                  {"latency [ms],acc\n3,2\n1,4\n", -1, 1},
                  {"1,2\n3,4\n", 0, 1},
                  {"3,2\n1,4\n", -1, 1},
                  {"Date;t;acc\n2024-01-01 12:00;1;2\n2024-01-01 12:00;3;4\n", 1, 1},
                  {"acc;when\n1;12:00:01\n2;12:00:02\n", 1, 1}};
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        lmb_logger_table t;
        const char *path = write_bytes("times.csv", tables[i].text, strlen(tables[i].text));
        assert_int_equal(lmb_logger_read(c, arena, path, false, &t), LMB_OK);
        if (lmb_logger_times(&t) != tables[i].column)
            fail_msg("%s: column %d", tables[i].text, lmb_logger_times(&t));
        if (tables[i].column >= 0)
            assert_close(lmb_logger_time_factor(&t, tables[i].column), tables[i].factor, 0);
    }
    lmb_arena_free(arena);
    lmb_context_free(c);
}

static void wrong_tables(void **state)
{
    (void)state;
    lmb_context *c = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    lmb_logger_table t;
    static const char *const texts[] = {"", "only words\nand more\n",
                                        "t;x\n1;2\n2;3\n3;4\n4;5\n5;6\n3;a\n4;5\n6;7\n",
                                        "1;2\n2;3\n3;4\n4;5\n5;6\n3;4;5\n6;7\n8;9\n"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(lmb_logger_read(c, arena,
                                         write_bytes("bad.csv", texts[i], strlen(texts[i])), false,
                                         &t),
                         LMB_BAD_INPUT);
    assert_message(c, "row does not have 2 columns");
    lmb_arena_free(arena);
    lmb_context_free(c);
}

/* A record without rows, as of a result that has none yet, has no last time. */
static void test_no_rows(void **state)
{
    (void)state;
    double none[1] = {0}, *times;
    char *names[] = {"t"}, *units[] = {"s"};
    bool stamps[] = {false};
    lmb_context *context = lmb_context_new();
    lmb_arena *arena = lmb_arena_new();
    const lmb_measurement m = {context,     arena,
                               "empty.csv", .table = {0, 1, none, names, units, stamps},
                               .times = 0,  .rate = 100};
    assert_int_equal(lmb_measurement_times(&m, &times), LMB_BAD_INPUT);
    assert_non_null(strstr(lmb_message_at(context, 0)->text, "has no rows"));
    lmb_arena_free(arena);
    lmb_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(sound_files_come_back),
        cmocka_unit_test(damaged_sound_files),
        cmocka_unit_test(tables_of_loggers),
        cmocka_unit_test(missing_values_and_stamps),
        cmocka_unit_test(stamps),
        cmocka_unit_test(columns_of_times),
        cmocka_unit_test(wrong_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
