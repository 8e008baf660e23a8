/* Printing of matrices with names, and of modes and matrices of reduced bodies; see matrix_print.h.
 */
#include "cli/matrix_print.h"

#include <string.h>

#include "cli/load.h"
#include "reduction/reduced.h"

static double value_at(const lmb_named_matrix *m, int i, int j)
{
    int columns = m->columns ? m->columns : 1;
    return m->values[m->by_columns ? (size_t)j * (size_t)m->rows + (size_t)i
                                   : (size_t)i * (size_t)columns + (size_t)j];
}

static void print_text(const lmb_named_matrix *m)
{
    printf("%s: %s\n", m->name, m->doc);
    for (int j = 0; j < m->columns; j++)
        printf(j ? " %24s" : "%45s", m->column_names[j]);
    if (m->columns)
        printf("\n");
    for (int i = 0; i < m->rows; i++) {
        printf("%-20s", m->row_names[i]);
        for (int j = 0; j < (m->columns ? m->columns : 1); j++)
            printf(" %24.17g", value_at(m, i, j));
        printf("\n");
    }
    printf("\n");
}

static void put_json(lmb_json *json, const lmb_named_matrix *m)
{
    lmb_json_open(json, m->name, '[');
    for (int i = 0; i < m->rows; i++) {
        if (m->columns)
            lmb_json_open_flat(json, NULL, '[');
        for (int j = 0; j < (m->columns ? m->columns : 1); j++)
            lmb_json_number(json, NULL, value_at(m, i, j));
        if (m->columns)
            lmb_json_close(json);
    }
    lmb_json_close(json);
}

void lmb_matrices_print(lmb_json *json, size_t list_count, const lmb_name_list *lists, size_t count,
                        const lmb_named_matrix *matrices)
{
    for (size_t i = 0; json && i < list_count; i++)
        lmb_json_texts(json, lists[i].key, (size_t)lists[i].count, lists[i].names);
    for (const lmb_named_matrix *m = matrices; m < matrices + count; m++)
        if (m->values && json)
            put_json(json, m);
        else if (m->values)
            print_text(m);
}

void lmb_mode_json(lmb_json *json, int number, double frequency, double damping, bool rigid,
                   size_t size, const double *shape)
{
    lmb_json_open(json, NULL, '{');
    lmb_json_put(json, "number %d, frequency %g, damping %g, rigid %hhd", number, frequency,
                 damping, rigid);
    lmb_json_numbers(json, "shape", size, shape);
    lmb_json_close(json);
}

const char **lmb_model_names(lmb_arena *arena, const lmb_model *m, int count,
                             void (*name)(const lmb_model *, int, char *, size_t))
{
    const char **names = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++) {
        char text[128];
        name(m, i, text, sizeof text);
        names[i] = lmb_text_copy(arena, text, strlen(text));
    }
    return names;
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* The name of a motion of the frame, of which there are 3 in the plane, or of a mode. */
static const char *motion_name(lmb_arena *arena, int rigid, int k)
{
    static const char *const plane[] = {"x", "y", "angle"};
    static const char *const space[] = {"x", "y", "z", "rotation.x", "rotation.y", "rotation.z"};
    if (k >= rigid)
        return lmb_text_format(arena, "mode%d", k - rigid + 1);
    return rigid == 3 ? plane[k] : space[k];
}

static lmb_status modes_json(const lmb_arguments *a, const lmb_body_data *d,
                             const lmb_free_modes *m)
{
    size_t count = (size_t)m->count;
    const char **names = lmb_arena_alloc(a->arena, count + 1, sizeof *names);
    for (int k = 0; names && k < m->count; k++)
        names[k] = motion_name(a->arena, m->rigid, k);
    if (!lmb_arena_fine(a->arena))
        return lmb_fail_memory(a->context);
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_text(&json, "body", d->name);
    lmb_json_texts(&json, "coordinates", count, names);
    lmb_json_open(&json, "modes", '[');
    for (size_t i = 0; i < count; i++)
        lmb_mode_json(&json, (int)i + 1, m->frequency[i], m->damping[i], (int)i < m->rigid, count,
                      m->shape + i * count);
    lmb_json_end(&json);
    return LMB_OK;
}

