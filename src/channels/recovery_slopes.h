/* Derivatives of the six numbers y of a probe on a body with modes: stresses, or section forces. */
#ifndef LMB_CHANNELS_RECOVERY_SLOPES_H
#define LMB_CHANNELS_RECOVERY_SLOPES_H

#include "channels/channel_list.h"

/* y of a probe, or of a place as lmb_stress_state counts them; the derivatives of weights . y. */
void lmb_recovered_inner(lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y);
void lmb_recovered_slope(lmb_channels *c, const lmb_state *s, const lmb_number *n,
                         const double *weights, lmb_slopes *out);
#define LMB_RECOVERED                                                                              \
    .count = LMB_STRESSES, .inner = lmb_recovered_inner, .slope = lmb_recovered_slope

/* Von Mises' stress, or of a probe on beams the part of lmb_fibre_stress_part, with df/dy. */
double lmb_recovered_stress(lmb_channels *c, const lmb_number *n, const double *y, double *by);

#endif
