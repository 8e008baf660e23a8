/* Meshes of Ansys, tables of nodes, and units. */
#include "import/mesh_file.h"

#define NODES                                                                                      \
    "/COM,ANSYS RELEASE 2019\n!! a comment\n/PREP7\nET,1,185\nET,       "                          \
    "2,187\nET,3,21\nET,4,174\n"                                                                   \
    "NBLOCK,6,SOLID,        13,        13\n(3i9,6e21.13e3)\n"                                      \
    "        1        0        0\n"                                                                \
    "        2        0        0 1.0000000000000E+000\n"                                           \
    "        3        0        0 1.0000000000000E+000 1.0000000000000E+000\n"                      \
    "        4        0        0 0.0000000000000E+000 1.0000000000000E+000\n"                      \
    "        5        0        0 0.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000\n" \
    "        6        0        0 1.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000\n" \
    "        7        0        0 1.0000000000000E+000 1.0000000000000E+000 1.0000000000000E+000\n" \
    "        8        0        0 0.0000000000000E+000 1.0000000000000E+000 1.0000000000000E+000\n" \
    "        9        0        0 5.0000000000000E-001\n"                                           \
    "       10        0        0 6.0000000000000E-001\n"                                           \
    "N,R5.3,LOC,       -1,\n"

/* An element of 19 fields: material, type, real, ..., nodes, 0, number, nodes. */
static void element(char *text, int type, int number, int count, const int *nodes)
{
    sprintf(text + strlen(text), "%9d%9d%9d%9d%9d%9d%9d%9d%9d%9d%9d", 2, type, 1, 1, 0, 0, 0, 0,
            count, 0, number);
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%9d", i == 8 ? "\n" : "", nodes[i]);
    strcat(text, "\n");
}

#define ELEMENT(text, type, number, ...)                                                           \
    element(text, type, number, sizeof((int[]){__VA_ARGS__}) / sizeof(int),                        \
            (const int[]){__VA_ARGS__})

static void begin(char *text)
{
    strcpy(text, NODES "EBLOCK,19,SOLID,         9,         9\n(19i9)\n");
}

