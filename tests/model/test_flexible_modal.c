/* Flexible bodies given by numbers: a beam written out as modal matrices and integrals is the same
 * body, to rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bodies/modal.h"
#include "models.h"
#include "support.h"
#include "system/equations.h"

static lmb_model *beam(int dimension)
{
    return model_of_text(
        dimension == 2
            ? "limber: 1\ndimension: 2\ngravity: [1, -9]\nbodies:\n"
              "  rod: {beam: {along: [[0, 0], [1, 0.2], [1.3, 0.9]], elements: 6, material: "
              "steel,\n"
              "        section: {circle: {diameter: 0.02}}}, interfaces: {A: start, B: end},\n"
              "        reduction: {modes: 2, keep: 4, frame: {point: A}}, position: [1, 2], angle: "
              "0.4}\n"
            : "limber: 1\ndimension: 3\ngravity: [1, -9, 3]\nbodies:\n"
              "  rod: {beam: {along: [[0, 0, 0], [1, 0.2, -0.3], [1.3, 0.9, 0.4]], elements: 6,\n"
              "        material: steel, section: {rectangle: {width: 0.02, height: 0.05}}},\n"
              "        interfaces: {A: start, B: end}, reduction: {modes: 2, keep: 4, frame: "
              "{point: A}},\n"
              "        position: [1, 2, 3], rotation: [0.4, -0.3, 0.9]}\n");
}

static void put_vector(FILE *f, int dimension, vec3 a)
{
    fprintf(f, "[%.17g, %.17g", a.x, a.y);
    if (dimension == 3)
        fprintf(f, ", %.17g", a.z);
    fprintf(f, "]");
}

/* What turns: a number in the plane. */
static void put_turn(FILE *f, int dimension, vec3 a)
{
    if (dimension == 2)
        fprintf(f, "%.17g", a.z);
    else
        put_vector(f, dimension, a);
}

static void put_inertia(FILE *f, int dimension, const mat3 *J)
{
    if (dimension == 2)
        fprintf(f, "%.17g", J->c[2].z);
    else
        fprintf(f, "[%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", J->c[0].x, J->c[1].y, J->c[2].z,
                J->c[1].x, J->c[2].x, J->c[2].y);
}

static void put_matrix(FILE *f, const char *name, const double *A, int n)
{
    fprintf(f, "      %s: [", name);
    for (int i = 0; i < n * n; i++)
        fprintf(f, "%s%.17g%s", i % n ? ", " : i ? ", [" : "[", A[i], i % n == n - 1 ? "]" : "");
    fprintf(f, "]\n");
}

typedef void put_item(FILE *f, int dimension, const void *item);

static void vector_item(FILE *f, int dimension, const void *item)
{
    put_vector(f, dimension, *(const vec3 *)item);
}

static void turn_item(FILE *f, int dimension, const void *item)
{
    put_turn(f, dimension, *(const vec3 *)item);
}

static void inertia_item(FILE *f, int dimension, const void *item)
{
    put_inertia(f, dimension, item);
}

/* A list of items, or rows of them. */
static void put_list(FILE *f, const char *name, int dimension, int rows, int columns,
                     const void *items, size_t size, put_item *put)
{
    fprintf(f, "%s: [", name);
    for (int i = 0; i < rows; i++) {
        fprintf(f, "%s%s", i ? ", " : "", columns > 1 ? "[" : "");
        for (int j = 0; j < columns; j++) {
            fprintf(f, "%s", j ? ", " : "");
            put(f, dimension, (const char *)items + (size_t)(i * columns + j) * size);
        }
        fprintf(f, "%s", columns > 1 ? "]" : "");
    }
    fprintf(f, "]");
}

