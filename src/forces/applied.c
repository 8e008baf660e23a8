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

static bool is_torque(const lmb_force *f)
{
    return f->type == &lmb_torque_applied;
}

/* The vector of the numbers of the law, a single one about z, in global axes. */
static vec3 vector_of(const lmb_force *f, const lmb_force_at *at, double x, double y, double z)
{
    int size = lmb_expr_size(f->law);
    vec3 v = size == 1 ? v3(0, 0, x) : v3(x, y, size == 3 ? z : 0);
    mat3 R = frame_rotation(at->B);
    return follows(f) ? m3_mul(&R, v) : v;
}

static vec3 vector_now(const lmb_force *f, const lmb_force_at *at)
{
    lmb_jet x[3] = {{0}};
    lmb_expr_play_frozen(f->law, at->t, at->records, at->variables, x);
    return vector_of(f, at, x[0].f + at->added.x, x[1].f + at->added.y, x[2].f + at->added.z);
}

/* Adds a force on the origin, or a moment through forces on the axes. */
static void add_vector(const lmb_force *f, vec3 vector, const lmb_frame *axes, lmb_frame *on_B)
{
    if (is_torque(f))
        frame_add_moment(on_B, 1, vector, axes);
    else
        on_B->p = v3_add(on_B->p, vector);
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    add_vector(f, vector_now(f, at), at->B, on_B);
}

/* The vector turns with the axes if it follows them, and a moment acts on the axes. */
static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)vB, (void)on_A;
    vec3 vector = vector_now(f, at), turned = v3(0, 0, 0);
    if (follows(f)) {
        mat3 R = frame_rotation(at->B), dR = frame_rotation(xB);
        turned = m3_mul(&dR, m3_tmul(&R, vector));
    }
    add_vector(f, turned, at->B, on_B);
    if (is_torque(f))
        frame_add_moment(on_B, 1, vector, xB);
}

static void by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B)
{
    (void)on_A;
    lmb_jet x[3] = {{0}}, *input = &at->variables[LMB_EFFORT_VARIABLES + i];
    input->d = 1;
    lmb_expr_play_frozen(f->law, at->t, at->records, at->variables, x);
    input->d = 0;
    add_vector(f, vector_of(f, at, x[0].d, x[1].d, x[2].d), at->B, on_B);
}

static bool channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    bool torque = is_torque(f);
    *out = (lmb_force_channel){f->type->name,
                               torque ? "N m" : "N",
                               "What acts on the body, global axes.",
                               torque ? LMB_TURN : LMB_VECTOR,
                               true,
                               vector_now};
    return k == 0;
}

static double potential(const lmb_force *f, const lmb_force_at *at)
{
    return follows(f) || f->input_count ? NAN : -v3_dot(vector_now(f, at), at->B->p);
}

static bool turns_in_space(const lmb_force *f)
{
    return lmb_expr_size(f->law) == 3;
}

static lmb_status build(lmb_force_build *b, void *read)
{
    const keys *k = read;
    lmb_end ends[2];
    bool torque = is_torque(b->force);
    if (b->names->target(b, k->at, ends) ||
        (torque && b->names->can_turn(b, &ends[1], k->at->place, "acts on")))
        return LMB_BAD_INPUT;
    b->force->pair = lmb_rows_ends(b->rows, ends);
    return lmb_read_vector_law(b->reader, k->vector, b->force->type->name,
                               torque && b->dimension == 2 ? 1 : b->dimension, &b->force->law);
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

const lmb_force_type lmb_force_applied = {
    .name = "force",
    .doc = "A force on a point of a body.",
    .fields = force_fields,
    .size = sizeof(keys),
    .kept = sizeof(int),
    .build = build,
    .evaluate = evaluate,
    .tangent = tangent,
    .by_input = by_input,
    .channel = channel,
    .potential = potential,
    .is_circulatory = follows,
    .input = LMB_ALWAYS_INPUT,
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
    .size = sizeof(keys),
    .kept = sizeof(int),
    .build = build,
    .evaluate = evaluate,
    .tangent = tangent,
    .by_input = by_input,
    .channel = channel,
    .is_circulatory = turns_in_space,
    .input = LMB_ALWAYS_INPUT,
};
