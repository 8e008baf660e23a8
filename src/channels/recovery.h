/* Channels that are recovered from the deformation of flexible bodies, and instruments: stresses,
 * section forces, loads on interface points, accelerometers, strain gauges, rosettes. */
#ifndef LMB_CHANNELS_RECOVERY_H
#define LMB_CHANNELS_RECOVERY_H

#include "base/workers.h"
#include "channels/stress_rows.h"
#include "channels/stress_state.h"
#include "limber/result.h"
#include "system/equations.h"

/* What all joints, drivers and forces that take hold of a point exert on it together: a force and a
 * moment about the point, in the axes of the body frame. */
typedef struct lmb_interface_load {
    vec3 force, torque;
} lmb_interface_load;

typedef struct lmb_recovery {
    const lmb_model *model;
    lmb_stress_state **stress; /* body_count: NULL for those without stresses */
    bool *later;               /* body_count: the largest stresses are put into rows later */
    lmb_interface_load *loads; /* point_count */
    bool loads_known;          /* at this instant */
    bool corrected;      /* the analysis has reactions: stresses include the response to loads */
    bool moves;          /* the analysis has velocities */
    double **strained;   /* body_count: buffers for the coordinates of stresses */
    double **inertia;    /* body_count: accelerations of those with beams, else NULL */
    bool *inertia_known; /* body_count: at this instant */
    double numbers[LMB_STRESSES]; /* of the probe asked last at this instant, */
    int numbers_of;               /* which was this; -1: none */
    double *weights;              /* room: derivatives by the modes and accelerations of a body */
} lmb_recovery;

/* What the channels of an analysis need. Lives in the arena; NULL: out of memory. */
lmb_recovery *lmb_recovery_new(lmb_arena *arena, const lmb_model *model, unsigned known);

/* Return the loads on all interface points of the model at this instant. Entries are zero for
 * points of other bodies. */
const lmb_interface_load *lmb_recovery_loads(lmb_recovery *recovery, const lmb_state *state);

/* The deformation of a body now, with its accelerations if it has beams. */
lmb_deformation lmb_recovery_deformation(lmb_recovery *recovery, const lmb_state *state, int body);

/* The stresses of a body at this instant. */
const lmb_stress_state *lmb_recovery_stress(lmb_recovery *recovery, const lmb_state *state,
                                            int body);

/* Discards the numbers that were kept for the previous instant. */
void lmb_recovery_next(lmb_recovery *recovery);

/* --- what the bodies went through -------------------------------------------------------------
 *
 * What the flexible bodies went through in an analysis: the envelope of their stresses, how much
 * each mode took part, and warnings where deformations are not small any more.
 *
 * It is made from the rows of results alone, so a run that goes on from an earlier one has the
 * same. */

/* Deformations are small up to these: deflection as a part of the body's size, rotation (rad),
 * strain. */
#define LMB_SMALL_DEFLECTION 0.1
#define LMB_SMALL_ROTATION 0.3
#define LMB_SMALL_STRAIN 0.01

/* Up to this share of the static response to loads in the largest stress, no warning is given. */
#define LMB_SMALL_CORRECTION 0.1

/* Columns of a body in a row of the result: modal coordinates, and coordinates of stresses (0: the
 * modal coordinates serve as both). */
typedef struct lmb_row_places {
    int modes, coordinates;
} lmb_row_places;

typedef struct lmb_body_record {
    int body, modes;
    lmb_row_places at;
    bool inertia;     /* stresses depend on accelerations */
    double *strained; /* room for its modal coordinates as far as they are strains */
    lmb_stress_state *stress;
    lmb_stress_rows *many;   /* for many rows at once; NULL: there are beams, or no stresses */
    int max_at, max_node_at; /* columns of the largest stress and of its node */
    int correction_at;       /* column of the share of the response to loads; 0: none */
    double peak, peak_time;  /* largest stress of all instants, and its time */
    double peak_correction;  /* its share of the response to loads */
    int peak_place;          /* its place */
    double *peak_e;          /* coordinates of stresses at its time: stress columns */

    /* the envelope, by nodes that have stresses */
    int node_count;
    int *node;       /* node_count: of the body */
    int *entry;      /* places: which of them */
    double *largest; /* node_count: stress of von Mises, */
    double *largest_time;

    /* modes */
    int instants;
    double *amplitude, *amplitude_time; /* largest size of the modal coordinate */
    double *energy, *energy_sum;        /* largest, and sum over instants: J */

    /* small deformations */
    double size;               /* extent of the body */
    double *deflection, *turn; /* the largest of each mode */
    bool warned[3];
} lmb_body_record;

struct lmb_channels;

typedef struct lmb_run_record {
    const lmb_model *model;
    lmb_body_record *bodies; /* the flexible ones */
    int count;
    lmb_span span; /* instants that count */
} lmb_run_record;

/* For rows with the numbers of these channels. Lives in the arena; NULL: out of memory. */
lmb_run_record *lmb_run_record_new(lmb_arena *arena, const lmb_recovery *recovery,
                                   const struct lmb_channels *channels);

/* Warn of bodies in which the kept modes represent the loads behind the largest stress badly.
 * `record` may be NULL. */
void lmb_run_record_finish(const lmb_run_record *record, lmb_context *context);

/* Takes a row of results; warns once a body and kind where its deformation is not small. */
void lmb_run_record_take(lmb_run_record *record, lmb_context *context, double t, const double *row);

/* The same for up to LMB_STRESS_ROWS rows, `stride` numbers apart. The stresses that a row has of
 * solids are put into it. */
void lmb_run_record_take_rows(lmb_run_record *record, lmb_context *context, lmb_workers *workers,
                              int count, const double *t, double *rows, size_t stride);

#endif
