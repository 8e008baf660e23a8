/* Linear equations A x = b of which only products A w are known: the generalised minimal residual
 * method of Saad and Schultz (1986), without restarts. It ends after at most n products. */
#ifndef LMB_MATH_GMRES_H
#define LMB_MATH_GMRES_H

#include <stdbool.h>

#include "base/arena.h"

/* out = A w for a unit vector w; false: it cannot be computed, and the solution ends. */
typedef bool lmb_linear_map(void *user, const double *w, double *out);

/* Solves from x = 0 until |b - A x| <= tolerance |b|, or as far as n products get. Returns what is
 * left, |b - A x| / |b|, or NaN if a product failed or memory ran out. Room is taken from the
 * arena.
 */
double lmb_gmres(int n, lmb_linear_map *map, void *user, const double *b, double tolerance,
                 double *x, lmb_arena *arena);

#endif
