/* Which fault of a bearing a record of its vibration shows. */
#ifndef LMB_SIGNAL_DIAGNOSIS_H
#define LMB_SIGNAL_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "signal/bearing.h"

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
