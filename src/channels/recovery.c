/* The list of recovered channels and their numbers. */
#include "channels/recovery.h"

#include <string.h>

#include "channels/channel_values.h"
#include "base/text.h"
#include "bodies/modal.h"
#include "reduction/body_data.h"

typedef void getter(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out);

static const char *const tensor_names[LMB_STRESSES] = {"xx", "yy", "zz", "xy", "yz", "zx"};

const double *lmb_modal_coordinates(const lmb_state *s, int body)
{
    return s->q + lmb_body_modal_node(&s->model->bodies[body])->q;
}

/* The modal coordinates of a body as far as they are strains. */
static const double *strained(lmb_recovery *r, const lmb_state *s, int body)
{
    return lmb_modal_strained(lmb_body_elasticity(&s->model->bodies[body])->modal,
                              lmb_modal_coordinates(s, body), r->strained[body]);
}

/* The deformation of a body now, with its accelerations if it has beams. */
static lmb_deformation deformation_of(lmb_recovery *r, const lmb_state *s, int body)
{
    const lmb_body *b = &s->model->bodies[body];
    if (r->inertia[body] && !r->inertia_known[body]) {
        int marker = s->model->body_marker[body];
        mat3 R = frame_rotation(&s->bodies[body].pose);
        lmb_frame x = lmb_frame_acceleration(s, marker);
        vec3 a = m3_tmul(&R, v3_sub(x.p, s->model->gravity));
        vec3 w = m3_tmul(&R, frame_angular(&s->frames[marker], &s->rates[marker]));
        vec3 wd = m3_tmul(&R, frame_angular(&s->frames[marker], &x));
        lmb_carried_motion(a, w, wd, s->a + lmb_body_modal_node(b)->v, lmb_body_modal_node(b)->nv,
                           r->inertia[body]);
        r->inertia_known[body] = true;
    }
    return (lmb_deformation){strained(r, s, body), r->inertia[body]};
}

/* --- stresses of bodies and probes ------------------------------------------------------------ */

static void get_max(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    lmb_stress_state *stress = r->stress[c->item];
    lmb_stress_state_find(stress, deformation_of(r, s, c->item));
    out[0] = stress->mises[stress->worst];
}

static void get_node(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    lmb_stress_state *stress = r->stress[c->item];
    lmb_stress_state_find(stress, deformation_of(r, s, c->item));
    out[0] = stress->data->reduced->number[stress->node[stress->worst]];
}

/* What all stresses of the body are linear in. */
static void get_coordinates(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                            double *out)
{
    size_t modes = (size_t)lmb_body_modal_node(&s->model->bodies[c->item])->nv;
    lmb_deformation now = deformation_of(r, s, c->item);
    memcpy(out, now.eta, modes * sizeof *out);
    if (now.inertia)
        memcpy(out + modes, now.inertia, (LMB_CARRIED + modes) * sizeof *out);
}

static void probe_stress(lmb_recovery *r, const lmb_state *s, int probe, double out[LMB_STRESSES])
{
    const lmb_probe *p = &s->model->probes[probe];
    lmb_probe_stress(p, lmb_body_data_of(&s->model->bodies[p->body]), strained(r, s, p->body), out);
}

static void get_probe_mises(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                            double *out)
{
    double stress[LMB_STRESSES];
    probe_stress(r, s, c->item, stress);
    out[0] = lmb_von_mises(stress);
}

static void get_probe_component(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                                double *out)
{
    double stress[LMB_STRESSES];
    probe_stress(r, s, c->item, stress);
    out[0] = stress[c->component];
}

static lmb_section_forces probe_forces(lmb_recovery *r, const lmb_state *s, int probe)
{
    const lmb_probe *p = &s->model->probes[probe];
    return lmb_probe_forces(p, lmb_body_data_of(&s->model->bodies[p->body]),
                            deformation_of(r, s, p->body));
}

