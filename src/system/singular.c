/* Whether a singular position is near.
 *
 * sigma(q), the smallest singular value of the scaled Jacobian S Phi_q W^(-1/2), is 0 in a singular
 * position and grows about linearly with the distance from it: sigma = H distance. The slope is
 * found with displacements d in which each coordinate changes at random by up to delta (lengths of
 * the model, radians); they need not satisfy the constraints:
 *
 *   H = (largest sigma(q (+) d) - sigma(q)) / delta
 *
 * Joints that close to c = lmb_closed leave a position uncertain by e, H e^2 / 2 = c, and
 * velocities by e / distance; where that may be more than a tenth the position counts as singular:
 *
 *   sigma / H < 10 sqrt(2 c / H)
 *
 * sigma alone says little: that of an open chain of n driven hinges is about 1/n^2, and as small in
 * all positions near by. */
#include "system/solver.h"

#include <string.h>

static const double displaced = 1e-2;

/* sigma at the present position; 0 if the matrix cannot be factorised. */
static double smallest_singular_value(lmb_solver *s)
{
    lmb_jacobian(s->state);
    return lmb_solver_factor_with(s, s->metric, 0) ? lmb_saddle_weakest(s->saddle, s->rows) : 0;
}

/* sigma at a displaced position. */
static double beside(lmb_solver *s, unsigned random)
{
    const lmb_model *m = s->state->model;
    for (int j = 0; j < m->nv; j++) {
        random = random * 1103515245u + 12345u;
        double part = (random >> 16 & 0x7fff) / 16384.0 - 1;
        s->step[j] = part * displaced * m->length / m->columns[j].size;
    }
    lmb_retract(s->state, s->start, s->step);
    lmb_update_position(s->state);
    return smallest_singular_value(s);
}

/* Leaves the present position as it was, without a factorisation. */
static bool singular_near(lmb_solver *s)
{
    lmb_state *state = s->state;
    memcpy(s->start, state->q, (size_t)state->model->nq * sizeof *s->start);
    double here = smallest_singular_value(s), there = 0;
    for (unsigned trial = 1; trial <= 3; trial++)
        there = fmax(there, beside(s, trial));
    memcpy(state->q, s->start, (size_t)state->model->nq * sizeof *s->start);
    lmb_update_position(state);
    lmb_jacobian(state);
    double slope = (there - here) / displaced;
    return slope > 0 && here < 10 * sqrt(2 * lmb_closed * slope);
}

bool lmb_solver_factor_surely(lmb_solver *s)
{
    const lmb_saddle_kind *kind = s->saddle->kind;
    if (lmb_solver_factor(s) && (s->epsilon > 0 || kind->condition(s->saddle) > 10 * s->doubtful))
        return true;
    bool singular = singular_near(s);
    if (!singular && lmb_solver_factor_with(s, s->weights, 0)) {
        /* nor is a position where pivots are about as large as here */
        s->doubtful = fmin(s->doubtful, kind->condition(s->saddle) / 100);
        return true;
    }
    lmb_solver_factor_with(s, s->weights, lmb_proximal);
    return false;
}
