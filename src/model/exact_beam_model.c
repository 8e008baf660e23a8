/* Geometrically exact beams as bodies of a model. */
#include "bodies/exact_beam.h"
#include "model/builder.h"
#include "model/exact_beam_part.h"

lmb_status lmb_exact_beam_body(lmb_body_build *b)
{
    lmb_exact_beam *beam;
    lmb_exact_interfaces interfaces;
    lmb_status status = lmb_exact_beam_read(b, &beam, &interfaces);
    if (status)
        return status;
    vec3 centre;
    lmb_body *body = b->body;
    body->ops = beam->dimension == 2 ? &lmb_body_exact_beam_planar : &lmb_body_exact_beam;
    body->own = beam;
    lmb_exact_beam_mass(beam, &body->mass, &centre, &body->inertia);

    /* the velocity that is given is that of the centre of mass; a body has that of its origin */
    mat3 R = frame_rotation(&body->start);
    body->velocity = v3_sub(body->velocity, v3_cross(body->spin, m3_mul(&R, centre)));

    /* points have the axes of the body, as those of reduced bodies */
    for (int i = 0; i < interfaces.count && !status; i++) {
        lmb_frame local = frame_identity();
        local.p = beam->nodes[interfaces.nodes[i]].p;
        status = b->point(b, interfaces.nodes[i], interfaces.names[i], local);
    }
    return status;
}
