/* The neighbours of all parameters as motions beside the one that is differentiated: what a
 * parameter does to the equations and to the objectives at a state of it.
 *
 *   load       d/dp of the equations of a step, (M a + Phi_q^T lambda - Q, Phi) and those of
 *              projections, with the numbers of that step: the neighbours evaluated there
 *   objective  dg/dp at the same state, and the change of g along that of the motion,
 *              q (+) s dq/dp, v + s dv/dp, ..., by a stencil whose width suits the motion */
#ifndef LMB_STUDY_VARIANTS_H
#define LMB_STUDY_VARIANTS_H

#include "integrate/alpha_change.h"
#include "integrate/step_tangent.h"
#include "study/effect.h"
#include "study/gradient_internal.h"

/* A change of the motion with a parameter. */
typedef struct lmb_motion_change {
    double *x;                   /* LMB_CHANGE_PARTS x nv: q, v, a, alpha */
    double *lambda;              /* nrows */
    double work[LMB_WORK_COUNT]; /* and of the work so far */
} lmb_motion_change;

typedef struct lmb_variants {
    const lmb_gradient_task *task;
    lmb_arena *arena;
    lmb_dynamics **motions;  /* parameter_count x LMB_NEIGHBOURS */
    lmb_channels **channels; /* the same */
    lmb_arena **rooms;       /* the same: what the beginnings of the motions live in */
    lmb_effect *effects;     /* parameter_count */
    bool *speaks;            /* parameter_count: objectives may depend on it at the same state */
    lmb_state views[LMB_NEIGHBOURS]; /* neighbours of one parameter at a state of the motion: what
                                        is equal is that of the state itself */
    lmb_body_at *bodies[LMB_NEIGHBOURS]; /* body_count: those of the views */
    double *numbers;     /* room: LMB_NEIGHBOURS x (numbers of a change, a load, ...) */
    size_t number_count; /* of one */
    double *step;        /* nv */
    lmb_channels *base;  /* those of the model, linearised at the state looked at last, */
    double *slopes;      /* count x (3 nv + nrows): derivatives by q, v, a and lambda there, */
    bool exact;          /* true: `slopes` is complete, no differences are needed */
    lmb_state *moved;    /* room: a state beside that of the motion */
} lmb_variants;

/* Changes with so many parameters, all zero; NULL: out of memory, which the arena remembers. */
lmb_motion_change *lmb_motion_changes(lmb_arena *arena, const lmb_model *model, int count);

/* Begins the analysis in all neighbours. */
lmb_status lmb_variants_new(lmb_variants **out, const lmb_gradient_task *task);
void lmb_variants_free(lmb_variants *variants);

/* What parameter p does to the objectives where the motion begins (count numbers), which was looked
 * at. */
void lmb_variants_first(lmb_variants *variants, int p, double *out);

/* Makes all motions ready for steps of length h; how they differ from that of the task. */
void lmb_variants_start(lmb_variants *variants, const lmb_motion *motion, double h,
                        lmb_motion_change *changes);

/* Brings the neighbours of parameter p to a state. */
void lmb_variants_place(lmb_variants *variants, int p, const lmb_state *state);

/* The same, to where a step ended that was taken, and its load. */
void lmb_variants_load(lmb_variants *variants, int p, const lmb_state *state,
                       const lmb_step_tangent *tangent, double *load);

/* The same of the equations of a change of the length of steps. */
void lmb_variants_change_load(lmb_variants *variants, int p, const lmb_state *state,
                              const lmb_alpha_change *change, double *load);

/* What parameter p alone does to the objectives (count numbers; NULL: not wanted) and to the powers
 * (NULL: not wanted), at the state that its neighbours were brought to last and that was looked at.
 */
void lmb_variants_explicit(lmb_variants *variants, int p, double *out, double *powers);

/* Linearises the objectives of the model at a state, for `first`, `explicit` and `along`. */
void lmb_variants_look(lmb_variants *variants, lmb_channels *channels, const lmb_state *state);

/* What a change of the motion does to the objectives and to the powers (NULL: not wanted), at the
 * state looked at last. Powers alone need no such state. */
void lmb_variants_along(lmb_variants *variants, const lmb_state *state,
                        const lmb_motion_change *change, double *out, double *powers);

/* Takes laws that are given as rates along to an instant of the motion. */
void lmb_variants_follow(lmb_variants *variants, double t);

/* The step to the present instant is accepted: laws that are given as rates go on from there. */
void lmb_variants_accept(lmb_variants *variants);

#endif
