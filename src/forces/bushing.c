/* A bushing: stiffness and damping of all six directions between two frames.
 *
 *   u  = (x, theta)      x = R_A^T d - x0,  theta = log(R_A^T R_B): both in the axes of A
 *   U  = -K u - C udot + U0                 force and moment dual to u
 *
 * B's frame is turned so that theta = 0 at rest. With w = R_A^T (omega_B - omega_A) the rate of
 * theta is G w, G(theta) = 1 - skew(theta)/2 + c skew(theta)^2 with
 * c = (1 - (a/2) cot(a/2)) / a^2, a = |theta|. By virtual work a force f = (U1, U2, U3) in A's axes
 * gives R_A f on r, the opposite on p and f_i d on each e_i; mu = (U4, U5, U6) gives the moment
 * R_A G^T mu on B and the opposite on A. So with a symmetric K the forces are those of the energy
 * u^T K u / 2 - U0^T u, however large the rotation; what an unsymmetric part does is supplied. */
#include "forces/force.h"

/* The deformation with its rate, and what they are made of. */
typedef struct shape {
    mat3 R;               /* axes of A */
    vec3 d, ddot;         /* from A to B */
    vec3 theta, w;        /* rotation vector; angular velocity of B against A, axes of A */
    mat3 G;               /* thetadot = G w */
    double u[6], udot[6]; /* deformation */
    double effort[6];     /* U */
} shape;

/* c and its derivative by s = a^2; the series is good to rounding below 0.25. */
static double curvature(double s, double *slope)
{
    static const double series[] = {1.0 / 12,          1.0 / 720,
                                    1.0 / 30240,       1.0 / 1209600,
                                    1.0 / 47900160,    691.0 / 1307674368000,
                                    1.0 / 74724249600, 3617.0 / 10670622842880000};
    double c = 0;
    *slope = 0;
    if (s < 0.25) {
        for (int k = 7; k >= 0; k--) {
            *slope = *slope * s + c;
            c = c * s + series[k];
        }
        return c;
    }
    double a = sqrt(s), cot = 1 / tan(a / 2), g = a / 2 * cot;
    c = (1 - g) / s;
    *slope = (-(cot / 2 - a / 4 * (1 + cot * cot)) / (2 * a) - c) / s;
    return c;
}

/* G(theta), and its change when theta changes. */
static mat3 rate_matrix(vec3 theta)
{
    double slope, c = curvature(v3_dot(theta, theta), &slope);
    mat3 S = m3_skew(theta), S2 = m3_mul3(&S, &S), G = m3_identity();
    mat3 first = m3_scale(-0.5, &S), second = m3_scale(c, &S2);
    G = m3_add(&G, &first);
    return m3_add(&G, &second);
}

static mat3 rate_matrix_change(vec3 theta, vec3 change)
{
    double slope, c = curvature(v3_dot(theta, theta), &slope);
    mat3 S = m3_skew(theta), D = m3_skew(change);
    mat3 S2 = m3_mul3(&S, &S), SD = m3_mul3(&S, &D), DS = m3_mul3(&D, &S);
    mat3 sum = m3_add(&SD, &DS);
    mat3 first = m3_scale(-0.5, &D), second = m3_scale(c, &sum);
    mat3 third = m3_scale(2 * slope * v3_dot(theta, change), &S2);
    sum = m3_add(&first, &second);
    return m3_add(&sum, &third);
}

/* The turning (sum e_i x e_i') / 2 of a frame whose axes change by x. */
static vec3 turning(const lmb_frame *frame, const lmb_frame *x)
{
    return v3_scale(0.5, frame_moment(frame, x));
}

static void put(double *u, vec3 first, vec3 second)
{
    u[0] = first.x, u[1] = first.y, u[2] = first.z;
    u[3] = second.x, u[4] = second.y, u[5] = second.z;
}

/* x^T M y of a full matrix, and y = M x. */
static double form(const double M[6][6], const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            sum += x[i] * M[i][j] * y[j];
    return sum;
}

