/* The motion of a mechanism under forces, and the methods that integrate it.
 *
 *   M a + Phi_q^T lambda = Q,  Phi_q a = gamma,  qdot = N(q) v,  zdot = f(q, v, z)
 *
 * Explicit methods integrate y = (q, v, z, work) with these rates (index-1 form). Accelerations
 * alone would let joints drift apart, so positions and velocities are stabilised: projected after
 * each step, or partitioned (some coordinates are integrated, Newton's method finds the others), or
 * by Baumgarte's terms in gamma.
 *
 * A method is a table (lmb_integrator), one file each. What it remembers from step to step lies in
 * `memory` or is packed by it; with the state proper that is all a motion needs to go on exactly.
 */
#ifndef LMB_INTEGRATE_MOTION_H
#define LMB_INTEGRATE_MOTION_H

#include <time.h>

#include "math/breaks.h"
#include "system/solver.h"

typedef struct lmb_motion lmb_motion;

typedef struct lmb_integrator {
    const char *name, *doc; /* the doc: what method it is, without its full stop */
    bool implicit;          /* else a stabilisation keeps joints closed */
    bool controlled;        /* an error chooses its steps, always; */
    bool may_control;       /* or if a tolerance is given */
    bool damps;             /* what is too fast for its steps, by a spectral radius */
    double least_radius;    /* the smallest of these */
    bool followed;          /* shows its steps to a follower; they have derivatives */
    bool projects;          /* velocities and accelerations after each step, with a penalty */
    int variant;            /* of a family of methods in one file */

    /* Allocates; the motion's state is consistent. */
    lmb_status (*open)(lmb_motion *motion);
    void (*close)(lmb_motion *motion); /* NULL: nothing to do */

    /* Integrates to an instant, or with `once` makes one step that does not go beyond it. The state
     * is then consistent, with its accelerations and reactions. */
    lmb_status (*advance)(lmb_motion *motion, double end, bool once);

    /* Let the next step begin with the accelerations of the state. NULL: not `followed`. */
    void (*renew)(lmb_motion *motion);

    /* Forgets what was before the present state, which was changed; NULL: it remembers nothing. */
    void (*restart)(lmb_motion *motion);

    /* Saves or restores what it remembers besides its memory; NULL: nothing. */
    void (*pack)(lmb_motion *motion, lmb_pack *pack);

    /* What it remembers cannot be saved: an interrupted analysis starts again. */
    bool starts_again;

    /* The longest step with which it stays stable for a duration with vibrations of an angular
     * frequency; NULL: any is. */
    double (*stable_step)(double frequency, double duration);
} lmb_integrator;

/* Somebody who follows the steps of a motion as they are accepted; rejected ones are not shown. */
typedef struct lmb_step_follower {
    void *user;
    /* made ready for steps of length h; NULL: nobody asks */
    void (*start)(void *user, lmb_motion *motion, double h);
    /* a step of length |h| was made; h < 0: it began with true accelerations, after a jump */
    void (*step)(void *user, lmb_motion *motion, double h);
} lmb_step_follower;

/* More steps than these are announced, and refused. */
#define LMB_LONG_STEPS 1e7
#define LMB_MOST_STEPS 1e12

/* Where a stretch of steps began by which the rest is judged (effort.c). */
typedef struct lmb_motion_pace {
    double t;
    long watched, jams;
    struct timespec begun;
    double announced; /* steps that were */
} lmb_motion_pace;

struct lmb_motion {
    lmb_solver *solver;
    bool workless; /* nobody asks what work forces have done: implicit steps leave it out */
    const lmb_step_follower *follower; /* NULL: nobody; implicit methods only */
    /* called after each step of an analysis if it is not NULL */
    void (*observe)(void *observer, const lmb_motion *motion);
    void *observer;
    const double *given; /* its steps, as followers see them, that of the start first; NULL: own */
    int given_count, given_at;
    lmb_integration options;
    void *method;            /* what the method needs besides its memory */
    double finish;           /* no step goes beyond this instant, */
    double stop;             /* nor beyond this one: the next break; or INFINITY */
    const lmb_break *breaks; /* where adaptive steps end, in order; across a jump they restart */
    int break_count;

    const char *name; /* of the analysis, for messages and reports of progress; NULL: none */
    lmb_place place;  /* of the analysis */
    double begin;     /* where it began */
    long watched;     /* calls of lmb_motion_watch */
    lmb_motion_pace pace;

    double *memory; /* of the method */
    size_t memory_count;

    size_t size;           /* of y: nq + nv + nz + LMB_WORK_COUNT */
    double *y0;            /* where a step began */
    double *y;             /* room for another one */
    double *zdot;          /* nz: rates of the first-order states */
    double *size_q;        /* nq: reference size of each position coordinate, whose error is */
    double *part_q;        /* nq: judged by max(size_q, part_q |q|) */
    double *turn0, *spin0; /* joint angles and their rates where a step began, */
    double *turn1, *spin1; /* and where it ended, for methods that interpolate */

    bool trial;  /* while a step may be taken back: what fails in it is not reported */
    bool warned; /* of independent coordinates that were named */
    bool *held;  /* nv, LMB_PARTITIONING: the independent coordinates, */
    double dependence, *direction; /* and how the others follow from them (lmb_dependence) */
    long steps, rejected, iterations, factorisations;
    long jams;               /* evaluations in trial steps in which friction had no solution, */
    const lmb_force *jammed; /* and the last such friction */
};

