/* The elastica: a slender beam under a force that keeps its direction. */
#ifndef TESTS_ELASTICA_H
#define TESTS_ELASTICA_H

/* From the tip of a beam of length 1 and EI = 1, whose angle to the load is given, c'' = -P sin c
 * with c' = 0 at the tip, by Runge and Kutta's method: returns the angle at the clamp, with the tip
 * as seen from there in axes that are turned by beta. */
double elastica(double P, double angle, double beta, double *x, double *y);

#endif
