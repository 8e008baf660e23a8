/* The matrix of small motions about moving states against differences of the exact accelerations,
 * of mechanisms of all kinds in random motion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "math/dense.h"
#include "models.h"
#include "random_models.h"
#include "support.h"

/* Joints of all kinds, loops, screws, gears, friction, drivers that move, rolling. Bodies are
 * placed roughly; how they move is random. */
typedef struct sample {
    const char *joints, *more;
} sample;

static const char rubbing[] =
    "  r: {type: friction, joint: tested, coefficient: 0.4, stick_speed: 1.5, radius: 0.3}\n";
static const char sliding[] =
    "  r: {type: friction, joint: tested, coefficient: 0.4, stick_speed: 1.5}\n";

static const sample spatial[] = {
    {"tested: {type: revolute, between: [A.a, B.b], axis: [1, 2, 3]}", rubbing},
    {"tested: {type: translational, between: [A.a, B.b], axis: [1, 2, 3]}", sliding},
    {"tested: {type: cylindrical, between: [A.a, B.b], axis: [1, 2, 3]}", ""},
    {"tested: {type: screw, between: [A.a, B.b], axis: [1, 2, 3], lead: 0.7}", ""},
    {"tested: {type: spherical, between: [A.a, B.b]}", ""},
    {"tested: {type: universal, between: [A.a, B.b], axis: [1, 0, 0.2], axis_b: [0, 1, 0.1]}", ""},
    {"tested: {type: planar, between: [A.a, B.b], axis: [1, 2, 3]}", ""},
    {"tested: {type: point-on-plane, between: [A.a, B.b], axis: [1, 2, 3]}", ""},
    {"tested: {type: prismatic, between: [A.a, B.b], axis: [1, 2, 3]}", sliding},
    {"tested: {type: inline, between: [A.a, B.b], axis: [1, 2, 3]}", ""},
    {"tested: {type: distance, between: [A.a, B.b], length: 0.9}", ""},
    {"tested: {type: fixed, between: [A.a, B.b]}", ""},
    {"tested: {type: rolling, between: [ground, B], axis: [0, 0.2, 1], axis_b: [0, 1, 0.3],"
     " radius: 0.6}\n  other: {type: revolute, between: [A.a, B.b], axis: [1, 2, 3]}",
     ""},
    {"tested: {type: cylindrical, between: [A.a, B.b], axis: [1, 2, 3]}",
     "drivers: {d: {joint: tested, angle: 0.4 + 2*t + sin(3*t)}}\n"},
    {"tested: {type: spherical, between: [ground, B.b]}\n"
     "  loop: {type: distance, between: [A.a, B], length: 1.1}",
     "drivers: {d: {joint: loop, length: 1.1 + 0.5*t + 0.2*t^2}}\n"},
    {"tested: {type: revolute, between: [ground, A.b], axis: [0.1, 0.9, 0.3]}\n"
     "  rail: {type: translational, between: [ground, B.a], axis: [1, 0.2, -0.4]}\n"
     "  loop: {type: distance, between: [A.a, B.b], length: 1.3}",
     rubbing},
};

static const sample planar[] = {
    {"tested: {type: revolute, between: [A.a, B.b]}", rubbing},
    {"tested: {type: translational, between: [A.a, B.b], axis: [1, 2]}", sliding},
    {"tested: {type: slot, between: [A.a, B.b], axis: [1, 2]}", ""},
    {"tested: {type: distance, between: [A.a, B.b], length: 0.9}", ""},
    {"tested: {type: revolute, between: [ground, A.b]}\n"
     "  pin: {type: revolute, between: [A.a, B.b]}\n"
     "  guide: {type: slot, between: [ground, B.a], axis: [1, 0.3]}",
     rubbing},
    {"tested: {type: revolute, between: [ground, A.b]}\n"
     "  pin: {type: revolute, between: [ground, B.b]}\n"
     "  mesh: {type: gear, joints: [tested, pin], radii: [0.3, 0.7]}",
     rubbing},
    {"tested: {type: revolute, between: [ground, A.b]}\n"
     "  rail: {type: translational, between: [ground, B.b], axis: [1, 2]}\n"
     "  mesh: {type: rack, joints: [tested, rail], radius: 0.4}",
     ""},
    {"tested: {type: revolute, between: [ground, A.b]}\n"
     "  pin: {type: revolute, between: [A.a, B.b]}",
     "drivers: {d: {joint: tested, angle: 0.4 + 2*t + sin(3*t)}}\n"},
};

