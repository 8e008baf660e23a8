/* Modes: the small motions of a mechanism about a state, each with an eigenvalue s of A
 * (analysis/small_motion.h): proportional to exp(s t). */
#ifndef LMB_ANALYSIS_MODES_H
#define LMB_ANALYSIS_MODES_H

#include "analysis/small_motion.h"
#include "analysis/sparse_motion.h"

typedef struct lmb_mode {
    double frequency;       /* Hz: size of the eigenvalue over 2 pi; 0 where nothing oscillates */
    double damping;         /* ratio to the critical one; negative: the motion grows; NaN for a real
                               eigenvalue */
    bool rigid;             /* free motion: a zero eigenvalue */
    double *shape;          /* nv: displacement of each coordinate, mass-normalised (real part) */
    double real, imaginary; /* 1/s: the eigenvalue; of a pair the one with imaginary > 0 */
    double time_constant;   /* s: -1 / (a real eigenvalue), in which the motion decays by a factor
                               e, or grows if it is negative; NaN for others */
} lmb_mode;

typedef struct lmb_mode_list {
    int count;
    lmb_mode *modes;  /* rigid ones first, then by frequency */
    lmb_arena *arena; /* owns them */
} lmb_mode_list;

/* The modes of a small motion, and those about the solver's present state (a and lambda are used)
 * as seen from the ground. */
lmb_status lmb_modes_of(const lmb_small_motion *motion, lmb_context *context, lmb_mode_list *out);
lmb_status lmb_find_modes(lmb_solver *solver, lmb_mode_list *out);
void lmb_mode_list_free(lmb_mode_list *list);

/* What an eigenvalue says of a mode; without its shape. */
lmb_mode lmb_mode_of(double real, double imaginary, bool rigid);

/* The lowest modes of models of any size about an equilibrium that is one of a potential; and
 * whether the present state is one: at rest, without rolling, first-order states and forces that
 * have no potential, and with damping in proportion to mass and stiffness, if any. */
lmb_status lmb_find_lowest_modes(lmb_solver *solver, int count, lmb_mode_list *out);
bool lmb_modes_are_symmetric(lmb_solver *solver);

/* The lowest `count` modes of a small motion of a model of any size. */
lmb_status lmb_sparse_modes(const lmb_sparse_motion *motion, int count, lmb_mode_list *out);

/* The lowest `count` modes about the solver's present state as an observer sees them, or for 0 all
 * of them: of models of more than LMB_MODES_DENSE coordinates LMB_MODES_LARGE. */
enum { LMB_MODES_DENSE = 400, LMB_MODES_LARGE = 20 };
lmb_status lmb_find_some_modes(lmb_solver *solver, int observer, int count, lmb_mode_list *out);

/* Which of the nv coordinates moves most in a mode. */
int lmb_mode_largest(const lmb_mode *mode, int nv);

#endif
