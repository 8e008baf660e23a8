/* Forces along a coordinate x of two frames (a length, an offset, an angle).
 *
 *   spring, torsion:  effort = -k (x - x0) - c xdot, or a law of x and xdot
 *   motor:            effort = a law of t, x and xdot
 *   friction:         effort = -c xdot and dry friction, see friction.c
 *
 * The force on the frames is effort dx/dframe; its change along a direction is
 * (d effort) dx/dframe + effort d(dx/dframe). With P the product: x = P, or x = sqrt(2 P) for a
 * length, for which dx = dP / x. */
#include "forces/along.h"

/* x and xdot, the gradient of x, and what a length needs for its second derivative. */
typedef struct state {
    double x, xdot;
    double slope; /* dx/dP */
} state;

static double rate_of(const lmb_force *f, const lmb_force_at *at, const lmb_frame *dA,
                      const lmb_frame *dB)
{
    lmb_frame gA = frame_zero(), gB = frame_zero();
    lmb_product_gradient(&f->product, at->A, at->B, 1, &gA, &gB);
    return frame_dot(&gA, dA) + frame_dot(&gB, dB);
}

static state state_of(const lmb_force *f, const lmb_force_at *at)
{
    state s = {lmb_product_value(&f->product, at->A, at->B, at->near), 0, 1};
    s.xdot = rate_of(f, at, at->dA, at->dB);
    if (f->kind == LMB_COORDINATE_LENGTH) {
        s.x = sqrt(2 * s.x);
        s.slope = s.x > 0 ? 1 / s.x : 0; /* no direction: no force */
        s.xdot *= s.slope;
    }
    return s;
}

/* The law at x and xdot, with its derivative for changes dx and dv of them. */
static lmb_jet law_of(const lmb_force *f, const lmb_force_at *at, const state *s, double dx,
                      double dv)
{
    lmb_jet value;
    at->variables[LMB_EFFORT_COORDINATE] = (lmb_jet){s->x, dx, 0};
    at->variables[LMB_EFFORT_SPEED] = (lmb_jet){s->xdot, dv, 0};
    lmb_expr_play_frozen(f->law, at->t, at->records, at->variables, &value);
    return value;
}

static double effort_of(const lmb_force *f, const lmb_force_at *at, const state *s)
{
    double effort = -f->stiffness * (s->x - f->rest) - f->damping * s->xdot + at->added.x, slope;
    if (f->law)
        effort += law_of(f, at, s, 0, 0).f;
    if (f->type == &lmb_force_friction)
        effort += lmb_dry_friction(f, at, s->xdot, &slope);
    return effort;
}

/* Its derivatives by x and xdot. */
static void effort_slopes(const lmb_force *f, const lmb_force_at *at, const state *s, double *by_x,
                          double *by_v)
{
    double slope = 0;
    *by_x = -f->stiffness;
    *by_v = -f->damping;
    if (f->law) {
        *by_x += law_of(f, at, s, 1, 0).d;
        *by_v += law_of(f, at, s, 0, 1).d;
    }
    if (f->type == &lmb_force_friction)
        lmb_dry_friction(f, at, s->xdot, &slope);
    *by_v += slope;
}

lmb_effort lmb_force_effort(const lmb_force *f, const lmb_force_at *at)
{
    state s = state_of(f, at);
    return (lmb_effort){s.x, s.xdot, effort_of(f, at, &s)};
}

void lmb_along_evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A,
                        lmb_frame *on_B)
{
    state s = state_of(f, at);
    double effort = effort_of(f, at, &s);
    lmb_product_gradient(&f->product, at->A, at->B, effort * s.slope, on_A, on_B);
}

void lmb_along_tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                       const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                       lmb_frame *on_A, lmb_frame *on_B)
{
    state s = state_of(f, at);
    double by_x, by_v, effort = effort_of(f, at, &s);
    effort_slopes(f, at, &s, &by_x, &by_v);
    lmb_frame hA = frame_zero(), hB = frame_zero();
    lmb_product_hessian(&f->product, at->A, at->B, 1, xA, xB, &hA, &hB);

    /* changes of P, Pdot and from them of x, xdot and the slope */
    double dP = rate_of(f, at, xA, xB);
    double dPdot = frame_dot(&hA, at->dA) + frame_dot(&hB, at->dB) + rate_of(f, at, vA, vB);
    double dx = s.slope * dP, dslope = 0, dxdot = dPdot;
    if (f->kind == LMB_COORDINATE_LENGTH) {
        dslope = -s.slope * s.slope * dx;
        dxdot = s.slope * dPdot + dslope * s.xdot * s.x;
    }
    double change = (by_x * dx + by_v * dxdot) * s.slope + effort * dslope;
    lmb_product_gradient(&f->product, at->A, at->B, change, on_A, on_B);
    frame_add(on_A, effort * s.slope, &hA);
    frame_add(on_B, effort * s.slope, &hB);
}