#define SOFT_2D                                                                                    \
    "beam: {from: [0, 0], to: [0.6, 0.3], elements: 3, section: {rectangle: {width: 0.1, height: " \
    "0.15}}, material: {E: 2e5, nu: 0.3, density: 80}}, interfaces: {a: start, b: end}, "          \
    "reduction: {modes: 1, keep: 4, frame: {point: b}}, damping: 0.1, position: [0.2, 0.1]"
#define SOFT_3D                                                                                    \
    "beam: {from: [0, 0, 0], to: [0.6, 0.3, 0.2], elements: 3, section: {rectangle: {width: 0.1, " \
    "height: 0.15}}, material: {E: 2e5, nu: 0.3, density: 80}}, interfaces: {a: start, b: end}, "  \
    "reduction: {modes: 1, keep: 4, frame: {point: b}}, damping: 0.1, position: [0.2, 0.1, 0.9]"

static lmb_model *small_model(int dimension, const sample *of, random_kind kind)
{
    static const char plane[] =
        "limber: 1\ndimension: 2\ngravity: [0.5, -9.81]\nbodies:\n  A: %s\n"
        "  B: {mass: 0.8, inertia: 0.4, position: [0.4, -0.7], angle: -0.3,"
        " points: {a: [0.4, -0.3], b: [-0.5, 0.2]}}\n"
        "joints:\n  %s\nforces:\n"
        "  s: {type: spring, between: [ground, B.a], stiffness: 40, damping: 3, length: 0.2}\n"
        "  f: {type: force, at: B.b, force: [3, -2], axes: body}\n"
        "  c: {type: bushing, between: [ground, A.a], stiffness: [30, 20, 8]}\n%s";
    static const char space[] =
        "limber: 1\ndimension: 3\ngravity: [0.5, -9.81, 0.3]\nbodies:\n  A: %s\n"
        "  B: {mass: 0.8, inertia: [0.4, 0.3, 0.5, -0.02, 0.05, 0.01], position: [0.4, -0.7, 0.8],"
        " rotation: [-0.2, 0.1, 0.6], points: {a: [0.4, -0.3, 0.2], b: [-0.5, 0.2, -0.4]}}\n"
        "joints:\n  %s\nforces:\n"
        "  s: {type: spring, between: [ground, B.a], stiffness: 40, damping: 3, length: 0.2}\n"
        "  f: {type: force, at: B.b, force: [3, -2, 1], axes: body}\n"
        "  c: {type: bushing, between: [ground, A.a], stiffness: [30, 20, 40, 5, 6, 7],"
        " damping: [1, 2, 3, 0.5, 0.6, 0.7]}\n%s";
    static const char *const bodies[2][RANDOM_KINDS] = {
        {"{mass: 1.3, inertia: 0.7, angle: 0.4, points: {a: [0.3, 0.2], b: [-0.2, 0.5]}}",
         "{" SOFT_2D "}",
         "{mass: 1.3, inertia: 0.7, angle: 0.4, points: {a: [0.3, 0.2], b: [-0.2, 0.5]}, "
         "coordinates: natural}",
         "{coordinates: natural, " SOFT_2D "}",
         "{mass: 1.3, inertia: 0.7, position: [-0.8, 0.3], angle: 0.4, type: strut, tip_mass: 0.4, "
         "length: 0.9, stiffness: 60, maxwell: 5, time: 0.3, a: [0.3, 0.2]}"},
        {"{mass: 1.3, inertia: [0.7, 0.9, 0.5, 0.1, -0.05, 0.02], rotation: [0.3, -0.4, 0.5], "
         "points: {a: [0.3, 0.2, -0.4], b: [-0.2, 0.5, 0.3]}}",
         "{" SOFT_3D "}",
         "{mass: 1.3, inertia: [0.7, 0.9, 0.5, 0.1, -0.05, 0.02], rotation: [0.3, -0.4, 0.5], "
         "points: {a: [0.3, 0.2, -0.4], b: [-0.2, 0.5, 0.3]}, coordinates: natural}",
         "{coordinates: natural, " SOFT_3D "}",
         "{mass: 1.3, inertia: [0.7, 0.9, 0.5, 0.1, -0.05, 0.02], position: [-0.8, 0.3, 0.1], "
         "rotation: [0.3, -0.4, 0.5], type: strut, tip_mass: 0.4, length: 0.9, stiffness: 60, "
         "maxwell: 5, time: 0.3, a: [0.3, 0.2, -0.4]}"}};
    char text[4000];
    snprintf(text, sizeof text, dimension == 2 ? plane : space, bodies[dimension - 2][kind],
             of->joints, of->more);
    return compile_random(strdup(text));
}

