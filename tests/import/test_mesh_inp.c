/* Meshes of Abaqus and CalculiX. */
#include "import/mesh_file.h"

#include <time.h>

#include "fe/fe_model.h"

#define CUBE                                                                                       \
    "*NODE, NSET=all\n1, 0., 0., 0.\n2, 1.\n3, 1., 1., 0.\n4, , 1., 0.\n"                          \
    "5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.D0\n9,2,0,0\n"
#define STEEL "*Material, name=\"Mild steel\"\n*Density\n7850.,\n*Elastic\n2.1e11, .3\n"

static void test_cube(void **state)
{
    fixture *f = *state;
    read_good(
        f, "cube.inp",
        "*HEADING\n a cube, with a comma,\n** a comment\n" CUBE
        "*Element, type=C3D8I,\n elset=Block\n7, 1,2,3,4,\n5,6,7,8\n"
        "*ELEMENT, TYPE=B31, ELSET=ROD\n9, 2, 9\n"
        "*Nset, nset=Top, generate\n5, 8, 1\n"
        "*NSET, NSET=odd, GENERATE\n1, 2000000001, 2\n"
        "*nset, nset=both\ntop, 1,\n"
        "*nset, nset=of elements, elset=rod\n" STEEL
        "*Solid Section, elset=block, material=MILD STEEL\n,\n"
        "*Beam section, elset=rod, material=\"mild steel\", section=rect\n2., 1.\n0., 1., 0.\n"
        "*MATERIAL, NAME=unused\n*BOUNDARY\n1, 1, 3\n*Boundary\n2, 1, 3\n*STEP\n*STATIC\n*END "
        "STEP\n");
    const lmb_mesh *m = f->mesh;
    assert_int_equal(m->node_count, 9);
    assert_int_equal(m->element_count, 2);
    CHECK_ELEMENT(f, 0, LMB_HEX8, 1, 2, 3, 4, 5, 6, 7, 8);
    CHECK_ELEMENT(f, 1, LMB_BEAM, 2, 9);
    assert_true(m->x[7].z == 1 && m->x[3].y == 1 && m->x[1].y == 0);
    CHECK_SET(f, "all", 1, 2, 3, 4, 5, 6, 7, 8, 9);
    CHECK_SET(f, "Top", 5, 6, 7, 8);
    CHECK_SET(f, "odd", 1, 3, 5, 7, 9);
    CHECK_SET(f, "both", 1, 5, 6, 7, 8);
    CHECK_SET(f, "of elements", 2, 9);
    CHECK_SET(f, "Block", 1, 2, 3, 4, 5, 6, 7, 8);

    assert_int_equal(m->material_count, 2); /* a material without *ELASTIC may be completed */
    assert_string_equal(m->materials[0].name, "Mild steel");
    assert_true(m->materials[0].E == 2.1e11 && m->materials[0].nu == 0.3);
    assert_true(m->materials[0].density == 7850);
    assert_int_equal(m->elements[0].material, 0);
    assert_int_equal(m->elements[0].section, -1);
    assert_int_equal(m->elements[1].section, 0);
    CHECK_HELD(f, "123", "123", "", "", "", "", "", "", "");
    assert_null(m->doubt);
    assert_int_equal(lmb_message_count(f->context), 0);
}

/* Numbers, sets of nodes, words and instances, before the step and in the first one; degrees of
 * freedom of temperatures hold nothing. */
static void test_supports(void **state)
{
    fixture *f = *state;
    read_good(f, "supports.inp",
              CUBE "*NSET, NSET=Top\n5, 6\n*NSET, NSET=side\n8\n"
                   "*BOUNDARY\n1, ENCASTRE\n2, PINNED\n3, xsymm\n4, 2\n"
                   "*BOUNDARY, TYPE=DISPLACEMENT\nTOP, 1, 2, 0.5\nPart-1.side, 3,\n7, 11, 11\n"
                   "*STEP, NLGEOM\n*FREQUENCY\n5\nwords, that are not *BOUNDARY\n"
                   "*BOUNDARYF\nnowhere, 1\n*BOUNDARY\n9, 4, 5\n"
                   "*BOUNDARY, SUBMODEL\n9, 1, 3\n*END STEP\n*STEP\n*BOUNDARY\n9, 6\n");
    CHECK_HELD(f, "123456", "123", "156", "2", "12", "12", "", "3", "12345");
    assert_null(f->mesh->doubt);

    read_good(f, "renewed.inp",
              CUBE "*BOUNDARY\n1, 1, 6\n*STEP\n*BOUNDARY, OP=NEW\n2, 1\n"
                   "*BOUNDARY, OP=NEW\n3, 2\n*END STEP\n");
    CHECK_HELD(f, "", "1", "2");

    const char *const lost[] = {"elsewhere, 1, 6", "all, XSYM"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text, CUBE "*BOUNDARY\n%s\n", lost[i]);
        read_good(f, "lost.inp", text);
        assert_null(f->mesh->held);
        assert_non_null(strstr(f->mesh->doubt, i ? "'all' is not read" : "'elsewhere' is not"));
    }
    read_good(f, "turned.inp",
              CUBE "*TRANSFORM, NSET=all\n1, 1, 0, 0, 1, 0\n"
                   "*BOUNDARY\nall, 1\n");
    assert_non_null(strstr(f->mesh->doubt, "along global axes"));
}

