/* A flexible body given by numbers: the invariants of its floating frame as the model file has
 * them, and the modes at its interface points.
 *
 * They become the products of columns (gram) that a reduction computes from a mass matrix:
 *
 *   translations with rotations    of s0 = m centre         modes with modes     M
 *   translations with modes        D                        rotations            J0
 *   rotations with modes           E0                       turned with modes    E1
 *   rotations with turned modes    J1 / 2                   turned with turned   J2 / 2  */
#include "model/flexible_part.h"

#include <string.h>

#include "base/text.h"
#include "model/fields.h"
#include "math/dense.h"

/* --- reading ---------------------------------------------------------------------------------- */

/* All numbers of a list of lists, up to `most`; *size counts them all. */
static lmb_status flatten(lmb_reader *r, const lmb_tree *node, const char *name, size_t most,
                          double *out, size_t *size)
{
    if (node->kind == LMB_TREE_LIST) {
        lmb_status status = LMB_OK;
        for (int i = 0; i < node->count && !status; i++)
            status = flatten(r, node->items[i], name, most, out, size);
        return status;
    }
    double values[3] = {0};
    int count = 0;
    lmb_status status = lmb_read_numbers(r, node, name, 3, values, &count);
    for (int i = 0; i < count && !status; i++, ++*size)
        if (*size < most)
            out[*size] = values[i];
    return status;
}

lmb_status lmb_read_number_table(lmb_reader *r, const lmb_tree *node, const char *name,
                                 size_t count, double **out)
{
    size_t size = 0;
    *out = lmb_arena_numbers(r->arena, count + 1);
    if (!*out)
        return lmb_fail_memory(r->context);
    lmb_status status = node ? flatten(r, node, name, count, *out, &size) : LMB_OK;
    if (node && !status && size != count)
        status = lmb_fail_at(r->context, node->place,
                             "'%s' must be %zu numbers in all, but has %zu", name, count, size);
    return status;
}

/* What a table has for each mode (or pair of modes): in space so many numbers, of which the plane
 * has so many, from one on. */
typedef struct entry {
    int in_space, in_plane, first;
} entry;

static const entry vectors = {3, 2, 0}, turns = {3, 1, 2}, inertias = {6, 1, 2};

/* A table with an entry for each mode; the numbers of the plane are put where they are in space. */
static lmb_status read_entries(lmb_reader *r, const lmb_tree *node, const char *name, entry of,
                               size_t count, double **out)
{
    size_t wide = (size_t)of.in_space, size = r->dimension == 2 ? (size_t)of.in_plane : wide;
    double *numbers;
    lmb_status status = lmb_read_number_table(r, node, name, count * size, &numbers);
    *out = numbers;
    if (status || r->dimension == 3)
        return status;
    *out = lmb_arena_numbers(r->arena, count * wide + 1);
    for (size_t i = 0; *out && i < count; i++)
        memcpy(*out + i * wide + of.first, numbers + i * size, size * sizeof **out);
    return *out ? LMB_OK : lmb_fail_memory(r->context);
}

lmb_status lmb_read_symmetric(lmb_reader *r, const lmb_tree *node, const char *name, int modes,
                              double **out)
{
    size_t n = (size_t)modes;
    bool diagonal = modes > 1 && node->count == modes && lmb_tree_is_flat(node);
    double *given, *square = lmb_arena_numbers(r->arena, n * n);
    lmb_status status = lmb_read_number_table(r, node, name, diagonal ? n : n * n, &given);
    *out = diagonal ? square : given;
    if (status || !square)
        return status ? status : lmb_fail_memory(r->context);
    for (size_t i = 0; i < n; i++) {
        if (diagonal)
            square[i * n + i] = given[i];
        for (size_t j = 0; j < i && !diagonal; j++)
            if (fabs(given[i * n + j] - given[j * n + i]) >
                1e-9 * (fabs(given[i * n + i]) + fabs(given[j * n + j])))
                return lmb_fail_at(r->context, node->place,
                                   "the matrix '%s' is not symmetric: row %zu, column %zu", name,
                                   i + 1, j + 1);
    }
    return LMB_OK;
}

