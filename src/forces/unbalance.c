/* The unbalance of a rotor: the centrifugal force of a mass m at an eccentricity e.
 *
 *   F = U omega^2 f1     U = m e,   omega = f3 . (sum f_i x f_idot) / 2
 *
 * on the origin of B's frame, which stands on the axis of rotation: f3 lies along the axis and f1
 * points to the mass. omega is the body's present angular velocity about the axis. The tangential
 * force U domega/dt is left out (it depends on accelerations), and the mass is not part of the
 * body. A is the ground. */
#include "forces/force.h"

/* The angular velocity about f3. */
static double speed_of(const lmb_frame *B, const lmb_frame *dB)
{
    return v3_dot(B->e[2], frame_moment(B, dB)) / 2;
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    (void)on_A;
    double omega = speed_of(at->B, at->dB);
    on_B->p = v3_axpy(on_B->p, f->unbalance * omega * omega, at->B->e[0]);
}

static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    (void)xA, (void)vA, (void)on_A;
    const lmb_frame *B = at->B, *dB = at->dB;
    double omega = speed_of(B, dB), size = f->unbalance * omega * omega;
    double change = (v3_dot(xB->e[2], frame_moment(B, dB)) +
                     v3_dot(B->e[2], v3_add(frame_moment(xB, dB), frame_moment(B, vB)))) /
                    2;
    on_B->p = v3_axpy(on_B->p, size, xB->e[0]);
    on_B->p = v3_axpy(on_B->p, 2 * f->unbalance * omega * change, B->e[0]);
}

static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    lmb_frame on_A = frame_zero(), on_B = frame_zero();
    (void)dissipated;
    evaluate(f, at, &on_A, &on_B);
    *supplied += frame_dot(&on_B, at->dB);
}

static const lmb_field fields[] = {
    [LMB_UNBALANCE_AT] = {.name = "at",
                          .type = LMB_FIELD_END,
                          .required = true,
                          .doc = "The body or point that turns; the force acts there."},
    [LMB_UNBALANCE_SIZE] = {.name = "unbalance",
                            .type = LMB_FIELD_NUMBER,
                            .unit = "kg m",
                            .required = true,
                            .range = LMB_NOT_NEGATIVE,
                            .doc = "Mass times eccentricity."},
    [LMB_UNBALANCE_ANGLE] = {.name = "angle",
                             .type = LMB_FIELD_NUMBER,
                             .unit = "rad",
                             .doc = "Where the mass is, counted about the axis from x of the end.",
                             .otherwise_doc = "0"},
    [LMB_UNBALANCE_AXIS] = {.name = "axis",
                            .type = LMB_FIELD_VECTOR,
                            .range = LMB_NOT_ZERO,
                            .dimension = 3,
                            .doc = "The axis of rotation in the axes of the end; for axes other "
                                   "than z the angle counts from (y x axis), or from (z x axis) "
                                   "if it is near y.",
                            .otherwise_doc = "z"},
    {0},
};

const lmb_force_type lmb_force_unbalance = {
    .name = "unbalance",
    .doc = "The centrifugal force of an eccentric mass on a rotor, at the rotor's present speed.",
    .fields = fields,
    .evaluate = evaluate,
    .tangent = tangent,
    .power = power,
};
