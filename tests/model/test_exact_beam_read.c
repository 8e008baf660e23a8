/* Exact beams of model files: nodes, stiffness, inertia, interfaces. */
#include <stdio.h>
#include <string.h>

#include "elements/exact_beam.h"
#include "fe/properties.h"
#include "models.h"
#include "support.h"
#include "system/model.h"

/* Rounding: sums over at most a hundred nodes. */
static const double rounding = 1e-13;

static lmb_model *model;

/* The beam of a body; the keys of its `beam`, and further ones after them. */
static const lmb_exact_beam *beam_of(int dimension, const char *keys, const char *more)
{
    char text[2000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\nbodies:\n  rod:\n    beam: {deformation: large, %s}\n    "
             "%s\nanalyses: {rest: {type: assembly}}\n",
             dimension, keys, more);
    lmb_model_free(model);
    model = model_of_text(text);
    return model->bodies[1].own;
}

static int free_model(void **unused)
{
    lmb_model_free(model);
    model = NULL;
    return close_models(unused);
}

#define STEEL "material: {E: 200e9, nu: 0.25, density: 8000}"
#define CONSTANTS "section: {constants: {A: 2e-4, Iz: 3e-9, Iy: 4e-9, J: 5e-9}}"

static const double E = 200e9, G = 80e9, density = 8000;

static void assert_vector(vec3 x, double a, double b, double c, double tolerance)
{
    assert_close(x.x, a, tolerance);
    assert_close(x.y, b, tolerance);
    assert_close(x.z, c, tolerance);
}

/* The diagonal of a stiffness, relative; nothing else is there. */
static void assert_diagonal(const double *K, const double expected[6])
{
    for (int i = 0; i < 36; i++)
        assert_close(K[i] / expected[i / 6], i % 7 == 0 ? expected[i / 7] / expected[i / 6] : 0,
                     rounding);
}

/* --- straight beams --------------------------------------------------------------------------- */

/* Nodes are at the Gauss-Lobatto points of equal elements; the whole has the mass and inertia of a
 * rod, because from order 2 on the weights integrate x^2 exactly. */
static void a_straight_rod(void **unused)
{
    (void)unused;
    char keys[300];
    for (int order = 1; order <= 3; order++) {
        snprintf(keys, sizeof keys,
                 "from: [1, 0, 0], to: [3, 0, 0], elements: 4, order: %d, " CONSTANTS ", " STEEL,
                 order);
        const lmb_exact_beam *b = beam_of(3, keys, "");
        assert_int_equal(b->node_count, 4 * order + 1);
        assert_int_equal(b->element_count, 4);
        assert_false(b->closed);
        assert_null(b->section_axes);
        for (int e = 0; e < 4; e++) {
            assert_close(b->lengths[e], 0.5, rounding);
            for (int i = 0; i <= order; i++) {
                const lmb_frame *node = &b->nodes[lmb_exact_beam_node(b, e, i)];
                double s = 0.5 * e + 0.25 * (1 + lmb_lobatto_points[order][i]);
                assert_vector(node->p, 1 + s, 0, 0, rounding);
                assert_vector(node->e[0], 1, 0, 0, rounding);
                assert_vector(node->e[1], 0, 1, 0, rounding);
                assert_close(b->places[e * order + i], s, rounding);
            }
        }
        double mass, m = density * 2e-4 * 2;
        vec3 centre;
        mat3 J;
        lmb_exact_beam_mass(b, &mass, &centre, &J);
        assert_close(mass, m, rounding);
        assert_close(model->bodies[1].mass, m, rounding);
        assert_vector(centre, 2, 0, 0, rounding);
        assert_close(J.c[0].x, density * 7e-9 * 2, rounding);
        /* the trapezoidal rule of order 1 has the error h^2/6 of 1/12 L^2 */
        double across = m * (4.0 / 12 + (order == 1 ? 0.25 / 6 : 0));
        assert_close(J.c[1].y, across + density * 4e-9 * 2, rounding);
        assert_close(J.c[2].z, across + density * 3e-9 * 2, rounding);
    }
}

