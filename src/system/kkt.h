/* The saddle-point (KKT) equations that all analyses solve:
 *
 *   W x + Phi_q^T y = f
 *   Phi_q x         = g
 *
 * W is the mass matrix, or a metric (1 for lengths, model length squared for angles) where mass
 * does not matter: positions, velocities and, in a driven mechanism, reactions. Rows are scaled to
 * lengths. With epsilon > 0 the lower right block is -epsilon instead of 0, which makes the matrix
 * regular whatever the rank of Phi_q; a proximal iteration, y += ..., then removes its effect:
 * redundant but consistent rows share their forces with the least norm. Where there are as many
 * rows as coordinates and epsilon is 0, factorising Phi_q alone is enough. A row that is switched
 * off reads -y = 0. */
#ifndef LMB_SYSTEM_KKT_H
#define LMB_SYSTEM_KKT_H

#include "base/pack.h"
#include "system/equations.h"

typedef struct lmb_kkt lmb_kkt;

/* Allocates for a model and finds the pattern; NULL: out of memory. */
lmb_kkt *lmb_kkt_new(const lmb_model *model);
void lmb_kkt_free(lmb_kkt *kkt);

/* The metric of a model as blocks of clusters, in the form that lmb_mass_blocks has. */
void lmb_metric_blocks(const lmb_model *model, double *blocks);

/* Factorises with the state's Jacobian; false when the matrix is singular. With
 * `positions_only` velocity-level rows are left out. */
bool lmb_kkt_factor(lmb_kkt *kkt, const lmb_state *state, const double *blocks, double epsilon,
                    bool positions_only);

/* Solves; x has nv numbers and y nrows. f and g may be NULL for zero. */
void lmb_kkt_solve(lmb_kkt *kkt, const double *f, const double *g, double *x, double *y);

/* The same without the proximal iteration: a damped least-squares step where epsilon > 0. */
void lmb_kkt_step(lmb_kkt *kkt, const double *f, const double *g, double *x, double *y);

/* Cheap measure of how regular the last matrix was: smallest over largest pivot. */
double lmb_kkt_condition(const lmb_kkt *kkt);

/* The sign of the determinant of a square Jacobian in the last factorisation; 0 if it was not
 * factorised alone. */
int lmb_kkt_orientation(const lmb_kkt *kkt);

/* An estimate of the smallest singular value of the scaled Jacobian, and the combination of rows
 * (unit vector, nrows) that nearly vanishes there; needs a factorisation. */
double lmb_kkt_weakest(lmb_kkt *kkt, double *rows);

/* Saves or restores what later factorisations depend on (see lmb_linear_pack). */
void lmb_kkt_pack(lmb_kkt *kkt, lmb_pack *pack);

#endif
