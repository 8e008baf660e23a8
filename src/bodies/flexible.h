/* What the files of the flexible body share: its velocities taken apart, and its deformation as
 * `update` has left it. */
#ifndef LMB_BODIES_FLEXIBLE_H
#define LMB_BODIES_FLEXIBLE_H

#include "bodies/body.h"
#include "bodies/modal.h"
#include "math/rotvec.h"

/* A deformed interface point, in body axes. */
typedef struct lmb_deformed_point {
    vec3 u;          /* displacement */
    lmb_rotvec turn; /* rotation, */
    mat3 A;          /* and its matrix */
} lmb_deformed_point;

/* What a flexible body is besides other bodies; its `own` data. */
typedef struct lmb_flexible {
    lmb_elasticity elasticity;
    const double *modes, *mode_rates; /* modal coordinates at the start, or NULL for zeros */
} lmb_flexible;

/* What depends on the deformation alone; the `work` of a flexible body. */
typedef struct lmb_deformed {
    lmb_deformed_point *points;
    vec3 s;         /* first moments */
    mat3 J;         /* moments of inertia */
    double *change; /* LMB_CHANGES x modes: dJ/deta_k and E_k */
    double *room;   /* 3 LMB_CHANGES x modes, for sums */
} lmb_deformed;

static inline const lmb_modal *modal_of(const lmb_body *b)
{
    return ((const lmb_flexible *)b->own)->elasticity.modal;
}

static inline lmb_deformed *deformed_of(const lmb_body_at *at)
{
    return at->work;
}

static inline bool is_planar(const lmb_body *b)
{
    return b->ops == &lmb_body_flexible_planar;
}

static inline int rigid_count(const lmb_body *b)
{
    return is_planar(b) ? 3 : 6;
}

/* Which of the six rigid velocities the velocity j is. */
static inline int rigid_of(const lmb_body *b, int j)
{
    return is_planar(b) && j == 2 ? 5 : j;
}

/* Velocities w of a body taken apart. */
typedef struct speeds {
    vec3 r, omega;
    const double *eta;
} speeds;

static inline speeds speeds_of(const lmb_body *b, const double *w)
{
    if (is_planar(b))
        return (speeds){v3(w[0], w[1], 0), v3(0, 0, w[2]), w + 3};
    return (speeds){v3_of(w), v3_of(w + 3), w + 6};
}

static inline const double *eta_of(const lmb_body_at *at)
{
    return at->q + at->body->nodes[0].nq;
}

static inline mat3 rotation_of(const lmb_body_at *at)
{
    return frame_rotation(&at->pose);
}

/* sum x_k f_k of vectors */
static inline vec3 sum_of(const vec3 *f, const double *x, int count)
{
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < count; k++)
        sum = v3_axpy(sum, x[k], f[k]);
    return sum;
}

/* Stores what belongs to the six rigid velocities, in the rows that the body has. */
static inline void put_rigid(const lmb_body *b, vec3 force, vec3 moment, double *out)
{
    for (int j = 0; j < rigid_count(b); j++) {
        int k = rigid_of(b, j);
        out[j] = k < 3 ? v3_get(force, k) : v3_get(moment, k - 3);
    }
}

/* Puts a body into the basis Psi T of its modes (reduction/align.h); `data` is its reduced body in
 * that basis. What other bodies share is left alone. */
lmb_status lmb_flexible_in_basis(lmb_body *body, lmb_context *context, lmb_arena *arena,
                                 const struct lmb_body_data *data, const double *T);

/* The operations, by the file that they are in. */
void lmb_flexible_frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x);
void lmb_flexible_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out);
void lmb_flexible_columns(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                          lmb_frame *columns);
void lmb_flexible_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out);
void lmb_flexible_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out);
void lmb_flexible_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns);
void lmb_flexible_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix);
void lmb_flexible_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v);

/* What does not depend on the coordinates of the frame. */
void lmb_flexible_modes(const lmb_body *body, lmb_structure *out); /* the modal node */
void lmb_flexible_marker_nodes(const lmb_body *body, const lmb_marker *marker, int *first,
                               int *count);
const lmb_elasticity *lmb_flexible_elasticity(const lmb_body *body);
void lmb_flexible_put_modes(const lmb_body *body, double *q, double *v); /* at the start; or NULL */
void *lmb_flexible_make_room(const lmb_body *body, lmb_arena *arena);
void lmb_flexible_deform_points(const lmb_body_at *at);
double lmb_flexible_highest_frequency(const lmb_body *body);

void lmb_flexible_deform(const lmb_body_at *at); /* s, J and change of the deformation */
void lmb_flexible_mass(const lmb_body_at *at, double *matrix);
void lmb_flexible_mass_times(const lmb_body_at *at, const double *a, double *out);
void lmb_flexible_force(const lmb_body_at *at, vec3 gravity, double *Q);
void lmb_flexible_tangent(const lmb_body_at *at, vec3 gravity, const double *acceleration,
                          const lmb_window *windows);
void lmb_flexible_balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out);
double lmb_flexible_loss(const lmb_body_at *at);

#endif
