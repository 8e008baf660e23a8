/* Texts that were made to hang or overflow a reader: bytes that are not UTF-8, aliases of aliases,
 * deep nesting, long chains of parameters. Each ends at once, with a message or with its value. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "limber/limber.h"
#include "read/reader.h"
#include "system/model.h"

typedef struct fixture {
    lmb_context *context;
    lmb_arena *arena;
    lmb_tree *root;
} fixture;

static int start(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->context = lmb_context_new();
    f->arena = lmb_arena_new();
    *state = f;
    return 0;
}

static int finish(void **state)
{
    fixture *f = *state;
    lmb_arena_free(f->arena);
    lmb_context_free(f->context);
    free(f);
    return 0;
}

static lmb_status parse(fixture *f, const char *text)
{
    lmb_messages_clear(f->context);
    return lmb_yaml_parse(&f->root, f->context, f->arena, "text", text);
}

static void refuse(fixture *f, const char *text, const char *piece)
{
    assert_int_equal(parse(f, text), LMB_BAD_INPUT);
    assert_message(f->context, piece);
}

/* --- characters ------------------------------------------------------------------------------- */

static void only_utf8_is_read(void **state)
{
    fixture *f = *state;
    refuse(f, "%\xff", "byte FF (hexadecimal) is not UTF-8");
    assert_int_equal(lmb_message_at(f->context, 0)->column, 2);
    refuse(f, "a: \xc3", "byte C3");
    refuse(f, "a: \x80", "byte 80");
    refuse(f, "a: \xc0\xaf", "byte C0");             /* '/' in two bytes */
    refuse(f, "a: \xe0\x80\xaf", "byte E0");         /* and in three */
    refuse(f, "a: \xed\xa0\x80", "byte ED");         /* half of a pair of UTF-16 */
    refuse(f, "a: \xf4\x90\x80\x80", "byte F4");     /* beyond the last character */
    refuse(f, "a: \xf8\x88\x80\x80\x80", "byte F8"); /* five bytes */
    refuse(f, "\nab: \x01", "unexpected character with code 1");
    assert_int_equal(lmb_message_at(f->context, 0)->line, 2);
    refuse(f, "a: \xc2\x9b",
           "unexpected character with code 155"); /* begins a sequence in terminals */
    refuse(f, "a: \x7f", "unexpected character with code 127");
    refuse(f, "a: \xef\xbf\xbf", "unexpected character with code 65535");
}

static void characters_of_all_lengths_are_read(void **state)
{
    fixture *f = *state;
    static const char text[] = "\xef\xbb\xbf"
                               "a: x\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82\n";
    assert_int_equal(parse(f, text), LMB_OK);
    const lmb_tree *a = lmb_tree_get(f->root, "a");
    assert_string_equal(a->text, "x\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82");
}

/* --- aliases ---------------------------------------------------------------------------------- */

/* Levels of nine aliases each: 9^n values in the end. */
static const char *laughs(fixture *f, int levels)
{
    const char *text = "a0: &a0 x\n";
    for (int i = 1; i <= levels; i++)
        text = lmb_text_format(
            f->arena, "%sa%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", text,
            i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    return text;
}

static void aliases_of_aliases_are_bounded(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, laughs(f, 6)), LMB_OK);
    assert_int_equal(lmb_tree_get(f->root, "a2")->size, 1 + 9 * (1 + 9));
    assert_int_equal(lmb_tree_get(f->root, "a6")->height, 6);
    refuse(f, laughs(f, 12), "has more than 10000000 values");
    /* (9^8 - 1)/8 values in a7 and 1/8 of that before it are few enough; a8, on line 9, is not */
    assert_int_equal(lmb_message_at(f->context, 0)->line, 9);
}

static void aliases_count_as_levels(void **state)
{
    fixture *f = *state;
    const char *text = "a0: &a0 [x]\n";
    for (int i = 1; i <= 62; i++)
        text = lmb_text_format(f->arena, "%sa%d: &a%d [*a%d]\n", text, i, i, i - 1);
    assert_int_equal(parse(f, text), LMB_OK);
    assert_int_equal(f->root->height, 64);
    refuse(f, lmb_text_format(f->arena, "%sa63: [*a62]\n", text), "nested more than 64 deep");
}

static void an_anchor_at_a_key_names_its_value(void **state)
{
    fixture *f = *state;
    assert_int_equal(
        parse(f, "{p: 1, &a q: 2, r: *a, &b s: [3], t: *b, &c u: &d {v: 4}, w: *c, x: *d}"),
        LMB_OK);
    assert_string_equal(lmb_tree_get(f->root, "r")->text, "2");
    assert_ptr_equal(lmb_tree_get(f->root, "t"), lmb_tree_get(f->root, "s"));
    assert_ptr_equal(lmb_tree_get(f->root, "w"), lmb_tree_get(f->root, "u"));
    assert_ptr_equal(lmb_tree_get(f->root, "x"), lmb_tree_get(f->root, "u"));
    refuse(f, "{&a p: [*a]}", "'*a' would contain itself");
    refuse(f, "{&a p: *a}", "'*a' has no anchor");
}

/* --- parameters ------------------------------------------------------------------------------- */

typedef struct chain {
    int count, parentheses;
    lmb_status status;
    double value;
} chain;

/* A chain of parameters, each of which is one more than the next, read by a thread whose stack
 * would not hold a call for each of them. */
static void *read_chain(void *data)
{
    chain *c = data;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "limber: 1\ndimension: 2\nparameters:\n");
    for (int i = 0; i < c->count; i++) {
        fprintf(out, "  p%d: ", i);
        for (int k = 0; k < c->parentheses; k++)
            putc('(', out);
        fprintf(out, "p%d", i + 1);
        for (int k = 0; k < c->parentheses; k++)
            putc(')', out);
        fprintf(out, " + 1\n");
    }
    fprintf(out, "  p%d: 0.5\nbodies: {a: {mass: 1, inertia: 1, position: [p0, 0]}}\n", c->count);
    fclose(out);
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    c->status = lmb_spec_parse(&spec, context, "chain", text);
    if (!c->status)
        c->status = lmb_model_compile(&model, context, spec);
    if (!c->status)
        c->value = model->constants[0].symbol.value[0];
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
    free(text);
    return NULL;
}

static void check_chain(int count, int parentheses)
{
    chain c = {.count = count, .parentheses = parentheses};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    assert_int_equal(pthread_create(&thread, &attributes, read_chain, &c), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_int_equal(c.status, LMB_OK);
    assert_true(c.value == count + 0.5);
}

static void long_chains_of_parameters_are_read(void **state)
{
    (void)state;
    check_chain(6000, 0);
    check_chain(100, 190);
    check_chain(20000, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_utf8_is_read, start, finish),
        cmocka_unit_test_setup_teardown(characters_of_all_lengths_are_read, start, finish),
        cmocka_unit_test_setup_teardown(aliases_of_aliases_are_bounded, start, finish),
        cmocka_unit_test_setup_teardown(aliases_count_as_levels, start, finish),
        cmocka_unit_test_setup_teardown(an_anchor_at_a_key_names_its_value, start, finish),
        cmocka_unit_test(long_chains_of_parameters_are_read),
    };
    return cmocka_run_group_tests_name("hostile texts", tests, NULL, NULL);
}
