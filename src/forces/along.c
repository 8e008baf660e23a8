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

/* They, and the gradient of P. */
static state state_and_gradient(const lmb_force *f, const lmb_force_at *at, lmb_frame *gA,
                                lmb_frame *gB)
{
    const lmb_along *c = f->data;
    state s = {lmb_product_value(&c->product, at->A, at->B, at->near), 0, 1};
    *gA = *gB = frame_zero();
    lmb_product_gradient(&c->product, at->A, at->B, 1, gA, gB);
    s.xdot = frame_dot(gA, at->dA) + frame_dot(gB, at->dB);
    if (c->kind == LMB_COORDINATE_LENGTH) {
        s.x = sqrt(2 * s.x);
        s.slope = s.x > 0 ? 1 / s.x : 0; /* no direction: no force */
        s.xdot *= s.slope;
    }
    return s;
}

static state state_of(const lmb_force *f, const lmb_force_at *at)
{
    lmb_frame gA, gB;
    return state_and_gradient(f, at, &gA, &gB);
}

/* The law at x and xdot, with its derivative for changes dx and dv of them. */
static lmb_jet law_of(const lmb_force *f, const lmb_force_at *at, const state *s, double dx,
                      double dv)
{
    lmb_jet value;
    at->variables[LMB_EFFORT_COORDINATE] = (lmb_jet){s->x, dx, 0};
    at->variables[LMB_EFFORT_SPEED] = (lmb_jet){s->xdot, dv, 0};
    lmb_expr_play(f->law, (lmb_jet){at->t, 0, 0}, at->records, at->variables, &value);
    return (lmb_jet){at->load * value.f, at->load * value.d, at->load * value.dd};
}

static double effort_of(const lmb_force *f, const lmb_force_at *at, const state *s)
{
    const lmb_along *c = f->data;
    double effort = -c->stiffness * (s->x - c->rest) - c->damping * s->xdot + at->added.x, slope;
    if (f->law)
        effort += law_of(f, at, s, 0, 0).f;
    if (c->further)
        effort += c->further(f, at, s->xdot, &slope);
    return effort;
}

/* Its derivatives by x and xdot. */
static void effort_slopes(const lmb_force *f, const lmb_force_at *at, const state *s, double *by_x,
                          double *by_v)
{
    const lmb_along *c = f->data;
    double slope = 0;
    *by_x = -c->stiffness;
    *by_v = -c->damping;
    if (f->law) {
        *by_x += law_of(f, at, s, 1, 0).d;
        *by_v += law_of(f, at, s, 0, 1).d;
    }
    if (c->further)
        c->further(f, at, s->xdot, &slope);
    *by_v += slope;
}

lmb_effort lmb_along_effort(const lmb_force *f, const lmb_force_at *at)
{
    state s = state_of(f, at);
    return (lmb_effort){s.x, s.xdot, effort_of(f, at, &s)};
}

void lmb_along_evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A,
                        lmb_frame *on_B)
{
    const lmb_along *c = f->data;
    state s = state_of(f, at);
    double effort = effort_of(f, at, &s);
    lmb_product_gradient(&c->product, at->A, at->B, effort * s.slope, on_A, on_B);
}

void lmb_along_tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                       const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                       lmb_frame *on_A, lmb_frame *on_B)
{
    const lmb_along *c = f->data;
    lmb_frame gA, gB, hA = frame_zero(), hB = frame_zero();
    state s = state_and_gradient(f, at, &gA, &gB);
    double by_x, by_v, effort = effort_of(f, at, &s);
    effort_slopes(f, at, &s, &by_x, &by_v);
    lmb_product_hessian(&c->product, at->A, at->B, 1, xA, xB, &hA, &hB);

    /* changes of P, Pdot and from them of x, xdot and the slope */
    double dP = frame_dot(&gA, xA) + frame_dot(&gB, xB);
    double dPdot =
        frame_dot(&hA, at->dA) + frame_dot(&hB, at->dB) + frame_dot(&gA, vA) + frame_dot(&gB, vB);
    double dx = s.slope * dP, dslope = 0, dxdot = dPdot;
    if (c->kind == LMB_COORDINATE_LENGTH) {
        dslope = -s.slope * s.slope * dx;
        dxdot = s.slope * dPdot + dslope * s.xdot * s.x;
    }
    double change = (by_x * dx + by_v * dxdot) * s.slope + effort * dslope;
    frame_add(on_A, change, &gA);
    frame_add(on_B, change, &gB);
    frame_add(on_A, effort * s.slope, &hA);
    frame_add(on_B, effort * s.slope, &hB);
}

