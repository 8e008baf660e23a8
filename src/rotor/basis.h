/* A few shapes of which motions of a rotor are sums.
 *
 * A motion is told by its rows: the scalars (deflections, slopes, supports) of one plane at one
 * instant, or those of a part of a steady motion. */
#ifndef LMB_ROTOR_BASIS_H
#define LMB_ROTOR_BASIS_H

#include "rotor/rotor.h"

/* Rows that are to be described. */
typedef struct lmb_rotor_rows {
    lmb_arena *arena;
    const lmb_rotor_system *system;
    int count;
    float *of;     /* count x scalars; slopes times the mean length of elements */
    double *scale; /* count: what errors are compared with; 0: the row is nothing */
} lmb_rotor_rows;

typedef struct lmb_rotor_basis {
    int count;
    double **shape;  /* count: scalars, the largest deflection is 1 */
    double **factor; /* count: of each row */
} lmb_rotor_basis;

/* Of each row, no deflection is further off the sum than this part of the row's scale, and by as
 * much again where 64 factors are rounded. */
#define LMB_ROTOR_BASIS_TOLERANCE 1e-5

/* Room for some rows; they are gone when their arena is freed. */
lmb_status lmb_rotor_rows_new(lmb_rotor_rows *out, lmb_context *context,
                              const lmb_rotor_system *system, int room);
void lmb_rotor_rows_free(lmb_rotor_rows *rows);

/* Adds the real parts of scalars that are turned by a number of quarters of a turn (0: u, 1: i u,
 * 3: -i u) as a row, and returns its largest number. */
double lmb_rotor_rows_add(lmb_rotor_rows *rows, const lmb_complex *u, int quarters);

/* The rows from `first` on have one scale. */
void lmb_rotor_rows_scale(lmb_rotor_rows *rows, int first, double scale);

/* Finds the shapes, which live in the arena; of the rows the rests are left. */
lmb_status lmb_rotor_basis_of(lmb_rotor_basis *out, lmb_context *context, lmb_arena *arena,
                              lmb_rotor_rows *rows);

#endif
