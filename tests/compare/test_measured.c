/* Measurements laid over results, in files as loggers write them: limber compare FILE and limber
 * report --compare FILE. */
#include "signals.h"
#include "support.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "result/write.h"
#include "measure/measurement.h"
#include "math/vec.h"
#include "program.h"

/* The motion is linear, so that interpolation errs by rounding only, but for a jump while nothing
 * is measured. What is measured is larger by OFFSET, an eighth. */
#define OFFSET 0.125
enum { ROWS = 101 }; /* of a measurement, every 0.02 s */

static double angle(double t)
{
    return 1 - 0.5 * t + (t > 1.05 && t < 1.35 ? 0.5 : 0);
}

static double measured(int row)
{
    return 1 - 0.5 * 0.02 * row + OFFSET;
}

/* A result of 2 s, every 0.01 s. */
static const char *make_result(void)
{
    static const lmb_channel channels[] = {{"swing.angle", "rad", "Angle.", 1, ""},
                                           {"swing.position", "m", "Position.", 2, "xy"},
                                           {"gauge", "", "A sensor.", 1, ""}};
    const char *path = scratch_path("swing.h5");
    lmb_context *context = lmb_context_new();
    lmb_writer *writer;
    assert_int_equal(lmb_writer_new(&writer, context, path), 0);
    assert_int_equal(lmb_writer_begin(writer, context, "swing", "dynamics", 3, channels), 0);
    for (int i = 0; i <= 200; i++) {
        double t = 0.01 * i, row[] = {angle(t), t, -t, 3};
        assert_int_equal(lmb_writer_row(writer, context, t, row), 0);
    }
    assert_int_equal(lmb_writer_close(writer, context), 0);
    lmb_context_free(context);
    return path;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Writes the rows of a table; nothing is measured from 1 s to 1.4 s. */
typedef void put_row(FILE *out, int row);

static const char *write_table(const char *name, const char *head, put_row *put)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(head, out);
    for (int i = 0; i < ROWS; i++)
        if (i <= 50 || i >= 70)
            put(out, i);
    assert_int_equal(fclose(out), 0);
    return path;
}

/* A number with a decimal comma, all its digits, and what comes behind it. */
static void put_comma(FILE *out, double value, const char *behind)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    char *point = strchr(text, '.');
    if (point)
        *point = ',';
    fprintf(out, "%s%s", text, behind);
}

static void put_german(FILE *out, int i)
{
    put_comma(out, 0.02 * i, ";");
    put_comma(out, measured(i) * 180 / LMB_PI, ";");
    put_comma(out, 20 + 0.1 * i, "\r\n");
}

static void put_milli(FILE *out, int i)
{
    fprintf(out, "\"%d\",\"%.17g\"\n", 20 * i, 1000 * measured(i));
}

static void put_stamped(FILE *out, int i)
{
    fprintf(out, "%s%02d,%03d\t%.17g\tok\n",
            i < 50 ? "31.05.2024 23:59:" : "01.06.2024 00:00:", (59 + i / 50) % 60, i % 50 * 20,
            measured(i));
}

static void put_plain(FILE *out, int i)
{
    fprintf(out, "%.17g %.17g\n", 0.02 * i, measured(i));
}

/* Makes UTF-16 of a text file. */
static const char *widen(const char *from, const char *name)
{
    const char *path = scratch_path(name);
    FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
    assert_true(in && out);
    fputs("\xff\xfe", out);
    for (int c; (c = fgetc(in)) != EOF;) {
        fputc(c, out);
        fputc(0, out);
    }
    fclose(in);
    assert_int_equal(fclose(out), 0);
    return path;
}

/* --- what comes out --------------------------------------------------------------------------- */

/* Compares with a file: all differences of the angle are OFFSET, to the rounding of times, which as
 * stamps are seconds of a day (86400 times 1e-16). Returns what was said. */
static char *check_offset(const char *words)
{
    char command[2048];
    snprintf(command, sizeof command, "compare %s %s --json", make_result(), words);
    lmb_run_result run = run_limber("%s", command);
    if (run.code != 0 || !strstr(run.out, "\"swing.angle\""))
        fail_msg("%s: code %d\n%s%s", words, run.code, run.out, run.err);
    double largest = number_behind(run.out, "\"largest\": ");
    double rms = number_behind(run.out, "\"rms\": ");
    if (!(fabs(largest - OFFSET) < 1e-11 && fabs(rms - OFFSET) < 1e-11))
        fail_msg("%s: %.17g %.17g\n%s", words, largest, rms, run.err);
    char *said = run.err;
    run.err = NULL;
    free_run(&run);
    return said;
}

