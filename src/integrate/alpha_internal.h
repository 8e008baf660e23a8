/* What the files of the generalized-alpha method share. */
#ifndef LMB_INTEGRATE_ALPHA_INTERNAL_H
#define LMB_INTEGRATE_ALPHA_INTERNAL_H

#include "integrate/alpha.h"
#include "system/saddle.h"

/* What is renewed of the matrix: nothing; mass and Jacobian, which change most; all. */
typedef enum lmb_alpha_renewal { LMB_ALPHA_KEEP, LMB_ALPHA_ROWS, LMB_ALPHA_ALL } lmb_alpha_renewal;

enum { LMB_ALPHA_PAST = 5 }; /* steps that a guess of the next is made from */

struct lmb_alpha {
    const lmb_model *model;
    lmb_arena *arena;
    double am, af, beta, gamma;
    double weights[LMB_ALPHA_PAST + 1]
                  [LMB_ALPHA_PAST + 1]; /* of a guess from 0 to the past steps before */
    double accuracy;                    /* of the iteration, relative to the accelerations */

    lmb_saddle *saddle;
    double *tangent; /* couple_values: gamma h C + beta h^2 K T as last computed */
    double renewal;  /* what the next step renews of the matrix: see lmb_alpha_renewal */
    double in_vain;  /* steps in a row for which the rows alone were renewed in vain, */
    bool coupled;    /* counted where bodies have several clusters */
    double cost;     /* of the matrix, in iterations with a kept one */
    double spent;    /* iterations since it was renewed that a new one would have saved */
    double step;     /* the step that the matrix is for */
    double rate[2]; /* what an iteration leaves of the error: with a kept, with a renewed matrix; */
    double best_rate; /* and the least of it that is believed */

    double *alpha;       /* nv: algorithmic accelerations, */
    double *zeta, *zdot; /* nz: algorithmic and true rates of the first-order states */
    double *alpha0;      /* all of these before the step */
    double *zeta0, *zdot0;
    bool redundant;       /* multipliers are not unique */
    double past;          /* how many steps before that are known, LMB_ALPHA_PAST at most */
    double *past_alpha;   /* LMB_ALPHA_PAST x nv, newest first */
    double *past_lambda;  /* LMB_ALPHA_PAST x nrows */
    double *q0, *v0, *a0; /* the state's numbers at the beginning of the step, from q on */
    double *lambda0;
    double *psi;     /* nv */
    double *side;    /* nv + nrows */
    double *phi;     /* nrows */
    double *inertia; /* nv: M a */
    double *mass;    /* mass_count */
    double *c, r;    /* nz and a number: r (z - c) = f */
    bool settled;    /* z was found */
    double *T;       /* node_count x LMB_TURN_NUMBERS: tangent operators of (+) */
    double *rates;   /* value_count: (B v + b)_q of velocity-level rows; NULL: there are none */

    double *size_q, *size_v; /* nq, nv: make lengths of coordinates, magnified (lmb_island) */
    double *per_unit;        /* nv: makes a force of a generalised one */
    double *defect;   /* range_count: the largest beta h^2 times force that is out of balance */
    double *least;    /* island_count: rounding of coordinates at the beginning of the step */
    double gap;       /* the largest opening of joints, */
    double open;      /* and its largest multiple of `least` */
    double stiffness; /* the largest of gamma h C + beta h^2 K T: rounding becomes forces by it */

    /* of ALI3-P (integrate/ali3p.h) */
    double penalty; /* 0: another method, with an eps as small as can be */
    lmb_rate_projection projection;
    double *star_a;        /* nv, nrows: a* and lambda* of the last step, */
    double *star_lambda;   /* which the guess of the next begins with; */
    double *star_v;        /* nv: v* */
    lmb_saddle *projector; /* of P where it is not the matrix of the step; NULL: that one */
    double *no_tangent;    /* couple_values zeros: those of P = M */
    double *change, *rows; /* nv, nrows: of one pass of a projection */
};

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* Whether velocities and accelerations are projected. */
static inline bool lmb_ali3p_projects(const lmb_alpha *a)
{
    return a->penalty > 0 && a->projection != LMB_PROJECT_NONE;
}

/* Renews the matrix: mass and Jacobian, and the tangents too if so wanted; false if it is singular.
 */
bool lmb_alpha_factor(lmb_alpha *alpha, lmb_state *state, double h, bool tangent_too);

/* Factorises [P U; Phi_q -eps], with which velocities and accelerations are projected, at the
 * present state; false if it is singular. */
bool lmb_alpha_factor_projection(lmb_alpha *alpha, lmb_state *state, double h);

/* What the next step renews, from what this one began with, ended with and took. */
lmb_alpha_renewal lmb_alpha_next_renewal(lmb_alpha *alpha, int iterations, lmb_alpha_renewal first,
                                         lmb_alpha_renewal last);

/* y += A x, or A^T x, with the blocks of the couples (alpha_tangent.c). */
void lmb_couples_times(const lmb_model *model, const double *A, const double *x, double *y);
void lmb_couples_transposed_times(const lmb_model *model, const double *A, const double *x,
                                  double *y);

/* One row of a matrix with the pattern of the Jacobian times x; x += f times the row. */
double lmb_row_times(const lmb_model *model, const double *values, int row, const double *x);
void lmb_row_add(const lmb_model *model, const double *values, int row, double f, double *x);

#endif