/* Stiffness is that of today's sections and materials; a shear factor of 0 becomes 1. */
static void stiffness_of_sections(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(3, "from: [0, 0, 0], to: [1, 0, 0], elements: 1, " CONSTANTS ", " STEEL, "");
    const double constants[] = {E * 2e-4, G * 2e-4, G * 2e-4, G * 5e-9, E * 4e-9, E * 3e-9};
    assert_int_equal(b->order, 2);
    assert_diagonal(b->stiffness, constants);
    assert_diagonal(b->stiffness + 36, constants);
    assert_close(b->sections[2].A, 2e-4, 0);

    b = beam_of(3,
                "from: [0, 0, 0], to: [1, 0, 0], elements: 1, " STEEL
                ", section: {rectangle: {width: 0.02, height: 0.01}}",
                "damping: {stiffness: 1e-4}");
    lmb_section s;
    assert_int_equal(lmb_section_rectangle(&s, context, 0.01, 0.02, 0.25), LMB_OK);
    const double rectangle[] = {
        E * s.A, G * s.A * s.shear_y, G * s.A * s.shear_z, G * s.J, E * s.Iy, E * s.Iz};
    assert_diagonal(b->stiffness, rectangle);
    assert_close(b->damping, 1e-4, 0);
    assert_close(b->inertia[0].inertia.c[0].x, density * (s.Iy + s.Iz) / 6, rounding);
}

static void beams_in_the_plane(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(2, "from: [0, 0], to: [3, 4], elements: 2, order: 1, " CONSTANTS ", " STEEL, "");
    assert_int_equal(b->dimension, 2);
    assert_vector(b->nodes[1].p, 1.5, 2, 0, rounding);
    assert_vector(b->nodes[2].e[0], 0.6, 0.8, 0, rounding);
    assert_vector(b->nodes[2].e[1], -0.8, 0.6, 0, rounding);
    assert_close(b->stiffness[35], E * 3e-9, rounding);
    assert_close(b->inertia[1].inertia.c[2].z, density * 3e-9 * 2.5, rounding);
}

/* --- corners ---------------------------------------------------------------------------------- */

/* All nodes have the axes of the first leg; stretch of the second leg, along y, is then the second
 * strain. Section axes are those that the reduced beam has: of the second leg y is -x. */
static void corners(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b = beam_of(
        3, "along: [[0, 0, 0], [1, 0, 0], [1, 2, 0]], elements: 3, order: 2, " CONSTANTS ", " STEEL,
        "interfaces: {corner: {node: 2}, B: end}");
    assert_int_equal(b->node_count, 7);
    assert_vector(b->nodes[2].p, 1, 0, 0, rounding);
    assert_vector(b->nodes[4].p, 1, 1, 0, rounding);
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 3; k++)
            assert_vector(b->nodes[i].e[k], k == 0, k == 1, k == 2, 0);
    const double first[] = {E * 2e-4, G * 2e-4, G * 2e-4, G * 5e-9, E * 4e-9, E * 3e-9};
    const double second[] = {G * 2e-4, E * 2e-4, G * 2e-4, E * 4e-9, G * 5e-9, E * 3e-9};
    assert_diagonal(b->stiffness, first);
    assert_diagonal(b->stiffness + 5 * 36, second);
    assert_vector(b->section_axes[5].c[0], 0, 1, 0, rounding);
    assert_vector(b->section_axes[5].c[1], -1, 0, 0, rounding);

    /* the corner carries 1/6 m of the first leg and 1/6 m of the second */
    assert_close(b->inertia[2].mass, density * 2e-4 / 3, rounding);
    assert_close(b->inertia[2].inertia.c[0].x, density * (7e-9 + 4e-9) / 6, rounding);
    double mass;
    vec3 centre;
    mat3 J;
    lmb_exact_beam_mass(b, &mass, &centre, &J);
    assert_vector(centre, (0.5 + 2) / 3, 2.0 / 3, 0, rounding);
    assert_int_equal(model->parts.markers[model->points[0].marker].point, 2);
    assert_int_equal(model->parts.markers[model->points[1].marker].point, 6);
}

/* A leg at 45 degrees: the turned matrix, times a strain along that leg, is a force along it. */
static void corners_at_any_angle(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b = beam_of(
        2, "along: [[0, 0], [1, 0], [2, 1]], elements: 2, order: 1, " CONSTANTS ", " STEEL, "");
    const double *K = b->stiffness + 36;
    double force[6] = {0};
    for (int i = 0; i < 6; i++)
        force[i] = (K[i] + K[6 + i]) * sqrt(0.5);
    assert_close(force[0] / (E * 2e-4), sqrt(0.5), rounding);
    assert_close(force[1] / (E * 2e-4), sqrt(0.5), rounding);
    for (int i = 2; i < 6; i++)
        assert_close(force[i], 0, 0);
}

