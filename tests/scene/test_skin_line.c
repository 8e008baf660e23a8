/* What is drawn of exact beams: sections at their nodes and between them.
 *
 * Between two nodes a section is on the cubic with their places and tangents. That of an arc of
 * angle a and radius R is off from it by R a^4 / 384 at most, to the leading order. Numbers of
 * skins have single precision, 6e-8 of themselves. */
#include "support.h"

#include <math.h>
#include <stdio.h>

#include "channels/channels.h"
#include "models.h"
#include "scene/skin.h"
#include "system/model.h"

static const double single = 6e-8;

static lmb_model *beam(int dimension, const char *line)
{
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\nbodies:\n  arm:\n    beam: {%s, section: {rectangle: "
             "{width: 0.1, height: 0.1}}, material: steel, deformation: large}\n",
             dimension, line);
    return model_of_text(text);
}

static lmb_skin skin_of(const lmb_model *model, lmb_arena *arena, const lmb_exact_beam **b)
{
    lmb_skin skin;
    *b = lmb_body_line(&model->bodies[1]);
    assert_ok(lmb_skin_of_line(&skin, arena, context, "arm", *b));
    assert_int_equal(lmb_skin_beam_nodes(&skin), (*b)->node_count);
    return skin;
}

/* --- an arc ----------------------------------------------------------------------------------- */

/* How far sections of a quarter of a circle of radius 2 are off from it, whatever the order. */
static void sections_are_on_the_arc(void **state)
{
    (void)state;
    for (int order = 1; order <= 3; order++) {
        char line[200];
        snprintf(line, sizeof line,
                 "arc: {centre: [0, 0, 0], radius: 2, start: [1, 0, 0], angle: pi/2}, elements: "
                 "%d, order: %d",
                 order == 3 ? 2 : 4, order);
        lmb_arena *arena = lmb_arena_new();
        const lmb_exact_beam *b;
        lmb_model *m = beam(3, line);
        lmb_skin skin = skin_of(m, arena, &b);
        double longest = 0, off = 0, leans = 0;
        for (int i = 0; i < skin.span_count; i++)
            longest = fmax(longest, (double)skin.spans[LMB_SPAN_NUMBERS * i] / 2);
        for (int i = 0; i < skin.carrier_count; i++) {
            lmb_frame x = lmb_skin_carrier(&skin, i, b->nodes);
            double angle = atan2(x.p.y, x.p.x);
            off = fmax(off, fabs(hypot(x.p.x, x.p.y) - 2));
            leans = fmax(leans, fabs(v3_dot(x.e[0], v3(cos(angle), sin(angle), 0))));
        }
        double bound = 2 * pow(longest, 4) / 384;
        print_message("order %d: off by %.3g of %.3g\n", order, off, bound);
        assert_true(off < 1.05 * bound + 2 * single && off > 0.9 * bound);
        /* turned evenly, sections are along the arc up to where the cubic is along it: a^3 / 72
           sqrt 3 of the leading order */
        assert_true(leans < 1.05 * pow(longest, 3) / (72 * sqrt(3)) + 2 * single);
        assert_true(skin.carrier_count > 8 * 4 * (order == 3 ? 1 : order));
        lmb_model_free(m);
        lmb_arena_free(arena);
    }
}

/* --- a corner --------------------------------------------------------------------------------- */

static vec3 drawn_at(const lmb_skin *s, const lmb_exact_beam *b, int node)
{
    const float *x = s->nodes + 3 * node;
    lmb_frame at = lmb_skin_carrier(s, s->carrier[node], b->nodes);
    mat3 R = frame_rotation(&at);
    return v3_add(at.p, m3_mul(&R, v3(x[0], x[1], x[2])));
}

/* Outlines of both legs meet in the plane between them; without it they were half a height apart.
 */
static void legs_meet_at_a_corner(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    const lmb_exact_beam *b;
    lmb_model *m = beam(2, "along: [[0, 0], [1, 0], [1, 1]], elements: 4, order: 2");
    lmb_skin s = skin_of(m, arena, &b);
    double high = -1, low = 1;
    int before = 0, after;
    while (s.along[before] < 1)
        before++;
    after = before + 1;
    assert_int_equal(s.span[after], s.span[before] + 1);
    for (int i = 0; i < s.node_count; i++) {
        if (s.carrier[i] != before)
            continue;
        vec3 x = drawn_at(&s, b, i);
        assert_close(x.x - 1, -x.y, 2 * single); /* the plane */
        high = fmax(high, x.y);
        low = fmin(low, x.y);
        int met = 0;
        for (int k = 0; k < s.node_count; k++)
            met += s.carrier[k] == after && v3_norm(v3_sub(drawn_at(&s, b, k), x)) < 2 * single;
        assert_int_equal(met, 1);
    }
    assert_close(high, 0.05, single);
    assert_close(low, -0.05, single);

    /* N, Vy and Mz of a corner are those of the second leg: 3, 4 and 5 there are -4, 3 and 5 in the
       first */
    double forces[6 * 9] = {0}, there[LMB_FIBRE_NUMBERS], here[LMB_FIBRE_NUMBERS];
    int corner = s.ends[2 * s.span[after]];
    forces[6 * corner] = 3;
    forces[6 * corner + 1] = 4;
    forces[6 * corner + 5] = 5;
    lmb_skin_section(&s, before, forces, here);
    lmb_skin_section(&s, after, forces, there);
    assert_close(here[0], -4, 10 * single);
    assert_close(here[2], 5, 10 * single);
    assert_close(there[0], 3, 10 * single);
    assert_close(there[2], 5, 10 * single);
    lmb_model_free(m);
    lmb_arena_free(arena);
}

/* A ring has no ends: its sections close it. */
static void rings_are_closed(void **state)
{
    (void)state;
    lmb_arena *arena = lmb_arena_new();
    const lmb_exact_beam *b;
    lmb_model *m =
        beam(3, "arc: {centre: [0, 0, 0], radius: 2, start: [1, 0, 0], angle: 2*pi}, elements: 6");
    lmb_skin s = skin_of(m, arena, &b);
    int points = 0;
    while (s.carrier[points] == 0)
        points++;
    int last = (s.carrier_count - 1) * points;
    for (int i = 0; i < points; i++)
        assert_true(v3_norm(v3_sub(drawn_at(&s, b, i), drawn_at(&s, b, last + i))) < 1e-6);
    assert_int_equal(s.node_count, s.carrier_count * points);
    lmb_model_free(m);
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sections_are_on_the_arc),
                                       cmocka_unit_test(legs_meet_at_a_corner),
                                       cmocka_unit_test(rings_are_closed)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
