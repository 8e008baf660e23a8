/* Meshes of Gmsh, text and binary. */
#include "import/mesh_file.h"

#define HEAD_2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES_2 "$Nodes\n5\n10 0 0 0\n11 1 0 0\n12 0 1 0\n13 0 0 1\n14 2.5e0 0 -1\n$EndNodes\n"

static const char version_2[] =
    HEAD_2 "$PhysicalNames\n2\n2 7 \"base plate\"\n3 9 \"solid\"\n$EndPhysicalNames\n" NODES_2
           "$Elements\n4\n1 15 2 3 1 13\n2 2 2 7 1 10 12 11\n3 4 2 9 1 10 11 12 13\n"
           "4 1 2 5 2 13 14\n$EndElements\n$Periodic\n0\n$EndPeriodic\n";

static const char version_4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 7 \"base plate\"\n3 9 \"solid\"\n$EndPhysicalNames\n"
    "$Entities\n1 1 1 1\n1 0 0 1 1 3\n2 0 0 0 1 1 1 1 5 2 1 -1\n1 0 0 0 1 1 0 1 -7 0\n"
    "1 0 0 0 1 1 1 1 9 1 1\n$EndEntities\n"
    "$Nodes\n2 5 10 14\n3 1 0 4\n10\n11\n12\n13\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
    "1 2 1 1\n14\n2.5 0 -1 0.25\n$EndNodes\n"
    "$Elements\n4 4 1 4\n0 1 15 1\n1 13\n2 1 2 1\n2 10 12 11\n3 1 4 1\n3 10 11 12 13\n"
    "1 2 1 1\n4 13 14\n$EndElements\n";

/* What all files of this test say. */
static void check_mesh(const fixture *f)
{
    const lmb_mesh *m = f->mesh;
    assert_int_equal(m->node_count, 5);
    assert_int_equal(m->element_count, 2);
    assert_int_equal(m->dimension, 3);
    assert_true(m->x[4].x == 2.5 && m->x[4].y == 0 && m->x[4].z == -1);
    CHECK_ELEMENT(f, 0, LMB_TET4, 10, 11, 12, 13);
    CHECK_ELEMENT(f, 1, LMB_BEAM, 13, 14);
    assert_int_equal(m->elements[1].number, 4);
    assert_int_equal(m->elements[0].material, -1);
    assert_int_equal(m->elements[1].section, -1);
    CHECK_SET(f, "base plate", 10, 11, 12);
    CHECK_SET(f, "solid", 10, 11, 12, 13);
    CHECK_SET(f, "point-3", 13);
    CHECK_SET(f, "line-5", 13, 14);
    assert_int_equal(m->set_count, 4);
}

static void test_text(void **state)
{
    fixture *f = *state;
    read_good(f, "two.msh", version_2);
    check_mesh(f);
    read_good(f, "four.msh", version_4);
    check_mesh(f);
}

/* A text with CRLF in the place of LF. */
static void test_line_ends(void **state)
{
    fixture *f = *state;
    char text[4000];
    size_t length = 0;
    for (const char *p = version_4; *p; p++) {
        if (*p == '\n')
            text[length++] = '\r';
        text[length++] = *p;
    }
    text[length] = 0;
    read_good(f, "crlf.msh", text);
    check_mesh(f);
}

/* --- Binary files --- */

typedef struct bytes {
    char data[4000];
    size_t size;
    int swap;
} bytes;

static void put(bytes *b, const void *value, size_t size)
{
    const char *from = value;
    for (size_t i = 0; i < size; i++)
        b->data[b->size++] = from[b->swap ? size - 1 - i : i];
}

static void put_text(bytes *b, const char *text)
{
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

static void put_ints(bytes *b, int count, const int *values)
{
    for (int i = 0; i < count; i++) {
        int32_t value = values[i];
        put(b, &value, sizeof value);
    }
}

static void put_sizes(bytes *b, int count, const int *values)
{
    for (int i = 0; i < count; i++) {
        uint64_t value = (uint64_t)values[i];
        put(b, &value, sizeof value);
    }
}

static void put_doubles(bytes *b, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        put(b, &values[i], sizeof *values);
}

#define INTS(b, ...)                                                                               \
    put_ints(b, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__})
#define SIZES(b, ...)                                                                              \
    put_sizes(b, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__})

static const double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2.5, 0, -1}};
static const double box[6] = {0, 0, 0, 1, 1, 1};

static void begin(bytes *b, const char *version)
{
    put_text(b, "$MeshFormat\n");
    put_text(b, version);
    INTS(b, 1);
    put_text(b, "\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"base plate\"\n3 9 \"solid\"\n"
                "$EndPhysicalNames\n");
}

