/* What moves in the picture of a rotor: shaft, discs and supports under unbalance at each speed and
 * in a run-up, and supports in its vibrations. */
#include "support.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/skin_beams.h"
#include "math/vec.h"
#include "models.h"
#include "rotors.h"

enum { SHAFT, DISCS, SUPPORTS, BODIES };

/* A wheel beyond the second bearing, which stands on a pedestal; the planes differ, and the run-up
 * passes the lowest critical speed. */
static const char overhanging[] =
    "limber: 1\n"
    "dimension: 3\n"
    "gravity: [0, -9.81, 0]\n"
    "rotor:\n"
    "  speed: 250\n"
    "  speeds: [0, 400, 41]\n"
    "  modes: 40\n"
    "  shaft:\n"
    "    - {length: 0.5, diameter: 0.03, elements: 10}\n"
    "    - {length: 0.2, diameter: 0.03, elements: 4}\n"
    "  discs:\n"
    "    wheel: {at: 0.7, diameter: 0.3, thickness: 0.03, unbalance: 1e-4, damping: 30}\n"
    "    half: {at: 0, mass: 1, unbalance: 2e-5, phase: 1}\n"
    "  bearings:\n"
    "    left: {at: 0.05, stiffness: [2e7, 1e7], damping: 500}\n"
    "    right: {at: 0.5, stiffness: 1e7, damping: 500, support: {mass: 10, stiffness: [3e7, "
    "2e7]}}\n"
    "  probes:\n"
    "    middle: {at: 0.3}\n"
    "  run_up: {duration: 2, to: 300}\n";

static lmb_skin skins[BODIES];
static double *factors; /* of all shapes of a skin */

static int start(void **unused)
{
    (void)unused;
    open_models(NULL);
    solve_rotor(overhanging);
    assert_int_equal(lmb_rotor_bodies(results), BODIES);
    for (int b = 0; b < BODIES; b++)
        assert_ok(lmb_rotor_skin(&skins[b], arena, context, results, b));
    factors = lmb_arena_numbers(arena, (size_t)skins[0].mode_count + 1);
    return 0;
}

static int stop(void **unused)
{
    (void)unused;
    close_rotor();
    return close_models(NULL);
}

/* The mean displacement of the nodes at a place along x, give or take some. */
static vec3 drawn_at(const lmb_skin *skin, double x, double reach)
{
    int count = 0;
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < skin->node_count; i++) {
        if (fabs((double)skin->nodes[3 * i] - x) > reach)
            continue;
        count++;
        for (int j = 0; j < skin->mode_count; j++)
            for (int k = 0; k < 3; k++)
                sum[k] += factors[j] * (double)skin->shapes[3 * (j * skin->node_count + i) + k];
    }
    assert_true(count > 0);
    return v3(sum[0] / count, sum[1] / count, sum[2] / count);
}

/* Sets the factors of the basis from a row of y and one of z; vibrations have none. */
static void take_rows(int y, int z)
{
    const lmb_rotor_basis *b = &results->basis;
    for (int j = 0; j < skins[0].mode_count; j++)
        factors[j] = 0;
    for (int j = 0; j < b->count; j++) {
        factors[2 * j] = b->factor[j][y];
        factors[2 * j + 1] = b->factor[j][z];
    }
}

/* Compares with a deflection; what is left out of the basis and what its factors are rounded by are
 * each at most a tolerance of the largest one. */
static void check_drawn(vec3 drawn, double y, double z, double largest)
{
    double allowed = 2 * LMB_ROTOR_BASIS_TOLERANCE * largest;
    assert_true(results->basis.count < 64);
    assert_float_equal(drawn.x, 0, allowed);
    assert_float_equal(drawn.y, y, allowed);
    assert_float_equal(drawn.z, z, allowed);
}

/* All nodes and the support at each speed are where the equations say, at two phases. */
static void test_steady(void **unused)
{
    (void)unused;
    size_t room = (size_t)s->scalars + 1;
    lmb_complex *y = lmb_arena_alloc(arena, room, sizeof *y),
                *z = lmb_arena_alloc(arena, room, sizeof *z);
    assert_true(results->basis.count > 1);
    for (int i = 1; i < results->rotor.steps; i++) {
        double largest = 0;
        assert_ok(lmb_rotor_unbalance(results->system, lmb_rotor_speed(&results->rotor, i), y, z));
        for (int n = 0; n < s->node_count; n++)
            largest = fmax(largest, lmb_orbit_of(y[s->unknown[n]], z[s->unknown[n]]).major);
        for (int k = 0; k < 2; k++) {
            lmb_complex turn = k == 0 ? 1 : CMPLX(0, 1);
            take_rows(LMB_STEADY_ROWS * i + k, LMB_STEADY_ROWS * i + LMB_STEADY_Z + k);
            for (int n = 0; n < s->node_count; n++) {
                int u = s->unknown[n];
                check_drawn(drawn_at(&skins[SHAFT], s->x[n], 1e-6), creal(turn * y[u]),
                            creal(turn * z[u]), largest);
            }
            int support = s->bearing_support[1];
            check_drawn(drawn_at(&skins[SUPPORTS], 0.5, 0.1), creal(turn * y[support]),
                        creal(turn * z[support]), largest);
        }
    }
}