static void get_section_force(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                              double *out)
{
    lmb_section_forces f = probe_forces(r, s, c->item);
    const double all[] = {f.N, f.Vy, f.Vz, f.T, f.My, f.Mz};
    out[0] = all[c->component];
}

/* The stress of the extreme fibres: von Mises', greatest, least, of torsion. */
static void get_fibre(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    const lmb_probe *p = &s->model->probes[c->item];
    lmb_section section =
        lmb_line_section_of(lmb_body_data_of(&s->model->bodies[p->body]), p->places[0] / 2);
    lmb_section_forces f = probe_forces(r, s, c->item);
    lmb_fibre_stress fibre = lmb_fibre_stress_of(&section, &f);
    const double all[] = {fibre.mises, fibre.greatest, fibre.least, fibre.torsion};
    out[0] = all[c->component];
}

/* --- instruments ------------------------------------------------------------------------------ */

/* In the axes of the point; what feels gravity reads the acceleration against free fall. */
static void get_accelerometer(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                              double *out)
{
    (void)r;
    const lmb_sensor *sensor = &s->model->sensors[c->item];
    vec3 a = lmb_frame_acceleration(s, sensor->marker).p;
    mat3 R = frame_rotation(&s->frames[sensor->marker]);
    lmb_put_vector(s, m3_tmul(&R, sensor->gravity ? v3_sub(a, s->model->gravity) : a), out);
}

/* The strain of a fibre along a beam: bending about z lengthens those with y < 0. */
static double beam_strain(lmb_recovery *r, const lmb_state *s, const lmb_sensor *sensor)
{
    const lmb_probe *p = &s->model->probes[sensor->probe];
    const lmb_body_data *d = lmb_body_data_of(&s->model->bodies[p->body]);
    int line = p->places[0] / 2;
    lmb_section section = lmb_line_section_of(d, line);
    lmb_section_forces f = probe_forces(r, s, sensor->probe);
    double stress = f.N / section.A - f.Mz * sensor->fibre[0] / section.Iz;
    if (f.My != 0)
        stress += f.My * sensor->fibre[1] / section.Iy;
    return stress / d->line_section[(size_t)line * LMB_LINE_NUMBERS + LMB_LINE_E];
}

/* Stress and strain where a gauge or rosette on a solid is. */
static void surface_state(lmb_recovery *r, const lmb_state *s, const lmb_sensor *sensor,
                          double stress[LMB_STRESSES], double strain[LMB_STRESSES])
{
    const lmb_probe *p = &s->model->probes[sensor->probe];
    const double *material =
        lmb_body_data_of(&s->model->bodies[p->body])->stress_material + 2 * (size_t)p->places[0];
    probe_stress(r, s, sensor->probe, stress);
    lmb_strain_of(stress, material[0], material[1], strain);
}

static void get_gauge(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    const lmb_sensor *sensor = &s->model->sensors[c->item];
    double stress[LMB_STRESSES], strain[LMB_STRESSES];
    if (s->model->probes[sensor->probe].beam) {
        out[0] = beam_strain(r, s, sensor);
        return;
    }
    surface_state(r, s, sensor, stress, strain);
    out[0] = lmb_tensor_along(strain, sensor->axes.c[0], sensor->axes.c[0]);
}

/* Strains along 0, 45 and 90 degrees from the direction. */
static void get_rosette_strain(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                               double *out)
{
    const lmb_sensor *sensor = &s->model->sensors[c->item];
    const vec3 *axes = sensor->axes.c;
    double stress[LMB_STRESSES], strain[LMB_STRESSES];
    surface_state(r, s, sensor, stress, strain);
    vec3 between = v3_scale(sqrt(0.5), v3_add(axes[0], axes[1]));
    out[0] = lmb_tensor_along(strain, axes[0], axes[0]);
    out[1] = lmb_tensor_along(strain, between, between);
    out[2] = lmb_tensor_along(strain, axes[1], axes[1]);
}

