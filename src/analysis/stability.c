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
#include "analysis/stability.h"

#include "base/arena.h"
#include "base/message.h"
#include "bodies/modal.h"
#include "integrate/motion.h"
#include "math/dense.h"

/* That of one body, undeformed. */
static double highest_of(const lmb_body *b)
{
    size_t n = (size_t)b->nv, modes = (size_t)b->modal->modes, rigid = n - modes;
    lmb_arena *arena = lmb_arena_new();
    double *K = arena ? lmb_arena_alloc(arena, 2 * n * n + 3 * n + (size_t)b->nq, sizeof *K) : NULL;
    struct lmb_deformed *room = K ? b->ops->make_room(b, arena) : NULL;
    double highest = -1;
    if (!room) {
        lmb_arena_free(arena);
        return -1;
    }
    double *M = K + n * n, *values = M + n * n, *v = values + n, *q = v + n;
    lmb_body_at at = {.body = b, .q = q, .v = v, .deformed = room};
    b->ops->place(b, &b->start, q);
    b->ops->update(&at);
    b->ops->mass(&at, M);
    for (size_t j = 0; j < modes; j++)
        for (size_t i = 0; i < modes; i++)
            K[(rigid + j) * n + rigid + i] = b->modal->K[j * modes + i];
    if (lmb_dense_symmetric_general((int)n, K, M, values))
        highest = sqrt(fmax(0, values[n - 1]));
    lmb_arena_free(arena);
    return highest;
}

double lmb_highest_frequency(const lmb_model *m, const lmb_body **whose)
{
    double highest = 0;
    for (int i = 0; i < m->body_count; i++) {
        if (!m->bodies[i].modal || m->bodies[i].modal->modes == 0)
            continue;
        double one = highest_of(&m->bodies[i]);
        if (one < 0)
            return one;
        if (one > highest) {
            highest = one;
            *whose = &m->bodies[i];
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
    lmb_hint(context, "use the integrator generalized-alpha, or keep fewer modes of the body");
}
