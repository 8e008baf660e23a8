/* The saddle-point equations that every analysis and integrator solves, and the table of their
 * solvers:
 *
 *   [ H   U ] [ x ]   [ f ]     H = m M + K    blocks of clusters, and couples of them
 *   [ L  -E ] [ y ] = [ g ]     L = Phi_q T    U = Phi_q^T - dQ/dlambda
 *
 * M is the mass matrix, or a metric W (1 for lengths, the model's length squared for angles) where
 * mass does not matter: positions, velocities and, in a driven mechanism, reactions. K has the
 * tangents of an implicit step, and T is the tangent operator of (+); without them H is M and
 * L = U^T = Phi_q. Rows are scaled to lengths. A row that does not act reads -y = 0. In a step, a
 * velocity-level row reads c (B v + b) = 0 at its end, where c B dv = B x: L = B + c (B v + b)_q T.
 *
 * With E = epsilon > 0 the matrix is regular whatever the rank of Phi_q; a proximal iteration,
 * y += ..., then removes its effect: redundant but consistent rows share their forces with the
 * least norm.
 *
 * A new solver is one file with a table of this form, in the list of the model's kinds. */
#ifndef LMB_SYSTEM_SADDLE_H
#define LMB_SYSTEM_SADDLE_H

#include "base/pack.h"
#include "system/equations.h"

/* What the matrix is for. */
typedef enum lmb_saddle_use {
    LMB_SADDLE_MASS, /* H is M: no couples, no T */
    LMB_SADDLE_STEP, /* H = m M + K, for Newton's iterations on exact equations */
    LMB_SADDLE_EXACT /* the same, and the solution of the very matrix is asked for */
} lmb_saddle_use;

/* What the matrix is made of. */
typedef struct lmb_saddle_matrix {
    const lmb_state *state; /* Phi_q, -dQ/dlambda, and which rows act */
    const double *mass;     /* mass_count: M or W */
    double mass_factor;     /* m; where the matrix is for LMB_SADDLE_MASS it is 1 */
    const double *tangent;  /* couple_values: K; NULL for LMB_SADDLE_MASS, as is the next */
    const double *T;        /* node_count x LMB_TURN_NUMBERS: of nodes that turn */
    const double *rates;    /* value_count: (B v + b)_q of velocity-level rows; NULL: of none, */
    double rate_factor;     /* and what it is multiplied with */
    double epsilon;         /* E of the rows that act; */
    double rate_epsilon;    /* of velocity-level ones, if not 0 */
    bool positions_only;    /* velocity-level rows do not act */
} lmb_saddle_matrix;

/* E of a row that acts. */
static inline double lmb_saddle_epsilon(const lmb_saddle_matrix *matrix, int row)
{
    bool of_rates =
        matrix->rate_epsilon > 0 && matrix->state->model->parts.rows[row].velocity_level;
    return of_rates ? matrix->rate_epsilon : matrix->epsilon;
}

typedef struct lmb_saddle lmb_saddle;

typedef struct lmb_saddle_kind {
    const char *name, *doc;
    bool exact; /* it solves the matrix as it is, couples between bodies included */

    /* Whether it can be used for a model, and is likely to be faster than those after it in the
     * list; NULL: it is where it suits. */
    bool (*suits)(const lmb_model *model, lmb_saddle_use use);
    bool (*fast)(const lmb_model *model, lmb_saddle_use use);

    /* Finds the pattern and allocates; NULL: out of memory, or it cannot be used after all. */
    lmb_saddle *(*create)(const lmb_model *model, lmb_saddle_use use);
    void (*destroy)(lmb_saddle *saddle);

    bool (*factor)(lmb_saddle *saddle, const lmb_saddle_matrix *matrix); /* false: singular */

    /* (f, g) become (x, y), all of scaled rows; `count` right sides one after the other */
    void (*solve)(lmb_saddle *saddle, double *sides, int count);
    void (*solve_transposed)(lmb_saddle *saddle, double *sides, int count);

    double (*condition)(const lmb_saddle *saddle); /* smallest over largest pivot, cheap */
    int (*sign)(const lmb_saddle *saddle);         /* of the determinant */

    /* The sign of the determinant of a square Jacobian, which tells branches of the motion apart;
     * 0: not known. NULL: never known. */
    int (*orientation)(const lmb_saddle *saddle);

    /* Predict the work of a factorisation in multiplications, before the first; 0: unknown. NULL:
     * never known. */
    double (*work)(lmb_saddle *saddle);

    /* Saves what later factorisations and solutions depend on, or restores it to the last bit. */
    void (*pack)(lmb_saddle *saddle, lmb_pack *pack);
} lmb_saddle_kind;

