/* The state of a model: coordinates, and what is computed from them.
 *
 * A solver writes q, v, a, lambda and calls the functions below in order:
 *
 *   lmb_set_time         laws f, f', f'' at an instant
 *   lmb_update_position  poses of bodies, values of frames
 *   lmb_update_velocity  velocities and bias accelerations of frames
 *
 * after which the equations (equations.h) can be asked for. Everything is allocated once; nothing
 * below allocates. */
#ifndef LMB_SYSTEM_STATE_H
#define LMB_SYSTEM_STATE_H

#include "base/workers.h"
#include "base/pack.h"
#include "system/model.h"

/* Kinds of work: by drivers and forces given by laws; lost in dampers. */
enum { LMB_WORK_SUPPLIED, LMB_WORK_DISSIPATED, LMB_WORK_COUNT };

/* Which solvers of the saddle-point equations (system/saddle.h) are tried before those of the
 * model's list, and who works on large ones. */
typedef struct lmb_saddle_choice {
    const struct lmb_saddle_kind *const *kinds; /* ended by NULL; NULL: none */
    lmb_workers *workers;                       /* NULL: the caller alone */
    bool by_work; /* for implicit steps: without `kinds`, prefer the least predicted work */
} lmb_saddle_choice;

/* A law that is given from outside instead of by its expression: from an instant on it is
 * at.f + at.d (t - from) + at.dd (t - from)^2 / 2. */
typedef struct lmb_given_law {
    bool given;
    double from;
    lmb_jet at;
} lmb_given_law;

typedef struct lmb_state {
    const lmb_model *model;
    lmb_arena *arena;

    /* the state proper: enough to save and restore; its arrays stand one after the other in two,
     * numbers from q on and flags from row_off on */
    double t;
    double *q;         /* nq */
    double *v, *a;     /* nv */
    double *z;         /* nz: first-order states of bodies */
    double *lambda;    /* nrows: multipliers of the rows as written (not scaled) */
    double *turn;      /* for each joint angle: the value that it must be near */
    double *law_value; /* for each law given as a rate: its integral at law_time */
    double law_time;
    const vec3 *inputs; /* one per force: added to its effort (x) or vector; NULL for none */
    const lmb_given_law *given; /* one per law; NULL: none is given from outside */
    double load;        /* factor of gravity and of the forces that are loads: 1 but in statics, */
    const bool *scaled; /* force_count + 1: of which of them, gravity last; NULL: of all */
    double work[LMB_WORK_COUNT]; /* done since the beginning of a dynamic analysis */
    bool placed;        /* as the model places it: the initial values of joints are to be met */
    bool *row_off;      /* nrows: equations that do not act */
    bool *force_off;    /* force_count */
    int rows_off;       /* how many equations do not act */
    double *event_time; /* event_count: when it happened, NaN before */
    double *event_side; /* event_count: sign that its expression had last, 0 at first */
    size_t number_count, flag_count; /* of all these arrays */
    bool *event_off;                 /* event_count: it is left out */
    const lmb_table *const *records; /* record_count: what laws play back; NULL for none */
    lmb_saddle_choice choice;        /* how equations are solved */

    /* computed from it */
    lmb_jet *laws; /* f, f', f'' of each law */
    lmb_body_at *bodies;
    lmb_frame *frames; /* of each marker: value, */
    lmb_frame *rates;  /* velocity, */
    lmb_frame *biases; /* and acceleration when vdot = 0 */
    double *jacobian;  /* value_count */

    double *tangent_q, *tangent_v; /* couple_values */
    double *tangent_lambda;        /* value_count: -dQ/dlambda, in the places of Phi_q^T */
    lmb_jet *variables;            /* variable_count: what the laws of forces read */
    vec3 *force_vectors;           /* vector_count: of the pairs of forces that have many */

    /* room while computing: numbers of one marker or cluster (largest_nv), the mass blocks of one
     * body, a number per row, columns of a marker, those of both markers of a pair and the changes
     * of the forces on both along them, and the windows of one body */
    double *body_vector, *body_block, *row_vector;
    lmb_frame *body_columns, *body_rates;
    lmb_frame *pair_columns, *pair_changes; /* 2 and 4 times largest_nv */
    lmb_window *windows;
    double *first_order; /* tangents of the first-order states of a body (first_order.h) */
    int *first_order_pivots;
} lmb_state;

