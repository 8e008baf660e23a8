/* The flexible body by itself: its frames and tangents against finite differences at large
 * deformations, its kinetic energy against that of the finite element model, and its equations of
 * motion by what a free body conserves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/body.h"
#include "bodies/flexible.h"
#include "fe/properties.h"
#include "math/dense.h"
#include "meshes.h"
#include "models.h"
#include "reduction/interface.h"
#include "support.h"

enum { MODES = 4, MOST = 6 + MODES };

static const lmb_material soft = {"soft", 2e7, 0.3, 1000, false};
static lmb_mesh *mesh;
static lmb_fe_model *fe;
static lmb_reduced *reduced;
static lmb_arena *arena;
static lmb_modal *modal;

static void make_points(lmb_interface points[2])
{
    for (int p = 0; p < 2; p++) {
        points[p] = (lmb_interface){.name = p ? "B" : "A",
                                    .position = v3(p, 0.15, 0.1),
                                    .tie = LMB_TIE_RIGID,
                                    .nodes = malloc((size_t)fe->node_count * sizeof(int))};
        for (int i = 0; i < fe->node_count; i++)
            if (fabs(fe->x[i].x - p) < 1e-9)
                points[p].nodes[points[p].count++] = i;
    }
}

/* A bar of 1 x 0.3 x 0.2 m with its frame off the mass centre, so that no term vanishes. */
static int make_body(void **unused)
{
    static const int cells[3] = {4, 2, 1};
    open_models(unused);
    mesh = box_mesh(LMB_HEX20, cells, v3(1, 0.3, 0.2), soft, NULL);
    fe = model_of(mesh);
    lmb_interface points[2];
    make_points(points);
    lmb_reduction options = {.fixed = {.number = 2},
                             .frame = LMB_FRAME_POINT,
                             .frame_point = 0,
                             .keep = {.number = MODES}};
    assert_ok(lmb_reduce(&reduced, context, fe, points, 2, &options));
    free(points[0].nodes);
    free(points[1].nodes);
    arena = lmb_arena_new();
    modal = lmb_modal_new(arena, reduced, &(lmb_modal_options){0});
    assert_non_null(modal);
    assert_int_equal(modal->modes, MODES);
    return 0;
}

static int free_body(void **unused)
{
    lmb_arena_free(arena);
    lmb_reduced_free(reduced);
    lmb_arena_free(fe->arena);
    lmb_arena_free(mesh->arena);
    return close_models(unused);
}

/* A body somewhere, moving and deformed so that its end turns by about half a radian. */
typedef struct sample {
    lmb_flexible own;
    lmb_node nodes[2];
    lmb_body body;
    double q[7 + MODES], v[MOST], a[MOST];
    lmb_body_at at;
    lmb_marker marker;
} sample;

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

static void make_sample(sample *s, bool planar, unsigned seed)
{
    int rigid = planar ? 3 : 6, first = planar ? 3 : 7;
    memset(s, 0, sizeof *s);
    s->body = (lmb_body){.ops = planar ? &lmb_body_flexible_planar : &lmb_body_flexible,
                         .nq = first + MODES,
                         .nv = rigid + MODES,
                         .own = &s->own,
                         .nodes = s->nodes,
                         .node_count = 2};
    s->own = (lmb_flexible){.elasticity = {modal, NULL, 1, NULL}};
    s->nodes[0] =
        (lmb_node){.kind = planar ? LMB_NODE_PLANE : LMB_NODE_SPACE, .nq = first, .nv = rigid};
    s->nodes[1] = (lmb_node){.nq = MODES, .nv = MODES, .q = first, .v = rigid};
    for (int i = 0; i < s->body.nq; i++)
        s->q[i] = number(&seed);
    if (!planar) {
        double norm =
            sqrt(s->q[3] * s->q[3] + s->q[4] * s->q[4] + s->q[5] * s->q[5] + s->q[6] * s->q[6]);
        for (int i = 3; i < 7; i++)
            s->q[i] /= norm;
    }
    for (int k = 0; k < MODES; k++) {
        double turn = v3_norm(modal->points[1].phi[k]) + v3_norm(modal->points[1].psi[k]);
        s->q[first + k] *= 0.5 / turn;
        s->v[rigid + k] = number(&seed) / turn;
        s->a[rigid + k] = number(&seed) / turn;
    }
    for (int j = 0; j < rigid; j++) {
        s->v[j] = number(&seed);
        s->a[j] = number(&seed);
    }
    s->at = (lmb_body_at){
        .body = &s->body, .q = s->q, .v = s->v, .work = s->body.ops->make_room(&s->body, arena)};
    assert_non_null(s->at.work);
    s->body.ops->update(&s->at);
    quat turn = quat_exp(v3(0.3, planar ? 0 : -0.5, 0.7));
    if (planar)
        turn = quat_exp(v3(0, 0, 0.7));
    mat3 A = quat_matrix(turn);
    s->marker = (lmb_marker){.point = 1, .local = {modal->points[1].p, {A.c[0], A.c[1], A.c[2]}}};
}