static lmb_status check_mass(lmb_reader *r, const lmb_modal_numbers *m, lmb_place place)
{
    size_t n = (size_t)m->modes;
    double *copy = lmb_arena_numbers(r->arena, m->modes * (m->modes + 1));
    if (!copy)
        return lmb_fail_memory(r->context);
    memcpy(copy, m->M, n * n * sizeof *copy);
    if (lmb_dense_symmetric(m->modes, copy, copy + n * n) && copy[n * n] > 0)
        return LMB_OK;
    return lmb_fail_at(r->context, place, "the matrix 'modal_mass' must be positive definite");
}

typedef struct modal_keys {
    double mass;
    vec3 centre;
    lmb_value inertia;
    const lmb_tree *stiffness, *modal_mass, *damping, *momentum, *angular_momentum,
        *angular_momentum_by_mode, *inertia_by_mode, *inertia_by_two_modes;
} modal_keys;

#define KEY(member) LMB_KEY(modal_keys, member)

const lmb_field lmb_modal_fields[] = {
    {KEY(mass), LMB_FIELD_NUMBER, "kg", "Mass.", .required = true, .range = LMB_POSITIVE},
    {KEY(centre), LMB_FIELD_VECTOR, "m", "Centre of mass of the undeformed body, in its frame.",
     "the origin"},
    {KEY(inertia), LMB_FIELD_NUMBERS, "kg m^2",
     "J, about the origin of the frame: a number in the plane, three, six or nine in space.",
     .required = true},
    {KEY(stiffness), LMB_FIELD_TREE, "N/m", "K of the modes: rows, or the numbers of its diagonal.",
     .choices = "nested", .required = true},
    {KEY(modal_mass), LMB_FIELD_TREE, "kg", "M of the modes: rows, or the numbers of its diagonal.",
     .choices = "nested", .required = true},
    {KEY(damping), LMB_FIELD_TREE, "N s/m", "C of the modes: rows, or the numbers of its diagonal.",
     "none", .choices = "nested"},
    {KEY(momentum), LMB_FIELD_TREE, "kg",
     "D: the momentum of a unit rate of each mode, one vector per mode.", "0", .choices = "nested"},
    {KEY(angular_momentum), LMB_FIELD_TREE, "kg m",
     "E: the angular momentum about the origin of a unit rate of each mode, one number per mode in "
     "the plane and a vector in space.",
     "0", .choices = "nested"},
    {KEY(angular_momentum_by_mode), LMB_FIELD_TREE, "kg",
     "How E changes: row j has, for each mode k, the change of E_k with coordinate j.", "0",
     .choices = "nested"},
    {KEY(inertia_by_mode), LMB_FIELD_TREE, "kg m",
     "How J changes with the coordinate of each mode: one number per mode in the plane; xx, yy, "
     "zz, xy, xz, yz in space.",
     "0", .choices = "nested"},
    {KEY(inertia_by_two_modes), LMB_FIELD_TREE, "kg",
     "The second derivatives of J, one row per mode.",
     "twice 'modal_mass' in the plane, 0 in space", .choices = "nested"},
    {0},
};

lmb_status lmb_read_modal(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    modal_keys k;
    lmb_status status = lmb_read_fields(r, node, lmb_modal_fields, "'modal'", NULL, &k);
    if (status)
        return status;
    lmb_modal_numbers *m = lmb_arena_alloc(r->arena, 1, sizeof *m);
    if (!m)
        return lmb_fail_memory(r->context);
    p->numbers = m;
    const lmb_tree *K = k.stiffness;
    if (K->kind != LMB_TREE_LIST || K->count < 1)
        return lmb_fail_at(r->context, K->place,
                           "'stiffness' must be a list: the diagonal, or rows of the matrix");
    size_t n = (size_t)(m->modes = K->count);
    m->mass = k.mass;
    m->centre = k.centre;
    if ((status = lmb_read_inertia(r, &k.inertia, &m->inertia)) ||
        (status = lmb_read_symmetric(r, K, "stiffness", m->modes, &m->K)) ||
        (status = lmb_read_symmetric(r, k.modal_mass, "modal_mass", m->modes, &m->M)) ||
        (k.damping && (status = lmb_read_symmetric(r, k.damping, "damping", m->modes, &m->C))) ||
        (status = check_mass(r, m, k.modal_mass->place)) ||
        (status = read_entries(r, k.momentum, "momentum", vectors, n, &m->D)) ||
        (status = read_entries(r, k.angular_momentum, "angular_momentum", turns, n, &m->E0)) ||
        (status = read_entries(r, k.angular_momentum_by_mode, "angular_momentum_by_mode", turns,
                               n * n, &m->E1)) ||
        (status = read_entries(r, k.inertia_by_mode, "inertia_by_mode", inertias, n, &m->J1)) ||
        (status = read_entries(r, k.inertia_by_two_modes, "inertia_by_two_modes", inertias, n * n,
                               &m->J2)))
        return status;
    /* in the plane what turns a displaced point is its distance: J2 = 2 M */
    for (size_t i = 0; r->dimension == 2 && !k.inertia_by_two_modes && i < n * n; i++)
        m->J2[6 * i + 2] = 2 * m->M[i];
    return LMB_OK;
}

