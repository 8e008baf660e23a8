/* A model at an instant: linearised, with its modes, its state space and its frequency response,
 * and the matrices of its equations.
 *
 *   lmb_linearised *linear;
 *   lmb_mode_list modes;
 *   if (!lmb_linearised_new(&linear, context, model, NULL) && !lmb_linearised_modes(linear, 0,
 * &modes)) { for (int i = 0; i < modes.count; i++) printf("%g Hz\n", modes.modes[i].frequency);
 *       lmb_mode_list_free(&modes);
 *   }
 *   lmb_linearised_free(linear);
 *
 * Results are structs that own their numbers and names and are freed by a function of their own; a
 * struct of zeros may be freed, too, and after a failure it is one. Functions that return a status
 * have left a message in the context where it is not LMB_OK. */
#ifndef LIMBER_LINEAR_H
#define LIMBER_LINEAR_H

#include "limber/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lmb_arena; /* memory of the library */

/* --- where ------------------------------------------------------------------------------------ */

/* A model linearised about a state. */
typedef struct lmb_linearised lmb_linearised;

/* What a model is linearised about; all zero: the static equilibrium, with all that acts. */
typedef struct lmb_linearised_options {
    const char *analysis; /* with what acts in this analysis, about the motion in which it begins,
                             the end of its path of equilibria, or else static equilibrium */
    const double *at;     /* the time, or the load factor of the path, of that analysis; or NULL */
    bool as_placed;       /* about the motion that begins at the assembled position with the
                             velocities of the model */
    bool steady;          /* about the steady motion near that motion */
    const char *observer; /* the body that others without joint coordinates are seen from; NULL:
                             the ground */
} lmb_linearised_options;

/* Finds the state and linearises there; options may be NULL. Model and context must outlive it. One
 * thread at a time uses it. */
LMB_API lmb_status lmb_linearised_new(lmb_linearised **out, lmb_context *context,
                                      const lmb_model *model,
                                      const lmb_linearised_options *options);

/* Frees it, or does nothing with NULL. */
LMB_API void lmb_linearised_free(lmb_linearised *linear);

/* Whether the matrix of a linearised model stays the same along the motion that it is about. */
typedef enum lmb_steadiness {
    LMB_AT_REST,  /* an equilibrium */
    LMB_STEADY,   /* it moves, the rates of the coordinates and the matrix are constant */
    LMB_CONSTANT, /* rates change, the matrix is constant */
    LMB_PERIODIC, /* the matrix changes; it and the rates are the same again after a period */
    LMB_CHANGING  /* the matrix changes: its eigenvalues are those of a frozen instant */
} lmb_steadiness;

/* What a model is linearised about. */
typedef struct lmb_linearised_about {
    lmb_steadiness steadiness;      /* how the matrix goes on from there */
    double time;                    /* of the state, in s */
    double period;                  /* of LMB_PERIODIC, in s; else 0 */
    bool on_path;                   /* it is an equilibrium of a path, */
    double load;                    /* at this load factor */
    int positions, speeds;          /* how many of the states are positions and velocities */
    int states;                     /* how many names of states there are: 0 in large models */
    const char *const *state_names; /* states; they belong to the linearised model */
} lmb_linearised_about;

/* Looks at the motion from there on and tells what kind it is; a warning says if the matrix is
 * frozen, so that eigenvalues do not tell whether the motion is stable. */
LMB_API lmb_status lmb_linearised_judge(lmb_linearised *linear, lmb_linearised_about *out);

/* --- modes ------------------------------------------------------------------------------------ */

