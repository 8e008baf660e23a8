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

/* Its data: full matrices over (x, y, z, rotation about x, y, z), and the offset and load at rest;
 * and what it is read into. */
typedef struct bushing {
    double stiffness[6][6], damping[6][6], preload[6];
    vec3 rest;
} bushing;

typedef struct keys {
    bushing data;
    const lmb_tree *between, *stiffness, *damping;
    lmb_value preload, rest;
} keys;

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
static void resist(const bushing *b, const double *u, const double *udot, double *out)
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int j = 0; j < 6; j++)
            out[i] -= b->stiffness[i][j] * u[j] + b->damping[i][j] * udot[j];
    }
}

/* The rotation nearest to a matrix that is nearly one: axes of bodies in natural coordinates are
 * orthonormal only where their rows hold. With C = Q (1 + e) this is Q up to e^2. */
static mat3 nearest_rotation(const mat3 *C)
{
    mat3 CC = m3_tmul3(C, C), I = m3_identity(), more = m3_scale(-0.5, &CC),
         less = m3_scale(1.5, &I);
    more = m3_add(&less, &more);
    return m3_mul3(C, &more);
}

static shape shape_of(const lmb_force *f, const lmb_force_at *at)
{
    const bushing *b = f->data;
    shape s = {.R = frame_rotation(at->A)};
    mat3 B = frame_rotation(at->B), dR = frame_rotation(at->dA), C = m3_tmul3(&s.R, &B);
    s.d = v3_sub(at->B->p, at->A->p);
    s.ddot = v3_sub(at->dB->p, at->dA->p);
    C = nearest_rotation(&C);
    s.theta = quat_log(quat_from_matrix(&C));
    s.G = rate_matrix(s.theta);
    s.w = m3_tmul(&s.R, v3_sub(frame_angular(at->B, at->dB), frame_angular(at->A, at->dA)));
    put(s.u, v3_sub(m3_tmul(&s.R, s.d), b->rest), s.theta);
    put(s.udot, v3_add(m3_tmul(&s.R, s.ddot), m3_tmul(&dR, s.d)), m3_mul(&s.G, s.w));
    resist(b, s.u, s.udot, s.effort);
    for (int i = 0; i < 6; i++)
        s.effort[i] += b->preload[i];
    return s;
}

static void evaluate(const lmb_force *f, const lmb_force_at *at, lmb_frame *on_A, lmb_frame *on_B)
{
    shape s = shape_of(f, at);
    vec3 force = m3_mul(&s.R, v3_of(s.effort));
    vec3 moment = m3_mul(&s.R, m3_tmul(&s.G, v3_of(s.effort + 3)));
    on_B->p = v3_add(on_B->p, force);
    on_A->p = v3_sub(on_A->p, force);
    for (int i = 0; i < 3; i++)
        on_A->e[i] = v3_axpy(on_A->e[i], s.effort[i], s.d);
    frame_add_moment(on_B, 1, moment, at->B);
    frame_add_moment(on_A, -1, moment, at->A);
}

/* The change of the angular velocity of a frame when its axes change by x and their rates by v. */
static vec3 spin_change(const lmb_frame *frame, const lmb_frame *rate, const lmb_frame *x,
                        const lmb_frame *v)
{
    return v3_add(frame_angular(x, rate), frame_angular(frame, v));
}

