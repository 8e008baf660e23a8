/* The matrix of one implicit step,
 *
 *   [ H    U  ] [ x ]   [ f ]
 *   [ L   -E  ] [ y ] = [ g ]
 *
 * H = kept M + tangent (blocks of clusters and of couples of them), L = Phi_q T, U = Phi_q^T -
 * dQ/dlambda, rows scaled to lengths, E a small diagonal. There are two kinds: `full` factorises
 * all of it; `schur` leaves out what couples bodies in H (which is of the order of h^2), so that x
 * can be eliminated body by body and only an equation for y is left:
 *
 *   (L H^-1 U + E) y = L H^-1 f - g,   x = H^-1 (f - U y)
 *
 * It is the faster one where no forces act between bodies. Both serve an iteration whose equations
 * are exact. */
#ifndef LMB_INTEGRATE_STEP_MATRIX_H
#define LMB_INTEGRATE_STEP_MATRIX_H

#include "system/equations.h"

/* What it is made of. */
typedef struct lmb_step_numbers {
    const lmb_state *state; /* Jacobian, -dQ/dlambda, and which rows act */
    const double *mass;     /* mass_count */
    double kept;            /* factor of M */
    const double *tangent;  /* couple_values */
    const double *T;        /* node_count x LMB_TURN_NUMBERS: of nodes that turn */
    double epsilon;         /* E, of rows that act */
} lmb_step_numbers;

typedef struct lmb_step_matrix lmb_step_matrix;

typedef struct lmb_step_matrix_kind {
    lmb_step_matrix *(*create)(const lmb_model *model); /* NULL: out of memory, or it cannot be */
    void (*destroy)(lmb_step_matrix *matrix);
    bool (*factor)(lmb_step_matrix *matrix, const lmb_step_numbers *numbers); /* false: singular */
    void (*solve)(lmb_step_matrix *matrix, double *side); /* (f, g) becomes (x, y) */
    void (*pack)(lmb_step_matrix *matrix, lmb_pack *pack);
} lmb_step_matrix_kind;

struct lmb_step_matrix {
    const lmb_step_matrix_kind *kind;
    const lmb_model *model;
    lmb_arena *arena;
};

extern const lmb_step_matrix_kind lmb_step_matrix_full, lmb_step_matrix_schur;

/* x^T T for the columns of one block, `stride` apart: of nodes that turn. */
static inline void lmb_turn_block(const lmb_model *m, const lmb_block *block, const double *T,
                                  double *x, int stride)
{
    const lmb_cluster *c = &m->clusters[block->cluster];
    for (int k = c->node; k < c->node + c->node_count; k++) {
        const lmb_node *node = &m->nodes[k];
        if (lmb_node_turns(node) && node->v >= block->v && node->v < block->v + block->nv)
            lmb_node_times_tangent(T + LMB_TURN_NUMBERS * k, x + (node->v - block->v) * stride,
                                   stride);
    }
}

/* The kind that suits a model; NULL: out of memory. */
lmb_step_matrix *lmb_step_matrix_new(const lmb_model *model);

#endif