lmb_status lmb_read_modal_interface(lmb_reader *r, lmb_flexible_part *p, const lmb_entry *e,
                                    lmb_anchor *a)
{
    static const char *const others[] = {"node",     "at",    "nodes", "radius", "tie",
                                         "cylinder", "plane", "box",   "faces",  "tolerance"};
    const lmb_tree *node = e->node;
    lmb_interface_keys k;
    a->kind = LMB_ANCHOR_GIVEN;
    lmb_status status = lmb_read_fields(r, node, lmb_interface_fields, e->what, NULL, &k);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lmb_tree_get(node, others[i]))
            return lmb_fail_at(r->context, lmb_key_place(node, others[i]),
                               "'%s' is for bodies with nodes; a modal body has none", others[i]);
    if (!k.point.given)
        return lmb_fail_at(r->context, a->place, "%s needs the key 'point'", e->what);
    a->at = k.point.vector;
    size_t n = p->numbers ? (size_t)p->numbers->modes : 0; /* 0: 'modal' was wrong */
    if (n == 0)
        return LMB_OK;
    status = read_entries(r, k.displacements, "displacements", vectors, n, &a->displacements);
    return status ? status : read_entries(r, k.rotations, "rotations", turns, n, &a->rotations);
}

/* --- the reduced body ------------------------------------------------------------------------- */

static void put(lmb_reduced *b, int i, int j, double value)
{
    size_t size = (size_t)lmb_gram_size(b->mode_count);
    b->gram[(size_t)j * size + (size_t)i] = b->gram[(size_t)i * size + (size_t)j] = value;
}

/* Half of a symmetric matrix of six numbers between two triples of columns. */
static void put_half(lmb_reduced *b, int row, int column, const double *six)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            put(b, row + i, column + j, six[at[i][j]] / 2);
}

/* A vector of first moments between translations and rotations (or turned modes): e x s. */
static void put_arm(lmb_reduced *b, int column, vec3 s)
{
    for (int a = 0; a < 3; a++) {
        vec3 e = v3_cross(v3(a == 0, a == 1, a == 2), s);
        for (int i = 0; i < 3; i++)
            put(b, lmb_gram_translation(i), column + a, v3_get(e, i));
    }
}

static void set_gram(lmb_reduced *b, const lmb_modal_numbers *m)
{
    int n = m->modes;
    for (int i = 0; i < 3; i++) {
        put(b, lmb_gram_translation(i), lmb_gram_translation(i), m->mass);
        for (int j = 0; j < 3; j++)
            put(b, lmb_gram_rotation(i), lmb_gram_rotation(j), v3_get(m->inertia.c[j], i));
    }
    put_arm(b, lmb_gram_rotation(0), v3_scale(m->mass, m->centre));
    for (int j = 0; j < n; j++) {
        int turned = lmb_gram_turned_mode(n, j, 0);
        for (int i = 0; i < 3; i++) {
            put(b, lmb_gram_translation(i), lmb_gram_mode(j), m->D[3 * j + i]);
            put(b, lmb_gram_rotation(i), lmb_gram_mode(j), m->E0[3 * j + i]);
        }
        put_arm(b, turned, v3(m->D[3 * j], m->D[3 * j + 1], m->D[3 * j + 2]));
        put_half(b, lmb_gram_rotation(0), turned, m->J1 + 6 * j);
        for (int k = 0; k < n; k++) {
            int pair = j * n + k;
            put(b, lmb_gram_mode(j), lmb_gram_mode(k), m->M[pair]);
            put_half(b, turned, lmb_gram_turned_mode(n, k, 0), m->J2 + 6 * pair);
            for (int i = 0; i < 3; i++)
                put(b, turned + i, lmb_gram_mode(k), m->E1[3 * pair + i]);
        }
    }
}

