/* Channels of members of frameworks: the largest stress, and section forces along them.
 *
 * Those along a member are over the ends of its elements, two of each, from its start to its end:
 * inner nodes are there twice, as section forces jump where other members are joined. */
#include "channels/channel_list.h"

#include "base/text.h"
#include "reduction/body_data.h"

enum { LARGEST, NODE, FORCE, MOMENT, STRESS };

static const lmb_stress_state *stress_of(lmb_channels *c, const lmb_state *s, const lmb_probe *p)
{
    return lmb_recovery_stress(c->recovery, s, p->body);
}

static int size_of_part(const lmb_channels *c, int part)
{
    bool one = part == LARGEST || part == STRESS;
    return one ? 1 : c->model->dimension == 3 ? 3 : part == MOMENT ? 1 : 2;
}

/* The end of an element that a number is of, as lmb_stress_state counts places. */
static void locate(lmb_channels *c, const lmb_state *s, lmb_number *n)
{
    const lmb_probe *p = &c->model->probes[n->item];
    const lmb_stress_state *stress = stress_of(c, s, p);
    int first = stress->data->stress_count;
    n->body = p->body;
    n->place = first + p->places[n->k / size_of_part(c, n->part)];
    for (int i = 1; i < p->count && n->part == LARGEST; i++)
        if (stress->mises[first + p->places[i]] > stress->mises[n->place])
            n->place = first + p->places[i];
}

/* The largest stress of von Mises of a member, or the number of the node where it is. */
static void get_largest(lmb_channels *c, const lmb_state *s, int probe, int part, double *out)
{
    const lmb_probe *p = &s->model->probes[probe];
    const lmb_stress_state *stress = stress_of(c, s, p);
    lmb_number n = {.item = probe, .part = LARGEST};
    locate(c, s, &n);
    out[0] = part == LARGEST ? stress->mises[n.place]
                             : stress->data->reduced->number[stress->node[n.place]];
}

/* Forces, moments or stresses at the ends of its elements. */
static void get_along(lmb_channels *c, const lmb_state *s, int probe, int part, double *out)
{
    const lmb_probe *p = &s->model->probes[probe];
    const lmb_stress_state *stress = stress_of(c, s, p);
    int size = size_of_part(c, part);
    for (int i = 0; i < p->count; i++, out += size) {
        const double *f = stress->ends + LMB_STRESSES * (size_t)p->places[i];
        if (part == STRESS)
            out[0] = stress->mises[stress->data->stress_count + p->places[i]];
        else if (part == MOMENT)
            lmb_put_turn(s, v3(f[3], f[4], f[5]), out);
        else
            lmb_put_vector(s, v3(f[0], f[1], f[2]), out);
    }
}

static void get_places(lmb_channels *c, const lmb_state *s, int probe, int part, double *out)
{
    (void)part;
    const lmb_probe *p = &s->model->probes[probe];
    const lmb_body_data *d = c->recovery->stress[p->body]->data;
    double length = 0;
    for (int i = 0; i < p->count; i++) {
        const int *ends = d->lines + p->places[i] / 2 * 2;
        if (i % 2)
            length += v3_norm(v3_sub(d->reduced->x[ends[1]], d->reduced->x[ends[0]]));
        out[i] = length;
    }
}

static double component(lmb_channels *c, const lmb_number *n, const double *y)
{
    int k = c->model->dimension == 3 || n->part == FORCE ? n->k % size_of_part(c, n->part) : 2;
    return y[n->part == MOMENT ? 3 + k : k];
}

#define OF_END LMB_RECOVERED, .locate = locate
static const lmb_chain of_stress = {OF_END, .outer = lmb_recovered_stress};
static const lmb_chain of_force = {OF_END, .linear = component};

static const lmb_listed largest[] = {
    {"", LMB_SCALAR, "Pa", "The largest von Mises stress of the member.", 0, .get = get_largest,
     LARGEST, .chain = &of_stress},
    {"node", LMB_SCALAR, "", "The number of the node where it is.", 0, .get = get_largest, NODE,
     .chain = &lmb_chain_constant},
    {0},
};

static const lmb_listed along[] = {
    {"arc_length", LMB_SCALAR, "m", "Distance of the ends of its elements from its start.",
     LMB_NODES, .get = get_places, .chain = &lmb_chain_constant},
    {"section.force", LMB_VECTOR, "N",
     "Normal force and shear forces at the ends of its elements, axes of the section.", LMB_NODES,
     .get = get_along, FORCE, .chain = &of_force},
    {"section.moment", LMB_TURN, "N m",
     "Torque and bending moments at the ends of its elements, axes of the section.", LMB_NODES,
     .get = get_along, MOMENT, .chain = &of_force},
    {"stress.nodes", LMB_SCALAR, "Pa",
     "The largest von Mises stress of the section at the ends of its elements.", LMB_NODES,
     .get = get_along, STRESS, .chain = &of_stress},
    {0},
};

void lmb_channels_list_member(lmb_channels *c, int probe)
{
    const lmb_probe *p = &c->model->probes[probe];
    const char *body = c->model->bodies[p->body].name;
    lmb_channels_add_all(
        c, largest,
        (lmb_item){lmb_text_format(c->arena, "%s.stress.%s", body, p->name), .number = probe});
    lmb_channels_add_all(c, along,
                         (lmb_item){lmb_text_format(c->arena, "%s.%s", body, p->name),
                                    .number = probe, .has = LMB_NODES, .nodes = p->count});
}
