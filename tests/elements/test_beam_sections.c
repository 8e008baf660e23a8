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

/* A weighted sum of all numbers of a section. */
static double weighted(const lmb_beam_section_state *w, const lmb_beam_section_state *x)
{
    const double *weights = &w->strain.gamma.x, *numbers = &x->strain.gamma.x;
    double sum = 0;
    for (size_t i = 0; i < sizeof *w / sizeof *weights; i++)
        sum += weights[i] * numbers[i];
    return sum;
}

static double weighted_at(const sample *s, const lmb_section_part *parts, int count,
                          const lmb_beam_section_state *w, const double *q, const double *v)
{
    lmb_beam_section_state x;
    lmb_beam_section_evaluate(&s->beam, parts, count, q, v, &x);
    return weighted(w, &x);
}

/* Slopes of the section of parts against differences of fourth order; numbers are of the order of
 * 10, so that truncation and rounding are below 1e-9. */
static void check_slopes(sample *s, const lmb_section_part *parts, int count)
{
    static const double place[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1}, d = 1e-3;
    bool plane = s->beam.dimension == 2;
    int nq = plane ? 3 : 7, nv = plane ? 3 : 6, all = nv * s->beam.node_count;
    lmb_node node = {.kind = plane ? LMB_NODE_PLANE : LMB_NODE_SPACE, .nq = nq, .nv = nv};
    double by_q[6 * MOST_NODES] = {0}, by_v[6 * MOST_NODES] = {0};
    lmb_beam_section_state w;
    for (size_t i = 0; i < sizeof w / sizeof(double); i++)
        (&w.strain.gamma.x)[i] = sin(3.0 * (double)i + 1);
    lmb_beam_section_slopes(&s->beam, parts, count, s->q, s->v, &w, by_q, by_v);
    for (int j = 0; j < all; j++) {
        double q = 0, v = 0;
        for (int k = 0; k < 4; k++) {
            double moved[7 * MOST_NODES], faster[6 * MOST_NODES], step[6] = {0};
            memcpy(moved, s->q, sizeof moved);
            memcpy(faster, s->v, sizeof faster);
            step[j % nv] = place[k] * d;
            lmb_node_retract(&node, s->q + nq * (j / nv), step, moved + nq * (j / nv));
            faster[j] += place[k] * d;
            q += weight[k] / (12 * d) * weighted_at(s, parts, count, &w, moved, s->v);
            v += weight[k] / (12 * d) * weighted_at(s, parts, count, &w, s->q, faster);
        }
        assert_close(by_q[j], q, 1e-8);
        assert_close(by_v[j], v, 1e-8);
    }
}

static void slopes_of_sections_are_those_of_differences(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int order = 1; order <= 3; order++) {
            sample s;
            lmb_section_part parts[LMB_SECTION_PARTS];
            mat3 axes[3 * ELEMENTS], turned = quat_matrix(quat_exp(v3(0.2, 0.5, -0.4)));
            make(&s, dimension, order);
            for (int e = 0; e < ELEMENTS; e++)
                ((lmb_beam_element *)s.beam.elements)[e].damping = 0.3;
            for (int i = 0; i < 6 * MOST_NODES; i++)
                s.v[i] = cos(5.0 * i + 2);
            for (int i = 0; i < 3 * ELEMENTS; i++)
                axes[i] = dimension == 3 && i >= 2 * order ? turned : m3_identity();
            s.beam.section_axes = axes;
            for (int i = 0; i < s.beam.node_count; i++)
                check_slopes(&s, parts, lmb_beam_node_parts(&s.beam, i, parts));
            for (int e = 0; e < ELEMENTS; e++)
                for (double x = -1; x <= 1; x += 0.4) {
                    lmb_beam_probe probe = {.element = e, .x = x};
                    check_slopes(&s, parts, lmb_beam_probe_parts(&s.beam, &probe, parts));
                }
            lmb_arena_free(s.arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curvature),
        cmocka_unit_test(test_corner),
        cmocka_unit_test(test_largest_turn),
        cmocka_unit_test(slopes_of_sections_are_those_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
