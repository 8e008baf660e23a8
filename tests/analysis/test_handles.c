/* Two-handle equations: those of a bar by hand; those of joined bodies are what joining the
 * equations of single bodies two by two gives, the recursion of divide and conquer done literally,
 * for chains of 2 to 128 rigid bodies that move, and for beams with modes and exact ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/handles.h"
#include "models.h"
#include "support.h"

/* a_1 and a_2 (6 each) by F_1 and F_2, and by themselves. */
typedef struct two {
    double zeta[12][12], bias[12];
} two;

/* A hinge: the directions in which it holds, and what velocities add: P^T (a_B1 - a_A2) = c. */
typedef struct hinge {
    double P[6][5], c[5];
} hinge;

/* x = W^-1 x by Gauss's elimination with exchanges; x has columns. */
static void solve_five(double W[5][5], double x[5][13])
{
    for (int k = 0; k < 5; k++) {
        int best = k;
        for (int i = k + 1; i < 5; i++)
            best = fabs(W[i][k]) > fabs(W[best][k]) ? i : best;
        for (int j = 0; j < 13; j++) {
            double keep = x[k][j];
            x[k][j] = x[best][j];
            x[best][j] = keep;
        }
        for (int j = 0; j < 5; j++) {
            double keep = W[k][j];
            W[k][j] = W[best][j];
            W[best][j] = keep;
        }
        for (int i = 0; i < 5; i++) {
            double factor = i == k ? 0 : W[i][k] / W[k][k];
            for (int j = 0; j < 5; j++)
                W[i][j] -= factor * W[k][j];
            for (int j = 0; j < 13; j++)
                x[i][j] -= factor * x[k][j];
        }
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 13; j++)
            x[i][j] /= W[i][i];
}

/* The force of the hinge, P lambda on A and -P lambda on B, is eliminated:
 *
 *   P^T (zeta_A22 + zeta_B11) P lambda = P^T (zeta_B12 F_2 + zeta_B13 - zeta_A21 F_1 - zeta_A23) -
 * c
 */
static two join(const two *A, const two *B, const hinge *h)
{
    double W[5][5] = {{0}}, lambda[5][13] = {{0}}; /* by F_1, F_2 and by themselves */
    for (int r = 0; r < 5; r++)
        for (int i = 0; i < 6; i++) {
            for (int s = 0; s < 5; s++)
                for (int j = 0; j < 6; j++)
                    W[r][s] += h->P[i][r] * (A->zeta[6 + i][6 + j] + B->zeta[i][j]) * h->P[j][s];
            for (int j = 0; j < 6; j++) {
                lambda[r][j] -= h->P[i][r] * A->zeta[6 + i][j];
                lambda[r][6 + j] += h->P[i][r] * B->zeta[i][6 + j];
            }
            lambda[r][12] += h->P[i][r] * (B->bias[i] - A->bias[6 + i]);
        }
    for (int r = 0; r < 5; r++)
        lambda[r][12] -= h->c[r];
    solve_five(W, lambda);
    two out = {.bias = {0}};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            out.zeta[i][j] = A->zeta[i][j];
            out.zeta[6 + i][6 + j] = B->zeta[6 + i][6 + j];
        }
        out.bias[i] = A->bias[i];
        out.bias[6 + i] = B->bias[6 + i];
        for (int k = 0; k < 6; k++)
            for (int r = 0; r < 5; r++)
                for (int j = 0; j < 13; j++) {
                    double force = h->P[k][r] * lambda[r][j];
                    double first = A->zeta[i][6 + k] * force;
                    double second = -B->zeta[6 + i][k] * force;
                    *(j < 12 ? &out.zeta[i][j] : &out.bias[i]) += first;
                    *(j < 12 ? &out.zeta[6 + i][j] : &out.bias[6 + i]) += second;
                }
    }
    return out;
}

/* Those that the library finds for the bodies b<from> to b<to> of a chain. */
static two found(lmb_solver *s, int from, int to)
{
    const lmb_model *m = s->state->model;
    bool *inside = calloc((size_t)m->body_count, sizeof *inside);
    lmb_handles h;
    two out = {.bias = {0}};
    assert_true(lmb_bodies_between(m, from, to, inside));
    assert_ok(lmb_find_handles(s, inside, &h));
    assert_int_equal(h.count, 2);
    assert_int_equal(h.joint[0], from - 1);
    assert_int_equal(h.joint[1], to);
    memcpy(out.zeta, h.zeta, sizeof out.zeta);
    memcpy(out.bias, h.bias, sizeof out.bias);
    free(inside);
    return out;
}

