/* Stiffening by the stress of the modes.
 *
 * A mode that stretches has the coordinate c = along . eta, which is eta_k unless the body was put
 * into another basis, the stiffness K of its own, and the share
 *
 *   V = c q + q^2 / (2 K),   q = 1/2 eta^T B eta
 *
 * in the energy of higher order. Its strain is e = c + q / K: that of eta and of q / K times
 * `back`.
 */
#include <string.h>

#include "bodies/modal.h"
#include "math/small.h"

/* y = B eta for the s-th of the modes that stretch; returns q = eta^T B eta / 2. */
static double stretch(const lmb_modal *m, int s, const double *eta, double *y)
{
    size_t n = (size_t)m->modes;
    const double *B = m->B + (size_t)s * n * n;
    double q = 0;
    for (size_t l = 0; l < n; l++) {
        y[l] = 0;
        for (size_t j = 0; j < n; j++)
            y[l] += B[l * n + j] * eta[j];
        q += eta[l] * y[l] / 2;
    }
    return q;
}

/* The coordinate c of the mode. */
static double coordinate(const lmb_modal *m, int s, const double *eta)
{
    return m->along ? lmb_long_dot(m->along + s * m->modes, eta, m->modes) : eta[m->stretch[s]];
}

/* x += f times the numbers of mode s, which are 1 for the mode itself if they are NULL */
static void add_mode(const lmb_modal *m, int s, const double *numbers, double f, double *x)
{
    if (!numbers) {
        x[m->stretch[s]] += f;
        return;
    }
    for (int l = 0; l < m->modes; l++)
        x[l] += f * numbers[s * m->modes + l];
}

const double *lmb_modal_strained(const lmb_modal *m, const double *eta, double *room)
{
    double y[LMB_STIFFENED_MODES_MAX];
    if (m->stretch_count == 0)
        return eta;
    memcpy(room, eta, (size_t)m->modes * sizeof *room);
    for (int s = 0; s < m->stretch_count; s++)
        add_mode(m, s, m->back, stretch(m, s, eta, y) / m->stretch_stiffness[s], room);
    return room;
}

void lmb_modal_strained_slope(const lmb_modal *m, const double *eta, const double *weights,
                              double *by)
{
    double y[LMB_STIFFENED_MODES_MAX];
    for (int l = 0; l < m->modes; l++)
        by[l] += weights[l];
    for (int s = 0; s < m->stretch_count; s++) {
        double weight = weights[m->stretch[s]];
        if (m->back)
            weight = lmb_long_dot(m->back + s * m->modes, weights, m->modes);
        stretch(m, s, eta, y);
        for (int l = 0; l < m->modes; l++)
            by[l] += weight / m->stretch_stiffness[s] * y[l];
    }
}

double lmb_modal_stretch_energy(const lmb_modal *m, const double *eta)
{
    double y[LMB_STIFFENED_MODES_MAX], energy = 0;
    for (int s = 0; s < m->stretch_count; s++) {
        double q = stretch(m, s, eta, y);
        energy += q * (coordinate(m, s, eta) + q / (2 * m->stretch_stiffness[s]));
    }
    return energy;
}

void lmb_modal_add_stretch_force(const lmb_modal *m, const double *eta, double *Q)
{
    double y[LMB_STIFFENED_MODES_MAX];
    for (int s = 0; s < m->stretch_count; s++) {
        double q = stretch(m, s, eta, y), e = coordinate(m, s, eta) + q / m->stretch_stiffness[s];
        add_mode(m, s, m->along, -q, Q);
        for (int l = 0; l < m->modes; l++)
            Q[l] -= e * y[l];
    }
}

void lmb_modal_add_stretch_tangent(const lmb_modal *m, const double *eta, double *matrix,
                                   int stride)
{
    double y[LMB_STIFFENED_MODES_MAX];
    int n = m->modes;
    for (int s = 0; s < m->stretch_count; s++) {
        const double *B = m->B + (size_t)s * (size_t)n * (size_t)n;
        double q = stretch(m, s, eta, y), own = m->stretch_stiffness[s];
        double e = coordinate(m, s, eta) + q / own;
        for (int j = 0; j < n; j++) {
            double part = m->along ? m->along[s * n + j] : j == m->stretch[s];
            double *column = matrix + j * stride;
            add_mode(m, s, m->along, y[j], column);
            for (int l = 0; l < n; l++)
                column[l] += e * B[j * n + l] + y[j] * y[l] / own;
            for (int l = 0; l < n && part != 0; l++)
                column[l] += part * y[l];
        }
    }
}
