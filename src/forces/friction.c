/* Friction in a joint, from the force that the joint transmits.
 *
 *   effort = -c xdot - mu r N tanh(xdot / vs)      N = sqrt(F . F + floor^2)
 *
 * along an offset (r = 1) or an angle (r the lever of the friction force). F is the reaction of the
 * joint's own rows on B, so N depends on the multipliers: it is an input of the force. The floor,
 * far below any force that matters, makes N smooth where the reaction vanishes. */
#include "forces/along.h"

static double normal_force(const lmb_force_at *at)
{
    return at->variables[LMB_EFFORT_VARIABLES].f;
}

double lmb_dry_friction(const lmb_force *f, const lmb_force_at *at, double speed, double *by_speed)
{
    double size = f->friction * normal_force(at), part = tanh(speed / f->stick_speed);
    *by_speed = -size * (1 - part * part) / f->stick_speed;
    return -size * part;
}

/* The effort is proportional to N. */
static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    (void)i;
    double part = tanh(lmb_force_effort(f, at).speed / f->stick_speed);
    lmb_product_gradient(&f->product, at->A, at->B, -f->friction * part, on_A, on_B);
}

static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    lmb_effort e = lmb_force_effort(f, at);
    (void)supplied;
    *dissipated -= e.effort * e.speed;
}

static const lmb_field fields[] = {
    [LMB_FRICTION_JOINT] = {.name = "joint",
                            .type = LMB_FIELD_NAME,
                            .choices = "joint",
                            .required = true,
                            .doc = "The joint that rubs."},
    [LMB_FRICTION_COORDINATE] = {.name = "coordinate",
                                 .type = LMB_FIELD_TEXT,
                                 .doc = "Which coordinate of the joint, where it has several.",
                                 .otherwise_doc = "the first one"},
    [LMB_FRICTION_COEFFICIENT] = {.name = "coefficient",
                                  .type = LMB_FIELD_NUMBER,
                                  .range = LMB_NOT_NEGATIVE,
                                  .doc = "Coefficient of dry friction: friction over the size of "
                                         "the joint's force.",
                                  .otherwise_doc = "0"},
    [LMB_FRICTION_RADIUS] = {.name = "radius",
                             .type = LMB_FIELD_NUMBER,
                             .unit = "m",
                             .range = LMB_POSITIVE,
                             .doc = "Lever of the friction force; needed where the coordinate is "
                                    "an angle."},
    [LMB_FRICTION_VISCOUS] = {.name = "viscous",
                              .type = LMB_FIELD_NUMBER,
                              .unit = "N s/m or N m s/rad",
                              .range = LMB_NOT_NEGATIVE,
                              .doc = "Damping: force or torque for a unit of speed.",
                              .otherwise_doc = "0"},
    [LMB_FRICTION_STICK_SPEED] = {.name = "stick_speed",
                                  .type = LMB_FIELD_NUMBER,
                                  .unit = "m/s or rad/s",
                                  .range = LMB_POSITIVE,
                                  .otherwise = 1e-3,
                                  .doc = "Speed of the coordinate at which dry friction has 76 % "
                                         "of its full size; a joint that sticks creeps below it.",
                                  .otherwise_doc = "1e-3"},
    {0},
};

const lmb_force_type lmb_force_friction = {
    .name = "friction",
    .doc = "Friction in a joint that grows with the force in it.",
    .fields = fields,
    .evaluate = lmb_along_evaluate,
    .tangent = lmb_along_tangent,
    .by_input = by_input,
    .power = power,
};
