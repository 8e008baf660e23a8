/* Mass and inertia of the shapes against integrals over slices.
 *
 * A slice of a body of revolution about z at height z with radii a > b has, for unit density, mass
 * pi (a^2 - b^2), polar moment pi (a^4 - b^4) / 2 and half of that about a diameter. Simpson's rule
 * with 2000 slices is exact for cylinders and balls (polynomials up to the fourth degree: 1e-11).
 */
#include <math.h>
#include <stdio.h>

#include "models.h"
#include "support.h"
#include "system/model.h"

typedef void radii(double z, double *outer, double *inner);

static void cylinder(double z, double *outer, double *inner)
{
    (void)z;
    *outer = 0.3;
    *inner = 0;
}

static void tube(double z, double *outer, double *inner)
{
    (void)z;
    *outer = 0.3;
    *inner = 0.2;
}

static void ball(double z, double *outer, double *inner)
{
    *outer = sqrt(fmax(0, 0.25 - z * z));
    *inner = 0;
}

/* Mass, moment about the axis and across it, of a body from -half to half. */
static void integrate(radii *shape, double half, double out[3])
{
    enum { SLICES = 2000 };
    double h = 2 * half / SLICES;
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i <= SLICES; i++) {
        double z = -half + i * h, a, b,
               weight = (i == 0 || i == SLICES ? 1
                         : i % 2               ? 4
                                               : 2) *
                        h / 3;
        shape(z, &a, &b);
        double area = LMB_PI * (a * a - b * b), polar = LMB_PI / 2 * (pow(a, 4) - pow(b, 4));
        out[0] += weight * area;
        out[1] += weight * polar;
        out[2] += weight * (polar / 2 + area * z * z);
    }
}

static const lmb_body *body_with(const char *shape, int dimension, lmb_model **model)
{
    char text[256];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\nbodies: {b: {shape: %s, density: 1000}}\n", dimension,
             shape);
    *model = model_of_text(text);
    return &(*model)->bodies[1];
}

static void check_round(const char *shape, radii *slices, double half, int axis)
{
    double expected[3];
    lmb_model *m;
    const lmb_body *b = body_with(shape, 3, &m);
    integrate(slices, half, expected);
    assert_close(b->mass, 1000 * expected[0], 1e-10);
    for (int i = 0; i < 3; i++)
        assert_close(m3_get(&b->inertia, i, i), 1000 * expected[i == axis ? 1 : 2], 1e-10);
    lmb_model_free(m);
}

static void round_shapes_have_the_inertia_of_their_slices(void **unused)
{
    (void)unused;
    check_round("{cylinder: {radius: 0.3, length: 0.8}}", cylinder, 0.4, 2);
    check_round("{cylinder: {radius: 0.3, length: 0.8, axis: x}}", cylinder, 0.4, 0);
    check_round("{tube: {outer: 0.3, inner: 0.2, length: 0.8, axis: y}}", tube, 0.4, 1);
    check_round("{sphere: {radius: 0.5}}", ball, 0.5, 2);
}

/* m (a^2 + b^2) / 12 about each axis; a bar and a plate are boxes too. */
static void boxes_have_the_inertia_of_the_textbook(void **unused)
{
    (void)unused;
    static const char *const shapes[] = {"{box: {size: [0.5, 0.3, 0.2]}}",
                                         "{bar: {length: 0.5, width: 0.3, height: 0.2}}",
                                         "{plate: {size: [0.5, 0.3], thickness: 0.2}}"};
    for (int i = 0; i < 3; i++) {
        lmb_model *m;
        const lmb_body *b = body_with(shapes[i], 3, &m);
        assert_close(b->mass, 30, 1e-13);
        assert_close(b->inertia.c[0].x, 30 * (0.09 + 0.04) / 12, 1e-13);
        assert_close(b->inertia.c[1].y, 30 * (0.25 + 0.04) / 12, 1e-13);
        assert_close(b->inertia.c[2].z, 30 * (0.25 + 0.09) / 12, 1e-13);
        lmb_model_free(m);
        b = body_with(shapes[i], 2, &m); /* in the plane: about z */
        assert_close(b->inertia.c[2].z, 30 * (0.25 + 0.09) / 12, 1e-13);
        lmb_model_free(m);
    }
}

static void given_values_go_before_those_of_the_shape(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 3\n"
                                 "bodies: {b: {shape: {bar: {length: 2}}, mass: 6,"
                                 " inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]}}\n");
    const lmb_body *b = &m->bodies[1];
    assert_close(b->mass, 6, 0);
    assert_close(m3_get(&b->inertia, 0, 1), 0.1, 0);
    assert_close(m3_get(&b->inertia, 2, 0), 0.2, 0);
    assert_close(m3_get(&b->inertia, 1, 2), 0.3, 0);
    lmb_model_free(m);
    m = model_of_text(
        "limber: 1\ndimension: 2\nbodies: {b: {shape: {bar: {length: 2}}, mass: 6}}\n");
    assert_close(m->bodies[1].inertia.c[2].z, 2, 1e-14); /* slender: m l^2 / 12 */
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_shapes_have_the_inertia_of_their_slices),
        cmocka_unit_test(boxes_have_the_inertia_of_the_textbook),
        cmocka_unit_test(given_values_go_before_those_of_the_shape),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
