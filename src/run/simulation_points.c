/* Points of bodies in a simulation: where they are, how they move, and their Jacobians.
 *
 * For a frame with origin p and axes e_i, velocity and angular velocity are linear in the velocity
 * coordinates: (pdot; omega) = J v, with omega = sum e_i x edot_i / 2. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "run/simulation.h"

/* The body that a name means, or its point; -1 for none. */
static int find_body(const lmb_model *m, const char *name, lmb_nearest *nearest)
{
    return lmb_find_name(m->bodies, sizeof *m->bodies, m->body_count, name, nearest);
}

static lmb_status find_marker(const lmb_simulation *s, const char *name, lmb_marker *out)
{
    const lmb_model *m = s->model;
    lmb_nearest nearest;
    int body = find_body(m, name, &nearest);
    if (body >= 0) {
        *out = (lmb_marker){.body = body, .point = -1, .local = frame_identity()};
        return LMB_OK;
    }
    for (int i = 0; i < m->body_count; i++)
        for (int k = m->bodies[i].point; k < m->bodies[i].point + m->bodies[i].point_count; k++) {
            lmb_nearest_try(&nearest, m->points[k].name);
            if (strcmp(m->points[k].name, name) == 0) {
                *out = m->parts.markers[m->points[k].marker];
                return LMB_OK;
            }
        }
    lmb_fail(s->context, LMB_USAGE, "there is no body or point '%s'", name);
    lmb_nearest_hint(s->context, &nearest);
    return LMB_USAGE;
}

/* Moves a point by an offset in body axes. */
static lmb_status shift(const lmb_simulation *s, const char *name, const double *offset,
                        lmb_marker *marker)
{
    const lmb_body *b = &s->model->bodies[marker->body];
    for (int i = 0; i < 3; i++)
        if (!isfinite(offset[i]))
            return lmb_fail(s->context, LMB_USAGE, "the offset from '%s' is not finite", name);
    if (b->ops->marker_nodes) {
        lmb_fail(s->context, LMB_USAGE,
                 "body '%s' deforms: an offset from '%s' is not one of its points", b->name, name);
        lmb_hint(s->context, "name one of its points");
        return LMB_USAGE;
    }
    marker->local.p = v3_add(marker->local.p, v3(offset[0], offset[1], offset[2]));
    return LMB_OK;
}

static void put(double *out, vec3 x)
{
    out[0] = x.x;
    out[1] = x.y;
    out[2] = x.z;
}

/* The Jacobian, 6 x nv by rows, a column at a time. */
static void fill_jacobian(const lmb_state *x, const lmb_marker *mark, const lmb_frame *frame,
                          double *jacobian)
{
    const lmb_body_at *at = &x->bodies[mark->body];
    size_t nv = (size_t)x->model->nv;
    double *unit = x->body_vector;
    memset(jacobian, 0, 6 * nv * sizeof *jacobian);
    memset(unit, 0, (size_t)mark->nv * sizeof *unit);
    for (int j = 0; j < mark->nv; j++) {
        lmb_frame column;
        unit[j] = 1;
        at->body->ops->frame_rate(at, mark, frame, unit, &column);
        unit[j] = 0;
        const vec3 parts[2] = {column.p, frame_angular(frame, &column)};
        for (int i = 0; i < 6; i++)
            jacobian[(size_t)i * nv + (size_t)(mark->v + j)] = v3_get(parts[i / 3], i % 3);
    }
}

static void describe(const lmb_state *x, const lmb_marker *mark, lmb_point_motion *out,
                     double *jacobian)
{
    const lmb_body_at *at = &x->bodies[mark->body];
    lmb_frame frame = mark->local, rate = frame_zero(), bias = frame_zero();
    if (mark->body) { /* the ground stays */
        at->body->ops->frame(at, mark, &frame);
        at->body->ops->frame_rate(at, mark, &frame, x->v + mark->v, &rate);
        lmb_frame by_a;
        at->body->ops->frame_bias(at, mark, &frame, &bias);
        at->body->ops->frame_rate(at, mark, &frame, x->a + mark->v, &by_a);
        frame_add(&bias, 1, &by_a);
    }
    put(out->position, frame.p);
    put(out->velocity, rate.p);
    put(out->acceleration, bias.p);
    put(out->angular_velocity, frame_angular(&frame, &rate));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->rotation[3 * i + k] = v3_get(frame.e[k], i);
    if (jacobian && mark->body)
        fill_jacobian(x, mark, &frame, jacobian);
    else if (jacobian)
        memset(jacobian, 0, 6 * (size_t)x->model->nv * sizeof *jacobian);
}

static lmb_status look_at(lmb_simulation *s, const char *name, const double *offset,
                          lmb_point_motion *out, double *jacobian)
{
    lmb_marker marker;
    LMB_REQUIRE(s->context, name, out);
    lmb_status status = find_marker(s, name, &marker);
    if (!status && offset)
        status = shift(s, name, offset, &marker);
    if (status)
        return status;
    lmb_marker_index(s->model, &marker);
    describe(s->solver->state, &marker, out, jacobian);
    return LMB_OK;
}

lmb_status lmb_simulation_point(lmb_simulation *s, const char *name, const double *offset,
                                lmb_point_motion *out, double *jacobian)
{
    lmb_status status = lmb_simulation_look(s);
    return status ? status : lmb_simulation_leave(s, look_at(s, name, offset, out, jacobian));
}