/* -K u - C udot */
static void resist(const lmb_bushing *b, const double *u, const double *udot, double *out)
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int j = 0; j < 6; j++)
            out[i] -= b->stiffness[i][j] * u[j] + b->damping[i][j] * udot[j];
    }
}

static shape shape_of(const lmb_force *f, const lmb_force_at *at)
{
    shape s = {.R = frame_rotation(at->A)};
    mat3 B = frame_rotation(at->B), dR = frame_rotation(at->dA), C = m3_tmul3(&s.R, &B);
    s.d = v3_sub(at->B->p, at->A->p);
    s.ddot = v3_sub(at->dB->p, at->dA->p);
    s.theta = quat_log(quat_from_matrix(&C));
    s.G = rate_matrix(s.theta);
    s.w = m3_tmul(&s.R, v3_sub(turning(at->B, at->dB), turning(at->A, at->dA)));
    put(s.u, v3_sub(m3_tmul(&s.R, s.d), f->bushing->rest), s.theta);
    put(s.udot, v3_add(m3_tmul(&s.R, s.ddot), m3_tmul(&dR, s.d)), m3_mul(&s.G, s.w));
    resist(f->bushing, s.u, s.udot, s.effort);
    for (int i = 0; i < 6; i++)
        s.effort[i] += f->bushing->preload[i];
    return s;
}

void lmb_force_deformation(const lmb_force *f, const lmb_force_at *at, double u[6])
{
    shape s = shape_of(f, at);
    for (int i = 0; i < 6; i++)
        u[i] = s.u[i];
}

static void add_moment(lmb_frame *on, double factor, vec3 moment, const lmb_frame *axes)
{
    for (int i = 0; i < 3; i++)
        on->e[i] = v3_axpy(on->e[i], factor / 2, v3_cross(moment, axes->e[i]));
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    shape s = shape_of(f, at);
    vec3 force = m3_mul(&s.R, v3(s.effort[0], s.effort[1], s.effort[2]));
    vec3 moment = m3_mul(&s.R, m3_tmul(&s.G, v3(s.effort[3], s.effort[4], s.effort[5])));
    on_B->p = v3_add(on_B->p, force);
    on_A->p = v3_sub(on_A->p, force);
    for (int i = 0; i < 3; i++)
        on_A->e[i] = v3_axpy(on_A->e[i], s.effort[i], s.d);
    add_moment(on_B, 1, moment, at->B);
    add_moment(on_A, -1, moment, at->A);
}

/* The change of the angular velocity of a frame when its axes change by x and their rates by v. */
static vec3 spin_change(const lmb_frame *frame, const lmb_frame *rate, const lmb_frame *x,
                        const lmb_frame *v)
{
    return v3_add(turning(x, rate), turning(frame, v));
}

