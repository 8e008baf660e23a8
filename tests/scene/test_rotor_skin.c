/* What is drawn of a rotor: places, sizes, shapes, and the sense in which they run. */
#include "support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/skin_beams.h"
#include "math/vec.h"
#include "models.h"
#include "rotors.h"
#include "skins.h"

enum { SHAFT, DISCS };

static const char stepped[] = "limber: 1\n"
                              "dimension: 3\n"
                              "rotor:\n"
                              "  speed: 100\n"
                              "  shaft:\n"
                              "    - {length: 0.3, diameter: 0.04}\n"
                              "    - {length: 0.2, diameter: 0.06, bore: 0.02}\n"
                              "    - {length: 0.1, diameter: 0.06, end_diameter: 0.04}\n"
                              "  discs:\n"
                              "    wheel: {at: 0.4, diameter: 0.3, thickness: 0.03}\n"
                              "    mass: {at: 0.1, mass: 2}\n"
                              "  bearings:\n"
                              "    left: {at: 0, type: pinned}\n"
                              "    right: {at: 0.3, stiffness: [2e7, 1e7]}\n"
                              "  seals:\n"
                              "    ring: {at: 0.45, stiffness: 1e5}\n";

static lmb_skin skins[2];

static int start(void **unused)
{
    (void)unused;
    open_models(NULL);
    solve_rotor(stepped);
    for (int b = 0; b < 2; b++)
        assert_ok(lmb_rotor_skin(&skins[b], arena, context, results, b));
    return 0;
}

static int stop(void **unused)
{
    (void)unused;
    close_rotor();
    return close_models(NULL);
}

/* Regular prisms with 32 sides stand for cylinders. */
static double prism(double radius, double length)
{
    return 16 * sin(2 * LMB_PI / 32) * radius * radius * length;
}

static void test_solids(void **unused)
{
    (void)unused;
    double cone = (prism(0.03, 0.1) + prism(0.02, 0.1) + prism(sqrt(0.03 * 0.02), 0.1)) / 3;
    double shaft = prism(0.02, 0.3) + prism(0.03, 0.2) - prism(0.01, 0.2) + cone;
    /* single precision of places; a mass alone is 2 kg of steel as a cylinder, 7800 kg/m^3 */
    assert_float_equal(skin_volume(&skins[SHAFT]), shaft, 1e-5 * shaft);
    double discs = prism(0.15, 0.03) + prism(1, 2 / 7800.0 / LMB_PI);
    assert_float_equal(skin_volume(&skins[DISCS]), discs, 1e-5 * discs);
    float low = 1, high = -1, wide = 0;
    for (int i = 0; i < skins[DISCS].node_count; i++) {
        const float *p = skins[DISCS].nodes + 3 * i;
        if (fabsf(p[0] - 0.4f) > 0.1f)
            continue;
        low = fminf(low, p[0]);
        high = fmaxf(high, p[0]);
        wide = fmaxf(wide, p[1]);
    }
    assert_float_equal(low, 0.385, 1e-6);
    assert_float_equal(high, 0.415, 1e-6);
    assert_float_equal(wide, 0.15, 1e-6);
}

/* Sections stay plane and turn as a whole: the tilt is that of the nodes at the ends, and the slope
 * of the axis less the tilt, the shear angle, is the same all along an element. */
static void test_tilt(void **unused)
{
    (void)unused;
    const lmb_complex *u = results->service.modes[0].y;
    const double d = 1e-5;
    for (int e = 0; e < s->element_count; e++) {
        double length = s->elements[e].length;
        lmb_complex ends[2] = {u[s->unknown[s->elements[e].first] + 1],
                               u[s->unknown[s->elements[e].second] + 1]};
        double scale = cabs(ends[0]) + cabs(ends[1]) + 1e-3;
        lmb_complex shear[3], tilt;
        for (int k = 0; k < 2; k++) {
            lmb_rotor_deflection(s, e, k, u, &tilt);
            assert_true(cabs(tilt - ends[k]) < 1e-12 * scale);
        }
        for (int k = 0; k < 3; k++) {
            double at = 0.2 + 0.3 * k;
            lmb_complex after = lmb_rotor_deflection(s, e, at + d, u, NULL),
                        before = lmb_rotor_deflection(s, e, at - d, u, NULL);
            lmb_rotor_deflection(s, e, at, u, &tilt);
            shear[k] = (after - before) / (2 * d * length) - tilt;
        }
        /* differences: rounding of 1e-16 over the step, and its square */
        assert_true(cabs(shear[1] - shear[0]) < 1e-6 * scale);
        assert_true(cabs(shear[2] - shear[0]) < 1e-6 * scale);
    }
}

/* The mean displacement of the nodes of the wheel at a phase: that of its centre. */
static void centre_of_wheel(int mode, double phase, double out[3])
{
    const lmb_skin *skin = &skins[DISCS];
    int n = skin->node_count, count = 0;
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < n; i++) {
        if (fabsf(skin->nodes[3 * i] - 0.4f) > 0.1f)
            continue;
        count++;
        for (int k = 0; k < 3; k++)
            out[k] += cos(phase) * skin->shapes[3 * (2 * mode * n + i) + k] +
                      sin(phase) * skin->shapes[3 * ((2 * mode + 1) * n + i) + k];
    }
    for (int k = 0; k < 3; k++)
        out[k] /= count;
}

/* Forward whirl runs from y to z as the phase grows, which is the sense of a rotation about x. */
static void test_sense(void **unused)
{
    (void)unused;
    int seen[2] = {0, 0};
    for (int k = 0; k < results->service.count; k++) {
        const lmb_whirl *m = &results->service.modes[k];
        double a[3], b[3];
        int u = s->unknown[s->disc_node[0]];
        assert_string_equal(results->rotor.discs[0].name, "wheel");
        centre_of_wheel(k, 0.3, a);
        centre_of_wheel(k, 0.4, b);
        assert_float_equal(a[0], 0, 1e-6);
        assert_float_equal(a[1], creal(m->y[u] * cexp(CMPLX(0, 0.3))), 1e-6);
        assert_float_equal(a[2], creal(m->z[u] * cexp(CMPLX(0, 0.3))), 1e-6);
        if (m->mixed || fabs(m->sense) < 0.5)
            continue;
        seen[m->sense > 0]++;
        assert_true((a[1] * b[2] - a[2] * b[1]) * m->sense > 0);
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
}

static void test_geometry(void **unused)
{
    (void)unused;
    static const char *const pieces[] = {"\"name\": \"rotor\"", "\"name\": \"discs\"",
                                         "\"wheel\": [0.4",     "\"type\": \"bearing\"",
                                         "\"type\": \"seal\"",  "\"radius\": 0.029999999999999999",
                                         "\"shape\": null",     "\"gravity\": [0, 0, 0]"};
    lmb_arena *own = lmb_arena_new();
    lmb_geometry geometry;
    assert_true(lmb_rotor_geometry(&geometry, own, model, results));
    char *text = lmb_geometry_text(&geometry);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(text, pieces[i]))
            fail_msg("no %s in %s", pieces[i], text);
    free(text);
    lmb_arena_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solids), cmocka_unit_test(test_tilt),
                                       cmocka_unit_test(test_sense),
                                       cmocka_unit_test(test_geometry)};
    return cmocka_run_group_tests(tests, start, stop);
}
