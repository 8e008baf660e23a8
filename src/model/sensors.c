/* The section `sensors`: expressions of channels, and instruments. */

#include <string.h>

#include "model/fields.h"
#include "model/builder.h"
#include "reduction/body_data.h"

typedef struct accelerometer_keys {
    const lmb_tree *point;
    bool gravity;
} accelerometer_keys;

static const lmb_field accelerometer_fields[] = {
    {LMB_KEY(accelerometer_keys, point), LMB_FIELD_END, NULL,
     "The body, or the point of one such as crank.B, in whose axes it measures.", .required = true},
    {LMB_KEY(accelerometer_keys, gravity), LMB_FIELD_FLAG, NULL,
     "Whether it feels gravity as a real one does: it reads 0 in free fall, and gravity upwards at "
     "rest.",
     "true", .otherwise = 1},
    {0},
};

static lmb_status read_accelerometer(lmb_builder *r, const void *keys, lmb_sensor *out)
{
    const accelerometer_keys *k = keys;
    lmb_end end;
    lmb_status status = lmb_read_end(r, k->point, &end);
    if (status)
        return status;
    out->gravity = k->gravity;
    out->marker = lmb_rows_end(&r->model->parts, &end);
    return out->marker < 0 ? lmb_fail_memory(r->context) : LMB_OK;
}

/* --- gauges and rosettes ---------------------------------------------------------------------- */

static lmb_status find_body(lmb_builder *r, const lmb_value *v, int *out)
{
    *out = lmb_find_item(r, LMB_ITEM_BODY, v->text, strlen(v->text));
    if (*out > 0 && lmb_body_data_of(&r->model->bodies[*out]))
        return LMB_OK;
    if (r->reader.incomplete)
        return LMB_BAD_INPUT; /* already reported */
    if (*out >= 0) {
        lmb_fail_at(r->context, v->place, "'%s' is not a flexible body that is reduced to modes",
                    v->text);
        return lmb_hint(r->context,
                        "such bodies have the key mesh, matrices, or beam without large "
                        "deformation");
    }
    return lmb_fail_body(r, v->place, v->text);
}

/* What both are read into. */
typedef struct gauge_keys {
    lmb_place_keys where; /* without several nodes */
    lmb_value body, direction, fibre, normal;
} gauge_keys;

#define KEY(member) LMB_KEY(gauge_keys, member)
#define WHERE(member) LMB_KEY(lmb_place_keys, member)

/* The node that it sits on, as a probe without a name; none where its body is taken as rigid. */
static lmb_status find_place(lmb_builder *r, const gauge_keys *k, lmb_sensor *out, lmb_probe *probe)
{
    int body;
    lmb_status status = find_body(r, &k->body, &body);
    if (!status && lmb_is_made_rigid(&r->model->bodies[body])) {
        out->probe = -1;
        return LMB_OK;
    }
    if (!status)
        status = lmb_find_probe(r, body, &k->where, false, out->place, probe);
    out->probe = r->model->probe_count;
    if (!status && !lmb_add_probe(r, probe))
        status = lmb_fail_memory(r->context);
    return status;
}

static const lmb_field gauge_fields[] = {
    {KEY(body), LMB_FIELD_TEXT, NULL, "The flexible body.", .required = true},
    {WHERE(node), LMB_FIELD_TREE, NULL, "The number or the name of the node that it sits on.",
     .choices = "number"},
    {WHERE(at), LMB_FIELD_VECTOR, "m",
     "Instead: where that node is, in the coordinates of the mesh."},
    {WHERE(member), LMB_FIELD_TEXT, NULL, "The member of a framework that it sits on."},
    {WHERE(side), LMB_FIELD_CHOICE, NULL, "Before or after the node, along the member.",
     "the mean of both; at a corner of the member before it", .choices = LMB_SIDES},
    {WHERE(fraction), LMB_FIELD_NUMBER, NULL,
     "Instead of a node, on a member: the part of its length before it, 0 to 1."},
    {KEY(direction), LMB_FIELD_VECTOR, NULL,
     "On a solid: the direction that it measures along, in body axes. On a beam it measures along "
     "that.",
     .range = LMB_NOT_ZERO},
    {KEY(fibre), LMB_FIELD_NUMBERS, "m",
     "On a beam: where it is in the section, [y, z] (in the plane y).",
     "the extreme fibre along y"},
    {0},
};

