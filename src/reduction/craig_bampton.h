/* The basis of Craig and Bampton: what a body does when its interface points move, and how it
 * vibrates while they are held.
 *
 *   u = U (b, eta),   U = G [ Phi_c  Phi_n ]      Phi_c = (-K_ii^-1 K_ib; 1), one column a motion
 *                           [ 1      0     ]      Phi_n: fixed-interface modes, K_ii x = w^2 M_ii x
 *
 * One factorisation of K_ii serves both. Without fixed-interface modes it is Guyan's reduction. */
#ifndef LMB_REDUCTION_CRAIG_BAMPTON_H
#define LMB_REDUCTION_CRAIG_BAMPTON_H

#include "math/factor.h"
#include "reduction/tied.h"

/* Frequencies this near to each other, relative, count as the same. */
#define LMB_SAME_FREQUENCY 1e-6

/* How many fixed-interface modes: a number, or all below a frequency. */
typedef struct lmb_mode_count {
    int number;
    double below;  /* Hz; 0: the number counts */
    bool accurate; /* shapes to rounding, for differences between neighbours (align.h); else 1e-7 */
} lmb_mode_count;

typedef struct lmb_craig_bampton {
    const lmb_tied *tied;
    int boundary, modes, size; /* columns: motions of the points, modes, both */
    double *U;                 /* n of the model x size */
    double *K, *M;             /* size x size: U^T K U and U^T M U */
    double *frequency;         /* modes: Hz, fixed interfaces */
    lmb_factor_facts facts;    /* of the factorisation of K_ii */
    lmb_factor *factor;        /* of K_ii, if it was to be kept, else NULL */
} lmb_craig_bampton;

/* Finds the basis, in the arena. The factor is the caller's to free, also where this fails. */
lmb_status lmb_craig_bampton_find(lmb_craig_bampton *out, lmb_context *context, lmb_arena *arena,
                                  const lmb_tied *tied, lmb_mode_count count, bool keep_factor);

#endif
