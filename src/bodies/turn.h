/* Rotations by a vector theta: the matrix exp(theta~) and its rates.
 *
 *   d exp(theta~) = (T dtheta)~ exp(theta~),   T u = u + b theta x u + c theta x (theta x u)
 *   b = (1 - cos x) / x^2,  c = (x - sin x) / x^3,  x^2 = s = theta . theta */
#ifndef LMB_BODIES_TURN_H
#define LMB_BODIES_TURN_H

#include "math/vec.h"

/* b and c of a theta with their first and second derivatives by s. */
typedef struct lmb_turn {
    vec3 theta;
    double b[3], c[3];
} lmb_turn;

lmb_turn lmb_turn_of(vec3 theta);

/* T u, its change along d, and the change of that along e. */
vec3 lmb_turn_rate(const lmb_turn *turn, vec3 u);
vec3 lmb_turn_change(const lmb_turn *turn, vec3 u, vec3 d);
vec3 lmb_turn_change2(const lmb_turn *turn, vec3 u, vec3 d, vec3 e);

#endif