/* Assembled at t = 0.3, with random velocities that the rows allow, and their accelerations. */
static lmb_solver *random_motion(const lmb_model *m)
{
    lmb_solver *s;
    lmb_rank rank;
    assert_ok(lmb_solver_new(&s, context, m));
    lmb_set_time(s->state, 0.3);
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    lmb_accept(s->state);
    bool solved = false;
    for (int trial = 0; trial < 5 && !solved; trial++) { /* some motions make the friction jam */
        for (int j = 0; j < m->nv; j++)
            s->state->v[j] = 2 * random_number() / (s->modal[j] ? m->columns[j].size / 0.1 : 1);
        lmb_update_velocity(s->state);
        lmb_solver_factor(s);
        lmb_correct_velocity(s);
        solved = lmb_solve_augmented(s);
        assert_true(solved || lmb_friction_jams(s->friction));
    }
    assert_true(solved);
    return s;
}

/* A rotation as the observer sees it, with angular velocity and acceleration in his axes. */
typedef struct turning {
    mat3 R;
    vec3 w, wdot;
} turning;

static turning turning_of(const lmb_state *s, int observer, int body)
{
    const lmb_frame *O = &s->bodies[observer].pose, *B = &s->bodies[body].pose;
    int o = s->model->body_marker[observer], b = s->model->body_marker[body];
    lmb_frame zero = frame_zero(), aO = observer ? lmb_frame_acceleration(s, o) : zero;
    lmb_frame aB = lmb_frame_acceleration(s, b);
    vec3 wO = observer ? frame_angular(O, &s->rates[o]) : v3(0, 0, 0);
    vec3 wB = frame_angular(B, &s->rates[b]), w = v3_sub(wB, wO);
    vec3 wdot = v3_sub(frame_angular(B, &aB), frame_angular(O, &aO));
    mat3 E = observer ? frame_rotation(O) : (mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    turning t = {.w = m3_tmul(&E, w), .wdot = m3_tmul(&E, v3_sub(wdot, v3_cross(wO, w)))};
    for (int j = 0; j < 3; j++)
        t.R.c[j] = m3_tmul(&E, B->e[j]);
    return t;
}

/* What is measured of a state: each coordinate that is no rotation, with its rate and acceleration;
 * then of each body the turn from a reference, angular velocity and angular acceleration; those of
 * the observer in its own axes, and its position, velocity and acceleration; rates of first-order
 * states. */
static bool of_observer(const lmb_small_motion *o, const lmb_motion_coordinate *c)
{
    return (c->kind == LMB_MOTION_POSITION || c->kind == LMB_MOTION_ROTATION) &&
           c->index == o->all.observer;
}

static size_t measured(const lmb_small_motion *o, const lmb_model *m)
{
    return 3 * (size_t)o->positions + 9 * (size_t)(m->body_count + 1) + (size_t)m->nz;
}

static void put(double *out, vec3 x)
{
    out[0] = x.x;
    out[1] = x.y;
    out[2] = x.z;
}

static lmb_jet coordinate_at(const lmb_state *s, int observer, const lmb_motion_coordinate *c)
{
    const lmb_model *m = s->model;
    if (c->kind == LMB_MOTION_JOINT)
        return lmb_coordinate_value(s, &m->parts.coordinates[c->index]);
    if (c->kind == LMB_MOTION_MODE || c->kind == LMB_MOTION_COLUMN) {
        const lmb_node *node = lmb_column_node(m, c->index);
        return (lmb_jet){s->q[node->q + c->index - node->v], s->v[c->index], s->a[c->index]};
    }
    if (c->kind == LMB_MOTION_ROTATION)
        return (lmb_jet){0, 0, 0};
    assert_int_equal(c->kind, LMB_MOTION_POSITION);
    int a = m->body_marker[observer], b = m->body_marker[c->index];
    lmb_frame zero = frame_zero(), v = observer ? s->rates[a] : zero;
    lmb_frame acceleration = observer ? lmb_frame_acceleration(s, a) : zero;
    lmb_frame other = lmb_frame_acceleration(s, b);
    vec3 d = v3_sub(s->frames[b].p, s->frames[a].p), d1 = v3_sub(s->rates[b].p, v.p);
    vec3 d2 = v3_sub(other.p, acceleration.p), e = s->frames[a].e[c->axis], e1 = v.e[c->axis];
    return (lmb_jet){v3_dot(d, e), v3_dot(d1, e) + v3_dot(d, e1),
                     v3_dot(d2, e) + 2 * v3_dot(d1, e1) + v3_dot(d, acceleration.e[c->axis])};
}

static void measure(const lmb_state *s, const lmb_small_motion *o, const turning *from, double *out)
{
    const lmb_model *m = s->model;
    double *turns = out + 3 * o->positions;
    for (int i = 0; i < o->positions; i++) {
        lmb_jet x = coordinate_at(s, o->all.observer, &o->all.list[o->coordinate[i]]);
        put(out + 3 * i, v3(x.f, x.d, x.dd));
    }
    for (int b = 1; b < m->body_count; b++) {
        bool itself = b == o->all.observer;
        turning t = turning_of(s, itself ? 0 : o->all.observer, b);
        mat3 rows, turned; /* R0^T, R R0^T */
        for (int j = 0; j < 3; j++)
            rows.c[j] = m3_tmul(&from[b].R, v3_axis(j));
        turned = itself ? m3_tmul3(&from[b].R, &t.R) : m3_mul3(&t.R, &rows);
        put(turns + 9 * b, quat_log(quat_from_matrix(&turned)));
        put(turns + 9 * b + 3, itself ? m3_tmul(&t.R, t.w) : t.w);
        put(turns + 9 * b + 6, itself ? m3_tmul(&t.R, t.wdot) : t.wdot);
    }
    int marker = m->body_marker[o->all.observer];
    lmb_frame a = o->all.observer ? lmb_frame_acceleration(s, marker) : frame_zero();
    put(turns + 9 * m->body_count, s->frames[marker].p);
    put(turns + 9 * m->body_count + 3, s->rates[marker].p);
    put(turns + 9 * m->body_count + 6, a.p);
    lmb_state_rate(s, turns + 9 * m->body_count + 9);
}

/* Moves along a state by h and closes the joints again, which is of second order in h if the
 * direction satisfies the rows; then everything is computed anew. */
static void move(lmb_solver *s, const lmb_state *base, const lmb_small_motion *o, int k, double h)
{
    const lmb_model *m = base->model;
    lmb_state_copy(s->state, base);
    lmb_set_time(s->state, base->t);
    for (int j = 0; j < m->nv; j++) {
        s->step[j] = k < o->positions ? h * o->dq[k * m->nv + j] : 0;
        s->state->v[j] += h * o->dv[k * m->nv + j];
    }
    if (k >= o->positions + o->speeds)
        s->state->z[k - o->positions - o->speeds] += h;
    lmb_retract(s->state, base->q, s->step);
    assert_true(lmb_solve_position(s));
    lmb_update_velocity(s->state);
    lmb_solver_factor(s);
    lmb_correct_velocity(s);
    assert_true(lmb_solve_augmented(s));
}

/* The derivatives of all that is measured along a state, by differences of order four. */
static void difference(lmb_solver *s, const lmb_state *base, const lmb_small_motion *o, int k,
                       const turning *from, double *out)
{
    static const int offset[4] = {-2, -1, 1, 2};
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    size_t n = (size_t)o->n, count = measured(o, base->model);
    double *there = calloc(count, sizeof *there), size = lmb_step_size(s, o->dv + (size_t)k * n);
    if (k < o->positions)
        size = fmax(size, lmb_step_size(s, o->dq + (size_t)k * n));
    double h = 2e-5 / fmax(size, 1e-3);
    memset(out, 0, count * sizeof *out);
    for (int p = 0; p < 4; p++) {
        move(s, base, o, k, offset[p] * h);
        measure(s->state, o, from, there);
        for (size_t i = 0; i < count; i++)
            out[i] += weight[p] * there[i] / h;
    }
    free(there);
}

/* The change of a coordinate from those of all that is measured. Of a rotation phi from a reference
 * that moves itself: phi' = dw + w x phi, phi'' = dwdot + wdot x phi + w x phi', and in the axes of
 * the body phi' = dW - W x phi. Of a displacement d in axes that turn with W: d' = E^T do' - W x d.
 */
static lmb_jet change_of(const lmb_small_motion *o, const lmb_model *m, int i,
                         const double *changes, const turning *from)
{
    const lmb_motion_coordinate *c = &o->all.list[o->coordinate[i]];
    const double *t = changes + 3 * o->positions;
    const turning *at = &from[c->index];
    vec3 axis = v3_axis(c->axis), x, rate, second;
    if (!of_observer(o, c) && c->kind != LMB_MOTION_ROTATION)
        return (lmb_jet){changes[3 * i], changes[3 * i + 1], changes[3 * i + 2]};
    if (!of_observer(o, c)) {
        x = v3_of(t + 9 * c->index);
        rate = v3_add(v3_of(t + 9 * c->index + 3), v3_cross(at->w, x));
        second = v3_add(v3_cross(at->wdot, x), v3_cross(at->w, rate));
        second = v3_add(second, v3_of(t + 9 * c->index + 6));
        return (lmb_jet){v3_dot(x, axis), v3_dot(rate, axis), v3_dot(second, axis)};
    }
    vec3 W = m3_tmul(&at->R, at->w), Wdot = m3_tmul(&at->R, at->wdot);
    vec3 d[3];
    t += 9 * (c->kind == LMB_MOTION_ROTATION ? c->index : m->body_count);
    for (int k = 0; k < 3; k++)
        d[k] =
            c->kind == LMB_MOTION_ROTATION ? v3_of(t + 3 * k) : m3_tmul(&at->R, v3_of(t + 3 * k));
    rate = v3_sub(d[1], v3_cross(W, d[0]));
    second = v3_sub(d[2], v3_add(v3_cross(Wdot, d[0]), v3_cross(W, rate)));
    if (c->kind == LMB_MOTION_POSITION)
        second = v3_sub(second, v3_cross(W, d[1]));
    return (lmb_jet){v3_dot(d[0], axis), v3_dot(rate, axis), v3_dot(second, axis)};
}

/* Both forms of the matrix have the same eigenvalues. Those of random matrices are found to 1e-13
 * of the largest, nearly multiple ones to its root. */
static void check_eigenvalues(const lmb_small_motion *o)
{
    size_t n = (size_t)o->states;
    double *room = calloc(2 * n * n + 4 * n + 1, sizeof *room), *vectors = room + n * n;
    double *re[2] = {vectors + n * n, vectors + n * n + n}, *im[2] = {re[1] + n, re[1] + 2 * n};
    double largest = 0;
    for (int form = 0; form < 2; form++) {
        memcpy(room, form ? o->free_A : o->A, n * n * sizeof *room);
        assert_true(lmb_dense_eigen(o->states, room, re[form], im[form], vectors));
    }
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, hypot(re[0][i], im[0][i]));
    for (size_t i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (size_t j = 0; j < n; j++)
            nearest = fmin(nearest, hypot(re[0][i] - re[1][j], im[0][i] - im[1][j]));
        assert_true(nearest <= 1e-6 * largest);
    }
    free(room);
}