/* What all solvers have in common. */
struct lmb_saddle {
    const lmb_saddle_kind *kind;
    const lmb_model *model;
    lmb_arena *arena;
    lmb_saddle_use use;
    lmb_workers *workers; /* NULL: the caller alone */
    double *scale;        /* nrows: of the last factorisation; 0 for a row that does not act */
    double epsilon;       /* of the last factorisation, */
    double *E;            /* nrows: and E of all rows that act */
    double *side;         /* nv + nrows: right side and solution of rows as written, */
    double *room;         /* nv + nrows: a right side while its solution is refined, */
    double *last;         /* nrows: and multipliers before */
};

extern const lmb_saddle_kind lmb_saddle_dense, lmb_saddle_klu, lmb_saddle_schur, lmb_saddle_square,
    lmb_saddle_tree, lmb_saddle_fronts;

/* All of them, those that are to be tried first at the beginning; ended by NULL. */
extern const lmb_saddle_kind *const lmb_saddle_kinds[];

/* What a user may choose by name; the kinds of an entry are tried in turn. Ended by NULL. */
typedef struct lmb_saddle_family {
    const char *name;
    const lmb_saddle_kind *kinds[3]; /* ended by NULL */
} lmb_saddle_family;

extern const lmb_saddle_family lmb_saddle_families[];

enum { LMB_MOST_THREADS = 256 };

/* The first solver that suits: of those chosen, then of the model's list; NULL: out of memory. */
lmb_saddle *lmb_saddle_new(const lmb_model *model, lmb_saddle_use use, lmb_saddle_choice choice);
void lmb_saddle_free(lmb_saddle *saddle);

/* For kinds: an object that begins with an lmb_saddle, in an arena of its own; NULL: out of memory.
 */
void *lmb_saddle_object(const lmb_saddle_kind *kind, const lmb_model *model, lmb_saddle_use use,
                        size_t size);

/* The metric of a model as blocks of clusters, in the form that lmb_mass_blocks has. */
void lmb_metric_blocks(const lmb_model *model, double *blocks);

/* Scales of the rows (nrows) in a matrix; 0 for those that do not act. */
void lmb_saddle_scales(const lmb_model *model, const lmb_saddle_matrix *matrix, double *scale);

/* Whether two rows touch the same columns of the same clusters, as those of one joint do. */
bool lmb_saddle_rows_alike(const lmb_model *model, int r, int s);

/* Factorises; false when the matrix is singular. */
bool lmb_saddle_factor(lmb_saddle *saddle, const lmb_saddle_matrix *matrix);

/* (f, g), of scaled rows, become (x, y): with the proximal iteration where epsilon > 0, until what
 * it changes of y is `enough` of it at most. What the rows contradict each other by in g is left
 * out (in proportion to E), and y has no part that does nothing. */
void lmb_saddle_refined(lmb_saddle *saddle, double *side, double enough);
void lmb_saddle_refined_transposed(lmb_saddle *saddle, double *side, double enough);

/* Solves, with the proximal iteration where epsilon > 0; x has nv numbers and y nrows, of the rows
 * as written. f and g may be NULL for zero. */
void lmb_saddle_solve(lmb_saddle *saddle, const double *f, const double *g, double *x, double *y);

/* The same without the proximal iteration: a damped least-squares step where epsilon > 0. */
void lmb_saddle_step(lmb_saddle *saddle, const double *f, const double *g, double *x, double *y);

/* Saves or restores what its factorisations and solutions depend on. */
void lmb_saddle_pack(lmb_saddle *saddle, lmb_pack *pack);

/* See `orientation` above. */
int lmb_saddle_orientation(const lmb_saddle *saddle);

/* An estimate of the smallest singular value of the scaled Jacobian, and the combination of rows
 * (unit vector, nrows) that nearly vanishes there; needs a factorisation of LMB_SADDLE_MASS. */
double lmb_saddle_weakest(lmb_saddle *saddle, double *rows);

/* Counts the negative eigenvalues of the symmetric part of a matrix; of a mechanism in a stable
 * equilibrium there are as many as independent rows. */
lmb_status lmb_saddle_inertia(lmb_context *context, const lmb_model *model, lmb_saddle_use use,
                              const lmb_saddle_matrix *matrix, int *negative);

#endif