static void get_rosette_stress(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                               double *out)
{
    static const int pairs[LMB_STRESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    const lmb_sensor *sensor = &s->model->sensors[c->item];
    double stress[LMB_STRESSES], strain[LMB_STRESSES];
    surface_state(r, s, sensor, stress, strain);
    if (c->component < 0)
        out[0] = lmb_von_mises(stress);
    else
        out[0] = lmb_tensor_along(stress, sensor->axes.c[pairs[c->component][0]],
                                  sensor->axes.c[pairs[c->component][1]]);
}

/* --- interface points ------------------------------------------------------------------------- */

/* Displacement and rotation of a point by the deformation. */
static vec3 point_sum(const lmb_state *s, int point, bool turn)
{
    const lmb_point *p = &s->model->points[point];
    const lmb_body *b = &s->model->bodies[p->body];
    const lmb_modal_point *modal = &lmb_body_elasticity(b)->modal->points[point - b->point];
    const double *eta = lmb_modal_coordinates(s, p->body);
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < lmb_body_elasticity(b)->modal->modes; k++)
        sum = v3_axpy(sum, eta[k], turn ? modal->phi[k] : modal->psi[k]);
    return sum;
}

static void get_displacement(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c,
                             double *out)
{
    (void)r;
    lmb_put_vector(s, point_sum(s, c->item, false), out);
}

static void get_rotation(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    (void)r;
    lmb_put_turn(s, point_sum(s, c->item, true), out);
}

static const lmb_interface_load *load_of(lmb_recovery *r, const lmb_state *s, int point)
{
    if (!r->loads_known)
        lmb_interface_loads(s, r->loads);
    r->loads_known = true;
    return &r->loads[point];
}

static void get_force(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    lmb_put_vector(s, load_of(r, s, c->item)->force, out);
}

static void get_torque(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    lmb_put_turn(s, load_of(r, s, c->item)->torque, out);
}

/* What an accelerometer on the frame of a body would read. */
static void get_proper(lmb_recovery *r, const lmb_state *s, const lmb_recovered *c, double *out)
{
    (void)r;
    vec3 a = lmb_frame_acceleration(s, s->model->body_marker[c->item]).p;
    mat3 R = frame_rotation(&s->bodies[c->item].pose);
    lmb_put_vector(s, m3_tmul(&R, v3_sub(a, s->model->gravity)), out);
}

/* --- the list --------------------------------------------------------------------------------- */

/* Adds a channel "item.name" (without a name "item") with a number a letter. */
static void add(lmb_recovery *r, const char *item, const char *name, const char *components,
                const char *unit, const char *doc, getter *get, int number, int component)
{
    if (r->count == r->room) {
        int room = r->room ? 2 * r->room : 32;
        r->channels = lmb_arena_grow(r->arena, r->channels, (size_t)r->count, (size_t)room,
                                     sizeof *r->channels);
        r->room = room;
    }
    const char *full = lmb_text_format(r->arena, "%s%s%s", item, name[0] ? "." : "", name);
    r->failed = r->failed || !full || !r->channels;
    if (r->failed)
        return;
    int size = components[0] ? (int)strlen(components) : 1;
    r->channels[r->count++] =
        (lmb_recovered){{full, unit, doc, size, components}, get, number, component};
}

/* Von Mises' stress and the components below it. */
static void add_tensor(lmb_recovery *r, const char *name, const char *doc,
                       const char *component_doc, getter *whole, getter *part, int item)
{
    add(r, name, "", "", "Pa", doc, whole, item, -1);
    for (int k = 0; k < LMB_STRESSES; k++)
        add(r, name, tensor_names[k], "", "Pa", component_doc, part, item, k);
}

