/* Residual displacements: closed forms of a free bar under balanced loads, and stresses that do not
 * depend on the number of modes. */
#include <math.h>
#include <stdlib.h>

#include "meshes.h"
#include "models.h"
#include "reduction/body_data.h"
#include "reduction/residual.h"
#include "support.h"

enum { ALONG = 8 };

static const double E = 2e11, DENSITY = 8000, WIDTH = 0.12, HEIGHT = 0.08; /* length 1 m */

/* A bar along x with points A and B on its end faces. */
typedef struct bar {
    lmb_mesh *mesh;
    lmb_fe_model *model;
    lmb_interface points[2];
} bar;

static bar make_bar(double nu, lmb_tie tie)
{
    const int cells[3] = {ALONG, 2, 2};
    const lmb_material material = {"steel", E, nu, DENSITY, false};
    bar b = {.mesh = box_mesh(LMB_HEX20, cells, v3(1, WIDTH, HEIGHT), material, NULL)};
    b.model = model_of(b.mesh);
    for (int p = 0; p < 2; p++) {
        lmb_interface *point = &b.points[p];
        *point = (lmb_interface){.name = p ? "B" : "A",
                                 .position = v3(p, WIDTH / 2, HEIGHT / 2),
                                 .tie = tie,
                                 .nodes = malloc((size_t)b.model->node_count * sizeof(int))};
        for (int i = 0; i < b.model->node_count; i++)
            if (fabs(b.model->x[i].x - p) < 1e-9)
                point->nodes[point->count++] = i;
    }
    return b;
}

static void free_bar(bar *b)
{
    free(b->points[0].nodes);
    free(b->points[1].nodes);
    lmb_arena_free(b->model->arena);
    lmb_arena_free(b->mesh->arena);
}

static lmb_body_data *reduce(const bar *b, lmb_mode_choice keep)
{
    lmb_arena *arena;
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    d->arena = arena;
    lmb_reduction options = {.fixed = {.number = 40}, .keep = keep, .residual = true};
    assert_ok(lmb_reduce_body(d, context, b->model, b->points, 2, &options));
    assert_int_equal(d->load_count, 2 * 6 + 6);
    return d;
}

static void free_body(lmb_body_data *d)
{
    lmb_reduced_free(d->reduced);
    lmb_arena_free(d->arena);
}

static double stress_xx(const lmb_body_data *d, int column, int place)
{
    size_t at = (size_t)column * (size_t)d->stress_count + (size_t)place;
    return d->stress[at * LMB_STRESSES + LMB_SXX];
}

/* A unit force on the end B accelerates the bar, so that the section at x pulls the mass on its
 * left: N = x / L. The first mode, bending, has no part in it. Displacements are quadratic and nu =
 * 0, so the elements are exact. */
static void axial_force_is_balanced_by_inertia(void **unused)
{
    (void)unused;
    bar b = make_bar(0, LMB_TIE_RIGID);
    lmb_body_data *d = reduce(&b, (lmb_mode_choice){.number = 1});
    double area = WIDTH * HEIGHT;
    for (int i = 0; i < d->stress_count; i++) {
        double x = b.model->x[d->stress_node[i]].x;
        assert_close(stress_xx(d, 1 + 6 + LMB_UX, i), x / area, 1e-7 / area);
        assert_close(stress_xx(d, 1 + LMB_UX, i), -(1 - x) / area, 1e-7 / area);
    }
    free_body(d);
    free_bar(&b);
}

/* Spin about z: sigma = rho (L^2/4 - s^2) / 2 at the distance s from the middle. Elements are
 * linear in sigma, so they are off by the change of its second derivative over an element. */
static void centrifugal_stress_is_a_parabola(void **unused)
{
    (void)unused;
    bar b = make_bar(0, LMB_TIE_RIGID);
    lmb_body_data *d = reduce(&b, (lmb_mode_choice){.number = 1});
    double h = 1.0 / ALONG, allowed = DENSITY * h * h / 4;
    for (int i = 0; i < d->stress_count; i++) {
        double s = b.model->x[d->stress_node[i]].x - 0.5;
        assert_close(stress_xx(d, 1 + 12 + 2, i), DENSITY * (0.25 - s * s) / 2, allowed);
        assert_close(stress_xx(d, 1 + 12 + 1, i), DENSITY * (0.25 - s * s) / 2, allowed);
        assert_close(stress_xx(d, 1 + 12 + 0, i), 0, allowed); /* about its own axis */
    }
    free_body(d);
    free_bar(&b);
}

/* A free bar has the static flexibility L / (3 E A) against a force on its end, of which the n-th
 * axial mode has 2 L / (n^2 pi^2 E A): the first one 6 / pi^2 of the whole. */
