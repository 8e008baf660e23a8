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
    double *masses;     /* mass_count: whose inverse is known; NULL where H is no mass matrix */
    double *rows;       /* value_count: J */
    size_t *place;      /* cluster_count + 1: where the block of a cluster starts in */
    double *blocks;     /* what they add to S: squares by columns, in the order of the touches */
    bool lower;         /* only what is on and below the diagonal of these is set */
    int *share;         /* share_count + 1: ranges of clusters that are worked on together, */
    int *row_share;     /* and of rows */
    int share_count;
    int *signs;         /* cluster_count: of the determinants of H */
    double *answers;    /* T H^-1 J^T, and J^T, of the rows of a cluster: room for each share */
    size_t answer_room; /* numbers of one */
    double *half;       /* nv */
    double *other;      /* nv */
} lmb_saddle_clusters;

/* Whether all clusters have mass and inertia. */
bool lmb_saddle_has_inertia(const lmb_model *model);

/* Whether forces act between two clusters that move, which must not be left out of a step, or rows
 * have an L that is not J T. */
bool lmb_saddle_has_couplings(const lmb_model *model);

/* Lists the touches, with `more` numbers behind the blocks; false: out of memory. */
bool lmb_saddle_clusters_index(lmb_saddle_clusters *clusters, lmb_arena *arena,
                               const lmb_model *model, lmb_saddle_use use, int more);

/* Sets J, with rows scaled (nrows), inverts H and finds the blocks; false: H is singular. */
bool lmb_saddle_clusters_factor(lmb_saddle_clusters *clusters, const lmb_saddle_matrix *matrix,
                                const double *scale, lmb_workers *workers);

/* The sign of the determinant of H. */
int lmb_saddle_clusters_sign(const lmb_saddle_clusters *clusters);

/* (f, g) becomes (f, L H^-1 f - g), and (f, y) becomes (x, y) afterwards. */
void lmb_saddle_clusters_down(lmb_saddle_clusters *clusters, double *side, lmb_workers *workers);
void lmb_saddle_clusters_up(lmb_saddle_clusters *clusters, double *side, lmb_workers *workers);

/* The same for the transposed matrix: x = H^-T (f - L^T y) with S^T y = U^T H^-T f - g. */
void lmb_saddle_clusters_down_transposed(lmb_saddle_clusters *clusters, double *side);
void lmb_saddle_clusters_up_transposed(lmb_saddle_clusters *clusters, double *side);

/* Saves or restores numbers. */
void lmb_saddle_clusters_pack(lmb_saddle_clusters *clusters, lmb_pack *pack);

/* The blocks of S anew, from what is packed. */
void lmb_saddle_clusters_blocks(lmb_saddle_clusters *clusters, lmb_workers *workers);

#endif
