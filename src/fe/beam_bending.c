/* Bending of a beam in one plane, with shear deformation.
 *
 * The shape functions are those of a beam loaded at its ends only (Przemieniecki; Friedman and
 * Kosmatka, Computers and Structures 47, 1993): displacements are cubic and turns quadratic, with
 *
 *   phi = 12 EI / (k G A L^2)
 *
 * So deflections under forces at nodes are exact. phi = 0 gives Euler and Bernoulli's beam. */
#include "fe/beam.h"

/* Writes a symmetric 4 x 4 matrix of its six different numbers; both ends are alike. */
static void fill(double *A, double vv, double vs, double vV, double vS, double ss, double sS)
{
    const double a[16] = {vv, vs, vV, vS, vs, ss, -vS, sS, vV, -vS, vv, -vs, vS, sS, -vs, ss};
    for (int i = 0; i < 16; i++)
        A[i] += a[i];
}

void lmb_beam_bending_stiffness(double EI, double L, double phi, double *K)
{
    double k = EI / (L * L * L * (1 + phi));
    for (int i = 0; i < 16; i++)
        K[i] = 0;
    fill(K, 12 * k, 6 * k * L, -12 * k, 6 * k * L, (4 + phi) * k * L * L, (2 - phi) * k * L * L);
}

void lmb_beam_bending_mass(double mass, double rotary, double L, double phi, double *M)
{
    double m = mass * L / ((1 + phi) * (1 + phi)), r = rotary / (L * (1 + phi) * (1 + phi));
    double p2 = phi * phi;
    for (int i = 0; i < 16; i++)
        M[i] = 0;
    fill(M, m * (13.0 / 35 + 7 * phi / 10 + p2 / 3),
         m * L * (11.0 / 210 + 11 * phi / 120 + p2 / 24), m * (9.0 / 70 + 3 * phi / 10 + p2 / 6),
         -m * L * (13.0 / 420 + 3 * phi / 40 + p2 / 24),
         m * L * L * (1.0 / 105 + phi / 60 + p2 / 120),
         -m * L * L * (1.0 / 140 + phi / 60 + p2 / 120));
    fill(M, r * 1.2, r * L * (0.1 - phi / 2), -r * 1.2, r * L * (0.1 - phi / 2),
         r * L * L * (2.0 / 15 + phi / 6 + p2 / 3), r * L * L * (-1.0 / 30 - phi / 6 + p2 / 6));
}