static void rings(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(2,
                "along: [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], elements: 8, order: 3, " CONSTANTS
                ", " STEEL,
                "interfaces: {A: start, B: end, C: {node: 8}}");
    double mass = 0;
    assert_true(b->closed);
    assert_int_equal(b->node_count, 24);
    for (int i = 0; i < 24; i++)
        mass += b->inertia[i].mass;
    assert_close(mass, 4 * density * 2e-4, rounding);
    assert_close(b->inertia[0].mass, b->inertia[3].mass, rounding);
    for (int i = 0; i < 2; i++)
        assert_int_equal(model->parts.markers[model->points[i].marker].point, 0);
    assert_int_equal(model->parts.markers[model->points[2].marker].point, 21);
}

/* --- places ----------------------------------------------------------------------------------- */

/* Places that are no node divide the beam there: 0.3 of 1 m with 10 elements has 3 before it. */
static void places_divide_the_beam(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b = beam_of(
        3, "from: [0, 0, 0], to: [1, 0, 0], elements: 10, order: 2, " CONSTANTS ", " STEEL,
        "interfaces: {A: start, M: {at: [0.33, 0, 0]}, B: end, N: {node: 2}}\n"
        "    masses: {disc: {at: [0.66, 0, 0], mass: 5, inertia: [1, 2, 3]}, hub: {at: start, "
        "mass: 7}}");
    static const int nodes[] = {0, 6, 20, 2};
    assert_int_equal(model->bodies[1].point_count, 4);
    for (int i = 0; i < 4; i++) {
        const lmb_marker *marker = &model->parts.markers[model->points[i].marker];
        assert_int_equal(marker->point, nodes[i]);
        vec3 x = b->nodes[nodes[i]].p;
        assert_vector(marker->local.p, x.x, x.y, x.z, 0);
    }
    assert_close(b->nodes[6].p.x, 0.33, rounding);
    assert_close(b->lengths[0], 0.11, rounding);
    assert_close(b->nodes[12].p.x, 0.66, rounding);
    double own = density * 2e-4 * (0.11 + 0.085) / 6;
    assert_close(b->inertia[12].mass, 5 + own, rounding);
    assert_close(b->inertia[12].inertia.c[1].y, 2 + density * 4e-9 * (0.11 + 0.085) / 6, rounding);
    assert_close(b->inertia[0].mass, 7 + density * 2e-4 * 0.11 / 6, rounding);
    assert_close(model->bodies[1].mass, 12 + density * 2e-4, rounding);
}

/* The inertia of a point mass is given in the axes of the body, the node has other ones. */
static void masses_turn_with_the_node(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(3, "from: [0, 0, 0], to: [0, 1, 0], elements: 1, " CONSTANTS ", " STEEL,
                "masses: {disc: {at: end, mass: 5, inertia: [1, 2, 3, 0.1, 0, 0]}}");
    double own = density / 6;
    const mat3 *J = &b->inertia[2].inertia; /* x of the node is y, y is -x */
    assert_close(J->c[0].x, 2 + own * 7e-9, rounding);
    assert_close(J->c[1].y, 1 + own * 4e-9, rounding);
    assert_close(J->c[1].x, -0.1, rounding);
}

/* --- curves ----------------------------------------------------------------------------------- */

/* A ring of radius R about z: mass 2 pi R rho A, inertia m R^2 about its axis and half of it across
 * (with the section's own): any equal weights at equal angles give it, so it is exact. */
