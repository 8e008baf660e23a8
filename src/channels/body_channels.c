/* The channels of bodies and their points: positions, orientations, their rates, modal coordinates,
 * energies. */
#include <string.h>

#include "channels/channel_list.h"
#include "elements/exact_beam.h"

/* Which derivative, and in which axes. */
enum { VALUE, RATE, SECOND, LOCAL = 4 };

/* The acceleration of a marker; several channels in a row ask for the same. */
static const lmb_frame *acceleration_of(lmb_channels *c, const lmb_state *s, int marker)
{
    if (c->last.marker != marker)
        c->last.acceleration = lmb_frame_acceleration(s, marker);
    c->last.marker = marker;
    return &c->last.acceleration;
}

/* The position of a marker, its velocity or its acceleration. */
static void put_marker(lmb_channels *c, const lmb_state *s, int marker, int part, double *out)
{
    lmb_put_vector(s,
                   part == VALUE  ? s->frames[marker].p
                   : part == RATE ? s->rates[marker].p
                                  : acceleration_of(c, s, marker)->p,
                   out);
}

static void get_point(lmb_channels *c, const lmb_state *s, int point, int part, double *out)
{
    put_marker(c, s, c->model->points[point].marker, part, out);
}

static void get_body(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    put_marker(c, s, c->model->body_marker[body], part, out);
}

static void get_angle(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_body *b = &c->model->bodies[body];
    const lmb_exact_beam *line = lmb_body_line(b);
    out[0] = lmb_body_angle(s, body);
    if (line) /* whose first node need not have the axes of the body */
        out[0] -= atan2(line->nodes[0].e[0].y, line->nodes[0].e[0].x);
}

static void get_quaternion(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_body *b = &c->model->bodies[body];
    const lmb_exact_beam *line = lmb_body_line(b);
    quat turn = lmb_body_quaternion(&s->bodies[body]);
    if (line) {
        mat3 R = frame_rotation(&line->nodes[0]);
        turn = quat_mul(turn, quat_conjugate(quat_from_matrix(&R)));
    }
    const double numbers[4] = {turn.w, turn.x, turn.y, turn.z};
    memcpy(out, numbers, sizeof numbers);
}

static void get_rotation(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)c, (void)part;
    mat3 axes = frame_rotation(&s->bodies[body].pose), R = mat3_orthonormal(&axes);
    lmb_put_vector(s, quat_log(quat_from_matrix(&R)), out);
}

/* sum e_i x e_i'' / 2 is the angular acceleration: the centripetal parts cancel in the sum */
static void get_angular(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    int marker = c->model->body_marker[body];
    const lmb_frame *x = part & RATE ? &s->rates[marker] : acceleration_of(c, s, marker);
    vec3 turn = frame_angular(&s->frames[marker], x);
    lmb_put_turn(s, part & LOCAL ? lmb_to_local(&s->bodies[body].pose, turn) : turn, out);
}

static void get_modes(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    const lmb_node *modes = lmb_body_modal_node(&c->model->bodies[body]);
    const double *from = part == VALUE ? s->q + modes->q : (part == RATE ? s->v : s->a) + modes->v;
    memcpy(out, from, (size_t)modes->nv * sizeof *out);
}

static void get_elastic(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    lmb_balance balance = {0};
    c->model->bodies[body].ops->balance(&s->bodies[body], lmb_present_gravity(s), &balance);
    out[0] = balance.elastic;
}

static void get_first_order(lmb_channels *c, const lmb_state *s, int state, int part, double *out)
{
    (void)c, (void)part;
    out[0] = s->z[state];
}

/* --- derivatives ------------------------------------------------------------------------------ */

static int point_marker(const lmb_channels *c, int point)
{
    return c->model->points[point].marker;
}

static int body_marker(const lmb_channels *c, int body)
{
    return c->model->body_marker[body];
}

/* The frame of a beam is that of its first node, turned by what the model says. */
static int angle_marker(const lmb_channels *c, int body)
{
    return lmb_body_line(&c->model->bodies[body]) ? -1 : body_marker(c, body);
}

/* A component of position, velocity or acceleration. */
static void add_marker_slope(const lmb_state *s, int marker, const lmb_number *n, double weight,
                             lmb_slopes *out)
{
    lmb_frame_weights w = {.order = n->part};
    vec3 along = v3_scale(weight, v3_axis(n->k));
    *(n->part == VALUE ? &w.x.p : n->part == RATE ? &w.rate.p : &w.second.p) = along;
    lmb_slopes_add_frame(s, marker, &w, out);
}

static void point_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                        const double *weights, lmb_slopes *out)
{
    add_marker_slope(s, point_marker(c, n->item), n, weights[0], out);
}

static void body_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                       const double *weights, lmb_slopes *out)
{
    add_marker_slope(s, body_marker(c, n->item), n, weights[0], out);
}

/* The turn about z by a change of the axes, as an angular velocity has it: sum e_i x de_i / 2. */
static void angle_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                        const double *weights, lmb_slopes *out)
{
    int marker = body_marker(c, n->item);
    lmb_frame_weights w = {.order = 0};
    for (int i = 0; i < 3; i++)
        w.x.e[i] = v3_scale(weights[0] / 2, v3_cross(v3_axis(2), s->frames[marker].e[i]));
    lmb_slopes_add_frame(s, marker, &w, out);
}

