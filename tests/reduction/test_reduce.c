/* Reduction: static response exact, rigid motions free of force, frequencies of the full model, and
 * invariants against sums that are known otherwise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "meshes.h"
#include "models.h"
#include "reduction/reduced.h"
#include "reduction/interface.h"
#include "support.h"

static const lmb_material steel = {"steel", 2.1e11, 0.3, 7800, false};

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

/* --- averages of a small model ------------------------------------------------------------------
 */

/* The rows "mean displacement and mean rotation are zero" of a face: 6 x n. */
static void hold_mean(const lmb_fe_model *m, const lmb_interface *p, int first, int rows, double *A)
{
    vec3 centre = v3(0, 0, 0);
    for (int i = 0; i < p->count; i++)
        centre = v3_axpy(centre, 1.0 / p->count, m->x[p->nodes[i]]);
    for (int i = 0; i < p->count; i++)
        for (int d = 0; d < 3; d++) {
            vec3 e = v3(d == 0, d == 1, d == 2);
            vec3 moment = v3_cross(v3_sub(m->x[p->nodes[i]], centre), e);
            double *column = A + (size_t)m->dof[p->nodes[i]][d] * (size_t)rows + first;
            for (int k = 0; k < 3; k++) {
                column[k] = v3_get(e, k);
                column[3 + k] = v3_get(moment, k);
            }
        }
}

/* out = N^T S N */
static void restrict_to(const lmb_symmetric *S, const double *N, int count, double *out)
{
    size_t n = (size_t)S->n;
    double *w = calloc(n * (size_t)count, sizeof *w);
    assert_non_null(w);
    lmb_symmetric_multiply_many(S, count, N, w);
    for (size_t j = 0; j < (size_t)count; j++)
        for (size_t i = 0; i < (size_t)count; i++)
            for (size_t k = 0; k < n; k++)
                out[j * (size_t)count + i] += N[i * n + k] * w[j * n + k];
    free(w);
}

/* One brick with both ends averaged: its vibrations while they are held are those of the dense
 * matrices in the space of motions without mean displacement and rotation of the ends. The bound is
 * rounding times the condition of the element, 1e3. */