static void add_beam_probe(lmb_recovery *r, const char *name, const lmb_probe *p, int number)
{
    static const char *const forces[] = {"N", "Vy", "Vz", "T", "My", "Mz"};
    static const char *const docs[] = {
        "Normal force in the section.",     "Shear force along its y axis.",
        "Shear force along its z axis.",    "Torque.",
        "Bending moment about its y axis.", "Bending moment about its z axis."};
    bool planar = r->model->dimension == 2;
    add(r, name, "", "", "Pa", "Von Mises' stress of the extreme fibres.", get_fibre, number, 0);
    add(r, name, "greatest", "", "Pa", "Greatest stress of a fibre along the beam.", get_fibre,
        number, 1);
    add(r, name, "least", "", "Pa", "Least stress of a fibre along the beam.", get_fibre, number,
        2);
    if (!planar)
        add(r, name, "torsion", "", "Pa", "Greatest shear stress of torsion.", get_fibre, number,
            3);
    const char *section =
        lmb_text_format(r->arena, "%s.section.%s", r->model->bodies[p->body].name, p->name);
    r->failed = r->failed || !section;
    for (int k = 0; k < 6 && !r->failed; k++)
        if (!planar || k < 2 || k == 5)
            add(r, section, forces[k], "", k < 3 ? "N" : "N m", docs[k], get_section_force, number,
                k);
}

static void add_probe(lmb_recovery *r, int number)
{
    const lmb_probe *p = &r->model->probes[number];
    if (!p->name)
        return;
    const char *name =
        lmb_text_format(r->arena, "%s.stress.%s", r->model->bodies[p->body].name, p->name);
    r->failed = r->failed || !name;
    if (r->failed)
        return;
    if (p->beam)
        add_beam_probe(r, name, p, number);
    else
        add_tensor(r, name,
                   p->count > 1 ? "Von Mises' stress of the mean stress there."
                                : "Von Mises' stress there.",
                   p->count > 1 ? "Mean component of the stress there, in body axes."
                                : "Component of the stress there, in body axes.",
                   get_probe_mises, get_probe_component, number);
}

static void add_points(lmb_recovery *r, const lmb_body *b, bool reactions)
{
    const char *xyz = r->model->dimension == 2 ? "xy" : "xyz";
    const char *turn = r->model->dimension == 2 ? "" : "xyz";
    for (int i = b->point; i < b->point + b->point_count; i++) {
        const char *name = r->model->points[i].name;
        add(r, name, "displacement", xyz, "m", "Displacement by the deformation, in body axes.",
            get_displacement, i, 0);
        add(r, name, "rotation", turn, "rad", "Rotation vector of the deformation, in body axes.",
            get_rotation, i, 0);
        if (!reactions)
            continue;
        add(r, name, "force", xyz, "N", "All that joints and forces exert there, in body axes.",
            get_force, i, 0);
        add(r, name, "torque", turn, "N m", "Their moment about the point, in body axes.",
            get_torque, i, 0);
    }
}

/* For programs that draw: the coordinates of stresses where they are not the modal ones alone. */
static void add_coordinates(lmb_recovery *r, int body)
{
    const lmb_body *b = &r->model->bodies[body];
    int modes = lmb_body_elasticity(b)->modal->modes;
    if (lmb_body_elasticity(b)->modal->stretch_count == 0 && !r->inertia[body])
        return;
    add(r, b->name, "stress_coordinates", "", "",
        r->inertia[body] ? "What its stresses are of: modal coordinates with stretching, "
                           "accelerations of its frame and of its modes."
                         : "What its stresses are of: modal coordinates with stretching.",
        get_coordinates, body, 0);
    if (!r->failed)
        r->channels[r->count - 1].channel.size =
            modes + (r->inertia[body] ? LMB_CARRIED + modes : 0);
}