/* The section of a rod 2 by 1: second moments, and the torsion of Timoshenko and Goodier, Theory of
 * Elasticity, table of article 109: 0.229 and 0.246 for the ratio 2, to their three digits. */
static void test_rectangle(void **state)
{
    fixture *f = *state;
    read_good(f, "rod.inp",
              CUBE "*ELEMENT, TYPE=B31, ELSET=ROD\n9, 2, 9\n" STEEL
                   "*BEAM SECTION, ELSET=ROD, MATERIAL=Mild Steel, SECTION=RECT\n2., 1.\n"
                   "0., 1., 0.\n");
    const lmb_section *s = &f->mesh->sections[0];
    assert_close(s->A, 2, 1e-15);
    assert_close(s->Iy, 2.0 / 12, 1e-15);
    assert_close(s->Iz, 8.0 / 12, 1e-15);
    assert_close(s->J, 0.229 * 2, 0.0005 * 2);
    assert_close(s->J / s->torsion_radius, 0.246 * 2, 0.0005 * 2);
    assert_true(s->y_axis.x == 0 && s->y_axis.y == 1 && s->y_axis.z == 0);
}

static void test_circles(void **state)
{
    fixture *f = *state;
    read_good(f, "rods.inp",
              CUBE
              "*ELEMENT, TYPE=B31R, ELSET=A\n9, 2, 9\n*ELEMENT, TYPE=B31, ELSET=B\n10, 2, 5\n" STEEL
              "*BEAM SECTION, ELSET=A, MATERIAL=MILD STEEL, SECTION=CIRC\n.2\n"
              "*BEAM SECTION, ELSET=B, MATERIAL=MILD STEEL, SECTION=PIPE\n.2, .05\n");
    const lmb_section *c = &f->mesh->sections[0], *p = &f->mesh->sections[1];
    assert_close(c->A, LMB_PI * 0.04, 1e-15);
    assert_close(c->J, LMB_PI * 0.0016 / 2, 1e-15);
    assert_close(p->A, LMB_PI * (0.04 - 0.0225), 1e-14);
    assert_close(p->Iy, LMB_PI / 4 * (0.0016 - 0.00050625), 1e-14);
    /* to read such elements is no approximation; to assemble them is */
    assert_int_equal(lmb_message_count(f->context), 0);
    lmb_fe_model *model;
    f->mesh->materials[0].density = 7850;
    assert_int_equal(lmb_fe_assemble(&model, f->context, f->mesh, 1), LMB_OK);
    assert_message(f->context, "rods.inp: elements with reduced integration are integrated fully");
    lmb_arena_free(model->arena);
}

static void test_masses(void **state)
{
    fixture *f = *state;
    read_good(f, "mass.inp",
              CUBE "*ELEMENT, TYPE=MASS, ELSET=M\n1, 2\n*ELEMENT, TYPE=ROTARYI, ELSET=I\n2, 2\n"
                   "*MASS, ELSET=M\n12.5,\n*ROTARY INERTIA, ELSET=I\n1., 2., 3., .1, .2, .3\n");
    const lmb_mesh *m = f->mesh;
    assert_int_equal(m->element_count, 2);
    assert_true(m->masses[m->elements[0].point_mass].mass == 12.5);
    mat3 I = m->masses[m->elements[1].point_mass].inertia;
    assert_true(I.c[0].x == 1 && I.c[1].y == 2 && I.c[2].z == 3);
    assert_true(I.c[0].y == 0.1 && I.c[2].x == 0.2 && I.c[1].z == 0.3);
}

