/* Flexible body in a floating frame, in space or in the plane.
 *
 *   q = (r, quaternion or angle, eta)      v = (rdot, omega in body axes, etadot)
 *
 * r is the origin of the body frame, eta are modal coordinates (bodies/modal.h). In space the six
 * rigid velocities are x, y, z, wx, wy, wz; in the plane x, y and wz of them. A point on the
 * interface p is at r + R c, c = p + sum psi eta, and its axes are R exp(theta~) a, theta = sum phi
 * eta: the exponential, so that they stay orthonormal at any deformation.
 *
 * Equations of motion, with B = -s~ (first moments), gamma = R^T (rddot - g):
 *
 *   m (rddot - g) + R [B omegadot + D etaddot + Bdot omega + omega x (B omega + D etadot)] = F
 *   B^T gamma + J omegadot + E etaddot + Jdot omega + Edot etadot
 *                                      + omega x (J omega + E etadot) = moment
 *   D^T gamma + E^T omegadot + M etaddot + Edot^T omega - (1/2 omega^T J_k omega
 *                                      + omega^T E_k etadot)_k + K eta + C etadot = modal force */
#include <string.h>

#include "bodies/flexible.h"
#include "math/dense.h"

void lmb_flexible_modes(const lmb_body *b, lmb_structure *out)
{
    const lmb_modal *m = modal_of(b);
    lmb_node *modes = lmb_structure_node(out, LMB_NODE_VECTOR, m->modes, 0);
    modes->class = LMB_CLASS_MODE;
    modes->size = m->size;
}

/* The rigid node and the modal one share their mass. */
static void structure(const lmb_body *b, int dimension, lmb_structure *out)
{
    lmb_structure_node(out, dimension == 2 ? LMB_NODE_PLANE : LMB_NODE_SPACE, 0, 0);
    lmb_flexible_modes(b, out);
}

/* The body frame does not depend on the deformation; interface points do. */
void lmb_flexible_marker_nodes(const lmb_body *b, const lmb_marker *marker, int *first, int *count)
{
    (void)b;
    *first = 0;
    *count = marker->point < 0 ? 1 : 2;
}

const lmb_elasticity *lmb_flexible_elasticity(const lmb_body *b)
{
    return &((const lmb_flexible *)b->own)->elasticity;
}

/* Puts given numbers, or zeros. */
static void put_modes(const double *modes, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = modes ? modes[k] : 0;
}

void lmb_flexible_put_modes(const lmb_body *b, double *q, double *v)
{
    const lmb_flexible *own = b->own;
    if (q)
        put_modes(own->modes, modal_of(b)->modes, q + b->nodes[0].nq);
    if (v)
        put_modes(own->mode_rates, modal_of(b)->modes, v + b->nodes[0].nv);
}

static void place(const lmb_body *b, const lmb_frame *pose, double *q)
{
    lmb_rigid_place(b, pose, q);
    lmb_flexible_put_modes(b, q, NULL);
}

static void launch(const lmb_body *b, double *v)
{
    mat3 R = frame_rotation(&b->start);
    put_rigid(b, b->velocity, is_planar(b) ? b->spin : m3_tmul(&R, b->spin), v);
    lmb_flexible_put_modes(b, NULL, v);
}

void *lmb_flexible_make_room(const lmb_body *b, lmb_arena *arena)
{
    const lmb_modal *m = modal_of(b);
    lmb_deformed *d = lmb_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    d->points = lmb_arena_alloc(arena, (size_t)m->point_count, sizeof *d->points);
    d->change = lmb_arena_numbers(arena, LMB_CHANGES * (size_t)m->modes);
    d->room = lmb_arena_numbers(arena, 3 * LMB_CHANGES * (size_t)m->modes);
    return lmb_arena_fine(arena) ? d : NULL;
}

