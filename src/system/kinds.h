/* The kinds that a model is compiled with: lists, each ended by NULL. A longer list makes a further
 * kind known to everything: its word in the model file, its keys, the hints of messages. The first
 * kind of bodies and of integrators is the one without a word. */
#ifndef LMB_SYSTEM_KINDS_H
#define LMB_SYSTEM_KINDS_H

typedef struct lmb_kinds {
    const struct lmb_body_type *const *bodies;       /* bodies/read.h */
    const struct lmb_joint_type *const *joints;      /* joints/joint.h */
    const struct lmb_force_type *const *forces;      /* forces/force.h */
    const struct lmb_saddle_kind *const *solvers;    /* system/saddle.h; tried in this order */
    const struct lmb_integrator *const *integrators; /* integrate/motion.h */
    const struct lmb_analysis_kind *const *analyses; /* analysis/analysis.h */
} lmb_kinds;

#endif
