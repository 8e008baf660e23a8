/* The error control of rk45 and ida does not depend on scale: neither an unrelated body far away
 * nor the size of the mechanism changes how accurate and how long a motion is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "motions.h"
#include "math/small.h"
#include "support.h"

static const lmb_integrator *const methods[] = {&lmb_integrator_rk45, &lmb_integrator_ida};
static const double tolerance = 1e-9;

/* A torsional oscillator of 1 Hz beside a body fixed at the distance D. */
static lmb_model *oscillator(double D)
{
    char text[600];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nparameters: {D: %g}\nbodies:\n"
             "  a: {mass: 1, inertia: 1}\n  far: {mass: 1, inertia: 1, position: [D, 0]}\n"
             "joints:\n  pin: {type: revolute, between: [ground, a]}\n"
             "  hold: {type: fixed, between: [[D, 0], far]}\n"
             "forces: {s: {type: torsion-spring, joint: pin, stiffness: (2*pi)^2, angle: 1}}\n",
             D);
    return model_of_text(text);
}

/* It is back at 0 after 10 s. Each step adds an error of the tolerance times 1 rad at most. */
static void a_body_far_away_does_not_matter(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++)
        for (double D = 1; D < 2e9; D *= 1000) {
            lmb_model *m = oscillator(D);
            lmb_dynamics *d = start_motion(
                m, (lmb_integration){.integrator = methods[k], .tolerance = tolerance});
            d->motion->finish = 10;
            double angle = advance(d, 10)->q[2];
            if (getenv("LIMBER_SHOW"))
                printf("%s D %g: %g rad, %ld steps\n", methods[k]->name, D, angle,
                       d->motion->steps);
            assert_true(fabs(angle) < tolerance * (double)d->motion->steps);
            finish(d, m);
        }
}

/* A pendulum of length L over sqrt(L): the same motion for every L. Rounding makes the choice of
 * orders and steps of ida differ. */
static void the_size_of_a_mechanism_does_not_matter(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double angle = 0;
        long steps = 0;
        for (double L = 1e2; L > 1e-8; L /= 1000) {
            char text[400];
            snprintf(text, sizeof text,
                     "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {L: %g}\nbodies:\n"
                     "  a: {mass: 1, inertia: L^2/12, position: [L/2, 0], points: {o: [-L/2, 0]}}\n"
                     "joints: {pin: {type: revolute, between: [ground, a.o]}}\n",
                     L);
            lmb_model *m = model_of_text(text);
            lmb_dynamics *d = start_motion(
                m, (lmb_integration){.integrator = methods[k], .tolerance = tolerance});
            double end = 2 * LMB_PI * sqrt(L / 9.81);
            d->motion->finish = end;
            double found = advance(d, end)->q[2];
            if (getenv("LIMBER_SHOW"))
                printf("%s L %g: %.10g rad, %ld steps\n", methods[k]->name, L, found,
                       d->motion->steps);
            if (steps > 0) {
                assert_true(fabs(found - angle) < 2 * tolerance * (double)steps);
                assert_true(labs(d->motion->steps - steps) <= (k ? steps / 2 : steps / 100));
            }
            angle = steps > 0 ? angle : found;
            steps = steps > 0 ? steps : d->motion->steps;
            finish(d, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_far_away_does_not_matter),
        cmocka_unit_test(the_size_of_a_mechanism_does_not_matter),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
