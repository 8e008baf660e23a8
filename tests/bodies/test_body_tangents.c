/* Conformance of every body by itself: derivatives of its frames, of its coordinates and of what
 * forces do to it against central differences of second order, whose step of 1e-5 leaves 1e-10
 * times the third derivative and rounding over 1e-5; and its balances of energy and momentum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_models.h"
#include "support.h"

#include <float.h>

static const double h = 1e-5, tolerance = 1e-7;

enum { MOST = 16 }; /* coordinates of a body */

static void compare_frames(const char *what, const lmb_frame *x, const lmb_frame *y)
{
    lmb_frame off = *x;
    frame_add(&off, -1, y);
    double size = sqrt(frame_dot(&off, &off));
    if (size > tolerance * 10 * fmax(1, sqrt(frame_dot(y, y))))
        fail_msg("%s: off by %g", what, size);
}

/* (f(x+) - f(x-)) / 2h of two frames */
static lmb_frame slope(const lmb_frame *plus, const lmb_frame *minus)
{
    lmb_frame d = frame_zero();
    frame_add(&d, 1 / (2 * h), plus);
    frame_add(&d, -1 / (2 * h), minus);
    return d;
}

/* Where bodies keep what they know of their deformation, as long as a test lasts. */
static lmb_arena *rooms;

/* A body in a configuration, up to date. */
static lmb_body_at placed(const lmb_body *b, const double *q, const double *v)
{
    static const double z[MOST];
    lmb_body_at at = {.body = b, .q = q, .v = v, .z = z};
    if (b->ops->make_room)
        at.work = b->ops->make_room(b, rooms);
    b->ops->update(&at);
    return at;
}

/* q (+) d, q1 (-) q0 and N(q) v of all nodes of a body. */
static void retract(const lmb_body *b, const double *q, const double *d, double *out)
{
    for (int k = 0; k < b->node_count; k++)
        lmb_node_retract(&b->nodes[k], q + (b->nodes[k].q - b->q), d + (b->nodes[k].v - b->v),
                         out + b->nodes[k].q - b->q);
}

static void difference(const lmb_body *b, const double *q0, const double *q1, double *d)
{
    for (int k = 0; k < b->node_count; k++)
        lmb_node_difference(&b->nodes[k], q0 + b->nodes[k].q - b->q, q1 + b->nodes[k].q - b->q,
                            d + b->nodes[k].v - b->v);
}

static void rate(const lmb_body *b, const double *q, const double *v, double *qdot)
{
    for (int k = 0; k < b->node_count; k++)
        lmb_node_rate(&b->nodes[k], q + b->nodes[k].q - b->q, v + b->nodes[k].v - b->v,
                      qdot + b->nodes[k].q - b->q);
}

/* A frame, its rate for the velocities w of its marker, its bias and a load for a body moved by dq
 * and dv. */
static void probe(const lmb_body *b, const lmb_marker *marker, const double *q, const double *v,
                  const double *dq, const double *dv, const double *w, lmb_frame out[3],
                  const lmb_frame *force, double *load)
{
    double qn[MOST], vn[MOST];
    retract(b, q, dq, qn);
    for (int i = 0; i < b->nv; i++)
        vn[i] = v[i] + dv[i];
    lmb_body_at at = placed(b, qn, vn);
    b->ops->frame(&at, marker, &out[0]);
    b->ops->frame_rate(&at, marker, &out[0], w, &out[1]);
    b->ops->frame_bias(&at, marker, &out[0], &out[2]);
    b->ops->frame_load(&at, marker, &out[0], force, load);
}

static lmb_frame random_frame(void)
{
    return (lmb_frame){v3(random_number(), random_number(), random_number()),
                       {v3(random_number(), random_number(), random_number()),
                        v3(random_number(), random_number(), random_number()),
                        v3(random_number(), random_number(), random_number())}};
}

/* One column: derivatives along velocity coordinate j of the body, which is coordinate j - first of
 * the marker; along coordinates that the marker does not depend on nothing changes. */