static lmb_status read_gauge(lmb_builder *r, const void *keys, lmb_sensor *out)
{
    const gauge_keys *k = keys;
    lmb_probe probe;
    lmb_status status = find_place(r, k, out, &probe);
    if (status || out->probe < 0)
        return status;
    const lmb_value *direction = &k->direction, *fibre = &k->fibre;
    if (probe.beam && direction->given)
        return lmb_fail_at(r->context, direction->place,
                           "a gauge on a beam measures along it and has no 'direction'");
    if (!probe.beam && fibre->given)
        return lmb_fail_at(r->context, fibre->place, "'fibre' is for gauges on beams");
    if (!probe.beam && !direction->given)
        return lmb_fail_at(r->context, out->place, "a gauge on a solid needs the key 'direction'");
    if (!probe.beam) {
        out->axes.c[0] = v3_unit(direction->vector);
        return LMB_OK;
    }
    int wanted = r->model->dimension == 2 ? 1 : 2;
    if (fibre->given && fibre->size != wanted)
        return lmb_fail_at(r->context, fibre->place, "'fibre' must be %s",
                           wanted == 1 ? "a number, y" : "two numbers, [y, z]");
    const lmb_body_data *d = lmb_body_data_of(&r->model->bodies[probe.body]);
    const double *section = d->line_section + (size_t)(probe.places[0] / 2) * LMB_LINE_NUMBERS;
    out->fibre[0] = fibre->given ? fibre->numbers[0] : section[LMB_LINE_Y_MAX];
    out->fibre[1] = fibre->given && wanted == 2 ? fibre->numbers[1] : 0;
    return LMB_OK;
}

/* The outer normal of the surface at a node: the mean of its triangles, which must agree to 30
 * degrees. Its length is 0 where they do not, or there are none. */
static vec3 surface_normal(const lmb_body_data *d, int node)
{
    vec3 sum = v3(0, 0, 0);
    double least = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < d->triangle_count; i++) {
            const int *t = d->triangles + 3 * (size_t)i;
            if (t[0] != node && t[1] != node && t[2] != node)
                continue;
            const vec3 *x = d->reduced->x;
            vec3 n = v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]]));
            if (pass == 0)
                sum = v3_add(sum, n);
            else
                least = fmin(least, v3_dot(v3_unit(n), v3_unit(sum)));
        }
    return v3_norm(sum) > 0 && least > sqrt(0.75) ? v3_unit(sum) : v3(0, 0, 0);
}

static const lmb_field rosette_fields[] = {
    {KEY(body), LMB_FIELD_TEXT, NULL, "The flexible body.", .required = true},
    {WHERE(node), LMB_FIELD_TREE, NULL,
     "The number or the name of the node on the surface that it sits on.", .choices = "number"},
    {WHERE(at), LMB_FIELD_VECTOR, "m",
     "Instead: where that node is, in the coordinates of the mesh."},
    {KEY(direction), LMB_FIELD_VECTOR, NULL,
     "The direction of its first grid in body axes; what is across the surface does not count.",
     .range = LMB_NOT_ZERO, .required = true},
    {KEY(normal), LMB_FIELD_VECTOR, NULL, "The outer normal of the surface, for nodes on edges.",
     "that of the surface at the node", LMB_NOT_ZERO},
    {0},
};