/* The same body moved by eps along a velocity d, and with other velocities. */
static void move(const sample *s, const double *d, double eps, sample *out)
{
    double step[MOST];
    *out = *s;
    for (int j = 0; j < s->body.nv; j++)
        step[j] = eps * d[j];
    for (int k = 0; k < 2; k++)
        lmb_node_retract(&s->nodes[k], s->q + s->nodes[k].q, step + s->nodes[k].v,
                         out->q + s->nodes[k].q);
    out->at = (lmb_body_at){.body = &out->body,
                            .q = out->q,
                            .v = out->v,
                            .work = out->body.ops->make_room(&out->body, arena)};
    assert_non_null(out->at.work);
    out->body.ops->update(&out->at);
}

static lmb_frame frame_of(const sample *s)
{
    lmb_frame x;
    s->body.ops->frame(&s->at, &s->marker, &x);
    return x;
}

static lmb_frame pushed(const sample *s, const double *w)
{
    lmb_frame x = frame_of(s), out;
    s->body.ops->frame_rate(&s->at, &s->marker, &x, w, &out);
    return out;
}

static lmb_frame biased(const sample *s)
{
    lmb_frame x = frame_of(s), out;
    s->body.ops->frame_bias(&s->at, &s->marker, &x, &out);
    return out;
}

/* The central difference of two frames. */
static lmb_frame slope(lmb_frame plus, lmb_frame minus, double eps)
{
    frame_add(&plus, -1, &minus);
    lmb_frame out = frame_zero();
    frame_add(&out, 1 / (2 * eps), &plus);
    return out;
}

static void assert_frames(const lmb_frame *x, const lmb_frame *y, double tolerance)
{
    lmb_frame d = *x;
    frame_add(&d, -1, y);
    double size = sqrt(frame_dot(y, y));
    assert_close(sqrt(frame_dot(&d, &d)), 0, tolerance * (1 + size));
}

static const double eps = 1e-5, close_enough = 1e-7; /* error eps^2 f''' + rounding / eps */

static void frames_move_as_pushed(void **unused)
{
    (void)unused;
    for (int planar = 0; planar < 2; planar++) {
        sample s, plus, minus;
        make_sample(&s, planar, 7);
        double w[MOST], force_numbers[12], pulled[MOST];
        unsigned seed = 99;
        for (int j = 0; j < s.body.nv; j++)
            w[j] = s.a[j];
        move(&s, w, eps, &plus);
        move(&s, w, -eps, &minus);
        lmb_frame rate = pushed(&s, w), expected = slope(frame_of(&plus), frame_of(&minus), eps);
        assert_frames(&rate, &expected, close_enough);
        /* pull is the transpose of push */
        for (int i = 0; i < 12; i++)
            force_numbers[i] = planar && i % 3 == 2 ? 0 : number(&seed);
        lmb_frame x = frame_of(&s), f;
        memcpy(&f, force_numbers, sizeof f);
        s.body.ops->frame_load(&s.at, &s.marker, &x, &f, pulled);
        double power = 0;
        for (int j = 0; j < s.body.nv; j++)
            power += pulled[j] * w[j];
        assert_close(power, frame_dot(&f, &rate), 1e-12);
        /* bias: the change of J v along v */
        move(&s, s.v, eps, &plus);
        move(&s, s.v, -eps, &minus);
        lmb_frame bias = biased(&s);
        expected = slope(pushed(&plus, s.v), pushed(&minus, s.v), eps);
        assert_frames(&bias, &expected, close_enough);
    }
}