static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    const lmb_along *c = f->data;
    state s = state_of(f, at);
    lmb_jet *input = &at->variables[LMB_EFFORT_VARIABLES + i];
    input->d = 1;
    double change = law_of(f, at, &s, 0, 0).d;
    input->d = 0;
    lmb_product_gradient(&c->product, at->A, at->B, change * s.slope, on_A, on_B);
}

static double energy(const lmb_force *f, const lmb_force_at *at)
{
    const lmb_along *c = f->data;
    double stretch = state_of(f, at).x - c->rest;
    return c->stiffness * stretch * stretch / 2;
}

static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    const lmb_along *c = f->data;
    state s = state_of(f, at);
    double effort = effort_of(f, at, &s);
    double from_law = effort + c->stiffness * (s.x - c->rest) + c->damping * s.xdot;
    *supplied += from_law * s.xdot;
    *dissipated += c->damping * s.xdot * s.xdot;
}

/* --- what it reports -------------------------------------------------------------------------- */

static vec3 get_coordinate(const lmb_force *f, const lmb_force_at *at)
{
    return v3(state_of(f, at).x, 0, 0);
}

static vec3 get_speed(const lmb_force *f, const lmb_force_at *at)
{
    return v3(state_of(f, at).xdot, 0, 0);
}

static vec3 get_effort(const lmb_force *f, const lmb_force_at *at)
{
    return v3(lmb_along_effort(f, at).effort, 0, 0);
}

static vec3 get_power(const lmb_force *f, const lmb_force_at *at)
{
    lmb_effort e = lmb_along_effort(f, at);
    return v3(e.effort * e.speed, 0, 0);
}

static const char *const names[] = {"angle", "offset", "length"};

bool lmb_along_channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    const lmb_along *c = f->data;
    bool angle = c->kind == LMB_COORDINATE_ANGLE;
    const lmb_force_channel channels[] = {
        {names[c->kind], angle ? "rad" : "m", "The coordinate that it acts along.", LMB_SCALAR,
         false, get_coordinate},
        {"speed", angle ? "rad/s" : "m/s", "The rate of that coordinate.", LMB_SCALAR, false,
         get_speed},
        {"effort", angle ? "N m" : "N",
         "Force or torque along the coordinate; a stretched spring pulls: negative.", LMB_SCALAR,
         true, get_effort},
        {"power", "W", "Effort times rate.", LMB_SCALAR, true, get_power}};
    if (k < 4)
        *out = channels[k];
    return k < 4;
}

/* --- kinds ------------------------------------------------------------------------------------ */

lmb_status lmb_along_joint(lmb_force_build *b, const lmb_value *joint, const lmb_value *which,
                           int kind, lmb_along *along, const lmb_coordinate **out)
{
    lmb_status status = b->names->coordinate(b, joint, which, kind, out);
    if (status)
        return status;
    along->product = (*out)->product;
    along->kind = (*out)->kind;
    b->force->pair = (*out)->pair;
    b->force->turn = (*out)->turn;
    return LMB_OK;
}

/* What springs and motors are read into. */
typedef struct keys {
    lmb_along along;
    const lmb_tree *between, *effort;
    lmb_value joint, coordinate;
} keys;

