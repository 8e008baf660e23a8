/* Forces and torques from outside on a point of a body, given in global axes or turning with it.
 *
 *   force:   on the origin of B's frame
 *   torque:  a moment m is the force f_i = (m x e_i) / 2 on each axis, since sum e_i x f_i = m
 *
 * A is the ground. */
#include "forces/force.h"

/* The vector of the numbers of the law: a single one is about z. */
static vec3 vector_of(const lmb_force *f, double x, double y, double z)
{
    int size = lmb_expr_size(f->law);
    return size == 1 ? v3(0, 0, x) : v3(x, y, size == 3 ? z : 0);
}

static vec3 in_global_axes(const lmb_force *f, const lmb_force_at *at, vec3 v)
{
    mat3 R = frame_rotation(at->B);
    return f->follows ? m3_mul(&R, v) : v;
}

vec3 lmb_force_vector(const lmb_force *f, const lmb_force_at *at)
{
    lmb_jet x[3] = {{0}};
    lmb_expr_play_frozen(f->law, at->t, at->records, at->variables, x);
    return in_global_axes(f, at, v3_add(vector_of(f, x[0].f, x[1].f, x[2].f), at->added));
}

/* The change of the vector with one of the channels that the law uses. */
static vec3 vector_by_input(const lmb_force *f, const lmb_force_at *at, int i)
{
    lmb_jet x[3] = {{0}}, *input = &at->variables[LMB_EFFORT_VARIABLES + i];
    input->d = 1;
    lmb_expr_play_frozen(f->law, at->t, at->records, at->variables, x);
    input->d = 0;
    return in_global_axes(f, at, vector_of(f, x[0].d, x[1].d, x[2].d));
}

/* The change of the vector when the frame's axes change by xB. */
static vec3 turned_vector(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xB)
{
    if (!f->follows)
        return v3(0, 0, 0);
    mat3 R = frame_rotation(at->B), dR = frame_rotation(xB);
    vec3 local = m3_tmul(&R, lmb_force_vector(f, at));
    return m3_mul(&dR, local);
}

static void push(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    on_B->p = v3_add(on_B->p, lmb_force_vector(f, at));
}

static void push_tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                         const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                         lmb_frame *on_A, lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)vB, (void)on_A;
    on_B->p = v3_add(on_B->p, turned_vector(f, at, xB));
}

static void add_moment(lmb_frame *on_B, vec3 moment, const lmb_frame *axes)
{
    for (int i = 0; i < 3; i++)
        on_B->e[i] = v3_axpy(on_B->e[i], 0.5, v3_cross(moment, axes->e[i]));
}

static void twist(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    add_moment(on_B, lmb_force_vector(f, at), at->B);
}

static void twist_tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                          const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                          lmb_frame *on_A, lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)vB, (void)on_A;
    add_moment(on_B, turned_vector(f, at, xB), at->B);
    add_moment(on_B, lmb_force_vector(f, at), xB);
}

static void push_by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                          lmb_frame *on_B)
{
    (void)on_A;
    on_B->p = v3_add(on_B->p, vector_by_input(f, at, i));
}

static void twist_by_input(const lmb_force *f, const lmb_force_at *at, int i, lmb_frame *on_A,
                           lmb_frame *on_B)
{
    (void)on_A;
    add_moment(on_B, vector_by_input(f, at, i), at->B);
}

static void push_power(const lmb_force *f, const lmb_force_at *at, double *supplied,
                       double *dissipated)
{
    (void)dissipated;
    *supplied += v3_dot(lmb_force_vector(f, at), at->dB->p);
}

static void twist_power(const lmb_force *f, const lmb_force_at *at, double *supplied,
                        double *dissipated)
{
    lmb_frame on_A = frame_zero(), on_B = frame_zero();
    (void)dissipated;
    twist(f, at, &on_A, &on_B);
    *supplied += frame_dot(&on_B, at->dB);
}

#define AXES_FIELD                                                                                 \
    {                                                                                              \
        .name = "axes", .type = LMB_FIELD_CHOICE, .choices = "global body",                        \
        .doc = "Whether the vector keeps its direction or turns with the body.",                   \
        .otherwise_doc = "global"                                                                  \
    }

static const lmb_field push_fields[] = {
    [LMB_PUSH_AT] = {.name = "at",
                     .type = LMB_FIELD_END,
                     .required = true,
                     .doc = "The body or point that it acts on."},
    [LMB_PUSH_VECTOR] = {.name = "force",
                         .type = LMB_FIELD_TREE,
                         .choices = "vector",
                         .unit = "N",
                         .required = true,
                         .doc = "The force, a vector of expressions of t and channels."},
    [LMB_PUSH_AXES] = AXES_FIELD,
    {0},
};

const lmb_force_type lmb_force_push = {
    .name = "force",
    .doc = "A force on a point of a body.",
    .fields = push_fields,
    .evaluate = push,
    .tangent = push_tangent,
    .by_input = push_by_input,
    .power = push_power,
};

static const lmb_field twist_fields[] = {
    [LMB_PUSH_AT] = {.name = "at",
                     .type = LMB_FIELD_END,
                     .required = true,
                     .doc = "The body that it acts on."},
    [LMB_PUSH_VECTOR] = {.name = "torque",
                         .type = LMB_FIELD_TREE,
                         .choices = "vector",
                         .unit = "N m",
                         .required = true,
                         .doc =
                             "The torque, an expression of t and channels: a number in the plane, "
                             "a vector in space."},
    [LMB_PUSH_AXES] = AXES_FIELD,
    {0},
};

const lmb_force_type lmb_force_twist = {
    .name = "torque",
    .doc = "A torque on a body.",
    .fields = twist_fields,
    .evaluate = twist,
    .tangent = twist_tangent,
    .by_input = twist_by_input,
    .power = twist_power,
};