/* (A - s) x = r by the full matrix, and by the sparse equations in the same coordinates. r is that
 * of a random x, so that rounding of A is what both differ by. */
static void check_sparse_solution(const lmb_small_motion *o, lmb_sparse_motion *sparse,
                                  lmb_complex shift)
{
    size_t n = (size_t)o->states, y = (size_t)o->positions, u = (size_t)o->speeds;
    lmb_complex *x = calloc(n + 1, sizeof *x), *w = calloc((size_t)sparse->size, sizeof *w);
    double *Ew = calloc((size_t)sparse->size, sizeof *Ew), largest = 0;
    double *part = calloc((size_t)sparse->size, sizeof *part);
    for (size_t i = 0; i < n; i++)
        x[i] = CMPLX(random_number(), random_number());
    for (size_t i = 0; i < n; i++) {
        lmb_complex r = -shift * x[i];
        for (size_t j = 0; j < n; j++) {
            r += o->A[j * n + i] * x[j];
            largest = fmax(largest, fabs(o->A[j * n + i]));
        }
        w[i < y       ? sparse->n - o->positions + (int)i
          : i < y + u ? 2 * sparse->n - o->speeds + (int)(i - y)
                      : 3 * sparse->n + sparse->rows + (int)(i - y - u)] = r;
    }
    assert_true(lmb_shifted_factor(sparse->matrix, shift));
    lmb_shifted_solve_complex(sparse->matrix, w);
    for (int k = 0; k < 2; k++) { /* the states are E w */
        for (int i = 0; i < sparse->size; i++)
            part[i] = k ? cimag(w[i]) : creal(w[i]);
        lmb_shifted_times_E(sparse->matrix, part, Ew);
        for (size_t i = 0; i < n; i++) {
            double found = Ew[i < y       ? sparse->n - o->positions + (int)i
                              : i < y + u ? 2 * sparse->n - o->speeds + (int)(i - y)
                                          : 3 * sparse->n + sparse->rows + (int)(i - y - u)];
            double off = fabs(found - (k ? cimag(x[i]) : creal(x[i])));
            assert_true(off <= 1e-11 * largest);
        }
    }
    free(x);
    free(w);
    free(Ew);
    free(part);
}