static void first_axial_mode_has_its_share(void **unused)
{
    (void)unused;
    bar b = make_bar(0, LMB_TIE_RIGID);
    lmb_body_data *all = reduce(&b, (lmb_mode_choice){0});
    double axial = sqrt(E / DENSITY) / 2;
    int mode = 0;
    for (int k = 0; k < all->reduced->all_count; k++)
        if (fabs(all->reduced->all_frequency[k] / axial - 1) < 1e-3)
            mode = k + 1;
    assert_true(mode > 0);
    lmb_body_data *one = reduce(&b, (lmb_mode_choice){.list = &mode, .list_count = 1});
    for (int p = 0; p < 2; p++) {
        const double *share = one->reduced->flexibility + (ptrdiff_t)p * LMB_DIRECTIONS;
        assert_close(share[LMB_UX], 6 / (LMB_PI * LMB_PI), 1e-3);
        for (int k = LMB_UY; k < LMB_DIRECTIONS; k++)
            assert_close(share[k], 0, 1e-9);
        for (int k = 0; k < LMB_DIRECTIONS; k++) {
            double kept = all->reduced->flexibility[p * LMB_DIRECTIONS + k];
            assert_true(kept > 0.99 && kept < 1 + 1e-9);
        }
    }
    free_body(all);
    free_body(one);
    free_bar(&b);
}

/* The stress at a place under slow loads on the points: modes follow by Psi^T p / w^2. */
static double loaded_stress(const lmb_body_data *d, const double p[12], int place, int component)
{
    const lmb_reduced *r = d->reduced;
    double sum = 0;
    for (int k = 0; k < lmb_stress_columns(d); k++) {
        double e = 0, w = k < r->mode_count ? 2 * LMB_PI * r->frequency[k] : 0;
        for (int j = 0; j < 12; j++)
            e += k < r->mode_count ? p[j] * r->point_shape[j * r->mode_count + k] / (w * w)
                                   : p[j] * (k == r->mode_count + j);
        size_t at = (size_t)k * (size_t)d->stress_count + (size_t)place;
        sum += e * d->stress[at * LMB_STRESSES + (size_t)component];
    }
    return sum;
}

/* Rounding: stresses of displacements that are solved for with a condition of 1e8. */
static void stress_does_not_depend_on_the_modes(void **unused)
{
    (void)unused;
    static const lmb_tie ties[] = {LMB_TIE_RIGID, LMB_TIE_AVERAGE};
    const double p[12] = {1000, -300, 200, 20, -50, 30, -400, 100, 300, -10, 60, 70};
    for (int tie = 0; tie < 2; tie++) {
        bar b = make_bar(0.3, ties[tie]);
        lmb_body_data *few = reduce(&b, (lmb_mode_choice){.number = 2});
        lmb_body_data *more = reduce(&b, (lmb_mode_choice){.number = 9});
        lmb_body_data *all = reduce(&b, (lmb_mode_choice){0});
        double largest = 0;
        for (int i = 0; i < all->stress_count; i++)
            for (int k = 0; k < LMB_STRESSES; k++)
                largest = fmax(largest, fabs(loaded_stress(all, p, i, k)));
        for (int i = 0; i < all->stress_count; i++)
            for (int k = 0; k < LMB_STRESSES; k++) {
                double expected = loaded_stress(all, p, i, k);
                assert_close(loaded_stress(few, p, i, k), expected, 1e-7 * largest);
                assert_close(loaded_stress(more, p, i, k), expected, 1e-7 * largest);
            }
        free_body(few);
        free_body(more);
        free_body(all);
        free_bar(&b);
    }
}

/* Held on modes of another body, the residual is the same where the body is the same. */
static void held_modes_have_the_same_residual(void **unused)
{
    (void)unused;
    bar b = make_bar(0.3, LMB_TIE_AVERAGE);
    lmb_reduction options = {.fixed = {.number = 6}, .keep = {.number = 4}, .residual = true};
    lmb_reduced *own, *held;
    assert_ok(lmb_reduce(&own, context, b.model, b.points, 2, &options));
    options.held = own;
    assert_ok(lmb_reduce(&held, context, b.model, b.points, 2, &options));
    size_t n = (size_t)b.model->n;
    for (size_t j = 0; j < (size_t)own->load_count; j++) {
        double most = 0;
        for (size_t i = 0; i < n; i++)
            most = fmax(most, fabs(own->residual[j * n + i]));
        for (size_t i = 0; i < n; i++)
            assert_close(held->residual[j * n + i], own->residual[j * n + i], 1e-6 * most);
    }
    lmb_reduced_free(own);
    lmb_reduced_free(held);
    free_bar(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axial_force_is_balanced_by_inertia),
        cmocka_unit_test(centrifugal_stress_is_a_parabola),
        cmocka_unit_test(first_axial_mode_has_its_share),
        cmocka_unit_test(stress_does_not_depend_on_the_modes),
        cmocka_unit_test(held_modes_have_the_same_residual),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
