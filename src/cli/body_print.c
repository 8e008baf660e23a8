/* Modes and matrices of a reduced body. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/load_body.h"
#include "cli/matrix_print.h"
#include "reduction/free_modes.h"

/* --- modes ------------------------------------------------------------------------------------ */

/* The name of a motion of the frame, of which there are 3 in the plane, or of a mode. */
static void motion_name(int rigid, int k, char *name, size_t size)
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
    size_t count = (size_t)m->count;
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_text(&json, "body", d->name);
    lmb_json_open(&json, "coordinates", '[');
    for (int k = 0; k < m->count; k++) {
        char name[32];
        motion_name(m->rigid, k, name, sizeof name);
        lmb_json_text(&json, NULL, name);
    }
    lmb_json_close(&json);
    lmb_json_open(&json, "modes", '[');
    for (size_t i = 0; i < count; i++)
        lmb_mode_json(&json, (int)i + 1, m->frequency[i], m->damping[i], (int)i < m->rigid, count,
                      m->shape + i * count);
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

static void mode_name(const void *body, int k, char *name, size_t size)
{
    (void)body;
    snprintf(name, size, "mode%d", k + 1);
}

/* Columns of the invariants: translations, rotations, modes, and modes turned about an axis. */
static void gram_name(const void *body, int k, char *name, size_t size)
{
    int turned = k - 6 - ((const lmb_reduced *)body)->mode_count;
    if (turned < 0)
        motion_name(6, k, name, size);
    else
        snprintf(name, size, "mode%d.turned.%c", turned / 3 + 1, "xyz"[turned % 3]);
}

/* Rows of the basis at the interface points. */
static void point_row(const void *body, int k, char *name, size_t size)
{
    char direction[32];
    motion_name(6, k % LMB_DIRECTIONS, direction, sizeof direction);
    snprintf(name, size, "%.80s.%s", ((const lmb_reduced *)body)->point_name[k / LMB_DIRECTIONS],
             direction);
}

/* Rows of geometric stiffness: a matrix for each product of angular velocities or each mode. */
static void spin_row(const void *body, int k, char *name, size_t size)
{
    static const char *const spins[LMB_SPINS] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    int modes = ((const lmb_reduced *)body)->mode_count;
    snprintf(name, size, "%s.mode%d", spins[k / modes], k % modes + 1);
}

static void stress_row(const void *body, int k, char *name, size_t size)
{
    int modes = ((const lmb_reduced *)body)->mode_count;
    snprintf(name, size, "mode%d.mode%d", k / modes + 1, k % modes + 1);
}

static lmb_status print_matrices(const lmb_arguments *a, const lmb_body_data *d)
{
    const lmb_reduced *b = d->reduced;
    int n = b->mode_count, gram = lmb_gram_size(n), points = LMB_DIRECTIONS * b->point_count;
    const char **modes = lmb_index_names(d->arena, n, mode_name, b),
               **grams = lmb_index_names(d->arena, gram, gram_name, b),
               **rows = lmb_index_names(d->arena, points, point_row, b),
               **spins = lmb_index_names(d->arena, LMB_SPINS * n, spin_row, b),
               **stresses = lmb_index_names(d->arena, n * n, stress_row, b);
    if (!modes || !grams || !rows || !spins || !stresses)
        return lmb_fail_memory(a->context);
    const lmb_named_matrix matrices[] = {
        {"K", "stiffness of the modes", n, n, b->K, true, modes, modes},
        {"M", "mass of the modes", n, n, b->M, true, modes, modes},
        {"C", "damping of the modes", n, n, b->C, true, modes, modes},
        {"gram", "invariants: products of all columns through the mass matrix", gram, gram, b->gram,
         true, grams, grams},
        {"basis", "displacements and rotations of the interface points in the modes", points, n,
         b->point_shape, false, rows, modes},
        {"spin_stiffness", "geometric stiffness by products of angular velocities", LMB_SPINS * n,
         n, b->spin_stiffness, false, spins, modes},
        {"mode_stiffness", "geometric stiffness by the stress of each mode", n * n, n,
         b->mode_stiffness, false, stresses, modes},
    };
    lmb_json json = lmb_json_start(stdout);
    if (a->json) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_text(&json, "body", d->name);
        lmb_names_json(&json, "modes", n, modes);
        lmb_names_json(&json, "gram_columns", gram, grams);
        lmb_names_json(&json, "basis_rows", points, rows);
    }
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        if (matrices[i].values && a->json)
            lmb_matrix_json(&json, &matrices[i]);
        else if (matrices[i].values)
            lmb_matrix_print(&matrices[i]);
    if (a->json)
        lmb_json_close(&json);
    return LMB_OK;
}

lmb_status lmb_print_body_matrices(const lmb_arguments *a)
{
    lmb_body_data *d;
    bool cached;
    lmb_status status = lmb_load_body(a, false, &d, &cached);
    if (!status)
        status = print_matrices(a, d);
    lmb_body_free(d);
    return status;
}