/* The eigenvalues, too: of each that is found by shift and invert there is one of A. Here the
 * largest is at most 1e4 times the lowest; both ways find it to about 1e-12, the one in the
 * numbers of A and the other in those of the inverse. */
static void check_sparse_modes(const lmb_small_motion *o, const lmb_sparse_motion *sparse)
{
    lmb_mode_list all, lowest;
    assert_ok(lmb_modes_of(o, context, &all));
    assert_ok(lmb_sparse_modes(sparse, 1000, &lowest));
    assert_int_equal(lowest.count, all.count);
    for (int i = 0; i < lowest.count; i++) {
        const lmb_mode *mode = &lowest.modes[i];
        double nearest = INFINITY;
        for (int k = 0; k < all.count; k++)
            nearest = fmin(nearest, hypot(all.modes[k].real - mode->real,
                                          all.modes[k].imaginary - mode->imaginary));
        assert_true(nearest <= 1e-8 * hypot(mode->real, mode->imaginary));
    }
    lmb_mode_list_free(&all);
    lmb_mode_list_free(&lowest);
}

static void check_sparse(const lmb_small_motion *o, lmb_solver *s, int observer)
{
    lmb_sparse_motion *sparse;
    lmb_chosen_coordinates same = {o->positions, o->speeds, o->coordinate, o->rate};
    assert_ok(lmb_sparse_motion_new(&sparse, s, observer, &same));
    check_sparse_solution(o, sparse, 1.7);
    check_sparse_solution(o, sparse, CMPLX(0.3, -2.1));
    check_sparse_modes(o, sparse);
    lmb_sparse_motion_free(sparse);
}

