/* First-order states of bodies, zdot = f(q, v, z), where they are not integrated as they are but
 * follow from q and v by
 *
 *   r (z - c) = f(q, v, z)
 *
 * with r = 1 / (weight times step) in an implicit step, and r = 0 at rest. Then they need not be
 * unknowns of the equations of motion: dz = (r - f_z)^-1 (f_q dq + f_v dv). */
#ifndef LMB_SYSTEM_FIRST_ORDER_H
#define LMB_SYSTEM_FIRST_ORDER_H

#include "system/state.h"

/* Numbers of the tangents of one body, by columns. */
typedef struct lmb_first_order_tangent {
    double *by_q, *by_v; /* nz x nv: of f */
    double *by_z;        /* nz x nz: of f */
    double *force_by_z;  /* nv x nz: dQ/dz */
} lmb_first_order_tangent;

/* The tangents of a body that has such states, in the room of the state. */
lmb_first_order_tangent lmb_first_order_tangent_of(const lmb_state *state, int body);

/* Finds the z of all bodies by Newton's method; needs the velocity. False: r - f_z is singular, or
 * it does not converge; z is then as far as it came. */
bool lmb_first_order_settle(lmb_state *state, double r, const double *c);

/* Adds what the forces owe to q and v through z to the state's tangent_q and tangent_v:
 * -Q_z (r - f_z)^-1 f_q, and with f_v. */
void lmb_first_order_add_tangent(const lmb_state *state, double r);

#endif
