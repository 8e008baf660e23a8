/* Modes of meshes without a model, through the program: against CalculiX, what holds a mesh, and
 * what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "limber/context.h"
#include "program.h"
#include "support.h"

static const char bore[] = "tests/support/bore.msh", rod[] = "tests/support/rod.inp";

enum { MOST = 40 };
typedef struct found {
    int count, rigid;
    double hz[MOST]; /* of the modes that are not rigid */
} found;

/* The modes that `limber modes ... --json` prints; it must succeed. */
static found modes_of(const char *words)
{
    found f = {0};
    lmb_run_result run = run_limber("modes %s --json", words);
    if (run.code)
        fail_msg("%s", run.err);
    for (const char *at = run.out; (at = strstr(at, "{\"number\": ")); at++) {
        double hz = number_behind(at, "\"frequency\": ");
        const char *rigid = strstr(at, "\"rigid\": ");
        assert_true(f.count < MOST);
        assert_int_equal(number_behind(at, "\"number\": "), ++f.count);
        assert_true(number_behind(at, "\"damping\": ") == 0);
        if (strncmp(rigid, "\"rigid\": true", 13) == 0) {
            assert_true(hz == 0 && f.rigid == f.count - 1);
            f.rigid++;
        } else {
            f.hz[f.count - f.rigid - 1] = hz;
        }
    }
    free_run(&run);
    return f;
}

/* A copy of the rod with lines behind it; returns its path. */
static const char *rod_with(const char *name, const char *lines)
{
    lmb_context *context = lmb_context_new();
    char *text, *all;
    size_t size;
    assert_int_equal(lmb_read_file(&text, &size, context, rod), LMB_OK);
    all = calloc(size + strlen(lines) + 1, 1);
    memcpy(all, text, size);
    strcpy(all + size, lines);
    const char *path = scratch_text(name, all);
    free(all);
    free(text);
    lmb_context_free(context);
    return path;
}

/* CalculiX 2.20 with the same nodes and C3D10. Rules of integration for the mass of curved elements
 * are not the same; 1e-3 is far below what the mesh itself leaves open. */
static void a_plate_has_the_frequencies_of_calculix(void **unused)
{
    (void)unused;
    const double hz[] = {5686.029, 5996.523, 10342.29, 12056.22, 13983.90, 15162.82};
    char words[200];
    snprintf(words, sizeof words, "%s --material steel --modes 6", bore);
    found f = modes_of(words);
    assert_int_equal(f.rigid, 6);
    assert_int_equal(f.count, 12);
    for (int i = 0; i < 6; i++)
        assert_close(f.hz[i] / hz[i], 1, 1e-3);
}

/* CalculiX 2.20 with *BOUNDARY ROOT, 1, 3 prints seven digits. */
static const double held_hz[] = {33.53624, 33.53624, 208.6859, 208.6859, 577.9102, 577.9102};

static void check_held_rod(const char *words)
{
    found f = modes_of(words);
    assert_int_equal(f.rigid, 0);
    assert_int_equal(f.count, 6);
    for (int i = 0; i < 6; i++)
        assert_close(f.hz[i] / held_hz[i], 1, 2.5e-7);
}

static void sets_and_supports_hold_a_rod(void **unused)
{
    (void)unused;
    const char *before = rod_with("before.inp", "*BOUNDARY\nROOT, PINNED\n");
    const char *step = rod_with("step.inp", "*STEP\n*FREQUENCY\n6\n*BOUNDARY\nroot, 1, 3, 0.1\n"
                                            "*END STEP\n");
    const char *slides = rod_with("slides.inp", "*BOUNDARY\nROOT, XSYMM\n");
    char words[400];
    snprintf(words, sizeof words, "%s --hold ROOT --modes 6", rod);
    check_held_rod(words);
    snprintf(words, sizeof words, "%s --modes 6", before);
    check_held_rod(words);
    snprintf(words, sizeof words, "%s --modes 6", step);
    check_held_rod(words);
    snprintf(words, sizeof words, "%s --free --hold ROOT --modes 6", slides);
    check_held_rod(words);

    snprintf(words, sizeof words, "%s", rod);
    found f = modes_of(words);
    assert_int_equal(f.rigid, 6);
    assert_int_equal(f.count, 16);
    snprintf(words, sizeof words, "%s --free --modes 1", before);
    assert_int_equal(modes_of(words).rigid, 6);
    snprintf(words, sizeof words, "%s --modes 1", slides); /* across, and about its axis */
    assert_int_equal(modes_of(words).rigid, 3);
    check_run(run_limber("modes %s --modes 1", before), 0, "621 nodes, 12.56 kg; 21 of them held");
    check_run(run_limber("modes %s --modes 1", rod), 0, "621 nodes, 12.56 kg; free");
}

