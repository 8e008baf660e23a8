/* Modes: the small vibrations of a mechanism about a position. */
#ifndef LMB_ANALYSIS_MODES_H
#define LMB_ANALYSIS_MODES_H

#include "analysis/linearise.h"

typedef struct lmb_mode {
    double frequency; /* Hz: size of the eigenvalue over 2 pi; 0 for a rigid mode */
    double damping;   /* ratio to the critical one; negative: the motion grows */
    bool rigid;
    double *shape; /* nv: displacement of each coordinate, mass-normalised (real part) */
} lmb_mode;

typedef struct lmb_mode_list {
    int count;
    lmb_mode *modes;  /* rigid ones first, then by frequency */
    lmb_arena *arena; /* owns them */
} lmb_mode_list;

/* The modes about the solver's present state (a and lambda are used). */
lmb_status lmb_find_modes(lmb_solver *solver, lmb_mode_list *out);
void lmb_mode_list_free(lmb_mode_list *list);

/* Which of the nv coordinates moves most in a mode. */
int lmb_mode_largest(const lmb_mode *mode, int nv);

#endif
