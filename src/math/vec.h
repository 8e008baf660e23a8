/* Vectors, matrices and unit quaternions of three-dimensional space.
 *
 *   vec3   three numbers
 *   mat3   three columns; R maps body axes to global axes
 *   quat   scalar first; R(q) v = q v q*
 *
 * exp and log of rotations use series for small angles, where the closed forms lose digits. */
#ifndef LMB_MATH_VEC_H
#define LMB_MATH_VEC_H

#include <math.h>

#define LMB_PI 3.14159265358979323846

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct mat3 {
    vec3 c[3]; /* columns */
} mat3;

typedef struct quat {
    double w, x, y, z;
} quat;

static inline vec3 v3(double x, double y, double z)
{
    return (vec3){x, y, z};
}

/* The i-th unit vector; zero for another number than 0, 1, 2. */
static inline vec3 v3_axis(int i)
{
    return v3(i == 0, i == 1, i == 2);
}

/* The vector of three numbers. */
static inline vec3 v3_of(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static inline vec3 v3_add(vec3 a, vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 v3_sub(vec3 a, vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 v3_scale(double s, vec3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}

/* a + s b */
static inline vec3 v3_axpy(vec3 a, double s, vec3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double v3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_norm(vec3 a)
{
    return sqrt(v3_dot(a, a));
}

/* The diagonal of the box around points. */
static inline double v3_spread(const vec3 *x, int count)
{
    vec3 low = v3(0, 0, 0), high = low;
    for (int i = 0; i < count; i++) {
        low = i ? v3(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z)) : x[i];
        high = i ? v3(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z)) : x[i];
    }
    return v3_norm(v3_sub(high, low));
}

static inline vec3 v3_unit(vec3 a)
{
    return v3_scale(1 / v3_norm(a), a);
}

/* The i-th component, i = 0, 1, 2. */
static inline double v3_get(vec3 a, int i)
{
    return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

static inline mat3 m3_identity(void)
{
    return (mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

/* A v */
static inline vec3 m3_mul(const mat3 *A, vec3 v)
{
    return v3(A->c[0].x * v.x + A->c[1].x * v.y + A->c[2].x * v.z,
              A->c[0].y * v.x + A->c[1].y * v.y + A->c[2].y * v.z,
              A->c[0].z * v.x + A->c[1].z * v.y + A->c[2].z * v.z);
}

/* A^T v */
static inline vec3 m3_tmul(const mat3 *A, vec3 v)
{
    return v3(v3_dot(A->c[0], v), v3_dot(A->c[1], v), v3_dot(A->c[2], v));
}

/* A B */
static inline mat3 m3_mul3(const mat3 *A, const mat3 *B)
{
    return (mat3){{m3_mul(A, B->c[0]), m3_mul(A, B->c[1]), m3_mul(A, B->c[2])}};
}

/* A^T B */
static inline mat3 m3_tmul3(const mat3 *A, const mat3 *B)
{
    return (mat3){{m3_tmul(A, B->c[0]), m3_tmul(A, B->c[1]), m3_tmul(A, B->c[2])}};
}

static inline mat3 m3_add(const mat3 *A, const mat3 *B)
{
    return (mat3){{v3_add(A->c[0], B->c[0]), v3_add(A->c[1], B->c[1]), v3_add(A->c[2], B->c[2])}};
}

static inline mat3 m3_scale(double s, const mat3 *A)
{
    return (mat3){{v3_scale(s, A->c[0]), v3_scale(s, A->c[1]), v3_scale(s, A->c[2])}};
}

/* The skew matrix of a: skew(a) b = a x b. */
static inline mat3 m3_skew(vec3 a)
{
    return (mat3){{{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}}};
}

/* A rotation whose third column is along n; the first is level with x and z unless n is near y. */
static inline mat3 m3_along(vec3 n)
{
    vec3 third = v3_unit(n);
    vec3 helper = fabs(third.y) < 0.9 ? v3(0, 1, 0) : v3(0, 0, 1);
    vec3 first = v3_unit(v3_cross(helper, third));
    return (mat3){{first, v3_cross(third, first), third}};
}

static inline double m3_get(const mat3 *A, int row, int column)
{
    return v3_get(A->c[column], row);
}

static inline quat quat_identity(void)
{
    return (quat){1, 0, 0, 0};
}

/* The product a b: rotation b first, then a. */
static inline quat quat_mul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline quat quat_conjugate(quat a)
{
    return (quat){a.w, -a.x, -a.y, -a.z};
}

static inline quat quat_normalised(quat a)
{
    double s = 1 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (quat){s * a.w, s * a.x, s * a.y, s * a.z};
}

/* The rotation matrix of a unit quaternion. */
static inline mat3 quat_matrix(quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
                   {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
                   {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}}};
}

/* The unit quaternion of a rotation vector (axis times angle). */
static inline quat quat_exp(vec3 r)
{
    double angle2 = v3_dot(r, r), s, c;
    if (angle2 < 1e-4) { /* sin(a/2)/a and cos(a/2) to 1e-20 */
        s = 0.5 - angle2 / 48 * (1 - angle2 / 80 * (1 - angle2 / 168));
        c = 1 - angle2 / 8 * (1 - angle2 / 48 * (1 - angle2 / 120));
    } else {
        double angle = sqrt(angle2);
        s = sin(angle / 2) / angle;
        c = cos(angle / 2);
    }
    return (quat){c, s * r.x, s * r.y, s * r.z};
}

/* The rotation vector of a unit quaternion, angle at most pi. */
static inline vec3 quat_log(quat q)
{
    if (q.w < 0)
        q = (quat){-q.w, -q.x, -q.y, -q.z};
    vec3 u = v3(q.x, q.y, q.z);
    double s = v3_norm(u);
    /* angle / sin(angle/2); 2 (1 + s^2/6) to 1e-16 near zero */
    double k = s < 1e-4 ? 2 * (1 + s * s / 6) : 2 * atan2(s, q.w) / s;
    return v3_scale(k, u);
}

/* The rotation with the first axis of a matrix and its second axis in their plane. A matrix that is
 * nearly a rotation, such as the axes of a body in natural coordinates while these move one by one,
 * becomes one: quat_from_matrix has branches that agree for rotations only. */
static inline mat3 mat3_orthonormal(const mat3 *R)
{
    vec3 x = v3_unit(R->c[0]), z = v3_unit(v3_cross(x, R->c[1]));
    return (mat3){{x, v3_cross(z, x), z}};
}

/* The unit quaternion of a rotation matrix, scalar part not negative. */
static inline quat quat_from_matrix(const mat3 *R)
{
    double xx = R->c[0].x, yy = R->c[1].y, zz = R->c[2].z;
    double trace = xx + yy + zz;
    quat q;
    if (trace > xx && trace > yy && trace > zz)
        q = (quat){1 + trace, R->c[1].z - R->c[2].y, R->c[2].x - R->c[0].z, R->c[0].y - R->c[1].x};
    else if (xx >= yy && xx >= zz)
        q = (quat){R->c[1].z - R->c[2].y, 1 + xx - yy - zz, R->c[0].y + R->c[1].x,
                   R->c[0].z + R->c[2].x};
    else if (yy >= zz)
        q = (quat){R->c[2].x - R->c[0].z, R->c[0].y + R->c[1].x, 1 + yy - xx - zz,
                   R->c[1].z + R->c[2].y};
    else
        q = (quat){R->c[0].y - R->c[1].x, R->c[0].z + R->c[2].x, R->c[1].z + R->c[2].y,
                   1 + zz - xx - yy};
    q = quat_normalised(q);
    return q.w < 0 ? (quat){-q.w, -q.x, -q.y, -q.z} : q;
}

#endif
