/* The frequencies at which faults of a rolling bearing and its shaft show in a vibration. */
#ifndef LMB_SIGNAL_BEARING_H
#define LMB_SIGNAL_BEARING_H

#include <stdbool.h>
#include <stddef.h>

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

/* --- which fault of a bearing a record of its vibration shows --------------------------------- */

typedef enum lmb_fault {
    LMB_FAULT_OUTER,
    LMB_FAULT_INNER,
    LMB_FAULT_ROLLING_ELEMENT,
    LMB_FAULT_CAGE,
    LMB_FAULTS
} lmb_fault;

extern const char *const lmb_fault_names[LMB_FAULTS];

/* How much speaks for a fault. */
typedef struct lmb_fault_score {
    lmb_fault fault;
    double expected, found; /* Hz: of the kinematics, and where its lines stand out most */
    double strength;        /* power of its lines over that of what is around them, on average */
    double log_chance;      /* log10 of the chance that noise shows as much, all trials counted */
    double evidence;        /* the same with lines counted in full, by which faults are ranked */
    double from, to;        /* Hz: the band in which it shows best */
} lmb_fault_score;

typedef struct lmb_diagnosis {
    lmb_fault_score scores[LMB_FAULTS]; /* the likeliest first */
    bool alarm;                         /* the first one's chance is below the limit */
} lmb_diagnosis;

typedef struct lmb_diagnosis_options {
    double slip;     /* part by which lines may lie away from the kinematics, such as 0.025 */
    double from, to; /* Hz: the band to look at; to = 0: the best of many */
    double chance;   /* of a false alarm that is taken, such as 0.003 */
} lmb_diagnosis_options;

extern const lmb_diagnosis_options lmb_diagnosis_defaults;

/* Diagnoses n values of a record. LMB_BAD_INPUT when it is too short or sampled too slowly. */
lmb_status lmb_diagnose(lmb_context *context, size_t n, const double *x, double rate,
                        const lmb_bearing_lines *lines, const lmb_diagnosis_options *options,
                        lmb_diagnosis *out);

/* log10 of the upper tail of the gamma distribution of shape a and scale 1 beyond x. */
double lmb_log_gamma_tail(double a, double x);

#endif
