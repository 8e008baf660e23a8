/* Channels of the probes of a beam with large deformation: named places along it, at which frame,
 * strains and section forces are those of the element's interpolation (elements/beam_sections.h).
 * Section forces and stresses have the names of those of reduced beams (recovery.c). */
#include <string.h>

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
    mat3 axes = frame_rotation(&x), R = mat3_orthonormal(&axes);
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

static void locate_probe(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    (void)s;
    n->body = c->probed[n->item].body;
    n->probe = n->item;
}

/* --- derivatives ------------------------------------------------------------------------------ */

static void reach_element(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    const lmb_probed *p = &c->probed[n->item];
    const lmb_exact_beam *b = beam_of(c, p);
    for (int i = 0; i <= b->order; i++) {
        int node = lmb_exact_beam_node(b, p->probe->element, i);
        const lmb_node *at = &c->model->bodies[p->body].nodes[node];
        lmb_marks_add(marks, at->v, at->nv);
    }
}

/* The parts of the section of a number, at a node or a probe. */
static int find_parts(const lmb_channels *c, const lmb_number *n, lmb_section_part *parts)
{
    const lmb_exact_beam *b = lmb_body_line(&c->model->bodies[n->body]);
    return n->probe < 0 ? lmb_beam_node_parts(b, n->place, parts)
                        : lmb_beam_probe_parts(b, c->probed[n->probe].probe, parts);
}

void lmb_section_inner(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y)
{
    lmb_beam_section_state x =
        n->probe < 0 ? lmb_channels_sections(c, s, n->body)[n->place] : section_of(c, s, n->probe);
    memcpy(y, &x.strain, sizeof x.strain);
    memcpy(y + 6, &x.force, sizeof x.force);
}

double lmb_section_outer(lmb_channels *c, const lmb_number *n, const double *y, double *by)
{
    static const int plane[] = {[LMB_SECTION_STRAIN] = 0, 5, 6, [LMB_SECTION_MOMENT] = 11};
    int k = n->k % lmb_section_size(c, n->part);
    if (by)
        memset(by, 0, LMB_SECTION_NUMBERS * sizeof *by);
    if (n->part >= LMB_SECTION_STRESS && n->part < LMB_SECTION_N) {
        const lmb_exact_beam *b = lmb_body_line(&c->model->bodies[n->body]);
        const lmb_section *section =
            n->probe < 0 ? &b->sections[n->place] : c->probed[n->probe].probe->section;
        lmb_section_forces f = {y[6], y[7], y[8], y[9], y[10], y[11]};
        return lmb_fibre_stress_part(section, &f, n->part - LMB_SECTION_STRESS, by ? by + 6 : NULL);
    }
    int at = n->part >= LMB_SECTION_N   ? 6 + n->part - LMB_SECTION_N
             : c->model->dimension == 3 ? 3 * n->part + k
                                        : plane[n->part] + k;
    if (by)
        by[at] = 1;
    return y[at];
}

void lmb_section_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                       const double *weights, lmb_slopes *out)
{
    const lmb_body *b = &c->model->bodies[n->body];
    lmb_section_part parts[LMB_SECTION_PARTS];
    lmb_beam_section_state w = {0};
    memcpy(&w.strain, weights, sizeof w.strain);
    memcpy(&w.force, weights + 6, sizeof w.force);
    lmb_beam_section_slopes(lmb_body_line(b), parts, find_parts(c, n, parts), s->q + b->q,
                            lmb_channels_rates(c, s, n->body), &w, out->q + b->v, out->v + b->v);
}

static const lmb_chain of_frame = {.reach = reach_element};
static const lmb_chain of_quaternion = {.signless = true, .reach = reach_element};
static const lmb_chain of_section = {.locate = locate_probe, LMB_SECTION_CHAIN};

/* --- tables ----------------------------------------------------------------------------------- */

static const lmb_listed motion[] = {
    {"position", LMB_VECTOR, "m", "Position of the place along the beam.", 0, .get = get_position,
     .chain = &of_frame},
    {"quaternion", LMB_QUATERNION, "", "Orientation of the section there as a unit quaternion.",
     LMB_IN_SPACE, .get = get_quaternion, .chain = &of_quaternion},
    {"angle", LMB_SCALAR, "rad", "Angle of the section there from the global x axis.", LMB_IN_PLANE,
     .get = get_angle, .chain = &of_frame},
    {"strain", LMB_VECTOR, "", "Stretch and shear strains there, axes of the section.", 0,
     .part = LMB_SECTION_STRAIN},
    {"curvature", LMB_TURN, "1/m",
     "Twist and curvatures there against the undeformed ones, axes of the section.", 0,
     .part = LMB_SECTION_CURVATURE},
    {0},
};

const lmb_listed lmb_section_channels[] = {
    {"N", LMB_SCALAR, "N", "Normal force in the section.", 0, .part = 0},
    {"Vy", LMB_SCALAR, "N", "Shear force along its y axis.", 0, .part = 1},
    {"Vz", LMB_SCALAR, "N", "Shear force along its z axis.", LMB_IN_SPACE, .part = 2},
    {"T", LMB_SCALAR, "N m", "Torque.", LMB_IN_SPACE, .part = 3},
    {"My", LMB_SCALAR, "N m", "Bending moment about its y axis.", LMB_IN_SPACE, .part = 4},
    {"Mz", LMB_SCALAR, "N m", "Bending moment about its z axis.", 0, .part = 5},
    {0},
};

const lmb_listed lmb_fibre_channels[] = {
    {"", LMB_SCALAR, "Pa", "Von Mises' stress of the extreme fibres.", 0, .part = 0},
    {"greatest", LMB_SCALAR, "Pa", "Greatest stress of a fibre along the beam.", 0, .part = 1},
    {"least", LMB_SCALAR, "Pa", "Least stress of a fibre along the beam.", 0, .part = 2},
    {"torsion", LMB_SCALAR, "Pa", "Greatest shear stress of torsion.", LMB_IN_SPACE, .part = 3},
    {0},
};

void lmb_channels_list_line_probes(lmb_channels *c, int body)
{
    const char *of = c->model->bodies[body].name;
    const lmb_exact_beam *b = lmb_body_line(&c->model->bodies[body]);
    for (int i = 0; i < b->probe_count; i++) {
        const char *name = b->probes[i].name;
        lmb_item item = {.number = c->probed_count, .chain = &of_section};
        c->probed = lmb_arena_append(c->arena, c->probed, c->probed_count, sizeof *c->probed);
        if (!lmb_arena_fine(c->arena))
            return;
        c->probed[c->probed_count++] = (lmb_probed){body, &b->probes[i]};
        item.name = lmb_text_format(c->arena, "%s.%s", of, name);
        lmb_channels_add_all(c, motion, item);
        item.name = lmb_text_format(c->arena, "%s.section.%s", of, name);
        item.part = LMB_SECTION_N;
        lmb_channels_add_all(c, lmb_section_channels, item);
        item.name = lmb_text_format(c->arena, "%s.stress.%s", of, name);
        item.part = LMB_SECTION_STRESS;
        if (lmb_beam_has_stress(b))
            lmb_channels_add_all(c, lmb_fibre_channels, item);
    }
}