/* Hinge i (from 1) of a chain along x turns about y or z. */
static void axes_of(int i, vec3 *axis, vec3 across[2])
{
    *axis = v3_axis(i % 2 ? 1 : 2);
    across[0] = v3_axis(0);
    across[1] = v3_axis(i % 2 ? 2 : 1);
}

static double rate_of(int i)
{
    return 0.3 * sin(2.1 * i);
}

/* The joint between bodies i - 1 and i; `spin` is the angular velocity of body i - 1. */
static hinge hinge_of(int i, vec3 spin, bool moves)
{
    vec3 axis, across[2];
    hinge h = {{{0}}, {0}};
    axes_of(i, &axis, across);
    for (int k = 0; k < 3; k++)
        h.P[k][k] = 1;
    vec3 bias = v3_cross(spin, v3_scale(rate_of(i), axis));
    for (int k = 0; k < 2; k++) {
        h.P[3][3 + k] = across[k].x;
        h.P[4][3 + k] = across[k].y;
        h.P[5][3 + k] = across[k].z;
        h.c[3 + k] = moves ? v3_dot(across[k], bias) : 0;
    }
    return h;
}

/* Angular velocity of body i. */
static vec3 spin_of(int i)
{
    vec3 spin = v3(0, 0, 0), axis, across[2];
    for (int k = 1; k <= i; k++) {
        axes_of(k, &axis, across);
        spin = v3_axpy(spin, rate_of(k), axis);
    }
    return spin;
}

/* Two halves, each two halves, ... */
static two divided(lmb_solver *s, int from, int to, bool moves)
{
    if (from == to)
        return found(s, from, from);
    int middle = (from + to) / 2;
    two A = divided(s, from, middle, moves), B = divided(s, middle + 1, to, moves);
    hinge h = hinge_of(middle + 1, spin_of(middle), moves);
    return join(&A, &B, &h);
}

static double largest_of(const two *x)
{
    double largest = 0;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            largest = fmax(largest, fabs(x->zeta[i][j]));
    return largest;
}

/* Differences are rounding, of numbers that are lost when bodies are joined: the condition of the
 * matrices W, below 1e3 for links like these. */
static void compare(lmb_solver *s, int links, bool moves)
{
    two whole = found(s, 1, links), joined = divided(s, 1, links, moves);
    double size = largest_of(&whole), bias = 0, most = 0, off = 0;
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++)
            off = fmax(off, fabs(whole.zeta[i][j] - joined.zeta[i][j]));
        bias = fmax(bias, fabs(whole.bias[i] - joined.bias[i]));
        most = fmax(most, fabs(whole.bias[i]));
    }
    if (!(off <= 1e-12 * size && bias <= 1e-12 * (most + 10)))
        fail_msg("%d links: zeta differ by %g of %g, biases by %g of %g", links, off, size, bias,
                 most);
}

static lmb_model *chain_of(int links, const char *body)
{
    char text[1500];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: %d}\n"
             "bodies:\n"
             "  b{i}: {repeat: {i: [1, N]}, %s}\njoints:\n"
             "  j1: {type: revolute, axis: [0, 1, 0], between: [ground, b1.a]}\n"
             "  j{i}: {repeat: {i: [2, N]}, type: revolute, axis: [0, \"mod(i, 2)\", \"mod(i + 1, "
             "2)\"], between: [\"b{i - 1}.b\", \"b{i}.a\"]}\n",
             links, body);
    return model_of_text(text);
}

static lmb_solver *placed(const lmb_model *m)
{
    lmb_solver *s;
    assert_ok(lmb_solver_new(&s, context, m));
    lmb_set_time(s->state, 0);
    lmb_update_position(s->state);
    return s;
}

