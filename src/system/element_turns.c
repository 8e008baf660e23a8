#include "system/element_turns.h"

#include "elements/beam_sections.h"

static lmb_status turns_too_far(lmb_context *context, const lmb_body *body, int element,
                                double turn, double t)
{
    lmb_fail(context, LMB_SOLVER,
             "element %d of body '%s' turns by %.2g rad between its nodes at t = %.6g", element + 1,
             body->name, turn, t);
    return lmb_hint(context, "rotations are interpolated in elements: give the beam more of them "
                             "('elements'), so that each turns by less than about 1 rad");
}

lmb_status lmb_check_element_turns(lmb_context *context, const lmb_state *s)
{
    const lmb_model *m = s->model;
    for (int i = 1; i < m->body_count; i++) {
        const lmb_exact_beam *beam = lmb_body_line(&m->bodies[i]);
        if (!beam)
            continue;
        const double *q = s->bodies[i].q;
        int element;
        double turn = beam->dimension == 2 ? lmb_beam_largest_turn(beam, q + 2, 3, &element)
                                           : lmb_beam_largest_turn(beam, q + 3, 7, &element);
        if (turn > LMB_LARGE_TURN)
            return turns_too_far(context, &m->bodies[i], element, turn, s->t);
    }
    return LMB_OK;
}
