/* What elements of exact beams in space and in the plane have in common. */
#include "elements/beam_element.h"

#include <string.h>

#include "frames/node.h"

lmb_strain lmb_beam_stress(const double C[36], const lmb_strain *e)
{
    const double x[6] = {e->gamma.x, e->gamma.y, e->gamma.z, e->kappa.x, e->kappa.y, e->kappa.z};
    double out[6] = {0};
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            out[i] += C[6 * j + i] * x[j];
    return (lmb_strain){v3_of(out), v3_of(out + 3)};
}

/* By how much the angle of a closed beam in the plane grows on the way round: whole turns. */
static double winding(const lmb_exact_beam *b)
{
    double sum = 0, before = 0;
    for (int i = 0; i <= b->node_count && b->closed && b->dimension == 2; i++) {
        const lmb_frame *x = &b->nodes[i % b->node_count];
        double angle = atan2(x->e[0].y, x->e[0].x);
        sum += i ? remainder(angle - before, 2 * LMB_PI) : 0;
        before = angle;
    }
    return sum;
}

void lmb_beam_element_set(const lmb_exact_beam *b, int element, lmb_beam_element *out)
{
    const lmb_beam_kind *kind = b->dimension == 2 ? &lmb_beam_plane : &lmb_beam_space;
    int p = b->order;
    double half = b->lengths[element] / 2, q[LMB_BEAM_NODES][7], angle = 0;
    lmb_beam_state s = {{0}, {0}};
    memset(out, 0, sizeof *out);
    out->order = p;
    out->stiffness = b->stiffness + (size_t)element * (size_t)p * 36;
    for (int k = 0; k < p; k++) {
        lmb_gauss_point *at = &out->points[k];
        at->weight = half * lmb_gauss_weights[p][k];
        lmb_beam_shapes(p, lmb_gauss_points[p][k], at->N, at->dN);
        for (int i = 0; i <= p; i++)
            at->dN[i] /= half;
    }
    lmb_node node = {.kind = b->dimension == 2 ? LMB_NODE_PLANE : LMB_NODE_SPACE};
    for (int i = 0; i <= p; i++) {
        const lmb_frame *x = &b->nodes[lmb_exact_beam_node(b, element, i)];
        mat3 R = frame_rotation(x);
        angle += i ? remainder(atan2(x->e[0].y, x->e[0].x) - angle, 2 * LMB_PI)
                   : atan2(x->e[0].y, x->e[0].x);
        lmb_node_place(&node, x->p, &R, angle, q[i]);
        s.q[i] = q[i];
    }
    for (int k = 0; k < p; k++) { /* strains of the nodes against zero ones */
        lmb_beam_section_state state;
        kind->section(out, &s, k, &state);
        out->undeformed[k] = state.strain;
    }
    out->damping = b->damping;
    if (element == b->element_count - 1)
        out->winding = winding(b);
}

bool lmb_exact_beam_prepare(lmb_exact_beam *b, lmb_arena *arena)
{
    lmb_beam_element *elements = lmb_arena_alloc(arena, (size_t)b->element_count, sizeof *elements);
    for (int e = 0; elements && e < b->element_count; e++)
        lmb_beam_element_set(b, e, &elements[e]);
    b->elements = elements;
    return elements != NULL;
}

double lmb_beam_energy(const lmb_beam_kind *kind, const lmb_beam_element *e,
                       const lmb_beam_state *s)
{
    lmb_beam_state still = *s;
    double sum = 0;
    memset(still.v, 0, sizeof still.v);
    for (int k = 0; k < e->order; k++) {
        lmb_beam_section_state x;
        kind->section(e, &still, k, &x);
        sum += e->points[k].weight *
               (v3_dot(x.strain.gamma, x.force.gamma) + v3_dot(x.strain.kappa, x.force.kappa));
    }
    return sum / 2;
}

double lmb_beam_loss(const lmb_beam_kind *kind, const lmb_beam_element *e, const lmb_beam_state *s)
{
    double sum = 0;
    for (int k = 0; k < e->order && e->damping > 0; k++) {
        lmb_beam_section_state x;
        kind->section(e, s, k, &x);
        lmb_strain lost = lmb_beam_stress(e->stiffness + 36 * k, &x.rate);
        sum += e->points[k].weight * e->damping *
               (v3_dot(x.rate.gamma, lost.gamma) + v3_dot(x.rate.kappa, lost.kappa));
    }
    return sum;
}
