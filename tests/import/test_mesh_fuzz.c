/* Meshes and matrices with random mistakes: reading them must end well or with a message. */
#include "import/mesh_file.h"

#include "import/matrix_read.h"

enum { ROUNDS = 400, MOST = 4000 };

/* A small generator, so that every run is the same. */
static unsigned long long seed = 20261115;

static size_t pick(size_t below)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return below ? (size_t)(seed >> 33) % below : 0;
}

typedef struct sample {
    const char *name;
    char bytes[MOST];
    size_t size;
} sample;

static void put(sample *s, const void *bytes, size_t size)
{
    assert_true(s->size + size < MOST);
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static void put_text(sample *s, const char *text)
{
    put(s, text, strlen(text));
}

static void put_ints(sample *s, int count, const int32_t *values)
{
    put(s, values, (size_t)count * sizeof *values);
}

static void put_sizes(sample *s, int count, const int32_t *values)
{
    for (int i = 0; i < count; i++)
        put(s, &(uint64_t){(uint64_t)values[i]}, sizeof(uint64_t));
}

#define INTS(s, ...)                                                                               \
    put_ints(s, sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t), (const int32_t[]){__VA_ARGS__})
#define SIZES(s, ...)                                                                              \
    put_sizes(s, sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t), (const int32_t[]){__VA_ARGS__})

static const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

static void make_binary_2(sample *s)
{
    *s = (sample){.name = "a.msh"};
    put_text(s, "$MeshFormat\n2.2 1 8\n");
    INTS(s, 1);
    put_text(s, "\n$EndMeshFormat\n$Nodes\n4\n");
    for (int i = 0; i < 4; i++) {
        INTS(s, i + 1);
        put(s, &points[3 * i], 3 * sizeof *points);
    }
    put_text(s, "\n$EndNodes\n$Elements\n2\n");
    INTS(s, 2, 1, 2, 1, 7, 1, 1, 2, 3);
    INTS(s, 4, 1, 2, 2, 9, 1, 1, 2, 3, 4);
    put_text(s, "\n$EndElements\n");
}

static void make_binary_4(sample *s)
{
    *s = (sample){.name = "a.msh"};
    put_text(s, "$MeshFormat\n4.1 1 8\n");
    INTS(s, 1);
    put_text(s, "\n$EndMeshFormat\n$Entities\n");
    SIZES(s, 0, 0, 0, 1);
    INTS(s, 1);
    put(s, points, 6 * sizeof *points);
    SIZES(s, 1);
    INTS(s, 9);
    SIZES(s, 0);
    put_text(s, "\n$EndEntities\n$Nodes\n");
    SIZES(s, 1, 4, 1, 4);
    INTS(s, 3, 1, 0);
    SIZES(s, 4, 1, 2, 3, 4);
    put(s, points, sizeof points);
    put_text(s, "\n$EndNodes\n$Elements\n");
    SIZES(s, 1, 1, 1, 1);
    INTS(s, 3, 1, 4);
    SIZES(s, 1, 1, 1, 2, 3, 4);
    put_text(s, "\n$EndElements\n");
}

static void make_text(sample *s, const char *name, const char *text)
{
    *s = (sample){.name = name};
    put_text(s, text);
}

