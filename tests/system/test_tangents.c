/* Conformance of every body and joint: all derivatives against central differences.
 *
 * For each registered kind of joint a model is written from its table of fields, with random points
 * and axes, and put into a random state (not assembled: the derivatives hold anywhere) with large
 * rotations, velocities and multipliers, and flexible bodies so deformed that their ends turn by
 * half a radian: small deformations hide what is missing. A new joint or body needs no new test
 * code here.
 *
 * Tolerance: fourth-order differences with a step of 1e-4 are good to about 1e-16 times the fifth
 * derivative (truncation) and 1e-16/1e-4 times the value (rounding); both may be 1e4, so 1e-7.
 * Bodies alone are smoother: second order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/modal.h"
#include "limber/limber.h"
#include "support.h"
#include "system/equations.h"

static const double h = 1e-5, tolerance = 1e-7;

static unsigned long seed = 1;

static double uniform(void)
{
    seed = (seed * 6364136223846793005UL + 1442695040888963407UL);
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

/* --- models ----------------------------------------------------------------------------------- */

/* Whether the bodies A and B are flexible. */
static bool flexible;

static void put_vector(FILE *f, int dimension, double size)
{
    fprintf(f, "[%.6f, %.6f", size * uniform(), size * uniform());
    if (dimension == 3)
        fprintf(f, ", %.6f", size * uniform());
    fprintf(f, "]");
}

/* A soft beam between two points. */
static void put_beam(FILE *f, const char *name, int dimension)
{
    fprintf(f, "  %s: {beam: {from: ", name);
    put_vector(f, dimension, 0.3);
    fprintf(f, ", to: \"[0.6, -0.5%s] + ", dimension == 3 ? ", 0.4" : "");
    put_vector(f, dimension, 0.2);
    fprintf(f, "\", elements: 3, section: {rectangle: {width: 0.1, height: 0.2}}, "
               "material: {E: 2e3, nu: 0.3, density: 80}}, interfaces: {a: start, b: end}, "
               "reduction: {modes: 1, keep: 4, frame: {point: b}}, damping: 0.1, position: ");
    put_vector(f, dimension, 1.5);
    fprintf(f, dimension == 2 ? ", angle: %.6f}\n" : ", rotation: [%.6f, -0.9, 0.6]}\n",
            2 * uniform());
}

static void put_body(FILE *f, const char *name, int dimension)
{
    fprintf(f, "  %s: {mass: 1.3, inertia: %s, position: ", name,
            dimension == 2 ? "0.7" : "[0.7, 0.9, 0.5, 0.1, -0.05, 0.02]");
    put_vector(f, dimension, 1.5);
    fprintf(f, dimension == 2 ? ", angle: %.6f" : ", rotation: [%.6f, -0.9, 0.6]", 2 * uniform());
    fprintf(f, ", points: {a: ");
    put_vector(f, dimension, 0.8);
    fprintf(f, ", b: ");
    put_vector(f, dimension, 0.8);
    fprintf(f, "}}\n");
}

/* The keys of a joint, from its table of fields. */
static void put_fields(FILE *f, const lmb_joint_type *type, int dimension)
{
    for (const lmb_field *field = type->fields; field->name; field++) {
        if (field->dimension && field->dimension != dimension)
            continue;
        fprintf(f, ", %s: ", field->name);
        switch (field->type) {
        case LMB_FIELD_VECTOR:
            put_vector(f, dimension, 1);
            break;
        case LMB_FIELD_NUMBERS:
            fprintf(f, "[0.3, 0.7]");
            break;
        case LMB_FIELD_FLAG:
            fprintf(f, "true");
            break;
        case LMB_FIELD_JOINTS:
            fprintf(f, strcmp(type->name, "rack") == 0 ? "[hinge, slide]" : "[hinge, hinge2]");
            break;
        default:
            fprintf(f, "0.4");
        }
    }
}

