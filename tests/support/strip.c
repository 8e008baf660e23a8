/* What tests of flexible bodies share. */
#include "strip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

void assert_same_bytes(const char *a, const char *b)
{
    size_t size_a, size_b;
    char *x = read_bytes(a, &size_a), *y = read_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(x, y, size_a);
    free(x);
    free(y);
}

void assert_runs(const lmb_run_result *run)
{
    if (run->code != 0)
        fail_msg("code %d\n%s", run->code, run->err);
}

void expect(lmb_run_result run, int code, const char *piece)
{
    if (run.code != code || !strstr(run.err, piece))
        fail_msg("code %d, expected %d and '%s'\n%s", run.code, code, piece, run.err);
    free_run(&run);
}

int numbers_of(const char *json, const char *key, int n, double *out, int most)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(json, quoted);
    for (; at && n > 0; n--)
        at = strstr(at + 1, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    int count = 0;
    while (count < most) {
        at += strspn(at, " [,\n");
        char *end;
        out[count] = strtod(at, &end);
        if (end == at)
            break;
        count++;
        at = end;
        if (*at != ',' && *at != ' ')
            break;
    }
    return count;
}

const char *strip_model(const char *name, int dimension, const char *more)
{
    char text[1500];
    const char *zero = dimension == 2 ? "0, 0" : "0, 0, 0",
               *one = dimension == 2 ? "1, 0" : "1, 0, 0";
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\nparameters: {L: 1, omega: 3}\nbodies:\n  strip:\n"
             "    beam: {from: [%s], to: [L*%c, %s], elements: 20, material: steel,\n"
             "           section: {rectangle: {width: 0.02, height: 0.01}}}\n"
             "    interfaces: {A: start, B: end}\n%s",
             dimension, zero, one[0], one + 3, more);
    const char *path = scratch_path(name);
    write_text(path, text);
    return path;
}

void forget_cache(void)
{
    char command[1200];
    snprintf(command, sizeof command, "rm -rf %s/.limber-cache", scratch_path(""));
    lmb_run_result run = run_shell(command);
    free_run(&run);
}

bool reduce_cached(const char *model, const char *options, const char *out)
{
    lmb_run_result run = run_limber("reduce %s %s --json --quiet -o %s", model, options, out);
    assert_runs(&run);
    bool cached = strstr(run.out, "\"cached\": true") != NULL;
    free_run(&run);
    return cached;
}
