/* A bar of solids without mass that carries point masses, through the built program. Without
 * Poisson's ratio its axial stiffness is EA/L exactly, so that f = sqrt(EA / (L m)) / 2 pi. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "strip.h"
#include "support.h"

enum { LAYERS = 8, SIDE = 3, SECTION = SIDE * SIDE, LAST = LAYERS * SECTION };

static const double E = 2e11, width = 0.1, L = 1, mass = 3;

/* The mesh: 2 x 2 cells across and LAYERS along z; node 1 is a corner of the section at z = 0. */
static const char *bar(void)
{
    char text[20000], *at = text;
    at += sprintf(at, "*NODE, NSET=ALL\n");
    for (int i = 0; i < LAST + SECTION; i++)
        at += sprintf(at, "%d, %g, %g, %g\n", i + 1, (i % SIDE - 1) * width / 2,
                      (i / SIDE % SIDE - 1) * width / 2, i / SECTION * L / LAYERS);
    at += sprintf(at, "*ELEMENT, TYPE=C3D8I, ELSET=BAR\n");
    for (int e = 0; e < 4 * LAYERS; e++) {
        int a = e / 4 * SECTION + e % 4 / 2 * SIDE + e % 2 + 1, b = a + SECTION;
        at += sprintf(at, "%d, %d,%d,%d,%d, %d,%d,%d,%d\n", e + 1, a, a + 1, a + SIDE + 1, a + SIDE,
                      b, b + 1, b + SIDE + 1, b + SIDE);
    }
    sprintf(at,
            "*NSET, NSET=ROOT, GENERATE\n1, %d, 1\n*NSET, NSET=TIP, GENERATE\n%d, %d, 1\n"
            "*MATERIAL, NAME=EL\n*ELASTIC\n%g, 0\n*SOLID SECTION, ELSET=BAR, MATERIAL=EL\n",
            SECTION, LAST + 1, LAST + SECTION, E);
    return scratch_text("bar.inp", text);
}

static const char *model(const char *body)
{
    char text[2000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  bar:\n    mesh: {file: %s}\n%s"
             "joints: {clamp: {type: fixed, between: [ground, bar.root]}}\n"
             "analyses: {rest: {type: modes}}\n",
             bar(), body);
    return scratch_text("bar.yaml", text);
}

static lmb_run_result reduce(const char *body)
{
    return run_limber("reduce %s -o %s --json --quiet --no-cache", model(body),
                      scratch_path("bar.h5"));
}

static double axial(void)
{
    return sqrt(E * width * width / (L * mass)) / (2 * LMB_PI);
}

/* Masses on the nodes of the tip by their share of its area, so that it moves along the bar as a
 * plane: 27 directions have mass, and there are as many modes, however many are asked for. */
static void test_modes_are_as_many_as_masses(void **state)
{
    (void)state;
    char body[1000] = "    masses:\n", *at = body + strlen(body);
    for (int i = 0; i < SECTION; i++)
        at += sprintf(at, "      m%d: {node: %d, mass: %g}\n", i, LAST + i + 1,
                      mass / 16 * (i % SIDE == 1 ? 2 : 1) * (i / SIDE == 1 ? 2 : 1));
    sprintf(at, "    interfaces: {root: {nodes: ROOT}}\n"
                "    reduction: {modes: 40, frame: {point: root}}\n");
    lmb_run_result run = reduce(body);
    assert_runs(&run);
    double kept[40], off = 1;
    assert_int_equal(numbers_of(run.out, "kept", 0, kept, 40), 27);
    for (int i = 0; i < 27; i++)
        off = fmin(off, fabs(kept[i] / axial() - 1));
    assert_true(off < 1e-9); /* rounding of K: 1e-16 times stiffest over softest, 1e6 */
    free_run(&run);
}

/* One mass on a rigid tip has no rotary inertia: the rotations of the tip follow statically. In
 * bending f = sqrt(3 EI / (L^3 m)) / 2 pi. Shear lowers it by E h^2 / (5 G L^2) / 2 = 0.2 %;
 * moments that are constant in each element raise it by 1 / (8 LAYERS^2) = 0.2 %. */
static void test_static_part(void **state)
{
    (void)state;
    static const char body[] = "    masses: {tip: {node: 77, mass: 3}}\n"
                               "    interfaces: {root: {nodes: ROOT}, tip: {nodes: TIP}}\n";
    lmb_run_result run = reduce(body);
    assert_runs(&run);
    assert_non_null(strstr(run.err, "its frame is fixed to the interface 'root'"));
    assert_non_null(strstr(run.err, "3 of 6 motions of the reduced body move no mass"));
    double kept[30], bending = sqrt(pow(width, 4) / 4 * E / (L * L * L * mass)) / (2 * LMB_PI);
    assert_int_equal(numbers_of(run.out, "kept", 0, kept, 30), 3);
    assert_close(kept[0] / bending, 1, 5e-3);
    assert_close(kept[1] / kept[0], 1, 1e-9);
    assert_close(kept[2] / axial(), 1, 1e-9);
    free_run(&run);
    /* the clamped bar vibrates with these frequencies */
    run = run_limber("modes %s --json --no-cache", model(body));
    assert_runs(&run);
    for (int i = 0; i < 3; i++) {
        double f;
        assert_int_equal(numbers_of(run.out, "frequency", i, &f, 1), 1);
        assert_close(f / kept[i], 1, 1e-9);
    }
    free_run(&run);
}

static void test_no_mass(void **state)
{
    (void)state;
    check_run(reduce("    interfaces: {root: {nodes: ROOT}}\n"), 3,
              "hint: the material 'EL' has no density: add 'materials: {EL: {density: 7850}}'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_are_as_many_as_masses),
        cmocka_unit_test(test_static_part),
        cmocka_unit_test(test_no_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