/* A mode: a small motion proportional to exp(s t), with the eigenvalue s. */
typedef struct lmb_mode {
    double frequency;       /* Hz: size of the eigenvalue over 2 pi; 0 where nothing oscillates */
    double damping;         /* ratio to the critical one; negative: the motion grows; NaN for a real
                               eigenvalue */
    bool rigid;             /* free motion: a zero eigenvalue */
    double *shape;          /* displacement of each coordinate, mass-normalised (real part) */
    double real, imaginary; /* 1/s: the eigenvalue; of a pair the one with imaginary > 0 */
    double time_constant;   /* s: -1 / (a real eigenvalue), in which the motion decays by a factor
                               e, or grows if it is negative; NaN for others */
} lmb_mode;

typedef struct lmb_mode_list {
    int count;               /* of modes */
    lmb_mode *modes;         /* rigid ones first, then by frequency */
    int coordinates;         /* numbers of a shape */
    const char **names;      /* coordinates: their names, such as "crank.x" */
    struct lmb_arena *arena; /* owns them */
} lmb_mode_list;

/* The lowest `count` modes; 0: all, or 20 in models of more than 400 coordinates. */
LMB_API lmb_status lmb_linearised_modes(lmb_linearised *linear, int count, lmb_mode_list *out);
LMB_API void lmb_mode_list_free(lmb_mode_list *list);

/* --- state space ------------------------------------------------------------------------------ */

/* The linear system xdot = A x + B u, z = C x + D u: states x are independent coordinates, their
 * rates and first-order states of bodies, inputs u are forces added to those of the model, outputs
 * z are channels, as changes from their values in the motion itself. Matrices are stored by
 * columns. */
typedef struct lmb_state_space {
    int states, inputs, outputs; /* how many there are */
    int n, free;                 /* coordinates; how many of the states are positions */
    double *A, *B, *C, *D;       /* states x states, states x inputs, outputs x states, ... */
    double *N;                   /* n x free: how the coordinates move with these states */
    char **state_names, **input_names, **output_names; /* one for each */
    struct lmb_arena *arena;                           /* owns all of these */
} lmb_state_space;

/* The state space from inputs to outputs. Inputs are names of forces (of a vector all components,
 * or one, "load.x"), outputs those of channels of a dynamic analysis; lists end with NULL. A list
 * that is NULL itself means all motors, forces and torques, or positions, angles and velocities of
 * all bodies. */
LMB_API lmb_status lmb_linearised_state_space(lmb_linearised *linear, const char *const *inputs,
                                              const char *const *outputs, lmb_state_space *out);
LMB_API void lmb_state_space_free(lmb_state_space *space);

/* --- frequency response ----------------------------------------------------------------------- */

/* At which frequencies. */
typedef struct lmb_frequencies {
    double from, to;    /* Hz; negative: a tenth of the lowest natural one, three times the highest
                           one (in models of more than 400 coordinates of the lowest 20) */
    int points;         /* how many */
    bool linear;        /* in equal steps, not in equal ratios */
    const double *list; /* points: the frequencies themselves instead, or NULL */
} lmb_frequencies;

/* The steady output, amplitude sin(2 pi f t + phase), for an input sin(2 pi f t). */
typedef struct lmb_response {
    int count;                  /* of frequencies */
    double *frequency;          /* Hz */
    double *amplitude, *phase;  /* output over input; degrees from -180 to 180 */
    double *real, *imaginary;   /* the same as C (i w - A)^-1 B + D */
    const char *input, *output; /* their names */
    struct lmb_arena *arena;    /* owns all of these */
} lmb_response;

/* The response of one output to one input, named as above; frequencies may be NULL: 200 of them in
 * equal ratios. At a resonance without damping it is infinite. */
LMB_API lmb_status lmb_linearised_response(lmb_linearised *linear, const char *input,
                                           const char *output, const lmb_frequencies *frequencies,
                                           lmb_response *out);
LMB_API void lmb_response_free(lmb_response *response);

/* --- the equations ---------------------------------------------------------------------------- */

/* Where the matrices are wanted; all zero: in the assembled position, at rest or as the drivers
 * move it at the beginning. */