/* Forces of every kind, with laws that are not linear. */
static void put_forces(FILE *f, int dimension)
{
    const char *vector = dimension == 2 ? "[3 + t, sin(t)]" : "[3 + t, sin(t), -2]";
    fprintf(f,
            "  f1: {type: spring, between: [A.a, B.b], stiffness: 30, damping: 4, length: 0.3,"
            " force: 5*length^2*speed + t}\n"
            "  f2: {type: torsion-spring, joint: hinge, stiffness: 7, damping: 2, angle: 0.2}\n"
            "  f3: {type: motor, joint: hinge2, effort: 3*sin(angle)*speed^2 - t}\n"
            "  f4: {type: motor, joint: slide, effort: -40*offset^3 - 2*speed}\n"
            "  f5: {type: force, at: B.a, force: %s}\n"
            "  f6: {type: force, at: C.b, force: %s, axes: body}\n"
            "  f7: {type: torque, at: A.b, torque: %s}\n"
            "  f8: {type: torque, at: C.a, torque: %s, axes: body}\n"
            "  f9: {type: spring, between: [ground, P], stiffness: 11}\n",
            vector, vector, dimension == 2 ? "2*t" : vector, dimension == 2 ? "1 - t" : vector);
    fprintf(f,
            "  f10: {type: bushing, between: [A.b, C.a], stiffness: %s, damping: %s, preload: %s,"
            " rest: %s}\n"
            "  f11: {type: bushing, between: [ground, B.b], stiffness: %s}\n",
            dimension == 2 ? "[[20, 3, 1], [-2, 30, 4], [1, 4, 8]]"
                           : "[[20, 3, 1, 0, 1, 2], [-2, 30, 4, 1, 1, 0], [1, 4, 8, 0, 0, 2],"
                             " [0, 1, 0, 5, 1, 2], [1, 1, 0, 1, 6, 0], [2, 0, 1, 0, 1, 7]]",
            dimension == 2 ? "[2, 3, 1]" : "[2, 3, 1, 0.5, 0.8, 0.7]",
            dimension == 2 ? "[3, -1, 2]" : "[3, -1, 2, 0.5, 1, -2]",
            dimension == 2 ? "[0.1, 0.2, -0.4]" : "[0.1, 0.2, -0.4, 0.6, 0.3, -0.5]",
            dimension == 2 ? "[9, 8, 7]" : "[9, 8, 7, 6, 5, 4]");
    const char *law = dimension == 2
                          ? "[A.velocity.x^2, sin(C.b.position.y)*B.angle^2]"
                          : "[A.velocity.x^2, C.b.position.y*hinge.angle, B.angular_velocity.z^3]";
    const char *turn =
        dimension == 2 ? "slide.offset^2*A.angular_velocity"
                       : "[slide.offset_velocity^2, A.angular_velocity_local.y, C.b.velocity.z]";
    fprintf(f,
            "  f12: {type: force, at: B.a, force: \"%s\"}\n"
            "  f13: {type: torque, at: C.a, torque: \"%s\", axes: body}\n"
            "  f14: {type: motor, joint: hinge, effort: angle*hinge2.angle_velocity*A.position.x"
            " + speed*P.velocity.y}\n"
            "  f15: {type: spring, between: [A.a, P],"
            " force: length*hinge.angle + C.position.x*slide.offset^2}\n",
            law, turn);
    fprintf(f,
            "  f17: {type: friction, joint: hinge, coefficient: 0.3, radius: 0.2,"
            " stick_speed: 2, viscous: 0.5}\n"
            "  f18: {type: friction, joint: slide, coefficient: 0.7, stick_speed: 3}\n"
            "  f19: {type: unbalance, at: A.b, unbalance: 0.4, angle: 0.7%s}\n",
            dimension == 2 ? "" : ", axis: [0.3, -0.5, 0.8]");
}

