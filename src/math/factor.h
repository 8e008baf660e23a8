/* Factorisation of large sparse symmetric matrices, definite or not, by MUMPS:
 *
 *     P A P^T = L D L^T,  D of blocks of one or two
 *
 * Life cycle: create (order and analyse a pattern) -> factor, as often as the numbers change ->
 * solve, as often as there are right-hand sides. The calls may come from several threads, each with
 * its own lmb_factor; they then wait for each other. */
#ifndef LMB_MATH_FACTOR_H
#define LMB_MATH_FACTOR_H

#include <stdbool.h>

#include "base/message.h"
#include "math/symmetric.h"

typedef struct lmb_factor lmb_factor;

/* Rounding leaves less than this of a pivot that should be zero, in parts that are not too slender:
 * of a free beam 500 times as long as thick it may hide two of the six motions, but never all. A
 * pivot of a slender part that is held may be as small; it is distinguished from a null pivot by
 * the energy of its motion. */
#define LMB_NULL_PIVOT 1e-8

/* What is known of a factorisation. */
typedef struct lmb_factor_facts {
    int n;
    int negative;            /* negative pivots: as many as there are negative eigenvalues */
    int null_count;          /* null pivots: dimension of the null space (of a free part), */
    const int *null_unknown; /* and the unknowns in which they were met */
    double entries;          /* of the factor */
    double bytes;            /* of memory for factor and work */
    double operations;       /* of the elimination */
    double ordering_time, analysis_time, factor_time; /* seconds on the wall */
    double processor_time;                            /* seconds of all cores, for these three */
} lmb_factor_facts;

/* Orders (nested dissection of the graph of groups, by METIS) and analyses the pattern of a matrix;
 * its numbers do not matter yet. `group` is that of each unknown, from 0 (its node); NULL: each for
 * itself. The pattern must outlive the factor. */
lmb_status lmb_factor_new(lmb_factor **out, lmb_context *context, const lmb_symmetric *pattern,
                          const int *group);
void lmb_factor_free(lmb_factor *factor);

/* The order of elimination: a place (0 ... n-1) for each unknown such that the factor stays sparse.
 * Unknowns of one group stay together and only the graph of the groups is dissected, which is
 * faster and no worse. The same matrix always gets the same order. False: out of memory. METIS
 * draws its random numbers from rand(), which all threads share: call this from one thread at a
 * time. */
bool lmb_factor_order(const lmb_symmetric *matrix, const int *group, int *place);

/* Another limit of null pivots than LMB_NULL_PIVOT from the next factorisation on. */
void lmb_factor_neglect(lmb_factor *factor, double negligible);

/* About how long the next factorisation takes (s), from its operations and the speed of a product
 * of two dense matrices; known to half or twice of it. 0 where that is not worth to be measured. */
double lmb_factor_estimate(const lmb_factor *factor);

/* Factorises the matrix with these numbers in the places of the pattern. A singular matrix is no
 * failure: look at null_count. In solving, the unknowns of null pivots are then held at zero, which
 * gives a solution if there is one. */
lmb_status lmb_factor_compute(lmb_factor *factor, lmb_context *context, const double *values);

/* Solves A x = b for `count` right-hand sides one after the other (n x count); b becomes x. */
lmb_status lmb_factor_solve(lmb_factor *factor, lmb_context *context, int count, double *b);

/* The same where most numbers of b are zero: parts of the factor that they do not reach are left
 * out. */
lmb_status lmb_factor_solve_sparse(lmb_factor *factor, lmb_context *context, int count, double *b);

const lmb_factor_facts *lmb_factor_facts_of(const lmb_factor *factor);

#endif
