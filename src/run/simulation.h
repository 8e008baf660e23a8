/* A simulation from inside (limber/simulation.h). */
#ifndef LMB_RUN_SIMULATION_H
#define LMB_RUN_SIMULATION_H

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
    vec3 *inputs; /* one per force: what is added to it */
    int next;     /* the instant of results after the present one */
    bool lost;    /* it failed, and there was no way back */

    /* the state before the call that is under way */
    double t, law_time, work[LMB_WORK_COUNT], *numbers;
    bool *flags;

    atomic_bool busy;    /* a call is under way, */
    atomic_bool refused; /* during which another one was refused */
};

/* Every call begins with the one, fails if there is no simulation or another call is under way, and
 * ends with the other, which returns its status. */
lmb_status lmb_simulation_enter(lmb_simulation *simulation);
lmb_status lmb_simulation_leave(lmb_simulation *simulation, lmb_status status);

/* Remembers the state; goes back to it after a failure, whose status it returns. */
void lmb_simulation_keep(lmb_simulation *simulation);
lmb_status lmb_simulation_back(lmb_simulation *simulation, lmb_status status);

/* The present instant has changed: which one of results comes next. */
void lmb_simulation_find_next(lmb_simulation *simulation);

#endif