static char *write_model(const lmb_joint_type *type, int dimension, const char *between)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "limber: 1\ndimension: %d\ngravity: ", dimension);
    put_vector(f, dimension, 9);
    fprintf(f, "\nbodies:\n");
    (flexible ? put_beam : put_body)(f, "A", dimension);
    (flexible ? put_beam : put_body)(f, "B", dimension);
    put_body(f, "C", dimension);
    fprintf(f, "  P: {type: particle, mass: 2, position: ");
    put_vector(f, dimension, 1.5);
    fprintf(f, "}\njoints:\n");
    const char *axis = dimension == 2 ? "[0.6, 0.8]" : "[0.6, 0.5, -0.4]";
    fprintf(f, "  hinge: {type: revolute, between: [A.b, B.a]%s%s}\n",
            dimension == 3 ? ", axis: " : "", dimension == 3 ? axis : "");
    fprintf(f, "  hinge2: {type: revolute, between: [B.b, C.a]%s%s}\n",
            dimension == 3 ? ", axis: " : "", dimension == 3 ? axis : "");
    fprintf(f, "  slide: {type: translational, between: [C.b, A.a], axis: %s}\n", axis);
    fprintf(f, "  tested: {type: %s", type->name);
    if (!type->coupling)
        fprintf(f, ", between: %s", between);
    put_fields(f, type, dimension);
    fprintf(f, "}\nforces:\n");
    put_forces(f, dimension);
    if (strcmp(type->name, "distance") == 0)
        fprintf(f,
                "  f16: {type: force, at: C, force: [tested.length^2, "
                "tested.length*tested.length_velocity%s]}\n",
                dimension == 2 ? "" : ", 1");
    fclose(f);
    return text;
}

static lmb_model *compile(char *text)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model = NULL;
    if (!lmb_spec_parse(&spec, context, "test", text)) {
        lmb_model_compile(&model, context, spec);
        lmb_spec_free(spec);
    }
    if (!model)
        print_error("%s\n%s\n", lmb_message_at(context, 0)->text, text);
    assert_non_null(model);
    lmb_context_free(context);
    free(text);
    return model;
}

/* The same model with a driver on every coordinate of the tested joint. */
static lmb_model *with_drivers(const lmb_joint_type *type, int dimension, const char *between)
{
    unsigned long keep = seed;
    lmb_model *plain = compile(write_model(type, dimension, between));
    const lmb_joint *joint = &plain->joints[plain->joint_count - 1];
    static const char *const laws[] = {"angle", "offset", "length"};
    seed = keep;
    char *text = write_model(type, dimension, between), *driven;
    size_t size;
    FILE *f = open_memstream(&driven, &size);
    fprintf(f, "%s%s", text, joint->coordinate_count ? "drivers:\n" : "");
    for (int i = 0; i < joint->coordinate_count; i++) {
        const lmb_coordinate *c = &plain->parts.coordinates[joint->coordinate + i];
        fprintf(f, "  d%d: {joint: tested, coordinate: %s, %s: 0.8 + 0.7*t + 0.4*sin(3*t)}\n", i,
                c->name, laws[c->kind]);
    }
    fclose(f);
    free(text);
    lmb_model_free(plain);
    return compile(driven);
}

/* --- states ----------------------------------------------------------------------------------- */

/* The size of a coordinate: modal ones are measured by how far the ends move and turn. */
static double unit_of(const lmb_body *b, int i)
{
    const lmb_modal *modal = b->modal;
    int k = i - b->rigid_nv;
    if (!modal || k < 0)
        return 1;
    return 1 / (v3_norm(modal->points[0].phi[k]) + v3_norm(modal->points[1].phi[k]) +
                v3_norm(modal->points[0].psi[k]));
}

