/* Materials of a mesh file that the model file replaces or completes, through the built program:
 * masses are densities times volumes, and frequencies grow with the root of the modulus. */
#include <stdio.h>
#include <string.h>

#include "strip.h"
#include "support.h"

/* Two cubes with edges of 1 m on each other, in mm and tonnes; material A has no density. */
static const char file[] = "*NODE\n1,0,0,0\n2,1e3,0,0\n3,1e3,1e3,0\n4,0,1e3,0\n"
                           "5,0,0,1e3\n6,1e3,0,1e3\n7,1e3,1e3,1e3\n8,0,1e3,1e3\n"
                           "9,0,0,2e3\n10,1e3,0,2e3\n11,1e3,1e3,2e3\n12,0,1e3,2e3\n"
                           "*ELEMENT, TYPE=C3D8, ELSET=EA\n1, 1,2,3,4,5,6,7,8\n"
                           "*ELEMENT, TYPE=C3D8, ELSET=EB\n2, 5,6,7,8,9,10,11,12\n"
                           "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=HIGH\n9,10,11,12\n"
                           "*MATERIAL, NAME=A\n*ELASTIC\n2e5, 0.3\n"
                           "*MATERIAL, NAME=B\n%s*DENSITY\n2.5e-9\n"
                           "*MATERIAL, NAME=UNUSED\n*DENSITY\n1e-9\n"
                           "*SOLID SECTION, ELSET=EA, MATERIAL=A\n"
                           "*SOLID SECTION, ELSET=EB, MATERIAL=B\n";

/* The text of a model of the file with further keys of its mesh. */
static const char *model(const char *elastic, const char *keys)
{
    char text[2000];
    snprintf(text, sizeof text, file, elastic);
    const char *mesh = scratch_text("cubes.inp", text);
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  part:\n    mesh: {file: %s, units: mm-t-s%s}\n"
             "    interfaces: {A: {nodes: LOW}, B: {nodes: HIGH}}\n    reduction: {modes: 0}\n",
             mesh, keys);
    return scratch_text("cubes.yaml", text);
}

#define ELASTIC "*ELASTIC\n7e4, 0.3\n"

static lmb_run_result reduce(const char *elastic, const char *keys)
{
    return run_limber("reduce %s -o %s --json --quiet --no-cache", model(elastic, keys),
                      scratch_path("cubes.h5"));
}

/* The mass with some keys, and the first frequency. */
static double mass_of(const char *elastic, const char *keys, double *frequency)
{
    double mass;
    lmb_run_result run = reduce(elastic, keys);
    assert_runs(&run);
    assert_int_equal(numbers_of(run.out, "mass", 0, &mass, 1), 1);
    assert_int_equal(numbers_of(run.out, "kept", 0, frequency, 1), 1);
    free_run(&run);
    return mass;
}

/* Numbers of the model file are in SI, whatever the units of the mesh are. */
static void test_masses(void **state)
{
    (void)state;
    double f, stiff;
    assert_close(mass_of(ELASTIC, "", &f), 2500, 1e-9);
    assert_close(mass_of(ELASTIC, ", materials: {A: {density: 7850}}", &f), 7850 + 2500, 1e-8);
    assert_close(mass_of(ELASTIC, ", materials: {a: steel, B: {density: 1000}}", &f), 7850 + 1000,
                 1e-8);
    /* four times as stiff: twice the frequency */
    mass_of(ELASTIC, ", materials: {A: {E: 2e11, density: 7850}}", &f);
    mass_of(ELASTIC, ", materials: {A: {E: 8e11, density: 7850}, B: {E: 28e10}}", &stiff);
    assert_close(stiff / f, 2, 1e-9);
}

/* A material without a modulus is completed, or replaced by that of elements without one. */
static void test_modulus(void **state)
{
    (void)state;
    double f, completed;
    mass_of(ELASTIC, ", materials: {A: {density: 7850}}", &f);
    double mass =
        mass_of("", ", materials: {A: {density: 7850}, B: {E: 7e10, nu: 0.3}}", &completed);
    assert_close(mass, 7850 + 2500, 1e-8);
    assert_close(completed / f, 1, 1e-12);
    check_run(reduce("", ", material: steel"), 0,
              "the material 'B' of '"); /* that is in the file, but good for nothing */
    check_run(reduce("", ""), 3, "has no modulus of elasticity\n");
    check_run(reduce("", ", materials: {B: {density: 3}}"), 3,
              "hint: add it to the mesh, such as 'materials: {B: steel}'");
    check_run(reduce("", ", materials: {B: {E: 7e10}}"), 3, "the material 'B' of '");
}

static void test_names(void **state)
{
    (void)state;
    check_run(reduce(ELASTIC, ", materials: {UNUSE: steel}"), 3,
              "hint: did you mean 'UNUSED'? it has A, B, UNUSED");
    check_run(reduce(ELASTIC, ", materials: {steel: steel}"), 3, "hint: it has A, B, UNUSED");
    check_run(reduce(ELASTIC, ", materials: {A: steel, UNUSED: steel}"), 0,
              "has the material 'UNUSED'");
    check_run(reduce(ELASTIC, ", materials: {A: {nu: 0.5}}"), 3,
              "Poisson's ratio of the material 'A' is 0.5");
    check_run(reduce(ELASTIC, ", materials: {B: {density: 0}}"), 3,
              "add 'materials: {A: {density: 7850}}'");
}

/* Ansys numbers its materials. */
static void test_numbers(void **state)
{
    (void)state;
    scratch_text("cube.cdb",
                 "ET,1,185\nNBLOCK,3\n(i8,3e20.9)\n"
                 "       1     0.000000000E+00     0.000000000E+00     0.000000000E+00\n"
                 "       2     1.000000000E+00     0.000000000E+00     0.000000000E+00\n"
                 "       3     1.000000000E+00     1.000000000E+00     0.000000000E+00\n"
                 "       4     0.000000000E+00     1.000000000E+00     0.000000000E+00\n"
                 "       5     0.000000000E+00     0.000000000E+00     1.000000000E+00\n"
                 "       6     1.000000000E+00     0.000000000E+00     1.000000000E+00\n"
                 "       7     1.000000000E+00     1.000000000E+00     1.000000000E+00\n"
                 "       8     0.000000000E+00     1.000000000E+00     1.000000000E+00\n"
                 "-1\nEBLOCK,19,SOLID\n(19i9)\n"
                 "        3        1        1        1        0        0        0        0"
                 "        8        0        1        1        2        3        4        5"
                 "        6        7        8\n-1\nMP,EX,3,2e11\nMP,NUXY,3,0.3\n");
    scratch_text("cube.yaml",
                 "limber: 1\ndimension: 3\nbodies:\n  part:\n"
                 "    mesh: {file: cube.cdb, materials: {3: {density: 1200}}}\n"
                 "    interfaces: {A: {nodes: [1, 2, 3, 4]}}\n    reduction: {modes: 0}\n");
    double mass;
    lmb_run_result run = run_limber("reduce %s -o %s --json --quiet --no-cache",
                                    scratch_path("cube.yaml"), scratch_path("cube.h5"));
    assert_runs(&run);
    assert_int_equal(numbers_of(run.out, "mass", 0, &mass, 1), 1);
    assert_close(mass, 1200, 1e-9);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_modulus),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
