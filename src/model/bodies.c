/* The sections `bodies` and `ground`: kinds of bodies, and named points. */
#include <stdio.h>
#include <string.h>

#include "model/fields.h"
#include "model/builder.h"

/* --- points ----------------------------------------------------------------------------------- */

/* Adds a point of a full name with a frame in the body to the model; its number if it is an
 * interface, else -1. */
static lmb_status put_point(lmb_builder *r, int body, int number, const char *name, lmb_frame local,
                            bool own)
{
    lmb_model *m = r->model;
    int marker = lmb_rows_marker(&m->parts, body, number, local);
    m->points = lmb_arena_append(r->arena, m->points, m->point_count, sizeof *m->points);
    if (!m->points || !name || marker < 0 ||
        !lmb_names_add(&r->points, r->arena, name, 0, m->point_count))
        return lmb_fail_memory(r->context);
    m->points[m->point_count++] = (lmb_point){name, body, marker, own};
    return LMB_OK;
}

static lmb_status add_point(lmb_builder *r, int body, int number, const char *point,
                            lmb_frame local, bool own)
{
    const char *name = lmb_text_format(r->arena, "%s.%s", r->model->bodies[body].name, point);
    return put_point(r, body, number, name, local, own);
}

/* What a point is read into. */
typedef struct point_keys {
    vec3 at;
    lmb_orientation turned;
} point_keys;

const lmb_field lmb_point_fields[] = {
    {LMB_KEY(point_keys, at), LMB_FIELD_VECTOR, "m",
     "Where it is, in body axes from the centre of mass.", .required = true},
    LMB_ORIENTATION_FIELDS(point_keys, "the body's"),
    LMB_AXES_FIELD(point_keys),
    {0},
};

static lmb_status read_point(lmb_reader *reader, const lmb_entry *e, void *user)
{
    lmb_builder *r = (lmb_builder *)reader;
    point_keys k = {.at = {0, 0, 0}};
    lmb_status status;
    mat3 R = m3_identity();
    bool own = false;
    double angle;
    if (e->node->kind == LMB_TREE_MAP) {
        status = lmb_read_fields(reader, e->node, lmb_point_fields, e->what, NULL, &k);
        if (!status)
            status = lmb_read_orientation(reader, &k.turned, &R, &own, &angle);
    } else {
        status = lmb_read_vector(reader, e->node, e->key->text, reader->dimension, &k.at.x);
    }
    /* a point with a mistake is still there: its joints need not complain as well */
    lmb_frame local = {k.at, {R.c[0], R.c[1], R.c[2]}};
    lmb_status added = add_point(r, *(const int *)user, -1, e->key->text, local, own);
    return added ? added : status;
}

static lmb_status read_points(lmb_builder *r, int body, const lmb_tree *points)
{
    lmb_body *b = &r->model->bodies[body];
    b->point = r->model->point_count;
    lmb_status status = lmb_read_section(&r->reader, points, body ? "points" : "ground", "point",
                                         "coordinates", read_point, &body);
    b->point_count = r->model->point_count - b->point;
    return status;
}

/* --- bodies ----------------------------------------------------------------------------------- */

lmb_body_tables *lmb_body_tables_new(lmb_arena *arena, const lmb_kinds *kinds,
                                     lmb_field *const *made)
{
    int count = 0, most = lmb_field_count(lmb_body_fields);
    for (; kinds->bodies[count]; count++)
        most += kinds->bodies[count]->fields ? lmb_field_count(kinds->bodies[count]->fields) : 0;
    lmb_body_tables *t = lmb_arena_alloc(arena, 1, sizeof *t);
    lmb_field **fields =
        lmb_arena_grow(arena, made, made ? (size_t)count : 0, (size_t)count, sizeof *fields);
    lmb_value *values = lmb_arena_alloc(arena, (size_t)most, sizeof *values);
    if (!lmb_arena_fine(arena))
        return NULL;
    *t = (lmb_body_tables){kinds, fields, values};
    return t;
}

int lmb_body_kind_of(const lmb_kinds *kinds, const lmb_tree *node)
{
    const lmb_tree *word = lmb_tree_get(node, "type");
    const lmb_body_type *const *list = kinds->bodies;
    int named = -1;
    for (int i = 0; word && word->kind == LMB_TREE_TEXT && list[i]; i++)
        if (!list[i]->marks && strcmp(list[i]->name, word->text) == 0)
            named = i;
    for (int i = 0; list[i]; i++)
        for (int k = 0; k < list[i]->marks; k++) {
            const char *mark = list[i]->fields[k].name;
            if (lmb_tree_get(node, mark) &&
                (named < 0 || !lmb_find_field(list[named]->fields, mark)))
                return i;
        }
    return named < 0 ? 0 : named;
}

