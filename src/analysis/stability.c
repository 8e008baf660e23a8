/* Stability of explicit methods with an undamped vibration y'' = -w^2 y, z = w h:
 *
 *   semi-implicit Euler     z < 2
 *   Adams (PECE, order 4)   its roots are 1 + 0.16 z^6 for small z: vibrations grow slowly at any
 *                           step, by a factor e if 0.16 z^6 times the number of steps is 1; from
 *                           0.92 on another root leaves the unit circle, and they explode
 *   Dormand-Prince          z < 1.0; the error control finds such steps by itself
 *
 * The highest frequency of a free body bounds those in a mechanism: constraints do not raise the
 * largest eigenvalue of K x = w^2 M x (Rayleigh), nor do masses. */
#include "analysis/dynamics.h"

double lmb_highest_frequency(const lmb_model *m, const lmb_body **whose)
{
    double highest = 0;
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        double one = b->ops->highest_frequency ? b->ops->highest_frequency(b) : 0;
        if (one < 0)
            return one;
        if (one > highest) {
            highest = one;
            *whose = b;
        }
    }
    return highest;
}

void lmb_warn_stability(lmb_context *context, const lmb_model *m, const lmb_analysis *a)
{
    const double many = 1e6;
    const lmb_body *body = NULL;
    const lmb_integrator *integrator = a->integration.integrator;
    if (!integrator->stable_step)
        return;
    double w = lmb_highest_frequency(m, &body);
    if (!(w > 0))
        return;
    double stable = integrator->stable_step(w, a->duration);
    double steps = a->duration / stable;
    if (integrator->controlled && steps > many)
        lmb_warn_at(context, a->place,
                    "analysis '%s' needs steps of about %.2g s, %.2g in all: body '%s' vibrates "
                    "at up to %.3g Hz",
                    a->name, stable, steps, body->name, w / (2 * LMB_PI));
    else if (!integrator->controlled && a->integration.step > stable)
        lmb_warn_at(context, a->place,
                    "analysis '%s' is not stable with steps of %.3g s, only below %.2g s: body "
                    "'%s' vibrates at up to %.3g Hz",
                    a->name, a->integration.step, stable, body->name, w / (2 * LMB_PI));
    else
        return;
    lmb_hint(context, "use the integrator generalized-alpha, or %s",
             lmb_body_line(body) ? "give the beam fewer elements" : "keep fewer modes of the body");
}