/* The model of a body with all its numbers. */
static lmb_model *written_out(const lmb_model *from)
{
    const lmb_body *b = &from->bodies[1];
    const lmb_modal *m = lmb_body_elasticity(b)->modal;
    int dimension = from->dimension, n = m->modes;
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    vec3 centre = v3_scale(1 / m->mass, m->s0);
    fprintf(f, "limber: 1\ndimension: %d\ngravity: ", dimension);
    put_vector(f, dimension, from->gravity);
    fprintf(f, "\nbodies:\n  rod:\n    position: ");
    put_vector(f, dimension, b->start.p);
    if (dimension == 2) {
        fprintf(f, "\n    angle: %.17g", b->angle);
    } else {
        mat3 R = frame_rotation(&b->start);
        quat p = quat_from_matrix(&R);
        fprintf(f, "\n    quaternion: [%.17g, %.17g, %.17g, %.17g]", p.w, p.x, p.y, p.z);
    }
    fprintf(f, "\n    modal:\n      mass: %.17g\n      centre: ", m->mass);
    put_vector(f, dimension, centre);
    fprintf(f, "\n      inertia: ");
    put_inertia(f, dimension, &m->J0);
    fprintf(f, "\n");
    put_matrix(f, "stiffness", m->K, n);
    put_matrix(f, "modal_mass", m->M, n);
    put_list(f, "      momentum", dimension, n, 1, m->D, sizeof *m->D, vector_item);
    put_list(f, "\n      angular_momentum", dimension, n, 1, m->E0, sizeof *m->E0, turn_item);
    put_list(f, "\n      angular_momentum_by_mode", dimension, n, n, m->E1, sizeof *m->E1,
             turn_item);
    put_list(f, "\n      inertia_by_mode", dimension, n, 1, m->J1, sizeof *m->J1, inertia_item);
    put_list(f, "\n      inertia_by_two_modes", dimension, n, n, m->J2, sizeof *m->J2,
             inertia_item);
    fprintf(f, "\n    interfaces:\n");
    for (int i = 0; i < m->point_count; i++) {
        fprintf(f, "      %s: {point: ", i ? "B" : "A");
        put_vector(f, dimension, m->points[i].p);
        put_list(f, ", displacements", dimension, n, 1, m->points[i].psi, sizeof(vec3),
                 vector_item);
        put_list(f, ", rotations", dimension, n, 1, m->points[i].phi, sizeof(vec3), turn_item);
        fprintf(f, "}\n");
    }
    fclose(f);
    lmb_model *model = model_of_text(text);
    free(text);
    return model;
}

/* A state of the body that is bent and moves. */
static lmb_state *moving(const lmb_model *m)
{
    lmb_state *s = lmb_state_at(m, 0);
    const lmb_body *b = &m->bodies[1];
    for (int k = 0; k < lmb_body_elasticity(b)->modal->modes; k++)
        s->q[b->q + b->nq - lmb_body_elasticity(b)->modal->modes + k] =
            (k % 2 ? -0.1 : 0.2) / (1 + k);
    for (int i = 0; i < b->nv; i++)
        s->v[b->v + i] = sin(1.0 + 3 * i);
    lmb_update_position(s);
    lmb_update_velocity(s);
    return s;
}

static void assert_same(const double *x, const double *y, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(y[i]));
    for (int i = 0; i < n; i++)
        assert_true(fabs(x[i] - y[i]) <= 1e-12 * size);
}

static void a_beam_written_out_is_the_same_body(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_model *of_elements = beam(dimension), *m = written_out(of_elements);
        lmb_state *a = moving(m), *b = moving(of_elements);
        const lmb_body *x = &m->bodies[1], *y = &of_elements->bodies[1];
        int n = y->nv;
        assert_int_equal(x->nv, n);
        assert_close(x->mass, y->mass, 1e-12 * y->mass);
        assert_same(&x->inertia.c[2].z, &y->inertia.c[2].z, 1);
        double *M = calloc((size_t)(4 * n * n + 2 * n), sizeof *M), *N = M + n * n;
        double *Q = N + n * n, *P = Q + n;
        x->ops->mass(&a->bodies[1], M);
        y->ops->mass(&b->bodies[1], N);
        assert_same(M, N, n * n);
        x->ops->force(&a->bodies[1], m->gravity, Q);
        y->ops->force(&b->bodies[1], m->gravity, P);
        assert_same(Q, P, n);
        for (int i = 0; i < m->point_count; i++)
            assert_same(&a->frames[m->points[i].marker].p.x,
                        &b->frames[of_elements->points[i].marker].p.x, 12);
        free(M);
        lmb_state_free(a);
        lmb_state_free(b);
        lmb_model_free(m);
        lmb_model_free(of_elements);
    }
}

/* The start of modes is that of the model; diagonals need no matrix. */
static void modes_start_as_given(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  rod:\n"
        "    modal: {mass: 2, inertia: 0.5, stiffness: [100, 200, 300], modal_mass: [1, 2, 3],\n"
        "            damping: [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]]}\n"
        "    interfaces: {A: {point: [0, 0]}}\n"
        "    modes: [0.1, 0.2, 0.3]\n"
        "    modes_velocity: [1, 2, 3]\n");
    const lmb_modal *modal = lmb_body_elasticity(&m->bodies[1])->modal;
    lmb_state *s = lmb_state_at(m, 0);
    for (int k = 0; k < 3; k++) {
        assert_close(s->q[3 + k], 0.1 * (k + 1), 1e-15);
        assert_close(s->v[3 + k], k + 1, 0);
        assert_close(modal->K[4 * k], 100 * (k + 1), 0);
        assert_close(modal->C[4 * k], 0.1 * (k + 1), 1e-15);
        assert_close(modal->size[k], sqrt((k + 1) / 2.0), 1e-15);
    }
    assert_close(modal->J2[0].c[2].z, 2, 0); /* in the plane twice the modal mass */
    lmb_state_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_beam_written_out_is_the_same_body),
        cmocka_unit_test(modes_start_as_given),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