static void tangents_of_frames_are_exact(void **unused)
{
    (void)unused;
    for (int planar = 0; planar < 2; planar++) {
        sample s, plus, minus;
        make_sample(&s, planar, 21);
        int n = s.body.nv;
        lmb_frame x = frame_of(&s), columns[MOST], by_q[MOST], by_v[MOST], f;
        double matrix[MOST * MOST], numbers[12];
        unsigned seed = 5;
        for (int i = 0; i < 12; i++)
            numbers[i] = planar && i % 3 == 2 ? 0 : number(&seed);
        memcpy(&f, numbers, sizeof f);
        s.body.ops->frame_rate_tangent(&s.at, &s.marker, &x, s.a, columns);
        s.body.ops->frame_load_tangent(&s.at, &s.marker, &x, &f, matrix);
        s.body.ops->frame_bias_tangent(&s.at, &s.marker, &x, by_q, by_v);
        for (int j = 0; j < n; j++) {
            double unit[MOST] = {0}, up[MOST], down[MOST];
            unit[j] = 1;
            move(&s, unit, eps, &plus);
            move(&s, unit, -eps, &minus);
            lmb_frame expected = slope(pushed(&plus, s.a), pushed(&minus, s.a), eps);
            assert_frames(&columns[j], &expected, close_enough);
            expected = slope(biased(&plus), biased(&minus), eps);
            assert_frames(&by_q[j], &expected, close_enough);
            lmb_frame xp = frame_of(&plus), xm = frame_of(&minus);
            s.body.ops->frame_load(&plus.at, &s.marker, &xp, &f, up);
            s.body.ops->frame_load(&minus.at, &s.marker, &xm, &f, down);
            for (int i = 0; i < n; i++)
                assert_close(matrix[j * n + i], (up[i] - down[i]) / (2 * eps), close_enough);
            plus = minus = s;
            plus.at.q = plus.q, plus.at.v = plus.v, minus.at.q = minus.q, minus.at.v = minus.v;
            plus.v[j] += eps;
            minus.v[j] -= eps;
            expected = slope(biased(&plus), biased(&minus), eps);
            assert_frames(&by_v[j], &expected, close_enough);
        }
    }
}

/* M a - Q */
static void residual(const sample *s, vec3 gravity, double *out)
{
    double matrix[MOST * MOST], Q[MOST];
    int n = s->body.nv;
    s->body.ops->mass(&s->at, matrix);
    s->body.ops->force(&s->at, gravity, Q);
    for (int i = 0; i < n; i++) {
        out[i] = -Q[i];
        for (int j = 0; j < n; j++)
            out[i] += matrix[j * n + i] * s->a[j];
    }
}

static void tangents_of_inertia_are_exact(void **unused)
{
    (void)unused;
    for (int planar = 0; planar < 2; planar++) {
        sample s, plus, minus;
        make_sample(&s, planar, 33);
        for (int k = 0; k < MODES * MODES; k++)
            modal->C[k] = 0.1 * (k % (MODES + 1) == 0) + 0.02;
        modal->diagonal = false;
        vec3 gravity = v3(1, -9.81, planar ? 0 : 2);
        int n = s.body.nv;
        double by_q[MOST * MOST] = {0}, by_v[MOST * MOST] = {0}, up[MOST], down[MOST], size = 0;
        s.body.ops->tangent(&s.at, gravity, s.a, &(lmb_window){by_q, by_v, n});
        residual(&s, gravity, up);
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(up[i]));
        for (int j = 0; j < n; j++) {
            double unit[MOST] = {0};
            unit[j] = 1;
            move(&s, unit, eps, &plus);
            move(&s, unit, -eps, &minus);
            residual(&plus, gravity, up);
            residual(&minus, gravity, down);
            for (int i = 0; i < n; i++)
                assert_close(by_q[j * n + i], (up[i] - down[i]) / (2 * eps), 1e-6 * size);
            plus = minus = s;
            plus.at.q = plus.q, plus.at.v = plus.v, minus.at.q = minus.q, minus.at.v = minus.v;
            plus.v[j] += eps;
            minus.v[j] -= eps;
            residual(&plus, gravity, up);
            residual(&minus, gravity, down);
            for (int i = 0; i < n; i++)
                assert_close(by_v[j * n + i], (up[i] - down[i]) / (2 * eps), 1e-6 * size);
        }
        memset(modal->C, 0, sizeof(double) * MODES * MODES);
    }
}

