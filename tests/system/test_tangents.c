/* Conformance of every joint and force on every body: all derivatives against central differences.
 *
 * For each registered kind of joint a model is written from its table of fields, with random points
 * and axes, and put into a random state (not assembled: the derivatives hold anywhere) with large
 * rotations, velocities and multipliers, and flexible bodies so deformed that their ends turn by
 * half a radian: small deformations hide what is missing. A new joint or body needs no new test
 * code here.
 *
 * Tolerance: fourth-order differences with a step of 1e-4 are good to about 1e-16 times the fifth
 * derivative (truncation) and 1e-16/1e-4 times the value (rounding); both may be 1e4, so 1e-7.
 * Bodies by themselves are tested in test_body_tangents.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_models.h"
#include "support.h"
#include "system/first_order.h"
#include "system/variation.h"

static const double tolerance = 1e-7;

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

/* The state a little later or earlier in its motion. */
static lmb_state *motion(const lmb_state *s, double eps)
{
    return moved_state(s, s->v, eps, s->a, 1);
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

/* The weights of a sixth-order central difference at -4, -2, -1, 1, 2, 4 steps: random states may
 * be near a singular angle, where a fourth-order one is off by more than the tolerance. */
enum { POINTS = 6 };
static const int offset[POINTS] = {-4, -2, -1, 1, 2, 4};
static const double weight[POINTS] = {-1.0 / 360, 1.0 / 9,  -32.0 / 45,
                                      32.0 / 45,  -1.0 / 9, 1.0 / 360};
static const double step_size = 1e-4;

/* Central difference of a vector along a direction. */
static void difference(const lmb_state *s, vector_of *f, int n, const double *d, const double *w,
                       double tau, double *out)
{
    double *value = calloc((size_t)n + 1, sizeof *value);
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < POINTS; k++) {
        lmb_state *there = moved_state(s, d, offset[k] * step_size, w, tau);
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
        d[i] = random_number();

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

/* d(Phi_q v + Phi_t)/dq as a full matrix. */
static void rate_tangent(const lmb_state *s, double *dense)
{
    const lmb_model *m = s->model;
    double *values = calloc((size_t)m->value_count + 1, sizeof *values);
    lmb_rate_tangent_blocks(s, values);
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < block->nv; j++)
                dense[(block->v + j) * m->nrows + r] = values[block->value + j];
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
    rate_tangent(s, rate);
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
    lmb_state *there = moved_state(s, NULL, 0, NULL, 0);
    lmb_jacobian(s);
    lmb_tangent_blocks(s);
    for (int r = 0; r < m->nrows; r++) {
        memset(x, 0, n * sizeof *x);
        memset(y, 0, n * sizeof *y);
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < block->nv; j++)
                x[block->v + j] =
                    s->jacobian[block->value + j] + s->tangent_lambda[block->value + j];
        }
        for (int k = 0; k < POINTS; k++) {
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
        for (int k = 0; k < POINTS; k++) {
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

static void state_rates_of(lmb_state *s, double *out)
{
    lmb_state_rate(s, out);
}

/* Phi_q a - gamma */
static void accelerations_of(lmb_state *s, double *out)
{
    double *gamma = calloc((size_t)s->model->nrows + 1, sizeof *gamma);
    lmb_jacobian(s);
    lmb_jacobian_times(s, s->a, out);
    lmb_acceleration_side(s, gamma);
    for (int r = 0; r < s->model->nrows; r++)
        out[r] -= gamma[r];
    free(gamma);
}

/* All joint coordinates, then their rates, then their accelerations. */
static void coordinates_of(lmb_state *s, double *out)
{
    int n = s->model->parts.coordinate_count;
    for (int i = 0; i < n; i++) {
        lmb_jet x = lmb_coordinate_value(s, &s->model->parts.coordinates[i]);
        out[i] = x.f;
        out[n + i] = x.d;
        out[2 * n + i] = x.dd;
    }
}

/* Variations of rows and coordinates with their rates and accelerations along random changes of
 * positions and velocities; a change of accelerations adds Phi_q da. */
static void check_variations(lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows, joint = (size_t)m->parts.coordinate_count;
    double *d = calloc(3 * n + 1, sizeof *d), *w = d + n, *da = w + n;
    double *x = calloc(3 * (rows + joint) + 1, sizeof *x),
           *y = calloc(3 * (rows + joint) + 1, sizeof *y);
    double *more = calloc(rows + 1, sizeof *more);
    lmb_arena *arena = lmb_arena_new();
    lmb_variation *v = lmb_variation_new(arena, s);
    assert_non_null(v);
    for (size_t i = 0; i < 3 * n; i++)
        d[i] = random_number();
    lmb_variation_start(v);
    lmb_variation_set(v, d, w, da);
    for (int r = 0; r < m->nrows; r++) {
        lmb_jet row = lmb_variation_row(v, r);
        x[r] = row.f;
        x[rows + (size_t)r] = row.d;
        x[2 * rows + (size_t)r] = row.dd;
    }
    difference(s, rows_of, m->nrows, d, NULL, 0, y);
    compare("dPhi", m, x, y, m->nrows);
    difference(s, rates_of, m->nrows, d, w, 0, y);
    compare("d(Phi_q v + Phi_t)", m, x + rows, y, m->nrows);
    difference(s, accelerations_of, m->nrows, d, w, 0, y);
    lmb_jacobian(s);
    lmb_jacobian_times(s, da, more);
    for (size_t r = 0; r < rows; r++)
        y[r] += more[r];
    compare("d(Phi_q a - gamma)", m, x + 2 * rows, y, m->nrows);

    memset(da, 0, n * sizeof *da);
    lmb_variation_set(v, d, w, da);
    for (size_t i = 0; i < joint; i++) {
        lmb_jet c = lmb_variation_coordinate(v, &m->parts.coordinates[i]);
        x[i] = c.f;
        x[joint + i] = c.d;
        x[2 * joint + i] = c.dd;
    }
    difference(s, coordinates_of, 3 * (int)joint, d, w, 0, y);
    compare("coordinates", m, x, y, 3 * (int)joint);
    lmb_arena_free(arena);
    free(d);
    free(x);
    free(y);
    free(more);
}

/* First-order states: their rates by q, v and z, and the forces by z. */
static void check_states(lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv, all = (size_t)m->nz;
    double *unit = calloc(n + 1, sizeof *unit), *y = calloc(n + all + 1, sizeof *y);
    double *value = calloc(n + 1, sizeof *value);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        if (b->nz == 0)
            continue;
        lmb_first_order_tangent t = lmb_first_order_tangent_of(s, i);
        for (int j = 0; j < b->nv; j++) {
            unit[b->v + j] = 1;
            difference(s, state_rates_of, m->nz, unit, NULL, 0, y);
            compare("d(zdot)/dq", m, t.by_q + j * b->nz, y + b->z, b->nz);
            difference(s, state_rates_of, m->nz, NULL, unit, 0, y);
            compare("d(zdot)/dv", m, t.by_v + j * b->nz, y + b->z, b->nz);
            unit[b->v + j] = 0;
        }
        for (int k = 0; k < b->nz; k++) {
            lmb_state *there = moved_state(s, NULL, 0, NULL, 0);
            double rates[4] = {0};
            assert_true(b->nz <= 4);
            memset(y, 0, n * sizeof *y);
            for (int p = 0; p < POINTS; p++) {
                there->z[b->z + k] = s->z[b->z + k] + offset[p] * step_size;
                lmb_total_force(there, value);
                for (size_t l = 0; l < n; l++)
                    y[l] += weight[p] * value[l] / step_size;
                b->ops->states->rate(&there->bodies[i], value);
                for (int l = 0; l < b->nz; l++)
                    rates[l] += weight[p] * value[l] / step_size;
            }
            compare("dQ/dz", m, t.force_by_z + k * b->nv, y + b->v, b->nv);
            compare("d(zdot)/dz", m, t.by_z + k * b->nz, rates, b->nz);
            lmb_state_free(there);
        }
    }
    free(unit);
    free(y);
    free(value);
}

static void check_joint(const lmb_joint_type *type, int dimension, const char *between)
{
    lmb_model *m = NULL;
    lmb_state *s = NULL;
    do {
        lmb_state_free(s);
        lmb_model_free(m);
        m = driven_random_model(type, dimension, between);
        s = random_state(m);
    } while (!well_conditioned(s));
    check_rows(s);
    check_tangents(s);
    check_multipliers(s);
    check_coordinates(s);
    check_variations(s);
    check_states(s);
    lmb_state_free(s);
    lmb_model_free(m);
}

static void every_joint_has_exact_derivatives(void **unused)
{
    (void)unused;
    for_each_random_joint(check_joint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_has_exact_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
