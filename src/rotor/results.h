/* All that is computed of a rotor. */
#ifndef LMB_ROTOR_RESULTS_H
#define LMB_ROTOR_RESULTS_H

#include "rotor/rotor.h"

/* --- a few shapes of which motions are sums ----------------------------------------------------
 *
 * A motion is described by its rows: the scalars (deflections, slopes, supports) of one plane at
 * one instant, or those of a part of a steady motion. */

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

/* Room for some rows in an arena of their own, which is to be freed. */
lmb_status lmb_rotor_rows_new(lmb_rotor_rows *out, const lmb_rotor_system *system, int room);

/* Adds the real parts of scalars that are turned by a number of quarters of a turn (0: u, 1: i u,
 * 3: -i u) as a row, and returns its largest number. */
double lmb_rotor_rows_add(lmb_rotor_rows *rows, const lmb_complex *u, int quarters);

/* The rows from `first` on have one scale. */
void lmb_rotor_rows_scale(lmb_rotor_rows *rows, int first, double scale);

/* Finds the shapes, which live in the arena; of the rows the rests are left. */
lmb_status lmb_rotor_basis_of(lmb_rotor_basis *out, lmb_arena *arena, lmb_rotor_rows *rows);

/* The motion while the speed grows evenly, step by step; its instants are rows, too, of which
 * first_row is y of the first one; then comes z, then the next instant. */
lmb_status lmb_rotor_run_up(lmb_rotor_system *system, lmb_arena *arena, lmb_rotor_rows *rows,
                            lmb_run_up *out);

/* The steps that it takes, of which there may be so many. */
enum { LMB_RUN_UP_MOST = 100000000 };
double lmb_run_up_steps(const lmb_rotor *rotor);

/* How many instants of it are kept at most. */
int lmb_run_up_room(const lmb_rotor *rotor);

/* The rows of the basis for each speed: y and z with cos and sin of the phase. */
enum { LMB_STEADY_Z = 2, LMB_STEADY_ROWS = 4 };

typedef struct lmb_rotor_results {
    lmb_arena *arena;
    lmb_context *context; /* for messages */
    lmb_rotor rotor;      /* with speeds chosen where the model has none */
    lmb_rotor_system *system;
    lmb_rotor_estimates estimates;
    bool estimated;     /* there are bearings */
    double whirl_ratio; /* whirl by rotation at critical speeds; 1: those that unbalance excites */
    lmb_critical_list criticals;
    lmb_campbell campbell;
    lmb_instability instability;
    lmb_whirl_list service;             /* at the service speed, or at rest */
    lmb_complex *sag;                   /* scalars, y + i z */
    double (*loads)[2];                 /* bearings: static forces of the shaft on them */
    bool sags;                          /* there is weight across the axis, and bearings */
    bool loaded;                        /* there is unbalance */
    lmb_complex *service_y, *service_z; /* scalars: motion under unbalance at the service speed, or
                                           NULL */
    lmb_complex *y, *z;                 /* speeds x stations: amplitudes under unbalance */
    double *peak, *peak_at;             /* stations: the largest half axis, and its speed */
    lmb_complex (*forces)[2]; /* speeds x bearings: forces of the shaft on them along y and z */
    lmb_run_up run_up;
    lmb_rotor_basis basis; /* of the motions under unbalance: first over speed, then run-up */
} lmb_rotor_results;

bool lmb_rotor_has_unbalance(const lmb_rotor *rotor);

/* Computes everything, with critical speeds for a ratio of whirl to rotation. */
lmb_status lmb_rotor_solve(lmb_rotor_results **out, lmb_context *context, const lmb_rotor *rotor,
                           double whirl_ratio);
void lmb_rotor_results_free(lmb_rotor_results *results);

#endif
