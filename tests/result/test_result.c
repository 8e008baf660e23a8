/* Results written and read back: every bit, every name, and files of runs that ended badly. */
#include "support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hdf5.h>

#include "result/series.h"
#include "result/write.h"
#include "program.h"

static const lmb_channel channels[] = {
    {"crank.position", "m", "Position of the centre of mass.", 3, "xyz"},
    {"crank.angle", "rad", "Angle.", 1, ""},
    {"crank.B.position", "m", "Position of point B.", 3, "xyz"},
    {"crank.quaternion", "", "Orientation.", 4, "wxyz"},
    {"bell.stress.max", "Pa", "Largest von Mises stress.", 1, ""},
    {"bell.stress.max.node", "", "Its node.", 1, ""},
    {"bell.modes", "m·√kg", "Modal coordinates.", 12, ""},
    {"theta", "rad", "A sensor.", 1, ""},
    {"alpha", "rad", "A sensor of an earlier letter.", 1, ""},
    {"arm.nodes", "m", "Positions of four nodes.", 12, "xyz"},
    {"arm.curvature", "1/m", "Curvature at four nodes.", 4, "z"},
};
enum {
    CHANNELS = sizeof channels / sizeof channels[0],
    NODES_AT = 3 + 1 + 3 + 4 + 1 + 1 + 12 + 2,
    WIDTH = NODES_AT + 12 + 4
};

/* Numbers that are easy to tell apart, with a few of the awkward ones. */
static void fill_row(double row[WIDTH], int i)
{
    for (int k = 0; k < WIDTH; k++)
        row[k] = (i + 1) / (k + 3.0);
    row[0] = i % 7 == 3 ? NAN : row[0];
    row[1] = i % 7 == 4 ? -INFINITY : row[1];
    row[2] = i % 7 == 5 ? 5e-324 : row[2];
    row[3] = i % 7 == 6 ? -0.0 : row[3];
}

static double instant(int i)
{
    return i * 0.001;
}

static lmb_status write_rows(lmb_writer *writer, lmb_context *context, int from, int to)
{
    lmb_status status = LMB_OK;
    double row[WIDTH];
    for (int i = from; i < to && status == LMB_OK; i++) {
        fill_row(row, i);
        status = lmb_writer_row(writer, context, instant(i), row);
    }
    return status;
}

static void write_analysis(lmb_writer *writer, lmb_context *context, const char *name, int rows)
{
    assert_int_equal(lmb_writer_begin(writer, context, name, "dynamics", CHANNELS, channels), 0);
    assert_int_equal(write_rows(writer, context, 0, rows), 0);
    assert_int_equal(lmb_writer_end(writer, context), 0);
}

static void write_file(lmb_context *context, const char *path, int rows)
{
    lmb_writer *writer;
    assert_int_equal(lmb_writer_new(&writer, context, path), 0);
    assert_int_equal(lmb_writer_text(writer, context, "model", "limber: 1\n# ünïcode\n"), 0);
    write_analysis(writer, context, "turn", rows);
    assert_int_equal(lmb_writer_close(writer, context), 0);
}

/* Fails unless a channel has these rows, bit for bit. */
static void check_channel(lmb_result *result, lmb_context *context, const char *prefix, int index,
                          int rows)
{
    int first = 0;
    for (int i = 0; i < index; i++)
        first += channels[i].size;
    char name[80];
    snprintf(name, sizeof name, "%s%s", prefix, channels[index].name);
    lmb_series s;
    assert_int_equal(lmb_result_read(result, context, name, &s), 0);
    assert_int_equal(s.count, rows);
    assert_int_equal(s.size, channels[index].size);
    assert_string_equal(s.channel.name, channels[index].name);
    double row[WIDTH];
    for (int i = 0; i < rows; i++) {
        fill_row(row, i);
        double t = instant(i);
        assert_memory_equal(&s.time[i], &t, sizeof t);
        assert_memory_equal(&s.values[i * s.size], &row[first], (size_t)s.size * sizeof *row);
    }
    lmb_series_free(&s);
}

static void check_rows(lmb_context *context, const char *path, int rows)
{
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, context, path), 0);
    assert_int_equal(lmb_result_analysis_count(result), 1);
    assert_int_equal(lmb_result_channel_count(result, 0), CHANNELS);
    for (int i = 0; i < CHANNELS; i++)
        check_channel(result, context, "", i, rows);
    lmb_result_close(result);
}

static int make_context(void **state)
{
    *state = lmb_context_new();
    return *state == NULL;
}

static int free_context(void **state)
{
    lmb_context_free(*state);
    return 0;
}

