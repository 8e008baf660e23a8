/* Eigenvalues of rotors: what whirl, critical speeds and response share. */
#ifndef LMB_ROTOR_EIGEN_H
#define LMB_ROTOR_EIGEN_H

#include "rotor/rotor.h"
#include "math/arnoldi.h"

/* A law at a speed, as yy, yz, zy, zz. */
void lmb_rotor_evaluate(const lmb_rotor_law *law, double speed, double k[4]);

/* Fails where coefficients of bearings are not numbers, or do not hold a shaft at rest; needs the
 * nodes alone. */
lmb_status lmb_rotor_check(const lmb_rotor_system *system, lmb_context *context);

/* The eigenvalues nearest to a shift at the present speed, with their vectors (n each). Returns how
 * many; -1: out of memory, -2: not found, -3: singular. */
int lmb_rotor_nearest(lmb_rotor_system *system, lmb_arena *arena, lmb_complex shift, int count,
                      lmb_complex *values, lmb_complex *vectors);

/* The largest eigenvalues of A^-1 B with the factors that the system has of A; returns as the one
 * above. */
int lmb_rotor_largest(const lmb_rotor_system *system, lmb_arena *arena, const lmb_band *B,
                      int count, lmb_complex *values, lmb_complex *vectors);

/* The message for a number below 0 of those. */
lmb_status lmb_fail_whirl(lmb_context *context, int found, double speed);

/* The modal assurance criterion of two shapes of n numbers: how alike they are, 0 to 1. */
double lmb_rotor_mac(int n, const lmb_complex *a, const lmb_complex *b);

/* Factorises K + s C + s^2 M at the present speed; false: it is singular. */
bool lmb_rotor_factorise(lmb_rotor_system *system, lmb_complex s);

/* Makes a mode of an eigenvalue and its vector, with shapes in the arena if that has memory. */
void lmb_set_whirl(const lmb_rotor_system *system, lmb_arena *arena, lmb_complex value,
                   const lmb_complex *vector, lmb_whirl *out);

/* The forces of unbalance, multiplied by a factor and turned by an angle. */
void lmb_rotor_turning_load(const lmb_rotor_system *system, double factor, double turn,
                            lmb_complex *load);

/* The steady motion under unbalance as a vector of n. */
lmb_status lmb_rotor_unbalance_vector(lmb_rotor_system *system, lmb_context *context, double speed,
                                      lmb_complex *q);

#endif