static void add_body(lmb_recovery *r, int body, bool moving, bool reactions, bool inertia)
{
    const lmb_body *b = &r->model->bodies[body];
    add_points(r, b, reactions);
    if (moving)
        add(r, b->name, "proper_acceleration", r->model->dimension == 2 ? "xy" : "xyz", "m/s^2",
            "Acceleration of its frame less gravity, in body axes.", get_proper, body, 0);
    if (!lmb_has_stress(lmb_body_data_of(b)))
        return;
    r->stress[body] = lmb_stress_state_new(r->arena, lmb_body_data_of(b));
    r->strained[body] = lmb_arena_numbers(r->arena, (size_t)lmb_body_elasticity(b)->modal->modes);
    r->failed = r->failed || !r->stress[body] || !r->strained[body];
    if (inertia && lmb_body_data_of(b)->line_count > 0) {
        r->inertia[body] =
            lmb_arena_numbers(r->arena, LMB_CARRIED + (size_t)lmb_body_elasticity(b)->modal->modes);
        r->failed = r->failed || !r->inertia[body];
    }
    add(r, b->name, "stress.max", "", "Pa", "The largest stress of von Mises in the body.", get_max,
        body, 0);
    add(r, b->name, "stress.node", "", "", "The number of the node where it is.", get_node, body,
        0);
    add_coordinates(r, body);
    for (int i = 0; i < r->model->probe_count; i++)
        if (r->model->probes[i].body == body)
            add_probe(r, i);
}

static void add_instrument(lmb_recovery *r, int number, bool moving)
{
    const lmb_sensor *s = &r->model->sensors[number];
    if (s->kind == LMB_SENSOR_ACCELEROMETER && moving)
        add(r, s->name, "", r->model->dimension == 2 ? "xy" : "xyz", "m/s^2",
            s->gravity ? "Acceleration of the point less gravity, in its axes."
                       : "Acceleration of the point, in its axes.",
            get_accelerometer, number, 0);
    if (s->kind == LMB_SENSOR_GAUGE)
        add(r, s->name, "", "", "", "Strain in the direction of the gauge.", get_gauge, number, 0);
    if (s->kind != LMB_SENSOR_ROSETTE)
        return;
    add(r, s->name, "strain", "abc", "", "Strains along 0, 45 and 90 degrees.", get_rosette_strain,
        number, 0);
    const char *stress = lmb_text_format(r->arena, "%s.stress", s->name);
    r->failed = r->failed || !stress;
    if (stress)
        add_tensor(r, stress, "Von Mises' stress there.",
                   "Component of the stress in the axes of the rosette.", get_rosette_stress,
                   get_rosette_stress, number);
}

lmb_recovery *lmb_recovery_new(lmb_arena *arena, const lmb_model *m, unsigned known)
{
    bool moving = known & LMB_KNOWN_MOTION, reactions = known & LMB_KNOWN_REACTIONS;
    bool inertia = moving && !(known & LMB_KNOWN_MODES); /* there velocities are shapes */
    lmb_recovery *r = lmb_arena_alloc(arena, 1, sizeof *r);
    if (!r)
        return NULL;
    r->arena = arena;
    r->model = m;
    r->stress = lmb_arena_alloc(arena, (size_t)m->body_count + 1, sizeof(lmb_stress_state *));
    r->loads = lmb_arena_alloc(arena, (size_t)m->point_count + 1, sizeof *r->loads);
    r->strained = lmb_arena_alloc(arena, (size_t)m->body_count + 1, sizeof(double *));
    r->inertia = lmb_arena_alloc(arena, (size_t)m->body_count + 1, sizeof(double *));
    r->inertia_known = lmb_arena_alloc(arena, (size_t)m->body_count + 1, sizeof(bool));
    r->failed = !r->stress || !r->loads || !r->strained || !r->inertia || !r->inertia_known;
    for (int i = 1; i < m->body_count && !r->failed; i++)
        if (lmb_body_modal_node(&m->bodies[i]))
            add_body(r, i, moving, reactions, inertia);
    for (int i = 0; i < m->sensor_count && !r->failed; i++)
        add_instrument(r, i, moving);
    return r->failed ? NULL : r;
}

void lmb_recovery_next(lmb_recovery *r)
{
    r->loads_known = false;
    memset(r->inertia_known, 0, (size_t)r->model->body_count * sizeof *r->inertia_known);
}
