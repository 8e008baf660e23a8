/* Finite element models as matrices, in all formats.
 *
 * The model of most tests has three equations, whose nodes do not ascend:
 *
 *       4  -1   0          1   0  0
 *   K = -1  5  1/2     M = 0  2.5 0     1: node 7 UY, 2: node 3 UX, 3: node 9 ROTZ
 *       0  1/2  2          0   0  0 */
#include "import/mesh_file.h"

#include "import/matrix_read.h"

#define TITLE "Stiffness matrix from ANSYS FULL file dumped into Harwell-Boeing format         \n"
#define FORMATS "(I14)           (I14)           (d25.15)            (d25.15)            \n"

static const char hb_stiffness[] = TITLE
    "            17             4             5             5             3          \n"
    "RSA                        3             3             5             0          \n" FORMATS
    "F                          1             3                                      \n"
    "             1\n             3\n             5\n             6\n"
    "             1\n             2\n             2\n             3\n             3\n"
    "    0.400000000000000D+01\n   -0.100000000000000D+01\n    0.500000000000000D+01\n"
    "    0.500000000000000D+00\n    0.200000000000000D+01\n"
    "    0.000000000000000D+00\n    0.000000000000000D+00\n    0.000000000000000D+00\n";

static const char hb_mass[] =
    "     Mass matrix from ANSYS FULL file dumped into Harwell-Boeing format         \n"
    "             8             4             2             2             0          \n"
    "RSA                        3             3             2             0          \n" FORMATS
    "             1\n             2\n             3\n             3\n"
    "             1\n             2\n"
    "    0.100000000000000D+01\n    0.250000000000000D+01\n";

static const char mapping[] = "    Matrix Eqn          Node    DOF     \n"
                              "             1             7    UY  \n"
                              "             2             3    UX  \n"
                              "             3             9    ROTZ\n";

static const char mmf_stiffness[] =
    "%%MatrixMarket matrix coordinate real symmetric \n"
    "%============================================================\n"
    "% Creator: ANSYS Inc\n% \n% This is a 3 x 3 Matrix\n"
    "3 3 5\n1 1 4.000000000000000E+000\n2 1 -1.0E+000\n"
    "2 2 5.0E+00\n3 2 5.0E-001\n3 3 2\n";
static const char mmf_mass[] = "%%MatrixMarket matrix coordinate real general\n3 3 2\n2 2 2.5\n"
                               "1 1 1\n";
static const char nodes[] = "node,x,y,z\n3,0.5,0,0\n7,1,2,0\n8,5,5,5\n9,-1,0,0\n";

typedef struct model_files {
    char stiffness[300], mass[300], mapping[300], nodes[300];
    lmb_matrix_files files;
} model_files;

static void put(fixture *f, char *path, const char *name, const char *text)
{
    strcpy(path, write_text(f, name, text));
}

/* Writes the files; a mapping of NULL is none. */
static void write_files(fixture *f, model_files *m, const char *stiffness, const char *mass,
                        const char *map, const char *table)
{
    remove(scratch_path("k.mapping"));
    remove(scratch_path("k.dof"));
    put(f, m->stiffness, "k.txt", stiffness);
    put(f, m->mass, "m.txt", mass);
    put(f, m->nodes, "nodes.csv", table);
    if (map)
        put(f, m->mapping, "k.mapping", map);
    m->files = (lmb_matrix_files){.stiffness = m->stiffness, .mass = m->mass, .nodes = m->nodes};
}

static lmb_fe_model *read_model(fixture *f, const lmb_matrix_files *files)
{
    lmb_fe_model *model;
    if (lmb_matrices_read(&model, f->context, f->arena, files))
        fail_msg("%s", lmb_message_at(f->context, lmb_message_count(f->context) - 1)->text);
    return model;
}

static double entry(const lmb_symmetric *a, int i, int j)
{
    int column = i < j ? i : j, row = i + j - column;
    for (int k = a->start[column]; k < a->start[column + 1]; k++)
        if (a->row[k] == row)
            return a->value[k];
    return 0;
}

