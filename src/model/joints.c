/* The sections `joints` and `drivers`. */
#include <stdio.h>
#include <string.h>

#include "model/fields.h"
#include "model/builder.h"

/* --- joints ----------------------------------------------------------------------------------- */

/* What all kinds have; they are read by their own code. */
const lmb_field lmb_joint_fields[] = {
    {"type", LMB_NOWHERE, LMB_FIELD_TEXT, NULL, "The kind of joint.", .required = true},
    {"between", LMB_NOWHERE, LMB_FIELD_ENDS, NULL,
     "The two ends, each a body, a point such as crank.B, ground, or coordinates on the ground; "
     "forces are those of the first on the second."},
    {0},
};

static const lmb_joint_type *find_type(lmb_builder *r, const lmb_tree *node)
{
    int dimension = r->model->dimension;
    if (node->kind != LMB_TREE_TEXT || !node->text[0]) {
        lmb_fail_kind(&r->reader, node, "type", "a word such as revolute");
        return NULL;
    }
    const lmb_joint_type *const *types = r->model->kinds->joints;
    for (int i = 0; types[i]; i++) {
        const lmb_joint_type *t = types[i];
        if (strcmp(t->name, node->text) != 0)
            continue;
        if (t->dimension == 0 || t->dimension == dimension)
            return t;
        lmb_fail_at(r->context, node->place,
                    "'%s' is a joint for models %s, and this one has "
                    "'dimension: %d'",
                    t->name, t->dimension == 2 ? "in the plane" : "in space", dimension);
        return NULL;
    }
    lmb_nearest nearest = lmb_nearest_start(node->text);
    for (int i = 0; types[i]; i++)
        if (types[i]->dimension == 0 || types[i]->dimension == dimension)
            lmb_nearest_try(&nearest, types[i]->name);
    lmb_fail_at(r->context, node->place, "there is no joint type '%s'", node->text);
    lmb_hint(r->context, "`limber help --reference` lists them");
    lmb_nearest_hint(r->context, &nearest);
    return NULL;
}

lmb_status lmb_read_ends(lmb_builder *r, const lmb_tree *node, const char *what, lmb_end ends[2])
{
    if (node->kind != LMB_TREE_LIST || node->count != 2)
        return lmb_fail_at(r->context, node->place,
                           "%s: 'between' must be a list of two ends, such "
                           "as [ground, crank.O]",
                           what);
    lmb_status first = lmb_read_end(r, node->items[0], &ends[0]);
    lmb_status second = lmb_read_end(r, node->items[1], &ends[1]);
    if (first || second)
        return LMB_BAD_INPUT;
    if (ends[0].body == ends[1].body)
        return lmb_fail_at(r->context, node->place, "%s connects '%s' to itself", what,
                           r->model->bodies[ends[0].body].name);
    return LMB_OK;
}

static lmb_status read_joint(lmb_builder *r, lmb_joint_build *b, void *keys, const lmb_tree *key,
                             const lmb_tree *node, const lmb_joint_type *type, lmb_joint *joint)
{
    lmb_model *m = r->model;
    char what[96];
    lmb_snprintf(what, sizeof what, "joint '%.60s'", key->text);
    const char *skip = type->coupling ? "type" : "type between";
    lmb_status status = lmb_read_fields(&r->reader, node, type->fields, what, skip, keys);
    const lmb_tree *between = lmb_tree_get(node, "between");
    if (!type->coupling && !between && !status)
        status = lmb_fail_at(r->context, node->place, "%s needs the key 'between'", what);
    else if (!type->coupling && between && lmb_read_ends(r, between, what, b->ends))
        status = LMB_BAD_INPUT;
    for (int i = 0; i < 2 && !status && !type->coupling; i++)
        status = lmb_check_held(r, &b->ends[i], between->items[i]->place, what);
    if (status)
        return status;
    for (int i = 0; type->coupling && i < 2; i++)
        b->coupled[i] = &m->joints[((const int *)keys)[i]];
    joint->row = m->parts.row_count;
    b->keys = keys;
    b->joint = joint;
    b->place = key->place;
    status = type->build(b);
    joint->row_count = m->parts.row_count - joint->row;
    joint->ends = joint->pair;
    if (!type->coupling && !status)
        joint->ends = lmb_rows_ends(&m->parts, b->ends);
    return m->parts.failed ? lmb_fail_memory(r->context) : status;
}