void lmb_reach_body(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    lmb_marks_add(marks, c->model->bodies[n->item].v, c->model->bodies[n->item].nv);
}

static const lmb_chain of_body = {.of_item = true, .marker = body_marker, .slope = body_slope};
static const lmb_chain of_point = {.of_item = true, .marker = point_marker, .slope = point_slope};
static const lmb_chain of_angle = {.of_item = true, .marker = angle_marker, .slope = angle_slope};
static const lmb_chain of_turn = {.of_item = true, .marker = body_marker};
static const lmb_chain of_axes = {.of_item = true, .signless = true, .reach = lmb_reach_body};
static const lmb_chain of_deformation = {.reach = lmb_reach_body};

/* --- tables ----------------------------------------------------------------------------------- */

enum { MOTION = LMB_KNOWN_MOTION };

static const lmb_listed body_motion[] = {
    {"position", LMB_VECTOR, "m", "Position of %s.", 0, .get = get_body, .chain = &of_body},
    {"modes", LMB_COUNTED, "", "Modal coordinates of its deformation.", LMB_DEFORMS,
     .get = get_modes, .chain = &of_deformation},
    {"modes_velocity", LMB_COUNTED, "1/s", "Their rates.", LMB_DEFORMS | MOTION, .get = get_modes,
     RATE, .chain = &of_deformation},
    {"modes_acceleration", LMB_COUNTED, "1/s^2", "Their second derivatives.", LMB_DEFORMS | MOTION,
     .get = get_modes, SECOND, .chain = &of_deformation},
    {"energy", LMB_SCALAR, "J", "Elastic energy of its deformation.", LMB_STORES | MOTION,
     .get = get_elastic, .chain = &of_deformation},
    {"angle", LMB_SCALAR, "rad", "Angle of its x axis from the global one.",
     LMB_TURNS | LMB_IN_PLANE, .get = get_angle, .chain = &of_angle},
    {"quaternion", LMB_QUATERNION, "", "Orientation as a unit quaternion.",
     LMB_TURNS | LMB_IN_SPACE, .get = get_quaternion, .chain = &of_axes},
    {"rotation", LMB_VECTOR, "rad", "Orientation as a rotation vector.", LMB_TURNS | LMB_IN_SPACE,
     .get = get_rotation},
    {"velocity", LMB_VECTOR, "m/s", "Velocity of %s.", MOTION, .get = get_body, RATE,
     .chain = &of_body},
    {"angular_velocity", LMB_TURN, "rad/s", "Angular velocity in global axes.", LMB_TURNS | MOTION,
     .get = get_angular, RATE},
    {"angular_velocity_local", LMB_TURN, "rad/s", "Angular velocity in body axes.",
     LMB_TURNS | LMB_IN_SPACE | MOTION, .get = get_angular, RATE | LOCAL},
    {"acceleration", LMB_VECTOR, "m/s^2", "Acceleration of %s.", MOTION, .get = get_body, SECOND,
     .chain = &of_body},
    {"angular_acceleration", LMB_TURN, "rad/s^2", "Angular acceleration in global axes.",
     LMB_TURNS | MOTION, .get = get_angular, SECOND},
    {"angular_acceleration_local", LMB_TURN, "rad/s^2", "Angular acceleration in body axes.",
     LMB_TURNS | LMB_IN_SPACE | MOTION, .get = get_angular, SECOND | LOCAL},
    {0},
};

static const lmb_listed point_motion[] = {
    {"position", LMB_VECTOR, "m", "Position of the point.", 0, .get = get_point},
    {"velocity", LMB_VECTOR, "m/s", "Velocity of the point.", MOTION, .get = get_point, RATE},
    {"acceleration", LMB_VECTOR, "m/s^2", "Acceleration of the point.", MOTION, .get = get_point,
     SECOND},
    {0},
};

void lmb_channels_list_body(lmb_channels *c, int i)
{
    const lmb_body *b = &c->model->bodies[i];
    const lmb_node *modal = lmb_body_modal_node(b);
    bool line = lmb_body_line(b);
    lmb_channels_add_all(c, body_motion,
                         (lmb_item){b->name, i,
                                    (b->ops->turns ? LMB_TURNS : 0) | (modal ? LMB_DEFORMS : 0) |
                                        (modal || line ? LMB_STORES : 0),
                                    line ? "its frame, which its first node carries"
                                    : lmb_body_elasticity(b) ? "its frame"
                                                             : "the centre of mass",
                                    modal ? modal->nv : 0, .chain = &of_turn});
    if (line)
        lmb_channels_list_line(c, i);
    for (int k = 0; k < b->nz; k++) {
        lmb_own_state own = b->ops->states->state(b, k);
        lmb_channels_add(c, b->name, own.name, 1, "",
                         &(lmb_channel_source){.get = get_first_order,
                                               .item = b->z + k,
                                               .chain = &lmb_chain_constant},
                         own.unit, own.doc);
    }
    for (int k = b->point; k < b->point + b->point_count; k++) {
        lmb_channels_add_all(c, point_motion,
                             (lmb_item){c->model->points[k].name, .number = k, .chain = &of_point});
        if (line)
            lmb_channels_list_line_point(c, k);
    }
}
