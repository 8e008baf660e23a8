/* A flexible body given by numbers: the invariants of its floating frame as the model file has
 * them, and the modes at its interface points.
 *
 * They become the products of columns (gram) that a reduction computes from a mass matrix:
 *
 *   translations with rotations    of s0 = m centre         modes with modes     M
 *   translations with modes        D                        rotations            J0
 *   rotations with modes           E0                       turned with modes    E1
 *   rotations with turned modes    J1 / 2                   turned with turned   J2 / 2  */
#include "model/flexible_modal.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/flexible_fields.h"
#include "model/sections.h"
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

/* A table of so many numbers; zeros if it is not given. */
static lmb_status read_table(lmb_reader *r, const lmb_value *v, const char *name, size_t count,
                             double **out)
{
    size_t size = 0;
    *out = lmb_arena_alloc(r->arena, count + 1, sizeof **out);
    if (!*out)
        return lmb_fail_memory(r->context);
    if (!v->given)
        return LMB_OK;
    lmb_status status = flatten(r, v->node, name, count, *out, &size);
    if (!status && size != count)
        status = lmb_fail_at(r->context, v->place, "'%s' must be %zu numbers in all, but has %zu",
                             name, count, size);
    return status;
}

lmb_status lmb_read_mode_numbers(lmb_reader *r, const lmb_value *v, const char *name, int modes,
                                 double **out)
{
    return read_table(r, v, name, (size_t)modes, out);
}

/* The numbers of a mode in a model of the plane, put where they are in space: (x, y) of three, the
 * last of three, or zz of six. */
static lmb_status spread(lmb_reader *r, size_t count, int in_plane, int in_space, int first,
                         double **table)
{
    if (r->dimension == 3)
        return LMB_OK;
    double *wide = lmb_arena_alloc(r->arena, count * (size_t)in_space + 1, sizeof *wide);
    for (size_t i = 0; wide && i < count; i++)
        memcpy(wide + i * (size_t)in_space + first, *table + i * (size_t)in_plane,
               (size_t)in_plane * sizeof *wide);
    *table = wide;
    return wide ? LMB_OK : lmb_fail_memory(r->context);
}

/* A table with vectors, turns or inertias a mode (or a pair of modes). */
static lmb_status read_vectors(lmb_reader *r, const lmb_value *v, const char *name, size_t count,
                               double **out)
{
    size_t size = (size_t)r->dimension;
    lmb_status status = read_table(r, v, name, count * size, out);
    return status ? status : spread(r, count, 2, 3, 0, out);
}

static lmb_status read_turns(lmb_reader *r, const lmb_value *v, const char *name, size_t count,
                             double **out)
{
    lmb_status status = read_table(r, v, name, count * (r->dimension == 2 ? 1 : 3), out);
    return status ? status : spread(r, count, 1, 3, 2, out);
}

static lmb_status read_inertias(lmb_reader *r, const lmb_value *v, const char *name, size_t count,
                                double **out)
{
    lmb_status status = read_table(r, v, name, count * (r->dimension == 2 ? 1 : 6), out);
    return status ? status : spread(r, count, 1, 6, 2, out);
}

