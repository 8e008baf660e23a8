/* The quasi-static shape of flexible bodies: what they are deformed to by the forces and the
 * inertia of a rigid motion, without vibrating.
 *
 * The rigid motion is that of the drivers, and of free coordinates c(q) whose values and rates are
 * given. With elastic coordinates eta (those of the class of modes) the shape is the q with
 *
 *   M a + Phi_q^T lambda = Q(q, v, t),   eta'' = 0,   eta' given
 *   Phi = 0,  Phi_q v = nu,  Phi_q a = gamma,   c(q) = c,  c_q v = c'
 *
 * At rest v = a = 0, and the c are held by forces mu: Phi_q^T lambda + c_q^T mu = Q.
 *
 * Where joints deform bodies (more of them than rigid bodies would need), eta' and eta'' are as
 * near to what is asked for as these allow. Dense: for up to a few hundred coordinates. */
#ifndef LMB_ANALYSIS_QUASI_STATIC_H
#define LMB_ANALYSIS_QUASI_STATIC_H

#include "analysis/linearise.h"

/* A free coordinate of the rigid motion: that of a joint where there is one, else of a body. */
typedef struct lmb_held {
    int coordinate; /* of a joint, or -1 */
    int column;     /* else the velocity coordinate, -1 for none */
    lmb_jet given;  /* its value and rate; a column has the value of q_given */
} lmb_held;

typedef struct lmb_quasi_static {
    lmb_solver *solver;
    bool at_rest; /* v = a = 0 */

    int held_count;
    lmb_held *held;
    double *q_given;    /* nq: where columns are held */
    double *shape_rate; /* nv: eta' in the elastic coordinates */

    lmb_linear_model *linear; /* free directions N */
    int elastic;              /* how many are left when the c are held */
    double *H;                /* held_count rows of nv: c_q */
    double *B;                /* nv x free: N_e with c_q N_e = 0, then N_r with c_q N_r = 1 */
    double *gram;             /* elastic^2: N_e^T of the elastic coordinates, times N_e */
    double *A;                /* nv x held: accelerations of unit c'', eta'' = 0 */
    double *alpha;            /* held: c'' */
    double *matrix, *right;   /* of a Newton step: free^2, free */
    double *stack, *scaled;   /* room: (nrows + nv) nv; (nrows + 1) nv */
    double *x, *y;            /* room: nv each */
    lmb_arena *arena;
} lmb_quasi_static;

/* Chooses the free coordinates of the rigid motion at the solver's present state, whose position
 * and velocity they take as given; the shape does not change yet. */
lmb_status lmb_quasi_static_new(lmb_quasi_static **out, lmb_solver *solver, bool at_rest);
void lmb_quasi_static_free(lmb_quasi_static *shape);

/* Finds the shape for what is given at the state's time, from its present position; q, v, a and
 * lambda of the state are then consistent. False: Newton's method does not converge. */
lmb_status lmb_quasi_static_solve(lmb_quasi_static *shape, bool *found);

#endif
