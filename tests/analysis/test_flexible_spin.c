/* Flexible bodies that spin: bars grow longer, and what the options that leave terms out do.
 *
 * A bar that turns with w about its end is in equilibrium in its frame if u'' + k^2 (x + u) = 0,
 * k^2 = rho w^2 / E, u(0) = 0, u'(L) = 0, so u(L) = tan(kL)/k - L = k^2 L^3 / 3 (1 + 2/5 (kL)^2
 * + ...). With n elements the elongation is off by (kL)^2 / (12 n^2) of it, 3.6e-7 with kL = 0.1
 * and n = 48, and the modes that are left out in space take 5e-7. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/dynamics.h"
#include "bodies/modal.h"
#include "models.h"
#include "support.h"

static const double E = 1e9, density = 1000, L = 1.2, kL = 0.1;

/* w = 83.3 rad/s */
static double speed(void)
{
    return kL / L * sqrt(E / density);
}

static double elongation(void)
{
    return L * (tan(kL) / kL - 1);
}

/* A bar on a hinge that turns about z at a constant speed; thick, or it would bend at lower
 * frequencies than it spins with. */
static lmb_model *bar(int dimension, int elements, const char *more)
{
    char text[2048];
    const char *z = dimension == 3 ? ", 0" : "";
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\n"
             "bodies:\n"
             "  bar:\n"
             "    beam: {from: [0, 0%s], to: [%g, 0%s], elements: %d, section: {rectangle: {width: "
             "0.3, height: 0.4}}, material: {E: %g, nu: 0.3, density: %g}}\n"
             "    interfaces: {A: start, B: end}\n"
             "    reduction: {modes: 60, frame: {point: A}}\n"
             "    angular_velocity: %s%.17g%s\n"
             "    damping: 0.7\n%s"
             "joints: {hinge: {type: revolute, between: [ground, bar.A]%s}}\n"
             "drivers: {motor: {joint: hinge, angle: %.17g*t}}\n",
             dimension, z, L, z, elements, E, density, dimension == 3 ? "[0, 0, " : "", speed(),
             dimension == 3 ? "]" : "", more, dimension == 3 ? ", axis: [0, 0, 1]" : "", speed());
    return model_of_text(text);
}

/* The bar some time after it was set turning without deformation; its vibrations are damped. */
static lmb_dynamics *turned(const lmb_model *m, double t)
{
    lmb_dynamics *d;
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = 1e-4, .spectral_radius = 0.5};
    assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
    assert_ok(lmb_dynamics_advance(d, t));
    return d;
}

static double end_of(const lmb_dynamics *d)
{
    return v3_norm(d->solver->state->frames[d->solver->state->model->points[1].marker].p);
}

/* The elongation after the vibrations of the beginning, and the pull of the hinge. */
static double elongated(int dimension, int elements, double *pull)
{
    lmb_model *m = bar(dimension, elements, "");
    lmb_dynamics *d = turned(m, 0.1);
    double u = end_of(d) - L;
    const lmb_joint *j = &m->joints[0];
    lmb_frame f = lmb_row_force(d->solver->state, j->row, j->row_count, j->pair, true);
    *pull = v3_norm(f.p);
    lmb_dynamics_free(d);
    lmb_model_free(m);
    return u;
}

static void spinning_bars_grow_longer(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        double pull, u = elongated(dimension, 48, &pull), first = L * kL * kL / 3;
        if (getenv("LIMBER_SHOW"))
            printf("%dD: elongation %.9g, off by %.2e; first order by %.2e\n", dimension, u,
                   u / elongation() - 1, u / first - 1);
        assert_close(u / elongation(), 1, 1e-6);
        assert_close(u / first - 1, 0.4 * kL * kL, 0.1 * kL * kL); /* it softens */
        /* the pull of the hinge is that of the deformed bar: w^2 s, s = rho A int (x + u) */
        double A = 0.12, k = kL / L, moment = density * A * (1 / cos(kL) - 1) / (k * k);
        assert_close(pull / (speed() * speed() * moment), 1, 1e-6);
    }
}

/* --- what is left out ------------------------------------------------------------------------- */

/* Without quadratic velocity forces nothing pulls the bar: it does not grow. The hinge feels the
 * pull of no mass. */
static void without_quadratic_forces_bars_stay_as_they_are(void **unused)
{
    (void)unused;
    lmb_model *m = bar(2, 10, "    quadratic_velocity: false\n");
    lmb_dynamics *d = turned(m, 0.05);
    assert_close(end_of(d), L, 1e-12);
    const lmb_joint *j = &m->joints[0];
    lmb_frame f = lmb_row_force(d->solver->state, j->row, j->row_count, j->pair, true);
    double pull = speed() * speed() * density * 0.12 * L * L / 2;
    assert_true(v3_norm(f.p) < 1e-9 * pull);
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* The mass matrix of the bar, deformed or not, in its first place. */
static double *mass_of(const lmb_model *m, bool deformed, double *bar_mass)
{
    const lmb_body *b = &m->bodies[1];
    lmb_state *s = lmb_state_at(m, 0);
    double *M = calloc((size_t)b->nv * (size_t)b->nv, sizeof *M);
    for (int k = 0; deformed && k < lmb_body_elasticity(b)->modal->modes; k++)
        s->q[b->q + b->nq - lmb_body_elasticity(b)->modal->modes + k] =
            0.1 / lmb_body_elasticity(b)->modal->size[k];
    lmb_update_position(s);
    b->ops->mass(&s->bodies[1], M);
    *bar_mass = b->mass;
    lmb_state_free(s);
    return M;
}

/* The largest difference of the mass matrices of the deformed and the undeformed bar. */
static double mass_change(const lmb_model *m)
{
    double mass, most = 0, *M = mass_of(m, false, &mass), *D = mass_of(m, true, &mass);
    int n = m->bodies[1].nv;
    for (int i = 0; i < n * n; i++)
        most = fmax(most, fabs(M[i] - D[i]));
    free(M);
    free(D);
    return most / mass;
}

/* With constant coupling the mass matrix is that of the undeformed body. Its kinetic energy does
 * not depend on the modes, so nothing pulls on them either: the bar turns as a rigid one would, and
 * the hinge feels the pull of the undeformed mass. */
static void constant_coupling_is_that_of_the_undeformed_body(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_model *full = bar(dimension, 10, ""),
                  *m = bar(dimension, 10, "    coupling: constant\n");
        assert_true(mass_change(full) > 0.01);
        assert_close(mass_change(m), 0, 0);
        lmb_dynamics *d = turned(m, 0.05);
        assert_close(end_of(d), L, 1e-12);
        const lmb_joint *j = &m->joints[0];
        lmb_frame f = lmb_row_force(d->solver->state, j->row, j->row_count, j->pair, true);
        double pull = speed() * speed() * density * 0.12 * L * L / 2;
        assert_close(v3_norm(f.p) / pull, 1, 1e-9);
        lmb_dynamics_free(d);
        lmb_model_free(full);
        lmb_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spinning_bars_grow_longer),
        cmocka_unit_test(without_quadratic_forces_bars_stay_as_they_are),
        cmocka_unit_test(constant_coupling_is_that_of_the_undeformed_body),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
