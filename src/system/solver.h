/* Solving one instant of a mechanism: positions, velocities, accelerations, reactions.
 *
 *   positions      Newton-Raphson on Phi(q, t) = 0, smallest change in the metric of the model
 *   velocities     Phi_q v = nu
 *   accelerations  Phi_q a = gamma
 *   reactions      Phi_q^T lambda = Q - M a
 *
 * All four are saddle-point equations with the same matrix (system/saddle.h), so an instant needs
 * one factorisation besides those of the Newton iteration. */
#ifndef LMB_SYSTEM_SOLVER_H
#define LMB_SYSTEM_SOLVER_H

#include "math/echelon.h"
#include "system/friction.h"

typedef struct lmb_solver {
    lmb_state *state;
    lmb_context *context;
    lmb_saddle *saddle;
    lmb_friction *friction; /* lmb_friction_status tells why an augmented solution failed */
    const char *moved;      /* by assembly: which body, how far and why; NULL: none noticeably */
    double epsilon;         /* 0 for independent rows, else of the proximal iteration */
    bool through_singular;  /* lmb_solve_augmented is to work in singular positions too */
    double doubtful;        /* pivots this small against the largest may mean a singular position */
    double *mass;           /* mass_count */
    double *metric;         /* mass_count: what sizes are measured with */
    double *weights;        /* mass_count: the metric in which corrections are smallest */
    bool held;              /* some coordinates weigh much in it */
    bool *modal;            /* nv: which coordinates are modal ones */
    const bool *fixed;      /* nv: those that corrections do not move at all; NULL: none */
    double *moving;         /* value_count: the Jacobian of the others, while it is factorised */
    double baumgarte;       /* 1/s: how fast accelerations pull open joints shut */
    double *phi;            /* nrows */
    double *side;           /* nrows */
    double *step;           /* nv */
    double *force;          /* nv */
    double *rows;           /* nrows: multipliers that are not kept */
    double *start;          /* nq: a position to come back to */
    lmb_arena *arena;
    int iterations; /* of the last Newton iteration */
} lmb_solver;

/* The residual, in units of the model's length, at which joints count as closed. */
extern const double lmb_closed;

/* Epsilon of the proximal iteration for redundant rows: small against squared singular values of a
 * scaled Jacobian (about 1), large against rounding. */
extern const double lmb_proximal;

lmb_status lmb_solver_new(lmb_solver **out, lmb_context *context, const lmb_model *model);

/* The same with the choice of solvers that a state has; nothing else of it is copied. */
lmb_status lmb_solver_for(lmb_solver **out, lmb_context *context, const lmb_state *state);
void lmb_solver_free(lmb_solver *solver);

/* Newton-Raphson from a good start, full steps: false if it does not converge in a few iterations
 * or ends on a wrong branch. Leaves the position updated. */
bool lmb_solve_position(lmb_solver *solver);

/* Some rows repeat others: solve with the proximal iteration from now on. */
void lmb_solver_allow_redundant(lmb_solver *solver);

/* Factorises at the present position; false if the matrix is singular or nearly so (the solver then
 * goes on with a regularised one). */
bool lmb_solver_factor(lmb_solver *solver);

/* The same where a motion must be told from one that is not unique: false only if a singular
 * position is so near that the present one, closed to lmb_closed, may be that one. Small pivots
 * that long chains of bodies have everywhere are no sign of that. */
bool lmb_solver_factor_surely(lmb_solver *solver);

/* Factorises the present Jacobian with other masses, or another metric; false if the matrix is
 * singular. */
bool lmb_solver_factor_with(lmb_solver *solver, const double *mass, double epsilon);

/* Corrections of positions and velocities move these coordinates only if they must (nv flags; NULL:
 * none). */
void lmb_solver_hold(lmb_solver *solver, const bool *held);

/* Corrections do not move these coordinates at all: their columns are taken out of the Jacobian (nv
 * flags, which must stay; NULL: none). */
