/* How the numbers of each kind of channel are computed from a solved state. */
#include "channels/channel_values.h"

#include <string.h>

void lmb_put_vector(const lmb_state *s, vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    if (s->model->dimension == 3)
        out[2] = v.z;
}

void lmb_put_turn(const lmb_state *s, vec3 v, double *out)
{
    if (s->model->dimension == 3)
        lmb_put_vector(s, v, out);
    else
        out[0] = v.z;
}

static vec3 to_local(const lmb_frame *axes, vec3 v)
{
    mat3 R = frame_rotation(axes);
    return m3_tmul(&R, v);
}

void lmb_get_marker_position(const lmb_state *s, int marker, double *out)
{
    lmb_put_vector(s, s->frames[marker].p, out);
}

void lmb_get_marker_velocity(const lmb_state *s, int marker, double *out)
{
    lmb_put_vector(s, s->rates[marker].p, out);
}

void lmb_get_marker_acceleration(const lmb_state *s, int marker, double *out)
{
    lmb_put_vector(s, lmb_frame_acceleration(s, marker).p, out);
}

void lmb_get_body_angle(const lmb_state *s, int body, double *out)
{
    out[0] = s->q[s->model->bodies[body].q + 2];
}

static quat body_quat(const lmb_state *s, int body)
{
    mat3 R = frame_rotation(&s->bodies[body].pose);
    return quat_from_matrix(&R);
}

void lmb_get_body_quaternion(const lmb_state *s, int body, double *out)
{
    memcpy(out, s->q + s->model->bodies[body].q + 3, 4 * sizeof *out);
}

void lmb_get_body_rotation(const lmb_state *s, int body, double *out)
{
    lmb_put_vector(s, quat_log(body_quat(s, body)), out);
}

static vec3 angular_velocity(const lmb_state *s, int body)
{
    int marker = s->model->body_marker[body];
    return frame_angular(&s->frames[marker], &s->rates[marker]);
}

/* sum e_i x e_i'' / 2 is the angular acceleration: the centripetal parts cancel in the sum */
static vec3 angular_acceleration(const lmb_state *s, int body)
{
    int marker = s->model->body_marker[body];
    lmb_frame x = lmb_frame_acceleration(s, marker);
    return frame_angular(&s->frames[marker], &x);
}

void lmb_get_body_angular_velocity(const lmb_state *s, int body, double *out)
{
    lmb_put_turn(s, angular_velocity(s, body), out);
}

void lmb_get_body_angular_velocity_local(const lmb_state *s, int body, double *out)
{
    lmb_put_vector(s, to_local(&s->bodies[body].pose, angular_velocity(s, body)), out);
}

void lmb_get_body_angular_acceleration(const lmb_state *s, int body, double *out)
{
    lmb_put_turn(s, angular_acceleration(s, body), out);
}

void lmb_get_body_angular_acceleration_local(const lmb_state *s, int body, double *out)
{
    lmb_put_vector(s, to_local(&s->bodies[body].pose, angular_acceleration(s, body)), out);
}

void lmb_get_coordinate(const lmb_state *s, int index, double *out)
{
    out[0] = lmb_coordinate_value(s, &s->model->parts.coordinates[index]).f;
}

void lmb_get_coordinate_velocity(const lmb_state *s, int index, double *out)
{
    out[0] = lmb_coordinate_value(s, &s->model->parts.coordinates[index]).d;
}

void lmb_get_coordinate_acceleration(const lmb_state *s, int index, double *out)
{
    out[0] = lmb_coordinate_value(s, &s->model->parts.coordinates[index]).dd;
}

/* Force and moment that rows exert on the body of a joint's second end. */
typedef struct wrench {
    vec3 force, torque;
} wrench;

static wrench rows_wrench(const lmb_state *s, int row, int count, int pair, bool second)
{
    const lmb_pair *p = &s->model->parts.pairs[pair];
    lmb_frame f = lmb_row_force(s, row, count, pair, second);
    return (wrench){f.p, frame_moment(&s->frames[second ? p->b : p->a], &f)};
}

static wrench joint_wrench(const lmb_state *s, int joint)
{
    const lmb_joint *j = &s->model->joints[joint];
    return rows_wrench(s, j->row, j->row_count, j->pair, true);
}

static wrench joint_wrench_total(const lmb_state *s, int joint)
{
    const lmb_model *m = s->model;
    wrench sum = joint_wrench(s, joint);
    for (int i = m->joints[joint].driver; i >= 0; i = m->drivers[i].next) {
        const lmb_driver *d = &m->drivers[i];
        const lmb_coordinate *c = &m->parts.coordinates[d->coordinate];
        wrench more = rows_wrench(s, d->row, 1, c->pair, !c->flipped);
        sum.force = v3_add(sum.force, more.force);
        sum.torque = v3_add(sum.torque, more.torque);
    }
    return sum;
}

/* The axes of the first end of a joint as the user named it. */
static const lmb_frame *first_end(const lmb_state *s, int joint)
{
    const lmb_model *m = s->model;
    return &s->frames[m->parts.pairs[m->joints[joint].ends].a];
}

void lmb_get_joint_force(const lmb_state *s, int joint, double *out)
{
    lmb_put_vector(s, joint_wrench(s, joint).force, out);
}

void lmb_get_joint_torque(const lmb_state *s, int joint, double *out)
{
    lmb_put_turn(s, joint_wrench(s, joint).torque, out);
}

