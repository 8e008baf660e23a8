/* MAT-files byte by byte, as "MAT-File Format" of The MathWorks describes Level 5. */
#include <stdio.h>
#include <string.h>

#include "export/mat.h"
#include "models.h"
#include "program.h"
#include "support.h"

static unsigned char bytes[4096];
static size_t length;

static void load(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    length = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
}

static unsigned word(size_t at)
{
    assert_true(at + 4 <= length);
    return bytes[at] | (unsigned)bytes[at + 1] << 8 | (unsigned)bytes[at + 2] << 16 |
           (unsigned)bytes[at + 3] << 24;
}

static double number(size_t at)
{
    double x; /* the test's machine is little-endian, as the file is */
    memcpy(&x, bytes + at, sizeof x);
    return x;
}

/* Reads the head of a variable: returns where its data begin, and where the next one does. */
static size_t variable(size_t at, unsigned class, unsigned rows, unsigned columns, const char *name,
                       size_t *next)
{
    assert_int_equal(word(at), 14); /* matrix */
    assert_int_equal(word(at + 4) % 8, 0);
    *next = at + 8 + word(at + 4);
    assert_int_equal(word(at + 8), 6); /* flags */
    assert_int_equal(word(at + 12), 8);
    assert_int_equal(word(at + 16), class);
    assert_int_equal(word(at + 24), 5); /* dimensions */
    assert_int_equal(word(at + 28), 8);
    assert_int_equal(word(at + 32), rows);
    assert_int_equal(word(at + 36), columns);
    assert_int_equal(word(at + 40), 1); /* name */
    assert_int_equal(word(at + 44), strlen(name));
    assert_memory_equal(bytes + at + 48, name, strlen(name));
    return at + 48 + (strlen(name) + 7) / 8 * 8;
}

static void assert_text(size_t at, const char *text, size_t *next)
{
    size_t data = variable(at, 4, text[0] ? 1 : 0, (unsigned)strlen(text), "", next);
    assert_int_equal(word(data), 4); /* 16 bits a character */
    assert_int_equal(word(data + 4), 2 * strlen(text));
    for (size_t i = 0; text[i]; i++)
        assert_int_equal(bytes[data + 8 + 2 * i] | bytes[data + 9 + 2 * i] << 8, text[i]);
}

static void variables_are_written_as_the_format_says(void **unused)
{
    (void)unused;
    const char *path = scratch_path("all.mat");
    const double values[] = {1, 2, 3, 4, 5, -6.25};
    const char *names[] = {"one", "", "number three"};
    lmb_mat mat;
    assert_ok(lmb_mat_open(&mat, context, path));
    lmb_mat_matrix(&mat, "M", 2, 3, values);
    lmb_mat_texts(&mat, "names_of_it", 3, names);
    lmb_mat_matrix(&mat, "empty", 0, 3, values);
    lmb_mat_text(&mat, "note", "m\xc2\xb2"); /* m and a square */
    assert_ok(lmb_mat_close(&mat, context, LMB_OK));

    load(path);
    assert_memory_equal(bytes, "MATLAB 5.0 MAT-file", 19);
    assert_int_equal(word(124), 0x4d490100); /* version 1, little-endian */
    size_t next, data = variable(128, 6, 2, 3, "M", &next);
    assert_int_equal(word(data), 9); /* doubles */
    assert_int_equal(word(data + 4), 48);
    for (size_t i = 0; i < 6; i++)
        assert_true(number(data + 8 + 8 * i) == values[i]);
    assert_int_equal(next, data + 56);

    size_t cell = variable(next, 1, 3, 1, "names_of_it", &next);
    for (int i = 0; i < 3; i++)
        assert_text(cell, names[i], &cell);
    assert_int_equal(cell, next);

    data = variable(next, 6, 0, 3, "empty", &next);
    assert_int_equal(word(data + 4), 0);
    data = variable(next, 4, 1, 2, "note", &next);
    assert_int_equal(bytes[data + 8] | bytes[data + 9] << 8, 'm');
    assert_int_equal(bytes[data + 10] | bytes[data + 11] << 8, 0xb2);
    assert_int_equal(next, length);
}

static void files_that_cannot_be_written_are_reported(void **unused)
{
    (void)unused;
    lmb_mat mat;
    assert_int_equal(lmb_mat_open(&mat, context, "/no/such/folder/x.mat"), LMB_IO);
    assert_message(context, "cannot write '/no/such/folder/x.mat'");
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    fclose(full);
    assert_ok(lmb_mat_open(&mat, context, "/dev/full"));
    lmb_mat_matrix(&mat, "M", 1, 1, (double[]){1});
    assert_int_equal(lmb_mat_close(&mat, context, LMB_OK), LMB_IO);
}

/* The file of `limber modes --state-space`: A of a mass on a spring is [0 1; -k/m -c/m]. */
static void modes_write_a_state_space(void **unused)
{
    (void)unused;
    const char *model = scratch_path("mass.yaml"), *path = scratch_path("mass.mat");
    FILE *f = fopen(model, "w");
    assert_non_null(f);
    fputs("limber: 1\ndimension: 2\nbodies: {p: {type: particle, mass: 2, position: [1, 0]}}\n"
          "joints: {rail: {type: slot, between: [ground, p], axis: [1, 0]}}\n"
          "forces: {s: {type: spring, between: [ground, p], stiffness: 800, damping: 4},"
          " load: {type: force, at: p, force: [0, 0]}}\n",
          f);
    fclose(f);
    lmb_run_result run = run_limber("modes %s --state-space %s --inputs load.x --outputs "
                                    "p.position.x,p.acceleration.x",
                                    model, path);
    assert_string_equal(run.err, "");
    assert_int_equal(run.code, 0);
    free_run(&run);
    load(path);
    const double A[] = {0, -400, 1, -2};
    size_t next, data = variable(128, 6, 2, 2, "A", &next);
    for (size_t i = 0; i < 4; i++)
        assert_close(number(data + 8 + 8 * i), A[i], 1e-12);
    data = variable(next, 6, 2, 1, "B", &next);
    assert_close(number(data + 16), 0.5, 1e-12);
    data = variable(next, 6, 2, 2, "C", &next);
    const double C[] = {1, -400, 0, -2};
    for (size_t i = 0; i < 4; i++)
        assert_close(number(data + 8 + 8 * i), C[i], 1e-10);
    data = variable(next, 6, 2, 1, "D", &next);
    assert_close(number(data + 16), 0.5, 1e-10);
    data = variable(next, 6, 2, 1, "N", &next);
    assert_close(number(data + 8), 1, 1e-12);
    size_t cell = variable(next, 1, 2, 1, "states", &next);
    assert_text(cell, "rail.offset", &cell);
    assert_text(cell, "rail.offset_velocity", &cell);
    cell = variable(next, 1, 1, 1, "inputs", &next);
    assert_text(cell, "load.x", &cell);
    cell = variable(next, 1, 2, 1, "outputs", &next);
    assert_text(cell, "p.position.x", &cell);
    assert_text(cell, "p.acceleration.x", &cell);
    assert_int_equal(next, length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_written_as_the_format_says),
        cmocka_unit_test(files_that_cannot_be_written_are_reported),
        cmocka_unit_test(modes_write_a_state_space),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
