/* Von Mises' stresses of the solids of a body at many instants at once.
 *
 * The table of stress modes is large and read once for all instants: a product of matrices. Places
 * are divided into parts, which threads can share (base/workers.h). Each number is the same sum in
 * the same order however many instants and threads there are. */
#ifndef LMB_CHANNELS_STRESS_ROWS_H
#define LMB_CHANNELS_STRESS_ROWS_H

#include <stdbool.h>

#include "base/arena.h"
#include "fe/stress.h"

enum {
    LMB_LANES = 8,           /* instants that are computed side by side */
    LMB_STRESS_ROWS = 32,    /* instants at once, at most */
    LMB_STRESS_PLACES = 128, /* of a part */
};

struct lmb_body_data;

/* Coordinates of the stresses of LMB_LANES instants side by side. */
typedef struct lmb_stress_coordinates {
    double *e;      /* columns x LMB_LANES */
    int *used;      /* used_count: columns that are nonzero at one of these instants at least */
    int used_count; /* set by lmb_stress_coordinates_list */
} lmb_stress_coordinates;

/* Allocate in the arena. The members are NULL if memory runs out. */
lmb_stress_coordinates lmb_stress_coordinates_new(lmb_arena *arena, int columns);

/* Store the coordinates of one instant in a lane. Unit loads whose stress is at rounding level of
 * the largest one are set to 0. `size` has the largest stress of each column. */
void lmb_stress_coordinates_put(lmb_stress_coordinates *to, int lane,
                                const struct lmb_body_data *data, const double *size,
                                const double *e);
void lmb_stress_coordinates_list(lmb_stress_coordinates *c, int columns);

/* Return the largest stress component of each column, allocated in the arena, or NULL if memory
 * runs out. */
double *lmb_stress_sizes(lmb_arena *arena, const struct lmb_body_data *data);

/* Compute the von Mises stresses at `count` places from `first` on. */
void lmb_stress_lanes(const struct lmb_body_data *data, const lmb_stress_coordinates *c, int first,
                      int count, double (*mises)[LMB_LANES]);

/* The largest number, and at which place. */
typedef struct lmb_stress_most {
    double value;
    int place;
} lmb_stress_most;

/* What is found of a part at each instant: the largest stress, and the largest one over E. */
typedef struct lmb_stress_part {
    lmb_stress_most stress[LMB_STRESS_ROWS], strain[LMB_STRESS_ROWS];
} lmb_stress_part;

typedef struct lmb_stress_rows {
    const struct lmb_body_data *data;
    int places, parts;
    int count;          /* instants */
    const double *size; /* lmb_stress_sizes */
    lmb_stress_coordinates lanes[LMB_STRESS_ROWS / LMB_LANES];
    double counted[LMB_STRESS_ROWS]; /* 1: the instant counts in the envelope, 0: it does not */
    lmb_stress_part *part;
    double *largest; /* places: the largest stress of instants that count, */
    int *instant;    /* and the first one that has it */
} lmb_stress_rows;

/* Allocate in the arena. Returns NULL if memory runs out. `size` is the result of lmb_stress_sizes
 * for the body. */
lmb_stress_rows *lmb_stress_rows_new(lmb_arena *arena, const struct lmb_body_data *data,
                                     const double *size);

/* Puts the coordinates of one more instant in; `counts` in the envelope. */
void lmb_stress_rows_put(lmb_stress_rows *rows, const double *e, bool counts);

/* Finds the stresses of one part. */
void lmb_stress_rows_find(lmb_stress_rows *rows, int part);

/* The largest of all parts at an instant: the stress, or the stress over E. */
lmb_stress_most lmb_stress_rows_most(const lmb_stress_rows *rows, int instant, bool strain);

#endif
