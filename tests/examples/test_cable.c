/* The hanging cable against the catenary of an elastic cable, found here by Newton's method: with
 * the horizontal force H, the weight w per unstretched length, V = w S / 2 and u = V - w s,
 *
 *   x(s) = H s / EA + H / w (asinh(V / H) - asinh(u / H))
 *   y(s) = -(V^2 - u^2) / (2 w EA) - (sqrt(H^2 + V^2) - sqrt(H^2 + u^2)) / w */
#include <math.h>

#include "models.h"
#include "motions.h"
#include "support.h"
#include "elements/exact_beam.h"

static const double S = 20, EA = 1e5, w = 9.81 * 1.5;

static double span_of(double H)
{
    return H * S / EA + 2 * H / w * asinh(w * S / (2 * H));
}

static double horizontal_force(double span)
{
    double H = w * S / 2;
    for (int i = 0; i < 50; i++) {
        double slope = (span_of(H * 1.0001) - span_of(H * 0.9999)) / (0.0002 * H);
        H -= (span_of(H) - span) / slope;
    }
    return H;
}

/* All nodes, within 1e-6 of the span and of the force: 40 elements of order 2 leave 1.2e-7 m at the
 * middle, the bending stiffness 3e-8 m. */
static void the_cable_hangs_in_its_catenary(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("cable", NULL, NULL);
    lmb_solver *s = at_rest(m);
    const lmb_exact_beam *b = lmb_body_line(&m->bodies[1]);
    double span = S * sin(1), H = horizontal_force(span), V = w * S / 2, sag = 0;
    for (int i = 0; i < b->node_count; i++) {
        const double *q = s->state->q + 3 * i;
        double u = V - w * b->places[i];
        double x = H * b->places[i] / EA + H / w * (asinh(V / H) - asinh(u / H));
        double y = -(V * V - u * u) / (2 * w * EA) - (hypot(H, V) - hypot(H, u)) / w;
        assert_true(fabs(q[0] - x) < 1e-6 && fabs(q[1] - y) < 1e-6);
        sag = fmax(sag, -y);
    }
    assert_close(sag, 4.7824, 1e-4); /* it does hang */
    lmb_frame held =
        lmb_row_force(s->state, m->joints[0].row, m->joints[0].row_count, m->joints[0].pair, true);
    assert_close(-held.p.x / H, 1, 1e-6);
    assert_close(held.p.y / V, 1, 1e-9);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Without its weight a cable of the same weight as a load per length hangs as well. */
static void a_load_per_length_does_the_same(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nparameters: {R: 10, span: 20*sin(1)}\nbodies:\n  cable:\n"
        "    beam: {arc: {centre: [span/2, R*cos(1)], radius: R, start: [-sin(1), -cos(1)], "
        "angle: 2}, deformation: large, elements: 40, stiffness: [1e5, 1e5/3, 1e-4], "
        "mass: [1.5, 1.5, 1.5e-6]}\n    interfaces: {A: start, B: end}\n"
        "joints:\n  left: {type: revolute, between: [ground, cable.A]}\n"
        "  right: {type: revolute, between: [[span, 0], cable.B]}\n"
        "forces: {weight: {type: line-force, at: cable, force: [0, -9.81*1.5]}}\n");
    lmb_solver *s = at_rest(m);
    lmb_frame held =
        lmb_row_force(s->state, m->joints[0].row, m->joints[0].row_count, m->joints[0].pair, true);
    assert_close(-held.p.x / horizontal_force(S * sin(1)), 1, 1e-6);
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cable_hangs_in_its_catenary),
        cmocka_unit_test(a_load_per_length_does_the_same),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