static void check_model(const lmb_fe_model *m)
{
    static const double K[3][3] = {{4, -1, 0}, {-1, 5, 0.5}, {0, 0.5, 2}};
    static const double M[3] = {1, 2.5, 0};
    assert_int_equal(m->n, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            assert_true(entry(&m->K, i, j) == K[i][j]);
            assert_true(entry(&m->M, i, j) == (i == j ? M[i] : 0));
        }
    assert_int_equal(m->node_count, 4);
    static const int numbers[3] = {7, 3, 9}, directions[3] = {LMB_UY, LMB_UX, LMB_RZ};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(m->number[m->node[i]], numbers[i]);
        assert_int_equal(m->direction[i], directions[i]);
        assert_int_equal(m->dof[m->node[i]][directions[i]], i);
    }
    assert_true(m->x[m->node[0]].y == 2 && m->x[m->node[2]].x == -1);
    assert_int_equal(m->dof[m->node[0]][LMB_UX], -1);
    assert_int_equal(m->dof[2][LMB_UX], -1);
    assert_int_equal(m->dimension, 2);
    assert_null(m->mesh);
    assert_null(m->C.start);
}

static void test_ansys(void **state)
{
    fixture *f = *state;
    model_files m;
    write_files(f, &m, hb_stiffness, hb_mass, mapping, nodes);
    check_model(read_model(f, &m.files));
    write_files(f, &m, mmf_stiffness, mmf_mass, mapping, nodes);
    check_model(read_model(f, &m.files));
    write_files(f, &m, hb_stiffness, mmf_mass, mapping, nodes);
    check_model(read_model(f, &m.files));
    m.files.damping = m.mass;
    assert_true(entry(&read_model(f, &m.files)->C, 1, 1) == 2.5);
}

/* Several numbers on a line, both triangles, no blanks between fields. */
static void test_unsymmetric_hb(void **state)
{
    fixture *f = *state;
    model_files m;
    write_files(f, &m,
                TITLE "4 1 1 2\nRUA                        3             3             7\n"
                      "(4I3) (7I3) (1P,4D10.3)\n  1  3  6  8\n  1  2  1  2  3  2  3\n"
                      " 4.000D+00-1.000D+00-1.000D+00 5.000D+00\n 5.000D-01 5.000D-01 2.000D+00\n",
                hb_mass, mapping, nodes);
    check_model(read_model(f, &m.files));
}

/* Lists of entries: both triangles (Abaqus), one (CalculiX), and with labels. */
static void test_lists(void **state)
{
    fixture *f = *state;
    model_files m;
    write_files(f, &m, "1 1 4.\n1 2 -1.\n2 1 -1.\n2 2 5.\n2 3 .5\n3 2 .5\n3 3 2.\n",
                "1 1 1.0\n2 2 2.5\n", mapping, nodes);
    check_model(read_model(f, &m.files));
    write_files(f, &m, "1 1 4.\r\n2 2 5.\r\n3 3 2.\r\n1 2 -1.\r\n2 3 5-1\r\n",
                "1 1 1.0\r\n2 2 2.5\r\n", NULL, nodes);
    put(f, m.mapping, "k.dof", "7.2\r\n3.1\r\n9.6\r\n");
    check_model(read_model(f, &m.files));
    write_files(f, &m, "7,2, 7,2, 4.\n3,1,7,2,-1.\n3,1,3,1,5.\n9,6,3,1,.5\n9,6,9,6,2.\n",
                "3,1,3,1,2.5\n7,2,7,2,1.\n", NULL, nodes);
    check_model(read_model(f, &m.files));
    write_files(f, &m, "1 1 4.\n", "9 1 9 1 2.\n", "equation,node,direction\n1,9,1\n", nodes);
    assert_true(entry(&read_model(f, &m.files)->M, 0, 0) == 2);
}

