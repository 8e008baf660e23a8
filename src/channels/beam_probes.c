/* Channels of the probes of a beam with large deformation: named places along it, at which frame,
 * strains and section forces are those of the element's interpolation (elements/beam_sections.h).
 * Section forces and stresses have the names of those of reduced beams (recovery.c). */
#include "base/text.h"
#include "channels/channel_list.h"
#include "elements/beam_sections.h"
#include "fe/stress.h"

/* A probe of a body. */
typedef struct lmb_probed {
    int body;
    const lmb_beam_probe *probe;
} lmb_probed;

/* --- numbers ---------------------------------------------------------------------------------- */

static const lmb_exact_beam *beam_of(const lmb_channels *c, const lmb_probed *p)
{
    return lmb_body_line(&c->model->bodies[p->body]);
}

/* The frame with the axes of the section. */
static lmb_frame frame_of(const lmb_channels *c, const lmb_state *s, const lmb_probed *p)
{
    lmb_frame local = frame_with_axes(v3(0, 0, 0), &p->probe->axes);
    lmb_frame at = lmb_beam_frame_at(beam_of(c, p), p->probe->element, p->probe->x,
                                     s->q + c->model->bodies[p->body].q);
    return frame_compose(&at, &local);
}

static void get_position(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    (void)part;
    lmb_put_vector(s, frame_of(c, s, &c->probed[item]).p, out);
}

static void get_quaternion(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    (void)part;
    lmb_frame x = frame_of(c, s, &c->probed[item]);
    mat3 R = frame_rotation(&x);
    quat turn = quat_from_matrix(&R);
    out[0] = turn.w;
    lmb_put_vector(s, v3(turn.x, turn.y, turn.z), out + 1);
}

/* With its turns: near to the angle of the first node of its element, and the angle of the leg. */
static void get_angle(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    (void)part;
    const lmb_probed *p = &c->probed[item];
    const lmb_exact_beam *b = beam_of(c, p);
    lmb_frame x =
        lmb_beam_frame_at(b, p->probe->element, p->probe->x, s->q + c->model->bodies[p->body].q);
    int node = lmb_exact_beam_node(b, p->probe->element, 0);
    double near = s->q[c->model->bodies[p->body].q + 3 * node + 2];
    double leg = atan2(p->probe->axes.c[0].y, p->probe->axes.c[0].x);
    out[0] = near + remainder(atan2(x.e[0].y, x.e[0].x) - near, 2 * LMB_PI) + leg;
}

static lmb_beam_section_state section_of(lmb_channels *c, const lmb_state *s, int item)
{
    const lmb_probed *p = &c->probed[item];
    lmb_section_part parts[LMB_SECTION_PARTS];
    lmb_beam_section_state out;
    lmb_beam_section_evaluate(
        beam_of(c, p), parts, lmb_beam_probe_parts(beam_of(c, p), p->probe, parts),
        s->q + c->model->bodies[p->body].q, lmb_channels_rates(c, s, p->body), &out);
    return out;
}

static void get_strain(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    lmb_beam_section_state x = section_of(c, s, item);
    lmb_put_section(s, &x, part, out);
}

static void get_force(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    lmb_beam_section_state x = section_of(c, s, item);
    lmb_section_forces f = lmb_section_forces_of(&x);
    const double all[] = {f.N, f.Vy, f.Vz, f.T, f.My, f.Mz};
    out[0] = all[part];
}

static void get_stress(lmb_channels *c, const lmb_state *s, int item, int part, double *out)
{
    lmb_beam_section_state x = section_of(c, s, item);
    lmb_section_forces f = lmb_section_forces_of(&x);
    lmb_fibre_stress fibre = lmb_fibre_stress_of(c->probed[item].probe->section, &f);
    const double all[] = {fibre.mises, fibre.greatest, fibre.least, fibre.torsion};
    out[0] = all[part];
}

/* --- tables ----------------------------------------------------------------------------------- */

static const lmb_listed motion[] = {
    {"position", LMB_VECTOR, "m", "Position of the place along the beam.", 0, .get = get_position},
    {"quaternion", LMB_QUATERNION, "", "Orientation of the section there as a unit quaternion.",
     LMB_IN_SPACE, .get = get_quaternion},
    {"angle", LMB_SCALAR, "rad", "Angle of the section there from the global x axis.", LMB_IN_PLANE,
     .get = get_angle},
    {"strain", LMB_VECTOR, "", "Stretch and shear strains there, axes of the section.", 0,
     .get = get_strain, LMB_SECTION_STRAIN},
    {"curvature", LMB_TURN, "1/m",
     "Twist and curvatures there against the undeformed ones, axes of the section.", 0,
     .get = get_strain, LMB_SECTION_CURVATURE},
    {0},
};

static const lmb_listed forces[] = {
    {"N", LMB_SCALAR, "N", "Normal force in the section.", 0, .get = get_force, 0},
    {"Vy", LMB_SCALAR, "N", "Shear force along its y axis.", 0, .get = get_force, 1},
    {"Vz", LMB_SCALAR, "N", "Shear force along its z axis.", LMB_IN_SPACE, .get = get_force, 2},
    {"T", LMB_SCALAR, "N m", "Torque.", LMB_IN_SPACE, .get = get_force, 3},
    {"My", LMB_SCALAR, "N m", "Bending moment about its y axis.", LMB_IN_SPACE, .get = get_force,
     4},
    {"Mz", LMB_SCALAR, "N m", "Bending moment about its z axis.", 0, .get = get_force, 5},
    {0},
};

static const lmb_listed stresses[] = {
    {"", LMB_SCALAR, "Pa", "Von Mises' stress of the extreme fibres.", 0, .get = get_stress, 0},
    {"greatest", LMB_SCALAR, "Pa", "Greatest stress of a fibre along the beam.", 0,
     .get = get_stress, 1},
    {"least", LMB_SCALAR, "Pa", "Least stress of a fibre along the beam.", 0, .get = get_stress, 2},
    {"torsion", LMB_SCALAR, "Pa", "Greatest shear stress of torsion.", LMB_IN_SPACE,
     .get = get_stress, 3},
    {0},
};

void lmb_channels_list_line_probes(lmb_channels *c, int body)
{
    const char *of = c->model->bodies[body].name;
    const lmb_exact_beam *b = lmb_body_line(&c->model->bodies[body]);
    for (int i = 0; i < b->probe_count; i++) {
        const char *name = b->probes[i].name;
        lmb_item item = {.number = c->probed_count};
        c->probed = lmb_arena_append(c->arena, c->probed, c->probed_count, sizeof *c->probed);
        if (!lmb_arena_fine(c->arena))
            return;
        c->probed[c->probed_count++] = (lmb_probed){body, &b->probes[i]};
        item.name = lmb_text_format(c->arena, "%s.%s", of, name);
        lmb_channels_add_all(c, motion, item);
        item.name = lmb_text_format(c->arena, "%s.section.%s", of, name);
        lmb_channels_add_all(c, forces, item);
        item.name = lmb_text_format(c->arena, "%s.stress.%s", of, name);
        if (lmb_beam_has_stress(b))
            lmb_channels_add_all(c, stresses, item);
    }
}
