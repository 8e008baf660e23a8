/* The rows of a model together with quantities that are prescribed besides: velocity coordinates,
 * or joint coordinates and their rates. The smallest change d (in the metric of the model) with
 *
 *   Phi_q d = g,   G d = c            G: gradients of what is prescribed
 *
 * is found from the saddle-point equations with x = W^(1/2) d and B = [Phi_q; G] W^(-1/2), rows
 * scaled to lengths:
 *
 *   [ 1   B^T ] [ x ]   [ 0 ]
 *   [ B   -e  ] [ y ] = [ b ]
 *
 * Rows may repeat each other: e > 0 keeps the matrix regular, and iterative refinement with e = 0
 * in the residual removes its effect, to rounding. It makes the error in a direction of singular
 * value s smaller by e / (e + s^2) at a time, so with e = 1e-14 a gear of 1 : 10^6 is no obstacle.
 *
 * Three kinds differ in what moves, and in what a change costs:
 *
 *   nodes    each node by itself; the metric W
 *   wholes   bodies of several nodes as wholes (system/whole.h): d = T d_0, B T instead of B; the
 *            metric W of the leading nodes, or any matrix H of these: x^T H x instead of x^T x
 *   elastic  each node by itself; any matrix H of couples of clusters, such as a stiffness */
#ifndef LMB_SYSTEM_EXTENDED_H
#define LMB_SYSTEM_EXTENDED_H

#include "system/solver.h"

/* Something that is prescribed: a velocity coordinate, or a joint coordinate or its rate. */
typedef struct lmb_given {
    int column;     /* or -1: */
    int coordinate; /* in the list of the model */
    double value;   /* what it is to be */
    bool off;       /* it does not act */
} lmb_given;

typedef enum lmb_extended_kind {
    LMB_EXTENDED_NODES,
    LMB_EXTENDED_WHOLES,
    LMB_EXTENDED_ELASTIC
} lmb_extended_kind;

typedef struct lmb_extended {
    lmb_extended_kind kind;
    lmb_given *given;
    int count; /* of what is prescribed */

    double metric; /* factor of W in the matrix of the first equation: 1; */
    double *H;     /* what is added to it, 0 at first: couple_values of the model where it is
                      elastic; of wholes a block for each leading node; else NULL */
    int *block;    /* node_count: where that of a node starts; -1: it follows */

    double *scale;    /* nrows + count: makes lengths of rows, the model's first; 0 for those off */
    double *residual; /* nrows + count: what lmb_extended_solve leaves over, scaled, */
    double *y;        /* and its multipliers, of rows as written */

    struct lmb_extended_matrix *matrix;
    lmb_arena *arena;
} lmb_extended;

/* Room for `count` prescribed quantities, which the caller fills in before lmb_extended_index; free
 * with lmb_extended_free. */
lmb_status lmb_extended_new(lmb_extended **out, lmb_solver *solver, lmb_extended_kind kind,
                            int count);
lmb_status lmb_extended_index(lmb_extended *extended, lmb_solver *solver);
void lmb_extended_free(lmb_extended *extended);

/* The gradient of something prescribed over v (nv). */
void lmb_given_gradient(const lmb_state *state, const lmb_given *given, double *row);

/* What is prescribed now, minus what it is to be; of velocities with `rates`. Needs the position
 * (and the rates of frames). */
double lmb_given_error(const lmb_state *state, const lmb_given *given, bool rates);

/* Sets the scales: what is off may have changed. Without `rates` velocity-level rows do not act. */
void lmb_extended_rescale(lmb_extended *extended, const lmb_state *state, bool rates);

/* Rescales and factorises at the present position, whose Jacobian is there, in the metric
 * s->weights; coordinates of an infinite weight do not move. A larger epsilon is taken if a pivot
 * is zero. False: the matrix is singular. */
bool lmb_extended_factor(lmb_extended *extended, const lmb_solver *solver, double epsilon,
                         bool rates);

/* One step d (nv) for right sides g (nrows) and c (count): damped least squares. With a force f
 * (nv; NULL: none) it is that of H d + [Phi_q; G]^T y = f; of wholes f is that on their leaders. */
void lmb_extended_step(lmb_extended *extended, const double *f, const double *g, const double *c,
                       double *d);

/* The same refined until rounding: exact if the rows do not contradict each other, else a least
 * squares solution; `residual` has what is left. */
void lmb_extended_solve(lmb_extended *extended, const double *f, const double *g, const double *c,
                        double *d);

#endif