lmb_status lmb_read_body_keys(lmb_body_tables *t, lmb_body_build *b)
{
    int kind = lmb_body_kind_of(t->kinds, b->node);
    b->type = t->kinds->bodies[kind];
    b->keys = lmb_arena_alloc(b->reader->arena, 1, b->type->size);
    if (!t->fields[kind])
        t->fields[kind] = lmb_body_table(b->reader->arena, t->kinds, b->type);
    if (!b->keys || !t->fields[kind])
        return lmb_fail_memory(b->reader->context);
    lmb_status status =
        lmb_read_values(b->reader, b->node, t->fields[kind], b->what, NULL, t->values);
    lmb_fill_fields(lmb_body_fields, t->values, &b->common);
    if (b->type->fields)
        lmb_fill_fields(b->type->fields, t->values + lmb_field_count(lmb_body_fields), b->keys);
    return status;
}

/* A body has no keys of other kinds. */
static lmb_status check_keys(const lmb_kinds *kinds, const lmb_body_build *b)
{
    lmb_context *context = b->reader->context;
    for (int i = 0; kinds->bodies[i]; i++) {
        const lmb_body_type *other = kinds->bodies[i];
        for (const lmb_field *f = other->fields; f && f->name; f++) {
            if (!lmb_tree_get(b->node, f->name) || lmb_find_field(b->type->fields, f->name))
                continue;
            lmb_fail_at(context, lmb_key_place(b->node, f->name),
                        "'%s' is for %s bodies, but %s is %s", f->name, other->name, b->what,
                        b->type->called);
            return other->how ? lmb_hint(context, "%s", other->how)
                              : lmb_hint(context, "it goes with 'type: %s'", other->name);
        }
    }
    return LMB_OK;
}

/* A named point that the kind of a body adds. */
static lmb_status add_own_point(lmb_body_build *b, int number, const char *name, lmb_frame local)
{
    lmb_builder *r = (lmb_builder *)b->reader;
    return add_point(r, (int)(b->body - r->model->bodies), number, name, local, false);
}

static bool wants_natural(const lmb_body_build *b)
{
    return b->common.coordinates.choice == 1;
}

static lmb_status refuse_natural(const lmb_body_build *b, const char *called)
{
    lmb_fail_at(
        b->reader->context, b->common.coordinates.place,
        "'coordinates: natural' is for rigid bodies and for flexible ones with modes, but %s "
        "is %s",
        b->what, called);
    return lmb_hint(b->reader->context, "leave 'coordinates' out");
}

/* Natural coordinates know no turns: in the plane a coordinate counts them, from the angle on that
 * is given. */
static lmb_status count_turns(lmb_builder *r, lmb_body *body)
{
    lmb_rows *parts = &r->model->parts;
    int marker = r->model->body_marker[body - r->model->bodies];
    int pair = lmb_rows_pair(parts, r->model->body_marker[0], marker);
    int number = lmb_rows_coordinate(parts, "angle", LMB_COORDINATE_ANGLE, lmb_angle(), pair);
    if (parts->failed)
        return lmb_fail_memory(r->context);
    parts->coordinates[number].near = body->angle;
    body->turn = 1 + number;
    return LMB_OK;
}

/* Lets its kind make the body of what was read. */
static lmb_status build_body(lmb_builder *r, lmb_body_build *b)
{
    lmb_body *body = b->body;
    lmb_status status = check_keys(r->model->kinds, b);
    if (status)
        return status;
    if (wants_natural(b) && !b->type->natural)
        return refuse_natural(b, b->type->called);
    const lmb_body_ops *ops = body->ops;
    body->ops =
        wants_natural(b) ? b->type->natural : lmb_body_type_ops(b->type, r->model->dimension);
    body->point = r->model->point_count;
    if (b->type->build && (status = b->type->build(b))) {
        body->ops = ops; /* what is read further asks a body that is whole */
        return status;
    }
    body->point_count = r->model->point_count - body->point;
    if (!body->own && b->type->size)
        body->own = b->keys;
    if (wants_natural(b) && body->ops != b->type->natural)
        return refuse_natural(b,
                              "a beam that deforms far, whose nodes have coordinates of their own");
    return wants_natural(b) && r->model->dimension == 2 ? count_turns(r, body) : LMB_OK;
}

const lmb_body *lmb_kept_body(const lmb_builder *r, const lmb_memo_item *items, int index)
{
    const lmb_memo *kept = r->reader.kept;
    const lmb_spec *spec = r->reader.spec;
    bool same =
        kept->model->dimension == r->model->dimension && (!spec->held || spec->like == kept->model);
    return same && lmb_memo_holds(&r->reader, &items[index]) ? &kept->model->bodies[index] : NULL;
}

lmb_status lmb_take_points(lmb_builder *r, int index)
{
    const lmb_model *base = r->reader.kept->model;
    const lmb_body *from = &base->bodies[index];
    lmb_status status = LMB_OK;
    for (int i = from->point; i < from->point + from->point_count && !status; i++) {
        const lmb_point *p = &base->points[i];
        const lmb_marker *marker = &base->parts.markers[p->marker];
        status = put_point(r, index, marker->point, p->name, marker->local, p->own_axes);
    }
    for (int i = 0; i < base->probe_count && !status; i++)
        if (base->probes[i].body == index && base->probes[i].name &&
            !lmb_add_probe(r, &base->probes[i]))
            status = lmb_fail_memory(r->context);
    return status;
}

