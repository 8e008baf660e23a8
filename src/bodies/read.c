/* The keys that all bodies have: mass, inertia or a shape that gives them, position, orientation
 * and velocities at the start. */
#include "bodies/read.h"

#include "bodies/shape.h"

const lmb_field lmb_body_fields[] = {
    {"type", LMB_AT(lmb_body_keys, type), LMB_FIELD_CHOICE, NULL, "The kind of body.",
     .otherwise_doc = "rigid"},
    {"coordinates", LMB_AT(lmb_body_keys, coordinates), LMB_FIELD_CHOICE, NULL,
     "The generalised coordinates of a rigid or flexible body: its position and an angle, or a "
     "quaternion in space (reference-point), or its position and the components of its axes "
     "(natural). The motion is the same.",
     "reference-point", .choices = "reference-point natural"},
    {"shape", LMB_AT(lmb_body_keys, shape), LMB_FIELD_TREE, NULL,
     "A solid that gives mass and inertia where those are not given, and what is drawn.",
     .choices = "shape"},
    {"mass", LMB_AT(lmb_body_keys, mass), LMB_FIELD_NUMBER, "kg",
     "Mass. A body without any (0) must be moved by drivers, or in dynamics by joints to bodies "
     "that "
     "have mass.",
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
    vec3 e1 = v3_of(x), near = v3_of(y), e3 = v3_cross(e1, near);
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
        return lmb_hint(r->context, "in space use 'rotation', a vector: axis times angle");
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
        *R = quat_matrix(quat_exp(v3_of(x)));
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
    lmb_nearest nearest;
    int number = lmb_find_name(lmb_shape_types, sizeof *lmb_shape_types, -1, key->text, &nearest);
    if (number < 0) {
        lmb_fail_at(r->context, key->place, "there is no shape '%s'", key->text);
        return lmb_nearest_hint(r->context, &nearest);
    }
    const lmb_shape_type *t = &lmb_shape_types[number];
    lmb_shape *shape = lmb_arena_alloc(r->arena, 1, sizeof *shape);
    if (!shape)
        return lmb_fail_memory(r->context);
    shape->type = t;
    body->shape = shape;
    lmb_status status = lmb_read_fields(r, node->items[0], t->fields, t->name, NULL, shape);
    return status ? status : t->solid(r->context, shape, solid);
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
    body->massless = k->mass.given && body->mass == 0;
    const lmb_value *density = &k->density;
    if (density->given && k->mass.given)
        return lmb_fail_at(r->context, density->place, "give 'mass' or 'density', not both");
    if (density->given && !k->shape)
        return lmb_fail_at(r->context, density->place, "'density' needs a 'shape'");
    if (density->given && solid.volume == 0) {
        lmb_fail_at(r->context, density->place, "the shape has no volume for 'density'");
        return lmb_hint(r->context,
                        "give all its dimensions, such as the width and height of a bar, or a "
                        "'mass'");
    }
    if (density->given)
        body->mass = density->number * solid.volume;
    body->inertia = m3_scale(body->mass, &solid.unit_inertia);
    return k->inertia.given ? lmb_read_inertia(r, &k->inertia, &body->inertia) : LMB_OK;
}

lmb_status lmb_body_read_common(lmb_reader *r, const lmb_body_type *type, const char *what,
                                const lmb_body_keys *k, lmb_body *body)
{
    bool turns = lmb_body_type_ops(type, r->dimension)->turns;
    mat3 R;
    bool turned;
    if (lmb_read_orientation(r, &k->turned, &R, &turned, &body->angle))
        return LMB_BAD_INPUT;
    if (turned && !turns)
        return lmb_fail_at(r->context, k->type.place, "%s is %s and cannot be turned", what,
                           type->called);
    const lmb_value *spin = &k->angular_velocity;
    const double *u = k->velocity.numbers, *w = spin->numbers;
    int wanted = r->dimension == 2 ? 1 : 3;
    if (spin->given && !turns)
        return lmb_fail_at(r->context, spin->place, "%s cannot turn", type->called);
    if (spin->given && spin->size != wanted)
        return lmb_fail_at(r->context, spin->place,
                           "'angular_velocity' is a number in the plane, a vector in space");
    if (k->inertia.given && !turns)
        return lmb_fail_at(r->context, k->inertia.place, "%s has no inertia", type->called);
    body->velocity_given = k->velocity.given;
    body->spin_given = spin->given;
    body->velocity = v3(u[0], u[1], u[2]);
    body->spin = wanted == 1 ? v3(0, 0, w[0]) : v3(w[0], w[1], w[2]);
    body->start = frame_with_axes(k->position, &R);
    return read_mass(r, k, body);
}