static void arcs(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(3, "arc: {radius: 2, angle: 2*pi}, elements: 6, " CONSTANTS ", " STEEL, "");
    double mass, m = density * 2e-4 * 4 * LMB_PI;
    vec3 centre;
    mat3 J;
    assert_true(b->closed);
    assert_int_equal(b->node_count, 12);
    lmb_exact_beam_mass(b, &mass, &centre, &J);
    assert_close(mass, m, rounding);
    assert_vector(centre, 0, 0, 0, rounding);
    assert_close(J.c[2].z, 4 * m + density * 3e-9 * 4 * LMB_PI, rounding);
    assert_close(J.c[0].x, 2 * m + density * (7e-9 + 4e-9) * 2 * LMB_PI, rounding);
    for (int i = 0; i < 12; i++) {
        double a = LMB_PI * i / 6;
        assert_vector(b->nodes[i].p, 2 * cos(a), 2 * sin(a), 0, rounding);
        assert_vector(b->nodes[i].e[0], -sin(a), cos(a), 0, rounding);
    }

    /* in the plane, from another direction and clockwise */
    b = beam_of(2,
                "arc: {centre: [1, 1], radius: 1, start: [0, 3], angle: -pi/2}, elements: 2, "
                "order: 1, " CONSTANTS ", " STEEL,
                "interfaces: {M: {at: [1 + sin(pi/5), 1 + cos(pi/5)]}}");
    assert_vector(b->nodes[0].p, 1, 2, 0, rounding);
    assert_vector(b->nodes[0].e[0], 1, 0, 0, rounding);
    assert_vector(b->nodes[2].p, 2, 1, 0, rounding);
    assert_close(b->lengths[0], LMB_PI / 5, rounding);
}

/* The mass centre of n turns of a helix is in the middle of its axis. Inertia about that axis is m
 * R^2 whatever the weights are; across it is m (R^2 / 2 + H^2 / 12). */
static void helices(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b = beam_of(
        3,
        "helix: {centre: [0, 0, 1], radius: 0.3, pitch: 0.1, turns: 2}, elements: 40, order: "
        "3, section: {constants: {A: 2e-4, Iz: 1e-15}}, " STEEL,
        "");
    double mass, length = 2 * hypot(0.6 * LMB_PI, 0.1), m = density * 2e-4 * length;
    vec3 centre;
    mat3 J;
    lmb_exact_beam_mass(b, &mass, &centre, &J);
    assert_close(mass, m, rounding);
    assert_close(centre.z, 1.1, rounding);
    assert_close(J.c[2].z, m * 0.09, 1e-9);
    /* the error of the rule is h^6 f^(6) / 1512000, h = 4 pi / 40, f = m R^2 cos(2 a) / 2 */
    assert_close(J.c[0].x, m * (0.045 + 0.04 / 12), 1e-8);
}

static void splines(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b = beam_of(
        2, "along: [[-1, 1], [0, 0], [1, 1]], smooth: true, elements: 7, " CONSTANTS ", " STEEL,
        "interfaces: {M: {at: [0.5, 0.25]}}");
    double length = 0;
    for (int e = 0; e < 7; e++)
        length += b->lengths[e];
    assert_close(length, sqrt(5) + asinh(2) / 2, rounding);
    assert_null(b->section_axes);
    for (int i = 0; i < b->node_count; i++) {
        vec3 x = b->nodes[i].p;
        assert_close(x.y, x.x * x.x, rounding);
        assert_close(b->nodes[i].e[0].y / b->nodes[i].e[0].x, 2 * x.x, rounding);
    }
    int node = model->parts.markers[model->points[0].marker].point;
    assert_vector(b->nodes[node].p, 0.5, 0.25, 0, rounding);
}

/* --- sections along the beam ------------------------------------------------------------------ */

/* A cone frustum: diameters are linear, areas quadratic, and so its mass is exact. */
static void tapered_beams(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(3,
                "from: [0, 0, 0], to: [2, 0, 0], elements: 3, " STEEL
                ", stations: [{at: 0, section: {circle: {diameter: 0.1}}}, {at: 1, section: "
                "{circle: {diameter: 0.04}}}]",
                "");
    double mass = 0;
    for (int i = 0; i < b->node_count; i++)
        mass += b->inertia[i].mass;
    assert_close(mass, density * LMB_PI / 12 * 2 * (0.01 + 0.004 + 0.0016), rounding);
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < 2; k++) {
            double s = (e + (1 + lmb_gauss_points[2][k]) / 2) / 3, d = 0.1 - 0.06 * s;
            assert_close(b->stiffness[(2 * e + k) * 36] / (E * LMB_PI / 4 * d * d), 1, rounding);
            assert_close(b->stiffness[(2 * e + k) * 36 + 28] / (E * LMB_PI / 64 * pow(d, 4)), 1,
                         rounding);
        }
    assert_close(b->sections[0].y_max, 0.05, rounding);
    assert_close(b->sections[6].y_max, 0.02, rounding);
}

