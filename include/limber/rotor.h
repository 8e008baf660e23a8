/* Rotors: critical speeds, whirl, response to unbalance and run-up of the section `rotor` of a
 * model.
 *
 *   lmb_rotor_found *rotor;
 *   if (!lmb_rotor_find(&rotor, context, model, NULL))
 *       printf("%g rad/s\n", rotor->criticals[0].undamped);
 *   lmb_rotor_free(rotor);
 *
 * The shaft lies along x; y and z are across. Speeds of rotation are in rad/s, frequencies in Hz.
 * Complex amplitudes of motions exp(i W t) are pairs of numbers, real and imaginary part. */
#ifndef LIMBER_ROTOR_H
#define LIMBER_ROTOR_H

#include "limber/model.h"
#include "limber/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is looked for; all zero is the usual. */
typedef struct lmb_rotor_options {
    double whirl_ratio; /* of whirl to rotation at critical speeds; 0 means 1: those that unbalance
                           excites */
} lmb_rotor_options;

/* A critical speed. */
typedef struct lmb_critical {
    double undamped;  /* rad/s: speed of rotation at which whirl / speed = ratio, without damping */
    double damped;    /* the same for the damped vibration, NaN where there is none */
    double ratio;     /* of damping there */
    double decrement; /* logarithmic */
    double sense;     /* 1: forward, -1: backward; between: the part that is more */
    bool mixed;       /* forward at some places and backward at others */
} lmb_critical;

/* Speeds at which something grows: the first stretch of those of the diagrams. */
typedef struct lmb_instability {
    bool found;       /* there are such speeds */
    double from, to;  /* rad/s; to: INFINITY where the last speed is still unstable */
    double frequency; /* of what grows, Hz; 0: it does not vibrate */
    double sense;     /* as of critical speeds; NaN where it is none of the vibrations shown */
} lmb_instability;

/* The orbit of a place on the shaft. */
typedef struct lmb_orbit {
    double major, minor; /* half axes; minor below 0: backward */
    double angle;        /* of the major axis from y, rad */
    double phase;        /* of the motion along y against the mark on the shaft, rad */
} lmb_orbit;

/* The lowest vibrations of the rotor at some speeds. */
typedef struct lmb_rotor_vibrations {
    int speeds;         /* how many speeds there are, */
    int modes;          /* and vibrations at each */
    double *speed;      /* speeds: rad/s */
    bool *stable;       /* speeds: nothing grows */
    double *frequency;  /* speeds x modes: of whirl, Hz; NaN: the vibration is lost there */
    double *natural;    /* speeds x modes: size of the eigenvalue over 2 pi, Hz */
    double *damping;    /* speeds x modes: ratio to the critical one */
    double *decrement;  /* speeds x modes: logarithmic */
    double *sense;      /* speeds x modes: 1 forward, -1 backward */
    const char **whirl; /* speeds x modes: "forward", "backward", "mixed" or "plane" */
} lmb_rotor_vibrations;

/* Estimates of the lowest circular frequency at rest, rad/s. */
typedef struct lmb_rotor_estimates {
    double *disc;     /* each disc alone on a shaft without mass */
    double shaft;     /* the shaft alone */
    double others;    /* masses of supports, seals and couplings alone; 0: there are none */
    double dunkerley; /* of these: a lower bound */
    double rayleigh;  /* from the deflection under weight: an upper bound */
    double exact;     /* by finite elements */
} lmb_rotor_estimates;

/* The motion while the speed grows evenly. */
typedef struct lmb_run_up {
    int count;         /* of instants that are kept; 0: there is no run-up */
    double *t, *speed; /* count: s, rad/s */
    double *y, *z;     /* count x stations: m */
    double *most, *at; /* stations: the largest amplitude of all steps (m), and the speed then */
    int first_row;     /* for the library */
} lmb_run_up;

/* All that is computed of a rotor. */
typedef struct lmb_rotor_found {
    struct lmb_arena *arena;           /* owns all of it, but */
    struct lmb_rotor_results *results; /* what figures and files are made of */
    const lmb_model *model;            /* of which it is */
    const char *title;                 /* of the model */
    int elements;                      /* of the shaft */
    double mass, shaft_mass;           /* of all that turns, of the shaft alone; kg */

    int node_count, disc_count, bearing_count, station_count; /* how many there are */
    double *x;             /* node_count: places along the shaft, m */
    const char **discs;    /* disc_count: names */
    const char **bearings; /* bearing_count: names, seals among them */
    const char **stations; /* station_count: names of all places whose motion is reported */

    double whirl_ratio;            /* of whirl to rotation at the critical speeds */
    int critical_count;            /* how many critical speeds there are */
    const lmb_critical *criticals; /* critical_count: by speed */
    const char **critical_whirl;   /* critical_count: words as those of vibrations */
    lmb_instability instability;   /* speeds at which something grows */
    lmb_rotor_vibrations service;  /* at the service speed, or at rest: one speed */
    lmb_orbit *orbits;             /* modes of it x node_count; the largest deflection is 1 */
    lmb_rotor_vibrations campbell; /* over speed: each mode is followed from speed to speed */

    bool estimated;                /* there are bearings, and with them: */
    lmb_rotor_estimates estimates; /* disc: disc_count */
    double *sag;                   /* node_count x 2: deflection under weight along y and z, m */
    double *loads;                 /* bearing_count x 2: static forces of the shaft on them, N */

    bool loaded;         /* there is unbalance, and with it: */
    int speed_count;     /* speeds of the response */
    double *speed;       /* speed_count: rad/s */
    double *y, *z;       /* speed_count x station_count, complex: amplitudes, m */
    lmb_orbit *response; /* speed_count x station_count: orbits, m */
    double *forces;      /* speed_count x bearing_count x 2, complex: of the shaft on them along y
                            and z, N */
    double *peak;        /* station_count: largest half axis, m; INFINITY: without bounds, */
    double *peak_speed;  /* and its speed, rad/s */
    lmb_run_up run_up;   /* the motion in time, where the model has one */

    int word_count;     /* sentences that sum it up */
    const char **words; /* word_count */
} lmb_rotor_found;

/* Computes all of a rotor; options may be NULL. Model and context must outlive it. */
LMB_API lmb_status lmb_rotor_find(lmb_rotor_found **out, lmb_context *context,
                                  const lmb_model *model, const lmb_rotor_options *options);

/* Frees it, or does nothing with NULL. */
LMB_API void lmb_rotor_free(lmb_rotor_found *rotor);

/* Writes a result file with the analyses campbell, unbalance (both over speed), shapes (over the
 * place), whirl and run-up, of which lmb_report makes a page with the moving rotor. */
LMB_API lmb_status lmb_rotor_save(lmb_context *context, const lmb_rotor_found *rotor,
                                  const char *path);

/* The same result in memory; close it with lmb_result_close. */
LMB_API lmb_status lmb_rotor_to_memory(lmb_result **out, lmb_context *context,
                                       const lmb_rotor_found *rotor);

#ifdef __cplusplus
}
#endif
#endif