/* A, y and u against the differences. Joints are closed to 1e-13, which over a step of 2e-5 is
 * 1e-8; longer steps miss how steeply friction changes accelerations. 1e-6 of the largest is asked
 * for. */
static void check_motion(lmb_solver *s, int observer)
{
    const lmb_model *m = s->state->model;
    lmb_small_motion *o;
    lmb_state *base = lmb_state_new(m);
    turning *from = calloc((size_t)m->body_count, sizeof *from);
    assert_ok(lmb_small_motion_new(&o, s, observer));
    check_eigenvalues(o);
    check_sparse(o, s, observer);
    lmb_state_copy(base, s->state);
    for (int b = 1; b < m->body_count; b++)
        from[b] = turning_of(s->state, b == observer ? 0 : observer, b);
    double *changes = calloc(measured(o, m), sizeof *changes);
    for (int k = 0; k < o->states; k++) {
        const double *column = o->A + (size_t)k * (size_t)o->states;
        double size = 1;
        difference(s, base, o, k, from, changes);
        for (int i = 0; i < o->states; i++)
            size = fmax(size, fabs(column[i]));
        for (int i = 0; i < o->positions; i++) {
            lmb_jet x = change_of(o, m, i, changes, from);
            assert_close(x.f, i == k, 1e-7);
            assert_close(x.d / size, column[i] / size, 1e-6);
        }
        for (int i = 0; i < o->speeds; i++) {
            lmb_jet x = change_of(o, m, o->rate[i], changes, from);
            assert_close(x.dd / size, column[o->positions + i] / size, 1e-6);
        }
        for (int i = 0; i < m->nz; i++)
            assert_close(changes[measured(o, m) - (size_t)(m->nz - i)] / size,
                         column[o->positions + o->speeds + i] / size, 1e-6);
    }
    lmb_state_copy(s->state, base);
    lmb_update(s->state, base->t);
    lmb_state_free(base);
    lmb_small_motion_free(o);
    free(from);
    free(changes);
}