static void averages_hold_a_single_brick(void **unused)
{
    (void)unused;
    enum { MODES = 3, ROWS = 12, N = 24 };
    lmb_mesh *mesh = box_mesh(LMB_HEX8, (int[3]){1, 1, 1}, v3(1, 0.12, 0.08), steel, NULL);
    lmb_fe_model *m = model_of(mesh);
    lmb_interface points[2];
    make_points(m, points, LMB_TIE_AVERAGE);
    assert_int_equal(m->n, N);
    double A[ROWS * N] = {0}, free_motions[N * N], K[N * N] = {0}, M[N * N] = {0}, values[N];
    hold_mean(m, &points[0], 0, ROWS, A);
    hold_mean(m, &points[1], 6, ROWS, A);
    int count = lmb_dense_null_space(ROWS, N, A, 1e-12, free_motions);
    assert_int_equal(count, N - ROWS);
    restrict_to(&m->K, free_motions, count, K);
    restrict_to(&m->M, free_motions, count, M);
    assert_true(lmb_dense_symmetric_general(count, K, M, values));
    lmb_reduced *b;
    lmb_reduction options = {.fixed = {.number = MODES}};
    assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
    assert_int_equal(b->fixed_count, MODES);
    for (int i = 0; i < MODES; i++)
        assert_close(2 * LMB_PI * b->fixed_frequency[i] / sqrt(values[i]), 1, 1e-12);
    lmb_reduced_free(b);
    free_points(points);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

/* --- the basis to look at -----------------------------------------------------------------------
 */

/* A column of the basis at a node of a spider: `turns` or moves along `direction`, or stays. */
static void assert_follows(const lmb_reduced *b, int column, int node, vec3 arm, int direction)
{
    const float *u = b->basis_shape + 3 * ((size_t)column * (size_t)b->drawn_count + (size_t)node);
    vec3 e = v3(direction % 3 == 0, direction % 3 == 1, direction % 3 == 2);
    vec3 expected = direction < 0 ? v3(0, 0, 0) : direction < LMB_RX ? e : v3_cross(e, arm);
    for (int k = 0; k < 3; k++)
        assert_close(u[k], v3_get(expected, k), 1e-6); /* single precision */
}

/* The energy of a column: u^T A u. */
static double energy(const lmb_reduced *b, const lmb_fe_model *m, const lmb_symmetric *A,
                     int column)
{
    double *u = malloc(2 * (size_t)m->n * sizeof *u), *v = u + m->n, sum = 0;
    for (int i = 0; i < m->n; i++)
        u[i] = b->basis_shape[3 * ((size_t)column * (size_t)b->drawn_count + (size_t)m->node[i]) +
                              (size_t)m->direction[i]];
    lmb_symmetric_multiply(A, u, v);
    for (int i = 0; i < m->n; i++)
        sum += u[i] * v[i];
    free(u);
    return sum;
}

/* A static shape moves its own point in its own direction by one, and no other point; modes with
 * held points move none, and their energies give their frequencies (Rayleigh). Those of rounded
 * shapes are off in second order: 1e-14 times the ratio of the highest eigenvalue to theirs. */
static void basis_shapes_belong_to_their_points(void **unused)
{
    (void)unused;
    enum { MODES = 4, COLUMNS = 12 + MODES };
    lmb_mesh *mesh = bar(LMB_HEX20, 4);
    lmb_fe_model *m = model_of(mesh);
    lmb_interface points[2];
    make_points(m, points, LMB_TIE_RIGID);
    int *all = malloc((size_t)m->node_count * sizeof *all);
    for (int i = 0; i < m->node_count; i++)
        all[i] = i;
    lmb_reduced *b;
    lmb_reduction options = {.fixed = {.number = MODES},
                             .drawn = all,
                             .drawn_count = m->node_count,
                             .keep = {.number = 2}};
    assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
    assert_int_equal(b->basis_count, COLUMNS);
    for (int column = 0; column < COLUMNS; column++)
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < points[p].count; i++) {
                int node = points[p].nodes[i];
                assert_follows(b, column, node, v3_sub(m->x[node], points[p].position),
                               column / LMB_DIRECTIONS == p ? column % LMB_DIRECTIONS : -1);
            }
    for (int k = 0; k < MODES; k++) {
        double omega2 = energy(b, m, &m->K, 12 + k) / energy(b, m, &m->M, 12 + k);
        assert_close(sqrt(omega2) / (2 * LMB_PI) / b->fixed_frequency[k], 1, 1e-6);
    }
    lmb_reduced_free(b);
    free(all);
    free_points(points);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

/* --- pairs of modes -----------------------------------------------------------------------------
 */

/* The warnings of a reduction of a square bar, which bends alike in two directions. */
static size_t warnings_of(const lmb_fe_model *m, const lmb_interface points[2], int fixed, int keep)
{
    lmb_reduced *b;
    lmb_reduction options = {.fixed = {.number = fixed}, .keep = {.number = keep}};
    lmb_messages_clear(context);
    assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
    lmb_reduced_free(b);
    return lmb_message_count(context);
}

/* Coarse, and fine enough for block Lanczos. */
static void pairs_that_are_split_are_named(void **unused)
{
    (void)unused;
    static const int cells[2][3] = {{8, 2, 2}, {40, 4, 4}};
    for (int size = 0; size < 2; size++) {
        lmb_mesh *mesh = box_mesh(LMB_HEX20, cells[size], v3(1, 0.1, 0.1), steel, NULL);
        lmb_fe_model *m = model_of(mesh);
        lmb_interface points[2];
        make_points(m, points, LMB_TIE_RIGID);
        points[0].position.y = points[1].position.y = 0.05;
        points[0].position.z = points[1].position.z = 0.05;
        assert_int_equal(warnings_of(m, points, 1, 0), 1);
        const lmb_message *message = lmb_message_at(context, 0);
        assert_non_null(strstr(message->text, "fixed-interface modes 1 and 2"));
        assert_string_equal(message->hint, "take 2 modes, or 0");
        assert_int_equal(warnings_of(m, points, 2, 0), 0);
        assert_int_equal(warnings_of(m, points, 2, 1), 1);
        message = lmb_message_at(context, 0);
        assert_non_null(strstr(message->text, "modes 1 and 2 of the reduced body"));
        assert_string_equal(message->hint, "keep 2 modes, or 0");
        assert_int_equal(warnings_of(m, points, 2, 2), 0);
        free_points(points);
        lmb_arena_free(m->arena);
        lmb_arena_free(mesh->arena);
    }
}

/* --- stopping -----------------------------------------------------------------------------------
 */

/* Stops at the n-th report, and counts the kinds of them. */
typedef struct stopper {
    int reports, stop_at;
} stopper;

static bool stop(void *user, const char *what, double fraction)
{
    stopper *s = user;
    (void)what;
    assert_true(isnan(fraction) || (fraction >= 0 && fraction <= 1)); /* NaN: nobody knows */
    return ++s->reports == s->stop_at;
}

/* A reduction may be stopped at any of its reports, among them those of Lanczos. */
static void reductions_can_be_stopped(void **unused)
{
    (void)unused;
    lmb_mesh *mesh = bar(LMB_HEX20, 100);
    lmb_fe_model *m = model_of(mesh);
    lmb_interface points[2];
    make_points(m, points, LMB_TIE_RIGID);
    lmb_reduced *b;
    lmb_reduction options = {.fixed = {.number = 5}};
    stopper s = {0};
    lmb_context_on_progress(context, stop, &s);
    assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
    lmb_reduced_free(b);
    int reports = s.reports;
    assert_true(reports > 10);
    for (int i = 1; i <= reports; i++) {
        s = (stopper){.stop_at = i};
        lmb_messages_clear(context);
        assert_int_equal(lmb_reduce(&b, context, m, points, 2, &options), LMB_SOLVER);
        assert_int_equal(s.reports, i);
        assert_string_equal(lmb_message_at(context, 0)->text, "interrupted");
    }
    lmb_context_on_progress(context, NULL, NULL);
    lmb_messages_clear(context);
    free_points(points);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_converge_from_above),
        cmocka_unit_test(the_mass_centre_frame_splits_momentum),
        cmocka_unit_test(static_response_is_exact),
        cmocka_unit_test(averages_hold_a_single_brick),
        cmocka_unit_test(basis_shapes_belong_to_their_points),
        cmocka_unit_test(pairs_that_are_split_are_named),
        cmocka_unit_test(reductions_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
