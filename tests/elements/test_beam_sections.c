/* Section states at nodes: a beam of unequal elements whose curvature is a + b s. Its angles
 * a s + b s^2 / 2 are interpolated exactly from order 2 on, and for order 1 their differences are
 * the curvature at the middle of elements; so curvature and moment at all nodes are exact, but for
 * rounding. */
#include <math.h>
#include <string.h>

#include "elements/beam_sections.h"
#include "frames/node.h"
#include "support.h"

enum { ELEMENTS = 4, MOST_NODES = 3 * ELEMENTS + 1 };

static const double lengths[ELEMENTS] = {0.3, 0.5, 0.2, 0.4};
static const double a = 0.4, b = 0.9, bending = 7;

typedef struct sample {
    lmb_arena *arena;
    lmb_exact_beam beam;
    lmb_frame nodes[MOST_NODES];
    double lengths[ELEMENTS], stiffness[ELEMENTS * 3 * 36];
    double q[7 * MOST_NODES], v[6 * MOST_NODES];
} sample;

/* The arc length to a node. */
static double place(int order, int node)
{
    double sum = 0;
    int e = 0;
    for (; e < node / order; e++)
        sum += lengths[e];
    return node % order ? sum + lengths[e] * (1 + lmb_lobatto_points[order][node % order]) / 2
                        : sum;
}

/* Straight along x, then bent about z; all of it turned, which strains do not see. */
static void make(sample *s, int dimension, int order)
{
    bool plane = dimension == 2;
    lmb_node node = {.kind = plane ? LMB_NODE_PLANE : LMB_NODE_SPACE};
    quat all = quat_exp(plane ? v3(0, 0, 0.8) : v3(0.7, -0.3, 0.8));
    memset(s, 0, sizeof *s);
    s->arena = lmb_arena_new();
    memcpy(s->lengths, lengths, sizeof lengths);
    for (int k = 0; k < 3 * ELEMENTS; k++)
        for (int i = 0; i < 6; i++)
            s->stiffness[36 * k + 7 * i] = i == 5 ? bending : 3;
    s->beam = (lmb_exact_beam){.dimension = dimension,
                               .order = order,
                               .element_count = ELEMENTS,
                               .node_count = ELEMENTS * order + 1,
                               .nodes = s->nodes,
                               .lengths = s->lengths,
                               .stiffness = s->stiffness};
    for (int i = 0; i < s->beam.node_count; i++) {
        s->nodes[i] = frame_identity();
        s->nodes[i].p.x = place(order, i);
    }
    assert_true(lmb_exact_beam_prepare(&s->beam, s->arena));
    for (int i = 0; i < s->beam.node_count; i++) {
        double x = s->nodes[i].p.x, angle = a * x + b * x * x / 2;
        mat3 R = quat_matrix(quat_mul(all, quat_exp(v3(0, 0, angle))));
        lmb_node_place(&node, v3(x, 0, 0), &R, plane ? 0.8 + angle : 0, s->q + i * (plane ? 3 : 7));
    }
}

static void check(int dimension, int order)
{
    sample s;
    lmb_beam_section_state out[MOST_NODES];
    make(&s, dimension, order);
    lmb_beam_sections(&s.beam, s.q, s.v, out);
    for (int i = 0; i < s.beam.node_count; i++) {
        double kappa = a + b * s.nodes[i].p.x;
        assert_close(out[i].strain.kappa.z, kappa, 1e-13);
        assert_close(out[i].force.kappa.z, bending * kappa, 1e-12);
        assert_close(out[i].rate.kappa.z, 0, 0);
    }
    lmb_arena_free(s.arena);
}

static void test_curvature(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int order = 1; order <= 3; order++)
            check(dimension, order);
}

/* The axes of the section of the last two elements have the beam's axis z as x: what was a
 * curvature about z is a twist from the corner on. */
static void test_corner(void **state)
{
    (void)state;
    for (int order = 1; order <= 3; order++) {
        sample s;
        lmb_beam_section_state out[MOST_NODES];
        mat3 axes[3 * ELEMENTS], turned = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};
        make(&s, 3, order);
        for (int i = 0; i < order * ELEMENTS; i++)
            axes[i] = i < 2 * order ? m3_identity() : turned;
        s.beam.section_axes = axes;
        lmb_beam_sections(&s.beam, s.q, s.v, out);
        for (int i = 0; i < s.beam.node_count; i++) {
            double kappa = a + b * s.nodes[i].p.x;
            bool after = i >= 2 * order;
            double error = order == 1 && i == 2 ? b * 0.1 : 0; /* half of the element after it */
            assert_close(out[i].strain.kappa.x, after ? kappa + error : 0, 1e-13);
            assert_close(out[i].strain.kappa.z, after ? 0 : kappa, 1e-13);
        }
        lmb_arena_free(s.arena);
    }
}

/* Of the last element, from 1.0 to 1.4: 0.4 a + (1.4^2 - 1) b / 2; the others turn by less. */
static void test_largest_turn(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        int element;
        bool plane = dimension == 2;
        sample s;
        make(&s, dimension, 2);
        double turn = plane ? lmb_beam_largest_turn(&s.beam, s.q + 2, 3, &element)
                            : lmb_beam_largest_turn(&s.beam, s.q + 3, 7, &element);
        assert_close(turn, a * 0.4 + b * (1.96 - 1) / 2, 1e-14);
        assert_int_equal(element, 3);
        lmb_arena_free(s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curvature),
        cmocka_unit_test(test_corner),
        cmocka_unit_test(test_largest_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
