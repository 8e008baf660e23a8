/* Constraint rows: short sums of products of frames with coefficients that may change in time.
 *
 *   row:  sum_k c_k(t) P_k(A_k, B_k) = 0
 *
 * Every joint and every driver is a list of rows. A coefficient is a constant factor, or that
 * factor times f, cos f, sin f or f^2/2 of a motion law f(t). A driven angle, for example, is
 *
 *   cos f (e2 . f1) - sin f (e1 . f1) = sin(phi - f)
 *
 * which is smooth over any number of turns; its false branch (phi = f + pi) is ruled out by a
 * guard, a sum of the same form that must be positive: cos(phi - f) > 0. */
#ifndef LMB_FRAMES_ROW_H
#define LMB_FRAMES_ROW_H

#include <stdbool.h>

#include "base/arena.h"
#include "frames/product.h"

/* One end of a joint or force. */
typedef struct lmb_end {
    int body;
    int point;       /* of a flexible body: the number of its interface point, else -1 */
    lmb_frame local; /* the point and its axes, in body axes */
    bool own_axes;   /* the point was given axes of its own */
} lmb_end;

/* Two markers, by their numbers; products are taken of A = first, B = second. */
typedef struct lmb_pair {
    int a, b;
} lmb_pair;

typedef enum lmb_law_part {
    LMB_PLAIN,      /* the factor alone */
    LMB_LAW,        /* factor f(t) */
    LMB_LAW_COS,    /* factor cos f(t) */
    LMB_LAW_SIN,    /* factor sin f(t) */
    LMB_LAW_SQUARE, /* factor f(t)^2 / 2 */
} lmb_law_part;

typedef struct lmb_term {
    lmb_product product;
    int pair;
    double factor;
    lmb_law_part part;
    int law;  /* number of the law, unless LMB_PLAIN */
    int turn; /* LMB_ANGLE: number of the memory of its turns */
} lmb_term;

/* What a row measures; rows are scaled to lengths with the size of the model. */
typedef enum lmb_measure { LMB_PURE_NUMBER = 0, LMB_LENGTH = 1, LMB_AREA = 2 } lmb_measure;

typedef struct lmb_row {
    const char *label; /* "x", "axis 1", ...: with the joint's name it names the equation */
    int term, term_count;
    int guard, guard_count; /* a sum that must be positive; none if the count is 0 */
    lmb_measure measure;
    bool velocity_level; /* made of velocity-level products */
    int body, own;       /* of a body's own row: the body, and its number there; else 0 */
} lmb_row;

typedef enum lmb_coordinate_kind {
    LMB_COORDINATE_ANGLE,
    LMB_COORDINATE_OFFSET,
    LMB_COORDINATE_LENGTH
} lmb_coordinate_kind;

/* A joint coordinate: an angle, an offset or a distance between two frames. */
typedef struct lmb_coordinate {
    const char *name; /* "angle", "offset", ... */
    lmb_coordinate_kind kind;
    lmb_product product; /* for a length: half its square */
    int pair;
    int turn;     /* angle: number of the memory of its turns */
    double near;  /* angle: which turn it starts in */
    bool flipped; /* the pair stands the other way round: B's body comes first */
} lmb_coordinate;

/* All markers, pairs, terms, rows and coordinates of a model, growing in an arena. An index of
 * -1 returned from an adding function means out of memory; `failed` remembers it. */
typedef struct lmb_rows {
    lmb_arena *arena;
    bool failed;
    lmb_marker *markers;
    lmb_pair *pairs;
    lmb_term *terms;
    lmb_row *rows;
    lmb_coordinate *coordinates;
    int marker_count;
    int pair_count;
    int term_count;
    int row_count;
    int coordinate_count;
    int turn_count;
    int *newest; /* for each body: its newest marker, or -1 */
    int newest_count;
} lmb_rows;

/* A marker of a body, on one of its interface points or (-1) on its own frame; the same one if it
 * was added before. */
int lmb_rows_marker(lmb_rows *rows, int body, int point, lmb_frame local);
int lmb_rows_pair(lmb_rows *rows, int marker_a, int marker_b);

/* A marker at an end, and a pair of those at two ends. */
int lmb_rows_end(lmb_rows *rows, const lmb_end *end);
int lmb_rows_ends(lmb_rows *rows, const lmb_end ends[2]);
int lmb_rows_coordinate(lmb_rows *rows, const char *name, lmb_coordinate_kind kind,
                        lmb_product product, int pair);

/* Starts a row; the terms and guard terms added next belong to it. Add all terms first. */
int lmb_rows_row(lmb_rows *rows, const char *label, lmb_measure measure);
void lmb_rows_term(lmb_rows *rows, lmb_term term);
void lmb_rows_guard(lmb_rows *rows, lmb_term term);

/* A term without a law. */
lmb_term lmb_plain(double factor, lmb_product product, int pair);

/* Rows that many joints are made of. */
void lmb_rows_offset_axis(lmb_rows *rows, const char *label, int pair, int i);
void lmb_rows_across(lmb_rows *rows, int pair, int dimension);     /* a point on an axis */
void lmb_rows_coincident(lmb_rows *rows, int pair, int dimension); /* "x", "y", "z" */
void lmb_rows_parallel(lmb_rows *rows, int pair, int dimension); /* third axes: two rows in space */
void lmb_rows_aligned(lmb_rows *rows, int pair, int dimension);  /* all axes parallel */

/* A row that makes an angle or an offset follow a law. */
void lmb_rows_driven(lmb_rows *rows, const lmb_coordinate *coordinate, int law);

/* Makes the constant length of a distance joint's row follow a law. */
void lmb_rows_drive_length(lmb_rows *rows, int row, int law);

#endif
