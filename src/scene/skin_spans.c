/* Sections of a beam between its nodes: see skin.h. */
#include "scene/skin.h"

#include <math.h>

int lmb_skin_beam_nodes(const lmb_skin *s)
{
    int most = -1;
    for (int i = 0; i < 2 * s->span_count; i++)
        most = s->ends[i] > most ? s->ends[i] : most;
    return most + 1;
}

/* R_a exp(u log(R_a^T R_b)) */
static mat3 turn_between(const mat3 *A, const mat3 *B, double u)
{
    mat3 step = m3_tmul3(A, B);
    mat3 part = quat_matrix(quat_exp(v3_scale(u, quat_log(quat_from_matrix(&step)))));
    return m3_mul3(A, &part);
}

lmb_frame lmb_skin_carrier(const lmb_skin *s, int carrier, const lmb_frame *nodes)
{
    int span = s->span[carrier];
    const lmb_frame *a = &nodes[s->ends[2 * span]], *b = &nodes[s->ends[2 * span + 1]];
    const float *of = s->spans + LMB_SPAN_NUMBERS * span;
    double u = (double)s->along[carrier], v = 1 - u, l = (double)of[0];
    mat3 A = frame_rotation(a), B = frame_rotation(b), R = turn_between(&A, &B, u);
    vec3 from = m3_mul(&A, v3(of[1], of[2], of[3])), to = m3_mul(&B, v3(of[4], of[5], of[6]));
    vec3 r = v3_scale((1 + 2 * u) * v * v, a->p);
    r = v3_axpy(r, u * u * (1 + 2 * v), b->p);
    r = v3_axpy(r, l * u * v * v, from);
    r = v3_axpy(r, -l * u * u * v, to);
    return frame_with_axes(r, &R);
}

void lmb_skin_section(const lmb_skin *s, int carrier, const double *nodes,
                      double out[LMB_FIBRE_NUMBERS])
{
    int span = s->span[carrier];
    const double *a = nodes + 6 * s->ends[2 * span], *b = nodes + 6 * s->ends[2 * span + 1];
    const float *of = s->spans + LMB_SPAN_NUMBERS * span;
    double u = (double)s->along[carrier];
    mat3 Q = quat_matrix((quat){of[7], of[8], of[9], of[10]});
    vec3 force = v3_axpy(v3_scale(1 - u, v3_of(a)), u, m3_mul(&Q, v3_of(b)));
    vec3 moment = v3_axpy(v3_scale(1 - u, v3_of(a + 3)), u, m3_mul(&Q, v3_of(b + 3)));
    const double values[LMB_FIBRE_NUMBERS] = {force.x, moment.y, moment.z, moment.x};
    for (int k = 0; k < LMB_FIBRE_NUMBERS; k++)
        out[k] = values[k];
}
