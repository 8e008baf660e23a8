/* First variations of a motion: what changes dq, dv and da do to frames, rows and joint
 * coordinates, together with their first and second time derivatives. Time itself stays.
 *
 *   frame       dx = J dq,  dx' = J dv + (J v)_q dq,  dx'' = J da + (J a)_q dq + bias_q dq + bias_v
 * dv product P   dP = g . dx,  dP' = H dx . x' + g . dx' dP'' = g . dx'' + H dx . x'' + H dx' . x'
 * + H x' . dx' + (third derivative) dx x' x' row         sum c dP,  sum c dP' + c' dP,  sum c dP''
 * + 2 c' dP' + c'' dP
 *
 * g and H are the first and second derivatives of P. All of this is exact, but for the third
 * derivative of rows that bodies bring along, which is a central difference of order eight. */
#ifndef LMB_SYSTEM_VARIATION_H
#define LMB_SYSTEM_VARIATION_H

#include "system/equations.h"

/* A frame, or its change, with its first and second time derivative. */
typedef struct lmb_frame_jet {
    lmb_frame x, rate, acceleration;
} lmb_frame_jet;

typedef struct lmb_variation {
    lmb_state *state;
    lmb_frame_jet *at, *change;       /* of each marker: as it is, and how it changes */
    const double *dq, *dv, *da;       /* nv */
    lmb_frame *columns, *by_q, *by_v; /* room: largest_nv */
    double *row, *moved;              /* room: a body's own row, its coordinates */
    int *near, near_count, near_most; /* markers that unit changes are asked of, */
    lmb_frame *near_columns;          /* and their changes: five times largest_nv for each */
    double *unit_q, *unit_v, *zero;   /* nv: unit changes */
    int unit;                         /* the last one, or -1 */
} lmb_variation;

/* Allocates in an arena; NULL: out of memory. */
lmb_variation *lmb_variation_new(lmb_arena *arena, lmb_state *state);

/* Takes over the motion of the state: position, velocity (both updated) and a. */
void lmb_variation_start(lmb_variation *variation);

/* The changes along which rows and coordinates are asked for; they stay the caller's. */
void lmb_variation_set(lmb_variation *variation, const double *dq, const double *dv,
                       const double *da);

/* Changes of one coordinate at a time, dq = e_j or dv = e_j, of what depends on a few markers only:
 * first these markers (as many as a row has at most), then the coordinate, for which rows and
 * coordinates of these markers may be asked for. */
void lmb_variation_near(lmb_variation *variation, int count, const int *markers);
void lmb_variation_unit(lmb_variation *variation, int column, bool velocity);

/* The same for a row: its markers. */
void lmb_variation_near_row(lmb_variation *variation, int row);

/* The change of a row (0 for velocity-level rows), its rate and its acceleration, zero for one that
 * does not act; and that of a joint coordinate. */
lmb_jet lmb_variation_row(lmb_variation *variation, int row);
lmb_jet lmb_variation_coordinate(const lmb_variation *variation, const lmb_coordinate *coordinate);

/* That of a product of two markers' frames. */
lmb_jet lmb_variation_product(const lmb_variation *variation, const lmb_product *product, int a,
                              int b);

#endif