/* A state with the bodies where the model places them, moving as it says, at t = 0; NULL: out of
 * memory. */
lmb_state *lmb_state_new(const lmb_model *model);

/* The same at another instant; laws given as rates start there. */
lmb_state *lmb_state_at(const lmb_model *model, double t);
void lmb_state_free(lmb_state *state);

/* Copies the state proper; what is computed must be updated again. */
void lmb_state_copy(lmb_state *to, const lmb_state *from);

/* How many numbers q, v, a, z and lambda are, which stand one after the other from state->q on. */
size_t lmb_motion_numbers(const lmb_model *model);

/* Updates the laws, positions and velocities for an instant. */
void lmb_update(lmb_state *state, double t);

/* Saves or restores the state proper; restored, it is updated. */
void lmb_state_pack(lmb_state *state, lmb_pack *pack);

/* Sets the time and evaluates the laws there. A law given as a rate is integrated from the last
 * accepted instant. */
void lmb_set_time(lmb_state *state, double t);

/* Makes the present instant the last accepted one: joint angles count turns from here, rates are
 * integrated from here. */
void lmb_accept(lmb_state *state);

/* Lets joint angles count turns from their present values. */
void lmb_follow_turns(lmb_state *state);

/* Lets rates be integrated from the present instant. */
void lmb_accept_laws(lmb_state *state);

void lmb_update_position(lmb_state *state);
void lmb_update_velocity(lmb_state *state);

/* The first half of lmb_update_velocity: without bias accelerations. */
void lmb_update_rates(lmb_state *state);

/* q = from (+) d for all nodes; from may be the state's own q. */
void lmb_retract(lmb_state *state, const double *from, const double *d);

/* d with q0 (+) d = q1. */
void lmb_difference(const lmb_model *model, const double *q0, const double *q1, double *d);

/* qdot = N(q) v */
void lmb_rate(const lmb_state *state, double *qdot);

/* zdot of the first-order states; needs the velocity. */
void lmb_state_rate(const lmb_state *state, double *zdot);

/* Gravity, and the factor of the law of a force, as the load factor makes them. */
vec3 lmb_present_gravity(const lmb_state *state);
double lmb_load_factor(const lmb_state *state, int force);

/* The acceleration of a marker's frame: J a + bias. */
lmb_frame lmb_frame_acceleration(const lmb_state *state, int marker);

/* A joint coordinate with its first and second time derivative (from q, v, a). */
lmb_jet lmb_coordinate_value(const lmb_state *state, const lmb_coordinate *coordinate);

/* The same up to a derivative, 0, 1 or 2; those above are not computed. */
lmb_jet lmb_coordinate_upto(const lmb_state *state, const lmb_coordinate *coordinate,
                            int derivative);

/* The angle of a body in the plane, any number of turns. */
double lmb_body_angle(const lmb_state *state, int body);

/* Its first time derivative alone. */
double lmb_coordinate_rate(const lmb_state *state, const lmb_coordinate *coordinate);

/* Switching joints, drivers and forces off and on in a state.
 *
 * What is off does not act: its equations read lambda = 0, its force is zero. Nothing is removed,
 * so the patterns of all matrices stay. A motion that is under way must be told afterwards
 * (lmb_dynamics_switched). */

/* A joint that is switched off takes the drivers of its coordinates and the forces along them with
 * it; switched on it comes back alone. */
void lmb_switch_joint(lmb_state *state, int joint, bool on);
void lmb_switch_driver(lmb_state *state, int driver, bool on);
void lmb_switch_force(lmb_state *state, int force, bool on);

/* Switches joints, drivers and forces of a list. */
void lmb_switch_selection(lmb_state *state, const lmb_selection *selection, bool on);

/* For the beginning of an analysis: switches everything on but what it does without; no event has
 * happened yet. */
void lmb_switch_absent(lmb_state *state, const lmb_selection *absent);

#endif