/* Deforms a flexible body so that an end turns by half a radian. */
static void deform(const lmb_body *b, lmb_state *s)
{
    for (int i = b->rigid_nv; b->modal && i < b->nv; i++) {
        s->q[b->q + b->nq - b->nv + i] = 0.5 * uniform() * unit_of(b, i);
        s->v[b->v + i] = uniform() * unit_of(b, i);
        s->a[b->v + i] = uniform() * unit_of(b, i);
    }
}

static lmb_state *random_state(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    assert_non_null(s);
    for (int i = 0; i < m->nv; i++) {
        s->v[i] = 2 * uniform();
        s->a[i] = 3 * uniform();
    }
    for (int i = 0; i < m->body_count; i++)
        deform(&m->bodies[i], s);
    for (int i = 0; i < m->nrows; i++)
        s->lambda[i] = 5 * uniform();
    lmb_set_time(s, 0.4);
    lmb_update_position(s);
    lmb_update_velocity(s);
    return s;
}

/* Whether no angle is taken between axes far from parallel and no rolling disc lies nearly flat:
 * there the functions are steep, and differences say little. */
static bool well_conditioned(const lmb_state *s)
{
    const lmb_rows *parts = &s->model->parts;
    for (int i = 0; i < parts->coordinate_count + parts->term_count; i++) {
        const lmb_term *term = &parts->terms[i - parts->coordinate_count];
        const lmb_coordinate *c = &parts->coordinates[i];
        bool is_coordinate = i < parts->coordinate_count;
        lmb_product_kind kind = is_coordinate ? c->product.kind : term->product.kind;
        const lmb_pair *p = &parts->pairs[is_coordinate ? c->pair : term->pair];
        const lmb_frame *A = &s->frames[p->a], *B = &s->frames[p->b];
        double plane = hypot(v3_dot(A->e[0], B->e[0]), v3_dot(A->e[1], B->e[0]));
        double tilt = fabs(v3_dot(A->e[2], B->e[2]));
        if ((kind == LMB_ANGLE && plane < 0.4) || (kind == LMB_RIM && tilt > 0.9))
            return false;
    }
    return true;
}

/* The state moved along d by eps (velocities along w, time by tau). */
static lmb_state *moved(const lmb_state *from, const double *d, double eps, const double *w,
                        double tau)
{
    lmb_state *s = lmb_state_new(from->model);
    lmb_state_copy(s, from);
    double *step = calloc((size_t)from->model->nv + 1, sizeof *step);
    for (int i = 0; i < from->model->nv; i++) {
        step[i] = d ? eps * d[i] : 0;
        s->v[i] += w ? eps * w[i] : 0;
    }
    lmb_retract(s, from->q, step);
    lmb_set_time(s, from->t + tau * eps);
    lmb_update_position(s);
    lmb_update_velocity(s);
    free(step);
    return s;
}

/* The state a little later or earlier in its motion. */
static lmb_state *motion(const lmb_state *s, double eps)
{
    return moved(s, s->v, eps, s->a, 1);
}

typedef void vector_of(lmb_state *s, double *out);

static void rows_of(lmb_state *s, double *out)
{
    lmb_constraints(s, out);
}

/* Phi_q v + Phi_t */
static void rates_of(lmb_state *s, double *out)
{
    double *nu = calloc((size_t)s->model->nrows + 1, sizeof *nu);
    lmb_jacobian(s);
    lmb_jacobian_times(s, s->v, out);
    lmb_velocity_side(s, nu);
    for (int r = 0; r < s->model->nrows; r++)
        out[r] -= nu[r];
    free(nu);
}

/* M a + Phi_q^T lambda - Q */
static void balance_of(lmb_state *s, double *out)
{
    const lmb_model *m = s->model;
    double *Q = calloc((size_t)m->nv + 1, sizeof *Q);
    double *minus = calloc((size_t)m->nrows + 1, sizeof *minus);
    lmb_mass_times(s, s->a, out);
    lmb_total_force(s, Q);
    for (int i = 0; i < m->nv; i++)
        out[i] -= Q[i];
    for (int r = 0; r < m->nrows; r++)
        minus[r] = -s->lambda[r];
    lmb_jacobian(s);
    lmb_jacobian_transposed_subtract(s, minus, out);
    free(Q);
    free(minus);
}

