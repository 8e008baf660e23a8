/* The sections `bodies` and `ground`: bodies, shapes, mass properties, points. */
#include <stdio.h>
#include <string.h>

#include "bodies/modal.h"
#include "bodies/shape.h"
#include "model/flexible_part.h"
#include "model/fields.h"
#include "model/sections.h"

/* The keys of a body; those of flexible ones alone come last, from `interfaces` on. */
const lmb_field lmb_body_fields[] = {
    {"type", LMB_AT(lmb_body_keys, type), LMB_FIELD_CHOICE, NULL, "The kind of body.",
     .choices = "rigid particle", .otherwise_doc = "rigid"},
    {"shape", LMB_AT(lmb_body_keys, shape), LMB_FIELD_TREE, NULL,
     "A solid that gives mass and inertia where those are not given, and what is drawn.",
     .choices = "shape"},
    {"mass", LMB_AT(lmb_body_keys, mass), LMB_FIELD_NUMBER, "kg", "Mass.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "density times the volume of the shape, or 0"},
    {"density", LMB_AT(lmb_body_keys, density), LMB_FIELD_NUMBER, "kg/m^3", "Density of the shape.",
     .range = LMB_POSITIVE},
    {"inertia", LMB_AT(lmb_body_keys, inertia), LMB_FIELD_NUMBERS, "kg m^2",
     "Moments of inertia about the centre of mass in body axes: one number in the plane; in space "
     "three (xx, yy, zz), six (and xy, xz, yz) or a matrix.",
     .otherwise_doc = "that of the shape, or 0"},
    {"position", LMB_AT(lmb_body_keys, position), LMB_FIELD_VECTOR, "m",
     "Where its centre of mass starts; a guess is enough where joints determine it.",
     .otherwise_doc = "the origin"},
    LMB_ORIENTATION_FIELDS(lmb_body_keys, "the global one"),
    LMB_AXES_FIELD(lmb_body_keys),
    {"velocity", LMB_AT(lmb_body_keys, velocity), LMB_FIELD_VECTOR, "m/s",
     "Velocity of the centre of mass at the beginning of a dynamic analysis.",
     .otherwise_doc = "free to fit the joints, nearest to 0"},
    {"angular_velocity", LMB_AT(lmb_body_keys, angular_velocity), LMB_FIELD_NUMBERS, "rad/s",
     "Angular velocity there, in global axes: a number in the plane, a vector in space.",
     .otherwise_doc = "free to fit the joints, nearest to 0"},
    {"points", LMB_AT(lmb_body_keys, points), LMB_FIELD_TREE, NULL,
     "Named points of the body, each a vector in body axes from its centre of mass, or a map of "
     "keys.",
     .choices = "points"},
    {"beam", LMB_AT(lmb_body_keys, beam), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: a beam of finite elements.", .choices = "beam"},
    {"mesh", LMB_AT(lmb_body_keys, mesh), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: a mesh of another program.", .choices = "mesh"},
    {"matrices", LMB_AT(lmb_body_keys, matrices), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: stiffness and mass matrices of another program.",
     .choices = "matrices"},
    {"modal", LMB_AT(lmb_body_keys, modal), LMB_FIELD_TREE, NULL,
     "Makes it a flexible body: modal matrices and integrals as numbers.", .choices = "modal"},
    {"interfaces", LMB_AT(lmb_body_keys, interfaces), LMB_FIELD_TREE, NULL,
     "The points of a flexible body that joints and forces take hold of, by name: start or end of "
     "a beam, or a map of keys.",
     .choices = "interfaces"},
    {"masses", LMB_AT(lmb_body_keys, masses), LMB_FIELD_TREE, NULL,
     "Point masses on nodes of a beam or mesh, by name.", .choices = "point_masses"},
    {"reduction", LMB_AT(lmb_body_keys, reduction), LMB_FIELD_TREE, NULL,
     "How a flexible body is reduced to few modes.", .choices = "reduction"},
    {"damping", LMB_AT(lmb_body_keys, damping), LMB_FIELD_TREE, NULL,
     "Damping of a flexible body: a part of the critical one for all its modes, or a map of keys.",
     .choices = "damping", .otherwise_doc = "none but that of a damping matrix"},
    {"coupling", LMB_AT(lmb_body_keys, coupling), LMB_FIELD_CHOICE, NULL,
     "How the inertia of a flexible body depends on its deformation: in full, or not at all, which "
     "is a first approximation.",
     .choices = "full constant", .otherwise_doc = "full"},
    {"quadratic_velocity", LMB_AT(lmb_body_keys, quadratic_velocity), LMB_FIELD_FLAG, NULL,
     "Whether the forces of inertia of a flexible body that are quadratic in its velocities act; "
     "without them one sees what they do.",
     .otherwise = 1, .otherwise_doc = "true"},
    {"probes", LMB_AT(lmb_body_keys, probes), LMB_FIELD_TREE, NULL,
     "Places of a flexible body whose stresses are reported, by name.", .choices = "probes"},
    {"patches", LMB_AT(lmb_body_keys, patches), LMB_FIELD_TREE, NULL,
     "Places of a flexible body, by name, that forces are spread over: points that move as the "
     "mean of some nodes.",
     .choices = "patches"},
    {"modes", LMB_AT(lmb_body_keys, modes), LMB_FIELD_TREE, NULL,
     "Modal coordinates of a flexible body at the start of a dynamic analysis, one number per "
     "mode.",
     .choices = "nested", .otherwise_doc = "0"},
    {"modes_velocity", LMB_AT(lmb_body_keys, modes_velocity), LMB_FIELD_TREE, NULL, "Their rates.",
     .choices = "nested", .otherwise_doc = "0"},
    {0},
};

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

lmb_status lmb_read_orientation(lmb_reader *r, const lmb_orientation *o, mat3 *R, bool *given,
                                double *angle)
{
    int count = o->angle.given + o->rotation.given + o->quaternion.given + o->axes.given;
    *R = m3_identity();
    *given = count > 0;
    *angle = 0;
    lmb_place place = o->axes.given         ? o->axes.place
                      : o->quaternion.given ? o->quaternion.place
                                            : o->rotation.place;
    if (count > 1)
        return lmb_fail_at(r->context, place,
                           "give only one of angle, rotation, quaternion and axes");
    if (o->angle.given && r->dimension == 3) {
        lmb_fail_at(r->context, o->angle.place, "'angle' is for models in the plane");
        lmb_hint(r->context, "in space use 'rotation', a vector: axis times angle");
        return LMB_BAD_INPUT;
    }
    if (count && !o->angle.given && r->dimension == 2)
        return lmb_fail_at(r->context, place,
                           "this is for models in space; in the plane use 'angle'");
    if (o->angle.given) {
        double a = *angle = o->angle.number, c = cos(a), s = sin(a);
        *R = (mat3){{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    } else if (o->rotation.given) {
        double x[3];
        if (lmb_read_vector(r, o->rotation.node, "rotation", 3, x))
            return LMB_BAD_INPUT;
        *R = quat_matrix(quat_exp(v3(x[0], x[1], x[2])));
    } else if (o->quaternion.given) {
        return read_quaternion(r, o->quaternion.node, R);
    } else if (o->axes.given) {
        return read_axes(r, o->axes.node, R);
    }
    return LMB_OK;
}

/* --- mass properties -------------------------------------------------------------------------- */

/* The shape of a body: a map with one key, the kind. */
static lmb_status read_shape(lmb_reader *r, const lmb_tree *node, lmb_body *body, lmb_solid *solid)
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
        lmb_shape *shape = lmb_arena_alloc(r->arena, 1, sizeof *shape);
        if (!shape)
            return lmb_fail_memory(r->context);
        shape->type = t;
        body->shape = shape;
        lmb_status status = lmb_read_fields(r, node->items[0], t->fields, t->name, NULL, shape);
        return status ? status : t->solid(r->context, shape, solid);
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

static lmb_status read_mass(lmb_reader *r, const lmb_body_keys *k, lmb_body *body)
{
    lmb_solid solid = {0, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
    if (k->shape && read_shape(r, k->shape, body, &solid))
        return LMB_BAD_INPUT;
    body->mass = k->mass.number;
    const lmb_value *density = &k->density;
    if (density->given && k->mass.given)
        return lmb_fail_at(r->context, density->place, "give 'mass' or 'density', not both");
    if (density->given && !k->shape)
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
    const lmb_value *inertia = &k->inertia;
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

/* What a point is read into. */
typedef struct point_keys {
    vec3 at;
    lmb_orientation turned;
} point_keys;

const lmb_field lmb_point_fields[] = {
    {"at", LMB_AT(point_keys, at), LMB_FIELD_VECTOR, "m",
     "Where it is, in body axes from the centre of mass.", .required = true},
    LMB_ORIENTATION_FIELDS(point_keys, "the body's"),
    LMB_AXES_FIELD(point_keys),
    {0},
};

static lmb_status read_point(lmb_builder *r, int body, const lmb_tree *key, const lmb_tree *node)
{
    lmb_model *m = r->model;
    char what[96];
    snprintf(what, sizeof what, "point '%.60s'", key->text);
    point_keys k;
    lmb_status status = lmb_check_name(&r->reader, key, "point");
    if (status)
        return status;
    mat3 R = m3_identity();
    bool own = false;
    double angle;
    vec3 at = v3(0, 0, 0);
    if (node->kind == LMB_TREE_MAP) {
        status = lmb_read_fields(&r->reader, node, lmb_point_fields, what, NULL, &k);
        if (!status)
            status = lmb_read_orientation(&r->reader, &k.turned, &R, &own, &angle);
        at = k.at;
    } else {
        status = lmb_read_vector(&r->reader, node, key->text, m->dimension, &at.x);
    }
    /* a point with a mistake is still there: its joints need not complain as well */
    lmb_frame local = {at, {R.c[0], R.c[1], R.c[2]}};
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
static lmb_status read_state(lmb_builder *r, const lmb_body_keys *k, const char *what,
                             lmb_body *body)
{
    if (k->type.choice == 1)
        body->ops = &lmb_body_particle;
    else
        body->ops = r->model->dimension == 2 ? &lmb_body_planar : &lmb_body_rigid;
    mat3 R;
    bool turned;
    if (lmb_read_orientation(&r->reader, &k->turned, &R, &turned, &body->angle))
        return LMB_BAD_INPUT;
    if (turned && !body->ops->turns)
        return lmb_fail_at(r->context, k->type.place, "%s is a particle and cannot be turned",
                           what);
    const lmb_value *spin = &k->angular_velocity;
    const double *u = k->velocity.numbers, *w = spin->numbers;
    int wanted = r->model->dimension == 2 ? 1 : 3;
    if (spin->given && (spin->size != wanted || !body->ops->turns))
        return lmb_fail_at(r->context, spin->place,
                           !body->ops->turns
                               ? "a particle cannot turn"
                               : "'angular_velocity' is a number in the plane, a vector in space");
    body->velocity_given = k->velocity.given;
    body->spin_given = spin->given;
    body->velocity = v3(u[0], u[1], u[2]);
    body->spin = wanted == 1 ? v3(0, 0, w[0]) : v3(w[0], w[1], w[2]);
    body->start = (lmb_frame){k->position, {R.c[0], R.c[1], R.c[2]}};
    return read_mass(&r->reader, k, body);
}

/* A flexible body: its points are the interface points. */
static lmb_status read_flexible(lmb_builder *r, const lmb_tree *key, const lmb_tree *node,
                                const lmb_body_keys *k, int index)
{
    lmb_body *body = &r->model->bodies[index];
    lmb_flexible_part part;
    lmb_status status = lmb_read_part(&r->reader, key, node, k, &part);
    if (status || (status = lmb_part_move(&r->reader, &part, k, body))) {
        r->reader.incomplete = true;
        return status;
    }
    const lmb_tree *patches = k->patches;
    if (patches && (status = lmb_read_patches(r, index, patches))) {
        r->reader.incomplete = true;
        return status;
    }
    body->point = r->model->point_count;
    for (int i = 0; i < lmb_body_elasticity(body)->modal->point_count && !status; i++) {
        int patch = i - part.interface_count;
        lmb_frame local = frame_identity();
        local.p = lmb_body_elasticity(body)->modal->points[i].p;
        status =
            add_point(r, index, i, patch < 0 ? part.interfaces[i].name : patches->keys[patch]->text,
                      local, false);
    }
    body->point_count = r->model->point_count - body->point;
    if (!status && k->probes)
        status = lmb_read_probes(r, index, k->probes);
    return status;
}

/* A rigid body has no keys of flexible ones, which come last in the table. */
static lmb_status check_rigid(lmb_builder *r, const lmb_tree *node, const char *what)
{
    const lmb_field *f = lmb_body_fields;
    while (strcmp(f->name, "interfaces") != 0)
        f++;
    for (; f->name; f++) {
        if (!lmb_tree_get(node, f->name))
            continue;
        lmb_fail_at(r->context, lmb_key_place(node, f->name),
                    "'%s' is for flexible bodies, but %s is rigid", f->name, what);
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
    lmb_body_keys k;
    lmb_status status = lmb_check_name(&r->reader, key, "body");
    r->reader.incomplete = r->reader.incomplete || status;
    if (lmb_read_fields(&r->reader, node, lmb_body_fields, what, NULL, &k) ||
        read_state(r, &k, what, body)) {
        status = LMB_BAD_INPUT;
        r->reader.incomplete =
            r->reader.incomplete || lmb_is_flexible(&k); /* its points are not known */
    }
    if (!status && lmb_is_flexible(&k))
        return read_flexible(r, key, node, &k, index);
    if (!status)
        status = check_rigid(r, node, what);
    if (k.points && read_points(r, index, k.points))
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