/* Joints hold a body of a model, and a warning says so. */
static void supports_do_not_hold_bodies(void **unused)
{
    (void)unused;
    rod_with("supported.inp", "*BOUNDARY\nROOT, 1, 3\n");
    check_run(run_limber("reduce %s -o %s",
                         scratch_text("supported.yaml", "limber: 1\ndimension: 3\nbodies:\n  rod:\n"
                                                        "    mesh: {file: supported.inp}\n"
                                                        "    interfaces: {root: {nodes: ROOT}}\n"
                                                        "    reduction: {modes: 2}\n"),
                         scratch_path("supported.h5")),
              0, "do not hold body 'rod': its joints do that");
}

/* A tetrahedron of Ansys, in mm, t and s; its support holds one side. */
static const char tetrahedron[] =
    "ET,1,285\nNBLOCK,3\n(i8,3e10.2)\n       1\n       2  1.00E+02\n"
    "       3  0.00E+00  1.00E+02\n       4  0.00E+00  0.00E+00  1.00E+02\n-1\n"
    "EBLOCK,19,SOLID\n(19i4)\n   1   1   1   1   0   0   0   0   4   0   1   1   2   3   4\n-1\n"
    "CMBLOCK,SIDE,NODE,       1\n(8i10)\n         4\n"
    "D,1,UX,,,3,,UY,UZ\n";

static void supports_of_ansys_hold(void **unused)
{
    (void)unused;
    char words[200];
    snprintf(words, sizeof words, "%s --material steel --units mm-t-s",
             scratch_text("part.cdb", tetrahedron));
    found f = modes_of(words);
    assert_int_equal(f.rigid, 0);
    assert_int_equal(f.count, 3); /* of the one node that is free */
    strcat(words, " --free");
    assert_int_equal(modes_of(words).rigid, 6);
    check_run(run_limber("modes %s --hold SIDE --hold sode", words), 3, "did you mean 'SIDE'?");
}