static void make_2(bytes *b)
{
    begin(b, "2.2 1 8\n");
    put_text(b, "$Nodes\n5\n");
    for (int i = 0; i < 5; i++) {
        INTS(b, 10 + i);
        put_doubles(b, 3, points[i]);
    }
    put_text(b, "\n$EndNodes\n$Elements\n4\n");
    INTS(b, 15, 1, 2, 1, 3, 1, 13);
    INTS(b, 2, 1, 2, 2, 7, 1, 10, 12, 11);
    INTS(b, 4, 1, 2, 3, 9, 1, 10, 11, 12, 13);
    INTS(b, 1, 1, 2, 4, 5, 2, 13, 14);
    put_text(b, "\n$EndElements\n");
}

static void make_4(bytes *b)
{
    begin(b, "4.1 1 8\n");
    put_text(b, "$Entities\n");
    SIZES(b, 1, 1, 1, 1);
    INTS(b, 1);
    put_doubles(b, 3, points[3]);
    SIZES(b, 1);
    INTS(b, 3);
    INTS(b, 2);
    put_doubles(b, 6, box);
    SIZES(b, 1);
    INTS(b, 5);
    SIZES(b, 2);
    INTS(b, 1, -1);
    INTS(b, 1);
    put_doubles(b, 6, box);
    SIZES(b, 1);
    INTS(b, 7);
    SIZES(b, 0);
    INTS(b, 1);
    put_doubles(b, 6, box);
    SIZES(b, 1);
    INTS(b, 9);
    SIZES(b, 1);
    INTS(b, 1);
    put_text(b, "\n$EndEntities\n$Nodes\n");
    SIZES(b, 1, 5, 10, 14);
    INTS(b, 3, 1, 0);
    SIZES(b, 5, 10, 11, 12, 13, 14);
    put_doubles(b, 15, points[0]);
    put_text(b, "\n$EndNodes\n$Elements\n");
    SIZES(b, 4, 4, 1, 4);
    INTS(b, 0, 1, 15);
    SIZES(b, 1, 1, 13);
    INTS(b, 2, 1, 2);
    SIZES(b, 1, 2, 10, 12, 11);
    INTS(b, 3, 1, 4);
    SIZES(b, 1, 3, 10, 11, 12, 13);
    INTS(b, 1, 2, 1);
    SIZES(b, 1, 4, 13, 14);
    put_text(b, "\n$EndElements\n");
}

static lmb_status read_binary(fixture *f, const bytes *b)
{
    return lmb_mesh_read(&f->mesh, f->context, f->arena,
                         write_bytes(f, "binary.msh", b->data, b->size), NULL);
}

static void test_binary(void **state)
{
    fixture *f = *state;
    for (int swap = 0; swap < 2; swap++) {
        bytes two = {.swap = swap}, four = {.swap = swap};
        make_2(&two);
        assert_int_equal(read_binary(f, &two), LMB_OK);
        check_mesh(f);
        make_4(&four);
        assert_int_equal(read_binary(f, &four), LMB_OK);
        check_mesh(f);
    }
}

/* A binary file that ends early, or whose numbers are too many, is refused. */
static void test_bad_binary(void **state)
{
    fixture *f = *state;
    bytes b = {0};
    make_4(&b);
    for (size_t size = 20; size < b.size - 14; size++) {
        bytes cut = b;
        cut.size = size;
        assert_int_equal(read_binary(f, &cut), LMB_BAD_INPUT);
    }
    bytes odd = {0};
    put_text(&odd, "$MeshFormat\n4.1 1 8\n");
    INTS(&odd, 3);
    put_text(&odd, "\n$EndMeshFormat\n");
    assert_int_equal(read_binary(f, &odd), LMB_BAD_INPUT);
    assert_message(f->context, "the byte order is not known");
}

/* --- Node order and kinds --- */

/* The nodes of edges are in the middles of those that the mesh says. */
static void check_middles(const fixture *f, int edges, const int (*ends)[2], int first)
{
    const int *nodes = f->mesh->connections + f->mesh->elements[0].first;
    for (int i = 0; i < edges; i++) {
        vec3 a = f->mesh->x[nodes[ends[i][0]]], b = f->mesh->x[nodes[ends[i][1]]];
        vec3 m = v3_scale(0.5, v3_add(a, b)), x = f->mesh->x[nodes[first + i]];
        assert_true(m.x == x.x && m.y == x.y && m.z == x.z);
    }
}