/* What is read is what was written: in one piece, in pieces, and for no or one row. */
static void test_round_trip(void **state)
{
    static const int rows[] = {0, 1, 2, 100, 1024, 1025, 3500, 100000};
    const char *path = scratch_path("round.h5");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_file(*state, path, rows[i]);
        check_rows(*state, path, rows[i]);
    }
}

/* Channels come in the order of writing, with all that was said about them. */
static void test_channels(void **state)
{
    const char *path = scratch_path("channels.h5");
    write_file(*state, path, 3);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    assert_string_equal(lmb_result_analysis_name(result, 0), "turn");
    assert_null(lmb_result_analysis_name(result, 1));
    for (int i = 0; i < CHANNELS; i++) {
        const lmb_channel *c = lmb_result_channel(result, 0, i);
        assert_string_equal(c->name, channels[i].name);
        assert_string_equal(c->unit, channels[i].unit);
        assert_string_equal(c->doc, channels[i].doc);
        assert_string_equal(c->components, channels[i].components);
        assert_int_equal(c->size, channels[i].size);
    }
    assert_null(lmb_result_channel(result, 0, CHANNELS));
    assert_string_equal(lmb_result_text(result, "model"), "limber: 1\n# ünïcode\n");
    assert_string_equal(lmb_result_text(result, "version"), lmb_version());
    assert_null(lmb_result_text(result, "title"));
    lmb_result_close(result);
}

/* The layout that other programs rely on. */
static void test_layout(void **state)
{
    const char *path = scratch_path("layout.h5");
    write_file(*state, path, 3);
    static const char *const paths[] = {"/turn/time",
                                        "/turn/channels",
                                        "/turn/values/position",
                                        "/turn/values/position_2", /* another meaning */
                                        "/turn/values/max",
                                        "/turn/values/node",
                                        "/turn/values/theta",
                                        "/model/model"};
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        hid_t set = H5Dopen2(file, paths[i], H5P_DEFAULT);
        assert_true(set >= 0);
        H5Dclose(set);
    }
    H5Fclose(file);
}

/* Two analyses: the bare name means the last; one is called as the texts' group is. */
static void test_analyses(void **state)
{
    const char *path = scratch_path("analyses.h5");
    lmb_writer *writer;
    assert_int_equal(lmb_writer_new(&writer, *state, path), 0);
    assert_int_equal(lmb_writer_text(writer, *state, "title", "first"), 0);
    write_analysis(writer, *state, "swing", 5);
    write_analysis(writer, *state, "model", 2000);
    write_analysis(writer, *state, "assembly", 1);
    assert_int_equal(lmb_writer_text(writer, *state, "title", "Two swings"), 0);
    assert_int_equal(lmb_writer_close(writer, *state), 0);

    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    assert_int_equal(lmb_result_analysis_count(result), 3);
    assert_string_equal(lmb_result_analysis_name(result, 0), "swing");
    assert_string_equal(lmb_result_analysis_name(result, 1), "model");
    assert_string_equal(lmb_result_analysis_name(result, 2), "assembly");
    assert_string_equal(lmb_result_text(result, "title"), "Two swings");
    for (int i = 0; i < CHANNELS; i++) {
        check_channel(result, *state, "swing/", i, 5);
        check_channel(result, *state, "model/", i, 2000);
        check_channel(result, *state, "", i, 1);
    }
    lmb_series s;
    assert_int_equal(lmb_result_read(result, *state, "swign/theta", &s), LMB_BAD_INPUT);
    assert_message(*state, "no analysis 'swign'");
    assert_message(*state, "did you mean 'swing'?");
    lmb_result_close(result);
}

/* Channels over nodes are arrays of instants x nodes x components; a node, a component of all nodes
 * and one number are parts of them. */