/* A tetrahedron of Gmsh and a node of no element, alone in a group. */
static const char gmsh[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 1 \"far\"\n3 2 \"part\"\n"
    "$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 9 9 9\n$EndNodes\n"
    "$Elements\n2\n1 15 2 1 1 5\n2 4 2 2 1 1 2 3 4\n$EndElements\n";

/* A thousandth of the size has a thousand times the frequencies, to what the solver promises. */
static void units_change_the_size(void **unused)
{
    (void)unused;
    char words[200];
    snprintf(words, sizeof words, "%s --material steel", scratch_text("tet.msh", gmsh));
    found large = modes_of(words);
    strcat(words, " --units mm-t-s");
    found small = modes_of(words);
    assert_true(large.count == 12 && large.rigid == 6 && small.rigid == 6);
    for (int i = 0; i < 6; i++)
        assert_close(small.hz[i] / large.hz[i] / 1000, 1, 1e-9);
}

static void what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    const char *mesh = scratch_text("tet.msh", gmsh);
    check_run(run_limber("modes %s", mesh), 3, "gives 1 of its 1 elements no material with a mod");
    check_run(run_limber("modes %s", mesh), 3, "name one with --material: steel");
    check_run(run_limber("modes %s --material stel", mesh), 2, "did you mean 'steel'?");
    check_run(run_limber("modes %s --material unobtainium", mesh), 2, "titanium");
    check_run(run_limber("modes %s --material steel --units mm", mesh), 2,
              "there is no system of units 'mm'");
    check_run(run_limber("modes %s --material steel --units mm-ts", mesh), 2,
              "did you mean 'mm-t-s'?");
    check_run(run_limber("modes %s --material steel --hold nowhere", mesh), 3, "it has far, part");
    check_run(run_limber("modes %s --material steel --hold far", mesh), 3,
              "no node of set 'far' belongs to an element");
    check_run(run_limber("modes %s --material steel --hold part", mesh), 3,
              "all degrees of freedom are held");
    check_run(run_limber("modes %s --modes 0", rod), 2, "--modes");
    static const char half[] = /* two bricks, of which only the held one has a density */
        "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
        "9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n*NSET, NSET=LOW, GENERATE\n1,8,1\n"
        "*ELEMENT, TYPE=C3D8, ELSET=A\n1, 1,2,3,4,5,6,7,8\n"
        "*ELEMENT, TYPE=C3D8, ELSET=B\n2, 5,6,7,8,9,10,11,12\n"
        "*MATERIAL, NAME=S\n*ELASTIC\n2.1e11,0.3\n*DENSITY\n7850\n"
        "*MATERIAL, NAME=L\n*ELASTIC\n2.1e11,0.3\n"
        "*SOLID SECTION, ELSET=A, MATERIAL=S\n*SOLID SECTION, ELSET=B, MATERIAL=L\n";
    check_run(run_limber("modes %s --hold LOW", scratch_text("half.inp", half)), 3,
              "the free nodes have no mass");
    check_run(run_limber("modes %s --material steel", rod), 2,
              "--material steel is for elements without modulus or density");
    check_run(run_limber("modes none.msh"), 5, "cannot read 'none.msh'");
    check_run(run_limber("modes %s --over a=0:1:3", rod), 2, "--over is not for meshes");
    check_run(run_limber("modes %s --set a=3", rod), 2, "--set is not for meshes");
    check_run(run_limber("modes examples/clapper/clapper.yaml --hold A"), 2,
              "--hold is for meshes");
    check_run(run_limber("modes body.h5 --free"), 2, "--free is for meshes");
    check_run(run_limber("modes %s", scratch_text("part.geo", "Point(1) = {0, 0, 0};\n")), 3,
              "is a geometry script, which can run any command");
}

static void what_is_doubtful_is_warned_of(void **unused)
{
    (void)unused;
    check_run(run_limber("modes %s --material steel",
                         scratch_text("large.inp", "*NODE\n1, 0, 0, 0\n2, 200, 0, 0\n3, 0, 200, 0\n"
                                                   "4, 0, 0, 200\n*ELEMENT, TYPE=C3D4\n"
                                                   "1, 1, 2, 3, 4\n")),
              0, "give --units mm-t-s");
    check_run(run_limber("modes %s", rod_with("reference.inp",
                                              "*NODE\n9999, 0, 0, 0\n*BOUNDARY\n9999, 1, 6\n")),
              0, "the support of node 9999 holds nothing");
    check_run(run_limber("modes %s", rod_with("lost.inp", "*BOUNDARY\nROOF, 1, 6\n")), 0,
              "the support of 'ROOF' is not read");
    check_run(run_limber("modes %s",
                         scratch_text("light.inp", "*NODE\n1, 0, 0, 0\n2, 2, 0, 0\n3, 0, 2, 0\n"
                                                   "4, 0, 0, 2\n*ELEMENT, TYPE=C3D4, ELSET=E\n"
                                                   "1, 1, 2, 3, 4\n*MATERIAL, NAME=M\n*ELASTIC\n"
                                                   "2e11, 0.3\n*SOLID SECTION, ELSET=E, "
                                                   "MATERIAL=M\n")),
              3, "--material gives elements without a density one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_has_the_frequencies_of_calculix),
        cmocka_unit_test(sets_and_supports_hold_a_rod),
        cmocka_unit_test(supports_do_not_hold_bodies),
        cmocka_unit_test(supports_of_ansys_hold),
        cmocka_unit_test(units_change_the_size),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(what_is_doubtful_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