/* Its interface points are its nodes, too. */
static void set_points(lmb_reduced *b, lmb_arena *arena, const lmb_flexible_part *p)
{
    size_t n = (size_t)b->mode_count, points = (size_t)b->point_count;
    for (size_t i = 0; i < points; i++) {
        const lmb_anchor *a = &p->interfaces[i];
        b->point_name[i] = lmb_text_copy(arena, a->name, strlen(a->name));
        b->point[i] = b->x[i] = a->at;
        b->number[i] = (int)i + 1;
        for (size_t k = 0; k < n; k++)
            for (size_t d = 0; d < 3; d++) {
                b->point_shape[(i * LMB_DIRECTIONS + d) * n + k] = a->displacements[3 * k + d];
                b->point_shape[(i * LMB_DIRECTIONS + 3 + d) * n + k] = a->rotations[3 * k + d];
                b->shape[3 * (k * points + i) + d] = a->displacements[3 * k + d];
                b->turn[3 * (k * points + i) + d] = a->rotations[3 * k + d];
            }
    }
}

static void allocate(lmb_reduced *b, lmb_arena *arena)
{
    size_t n = (size_t)b->mode_count, points = (size_t)b->point_count;
    size_t size = (size_t)lmb_gram_size(b->mode_count);
    b->frequency = b->all_frequency = lmb_arena_numbers(arena, n + 1);
    b->fixed_frequency = lmb_arena_numbers(arena, 1);
    b->effective = lmb_arena_alloc(arena, 1, sizeof *b->effective);
    b->K = lmb_arena_numbers(arena, n * n + 1);
    b->M = lmb_arena_numbers(arena, n * n + 1);
    b->gram = lmb_arena_numbers(arena, size * size);
    b->point_name = lmb_arena_alloc(arena, points + 1, sizeof *b->point_name);
    b->point = lmb_arena_alloc(arena, points + 1, sizeof *b->point);
    b->point_shape = lmb_arena_numbers(arena, points * LMB_DIRECTIONS * n + 1);
    b->x = lmb_arena_alloc(arena, points + 1, sizeof *b->x);
    b->number = lmb_arena_integers(arena, points + 1);
    b->shape = lmb_arena_numbers(arena, 3 * n * points + 1);
    b->turn = lmb_arena_numbers(arena, 3 * n * points + 1);
}

lmb_status lmb_modal_reduce(const lmb_flexible_part *p, lmb_context *context, lmb_body_data *d)
{
    lmb_modal_numbers numbers = *p->numbers, *m = &numbers;
    lmb_reduced *b = d->reduced = lmb_arena_alloc(d->arena, 1, sizeof *b);
    if (!b)
        return lmb_fail_memory(context);
    if (p->reduction.keep.none) { /* it is rigid */
        numbers.modes = 0;
        numbers.C = NULL;
    }
    size_t n = (size_t)m->modes, square = n * n * sizeof(double);
    b->dimension = p->dimension;
    b->mass = m->mass;
    b->centre = m->centre;
    b->mode_count = b->all_count = m->modes;
    b->given = true;
    b->point_count = b->node_count = p->interface_count;
    b->C = m->C ? lmb_arena_numbers(d->arena, n * n) : NULL;
    allocate(b, d->arena);
    if (!lmb_arena_fine(d->arena))
        return lmb_fail_memory(context);
    /* the inertia about the mass centre: that about the origin without m (c.c 1 - c c^T) */
    double cc = v3_dot(m->centre, m->centre);
    for (int j = 0; j < 3; j++) {
        vec3 unit = v3(j == 0, j == 1, j == 2);
        vec3 away = v3_axpy(v3_scale(cc, unit), -v3_get(m->centre, j), m->centre);
        b->inertia.c[j] = v3_axpy(m->inertia.c[j], -m->mass, away);
    }
    memcpy(b->K, m->K, square);
    memcpy(b->M, m->M, square);
    if (m->C)
        memcpy(b->C, m->C, square);
    for (size_t k = 0; k < n; k++)
        b->frequency[k] = sqrt(fmax(0, m->K[k * n + k] / m->M[k * n + k])) / (2 * LMB_PI);
    set_gram(b, m);
    set_points(b, d->arena, p);
    return lmb_check_memory(context, d->arena);
}