/* Stations are ends of elements; before the first and after the last nothing changes. */
static void stations_divide_the_beam(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(3,
                "from: [0, 0, 0], to: [1, 0, 0], elements: 4, order: 1, " CONSTANTS ", " STEEL
                ", stations: [{at: 0.2, twist: 0}, {at: 0.6, twist: pi/2}]",
                "");
    static const double places[] = {0, 0.2, 0.4, 0.6, 1},
                        twists[] = {0, 0, LMB_PI / 4, LMB_PI / 2, LMB_PI / 2};
    for (int i = 0; i < 5; i++) {
        assert_close(b->nodes[i].p.x, places[i], rounding);
        assert_vector(b->nodes[i].e[1], 0, cos(twists[i]), sin(twists[i]), rounding);
    }
}

/* Beyond a corner the twist is about the second leg. */
static void twist_after_a_corner(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b =
        beam_of(3,
                "along: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], elements: 2, order: 1, " CONSTANTS
                ", " STEEL ", stations: [{at: 0, twist: pi/2}]",
                "");
    const double second[] = {G * 2e-4, E * 2e-4, G * 2e-4, E * 3e-9, G * 5e-9, E * 4e-9};
    assert_diagonal(b->stiffness + 36, second);
    assert_vector(b->section_axes[1].c[1], 0, 0, 1, rounding);
}

/* Matrices between two stations, with couplings and a mass off the axis. */
static void matrices(void **unused)
{
    (void)unused;
    const lmb_exact_beam *b = beam_of(
        3,
        "from: [0, 0, 0], to: [1, 0, 0], elements: 1, order: 1, stations: [{at: 0, stiffness: "
        "[[10, 0, 0, 0, 0, 2], [0, 5, 0, 1, 0, 0], [0, 0, 4, 0, 0, 0], [0, 1, 0, 3, 0, 0], [0, 0, "
        "0, 0, 2, 0], [2, 0, 0, 0, 0, 1]]}, {at: 1, stiffness: [20, 10, 8, 6, 4, 2]}], mass: [[2, "
        "0, 0, 0, 0.6, -0.2], [0, 2, 0, -0.6, 0, 0], [0, 0, 2, 0.2, 0, 0], [0, -0.6, 0.2, 1, 0, "
        "0], [0.6, 0, 0, 0, 0.7, 0], [-0.2, 0, 0, 0, 0, 0.5]]",
        "");
    const double *K = b->stiffness;
    assert_close(K[0], 15, rounding);
    assert_close(K[5], 1, rounding);
    assert_close(K[30], 1, rounding);
    assert_close(K[9], 0.5, rounding);
    assert_close(K[35], 1.5, rounding);
    assert_null(b->sections);
    assert_close(b->inertia[0].mass, 1, rounding);
    assert_vector(b->inertia[0].centre, 0, 0.1, 0.3, rounding);
    assert_close(b->inertia[1].inertia.c[1].y, 0.35, rounding);

    b = beam_of(2,
                "from: [0, 0], to: [1, 0], elements: 1, order: 1, stiffness: [[9, 1, 2], [1, 8, "
                "3], [2, 3, 7]], mass: [[2, 0, -0.4], [0, 2, 0], [-0.4, 0, 0.3]]",
                "");
    assert_close(b->stiffness[1], 1, 0);
    assert_close(b->stiffness[5], 2, 0);
    assert_close(b->stiffness[31], 3, 0);
    assert_close(b->stiffness[35], 7, 0);
    assert_vector(b->inertia[1].centre, 0, 0.2, 0, rounding);
    assert_close(b->inertia[1].inertia.c[2].z, 0.15, rounding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_rod),
        cmocka_unit_test(stiffness_of_sections),
        cmocka_unit_test(beams_in_the_plane),
        cmocka_unit_test(corners),
        cmocka_unit_test(corners_at_any_angle),
        cmocka_unit_test(rings),
        cmocka_unit_test(places_divide_the_beam),
        cmocka_unit_test(masses_turn_with_the_node),
        cmocka_unit_test(arcs),
        cmocka_unit_test(helices),
        cmocka_unit_test(splines),
        cmocka_unit_test(tapered_beams),
        cmocka_unit_test(stations_divide_the_beam),
        cmocka_unit_test(twist_after_a_corner),
        cmocka_unit_test(matrices),
    };
    return cmocka_run_group_tests(tests, open_models, free_model);
}