#define AT(member) LMB_AT(keys, member)
#define STIFFNESS_FIELD(unit)                                                                      \
    {                                                                                              \
        "stiffness", AT(along.stiffness), LMB_FIELD_NUMBER, unit, "Stiffness.",                    \
            .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"                                        \
    }
#define DAMPING_FIELD(unit)                                                                        \
    {                                                                                              \
        "damping", AT(along.damping), LMB_FIELD_NUMBER, unit,                                      \
            "Damping: force for a unit of speed.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0" \
    }

static const lmb_field spring_fields[] = {
    {"between", AT(between), LMB_FIELD_ENDS, NULL, "The two points that it connects.",
     .required = true},
    STIFFNESS_FIELD("N/m"),
    DAMPING_FIELD("N s/m"),
    {"length", AT(along.rest), LMB_FIELD_NUMBER, "m", "Its length without load.",
     .range = LMB_NOT_NEGATIVE, .otherwise = NAN,
     .otherwise_doc = "the distance where the model places the bodies"},
    {"force", AT(effort), LMB_FIELD_TREE, "N",
     "An additional force, positive when pushing the points apart, an expression of `length`, "
     "`speed`, t and channels.",
     .choices = "number"},
    {0},
};

static lmb_status build_spring(lmb_force_build *b, void *read)
{
    keys *k = read;
    lmb_end ends[2];
    lmb_frame placed[2];
    lmb_status status = b->names->ends(b, k->between, ends, placed);
    if (status)
        return status;
    b->force->pair = lmb_rows_ends(b->rows, ends);
    k->along.product = lmb_half_square();
    k->along.kind = LMB_COORDINATE_LENGTH;
    if (isnan(k->along.rest))
        k->along.rest = v3_norm(v3_sub(placed[1].p, placed[0].p));
    return k->effort ? lmb_read_effort(b->reader, k->effort, "force", "length", &b->force->law)
                     : LMB_OK;
}

#define ALONG                                                                                      \
    .size = sizeof(keys), .kept = sizeof(lmb_along), .evaluate = lmb_along_evaluate,               \
    .tangent = lmb_along_tangent, .channel = lmb_along_channel, .power = power

const lmb_force_type lmb_force_spring = {
    .name = "spring",
    .doc = "A spring and damper between two points.",
    .sign = "spring",
    .fields = spring_fields,
    ALONG,
    .build = build_spring,
    .by_input = by_input,
    .energy = energy,
    .input = LMB_NAMED_INPUT,
};

static const lmb_field torsion_fields[] = {
    {"joint", AT(joint), LMB_FIELD_NAME, NULL, "The joint whose angle it acts on.",
     .required = true, .choices = "joint"},
    STIFFNESS_FIELD("N m/rad"),
    DAMPING_FIELD("N m s/rad"),
    {"angle", AT(along.rest), LMB_FIELD_NUMBER, "rad", "The angle without load.", .otherwise = NAN,
     .otherwise_doc = "the angle where the model places the bodies"},
    {0},
};

static lmb_status build_torsion(lmb_force_build *b, void *read)
{
    keys *k = read;
    const lmb_coordinate *c;
    lmb_status status =
        lmb_along_joint(b, &k->joint, &k->coordinate, LMB_COORDINATE_ANGLE, &k->along, &c);
    if (!status && isnan(k->along.rest))
        k->along.rest = c->near;
    return status;
}

const lmb_force_type lmb_force_torsion = {
    .name = "torsion-spring",
    .doc = "A spring and damper on the angle of a joint.",
    .fields = torsion_fields,
    ALONG,
    .build = build_torsion,
    .energy = energy,
    .input = LMB_NAMED_INPUT,
};

static const lmb_field motor_fields[] = {
    {"joint", AT(joint), LMB_FIELD_NAME, NULL, "The joint that it drives.", .required = true,
     .choices = "joint"},
    {"coordinate", AT(coordinate), LMB_FIELD_TEXT, NULL,
     "Which coordinate of the joint, where it has several.", .otherwise_doc = "the first one"},
    {"effort", AT(effort), LMB_FIELD_TREE, "N m or N",
     "The torque or force along the coordinate, an expression of t, `angle` (or `offset`, "
     "`length`), `speed` and channels.",
     .required = true, .choices = "number"},
    {0},
};

static lmb_status build_motor(lmb_force_build *b, void *read)
{
    keys *k = read;
    const lmb_coordinate *c;
    lmb_status status = lmb_along_joint(b, &k->joint, &k->coordinate, -1, &k->along, &c);
    return status ? status
                  : lmb_read_effort(b->reader, k->effort, "effort", names[c->kind], &b->force->law);
}

const lmb_force_type lmb_force_motor = {
    .name = "motor",
    .doc = "A torque or force on the coordinate of a joint: a motor, a brake, joint friction.",
    .fields = motor_fields,
    ALONG,
    .build = build_motor,
    .by_input = by_input,
    .input = LMB_ALWAYS_INPUT,
    .is_load = true,
};
