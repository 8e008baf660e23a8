/* The sections `bodies` and `ground`: bodies, shapes, mass properties, points. */
#include <stdio.h>
#include <string.h>

#include "bodies/modal.h"
#include "bodies/shape.h"
#include "model/flexible_part.h"
#include "model/fields.h"
#include "model/sections.h"

/* Axes from an x axis and a vector that the y axis is nearest to. */
static lmb_status read_axes(lmb_reader *r, const lmb_tree *node, mat3 *R)
{
    if (node->kind != LMB_TREE_LIST || node->count != 2)
        return lmb_fail_kind(r, node, "axes", "a list of two vectors");
    double x[3], y[3];
    if (lmb_read_vector(r, node->items[0], "axes", 3, x) ||
        lmb_read_vector(r, node->items[1], "axes", 3, y))
        return LMB_BAD_INPUT;
    vec3 e1 = v3(x[0], x[1], x[2]), near = v3(y[0], y[1], y[2]), e3 = v3_cross(e1, near);
    if (v3_norm(e3) <= 1e-9 * v3_norm(e1) * v3_norm(near))
        return lmb_fail_at(r->context, node->place,
                           "the two vectors of 'axes' are parallel or zero");
    e1 = v3_unit(e1);
    e3 = v3_unit(e3);
    *R = (mat3){{e1, v3_cross(e3, e1), e3}};
    return LMB_OK;
}

static lmb_status read_quaternion(lmb_reader *r, const lmb_tree *node, mat3 *R)
{
    double q[9] = {0};
    int size = 0;
    lmb_status status = lmb_read_numbers(r, node, "quaternion", 9, q, &size);
    if (status)
        return status;
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (size != 4 || fabs(norm - 1) > 1e-3)
        return lmb_fail_at(r->context, node->place,
                           "'quaternion' must be four numbers [w, x, y, z] of unit norm");
    *R = quat_matrix(quat_normalised((quat){q[0], q[1], q[2], q[3]}));
    return LMB_OK;
}