typedef struct lmb_matrices_options {
    const char *analysis; /* with what acts in this analysis, where it begins */
    const double *at;     /* the time of the analysis, or of the driven motion without one, or the
                             load factor of a path of equilibria; or NULL */
    const char *state;    /* a state file with positions and velocities of bodies; or NULL */
} lmb_matrices_options;

/* The equations of motion M a + Phi_q^T lambda = Q, Phi_q a = gamma. Matrices are stored by rows.
 */
typedef struct lmb_matrices {
    double time;                             /* s */
    int positions, coordinates, constraints; /* numbers of q, of v and a, of equations */
    double *q;                               /* positions */
    double *Phi;                             /* constraints: their values */
    double *M;                               /* coordinates x coordinates: mass matrix */
    double *Phi_q;                           /* constraints x coordinates: their Jacobian */
    double *gamma;                           /* constraints: right side of Phi_q a = gamma */
    double *Q;                               /* coordinates: generalised forces */
    double *lambda;                          /* constraints: multipliers */
    double *v, *a;                           /* coordinates: velocities, accelerations */
    const char **position_names;             /* positions */
    const char **coordinate_names;           /* coordinates */
    const char **constraint_names;           /* constraints */
    struct lmb_arena *arena;                 /* owns all of these */
} lmb_matrices;

/* The matrices at an instant; options may be NULL. */
LMB_API lmb_status lmb_matrices_find(lmb_matrices *out, lmb_context *context,
                                     const lmb_model *model, const lmb_matrices_options *options);
LMB_API void lmb_matrices_free(lmb_matrices *matrices);

/* The equations in independent coordinates, without multipliers: Mr a_i = Qr, v = B v_i + b,
 * a = B a_i + c. Matrices are stored by columns. */
typedef struct lmb_embedded {
    double time;             /* s */
    int n, free;             /* coordinates, independent ones */
    int *index;              /* free: which they are */
    double *B;               /* n x free: how all move with the independent ones */
    double *b, *c;           /* n: velocities when v_i = 0, accelerations when a_i = 0 */
    double *M;               /* free x free: Mr = B^T M B */
    double *Q, *v, *a;       /* free: Qr = B^T (Q - M c), v_i, a_i */
    const char **names;      /* n: of the coordinates */
    struct lmb_arena *arena; /* owns all of these */
} lmb_embedded;

/* The embedded form at an instant. Independent are the named coordinates, such as "crank.angle", in
 * a list that ends with NULL; a list that is NULL itself leaves the choice to the library. */
LMB_API lmb_status lmb_embedded_find(lmb_embedded *out, lmb_context *context,
                                     const lmb_model *model, const lmb_matrices_options *options,
                                     const char *const *independent);
LMB_API void lmb_embedded_free(lmb_embedded *embedded);

/* --- mobility --------------------------------------------------------------------------------- */

/* Degrees of freedom, and the names of equations such as "pin.x" that repeat others. */
typedef struct lmb_redundancy {
    lmb_mobility counts;     /* as lmb_check has them */
    const char *analysis;    /* as in this analysis; NULL: with everything */
    int redundant_count;     /* equations that repeat others, which stand before them */
    const char **redundant;  /* redundant_count */
    int not_unique_count;    /* equations whose reactions are therefore not unique */
    const char **not_unique; /* not_unique_count */
    const char *moved;       /* the body that assembly has moved noticeably, and why; or NULL */
    struct lmb_arena *arena; /* owns the names */
} lmb_redundancy;

/* Assembles the model, counts its degrees of freedom and names redundant equations, with what is
 * active in an analysis. NULL: with everything, or as in the first analysis if all of them leave
 * joints out. */
LMB_API lmb_status lmb_redundancy_find(lmb_redundancy *out, lmb_context *context,
                                       const lmb_model *model, const char *analysis);
LMB_API void lmb_redundancy_free(lmb_redundancy *redundancy);

#ifdef __cplusplus
}
#endif
#endif
