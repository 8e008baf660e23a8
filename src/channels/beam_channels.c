/* Channels over the nodes along a beam: where they are, strains and section forces; and those of
 * its points. */
#include <string.h>

#include "channels/channel_list.h"
#include "elements/beam_sections.h"
#include "fe/stress.h"

/* --- nodes ------------------------------------------------------------------------------------ */

static void get_nodes(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_body *b = &c->model->bodies[body];
    for (int i = 0; i < b->node_count; i++, out += c->model->dimension)
        memcpy(out, s->q + b->nodes[i].q, (size_t)c->model->dimension * sizeof *out);
}

static void get_quaternions(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_body *b = &c->model->bodies[body];
    for (int i = 0; i < b->node_count; i++)
        memcpy(out + 4 * i, s->q + b->nodes[i].q + 3, 4 * sizeof *out);
}

static void get_angles(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_body *b = &c->model->bodies[body];
    for (int i = 0; i < b->node_count; i++)
        out[i] = s->q[b->nodes[i].q + 2];
}

/* Velocities or angular velocities of nodes, global axes: in an analysis of modes their shape. */
static void get_rates(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    const lmb_body *b = &c->model->bodies[body];
    bool space = c->model->dimension == 3;
    for (int i = 0; i < b->node_count; i++) {
        const double *q = s->q + b->nodes[i].q, *v = s->v + b->nodes[i].v;
        mat3 R = space ? quat_matrix(node_quat(q)) : m3_identity();
        vec3 turn = space ? m3_mul(&R, v3_of(v + 3)) : v3(0, 0, v[2]);
        if (part)
            lmb_put_turn(s, turn, out);
        else
            lmb_put_vector(s, v3(v[0], v[1], space ? v[2] : 0), out);
        out += space ? 3 : part ? 1 : 2;
    }
}

static void get_places(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)s, (void)part;
    const lmb_exact_beam *beam = lmb_body_line(&c->model->bodies[body]);
    memcpy(out, beam->places, (size_t)beam->node_count * sizeof *out);
}

/* --- energies --------------------------------------------------------------------------------- */

static void get_kinetic(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    lmb_balance balance = {0};
    c->model->bodies[body].ops->balance(&s->bodies[body], lmb_present_gravity(s), &balance);
    out[0] = balance.kinetic;
}

static void get_loss(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    out[0] = c->model->bodies[body].ops->loss(&s->bodies[body]);
}

/* --- sections --------------------------------------------------------------------------------- */

const double *lmb_channels_rates(const lmb_channels *c, const lmb_state *s, int body)
{
    return c->known & LMB_KNOWN_MODES ? NULL : s->v + c->model->bodies[body].v;
}

const lmb_beam_section_state *lmb_channels_sections(lmb_channels *c, const lmb_state *s, int body)
{
    const lmb_body *b = &c->model->bodies[body];
    if (c->sections_of != body)
        lmb_beam_sections(lmb_body_line(b), s->q + b->q, lmb_channels_rates(c, s, body),
                          c->sections);
    c->sections_of = body;
    return c->sections;
}

int lmb_put_section(const lmb_state *s, const lmb_beam_section_state *x, int part, double *out)
{
    bool turn = part == LMB_SECTION_CURVATURE || part == LMB_SECTION_MOMENT;
    vec3 v = part == LMB_SECTION_STRAIN      ? x->strain.gamma
             : part == LMB_SECTION_CURVATURE ? x->strain.kappa
             : part == LMB_SECTION_FORCE     ? x->force.gamma
                                             : x->force.kappa;
    (turn ? lmb_put_turn : lmb_put_vector)(s, v, out);
    return s->model->dimension == 3 ? 3 : turn ? 1 : 2;
}

static void get_sections(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    const lmb_beam_section_state *x = lmb_channels_sections(c, s, body);
    for (int i = 0; i < c->model->bodies[body].node_count; i++)
        out += lmb_put_section(s, &x[i], part, out);
}

/* --- stresses --------------------------------------------------------------------------------- */

bool lmb_beam_has_stress(const lmb_exact_beam *b)
{
    const lmb_section *x = b->sections;
    bool known = x != NULL;
    for (int i = 0; known && i < b->node_count; i++)
        known = x[i].A > 0 && x[i].Iz > 0 && x[i].y_max > 0 &&
                (b->dimension == 2 || (x[i].Iy > 0 && x[i].z_max > 0));
    return known;
}

