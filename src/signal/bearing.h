/* The frequencies at which faults of a rolling bearing and its shaft show in a vibration. */
#ifndef LMB_SIGNAL_BEARING_H
#define LMB_SIGNAL_BEARING_H

#include <stdbool.h>

#include "base/message.h"

typedef struct lmb_bearing {
    double pitch; /* diameter of the circle of the rolling elements' centres */
    double ball;  /* diameter of a rolling element, in the same unit */
    int balls;
    double angle;     /* contact angle, rad */
    bool outer_turns; /* and not the inner race */
} lmb_bearing;

/* All in Hz. */
typedef struct lmb_bearing_lines {
    double shaft;           /* 1x; 2x and 3x are its multiples */
    double cage;            /* turns of the cage */
    double inner, outer;    /* balls that pass a spot of a race */
    double spin;            /* turns of a rolling element about itself */
    double rolling_element; /* a spot of a rolling element meets a race, twice a turn */
    double highest;         /* of all of these */
    double sampling_limit;  /* the sampling rate must be above this */
    double sampling_advice; /* and this one leaves room for a filter */
    bool outer_turns;       /* and not the inner race */
} lmb_bearing_lines;

/* Multiples of the shaft's frequency that have names. */
enum { LMB_SHAFT_FAULTS = 3 };
extern const char *const lmb_shaft_faults[LMB_SHAFT_FAULTS];

/* The bearing between an inner and an outer race: its balls fill the gap. */
lmb_bearing lmb_bearing_between(double inner, double outer, int balls, double angle);

/* Whether there can be such a bearing; LMB_USAGE with a message if not. */
lmb_status lmb_bearing_check(lmb_context *context, const lmb_bearing *bearing);

/* The lines of a bearing one of whose races turns so many times a second, the other one at rest. */
lmb_bearing_lines lmb_bearing_find_lines(const lmb_bearing *bearing, double shaft);

#endif
