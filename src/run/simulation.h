/* A simulation from inside (limber/simulation.h). */
#ifndef LMB_RUN_SIMULATION_H
#define LMB_RUN_SIMULATION_H

#include <pthread.h>
#include <stdatomic.h>

#include "analysis/analysis.h"
#include "channels/channels.h"
#include "limber/simulation.h"

/* Where the numbers of a channel are in a row. */
typedef struct lmb_reading {
    int at, size;
} lmb_reading;

struct lmb_simulation {
    lmb_context *context;
    const lmb_model *model;
    const lmb_analysis *analysis;
    lmb_arena *arena;
    lmb_workers *workers;
    lmb_course course;
    lmb_solver *solver; /* of the course */
    lmb_channels *channels;
    const double *row;     /* of the channels; NULL: not of the present state */
    lmb_reading *readings; /* by handle */
    int reading_count;
    vec3 *inputs;         /* one per force: what is added to it */
    lmb_given_law *given; /* one per law: of a driver that is moved from outside */
    int next;             /* the instant of results after the present one */
    bool lost;            /* it failed, and there was no way back */

    double *start; /* all of it at its start, packed */

    /* the state before the call that is under way */
    double t, law_time, work[LMB_WORK_COUNT], *numbers;
    bool *flags;
    vec3 *kept_inputs;
    lmb_given_law *kept_given;

    /* asked before and after each step */
    lmb_step_hook *before, *accepted;
    void *hook_user;
    lmb_step_watch watch;
    atomic_bool hooked;    /* a hook is at work, */
    pthread_t hook_thread; /* in this thread, */
    bool nested;           /* and has called back */

    atomic_bool busy;    /* a call is under way, */
    atomic_bool refused; /* during which another one was refused */
};

/* Every call begins with one of the first two, fails if there is no simulation or another call is
 * under way, and ends with the last, which returns its status. Calls that begin with the second may
 * also be made by a hook. */
lmb_status lmb_simulation_enter(lmb_simulation *simulation);
lmb_status lmb_simulation_look(lmb_simulation *simulation);
lmb_status lmb_simulation_leave(lmb_simulation *simulation, lmb_status status);

/* The energy of the state; and after positions, velocities or laws were changed, all else anew:
 * energy that this brings or takes counts as work. */
double lmb_simulation_energy(const lmb_simulation *simulation);
lmb_status lmb_simulation_moved(lmb_simulation *simulation, double energy_before);

/* Remembers the state; goes back to it after a failure, whose status it returns. */
void lmb_simulation_keep(lmb_simulation *simulation);
lmb_status lmb_simulation_back(lmb_simulation *simulation, lmb_status status);

/* Remembers all of a new simulation, for lmb_simulation_rewind. */
lmb_status lmb_simulation_keep_start(lmb_simulation *simulation);

/* The course to an instant, with hooks on the way. */
lmb_status lmb_simulation_go(lmb_simulation *simulation, double t);

/* The present instant has changed: which one of results comes next. */
void lmb_simulation_find_next(lmb_simulation *simulation);

#endif