static void test_quadratic(void **state)
{
    fixture *f = *state;
    char text[3000] = "*NODE\n";
    for (int i = 1; i <= 20; i++)
        sprintf(text + strlen(text), "%d, %d., 0., %d.\n", i, i, i % 3);
    strcat(text, "*ELEMENT, TYPE=C3D20R\n1, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n"
                 "*ELEMENT, TYPE=C3D10M\n2, 1,2,3,4,5,6,7,8,9,10\n");
    read_good(f, "twenty.inp", text);
    CHECK_ELEMENT(f, 0, LMB_HEX20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
                  19, 20);
    CHECK_ELEMENT(f, 1, LMB_TET10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}

/* An Abaqus assembly of one part; a surface that makes a set. */
static void test_assembly(void **state)
{
    fixture *f = *state;
    read_good(f, "assembly.inp",
              "*Part, name=P\n" CUBE "*ELEMENT, TYPE=C3D8\n7, 1,2,3,4,5,6,7,8\n"
              "*ELEMENT, TYPE=CPS4, ELSET=skin\n8, 1,2,3,4\n*End Part\n*Assembly, name=A\n"
              "*Instance, name=P-1, part=P\n*End Instance\n*Nset, nset=x, instance=P-1\n1, 2\n"
              "*Nset, nset=y\nP-1.3, P-1.x\n*End Assembly\n");
    assert_int_equal(f->mesh->element_count, 1);
    CHECK_SET(f, "skin", 1, 2, 3, 4);
    CHECK_SET(f, "y", 1, 2, 3);
}

static void test_include(void **state)
{
    fixture *f = *state;
    write_text(f, "inner.inp", CUBE);
    read_good(f, "outer.inp", "*INCLUDE, INPUT=inner.inp\r\n*ELEMENT,TYPE=C3D4\r\n1,1,2,3,5\r\n");
    CHECK_ELEMENT(f, 0, LMB_TET4, 1, 2, 3, 5);
    write_text(f, "inner.inp", "*NODE\n1, x\n");
    assert_int_equal(read_mesh(f, "outer.inp", "*INCLUDE, INPUT=inner.inp\n"), LMB_BAD_INPUT);
    assert_int_equal(lmb_message_at(f->context, 0)->line, 2);
    assert_non_null(strstr(lmb_message_at(f->context, 0)->file, "inner.inp"));
    read_bad(f, "self.inp", "*INCLUDE, INPUT=self.inp\n", 1, "8 deep");
    read_bad(f, "outer.inp", "\n*INCLUDE, INPUT=none.inp\n", 2, "cannot be read");
}

/* Twenty includes in each of five levels would read 3.4 million files. */
static void includes_are_bounded_in_number(void **state)
{
    fixture *f = *state;
    char text[20 * 32 + 1], name[32];
    write_text(f, "level5.inp", "** nothing\n");
    for (int level = 4; level >= 0; level--) {
        for (int i = 0; i < 20; i++)
            snprintf(text + 26 * i, 27, "*INCLUDE,INPUT=level%d.inp\n", level + 1);
        snprintf(name, sizeof name, "level%d.inp", level);
        write_text(f, name, text);
    }
    assert_int_equal(read_mesh(f, "top.inp", "*INCLUDE, INPUT=level0.inp\n"), LMB_BAD_INPUT);
    assert_message(f->context, "more than 1000 files are included");
}

/* The last of many names is found, in either case, and the time grows with their number alone: the
 * bound is ten times the need, and a thousandth of a search through all names. */
static void many_names_are_read(void **state)
{
    enum { COUNT = 100000, LINE = 160 };
    fixture *f = *state;
    char *text = malloc(sizeof CUBE + (size_t)COUNT * LINE + 1000), *end = text;
    assert_non_null(text);
    end += sprintf(end, "%s", CUBE);
    for (int i = 0; i < COUNT; i++)
        end += sprintf(end,
                       "*NSET, NSET=set%d\n%d\n*KEY WORD%d\n*MATERIAL, NAME=m%d\n*ELASTIC\n"
                       "%d, 0.3\n",
                       i, i % 8 + 1, i, i, i + 1);
    sprintf(end,
            "*NSET, NSET=SET%d\n9\n*key word7\n*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 5\n"
            "*SOLID SECTION, ELSET=E, MATERIAL=M%d\n",
            COUNT - 1, COUNT - 1);
    clock_t begun = clock();
    read_good(f, "many.inp", text);
    assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 20);
    free(text);
    assert_int_equal(f->mesh->set_count, COUNT + 2); /* with all and E */
    CHECK_SET(f, "set12345", 12345 % 8 + 1);
    CHECK_SET(f, "set99999", 8, 9);
    const lmb_material *m = &f->mesh->materials[f->mesh->elements[0].material];
    assert_string_equal(m->name, "m99999");
    assert_true(m->E == COUNT);
    assert_message(f->context, "*KEY WORD0, *KEY WORD1,");
    assert_message(f->context, "*KEY WORD19 and 99980 others");
}