/* The weights of a fourth-order central difference at -2, -1, 1, 2 steps. */
static const int offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
static const double step_size = 1e-4;

/* Central difference of a vector along a direction. */
static void difference(const lmb_state *s, vector_of *f, int n, const double *d, const double *w,
                       double tau, double *out)
{
    double *value = calloc((size_t)n + 1, sizeof *value);
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < 4; k++) {
        lmb_state *there = moved(s, d, offset[k] * step_size, w, tau);
        f(there, value);
        for (int i = 0; i < n; i++)
            out[i] += weight[k] * value[i] / step_size;
        lmb_state_free(there);
    }
    free(value);
}

static void compare(const char *what, const lmb_model *m, const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        if (fabs(x[i] - y[i]) > tolerance * fmax(1, fabs(y[i]))) {
            char name[96] = "";
            if (n == m->nrows)
                lmb_row_name(m, i, name, sizeof name);
            fail_msg("%s: entry %d (%s) is %.12g, differences give %.12g; joint %s", what, i, name,
                     x[i], y[i], m->joints[m->joint_count - 1].type->name);
        }
}

/* --- what is checked -------------------------------------------------------------------------- */

static void check_rows(lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    double *d = calloc(n + 1, sizeof *d), *x = calloc(rows + n + 1, sizeof *x);
    double *y = calloc(rows + n + 1, sizeof *y), *z = calloc(rows + 1, sizeof *z);
    for (size_t i = 0; i < n; i++)
        d[i] = uniform();

    /* Jacobian: velocity-level rows have no value */
    lmb_jacobian(s);
    lmb_jacobian_times(s, d, x);
    for (int r = 0; r < m->nrows; r++)
        if (m->parts.rows[r].velocity_level)
            x[r] = 0;
    difference(s, rows_of, m->nrows, d, NULL, 0, y);
    compare("Phi_q d", m, x, y, m->nrows);

    /* -nu is the partial time derivative */
    lmb_velocity_side(s, x);
    difference(s, rows_of, m->nrows, NULL, NULL, -1, y);
    compare("nu", m, x, y, m->nrows);

    /* Phi_q a - gamma is the time derivative of Phi_q v + Phi_t along the motion */
    lmb_jacobian_times(s, s->a, x);
    lmb_acceleration_side(s, z);
    for (int r = 0; r < m->nrows; r++)
        x[r] -= z[r];
    difference(s, rates_of, m->nrows, s->v, s->a, 1, y);
    compare("Phi_q a - gamma", m, x, y, m->nrows);

    /* the single rates are the same in lengths */
    rates_of(s, x);
    for (int r = 0; r < m->nrows; r++)
        assert_close(lmb_row_rate(s, r), x[r] * m->sparse_rows[r].scale, 1e-12);
    free(d);
    free(x);
    free(y);
    free(z);
}

/* The sparse form of d(Phi_q v + Phi_t)/dq has the numbers of the dense one. */
static void check_rate_blocks(const lmb_state *s, const double *dense)
{
    const lmb_model *m = s->model;
    double *values = calloc((size_t)m->value_count + 1, sizeof *values);
    lmb_rate_tangent_blocks(s, values);
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            const lmb_body *b = &m->bodies[block->body];
            for (int j = 0; j < b->nv; j++)
                assert_close(values[block->value + j], dense[(b->v + j) * m->nrows + r], 1e-14);
        }
    free(values);
}

