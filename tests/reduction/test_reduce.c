/* Reduction: static response exact, rigid motions free of force, frequencies of the full model, and
 * invariants against sums that are known otherwise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meshes.h"
#include "models.h"
#include "reduction/reduced.h"
#include "reduction/rigid.h"
#include "support.h"

static const lmb_material steel = {"steel", 2.1e11, 0.3, 7800};

/* A bar 1 x 0.12 x 0.08 m along x, with spiders on its end faces. */
static lmb_mesh *bar(lmb_element_kind kind, int along)
{
    const int cells[3] = {along, 2, 2};
    return box_mesh(kind, cells, v3(1, 0.12, 0.08), steel, NULL);
}

static void pick(const lmb_fe_model *m, lmb_interface *p, double x)
{
    p->nodes = malloc((size_t)m->node_count * sizeof *p->nodes);
    p->count = 0;
    for (int i = 0; i < m->node_count; i++)
        if (fabs(m->x[i].x - x) < 1e-9)
            p->nodes[p->count++] = i;
}

static void make_points(const lmb_fe_model *m, lmb_interface points[2], lmb_tie tie)
{
    points[0] = (lmb_interface){.name = "A", .position = v3(0, 0.06, 0.04), .tie = tie};
    points[1] = (lmb_interface){.name = "B", .position = v3(1, 0.06, 0.04), .tie = tie};
    pick(m, &points[0], 0);
    pick(m, &points[1], 1);
}

static void free_points(lmb_interface points[2])
{
    free(points[0].nodes);
    free(points[1].nodes);
}

static double gram(const lmb_reduced *b, int i, int j)
{
    return b->gram[(size_t)j * (size_t)lmb_gram_size(b->mode_count) + (size_t)i];
}

/* The free-free frequencies of the reduced bar come down to those of the full model with spiders as
 * modes are added, and are within 0.1 % with enough. */
static void frequencies_converge_from_above(void **unused)
{
    (void)unused;
    lmb_mesh *mesh = bar(LMB_HEX20, 6);
    lmb_fe_model *m = model_of(mesh);
    lmb_interface points[2];
    make_points(m, points, LMB_TIE_RIGID);
    static const int counts[] = {0, 5, 45, 120};
    enum { COMPARED = 10 };
    double before[COMPARED], best[COMPARED];
    for (int i = 3; i >= 0; i--) { /* the best first */
        lmb_reduced *b;
        lmb_reduction options = {.fixed = {.number = counts[i]}};
        assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
        assert_int_equal(b->all_count, 12 + counts[i] - 6);
        for (int k = 0; k < COMPARED && k < b->all_count; k++) {
            if (i == 3)
                best[k] = b->all_frequency[k];
            else
                assert_true(b->all_frequency[k] >= before[k] * (1 - 1e-9));
            before[k] = b->all_frequency[k];
        }
        for (int k = 0; k < COMPARED && i == 2; k++)
            assert_true(b->all_frequency[k] < best[k] * 1.001);
        lmb_reduced_free(b);
    }
    free_points(points);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

/* In the frame of the mass centre modes carry no momentum, and the rigid block of the invariants is
 * diag(m, m, m, I), to rounding. */
static void the_mass_centre_frame_splits_momentum(void **unused)
{
    (void)unused;
    lmb_mesh *mesh = bar(LMB_TET10, 5);
    lmb_fe_model *m = model_of(mesh);
    lmb_interface points[2];
    make_points(m, points, LMB_TIE_RIGID);
    lmb_reduced *b;
    lmb_reduction options = {.fixed = {.number = 8}, .keep = {.number = 6}};
    assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
    double mass = 7800 * 1 * 0.12 * 0.08;
    assert_close(b->mass, mass, 1e-10 * mass);
    assert_close(b->centre.x, 0.5, 1e-10);
    assert_close(b->centre.y, 0.06, 1e-10);
    assert_close(b->centre.z, 0.04, 1e-10);
    double Iy = mass * (1 + 0.08 * 0.08) / 12, Ix = mass * (0.12 * 0.12 + 0.08 * 0.08) / 12;
    assert_close(b->inertia.c[1].y, Iy, 1e-10 * Iy);
    assert_close(b->inertia.c[0].x, Ix, 1e-10 * Iy);
    assert_int_equal(b->mode_count, 6);
    double modal = sqrt(mass); /* of a mode with unit modal mass */
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double inertia = i >= 3 && j >= 3 ? v3_get(b->inertia.c[j - 3], i - 3) : 0;
            double expected = i < 3 ? (i == j) * mass : inertia;
            assert_close(gram(b, i, j), expected, 1e-10 * mass);
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            assert_close(gram(b, i, lmb_gram_mode(j)), 0, 1e-9 * modal);
            assert_close(gram(b, lmb_gram_mode(i), lmb_gram_mode(j)), i == j, 1e-9);
        }
    lmb_reduced_free(b);
    free_points(points);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

/* A force between the two ends: the reduced body (all modes kept, of a frame on A) deforms at its
 * interfaces as the full model does. */
static void static_response_is_exact(void **unused)
{
    (void)unused;
    static const lmb_tie ties[] = {LMB_TIE_RIGID, LMB_TIE_AVERAGE};
    for (int tie = 0; tie < 2; tie++) {
        lmb_mesh *mesh = bar(LMB_HEX20, 4);
        lmb_fe_model *m = model_of(mesh);
        lmb_interface points[2];
        make_points(m, points, ties[tie]);
        lmb_reduced *b;
        lmb_reduction options = {
            .fixed = {.number = 3}, .frame = LMB_FRAME_POINT, .frame_point = 0};
        assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
        /* six loads at B, with A held: stiffness seen at B */
        for (int load = 0; load < 6; load++) {
            double at_B[6] = {0}, work = 0, strain = 0;
            size_t modes = (size_t)b->mode_count;
            const double *shape = b->point_shape + LMB_DIRECTIONS * modes;
            for (size_t k = 0; k < modes; k++) {
                double w = 2 * LMB_PI * b->frequency[k];
                double eta = shape[(size_t)load * modes + k] / (w * w);
                for (int d = 0; d < 6; d++)
                    at_B[d] += shape[(size_t)d * modes + k] * eta;
                strain += eta * eta * w * w;
            }
            work = at_B[load];
            assert_close(work, strain, 1e-9 * work);
            /* a bar of steel: tension F L / (E A) but for the ends, bending F L^3 / (3 E I) */
            double E = 2.1e11, A = 0.12 * 0.08, Iz = 0.08 * pow(0.12, 3) / 12;
            if (load == LMB_UX)
                assert_close(at_B[0], 1 / (E * A), 0.03 / (E * A));
            if (load == LMB_UY)
                assert_close(at_B[1], 1 / (3 * E * Iz), 0.06 / (3 * E * Iz));
        }
        lmb_reduced_free(b);
        free_points(points);
        lmb_arena_free(m->arena);
        lmb_arena_free(mesh->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_converge_from_above),
        cmocka_unit_test(the_mass_centre_frame_splits_momentum),
        cmocka_unit_test(static_response_is_exact),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