/* 1/2 V^T M V of the velocities of all degrees of freedom, in body axes. */
static void kinetic_energy_is_that_of_the_elements(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s, false, 3);
    size_t n = (size_t)fe->n;
    double *V = calloc(3 * n, sizeof *V), *W = V + n, *psi = W + n, matrix[MOST * MOST];
    mat3 R = frame_rotation(&s.at.pose);
    vec3 v = m3_tmul(&R, v3(s.v[0], s.v[1], s.v[2])), omega = v3(s.v[3], s.v[4], s.v[5]);
    double *u = W; /* displacements for now */
    for (int k = 0; k < MODES; k++) {
        lmb_reduced_displacements(reduced, fe, k, psi);
        for (size_t i = 0; i < n; i++) {
            u[i] += s.q[7 + k] * psi[i];
            V[i] += s.v[6 + k] * psi[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        int node = fe->node[i];
        const int *dof = fe->dof[node];
        vec3 x = v3_add(reduced->x[node], v3(u[dof[0]], u[dof[1]], u[dof[2]]));
        V[i] += v3_get(v3_add(v, v3_cross(omega, x)), fe->direction[i]);
    }
    lmb_symmetric_multiply(&fe->M, V, W);
    double energy = 0, from_mass = 0;
    for (size_t i = 0; i < n; i++)
        energy += V[i] * W[i] / 2;
    lmb_balance b = {0};
    s.body.ops->balance(&s.at, v3(0, 0, 0), &b);
    assert_close(b.kinetic, energy, 1e-9 * energy);
    s.body.ops->mass(&s.at, matrix);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            from_mass += s.v[i] * matrix[j * MOST + i] * s.v[j] / 2;
    assert_close(from_mass, energy, 1e-9 * energy);
    free(V);
}

/* The rates of q and v of a free body. */
static void rates(sample *s, double *qdot, double *vdot)
{
    double matrix[MOST * MOST];
    s->body.ops->update(&s->at);
    for (int k = 0; k < 2; k++)
        lmb_node_rate(&s->nodes[k], s->q + s->nodes[k].q, s->v + s->nodes[k].v,
                      qdot + s->nodes[k].q);
    s->body.ops->mass(&s->at, matrix);
    s->body.ops->force(&s->at, v3(0, 0, 0), vdot);
    assert_true(lmb_dense_solve(s->body.nv, matrix, 1, vdot));
}

/* One step of the classical Runge-Kutta method. */
static void runge_kutta(sample *s, double h)
{
    static const double c[] = {0, 0.5, 0.5, 1}, w[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double q0[7 + MODES], v0[MOST], qdot[7 + MODES] = {0}, vdot[MOST] = {0};
    double dq[7 + MODES] = {0}, dv[MOST] = {0};
    memcpy(q0, s->q, sizeof q0);
    memcpy(v0, s->v, sizeof v0);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < s->body.nq; i++)
            s->q[i] = q0[i] + c[stage] * h * qdot[i];
        for (int i = 0; i < s->body.nv; i++)
            s->v[i] = v0[i] + c[stage] * h * vdot[i];
        rates(s, qdot, vdot);
        for (int i = 0; i < s->body.nq; i++)
            dq[i] += w[stage] * qdot[i];
        for (int i = 0; i < s->body.nv; i++)
            dv[i] += w[stage] * vdot[i];
    }
    for (int i = 0; i < s->body.nq; i++)
        s->q[i] = q0[i] + h * dq[i];
    for (int i = 0; i < s->body.nv; i++)
        s->v[i] = v0[i] + h * dv[i];
    s->body.ops->update(&s->at);
}

