/* The coefficients of the Runge-Kutta pair of Dormand and Prince (1980), orders 5 and 4:
 *
 *   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y_1 = y + h sum_j a_6j k_j,   error = h sum e_i k_i
 *
 * and the weights d of its interpolant of order 4 (Hairer, Norsett and Wanner). */
#ifndef LMB_INTEGRATE_DOPRI_H
#define LMB_INTEGRATE_DOPRI_H

enum { LMB_DOPRI_STAGES = 7 };

extern const double lmb_dopri_c[LMB_DOPRI_STAGES];
extern const double lmb_dopri_a[LMB_DOPRI_STAGES][LMB_DOPRI_STAGES - 1];
extern const double lmb_dopri_e[LMB_DOPRI_STAGES];
extern const double lmb_dopri_d[LMB_DOPRI_STAGES];

#endif