/* Takes a body of the base over, with its points and probes. What kinds made of it is shared. */
static lmb_status take_body(lmb_builder *r, int index, const lmb_body *from)
{
    lmb_model *m = r->model;
    lmb_body *body = &m->bodies[index];
    *body = (lmb_body){.name = from->name,
                       .ops = from->ops,
                       .mass = from->mass,
                       .massless = from->massless,
                       .place = from->place,
                       .inertia = from->inertia,
                       .shape = from->shape,
                       .start = from->start,
                       .velocity_given = from->velocity_given,
                       .spin_given = from->spin_given,
                       .velocity = from->velocity,
                       .spin = from->spin,
                       .point = m->point_count,
                       .angle = from->angle,
                       .own = from->own};
    lmb_status status = lmb_take_points(r, index);
    body->point_count = m->point_count - body->point;
    return status || !from->turn ? status : count_turns(r, body);
}

static lmb_status read_body(lmb_builder *r, lmb_body_tables *tables, const lmb_tree *key,
                            const lmb_tree *node)
{
    lmb_model *m = r->model;
    int index = m->body_count++;
    lmb_body *body = &m->bodies[index];
    *body = (lmb_body){.name = key->text,
                       .place = key->place,
                       .ops = m->dimension == 2 ? &lmb_body_planar : &lmb_body_rigid,
                       .start = frame_identity()};
    m->body_marker[index] = lmb_rows_marker(&m->parts, index, -1, frame_identity());
    if (!lmb_names_add(&r->items, r->arena, body->name, LMB_ITEM_BODY, index))
        return lmb_fail_memory(r->context);
    const lmb_body *kept = r->reader.kept ? lmb_kept_body(r, r->reader.kept->bodies, index) : NULL;
    if (kept)
        return take_body(r, index, kept);
    lmb_note before = lmb_note_start(&r->reader);
    char what[96];
    lmb_snprintf(what, sizeof what, "body '%.60s'", key->text);
    lmb_body_build b = {.reader = &r->reader,
                        .what = what,
                        .key = key,
                        .node = node,
                        .body = body,
                        .point = add_own_point};
    lmb_status status = lmb_check_name(&r->reader, key, "body"), built = LMB_OK;
    r->reader.incomplete = r->reader.incomplete || status;
    if (lmb_read_body_keys(tables, &b) ||
        lmb_body_read_common(&r->reader, b.type, what, &b.common, body) ||
        (!status && (built = build_body(r, &b)))) {
        status = built == LMB_SOLVER ? built : LMB_BAD_INPUT;
        r->reader.incomplete = r->reader.incomplete || b.type->own_points;
    }
    if (built != LMB_SOLVER && b.common.points && !b.type->own_points &&
        read_points(r, index, b.common.points))
        status = LMB_BAD_INPUT;
    lmb_memo_item item = {.known = false};
    item.known = lmb_note_end(&r->reader, before, &item.uses) && !status;
    if (r->reader.keep)
        r->reader.keep->bodies[index] = item;
    return status;
}

lmb_status lmb_read_bodies(lmb_builder *r, const lmb_tree *section, const lmb_tree *ground)
{
    lmb_model *m = r->model;
    if (section->kind != LMB_TREE_MAP)
        return lmb_fail_kind(&r->reader, section, "bodies", "a map of names to bodies");
    if (section->count == 0 && !r->bodiless)
        return lmb_fail_at(r->context, section->place, "the model has no bodies");
    size_t room = (size_t)section->count + 1;
    m->bodies = lmb_arena_alloc(r->arena, room, sizeof *m->bodies);
    m->body_marker = lmb_arena_alloc(r->arena, room, sizeof *m->body_marker);
    if (!m->bodies || !m->body_marker)
        return lmb_fail_memory(r->context);
    m->bodies[0] = (lmb_body){.name = "ground", .ops = &lmb_body_ground, .start = frame_identity()};
    m->body_count = 1;
    m->body_marker[0] = lmb_rows_marker(&m->parts, 0, -1, frame_identity());
    const lmb_memo *kept = r->reader.kept;
    lmb_memo *keep = r->reader.keep;
    lmb_body_tables *tables =
        lmb_body_tables_new(r->arena, m->kinds, kept ? kept->body_fields : NULL);
    if (keep) {
        keep->bodies = lmb_arena_alloc(r->arena, room, sizeof *keep->bodies);
        keep->parts = lmb_arena_alloc(r->arena, room, sizeof *keep->parts);
        keep->body_fields = tables ? tables->fields : NULL;
    }
    if (!lmb_arena_fine(r->arena) ||
        !lmb_names_add(&r->items, r->arena, "ground", LMB_ITEM_BODY, 0))
        return lmb_fail_memory(r->context);
    lmb_status status = ground ? read_points(r, 0, ground) : LMB_OK;
    /* goes on after a mistake, but not when it is to stop */
    for (int i = 0; i < section->count && status != LMB_SOLVER; i++) {
        lmb_status read = read_body(r, tables, section->keys[i], section->items[i]);
        status = read ? read : status;
    }
    return m->parts.failed ? lmb_fail_memory(r->context) : status;
}