/* A symmetric matrix: rows, or the numbers of its diagonal. */
static lmb_status read_matrix(lmb_reader *r, const lmb_value *v, const char *name, int modes,
                              double **out)
{
    size_t n = (size_t)modes, size = 0;
    bool diagonal = v->node->kind == LMB_TREE_LIST && v->node->count == modes;
    for (int i = 0; diagonal && i < modes; i++)
        diagonal = v->node->items[i]->kind == LMB_TREE_TEXT;
    if (!diagonal || modes == 1) {
        lmb_status status = read_table(r, v, name, n * n, out);
        for (size_t i = 0; !status && i < n; i++)
            for (size_t j = 0; j < i && !status; j++)
                if (fabs((*out)[i * n + j] - (*out)[j * n + i]) >
                    1e-9 * (fabs((*out)[i * n + i]) + fabs((*out)[j * n + j])))
                    status = lmb_fail_at(r->context, v->place,
                                         "the matrix '%s' is not symmetric: row %zu, column %zu",
                                         name, i + 1, j + 1);
        return status;
    }
    double *numbers = lmb_arena_numbers(r->arena, modes);
    *out = lmb_arena_numbers(r->arena, modes * modes);
    if (!numbers || !*out)
        return lmb_fail_memory(r->context);
    lmb_status status = flatten(r, v->node, name, n, numbers, &size);
    if (!status && size != n)
        status = lmb_fail_at(r->context, v->place, "'%s' must be %zu numbers", name, n);
    for (size_t i = 0; i < n; i++)
        (*out)[i * n + i] = numbers[i];
    return status;
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

/* In the plane what turns a displaced point is its distance: J2 = 2 M. */
static void set_planar_J2(lmb_modal_numbers *m)
{
    for (int i = 0; i < m->modes * m->modes; i++)
        m->J2[6 * i + 2] = 2 * m->M[i];
}

lmb_status lmb_read_modal(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *node)
{
    lmb_value v[LMB_MODAL_COUNT + 1];
    lmb_status status = lmb_read_values(r, node, lmb_modal_fields, "'modal'", NULL, v);
    if (status)
        return status;
    lmb_modal_numbers *m = lmb_arena_alloc(r->arena, 1, sizeof *m);
    if (!m)
        return lmb_fail_memory(r->context);
    p->numbers = m;
    const lmb_value *K = &v[LMB_MODAL_STIFFNESS];
    if (K->node->kind != LMB_TREE_LIST || K->node->count < 1)
        return lmb_fail_at(r->context, K->place,
                           "'stiffness' must be a list: the diagonal, or rows of the matrix");
    size_t n = (size_t)(m->modes = K->node->count);
    m->mass = v[LMB_MODAL_MASS].number;
    const double *c = v[LMB_MODAL_CENTRE].numbers;
    m->centre = v3(c[0], c[1], c[2]);
    if ((status = lmb_read_inertia(r, &v[LMB_MODAL_INERTIA], &m->inertia)))
        return status;
    if ((status = read_matrix(r, K, "stiffness", m->modes, &m->K)) ||
        (status = read_matrix(r, &v[LMB_MODAL_MODAL_MASS], "modal_mass", m->modes, &m->M)) ||
        (v[LMB_MODAL_DAMPING].given &&
         (status = read_matrix(r, &v[LMB_MODAL_DAMPING], "damping", m->modes, &m->C))))
        return status;
    if ((status = check_mass(r, m, v[LMB_MODAL_MODAL_MASS].place)))
        return status;
    if ((status = read_vectors(r, &v[LMB_MODAL_MOMENTUM], "momentum", n, &m->D)) ||
        (status = read_turns(r, &v[LMB_MODAL_ANGULAR], "angular_momentum", n, &m->E0)) ||
        (status =
             read_turns(r, &v[LMB_MODAL_ANGULAR_BY], "angular_momentum_by_mode", n * n, &m->E1)) ||
        (status = read_inertias(r, &v[LMB_MODAL_INERTIA_BY], "inertia_by_mode", n, &m->J1)) ||
        (status =
             read_inertias(r, &v[LMB_MODAL_INERTIA_BY_TWO], "inertia_by_two_modes", n * n, &m->J2)))
        return status;
    if (r->dimension == 2 && !v[LMB_MODAL_INERTIA_BY_TWO].given)
        set_planar_J2(m);
    return LMB_OK;
}

lmb_status lmb_read_modal_interface(lmb_reader *r, lmb_flexible_part *p, const lmb_tree *key,
                                    const lmb_tree *node, lmb_anchor *a)
{
    static const int others[] = {LMB_INTERFACE_NODE, LMB_INTERFACE_AT, LMB_INTERFACE_NODES,
                                 LMB_INTERFACE_RADIUS, LMB_INTERFACE_TIE};
    *a = (lmb_anchor){.name = key->text, .place = key->place, .kind = LMB_ANCHOR_GIVEN};
    lmb_value v[LMB_INTERFACE_COUNT + 1];
    char what[96];
    snprintf(what, sizeof what, "interface '%.60s'", key->text);
    lmb_status status = lmb_check_name(r, key, "interface");
    if (status || (status = lmb_read_values(r, node, lmb_interface_fields, what, NULL, v)))
        return status;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (v[others[i]].given)
            return lmb_fail_at(r->context, v[others[i]].place,
                               "'%s' is for bodies with nodes; a modal body has none",
                               lmb_interface_fields[others[i]].name);
    if (!v[LMB_INTERFACE_POINT].given)
        return lmb_fail_at(r->context, key->place, "%s needs the key 'point'", what);
    const double *x = v[LMB_INTERFACE_POINT].numbers;
    a->at = v3(x[0], x[1], x[2]);
    size_t n = p->numbers ? (size_t)p->numbers->modes : 0; /* 0: 'modal' was wrong */
    if (n == 0)
        return LMB_OK;
    status =
        read_vectors(r, &v[LMB_INTERFACE_DISPLACEMENTS], "displacements", n, &a->displacements);
    return status ? status
                  : read_turns(r, &v[LMB_INTERFACE_ROTATIONS], "rotations", n, &a->rotations);
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
static bool set_points(lmb_reduced *b, lmb_arena *arena, const lmb_flexible_part *p)
{
    size_t n = (size_t)b->mode_count, points = (size_t)b->point_count;
    for (size_t i = 0; i < points; i++) {
        const lmb_anchor *a = &p->interfaces[i];
        if (!(b->point_name[i] = lmb_text_copy(arena, a->name, strlen(a->name))))
            return false;
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
    return true;
}

static bool allocate(lmb_reduced *b, lmb_arena *arena)
{
    size_t n = (size_t)b->mode_count, points = (size_t)b->point_count;
    size_t size = (size_t)lmb_gram_size(b->mode_count);
    b->frequency = lmb_arena_alloc(arena, n + 1, sizeof *b->frequency);
    b->all_frequency = b->frequency;
    b->fixed_frequency = lmb_arena_alloc(arena, 1, sizeof *b->fixed_frequency);
    b->effective = lmb_arena_alloc(arena, 1, sizeof *b->effective);
    b->K = lmb_arena_alloc(arena, n * n + 1, sizeof *b->K);
    b->M = lmb_arena_alloc(arena, n * n + 1, sizeof *b->M);
    b->gram = lmb_arena_alloc(arena, size * size, sizeof *b->gram);
    b->point_name = lmb_arena_alloc(arena, points + 1, sizeof *b->point_name);
    b->point = lmb_arena_alloc(arena, points + 1, sizeof *b->point);
    b->point_shape =
        lmb_arena_alloc(arena, points * LMB_DIRECTIONS * n + 1, sizeof *b->point_shape);
    b->x = lmb_arena_alloc(arena, points + 1, sizeof *b->x);
    b->number = lmb_arena_alloc(arena, points + 1, sizeof *b->number);
    b->shape = lmb_arena_alloc(arena, 3 * n * points + 1, sizeof *b->shape);
    b->turn = lmb_arena_alloc(arena, 3 * n * points + 1, sizeof *b->turn);
    return b->frequency && b->fixed_frequency && b->effective && b->K && b->M && b->gram &&
           b->point_name && b->point && b->point_shape && b->x && b->number && b->shape && b->turn;
}

lmb_status lmb_modal_reduce(const lmb_flexible_part *p, lmb_context *context, lmb_body_data *d)
{
    const lmb_modal_numbers *m = p->numbers;
    lmb_reduced *b = d->reduced = lmb_arena_alloc(d->arena, 1, sizeof *b);
    if (!b)
        return lmb_fail_memory(context);
    size_t n = (size_t)m->modes, square = n * n * sizeof(double);
    b->dimension = p->dimension;
    b->mass = m->mass;
    b->centre = m->centre;
    b->mode_count = b->all_count = m->modes;
    b->point_count = b->node_count = p->interface_count;
    if (m->C && !(b->C = lmb_arena_alloc(d->arena, n * n, sizeof *b->C)))
        return lmb_fail_memory(context);
    if (!allocate(b, d->arena))
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
    return set_points(b, d->arena, p) ? LMB_OK : lmb_fail_memory(context);
}
