/* The points of a motion, kept to go back through: all of them while they fit into a limit of
 * memory; else the motion itself at some of them (integrate/motion.h packs it), from which the
 * points in between are made again, a segment at a time. */
#ifndef LMB_STUDY_KEPT_H
#define LMB_STUDY_KEPT_H

#include "analysis/dynamics.h"
#include "integrate/step_tangent.h"

typedef struct lmb_kept {
    lmb_context *context;
    const lmb_step_tangent *tangent;
    const lmb_state *initial; /* where the motion begins, */
    const lmb_analysis *analysis;
    size_t limit; /* numbers that may be kept, half of them of motions */

    int count; /* points so far */
    double *h; /* count: lengths of the steps to them; of the first: that of the start */
    int h_room;
    size_t one;     /* numbers of a point */
    double *points; /* those from `first` on that are here */
    int first, here, room;
    bool segments; /* not all are */

    double **motions; /* at every so-manieth point */
    int motion_count, motion_room, every;
    size_t motion_size;  /* numbers of one */
    lmb_dynamics *again; /* makes segments */
} lmb_kept;

/* For motions of an analysis from a state, which must stay; a limit of bytes, or 0 for the usual
 * one. Ended with lmb_kept_free. */
void lmb_kept_start(lmb_kept *kept, lmb_context *context, const lmb_step_tangent *tangent,
                    const lmb_state *initial, const lmb_analysis *analysis, double bytes);
void lmb_kept_free(lmb_kept *kept);

/* Adds the point that a motion is at, after a step of length h (the first: after its start). */
lmb_status lmb_kept_add(lmb_kept *kept, lmb_motion *motion, double h);

/* The state of a point, updated; what the step that led there found (NULL: not wanted), which stays
 * until another point is asked for; and its length. */
lmb_status lmb_kept_restore(lmb_kept *kept, int point, lmb_state *to, const double **star,
                            double *h);

#endif