/* The modes of a planar beam instead, for as long as a test lasts. */
static void use_planar_beam(lmb_modal **keep)
{
    static const vec3 ends[] = {{0, 0, 0}, {1, 0, 0}};
    lmb_beam_line line = {.name = "rod",
                          .dimension = 2,
                          .points = ends,
                          .point_count = 2,
                          .elements = 6,
                          .material = soft};
    lmb_mesh *rod;
    lmb_reduced *body;
    int first = 0, last = 6;
    lmb_interface points[] = {{"A", ends[0], LMB_TIE_NODE, &first, 1},
                              {"B", ends[1], LMB_TIE_NODE, &last, 1}};
    lmb_reduction options = {.fixed = {.number = 3},
                             .frame = LMB_FRAME_POINT,
                             .frame_point = 0,
                             .keep = {.number = MODES}};
    assert_ok(lmb_section_rectangle(&line.section, context, 0.1, 0.1, 0.3));
    assert_ok(lmb_beam_mesh(&rod, context, &line));
    lmb_fe_model *beams = model_of(rod);
    assert_ok(lmb_reduce(&body, context, beams, points, 2, &options));
    *keep = modal;
    modal = lmb_modal_new(arena, body, &(lmb_modal_options){0});
    lmb_reduced_free(body);
    lmb_arena_free(beams->arena);
    lmb_arena_free(rod->arena);
}

/* A free body spins and vibrates: momentum, angular momentum and energy stay what they are, but for
 * the error of the method, which falls with h^4 and is 1e-7 of them here. */
static void a_free_body_conserves(void **unused)
{
    (void)unused;
    for (int planar = 0; planar < 2; planar++) {
        sample s;
        lmb_modal *solid = modal;
        if (planar)
            use_planar_beam(&solid);
        make_sample(&s, planar, 12);
        lmb_balance before = {0}, after = {0};
        s.body.ops->balance(&s.at, v3(0, 0, 0), &before);
        for (int i = 0; i < 20000; i++)
            runge_kutta(&s, 5e-6);
        s.body.ops->balance(&s.at, v3(0, 0, 0), &after);
        double energy = before.kinetic + before.elastic;
        double p = v3_norm(before.momentum), h = v3_norm(before.angular_momentum);
        assert_close(after.kinetic + after.elastic, energy, 1e-6 * energy);
        assert_close(v3_norm(v3_sub(after.momentum, before.momentum)), 0, 1e-6 * p);
        assert_close(v3_norm(v3_sub(after.angular_momentum, before.angular_momentum)), 0, 1e-6 * h);
        modal = solid;
    }
}

/* Derivatives of the tangent of rotations, near zero and far from it. */
static void turns_have_exact_derivatives(void **unused)
{
    (void)unused;
    static const double sizes[] = {0, 1e-3, 0.0099, 0.0101, 0.19, 0.21, 0.7, 0.71, 2.5};
    vec3 u = v3(0.3, -0.8, 0.5), d = v3(-0.4, 0.2, 0.9), e = v3(0.6, 0.7, -0.1);
    for (int i = 0; i < 9; i++) {
        vec3 theta = v3_scale(sizes[i], v3_unit(v3(1, -2, 0.5)));
        lmb_rotvec t = lmb_rotvec_of(theta), plus = lmb_rotvec_of(v3_axpy(theta, eps, e));
        lmb_rotvec minus = lmb_rotvec_of(v3_axpy(theta, -eps, e));
        vec3 expected = v3_scale(1 / (2 * eps),
                                 v3_sub(lmb_rotvec_T_back(&plus, u), lmb_rotvec_T_back(&minus, u)));
        assert_close(v3_norm(v3_sub(lmb_rotvec_T_back_change(&t, u, e), expected)), 0, 1e-9);
        expected = v3_scale(1 / (2 * eps), v3_sub(lmb_rotvec_T_back_change(&plus, u, d),
                                                  lmb_rotvec_T_back_change(&minus, u, d)));
        assert_close(v3_norm(v3_sub(lmb_rotvec_T_back_change2(&t, u, d, e), expected)), 0, 1e-9);
    }
}

/* --- invariants ---------------------------------------------------------------------------------
 */

/* The displacements of all degrees of freedom in which node by node is e x those of another. */
static void turned_columns(const lmb_fe_model *m, vec3 e, const double *u, double *out)
{
    for (int k = 0; k < m->node_count; k++) {
        const int *dof = m->dof[k];
        vec3 turned = v3_cross(e, v3(u[dof[0]], u[dof[1]], u[dof[2]]));
        out[dof[0]] = turned.x, out[dof[1]] = turned.y, out[dof[2]] = turned.z;
    }
}