static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    state s = state_of(f, at);
    lmb_jet *variables = at->variables, value, *input = &variables[LMB_EFFORT_VARIABLES + i];
    variables[LMB_EFFORT_COORDINATE] = (lmb_jet){s.x, 0, 0};
    variables[LMB_EFFORT_SPEED] = (lmb_jet){s.xdot, 0, 0};
    input->d = 1;
    lmb_expr_play_frozen(f->law, at->t, at->records, variables, &value);
    input->d = 0;
    lmb_product_gradient(&f->product, at->A, at->B, value.d * s.slope, on_A, on_B);
}

static double energy(const lmb_force *f, const lmb_force_at *at)
{
    double stretch = state_of(f, at).x - f->rest;
    return f->stiffness * stretch * stretch / 2;
}

static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    state s = state_of(f, at);
    double effort = effort_of(f, at, &s);
    double from_law = effort + f->stiffness * (s.x - f->rest) + f->damping * s.xdot;
    *supplied += from_law * s.xdot;
    *dissipated += f->damping * s.xdot * s.xdot;
}

#define STIFFNESS_FIELD(unit_text)                                                                 \
    {                                                                                              \
        .name = "stiffness", .type = LMB_FIELD_NUMBER, .unit = unit_text,                          \
        .range = LMB_NOT_NEGATIVE, .doc = "Stiffness.", .otherwise_doc = "0"                       \
    }
#define DAMPING_FIELD(unit_text)                                                                   \
    {                                                                                              \
        .name = "damping", .type = LMB_FIELD_NUMBER, .unit = unit_text, .range = LMB_NOT_NEGATIVE, \
        .doc = "Damping: force for a unit of speed.", .otherwise_doc = "0"                         \
    }

static const lmb_field spring_fields[] = {
    [LMB_SPRING_BETWEEN] = {.name = "between",
                            .type = LMB_FIELD_ENDS,
                            .required = true,
                            .doc = "The two points that it connects."},
    [LMB_SPRING_STIFFNESS] = STIFFNESS_FIELD("N/m"),
    [LMB_SPRING_DAMPING] = DAMPING_FIELD("N s/m"),
    [LMB_SPRING_LENGTH] = {.name = "length",
                           .type = LMB_FIELD_NUMBER,
                           .unit = "m",
                           .range = LMB_NOT_NEGATIVE,
                           .doc = "Its length without load.",
                           .otherwise_doc = "the distance where the model places the bodies"},
    [LMB_SPRING_FORCE] = {.name = "force",
                          .type = LMB_FIELD_TREE,
                          .choices = "number",
                          .unit = "N",
                          .doc = "A further force that pushes the points apart, an expression of "
                                 "`length`, `speed`, t and channels."},
    {0},
};

const lmb_force_type lmb_force_spring = {
    .name = "spring",
    .doc = "A spring and damper between two points.",
    .fields = spring_fields,
    .evaluate = lmb_along_evaluate,
    .tangent = lmb_along_tangent,
    .by_input = by_input,
    .energy = energy,
    .power = power,
};

static const lmb_field torsion_fields[] = {
    [LMB_TORSION_JOINT] = {.name = "joint",
                           .type = LMB_FIELD_NAME,
                           .choices = "joint",
                           .required = true,
                           .doc = "The joint whose angle it acts on."},
    [LMB_TORSION_STIFFNESS] = STIFFNESS_FIELD("N m/rad"),
    [LMB_TORSION_DAMPING] = DAMPING_FIELD("N m s/rad"),
    [LMB_TORSION_REST] = {.name = "angle",
                          .type = LMB_FIELD_NUMBER,
                          .unit = "rad",
                          .doc = "The angle without load.",
                          .otherwise_doc = "the angle where the model places the bodies"},
    {0},
};

const lmb_force_type lmb_force_torsion = {
    .name = "torsion-spring",
    .doc = "A spring and damper on the angle of a joint.",
    .fields = torsion_fields,
    .evaluate = lmb_along_evaluate,
    .tangent = lmb_along_tangent,
    .energy = energy,
    .power = power,
};

static const lmb_field motor_fields[] = {
    [LMB_MOTOR_JOINT] = {.name = "joint",
                         .type = LMB_FIELD_NAME,
                         .choices = "joint",
                         .required = true,
                         .doc = "The joint that it drives."},
    [LMB_MOTOR_COORDINATE] = {.name = "coordinate",
                              .type = LMB_FIELD_TEXT,
                              .doc = "Which coordinate of the joint, where it has several.",
                              .otherwise_doc = "the first one"},
    [LMB_MOTOR_EFFORT] = {.name = "effort",
                          .type = LMB_FIELD_TREE,
                          .choices = "number",
                          .unit = "N m or N",
                          .required = true,
                          .doc = "The torque or force along the coordinate, an expression of t, "
                                 "`angle` (or `offset`, `length`), `speed` and channels."},
    {0},
};

const lmb_force_type lmb_force_motor = {
    .name = "motor",
    .doc = "A torque or force on the coordinate of a joint: a motor, a brake, joint friction.",
    .fields = motor_fields,
    .evaluate = lmb_along_evaluate,
    .tangent = lmb_along_tangent,
    .by_input = by_input,
    .power = power,
};