static void check_column(const lmb_body *b, const lmb_marker *marker, const double *q,
                         const double *v, const double *w, const lmb_frame *force, int j)
{
    double zero[MOST] = {0}, forward[MOST], backward[MOST], load[MOST], tangent[MOST * MOST];
    double step[MOST] = {0}, back[MOST] = {0}, direction[MOST] = {0};
    lmb_frame x[3], plus[3], minus[3], rate_q[MOST], bias_q[MOST], bias_v[MOST];
    int k = j - (marker->v - b->v), n = marker->nv;
    bool depends = k >= 0 && k < n;
    probe(b, marker, q, v, zero, zero, w, x, force, load);
    lmb_body_at at = placed(b, q, v);
    b->ops->frame_rate_tangent(&at, marker, &x[0], w, rate_q);
    b->ops->frame_bias_tangent(&at, marker, &x[0], bias_q, bias_v);
    b->ops->frame_load_tangent(&at, marker, &x[0], force, tangent);
    step[j] = h;
    back[j] = -h;
    probe(b, marker, q, v, step, zero, w, plus, force, forward);
    probe(b, marker, q, v, back, zero, w, minus, force, backward);
    lmb_frame none = frame_zero(), unit = none, d = slope(&plus[0], &minus[0]);
    if (depends) {
        direction[k] = 1;
        b->ops->frame_rate(&at, marker, &x[0], direction, &unit);
    }
    compare_frames("frame_rate", &unit, &d);
    if (depends && b->ops->frame_columns) {
        lmb_frame columns[MOST];
        b->ops->frame_columns(&at, marker, &x[0], columns);
        compare_frames("frame_columns", &columns[k], &d);
    }
    d = slope(&plus[1], &minus[1]);
    compare_frames("frame_rate_tangent", depends ? &rate_q[k] : &none, &d);
    d = slope(&plus[2], &minus[2]);
    compare_frames("frame_bias_tangent by q", depends ? &bias_q[k] : &none, &d);
    for (int i = 0; i < n; i++)
        assert_close(depends ? tangent[k * n + i] : 0, (forward[i] - backward[i]) / (2 * h), 1e-6);
    probe(b, marker, q, v, zero, step, w, plus, force, forward);
    probe(b, marker, q, v, zero, back, w, minus, force, backward);
    d = slope(&plus[2], &minus[2]);
    compare_frames("frame_bias_tangent by v", depends ? &bias_v[k] : &none, &d);
}

static void check_body(const lmb_body *b, const lmb_marker *marker, const double *q)
{
    double v[MOST], w[MOST], zero[MOST] = {0}, load[MOST];
    int first = marker->v - b->v;
    for (int i = 0; i < b->nv; i++)
        v[i] = 2 * random_number() * unit_of(b, i);
    for (int i = 0; i < marker->nv; i++)
        w[i] = random_number() * unit_of(b, first + i);
    lmb_frame x[3], plus[3], minus[3], force = random_frame();
    probe(b, marker, q, v, zero, zero, w, x, &force, load);
    /* power of a force on a velocity is the same on both sides of the waist */
    double power = 0;
    for (int i = 0; i < marker->nv; i++)
        power += load[i] * w[i];
    assert_close(power, frame_dot(&force, &x[1]), 1e-13);
    for (int j = 0; j < b->nv; j++)
        check_column(b, marker, q, v, w, &force, j);
    /* bias is the change of the velocity J v along v */
    double ahead[MOST], behind[MOST], other[MOST];
    for (int i = 0; i < b->nv; i++) {
        ahead[i] = h * v[i];
        behind[i] = -h * v[i];
    }
    probe(b, marker, q, v, ahead, zero, v + first, plus, &force, other);
    probe(b, marker, q, v, behind, zero, v + first, minus, &force, other);
    lmb_frame d = slope(&plus[1], &minus[1]);
    compare_frames("frame_bias", &x[2], &d);
}