/* The same, where something must be said ("" for anything). */
static void check_said(const char *piece, const char *format, ...)
{
    char words[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    char *said = check_offset(words);
    if (!strstr(said, piece))
        fail_msg("%s: '%s' was not said:\n%s", words, piece, said);
    free(said);
}

static void files_of_loggers(void **state)
{
    (void)state;
    const char *german = write_table("german.csv",
                                     "Messung 12\r\nKanal;1;2\r\n\r\n"
                                     "Zeit;Swing.Angle;Temperatur\r\ns;Grad;\xb0"
                                     "C\r\n",
                                     put_german);
    check_said("the column 'Temperatur' of", "%s", german);
    check_said("has a gap of 0.4 s after t = 1 s: nothing is compared there", "%s", german);
    check_said("", "%s", widen(german, "wide.csv"));
    check_said("", "%s",
               write_table("milli.csv", "\xef\xbb\xbf\"Time (ms)\",\" SWING.angle (mrad) \"\n",
                           put_milli));
    /* stamps count from the first row on, here over midnight */
    check_said("", "%s", write_table("stamps.txt", "when\tswing.angle [rad]\tnote\n", put_stamped));
    check_said("", "%s", write_table("blanks.txt", "# t swing.angle\n", put_plain));
}

static void put_value(FILE *out, int i)
{
    put_comma(out, measured(i), ";7\n");
}

/* Columns that have other names than channels. */
static void columns_are_named(void **state)
{
    (void)state;
    const char *table = write_table("named.csv", "Abszisse;Winkel (Grad);CH2\n", put_german);
    check_said("", "%s --column Abszisse=time --column Winkel=swing.angle", table);
    check_said("", "%s --column 'Winkel (Grad) = Swing.Angle' --column=1=time", table);
    check_said("", "%s --column 1=time --column 2=swing.angle swing.angle", table);
    const char *bare = write_table("bare.txt", "", put_plain);
    check_said("", "%s --column 2=swing.angle", bare);
    check_said("", "%s --column 'column 2=swing.angle'", bare);

    /* the column of that name is another, then */
    const char *twice = write_table("twice.csv", "t;CH1 [deg];swing.angle\n", put_german);
    check_said("the column 'swing.angle' of", "%s --column CH1=swing.angle", twice);

    const char *none = "compare %s %s --column %s";
    const char *result = make_result();
    check_run(run_limber(none, result, table, "Winkel"), 2, "--column needs COLUMN=CHANNEL");
    check_run(run_limber(none, result, table, "Winkl=swing.angle"), 3, "did you mean 'Winkel'?");
    check_run(run_limber(none, result, table, "9=swing.angle"), 3, "there are: Abszisse, Winkel");
    check_run(run_limber(none, result, table, "Winkel=swing.angel"), 3,
              "did you mean 'swing.angle'?");
    check_run(run_limber(none, result, table, "Winkel=swing.position"), 3, "swing.position.x");
    check_run(run_limber(none, result, table, "2=swing.angle --column 3=swing.angle"), 2,
              "two columns for 'swing.angle'");
    check_run(run_limber(none, result, table, "Winkel=swing.angle"), 2,
              "--column \"Abszisse=time\"");
    check_run(run_limber(none, result, result, "Winkel=swing.angle"), 2, "is a result");
}

/* A rate instead of times, in tables and sound files. */
static void rates(void **state)
{
    (void)state;
    const char *path = scratch_path("even.csv"), *result = make_result();
    FILE *out = fopen(path, "w");
    fputs("swing.angle;CH2\n", out);
    for (int i = 0; i < 50; i++)
        put_value(out, i);
    fclose(out);
    check_said("", "%s --rate 50", path);
    check_run(run_limber("compare %s %s", result, path), 2, "--rate");
    check_run(run_limber("compare %s %s --rate -1", result, path), 2, "--rate must be positive");

    double values[51];
    lmb_wav wav = {50, 1, 51, values};
    lmb_context *context = lmb_context_new();
    for (int i = 0; i < 51; i++)
        values[i] = measured(i);
    path = scratch_path("swing.wav");
    assert_int_equal(wav_write(context, path, &wav, -64), 0);
    lmb_context_free(context);
    check_said("", "%s --column 1=swing.angle", path);
}

static void put_holes(FILE *out, int i)
{
    /* the second column has a value in every third row */
    fprintf(out, i % 3 ? "%.17g,,%.17g\n" : "%.17g,%.17g,NaN\n", 0.02 * i, measured(i));
}

static void put_coarse(FILE *out, int i)
{
    fprintf(out, "%.1f,%.17g\n", i * 0.02, measured(i));
}

static void put_back(FILE *out, int i)
{
    fprintf(out, "%g,%.17g\n", i == 20 ? 0.1 : i * 0.02, measured(i));
}

static void holes_and_times(void **state)
{
    (void)state;
    const char *result = make_result();
    const char *holes = write_table("holes.csv", "t,swing.angle,swing.position.x\n", put_holes);
    check_said("'swing.angle' of '", "%s swing.angle", holes);
    check_said("has no value in 55 of 82 rows", "%s swing.angle", holes);
    check_run(
        run_limber("compare %s %s", result, write_table("back.csv", "t,swing.angle\n", put_back)),
        3, "do not grow: 0.1 comes after 0.38");
    check_run(run_limber("compare %s %s", result, scratch_path("back.csv")), 3, "give the --rate");
    /* rows of equal times without pauses are even, as far as the digits tell */
    const char *path = scratch_path("coarse.csv");
    FILE *out = fopen(path, "w");
    fputs("t,swing.angle\n", out);
    for (int i = 0; i <= 50; i++)
        put_coarse(out, i);
    fclose(out);
    check_said("are written to 0.1 s", "%s", path);
    /* one instant that is there twice is not that */
    FILE *twice = fopen(scratch_path("instant.csv"), "w");
    fputs("t,swing.angle\n", twice);
    for (int i = 0; i <= 50; i += 5)
        for (int k = 0; k < (i == 20 ? 2 : 1); k++)
            put_coarse(twice, i);
    fclose(twice);
    check_said("", "%s", scratch_path("instant.csv"));
    check_run(run_limber("compare %s %s --shift 10", result, path), 3,
              "goes from 10 to 11, the result from 0 to 2");
}

static void units(void **state)
{
    (void)state;
    const char *result = make_result();
    check_said("'swing.angle' of", "%s", write_table("volts.txt", "t swing.angle[V]\n", put_plain));
    check_said("is in V, the channel in rad: its numbers are taken as they are", "%s",
               scratch_path("volts.txt"));
    /* 3 without a unit is compared with about 1 of millimetres */
    check_run(
        run_limber("compare %s %s", result, write_table("gauge.txt", "t gauge[mm]\n", put_plain)),
        0, "is in mm, the channel without a unit: its numbers");
}

static void nothing_in_common(void **state)
{
    (void)state;
    const char *result = make_result();
    const char *near = write_table("near.csv", "t;Swing.Angel;Temp\n", put_german);
    const char *far = write_table("far.csv", "t;Winkel;Temp\n", put_german);
    const char *vector = write_table("vector.csv", "t;swing.position;Temp\n", put_german);
    check_run(run_limber("compare %s %s", result, near), 3, "did you mean 'swing.angle'?");
    check_run(run_limber("compare %s %s", result, far), 3,
              "is a channel of the result: Winkel, Temp");
    check_run(run_limber("compare %s %s", result, far), 3, "--column \"Winkel=CHANNEL\"");
    check_run(run_limber("compare %s %s", result, vector), 3, "swing.position.x");
    /* a result of nothing */
    lmb_context *context = lmb_context_new();
    lmb_writer *writer;
    assert_int_equal(lmb_writer_new(&writer, context, scratch_path("none.h5")), 0);
    assert_int_equal(lmb_writer_close(writer, context), 0);
    lmb_context_free(context);
    check_run(run_limber("compare %s %s", scratch_path("none.h5"), near), 3, "has no analysis");

    /* a column that could not be compared is a difference */
    check_run(run_limber("compare %s %s --tolerance 1", result,
                         write_table("more.csv", "t;swing.angle [deg];Temp\n", put_german)),
              1, "the column 'Temp' of");
}

static void reports_read_the_same_files(void **state)
{
    (void)state;
    const char *table = write_table("report.csv", "Zeit;Winkel [deg];Temp\n", put_german);
    const char *result = make_result(), *html = scratch_path("swing.html");
    lmb_run_result run =
        run_limber("report %s --compare %s --column Winkel=swing.angle -o %s", result, table, html);
    if (strstr(run.err, "without the viewer")) {
        free_run(&run);
        skip();
    }
    check_run(run, 0, "the column 'Temp' of");
    size_t size;
    char *page;
    lmb_context *context = lmb_context_new();
    assert_int_equal(lmb_read_file(&page, &size, context, html), 0);
    lmb_context_free(context);
    const char *compare = strstr(page, "\"source\": \"report.csv\"");
    assert_non_null(compare);
    assert_non_null(strstr(compare, "\"name\": \"swing.angle\""));
    assert_close(number_behind(compare, "\"rms\": "), OFFSET, 1e-13);
    assert_close(number_behind(compare, "\"gap\": "), 0.09, 1e-12); /* 4.5 steps */
    free(page);
    check_run(run_limber("report %s --column Winkel=swing.angle", result), 2, "--compare");
    check_run(
        run_limber("report %s --compare %s --shift 5 --column Winkel=swing.angle", result, table),
        3, "begin together with --shift 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_loggers),
        cmocka_unit_test(columns_are_named),
        cmocka_unit_test(rates),
        cmocka_unit_test(holes_and_times),
        cmocka_unit_test(units),
        cmocka_unit_test(nothing_in_common),
        cmocka_unit_test(reports_read_the_same_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