static void check_tangents(lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    double *by_q = calloc(n * n + 1, sizeof *by_q), *by_v = calloc(n * n + 1, sizeof *by_v);
    double *rate = calloc(n * rows + 1, sizeof *rate), *y = calloc(rows + n + 1, sizeof *y);
    double *unit = calloc(n + 1, sizeof *unit);
    lmb_tangent(s, by_q, by_v);
    lmb_rate_tangent(s, rate);
    check_rate_blocks(s, rate);
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1;
        difference(s, balance_of, m->nv, unit, NULL, 0, y);
        compare("d(M a + Phi_q^T lambda - Q)/dq", m, by_q + j * n, y, m->nv);
        difference(s, balance_of, m->nv, NULL, unit, 0, y);
        compare("d(M a - Q)/dv", m, by_v + j * n, y, m->nv);
        difference(s, rates_of, m->nrows, unit, NULL, 0, y);
        compare("d(Phi_q v + Phi_t)/dq", m, rate + j * rows, y, m->nrows);
        unit[j] = 0;
    }
    free(by_q);
    free(by_v);
    free(rate);
    free(y);
    free(unit);
}

/* d(M a + Phi_q^T lambda - Q)/dlambda: the Jacobian, and what friction adds. */
static void check_multipliers(lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv;
    double *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y);
    double *value = calloc(n + 1, sizeof *value);
    lmb_state *there = moved(s, NULL, 0, NULL, 0);
    lmb_jacobian(s);
    lmb_tangent_blocks(s);
    for (int r = 0; r < m->nrows; r++) {
        memset(x, 0, n * sizeof *x);
        memset(y, 0, n * sizeof *y);
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < m->bodies[block->body].nv; j++)
                x[m->bodies[block->body].v + j] =
                    s->jacobian[block->value + j] + s->tangent_lambda[block->value + j];
        }
        for (int k = 0; k < 4; k++) {
            there->lambda[r] = s->lambda[r] + offset[k] * step_size;
            balance_of(there, value);
            for (size_t i = 0; i < n; i++)
                y[i] += weight[k] * value[i] / step_size;
        }
        there->lambda[r] = s->lambda[r];
        compare("d(Phi_q^T lambda - Q)/dlambda", m, x, y, m->nv);
    }
    lmb_state_free(there);
    free(x);
    free(y);
    free(value);
}

/* Coordinates: rate and second derivative along the motion. */
static void check_coordinates(lmb_state *s)
{
    for (int i = 0; i < s->model->parts.coordinate_count; i++) {
        const lmb_coordinate *c = &s->model->parts.coordinates[i];
        lmb_jet x = lmb_coordinate_value(s, c);
        double rate = 0, second = 0;
        for (int k = 0; k < 4; k++) {
            lmb_state *there = motion(s, offset[k] * step_size);
            lmb_jet y = lmb_coordinate_value(there, c);
            rate += weight[k] * y.f / step_size;
            second += weight[k] * y.d / step_size;
            lmb_state_free(there);
        }
        assert_close(x.d, rate, tolerance);
        assert_close(x.dd, second, tolerance);
    }
}

static void every_joint_has_exact_derivatives(void **unused)
{
    (void)unused;
    static const char *const ends[] = {"[A.a, B.b]", "[ground, B.b]", "[A.b, P]", "[B.a, ground]"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; lmb_joint_types[i]; i++)
            for (size_t k = 0; k < 2 * sizeof ends / sizeof *ends; k++) {
                const lmb_joint_type *type = lmb_joint_types[i];
                const char *between = ends[k / 2];
                flexible = k % 2 == 1;
                if (type->dimension != 0 && type->dimension != dimension)
                    continue;
                lmb_model *m = NULL;
                lmb_state *s = NULL;
                do {
                    lmb_state_free(s);
                    lmb_model_free(m);
                    m = with_drivers(type, dimension, between);
                    s = random_state(m);
                } while (!well_conditioned(s));
                check_rows(s);
                check_tangents(s);
                check_multipliers(s);
                check_coordinates(s);
                lmb_state_free(s);
                lmb_model_free(m);
            }
}

