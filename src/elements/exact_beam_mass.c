/* Mass properties of an exact beam in its undeformed shape: sums over its nodes. */
#include "elements/exact_beam.h"

/* Adds mass (r.r 1 - r r^T), the inertia of a mass at r. */
static void add_at(mat3 *J, double mass, vec3 r)
{
    double rr = v3_dot(r, r);
    for (int j = 0; j < 3; j++)
        J->c[j] = v3_axpy(v3_axpy(J->c[j], mass * rr, v3_axis(j)), -mass * v3_get(r, j), r);
}

void lmb_exact_beam_mass(const lmb_exact_beam *b, double *mass, vec3 *centre, mat3 *inertia)
{
    vec3 moment = v3(0, 0, 0);
    *mass = 0;
    *inertia = (mat3){{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int i = 0; i < b->node_count; i++) {
        const lmb_beam_inertia *n = &b->inertia[i];
        mat3 R = frame_rotation(&b->nodes[i]), RJ = m3_mul3(&R, &n->inertia);
        vec3 x = b->nodes[i].p, c = m3_mul(&R, n->centre);

        /* R J R^T about the node, from there to its mass centre and on to the origin */
        for (int j = 0; j < 3; j++)
            inertia->c[j] =
                v3_add(inertia->c[j],
                       m3_mul(&RJ, v3(v3_get(R.c[0], j), v3_get(R.c[1], j), v3_get(R.c[2], j))));
        add_at(inertia, -n->mass, c);
        add_at(inertia, n->mass, v3_add(x, c));
        moment = v3_axpy(moment, n->mass, v3_add(x, c));
        *mass += n->mass;
    }
    *centre = *mass > 0 ? v3_scale(1 / *mass, moment) : v3(0, 0, 0);
    add_at(inertia, -*mass, *centre);
}
