/* Example models with random mistakes: reading them must end well or with a message. */
#include "support.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limber/model.h"

enum { ROUNDS = 3000, MOST_TEXT = 1 << 16 };

/* A small generator, so that every run is the same. */
static unsigned long long seed = 20240501;

static size_t pick(size_t below)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return below ? (size_t)(seed >> 33) % below : 0;
}

/* Puts a piece in the place of some characters of a text. */
static void replace(char *text, size_t at, size_t length, const char *piece)
{
    size_t whole = strlen(text), size = strlen(piece);
    if (at + length > whole || whole - length + size >= MOST_TEXT)
        return;
    memmove(text + at + size, text + at + length, whole - at - length + 1);
    memcpy(text + at, piece, size);
}

/* The beginning of the line that a character is in. */
static size_t line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static void double_line(char *text, size_t at)
{
    char line[400];
    size_t start = line_start(text, at), length = strcspn(text + start, "\n");
    snprintf(line, sizeof line, "%.*s\n", (int)(length < 398 ? length : 398), text + start);
    replace(text, line_start(text, pick(strlen(text))), 0, line);
}

/* Puts another word in the place of the one at a character. */
static void replace_word(char *text, size_t at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    static const char *const words[] = {
        "crank",  "ground",  "t",       "0",      "-1",   "1e300", "1e-300", "nan",   "[]",
        "{}",     "[1]",     "[1, 2]",  "[[1]]",  "*a",   "&a",    "''",     "x y",   "r/0",
        "type",   "gear",    "slot",    "fixed",  "rack", "screw", "joints", "axis",  "axis_b",
        "length", "rolling", "between", "points", "mass", "~",     "angle",  "speed", "revolute",
        "shape",  "planar",  "tube",    "offset", "3",    "2",     "point",  "!x",    "rotation",
    };
    while (at > 0 && strchr(letters, text[at - 1]))
        at--;
    replace(text, at, strspn(text + at, letters), words[pick(sizeof words / sizeof *words)]);
}

static void mutate(char *text)
{
    size_t at = pick(strlen(text));
    char one[2] = {(char)(1 + pick(255)), 0};
    static const char *const signs[] = {"{", "}",  "[", "]",  ":", ",", "-", "\"",
                                        "#", "\n", " ", "\t", "(", ")", ".", "*"};
    switch (pick(6)) {
    case 0: /* any byte, or one that differs in a bit */
        if (pick(2))
            one[0] = (char)(text[at] ^ 1 << pick(8));
        replace(text, at, 1, one);
        break;
    case 1:
        replace(text, at, 1, signs[pick(sizeof signs / sizeof *signs)]);
        break;
    case 2:
        replace(text, at, pick(20), "");
        break;
    case 3:
        double_line(text, at);
        break;
    default:
        replace_word(text, at);
        break;
    }
}

/* Reads a text as a model; a failure must have been explained. */
static void try_model(const char *text)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model = NULL;
    assert_non_null(context);
    lmb_status status = lmb_spec_parse(&spec, context, "fuzz.yaml", text);
    if (!status) {
        status = lmb_model_compile(&model, context, spec);
        lmb_spec_free(spec);
    }
    size_t errors = 0;
    for (size_t i = 0; i < lmb_message_count(context); i++)
        errors += lmb_message_at(context, i)->severity == LMB_ERROR;
    if ((status == LMB_OK) != (errors == 0) || (status == LMB_OK) != (model != NULL) ||
        (status != LMB_OK && status != LMB_BAD_INPUT && status != LMB_SOLVER))
        fail_msg("status %d with %zu errors for\n%s", (int)status, errors, text);
    lmb_model_free(model);
    lmb_context_free(context);
}

static void load(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, MOST_TEXT - 1, file);
    text[length] = 0;
    fclose(file);
}

static void test_mistakes(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("examples/*/*.yaml", 0, NULL, &found), 0);
    char *text = malloc(MOST_TEXT);
    assert_non_null(text);
    for (int i = 0; i < ROUNDS; i++) {
        load(found.gl_pathv[(size_t)i % found.gl_pathc], text);
        for (size_t k = 1 + pick(4); k > 0 && text[0]; k--)
            mutate(text);
        try_model(text);
    }
    free(text);
    globfree(&found);
}

/* Every beginning of a model, as while it is being typed. */
static void test_beginnings(void **state)
{
    (void)state;
    char *text = malloc(MOST_TEXT);
    assert_non_null(text);
    load("examples/spatial-slider-crank/spatial-slider-crank.yaml", text);
    for (size_t length = strlen(text); length > 0; length--) {
        text[length] = 0;
        try_model(text);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_beginnings),
    };
    return cmocka_run_group_tests_name("models with random mistakes", tests, NULL, NULL);
}