/* Finds the kind of a joint, so that couplings can refer to it; its keys come later. */
static lmb_status name_joint(lmb_reader *reader, const lmb_entry *e, void *unused)
{
    lmb_builder *r = (lmb_builder *)reader;
    const lmb_tree *key = e->key, *node = e->node, *type = lmb_tree_get(node, "type");
    lmb_status status = lmb_check_unused(r, key);
    lmb_joint *joint = &r->model->joints[r->model->joint_count];
    (void)unused;
    joint->name = key->text;
    joint->driver = -1;
    if (lmb_add_item(r, LMB_ITEM_JOINT, joint->name, r->model->joint_count++))
        return LMB_SOLVER;
    if (node->kind != LMB_TREE_MAP || !type)
        return lmb_fail_at(r->context, node->kind == LMB_TREE_MAP ? key->place : node->place,
                           "%s needs a map of keys with a 'type'", e->what);
    joint->type = find_type(r, type);
    return joint->type ? status : LMB_BAD_INPUT;
}

lmb_status lmb_read_joints(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    size_t count = lmb_tree_count(section), bodies = (size_t)m->body_count;
    size_t most = sizeof(double); /* of what the fields of any kind of joint are read into */
    for (const lmb_joint_type *const *t = m->kinds->joints; *t; t++)
        most = (*t)->size > most ? (*t)->size : most;
    void *keys = lmb_arena_alloc(r->arena, 1, most);
    lmb_frame *starts = lmb_arena_alloc(r->arena, bodies, sizeof *starts);
    double *angles = lmb_arena_numbers(r->arena, bodies);
    m->joints = lmb_arena_alloc(r->arena, count, sizeof *m->joints);
    lmb_status status =
        lmb_read_section(&r->reader, section, "joints", "joint", "joints", name_joint, NULL);
    for (int i = 0; starts && angles && i < m->body_count; i++) {
        starts[i] = m->bodies[i].start;
        angles[i] = m->bodies[i].angle;
    }
    lmb_joint_build b = {.rows = &m->parts,
                         .dimension = m->dimension,
                         .starts = starts,
                         .angles = angles,
                         .context = r->context};
    /* couplings refer to the coordinates of the others, which come first */
    for (int i = 0; i < 2 * m->joint_count; i++) {
        lmb_joint *joint = &m->joints[i % m->joint_count];
        int at = lmb_tree_find(section, joint->name);
        if (joint->type && joint->type->coupling == (i >= m->joint_count) &&
            read_joint(r, &b, keys, section->keys[at], section->items[at], joint->type, joint)) {
            joint->type = NULL;
            status = LMB_BAD_INPUT;
        }
    }
    return status;
}

/* --- drivers ---------------------------------------------------------------------------------- */

/* What a driver is read into. */
typedef struct driver_keys {
    lmb_value joint, coordinate, point, direction, start;
    const lmb_expr *angle, *offset, *length, *speed;
} driver_keys;

#define KEY(member) LMB_KEY(driver_keys, member)

const lmb_field lmb_driver_fields[] = {
    {KEY(joint), LMB_FIELD_NAME, NULL, "The joint whose coordinate it prescribes.",
     .choices = "joint"},
    {KEY(coordinate), LMB_FIELD_TEXT, NULL, "Which coordinate of the joint, where it has several.",
     "the first one of the kind that the law is for"},
    {KEY(point), LMB_FIELD_END, NULL,
     "Instead of a joint: a body or a point of one, moved along a fixed direction."},
    {KEY(direction), LMB_FIELD_TREE, NULL, "With 'point': x, y, z or a vector in global axes.",
     .choices = "direction"},
    {KEY(angle), LMB_FIELD_LAW, "rad", "The angle as an expression of t."},
    {KEY(offset), LMB_FIELD_LAW, "m",
     "The offset (of a point: its coordinate along the direction) as an expression of t."},
    {KEY(length), LMB_FIELD_LAW, "m", "The length of a distance joint as an expression of t."},
    {KEY(speed), LMB_FIELD_LAW, "rad/s or m/s", "Instead of those: the rate of the coordinate."},
    {KEY(start), LMB_FIELD_NUMBER, "rad or m", "With 'speed': the coordinate at the beginning.",
     "where the model places the bodies"},
    {0},
};