static void test_rigid_chains(void **unused)
{
    (void)unused;
    for (int links = 2; links <= 128; links *= 2) {
        lmb_model *m =
            chain_of(links + 1, "mass: 1, inertia: [0.02, 0.1, 0.08], position: [i - 0.5, 0, "
                                "0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}");
        lmb_solver *s = placed(m);
        vec3 at = v3(0, 0, 0); /* velocity of the hinge */
        for (int i = 1; i <= links + 1; i++) {
            vec3 spin = spin_of(i), arm = v3_cross(spin, v3(0.5, 0, 0));
            vec3 v = v3_add(at, arm);
            double own[6] = {v.x, v.y, v.z, spin.x, spin.y, spin.z};
            memcpy(s->state->v + 6 * (i - 1), own, sizeof own);
            at = v3_add(v, arm);
        }
        compare(s, links, true);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

static const char beam[] =
    "beam: {from: [i - 1, 0, 0], to: [i, 0, 0], elements: 4, section: {rectangle: {width: 0.05, "
    "height: 0.08}}, material: steel%s}, interfaces: {a: start, b: end}";

static void check_beams(int links, const char *more)
{
    char body[400];
    snprintf(body, sizeof body, beam, more);
    lmb_model *m = chain_of(links + 1, body);
    lmb_solver *s = placed(m);
    compare(s, links, false);
    lmb_solver_free(s);
    lmb_model_free(m);
}

static void test_beams(void **unused)
{
    (void)unused;
    check_beams(2, "");
    check_beams(8, "");
    check_beams(2, ", deformation: large");
    check_beams(128, ", deformation: large");
}

/* A bar of mass m and length l, held at its ends: across it 1/m + (l/2)^2 / I = 4/m at an end by a
 * force there and -2/m by one at the other end. */
static void test_by_hand(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n"
                                 "  bar: {mass: 2, inertia: 0.5, position: [0, 0], points: {a: "
                                 "[-0.866025403784438647, 0], b: [0.866025403784438647, 0]}}\n"
                                 "joints:\n  a: {type: revolute, between: [[-0.866025403784438647, "
                                 "0], bar.a]}\n  b: {type: slot, between: [ground, bar.b], axis: "
                                 "[1, 0]}\n");
    lmb_solver *s = placed(m);
    bool inside[2] = {false, true};
    lmb_handles h;
    assert_ok(lmb_find_handles(s, inside, &h));
    assert_int_equal(h.count, 2);
    assert_int_equal(h.size, 3);
    const double *z = h.zeta;
    assert_close(z[0 * 6 + 0], 0.5, 1e-14);
    assert_close(z[1 * 6 + 1], 2, 1e-14);
    assert_close(z[1 * 6 + 4], -1, 1e-14);
    assert_close(z[2 * 6 + 2], 2, 1e-14);
    assert_close(z[1 * 6 + 2], -sqrt(3), 1e-14);
    assert_close(h.bias[1], -10, 1e-13);
    assert_close(h.bias[4], -10, 1e-13);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The three bars of docs/solvers.md. */
static void test_three_bars(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies:\n"
        "  b{i}: {repeat: {i: [1, 4]}, mass: 1, inertia: 1/12, position: [i - 0.5, 0], points: {a: "
        "[-0.5, 0], b: [0.5, 0]}}\n"
        "joints:\n  j1: {type: revolute, between: [ground, b1.a]}\n"
        "  j{i}: {repeat: {i: [2, 4]}, type: revolute, between: [\"b{i - 1}.b\", \"b{i}.a\"]}\n");
    static const double expected[3][4] = {
        {1, 1, 4, -2}, {0.5, 0.5, 3.5, 0.5}, {1.0 / 3, 1.0 / 3, 52.0 / 15, -2.0 / 15}};
    lmb_solver *s = placed(m);
    for (int last = 1; last <= 3; last++) {
        bool inside[5] = {false};
        lmb_handles h;
        assert_true(lmb_bodies_between(m, 1, last, inside));
        assert_ok(lmb_find_handles(s, inside, &h));
        const double found[4] = {h.zeta[0], h.zeta[3], h.zeta[6 + 1], h.zeta[6 + 4]};
        for (int i = 0; i < 4; i++)
            assert_close(found[i], expected[last - 1][i], 1e-13);
    }
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_three_bars),
        cmocka_unit_test(test_rigid_chains),
        cmocka_unit_test(test_beams),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
