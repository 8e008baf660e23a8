/* The saddle-point equations with the clusters eliminated: an equation for the multipliers alone,
 *
 *   S y = L H^-1 f - g,   S = L H^-1 U + E,   x = H^-1 (f - U y)
 *
 * where H is taken cluster by cluster, U = J^T and L = J T with the scaled Jacobian J (T = 1 where
 * H is a mass matrix). S is a sum of blocks: each cluster adds J_s T H^-1 J_r for all rows r and s
 * that touch it. */
#ifndef LMB_SYSTEM_SADDLE_CLUSTERS_H
#define LMB_SYSTEM_SADDLE_CLUSTERS_H

#include "system/saddle.h"

/* A row at a cluster. */
typedef struct lmb_touch {
    int row;
    const lmb_block *block;
} lmb_touch;

typedef struct lmb_saddle_clusters {
    const lmb_model *model;
    lmb_touch *touches; /* of all clusters, one after the other */
    int *first;         /* cluster_count + 1: where those of a cluster start */
    double *inverse;    /* mass_count: H^-1 of each cluster */
    double *turned;     /* mass_count: T H^-1; the same array where T = 1 */
    double *rows;       /* value_count: J */
    double *answers;    /* T H^-1 J^T, and J^T, of the rows of a cluster: room for the most */
    double *half;       /* nv */
    double *other;      /* nv */
    int sign;           /* of the determinant of H */
} lmb_saddle_clusters;

/* Whether all clusters have mass and inertia. */
bool lmb_saddle_has_inertia(const lmb_model *model);

/* Whether forces act between two clusters that move, which must not be left out of a step, or rows
 * have an L that is not J T. */
bool lmb_saddle_has_couplings(const lmb_model *model);

/* Lists the touches; false: out of memory. */
bool lmb_saddle_clusters_index(lmb_saddle_clusters *clusters, lmb_arena *arena,
                               const lmb_model *model, lmb_saddle_use use);

/* Sets J, with rows scaled (nrows), and inverts H; false: it is singular. */
bool lmb_saddle_clusters_factor(lmb_saddle_clusters *clusters, const lmb_saddle_matrix *matrix,
                                const double *scale);

/* What a cluster adds to S, a square by columns in the order of its touches; with `lower` only what
 * is on and below the diagonal is set. */
void lmb_saddle_cluster_block(lmb_saddle_clusters *clusters, int cluster, bool lower,
                              double *block);

/* (f, g) becomes (f, L H^-1 f - g), and (f, y) becomes (x, y) afterwards. */
void lmb_saddle_clusters_down(lmb_saddle_clusters *clusters, double *side);
void lmb_saddle_clusters_up(lmb_saddle_clusters *clusters, double *side);

/* The same for the transposed matrix: x = H^-T (f - L^T y) with S^T y = U^T H^-T f - g. */
void lmb_saddle_clusters_down_transposed(lmb_saddle_clusters *clusters, double *side);
void lmb_saddle_clusters_up_transposed(lmb_saddle_clusters *clusters, double *side);

/* Saves or restores numbers. */
void lmb_saddle_clusters_pack(lmb_saddle_clusters *clusters, lmb_pack *pack);

#endif