static void tangent(const lmb_force *f, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B)
{
    shape s = shape_of(f, at);
    mat3 X = frame_rotation(xA), V = frame_rotation(vA), Rdot = frame_rotation(at->dA);
    vec3 xd = v3_sub(xB->p, xA->p), vd = v3_sub(vB->p, vA->p);

    /* changes of the deformation and its rate */
    vec3 turn = m3_tmul(&s.R, v3_sub(frame_angular(at->B, xB), frame_angular(at->A, xA)));
    vec3 theta = m3_mul(&s.G, turn);
    mat3 G = rate_matrix_change(s.theta, theta);
    vec3 spin = v3_sub(frame_angular(at->B, at->dB), frame_angular(at->A, at->dA));
    vec3 spun = v3_sub(spin_change(at->B, at->dB, xB, vB), spin_change(at->A, at->dA, xA, vA));
    vec3 w = v3_add(m3_tmul(&X, spin), m3_tmul(&s.R, spun));
    vec3 rate = v3_add(v3_add(m3_tmul(&X, s.ddot), m3_tmul(&s.R, vd)),
                       v3_add(m3_tmul(&V, s.d), m3_tmul(&Rdot, xd)));
    double u[6], udot[6], effort[6];
    put(u, v3_add(m3_tmul(&X, s.d), m3_tmul(&s.R, xd)), theta);
    put(udot, rate, v3_add(m3_mul(&G, s.w), m3_mul(&s.G, w)));
    resist(f->data, u, udot, effort);

    /* and of the forces */
    vec3 f0 = v3_of(s.effort), f1 = v3_of(effort), m0 = v3_of(s.effort + 3), m1 = v3_of(effort + 3);
    vec3 force = v3_add(m3_mul(&X, f0), m3_mul(&s.R, f1));
    vec3 local = m3_tmul(&s.G, m0), change = v3_add(m3_tmul(&G, m0), m3_tmul(&s.G, m1));
    vec3 moment = v3_add(m3_mul(&X, local), m3_mul(&s.R, change)), now = m3_mul(&s.R, local);
    on_B->p = v3_add(on_B->p, force);
    on_A->p = v3_sub(on_A->p, force);
    for (int i = 0; i < 3; i++)
        on_A->e[i] = v3_axpy(v3_axpy(on_A->e[i], effort[i], s.d), s.effort[i], xd);
    frame_add_moment(on_B, 1, moment, at->B);
    frame_add_moment(on_B, 1, now, xB);
    frame_add_moment(on_A, -1, moment, at->A);
    frame_add_moment(on_A, -1, now, xA);
}

static double energy(const lmb_force *f, const lmb_force_at *at)
{
    const bushing *b = f->data;
    shape s = shape_of(f, at);
    double stored = form(b->stiffness, s.u, s.u) / 2;
    for (int i = 0; i < 6; i++)
        stored -= b->preload[i] * s.u[i];
    return stored;
}

/* The symmetric part of K stores energy; the rest of -udot^T K u comes from outside. */
static void power(const lmb_force *f, const lmb_force_at *at, double *supplied, double *dissipated)
{
    shape s = shape_of(f, at);
    const bushing *b = f->data;
    *supplied += (form(b->stiffness, s.u, s.udot) - form(b->stiffness, s.udot, s.u)) / 2;
    *dissipated += form(b->damping, s.udot, s.udot);
}

/* --- what it reports -------------------------------------------------------------------------- */

static vec3 get_offset(const lmb_force *f, const lmb_force_at *at)
{
    shape s = shape_of(f, at);
    return v3_of(s.u);
}

static vec3 get_rotation(const lmb_force *f, const lmb_force_at *at)
{
    return shape_of(f, at).theta;
}

static vec3 get_force(const lmb_force *f, const lmb_force_at *at)
{
    return lmb_force_on_B(f, at).p;
}

static vec3 get_torque(const lmb_force *f, const lmb_force_at *at)
{
    lmb_frame on_B = lmb_force_on_B(f, at);
    return frame_moment(at->B, &on_B);
}