/* Every registered joint is among the samples. */
static void check_samples(void)
{
    for (int i = 0; lmb_joint_types[i]; i++) {
        char type[64];
        bool found = false;
        snprintf(type, sizeof type, "{type: %s,", lmb_joint_types[i]->name);
        for (size_t k = 0; k < sizeof spatial / sizeof *spatial; k++)
            found = found || strstr(spatial[k].joints, type);
        for (size_t k = 0; k < sizeof planar / sizeof *planar; k++)
            found = found || strstr(planar[k].joints, type);
        if (!found)
            fail_msg("there is no sample of %s", type);
    }
}

static void matrices_are_those_of_the_exact_motion(void **unused)
{
    (void)unused;
    check_samples();
    size_t counts[2] = {sizeof planar / sizeof *planar, sizeof spatial / sizeof *spatial};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t i = 0; i < counts[dimension - 2]; i++)
            for (int kind = 0; kind < RANDOM_KINDS; kind++) {
                lmb_model *m = small_model(dimension, dimension == 2 ? &planar[i] : &spatial[i],
                                           (random_kind)kind);
                lmb_solver *s = random_motion(m);
                check_motion(s, 0);
                check_motion(s, 2);
                lmb_solver_free(s);
                lmb_model_free(m);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_those_of_the_exact_motion),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