static void test_array(void **state)
{
    fixture *f = *state;
    model_files m;
    write_files(
        f, &m, "%%MatrixMarket matrix array real general\n3 3\n4\n-1\n0\n-1\n5\n.5\n0\n.5\n2\n",
        "%%MatrixMarket matrix array real symmetric\n3 3\n1\n0\n0\n2.5\n0\n0\n", mapping, nodes);
    check_model(read_model(f, &m.files));
}

/* A mesh with elements comes along. */
static void test_mesh(void **state)
{
    fixture *f = *state;
    model_files m;
    write_files(f, &m, mmf_stiffness, mmf_mass, mapping, nodes);
    put(f, m.nodes, "nodes.inp",
        "*NODE\n3, 0.5\n7, 1, 2\n8, 5, 5, 5\n9, -1\n*ELEMENT, TYPE=B31\n1, 3, 7\n");
    m.files.nodes = m.nodes;
    const lmb_fe_model *model = read_model(f, &m.files);
    assert_non_null(model->mesh);
    assert_int_equal(model->mesh->element_count, 1);
    assert_ptr_equal(model->x, model->mesh->x);
}

/* Millimetres and tonnes: K is N/mm, N and N mm; M is t, t mm and t mm^2. */
static void test_units(void **state)
{
    fixture *f = *state;
    model_files m;
    write_files(f, &m, "1 1 4.\n2 2 5.\n2 1 -1.\n", "1 1 1.\n2 2 3.\n2 1 .5\n",
                "1 3 UX\n2 3 ROTY\n", nodes);
    m.files.units = lmb_units_of(f->context, (lmb_place){0}, "mm-t-s");
    m.files.damping = m.mass;
    const lmb_fe_model *model = read_model(f, &m.files);
    assert_true(entry(&model->K, 0, 0) == 4000 && entry(&model->K, 1, 0) == -1);
    assert_true(entry(&model->K, 1, 1) == 0.005);
    assert_true(entry(&model->M, 0, 0) == 1000 && entry(&model->M, 1, 0) == 0.5);
    assert_true(entry(&model->M, 1, 1) == 0.003);
    assert_true(entry(&model->C, 0, 0) == 1000);
    assert_true(model->x[0].x == 0.0005);
    assert_int_equal(model->dimension, 3);
    m.files.units = lmb_units_of(f->context, (lmb_place){0}, "mm-kg-ms");
    model = read_model(f, &m.files);
    assert_true(entry(&model->K, 0, 0) == 4e6 && entry(&model->K, 1, 0) == -1e3); /* kN/mm */
    assert_true(entry(&model->C, 0, 0) == 1000 && entry(&model->M, 0, 0) == 1);
}

/* --- Mistakes --- */

/* Reads a model that must be wrong: where, and what is said. */
static void check_bad(fixture *f, const lmb_matrix_files *files, const char *file, int line,
                      const char *piece)
{
    lmb_fe_model *model;
    lmb_messages_clear(f->context);
    assert_int_equal(lmb_matrices_read(&model, f->context, f->arena, files), LMB_BAD_INPUT);
    assert_null(model);
    assert_message(f->context, piece);
    const lmb_message *m = lmb_message_at(f->context, lmb_message_count(f->context) - 1);
    assert_int_equal(m->line, line);
    if (!strstr(m->file, file))
        fail_msg("the message is about '%s', not '%s'", m->file, file);
}

static void bad_stiffness(fixture *f, const char *text, int line, const char *piece)
{
    model_files m;
    write_files(f, &m, text, mmf_mass, mapping, nodes);
    check_bad(f, &m.files, "k.txt", line, piece);
}

static void bad_mapping(fixture *f, const char *text, int line, const char *piece)
{
    model_files m;
    write_files(f, &m, mmf_stiffness, mmf_mass, text, nodes);
    check_bad(f, &m.files, "k.mapping", line, piece);
}

#define MM "%%MatrixMarket matrix coordinate real symmetric\n"
#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