static bool channel(const lmb_force *f, int k, lmb_force_channel *out)
{
    static const lmb_force_channel channels[] = {
        {"offset", "m", "Displacement of the second point, axes of the first.", LMB_VECTOR, false,
         get_offset},
        {"rotation", "rad", "Rotation vector of the second point, the same axes.", LMB_TURN, false,
         get_rotation},
        {"force", "N", "Force on the second body, global axes.", LMB_VECTOR, true, get_force},
        {"torque", "N m", "Torque on the second body at its point, global axes.", LMB_TURN, true,
         get_torque}};
    (void)f;
    if (k < 4)
        *out = channels[k];
    return k < 4;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Six numbers; a list of three in the plane stands for x, y and the turn about z. */
static lmb_status spread(lmb_force_build *b, const lmb_value *v, const char *name, double out[6])
{
    int size = b->dimension == 2 ? 3 : 6;
    if (v->given && v->size != size)
        return lmb_fail_at(b->context, v->place, "'%s' must have %d numbers, not %d", name, size,
                           v->size);
    for (int i = 0; v->given && i < size; i++)
        out[size == 3 && i == 2 ? 5 : i] = v->numbers[i];
    return LMB_OK;
}

/* A matrix of a bushing: its diagonal, or all of it. */
static lmb_status read_matrix(lmb_force_build *b, const lmb_tree *node, const char *name,
                              double out[6][6])
{
    double x[36];
    int size = b->dimension == 2 ? 3 : 6, found;
    if (!node)
        return LMB_OK;
    if (lmb_read_numbers(b->reader, node, name, 36, x, &found))
        return LMB_BAD_INPUT;
    if (found != size && found != size * size) {
        lmb_fail_at(b->context, node->place, "'%s' must have %d numbers, or %d rows of %d", name,
                    size, size, size);
        return lmb_hint(b->context, size == 3
                                        ? "the directions are x, y and the angle"
                                        : "the directions are x, y, z and the turns about them");
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double value = found == size ? (i == j ? x[i] : 0) : x[i * size + j];
            out[size == 3 && i == 2 ? 5 : i][size == 3 && j == 2 ? 5 : j] = value;
            if (i == j && value < 0)
                return lmb_fail_at(b->context, node->place,
                                   "'%s' must be zero or positive, but is %g", name, value);
        }
    return LMB_OK;
}

/* Turns the second end so that its axes are those of the first one at rest. */
static void rest_of(const double *rest, const lmb_frame placed[2], lmb_end ends[2], bushing *b)
{
    const lmb_frame *A = &placed[0], *B = &placed[1];
    mat3 RA = frame_rotation(A), RB = frame_rotation(B), turn = m3_tmul3(&RB, &RA);
    b->rest = m3_tmul(&RA, v3_sub(B->p, A->p));
    if (rest) {
        turn = quat_matrix(quat_exp(v3(-rest[3], -rest[4], -rest[5])));
        b->rest = v3_of(rest);
    }
    mat3 own = frame_rotation(&ends[1].local), R = m3_mul3(&own, &turn);
    ends[1].local = frame_with_axes(ends[1].local.p, &R);
}

static lmb_status build(lmb_force_build *b, void *read)
{
    keys *k = read;
    bushing *d = &k->data;
    lmb_end ends[2];
    lmb_frame placed[2];
    double rest[6] = {0};
    if (b->names->ends(b, k->between, ends, placed) ||
        read_matrix(b, k->stiffness, "stiffness", d->stiffness) ||
        read_matrix(b, k->damping, "damping", d->damping) ||
        spread(b, &k->preload, "preload", d->preload) || spread(b, &k->rest, "rest", rest))
        return LMB_BAD_INPUT;
    for (int i = 0; i < 2; i++)
        if (b->names->can_turn(b, &ends[i], k->between->place, "holds"))
            return LMB_BAD_INPUT;
    rest_of(k->rest.given ? rest : NULL, placed, ends, d);
    b->force->pair = lmb_rows_ends(b->rows, ends);
    return LMB_OK;
}

#define AT(member) LMB_AT(keys, member)
#define SIX "six numbers (in the plane three: x, y, angle)"

static const lmb_field fields[] = {
    {"between", AT(between), LMB_FIELD_ENDS, NULL,
     "The two points that it connects; its axes are those of the first.", .required = true},
    {"stiffness", AT(stiffness), LMB_FIELD_TREE, "N/m, N m/rad",
     "Stiffness along x, y, z and about x, y, z: " SIX
     " for these directions alone, or a full matrix of rows.",
     .choices = "numbers", .otherwise_doc = "0"},
    {"damping", AT(damping), LMB_FIELD_TREE, "N s/m, N m s/rad", "Damping, in the same form.",
     .choices = "numbers", .otherwise_doc = "0"},
    {"preload", AT(preload), LMB_FIELD_NUMBERS, "N, N m",
     "Force and moment on the second body at rest: " SIX ".", .otherwise_doc = "0"},
    {"rest", AT(rest), LMB_FIELD_NUMBERS, "m, rad",
     "Where the second point is without deformation, in the axes of "
     "the first: offset and rotation vector, " SIX ".",
     .otherwise_doc = "where the model places the bodies"},
    {0},
};

const lmb_force_type lmb_force_bushing = {
    .name = "bushing",
    .doc = "Stiffness and damping in all directions between two points: a rubber mount, a bearing.",
    .sign = "spring",
    .fields = fields,
    .size = sizeof(keys),
    .kept = sizeof(bushing),
    .build = build,
    .evaluate = evaluate,
    .tangent = tangent,
    .channel = channel,
    .power = power,
    .energy = energy,
};
