/* A model that goes out as matrices and comes back has its frequencies: a free bar of twenty beam
 * elements, written in each format as the programs write them (equations in another order, lower
 * half, D exponents, a mass with fewer entries), read, and reduced. */
#include <stdio.h>
#include <string.h>

#include "fe/element.h"
#include "fe/properties.h"
#include "import/matrix_read.h"
#include "models.h"
#include "program.h"
#include "reduction/reduced.h"
#include "support.h"

enum { ELEMENTS = 20, NODES = ELEMENTS + 1, ELASTIC = 6 };

static const char *const labels[] = {"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};

/* The equation (from 1) of a degree of freedom in the files: the other way round. */
static int equation(const lmb_fe_model *m, int dof)
{
    return m->n - dof;
}

static FILE *create(const char *name)
{
    FILE *f = fopen(scratch_path(name), "w");
    assert_non_null(f);
    return f;
}

/* Calls for each number of the lower half in the order of the files, column by column. */
typedef void put_entry(FILE *f, int row, int column, double value);

static long each_entry(const lmb_fe_model *m, const lmb_symmetric *a, bool zeros, FILE *f,
                       put_entry *put)
{
    long count = 0;
    for (int column = 1; column <= m->n; column++) {
        int j = m->n - column; /* its degree of freedom; rows below come from columns before it */
        for (int row = column; row <= m->n; row++) {
            int i = m->n - row;
            for (int k = a->start[i]; k < a->start[i + 1]; k++)
                if (a->row[k] == j && (zeros || a->value[k] != 0)) {
                    count++;
                    if (put)
                        put(f, row, column, a->value[k]);
                }
        }
    }
    return count;
}

static void put_plain(FILE *f, int row, int column, double value)
{
    fprintf(f, "%d %d %.15E\n", row, column, value);
}

static void put_row(FILE *f, int row, int column, double value)
{
    (void)column, (void)value;
    fprintf(f, "%14d\n", row);
}

static void put_value(FILE *f, int row, int column, double value)
{
    char text[40];
    (void)row, (void)column;
    snprintf(text, sizeof text, "%25.15E", value);
    *strchr(text, 'E') = 'D';
    fprintf(f, "%s\n", text);
}

static void write_market(const char *name, const lmb_fe_model *m, const lmb_symmetric *a,
                         bool zeros)
{
    FILE *f = create(name);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric \n%% Creator: ANSYS Inc\n");
    fprintf(f, "%d %d %ld\n", m->n, m->n, each_entry(m, a, zeros, NULL, NULL));
    each_entry(m, a, zeros, f, put_plain);
    fclose(f);
}

static void write_list(const char *name, const lmb_fe_model *m, const lmb_symmetric *a, bool zeros)
{
    FILE *f = create(name);
    each_entry(m, a, zeros, f, put_plain);
    fclose(f);
}

static void write_harwell_boeing(const char *name, const char *title, const lmb_fe_model *m,
                                 const lmb_symmetric *a, bool zeros)
{
    FILE *f = create(name);
    long count = each_entry(m, a, zeros, NULL, NULL), total = m->n + 1 + 2 * count, at = 1;
    fprintf(f, "%-80s\n%14ld%14d%14ld%14ld%14d\n", title, total, m->n + 1, count, count, 0);
    fprintf(f, "RSA           %14d%14d%14ld%14d\n", m->n, m->n, count, 0);
    fprintf(f, "%-16s%-16s%-20s%-20s\n", "(I14)", "(I14)", "(d25.15)", "(d25.15)");
    for (int column = 1; column <= m->n + 1; column++) {
        fprintf(f, "%14ld\n", at);
        int j = m->n - column;
        for (int i = 0; i <= j && column <= m->n; i++)
            for (int k = a->start[i]; k < a->start[i + 1]; k++)
                at += a->row[k] == j && (zeros || a->value[k] != 0);
    }
    each_entry(m, a, zeros, f, put_row);
    each_entry(m, a, zeros, f, put_value);
    fclose(f);
}

static void write_mapping(const char *name, const lmb_fe_model *m, bool calculix)
{
    FILE *f = create(name);
    if (!calculix)
        fprintf(f, "    Matrix Eqn          Node    DOF     \n");
    for (int e = 1; e <= m->n; e++) {
        int dof = m->n - e, node = m->number[m->node[dof]];
        assert_int_equal(equation(m, dof), e);
        if (calculix)
            fprintf(f, "%d.%d\n", node, m->direction[dof] + 1);
        else
            fprintf(f, "%14d%14d    %-4s\n", e, node, labels[(int)m->direction[dof]]);
    }
    fclose(f);
}

static void write_nodes(const char *name, const lmb_fe_model *m)
{
    FILE *f = create(name);
    fprintf(f, "number,x,y,z\n");
    for (int i = 0; i < m->node_count; i++)
        fprintf(f, "%d,%.17g,%.17g,%.17g\n", m->number[i], m->x[i].x, m->x[i].y, m->x[i].z);
    fclose(f);
}

static void frequencies_of(const lmb_fe_model *m, double hz[ELASTIC])
{
    int first = 0, last = NODES - 1;
    lmb_interface points[] = {{"A", m->x[0], LMB_TIE_NODE, &first, 1},
                              {"B", m->x[NODES - 1], LMB_TIE_NODE, &last, 1}};
    lmb_reduction options = {.fixed = {.number = 12}};
    lmb_reduced *b;
    assert_ok(lmb_reduce(&b, context, m, points, 2, &options));
    memcpy(hz, b->all_frequency, ELASTIC * sizeof *hz);
    lmb_reduced_free(b);
}

static void check_files(const char *stiffness, const char *mass, const char *mapping,
                        const double expected[ELASTIC])
{
    lmb_arena *arena = lmb_arena_new();
    char paths[4][512];
    const char *names[] = {stiffness, mass, mapping, "bar.csv"};
    for (int i = 0; i < 4; i++)
        snprintf(paths[i], sizeof paths[i], "%s", scratch_path(names[i]));
    lmb_matrix_files files = {
        .stiffness = paths[0], .mass = paths[1], .mapping = paths[2], .nodes = paths[3]};
    lmb_fe_model *m;
    double hz[ELASTIC];
    assert_ok(lmb_matrices_read(&m, context, arena, &files));
    frequencies_of(m, hz);
    for (int k = 0; k < ELASTIC; k++)
        assert_close(hz[k], expected[k], 1e-8 * expected[k]); /* files have 16 digits */
    lmb_arena_free(arena);
}

static void every_format_gives_the_frequencies(void **unused)
{
    (void)unused;
    static const vec3 ends[] = {{0, 0, 0}, {2, 1, 0.5}};
    lmb_beam_line line = {.name = "bar",
                          .dimension = 3,
                          .points = ends,
                          .point_count = 2,
                          .elements = ELEMENTS,
                          .material = {"steel", 2.1e11, 0.3, 7800, false}};
    lmb_mesh *mesh;
    lmb_fe_model *m;
    double expected[ELASTIC];
    assert_ok(lmb_section_rectangle(&line.section, context, 0.1, 0.06, 0.3));
    assert_ok(lmb_beam_mesh(&mesh, context, &line));
    assert_ok(lmb_fe_assemble(&m, context, mesh, 0));
    frequencies_of(m, expected);
    write_nodes("bar.csv", m);
    write_mapping("bar.mapping", m, false);
    write_mapping("bar.dof", m, true);
    write_market("k.mmf", m, &m->K, true);
    write_market("m.mmf", m, &m->M, false);
    write_harwell_boeing("k.matrix",
                         "Stiffness matrix from ANSYS FULL file dumped into Harwell-Boeing format",
                         m, &m->K, true);
    write_harwell_boeing("m.matrix",
                         "     Mass matrix from ANSYS FULL file dumped into Harwell-Boeing format",
                         m, &m->M, false);
    write_list("bar.sti", m, &m->K, false);
    write_list("bar.mas", m, &m->M, false);
    check_files("k.mmf", "m.mmf", "bar.mapping", expected);
    check_files("k.matrix", "m.matrix", "bar.mapping", expected);
    check_files("bar.sti", "bar.mas", "bar.dof", expected);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_format_gives_the_frequencies)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