/* Writes an element with Gmsh's edges (of its reference manual, section 9.3). */
static void read_quadratic(fixture *f, int type, int corners, const double (*x)[3], int edges,
                           const int (*ends)[2])
{
    char text[4000];
    int n = sprintf(text, HEAD_2 "$Nodes\n%d\n", corners + edges);
    for (int i = 0; i < corners; i++)
        n += sprintf(text + n, "%d %g %g %g\n", i + 1, x[i][0], x[i][1], x[i][2]);
    for (int i = 0; i < edges; i++) {
        const double *a = x[ends[i][0]], *b = x[ends[i][1]];
        n += sprintf(text + n, "%d %g %g %g\n", corners + i + 1, (a[0] + b[0]) / 2,
                     (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    }
    n += sprintf(text + n, "$EndNodes\n$Elements\n1\n1 %d 0", type);
    for (int i = 0; i < corners + edges; i++)
        n += sprintf(text + n, " %d", i + 1);
    sprintf(text + n, "\n$EndElements\n");
    read_good(f, "quadratic.msh", text);
}

static void test_node_order(void **state)
{
    fixture *f = *state;
    static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int tet_gmsh[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}};
    static const int tet_ours[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    read_quadratic(f, 11, 4, tetrahedron, 6, tet_gmsh);
    assert_int_equal(f->mesh->elements[0].kind, LMB_TET10);
    check_middles(f, 6, tet_ours, 4);

    static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int hex_gmsh[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                        {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
    static const int hex_ours[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                        {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    read_quadratic(f, 17, 8, cube, 12, hex_gmsh);
    assert_int_equal(f->mesh->elements[0].kind, LMB_HEX20);
    check_middles(f, 12, hex_ours, 8);
}

/* A line on the edge of a tetrahedron makes a set; an element in two groups is there once. */
static void test_sets_only(void **state)
{
    fixture *f = *state;
    read_good(f, "edge.msh",
              HEAD_2 NODES_2 "$Elements\n3\n1 1 2 4 1 10 11\n2 4 2 1 1 10 11 12 13\n"
                             "3 4 2 2 1 10 11 12 13\n$EndElements\n");
    assert_int_equal(f->mesh->element_count, 1);
    CHECK_SET(f, "line-4", 10, 11);
    CHECK_SET(f, "volume-1", 10, 11, 12, 13);
    CHECK_SET(f, "volume-2", 10, 11, 12, 13);
}

/* Without physical groups, entities make sets. */
static void test_entities(void **state)
{
    fixture *f = *state;
    read_good(f, "two.msh",
              HEAD_2 NODES_2 "$Elements\n2\n1 2 2 0 6 10 11 12\n2 4 2 0 1 10 11 12 13\n"
                             "$EndElements\n");
    CHECK_SET(f, "surface-6", 10, 11, 12);
    CHECK_SET(f, "volume-1", 10, 11, 12, 13);
    read_good(f, "four.msh",
              "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n"
              "1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 6 2 1\n1 1 2 3\n3 1 4 1\n"
              "2 1 2 3 4\n$EndElements\n");
    CHECK_SET(f, "surface-6", 1, 2, 3);
    CHECK_SET(f, "volume-1", 1, 2, 3, 4);
}

static void test_mistakes(void **state)
{
    fixture *f = *state;
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n1\n6 6 0 10 11 12 13 14 10\n$EndElements\n", 14,
             "element 6 is a prism of 6 nodes, which is not supported");
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n1\n6 99 0 10 11\n$EndElements\n", 14,
             "element 6 is of type 99");
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n1\n6 4 0 10 11 12 99\n$EndElements\n", 14,
             "element 6 (tetrahedron of 4 nodes) uses the undefined node 99");
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n1\n6 4 0 10 11 12 10\n$EndElements\n", 14,
             "has node 10 twice");
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n1\n6 8 0 13 14 10\n$EndElements\n", 14,
             "is of a kind that is not supported");
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n2\n6 4 0 10 11 12 13\n", 14, "ends early");
    read_bad(f, "a.msh", HEAD_2 NODES_2 "$Elements\n2\n6 4 0 10 11 12 13\n$EndElements\n", 15,
             "'$EndElements' is not a whole number");
    read_bad(f, "a.msh", HEAD_2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", 7,
             "node 1 is defined twice");
    read_bad(f, "a.msh", HEAD_2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", 6, "'nan' is not a number");
    read_bad(f, "a.msh", HEAD_2 "$Nodes\n1\n1 0 1e999 0\n$EndNodes\n", 6, "'1e999' is too large");
    read_bad(f, "a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n", 2, "version 4 of the format");
    read_bad(f, "a.msh", HEAD_2, 3, "has no $Nodes");
    read_bad(f, "a.msh", "", 0, "not a mesh of Gmsh");
    read_bad(f, "a.msh", "hello\n", 1, "expected the name of a section");
    read_bad(f, "a.stl", "", 0, "format of the mesh is not known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_text, start, finish),
        cmocka_unit_test_setup_teardown(test_line_ends, start, finish),
        cmocka_unit_test_setup_teardown(test_binary, start, finish),
        cmocka_unit_test_setup_teardown(test_bad_binary, start, finish),
        cmocka_unit_test_setup_teardown(test_node_order, start, finish),
        cmocka_unit_test_setup_teardown(test_sets_only, start, finish),
        cmocka_unit_test_setup_teardown(test_entities, start, finish),
        cmocka_unit_test_setup_teardown(test_mistakes, start, finish),
    };
    return cmocka_run_group_tests_name("meshes of Gmsh", tests, NULL, NULL);
}
