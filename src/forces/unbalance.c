/* The unbalance of a rotor: the centrifugal force of a mass m at an eccentricity e.
 *
 *   F = U omega^2 f1     U = m e,   omega = f3 . (sum f_i x f_idot) / 2
 *
 * on the origin of B's frame, which stands on the axis of rotation: f3 lies along the axis and f1
 * points to the mass. omega is the body's present angular velocity about the axis. The tangential
 * force U domega/dt is left out (it depends on accelerations), and the mass is not part of the
 * body. A is the ground. */
#include "forces/force.h"

/* Its data, and what it is read into. */
typedef struct keys {
    double unbalance; /* mass times eccentricity */
    const lmb_tree *at;
    double angle;
    lmb_value axis;
} keys;

static double size_of(const lmb_force *f)
{
    return *(const double *)f->data;
}

/* The angular velocity about f3. */
static double speed_of(const lmb_frame *B, const lmb_frame *dB)
{
    return v3_dot(B->e[2], frame_moment(B, dB)) / 2;
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    double omega = speed_of(at->B, at->dB);
    on_B->p = v3_axpy(on_B->p, size_of(f) * omega * omega, at->B->e[0]);
}

static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)on_A;
    const lmb_frame *B = at->B, *dB = at->dB;
    double omega = speed_of(B, dB), size = size_of(f) * omega * omega;
    double change = (v3_dot(xB->e[2], frame_moment(B, dB)) +
                     v3_dot(B->e[2], v3_add(frame_moment(xB, dB), frame_moment(B, vB)))) /
                    2;
    on_B->p = v3_axpy(on_B->p, size, xB->e[0]);
    on_B->p = v3_axpy(on_B->p, 2 * size_of(f) * omega * change, B->e[0]);
}

static vec3 get_force(const lmb_force *f, const lmb_force_at *at)
{
    return lmb_force_on_B(f, at).p;
}

static bool channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    (void)f;
    *out = (lmb_force_channel){"force",    "N",  "What acts on the body, global axes.",
                               LMB_VECTOR, true, get_force};
    return k == 0;
}

/* The frame of the body: its third axis along the axis of rotation, its first one turned about it
 * by the angle. */
static lmb_status build(lmb_force_build *b, void *read)
{
    keys *k = read;
    lmb_end ends[2];
    if (b->names->target(b, k->at, ends) ||
        b->names->can_turn(b, &ends[1], k->at->place, "acts on"))
        return LMB_BAD_INPUT;
    mat3 axes = m3_along(k->axis.given ? v3_of(k->axis.numbers) : v3(0, 0, 1));
    mat3 turn = quat_matrix(quat_exp(v3(0, 0, k->angle))), own = frame_rotation(&ends[1].local);
    axes = m3_mul3(&axes, &turn);
    axes = m3_mul3(&own, &axes);
    ends[1].local = frame_with_axes(ends[1].local.p, &axes);
    b->force->pair = lmb_rows_ends(b->rows, ends);
    return LMB_OK;
}

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"at", AT(at), LMB_FIELD_END, NULL, "The body or point that turns; the force acts there.",
     .required = true},
    {"unbalance", AT(unbalance), LMB_FIELD_NUMBER, "kg m", "Mass times eccentricity.",
     .required = true, .range = LMB_NOT_NEGATIVE},
    {"angle", AT(angle), LMB_FIELD_NUMBER, "rad",
     "Where the mass is, counted about the axis from x of the end.", .otherwise_doc = "0"},
    {"axis", AT(axis), LMB_FIELD_VECTOR, NULL,
     "The axis of rotation in the axes of the end; for axes other than z the angle counts from (y "
     "x axis), or from (z x axis) if it is near y.",
     .range = LMB_NOT_ZERO, .dimension = 3, .otherwise_doc = "z"},
    {0},
};

const lmb_force_type lmb_force_unbalance = {
    .name = "unbalance",
    .doc = "The centrifugal force of an eccentric mass on a rotor, at the rotor's present speed.",
    .fields = fields,
    .size = sizeof(keys),
    .kept = sizeof(double),
    .build = build,
    .evaluate = evaluate,
    .tangent = tangent,
    .channel = channel,
};
