/* Channels of instruments: accelerometers, strain gauges and rosettes. */
#include <math.h>

#include "base/text.h"
#include "channels/channel_list.h"
#include "reduction/body_data.h"

static void locate_sensor(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    (void)s;
    n->probe = c->model->sensors[n->item].probe;
    n->body = c->model->probes[n->probe].body;
}

void lmb_put_acceleration(const lmb_state *s, int marker, bool gravity, double *out)
{
    vec3 a = lmb_frame_acceleration(s, marker).p;
    mat3 R = frame_rotation(&s->frames[marker]);
    lmb_put_vector(s, m3_tmul(&R, gravity ? v3_sub(a, s->model->gravity) : a), out);
}

static void get_accelerometer(lmb_channels *c, const lmb_state *s, int sensor, int part,
                              double *out)
{
    const lmb_sensor *of = &c->model->sensors[sensor];
    (void)part;
    lmb_put_acceleration(s, of->marker, of->gravity, out);
}

static const lmb_probe *probe_of_sensor(const lmb_channels *c, int sensor)
{
    return &c->model->probes[c->model->sensors[sensor].probe];
}

/* Return the strain of a fibre along a beam: bending about z lengthens fibres with y < 0. */
static double beam_strain(const lmb_channels *c, const lmb_number *n, const double *f)
{
    const lmb_sensor *sensor = &c->model->sensors[n->item];
    const lmb_probe *p = probe_of_sensor(c, n->item);
    const lmb_body_data *d = c->recovery->stress[p->body]->data;
    int line = p->places[0] / 2;
    lmb_section section = lmb_line_section_of(d, line);
    double stress = f[0] / section.A - f[5] * sensor->fibre[0] / section.Iz;
    if (f[4] != 0)
        stress += f[4] * sensor->fibre[1] / section.Iy;
    return stress / d->line_section[(size_t)line * LMB_LINE_NUMBERS + LMB_LINE_E];
}

/* Return the strain in the direction of a gauge or rosette on a solid. */
static double surface_strain(const lmb_channels *c, const lmb_number *n, const double *stress,
                             vec3 along)
{
    const lmb_probe *p = probe_of_sensor(c, n->item);
    const double *material =
        c->recovery->stress[p->body]->data->stress_material + 2 * (size_t)p->places[0];
    double strain[LMB_STRESSES];
    lmb_strain_of(stress, material[0], material[1], strain);
    return lmb_tensor_along(strain, along, along);
}

static double gauge_strain(lmb_channels *c, const lmb_number *n, const double *y)
{
    return probe_of_sensor(c, n->item)->beam
               ? beam_strain(c, n, y)
               : surface_strain(c, n, y, c->model->sensors[n->item].axes.c[0]);
}

/* Return the strains at 0, 45 and 90 degrees from the direction of the rosette. */
static double rosette_strain(lmb_channels *c, const lmb_number *n, const double *y)
{
    const vec3 *axes = c->model->sensors[n->item].axes.c;
    const vec3 along[] = {axes[0], v3_scale(sqrt(0.5), v3_add(axes[0], axes[1])), axes[1]};
    return surface_strain(c, n, y, along[n->k]);
}

/* Return a strain component in the axes of the rosette. */
static double rosette_component(lmb_channels *c, const lmb_number *n, const double *y)
{
    static const int pairs[LMB_STRESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    const vec3 *axes = c->model->sensors[n->item].axes.c;
    return lmb_tensor_along(y, axes[pairs[n->part][0]], axes[pairs[n->part][1]]);
}

/* --- derivatives ------------------------------------------------------------------------------ */

static void reach_sensor(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    lmb_marks_add_marker(c->model, marks, c->model->sensors[n->item].marker);
}

#define OF_SENSOR LMB_RECOVERED, .locate = locate_sensor

static const lmb_chain accelerometer = {.reach = reach_sensor};
static const lmb_chain gauge = {OF_SENSOR, .linear = gauge_strain};
static const lmb_chain grid = {OF_SENSOR, .linear = rosette_strain};
static const lmb_chain rosette = {OF_SENSOR, .outer = lmb_recovered_stress};
static const lmb_chain rosette_part = {OF_SENSOR, .linear = rosette_component};

/* --- the list --------------------------------------------------------------------------------- */

static const lmb_listed of_rosette[] =
    LMB_TENSOR("Von Mises' stress there.", "Component of the stress in the axes of the rosette.",
               rosette, rosette_part);

static const lmb_listed of_accelerometer[] = {
    {"", LMB_VECTOR, "m/s^2", "Acceleration of the point%s, in its axes.", LMB_KNOWN_MOTION,
     .get = get_accelerometer, .chain = &accelerometer},
    {0},
};

static const lmb_listed of_gauge[] = {
    {"", LMB_SCALAR, "", "Strain in the direction of the gauge.", 0, .chain = &gauge},
    {0},
};

static const lmb_listed of_grids[] = {
    {"strain", LMB_GRIDS, "", "Strains along 0, 45 and 90 degrees.", 0, .chain = &grid},
    {0},
};

void lmb_channels_list_instrument(lmb_channels *c, int number)
{
    const lmb_sensor *s = &c->model->sensors[number];
    if (s->probe < 0)
        return;
    lmb_item item = {s->name, .number = number};
    if (s->kind == LMB_SENSOR_GAUGE)
        lmb_channels_add_all(c, of_gauge, item);
    if (s->kind == LMB_SENSOR_ROSETTE) {
        lmb_channels_add_all(c, of_grids, item);
        item.name = lmb_text_format(c->arena, "%s.stress", s->name);
        lmb_channels_add_all(c, of_rosette, item);
    }
    item.of = s->gravity ? " less gravity" : "";
    if (s->kind == LMB_SENSOR_ACCELEROMETER)
        lmb_channels_add_all(c, of_accelerometer, item);
}