void lmb_flexible_deform_points(const lmb_body_at *at)
{
    const double *eta = eta_of(at);
    const lmb_modal *m = modal_of(at->body);
    for (int p = 0; p < m->point_count; p++) {
        lmb_deformed_point *d = &deformed_of(at)->points[p];
        vec3 theta = sum_of(m->points[p].phi, eta, m->modes);
        d->u = sum_of(m->points[p].psi, eta, m->modes);
        d->turn = lmb_rotvec_of(theta);
        d->A = quat_matrix(quat_exp(theta));
    }
}

static void update(lmb_body_at *at)
{
    at->pose = is_planar(at->body) ? lmb_plane_pose(at->q) : lmb_space_pose(at->q);
    lmb_flexible_deform_points(at);
    lmb_flexible_deform(at);
}

/* The largest eigenvalue of K x = w^2 M x of the undeformed body, a body with a node in the plane
 * or in space. */
static double highest_of(const lmb_body *b)
{
    size_t n = (size_t)b->nv, modes = (size_t)modal_of(b)->modes, rigid = n - modes;
    lmb_arena *arena = lmb_arena_new();
    double *K = lmb_arena_numbers(arena, n * n), *M = lmb_arena_numbers(arena, n * n);
    double *values = lmb_arena_numbers(arena, n), *v = lmb_arena_numbers(arena, n);
    double *q = lmb_arena_numbers(arena, (size_t)b->nq), highest = -1;
    lmb_body_at at = {.body = b, .q = q, .v = v, .work = lmb_flexible_make_room(b, arena)};
    if (!lmb_arena_fine(arena)) {
        lmb_arena_free(arena);
        return -1;
    }
    place(b, &b->start, q);
    memset(q + b->nq - modes, 0, modes * sizeof *q);
    update(&at);
    lmb_flexible_mass(&at, M);
    for (size_t j = 0; j < modes; j++)
        for (size_t i = 0; i < modes; i++)
            K[(rigid + j) * n + rigid + i] = modal_of(b)->K[j * modes + i];
    if (modes == 0)
        highest = 0;
    else if (lmb_dense_symmetric_general((int)n, K, M, values))
        highest = sqrt(fmax(0, values[n - 1]));
    lmb_arena_free(arena);
    return highest;
}

/* It does not depend on the coordinates of the frame. */
double lmb_flexible_highest_frequency(const lmb_body *b)
{
    bool plane = b->nodes[0].nv == LMB_NATURAL_PLANE;
    if (!b->ops->natural)
        return highest_of(b);
    lmb_arena *arena = lmb_arena_new();
    lmb_body other = *b;
    other.ops = plane ? &lmb_body_flexible_planar : &lmb_body_flexible;
    bool fine = lmb_body_structure(&other, plane ? 2 : 3, &(lmb_structure){.arena = arena});
    double highest = fine ? highest_of(&other) : -1;
    lmb_arena_free(arena);
    return highest;
}

#define OPERATIONS                                                                                 \
    .kind = "flexible", .turns = true, .structure = structure,                                     \
    .marker_nodes = lmb_flexible_marker_nodes, .place = place, .launch = launch,                   \
    .make_room = lmb_flexible_make_room, .update = update, .frame = lmb_flexible_frame,            \
    .frame_rate = lmb_flexible_rate, .frame_columns = lmb_flexible_columns,                        \
    .frame_bias = lmb_flexible_bias, .frame_load = lmb_flexible_load,                              \
    .frame_rate_tangent = lmb_flexible_rate_tangent,                                               \
    .frame_load_tangent = lmb_flexible_load_tangent,                                               \
    .frame_bias_tangent = lmb_flexible_bias_tangent, .mass = lmb_flexible_mass,                    \
    .mass_times = lmb_flexible_mass_times, .force = lmb_flexible_force,                            \
    .tangent = lmb_flexible_tangent, .balance = lmb_flexible_balance, .loss = lmb_flexible_loss,   \
    .highest_frequency = lmb_flexible_highest_frequency, .elasticity = lmb_flexible_elasticity

const lmb_body_ops lmb_body_flexible = {OPERATIONS};
const lmb_body_ops lmb_body_flexible_planar = {OPERATIONS};
