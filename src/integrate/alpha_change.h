/* First derivatives of what happens when steps of the generalized-alpha method become `ratio` times
 * as long (alpha_steps.c):
 *
 *   M w + Phi_q^T mu = 0,   Phi_q w = k (Phi_q v + Phi_t),   k = ratio^2 - 1
 *   v' = v + w,   alpha' = a + ratio (alpha - a)
 *
 * With D = d(M w + Phi_q^T mu)/dq, R_w = d(Phi_q w)/dq and R_v = d(Phi_q v + Phi_t)/dq, a
 * change of the motion does
 *
 *   [ M      Phi_q^T ] [ dw  ]   [ -D dq                             ]
 *   [ Phi_q  0       ] [ dmu ] = [ k Phi_q dv + (k R_v - R_w) dq     ]
 *
 * and derivatives of a number by what is after the change become those by what is before it:
 *
 *   [ M      Phi_q^T ] [ xi  ]   [ by v' ]
 *   [ Phi_q  0       ] [ eta ] = [ 0     ]
 *
 *   by v     = by v' + k Phi_q^T eta
 *   by q     = by q' - D^T xi + (k R_v - R_w)^T eta
 *   by a     = by a' + (1 - ratio) by alpha',   by alpha = ratio by alpha'
 *   by load  = -xi, -eta                  of what a parameter does to the two equations
 *
 * Velocity-level rows go on to hold: k = 0 for them. */
#ifndef LMB_INTEGRATE_ALPHA_CHANGE_H
#define LMB_INTEGRATE_ALPHA_CHANGE_H

#include "integrate/alpha_tangent.h"

typedef struct lmb_alpha_change {
    const lmb_model *model;
    lmb_arena *arena;
    struct lmb_saddle *saddle;
    lmb_state *state;
    double ratio;
    double *w, *mu;    /* nv, nrows */
    double *D;         /* couple_values */
    double *R, *other; /* value_count: k R_v - R_w, and room */
    double *mass;      /* mass_count */
    double *keep;      /* room: v, a, lambda */
    double *side, *xi; /* nrows, nv */
    bool *off;         /* force_count */
} lmb_alpha_change;

/* Allocates; NULL: out of memory. */
lmb_alpha_change *lmb_alpha_change_new(const lmb_model *model, lmb_saddle_choice choice);
void lmb_alpha_change_free(lmb_alpha_change *change);

/* Takes the change at a state, updated, as it was before; false: its equations are singular. */
bool lmb_alpha_change_take(lmb_alpha_change *change, lmb_state *state, double ratio,
                           double epsilon);

/* A change of the motion before it becomes that after it, with a load (nv + nrows) of the two
 * equations. */
void lmb_alpha_change_forward(lmb_alpha_change *change, const double *load, double *x);

/* Derivatives by what is after it become those by what is before it; those by the load (nv + nrows)
 * of the two equations. */
void lmb_alpha_change_backward(lmb_alpha_change *change, double *x, double *load);

/* The two equations themselves at a state, updated, with w, mu and the ratio of the change (nv +
 * nrows): what neighbours differ in. */
void lmb_alpha_change_residual(const lmb_alpha_change *change, lmb_state *state, double *out);

#endif
