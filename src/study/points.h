/* Runs of one analysis in memory, point by point: the instants of its results, the steps of an
 * implicit integrator (each is a point then), a position, or modes. */
#ifndef LMB_STUDY_POINTS_H
#define LMB_STUDY_POINTS_H

#include "analysis/analysis.h"

/* The steps of a motion: the length that it was started for, then the lengths of all steps. */
typedef struct lmb_step_list {
    double *h;
    int count, room;
    int starts; /* how often it was started: at events again */
} lmb_step_list;

void lmb_step_list_free(lmb_step_list *list);

/* Who looks at a run. */
typedef struct lmb_point_taker {
    void *user;
    lmb_take_row *take; /* each point, with its state updated */

    /* besides, of the generalized-alpha family: a motion was started, a step was made (before it is
     * taken as a point); NULL: nothing to do */
    lmb_status (*start)(void *user, lmb_motion *motion, double h);
    lmb_status (*step)(void *user, lmb_motion *motion, double h);

    int points;                /* taken from output to output, if steps are points; 0: all */
    bool workless;             /* what work forces have done is not asked for */
    lmb_step_list *record;     /* takes the steps down; NULL: nobody does */
    const lmb_step_list *held; /* steps that it is to make; NULL: its own */
} lmb_point_taker;

/* Whether each step of a motion with these options is a point. */
bool lmb_points_are_steps(const lmb_integration *options);

/* Runs an analysis from a state, which is copied. */
lmb_status lmb_points_run(lmb_context *context, const lmb_state *initial,
                          const lmb_analysis *analysis, const lmb_point_taker *taker);

/* A series of points: an instant and `width` numbers each. */
typedef struct lmb_point_series {
    int width, count, room;
    double *t, *values;
} lmb_point_series;

/* Room for one more, which is returned; NULL: out of memory. */
double *lmb_point_series_add(lmb_point_series *series, double t);
void lmb_point_series_free(lmb_point_series *series);

#endif