lmb_status lmb_read_orientation(lmb_reader *r, const lmb_value *angle_value,
                                const lmb_value *rotation, const lmb_value *quaternion,
                                const lmb_value *axes, mat3 *R, bool *given, double *angle)
{
    int count = angle_value->given + rotation->given + quaternion->given + (axes && axes->given);
    *R = m3_identity();
    *given = count > 0;
    *angle = 0;
    const lmb_value *spatial = axes && axes->given ? axes
                               : quaternion->given ? quaternion
                                                   : rotation;
    if (count > 1)
        return lmb_fail_at(r->context, spatial->place,
                           "give only one of angle, rotation, quaternion and axes");
    if (angle_value->given && r->dimension == 3) {
        lmb_fail_at(r->context, angle_value->place, "'angle' is for models in the plane");
        lmb_hint(r->context, "in space use 'rotation', a vector: axis times angle");
        return LMB_BAD_INPUT;
    }
    if (count && !angle_value->given && r->dimension == 2)
        return lmb_fail_at(r->context, spatial->place,
                           "this is for models in space; in the plane use 'angle'");
    if (angle_value->given) {
        double a = *angle = angle_value->number, c = cos(a), s = sin(a);
        *R = (mat3){{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    } else if (rotation->given) {
        double x[3];
        if (lmb_read_vector(r, rotation->node, "rotation", 3, x))
            return LMB_BAD_INPUT;
        *R = quat_matrix(quat_exp(v3(x[0], x[1], x[2])));
    } else if (quaternion->given) {
        return read_quaternion(r, quaternion->node, R);
    } else if (axes && axes->given) {
        return read_axes(r, axes->node, R);
    }
    return LMB_OK;
}

/* --- mass properties -------------------------------------------------------------------------- */

/* The shape of a body: a map with one key, the kind. */
static lmb_status read_shape(lmb_reader *r, const lmb_tree *node, lmb_solid *solid)
{
    if (node->kind != LMB_TREE_MAP || node->count != 1)
        return lmb_fail_at(r->context, node->place,
                           "'shape' must have one key, its kind, such as {bar: {length: 1}}");
    const lmb_tree *key = node->keys[0];
    lmb_nearest nearest = lmb_nearest_start(key->text);
    for (const lmb_shape_type *t = lmb_shape_types; t->name; t++) {
        lmb_nearest_try(&nearest, t->name);
        if (strcmp(t->name, key->text) != 0)
            continue;
        lmb_shape shape;
        lmb_status status = lmb_read_fields(r, node->items[0], t->fields, t->name, NULL, &shape);
        return status ? status : t->solid(r->context, &shape, solid);
    }
    lmb_fail_at(r->context, key->place, "there is no shape '%s'", key->text);
    lmb_nearest_hint(r->context, &nearest);
    return LMB_BAD_INPUT;
}

/* The inertia as given: one number in the plane; three, six or nine in space. */
static lmb_status given_inertia(lmb_reader *r, const lmb_value *v, mat3 *J)
{
    const double *x = v->numbers;
    if (r->dimension == 2) {
        if (v->size != 1)
            return lmb_fail_at(r->context, v->place, "in the plane 'inertia' is one number");
        *J = (mat3){{{0, 0, 0}, {0, 0, 0}, {0, 0, x[0]}}};
    } else if (v->size == 3) {
        *J = (mat3){{{x[0], 0, 0}, {0, x[1], 0}, {0, 0, x[2]}}};
    } else if (v->size == 6) {
        *J = (mat3){{{x[0], x[3], x[4]}, {x[3], x[1], x[5]}, {x[4], x[5], x[2]}}};
    } else if (v->size == 9) {
        *J = (mat3){{{x[0], x[3], x[6]}, {x[1], x[4], x[7]}, {x[2], x[5], x[8]}}};
    } else {
        return lmb_fail_at(r->context, v->place,
                           "'inertia' must be three numbers, six, or a 3 by 3 matrix, not %d",
                           v->size);
    }
    return LMB_OK;
}

/* An inertia that no body can have: unsymmetric, or not positive, or against the triangle rule. */
static lmb_status check_inertia(lmb_reader *r, const mat3 *J, lmb_place place)
{
    double xx = J->c[0].x, yy = J->c[1].y, zz = J->c[2].z;
    double xy = J->c[1].x, xz = J->c[2].x, yz = J->c[2].y, size = fabs(xx) + fabs(yy) + fabs(zz);
    if (fabs(xy - J->c[0].y) + fabs(xz - J->c[0].z) + fabs(yz - J->c[1].z) > 1e-9 * size)
        return lmb_fail_at(r->context, place, "the inertia matrix is not symmetric");
    double minor = xx * yy - xy * xy;
    double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    bool negative = xx < 0 || yy < 0 || zz < 0 || minor < -1e-12 * size * size ||
                    det < -1e-12 * size * size * size;
    if (negative)
        return lmb_fail_at(r->context, place, "the inertia has a negative principal moment");
    if (r->dimension == 3 &&
        (xx + yy < zz - 1e-6 * size || yy + zz < xx - 1e-6 * size || zz + xx < yy - 1e-6 * size))
        lmb_warn_at(r->context, place,
                    "one moment of inertia is larger than the sum of the other "
                    "two, which no solid body has");
    return LMB_OK;
}

lmb_status lmb_read_inertia(lmb_reader *r, const lmb_value *value, mat3 *out)
{
    lmb_status status = given_inertia(r, value, out);
    return status ? status : check_inertia(r, out, value->place);
}

static lmb_status read_mass(lmb_reader *r, const lmb_value *v, lmb_body *body)
{
    lmb_solid solid = {0, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
    if (v[LMB_BODY_SHAPE].given && read_shape(r, v[LMB_BODY_SHAPE].node, &solid))
        return LMB_BAD_INPUT;
    body->mass = v[LMB_BODY_MASS].number;
    const lmb_value *density = &v[LMB_BODY_DENSITY];
    if (density->given && v[LMB_BODY_MASS].given)
        return lmb_fail_at(r->context, density->place, "give 'mass' or 'density', not both");
    if (density->given && !v[LMB_BODY_SHAPE].given)
        return lmb_fail_at(r->context, density->place, "'density' needs a 'shape'");
    if (density->given && solid.volume == 0) {
        lmb_fail_at(r->context, density->place, "the shape has no volume for 'density'");
        lmb_hint(r->context, "give all its dimensions, such as the width and height of a bar, or a "
                             "'mass'");
        return LMB_BAD_INPUT;
    }
    if (density->given)
        body->mass = density->number * solid.volume;
    body->inertia = m3_scale(body->mass, &solid.unit_inertia);
    const lmb_value *inertia = &v[LMB_BODY_INERTIA];
    if (!inertia->given)
        return LMB_OK;
    if (body->ops == &lmb_body_particle)
        return lmb_fail_at(r->context, inertia->place, "a particle has no inertia");
    return lmb_read_inertia(r, inertia, &body->inertia);
}

/* --- points ----------------------------------------------------------------------------------- */

/* Adds a point with a frame in the body to the model; its number if it is an interface, else -1. */
static lmb_status add_point(lmb_builder *r, int body, int number, const char *point,
                            lmb_frame local, bool own)
{
    lmb_model *m = r->model;
    const char *name = lmb_text_format(r->arena, "%s.%s", m->bodies[body].name, point);
    int marker = lmb_rows_marker(&m->parts, body, number, local);
    if (!name || marker < 0 || !lmb_names_add(&r->points, r->arena, name, 0, m->point_count))
        return lmb_fail_memory(r->context);
    m->points[m->point_count++] = (lmb_point){name, body, marker, own};
    return LMB_OK;
}

static lmb_status read_point(lmb_builder *r, int body, const lmb_tree *key, const lmb_tree *node)
{
    lmb_model *m = r->model;
    char what[96];
    snprintf(what, sizeof what, "point '%.60s'", key->text);
    lmb_value v[LMB_POINT_COUNT + 1];
    lmb_status status = lmb_check_name(&r->reader, key, "point");
    if (status)
        return status;
    mat3 R = m3_identity();
    bool own = false;
    double x[3] = {0}, angle;
    if (node->kind == LMB_TREE_MAP) {
        status = lmb_read_values(&r->reader, node, lmb_point_fields, what, NULL, v);
        if (!status)
            status = lmb_read_orientation(&r->reader, &v[LMB_POINT_ANGLE], &v[LMB_POINT_ROTATION],
                                          &v[LMB_POINT_QUATERNION], &v[LMB_POINT_AXES], &R, &own,
                                          &angle);
        memcpy(x, v[LMB_POINT_AT].numbers, sizeof x);
    } else {
        status = lmb_read_vector(&r->reader, node, key->text, m->dimension, x);
    }
    /* a point with a mistake is still there: its joints need not complain as well */
    lmb_frame local = {v3(x[0], x[1], x[2]), {R.c[0], R.c[1], R.c[2]}};
    lmb_status added = add_point(r, body, -1, key->text, local, own);
    return added ? added : status;
}

static lmb_status read_points(lmb_builder *r, int body, const lmb_tree *points)
{
    if (points->kind != LMB_TREE_MAP) {
        r->reader.incomplete = true;
        return lmb_fail_kind(&r->reader, points, body ? "points" : "ground",
                             "a map of names to coordinates");
    }
    lmb_body *b = &r->model->bodies[body];
    b->point = r->model->point_count;
    lmb_status status = LMB_OK;
    for (int i = 0; i < points->count; i++)
        if (read_point(r, body, points->keys[i], points->items[i]))
            status = LMB_BAD_INPUT;
    b->point_count = r->model->point_count - b->point;
    return status;
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Kind, start and mass of a body. */
static lmb_status read_state(lmb_builder *r, const lmb_value *v, const char *what, lmb_body *body)
{
    if (v[LMB_BODY_TYPE].given && v[LMB_BODY_TYPE].choice == 1)
        body->ops = &lmb_body_particle;
    else
        body->ops = r->model->dimension == 2 ? &lmb_body_planar : &lmb_body_rigid;
    mat3 R;
    bool turned;
    if (lmb_read_orientation(&r->reader, &v[LMB_BODY_ANGLE], &v[LMB_BODY_ROTATION],
                             &v[LMB_BODY_QUATERNION], &v[LMB_BODY_AXES], &R, &turned, &body->angle))
        return LMB_BAD_INPUT;
    if (turned && body->ops == &lmb_body_particle)
        return lmb_fail_at(r->context, v[LMB_BODY_TYPE].place,
                           "%s is a particle and cannot be turned", what);
    const lmb_value *spin = &v[LMB_BODY_ANGULAR_VELOCITY];
    const double *u = v[LMB_BODY_VELOCITY].numbers, *w = spin->numbers;
    int wanted = r->model->dimension == 2 ? 1 : 3;
    if (spin->given && (spin->size != wanted || body->ops == &lmb_body_particle))
        return lmb_fail_at(r->context, spin->place,
                           body->ops == &lmb_body_particle
                               ? "a particle cannot turn"
                               : "'angular_velocity' is a number in the plane, a vector in space");
    body->velocity_given = v[LMB_BODY_VELOCITY].given;
    body->spin_given = spin->given;
    body->velocity = v3(u[0], u[1], u[2]);
    body->spin = wanted == 1 ? v3(0, 0, w[0]) : v3(w[0], w[1], w[2]);
    const double *x = v[LMB_BODY_POSITION].numbers;
    body->start = (lmb_frame){v3(x[0], x[1], x[2]), {R.c[0], R.c[1], R.c[2]}};
    return read_mass(&r->reader, v, body);
}

/* A flexible body: its points are the interface points. */
static lmb_status read_flexible(lmb_builder *r, const lmb_tree *key, const lmb_value *v, int index)
{
    lmb_body *body = &r->model->bodies[index];
    lmb_flexible_part part;
    lmb_status status = lmb_read_part(&r->reader, key, v, &part);
    if (status || (status = lmb_part_move(&r->reader, &part, v, body))) {
        r->reader.incomplete = true;
        return status;
    }
    const lmb_tree *patches = v[LMB_BODY_PATCHES].given ? v[LMB_BODY_PATCHES].node : NULL;
    if (patches && (status = lmb_read_patches(r, index, patches))) {
        r->reader.incomplete = true;
        return status;
    }
    body->point = r->model->point_count;
    for (int i = 0; i < body->modal->point_count && !status; i++) {
        int patch = i - part.interface_count;
        lmb_frame local = frame_identity();
        local.p = body->modal->points[i].p;
        status =
            add_point(r, index, i, patch < 0 ? part.interfaces[i].name : patches->keys[patch]->text,
                      local, false);
    }
    body->point_count = r->model->point_count - body->point;
    if (!status && v[LMB_BODY_PROBES].given)
        status = lmb_read_probes(r, index, v[LMB_BODY_PROBES].node);
    return status;
}

/* A rigid body has no keys of flexible ones. */
static lmb_status check_rigid(lmb_builder *r, const lmb_value *v, const char *what)
{
    for (int i = LMB_BODY_INTERFACES; i < LMB_BODY_COUNT; i++) {
        if (!v[i].given)
            continue;
        lmb_fail_at(r->context, v[i].place, "'%s' is for flexible bodies, but %s is rigid",
                    lmb_body_fields[i].name, what);
        lmb_hint(r->context, "a body is flexible if it has the key beam, mesh, matrices or modal");
        return LMB_BAD_INPUT;
    }
    return LMB_OK;
}

static lmb_status read_body(lmb_builder *r, const lmb_tree *key, const lmb_tree *node)
{
    lmb_model *m = r->model;
    int index = m->body_count++;
    lmb_body *body = &m->bodies[index];
    *body = (lmb_body){.name = key->text, .ops = &lmb_body_rigid, .start = frame_identity()};
    m->body_marker[index] = lmb_rows_marker(&m->parts, index, -1, frame_identity());
    if (!lmb_names_add(&r->items, r->arena, body->name, LMB_ITEM_BODY, index))
        return lmb_fail_memory(r->context);
    char what[96];
    snprintf(what, sizeof what, "body '%.60s'", key->text);
    lmb_value v[LMB_BODY_COUNT + 1];
    lmb_status status = lmb_check_name(&r->reader, key, "body");
    r->reader.incomplete = r->reader.incomplete || status;
    if (lmb_read_values(&r->reader, node, lmb_body_fields, what, NULL, v) ||
        read_state(r, v, what, body)) {
        status = LMB_BAD_INPUT;
        r->reader.incomplete =
            r->reader.incomplete || lmb_is_flexible(v); /* its points are not known */
    }
    if (!status && lmb_is_flexible(v))
        return read_flexible(r, key, v, index);
    if (!status)
        status = check_rigid(r, v, what);
    if (v[LMB_BODY_POINTS].given && read_points(r, index, v[LMB_BODY_POINTS].node))
        status = LMB_BAD_INPUT;
    return status;
}

/* Room for all points that the bodies and the ground may have. */
static bool make_point_room(lmb_builder *r, const lmb_tree *bodies, const lmb_tree *ground)
{
    size_t room = ground ? (size_t)ground->count : 0;
    for (int i = 0; i < bodies->count; i++) {
        const lmb_tree *points = lmb_tree_get(bodies->items[i], "points");
        const lmb_tree *interfaces = lmb_tree_get(bodies->items[i], "interfaces");
        const lmb_tree *patches = lmb_tree_get(bodies->items[i], "patches");
        room += (points ? (size_t)points->count : 0) +
                (interfaces ? (size_t)interfaces->count : 0) +
                (patches ? (size_t)patches->count : 0);
    }
    r->model->points = lmb_arena_alloc(r->arena, room, sizeof *r->model->points);
    return r->model->points != NULL;
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
    if (!lmb_names_add(&r->items, r->arena, "ground", LMB_ITEM_BODY, 0) ||
        !make_point_room(r, section, ground))
        return lmb_fail_memory(r->context);
    lmb_status status = ground ? read_points(r, 0, ground) : LMB_OK;
    for (int i = 0; i < section->count; i++)
        if (read_body(r, section->keys[i], section->items[i]))
            status = LMB_BAD_INPUT;
    return m->parts.failed ? lmb_fail_memory(r->context) : status;
}
