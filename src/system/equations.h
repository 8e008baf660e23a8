/* The equations of a state: constraints, mass, forces, and their exact tangents. Rows and forces
 * that are switched off are zero.
 *
 *   Phi(q, t)                       value of each row (0 for velocity-level rows)
 *   Phi_q                           their Jacobian, in the state's sparse array
 *   Phi_q v = nu                    nu = -Phi_t
 *   Phi_q a = gamma                 gamma = -(what is left of the second time derivative)
 *   M a + Phi_q^T lambda = Q */
#ifndef LMB_SYSTEM_EQUATIONS_H
#define LMB_SYSTEM_EQUATIONS_H

#include "system/state.h"

/* The value of each row; needs the position. */
void lmb_constraints(const lmb_state *state, double *phi);

/* One row and its time derivative Phi_q v + Phi_t, in lengths. */
double lmb_row_value(const lmb_state *state, int row);
double lmb_row_rate(const lmb_state *state, int row);

/* The guard of a row: positive on the right branch; 1 for a row without one. */
double lmb_guard(const lmb_state *state, int row);

/* Fills state->jacobian; needs the position. */
void lmb_jacobian(lmb_state *state);

/* Right sides of the velocity (position needed) and acceleration equations (velocity needed). */
void lmb_velocity_side(const lmb_state *state, double *nu);
void lmb_acceleration_side(const lmb_state *state, double *gamma);

/* y = Phi_q x, and y -= Phi_q^T x; need the Jacobian. */
void lmb_jacobian_times(const lmb_state *state, const double *x, double *y);
void lmb_jacobian_transposed_subtract(const lmb_state *state, const double *x, double *y);

/* Q -= Phi_q^T lambda without the Jacobian. */
void lmb_reactions_subtract(const lmb_state *state, const double *lambda, double *Q);

/* The mass blocks of all clusters one after the other, y = M x, and Q. */
void lmb_mass_blocks(const lmb_state *state, double *blocks);
void lmb_mass_times(const lmb_state *state, const double *x, double *y);
void lmb_total_force(const lmb_state *state, double *Q);

/* Some bodies, rows and forces of a model, in order. */
typedef struct lmb_items {
    int *bodies, *rows, *forces;
    int body_count, row_count, force_count;
} lmb_items;

/* What they add to M a + Phi_q^T lambda - Q, and the values of these rows (of velocity-level rows:
 * their rates), zero elsewhere (nv + nrows numbers); needs the velocity. `room` has nv numbers. */
void lmb_items_residual(const lmb_state *state, const lmb_items *items, double *room, double *out);

/* M as a full matrix (nv x nv). */
void lmb_mass_matrix(const lmb_state *state, double *M);

/* What a force of the model reads at this instant, for its first pair of frames; then the frames
 * of pair number k of it. */
lmb_force_at lmb_force_input(const lmb_state *state, const lmb_force *force);
void lmb_force_go_to(const lmb_state *state, const lmb_force *force, int k, lmb_force_at *at);

/* Generalised force of a range of rows on one of the two frames of a pair (`second`: on B), as
 * twelve numbers: -sum lambda dPhi/dx. */
lmb_frame lmb_row_force(const lmb_state *state, int row, int row_count, int pair, bool second);

/* The coefficient c(t) of a term with its time derivatives. */
lmb_jet lmb_law_coefficient(const lmb_state *state, const lmb_term *term);

static inline lmb_jet lmb_coefficient(const lmb_state *state, const lmb_term *term)
{
    return term->part == LMB_PLAIN ? (lmb_jet){term->factor, 0, 0}
                                   : lmb_law_coefficient(state, term);
}

/* Adds J^T g of a marker to the numbers of its velocity coordinates. */
void lmb_add_load(const lmb_state *state, int marker, const lmb_frame *g, double *numbers);

/* The change of a marker's frame along each of its velocity coordinates: the columns of J. */
void lmb_marker_columns(const lmb_state *state, int marker, lmb_frame *columns);

/* Tangents, dense by columns, for a state with its velocity updated and its a and lambda set:
 *   by_q = d(M a + Phi_q^T lambda - Q)/dq    (nv x nv)
 *   by_v = d(M a - Q)/dv                     (nv x nv)
 *   rate_by_q = d(Phi_q v + Phi_t)/dq        (nrows x nv) */
void lmb_tangent(const lmb_state *state, double *by_q, double *by_v);

/* Adds J^T h of the marker `row` to column j of the marker `column` in the blocks of the couples;
 * `couple` is that of their first clusters, -1 for none. */
void lmb_add_load_column(const lmb_state *state, int couple, int row, int column, int j,
                         const lmb_frame *h, double *values);

/* Adds factor x to the rows v, v + 1, ... (nv) of a column in the blocks of the couples. */
void lmb_add_tangent_column(const lmb_model *model, int v, int nv, int column, double factor,
                            const double *x, double *values);

/* The first two as blocks of the couples of clusters that rows, forces and bodies connect, in the
 * state's arrays tangent_q and tangent_v; besides, -dQ/dlambda in tangent_lambda. */
void lmb_tangent_blocks(const lmb_state *state);

/* The third with the pattern of the Jacobian (value_count numbers). */
void lmb_rate_tangent_blocks(const lmb_state *state, double *rate_by_q);

/* The energy stored in forces and flexible bodies; and the same where lmb_total_balance is known.
 */
double lmb_elastic_energy(const lmb_state *state);
double lmb_elastic_energy_with(const lmb_state *state, const lmb_balance *of_bodies);

/* The powers of drivers and forces, as LMB_WORK_SUPPLIED and LMB_WORK_DISSIPATED; needs lambda. */
void lmb_powers(const lmb_state *state, double powers[LMB_WORK_COUNT]);

/* Energy (that of deformation without the forces) and momentum of all bodies. */
lmb_balance lmb_total_balance(const lmb_state *state);

/* Inputs: the channels that the laws of forces depend on, with their exact derivatives.
 *
 * An input is a number of one or two frames and their velocities: a position, a velocity, an angle,
 * a joint coordinate or its rate. So a law that uses it makes the force depend on further bodies.
 * The reaction of a joint, which friction needs, depends on multipliers too. */

double lmb_input_value(const lmb_state *state, const lmb_input *input);

/* The derivatives of a reaction by the multipliers of its joint, in their places. */
void lmb_reaction_slope(const lmb_state *state, const lmb_input *input, double *slope);

/* Adds what a force owes to the inputs of its law to the tangents -dQ/dq and -dQ/dv, blocks of
 * couples of bodies, and to -dQ/dlambda of the state; `at` is what the force reads. */
void lmb_input_tangent(const lmb_state *state, const lmb_force *force, lmb_force_at *at,
                       double *by_q, double *by_v);

#endif
