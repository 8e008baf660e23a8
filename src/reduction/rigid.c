/* Rigid motions and mass properties. */
#include "reduction/rigid.h"

#include <cblas.h>
#include <stdlib.h>

#include "reduction/interface.h"

void lmb_rigid_motion(const lmb_fe_model *m, int direction, vec3 about, double *u)
{
    vec3 e = v3_axis(direction % 3);
    for (int i = 0; i < m->n; i++) {
        int d = m->direction[i];
        bool arm = direction >= LMB_RX && d < LMB_RX;
        u[i] = arm ? v3_get(v3_cross(e, v3_sub(m->x[m->node[i]], about)), d) : d == direction;
    }
}

/* The products of all rigid motions about a point through M: 6 x 6; u and w have room for all. */
static void products(const lmb_fe_model *m, vec3 about, double *u, double *w, double out[6][6])
{
    for (int i = 0; i < 6; i++)
        lmb_rigid_motion(m, i, about, u + (size_t)i * (size_t)m->n);
    lmb_symmetric_multiply_many(&m->M, 6, u, w);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, m->n, 1, u, m->n, w, m->n, 0,
                &out[0][0], 6);
}

lmb_status lmb_mass_properties_of(const lmb_fe_model *m, lmb_context *context, double *mass,
                                  vec3 *centre, mat3 *inertia)
{
    size_t n = (size_t)m->n;
    double *u = malloc((12 * n + 1) * sizeof *u), *w = u + 6 * n, P[6][6], Q[6][6];
    if (!u)
        return lmb_fail_memory(context);
    products(m, v3(0, 0, 0), u, w, P);
    /* all three translations show the same mass, but for what is held */
    *mass = m->dimension == 2 ? P[0][0] : (P[0][0] + P[1][1] + P[2][2]) / 3;
    /* rotations move the centre c like e x c: about z along (-c.y, c.x), about x along -c.z in y */
    double z = m->dimension == 2 ? 0 : -P[3][1] / *mass;
    *centre = v3(P[5][1] / *mass, -P[5][0] / *mass, z);
    products(m, *centre, u, w, Q);
    for (int j = 0; j < 3; j++)
        inertia->c[j] = v3(Q[3][3 + j], Q[4][3 + j], Q[5][3 + j]);
    free(u);
    if (*mass > 0)
        return LMB_OK;
    return lmb_fail_hint(context, "give its material a density", "the body has no mass");
}

lmb_status lmb_check_unheld(const lmb_fe_model *m, lmb_context *context)
{
    size_t n = (size_t)m->n;
    int motions = lmb_interface_motions(m->dimension), worst = 0;
    double *all = malloc((12 * n + 1) * sizeof *all), stiffest = 0, largest = 0;
    if (!all)
        return lmb_fail_memory(context);
    vec3 middle = v3(0, 0, 0);
    for (int i = 0; i < m->node_count; i++)
        middle = v3_axpy(middle, 1.0 / m->node_count, m->x[i]);
    for (int j = 0; j < m->n; j++)
        stiffest = fmax(stiffest, fabs(m->K.value[m->K.start[j]]));
    for (int k = 0; k < motions; k++)
        lmb_rigid_motion(m, lmb_interface_direction(m->dimension, k), middle, all + (size_t)k * n);
    lmb_symmetric_multiply_many(&m->K, motions, all, all + 6 * n);
    for (int k = 0; k < motions; k++) {
        const double *u = all + (size_t)k * n, *w = u + 6 * n;
        int most = (int)cblas_idamax(m->n, w, 1);
        double share = fabs(w[most]) / (stiffest * fabs(u[cblas_idamax(m->n, u, 1)]));
        worst = share > largest ? most : worst;
        largest = fmax(largest, share);
    }
    int node = m->number[m->node[worst]];
    free(all);
    if (largest < 1e-6)
        return LMB_OK;
    return lmb_fail_hint(context,
                         "take supports out of the finite element model: joints hold the body",
                         "a rigid body motion causes elastic forces, largest at node %d: the body "
                         "is supported there, or tied to something that is not part of it",
                         node);
}
