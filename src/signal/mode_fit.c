/* Fitting a mode; see signal.h.
 *
 * Near a lightly damped mode the response is H(f) = r / (f - p) + c0 + c1 f, with the pole p =
 * f_n (sqrt(1 - d^2) + i d) and what all other modes add as a straight line. With u the frequency
 * from the middle of the piece over half its width, q the pole on that scale,
 *
 *   u H = q H + a + b u + c u^2,
 *
 * which is linear in q, a, b, c: least squares, in which each equation is divided by the size of
 * u - q of the last round, so that errors of H count alike (Sanathanan and Koerner). Lines of a
 * discrete transform have this form even where the response was cut off before it had died out.
 *
 * With both records times exp(-s t) the pole is found at p + i s / (2 pi), and the response at a
 * frequency f at f + i s / (2 pi). */
#include "signal/signal.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/vec.h"

enum { UNKNOWN = 4, ROUNDS = 8 };

static double complex value_at(const double complex *z, double complex u)
{
    return (z[1] + z[2] * u + z[3] * u * u) / (u - z[0]);
}

/* One round: z from weights that z of the last one gives; the first one weighs with |H|. */
static bool improve(size_t count, const double *u, const double complex *H, bool first,
                    double complex *z)
{
    double complex normal[UNKNOWN * UNKNOWN] = {0}, right[UNKNOWN] = {0};
    for (size_t i = 0; i < count; i++) {
        const double complex row[UNKNOWN] = {H[i], 1, u[i], u[i] * u[i]};
        double distance = cabs(u[i] - z[0]);
        double weight = first ? cabs(H[i]) : 1 / fmax(distance, 1e-9);
        for (int k = 0; k < UNKNOWN; k++) {
            double complex factor = weight * weight * conj(row[k]);
            for (int j = 0; j < UNKNOWN; j++)
                normal[j * UNKNOWN + k] += factor * row[j];
            right[k] += factor * u[i] * H[i];
        }
    }
    /* a complex number is its real and imaginary part, one after the other */
    bool solved = lmb_dense_solve_complex(UNKNOWN, (double *)normal, 1, (double *)right);
    memcpy(z, right, sizeof right);
    return solved && isfinite(creal(z[0])) && isfinite(cimag(z[0]));
}

bool lmb_mode_fit(size_t count, const double *frequency, const double *real,
                  const double *imaginary, double decay, lmb_fitted_mode *out)
{
    enum { MOST = 512 };
    double u[MOST], size = 0, left = 0;
    double complex H[MOST], z[UNKNOWN] = {0};
    *out = (lmb_fitted_mode){0};
    if (count < UNKNOWN || !(frequency[count - 1] > frequency[0]))
        return false;
    count = count < MOST ? count : MOST;
    double middle = (frequency[0] + frequency[count - 1]) / 2,
           half = (frequency[count - 1] - frequency[0]) / 2;
    for (size_t i = 0; i < count; i++)
        size = fmax(size, hypot(real[i], imaginary[i]));
    for (size_t i = 0; i < count && size > 0; i++) {
        u[i] = (frequency[i] - middle) / half;
        H[i] = (real[i] + I * imaginary[i]) / size;
    }
    for (int round = 0; round < ROUNDS; round++)
        if (!(size > 0) || !improve(count, u, H, round == 0, z))
            return false;
    double complex moved = I * decay / (2 * LMB_PI), pole = middle + half * z[0] - moved;
    out->frequency = cabs(pole);
    out->damping = cimag(pole) / out->frequency;
    double complex there = size * value_at(z, (out->frequency + moved - middle) / half);
    out->real = creal(there);
    out->imaginary = cimag(there);
    double all = 0;
    for (size_t i = 0; i < count; i++) {
        left += pow(cabs(value_at(z, u[i]) - H[i]), 2);
        all += pow(cabs(H[i]), 2);
    }
    out->misfit = sqrt(left / all);
    /* a pole far outside of the piece is none of its peaks */
    return fabs(creal(z[0])) < 1.5 && out->damping > -1e-6 && out->damping < 1;
}
