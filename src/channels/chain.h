/* Derivatives of channels by the chain rule.
 *
 * Number k of a channel is f(y): y are smooth functions of state and parameters (section forces,
 * components of stress, residuals of rows), f may have kinks (von Mises' stress, a maximum, a
 * norm).
 *
 *   dc/dx = df/dy dy/dx
 *
 * df/dy is exact. dy/dx is exact where the channel has a `slope`; elsewhere y is differentiated by
 * differences, which suit smooth numbers only. */
#ifndef LMB_CHANNELS_CHAIN_H
#define LMB_CHANNELS_CHAIN_H

#include "system/equations.h"

struct lmb_channels;

/* Derivatives by the coordinates of a state: q, v and a (nv each), then lambda (nrows). */
typedef struct lmb_slopes {
    double *q, *v, *a, *lambda;
} lmb_slopes;

/* A number of a channel: of an item (body, point, joint, ...), `part` as in the table of channels.
 */
typedef struct lmb_number {
    int item, part;
    int k; /* which number of the channel */

    /* set by `locate` */
    int body, probe; /* the body; its probe, or -1: a place */
    int place;       /* node or place of a maximum, which is held while differentiating */
} lmb_number;

/* How the numbers of a channel depend on a state. All zero: f is the identity, y is differentiated
 * by differences along all coordinates. */
typedef struct lmb_chain {
    bool of_item; /* computed from one item of the state alone, so that any thread may */

    /* The marker whose motion is all that the numbers depend on; NULL or -1: there is none. */
    int (*marker)(const struct lmb_channels *c, int item);

    bool signless; /* the numbers are a unit quaternion, whose sign may change */

    /* y: how many (0 means 1, -1: the rows of the model), where and what; NULL: the number itself.
     */
    int count;
    void (*locate)(struct lmb_channels *c, const lmb_state *s, lmb_number *n);
    void (*inner)(struct lmb_channels *c, const lmb_state *s, const lmb_number *n, double *y);

    /* f(y) with df/dy, or f(y) that is linear in y; both NULL: the identity. */
    double (*outer)(struct lmb_channels *c, const lmb_number *n, const double *y, double *by);
    double (*linear)(struct lmb_channels *c, const lmb_number *n, const double *y);

    /* Adds the derivatives of weights . y; NULL: differences. */
    void (*slope)(struct lmb_channels *c, const lmb_state *s, const lmb_number *n,
                  const double *weights, lmb_slopes *out);

    /* Return true if y also depends on quantities that `slope` does not cover; then differences are
     * used. NULL: always false. */
    bool (*beyond)(const struct lmb_channels *c, const lmb_number *n);

    /* Marks the coordinates that y depends on with 1. NULL: y depends on the coordinates of the
     * marker, or on all coordinates if there is no marker. */
    void (*reach)(const struct lmb_channels *c, const lmb_number *n, lmb_slopes *marks);
} lmb_chain;

/* Numbers that no coordinate changes. */
extern const lmb_chain lmb_chain_constant;

/* What a number owes to the motion of a frame: derivatives by the frame, its velocity and its
 * acceleration. */
typedef struct lmb_frame_weights {
    lmb_frame x, rate, second;
    int order; /* 0: of the frame alone; 1: and of its velocity; 2: and of its acceleration */
} lmb_frame_weights;

/* Adds the derivatives of weights . (x, x', x'') of a marker,
 *
 *   dx/dq = J    dx'/dq = (J v)_q, dx'/dv = J    dx''/dq = (J a + bias)_q, dx''/dv = bias_v,
 *   dx''/da = J. */
void lmb_slopes_add_frame(const lmb_state *state, int marker, const lmb_frame_weights *weights,
                          lmb_slopes *out);

/* Adds factor times component k, in the axes of the frame x, of the angular velocity (order 1) or
 * acceleration (order 2); `rate` is the velocity or the acceleration of x. */
void lmb_weights_add_turn(lmb_frame_weights *w, const lmb_frame *x, const lmb_frame *rate,
                          int order, int k, double factor);

/* Marks all coordinates of a range of velocity coordinates, or of a marker. */
void lmb_marks_add(lmb_slopes *marks, int v, int nv);
void lmb_marks_add_marker(const lmb_model *model, lmb_slopes *marks, int marker);

#endif