void lmb_solver_fix(lmb_solver *solver, const bool *fixed);

/* v, a and lambda of the state; each needs what comes before it, and lmb_solver_factor. */
void lmb_solve_velocity(lmb_solver *solver);
void lmb_solve_acceleration(lmb_solver *solver);
void lmb_solve_reactions(lmb_solver *solver);

/* Move v, a or lambda by as little as possible so that they satisfy their equations: for velocities
 * that have drifted, and in singular positions, where there are many that do. */
void lmb_correct_velocity(lmb_solver *solver);
void lmb_correct_acceleration(lmb_solver *solver);
void lmb_correct_reactions(lmb_solver *solver);

/* a and lambda of the augmented equations M a + Phi_q^T lambda = Q, Phi_q a = gamma, for given q
 * and v; false if they are singular (a body without mass that can move freely). */
bool lmb_solve_augmented(lmb_solver *solver);

/* Where they are: the velocity coordinate of a body without inertia that moves most where nothing
 * that has inertia moves; -1 if there is none, or no memory. */
int lmb_find_massless(lmb_solver *solver);

/* The row that the velocities, or the accelerations, satisfy worst where they do not satisfy all: a
 * row that repeats others contradicts them. -1: they satisfy all. */
int lmb_unsatisfied_velocity(lmb_solver *solver);
int lmb_unsatisfied_beyond(lmb_solver *solver, double part); /* by more than a part of their size */
int lmb_unsatisfied_acceleration(lmb_solver *solver);

/* Says so. */
lmb_status lmb_contradiction(lmb_solver *solver, int row);

/* The largest residual of all rows, in lengths, and its row. */
double lmb_largest_residual(lmb_solver *solver, int *row);

/* Says which force or driver is not a finite number at an instant, if one is. */
lmb_status lmb_not_finite(lmb_solver *solver, double t);

/* The largest move of a step d: lengths, or angles times the length of the model; NaN if one is. */
double lmb_step_size(const lmb_solver *solver, const double *step);

/* Adds one line about an iteration to the log. */
void lmb_log_iteration(lmb_solver *solver, int iteration, int row, double residual, double step);

/* Independent coordinates: as many velocity coordinates as there are degrees of freedom, from which
 * the joints give all the others. */

/* S Phi_q W^(-1/2), dense by columns (nrows x nv), and the diagonal of W^(-1/2) (nv); needs the
 * Jacobian. */
void lmb_scaled_jacobian(const lmb_solver *solver, double *scaled, double *root);

/* The same as sparse rows, without the columns that are left out (nv flags; NULL: none). It lives
 * in the arena, which tells whether memory was enough. */
lmb_sparse_rows lmb_sparse_jacobian(const lmb_solver *solver, lmb_arena *arena,
                                    const bool *left_out);

/* Marks the independent coordinates (nv) at the present position and counts them: those that have
 * no pivot in the scaled Jacobian, so that the others follow from them as well as can be. Needs the
 * Jacobian. */
lmb_status lmb_choose_independent(lmb_solver *solver, bool *independent, int *count);

/* How far the dependent coordinates move with the independent ones, which are the fixed ones of the
 * solver: an estimate of the largest |d_d| / |d_i| with Phi_q d = 0, in the metric of the model. It
 * grows beyond all bounds where the dependent part of the Jacobian becomes singular. The direction
 * (nv) is remembered: where it is that of a position nearby, one iteration is enough. Needs
 * lmb_solver_factor at the present position; uses s->step, s->force, s->side and s->rows. */
double lmb_dependence(lmb_solver *solver, double *direction, int iterations);

/* Whether coordinates that somebody else marked can be the independent ones; if not, the message
 * says what is wrong: too few, too many, or something that they leave free. Needs the Jacobian. */
lmb_status lmb_check_independent(lmb_solver *solver, const bool *independent);

#endif