void lmb_get_joint_force_local(const lmb_state *s, int joint, double *out)
{
    lmb_put_vector(s, to_local(first_end(s, joint), joint_wrench(s, joint).force), out);
}

void lmb_get_joint_torque_local(const lmb_state *s, int joint, double *out)
{
    lmb_put_turn(s, to_local(first_end(s, joint), joint_wrench(s, joint).torque), out);
}

void lmb_get_joint_force_total(const lmb_state *s, int joint, double *out)
{
    lmb_put_vector(s, joint_wrench_total(s, joint).force, out);
}

void lmb_get_joint_torque_total(const lmb_state *s, int joint, double *out)
{
    lmb_put_turn(s, joint_wrench_total(s, joint).torque, out);
}

void lmb_get_driver_value(const lmb_state *s, int driver, double *out)
{
    out[0] = s->laws[s->model->drivers[driver].law].f;
}

void lmb_get_driver_velocity(const lmb_state *s, int driver, double *out)
{
    out[0] = s->laws[s->model->drivers[driver].law].d;
}

void lmb_get_driver_acceleration(const lmb_state *s, int driver, double *out)
{
    out[0] = s->laws[s->model->drivers[driver].law].dd;
}

/* The generalised force along the coordinate: minus the multiplier; the row of a length is half its
 * square, whose slope is the length. */
void lmb_get_driver_effort(const lmb_state *s, int driver, double *out)
{
    const lmb_driver *d = &s->model->drivers[driver];
    const lmb_coordinate *c = &s->model->parts.coordinates[d->coordinate];
    double slope = c->kind == LMB_COORDINATE_LENGTH ? s->laws[d->law].f : 1;
    out[0] = -s->lambda[d->row] * slope;
}

void lmb_get_driver_power(const lmb_state *s, int driver, double *out)
{
    lmb_get_driver_effort(s, driver, out);
    out[0] *= s->laws[s->model->drivers[driver].law].d;
}

void lmb_get_force(const lmb_state *s, int index, double *out)
{
    int force = index / LMB_FORCE_CHANNELS;
    const lmb_force *f = &s->model->forces[force];
    lmb_force_at at = lmb_force_input(s, f);
    lmb_force_channel c;
    f->type->channel(f, index % LMB_FORCE_CHANNELS, &c);
    vec3 v = c.acts && s->force_off[force] ? v3(0, 0, 0) : c.get(f, &at);
    if (c.shape == LMB_SCALAR)
        out[0] = v.x;
    else if (c.shape == LMB_TURN)
        lmb_put_turn(s, v, out);
    else
        lmb_put_vector(s, v, out);
}

void lmb_get_modes(const lmb_state *s, int body, double *out)
{
    const lmb_node *modes = lmb_body_modal_node(&s->model->bodies[body]);
    memcpy(out, s->q + modes->q, (size_t)modes->nq * sizeof *out);
}

void lmb_get_modes_velocity(const lmb_state *s, int body, double *out)
{
    const lmb_node *modes = lmb_body_modal_node(&s->model->bodies[body]);
    memcpy(out, s->v + modes->v, (size_t)modes->nv * sizeof *out);
}

void lmb_get_modes_acceleration(const lmb_state *s, int body, double *out)
{
    const lmb_node *modes = lmb_body_modal_node(&s->model->bodies[body]);
    memcpy(out, s->a + modes->v, (size_t)modes->nv * sizeof *out);
}

void lmb_get_body_elastic(const lmb_state *s, int body, double *out)
{
    lmb_balance balance = {0};
    s->model->bodies[body].ops->balance(&s->bodies[body], s->model->gravity, &balance);
    out[0] = balance.elastic;
}

void lmb_get_energy_elastic(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = lmb_elastic_energy(s);
}

void lmb_get_energy_kinetic(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = lmb_total_balance(s).kinetic;
}

void lmb_get_energy_potential(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = lmb_total_balance(s).potential;
}

void lmb_get_energy_total(const lmb_state *s, int index, double *out)
{
    (void)index;
    lmb_balance b = lmb_total_balance(s);
    out[0] = b.kinetic + b.potential + lmb_elastic_energy(s);
}

void lmb_get_energy_supplied(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = s->work[LMB_WORK_SUPPLIED];
}

void lmb_get_energy_dissipated(const lmb_state *s, int index, double *out)
{
    (void)index;
    out[0] = s->work[LMB_WORK_DISSIPATED];
}

void lmb_get_energy_balance(const lmb_state *s, int index, double *out)
{
    lmb_get_energy_total(s, index, out);
    out[0] += s->work[LMB_WORK_DISSIPATED] - s->work[LMB_WORK_SUPPLIED];
}

void lmb_get_event_count(const lmb_state *s, int event, double *out)
{
    out[0] = isnan(s->event_time[event]) ? 0 : 1;
}

void lmb_get_event_time(const lmb_state *s, int event, double *out)
{
    out[0] = s->event_time[event];
}

void lmb_get_constraint_position(const lmb_state *s, int index, double *out)
{
    (void)index;
    double sum = 0;
    for (int r = 0; r < s->model->nrows; r++) {
        double x = lmb_row_value(s, r);
        sum += x * x;
    }
    out[0] = sqrt(sum);
}

void lmb_get_constraint_velocity(const lmb_state *s, int index, double *out)
{
    (void)index;
    double sum = 0;
    for (int r = 0; r < s->model->nrows; r++) {
        double x = lmb_row_rate(s, r);
        sum += x * x;
    }
    out[0] = sqrt(sum);
}