static lmb_status read_rosette(lmb_builder *r, const void *keys, lmb_sensor *out)
{
    const gauge_keys *k = keys;
    lmb_probe probe;
    lmb_status status = find_place(r, k, out, &probe);
    if (status || out->probe < 0)
        return status;
    if (probe.beam) {
        lmb_fail_at(r->context, out->place, "a rosette needs the surface of a solid, not a beam");
        return lmb_hint(r->context, "use a gauge");
    }
    const lmb_body_data *d = lmb_body_data_of(&r->model->bodies[probe.body]);
    const lmb_value *given = &k->normal, *direction = &k->direction;
    int node = d->stress_node[probe.places[0]];
    vec3 normal = given->given ? v3_unit(given->vector) : surface_normal(d, node);
    if (v3_norm(normal) == 0) {
        lmb_fail_at(r->context, out->place,
                    "node %d of body '%s' is not on a smooth part of the surface",
                    d->reduced->number[node], d->name);
        return lmb_hint(r->context, "on an edge give the 'normal' of the side that is meant");
    }
    vec3 along = direction->vector;
    along = v3_axpy(along, -v3_dot(along, normal), normal);
    if (v3_norm(along) < 1e-6 * v3_norm(direction->vector))
        return lmb_fail_at(r->context, direction->place,
                           "'direction' is across the surface, whose normal is (%.3g, %.3g, %.3g)",
                           normal.x, normal.y, normal.z);
    along = v3_unit(along);
    out->axes = (mat3){{along, v3_cross(normal, along), normal}};
    return LMB_OK;
}

/* --- the section ------------------------------------------------------------------------------ */

const lmb_instrument_type lmb_instrument_types[] = {
    {"accelerometer", "The acceleration of a point in its own axes.", accelerometer_fields,
     LMB_SENSOR_ACCELEROMETER, read_accelerometer},
    {"gauge", "The strain in a direction at a node of a flexible body.", gauge_fields,
     LMB_SENSOR_GAUGE, read_gauge},
    {"rosette",
     "Three strains in the surface of a solid, along 0, 45 and 90 degrees from its direction, the "
     "stress in its axes, and von Mises' stress.",
     rosette_fields, LMB_SENSOR_ROSETTE, read_rosette},
    {0},
};

/* A map with one key, its kind. */
static lmb_status read_instrument(lmb_builder *r, const lmb_tree *node, lmb_sensor *out)
{
    if (node->count != 1) {
        lmb_fail_at(r->context, node->place, "a sensor must have one key, its kind");
        return lmb_hint(r->context, "such as {accelerometer: {point: arm.tip}}");
    }
    const lmb_tree *key = node->keys[0];
    lmb_nearest nearest;
    int number =
        lmb_find_name(lmb_instrument_types, sizeof *lmb_instrument_types, -1, key->text, &nearest);
    if (number < 0) {
        lmb_fail_at(r->context, key->place, "there is no sensor '%s'", key->text);
        lmb_hint(r->context, "there are accelerometer, gauge and rosette, and expressions");
        return lmb_nearest_hint(r->context, &nearest);
    }
    union {
        accelerometer_keys accelerometer;
        gauge_keys gauge;
    } keys = {.gauge = {.body = {0}}};
    const lmb_instrument_type *t = &lmb_instrument_types[number];
    out->kind = t->kind;
    lmb_status status =
        lmb_read_fields(&r->reader, node->items[0], t->fields, t->name, NULL, &keys);
    return status ? status : t->read(r, &keys, out);
}

static lmb_status read_sensor(lmb_reader *reader, const lmb_entry *e, void *unused)
{
    lmb_builder *r = (lmb_builder *)reader;
    lmb_model *m = r->model;
    const lmb_tree *key = e->key, *node = e->node;
    (void)unused;
    if (lmb_check_unused(r, key))
        return LMB_BAD_INPUT;
    lmb_sensor sensor = {.name = key->text, .text = "", .place = key->place};
    if (node->kind == LMB_TREE_MAP) {
        lmb_status status = read_instrument(r, node, &sensor);
        if (status)
            return status;
    } else if (node->kind != LMB_TREE_TEXT || !node->text[0]) {
        return lmb_fail_kind(&r->reader, node, key->text, "an expression of channels or a map");
    } else {
        sensor.text = node->text;
        sensor.place = lmb_text_place(node);
    }
    m->sensors[m->sensor_count++] = sensor;
    return lmb_add_item(r, LMB_ITEM_SENSOR, sensor.name, m->sensor_count - 1);
}

lmb_status lmb_read_sensors(lmb_builder *r, const lmb_tree *section)
{
    lmb_model *m = r->model;
    m->sensors = lmb_arena_alloc(r->arena, lmb_tree_count(section), sizeof *m->sensors);
    return lmb_read_section(&r->reader, section, "sensors", "sensor", "expressions", read_sensor,
                            NULL);
}
