/* Modes and matrices of a reduced body. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/load_body.h"
#include "cli/print.h"
#include "reduction/free_modes.h"

/* --- modes ------------------------------------------------------------------------------------ */

/* The name of a coordinate: a motion of the frame, or a mode. */
static void coordinate_name(int rigid, int k, char *name, size_t size)
{
    static const char *const plane[] = {"x", "y", "angle"};
    static const char *const space[] = {"x", "y", "z", "rotation.x", "rotation.y", "rotation.z"};
    if (k >= rigid)
        snprintf(name, size, "mode%d", k - rigid + 1);
    else
        snprintf(name, size, "%s", rigid == 3 ? plane[k] : space[k]);
}

static void modes_json(const lmb_body_data *d, const lmb_free_modes *m)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_text(&json, "body", d->name);
    lmb_json_open(&json, "coordinates", '[');
    for (int k = 0; k < m->count; k++) {
        char name[32];
        coordinate_name(m->rigid, k, name, sizeof name);
        lmb_json_text(&json, NULL, name);
    }
    lmb_json_close(&json);
    lmb_json_open(&json, "modes", '[');
    for (int i = 0; i < m->count; i++) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_put(&json, "number %d, frequency %g, damping %g, rigid %hhd", i + 1,
                     m->frequency[i], m->damping[i], i < m->rigid);
        lmb_json_open_flat(&json, "shape", '[');
        for (int k = 0; k < m->count; k++)
            lmb_json_number(&json, NULL, m->shape[(size_t)i * (size_t)m->count + (size_t)k]);
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_close(&json);
}

lmb_status lmb_print_body_modes(const lmb_arguments *a)
{
    lmb_body_data *d;
    lmb_free_modes *m = NULL;
    bool cached;
    lmb_status status = lmb_load_body(a, false, &d, &cached);
    if (!status)
        status = lmb_free_modes_new(&m, a->context, d->reduced);
    if (!status && a->json) {
        modes_json(d, m);
    } else if (!status) {
        printf("%-6s %24s %24s\n", "mode", "frequency (Hz)", "damping (ratio)");
        for (int i = 0; i < m->count; i++)
            printf("%-6d %24.17g %24.17g%s\n", i + 1, m->frequency[i], m->damping[i],
                   i < m->rigid ? "  (rigid)" : "");
    }
    lmb_free_modes_free(m);
    lmb_body_free(d);
    return status;
}

/* --- matrices --------------------------------------------------------------------------------- */

typedef void name_function(const lmb_reduced *b, int index, char *name, size_t size);

/* A matrix by columns (or by rows), with the names of both. */
typedef struct table {
    const char *name, *doc;
    int rows, columns;
    const double *values;
    bool by_rows;
    name_function *row, *column;
} table;

static double value_of(const table *t, int i, int j)
{
    return t->values[t->by_rows ? (size_t)i * (size_t)t->columns + (size_t)j
                                : (size_t)j * (size_t)t->rows + (size_t)i];
}

static void mode_name(const lmb_reduced *b, int k, char *name, size_t size)
{
    (void)b;
    snprintf(name, size, "mode%d", k + 1);
}

/* Columns of the invariants: translations, rotations, modes, and modes turned about an axis. */
static void gram_name(const lmb_reduced *b, int k, char *name, size_t size)
{
    int turned = k - 6 - b->mode_count;
    if (k < 6)
        coordinate_name(6, k, name, size);
    else if (turned < 0)
        mode_name(b, k - 6, name, size);
    else
        snprintf(name, size, "mode%d.turned.%c", turned / 3 + 1, "xyz"[turned % 3]);
}

/* Rows of the basis at the interface points. */
static void point_row(const lmb_reduced *b, int k, char *name, size_t size)
{
    char direction[32];
    coordinate_name(6, k % LMB_DIRECTIONS, direction, sizeof direction);
    snprintf(name, size, "%.80s.%s", b->point_name[k / LMB_DIRECTIONS], direction);
}