/* T(d) and P(d) of a node that turns: what changes of d, and of q, become at q (+) d. */
static void check_operators(const lmb_node *node, const double *q, const double *d)
{
    double T[LMB_TURN_NUMBERS], q1[MOST], qa[MOST], qb[MOST], xa[MOST], xb[MOST], P[MOST];
    lmb_node_retract(node, q, d, q1);
    if (lmb_node_turns(node))
        lmb_node_tangent(node, d, T);
    for (int j = 0; j < node->nv; j++) {
        double ahead[MOST], behind[MOST], unit[MOST] = {0};
        memcpy(ahead, d, (size_t)node->nv * sizeof *d);
        memcpy(behind, d, (size_t)node->nv * sizeof *d);
        ahead[j] += h;
        behind[j] -= h;
        lmb_node_retract(node, q, ahead, qa);
        lmb_node_retract(node, q, behind, qb);
        lmb_node_difference(node, q1, qa, xa);
        lmb_node_difference(node, q1, qb, xb);
        for (int i = 0; i < node->nv; i++) {
            bool turns = lmb_node_turns(node) && i >= LMB_TURN_FIRST && j >= LMB_TURN_FIRST;
            double exact =
                turns ? T[LMB_TURN_COUNT * (j - LMB_TURN_FIRST) + i - LMB_TURN_FIRST] : i == j;
            assert_close(exact, (xa[i] - xb[i]) / (2 * h), tolerance);
        }
        unit[j] = h;
        lmb_node_retract(node, q, unit, qa);
        lmb_node_retract(node, qa, d, qa);
        unit[j] = -h;
        lmb_node_retract(node, q, unit, qb);
        lmb_node_retract(node, qb, d, qb);
        lmb_node_difference(node, q1, qa, xa);
        lmb_node_difference(node, q1, qb, xb);
        unit[j] = 1;
        lmb_node_transport(node, d, unit, P);
        for (int i = 0; i < node->nv; i++)
            assert_close(P[i], (xa[i] - xb[i]) / (2 * h), tolerance);
    }
}

/* q (+) d and its inverse, and qdot = N v as the derivative of (+). */
static void check_coordinates_of(const lmb_body *b, const double *q)
{
    double d[MOST] = {0}, back[MOST], q1[MOST], plus[MOST], minus[MOST], qdot[MOST];
    for (int i = 0; i < b->nv; i++)
        d[i] = random_number();
    retract(b, q, d, q1);
    difference(b, q, q1, back);
    for (int i = 0; i < b->nv; i++)
        assert_close(back[i], d[i], 1e-13);
    for (int k = 0; k < b->node_count; k++)
        check_operators(&b->nodes[k], q + b->nodes[k].q - b->q, d + b->nodes[k].v - b->v);
    rate(b, q, d, qdot);
    for (int i = 0; i < b->nv; i++)
        back[i] = h * d[i];
    retract(b, q, back, plus);
    for (int i = 0; i < b->nv; i++)
        back[i] = -h * d[i];
    retract(b, q, back, minus);
    for (int i = 0; i < b->nq; i++)
        assert_close(qdot[i], (plus[i] - minus[i]) / (2 * h), tolerance);
}

static void every_body_has_exact_derivatives(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int repeat = 0; repeat < 5 * RANDOM_KINDS; repeat++) {
            random_bodies = (random_kind)(repeat / 5);
            rooms = lmb_arena_new();
            lmb_model *m =
                compile_random(random_model_text(lmb_joint_types[0], dimension, "[A.a, B.b]"));
            lmb_state *s = random_state(m);
            for (int i = 0; i < m->parts.marker_count; i++) {
                const lmb_marker *marker = &m->parts.markers[i];
                const lmb_body *b = &m->bodies[marker->body];
                check_body(b, marker, s->q + b->q);
                check_coordinates_of(b, s->q + b->q);
            }
            lmb_arena_free(rooms);
            lmb_state_free(s);
            lmb_model_free(m);
        }
}