/* A set of nodes may have the name of a set of elements, and only ten empty sets are named. */
static void sets_of_nodes_and_elements_are_apart(void **state)
{
    fixture *f = *state;
    char text[4000], *end = text;
    end += sprintf(end, "%s",
                   CUBE "*ELEMENT, TYPE=C3D4, ELSET=A\n1, 1, 2, 3, 5\n*NSET, NSET=a\n8\n"
                        "*NSET, NSET=of, ELSET=a\n*NSET, NSET=down\n7, 2, 4\n");
    for (int i = 0; i < 15; i++)
        end += sprintf(end, "*NSET, NSET=empty%d\n", i);
    read_good(f, "apart.inp", text);
    CHECK_SET(f, "a", 8);
    CHECK_SET(f, "of", 1, 2, 3, 5);
    CHECK_SET(f, "down", 2, 4, 7);
    assert_message(f->context, "5 more sets have no nodes");
    assert_int_equal(lmb_message_count(f->context), 11);
}

static void test_mistakes(void **state)
{
    fixture *f = *state;
    read_bad(f, "a.inp", CUBE "*ELEMENT, TYPE=B32\n1, 1, 2, 3\n", 11, "type B32 are not supported");
    read_bad(f, "a.inp", CUBE "*ELEMENT, TYPE=C3D6\n", 11, "supported are C3D4");
    read_bad(f, "a.inp", CUBE "*ELEMENT\n", 11, "has no TYPE=");
    read_bad(f, "a.inp", CUBE "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3\n*NODE\n", 12,
             "element 1 has 3 of 8 nodes");
    read_bad(f, "a.inp", CUBE "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 77\n", 12, "undefined node 77");
    read_bad(f, "a.inp", CUBE "*NSET, NSET=a, GENERATE\n5, 2\n", 12, "is empty");
    read_bad(f, "a.inp", CUBE "*NSET, NSET=a\n5, b\n", 12, "there is no set 'b'");
    read_bad(f, "a.inp", "1, 2, 3\n", 1, "expected a keyword");
    read_bad(f, "a.inp", "*NODE\n1, 0, inf\n", 2, "'inf' is not a number");
    read_bad(f, "a.inp", CUBE "*ELASTIC\n2e11, 0.3\n", 11, "no *MATERIAL before it");
    read_bad(f, "a.inp", "*MATERIAL, NAME=A\n*ELASTIC\n-1., 0.3\n", 3, "is not positive");
    read_bad(f, "a.inp", "*MATERIAL, NAME=A\n*ELASTIC, TYPE=ORTHO\n-1., 0.3\n", 2, "not supported");
    read_bad(f, "a.inp",
             CUBE STEEL "*ELEMENT,TYPE=C3D4,ELSET=E\n1,1,2,3,5\n"
                        "*SOLID SECTION, ELSET=E, MATERIAL=MILD STELE\n",
             18, "did you mean 'Mild steel'?");
    read_bad(f, "a.inp", CUBE STEEL "*SOLID SECTION, ELSET=E, MATERIAL=MILD STEEL\n", 16,
             "no set of elements 'E'");
    read_bad(f, "a.inp",
             CUBE STEEL "*ELEMENT,TYPE=S4,ELSET=E\n1,1,2,3,4\n*SHELL SECTION, ELSET=E\n.1\n", 18,
             "element 1 (surface or rod) has a section that is not supported");
    read_bad(f, "a.inp", CUBE "*ELEMENT,TYPE=MASS\n1,1\n", 12, "has no mass");
    read_bad(f, "a.inp", "*PART\n*PART\n", 2, "more than one *PART");
    read_bad(f, "a.inp", "*NGEN\n", 1, "*NGEN is not supported");
    read_bad(f, "a.inp", "*HEADING\n", 0, "has no nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cube, start, finish),
        cmocka_unit_test_setup_teardown(test_supports, start, finish),
        cmocka_unit_test_setup_teardown(test_rectangle, start, finish),
        cmocka_unit_test_setup_teardown(test_circles, start, finish),
        cmocka_unit_test_setup_teardown(test_masses, start, finish),
        cmocka_unit_test_setup_teardown(test_quadratic, start, finish),
        cmocka_unit_test_setup_teardown(test_assembly, start, finish),
        cmocka_unit_test_setup_teardown(test_include, start, finish),
        cmocka_unit_test_setup_teardown(includes_are_bounded_in_number, start, finish),
        cmocka_unit_test_setup_teardown(many_names_are_read, start, finish),
        cmocka_unit_test_setup_teardown(sets_of_nodes_and_elements_are_apart, start, finish),
        cmocka_unit_test_setup_teardown(test_mistakes, start, finish),
    };
    return cmocka_run_group_tests_name("meshes of Abaqus and CalculiX", tests, NULL, NULL);
}
