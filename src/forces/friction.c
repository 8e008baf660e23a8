/* Friction in a joint, from the force that the joint transmits.
 *
 *   effort = -c xdot - mu r N tanh(xdot / vs)      N = sqrt(F . F + floor^2)
 *
 * along an offset (r = 1) or an angle (r the lever of the friction force). F is the reaction of the
 * joint's own rows on B, so N depends on the multipliers: it is an input of the force. The floor,
 * far below any force that matters, makes N smooth where the reaction vanishes. */
#include "forces/along.h"

/* Its data, and what it is read into. */
typedef struct friction {
    lmb_along along;
    double coefficient; /* of dry friction, times the lever */
    double stick_speed; /* where dry friction sets in */
} friction;

typedef struct keys {
    friction data;
    lmb_value joint, coordinate, radius;
} keys;

static double normal_force(const lmb_force_at *at)
{
    return at->variables[LMB_EFFORT_VARIABLES].f;
}

static double dry_friction(const lmb_force *f, const lmb_force_at *at, double speed,
                           double *by_speed)
{
    const friction *d = f->data;
    double size = d->coefficient * normal_force(at), part = tanh(speed / d->stick_speed);
    *by_speed = -size * (1 - part * part) / d->stick_speed;
    return -size * part;
}

/* The effort is proportional to N. */
static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    (void)i;
    const friction *d = f->data;
    double part = tanh(lmb_along_effort(f, at).speed / d->stick_speed);
    lmb_product_gradient(&d->along.product, at->A, at->B, -d->coefficient * part, on_A, on_B);
}

static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    lmb_effort e = lmb_along_effort(f, at);
    (void)supplied;
    *dissipated -= e.effort * e.speed;
}

static vec3 get_normal(const lmb_force *f, const lmb_force_at *at)
{
    (void)f;
    return v3(normal_force(at), 0, 0);
}

static bool channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    if (k > 0)
        return lmb_along_channel(f, k - 1, out);
    *out = (lmb_force_channel){"normal",   "N",   "Size of the force in the joint.",
                               LMB_SCALAR, false, get_normal};
    return true;
}

static lmb_status build(lmb_force_build *b, void *read)
{
    keys *k = read;
    const lmb_coordinate *c;
    if (lmb_along_joint(b, &k->joint, &k->coordinate, -1, &k->data.along, &c))
        return LMB_BAD_INPUT;
    const char *joint = k->joint.text;
    if (c->kind == LMB_COORDINATE_LENGTH)
        return lmb_fail_at(b->context, k->joint.place,
                           "joint '%s' does not slide or turn, so it has no friction", joint);
    if (c->kind == LMB_COORDINATE_ANGLE && !k->radius.given)
        return lmb_fail_at(b->context, k->joint.place,
                           "%s needs a 'radius', because joint '%s' turns", b->what, joint);
    if (c->kind == LMB_COORDINATE_OFFSET && k->radius.given)
        return lmb_fail_at(b->context, k->radius.place,
                           "'radius' is for joints that turn; joint '%s' slides", joint);
    if (k->radius.given)
        k->data.coefficient *= k->radius.number;
    k->data.along.further = dry_friction;
    return b->names->reaction(b);
}

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"joint", AT(joint), LMB_FIELD_NAME, NULL, "The joint with friction.", .required = true,
     .choices = "joint"},
    {"coordinate", AT(coordinate), LMB_FIELD_TEXT, NULL,
     "Which coordinate of the joint, where it has several.", .otherwise_doc = "the first one"},
    {"coefficient", AT(data.coefficient), LMB_FIELD_NUMBER, NULL,
     "Coefficient of dry friction: friction over the size of the joint's force.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"radius", AT(radius), LMB_FIELD_NUMBER, "m",
     "Lever of the friction force; needed where the coordinate is an angle.",
     .range = LMB_POSITIVE},
    {"viscous", AT(data.along.damping), LMB_FIELD_NUMBER, "N s/m or N m s/rad",
     "Damping: force or torque for a unit of speed.", .range = LMB_NOT_NEGATIVE,
     .otherwise_doc = "0"},
    {"stick_speed", AT(data.stick_speed), LMB_FIELD_NUMBER, "m/s or rad/s",
     "Speed of the coordinate at which dry friction has 76 % of its full size; a joint that sticks "
     "creeps below it.",
     .range = LMB_POSITIVE, .otherwise = 1e-3, .otherwise_doc = "1e-3"},
    {0},
};

const lmb_force_type lmb_force_friction = {
    .name = "friction",
    .doc = "Coulomb friction in a joint, proportional to its reaction.",
    .fields = fields,
    .size = sizeof(keys),
    .kept = sizeof(friction),
    .build = build,
    .evaluate = lmb_along_evaluate,
    .tangent = lmb_along_tangent,
    .by_input = by_input,
    .channel = channel,
    .power = power,
    .of_reactions = true,
};