/* Potential and elastic energy, and the kinetic one. */
static double energy_of(const lmb_state *s)
{
    lmb_balance b = lmb_total_balance(s);
    return b.kinetic + b.potential + lmb_elastic_energy(s);
}

/* Products with the mass are those of its matrix, up to the rounding of nv sums. */
static void mass_times_is_the_matrix(void **unused)
{
    (void)unused;
    for (int variant = 0; variant < 2 * RANDOM_KINDS; variant++) {
        random_bodies = (random_kind)(variant / 2);
        lmb_model *m =
            compile_random(random_model_text(lmb_joint_types[0], 2 + variant % 2, "[A.a, B.b]"));
        lmb_state *s = random_state(m);
        size_t n = (size_t)m->nv;
        double *M = calloc(n * n, sizeof *M), *y = calloc(n, sizeof *y);
        lmb_mass_matrix(s, M);
        lmb_mass_times(s, s->a, y);
        double size = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                y[i] -= M[j * n + i] * s->a[j];
                size += fabs(M[j * n + i] * s->a[j]);
            }
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(y[i]) <= 4 * (double)n * DBL_EPSILON * size);
        free(M), free(y);
        lmb_state_free(s);
        lmb_model_free(m);
    }
}

/* Kinetic energy is v M v / 2; its rate and the power of Q agree for a free body. */
static void energy_and_momentum_balance(void **unused)
{
    (void)unused;
    for (int variant = 0; variant < 2 * RANDOM_KINDS; variant++) {
        int dimension = 2 + variant % 2;
        random_bodies = (random_kind)(variant / 2);
        lmb_model *m =
            compile_random(random_model_text(lmb_joint_types[0], dimension, "[A.a, B.b]"));
        lmb_state *s = random_state(m);
        double *Mv = calloc((size_t)m->nv, sizeof *Mv), *Q = calloc((size_t)m->nv, sizeof *Q);
        lmb_mass_times(s, s->v, Mv);
        double kinetic = 0, power = 0;
        for (int i = 0; i < m->nv; i++)
            kinetic += s->v[i] * Mv[i] / 2;
        assert_close(lmb_total_balance(s).kinetic, kinetic, 1e-13);

        /* the power of Q is what the energies lose along a motion without accelerations, for the
         * mass of a flexible body changes with its shape, and what damping takes */
        m->force_count = 0;
        lmb_total_force(s, Q);
        for (int i = 0; i < m->nv; i++)
            power += Q[i] * s->v[i];
        lmb_state *plus = moved_state(s, s->v, h, NULL, 0),
                  *minus = moved_state(s, s->v, -h, NULL, 0);
        double *zdot = calloc((size_t)m->nz + 1, sizeof *zdot);
        lmb_state_rate(s, zdot);
        for (int i = 0; i < m->nz; i++) {
            plus->z[i] += h * zdot[i];
            minus->z[i] -= h * zdot[i];
        }
        free(zdot);
        double rate = (energy_of(plus) - energy_of(minus)) / (2 * h);
        for (int i = 0; i < m->body_count; i++)
            if (m->bodies[i].ops->loss)
                rate += m->bodies[i].ops->loss(&s->bodies[i]);
        assert_close(power, -rate, tolerance);

        /* linear momentum is the gradient of the kinetic energy by a common velocity */
        vec3 p = lmb_total_balance(s).momentum;
        for (int i = 0; i < m->node_count; i++)
            if (lmb_node_class(&m->nodes[i], 0) == LMB_CLASS_LENGTH)
                s->v[m->nodes[i].v] += 1;
        lmb_update_velocity(s);
        double mass = 0;
        for (int i = 0; i < m->body_count; i++)
            mass += m->bodies[i].mass;
        assert_close(lmb_total_balance(s).kinetic - kinetic, p.x + mass / 2, 1e-12);
        free(Mv);
        free(Q);
        lmb_state_free(plus);
        lmb_state_free(minus);
        lmb_state_free(s);
        lmb_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_has_exact_derivatives),
        cmocka_unit_test(energy_and_momentum_balance),
        cmocka_unit_test(mass_times_is_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