/* --- bodies alone -------------------------------------------------------------------------------
 */

enum { MOST = 12 }; /* coordinates of a body */

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
    lmb_body_at at = {.body = b, .q = q, .v = v};
    if (b->ops->make_room)
        at.deformed = b->ops->make_room(b, rooms);
    b->ops->update(&at);
    return at;
}

/* A frame and its push, bias for a body moved along velocity coordinate j of q or v. */
static void probe(const lmb_body *b, const lmb_marker *marker, const double *q, const double *v,
                  const double *dq, const double *dv, const double *w, lmb_frame out[3],
                  const lmb_frame *force, double *pulled)
{
    double qn[MOST], vn[MOST];
    b->ops->retract(b, q, dq, qn);
    for (int i = 0; i < b->nv; i++)
        vn[i] = v[i] + dv[i];
    lmb_body_at at = placed(b, qn, vn);
    b->ops->frame(&at, marker, &out[0]);
    b->ops->push(&at, marker, &out[0], w, &out[1]);
    b->ops->bias(&at, marker, &out[0], &out[2]);
    b->ops->pull(&at, marker, &out[0], force, pulled);
}

static lmb_frame random_frame(void)
{
    return (lmb_frame){v3(uniform(), uniform(), uniform()),
                       {v3(uniform(), uniform(), uniform()), v3(uniform(), uniform(), uniform()),
                        v3(uniform(), uniform(), uniform())}};
}

static void check_body(const lmb_body *b, const lmb_marker *marker, const double *q)
{
    double v[MOST], w[MOST], zero[MOST] = {0}, pulled[MOST], forward[MOST], backward[MOST];
    double tangent[MOST * MOST];
    for (int i = 0; i < b->nv; i++) {
        v[i] = 2 * uniform() * unit_of(b, i);
        w[i] = uniform() * unit_of(b, i);
    }
    lmb_frame x[3], plus[3], minus[3], push_q[MOST], bias_q[MOST], bias_v[MOST],
        force = random_frame();
    probe(b, marker, q, v, zero, zero, w, x, &force, pulled);
    /* power of a force on a velocity is the same on both sides of the waist */
    double power = 0;
    for (int i = 0; i < b->nv; i++)
        power += pulled[i] * w[i];
    assert_close(power, frame_dot(&force, &x[1]), 1e-13);

    lmb_body_at at = placed(b, q, v);
    b->ops->push_tangent(&at, marker, &x[0], w, push_q);
    b->ops->bias_tangent(&at, marker, &x[0], bias_q, bias_v);
    b->ops->pull_tangent(&at, marker, &x[0], &force, tangent);
    for (int j = 0; j < b->nv; j++) {
        double step[MOST] = {0}, back[MOST] = {0};
        step[j] = h;
        back[j] = -h;
        probe(b, marker, q, v, step, zero, w, plus, &force, forward);
        probe(b, marker, q, v, back, zero, w, minus, &force, backward);
        lmb_frame unit, d = slope(&plus[0], &minus[0]);
        double direction[MOST] = {0};
        direction[j] = 1;
        b->ops->push(&at, marker, &x[0], direction, &unit);
        compare_frames("push", &unit, &d);
        d = slope(&plus[1], &minus[1]);
        compare_frames("push_tangent", &push_q[j], &d);
        d = slope(&plus[2], &minus[2]);
        compare_frames("bias_tangent by q", &bias_q[j], &d);
        for (int i = 0; i < b->nv; i++)
            assert_close(tangent[j * b->nv + i], (forward[i] - backward[i]) / (2 * h), 1e-6);
        probe(b, marker, q, v, zero, step, w, plus, &force, forward);
        probe(b, marker, q, v, zero, back, w, minus, &force, backward);
        d = slope(&plus[2], &minus[2]);
        compare_frames("bias_tangent by v", &bias_v[j], &d);
    }
    /* bias is the change of the velocity J v along v */
    double ahead[MOST], behind[MOST];
    for (int i = 0; i < b->nv; i++) {
        ahead[i] = h * v[i];
        behind[i] = -h * v[i];
    }
    probe(b, marker, q, v, ahead, zero, v, plus, &force, forward);
    probe(b, marker, q, v, behind, zero, v, minus, &force, backward);
    lmb_frame d = slope(&plus[1], &minus[1]);
    compare_frames("bias", &x[2], &d);
}

