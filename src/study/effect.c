/* What of the equations a parameter enters. */
#include "study/effect.h"

#include <string.h>

/* Marks while two models are compared. */
typedef struct marks {
    const lmb_model *a, *b;
    bool *bodies, *shapes, *markers, *laws, *rows, *forces;
} marks;

/* --- bodies and frames ------------------------------------------------------------------------ */

static bool same_vector(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_frame(const lmb_frame *a, const lmb_frame *b)
{
    return same_vector(a->p, b->p) && same_vector(a->e[0], b->e[0]) &&
           same_vector(a->e[1], b->e[1]) && same_vector(a->e[2], b->e[2]);
}

static void mark_bodies(marks *k)
{
    bool heavy = !same_vector(k->a->gravity, k->b->gravity);
    for (int i = 1; i < k->a->body_count; i++) {
        lmb_body_likeness like = lmb_body_compare(&k->a->bodies[i], &k->b->bodies[i]);
        k->shapes[i] |= !like.frames;
        k->bodies[i] |= heavy || !like.inertia;
    }
    for (int i = 0; i < k->a->parts.marker_count; i++) {
        const lmb_marker *a = &k->a->parts.markers[i], *b = &k->b->parts.markers[i];
        k->markers[i] |= k->shapes[a->body] || a->body != b->body || a->point != b->point ||
                         !same_frame(&a->local, &b->local);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool same_product(const lmb_product *a, const lmb_product *b)
{
    return a->kind == b->kind && a->i == b->i && a->j == b->j && same_vector(a->g, b->g) &&
           a->radius == b->radius;
}

static bool pair_differs(const marks *k, int pair)
{
    const lmb_pair *p = &k->a->parts.pairs[pair];
    return k->markers[p->a] || k->markers[p->b];
}

static void mark_laws(marks *k)
{
    for (int i = 0; i < k->a->law_count; i++) {
        const lmb_law *a = &k->a->laws[i], *b = &k->b->laws[i];
        k->laws[i] |= a->rate != b->rate || a->start_given != b->start_given ||
                      a->start != b->start || a->rate ||
                      !lmb_expr_same(a->expression, b->expression);
    }
}

static bool term_differs(const marks *k, int t)
{
    const lmb_term *a = &k->a->parts.terms[t], *b = &k->b->parts.terms[t];
    return a->pair != b->pair || a->factor != b->factor || a->part != b->part ||
           a->turn != b->turn || !same_product(&a->product, &b->product) ||
           pair_differs(k, a->pair) || (a->part != LMB_PLAIN && k->laws[a->law]);
}

static void mark_rows(marks *k)
{
    for (int r = 0; r < k->a->nrows; r++) {
        const lmb_row *row = &k->a->parts.rows[r];
        k->rows[r] |= row->body > 0 && k->bodies[row->body];
        for (int t = row->term; t < row->term + row->term_count; t++)
            k->rows[r] |= term_differs(k, t);
    }
}

/* --- forces ----------------------------------------------------------------------------------- */

/* A reaction is made of the rows of a joint, which may be any of them here. */
static bool input_differs(const marks *k, int i)
{
    const lmb_input *a = &k->a->inputs[i], *b = &k->b->inputs[i];
    bool differs = a->kind != b->kind || a->index != b->index || a->floor != b->floor;
    for (int j = 0; j < 2; j++)
        differs |= a->marker[j] != b->marker[j] || (a->marker[j] >= 0 && k->markers[a->marker[j]]);
    for (int r = 0; a->kind == LMB_INPUT_REACTION && r < k->a->nrows; r++)
        differs |= k->rows[r];
    if (a->kind == LMB_INPUT_COORDINATE || a->kind == LMB_INPUT_COORDINATE_RATE) {
        const lmb_coordinate *x = &k->a->parts.coordinates[a->index],
                             *y = &k->b->parts.coordinates[a->index];
        differs |= x->kind != y->kind || !same_product(&x->product, &y->product) ||
                   pair_differs(k, x->pair);
    }
    return differs;
}

static void mark_forces(marks *k)
{
    for (int i = 0; i < k->a->force_count; i++) {
        const lmb_force *a = &k->a->forces[i], *b = &k->b->forces[i];
        k->forces[i] |=
            a->type != b->type || !a->data != !b->data || !lmb_expr_same(a->law, b->law);
        if (!k->forces[i] && a->data)
            k->forces[i] = memcmp(a->data, b->data, a->type->kept) != 0;
        for (int j = 0; j < a->pair_count; j++)
            k->forces[i] |= pair_differs(k, a->pair + j);
        for (int j = 0; j < a->input_count; j++)
            k->forces[i] |= input_differs(k, a->input + j);
    }
}

/* --- structure -------------------------------------------------------------------------------- */

/* Whether everything has the same number in both, also what is shared where numbers coincide. */
static bool same_structure(const lmb_model *a, const lmb_model *b)
{
    const lmb_rows *x = &a->parts, *y = &b->parts;
    if (x->marker_count != y->marker_count || x->pair_count != y->pair_count ||
        x->term_count != y->term_count || x->row_count != y->row_count ||
        x->coordinate_count != y->coordinate_count || a->law_count != b->law_count ||
        a->input_count != b->input_count || a->variable_count != b->variable_count ||
        a->vector_count != b->vector_count)
        return false;
    bool same = true;
    for (int i = 0; i < x->marker_count; i++)
        same = same && x->markers[i].body == y->markers[i].body &&
               x->markers[i].v == y->markers[i].v && x->markers[i].nv == y->markers[i].nv;
    for (int i = 0; i < x->pair_count; i++)
        same = same && x->pairs[i].a == y->pairs[i].a && x->pairs[i].b == y->pairs[i].b;
    for (int i = 0; i < x->row_count; i++)
        same = same && x->rows[i].term == y->rows[i].term &&
               x->rows[i].term_count == y->rows[i].term_count && x->rows[i].body == y->rows[i].body;
    for (int i = 0; i < a->force_count; i++)
        same = same && a->forces[i].pair == b->forces[i].pair &&
               a->forces[i].pair_count == b->forces[i].pair_count &&
               a->forces[i].input == b->forces[i].input &&
               a->forces[i].input_count == b->forces[i].input_count &&
               a->forces[i].turn == b->forces[i].turn;
    return same;
}

/* --- lists ------------------------------------------------------------------------------------ */

static int *list_of(lmb_arena *arena, const bool *marked, int count, int *listed)
{
    int *list = lmb_arena_integers(arena, (size_t)count + 1);
    *listed = 0;
    for (int i = 0; list && i < count; i++)
        if (marked[i])
            list[(*listed)++] = i;
    return list;
}

void lmb_effect_find(lmb_effect *out, lmb_arena *arena, const lmb_model *m,
                     const lmb_neighbours *neighbours)
{
    size_t size = sizeof(bool);
    marks k = {
        .a = m,
        .bodies = lmb_arena_alloc(arena, (size_t)m->body_count, size),
        .shapes = lmb_arena_alloc(arena, (size_t)m->body_count, size),
        .markers = lmb_arena_alloc(arena, (size_t)m->parts.marker_count + 1, size),
        .laws = lmb_arena_alloc(arena, (size_t)m->law_count + 1, size),
        .rows = lmb_arena_alloc(arena, (size_t)m->nrows + 1, size),
        .forces = lmb_arena_alloc(arena, (size_t)m->force_count + 1, size),
    };
    *out = (lmb_effect){0};
    if (!lmb_arena_fine(arena))
        return;
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        k.b = neighbours->models[i];
        if ((out->whole = !same_structure(m, k.b)))
            return;
        mark_bodies(&k);
        mark_laws(&k);
        mark_rows(&k);
        mark_forces(&k);
    }
    lmb_items *items = &out->items;
    items->bodies = list_of(arena, k.bodies, m->body_count, &items->body_count);
    items->rows = list_of(arena, k.rows, m->nrows, &items->row_count);
    items->forces = list_of(arena, k.forces, m->force_count, &items->force_count);
    out->markers = list_of(arena, k.markers, m->parts.marker_count, &out->marker_count);
    out->shapes = list_of(arena, k.shapes, m->body_count, &out->shape_count);
    for (int i = 0; i < m->law_count; i++)
        out->laws |= k.laws[i];
}
