/* Warnings of reduced beams near their first linear buckling load, against Euler's loads of the
 * ways in which a column can be held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "program.h"
#include "support.h"

/* A column of 1 m, 10 x 10 mm, of steel, pushed by a block in a guide. */
static const char column[] =
    "limber: 1\ndimension: 2\nbodies:\n"
    "  col:\n"
    "    beam: {from: [0, 0], to: [1, 0], elements: 10, section: {rectangle: {width: 0.01, height: "
    "0.01}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n"
    "    interfaces: {base: start, tip: end}\n"
    "    %s\n" /* further keys */
    "  block: {mass: 1, inertia: 1, position: [1, 0]}\n"
    "joints:\n"
    "  foot: {type: %s, between: [ground, col.base]}\n"
    "  head: {type: %s, between: [block, col.tip]}\n"
    "%s"                                                           /* further joints */
    "forces: {load: {type: force, at: block, force: [%.9g, 0]}}\n" /* N */
    "analyses: {rest: {type: %s}}\n";

static const char guide[] =
    "  guide: {type: translational, between: [ground, block], axis: [1, 0]}\n";
static const char statics[] = "statics";
#define EULER (9.869604401089358 * 210e9 * 1e-8 / 12)

typedef struct way {
    const char *keys, *foot, *head, *joints, *analysis;
} way;

static void push(const way *w, double load)
{
    char text[2000];
    snprintf(text, sizeof text, column, w->keys, w->foot, w->head, w->joints, -load, w->analysis);
    lmb_model *m = model_of_text(text);
    lmb_messages_clear(context);
    assert_ok(lmb_run(context, m, NULL, scratch_path("column.h5")));
    lmb_model_free(m);
}

/* Just below half of the load there is no warning. Above there is one, with both numbers; ten
 * elements give the load within 1e-3, the digits of the message within 5e-4. */
static void assert_buckles(const way *w, double critical)
{
    push(w, 0.495 * critical);
    if (lmb_message_count(context))
        fail_msg("below the limit: %s", lmb_message_at(context, 0)->text);
    push(w, 0.6 * critical);
    assert_int_equal(lmb_message_count(context), 1);
    const lmb_message *m = lmb_message_at(context, 0);
    const char *load = strstr(m->text, "axial load of "),
               *limit = strstr(m->text, "buckling load of ");
    if (!load || !limit)
        fail_msg("%s", m->text);
    assert_close(strtod(load + 14, NULL) / (0.6 * critical), 1, 1e-3);
    assert_close(strtod(limit + 17, NULL) / critical, 1, 1.5e-3);
    assert_non_null(strstr(m->hint, "'stiffening: true'"));
    assert_non_null(strstr(m->hint, "'deformation: large'"));
}

/* Euler's loads: the effective length is 1, 1, 0.6992, 0.5 and 2 of that of the column. */
static void columns_that_are_held(void **unused)
{
    (void)unused;
    assert_buckles(&(way){"", "revolute", "revolute", guide, statics}, EULER);
    assert_buckles(&(way){"", "fixed", "revolute", guide, statics}, 2.0457 * EULER);
    assert_buckles(&(way){"", "fixed", "fixed", guide, statics}, 4 * EULER);
    assert_buckles(&(way){"", "fixed", "fixed", "", statics}, EULER / 4);
}

/* Neither the frame nor the coordinates of the body matter. */
static void other_descriptions(void **unused)
{
    (void)unused;
    static const char *const keys[] = {"reduction: {frame: {point: base}}",
                                       "reduction: {frame: {chord: [base, tip]}}",
                                       "coordinates: natural"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_buckles(&(way){keys[i], "fixed", "fixed", "", statics}, EULER / 4);
        assert_buckles(&(way){keys[i], "revolute", "revolute", guide, statics}, EULER);
    }
}

/* With stiffening the body buckles by itself; tension is no danger. */
static void bodies_that_are_right(void **unused)
{
    (void)unused;
    push(&(way){"reduction: {stiffening: true}", "fixed", "fixed", "", statics}, 0.2 * EULER);
    assert_int_equal(lmb_message_count(context), 0);
    push(&(way){"", "fixed", "fixed", "", statics}, -10 * EULER);
    assert_int_equal(lmb_message_count(context), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_are_held),
        cmocka_unit_test(other_descriptions),
        cmocka_unit_test(bodies_that_are_right),
    };
    return cmocka_run_group_tests_name("buckling", tests, open_models, close_models);
}