/* q (+) d and its inverse, and qdot = N v as the derivative of (+). */
static void check_coordinates_of(const lmb_body *b, const double *q)
{
    double d[MOST] = {0}, back[MOST], q1[MOST], plus[MOST], minus[MOST], qdot[MOST];
    for (int i = 0; i < b->nv; i++)
        d[i] = uniform();
    b->ops->retract(b, q, d, q1);
    b->ops->difference(b, q, q1, back);
    for (int i = 0; i < b->nv; i++)
        assert_close(back[i], d[i], 1e-13);
    /* the tangent operator of (+) */
    double T[MOST * MOST];
    if (b->ops->retract_tangent(b, d, T))
        for (int j = 0; j < b->nv; j++) {
            double ahead[MOST], behind[MOST], qa[MOST], qb[MOST], xa[MOST], xb[MOST];
            memcpy(ahead, d, sizeof ahead);
            memcpy(behind, d, sizeof behind);
            ahead[j] += h;
            behind[j] -= h;
            b->ops->retract(b, q, ahead, qa);
            b->ops->retract(b, q, behind, qb);
            b->ops->difference(b, q1, qa, xa);
            b->ops->difference(b, q1, qb, xb);
            for (int i = 0; i < b->nv; i++)
                assert_close(T[j * b->nv + i], (xa[i] - xb[i]) / (2 * h), tolerance);
        }
    b->ops->rate(b, q, d, qdot);
    for (int i = 0; i < b->nv; i++)
        back[i] = h * d[i];
    b->ops->retract(b, q, back, plus);
    for (int i = 0; i < b->nv; i++)
        back[i] = -h * d[i];
    b->ops->retract(b, q, back, minus);
    for (int i = 0; i < b->nq; i++)
        assert_close(qdot[i], (plus[i] - minus[i]) / (2 * h), tolerance);
}

static void every_body_has_exact_derivatives(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int repeat = 0; repeat < 10; repeat++) {
            flexible = repeat >= 5;
            rooms = lmb_arena_new();
            lmb_model *m = compile(write_model(lmb_joint_types[0], dimension, "[A.a, B.b]"));
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

/* Kinetic energy is v M v / 2; its rate and the power of Q agree for a free body. */
static void energy_and_momentum_balance(void **unused)
{
    (void)unused;
    for (int variant = 0; variant < 4; variant++) {
        int dimension = 2 + variant % 2;
        flexible = variant >= 2;
        lmb_model *m = compile(write_model(lmb_joint_types[0], dimension, "[A.a, B.b]"));
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
        lmb_state *plus = moved(s, s->v, h, NULL, 0), *minus = moved(s, s->v, -h, NULL, 0);
        double rate = (energy_of(plus) - energy_of(minus)) / (2 * h);
        for (int i = 0; i < m->body_count; i++)
            if (m->bodies[i].ops->loss)
                rate += m->bodies[i].ops->loss(&s->bodies[i]);
        assert_close(power, -rate, tolerance);

        /* linear momentum is the gradient of the kinetic energy by a common velocity */
        vec3 p = lmb_total_balance(s).momentum;
        for (int i = 0; i < m->body_count; i++)
            if (m->bodies[i].nv)
                s->v[m->bodies[i].v] += 1;
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
        cmocka_unit_test(every_joint_has_exact_derivatives),
        cmocka_unit_test(energy_and_momentum_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
