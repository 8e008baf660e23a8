/* A controller in the loop: an inverted pendulum on a cart is kept upright.
 *
 * Every 10 ms the controller measures the place x of the cart, the angle a of the pole and their
 * rates, and sets the force F of the drive,
 *
 *   F = k0 x + k1 dx/dt + k2 a + k3 da/dt.
 *
 * For small angles M d2x/dt2 = F + m g a and M l d2a/dt2 = (M + m) g a + F; the gains put the poles
 * of these equations to -2, -2.5, -3 and -3.5 1/s.
 *
 *   cc controller.c -o controller $(pkg-config --cflags --libs limber) -lm */
#include <math.h>
#include <stdio.h>

#include <limber/limber.h>

static const char text[] =
    "limber: 1\n"
    "title: Inverted pendulum on a cart\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {M: 1, m: 0.2, l: 0.5, a0: 0.2}\n"
    "bodies:\n"
    "  cart: {mass: M, inertia: 1, position: [0, 0]}\n"
    "  pole: {mass: m, inertia: 0, position: [-l*sin(a0), l*cos(a0)], angle: a0,\n"
    "         points: {foot: [0, -l]}}\n"
    "joints:\n"
    "  rail: {type: translational, between: [ground, cart], axis: [1, 0]}\n"
    "  pin: {type: revolute, between: [cart, pole.foot]}\n"
    "forces:\n"
    "  drive: {type: motor, joint: rail, effort: 0}   # the controller adds its force\n"
    "analyses:\n"
    "  balance: {type: dynamics, duration: 8, output_step: 0.01}\n";

/* What the controller measures. */
enum { PLACE, SPEED, ANGLE, RATE, MEASURED };
static const char *const channels[MEASURED] = {"cart.position.x", "cart.velocity.x", "pole.angle",
                                               "pole.angular_velocity"};

/* Balances until the end; returns the last angle, or NaN if something fails. */
static double balance(lmb_simulation *s)
{
    const double M = 1, m = 0.2, l = 0.5, g = 9.81;
    double gains[MEASURED];
    gains[PLACE] = 52.5 * M * l / g; /* (s + 2) (s + 2.5) (s + 3) (s + 3.5), multiplied out */
    gains[SPEED] = 79.75 * M * l / g;
    gains[ANGLE] = -44.75 * M * l - (M + m) * g - gains[PLACE] * l;
    gains[RATE] = -11 * M * l - gains[SPEED] * l;

    int handles[MEASURED], drive;
    for (int i = 0; i < MEASURED; i++)
        if (lmb_simulation_channel(s, channels[i], &handles[i], NULL))
            return NAN;
    if (lmb_simulation_input(s, "drive", &drive, NULL))
        return NAN;
    for (int step = 0; lmb_simulation_time(s) < lmb_simulation_end(s); step++) {
        double force = 0;
        for (int i = 0; i < MEASURED; i++)
            force += gains[i] * *lmb_simulation_read(s, handles[i]);
        if (step % 50 == 0)
            printf("t = %4.1f s: cart at %7.4f m, pole at %7.4f rad, force %7.3f N\n",
                   lmb_simulation_time(s), *lmb_simulation_read(s, handles[PLACE]),
                   *lmb_simulation_read(s, handles[ANGLE]), force);
        if (lmb_simulation_set_input(s, drive, &force) || lmb_simulation_step(s))
            return NAN;
    }
    return *lmb_simulation_read(s, handles[ANGLE]);
}

int main(void)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec = NULL;
    lmb_model *model = NULL;
    lmb_simulation *simulation = NULL;
    double angle = NAN;
    if (lmb_abi_version() != LMB_ABI_VERSION) {
        fprintf(stderr, "the library is of another version than the headers\n");
        return 1;
    }
    if (context && !lmb_spec_parse(&spec, context, "pendulum", text) &&
        !lmb_model_compile(&model, context, spec) &&
        !lmb_simulation_new(&simulation, context, model, NULL))
        angle = balance(simulation);
    for (size_t i = 0; context && i < lmb_message_count(context); i++)
        fprintf(stderr, "%s\n", lmb_message_at(context, i)->text);
    lmb_simulation_free(simulation);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
    printf("the pole ends at %.2g rad\n", angle);
    return fabs(angle) < 1e-4 ? 0 : 1;
}