extern const lmb_integrator lmb_integrator_rk45, lmb_integrator_euler, lmb_integrator_adams,
    lmb_integrator_alpha, lmb_integrator_hht, lmb_integrator_newmark, lmb_integrator_ali3p,
    lmb_integrator_ida;

/* All of them, ended by NULL. */
extern const lmb_integrator *const lmb_integrators[];

/* Allocates for a solver whose state is consistent. */
lmb_status lmb_motion_new(lmb_motion **out, lmb_solver *solver, const lmb_integration *options);
void lmb_motion_free(lmb_motion *motion);

/* Integrate to an instant by the method, or make one step if `once`. Steps end at breaks. */
lmb_status lmb_motion_advance(lmb_motion *motion, double end, bool once);

/* Return the instant that a step must not go beyond if it may go beyond `end`. */
static inline double lmb_motion_limit(const lmb_motion *motion, double end)
{
    return fmin(fmax(end, motion->finish), fmax(end, motion->stop));
}

/* The state was changed, or joints were switched: begins anew from it. */
lmb_status lmb_motion_restart(lmb_motion *motion);

/* Saves or restores the motion: state, memory, and what rounding depends on. A motion that was
 * restored goes on to the last bit as the saved one did. */
void lmb_motion_pack(lmb_motion *motion, lmb_pack *pack);

/* Moves to an instant so near that a Taylor series of second order is enough, without the method,
 * which begins anew from there. Implicit methods divide rounding by the square of the step: they
 * cannot make such short ones. Drivers that jump to another speed take the bodies along. */
lmb_status lmb_motion_taylor_step(lmb_motion *motion, double t);

/* Compute velocities after joints or drivers have changed suddenly: as in an impact without rebound
 * (break_steps.c). Velocities that fit stay as they are. */
void lmb_motion_catch_velocities(lmb_solver *solver);

/* --- for methods ------------------------------------------------------------------------------ */

/* Room for the memory of a method. */
lmb_status lmb_motion_remember(lmb_motion *motion, size_t count);

/* y of the present state, and the state of y (nothing updated). */
void lmb_motion_get(const lmb_motion *motion, double *y);
void lmb_motion_set(lmb_motion *motion, const double *y);

/* Accelerations and reactions of the present state. */
lmb_status lmb_motion_accelerate(lmb_motion *motion);

/* The rates of y for the state's q, v, z and work at an instant. */
lmb_status lmb_motion_rates(lmb_motion *motion, double t, double *rates);

/* What an error of number i of y is measured by, with a typical speed for y and its rates. */
double lmb_motion_typical_speed(const lmb_motion *motion, const double *y, const double *rates);
double lmb_motion_scale(const lmb_motion *motion, const double *y, double speed, size_t i);

/* A step: remember where it begins; take it back; close joints at its end as the stabilisation says
 * (false if that fails); accept it. */
void lmb_motion_begin_step(lmb_motion *motion);
void lmb_motion_begin_turns(lmb_motion *motion); /* the part of it about joint angles */
void lmb_motion_end_turns(lmb_motion *motion);   /* the same at its end */
void lmb_motion_next_turns(lmb_motion *motion);  /* a step begins where one was accepted */
void lmb_motion_take_back(lmb_motion *motion, double t);
bool lmb_motion_close_joints(lmb_motion *motion);
void lmb_motion_accept(lmb_motion *motion, double h);

/* Begins a step of length h in which work and first-order states grow by their present rates; ends
 * one at an instant: joints closed, accepted, accelerations computed. */
void lmb_motion_begin_euler(lmb_motion *motion, double h);
lmb_status lmb_motion_finish_step(lmb_motion *motion, double h, double t);

/* Puts the turns of joint angles where they are at a fraction theta of the last step, of length h.
 */
void lmb_motion_set_turns(lmb_motion *motion, double h, double theta);

/* With `rotation_update: taylor`: turns bodies from y0 by 1 + h W + h^2/2 (W^2 + Wdot) with the
 * angular velocities W at y0 and the accelerations a0. */
void lmb_motion_turn_by_taylor(lmb_motion *motion, double h, const double *a0);

/* Between steps of an analysis: reports progress now and then; a failure if the work is to stop or
 * an element turns too far. */
lmb_status lmb_motion_watch(lmb_motion *motion);

/* Looks at how many steps are left, by the last ones: many are announced, with the time they take;
 * far too many are a failure. */
lmb_status lmb_motion_effort(lmb_motion *motion);

/* The velocity coordinate that changes fastest. */
int lmb_motion_fastest(const lmb_state *state);

/* One step of length h to the instant t. */
typedef lmb_status lmb_motion_step(lmb_motion *motion, double h, double t);

/* `advance` for methods of fixed step: equal ones, about as long as asked for. */
lmb_status lmb_motion_equal_steps(lmb_motion *motion, double end, bool once, lmb_motion_step *step);

/* Says why no step of any length succeeds from t on. */
lmb_status lmb_motion_stuck(lmb_motion *motion, double t, double h);

/* Write "analysis 'NAME': " into the buffer, or nothing if the motion has no name. */
const char *lmb_motion_prefix(const lmb_motion *motion, char buffer[96]);

/* Says that joints open in a step of fixed length. */
lmb_status lmb_motion_opens(lmb_motion *motion);

#endif