/* Rows of geometric stiffness: a matrix for each product of angular velocities or each mode. */
static void spin_row(const lmb_reduced *b, int k, char *name, size_t size)
{
    static const char *const spins[LMB_SPINS] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    snprintf(name, size, "%s.mode%d", spins[k / b->mode_count], k % b->mode_count + 1);
}

static void stress_row(const lmb_reduced *b, int k, char *name, size_t size)
{
    snprintf(name, size, "mode%d.mode%d", k / b->mode_count + 1, k % b->mode_count + 1);
}

static void print_table(const lmb_reduced *b, const table *t)
{
    char name[128];
    printf("%s: %s\n%-20s", t->name, t->doc, "");
    for (int j = 0; j < t->columns; j++) {
        t->column(b, j, name, sizeof name);
        printf(" %24s", name);
    }
    printf("\n");
    for (int i = 0; i < t->rows; i++) {
        t->row(b, i, name, sizeof name);
        printf("%-20s", name);
        for (int j = 0; j < t->columns; j++)
            printf(" %24.17g", value_of(t, i, j));
        printf("\n");
    }
    printf("\n");
}

static void print_names(lmb_json *json, const lmb_reduced *b, const char *key, int count,
                        name_function *name_of)
{
    lmb_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        char name[128];
        name_of(b, i, name, sizeof name);
        lmb_json_text(json, NULL, name);
    }
    lmb_json_close(json);
}

static void table_json(lmb_json *json, const table *t)
{
    lmb_json_open(json, t->name, '[');
    for (int i = 0; i < t->rows; i++) {
        lmb_json_open_flat(json, NULL, '[');
        for (int j = 0; j < t->columns; j++)
            lmb_json_number(json, NULL, value_of(t, i, j));
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void print_matrices(const lmb_body_data *d, bool as_json)
{
    const lmb_reduced *b = d->reduced;
    int modes = b->mode_count, gram = lmb_gram_size(modes), rows = LMB_DIRECTIONS * b->point_count;
    const table tables[] = {
        {"K", "stiffness of the modes", modes, modes, b->K, false, mode_name, mode_name},
        {"M", "mass of the modes", modes, modes, b->M, false, mode_name, mode_name},
        {"C", "damping of the modes", modes, modes, b->C, false, mode_name, mode_name},
        {"gram", "invariants: products of all columns through the mass matrix", gram, gram, b->gram,
         false, gram_name, gram_name},
        {"basis", "displacements and rotations of the interface points in the modes", rows, modes,
         b->point_shape, true, point_row, mode_name},
        {"spin_stiffness", "geometric stiffness by products of angular velocities",
         LMB_SPINS * modes, modes, b->spin_stiffness, true, spin_row, mode_name},
        {"mode_stiffness", "geometric stiffness by the stress of each mode", modes * modes, modes,
         b->mode_stiffness, true, stress_row, mode_name},
    };
    size_t count = sizeof tables / sizeof *tables;
    lmb_json json = lmb_json_start(stdout);
    if (as_json) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_text(&json, "body", d->name);
        print_names(&json, b, "modes", modes, mode_name);
        print_names(&json, b, "gram_columns", gram, gram_name);
        print_names(&json, b, "basis_rows", rows, point_row);
    }
    for (size_t i = 0; i < count; i++) {
        if (!tables[i].values)
            continue;
        if (as_json)
            table_json(&json, &tables[i]);
        else
            print_table(b, &tables[i]);
    }
    if (as_json)
        lmb_json_close(&json);
}

lmb_status lmb_print_body_matrices(const lmb_arguments *a)
{
    lmb_body_data *d;
    bool cached;
    lmb_status status = lmb_load_body(a, false, &d, &cached);
    if (!status)
        print_matrices(d, a->json);
    lmb_body_free(d);
    return status;
}