static void test_nodes(void **state)
{
    static const struct {
        const char *name, *components;
        int size, first, apart;
    } cases[] = {{"arm.nodes.x", "", 4, 0, 3},      {"arm.nodes.z", "", 4, 2, 3},
                 {"arm.nodes.1", "xyz", 3, 0, 1},   {"arm.nodes.4", "xyz", 3, 9, 1},
                 {"arm.nodes.3.y", "", 1, 7, 1},    {"arm.curvature.z", "", 4, 12, 1},
                 {"arm.curvature.2", "", 1, 13, 1}, {"arm.curvature.4.z", "", 1, 15, 1}};
    static const char *const none[] = {"arm.nodes.0",  "arm.nodes.5",   "arm.nodes.1.w",
                                       "arm.nodes.1x", "arm.nodes.x.1", "arm.nodes.1."};
    const char *path = scratch_path("nodes.h5");
    write_file(*state, path, 3);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    double row[WIDTH];
    lmb_series s;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(lmb_result_read(result, *state, cases[i].name, &s), 0);
        assert_int_equal(s.size, cases[i].size);
        assert_string_equal(s.channel.components, cases[i].components);
        for (int k = 0; k < 3 * s.size; k++) {
            fill_row(row, k / s.size);
            int at = NODES_AT + cases[i].first + cases[i].apart * (k % s.size);
            assert_memory_equal(&s.values[k], &row[at], sizeof *row);
        }
        lmb_series_free(&s);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(lmb_result_read(result, *state, none[i], &s), LMB_BAD_INPUT);
    char text[16];
    assert_string_equal(lmb_component_name(lmb_result_channel(result, 0, 9), 7, text), ".3.y");
    hsize_t dims[3] = {0, 0, 0};
    hid_t set = H5Dopen2(lmb_result_file(result), "/turn/values/nodes", H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_dims(space, dims, NULL), 3);
    assert_true(dims[0] == 3 && dims[1] == 4 && dims[2] == 3);
    H5Sclose(space);
    H5Dclose(set);
    lmb_result_close(result);
}

/* A component by its letter, or by its number where there are no letters. */
static void test_components(void **state)
{
    static const struct {
        const char *name;
        int column;
    } cases[] = {
        {"crank.position.x", 0},   {"crank.position.z", 2},   {"crank.B.position.y", 5},
        {"crank.quaternion.w", 7}, {"crank.quaternion.x", 8}, {"bell.modes.1", 13},
        {"bell.modes.12", 24},     {"turn/crank.angle", 3},   {"bell.stress.max.node", 12}};
    const char *path = scratch_path("components.h5");
    write_file(*state, path, 3);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    double row[WIDTH];
    fill_row(row, 2);
    lmb_series s;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(lmb_result_read(result, *state, cases[i].name, &s), 0);
        assert_int_equal(s.size, 1);
        assert_int_equal(s.channel.size, 1);
        assert_string_equal(s.channel.components, "");
        assert_memory_equal(&s.values[2], &row[cases[i].column], sizeof *row);
        lmb_series_free(&s);
    }
    assert_int_equal(lmb_result_read(result, *state, "crank.position.y", &s), 0);
    assert_string_equal(s.channel.name, "crank.position.y");
    assert_string_equal(s.channel.unit, "m");
    lmb_series_free(&s);
    lmb_result_close(result);
}

/* Many like channels share a data set, whose chunks hold some of them; nodes of several beams stand
 * one after the other. All numbers come back by channels and by rows. */
enum { LINKS = 3000, LINE = LINKS * 4 + 5 + 7, LINE_ROWS = 100 };

static double number_at(int row, int at)
{
    return row + at / (double)LINE;
}

static void write_links(lmb_context *context, const char *path)
{
    static char names[LINKS][2][32];
    static lmb_channel links[2 * LINKS + 2];
    static double row[LINE];
    lmb_writer *writer;
    for (int i = 0; i < LINKS; i++) {
        snprintf(names[i][0], sizeof names[i][0], "link%d.position", i);
        snprintf(names[i][1], sizeof names[i][1], "link%d.angle", i);
        links[2 * i] = (lmb_channel){names[i][0], "m", "Position.", 3, "xyz"};
        links[2 * i + 1] = (lmb_channel){names[i][1], "rad", "Angle.", 1, ""};
    }
    links[2 * LINKS] = (lmb_channel){"arm.strain", "", "Strain.", 5, "s"};
    links[2 * LINKS + 1] = (lmb_channel){"leg.strain", "", "Strain.", 7, "s"};
    assert_int_equal(lmb_writer_new(&writer, context, path), 0);
    assert_int_equal(lmb_writer_begin(writer, context, "fall", "dynamics", 2 * LINKS + 2, links),
                     0);
    for (int i = 0; i < LINE_ROWS; i++) {
        for (int k = 0; k < LINE; k++)
            row[k] = number_at(i, k);
        assert_int_equal(lmb_writer_row(writer, context, instant(i), row), 0);
        if (i == 7) /* not at the end of a chunk */
            assert_int_equal(lmb_writer_flush(writer, context), 0);
    }
    assert_int_equal(lmb_writer_close(writer, context), 0);
}

static void check_links(lmb_result *result, lmb_context *context, const char *name, int first,
                        int size)
{
    lmb_series s;
    assert_int_equal(lmb_result_read(result, context, name, &s), 0);
    assert_int_equal(s.count, LINE_ROWS);
    assert_int_equal(s.size, size);
    for (int k = 0; k < s.count * size; k++)
        assert_true(s.values[k] == number_at(k / size, first + k % size));
    lmb_series_free(&s);
}