/* The kind of coordinate that the given law is for, and the law; a speed is for any kind. */
static lmb_status read_motion(lmb_builder *r, const driver_keys *k, const lmb_tree *key, int *kind,
                              lmb_law *law)
{
    const lmb_expr *const laws[] = {[LMB_COORDINATE_ANGLE] = k->angle,
                                    [LMB_COORDINATE_OFFSET] = k->offset,
                                    [LMB_COORDINATE_LENGTH] = k->length,
                                    k->speed};
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (laws[i]) {
            count++;
            *kind = i < 3 ? i : -1;
            *law = (lmb_law){.expression = laws[i], .rate = i == 3};
        }
    if (count != 1)
        return lmb_fail_at(r->context, key->place,
                           "driver '%s' needs one of 'angle', 'offset', 'length' and 'speed'%s",
                           key->text, count ? ", not several" : "");
    if (k->start.given && !law->rate)
        return lmb_fail_at(r->context, k->start.place, "'start' goes with 'speed'");
    law->start_given = k->start.given;
    law->start = k->start.number;
    return LMB_OK;
}

/* Says that a joint has no coordinate for a law, and which ones it has. */
static lmb_status no_coordinate(lmb_builder *r, const lmb_value *joint, const lmb_value *which,
                                int kind, const lmb_joint *j)
{
    static const char *const kinds[] = {[LMB_COORDINATE_ANGLE] = "angle",
                                        [LMB_COORDINATE_OFFSET] = "offset",
                                        [LMB_COORDINATE_LENGTH] = "length"};
    const char *what = kind < 0 ? "coordinate" : kinds[kind];
    const char *known = "";
    for (int i = 0; i < j->coordinate_count; i++) {
        const lmb_coordinate *c = &r->model->parts.coordinates[j->coordinate + i];
        known = lmb_text_format(r->arena, "%s%s'%s'", known ? known : "", i ? ", " : "", c->name);
    }
    if (which->given)
        lmb_fail_at(r->context, which->place, "joint '%s' has no %s '%s' to drive", j->name, what,
                    which->text);
    else
        lmb_fail_at(r->context, joint->place, "joint '%s' has no %s to drive", j->name, what);
    return lmb_hint(r->context,
                    j->coordinate_count ? "a %s joint has: %s" : "a %s joint has none%s",
                    j->type->name, known ? known : "");
}

lmb_status lmb_find_coordinate(lmb_builder *r, const lmb_value *name, const lmb_value *which,
                               int kind, int *joint, int *coordinate)
{
    const lmb_model *m = r->model;
    *coordinate = -1;
    *joint = lmb_find_item(r, LMB_ITEM_JOINT, name->text, strlen(name->text));
    if (*joint < 0 && !r->reader.incomplete)
        lmb_fail_joint(r, name->place, name->text);
    if (*joint < 0 || !m->joints[*joint].type)
        return LMB_BAD_INPUT; /* reported here or with the joint */
    const lmb_joint *j = &m->joints[*joint];
    for (int i = 0; i < j->coordinate_count && *coordinate < 0; i++) {
        const lmb_coordinate *c = &m->parts.coordinates[j->coordinate + i];
        if ((kind < 0 || (int)c->kind == kind) &&
            (!which->given || strcmp(c->name, which->text) == 0))
            *coordinate = j->coordinate + i;
    }
    return *coordinate < 0 ? no_coordinate(r, name, which, kind, j) : LMB_OK;
}

