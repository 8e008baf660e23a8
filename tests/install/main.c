/* consumer MODEL RESULT: runs the slider-crank through the public API and checks the torque of its
 * motor at the end, t = 1 s.
 *
 * The power of the motor is the rate of the kinetic and potential energy, all of it known in closed
 * form: with the crank at theta = omega t the rod stands at psi, l sin psi = -r sin theta. */
#include <math.h>
#include <stdio.h>

#include <limber/limber.h>

static double exact_effort(double t)
{
    const double r = 0.15, l = 0.4, m1 = 1, m2 = 1.5, m3 = 2, w = 10, g = 9.81;
    double s = sin(w * t), c = cos(w * t), psi = -asin(r / l * s);
    double S = l * sin(psi), C = l * cos(psi);
    double v = -r * w * c / C, a = (r * w * w * s + S * v * v) / C;

    /* velocity and acceleration of the rod's middle and of the slider */
    double vx = -r * w * s - S / 2 * v, ax = -r * w * w * c - C / 2 * v * v - S / 2 * a;
    double vy = r * w * c + C / 2 * v, ay = -r * w * w * s - S / 2 * v * v + C / 2 * a;
    double vs = -r * w * s - S * v, as = -r * w * w * c - C * v * v - S * a;

    double power = m2 * (vx * ax + vy * ay) + m2 * l * l / 12 * v * a + m3 * vs * as +
                   g * (m1 * r / 2 * w * c + m2 * vy);
    return power / w;
}

static int fail(const lmb_context *context)
{
    for (size_t i = 0; i < lmb_message_count(context); i++)
        fprintf(stderr, "%s\n", lmb_message_at(context, i)->text);
    return 1;
}

int main(int argc, char **argv)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    lmb_result *result = NULL;
    lmb_series effort = {0};
    if (argc != 3 || !context)
        return 2;
    if (lmb_spec_load(&spec, context, argv[1]) || lmb_model_compile(&model, context, spec) ||
        lmb_run(context, model, NULL, argv[2]) || lmb_result_open(&result, context, argv[2]) ||
        lmb_result_read(result, context, "motor.effort", &effort))
        return fail(context);

    double t = effort.time[effort.count - 1], value = effort.values[effort.count - 1];
    double error = fabs(value - exact_effort(t));
    printf("Limber %s: motor.effort = %.12g N m at t = %g s (off by %.1e)\n", lmb_version(), value,
           t, error);

    lmb_series_free(&effort);
    lmb_result_close(result);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
    return error < 1e-11 ? 0 : 1; /* joints closed to 1e-13; forces of some 100 N */
}