static void modes_text(const lmb_free_modes *m)
{
    printf("%-6s %24s %24s\n", "mode", "frequency (Hz)", "damping (ratio)");
    for (int i = 0; i < m->count; i++)
        printf("%-6d %24.17g %24.17g%s\n", i + 1, m->frequency[i], m->damping[i],
               i < m->rigid ? "  (rigid)" : "");
}

lmb_status lmb_print_body_modes(const lmb_arguments *a)
{
    lmb_body_data *d;
    lmb_free_modes m;
    bool cached;
    lmb_status status = lmb_load_body(a, false, &d, &cached);
    if (!status)
        status = lmb_free_modes_find(&m, a->context, a->arena, d->reduced);
    if (!status && a->json)
        status = modes_json(a, d, &m);
    else if (!status)
        modes_text(&m);
    lmb_body_free(d);
    return status;
}

/* Names of rows and columns of the matrices, see print_matrices. */
typedef struct names {
    const char **modes;
    const char **gram;     /* translations, rotations, modes, and modes turned about an axis */
    const char **points;   /* of the basis at the interface points */
    const char **spins;    /* a matrix for each product of angular velocities */
    const char **stresses; /* a matrix for each mode */
} names;

static const char **new_list(lmb_arena *arena, int count)
{
    return lmb_arena_alloc(arena, (size_t)count + 1, sizeof(char *));
}

static bool make_names(lmb_arena *arena, const lmb_reduced *b, int gram, int points, names *of)
{
    static const char *const spins[LMB_SPINS] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    int n = b->mode_count, plain = 6 + n;
    *of = (names){new_list(arena, n), new_list(arena, gram), new_list(arena, points),
                  new_list(arena, LMB_SPINS * n), new_list(arena, n * n)};
    if (!lmb_arena_fine(arena))
        return false;
    for (int k = 0; k < n; k++)
        of->modes[k] = motion_name(arena, 0, k);
    for (int k = 0; k < gram; k++)
        of->gram[k] = k < plain ? motion_name(arena, 6, k)
                                : lmb_text_format(arena, "mode%d.turned.%c", (k - plain) / 3 + 1,
                                                  "xyz"[(k - plain) % 3]);
    for (int k = 0; k < points; k++)
        of->points[k] = lmb_text_format(arena, "%.80s.%s", b->point_name[k / LMB_DIRECTIONS],
                                        motion_name(arena, 6, k % LMB_DIRECTIONS));
    for (int k = 0; k < LMB_SPINS * n; k++)
        of->spins[k] = lmb_text_format(arena, "%s.mode%d", spins[k / n], k % n + 1);
    for (int k = 0; k < n * n; k++)
        of->stresses[k] = lmb_text_format(arena, "mode%d.mode%d", k / n + 1, k % n + 1);
    return lmb_arena_fine(arena);
}

static lmb_status print_matrices(const lmb_arguments *a, const lmb_body_data *d)
{
    const lmb_reduced *b = d->reduced;
    int n = b->mode_count, gram = lmb_gram_size(n), points = LMB_DIRECTIONS * b->point_count;
    names of;
    if (!make_names(a->arena, b, gram, points, &of))
        return lmb_fail_memory(a->context);
    const lmb_named_matrix matrices[] = {
        {"K", "stiffness of the modes", n, n, b->K, true, of.modes, of.modes},
        {"M", "mass of the modes", n, n, b->M, true, of.modes, of.modes},
        {"C", "damping of the modes", n, n, b->C, true, of.modes, of.modes},
        {"gram", "inertia invariants: M-products of all columns", gram, gram, b->gram, true,
         of.gram, of.gram},
        {"basis", "displacements and rotations of the interface points in the modes", points, n,
         b->point_shape, false, of.points, of.modes},
        {"spin_stiffness", "geometric stiffness by products of angular velocities", LMB_SPINS * n,
         n, b->spin_stiffness, false, of.spins, of.modes},
        {"mode_stiffness", "geometric stiffness by the stress of each mode", n * n, n,
         b->mode_stiffness, false, of.stresses, of.modes},
    };
    const lmb_name_list lists[] = {
        {"modes", n, of.modes}, {"gram_columns", gram, of.gram}, {"basis_rows", points, of.points}};
    lmb_json json = lmb_json_start(stdout);
    if (a->json) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_text(&json, "body", d->name);
    }
    lmb_matrices_print(a->json ? &json : NULL, sizeof lists / sizeof *lists, lists,
                       sizeof matrices / sizeof *matrices, matrices);
    lmb_json_end(&json);
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