static void test_like_channels(void **state)
{
    const char *path = scratch_path("links.h5");
    lmb_result *result;
    write_links(*state, path);
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    assert_int_equal(lmb_result_channel_count(result, 0), 2 * LINKS + 2);
    assert_string_equal(lmb_result_channel(result, 0, 15)->name, "link7.angle");
    check_links(result, *state, "link0.position", 0, 3);
    check_links(result, *state, "link1234.position", 4 * 1234, 3);
    check_links(result, *state, "link2999.angle", LINKS * 4 - 1, 1);
    check_links(result, *state, "arm.strain", LINKS * 4, 5);
    check_links(result, *state, "leg.strain", LINKS * 4 + 5, 7);
    check_links(result, *state, "leg.strain.7", LINKS * 4 + 11, 1);
    double *rows = malloc(3 * (LINE + 1) * sizeof *rows);
    assert_int_equal(lmb_result_width(result, 0), LINE + 1);
    assert_int_equal(lmb_result_rows(result, *state, 0, 50, 3, rows), 0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < LINE; k++)
            assert_true(rows[i * (LINE + 1) + 1 + k] == number_at(50 + i, k));
    free(rows);
    hsize_t dims[3] = {0, 0, 0};
    hid_t set = H5Dopen2(lmb_result_file(result), "/fall/values/position", H5P_DEFAULT);
    assert_true(lmb_h5_shape(set, dims) && dims[0] == LINE_ROWS && dims[1] == LINKS &&
                dims[2] == 3);
    H5Dclose(set);
    lmb_result_close(result);
}

/* Files of another format are refused with what to do. */
static void test_other_formats(void **state)
{
    const char *path = scratch_path("format.h5");
    static const char *const messages[] = {"was written by an older Limber (file format 1)",
                                           "was written by a newer Limber (file format 3)"};
    for (int i = 0; i < 2; i++) {
        lmb_result *result;
        write_file(*state, path, 3);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Adelete(file, "format") >= 0);
        assert_true(lmb_h5_put_integer(file, "format", 1 + 2 * i));
        H5Fclose(file);
        assert_int_equal(lmb_result_open(&result, *state, path), LMB_BAD_INPUT);
        assert_message(*state, messages[i]);
    }
}

static void test_unknown_channels(void **state)
{
    static const struct {
        const char *name, *message;
    } cases[] = {{"crank.positoin", "did you mean 'crank.position'?"},
                 {"crank.quaternoin.w", "did you mean 'crank.quaternion.w'?"},
                 {"crank.position.w", "no channel 'crank.position.w'"},
                 {"bell.modes.0", "no channel 'bell.modes.0'"},
                 {"bell.modes.13", "no channel 'bell.modes.13'"},
                 {"crank.angle.x", "no channel 'crank.angle.x'"},
                 {"", "no channel ''"},
                 {".", "no channel '.'"},
                 {"nothing.like.any.of.them", "see `limber list "}};
    const char *path = scratch_path("unknown.h5");
    write_file(*state, path, 3);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    lmb_series s;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(lmb_result_read(result, *state, cases[i].name, &s), LMB_BAD_INPUT);
        assert_message(*state, cases[i].message);
    }
    lmb_result_close(result);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_not_a_result(void **state)
{
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, scratch_path("none.h5")), LMB_IO);
    assert_message(*state, "No such file");
    assert_int_equal(lmb_result_open(&result, *state, scratch_path("")), LMB_IO);

    const char *path = scratch_path("model.yaml");
    write_text(path, "limber: 1\n");
    assert_int_equal(lmb_result_open(&result, *state, path), LMB_BAD_INPUT);
    assert_message(*state, "is not a Limber result file");
    write_text(path, "");
    assert_int_equal(lmb_result_open(&result, *state, path), LMB_BAD_INPUT);

    /* HDF5, but of somebody else */
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(lmb_result_open(&result, *state, path), LMB_BAD_INPUT);
    assert_message(*state, "is not a Limber result file");

    /* a result that was cut off */
    write_file(*state, path = scratch_path("cut.h5"), 3);
    for (int length = 3000; length > 0; length -= 217) {
        assert_int_equal(truncate(path, length), 0);
        assert_int_equal(lmb_result_open(&result, *state, path), LMB_BAD_INPUT);
        assert_null(result);
    }
}