static void test_cdb(void **state)
{
    fixture *f = *state;
    char text[6000];
    begin(text);
    ELEMENT(text, 1, 11, 1, 2, 3, 4, 5, 6, 7, 8);
    ELEMENT(text, 1, 12, 1, 2, 3, 3, 5, 5, 5, 5);
    ELEMENT(text, 2, 13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    ELEMENT(text, 4, 14, 1, 2, 3, 4);
    ELEMENT(text, 3, 15, 7);
    strcat(text, "       -1\n"
                 "CMBLOCK,TOP     ,NODE,       3  ! users node component definition\n(8i10)\n"
                 "         1         5        -8\n"
                 "CMBLOCK,PIECE,ELEM,2\n(8i10)\n        12       -13\n"
                 "MPTEMP,R5.0, 1, 1,  0.00000000    ,\n"
                 "MPDATA,R5.0, 1,EX  ,       2, 1,  210000000000.    ,\n"
                 "MPDATA,R5.0, 1,NUXY,       2, 1,  0.300000000    ,\nMP,DENS,2,7850\n"
                 "RLBLOCK,       1,       1,       6,       7\n(2i8,6g16.9)\n(7g16.9)\n"
                 "       1       6  2.50000000      2.50000000      2.50000000      1.00000000    "
                 "  2.00000000      3.00000000    \n"
                 "/GO\nFINISH\n");
    read_good(f, "block.cdb", text);
    const lmb_mesh *m = f->mesh;
    assert_int_equal(m->node_count, 10);
    assert_int_equal(m->element_count, 4);
    assert_true(m->x[0].x == 0 && m->x[2].y == 1 && m->x[7].z == 1 && m->x[8].x == 0.5);
    CHECK_ELEMENT(f, 0, LMB_HEX8, 1, 2, 3, 4, 5, 6, 7, 8);
    CHECK_ELEMENT(f, 1, LMB_TET4, 1, 2, 3, 5);
    CHECK_ELEMENT(f, 2, LMB_TET10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    CHECK_ELEMENT(f, 3, LMB_POINT_MASS, 7);
    CHECK_SET(f, "TOP", 1, 5, 6, 7, 8);
    CHECK_SET(f, "PIECE", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    const lmb_material *steel = &m->materials[m->elements[0].material];
    assert_string_equal(steel->name, "2");
    assert_true(steel->E == 2.1e11 && steel->nu == 0.3 && steel->density == 7850);
    assert_true(m->masses[0].mass == 2.5 && m->masses[0].inertia.c[2].z == 3);
    assert_message(f->context, "contact and surface effect elements are not read");
}

/* D for a node, with further labels, for a range and for a component; other labels hold nothing. */
static void test_supports(void **state)
{
    fixture *f = *state;
    read_good(f, "supports.cdb",
              NODES "CMBLOCK,HELD,NODE,       2\n(8i10)\n         4        -6\n"
                    "D,      1,UX  ,  0.00000000    ,  0.00000000    \n"
                    "D,2,UY,0.5,,,,UZ,ROTX ! two more\nd,7,all,0,,9,2\nD,HELD,ROTZ,0\n"
                    "D,10,TEMP,300\n");
    CHECK_HELD(f, "1", "234", "", "6", "6", "6", "123456", "", "123456", "");
    assert_null(f->mesh->doubt);

    read_good(f, "selected.cdb", NODES "D,ALL,ALL\n");
    assert_null(f->mesh->held);
    assert_non_null(strstr(f->mesh->doubt, "the support of 'ALL' is not read"));
    read_good(f, "turned.cdb",
              "NBLOCK,6\n(i8,6e9.1)\n       1  1.0E+00  0.0E+00  0.0E+00  9.0E+01\nD,1,UX\n");
    assert_non_null(strstr(f->mesh->doubt, "along global axes"));
}

/* SOLID186 as a tetrahedron: the nodes of edges are in the middles that Limber expects. */
static void test_shrunk(void **state)
{
    fixture *f = *state;
    char text[6000] = "ET,1,186\nNBLOCK,3\n(i8,3e20.9)\n";
    static const double x[10][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                                    {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    for (int i = 0; i < 10; i++)
        sprintf(text + strlen(text), "%8d%20.9e%20.9e%20.9e\n", i + 1, x[i][0], x[i][1], x[i][2]);
    strcat(text, "-1\nEBLOCK,19,SOLID\n(19i9)\n");
    ELEMENT(text, 1, 1, 1, 2, 3, 3, 4, 4, 4, 4, 5, 6, 3, 7, 4, 4, 4, 4, 8, 9, 10, 10);
    strcat(text, "-1\n");
    read_good(f, "shrunk.cdb", text);
    CHECK_ELEMENT(f, 0, LMB_TET10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assert_true(f->mesh->materials[f->mesh->elements[0].material].E == 0); /* no EX */
}

static void test_mistakes(void **state)
{
    fixture *f = *state;
    char text[6000];
    begin(text);
    ELEMENT(text, 1, 12, 1, 2, 3, 3, 5, 6, 7, 7);
    read_bad(f, "a.cdb", text, 23, "element 12 is a prism or a pyramid");
    begin(text);
    ELEMENT(text, 2, 12, 1, 2, 3, 4, 5, 6, 7, 8, 0, 10);
    read_bad(f, "a.cdb", text, 24, "node 9 of element 12 is missing");
    begin(text);
    ELEMENT(text, 2, 12, 1, 2, 3, 4, 5, 6, 7, 8);
    read_bad(f, "a.cdb", text, 23, "element 12 has 8 of 10 nodes");
    begin(text);
    ELEMENT(text, 9, 12, 1, 2, 3, 4, 5, 6, 7, 8);
    read_bad(f, "a.cdb", text, 23, "there is no ET line");
    begin(text);
    ELEMENT(text, 3, 12, 1);
    read_bad(f, "a.cdb", text, 23, "real constants 1, which are not there");
    read_bad(f, "a.cdb", "ET,1,181\nEBLOCK,19,SOLID\n(19i9)\n", 0, "has no nodes");
    read_bad(f, "a.cdb", NODES "EBLOCK,10\n(10i9)\n", 21, "EBLOCK of another kind");
    read_bad(f, "a.cdb", "NBLOCK,6,SOLID\nhello\n", 2, "expected a format");
    read_bad(f, "a.cdb", "NBLOCK,6,SOLID\n(3i9,6e21.13e3)\n        1        0        0 1.x\n", 3,
             "'1.x' is not a number");
    read_bad(f, "a.cdb", NODES "CMBLOCK,A,NODE,2\n(8i10)\n         5        -3\n", 23,
             "range 5 to 3");
    read_bad(f, "a.cdb", NODES "CMBLOCK,A,NODE,5\n(8i10)\n         5         6\n", 23,
             "a number of a component is missing");
    read_bad(f, "a.cdb", "MP,EX,1,-5\n", 1, "EX of material 1 is out of range");
}

/* Nodes of NWRITE: fields that are zero are left out. */
static void test_nwrite(void **state)
{
    fixture *f = *state;
    read_good(f, "a.node",
              "       1\n"
              "       2 1.000000000000    \n"
              "       3                    -2.500000000000    \n"
              "       4 1.000000000000      2.000000000000      3.000000000000    "
              "  90.0000000000000\n");
    const vec3 *x = f->mesh->x;
    assert_int_equal(f->mesh->node_count, 4);
    assert_true(x[0].x == 0 && x[1].x == 1 && x[2].x == 0 && x[2].y == -2.5);
    assert_true(x[3].x == 1 && x[3].y == 2 && x[3].z == 3);
    read_bad(f, "a.node", "       1\n       x\n", 2, "'x' is not a whole number");
}

/* Tables: with commas, and as Workbench writes them where the decimal sign is a comma. */
static void test_tables(void **state)
{
    fixture *f = *state;
    read_good(f, "a.csv", "number,x,y,z\n5, 1.5,2,-3\n7,0,0,1e-3\n");
    assert_int_equal(f->mesh->number[1], 7);
    assert_true(f->mesh->x[0].x == 1.5 && f->mesh->x[1].z == 1e-3);
    read_good(f, "a.txt", "Node Number\tX Location (mm)\tY\tZ\r\n5\t1,5\t2\t-3\t\r\n");
    assert_true(f->mesh->x[0].x == 1.5 && f->mesh->x[0].z == -3);
    read_bad(f, "a.csv", "1,2,3\n", 1, "a coordinate is missing");
    read_bad(f, "a.csv", "1,2,3,4\n1,2,3,5\n", 2, "node 1 is defined twice");
}

/* What is rounded once is the nearest number; in inches it is so to a few roundings. */
static void test_units(void **state)
{
    fixture *f = *state;
    lmb_place place = {"a.yaml", NULL, 3, 1, 1};
    const lmb_units *u = lmb_units_of(f->context, place, "mm-t-s");
    assert_true(lmb_units_scale(u, 123, 1, 0, 0) == 0.123);
    assert_true(lmb_units_scale(u, 7.85e-9, -3, 1, 0) == 7.85e-9 * 1e12);
    assert_true(lmb_units_scale(u, 210000, -1, 1, -2) == 2.1e11); /* MPa */
    assert_true(lmb_units_scale(u, 5, 1, 1, -2) == 5);            /* N */
    u = lmb_units_of(f->context, place, "mm-kg-ms");
    assert_true(lmb_units_scale(u, 210, -1, 1, -2) == 2.1e11); /* GPa */
    assert_true(lmb_units_scale(u, 5, 1, 1, -2) == 5000);      /* kN */
    u = lmb_units_of(f->context, place, "in-lbf-s");
    assert_close(lmb_units_scale(u, 1, 1, 1, -2), 4.4482216152605, 1e-15);
    assert_close(lmb_units_scale(u, 1, -1, 1, -2), 6894.757293168361, 4e-16 * 4); /* psi */
    assert_close(lmb_units_scale(u, 1, 2, 1, 0), 4.4482216152605 * 0.0254, 1e-15);
    assert_null(lmb_units_of(f->context, place, "mm-t-ms"));
    assert_message(f->context, "did you mean 'mm-t-s'?");
    assert_null(lmb_units_of(f->context, place, "furlong"));
    assert_message(f->context, "known are SI, mm-t-s");
}

static void test_mesh_units(void **state)
{
    fixture *f = *state;
    const char *path = write_text(
        f, "a.inp",
        "*NODE\n1, 100., 0, 0\n2, 200., 0, 0\n*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n"
        "*ELEMENT,TYPE=MASS,ELSET=M\n2,1\n*MASS,ELSET=M\n.002\n*MATERIAL,NAME=S\n*ELASTIC\n2e5,.3\n"
        "*DENSITY\n7.8e-9\n*BEAM SECTION, ELSET=E, MATERIAL=S, SECTION=RECT\n10., 20.\n");
    const lmb_units *u = lmb_units_of(f->context, (lmb_place){0}, "mm-t-s");
    assert_int_equal(lmb_mesh_read(&f->mesh, f->context, f->arena, path, u), LMB_OK);
    assert_true(f->mesh->x[1].x == 0.2);
    assert_close(f->mesh->materials[0].E, 2e11, 1e-15);
    assert_close(f->mesh->materials[0].density, 7800, 1e-15);
    assert_close(f->mesh->masses[0].mass, 2, 1e-15);
    assert_close(f->mesh->sections[0].A * 1e6, 200, 1e-15);
    assert_close(f->mesh->sections[0].Iy * 1e12, 10 * 8000.0 / 12, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cdb, start, finish),
        cmocka_unit_test_setup_teardown(test_supports, start, finish),
        cmocka_unit_test_setup_teardown(test_shrunk, start, finish),
        cmocka_unit_test_setup_teardown(test_mistakes, start, finish),
        cmocka_unit_test_setup_teardown(test_nwrite, start, finish),
        cmocka_unit_test_setup_teardown(test_tables, start, finish),
        cmocka_unit_test_setup_teardown(test_units, start, finish),
        cmocka_unit_test_setup_teardown(test_mesh_units, start, finish),
    };
    return cmocka_run_group_tests_name("meshes of Ansys, and units", tests, NULL, NULL);
}
