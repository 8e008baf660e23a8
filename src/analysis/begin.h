/* How an integrated motion begins, so that it does not ring: vibrations of the start would else set
 * the largest stress.
 *
 *   static        flexible bodies are deformed as at rest, with free joint coordinates held
 *   quasi-static  they are deformed as the rigid motion asks for, and do not vibrate
 *   periodic      the motion repeats itself with the period of the drivers
 *
 * A beginning is a table of this form; it changes the state that a motion was made with. */
#ifndef LMB_ANALYSIS_BEGIN_H
#define LMB_ANALYSIS_BEGIN_H

#include "integrate/motion.h"

typedef struct lmb_beginning {
    const char *name, *doc; /* the doc: what it does, without its full stop */
    bool elastic;           /* it is for flexible bodies */
    lmb_status (*find)(lmb_motion *motion);
} lmb_beginning;

extern const lmb_beginning lmb_begin_static, lmb_begin_quasi_static, lmb_begin_periodic;

/* All of them, ended by NULL. */
extern const lmb_beginning *const lmb_beginnings[];

/* Begins a motion, whose state is consistent, as its options say; NULL there: as it is. */
lmb_status lmb_begin(lmb_motion *motion);

/* Says that an analysis has no flexible bodies to begin with. */
lmb_status lmb_begin_useless(lmb_context *context, const lmb_beginning *beginning);

#endif