static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    shape s = shape_of(f, at);
    mat3 X = frame_rotation(xA), V = frame_rotation(vA), Rdot = frame_rotation(at->dA);
    vec3 xd = v3_sub(xB->p, xA->p), vd = v3_sub(vB->p, vA->p);

    /* changes of the deformation and its rate */
    vec3 turn = m3_tmul(&s.R, v3_sub(turning(at->B, xB), turning(at->A, xA)));
    vec3 theta = m3_mul(&s.G, turn);
    mat3 G = rate_matrix_change(s.theta, theta);
    vec3 spin = v3_sub(turning(at->B, at->dB), turning(at->A, at->dA));
    vec3 spun = v3_sub(spin_change(at->B, at->dB, xB, vB), spin_change(at->A, at->dA, xA, vA));
    vec3 w = v3_add(m3_tmul(&X, spin), m3_tmul(&s.R, spun));
    vec3 rate = v3_add(v3_add(m3_tmul(&X, s.ddot), m3_tmul(&s.R, vd)),
                       v3_add(m3_tmul(&V, s.d), m3_tmul(&Rdot, xd)));
    double u[6], udot[6], effort[6];
    put(u, v3_add(m3_tmul(&X, s.d), m3_tmul(&s.R, xd)), theta);
    put(udot, rate, v3_add(m3_mul(&G, s.w), m3_mul(&s.G, w)));
    resist(f->bushing, u, udot, effort);

    /* and of the forces */
    vec3 f0 = v3(s.effort[0], s.effort[1], s.effort[2]), f1 = v3(effort[0], effort[1], effort[2]);
    vec3 m0 = v3(s.effort[3], s.effort[4], s.effort[5]), m1 = v3(effort[3], effort[4], effort[5]);
    vec3 force = v3_add(m3_mul(&X, f0), m3_mul(&s.R, f1));
    vec3 local = m3_tmul(&s.G, m0), change = v3_add(m3_tmul(&G, m0), m3_tmul(&s.G, m1));
    vec3 moment = v3_add(m3_mul(&X, local), m3_mul(&s.R, change)), now = m3_mul(&s.R, local);
    on_B->p = v3_add(on_B->p, force);
    on_A->p = v3_sub(on_A->p, force);
    for (int i = 0; i < 3; i++)
        on_A->e[i] = v3_axpy(v3_axpy(on_A->e[i], effort[i], s.d), s.effort[i], xd);
    add_moment(on_B, 1, moment, at->B);
    add_moment(on_B, 1, now, xB);
    add_moment(on_A, -1, moment, at->A);
    add_moment(on_A, -1, now, xA);
}

static double energy(const lmb_force *f, const lmb_force_at *at)
{
    shape s = shape_of(f, at);
    double stored = form(f->bushing->stiffness, s.u, s.u) / 2;
    for (int i = 0; i < 6; i++)
        stored -= f->bushing->preload[i] * s.u[i];
    return stored;
}

/* The symmetric part of K stores energy; the rest of -udot^T K u comes from outside. */
static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    shape s = shape_of(f, at);
    const lmb_bushing *b = f->bushing;
    *supplied += (form(b->stiffness, s.u, s.udot) - form(b->stiffness, s.udot, s.u)) / 2;
    *dissipated += form(b->damping, s.udot, s.udot);
}

#define SIX "six numbers (in the plane three: x, y, angle)"

static const lmb_field fields[] = {
    [LMB_BUSHING_BETWEEN] = {.name = "between",
                             .type = LMB_FIELD_ENDS,
                             .required = true,
                             .doc = "The two points that it connects; its axes are those of the "
                                    "first."},
    [LMB_BUSHING_STIFFNESS] = {.name = "stiffness",
                               .type = LMB_FIELD_TREE,
                               .choices = "numbers",
                               .unit = "N/m, N m/rad",
                               .doc = "Stiffness along x, y, z and about x, y, z: " SIX
                                      " for these directions alone, or a full matrix of rows.",
                               .otherwise_doc = "0"},
    [LMB_BUSHING_DAMPING] = {.name = "damping",
                             .type = LMB_FIELD_TREE,
                             .choices = "numbers",
                             .unit = "N s/m, N m s/rad",
                             .doc = "Damping, in the same form.",
                             .otherwise_doc = "0"},
    [LMB_BUSHING_PRELOAD] = {.name = "preload",
                             .type = LMB_FIELD_NUMBERS,
                             .unit = "N, N m",
                             .doc = "Force and moment on the second body at rest: " SIX ".",
                             .otherwise_doc = "0"},
    [LMB_BUSHING_REST] = {.name = "rest",
                          .type = LMB_FIELD_NUMBERS,
                          .unit = "m, rad",
                          .doc = "Where the second point is without deformation, in the axes of "
                                 "the first: offset and rotation vector, " SIX ".",
                          .otherwise_doc = "where the model places the bodies"},
    {0},
};

const lmb_force_type lmb_force_bushing = {
    .name = "bushing",
    .doc = "Stiffness and damping in all directions between two points: a rubber mount, a bearing.",
    .fields = fields,
    .evaluate = evaluate,
    .tangent = tangent,
    .energy = energy,
    .power = power,
};