static lmb_status read_direction(lmb_builder *r, const lmb_value *v, vec3 *out)
{
    if (!v->given)
        return lmb_fail_at(r->context, v->place, "'point' needs a 'direction': x, y%s or a vector",
                           r->model->dimension == 2 ? "" : ", z");
    static const char *const names[] = {"x", "y", "z"};
    mat3 axes = m3_identity();
    for (int i = 0; i < r->model->dimension; i++)
        if (v->node->kind == LMB_TREE_TEXT && strcmp(v->text, names[i]) == 0) {
            *out = axes.c[i];
            return LMB_OK;
        }
    if (strcmp(v->text, "z") == 0)
        return lmb_fail_at(r->context, v->place, "the plane has no direction z, only x and y");
    *out = v3(0, 0, 0);
    lmb_status status =
        lmb_read_vector(&r->reader, v->node, "direction", r->model->dimension, &out->x);
    if (!status && v3_norm(*out) == 0)
        status = lmb_fail_at(r->context, v->place, "'direction' must not be zero");
    if (!status)
        *out = v3_unit(*out);
    return status;
}

/* A driver of a point: the coordinate is its offset from the origin along a direction. */
static lmb_status point_coordinate(lmb_builder *r, const driver_keys *k, int kind, int *coordinate)
{
    lmb_model *m = r->model;
    lmb_end end;
    vec3 direction = v3(0, 0, 0);
    if (lmb_read_end(r, k->point.node, &end) || read_direction(r, &k->direction, &direction))
        return LMB_BAD_INPUT;
    if (end.body == 0)
        return lmb_fail_at(r->context, k->point.place, "the ground cannot be moved");
    if (kind >= 0 && kind != LMB_COORDINATE_OFFSET)
        return lmb_fail_at(r->context, k->point.place,
                           "a driver of a point needs an 'offset' or a 'speed'");
    int pair = lmb_rows_pair(&m->parts, m->body_marker[0], lmb_rows_end(&m->parts, &end));
    *coordinate = lmb_rows_coordinate(&m->parts, "offset", LMB_COORDINATE_OFFSET,
                                      lmb_offset_fixed(direction), pair);
    return LMB_OK;
}

static lmb_status read_driver(lmb_reader *reader, const lmb_entry *e, void *unused)
{
    lmb_builder *r = (lmb_builder *)reader;
    lmb_model *m = r->model;
    const lmb_tree *key = e->key;
    driver_keys k;
    (void)unused;
    if (lmb_check_unused(r, key) ||
        lmb_read_fields(reader, e->node, lmb_driver_fields, e->what, NULL, &k))
        return LMB_BAD_INPUT;
    if (k.joint.given == k.point.given)
        return lmb_fail_at(r->context, key->place, "%s needs either a 'joint' or a 'point'%s",
                           e->what, k.joint.given ? ", not both" : "");
    lmb_driver driver = {.name = key->text, .joint = -1, .law = m->law_count};
    lmb_law law;
    int kind = -1;
    lmb_status status = read_motion(r, &k, key, &kind, &law);
    if (!status)
        status = k.joint.given ? lmb_find_coordinate(r, &k.joint, &k.coordinate, kind,
                                                     &driver.joint, &driver.coordinate)
                               : point_coordinate(r, &k, kind, &driver.coordinate);
    if (status || m->parts.failed)
        return status;
    const lmb_coordinate *c = &m->parts.coordinates[driver.coordinate];
    law.coordinate = driver.coordinate;
    driver.row = m->parts.row_count;
    if (c->kind == LMB_COORDINATE_LENGTH) { /* an actuator: the driver takes the row over */
        lmb_joint *joint = &m->joints[driver.joint];
        if (joint->row_count == 0)
            return lmb_fail_at(r->context, key->place, "the length of joint '%s' is driven already",
                               joint->name);
        driver.row = joint->row;
        joint->row_count = 0;
        lmb_rows_drive_length(&m->parts, driver.row, driver.law);
    } else {
        lmb_rows_driven(&m->parts, c, driver.law);
    }
    driver.next = -1;
    if (driver.joint >= 0) {
        driver.next = m->joints[driver.joint].driver;
        m->joints[driver.joint].driver = m->driver_count;
    }
    m->laws[m->law_count++] = law;
    m->drivers[m->driver_count++] = driver;
    return lmb_add_item(r, LMB_ITEM_DRIVER, driver.name, m->driver_count - 1);
}

lmb_status lmb_read_drivers(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    m->drivers = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->drivers);
    m->laws = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->laws);
    lmb_status status =
        lmb_read_section(&r->reader, section, "drivers", "driver", "drivers", read_driver, NULL);
    return m->parts.failed ? lmb_fail_memory(r->context) : status;
}
