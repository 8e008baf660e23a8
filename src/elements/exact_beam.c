/* Points, weights and shape functions of exact beams. */
#include "elements/exact_beam.h"

#define R2 0.44721359549995793928 /* 1 / sqrt(5) */
#define R3 0.57735026918962576451 /* 1 / sqrt(3) */
#define R5 0.77459666924148337704 /* sqrt(3/5) */

const double lmb_lobatto_points[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_NODES] = {
    [1] = {-1, 1}, [2] = {-1, 0, 1}, [3] = {-1, -R2, R2, 1}};
const double lmb_lobatto_weights[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_NODES] = {
    [1] = {1, 1}, [2] = {1.0 / 3, 4.0 / 3, 1.0 / 3}, [3] = {1.0 / 6, 5.0 / 6, 5.0 / 6, 1.0 / 6}};
const double lmb_gauss_points[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_HIGHEST_ORDER] = {
    [1] = {0}, [2] = {-R3, R3}, [3] = {-R5, 0, R5}};
const double lmb_gauss_weights[LMB_BEAM_HIGHEST_ORDER + 1][LMB_BEAM_HIGHEST_ORDER] = {
    [1] = {2}, [2] = {1, 1}, [3] = {5.0 / 9, 8.0 / 9, 5.0 / 9}};

/* N_i = product over j of (x - x_j) / (x_i - x_j). */
void lmb_beam_shapes(int order, double x, double N[LMB_BEAM_NODES], double dN[LMB_BEAM_NODES])
{
    const double *at = lmb_lobatto_points[order];
    for (int i = 0; i <= order; i++) {
        N[i] = 1;
        dN[i] = 0;
        for (int j = 0; j <= order; j++) {
            if (j == i)
                continue;
            double factor = 1 / (at[i] - at[j]);
            dN[i] = (dN[i] * (x - at[j]) + N[i]) * factor;
            N[i] *= (x - at[j]) * factor;
        }
    }
}