static const char msh[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 9 \"solid\"\n"
                          "$EndPhysicalNames\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 1 9 0\n"
                          "$EndEntities\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n"
                          "0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n"
                          "$EndElements\n";
static const char inp[] =
    "*HEADING\nx\n*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1.\n3, 0., 1., 0.\n4, , , 1.\n"
    "*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2,\n3, 4\n*ELEMENT, TYPE=B31, ELSET=B\n2, 1, 2\n"
    "*ELEMENT, TYPE=MASS, ELSET=M\n3, 1\n*MASS, ELSET=M\n2.\n*NSET, NSET=S, GENERATE\n1, 4, 2\n"
    "*NSET, NSET=T\nS, 4\n*MATERIAL, NAME=\"A\"\n*ELASTIC\n2e11, .3\n*DENSITY\n7800.\n"
    "*SOLID SECTION, ELSET=E, MATERIAL=A\n"
    "*BEAM SECTION, ELSET=B, MATERIAL=A, SECTION=PIPE\n.2, .1\n0., 1., 0.\n*STEP\n";
static const char cdb[] =
    "ET,1,185\nET,2,21\nNBLOCK,6,SOLID\n(3i9,6e21.13e3)\n"
    "        1        0        0\n        2        0        0 1.0000000000000E+000\n"
    "        3        0        0 0.0000000000000E+000 1.0000000000000E+000\n"
    "        4        0        0 0.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000\n"
    "N,R5.3,LOC,       -1,\nEBLOCK,19,SOLID\n(19i9)\n"
    "        1        1        1        1        0        0        0        0        8        0"
    "        1        1        2        3        3        4        4        4        4\n"
    "        1        2        1        1        0        0        0        0        1        0"
    "        2        1\n       -1\n"
    "CMBLOCK,A,NODE,2\n(8i10)\n         1        -4\nMPDATA,R5.0, 1,EX  ,1, 1,  2e11,\n"
    "RLBLOCK,1,1,6,7\n(2i8,6g16.9)\n(7g16.9)\n       1       1  2.50000000\n";
static const char table[] = "node\tx\ty\tz\r\n3\t0,5\t0\t0\r\n7\t1\t2\t0\r\n";
static const char nwrite[] = "       1\n       2 1.000000000000    \n       3  1. 2. 3.\n";

static const char market[] = "%%MatrixMarket matrix coordinate real general\n% x\n2 2 4\n1 1 4\n"
                             "2 1 -1\n1 2 -1\n2 2 5\n";
static const char boeing[] = "title\n9 3 3 3 0\nRSA                        2             2      3\n"
                             "(I4) (I4) (D12.4)\n   1\n   3\n   4\n   1\n   2\n   2\n"
                             "  0.4000D+01\n -0.1000D+01\n  0.5000D+01\n";
static const char list[] = "1 1 4.\n2 1 -1.\n2 2 5.\n";
static const char labelled[] = "3,1,3,1,4.\n3,1,7,2,-1.\n7,2,7,2,5.\n";
static const char mapping[] = "    Matrix Eqn          Node    DOF     \n"
                              "             1             3    UX  \n"
                              "             2             7    UY  \n";

/* Changes bytes, or cuts the end off, or doubles a piece. */
static void mutate(sample *s)
{
    static const char signs[] = "0123456789-+.,*$ \n\"()=eED\t\r";
    size_t at = pick(s->size);
    switch (pick(6)) {
    case 0:
        s->bytes[at] = (char)(s->bytes[at] ^ 1 << pick(8));
        break;
    case 1:
        s->bytes[at] = (char)pick(256);
        break;
    case 2:
        s->size = at;
        break;
    case 3: {
        size_t length = pick(30);
        if (at + length < s->size && s->size + length < MOST) {
            memmove(s->bytes + at + length, s->bytes + at, s->size - at);
            s->size += length;
        }
        break;
    }
    default:
        s->bytes[at] = signs[pick(sizeof signs - 1)];
        break;
    }
}

/* A failure must have been explained, and nothing else. */
static void check(const fixture *f, lmb_status status, const void *result, const sample *s)
{
    size_t errors = 0;
    for (size_t i = 0; i < lmb_message_count(f->context); i++)
        errors += lmb_message_at(f->context, i)->severity == LMB_ERROR;
    if ((status == LMB_OK) != (errors == 0) || (status == LMB_OK) != (result != NULL) ||
        (status != LMB_OK && status != LMB_BAD_INPUT))
        fail_msg("status %d with %zu errors for %s\n%.*s", (int)status, errors, s->name,
                 (int)s->size, s->bytes);
}

static void try_mesh(fixture *f, const sample *s)
{
    lmb_arena_clear(f->arena);
    lmb_messages_clear(f->context);
    const char *path = write_bytes(f, s->name, s->bytes, s->size);
    lmb_status status = lmb_mesh_read(&f->mesh, f->context, f->arena, path, NULL);
    check(f, status, f->mesh, s);
}

static void test_meshes(void **state)
{
    fixture *f = *state;
    sample samples[7];
    make_binary_2(&samples[0]);
    make_binary_4(&samples[1]);
    make_text(&samples[2], "a.msh", msh);
    make_text(&samples[3], "a.inp", inp);
    make_text(&samples[4], "a.cdb", cdb);
    make_text(&samples[5], "a.txt", table);
    make_text(&samples[6], "a.node", nwrite);
    for (int i = 0; i < 7; i++) {
        try_mesh(f, &samples[i]);
        if (!f->mesh)
            fail_msg("sample %d: %s", i, lmb_message_at(f->context, 0)->text);
    }
    for (int i = 0; i < 7 * ROUNDS; i++) {
        sample s = samples[i % 7];
        for (size_t k = 1 + pick(3); k > 0 && s.size > 0; k--)
            mutate(&s);
        try_mesh(f, &s);
    }
}

/* One of the files of a model is changed: the mass, or another one. */
static void try_matrices(fixture *f, const sample *s, bool mass)
{
    char changed[300];
    lmb_fe_model *model;
    lmb_arena_clear(f->arena);
    lmb_messages_clear(f->context);
    write_text(f, "nodes.csv", "3,0.5,0,0\n7,1,2,0\n");
    write_text(f, "k.txt", market);
    write_text(f, "k.mapping", mapping);
    strcpy(changed, write_bytes(f, s->name, s->bytes, s->size));
    lmb_matrix_files files = {scratch_path("k.txt"),     changed, NULL, NULL,
                              scratch_path("nodes.csv"), NULL};
    if (!mass)
        files.mass = files.stiffness;
    lmb_status status = lmb_matrices_read(&model, f->context, f->arena, &files);
    check(f, status, model, s);
}

static void test_matrices(void **state)
{
    fixture *f = *state;
    sample samples[6];
    make_text(&samples[0], "m.txt", market);
    make_text(&samples[1], "m.txt", boeing);
    make_text(&samples[2], "m.txt", list);
    make_text(&samples[3], "m.txt", labelled);
    make_text(&samples[4], "k.mapping", mapping);
    make_text(&samples[5], "k.txt", boeing);
    for (int i = 0; i < 6 * ROUNDS; i++) {
        sample s = samples[i % 6];
        for (size_t k = i < 6 ? 0 : 1 + pick(3); k > 0 && s.size > 0; k--)
            mutate(&s);
        try_matrices(f, &s, i % 6 < 4);
        if (i < 6 && lmb_message_count(f->context) > 0)
            fail_msg("sample %d: %s", i, lmb_message_at(f->context, 0)->text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_meshes, start, finish),
        cmocka_unit_test_setup_teardown(test_matrices, start, finish),
    };
    return cmocka_run_group_tests_name("meshes with random mistakes", tests, NULL, NULL);
}
