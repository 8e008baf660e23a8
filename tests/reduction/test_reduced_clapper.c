/* The solid clapper, reduced, against the unreduced model with its two rigid spiders: frequencies,
 * rigid motions and the static response at the interfaces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fe/element.h"
#include "math/eigen.h"
#include "models.h"
#include "reduction/reduced.h"
#include "reduction/interface.h"
#include "support.h"
#include "parts.h"

enum { ELASTIC = 10, RIGID = 6 };

static lmb_mesh *mesh;
static lmb_fe_model *model;
static lmb_interface points[2];

static int make_clapper(void **unused)
{
    open_models(unused);
    assert_ok(part_clapper.solid(&mesh, context, LMB_HEX20, 0.9));
    assert_ok(lmb_fe_assemble(&model, context, mesh, 0));
    for (int p = 0; p < 2; p++) {
        const lmb_node_set *set = lmb_mesh_set(mesh, part_clapper.points[p].name);
        assert_non_null(set);
        points[p] = (lmb_interface){part_clapper.points[p].name, part_clapper.points[p].position,
                                    LMB_TIE_RIGID, set->nodes, set->count};
    }
    return 0;
}

static int free_clapper(void **unused)
{
    lmb_arena_free(model->arena);
    lmb_arena_free(mesh->arena);
    return close_models(unused);
}

/* A matrix of the model over all unknowns, inner ones and motions of the points: G^T A G. */
static void whole_matrix(const lmb_tied *t, const lmb_symmetric *full, const lmb_symmetric *inner,
                         lmb_arena *arena, lmb_symmetric *out)
{
    int n = t->inner, nb = t->boundary;
    long room = inner->start[n] + (long)nb * (n + nb), count = 0;
    lmb_triplet *all = malloc((size_t)room * sizeof *all);
    double *u = malloc(((size_t)nb + 1) * (size_t)full->n * sizeof *u), *w = u + nb * full->n;
    double unit[12] = {0};
    for (int j = 0; j < n; j++)
        for (int k = inner->start[j]; k < inner->start[j + 1]; k++)
            all[count++] = (lmb_triplet){inner->row[k], j, inner->value[k]};
    for (int b = 0; b < nb; b++) {
        unit[b] = 1;
        lmb_tied_expand(t, NULL, unit, u + (size_t)b * (size_t)full->n);
        unit[b] = 0;
    }
    for (int b = 0; b < nb; b++) {
        lmb_symmetric_multiply(full, u + (size_t)b * (size_t)full->n, w);
        for (int i = 0; i < full->n; i++)
            if (t->place[i] >= 0 && w[i] != 0)
                all[count++] = (lmb_triplet){n + b, t->place[i], w[i]};
        for (int c = 0; c <= b; c++) {
            double sum = 0;
            for (int i = 0; i < full->n; i++)
                sum += u[(size_t)c * (size_t)full->n + (size_t)i] * w[i];
            all[count++] = (lmb_triplet){n + b, n + c, sum};
        }
    }
    assert_true(count <= room);
    assert_true(lmb_symmetric_of_triplets(out, arena, n + nb, all, count));
    free(u);
    free(all);
}

/* The lowest elastic frequencies of the free, unreduced model. */
static void full_frequencies(double hz[ELASTIC])
{
    lmb_tied t;
    lmb_arena *arena = lmb_arena_new();
    lmb_symmetric K, M;
    lmb_eigen e;
    assert_ok(lmb_tied_find(&t, context, arena, model, points, 2));
    whole_matrix(&t, &model->K, &t.K, arena, &K);
    whole_matrix(&t, &model->M, &t.M, arena, &M);
    lmb_eigen_options options = {.count = RIGID + ELASTIC};
    assert_ok(lmb_eigen_solve(&e, context, arena, &K, &M, &options));
    for (int k = 0; k < ELASTIC; k++)
        hz[k] = sqrt(e.value[RIGID + k]) / (2 * LMB_PI);
    lmb_arena_free(arena);
}

/* The first ten elastic frequencies within 0.1 % with enough modes, and errors that only fall. */
static void reduced_frequencies_are_those_of_the_full_model(void **unused)
{
    (void)unused;
    static const int counts[] = {6, 12, 24, 60};
    double exact[ELASTIC], before[ELASTIC];
    full_frequencies(exact);
    for (int i = 0; i < 4; i++) {
        lmb_reduced *b;
        lmb_reduction options = {.fixed = {.number = counts[i]}};
        assert_ok(lmb_reduce(&b, context, model, points, 2, &options));
        for (int k = 0; k < ELASTIC; k++) {
            double error = b->all_frequency[k] / exact[k] - 1;
            if (getenv("LIMBER_SHOW"))
                printf("%d modes: frequency %d of %g Hz off by %.1e\n", counts[i], k + 1, exact[k],
                       error);
            assert_true(error > -1e-7); /* a subspace: from above */
            assert_true(i == 0 || error <= before[k] + 1e-9);
            assert_true(i < 3 || error < 1e-3);
            before[k] = error;
        }
        lmb_reduced_free(b);
    }
}

/* Loads at the far end, the near one held: what is left of K u inside is nothing, so u is the exact
 * response. */
