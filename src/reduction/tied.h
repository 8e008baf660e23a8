/* A finite element model with interface points: what is inside, and what its points do.
 *
 * The unknowns are y = (inner degrees of freedom, multipliers of averages; motions of the points).
 * Nodes of spiders have none of their own: they follow their point exactly. u = G y are the
 * displacements of all degrees of freedom of the model.
 *
 *   [ K_ii  K_ib ]                 [ K  A^T ]
 *   [ .     K_bb ]    inner K_ii = [ A   0  ]   with the rows A u = motion of an average point */
#ifndef LMB_REDUCTION_TIED_H
#define LMB_REDUCTION_TIED_H

#include "reduction/interface.h"

typedef struct lmb_tied {
    lmb_arena *arena;
    const lmb_fe_model *model;
    const lmb_interface *points;
    int point_count, motions; /* motions of a point */
    int inner;                /* unknowns inside, multipliers among them */
    int freedoms;             /* those of them that are degrees of freedom; they come first */
    int boundary;             /* point_count x motions */
    int *place;               /* n of the model: the inner unknown, or -1 - point for spiders */
    lmb_symmetric K, M;       /* of the inner unknowns */
    int *group;               /* inner: node of each unknown, for the order of elimination */
} lmb_tied;

/* Checks the points and numbers the unknowns, without the matrices between them: enough for
 * displacements. In the arena. */
lmb_status lmb_tied_start(lmb_tied *out, lmb_context *context, lmb_arena *arena,
                          const lmb_fe_model *model, const lmb_interface *points, int count);

/* The same with the matrices. */
lmb_status lmb_tied_find(lmb_tied *out, lmb_context *context, lmb_arena *arena,
                         const lmb_fe_model *model, const lmb_interface *points, int count);

/* Fills -K_ib for all motions of the points: inner x boundary. */
void lmb_tied_loads(const lmb_tied *tied, double *loads);

/* The inner unknowns that have any of these loads; returns how many they are (list: inner). */
int lmb_tied_loaded(const lmb_tied *tied, const double *loads, int *list);

/* Adds K_bb to a matrix of `size` rows: boundary x boundary. */
void lmb_tied_add_stiffness(const lmb_tied *tied, double *out, int size);

/* u = G y for inner unknowns x and motions b of the points (NULL for none). */
void lmb_tied_expand(const lmb_tied *tied, const double *x, const double *b, double *u);

/* Sets the motions of the average points among b to those of the displacements u: A u. */
void lmb_tied_average(const lmb_tied *tied, const double *u, double *b);

#endif
