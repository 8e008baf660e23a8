/* Forces and torques from outside on a point of a body, given in global axes or turning with it.
 *
 *   force:   on the origin of B's frame
 *   torque:  a moment m is the force f_i = (m x e_i) / 2 on each axis, since sum e_i x f_i = m
 *
 * A is the ground. */
#include "forces/force.h"

extern const lmb_force_type lmb_force_applied, lmb_torque_applied;

/* Its data, and what it is read into. */
typedef struct keys {
    int follows; /* the vector is given in axes of the body, and turns with it */
    const lmb_tree *at, *vector;
} keys;

static bool follows(const lmb_force *f)
{
    return *(const int *)f->data;
}

/* The vector of the numbers of the law: a single one is about z. */
static vec3 vector_of(const lmb_force *f, double x, double y, double z)
{
    int size = lmb_expr_size(f->law);
    return size == 1 ? v3(0, 0, x) : v3(x, y, size == 3 ? z : 0);
}

static vec3 in_global_axes(const lmb_force *f, const lmb_force_at *at, vec3 v)
{
    mat3 R = frame_rotation(at->B);
    return follows(f) ? m3_mul(&R, v) : v;
}

static vec3 force_vector(const lmb_force *f, const lmb_force_at *at)
{
    lmb_jet x[3] = {{0}};
    lmb_expr_play(f->law, (lmb_jet){at->t, 0, 0}, at->records, at->variables, x);
    vec3 law = v3_scale(at->load, v3(x[0].f, x[1].f, x[2].f)), sum = v3_add(law, at->added);
    return in_global_axes(f, at, vector_of(f, sum.x, sum.y, sum.z));
}

/* The change of the vector with one of the channels that the law uses. */
static vec3 vector_by_input(const lmb_force *f, const lmb_force_at *at, int i)
{
    lmb_jet x[3] = {{0}}, *input = &at->variables[LMB_EFFORT_VARIABLES + i];
    input->d = 1;
    lmb_expr_play(f->law, (lmb_jet){at->t, 0, 0}, at->records, at->variables, x);
    input->d = 0;
    vec3 slope = v3_scale(at->load, v3(x[0].d, x[1].d, x[2].d));
    return in_global_axes(f, at, vector_of(f, slope.x, slope.y, slope.z));
}

/* The change of the vector when the frame's axes change by xB. */
static vec3 turned_vector(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xB)
{
    if (!follows(f))
        return v3(0, 0, 0);
    mat3 R = frame_rotation(at->B), dR = frame_rotation(xB);
    vec3 local = m3_tmul(&R, force_vector(f, at));
    return m3_mul(&dR, local);
}

/* Adds a vector to the forces on B: to that on its origin, or of a torque to those on its axes. */
static void act(const lmb_force *f, vec3 v, const lmb_frame *axes, lmb_frame *on_B)
{
    if (f->type == &lmb_torque_applied)
        frame_add_moment(on_B, 1, v, axes);
    else
        on_B->p = v3_add(on_B->p, v);
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    act(f, force_vector(f, at), at->B, on_B);
}

static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)vB, (void)on_A;
    act(f, turned_vector(f, at, xB), at->B, on_B);
    if (f->type == &lmb_torque_applied)
        act(f, force_vector(f, at), xB, on_B);
}

static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    (void)on_A;
    act(f, vector_by_input(f, at, i), at->B, on_B);
}

static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    lmb_frame on_A = frame_zero(), on_B = frame_zero();
    (void)dissipated;
    evaluate(f, at, &on_A, &on_B);
    *supplied += frame_dot(&on_B, at->dB);
}

static bool channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    bool torque = f->type == &lmb_torque_applied;
    *out = (lmb_force_channel){f->type->name,
                               torque ? "N m" : "N",
                               "What acts on the body, global axes.",
                               torque ? LMB_TURN : LMB_VECTOR,
                               true,
                               force_vector};
    return k == 0;
}

static double potential(const lmb_force *f, const lmb_force_at *at)
{
    return follows(f) || f->input_count ? NAN : -v3_dot(force_vector(f, at), at->B->p);
}

static bool turns_in_space(const lmb_force *f)
{
    return lmb_expr_size(f->law) == 3;
}

static lmb_status build(lmb_force_build *b, void *read)
{
    const keys *k = read;
    lmb_end ends[2];
    bool torque = b->force->type == &lmb_torque_applied;
    if (b->names->target(b, k->at, ends) ||
        (torque && b->names->can_turn(b, &ends[1], k->at->place, "acts on")))
        return LMB_BAD_INPUT;
    b->force->pair = lmb_rows_ends(b->rows, ends);
    return lmb_read_vector_law(b->reader, k->vector, b->force->type->name,
                               torque && b->dimension == 2 ? 1 : b->dimension, NULL,
                               &b->force->law);
}

#define AT(member) LMB_AT(keys, member)
#define AXES_FIELD                                                                                 \
    {                                                                                              \
        "axes", AT(follows), LMB_FIELD_CHOICE, NULL,                                               \
            "Whether the vector keeps its direction or turns with the body.",                      \
            .choices = "global body", .otherwise_doc = "global"                                    \
    }

static const lmb_field force_fields[] = {
    {"at", AT(at), LMB_FIELD_END, NULL, "The body or point that it acts on.", .required = true},
    {"force", AT(vector), LMB_FIELD_TREE, "N",
     "The force, a vector of expressions of t and channels.", .required = true,
     .choices = "vector"},
    AXES_FIELD,
    {0},
};

#define OPERATIONS                                                                                 \
    .size = sizeof(keys), .kept = sizeof(int), .build = build, .evaluate = evaluate,               \
    .tangent = tangent, .by_input = by_input, .channel = channel, .power = power,                  \
    .input = LMB_ALWAYS_INPUT, .is_load = true

const lmb_force_type lmb_force_applied = {
    .name = "force",
    .doc = "A force on a point of a body.",
    .fields = force_fields,
    OPERATIONS,
    .potential = potential,
    .is_circulatory = follows,
};

static const lmb_field torque_fields[] = {
    {"at", AT(at), LMB_FIELD_END, NULL, "The body that it acts on.", .required = true},
    {"torque", AT(vector), LMB_FIELD_TREE, "N m",
     "The torque, an expression of t and channels: a number in the plane, a vector in space.",
     .required = true, .choices = "vector"},
    AXES_FIELD,
    {0},
};

const lmb_force_type lmb_torque_applied = {
    .name = "torque",
    .doc = "A torque on a body.",
    .fields = torque_fields,
    OPERATIONS,
    .is_circulatory = turns_in_space,
};