/* The largest of von Mises' stress over the fibres of a section. */
static double stress_at(const lmb_exact_beam *b, int node, const lmb_beam_section_state *x)
{
    const lmb_strain *f = &x->force;
    lmb_section_forces forces = {f->gamma.x, f->gamma.y, f->gamma.z,
                                 f->kappa.x, f->kappa.y, f->kappa.z};
    return lmb_fibre_stress_of(&b->sections[node], &forces).mises;
}

static void get_stress(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    (void)part;
    const lmb_exact_beam *b = lmb_body_line(&c->model->bodies[body]);
    const lmb_beam_section_state *x = lmb_channels_sections(c, s, body);
    for (int i = 0; i < b->node_count; i++)
        out[i] = stress_at(b, i, &x[i]);
}

enum { LARGEST = LMB_SECTION_STRESS, WHERE };

static void get_largest(lmb_channels *c, const lmb_state *s, int body, int part, double *out)
{
    const lmb_exact_beam *b = lmb_body_line(&c->model->bodies[body]);
    const lmb_beam_section_state *x = lmb_channels_sections(c, s, body);
    double largest = -1;
    int node = 0;
    for (int i = 0; i < b->node_count; i++) {
        double stress = stress_at(b, i, &x[i]);
        if (stress > largest) {
            largest = stress;
            node = i;
        }
    }
    out[0] = part == LARGEST ? largest : node + 1;
}

/* --- derivatives ------------------------------------------------------------------------------ */

/* A number of a node depends on the coordinates of this node. */
static void reach_node(const lmb_channels *c, const lmb_number *n, lmb_slopes *marks)
{
    const lmb_body *b = &c->model->bodies[n->item];
    const lmb_node *at = &b->nodes[n->place];
    lmb_marks_add(marks, at->v, at->nv);
}

int lmb_section_size(const lmb_channels *c, int part)
{
    bool vector = part == LMB_SECTION_STRAIN || part == LMB_SECTION_FORCE;
    if (part >= LMB_SECTION_STRESS)
        return 1;
    return c->model->dimension == 3 ? 3 : vector ? 2 : 1;
}

static void locate_node(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    (void)s;
    n->place = n->k / lmb_section_size(c, n->part);
}

static void locate_quaternion(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    (void)c, (void)s;
    n->place = n->k / 4;
}

static void locate_point(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    const lmb_marker *marker = &c->model->parts.markers[c->model->points[n->item].marker];
    (void)s;
    n->body = marker->body;
    n->place = marker->point;
}

static void locate_largest(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    double node;
    get_largest(c, s, n->item, WHERE, &node);
    n->place = (int)node - 1;
}

static const lmb_chain of_nodes = {.locate = locate_node, .reach = reach_node};
static const lmb_chain of_quaternions = {.locate = locate_quaternion, .reach = reach_node};
static const lmb_chain of_energy = {.reach = lmb_reach_body};
static const lmb_chain of_sections = {.locate = locate_node, LMB_SECTION_CHAIN};
static const lmb_chain of_point = {.locate = locate_point, LMB_SECTION_CHAIN};
static const lmb_chain of_largest = {.locate = locate_largest, LMB_SECTION_CHAIN};

/* --- tables ----------------------------------------------------------------------------------- */