/* The shaft of the run-up goes through what its channels have, and bows out and back. */
static void test_run_up(void **unused)
{
    (void)unused;
    const lmb_run_up *u = &results->run_up;
    double largest = 0;
    for (int k = 0; k < s->station_count; k++)
        largest = fmax(largest, u->most[k]);
    int wheel = 0;
    assert_string_equal(s->stations[wheel].name, "wheel");
    assert_float_equal(u->most[wheel], largest, 0);
    assert_true(u->count > 1000);
    for (int i = 0; i < u->count; i += 37) {
        const double *y = u->y + i * s->station_count, *z = u->z + i * s->station_count;
        take_rows(u->first_row + 2 * i, u->first_row + 2 * i + 1);
        for (int k = 0; k < s->station_count; k++)
            check_drawn(drawn_at(&skins[SHAFT], s->x[s->stations[k].node], 1e-6), y[k], z[k],
                        largest);
        /* both faces and the rim of the wheel: its centre */
        check_drawn(drawn_at(&skins[DISCS], 0.7, 0.1), y[wheel], z[wheel], largest);
    }
    int last = (u->count - 1) * s->station_count;
    assert_true(u->at[wheel] > 100 && u->at[wheel] < 290);
    assert_true(hypot(u->y[last], u->z[last]) < 0.6 * largest);
}

/* A support moves in the vibrations, too; all of these are drawn. */
static void test_vibrations(void **unused)
{
    (void)unused;
    int first = 2 * results->basis.count, moved = 0, count = results->service.count;
    assert_int_equal(count, 40);
    for (int b = 0; b < BODIES; b++)
        assert_int_equal(skins[b].mode_count, first + 2 * count);
    for (int k = 0; k < count; k++) {
        const lmb_whirl *m = &results->service.modes[k];
        int support = s->bearing_support[1];
        const double phase = 0.7;
        for (int j = 0; j < skins[0].mode_count; j++)
            factors[j] = 0;
        factors[first + 2 * k] = cos(phase);
        factors[first + 2 * k + 1] = sin(phase);
        vec3 drawn = drawn_at(&skins[SUPPORTS], 0.5, 0.1);
        /* single precision, of shapes up to 1 */
        assert_float_equal(drawn.y, creal(m->y[support] * cexp(CMPLX(0, phase))), 1e-6);
        assert_float_equal(drawn.z, creal(m->z[support] * cexp(CMPLX(0, phase))), 1e-6);
        assert_float_equal(skins[SUPPORTS].frequency[first + 2 * k], m->frequency / (2 * LMB_PI),
                           1e-9 * m->frequency);
        moved += v3_norm(drawn) > 0.01;
    }
    assert_true(moved > 1);
}

/* The bearing on the pedestal goes with it, and a spring holds that from below. */
static void test_geometry(void **unused)
{
    (void)unused;
    lmb_arena *own = lmb_arena_new();
    lmb_geometry geometry;
    assert_true(lmb_rotor_geometry(&geometry, own, model, results));
    char *text = lmb_geometry_text(&geometry);
    const char *left = strstr(text, "\"name\": \"left\""),
               *right = strstr(text, "\"name\": \"right\""),
               *spring = strstr(text, "\"type\": \"spring\"");
    assert_non_null(strstr(text, "\"modes_of\": \"rotor\""));
    assert_true(left && right && spring && left < right && right < spring);
    assert_non_null(strstr(left, "\"bodies\": [0, 1]"));
    assert_true(strstr(left, "\"bodies\": [0, 1]") < right);
    assert_non_null(strstr(right, "\"bodies\": [3, 1]"));
    assert_non_null(strstr(spring, "\"bodies\": [0, 3]"));
    assert_null(strstr(spring + 1, "\"type\": \"spring\""));
    double from[3], to[3];
    assert_int_equal(
        sscanf(strstr(spring, "\"at\""), "\"at\": [%lf, %lf, %lf]", &from[0], &from[1], &from[2]),
        3);
    assert_int_equal(
        sscanf(strstr(spring, "\"at_b\""), "\"at_b\": [%lf, %lf, %lf]", &to[0], &to[1], &to[2]), 3);
    assert_true(from[1] < to[1] && to[1] < 0);
    assert_float_equal(to[0], 0.5, 1e-12);
    free(text);
    lmb_arena_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady), cmocka_unit_test(test_run_up),
                                       cmocka_unit_test(test_vibrations),
                                       cmocka_unit_test(test_geometry)};
    return cmocka_run_group_tests(tests, start, stop);
}
