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

/* The largest stress of von Mises of a member, or the number of the node where it is. */
static void get_largest(lmb_channels *c, const lmb_state *s, int probe, int part, double *out)
{
    const lmb_probe *p = &s->model->probes[probe];
    const lmb_stress_state *stress = stress_of(c, s, p);
    int first = stress->data->stress_count, worst = p->places[0];
    for (int i = 1; i < p->count; i++)
        if (stress->mises[first + p->places[i]] > stress->mises[first + worst])
            worst = p->places[i];
    out[0] = part == LARGEST ? stress->mises[first + worst]
                             : stress->data->reduced->number[stress->node[first + worst]];
}

/* Forces, moments or stresses at the ends of its elements. */
static void get_along(lmb_channels *c, const lmb_state *s, int probe, int part, double *out)
{
    const lmb_probe *p = &s->model->probes[probe];
    const lmb_stress_state *stress = stress_of(c, s, p);
    int size = part == STRESS ? 1 : s->model->dimension == 3 ? 3 : part == MOMENT ? 1 : 2;
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

static const lmb_listed largest[] = {
    {"", LMB_SCALAR, "Pa", "The largest von Mises stress of the member.", 0, .get = get_largest,
     LARGEST},
    {"node", LMB_SCALAR, "", "The number of the node where it is.", 0, .get = get_largest, NODE},
    {0},
};

static const lmb_listed along[] = {
    {"arc_length", LMB_SCALAR, "m", "Distance of the ends of its elements from its start.",
     LMB_NODES, .get = get_places},
    {"section.force", LMB_VECTOR, "N",
     "Normal force and shear forces at the ends of its elements, axes of the section.", LMB_NODES,
     .get = get_along, FORCE},
    {"section.moment", LMB_TURN, "N m",
     "Torque and bending moments at the ends of its elements, axes of the section.", LMB_NODES,
     .get = get_along, MOMENT},
    {"stress.nodes", LMB_SCALAR, "Pa",
     "The largest von Mises stress of the section at the ends of its elements.", LMB_NODES,
     .get = get_along, STRESS},
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