static const lmb_listed line[] = {
    {"kinetic_energy", LMB_SCALAR, "J", "Its kinetic energy.", LMB_KNOWN_MOTION, .get = get_kinetic,
     .chain = &of_energy},
    {"loss", LMB_SCALAR, "W", "The power that its damping takes.", LMB_DAMPED | LMB_KNOWN_MOTION,
     .get = get_loss, .chain = &of_energy},
    {"nodes", LMB_VECTOR, "m", "Positions of its nodes.", LMB_NODES, .get = get_nodes,
     .chain = &of_nodes},
    {"nodes_quaternion", LMB_QUATERNION, "", "Orientations of its nodes as unit quaternions.",
     LMB_NODES | LMB_IN_SPACE, .get = get_quaternions, .chain = &of_quaternions},
    {"nodes_angle", LMB_TURN, "rad", "Angles of the x axes of its nodes from the global one.",
     LMB_NODES | LMB_IN_PLANE, .get = get_angles, LMB_SECTION_CURVATURE, .chain = &of_nodes},
    {"nodes_velocity", LMB_VECTOR, "m/s", "Velocities of its nodes: the shape of the mode.",
     LMB_NODES | LMB_KNOWN_MODES, .get = get_rates, 0, .chain = &of_energy},
    {"nodes_angular_velocity", LMB_TURN, "rad/s",
     "Angular velocities of its nodes in global axes: the shape of the mode.",
     LMB_NODES | LMB_KNOWN_MODES, .get = get_rates, 1, .chain = &of_energy},
    {"arc_length", LMB_SCALAR, "m", "Undeformed arc length from its start to its nodes.", LMB_NODES,
     .get = get_places, .chain = &lmb_chain_constant},
    {"strain", LMB_VECTOR, "", "Stretch and shear strains at its nodes, axes of the section.",
     LMB_NODES, .get = get_sections, LMB_SECTION_STRAIN},
    {"curvature", LMB_TURN, "1/m",
     "Twist and curvatures at its nodes against the undeformed ones, axes of the section.",
     LMB_NODES, .get = get_sections, LMB_SECTION_CURVATURE},
    {"section.force", LMB_VECTOR, "N",
     "Normal force and shear forces at its nodes, axes of the section.", LMB_NODES,
     .get = get_sections, LMB_SECTION_FORCE},
    {"section.moment", LMB_TURN, "N m",
     "Torque and bending moments at its nodes, axes of the section.", LMB_NODES,
     .get = get_sections, LMB_SECTION_MOMENT},
    {"stress.max", LMB_SCALAR, "Pa", "The largest von Mises stress in the body.", LMB_STRESSED,
     .get = get_largest, LARGEST, .chain = &of_largest},
    {"stress.node", LMB_SCALAR, "", "The number of the node where it is.", LMB_STRESSED,
     .get = get_largest, WHERE, .chain = &lmb_chain_constant},
    {"stress.nodes", LMB_SCALAR, "Pa",
     "The largest von Mises stress over the fibres of the section at its nodes.",
     LMB_STRESSED | LMB_NODES, .get = get_stress, LMB_SECTION_STRESS},
    {0},
};

static const lmb_listed at_point[] = {
    {"strain", LMB_VECTOR, "", "Stretch and shear strains there, axes of the section.", LMB_ON_LINE,
     .part = LMB_SECTION_STRAIN},
    {"curvature", LMB_TURN, "1/m",
     "Twist and curvatures there against the undeformed ones, axes of the section.", LMB_ON_LINE,
     .part = LMB_SECTION_CURVATURE},
    {"section.force", LMB_VECTOR, "N", "Normal force and shear forces there, axes of the section.",
     LMB_ON_LINE, .part = LMB_SECTION_FORCE},
    {"section.moment", LMB_TURN, "N m", "Torque and bending moments there, axes of the section.",
     LMB_ON_LINE, .part = LMB_SECTION_MOMENT},
    {"stress", LMB_SCALAR, "Pa",
     "The largest von Mises stress over the fibres of the section there.",
     LMB_ON_LINE | LMB_STRESSED, .part = LMB_SECTION_STRESS},
    {0},
};

void lmb_channels_list_line(lmb_channels *c, int body)
{
    const lmb_body *b = &c->model->bodies[body];
    if (b->node_count > c->section_room) {
        c->section_room = b->node_count;
        c->sections = lmb_arena_alloc(c->arena, (size_t)b->node_count, sizeof *c->sections);
    }
    const lmb_exact_beam *beam = lmb_body_line(b);
    lmb_channels_add_all(c, line,
                         (lmb_item){b->name, body,
                                    .has = LMB_NODES |
                                           (lmb_beam_has_stress(beam) ? LMB_STRESSED : 0) |
                                           (beam->damping > 0 ? LMB_DAMPED : 0),
                                    .nodes = b->node_count, .chain = &of_sections});
    lmb_channels_list_line_probes(c, body);
}

void lmb_channels_list_line_point(lmb_channels *c, int point)
{
    const lmb_point *p = &c->model->points[point];
    const lmb_marker *marker = &c->model->parts.markers[p->marker];
    bool stressed = lmb_beam_has_stress(lmb_body_line(&c->model->bodies[marker->body]));
    if (marker->point >= 0)
        lmb_channels_add_all(c, at_point,
                             (lmb_item){p->name, .number = point,
                                        .has = LMB_ON_LINE | (stressed ? LMB_STRESSED : 0),
                                        .chain = &of_point});
}