static void test_bad_market(void **state)
{
    fixture *f = *state;
    bad_stiffness(f, MM "4 4 1\n1 1 1\n", 2, "has 4 rows, but the mapping");
    bad_stiffness(f, MM "3 4 1\n1 1 1\n", 2, "must be square");
    bad_stiffness(f, MM "3 3 2\n1 1 1\n", 3, "ends after 1 of 2 entries");
    bad_stiffness(f, MM "3 3 1\n1 1 1\n2 2 1\n", 4, "more entries than the head says");
    bad_stiffness(f, MM "3 3 1\n1 4 1\n", 3, "entry (1, 4) is outside");
    bad_stiffness(f, MM "3 3 1\n1 1 NaN\n", 3, "'NaN' is not a number");
    bad_stiffness(f, MM "3 3 1\n1 1 1e400\n", 3, "'1e400' is too large");
    bad_stiffness(f, MM "3 3 1\n2 2 -1\n", 3, "entry (2, 2) of the stiffness is -1 (node 3, UX)");
    bad_stiffness(f, MM "3 3 2\n2 1 -1\n1 2 -1\n", 4, "one triangle only");
    bad_stiffness(f, MM "3 3 2\n1 1 1\n1 1 2\n", 0, "entry (1, 1) of the stiffness is given twice");
    bad_stiffness(f, MM "3 3 2\n1 1 1\n2 2 2\n", 0,
                  "no entry (3, 3) on its diagonal (node 9, ROTZ)");
    bad_stiffness(f, "%%MatrixMarket matrix coordinate complex general\n", 1, "'complex'");
    bad_stiffness(f, "%%MatrixMarket matrix coordinate real skew-symmetric\n", 1,
                  "'skew-symmetric'");
    bad_stiffness(f, "%%MatrixMarket\n", 1, "expected %%MatrixMarket");
    bad_stiffness(f, MM, 1, "the size of the matrix is missing");
    bad_stiffness(f, "", 0, "no entries");
    bad_stiffness(f, GENERAL "3 3 5\n1 1 4\n2 2 5\n3 3 2\n2 1 -1\n1 2 -1.001\n", 0,
                  "not symmetric: entry (2, 1) is -1 and (1, 2) is -1.001");
    bad_stiffness(f, GENERAL "3 3 4\n1 1 4\n2 2 5\n3 3 2\n3 1 -1\n", 0,
                  "not symmetric: entry (3, 1) is -1 and (1, 3) is 0");

    /* differences by rounding are none */
    model_files m;
    write_files(f, &m, GENERAL "3 3 5\n1 1 4\n2 2 5\n3 3 2\n2 1 -1\n1 2 -1.0000000001\n", mmf_mass,
                mapping, nodes);
    assert_close(entry(&read_model(f, &m.files)->K, 1, 0), -1.00000000005, 1e-15);
    write_files(f, &m, mmf_stiffness, MM "3 3 1\n2 2 -1e-9\n", mapping, nodes);
    check_bad(f, &m.files, "m.txt", 3, "must not be negative");
}

/* Puts a piece in the place of another of the stiffness. */
static void bad_hb(fixture *f, const char *old, const char *new, int line, const char *piece)
{
    char text[3000];
    const char *at = strstr(hb_stiffness, old);
    assert_non_null(at);
    sprintf(text, "%.*s%s%s", (int)(at - hb_stiffness), hb_stiffness, new, at + strlen(old));
    bad_stiffness(f, text, line, piece);
}