static double through_mass(const lmb_fe_model *m, const double *x, const double *y)
{
    double *w = malloc((size_t)m->n * sizeof *w), sum = 0;
    lmb_symmetric_multiply(&m->M, y, w);
    for (int i = 0; i < m->n; i++)
        sum += x[i] * w[i];
    free(w);
    return sum;
}

/* One element: every constant of the body is a sum over the mass matrix of the element. */
static void invariants_are_sums_over_the_mass_matrix(void **unused)
{
    (void)unused;
    static const int cells[3] = {1, 1, 1};
    lmb_mesh *own_mesh = box_mesh(LMB_HEX20, cells, v3(1, 0.3, 0.2), soft, NULL);
    lmb_fe_model *kept = fe, *one = fe = model_of(own_mesh);
    lmb_interface points[2];
    make_points(points);
    fe = kept;
    lmb_reduction options = {.fixed = {.number = 2}, .frame = LMB_FRAME_POINT, .frame_point = 1};
    lmb_reduced *r;
    assert_ok(lmb_reduce(&r, context, one, points, 2, &options));
    lmb_modal *m = lmb_modal_new(arena, r, &(lmb_modal_options){0});
    assert_non_null(m);
    int n = one->n, modes = m->modes, columns = 6 + 4 * modes;
    double *V = calloc((size_t)(columns * n), sizeof *V), size = m->mass;
    for (int c = 0; c < 6; c++)
        lmb_rigid_motion(one, c, r->origin, V + c * n);
    for (int j = 0; j < modes; j++) {
        lmb_reduced_displacements(r, one, j, V + (6 + j) * n);
        for (int a = 0; a < 3; a++)
            turned_columns(one, v3(a == 0, a == 1, a == 2), V + (6 + j) * n,
                           V + (6 + modes + 3 * j + a) * n);
    }
#define P(x, y) through_mass(one, V + (x)*n, V + (y)*n)
#define TURNED(j, a) (6 + modes + 3 * (j) + (a))
    for (int a = 0; a < 3; a++) {
        vec3 e = v3(a == 0, a == 1, a == 2), moved = v3_cross(e, m->s0);
        assert_close(P(a, a), m->mass, 1e-12 * size);
        for (int b = 0; b < 3; b++) {
            assert_close(P(b, 3 + a), v3_get(moved, b), 1e-12 * size);
            assert_close(P(3 + a, 3 + b), v3_get(m->J0.c[b], a), 1e-12 * size);
        }
        for (int j = 0; j < modes; j++) {
            assert_close(P(a, 6 + j), v3_get(m->D[j], a), 1e-11 * size);
            assert_close(P(3 + a, 6 + j), v3_get(m->E0[j], a), 1e-11 * size);
            for (int b = 0; b < 3; b++)
                assert_close(P(3 + a, TURNED(j, b)) + P(TURNED(j, a), 3 + b),
                             v3_get(m->J1[j].c[b], a), 1e-11 * size);
            for (int k = 0; k < modes; k++) {
                assert_close(P(TURNED(j, a), 6 + k), v3_get(m->E1[j * modes + k], a), 1e-11);
                for (int b = 0; b < 3; b++)
                    assert_close(P(TURNED(j, a), TURNED(k, b)) + P(TURNED(k, a), TURNED(j, b)),
                                 v3_get(m->J2[j * modes + k].c[b], a), 1e-11);
            }
        }
    }
    for (int j = 0; j < modes; j++)
        for (int k = 0; k < modes; k++)
            assert_close(P(6 + j, 6 + k), m->M[j * modes + k], 1e-10);
#undef P
#undef TURNED
    free(V);
    free(points[0].nodes);
    free(points[1].nodes);
    lmb_reduced_free(r);
    lmb_arena_free(one->arena);
    lmb_arena_free(own_mesh->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invariants_are_sums_over_the_mass_matrix),
        cmocka_unit_test(turns_have_exact_derivatives),
        cmocka_unit_test(frames_move_as_pushed),
        cmocka_unit_test(tangents_of_frames_are_exact),
        cmocka_unit_test(tangents_of_inertia_are_exact),
        cmocka_unit_test(kinetic_energy_is_that_of_the_elements),
        cmocka_unit_test(a_free_body_conserves),
    };
    return cmocka_run_group_tests(tests, make_body, free_body);
}