static void test_cannot_create(void **state)
{
    lmb_writer *writer;
    assert_int_equal(lmb_writer_new(&writer, *state, scratch_path("") /* a folder */), LMB_IO);
    assert_message(*state, "Is a directory");
    assert_int_equal(lmb_writer_new(&writer, *state, "/no/such/folder/x.h5"), LMB_IO);
    assert_message(*state, "cannot write '/no/such/folder/x.h5': No such file or directory");
    assert_int_equal(lmb_writer_new(&writer, *state, "/dev/full"), LMB_IO);
    assert_message(*state, "cannot write '/dev/full': No space left on device");

    /* a model is not overwritten by a slip of the hand */
    const char *path = scratch_path("precious.yaml");
    write_text(path, "limber: 1\n");
    assert_int_equal(lmb_writer_new(&writer, *state, path), LMB_IO);
    assert_message(*state, "is not a result file");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, 10);
}

/* Runs a function in a process of its own; returns how that ended. */
static int in_child(void (*function)(const char *path, int number), const char *path, int number)
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        function(path, number);
        exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

/* Writes rows until nearly two buffers are full, and dies. */
static void write_and_die(const char *path, int rows)
{
    lmb_context *context = lmb_context_new();
    lmb_writer *writer;
    if (lmb_writer_new(&writer, context, path) != LMB_OK ||
        lmb_writer_begin(writer, context, "turn", "dynamics", CHANNELS, channels) != LMB_OK ||
        write_rows(writer, context, 0, rows) != LMB_OK)
        exit(9);
    raise(SIGKILL);
}

/* A killed run leaves what was flushed: each 1024 rows. */
static void test_killed(void **state)
{
    const char *path = scratch_path("killed.h5");
    int status = in_child(write_and_die, path, 1024 + 1000);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    check_rows(*state, path, 1024);

    in_child(write_and_die, path, 5 * 1024);
    check_rows(*state, path, 5 * 1024);

    /* before the first flush there is nothing yet, and that is said */
    in_child(write_and_die, path, 10);
    lmb_result *result;
    assert_int_equal(lmb_result_open(&result, *state, path), 0);
    assert_int_equal(lmb_result_analysis_count(result), 0);
    lmb_series s;
    assert_int_equal(lmb_result_read(result, *state, "theta", &s), LMB_BAD_INPUT);
    assert_message(*state, "no results in it yet");
    lmb_result_close(result);
}

/* Writes 4000 rows to a disk that is full after so many bytes. Exits with what was readable in
 * thousands of rows, or 99 if that was not told properly. */
static void fill_disk(const char *path, int limit)
{
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit most = {(rlim_t)limit, (rlim_t)limit};
    lmb_context *context = lmb_context_new();
    lmb_writer *writer = NULL;
    lmb_status status = setrlimit(RLIMIT_FSIZE, &most) ? LMB_USAGE : LMB_OK;
    if (status == LMB_OK)
        status = lmb_writer_new(&writer, context, path);
    if (status == LMB_OK)
        status = lmb_writer_text(writer, context, "model", "limber: 1\n");
    if (status == LMB_OK)
        status = lmb_writer_begin(writer, context, "turn", "dynamics", CHANNELS, channels);
    if (status == LMB_OK)
        status = write_rows(writer, context, 0, 4000);
    bool failed_before = status != LMB_OK;
    lmb_status at_close = lmb_writer_close(writer, context);
    if (status == LMB_OK)
        status = at_close;
    if (status != LMB_IO || (failed_before && writer && at_close != LMB_IO) ||
        lmb_message_count(context) != 1)
        exit(99);
    const lmb_message *m = lmb_message_at(context, 0);
    if (!strstr(m->text, path) || !strstr(m->text, "File too large"))
        exit(99);
    double t = 0;
    sscanf(m->hint, "the results up to t = %lf are readable", &t);
    lmb_context_free(context);
    exit((int)lround(t * 1000 / 1024));
}

/* A full disk is told, nothing crashes, and what the message calls readable is. */
static void test_full_disk(void **state)
{
    const char *path = scratch_path("full.h5");
    int seen = 0;
    for (int limit = 10; limit < 1330000; limit += limit < 10000 ? 331 : 14983) {
        unlink(path);
        int status = in_child(fill_disk, path, limit);
        assert_true(WIFEXITED(status));
        int buffers = WEXITSTATUS(status);
        assert_in_range(buffers, 0, 3);
        seen |= 1 << buffers;
        if (buffers > 0)
            check_rows(*state, path, buffers * 1024);
    }
    assert_int_equal(seen, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_channels, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_layout, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_analyses, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_components, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_nodes, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_like_channels, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_other_formats, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_unknown_channels, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_not_a_result, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_cannot_create, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_killed, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_full_disk, make_context, free_context),
    };
    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