static void static_response_is_exact(void **unused)
{
    (void)unused;
    lmb_tied t;
    lmb_arena *arena = lmb_arena_new();
    lmb_reduced *b;
    lmb_reduction options = {.fixed = {.number = 4}, .frame = LMB_FRAME_POINT, .frame_point = 0};
    assert_ok(lmb_tied_find(&t, context, arena, model, points, 2));
    assert_ok(lmb_reduce(&b, context, model, points, 2, &options));
    size_t n = (size_t)model->n, modes = (size_t)b->mode_count;
    double *u = calloc(3 * n, sizeof *u), *f = u + n, *psi = f + n;
    for (int load = 0; load < LMB_DIRECTIONS; load++) {
        memset(u, 0, n * sizeof *u);
        for (size_t k = 0; k < modes; k++) {
            double w = 2 * LMB_PI * b->frequency[k];
            double eta = b->point_shape[(LMB_DIRECTIONS + (size_t)load) * modes + k] / (w * w);
            lmb_reduced_displacements(b, model, (int)k, psi);
            for (size_t i = 0; i < n; i++)
                u[i] += eta * psi[i];
        }
        lmb_symmetric_multiply(&model->K, u, f);
        double inside = 0, largest = 0;
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(f[i]));
            inside = fmax(inside, t.place[i] >= 0 ? fabs(f[i]) : 0);
        }
        /* against the stiffness that the displacements go through */
        lmb_symmetric_multiply_absolute(&model->K, u, psi);
        double scale = 0;
        for (size_t i = 0; i < n; i++)
            scale = fmax(scale, psi[i]);
        assert_true(inside < 1e-9 * scale);
        assert_true(largest > 0);
    }
    free(u);
    lmb_reduced_free(b);
    lmb_arena_free(arena);
}

/* Moving the body as a whole takes no force, to rounding. */
static void rigid_motions_meet_no_stiffness(void **unused)
{
    (void)unused;
    size_t n = (size_t)model->n;
    double *u = malloc(3 * n * sizeof *u), *f = u + n, *size = f + n;
    for (int k = 0; k < RIGID; k++) {
        lmb_rigid_motion(model, k, v3(0, 0, -4), u);
        lmb_symmetric_multiply(&model->K, u, f);
        lmb_symmetric_multiply_absolute(&model->K, u, size);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(f[i]) < 1e-11 * (size[i] + 1));
    }
    free(u);
}

/* --- how well fixed-interface modes are known --------------------------------------------------
 */

/* The largest part of K u - w^2 M u of the fixed-interface modes that is left at nodes without an
 * interface, of the largest of w^2 M u. */
typedef struct residual {
    const lmb_fe_model *model;
    const bool *tied; /* nodes */
    int modes;
    double worst;
} residual;

static lmb_status see_basis(void *user, lmb_context *c, int columns, const double *U)
{
    residual *r = user;
    size_t n = (size_t)r->model->n;
    double *Ku = malloc(2 * n * sizeof *Ku), *Mu = Ku + n;
    (void)c;
    for (int k = 0; k < r->modes; k++) {
        const double *u = U + (size_t)(columns - r->modes + k) * n;
        double most = 0, left = 0, uKu = 0, uMu = 0;
        lmb_symmetric_multiply(&r->model->K, u, Ku);
        lmb_symmetric_multiply(&r->model->M, u, Mu);
        for (size_t i = 0; i < n; i++) {
            uKu += u[i] * Ku[i];
            uMu += u[i] * Mu[i];
        }
        for (size_t i = 0; i < n; i++) {
            double w2 = uKu / uMu;
            most = fmax(most, fabs(w2 * Mu[i]));
            if (!r->tied[r->model->node[i]])
                left = fmax(left, fabs(Ku[i] - w2 * Mu[i]));
        }
        r->worst = fmax(r->worst, left / most);
    }
    free(Ku);
    return LMB_OK;
}

/* Shapes to rounding, which differences between neighbours need, of a mesh that is large enough to
 * have shapes of fewer digits otherwise. Residuals of forces have 1e-7 of the shapes times the
 * square of high frequencies over low ones, and are as much smaller to rounding as the condition
 * allows. */
static void shapes_are_accurate_where_asked(void **unused)
{
    (void)unused;
    lmb_mesh *large;
    lmb_fe_model *fe;
    lmb_interface ends[2];
    assert_ok(part_clapper.solid(&large, context, LMB_HEX20, 0.35));
    assert_ok(lmb_fe_assemble(&fe, context, large, 0));
    bool *tied = calloc((size_t)fe->node_count, sizeof *tied);
    for (int p = 0; p < 2; p++) {
        const lmb_node_set *set = lmb_mesh_set(large, part_clapper.points[p].name);
        ends[p] = (lmb_interface){part_clapper.points[p].name, part_clapper.points[p].position,
                                  LMB_TIE_RIGID, set->nodes, set->count};
        for (int i = 0; i < set->count; i++)
            tied[set->nodes[i]] = true;
    }
    double worst[2];
    for (int accurate = 0; accurate < 2; accurate++) {
        residual seen = {.model = fe, .tied = tied, .modes = 6};
        lmb_reduction options = {.fixed = {.number = 6, .accurate = accurate},
                                 .drawn = (int[]){0},
                                 .drawn_count = 1,
                                 .on_basis = see_basis,
                                 .user = &seen};
        lmb_reduced *body;
        assert_ok(lmb_reduce(&body, context, fe, ends, 2, &options));
        lmb_reduced_free(body);
        worst[accurate] = seen.worst;
    }
    assert_true(worst[1] < 0.05 * worst[0]);
    free(tied);
    lmb_arena_free(fe->arena);
    lmb_arena_free(large->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_frequencies_are_those_of_the_full_model),
        cmocka_unit_test(static_response_is_exact),
        cmocka_unit_test(rigid_motions_meet_no_stiffness),
        cmocka_unit_test(shapes_are_accurate_where_asked),
    };
    return cmocka_run_group_tests(tests, make_clapper, free_clapper);
}