static void test_bad_harwell_boeing(void **state)
{
    fixture *f = *state;
    bad_hb(f, "RSA", "CSA", 3, "type CSA is not supported");
    bad_hb(f, "RSA", "RSE", 3, "type RSE is not supported");
    bad_hb(f, "             4             5", "             5             5", 2,
           "4 pointers take 4 lines, not 5");
    bad_hb(f, "             5             5             3", "             5             6        3",
           2, "5 values take 5 lines, not 6");
    bad_hb(f, "             1\n             3\n", "             2\n             3\n", 6,
           "pointer 1 is 2");
    bad_hb(f, "             3\n             5\n", "             5\n             3\n", 8,
           "pointer 3 is 3");
    bad_hb(f, "             6\n", "             7\n", 9, "the last pointer is 7");
    bad_hb(f, "             2\n             3\n             3\n",
           "             2\n             3\n             4\n", 19, "entry (4, 3) is outside");
    bad_hb(f, "0.400000000000000D+01", "0.400000000000000Q+01", 15, "is not a number");
    bad_hb(f, "    0.400000000000000D+01", "                  NaN", 15, "'NaN' is not a number");
    bad_hb(f, "    0.400000000000000D+01", "   -0.400000000000000D+01", 15,
           "entry (1, 1) of the stiffness is -4 (node 7, UY)");
    bad_hb(f, "(d25.15) ", "(w25.15) ", 14, "format (w25.15) is not understood");
    bad_hb(f, "(I14)           (I14)", "(I14)           I14", 9,
           "the format (d25.15) cannot be that of rows");
    bad_hb(f, "(I14)           (I14)           (d25.15)            (d25.15)", "(I14) (I14)", 4,
           "expected three formats");

    /* wherever it ends, it ends early; the right-hand side is not needed */
    char text[3000];
    const char *rhs = strstr(hb_stiffness, "    0.000000000000000D+00");
    for (size_t length = 270; length + 22 < (size_t)(rhs - hb_stiffness); length += 7) {
        model_files m;
        lmb_fe_model *model;
        memcpy(text, hb_stiffness, length);
        text[length] = 0;
        write_files(f, &m, text, mmf_mass, mapping, nodes);
        assert_int_equal(lmb_matrices_read(&model, f->context, f->arena, &m.files), LMB_BAD_INPUT);
    }
}

static void test_bad_mapping(void **state)
{
    fixture *f = *state;
    bad_mapping(f, "title\n1 7 UY\n2 3 TEMP\n", 3, "degree of freedom 'TEMP'");
    bad_mapping(f, "1 7 UY\n3 3 UX\n", 2, "equation 3 is not the next one, which is 2");
    bad_mapping(f, "1 7 UY\n2 7 UY\n", 2, "node 7 has two equations for UY");
    bad_mapping(f, "1 7 UY\n2 3 UX\n3 4 UX\n", 3, "node 4 has no coordinates in");
    bad_mapping(f, "1 7\n", 1, "expected equation, node and direction");
    bad_mapping(f, "1 7 7\n", 1, "degree of freedom '7'");
    bad_mapping(f, "1 0 UX\n", 1, "a node has the number 0");
    bad_mapping(f, "title\n", 1, "no equations");

    model_files m;
    write_files(f, &m, mmf_stiffness, mmf_mass, NULL, nodes);
    check_bad(f, &m.files, "", 0, "HBMAT");
    write_files(f, &m, "1 1 1 1 2.\n", "1 2 1 2 1.\n", NULL, nodes);
    check_bad(f, &m.files, "m.txt", 1, "the stiffness has no such degree of freedom");
    write_files(f, &m, "1 1 1 7 2.\n", "1 2 1 2 1.\n", NULL, nodes);
    check_bad(f, &m.files, "k.txt", 1, "direction 7 of node 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ansys, start, finish),
        cmocka_unit_test_setup_teardown(test_unsymmetric_hb, start, finish),
        cmocka_unit_test_setup_teardown(test_lists, start, finish),
        cmocka_unit_test_setup_teardown(test_array, start, finish),
        cmocka_unit_test_setup_teardown(test_mesh, start, finish),
        cmocka_unit_test_setup_teardown(test_units, start, finish),
        cmocka_unit_test_setup_teardown(test_bad_market, start, finish),
        cmocka_unit_test_setup_teardown(test_bad_harwell_boeing, start, finish),
        cmocka_unit_test_setup_teardown(test_bad_mapping, start, finish),
    };
    return cmocka_run_group_tests_name("matrices", tests, NULL, NULL);
}
